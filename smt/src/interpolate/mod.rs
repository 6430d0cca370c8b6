//! Craig interpolants of a sequence of formulas, all from one proof.
//!
//! For parts `P_0 .. P_n` whose conjunction is unsatisfiable, a *sequence of interpolants* `I_0 .. I_{n-1}` satisfies
//! `P_0 => I_0`, `I_k & P_{k+1} => I_{k+1}`, `I_{n-1} & P_n => false`, and each `I_k` has only symbols that occur both in
//! `P_0 .. P_k` and in `P_{k+1} .. P_n` (Henzinger, Jhala, Majumdar, McMillan, *Abstractions from proofs*, 2004). The parts are
//! the blocks of an error path, and the atoms of the interpolants are the predicates that refute it.
//!
//! # How
//!
//! The proof is one for all cuts. For the cut after part `k` every leaf clause belongs to A (its part is at most `k`) or to B,
//! and the interpolant is computed from the leaves to the empty clause by one of the labelled systems ([`Labelling`]). Because the
//! proof is the same for all cuts, and labels only change from B to shared to A as `k` grows, the interpolants of
//! neighbouring cuts fit together (Gurfinkel, Rollini, Sharygina, *Interpolation properties and SAT-based model checking*, 2013).
//!
//! *No literal of the proof is mixed*: the solver makes an atom or a lemma only if some part can have all of its symbols
//! ([`span`]). Then every lemma but a Farkas step is simply one more clause of such a part, since a tautology may be
//! conjoined to any part that has its vocabulary. A Farkas step contributes the weighted sum of its A-side inequalities: the
//! terms local to A cancel, as they do not occur in the rest of a sum that is constant.
//!
//! # Small and general interpolants
//!
//! Each conjunct of a part is an input of its own. What the first proof does not use is left out, and the rest is proved again,
//! until nothing more drops out: fewer conjuncts, fewer atoms. Then [`simplify`] recombines bounds and absorbs.
//!
//! # Rejected
//!
//! Interpolating each cut by its own query (no path property, n proofs). Mixed literals by purification in the proof (Christ, Hoenicke,
//! Nutz, *Proof tree preserving interpolation*, 2013): complete, but the search would need to know of it only in rare cases.

use crate::hash::FxHashSet;
use crate::model::Model;
use crate::proof::{Part, Proof, Step};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

mod simplify;
mod span;
mod verify;
mod walk;

pub use simplify::simplify;
pub use verify::check_sequence;

use span::Spans;
use verify::Defect;

/// The labelled interpolation system (D'Silva, Kroening, Purandare, Weissenbacher, *Interpolant strength*, 2010): which side
/// the literals that both sides could have count for. All of them give sequences; they differ in logical strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Labelling {
    /// McMillan's system: shared literals count for B. The strongest interpolants; shared inequalities stay separate
    /// conjuncts, which makes them good predicates.
    #[default]
    McMillan,
    /// Pudlák's symmetric system: shared literals count for both.
    Pudlak,
    /// The dual of McMillan's system: shared literals count for A. The weakest interpolants; shared inequalities of one conflict
    /// are summed up.
    DualMcMillan,
}

/// Options of [`sequence`].
#[derive(Clone, Debug)]
pub struct InterpolationConfig {
    /// How many ticks the query may spend in all; no limit if `None`.
    pub ticks: Option<u64>,
    /// When this becomes true the query ends with `Unknown(Interrupted)`.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Whether the result is verified by a fresh solver. A wrong interpolant is a defect of this crate, and panics.
    pub check: bool,
    /// The labelled system.
    pub labelling: Labelling,
    /// Whether to prove again without the conjuncts that the first proof does not need.
    pub minimise: bool,
}

impl Default for InterpolationConfig {
    fn default() -> Self {
        InterpolationConfig {
            ticks: None,
            interrupt: None,
            check: cfg!(debug_assertions),
            labelling: Labelling::default(),
            minimise: true,
        }
    }
}

/// The answer of [`sequence`].
#[derive(Clone, Debug)]
pub enum SequenceResult {
    /// The conjunction of the parts has this model.
    Sat(Model),
    /// The interpolants between the parts, one fewer than parts.
    Unsat(Vec<TermId>),
    /// No answer within the limits, or none that can be interpolated.
    Unknown(UnknownReason),
}

/// How often a smaller set of conjuncts is proved again.
const MAX_ROUNDS: usize = 4;

/// A conjunct of a part.
type Conjunct = (Part, TermId);

/// Interpolates the sequence of `parts` (Bool terms), or finds a model of their conjunction.
pub fn sequence(pool: &mut TermPool, parts: &[TermId], config: &InterpolationConfig) -> SequenceResult {
    let mut query = Query { config, spent: 0 };
    let result = query.run(pool, parts);
    if let (true, SequenceResult::Unsat(interpolants)) = (config.check, &result) {
        match verify::verify(pool, parts, interpolants, config.ticks, config.interrupt.as_ref()) {
            Ok(()) | Err(Defect::Undecided { .. }) => {}
            Err(defect) => panic!("wrong interpolant: {defect}"),
        }
    }
    result
}

/// One call of [`sequence`].
struct Query<'a> {
    config: &'a InterpolationConfig,
    spent: u64,
}

/// How one attempt to refute a set of conjuncts ended.
enum Attempt {
    Sat(Model),
    Unsat(Box<Proof>),
    Unknown(UnknownReason),
}

impl Query<'_> {
    fn run(&mut self, pool: &mut TermPool, parts: &[TermId]) -> SequenceResult {
        let mut conjuncts = split(pool, parts);
        if let Some(&(part, _)) = conjuncts
            .iter()
            .find(|(_, formula)| *pool.term(*formula) == Term::False)
        {
            let value = |cut: u32| pool.mk_bool(cut < part.0);
            let cuts = u32::try_from(parts.len() - 1).expect("parts are numbered with 32 bits");
            return SequenceResult::Unsat((0..cuts).map(value).collect());
        }
        let mut proof = match self.refute(pool, &conjuncts) {
            Attempt::Sat(model) => return SequenceResult::Sat(model),
            Attempt::Unknown(reason) => return SequenceResult::Unknown(reason),
            Attempt::Unsat(proof) => proof,
        };
        let mut interpolants = self.interpolate(pool, &conjuncts, &proof, parts.len());
        for _ in 0..MAX_ROUNDS {
            let core = used(&conjuncts, &proof);
            if !self.config.minimise || core.len() == conjuncts.len() {
                break;
            }
            conjuncts = core;
            // A smaller set of conjuncts has narrower spans, and may fail where the larger one succeeded.
            let Attempt::Unsat(smaller) = self.refute(pool, &conjuncts) else {
                break;
            };
            let Ok(better) = self.interpolate(pool, &conjuncts, &smaller, parts.len()) else {
                break;
            };
            proof = smaller;
            interpolants = Ok(better);
        }
        match interpolants {
            Ok(interpolants) if interpolants.iter().any(|&i| mentions_update(pool, i)) => {
                SequenceResult::Unknown(UnknownReason::Incomplete("an update that several parts share"))
            }
            Ok(interpolants) => SequenceResult::Unsat(interpolants),
            Err(walk::Mixed) => SequenceResult::Unknown(UnknownReason::Incomplete("mixed literals in the proof")),
        }
    }

    fn refute(&mut self, pool: &mut TermPool, conjuncts: &[Conjunct]) -> Attempt {
        let mut solver = Solver::new(Config {
            proofs: true,
            interpolation: true,
            ..Config::default()
        });
        if let Some(limit) = self.config.ticks {
            solver.set_tick_limit(Some(limit.saturating_sub(self.spent)));
        }
        if let Some(flag) = &self.config.interrupt {
            solver.set_interrupt(Arc::clone(flag));
        }
        for &(part, formula) in conjuncts {
            solver.assert(pool, formula, part);
        }
        let answer = solver.check(pool, &[]);
        self.spent += solver.ticks();
        match answer {
            Answer::Sat => Attempt::Sat(solver.model(pool)),
            Answer::Unknown(reason) => Attempt::Unknown(reason),
            Answer::Unsat => {
                let proof = solver
                    .proof()
                    .expect("the solver was configured to record a proof")
                    .trimmed();
                if self.config.check {
                    let verdict = crate::proof::check(pool, &proof, conjuncts);
                    assert!(verdict.is_ok(), "wrong proof: {}", verdict.expect_err("just seen"));
                }
                Attempt::Unsat(Box::new(proof))
            }
        }
    }

    fn interpolate(
        &self,
        pool: &mut TermPool,
        conjuncts: &[Conjunct],
        proof: &Proof,
        parts: usize,
    ) -> Result<Vec<TermId>, walk::Mixed> {
        let spans = Spans::new(pool, conjuncts);
        let raw = walk::interpolants(pool, proof, &spans, parts, self.config.labelling)?;
        Ok(raw
            .into_iter()
            .enumerate()
            .map(|(cut, raw)| {
                let interpolant = simplify(pool, raw);
                let cut = u32::try_from(cut).expect("parts are numbered with 32 bits");
                assert!(
                    spans.vocabulary_is_shared(pool, interpolant, cut),
                    "an interpolant has a symbol of one side"
                );
                interpolant
            })
            .collect())
    }
}

/// The conjuncts of the parts, in order, without repetitions in one part.
fn split(pool: &TermPool, parts: &[TermId]) -> Vec<Conjunct> {
    let mut conjuncts = Vec::new();
    for (number, &formula) in (0u32..).zip(parts) {
        match pool.term(formula) {
            Term::True => {}
            // Conjunctions are flat, because the builders flatten them.
            Term::And(arguments) => conjuncts.extend(arguments.iter().map(|&argument| (Part(number), argument))),
            _ => conjuncts.push((Part(number), formula)),
        }
    }
    conjuncts
}

/// The conjuncts that are inputs of the proof, in their old order.
fn used(conjuncts: &[Conjunct], proof: &Proof) -> Vec<Conjunct> {
    let input = |step: &Step| match step {
        Step::Input { part, formula } => Some((*part, *formula)),
        _ => None,
    };
    let inputs: FxHashSet<Conjunct> = proof.steps.iter().filter_map(input).collect();
    conjuncts
        .iter()
        .copied()
        .filter(|conjunct| inputs.contains(conjunct))
        .collect()
}

/// Whether the formula has an update atom. Such an atom may not be negated, so it is of no use in an interpolant.
fn mentions_update(pool: &TermPool, formula: TermId) -> bool {
    pool.atoms(formula)
        .iter()
        .any(|&atom| matches!(pool.term(atom), Term::Update { .. }))
}
