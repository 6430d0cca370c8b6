//! Two configurations against each other: speed-ups with intervals, answers gained and lost, and a sign test.
//!
//! Times are compared on the subjects that both decide with the same verdicts: how fast a run gave up says nothing. A speed-up is the time of the first configuration by that of the second, so above 1 the second is faster.
//! Speed-ups are ratios, and their fair average is the geometric mean; the arithmetic mean, which papers give, favours the second configuration. The intervals are those of the percentile bootstrap (Efron 1979): the middle
//! 95 % of what 1,000 samples drawn from the subjects give. Draws come from a fixed seed, so that a page repeats. The sign test asks how likely it is that so uneven a split of faster and slower comes from a fair
//! coin (two-sided, exact).

use super::record::is_answer;
use super::results::Run;
use super::study::summary::{Numbers, as_float};
use provident_smt::hash::split_mix;
use serde::Serialize;
use std::collections::HashMap;

/// Times below this are not distinguished.
const RESOLUTION: f64 = 0.001;
/// Samples of the bootstrap.
const SAMPLES: usize = 1000;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The value of the sample.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// A comparison of two configurations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The configuration compared with.
    pub before: String,
    /// The configuration in question.
    pub after: String,
    /// Subjects that both have run.
    pub subjects: usize,
    /// Results of properties that the second answers and the first does not.
    pub gained: usize,
    /// Results of properties that the first answers and the second does not.
    pub lost: usize,
    /// Answers that differ.
    pub changed: usize,
    /// Subjects whose times are compared.
    pub compared: usize,
    /// Of these, subjects on which the second is faster.
    pub faster: usize,
    /// And slower.
    pub slower: usize,
    /// The arithmetic mean of the speed-ups.
    pub mean: Estimate,
    /// Their median.
    pub median: Estimate,
    /// Their geometric mean.
    pub geometric: Estimate,
    /// All time of the first by all time of the second.
    pub overall: f64,
    /// The probability of the sign test.
    pub p: f64,
}

/// All pairs of configurations, each in the order in which they stand.
pub fn all(configurations: &[String], runs: &[Run]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (position, before) in configurations.iter().enumerate() {
        for after in &configurations[position + 1..] {
            let comparison = compare(before, after, runs);
            if comparison.subjects > 0 {
                comparisons.push(comparison);
            }
        }
    }
    comparisons
}

/// One pair.
pub fn compare(before: &str, after: &str, runs: &[Run]) -> Comparison {
    let key = key_of;
    let first = runs.iter().filter(|run| run.configuration == before);
    let second: HashMap<_, &Run> = runs
        .iter()
        .filter(|run| run.configuration == after)
        .map(|run| (key(run), run))
        .collect();
    let mut comparison = Comparison {
        before: before.to_string(),
        after: after.to_string(),
        p: 1.0,
        ..Comparison::default()
    };
    let (mut ratios, mut sums) = (Vec::new(), (0.0, 0.0));
    for one in first {
        let Some(other) = second.get(&key(one)) else { continue };
        comparison.subjects += 1;
        results(one, other, &mut comparison);
        if one.is_decided() && one.verdicts == other.verdicts {
            let (before, after) = (one.cpu_s.max(RESOLUTION), other.cpu_s.max(RESOLUTION));
            comparison.faster += usize::from(after < before);
            comparison.slower += usize::from(after > before);
            ratios.push(before / after);
            sums = (sums.0 + before, sums.1 + after);
        }
    }
    comparison.compared = ratios.len();
    if !ratios.is_empty() {
        comparison.overall = sums.0 / sums.1;
        [comparison.mean, comparison.median, comparison.geometric] = estimates(&ratios);
        comparison.p = sign_test(comparison.faster, comparison.slower);
    }
    comparison
}

/// The subject that was verified.
fn key_of(run: &Run) -> (&str, &str) {
    (&run.task, &run.property)
}

/// Counts answers of properties that are gained, lost and changed.
fn results(one: &Run, other: &Run, into: &mut Comparison) {
    // A run without report answers nothing, and has no names.
    let names = if one.properties.is_empty() {
        &other.properties
    } else {
        &one.properties
    };
    let verdict = |run: &Run, name: &str| -> String {
        let at = run.properties.iter().position(|property| **property == *name);
        at.map(|at| run.verdicts[at].to_string()).unwrap_or_default()
    };
    for name in names {
        let (a, b) = (verdict(one, name), verdict(other, name));
        match (is_answer(&a), is_answer(&b)) {
            (true, false) => into.lost += 1,
            (false, true) => into.gained += 1,
            (true, true) if a != b => into.changed += 1,
            _ => {}
        }
    }
}

/// Mean, median and geometric mean with their intervals.
fn estimates(ratios: &[f64]) -> [Estimate; 3] {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let count = as_float(ratios.len());
    let mut sorted = ratios.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut state = SEED;
    let mut samples = [Vec::new(), Vec::new(), Vec::new()];
    let mut draws = vec![0usize; ratios.len()];
    for _ in 0..SAMPLES {
        // Which subjects are drawn, by their place in the sorted order, so that the median of a sample is found by counting.
        draws.fill(0);
        let (mut sum, mut log) = (0.0, 0.0);
        for _ in 0..ratios.len() {
            let at = below(&mut state, ratios.len());
            draws[at] += 1;
            sum += sorted[at];
            log += sorted[at].ln();
        }
        samples[0].push(sum / count);
        samples[1].push(drawn_median(&sorted, &draws));
        samples[2].push((log / count).exp());
    }
    let values = [
        sorted.iter().sum::<f64>() / count,
        Numbers::of(sorted.iter().copied()).median,
        (logs.iter().sum::<f64>() / count).exp(),
    ];
    let mut samples = samples.into_iter();
    values.map(|value| {
        let mut sample = samples.next().expect("one for each value");
        sample.sort_unstable_by(f64::total_cmp);
        Estimate {
            value,
            low: sample[SAMPLES / 40],
            high: sample[SAMPLES - 1 - SAMPLES / 40],
        }
    })
}

/// The median of a sample that takes each value as often as it was drawn.
fn drawn_median(sorted: &[f64], draws: &[usize]) -> f64 {
    let total: usize = draws.iter().sum();
    let at = |wanted: usize| {
        let mut seen = 0;
        for (value, count) in sorted.iter().zip(draws) {
            seen += count;
            if seen > wanted {
                return *value;
            }
        }
        sorted[sorted.len() - 1]
    };
    f64::midpoint(at((total - 1) / 2), at(total / 2))
}

/// The next number below a bound.
fn below(state: &mut u64, bound: usize) -> usize {
    let high = (u128::from(split_mix(state)) * u128::try_from(bound).expect("a length")) >> 64;
    usize::try_from(high).expect("it is below the bound")
}

/// The two-sided exact probability that a fair coin splits as unevenly.
pub fn sign_test(one: usize, other: usize) -> f64 {
    let (total, least) = (one + other, one.min(other));
    if total == 0 {
        return 1.0;
    }
    // Terms of the binomial distribution by their logarithms, since the first ones are smaller than any number.
    let mut term = as_float(total) * 0.5f64.ln();
    let mut tail = term.exp();
    for k in 1..=least {
        term += (as_float(total - k + 1) / as_float(k)).ln();
        tail += term.exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(task: &str, configuration: &str, seconds: f64, verdict: &str) -> Run {
        Run {
            task: task.into(),
            configuration: configuration.into(),
            properties: ["p"].into_iter().collect(),
            verdicts: [verdict].into_iter().collect(),
            expected: [""].into_iter().collect(),
            cpu_s: seconds,
            ..Run::default()
        }
    }

    #[test]
    fn the_sign_test_is_exact() {
        assert!((sign_test(8, 2) - 0.109_375).abs() < 1e-9);
        assert!((sign_test(5, 5) - 1.0).abs() < 1e-9);
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-12);
        assert!(sign_test(3000, 2000) < 1e-40 && sign_test(0, 0) == 1.0);
    }

    #[test]
    fn pairs_are_compared_where_both_decide_alike() {
        let mut runs = Vec::new();
        for (position, (a, b)) in [(4.0, 1.0), (1.0, 1.0), (1.0, 2.0)].into_iter().enumerate() {
            let task = format!("t{position}");
            runs.extend([run(&task, "a", a, "true"), run(&task, "b", b, "true")]);
        }
        runs.extend([run("u", "a", 9.0, "unknown"), run("u", "b", 1.0, "false")]);
        runs.extend([run("v", "a", 9.0, "true"), run("v", "b", 1.0, "unknown")]);
        runs.extend([
            run("w", "a", 9.0, "true"),
            run("w", "b", 1.0, "false"),
            run("x", "a", 1.0, "true"),
        ]);
        let comparisons = all(&["a".to_string(), "b".to_string(), "c".to_string()], &runs);
        assert_eq!(comparisons.len(), 1);
        let c = &comparisons[0];
        assert_eq!((c.subjects, c.compared, c.faster, c.slower), (6, 3, 1, 1));
        assert_eq!((c.gained, c.lost, c.changed), (1, 1, 1));
        assert!((c.mean.value - 5.5 / 3.0).abs() < 1e-9 && (c.median.value - 1.0).abs() < 1e-9);
        assert!((c.geometric.value - 2f64.cbrt()).abs() < 1e-9 && (c.overall - 1.5).abs() < 1e-9);
        assert!(c.mean.low <= c.mean.value && c.mean.value <= c.mean.high);
    }

    #[test]
    fn intervals_cover_and_repeat() {
        let ratios: Vec<f64> = (1..=200).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        let [mean, median, geometric] = estimates(&ratios);
        for estimate in [mean, median, geometric] {
            assert!(
                estimate.low < estimate.value && estimate.value < estimate.high,
                "{estimate:?}"
            );
            assert!(estimate.high - estimate.low < 0.4, "{estimate:?}");
        }
        assert_eq!(estimates(&ratios), [mean, median, geometric]);
    }
}
