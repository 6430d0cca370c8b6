//! C expressions with holes as expressions of the program: names are resolved, C's conversions are made explicit.
//!
//! Conditions keep `&&`, `||`, `!` and the questions about sets as a [`Cond`], which becomes branches. Everything else is an expression without side effects. The conversions are C's (C11
//! 6.3.1.8), with one addition that rules rely on: a pointer compared with an integer is compared with that integer as a pointer.

use super::super::automaton::syntax::{At, BinaryOp, Expr as Syntax, ExprKind as Kind, TypeBase, TypeName, UnaryOp};
use super::super::automaton::text::Text;
use super::super::property::SpecError;
use super::Tracker;
use super::pattern::{self, Bindings, Bound};
use crate::cfa::VarId;
use crate::cfa::lower::weave::Weaver;
use crate::cfa::program::expr;
use crate::cfa::{BinOp, BitRange, Expr, ExprKind, Place, Proj, UnOp};
use crate::frontend::types::float;
use crate::frontend::types::float::{Format, Rounding};
use crate::frontend::types::{FloatKind, IntKind, Type, TypeId, Types};
use provident_smt::num::Int;

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cond {
    /// Always, or never.
    Const(bool),
    /// The scalar is not zero.
    Atom(Expr),
    /// The set at this position holds the value.
    In(usize, Expr),
    /// The set at this position is empty.
    Empty(usize),
    /// Not.
    Not(Box<Cond>),
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// One of both.
    Or(Box<Cond>, Box<Cond>),
}

impl Cond {
    /// All of some conditions.
    pub fn all(conditions: impl IntoIterator<Item = Cond>) -> Cond {
        conditions.into_iter().fold(Cond::Const(true), |a, b| match (a, b) {
            (Cond::Const(true), c) | (c, Cond::Const(true)) => c,
            (Cond::Const(false), _) | (_, Cond::Const(false)) => Cond::Const(false),
            (a, b) => Cond::And(Box::new(a), Box::new(b)),
        })
    }

    /// The opposite.
    pub fn not(self) -> Cond {
        match self {
            Cond::Const(value) => Cond::Const(!value),
            Cond::Not(inner) => *inner,
            other => Cond::Not(Box::new(other)),
        }
    }
}

/// An integer constant of a type.
pub(super) fn int(weaver: &mut Weaver<'_>, value: i128, ty: TypeId) -> Expr {
    let value = match weaver.types().integer(ty) {
        Some(info) => expr::wrap(&Int::from(value), info),
        None => Int::from(value),
    };
    Expr::int(value, ty)
}

/// A conversion.
pub(super) fn cast(weaver: &mut Weaver<'_>, value: Expr, ty: TypeId) -> Expr {
    expr::cast(weaver.types(), value, ty)
}

/// The meaning of names and holes at the place of an expression.
pub(super) struct Scope<'s, 'w, 'a> {
    pub weaver: &'w mut Weaver<'a>,
    pub text: &'s Text,
    pub tracker: &'s Tracker,
    pub bindings: &'s Bindings,
    /// The values before the operation that were saved, if the automaton looks behind it.
    pub saved: Option<&'s mut Vec<(Expr, Place)>>,
    /// The edge of the operation.
    pub edge: usize,
    /// New values of the automaton's variables.
    pub values: Vec<(String, Expr)>,
    /// Changes of sets, in order.
    pub changes: Vec<(usize, Expr, bool)>,
    /// Variables whose values are asked for in sets.
    pub pointers: Vec<VarId>,
}

type Valued<T> = Result<T, SpecError>;

impl Scope<'_, '_, '_> {
    pub fn error<T>(&self, at: At, message: impl Into<String>) -> Valued<T> {
        Err(self.text.error(at, message))
    }

    fn types(&mut self) -> &mut Types {
        self.weaver.types()
    }

    // ---- conditions ------------------------------------------------------------------------------------------------------

    /// A condition.
    pub fn condition(&mut self, e: &Syntax) -> Valued<Cond> {
        Ok(match &e.kind {
            Kind::Unary(UnaryOp::Not, inner) => self.condition(inner)?.not(),
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (Box::new(self.condition(a)?), Box::new(self.condition(b)?));
                match op {
                    BinaryOp::And => Cond::And(a, b),
                    _ => Cond::Or(a, b),
                }
            }
            Kind::Index(set, element) if self.set(set).is_some() => {
                let position = self.set(set).expect("it was found just now");
                let value = self.element(element)?;
                self.contains(position, value)
            }
            Kind::Member { base, name, .. } if self.set(base).is_some() => {
                if name != "empty" {
                    return self.error(
                        e.at,
                        format!("a set has no `{name}`; it has `empty`, and elements in `[ ]`"),
                    );
                }
                let position = self.set(base).expect("it was found just now");
                self.is_empty(e.at, position)?
            }
            _ => {
                let value = self.value(e)?;
                match expr::const_truth(self.types(), &value) {
                    Some(truth) => Cond::Const(truth),
                    None => Cond::Atom(value),
                }
            }
        })
    }

    fn set(&self, e: &Syntax) -> Option<usize> {
        match &e.kind {
            Kind::Variable(name) | Kind::Name(name) => self.tracker.set(name),
            _ => None,
        }
    }

    /// A value as an element of sets: a pointer that tells all elements apart.
    pub fn element(&mut self, e: &Syntax) -> Valued<Expr> {
        let value = self.value(e)?;
        self.pointers.extend(self.variable_behind(e));
        let types = self.types();
        let pointer = types.data_model().pointer_bytes();
        match types.size_of(value.ty) {
            Some(size) if size <= pointer && types.integer(value.ty).is_some() => {
                Ok(cast(self.weaver, value, Types::VOID_PTR))
            }
            _ => self.error(
                e.at,
                "an element of a set is a pointer, or an integer that is not wider",
            ),
        }
    }

    /// The variable of the program that a hole stands for, conversions passed over.
    fn variable_behind(&self, e: &Syntax) -> Option<VarId> {
        let hole = match &e.kind {
            Kind::Cast(_, inner) => return self.variable_behind(inner),
            Kind::Hole(hole) => *hole,
            _ => return None,
        };
        let (_, bound) = self.bindings.iter().find(|(known, _)| *known == hole)?;
        let (Bound::Before(value) | Bound::After(value)) = bound;
        match &pattern::strip(value).kind {
            ExprKind::Load(place) => place.as_whole_var(),
            _ => None,
        }
    }

    /// Whether the set holds a value after the changes so far.
    fn contains(&mut self, set: usize, value: Expr) -> Cond {
        let mut known = Cond::In(set, value.clone());
        for (changed, element, put) in self.changes.clone() {
            if changed == set {
                let same = Cond::Atom(expr::binary(
                    self.types(),
                    BinOp::Eq,
                    value.clone(),
                    element,
                    Types::INT,
                ));
                known = if put {
                    Cond::Or(Box::new(same), Box::new(known))
                } else {
                    Cond::And(Box::new(same.not()), Box::new(known))
                };
            }
        }
        known
    }

    fn is_empty(&mut self, at: At, set: usize) -> Valued<Cond> {
        let last = self.changes.iter().rev().find(|(changed, ..)| *changed == set);
        match last {
            None => Ok(Cond::Empty(set)),
            Some((.., true)) => Ok(Cond::Const(false)),
            Some((.., false)) => self.error(
                at,
                "a transition cannot take out an element and ask whether the set is empty",
            ),
        }
    }

    // ---- values ----------------------------------------------------------------------------------------------------------

    /// A scalar value.
    pub fn value(&mut self, e: &Syntax) -> Valued<Expr> {
        let value = self.any_value(e)?;
        if self.types().is_scalar(value.ty) {
            return Ok(value);
        }
        self.error(e.at, "expected a number or a pointer")
    }

    fn any_value(&mut self, e: &Syntax) -> Valued<Expr> {
        Ok(match &e.kind {
            Kind::Hole(hole) => self.hole(e.at, *hole)?,
            Kind::Any => return self.error(e.at, "`$?` has no value; name it `$1`"),
            Kind::Variable(name) => match self.variable(name) {
                Some(value) => value,
                None if self.tracker.set(name).is_some() => {
                    return self.error(
                        e.at,
                        format!("`{name}` is a set; ask for an element, or whether it is `.empty`"),
                    );
                }
                None => return self.error(e.at, format!("the automaton has no variable `{name}`")),
            },
            Kind::Name(name) => self.name(e.at, name)?,
            Kind::Int {
                value,
                unsigned,
                long,
                decimal,
            } => {
                let ty = self.constant_type(*value, *unsigned, *long, *decimal);
                int(self.weaver, *value, ty)
            }
            Kind::Float(text) => Expr {
                ty: Types::DOUBLE,
                kind: ExprKind::Float(float::parse(Format::Double, text, Rounding::Nearest).unwrap_or(0)),
            },
            Kind::Cast(name, inner) => {
                let ty = self.type_named(name)?;
                let value = self.value(inner)?;
                if !self.types().is_scalar(ty) {
                    return self.error(name.at, "values are converted to numbers and pointers only");
                }
                cast(self.weaver, value, ty)
            }
            Kind::Unary(op, inner) => self.unary(e, *op, inner)?,
            Kind::Binary(op, a, b) => {
                let (left, right) = (self.value(a)?, self.value(b)?);
                self.binary(e.at, *op, left, right)?
            }
            Kind::Member { .. } | Kind::Index(..) => Expr::load(self.place(e)?),
            Kind::Call(..) => return self.error(e.at, "a condition cannot call functions"),
        })
    }

    fn hole(&mut self, at: At, hole: u32) -> Valued<Expr> {
        let Some((_, bound)) = self.bindings.iter().find(|(known, _)| *known == hole) else {
            return self.error(
                at,
                format!(
                    "`${hole}` stands for nothing here: the pattern does not name it, or the call has not returned"
                ),
            );
        };
        let value = match bound {
            Bound::After(value) => return Ok(value.clone()),
            Bound::Before(value) => value.clone(),
        };
        let Some(saved) = &mut self.saved else { return Ok(value) };
        if matches!(value.kind, ExprKind::Const(_) | ExprKind::FuncAddr(_)) {
            return Ok(value);
        }
        if let Some((_, place)) = saved.iter().find(|(known, _)| *known == value) {
            return Ok(Expr::load(place.clone()));
        }
        let place = self.weaver.new_temp(self.edge, value.ty);
        saved.push((value, place.clone()));
        Ok(Expr::load(place))
    }

    /// The value of a variable of the automaton.
    fn variable(&self, name: &str) -> Option<Expr> {
        if let Some((_, value)) = self.values.iter().rev().find(|(known, _)| known == name) {
            return Some(value.clone());
        }
        self.tracker.variable(name).cloned().map(Expr::load)
    }

    fn name(&mut self, at: At, name: &str) -> Valued<Expr> {
        if let Some(value) = self.variable(name) {
            return Ok(value);
        }
        if let Some(place) = self.weaver.global(name) {
            return Ok(Expr::load(place));
        }
        if let Some(value) = self.types().enum_constant(name) {
            return Ok(int(self.weaver, value, Types::INT));
        }
        match name {
            "NULL" => Ok(Expr::int(0, Types::VOID_PTR)),
            "true" | "false" => Ok(Expr::int(i64::from(name == "true"), Types::INT)),
            _ => self.error(
                at,
                format!("neither the automaton nor the program has a variable `{name}`"),
            ),
        }
    }

    /// The type of an integer constant (C11 6.4.4.1).
    fn constant_type(&mut self, value: i128, unsigned: bool, long: u8, decimal: bool) -> TypeId {
        use IntKind::*;
        let kinds = [(Int, UInt), (Long, ULong), (LongLong, ULongLong)];
        for (signed_kind, unsigned_kind) in &kinds[usize::from(long.min(2))..] {
            let fits = |types: &Types, ty: TypeId| {
                let info = types.integer(ty).expect("an integer type");
                info.wrap(value) == value
            };
            let (s, u) = (Types::int(*signed_kind), Types::int(*unsigned_kind));
            if !unsigned && fits(self.types(), s) {
                return s;
            }
            if (unsigned || !decimal) && fits(self.types(), u) {
                return u;
            }
        }
        Types::int(ULongLong)
    }

    fn unary(&mut self, e: &Syntax, op: UnaryOp, inner: &Syntax) -> Valued<Expr> {
        match op {
            UnaryOp::Deref => return Ok(Expr::load(self.place(e)?)),
            UnaryOp::AddressOf => {
                let place = self.place(inner)?;
                if place.bits.is_some() {
                    return self.error(e.at, "a bit-field has no address");
                }
                let ty = self.types().pointer_to(place.ty);
                return Ok(Expr {
                    ty,
                    kind: ExprKind::AddrOf(place),
                });
            }
            _ => {}
        }
        let value = self.value(inner)?;
        let types = &*self.weaver.types();
        Ok(match op {
            UnaryOp::Not => expr::unary(types, UnOp::LogNot, value),
            _ if types.is_pointer(value.ty) => return self.error(e.at, "this operator needs a number"),
            UnaryOp::Plus => promote(types, value),
            UnaryOp::Neg => expr::unary(types, UnOp::Neg, promote(types, value)),
            _ => expr::unary(types, UnOp::BitNot, promote(types, value)),
        })
    }

    fn binary(&mut self, at: At, op: BinaryOp, left: Expr, right: Expr) -> Valued<Expr> {
        let types = &*self.weaver.types();
        let Some(op) = pattern::binary(op) else {
            // As values, both sides are truth values, and neither has side effects.
            let truth = |e: Expr| expr::unary(types, UnOp::LogNot, expr::unary(types, UnOp::LogNot, e));
            let op = if op == BinaryOp::And { BinOp::And } else { BinOp::Or };
            return Ok(expr::binary(types, op, truth(left), truth(right), Types::INT));
        };
        let pointers = (types.is_pointer(left.ty), types.is_pointer(right.ty));
        if op.is_comparison() {
            let ty = match pointers {
                (false, false) => common_type(types, left.ty, right.ty),
                _ => Types::VOID_PTR,
            };
            let (left, right) = (expr::cast(types, left, ty), expr::cast(types, right, ty));
            return Ok(expr::binary(types, op, left, right, Types::INT));
        }
        match (op, pointers) {
            (_, (false, false)) if matches!(op, BinOp::Shl | BinOp::Shr) => {
                let (left, right) = (promote(types, left), promote(types, right));
                let ty = left.ty;
                Ok(expr::binary(types, op, left, right, ty))
            }
            (_, (false, false)) => {
                let ty = common_type(types, left.ty, right.ty);
                let (left, right) = (expr::cast(types, left, ty), expr::cast(types, right, ty));
                Ok(expr::binary(types, op, left, right, ty))
            }
            (BinOp::Add, (true, false)) | (BinOp::Sub, (true, false)) => {
                let size = types.pointee(left.ty).and_then(|to| types.size_of(to)).unwrap_or(1);
                let offset = Types::int(types.data_model().ptrdiff_t());
                let steps = expr::cast(types, right, offset);
                let bytes = expr::binary(
                    types,
                    BinOp::Mul,
                    steps,
                    Expr::int(i128::from(size.max(1)), offset),
                    offset,
                );
                let bytes = if op == BinOp::Sub {
                    expr::unary(types, UnOp::Neg, bytes)
                } else {
                    bytes
                };
                let ty = left.ty;
                Ok(expr::binary(types, BinOp::Add, left, bytes, ty))
            }
            _ => self.error(at, "this operator needs numbers"),
        }
    }

    // ---- objects ---------------------------------------------------------------------------------------------------------

    fn place(&mut self, e: &Syntax) -> Valued<Place> {
        match &e.kind {
            Kind::Unary(UnaryOp::Deref, pointer) => {
                let pointer = self.value(pointer)?;
                self.pointed(e.at, pointer)
            }
            Kind::Member { base, name, arrow } => {
                let object = if *arrow {
                    let pointer = self.value(base)?;
                    self.pointed(base.at, pointer)?
                } else {
                    self.place(base)?
                };
                self.member(e.at, object, name)
            }
            Kind::Index(base, index) => {
                let index = self.value(index)?;
                if self.types().integer(index.ty).is_none() {
                    return self.error(e.at, "an index is an integer");
                }
                if let Ok(mut place) = self.place(base)
                    && let Some(elem) = self.types().element(place.ty)
                {
                    place.proj.push(Proj::Index(Box::new(index)));
                    place.ty = elem;
                    return Ok(place);
                }
                let pointer = self.value(base)?;
                let element = self.binary(e.at, BinaryOp::Add, pointer, index)?;
                self.pointed(e.at, element)
            }
            _ => match self.any_value(e)?.kind {
                ExprKind::Load(place) => Ok(place),
                _ => self.error(e.at, "expected an object"),
            },
        }
    }

    fn pointed(&mut self, at: At, pointer: Expr) -> Valued<Place> {
        match self.types().pointee(pointer.ty) {
            Some(to) if self.types().size_of(to).is_some() && !self.types().is_void(to) => {
                Ok(Place::deref(pointer, to))
            }
            _ => self.error(at, "expected a pointer to an object whose type is known"),
        }
    }

    fn member(&mut self, at: At, mut object: Place, name: &str) -> Valued<Place> {
        fn find(types: &Types, ty: TypeId, name: &str) -> Option<Vec<u32>> {
            let record = types.as_record(ty)?;
            let fields = &types.record(record).fields;
            for (i, field) in (0..).zip(fields) {
                if field.name.as_deref() == Some(name) {
                    return Some(vec![i]);
                }
                if field.name.is_none()
                    && let Some(mut inner) = find(types, field.ty, name)
                {
                    inner.insert(0, i);
                    return Some(inner);
                }
            }
            None
        }
        let types = &*self.weaver.types();
        let Some(path) = find(types, object.ty, name) else {
            return self.error(at, format!("there is no member `{name}`"));
        };
        for field in path {
            let record = types.as_record(object.ty).expect("the path leads through records");
            let found = &types.record(record).fields[field as usize];
            object.ty = found.ty;
            object.bits = found.bits.map(|bits| BitRange {
                offset: bits.bit_offset,
                width: bits.width,
            });
            object.proj.push(Proj::Field { record, field });
        }
        Ok(object)
    }

    // ---- types -----------------------------------------------------------------------------------------------------------

    pub fn type_named(&mut self, name: &TypeName) -> Valued<TypeId> {
        let base = match &name.base {
            TypeBase::Words(words) if *words == ["float"] => Some(self.types().intern(Type::Float(FloatKind::Float))),
            TypeBase::Words(words) => basic_type(words),
            TypeBase::Tag(kind, tag) => self.tagged(kind, tag).or((name.pointers > 0).then_some(Types::VOID)),
            TypeBase::Name(typedef) => self.weaver.typedef(typedef),
        };
        let Some(mut ty) = base else {
            return self.error(name.at, "the program has no such type");
        };
        for _ in 0..name.pointers {
            ty = self.types().pointer_to(ty);
        }
        Ok(ty)
    }

    /// The type of a tag, if the program has it. A pointer to another one is as good as any.
    fn tagged(&mut self, kind: &str, tag: &str) -> Option<TypeId> {
        let types = self.types();
        if kind == "enum" {
            return Some(Types::UINT);
        }
        let found = types.records().find(|(_, record)| record.name.as_deref() == Some(tag));
        let record = found.map(|(id, _)| id)?;
        Some(types.intern(Type::Record(record)))
    }
}

/// The type that sorted keywords name.
fn basic_type(words: &[String]) -> Option<TypeId> {
    use IntKind::*;
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| *w != "signed").collect();
    let signed = words.is_empty();
    Some(Types::int(match words.as_slice() {
        ["void"] => return Some(Types::VOID),
        ["double"] => return Some(Types::DOUBLE),
        ["char"] => Char,
        ["char", "unsigned"] => UChar,
        ["short"] | ["int", "short"] => Short,
        ["short", "unsigned"] | ["int", "short", "unsigned"] => UShort,
        [] if signed => Int,
        ["int"] => Int,
        ["unsigned"] | ["int", "unsigned"] => UInt,
        ["long"] | ["int", "long"] => Long,
        ["long", "unsigned"] | ["int", "long", "unsigned"] => ULong,
        ["long", "long"] | ["int", "long", "long"] => LongLong,
        ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => ULongLong,
        _ => return None,
    }))
}

/// The integer promotions (C11 6.3.1.1).
fn promote(types: &Types, value: Expr) -> Expr {
    let ty = promoted(types, value.ty);
    expr::cast(types, value, ty)
}

fn promoted(types: &Types, ty: TypeId) -> TypeId {
    match (types.get(ty), types.integer(ty)) {
        (Type::Int(kind), _) if kind.rank() >= IntKind::Int.rank() => ty,
        (_, Some(info)) if info.width < 32 || info.signed => Types::INT,
        (_, Some(_)) => Types::UINT,
        _ => ty,
    }
}

/// The usual arithmetic conversions (C11 6.3.1.8).
fn common_type(types: &Types, a: TypeId, b: TypeId) -> TypeId {
    match (types.is_float(a), types.is_float(b)) {
        (true, false) => return a,
        (false, true) => return b,
        (true, true) => {
            let wider = |t: TypeId| types.size_of(t).unwrap_or(0);
            return if wider(a) >= wider(b) { a } else { b };
        }
        (false, false) => {}
    }
    let (a, b) = (promoted(types, a), promoted(types, b));
    let (&Type::Int(x), &Type::Int(y)) = (types.get(a), types.get(b)) else {
        return a;
    };
    let (high, low) = if x.rank() >= y.rank() { (x, y) } else { (y, x) };
    if high.signed() == low.signed() || !high.signed() {
        return Types::int(high);
    }
    let model = types.data_model();
    if high.width(model) > low.width(model) {
        Types::int(high)
    } else {
        Types::int(high.to_unsigned())
    }
}
