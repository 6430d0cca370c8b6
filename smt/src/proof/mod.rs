//! Clausal proofs of unsatisfiability: the data, and what of a proof is needed.
//!
//! A proof is a list of clauses, each with the step that justifies it. The leaves are clauses of the input's normal form,
//! of definitions, theory tautologies and Farkas certificates; the inner nodes are resolution chains that the search wrote
//! down when it learned a clause (a *trivial resolution*, Beame, Kautz, Sabharwal 2004: no clause is used twice as an
//! antecedent of one pivot). Steps come before their uses, so that every reader is one pass over an array.
//!
//! The solver only records; the checker and the interpolator only read. Neither knows anything of the search.
//!
//! Activation literals of open scopes never occur here: the recorder drops them, because an open scope's literal is true.
//!
//! | module | does |
//! |---|---|
//! | [`check`](mod@check) | the independent checker |
//! | [`alethe`] | proofs in the Alethe format |
//! | `statistics` | the size of a proof |

use crate::num::Int;
use crate::term::TermId;
use std::fmt;

pub mod alethe;
pub mod check;

mod statistics;

pub use check::{ProofError, check};
pub use statistics::ProofStatistics;

/// A propositional variable of the search; [`Proof::atoms`] says which term it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The position of this variable in arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
    /// The literal of this variable that is true if the variable is.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }
    /// The literal of this variable that is true if the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }
    /// The literal with the given truth value: positive for `true`.
    #[inline]
    pub fn literal(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

/// A literal: twice the variable, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lit(pub u32);

impl Lit {
    /// The variable of this literal.
    #[inline]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }
    /// Whether this is the negation of its variable.
    #[inline]
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    /// The position of this literal in arrays of twice the number of variables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negative() { "-" } else { "" }, self.var().0)
    }
}

/// The position of a clause (and of its step) in a [`Proof`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClauseId(pub u32);

impl ClauseId {
    /// The position of this clause in [`Proof::steps`].
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The label of an asserted formula: which part of a partition it belongs to. `Part(0)` where there is no partition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Part(pub u32);

/// The theory tautology that a lemma is an instance of.
///
/// Literals whose atom the term builders fold to a constant do not occur: a false literal is left out of the clause, and
/// a clause with a true literal is never recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LemmaKind {
    /// With the atom `Eq(s)`: one of `Eq -> s <= 0`, `Eq -> -s <= 0`, `s <= 0 & -s <= 0 -> Eq`.
    Trichotomy {
        /// The equation.
        atom: TermId,
    },
    /// For two applications of one function version: `a_i - b_i <= 0 & b_i - a_i <= 0` for all `i` implies
    /// `left - right <= 0` (the other direction is the lemma with the sides exchanged).
    Congruence {
        /// The application that is at most ...
        left: TermId,
        /// ... this one.
        right: TermId,
    },
    /// With `u = Update{new, old, lo, hi, source}` and an index `x`, one of
    /// `u & lo <= x & x < hi -> new(x) <= s(x)`, `... -> new(x) >= s(x)` where `s(x)` is the constant's term or `from(x + shift)`;
    /// `u & x < lo -> new(x) <= old(x)`, `... >= ...`; `u & x >= hi -> new(x) <= old(x)`, `... >= ...`. Where `hi` is `lo + 1`, `x = lo` and its negation may stand for the
    /// bounds of `x`; where it is `lo`, they are left out; and both inequalities of a conclusion may be one equation.
    Update {
        /// The update atom.
        atom: TermId,
        /// The index.
        at: TermId,
    },
    /// With the integer term `v = Ite(c, t, e)`, one of `c -> v - t <= 0`, `c -> t - v <= 0`, `!c -> v - e <= 0`, `!c -> e - v <= 0`.
    Ite {
        /// The conditional term.
        term: TermId,
    },
    /// With `d = Div(t, c)`, one of the units `c*d - t <= 0`, `t - c*d - (c - 1) <= 0`.
    Div {
        /// The quotient.
        term: TermId,
    },
    /// `t <= k | t >= k + 1` where the two are literals of different atoms.
    Branch,
    /// Dirichlet's principle: the negated literals bound some terms, or their differences from one more term, the greatest of the upper bounds is less than the number of the terms above the least of the lower ones,
    /// and equations of each two of the terms are false.
    Pigeonhole,
    /// The negated literals contradict each other by equality and congruence alone. They are equations `a = b` and `a = k` of leaves and
    /// constants, and bounds `a <= k` of one leaf, which say nothing more here than any predicate of `a`.
    Euf,
}

/// Why a clause holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The unit clause that `formula` holds. It is an asserted formula, or a conjunct of one (through nested conjunctions).
    Input {
        /// The label of the asserted formula.
        part: Part,
        /// The formula that holds.
        formula: TermId,
    },
    /// A clause of the Tseitin definition of the sub-formula that `of` names.
    Define {
        /// A part in which the whole sub-formula may occur.
        part: Part,
        /// The defined variable.
        of: Var,
    },
    /// A tautology of the theory.
    Lemma {
        /// A part in which all the lemma's symbols may occur.
        part: Part,
        /// Which tautology.
        kind: LemmaKind,
    },
    /// The negations of the clause's literals, as inequalities `t <= 0` over the integers, sum up with these positive
    /// coefficients (one for each literal, in order) to a constant above zero. Only `Le` atoms occur; the negation of
    /// `t <= 0` is `-t + 1 <= 0`.
    Farkas {
        /// The coefficients.
        coeffs: Box<[Int]>,
    },
    /// Resolution from left to right: the first antecedent, with the second on the first pivot, and so on.
    Chain {
        /// The clauses, one more than pivots.
        antecedents: Box<[ClauseId]>,
        /// The variables resolved upon.
        pivots: Box<[Var]>,
    },
}

/// A refutation.
#[derive(Clone, Debug)]
pub struct Proof {
    /// For each variable the term it stands for: an atom, a Boolean variable or the sub-formula it names.
    pub atoms: Vec<TermId>,
    /// All literals, clause after clause.
    literals: Vec<Lit>,
    /// Where each clause ends in `literals`.
    ends: Vec<u32>,
    /// The step of each clause.
    pub steps: Vec<Step>,
    /// The empty clause.
    pub empty: ClauseId,
}

impl Proof {
    /// A proof without steps; `empty` has to be set when the last step is there.
    pub fn new(atoms: Vec<TermId>) -> Self {
        Proof {
            atoms,
            literals: Vec::new(),
            ends: Vec::new(),
            steps: Vec::new(),
            empty: ClauseId(0),
        }
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The literals of a clause.
    pub fn clause(&self, id: ClauseId) -> &[Lit] {
        let start = if id.0 == 0 {
            0
        } else {
            self.ends[id.index() - 1] as usize
        };
        &self.literals[start..self.ends[id.index()] as usize]
    }

    /// Appends a clause with its step. The antecedents of the step are earlier clauses.
    pub fn push(&mut self, literals: &[Lit], step: Step) -> ClauseId {
        let id = ClauseId(u32::try_from(self.steps.len()).expect("a proof has fewer than 2^32 clauses"));
        if let Step::Chain { antecedents, pivots } = &step {
            assert!(
                antecedents.len() == pivots.len() + 1,
                "a chain has one antecedent more than pivots"
            );
            assert!(
                antecedents.iter().all(|a| *a < id),
                "antecedents come before their uses"
            );
        }
        self.literals.extend_from_slice(literals);
        self.ends
            .push(u32::try_from(self.literals.len()).expect("a proof has fewer than 2^32 literals"));
        self.steps.push(step);
        id
    }

    /// The part of this proof that the empty clause rests on, in the same order, with new clause numbers.
    pub fn trimmed(&self) -> Proof {
        self.behind(self.empty)
    }

    /// The part of this proof that a clause rests on, in the same order, with new clause numbers; that clause is the last one.
    pub(crate) fn behind(&self, clause: ClauseId) -> Proof {
        let needed = self.needed(&[clause]);
        let mut out = Proof::new(self.atoms.clone());
        let mut renamed = vec![ClauseId(u32::MAX); self.steps.len()];
        for i in (0..=clause.index()).filter(|&i| needed[i]) {
            let id = ClauseId(i as u32);
            let step = match &self.steps[i] {
                Step::Chain { antecedents, pivots } => Step::Chain {
                    antecedents: antecedents.iter().map(|a| renamed[a.index()]).collect(),
                    pivots: pivots.clone(),
                },
                other => other.clone(),
            };
            renamed[i] = out.push(self.clause(id), step);
        }
        out.empty = renamed[clause.index()];
        out
    }

    /// Forgets all clauses but those that these rest on. Returns the new number of each clause that is kept.
    pub(crate) fn keep(&mut self, clauses: &[ClauseId]) -> Vec<Option<ClauseId>> {
        let needed = self.needed(clauses);
        let mut renamed = vec![None; self.steps.len()];
        let (mut kept, mut end, mut start) = (0, 0, 0);
        for i in 0..self.steps.len() {
            let next = self.ends[i] as usize;
            if needed[i] {
                self.literals.copy_within(start..next, end);
                end += next - start;
                self.ends[kept] = u32::try_from(end).expect("it was no less before");
                self.steps.swap(kept, i);
                if let Step::Chain { antecedents, .. } = &mut self.steps[kept] {
                    for antecedent in antecedents {
                        *antecedent = renamed[antecedent.index()].expect("an antecedent is needed as well");
                    }
                }
                renamed[i] = Some(ClauseId(
                    u32::try_from(kept).expect("clauses are numbered with 32 bits"),
                ));
                kept += 1;
            }
            start = next;
        }
        self.literals.truncate(end);
        self.ends.truncate(kept);
        self.steps.truncate(kept);
        renamed
    }

    /// For each clause, whether one of these rests on it.
    fn needed(&self, clauses: &[ClauseId]) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        for clause in clauses {
            needed[clause.index()] = true;
        }
        for i in (0..self.steps.len()).rev() {
            if let (true, Step::Chain { antecedents, .. }) = (needed[i], &self.steps[i]) {
                for antecedent in antecedents {
                    needed[antecedent.index()] = true;
                }
            }
        }
        needed
    }
}
