//! The common part of commands about experiments: settings become a definition, the definition is run, its files are written.

use crate::campaign::definition::{Definition, Subjects};
use crate::campaign::engine::{self, Done, Setting};
use crate::campaign::error::Error;
use crate::campaign::journal::{Header, Journal};
use crate::campaign::plan::Plan;
use crate::campaign::process::Stop;
use crate::campaign::runset::RunSet;
use crate::cli::display::finish::{eprintln_quietly, signals};
use crate::cli::settings::args::{Invocation, Refusal, parse};
use crate::cli::settings::effect::refuse_without_effect;
use crate::cli::settings::options::{Command, Settings, options_of};
use crate::cli::settings::table;
use crate::report::version;
use std::collections::{BTreeMap, HashMap};
use std::io::{IsTerminal, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The settings for running an experiment here.
pub(in crate::cli) struct Request {
    pub shard: Option<(usize, usize)>,
    pub out: Option<PathBuf>,
    pub beside: bool,
    pub jobs: Option<usize>,
    pub reports: bool,
    pub exclude: Vec<String>,
}

/// A number of the table as a count. `None` if this machine cannot count so far.
pub(in crate::cli) fn count(number: NonZeroU64) -> Option<usize> {
    usize::try_from(number.get()).ok()
}

/// Reads the settings that campaigns and studies share.
pub(in crate::cli) fn request(settings: &Settings) -> Request {
    Request {
        shard: settings.get(&table::SHARD).map(|shard| (shard.index, shard.count)),
        out: settings.get(&table::OUT),
        beside: settings.value(&table::BESIDE),
        jobs: settings.get(&table::JOBS).and_then(count),
        reports: settings.value(&table::REPORTS),
        exclude: settings.all(&table::EXCLUDE),
    }
}

/// Lets the settings overrule the limits of a definition, and add to its arguments.
pub(in crate::cli) fn overrule(definition: &mut Definition, settings: &Settings) {
    let limits = &mut definition.limits;
    limits.cpu = settings.get(&table::CPU_LIMIT).map(|seconds| seconds.0).or(limits.cpu);
    limits.wall = settings
        .get(&table::WALL_LIMIT)
        .map(|seconds| seconds.0)
        .or(limits.wall);
    limits.memory = settings
        .get(&table::MEMORY_LIMIT)
        .map(NonZeroU64::get)
        .or(limits.memory);
    if let Some(words) = settings.get(&table::ARGUMENTS) {
        definition.arguments.extend(words.0);
    }
}

/// The same for what only studies have.
pub(in crate::cli) fn overrule_study(definition: &mut Definition, settings: &Settings) -> Result<(), Error> {
    overrule(definition, settings);
    if let Some(rules) = settings.get(&table::RULE) {
        definition.rules = Some(rules);
    }
    if settings.value(&table::PER_PROPERTY) && definition.subjects == Subjects::Together {
        definition.subjects = Subjects::Both;
    }
    match settings.get(&table::CONFIGURATIONS) {
        None => Ok(()),
        Some(names) => definition.restrict(&names.0),
    }
}

/// The run set of a definition and of what the command line adds.
pub(in crate::cli) fn run_set(definition: &Definition, inputs: &[PathBuf], request: &Request) -> Result<RunSet, Error> {
    let sets: Vec<PathBuf> = definition
        .tasks
        .iter()
        .map(PathBuf::from)
        .chain(inputs.iter().cloned())
        .collect();
    if sets.is_empty() {
        return Err(Error::Request(
            "there are no tasks; name task definitions or lists of them".to_string(),
        ));
    }
    let exclude: Vec<String> = definition.exclude.iter().chain(&request.exclude).cloned().collect();
    RunSet::new(&sets, &exclude)
}

/// The place of this process in a Slurm array, and its processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slurm {
    /// Which task of the array, counted from 1, of how many.
    shard: Option<(usize, usize)>,
    cpus: Option<usize>,
}

impl Slurm {
    fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Slurm, Error> {
        let number = |name: &str| variable(name).and_then(|text| text.parse::<usize>().ok());
        let shard = match number("SLURM_ARRAY_TASK_ID") {
            None => None,
            Some(task) => {
                let (least, most) = (number("SLURM_ARRAY_TASK_MIN"), number("SLURM_ARRAY_TASK_MAX"));
                let (Some(least), Some(most)) = (least, most) else {
                    return Ok(Slurm::default());
                };
                let whole = number("SLURM_ARRAY_TASK_COUNT") == Some(most - least + 1) && least <= 1;
                if !whole {
                    return Err(Error::Request(
                        "this Slurm array is not 1 to N, so that the shard is not known; give `--shard I/N`"
                            .to_string(),
                    ));
                }
                Some((task + 1 - least, most + 1 - least))
            }
        };
        Ok(Slurm {
            shard,
            cpus: number("SLURM_CPUS_PER_TASK"),
        })
    }
}

/// Whether a command line says how many threads there are.
fn says_threads(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| word == "--threads" || word.starts_with("--threads=") || word.starts_with("threads="))
}

/// Runs at the same time, and the threads of each where nobody says.
fn share(definition: &Definition, jobs: Option<usize>, cpus: Option<usize>) -> (usize, Vec<String>) {
    let fixed =
        says_threads(&definition.arguments) || definition.configurations.iter().any(|c| says_threads(&c.arguments));
    // In a job of a cluster all processors are there for us; elsewhere one run at a time disturbs nobody.
    let jobs = jobs.unwrap_or_else(|| cpus.unwrap_or(1)).max(1);
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = (cpus.unwrap_or_else(available) / jobs).max(1);
    let local = if fixed {
        Vec::new()
    } else {
        vec!["--threads".to_string(), threads.to_string()]
    };
    (jobs, local)
}

/// Runs an experiment, or goes on with it. `folder` is where its journal is.
///
/// # Errors
/// Bad input, or a file that cannot be read or written.
pub(in crate::cli) fn run(
    definition: Definition,
    set: &RunSet,
    request: &Request,
    folder: &Path,
) -> Result<(PathBuf, Done), Error> {
    let slurm = Slurm::read(|name| std::env::var(name).ok())?;
    let shard = request.shard.or(slurm.shard).unwrap_or((1, 1));
    let folder = match (request.shard, slurm.shard) {
        // The tasks of an array share a command line, and so a folder.
        (None, Some((index, count))) => folder.join(format!("shard-{index}-of-{count}")),
        _ => folder.to_path_buf(),
    };
    let (jobs, local) = share(&definition, request.jobs, slurm.cpus);
    let plan = Plan::new(definition, set, shard, &version::line())?;
    let program = std::env::current_exe()
        .map_err(|error| Error::Program("provident".to_string(), format!("it cannot find itself: {error}")))?;
    let mut setting = Setting {
        program,
        folder: folder.clone(),
        jobs,
        local,
        reports: request.reports,
    };
    let known = Mutex::new(HashMap::new());
    let meaning = |words: &[String]| meaning(words, &known);
    engine::check(&plan, &setting, &meaning)?;
    let header = Header::now(plan.identity.clone(), &set.root);
    let (folder, journal, known) = open(&folder, &header, request.beside)?;
    setting.folder = folder
        .canonicalize()
        .map_err(|error| Error::unreadable(&folder, error))?;
    if known.dropped {
        eprintln_quietly("note: the last line of the journal was not complete; it is dropped, and that run runs again");
    }
    let stop = Stop::on(signals()).map_err(|error| Error::Program("a pipe".to_string(), error.to_string()))?;
    let total = plan.identity.runs;
    let (shows, before) = (std::io::stderr().is_terminal(), known.keys.len());
    let progress = |count: usize| {
        if shows {
            // Progress that cannot be shown is no loss.
            let _ = write!(std::io::stderr(), "\r{}/{total}", before + count);
        }
    };
    let done = engine::run(&plan, &setting, (journal, &known), &meaning, &stop, &progress)?;
    if shows {
        eprintln_quietly("");
    }
    if done.before > 0 {
        eprintln_quietly(&format!(
            "note: {} of {total} runs were in the journal already",
            done.before
        ));
    }
    if done.left > 0 {
        eprintln_quietly(&format!(
            "interrupted: {} of {total} runs are left; the same command goes on with them",
            done.left
        ));
    }
    Ok((folder, done))
}

/// Opens the journal of a folder, or, if that belongs to another experiment and it is wanted, of the first folder beside it that does not.
fn open(
    folder: &Path,
    header: &Header,
    beside: bool,
) -> Result<(PathBuf, Journal, crate::campaign::journal::Known), Error> {
    let mut candidate = folder.to_path_buf();
    for number in 2.. {
        match Journal::open(&candidate, header.clone()) {
            Ok((journal, known)) => return Ok((candidate, journal, known)),
            Err(Error::Mismatch(..)) if beside => {
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                candidate = folder.with_file_name(format!("{name}-{number}"));
            }
            Err(error) => return Err(error),
        }
    }
    unreachable!("there is always another number")
}

/// The meaning of the arguments of a verification: all options, given or not. Many runs have the same arguments.
fn meaning(
    words: &[String],
    known: &Mutex<HashMap<Vec<String>, BTreeMap<String, String>>>,
) -> Result<BTreeMap<String, String>, Box<dyn std::error::Error>> {
    if let Some(meaning) = known.lock().unwrap_or_else(PoisonError::into_inner).get(words) {
        return Ok(meaning.clone());
    }
    let line = ["provident", "verify", "TASK"]
        .map(str::to_string)
        .into_iter()
        .chain(words.iter().cloned());
    let settings = match parse(line.map(Into::into)) {
        Ok(Invocation::Verify { settings, .. }) => settings,
        Ok(_) => return Err("it is no verification".into()),
        Err(Refusal::Display(_)) => return Err("it asks for help or for the version".into()),
        Err(Refusal::Usage(text)) => {
            return Err(text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("error: ")
                .into());
        }
    };
    refuse_without_effect(Command::Verify, &settings)?;
    let mut values: BTreeMap<String, String> = options_of(Command::Verify)
        .map(|option| (option.key().to_string(), option.default()))
        .filter(|(_, default)| !default.is_empty())
        .collect();
    let mut given: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for pair in settings.describe() {
        let (key, value) = pair.split_once('=').unwrap_or((&pair, ""));
        given.entry(key.to_string()).or_default().push(value.to_string());
    }
    values.extend(given.into_iter().map(|(key, values)| (key, values.join(" "))));
    known
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(words.to_vec(), values.clone());
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::plan::parts_of_limit;

    fn slurm(variables: &[(&str, &str)]) -> Result<Slurm, Error> {
        Slurm::read(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_string())
        })
    }

    #[test]
    fn a_task_of_an_array_is_a_shard() {
        let array = |task, least, most, count| {
            slurm(&[
                ("SLURM_ARRAY_TASK_ID", task),
                ("SLURM_ARRAY_TASK_MIN", least),
                ("SLURM_ARRAY_TASK_MAX", most),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_CPUS_PER_TASK", "4"),
            ])
        };
        let expected = Slurm {
            shard: Some((3, 10)),
            cpus: Some(4),
        };
        assert_eq!(array("3", "1", "10", "10").unwrap(), expected);
        assert_eq!(array("2", "0", "9", "10").unwrap(), expected);
        assert!(
            array("3", "3", "7", "2")
                .unwrap_err()
                .to_string()
                .contains("--shard I/N")
        );
        assert_eq!(slurm(&[]).unwrap(), Slurm::default());
    }

    #[test]
    fn processors_are_shared_by_runs() {
        let mut definition = Definition::single("a", Vec::new());
        let words = |n: &str| vec!["--threads".to_string(), n.to_string()];
        assert_eq!(share(&definition, Some(2), Some(8)), (2, words("4")));
        assert_eq!(share(&definition, None, Some(8)), (8, words("1")));
        definition.arguments = words("3");
        assert_eq!(share(&definition, None, None), (1, Vec::new()));
    }

    #[test]
    fn words_mean_all_options() {
        let known = Mutex::default();
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let values = meaning(
            &words("--refine single --set block=single --property a.prp --property b.prp"),
            &known,
        )
        .unwrap();
        assert_eq!(
            (values["refine"].as_str(), values["block"].as_str()),
            ("single", "single")
        );
        assert_eq!(
            (values["arith"].as_str(), values["property"].as_str()),
            ("machine", "a.prp b.prp")
        );
        assert!(
            meaning(&words("--refine best"), &known)
                .unwrap_err()
                .to_string()
                .contains("`best` is no value for `refine`")
        );
        assert!(
            meaning(&words("--refine single --set refine.rank=first"), &known)
                .unwrap_err()
                .to_string()
                .contains("has no effect")
        );
    }

    /// A preset that names an option which does not exist would be found out by its first user.
    #[test]
    fn presets_can_be_run() {
        let known = Mutex::default();
        for name in crate::campaign::definition::presets() {
            let definition = Definition::load(name).unwrap();
            for configuration in &definition.configurations {
                let together = definition
                    .together_arguments
                    .iter()
                    .map(|word| parts_of_limit(word, 5.0));
                let words: Vec<String> = definition
                    .arguments
                    .iter()
                    .cloned()
                    .chain(configuration.arguments.iter().cloned())
                    .collect();
                meaning(&words, &known).unwrap_or_else(|error| panic!("{name}, {}: {error}", configuration.name));
                let words: Vec<String> = definition.arguments.iter().cloned().chain(together).collect();
                let settings = parse(
                    ["provident", "verify", "TASK"]
                        .map(str::to_string)
                        .into_iter()
                        .chain(words)
                        .map(Into::into),
                );
                assert!(matches!(settings, Ok(Invocation::Verify { .. })), "{name}");
            }
        }
    }
}
