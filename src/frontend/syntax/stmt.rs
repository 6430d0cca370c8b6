//! Statements.

use super::ast::*;
use super::attribute::Attributes;
use super::parser::{Parsed, Parser, SwitchState};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;
use std::collections::BTreeMap;

impl Parser<'_> {
    /// `{ ... }` with a scope of its own.
    pub fn compound(&mut self) -> Parsed<StmtId> {
        self.scoped(Self::compound_in_scope)
    }

    /// `{ ... }` in the current scope.
    pub fn compound_in_scope(&mut self) -> Parsed<StmtId> {
        let loc = self.expect(Tok::LBrace, "'{'")?.loc;
        let items = self.block_items()?;
        self.expect(Tok::RBrace, "a statement or '}'")?;
        Ok(self.stmt(loc, StmtKind::Compound(items.into())))
    }

    /// Everything up to the closing brace. After an error the next statement is tried.
    pub fn block_items(&mut self) -> Parsed<Vec<StmtId>> {
        let mut items = Vec::new();
        while !matches!(self.tok(), Tok::RBrace | Tok::Eof) {
            let start = self.pos;
            if self.block_item(&mut items).is_err() {
                if self.too_many_errors() {
                    return Err(super::parser::Failed);
                }
                self.pending_vlas.clear();
                self.recover();
                if self.pos == start {
                    self.bump();
                }
            }
        }
        Ok(items)
    }

    fn block_item(&mut self, items: &mut Vec<StmtId>) -> Parsed<()> {
        match self.tok() {
            Tok::Label => self.local_labels(),
            Tok::StaticAssert => self.static_assert(),
            Tok::Attribute if self.attribute_statement() => {
                self.attributes(&mut Attributes::default())?;
                Ok(())
            }
            Tok::LBracket if self.at_attributes() => {
                // Before a declaration they belong to it; before a statement or a label they say nothing that matters.
                let start = self.pos;
                self.attributes(&mut Attributes::default())?;
                let declares = self.at_declaration() && !(self.tok() == Tok::Ident && self.tok_at(1) == Tok::Colon);
                if declares {
                    self.pos = start;
                    return self.declaration(items);
                }
                self.block_item(items)
            }
            Tok::Ident if self.tok_at(1) == Tok::Colon => self.push_statement(items),
            _ if self.at_declaration() => self.declaration(items),
            Tok::Extension if self.tok_at(1) == Tok::Extension => {
                self.bump();
                self.block_item(items)
            }
            _ => self.push_statement(items),
        }
    }

    fn push_statement(&mut self, items: &mut Vec<StmtId>) -> Parsed<()> {
        let stmt = self.statement()?;
        items.push(stmt);
        Ok(())
    }

    /// Whether the attribute list here is followed by `;` (`__attribute__((fallthrough));`) or by a label's statement.
    pub fn attribute_statement(&mut self) -> bool {
        let start = self.pos;
        let errors = self.diagnostics.len();
        let _ = self.attributes(&mut Attributes::default());
        self.diagnostics.truncate(errors);
        let result = self.tok() == Tok::Semicolon;
        self.pos = start;
        result
    }

    fn local_labels(&mut self) -> Parsed<()> {
        self.bump();
        loop {
            let (name, loc) = self.expect_ident("a label name")?;
            let depth = self.depth();
            let label = self.new_label(name, loc);
            self.frame().local_labels.push((name, label, depth));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semicolon, "';'").map(drop)
    }

    fn new_label(&mut self, name: Symbol, loc: Loc) -> LabelId {
        let name = self.boxed_name(name);
        let frame = self.frame();
        frame.labels.push(Label {
            name,
            loc,
            address_taken: false,
            outer: None,
        });
        LabelId::from_index(frame.labels.len() - 1)
    }

    /// The label of this name as seen from here; mentioned before or not.
    pub fn label_named(&mut self, name: Symbol, loc: Loc) -> LabelId {
        let frame = self.frame();
        if let Some(&(_, label, _)) = frame.local_labels.iter().rev().find(|l| l.0 == name) {
            return label;
        }
        if let Some(&label) = frame.label_names.get(&name) {
            return label;
        }
        let outer = self.frames.iter().rev().skip(1).find_map(|f| {
            let function = f.function?;
            let &(_, label, _) = f.local_labels.iter().rev().find(|l| l.0 == name)?;
            Some((function, label))
        });
        let label = self.new_label(name, loc);
        let frame = self.frame();
        frame.label_names.insert(name, label);
        frame.labels[label.index()].outer = outer;
        if outer.is_some() {
            frame.defined_labels.insert(label);
        }
        label
    }

    /// At the end of a function: all labels that are used stand somewhere.
    pub fn check_labels(&mut self) -> Parsed<()> {
        let frame = self.frame();
        let missing = (0..frame.labels.len()).find(|&i| !frame.defined_labels.contains(&LabelId::from_index(i)));
        match missing {
            // A local label that is declared and never used is fine, too, but then nobody asks for it.
            Some(i) if frame.label_names.values().any(|l| l.index() == i) => {
                let (name, loc) = (frame.labels[i].name.clone(), frame.labels[i].loc);
                self.fail(loc, format!("label '{name}' used but not defined"))
            }
            _ => Ok(()),
        }
    }

    /// One statement.
    pub fn statement(&mut self) -> Parsed<StmtId> {
        self.nested(Self::statement_inner)
    }

    fn statement_inner(&mut self) -> Parsed<StmtId> {
        let token = self.token();
        let loc = token.loc;
        let kind = match token.tok {
            Tok::LBrace => return self.compound(),
            Tok::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            Tok::Ident if self.tok_at(1) == Tok::Colon => return self.labelled(),
            Tok::Case => return self.case(),
            Tok::Default => return self.default(),
            Tok::If => return self.scoped(Self::if_statement),
            Tok::While => return self.scoped(Self::while_statement),
            Tok::Do => return self.scoped(Self::do_statement),
            Tok::For => return self.scoped(Self::for_statement),
            Tok::Switch => return self.scoped(Self::switch_statement),
            Tok::Break => {
                self.bump();
                if self.frame().loops == 0 && self.frame().switches.is_empty() {
                    return self.fail(loc, "break statement not within loop or switch");
                }
                self.end_statement(StmtKind::Break)?
            }
            Tok::Continue => {
                self.bump();
                if self.frame().loops == 0 {
                    return self.fail(loc, "continue statement not within a loop");
                }
                self.end_statement(StmtKind::Continue)?
            }
            Tok::Goto => return self.goto_statement(),
            Tok::Return => return self.return_statement(),
            Tok::Asm => return self.asm_statement(),
            Tok::Pragma => {
                self.pragma_operator()?;
                StmtKind::Empty
            }
            _ if self.at_attributes() => {
                self.attributes(&mut Attributes::default())?;
                return self.statement();
            }
            _ => {
                let e = self.expression()?;
                let e = self.discard(e)?;
                self.end_statement(StmtKind::Expr(e))?
            }
        };
        Ok(self.stmt(loc, kind))
    }

    fn end_statement(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.expect(Tok::Semicolon, "';'")?;
        Ok(kind)
    }

    /// The statement of a label. Before `}` or a declaration there may be none (C2x, which gcc 12 takes).
    fn statement_behind_label(&mut self) -> Parsed<StmtId> {
        self.attributes(&mut Attributes::default())?;
        let is_label = self.tok() == Tok::Ident && self.tok_at(1) == Tok::Colon;
        if self.tok() == Tok::RBrace || (!is_label && self.at_declaration()) {
            let loc = self.loc();
            return Ok(self.stmt(loc, StmtKind::Empty));
        }
        self.statement()
    }

    fn labelled(&mut self) -> Parsed<StmtId> {
        let (name, loc) = self.expect_ident("a label")?;
        self.bump();
        let label = self.label_named(name, loc);
        let frame = self.frame();
        frame.labels[label.index()].loc = loc;
        // A label here hides one of an enclosing function.
        let was_outer = frame.labels[label.index()].outer.take().is_some();
        if !frame.defined_labels.insert(label) && !was_outer {
            return self.fail(loc, format!("duplicate label '{}'", self.name(name)));
        }
        let body = self.statement_behind_label()?;
        Ok(self.stmt(loc, StmtKind::Label { label, body }))
    }

    fn case(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let low = self.case_bound()?;
        let high = if self.eat(Tok::Ellipsis) {
            self.case_bound()?
        } else {
            low
        };
        self.expect(Tok::Colon, "':' or '...'")?;
        let Some(switch) = self.frame().switches.last_mut() else {
            return self.fail(loc, "case label not within a switch statement");
        };
        let ty = switch.ty;
        let info = self.types.integer(ty);
        let wrap = |v| info.map_or(v, |i| i.wrap(v));
        let (low, high) = (wrap(low), wrap(high));
        let switch = self.frame().switches.last_mut().expect("checked above");
        if low <= high {
            let overlaps = switch
                .cases
                .range(..=high)
                .next_back()
                .is_some_and(|(_, &end)| end >= low);
            switch.cases.insert(low, high);
            if overlaps {
                return self.fail(loc, "duplicate case value");
            }
        }
        let body = self.statement_behind_label()?;
        Ok(self.stmt(loc, StmtKind::Case { low, high, body }))
    }

    fn case_bound(&mut self) -> Parsed<i128> {
        let loc = self.loc();
        let e = self.conditional_expression()?;
        let e = self.rvalue(e)?;
        match self.const_int(e) {
            Some(value) if self.types.is_integral(self.ty(e)) => Ok(value),
            _ => self.fail(loc, "case label does not reduce to an integer constant"),
        }
    }

    fn default(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        self.expect(Tok::Colon, "':'")?;
        let Some(switch) = self.frame().switches.last_mut() else {
            return self.fail(loc, "'default' label not within a switch statement");
        };
        if std::mem::replace(&mut switch.has_default, true) {
            return self.fail(loc, "multiple default labels in one switch");
        }
        let body = self.statement_behind_label()?;
        Ok(self.stmt(loc, StmtKind::Default(body)))
    }

    /// `( scalar )`
    fn condition(&mut self) -> Parsed<ExprId> {
        self.expect(Tok::LParen, "'('")?;
        let e = self.expression()?;
        let e = self.scalar_condition(e)?;
        self.expect(Tok::RParen, "')'")?;
        Ok(e)
    }

    fn if_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let cond = self.condition()?;
        let then = self.scoped(Self::statement)?;
        let otherwise = if self.eat(Tok::Else) {
            Some(self.scoped(Self::statement)?)
        } else {
            None
        };
        Ok(self.stmt(loc, StmtKind::If { cond, then, otherwise }))
    }

    /// The body of a loop, in which `break` and `continue` belong to it.
    fn loop_body(&mut self) -> Parsed<StmtId> {
        self.frame().loops += 1;
        let result = self.scoped(Self::statement);
        self.frame().loops -= 1;
        result
    }

    fn while_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let cond = self.condition()?;
        let body = self.loop_body()?;
        Ok(self.stmt(loc, StmtKind::While { cond, body }))
    }

    fn do_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let body = self.loop_body()?;
        self.expect(Tok::While, "'while'")?;
        let cond = self.condition()?;
        self.expect(Tok::Semicolon, "';'")?;
        Ok(self.stmt(loc, StmtKind::DoWhile { body, cond }))
    }

    fn for_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let init_loc = self.loc();
        let init = if self.eat(Tok::Semicolon) {
            None
        } else if self.at_declaration() {
            let mut items = Vec::new();
            self.declaration(&mut items)?;
            Some(self.stmt(init_loc, StmtKind::Compound(items.into())))
        } else {
            let e = self.expression()?;
            let e = self.discard(e)?;
            self.expect(Tok::Semicolon, "';'")?;
            Some(self.stmt(init_loc, StmtKind::Expr(e)))
        };
        let cond = if self.tok() == Tok::Semicolon {
            None
        } else {
            let e = self.expression()?;
            Some(self.scalar_condition(e)?)
        };
        self.expect(Tok::Semicolon, "';'")?;
        let step = if self.tok() == Tok::RParen {
            None
        } else {
            let e = self.expression()?;
            Some(self.discard(e)?)
        };
        self.expect(Tok::RParen, "')'")?;
        let body = self.loop_body()?;
        Ok(self.stmt(loc, StmtKind::For { init, cond, step, body }))
    }

    fn switch_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let value = self.expression()?;
        let value = self.rvalue(value)?;
        if !self.types.is_integral(self.ty(value)) {
            return self.fail(loc, "switch quantity is not an integer");
        }
        let value = self.promote(value);
        self.expect(Tok::RParen, "')'")?;
        let ty = self.ty(value);
        self.frame().switches.push(SwitchState {
            ty,
            cases: BTreeMap::new(),
            has_default: false,
        });
        let body = self.scoped(Self::statement);
        self.frame().switches.pop();
        Ok(self.stmt(loc, StmtKind::Switch { value, body: body? }))
    }

    fn goto_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let kind = if self.eat(Tok::Star) {
            let e = self.expression()?;
            let e = self.rvalue(e)?;
            let e = self.cast_value(e, Types::VOID_PTR, loc)?;
            StmtKind::GotoComputed(e)
        } else {
            let (name, at) = self.expect_ident("a label")?;
            StmtKind::Goto(self.label_named(name, at))
        };
        self.expect(Tok::Semicolon, "';'")?;
        Ok(self.stmt(loc, kind))
    }

    fn return_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        if self.eat(Tok::Semicolon) {
            return Ok(self.stmt(loc, StmtKind::Return(None)));
        }
        let e = self.expression()?;
        let e = self.rvalue(e)?;
        self.expect(Tok::Semicolon, "';'")?;
        let ret = self.frames.iter().rev().find_map(|f| f.ret).unwrap_or(Types::VOID);
        let value_loc = self.expr_loc(e);
        if self.types.is_void(ret) {
            // gcc only warns about a value in a void function: it is computed and dropped.
            let e = self.discard(e)?;
            let value = self.stmt(value_loc, StmtKind::Expr(e));
            let back = self.stmt(loc, StmtKind::Return(None));
            return Ok(self.stmt(loc, StmtKind::Compound(Box::new([value, back]))));
        }
        let e = self.convert_for_assignment(e, ret, value_loc, "return")?;
        Ok(self.stmt(loc, StmtKind::Return(Some(e))))
    }

    fn asm_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.bump().loc;
        let mut is_goto = false;
        let mut asm = Asm {
            template: Box::default(),
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
            volatile: false,
        };
        loop {
            match self.tok() {
                Tok::Volatile => asm.volatile = true,
                Tok::Goto => is_goto = true,
                Tok::Inline | Tok::Const => {}
                _ => break,
            }
            self.bump();
        }
        self.expect(Tok::LParen, "'('")?;
        asm.template = self.asm_string()?;
        if self.eat(Tok::Colon) {
            self.asm_operands(&mut asm.outputs, true)?;
        }
        if self.eat(Tok::Colon) {
            self.asm_operands(&mut asm.inputs, false)?;
        }
        if self.eat(Tok::Colon) && self.tok() == Tok::String {
            loop {
                let text = self.asm_string()?;
                asm.clobbers.push(text);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        if is_goto && self.eat(Tok::Colon) {
            loop {
                let (name, at) = self.expect_ident("a label")?;
                let label = self.label_named(name, at);
                asm.labels.push(label);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "':' or ')'")?;
        self.expect(Tok::Semicolon, "';'")?;
        Ok(self.stmt(loc, StmtKind::Asm(Box::new(asm))))
    }

    fn asm_string(&mut self) -> Parsed<Box<str>> {
        if self.tok() != Tok::String {
            return self.unexpected("a string");
        }
        let units = self.string_units()?.units;
        Ok(units
            .iter()
            .map(|&u| char::from_u32(u).unwrap_or('?'))
            .collect::<String>()
            .into())
    }

    fn asm_operands(&mut self, into: &mut Vec<AsmOperand>, outputs: bool) -> Parsed<()> {
        if !matches!(self.tok(), Tok::String | Tok::LBracket) {
            return Ok(());
        }
        loop {
            let mut name = None;
            if self.eat(Tok::LBracket) {
                let token = self.bump();
                name = Some(String::from_utf8_lossy(self.spelling(token)).into());
                self.expect(Tok::RBracket, "']'")?;
            }
            let constraint = self.asm_string()?;
            self.expect(Tok::LParen, "'('")?;
            let mut expr = self.expression()?;
            self.expect(Tok::RParen, "')'")?;
            if outputs {
                let loc = self.expr_loc(expr);
                if !self.is_lvalue(expr) {
                    return self.fail(loc, "lvalue required in asm statement");
                }
                self.check_not_const(expr)?;
            } else {
                // An operand in memory is passed as the object itself.
                let memory_only = !constraint.contains(|c: char| c != 'm' && c != 'o' && c != 'V');
                if !(memory_only && self.is_lvalue(expr)) {
                    expr = self.rvalue(expr)?;
                }
            }
            into.push(AsmOperand { name, constraint, expr });
            if !self.eat(Tok::Comma) {
                return Ok(());
            }
        }
    }
}
