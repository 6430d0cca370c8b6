//! Terms: hash-consed formulas over integers, reals, uninterpreted functions and function updates.
//!
//! A [`TermPool`] owns the terms. Each distinct term exists once and is named by a [`TermId`], so that equality of ids is equality
//! of structure, sharing is free, and every traversal can memoise by id. The builders ([`TermPool::and`], [`TermPool::le`], ...)
//! are the only way to make terms; they simplify and *normalise*, so that many different spellings of one constraint become one
//! term:
//!
//! * a linear integer term is one flat [`Term::Sum`] with its monomials sorted by id, or the bare monomial if it is just that;
//! * an inequality is `sum <= 0` with coprime coefficients, its constant tightened to the integers (`2x <= 3` is `x <= 1`) and a
//!   positive leading coefficient: the opposite direction is the negation of that atom, because over the integers
//!   `x >= 4` is `not (x <= 3)`. An atom and its complement therefore never look like two unrelated atoms;
//! * an equation is `sum = 0` with coprime coefficients and a positive leading one, and false if the constant is not divisible by
//!   the coefficients' gcd;
//! * division is floor division by a positive constant with everything divisible moved out; the remainder is expressed by it.
//!
//! The integers are a subset of the reals here: a term over integer leaves alone has the sort `Int`, any other number the sort
//! `Real`, and `to_real` is the identity. Sums have integer coefficients always. A rational term is such a sum divided by its
//! least common denominator ([`Term::Ratio`]), and an atom needs no denominator:
//!
//! * an inequality over the reals is `sum <= 0` or `sum < 0` with jointly coprime coefficients and constant and a positive leading
//!   coefficient; the opposite direction is the negation of the other one of the two.
//!
//! Terms may be as deep as a program is long: no traversal here recurses. Ids grow from children to parents, which makes "sorted
//! by id" a topological order, the tool that most traversals use.
//!
//! The order of ids is the order of creation and must not reach a user; [`TermPool::compare`] orders terms by structure.
//! A pool belongs to one thread; formulas travel between pools as [`Portable`].
//!
//! | module | does |
//! |---|---|
//! | `intern` | hash-consing |
//! | `build` | builders of formulas, variables, applications and updates |
//! | `linear` | linear terms and their atoms |
//! | `real` | terms of real numbers |
//! | `traverse` | renaming, substitution, symbols, structural order |
//! | `print` | SMT-LIB text |
//! | `portable` | formulas that travel between pools |

mod build;
mod intern;
mod linear;
mod portable;
mod print;
mod real;
mod traverse;

pub use portable::Portable;
pub use print::{SmtLibStyle, quote_symbol};
pub(crate) use print::{smtlib_number, smtlib_rational};

use crate::hash::FxHashMap;
use crate::num::Int;
use intern::Table;
use linear::Linear;
use std::sync::Arc;

/// The name of a term inside its pool.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);

impl TermId {
    /// The position of the term in its pool: dense, children before parents. For side tables indexed by terms.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interned symbol name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The position of the name in its pool: dense, for side tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a symbol that is not instantiated, as in the predicates of a precision.
pub const NO_INDEX: u32 = u32::MAX;

/// A variable or function in one of its versions (SSA indices), as `main::i@3`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    /// The interned name.
    pub name: SymbolId,
    /// The version, or [`NO_INDEX`].
    pub index: u32,
}

/// The sort of a term.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// An integer.
    Int,
    /// A real number that is not known to be an integer.
    Real,
}

/// The source of the values that an [`Term::Update`] puts into the cells of its range.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum UpdateSource {
    /// `new(x)` is this integer term.
    Const(TermId),
    /// `new(x)` is anything.
    Havoc,
    /// `new(x) = from(x + shift)`.
    Copy {
        /// The function read.
        from: Symbol,
        /// The distance, an integer term.
        shift: TermId,
    },
}

/// A term, as seen through [`TermPool::term`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The true formula.
    True,
    /// The false formula.
    False,
    /// A propositional variable.
    BoolVar(Symbol),
    /// Negation; never of a negation or a constant.
    Not(TermId),
    /// Conjunction of at least two different formulas, sorted by id.
    And(Box<[TermId]>),
    /// Disjunction of at least two different formulas, sorted by id.
    Or(Box<[TermId]>),
    /// Equivalence; neither side is a constant or a negation.
    Iff(TermId, TermId),
    /// `if .0 then .1 else .2` over formulas.
    IteBool(TermId, TermId, TermId),
    /// The atom `t <= 0` for a normalised, non-constant sum with a positive leading coefficient.
    Le(TermId),
    /// The atom `t < 0` for a normalised, non-constant real sum with a positive leading coefficient. Over the integers it is a
    /// [`Term::Le`].
    Lt(TermId),
    /// The atom `t = 0` for a normalised, non-constant sum with a positive leading coefficient.
    Eq(TermId),
    /// The function `new` is `old` except that for `lo <= x < hi` the value `new(x)` is given by `source`.
    ///
    /// The atom implies the update, but its negation says nothing, so it may only occur with positive polarity. A pure copy
    /// `new = old` has `lo = hi = 0`.
    Update {
        /// The function that results.
        new: Symbol,
        /// The function before.
        old: Symbol,
        /// The first cell written.
        lo: TermId,
        /// The cell behind the last one written.
        hi: TermId,
        /// The source of the written values.
        source: UpdateSource,
    },
    /// An integer variable.
    IntVar(Symbol),
    /// A real variable.
    RealVar(Symbol),
    /// The application of an uninterpreted function from integers to integers to at least one argument.
    App(Symbol, Box<[TermId]>),
    /// The application of an uninterpreted function from numbers to reals to at least one argument.
    RealApp(Symbol, Box<[TermId]>),
    /// An integer.
    Const(Int),
    /// The sum of the monomials `coefficient * term` and a constant. The terms are sorted by id and neither sums nor constants;
    /// coefficients are not zero; a single monomial with coefficient 1 and constant 0 is not a sum but just that term.
    Sum(Box<[(Int, TermId)]>, Int),
    /// Floor division by a constant: of at least 2, or of at least 1 if a real number is divided. The quotient is an integer.
    Div(TermId, Int),
    /// The exact quotient of a sum, a constant or another number by a constant of at least 2, in lowest terms. It occurs as
    /// an argument or as the branch of a conditional, but not inside of sums.
    Ratio(TermId, Int),
    /// `if .0 then .1 else .2` over numbers.
    Ite(TermId, TermId, TermId),
}

/// The owner of terms; see the module's description.
#[derive(Clone)]
pub struct TermPool {
    terms: Vec<Term>,
    table: Table,
    /// Whether each term is a real number; terms behind the end are not.
    real: Vec<bool>,
    names: Vec<Arc<str>>,
    name_ids: FxHashMap<Arc<str>, SymbolId>,
    /// Memo table of [`TermPool::map_symbols`] and [`TermPool::substitute`]: a result is valid if its stamp is the current one.
    memo: Vec<(u32, TermId)>,
    stamp: u32,
    // Buffers that builders and traversals borrow, so that the hot paths do not allocate.
    linear_scratch: Linear,
    id_scratch: Vec<TermId>,
    image_scratch: Vec<TermId>,
    stack_scratch: Vec<TermId>,
}

const TRUE: TermId = TermId(0);
const FALSE: TermId = TermId(1);

impl Default for TermPool {
    fn default() -> Self {
        TermPool::new()
    }
}

impl TermPool {
    /// A pool that holds just the two truth values.
    pub fn new() -> Self {
        let mut pool = TermPool {
            terms: Vec::new(),
            table: Table::default(),
            real: Vec::new(),
            names: Vec::new(),
            name_ids: FxHashMap::default(),
            memo: Vec::new(),
            stamp: 0,
            linear_scratch: Linear::default(),
            id_scratch: Vec::new(),
            image_scratch: Vec::new(),
            stack_scratch: Vec::new(),
        };
        assert_eq!(pool.intern(Term::True), TRUE);
        assert_eq!(pool.intern(Term::False), FALSE);
        pool
    }

    /// Interns a name.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.name_ids.get(name) {
            return id;
        }
        let id = SymbolId(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.name_ids.insert(name, id);
        id
    }

    /// The id of a name that was interned before, if it was.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.name_ids.get(name).copied()
    }

    /// The text of a name.
    #[inline]
    pub fn name(&self, id: SymbolId) -> &str {
        &self.names[id.index()]
    }

    /// A symbol for people: the name, followed by `@index` if there is an index.
    pub fn symbol_text(&self, symbol: Symbol) -> String {
        let name = self.name(symbol.name);
        if symbol.index == NO_INDEX {
            name.to_owned()
        } else {
            format!("{name}@{}", symbol.index)
        }
    }

    /// A view of the term.
    #[inline]
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The sort of the term. Constant time.
    #[inline]
    pub fn sort(&self, id: TermId) -> Sort {
        match self.term(id) {
            Term::IntVar(_) | Term::App(..) | Term::Const(_) | Term::Div(..) => Sort::Int,
            Term::Sum(..) | Term::Ite(..) if !self.is_real(id) => Sort::Int,
            Term::Sum(..) | Term::Ite(..) | Term::RealVar(_) | Term::RealApp(..) | Term::Ratio(..) => Sort::Real,
            _ => Sort::Bool,
        }
    }

    /// Whether the term is a number of the sort `Real`. Constant time.
    #[inline]
    pub fn is_real(&self, id: TermId) -> bool {
        self.real.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether any number of the sort `Real` was built.
    #[inline]
    pub fn has_reals(&self) -> bool {
        !self.real.is_empty()
    }

    /// Whether the term is an atom or a propositional variable: a formula without formulas as direct children.
    pub fn is_atom(&self, id: TermId) -> bool {
        matches!(
            self.term(id),
            Term::Le(_) | Term::Lt(_) | Term::Eq(_) | Term::Update { .. } | Term::BoolVar(_)
        )
    }

    /// The number of terms in the pool.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether the pool holds nothing; it always holds the truth values.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number of interned names.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }
}
