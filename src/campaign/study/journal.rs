//! The journal of a study: one line of CSV per run, written when the run ends.
//!
//! A line is written by one call, and a line without its end (the study was killed in the middle of it) does not count. So a study can be
//! killed at any time and started again: what is in the journal is not run again. Beside the journal stands the plan that it belongs to; results of
//! another plan are not mixed in.

use super::Run;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The columns before the counters.
const FIRST: [&str; 11] = [
    "task",
    "property",
    "configuration",
    "properties",
    "verdicts",
    "expected",
    "cpu_s",
    "analysis_cpu_s",
    "refinement_wall_s",
    "wall_s",
    "memory_mb",
];

/// What stands between the parts of a list inside a cell.
const SEPARATOR: &str = " | ";

/// The open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    counters: Vec<String>,
    runs: Vec<Run>,
}

impl Journal {
    /// Opens `runs.csv` in a folder, which is made if it does not exist, and reads what is there. `plan` says in words what is run and how.
    ///
    /// # Errors
    /// Says what cannot be read or written, or that the folder holds another study.
    pub fn open(folder: &Path, counters: &[&str], plan: &str) -> Result<Journal, String> {
        let cannot = |path: &Path, error: std::io::Error| format!("cannot write `{}`: {error}", path.display());
        fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
        let plan_path = folder.join("plan.txt");
        match fs::read_to_string(&plan_path) {
            Ok(known) if known != plan => {
                return Err(format!(
                    "`{}` belongs to another study; give another folder, or remove that one. It says\n{known}and now it would be\n{plan}",
                    plan_path.display()
                ));
            }
            Ok(_) => {}
            Err(_) => fs::write(&plan_path, plan).map_err(|error| cannot(&plan_path, error))?,
        }
        let path = folder.join("runs.csv");
        let mut text = fs::read_to_string(&path).unwrap_or_default();
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let counters: Vec<String> = counters.iter().map(ToString::to_string).collect();
        let runs = parse(&text, &counters).map_err(|problem| format!("{}:{problem}", path.display()))?;
        if text.is_empty() {
            text = line(&header(&counters));
        }
        fs::write(&path, &text).map_err(|error| cannot(&path, error))?;
        let file = OpenOptions::new().append(true).open(&path);
        Ok(Journal {
            file: file.map_err(|error| cannot(&path, error))?,
            path,
            counters,
            runs,
        })
    }

    /// The runs so far.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether a run is there already.
    pub fn holds(&self, task: &str, property: &str, configuration: &str) -> bool {
        let same = |run: &Run| run.task == task && run.property == property && run.configuration == configuration;
        self.runs.iter().any(same)
    }

    /// Appends a run.
    ///
    /// # Errors
    /// Says that the file cannot be written.
    pub fn append(&mut self, run: Run) -> Result<(), String> {
        let written = self.file.write_all(line(&record(&run, &self.counters)).as_bytes());
        written.map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))?;
        self.runs.push(run);
        Ok(())
    }
}

fn header(counters: &[String]) -> Vec<String> {
    let first = FIRST.iter().map(ToString::to_string);
    first
        .chain(counters.iter().cloned())
        .chain(["reason".to_string()])
        .collect()
}

fn record(run: &Run, counters: &[String]) -> Vec<String> {
    let mut cells = vec![
        run.task.clone(),
        run.property.clone(),
        run.configuration.clone(),
        run.properties.join(SEPARATOR),
        run.verdicts.join(SEPARATOR),
        run.expected.join(SEPARATOR),
        format!("{:.4}", run.cpu_s),
        format!("{:.4}", run.analysis_cpu_s),
        format!("{:.4}", run.refinement_wall_s),
        format!("{:.4}", run.wall_s),
        run.memory_mb.to_string(),
    ];
    cells.extend(counters.iter().map(|name| run.counter(name).to_string()));
    cells.push(run.reason.replace(['\n', '\r'], " "));
    cells
}

/// A record as one line of CSV.
fn line(cells: &[String]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).expect("writing to memory");
    String::from_utf8(writer.into_inner().expect("writing to memory")).expect("made of strings")
}

/// Reads the lines of a journal.
///
/// # Errors
/// The line and what is wrong with it.
fn parse(text: &str, counters: &[String]) -> Result<Vec<Run>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut runs = Vec::new();
    let header = header(counters);
    for (position, cells) in reader.records().enumerate() {
        let wrong = |what: &str| format!("{}:1: error: {what}", position + 1);
        let cells = cells.map_err(|error| wrong(&error.to_string()))?;
        if position == 0 {
            if !cells.iter().eq(header.iter().map(String::as_str)) {
                return Err(wrong("the columns are those of another study"));
            }
            continue;
        }
        let number = |at: usize| cells[at].parse::<f64>().map_err(|_| wrong("a number was expected"));
        let list = |at: usize| match &cells[at] {
            "" => Vec::new(),
            text => text.split(SEPARATOR).map(str::to_string).collect(),
        };
        let count = |at: usize| cells[at].parse::<u64>().map_err(|_| wrong("a number was expected"));
        let values = (0..counters.len()).map(|i| count(FIRST.len() + i));
        let values: Vec<u64> = values.collect::<Result<_, _>>()?;
        let (properties, expected) = (list(3), list(5));
        runs.push(Run {
            task: cells[0].to_string(),
            property: cells[1].to_string(),
            configuration: cells[2].to_string(),
            verdicts: list(4),
            // A list of one empty cell is an empty text.
            expected: if expected.is_empty() && properties.len() == 1 {
                vec![String::new()]
            } else {
                expected
            },
            properties,
            cpu_s: number(6)?,
            analysis_cpu_s: number(7)?,
            refinement_wall_s: number(8)?,
            wall_s: number(9)?,
            memory_mb: count(10)?,
            counters: counters.iter().cloned().zip(values).collect(),
            reason: cells[header.len() - 1].to_string(),
        });
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_study_goes_on_where_it_stopped() {
        let folder = std::env::temp_dir().join(format!("provident-journal-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let counters = ["refinements", "solver ticks"];
        let run = |task: &str| Run {
            task: task.to_string(),
            configuration: "multi".to_string(),
            properties: vec!["p".to_string(), "q/r".to_string()],
            verdicts: vec!["true".to_string(), "unknown".to_string()],
            expected: vec!["true".to_string(), String::new()],
            cpu_s: 0.25,
            counters: [("refinements".to_string(), 3), ("solver ticks".to_string(), 0)].into(),
            reason: "no, \"never\"".to_string(),
            ..Run::default()
        };
        let mut journal = Journal::open(&folder, &counters, "plan\n").unwrap();
        journal.append(run("a")).unwrap();
        journal.append(run("b")).unwrap();
        drop(journal);
        let path = folder.join("runs.csv");
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 7]).unwrap();
        let mut journal = Journal::open(&folder, &counters, "plan\n").unwrap();
        assert_eq!(journal.runs(), [run("a")]);
        assert!(journal.holds("a", "", "multi") && !journal.holds("b", "", "multi"));
        journal.append(run("b")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        assert!(
            Journal::open(&folder, &counters, "other\n")
                .unwrap_err()
                .contains("another study")
        );
        assert!(
            Journal::open(&folder, &["merges"], "plan\n")
                .unwrap_err()
                .contains("runs.csv:1:1: error")
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
