//! Calls of the `scanf` family: whether the library's sources cover the conversions of a format.
//!
//! The sources read a format byte by byte and write through the list of arguments. Conversions that they do not cover (floating-point numbers of a limited width on a stream, wide characters, memory that the
//! function allocates, positions of arguments) have no effect that they could compute, because the type of the object is not known. Idea: nearly all formats are literals. A literal with
//! such a conversion makes the call one of a function without model, which may write any value to the objects of its arguments. If the format is no
//! literal, the ledger has the assumptions of the sources.

use super::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;

/// The functions, with the position of the format, and whether they read a string.
const FAMILY: [(&str, usize, bool); 6] = [
    ("scanf", 0, false),
    ("vscanf", 0, false),
    ("fscanf", 1, false),
    ("vfscanf", 1, false),
    ("sscanf", 1, true),
    ("vsscanf", 1, true),
];

/// Whether the library's sources cover all conversions of a format.
fn is_covered(format: &[u8], text: bool) -> bool {
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&c| c == b'%') {
        rest = skip(&rest[at + 1..], |c| c == b'*');
        let width = rest;
        rest = skip(rest, |c| c.is_ascii_digit());
        let has_width = rest.len() < width.len();
        let modified = rest;
        rest = skip(rest, |c| b"hlqjztLZ".contains(&c));
        let modifiers = &modified[..modified.len() - rest.len()];
        let wide = modifiers.contains(&b'l');
        let Some((&conversion, behind)) = rest.split_first() else {
            return false;
        };
        rest = match conversion {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'n' | b'%' => behind,
            b'p' if text => behind,
            b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G'
                if (text || !has_width) && matches!(modifiers, b"" | b"l" | b"L") =>
            {
                behind
            }
            b's' | b'c' if !wide => behind,
            b'[' if !wide => {
                let set = skip_one(skip_one(behind, b'^'), b']');
                match set.iter().position(|&c| c == b']') {
                    Some(end) => &set[end + 1..],
                    None => return false,
                }
            }
            _ => return false,
        };
    }
    true
}

/// The text behind the bytes that a format may have there.
fn skip(text: &[u8], belongs: impl Fn(u8) -> bool) -> &[u8] {
    let length = text.iter().take_while(|&&c| belongs(c)).count();
    &text[length..]
}

fn skip_one(text: &[u8], byte: u8) -> &[u8] {
    text.strip_prefix(&[byte]).unwrap_or(text)
}

impl Lowerer<'_> {
    /// Whether the library's sources say what a call of `target`, a function of the library, reads; of other functions than these they do.
    pub(super) fn reads_format(&mut self, target: ast::FuncId, args: &[ExprId], loc: Loc) -> bool {
        let unit = self.unit;
        let name = &*unit.function(target).name;
        let Some(&(_, position, text)) = FAMILY.iter().find(|row| row.0 == name) else {
            return true;
        };
        match args.get(position).and_then(|&format| self.literal(format)) {
            Some(format) => is_covered(&format, text),
            None if unit.source.in_library(loc) => true,
            None => {
                self.note_unseen_format(name, loc);
                true
            }
        }
    }

    /// Notes the assumption where a format is not in plain sight.
    fn note_unseen_format(&mut self, name: &str, loc: Loc) {
        let text = format!(
            "the format of `{name}`, which is not in plain sight, has only conversions of numbers, characters and strings"
        );
        self.assume(AssumptionKind::Library, text, loc, false);
    }

    /// Notes the same for a function whose address the program takes.
    pub(super) fn note_format_reader(&mut self, f: ast::FuncId, loc: Loc) {
        let target = self.resolve(f);
        let unit = self.unit;
        let name = &*unit.function(target).name;
        if self.is_library(target) && FAMILY.iter().any(|row| row.0 == name) {
            self.note_unseen_format(name, loc);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_covered;

    #[test]
    fn conversions_of_objects_with_a_known_type_are_covered() {
        for format in [
            "",
            "a %d",
            "%*5hhd%n%%",
            "%[^]a]%d",
            "%[]]",
            "%10s%lu",
            "%c %lld",
            "%f",
            "%lf",
            "%d %Lg",
        ] {
            assert!(is_covered(format.as_bytes(), true), "{format}");
        }
        for format in ["%ms", "%ls", "%lc", "%l[a]", "%1$d", "%", "%[a", "%hf"] {
            assert!(!is_covered(format.as_bytes(), true), "{format}");
        }
        assert!(is_covered(b"%p", true) && !is_covered(b"%p", false));
        assert!(is_covered(b"%f %*lf", false) && !is_covered(b"%5f", false));
    }
}
