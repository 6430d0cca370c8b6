//! A search over small domains: lazy clause generation (Ohrimenko, Stuckey and Codish, *Propagation via lazy clause generation*, 2009; Feydy and Stuckey, *Lazy
//! clause generation reengineered*, 2009).
//!
//! The simplex with branches is the wrong engine for problems such as magic squares, Costas arrays, or colourings: their relaxation over the rational numbers
//! says next to nothing, and each step costs a pivot of a dense tableau. Where most integers are known to have few values, the
//! search therefore lets the simplex *rest*, and
//!
//! * gives these integers atoms `x <= k` for all values of their domains, and `x = k` where an integer differs from another one. Learned clauses are then about single values;
//! * propagates bounds along the [definitions](super::arith::definitions) of the linear terms, with explanations in terms of bounds;
//! * propagates that integers are pairwise different, by Hall's intervals ([`distinct`]);
//! * decides by activity with saved phases, and what formulas leave open by the smallest domain ([`label`]).
//!
//! The simplex has the last word: when nothing is left to decide, it makes a vertex, from which the final checks go on.
//!
//! **When.** The search [turns](Finite::is_due) to this engine when a check has spent some effort, and if the structure fits ([`Solver::find_domains`]); then the two engines take turns of
//! growing length, as neither is best everywhere. Learned clauses stay, whoever learned them. Queries that are answered soon never see it. All of
//! this depends on ticks, so it repeats exactly.
//!
//! **Proofs** need one more kind of lemma, that of Dirichlet's principle: its shortest proof by resolution is exponential, and this is what Hall's intervals are for. Everything
//! else is resolution and Farkas.
//!
//! | module | does |
//! |---|---|
//! | `domains` | finds the domains, and makes their atoms |
//! | `reference` | finds the integer that others are bounded relative to |
//! | `values` | makes clauses of different values |
//! | `distinct` | propagates that integers are pairwise different |
//! | `label` | decides |

mod distinct;
mod domains;
mod label;
mod reference;
mod values;

use super::Solver;
use super::arith::definitions::Definitions;
use super::arith::tableau::Column;
use super::events::Event;
use crate::hash::FxHashMap;
use crate::model::Model;
use crate::proof::Var;
use crate::term::TermPool;
use distinct::Cliques;
use reference::Reference;
use values::Values;

/// Ticks of the first turn of the simplex.
const FIRST: u64 = 400_000;
/// The first turn of this engine and the second one of the simplex are longer than the first one of the simplex by these factors.
const TURN: u64 = 40;
const BREAK: u64 = 10;
/// How long a turn may wait for a restart, as a multiple of the same.
const PATIENCE: u64 = 4;
/// Each turn is longer than the last one of the same engine by this factor.
const GROWTH: u64 = 2;
/// Fewer integers with several values are left to the simplex.
const FEW: usize = 4;
/// Differences hide behind no longer chains of definitions.
const MAX_ROUNDS: usize = 6;

/// How far the preparation of a turn is. Each step is taken at the root of the search, after propagation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Phase {
    /// The simplex works.
    #[default]
    Off,
    /// Definitions propagate.
    Defined,
    /// Domains have atoms.
    Bounded,
    /// Equations are known that are false.
    Different,
    /// The search is on.
    On,
}

/// The values that an integer may have at the root of the search.
struct Domain {
    column: Column,
    low: i64,
    high: i64,
}

/// The state of the engine.
#[derive(Default)]
pub(super) struct Finite {
    phase: Phase,
    /// Rounds of looking for hidden differences.
    rounds: usize,
    /// The ticks at which the other engine has its turn, and how long the next turns are.
    due: u64,
    patience: u64,
    turn: u64,
    rest: u64,
    domains: Vec<Domain>,
    /// The position of each column's domain.
    places: FxHashMap<Column, usize>,
    /// The variables of `column = value`, for columns that differ from others.
    equal: FxHashMap<(Column, i64), Var>,
    /// The values that integers get first.
    preferred: Option<Model>,
    reference: Reference,
    /// Columns that have a definition here.
    defined: usize,
    /// Variables that are decided only in turns of this engine.
    borrowed: Vec<Var>,
    cliques: Cliques,
    values: Values,
}

impl Finite {
    /// A check begins.
    pub fn begin_check(&mut self, ticks: u64, first: Option<u64>) {
        let first = first.unwrap_or(FIRST);
        self.due = ticks.saturating_add(first);
        self.patience = first.saturating_mul(PATIENCE);
        (self.turn, self.rest) = (first.saturating_mul(TURN), first.saturating_mul(BREAK));
    }

    /// Whether the other engine has its turn. The simplex is left where the search is at its root anyway, for some time: the structure may not fit, and then nothing was lost.
    pub fn is_due(&self, ticks: u64, is_root: bool) -> bool {
        let patience = if is_root || self.is_on() { 0 } else { self.patience };
        ticks >= self.due.saturating_add(patience)
    }

    /// Whether the search is over small domains now.
    pub fn is_on(&self) -> bool {
        self.phase == Phase::On
    }
}

impl Solver {
    /// In a search over small domains, integers get the values of this model first. It has no other effect.
    pub fn prefer(&mut self, model: Model) {
        self.finite.preferred = Some(model);
    }

    /// Changes the engine. The search is at its root.
    pub(super) fn change_engine(&mut self, pool: &TermPool) {
        if self.finite.phase != Phase::Off {
            self.leave_finite();
            self.finite.due = self.search.ticks.saturating_add(self.finite.rest);
            self.finite.rest = self.finite.rest.saturating_mul(GROWTH);
            return;
        }
        if self.theories.arith.tableau.has_reals {
            self.finite.due = u64::MAX;
            return;
        }
        self.theories.arith.resting = Some(Definitions::default());
        (self.finite.defined, self.finite.rounds) = (0, 0);
        self.define_rows(pool);
        self.finite.phase = Phase::Defined;
        // The turn begins when it is prepared.
        self.finite.due = u64::MAX;
        self.search.events.emit(Event::Finite);
    }

    /// The simplex works again.
    pub(super) fn leave_finite(&mut self) {
        if self.finite.phase == Phase::Off {
            return;
        }
        self.finite.phase = Phase::Off;
        self.theories.arith.resting = None;
        for var in self.finite.borrowed.drain(..) {
            // A lemma may have made it live meanwhile.
            self.search.live[var.index()] = self.live.contains(self.formulas.terms[var.index()]);
        }
        self.finite.domains.clear();
        self.finite.places.clear();
        self.finite.equal.clear();
        self.finite.reference = Reference::default();
        self.finite.cliques = Cliques::default();
    }

    /// Takes the next step of the preparation. The search is at its root, and everything is propagated. Whether there was such a step.
    pub(super) fn prepare_finite(&mut self, pool: &mut TermPool) -> bool {
        match self.finite.phase {
            Phase::Off | Phase::On => return false,
            Phase::Defined => {
                if self.find_domains(pool) {
                    self.finite.phase = Phase::Bounded;
                } else if self.find_reference(pool) {
                    // The domains are looked for again, with all definitions.
                    self.finite.domains.clear();
                    self.finite.defined = 0;
                    self.theories.arith.resting = Some(Definitions::default());
                } else {
                    self.leave_finite();
                    self.finite.due = u64::MAX;
                    return true;
                }
            }
            Phase::Bounded => {
                self.finite.rounds += 1;
                if !self.find_differences(pool) || self.finite.rounds == MAX_ROUNDS {
                    self.finite.phase = Phase::Different;
                }
            }
            Phase::Different => {
                self.separate_values(pool);
                self.find_cliques(pool);
                self.finite.phase = Phase::On;
                self.finite.due = self.search.ticks.saturating_add(self.finite.turn);
                self.finite.turn = self.finite.turn.saturating_mul(GROWTH);
            }
        }
        self.define_rows(pool);
        if let Some(definitions) = &mut self.theories.arith.resting {
            definitions.look_again();
        }
        true
    }

    /// Gives the definitions of new rows to the propagation, if the simplex rests.
    pub(super) fn define_rows(&mut self, pool: &TermPool) {
        let Some(mut definitions) = self.theories.arith.resting.take() else {
            return;
        };
        for at in self.finite.defined..self.columns.terms.len() {
            let Some(form) = self.form_of(pool, Column(at as u32)) else {
                continue;
            };
            self.search.ticks += form.len() as u64;
            if let Some(mut shifted) = self.finite.reference.shift(&form[1..])
                && shifted.len() > 1
            {
                shifted.push(form[0].clone());
                definitions.add(shifted);
            }
            definitions.add(form);
        }
        self.finite.defined = self.columns.terms.len();
        self.theories.arith.resting = Some(definitions);
    }

    /// Makes the search decide a variable in turns of this engine.
    fn borrow(&mut self, var: Var) {
        if !self.search.live[var.index()] {
            self.search.set_live(var);
            self.finite.borrowed.push(var);
        }
    }
}
