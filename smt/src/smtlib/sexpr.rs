//! S-expressions: the lexer and the reader of one command at a time.
//!
//! A stream is split into the texts of commands, and a text is parsed: a script of any length needs no more memory than its longest command.
//! A command is a flat list of nodes in reading order; a list knows the node behind its last descendant. There is nothing to
//! recurse over, neither in reading nor in dropping, however deep the expression is.

use std::fmt;
use std::io::{self, BufRead};

/// The kinds of tokens.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A symbol, bare or in bars.
    Symbol,
    /// `:name`.
    Keyword,
    /// A decimal number without fraction.
    Numeral,
    /// A decimal number with fraction.
    Decimal,
    /// `#x..` or `#b..`.
    Bits,
    /// `"..."`.
    Text,
    /// A parenthesised list.
    List,
}

/// A token or a list. There is one for every few bytes of a text, and texts may be long.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    kind: Kind,
    /// The bytes of the source text that the node spans.
    start: u32,
    stop: u32,
    /// The index of the next node that is not a descendant.
    next: u32,
}

/// A mistake, with its byte in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    pub at: usize,
    pub message: String,
}

impl Error {
    pub fn new(at: usize, message: impl Into<String>) -> Self {
        Error {
            at,
            message: message.into(),
        }
    }
}

/// A line and column (in bytes), both from 1, for people.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    line: usize,
    column: usize,
}

impl Position {
    /// The position of the first byte of a text.
    pub const START: Position = Position { line: 1, column: 1 };

    /// The position of a byte of a text that starts here.
    pub fn of(self, text: &[u8], at: usize) -> Self {
        let mut position = self;
        position.advance(&text[..at.min(text.len())]);
        position
    }

    /// The position behind these bytes, which start here.
    fn advance(&mut self, bytes: &[u8]) {
        let newlines = bytes.iter().filter(|&&b| b == b'\n').count();
        match bytes.iter().rposition(|&b| b == b'\n') {
            Some(last) => {
                self.line += newlines;
                self.column = bytes.len() - last;
            }
            None => self.column += bytes.len(),
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One expression, usually a command. Node 0 is the whole.
pub(super) struct Expr<'a> {
    pub text: &'a str,
    pub nodes: Vec<Node>,
}

impl<'a> Expr<'a> {
    /// The source text of a node.
    pub fn source(&self, node: usize) -> &'a str {
        let Node { start, stop, .. } = self.nodes[node];
        &self.text[start as usize..stop as usize]
    }

    pub fn kind(&self, node: usize) -> Kind {
        self.nodes[node].kind
    }

    pub fn at(&self, node: usize) -> usize {
        self.nodes[node].start as usize
    }

    /// The name that a symbol node denotes, if it is one: bars are not part of a name.
    pub fn symbol(&self, node: usize) -> Option<&'a str> {
        let source = self.source(node);
        (self.kind(node) == Kind::Symbol).then(|| {
            source
                .strip_prefix('|')
                .map_or(source, |inner| inner.strip_suffix('|').unwrap_or(inner))
        })
    }

    /// The direct children of a list.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].next as usize;
        let first = node + 1;
        std::iter::successors(
            (self.kind(node) == Kind::List && first < end).then_some(first),
            move |&child| {
                let next = self.nodes[child].next as usize;
                (next < end).then_some(next)
            },
        )
    }

    /// The direct children of a list as a vector.
    pub fn list(&self, node: usize) -> Vec<usize> {
        self.children(node).collect()
    }

    pub fn error(&self, node: usize, message: impl Into<String>) -> Error {
        Error::new(self.at(node), message)
    }
}

/// Reads one expression from its text, without more behind it than blanks.
pub(super) fn parse(text: &str) -> Result<Expr<'_>, Error> {
    if u32::try_from(text.len()).is_err() {
        return Err(Error::new(0, "a command of more than 4 GB is not supported"));
    }
    Parser { text, at: 0 }.expression()
}

/// Splits a stream into the texts of expressions. It reads no further than the last byte of an expression, so that one who waits for the
/// answer before sending the next command gets it.
pub(super) struct Splitter<R> {
    input: R,
    /// The text of the current expression.
    text: Vec<u8>,
    /// Where the current expression starts.
    start: Position,
    /// Where the next byte is.
    position: Position,
}

/// The token in the middle of which the splitter is.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Inside {
    /// Between expressions.
    Blank,
    Comment,
    /// At the first byte of an expression.
    Start,
    /// A bare word that is no list.
    Word,
    /// A list, between its strings, quoted symbols and comments.
    List,
    CommentInList,
    String,
    Quoted,
    Done,
}

impl<R: BufRead> Splitter<R> {
    pub fn new(input: R) -> Self {
        Splitter {
            input,
            text: Vec::new(),
            start: Position::START,
            position: Position::START,
        }
    }

    /// The text of the next expression with its position; none at the end. The text may be incomplete at the end of the stream.
    pub fn next(&mut self) -> io::Result<Option<(&[u8], Position)>> {
        self.text.clear();
        let (mut inside, mut depth) = (Inside::Blank, 0_usize);
        while inside != Inside::Done {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            let mut used = 0;
            if matches!(inside, Inside::Blank | Inside::Comment) {
                while let Some(next) = chunk.get(used).and_then(|&byte| skip(inside, byte)) {
                    inside = next;
                    used += 1;
                }
                self.position.advance(&chunk[..used]);
                if used < chunk.len() {
                    inside = Inside::Start;
                    self.start = self.position;
                }
            } else {
                while used < chunk.len() && inside != Inside::Done {
                    let next = step(inside, chunk[used], &mut depth);
                    // A word that stands alone ends before the byte that ends it.
                    used += usize::from(!(next == Inside::Done && inside == Inside::Word));
                    inside = next;
                }
                self.text.extend_from_slice(&chunk[..used]);
                self.position.advance(&chunk[..used]);
            }
            self.input.consume(used);
        }
        Ok((!self.text.is_empty()).then_some((&self.text[..], self.start)))
    }
}

/// The state behind a byte between expressions; none if the byte begins an expression.
fn skip(inside: Inside, byte: u8) -> Option<Inside> {
    match (inside, byte) {
        (Inside::Comment, b'\n') | (Inside::Blank, b' ' | b'\t' | b'\r' | b'\n') => Some(Inside::Blank),
        (Inside::Comment, _) | (Inside::Blank, b';') => Some(Inside::Comment),
        _ => None,
    }
}

/// The state behind a byte of an expression. `depth` counts open parentheses.
fn step(inside: Inside, byte: u8, depth: &mut usize) -> Inside {
    let closed = |depth: usize| if depth == 0 { Inside::Done } else { Inside::List };
    match (inside, byte) {
        (Inside::String, b'"') | (Inside::Quoted, b'|') => closed(*depth),
        (Inside::CommentInList, b'\n') => Inside::List,
        (Inside::String | Inside::Quoted | Inside::CommentInList, _) => inside,
        (Inside::Word, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b';' | b'|') => Inside::Done,
        (_, b'(') => {
            *depth += 1;
            Inside::List
        }
        (_, b')') => {
            *depth = depth.saturating_sub(1);
            closed(*depth)
        }
        (_, b'"') => Inside::String,
        (_, b'|') => Inside::Quoted,
        (Inside::List, b';') => Inside::CommentInList,
        (Inside::Start, _) => Inside::Word,
        _ => inside,
    }
}

/// A position in a text of less than 4 GB, or in its nodes, of which there are not more than bytes.
fn position(at: usize) -> u32 {
    u32::try_from(at).expect("the length of the text was checked")
}

/// Reads an expression from a text of less than 4 GB.
struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn expression(&mut self) -> Result<Expr<'a>, Error> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.skip_blank();
            let start = self.at;
            let Some(&byte) = self.text.as_bytes().get(start) else {
                let at = open.last().map_or(start, |&list| nodes[list].start as usize);
                return Err(Error::new(at, "this parenthesis is never closed"));
            };
            match byte {
                b'(' => {
                    self.at += 1;
                    open.push(nodes.len());
                    nodes.push(Node {
                        kind: Kind::List,
                        start: position(start),
                        stop: position(start),
                        next: 0,
                    });
                }
                b')' => {
                    self.at += 1;
                    let Some(list) = open.pop() else {
                        return Err(Error::new(start, "this parenthesis closes nothing"));
                    };
                    nodes[list].stop = position(self.at);
                    nodes[list].next = position(nodes.len());
                }
                _ => {
                    let kind = self.token()?;
                    let next = position(nodes.len() + 1);
                    nodes.push(Node {
                        kind,
                        start: position(start),
                        stop: position(self.at),
                        next,
                    });
                }
            }
            if open.is_empty() {
                return Ok(Expr { text: self.text, nodes });
            }
        }
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => {
                    self.at += bytes[self.at..]
                        .iter()
                        .position(|&b| b == b'\n')
                        .unwrap_or(bytes.len() - self.at)
                }
                _ => break,
            }
        }
    }

    /// Reads one token that is not a parenthesis.
    fn token(&mut self) -> Result<Kind, Error> {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        match rest[0] {
            b'|' => {
                let end = rest[1..].iter().position(|&b| b == b'|');
                let end = end.ok_or_else(|| Error::new(start, "this quoted symbol is never closed"))?;
                self.at += end + 2;
                Ok(Kind::Symbol)
            }
            b'"' => {
                // A doubled quote stands for one quote and does not end the string.
                let mut i = 1;
                loop {
                    match (rest.get(i), rest.get(i + 1)) {
                        (Some(b'"'), Some(b'"')) => i += 2,
                        (Some(b'"'), _) => break,
                        (Some(_), _) => i += 1,
                        (None, _) => return Err(Error::new(start, "this string is never closed")),
                    }
                }
                self.at += i + 1;
                Ok(Kind::Text)
            }
            _ => {
                let delimiter = |b: &u8| b" \t\r\n()\";|".contains(b);
                let length = rest.iter().position(delimiter).unwrap_or(rest.len());
                self.at += length;
                classify(&rest[..length]).ok_or_else(|| Error::new(start, "this is no SMT-LIB token"))
            }
        }
    }
}

/// The kind of a bare word.
fn classify(word: &[u8]) -> Option<Kind> {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    match word[0] {
        b':' if word.len() > 1 => Some(Kind::Keyword),
        b'#' => Some(Kind::Bits),
        b'0'..=b'9' => {
            if digits(word) {
                return Some(Kind::Numeral);
            }
            let dot = word.iter().position(|&b| b == b'.')?;
            (digits(&word[..dot]) && digits(&word[dot + 1..])).then_some(Kind::Decimal)
        }
        _ => {
            let simple = |b: &u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(b);
            word.iter().all(simple).then_some(Kind::Symbol)
        }
    }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Vec<String> {
        // The smallest buffer shows that no state is lost between two reads.
        let mut splitter = Splitter::new(io::BufReader::with_capacity(1, text.as_bytes()));
        let mut found = Vec::new();
        while let Some((text, start)) = splitter.next().unwrap() {
            match parse(std::str::from_utf8(text).unwrap()) {
                Ok(expr) => {
                    found.extend((0..expr.nodes.len()).map(|n| format!("{:?} {}", expr.kind(n), expr.source(n))))
                }
                Err(error) => found.push(format!("{} {}", start.of(text, error.at), error.message)),
            }
        }
        found
    }

    #[test]
    fn tokens_and_lists() {
        assert_eq!(
            sources("(a |b c| 12 1.5 #xF :k \"x\"\"y\") ; end\n()"),
            [
                "List (a |b c| 12 1.5 #xF :k \"x\"\"y\")",
                "Symbol a",
                "Symbol |b c|",
                "Numeral 12",
                "Decimal 1.5",
                "Bits #xF",
                "Keyword :k",
                "Text \"x\"\"y\"",
                "List ()"
            ]
        );
    }

    #[test]
    fn errors_have_positions() {
        assert_eq!(sources("\n (a"), ["2:2 this parenthesis is never closed"]);
        assert_eq!(sources(" )"), ["1:2 this parenthesis closes nothing"]);
        assert_eq!(sources("(a\n |b"), ["2:2 this quoted symbol is never closed"]);
        assert_eq!(sources("(a \"b)"), ["1:4 this string is never closed"]);
        assert_eq!(
            sources("(a 1x)\n\n ; ( \n (b\n1x) c|d|"),
            [
                "1:4 this is no SMT-LIB token",
                "5:1 this is no SMT-LIB token",
                "Symbol c",
                "Symbol |d|"
            ]
        );
    }

    #[test]
    fn children_skip_descendants() {
        let expr = parse("(a (b (c)) () d)").unwrap();
        let children: Vec<_> = expr.children(0).map(|child| expr.source(child)).collect();
        assert_eq!(children, ["a", "(b (c))", "()", "d"]);
    }
}
