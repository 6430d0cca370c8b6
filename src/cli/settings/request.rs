//! The meaning of a command line: the settings of the user, the task definition and the property files together.

use super::choices::{Abstraction, InventedUse, MallocUse, MetricChoice, Switch};
use super::effect::refuse_without_effect;
use super::effective::configuration;
use super::options::{Command, Opt, Settings};
use super::value::Value;
use super::{knobs, multi, table};
use crate::cfa::LowerOptions;
use crate::cfa::program::check::Checks;
use crate::cfa::program::invention::{Invention, Inventions};
use crate::cli::error::Error;
use crate::engine::options::{Metric, Part, Procedure};
use crate::engine::{self, BuiltIn, Explicit, Limits, Refinement};
use crate::frontend::text::preprocess::UnitFile;
use crate::frontend::types::DataModel;
use crate::report::paint::Paint;
use crate::spec::{compile_commands, parse_task};
use crate::verify::checks::checked_places;
use crate::verify::mentions::default_properties;
use crate::verify::selector::Model;
use crate::verify::{self, ProgramFile, Requested, Strategy, Task, read, read_automata, read_property, read_rules};
use provident_smt::interpolate::Portfolio;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that `verify` is asked for.
#[derive(Debug)]
pub(in crate::cli) struct VerifyRequest {
    pub task: Task,
    pub options: verify::Options,
    pub json: bool,
    /// Whether another process begins where one has died.
    pub relaunch: bool,
    pub statistics: bool,
    /// Whether to print verdicts only.
    pub quiet: bool,
    /// Whether to print violations as compilers print errors.
    pub diagnostics: bool,
    /// Whether to print what stages did.
    pub verbose: bool,
    /// The colours of the text.
    pub paint: Paint,
    /// The file for the answers in SARIF.
    pub sarif: Option<PathBuf>,
    /// Whether to write the interpolation queries.
    pub dump_queries: bool,
}

impl VerifyRequest {
    /// Reads the settings, the task definition and the property files.
    ///
    /// # Errors
    /// The message for the user, with the place where there is one.
    pub fn new(inputs: &[PathBuf], settings: &Settings) -> Result<VerifyRequest, Error> {
        let source = ProgramSource::new(inputs, settings)?;
        let mut requested = Vec::new();
        let files = settings.all(&table::PROPERTY);
        for file in &files {
            requested.extend(read_property(file, None)?);
        }
        for file in settings.all(&table::SPEC) {
            requested.extend(read_automata(&file, None)?);
        }
        if let Some(names) = settings.get(&table::RULE) {
            requested.extend(read_rules(&names)?);
        }
        requested.extend(checked(&source, &requested, settings)?);
        if requested.is_empty() {
            for (file, expected) in &source.properties {
                requested.extend(read_property(file, *expected)?);
            }
        }
        if requested.is_empty() {
            requested = default_properties(&source.clone().request(settings, None)?)?;
        }
        let named_twice = |(i, w): (usize, &Requested)| {
            requested[..i]
                .iter()
                .any(|other| other.name == w.name)
                .then(|| w.name.clone())
        };
        if let Some(name) = requested.iter().enumerate().find_map(named_twice) {
            return Err(Error::SameName(name));
        }
        let entries: Vec<&str> = requested.iter().filter_map(|w| w.claim.entry()).collect();
        if settings.get(&table::ENTRY).is_none()
            && let Some(other) = entries.iter().find(|entry| **entry != entries[0])
        {
            return Err(Error::Entries(entries[0].to_string(), (*other).to_string()));
        }
        let program = source.request(settings, entries.first().copied())?;
        refuse_without_effect(Command::Verify, settings)?;
        let dump_queries = settings.value(&table::DUMP_QUERIES);
        if dump_queries && !settings.is_set("out") {
            return Err(Error::NoFolder("dump-queries"));
        }
        let strategy = strategy(settings);
        let engine = engine::Options {
            multi: multi::options(settings, requested.len()),
            certificate: settings.get(&table::OUT).is_some(),
            certify_ticks: settings.value(&knobs::CERTIFY_TICKS),
            ..engine_options(settings)
        };
        Ok(VerifyRequest {
            options: verify::Options {
                configuration: configuration(settings, &program, &engine, &strategy),
                engine,
                selector: selector(settings)?,
                strategy,
                mode: settings.value(&knobs::SPEC_MODE),
                strict: settings.value(&table::STRICT),
                invented: inventions(settings),
                out: settings.get(&table::OUT),
                results: settings.get(&table::RESULTS),
                described: settings.describe(),
            },
            task: Task { program, requested },
            json: settings.value(&table::JSON),
            relaunch: settings.value(&table::RELAUNCH),
            statistics: settings.value(&table::STATISTICS),
            quiet: settings.value(&table::QUIET),
            verbose: settings.value(&table::VERBOSE),
            diagnostics: settings.value(&table::DIAGNOSTICS),
            paint: settings.value(&table::COLOR).paint(),
            sarif: settings.get(&table::SARIF),
            dump_queries,
        })
    }
}

/// The properties of `--checks`: one for each place, beside the properties of files.
///
/// # Errors
/// The program cannot be read.
pub(in crate::cli) fn checked(
    source: &ProgramSource,
    requested: &[Requested],
    settings: &Settings,
) -> Result<Vec<Requested>, Error> {
    let Some(kinds) = settings.get(&table::CHECKS) else {
        return Ok(Vec::new());
    };
    let entry = requested.iter().find_map(|one| one.claim.entry());
    Ok(checked_places(&source.clone().request(settings, entry)?, kinds)?)
}

/// The stages: all of them, or those that are named; without slices only the whole program.
fn strategy(settings: &Settings) -> Strategy {
    let sliced = settings.value(&knobs::SLICE) == Switch::On;
    settings.get(&knobs::STAGES).unwrap_or_else(|| match sliced {
        true => Strategy::sliced(),
        false => Strategy::whole(),
    })
}

/// The inputs of a command after a task definition or a list of commands among them has been read.
#[derive(Clone)]
pub(in crate::cli) struct ProgramSource {
    pub units: Vec<UnitFile>,
    pub data_model: Option<String>,
    pub properties: Vec<(PathBuf, Option<bool>)>,
}

impl ProgramSource {
    /// Reads what the inputs mean.
    ///
    /// # Errors
    /// There is no file, or one that is none of a program.
    pub fn new(inputs: &[PathBuf], settings: &Settings) -> Result<ProgramSource, Error> {
        let source = ProgramSource::new_or_none(inputs, settings)?;
        match source.units.is_empty() {
            true => Err(Error::NoInput),
            false => Ok(source),
        }
    }

    /// As [`Self::new`]; without files, there is no unit.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn new_or_none(inputs: &[PathBuf], settings: &Settings) -> Result<ProgramSource, Error> {
        let told = preprocessing(settings);
        let mut source = ProgramSource {
            units: Vec::new(),
            data_model: None,
            properties: Vec::new(),
        };
        let patterns = settings.all(&table::UNITS);
        if let Some(file) = settings.get(&table::COMPILE_COMMANDS) {
            let commands = compile_commands::parse(&file, &read(&file)?, &patterns)?;
            source.data_model = commands.data_model;
            source.units = commands.units;
        }
        let is_task = |input: &PathBuf| matches!(input.extension().and_then(|e| e.to_str()), Some("yml" | "yaml"));
        if let Some(task) = inputs.iter().find(|input| is_task(input)) {
            if inputs.len() > 1 || !source.units.is_empty() {
                return Err(Error::TaskAmongInputs(task.clone()));
            }
            let definition = parse_task(task, &read(task)?)?;
            source.units = definition.inputs.into_iter().map(UnitFile::from).collect();
            source.data_model = definition.data_model;
            source.properties = definition
                .properties
                .into_iter()
                .map(|p| (p.file, p.expected))
                .collect();
        } else {
            for input in inputs {
                source.units.push(unit(input, &source.units)?);
            }
        }
        for unit in &mut source.units {
            unit.preprocessing.arguments.extend(told.iter().cloned());
        }
        Ok(source)
    }

    pub fn request(self, settings: &Settings, entry: Option<&str>) -> Result<ProgramFile, Error> {
        let named = |name: String| DataModel::parse(&name).ok_or(Error::DataModel(name));
        let of_task = self.data_model.map(named);
        let data_model = match settings.get(&table::DATA_MODEL) {
            Some(given) => given,
            None => of_task.transpose()?.unwrap_or(DataModel::Lp64),
        };
        let models = settings.all(&table::MODELS);
        let may_fail = settings.value(&table::MALLOC) == MallocUse::MayFail;
        let entry = settings.get(&table::ENTRY).or(entry.map(str::to_string));
        Ok(ProgramFile {
            units: self.units,
            data_model,
            lower: LowerOptions {
                entry: entry.unwrap_or_else(|| "main".to_string()),
                malloc_may_fail: settings.value(&table::MALLOC_MAY_FAIL) || may_fail,
                library: settings.value(&table::LIBRARY),
                entry_pointers: settings.value(&table::ENTRY_POINTERS),
                watched: Vec::new(),
                forbidden: Vec::new(),
                checks: Checks::NONE,
                pointer_calls: settings.value(&knobs::CALLS_POINTERS),
                unknown_targets: settings.value(&knobs::CALLS_UNKNOWN),
                recursion: settings.value(&table::RECURSION),
                models: models.iter().map(|file| file.display().to_string()).collect(),
            },
            models,
        })
    }
}

/// One file of the command line.
fn unit(input: &Path, before: &[UnitFile]) -> Result<UnitFile, Error> {
    if input.as_os_str() != "-" {
        return match input.is_dir() {
            true => Err(Error::InputFolder(input.to_path_buf())),
            false => Ok(UnitFile::from(input.to_path_buf())),
        };
    }
    if before.iter().any(|unit| unit.text.is_some()) {
        return Err(Error::TwoStandardInputs);
    }
    UnitFile::standard_input().map_err(|error| Error::Unreadable(input.to_path_buf(), error))
}

/// The arguments for `cpp`. A folder is taken from where this process runs, also for a file that is preprocessed in another one.
fn preprocessing(settings: &Settings) -> Vec<String> {
    let from_here = |path: PathBuf| match std::path::absolute(&path) {
        Ok(path) if settings.get(&table::COMPILE_COMMANDS).is_some() => path.display().to_string(),
        _ => path.display().to_string(),
    };
    let mut arguments = Vec::new();
    arguments.extend(settings.get(&table::STD).map(|standard| format!("-std={standard}")));
    let folders = settings.all(&table::INCLUDE_PATH).into_iter();
    arguments.extend(folders.map(|folder| format!("-I{}", from_here(folder))));
    let system = settings.all(&table::ISYSTEM).into_iter();
    arguments.extend(system.flat_map(|folder| ["-isystem".to_string(), from_here(folder)]));
    arguments.extend(
        settings
            .all(&table::DEFINE)
            .into_iter()
            .map(|macro_| format!("-D{macro_}")),
    );
    arguments.extend(
        settings
            .all(&table::UNDEFINE)
            .into_iter()
            .map(|name| format!("-U{name}")),
    );
    let files = settings.all(&table::INCLUDE).into_iter();
    arguments.extend(files.flat_map(|file| ["-include".to_string(), from_here(file)]));
    arguments
}

/// The sorts of invented values that count as inputs.
fn inventions(settings: &Settings) -> Inventions {
    let is_input = |option| settings.value(option) == InventedUse::Input;
    let all = is_input(&knobs::INVENTED_ALL);
    let chosen = Invention::ALL
        .into_iter()
        .filter(|kind| is_input(invented(*kind)) || all);
    chosen.fold(Inventions::default(), Inventions::with)
}

/// The option of a sort of invented values.
fn invented(kind: Invention) -> &'static Opt<InventedUse> {
    match kind {
        Invention::Library => &knobs::INVENTED_LIBRARY,
        Invention::Builtin => &knobs::INVENTED_BUILTIN,
        Invention::VarArgs => &knobs::INVENTED_VARARGS,
        Invention::Memory => &knobs::INVENTED_MEMORY,
        Invention::Size => &knobs::INVENTED_SIZE,
        Invention::Float => &knobs::INVENTED_FLOAT,
        Invention::Assembly => &knobs::INVENTED_ASSEMBLY,
        Invention::Target => &knobs::INVENTED_TARGET,
        Invention::Vector => &knobs::INVENTED_VECTOR,
        Invention::Complex => &knobs::INVENTED_COMPLEX,
        Invention::Language => &knobs::INVENTED_LANGUAGE,
    }
}

/// How abstraction is refined: a preset, and what is chosen beside it.
fn refinement(settings: &Settings) -> Refinement {
    let preset = settings.value(&table::REFINE).refinement();
    let seed = settings.value(&knobs::REFINE_SEED);
    let patience = settings.value(&knobs::REFINE_PATIENCE);
    let rank = settings.get(&knobs::REFINE_RANK).map(|ranking| ranking.with_seed(seed));
    Refinement {
        rank: rank.unwrap_or(preset.rank),
        select: settings.get(&knobs::REFINE_SELECT).unwrap_or(preset.select),
        restart: settings.value(&knobs::REFINE_RESTART),
        joint: usize::try_from(settings.value(&knobs::REFINE_JOINT).get()).unwrap_or(usize::MAX),
        patience: if patience == 0 { u64::MAX } else { patience },
        scope: settings.get(&knobs::REFINE_SCOPE).unwrap_or(preset.scope),
        prefer: settings.value(&knobs::REFINE_PREFER).with_seed(seed),
        prefixes: u32::try_from(settings.value(&knobs::REFINE_PREFIXES).get()).unwrap_or(u32::MAX),
        built_in: built_in(settings),
        interpolation: interpolation(settings),
        measure: settings.value(&knobs::ITP_MEASURE) == Switch::On,
        ..preset
    }
}

/// How the interpolants of error paths are computed.
fn interpolation(settings: &Settings) -> Procedure {
    let merit = settings.value(&knobs::ITP_CHOOSE);
    Procedure {
        labelling: settings.value(&knobs::ITP_LABELLING),
        arithmetic: settings.value(&knobs::ITP_ARITHMETIC),
        equality: settings.value(&knobs::ITP_EQUALITY),
        direction: settings.value(&knobs::ITP_DIRECTION),
        reduce: settings.value(&knobs::ITP_REDUCE) == Switch::On,
        portfolio: settings
            .value(&knobs::ITP_PORTFOLIO)
            .members()
            .map(|members| Portfolio { members, merit }),
        abstraction: settings.value(&knobs::ITP_ABSTRACTION),
        lattice: usize::try_from(settings.value(&knobs::ITP_LATTICE)).unwrap_or(usize::MAX),
        simplify: settings.value(&knobs::ITP_SIMPLIFY) == Switch::On,
    }
}

/// The built-in preferences that are on.
fn built_in(settings: &Settings) -> BuiltIn {
    let is_on = |option| settings.value(option) == Switch::On;
    let chosen = BuiltIn {
        hide_counters: is_on(&knobs::REFINE_HIDE_COUNTERS),
        guesses: is_on(&knobs::REFINE_GUESSES),
        minimise: is_on(&knobs::REFINE_MINIMISE),
        suffix_first: is_on(&knobs::REFINE_SUFFIX_FIRST),
    };
    match is_on(&knobs::REFINE_PLAIN) {
        true => BuiltIn::NONE,
        false => chosen,
    }
}

/// The options of the engine.
pub(in crate::cli) fn engine_options(settings: &Settings) -> engine::Options {
    let threads = settings
        .get(&table::THREADS)
        .and_then(|n| usize::try_from(n.get()).ok());
    let cpu = settings.get(&table::CPU_LIMIT).map(|seconds| seconds.0);
    let memory = settings.get(&table::MEMORY_LIMIT).map(u64::from);
    let steps = settings.get(&knobs::EXPLICIT_STEPS);
    let concrete = settings.get(&knobs::CONCRETE_STEPS);
    engine::Options {
        arith: settings.value(&table::ARITH),
        bam: settings.value(&knobs::BAM),
        bam_ticks: settings.value(&knobs::BAM_TICKS),
        algorithm: settings.value(&knobs::ENGINE),
        forced_covering: settings.value(&knobs::ENGINE_FORCE) == Switch::On,
        analysis: settings.value(&knobs::ANALYSIS),
        value_threshold: settings.value(&knobs::ANALYSIS_THRESHOLD),
        block: settings.value(&knobs::BLOCK),
        refine: refinement(settings),
        threads: threads.unwrap_or_else(default_threads).min(processors()),
        limits: Limits {
            cpu,
            wall: settings.get(&table::WALL_LIMIT).map(|seconds| seconds.0),
            memory_mb: memory,
            ticks: settings.get(&table::TICKS).map(u64::from),
        },
        states: settings.value(&knobs::EXPLORE_STATES),
        order: settings.value(&knobs::EXPLORE_ORDER),
        metric: settings
            .value(&knobs::EXPLORE_METRIC)
            .metric()
            .unwrap_or(Metric::Statements),
        weights: settings
            .get(&knobs::EXPLORE_WEIGHTS)
            .map_or_else(Vec::new, |weights| weights.0),
        order_seed: settings.value(&knobs::EXPLORE_SEED),
        check: settings.value(&table::CHECK),
        cartesian: settings.value(&knobs::ABSTRACTION) == Abstraction::Cartesian,
        ideal_ticks: settings.value(&knobs::IDEAL_TICKS),
        explicit: Explicit {
            enabled: settings.value(&knobs::EXPLICIT) == Switch::On,
            steps: steps.unwrap_or_else(|| Explicit::steps_within(cpu)),
            states: settings
                .get(&knobs::EXPLICIT_STATES)
                .unwrap_or_else(|| Explicit::states_within(memory)),
            sample: settings.value(&knobs::SAMPLE_STEPS),
            concrete: concrete.unwrap_or_else(|| Explicit::concrete_within(cpu)),
            replay: settings
                .get(&knobs::CONCRETE_REPLAY)
                .unwrap_or_else(|| Explicit::replay_within(cpu)),
            part: Part::All,
            objects: settings.value(&knobs::EXPLICIT_OBJECTS) == Switch::On,
            swifter: Explicit::swifter_within(cpu),
            shortcuts: settings.value(&knobs::EXPLICIT_SHORTCUTS) == Switch::On,
            shifts: settings.value(&knobs::EXPLICIT_SHIFTS) == Switch::On,
            order: settings.value(&knobs::EXPLICIT_ORDER),
            grace: settings
                .get(&knobs::EXPLICIT_GRACE)
                .unwrap_or_else(|| Explicit::grace_within(cpu)),
            turns: settings.value(&knobs::EXPLICIT_TURNS),
        },
        ..engine::Options::default()
    }
}

/// The model that is to choose a metric, if one is.
///
/// # Errors
/// Its file cannot be read, or is no model.
pub(in crate::cli) fn selector(settings: &Settings) -> Result<Option<Arc<Model>>, Error> {
    let file = settings.get(&knobs::EXPLORE_MODEL);
    if settings.value(&knobs::EXPLORE_METRIC) != MetricChoice::Learned {
        return Ok(None);
    }
    let model = file.map_or_else(Model::shipped, |file| Model::read(&file))?;
    Ok(Some(Arc::new(model)))
}

/// The number of threads that the scheduler gave: Slurm's number, else the processors on which this process may run.
fn default_threads() -> usize {
    let slurm = std::env::var("SLURM_CPUS_PER_TASK")
        .ok()
        .and_then(|text| text.parse().ok());
    slurm.filter(|n| *n > 0).unwrap_or_else(processors)
}

/// The processors that this process may run on. More threads than these would only wait for each other.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::settings::choices::Preset;
    use crate::cli::settings::options::options_of;
    use crate::engine::PRESETS;

    /// An option that the table offers to a command and the command does not read would be a promise that nobody keeps.
    #[test]
    fn every_option_is_read_by_its_commands() {
        let folder = std::env::temp_dir().join(format!("provident-request-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let property = folder.join("p.prp");
        std::fs::write(&property, "CHECK( init(main()), LTL(G ! call(f())) )").unwrap();
        let mut given = Settings::default();
        given
            .set(Command::Verify, "property", vec![property.display().to_string()])
            .unwrap();
        VerifyRequest::new(&[PathBuf::from("a.c")], &given).unwrap();
        assert!(
            VerifyRequest::new(&[PathBuf::from("a.c")], &Settings::default())
                .unwrap_err()
                .to_string()
                .contains("a.c")
        );
        let cfa = Settings::default();
        crate::cli::commands::cfa::read_settings(&[PathBuf::from("a.c")], &cfa).unwrap();
        let check = Settings::default();
        crate::cli::commands::check::read_settings(&[PathBuf::from("a.c")], &check).unwrap();
        let smt = Settings::default();
        crate::cli::commands::smt::options(&smt);
        let campaign = Settings::default();
        crate::cli::commands::campaign::plan(&campaign);
        let features = Settings::default();
        crate::cli::commands::features::read_settings(&[folder.join("a.c")], &features).unwrap();
        let discharge = Settings::default();
        crate::cli::commands::discharge::read_settings(&discharge).unwrap();
        let study = Settings::default();
        crate::cli::commands::study::plan("provident", &study).unwrap();
        let train = Settings::default();
        crate::cli::commands::train::plan(&[], &train);
        let join = Settings::default();
        crate::cli::commands::join::plan(&join);
        let benchexec = Settings::default();
        crate::cli::commands::exchange::folder(&benchexec).unwrap_err();
        let queries = Settings::default();
        crate::cli::commands::queries::plan(&queries);
        let slurm = Settings::default();
        crate::cli::commands::slurm::plan("provident", &slurm).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let all = [
            (Command::Verify, &given),
            (Command::Cfa, &cfa),
            (Command::Features, &features),
            (Command::Smt, &smt),
            (Command::Campaign, &campaign),
            (Command::Discharge, &discharge),
            (Command::Check, &check),
            (Command::Study, &study),
            (Command::Train, &train),
            (Command::Join, &join),
            (Command::Slurm, &slurm),
            (Command::Queries, &queries),
            (Command::Benchexec, &benchexec),
        ];
        for (command, settings) in all {
            let read = settings.keys_read();
            for option in options_of(command) {
                let key = option.key();
                assert!(read.contains(&key), "{command:?} offers `{key}` and does not read it");
            }
            for key in read {
                let serves = options_of(command).any(|option| option.key() == key);
                assert!(serves, "{command:?} reads `{key}`");
            }
        }
    }

    #[test]
    fn the_table_and_the_engine_know_the_same_presets() {
        assert_eq!(Preset::words(), PRESETS);
        assert!(PRESETS.iter().all(|(word, _)| Refinement::preset(word).is_some()));
    }

    #[test]
    fn the_configuration_has_all_options_with_the_values_that_are_used() {
        let mut settings = Settings::default();
        for (key, value) in [("refine", "multi-deep"), ("rule", "32_1a"), ("cpu-limit", "40")] {
            settings.set(Command::Verify, key, vec![value.to_string()]).unwrap();
        }
        let request = VerifyRequest::new(&[PathBuf::from("a.c")], &settings).unwrap();
        let all = &request.options.configuration.0;
        let keys: Vec<&str> = all.iter().map(|(key, _)| *key).collect();
        assert_eq!(
            keys,
            options_of(Command::Verify)
                .map(|option| option.key())
                .collect::<Vec<_>>()
        );
        let value = |key: &str| {
            let found = all.iter().find(|(other, _)| *other == key).unwrap();
            serde_json::to_string(&found.1).unwrap()
        };
        assert_eq!(value("refine.rank"), "\"deep-first\"");
        assert_eq!(value("refine.seed"), "null");
        assert_eq!(value("cpu-limit"), "40.0");
        assert_eq!(value("explicit.steps"), "32000000");
        assert_eq!(value("entry"), "\"main\"");
        assert_eq!(value("strict"), "false");
        assert_eq!(value("spec"), "[]");
        assert_eq!(
            value("stages"),
            "\"execute,explore,guess,sample,no-counters,accelerate,slice,whole\""
        );
    }
}
