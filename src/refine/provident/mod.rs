//! The operator `provident_refine`: a candidate refinement for each of the ranked target states.
//!
//! Nothing here changes the reached set. Error paths are taken in batches; the paths of a batch are analysed in parallel: each worker imports portable
//! formulas of blocks into a term pool of its own, at their places in the path, and hands back portable predicates. Batches have a fixed size, and no further one is begun after one
//! with a feasible path (the thesis's early exit); so neither results nor effort depend on the number of threads.
//!
//! # Preferences
//!
//! With a [preference](super::prefer), an error path brings a refinement for each of its infeasible [sliced prefixes](super::prefix). They are computed by the workers, path by path; the preference
//! chooses among them here, in rank order. The preferred one is the path's refinement for all that follows: it is recorded with its segment, and the operator `select` chooses among the paths.
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
//!
//! | module | does |
//! |---|---|
//! | `ask` | the questions of a batch, in parallel |

mod ask;

use super::Target;
use super::counters::LoopCounters;
use super::interpolation::{Analysed, Chains, Feasibility, Increment, Inquiry};
use super::path::ErrorPath;
use super::prefer::{Judge, JudgedPredicates, Merit, PathId};
use super::prefix::alternatives::{Bounds, Length};
use super::refuted::Refuted;
use super::select::Choice;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::BlockId;
pub(in crate::refine) use ask::in_parallel;
use ask::{ask, ask_for_prefixes, questions};
use provident_smt::term::TermPool;
use std::collections::BTreeMap;

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
    /// How many infeasible sliced prefixes there were to choose among.
    pub prefixes: usize,
    /// The costs of the increment under the preference.
    pub merit: Merit,
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
    /// The judge that chooses among the refinements of one path, if there is a preference.
    pub judge: Option<Judge<'a>>,
    /// How far sliced prefixes of a path are looked for.
    pub prefixes: Bounds,
}

/// A decided error path.
struct Decided {
    feasibility: Feasibility,
    new_points: usize,
    recognised: bool,
    /// How many infeasible sliced prefixes it has.
    prefixes: usize,
    /// The length of the one that was chosen.
    length: Option<Length>,
    /// The effort that it took.
    ticks: u64,
}

impl Decided {
    /// A path of which this was known.
    fn recognised(feasibility: Feasibility) -> Decided {
        Decided {
            feasibility,
            new_points: 0,
            recognised: true,
            prefixes: 0,
            length: None,
            ticks: 0,
        }
    }
}

/// The operator `provident_refine`, for all ranked targets.
///
/// The paths of a batch share the effort that is left at its beginning. The returned candidates are in rank order; all targets have one, unless
/// a path is feasible or the effort is exhausted. `refuted` holds the segments that are known to be infeasible, and gets the new ones;
/// `undecided` the paths that are not asked about again, and why.
pub fn provident_refine(
    predicates: &mut Predicates<'_>,
    targets: &[Target],
    refuted: &mut Refuted,
    mut undecided: BTreeMap<Vec<BlockId>, String>,
    how: Provident<'_>,
) -> Vec<Candidate> {
    let paths: Vec<ErrorPath> = targets
        .iter()
        .map(|target| ErrorPath::new(predicates, target))
        .collect();
    let mut found: BTreeMap<usize, Candidate> = BTreeMap::new();
    let mut open: Vec<usize> = (0..targets.len()).collect();
    while !open.is_empty() {
        for &at in &open {
            let blocks = &paths[at].blocks;
            let known = match undecided.get(blocks) {
                Some(reason) => Some(Feasibility::Unknown(reason.clone())),
                None => refuted.recognise(blocks).map(Feasibility::Infeasible),
            };
            if let Some(feasibility) = known {
                let decided = Decided::recognised(feasibility);
                found.insert(at, candidate(&targets[at], &paths[at], decided, how));
            }
        }
        open.retain(|at| !found.contains_key(at));
        let mut feasible = false;
        for (at, decided) in decide(predicates, &open, &paths, how) {
            let path = &paths[at];
            match &decided.feasibility {
                Feasibility::Infeasible(increment) => refuted.add(&path.blocks, increment),
                Feasibility::Unknown(reason) => drop(undecided.insert(path.blocks.clone(), reason.clone())),
                Feasibility::Feasible => feasible = true,
            }
            found.insert(at, candidate(&targets[at], path, decided, how));
        }
        open.retain(|at| !found.contains_key(at));
        predicates.effort.pulse.paths(found.len());
        if feasible || predicates.effort.is_exhausted() {
            break;
        }
    }
    found.into_values().collect()
}

/// Decides a batch of the open paths, given by their positions. The results are in rank order, question by question.
fn decide(
    predicates: &mut Predicates<'_>,
    open: &[usize],
    paths: &[ErrorPath],
    how: Provident<'_>,
) -> Vec<(usize, Decided)> {
    let joint = if how.judge.is_some() { 1 } else { how.joint };
    let batch = questions(open, paths, joint);
    let answers = match how.judge {
        Some(judge) => ask_for_prefixes(predicates, &batch, paths, how, judge),
        None => ask(predicates, &batch, paths, how),
    };
    let mut results = Vec::new();
    for (question, answers) in batch.iter().zip(answers) {
        for answer in answers {
            let mut new_points = predicates.learn(&answer.points);
            let parts = parts(answer.ticks, answer.members.len());
            for (at, part) in answer.members.into_iter().map(|member| question[member]).zip(parts) {
                let before = predicates.effort.spent;
                let feasibility = match &answer.feasibility {
                    Feasibility::Unknown(reason) => match single_path(predicates, &paths[at], how) {
                        Some(single) => {
                            new_points += predicates.learn(&single.points);
                            without_segment(single.feasibility)
                        }
                        None => Feasibility::Unknown(reason.clone()),
                    },
                    other => other.clone(),
                };
                let decided = Decided {
                    feasibility,
                    new_points: std::mem::take(&mut new_points),
                    recognised: false,
                    prefixes: answer.prefixes,
                    length: answer.length,
                    ticks: part + (predicates.effort.spent - before),
                };
                results.push((at, decided));
            }
        }
    }
    results
}

/// The candidate for a decided path.
fn candidate(target: &Target, path: &ErrorPath, decided: Decided, how: Provident<'_>) -> Candidate {
    let merit = how.judge.map(|judge| match &decided.feasibility {
        Feasibility::Infeasible(increment) => {
            let length = decided.length.unwrap_or_else(|| Length::of(increment));
            judge.merit(
                PathId::of_blocks(&path.blocks),
                0,
                &JudgedPredicates { increment, length },
            )
        }
        _ => judge.worst(),
    });
    Candidate {
        target: target.clone(),
        path: path.clone(),
        counts_loops: counts_loops(how.inquiry.counters, &decided.feasibility),
        feasibility: decided.feasibility,
        new_points: decided.new_points,
        recognised: decided.recognised,
        prefixes: decided.prefixes,
        merit: merit.unwrap_or_default(),
        ticks: decided.ticks,
    }
}

/// A number in parts that differ by one at most.
fn parts(whole: u64, count: usize) -> impl Iterator<Item = u64> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    (0..count).map(move |at| whole / count + u64::from(at < whole % count))
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
    known(chains.analyse(pool, &[*last], effort))
}

fn known(analysed: Analysed) -> Option<Analysed> {
    (!matches!(analysed.feasibility, Feasibility::Unknown(_))).then_some(analysed)
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

    fn merit(&self) -> &Merit {
        &self.merit
    }

    fn rules_out(&self, other: &Self) -> bool {
        let same = self.path.blocks == other.path.blocks;
        let inside = |segment: &[BlockId]| other.path.blocks.windows(segment.len()).any(|blocks| blocks == segment);
        same || self.segment().is_some_and(inside)
    }
}
