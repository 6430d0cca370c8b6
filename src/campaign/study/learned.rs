//! The selection of the metric by a learned tree: questions RQ4 and RQ5 of the study of [directed search](super::tour), tables 5.10 to 5.13.
//!
//! The class of a program is its best metric by solver ticks, which repeat exactly (the thesis takes processor time); unsolved counts as endless. A program that no metric solves has no class. A program counts for learning
//! if the best and the worst metric differ by at least a threshold, for which the thesis has 0 to 50 of its 900 seconds: here the same share of the most ticks that a run took. Each program is judged with the tree that was
//! learned from all others (leave-one-out), so that the result is what a program that nobody has seen can expect. Where nothing is left to learn from, the metric is `st`.

use super::section::Section;
use super::tour::{METRICS, Runs, is_solved};
use super::tree::{self, Example};
use crate::campaign::results::Run;

/// The thresholds of the thesis in seconds of its limit, with solved programs for BAM.T and for LA.T, and the programs to learn from.
const THRESHOLDS: [(u32, [usize; 2], [usize; 2]); 6] = [
    (0, [2081, 1481], [3042, 3042]),
    (10, [2106, 1516], [721, 191]),
    (20, [2111, 1514], [608, 154]),
    (30, [2116, 1513], [529, 138]),
    (40, [2116, 1518], [500, 131]),
    (50, [2113, 1517], [489, 126]),
];

/// The time limit of the thesis in seconds.
const LIMIT: f64 = 900.0;
/// The threshold that the thesis recommends.
const RECOMMENDED: u32 = 40;

/// A program with its runs by all metrics.
struct Subject<'r> {
    values: Vec<f64>,
    runs: Vec<&'r Run>,
    /// The best metric.
    class: Option<usize>,
    /// Ticks between the best and the worst metric; infinite if one fails.
    spread: f64,
}

impl<'r> Subject<'r> {
    fn new(runs: Vec<&'r Run>) -> Option<Subject<'r>> {
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
}

/// A number of ticks as a float.
fn number(ticks: u64) -> f64 {
    let half = |bits: u64| f64::from(u32::try_from(bits & 0xffff_ffff).expect("32 bits"));
    half(ticks >> 32) * 4_294_967_296.0 + half(ticks)
}

/// The result of a selection over all programs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    solved: usize,
    cpu_s: f64,
    ticks: u64,
}

impl Sum {
    fn add(&mut self, run: &Run) {
        self.solved += usize::from(is_solved(run));
        self.cpu_s += run.cpu_s;
        self.ticks += run.ticks;
    }
}

fn examples(subjects: &[Subject<'_>], threshold: f64) -> Vec<Option<Example>> {
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

/// Each program with the metric of the tree that was learned from the others.
fn leave_one_out(subjects: &[Subject<'_>], threshold: f64) -> (Sum, usize) {
    let examples = examples(subjects, threshold);
    let mut sum = Sum::default();
    for (at, subject) in subjects.iter().enumerate() {
        let others: Vec<Example> = examples
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .filter_map(|(_, example)| example.clone())
            .collect();
        let metric = tree::learn(&others, METRICS.len()).class(&subject.values);
        sum.add(subject.runs[metric]);
    }
    (sum, examples.iter().flatten().count())
}

/// Tables 5.10 to 5.13 for a technique. `bam` says which one, for the numbers of the thesis. Returns the line that sums it up; `None` if not every metric was run, or no run reports features.
pub(super) fn selection(page: &mut Section, runs: &Runs<'_>, bam: bool) -> Option<String> {
    let by_metric: Vec<_> = METRICS.iter().filter_map(|metric| runs.with_metric(metric)).collect();
    if by_metric.len() < METRICS.len() {
        return None;
    }
    let of = |subject| by_metric.iter().filter_map(|runs| runs.get(subject).copied()).collect();
    let subjects: Vec<Subject<'_>> = by_metric[0]
        .keys()
        .filter_map(|subject| Subject::new(of(subject)))
        .collect();
    let most = subjects
        .iter()
        .flat_map(|subject| &subject.runs)
        .map(|run| run.ticks)
        .max()?;
    let mut singles = [Sum::default(); METRICS.len()];
    let mut best = Sum::default();
    for subject in &subjects {
        for (sum, run) in singles.iter_mut().zip(&subject.runs) {
            sum.add(run);
        }
        best.add(subject.runs[subject.class.unwrap_or(0)]);
    }
    let row = |name: String, sum: Sum, there: String, learned: String| {
        vec![
            name,
            sum.solved.to_string(),
            there,
            format!("{:.1}", sum.cpu_s),
            sum.ticks.to_string(),
            learned,
        ]
    };
    let mut rows = Vec::new();
    let mut recommended = Sum::default();
    for (seconds, solved, programs) in THRESHOLDS {
        let threshold = number(most) * f64::from(seconds) / LIMIT;
        let (sum, count) = leave_one_out(&subjects, threshold);
        if seconds == RECOMMENDED {
            recommended = sum;
        }
        let side = usize::from(!bam);
        rows.push(row(
            format!("learned, filter {seconds}/900 of the limit"),
            sum,
            format!("[{}]", solved[side]),
            format!("{count} [{}]", programs[side]),
        ));
    }
    for (metric, sum) in METRICS.iter().zip(singles) {
        rows.push(row(format!("always {metric}"), sum, "–".to_string(), "–".to_string()));
    }
    rows.push(row(
        "the best metric of each program".to_string(),
        best,
        "–".to_string(),
        "–".to_string(),
    ));
    let (tables, name) = if bam {
        ("5.10 and 5.12", "BAM")
    } else {
        ("5.11 and 5.13", "LA")
    };
    page.table(
        &format!(
            "Tables {tables}: the metric selected by a tree, leave-one-out, {} programs (RQ4, RQ5)",
            subjects.len()
        ),
        &[
            "",
            "solved",
            "solved there",
            "CPU time (s)",
            "ticks",
            "programs to learn from",
        ],
        &rows,
    );
    let examples: Vec<Example> = examples(&subjects, number(most) * f64::from(RECOMMENDED) / LIMIT)
        .into_iter()
        .flatten()
        .collect();
    let features: Vec<&str> = by_metric[0]
        .values()
        .find(|run| !run.features.is_empty())?
        .features
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    for line in tree::learn(&examples, METRICS.len()).show(&features, &METRICS).lines() {
        page.text(line);
    }
    // Of equal ones the first.
    let (single, of_single) = METRICS.iter().zip(singles).rev().max_by_key(|(_, sum)| sum.solved)?;
    Some(format!(
        "Tables {tables}: {name} with a learned metric, leave-one-out, solves {} of {} programs in {} ticks; the best single metric, {single}, solves {} in {}; the best metric of each program {} in {}.",
        recommended.solved,
        subjects.len(),
        recommended.ticks,
        of_single.solved,
        of_single.ticks,
        best.solved,
        best.ticks,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::super::tour::{TECHNIQUES, section};
    use super::*;

    /// Thirty small programs that `bb` solves and thirty great ones that `lf` solves.
    fn runs() -> Vec<Run> {
        let mut runs = Vec::new();
        for program in 0..60u32 {
            let best = if program < 30 { "bb" } else { "lf" };
            for metric in METRICS {
                let verdict = if metric == best { "true" } else { "unknown" };
                let name = format!("p{program:02}");
                runs.push(Run {
                    expected: ["true"].into_iter().collect(),
                    features: [("EDGES".into(), f64::from(program)), ("FUNCS".into(), 1.0)].into(),
                    ticks: 100,
                    ..run(&name, "", &format!("LA.T.{metric}"), 1.0, &[("p", verdict)])
                });
            }
        }
        runs
    }

    #[test]
    fn each_program_is_judged_by_the_others() {
        let runs = runs();
        let mut page = Section::new();
        let known = Runs::of(&TECHNIQUES[0], &runs).unwrap();
        let line = selection(&mut page, &known, false).unwrap();
        assert_eq!(
            line,
            "Tables 5.11 and 5.13: LA with a learned metric, leave-one-out, solves 59 of 60 programs in 6000 ticks; the best single metric, bb, solves 30 in 6000; the best metric of each program 60 in 6000."
        );
        assert!(page.html().contains("EDGES &lt; 29.5"), "{}", page.html());
        assert!(section(&runs).1.contains(&line));
    }

    #[test]
    fn small_differences_are_no_examples() {
        let mut runs = runs();
        for run in &mut runs {
            run.verdicts = ["true"].into_iter().collect();
        }
        let known = Runs::of(&TECHNIQUES[0], &runs).unwrap();
        let mut page = Section::new();
        let line = selection(&mut page, &known, false).unwrap();
        assert!(
            line.contains("solves 60 of 60") && page.html().contains("<td>0 [131]</td>"),
            "{}",
            page.html()
        );
    }

    #[test]
    fn without_features_nothing_is_learned() {
        let mut runs = runs();
        for run in &mut runs {
            run.features = Box::default();
        }
        let known = Runs::of(&TECHNIQUES[0], &runs).unwrap();
        assert!(selection(&mut Section::new(), &known, false).is_none());
    }

    #[test]
    fn ticks_are_exact_as_numbers() {
        assert_eq!(number(5_000_000_001), 5_000_000_001.0);
    }
}
