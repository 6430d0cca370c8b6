//! Algorithm 2 (`Refine+`) of *Refinement selection* (Beyer, Löwe, Wendler, SPIN 2015) up to the choice: for each infeasible sliced prefix of an error path the precision that refutes it.
//!
//! With a portfolio of interpolants ([`Portfolio`](provident_smt::interpolate::Portfolio)) each variant that is read off the proof of a prefix is a refinement of its own, so that the preference chooses among all variants of all prefixes.
//!
//! The refinement of a prefix is the usual one ([`interpolation`](crate::refine::interpolation)), with interpolants that are `false` behind the prefix. Under `--check` they are checked to be interpolants of the prefix.
//!
//! A path without such a prefix is feasible, or not decided; then it is asked about as a whole, and its model may bring exact values of operators. A prefix without interpolants is no alternative.

use super::extract::{SlicedPrefix, extract_sliced_prefixes};
use crate::cpa::predicate::guarded::{GuardedBlock, GuardedPart};
use crate::query::effort::Effort;
use crate::refine::interpolation::{Analysed, Chains, Feasibility, Increment, Inquiry};
use crate::refine::prefer::JudgedPredicates;
use provident_smt::term::{TermId, TermPool};

/// The refinement that an infeasible sliced prefix brings.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The predicates, for the boundaries of the whole path.
    pub increment: Increment,
    /// The length of the prefix.
    pub length: Length,
}

impl Alternative {
    /// The alternative as heuristics see it.
    pub fn judged(&self) -> JudgedPredicates<'_> {
        JudgedPredicates {
            increment: &self.increment,
            length: self.length,
        }
    }
}

/// The length of a prefix: its blocks, and how many assumptions of the last one it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length {
    /// The blocks.
    pub blocks: usize,
    /// The assumptions of the last one.
    pub assumptions: usize,
}

impl Length {
    /// The length of the prefix that a refinement refutes, in whole blocks.
    pub fn of(increment: &Increment) -> Length {
        let contradiction = increment.contradictions.iter().position(|is_false| *is_false);
        Length {
            blocks: contradiction.unwrap_or(increment.contradictions.len()) + 1,
            assumptions: usize::MAX,
        }
    }
}

/// The result for an error path.
#[derive(Debug, Clone)]
pub struct Alternatives {
    /// The refinements, those of the shortest prefix first; of one prefix the one that its portfolio finds best.
    pub refinements: Vec<Alternative>,
    /// How many prefixes there are.
    pub prefixes: usize,
    /// The result for the path as a whole, if there is no refinement.
    pub whole: Option<Analysed>,
}

/// How far alternatives are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The most prefixes.
    pub prefixes: usize,
    /// The ticks that prefixes and their refinements may take, but for the first refinement: without one the exploration could not go on.
    pub ticks: u64,
}

/// The alternatives for an error path, in a pool of their own. Adds the effort.
pub fn alternatives(path: &[GuardedBlock], bounds: Bounds, inquiry: Inquiry<'_>, effort: &mut Effort) -> Alternatives {
    let mut pool = TermPool::new();
    let path: Vec<GuardedPart> = path.iter().map(|block| block.import(&mut pool)).collect();
    let mut search = effort.share(effort.remaining().into_iter().chain([bounds.ticks]).min());
    // Where there is one block there is no boundary.
    let prefixes = match path.len() {
        0 | 1 => Vec::new(),
        _ => extract_sliced_prefixes(&mut pool, &path, bounds.prefixes, &mut search),
    };
    effort.add(&search);
    let mut left = bounds.ticks.saturating_sub(search.spent);
    let mut refinements: Vec<Alternative> = Vec::new();
    for prefix in &prefixes {
        let allowance = (!refinements.is_empty()).then_some(left);
        if allowance == Some(0) {
            break;
        }
        let mut own = effort.share(effort.remaining().into_iter().chain(allowance).min());
        refinements.extend(refinements_of(&mut pool, &path, prefix, inquiry, &mut own));
        left = left.saturating_sub(own.spent);
        effort.add(&own);
    }
    let whole = refinements.is_empty().then(|| {
        let all = path.iter().map(|part| {
            let values = part.guards.iter().map(|&guard| (guard, pool.mk_true())).collect();
            pool.substitute(part.formula, &values)
        });
        let all: Vec<TermId> = all.collect();
        let (&last, before) = all.split_last().expect("a path has blocks");
        Chains::new(&pool, before, effort, inquiry).analyse(&mut pool, &[last], effort)
    });
    Alternatives {
        refinements,
        prefixes: prefixes.len(),
        whole,
    }
}

/// The refinements for a prefix, one for each different sequence of a portfolio; none if no interpolants are found.
fn refinements_of(
    pool: &mut TermPool,
    path: &[GuardedPart],
    prefix: &SlicedPrefix,
    inquiry: Inquiry<'_>,
    effort: &mut Effort,
) -> Vec<Alternative> {
    let formulas = prefix.formulas(pool, path);
    let Some((&last, before)) = formulas.split_last() else {
        return Vec::new();
    };
    let behind = path.len() - formulas.len();
    let chains = Chains::new(pool, before, effort, inquiry).followed_by(behind);
    let analysed = chains.with_variants().analyse(pool, &[last], effort);
    let Feasibility::Infeasible(increment) = analysed.feasibility else {
        return Vec::new();
    };
    let length = Length {
        blocks: prefix.parts,
        assumptions: prefix.assumptions,
    };
    let increments = std::iter::once(increment).chain(analysed.variants);
    increments.map(|increment| Alternative { increment, length }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refine::builtin::BuiltIn;
    use crate::refine::counters::LoopCounters;
    use crate::refine::procedure::Procedure;
    use provident_smt::interpolate::{Members, Merit, Portfolio};

    /// `x <= 0`, then `x >= 7` or, behind it, `x >= 9`: two prefixes, and for each of them a bound that one side says and one that the other says.
    #[test]
    fn all_variants_of_all_prefixes_are_alternatives() {
        let mut pool = TermPool::new();
        let names = ["x", "g", "h"].map(|name| pool.symbol(name));
        let x = pool.int_var(names[0], 0);
        let guards = [pool.bool_var(names[1], 0), pool.bool_var(names[2], 0)];
        let bounds = [0, 7, 9].map(|bound| pool.int(bound));
        let (low, middle, high) = (pool.le(x, bounds[0]), pool.le(bounds[1], x), pool.le(bounds[2], x));
        let parts = [
            (low, Vec::new()),
            (pool.implies(guards[0], middle), vec![guards[0]]),
            (pool.implies(guards[1], high), vec![guards[1]]),
        ];
        let path = parts.map(|(formula, guards)| GuardedPart { formula, guards });
        let counters = LoopCounters::default();
        let mut texts = String::new();
        for members in [None, Some(Members::All)] {
            let inquiry = Inquiry {
                counters: &counters,
                types: None,
                check: true,
                procedure: Procedure {
                    portfolio: members.map(|members| Portfolio {
                        members,
                        merit: Merit::Size,
                    }),
                    ..Procedure::default()
                },
                built_in: BuiltIn::ALL,
            };
            let mut effort = Effort::default();
            let prefixes = extract_sliced_prefixes(&mut pool, &path, 9, &mut effort);
            let mut found = Vec::new();
            for prefix in &prefixes {
                found.extend(refinements_of(&mut pool, &path, prefix, inquiry, &mut effort));
            }
            for Alternative { increment, length } in found {
                let mut pool = TermPool::new();
                let interpolants = pool.import(&increment.interpolants);
                let interpolants: Vec<String> = interpolants.iter().map(|&term| pool.to_smtlib(term)).collect();
                texts += &format!("{members:?} {}: {}\n", length.blocks, interpolants.join(" "));
            }
        }
        expect_test::expect![[r#"
            None 2: (<= x 0) false
            None 3: (<= x 0) (<= x 0)
            Some(All) 2: (<= x 0) false
            Some(All) 2: (<= x 6) false
            Some(All) 3: (<= x 0) (<= x 0)
            Some(All) 3: (<= x 8) (<= x 8)
        "#]]
        .assert_eq(&texts);
    }
}
