//! Insertions into a program's text: marks of a harness, questions of a validation.

use crate::frontend::text::source::Source;
use std::ops::Range;

/// Insertions into a text.
#[derive(Debug, Default)]
pub struct Edits {
    list: Vec<(usize, Kind, String)>,
}

/// The order of insertions at one offset: what closes comes first, inner before outer; then what opens, outer before inner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Close(usize),
    Open(std::cmp::Reverse<usize>),
}

impl Edits {
    /// Puts text around a range.
    pub fn wrap(&mut self, range: Range<usize>, before: impl Into<String>, after: impl Into<String>) {
        let length = range.len();
        self.list
            .push((range.start, Kind::Open(std::cmp::Reverse(length)), before.into()));
        self.list.push((range.end, Kind::Close(length), after.into()));
    }

    /// Puts text before everything else that is inserted at an offset and opens something.
    pub fn before(&mut self, offset: usize, text: impl Into<String>) {
        self.list
            .push((offset, Kind::Open(std::cmp::Reverse(usize::MAX)), text.into()));
    }

    /// Whether nothing is inserted.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The files of a program with the insertions, each translation unit behind a first line of its own, and the way back from positions in them.
    pub fn apply_to(mut self, source: &Source, head: &str) -> (Source, WayBack) {
        let begins: Vec<usize> = source.pieces.iter().map(|piece| offset(piece.begin)).collect();
        for (piece, &begin) in source.pieces.iter().zip(&begins) {
            if piece.starts_unit && begin > 0 && !head.is_empty() {
                self.list.push((begin, Kind::Close(0), head.to_owned()));
            }
        }
        let inserted: Vec<(usize, usize)> = self.list.iter().map(|(at, _, text)| (*at, text.len())).collect();
        let (text, back) = self.apply(&source.text, head);
        let moved = |begin: usize| match begin {
            0 => 0,
            _ => {
                let before = inserted.iter().filter(|(at, _)| *at < begin);
                begin + head.len() + before.map(|(_, length)| length).sum::<usize>()
            }
        };
        let mut edited = Source { text, ..source.clone() };
        let to = |begin: usize| u32::try_from(moved(begin)).unwrap_or(u32::MAX);
        for (piece, begin) in edited.pieces.iter_mut().zip(begins) {
            piece.begin = to(begin);
        }
        edited.library_begin = source.library_begin.map(|begin| to(offset(begin)));
        (edited, back)
    }

    /// The text with the insertions behind a first line of its own, and the way back from positions in it.
    pub fn apply(mut self, text: &[u8], head: &str) -> (Vec<u8>, WayBack) {
        self.list.sort_by_key(|(offset, kind, _)| (*offset, *kind));
        let mut out = Vec::with_capacity(text.len() + head.len());
        out.extend_from_slice(head.as_bytes());
        let mut shifts = vec![(0, head.len())];
        let mut done = 0;
        for (offset, _, inserted) in &self.list {
            out.extend_from_slice(&text[done..*offset]);
            done = *offset;
            out.extend_from_slice(inserted.as_bytes());
            shifts.push((*offset, out.len() - *offset));
        }
        out.extend_from_slice(&text[done..]);
        (out, WayBack { shifts })
    }
}

/// From positions in an edited text to those in the original one.
#[derive(Debug, Clone)]
pub struct WayBack {
    /// Original offsets from which on positions are shifted, with the shift.
    shifts: Vec<(usize, usize)>,
}

impl WayBack {
    /// The original offset. Inserted text has the offset of its insertion.
    pub fn original(&self, offset: usize) -> usize {
        let i = self.shifts.partition_point(|(from, shift)| from + shift <= offset);
        let Some((from, shift)) = i.checked_sub(1).map(|i| self.shifts[i]) else {
            return 0;
        };
        let next = self.shifts.get(i).map_or(usize::MAX, |(from, _)| *from);
        (offset - shift).max(from).min(next)
    }
}

fn offset(begin: u32) -> usize {
    usize::try_from(begin).expect("a u32 fits in usize on every supported host")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_nest_and_lead_back() {
        let mut edits = Edits::default();
        edits.wrap(2..6, "<", ">");
        edits.wrap(2..4, "[", "]");
        edits.before(2, "|");
        let (text, back) = edits.apply(b"abcdefgh", "head\n");
        assert_eq!(String::from_utf8(text.clone()).unwrap(), "head\nab|<[cd]ef>gh");
        for (at, byte) in text.iter().enumerate().skip(5) {
            if byte.is_ascii_alphabetic() {
                assert_eq!(b"abcdefgh"[back.original(at)], *byte);
            }
        }
    }

    #[test]
    fn files_stay_apart() {
        let mut source = Source::new("a.c", "int a;\n");
        source.append_unit(&Source::new("b.c", "int b;\n"));
        let second = source.units()[1].clone();
        let mut edits = Edits::default();
        edits.before(0, "1 ");
        edits.before(second.start, "2 ");
        let (edited, back) = edits.apply_to(&source, "head ");
        let texts: Vec<&[u8]> = edited.units().into_iter().map(|unit| &edited.text[unit]).collect();
        assert!(texts[0].starts_with(b"head 1 int a;"));
        assert_eq!(texts[1], b"head 2 int b;\n");
        let name = edited.text.iter().rposition(|&byte| byte == b'b').unwrap();
        assert_eq!(source.text[back.original(name)], b'b');
    }
}
