//! The study of interpolation: which interpolants verify more, and what is to be seen of that beforehand.
//!
//! Every variant of the interpolation procedure verifies every task. D'Silva, Kroening, Purandare, Weissenbacher (*Interpolant strength*, VMCAI 2010) order variants of one proof by strength, and Rollini, Sery, Sharygina
//! (*Leveraging interpolant strength in model checking*, CAV 2012) and Alt, Hyvärinen, Sharygina (*LRA interpolants from no man's land*, HVC 2017) find that no strength is the best for all programs. So beside each variant
//! stands the *virtual best* one: for each task the variant that solves it with the fewest ticks.
//!
//! Measures of interpolants are of use if they say beforehand which variant will do. Two correlations say whether they do: over all runs, of the mean measure of a run with whether the run solves its task (the tasks differ in it, too); and inside of each task, of
//! the ranks of its variants by the measure with their ranks by ticks, an unsolved run being the last (the task is the same, and only the variants differ).
//!
//! The measures are counters of `itp.measure=on`; `runs.csv` has all of them for each run, with the version, the hash of the solver and the hash of the options, which `options.csv` explains.

use super::common::{ByConfiguration, Subject, is_solved, over_common_subjects};
use super::lessons::number;
use super::plot::{quantiles, scatter};
use super::section::Section;
use super::summary::{Numbers, as_float, pearson, ranks, spearman};
use crate::campaign::results::Run;
use std::collections::{BTreeMap, BTreeSet};

/// The configuration that the others are compared with, if it was run: the default.
const BASE: &str = "default";

/// A measure of a run: the mean or the share of something, from two sums.
struct Measure {
    name: &'static str,
    /// The counter of what is measured.
    part: &'static str,
    /// The counters that it is divided by, together.
    whole: &'static [&'static str],
}

const VARIANTS: &[&str] = &[
    "equivalent variants",
    "weaker variants",
    "stronger variants",
    "incomparable variants",
];

const INTERPOLANTS: &[&str] = &["measured interpolants"];

const MEASURES: &[Measure] = &[
    Measure {
        name: "atoms",
        part: "interpolant atoms",
        whole: INTERPOLANTS,
    },
    Measure {
        name: "sub-terms",
        part: "interpolant sub-terms",
        whole: INTERPOLANTS,
    },
    Measure {
        name: "disjuncts",
        part: "interpolant disjuncts",
        whole: INTERPOLANTS,
    },
    Measure {
        name: "largest coefficient",
        part: "interpolant coefficients",
        whole: INTERPOLANTS,
    },
    Measure {
        name: "implies variants",
        part: "weaker variants",
        whole: VARIANTS,
    },
    Measure {
        name: "implied by variants",
        part: "stronger variants",
        whole: VARIANTS,
    },
    Measure {
        name: "inductive",
        part: "inductive interpolants",
        whole: &["interpolants at repeated places"],
    },
    Measure {
        name: "inductive suffix",
        part: "inductive suffixes",
        whole: &["interpolations at repeated places"],
    },
    Measure {
        name: "predicates used",
        part: "used predicates",
        whole: &["measured predicates"],
    },
    Measure {
        name: "predicates in invariants",
        part: "predicates in invariants",
        whole: &["measured predicates"],
    },
];

impl Measure {
    /// The measure of a run that has something to measure.
    fn of(&self, run: &Run) -> Option<f64> {
        let whole: u64 = self.whole.iter().map(|counter| run.counter(counter)).sum();
        (whole > 0).then(|| number(run.counter(self.part)) / number(whole))
    }
}

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    let by_configuration = over_common_subjects(runs.iter());
    let Some(subjects) = by_configuration.values().next().map(BTreeMap::len) else {
        return (page, Vec::new());
    };
    page.text("Interpolation procedures over the same tasks. Ticks are the solver's effort, which repeats exactly.");
    let best = virtual_best(&by_configuration);
    let mut lines = vec![whole_runs(&mut page, &by_configuration, &best, subjects)];
    lines.push(distinctions(&mut page, &by_configuration, &best));
    means(&mut page, &by_configuration);
    lines.extend(correlations(&mut page, &by_configuration));
    figures(&mut page, &by_configuration, &best);
    for line in &lines {
        page.text(line);
    }
    (page, lines)
}

/// The configurations, the default first.
fn names<'r>(by_configuration: &ByConfiguration<'r>) -> Vec<&'r str> {
    let mut names: Vec<&str> = by_configuration.keys().copied().collect();
    names.sort_by_key(|name| *name != BASE);
    names
}

/// For each subject that some configuration solves, the run with the fewest ticks, the first of equal ones.
fn virtual_best<'r>(by_configuration: &ByConfiguration<'r>) -> BTreeMap<Subject<'r>, &'r Run> {
    let mut best: BTreeMap<Subject<'r>, &'r Run> = BTreeMap::new();
    for name in names(by_configuration) {
        for (&subject, &run) in by_configuration[name].iter().filter(|(_, run)| is_solved(run)) {
            let known = best.entry(subject).or_insert(run);
            if run.ticks < known.ticks {
                *known = run;
            }
        }
    }
    best
}

/// Millions, as ticks are read.
fn millions(ticks: u64) -> String {
    format!("{:.2}", number(ticks) / 1e6)
}

/// What each configuration solves, and its effort where all solve.
fn whole_runs<'r>(
    page: &mut Section,
    by_configuration: &ByConfiguration<'r>,
    best: &BTreeMap<Subject<'r>, &'r Run>,
    subjects: usize,
) -> String {
    let solved = |name: &str| -> BTreeSet<Subject<'r>> {
        let own = by_configuration[name].iter().filter(|(_, run)| is_solved(run));
        own.map(|(&subject, _)| subject).collect()
    };
    let names = names(by_configuration);
    let base = solved(names[0]);
    let mut common: BTreeSet<Subject<'r>> = best.keys().copied().collect();
    for name in &names {
        common.retain(|subject| solved(name).contains(subject));
    }
    let sum = |runs: &BTreeMap<Subject<'r>, &'r Run>, value: &dyn Fn(&Run) -> u64| -> u64 {
        let common = runs.iter().filter(|(subject, _)| common.contains(subject));
        common.map(|(_, run)| value(run)).sum()
    };
    let row = |name: &str, runs: &BTreeMap<Subject<'r>, &'r Run>, own: &BTreeSet<Subject<'r>>| {
        let all: u64 = runs.values().map(|run| run.ticks).sum();
        vec![
            name.to_string(),
            own.len().to_string(),
            own.difference(&base).count().to_string(),
            base.difference(own).count().to_string(),
            runs.values().map(|run| run.wrong()).sum::<usize>().to_string(),
            sum(runs, &|run| run.counter("refinements")).to_string(),
            sum(runs, &|run| run.counter("predicates")).to_string(),
            millions(sum(runs, &|run| run.ticks)),
            millions(all),
        ]
    };
    let mut rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| row(name, &by_configuration[name], &solved(name)))
        .collect();
    rows.push(row("virtual best", best, &best.keys().copied().collect()));
    page.table(
        &format!(
            "Variants over {subjects} tasks; refinements, predicates and ticks over the {} that all solve",
            common.len()
        ),
        &[
            "",
            "solved",
            "gained",
            "lost",
            "wrong",
            "refinements",
            "predicates",
            "ticks (millions)",
            "ticks of all runs (millions)",
        ],
        &rows,
    );
    let most = names.iter().map(|name| solved(name).len()).max().unwrap_or(0);
    let leaders: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| solved(name).len() == most)
        .collect();
    format!(
        "{subjects} tasks: {} solves {}, the most is {most} ({}), the virtual best {}.",
        names[0],
        base.len(),
        leaders.join(", "),
        best.len()
    )
}

/// How often each configuration is the best one, and what nobody else solves.
fn distinctions<'r>(
    page: &mut Section,
    by_configuration: &ByConfiguration<'r>,
    best: &BTreeMap<Subject<'r>, &'r Run>,
) -> String {
    let names = names(by_configuration);
    let solvers = |subject: &Subject<'r>| {
        let solves = |name: &&&str| by_configuration[**name].get(subject).is_some_and(|run| is_solved(run));
        names.iter().filter(solves).count()
    };
    let differ = best.keys().filter(|subject| {
        let ticks = |name: &&str| {
            by_configuration[*name]
                .get(subject)
                .map(|run| (is_solved(run), run.ticks))
        };
        names.iter().map(ticks).collect::<BTreeSet<_>>().len() > 1
    });
    let differ: BTreeSet<Subject<'r>> = differ.copied().collect();
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let own = best
                .iter()
                .filter(|(subject, run)| run.configuration == **name && differ.contains(*subject));
            let alone = best
                .keys()
                .filter(|subject| by_configuration[*name].get(*subject).is_some_and(|run| is_solved(run)))
                .filter(|subject| solvers(subject) == 1);
            vec![(*name).to_string(), own.count().to_string(), alone.count().to_string()]
        })
        .collect();
    page.table(
        &format!(
            "The fewest ticks, on the {} tasks on which variants differ",
            differ.len()
        ),
        &["", "best", "solved by nobody else"],
        &rows,
    );
    format!(
        "Variants differ on {} of the {} tasks that one of them solves.",
        differ.len(),
        best.len()
    )
}

/// The measures of each configuration: means over its runs that have something to measure.
fn means(page: &mut Section, by_configuration: &ByConfiguration<'_>) {
    let rows: Vec<Vec<String>> = names(by_configuration)
        .into_iter()
        .map(|name| {
            let mean = |measure: &Measure| {
                let values: Vec<f64> = by_configuration[name]
                    .values()
                    .filter_map(|run| measure.of(run))
                    .collect();
                match values.is_empty() {
                    true => "–".to_string(),
                    false => format!("{:.3}", Numbers::of(values).mean),
                }
            };
            std::iter::once(name.to_string())
                .chain(MEASURES.iter().map(mean))
                .collect()
        })
        .collect();
    let header: Vec<&str> = std::iter::once("")
        .chain(MEASURES.iter().map(|measure| measure.name))
        .collect();
    page.table("Measures: means over runs", &header, &rows);
}

/// The correlations of each measure with success; a line for those that are not small.
fn correlations(page: &mut Section, by_configuration: &ByConfiguration<'_>) -> Vec<String> {
    let mut by_subject: BTreeMap<Subject<'_>, Vec<&Run>> = BTreeMap::new();
    for own in by_configuration.values() {
        for (&subject, &run) in own {
            by_subject.entry(subject).or_default().push(run);
        }
    }
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    // Only a proof has invariants, so that this measure says afterwards what a run was worth, and nothing before.
    for measure in MEASURES
        .iter()
        .filter(|measure| measure.part != "predicates in invariants")
    {
        let all = by_subject.values().flatten();
        let pairs: Vec<(f64, f64)> = all
            .filter_map(|run| Some((measure.of(run)?, f64::from(u8::from(is_solved(run))))))
            .collect();
        let inside: Vec<f64> = by_subject.values().filter_map(|runs| within(measure, runs)).collect();
        let over_all = pearson(&pairs);
        let text = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:+.2}"));
        let mean = (!inside.is_empty()).then(|| Numbers::of(inside.iter().copied()).mean);
        rows.push(vec![
            measure.name.to_string(),
            pairs.len().to_string(),
            text(over_all),
            inside.len().to_string(),
            text(mean),
        ]);
        if over_all.is_some_and(|value| value.abs() >= 0.2) || mean.is_some_and(|value| value.abs() >= 0.2) {
            lines.push(format!(
                "{}: correlation {} with success over {} runs, {} with ticks inside of {} tasks.",
                measure.name,
                text(over_all),
                pairs.len(),
                text(mean),
                inside.len()
            ));
        }
    }
    page.table(
        "Correlation of measures with success over all runs, and with ticks inside of tasks (ranks; the mean over tasks)",
        &["", "runs", "with success", "tasks", "with ticks"],
        &rows,
    );
    lines
}

/// The rank correlation of a measure with ticks among the runs of one task, where both differ.
fn within(measure: &Measure, runs: &[&Run]) -> Option<f64> {
    let measured: Vec<(f64, &Run)> = runs.iter().filter_map(|run| Some((measure.of(run)?, *run))).collect();
    // Unsolved runs come last, whatever they took.
    let effort = |run: &Run| {
        if is_solved(run) {
            number(run.ticks)
        } else {
            f64::INFINITY
        }
    };
    let values: Vec<f64> = measured.iter().map(|(value, _)| *value).collect();
    let efforts: Vec<f64> = measured.iter().map(|(_, run)| effort(run)).collect();
    (measured.len() > 2).then(|| spearman(&ranks(&values), &ranks(&efforts)))?
}

fn figures<'r>(page: &mut Section, by_configuration: &ByConfiguration<'r>, best: &BTreeMap<Subject<'r>, &'r Run>) {
    let ticks = |runs: &BTreeMap<Subject<'r>, &'r Run>| -> Vec<f64> {
        let solved = runs.values().filter(|run| is_solved(run));
        solved.map(|run| number(run.ticks.max(1))).collect()
    };
    let mut series: Vec<(String, Vec<f64>)> = names(by_configuration)
        .into_iter()
        .map(|name| (name.to_string(), ticks(&by_configuration[name])))
        .collect();
    series.push(("virtual best".to_string(), ticks(best)));
    series.retain(|(_, ticks)| !ticks.is_empty());
    if series.is_empty() {
        return;
    }
    page.figure(
        &quantiles("n-th cheapest task", "ticks", &series),
        "Quantiles of the ticks of solved tasks. Lower and more to the right is better.",
    );
    let base = &by_configuration[names(by_configuration)[0]];
    let points: Vec<(f64, f64, String)> = best
        .iter()
        .filter_map(|(subject, run)| {
            let own = base.get(subject).filter(|own| is_solved(own))?;
            let what = format!("{}: {}", subject.0, run.configuration);
            Some((number(own.ticks.max(1)), number(run.ticks.max(1)), what))
        })
        .collect();
    if !points.is_empty() {
        let caption = format!(
            "Ticks of {} tasks with the default and with the variant that is best for each.",
            as_float(points.len())
        );
        page.figure(&scatter("default (ticks)", "virtual best (ticks)", &points), &caption);
    }
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;
    use crate::campaign::results::Counters;

    fn measured(task: &str, configuration: &str, ticks: u64, atoms: u64, verdict: &str) -> Run {
        let counters = [
            ("refinements", 3),
            ("predicates", 4),
            ("measured interpolants", 2),
            ("interpolant atoms", atoms),
        ];
        Run {
            ticks,
            counters: counters.into_iter().collect::<Counters>(),
            ..run(task, "", configuration, 1.0, &[("p", verdict)])
        }
    }

    #[test]
    fn the_virtual_best_takes_the_fewest_ticks_of_each_task() {
        let runs = [
            measured("a", "default", 5_000_000, 2, "true"),
            measured("a", "dual", 1_000_000, 2, "true"),
            measured("b", "default", 2_000_000, 8, "unknown"),
            measured("b", "dual", 3_000_000, 4, "true"),
            measured("c", "default", 1_000_000, 2, "true"),
            measured("c", "dual", 1_000_000, 2, "true"),
            // Only one configuration has run it, so that it does not count.
            measured("d", "dual", 1_000_000, 2, "true"),
        ];
        let (page, lines) = section(&runs);
        assert_eq!(
            lines[0],
            "3 tasks: default solves 2, the most is 3 (dual), the virtual best 3."
        );
        assert_eq!(lines[1], "Variants differ on 2 of the 3 tasks that one of them solves.");
        let html = page.html();
        assert!(
            html.contains(
                "<td>dual</td><td>3</td><td>1</td><td>0</td><td>0</td><td>6</td><td>8</td><td>2.00</td><td>5.00</td>"
            ),
            "{html}"
        );
        assert!(html.contains("<td>virtual best</td><td>3</td>") && html.contains("<td>dual</td><td>2</td><td>1</td>"));
    }

    #[test]
    fn a_measure_that_goes_with_effort_is_seen() {
        let mut runs = Vec::new();
        for (task, factor) in [("a", 1), ("b", 7)] {
            for (configuration, atoms) in [("default", 9), ("dual", 5), ("pudlak", 3), ("smallest", 1)] {
                let verdict = if atoms > 8 { "unknown" } else { "true" };
                runs.push(measured(task, configuration, atoms * factor * 1000, atoms, verdict));
            }
        }
        let (page, lines) = section(&runs);
        assert!(
            lines.contains(
                &"atoms: correlation -0.88 with success over 8 runs, +1.00 with ticks inside of 2 tasks.".to_string()
            ),
            "{lines:?}"
        );
        // Nothing was compared with other variants.
        assert!(
            page.html()
                .contains("<td>implies variants</td><td>0</td><td>–</td><td>0</td><td>–</td>")
        );
    }
}
