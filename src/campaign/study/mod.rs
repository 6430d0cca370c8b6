//! Studies: a few configurations, compared over a run set.
//!
//! Every configuration verifies every subject in a process of its own. Each result is appended to a journal as soon as it is there, so that a
//! study that was killed goes on where it stopped. The evaluation is a page (HTML, with plots as SVG inside) and a table (CSV).
//!
//! | module | does |
//! |---|---|
//! | [`journal`] | the results as CSV, appended and resumed |
//! | [`measure`] | running what is missing |
//! | [`summary`] | mean, median, extremes, speed-ups |
//! | [`plot`] | scatter, quantile and box plots |
//! | [`page`] | the page |
//! | [`provident`] | the study of provident refinement |
//! | [`together`] | properties together against each alone |
//! | [`decomposition`], [`mav`] | the studies of decomposition and of multi-aspect verification |

pub mod decomposition;
pub mod journal;
pub mod mav;
pub mod measure;
pub mod page;
pub mod plot;
pub mod provident;
pub mod summary;
pub mod together;

use super::runner::ChildReport;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A way to verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Its name in tables and plots.
    pub name: String,
    /// Its options of `verify`.
    pub arguments: Vec<String>,
    /// The subjects that it is for.
    pub of: Of,
}

/// Which subjects a configuration is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Of {
    /// All of them.
    #[default]
    Any,
    /// Tasks with all their properties.
    Together,
    /// Tasks with one of their properties.
    Alone,
}

impl Of {
    /// Whether a subject is meant.
    pub fn fits(self, subject: &Subject) -> bool {
        match self {
            Of::Any => true,
            Of::Together => subject.property.is_empty(),
            Of::Alone => !subject.property.is_empty(),
        }
    }
}

impl Configuration {
    /// A configuration whose options are the words of a text.
    pub fn new(name: &str, arguments: &str) -> Configuration {
        Configuration {
            name: name.to_string(),
            arguments: arguments.split_whitespace().map(str::to_string).collect(),
            of: Of::Any,
        }
    }

    /// The same for some of the subjects.
    #[must_use]
    pub fn of(self, of: Of) -> Configuration {
        Configuration { of, ..self }
    }
}

/// What is verified: a task with all its properties, or with one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The task definition.
    pub task: PathBuf,
    /// The property, if it is one; else empty.
    pub property: String,
    /// What chooses the properties, as options of `verify`.
    pub arguments: Vec<String>,
}

/// What verifying a subject in a configuration gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The task definition, as given.
    pub task: String,
    /// The property of the subject, or empty.
    pub property: String,
    /// The configuration's name.
    pub configuration: String,
    /// The names of the properties.
    pub properties: Vec<String>,
    /// Their verdicts in lower case.
    pub verdicts: Vec<String>,
    /// Their expected verdicts: `true`, `false`, or empty.
    pub expected: Vec<String>,
    /// Processor seconds.
    pub cpu_s: f64,
    /// Processor seconds of the analysis alone: without reading the program and writing the report.
    pub analysis_cpu_s: f64,
    /// Seconds of provident refinement alone, in which all threads work.
    pub refinement_wall_s: f64,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: u64,
    /// The counters that the study asks for.
    pub counters: BTreeMap<String, u64>,
    /// The first reason for an answer that is missing.
    pub reason: String,
}

impl Run {
    /// The run of a subject that ended with a report, or with a reason why there is none.
    pub fn new(subject: &Subject, configuration: &Configuration, ended: Result<ChildReport, String>) -> Run {
        let blank = Run {
            task: subject.task.display().to_string(),
            property: subject.property.clone(),
            configuration: configuration.name.clone(),
            ..Run::default()
        };
        match ended {
            Err(reason) => Run { reason, ..blank },
            Ok(report) => {
                let properties = &report.properties;
                let expected = |expected: Option<bool>| expected.map(|e| e.to_string()).unwrap_or_default();
                Run {
                    properties: properties.iter().map(|p| p.name.clone()).collect(),
                    verdicts: properties.iter().map(|p| p.verdict.to_lowercase()).collect(),
                    expected: properties.iter().map(|p| expected(p.expected)).collect(),
                    cpu_s: report.resources.cpu_s,
                    analysis_cpu_s: report.resources.analysis_cpu_s,
                    refinement_wall_s: report.resources.refinement_wall_s,
                    wall_s: report.resources.wall_s,
                    memory_mb: report.resources.memory_mb,
                    reason: properties.iter().find_map(|p| p.reason.clone()).unwrap_or_default(),
                    counters: report.statistics,
                    ..blank
                }
            }
        }
    }

    /// A counter; 0 if it is not there.
    pub fn counter(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// Whether every property has its verdict.
    pub fn is_decided(&self) -> bool {
        !self.verdicts.is_empty() && self.verdicts.iter().all(|v| is_answer(v))
    }

    /// The number of properties that have their verdict.
    pub fn answers(&self) -> usize {
        self.verdicts.iter().filter(|v| is_answer(v)).count()
    }

    /// The number of verdicts that contradict what is expected.
    pub fn wrong(&self) -> usize {
        let pairs = self.verdicts.iter().zip(&self.expected);
        pairs.filter(|(v, e)| is_answer(v) && is_answer(e) && v != e).count()
    }
}

fn is_answer(verdict: &str) -> bool {
    matches!(verdict, "true" | "false")
}
