//! The page of an experiment: one HTML file that needs nothing else, with the data in it and a small script that filters, sorts and draws.
//!
//! The data are columns by number: names of tasks, properties and reasons stand once, a run is a list of numbers and the letters of its results. So 5,000 runs are about half a megabyte, which a browser reads in no time, and
//! the table makes elements only for the rows that can be seen. The script sets text as text, never as markup, and `<` in the data is escaped, so that no name of a file can become a part of the page.
//!
//! | letter | result |
//! |---|---|
//! | `T`, `F` | TRUE or FALSE, as expected |
//! | `t`, `f` | TRUE or FALSE, against what is expected |
//! | `a`, `b` | TRUE or FALSE, where nothing is expected |
//! | `u`, `n` | UNKNOWN; no verdict |

use super::compare::Comparison;
use super::results::{Results, Run};
use super::study::section::escape;
use super::text::Text;
use serde::Serialize;
use std::collections::HashMap;
use std::io::{self, Write};

/// Texts by number, each once.
#[derive(Default)]
struct Numbered<'t> {
    numbers: HashMap<&'t str, usize>,
    texts: Vec<&'t str>,
}

impl<'t> Numbered<'t> {
    fn number(&mut self, text: &'t str) -> usize {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() - 1
        })
    }
}

/// The data for the script of the page.
#[derive(Serialize)]
struct Data<'d> {
    about: String,
    setting: String,
    configurations: Vec<String>,
    counters: &'d [String],
    tasks: Vec<&'d str>,
    subjects: Vec<&'d str>,
    names: Vec<Vec<&'d str>>,
    codes: Vec<&'d str>,
    texts: Vec<&'d str>,
    comparisons: &'d [Comparison],
}

/// Writes the page. `study` is the part that a paper's study adds. Runs go to the file one after the other: as one text they would be the greatest thing that an experiment holds.
///
/// # Errors
/// Passes on failures of the target.
pub fn page(
    results: &Results,
    comparisons: &[Comparison],
    study: Option<&str>,
    target: &mut dyn Write,
) -> io::Result<()> {
    let identity = &results.header.identity;
    let definition = &identity.definition;
    let title = if definition.title.is_empty() {
        &definition.name
    } else {
        &definition.title
    };
    let link = if study.is_some() {
        "<a href=\"#study\">Study</a>"
    } else {
        ""
    };
    let template = include_str!("page/page.html")
        .replace("{title}", &escape(title))
        .replace("{style}", include_str!("page/style.css"))
        .replace("{study-link}", link);
    let (before, after) = template.split_once("{study}").expect("the template has its place");
    let (middle, rest) = after.split_once("{data}").expect("the template has its place");
    let (between, end) = rest.split_once("{script}").expect("the template has its place");
    target.write_all(before.as_bytes())?;
    if let Some(body) = study {
        let title = "The study's tables and figures";
        write!(target, "<section id=\"study\"><h2>{title}</h2>\n{body}</section>\n")?;
    }
    target.write_all(middle.as_bytes())?;
    data(results, comparisons, &mut Escaped(&mut *target))?;
    target.write_all(between.as_bytes())?;
    target.write_all(include_bytes!("page/view.js"))?;
    target.write_all(end.as_bytes())
}

/// JSON in which no text can end the element that it stands in: `<` occurs in strings only, and there it has another form.
struct Escaped<'w>(&'w mut dyn Write);

impl Write for Escaped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut parts = bytes.split(|byte| *byte == b'<');
        self.0.write_all(parts.next().unwrap_or_default())?;
        for part in parts {
            self.0.write_all(b"\\u003c")?;
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes the data as JSON.
fn data(results: &Results, comparisons: &[Comparison], target: &mut dyn Write) -> io::Result<()> {
    let identity = &results.header.identity;
    let definition = &identity.definition;
    let configurations: HashMap<&str, usize> = definition
        .configurations
        .iter()
        .enumerate()
        .map(|(at, c)| (c.name.as_str(), at))
        .collect();
    let (mut tasks, mut subjects) = (Numbered::default(), Numbered::default());
    let (mut codes, mut texts) = (Numbered::default(), Numbered::default());
    let mut names: Vec<Vec<&str>> = Vec::new();
    let mut known: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut separator = "{\"runs\":[";
    for run in &results.runs {
        let Some(configuration) = configurations.get(run.configuration.as_str()) else {
            continue;
        };
        let own: Vec<&str> = run.properties.iter().map(|name| &**name).collect();
        let set = *known.entry(own.clone()).or_insert_with(|| {
            names.push(own);
            names.len() - 1
        });
        let number = |value: f64| (value * 1e4).round() / 1e4;
        let text = |text: &str| serde_json::to_string(text).expect("a text is JSON");
        let report = if run.report.is_empty() {
            "0".to_string()
        } else {
            text(&run.report)
        };
        let (task, subject) = (tasks.number(&run.task), subjects.number(&run.property));
        let (code, reason) = (codes.number(&run.reason_code), texts.number(&run.reason));
        write!(
            target,
            "{separator}[{task},{subject},{configuration},\"{}\",{set},{},{},{},{},{code},{reason},{report}",
            letters(run),
            number(run.cpu_s),
            number(run.wall_s),
            number(run.memory_mb),
            run.ticks,
        )?;
        for name in &definition.counters {
            write!(target, ",{}", run.counter(name))?;
        }
        target.write_all(b"]")?;
        separator = ",";
    }
    if separator != "," {
        target.write_all(separator.as_bytes())?;
    }
    let rest = Data {
        about: about(results),
        setting: identity.words(),
        configurations: results.configurations(),
        counters: &definition.counters,
        tasks: tasks.texts,
        subjects: subjects.texts,
        names,
        codes: codes.texts,
        texts: texts.texts,
        comparisons,
    };
    target.write_all(b"],\"rest\":")?;
    serde_json::to_writer(&mut *target, &rest)?;
    target.write_all(b"}")
}

fn about(results: &Results) -> String {
    let identity = &results.header.identity;
    let mut text = format!(
        "{} runs of {} tasks, {}",
        results.runs.len(),
        identity.tasks,
        identity.version
    );
    if results.missing() > 0 {
        text.push_str(&format!(". {} runs are missing", results.missing()));
    }
    text
}

/// The results of a run as letters.
fn letters(run: &Run) -> String {
    if run.verdicts.is_empty() {
        return "n".to_string();
    }
    let letter = |(verdict, expected): (&Text, &Text)| match (&**verdict, &**expected) {
        ("true", "true") => 'T',
        ("false", "false") => 'F',
        ("true", "false") => 't',
        ("false", "true") => 'f',
        ("true", _) => 'a',
        ("false", _) => 'b',
        _ => 'u',
    };
    run.verdicts.iter().zip(&run.expected).map(letter).collect()
}
