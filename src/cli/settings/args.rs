//! The parser of the command line, built from the table of options.

use super::error::SettingError;
use super::file;
use super::options::{Command, Entry, Settings, long_help, options_of};
use super::words::others_words;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::path::PathBuf;

/// A command line that was understood.
#[derive(Debug)]
pub enum Invocation {
    /// Check a program.
    Verify {
        /// Program files, or one task definition.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Make a table of the interpolants of SMT-LIB scripts.
    InterpolationReport {
        /// The scripts.
        files: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Answer an SMT-LIB script.
    Smt {
        /// The script; standard input if there is none.
        file: Option<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Show the automata of a program.
    Cfa {
        /// The program's files, or a task definition.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Show the features of a program.
    Features {
        /// The program's files, or a task definition.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Solve proof obligations.
    Discharge {
        /// The folder with their manifest.
        folder: PathBuf,
        /// The options.
        settings: Settings,
    },
    /// Validate a witness.
    Check {
        /// The program's files, or a task definition.
        program: Vec<PathBuf>,
        /// The witness.
        witness: PathBuf,
        /// The options.
        settings: Settings,
    },
    /// Run many tasks.
    Campaign {
        /// Task definitions, or files that list them.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Compare configurations over many tasks.
    Study {
        /// Which study.
        name: String,
        /// Task definitions, or files that list them.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Learn a model from the journals of studies.
    Train {
        /// Folders with journals.
        folders: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Make one result of shards.
    Join {
        /// Folders with journals, or folders of such folders.
        folders: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Make a data set of interpolation queries.
    Queries {
        /// Folders with reports of runs.
        folders: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Read result files of BenchExec.
    Import {
        /// The files.
        files: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Write result files of BenchExec.
    Export {
        /// Folders with journals.
        folders: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
    /// Write the tool-info module for BenchExec.
    Tool {
        /// The folder.
        folder: PathBuf,
    },
    /// Print the completions of a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Write pages for `man`.
    Man {
        /// The folder.
        folder: PathBuf,
    },
    /// Print the schema of JSON reports.
    Schema,
    /// Write, and perhaps submit, the jobs of an experiment.
    Slurm {
        /// Which study.
        name: String,
        /// Task definitions, or files that list them.
        inputs: Vec<PathBuf>,
        /// The options.
        settings: Settings,
    },
}

/// Why there is no invocation.
#[derive(Debug)]
pub enum Refusal {
    /// Help or version was asked for: the text to print.
    Display(String),
    /// The command line is wrong: the message.
    Usage(String),
}

/// The whole command line as clap sees it. Long, as it is the list of all commands with their arguments, in the order of the help.
pub fn parser() -> clap::Command {
    let inputs = |help: &'static str| {
        Arg::new("input")
            .value_name("INPUT")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help(help)
    };
    let many = |help| inputs(help).num_args(1..);
    let program = || {
        let words = "The files of the program: .c (preprocessed by cpp) or .i, `-` for standard input; or one task definition (.yml)";
        many(words).required(false).required_unless_present("compile-commands")
    };
    clap::Command::new("provident")
        .about("A software model checker for C. Answers TRUE, FALSE or UNKNOWN for each safety property of a program.")
        .version(crate::report::version::NUMBERS)
        .disable_version_flag(true)
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .help("Print version, commit and solver"),
        )
        .after_help("Exit status: 0 TRUE, 1 FALSE, 2 UNKNOWN, 3 bad usage or input, 4 internal error.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(with_options(
            clap::Command::new("verify")
                .about("Check a program against properties")
                .arg(program()),
            Command::Verify,
        ))
        .subcommand(with_options(
            clap::Command::new("smt")
                .about("Answer an SMT-LIB 2.6 script")
                .arg(inputs("The script (.smt2). Without it, or for `-`, standard input").required(false))
                .arg(report_argument()),
            Command::Smt,
        ))
        .subcommand(with_options(
            clap::Command::new("cfa")
                .about("Show the control-flow automata of a program")
                .arg(program()),
            Command::Cfa,
        ))
        .subcommand(with_options(
            clap::Command::new("features")
                .about("Show the 25 features of a program by which a metric of distances is selected")
                .arg(program()),
            Command::Features,
        ))
        .subcommand(with_options(
            clap::Command::new("discharge")
                .about("Solve the proof obligations of a TRUE, with all proofs checked")
                .arg(inputs(
                    "The folder with the manifest: proof/ in the folder of `verify --out`",
                )),
            Command::Discharge,
        ))
        .subcommand(with_options(
            clap::Command::new("check")
                .about("Validate a verification witness (format 2.0 or 2.1) of a violation or a proof")
                .after_help("Exit status: 0 confirmed, 1 refuted, 2 unknown, 3 bad usage or input, 4 internal error.")
                .allow_missing_positional(true)
                .arg(program())
                .arg(
                    Arg::new("witness")
                        .value_name("WITNESS")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .help("The witness (.yml)"),
                ),
            Command::Check,
        ))
        .subcommand(with_options(
            clap::Command::new("campaign")
                .about("Verify many tasks, each in a process of its own, and make a table of the results")
                .arg(many(RUN_SETS)),
            Command::Campaign,
        ))
        .subcommand(with_options(
            clap::Command::new("study")
                .about("Compare configurations over many tasks, and write a table and a page of the results")
                .arg(study_argument())
                .arg(many(RUN_SETS).required(false))
                .args_conflicts_with_subcommands(true)
                .subcommand_negates_reqs(true)
                .subcommand(with_options(
                    clap::Command::new("train")
                        .about("Learn a model for `explore.metric=learned` from the journals of studies, and say how good it is")
                        .arg(many("Folders with a journal, of studies whose configurations differ in `explore.metric`")),
                    Command::Train,
                )),
            Command::Study,
        ))
        .subcommand(with_options(
            clap::Command::new("join")
                .about("Make one result of the shards of an experiment, or make the files of an experiment anew")
                .arg(many("Folders with a journal, or folders of such folders")),
            Command::Join,
        ))
        .subcommand(with_options(
            clap::Command::new("queries")
                .about("Make a data set of the interpolation queries that runs with --out and --dump-queries have left: SMT-LIB without duplicates, with an index and the measures of all variants")
                .arg(many("Folders of experiments with --reports, or of runs")),
            Command::Queries,
        ))
        .subcommand(with_options(
            clap::Command::new("benchexec-import")
                .about("Make an experiment, with its page, of result files of BenchExec")
                .arg(many(
                    "Result files (.xml, .xml.bz2, .xml.gz); each becomes a configuration",
                )),
            Command::Benchexec,
        ))
        .subcommand(with_options(
            clap::Command::new("benchexec-export")
                .about("Write the results of experiments as result files of BenchExec, for its table-generator")
                .arg(many("Folders with a journal")),
            Command::Benchexec,
        ))
        .subcommand(
            clap::Command::new("benchexec-tool")
                .about("Write the tool-info module by which BenchExec runs this program")
                .arg(inputs("The folder to write it to")),
        )
        .subcommand(
            clap::Command::new("completions")
                .about("Print the completions of a shell")
                .arg(
                    Arg::new("shell")
                        .value_name("SHELL")
                        .required(true)
                        .value_parser(value_parser!(clap_complete::Shell))
                        .help("Which shell"),
                ),
        )
        .subcommand(clap::Command::new("schema").about("Print the JSON Schema of the reports of `verify --json`"))
        .subcommand(
            clap::Command::new("man")
                .about("Write a manual page for the program and for each command")
                .arg(inputs("The folder to write them to")),
        )
        .subcommand(with_options(
            clap::Command::new("slurm")
                .about("Write the Slurm jobs of an experiment: an array of shards, and one that joins them")
                .arg(study_argument())
                .arg(many(RUN_SETS).required(false)),
            Command::Slurm,
        ))
}

/// The forms of a run set.
const RUN_SETS: &str = "Task definitions (.yml), programs, or lists of them: a .set of globs, a .tsv with a column `task`, the .xml of a BenchExec benchmark, or one path or glob a line";

/// Which experiment.
fn study_argument() -> Arg {
    let names: Vec<&str> = crate::campaign::definition::presets().collect();
    Arg::new("study").value_name("STUDY").required(true).help(format!(
        "A study ({}), or a file that names configurations (.toml)",
        names.join(", ")
    ))
}

/// The scripts of which a table of interpolants is wanted.
fn report_argument() -> Arg {
    Arg::new("itp-report")
        .long("itp-report")
        .value_name("FILE")
        .num_args(1..)
        .conflicts_with("input")
        .value_parser(value_parser!(PathBuf))
        .help("Print a table (CSV) of the interpolants of these scripts, by all variants, with measures of quality and their order of strength")
}

/// Adds the options of a command, and those by which any option of it can be set.
fn with_options(mut parser: clap::Command, command: Command) -> clap::Command {
    for option in options_of(command).filter(|option| !option.is_set_only()) {
        parser = parser.arg(argument(option));
    }
    let knobs: Vec<String> = options_of(command)
        .filter(|option| option.is_set_only())
        .map(|option| format!("  {}\n      {}", option.key(), long_help(option)))
        .collect();
    if !knobs.is_empty() {
        let before = parser
            .get_after_help()
            .map(|text| format!("{text}\n\n"))
            .unwrap_or_default();
        parser = parser.after_help(format!(
            "{before}Keys that only --set and --config reach:\n{}",
            knobs.join("\n")
        ));
    }
    parser
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("KEY=VALUE")
                .action(ArgAction::Append)
                .help("Set an option by its key. May be repeated"),
        )
        .arg(
            Arg::new("config")
                .long("config")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Read options from this file (TOML, `key = value`). The command line overrules it"),
        )
}

fn argument(option: &'static dyn Entry) -> Arg {
    let mut arg = Arg::new(option.key()).long(option.key()).help(long_help(option));
    if let Some(letter) = option.short() {
        arg = arg.short(letter);
    }
    match (option.is_flag(), option.is_many()) {
        (true, _) => arg.action(ArgAction::SetTrue),
        (false, true) => arg.value_name(option.value_name()).action(ArgAction::Append),
        (false, false) => arg
            .value_name(option.value_name())
            .allow_hyphen_values(option.is_passed_on())
            .action(ArgAction::Set),
    }
}

/// Understands a command line, `arguments[0]` being the program's name. Long, as it has a case for each command.
///
/// # Errors
/// Help, version, and everything that is wrong with it, as text for the user.
pub fn parse<I: IntoIterator<Item = std::ffi::OsString>>(arguments: I) -> Result<Invocation, Refusal> {
    let matches = parser()
        .try_get_matches_from(others_words(arguments))
        .map_err(|error| {
            let text = error.render().to_string();
            if error.use_stderr() {
                Refusal::Usage(text)
            } else {
                Refusal::Display(text)
            }
        })?;
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    let inputs = || -> Vec<PathBuf> { matches.get_many("input").into_iter().flatten().cloned().collect() };
    let first = || inputs().into_iter().next().expect("clap requires an input");
    Ok(match name {
        "verify" => Invocation::Verify {
            inputs: inputs(),
            settings: settings(matches, Command::Verify)?,
        },
        "smt" if matches.contains_id("itp-report") => Invocation::InterpolationReport {
            files: matches.get_many("itp-report").into_iter().flatten().cloned().collect(),
            settings: settings(matches, Command::Smt)?,
        },
        "smt" => Invocation::Smt {
            file: inputs().into_iter().next(),
            settings: settings(matches, Command::Smt)?,
        },
        "cfa" => Invocation::Cfa {
            inputs: inputs(),
            settings: settings(matches, Command::Cfa)?,
        },
        "features" => Invocation::Features {
            inputs: inputs(),
            settings: settings(matches, Command::Features)?,
        },
        "discharge" => Invocation::Discharge {
            folder: first(),
            settings: settings(matches, Command::Discharge)?,
        },
        "check" => Invocation::Check {
            program: inputs(),
            witness: matches
                .get_one::<PathBuf>("witness")
                .cloned()
                .expect("clap requires a witness"),
            settings: settings(matches, Command::Check)?,
        },
        "study" if matches.subcommand().is_some() => train(matches)?,
        "study" => Invocation::Study {
            name: matches.get_one::<String>("study").cloned().unwrap_or_default(),
            inputs: inputs(),
            settings: settings(matches, Command::Study)?,
        },
        "slurm" => Invocation::Slurm {
            name: matches.get_one::<String>("study").cloned().unwrap_or_default(),
            inputs: inputs(),
            settings: settings(matches, Command::Slurm)?,
        },
        "benchexec-import" => Invocation::Import {
            files: inputs(),
            settings: settings(matches, Command::Benchexec)?,
        },
        "benchexec-export" => Invocation::Export {
            folders: inputs(),
            settings: settings(matches, Command::Benchexec)?,
        },
        "benchexec-tool" => Invocation::Tool { folder: first() },
        "schema" => Invocation::Schema,
        "man" => Invocation::Man { folder: first() },
        "completions" => Invocation::Completions {
            shell: *matches.get_one("shell").expect("clap requires a shell"),
        },
        "queries" => Invocation::Queries {
            folders: inputs(),
            settings: settings(matches, Command::Queries)?,
        },
        "join" => Invocation::Join {
            folders: inputs(),
            settings: settings(matches, Command::Join)?,
        },
        _ => Invocation::Campaign {
            inputs: inputs(),
            settings: settings(matches, Command::Campaign)?,
        },
    })
}

/// `study train`: the only command of a command.
fn train(matches: &ArgMatches) -> Result<Invocation, Refusal> {
    let (_, matches) = matches.subcommand().expect("somebody has looked");
    Ok(Invocation::Train {
        folders: matches.get_many("input").into_iter().flatten().cloned().collect(),
        settings: settings(matches, Command::Train)?,
    })
}

/// Collects the options from the configuration file, `--set` and the options themselves.
fn settings(matches: &ArgMatches, command: Command) -> Result<Settings, Refusal> {
    let usage = |error: SettingError| Refusal::Usage(format!("error: {error}\n"));
    let mut settings = Settings::default();
    if let Some(file) = matches.get_one::<PathBuf>("config") {
        file::configuration(&mut settings, command, file).map_err(usage)?;
    }
    let mut given: Vec<String> = Vec::new();
    for pair in matches.get_many::<String>("set").into_iter().flatten() {
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| usage(SettingError::NoEquals(pair.clone())))?;
        if given.iter().any(|k| k == key) {
            return Err(usage(SettingError::Twice(key.to_string())));
        }
        settings.set(command, key, vec![value.to_string()]).map_err(usage)?;
        given.push(key.to_string());
    }
    for option in options_of(command).filter(|option| !option.is_set_only()) {
        let key = option.key();
        let values: Vec<String> = match option.is_flag() {
            true if matches.get_flag(key) => vec!["true".to_string()],
            true => Vec::new(),
            false => matches.get_many::<String>(key).into_iter().flatten().cloned().collect(),
        };
        if values.is_empty() {
            continue;
        }
        if given.iter().any(|other| other == key) {
            return Err(usage(SettingError::TwoWays(key.to_string())));
        }
        settings.set(command, key, values).map_err(usage)?;
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(words: &[&str]) -> Result<Invocation, Refusal> {
        parse(
            std::iter::once("provident")
                .chain(words.iter().copied())
                .map(Into::into),
        )
    }

    fn settings_of(words: &[&str]) -> Vec<String> {
        match parse_words(words) {
            Ok(Invocation::Verify { settings, .. }) => settings.describe(),
            other => panic!("expected a verification, got {other:?}"),
        }
    }

    fn message(words: &[&str]) -> String {
        match parse_words(words) {
            Err(Refusal::Usage(text)) => text,
            other => panic!("expected a refusal, got {other:?}"),
        }
    }

    #[test]
    fn clap_accepts_the_table() {
        parser().debug_assert();
    }

    #[test]
    fn options_and_set_are_two_ways_to_the_same_setting() {
        let expected = ["cpu-limit=5", "refine=single", "refine.rank=first", "strict=true"];
        assert_eq!(
            settings_of(&[
                "verify",
                "a.c",
                "--cpu-limit",
                "5",
                "--refine",
                "single",
                "--strict",
                "--set",
                "refine.rank=first"
            ]),
            expected
        );
        assert_eq!(
            settings_of(&[
                "verify",
                "a.c",
                "--set",
                "cpu-limit=5",
                "--set",
                "refine=single",
                "--set",
                "strict=true",
                "--set",
                "refine.rank=first"
            ]),
            expected
        );
    }

    #[test]
    fn wrong_command_lines_are_refused_with_the_reason() {
        assert!(message(&["verify"]).contains("INPUT"));
        assert!(message(&["verify", "a.c", "--set", "colour=red"]).contains("there is no option `colour`"));
        assert!(message(&["verify", "a.c", "--threads", "0"]).contains("at least 1"));
        assert!(message(&["verify", "a.c", "--set", "threads=2", "--threads", "2"]).contains("given twice"));
        assert!(message(&["cfa", "a.c", "--strict"]).contains("--strict"));
    }

    #[test]
    fn scripts_are_given_as_other_solvers_have_it() {
        let parsed = |words: &[&str]| match parse_words(words) {
            Ok(Invocation::Smt { file, settings }) => (file, settings.given("wall-limit").map(<[_]>::to_vec)),
            other => panic!("{other:?}"),
        };
        let (file, limit) = parsed(&["smt", "-in", "-smt2", "-T:20"]);
        assert_eq!(file, Some(PathBuf::from("-")));
        assert_eq!(limit, parsed(&["smt", "-", "--wall-limit", "20"]).1);
        assert!(limit.is_some());
        let limit = |words: &[&str]| match parse_words(words) {
            Ok(Invocation::Smt { settings, .. }) => settings.given("check-limit").map(<[_]>::to_vec),
            other => panic!("{other:?}"),
        };
        assert_eq!(limit(&["smt", "-t:2500"]), limit(&["smt", "--check-limit", "2.5"]));
        assert!(message(&["smt", "-t:soon"]).contains("soon"));
        // Other commands have no such options.
        assert!(message(&["verify", "-in"]).contains("unexpected argument"));
    }
}
