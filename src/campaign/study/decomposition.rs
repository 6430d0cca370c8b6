//! The study of specification decomposition: section 5 of Apel, Beyer, Mordan, Mutilin, Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016), over
//! any run set: each property alone against all properties together, by the strategies S0 to S4, and by our own.
//!
//! | question | answered by |
//! |---|---|
//! | RQ1.1, RQ2.1: how much faster? | speed-up in processor time |
//! | RQ1.2, RQ2.2: how many results? | results lost and gained |

use super::section::Section;
use super::together::{figures, tables};
use crate::campaign::results::Run;

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
    figures(&mut page, runs, &STRATEGIES);
    (page, summary)
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
            summary,
            [
                "S4: 1 tasks, speed-up mean 7.00, median 7.00 (of the analysis alone 7.00), overall 7.00; of 2 results 0 lost (0.00 %), 0 gained, 0 changed, 0 against the expectation; partitions 0.00 on average"
            ]
        );
        assert!(page.html().contains("S4 against each property alone"));
    }
}
