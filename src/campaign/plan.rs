//! The plan of an experiment: which runs there are, in which order, with which arguments.
//!
//! A plan is made from a definition and a run set alone, so that two processes, today or next week, here or on another node, make the same plan; the [`Identity`] says in a few lines which one it is.
//! Shards take every n-th task. Every other subject meets the configurations in the opposite order, so that what disturbs the machine disturbs all of them alike.

use super::definition::{Configuration, Definition, Subjects};
use super::error::Error;
use super::process::Patience;
use super::runset::{RunSet, Task};
use crate::spec::parse_task;
use crate::spec::rules::{Rule, rules_named};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// A subject: a task with all its properties, or with one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The position of the task in the shard.
    pub task: usize,
    /// The property, if it is one; else empty.
    pub property: String,
    /// The options of `verify` that choose the properties and their limit.
    pub arguments: Vec<String>,
    /// The limit on processor time, in words of the command line, of this subject.
    pub cpu: Option<String>,
}

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The definition of the experiment.
    pub definition: Definition,
    /// The tasks of this shard.
    pub tasks: Vec<Task>,
    /// For each of them, a hash of its files.
    pub files: Vec<String>,
    /// The subjects, in order.
    pub subjects: Vec<Subject>,
    /// Which plan it is.
    pub identity: Identity,
}

/// The identity of an experiment. Results whose identities differ in more than the shard belong to different experiments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// The line of `--version`.
    pub version: String,
    /// The definition of the experiment.
    pub definition: Definition,
    /// The number of tasks of the whole run set.
    pub tasks: usize,
    /// A hash of the names of all tasks of the run set.
    pub names: String,
    /// Which shard, counted from 1, of how many.
    pub shard: (usize, usize),
    /// A hash of the files of the shard's tasks: definitions, programs, properties.
    pub contents: String,
    /// The number of runs of the shard.
    pub runs: usize,
}

impl Plan {
    /// The plan for one shard of a run set.
    ///
    /// # Errors
    /// A task cannot be read, a rule does not exist, or there is nothing to run.
    pub fn new(definition: Definition, set: &RunSet, shard: (usize, usize), version: &str) -> Result<Plan, Error> {
        if set.tasks.is_empty() {
            return Err(Error::Request("the run set has no task".to_string()));
        }
        let tasks = set.shard(shard);
        let files: Vec<String> = tasks.iter().map(task_hash).collect::<Result<_, _>>()?;
        let contents = files.iter().fold(Sha256::new(), |hash, file| hash.chain_update(file));
        let mut subjects = Vec::new();
        for (position, task) in tasks.iter().enumerate() {
            subjects_of(&definition, position, task, &mut subjects)?;
        }
        let names = set.tasks.iter().fold(Sha256::new(), |hash, task| {
            hash.chain_update(&task.name).chain_update([0])
        });
        let mut plan = Plan {
            identity: Identity {
                version: version.to_string(),
                definition: definition.clone(),
                tasks: set.tasks.len(),
                names: hexadecimal(&names.finalize()),
                shard,
                contents: hexadecimal(&contents.finalize()),
                runs: 0,
            },
            definition,
            tasks,
            files,
            subjects,
        };
        plan.identity.runs = (0..plan.subjects.len())
            .map(|subject| plan.configurations(subject).len())
            .sum();
        Ok(plan)
    }

    /// The configurations of a subject, in the order in which they run.
    pub fn configurations(&self, subject: usize) -> Vec<usize> {
        let together = self.subjects[subject].property.is_empty();
        let all = self.definition.configurations.iter().enumerate();
        let mut fitting: Vec<usize> = all.filter(|(_, c)| c.of.fits(together)).map(|(at, _)| at).collect();
        if subject % 2 == 1 {
            fitting.reverse();
        }
        fitting
    }

    /// The options of a run, as `verify` takes them after the task.
    pub fn arguments(&self, subject: &Subject, configuration: &Configuration) -> Vec<String> {
        let limits = &self.definition.limits;
        let mut words: Vec<String> = self.definition.arguments.clone();
        let mut limit = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([format!("--{name}"), value]);
            }
        };
        limit("wall-limit", limits.wall.map(|wall| wall.to_string()));
        limit("memory-limit", limits.memory.map(|memory| memory.to_string()));
        limit("cpu-limit", subject.cpu.clone());
        words.extend(subject.arguments.iter().cloned());
        words.extend(configuration.arguments.iter().cloned());
        words
    }

    /// After what a run counts as one that hangs, as it keeps its limits itself. `None`: there is no limit.
    pub fn patience(&self, subject: &Subject, configuration: &Configuration) -> Option<Patience> {
        // Several launches have the limit each, and how many there are nobody knows; the process that starts them kills one that hangs.
        if configuration.arguments.iter().any(|word| word == "--relaunch") {
            return None;
        }
        let cpu = subject.cpu.as_ref().and_then(|limit| limit.parse::<f64>().ok());
        Patience::of_limits(self.definition.limits.wall, cpu)
    }
}

impl Identity {
    /// The difference to the identity of an existing journal; `None` if results can be added to it.
    pub fn differs_from(&self, known: &Identity) -> Option<String> {
        if self.version != known.version {
            return Some(format!(
                "it was made by `{}`, this is `{}`",
                known.version, self.version
            ));
        }
        self.belongs_to(known).or_else(|| {
            if self.shard != known.shard {
                let shard = |(index, count): (usize, usize)| format!("{index}/{count}");
                Some(format!(
                    "it is shard {}, and shard {} was asked for",
                    shard(known.shard),
                    shard(self.shard)
                ))
            } else if self.contents != known.contents {
                Some("files of its tasks have changed since".to_string())
            } else {
                None
            }
        })
    }

    /// The reason why two shards are not parts of one experiment.
    pub fn belongs_to(&self, known: &Identity) -> Option<String> {
        if self.version != known.version {
            return Some(format!(
                "one was made by `{}`, the other by `{}`",
                known.version, self.version
            ));
        }
        if self.tasks != known.tasks || self.names != known.names {
            return Some(format!(
                "its run set has {} tasks that are not these {}",
                known.tasks, self.tasks
            ));
        }
        let names = |of: &Identity| {
            of.definition
                .configurations
                .iter()
                .map(|c| c.name.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        if names(self) != names(known) {
            return Some(format!(
                "its configurations are {}, and these are {}",
                names(known),
                names(self)
            ));
        }
        (self.definition != known.definition).then(|| {
            let (old, new) = (known.definition.text(), self.definition.text());
            let pair = old.lines().zip(new.lines()).find(|(old, new)| old != new);
            match pair {
                Some((old, new)) => format!("its definition says `{old}` where this one says `{new}`"),
                None => "its definition has more or fewer lines".to_string(),
            }
        })
    }

    /// The experiment in words, for pages.
    pub fn words(&self) -> String {
        let definition = &self.definition;
        let limits = &definition.limits;
        let mut text = format!("experiment {}\n{}\n{} tasks", definition.name, self.version, self.tasks);
        if self.shard.1 > 1 {
            text.push_str(&format!(", shard {}/{}", self.shard.0, self.shard.1));
        }
        if let Some(rules) = &definition.rules {
            text.push_str(&format!(", rules {rules}"));
        }
        text.push_str(match definition.subjects {
            Subjects::Together => "",
            Subjects::Alone => ", each property alone",
            Subjects::Both => ", also each property alone",
        });
        if let Some(cpu) = limits.cpu {
            let of = if limits.per_property {
                "each property"
            } else {
                "each run"
            };
            text.push_str(&format!(", {cpu} s of processor time for {of}"));
        }
        if let Some(wall) = limits.wall {
            text.push_str(&format!(", {wall} s of time"));
        }
        if let Some(memory) = limits.memory {
            text.push_str(&format!(", {memory} MB"));
        }
        text.push_str(&format!("\nevery run: {}\n", definition.arguments.join(" ")));
        for configuration in &definition.configurations {
            text.push_str(&format!(
                "  {}: {}\n",
                configuration.name,
                configuration.arguments.join(" ")
            ));
        }
        text
    }
}

/// The built-in rules of these names.
fn rules(names: &str) -> Result<Vec<Rule>, Error> {
    rules_named(names).map_err(|name| Error::Request(format!("there is no rule `{name}`")))
}

/// The subjects of one task.
fn subjects_of(definition: &Definition, position: usize, task: &Task, into: &mut Vec<Subject>) -> Result<(), Error> {
    let words = |option: &str, value: &str| vec![option.to_string(), value.to_string()];
    if let Some(names) = &definition.rules {
        rules(names)?;
    }
    let alone: Vec<(String, Vec<String>)> = match (&definition.rules, definition.subjects) {
        (_, Subjects::Together) => Vec::new(),
        (Some(names), _) => {
            let rules = rules(names)?;
            rules
                .into_iter()
                .map(|(name, _)| (name.to_string(), words("--rule", name)))
                .collect()
        }
        (None, _) => {
            let one = |file: PathBuf| {
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let is_automaton = file.extension().is_some_and(|extension| extension == "spc");
                let option = if is_automaton { "--spec" } else { "--property" };
                (name, words(option, &file.display().to_string()))
            };
            property_files(&task.path)?.into_iter().map(one).collect()
        }
    };
    let limits = &definition.limits;
    if definition.subjects != Subjects::Alone {
        let count = if limits.per_property { alone.len().max(1) } else { 1 };
        let mut arguments: Vec<String> = definition
            .rules
            .iter()
            .flat_map(|names| words("--rule", names))
            .collect();
        if let (true, Some(cpu)) = (limits.per_property, limits.cpu) {
            let filled = definition.together_arguments.iter();
            arguments.extend(filled.map(|word| parts_of_limit(word, cpu)));
        }
        let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let times = limits.together.filter(|_| limits.per_property).unwrap_or(count);
        into.push(Subject {
            task: position,
            property: String::new(),
            arguments,
            cpu: limits.cpu.map(|cpu| (cpu * times).to_string()),
        });
    }
    into.extend(alone.into_iter().map(|(property, arguments)| Subject {
        task: position,
        property,
        arguments,
        cpu: limits.cpu.map(|cpu| cpu.to_string()),
    }));
    Ok(())
}

fn is_definition(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// The property files of a task; a program without task definition has none.
fn property_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !is_definition(path) {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, error))?;
    let task = parse_task(path, &text).map_err(|error| Error::Request(error.to_string()))?;
    Ok(task.properties.into_iter().map(|property| property.file).collect())
}

/// A hash of a task's files. A task definition that the parser refuses, and files that are not there, are hashed as what they are: the run will say what is wrong.
///
/// # Errors
/// The task itself cannot be read.
fn task_hash(task: &Task) -> Result<String, Error> {
    let text = std::fs::read(&task.path).map_err(|error| Error::unreadable(&task.path, error))?;
    let mut hash = Sha256::new_with_prefix(&text);
    if is_definition(&task.path)
        && let Ok(parsed) = parse_task(&task.path, &String::from_utf8_lossy(&text))
    {
        let properties = parsed.properties.iter().map(|property| &property.file);
        for file in parsed.inputs.iter().chain(properties) {
            hash.update([0]);
            hash.update(std::fs::read(file).unwrap_or_default());
        }
    }
    Ok(hexadecimal(&hash.finalize()[..16]))
}

/// Bytes as text.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
/// The word with the limit of one property for `{cpu}`, and its parts for `{cpu/N}`: to the millisecond.
pub fn parts_of_limit(word: &str, cpu: f64) -> String {
    let mut text = word.replace("{cpu}", &cpu.to_string());
    while let Some((before, (number, behind))) = text
        .split_once("{cpu/")
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        && let Ok(number) = number.parse::<u32>()
        && number > 0
    {
        let part = (cpu / f64::from(number) * 1000.0).ceil() / 1000.0;
        text = format!("{before}{part}{behind}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::definition::Definition;

    /// In the paper a property alone has 900 s, and a launch with all of them 1,200 s, however many they are.
    #[test]
    fn launches_have_a_limit_of_their_own() {
        let mut definition = Definition::load("mav").unwrap();
        definition.rules = Some("linux".to_string());
        let task = Task {
            name: "a.c".to_string(),
            path: PathBuf::from("a.c"),
        };
        let mut subjects = Vec::new();
        subjects_of(&definition, 0, &task, &mut subjects).unwrap();
        assert_eq!(subjects.len(), 15);
        assert_eq!(
            (subjects[0].cpu.as_deref(), subjects[1].cpu.as_deref()),
            (Some("1200"), Some("900"))
        );
        assert!(
            subjects[0]
                .arguments
                .contains(&"aspects.property-limit=900s".to_string())
        );
        assert!(subjects[0].arguments.contains(&"aspects.first-limit=100s".to_string()));
        definition.limits.together = None;
        subjects.clear();
        subjects_of(&definition, 0, &task, &mut subjects).unwrap();
        assert_eq!(subjects[0].cpu.as_deref(), Some("12600"));
    }

    #[test]
    fn parts_of_a_limit_stand_for_themselves() {
        assert_eq!(parts_of_limit("a={cpu}s", 90.0), "a=90s");
        assert_eq!(parts_of_limit("a={cpu/9}s,b={cpu/45}s", 90.0), "a=10s,b=2s");
        assert_eq!(parts_of_limit("{cpu/3}", 1.0), "0.334");
        // The parser of the run refuses other words.
        assert_eq!(parts_of_limit("{cpu/0} {cpu/x}", 1.0), "{cpu/0} {cpu/x}");
    }
}
