//! Hypothesis 1 of the study of provident refinement, efficiency: processor time, refinements and operators of `multi` against a baseline.
//!
//! There are two baselines. The thesis's own, `first`, is provident refinement in which the first target is selected and nothing else changes, so that it says what selection brings. Lazy abstraction, `single`, stops its
//! exploration at the first target, as most tools do.
//!
//! The thesis times the operators of its framework (Figure 4.2). Here their work stands beside their time: a counter repeats, a clock does not. Extraction, ranking and selection ask no solver; their work is the number of targets.

use super::plot::{boxes, scatter};
use super::provident::{Pair, as_number, number, numbers_row};
use super::section::Section;
use super::summary::{Numbers, SpeedUps, as_float};
use crate::report::OperatorSeconds;

/// Counters of work: the name and the counter.
const WORK: [(&str, &str); 8] = [
    ("explore: states", "explored states"),
    ("explore: merged states", "merges"),
    ("explore: abstractions", "abstractions"),
    ("explore: ticks", "exploration ticks"),
    ("rank: targets", "targets"),
    ("provident_refine: ticks", "refinement ticks"),
    ("apply: ticks", "application ticks"),
    ("all: ticks", "solver ticks"),
];

/// Times of operators: the name and the time.
type Time = (&'static str, fn(&OperatorSeconds) -> f64);
const TIMES: [Time; 6] = [
    ("explore", |seconds| seconds.explore),
    ("extract_targets", |seconds| seconds.extract_targets),
    ("rank", |seconds| seconds.rank),
    ("provident_refine", |seconds| seconds.provident_refine),
    ("select", |seconds| seconds.select),
    ("apply", |seconds| seconds.apply),
];

/// A time of an operator below this is not compared: it is that of reading the clock.
const LEAST: f64 = 1e-4;

/// `multi` against a baseline, with the baseline's name.
pub(super) struct Against<'p, 'r> {
    pub name: &'static str,
    /// The baseline in words, for the heading.
    pub what: &'static str,
    /// How many tasks both have run.
    pub total: usize,
    /// Those that count.
    pub pairs: &'p [&'p Pair<'r>],
}

/// The part of the page, and its lines.
pub(super) fn efficiency(page: &mut Section, summary: &mut Vec<String>, against: &Against<'_, '_>) {
    page.heading(&format!("Hypothesis 1: efficiency, against {}", against.what));
    speed(page, summary, against);
    refinements(page, summary, against);
    work(page, against);
    times(page, summary, against);
    memory(page, against);
}

/// The speed-up and Figure 4.1.
fn speed(page: &mut Section, summary: &mut Vec<String>, &Against { name, total, pairs, .. }: &Against<'_, '_>) {
    let speedups = SpeedUps::of(pairs.iter().map(|pair| pair.seconds()));
    let n = speedups.numbers;
    let sentence = format!(
        "{} of {total} tasks count: same verdicts, all decided, at least one refinement. Speed-up of multi over {name}: mean {} [1.71], median {} [1.47], greatest {} [5.59], least {} [0.61]; slower in {} tasks, {:.1} % [8.6 %].",
        pairs.len(),
        number(n.mean),
        number(n.median),
        number(n.max),
        number(n.min),
        speedups.slower,
        speedups.slower_percent()
    );
    page.text(&sentence);
    summary.push(sentence);
    let point = |pair: &&Pair<'_>| {
        let (x, y) = pair.seconds();
        (x, y, pair.before.task.to_string())
    };
    let points: Vec<_> = pairs.iter().map(point).collect();
    page.figure(
        &scatter(
            &format!("{name}: CPU time of the analysis (s)"),
            "multi: CPU time of the analysis (s)",
            &points,
        ),
        &format!("Figure 4.1: CPU time of the analysis, against {name}. Below the diagonal, multi is faster."),
    );
    let share = |count: usize| {
        format!(
            "{count} ({:.1} %)",
            100.0 * as_float(count) / as_float(pairs.len().max(1))
        )
    };
    page.table(
        "Tasks by speed-up of multi",
        &["below 1", "1 to 1.5", "1.5 to 2", "2 and more"],
        &[vec![
            share(speedups.slower),
            share(speedups.bands[0]),
            share(speedups.bands[1]),
            share(speedups.bands[2]),
        ]],
    );
}

/// Table 4.5.
fn refinements(page: &mut Section, summary: &mut Vec<String>, &Against { name, pairs, .. }: &Against<'_, '_>) {
    let count = |counter: &str, after: bool| {
        let run = |pair: &&Pair<'_>| if after { pair.after } else { pair.before }.counter(counter);
        Numbers::of(pairs.iter().map(|pair| as_number(run(pair))))
    };
    let (provident, executed) = ("provident refinements", "refinements");
    let (single, multi) = (count(executed, false), count(executed, true));
    page.table(
        "Table 4.5: refinements [sums of the thesis: 781, 781, 5560, 161]",
        &["", "min", "median", "average", "max", "sum"],
        &[
            numbers_row(&format!("{name}, provident"), count(provident, false)),
            numbers_row(&format!("{name}, executed"), single),
            numbers_row("multi, provident", count(provident, true)),
            numbers_row("multi, executed", multi),
        ],
    );
    let sentence = format!(
        "Executed refinements: {name} {}, multi {}, that is {:.2} of them [161 of 781: 0.21].",
        single.sum,
        multi.sum,
        multi.sum / single.sum.max(1.0)
    );
    page.text(&sentence);
    summary.push(sentence);
}

/// Figure 4.2 in work.
fn work(page: &mut Section, &Against { name, pairs, .. }: &Against<'_, '_>) {
    let samples = WORK.map(|(operator, counter)| {
        let ratio = |pair: &&Pair<'_>| {
            let (before, after) = (pair.before.counter(counter), pair.after.counter(counter));
            (before > 0 && after > 0).then(|| as_number(before) / as_number(after))
        };
        (operator.to_string(), Numbers::of(pairs.iter().filter_map(ratio)))
    });
    page.figure(
        &boxes(&format!("work of {name} by work of multi"), true, Some(1.0), &samples),
        &format!("Figure 4.2, in work: the operators of {name} and of multi. Right of the line, multi has less."),
    );
}

/// Figure 4.2 in time, and the times of all tasks together.
fn times(page: &mut Section, summary: &mut Vec<String>, &Against { name, pairs, .. }: &Against<'_, '_>) {
    let samples = TIMES.map(|(operator, of)| {
        let ratio = |pair: &&Pair<'_>| {
            let (before, after) = (of(&pair.before.operators_cpu_s), of(&pair.after.operators_cpu_s));
            (before >= LEAST && after >= LEAST).then(|| before / after)
        };
        (operator.to_string(), Numbers::of(pairs.iter().filter_map(ratio)))
    });
    page.figure(
        &boxes(&format!("time of {name} by time of multi"), true, Some(1.0), &samples),
        &format!(
            "Figure 4.2, in processor time: the operators of {name} and of multi. Right of the line, multi takes less."
        ),
    );
    let sum = |of: fn(&OperatorSeconds) -> f64, after: bool| -> f64 {
        let run = |pair: &&Pair<'_>| of(&if after { pair.after } else { pair.before }.operators_cpu_s);
        pairs.iter().map(run).sum()
    };
    let all = |after: bool| TIMES.iter().map(|(_, of)| sum(*of, after)).sum::<f64>();
    let (before, after) = (all(false), all(true));
    let rows: Vec<Vec<String>> = TIMES
        .iter()
        .map(|(operator, of)| {
            let (one, other) = (sum(*of, false), sum(*of, true));
            let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(f64::MIN_POSITIVE));
            vec![
                (*operator).to_string(),
                format!("{one:.3}"),
                share(one, before),
                format!("{other:.3}"),
                share(other, after),
            ]
        })
        .collect();
    page.table(
        "Processor time of the operators (s), all tasks together",
        &["", name, "share", "multi", "share"],
        &rows,
    );
    let words: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {} / {}", row[0], row[1], row[3]))
        .collect();
    summary.push(format!(
        "Processor seconds of the operators, {name} / multi: {}.",
        words.join(", ")
    ));
}

/// Memory.
fn memory(page: &mut Section, against: &Against<'_, '_>) {
    let ratio = |pair: &&Pair<'_>| pair.after.memory_mb / pair.before.memory_mb.max(1.0);
    let most = Numbers::of(against.pairs.iter().map(ratio));
    page.text(&format!(
        "Memory of multi by memory of {}: median {}, greatest {}.",
        against.name,
        number(most.median),
        number(most.max)
    ));
}
