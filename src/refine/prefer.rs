//! The operator `prefer`: which of the refinements that the infeasible sliced prefixes of an error path bring (Beyer, Löwe, Wendler, *Refinement selection*, SPIN 2015, section 5).
//!
//! Heuristics judge the precision of a prefix, or its length. Several make a lexicographic combination: of those that the first finds best, the second chooses, and so on. Of what is still equal, the shortest prefix is taken.
//!
//! | heuristic | prefers |
//! |---|---|
//! | `short`, `long` | the length of the prefix |
//! | `good`, `bad` | a low or a high [domain-type score](DomainTypes::score): the product over the variables of the precision; a loop counter makes it the maximum |
//! | `narrow`, `wide` | the number of boundaries from the first with predicates to the last |
//! | `shallow`, `deep` | the depth of the pivot, the first boundary with predicates |
//! | `random` | by lot, with a seed |
//! | `dynamic` | variables of which few values were found so far |
//! | `forms` | predicates whose form lets a loop converge |
//!
//! The last two are what section 8 of the paper names as future work. `dynamic` is the product over the variables of the precision of one more than the number of constants that predicates compare them with, in
//! the precision of the analysis and in the new one: a variable that gets predicate after predicate becomes dear, whether or not it looks like a loop counter (as in dynamic precision adjustment: Beyer, Henzinger, Théoduloz, ASE
//! 2008). `forms` is a sum over the predicates: an equation over a loop counter unrolls its loop and costs most, an inequality over one may converge and costs less, any other predicate costs 1.

use super::counters::LoopCounters;
use super::interpolation::Increment;
use super::prefix::alternatives::Length;
use crate::cfa::analysis::domain_types::DomainTypes;
use crate::cpa::predicate::blocks::BlockId;
use provident_smt::fault::planted;
use provident_smt::hash::split_mix;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The cost of an equation over a loop counter.
const COUNTER_EQUATION: u64 = 64;

/// The cost of another predicate over a loop counter.
const COUNTER_BOUND: u64 = 8;

/// The heuristics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heuristic {
    /// The shortest prefix.
    Short,
    /// The longest prefix.
    Long,
    /// The lowest domain-type score.
    Good,
    /// The highest domain-type score: for comparison.
    Bad,
    /// The fewest boundaries with predicates.
    Narrow,
    /// The most boundaries with predicates.
    Wide,
    /// The pivot that is nearest to the program's start.
    Shallow,
    /// The pivot that is furthest from the program's start.
    Deep,
    /// Variables of which few values were found.
    Dynamic,
    /// Predicates of forms that converge.
    Forms,
    /// By lot, with this seed.
    Random(u64),
}

/// Heuristics of a combination, at most.
pub const MAX_HEURISTICS: usize = 4;

/// A lexicographic combination of heuristics. Without any, error paths are refined as a whole, and no prefix is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Preference([Option<Heuristic>; MAX_HEURISTICS]);

impl Preference {
    /// No heuristic.
    pub const NONE: Preference = Preference([None; MAX_HEURISTICS]);

    /// The combination; `None` for more than [`MAX_HEURISTICS`].
    pub fn new(heuristics: &[Heuristic]) -> Option<Preference> {
        let mut all = [None; MAX_HEURISTICS];
        for (at, heuristic) in heuristics.iter().enumerate() {
            *all.get_mut(at)? = Some(*heuristic);
        }
        Some(Preference(all))
    }

    /// The heuristics, the first of which has the first word.
    pub fn heuristics(&self) -> impl Iterator<Item = Heuristic> + '_ {
        self.0.iter().flatten().copied()
    }

    /// Whether there is no preference.
    pub fn is_none(&self) -> bool {
        self.0[0].is_none()
    }

    /// The same with this seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Preference {
        for heuristic in self.0.iter_mut().flatten() {
            if let Heuristic::Random(own) = heuristic {
                *own = seed;
            }
        }
        self
    }
}

/// The constants with which variables are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, BTreeSet<Int>>);

impl Constants {
    /// The constants in some predicates.
    pub fn of(pool: &TermPool, predicates: impl IntoIterator<Item = TermId>) -> Constants {
        let mut constants = Constants::default();
        for predicate in predicates {
            constants.add_predicate(pool, predicate);
        }
        constants
    }

    fn add_predicate(&mut self, pool: &TermPool, predicate: TermId) {
        let (Term::Le(sum) | Term::Eq(sum)) = *pool.term(predicate) else {
            return;
        };
        let constant = pool.for_each_monomial(sum, |_, _| {});
        for symbol in pool.symbols(predicate) {
            self.add(pool.name(symbol.name).to_string(), constant.clone());
        }
    }

    /// Notes that a variable is compared with a constant.
    pub fn add(&mut self, name: String, constant: Int) {
        self.0.entry(name).or_default().insert(constant);
    }

    /// Adds all of the others.
    pub fn extend(&mut self, others: Constants) {
        for (name, constants) in others.0 {
            self.0.entry(name).or_default().extend(constants);
        }
    }

    /// How many different constants a variable has in these and others.
    fn count_with(&self, others: &Constants, name: &str) -> u64 {
        let (own, other) = (self.0.get(name), others.0.get(name));
        let own = own.map_or(0, |own| own.len());
        let more = other.into_iter().flatten().filter(|&constant| {
            let known = self.0.get(name);
            known.is_none_or(|known| !known.contains(constant))
        });
        u64::try_from(own + more.count()).unwrap_or(u64::MAX)
    }
}

/// A predicate, or the constant of a cell, as a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// Whether it is an equation.
    pub is_equation: bool,
    /// Whether it speaks about a loop counter.
    pub has_counter: bool,
}

/// A refinement as heuristics see it, of whichever domain.
pub trait Judged {
    /// The names of the variables in its precision, without duplicates.
    fn variables(&self) -> Vec<String>;
    /// The first and the last boundary of the path with a precision. If none has one, the pivot is both.
    fn extent(&self) -> (usize, usize);
    /// The length of the prefix that it refutes.
    fn length(&self) -> Length;
    /// The constants with which its precision compares the variables.
    fn constants(&self) -> Constants;
    /// The comparisons of its precision, without duplicates.
    fn comparisons(&self, counters: &LoopCounters) -> Vec<Comparison>;
}

/// A refinement by predicates as heuristics see it.
#[derive(Debug, Clone, Copy)]
pub struct JudgedPredicates<'a> {
    /// The predicates.
    pub increment: &'a Increment,
    /// The length of the prefix.
    pub length: Length,
}

impl Judged for JudgedPredicates<'_> {
    fn variables(&self) -> Vec<String> {
        self.increment.predicates.names().map(str::to_string).collect()
    }

    fn extent(&self) -> (usize, usize) {
        let has_predicates = |count: &usize| *count > 0;
        let counts = &self.increment.counts;
        let (first, last) = (
            counts.iter().position(has_predicates),
            counts.iter().rposition(has_predicates),
        );
        let pivot = self.increment.pivot;
        (first.unwrap_or(pivot), last.unwrap_or(pivot))
    }

    fn length(&self) -> Length {
        self.length
    }

    fn constants(&self) -> Constants {
        let mut pool = TermPool::new();
        let predicates = pool.import(&self.increment.predicates);
        Constants::of(&pool, predicates)
    }

    fn comparisons(&self, counters: &LoopCounters) -> Vec<Comparison> {
        let mut pool = TermPool::new();
        let predicates: BTreeSet<TermId> = pool.import(&self.increment.predicates).into_iter().collect();
        let comparison = |predicate| Comparison {
            is_equation: matches!(pool.term(predicate), Term::Eq(_)),
            has_counter: counters.occur_in(&pool, predicate),
        };
        predicates.into_iter().map(comparison).collect()
    }
}

/// An error path as lots see it: the same path has the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathId(u64);

impl PathId {
    /// The number of a path that consists of these blocks or steps.
    pub fn of(parts: impl IntoIterator<Item = u64>) -> PathId {
        let mut state = 0;
        for part in parts {
            state = split_mix(&mut state) ^ part;
        }
        PathId(split_mix(&mut state))
    }

    /// The number of a path of blocks.
    pub fn of_blocks(path: &[BlockId]) -> PathId {
        PathId::of(path.iter().map(|block| u64::from(block.number())))
    }
}

/// The costs of a refinement, heuristic by heuristic: the least one, in lexicographic order, is preferred.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Merit(Vec<u64>);

#[cfg(test)]
impl Merit {
    /// One cost.
    pub fn of(cost: usize) -> Merit {
        Merit(vec![u64::try_from(cost).expect("it is small")])
    }
}

/// A preference with what it has to know of the program and of the run.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The preference.
    pub preference: Preference,
    /// The domain types of the variables.
    pub types: &'a DomainTypes,
    /// The loop counters.
    pub counters: &'a LoopCounters,
    /// The constants in the precision of the analysis.
    pub constants: &'a Constants,
}

impl Judge<'_> {
    /// Which of the refinements for an error path is preferred: of equal ones the first, whose prefix is the shortest. There is at least one.
    pub fn choose(&self, path: PathId, refinements: &[impl Judged]) -> usize {
        let merit = |at: &usize| self.merit(path, *at, &refinements[*at]);
        (0..refinements.len()).min_by_key(merit).expect("there is one")
    }

    /// The costs of the refinement with that number among those of an error path.
    pub fn merit(&self, path: PathId, number: usize, refinement: &impl Judged) -> Merit {
        let costs = self.preference.heuristics();
        Merit(
            costs
                .map(|heuristic| self.cost(heuristic, path, number, refinement))
                .collect(),
        )
    }

    /// The costs of what is no refinement.
    pub fn worst(&self) -> Merit {
        Merit(self.preference.heuristics().map(|_| u64::MAX).collect())
    }

    fn cost(&self, heuristic: Heuristic, path: PathId, number: usize, refinement: &impl Judged) -> u64 {
        let most = |cost: u64| u64::MAX - cost;
        let score = || {
            let score = self.types.score(refinement.variables().iter().map(String::as_str)).0;
            if planted("score-inverted") { most(score) } else { score }
        };
        match heuristic {
            Heuristic::Short => span(refinement.length()),
            Heuristic::Long => most(span(refinement.length())),
            Heuristic::Good => score(),
            Heuristic::Bad => most(score()),
            Heuristic::Narrow => width(refinement),
            Heuristic::Wide => most(width(refinement)),
            Heuristic::Shallow => depth(refinement),
            Heuristic::Deep => most(depth(refinement)),
            Heuristic::Dynamic => self.cost_of_constants(refinement),
            Heuristic::Forms => self.cost_of_forms(refinement),
            Heuristic::Random(seed) => lot(seed, path, number),
        }
    }

    fn cost_of_constants(&self, refinement: &impl Judged) -> u64 {
        let constants = refinement.constants();
        let variables = refinement.variables().into_iter();
        let factors = variables.map(|name| constants.count_with(self.constants, &name).saturating_add(1));
        factors.fold(1, u64::saturating_mul)
    }

    fn cost_of_forms(&self, refinement: &impl Judged) -> u64 {
        let costs = refinement.comparisons(self.counters).into_iter().map(|comparison| {
            match (comparison.has_counter, comparison.is_equation) {
                (true, true) => COUNTER_EQUATION,
                (true, false) => COUNTER_BOUND,
                (false, _) => 1,
            }
        });
        costs.fold(0, u64::saturating_add)
    }
}

/// A length as one number.
fn span(length: Length) -> u64 {
    let part = |n: usize| u64::from(u32::try_from(n).unwrap_or(u32::MAX));
    part(length.blocks) << 32 | part(length.assumptions)
}

/// `WidthOfPrecision` of the paper.
fn width(refinement: &impl Judged) -> u64 {
    let (first, last) = refinement.extent();
    u64::try_from(last - first + 1).unwrap_or(u64::MAX)
}

/// `PivotDepthOfPrecision` of the paper.
fn depth(refinement: &impl Judged) -> u64 {
    u64::try_from(refinement.extent().0).unwrap_or(u64::MAX)
}

/// A number that depends on the seed, the path and the number of the refinement only, so that a path that comes again has the same lots.
fn lot(seed: u64, path: PathId, number: usize) -> u64 {
    let mut state = seed ^ path.0;
    state = split_mix(&mut state) ^ u64::try_from(number).unwrap_or(u64::MAX);
    split_mix(&mut state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::{LowerOptions, Program, lower};
    use crate::cpa::predicate::blocks::Blocks;
    use crate::encode::{Arith, Encoder};
    use crate::frontend::text::source::Source;
    use crate::frontend::types::DataModel;
    use crate::frontend::{FrontendOptions, parse};
    use crate::refine::interpolation::{Feasibility, of_interpolants};
    use crate::refine::prefix::alternatives::Alternative;

    /// `b` is boolean, `m` is compared for equality only, `i` counts a loop, `s` is computed with.
    const PROGRAM: &str = "extern int any(void);
        int main(void) { int b = 0, m = any(), i = 0, s = any();
        while (i < 9) { if (any()) b = 1; i = i + 1; s = s * 3 + m; }
        if (b) return 1;
        if (m == 7) return s > 4;
        return 0; }";

    fn with_judge(check: impl FnOnce(&mut dyn FnMut(&[Heuristic], &Constants, &[Alternative]) -> usize)) {
        let options = FrontendOptions {
            data_model: DataModel::Ilp32,
        };
        let unit = parse(Source::new("scores", PROGRAM), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let program: Program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let types = Encoder::new(&program, Arith::Machine).domain_types();
        let counters = LoopCounters::of(&program);
        check(&mut |heuristics, constants, alternatives| {
            let preference = Preference::new(heuristics).expect("they are few");
            let judge = Judge {
                preference,
                types: &types,
                counters: &counters,
                constants,
            };
            let judged: Vec<_> = alternatives.iter().map(Alternative::judged).collect();
            judge.choose(PathId::of_blocks(&[Blocks::EMPTY]), &judged)
        });
    }

    /// A comparison of a variable of `main` with a number.
    type Comparison = (&'static str, &'static str, i64);

    fn predicate(pool: &mut TermPool, (name, operator, value): Comparison) -> TermId {
        let name = pool.symbol(&format!("main::{name}"));
        let (variable, value) = (pool.int_var(name, 1), pool.int(value));
        match operator {
            "=" => pool.eq(variable, value),
            "<=" => pool.le(variable, value),
            _ => panic!("no operator"),
        }
    }

    /// A refinement of a path with five boundaries: these predicates at the boundaries from the first to before the second number.
    fn alternative(blocks: usize, (from, to): (usize, usize), comparisons: &[Comparison]) -> Alternative {
        let mut pool = TermPool::new();
        let all: Vec<TermId> = comparisons.iter().map(|&c| predicate(&mut pool, c)).collect();
        let interpolant = pool.and(&all);
        let (truth, falsity) = (pool.mk_true(), pool.mk_false());
        let at = |boundary: usize| match boundary {
            _ if boundary < from => truth,
            _ if boundary < to => interpolant,
            _ => falsity,
        };
        let interpolants: Vec<TermId> = (0..5).map(at).collect();
        let Feasibility::Infeasible(increment) = of_interpolants(&mut pool, &interpolants, true) else {
            panic!("it is a refutation");
        };
        let length = Length { blocks, assumptions: 1 };
        Alternative { increment, length }
    }

    #[test]
    fn each_heuristic_chooses_what_it_is_for() {
        let all = [
            alternative(3, (1, 3), &[("i", "=", 1)]),
            alternative(4, (0, 4), &[("b", "=", 0)]),
            alternative(5, (2, 4), &[("m", "=", 7), ("s", "<=", 4)]),
            alternative(6, (4, 5), &[("i", "<=", 8)]),
        ];
        with_judge(|choose| {
            let known = Constants::default();
            let mut choice = |heuristics: &[Heuristic]| choose(heuristics, &known, &all);
            assert_eq!(choice(&[Heuristic::Short]), 0);
            assert_eq!(choice(&[Heuristic::Long]), 3);
            assert_eq!(choice(&[Heuristic::Good]), 1, "a boolean variable");
            assert_eq!(
                choice(&[Heuristic::Bad]),
                0,
                "loop counters, of which the first is the shorter"
            );
            assert_eq!(choice(&[Heuristic::Bad, Heuristic::Long]), 3);
            assert_eq!(choice(&[Heuristic::Narrow]), 3);
            assert_eq!(choice(&[Heuristic::Wide]), 1);
            assert_eq!(choice(&[Heuristic::Shallow]), 1);
            assert_eq!(choice(&[Heuristic::Deep]), 3);
            assert_eq!(
                choice(&[Heuristic::Forms]),
                1,
                "one predicate, and no loop counter in it"
            );
            assert_eq!(
                choice(&[Heuristic::Dynamic]),
                0,
                "one value; of equal ones the shortest"
            );
        });
    }

    #[test]
    fn an_equation_over_a_counter_costs_more_than_a_bound() {
        let all = [
            alternative(3, (1, 3), &[("i", "=", 1)]),
            alternative(4, (1, 4), &[("i", "<=", 8), ("s", "<=", 4)]),
        ];
        with_judge(|choose| {
            assert_eq!(choose(&[Heuristic::Forms], &Constants::default(), &all), 1);
            assert_eq!(
                choose(&[Heuristic::Good], &Constants::default(), &all),
                0,
                "both have the maximum"
            );
        });
    }

    #[test]
    fn a_variable_with_many_values_is_dear() {
        let all = [
            alternative(3, (1, 3), &[("m", "=", 3)]),
            alternative(4, (1, 4), &[("s", "=", 3), ("b", "=", 0)]),
        ];
        let mut pool = TermPool::new();
        let known: Vec<TermId> = (0..6).map(|value| predicate(&mut pool, ("m", "=", value))).collect();
        with_judge(|choose| {
            assert_eq!(choose(&[Heuristic::Dynamic], &Constants::default(), &all), 0);
            assert_eq!(choose(&[Heuristic::Dynamic], &Constants::of(&pool, known), &all), 1);
        });
    }

    #[test]
    fn lots_are_drawn_by_seed() {
        let all: Vec<Alternative> = (1..6).map(|at| alternative(at, (0, at), &[("b", "=", 0)])).collect();
        with_judge(|choose| {
            let mut drawn = |seed| choose(&[Heuristic::Random(seed)], &Constants::default(), &all);
            let first: Vec<usize> = (0..40).map(&mut drawn).collect();
            let again: Vec<usize> = (0..40).map(&mut drawn).collect();
            assert_eq!(first, again);
            let different: BTreeSet<usize> = first.into_iter().collect();
            assert_eq!(different.len(), 5, "every alternative has its chance");
        });
    }

    #[test]
    fn a_combination_has_room_for_four() {
        assert!(Preference::new(&[Heuristic::Good; MAX_HEURISTICS]).is_some());
        assert!(Preference::new(&[Heuristic::Good; MAX_HEURISTICS + 1]).is_none());
        assert!(Preference::default().is_none());
        let seeded = Preference::new(&[Heuristic::Good, Heuristic::Random(0)])
            .expect("two")
            .with_seed(5);
        assert_eq!(seeded.heuristics().last(), Some(Heuristic::Random(5)));
    }
}
