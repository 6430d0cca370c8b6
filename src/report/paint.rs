//! Colours of a terminal.
//!
//! Colour says nothing that the text does not say. Files never have it; whether standard output has it is decided by `--color` and, by default, by `NO_COLOR`
//! (<https://no-color.org>) and by the terminal.

/// Puts texts in colour, or leaves them as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// No colour.
    pub const PLAIN: Paint = Paint(false);

    fn with(self, code: &str, text: &str) -> String {
        match self.0 && !text.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_string(),
        }
    }

    /// What begins a part.
    pub fn head(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What Provident adds to the text of the program.
    pub fn note(self, text: &str) -> String {
        self.with("36", text)
    }

    /// Of lesser interest.
    pub fn quiet(self, text: &str) -> String {
        self.with("2", text)
    }

    /// The text of a verdict, by its first word.
    pub fn verdict(self, text: &str) -> String {
        let code = match text.split_whitespace().next() {
            Some("TRUE") => "1;32",
            Some("FALSE") => "1;31",
            _ => "1;33",
        };
        self.with(code, text)
    }

    /// Where something goes wrong.
    pub fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_stays_as_it_is() {
        assert_eq!(Paint::PLAIN.verdict("FALSE"), "FALSE");
        assert_eq!(Paint(true).verdict("FALSE"), "\x1b[1;31mFALSE\x1b[0m");
        assert_eq!(Paint(true).note(""), "");
    }
}
