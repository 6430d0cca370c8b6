//! The parser of specifications: recursive descent, one token ahead, the first mistake ends it.
//!
//! | file | does |
//! |---|---|
//! | this one | tokens, and the file as a list of automata |
//! | `automaton` | automata, their variables, states and transitions |
//! | `effect` | what stands behind the arrow: conditions, actions, woven statements, the target |
//! | `trigger` | what stands before it: events and their patterns |
//!
//! Expressions are those of C, see `cparser`.

mod automaton;
mod effect;
mod trigger;

use super::super::property::SpecError;
use super::lexer::{Lexer, Token};
use super::syntax::*;
use super::text::Text;
use std::sync::Arc;

pub(super) type Parsed<T> = Result<T, SpecError>;

/// Expressions and triggers inside each other, at most, so that a recursive reader's stack is safe.
const DEEPEST: usize = 100;

/// A position to which the parser can go back.
#[derive(Clone, Copy)]
pub(super) struct Mark<'t> {
    lexer: Lexer<'t>,
    at: At,
    token: Token<'t>,
}

pub(super) struct Parser<'t> {
    text: &'t Text,
    lexer: Lexer<'t>,
    /// Where the next token stands.
    pub(super) at: At,
    /// The next token.
    pub(super) token: Token<'t>,
    /// Whether `->` is C's operator here, rather than the arrow of a transition.
    pub(super) in_braces: bool,
    depth: usize,
}

/// Parses a specification.
pub(super) fn parse(text: Arc<Text>) -> Parsed<Specification> {
    let mut parser = Parser::new(&text);
    let mut automata: Vec<Automaton> = Vec::new();
    while parser.token != Token::End {
        let automaton = parser.automaton()?;
        if automata.iter().any(|other| other.name == automaton.name) {
            return Err(text.error(automaton.at, format!("there are two automata `{}`", automaton.name)));
        }
        automata.push(automaton);
    }
    if automata.is_empty() {
        return Err(
            parser.error("the file holds no automaton; expected `CONTROL AUTOMATON name` or `OBSERVER AUTOMATON name`")
        );
    }
    Ok(Specification { automata, text })
}

impl<'t> Parser<'t> {
    fn new(text: &'t Text) -> Parser<'t> {
        let mut lexer = Lexer::new(text.flat());
        let (at, token) = lexer.next();
        Parser {
            text,
            lexer,
            at,
            token,
            in_braces: false,
            depth: 0,
        }
    }

    pub(super) fn bump(&mut self) {
        (self.at, self.token) = self.lexer.next();
    }

    pub(super) fn save(&self) -> Mark<'t> {
        Mark {
            lexer: self.lexer,
            at: self.at,
            token: self.token,
        }
    }

    pub(super) fn restore(&mut self, mark: Mark<'t>) {
        (self.lexer, self.at, self.token) = (mark.lexer, mark.at, mark.token);
    }

    pub(super) fn error(&self, message: impl Into<String>) -> SpecError {
        self.text.error(self.at, message)
    }

    pub(super) fn unexpected(&self, expected: &str) -> SpecError {
        let found = match self.token {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Hole(text) => format!("`${text}`"),
            Token::Any => "`$?`".to_string(),
            Token::Variable(name) => format!("`$${name}`"),
            Token::Text(_) => "a string".to_string(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Stray(c) => format!("`{c}`"),
            Token::Unclosed(what) => format!("a {what} that does not end"),
            Token::End => "the end of the file".to_string(),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    /// Runs a part of the grammar that may contain itself.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.error("too many expressions inside each other"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = self.token == Token::Sign(sign_of(sign));
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: &str, context: &str) -> Parsed<()> {
        if self.accept(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{sign}` {context}")))
    }

    fn at_word(&self, word: &str) -> bool {
        self.token == Token::Word(word)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect_word(&mut self, word: &str, context: &str) -> Parsed<()> {
        if self.accept_word(word) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{word}` {context}")))
    }

    pub(super) fn word(&mut self, expected: &str) -> Parsed<&'t str> {
        match self.token {
            Token::Word(word) => {
                self.bump();
                Ok(word)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// A name of the automaton language, which may begin with a digit.
    fn name(&mut self, expected: &str) -> Parsed<&'t str> {
        match self.token {
            Token::Number(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                self.bump();
                Ok(name)
            }
            _ => self.word(expected),
        }
    }

    fn string(&mut self, expected: &str) -> Parsed<String> {
        match self.token {
            Token::Text(text) => {
                self.bump();
                Ok(text.to_string())
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The text in braces, with `->` as C's operator.
    fn braced<T>(&mut self, context: &str, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect("{", context)?;
        self.in_braces = true;
        let result = parse(self);
        self.in_braces = false;
        let result = result?;
        self.expect("}", "to close `{`")?;
        Ok(result)
    }
}

/// The sign of the token table that is equal to a sign.
fn sign_of(sign: &str) -> &'static str {
    super::lexer::sign(sign).expect("the grammar names signs that there are")
}
