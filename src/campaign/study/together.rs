//! Properties together against each property alone: what the studies of decomposition and of multi-aspect verification have in common.
//!
//! A task is compared if it was run with all properties together and with each of them alone. Its time alone is the sum over its properties. A verdict is *lost* if it is definite alone and UNKNOWN
//! together, *gained* the other way round, and *changed* if both are definite and differ, which must not be.

use super::plot::{Point, quantiles, scatter};
use super::section::Section;
use super::summary::{Numbers, SpeedUps, as_float};
use crate::campaign::record::is_answer;
use crate::campaign::results::Run;
use crate::campaign::text::Text;
use std::collections::BTreeMap;

/// The configuration in which each property is alone.
pub const ALONE: &str = "alone";

/// One task together, with its properties alone.
struct Compared<'r> {
    task: &'r str,
    together: &'r Run,
    /// Processor seconds of all properties alone, whole and of the analysis.
    cpu_s: f64,
    analysis_cpu_s: f64,
    /// For each property the verdict alone and together.
    verdicts: Vec<(&'r str, &'r str)>,
}

/// The worth of a configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worth {
    /// Tasks that were compared.
    pub tasks: usize,
    /// Speed-ups of the whole process, and of the analysis alone.
    pub whole: SpeedUps,
    /// Of the analysis alone.
    pub analysis: SpeedUps,
    /// Sum of all processor seconds alone by that together.
    pub overall: f64,
    /// Verdicts in all.
    pub results: usize,
    /// Definite alone, UNKNOWN together.
    pub lost: usize,
    /// UNKNOWN alone, definite together.
    pub gained: usize,
    /// Definite and different.
    pub changed: usize,
    /// Against what is expected.
    pub wrong: usize,
}

/// The tasks of a configuration, compared with the properties alone. Names of properties are those of the runs together.
fn compare<'r>(runs: &'r [Run], configuration: &str) -> Vec<Compared<'r>> {
    let mut alone: BTreeMap<&str, Vec<&Run>> = BTreeMap::new();
    for run in runs.iter().filter(|run| run.configuration == ALONE) {
        alone.entry(&run.task).or_default().push(run);
    }
    let compared = |together: &'r Run| {
        let alone = alone.get(together.task.as_str())?;
        // A property file with several properties was one subject.
        let of = |name: &Text| {
            alone.iter().find_map(|run| {
                let at = run.properties.iter().position(|p| p == name)?;
                Some(&*run.verdicts[at])
            })
        };
        let mut verdicts = Vec::new();
        for (name, verdict) in together.properties.iter().zip(&together.verdicts) {
            verdicts.push((of(name)?, &**verdict));
        }
        Some(Compared {
            task: &together.task,
            together,
            cpu_s: alone.iter().map(|run| run.cpu_s).sum(),
            analysis_cpu_s: alone.iter().map(|run| run.analysis_cpu_s).sum(),
            verdicts,
        })
    };
    let of = runs
        .iter()
        .filter(|run| run.configuration == configuration && run.property.is_empty());
    of.filter_map(compared).collect()
}

/// The worth of a configuration, over the tasks that have all their runs.
pub fn worth(runs: &[Run], configuration: &str) -> Worth {
    let tasks = compare(runs, configuration);
    let pairs = || tasks.iter().flat_map(|task| &task.verdicts);
    let count = |test: fn(&str, &str) -> bool| pairs().filter(|(alone, together)| test(alone, together)).count();
    let together: f64 = tasks.iter().map(|task| task.together.cpu_s).sum();
    let alone: f64 = tasks.iter().map(|task| task.cpu_s).sum();
    Worth {
        tasks: tasks.len(),
        whole: SpeedUps::of(tasks.iter().map(|task| (task.cpu_s, task.together.cpu_s))),
        analysis: SpeedUps::of(
            tasks
                .iter()
                .map(|task| (task.analysis_cpu_s, task.together.analysis_cpu_s)),
        ),
        overall: if together > 0.0 { alone / together } else { 0.0 },
        results: pairs().count(),
        lost: count(|alone, together| is_answer(alone) && !is_answer(together)),
        gained: count(|alone, together| !is_answer(alone) && is_answer(together)),
        changed: count(|alone, together| is_answer(alone) && is_answer(together) && alone != together),
        wrong: tasks.iter().map(|task| task.together.wrong()).sum(),
    }
}

/// Speed-ups over each property alone, of the tasks whose time alone is not among this share of the lowest.
pub fn speedups(runs: &[Run], configuration: &str, share: f64) -> Vec<f64> {
    let tasks = compare(runs, configuration);
    let mut alone: Vec<f64> = tasks.iter().map(|task| task.cpu_s).collect();
    alone.sort_unstable_by(f64::total_cmp);
    let least = if share > 0.0 && !alone.is_empty() {
        super::summary::quantile(&alone, share)
    } else {
        0.0
    };
    let hard = tasks.iter().filter(|task| task.cpu_s >= least);
    SpeedUps::of(hard.map(|task| (task.cpu_s, task.together.cpu_s))).values
}

/// The share of the results in percent.
pub fn percent(part: usize, whole: usize) -> f64 {
    100.0 * as_float(part) / as_float(whole.max(1))
}

/// The comparison of configurations, into a page. `rounds` names a counter of partitions or iterations. Returns the lines that sum it up.
pub fn tables(page: &mut Section, runs: &[Run], configurations: &[&str], (rounds, name): (&str, &str)) -> Vec<String> {
    let mut summary = Vec::new();
    let (mut speed, mut results) = (Vec::new(), Vec::new());
    let number = |value: f64| format!("{value:.2}");
    for &configuration in configurations {
        let worth = worth(runs, configuration);
        if worth.tasks == 0 {
            continue;
        }
        let own = runs
            .iter()
            .filter(|run| run.configuration == configuration && run.property.is_empty());
        let count = |run: &Run| as_float(usize::try_from(run.counter(rounds)).unwrap_or(usize::MAX));
        let rounds = Numbers::of(own.map(count));
        let (whole, analysis) = (worth.whole.numbers, worth.analysis.numbers);
        let cells = [
            whole.mean,
            whole.median,
            whole.min,
            whole.max,
            worth.overall,
            analysis.mean,
            analysis.median,
            rounds.mean,
            rounds.max,
        ];
        speed.push(
            std::iter::once(configuration.to_string())
                .chain(cells.map(number))
                .collect(),
        );
        let lost = percent(worth.lost, worth.results);
        results.push(
            [configuration.to_string()]
                .into_iter()
                .chain([worth.tasks, worth.results, worth.lost].map(|n| n.to_string()))
                .chain([format!("{lost:.2}")])
                .chain([worth.gained, worth.changed, worth.wrong].map(|n| n.to_string()))
                .collect(),
        );
        summary.push(format!(
            "{configuration}: {} tasks, speed-up mean {}, median {} (of the analysis alone {}), overall {}; of {} results {} lost ({lost:.2} %), {} gained, {} changed, {} against the expectation; {name} {} on average",
            worth.tasks, number(whole.mean), number(whole.median), number(analysis.median), number(worth.overall),
            worth.results, worth.lost, worth.gained, worth.changed, worth.wrong, number(rounds.mean),
        ));
    }
    page.table(
        &format!("Speed-up over each property alone, in processor time of the process and of the analysis; {name}"),
        &[
            "",
            "mean",
            "median",
            "least",
            "greatest",
            "all tasks",
            "analysis, mean",
            "analysis, median",
            name,
            "most",
        ],
        &speed,
    );
    page.table(
        "Results against each property alone",
        &[
            "",
            "tasks",
            "results",
            "lost",
            "lost %",
            "gained",
            "changed",
            "against the expectation",
        ],
        &results,
    );
    summary
}

/// A scatter plot of each configuration against the properties alone, and the quantiles of all.
pub fn figures(page: &mut Section, runs: &[Run], configurations: &[&str]) {
    let mut series = Vec::new();
    for &configuration in configurations {
        let tasks = compare(runs, configuration);
        if tasks.is_empty() {
            continue;
        }
        let point = |task: &Compared<'_>| -> Point { (task.cpu_s, task.together.cpu_s, task.task.to_string()) };
        let points: Vec<Point> = tasks.iter().map(point).collect();
        let title = format!("{configuration}: CPU time (s)");
        page.figure(
            &scatter("each property alone: CPU time (s)", &title, &points),
            &format!("{configuration} against each property alone. Below the diagonal, {configuration} is faster."),
        );
        series.push((
            configuration.to_string(),
            tasks.iter().map(|task| task.together.cpu_s).collect(),
        ));
        if series.len() == 1 {
            series.insert(0, (ALONE.to_string(), tasks.iter().map(|task| task.cpu_s).collect()));
        }
    }
    if !series.is_empty() {
        page.figure(&quantiles("tasks", "CPU time (s)", &series), "Tasks by CPU time.");
    }
    let mut rows = Vec::new();
    for &configuration in configurations {
        for task in compare(runs, configuration) {
            for (name, (alone, together)) in task.together.properties.iter().zip(&task.verdicts) {
                if alone != together {
                    let cells = [configuration, task.task, name, alone, together];
                    rows.push(cells.map(str::to_string).to_vec());
                }
            }
        }
    }
    page.table(
        "Results that differ",
        &["", "task", "property", "alone", "together"],
        &rows,
    );
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn run(task: &str, property: &str, configuration: &str, seconds: f64, verdicts: &[(&str, &str)]) -> Run {
        Run {
            task: task.into(),
            property: property.into(),
            configuration: configuration.into(),
            properties: verdicts.iter().map(|(name, _)| *name).collect(),
            verdicts: verdicts.iter().map(|(_, verdict)| *verdict).collect(),
            expected: verdicts.iter().map(|_| "").collect(),
            cpu_s: seconds,
            analysis_cpu_s: seconds / 2.0,
            ..Run::default()
        }
    }

    #[test]
    fn results_are_lost_gained_and_changed() {
        let runs = [
            run(
                "t",
                "",
                "S1",
                2.0,
                &[("p", "true"), ("q", "unknown"), ("r", "false"), ("s", "true")],
            ),
            run("t", "p", ALONE, 1.0, &[("p", "unknown")]),
            run("t", "q", ALONE, 3.0, &[("q", "true")]),
            run("t", "r", ALONE, 2.0, &[("r", "true")]),
            run("t", "s", ALONE, 2.0, &[("s", "true")]),
            run("incomplete", "", "S1", 2.0, &[("p", "true"), ("q", "true")]),
            run("incomplete", "p", ALONE, 2.0, &[("p", "true")]),
        ];
        let worth = worth(&runs, "S1");
        assert_eq!((worth.tasks, worth.results), (1, 4));
        assert_eq!((worth.lost, worth.gained, worth.changed), (1, 1, 1));
        assert!((worth.overall - 4.0).abs() < 1e-9);
        assert_eq!(worth.whole.values, [4.0]);
    }
}
