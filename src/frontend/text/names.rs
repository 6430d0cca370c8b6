//! The identifiers of a text, for questions that come before it is parsed.

use super::lexer::{decode_names, lex};
use super::token::Symbol;
use std::collections::HashSet;

/// The identifiers and keywords of a text, which need not be a correct program.
#[derive(Debug)]
pub struct Names(HashSet<Vec<u8>>);

impl Names {
    /// Those of a text of less than 4 GiB.
    pub fn of(text: &[u8]) -> Names {
        let decoded = decode_names(text);
        let names = lex(decoded.as_deref().unwrap_or(text)).names;
        let symbols =
            (0..names.len()).map(|number| Symbol(u32::try_from(number).expect("a text has fewer names than bytes")));
        Names(symbols.map(|symbol| names.bytes(symbol).to_vec()).collect())
    }

    /// Whether the text has this identifier. Comments, literals and parts of longer names do not count.
    pub fn contain(&self, name: &str) -> bool {
        self.0.contains(name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn comments_literals_and_parts_do_not_count() {
        let names = Names::of(b"int a; /* b */ char *s = \"c\"; // d\nvoid ef(void) { \\u00e9 = 1; }");
        assert!(["a", "s", "ef", "\u{e9}", "int"].iter().all(|name| names.contain(name)));
        assert!(
            !["b", "c", "d", "e", "f", "u00e9"]
                .iter()
                .any(|name| names.contain(name))
        );
    }
}
