//! Several interpolants of one proof, and the choice among them.
//!
//! A refutation is expensive, and reading an interpolant off it is cheap. So all variants can be read off the same proof, and a measure says which of them goes on (Rollini, Sery, Sharygina, *Leveraging interpolant strength in
//! model checking*, 2012, show that no variant is the best for all programs). A sequence is taken as a whole: the interpolants of different variants at different cuts need not fit together.
//!
//! The measures look at formulas without the versions of their variables, because the atoms of these are the predicates that a model checker gets. Of equal ones the earlier variant is taken; the first is the one
//! that would be read off without a portfolio. So the choice depends on the proof alone.

use super::{InterpolationConfig, Measures, Variant};
use crate::hash::FxHashSet;
use crate::num::Int;
use crate::term::{NO_INDEX, Symbol, TermId, TermPool};

choice! {
    /// The variants of a portfolio. Those that do not give a sequence from one proof take part in queries with one cut only.
    Members {
        /// All labelled systems, with the leaves that are chosen.
        Labels = "labels",
        /// All leaves of conflicts, with the labelled system that is chosen.
        Leaves = "leaves",
        /// All of both.
        #[default]
        All = "all",
    }
}

choice! {
    /// The measure by which an interpolant is chosen. Ties are decided by the number of predicates, then by size.
    Merit {
        /// The fewest different predicates on the whole path.
        #[default]
        Predicates = "predicates",
        /// The fewest different sub-terms, summed up over the different interpolants.
        Size = "size",
        /// The smallest largest coefficient.
        Coefficients = "coefficients",
        /// The fewest different interpolants that are not constant: what comes again after a round of a loop may be inductive.
        Steady = "steady",
    }
}

/// Which variants are read off a proof, and which of them is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Portfolio {
    /// The variants.
    pub members: Members,
    /// The measure.
    pub merit: Merit,
}

impl Portfolio {
    /// The variants for a query with this many parts, the one of the configuration first.
    pub(super) fn variants(self, config: &InterpolationConfig, parts: usize) -> Vec<Variant> {
        let base = config.variant;
        let takes_part = |variant: &Variant| {
            let leaves = (variant.arithmetic, variant.congruence) == (base.arithmetic, base.congruence);
            let belongs = match self.members {
                Members::Labels => leaves,
                Members::Leaves => variant.labelling == base.labelling,
                Members::All => true,
            };
            // Without congruence closure its leaves do not occur.
            let occurs = config.equality || variant.congruence == base.congruence;
            let fits = parts <= 2 || variant.has_path_property();
            belongs && occurs && fits && *variant != base
        };
        std::iter::once(base).chain(Variant::all().filter(takes_part)).collect()
    }
}

/// The measures of a sequence, the one that counts first; smaller is better.
type Rating = [Int; 3];

/// The position of the best sequence. There is at least one.
pub(super) fn best(pool: &mut TermPool, sequences: &[Vec<TermId>], merit: Merit) -> usize {
    let ratings: Vec<Rating> = sequences.iter().map(|sequence| rating(pool, sequence, merit)).collect();
    let least = ratings.iter().enumerate().min_by(|a, b| a.1.cmp(b.1));
    least.map_or(0, |(position, _)| position)
}

fn rating(pool: &mut TermPool, sequence: &[TermId], merit: Merit) -> Rating {
    let mut different: Vec<TermId> = Vec::new();
    for &interpolant in sequence {
        let formula = without_versions(pool, interpolant);
        if !different.contains(&formula) {
            different.push(formula);
        }
    }
    let (mut size, mut coefficient, mut varying) = (0, Int::from(0), 0);
    let mut atoms: FxHashSet<TermId> = FxHashSet::default();
    for &formula in &different {
        let measures = Measures::of(pool, formula);
        size += measures.dag_nodes;
        varying += usize::from(!measures.is_trivial());
        coefficient = coefficient.max(measures.largest_coefficient);
        atoms.extend(pool.atoms(formula));
    }
    let number = |count: usize| Int::from(i64::try_from(count).unwrap_or(i64::MAX));
    let (predicates, size) = (number(atoms.len()), number(size));
    let first = match merit {
        Merit::Predicates => predicates.clone(),
        Merit::Size => size.clone(),
        Merit::Coefficients => coefficient,
        Merit::Steady => number(varying),
    };
    [first, predicates, size]
}

/// The formula as a predicate: without the versions of its variables.
pub fn without_versions(pool: &mut TermPool, formula: TermId) -> TermId {
    pool.map_symbols(formula, &mut |symbol| Symbol {
        index: NO_INDEX,
        ..symbol
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolate::{ArithmeticLeaf, Labelling};

    #[test]
    fn a_portfolio_has_the_chosen_variant_first_and_only_what_fits() {
        let count = |members, equality, parts| {
            let config = InterpolationConfig {
                equality,
                ..InterpolationConfig::default()
            };
            let portfolio = Portfolio {
                members,
                merit: Merit::Predicates,
            };
            let variants = portfolio.variants(&config, parts);
            assert_eq!(variants[0], config.variant);
            assert!(parts == 2 || variants.iter().all(|variant| variant.has_path_property()));
            variants.len()
        };
        assert_eq!(count(Members::Labels, false, 5), Labelling::ALL.len());
        assert_eq!(count(Members::Leaves, false, 5), 2);
        assert_eq!(count(Members::Leaves, false, 2), ArithmeticLeaf::ALL.len());
        assert_eq!(count(Members::All, false, 5), 8);
        assert_eq!(count(Members::All, false, 2), 16);
        assert_eq!(count(Members::All, true, 2), 32);
    }

    #[test]
    fn each_merit_takes_what_it_is_about() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let at = |pool: &mut TermPool, index| (pool.int_var(x, index), pool.int_var(y, index));
        let (three, seven) = (pool.int(3), pool.int(7));
        // One predicate on both cuts, with a coefficient of 2.
        let mut steady = Vec::new();
        // A predicate for each cut.
        let mut moving = Vec::new();
        // Three predicates that come again.
        let mut wide: Vec<TermId> = Vec::new();
        for index in 0..2 {
            let (x, y) = at(&mut pool, index);
            let double = pool.scale(&Int::from(2), y);
            let sum = pool.add(x, double);
            steady.push(pool.le(sum, three));
            let bound = pool.int(i64::from(index));
            moving.push(pool.le(x, bound));
            let bounds = [pool.le(x, three), pool.le(three, y), pool.le(seven, x)];
            wide.push(pool.or(&bounds));
        }
        let sequences = [wide, moving, steady];
        assert_eq!(best(&mut pool, &sequences, Merit::Predicates), 2);
        assert_eq!(best(&mut pool, &sequences, Merit::Coefficients), 1);
        assert_eq!(best(&mut pool, &sequences[..2], Merit::Steady), 0);
        assert_eq!(best(&mut pool, &sequences[1..], Merit::Steady), 1);
        let equal = [sequences[1].clone(), sequences[1].clone()];
        assert_eq!(best(&mut pool, &equal, Merit::Size), 0);
    }
}
