//! Statement patterns against operations of the program.
//!
//! Expressions are compared by their structure. Lowering has made conversions explicit, folded constants and turned `a[0]` and `*a` into places, so the pattern is read the same way: conversions on
//! both sides are passed over, constants are compared as values of the expression's type.

use super::super::automaton::syntax::{BinaryOp, Expr as Syntax, ExprKind as Kind, UnaryOp};
use crate::cfa::lower::weave::Weaver;
use crate::cfa::program::expr::wrap;
use crate::cfa::{BinOp, Expr, ExprKind, Place, PlaceBase, Proj, UnOp};
use crate::frontend::types::Types;
use provident_smt::num::Int;

/// The expression or name to which a hole is bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Bound {
    /// A value in the state before the operation that happens.
    Before(Expr),
    /// A value in the state in which the automaton looks.
    After(Expr),
}

/// The holes with their bindings.
pub(super) type Bindings = Vec<(u32, Bound)>;

/// A match in progress. After a failure the bindings mean nothing.
pub(super) struct Matcher<'w, 'a> {
    weaver: &'w mut Weaver<'a>,
    pub bindings: Bindings,
}

/// How a value becomes what a hole stands for.
type Bind = fn(Expr) -> Bound;

impl<'w, 'a> Matcher<'w, 'a> {
    pub fn new(weaver: &'w mut Weaver<'a>) -> Matcher<'w, 'a> {
        Matcher::with(weaver, Bindings::new())
    }

    /// Goes on with known bindings.
    pub fn with(weaver: &'w mut Weaver<'a>, bindings: Bindings) -> Matcher<'w, 'a> {
        Matcher { weaver, bindings }
    }

    /// Arguments against their patterns. A last `$?` stands for any number of them.
    pub fn arguments(&mut self, patterns: &[Syntax], values: &[Expr], bind: Bind) -> bool {
        let (patterns, open) = match patterns.split_last() {
            Some((last, before)) if last.kind == Kind::Any => (before, true),
            _ => (patterns, false),
        };
        (patterns.len() == values.len() || (open && patterns.len() <= values.len()))
            && patterns.iter().zip(values).all(|(p, v)| self.expression(p, v, bind))
    }

    fn bind(&mut self, hole: u32, value: &Expr, bind: Bind) -> bool {
        let bound = bind(value.clone());
        match self.bindings.iter().find(|(known, _)| *known == hole) {
            Some((_, known)) => *known == bound,
            None => {
                self.bindings.push((hole, bound));
                true
            }
        }
    }

    pub fn expression(&mut self, pattern: &Syntax, value: &Expr, bind: Bind) -> bool {
        match &pattern.kind {
            Kind::Any => return true,
            Kind::Hole(hole) => return self.bind(*hole, value, bind),
            Kind::Cast(_, inner) => return self.expression(inner, value, bind),
            Kind::Unary(UnaryOp::Plus, inner) => return self.expression(inner, value, bind),
            _ => {}
        }
        if let Some(constant) = constant(&pattern.kind) {
            return self.is_constant(value, &constant);
        }
        match (&pattern.kind, &strip(value).kind) {
            (Kind::Name(name), ExprKind::Load(place)) => self.is_named(name, place),
            // An array as a value is the address of its first element.
            (Kind::Name(name), ExprKind::AddrOf(place)) => {
                let first = |p: &Proj| matches!(p, Proj::Index(i) if i.as_const().is_some_and(Int::is_zero));
                let decayed = !place.proj.is_empty() && place.proj.iter().all(first);
                let var = matches!(place.base, PlaceBase::Var(v) if self.weaver.var(v).display == *name);
                decayed && var
            }
            (Kind::Name(name), ExprKind::FuncAddr(func)) => self.weaver.function_name(*func) == name,
            (Kind::Name(name), ExprKind::Const(value)) => {
                (name == "NULL" && value.is_zero())
                    || self
                        .weaver
                        .types()
                        .enum_constants(name)
                        .any(|constant| Int::from(constant) == *value)
            }
            (Kind::Unary(UnaryOp::AddressOf, inner), ExprKind::AddrOf(place)) => self.place(inner, place, bind),
            (Kind::Unary(UnaryOp::AddressOf, inner), ExprKind::FuncAddr(func)) => {
                matches!(&inner.kind, Kind::Name(name) if self.weaver.function_name(*func) == name)
            }
            (Kind::Unary(op, inner), ExprKind::Unary(other, operand)) => {
                unary(*op) == Some(*other) && self.expression(inner, operand, bind)
            }
            (Kind::Unary(UnaryOp::Deref, _) | Kind::Member { .. } | Kind::Index(..), ExprKind::Load(place)) => {
                self.place(pattern, place, bind)
            }
            (Kind::Binary(op, l, r), ExprKind::Binary(other, a, b)) => {
                binary(*op) == Some(*other) && self.expression(l, a, bind) && self.expression(r, b, bind)
            }
            _ => false,
        }
    }

    /// An object against its pattern. A hole stands for its value.
    pub fn place(&mut self, pattern: &Syntax, place: &Place, bind: Bind) -> bool {
        match &pattern.kind {
            Kind::Any => true,
            Kind::Hole(hole) => self.bind(*hole, &Expr::load(place.clone()), bind),
            Kind::Name(name) => self.is_named(name, place),
            Kind::Unary(UnaryOp::Deref, inner) => self.pointed(inner, place, bind),
            Kind::Member { base, name, arrow } => {
                let Some(rest) = self.without_member(name, place) else {
                    return false;
                };
                if *arrow {
                    self.pointed(base, &rest, bind)
                } else {
                    self.place(base, &rest, bind)
                }
            }
            Kind::Index(base, index) => {
                let mut rest = place.clone();
                match rest.proj.pop() {
                    Some(Proj::Index(i)) => self.expression(index, &i, bind) && self.place(base, &rest, bind),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a place is what the pattern points to.
    fn pointed(&mut self, pattern: &Syntax, place: &Place, bind: Bind) -> bool {
        match &place.base {
            PlaceBase::Deref(pointer) if place.proj.is_empty() => self.expression(pattern, pointer, bind),
            _ => match &pattern.kind {
                // `(&x)->m` is lowered to `x.m`.
                Kind::Unary(UnaryOp::AddressOf, inner) => self.place(inner, place, bind),
                _ => false,
            },
        }
    }

    /// The object whose member of this name a place is, anonymous members in between passed over.
    fn without_member(&mut self, name: &str, place: &Place) -> Option<Place> {
        let mut rest = place.clone();
        let Some(Proj::Field { record, field }) = rest.proj.pop() else {
            return None;
        };
        let types = self.weaver.types();
        let found = types.record(record).fields[field as usize].name.as_deref();
        if found != Some(name) {
            return None;
        }
        while let Some(Proj::Field { record, field }) = rest.proj.last()
            && types.record(*record).fields[*field as usize].name.is_none()
        {
            rest.proj.pop();
        }
        Some(rest)
    }

    fn is_named(&self, name: &str, place: &Place) -> bool {
        place
            .as_whole_var()
            .is_some_and(|var| self.weaver.var(var).display == name)
    }

    fn is_constant(&mut self, value: &Expr, constant: &Int) -> bool {
        let value = strip(value);
        let types: &Types = self.weaver.types();
        match (value.as_const(), types.integer(value.ty)) {
            (Some(found), Some(info)) => *found == wrap(constant, info),
            _ => false,
        }
    }
}

/// The expression without conversions.
pub(super) fn strip(mut value: &Expr) -> &Expr {
    while let ExprKind::Cast(inner) = &value.kind {
        value = inner;
    }
    value
}

/// The constant that a pattern is.
fn constant(kind: &Kind) -> Option<Int> {
    match kind {
        Kind::Int { value, .. } => Some(Int::from(*value)),
        Kind::Unary(UnaryOp::Neg, inner) => constant(&inner.kind).map(|value| -&value),
        Kind::Unary(UnaryOp::Plus, inner) | Kind::Cast(_, inner) => constant(&inner.kind),
        _ => None,
    }
}

fn unary(op: UnaryOp) -> Option<UnOp> {
    match op {
        UnaryOp::Neg => Some(UnOp::Neg),
        UnaryOp::BitNot => Some(UnOp::BitNot),
        UnaryOp::Not => Some(UnOp::LogNot),
        UnaryOp::Plus | UnaryOp::Deref | UnaryOp::AddressOf => None,
    }
}

/// The operator of the program; `None` for `&&` and `||`, which lowering turns into branches.
pub(super) fn binary(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Or | BinaryOp::And => return None,
        BinaryOp::BitOr => BinOp::Or,
        BinaryOp::BitXor => BinOp::Xor,
        BinaryOp::BitAnd => BinOp::And,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
        BinaryOp::Lt => BinOp::Lt,
        BinaryOp::Le => BinOp::Le,
        BinaryOp::Gt => BinOp::Gt,
        BinaryOp::Ge => BinOp::Ge,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
    })
}
