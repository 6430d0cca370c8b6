//! Makes a program with a wrong verdict smaller: delta debugging on its choices (Zeller and Hildebrandt, 2002), many candidates to a batch.

use super::choices::Choices;
use super::program::{Generated, generate};
use super::truth::Compiler;
use super::verdict::{Answer, Claim, Configuration};

/// Candidates that are compiled together.
const BATCH: usize = 12;

/// The smallest program that was found, with its wrong answer, after about `budget` candidates. Claims about them hold, or do not, as `holds` says.
pub fn shrink(
    compiler: &Compiler,
    choices: &[u16],
    configuration: Configuration,
    holds: bool,
    budget: u64,
) -> Option<(String, String)> {
    let mut best = choices.to_vec();
    let mut found = None;
    let mut left = budget;
    let mut size = best.len() / 2;
    while size > 0 && left > 0 {
        let mut start = 0;
        while start < best.len() && left > 0 {
            let starts: Vec<usize> = (start..best.len()).step_by(size).take(BATCH).collect();
            let candidates: Vec<Vec<u16>> = starts.iter().map(|&at| without(&best, at, size)).collect();
            left = left.saturating_sub(candidates.len() as u64);
            match first_wrong(compiler, &candidates, configuration, holds) {
                Some((at, text, what)) => {
                    best = candidates[at].clone();
                    found = Some((text, what));
                    start = starts[at];
                }
                None => start += size * BATCH,
            }
        }
        size /= 2;
    }
    found
}

fn without(choices: &[u16], at: usize, size: usize) -> Vec<u16> {
    let end = (at + size).min(choices.len());
    [&choices[..at], &choices[end..]].concat()
}

fn first_wrong(
    compiler: &Compiler,
    candidates: &[Vec<u16>],
    configuration: Configuration,
    holds: bool,
) -> Option<(usize, String, String)> {
    let programs: Vec<Generated> = candidates.iter().map(|c| generate(Choices::new(c))).collect();
    let truths = compiler.run(&programs.iter().collect::<Vec<_>>());
    programs
        .iter()
        .zip(truths)
        .enumerate()
        .find_map(|(at, (program, truth))| {
            let claim = Claim::that(program, &truth?, Some(holds));
            match claim.ask(configuration) {
                Answer::Wrong(what) => Some((at, claim.text, what)),
                _ => None,
            }
        })
}
