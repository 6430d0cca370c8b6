//! The regular expressions of `MATCH LABEL [..]` and of families of functions: those of the crate `regex`, which have to match a whole name.

/// A regular expression.
#[derive(Clone, Debug)]
pub struct Regex {
    text: String,
    whole: regex::Regex,
}

/// The mistake in an expression: the byte position and a sentence.
pub type RegexError = (usize, String);

impl Regex {
    /// Parses an expression.
    ///
    /// # Errors
    /// The first mistake with its place.
    pub fn new(text: &str) -> Result<Regex, RegexError> {
        regex_syntax::parse(text).map_err(|error| match error {
            regex_syntax::Error::Parse(error) => (error.span().start.offset, error.kind().to_string()),
            regex_syntax::Error::Translate(error) => (error.span().start.offset, error.kind().to_string()),
            error => (0, error.to_string()),
        })?;
        let whole = regex::Regex::new(&format!("^(?:{text})$")).map_err(|error| (0, error.to_string()))?;
        Ok(Regex {
            text: text.to_owned(),
            whole,
        })
    }

    /// Whether the expression matches the whole text.
    pub fn matches(&self, text: &str) -> bool {
        self.whole.is_match(text)
    }
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.text == other.text
    }
}

impl Eq for Regex {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Regex::new(pattern).unwrap().matches(text)
    }

    #[test]
    fn whole_labels_match() {
        assert!(matches("ERROR", "ERROR") && !matches("ERROR", "ERROR_1"));
        assert!(matches("(?i)err.*", "ERROR_1") && !matches("err.*", "ERROR"));
        assert!(matches("(A|B)[0-9]+x?", "B42") && !matches("(A|B)[0-9]+x?", "C42"));
        assert!(matches("[^a-c]", "d") && !matches("[^a-c]", "b"));
        assert!(matches("(a*)*b", "aaab") && !matches("(a*)*b", "aaac"));
        assert!(matches("a\\.b", "a.b") && !matches("a\\.b", "axb"));
    }

    #[test]
    fn mistakes_have_a_place() {
        assert_eq!(Regex::new("ab(c").unwrap_err(), (2, "unclosed group".to_string()));
        assert_eq!(Regex::new("(?i)a)").unwrap_err().0, 5);
        assert_eq!(Regex::new("*a").unwrap_err().0, 0);
        assert_eq!(Regex::new("[ab").unwrap_err().0, 0);
    }

    proptest! {
        #[test]
        fn never_panics(pattern in "[a-c()|*+?.\\[\\]^\\\\-]{0,12}", text in "[a-c]{0,8}") {
            if let Ok(regex) = Regex::new(&pattern) {
                regex.matches(&text);
            }
        }

        #[test]
        fn literals_match_themselves(text in "[a-zA-Z_0-9]{1,8}", other in "[a-zA-Z_0-9]{1,8}") {
            prop_assert_eq!(matches(&text, &other), text == other);
        }
    }
}
