//! An execution as text: the path, then the inputs on which it depends.
//!
//! Rounds of loops are [folded](super::fold). A file with a long path goes by the shortest end of it that tells it from the others of the trace; the whole stands once
//! at the end. Inputs without influence on the path are counted only.

use super::fold::{Item, folded};
use super::paint::Paint;
use super::{InputReport, LineReport, TraceReport};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Runs of fewer inputs than this are listed one by one.
const FEWEST_FOLDED: usize = 4;

/// How many values of a folded run are shown where they differ.
const VALUES_SHOWN: usize = 3;

/// Columns between the stops of a tabulator.
const TAB: usize = 4;

/// File names of this length stay whole: a terminal can follow them.
const LONGEST_NAME: usize = 32;

/// The widest indentation of a source line that is kept.
const WIDEST: usize = 24;

/// An execution, without colour.
pub fn trace(trace: &TraceReport) -> String {
    painted(trace, Paint::PLAIN)
}

/// An execution: its lines, indented by call depth, with what happened behind the source text; then its inputs.
pub fn painted(trace: &TraceReport, paint: Paint) -> String {
    let lines = trace.lines.iter().map(|line| line.file.as_str());
    let inputs = shown(trace).map(|(_, input)| input.file.as_str());
    let names = Names::new(lines.chain(inputs));
    let mut path = Path {
        trace,
        names: &names,
        paint,
        text: String::new(),
        place: None,
    };
    path.items(&folded(&trace.lines));
    let mut text = path.text;
    text.push_str(&inputs_text(trace, &names, paint));
    text.push_str(&names.whole(paint));
    text
}

/// Writes the path.
struct Path<'t> {
    trace: &'t TraceReport,
    names: &'t Names<'t>,
    paint: Paint,
    text: String,
    /// The function that is shown.
    place: Option<(&'t str, &'t str, usize)>,
}

impl Path<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Line(at) => self.line(*at),
                Item::Rounds { first, hidden, last } => {
                    self.items(first);
                    let depth = self.place.map_or(1, |(_, _, depth)| depth);
                    let gap = format!("... {hidden} more rounds like this one; the last one:");
                    let gap = self.paint.quiet(&gap);
                    writeln!(self.text, "  {}        {gap}", indent(depth)).expect("writing to a string");
                    self.items(last);
                }
            }
        }
    }

    fn line(&mut self, at: usize) {
        let line = &self.trace.lines[at];
        let indent = indent(line.depth);
        let place = (line.file.as_str(), line.function.as_str(), line.depth);
        if self.place != Some(place) {
            let head = format!("{} in {}:", self.names.short(&line.file), line.function);
            writeln!(self.text, "  {indent}{}", self.paint.head(&head)).expect("writing to a string");
            self.place = Some(place);
        }
        let is_last = at + 1 == self.trace.lines.len();
        let number = format!("{:>6}:", line.line);
        let number = match is_last {
            true => self.paint.bad(&number),
            false => self.paint.quiet(&number),
        };
        let source = source(line);
        write!(self.text, "  {indent}{number} {source}").expect("writing to a string");
        if !line.notes.is_empty() {
            let notes = format!("// {}", line.notes.join(", "));
            let notes = match is_last {
                true => self.paint.bad(&notes),
                false => self.paint.note(&notes),
            };
            write!(self.text, "    {notes}").expect("writing to a string");
        }
        self.text.push('\n');
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth.saturating_sub(1).min(20))
}

/// The source line: blanks for tabulators, and a line of generated code, which may be very long, is cut: what matters stands behind it.
fn source(line: &LineReport) -> String {
    const LONGEST: usize = 120;
    let body = line.text.trim_start();
    let mut column = 0;
    for c in line.text[..line.text.len() - body.len()].chars() {
        column += if c == '\t' { TAB - column % TAB } else { 1 };
    }
    let blanks = " ".repeat(column.min(WIDEST));
    let body = body.replace('\t', " ");
    match body.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{blanks}{} ...", &body[..end]),
        None => blanks + &body,
    }
}

/// The short names of files.
struct Names<'t> {
    short: BTreeMap<&'t str, &'t str>,
}

impl<'t> Names<'t> {
    fn new(files: impl Iterator<Item = &'t str>) -> Self {
        let files: BTreeSet<&str> = files.collect();
        let short = files.iter().map(|&file| {
            if file.len() <= LONGEST_NAME {
                return (file, file);
            }
            let ends = file.rmatch_indices('/').map(|(at, _)| &file[at + 1..]);
            let is_alone = |end: &&str| files.iter().filter(|other| ends_with(other, end)).count() == 1;
            (file, ends.chain([file]).find(is_alone).unwrap_or(file))
        });
        Names { short: short.collect() }
    }

    fn short<'f>(&self, file: &'f str) -> &'f str
    where
        't: 'f,
    {
        self.short.get(file).copied().unwrap_or(file)
    }

    /// The whole names of the files that are shown by a part of theirs.
    fn whole(&self, paint: Paint) -> String {
        let mut text = String::new();
        for (whole, short) in self.short.iter().filter(|(whole, short)| whole != short) {
            let line = format!("{short} is {whole}");
            writeln!(text, "  {}", paint.quiet(&line)).expect("writing to a string");
        }
        text
    }
}

/// Whether a path ends with whole components.
fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The inputs that may have influence on the path, with their numbers.
pub(super) fn shown(trace: &TraceReport) -> impl Iterator<Item = (usize, &InputReport)> {
    let middle = trace.middle();
    let numbered = trace.inputs.iter().enumerate().map(move |(at, input)| {
        let number = match input.number {
            0 => at + 1 + if at < middle { 0 } else { trace.inputs_left_out },
            number => number,
        };
        (number, input)
    });
    numbered.filter(|(_, input)| input.decisive != Some(false))
}

/// How many inputs have no influence on the path.
fn without_influence(trace: &TraceReport) -> usize {
    let listed = trace.inputs.iter().filter(|input| input.decisive == Some(false));
    listed.count() + trace.inputs_without_influence
}

/// Runs of inputs of the same place and meaning, such as the many scalars of an extern structure.
fn runs<'r, 't>(inputs: &'r [(usize, &'t InputReport)]) -> impl Iterator<Item = &'r [(usize, &'t InputReport)]> {
    inputs.chunk_by(|(_, a), (_, b)| (&a.file, a.line, a.column, &a.what) == (&b.file, b.line, b.column, &b.what))
}

/// Rows that are shown from the beginning of a table of inputs, and from its end.
const MAX_ROWS: usize = 250;

/// One row of a table of inputs.
struct InputRow<'t> {
    /// The number of the input, or of the first and the last one.
    numbers: String,
    what: &'t str,
    /// The value, or what the values of the run are.
    values: String,
    /// How many inputs it is about.
    count: usize,
    at: &'t InputReport,
}

/// The inputs in rows, a long run as one row; and how many inputs are left out, with the number of rows before them.
fn rows(trace: &TraceReport) -> (Vec<InputRow<'_>>, Option<(usize, usize)>) {
    let mut rows = Vec::new();
    let all: Vec<(usize, &InputReport)> = shown(trace).collect();
    let middle = match trace.inputs_left_out {
        0 => all.len(),
        _ => trace.middle().min(all.len()),
    };
    let mut gap = None;
    for half in [&all[..middle], &all[middle..]] {
        for run in runs(half) {
            if run.len() >= FEWEST_FOLDED {
                let (first, at) = run[0];
                let last = run[run.len() - 1].0;
                rows.push(InputRow {
                    numbers: format!("{first}..{last}"),
                    what: &at.what,
                    values: format!("{} inputs, {}", run.len(), run_of_values(run)),
                    count: run.len(),
                    at,
                });
                continue;
            }
            rows.extend(run.iter().map(|&(number, at)| InputRow {
                numbers: number.to_string(),
                what: &at.what,
                values: at.value.clone(),
                count: 1,
                at,
            }));
        }
        if gap.is_none() && trace.inputs_left_out > 0 {
            gap = Some((rows.len(), trace.inputs_left_out));
        }
    }
    if rows.len() > 2 * MAX_ROWS {
        let end = rows.len() - MAX_ROWS;
        let hidden: usize = rows.drain(MAX_ROWS..end).map(|row| row.count).sum();
        gap = Some((MAX_ROWS, hidden + trace.inputs_left_out));
    }
    (rows, gap)
}

/// The inputs as rows of a table: number, meaning, value, place; a long run is one row, and of very many rows there are the first and the last.
pub(super) fn input_rows(trace: &TraceReport) -> Vec<[String; 4]> {
    let (found, gap) = rows(trace);
    let mut rows: Vec<[String; 4]> = found
        .iter()
        .map(|row| {
            let file = row.at.file.rsplit('/').next().unwrap_or_default();
            let place = format!("{file}:{}:{}", row.at.line, row.at.column);
            [row.numbers.clone(), row.what.to_string(), row.values.clone(), place]
        })
        .collect();
    let note = |text: String| ["...".to_string(), text, String::new(), String::new()];
    if let Some((at, hidden)) = gap {
        rows.insert(at, note(left_out(hidden)));
    }
    rows.extend(idle(without_influence(trace)).map(note));
    rows
}

fn left_out(count: usize) -> String {
    format!("{count} more inputs are not shown; the harness has them")
}

/// What is said of inputs without influence.
fn idle(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 more input has no influence on the path".to_string()),
        _ => Some(format!("{count} more inputs have no influence on the path")),
    }
}

/// A line per input, or per run of inputs.
fn inputs_text(trace: &TraceReport, names: &Names<'_>, paint: Paint) -> String {
    let mut text = String::new();
    let (rows, gap) = rows(trace);
    for (at, row) in rows.iter().enumerate() {
        if let Some((_, hidden)) = gap.filter(|&(before, _)| before == at) {
            writeln!(text, "  {}", paint.quiet(&format!("... {}", left_out(hidden)))).expect("writing to a string");
        }
        let InputRow {
            numbers, what, values, ..
        } = row;
        let place = format!("at {}:{}:{}", names.short(&row.at.file), row.at.line, row.at.column);
        let separator = if row.count > 1 { ":" } else { " =" };
        let values = paint.note(values);
        writeln!(
            text,
            "  input {numbers}: {what}{separator} {values} {}",
            paint.quiet(&place)
        )
        .expect("writing to a string");
    }
    if let Some(idle) = idle(without_influence(trace)) {
        writeln!(text, "  {}", paint.quiet(&idle)).expect("writing to a string");
    }
    text
}

/// The values of a folded run, as text.
fn run_of_values(run: &[(usize, &InputReport)]) -> String {
    let first = &run[0].1.value;
    if run.iter().all(|(_, input)| input.value == *first) {
        return format!("all {first}");
    }
    let shown: Vec<&str> = run
        .iter()
        .take(VALUES_SHOWN)
        .map(|(_, input)| input.value.as_str())
        .collect();
    format!("values {}, ...", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn input(what: &str, line: u32, value: usize) -> InputReport {
        InputReport {
            number: 0,
            file: "a.c".to_string(),
            line,
            column: 1,
            what: what.to_string(),
            value: value.to_string(),
            decisive: None,
        }
    }

    #[test]
    fn runs_of_inputs_of_one_place_are_one_line() {
        let mut list: Vec<InputReport> = (0..130).map(|_| input("extern variable `m`", 1, 0)).collect();
        list.extend((0..5).map(|i| input("nd()", 2, i)));
        list.extend((0..2).map(|i| input("nd()", 3, i)));
        expect![[r#"
            input 1..130: extern variable `m`: 130 inputs, all 0 at a.c:1:1
            input 131..135: nd(): 5 inputs, values 0, 1, 2, ... at a.c:2:1
            input 136: nd() = 0 at a.c:3:1
            input 137: nd() = 1 at a.c:3:1
        "#]]
        .assert_eq(&trace(&TraceReport::new(Vec::new(), list)).replace("  input", "input"));
    }

    #[test]
    fn inputs_without_influence_are_counted_only() {
        let mut list: Vec<InputReport> = (0..3)
            .map(|i| input("nd()", 2 + u32::try_from(i).unwrap(), i))
            .collect();
        list[0].decisive = Some(false);
        list[1].decisive = Some(true);
        list[2].decisive = Some(false);
        let report = TraceReport::new(Vec::new(), list);
        expect![[r#"
            inputs:
              input 2: nd() = 1 at a.c:3:1
              2 more inputs have no influence on the path
        "#]]
        .assert_eq(&format!("inputs:\n{}", trace(&report)));
        assert_eq!(input_rows(&report)[1][1], "2 more inputs have no influence on the path");
    }

    #[test]
    fn of_very_many_inputs_the_first_and_the_last_are_kept() {
        let one = |number: usize| input("nd()", 1 + u32::try_from(number % 2).unwrap(), number);
        let report = TraceReport::new(Vec::new(), (1..=10_000).map(one).collect());
        assert_eq!((report.inputs.len(), report.inputs_left_out), (4_000, 6_000));
        let values = (&*report.inputs[1_999].value, &*report.inputs[2_000].value);
        assert_eq!(values, ("2000", "8001"));
        let text = trace(&report);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 501);
        assert_eq!(lines[249], "input 250: nd() = 250 at a.c:1:1");
        assert_eq!(lines[250], "... 9500 more inputs are not shown; the harness has them");
        assert_eq!(lines[251], "input 9751: nd() = 9751 at a.c:2:1");
        assert_eq!(lines[500], "input 10000: nd() = 10000 at a.c:1:1");
        assert_eq!(input_rows(&report)[250][0], "...");
        let few = TraceReport::new(Vec::new(), (1..=4_000).map(one).collect());
        assert_eq!((few.inputs.len(), few.inputs_left_out), (4_000, 0));
        // Inputs without influence go first.
        let decided = |number: usize| InputReport {
            decisive: Some(number == 5_000),
            ..one(number)
        };
        let one_matters = TraceReport::new(Vec::new(), (1..=10_000).map(decided).collect());
        assert_eq!((one_matters.inputs.len(), one_matters.inputs_left_out), (1, 0));
        assert!(trace(&one_matters).starts_with("  input 5000: nd() = 5000 at a.c:1:1\n  9999 more inputs"));
    }

    fn line(file: &str, number: u32, function: &str, depth: usize, text: &str, note: &str) -> LineReport {
        LineReport {
            file: file.to_string(),
            line: number,
            column: 1,
            function: function.to_string(),
            depth,
            text: text.to_string(),
            notes: vec![note.to_string()],
        }
    }

    #[test]
    fn a_path_has_short_names_and_folded_rounds() {
        let mut lines = vec![line(
            "/a/long/way/to/the/sources/of/a/a.c",
            3,
            "main",
            1,
            "\tf();",
            "call f",
        )];
        lines.extend((0..9).map(|i| {
            line(
                "/a/long/way/to/the/sources/of/a/b.c",
                7,
                "f",
                2,
                "\t\ti++;",
                &format!("i = {i}"),
            )
        }));
        lines.push(line(
            "/another/way/to/the/sources/of/a.c",
            4,
            "g",
            2,
            "  ERROR: ;",
            "label ERROR",
        ));
        let mut one = input("nd()", 2, 5);
        one.file = "/another/way/to/the/sources/of/a.c".to_string();
        expect![[r#"
            path:
              a/a.c in main:
                   3:     f();    // call f
                b.c in f:
                     7:         i++;    // i = 0
                        ... 7 more rounds like this one; the last one:
                     7:         i++;    // i = 8
                of/a.c in g:
                     4:   ERROR: ;    // label ERROR
              input 1: nd() = 5 at of/a.c:2:1
              a/a.c is /a/long/way/to/the/sources/of/a/a.c
              b.c is /a/long/way/to/the/sources/of/a/b.c
              of/a.c is /another/way/to/the/sources/of/a.c
        "#]]
        .assert_eq(&format!("path:\n{}", trace(&TraceReport::new(lines, vec![one]))));
    }
}
