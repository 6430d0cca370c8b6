//! The entry of a journal for a run: one [`Record`], from the child's report and from the kernel's account of the child.

use super::process::{Ended, Status, Stopped};
use crate::report::{LaunchReport, OperatorSeconds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part of a child's JSON report that tables and studies need.
#[derive(Clone, Debug, Deserialize)]
pub struct ChildReport {
    /// The answer to all properties together.
    pub verdict: String,
    /// The answers.
    pub properties: Vec<ChildProperty>,
    /// The counters by name.
    #[serde(default)]
    pub statistics: BTreeMap<String, u64>,
    /// The features of the program by name.
    #[serde(default)]
    pub features: BTreeMap<String, f64>,
    /// The processes before the last one, of a conditional relaunch.
    #[serde(default)]
    pub launches: Vec<LaunchReport>,
    /// Its resources.
    pub resources: ChildResources,
}

/// The answer for one property.
#[derive(Clone, Debug, Deserialize)]
pub struct ChildProperty {
    /// Its name.
    pub name: String,
    /// `TRUE`, `FALSE` or `UNKNOWN`.
    pub verdict: String,
    /// The stable code of why there is no answer.
    #[serde(default)]
    pub reason_code: Option<String>,
    /// Why there is no answer.
    #[serde(default)]
    pub reason: Option<String>,
    /// The verdict that the task definition expects.
    #[serde(default)]
    pub expected: Option<bool>,
    /// Its cost.
    #[serde(default)]
    pub effort: Option<Effort>,
}

/// The cost of a property, and whether it was relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Solver effort while the property was the one whose error path had been refined last.
    #[serde(default)]
    pub ticks: u64,
    /// Error paths of it that were refined.
    #[serde(default)]
    pub refinements: u64,
    /// Places in the program where its automaton looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u64>,
    /// How often its automaton has seen something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
}

/// Time and memory as a child reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChildResources {
    /// Processor seconds.
    pub cpu_s: f64,
    /// Processor seconds without reading the program and writing the report.
    #[serde(default)]
    pub analysis_cpu_s: f64,
    /// Seconds of provident refinement alone.
    #[serde(default)]
    pub refinement_wall_s: f64,
    /// Processor seconds of each operator of the refinement loops.
    #[serde(default)]
    pub operators_cpu_s: OperatorSeconds,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: u64,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task's name.
    pub task: String,
    /// The property of the subject, or empty for all of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub property: String,
    /// The configuration's name.
    pub configuration: String,
    /// `true`, `false`, `unknown`, or `none` if the child died without a report.
    pub verdict: String,
    /// The stable code of the first reason for an answer that is missing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason_code: String,
    /// The same reason in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The answers for each property.
    pub properties: Vec<PropertyRecord>,
    /// Processor seconds of the child and all that it waited for, from the kernel.
    pub cpu_s: f64,
    /// Of these, seconds in the kernel.
    pub system_s: f64,
    /// Seconds from start to end.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: f64,
    /// Whether the memory is only a bound: the child died, and had not more than the process that started it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory_is_bound: bool,
    /// The resources by the child's own report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<ChildResources>,
    /// Solver effort.
    pub ticks: u64,
    /// All counters.
    #[serde(default)]
    pub statistics: BTreeMap<String, u64>,
    /// The features of the program by name, where the child has computed them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub features: BTreeMap<String, f64>,
    /// The processes of a conditional relaunch that were followed by another one: how each ended, the property that was given up for it, and its time and memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<LaunchReport>,
    /// How the child ended.
    pub ended: String,
    /// Whether it was ended from outside. Such a run is booked for what it took, and runs again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The hash of the effective options; a line before says what they are.
    pub options: String,
    /// Seconds of processor time after which the run had to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_limit: Option<f64>,
    /// Seconds after which it had to end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_limit: Option<f64>,
    /// Its limit of memory in MB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// The hash of the task's files.
    pub files: String,
    /// The line of `--version`, with the hash of the solver's sources.
    pub version: String,
    /// The machine.
    pub host: String,
    /// When the run began (RFC 3339, UTC).
    pub started: String,
    /// Its report, relative to the folder of the journal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub report: String,
}

/// The answer for one property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyRecord {
    /// Its name.
    pub name: String,
    /// `true`, `false` or `unknown`.
    pub verdict: String,
    /// The verdict that the task definition expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// The stable code of why there is no answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason_code: String,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Its cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
}

/// How a verdict compares with what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The expected answer.
    Correct,
    /// The opposite of the expected answer.
    Wrong,
    /// UNKNOWN, or no verdict, or nothing was expected.
    Open,
}

/// Whether a verdict is an answer.
pub fn is_answer(verdict: &str) -> bool {
    matches!(verdict, "true" | "false")
}

impl PropertyRecord {
    /// Compares verdict and expectation.
    pub fn judgement(&self) -> Judgement {
        match self.expected {
            Some(expected) if is_answer(&self.verdict) => {
                if expected == (self.verdict == "true") {
                    Judgement::Correct
                } else {
                    Judgement::Wrong
                }
            }
            _ => Judgement::Open,
        }
    }
}

impl Record {
    /// Fills in what the child said and how it ended.
    pub fn fill(&mut self, ended: &Ended) {
        let usage = ended.usage;
        self.cpu_s = rounded(usage.user_s + usage.system_s);
        self.system_s = rounded(usage.system_s);
        self.wall_s = rounded(ended.wall_s);
        let kilobytes = f64::from(u32::try_from(usage.memory_kb).unwrap_or(u32::MAX));
        self.memory_mb = (kilobytes / 1024.0 * 10.0).round() / 10.0;
        self.memory_is_bound = !usage.memory_is_exact;
        self.ended = ended.status.to_string();
        self.interrupted = ended.stopped == Some(Stopped::Interrupted);
        match serde_json::from_slice::<ChildReport>(&ended.output) {
            Ok(report) => self.report(report),
            Err(_) => self.died(ended),
        }
    }

    fn report(&mut self, report: ChildReport) {
        self.verdict = report.verdict.to_lowercase();
        self.properties = report.properties.into_iter().map(PropertyRecord::from).collect();
        let open = self.properties.iter().find(|property| !property.reason_code.is_empty());
        if let Some(open) = open {
            (self.reason_code, self.reason) = (open.reason_code.clone(), open.reason.clone());
        }
        self.ticks = report.statistics.get("solver ticks").copied().unwrap_or(0);
        self.statistics = report.statistics;
        self.features = report.features;
        self.launches = report.launches;
        if self.memory_is_bound && report.resources.memory_mb > 0 {
            // The child knows better, as it does not count what it was before it became itself.
            self.memory_mb = f64::from(u32::try_from(report.resources.memory_mb).unwrap_or(u32::MAX));
            self.memory_is_bound = false;
        }
        self.reported = Some(report.resources);
    }

    /// A child without report still says what was wrong: in its last verdict line, or in its first error line.
    fn died(&mut self, ended: &Ended) {
        let (output, errors) = (
            String::from_utf8_lossy(&ended.output),
            String::from_utf8_lossy(&ended.errors),
        );
        let verdict = output
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("VERDICT: UNKNOWN "));
        let said = verdict.or_else(|| errors.lines().find(|line| !line.trim().is_empty()));
        let how = match ended.stopped {
            Some(Stopped::Overdue) => "killed after its time".to_string(),
            Some(Stopped::Interrupted) => "interrupted".to_string(),
            None => ended.status.to_string(),
        };
        let coded = verdict.and_then(|line| line.strip_prefix('(')?.split_once(')'));
        self.verdict = "none".to_string();
        self.reason_code = match (coded, ended.status) {
            (Some((code, _)), _) => code.to_string(),
            (None, Status::Exit(3)) => "bad-input".to_string(),
            _ => "process-died".to_string(),
        };
        let said = said.unwrap_or("it said nothing");
        self.reason = format!("{how}: {}", said.chars().take(500).collect::<String>());
    }

    /// The key of the run within its experiment.
    pub fn key(&self) -> (&str, &str, &str) {
        (&self.task, &self.property, &self.configuration)
    }
}

impl From<ChildProperty> for PropertyRecord {
    fn from(property: ChildProperty) -> PropertyRecord {
        PropertyRecord {
            name: property.name,
            verdict: property.verdict.to_lowercase(),
            expected: property.expected,
            reason_code: property.reason_code.unwrap_or_default(),
            reason: property.reason.unwrap_or_default(),
            effort: property.effort,
        }
    }
}

/// Seconds to the microsecond: what the kernel knows.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::process::Usage;

    fn ended(status: Status, output: &str, errors: &str) -> Ended {
        Ended {
            status,
            stopped: None,
            output: output.as_bytes().to_vec(),
            errors: errors.as_bytes().to_vec(),
            usage: Usage {
                user_s: 1.5,
                system_s: 0.25,
                memory_kb: 2048,
                memory_is_exact: false,
            },
            wall_s: 2.0,
        }
    }

    #[test]
    fn a_report_and_the_kernel_make_a_record() {
        let report = r#"{"verdict": "UNKNOWN", "properties": [{"name": "p", "verdict": "TRUE", "expected": false},
            {"name": "q", "verdict": "UNKNOWN", "reason_code": "cpu-limit", "reason": "CPU time limit reached"}],
            "statistics": {"solver ticks": 12}, "resources": {"cpu_s": 1.0, "wall_s": 1.0, "memory_mb": 77}}"#;
        let mut record = Record::default();
        record.fill(&ended(Status::Exit(2), report, ""));
        assert_eq!(
            (record.verdict.as_str(), record.reason_code.as_str()),
            ("unknown", "cpu-limit")
        );
        assert_eq!(
            (record.cpu_s, record.memory_mb, record.memory_is_bound),
            (1.75, 77.0, false)
        );
        assert_eq!(record.ticks, 12);
        assert_eq!(record.properties[0].judgement(), Judgement::Wrong);
        assert_eq!(record.properties[1].judgement(), Judgement::Open);
    }

    #[test]
    fn a_dead_child_is_booked_with_what_it_took() {
        let mut record = Record::default();
        record.fill(&ended(Status::Signal(9), "", "\nout of luck\nmore"));
        assert_eq!(
            (record.verdict.as_str(), record.reason_code.as_str()),
            ("none", "process-died")
        );
        assert_eq!(record.reason, "signal 9: out of luck");
        assert_eq!(
            (record.cpu_s, record.memory_mb, record.memory_is_bound),
            (1.75, 2.0, true)
        );
        record.fill(&ended(Status::Exit(4), "VERDICT: UNKNOWN (internal-error) oh\n", ""));
        assert_eq!(
            (record.reason_code.as_str(), record.reason.as_str()),
            ("internal-error", "exit status 4: (internal-error) oh")
        );
        record.fill(&ended(Status::Exit(3), "", "error: no such file"));
        assert_eq!(record.reason_code, "bad-input");
    }
}
