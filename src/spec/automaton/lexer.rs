//! Tokens of specifications: words, holes, numbers, strings, operators of C.
//!
//! Tokens are read one at a time, because what stands in square brackets after `MATCH LABEL` is no sequence of tokens.

use super::syntax::At;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A word: an identifier, or anything else of letters, digits and `_` that begins with a letter or `_`.
    Word(&'t str),
    /// A word that begins with a digit: a number, or a name such as `08_1a`.
    Number(&'t str),
    /// `$1`
    Hole(&'t str),
    /// `$?`
    Any,
    /// `$$v` or `$v`, without the dollars.
    Variable(&'t str),
    /// The text between double quotes, escapes as written.
    Text(&'t str),
    /// An operator or a bracket.
    Sign(&'static str),
    /// A character that begins no token.
    Stray(char),
    /// A string or comment that does not end.
    Unclosed(&'static str),
    /// The end.
    End,
}

/// Operators and brackets, longer ones first.
const SIGNS: [&str; 37] = [
    "<<=", ">>=", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=", "(", ")", "{", "}", "[", "]", "<", ">", "=", "!", "+", "-", "*", "/", "%", "&",
];
/// The other signs, all of one character.
const MORE_SIGNS: [&str; 9] = ["|", "^", "~", ",", ";", ":", ".", "?", "#"];

/// Reads tokens from a text.
#[derive(Clone, Copy, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// A lexer at the beginning of a text.
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0 }
    }

    /// A lexer in the middle of a text.
    pub fn starting_at(text: &'t str, at: usize) -> Lexer<'t> {
        Lexer { text, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips white space and comments. A comment that does not end is left.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(end) = trimmed.strip_prefix("/*").and_then(|comment| comment.find("*/")) {
                self.at += end + 4;
            } else {
                return;
            }
        }
    }

    /// The next token and where it begins.
    pub fn next(&mut self) -> (At, Token<'t>) {
        self.skip();
        let at = At(self.at);
        let rest = self.rest();
        let (len, token) = match rest.chars().next() {
            None => (0, Token::End),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let word = word(rest);
                (word.len(), Token::Word(word))
            }
            Some(c) if c.is_ascii_digit() => {
                let number = number(rest);
                (number.len(), Token::Number(number))
            }
            Some('$') => dollar(rest),
            Some('"') => match closing_quote(rest) {
                Some(end) => (end + 1, Token::Text(&rest[1..end])),
                None => (0, Token::Unclosed("string")),
            },
            Some(_) if rest.starts_with("/*") => (0, Token::Unclosed("comment")),
            Some(c) => match SIGNS.iter().chain(&MORE_SIGNS).find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (sign.len(), Token::Sign(sign)),
                None => (0, Token::Stray(c)),
            },
        };
        self.at += len;
        (at, token)
    }

    /// The text up to the closing bracket for an opening one that was just read, with balanced brackets inside; `None` if there is none.
    pub fn bracketed(&mut self) -> Option<(At, &'t str)> {
        let at = self.at;
        let (mut depth, mut escaped) = (0, false);
        for (i, c) in self.rest().char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' => depth += 1,
                ']' if depth == 0 => {
                    self.at += i + 1;
                    return Some((At(at), &self.text[at..at + i]));
                }
                ']' => depth -= 1,
                '\n' => return None,
                _ => {}
            }
        }
        None
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

/// A preprocessing number as C has it: digits, letters, `_`, points, and signs behind an exponent.
fn number(text: &str) -> &str {
    let mut end = 0;
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    for (i, c) in text.char_indices() {
        let exponent = !hexadecimal && text[..i].ends_with(['e', 'E']) && text[..end].contains('.');
        if !(c.is_alphanumeric() || c == '_' || c == '.' || (exponent && matches!(c, '+' | '-'))) {
            break;
        }
        end = i + c.len_utf8();
    }
    &text[..end]
}

fn dollar(text: &str) -> (usize, Token<'_>) {
    let digits = text[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - 1);
    if digits > 0 {
        return (1 + digits, Token::Hole(&text[1..=digits]));
    }
    if text[1..].starts_with('?') {
        return (2, Token::Any);
    }
    let dollars = if text[1..].starts_with('$') { 2 } else { 1 };
    let name = word(&text[dollars..]);
    if name.is_empty() {
        return (0, Token::Stray('$'));
    }
    (dollars + name.len(), Token::Variable(name))
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i),
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// The sign of the table that is equal to a text.
pub(super) fn sign(text: &str) -> Option<&'static str> {
    SIGNS.iter().chain(&MORE_SIGNS).copied().find(|sign| *sign == text)
}
