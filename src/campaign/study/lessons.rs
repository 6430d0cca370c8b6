//! The lessons of runs about metrics: examples for the tree, and how good the choice is when each program is judged by the others.
//!
//! The class of a program is its best metric by solver ticks, which repeat exactly (the thesis takes processor time), the first of equal ones; unsolved counts as endless. A program that no metric solves has no class. A program counts for learning
//! if the best and the worst metric differ by at least a threshold, for which the thesis has 0 to 50 of its 900 seconds: here the same share of the most ticks that a run took. Each program is judged with the tree that was
//! learned from all others (leave-one-out), so that the result is what a program that nobody has seen can expect. Where nothing is left to learn from, the metric is the first one.
//!
//! Leave-one-out flatters where the same program is in the run set several times, for instance with several properties: the tree has then seen it. [`Alike::Out`] leaves these programs out, too.

use super::common::is_solved;
use crate::campaign::results::Run;
use crate::verify::selector::tree::{self, Example};

/// The time limit of the thesis in seconds.
const LIMIT: f64 = 900.0;
/// The threshold that the thesis recommends, in these seconds.
pub(super) const RECOMMENDED: u32 = 40;

/// The ticks that are these seconds of the thesis, where the longest run took `most`.
pub(super) fn threshold(most: u64, seconds: u32) -> f64 {
    number(most) * f64::from(seconds) / LIMIT
}

/// A program with its runs by all metrics.
pub(super) struct Subject<'r> {
    /// The values of its features, in the order of their names.
    pub values: Vec<f64>,
    /// Its run by each metric.
    pub runs: Vec<&'r Run>,
    /// The best metric.
    pub class: Option<usize>,
    /// Ticks between the best and the worst metric; infinite if one fails.
    spread: f64,
}

impl<'r> Subject<'r> {
    /// A program with its runs; `None` if none of them reports features.
    pub(super) fn new(runs: Vec<&'r Run>) -> Option<Subject<'r>> {
        let features = runs.iter().find(|run| !run.features.is_empty())?;
        let ticks = |run: &Run| match is_solved(run) {
            true => number(run.ticks),
            false => f64::INFINITY,
        };
        let efforts: Vec<f64> = runs.iter().map(|run| ticks(run)).collect();
        let least = efforts.iter().copied().fold(f64::INFINITY, f64::min);
        let most = efforts.iter().copied().fold(0.0, f64::max);
        Some(Subject {
            values: features.features.iter().map(|(_, value)| *value).collect(),
            class: efforts.iter().position(|effort| *effort == least && least.is_finite()),
            spread: if least.is_finite() { most - least } else { 0.0 },
            runs,
        })
    }

    /// The run of the best metric; where none solves the program, the run of the least effort.
    pub(super) fn best(&self) -> &'r Run {
        let least = || (0..self.runs.len()).min_by_key(|&at| self.runs[at].ticks);
        let best = self.class.or_else(least).expect("a program has a run of each metric");
        self.runs[best]
    }
}

/// A number of ticks as a float.
pub(super) fn number(ticks: u64) -> f64 {
    let half = |bits: u64| f64::from(u32::try_from(bits & 0xffff_ffff).expect("32 bits"));
    half(ticks >> 32) * 4_294_967_296.0 + half(ticks)
}

/// The result of a selection over all programs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sum {
    /// Solved programs.
    pub solved: usize,
    /// Processor seconds.
    pub cpu_s: f64,
    /// Solver ticks.
    pub ticks: u64,
}

impl Sum {
    /// Adds a run.
    pub(super) fn add(&mut self, run: &Run) {
        self.solved += usize::from(is_solved(run));
        self.cpu_s += run.cpu_s;
        self.ticks += run.ticks;
    }
}

/// An example for each subject that counts with this threshold.
pub(super) fn examples(subjects: &[Subject<'_>], threshold: f64) -> Vec<Option<Example>> {
    let counts = |subject: &&Subject<'_>| threshold == 0.0 || subject.spread >= threshold;
    let example = |subject: &Subject<'_>| {
        let class = Some(subject).filter(counts)?.class?;
        Some(Example {
            values: subject.values.clone(),
            class,
        })
    };
    subjects.iter().map(example).collect()
}

/// The programs that the tree for a program has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alike {
    /// Only the program itself, as in the thesis.
    In,
    /// All programs with the same features.
    Out,
}

/// Each program with the metric of the tree that was learned from the others.
pub(super) fn leave_one_out(subjects: &[Subject<'_>], threshold: f64, alike: Alike) -> Sum {
    let examples = examples(subjects, threshold);
    let mut sum = Sum::default();
    for (at, subject) in subjects.iter().enumerate() {
        let is_seen = |other: usize, example: &Example| match alike {
            Alike::In => other != at,
            Alike::Out => other != at && example.values != subject.values,
        };
        let others: Vec<Example> = examples
            .iter()
            .enumerate()
            .filter_map(|(other, example)| example.clone().filter(|example| is_seen(other, example)))
            .collect();
        let metric = tree::learn(&others, subject.runs.len()).class(&subject.values);
        sum.add(subject.runs[metric]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;

    fn runs(values: [(&str, u64); 3]) -> Vec<Run> {
        let one = |(verdict, ticks): (&str, u64)| Run {
            ticks,
            features: [("EDGES".into(), 1.0)].into(),
            ..run("p", "", "c", 1.0, &[("p", verdict)])
        };
        values.map(one).into_iter().collect()
    }

    #[test]
    fn ticks_are_exact_as_numbers() {
        assert_eq!(number(5_000_000_001), 5_000_000_001.0);
        assert_eq!(threshold(900, 40), 40.0);
    }

    /// As in Figure 4.3 of the thesis.
    #[test]
    fn the_class_is_the_best_metric_and_a_failure_differs_from_all() {
        let of = |values| {
            let runs = runs(values);
            let subject = Subject::new(runs.iter().collect()).unwrap();
            (subject.class, subject.spread)
        };
        assert_eq!(of([("true", 20), ("true", 32), ("true", 100)]), (Some(0), 80.0));
        assert_eq!(of([("true", 20), ("true", 15), ("true", 15)]), (Some(1), 5.0));
        assert_eq!(
            of([("unknown", 9), ("true", 18), ("true", 20)]),
            (Some(1), f64::INFINITY)
        );
        assert_eq!(of([("unknown", 9), ("unknown", 9), ("unknown", 9)]), (None, 0.0));
    }

    #[test]
    fn a_threshold_keeps_what_differs_enough() {
        let runs = [
            runs([("true", 20), ("true", 32), ("true", 100)]),
            runs([("true", 20), ("true", 15), ("true", 15)]),
        ];
        let subjects: Vec<Subject<'_>> = runs
            .iter()
            .filter_map(|runs| Subject::new(runs.iter().collect()))
            .collect();
        let kept = |threshold| {
            examples(&subjects, threshold)
                .iter()
                .map(Option::is_some)
                .collect::<Vec<_>>()
        };
        assert_eq!((kept(0.0), kept(5.0)), (vec![true, true], vec![true, true]));
        assert_eq!((kept(10.0), kept(81.0)), (vec![true, false], vec![false, false]));
    }

    /// Twenty programs with the same features are one program: without them, nothing is known of the last one but the rest.
    #[test]
    fn programs_that_are_alike_can_be_left_out() {
        let one = |value: f64, best: usize| {
            let mut runs = runs([("unknown", 9), ("unknown", 9), ("unknown", 9)]);
            runs[best].verdicts = ["true"].into_iter().collect();
            runs.iter_mut()
                .for_each(|run| run.features = [("EDGES".into(), value)].into());
            runs
        };
        let mut all: Vec<Vec<Run>> = (0..20).map(|_| one(1.0, 2)).collect();
        all.extend((0..20).map(|_| one(2.0, 1)));
        let subjects: Vec<Subject<'_>> = all
            .iter()
            .filter_map(|runs| Subject::new(runs.iter().collect()))
            .collect();
        assert_eq!(leave_one_out(&subjects, 0.0, Alike::In).solved, 40);
        assert_eq!(leave_one_out(&subjects, 0.0, Alike::Out).solved, 0);
    }
}
