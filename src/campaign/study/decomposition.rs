//! The study of specification decomposition: section 5 of Apel, Beyer, Mordan, Mutilin, Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016), over
//! any run set: each property alone against all properties together, by the strategies S0 to S4, and by our own.
//!
//! | question | answered by |
//! |---|---|
//! | RQ1.1, RQ2.1: how much faster? | speed-up in processor time |
//! | RQ1.2, RQ2.2: how many results? | results lost and gained |

use super::section::Section;
use super::summary::Numbers;
use super::together::{figures, percent, speedups, tables};
use crate::campaign::results::Run;
use std::collections::BTreeMap;

/// The configurations that are compared with each property alone.
const STRATEGIES: [&str; 8] = ["S0", "S1", "S2", "S3", "S4", "S4-nothing", "S4-precision", "bisect"];

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    page.text("After section 5 of: Apel, Beyer, Mordan, Mutilin, Stahlbauer, On-the-fly decomposition of specifications in software model checking, FSE 2016.");
    let summary = tables(&mut page, runs, &STRATEGIES, ("partitions", "partitions"));
    for line in &summary {
        page.text(line);
    }
    let mut summary = summary;
    summary.extend(faster(&mut page, runs));
    relevance(&mut page, runs);
    figures(&mut page, runs, &STRATEGIES);
    (page, summary)
}

/// The share of the tasks on which a strategy is faster than each property alone: of all tasks, and of the hard ones, the quarter that takes longest alone.
fn faster(page: &mut Section, runs: &[Run]) -> Vec<String> {
    let mut lines = Vec::new();
    for strategy in STRATEGIES {
        let (all, hard) = (speedups(runs, strategy, 0.0), speedups(runs, strategy, 0.75));
        if all.is_empty() {
            continue;
        }
        let share = |of: &[f64]| percent(of.iter().filter(|ratio| **ratio > 1.0).count(), of.len());
        lines.push(format!(
            "{strategy}: faster than each property alone on {:.1} % of {} tasks; on the {} hard ones (the quarter that takes longest alone) on {:.1} %, speed-up in the median {:.2}",
            share(&all),
            all.len(),
            hard.len(),
            share(&hard),
            Numbers::of(hard.iter().copied()).median,
        ));
    }
    for line in &lines {
        page.text(line);
    }
    lines
}

/// In how many tasks each property is relevant: its automaton has seen something in one of the runs.
fn relevance(page: &mut Section, runs: &[Run]) {
    let mut seen: BTreeMap<&str, BTreeMap<&str, bool>> = BTreeMap::new();
    for run in runs {
        for (property, transitions) in run.properties.iter().zip(&run.relevance) {
            *seen.entry(property).or_default().entry(&run.task).or_default() |= *transitions > 0;
        }
    }
    let row = |(property, tasks): (&&str, &BTreeMap<&str, bool>)| {
        let relevant = tasks.values().filter(|relevant| **relevant).count();
        let share = format!("{:.1} %", percent(relevant, tasks.len()));
        vec![
            (*property).to_string(),
            tasks.len().to_string(),
            relevant.to_string(),
            share,
        ]
    };
    let rows: Vec<Vec<String>> = seen.iter().map(row).collect();
    page.table(
        "Relevance: tasks in which a property's automaton has seen something while states were explored with predicates",
        &["property", "tasks", "relevant", "share"],
        &rows,
    );
}

#[cfg(test)]
mod tests {
    use super::super::together::{ALONE, tests::run};
    use super::*;

    #[test]
    fn strategies_are_compared_with_each_property_alone() {
        let runs = [
            run("t", "", "S4", 1.0, &[("p", "true"), ("q", "false")]),
            run("t", "p", ALONE, 3.0, &[("p", "true")]),
            run("t", "q", ALONE, 4.0, &[("q", "false")]),
        ];
        let (page, summary) = section(&runs);
        assert_eq!(
            summary[..1],
            [
                "S4: 1 tasks, speed-up mean 7.00, median 7.00 (of the analysis alone 7.00), overall 7.00; of 2 results 0 lost (0.00 %), 0 gained, 0 changed, 0 against the expectation; partitions 0.00 on average"
            ]
        );
        assert!(
            summary[1].contains("S4: faster than each property alone on 100.0 % of 1 tasks; on the 1 hard ones"),
            "{summary:?}"
        );
        assert!(page.html().contains("S4 against each property alone"));
    }
}
