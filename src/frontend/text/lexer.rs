//! Bytes to tokens.
//!
//! The whole text is lexed at once into a vector of 12-byte tokens: the parser may then look ahead as far as it likes, and
//! the loop stays hot. A token holds its kind, its place and one number: the symbol of an identifier, the length of
//! anything else. Literals are decoded later, where they are needed.
//!
//! Preprocessor lines that survive preprocessing are line marks (read by the source map), `#pragma` and `#ident`. Of these only
//! `#pragma pack` means anything: its effect on record layout is listed by token index.

use super::source::Loc;
use super::token::{KEYWORDS, Symbol, Tok};
use provident_smt::hash::FxHashMap;

/// One token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub tok: Tok,
    /// The symbol of an identifier (keywords have one, too), otherwise the length in bytes.
    pub data: u32,
    /// Its first byte.
    pub loc: Loc,
}

/// Identifiers as numbers. Keywords come first, in the order of [`KEYWORDS`].
#[derive(Debug, Default)]
pub struct Interner<'t> {
    index: FxHashMap<&'t [u8], Symbol>,
    names: Vec<&'t [u8]>,
}

impl<'t> Interner<'t> {
    fn new() -> Interner<'t> {
        let mut interner = Interner::default();
        for (spelling, _) in KEYWORDS {
            interner.intern(spelling.as_bytes());
        }
        interner
    }

    /// The symbol of a name.
    pub fn intern(&mut self, name: &'t [u8]) -> Symbol {
        if let Some(&symbol) = self.index.get(name) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 identifiers"));
        self.names.push(name);
        self.index.insert(name, symbol);
        symbol
    }

    /// The name.
    pub fn bytes(&self, symbol: Symbol) -> &'t [u8] {
        self.names[symbol.index()]
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }
}

/// The lexer's result.
#[derive(Debug)]
pub struct Tokens<'t> {
    /// All tokens; the last one is [`Tok::Eof`].
    pub list: Vec<Token>,
    /// The identifiers.
    pub names: Interner<'t>,
    /// `#pragma pack` values (0: default) with the index of the first token behind them, in order.
    pub packs: Vec<(usize, u64)>,
    /// The names of `#pragma weak`, each with the name that it stands for if it has none of its own.
    pub weak: Vec<(Symbol, Option<Symbol>)>,
    /// Bytes that are no token, unclosed literals and comments.
    pub errors: Vec<(Loc, String)>,
}

/// A text may begin with it; it means nothing.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Lexes a text of less than 4 GiB.
pub fn lex(text: &[u8]) -> Tokens<'_> {
    lex_at(text, 0, Interner::new())
}

/// Lexes a text whose first byte has the position `base`, with the names of texts before it.
pub fn lex_at<'t>(text: &'t [u8], base: u32, names: Interner<'t>) -> Tokens<'t> {
    let mut lexer = Lexer {
        text,
        base,
        pos: if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        },
        line_begin: true,
        out: Tokens {
            list: Vec::with_capacity(text.len() / 5),
            names,
            packs: Vec::new(),
            weak: Vec::new(),
            errors: Vec::new(),
        },
        pack: 0,
        pack_stack: Vec::new(),
    };
    lexer.run();
    lexer.out
}

/// The text with the universal character names of its identifiers (`\u00e9`, `\U000000e9`, as `cpp` writes them) in UTF-8, as gcc takes
/// both for the same; `None` if there are none. Literals and comments stay as they are.
pub fn decode_names(text: &[u8]) -> Option<Vec<u8>> {
    let escape = |at: usize| -> Option<(char, usize)> {
        let digits = match text.get(at + 1)? {
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let code = std::str::from_utf8(text.get(at + 2..at + 2 + digits)?).ok()?;
        let c = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
        (u32::from(c) >= 0x80).then_some((c, 2 + digits))
    };
    if !text.windows(2).any(|w| w == b"\\u" || w == b"\\U") {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    let mut changed = false;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', inner @ ..] => inner.windows(2).position(|w| w == b"*/").map_or(rest.len(), |n| n + 4),
            [quote @ (b'"' | b'\''), ..] => quoted_length(rest, *quote),
            _ => 1,
        };
        if rest[0] == b'\\'
            && let Some((c, length)) = escape(at)
        {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            at += length;
            changed = true;
            continue;
        }
        out.extend(&rest[..length]);
        at += length;
    }
    changed.then_some(out)
}

/// The length of a literal, or of its line if it is not closed.
fn quoted_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

struct Lexer<'t> {
    text: &'t [u8],
    base: u32,
    pos: usize,
    line_begin: bool,
    out: Tokens<'t>,
    pack: u64,
    pack_stack: Vec<u64>,
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_ident(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

impl<'t> Lexer<'t> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn loc(&self, pos: usize) -> Loc {
        Loc(self.base + u32::try_from(pos).expect("texts are shorter than 4 GiB"))
    }

    fn error(&mut self, pos: usize, message: impl Into<String>) {
        let loc = self.loc(pos);
        self.out.errors.push((loc, message.into()));
    }

    fn push(&mut self, tok: Tok, start: usize) {
        let data = u32::try_from(self.pos - start).expect("texts are shorter than 4 GiB");
        let loc = self.loc(start);
        self.out.list.push(Token { tok, data, loc });
        self.line_begin = false;
    }

    fn run(&mut self) {
        while self.pos < self.text.len() {
            let b = self.text[self.pos];
            match b {
                b'\n' => {
                    self.pos += 1;
                    self.line_begin = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'\\' if self.continuation() > 0 => self.pos += self.continuation(),
                b'/' if self.peek(1) == b'/' => self.line_comment(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'#' if self.line_begin => self.directive(),
                _ if is_ident_start(b) => self.identifier(),
                b'0'..=b'9' => self.number(),
                b'.' if self.peek(1).is_ascii_digit() => self.number(),
                b'"' | b'\'' => self.quoted(self.pos),
                _ => self.punctuator(),
            }
        }
        let end = self.text.len();
        self.pos = end;
        self.push(Tok::Eof, end);
    }

    /// The length of a backslash-newline here, or 0.
    fn continuation(&self) -> usize {
        match (self.peek(1), self.peek(2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    fn line_comment(&mut self) {
        while self.pos < self.text.len() && self.text[self.pos] != b'\n' {
            self.pos += if self.text[self.pos] == b'\\' {
                self.continuation().max(1)
            } else {
                1
            };
        }
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        match self.text[start + 2..].windows(2).position(|w| w == b"*/") {
            Some(n) => self.pos = start + 2 + n + 2,
            None => {
                self.error(start, "unterminated comment");
                self.pos = self.text.len();
            }
        }
    }

    /// A line that begins with `#`.
    fn directive(&mut self) {
        let start = self.pos;
        let end = self.text[start..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(self.text.len(), |n| start + n);
        let line = self.text[start + 1..end].trim_ascii();
        if let Some(pragma) = line.strip_prefix(b"pragma") {
            self.pragma(pragma.trim_ascii(), start);
        } else {
            let word: Vec<u8> = line.iter().copied().take_while(u8::is_ascii_alphabetic).collect();
            let known = matches!(&word[..], b"line" | b"ident" | b"sccs" | b"");
            if !known || (word.is_empty() && !line.is_empty() && !line[0].is_ascii_digit()) {
                self.error(start, "preprocessor directive in preprocessed text");
            }
        }
        self.pos = end;
    }

    fn pragma(&mut self, line: &'t [u8], start: usize) {
        let mut words = line
            .split(|&b| b.is_ascii_whitespace() || b == b'=')
            .filter(|word| !word.is_empty());
        match (words.next(), words.next(), words.next()) {
            (Some(b"weak"), Some(name), target) => {
                let name = self.out.names.intern(name);
                let target = target.map(|target| self.out.names.intern(target));
                self.out.weak.push((name, target));
            }
            // Every byte of a verdict on such a record would be wrong.
            (Some(b"scalar_storage_order"), Some(b"big-endian"), _) | (Some(b"ms_struct"), Some(b"on" | b"1"), _) => {
                self.error(start, "records with the layout of other machines are not supported");
            }
            _ => {}
        }
        let Some(rest) = line.strip_prefix(b"pack") else { return };
        let text = String::from_utf8_lossy(rest);
        let Some(inner) = text.trim().strip_prefix('(').and_then(|t| t.split(')').next()) else {
            return;
        };
        if inner.trim().is_empty() {
            self.pack = 0;
        }
        for part in inner.split(',') {
            match part.trim() {
                "push" => self.pack_stack.push(self.pack),
                "pop" => self.pack = self.pack_stack.pop().unwrap_or(0),
                word => {
                    // gcc warns about and ignores what is no small power of two.
                    if let Ok(n @ (0 | 1 | 2 | 4 | 8 | 16)) = word.parse() {
                        self.pack = n;
                    }
                }
            }
        }
        self.out.packs.push((self.out.list.len(), self.pack));
    }

    fn identifier(&mut self) {
        let start = self.pos;
        let length = self.text[start..].iter().take_while(|&&b| is_ident(b)).count();
        let name = &self.text[start..start + length];
        let quote = self.text.get(start + length).copied();
        let prefix = match quote {
            Some(b'"') => matches!(name, b"L" | b"u" | b"U" | b"u8"),
            Some(b'\'') => matches!(name, b"L" | b"u" | b"U" | b"u8"),
            _ => false,
        };
        if prefix {
            self.pos = start + length;
            return self.quoted(start);
        }
        self.pos = start + length;
        let symbol = self.out.names.intern(name);
        let tok = KEYWORDS.get(symbol.index()).map_or(Tok::Ident, |&(_, tok)| tok);
        let loc = self.loc(start);
        self.out.list.push(Token {
            tok,
            data: symbol.0,
            loc,
        });
        self.line_begin = false;
    }

    /// A preprocessing number: what follows is checked when it is decoded.
    fn number(&mut self) {
        let start = self.pos;
        while self.pos < self.text.len() {
            let b = self.text[self.pos];
            if (b == b'+' || b == b'-') && matches!(self.text[self.pos - 1], b'e' | b'E' | b'p' | b'P') {
                // `0xe+1` is one (invalid) preprocessing number in C, too; gcc rejects it.
                self.pos += 1;
            } else if b == b'\''
                && self.peek(1).is_ascii_alphanumeric()
                && self.text[self.pos - 1].is_ascii_alphanumeric()
            {
                // The digit separator of C23.
                self.pos += 1;
            } else if is_ident(b) || b == b'.' {
                // `1...5` as a case range: gcc needs blanks there, too.
                self.pos += 1;
            } else {
                break;
            }
        }
        self.push(Tok::Number, start);
    }

    /// A string or character constant whose token begins at `start` (at its prefix) and whose quote is at `pos`.
    fn quoted(&mut self, start: usize) {
        let quote = self.text[self.pos];
        self.pos += 1;
        loop {
            match self.text.get(self.pos) {
                None | Some(b'\n') => {
                    self.error(start, "unterminated literal");
                    break;
                }
                Some(b'\\') => self.pos += self.continuation().max(2),
                Some(&b) => {
                    self.pos += 1;
                    if b == quote {
                        break;
                    }
                }
            }
        }
        self.pos = self.pos.min(self.text.len());
        self.push(if quote == b'"' { Tok::String } else { Tok::Char }, start);
    }

    fn punctuator(&mut self) {
        let start = self.pos;
        let three = [self.peek(0), self.peek(1), self.peek(2)];
        let (tok, length) = match three {
            [b'.', b'.', b'.'] => (Tok::Ellipsis, 3),
            [b'<', b'<', b'='] => (Tok::ShlAssign, 3),
            [b'>', b'>', b'='] => (Tok::ShrAssign, 3),
            [b'-', b'>', _] => (Tok::Arrow, 2),
            [b'+', b'+', _] => (Tok::Increment, 2),
            [b'-', b'-', _] => (Tok::Decrement, 2),
            [b'<', b'<', _] => (Tok::Shl, 2),
            [b'>', b'>', _] => (Tok::Shr, 2),
            [b'<', b'=', _] => (Tok::Le, 2),
            [b'>', b'=', _] => (Tok::Ge, 2),
            [b'=', b'=', _] => (Tok::EqEq, 2),
            [b'!', b'=', _] => (Tok::NotEq, 2),
            [b'&', b'&', _] => (Tok::AndAnd, 2),
            [b'|', b'|', _] => (Tok::OrOr, 2),
            [b'+', b'=', _] => (Tok::AddAssign, 2),
            [b'-', b'=', _] => (Tok::SubAssign, 2),
            [b'*', b'=', _] => (Tok::MulAssign, 2),
            [b'/', b'=', _] => (Tok::DivAssign, 2),
            [b'%', b'=', _] => (Tok::RemAssign, 2),
            [b'&', b'=', _] => (Tok::AndAssign, 2),
            [b'|', b'=', _] => (Tok::OrAssign, 2),
            [b'^', b'=', _] => (Tok::XorAssign, 2),
            [b'<', b':', _] => (Tok::LBracket, 2),
            [b':', b'>', _] => (Tok::RBracket, 2),
            [b'<', b'%', _] => (Tok::LBrace, 2),
            [b'%', b'>', _] => (Tok::RBrace, 2),
            [b'(', ..] => (Tok::LParen, 1),
            [b')', ..] => (Tok::RParen, 1),
            [b'[', ..] => (Tok::LBracket, 1),
            [b']', ..] => (Tok::RBracket, 1),
            [b'{', ..] => (Tok::LBrace, 1),
            [b'}', ..] => (Tok::RBrace, 1),
            [b';', ..] => (Tok::Semicolon, 1),
            [b',', ..] => (Tok::Comma, 1),
            [b':', ..] => (Tok::Colon, 1),
            [b'?', ..] => (Tok::Question, 1),
            [b'.', ..] => (Tok::Dot, 1),
            [b'=', ..] => (Tok::Assign, 1),
            [b'+', ..] => (Tok::Plus, 1),
            [b'-', ..] => (Tok::Minus, 1),
            [b'*', ..] => (Tok::Star, 1),
            [b'/', ..] => (Tok::Slash, 1),
            [b'%', ..] => (Tok::Percent, 1),
            [b'&', ..] => (Tok::Amp, 1),
            [b'|', ..] => (Tok::Pipe, 1),
            [b'^', ..] => (Tok::Caret, 1),
            [b'~', ..] => (Tok::Tilde, 1),
            [b'!', ..] => (Tok::Not, 1),
            [b'<', ..] => (Tok::Lt, 1),
            [b'>', ..] => (Tok::Gt, 1),
            _ => {
                let shown = char::from(self.text[start]).escape_default();
                self.error(start, format!("stray '{shown}' in program"));
                self.pos += 1;
                return;
            }
        };
        self.pos += length;
        self.push(tok, start);
    }
}
