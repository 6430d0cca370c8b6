//! The lines of the program as the user wrote them.
//!
//! The lexer reads what `cpp` makes of a file: macros are expanded, and where the text of a macro comes from another file, `cpp` breaks the line and puts line marks in
//! between, so that the physical line `((void *)0)` is all that is left of `if (p == NULL)`. A person wants the line of the file. It comes from the file itself:
//! the text that was given to `cpp`, or the header that a line mark names, if it can be read. Otherwise the parts of the line are put together again.

use super::source::{Loc, SourceMap};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines that are looked at in each direction for other parts of a broken line.
const FARTHEST: usize = 64;

/// A file before our run of the preprocessor.
#[derive(Clone, Debug)]
pub struct Written {
    /// What it holds.
    pub text: Arc<[u8]>,
    /// The folder in which `cpp` ran.
    pub folder: Option<PathBuf>,
}

/// Characters of a line that are kept where whole files are shown.
const LONGEST: usize = 400;

/// Lines of a file with their numbers, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLines {
    /// Its name, as in positions.
    pub name: String,
    /// The lines.
    pub lines: Vec<(u32, String)>,
}

/// Finds lines, and keeps the files that it had to read.
pub struct WrittenLines<'s> {
    sources: &'s SourceMap,
    files: Files,
}

/// Files by the folder in which `cpp` ran and the name in the line mark; none where a file cannot be read.
type Files = HashMap<(Option<PathBuf>, String), Option<Arc<[u8]>>>;

impl<'s> WrittenLines<'s> {
    /// The lines of a program. Nothing is read before it is asked for.
    pub fn new(sources: &'s SourceMap) -> Self {
        WrittenLines {
            sources,
            files: HashMap::new(),
        }
    }

    /// The line that holds a position, with its indentation and without its end.
    pub fn line(&mut self, loc: Loc) -> String {
        let line = match self.sources.in_library(loc) {
            true => None,
            false => self.original(loc),
        };
        let line = line.unwrap_or_else(|| self.joined(loc));
        line.trim_end().to_string()
    }

    /// The line of the file that the line marks name.
    fn original(&mut self, loc: Loc) -> Option<String> {
        let (text, is_sure) = self.text_of(loc)?;
        let line = line_at(&text, self.sources.presumed(loc).line)?;
        let parsed = self.sources.line_of(loc).0;
        (is_sure || shares_a_word(line.as_bytes(), parsed)).then_some(line)
    }

    /// The text of the file that the line marks name, and whether it is sure to be that file. A text that was preprocessed elsewhere may name a file that is another one here.
    fn text_of(&mut self, loc: Loc) -> Option<(Arc<[u8]>, bool)> {
        let piece = self.sources.piece_of(loc);
        let place = self.sources.presumed(loc);
        let written = piece.written.as_ref().filter(|_| piece.marked);
        let is_own = |written: &&Written| {
            let names = [Some(place.file), place.file.strip_prefix("./")];
            names.contains(&Some(&piece.name)) && !has_line_marks(&written.text)
        };
        if let Some(written) = written.filter(is_own) {
            return Some((Arc::clone(&written.text), true));
        }
        if !piece.marked && !self.sources.has_mark_before(loc) {
            return None;
        }
        let folder = written.and_then(|written| written.folder.clone());
        let path = folder.as_deref().unwrap_or(Path::new("")).join(place.file);
        let key = (folder, place.file.to_string());
        let read = || {
            (!place.file.starts_with('<'))
                .then(|| std::fs::read(path).ok())
                .flatten()
        };
        let file = self.files.entry(key).or_insert_with(|| read().map(Arc::from));
        let is_sure = written.is_some_and(|written| !has_line_marks(&written.text));
        Some((Arc::clone(file.as_ref()?), is_sure))
    }

    /// The lines of the files in which parts of the text stand, each part given by a position in its first line and one in its last. Parts of libraries are left out. Of a file of
    /// at most `whole` lines there are all lines. Where a file cannot be had, its lines are those of the preprocessed text, of which several may have one number.
    pub fn files(&mut self, parts: &[(Loc, Loc)], whole: usize) -> Vec<FileLines> {
        let sources = self.sources;
        let mut files: Vec<FileLines> = Vec::new();
        let mut texts: Vec<Option<Arc<[u8]>>> = Vec::new();
        // For each file the lines that are wanted of its text.
        let mut wanted: Vec<BTreeSet<u32>> = Vec::new();
        let mut seen = BTreeSet::new();
        for &(begin, end) in parts {
            let (begin, end) = self.physical(begin, end, whole);
            let mut bounds: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
            for number in begin..=end {
                let Some((start, text)) = sources.numbered_line(number) else {
                    break;
                };
                if is_line_mark(text) || sources.in_library(start) || !seen.insert(number) {
                    continue;
                }
                let place = sources.resolve(start);
                let at = files
                    .iter()
                    .position(|file| file.name == place.file)
                    .unwrap_or_else(|| {
                        texts.push(
                            self.text_of(start)
                                .filter(|(_, is_sure)| *is_sure)
                                .map(|(text, _)| text),
                        );
                        wanted.push(BTreeSet::new());
                        files.push(FileLines {
                            name: place.file.to_string(),
                            lines: Vec::new(),
                        });
                        files.len() - 1
                    });
                if texts[at].is_none() {
                    files[at].lines.push((place.line, clean(text)));
                } else {
                    let (first, last) = bounds.entry(at).or_insert((place.line, place.line));
                    (*first, *last) = (place.line.min(*first), place.line.max(*last));
                }
            }
            for (at, (first, last)) in bounds {
                wanted[at].extend(first..=last);
            }
        }
        for ((file, text), wanted) in files.iter_mut().zip(texts).zip(wanted) {
            let Some(text) = text else { continue };
            let lines: Vec<&[u8]> = text
                .strip_suffix(b"\n")
                .unwrap_or(&text)
                .split(|&b| b == b'\n')
                .collect();
            let is_small = lines.len() <= whole;
            let numbered = (1..)
                .zip(lines)
                .filter(|(number, _)| is_small || wanted.contains(number));
            file.lines = numbered.map(|(number, line)| (number, clean(line))).collect();
        }
        files
    }

    /// The numbers of the first and the last physical line of a part, with the brackets that close it; of a small file without line marks those of the file.
    fn physical(&self, begin: Loc, end: Loc, whole: usize) -> (usize, usize) {
        let sources = self.sources;
        let (first, mut last) = (sources.line_number(begin), sources.line_number(end));
        let piece = sources.piece_of(begin);
        if !piece.marked && !sources.has_mark_before(end) {
            let next = sources.pieces().iter().find(|other| other.begin > piece.begin);
            let behind = next.map_or(sources.text().len(), |next| {
                usize::try_from(next.begin).unwrap_or(usize::MAX)
            });
            let (top, bottom) = (
                sources.line_number(Loc(piece.begin)),
                sources.text()[..behind].trim_ascii_end().len(),
            );
            let bottom = sources.line_number(Loc(u32::try_from(bottom.saturating_sub(1)).unwrap_or(u32::MAX)));
            if bottom.saturating_sub(top) < whole {
                return (top, bottom);
            }
        }
        for next in last + 1..last + 4 {
            match sources.numbered_line(next) {
                Some((_, text)) if text.trim_ascii().starts_with(b"}") => last = next,
                Some((_, text)) if is_line_mark(text) || text.trim_ascii().is_empty() => {}
                _ => break,
            }
        }
        (first, last)
    }

    /// The physical lines that are parts of the same line of a file, as one.
    fn joined(&self, loc: Loc) -> String {
        let map = self.sources;
        let this = map.line_number(loc);
        let wanted = map.presumed(loc);
        let belongs = |number: usize| {
            let (start, text) = map.numbered_line(number)?;
            match is_line_mark(text) || text.trim_ascii().is_empty() {
                true => Some(None),
                false => {
                    let place = map.presumed(start);
                    ((place.file, place.line) == (wanted.file, wanted.line)).then_some(Some(text))
                }
            }
        };
        let mut parts: Vec<&[u8]> = vec![map.line_of(loc).0];
        // Generated code has many statements with the line of one: only a line that is no whole statement is a part.
        for before in (this.saturating_sub(FARTHEST)..this).rev().map_while(belongs).flatten() {
            if ends_statement(before) && closes_more(&parts) <= 0 {
                break;
            }
            parts.insert(0, before);
        }
        for after in (this + 1..this + FARTHEST).map_while(belongs).flatten() {
            if parts.last().is_some_and(|last| ends_statement(last)) && closes_more(&parts) >= 0 {
                break;
            }
            parts.push(after);
        }
        if let [one] = parts[..] {
            return String::from_utf8_lossy(one).into_owned();
        }
        let first = String::from_utf8_lossy(parts[0]).into_owned();
        let indent: String = first.chars().take_while(|c| c.is_whitespace()).collect();
        let words: Vec<String> = parts
            .iter()
            .flat_map(|part| part.split(u8::is_ascii_whitespace))
            .filter(|word| !word.is_empty())
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        indent + &words.join(" ")
    }
}

/// A line without its end, cut if it is very long.
fn clean(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line.trim_ascii_end());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.into_owned(),
    }
}

/// Whether a statement, a block or a label ends with a line.
fn ends_statement(line: &[u8]) -> bool {
    line.trim_ascii().last().is_some_and(|last| b";{}:".contains(last))
}

/// How many more parentheses are closed than opened.
fn closes_more(parts: &[&[u8]]) -> i64 {
    let weight = |byte: &u8| i64::from(*byte == b')') - i64::from(*byte == b'(');
    parts.iter().flat_map(|part| part.iter()).map(weight).sum()
}

/// A line by its number from 1; none if it is empty or not there.
fn line_at(text: &[u8], number: u32) -> Option<String> {
    let before = usize::try_from(number).ok()?.checked_sub(1)?;
    let line = text.split(|&b| b == b'\n').nth(before)?;
    (!line.trim_ascii().is_empty()).then(|| String::from_utf8_lossy(line).into_owned())
}

/// Whether a line is `# 12 "file"` or `#line 12`.
fn is_line_mark(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    rest.first().is_some_and(u8::is_ascii_digit)
}

fn has_line_marks(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(is_line_mark)
}

/// Whether two lines have an identifier or a number in common.
fn shares_a_word(a: &[u8], b: &[u8]) -> bool {
    let words = |line| <[u8]>::split(line, |b: &u8| !b.is_ascii_alphanumeric() && *b != b'_');
    words(a).any(|word| !word.is_empty() && words(b).any(|other| other == word))
}

#[cfg(test)]
mod tests {
    use super::super::source::Source;
    use super::*;

    fn lines(source: Source, at: &[&str]) -> Vec<String> {
        let map = SourceMap::new(source);
        let mut lines = WrittenLines::new(&map);
        let text = String::from_utf8_lossy(map.text()).into_owned();
        let place = |part: &&str| Loc(u32::try_from(text.find(*part).unwrap()).unwrap());
        at.iter().map(|part| lines.line(place(part))).collect()
    }

    const BROKEN: &str = "# 1 \"nowhere/a.c\"\nint f(int *p)\n{\n    if (p ==\n# 3 \"nowhere/a.c\" 3 4\n            ((void *)0)\n# 3 \"nowhere/a.c\"\n                )\n        return 1;\n}\n";

    #[test]
    fn the_parts_of_a_line_are_put_together_where_there_is_no_file() {
        let found = lines(Source::new("a.i", BROKEN), &["((void", "p ==", "return"]);
        assert_eq!(
            found,
            [
                "    if (p == ((void *)0) )",
                "    if (p == ((void *)0) )",
                "        return 1;"
            ]
        );
    }

    #[test]
    fn statements_of_generated_code_stay_apart() {
        let text =
            "#line 9 \"a.c\"\n  t = f(x);\n#line 9\n  for (i = t;\n#line 9\n i < 3; i ++) {\n#line 9\n  u = t;\n  }\n";
        let found = lines(Source::new("a.i", text), &["t = f", "i < 3", "i = t", "u = t"]);
        let round = "  for (i = t; i < 3; i ++) {";
        assert_eq!(found, ["  t = f(x);", round, round, "  u = t;"]);
    }

    #[test]
    fn a_line_is_that_of_the_text_given_to_the_preprocessor() {
        let mut source = Source::preprocessed("nowhere/a.c", BROKEN);
        source.pieces[0].written = Some(Written {
            text: Arc::from(&b"int f(int *p)\n{\n\tif (p == NULL)\n        return 1;\n}\n"[..]),
            folder: None,
        });
        assert_eq!(
            lines(source, &["((void", "return"]),
            ["\tif (p == NULL)", "        return 1;"]
        );
    }

    #[test]
    fn another_file_of_that_name_is_not_taken() {
        let folder = std::env::temp_dir().join(format!("provident-written-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("h.h");
        let text = format!("# 1 \"{}\"\nint first;\n{{ x = 1 ; }}\n", file.display());
        std::fs::write(&file, "int first;\nSET(x);\n").unwrap();
        assert_eq!(lines(Source::new("a.i", &*text), &["x ="]), ["SET(x);"]);
        std::fs::write(&file, "int first;\nanother();\n").unwrap();
        assert_eq!(lines(Source::new("a.i", &*text), &["x ="]), ["{ x = 1 ; }"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// The lines of the parts that begin and end with these words.
    fn parts(source: Source, parts: &[(&str, &str)], whole: usize) -> Vec<(String, String)> {
        let map = SourceMap::new(source);
        let text = String::from_utf8_lossy(map.text()).into_owned();
        let place = |part: &str| Loc(u32::try_from(text.find(part).unwrap()).unwrap());
        let spans: Vec<(Loc, Loc)> = parts.iter().map(|(a, b)| (place(a), place(b))).collect();
        let files = WrittenLines::new(&map).files(&spans, whole);
        let shown = |file: FileLines| {
            let lines: Vec<String> = file
                .lines
                .iter()
                .map(|(number, text)| format!("{number}:{text}"))
                .collect();
            (file.name, lines.join("|"))
        };
        files.into_iter().map(shown).collect()
    }

    #[test]
    fn parts_of_files_are_lines_with_numbers() {
        let text = "int a;\n\nint f(void) {\n  return a;\n}\nint g(void) { return 2; }\n";
        let source = || Source::new("a.c".to_string(), text.as_bytes().to_vec());
        let file = |lines: &str| vec![("a.c".to_string(), lines.to_string())];
        assert_eq!(
            parts(source(), &[("int f", "return a")], 3),
            file("3:int f(void) {|4:  return a;|5:}")
        );
        let all = "1:int a;|2:|3:int f(void) {|4:  return a;|5:}|6:int g(void) { return 2; }";
        assert_eq!(parts(source(), &[("int f", "return a")], 6), file(all));
        // The text of a preprocessor has several lines of one number, and files that are not there.
        let text = "#line 7 \"no_such.h\"\nint f(void) {\n#line 8\n  x = 1;\n  y = 2;\n#line 8\n  z = 3;\n}\n#line 1 \"no_such.c\"\nint g(void) { }\n";
        let mut source = Source::new("a.i".to_string(), text.as_bytes().to_vec());
        source.pieces[0].marked = true;
        let found = parts(source, &[("int f", "z = 3"), ("int g", "int g")], 100);
        let expected = [
            ("no_such.h", "7:int f(void) {|8:  x = 1;|9:  y = 2;|8:  z = 3;|9:}"),
            ("no_such.c", "1:int g(void) { }"),
        ];
        let expected = expected.map(|(name, lines)| (name.to_string(), lines.to_string()));
        assert_eq!(found, expected);
    }
}
