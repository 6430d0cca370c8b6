//! BenchExec (Beyer, Löwe, Wendler, *Reliable benchmarking*, STTT 2019): its result files are written and read, so that its `table-generator` makes tables of our journals, and our pages show its results; and the tool-info
//! module by which it runs this program.
//!
//! A result file is XML: a `result` with what was run and how, and a `run` for each task and property with columns (`status`, `category`, `cputime`, `walltime`, `memory`, counters). One file holds one configuration.
//! A run of ours with several properties is a `run` for each of them, with the time and memory of the whole.

use super::definition::{Configuration, Definition, Of};
use super::error::Error;
use super::journal::{self, Header, Journal, Line};
use super::plan::Identity;
use super::record::{Judgement, PropertyRecord, Record};
use crate::report::files;
use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of the tool-info package, by name.
const PACKAGE: &[(&str, &str)] = &[
    ("pyproject.toml", include_str!("benchexec/package/pyproject.toml")),
    ("provident.yml", include_str!("benchexec/package/provident.yml")),
    (
        "provident_benchexec/__init__.py",
        include_str!("benchexec/package/provident_benchexec/__init__.py"),
    ),
    (
        "provident_benchexec/tool.py",
        include_str!("benchexec/package/provident_benchexec/tool.py"),
    ),
];

/// Writes the tool-info package into a folder: `pip install DIR`, or the folder on `PYTHONPATH`.
///
/// # Errors
/// A file cannot be written.
pub fn package(folder: &Path) -> Result<(), Error> {
    for (name, text) in PACKAGE {
        let path = folder.join(name);
        let parent = path.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(parent).map_err(|error| Error::unwritable(parent, error))?;
        std::fs::write(&path, text).map_err(|error| Error::unwritable(&path, error))?;
    }
    Ok(())
}

/// Writes the journal of `folder` as result files, one for each configuration, into `out`. Returns their names.
///
/// # Errors
/// The journal cannot be read, or a file cannot be written.
pub fn export(folder: &Path, out: &Path) -> Result<Vec<PathBuf>, Error> {
    let path = folder.join(journal::FILE);
    let header = journal::header(&path)?;
    let configurations = &header.identity.definition.configurations;
    let order = |name: &str| configurations.iter().position(|c| c.name == name).unwrap_or(usize::MAX);
    let mut texts: Vec<String> = configurations.iter().map(|c| opening(&header, c)).collect();
    journal::read_sorted(&path, order, |record| {
        if let Some(text) = texts.get_mut(order(&record.configuration)) {
            run(text, &header, &record);
        }
        Ok(())
    })?;
    std::fs::create_dir_all(out).map_err(|error| Error::unwritable(out, error))?;
    let mut written = Vec::new();
    for (configuration, mut text) in configurations.iter().zip(texts) {
        text.push_str("</result>\n");
        let name = format!("{}.results.{}.xml", header.identity.definition.name, configuration.name);
        files::write(out, &name, &text)
            .map_err(|error| Error::Program(format!("writing {name}"), error.to_string()))?;
        written.push(out.join(name));
    }
    Ok(written)
}

fn opening(header: &Header, configuration: &Configuration) -> String {
    let (identity, definition) = (&header.identity, &header.identity.definition);
    let version = identity.version.strip_prefix("provident ").unwrap_or(&identity.version);
    let options: Vec<String> = definition
        .arguments
        .iter()
        .chain(&configuration.arguments)
        .cloned()
        .collect();
    let mut attributes = vec![
        ("benchmarkname", definition.name.clone()),
        ("date", header.started.clone()),
        ("starttime", header.started.clone()),
        ("tool", "Provident".to_string()),
        ("version", version.to_string()),
        ("toolmodule", "provident_benchexec.tool".to_string()),
        ("generator", identity.version.clone()),
        ("displayName", configuration.name.clone()),
        ("name", configuration.name.clone()),
        ("options", options.join(" ")),
    ];
    attributes.extend(definition.limits.cpu.map(|cpu| ("timelimit", format!("{cpu}s"))));
    attributes.extend(
        definition
            .limits
            .memory
            .map(|memory| ("memlimit", format!("{}B", memory * 1_000_000))),
    );
    let mut text = String::from(
        "<?xml version=\"1.0\" ?>\n<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.18//EN' 'https://www.sosy-lab.org/benchexec/result-3.18.dtd'>\n<result",
    );
    for (name, value) in attributes {
        let _ = write!(text, " {name}=\"{}\"", escape(value.as_str()));
    }
    text.push_str(">\n<columns>");
    for name in ["status", "cputime", "walltime", "memory", "reason"]
        .into_iter()
        .chain(definition.counters.iter().map(String::as_str))
    {
        let _ = write!(text, "<column title=\"{}\"/>", escape(name));
    }
    text.push_str("</columns>\n");
    text
}

/// Writes a run for each property of a record.
fn run(text: &mut String, header: &Header, record: &Record) {
    let none = PropertyRecord {
        name: record.property.clone(),
        verdict: record.verdict.clone(),
        reason_code: record.reason_code.clone(),
        ..PropertyRecord::default()
    };
    let properties = if record.properties.is_empty() {
        std::slice::from_ref(&none)
    } else {
        &record.properties
    };
    for property in properties {
        let (status, category) = status(property);
        let expected = property
            .expected
            .map(|e| format!(" expectedVerdict=\"{e}\""))
            .unwrap_or_default();
        let task = Path::new(&header.root).join(&record.task).display().to_string();
        let _ = writeln!(
            text,
            "<run name=\"{0}\" files=\"[{0}]\" properties=\"{1}\"{expected}>",
            escape(task.as_str()),
            escape(property.name.as_str())
        );
        let bytes = (record.memory_mb * 1024.0 * 1024.0).round();
        let mut columns = vec![
            ("status".to_string(), status),
            ("category".to_string(), category.to_string()),
            ("cputime".to_string(), format!("{}s", record.cpu_s)),
            ("walltime".to_string(), format!("{}s", record.wall_s)),
            ("memory".to_string(), format!("{bytes}B")),
            ("reason".to_string(), property.reason_code.clone()),
            ("host".to_string(), record.host.clone()),
            ("starttime".to_string(), record.started.clone()),
        ];
        columns.extend(
            record
                .statistics
                .iter()
                .map(|(name, value)| (name.clone(), value.to_string())),
        );
        for (title, value) in columns.iter().filter(|(_, value)| !value.is_empty()) {
            let _ = writeln!(
                text,
                "<column title=\"{}\" value=\"{}\"/>",
                escape(title.as_str()),
                escape(value.as_str())
            );
        }
        text.push_str("</run>\n");
    }
}

/// Status and category in the words of BenchExec.
fn status(property: &PropertyRecord) -> (String, &'static str) {
    let category = match (property.judgement(), property.verdict.as_str()) {
        (Judgement::Correct, _) => "correct",
        (Judgement::Wrong, _) => "wrong",
        (Judgement::Open, "true" | "false") => "missing",
        (Judgement::Open, "unknown") => "unknown",
        (Judgement::Open, _) => "error",
    };
    let status = match (property.verdict.as_str(), property.reason_code.as_str()) {
        ("true", _) => "true".to_string(),
        ("false", _) => format!("false({})", property.name),
        (_, "cpu-limit" | "wall-limit" | "tick-limit") => "TIMEOUT".to_string(),
        (_, "memory-limit") => "OUT OF MEMORY".to_string(),
        ("unknown", "") => "unknown".to_string(),
        ("unknown", code) => format!("unknown({code})"),
        (_, code) => format!("ERROR({code})"),
    };
    let category = if matches!(status.as_str(), "TIMEOUT" | "OUT OF MEMORY") {
        "error"
    } else {
        category
    };
    (status, category)
}

/// The text of a result file, which may be compressed.
fn text_of(path: &Path) -> Result<String, Error> {
    let program = match path.extension().and_then(|extension| extension.to_str()) {
        Some("bz2") => "bzip2",
        Some("gz") => "gzip",
        _ => return std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, error)),
    };
    let failed = |what: String| Error::Program(program.to_string(), what);
    let output = Command::new(program)
        .arg("-dc")
        .arg(path)
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The attributes of an element.
fn attributes(file: &Path, element: &BytesStart<'_>) -> Result<BTreeMap<String, String>, Error> {
    let mut found = BTreeMap::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| Error::malformed(file, 0, error))?;
        let value = quick_xml::escape::unescape(&attribute.value).map_err(|error| Error::malformed(file, 0, error))?;
        found.insert(attribute.key.as_ref().to_string(), value.into_owned());
    }
    Ok(found)
}

/// One result file: how it calls itself, the line of the tool's version, and its runs.
struct Imported {
    name: String,
    tool: String,
    started: String,
    records: Vec<Record>,
}

/// Reads result files of any tool and writes a journal into `out`: each file is a configuration.
///
/// # Errors
/// A file cannot be read or is malformed, or the folder has a journal already.
pub fn import(paths: &[PathBuf], out: &Path) -> Result<usize, Error> {
    let mut results = Vec::new();
    for path in paths {
        results.push(read(path, &text_of(path)?)?);
    }
    let mut definition = Definition::single("imported", Vec::new());
    definition.configurations.clear();
    for result in &mut results {
        let plain: String = result
            .name
            .chars()
            .map(|c| {
                if c.is_alphanumeric() || "._-+".contains(c) {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        let same = |name: &str| definition.configurations.iter().any(|c| c.name == name);
        let name = (1..)
            .map(|n| if n == 1 { plain.clone() } else { format!("{plain}-{n}") })
            .find(|name| !same(name));
        let name = name.expect("there is always another number");
        definition.configurations.push(Configuration {
            name: name.clone(),
            arguments: Vec::new(),
            of: Of::Any,
        });
        result
            .records
            .iter_mut()
            .for_each(|record| record.configuration.clone_from(&name));
    }
    let mut tools: Vec<&str> = results.iter().map(|result| result.tool.as_str()).collect();
    tools.dedup();
    let mut tasks: Vec<&str> = results
        .iter()
        .flat_map(|result| result.records.iter().map(|r| r.task.as_str()))
        .collect();
    tasks.sort_unstable();
    tasks.dedup();
    let mut counters: Vec<String> = results
        .iter()
        .flat_map(|r| r.records.iter().flat_map(|r| r.statistics.keys().cloned()))
        .collect();
    counters.sort_unstable();
    counters.dedup();
    definition.counters = counters;
    let count = results.iter().map(|result| result.records.len()).sum();
    let identity = Identity {
        version: tools.join(", "),
        definition,
        tasks: tasks.len(),
        names: String::new(),
        shard: (1, 1),
        contents: String::new(),
        runs: count,
    };
    let header = Header {
        started: results.first().map(|result| result.started.clone()).unwrap_or_default(),
        ..Header::now(identity, Path::new(""))
    };
    if out.join(journal::FILE).exists() {
        let what = "results are imported into a folder of their own".to_string();
        return Err(Error::Mismatch(out.to_path_buf(), what));
    }
    let (mut journal, _) = Journal::open(out, header)?;
    for record in results.into_iter().flat_map(|result| result.records) {
        journal.append(&Line::Run(Box::new(record)))?;
    }
    Ok(count)
}

fn read(file: &Path, text: &str) -> Result<Imported, Error> {
    let mut reader = Reader::from_str(text);
    let mut imported: Option<Imported> = None;
    let mut current: Option<(Record, BTreeMap<String, String>)> = None;
    loop {
        let event = reader.read_event().map_err(|error| Error::malformed(file, 0, error))?;
        match event {
            Event::Eof => {
                return imported.ok_or_else(|| Error::malformed(file, 0, "this is no result file of BenchExec"));
            }
            Event::Start(element) | Event::Empty(element) => match element.local_name().as_ref() {
                "result" => imported = Some(opened(&attributes(file, &element)?)),
                "run" => {
                    let given = attributes(file, &element)?;
                    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
                    let property = PropertyRecord {
                        name: get("properties"),
                        expected: get("expectedVerdict")
                            .split('(')
                            .next()
                            .and_then(|word| word.parse().ok()),
                        ..PropertyRecord::default()
                    };
                    let record = Record {
                        task: get("name"),
                        property: get("properties"),
                        properties: vec![property],
                        ..Record::default()
                    };
                    current = Some((record, BTreeMap::new()));
                }
                "column" => {
                    if let Some((_, columns)) = &mut current {
                        let mut given = attributes(file, &element)?;
                        let (title, value) = (given.remove("title"), given.remove("value"));
                        columns.insert(title.unwrap_or_default(), value.unwrap_or_default());
                    }
                }
                _ => {}
            },
            Event::End(element) if element.local_name().as_ref() == "run" => {
                if let (Some((record, columns)), Some(imported)) = (current.take(), &mut imported) {
                    imported.records.push(completed(record, &columns));
                }
            }
            _ => {}
        }
    }
}

fn opened(given: &BTreeMap<String, String>) -> Imported {
    let get = |name: &str| given.get(name).cloned().unwrap_or_default();
    let names = [get("displayName"), get("name"), get("benchmarkname"), get("tool")];
    Imported {
        name: names
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_else(|| "results".to_string()),
        tool: format!("{} {}", get("tool"), get("version")),
        started: get("starttime"),
        records: Vec::new(),
    }
}

/// Fills in what the columns say.
fn completed(mut record: Record, columns: &BTreeMap<String, String>) -> Record {
    let get = |name: &str| columns.get(name).map(String::as_str).unwrap_or_default();
    let number = |name: &str, unit: &str| get(name).trim_end_matches(unit).parse::<f64>().unwrap_or(0.0);
    let status = get("status");
    let word = status.split('(').next().unwrap_or_default().trim();
    let (verdict, code) = match (word, get("category")) {
        ("true" | "false", _) => (word, String::new()),
        ("TIMEOUT", _) => ("unknown", "cpu-limit".to_string()),
        ("OUT OF MEMORY", _) => ("unknown", "memory-limit".to_string()),
        (_, "error") => ("none", "process-died".to_string()),
        _ => {
            let inner = status.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
            ("unknown", inner.unwrap_or_default().to_string())
        }
    };
    record.verdict = verdict.to_string();
    record.reason_code.clone_from(&code);
    if !code.is_empty() || verdict == "unknown" {
        record.reason = status.to_string();
    }
    let property = &mut record.properties[0];
    property.verdict = record.verdict.clone();
    (property.reason_code, property.reason) = (code, record.reason.clone());
    if verdict == "none" {
        record.properties.clear();
    }
    (record.cpu_s, record.wall_s) = (number("cputime", "s"), number("walltime", "s"));
    record.memory_mb = (number("memory", "B") / 1024.0 / 1024.0 * 10.0).round() / 10.0;
    (record.host, record.started) = (get("host").to_string(), get("starttime").to_string());
    record.ended = get("exitcode").to_string();
    let statistics = columns
        .iter()
        .filter_map(|(name, value)| Some((name.clone(), value.parse().ok()?)));
    record.statistics = statistics
        .filter(|(name, _)| !matches!(name.as_str(), "status" | "category" | "exitcode" | "returnvalue"))
        .collect();
    record.ticks = record.statistics.get("solver ticks").copied().unwrap_or(0);
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_comes_back_from_its_export() {
        let folder = std::env::temp_dir().join(format!("provident-benchexec-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut definition = Definition::single("e", Vec::new());
        definition.limits.cpu = Some(9.0);
        let identity = Identity {
            version: "provident 1 (x)".to_string(),
            definition,
            tasks: 1,
            names: String::new(),
            shard: (1, 1),
            contents: String::new(),
            runs: 2,
        };
        let (mut journal, _) = Journal::open(&folder, Header::now(identity, Path::new("/tasks"))).unwrap();
        let property = |verdict: &str, code: &str| PropertyRecord {
            name: "unreach-call".to_string(),
            verdict: verdict.to_string(),
            expected: Some(true),
            reason_code: code.to_string(),
            ..PropertyRecord::default()
        };
        for (task, verdict, code) in [
            ("a&b.yml", "false", ""),
            ("c.yml", "unknown", "no-progress"),
            ("d.yml", "unknown", "cpu-limit"),
        ] {
            let record = Record {
                task: task.to_string(),
                configuration: "default".to_string(),
                verdict: verdict.to_string(),
                properties: vec![property(verdict, code)],
                cpu_s: 1.5,
                memory_mb: 10.0,
                statistics: BTreeMap::from([("solver ticks".to_string(), 7)]),
                ..Record::default()
            };
            journal.append(&Line::Run(Box::new(record))).unwrap();
        }
        drop(journal);
        let written = export(&folder, &folder.join("xml")).unwrap();
        let text = std::fs::read_to_string(&written[0]).unwrap();
        assert!(
            text.contains("name=\"/tasks/a&amp;b.yml\"")
                && text.contains("value=\"false(unreach-call)\"")
                && text.contains("value=\"wrong\""),
            "{text}"
        );
        assert!(
            text.contains("value=\"unknown(no-progress)\"")
                && text.contains("value=\"TIMEOUT\"")
                && text.contains("timelimit=\"9s\""),
            "{text}"
        );
        assert_eq!(import(&written, &folder.join("back")).unwrap(), 3);
        let results = crate::campaign::results::Results::read(&folder.join("back")).unwrap();
        let run = &results.runs[0];
        assert_eq!(
            (run.task.as_str(), run.verdict.as_str(), run.wrong()),
            ("/tasks/a&b.yml", "false", 1)
        );
        assert_eq!((run.cpu_s, run.memory_mb, run.ticks), (1.5, 10.0, 7));
        assert_eq!(
            (
                results.runs[1].reason_code.as_str(),
                results.runs[2].reason_code.as_str()
            ),
            ("no-progress", "cpu-limit")
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
