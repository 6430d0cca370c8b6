//! `provident study train`: a model that selects a metric of distances, learned from the journals of studies (chapter 4 of Lee's thesis on TOUR, 2022).
//!
//! Any study serves whose configurations differ in `explore.metric` alone. A configuration is known by its effective options, not by its name: it is directed (`explore.order=distance`), and what is left of its options
//! without the metric is its *technique*. A model is for one technique. Of each task the runs by all metrics count; tasks that some metric has not run, or whose features no run reports, are left out, with a word.
//!
//! Equal journals give equal models, byte for byte: the date is that of the latest run.

use super::lessons::{Alike, RECOMMENDED, Subject, Sum, examples, leave_one_out, number, threshold};
use super::tour::METRICS;
use crate::campaign::definition::Definition;
use crate::campaign::error::Error;
use crate::campaign::journal::{self, Line};
use crate::campaign::plan::hexadecimal;
use crate::campaign::results::{Results, Run};
use crate::verify::selector::Model;
use crate::verify::selector::format::{Training, TrainingResult};
use crate::verify::selector::tree::{self, Example};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The option whose values are compared.
const METRIC: &str = "explore.metric";
/// Options that say what is verified, not how.
const SUBJECT: [&str; 4] = ["property", "spec", "rule", "checks"];

/// How a model is made.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Folders with journals.
    pub folders: Vec<PathBuf>,
    /// Only these configurations; all of them if there are none.
    pub configurations: Vec<String>,
    /// The least difference in ticks of an example; the share of the thesis if there is none.
    pub filter: Option<u64>,
}

/// A model, and the words about it.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The model.
    pub model: Model,
    /// Its evaluation.
    pub lines: Vec<String>,
}

/// Options without those that say what is verified and by which metric.
type Technique = BTreeMap<String, String>;
/// A task and its property.
type Key = (String, String);

/// The runs of a technique, with what is known of them.
#[derive(Debug, Default)]
struct Material {
    /// The runs by position of the metric in [`METRICS`].
    runs: BTreeMap<usize, BTreeMap<Key, Run>>,
    /// By position of the metric and by name, with their arguments.
    configurations: BTreeMap<usize, BTreeMap<String, String>>,
    /// The files of each task, as a hash.
    files: BTreeMap<Key, String>,
    versions: BTreeSet<String>,
    studies: BTreeSet<String>,
    date: String,
}

/// Learns a model.
///
/// # Errors
/// A journal cannot be read, there is nothing to learn from, or the runs are of several techniques.
pub fn train(request: &Request) -> Result<Trained, Error> {
    let mut techniques: BTreeMap<Technique, Material> = BTreeMap::new();
    for folder in &request.folders {
        collect(folder, &request.configurations, &mut techniques)?;
    }
    let names = |material: &Material| {
        let all: Vec<&str> = material
            .configurations
            .values()
            .flat_map(BTreeMap::keys)
            .map(String::as_str)
            .collect();
        all.join(",")
    };
    if techniques.len() > 1 {
        let all: Vec<String> = techniques
            .values()
            .map(|material| format!("`{}`", names(material)))
            .collect();
        return Err(Error::Request(format!(
            "the runs differ in more than `{METRIC}`, and a model is for one way to verify; choose with `--configurations`: {}",
            all.join(" or ")
        )));
    }
    let found = techniques
        .into_iter()
        .next()
        .filter(|(_, material)| material.runs.len() > 1);
    let Some((_, material)) = found else {
        return Err(Error::Request(format!(
            "the runs of at least two metrics are needed: configurations with `explore.order=distance` that differ in `{METRIC}`"
        )));
    };
    learn(&material, request.filter)
}

/// Adds the runs of a journal.
fn collect(
    folder: &std::path::Path,
    wanted: &[String],
    techniques: &mut BTreeMap<Technique, Material>,
) -> Result<(), Error> {
    let results = Results::read(folder)?;
    let mut options: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    // The options, the files, the version and the date of a run stand in the records only.
    let mut records = BTreeMap::new();
    journal::read(&folder.join(journal::FILE), |line| {
        match line {
            Line::Header(_) => {}
            Line::Options(line) => _ = options.insert(line.hash, line.values),
            Line::Run(run) if run.interrupted => {}
            Line::Run(run) => {
                let key = (run.task, run.property, run.configuration);
                records.insert(key, (run.options, run.files, run.version, run.started));
            }
        }
        Ok(())
    })?;
    for run in results.runs {
        let key = (run.task.to_string(), run.property.to_string());
        let configuration = run.configuration.to_string();
        if !wanted.is_empty() && !wanted.contains(&configuration) {
            continue;
        }
        let record = records.get(&(key.0.clone(), key.1.clone(), configuration.clone()));
        let Some((hash, files, version, started)) = record else {
            continue;
        };
        let Some(values) = options.get(hash) else {
            return Err(Error::malformed(
                &folder.join(journal::FILE),
                0,
                format!("the options `{hash}` of a run are missing"),
            ));
        };
        let is_directed = values.get("explore.order").is_some_and(|order| order == "distance");
        let metric = values
            .get(METRIC)
            .and_then(|name| METRICS.iter().position(|metric| metric == name));
        let (true, Some(metric)) = (is_directed, metric) else {
            continue;
        };
        let mut technique = values.clone();
        technique.retain(|option, _| option != METRIC && !SUBJECT.contains(&option.as_str()));
        let material = techniques.entry(technique).or_default();
        if material.runs.entry(metric).or_default().contains_key(&key) {
            return Err(Error::Request(format!(
                "`{}`: the task `{}` was run twice with the metric `{}`, so that it is not known which run counts",
                folder.display(),
                key.0,
                METRICS[metric]
            )));
        }
        material.files.entry(key.clone()).or_insert_with(|| files.clone());
        if material.files[&key] != *files {
            return Err(Error::Request(format!(
                "`{}`: the files of the task `{}` are other ones than in another run",
                folder.display(),
                key.0
            )));
        }
        let arguments = arguments(&results.header.identity.definition, &configuration);
        material
            .configurations
            .entry(metric)
            .or_default()
            .insert(configuration, arguments);
        material.versions.insert(version.clone());
        material.studies.insert(results.header.identity.definition.name.clone());
        material.date = material.date.clone().max(started.clone());
        material.runs.entry(metric).or_default().insert(key, run);
    }
    Ok(())
}

/// Learns from the runs of a technique.
fn learn(material: &Material, filter: Option<u64>) -> Result<Trained, Error> {
    let metrics: Vec<&str> = material.runs.keys().map(|at| METRICS[*at]).collect();
    let by_metric: Vec<&BTreeMap<Key, Run>> = material.runs.values().collect();
    let all: BTreeSet<&Key> = by_metric.iter().flat_map(|runs| runs.keys()).collect();
    let mut subjects = Vec::new();
    let mut keys: Vec<&Key> = Vec::new();
    let mut features: Option<Vec<String>> = None;
    for key in &all {
        let runs: Vec<&Run> = by_metric.iter().filter_map(|runs| runs.get(*key)).collect();
        let Some(subject) = (runs.len() == metrics.len()).then(|| Subject::new(runs)).flatten() else {
            continue;
        };
        let reporting = subject.runs.iter().find(|run| !run.features.is_empty());
        let own: Vec<String> = reporting
            .into_iter()
            .flat_map(|run| &run.features)
            .map(|(name, _)| name.to_string())
            .collect();
        if features.get_or_insert_with(|| own.clone()) != &own {
            return Err(Error::Request(format!(
                "the run of `{}` has other features than those before it",
                key.0
            )));
        }
        subjects.push(subject);
        keys.push(key);
    }
    let most = subjects
        .iter()
        .flat_map(|subject| &subject.runs)
        .map(|run| run.ticks)
        .max();
    let least = filter.map_or_else(|| threshold(most.unwrap_or(0), RECOMMENDED), number);
    let chosen = examples(&subjects, least);
    let lessons: Vec<Example> = chosen.iter().flatten().cloned().collect();
    if lessons.is_empty() {
        return Err(Error::Request(format!(
            "none of {} tasks is an example: no metric solves it, or the metrics differ by less than {least:.0} ticks; give more tasks, or another `--filter`",
            subjects.len()
        )));
    }
    let tree = tree::learn(&lessons, metrics.len());
    let results = results(&subjects, least, &metrics);
    let training = Training {
        date: material.date.clone(),
        provident: material.versions.iter().cloned().collect(),
        studies: material.studies.iter().cloned().collect(),
        configurations: material
            .configurations
            .values()
            .flat_map(|of| of.values())
            .cloned()
            .collect(),
        tasks: subjects.len(),
        contents: contents(&keys, material),
        filter: ticks(least),
        examples: keys
            .iter()
            .zip(&chosen)
            .filter(|(_, example)| example.is_some())
            .map(|(key, _)| name(key))
            .collect(),
        result: results.iter().map(|(choice, sum)| row(choice, sum)).collect(),
    };
    let model = Model::new(training, &tree, &features.unwrap_or_default(), &metrics)
        .map_err(|mistake| Error::Request(format!("the journals are of another version: {mistake}")))?;
    let lines = lines(&model, &lessons, &results, all.len() - subjects.len());
    Ok(Trained { model, lines })
}

/// The results of all ways to choose a metric.
fn results(subjects: &[Subject<'_>], least: f64, metrics: &[&str]) -> Vec<(String, Sum)> {
    let mut all = vec![
        (
            "learned, leave-one-out".to_string(),
            leave_one_out(subjects, least, Alike::In),
        ),
        (
            "learned, without programs of equal features".to_string(),
            leave_one_out(subjects, least, Alike::Out),
        ),
    ];
    let sum = |at: usize| {
        let mut sum = Sum::default();
        for subject in subjects {
            sum.add(subject.runs[at]);
        }
        sum
    };
    for (at, metric) in metrics.iter().enumerate() {
        all.push((format!("always {metric}"), sum(at)));
    }
    let mut best = Sum::default();
    subjects.iter().for_each(|subject| best.add(subject.best()));
    all.push(("the best metric of each task".to_string(), best));
    all
}

fn row(choice: &str, sum: &Sum) -> TrainingResult {
    TrainingResult {
        choice: choice.to_string(),
        solved: sum.solved,
        ticks: sum.ticks,
    }
}

/// The words about a model: the examples, how good the ways to choose are, and the tree.
fn lines(model: &Model, lessons: &[Example], results: &[(String, Sum)], left_out: usize) -> Vec<String> {
    let training = model.training();
    let singles = results.iter().filter(|(choice, _)| choice.starts_with("always "));
    let metrics: Vec<&str> = singles
        .clone()
        .map(|(choice, _)| choice.trim_start_matches("always "))
        .collect();
    let count = |class: usize| lessons.iter().filter(|example| example.class == class).count();
    let classes: Vec<String> = metrics
        .iter()
        .enumerate()
        .map(|(at, metric)| format!("{metric} {}", count(at)))
        .collect();
    let mut lines = vec![format!(
        "{} tasks, {} of them examples with a difference of at least {} ticks; best metric: {}",
        training.tasks,
        lessons.len(),
        training.filter,
        classes.join(", ")
    )];
    if left_out > 0 {
        lines.push(format!(
            "{left_out} more tasks were not run with every metric, or have no features"
        ));
    }
    let width = results.iter().map(|(choice, _)| choice.len()).max().unwrap_or(0);
    lines.push(format!(
        "{:width$}  {:>7}  {:>14}  {:>12}",
        "choice", "solved", "ticks", "CPU time (s)"
    ));
    for (choice, sum) in results {
        lines.push(format!(
            "{choice:width$}  {:>7}  {:>14}  {:>12.1}",
            sum.solved, sum.ticks, sum.cpu_s
        ));
    }
    // Most solved, then least effort, then the first.
    let best = singles.min_by_key(|(_, sum)| (std::cmp::Reverse(sum.solved), sum.ticks));
    if let (Some((choice, single)), Some((_, learned))) = (best, results.first()) {
        let word = match (learned.solved.cmp(&single.solved), learned.ticks.cmp(&single.ticks)) {
            (std::cmp::Ordering::Greater, _) => "solves more than",
            (std::cmp::Ordering::Less, _) => "solves less than",
            (_, std::cmp::Ordering::Less) => "solves as many with less effort than",
            (_, std::cmp::Ordering::Greater) => "solves as many with more effort than",
            _ => "is as good as",
        };
        let single = choice.trim_start_matches("always ");
        lines.push(format!(
            "In leave-one-out the learned choice {word} the best single metric, {single}."
        ));
    }
    lines.push("The tree, with the examples of each metric at its leaves:".to_string());
    lines.extend(model.show().lines().map(|line| format!("  {line}")));
    lines.push(format!("The model has the hash {}.", model.hash()));
    lines
}

/// A configuration with the arguments of its runs, as a command line has them.
fn arguments(definition: &Definition, name: &str) -> String {
    let own = definition
        .configurations
        .iter()
        .find(|configuration| configuration.name == name);
    let own = own.into_iter().flat_map(|configuration| &configuration.arguments);
    let mut words: Vec<String> = definition.arguments.iter().chain(own).cloned().collect();
    let seconds = [
        ("--cpu-limit", definition.limits.cpu),
        ("--wall-limit", definition.limits.wall),
    ];
    words.extend(
        seconds
            .into_iter()
            .filter_map(|(option, limit)| Some(format!("{option} {}", limit?))),
    );
    words.extend(definition.limits.memory.map(|limit| format!("--memory-limit {limit}")));
    format!("{name}: {}", words.join(" "))
}

/// The name of a task for people.
fn name((task, property): &Key) -> String {
    match property.is_empty() {
        true => task.clone(),
        false => format!("{task} ({property})"),
    }
}

/// A hash of names and files.
fn contents(keys: &[&Key], material: &Material) -> String {
    let mut hash = Sha256::new();
    for key in keys {
        hash.update(format!("{}\0{}\n", name(key), material.files[*key]));
    }
    hexadecimal(&hash.finalize())
}

/// A threshold as whole ticks: the least that reach it.
fn ticks(least: f64) -> u64 {
    let text = format!("{:.0}", least.ceil());
    text.parse().unwrap_or(u64::MAX)
}
