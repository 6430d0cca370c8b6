//! How good an interpolant is, in numbers.

use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::term::{Term, TermId, TermPool};

/// The form of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// True or false.
    Constant,
    /// An atom or its negation.
    Literal,
    /// A conjunction of bounds of single variables.
    Interval,
    /// A conjunction of bounds of variables, and of sums and differences of two.
    Octagon,
    /// Another conjunction of literals.
    Conjunction,
    /// Anything else.
    Other,
}

impl Shape {
    /// The name of the shape in tables.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Constant => "constant",
            Shape::Literal => "literal",
            Shape::Interval => "interval",
            Shape::Octagon => "octagon",
            Shape::Conjunction => "conjunction",
            Shape::Other => "other",
        }
    }
}

/// The measures of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measures {
    /// Different sub-terms.
    pub dag_nodes: usize,
    /// Sub-terms, each counted as often as it occurs; the largest number if there are more.
    pub tree_nodes: u64,
    /// Different atoms.
    pub atoms: usize,
    /// Different variables and functions.
    pub symbols: usize,
    /// The largest absolute value of a coefficient, constants not counted; zero if there is no sum.
    pub largest_coefficient: Int,
    /// The greatest number of connectives inside each other; negations are not counted.
    pub boolean_depth: usize,
    /// The form.
    pub shape: Shape,
}

impl Measures {
    /// Measures a formula.
    pub fn of(pool: &TermPool, formula: TermId) -> Measures {
        // Sub-terms have smaller ids than what they are part of.
        let mut terms = pool.sub_terms(&[formula]);
        terms.sort_unstable();
        let mut sizes: FxHashMap<TermId, (u64, usize)> = FxHashMap::default();
        let mut largest = Int::from(0);
        for &id in &terms {
            let term = pool.term(id);
            let (mut size, mut depth) = (1u64, 0);
            term.for_each_child(|child| {
                let (below, inner) = sizes[&child];
                size = size.saturating_add(below);
                depth = depth.max(inner);
            });
            depth += usize::from(is_connective(term));
            if let Term::Sum(monomials, _) = term {
                for (coefficient, _) in monomials {
                    largest = largest.max(coefficient.abs());
                }
            }
            sizes.insert(id, (size, depth));
        }
        let (tree_nodes, boolean_depth) = sizes[&formula];
        Measures {
            dag_nodes: terms.len(),
            tree_nodes,
            atoms: pool.atoms(formula).len(),
            symbols: pool.symbols(formula).len(),
            largest_coefficient: largest,
            boolean_depth,
            shape: shape(pool, formula),
        }
    }

    /// Whether the formula is true or false.
    pub fn is_trivial(&self) -> bool {
        self.shape == Shape::Constant
    }
}

/// The number of variables and functions that occur both among the parts in `inside` and among the others.
pub fn shared_symbols(pool: &TermPool, parts: &[TermId], inside: impl Fn(usize) -> bool) -> usize {
    let (mut first, mut second) = (FxHashSet::default(), FxHashSet::default());
    for (number, &part) in parts.iter().enumerate() {
        let side = if inside(number) { &mut first } else { &mut second };
        side.extend(pool.symbols(part));
    }
    first.intersection(&second).count()
}

fn is_connective(term: &Term) -> bool {
    matches!(term, Term::And(_) | Term::Or(_) | Term::Iff(..) | Term::IteBool(..))
}

fn shape(pool: &TermPool, formula: TermId) -> Shape {
    let literals = match pool.term(formula) {
        Term::True | Term::False => return Shape::Constant,
        Term::And(_) => pool.conjuncts(formula),
        // The builders may write a conjunction of negations as a negated disjunction.
        Term::Not(inner) if matches!(pool.term(*inner), Term::Or(_)) => {
            let Term::Or(list) = pool.term(*inner) else {
                return Shape::Other;
            };
            list.to_vec()
        }
        _ => {
            return if literal_atom(pool, formula).is_some() {
                Shape::Literal
            } else {
                Shape::Other
            };
        }
    };
    let mut atoms = Vec::new();
    for literal in literals {
        let Some(atom) = literal_atom(pool, literal) else {
            return Shape::Other;
        };
        atoms.push(atom);
    }
    let widths: Option<Vec<usize>> = atoms.iter().map(|&atom| width(pool, atom)).collect();
    match widths.and_then(|widths| widths.into_iter().max()) {
        Some(1) => Shape::Interval,
        Some(2) => Shape::Octagon,
        _ => Shape::Conjunction,
    }
}

/// How many variables an inequality or an equation bounds, if they are variables with coefficients of 1 or -1.
fn width(pool: &TermPool, atom: TermId) -> Option<usize> {
    let (Term::Le(sum) | Term::Lt(sum) | Term::Eq(sum)) = pool.term(atom) else {
        return None;
    };
    let (mut count, mut simple) = (0, true);
    pool.for_each_monomial(*sum, |coefficient, leaf| {
        count += 1;
        simple &= coefficient.abs().is_one() && matches!(pool.term(leaf), Term::IntVar(_) | Term::RealVar(_));
    });
    simple.then_some(count)
}

/// The atom of a literal.
fn literal_atom(pool: &TermPool, literal: TermId) -> Option<TermId> {
    let atom = match pool.term(literal) {
        Term::Not(inner) => *inner,
        _ => literal,
    };
    pool.is_atom(atom).then_some(atom)
}
