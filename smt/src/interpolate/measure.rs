//! Measures of interpolants: numbers that say how good one is.

use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

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
    /// Different divisions by a constant.
    pub divisions: usize,
    /// The greatest number of connectives inside each other; negations are not counted.
    pub boolean_depth: usize,
    /// The most disjuncts of one disjunction, after negations are moved to the atoms; 1 if there is none.
    pub disjuncts: usize,
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
        let mut divisions = 0;
        for &id in &terms {
            let term = pool.term(id);
            let (mut size, mut depth) = (1u64, 0);
            term.for_each_child(|child| {
                let (below, inner) = sizes[&child];
                size = size.saturating_add(below);
                depth = depth.max(inner);
            });
            depth += usize::from(is_connective(term));
            divisions += usize::from(matches!(term, Term::Div(..) | Term::Ratio(..)));
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
            divisions,
            boolean_depth,
            disjuncts: disjuncts(pool, formula),
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

/// For the cut behind each part but the last, the number of variables and functions that occur on both sides of it. The symbols of each part are given.
pub fn shared_at_cuts(parts: &[Vec<Symbol>]) -> Vec<usize> {
    let mut spans: FxHashMap<Symbol, (usize, usize)> = FxHashMap::default();
    for (number, symbols) in parts.iter().enumerate() {
        for &symbol in symbols {
            spans.entry(symbol).or_insert((number, number)).1 = number;
        }
    }
    let cuts = parts.len().saturating_sub(1);
    let (mut begin, mut end) = (vec![0usize; cuts + 1], vec![0usize; cuts + 1]);
    for &(first, last) in spans.values() {
        begin[first] += 1;
        end[last] += 1;
    }
    let mut open = 0;
    (0..cuts)
        .map(|cut| {
            open = open + begin[cut] - end[cut];
            open
        })
        .collect()
}

/// See [`Measures::disjuncts`].
fn disjuncts(pool: &TermPool, formula: TermId) -> usize {
    let mut most = 1;
    let mut seen: FxHashSet<(TermId, bool)> = FxHashSet::default();
    let mut open = vec![(formula, true)];
    while let Some((term, positive)) = open.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        match pool.term(term) {
            Term::Not(inner) => open.push((*inner, !positive)),
            list @ (Term::And(arguments) | Term::Or(arguments)) => {
                if matches!(list, Term::Or(_)) == positive {
                    most = most.max(arguments.len());
                }
                open.extend(arguments.iter().map(|&argument| (argument, positive)));
            }
            // Two implications, with two literals each.
            connective if is_connective(connective) => {
                most = most.max(2);
                connective.for_each_child(|child| open.extend([(child, true), (child, false)]));
            }
            _ => {}
        }
    }
    most
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

/// The number of variables that an inequality or an equation bounds, if they are variables with coefficients of 1 or -1.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_of_formulas() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let (x, y) = (pool.int_var(x, 0), pool.int_var(y, 0));
        let (zero, seven) = (pool.int(0), pool.int(7));
        let (low, high) = (pool.le(zero, x), pool.le(x, seven));
        let three_y = pool.scale(&Int::from(3), y);
        let sum = pool.add(x, three_y);
        let third = pool.div_floor(sum, &Int::from(4));
        let scaled = pool.le(sum, zero);
        let divided = pool.le(third, zero);
        let difference = pool.sub(x, y);
        let difference = pool.le(difference, seven);
        let interval = pool.and2(low, high);
        let octagon = pool.and2(interval, difference);
        let conjunction = pool.and2(octagon, scaled);
        let clause = pool.or(&[low, scaled, divided]);
        let mixed = pool.and2(clause, high);
        let negated = pool.not(mixed);
        let mut table = String::new();
        for formula in [
            pool.mk_true(),
            low,
            interval,
            octagon,
            conjunction,
            clause,
            mixed,
            negated,
        ] {
            let measured = Measures::of(&pool, formula);
            table += &format!(
                "{}: dag {}, tree {}, atoms {}, symbols {}, coefficient {}, divisions {}, depth {}, disjuncts {}\n",
                measured.shape.name(),
                measured.dag_nodes,
                measured.tree_nodes,
                measured.atoms,
                measured.symbols,
                measured.largest_coefficient,
                measured.divisions,
                measured.boolean_depth,
                measured.disjuncts
            );
        }
        expect_test::expect![[r#"
            constant: dag 1, tree 1, atoms 0, symbols 0, coefficient 0, divisions 0, depth 0, disjuncts 1
            literal: dag 4, tree 4, atoms 1, symbols 1, coefficient 1, divisions 0, depth 0, disjuncts 1
            interval: dag 7, tree 8, atoms 2, symbols 1, coefficient 1, divisions 0, depth 1, disjuncts 1
            octagon: dag 10, tree 12, atoms 3, symbols 2, coefficient 1, divisions 0, depth 1, disjuncts 1
            conjunction: dag 12, tree 16, atoms 4, symbols 2, coefficient 3, divisions 0, depth 1, disjuncts 1
            other: dag 10, tree 14, atoms 3, symbols 2, coefficient 3, divisions 1, depth 1, disjuncts 3
            other: dag 13, tree 18, atoms 4, symbols 2, coefficient 3, divisions 1, depth 2, disjuncts 3
            other: dag 14, tree 19, atoms 4, symbols 2, coefficient 3, divisions 1, depth 2, disjuncts 2
        "#]]
        .assert_eq(&table);
    }

    #[test]
    fn symbols_are_shared_between_their_first_and_their_last_part() {
        let mut pool = TermPool::new();
        let name = pool.symbol("x");
        let x = |index| Symbol { name, index };
        let parts = [vec![x(0), x(1)], vec![x(1), x(2)], vec![x(2), x(3)], vec![x(0), x(3)]];
        assert_eq!(shared_at_cuts(&parts), [2, 2, 2]);
        let parts = [vec![x(0)], vec![], vec![x(0), x(1)], vec![x(1)]];
        assert_eq!(shared_at_cuts(&parts), [1, 1, 1]);
        let parts = [vec![x(0)], vec![x(1)]];
        assert_eq!(shared_at_cuts(&parts), [0]);
        assert_eq!(shared_at_cuts(&[]), Vec::<usize>::new());
    }
}
