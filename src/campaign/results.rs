//! The runs of a journal, as tables and studies need them: one for each subject and configuration, without what nobody asks for.

use super::error::Error;
use super::journal::{self, Header, Line};
use super::record::{Record, is_answer};
use super::text::{Interner, Text, Texts};
use crate::report::OperatorSeconds;
use std::path::Path;

/// The counters of a run: all runs have the same names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    names: Texts,
    values: Box<[u64]>,
}

impl<'t> FromIterator<(&'t str, u64)> for Counters {
    fn from_iter<I: IntoIterator<Item = (&'t str, u64)>>(pairs: I) -> Counters {
        let (names, values): (Vec<&str>, Vec<u64>) = pairs.into_iter().unzip();
        Counters {
            names: names.into_iter().collect(),
            values: values.into(),
        }
    }
}

/// The result of verifying a subject in a configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The task's name.
    pub task: Text,
    /// The property of the subject, or empty.
    pub property: Text,
    /// The configuration's name.
    pub configuration: Text,
    /// `true`, `false`, `unknown` or `none`, for all properties together.
    pub verdict: Text,
    /// The names of the properties.
    pub properties: Texts,
    /// Their verdicts in lower case.
    pub verdicts: Texts,
    /// Their expected verdicts: `true`, `false`, or empty.
    pub expected: Texts,
    /// How often the automaton of each property has seen something; 0 where there is none.
    pub relevance: Box<[u64]>,
    /// Processor seconds.
    pub cpu_s: f64,
    /// Processor seconds of the analysis alone: without reading the program and writing the report.
    pub analysis_cpu_s: f64,
    /// Seconds of provident refinement alone, in which all threads work.
    pub refinement_wall_s: f64,
    /// Processor seconds of each operator of the refinement loops.
    pub operators_cpu_s: OperatorSeconds,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: f64,
    /// Solver effort.
    pub ticks: u64,
    /// The counters that were asked for.
    pub counters: Counters,
    /// The features of the program by name, in the order of the names.
    pub features: Box<[(Text, f64)]>,
    /// The code of the first reason for an answer that is missing.
    pub reason_code: Text,
    /// The same reason in words.
    pub reason: Text,
    /// Its report, relative to the folder of the journal.
    pub report: Box<str>,
}

impl Run {
    /// A counter; 0 if it is not there.
    pub fn counter(&self, name: &str) -> u64 {
        let at = self.counters.names.iter().position(|known| known == name);
        at.map_or(0, |at| self.counters.values[at])
    }

    /// A feature of the program.
    pub fn feature(&self, name: &str) -> Option<f64> {
        let found = self.features.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value)
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

/// The contents of a journal.
#[derive(Clone, Debug)]
pub struct Results {
    /// Its header.
    pub header: Header,
    /// The runs, sorted by task, property and configuration.
    pub runs: Vec<Run>,
    /// Runs that were interrupted, and the processor seconds that went into them.
    pub interrupted: (usize, f64),
}

impl Results {
    /// Reads the journal of a folder. Of each run the last record counts that was not interrupted.
    ///
    /// # Errors
    /// The journal cannot be read or is malformed.
    pub fn read(folder: &Path) -> Result<Results, Error> {
        let path = folder.join(journal::FILE);
        let header = journal::header(&path)?;
        let mut results = Results {
            header,
            runs: Vec::new(),
            interrupted: (0, 0.0),
        };
        let mut interner = Interner::default();
        let counters = interner.list(results.header.identity.definition.counters.iter().map(String::as_str));
        let mut records = 0;
        journal::read(&path, |line| {
            match line {
                Line::Run(record) if record.interrupted => {
                    results.interrupted.0 += 1;
                    results.interrupted.1 += record.cpu_s;
                }
                Line::Run(_) => records += 1,
                _ => {}
            }
            Ok(())
        })?;
        // A vector that grows has its contents twice for a moment.
        results.runs.reserve_exact(records);
        let names = results.configurations();
        let order = |name: &str| names.iter().position(|known| known == name).unwrap_or(names.len());
        let runs = &mut results.runs;
        journal::read_sorted(&path, order, |record| {
            runs.push(convert(&record, &counters, &mut interner));
            Ok(())
        })?;
        Ok(results)
    }

    /// The names of the configurations, in their order.
    pub fn configurations(&self) -> Vec<String> {
        let definition = &self.header.identity.definition;
        definition
            .configurations
            .iter()
            .map(|configuration| configuration.name.clone())
            .collect()
    }

    /// The runs that are missing.
    pub fn missing(&self) -> usize {
        self.header.identity.runs.saturating_sub(self.runs.len())
    }
}

fn convert(record: &Record, counters: &Texts, interner: &mut Interner) -> Run {
    let reported = record.reported.unwrap_or_default();
    let properties = &record.properties;
    let expected = |expected: Option<bool>| match expected {
        None => "",
        Some(true) => "true",
        Some(false) => "false",
    };
    let transitions = |effort: Option<super::record::Effort>| effort.and_then(|effort| effort.transitions).unwrap_or(0);
    let counter = |name: &Text| record.statistics.get(&**name).copied().unwrap_or(0);
    Run {
        properties: interner.list(properties.iter().map(|p| p.name.as_str())),
        verdicts: interner.list(properties.iter().map(|p| p.verdict.as_str())),
        expected: interner.list(properties.iter().map(|p| expected(p.expected))),
        relevance: properties.iter().map(|p| transitions(p.effort)).collect(),
        counters: Counters {
            names: counters.clone(),
            values: counters.iter().map(counter).collect(),
        },
        task: interner.text(&record.task),
        property: interner.text(&record.property),
        configuration: interner.text(&record.configuration),
        verdict: interner.text(&record.verdict),
        cpu_s: record.cpu_s,
        analysis_cpu_s: reported.analysis_cpu_s,
        refinement_wall_s: reported.refinement_wall_s,
        operators_cpu_s: reported.operators_cpu_s,
        wall_s: record.wall_s,
        memory_mb: record.memory_mb,
        ticks: record.ticks,
        features: record
            .features
            .iter()
            .map(|(name, value)| (interner.text(name), *value))
            .collect(),
        reason_code: interner.text(&record.reason_code),
        reason: interner.text(&record.reason),
        report: record.report.as_str().into(),
    }
}
