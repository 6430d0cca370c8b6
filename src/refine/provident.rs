//! The operator `provident_refine`: a candidate refinement for each of the ranked target states.
//!
//! Nothing here changes the reached set. Error paths are taken in batches; the paths of a batch are analysed in parallel: each worker imports portable
//! formulas of blocks into a term pool of its own, at their places in the path, and hands back portable predicates. Batches have a fixed size, and no further one is begun after one
//! with a feasible path (the thesis's early exit); so neither results nor effort depend on the number of threads.
//!
//! # Shared work
//!
//! * A path that contains a [segment known to be infeasible](super::refuted) gets its refinement from there, before a batch is made.
//! * A batch takes one path for each last block that occurs: paths that end alike are mostly infeasible for the same reason, so the others wait for
//!   the result of the first. A path with the same blocks as an earlier path has the result of that path.
//! * On demand (`refine.joint`), paths that differ in their last block only are one question: the common blocks, and then any of the ends. If that is
//!   infeasible, one proof gives one sequence of interpolants for all of them. If it is not, the model says which end is feasible, and the question is
//!   asked again without it. It is not the default: the joint proofs bring more predicates, which on drivers cost more than the sharing saves.
//! * Paths that differ in their last block only are a *family*: one worker asks about them with one solver, which has the common blocks encoded and each last block in a
//!   scope, and which keeps the values of operators that earlier questions took. On drivers the common blocks take ten times as long as all the ends, so that families
//!   divided among threads take longer than whole ones. (A trie of prefixes would share less, because a refutation is searched from the end of a path and mostly found in its last two blocks.)

use super::Target;
use super::counters::LoopCounters;
use super::interpolation::{Analysed, Chains, Feasibility, Increment, Inquiry};
use super::path::ErrorPath;
use super::refuted::Refuted;
use super::select::Choice;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::{BlockId, PlacedBlock};
use crate::query::effort::Effort;
use provident_smt::term::{TermId, TermPool};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Questions that are asked before the results are looked at.
const BATCH: usize = 16;

/// A target state with the refinement that rules out its error path.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The target state.
    pub target: Target,
    /// Its error path.
    pub path: ErrorPath,
    /// The result.
    pub feasibility: Feasibility,
    /// How many exact values of operators it brought.
    pub new_points: usize,
    /// Whether the result was known without asking the solver.
    pub recognised: bool,
    /// Whether a predicate of the increment is about a loop counter, or there is no increment.
    pub counts_loops: bool,
    /// The effort that its error path took: its part where one question was about several.
    pub ticks: u64,
}

/// How the operator `provident_refine` works.
#[derive(Debug, Clone, Copy)]
pub struct Provident<'a> {
    /// The threads.
    pub workers: &'a rayon::ThreadPool,
    /// How each path is asked about.
    pub inquiry: Inquiry<'a>,
    /// How many paths that differ in their last block only are one question.
    pub joint: usize,
}

/// The operator `provident_refine`, for all ranked targets.
///
/// The paths of a batch share the effort that is left at its beginning. The returned candidates are in rank order; all targets have one, unless
/// a path is feasible or the effort is exhausted. `refuted` holds the segments that are known to be infeasible, and gets the new ones.
pub fn provident_refine(
    predicates: &mut Predicates<'_>,
    targets: &[Target],
    refuted: &mut Refuted,
    how: Provident<'_>,
) -> Vec<Candidate> {
    let paths: Vec<ErrorPath> = targets
        .iter()
        .map(|target| ErrorPath::new(predicates, target))
        .collect();
    let mut found: BTreeMap<usize, Candidate> = BTreeMap::new();
    let mut open: Vec<usize> = (0..targets.len()).collect();
    let mut undecided: BTreeMap<Vec<BlockId>, String> = BTreeMap::new();
    while !open.is_empty() {
        open.retain(|&at| {
            let blocks = &paths[at].blocks;
            let known = match undecided.get(blocks) {
                Some(reason) => Some(Feasibility::Unknown(reason.clone())),
                None => refuted.recognise(blocks).map(Feasibility::Infeasible),
            };
            if let Some(feasibility) = &known {
                let counts_loops = counts_loops(how.inquiry.counters, feasibility);
                found.insert(
                    at,
                    Candidate {
                        target: targets[at].clone(),
                        path: paths[at].clone(),
                        feasibility: feasibility.clone(),
                        new_points: 0,
                        recognised: true,
                        counts_loops,
                        ticks: 0,
                    },
                );
            }
            known.is_none()
        });
        let batch = questions(&open, &paths, how.joint);
        let mut feasible = false;
        for (question, answers) in batch.iter().zip(ask(predicates, &batch, &paths, how)) {
            for answer in answers {
                let mut new_points = predicates.learn(&answer.analysed.points);
                let feasibility = answer.analysed.feasibility;
                let parts = parts(answer.ticks, answer.members.len());
                for (at, part) in answer.members.into_iter().map(|member| question[member]).zip(parts) {
                    let path = &paths[at];
                    let before = predicates.effort.spent;
                    let feasibility = match &feasibility {
                        Feasibility::Unknown(reason) => match single_path(predicates, path, how) {
                            Some(single) => {
                                new_points += predicates.learn(&single.points);
                                without_segment(single.feasibility)
                            }
                            None => Feasibility::Unknown(reason.clone()),
                        },
                        other => other.clone(),
                    };
                    match &feasibility {
                        Feasibility::Infeasible(increment) => refuted.add(&path.blocks, increment),
                        Feasibility::Unknown(reason) => drop(undecided.insert(path.blocks.clone(), reason.clone())),
                        Feasibility::Feasible => feasible = true,
                    }
                    found.insert(
                        at,
                        Candidate {
                            target: targets[at].clone(),
                            path: path.clone(),
                            counts_loops: counts_loops(how.inquiry.counters, &feasibility),
                            feasibility,
                            new_points: std::mem::take(&mut new_points),
                            recognised: false,
                            ticks: part + (predicates.effort.spent - before),
                        },
                    );
                }
            }
        }
        open.retain(|at| !found.contains_key(at));
        if feasible || predicates.effort.is_exhausted() {
            break;
        }
    }
    found.into_values().collect()
}

/// A batch: open paths, each with another last block, put together where they differ in nothing else. In rank order of their first paths.
fn questions(open: &[usize], paths: &[ErrorPath], joint: usize) -> Vec<Vec<usize>> {
    let mut ends = BTreeSet::new();
    let mut questions: Vec<Vec<usize>> = Vec::new();
    for &at in open {
        let (last, prefix) = paths[at].blocks.split_last().expect("a path has blocks");
        let joins = |question: &&mut Vec<usize>| {
            let other = &paths[question[0]].blocks;
            question.len() < joint && other[..other.len() - 1] == *prefix
        };
        if ends.contains(last) {
            continue;
        }
        if let Some(question) = questions.iter_mut().find(joins) {
            question.push(at);
        } else if questions.len() < BATCH {
            questions.push(vec![at]);
        } else {
            continue;
        }
        ends.insert(*last);
    }
    questions
}

/// The result for some members of a question.
#[derive(Debug, Clone)]
struct Answer {
    /// Their positions in it.
    members: Vec<usize>,
    analysed: Analysed,
    /// The effort since the answer before, or since the family was begun.
    ticks: u64,
}

/// A number in parts that differ by one at most.
fn parts(whole: u64, count: usize) -> impl Iterator<Item = u64> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    (0..count).map(move |at| whole / count + u64::from(at < whole % count))
}

/// Answers the questions in parallel, family by family, within the effort that is left. Records the effort in the order of the questions.
fn ask(
    predicates: &mut Predicates<'_>,
    questions: &[Vec<usize>],
    paths: &[ErrorPath],
    how: Provident<'_>,
) -> Vec<Vec<Answer>> {
    let families = families(questions, paths);
    let chains: Vec<(Vec<PlacedBlock>, usize, Vec<usize>)> = families
        .iter()
        .map(|family| {
            let members: Vec<&ErrorPath> = family
                .iter()
                .flat_map(|&question| questions[question].iter().map(|&at| &paths[at]))
                .collect();
            let (blocks, prefix) = placed_blocks(predicates, &members);
            let sizes = family.iter().map(|&question| questions[question].len()).collect();
            (blocks, prefix, sizes)
        })
        .collect();
    let start = predicates.effort.clone();
    let work = |(blocks, prefix, sizes): &(Vec<PlacedBlock>, usize, Vec<usize>), limit: Option<u64>| {
        let mut effort = Effort {
            spent: 0,
            limit,
            checks: start.checks.fresh(),
            ..start.clone()
        };
        (answer_family(blocks, *prefix, sizes, &mut effort, how), effort)
    };
    // Together they keep to what is left: each gets an equal share, and those for which that is too little are asked again, one after the other.
    let share = start
        .remaining()
        .map(|left| left / u64::try_from(chains.len().max(1)).unwrap_or(u64::MAX));
    let mut results: Vec<(Vec<Vec<Answer>>, Effort)> = if chains.len() > 1 {
        how.workers
            // Each family can go to another thread: some take a hundred times as long as others.
            .install(|| {
                chains
                    .par_iter()
                    .with_max_len(1)
                    .map(|chain| work(chain, share))
                    .collect()
            })
    } else {
        chains.iter().map(|chain| work(chain, share)).collect()
    };
    let mut spent = results
        .iter()
        .fold(0, |sum: u64, (_, effort)| sum.saturating_add(effort.spent));
    for (chain, (found, effort)) in chains.iter().zip(&mut results).filter(|_| chains.len() > 1) {
        let Some(left) = start.remaining().map(|all| all.saturating_sub(spent)) else {
            break;
        };
        if effort.remaining() == Some(0) && left > 0 {
            let before = std::mem::take(effort);
            (*found, *effort) = work(chain, Some(left));
            spent = spent.saturating_add(effort.spent);
            effort.spent = effort.spent.saturating_add(before.spent);
            effort.checks.add(&before.checks);
        }
    }
    let mut answers = vec![Vec::new(); questions.len()];
    for (family, (found, spent)) in families.into_iter().zip(results) {
        predicates.effort.spent = predicates.effort.spent.saturating_add(spent.spent);
        predicates.effort.checks.add(&spent.checks);
        for (question, found) in family.into_iter().zip(found) {
            answers[question] = found;
        }
    }
    answers
}

/// The questions about paths that differ in their last block only, so that they share a solver: families, by their positions.
fn families(questions: &[Vec<usize>], paths: &[ErrorPath]) -> Vec<Vec<usize>> {
    let mut families: Vec<Vec<usize>> = Vec::new();
    let prefix = |question: usize| {
        let blocks = &paths[questions[question][0]].blocks;
        &blocks[..blocks.len() - 1]
    };
    for question in 0..questions.len() {
        let joins = |family: &&mut Vec<usize>| prefix(family[0]) == prefix(question);
        match families.iter_mut().find(joins) {
            Some(family) => family.push(question),
            None => families.push(vec![question]),
        }
    }
    families
}

/// Answers the questions of a family one after the other. `sizes` says how many of the ends belong to each.
fn answer_family(
    blocks: &[PlacedBlock],
    prefix: usize,
    sizes: &[usize],
    effort: &mut Effort,
    how: Provident<'_>,
) -> Vec<Vec<Answer>> {
    let mut pool = TermPool::new();
    let parts: Vec<TermId> = blocks.iter().map(|block| block.import(&mut pool)).collect();
    let (prefix, mut ends) = parts.split_at(prefix);
    let mut since = effort.spent;
    let mut chains = Chains::new(&pool, prefix, effort, how.inquiry);
    let mut answers = Vec::new();
    for &size in sizes {
        let (own, rest) = ends.split_at(size);
        ends = rest;
        answers.push(answer(&mut pool, &mut chains, own, effort, &mut since));
    }
    answers
}

/// Answers one question: feasible members one by one, then one result for all others. If there is no common result, each of these is checked alone. `since` is the effort up to which answers were charged.
fn answer(
    pool: &mut TermPool,
    chains: &mut Chains<'_>,
    ends: &[TermId],
    effort: &mut Effort,
    since: &mut u64,
) -> Vec<Answer> {
    let mut open: Vec<usize> = (0..ends.len()).collect();
    let mut answers = Vec::new();
    let mut put = |members: Vec<usize>, analysed: Analysed, spent: u64| {
        let ticks = spent - std::mem::replace(since, spent);
        answers.push(Answer {
            members,
            analysed,
            ticks,
        });
    };
    while !open.is_empty() {
        let asked: Vec<_> = open.iter().map(|&member| ends[member]).collect();
        let analysed = chains.analyse(pool, &asked, effort);
        match analysed.feasibility {
            Feasibility::Feasible => put(vec![open.remove(analysed.taken)], analysed, effort.spent),
            Feasibility::Unknown(_) if open.len() > 1 => {
                for member in std::mem::take(&mut open) {
                    let alone = chains.analyse(pool, &[ends[member]], effort);
                    put(vec![member], alone, effort.spent);
                }
            }
            _ => put(std::mem::take(&mut open), analysed, effort.spent),
        }
    }
    answers
}

/// The blocks of paths that differ in their last ones only, ready for another term pool: the common ones, whose number is returned, and then
/// one for each end.
fn placed_blocks(predicates: &mut Predicates<'_>, paths: &[&ErrorPath]) -> (Vec<PlacedBlock>, usize) {
    let prefix = &paths[0].blocks[..paths[0].blocks.len() - 1];
    let lasts: Vec<BlockId> = paths.iter().filter_map(|path| path.blocks.last().copied()).collect();
    let Predicates {
        blocks, encoder, pool, ..
    } = predicates;
    (blocks.placed_chain(encoder, pool, prefix, &lasts), prefix.len())
}

/// When the merged blocks cannot be decided: one single path through them, which is much simpler, among those that the abstraction
/// allows. `None` if that does not help either.
fn single_path(predicates: &mut Predicates<'_>, path: &ErrorPath, how: Provident<'_>) -> Option<Analysed> {
    if predicates.effort.is_exhausted() {
        return None;
    }
    let singles = predicates.abstract_paths(&path.blocks, &path.boundaries)?;
    let Predicates {
        blocks,
        encoder,
        pool,
        effort,
        ..
    } = predicates;
    let parts = blocks.chain(encoder, pool, &singles);
    let (last, prefix) = parts.split_last().expect("a path has blocks");
    let mut chains = Chains::new(pool, prefix, effort, how.inquiry);
    let analysed = chains.analyse(pool, &[*last], effort);
    match analysed.feasibility {
        Feasibility::Unknown(_) => None,
        _ => Some(analysed),
    }
}

/// Removes the segment: the result for a single path is none for the blocks through which it leads.
fn without_segment(feasibility: Feasibility) -> Feasibility {
    match feasibility {
        Feasibility::Infeasible(increment) => Feasibility::Infeasible(Increment {
            segment: None,
            ..increment
        }),
        other => other,
    }
}

fn counts_loops(counters: &LoopCounters, feasibility: &Feasibility) -> bool {
    let Feasibility::Infeasible(increment) = feasibility else {
        // Undecided chains wait as long as loop counters do.
        return true;
    };
    let mut pool = TermPool::new();
    let predicates = pool.import(&increment.predicates);
    predicates.iter().any(|&predicate| counters.occur_in(&pool, predicate))
}

impl Candidate {
    /// The refinement, if the chain is infeasible.
    pub fn increment(&self) -> Option<&Increment> {
        match &self.feasibility {
            Feasibility::Infeasible(increment) => Some(increment),
            _ => None,
        }
    }

    /// The blocks that its refinement rules out wherever they stand.
    fn segment(&self) -> Option<&[BlockId]> {
        let (start, end) = self.increment()?.segment?;
        Some(&self.path.blocks[start..end])
    }
}

impl Choice for Candidate {
    fn size(&self) -> usize {
        self.increment()
            .map_or(usize::MAX, |increment| increment.counts.iter().sum())
    }

    fn counts_loops(&self) -> bool {
        self.counts_loops
    }

    fn rules_out(&self, other: &Self) -> bool {
        let same = self.path.blocks == other.path.blocks;
        let inside = |segment: &[BlockId]| other.path.blocks.windows(segment.len()).any(|blocks| blocks == segment);
        same || self.segment().is_some_and(inside)
    }
}
