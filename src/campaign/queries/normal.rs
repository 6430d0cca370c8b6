//! The normal form of a query: equal for queries that differ in names and in what scripts say beside assertions.
//!
//! Declared names become `v0`, `v1` and so on in the order in which the assertions mention them, and names of assertions the same; declarations stand in that order, and white space, comments, options and information go. So two queries of different programs
//! with the same control and data flow have one normal form, which is hashed. The form says what is asked; it is not the script that is kept.

use std::collections::HashMap;
use std::fmt::Write;

/// A token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Open,
    Close,
    /// A symbol, number, keyword or string, as it stands there.
    Word(&'t str),
}

/// The tokens of a script. A quote that is not closed ends it.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' => {
                tokens.push(Token::Open);
                1
            }
            ')' => {
                tokens.push(Token::Close);
                1
            }
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '|' | '"' => {
                let end = rest[1..].find(first).map_or(rest.len(), |at| at + 2);
                tokens.push(Token::Word(&rest[..end]));
                end
            }
            space if space.is_whitespace() => space.len_utf8(),
            _ => {
                let is_end = |c: char| c.is_whitespace() || "();|\"".contains(c);
                let end = rest.find(is_end).unwrap_or(rest.len());
                tokens.push(Token::Word(&rest[..end]));
                end
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// The tokens of each command, without its outer parentheses.
fn commands<'t>(tokens: &'t [Token<'t>]) -> Vec<&'t [Token<'t>]> {
    let (mut commands, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            Token::Close => {
                if depth == 1 {
                    commands.push(&tokens[start..at]);
                }
                depth = depth.saturating_sub(1);
            }
            Token::Word(_) => {}
        }
    }
    commands
}

/// The name that a word is, without the bars of a quoted symbol.
fn name(word: &str) -> &str {
    word.strip_prefix('|')
        .and_then(|inner| inner.strip_suffix('|'))
        .unwrap_or(word)
}

/// The names of a script that have new ones, with these in order of first use.
struct Names<'t> {
    declared: HashMap<&'t str, String>,
    new: HashMap<&'t str, usize>,
}

impl<'t> Names<'t> {
    fn put(&mut self, tokens: &[Token<'t>], out: &mut String) {
        for token in tokens {
            match token {
                Token::Open => out.push('('),
                Token::Close => out.push(')'),
                Token::Word(word) => {
                    let known = name(word);
                    if self.declared.contains_key(known) {
                        let next = self.new.len();
                        let number = self.new.entry(known).or_insert(next);
                        let _ = write!(out, "v{number} ");
                    } else {
                        let _ = write!(out, "{word} ");
                    }
                }
            }
        }
        out.push('\n');
    }
}

/// The normal form of a script.
pub fn normal(script: &str) -> String {
    let tokens = tokens(script);
    let commands = commands(&tokens);
    let mut names = Names {
        declared: HashMap::new(),
        new: HashMap::new(),
    };
    for command in &commands {
        match command {
            [
                Token::Word("declare-fun" | "declare-const"),
                Token::Word(declared),
                sort @ ..,
            ] => {
                let sort: Vec<&str> = sort
                    .iter()
                    .map(|token| match token {
                        Token::Open => "(",
                        Token::Close => ")",
                        Token::Word(word) => word,
                    })
                    .collect();
                names.declared.insert(name(declared), sort.join(" "));
            }
            [Token::Word("assert"), rest @ ..] => {
                for pair in rest.windows(2) {
                    if let [Token::Word(":named"), Token::Word(label)] = pair {
                        names.declared.insert(name(label), ":named".to_string());
                    }
                }
            }
            _ => {}
        }
    }
    let mut body = String::new();
    for command in commands {
        let is_asked = |word: &str| matches!(word, "assert" | "check-sat" | "get-interpolants");
        if let [Token::Word(word), ..] = command
            && is_asked(word)
        {
            names.put(command, &mut body);
        }
    }
    let mut used: Vec<(usize, &str)> = names.new.iter().map(|(name, &number)| (number, *name)).collect();
    used.sort_unstable();
    let mut text = String::new();
    for (number, name) in used {
        let _ = writeln!(text, "v{number} {}", names.declared[name]);
    }
    text + &body
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "(set-info :source |one|)\n(declare-fun |main::x@0| () Int)\n(declare-fun y () Int) ; unused order\n
        (assert (! (<= |main::x@0| y) :named block0))\n(assert (! (< y |main::x@0|) :named block1))\n(check-sat)\n(get-interpolants block0 block1)\n";

    #[test]
    fn names_and_declarations_make_no_difference() {
        let second = "(declare-fun b () Int)(declare-fun a () Int)(assert (! (<= a b) :named A))\n\n(assert (! (< b a) :named B))(check-sat)(get-interpolants A B)";
        assert_eq!(normal(FIRST), normal(second));
        assert!(
            normal(FIRST).starts_with("v0 ( ) Int\nv1 ( ) Int\nv2 :named\n"),
            "{}",
            normal(FIRST)
        );
    }

    #[test]
    fn what_is_asked_makes_one() {
        let flipped = FIRST.replace("(< y |main::x@0|)", "(< |main::x@0| y)");
        assert_ne!(normal(FIRST), normal(&flipped));
        let sort = FIRST.replace("(declare-fun y () Int)", "(declare-fun y () Real)");
        assert_ne!(normal(FIRST), normal(&sort));
        let order = FIRST.replace("(get-interpolants block0 block1)", "(get-interpolants block1 block0)");
        assert_ne!(normal(FIRST), normal(&order));
    }

    #[test]
    fn quoted_symbols_may_hold_anything() {
        assert_eq!(
            tokens("(a |b (c| \"d ; e\") ; f ("),
            [
                Token::Open,
                Token::Word("a"),
                Token::Word("|b (c|"),
                Token::Word("\"d ; e\""),
                Token::Close
            ]
        );
        assert_eq!(tokens("|open"), [Token::Word("|open")]);
    }
}
