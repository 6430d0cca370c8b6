//! Initialisers, string literals and declarations.
//!
//! An initialiser of many parts is one [`Op::Zero`] of the whole followed by an assignment for each part whose value is not zero: kernel
//! tables are mostly zero.

use super::state::{Lowerer, Slot};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{ExprKind as Ast, InitStep};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, RecordKind, Type, TypeId, Types, VlaId};
use std::fmt::Write;

/// A designated range of more elements than this is not written out; the whole object gets any value.
const MAX_RANGE: u64 = 4096;

/// A string literal as C text, shortened.
pub(super) fn quote(string: &ast::StringLiteral) -> String {
    let mut text = String::from("\"");
    for &unit in string.units.iter().take(60) {
        match char::from_u32(unit) {
            Some('\n') => text.push_str("\\n"),
            Some(c @ ('"' | '\\')) => {
                text.push('\\');
                text.push(c);
            }
            Some(c) if (' '..='~').contains(&c) => text.push(c),
            _ => write!(text, "\\{unit:03o}").expect("writing to a string"),
        }
    }
    if string.units.len() > 60 {
        text.push_str("...");
    }
    text.push('"');
    text
}

impl Lowerer<'_> {
    /// Whether an object of a type may hold a pointer to an object.
    fn holds_pointer(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Pointer(to) => !self.types.is_function(*to),
            Type::Array { elem, .. } => self.holds_pointer(*elem),
            Type::Record(record) => {
                let fields = &self.types.record(*record).fields;
                fields.iter().any(|field| self.holds_pointer(field.ty))
            }
            _ => false,
        }
    }

    /// The edges that initialise a variable with static storage.
    pub(super) fn initialise_global(&mut self, id: ast::GlobalId) {
        let unit = self.unit;
        let global = unit.global(id);
        let var = self.global_map[id.index()].expect("a pending global is known");
        let place = Place::var(var, self.vars[var.index()].ty);
        if !global.defined {
            let name = self.vars[var.index()].name.clone();
            let text = format!("the extern variable `{name}` holds any value");
            self.assume(AssumptionKind::ExternFunction, text, global.loc, true);
            if self.holds_pointer(place.ty) {
                let text = format!("no pointer in the extern variable `{name}` points to an object of the program");
                self.assume(AssumptionKind::Memory, text, global.loc, false);
            }
            if self.types.size_of(place.ty).is_some() {
                let source = Input::ExternVariable {
                    name: global.name.to_string(),
                };
                self.emit(Op::Havoc { place, source }, global.loc);
            }
            return;
        }
        let Some(init) = global.init else {
            return self.zero(place, global.loc);
        };
        // Labels in it are those of the function that it is a static local of, not of the function that was lowered last.
        let last = self.frame.ast;
        self.frame.ast = global.owner.unwrap_or(last);
        self.initialise(&place, init, global.loc);
        self.frame.ast = last;
    }

    /// All bytes of a place become zero.
    pub(super) fn zero(&mut self, place: Place, loc: Loc) {
        if self.types.is_scalar(place.ty) && !self.is_opaque(place.ty) {
            let rhs = expr::zero(&self.types, place.ty);
            self.emit(Op::Assign { lhs: place, rhs }, loc);
        } else if self.types.size_of(place.ty).is_some_and(|s| s > 0) {
            self.emit(Op::Zero { place }, loc);
        }
    }

    /// The edges that fill the array of a string literal.
    pub(super) fn initialise_string(&mut self, id: ast::StringId) {
        let var = self.string_map[id.index()].expect("a pending string is known");
        let place = Place::var(var, self.vars[var.index()].ty);
        let loc = self.vars[var.index()].loc;
        self.fill_string(&place, id, loc, false);
    }

    /// Writes the units of a string, then zeros. `zeroed`: the place is zero already.
    fn fill_string(&mut self, place: &Place, id: ast::StringId, loc: Loc, zeroed: bool) {
        let unit = self.unit;
        let units = &unit.string(id).units;
        let Type::Array { elem, len } = *self.types.get(place.ty) else {
            return;
        };
        let len = match len {
            ArrayLen::Fixed(n) => n,
            _ => units.len() as u64 + 1,
        };
        if !zeroed && len > units.len() as u64 {
            self.zero(place.clone(), loc);
        }
        for (i, &unit) in units
            .iter()
            .enumerate()
            .take(usize::try_from(len).unwrap_or(usize::MAX))
        {
            if unit == 0 && (zeroed || len > units.len() as u64) {
                continue;
            }
            let lhs = self.element_at(place, i as u64, elem);
            let value = provident_smt::num::Int::from(i64::from(unit));
            let rhs = expr::cast(
                &self.types,
                Expr::int(value, Types::int(crate::frontend::types::IntKind::LongLong)),
                elem,
            );
            self.emit(Op::Assign { lhs, rhs }, loc);
        }
    }

    fn element_at(&self, place: &Place, index: u64, elem: TypeId) -> Place {
        let mut place = place.clone();
        let index = i64::try_from(index).expect("an object has fewer than 2^63 elements");
        place.proj.push(Proj::Index(Box::new(Expr::int(index, self.intptr))));
        place.ty = elem;
        place
    }

    /// Initialises the whole object.
    pub(super) fn initialise(&mut self, place: &Place, init: ast::InitId, loc: Loc) {
        let unit = self.unit;
        let init = unit.init(init);
        if self.is_opaque(place.ty) {
            init.entries.iter().for_each(|e| self.effect(e.value));
            let source = self.opaque_value(place.ty);
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return;
        }
        if let [entry] = &init.entries[..]
            && entry.path.is_empty()
        {
            return self.initialise_part(place, entry.value, false);
        }
        if init.zero_fill {
            self.zero_flexible(place, init.flexible, loc);
        }
        let entries = self.in_order(&init.entries, loc);
        if init.zero_fill && self.covers(place.ty, init) {
            for entry in &init.entries {
                self.initialise_path(place.clone(), &entry.path, entry.value, false, loc);
            }
            return;
        }
        if init.zero_fill {
            self.zero(place.clone(), loc);
        } else {
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source: Input::Uninitialised,
                },
                loc,
            );
        }
        // A zero is left out only as long as it cannot override a value before it: while paths increase.
        let mut last: &[InitStep] = &[];
        let mut ordered = init.zero_fill;
        for (i, entry) in entries.into_iter().enumerate() {
            ordered &= i == 0 || InitStep::precede(last, &entry.path);
            last = &entry.path;
            if ordered && self.is_zero(entry.value) {
                continue;
            }
            self.initialise_path(place.clone(), &entry.path, entry.value, ordered, loc);
        }
    }

    /// Zeros for so many elements of a flexible array member, which are no part of its struct's size.
    fn zero_flexible(&mut self, place: &Place, elements: u64, loc: Loc) {
        let member = self.types.as_record(place.ty).zip(self.types.flexible_member(place.ty));
        let Some((record, (last, elem))) = member else { return };
        let array = self.member(place.clone(), record, last, loc);
        for index in 0..elements {
            self.zero(self.element_at(&array, index, elem), loc);
        }
    }

    /// The parts of an initialiser in the order in which gcc evaluates them: that of the object, where several have side effects and none overrides another.
    fn in_order<'e>(&mut self, entries: &'e [ast::InitEntry], loc: Loc) -> Vec<&'e ast::InitEntry> {
        let mut list: Vec<&ast::InitEntry> = entries.iter().collect();
        let effects = entries.iter().filter(|entry| self.has_effects(entry.value)).count();
        if effects == 0 {
            return list;
        }
        let values: Vec<ast::ExprId> = entries.iter().map(|entry| entry.value).collect();
        self.note_order(&values, loc);
        let bounds = |entry: &ast::InitEntry| -> Vec<u64> { entry.path.iter().map(|step| step.bounds().0).collect() };
        list.sort_by_cached_key(|entry| bounds(entry));
        let apart = list
            .windows(2)
            .all(|pair| InitStep::precede(&pair[0].path, &pair[1].path));
        if effects < 2 || !apart {
            list = entries.iter().collect();
        }
        list
    }

    /// Whether the initialiser names every member of a small struct or every element of a small array, each once and in order.
    fn covers(&self, ty: TypeId, init: &ast::Init) -> bool {
        let parts = match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Fixed(n),
                ..
            } => n,
            Type::Record(r) if self.types.record(r).kind == RecordKind::Struct => {
                self.types.record(r).fields.len() as u64
            }
            _ => return false,
        };
        let in_order = |(i, entry): (usize, &ast::InitEntry)| match *entry.path {
            [InitStep::Field(n)] => u64::from(n) == i as u64,
            [InitStep::Index(n)] => n == i as u64,
            _ => false,
        };
        parts <= 8 && init.entries.len() as u64 == parts && init.entries.iter().enumerate().all(in_order)
    }

    fn is_zero(&self, e: ast::ExprId) -> bool {
        match self.unit.expr(e).kind {
            Ast::Int(0) => true,
            Ast::Cast(kind, inner) => kind != ast::CastKind::LvalueToRvalue && self.is_zero(inner),
            _ => false,
        }
    }

    fn initialise_path(&mut self, mut place: Place, path: &[InitStep], value: ast::ExprId, zeroed: bool, loc: Loc) {
        for (i, step) in path.iter().enumerate() {
            match *step {
                InitStep::Field(field) => {
                    let Some(record) = self.types.as_record(place.ty) else {
                        return self.effect(value);
                    };
                    place = self.member(place, record, field, loc);
                }
                InitStep::Index(index) => {
                    let Some(elem) = self.types.element(place.ty).filter(|_| !self.is_opaque(place.ty)) else {
                        let source = self.opaque_value(place.ty);
                        self.effect(value);
                        return self.emit(Op::Havoc { place, source }, loc);
                    };
                    place = self.element_at(&place, index, elem);
                }
                InitStep::Range(low, high) => {
                    let elem = self.types.element(place.ty).unwrap_or(Types::CHAR);
                    if high.saturating_sub(low) >= MAX_RANGE || self.is_opaque(place.ty) {
                        let text = format!("an initialiser for elements {low} to {high} is not written out: any value");
                        self.assume(AssumptionKind::Language, text.clone(), loc, true);
                        self.effect(value);
                        return self.emit(
                            Op::Havoc {
                                place,
                                source: Input::invented(Invention::Language, text),
                            },
                            loc,
                        );
                    }
                    // A value with side effects is evaluated once, into the first element; the others copy it.
                    let rest = &path[i + 1..];
                    let first = self.element_at(&place, low, elem);
                    self.initialise_path(first.clone(), rest, value, zeroed, loc);
                    for index in low + 1..=high {
                        let next = self.element_at(&place, index, elem);
                        if self.has_effects(value) && rest.is_empty() {
                            self.store_value(next, Expr::load(first.clone()), loc);
                        } else {
                            self.initialise_path(next, rest, value, zeroed, loc);
                        }
                    }
                    return;
                }
            }
        }
        self.initialise_part(&place, value, zeroed);
    }

    fn initialise_part(&mut self, place: &Place, value: ast::ExprId, zeroed: bool) {
        let node = self.unit.expr(value);
        if let (Ast::Int(0), false) = (node.kind, self.types.is_scalar(place.ty)) {
            // Zeros for an object of several parts.
            return self.zero(place.clone(), node.loc);
        }
        if let Some(init) = self.static_literal(value) {
            return self.initialise(place, init, node.loc);
        }
        if let (Ast::String(id), Type::Array { .. }) = (node.kind, self.types.get(place.ty)) {
            return self.fill_string(place, id, node.loc, zeroed);
        }
        if let Type::Array { .. } = self.types.get(place.ty) {
            // An array is initialised as a whole only by another array value (GNU compound literals).
            let source = self.place(value);
            return self.copy_object(place, source, node.loc);
        }
        self.store(place.clone(), value, node.loc);
    }

    /// The initialiser of a compound literal outside of functions whose value is taken (GNU): other objects with static storage may get it before the literal
    /// itself has it.
    fn static_literal(&self, value: ast::ExprId) -> Option<ast::InitId> {
        match self.unit.expr(value).kind {
            Ast::Cast(ast::CastKind::LvalueToRvalue, literal) => self.static_literal(literal),
            Ast::Global(id) if self.unit.global(id).name.is_empty() => self.unit.global(id).init,
            _ => None,
        }
    }

    /// Copies an object of any type.
    fn copy_object(&mut self, place: &Place, source: Place, loc: Loc) {
        let Some(size) = self.types.size_of(place.ty) else {
            return;
        };
        let (dst, src) = (self.address(place.clone()), self.address(source));
        let dst = expr::cast(&self.types, dst, Types::VOID_PTR);
        let src = expr::cast(&self.types, src, Types::VOID_PTR);
        let len = Expr::int(provident_smt::num::Int::from(i128::from(size)), self.size_t);
        self.emit(Op::MemCopy { dst, src, len }, loc);
    }

    // ---- declarations --------------------------------------------------------------------------------------------------

    pub(super) fn declare(&mut self, local: ast::LocalId, lengths: &[VlaId], init: Option<ast::InitId>, loc: Loc) {
        self.evaluate_lengths(lengths);
        self.enter_scope(local);
        match (self.slot(self.frame.ast, local), init) {
            (Slot::Pointed(var), _) => {
                let ty = self.vars[var.index()].ty;
                let to = self.types.pointee(ty).unwrap_or(Types::VOID);
                let size = self.size_expr(to);
                let lhs = Place::var(var, ty);
                let is_array = self.has_variable_length(to);
                self.fit_in_memory(to, loc);
                let op = Op::Allocate {
                    lhs,
                    size,
                    zero: is_array && init.is_some(),
                    kind: AllocKind::Block,
                    may_fail: false,
                };
                self.emit(op, loc);
                if let Some(init) = init.filter(|_| !is_array) {
                    let place = self.local_place(self.frame.ast, local);
                    self.initialise(&place, init, loc);
                }
            }
            (_, Some(init)) => {
                let place = self.local_place(self.frame.ast, local);
                self.initialise(&place, init, loc);
            }
            (_, None) => {
                let place = self.local_place(self.frame.ast, local);
                if self.types.size_of(place.ty).is_some_and(|s| s > 0) {
                    self.emit(
                        Op::Havoc {
                            place,
                            source: Input::Uninitialised,
                        },
                        loc,
                    );
                }
            }
        }
    }
}
