//! Interpolation abstraction: interpolants in the terms of templates (Rümmer, Subotić, *Exploring interpolants*, FMCAD 2013).
//!
//! A proof takes whatever facts it finds, and interpolants speak of them: of one value of a loop counter after the other. An interpolation abstraction hides facts from the proof beforehand. Each variable that crosses a cut
//! is doubled, and of its copies nothing is known but that some *template terms* have the same value on both sides. If the parts contradict each other even so, the interpolants can be written in the template terms, and are interpolants
//! of the original parts.
//!
//! # The query
//!
//! Every part has its own copy of each hidden variable. For each template `t` that is kept and each cut, a fresh variable stands for the value of `t` there: the part before the cut and the part behind it both say that it is `t` of their own copies. So the
//! fresh variables are all that the sides of a cut share, besides what is not hidden; after interpolation, `t` of the original variables takes their places. A template of a single variable is kept by not hiding the variable at all.
//!
//! # The lattice
//!
//! Sets of templates are a lattice by inclusion: the empty set hides everything, and the set of all single variables nothing. Wanted is a smallest set that leaves a contradiction. Templates have ranks. They are switched on rank by rank
//! until there is a contradiction, the templates that it uses are the first candidate, and each of them is left out for a try, those of high ranks first. The result is a minimal set if the number of questions suffices; a set that is not minimal is as good as
//! any other abstraction.

use super::narrow;
use super::{CommonPrefix, Cost, InterpolationConfig, SequenceResult, finish_sequence};
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::Part;
use crate::solver::{Answer, Solver};
use crate::term::{Symbol, SymbolId, Term, TermId, TermPool};

/// Ticks of one question about a set of templates.
const QUESTION_TICKS: u64 = 50_000;

/// Ticks of all questions about one sequence.
const SEARCH_TICKS: u64 = 500_000;

/// The most variables that are paired: those that cross the most cuts.
const MAX_PAIRED: usize = 10;

choice! {
    /// The terms of templates over the hidden variables, besides the variables themselves.
    TemplateTerms {
        /// No others.
        #[default]
        Variables = "variables",
        /// The differences of two variables.
        Differences = "differences",
        /// The sums of two variables.
        Sums = "sums",
    }
}

/// A variable that is hidden, in all of its versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenVariable {
    /// Its name.
    pub name: SymbolId,
    /// The rank of the template that is the variable itself, from 1; without one the variable is no template.
    pub rank: Option<u32>,
}

/// The hidden variables, and the templates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abstraction {
    /// The hidden integer variables. Those that are no integer variables of the parts do not matter.
    pub hidden: Vec<HiddenVariable>,
    /// Templates of two variables; their rank is 0.
    pub terms: TemplateTerms,
    /// The most sets of templates that are asked about for one sequence.
    pub most: usize,
}

/// A template: a linear term over hidden variables.
#[derive(Clone, Debug)]
struct Template {
    monomials: Vec<(Int, SymbolId)>,
    rank: u32,
}

/// The places of the versions of a hidden variable.
struct Crossings {
    /// The first and the last part of each symbol of a hidden name.
    spans: FxHashMap<Symbol, (usize, usize)>,
    /// The version that crosses a cut.
    versions: FxHashMap<(SymbolId, usize), Symbol>,
    /// The hidden names that cross some cut, the most crossings first.
    names: Vec<SymbolId>,
}

impl Crossings {
    /// A name of which two versions cross the same cut is not hidden.
    fn new(pool: &TermPool, parts: &[TermId], abstraction: &Abstraction) -> Crossings {
        let wanted: FxHashSet<SymbolId> = abstraction.hidden.iter().map(|hidden| hidden.name).collect();
        let mut spans: FxHashMap<Symbol, (usize, usize)> = FxHashMap::default();
        let mut others: FxHashSet<SymbolId> = FxHashSet::default();
        for (number, &part) in parts.iter().enumerate() {
            for term in pool.sub_terms(&[part]) {
                match pool.term(term) {
                    Term::IntVar(symbol) if wanted.contains(&symbol.name) => {
                        spans.entry(*symbol).or_insert((number, number)).1 = number;
                    }
                    other => other.for_each_symbol(|symbol| {
                        others.insert(symbol.name);
                    }),
                }
            }
        }
        spans.retain(|symbol, _| !others.contains(&symbol.name));
        let mut versions = FxHashMap::default();
        let mut ambiguous = FxHashSet::default();
        let mut counts: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for (&symbol, &(first, last)) in &spans {
            for cut in first..last {
                if versions.insert((symbol.name, cut), symbol).is_some() {
                    ambiguous.insert(symbol.name);
                }
                *counts.entry(symbol.name).or_default() += 1;
            }
        }
        spans.retain(|symbol, _| !ambiguous.contains(&symbol.name));
        versions.retain(|(name, _), _| !ambiguous.contains(name));
        counts.retain(|name, _| !ambiguous.contains(name));
        let mut names: Vec<SymbolId> = counts.keys().copied().collect();
        names.sort_by(|a, b| counts[b].cmp(&counts[a]).then_with(|| pool.name(*a).cmp(pool.name(*b))));
        Crossings { spans, versions, names }
    }

    /// Keeps only these names hidden.
    fn restrict(&mut self, is_hidden: impl Fn(SymbolId) -> bool) {
        self.spans.retain(|symbol, _| is_hidden(symbol.name));
        self.names.retain(|&name| is_hidden(name));
    }

    /// The variable as a part sees it: its own copy if it is hidden.
    fn at(&self, pool: &mut TermPool, symbol: Symbol, part: usize) -> TermId {
        let symbol = self.copy(pool, symbol, part);
        pool.int_var(symbol.name, symbol.index)
    }

    fn copy(&self, pool: &mut TermPool, symbol: Symbol, part: usize) -> Symbol {
        match self.spans.get(&symbol) {
            Some(&(first, last)) if first < last => {
                let name = format!("{} in part {part}", pool.name(symbol.name));
                let name = pool.symbol(&name);
                Symbol { name, ..symbol }
            }
            _ => symbol,
        }
    }

    /// The parts over their own copies.
    fn doubled(&self, pool: &mut TermPool, parts: &[TermId]) -> Vec<TermId> {
        let mut doubled = Vec::with_capacity(parts.len());
        for (number, &part) in parts.iter().enumerate() {
            let copies: FxHashMap<Symbol, Symbol> = pool
                .symbols(part)
                .into_iter()
                .map(|symbol| (symbol, self.copy(pool, symbol, number)))
                .collect();
            doubled.push(pool.map_symbols(part, &mut |symbol| copies[&symbol]));
        }
        doubled
    }

    /// The symbols of a template's variables at a cut, if all of them cross it.
    fn symbols(&self, template: &Template, cut: usize) -> Option<Vec<Symbol>> {
        let versions = template.monomials.iter();
        versions
            .map(|(_, name)| self.versions.get(&(*name, cut)).copied())
            .collect()
    }
}

impl Template {
    /// The template over these terms, one for each of its variables.
    fn over(&self, pool: &mut TermPool, terms: &[TermId]) -> TermId {
        let factors = self.monomials.iter().map(|(factor, _)| factor.clone());
        let monomials: Vec<(Int, TermId)> = factors.zip(terms.iter().copied()).collect();
        pool.linear(&monomials, Int::from(0))
    }

    /// The template over the copies of a part.
    fn inside(&self, pool: &mut TermPool, crossings: &Crossings, symbols: &[Symbol], part: usize) -> TermId {
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| crossings.at(pool, symbol, part)).collect();
        self.over(pool, &terms)
    }
}

/// The templates, in the order in which they are wanted.
fn templates(abstraction: &Abstraction, names: &[SymbolId]) -> Vec<Template> {
    let mut templates = Vec::new();
    let one = || Int::from(1);
    let factor = match abstraction.terms {
        TemplateTerms::Variables => None,
        TemplateTerms::Differences => Some(Int::from(-1)),
        TemplateTerms::Sums => Some(one()),
    };
    if let Some(factor) = factor {
        for (at, &first) in names.iter().enumerate() {
            templates.extend(names[at + 1..].iter().map(|&second| Template {
                monomials: vec![(one(), first), (factor.clone(), second)],
                rank: 0,
            }));
        }
    }
    for &name in names {
        let hidden = abstraction.hidden.iter().find(|hidden| hidden.name == name);
        templates.extend(hidden.and_then(|hidden| hidden.rank).map(|rank| Template {
            monomials: vec![(one(), name)],
            rank,
        }));
    }
    templates.sort_by_key(|template| template.rank);
    templates
}

/// The search through the lattice.
struct Search {
    solver: Solver,
    /// For each template that its copies agree at all cuts.
    agreements: Vec<TermId>,
    questions: usize,
    most: usize,
    limit: u64,
}

impl Search {
    /// The templates of a set that a contradiction uses, if there is one that is found within the limits.
    fn core(&mut self, pool: &mut TermPool, set: &[usize]) -> Option<Vec<usize>> {
        let spent = self.solver.ticks();
        if self.questions >= self.most || spent >= self.limit {
            return None;
        }
        self.questions += 1;
        self.solver.set_tick_limit(Some(QUESTION_TICKS.min(self.limit - spent)));
        let assumed: Vec<TermId> = set.iter().map(|&at| self.agreements[at]).collect();
        if self.solver.check(pool, &assumed) != Answer::Unsat {
            return None;
        }
        let core: FxHashSet<TermId> = self.solver.core().into_iter().collect();
        let used = set.iter().copied();
        Some(used.filter(|&at| core.contains(&self.agreements[at])).collect())
    }

    /// A small set of templates that leaves a contradiction. They stand in the order of their ranks.
    fn run(&mut self, pool: &mut TermPool, templates: &[Template]) -> Option<Vec<usize>> {
        let mut ends: Vec<usize> = (1..templates.len())
            .filter(|&at| templates[at].rank > templates[at - 1].rank)
            .collect();
        ends.push(templates.len());
        let found = ends.into_iter().find_map(|end| {
            let set: Vec<usize> = (0..end).collect();
            self.core(pool, &set)
        });
        let mut kept = found?;
        for candidate in kept.clone().into_iter().rev() {
            if !kept.contains(&candidate) {
                continue;
            }
            let rest: Vec<usize> = kept.iter().copied().filter(|&at| at != candidate).collect();
            if let Some(core) = self.core(pool, &rest) {
                kept = core;
            }
        }
        Some(kept)
    }
}

/// Interpolates a sequence under a small abstraction that leaves the contradiction. `None` if no abstraction is found that hides anything; then nothing is known of the sequence. The first sequence is the one that
/// is taken; with a portfolio the different ones of its other variants follow, see [`CommonPrefix::others`].
pub fn abstracted(
    pool: &mut TermPool,
    parts: &[TermId],
    abstraction: &Abstraction,
    config: &InterpolationConfig,
) -> (Option<Vec<Vec<TermId>>>, Cost) {
    let mut cost = Cost::default();
    let mut crossings = Crossings::new(pool, parts, abstraction);
    if abstraction.terms != TemplateTerms::Variables {
        let paired: FxHashSet<SymbolId> = crossings.names.iter().take(MAX_PAIRED).copied().collect();
        crossings.restrict(|name| paired.contains(&name));
    }
    if crossings.names.is_empty() {
        return (None, cost);
    }
    let templates = templates(abstraction, &crossings.names);
    let Some(kept) = search(pool, parts, abstraction, config, &crossings, &templates, &mut cost) else {
        return (None, cost);
    };
    let visible: FxHashSet<SymbolId> = kept
        .iter()
        .filter_map(|&at| match templates[at].monomials[..] {
            [(_, name)] => Some(name),
            _ => None,
        })
        .collect();
    crossings.restrict(|name| !visible.contains(&name));
    if crossings.names.is_empty() {
        return (None, cost);
    }
    let kept: Vec<&Template> = kept.into_iter().map(|at| &templates[at]).collect();
    let (doubled, meanings) = in_templates(pool, parts, &crossings, &kept);
    let inside = InterpolationConfig {
        ticks: config.ticks.map(|ticks| ticks.saturating_sub(cost.ticks)),
        ..config.clone()
    };
    let (&last, prefix) = doubled.split_last().expect("variables cross a cut");
    let mut chain = CommonPrefix::new(pool, prefix, &inside);
    let (result, spent) = chain.sequence_with_cost(pool, last, &inside);
    cost.add(&spent);
    let SequenceResult::Unsat(first) = result else {
        return (None, cost);
    };
    let mut sequences = vec![first];
    sequences.extend(chain.take_others());
    for sequence in &mut sequences {
        for interpolant in sequence.iter_mut() {
            *interpolant = pool.substitute(*interpolant, &meanings);
        }
        let check_alone = InterpolationConfig {
            drop_redundant: false,
            ..config.clone()
        };
        finish_sequence(pool, parts, sequence, None, &check_alone, &mut cost);
    }
    cost.abstracted += 1;
    (Some(sequences), cost)
}

fn search(
    pool: &mut TermPool,
    parts: &[TermId],
    abstraction: &Abstraction,
    config: &InterpolationConfig,
    crossings: &Crossings,
    templates: &[Template],
    cost: &mut Cost,
) -> Option<Vec<usize>> {
    let mut solver = narrow::solver(config, false);
    for part in crossings.doubled(pool, parts) {
        solver.assert(pool, part, Part(0));
    }
    let agreements = templates.iter().map(|template| {
        let cuts = (0..parts.len() - 1).filter_map(|cut| Some((cut, crossings.symbols(template, cut)?)));
        let equations: Vec<TermId> = cuts
            .map(|(cut, symbols)| {
                let before = template.inside(pool, crossings, &symbols, cut);
                let behind = template.inside(pool, crossings, &symbols, cut + 1);
                pool.eq(before, behind)
            })
            .collect();
        pool.and(&equations)
    });
    let mut search = Search {
        agreements: agreements.collect(),
        solver,
        questions: 0,
        most: abstraction.most,
        limit: config.ticks.map_or(SEARCH_TICKS, |ticks| ticks.min(SEARCH_TICKS)),
    };
    let kept = search.run(pool, templates);
    cost.ticks = cost.ticks.saturating_add(search.solver.ticks());
    cost.elements += u64::try_from(search.questions).unwrap_or(u64::MAX);
    kept
}

/// The parts over their copies, with the values of the templates at each cut; and the templates that these values stand for.
fn in_templates(
    pool: &mut TermPool,
    parts: &[TermId],
    crossings: &Crossings,
    templates: &[&Template],
) -> (Vec<TermId>, FxHashMap<TermId, TermId>) {
    let mut doubled = crossings.doubled(pool, parts);
    let mut meanings = FxHashMap::default();
    let pairs = templates.iter().filter(|template| template.monomials.len() > 1);
    for (number, template) in pairs.enumerate() {
        let value = pool.symbol(&format!("value of template {number}"));
        for cut in 0..parts.len() - 1 {
            let Some(symbols) = crossings.symbols(template, cut) else {
                continue;
            };
            if symbols.iter().all(|symbol| !crossings.spans.contains_key(symbol)) {
                continue;
            }
            let here = pool.int_var(value, u32::try_from(cut).expect("parts are numbered with 32 bits"));
            for part in [cut, cut + 1] {
                let term = template.inside(pool, crossings, &symbols, part);
                let equation = pool.eq(here, term);
                doubled[part] = pool.and2(doubled[part], equation);
            }
            let originals: Vec<TermId> = symbols
                .iter()
                .map(|symbol| pool.int_var(symbol.name, symbol.index))
                .collect();
            meanings.insert(here, template.over(pool, &originals));
        }
    }
    (doubled, meanings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolate::{check_sequence, sequence};

    /// `i = 0, n >= 0`, rounds with `i != n, i' = i + 1`, and an end with `i > n`.
    fn counting(pool: &mut TermPool, rounds: u32) -> Vec<TermId> {
        let (i, n) = (pool.symbol("i"), pool.symbol("n"));
        let at: Vec<TermId> = (0..=rounds).map(|version| pool.int_var(i, version)).collect();
        let n = pool.int_var(n, 0);
        let (zero, one) = (pool.int(0), pool.int(1));
        let (starts, positive) = (pool.eq(at[0], zero), pool.le(zero, n));
        let mut parts = vec![pool.and2(starts, positive)];
        for round in at.windows(2) {
            let (leaves, next) = (pool.eq(round[0], n), pool.add(round[0], one));
            let (stays, steps) = (pool.not(leaves), pool.eq(round[1], next));
            parts.push(pool.and2(stays, steps));
        }
        parts.push(pool.lt(n, at[at.len() - 1]));
        parts
    }

    fn texts(pool: &TermPool, terms: &[TermId]) -> String {
        let texts: Vec<String> = terms.iter().map(|&term| pool.to_smtlib(term)).collect();
        texts.join(" ")
    }

    fn abstraction(pool: &mut TermPool, terms: TemplateTerms, ranks: [Option<u32>; 2]) -> Abstraction {
        let names = ["i", "n"].map(|name| pool.symbol(name));
        let hidden = names.into_iter().zip(ranks);
        Abstraction {
            hidden: hidden.map(|(name, rank)| HiddenVariable { name, rank }).collect(),
            terms,
            most: 32,
        }
    }

    fn config() -> InterpolationConfig {
        InterpolationConfig {
            check: true,
            // All rounds take part in the refutation, so that the abstraction has something to do.
            suffix_first: false,
            minimise: false,
            ..InterpolationConfig::default()
        }
    }

    #[test]
    fn a_difference_is_a_loop_invariant() {
        let mut pool = TermPool::new();
        let parts = counting(&mut pool, 3);
        let differences = abstraction(&mut pool, TemplateTerms::Differences, [Some(2), Some(1)]);
        let (found, cost) = abstracted(&mut pool, &parts, &differences, &config());
        let found = found.expect("the difference refutes the path");
        assert_eq!(cost.abstracted, 1);
        assert_eq!(found.len(), 1);
        assert_eq!(check_sequence(&mut pool, &parts, &found[0]), Ok(()));
        expect_test::expect![[r#"

            (<= |i@0| |n@0|) (<= |i@1| |n@0|) (<= |i@2| |n@0|) (<= |i@3| |n@0|)"#]]
        .assert_eq(&format!("\n{}", texts(&pool, &found[0])));
    }

    #[test]
    fn what_refutes_without_a_variable_does_not_speak_of_it() {
        let mut pool = TermPool::new();
        let mut parts = counting(&mut pool, 2);
        let (m, zero) = (pool.symbol("m"), pool.int(0));
        let m = pool.int_var(m, 0);
        let is_zero = pool.eq(m, zero);
        parts[0] = pool.and2(parts[0], is_zero);
        let is_other = pool.not(is_zero);
        parts[3] = pool.and2(parts[3], is_other);
        let nothing = abstraction(&mut pool, TemplateTerms::Variables, [None, None]);
        let (found, _) = abstracted(&mut pool, &parts, &nothing, &config());
        assert_eq!(found, Some(vec![vec![is_zero; 3]]));
        // One question is about everything; without a second one nothing is left out.
        let all = abstraction(&mut pool, TemplateTerms::Variables, [Some(1), Some(1)]);
        for (most, expected) in [(0, false), (32, true)] {
            let all = Abstraction { most, ..all.clone() };
            let (found, cost) = abstracted(&mut pool, &parts, &all, &config());
            assert_eq!(found.is_some(), expected, "{found:?}");
            assert!(cost.elements <= 32);
        }
    }

    #[test]
    fn sums_and_what_no_template_refutes() {
        let mut pool = TermPool::new();
        let parts = counting(&mut pool, 3);
        // Nothing but the difference is kept by a round, so that a sum is of no use without single variables.
        let sums = abstraction(&mut pool, TemplateTerms::Sums, [None, None]);
        assert_eq!(abstracted(&mut pool, &parts, &sums, &config()).0, None);
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let version = |pool: &mut TermPool, index| (pool.int_var(x, index), pool.int_var(y, index));
        let ((x0, y0), (x1, y1)) = (version(&mut pool, 0), version(&mut pool, 1));
        let (one, five) = (pool.int(1), pool.int(5));
        let sum = |pool: &mut TermPool, a, b| pool.add(a, b);
        let (before, after) = (sum(&mut pool, x0, y0), sum(&mut pool, x1, y1));
        let (more, less) = (pool.add(x0, one), pool.sub(y0, one));
        let moves = [pool.eq(x1, more), pool.eq(y1, less)];
        let ends = pool.eq(after, five);
        let parts = [pool.eq(before, five), pool.and(&moves), pool.not(ends)];
        let hidden = [x, y].map(|name| HiddenVariable { name, rank: Some(1) });
        let sums = Abstraction {
            hidden: hidden.to_vec(),
            terms: TemplateTerms::Sums,
            most: 32,
        };
        let found = abstracted(&mut pool, &parts, &sums, &config())
            .0
            .expect("the sum stays");
        assert_eq!(check_sequence(&mut pool, &parts, &found[0]), Ok(()));
        let starts = pool.eq(before, five);
        let names = |pool: &TermPool, term| pool.symbols(term).len();
        assert!(
            found[0].iter().all(|&interpolant| names(&pool, interpolant) == 2),
            "{}",
            texts(&pool, &found[0])
        );
        let SequenceResult::Unsat(_) = sequence(&mut pool, &[starts, parts[1], parts[2]], &config()) else {
            panic!("the sum refutes the path");
        };
    }

    #[test]
    fn two_versions_at_one_cut_are_not_hidden() {
        let mut pool = TermPool::new();
        let i = pool.symbol("i");
        let (before, after) = (pool.int_var(i, 0), pool.int_var(i, 1));
        let (zero, one) = (pool.int(0), pool.int(1));
        let next = pool.add(before, one);
        let steps = [pool.eq(before, zero), pool.eq(after, next)];
        let both = pool.eq(before, after);
        let parts = [pool.and(&steps), both];
        let nothing = abstraction(&mut pool, TemplateTerms::Variables, [None, None]);
        assert_eq!(
            abstracted(&mut pool, &parts, &nothing, &config()),
            (None, Cost::default())
        );
    }
}
