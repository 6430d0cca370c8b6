//! Triggers: when a transition is considered.

use super::super::cparser::{LOOSEST, NO_LOGIC};
use super::super::lexer::{Lexer, Token};
use super::super::regex::Regex;
use super::super::syntax::*;
use super::{Parsed, Parser};

impl<'t> Parser<'t> {
    pub(super) fn trigger(&mut self) -> Parsed<Trigger> {
        let mut left = self.conjunction()?;
        while self.accept("||") {
            left = Trigger::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Trigger> {
        let mut left = self.factor()?;
        while self.accept("&&") {
            left = Trigger::And(Box::new(left), Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Trigger> {
        let at = self.at;
        match self.token {
            Token::Sign("!") => {
                self.bump();
                let inner = self.nested(Self::factor)?;
                Ok(Trigger::Not(Box::new(inner)))
            }
            Token::Word("TRUE") => {
                self.bump();
                Ok(Trigger::Constant(true))
            }
            Token::Word("FALSE") => {
                self.bump();
                Ok(Trigger::Constant(false))
            }
            Token::Word("MATCH") => {
                self.bump();
                Ok(Trigger::Event(at, self.event()?))
            }
            Token::Word("CHECK") => {
                self.bump();
                self.query(at)
            }
            Token::Sign("(") => {
                // A trigger in parentheses, unless the parentheses only group a part of a comparison.
                let start = self.save();
                self.bump();
                let inner = self.nested(Self::trigger);
                if inner.is_ok() && self.accept(")") && matches!(self.token, Token::Sign("->" | "&&" | "||" | ")")) {
                    return inner;
                }
                let failed = (self.at, inner.err());
                self.restore(start);
                match self.expression(NO_LOGIC) {
                    Ok(condition) => Ok(Trigger::Condition(condition)),
                    // The reading that came further says better what is wrong.
                    Err(other) => Err(failed.1.filter(|_| failed.0 > self.at).unwrap_or(other)),
                }
            }
            Token::Word(_) | Token::Hole(_) | Token::Variable(_) | Token::Number(_) | Token::Sign("-") => {
                Ok(Trigger::Condition(self.expression(NO_LOGIC)?))
            }
            _ => Err(self.unexpected("`MATCH`, `TRUE` or another trigger")),
        }
    }

    /// `(analysis, "query")` or `("query")`
    fn query(&mut self, at: At) -> Parsed<Trigger> {
        self.expect("(", "after `CHECK`")?;
        let analysis = match self.token {
            Token::Word(analysis) => {
                self.bump();
                self.expect(",", "after the name of the analysis")?;
                analysis.to_string()
            }
            _ => String::new(),
        };
        let start = self.at.0 + 1;
        let query = match self.token {
            Token::Word(word) => {
                self.bump();
                word.to_string()
            }
            _ => self.string("the question as a string")?,
        };
        self.expect(")", "at the end of `CHECK`")?;
        if let Some(condition) = self.question(start, query.len()) {
            return Ok(Trigger::Condition(condition));
        }
        Ok(Trigger::Query { at, analysis, query })
    }

    /// The comparison that stands in a string, if it is one and speaks of nothing but holes and variables of the automaton: what a name means is for
    /// the analysis to know.
    fn question(&self, start: usize, len: usize) -> Option<Expr> {
        let text = self.text.flat().get(..start + len)?;
        let mut lexer = Lexer::starting_at(text, start);
        let (at, token) = lexer.next();
        let mut inner = Parser {
            text: self.text,
            lexer,
            at,
            token,
            in_braces: true,
            depth: self.depth,
        };
        let condition = inner.expression(LOOSEST).ok()?;
        use BinaryOp::*;
        let compares = matches!(condition.kind, ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge, ..));
        let plain = compares && inner.token == Token::End && !condition.has_names();
        plain.then_some(condition)
    }

    fn event(&mut self) -> Parsed<Event> {
        Ok(match self.token {
            Token::Word("ENTRY") => {
                self.bump();
                Event::Entry
            }
            Token::Word("EXIT") => {
                self.bump();
                Event::Exit
            }
            Token::Word("ASSUME") => {
                self.bump();
                Event::Assume
            }
            Token::Word("FUNCTIONCALL") => {
                self.bump();
                Event::FunctionCall(self.string("the name of a function as a string")?)
            }
            Token::Word("LABEL") => {
                self.bump();
                self.label()?
            }
            Token::Word("CALL") => {
                self.bump();
                Event::Statement(When::Call, self.pattern(When::Call)?)
            }
            Token::Word("RETURN") => {
                self.bump();
                Event::Statement(When::Return, self.pattern(When::Return)?)
            }
            Token::Text(text) => {
                self.bump();
                Event::Text(text.to_string())
            }
            Token::Sign("{") => Event::Statement(When::Either, self.pattern(When::Either)?),
            Token::Sign("[") => {
                let Some((_, text)) = self.lexer.bracketed() else {
                    return Err(self.error("`[` is not closed in this line"));
                };
                self.bump();
                Event::Text(text.to_string())
            }
            _ => {
                return Err(self.unexpected(
                    "`{` with a statement, `CALL`, `RETURN`, `LABEL`, `FUNCTIONCALL`, `ENTRY`, `EXIT` or `ASSUME` after `MATCH`",
                ));
            }
        })
    }

    fn label(&mut self) -> Parsed<Event> {
        if self.token != Token::Sign("[") {
            return Err(self.unexpected("`[` with the label after `LABEL`"));
        }
        self.regex().map(Event::Label)
    }

    /// `[regex]`
    fn regex(&mut self) -> Parsed<Regex> {
        let Some((start, text)) = self.lexer.bracketed() else {
            return Err(self.error("`[` is not closed in this line"));
        };
        let regex = Regex::new(text).map_err(|(at, message)| self.text.error(At(start.0 + at), message))?;
        self.bump();
        Ok(regex)
    }

    /// `{ f(args) }`, `{ x = f(args); }` or `{ x = e }`
    fn pattern(&mut self, when: When) -> Parsed<Pattern> {
        self.braced("with a statement", |this| {
            if this.token == Token::Sign("[") {
                let pattern = this.family_call(None);
                this.accept(";");
                return pattern;
            }
            let start = this.save();
            let first = this.expression(NO_LOGIC)?;
            if this.token == Token::Sign("=") && this.peek() == Token::Sign("[") {
                this.bump();
                let pattern = this.family_call(Some(first));
                this.accept(";");
                return pattern;
            }
            let pattern = match first.kind {
                ExprKind::Call(function, args) => Pattern::Call {
                    result: None,
                    function: this.function(*function)?,
                    args,
                },
                _ => {
                    this.restore(start);
                    let (_, lhs, rhs) = this.assignment()?;
                    match rhs.kind {
                        ExprKind::Call(function, args) => Pattern::Call {
                            result: Some(lhs),
                            function: this.function(*function)?,
                            args,
                        },
                        _ if when != When::Either => {
                            return Err(this.text.error(rhs.at, "`MATCH CALL` and `MATCH RETURN` need a call"));
                        }
                        _ => Pattern::Assign { lhs, rhs },
                    }
                }
            };
            this.accept(";");
            Ok(pattern)
        })
    }

    /// `[regex](args)`
    fn family_call(&mut self, result: Option<Expr>) -> Parsed<Pattern> {
        let function = Callee::Family(self.regex()?);
        self.expect("(", "after the names of the functions")?;
        let args = self.arguments()?;
        Ok(Pattern::Call { result, function, args })
    }

    fn peek(&self) -> Token<'t> {
        let mut lexer = self.lexer;
        lexer.next().1
    }

    fn function(&self, callee: Expr) -> Parsed<Callee> {
        match callee.kind {
            ExprKind::Name(name) => Ok(Callee::Name(name)),
            _ => Err(self.text.error(callee.at, "expected the name of a function")),
        }
    }
}
