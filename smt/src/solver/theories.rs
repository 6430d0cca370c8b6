//! The theories of the solver, and the final check.

use super::arith::bounds::Arithmetic;
use super::cells::updates::Updates;
use super::euf::Euf;
use super::sat::search::{Reason, Search, Value};
use super::theory::{Stop, Theory, Ticket, Verdict};
use super::{Limits, Solver};
use crate::proof::Lit;
use crate::term::TermPool;

/// The theories of a solver, as one.
#[derive(Default)]
pub(super) struct Theories {
    pub arith: Arithmetic,
    pub euf: Euf,
    pub cells: Updates,
}

impl Theory for Theories {
    fn take_over(&mut self, search: &mut Search) -> Result<(), Reason> {
        self.arith.take_over(search)?;
        self.euf.egraph.take_over(search)
    }

    fn check(&mut self, search: &mut Search, limits: &Limits) -> Result<(), Stop> {
        self.arith.check(search, limits)
    }

    fn propagate(&mut self, search: &mut Search) {
        self.arith.propagate(search);
    }

    fn explain(&mut self, ticks: &mut u64, ticket: Ticket) -> Vec<Lit> {
        self.euf.egraph.explain(ticks, ticket)
    }

    fn begin_candidate(&mut self) {
        self.arith.begin_candidate();
    }

    fn end_candidate(&mut self) {
        self.arith.end_candidate();
    }
}

/// The final checks, in the order in which a candidate is put to them. Each may take for granted what those before it accept.
const FINAL_CHECKS: [fn(&mut Solver, &mut TermPool) -> Verdict; 5] = [
    Solver::check_integers,
    Solver::check_disequalities,
    Solver::assign_pure,
    Solver::check_real_functions,
    Solver::check_functions,
];

impl Solver {
    /// Checks a complete assignment: the first verdict that is not `Consistent`.
    pub(super) fn final_check(&mut self, pool: &mut TermPool) -> Verdict {
        self.theories.begin_candidate();
        let before = self.progress();
        for check in FINAL_CHECKS {
            match check(self, pool) {
                Verdict::Consistent => {}
                Verdict::Refined => {
                    self.add_eager_instances(pool);
                    let mut suggested = self.last.suggested.iter();
                    let stuck = suggested.all(|v| self.search.value(v.positive()) != Value::Open);
                    if stuck && before == self.progress() {
                        return Verdict::Stuck("no progress of lemmas");
                    }
                    return Verdict::Refined;
                }
                verdict => return verdict,
            }
        }
        Verdict::Consistent
    }

    /// Changes whenever something becomes live, a lemma is added, or a row comes back.
    fn progress(&self) -> (usize, u64, usize) {
        let detached = self.theories.arith.tableau.detached;
        (self.live.log.len(), self.search.events.statistics.lemmas, detached)
    }
}
