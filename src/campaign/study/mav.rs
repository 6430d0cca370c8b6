//! The study of multi-aspect verification: section 6 of Mordan and Mutilin (*Checking several requirements at once by CEGAR*, PSI 2015), over any run set: each property alone (the paper's CEGAR)
//! against CMAV with its five strategies of cleaning the precision (Table 1), with the results that became UNKNOWN and those that were gained (Table 2).

use super::section::Section;
use super::summary::{Numbers, as_float};
use super::together::{ALONE, figures, percent, tables, worth};
use crate::campaign::results::Run;
use std::collections::BTreeSet;

/// The cleaning strategies, by their option.
const CLEANING: [&str; 5] = ["none", "wl-subtract", "wl-clear", "arg-subtract", "all"];

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    page.text("After section 6 of: Mordan, Mutilin, Checking several requirements at once by CEGAR, PSI 2015. There CMAV took a third of the processor time, 2.17 % of the results became UNKNOWN and 0.22 % were gained.");
    let summary = tables(&mut page, runs, &CLEANING, ("iterations of CMAV", "iterations"));
    for line in &summary {
        page.text(line);
    }
    violations(&mut page, runs);
    let mut summary = summary;
    summary.extend(isolation(&mut page, runs));
    figures(&mut page, runs, &CLEANING);
    (page, summary)
}

/// The launches of a run: processes, the last of them with its iterations. Iterations of those before, which died or reached a limit, are not known.
fn launches(run: &Run) -> u64 {
    run.counter("launches").max(1) - 1 + run.counter("iterations of CMAV").max(1)
}

/// Crash isolation, section 6 of the paper: how many launches a task takes, and how many results are the same as alone. There 97.61 % of the results were the same, and 2.17 % became UNKNOWN. A launch that
/// dies should take the verdict of one property with it, and no other.
fn isolation(page: &mut Section, runs: &[Run]) -> Vec<String> {
    let mut lines = Vec::new();
    for name in CLEANING {
        let worth = worth(runs, name);
        let own = runs.iter().filter(|run| run.configuration == name);
        let launches: Vec<u64> = own.map(launches).collect();
        let once = launches.iter().filter(|launches| **launches == 1).count();
        let all = launches.len();
        let launches = Numbers::of(launches.into_iter().map(|n| as_float(usize::try_from(n).unwrap_or(1))));
        if worth.results == 0 {
            continue;
        }
        let same = worth.results - worth.lost - worth.gained - worth.changed;
        lines.push(format!(
            "{name}: {:.2} launches per task on average [1.39], {} at most [15], {:.1} % of the tasks need one only [92 %]; {:.2} % of the results are the same as alone [97.61 %], {:.2} % became UNKNOWN [2.17 %], {:.2} % were gained [0.22 %]",
            launches.mean,
            launches.max,
            percent(once, all),
            percent(same, worth.results),
            percent(worth.lost, worth.results),
            percent(worth.gained, worth.results),
        ));
    }
    for line in &lines {
        page.text(line);
    }
    let row = |name: &str| {
        let own: Vec<&Run> = runs.iter().filter(|run| run.configuration == name).collect();
        let sum = |counter: &str| own.iter().map(|run| run.counter(counter)).sum::<u64>();
        let (cut, memory, blamed) = (
            sum("launches cut short"),
            sum("launches out of memory"),
            sum("properties given up for a launch"),
        );
        let concerned = own.iter().filter(|run| run.counter("launches cut short") > 0);
        let kept = concerned.clone().map(|run| run.answers()).sum::<usize>();
        let concerned = concerned.count();
        let cells = [cut.to_string(), memory.to_string(), blamed.to_string()];
        (cut > 0).then(|| {
            std::iter::once(name.to_string())
                .chain(cells)
                .chain([concerned.to_string(), kept.to_string()])
                .collect()
        })
    };
    let rows: Vec<Vec<String>> = CLEANING.into_iter().filter_map(row).collect();
    for cells in &rows {
        lines.push(format!(
            "{}: {} launches were cut short, {} of them out of memory; {} properties were given up for them; the {} tasks that had such launches have {} answers nevertheless",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5],
        ));
    }
    if !rows.is_empty() {
        page.table(
            "Launches that died or reached a limit, the properties that became UNKNOWN for them, and the answers that their tasks have nevertheless",
            &["", "cut short", "out of memory", "properties given up", "tasks", "answers"],
            &rows,
        );
    }
    lines
}

/// Table 1 of the paper: processor time, error traces and launches of each strategy, and l, the launches for a task. A launch is a process or an iteration inside of one; each property alone is a launch.
fn violations(page: &mut Section, runs: &[Run]) {
    let row = |configuration: &str| {
        let own: Vec<&Run> = runs.iter().filter(|run| run.configuration == configuration).collect();
        let cpu: f64 = own.iter().map(|run| run.cpu_s).sum();
        let traces = own
            .iter()
            .flat_map(|run| &run.verdicts)
            .filter(|verdict| &***verdict == "false")
            .count();
        let launches: u64 = own.iter().map(|run| launches(run)).sum();
        let tasks: BTreeSet<&str> = own.iter().map(|run| &*run.task).collect();
        let count = |n: u64| as_float(usize::try_from(n).unwrap_or(usize::MAX));
        vec![
            configuration.to_string(),
            format!("{cpu:.1}"),
            traces.to_string(),
            launches.to_string(),
            format!("{:.2}", count(launches) / as_float(tasks.len().max(1))),
        ]
    };
    let names = CLEANING.into_iter().chain([ALONE]);
    let rows: Vec<Vec<String>> = names.map(row).collect();
    page.table(
        "Table 1: CPU time (s), violations, launches [l of the paper: none 2.08, wl-subtract 1.98, wl-clear 1.58, arg-subtract 2.01, all 1.45, alone 17]",
        &["", "CPU time", "violations", "launches", "l"],
        &rows,
    );
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;

    #[test]
    fn launches_that_die_are_counted_with_what_they_cost() {
        let counters = [
            ("launches", 4),
            ("launches cut short", 3),
            ("launches out of memory", 2),
            ("properties given up for a launch", 1),
        ];
        let mut together = run("t", "", "all", 2.0, &[("p", "true"), ("q", "unknown"), ("r", "false")]);
        together.counters = counters.into_iter().collect();
        let runs = [
            together,
            run("t", "p", ALONE, 3.0, &[("p", "true")]),
            run("t", "q", ALONE, 3.0, &[("q", "unknown")]),
            run("t", "r", ALONE, 3.0, &[("r", "false")]),
        ];
        let (page, summary) = section(&runs);
        assert!(
            summary.contains(&"all: 3 launches were cut short, 2 of them out of memory; 1 properties were given up for them; the 1 tasks that had such launches have 2 answers nevertheless".to_string()),
            "{summary:?}"
        );
        assert!(
            summary
                .iter()
                .any(|line| line.contains("100.00 % of the results are the same as alone")),
            "{summary:?}"
        );
        assert!(
            page.html()
                .contains("<td>all</td><td>3</td><td>2</td><td>1</td><td>1</td><td>2</td>")
        );
    }

    #[test]
    fn cleaning_strategies_are_compared() {
        let runs = [
            run("t", "", "all", 2.0, &[("p", "true"), ("q", "unknown")]),
            run("t", "p", ALONE, 3.0, &[("p", "true")]),
            run("t", "q", ALONE, 3.0, &[("q", "false")]),
        ];
        let (page, summary) = section(&runs);
        assert!(
            summary[0].starts_with("all: 1 tasks, speed-up mean 3.00"),
            "{summary:?}"
        );
        assert!(
            summary[0].contains("1 lost (50.00 %), 0 gained, 0 changed"),
            "{summary:?}"
        );
        assert!(
            summary[1].starts_with("all: 1.00 launches per task on average [1.39], 1 at most [15], 100.0 % of the tasks need one only [92 %]; 50.00 % of the results"),
            "{summary:?}"
        );
        assert!(
            page.html()
                .contains("<td>alone</td><td>6.0</td><td>1</td><td>2</td><td>2.00</td>")
        );
    }
}
