//! The results as CSV, and the numbers of each configuration: how many answers, right and wrong ones, the score, and what they took.

use super::error::Error;
use super::journal::{self, Line};
use super::record::{Judgement, Record};
use super::results::Run;
use super::study::summary::Numbers;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

/// The columns before the counters.
const FIRST: [&str; 19] = [
    "task",
    "subject",
    "configuration",
    "property",
    "expected",
    "verdict",
    "judgement",
    "reason_code",
    "cpu_s",
    "wall_s",
    "memory_mb",
    "ticks",
    "analysis_cpu_s",
    "ended",
    "host",
    "started",
    "options",
    "version",
    "reason",
];

/// Writes the runs of a journal as CSV: a row for each property of each run, with all counters. Time and memory are those of the run, so that they must not be added over the rows of one run; the column `share`
/// says which part of a run a row is.
///
/// # Errors
/// The journal cannot be read, or the table cannot be written.
pub fn csv(journal: &Path, target: impl Write) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    journal::read(journal, |line| {
        if let Line::Run(record) = line {
            names.extend(record.statistics.into_keys());
        }
        Ok(())
    })?;
    let header = journal::header(journal)?;
    let configurations = &header.identity.definition.configurations;
    let order = |name: &str| configurations.iter().position(|c| c.name == name).unwrap_or(usize::MAX);
    let mut writer = csv::Writer::from_writer(target);
    let failed = |error: csv::Error| Error::Program("writing a table".to_string(), error.to_string());
    let header = FIRST
        .iter()
        .map(ToString::to_string)
        .chain(["share".to_string()])
        .chain(names.iter().cloned());
    writer.write_record(header).map_err(failed)?;
    journal::read_sorted(journal, order, |record| {
        for cells in rows(&record, &names) {
            writer.write_record(cells).map_err(failed)?;
        }
        Ok(())
    })?;
    writer
        .flush()
        .map_err(|error| Error::Program("writing a table".to_string(), error.to_string()))
}

/// Writes the effective options of a journal as CSV: a row for each option, under the hash by which runs name them.
///
/// # Errors
/// The journal cannot be read, or the table cannot be written.
pub fn options_csv(journal: &Path, target: impl Write) -> Result<(), Error> {
    let failed = |error: csv::Error| Error::Program("writing a table".to_string(), error.to_string());
    let mut writer = csv::Writer::from_writer(target);
    writer.write_record(["options", "key", "value"]).map_err(failed)?;
    let mut known = BTreeSet::new();
    journal::read(journal, |line| {
        if let Line::Options(options) = line
            && known.insert(options.hash.clone())
        {
            for (key, value) in &options.values {
                writer.write_record([&options.hash, key, value]).map_err(failed)?;
            }
        }
        Ok(())
    })?;
    writer
        .flush()
        .map_err(|error| Error::Program("writing a table".to_string(), error.to_string()))
}

fn rows(record: &Record, counters: &BTreeSet<String>) -> Vec<Vec<String>> {
    let none = super::record::PropertyRecord {
        verdict: record.verdict.clone(),
        reason_code: record.reason_code.clone(),
        reason: record.reason.clone(),
        ..Default::default()
    };
    let properties = if record.properties.is_empty() {
        std::slice::from_ref(&none)
    } else {
        &record.properties
    };
    let count = properties.len();
    let row = |property: &super::record::PropertyRecord| {
        let judgement = match property.judgement() {
            Judgement::Correct => "correct",
            Judgement::Wrong => "WRONG",
            Judgement::Open => "",
        };
        let analysis = record
            .reported
            .map(|reported| format!("{:.4}", reported.analysis_cpu_s));
        let mut cells = vec![
            record.task.clone(),
            record.property.clone(),
            record.configuration.clone(),
            property.name.clone(),
            property.expected.map(|e| e.to_string()).unwrap_or_default(),
            property.verdict.clone(),
            judgement.to_string(),
            property.reason_code.clone(),
            format!("{:.4}", record.cpu_s),
            format!("{:.4}", record.wall_s),
            record.memory_mb.to_string(),
            record.ticks.to_string(),
            analysis.unwrap_or_default(),
            record.ended.clone(),
            record.host.clone(),
            record.started.clone(),
            record.options.clone(),
            record.version.clone(),
            property.reason.replace(['\n', '\r'], " "),
            format!("1/{count}"),
        ];
        let value = |name: &String| record.statistics.get(name).map(u64::to_string).unwrap_or_default();
        cells.extend(counters.iter().map(value));
        cells
    };
    properties.iter().map(row).collect()
}

/// The numbers of one configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub configuration: String,
    /// Runs.
    pub runs: usize,
    /// Results: one for each property of each run, and one for a run without report.
    pub results: usize,
    /// TRUE and FALSE as expected, against what is expected, and where nothing is.
    pub correct_true: usize,
    /// FALSE as expected.
    pub correct_false: usize,
    /// TRUE where FALSE is expected.
    pub wrong_true: usize,
    /// FALSE where TRUE is expected.
    pub wrong_false: usize,
    /// Answers where nothing is expected.
    pub unchecked: usize,
    /// UNKNOWN.
    pub unknown: usize,
    /// No verdict.
    pub none: usize,
    /// 2 for a correct TRUE, 1 for a correct FALSE, -32 and -16 for wrong ones.
    pub score: i64,
    /// Processor seconds.
    pub cpu: Spread,
    /// Seconds.
    pub wall: Spread,
    /// MiB.
    pub memory: Spread,
    /// Solver effort.
    pub ticks: u64,
}

/// A sample in five numbers and a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The sum.
    pub sum: f64,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let n = Numbers::of(values);
        Spread {
            sum: n.sum,
            mean: n.mean,
            median: n.median,
            min: n.min,
            max: n.max,
        }
    }
}

/// The numbers of each configuration, in their order.
pub fn summaries(configurations: &[String], runs: &[Run]) -> Vec<Summary> {
    configurations.iter().map(|name| summary(name, runs)).collect()
}

fn summary(name: &str, runs: &[Run]) -> Summary {
    let own: Vec<&Run> = runs.iter().filter(|run| run.configuration == name).collect();
    let mut summary = Summary {
        configuration: name.to_string(),
        runs: own.len(),
        cpu: Spread::of(own.iter().map(|run| run.cpu_s)),
        wall: Spread::of(own.iter().map(|run| run.wall_s)),
        memory: Spread::of(own.iter().map(|run| run.memory_mb)),
        ticks: own.iter().map(|run| run.ticks).sum(),
        ..Summary::default()
    };
    for run in own {
        if run.verdicts.is_empty() {
            summary.none += 1;
        }
        for (verdict, expected) in run.verdicts.iter().zip(&run.expected) {
            let cell = match (&**verdict, &**expected) {
                ("true", "true") => &mut summary.correct_true,
                ("false", "false") => &mut summary.correct_false,
                ("true", "false") => &mut summary.wrong_true,
                ("false", "true") => &mut summary.wrong_false,
                ("true" | "false", _) => &mut summary.unchecked,
                _ => &mut summary.unknown,
            };
            *cell += 1;
        }
    }
    let signed = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    summary.score = 2 * signed(summary.correct_true) + signed(summary.correct_false)
        - 32 * signed(summary.wrong_true)
        - 16 * signed(summary.wrong_false);
    summary.results = summary.correct_true
        + summary.correct_false
        + summary.wrong_true
        + summary.wrong_false
        + summary.unchecked
        + summary.unknown
        + summary.none;
    summary
}

impl Summary {
    /// Whether a verdict contradicts what is expected.
    pub fn is_wrong(&self) -> bool {
        self.wrong_true + self.wrong_false > 0
    }

    /// One line.
    pub fn line(&self) -> String {
        format!(
            "{}: {} runs, {} results: {} correct ({} true, {} false), {} wrong ({} true, {} false), {} answers without expectation, {} unknown, {} without verdict; score {}; {:.1} s CPU, {:.0} MB at most",
            self.configuration,
            self.runs,
            self.results,
            self.correct_true + self.correct_false,
            self.correct_true,
            self.correct_false,
            self.wrong_true + self.wrong_false,
            self.wrong_true,
            self.wrong_false,
            self.unchecked,
            self.unknown,
            self.none,
            self.score,
            self.cpu.sum,
            self.memory.max,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_count_and_score() {
        let run = |verdicts: &[&str], expected: &[&str]| Run {
            configuration: "c".into(),
            verdicts: verdicts.iter().copied().collect(),
            expected: expected.iter().copied().collect(),
            cpu_s: 2.0,
            ..Run::default()
        };
        let runs = [
            run(&["true", "false"], &["true", "false"]),
            run(&["true", "false"], &["false", "true"]),
            run(&["unknown", "true"], &["true", ""]),
            run(&[], &[]),
        ];
        let summary = &summaries(&["c".to_string()], &runs)[0];
        assert_eq!(
            (
                summary.runs,
                summary.results,
                summary.none,
                summary.unknown,
                summary.unchecked
            ),
            (4, 7, 1, 1, 1)
        );
        assert_eq!(summary.score, 2 + 1 - 32 - 16);
        assert!(summary.is_wrong() && (summary.cpu.sum - 8.0).abs() < 1e-9);
    }

    #[test]
    fn a_row_for_each_property() {
        let record: Record = serde_json::from_str(
            r#"{"task": "a,b.yml", "configuration": "c", "verdict": "false", "properties": [{"name": "p", "verdict": "true", "expected": false}, {"name": "q", "verdict": "unknown", "reason": "no\nway"}],
            "cpu_s": 0.5, "system_s": 0, "wall_s": 1, "memory_mb": 12.5, "ticks": 3, "ended": "exit status 2", "options": "0", "files": "", "version": "v", "host": "h", "started": "t", "statistics": {"n": 4}}"#,
        )
        .unwrap();
        let names: BTreeSet<String> = ["n".to_string(), "other".to_string()].into();
        let rows = rows(&record, &names);
        assert_eq!(rows.len(), 2);
        assert_eq!(
            rows[0][..9],
            ["a,b.yml", "", "c", "p", "false", "true", "WRONG", "", "0.5000"].map(str::to_string)
        );
        assert_eq!(rows[1][17..], ["v", "no way", "1/2", "4", ""].map(str::to_string));
        assert!(rows.iter().all(|row| row.len() == FIRST.len() + 1 + names.len()));
    }
}
