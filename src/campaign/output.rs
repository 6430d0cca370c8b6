//! The files of an experiment, made from its journal: the journal is the only thing that has to be kept.
//!
//! | file | is |
//! |---|---|
//! | `journal.jsonl` | the results |
//! | `runs.csv` | a row for each property of each run, with all counters |
//! | `options.csv` | the effective options of the runs, by the hash that `runs.csv` names |
//! | `results.json` | the numbers of each configuration, the comparisons of all pairs, and which experiment it is |
//! | `summary.txt` | the same in lines |
//! | `index.html` | the page |

use super::compare::{self, Comparison};
use super::error::Error;
use super::journal;
use super::page;
use super::results::Results;
use super::study;
use super::table::{self, Summary};
use crate::report::files;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A summary of the files.
#[derive(Clone, Debug)]
pub struct Said {
    /// The numbers of each configuration.
    pub summaries: Vec<Summary>,
    /// Lines that sum everything up.
    pub lines: Vec<String>,
}

/// `results.json`.
#[derive(Serialize)]
struct Json<'a> {
    provident: &'a str,
    experiment: &'a journal::Header,
    runs: usize,
    missing: usize,
    interrupted_runs: usize,
    interrupted_cpu_s: f64,
    configurations: &'a [Summary],
    comparisons: &'a [Comparison],
}

/// Writes all files of the experiment in a folder.
///
/// # Errors
/// The journal cannot be read, or a file cannot be written.
pub fn write(folder: &Path) -> Result<Said, Error> {
    let results = Results::read(folder)?;
    let configurations = results.configurations();
    let summaries = table::summaries(&configurations, &results.runs);
    let comparisons = compare::all(&configurations, &results.runs);
    let definition = &results.header.identity.definition;
    let section = study::evaluate(definition.evaluation, &results.runs);
    let mut lines: Vec<String> = section.iter().flat_map(|(_, lines)| lines.iter().cloned()).collect();
    lines.extend(general(&results, &summaries, &comparisons));
    let text = lines.join("\n") + "\n";
    let json = Json {
        provident: &results.header.identity.version,
        experiment: &results.header,
        runs: results.runs.len(),
        missing: results.missing(),
        interrupted_runs: results.interrupted.0,
        interrupted_cpu_s: results.interrupted.1,
        configurations: &summaries,
        comparisons: &comparisons,
    };
    let json = serde_json::to_string_pretty(&json).expect("results have only string keys and finite numbers") + "\n";
    let put = |name: &str, text: &str| {
        files::write(folder, name, text).map_err(|error| Error::Program(format!("writing {name}"), error.to_string()))
    };
    put("summary.txt", &text)?;
    put("results.json", &json)?;
    stream(folder, "index.html", |target| {
        let study = section.as_ref().map(|(section, _)| section.html());
        page::page(&results, &comparisons, study, target).map_err(|error| Error::unwritable(folder, error))
    })?;
    drop(results);
    stream(folder, "runs.csv", |target| {
        table::csv(&folder.join(journal::FILE), target)
    })?;
    stream(folder, "options.csv", |target| {
        table::options_csv(&folder.join(journal::FILE), target)
    })?;
    Ok(Said { summaries, lines })
}

/// Writes a large file piece by piece: completely or not at all.
fn stream(
    folder: &Path,
    name: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (target, temporary) = (
        folder.join(name),
        folder.join(format!(".{name}.{}", std::process::id())),
    );
    let unwritable = |error| Error::unwritable(&target, error);
    let written = File::create(&temporary).map_err(unwritable).and_then(|file| {
        let mut writer = BufWriter::new(file);
        content(&mut writer)?;
        writer.flush().map_err(unwritable)?;
        std::fs::rename(&temporary, &target).map_err(unwritable)
    });
    if written.is_err() {
        // Half a file under another name helps nobody.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// The lines that every experiment has.
fn general(results: &Results, summaries: &[Summary], comparisons: &[Comparison]) -> Vec<String> {
    let mut lines: Vec<String> = summaries.iter().map(Summary::line).collect();
    let first = results.configurations().into_iter().next().unwrap_or_default();
    for c in comparisons.iter().filter(|c| c.before == first && c.compared > 0) {
        lines.push(format!(
            "{} against {}: speed-up mean {:.2}, median {:.2}, geometric {:.2} [{:.2} to {:.2}] over {} subjects that both decide alike; faster on {}, slower on {} (sign test p = {:.2e}); {} answers gained, {} lost, {} changed",
            c.after, c.before, c.mean.value, c.median.value, c.geometric.value, c.geometric.low, c.geometric.high, c.compared, c.faster, c.slower, c.p, c.gained, c.lost, c.changed
        ));
    }
    let dead: Vec<_> = results.runs.iter().filter(|run| run.verdict == "none").collect();
    if let Some(first) = dead.first() {
        lines.push(format!(
            "{} runs ended without verdicts, the first of {}: {}",
            dead.len(),
            first.task,
            first.reason
        ));
    }
    if results.interrupted.0 > 0 {
        let (count, cpu) = results.interrupted;
        lines.push(format!(
            "{count} runs were interrupted and run again; they took {cpu:.1} s CPU, which stands in no table"
        ));
    }
    if results.missing() > 0 {
        lines.push(format!("{} runs are missing", results.missing()));
    }
    lines
}
