//! `provident study`: configurations compared over a run set.

use crate::campaign::runset;
use crate::campaign::study::journal::Journal;
use crate::campaign::study::measure::{self, Plan};
use crate::campaign::study::page::Page;
use crate::campaign::study::summary::as_float;
use crate::campaign::study::{Configuration, Run, Subject, decomposition, mav, provident};
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::options::Settings;
use crate::report::{files, version};
use crate::spec::parse_task;
use crate::spec::rules::rules_named;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The evaluation of the runs of a study: the page and the lines of its summary.
type Evaluate = fn(&str, &[Run]) -> (Page, Vec<String>);

/// A study by its name.
struct Study {
    name: &'static str,
    configurations: fn() -> Vec<Configuration>,
    counters: &'static [&'static str],
    /// Options of every run, unless the user gives others.
    arguments: &'static str,
    evaluate: Evaluate,
    /// Whether it is about properties together and alone.
    per_property: bool,
}

/// All studies.
const STUDIES: &[Study] = &[
    Study {
        name: "provident",
        configurations: provident::configurations,
        counters: provident::COUNTERS,
        arguments: provident::ARGUMENTS,
        evaluate: provident::page,
        per_property: false,
    },
    Study {
        name: "decomposition",
        configurations: decomposition::configurations,
        counters: decomposition::COUNTERS,
        arguments: decomposition::ARGUMENTS,
        evaluate: decomposition::page,
        per_property: true,
    },
    Study {
        name: "mav",
        configurations: mav::configurations,
        counters: mav::COUNTERS,
        arguments: mav::ARGUMENTS,
        evaluate: mav::page,
        per_property: true,
    },
];

/// The names of the studies.
pub(in crate::cli) fn names() -> Vec<&'static str> {
    STUDIES.iter().map(|study| study.name).collect()
}

/// The meaning of the settings of a study.
pub(in crate::cli) struct StudyPlan {
    shard: (usize, usize),
    out: Option<PathBuf>,
    rules: Option<String>,
    per_property: bool,
    only: Option<Vec<String>>,
    jobs: usize,
    /// Limits of every run, as options; that on processor time stands apart.
    limits: Vec<String>,
    limit: Option<f64>,
    arguments: Option<String>,
    patience: Option<f64>,
}

/// Reads the settings.
pub(in crate::cli) fn plan(settings: &Settings) -> StudyPlan {
    let mut limits = Vec::new();
    for key in ["wall-limit", "memory-limit"] {
        if let Some(value) = settings.text(key) {
            limits.extend([format!("--{key}"), value.to_string()]);
        }
    }
    // A child keeps its limits itself; three times the limit is for one that hangs.
    let limit = settings.seconds("wall-limit").or(settings.seconds("cpu-limit"));
    let jobs = settings.number("jobs").and_then(|n| usize::try_from(n).ok());
    let only = settings.text("configurations");
    StudyPlan {
        shard: settings.shard("shard").unwrap_or((1, 1)),
        out: settings.path("out"),
        rules: settings.text("rule").map(str::to_string),
        per_property: settings.flag("per-property"),
        only: only.map(|names| names.split(',').map(|name| name.trim().to_string()).collect()),
        jobs: jobs.unwrap_or(1),
        limits,
        limit: settings.seconds("cpu-limit"),
        arguments: settings.text("arguments").map(str::to_string),
        patience: limit.map(|limit| 3.0 * limit + 10.0),
    }
}

/// Runs a study, or goes on with it. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(name: &str, inputs: &[PathBuf], settings: &Settings) -> Result<u8, String> {
    let study = STUDIES.iter().find(|study| study.name == name);
    let study = study.ok_or_else(|| format!("there is no study `{name}`; there are {}", names().join(", ")))?;
    let mut plan = plan(settings);
    plan.per_property |= study.per_property;
    let folder = plan
        .out
        .clone()
        .ok_or("a study needs a folder for its results; give `--out DIR`")?;
    let tasks = runset::shard(runset::tasks(inputs)?, plan.shard);
    if let Some(missing) = tasks.iter().find(|task| !task.exists()) {
        return Err(format!("there is no task `{}`", missing.display()));
    }
    let subjects = subjects(study, &tasks, &plan)?;
    let measured = measured(study, &plan)?;
    let setting = setting(study, &measured, &plan, tasks.len());
    let mut journal = Journal::open(&folder, study.counters, &setting)?;
    let program = std::env::current_exe().map_err(|error| format!("cannot find the program itself: {error}"))?;
    let (shows, total) = (std::io::stderr().is_terminal(), subjects.len());
    let done = |count: usize| {
        if shows {
            // Progress that cannot be shown is no loss.
            let _ = write!(std::io::stderr(), "\r{count}/{total}");
        }
    };
    let result = measure::run(&program, &subjects, &measured, &mut journal, &done);
    if shows {
        eprintln_quietly("");
    }
    result?;
    let (page, mut summary) = (study.evaluate)(&setting, journal.runs());
    let failed: Vec<&Run> = journal.runs().iter().filter(|run| run.verdicts.is_empty()).collect();
    if let Some(first) = failed.first() {
        let (count, task) = (failed.len(), &first.task);
        summary.push(format!(
            "{count} runs ended without verdicts, the first of {task}: {}",
            first.reason
        ));
    }
    let text = summary.join("\n") + "\n";
    let write = |name: &str, text: &str| files::write(&folder, name, text).map_err(|error| error.to_string());
    write("index.html", &page.html())?;
    write("summary.txt", &text)?;
    print(&text);
    Ok(0)
}

/// The tasks with all their properties; and, if that is asked for, with each of them alone.
///
/// Where the study compares the two, the limit on processor time is that of one property. All together get it once for each, since they are compared with as many runs; and no property and no
/// set of properties of a decomposition gets more than one.
fn subjects(study: &Study, tasks: &[PathBuf], plan: &StudyPlan) -> Result<Vec<Subject>, String> {
    let words = |option: &str, value: &str| vec![option.to_string(), value.to_string()];
    let limit = plan.limit.filter(|_| study.per_property);
    let mut subjects = Vec::new();
    for task in tasks {
        let mut add = |property: String, mut arguments: Vec<String>, count: usize| {
            if let Some(limit) = limit {
                arguments.extend(words("--cpu-limit", &(limit * as_float(count)).to_string()));
                if property.is_empty() {
                    arguments.extend(words("--set", &format!("decompose.cpu={limit}")));
                    arguments.extend(words("--set", &format!("aspects.property-limit={limit}s")));
                }
            }
            subjects.push(Subject {
                task: task.clone(),
                property,
                arguments,
            });
        };
        let named = |names: &String| rules_named(names).map_err(|name| format!("there is no rule `{name}`"));
        let alone: Vec<(String, Vec<String>)> = match (plan.rules.as_ref().map(named).transpose()?, plan.per_property) {
            (_, false) => Vec::new(),
            (Some(rules), true) => {
                let one = |(name, _): (&str, &str)| (name.to_string(), words("--rule", name));
                rules.into_iter().map(one).collect()
            }
            (None, true) => {
                let one = |file: PathBuf| {
                    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    let option = if file.extension().is_some_and(|extension| extension == "spc") {
                        "--spec"
                    } else {
                        "--property"
                    };
                    (name, words(option, &file.display().to_string()))
                };
                property_files(task)?.into_iter().map(one).collect()
            }
        };
        let rules = plan.rules.iter().flat_map(|names| words("--rule", names)).collect();
        add(String::new(), rules, alone.len().max(1));
        for (name, arguments) in alone {
            add(name, arguments, 1);
        }
    }
    Ok(subjects)
}

fn property_files(task: &Path) -> Result<Vec<PathBuf>, String> {
    let text = std::fs::read_to_string(task).map_err(|error| format!("cannot read `{}`: {error}", task.display()))?;
    let task = parse_task(task, &text).map_err(|error| error.to_string())?;
    Ok(task.properties.into_iter().map(|property| property.file).collect())
}

fn measured(study: &Study, plan: &StudyPlan) -> Result<Plan, String> {
    let mut configurations = (study.configurations)();
    if let Some(only) = &plan.only {
        let known: Vec<String> = configurations.iter().map(|c| c.name.clone()).collect();
        if let Some(unknown) = only.iter().find(|name| !known.contains(name)) {
            return Err(format!(
                "this study has no configuration `{unknown}`; there are {}",
                known.join(", ")
            ));
        }
        configurations.retain(|configuration| only.contains(&configuration.name));
    }
    let given = plan.arguments.as_deref().unwrap_or(study.arguments);
    let mut arguments: Vec<String> = given.split_whitespace().map(str::to_string).collect();
    arguments.extend(plan.limits.iter().cloned());
    if let Some(limit) = plan.limit.filter(|_| !study.per_property) {
        arguments.extend(["--cpu-limit".to_string(), limit.to_string()]);
    }
    Ok(Plan {
        configurations,
        arguments,
        jobs: plan.jobs,
        // All properties together take their time; a child keeps its limit itself.
        patience: plan.patience.filter(|_| !study.per_property),
    })
}

/// The description of the runs: the head of the page. A journal must have the same description before the study goes on.
fn setting(study: &Study, measured: &Plan, plan: &StudyPlan, tasks: usize) -> String {
    let configurations = measured
        .configurations
        .iter()
        .map(|c| format!("  {}: {}\n", c.name, c.arguments.join(" ")));
    format!(
        "study {}\n{}\n{tasks} tasks, shard {}/{}{}{}{}\nevery run: {}\n{}",
        study.name,
        version::line(),
        plan.shard.0,
        plan.shard.1,
        plan.rules
            .as_ref()
            .map(|rules| format!(", rules {rules}"))
            .unwrap_or_default(),
        if plan.per_property {
            ", also each property alone"
        } else {
            ""
        },
        plan.limit
            .filter(|_| study.per_property)
            .map(|limit| format!(", {limit} s of processor time for each property"))
            .unwrap_or_default(),
        measured.arguments.join(" "),
        configurations.collect::<String>()
    )
}
