//! The text of a specification with its includes expanded, and the way back from positions to files.
//!
//! `#include "file"` (quotes may be missing, or be angle brackets) on a line of its own stands for the text of that file, whose name is relative to the
//! including one. A file that includes itself, directly or not, is an error.

use super::super::property::SpecError;
use super::syntax::At;
use std::path::{Path, PathBuf};

/// The text.
#[derive(Clone, Debug)]
pub struct Text {
    flat: String,
    files: Vec<(PathBuf, String)>,
    segments: Vec<Segment>,
}

/// A run of the flat text that comes from one file.
#[derive(Clone, Copy, Debug)]
struct Segment {
    flat: usize,
    file: usize,
    start: usize,
}

/// How the text of an included file is read. Only the caller knows which errors that can have.
pub type ReadFile<'r> = dyn Fn(&Path) -> Result<String, Box<dyn std::error::Error>> + 'r;

impl Text {
    /// Expands the includes of a file.
    ///
    /// # Errors
    /// An included file cannot be read or includes itself; the place is that of the directive.
    pub fn new(file: &Path, text: &str, read: &ReadFile<'_>) -> Result<Text, SpecError> {
        let mut this = Text {
            flat: String::new(),
            files: Vec::new(),
            segments: Vec::new(),
        };
        this.add(file, text, read, &mut Vec::new())?;
        Ok(this)
    }

    fn add(&mut self, path: &Path, text: &str, read: &ReadFile<'_>, open: &mut Vec<PathBuf>) -> Result<(), SpecError> {
        let file = self.files.len();
        self.files.push((path.to_path_buf(), text.to_string()));
        open.push(path.to_path_buf());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let from = start;
            start += line.len();
            let Some(name) = line.trim().strip_prefix("#include") else {
                self.push(file, from, line);
                continue;
            };
            let name = name.trim().trim_matches(['"', '<', '>', ';']).trim();
            let error = |message: String| SpecError::at(path, text, from, message);
            if name.is_empty() {
                return Err(error("expected the name of a file after `#include`".to_string()));
            }
            let included = path.parent().unwrap_or(Path::new("")).join(name);
            if open.contains(&included) {
                return Err(error(format!("`{name}` includes itself")));
            }
            let content = read(&included).map_err(|reason| error(format!("cannot include `{name}`: {reason}")))?;
            self.add(&included, &content, read, open)?;
            self.push(file, start, "\n");
        }
        open.pop();
        Ok(())
    }

    fn push(&mut self, file: usize, start: usize, text: &str) {
        let continues = self
            .segments
            .last()
            .is_some_and(|last| last.file == file && last.start + (self.flat.len() - last.flat) == start);
        if !continues {
            self.segments.push(Segment {
                flat: self.flat.len(),
                file,
                start,
            });
        }
        self.flat.push_str(text);
    }

    /// The expanded text.
    pub fn flat(&self) -> &str {
        &self.flat
    }

    /// An error at a position of the expanded text.
    pub fn error(&self, at: At, message: impl Into<String>) -> SpecError {
        let after = self.segments.partition_point(|segment| segment.flat <= at.0);
        let Some(segment) = after.checked_sub(1).map(|i| self.segments[i]) else {
            let (path, text) = &self.files[0];
            return SpecError::at(path, text, 0, message);
        };
        let (path, text) = &self.files[segment.file];
        SpecError::at(
            path,
            text,
            (segment.start + at.0 - segment.flat).min(text.len()),
            message,
        )
    }
}
