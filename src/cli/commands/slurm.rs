//! `provident slurm`: the jobs of an experiment on a cluster.

use super::experiment;
use super::experiment::Request;
use crate::campaign::definition::Definition;
use crate::campaign::error::Error;
use crate::campaign::slurm::Jobs;
use crate::cli::display::finish::print;
use crate::cli::settings::options::Settings;
use crate::cli::settings::table;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Tasks of an array, unless the user says how many.
const SHARDS: usize = 100;

/// The meaning of the settings.
pub(in crate::cli) struct SlurmPlan {
    definition: Definition,
    request: Request,
    shards: Option<usize>,
    cpus: u64,
    time: Option<String>,
    most: Option<u64>,
    partition: Option<String>,
    more: Vec<String>,
    submit: bool,
}

/// Reads the settings.
///
/// # Errors
/// As for a study.
pub(in crate::cli) fn plan(name: &str, settings: &Settings) -> Result<SlurmPlan, Error> {
    let mut definition = Definition::load(name)?;
    experiment::overrule_study(&mut definition, settings)?;
    Ok(SlurmPlan {
        definition,
        request: Request {
            shard: None,
            out: settings.get(&table::OUT),
            beside: false,
            jobs: settings.get(&table::JOBS).and_then(experiment::count),
            reports: settings.value(&table::REPORTS),
            exclude: settings.all(&table::EXCLUDE),
        },
        shards: settings.get(&table::SHARDS).and_then(experiment::count),
        cpus: settings.value(&table::CPUS).get(),
        time: settings.get(&table::TIME),
        most: settings.get(&table::MOST).map(NonZeroU64::get),
        partition: settings.get(&table::PARTITION),
        more: settings.get(&table::SBATCH).map(|words| words.0).unwrap_or_default(),
        submit: settings.value(&table::SUBMIT),
    })
}

/// Writes the jobs, and submits them if that is asked for. Returns the exit status.
///
/// # Errors
/// Bad input, a file that cannot be written, or what `sbatch` says.
pub(in crate::cli) fn run(name: &str, inputs: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let mut plan = plan(name, settings)?;
    let out = plan.request.out.clone();
    let out =
        out.ok_or_else(|| Error::Request("jobs need a folder for their results; give `--out DIR`".to_string()))?;
    let set = experiment::run_set(&plan.definition, inputs, &plan.request)?;
    // The run set is written down; the definition of the jobs does not name it again.
    plan.definition.tasks.clear();
    plan.definition.exclude.clear();
    std::fs::create_dir_all(&out).map_err(|error| Error::unwritable(&out, error))?;
    let folder = out.canonicalize().map_err(|error| Error::unreadable(&out, error))?;
    let program = std::env::current_exe()
        .map_err(|error| Error::Program("provident".to_string(), format!("it cannot find itself: {error}")))?;
    let jobs = Jobs {
        program,
        folder: folder.clone(),
        shards: plan.shards.unwrap_or(SHARDS).min(set.tasks.len().max(1)),
        cpus: plan.cpus,
        jobs: plan
            .request
            .jobs
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(plan.cpus),
        time: plan.time,
        most: plan.most,
        partition: plan.partition,
        more: plan.more,
        reports: plan.request.reports,
    };
    jobs.write(&plan.definition, &set)?;
    let (shards, tasks) = (jobs.shards, set.tasks.len());
    print(&format!(
        "{tasks} tasks in {shards} shards: `{}/array.sh` and `join.sh`\n",
        folder.display()
    ));
    if plan.submit {
        let (array, join) = jobs.submit()?;
        print(&format!("submitted: array {array}, join {join}\n"));
    }
    Ok(0)
}
