//! Messages about what is wrong in a program, with the place and what was expected.

use super::source::{Loc, SourceMap};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::fmt;

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Where, the first byte.
    pub loc: Loc,
    /// How many bytes to underline.
    pub len: u32,
    /// The mistake, as a sentence part: `undeclared identifier 'x'`.
    pub message: String,
    /// A short text for the marked place: `expected ';'`.
    pub label: String,
}

/// All problems of one program in source order, with their text ready to print.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    /// The problems; never empty.
    pub list: Vec<Diagnostic>,
    source: Option<Box<SourceMap>>,
    name: String,
}

impl Diagnostics {
    /// The problems found in a text.
    pub fn new(list: Vec<Diagnostic>, source: SourceMap) -> Diagnostics {
        let name = source.name().to_owned();
        Diagnostics {
            list,
            source: Some(Box::new(source)),
            name,
        }
    }

    /// A problem with a file as a whole, such as that it cannot be read.
    pub fn of_file(name: &str, message: impl Into<String>) -> Diagnostics {
        let problem = Diagnostic {
            loc: Loc::NONE,
            len: 0,
            message: message.into(),
            label: String::new(),
        };
        Diagnostics {
            list: vec![problem],
            source: None,
            name: name.to_owned(),
        }
    }

    /// `file:line:column: message`, one line per problem.
    pub fn brief(&self) -> String {
        let mut text = String::new();
        for problem in &self.list {
            match &self.source {
                Some(source) if problem.loc.is_some() => {
                    text.push_str(&format!("{}: {}", source.resolve(problem.loc), problem.message));
                }
                _ => text.push_str(&format!("{}: {}", self.name, problem.message)),
            }
            if !problem.label.is_empty() {
                text.push_str(&format!(" ({})", problem.label));
            }
            text.push('\n');
        }
        text
    }

    /// The problems with their source lines. `color` is for terminals.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        for problem in &self.list {
            text.push_str(&self.render_one(problem, &renderer));
            text.push('\n');
        }
        text
    }

    fn render_one(&self, problem: &Diagnostic, renderer: &Renderer) -> String {
        let Some(source) = self.source.as_deref().filter(|_| problem.loc.is_some()) else {
            return format!("error: {}: {}", self.name, problem.message);
        };
        let (line, start) = source.line_of(problem.loc);
        let at = (problem.loc.0 - start) as usize;
        // A generated line can be megabytes long; the neighbourhood is what helps.
        let begin = at.saturating_sub(200);
        let end = line.len().min(at + 200);
        let before = String::from_utf8_lossy(&line[begin..at.min(end)]).into_owned();
        let rest = String::from_utf8_lossy(&line[at.min(end)..end]).into_owned();
        let marked = rest
            .chars()
            .take(problem.len.max(1) as usize)
            .map(char::len_utf8)
            .sum::<usize>();
        let (from, to) = (before.len(), before.len() + marked);
        let shown = before + &rest;
        let position = source.resolve(problem.loc);
        let path = format!("{}:{}:{}", position.file, position.line, position.column);
        let annotation = AnnotationKind::Primary.span(from..to).label(problem.label.as_str());
        let snippet = Snippet::source(shown.as_str())
            .line_start(position.line as usize)
            .annotation(annotation);
        let report = [Level::ERROR
            .primary_title(format!("{path}: {}", problem.message))
            .element(snippet.path(position.file))];
        renderer.render(&report)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.brief().trim_end())
    }
}

impl std::error::Error for Diagnostics {}
