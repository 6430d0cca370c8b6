//! The grammar of expressions. Typing is in `operator`, `call` and `convert`.

use super::ast::*;
use super::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

/// Precedence of a binary operator; higher binds tighter.
fn precedence(tok: Tok) -> u8 {
    match tok {
        Tok::OrOr => 1,
        Tok::AndAnd => 2,
        Tok::Pipe => 3,
        Tok::Caret => 4,
        Tok::Amp => 5,
        Tok::EqEq | Tok::NotEq => 6,
        Tok::Lt | Tok::Le | Tok::Gt | Tok::Ge => 7,
        Tok::Shl | Tok::Shr => 8,
        Tok::Plus | Tok::Minus => 9,
        Tok::Star | Tok::Slash | Tok::Percent => 10,
        _ => 0,
    }
}

fn binary_op(tok: Tok) -> Option<BinaryOp> {
    Some(match tok {
        Tok::Pipe | Tok::OrAssign => BinaryOp::BitOr,
        Tok::Caret | Tok::XorAssign => BinaryOp::BitXor,
        Tok::Amp | Tok::AndAssign => BinaryOp::BitAnd,
        Tok::EqEq => BinaryOp::Eq,
        Tok::NotEq => BinaryOp::Ne,
        Tok::Lt => BinaryOp::Lt,
        Tok::Le => BinaryOp::Le,
        Tok::Gt => BinaryOp::Gt,
        Tok::Ge => BinaryOp::Ge,
        Tok::Shl | Tok::ShlAssign => BinaryOp::Shl,
        Tok::Shr | Tok::ShrAssign => BinaryOp::Shr,
        Tok::Plus | Tok::AddAssign => BinaryOp::Add,
        Tok::Minus | Tok::SubAssign => BinaryOp::Sub,
        Tok::Star | Tok::MulAssign => BinaryOp::Mul,
        Tok::Slash | Tok::DivAssign => BinaryOp::Div,
        Tok::Percent | Tok::RemAssign => BinaryOp::Rem,
        _ => return None,
    })
}

fn is_assignment(tok: Tok) -> bool {
    use Tok::*;
    matches!(
        tok,
        AddAssign
            | SubAssign
            | MulAssign
            | DivAssign
            | RemAssign
            | AndAssign
            | OrAssign
            | XorAssign
            | ShlAssign
            | ShrAssign
    )
}

impl Parser<'_> {
    /// `a, b, c`
    pub fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment_expression()?;
        while self.tok() == Tok::Comma {
            let loc = self.bump().loc;
            let right = self.assignment_expression()?;
            let first = self.discard(left)?;
            let second = self.rvalue(right)?;
            let ty = self.ty(second);
            left = if self.is_excess(second) {
                let last = self.unrounded(second);
                self.excess_of(ExprKind::Comma(first, last), ty, loc)
            } else {
                self.expr(ty, loc, ExprKind::Comma(first, second))
            };
        }
        Ok(left)
    }

    /// Everything but the comma operator.
    pub fn assignment_expression(&mut self) -> Parsed<ExprId> {
        self.nested(|p| {
            let left = p.conditional_expression()?;
            let token = p.token();
            if token.tok == Tok::Assign {
                p.bump();
                let right = p.assignment_expression()?;
                return p.assign(left, right, token.loc);
            }
            if is_assignment(token.tok) {
                p.bump();
                let right = p.assignment_expression()?;
                let op = binary_op(token.tok).expect("every assignment operator has one");
                return p.compound_assign(op, left, right, token.loc);
            }
            Ok(left)
        })
    }

    /// `c ? a : b` and what binds tighter.
    pub fn conditional_expression(&mut self) -> Parsed<ExprId> {
        let cond = self.binary_expression(1)?;
        if self.tok() != Tok::Question {
            return Ok(cond);
        }
        let loc = self.bump().loc;
        if self.eat(Tok::Colon) {
            let otherwise = self.nested(Self::conditional_expression)?;
            return self.elvis(cond, otherwise, loc);
        }
        let then = self.nested(Self::expression)?;
        self.expect(Tok::Colon, "':'")?;
        let otherwise = self.nested(Self::conditional_expression)?;
        self.conditional(cond, then, otherwise, loc)
    }

    fn binary_expression(&mut self, least: u8) -> Parsed<ExprId> {
        let mut left = self.cast_expression()?;
        loop {
            let token = self.token();
            let level = precedence(token.tok);
            if level == 0 || level < least {
                return Ok(left);
            }
            self.bump();
            let right = self.binary_expression(level + 1)?;
            left = match token.tok {
                Tok::AndAnd | Tok::OrOr => self.logical(token.tok == Tok::AndAnd, left, right, token.loc)?,
                tok => {
                    let op = binary_op(tok).expect("every operator with a precedence has one");
                    self.binary(op, left, right, token.loc)?
                }
            };
        }
    }

    /// Whether `(` begins a type name in parentheses.
    fn at_paren_type(&mut self) -> bool {
        if self.tok() != Tok::LParen {
            return false;
        }
        self.pos += 1;
        let found = self.tok() == Tok::Attribute || self.at_type_name();
        self.pos -= 1;
        found
    }

    fn cast_expression(&mut self) -> Parsed<ExprId> {
        if !self.at_paren_type() {
            return self.unary_expression();
        }
        let loc = self.bump().loc;
        let (ty, lengths) = self.type_name_in_expression()?;
        self.expect(Tok::RParen, "')'")?;
        if self.tok() == Tok::LBrace {
            let literal = self.compound_literal(ty, loc)?;
            let e = self.postfix_suffixes(literal)?;
            if lengths.is_empty() {
                return Ok(e);
            }
            let value = self.rvalue(e)?;
            return Ok(self.with_lengths(&lengths, value));
        }
        let e = self.nested(Self::cast_expression)?;
        let e = self.rvalue(e)?;
        let e = self.cast_value(e, ty, loc)?;
        Ok(self.with_lengths(&lengths, e))
    }

    /// A type name, and the lengths in it that have to be evaluated with the expression that it belongs to.
    pub(super) fn type_name_in_expression(&mut self) -> Parsed<(TypeId, Vec<VlaId>)> {
        let outer = std::mem::take(&mut self.pending_vlas);
        let ty = self.type_name();
        let lengths = std::mem::replace(&mut self.pending_vlas, outer);
        Ok((ty?, lengths))
    }

    /// The value of an expression behind the evaluation of lengths.
    pub(super) fn with_lengths(&mut self, lengths: &[VlaId], value: ExprId) -> ExprId {
        let (ty, loc) = (self.ty(value), self.expr_loc(value));
        lengths.iter().rev().fold(value, |value, &id| {
            let length = self.expr(Types::VOID, loc, ExprKind::Length(id));
            self.expr(ty, loc, ExprKind::Comma(length, value))
        })
    }

    fn unary_expression(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let loc = token.loc;
        match token.tok {
            Tok::Increment | Tok::Decrement => {
                self.bump();
                let e = self.nested(Self::unary_expression)?;
                self.inc_dec(e, token.tok == Tok::Decrement, true, loc)
            }
            Tok::Amp => {
                self.bump();
                let e = self.nested(Self::cast_expression)?;
                self.address_of(e, loc)
            }
            Tok::Star => {
                self.bump();
                let e = self.nested(Self::cast_expression)?;
                self.dereference(e, loc)
            }
            Tok::Plus | Tok::Minus | Tok::Tilde | Tok::Not | Tok::Real | Tok::Imag => {
                self.bump();
                let e = self.nested(Self::cast_expression)?;
                self.unary(token.tok, e, loc)
            }
            Tok::Extension => {
                self.bump();
                self.nested(Self::cast_expression)
            }
            Tok::AndAnd => {
                self.bump();
                let (name, at) = self.expect_ident("a label")?;
                if self.frames.is_empty() {
                    return self.fail(at, "label address outside of a function");
                }
                let label = self.label_named(name, at);
                self.frame().labels[label.index()].address_taken = true;
                Ok(self.expr(Types::VOID_PTR, loc, ExprKind::LabelAddress(label)))
            }
            Tok::Sizeof => self.size_or_alignment(|p, ty, e, loc| p.size_of_operand(ty, e, loc)),
            Tok::Alignof | Tok::AlignofStd => {
                let preferred = token.tok == Tok::Alignof;
                self.size_or_alignment(move |p, ty, e, loc| p.align_of_operand(ty, e, preferred, loc))
            }
            _ => {
                let e = self.primary_expression()?;
                self.postfix_suffixes(e)
            }
        }
    }

    /// `sizeof` and `_Alignof`: of a type in parentheses or an expression. An operand whose size varies is evaluated, other operands are not.
    fn size_or_alignment(
        &mut self,
        finish: impl FnOnce(&mut Self, TypeId, Option<ExprId>, Loc) -> Parsed<ExprId>,
    ) -> Parsed<ExprId> {
        let loc = self.bump().loc;
        if self.at_paren_type() {
            self.bump();
            let (ty, lengths) = self.type_name_in_expression()?;
            self.expect(Tok::RParen, "')'")?;
            if self.tok() == Tok::LBrace {
                let literal = self.compound_literal(ty, loc)?;
                let e = self.postfix_suffixes(literal)?;
                return finish(self, self.ty(e), Some(e), loc);
            }
            let size = finish(self, ty, None, loc)?;
            let varies = matches!(self.kind(size), ExprKind::SizeOfVla(_));
            return Ok(if varies {
                self.with_lengths(&lengths, size)
            } else {
                size
            });
        }
        let e = self.nested(Self::unary_expression)?;
        finish(self, self.ty(e), Some(e), loc)
    }

    fn size_of_operand(&mut self, ty: TypeId, e: Option<ExprId>, loc: Loc) -> Parsed<ExprId> {
        if e.is_some_and(|e| self.is_bit_field(e)) {
            return self.fail(loc, "'sizeof' applied to a bit-field");
        }
        let size_t = Types::int(self.types.data_model().size_t());
        let size = match self.types.get(ty) {
            Type::Void | Type::Function { .. } => Some(1),
            Type::BitInt { .. } => self.types.size_of(ty),
            // As in gcc, the value of a bit-field has a type of its width.
            _ => match e.and_then(|e| self.value_bit_field_width(e)) {
                Some(width) => Some(u64::from(width.div_ceil(8).next_power_of_two())),
                None => self.types.size_of(ty),
            },
        };
        if let Some(size) = size
            && !matches!(self.types.get(ty), Type::Enum(_) if self.is_incomplete(ty))
        {
            return Ok(self.int_expr(size_t, loc, i128::from(size)));
        }
        if self.is_incomplete(ty) {
            return self.fail(loc, format!("'sizeof' of incomplete type '{}'", self.show(ty)));
        }
        let size = self.expr(size_t, loc, ExprKind::SizeOfVla(ty));
        Ok(match e {
            Some(e) => self.expr(size_t, loc, ExprKind::Comma(e, size)),
            None => size,
        })
    }

    fn align_of_operand(&mut self, ty: TypeId, e: Option<ExprId>, preferred: bool, loc: Loc) -> Parsed<ExprId> {
        let size_t = Types::int(self.types.data_model().size_t());
        let mut align = match self.types.get(ty) {
            Type::Void => 1,
            Type::Function { .. } => match e.map(|e| self.kind(e)) {
                Some(ExprKind::Function(f)) => self.functions[f.index()].attributes.aligned.unwrap_or(1),
                _ => 1,
            },
            _ if self.is_incomplete(ty) && !matches!(self.types.get(ty), Type::Array { .. }) => {
                return self.fail(loc, format!("alignment of incomplete type '{}'", self.show(ty)));
            }
            _ => self.types.align_of(ty).unwrap_or(1),
        };
        let demanded = match e.map(|e| self.kind(e)) {
            Some(ExprKind::Global(global)) => self.globals[global.index()].align,
            Some(ExprKind::Local(local)) => self.frame().locals[local.index()].align,
            _ => 1,
        };
        align = align.max(demanded);
        // `__alignof__` reports the preferred alignment outside of structs.
        let eight = matches!(
            self.types.get(ty),
            Type::Int(IntKind::LongLong | IntKind::ULongLong) | Type::Float(FloatKind::Double | FloatKind::Float64)
        );
        if preferred && eight && self.types.explicit_align(ty).is_none() {
            align = 8;
        }
        Ok(self.int_expr(size_t, loc, i128::from(align)))
    }

    fn compound_literal(&mut self, ty: TypeId, loc: Loc) -> Parsed<ExprId> {
        if self.types.is_function(ty) || self.types.is_void(ty) {
            return self.fail(loc, "compound literal of function or void type");
        }
        let is_static = !self.in_function();
        let (ty, init) = self.initialiser(ty, is_static)?;
        if self.is_incomplete(ty) {
            return self.fail(loc, "compound literal has incomplete type");
        }
        let init = self.new_init(init);
        let quals = self.types.quals(ty);
        let align = self.demanded_alignment(ty, None);
        if is_static {
            self.globals.push(Global {
                name: Box::default(),
                ty,
                quals,
                loc,
                defined: true,
                is_static: true,
                thread_local: false,
                init: Some(init),
                owner: None,
                align,
                weak: false,
                alias: None,
                linkage: Linkage {
                    unit: self.unit(),
                    ..Linkage::default()
                },
            });
            let id = GlobalId::from_index(self.globals.len() - 1);
            return Ok(self.expr(ty, loc, ExprKind::Global(id)));
        }
        let local = self.new_local(Local {
            name: None,
            ty,
            quals,
            loc,
            align,
            is_param: false,
        });
        Ok(self.expr(ty, loc, ExprKind::CompoundLiteral { local, init }))
    }

    fn postfix_suffixes(&mut self, e: ExprId) -> Parsed<ExprId> {
        let mut e = e;
        loop {
            let token = self.token();
            match token.tok {
                Tok::LBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Tok::RBracket, "']'")?;
                    e = self.subscript(e, index, token.loc)?;
                }
                Tok::LParen => {
                    let args = self.arguments()?;
                    e = self.call(e, args, token.loc)?;
                }
                Tok::Dot | Tok::Arrow => {
                    self.bump();
                    let (name, loc) = self.member_name()?;
                    if token.tok == Tok::Arrow {
                        e = self.dereference(e, token.loc)?;
                    }
                    e = self.member(e, name, loc)?;
                }
                Tok::Increment | Tok::Decrement => {
                    self.bump();
                    e = self.inc_dec(e, token.tok == Tok::Decrement, false, token.loc)?;
                }
                _ => return Ok(e),
            }
        }
    }

    pub(super) fn member_name(&mut self) -> Parsed<(Symbol, Loc)> {
        self.expect_ident("a member name")
    }

    /// `( a, b )` with values not converted yet.
    pub fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        self.expect(Tok::LParen, "'('")?;
        let mut args = Vec::new();
        if self.tok() != Tok::RParen {
            loop {
                args.push(self.assignment_expression()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "',' or ')'")?;
        Ok(args)
    }
}
