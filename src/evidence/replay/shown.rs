//! Values as people read them: `&object + offset`, names of enumeration constants, characters, and hexadecimal numbers where bits matter.
//!
//! A bit pattern says little. The type of the place says which values are pointers, characters or constants of an enumeration; the objects of the machine say where a pointer
//! leads; and a variable that the program combines with `&`, `|`, `^` or `~` is a set of bits. Numbers that nobody reads in decimal, such as addresses of the
//! environment, are hexadecimal too.

use super::machine::Machine;
use super::store::Change;
use super::value::{Shape, Value, number};
use crate::cfa::program::expr::walk;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::view::display::{Printer, symbol};
use crate::cfa::{BinOp, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj, UnOp, VarId, VarKind};
use crate::frontend::types::{IntKind, RecordId, Type, TypeId};
use provident_smt::num::Int;
use std::collections::{BTreeSet, HashMap};

/// Unsigned numbers from here on are hexadecimal: they are mostly bit patterns, or numbers below zero that were converted.
const HUGE: u128 = 1 << 32;

/// What the program stores a set of bits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Variable(VarId),
    Field(RecordId, u32),
}

/// Shows the values of an execution.
pub(super) struct Shower<'m, 'p, 's> {
    program: &'p Program,
    machine: &'m Machine<'p, 's>,
    bits: BTreeSet<Holder>,
    functions: HashMap<u64, &'p str>,
}

impl<'m, 'p, 's> Shower<'m, 'p, 's> {
    /// `machine` is the one that ran the execution. Linear in the size of the program.
    pub fn new(program: &'p Program, machine: &'m Machine<'p, 's>) -> Self {
        let functions = program.functions.iter();
        Shower {
            program,
            machine,
            bits: sets_of_bits(program),
            functions: functions
                .filter(|function| function.address != 0)
                .map(|function| (function.address, function.source_name()))
                .collect(),
        }
    }

    /// The value that an assignment gave to a place.
    pub fn change(&self, change: &Change, place: Option<&Place>) -> String {
        let holder = match place {
            Some(place) => holder(place),
            None => change.var.map(Holder::Variable),
        };
        let is_bits = holder.is_some_and(|holder| self.bits.contains(&holder));
        self.value(change.value, change.shape, change.ty, is_bits)
    }

    /// A value of a type; `is_bits` says that it is a set of bits.
    fn value(&self, value: Value, shape: Shape, ty: TypeId, is_bits: bool) -> String {
        let types = &self.program.types;
        let Shape::Int(info) = shape else {
            return value.show(shape);
        };
        match types.get(ty) {
            Type::Pointer(_) => self.pointer(value),
            Type::Enum(id) => {
                let wanted = number(value.bits, info);
                let constants = &types.enumeration(*id).constants;
                let found = constants.iter().find(|(_, number)| *number == wanted);
                found.map_or_else(|| value.show(shape), |(name, _)| name.to_string())
            }
            Type::Int(IntKind::Char) => character(value).unwrap_or_else(|| value.show(shape)),
            _ => {
                let is_negative = info.signed && number(value.bits, info) < 0;
                let is_huge = !info.signed && value.bits >= HUGE;
                let object = match u64::from(info.width) == 8 * types.data_model().pointer_bytes() && !info.signed {
                    true => self.object(value).or_else(|| self.is_outside(value).then(String::new)),
                    false => None,
                };
                match object {
                    Some(object) if !object.is_empty() => format!("{:#x} ({object})", value.bits),
                    Some(_) => format!("{:#x}", value.bits),
                    None if value.bits >= 10 && (is_huge || (is_bits && !is_negative)) => format!("{:#x}", value.bits),
                    None => value.show(shape),
                }
            }
        }
    }

    /// A condition in the words of the program: conversions are left out, and a constant is shown as a value of the type that it is compared with.
    pub fn condition(&self, cond: &Expr) -> String {
        let printer = Printer::new(self.program);
        let ExprKind::Binary(op, a, b) = &cond.kind else {
            let tested = stripped(cond);
            return match self.program.types.is_pointer(tested.ty) {
                true => format!("{} != NULL", printer.expr(tested)),
                false => printer.condition(tested, true),
            };
        };
        if !op.is_comparison() {
            return printer.condition(cond, true);
        }
        let side = |this: &Expr, other: &Expr| {
            let (this, other) = (stripped(this), stripped(other));
            let constant = match (&this.kind, Shape::of(&self.program.types, other.ty)) {
                (ExprKind::Const(value), Ok(shape @ Shape::Int(info))) => value
                    .to_i128()
                    .map(|value| (value, Value::bits(value.cast_unsigned(), info.width), shape))
                    .filter(|(number, value, _)| super::value::number(value.bits, info) == *number),
                _ => None,
            };
            match constant {
                Some((_, value, shape)) => self.value(value, shape, other.ty, false),
                None => printer.expr(this),
            }
        };
        format!("{} {} {}", side(a, b), symbol(*op), side(b, a))
    }

    fn pointer(&self, value: Value) -> String {
        if value.bits == 0 {
            return "NULL".to_string();
        }
        self.object(value).unwrap_or_else(|| format!("{:#x}", value.bits))
    }

    /// The object or function that a number is an address of.
    fn object(&self, value: Value) -> Option<String> {
        let address = u64::try_from(value.bits).ok()?;
        if let Some(name) = self.functions.get(&address) {
            return Some(format!("&{name}"));
        }
        let (base, name) = self.machine.named_object(address)?;
        Some(match address - base {
            0 => name,
            offset => format!("{name} + {offset}"),
        })
    }

    /// Whether a number is an offset of a pointer to an object of the environment.
    fn is_outside(&self, value: Value) -> bool {
        let asked = value.origin.and_then(|id| usize::try_from(id.0).ok());
        asked
            .and_then(|at| self.machine.asked.get(at))
            .is_some_and(|asked| asked.trusted)
    }
}

impl Machine<'_, '_> {
    /// The object that an address points into or just behind, as it may be called: `&x`, a string literal, or the number of the allocation.
    fn named_object(&self, address: u64) -> Option<(u64, String)> {
        let (base, object) = self.containing(address)?;
        let name = match object.var {
            Some(var) => {
                let var = self.program().var(var);
                match var.kind {
                    VarKind::StringLiteral => var.display.clone(),
                    VarKind::Temp | VarKind::Return | VarKind::Woven => return None,
                    _ => format!("&{}", var.display),
                }
            }
            None => {
                let number = self.allocations.iter().position(|made| made.address == base)? + 1;
                let kind = if object.stack { "stack" } else { "heap" };
                format!("&{kind}#{number}")
            }
        };
        Some((base, name))
    }
}

/// A character in single quotes, if it can be printed or has an escape of one letter.
fn character(value: Value) -> Option<String> {
    let code = u8::try_from(value.bits).ok()?;
    match code {
        0 => Some("'\\0'".to_string()),
        b'\n' | b'\t' | b'\r' | b'\'' | b'\\' | 0x20..=0x7e => {
            Some(format!("'{}'", char::from(code).escape_default())).map(|text| text.replace("\\\"", "\""))
        }
        _ => None,
    }
}

/// The number of an input without a place: bit patterns of pointers are hexadecimal.
pub(super) fn plain(text: &str, is_outside: bool) -> String {
    match text.parse::<Int>().ok().and_then(|value| value.to_i128()) {
        Some(value) if is_outside || value >= HUGE.cast_signed() => format!("{value:#x}"),
        _ => text.to_string(),
    }
}

/// The variables and members that the program combines bit by bit. `x & 1` does not count: it asks whether a number is odd.
fn sets_of_bits(program: &Program) -> BTreeSet<Holder> {
    let mut found = BTreeSet::new();
    let mut look = |expr: &Expr| match &expr.kind {
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), a, b) => {
            let asks_for_parity = *op == BinOp::And && [a, b].iter().any(|side| is_one(side));
            if !asks_for_parity {
                found.extend([a, b].into_iter().filter_map(|side| loaded(side)));
            }
        }
        ExprKind::Unary(UnOp::BitNot, operand) => found.extend(loaded(operand)),
        _ => {}
    };
    for edge in &program.edges {
        visit_parts(&edge.op, &mut |part| {
            if let Part::Value(expr) = part {
                walk(expr, &mut look);
            }
        });
    }
    for edge in &program.edges {
        // What is assigned a set of bits is one.
        if let Op::Assign { lhs, rhs } = &edge.op
            && matches!(
                stripped(rhs).kind,
                ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Xor, ..)
            )
            && !matches!(&stripped(rhs).kind, ExprKind::Binary(BinOp::And, a, b) if is_one(a) || is_one(b))
        {
            found.extend(holder(lhs));
        }
    }
    found
}

fn is_one(expr: &Expr) -> bool {
    matches!(&stripped(expr).kind, ExprKind::Const(value) if *value == Int::from(1))
}

fn stripped(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => stripped(inner),
        _ => expr,
    }
}

fn loaded(expr: &Expr) -> Option<Holder> {
    match &stripped(expr).kind {
        ExprKind::Load(place) => holder(place),
        _ => None,
    }
}

fn holder(place: &Place) -> Option<Holder> {
    let field = place.proj.iter().rev().find_map(|step| match step {
        Proj::Field { record, field } => Some(Holder::Field(*record, *field)),
        Proj::Index(_) => None,
    });
    field.or(match place.base {
        PlaceBase::Var(var) => Some(Holder::Variable(var)),
        PlaceBase::Deref(_) => None,
    })
}
