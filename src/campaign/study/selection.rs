//! The study of refinement selection: section 7 of Beyer, Löwe, Wendler (*Sliced path prefixes* and *Refinement selection*, 2015), over any run set: which of the infeasible sliced prefixes of an error path is refined.
//!
//! | stated in | compares |
//! |---|---|
//! | Table 1 | heuristics with predicate analysis: `none`, `short` and so on |
//! | Table 2 | the same with value analysis: `value-none`, `value-short` and so on |
//! | Table 3 | the analyses together: `PA`, `VA+PA`, `VAsel+PAsel`, `select` |
//! | Figure 2 | quantiles of the time of solved tasks |
//!
//! Tables of configurations that nobody ran are left out. As in the paper only tasks count in which a selection is possible: an error path with more than one infeasible sliced prefix occurs in some configuration. (A configuration
//! without selection looks for no prefixes, so that it cannot say.) For Table 3 a task counts if `select` has refined at all, since each refinement may be one of either analysis. Numbers of solved tasks depend on the tasks; what can be compared with the paper is how much a heuristic wins or loses against none.

use super::common::{Subject, is_solved};
use super::plot::quantiles;
use super::section::Section;
use super::summary::{Numbers, as_float};
use crate::campaign::results::Run;
use std::collections::{BTreeMap, BTreeSet};

/// The choice that a table is about.
#[derive(Clone, Copy)]
enum Selects {
    /// Among prefixes: some configuration has found more than one on an error path.
    Prefixes,
    /// Between analyses: the configuration with that name has refined.
    Analyses(&'static str),
}

/// A table of the paper: configurations with the number of tasks that the paper's solved, the baseline first.
struct Table {
    caption: &'static str,
    selects: Selects,
    /// The tasks of the paper.
    tasks: usize,
    rows: &'static [(&'static str, Option<usize>)],
}

const PREDICATES: Table = Table {
    caption: "Table 1: solved tasks, predicate analysis",
    selects: Selects::Prefixes,
    tasks: 2827,
    rows: &[
        ("none", Some(1139)),
        ("short", Some(1259)),
        ("long", Some(1301)),
        ("good", Some(1284)),
        ("bad", Some(1134)),
        ("narrow", Some(1289)),
        ("wide", Some(1253)),
        ("shallow", Some(1225)),
        ("deep", Some(1258)),
        ("random", Some(1328)),
        ("good-narrow", Some(1363)),
        ("narrow-good", Some(1339)),
        ("dynamic", None),
        ("forms", None),
        ("preferred", None),
    ],
};

const VALUES: Table = Table {
    caption: "Table 2: solved tasks, value analysis",
    selects: Selects::Prefixes,
    tasks: 2638,
    rows: &[
        ("value-none", Some(1740)),
        ("value-short", Some(1656)),
        ("value-long", Some(1630)),
        ("value-good", Some(1761)),
        ("value-bad", Some(1524)),
        ("value-narrow", Some(1689)),
        ("value-wide", Some(1608)),
        ("value-shallow", Some(1663)),
        ("value-deep", Some(1729)),
        ("value-random", Some(1626)),
        ("value-good-narrow", Some(1774)),
        ("value-narrow-good", Some(1718)),
        ("value-dynamic", None),
    ],
};

const ANALYSES: Table = Table {
    caption: "Table 3: solved tasks, analyses together",
    selects: Selects::Analyses("select"),
    tasks: 3563,
    rows: &[
        ("PA", Some(1824)),
        ("VA+PA", Some(2300)),
        ("VAsel+PAsel", Some(2384)),
        ("select", Some(2384)),
        ("threshold", None),
    ],
};

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    page.text(
        "After section 7 of: Beyer, Löwe, Wendler, Refinement selection, SPIN 2015. Its figures stand in brackets.",
    );
    let mut lines = Vec::new();
    for table in [PREDICATES, VALUES, ANALYSES] {
        let names: Vec<&str> = table.rows.iter().map(|(name, _)| *name).collect();
        let own: Vec<&Run> = runs.iter().filter(|run| names.contains(&&*run.configuration)).collect();
        if own.is_empty() {
            continue;
        }
        page.heading(table.caption);
        let counting = counting(&table, &own);
        lines.extend(solved(&mut page, &table, &own, &counting));
        effort(&mut page, &table, &own, &counting);
        figure(&mut page, &table, &own, &counting);
    }
    for line in &lines {
        page.text(line);
    }
    (page, lines)
}

fn subject(run: &Run) -> Subject<'_> {
    (&run.task, &run.property)
}

/// The subjects in which a selection is possible, of those that every configuration has run.
fn counting<'r>(table: &Table, runs: &[&'r Run]) -> BTreeSet<Subject<'r>> {
    let selects = |run: &&&Run| match table.selects {
        Selects::Prefixes => run.counter("refinement selections") > 0,
        Selects::Analyses(configuration) => {
            run.configuration == configuration && run.counter("refinements") + run.counter("value refinements") > 0
        }
    };
    let mut subjects: BTreeSet<Subject<'r>> = runs.iter().filter(selects).map(|run| subject(run)).collect();
    let mut by_configuration: BTreeMap<&str, BTreeSet<Subject<'r>>> = BTreeMap::new();
    for run in runs {
        by_configuration
            .entry(&run.configuration)
            .or_default()
            .insert(subject(run));
    }
    subjects.retain(|subject| by_configuration.values().all(|own| own.contains(subject)));
    subjects
}

/// The runs of a configuration that count.
fn of<'a, 'r>(
    runs: &'a [&'r Run],
    counting: &'a BTreeSet<Subject<'r>>,
    name: &'a str,
) -> impl Iterator<Item = &'r Run> + 'a {
    let counts = move |run: &&&'r Run| run.configuration == name && counting.contains(&subject(run));
    runs.iter().filter(counts).copied()
}

/// The subset of a task: the folder that it lies in.
fn subset(task: &str) -> &str {
    task.split_once('/').map_or("", |(folder, _)| folder)
}

/// A change in percent.
fn change(value: usize, base: usize) -> String {
    if base == 0 {
        return "–".to_string();
    }
    format!("{:+.1} %", 100.0 * (as_float(value) / as_float(base) - 1.0))
}

/// Solved tasks, over all and by subsets.
fn solved<'r>(page: &mut Section, table: &Table, runs: &[&'r Run], counting: &BTreeSet<Subject<'r>>) -> Vec<String> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for (task, _) in counting {
        *sizes.entry(subset(task)).or_default() += 1;
    }
    // One folder is the whole set.
    let subsets: Vec<(&str, usize)> = sizes.into_iter().filter(|(_, size)| *size < counting.len()).collect();
    let paper: BTreeMap<&str, usize> = table
        .rows
        .iter()
        .filter_map(|(name, solved)| Some((*name, (*solved)?)))
        .collect();
    let base = table.rows[0].0;
    let mut rows = Vec::new();
    let mut results: Vec<(&str, usize, usize)> = Vec::new();
    for (name, _) in table.rows {
        let own: Vec<&Run> = of(runs, counting, name).collect();
        if own.is_empty() {
            continue;
        }
        let decided: Vec<&&Run> = own.iter().filter(|run| is_solved(run)).collect();
        results.push((name, decided.len(), own.iter().map(|run| run.wrong()).sum()));
        let mut row = vec![(*name).to_string(), decided.len().to_string()];
        let none = results
            .iter()
            .find(|(name, ..)| *name == base)
            .map_or(0, |(_, solved, _)| *solved);
        row.push(change(decided.len(), none));
        let there = |text: fn(usize, usize) -> String| {
            paper
                .get(name)
                .map_or("–".to_string(), |solved| text(*solved, paper[base]))
        };
        row.extend([there(|solved, _| solved.to_string()), there(change)]);
        row.extend(subsets.iter().map(|(name, _)| {
            let inside = decided.iter().filter(|run| subset(&run.task) == *name);
            inside.count().to_string()
        }));
        rows.push(row);
    }
    let names: Vec<String> = subsets.iter().map(|(name, size)| format!("{name} ({size})")).collect();
    let all = format!("all ({})", counting.len());
    let theirs = format!("paper ({})", table.tasks);
    let mut header = vec!["", all.as_str(), "against none", theirs.as_str(), "against none"];
    header.extend(names.iter().map(String::as_str));
    page.table(table.caption, &header, &rows);
    // Of equal ones the first.
    let best = results.iter().rev().max_by_key(|(_, solved, _)| *solved);
    let wrong: usize = results.iter().map(|(.., wrong)| *wrong).sum();
    let said = |(name, solved, _): &(&str, usize, usize)| match paper.get(name) {
        Some(theirs) => format!("{name} {solved} [{theirs}]"),
        None => format!("{name} {solved}"),
    };
    let mut lines = vec![format!(
        "{}: {} tasks count [{}]: {}. Verdicts against the expectation: {wrong}.",
        table.caption,
        counting.len(),
        table.tasks,
        results.iter().map(said).collect::<Vec<_>>().join(", ")
    )];
    if let (Some((best, most, _)), Some((_, none, _))) = (best, results.iter().find(|(name, ..)| *name == base)) {
        lines.push(format!(
            "Most tasks are solved with {best}: {most}, {} against {base}.",
            change(*most, *none)
        ));
    }
    lines
}

/// The effort for the solved tasks, over those that every configuration solves.
fn effort<'r>(page: &mut Section, table: &Table, runs: &[&'r Run], counting: &BTreeSet<Subject<'r>>) {
    let names = || {
        let was_run = |name: &&str| of(runs, counting, name).next().is_some();
        table.rows.iter().map(|(name, _)| *name).filter(was_run)
    };
    let mut common = counting.clone();
    for name in names() {
        let decided: BTreeSet<Subject<'_>> = of(runs, counting, name)
            .filter(|run| run.is_decided())
            .map(subject)
            .collect();
        common.retain(|subject| decided.contains(subject));
    }
    let rows: Vec<Vec<String>> = names()
        .map(|name| {
            let own: Vec<&Run> = of(runs, &common, name).collect();
            let sum = |counter: &str| own.iter().map(|run| run.counter(counter)).sum::<u64>().to_string();
            let cpu: f64 = own.iter().map(|run| run.analysis_cpu_s).sum();
            let counters = [
                "refinements",
                "sliced prefixes",
                "predicates",
                "refinement ticks",
                "solver ticks",
            ];
            std::iter::once(name.to_string())
                .chain(counters.map(sum))
                .chain([format!("{cpu:.2}")])
                .collect()
        })
        .collect();
    page.table(
        &format!("Effort over the {} tasks that all configurations solve", common.len()),
        &[
            "",
            "refinements",
            "sliced prefixes",
            "predicates",
            "refinement ticks",
            "ticks",
            "CPU time of the analysis (s)",
        ],
        &rows,
    );
}

/// Figure 2.
fn figure<'r>(page: &mut Section, table: &Table, runs: &[&'r Run], counting: &BTreeSet<Subject<'r>>) {
    let series: Vec<(String, Vec<f64>)> = table
        .rows
        .iter()
        .map(|(name, _)| {
            let decided = of(runs, counting, name).filter(|run| run.is_decided());
            ((*name).to_string(), decided.map(|run| run.analysis_cpu_s).collect())
        })
        .filter(|(_, times): &(String, Vec<f64>)| !times.is_empty())
        .collect();
    if series.is_empty() {
        return;
    }
    let medians = series
        .iter()
        .map(|(name, times)| format!("{name} {:.3}", Numbers::of(times.iter().copied()).median));
    let medians = medians.collect::<Vec<_>>().join(", ");
    page.figure(
        &quantiles("n-th fastest task", "CPU time of the analysis (s)", &series),
        &format!("Figure 2: quantiles of the solved tasks. Lower and more to the right is better. Medians: {medians}."),
    );
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;
    use crate::campaign::results::Counters;

    fn selecting(task: &str, configuration: &str, selections: u64, verdict: &str) -> Run {
        let counters = [("refinement selections", selections), ("refinements", 3)];
        Run {
            counters: counters.into_iter().collect::<Counters>(),
            ..run(task, "", configuration, 1.0, &[("p", verdict)])
        }
    }

    #[test]
    fn only_tasks_with_a_choice_count_and_the_paper_stands_beside() {
        let runs = [
            selecting("eca/a", "none", 0, "unknown"),
            selecting("eca/a", "good-narrow", 2, "true"),
            selecting("loops/b", "none", 0, "true"),
            selecting("loops/b", "good-narrow", 1, "true"),
            // Nothing to choose: it does not count, although only one configuration solves it.
            selecting("loops/c", "none", 0, "true"),
            selecting("loops/c", "good-narrow", 0, "unknown"),
        ];
        let (page, lines) = section(&runs);
        assert_eq!(
            lines[0],
            "Table 1: solved tasks, predicate analysis: 2 tasks count [2827]: none 1 [1139], good-narrow 2 [1363]. Verdicts against the expectation: 0."
        );
        assert_eq!(
            lines[1],
            "Most tasks are solved with good-narrow: 2, +100.0 % against none."
        );
        let html = page.html();
        assert!(
            html.contains(
                "<td>good-narrow</td><td>2</td><td>+100.0 %</td><td>1363</td><td>+19.7 %</td><td>1</td><td>1</td>"
            ),
            "{html}"
        );
        assert!(html.contains("eca (1)") && html.contains("Figure 2") && !html.contains("Table 2"));
        assert!(html.contains("Effort over the 1 tasks that all configurations solve"));
    }

    #[test]
    fn value_analysis_has_its_own_table() {
        let runs = [
            selecting("a", "value-none", 0, "true"),
            selecting("a", "value-deep", 1, "unknown"),
        ];
        let (page, lines) = section(&runs);
        assert!(
            lines[0].starts_with("Table 2") && lines[1].contains("value-none: 1, +0.0 %"),
            "{lines:?}"
        );
        assert!(!page.html().contains("Table 1"));
    }
}
