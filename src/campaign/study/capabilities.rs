//! The study of capabilities: everything, and everything without one capability at a time.
//!
//! A verifier of many parts has to say what each of them is for. A task *needs* a capability if everything together solves it, and everything but this capability does not. A capability that no task of a
//! large run set needs may save time; where it does neither, it is a candidate for removal. A task may need several capabilities, and it needs none if two of them can stand for each other.

use super::common::{Subject, is_solved, over_common_subjects};
use super::lessons::number;
use super::section::Section;
use super::summary::{Numbers, as_float};
use crate::campaign::results::Run;
use std::collections::BTreeMap;

/// The configuration with all capabilities.
const BASE: &str = "everything";

/// Everything without one capability, against everything.
struct Without<'r> {
    /// The capability that is switched off.
    name: &'r str,
    /// The subjects that it solves nevertheless.
    solved: usize,
    /// The subjects that need the capability.
    lost: Vec<Subject<'r>>,
    /// The subjects that are solved without it only.
    gained: Vec<Subject<'r>>,
    /// Answers against the expectation.
    wrong: usize,
    /// Processor seconds with and without it, over the subjects that both solve.
    cpu_s: (f64, f64),
    /// The geometric mean of its ticks without and with it, over the same subjects: above 1 it saves effort.
    ticks: f64,
}

impl<'r> Without<'r> {
    fn new(name: &'r str, base: &BTreeMap<Subject<'r>, &'r Run>, own: &BTreeMap<Subject<'r>, &'r Run>) -> Without<'r> {
        let pairs = || base.iter().map(|(subject, with)| (*subject, *with, own[subject]));
        let both = || pairs().filter(|(_, with, without)| is_solved(with) && is_solved(without));
        let only = |first: fn(&Run) -> bool, second: fn(&Run) -> bool| {
            let chosen = pairs().filter(|(_, with, without)| first(with) && second(without));
            chosen.map(|(subject, _, _)| subject).collect()
        };
        let ratios = both().map(|(_, with, without)| ((number(without.ticks) + 1.0) / (number(with.ticks) + 1.0)).ln());
        Without {
            name,
            solved: own.values().filter(|run| is_solved(run)).count(),
            lost: only(is_solved, |run| !is_solved(run)),
            gained: only(|run| !is_solved(run), is_solved),
            wrong: own.values().map(|run| run.wrong()).sum(),
            cpu_s: both().fold((0.0, 0.0), |sum, (_, with, without)| {
                (sum.0 + with.cpu_s, sum.1 + without.cpu_s)
            }),
            ticks: Numbers::of(ratios).mean.exp(),
        }
    }

    /// The row of the table.
    fn row(&self) -> Vec<String> {
        vec![
            self.name.to_string(),
            self.solved.to_string(),
            self.lost.len().to_string(),
            self.gained.len().to_string(),
            self.wrong.to_string(),
            format!("{:.1}", self.cpu_s.0),
            format!("{:.1}", self.cpu_s.1),
            format!("{:.2}", self.ticks),
        ]
    }
}

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    let by_configuration = over_common_subjects(runs.iter());
    let Some(base) = by_configuration.get(BASE) else {
        return (page, Vec::new());
    };
    let others = by_configuration.iter().filter(|(name, _)| **name != BASE);
    let mut others: Vec<Without<'_>> = others.map(|(name, own)| Without::new(name, base, own)).collect();
    others.sort_by_key(|without| std::cmp::Reverse(without.lost.len()));
    let solved = base.values().filter(|run| is_solved(run)).count();
    page.text(
        "A task needs a capability if everything together solves it, and everything but this capability does not.",
    );
    page.table(
        &format!(
            "Capabilities, each switched off in turn: {} tasks, {solved} solved with all",
            base.len()
        ),
        &[
            "",
            "solved without it",
            "tasks that need it",
            "solved without it only",
            "wrong without it",
            "CPU time with it (s)",
            "without it",
            "ticks without it, in those with it",
        ],
        &others.iter().map(Without::row).collect::<Vec<_>>(),
    );
    for without in others.iter().filter(|without| !without.lost.is_empty()) {
        page.heading(&format!("Tasks that need {}", without.name));
        page.text(&names(&without.lost));
    }
    let mut lines: Vec<String> = others.iter().map(|without| line(without, solved)).collect();
    lines.push(needs(&others, base.len()));
    for line in &lines {
        page.text(line);
    }
    (page, lines)
}

/// A capability in one line.
fn line(without: &Without<'_>, solved: usize) -> String {
    let mut line = format!(
        "without {}: {} solved instead of {solved}; {} tasks need it",
        without.name,
        without.solved,
        without.lost.len()
    );
    if !without.lost.is_empty() {
        line.push_str(&format!(" ({})", names(&without.lost)));
    }
    if !without.gained.is_empty() {
        line.push_str(&format!("; solved without it only: {}", names(&without.gained)));
    }
    line.push_str(&format!(
        "; where both solve, {:.1} s CPU with it and {:.1} s without, {:.2} times the ticks",
        without.cpu_s.0, without.cpu_s.1, without.ticks
    ));
    line
}

/// How many tasks need how many capabilities.
fn needs(all: &[Without<'_>], tasks: usize) -> String {
    let mut of: BTreeMap<Subject<'_>, usize> = BTreeMap::new();
    for subject in all.iter().flat_map(|without| &without.lost) {
        *of.entry(*subject).or_default() += 1;
    }
    let one = of.values().filter(|count| **count == 1).count();
    format!(
        "{} of {tasks} tasks ({:.0} %) need a capability, {one} of them exactly one",
        of.len(),
        100.0 * as_float(of.len()) / as_float(tasks.max(1))
    )
}

/// The names of subjects with commas in between.
fn names(subjects: &[Subject<'_>]) -> String {
    let name = |(task, property): &Subject<'_>| match property.is_empty() {
        true => (*task).to_string(),
        false => format!("{task} ({property})"),
    };
    subjects.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;

    #[test]
    fn a_task_needs_what_nothing_else_replaces() {
        let with = |task: &str, configuration: &str, verdict: &str, ticks: u64| {
            let mut run = run(task, "", configuration, 1.0, &[("p", verdict)]);
            run.verdict = verdict.into();
            run.ticks = ticks;
            run
        };
        let runs = [
            with("a", BASE, "true", 99),
            with("b", BASE, "false", 99),
            with("c", BASE, "unknown", 99),
            with("a", "slice", "true", 399),
            with("b", "slice", "unknown", 99),
            with("c", "slice", "true", 99),
            with("a", "samples", "true", 99),
            with("b", "samples", "false", 99),
            with("c", "samples", "unknown", 99),
            with("d", BASE, "true", 99),
        ];
        let (page, lines) = section(&runs);
        assert_eq!(
            lines,
            [
                "without slice: 2 solved instead of 2; 1 tasks need it (b); solved without it only: c; where both solve, 1.0 s CPU with it and 1.0 s without, 4.00 times the ticks",
                "without samples: 2 solved instead of 2; 0 tasks need it; where both solve, 2.0 s CPU with it and 2.0 s without, 1.00 times the ticks",
                "1 of 3 tasks (33 %) need a capability, 1 of them exactly one",
            ]
        );
        assert!(page.html().contains("Tasks that need slice"));
    }
}
