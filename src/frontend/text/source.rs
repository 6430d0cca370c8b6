//! Program text and positions in it.
//!
//! A [`Loc`] is a byte offset into the text that the lexer reads, which makes it four bytes, ordered and free to copy. Lines
//! and columns are computed only on request. There are two positions: the *physical* place in the file that
//! the user gave (for witnesses and diagnostics), and the place that line marks (`# 12 "drivers/x.c"`, `#line 12`) give
//! (for a kernel developer). For a `.c` file that went through `cpp` the text given by the user is
//! the one behind the marks, so there both answers are the same.

use super::lexer::decode_names;
use super::library::Library;
use super::written::Written;
use std::ops::Range;

/// A position in the program: the byte offset into the text given to the lexer.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc(pub u32);

impl Loc {
    /// No position: something that the program does not write down, such as an implicitly declared builtin.
    pub const NONE: Loc = Loc(u32::MAX);

    /// Whether this is a real position.
    pub fn is_some(self) -> bool {
        self != Loc::NONE
    }
}

/// A position as people read it. Lines and columns start at 1; columns count characters.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position<'a> {
    /// The file's name, as given by the user or by a line mark.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl std::fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A part of a program's text that comes from one file.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where it begins.
    pub begin: u32,
    /// The name of the file, as the user gave it.
    pub name: String,
    /// Whether positions in it are those of its line marks: the text came out of a preprocessor run of ours, which names the user's own files, or was
    /// added to the program.
    pub marked: bool,
    /// Whether a translation unit begins here. Otherwise the text goes on with the unit before.
    pub starts_unit: bool,
    /// The file before our run of the preprocessor, if there was one.
    pub written: Option<Written>,
}

/// The text of one program: of one file, or of several, one behind the other.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the first file.
    pub name: String,
    /// The text; any bytes.
    pub text: Vec<u8>,
    /// The files that it comes from, in order; the first begins at its beginning.
    pub pieces: Vec<Piece>,
    /// The library whose functions stand for those that the text declares only.
    pub library: Option<&'static Library>,
    /// Where the library's text begins; the parser adds it.
    pub library_begin: Option<u32>,
}

impl Source {
    /// A text that the user gave as it is (a `.i` file, or a `.c` file without directives).
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        let name = name.into();
        let whole = Piece {
            begin: 0,
            name: name.clone(),
            marked: false,
            starts_unit: true,
            written: None,
        };
        Source {
            name,
            text: text.into(),
            pieces: vec![whole],
            library: None,
            library_begin: None,
        }
    }

    /// A text that came out of a preprocessor run of ours.
    pub fn preprocessed(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        let mut source = Source::new(name, text);
        source.pieces[0].marked = true;
        source
    }

    /// Adds another file to the last unit. Its declarations come after all others.
    pub fn append(&mut self, other: &Source) {
        self.add(other, true, false);
    }

    /// Adds a translation unit.
    pub fn append_unit(&mut self, other: &Source) {
        self.add(other, other.pieces[0].marked, true);
    }

    fn add(&mut self, other: &Source, marked: bool, starts_unit: bool) {
        let name = other.name.replace('\\', "/").replace('"', "'");
        self.text.extend(format!("\n# 1 \"{name}\"\n").into_bytes());
        self.pieces.push(Piece {
            begin: to_offset(self.text.len()),
            name: other.name.clone(),
            marked,
            starts_unit,
            written: other.pieces[0].written.clone(),
        });
        self.text.extend(&other.text);
    }

    /// The texts of the translation units; at least one.
    pub fn units(&self) -> Vec<Range<usize>> {
        let begins: Vec<usize> = self
            .pieces
            .iter()
            .filter(|p| p.starts_unit)
            .map(|p| offset(p.begin))
            .collect();
        let end = self.library_begin.map_or(self.text.len(), offset);
        let ends = begins.iter().skip(1).copied().chain([end]);
        begins
            .iter()
            .copied()
            .zip(ends)
            .map(|(begin, end)| begin..end)
            .collect()
    }

    /// Whether there are several translation units.
    pub fn is_linked(&self) -> bool {
        self.pieces.iter().filter(|piece| piece.starts_unit).count() > 1
    }

    /// The same files with other texts: `change` maps the text of each, with the number of the piece.
    pub fn with_pieces(&self, mut change: impl FnMut(usize, &[u8]) -> Vec<u8>) -> Source {
        let ends = self
            .pieces
            .iter()
            .skip(1)
            .map(|p| offset(p.begin))
            .chain([self.text.len()]);
        let ends: Vec<usize> = ends.collect();
        let mut changed = Source {
            text: Vec::with_capacity(self.text.len()),
            ..self.clone()
        };
        changed.text.clear();
        for (i, end) in ends.into_iter().enumerate() {
            let old = offset(self.pieces[i].begin);
            changed.pieces[i].begin = to_offset(changed.text.len());
            if self.library_begin == Some(self.pieces[i].begin) {
                changed.library_begin = Some(changed.pieces[i].begin);
            }
            changed.text.extend(change(i, &self.text[old..end]));
        }
        changed
    }

    /// Writes the universal character names of identifiers in UTF-8.
    pub(in crate::frontend) fn decode_names(&mut self) {
        if decode_names(&self.text).is_some() {
            *self = self.with_pieces(|_, text| decode_names(text).unwrap_or_else(|| text.to_vec()));
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct LineMark {
    /// Offset of the first byte of the line after the mark.
    start: u32,
    /// Physical line index (from 0) of that line.
    physical: u32,
    /// The line number that the mark gives it.
    line: u32,
    file: u32,
}

/// The program text with what is needed to turn a [`Loc`] into a [`Position`].
#[derive(Clone, Debug)]
pub struct SourceMap {
    source: Source,
    line_starts: Vec<u32>,
    marks: Vec<LineMark>,
    files: Vec<String>,
}

impl SourceMap {
    /// Indexes the lines and line marks of a text. Linear in its length; texts beyond 4 GiB are cut by the caller.
    pub fn new(source: Source) -> SourceMap {
        let mut map = SourceMap {
            source,
            line_starts: vec![0],
            marks: Vec::new(),
            files: Vec::new(),
        };
        let text = std::mem::take(&mut map.source.text);
        let mut last_file = u32::MAX;
        let mut begin = 0;
        while begin < text.len() {
            let end = text[begin..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(text.len(), |n| begin + n + 1);
            if let Some((line, file)) = parse_line_mark(&text[begin..end]) {
                if let Some(file) = file {
                    last_file = map.file_index(file);
                } else if last_file == u32::MAX {
                    let name = map.source.name.clone();
                    last_file = map.file_index(name);
                }
                map.marks.push(LineMark {
                    start: to_offset(end),
                    physical: to_offset(map.line_starts.len()),
                    line,
                    file: last_file,
                });
            }
            if end < text.len() || text.ends_with(b"\n") {
                map.line_starts.push(to_offset(end));
            }
            begin = end;
        }
        map.source.text = text;
        map
    }

    fn file_index(&mut self, name: String) -> u32 {
        // Marks alternate among few files, and the one in question is nearly always a recent one.
        if let Some(i) = self.files.iter().rposition(|f| *f == name) {
            return to_offset(i);
        }
        self.files.push(name);
        to_offset(self.files.len() - 1)
    }

    /// The name of the file that the user gave.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The text that the lexer reads.
    pub fn text(&self) -> &[u8] {
        &self.source.text
    }

    /// The bytes of the physical line that holds `loc`, without the line end, and the offset of its first byte.
    pub fn line_of(&self, loc: Loc) -> (&[u8], u32) {
        let line = self.line_index(loc);
        let start = self.line_starts[line];
        let text = &self.source.text[offset(start)..];
        let end = text.iter().position(|&b| b == b'\n').unwrap_or(text.len());
        (&text[..end], start)
    }

    /// Whether the position is in a library's text, not in the user's.
    pub fn in_library(&self, loc: Loc) -> bool {
        loc.is_some() && self.source.library_begin.is_some_and(|begin| loc.0 >= begin)
    }

    /// The number of the physical line that holds `loc`, from 0.
    pub fn line_number(&self, loc: Loc) -> usize {
        self.line_index(loc)
    }

    /// The physical line of a number, with its beginning.
    pub(super) fn numbered_line(&self, number: usize) -> Option<(Loc, &[u8])> {
        let start = Loc(*self.line_starts.get(number)?);
        Some((start, self.line_of(start).0))
    }

    /// Whether a line mark in the same file says where `loc` comes from.
    pub(super) fn has_mark_before(&self, loc: Loc) -> bool {
        let begin = self.piece_of(loc).begin;
        let before = self.marks.partition_point(|mark| mark.start <= loc.0);
        before > 0 && self.marks[before - 1].start > begin
    }

    fn line_index(&self, loc: Loc) -> usize {
        self.line_starts.partition_point(|&s| s <= loc.0).saturating_sub(1)
    }

    fn column(&self, loc: Loc) -> u32 {
        let start = offset(self.line_starts[self.line_index(loc)]);
        let end = offset(loc.0).min(self.source.text.len()).max(start);
        let characters = self.source.text[start..end]
            .iter()
            .filter(|&&b| b & 0xc0 != 0x80)
            .count();
        to_offset(characters) + 1
    }

    /// The files that the text comes from, in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.source.pieces
    }

    /// The text with its files.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The file that a position is in.
    pub fn piece_of(&self, loc: Loc) -> &Piece {
        let pieces = &self.source.pieces;
        let behind = match loc.is_some() {
            true => pieces.partition_point(|piece| piece.begin <= loc.0),
            false => 0,
        };
        &pieces[behind.saturating_sub(1)]
    }

    /// Where `loc` stands in the file that the user gave. For [`Loc::NONE`] the beginning of the first one.
    pub fn resolve(&self, loc: Loc) -> Position<'_> {
        let piece = self.piece_of(loc);
        if piece.marked {
            return self.presumed(loc);
        }
        if !loc.is_some() {
            return Position {
                file: &self.source.name,
                line: 1,
                column: 1,
            };
        }
        let first = self.line_index(Loc(piece.begin));
        Position {
            file: &piece.name,
            line: to_offset(self.line_index(loc) - first) + 1,
            column: self.column(loc),
        }
    }

    /// Where `loc` comes from according to the line marks in the text.
    pub fn presumed(&self, loc: Loc) -> Position<'_> {
        if !loc.is_some() {
            return Position {
                file: &self.source.name,
                line: 1,
                column: 1,
            };
        }
        let physical = to_offset(self.line_index(loc));
        let column = self.column(loc);
        match self.marks.partition_point(|m| m.start <= loc.0).checked_sub(1) {
            None => Position {
                file: &self.source.name,
                line: physical + 1,
                column,
            },
            Some(i) => {
                let mark = self.marks[i];
                let line = mark.line.saturating_add(physical.saturating_sub(mark.physical));
                Position {
                    file: &self.files[offset(mark.file)],
                    line,
                    column,
                }
            }
        }
    }
}

fn to_offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn offset(n: u32) -> usize {
    usize::try_from(n).expect("a u32 fits in usize on every supported host")
}

/// Reads `# 12 "file" flags` or `#line 12 "file"`; anything else is no line mark.
fn parse_line_mark(line: &[u8]) -> Option<(u32, Option<String>)> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].trim_ascii();
    let file = rest.strip_prefix(b"\"").and_then(|r| {
        let end = r.iter().position(|&b| b == b'"')?;
        Some(String::from_utf8_lossy(&r[..end]).into_owned())
    });
    Some((number, file))
}
