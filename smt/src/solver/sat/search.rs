//! The propositional state: assignment, clauses, watches, order. One technique per file works on it.
//!
//! The trail holds the assigned literals in order; each has a level and a [`Reason`]. Reasons of theories are kept
//! here too, in an arena that shrinks with the trail, so that conflict analysis needs no theory but for one thing: most of what congruence closure implies is in no
//! conflict, and its explanations are long, so they are [made](Search::explain_reason) when they are asked for. If clauses are traced, they are made at once.

use super::clauses::{ClauseArena, ClauseRef, NO_PROOF, Watch};
use super::order::Order;
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::{ClauseId, Lit, Part, Var};
use crate::solver::events::{Event, Events};
use crate::solver::theory::{Follower, Theory, Ticket};
use crate::term::TermId;

/// Why a literal is assigned, or why there is a conflict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solver) enum Reason {
    /// A decision, or a unit clause at level zero.
    None,
    /// A clause all of whose other literals are false.
    Clause(ClauseRef),
    /// This literal is a stronger bound on the same linear term.
    Bound(Lit),
    /// A lemma in [`Search::lemmas`].
    Lemma(u32),
}

/// Why a theory lemma holds.
pub(super) enum Because {
    /// The negated literals, multiplied by these coefficients (one for each literal; none if clauses are not traced), sum up to a contradiction.
    Farkas(Vec<Int>),
    /// Congruence.
    Euf,
    /// Dirichlet's principle, in a part in which all terms may occur.
    Pigeonhole(Part),
    /// The literal is implied; a theory has promised to say why, if conflict analysis asks.
    Unexplained(Lit, Ticket),
}

/// A theory lemma.
pub(in crate::solver) struct TheoryLemma {
    pub literals: Vec<Lit>,
    pub(super) because: Because,
    /// The number of the clause, if it was traced already.
    pub(super) proof: ClauseId,
}

/// The truth value of a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(in crate::solver) enum Value {
    False,
    True,
    Open,
}

pub(in crate::solver) struct Search {
    pub values: Vec<Value>,
    pub levels: Vec<u32>,
    pub reasons: Vec<Reason>,
    pub positions: Vec<u32>,
    pub trail: Vec<Lit>,
    /// For each level above zero, where it starts on the trail and in the arena of lemmas.
    pub level_starts: Vec<(usize, usize)>,
    /// The first literal on the trail whose watches were not visited.
    pub head: usize,
    /// The shortest the trail has been since each [follower](Follower) last looked.
    pub kept: [usize; Follower::COUNT],
    pub lemmas: Vec<TheoryLemma>,
    /// Of atoms whose linear form is a multiple of their column's, the factor; real atoms only.
    pub scales: FxHashMap<Var, Int>,
    pub clauses: ClauseArena,
    pub watches: Vec<Vec<Watch>>,
    pub order: Order,
    pub phases: Vec<bool>,
    /// Variables that the search has to decide. The others get values only by propagation.
    pub live: Vec<bool>,
    /// With traced clauses, the unit clause of each variable that is assigned at level zero.
    pub units: Vec<ClauseId>,
    /// Whether the clauses are contradictory without any assumption.
    pub contradiction: bool,
    pub ticks: u64,
    pub events: Events,
    // Scratch of conflict analysis.
    pub seen: Vec<bool>,
    pub to_clear: Vec<Var>,
    pub learned: Vec<Lit>,
    pub stamps: Vec<u64>,
    pub stamp: u64,
    pub level_stamps: Vec<u64>,
}

impl Search {
    pub fn new(events: Events) -> Self {
        Search {
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            positions: Vec::new(),
            trail: Vec::new(),
            level_starts: Vec::new(),
            head: 0,
            kept: [0; Follower::COUNT],
            lemmas: Vec::new(),
            scales: FxHashMap::default(),
            clauses: ClauseArena::default(),
            watches: Vec::new(),
            order: Order::new(),
            phases: Vec::new(),
            live: Vec::new(),
            units: Vec::new(),
            contradiction: false,
            ticks: 0,
            events,
            seen: Vec::new(),
            to_clear: Vec::new(),
            learned: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            level_stamps: Vec::new(),
        }
    }

    /// Makes a variable that stands for `term`; or is an activation variable.
    pub fn new_var(&mut self, term: TermId, is_guard: bool, phase: bool, activity: u64) -> Var {
        let var = Var(u32::try_from(self.levels.len()).expect("fewer than 2^31 variables"));
        self.values.extend([Value::Open; 2]);
        self.levels.push(0);
        self.reasons.push(Reason::None);
        self.positions.push(0);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.order.add_var(activity);
        self.phases.push(phase);
        self.live.push(false);
        self.seen.push(false);
        self.stamps.push(0);
        if self.events.is_traced() {
            self.units.push(NO_PROOF);
        }
        self.events.emit(Event::Variable { term, is_guard });
        var
    }

    #[inline]
    pub fn value(&self, lit: Lit) -> Value {
        self.values[lit.index()]
    }

    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) == Value::True
    }

    #[inline]
    pub fn is_false(&self, lit: Lit) -> bool {
        self.value(lit) == Value::False
    }

    #[inline]
    pub fn level(&self) -> u32 {
        self.level_starts.len() as u32
    }

    #[inline]
    pub fn level_of(&self, lit: Lit) -> u32 {
        self.levels[lit.var().index()]
    }

    /// Makes the search decide this variable.
    pub fn set_live(&mut self, var: Var) {
        self.live[var.index()] = true;
        if self.value(var.positive()) == Value::Open {
            self.order.insert(var);
        }
    }

    /// Opens a decision level.
    pub fn new_level(&mut self) {
        self.level_starts.push((self.trail.len(), self.lemmas.len()));
    }

    /// Assigns an open literal. At level zero its unit clause is derived at once.
    pub fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.value(lit) == Value::Open);
        let var = lit.var();
        self.values[lit.index()] = Value::True;
        self.values[(!lit).index()] = Value::False;
        self.levels[var.index()] = self.level();
        self.reasons[var.index()] = reason;
        self.positions[var.index()] = self.trail.len() as u32;
        self.trail.push(lit);
        self.events.emit(Event::Assignment);
        if self.level_starts.is_empty() && self.events.is_traced() && reason != Reason::None {
            self.derive_unit(lit, reason);
        }
    }

    /// Takes back all levels above `level`.
    pub fn backtrack(&mut self, level: u32) {
        if level >= self.level() {
            return;
        }
        let (start, lemmas) = self.level_starts[level as usize];
        for i in (start..self.trail.len()).rev() {
            let lit = self.trail[i];
            let var = lit.var();
            self.values[lit.index()] = Value::Open;
            self.values[(!lit).index()] = Value::Open;
            self.phases[var.index()] = !lit.is_negative();
            if self.live[var.index()] {
                self.order.insert(var);
            }
        }
        self.trail.truncate(start);
        self.lemmas.truncate(lemmas);
        self.level_starts.truncate(level as usize);
        self.head = self.head.min(start);
        for kept in &mut self.kept {
            *kept = start.min(*kept);
        }
    }

    /// Takes back levels for the analysis of a conflict, which stays, under the returned name.
    pub fn backtrack_with(&mut self, level: u32, conflict: Reason) -> Reason {
        let kept = match conflict {
            Reason::Lemma(i) if level < self.level() => {
                assert_eq!(i as usize + 1, self.lemmas.len(), "a conflict is the last lemma");
                self.lemmas.pop()
            }
            _ => None,
        };
        self.backtrack(level);
        match kept {
            Some(lemma) => {
                self.lemmas.push(lemma);
                Reason::Lemma(self.lemmas.len() as u32 - 1)
            }
            None => conflict,
        }
    }

    /// The number of literals of a reason's clause.
    #[inline]
    pub fn reason_len(&self, reason: Reason) -> usize {
        match reason {
            Reason::None => 0,
            Reason::Clause(clause) => self.clauses.len(clause),
            Reason::Bound(_) => 1,
            Reason::Lemma(i) => self.lemmas[i as usize].literals.len(),
        }
    }

    /// A literal of a reason's clause. The implied literal may be among them.
    #[inline]
    pub fn reason_literal(&self, reason: Reason, i: usize) -> Lit {
        match reason {
            Reason::None => unreachable!("a decision has no literals"),
            Reason::Clause(clause) => self.clauses.literal(clause, i),
            Reason::Bound(by) => !by,
            Reason::Lemma(f) => self.lemmas[f as usize].literals[i],
        }
    }

    /// Keeps a lemma of arithmetic until its level is taken back.
    pub fn add_farkas(&mut self, literals: Vec<Lit>, coeffs: Vec<Int>) -> Reason {
        self.keep_lemma(literals, Because::Farkas(coeffs))
    }

    /// Keeps a lemma of the congruence closure until its level is taken back.
    pub fn add_equality_lemma(&mut self, literals: Vec<Lit>) -> Reason {
        self.keep_lemma(literals, Because::Euf)
    }

    /// Keeps a lemma by Dirichlet's principle until its level is taken back.
    pub fn add_pigeonhole(&mut self, literals: Vec<Lit>, part: Part) -> Reason {
        self.keep_lemma(literals, Because::Pigeonhole(part))
    }

    /// Keeps a promise of a theory to explain why a literal is implied. Clauses are not traced.
    pub fn add_unexplained(&mut self, implied: Lit, ticket: Ticket) -> Reason {
        assert!(
            !self.events.is_traced(),
            "if clauses are traced, explanations are made at once"
        );
        self.keep_lemma(Vec::new(), Because::Unexplained(implied, ticket))
    }

    /// Makes the literals of a reason known. To be called before they are asked for.
    #[inline]
    pub fn explain_reason(&mut self, reason: Reason, theory: &mut impl Theory) {
        if let Reason::Lemma(i) = reason
            && let Because::Unexplained(implied, ticket) = self.lemmas[i as usize].because
        {
            let mut literals = theory.explain(&mut self.ticks, ticket);
            literals.push(implied);
            let lemma = &mut self.lemmas[i as usize];
            (lemma.literals, lemma.because) = (literals, Because::Euf);
        }
    }

    /// Makes the literals of all reasons known.
    pub fn explain_reasons(&mut self, theory: &mut impl Theory) {
        for i in 0..self.lemmas.len() {
            self.explain_reason(Reason::Lemma(i as u32), theory);
        }
    }

    fn keep_lemma(&mut self, literals: Vec<Lit>, because: Because) -> Reason {
        self.lemmas.push(TheoryLemma {
            literals,
            because,
            proof: NO_PROOF,
        });
        Reason::Lemma(self.lemmas.len() as u32 - 1)
    }

    pub fn watch(&mut self, clause: ClauseRef) {
        let (a, b) = (self.clauses.literal(clause, 0), self.clauses.literal(clause, 1));
        let is_binary = self.clauses.len(clause) == 2;
        self.watches[a.index()].push(Watch::new(clause, b, is_binary));
        self.watches[b.index()].push(Watch::new(clause, a, is_binary));
    }

    /// Adds a clause to whatever the trail is now.
    ///
    /// Takes back as many levels as needed so that afterwards the clause is true, or has two open literals, or
    /// has just implied its only open one. Sets `contradiction` if it is false at level zero.
    pub fn add_clause(&mut self, literals: &[Lit], proof: ClauseId) {
        if self.contradiction {
            return;
        }
        let mut lits: Vec<Lit> = literals.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        // True and open literals first, then the false ones from the last level to the first.
        lits.sort_by_key(|&l| match self.value(l) {
            Value::True => 0,
            Value::Open => 1,
            Value::False => 2 + u64::from(u32::MAX - self.level_of(l)),
        });
        if let [only] = lits[..] {
            self.add_unit(only, proof);
            return;
        }
        if lits.is_empty() {
            self.set_contradiction(proof);
            return;
        }
        let clause = self.clauses.add(&lits, false, 0, proof);
        self.watch(clause);
        let (first, second) = (lits[0], lits[1]);
        if !self.is_false(second) {
            return;
        }
        let level = self.level_of(second);
        if self.is_true(first) && self.level_of(first) <= level {
            return;
        }
        if self.is_false(first) && self.level_of(first) == level {
            if level == 0 {
                self.refute(Reason::Clause(clause));
                return;
            }
            // Both watched literals are false on the same level: without that level they are open.
            self.backtrack(level - 1);
            return;
        }
        self.backtrack(level);
        if self.value(first) == Value::Open {
            self.assign(first, Reason::Clause(clause));
        }
    }

    fn add_unit(&mut self, lit: Lit, proof: ClauseId) {
        if self.is_true(lit) && self.level_of(lit) == 0 {
            return;
        }
        if self.is_false(lit) && self.level_of(lit) == 0 {
            let mut derivation = self.derivation();
            derivation.resolve(proof, lit.var());
            self.resolve_unit(&mut derivation, lit.var());
            let clause = self.conclude(&derivation, &[]);
            self.set_contradiction(clause);
            return;
        }
        self.backtrack(0);
        self.assign(lit, Reason::None);
        self.set_unit(lit, proof);
    }
}
