//! Reports as text.

use super::paint::Paint;
use super::{Answer, Counters, Report, SelectionReport, conclusion, trace};
use crate::engine::{Counter, Reason};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Inputs of a violation among the diagnostics.
const MAX_NOTES: usize = 10;
/// Characters of a line of statistics on the terminal. An invariant may have a million.
const MAX_LINE: usize = 2_000;

/// A verdict as the output protocol has it: the word, and for UNKNOWN the code of the reason in parentheses, then its text.
///
/// A reason is one line: line ends in it become blanks.
pub fn verdict(answer: Answer, reason: Option<&Reason>) -> String {
    match (answer, reason) {
        (Answer::Unknown, Some(reason)) => {
            let words: Vec<&str> = reason.text.split_whitespace().collect();
            format!("UNKNOWN ({}) {}", reason.code.name(), words.join(" "))
        }
        (answer, _) => answer.word().to_string(),
    }
}

/// The last lines of the output: one per property if there are several, then the verdict.
///
/// Where a file holds several properties, `file/one` and `file/other`, their lines are followed by one for the file as a whole: it is FALSE if any of them is, else
/// UNKNOWN if any of them is. A task definition names files, so that is the line in which its expected verdict is answered. It is left out where it would say what `VERDICT` says.
pub fn protocol(report: &Report) -> String {
    protocol_in(report, Paint::PLAIN)
}

fn protocol_in(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    let properties = &report.properties;
    let file = |at: usize| {
        properties
            .get(at)
            .and_then(|property| property.name.split_once('/'))
            .map(|(file, _)| file)
    };
    let mut first = 0;
    for (at, property) in properties.iter().enumerate().filter(|_| properties.len() > 1) {
        let line = paint.verdict(&verdict(property.verdict, property.reason.as_ref()));
        writeln!(text, "PROPERTY {}: {line}", property.name).expect("writing to a string");
        if file(at) == file(at + 1) && file(at).is_some() {
            continue;
        }
        if let Some(file) = file(at).filter(|_| at - first + 1 < properties.len()) {
            let (answer, reason) = conclusion(&properties[first..=at]);
            let line = paint.verdict(&verdict(answer, reason));
            writeln!(text, "PROPERTY {file}: {line}").expect("writing to a string");
        }
        first = at + 1;
    }
    let line = paint.verdict(&verdict(report.verdict, report.reason.as_ref()));
    writeln!(text, "VERDICT: {line}").expect("writing to a string");
    text
}

/// The whole text that `verify` prints; `statistics` adds counters, precision and invariants.
pub fn render(report: &Report, statistics: bool, paint: Paint) -> String {
    let mut text = String::new();
    for property in &report.properties {
        if let Some(found) = &property.trace {
            let head = format!("Violation of {} ({}):", property.name, property.formula);
            writeln!(text, "{}", paint.head(&head)).expect("writing to a string");
            text.push_str(&trace::painted(found, paint));
            text.push('\n');
        }
    }
    if statistics {
        for line in self::statistics(report).lines() {
            writeln!(text, "{}", cut(line)).expect("writing to a string");
        }
    }
    for check in &report.checks {
        writeln!(text, "{check}").expect("writing to a string");
    }
    if let Some(summary) = &report.assumption_summary {
        writeln!(text, "Assumptions: {summary}").expect("writing to a string");
    }
    text.push_str(&checks(report));
    text.push_str(&protocol_in(report, paint));
    text
}

/// A line for the terminal: of a long one the beginning, and how long it is.
fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE) {
        Some((end, _)) => {
            let length = grouped(u64::try_from(line.chars().count()).unwrap_or(u64::MAX));
            format!(
                "{} ... ({length} characters; `--out DIR` writes all of them into statistics.txt)",
                &line[..end]
            )
        }
        None => line.to_string(),
    }
}

/// How many places of each sort and file are checked with which answer; empty without checks.
fn checks(report: &Report) -> String {
    let mut counts: BTreeMap<(&str, &str), [usize; 3]> = BTreeMap::new();
    for property in &report.properties {
        if let Some(check) = &property.check {
            let row = counts.entry((&check.sort, &check.file)).or_default();
            row[match property.verdict {
                Answer::True => 0,
                Answer::False => 1,
                Answer::Unknown => 2,
            }] += 1;
        }
    }
    let mut text = String::new();
    if counts.is_empty() {
        return text;
    }
    let title = ["TRUE", "FALSE", "UNKNOWN", "checks"];
    writeln!(text, "{:>7}{:>7}{:>9}  {}", title[0], title[1], title[2], title[3]).expect("writing to a string");
    for ((sort, file), [holds, fails, open]) in counts {
        writeln!(text, "{holds:>7}{fails:>7}{open:>9}  {sort} in {file}").expect("writing to a string");
    }
    text
}

/// The findings as compilers print them, which editors and systems for continuous integration read: a line `FILE:LINE:COLUMN: error: ...` for each violation, followed by notes with the inputs on which
/// it depends, and a warning for each place that is checked without answer.
pub fn diagnostics(report: &Report) -> String {
    let mut text = String::new();
    let mut say = |(file, line, column): (&str, u32, u32), kind: &str, what: &str| {
        let words: Vec<&str> = what.split_whitespace().collect();
        writeln!(text, "{file}:{line}:{column}: {kind}: {}", words.join(" ")).expect("writing to a string");
    };
    for property in &report.properties {
        let name = &property.name;
        if let Some(found) = &property.trace {
            let Some(last) = found.lines.last() else { continue };
            let event = last.notes.last().map_or("violation", |note| note);
            let what = format!("{event} in {} violates {} [{name}]", last.function, property.formula);
            say((&last.file, last.line, last.column), "error", &what);
            for (number, input) in trace::shown(found).take(MAX_NOTES) {
                let what = format!("input {number}: {} = {} [{name}]", input.what, input.value);
                say((&input.file, input.line, input.column), "note", &what);
            }
        } else if let (Some(check), Answer::Unknown) = (&property.check, property.verdict) {
            let what = format!("{} [{name}]", verdict(property.verdict, property.reason.as_ref()));
            say((&check.file, check.line, check.column), "warning", &what);
        }
    }
    text
}

/// Counters, precision and invariants.
pub fn statistics(report: &Report) -> String {
    let mut text = String::from("Statistics:\n");
    let width = report.statistics.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in report.statistics.iter() {
        writeln!(text, "  {name:width$}  {value}").expect("writing to a string");
    }
    if let Some(course) = course(&report.statistics) {
        writeln!(text, "Phases: {course}").expect("writing to a string");
    }
    for stage in &report.stages {
        writeln!(text, "Stage {}", self::stage(stage.stage, &stage.work, stage.open)).expect("writing to a string");
    }
    if let Some(selection) = &report.selection {
        text.push_str(&self::selection(selection));
    }
    if !report.precision.is_empty() {
        text.push_str("Precision:\n");
        for line in &report.precision {
            writeln!(text, "  {line}").expect("writing to a string");
        }
    }
    if !report.invariants.is_empty() {
        text.push_str("Invariants:\n");
        for invariant in &report.invariants {
            let place = format!("{}:{}:{}", invariant.file, invariant.line, invariant.column);
            let formula = invariant.any_of.join("  ||  ");
            writeln!(text, "  {place} in {}: {formula}", invariant.function).expect("writing to a string");
        }
    }
    text
}

/// A stage in a line: its work, and how many properties are open at its end.
pub fn stage(name: &str, work: &str, open: usize) -> String {
    let work = if work.is_empty() { "nothing to do" } else { work };
    let open = match open {
        0 => "all decided".to_string(),
        1 => "1 property open".to_string(),
        _ => format!("{open} properties open"),
    };
    format!("{name}: {work}; {open}")
}

/// The work of each phase that was run, in the order of the phases; `None` if there was none.
pub fn course(statistics: &Counters) -> Option<String> {
    let phase = |name: &str, ran: Counter, work: Counter, unit: &str| {
        (statistics.get(ran) > 0).then(|| format!("{name} {} {unit}", grouped(statistics.get(work))))
    };
    let phases = [
        phase("execution", Counter::ConcreteSteps, Counter::ConcreteSteps, "steps"),
        phase("samples", Counter::SampledSteps, Counter::SampledSteps, "steps"),
        phase("guesses", Counter::Guesses, Counter::InductiveGuesses, "inductive"),
        phase("explicit", Counter::ExplicitSteps, Counter::ExplicitSteps, "steps"),
        phase(
            "summaries",
            Counter::SummaryIterations,
            Counter::SummaryRefinements,
            "refinements",
        ),
        phase(
            "ideal",
            Counter::IdealIterations,
            Counter::IdealRefinements,
            "refinements",
        ),
        phase("machine", Counter::Iterations, Counter::Refinements, "refinements"),
    ];
    let phases: Vec<String> = phases.into_iter().flatten().collect();
    (!phases.is_empty()).then(|| phases.join(" -> "))
}

/// A number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The chosen metric and the way to it.
fn selection(selection: &SelectionReport) -> String {
    let (metric, leaf, leaves) = (selection.metric, selection.leaf, selection.leaves);
    let short: String = selection.model.chars().take(12).collect();
    let examples: Vec<String> = selection
        .examples
        .iter()
        .map(|(metric, count)| format!("{metric} {count}"))
        .collect();
    let way = match selection.conditions.is_empty() {
        true => "no question".to_string(),
        false => selection.conditions.join(", "),
    };
    format!(
        "Metric: {metric}, by leaf {leaf} of {leaves} of the model {short}\n  {way}\n  examples there: {}\n",
        examples.join(", ")
    )
}

/// All assumptions with their places.
pub fn assumptions(report: &Report) -> String {
    let mut text = String::from("Assumptions (`!`: a TRUE may be wrong where it does not hold):\n");
    for entry in &report.assumptions {
        let mark = if entry.sound { ' ' } else { '!' };
        let times = if entry.count == 1 {
            String::new()
        } else {
            format!(" ({} times)", entry.count)
        };
        let place = if entry.place.is_empty() {
            String::new()
        } else {
            format!(", first at {}", entry.place)
        };
        writeln!(text, "{mark} {}: {}{times}{place}", entry.kind, entry.detail).expect("writing to a string");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Counters, InvariantReport, PropertyReport, Resources};
    use super::*;
    use crate::engine::Counter;
    use crate::engine::ReasonCode;
    use expect_test::expect;

    fn property(name: &str, verdict: Answer, reason: Option<&str>) -> PropertyReport {
        let reason = reason.map(|text| ReasonCode::TickLimit.because(text));
        PropertyReport {
            name: name.to_string(),
            formula: String::new(),
            check: None,
            verdict,
            reason,
            expected: None,
            warning: None,
            trace: None,
            effort: None,
        }
    }

    fn report(properties: Vec<PropertyReport>) -> Report {
        let mut report = Report {
            provident: "provident 0".to_string(),
            options: Vec::new(),
            configuration: Default::default(),
            inputs: vec!["a.c".to_string()],
            verdict: Answer::Unknown,
            reason: None,
            properties,
            stages: Vec::new(),
            statistics: Counters::from_iter([(Counter::Refinements, 3)]),
            precision: Vec::new(),
            invariants: Vec::new(),
            features: Vec::new(),
            selection: None,
            assumption_summary: None,
            assumptions: Vec::new(),
            launches: Vec::new(),
            resources: Resources::default(),
            proof: None,
            views: Default::default(),
            checks: Vec::new(),
            attachments: Vec::new(),
        };
        report.conclude();
        report
    }

    #[test]
    fn phases_are_summed_up_in_a_line() {
        let counters = [
            (Counter::ExplicitSteps, 12_000_000),
            (Counter::IdealIterations, 4),
            (Counter::IdealRefinements, 3),
            (Counter::Iterations, 15),
            (Counter::Refinements, 1014),
        ];
        let phases = course(&Counters::from_iter(counters));
        let expected = "explicit 12,000,000 steps -> ideal 3 refinements -> machine 1,014 refinements";
        assert_eq!(phases.as_deref(), Some(expected));
        assert_eq!(super::course(&Counters::default()), None);
    }

    #[test]
    fn several_properties_get_a_line_each_and_the_worst_answer_is_the_verdict() {
        let open = property("b", Answer::Unknown, Some("out of\n  time"));
        let report = report(vec![property("a", Answer::True, None), open]);
        expect![[r#"
            PROPERTY a: TRUE
            PROPERTY b: UNKNOWN (tick-limit) out of time
            VERDICT: UNKNOWN (tick-limit) out of time
        "#]]
        .assert_eq(&protocol(&report));
        assert_eq!(report.verdict.exit_code(), 2);
    }

    #[test]
    fn a_long_invariant_is_cut_on_the_terminal_only() {
        let mut report = report(vec![property("a", Answer::True, None)]);
        for disjuncts in [3, 3_000] {
            report.invariants = vec![InvariantReport {
                file: "a.c".to_string(),
                line: 1,
                column: 2,
                function: "main".to_string(),
                any_of: vec!["é = 0".to_string(); disjuncts],
            }];
            let whole = statistics(&report);
            let shown = render(&report, true, Paint::PLAIN);
            assert_eq!(shown.contains(&whole), disjuncts == 3);
            assert_eq!(
                shown.contains("... (33,013 characters; `--out DIR` writes all of them into statistics.txt)\n"),
                disjuncts == 3_000
            );
        }
    }

    #[test]
    fn one_violation_decides() {
        let open = property("b", Answer::Unknown, Some("out of time"));
        let report = report(vec![open, property("a", Answer::False, None)]);
        assert!(protocol(&report).ends_with("\nVERDICT: FALSE\n"));
    }

    #[test]
    fn json_has_stable_names_and_order() {
        let report = report(vec![property("p", Answer::True, None)]);
        expect![[r#"
            {
              "schema_version": 1,
              "provident": "provident 0",
              "options": [],
              "configuration": {},
              "inputs": [
                "a.c"
              ],
              "verdict": "TRUE",
              "properties": [
                {
                  "name": "p",
                  "formula": "",
                  "verdict": "TRUE"
                }
              ],
              "statistics": {
                "refinements": 3
              },
              "precision": [],
              "invariants": [],
              "assumptions": [],
              "resources": {
                "cpu_s": 0.0,
                "analysis_cpu_s": 0.0,
                "refinement_wall_s": 0.0,
                "operators_cpu_s": {
                  "explore": 0.0,
                  "extract_targets": 0.0,
                  "rank": 0.0,
                  "provident_refine": 0.0,
                  "select": 0.0,
                  "apply": 0.0
                },
                "wall_s": 0.0,
                "memory_mb": 0
              }
            }
        "#]]
        .assert_eq(&report.json());
    }
}
