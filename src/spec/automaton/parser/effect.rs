//! The right side of a transition: assertions, actions, assumptions, woven statements, and the target.

use super::super::cparser::{LOOSEST, NO_LOGIC};
use super::super::lexer::Token;
use super::super::syntax::*;
use super::{Parsed, Parser};

/// A target that may name a state that comes later.
pub(super) enum Goal {
    State(String, At),
    Done(Target),
}

/// The right side of a transition, from the arrow to the semicolon.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub assertions: Vec<Expr>,
    pub actions: Vec<Action>,
    pub assumptions: Vec<Expr>,
    pub encode: Vec<Encoded>,
    pub prints: Vec<String>,
    pub unsupported: Option<(At, String)>,
}

impl Parser<'_> {
    pub(super) fn effects(&mut self) -> Parsed<Effects> {
        let mut effects = Effects::default();
        self.more_effects(&mut effects)?;
        Ok(effects)
    }

    pub(super) fn more_effects(&mut self, effects: &mut Effects) -> Parsed<()> {
        loop {
            let at = self.at;
            if self.accept_word("ASSERT") {
                effects.assertions.push(self.expression(LOOSEST)?);
            } else if self.accept_word("ASSUME") {
                effects
                    .assumptions
                    .extend(self.braced("with the conditions after `ASSUME`", Self::conditions)?);
            } else if self.accept_word("DO") {
                effects.actions.push(self.action()?);
            } else if self.accept_word("ENCODE") {
                let statements = self.braced("with C statements after `ENCODE`", Self::encoded)?;
                effects.encode.extend(statements);
            } else if self.accept_word("PRINT") {
                effects.prints.push(self.printed()?);
            } else if self.accept_word("MODIFY") {
                self.expect("(", "after `MODIFY`")?;
                let analysis = self.word("the name of an analysis")?;
                self.expect(",", "after the name of the analysis")?;
                self.string("the modification as a string")?;
                self.expect(")", "at the end of `MODIFY`")?;
                let reason =
                    format!("`MODIFY` changes the state of the analysis `{analysis}`, which there is none of here");
                effects.unsupported.get_or_insert((at, reason));
            } else {
                return Ok(());
            }
        }
    }

    /// `v = e` or `s[e] = true`
    fn action(&mut self) -> Parsed<Action> {
        let at = self.at;
        let name = match self.token {
            Token::Variable(name) => {
                self.bump();
                name
            }
            _ => self.word("a variable of the automaton after `DO`")?,
        }
        .to_string();
        if self.accept("[") {
            let element = self.expression(LOOSEST)?;
            self.expect("]", "after the element")?;
            self.expect("=", "`true` or `false`")?;
            let put = match self.word("`true` or `false`")? {
                "true" => true,
                "false" => false,
                other => return Err(self.error(format!("an element is set to `true` or `false`, not to `{other}`"))),
            };
            return Ok(Action::Member {
                at,
                set: name,
                element,
                put,
            });
        }
        self.expect("=", "after the variable")?;
        let value = self.expression(NO_LOGIC)?;
        Ok(Action::Assign {
            at,
            variable: name,
            value,
        })
    }

    fn printed(&mut self) -> Parsed<String> {
        let mut text = self.string("a string after `PRINT`")?;
        loop {
            match self.token {
                Token::Text(more) => text.push_str(more),
                Token::Hole(hole) => text.push_str(&format!("${hole}")),
                Token::Variable(name) => text.push_str(&format!("$${name}")),
                _ => return Ok(text),
            }
            self.bump();
        }
    }

    pub(super) fn goal(&mut self, control: bool) -> Parsed<Goal> {
        let at = self.at;
        let target = match self.token {
            Token::Word("GOTO") => {
                self.bump();
                let at = self.at;
                let name = self.name("the name of a state after `GOTO`")?;
                return Ok(Goal::State(name.to_string(), at));
            }
            Token::Word("ERROR") => {
                self.bump();
                let message = if self.accept("(") {
                    let message = self.string("the message of the error as a string")?;
                    self.expect(")", "after the message")?;
                    Some(message)
                } else {
                    None
                };
                Target::Error(message)
            }
            Token::Word("STOP") if control => {
                self.bump();
                Target::Stop
            }
            Token::Word("STOP") => {
                return Err(
                    self.error("an `OBSERVER` automaton cannot `STOP` the program; make it a `CONTROL` automaton")
                );
            }
            Token::Word("INACTIVE") => {
                self.bump();
                Target::Inactive
            }
            Token::Word("BREAK") => {
                return Err(self.text.error(
                    at,
                    "`BREAK` interrupts an analysis for its user, which is not supported",
                ));
            }
            _ => return Err(self.unexpected("`GOTO`, `ERROR`, `STOP`, `INACTIVE`, or another part of the transition")),
        };
        Ok(Goal::Done(target))
    }

    /// Conditions that `;` separates.
    pub(super) fn conditions(&mut self) -> Parsed<Vec<Expr>> {
        let mut list = vec![self.expression(LOOSEST)?];
        while self.accept(";") && self.token != Token::Sign("}") {
            list.push(self.expression(LOOSEST)?);
        }
        Ok(list)
    }

    /// C declarations and assignments.
    fn encoded(&mut self) -> Parsed<Vec<Encoded>> {
        let mut list = Vec::new();
        while self.token != Token::Sign("}") {
            let start = self.save();
            if let Some(ty) = self.type_name()
                && matches!(self.token, Token::Word(_))
            {
                self.declarators(ty, &mut list)?;
            } else {
                self.restore(start);
                let (at, lhs, value) = self.assignment()?;
                let ExprKind::Name(name) = lhs.kind else {
                    return Err(self
                        .text
                        .error(lhs.at, "woven statements assign to woven variables only"));
                };
                list.push(Encoded::Assign { at, name, value });
            }
            self.expect(";", "after a woven statement")?;
        }
        Ok(list)
    }

    fn declarators(&mut self, ty: TypeName, list: &mut Vec<Encoded>) -> Parsed<()> {
        loop {
            let at = self.at;
            let name = self.word("the name of a variable")?.to_string();
            let value = if self.accept("=") {
                Some(self.expression(LOOSEST)?)
            } else {
                None
            };
            let ty = ty.clone();
            list.push(Encoded::Declare { at, name, ty, value });
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    /// `x = e`, `x op= e`, `x++`, as the place, the left side and the value.
    pub(super) fn assignment(&mut self) -> Parsed<(At, Expr, Expr)> {
        let lhs = self.expression(NO_LOGIC)?;
        let at = self.at;
        let Token::Sign(sign) = self.token else {
            return Err(self.unexpected("`=`"));
        };
        use BinaryOp::*;
        let op = match sign {
            "=" => None,
            "+=" | "++" => Some(Add),
            "-=" | "--" => Some(Sub),
            "*=" => Some(Mul),
            "/=" => Some(Div),
            "%=" => Some(Rem),
            "&=" => Some(BitAnd),
            "|=" => Some(BitOr),
            "^=" => Some(BitXor),
            "<<=" => Some(Shl),
            ">>=" => Some(Shr),
            _ => return Err(self.unexpected("`=`")),
        };
        self.bump();
        let rhs = if matches!(sign, "++" | "--") {
            let kind = ExprKind::Int {
                value: 1,
                unsigned: false,
                long: 0,
                decimal: true,
            };
            Expr { at, kind }
        } else {
            self.expression(LOOSEST)?
        };
        let value = match op {
            None => rhs,
            Some(op) => Expr {
                at,
                kind: ExprKind::Binary(op, Box::new(lhs.clone()), Box::new(rhs)),
            },
        };
        Ok((at, lhs, value))
    }
}
