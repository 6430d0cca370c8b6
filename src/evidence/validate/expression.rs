//! Whether the text of a constraint or invariant is one C expression without side effects.
//!
//! The text is put into the program between parentheses, so it must not leave them, and it must not do anything. The front end gives it its meaning.

use crate::evidence::witness::text::{is_name, tokenize};
use std::fmt;

/// Why a text is no expression without side effects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoExpression {
    /// There is nothing, or a directive or comment.
    Nothing,
    /// Brackets do not match.
    Brackets,
    /// A word that cannot stand in an expression.
    Word(String),
    /// An operator with a side effect.
    Effect(String),
    /// A call, of a function with or without a name.
    Call(Option<String>),
}

impl fmt::Display for NoExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoExpression::Nothing => f.write_str("there is no expression"),
            NoExpression::Brackets => f.write_str("brackets do not fit"),
            NoExpression::Word(word) => write!(f, "`{word}` cannot stand in an expression"),
            NoExpression::Effect(word) => write!(f, "`{word}` has a side effect"),
            NoExpression::Call(Some(name)) => write!(f, "`{name}` is called"),
            NoExpression::Call(None) => f.write_str("something is called"),
        }
    }
}

impl std::error::Error for NoExpression {}

/// Checks a text.
///
/// # Errors
/// Checks the text of an expression. The error is a sentence fragment that names the mistake.
pub fn check(text: &str) -> Result<(), NoExpression> {
    let words: Vec<&str> = tokenize(text.as_bytes())
        .into_iter()
        .filter_map(|r| text.get(r))
        .collect();
    if words.is_empty() || text.contains('#') || text.contains('\n') && text.contains("//") {
        return Err(NoExpression::Nothing);
    }
    let mut open = Vec::new();
    for (i, word) in words.iter().enumerate() {
        match *word {
            "(" | "[" => open.push(*word),
            ")" | "]" => {
                let expected = if *word == ")" { "(" } else { "[" };
                if open.pop() != Some(expected) {
                    return Err(NoExpression::Brackets);
                }
            }
            ";" | "{" | "}" | "\\" | "@" | "?:" => return Err(NoExpression::Word((*word).to_string())),
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "++" | "--" => {
                return Err(NoExpression::Effect((*word).to_string()));
            }
            _ => {}
        }
        let called = words.get(i + 1) == Some(&"(");
        if is_name(word) && called && !matches!(*word, "sizeof" | "__typeof__" | "typeof" | "_Alignof" | "__alignof__")
        {
            return Err(NoExpression::Call(Some((*word).to_string())));
        }
        if *word == ")" && called && i > 0 && words.get(i.wrapping_sub(1)).is_some_and(|w| *w == ")") {
            return Err(NoExpression::Call(None));
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(NoExpression::Brackets)
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_expressions_without_effects_pass() {
        for good in [
            "x >= 0",
            "a[i] == *p && (int) x->y != 3",
            "sizeof(int) == 4U",
            "(x) == (y)",
            "!(a && b) || c",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "x = 1",
            "x++",
            "f(x)",
            "1); g(",
            "(1",
            "x; y",
            "({ 1; })",
            "1 // \n)",
            "#define x",
            "(*f)((x))(1)",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
