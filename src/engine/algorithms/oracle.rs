//! The questions that all algorithms ask of the solver, on the account of the run.
//!
//! State formulas are over symbols without version, as predicates are.

use super::Work;
use crate::cfa::Program;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::BlockId;
use crate::encode::SsaMap;
use crate::engine::{Reason, ReasonCode};
use crate::query::effort::describe;
use crate::refine::interpolation::{Chains, Feasibility, Inquiry};
use provident_smt::hash::FxHashMap;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::TermId;

/// The answer to a question about a sequence of formulas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sequence {
    /// It has a model.
    Feasible,
    /// It has none. Between two formulas there is an interpolant each, over symbols without version: the first follows from the first formula, each further one from the one before and the formula
    /// between, and the last contradicts the last formula.
    Refuted(Vec<TermId>),
    /// Neither is known, or there are no interpolants.
    Unknown(Reason),
}

/// Who answers.
pub(super) struct Oracle<'a, 'p> {
    pub program: &'p Program,
    /// The predicate analysis, for its blocks and terms.
    pub domain: &'a mut Predicates<'p>,
    /// How sequences are asked about.
    pub inquiry: Inquiry<'a>,
    /// The counters so far.
    pub work: Work,
    entailed: FxHashMap<(TermId, TermId), bool>,
}

impl<'a, 'p> Oracle<'a, 'p> {
    pub fn new(program: &'p Program, domain: &'a mut Predicates<'p>, inquiry: Inquiry<'a>) -> Self {
        Oracle {
            program,
            domain,
            inquiry,
            work: Work::default(),
            entailed: FxHashMap::default(),
        }
    }

    /// Whether no effort is left.
    pub fn is_exhausted(&self) -> bool {
        self.domain.effort.is_exhausted()
    }

    /// Whether formulas have no model together. False where the solver does not know.
    pub fn refutes(&mut self, formulas: &[TermId]) -> bool {
        let Predicates { pool, effort, .. } = &mut *self.domain;
        let mut solver = effort.solver();
        for &formula in formulas {
            solver.assert(pool, formula, Part(0));
        }
        let answer = solver.check(pool, &[]);
        effort.charge(&solver);
        answer == Answer::Unsat
    }

    /// Whether a state formula implies another one. False where the solver does not know.
    pub fn entails(&mut self, strong: TermId, weak: TermId) -> bool {
        let pool = &mut self.domain.pool;
        if strong == weak || strong == pool.mk_false() || weak == pool.mk_true() {
            return true;
        }
        let conjuncts = pool.conjuncts(strong);
        if pool.conjuncts(weak).iter().all(|conjunct| conjuncts.contains(conjunct)) {
            return true;
        }
        if let Some(&known) = self.entailed.get(&(strong, weak)) {
            return known;
        }
        self.work.entailments += 1;
        let not_weak = pool.not(weak);
        let (strong_here, not_weak) = (self.at_start(strong), self.at_start(not_weak));
        let answer = self.refutes(&[strong_here, not_weak]);
        if !self.is_exhausted() {
            self.entailed.insert((strong, weak), answer);
        }
        answer
    }

    /// A state formula at the beginning of a block.
    pub fn at_start(&mut self, formula: TermId) -> TermId {
        let Predicates { encoder, pool, .. } = &mut *self.domain;
        encoder.instantiate(pool, formula, &SsaMap::default())
    }

    /// The formula of a block at the beginning of a path, with what is known of its types and operators.
    pub fn block(&mut self, block: BlockId) -> TermId {
        let Predicates {
            blocks, encoder, pool, ..
        } = &mut *self.domain;
        blocks.chain(encoder, pool, &[block])[0]
    }

    /// Whether no execution of a block begins in the states of a formula.
    pub fn excludes(&mut self, before: TermId, block: BlockId) -> bool {
        let (before, block) = (self.at_start(before), self.block(block));
        self.refutes(&[before, block])
    }

    /// Whether a chain of blocks has an execution that begins in the states of a formula and, if there is one, ends in those of another.
    pub fn chain(&mut self, before: TermId, chain: &[BlockId], behind: Option<TermId>) -> Sequence {
        let before = self.at_start(before);
        let Predicates {
            blocks, encoder, pool, ..
        } = &mut *self.domain;
        let (mut parts, ends) = blocks.chain_with_ends(encoder, pool, chain);
        parts[0] = pool.and2(before, parts[0]);
        if let (Some(behind), Some(end)) = (behind, ends.last()) {
            parts.push(end.instantiate(pool, behind));
        }
        self.sequence(&parts)
    }

    /// Whether a sequence of at least one formula has a model.
    pub fn sequence(&mut self, parts: &[TermId]) -> Sequence {
        let (&last, prefix) = parts.split_last().expect("a question is about something");
        self.work.sequences += 1;
        let Predicates { pool, effort, .. } = &mut *self.domain;
        let analysed = Chains::new(pool, prefix, effort, self.inquiry).analyse(pool, &[last], effort);
        self.domain.learn(&analysed.points);
        let unknown = |text: &str| Sequence::Unknown(ReasonCode::SolverIncomplete.because(text));
        let answer = match &analysed.feasibility {
            Feasibility::Feasible => return Sequence::Feasible,
            Feasibility::Infeasible(increment) if increment.segment.is_some() => {
                return Sequence::Refuted(self.domain.pool.import(&increment.interpolants));
            }
            Feasibility::Infeasible(_) => unknown("interpolants that do not follow from each other"),
            Feasibility::Unknown(reason) => unknown(reason),
        };
        // A chain that its last formula refutes alone is told apart by the refinement of predicates, which has nothing to refine then.
        let lemmas = self.domain.blocks.exact(&mut self.domain.pool, last);
        if self.is_exhausted() || !self.refutes(&[last, lemmas]) {
            return answer;
        }
        Sequence::Refuted(vec![self.domain.pool.mk_true(); prefix.len()])
    }

    /// The reason of an answer that the solver does not have.
    pub fn undecided(reason: provident_smt::solver::UnknownReason) -> Reason {
        ReasonCode::SolverIncomplete.because(describe(reason))
    }
}
