//! The regular expressions of `MATCH LABEL [..]`: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, and `(?i)` at the front.
//!
//! An expression has to match a whole label. Labels are short and rules come from their authors, so matching is the plain one by sets of positions: its
//! cost is the length of the label times the size of the expression, squared, and no expression makes it explode.

use std::collections::BTreeSet;

/// A regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regex {
    root: Node,
    ignore_case: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Empty,
    Char(char),
    Dot,
    Class(bool, Vec<(char, char)>),
    Then(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Repeat { inner: Box<Node>, none: bool, many: bool },
}

/// What is wrong with an expression: the byte position and a sentence.
pub type RegexError = (usize, String);

/// Groups inside groups, at most.
const DEEPEST: usize = 50;

impl Regex {
    /// Parses an expression.
    ///
    /// # Errors
    /// The first mistake with its place.
    pub fn new(text: &str) -> Result<Regex, RegexError> {
        let (ignore_case, rest) = match text.strip_prefix("(?i)") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut parser = Parser {
            text: rest,
            at: 0,
            depth: 0,
        };
        let root = parser.alternatives();
        let offset = text.len() - rest.len();
        let root = root.map_err(|(at, message)| (at + offset, message))?;
        if parser.at < rest.len() {
            return Err((parser.at + offset, "`)` closes no group".to_string()));
        }
        Ok(Regex { root, ignore_case })
    }

    /// Whether the expression matches the whole text.
    pub fn matches(&self, text: &str) -> bool {
        let fold = |c: char| if self.ignore_case { c.to_ascii_lowercase() } else { c };
        let text: Vec<char> = text.chars().map(fold).collect();
        self.ends(&self.root, &text, &BTreeSet::from([0])).contains(&text.len())
    }

    /// Where a match that begins at one of some positions can end.
    fn ends(&self, node: &Node, text: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        let step = |accepts: &dyn Fn(char) -> bool| {
            let fits = |&&at: &&usize| text.get(at).is_some_and(|&c| accepts(c));
            starts.iter().filter(fits).map(|at| at + 1).collect()
        };
        let fold = |c: char| if self.ignore_case { c.to_ascii_lowercase() } else { c };
        match node {
            Node::Empty => starts.clone(),
            Node::Char(c) => step(&|other| fold(*c) == other),
            Node::Dot => step(&|_| true),
            Node::Class(negated, ranges) => step(&|c| {
                let inside = |&(low, high): &(char, char)| (fold(low)..=fold(high)).contains(&c);
                ranges.iter().any(inside) != *negated
            }),
            Node::Then(a, b) => self.ends(b, text, &self.ends(a, text, starts)),
            Node::Or(a, b) => &self.ends(a, text, starts) | &self.ends(b, text, starts),
            Node::Repeat { inner, none, many } => {
                let mut found = self.ends(inner, text, starts);
                let mut known = 0;
                while *many && known < found.len() {
                    known = found.len();
                    found = &found | &self.ends(inner, text, &found);
                }
                if *none { &found | starts } else { found }
            }
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn alternatives(&mut self) -> Result<Node, RegexError> {
        let mut node = self.sequence()?;
        while self.peek() == Some('|') {
            self.bump();
            node = Node::Or(Box::new(node), Box::new(self.sequence()?));
        }
        Ok(node)
    }

    fn sequence(&mut self) -> Result<Node, RegexError> {
        let mut node = Node::Empty;
        while !matches!(self.peek(), None | Some('|' | ')')) {
            let next = self.repeated()?;
            node = match node {
                Node::Empty => next,
                node => Node::Then(Box::new(node), Box::new(next)),
            };
        }
        Ok(node)
    }

    fn repeated(&mut self) -> Result<Node, RegexError> {
        let mut node = self.atom()?;
        while let Some(c @ ('*' | '+' | '?')) = self.peek() {
            self.bump();
            node = Node::Repeat {
                inner: Box::new(node),
                none: c != '+',
                many: c != '?',
            };
        }
        Ok(node)
    }

    fn atom(&mut self) -> Result<Node, RegexError> {
        let at = self.at;
        match self.bump() {
            Some('(') => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err((at, "too many groups inside each other".to_string()));
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.bump() != Some(')') {
                    return Err((at, "`(` is not closed".to_string()));
                }
                Ok(inner)
            }
            Some('[') => self.class(at),
            Some('.') => Ok(Node::Dot),
            Some(c @ ('*' | '+' | '?')) => Err((at, format!("`{c}` repeats nothing"))),
            Some('\\') => match self.bump() {
                Some(c) if !c.is_alphanumeric() => Ok(Node::Char(c)),
                _ => Err((at, "expected a punctuation character after `\\`".to_string())),
            },
            Some(c @ ('{' | '}' | '^' | '$')) => {
                Err((at, format!("`{c}` has no meaning here; a label matches as a whole")))
            }
            Some(c) => Ok(Node::Char(c)),
            None => Err((at, "expected a character".to_string())),
        }
    }

    fn class(&mut self, open: usize) -> Result<Node, RegexError> {
        let negated = self.peek() == Some('^');
        if negated {
            self.bump();
        }
        let mut ranges = Vec::new();
        loop {
            let low = match self.bump() {
                None => return Err((open, "`[` is not closed".to_string())),
                Some(']') => return Ok(Node::Class(negated, ranges)),
                Some('\\') => self.bump().unwrap_or('\\'),
                Some(c) => c,
            };
            let is_range = self.peek() == Some('-') && !self.text[self.at..].starts_with("-]");
            let high = if is_range {
                self.bump();
                self.bump().unwrap_or(low)
            } else {
                low
            };
            ranges.push((low, high));
        }
    }
}

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
        assert_eq!(Regex::new("ab(c").unwrap_err().0, 2);
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
