//! The study of directed search: chapter 5 of Lee's thesis on TOUR (2022), over any run set.
//!
//! Two techniques, lazy abstraction (`LA`) and block-abstraction memoization (`BAM`), each depth first, and directed by the distance to the target with a metric (`LA.T.st` and so on); `LA.T` and `BAM.T`
//! are those with the metric that a model selects, where they were run. `.topological` is what Provident does by default.
//!
//! | question | tables | compares |
//! |---|---|---|
//! | RQ1 | 5.2, 5.3, Figure 5.1 | the programs with a violation |
//! | RQ2 | 5.4 to 5.7, Figures 5.2, 5.3 | the programs without, all and in four classes by cyclomatic complexity |
//! | RQ3 | 5.8, 5.9 | the metrics, over all programs |
//! | section 5.3.1 | Figures 5.4, 5.5 | states, CPU time and coverage checks that directed search saves, each against the others, with the metrics `st` and `lf` |
//! | RQ4, RQ5 | 5.10 to 5.13 | the metrics with the one that a tree selects, see `learned` |
//!
//! A program is solved if all its properties have the expected verdict. Only programs count that every configuration of a technique has run. The classes are quartiles of the sum of the cyclomatic complexities (`SMCC`), which
//! directed runs report. The paper's numbers of programs depend on its programs; its ratios stand beside ours. Its best single metric stands for `LA.T` and `BAM.T` if these were not run.

use super::common::{ByConfiguration, Subject, is_solved, over_common_subjects};
use super::learned;
use super::plot::{Point, differences, scatter};
use super::section::Section;
use super::summary::{as_float, quantile};
use crate::campaign::results::Run;
use std::collections::BTreeMap;

/// The metrics of the paper.
pub(super) const METRICS: [&str; 4] = ["st", "bb", "lh", "lf"];

/// A technique with the paper's numbers.
pub(super) struct Technique {
    /// Its name, that of the configuration which goes depth first.
    pub name: &'static str,
    title: &'static str,
    /// Programs with a violation: solved, CPU seconds.
    violated: [Paper; 2],
    /// Programs without.
    clean: [Paper; 2],
    /// The ratios of solved clean programs by classes, directed against depth first, in percent.
    classes: Option<[i32; 4]>,
    /// All programs: depth first, the metrics in their order, the selection.
    all: [Paper; 6],
}

/// Solved programs and CPU seconds in the paper.
#[derive(Clone, Copy)]
struct Paper(usize, u32);

/// Lazy abstraction and block-abstraction memoization.
pub(super) const TECHNIQUES: [Technique; 2] = [
    Technique {
        name: "LA",
        title: "lazy abstraction",
        violated: [Paper(45, 121_921), Paper(98, 126_043)],
        clean: [Paper(1404, 650_580), Paper(1420, 673_734)],
        classes: None,
        all: [
            Paper(1449, 772_501),
            Paper(1500, 822_982),
            Paper(1500, 817_056),
            Paper(1471, 730_531),
            Paper(1499, 827_401),
            Paper(1518, 799_777),
        ],
    },
    Technique {
        name: "BAM",
        title: "block-abstraction memoization",
        violated: [Paper(100, 154_555), Paper(120, 136_856)],
        clean: [Paper(1911, 657_265), Paper(1996, 581_045)],
        classes: Some([0, 1, 8, 15]),
        all: [
            Paper(2011, 811_819),
            Paper(1923, 924_237),
            Paper(2044, 791_910),
            Paper(2030, 789_454),
            Paper(2096, 732_531),
            Paper(2116, 717_901),
        ],
    },
];

/// The runs of a technique: for each configuration those of the subjects that all its configurations have run.
pub(super) struct Runs<'r> {
    technique: &'static Technique,
    by_configuration: ByConfiguration<'r>,
}

/// The outcome of some runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    runs: usize,
    solved: usize,
    overdue: usize,
    wrong: usize,
    cpu_s: f64,
    ticks: u64,
}

fn is_violated(run: &Run) -> bool {
    run.expected.iter().any(|expected| *expected == "false")
}

fn is_clean(run: &Run) -> bool {
    !run.expected.is_empty() && run.expected.iter().all(|expected| *expected == "true")
}

impl<'r> Runs<'r> {
    /// The runs of a technique; `None` if it was not run.
    pub(super) fn of(technique: &'static Technique, runs: &'r [Run]) -> Option<Runs<'r>> {
        let is_own = |run: &&Run| {
            let rest = run.configuration.strip_prefix(technique.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let by_configuration = over_common_subjects(runs.iter().filter(is_own));
        (!by_configuration.is_empty()).then_some(Runs {
            technique,
            by_configuration,
        })
    }

    /// The configuration of the technique with this ending, if it was run.
    fn named(&self, ending: &str) -> Option<(&'r str, &BTreeMap<Subject<'r>, &'r Run>)> {
        let name = format!("{}{ending}", self.technique.name);
        self.by_configuration
            .get_key_value(name.as_str())
            .map(|(name, runs)| (*name, runs))
    }

    /// The runs with a metric.
    pub(super) fn with_metric(&self, metric: &str) -> Option<&BTreeMap<Subject<'r>, &'r Run>> {
        self.named(&format!(".T.{metric}")).map(|(_, runs)| runs)
    }

    /// The configuration that stands for the directed technique: the one with a selected metric, else the single metric that solves most, the first of equal ones.
    fn directed(&self) -> Option<(&'r str, &BTreeMap<Subject<'r>, &'r Run>)> {
        self.named(".T").or_else(|| {
            let single = METRICS.iter().filter_map(|metric| self.named(&format!(".T.{metric}")));
            single
                .rev()
                .max_by_key(|(_, runs)| self::sum(runs.values(), |_| true).solved)
        })
    }

    /// The complexity of each subject that some run knows it of.
    fn complexity(&self) -> BTreeMap<Subject<'r>, f64> {
        let runs = self.by_configuration.values().flatten();
        runs.filter_map(|(subject, run)| Some((*subject, run.feature("SMCC")?)))
            .collect()
    }
}

fn sum<'a, 'r: 'a>(runs: impl Iterator<Item = &'a &'r Run>, counts: impl Fn(&Run) -> bool) -> Sum {
    let mut sum = Sum::default();
    for run in runs.filter(|run| counts(run)) {
        sum.runs += 1;
        sum.solved += usize::from(is_solved(run));
        sum.overdue += usize::from(matches!(
            run.reason_code.as_str(),
            "cpu-limit" | "wall-limit" | "tick-limit"
        ));
        sum.wrong += run.wrong();
        sum.cpu_s += run.cpu_s;
        sum.ticks += run.ticks;
    }
    sum
}

/// A change in percent.
fn change(value: f64, base: f64) -> String {
    if base > 0.0 {
        format!("{:+.0} %", 100.0 * (value / base - 1.0))
    } else {
        "–".to_string()
    }
}

/// The study's part of the page, and the lines that sum it up.
pub fn section(runs: &[Run]) -> (Section, Vec<String>) {
    let mut page = Section::new();
    page.text("After chapter 5 of: Lee, TOUR: an effective error location directed search, 2022. Its figures stand in brackets.");
    let mut lines = Vec::new();
    for technique in &TECHNIQUES {
        let Some(runs) = Runs::of(technique, runs) else {
            continue;
        };
        page.heading(&format!("{}: {}", technique.name, technique.title));
        let (tables, clean) = match technique.name {
            "BAM" => (["5.2", "5.8"], "5.4, 5.5 and 5.6"),
            _ => (["5.3", "5.9"], "5.5 and 5.7"),
        };
        lines.extend(against(
            &mut page,
            &runs,
            &format!("Table {}: programs with a violation (RQ1)", tables[0]),
            technique.violated,
            &is_violated,
        ));
        lines.extend(against(
            &mut page,
            &runs,
            &format!("Tables {clean}: programs without a violation (RQ2)"),
            technique.clean,
            &is_clean,
        ));
        classes(&mut page, &runs);
        lines.extend(
            ["st", "lf"]
                .iter()
                .filter_map(|metric| savings(&mut page, &runs, metric)),
        );
        lines.push(metrics(&mut page, &runs, tables[1]));
        lines.extend(learned::selection(&mut page, &runs, technique.name == "BAM"));
    }
    for line in &lines {
        page.text(line);
    }
    (page, lines)
}

/// Depth first against directed search, over the programs that count.
fn against(
    page: &mut Section,
    runs: &Runs<'_>,
    caption: &str,
    paper: [Paper; 2],
    counts: &dyn Fn(&Run) -> bool,
) -> Option<String> {
    let (base, before) = runs.named("")?;
    let (name, after) = runs.directed()?;
    let (was, is) = (sum(before.values(), counts), sum(after.values(), counts));
    let row = |name: &str, sum: Sum, paper: Paper| {
        vec![
            name.to_string(),
            sum.solved.to_string(),
            sum.overdue.to_string(),
            (sum.runs - sum.solved - sum.overdue.min(sum.runs - sum.solved)).to_string(),
            sum.wrong.to_string(),
            format!("{:.1}", sum.cpu_s),
            sum.ticks.to_string(),
            format!("[{}]", paper.0),
            format!("[{}]", paper.1),
        ]
    };
    page.table(
        &format!("{caption}: {}", was.runs),
        &[
            "",
            "solved",
            "limit",
            "others",
            "wrong",
            "CPU time (s)",
            "ticks",
            "solved there",
            "CPU time there (s)",
        ],
        &[row(base, was, paper[0]), row(name, is, paper[1])],
    );
    let both: Vec<(f64, f64, String)> = before
        .iter()
        .filter(|(_, run)| counts(run) && is_solved(run))
        .filter_map(|(subject, run)| {
            let other = after.get(subject).filter(|run| is_solved(run))?;
            Some((run.cpu_s, other.cpu_s, subject.0.to_string()))
        })
        .collect();
    let faster = both.iter().filter(|(before, after, _)| after < before).count();
    page.figure(
        &scatter(
            &format!("{base}: CPU time (s)"),
            &format!("{name}: CPU time (s)"),
            &both,
        ),
        &format!(
            "The {} programs that both solve; {name} takes less time for {faster} of them.",
            both.len()
        ),
    );
    Some(format!(
        "{caption}: {} programs; {base} solves {}, {name} {} ({}) [{}]; CPU time {} [{}].",
        was.runs,
        was.solved,
        is.solved,
        change(as_float(is.solved), as_float(was.solved)),
        change(as_float(paper[1].0), as_float(paper[0].0)),
        change(is.cpu_s, was.cpu_s),
        change(f64::from(paper[1].1), f64::from(paper[0].1)),
    ))
}

/// The number of points in each quadrant, from the first to the fourth; points on an axis are in none.
fn quadrants(points: &[Point]) -> [usize; 4] {
    let count = |right: bool, up: bool| {
        let is_there = |value: f64, wanted: bool| if wanted { value > 0.0 } else { value < 0.0 };
        points
            .iter()
            .filter(|(x, y, _)| is_there(*x, right) && is_there(*y, up))
            .count()
    };
    [
        count(true, true),
        count(false, true),
        count(false, false),
        count(true, false),
    ]
}

/// Figures 5.4 and 5.5: what a metric saves against depth first, over the programs that both solve. `None` if it was not run, or they solve none.
fn savings(page: &mut Section, runs: &Runs<'_>, metric: &str) -> Option<String> {
    let (base, before) = runs.named("")?;
    let (name, after) = runs.named(&format!(".T.{metric}"))?;
    let saved = |counter: &str, before: &Run, after: &Run| {
        let of = |run: &Run| as_float(usize::try_from(run.counter(counter)).unwrap_or(usize::MAX));
        of(before) - of(after)
    };
    let (mut times, mut checks): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
    for (subject, run) in before.iter().filter(|(_, run)| is_solved(run)) {
        let Some(other) = after.get(subject).filter(|run| is_solved(run)) else {
            continue;
        };
        let states = saved("explored states", run, other);
        times.push((states, run.cpu_s - other.cpu_s, subject.0.to_string()));
        checks.push((states, saved("coverage checks", run, other), subject.0.to_string()));
    }
    if times.is_empty() {
        return None;
    }
    let (of_times, of_checks) = (quadrants(&times), quadrants(&checks));
    let states = (format!("explored states saved by {name}"), 1.0);
    let text = |[first, second, third, fourth]: [usize; 4]| {
        format!(
            "quadrants: {first} with less of both, {fourth} with fewer states only, {second} with more states only, {third} with more of both"
        )
    };
    page.figure(
        &differences(
            (&states.0, states.1),
            (&format!("CPU time (s) saved by {name}"), 0.01),
            &times,
        ),
        &format!(
            "Figure 5.4: the {} programs that both {base} and {name} solve; {}.",
            times.len(),
            text(of_times)
        ),
    );
    page.figure(
        &differences(
            (&states.0, states.1),
            (&format!("coverage checks saved by {name}"), 1.0),
            &checks,
        ),
        &format!("Figure 5.5: the same programs; {}.", text(of_checks)),
    );
    Some(format!(
        "Figures 5.4 and 5.5: of {} programs that both solve, {name} needs fewer states than {base} but more CPU time for {}, and fewer states but more coverage checks for {}.",
        times.len(),
        of_times[3],
        of_checks[3]
    ))
}

/// The clean programs in four classes of equal size by cyclomatic complexity.
fn classes(page: &mut Section, runs: &Runs<'_>) {
    let (Some((base, before)), Some((name, after))) = (runs.named(""), runs.directed()) else {
        return;
    };
    let complexity = runs.complexity();
    let mut sorted: Vec<f64> = complexity.values().copied().collect();
    if sorted.is_empty() {
        return;
    }
    sorted.sort_unstable_by(f64::total_cmp);
    let bounds = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
    let class = |run: &Run| {
        let value = complexity.get(&(run.task.as_str(), run.property.as_str()))?;
        Some(bounds.iter().filter(|bound| value > bound).count())
    };
    let rows: Vec<Vec<String>> = (0..4)
        .map(|wanted| {
            let counts = |run: &Run| is_clean(run) && class(run) == Some(wanted);
            let (was, is) = (sum(before.values(), counts), sum(after.values(), counts));
            let upper = bounds.get(wanted).copied().unwrap_or(sorted[sorted.len() - 1]);
            let theirs = runs
                .technique
                .classes
                .map_or("–".to_string(), |all| format!("[{:+} %]", all[wanted]));
            vec![
                format!("class {}, up to {upper}", wanted + 1),
                was.runs.to_string(),
                was.solved.to_string(),
                is.solved.to_string(),
                change(as_float(is.solved), as_float(was.solved)),
                theirs,
                change(is.cpu_s, was.cpu_s),
            ]
        })
        .collect();
    page.table(
        "Programs without a violation, in four classes by the sum of the cyclomatic complexities",
        &["", "programs", base, name, "solved", "solved there", "CPU time"],
        &rows,
    );
}

/// The metrics against depth first, over all programs.
fn metrics(page: &mut Section, runs: &Runs<'_>, table: &str) -> String {
    let base = runs.named("").map(|(_, runs)| sum(runs.values(), |_| true));
    let endings = ["", ".T.st", ".T.bb", ".T.lh", ".T.lf", ".T", ".topological"];
    let papers = runs.technique.all.iter().map(Some).chain([None]);
    let mut said = Vec::new();
    let mut rows = Vec::new();
    let (mut count, mut wrong) = (0, 0);
    for (ending, paper) in endings.iter().zip(papers) {
        let Some((name, own)) = runs.named(ending) else {
            continue;
        };
        let sum = sum(own.values(), |_| true);
        count = sum.runs;
        wrong += sum.wrong;
        let ratio = |value: f64, of: fn(&Sum) -> f64| base.map_or("–".to_string(), |base| change(value, of(&base)));
        let theirs = |text: &dyn Fn(&Paper) -> String| paper.map_or("–".to_string(), text);
        let origin = runs.technique.all[0];
        said.push(format!(
            "{name} {}{}",
            sum.solved,
            theirs(&|paper| format!(" [{}]", paper.0))
        ));
        rows.push(vec![
            name.to_string(),
            sum.solved.to_string(),
            ratio(as_float(sum.solved), |base| as_float(base.solved)),
            theirs(&|paper| format!("[{}, {}]", paper.0, change(as_float(paper.0), as_float(origin.0)))),
            format!("{:.1}", sum.cpu_s),
            ratio(sum.cpu_s, |base| base.cpu_s),
            theirs(&|paper| format!("[{}]", change(f64::from(paper.1), f64::from(origin.1)))),
            sum.ticks.to_string(),
        ]);
    }
    page.table(
        &format!("Table {table}: the metrics (RQ3)"),
        &[
            "",
            "solved",
            "against depth first",
            "there",
            "CPU time (s)",
            "against depth first",
            "there",
            "ticks",
        ],
        &rows,
    );
    format!(
        "Table {table}: solved of {count} programs: {}. Verdicts against the expectation: {wrong}.",
        said.join(", ").replace("–", "")
    )
}

#[cfg(test)]
mod tests {
    use super::super::together::tests::run;
    use super::*;

    fn one(task: &str, configuration: &str, seconds: f64, verdict: &str, expected: &str, complexity: f64) -> Run {
        Run {
            expected: [expected].into_iter().collect(),
            features: [("SMCC".into(), complexity)].into(),
            ..run(task, "", configuration, seconds, &[("p", verdict)])
        }
    }

    fn counted(run: Run, states: u64, checks: u64) -> Run {
        let counters = [("explored states", states), ("coverage checks", checks)];
        Run {
            counters: counters.into_iter().collect(),
            ..run
        }
    }

    #[test]
    fn quadrants_are_numbered_against_the_clock() {
        let point = |x: f64, y: f64| (x, y, String::new());
        let points = [
            point(1.0, 2.0),
            point(-1.0, 2.0),
            point(-1.0, -2.0),
            point(1.0, -2.0),
            point(3.0, -1.0),
            point(0.0, -1.0),
        ];
        assert_eq!(quadrants(&points), [1, 1, 1, 2]);
    }

    #[test]
    fn techniques_are_compared_where_all_their_configurations_ran() {
        let runs = [
            one("a", "LA", 4.0, "unknown", "false", 3.0),
            one("a", "LA.T.st", 2.0, "false", "false", 3.0),
            counted(one("b", "LA", 2.0, "true", "true", 9.0), 70, 5),
            counted(one("b", "LA.T.st", 4.0, "true", "true", 9.0), 30, 9),
            // It would be wrong to count a program that only one of them has run.
            one("c", "LA", 2.0, "true", "true", 9.0),
            // A verdict against the expectation solves nothing.
            one("d", "LA", 2.0, "true", "true", 1.0),
            one("d", "LA.T.st", 2.0, "false", "true", 1.0),
        ];
        let (page, lines) = section(&runs);
        assert_eq!(
            lines,
            [
                "Table 5.3: programs with a violation (RQ1): 1 programs; LA solves 0, LA.T.st 1 (–) [+118 %]; CPU time -50 % [+3 %].",
                "Tables 5.5 and 5.7: programs without a violation (RQ2): 2 programs; LA solves 2, LA.T.st 1 (-50 %) [+1 %]; CPU time +50 % [+4 %].",
                "Figures 5.4 and 5.5: of 1 programs that both solve, LA.T.st needs fewer states than LA but more CPU time for 1, and fewer states but more coverage checks for 1.",
                "Table 5.9: solved of 3 programs: LA 2 [1449], LA.T.st 2 [1500]. Verdicts against the expectation: 1.",
            ]
        );
        let html = page.html();
        assert!(
            html.contains("class 4, up to 9") && html.contains("<svg") && !html.contains("BAM"),
            "{html}"
        );
        assert_eq!(section(&runs).1, lines);
    }

    #[test]
    fn nothing_is_said_without_runs() {
        let (_, lines) = section(&[]);
        assert!(lines.is_empty());
    }
}
