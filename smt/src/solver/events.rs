//! One stream of events of the search and the theories, for observers.
//!
//! The search emits each event at one place and knows no observer. Observers are the [statistics](Statistics), which count, and the
//! [recorder](super::record::Recorder) of proofs, which the proof checker and the interpolator read. A guest can be [added](Solver::with_observer). (The pattern is that of the
//! tracers of CaDiCaL: Biere et al., *CaDiCaL 2.0*, CAV 2024.)
//!
//! **Clauses** have numbers in the order of their events. An [`Event::Axiom`] needs no other clause; it comes with its certificate. An [`Event::Resolvent`] follows
//! from clauses of smaller numbers. Theory lemmas become axioms when a derivation first needs them, so that lemmas that no clause rests on cost nothing.
//!
//! **Cost.** Emitting is inlined: an event without clauses is the increment of a counter, and clauses have neither numbers nor
//! derivations where no observer [traces](Events::is_traced) them.

#[cfg(doc)]
use super::Solver;
use super::config::Statistics;
use super::record::Recorder;
use super::sat::clauses::NO_PROOF;
use crate::proof::{ClauseId, Lit, Step, Var};
use crate::term::TermId;

/// A step of a solver.
pub enum Event<'e> {
    /// A check begins.
    Check,
    /// A variable was made: the next one. It stands for a formula, or is an activation variable.
    Variable {
        /// The formula; *true* for an activation variable.
        term: TermId,
        /// Whether it is an activation variable.
        is_guard: bool,
    },
    /// A scope was opened, which this activation literal guards.
    ScopeOpened {
        /// It is assumed while the scope is open.
        guard: Lit,
    },
    /// The scope with this activation literal was closed.
    ScopeClosed {
        /// It is never assumed again.
        guard: Lit,
    },
    /// A clause of the input, of a definition, or a theory lemma with its certificate. It has the next number.
    Axiom {
        /// The clause.
        literals: &'e [Lit],
        /// Why it holds.
        step: &'e Step,
    },
    /// A clause by resolution: of the first antecedent with the second one on the first pivot, and so on. It has the next number.
    Resolvent {
        /// The clause. It may lack activation literals of the antecedents.
        literals: &'e [Lit],
        /// The numbers of at least two clauses.
        antecedents: &'e [ClauseId],
        /// The variables resolved upon, one less.
        pivots: &'e [Var],
    },
    /// The search forgets a clause. Its number may still be that of another clause, or of the unit clause of a literal of level zero.
    Deleted {
        /// The clause.
        clause: ClauseId,
    },
    /// The clauses are contradictory: this clause is empty but for activation literals.
    Refuted {
        /// The clause.
        clause: ClauseId,
    },
    /// A literal was decided or assumed.
    Decision,
    /// A literal got a value.
    Assignment,
    /// A theory implied a literal.
    TheoryPropagation,
    /// A conflict of clauses or of a theory is analysed.
    Conflict,
    /// A theory found a conflict.
    TheoryConflict,
    /// The search begins again.
    Restart,
    /// Learned clauses were deleted by their quality.
    Reduction,
    /// Inprocessing made a learned clause shorter.
    Strengthened,
    /// Inprocessing deleted a clause that another one subsumes.
    Subsumed,
    /// The tableau has pivoted so often since it was made.
    Pivots {
        /// The number of times.
        total: u64,
    },
    /// A complete assignment is checked.
    FinalCheck,
    /// The search branches over the integers.
    Branch,
    /// The search turns to small domains.
    Finite,
    /// More integers than values were found, or as many.
    Pigeonhole,
    /// A definition, or an instance of an axiom of functions or updates, was added as a lemma.
    Instance,
}

/// Observes a solver, without any way to change what it does.
pub trait Observer {
    /// Takes note of an event.
    fn observe(&mut self, event: &Event<'_>);
}

/// The observers of a solver.
pub(super) struct Events {
    pub statistics: Statistics,
    pub recorder: Option<Recorder>,
    /// The number of clauses that were traced.
    clauses: u32,
    guest: Option<Box<dyn Observer + Send>>,
}

impl Events {
    /// Observers that count, record proofs if `proofs` is set, and the guest.
    pub fn new(proofs: bool, guest: Option<Box<dyn Observer + Send>>) -> Events {
        Events {
            statistics: Statistics::default(),
            recorder: proofs.then(Recorder::new),
            clauses: 0,
            guest,
        }
    }

    /// Whether an observer needs clauses and their derivations. A solver begins with its observers and keeps them.
    #[inline(always)]
    pub fn is_traced(&self) -> bool {
        self.recorder.is_some() || self.guest.is_some()
    }

    /// Passes an event on to the observers.
    #[inline(always)]
    pub fn emit(&mut self, event: Event<'_>) {
        self.statistics.observe(&event);
        if let Some(recorder) = &mut self.recorder {
            recorder.observe(&event);
        }
        if let Some(guest) = &mut self.guest {
            guest.observe(&event);
        }
    }

    /// Emits an axiom; returns its number, if clauses are traced.
    pub fn axiom(&mut self, literals: &[Lit], step: &Step) -> ClauseId {
        if !self.is_traced() {
            return NO_PROOF;
        }
        self.emit(Event::Axiom { literals, step });
        self.number()
    }

    /// Emits a resolvent; returns its number. Clauses are traced.
    pub fn resolvent(&mut self, literals: &[Lit], antecedents: &[ClauseId], pivots: &[Var]) -> ClauseId {
        assert!(self.is_traced(), "derivations are made only if clauses are traced");
        self.emit(Event::Resolvent {
            literals,
            antecedents,
            pivots,
        });
        self.number()
    }

    fn number(&mut self) -> ClauseId {
        let number = ClauseId(self.clauses);
        self.clauses += 1;
        number
    }
}

impl Observer for Statistics {
    #[inline(always)]
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Check => self.checks += 1,
            Event::Decision => self.decisions += 1,
            Event::Assignment => self.propagations += 1,
            Event::TheoryPropagation => self.theory_propagations += 1,
            Event::Conflict => self.conflicts += 1,
            Event::TheoryConflict => self.theory_conflicts += 1,
            Event::Restart => self.restarts += 1,
            Event::Reduction => self.reductions += 1,
            Event::Strengthened => self.strengthened += 1,
            Event::Subsumed => self.subsumed += 1,
            Event::Pivots { total } => self.pivots = *total,
            Event::FinalCheck => self.final_checks += 1,
            Event::Branch => self.branches += 1,
            Event::Finite => self.finite_turns += 1,
            Event::Pigeonhole => self.pigeonholes += 1,
            Event::Instance => self.lemmas += 1,
            Event::Variable { .. }
            | Event::ScopeOpened { .. }
            | Event::ScopeClosed { .. }
            | Event::Axiom { .. }
            | Event::Resolvent { .. }
            | Event::Deleted { .. }
            | Event::Refuted { .. } => {}
        }
    }
}
