//! The selection of the metric by a learned tree: questions RQ4 and RQ5 of the study of [directed search](super::tour), tables 5.10 to 5.13.
//!
//! Which programs count, and with which class, say the `lessons`.

use super::lessons::{Alike, RECOMMENDED, Subject, Sum, examples, leave_one_out, threshold};
use super::section::Section;
use super::tour::{METRICS, Runs};
use crate::verify::selector::tree::{self, Example};

/// The thresholds of the thesis in seconds of its limit, with solved programs for BAM.T and for LA.T, and the programs to learn from.
const THRESHOLDS: [(u32, [usize; 2], [usize; 2]); 6] = [
    (0, [2081, 1481], [3042, 3042]),
    (10, [2106, 1516], [721, 191]),
    (20, [2111, 1514], [608, 154]),
    (30, [2116, 1513], [529, 138]),
    (40, [2116, 1518], [500, 131]),
    (50, [2113, 1517], [489, 126]),
];

/// The rows of the table, for each threshold, each metric alone, and the best one of each program; and the sum with the recommended threshold.
fn rows(
    subjects: &[Subject<'_>],
    most: u64,
    (singles, best): (&[Sum; METRICS.len()], Sum),
    bam: bool,
) -> (Vec<Vec<String>>, Sum) {
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
        let threshold = threshold(most, seconds);
        let sum = leave_one_out(subjects, threshold, Alike::In);
        let count = examples(subjects, threshold).iter().flatten().count();
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
    for (metric, sum) in METRICS.iter().zip(*singles) {
        rows.push(row(format!("always {metric}"), sum, "–".to_string(), "–".to_string()));
    }
    rows.push(row(
        "the best metric of each program".to_string(),
        best,
        "–".to_string(),
        "–".to_string(),
    ));
    (rows, recommended)
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
        best.add(subject.best());
    }
    let (rows, recommended) = rows(&subjects, most, (&singles, best), bam);
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
    let examples: Vec<Example> = examples(&subjects, threshold(most, RECOMMENDED))
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
    use crate::campaign::results::Run;

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
}
