//! A C text as tokens with positions: enough to find statements, calls and loops, and to insert text between them.
//!
//! Witnesses speak of positions in the source: the closing parenthesis of a call, the keyword of a loop, the first character of a statement. The syntax tree does not keep all of these, so they
//! are found in the text. Nothing here understands C beyond brackets, keywords and the end of statements; what is made from it is read again by the front end, which does.

use crate::frontend::text::source::{Loc, SourceMap};
use std::collections::BTreeMap;
use std::ops::Range;

/// A C text as tokens.
#[derive(Debug)]
pub struct Text<'s> {
    sources: &'s SourceMap,
    tokens: Vec<Range<usize>>,
    /// For each bracket the token that closes or opens it.
    partner: Vec<Option<usize>>,
    /// The tokens of each line of the user's files, by the number of the file.
    lines: BTreeMap<(usize, u32), Vec<usize>>,
}

/// The keywords at the beginning of a statement that is no expression.
const STATEMENT_KEYWORDS: [&str; 16] = [
    "if", "while", "for", "do", "switch", "return", "goto", "break", "continue", "case", "default", "else", "asm",
    "__asm__", "__asm", "sizeof",
];

impl<'s> Text<'s> {
    /// Splits a text into tokens. Linear in its length.
    pub fn new(sources: &'s SourceMap) -> Text<'s> {
        let bytes = sources.text();
        let tokens = tokenize(bytes);
        let mut partner = vec![None; tokens.len()];
        let mut open: Vec<usize> = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            match bytes[token.start] {
                b'(' | b'[' | b'{' if token.len() == 1 => open.push(i),
                closing @ (b')' | b']' | b'}') if token.len() == 1 => {
                    let fits = |o: usize| {
                        matches!(
                            (bytes[tokens[o].start], closing),
                            (b'(', b')') | (b'[', b']') | (b'{', b'}')
                        )
                    };
                    if let Some(o) = open.pop().filter(|&o| fits(o)) {
                        partner[o] = Some(i);
                        partner[i] = Some(o);
                    }
                }
                _ => {}
            }
        }
        let mut lines: BTreeMap<(usize, u32), Vec<usize>> = BTreeMap::new();
        let (mut line, mut end) = (None, 0);
        for (i, token) in tokens.iter().enumerate() {
            // A position costs the length of its line, and a line may be the whole program.
            if i == 0 || bytes[end..token.start].contains(&b'\n') {
                let at = loc(token.start);
                let position = sources.resolve(at);
                // Of a file's text, what its headers say has no line in it.
                let file = sources.pieces().partition_point(|piece| piece.begin <= at.0) - 1;
                let piece = &sources.pieces()[file];
                let own = base_name(position.file) == base_name(&piece.name) && !sources.in_library(at);
                line = (own && (file == 0 || piece.starts_unit)).then_some((file, position.line));
            }
            end = token.end;
            if let Some(line) = line {
                lines.entry(line).or_default().push(i);
            }
        }
        Text {
            sources,
            tokens,
            partner,
            lines,
        }
    }

    /// The text of a token.
    pub fn word(&self, token: usize) -> &'s str {
        self.tokens
            .get(token)
            .and_then(|range| std::str::from_utf8(&self.sources.text()[range.clone()]).ok())
            .unwrap_or("")
    }

    /// The text between two offsets.
    pub fn slice(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(&self.sources.text()[range]).into_owned()
    }

    /// The offset of the first byte of a token.
    pub fn start(&self, token: usize) -> usize {
        self.tokens[token].start
    }

    /// The offset behind a token.
    pub fn end(&self, token: usize) -> usize {
        self.tokens[token].end
    }

    /// The token that begins at a position, or holds it.
    pub fn token_at(&self, at: Loc) -> Option<usize> {
        let offset = usize::try_from(at.0).ok()?;
        let i = self.tokens.partition_point(|token| token.end <= offset);
        (i < self.tokens.len() && at.is_some()).then_some(i)
    }

    /// The line and column of a token in the user's file.
    pub fn position(&self, token: usize) -> (u32, u32) {
        let position = self.sources.resolve(loc(self.start(token)));
        (position.line, position.column)
    }

    /// The file of a token.
    pub fn file(&self, token: usize) -> &'s str {
        self.sources.resolve(loc(self.start(token))).file
    }

    /// The brackets around a token, from inner to outer.
    fn around(&self, token: usize) -> Vec<usize> {
        let mut brackets = Vec::new();
        let mut at = token;
        while let Some(before) = at.checked_sub(1) {
            at = before;
            match (self.word(at), self.partner(at)) {
                (")" | "]" | "}", Some(open)) => at = open,
                ("(" | "[" | "{", _) => brackets.push(at),
                _ => {}
            }
        }
        brackets
    }

    /// Whether the scope of the declaration at one token contains another one. A declaration in the first part of `for` is visible from the keyword on.
    pub fn scope_holds(&self, declared: usize, token: usize) -> bool {
        let mut scope = self.around(declared);
        let mut begins = declared;
        // A declarator of a function pointer stands in parentheses, an element of the initialiser of something else in braces: neither is looked into.
        if let Some(&open) = scope.first()
            && self.word(open) == "("
        {
            let keyword = open.checked_sub(1).filter(|&k| self.word(k) == "for");
            let Some(keyword) = keyword else { return false };
            scope.remove(0);
            begins = keyword;
            let end = self.partner(open).map_or(open, |close| match self.word(close + 1) {
                "{" => self.partner(close + 1).unwrap_or(close),
                _ => self.statement_end(close + 1),
            });
            if token > end {
                return false;
            }
        }
        let outer = self.around(token);
        token >= begins && outer.len() >= scope.len() && outer[outer.len() - scope.len()..] == scope[..]
    }

    /// The token at which the translation unit of a token begins.
    fn unit_of(&self, token: usize) -> usize {
        let start = loc(self.start(token));
        let before = self.sources.pieces().iter().rev();
        let begin = before
            .filter(|piece| piece.starts_unit)
            .find(|piece| piece.begin <= start.0);
        self.token_at(Loc(begin.map_or(0, |piece| piece.begin))).unwrap_or(0)
    }

    /// Whether two tokens are of one translation unit.
    pub fn same_unit(&self, one: usize, other: usize) -> bool {
        self.unit_of(one) == self.unit_of(other)
    }

    /// The token before another one in its translation unit at which a name is declared `extern` outside of all functions.
    pub fn declared_extern(&self, name: &str, token: usize) -> Option<usize> {
        let mut at = self.unit_of(token);
        let mut external = false;
        while at < token {
            match self.word(at) {
                ";" | "}" => external = false,
                "extern" => external = true,
                "{" | "(" | "[" => {
                    let close = self.partner(at)?;
                    // A body ends what went before.
                    external &= self.word(at) != "{";
                    at = close;
                }
                word if external && word == name => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The bracket that belongs to a bracket.
    pub fn partner(&self, token: usize) -> Option<usize> {
        self.partner.get(token).copied().flatten()
    }

    /// The number of the file that a name means. The only file of a program may have any name, and several have those that end like it.
    fn file_named(&self, name: &str) -> Option<usize> {
        let units = || {
            self.sources
                .pieces()
                .iter()
                .enumerate()
                .filter(|(_, piece)| piece.starts_unit)
        };
        if units().count() == 1 {
            return Some(0);
        }
        let whole = units().find(|(_, piece)| piece.name == name);
        let mut alike = units().filter(|(_, piece)| base_name(&piece.name) == base_name(name));
        let only = (alike.next(), alike.next());
        let found = whole.or(match only {
            (one, None) => one,
            _ => None,
        });
        found.map(|(file, _)| file)
    }

    /// The tokens of a line of a file, or the one of them at a column.
    pub fn find(&self, file: &str, line: u32, column: Option<u32>) -> Vec<usize> {
        let file = self.file_named(file);
        let all = file
            .and_then(|file| self.lines.get(&(file, line)))
            .cloned()
            .unwrap_or_default();
        match column {
            None => all,
            Some(column) => all.into_iter().filter(|&t| self.position(t).1 == column).collect(),
        }
    }

    /// The end of the argument list of a call of a plain name that begins at a token.
    pub fn call_end(&self, token: usize) -> Option<usize> {
        let mut open = token + 1;
        // A name in parentheses, as protection against macros.
        if self.word(token) == "(" {
            open = self.partner(token)? + 1;
        }
        (self.word(open) == "(").then(|| self.partner(open)).flatten()
    }

    /// The first token of the postfix expression that a closing parenthesis of a call ends.
    pub fn call_start(&self, closing: usize) -> Option<usize> {
        let open = self.partner(closing).filter(|_| self.word(closing) == ")")?;
        let mut at = open.checked_sub(1)?;
        loop {
            match self.word(at) {
                ")" | "]" => at = self.partner(at)?,
                word if is_name(word) && !STATEMENT_KEYWORDS.contains(&word) => {}
                _ => return None,
            }
            let before = at.checked_sub(1)?;
            match self.word(before) {
                "." | "->" => at = before.checked_sub(1)?,
                // `f(x)(y)`, `a[i](y)`: what stands before belongs to it.
                _ if matches!(self.word(at), "(" | "[")
                    && (self.word(before) == ")" && self.word(at) == "[" || is_callee(self.word(before))) =>
                {
                    at = before;
                }
                _ => return Some(at),
            }
        }
    }

    /// Whether a declaration may begin here and no statement: a type name or storage class, followed by what cannot follow an expression's name.
    pub fn is_declaration(&self, token: usize) -> bool {
        const WORDS: [&str; 24] = [
            "int",
            "char",
            "short",
            "long",
            "float",
            "double",
            "void",
            "signed",
            "unsigned",
            "_Bool",
            "struct",
            "union",
            "enum",
            "const",
            "volatile",
            "static",
            "register",
            "auto",
            "extern",
            "typedef",
            "__typeof__",
            "typeof",
            "__extension__",
            "__auto_type",
        ];
        let word = self.word(token);
        if WORDS.contains(&word) {
            return true;
        }
        if !is_name(word) || STATEMENT_KEYWORDS.contains(&word) {
            return false;
        }
        let next = self.word(token + 1);
        is_name(next)
            || next == "*"
                && (is_name(self.word(token + 2)) || self.word(token + 2) == "*")
                && matches!(self.word(token + 3), ";" | "=" | ",")
    }

    /// Whether a statement or declaration may begin at a token, as far as the token before tells.
    pub fn begins_statement(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1) else {
            return false;
        };
        match self.word(before) {
            ";" | "{" | "}" | "else" | "do" => !matches!(self.word(token), "}" | "else"),
            ":" => true,
            ")" => {
                let keyword = self.partner(before).and_then(|open| open.checked_sub(1));
                keyword.is_some_and(|k| matches!(self.word(k), "if" | "while" | "for" | "switch"))
            }
            _ => false,
        }
    }

    /// The first token behind the labels before a statement.
    pub fn behind_labels(&self, token: usize) -> usize {
        let mut at = token;
        loop {
            let colon = match self.word(at) {
                "case" => (at..self.tokens.len()).find(|&t| matches!(self.word(t), ":" | ";" | "{")),
                word => is_name(word).then_some(at + 1),
            };
            match colon {
                Some(colon) if self.word(colon) == ":" => at = colon + 1,
                _ => return at,
            }
        }
    }

    /// The last token of the simple statement that begins at a token: the `;` or the closing brace.
    pub fn statement_end(&self, token: usize) -> usize {
        let mut at = token;
        while at < self.tokens.len() {
            match self.word(at) {
                ";" => return at,
                "{" => return self.partner(at).unwrap_or(at),
                "(" | "[" => at = self.partner(at).unwrap_or(at),
                _ => {}
            }
            at += 1;
        }
        self.tokens.len().saturating_sub(1)
    }

    /// The brace that opens the body of the function whose declarator holds a position.
    pub fn body_of(&self, at: Loc) -> Option<usize> {
        let from = self.token_at(at)?;
        (from..self.tokens.len())
            .find(|&t| matches!(self.word(t), "{" | ";"))
            .filter(|&t| self.word(t) == "{")
    }

    /// The functions that are declared with a name for the assembler: that name, and the one in C.
    pub fn assembler_names(&self) -> Vec<(String, &'s str)> {
        let mut names = Vec::new();
        for token in 1..self.tokens.len() {
            if !matches!(self.word(token), "__asm__" | "asm" | "__asm")
                || self.word(token - 1) != ")"
                || self.word(token + 1) != "("
            {
                continue;
            }
            let name = self
                .partner(token - 1)
                .and_then(|open| open.checked_sub(1))
                .map(|name| self.word(name));
            let (Some(name), Some(end)) = (name.filter(|name| is_name(name)), self.partner(token + 1)) else {
                continue;
            };
            let strings = (token + 2..end).map(|t| self.word(t).trim_matches('"'));
            let symbol: String = strings.collect();
            // A declaration ends behind it; an instruction that follows a condition has no plain name.
            if symbol.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !symbol.is_empty() && symbol != name {
                names.push((symbol, name));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

fn is_callee(word: &str) -> bool {
    matches!(word, ")" | "]") || is_name(word) && !STATEMENT_KEYWORDS.contains(&word)
}

/// Whether a word is an identifier or keyword.
pub fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
}

/// The last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn loc(offset: usize) -> Loc {
    Loc(u32::try_from(offset).expect("a program text is below 4 GiB"))
}

/// The tokens of a text; comments and lines of the preprocessor are left out.
pub fn tokenize(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let (mut i, mut line_begins) = (0, true);
    while i < bytes.len() {
        let b = bytes[i];
        let rest = &bytes[i..];
        if b == b'\n' {
            line_begins = true;
            i += 1;
        } else if b.is_ascii_whitespace() {
            i += 1;
        } else if b == b'#' && line_begins {
            i += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"//") {
            i += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            i += rest[2..]
                .windows(2)
                .position(|w| w == b"*/")
                .map_or(rest.len(), |n| n + 4);
        } else {
            line_begins = false;
            let length = token_length(rest);
            tokens.push(i..i + length);
            i += length;
        }
    }
    tokens
}

fn token_length(rest: &[u8]) -> usize {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || *b >= 0x80;
    match rest[0] {
        quote @ (b'"' | b'\'') => {
            let mut i = 1;
            while i < rest.len() && rest[i] != quote && rest[i] != b'\n' {
                i += if rest[i] == b'\\' { 2 } else { 1 };
            }
            (i + 1).min(rest.len())
        }
        b'0'..=b'9' => {
            let mut i = 1;
            while i < rest.len()
                && (is_word(&rest[i])
                    || rest[i] == b'.'
                    || matches!(rest[i], b'+' | b'-')
                        && matches!(rest[i - 1], b'e' | b'E' | b'p' | b'P')
                        && !rest.starts_with(b"0x"))
            {
                i += 1;
            }
            i
        }
        b if is_word(&b) => rest.iter().position(|b| !is_word(b)).unwrap_or(rest.len()),
        _ => {
            const SIGNS: [&[u8]; 22] = [
                b"<<=", b">>=", b"...", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||",
                b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
            ];
            SIGNS.iter().find(|s| rest.starts_with(s)).map_or(1, |s| s.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::text::source::Source;

    fn map(text: &str) -> SourceMap {
        SourceMap::new(Source::new("a.c", text))
    }

    #[test]
    fn tokens_leave_out_comments_and_lines_of_the_preprocessor() {
        let text = "# 1 \"x\"\nint a = 1.5e+3; // no\n/* no */ s = \"a;\\\"b\" ->x;";
        let words: Vec<&str> = tokenize(text.as_bytes()).into_iter().map(|r| &text[r]).collect();
        assert_eq!(
            words,
            ["int", "a", "=", "1.5e+3", ";", "s", "=", "\"a;\\\"b\"", "->", "x", ";"]
        );
    }

    #[test]
    fn calls_have_a_beginning_and_an_end() {
        let sources = map("x = a + p->q[1].f(g(1), (2)) + (*h)(3) ;");
        let text = Text::new(&sources);
        let close = |nth: usize| (0..text.len()).filter(|&t| text.word(t) == ")").nth(nth).unwrap();
        let call = |nth: usize| {
            let end = close(nth);
            text.slice(text.start(text.call_start(end).unwrap())..text.end(end))
        };
        assert_eq!(call(0), "g(1)");
        assert_eq!(call(2), "p->q[1].f(g(1), (2))");
        assert_eq!(call(4), "(*h)(3)");
    }
}
