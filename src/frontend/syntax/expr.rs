//! The grammar of expressions. Typing is in `operator`, `call` and `convert`.

use super::ast::*;
use super::declarator::Form;
use super::parser::{Meaning, Parsed, Parser};
use crate::frontend::text::literal;
use crate::frontend::text::literal::Number;
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
            left = self.expr(ty, loc, ExprKind::Comma(first, second));
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
            return self.postfix_suffixes(literal);
        }
        let e = self.nested(Self::cast_expression)?;
        let e = self.rvalue(e)?;
        let e = self.cast_value(e, ty, loc)?;
        Ok(self.with_lengths(&lengths, e))
    }

    /// A type name, and the lengths in it that have to be evaluated with the expression that it belongs to.
    fn type_name_in_expression(&mut self) -> Parsed<(TypeId, Vec<VlaId>)> {
        let outer = std::mem::take(&mut self.pending_vlas);
        let ty = self.type_name();
        let lengths = std::mem::replace(&mut self.pending_vlas, outer);
        Ok((ty?, lengths))
    }

    /// The value of an expression behind the evaluation of lengths.
    fn with_lengths(&mut self, lengths: &[VlaId], value: ExprId) -> ExprId {
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
                self.size_or_alignment(move |p, ty, _, loc| p.align_of_operand(ty, preferred, loc))
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
            _ => self.types.size_of(ty),
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

    fn align_of_operand(&mut self, ty: TypeId, preferred: bool, loc: Loc) -> Parsed<ExprId> {
        let size_t = Types::int(self.types.data_model().size_t());
        let mut align = match self.types.get(ty) {
            Type::Void | Type::Function { .. } => 1,
            _ if self.is_incomplete(ty) && !matches!(self.types.get(ty), Type::Array { .. }) => {
                return self.fail(loc, format!("alignment of incomplete type '{}'", self.show(ty)));
            }
            _ => self.types.align_of(ty).unwrap_or(1),
        };
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
                weak: false,
                alias: None,
            });
            let id = GlobalId::from_index(self.globals.len() - 1);
            return Ok(self.expr(ty, loc, ExprKind::Global(id)));
        }
        let local = self.new_local(Local {
            name: None,
            ty,
            quals,
            loc,
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

    fn member_name(&mut self) -> Parsed<(Symbol, Loc)> {
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

    fn primary_expression(&mut self) -> Parsed<ExprId> {
        let token = self.token();
        let loc = token.loc;
        match token.tok {
            Tok::Ident => {
                self.bump();
                self.identifier(Symbol(token.data), loc)
            }
            Tok::Number => {
                self.bump();
                self.number(self.spelling(token), loc)
            }
            Tok::Char => {
                self.bump();
                self.character(self.spelling(token), loc)
            }
            Tok::String => {
                let literal = self.string_units()?;
                Ok(self.string_expr(literal, loc))
            }
            Tok::LParen if self.tok_at(1) == Tok::LBrace => self.statement_expression(),
            Tok::LParen => {
                self.bump();
                let e = self.nested(Self::expression)?;
                self.expect(Tok::RParen, "')'")?;
                Ok(e)
            }
            Tok::FunctionName => {
                self.bump();
                let name = self
                    .current_function()
                    .map(|f| self.functions[f.index()].name.clone())
                    .unwrap_or_default();
                let units = name.bytes().map(u32::from).collect();
                let e = self.string_expr(StringLiteral { units, unit_bytes: 1 }, loc);
                let ty = self.types.qualified(self.ty(e), Quals::CONST);
                self.exprs[e.index()].ty = ty;
                Ok(e)
            }
            Tok::Generic => self.generic_selection(),
            Tok::Offsetof => self.offset_of(),
            Tok::TypesCompatible => {
                self.bump();
                self.expect(Tok::LParen, "'('")?;
                let a = self.type_name()?;
                self.expect(Tok::Comma, "','")?;
                let b = self.type_name()?;
                self.expect(Tok::RParen, "')'")?;
                let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
                // Unlike elsewhere, an enum is not compatible with its integer type here.
                let is_enum = |ty| matches!(self.types.get(ty), Type::Enum(_));
                let same = self.compatible(a, b) && is_enum(a) == is_enum(b);
                Ok(self.int_expr(Types::INT, loc, i128::from(same)))
            }
            Tok::ChooseExpr => {
                self.bump();
                self.expect(Tok::LParen, "'('")?;
                let cond = self.constant_expression()?;
                self.expect(Tok::Comma, "','")?;
                let a = self.assignment_expression()?;
                self.expect(Tok::Comma, "','")?;
                let b = self.assignment_expression()?;
                self.expect(Tok::RParen, "')'")?;
                Ok(if cond != 0 { a } else { b })
            }
            Tok::ConvertVector => {
                self.bump();
                self.convert_vector(loc)
            }
            Tok::VaArg => {
                self.bump();
                self.expect(Tok::LParen, "'('")?;
                let list = self.assignment_expression()?;
                if !self.types.is_va_list(self.ty(list)) {
                    return self.fail(loc, "first argument to 'va_arg' not of type 'va_list'");
                }
                self.expect(Tok::Comma, "','")?;
                let (ty, lengths) = self.type_name_in_expression()?;
                self.expect(Tok::RParen, "')'")?;
                if self.is_incomplete(ty) {
                    return self.fail(loc, "second argument to 'va_arg' is of incomplete type");
                }
                let ty = self.value_type(ty);
                let list = self.va_operand(list)?;
                let argument = self.expr(ty, loc, ExprKind::VaArg(list));
                Ok(self.with_lengths(&lengths, argument))
            }
            _ => self.unexpected("an expression"),
        }
    }

    fn identifier(&mut self, symbol: Symbol, loc: Loc) -> Parsed<ExprId> {
        match self.lookup(symbol).map(|b| b.meaning) {
            Some(Meaning::EnumConstant(value, ty)) => Ok(self.int_expr(ty, loc, value)),
            Some(Meaning::Global(id)) => {
                let ty = self.globals[id.index()].ty;
                Ok(self.expr(ty, loc, ExprKind::Global(id)))
            }
            Some(Meaning::Function(id)) => {
                let ty = self.functions[id.index()].ty;
                Ok(self.expr(ty, loc, ExprKind::Function(id)))
            }
            Some(Meaning::Local(frame, local)) => {
                let ty = self.frames[frame].locals[local.index()].ty;
                let owner = self.frames[frame].function;
                let kind = match owner {
                    Some(function) if frame + 1 != self.frames.len() => ExprKind::Captured(function, local),
                    _ => ExprKind::Local(local),
                };
                Ok(self.expr(ty, loc, kind))
            }
            Some(Meaning::Typedef(_)) => self.fail(
                loc,
                format!("type name '{}' where an expression is expected", self.name(symbol)),
            ),
            None => match self.undeclared_function(symbol, loc) {
                Some(id) => {
                    let ty = self.functions[id.index()].ty;
                    Ok(self.expr(ty, loc, ExprKind::Function(id)))
                }
                None => self.undeclared(symbol, loc),
            },
        }
    }

    fn number(&mut self, text: &[u8], loc: Loc) -> Parsed<ExprId> {
        match literal::number(text, self.types.data_model()) {
            None => self.fail(loc, format!("invalid number '{}'", String::from_utf8_lossy(text))),
            Some(Number::Int {
                value,
                kind,
                imaginary: false,
            }) => Ok(self.int_expr(Types::int(kind), loc, value)),
            Some(Number::Int { value, kind, .. }) => {
                let part = self.int_expr(Types::int(kind), loc, value);
                Ok(self.imaginary(part, loc))
            }
            Some(Number::BitPrecise { value, unsigned }) => {
                let bits = ((128 - value.leading_zeros()).max(1) + u32::from(!unsigned)).max(2);
                let ty = self.bit_precise_type(bits, !unsigned, loc)?;
                Ok(self.int_expr(ty, loc, value.cast_signed()))
            }
            Some(Number::Decimal(bytes)) => {
                let ty = self.types.intern(Type::Decimal(bytes));
                let value = self.int_expr(Types::INT, loc, 1);
                Ok(self.expr(ty, loc, ExprKind::Cast(CastKind::Complex, value)))
            }
            Some(Number::Float { bits, kind, imaginary }) => {
                let ty = self.types.intern(Type::Float(kind));
                let part = self.float_expr(ty, loc, bits);
                Ok(if imaginary { self.imaginary(part, loc) } else { part })
            }
        }
    }

    /// The complex number with this imaginary part and the real part 0.
    fn imaginary(&mut self, part: ExprId, loc: Loc) -> ExprId {
        let of = self.ty(part);
        let zero = self.int_expr(Types::INT, loc, 0);
        let zero = self.cast_unchecked(zero, of);
        let ty = self.types.intern(Type::Complex(of));
        self.expr(ty, loc, ExprKind::Complex(zero, part))
    }

    fn character(&mut self, text: &[u8], loc: Loc) -> Parsed<ExprId> {
        let (width, inside) = literal::unquote(text);
        let mut units = Vec::new();
        if let Err(message) = literal::units(inside, width, &mut units) {
            return self.fail(loc, message);
        }
        let Some(&last) = units.last() else {
            return self.fail(loc, "empty character constant");
        };
        if width == 1 {
            // Several characters make a number byte by byte; one is a (signed) char.
            let value = match &units[..] {
                [one] => i128::from(*one) << 120 >> 120,
                many => many
                    .iter()
                    .fold(0i128, |v, &u| ((v << 8) | i128::from(u)) & 0xffff_ffff),
            };
            return Ok(self.int_expr(Types::INT, loc, value));
        }
        let ty = match text[0] {
            b'u' => Types::int(IntKind::UShort),
            b'U' => Types::UINT,
            _ => self.wide_char(),
        };
        Ok(self.int_expr(ty, loc, i128::from(last)))
    }

    /// `wchar_t`
    fn wide_char(&self) -> TypeId {
        match self.types.data_model() {
            DataModel::Ilp32 => Types::int(IntKind::Long),
            DataModel::Lp64 => Types::INT,
        }
    }

    /// Adjacent string literals as one.
    pub fn string_units(&mut self) -> Parsed<StringLiteral> {
        let start = self.pos;
        let mut width = 1;
        while self.tok() == Tok::String {
            width = width.max(literal::unquote(self.spelling(self.token())).0);
            self.bump();
        }
        let mut units = Vec::new();
        for i in start..self.pos {
            let token = self.tokens[i];
            let (_, inside) = literal::unquote(self.spelling(token));
            if let Err(message) = literal::units(inside, width, &mut units) {
                return self.fail(token.loc, message);
            }
        }
        Ok(StringLiteral {
            units: units.into(),
            unit_bytes: width,
        })
    }

    fn string_expr(&mut self, literal: StringLiteral, loc: Loc) -> ExprId {
        let elem = match literal.unit_bytes {
            1 => Types::CHAR,
            2 => Types::int(IntKind::UShort),
            _ => self.wide_char(),
        };
        let ty = self
            .types
            .array_of(elem, ArrayLen::Fixed(literal.units.len() as u64 + 1));
        self.strings.push(literal);
        let id = StringId::from_index(self.strings.len() - 1);
        self.expr(ty, loc, ExprKind::String(id))
    }

    /// `({ ... })`
    fn statement_expression(&mut self) -> Parsed<ExprId> {
        let loc = self.bump().loc;
        if self.frames.is_empty() {
            return self.fail(loc, "statement expression outside of a function");
        }
        let open = self.bump().loc;
        let errors = self.diagnostics.len();
        let mut items = self.nested(|p| p.scoped(Self::block_items))?;
        self.expect(Tok::RBrace, "a statement or '}'")?;
        self.expect(Tok::RParen, "')'")?;
        if self.diagnostics.len() > errors {
            return Err(super::parser::Failed);
        }
        let value = self.take_value(&mut items)?;
        let body = self.stmt(open, StmtKind::Compound(items.into()));
        let ty = value.map_or(Types::VOID, |v| self.ty(v));
        Ok(self.expr(ty, loc, ExprKind::StmtExpr { body, value }))
    }

    /// Takes the value out of the last statement, which may stand behind labels.
    fn take_value(&mut self, items: &mut Vec<StmtId>) -> Parsed<Option<ExprId>> {
        let Some(&last) = items.last() else { return Ok(None) };
        let mut at = last;
        while let StmtKind::Label { body, .. } = self.stmts[at.index()].kind {
            at = body;
        }
        let StmtKind::Expr(e) = self.stmts[at.index()].kind else {
            return Ok(None);
        };
        if at == last {
            items.pop();
        } else {
            self.stmts[at.index()].kind = StmtKind::Empty;
        }
        // A value that an expression statement drops is a value here.
        let e = match self.kind(e) {
            ExprKind::Cast(CastKind::ToVoid, of) if self.is_lvalue(of) => self.rvalue(of)?,
            _ => e,
        };
        Ok((!self.types.is_void(self.ty(e))).then_some(e).or_else(|| {
            items.push(self.stmt(self.expr_loc(e), StmtKind::Expr(e)));
            None
        }))
    }

    fn generic_selection(&mut self) -> Parsed<ExprId> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let selector = self.assignment_expression()?;
        let selector = self.rvalue(selector)?;
        let wanted = self.ty(selector);
        let mut chosen = None;
        let mut fallback = None;
        while self.eat(Tok::Comma) {
            if self.eat(Tok::Default) {
                self.expect(Tok::Colon, "':'")?;
                fallback = Some(self.assignment_expression()?);
                continue;
            }
            let ty = self.type_name()?;
            self.expect(Tok::Colon, "':'")?;
            let e = self.assignment_expression()?;
            if self.compatible(ty, wanted) {
                if chosen.is_some() {
                    return self.fail(loc, "'_Generic' selector matches multiple associations");
                }
                chosen = Some(e);
            }
        }
        self.expect(Tok::RParen, "',' or ')'")?;
        match chosen.or(fallback) {
            Some(e) => Ok(e),
            None => self.fail(loc, "'_Generic' selector is not compatible with any association"),
        }
    }

    fn offset_of(&mut self) -> Parsed<ExprId> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let specs = self.declaration_specifiers(true)?;
        let ty = self.declarator(specs.ty, Form::Abstract)?.ty;
        self.expect(Tok::Comma, "','")?;
        if self.is_incomplete(ty) {
            return self.fail(loc, format!("'offsetof' of incomplete type '{}'", self.show(ty)));
        }
        // The member designator is typed as a place at address 0, whose constant address is the answer.
        let pointer = self.types.pointer_to(ty);
        let zero = self.int_expr(pointer, loc, 0);
        let mut place = self.expr(ty, loc, ExprKind::Deref(zero));
        let (name, at) = self.member_name()?;
        place = self.member(place, name, at)?;
        let mut variable = Vec::new();
        loop {
            let at = self.loc();
            if self.eat(Tok::Dot) || self.eat(Tok::Arrow) {
                let (name, at) = self.member_name()?;
                place = self.member(place, name, at)?;
            } else if self.eat(Tok::LBracket) {
                let index = self.expression()?;
                let index = self.rvalue(index)?;
                self.expect(Tok::RBracket, "']'")?;
                variable.push(index);
                place = self.subscript(place, index, at)?;
            } else {
                break;
            }
        }
        self.expect(Tok::RParen, "')'")?;
        if self.is_bit_field(place) {
            return self.fail(loc, "attempt to take address of bit-field");
        }
        let size_t = Types::int(self.types.data_model().size_t());
        match self.const_address(place) {
            Some(offset) => Ok(self.int_expr(size_t, loc, offset)),
            None => {
                let address = self.address_of(place, loc)?;
                Ok(self.cast_unchecked(address, size_t))
            }
        }
    }
}
