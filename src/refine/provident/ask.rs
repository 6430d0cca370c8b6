//! The questions of a batch, and their answers: in parallel, within the effort that is left.

use super::Provident;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::{BlockId, PlacedBlock};
use crate::cpa::predicate::guarded::GuardedBlock;
use crate::query::effort::Effort;
use crate::query::points::Point;
use crate::refine::interpolation::{Analysed, Chains, Feasibility};
use crate::refine::path::ErrorPath;
use crate::refine::prefer::{Judge, PathId};
use crate::refine::prefix::alternatives::{Alternative, Alternatives, Bounds, Length, alternatives};
use provident_smt::term::{TermId, TermPool};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Questions that are asked before the results are looked at.
const BATCH: usize = 16;

/// A batch: open paths, each with another last block, put together where they differ in nothing else. In rank order of their first paths.
pub(super) fn questions(open: &[usize], paths: &[ErrorPath], joint: usize) -> Vec<Vec<usize>> {
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
#[derive(Clone)]
pub(super) struct Answer {
    /// The members, by their positions in the question.
    pub members: Vec<usize>,
    /// The result.
    pub feasibility: Feasibility,
    /// The points of non-linear operators that it took.
    pub points: Vec<Point>,
    /// How many infeasible sliced prefixes there were to choose among.
    pub prefixes: usize,
    /// The length of the one that was chosen.
    pub length: Option<Length>,
    /// The effort that it took.
    pub ticks: u64,
}

impl Answer {
    /// The result for paths as wholes.
    fn whole(members: Vec<usize>, analysed: Analysed, ticks: u64) -> Answer {
        Answer {
            members,
            feasibility: analysed.feasibility,
            points: analysed.points,
            prefixes: 0,
            length: None,
            ticks,
        }
    }
}

/// Answers the questions in parallel, family by family, within the effort that is left. Records the effort in the order of the questions.
pub(super) fn ask(
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
    let work = |(blocks, prefix, sizes): &(Vec<PlacedBlock>, usize, Vec<usize>), effort: &mut Effort| {
        answer_family(blocks, *prefix, sizes, effort, how)
    };
    let results = in_parallel(how.workers, &start, &chains, work);
    let mut answers = vec![Vec::new(); questions.len()];
    for (family, (found, spent)) in families.into_iter().zip(results) {
        predicates.effort.add(&spent);
        for (question, found) in family.into_iter().zip(found) {
            answers[question] = found;
        }
    }
    answers
}

/// Does the same work for each item, in parallel, within the effort that is left at the start. Returns the results with the effort of each, in the order of the items.
///
/// Together they keep to what is left: each gets an equal share, and those for which that is too little are done again, one after the other.
pub(in crate::refine) fn in_parallel<T: Sync, R: Send>(
    workers: &rayon::ThreadPool,
    start: &Effort,
    items: &[T],
    work: impl Fn(&T, &mut Effort) -> R + Sync,
) -> Vec<(R, Effort)> {
    let within = |item: &T, limit: Option<u64>| {
        let mut effort = start.share(limit);
        (work(item, &mut effort), effort)
    };
    let share = start
        .remaining()
        .map(|left| left / u64::try_from(items.len().max(1)).unwrap_or(u64::MAX));
    if items.len() < 2 {
        return items.iter().map(|item| within(item, share)).collect();
    }
    // Each item can go to another thread: some take a hundred times as long as others.
    let mut results: Vec<(R, Effort)> = workers.install(|| {
        items
            .par_iter()
            .with_max_len(1)
            .map(|item| within(item, share))
            .collect()
    });
    let mut spent = results
        .iter()
        .fold(0, |sum: u64, (_, effort)| sum.saturating_add(effort.spent));
    for (item, (found, effort)) in items.iter().zip(&mut results) {
        let Some(left) = start.remaining().map(|all| all.saturating_sub(spent)) else {
            break;
        };
        if effort.remaining() == Some(0) && left > 0 {
            let before = std::mem::take(effort);
            (*found, *effort) = within(item, Some(left));
            spent = spent.saturating_add(effort.spent);
            effort.add(&before);
        }
    }
    results
}

/// Answers questions about one path each, in parallel, by the refinement that is preferred among those of the path's infeasible sliced prefixes.
pub(super) fn ask_for_prefixes(
    predicates: &mut Predicates<'_>,
    questions: &[Vec<usize>],
    paths: &[ErrorPath],
    how: Provident<'_>,
    judge: Judge<'_>,
) -> Vec<Vec<Answer>> {
    let Predicates {
        blocks,
        guarded,
        encoder,
        pool,
        ..
    } = predicates;
    let chains: Vec<Vec<GuardedBlock>> = questions
        .iter()
        .map(|question| guarded.placed_chain(blocks, encoder, pool, &paths[question[0]].blocks))
        .collect();
    let start = predicates.effort.clone();
    let paths_asked = u64::try_from(chains.len().max(1)).unwrap_or(u64::MAX);
    let bounds = Bounds {
        ticks: how.prefixes.ticks / paths_asked,
        ..how.prefixes
    };
    let work = |chain: &Vec<GuardedBlock>, effort: &mut Effort| alternatives(chain, bounds, how.inquiry, effort);
    let results = in_parallel(how.workers, &start, &chains, work);
    let mut answers = Vec::with_capacity(questions.len());
    for (question, (found, spent)) in questions.iter().zip(results) {
        predicates.effort.add(&spent);
        answers.push(vec![preferred(found, &paths[question[0]], judge, spent.spent)]);
    }
    answers
}

/// The answer for a path with these alternatives.
fn preferred(found: Alternatives, path: &ErrorPath, judge: Judge<'_>, ticks: u64) -> Answer {
    let Alternatives {
        mut refinements,
        prefixes,
        whole,
    } = found;
    if let Some(analysed) = whole {
        return Answer {
            prefixes,
            ..Answer::whole(vec![0], analysed, ticks)
        };
    }
    let judged: Vec<_> = refinements.iter().map(Alternative::judged).collect();
    let chosen = judge.choose(PathId::of_blocks(&path.blocks), &judged);
    let Alternative { increment, length } = refinements.swap_remove(chosen);
    Answer {
        members: vec![0],
        feasibility: Feasibility::Infeasible(increment),
        points: Vec::new(),
        prefixes,
        length: Some(length),
        ticks,
    }
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
    // The effort for the common blocks is the first answer's.
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

/// Answers one question: feasible members one by one, then one result for all others. If there is no common result, each of these is checked alone. `since` is the effort that was spent when the answer before was there.
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
        answers.push(Answer::whole(members, analysed, ticks));
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
