//! C expressions with holes inside specifications, by precedence climbing.

use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::syntax::*;

/// Type keywords that may stand together.
const TYPE_WORDS: [&str; 9] = [
    "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
];
/// Qualifiers, which mean nothing to a conversion.
const QUALIFIERS: [&str; 2] = ["const", "volatile"];
/// Words of the automaton language that end an expression.
const KEYWORDS: [&str; 15] = [
    "GOTO", "ERROR", "STOP", "BREAK", "INACTIVE", "DO", "ASSUME", "ASSERT", "PRINT", "MODIFY", "ENCODE", "SPLIT",
    "NEGATION", "MATCH", "CHECK",
];

/// How tightly `||` binds; operators that bind more tightly have greater numbers.
pub(super) const LOOSEST: u8 = 1;
/// How tightly `|` binds: expressions without `&&` and `||`.
pub(super) const NO_LOGIC: u8 = 3;

fn binary(sign: &str) -> Option<(u8, BinaryOp)> {
    use BinaryOp::*;
    Some(match sign {
        "||" => (1, Or),
        "&&" => (2, And),
        "|" => (3, BitOr),
        "^" => (4, BitXor),
        "&" => (5, BitAnd),
        "==" => (6, Eq),
        "!=" => (6, Ne),
        "<" => (7, Lt),
        "<=" => (7, Le),
        ">" => (7, Gt),
        ">=" => (7, Ge),
        "<<" => (8, Shl),
        ">>" => (8, Shr),
        "+" => (9, Add),
        "-" => (9, Sub),
        "*" => (10, Mul),
        "/" => (10, Div),
        "%" => (10, Rem),
        _ => return None,
    })
}

fn make(at: At, kind: ExprKind) -> Expr {
    Expr { at, kind }
}

impl<'t> Parser<'t> {
    /// An expression whose operators bind at least as tightly as `level`.
    pub(super) fn expression(&mut self, level: u8) -> Parsed<Expr> {
        self.nested(|this| {
            let mut left = this.unary()?;
            while let Token::Sign(sign) = this.token
                && let Some((own, op)) = binary(sign)
                && own >= level
            {
                let at = this.at;
                this.bump();
                let right = this.expression(own + 1)?;
                left = make(at, ExprKind::Binary(op, Box::new(left), Box::new(right)));
            }
            Ok(left)
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.at;
        let op = match self.token {
            Token::Sign("-") => UnaryOp::Neg,
            Token::Sign("+") => UnaryOp::Plus,
            Token::Sign("~") => UnaryOp::BitNot,
            Token::Sign("!") => UnaryOp::Not,
            Token::Sign("*") => UnaryOp::Deref,
            Token::Sign("&") => UnaryOp::AddressOf,
            Token::Sign("(") => {
                if let Some(ty) = self.cast()? {
                    let operand = self.nested(Self::unary)?;
                    return Ok(make(at, ExprKind::Cast(ty, Box::new(operand))));
                }
                return self.postfix();
            }
            _ => return self.postfix(),
        };
        self.bump();
        let operand = self.nested(Self::unary)?;
        Ok(make(at, ExprKind::Unary(op, Box::new(operand))))
    }

    /// `( type )` before an operand; nothing is read if there is none.
    fn cast(&mut self) -> Parsed<Option<TypeName>> {
        let start = self.save();
        self.bump();
        let by_name = matches!(self.token, Token::Word(word) if !is_type_word(word));
        if let Some(ty) = self.type_name()
            && self.token == Token::Sign(")")
        {
            self.bump();
            // `(x) - 1` is no conversion of -1, but `(x *) y` and `(x) y` are conversions.
            let operand = match self.token {
                Token::Word(word) => !KEYWORDS.contains(&word),
                Token::Number(_) | Token::Hole(_) | Token::Any | Token::Variable(_) => true,
                Token::Sign("(") => true,
                Token::Sign(_) => !by_name || ty.pointers > 0,
                _ => false,
            };
            if operand {
                return Ok(Some(ty));
            }
        }
        self.restore(start);
        Ok(None)
    }

    /// The name of a type; nothing sensible has been read if there is none.
    pub(super) fn type_name(&mut self) -> Option<TypeName> {
        let at = self.at;
        let mut words = Vec::new();
        let mut base = None;
        while let Token::Word(word) = self.token {
            if QUALIFIERS.contains(&word) {
                self.bump();
            } else if TYPE_WORDS.contains(&word) && base.is_none() {
                words.push(word.to_string());
                self.bump();
            } else if words.is_empty() && base.is_none() {
                self.bump();
                base = Some(match word {
                    "struct" | "union" | "enum" => {
                        let Token::Word(tag) = self.token else { return None };
                        self.bump();
                        TypeBase::Tag(word.to_string(), tag.to_string())
                    }
                    _ => TypeBase::Name(word.to_string()),
                });
            } else {
                break;
            }
        }
        words.sort_unstable();
        let base = match base {
            Some(base) => base,
            None if words.is_empty() => return None,
            None => TypeBase::Words(words),
        };
        let mut pointers = 0;
        loop {
            match self.token {
                Token::Sign("*") => pointers += 1,
                Token::Word(word) if QUALIFIERS.contains(&word) => {}
                _ => return Some(TypeName { at, base, pointers }),
            }
            self.bump();
        }
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let at = self.at;
            let kind = match self.token {
                Token::Sign("[") => {
                    self.bump();
                    let index = self.expression(LOOSEST)?;
                    self.expect("]", "after the index")?;
                    ExprKind::Index(Box::new(expr), Box::new(index))
                }
                Token::Sign("(") => {
                    self.bump();
                    let args = self.arguments()?;
                    ExprKind::Call(Box::new(expr), args)
                }
                Token::Sign(sign @ ("." | "->")) if sign == "." || self.in_braces => {
                    self.bump();
                    let name = self.word("the name of a member")?.to_string();
                    ExprKind::Member {
                        base: Box::new(expr),
                        name,
                        arrow: sign == "->",
                    }
                }
                _ => return Ok(expr),
            };
            expr = make(at, kind);
        }
    }

    /// Expressions up to the closing parenthesis.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.accept(")") {
            return Ok(args);
        }
        loop {
            args.push(self.expression(LOOSEST)?);
            if self.accept(")") {
                return Ok(args);
            }
            self.expect(",", "or `)` after an argument")?;
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at;
        let kind = match self.token {
            Token::Sign("(") => {
                self.bump();
                let inner = self.expression(LOOSEST)?;
                self.expect(")", "to close `(`")?;
                return Ok(inner);
            }
            Token::Hole(digits) => match digits.parse() {
                Ok(number) => ExprKind::Hole(number),
                Err(_) => return Err(self.error("the number of this hole is too great")),
            },
            Token::Any => ExprKind::Any,
            Token::Variable(name) => ExprKind::Variable(name.to_string()),
            Token::Word(word) if KEYWORDS.contains(&word) => return Err(self.unexpected("an expression")),
            Token::Word(word) => ExprKind::Name(word.to_string()),
            Token::Number(text) => number(text).ok_or_else(|| self.error(format!("`{text}` is no number")))?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        Ok(make(at, kind))
    }
}

fn is_type_word(word: &str) -> bool {
    TYPE_WORDS.contains(&word) || QUALIFIERS.contains(&word) || matches!(word, "struct" | "union" | "enum")
}

/// The constant that a preprocessing number stands for.
fn number(text: &str) -> Option<ExprKind> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if lower.starts_with('0') && lower.len() > 1 && !lower.contains('.') => (&lower[1..], 8),
        None => (lower.as_str(), 10),
    };
    if radix == 10 && lower.contains(['.', 'e']) {
        let digits = lower.trim_end_matches(['f', 'l']);
        return digits
            .parse::<f64>()
            .ok()
            .map(|value| ExprKind::Float(format!("{value:?}")));
    }
    let end = digits.find(['u', 'l']).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let value = match digits {
        // `0u`: what is left of `0` is nothing.
        "" if radix == 8 => 0,
        _ => i128::from_str_radix(digits, radix)
            .ok()
            .filter(|_| !digits.starts_with(['+', '-']))?,
    };
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix);
    (known && value <= i128::from(u64::MAX)).then(|| ExprKind::Int {
        value,
        unsigned: suffix.contains('u'),
        long: u8::try_from(suffix.matches('l').count()).unwrap_or(2),
        decimal: radix == 10,
    })
}
