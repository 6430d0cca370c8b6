//! The study of provident refinement: chapter 4 of Lukasczyk's thesis (*Provident abstraction refinement*, 2018), over any run set.
//!
//! | hypothesis | compares | stated in |
//! |---|---|---|
//! | 1, efficiency ([`efficiency`](super::efficiency)) | CPU time of `multi` against `single` and against `first` | Figures 4.1 and 4.2, Table 4.5 |
//! | 2, effectiveness | tasks solved over CPU time | Figure 4.3 |
//! | 3, properties | the same for each property alone | Table 4.6, Figures 4.4 to 4.7 |
//! | 4, domain knowledge | shallow-first (`T`) and deep-first (`B`) rankers, at most 2, 4, 8 joined | Figure 4.8 |
//!
//! As in the thesis a task counts if it needed a refinement and both configurations gave the same verdicts, none of them UNKNOWN; and
//! CPU time is that of the analysis, without the front end. The thesis drops FALSE verdicts because its kernel modules had none to find; here they count.

use super::efficiency::{Against, efficiency};
use super::plot::{Point, boxes, quantiles, scatter};
use super::section::Section;
use super::summary::{Numbers, SpeedUps};
use crate::campaign::results::Run;
use std::collections::BTreeMap;

/// The baselines of Hypothesis 1, with what they are.
const BASELINES: [(&str, &str); 2] = [
    ("single", "lazy abstraction (single)"),
    ("first", "the thesis's own baseline (first: the first of all targets)"),
];

/// The runs of one subject in two configurations.
pub(super) struct Pair<'r> {
    pub before: &'r Run,
    pub after: &'r Run,
}

impl Pair<'_> {
    /// Whether the pair counts for the comparison of times.
    fn counts(&self) -> bool {
        self.before.is_decided()
            && self.before.verdicts == self.after.verdicts
            && self
                .before
                .counter("refinements")
                .max(self.after.counter("refinements"))
                > 0
    }

    /// The times of both.
    pub(super) fn seconds(&self) -> (f64, f64) {
        (self.before.analysis_cpu_s, self.after.analysis_cpu_s)
    }
}

/// The subjects that both configurations have run, in order of first appearance.
fn pairs<'r>(runs: &[&'r Run], before: &str, after: &str) -> Vec<Pair<'r>> {
    let key = |run: &Run| (run.task.clone(), run.property.clone());
    let of = |name: &str| -> Vec<&'r Run> { runs.iter().filter(|r| r.configuration == name).copied().collect() };
    let others: BTreeMap<_, &Run> = of(after).into_iter().map(|run| (key(run), run)).collect();
    let pair = |run: &'r Run| {
        others.get(&key(run)).map(|other| Pair {
            before: run,
            after: other,
        })
    };
    of(before).into_iter().filter_map(pair).collect()
}

pub(super) fn number(value: f64) -> String {
    format!("{value:.2}")
}

pub(super) fn numbers_row(name: &str, n: Numbers) -> Vec<String> {
    let cells = [n.min, n.median, n.mean, n.max, n.sum].map(number);
    std::iter::once(name.to_string()).chain(cells).collect()
}

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    let mut summary = Vec::new();
    page.text("After chapter 4 of: Lukasczyk, Provident abstraction refinement, 2018. Its figures stand in brackets.");
    let together: Vec<&Run> = runs.iter().filter(|run| run.property.is_empty()).collect();
    let all = pairs(&together, "single", "multi");
    for (name, what) in BASELINES {
        let all = pairs(&together, name, "multi");
        let counting: Vec<&Pair<'_>> = all.iter().filter(|pair| pair.counts()).collect();
        // A baseline that nobody ran is not compared.
        if !all.is_empty() {
            let against = Against {
                name,
                what,
                total: all.len(),
                pairs: &counting,
            };
            efficiency(&mut page, &mut summary, &against);
        }
    }
    effectiveness(&mut page, &mut summary, &all, &together);
    let alone: Vec<&Run> = runs.iter().filter(|run| !run.property.is_empty()).collect();
    if !alone.is_empty() {
        per_property(&mut page, &mut summary, &alone);
    }
    domain_knowledge(&mut page, &mut summary, &together);
    (page, summary)
}

/// Hypothesis 2.
fn effectiveness(page: &mut Section, summary: &mut Vec<String>, all: &[Pair<'_>], runs: &[&Run]) {
    page.heading("Hypothesis 2: effectiveness");
    let solved = |name: &str| -> Vec<f64> {
        let of = runs.iter().filter(|run| run.configuration == name);
        let counts = |run: &&&Run| run.is_decided() && run.counter("refinements") > 0;
        of.filter(counts).map(|run| run.analysis_cpu_s).collect()
    };
    let series = ["single", "multi"].map(|name| (name.to_string(), solved(name)));
    let lost: Vec<&Pair<'_>> = all.iter().filter(|p| p.after.answers() < p.before.answers()).collect();
    let won = all.iter().filter(|p| p.after.answers() > p.before.answers()).count();
    let wrong: usize = runs.iter().map(|run| run.wrong()).sum();
    let sentence = format!(
        "Solved with a refinement: single {}, multi {} [130, 150]. Tasks in which multi answers for fewer properties than single: {}, for more: {won}. Verdicts against the expectation, in all runs: {wrong}.",
        series[0].1.len(),
        series[1].1.len(),
        lost.len(),
    );
    page.text(&sentence);
    summary.push(sentence);
    page.figure(
        &quantiles("n-th fastest task", "CPU time of the analysis (s)", &series),
        "Figure 4.3: quantiles. Lower and more to the right is better.",
    );
    for pair in lost {
        let line = format!("lost by multi: {} ({})", pair.after.task, pair.after.reason);
        page.text(&line);
        summary.push(line);
    }
}

/// Hypothesis 3.
fn per_property(page: &mut Section, summary: &mut Vec<String>, runs: &[&Run]) {
    page.heading("Hypothesis 3: each property alone");
    let mut names: Vec<&str> = Vec::new();
    for run in runs {
        if !names.contains(&run.property.as_str()) {
            names.push(&run.property);
        }
    }
    let mut samples: Vec<(String, Numbers)> = Vec::new();
    let mut rows = Vec::new();
    let mut plots: Vec<(f64, &str, Vec<Point>)> = Vec::new();
    for name in names {
        let of: Vec<&Run> = runs.iter().filter(|run| run.property == name).copied().collect();
        let all = pairs(&of, "single", "multi");
        let counting: Vec<&Pair<'_>> = all.iter().filter(|pair| pair.counts()).collect();
        let speedups = SpeedUps::of(counting.iter().map(|pair| pair.seconds()));
        let executed = |run: &Run| as_number(run.counter("refinements"));
        rows.push(vec![
            name.to_string(),
            counting.len().to_string(),
            number(speedups.numbers.mean),
            number(speedups.numbers.median),
            number(speedups.numbers.max),
            format!("{} ({:.1} %)", speedups.slower, speedups.slower_percent()),
            format!("{}", counting.iter().map(|p| executed(p.before)).sum::<f64>()),
            format!("{}", counting.iter().map(|p| executed(p.after)).sum::<f64>()),
        ]);
        samples.push((name.to_string(), speedups.numbers));
        let points = counting.iter().map(|pair| {
            let (x, y) = pair.seconds();
            (x, y, pair.before.task.to_string())
        });
        if !counting.is_empty() {
            plots.push((speedups.numbers.median, name, points.collect()));
        }
    }
    page.table(
        "Table 4.6: relevant tasks per property, with the speed-ups of multi and the executed refinements",
        &[
            "property", "tasks", "mean", "median", "greatest", "slower", "single", "multi",
        ],
        &rows,
    );
    page.figure(
        &boxes("speed-up of multi", true, Some(1.0), &samples),
        "Figure 4.4: speed-up per property. Right of the line, multi is faster.",
    );
    plots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    // The thesis shows one property with slow-downs and two with speed-ups.
    let ends = plots.iter().take(1).chain(plots.iter().skip(1).rev().take(2));
    for (figure, (median, name, points)) in ["4.5", "4.6", "4.7"].into_iter().zip(ends) {
        page.figure(
            &scatter(
                "single: CPU time of the analysis (s)",
                "multi: CPU time of the analysis (s)",
                points,
            ),
            &format!("Figure {figure}: {name}, median speed-up {}.", number(*median)),
        );
    }
    let faster = samples.iter().filter(|(_, n)| n.count > 0 && n.median >= 1.0).count();
    let relevant = samples.iter().filter(|(_, n)| n.count > 0).count();
    let sentence =
        format!("Each property alone: multi is not slower in the median for {faster} of {relevant} properties.");
    page.text(&sentence);
    summary.push(sentence);
}

/// Hypothesis 4.
fn domain_knowledge(page: &mut Section, summary: &mut Vec<String>, runs: &[&Run]) {
    page.heading("Hypothesis 4: near or far targets first");
    // Configurations that nobody ran are not compared; the baseline of the thesis takes no part in its Figure 4.8.
    let wanted = ["single", "multi", "T2", "T4", "T8", "B2", "B4", "B8"];
    let was_run = |name: &&&str| runs.iter().any(|run| run.configuration == ***name);
    let names: Vec<String> = wanted.iter().filter(was_run).map(ToString::to_string).collect();
    let runs: Vec<&Run> = runs
        .iter()
        .filter(|run| names.iter().any(|name| run.configuration == **name))
        .copied()
        .collect();
    let mut by_subject: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for run in &runs {
        by_subject.entry(&run.task).or_default().push(run);
    }
    // Only subjects that all configurations have decided alike can be compared over all of them.
    let comparable = |of: &&Vec<&Run>| {
        of.len() == names.len()
            && of.iter().all(|run| run.is_decided() && run.verdicts == of[0].verdicts)
            && of.iter().any(|run| run.counter("refinements") > 0)
    };
    let subjects: Vec<&Vec<&Run>> = by_subject.values().filter(comparable).collect();
    let sample = |name: &String| {
        let of = subjects
            .iter()
            .flat_map(|runs| runs.iter().filter(|run| run.configuration == **name));
        Numbers::of(of.map(|run| as_number(run.counter("refinements"))))
    };
    let samples: Vec<(String, Numbers)> = names.iter().map(|name| (name.clone(), sample(name))).collect();
    page.figure(
        &boxes("executed refinements", false, None, &samples),
        "Figure 4.8: executed refinements in each configuration.",
    );
    let rows: Vec<Vec<String>> = samples.iter().map(|(name, n)| numbers_row(name, *n)).collect();
    page.table(
        "Executed refinements",
        &["", "min", "median", "average", "max", "sum"],
        &rows,
    );
    let said: Vec<String> = samples.iter().map(|(name, n)| format!("{name} {}", n.sum)).collect();
    let sentence = format!(
        "{} tasks are decided alike by all configurations. Executed refinements (T: near targets first, B: far ones; at most so many joined): {}.",
        subjects.len(),
        said.join(", ")
    );
    page.text(&sentence);
    summary.push(sentence);
}

/// A counter as a number to calculate with; exact below 2^53.
pub(super) fn as_number(count: u64) -> f64 {
    let (high, low) = (u32::try_from(count >> 32), u32::try_from(count & 0xffff_ffff));
    f64::from(high.expect("32 bits")) * 4_294_967_296.0 + f64::from(low.expect("32 bits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(task: &str, configuration: &str, seconds: f64, refinements: u64, verdict: &str) -> Run {
        let counters = [("refinements", refinements), ("solver ticks", refinements * 10)];
        Run {
            task: task.into(),
            configuration: configuration.into(),
            properties: ["p"].into_iter().collect(),
            verdicts: [verdict].into_iter().collect(),
            expected: ["true"].into_iter().collect(),
            analysis_cpu_s: seconds,
            memory_mb: 10.0,
            counters: counters.into_iter().collect(),
            ..Run::default()
        }
    }

    #[test]
    fn only_tasks_with_refinements_and_equal_verdicts_count() {
        let runs = [
            run("a", "single", 2.0, 10, "true"),
            run("a", "multi", 1.0, 2, "true"),
            run("b", "single", 3.0, 5, "true"),
            run("b", "multi", 4.0, 5, "unknown"),
            run("c", "multi", 1.0, 0, "true"),
            run("c", "single", 9.0, 0, "true"),
            run("d", "single", 1.0, 2, "false"),
            run("d", "multi", 2.0, 2, "false"),
        ];
        let (page, summary) = section(&runs);
        assert!(
            summary[0].starts_with(
                "2 of 4 tasks count: same verdicts, all decided, at least one refinement. Speed-up of multi over single: mean 1.25 [1.71], median 1.25 [1.47], greatest 2.00 [5.59], least 0.50 [0.61]; slower in 1 tasks, 50.0 %"
            ),
            "{}",
            summary[0]
        );
        assert_eq!(
            summary[1],
            "Executed refinements: single 12, multi 4, that is 0.33 of them [161 of 781: 0.21]."
        );
        assert!(
            summary[2].starts_with(
                "Processor seconds of the operators, single / multi: explore 0.000 / 0.000, extract_targets"
            )
        );
        assert!(summary[3].contains(
            "fewer properties than single: 1, for more: 0. Verdicts against the expectation, in all runs: 2"
        ));
        assert_eq!(summary[4], "lost by multi: b ()");
        let html = page.html();
        for figure in ["4.1", "4.2", "4.3", "4.8"] {
            assert!(html.contains(&format!("Figure {figure}")), "{figure}");
        }
    }

    #[test]
    fn both_baselines_are_compared() {
        let mut runs = Vec::new();
        for (configuration, seconds, refinements) in [("first", 4.0, 9), ("single", 2.0, 6), ("multi", 1.0, 3)] {
            let mut run = run("a", configuration, seconds, refinements, "true");
            run.operators_cpu_s.provident_refine = seconds / 2.0;
            runs.push(run);
        }
        let (page, summary) = section(&runs);
        let said = |text: &str| summary.iter().any(|line| line.contains(text));
        assert!(said("Speed-up of multi over single: mean 2.00") && said("Speed-up of multi over first: mean 4.00"));
        assert!(
            said("Executed refinements: first 9, multi 3") && said("provident_refine 2.000 / 0.500"),
            "{summary:#?}"
        );
        let html = page.html();
        assert!(html.contains("against the thesis's own baseline") || html.contains("the thesis&#39;s own baseline"));
        assert!(html.contains("time of first by time of multi"));
    }

    #[test]
    fn properties_alone_are_compared_one_by_one() {
        let mut runs = Vec::new();
        for (property, factor) in [("32_1a", 0.5), ("106_1a", 2.0), ("132_1a", 4.0)] {
            for task in ["a", "b"] {
                for (configuration, seconds) in [("single", factor), ("multi", 1.0)] {
                    runs.push(Run {
                        property: property.into(),
                        ..run(task, configuration, seconds, 1, "true")
                    });
                }
            }
        }
        let (page, summary) = section(&runs);
        assert!(
            summary.iter().any(|line| line.contains("for 2 of 3 properties")),
            "{summary:#?}"
        );
        let html = page.html();
        assert!(html.contains("Figure 4.5: 32_1a, median speed-up 0.50"));
        assert!(html.contains("Figure 4.6: 132_1a") && html.contains("Figure 4.7: 106_1a"));
        assert!(html.contains("<td>32_1a</td><td>2</td>"));
    }
}
