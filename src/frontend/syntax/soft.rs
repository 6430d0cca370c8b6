//! Words that newer standards made keywords, and that older programs use as names (C23 6.4.1).
//!
//! There is no option for the standard, so each program is read in the way that fits it. `bool`, `true`, `false` and `nullptr` are names that
//! are declared before the program begins: whatever the program declares takes their place. The others are keywords where only a
//! keyword can stand, which their neighbours tell: `static_assert (` at the start of a statement, `alignas (`, `thread_local` before a
//! type or a name.

use crate::frontend::syntax::parser::{Meaning, Parser};
use crate::frontend::text::lexer::Tokens;
use crate::frontend::text::token::{KEYWORDS, Symbol, Tok};
use crate::frontend::types::*;

/// The symbol of a word of the keyword table.
fn symbol(word: &str) -> Symbol {
    let index = KEYWORDS.iter().position(|(spelling, _)| *spelling == word);
    let index = index.expect("the table has the word");
    Symbol(u32::try_from(index).expect("a short table"))
}

/// Makes keywords of the words that can be nothing else.
pub fn resolve(tokens: &mut Tokens<'_>) {
    let words = [
        ("static_assert", Tok::StaticAssert),
        ("alignas", Tok::Alignas),
        ("alignof", Tok::AlignofStd),
        ("typeof_unqual", Tok::TypeofUnqual),
        ("thread_local", Tok::ThreadLocal),
        ("constexpr", Tok::Constexpr),
    ]
    .map(|(word, tok)| (symbol(word), tok));
    let list = &mut tokens.list;
    let first = words[0].0.0;
    let last = words[words.len() - 1].0.0;
    debug_assert!(words.iter().all(|(s, _)| (first..=last).contains(&s.0)));
    let mut found = Vec::new();
    for (i, token) in list.iter().enumerate() {
        if token.tok != Tok::Ident || !(first..=last).contains(&token.data) {
            continue;
        }
        let Some(&(_, tok)) = words.iter().find(|(s, _)| s.0 == token.data) else {
            continue;
        };
        let before = i.checked_sub(1).map_or(Tok::Semicolon, |i| list[i].tok);
        let after = list.get(i + 1).map_or(Tok::Eof, |t| t.tok);
        let starts = matches!(
            before,
            Tok::Semicolon | Tok::LBrace | Tok::RBrace | Tok::RParen | Tok::Colon
        );
        let fits = match tok {
            Tok::StaticAssert => after == Tok::LParen && starts,
            Tok::Alignas | Tok::AlignofStd | Tok::TypeofUnqual => after == Tok::LParen,
            _ => after == Tok::Ident || after.is_specifier(),
        };
        if fits {
            found.push((i, tok));
        }
    }
    for (i, tok) in found {
        list[i].tok = tok;
    }
}

impl Parser<'_> {
    /// Declares what C23 has as keywords and everybody else as names.
    pub fn declare_soft_words(&mut self) {
        let meanings = [
            ("bool", Meaning::Typedef(Types::BOOL)),
            ("true", Meaning::EnumConstant(1, Types::BOOL)),
            ("false", Meaning::EnumConstant(0, Types::BOOL)),
            ("nullptr", Meaning::EnumConstant(0, Types::VOID_PTR)),
        ];
        for (word, meaning) in meanings {
            self.predeclare(symbol(word), meaning);
        }
    }
}
