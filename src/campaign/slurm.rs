//! Slurm: the jobs of an experiment, as scripts.
//!
//! | file | is |
//! |---|---|
//! | `experiment.toml` | the definition, with all that the command line said |
//! | `tasks.txt` | the run set: one absolute path a line |
//! | `array.sh` | a job array: task I runs shard I of N in `shard-I-of-N` |
//! | `join.sh` | a job that joins the shards; it depends on the array's end |
//!
//! A task of the array that dies, with its node or by hand, loses the run that was going on and nothing else: submitted again (`sbatch --array=I array.sh`), or queued again by Slurm, it goes on from its journal.
//! Slurm sends SIGTERM two minutes before the time of a task is over; the task then books what it has and queues itself again, at most as often as [`MOST_RESTARTS`] says.
//!
//! Nodes read the program files and tasks from where they lie, so these have to be on a file system that all nodes share; what a task writes is its own folder.

use super::definition::Definition;
use super::error::Error;
use super::runset::RunSet;
use crate::report::files;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How often a task queues itself again.
pub const MOST_RESTARTS: u32 = 100;
/// Memory for the process that watches the runs, in MB.
const OWN_MEMORY: u64 = 100;
/// The longest time of a task that is asked for by itself, in seconds.
const MOST_SECONDS: u64 = 24 * 60 * 60;

/// The options of the jobs beside the experiment.
#[derive(Clone, Debug)]
pub struct Jobs {
    /// The binary.
    pub program: PathBuf,
    /// The folder of the experiment, absolute.
    pub folder: PathBuf,
    /// Tasks of the array.
    pub shards: usize,
    /// Processors of each.
    pub cpus: u64,
    /// Runs at the same time in each.
    pub jobs: u64,
    /// The time of each, as Slurm reads it.
    pub time: Option<String>,
    /// Tasks that run at the same time.
    pub most: Option<u64>,
    /// The partition.
    pub partition: Option<String>,
    /// More options of `sbatch`.
    pub more: Vec<String>,
    /// Whether every run leaves its reports.
    pub reports: bool,
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Seconds as Slurm writes a time.
fn clock(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    if days > 0 { format!("{days}-{clock}") } else { clock }
}

impl Jobs {
    /// The time of a task: what all runs of a shard may take, and a tenth more, at most a day. Without limits on the runs, a day.
    fn seconds(&self, definition: &Definition, tasks: usize) -> u64 {
        let Some(limit) = definition.limits.wall.or(definition.limits.cpu) else {
            return MOST_SECONDS;
        };
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let rounds = count(tasks.div_ceil(self.shards)) * count(definition.configurations.len());
        let jobs = f64::from(u32::try_from(self.jobs).unwrap_or(u32::MAX));
        let seconds = Duration::try_from_secs_f64(1.1 * rounds * limit / jobs + 300.0).unwrap_or(Duration::MAX);
        seconds.as_secs().min(MOST_SECONDS)
    }

    /// The lines for `sbatch` that both jobs have.
    fn directives(&self, name: &str, time: &str, cpus: u64, memory: Option<u64>) -> String {
        let mut lines = vec![
            format!("--job-name={name}"),
            format!("--time={time}"),
            "--nodes=1".to_string(),
            "--ntasks=1".to_string(),
            format!("--cpus-per-task={cpus}"),
        ];
        lines.extend(memory.map(|memory| format!("--mem={memory}M")));
        lines.extend(
            self.partition
                .iter()
                .map(|partition| format!("--partition={partition}")),
        );
        lines.extend(self.more.iter().cloned());
        lines.iter().map(|line| format!("#SBATCH {line}\n")).collect()
    }

    /// The script of the array.
    pub fn array(&self, definition: &Definition, tasks: usize) -> String {
        let time = self
            .time
            .clone()
            .unwrap_or_else(|| clock(self.seconds(definition, tasks)));
        // A run is ended by its own limit; the room above it is for what the kernel counts and the run does not see.
        let memory = definition
            .limits
            .memory
            .map(|memory| self.jobs * (memory + memory / 10) + OWN_MEMORY);
        let most = self.most.map(|most| format!("%{most}")).unwrap_or_default();
        let folder = quoted(&self.folder.display().to_string());
        let program = quoted(&self.program.display().to_string());
        let (shards, jobs) = (self.shards, self.jobs);
        let reports = if self.reports { " --reports" } else { "" };
        format!(
            r#"#!/bin/bash
{directives}#SBATCH --array=1-{shards}{most}
#SBATCH --output={log}/slurm-%A_%a.out
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
# Shard $SLURM_ARRAY_TASK_ID of {shards} of the experiment `{name}`. Started again, it goes on from its journal.
set -u
folder={folder}
shard=$SLURM_ARRAY_TASK_ID
{program} study "$folder/experiment.toml" "$folder/tasks.txt" --shard "$shard/{shards}" \
    --out "$folder/shard-$shard-of-{shards}" --jobs {jobs}{reports} &
child=$!
ended=no
trap 'ended=yes; kill -TERM "$child" 2>/dev/null' TERM INT
wait "$child"
status=$?
# The first wait ends with the signal, the second one with the child.
if [ "$ended" = yes ]; then
    wait "$child"
    status=$?
fi
# 2: runs are left. The time was over, so the task is queued again.
if [ "$ended" = yes ] && [ "$status" -eq 2 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {MOST_RESTARTS} ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$shard" && exit 0
fi
exit "$status"
"#,
            directives = self.directives(&definition.name, &time, self.cpus, memory),
            log = self.folder.display(),
            name = definition.name,
        )
    }

    /// The script that joins.
    pub fn join(&self, definition: &Definition) -> String {
        let folder = quoted(&self.folder.display().to_string());
        let program = quoted(&self.program.display().to_string());
        format!(
            "#!/bin/bash\n{}#SBATCH --output={}/slurm-join-%j.out\n# Makes one result of the shards. A shard that is missing or not complete is named.\nexec {program} join {folder}/shard-*-of-{} --out {folder}\n",
            self.directives(&format!("{}-join", definition.name), "01:00:00", 1, None),
            self.folder.display(),
            self.shards,
        )
    }

    /// Writes all files. A folder that has another experiment is left alone.
    ///
    /// # Errors
    /// The folder has another experiment, or a file cannot be written.
    pub fn write(&self, definition: &Definition, set: &RunSet) -> Result<(), Error> {
        let text = definition.text();
        let known = std::fs::read_to_string(self.folder.join("experiment.toml")).ok();
        if known.is_some_and(|known| known != text) {
            let what = "its experiment.toml says something else".to_string();
            return Err(Error::Mismatch(self.folder.clone(), what));
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| Error::unwritable(&self.folder, error))?;
        let tasks: String = set
            .tasks
            .iter()
            .map(|task| format!("{}\n", glob_free(&task.path)))
            .collect();
        let named = [
            ("experiment.toml", text),
            ("tasks.txt", tasks),
            ("array.sh", self.array(definition, set.tasks.len())),
            ("join.sh", self.join(definition)),
        ];
        for (name, text) in named {
            files::write(&self.folder, name, &text)
                .map_err(|error| Error::Program(format!("writing {name}"), error.to_string()))?;
        }
        Ok(())
    }

    /// Submits both jobs, and returns their numbers.
    ///
    /// # Errors
    /// `sbatch` is not there, or refuses a job.
    pub fn submit(&self) -> Result<(String, String), Error> {
        let array = sbatch(&[], &self.folder.join("array.sh"))?;
        let join = sbatch(
            &[format!("--dependency=afterany:{array}")],
            &self.folder.join("join.sh"),
        )?;
        Ok((array, join))
    }
}

/// A path as a line of a list, in which wildcards would be globs. A file that exists is taken as it is.
fn glob_free(path: &Path) -> String {
    path.display().to_string()
}

fn sbatch(options: &[String], script: &Path) -> Result<String, Error> {
    let failed = |what: String| Error::Program("sbatch".to_string(), what);
    let output = Command::new("sbatch")
        .arg("--parsable")
        .args(options)
        .arg(script)
        .output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    // On a federation the name of the cluster follows.
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().split(';').next().unwrap_or_default().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs() -> Jobs {
        Jobs {
            program: PathBuf::from("/opt/my tools/provident"),
            folder: PathBuf::from("/data/run"),
            shards: 10,
            cpus: 4,
            jobs: 4,
            time: None,
            most: Some(5),
            partition: Some("long".to_string()),
            more: vec!["--account=me".to_string()],
            reports: false,
        }
    }

    fn definition() -> Definition {
        let mut definition = Definition::single("e", Vec::new());
        definition.limits.cpu = Some(900.0);
        definition.limits.memory = Some(8000);
        definition
    }

    #[test]
    fn the_array_asks_for_what_its_runs_may_take() {
        let script = jobs().array(&definition(), 401);
        for line in [
            "#SBATCH --array=1-10%5\n",
            "#SBATCH --cpus-per-task=4\n",
            "#SBATCH --mem=35300M\n",
            // 41 tasks on 4 processors, 900 seconds each, a tenth more, and five minutes.
            "#SBATCH --time=02:54:07\n",
            "#SBATCH --partition=long\n#SBATCH --account=me\n",
            "'/opt/my tools/provident' study \"$folder/experiment.toml\" \"$folder/tasks.txt\" --shard \"$shard/10\"",
        ] {
            assert!(script.contains(line), "no {line} in\n{script}");
        }
        assert!(
            jobs()
                .join(&definition())
                .contains("join /data/run/shard-*-of-10 --out /data/run\n")
        );
    }

    #[test]
    fn times_and_words_are_written_as_slurm_and_shells_read_them() {
        assert_eq!(clock(3725), "01:02:05");
        assert_eq!(clock(2 * 86_400 + 60), "2-00:01:00");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        let mut without = definition();
        without.limits = crate::campaign::definition::Limits::default();
        assert_eq!(jobs().seconds(&without, 5), MOST_SECONDS);
    }
}
