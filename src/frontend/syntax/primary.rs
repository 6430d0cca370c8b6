//! Primary expressions: names, literals, parentheses, and what GNU C has beside them.

use super::ast::*;
use super::declarator::Form;
use super::parser::{Meaning, Parsed, Parser};
use crate::frontend::text::literal;
use crate::frontend::text::literal::Number;
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

impl Parser<'_> {
    /// Reads a primary expression. Long, as it has a case for each token that one may begin with.
    pub(super) fn primary_expression(&mut self) -> Parsed<ExprId> {
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
                let function = self.current_function();
                let name = function.map(|f| self.functions[f.index()].name.clone());
                let literal = StringLiteral {
                    units: name.unwrap_or_default().bytes().map(u32::from).collect(),
                    unit_bytes: 1,
                    function,
                };
                let e = self.string_expr(literal, loc);
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
                let part = match kind {
                    FloatKind::Float16 => self.excess_of(ExprKind::Float { bits, imaginary: false }, ty, loc),
                    _ => self.float_expr(ty, loc, bits),
                };
                let part = if imaginary { self.rounded(part) } else { part };
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
            function: None,
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
