//! Reports: the results of a verification as text, JSON, HTML and SARIF.
//!
//! [`Report`] mirrors the results of the other rooms in types of its own, which are made for being written: names are stable,
//! order is fixed, and nothing in it depends on time except [`Resources`], which stands apart. The text form ends with the
//! lines of the output protocol: one `PROPERTY` line for each of several properties, then `VERDICT`.
//!
//! | module | does |
//! |---|---|
//! | [`text`] | the output protocol, statistics, assumptions as text |
//! | [`trace`] | executions as text |
//! | [`fold`] | rounds of loops, folded |
//! | [`paint`] | colours of a terminal |
//! | [`configuration`] | the options with the values that were used |
//! | [`files`] | the files of `--out`, each written under another name first |
//! | [`views`] | source text, automata and abstract states, and error paths in them |
//! | [`layout`] | layered drawings of graphs |
//! | [`page`] | one HTML page |
//! | [`sarif`] | SARIF 2.1.0 |
//! | [`simplify`] | invariants without redundant parts |
//! | [`schema`] | the schema of JSON reports |
//! | [`version`] | the line that says which binary made a result |
//! | `refinement_log` | the refinement log |

pub mod configuration;
pub mod files;
pub mod fold;
pub mod layout;
pub mod page;
pub mod paint;
pub mod refinement_log;
pub mod sarif;
pub mod schema;
pub mod simplify;
pub mod text;
pub mod trace;
pub mod version;
pub mod views;

use crate::engine::{Counter, Reason, ReasonCode};
use serde::{Deserialize, Serialize, Serializer};

/// An answer, without its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Answer {
    /// The property holds.
    True,
    /// The property is violated.
    False,
    /// Neither is known.
    Unknown,
}

impl Answer {
    /// The word of the output protocol.
    pub fn word(self) -> &'static str {
        match self {
            Answer::True => "TRUE",
            Answer::False => "FALSE",
            Answer::Unknown => "UNKNOWN",
        }
    }

    /// The exit status of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Answer::True => 0,
            Answer::False => 1,
            Answer::Unknown => 2,
        }
    }
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyReport {
    /// The property's name.
    pub name: String,
    /// Its formula, e.g. `G ! call(reach_error())`.
    pub formula: String,
    /// The place that it checks, if it checks one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckReport>,
    /// The answer.
    pub verdict: Answer,
    /// Why the answer is UNKNOWN.
    #[serde(flatten)]
    pub reason: Option<Reason>,
    /// The verdict that the task definition expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// Why the answer may not be about what the user meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// For FALSE: the replayed execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceReport>,
    /// Its cost, and the relevance of its automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<EffortReport>,
}

/// A place that is checked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// The sort of check.
    pub sort: String,
    /// The deed of an execution that violates it.
    pub violation: String,
    /// The file.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

/// The cost of a property; the same in every run. Processor time is in the results file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EffortReport {
    /// Effort while the property was the one whose error path had been refined last.
    pub ticks: u64,
    /// Error paths of it that were refined.
    pub refinements: u64,
    /// The static relevance of an automaton: places in the program where it looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<usize>,
    /// The dynamic relevance of an automaton: how often it has seen something while states were explored with predicates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
}

/// An execution that violates a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceReport {
    /// Its lines in order.
    pub lines: Vec<LineReport>,
    /// The values that the program does not determine, in the order in which it asks for them. Of very many there are the first and the last.
    pub inputs: Vec<InputReport>,
    /// How many inputs are left out between the first half of `inputs` and the second. The harness has them all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inputs_left_out: usize,
    /// How many inputs without influence on the path are missing in `inputs`, because there are very many.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inputs_without_influence: usize,
}

/// Inputs that are kept from the beginning of a long execution, and from its end.
const MAX_INPUTS: usize = 2_000;

impl TraceReport {
    /// The report of an execution with these lines and inputs. If there are more than some thousand inputs, those without influence on the path are left out, and then
    /// those in the middle: no reader needs them, and a harness has to be complete anyway.
    pub fn new(lines: Vec<LineReport>, mut inputs: Vec<InputReport>) -> TraceReport {
        for (number, input) in (1..).zip(&mut inputs) {
            input.number = number;
        }
        let all = inputs.len();
        if all > 2 * MAX_INPUTS {
            inputs.retain(|input| input.decisive != Some(false));
        }
        let inputs_without_influence = all - inputs.len();
        let inputs_left_out = inputs.len().saturating_sub(2 * MAX_INPUTS);
        if inputs_left_out > 0 {
            inputs.drain(MAX_INPUTS..MAX_INPUTS + inputs_left_out);
        }
        TraceReport {
            lines,
            inputs,
            inputs_left_out,
            inputs_without_influence,
        }
    }

    /// How many of the inputs come before those that are left out.
    fn middle(&self) -> usize {
        self.inputs.len() / 2
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// One line of an execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// Frames below.
    pub depth: usize,
    /// The source text.
    pub text: String,
    /// Values, decisions, calls.
    pub notes: Vec<String>,
}

/// One input of an execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InputReport {
    /// Its number among all inputs, from 1.
    #[serde(default)]
    pub number: usize,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The source of the value.
    pub what: String,
    /// The value.
    pub value: String,
    /// Whether the path depends on it; none if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<bool>,
}

/// An invariant of a loop head.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InvariantReport {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// One of these holds whenever control is there.
    pub any_of: Vec<String>,
}

/// Something taken on trust.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssumptionReport {
    /// The kind's stable name.
    pub kind: String,
    /// The assumption.
    pub detail: String,
    /// Whether a TRUE holds even where the assumption does not.
    pub sound: bool,
    /// In how many places.
    pub count: usize,
    /// The first place.
    pub place: String,
}

/// The proof of the properties that hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProofReport {
    /// The folder with the manifest and the scripts, in the folder of the report; none if there are no obligations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The properties that the obligations prove.
    pub properties: Vec<String>,
    /// How many obligations there are.
    pub obligations: usize,
    /// How many of them were discharged by a solver of their own with the proof checked; none unless `--check` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discharged: Option<usize>,
    /// The properties that hold and have no obligations, each with the reason.
    pub without: Vec<(String, String)>,
}

/// Counters in their order, written as a JSON object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counters(Vec<(Counter, u64)>);

impl Counters {
    /// Adds a counter at the end.
    pub fn push(&mut self, counter: Counter, value: u64) {
        self.0.push((counter, value));
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a counter; 0 if it was never touched.
    pub fn get(&self, counter: Counter) -> u64 {
        self.0
            .iter()
            .find(|(c, _)| *c == counter)
            .map_or(0, |(_, value)| *value)
    }

    /// The names and values in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(counter, value)| (counter.name(), *value))
    }
}

impl FromIterator<(Counter, u64)> for Counters {
    fn from_iter<I: IntoIterator<Item = (Counter, u64)>>(counters: I) -> Self {
        Counters(counters.into_iter().collect())
    }
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// The resources of the run; the only part of a report that differs from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Resources {
    /// Processor seconds.
    pub cpu_s: f64,
    /// Processor seconds of the analysis alone: without reading the program and writing the report.
    pub analysis_cpu_s: f64,
    /// Seconds of provident refinement alone, in which all threads work.
    pub refinement_wall_s: f64,
    /// Processor seconds of the operators of the refinement loops.
    pub operators_cpu_s: OperatorSeconds,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: u64,
}

/// Processor seconds of the operators of the refinement loops: parts of the time of the analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OperatorSeconds {
    /// The exploration of abstract states.
    pub explore: f64,
    /// Finding the target states among them.
    pub extract_targets: f64,
    /// Ordering them.
    pub rank: f64,
    /// Computing a refinement for each.
    pub provident_refine: f64,
    /// Choosing those that are applied.
    pub select: f64,
    /// Applying them.
    pub apply: f64,
}

/// A stage of a verification; the same in every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageReport {
    /// Its name.
    pub stage: &'static str,
    /// The analyses that it ran, with their work; empty if it needed none.
    pub work: String,
    /// Its solver effort.
    pub ticks: u64,
    /// The properties without a verdict at its end, of those that it was about.
    pub open: usize,
}

/// A process that worked on the same results file before this one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaunchReport {
    /// How it ended: with an exit status, or by a signal.
    pub ended: String,
    /// Why it did not do all that it was asked.
    #[serde(flatten)]
    pub reason: Option<Reason>,
    /// The property that became UNKNOWN for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blamed: Option<String>,
    /// Processor seconds, from the kernel.
    pub cpu_s: f64,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB, from the kernel.
    pub memory_mb: u64,
}

impl LaunchReport {
    /// Whether it died or reached a limit.
    pub fn is_cut_short(&self) -> bool {
        self.reason.is_some() || self.ended.starts_with("signal")
    }

    /// Whether it reached the limit on memory, or was killed for its memory.
    pub fn is_out_of_memory(&self) -> bool {
        let reason = self.reason.as_ref();
        reason.is_some_and(|reason| reason.code == ReasonCode::MemoryLimit)
    }
}

/// Everything about one verification.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The line of `--version`.
    pub provident: String,
    /// The options that were given.
    pub options: Vec<String>,
    /// All options with the values that were used, also those by default.
    pub configuration: configuration::Configuration,
    /// The program's files.
    pub inputs: Vec<String>,
    /// The answer over all properties.
    pub verdict: Answer,
    /// Why it is UNKNOWN.
    #[serde(flatten)]
    pub reason: Option<Reason>,
    /// The properties in the order in which they were given.
    pub properties: Vec<PropertyReport>,
    /// The stages that have worked, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageReport>,
    /// The counters.
    pub statistics: Counters,
    /// The final precision.
    pub precision: Vec<String>,
    /// Invariants at loop heads.
    pub invariants: Vec<InvariantReport>,
    /// The proof of the properties that hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The features of the program, where `explore.order=distance` or `explore.metric=learned` asks for a metric.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    pub features: Vec<(&'static str, f64)>,
    /// The metric that was chosen by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionReport>,
    /// The kinds of assumptions in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumption_summary: Option<String>,
    /// The assumptions of the verdicts.
    pub assumptions: Vec<AssumptionReport>,
    /// The processes before this one, of a conditional relaunch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<LaunchReport>,
    /// The resources of the run, with those of the processes before.
    pub resources: Resources,
    /// The views of the page; the other forms do not have them.
    #[serde(skip)]
    pub views: views::Views,
    /// The findings of `--check`, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// Files of evidence for the verdicts: witnesses and harnesses.
    #[serde(skip)]
    pub attachments: Vec<Attachment>,
}

/// A report with the number of its format.
#[derive(Serialize)]
struct Versioned<'r> {
    schema_version: u32,
    #[serde(flatten)]
    report: &'r Report,
}

/// Pairs of names and values as an object.
fn as_object<S: serde::Serializer, V: Serialize>(
    pairs: &[(&'static str, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (*name, value)))
}

/// The metric of distances that a model chose, with the way through its tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SelectionReport {
    /// The metric.
    pub metric: &'static str,
    /// The number of the leaf, counted from 1.
    pub leaf: usize,
    /// How many leaves the model has.
    pub leaves: usize,
    /// The answers of the program to the questions on the way.
    pub conditions: Vec<String>,
    /// How many examples of each metric came to this leaf in the training.
    #[serde(serialize_with = "as_object")]
    pub examples: Vec<(&'static str, usize)>,
    /// The hash of the model.
    pub model: String,
}

/// A file that belongs to a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its content.
    pub content: String,
}

/// The answer over several properties: FALSE if any is, else UNKNOWN if any is, with its reason.
fn conclusion(properties: &[PropertyReport]) -> (Answer, Option<&Reason>) {
    let with = |answer| properties.iter().find(|property| property.verdict == answer);
    match (with(Answer::False), with(Answer::Unknown)) {
        (Some(_), _) => (Answer::False, None),
        (None, Some(open)) => (Answer::Unknown, open.reason.as_ref()),
        (None, None) => (Answer::True, None),
    }
}

impl Report {
    /// Sets the overall answer from the properties: FALSE if any is, else UNKNOWN if any is, with its reason.
    pub fn conclude(&mut self) {
        let (verdict, reason) = conclusion(&self.properties);
        (self.verdict, self.reason) = (verdict, reason.cloned());
    }

    /// Adds the resources of the processes before this one to its own. Nobody knows how much of theirs was the analysis, so all of it counts as such.
    pub fn add_launches(&mut self) {
        for launch in &self.launches {
            self.resources.cpu_s += launch.cpu_s;
            self.resources.analysis_cpu_s += launch.cpu_s;
            self.resources.wall_s += launch.wall_s;
            self.resources.memory_mb = self.resources.memory_mb.max(launch.memory_mb);
        }
    }

    /// The report as JSON by the [schema], with a line end.
    pub fn json(&self) -> String {
        let versioned = Versioned {
            schema_version: schema::VERSION,
            report: self,
        };
        let text = serde_json::to_string_pretty(&versioned);
        let mut text = text.expect("a report has only string keys and finite numbers");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report of one property of which nothing is known.
    pub fn blank() -> Report {
        Report {
            provident: version::line(),
            options: Vec::new(),
            configuration: Default::default(),
            inputs: vec!["a.c".to_string()],
            verdict: Answer::Unknown,
            reason: None,
            properties: vec![PropertyReport {
                name: "p".to_string(),
                formula: "G ! call(f())".to_string(),
                check: None,
                verdict: Answer::Unknown,
                reason: None,
                expected: None,
                warning: None,
                trace: None,
                effort: None,
            }],
            stages: Vec::new(),
            statistics: Counters::default(),
            precision: Vec::new(),
            invariants: Vec::new(),
            features: Vec::new(),
            selection: None,
            proof: None,
            assumption_summary: None,
            assumptions: Vec::new(),
            launches: Vec::new(),
            resources: Resources::default(),
            views: views::Views::default(),
            checks: Vec::new(),
            attachments: Vec::new(),
        }
    }
}
