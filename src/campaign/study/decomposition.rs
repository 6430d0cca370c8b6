//! The study of specification decomposition: section 5 of Apel, Beyer, Mordan, Mutilin, Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016), over
//! any run set: each property alone against all properties together, by the strategies S0 to S4, and by our own.
//!
//! | question | answered by |
//! |---|---|
//! | RQ1.1, RQ2.1: how much faster? | speed-up in processor time |
//! | RQ1.2, RQ2.2: how many results? | results lost and gained |

use super::page::Page;
use super::together::{ALONE, figures, tables};
use super::{Configuration, Of, Run};

/// The counters that the study needs from each run.
pub const COUNTERS: &[&str] = &[
    "partitions",
    "iterations",
    "refinements",
    "explored states",
    "solver ticks",
];

/// Options of every run, unless the user gives others.
pub const ARGUMENTS: &str = "--threads 1";

/// The configurations that are compared with each property alone.
const STRATEGIES: [&str; 8] = ["S0", "S1", "S2", "S3", "S4", "S4-nothing", "S4-precision", "bisect"];

/// The configurations.
pub fn configurations() -> Vec<Configuration> {
    let alone = Configuration::new(ALONE, "").of(Of::Alone);
    let strategy = |name: &str| {
        let (strategy, reuse) = name.split_once('-').unwrap_or((name, "caches"));
        let arguments = format!("--set decompose.strategy={strategy} --set decompose.reuse={reuse}");
        Configuration::new(name, &arguments).of(Of::Together)
    };
    std::iter::once(alone).chain(STRATEGIES.map(strategy)).collect()
}

/// The page, and the lines that sum it up.
pub fn page(setting: &str, runs: &[Run]) -> (Page, Vec<String>) {
    let mut page = Page::new("Specification decomposition: many properties at once");
    page.text("After section 5 of: Apel, Beyer, Mordan, Mutilin, Stahlbauer, On-the-fly decomposition of specifications in software model checking, FSE 2016.");
    page.verbatim(setting);
    let summary = tables(&mut page, runs, &STRATEGIES, ("partitions", "partitions"));
    for line in &summary {
        page.text(line);
    }
    figures(&mut page, runs, &STRATEGIES);
    (page, summary)
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;

    #[test]
    fn strategies_are_compared_with_each_property_alone() {
        let runs = [
            run("t", "", "S4", 1.0, &[("p", "true"), ("q", "false")]),
            run("t", "p", ALONE, 3.0, &[("p", "true")]),
            run("t", "q", ALONE, 4.0, &[("q", "false")]),
        ];
        let (page, summary) = page("test", &runs);
        assert_eq!(
            summary,
            [
                "S4: 1 tasks, speed-up mean 7.00, median 7.00 (of the analysis alone 7.00), overall 7.00; of 2 results 0 lost (0.00 %), 0 gained, 0 changed, 0 against the expectation; partitions 0.00 on average"
            ]
        );
        assert!(page.html().contains("S4 against each property alone"));
    }
}
