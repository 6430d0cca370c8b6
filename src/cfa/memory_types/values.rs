//! The sources of an address, by the form of the expression.

use super::analysis::{Analysis, Kept};
use super::constants::types_width;
use super::flow;
use super::flow::{Array, Origin, Target};
use crate::cfa::program::scalar::Scalar;
use crate::cfa::program::{BinOp, Expr, ExprKind, Place, PlaceBase, Proj, UnOp};
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::num::Int;

/// A source of an address.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// A pointer to an object of a type.
    Typed(Target),
    /// The value of a spot, plus a number of bytes, if that is known.
    At(Origin),
}

impl Value {
    pub fn moved(self, plus: Option<i64>) -> Value {
        match self {
            Value::Typed(target) => Value::Typed(target.moved(plus)),
            Value::At((spot, offset)) => Value::At((spot, flow::sum(offset, plus))),
        }
    }
}

fn all_moved(values: Vec<Value>, plus: Option<i64>) -> Vec<Value> {
    values.into_iter().map(|value| value.moved(plus)).collect()
}

impl Analysis<'_> {
    /// The number of bytes that an expression always is.
    pub(super) fn constant(&self, e: &Expr) -> Option<i64> {
        self.constants.value(&self.program.types, e)
    }

    /// The sources of an expression that may be addresses of objects. If two numbers are combined, both may be.
    pub(super) fn values(&mut self, e: &Expr) -> Vec<Value> {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => Vec::new(),
            ExprKind::Load(place) => match self.kept(e.ty) {
                Kept::Nothing => Vec::new(),
                Kept::Pointer(to) => vec![Value::Typed(Target::start(to))],
                Kept::Untyped => {
                    let spot = self.spot(place);
                    spot.map(|spot| Value::At((spot, Some(0)))).into_iter().collect()
                }
            },
            ExprKind::AddrOf(place) => self.address(e.ty, place),
            ExprKind::Cast(_) if matches!(self.program.types.get(e.ty), Type::Bool) => Vec::new(),
            ExprKind::Cast(x) if self.keeps_part(e.ty, x) => self.values(x),
            ExprKind::Cast(_) => Vec::new(),
            ExprKind::Unary(UnOp::LogNot, _) => Vec::new(),
            ExprKind::Unary(_, x) => all_moved(self.values(x), None),
            ExprKind::Binary(op, ..) if op.is_comparison() => Vec::new(),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), x, y) => self.sum(e.ty, *op, x, y),
            ExprKind::Binary(BinOp::Shl, x, _) => {
                let part = match &x.kind {
                    ExprKind::Cast(narrow) => narrow,
                    _ => x,
                };
                all_moved(self.values(part), None)
            }
            ExprKind::Binary(BinOp::Shr, x, _) => all_moved(self.values(x), None),
            ExprKind::Binary(_, x, y) => {
                let mut all = self.values(x);
                all.extend(self.values(y));
                all_moved(all, None)
            }
            ExprKind::Math(_, operands) => {
                let all = operands.iter().flat_map(|x| self.values(x)).collect();
                all_moved(all, None)
            }
        }
    }

    /// Whether a conversion keeps what matters of an address.
    ///
    /// A part that is narrower than an address becomes one again only together with others. One of these came from a shift to
    /// the right, and was shifted to the left; it is enough to follow that. Otherwise all error codes in pointers would count as addresses.
    fn keeps_part(&self, to: TypeId, x: &Expr) -> bool {
        let types = &self.program.types;
        let word = types.data_model().pointer_bytes();
        let is_narrow = |ty: TypeId| types.size_of(ty).is_some_and(|size| size < word);
        match (is_narrow(x.ty), is_narrow(to)) {
            (false, true) => is_shifted(x),
            (true, false) => false,
            _ => true,
        }
    }

    fn sum(&mut self, ty: TypeId, op: BinOp, x: &Expr, y: &Expr) -> Vec<Value> {
        let program = self.program;
        let types = &program.types;
        if let Some(step) = self.constant(y) {
            let plus = match op {
                BinOp::Sub => step.checked_neg(),
                _ => Some(step),
            };
            let values = self.values(x);
            let types = &self.program.types;
            let target = types.pointee(x.ty);
            let move_on = |value: Value| match value {
                // A pointer that is moved by whole objects goes along an array, where these are alike.
                Value::Typed(to) if target == Some(to.ty) && moves_by_objects(types, to.ty, step) => value,
                other => other.moved(plus),
            };
            return values.into_iter().map(move_on).collect();
        }
        if let (BinOp::Add, Some(step)) = (op, self.constant(x)) {
            return all_moved(self.values(y), Some(step));
        }
        let (from, to) = (targets(types, y), targets(types, x));
        if op == BinOp::Sub && from.iter().any(|target| to.contains(target)) {
            // The distance of two pointers, which is added to a pointer of their type, if to any.
            return Vec::new();
        }
        let left = self.stepped(x, y);
        if types.is_pointer(ty) && types.is_pointer(x.ty) {
            return left;
        }
        let right = self.stepped(y, x);
        left.into_iter().chain(right).collect()
    }

    /// A value with a computed number of bytes added. Whole elements further along an array, it is the same as before: that it stays inside of the array is taken on trust where it
    /// matters what lies around.
    fn stepped(&mut self, x: &Expr, bytes: &Expr) -> Vec<Value> {
        let types = &self.program.types;
        let target = types
            .pointee(x.ty)
            .filter(|&to| types.size_of(to).is_some_and(|s| s > 1));
        let along = target.is_some_and(|to| steps_by(types, bytes, to));
        let values = self.values(x);
        if along && values.iter().any(|value| matches!(value, Value::At(_))) {
            self.trust_here("a pointer that is moved by a computed number of elements stays inside of its array");
        }
        let types = &self.program.types;
        let step = |value: Value| match value {
            Value::Typed(to) if steps_by(types, bytes, to.ty) => value,
            Value::At(_) if along => value,
            other => other.moved(None),
        };
        values.into_iter().map(step).collect()
    }

    /// The sources of the address of a place. For a member of an object whose pointers are followed, this is the object.
    fn address(&mut self, pointer: TypeId, place: &Place) -> Vec<Value> {
        let program = self.program;
        let types = &program.types;
        let mut ty = place.ty;
        if let (Type::Array { .. }, Some(element)) = (types.get(ty), types.pointee(pointer)) {
            ty = element;
        }
        if !self.is_followed(ty) {
            return vec![Value::Typed(Target::start(ty))];
        }
        let base = match &place.base {
            PlaceBase::Var(var) => program.var(*var).ty,
            PlaceBase::Deref(pointer) => types.pointee(pointer.ty).unwrap_or(place.ty),
        };
        let (mut object, mut offset, mut inside) = (base, Some(0i64), false);
        let mut current = base;
        for step in &place.proj {
            match step {
                Proj::Field { record, field } => {
                    let position = usize::try_from(*field).expect("a number of 32 bits is a position");
                    let field = &types.record(*record).fields[position];
                    offset = flow::sum(offset, i64::try_from(field.offset).ok());
                    (inside, current) = (true, field.ty);
                }
                Proj::Index(index) => {
                    let Type::Array { elem, .. } = *types.get(current) else {
                        return vec![Value::Typed(Target::start(ty))];
                    };
                    current = elem;
                    if inside {
                        let size = types.size_of(elem).and_then(|s| i64::try_from(s).ok());
                        let index = self.constant(index);
                        offset = flow::sum(offset, index.zip(size).and_then(|(i, s)| i.checked_mul(s)));
                    } else {
                        object = elem;
                    }
                }
            }
        }
        if !inside {
            // An element of an array, or an array: elements are alike.
            while let Type::Array { elem, .. } = *types.get(object) {
                object = elem;
            }
        }
        let within = self.member_array(place);
        match &place.base {
            PlaceBase::Deref(pointer) => {
                let array = types.pointee(pointer.ty).filter(|_| object != base);
                let origin = |value: Value| match value {
                    Value::Typed(to) if Some(to.ty) == array && to.at == Some(0) => Value::Typed(Target::start(object)),
                    // Which element it is matters where the array lies in something else.
                    other if array.is_some() => other.moved(None),
                    Value::Typed(to) => Value::Typed(to.member(offset, within)),
                    other => other.moved(offset),
                };
                self.values(pointer).into_iter().map(origin).collect()
            }
            PlaceBase::Var(_) => vec![Value::Typed(Target::start(object).member(offset, within))],
        }
    }

    /// The innermost member that is an array of scalars and holds a place, by its bytes in the object that the place begins with. Members of elements of arrays are left out.
    pub(super) fn member_array(&self, place: &Place) -> Option<Array> {
        let types = &self.program.types;
        let (mut offset, mut found) = (0, None);
        for step in &place.proj {
            match step {
                Proj::Field { record, field } => {
                    let field = types.record(*record).fields.get(usize::try_from(*field).ok()?)?;
                    offset += i64::try_from(field.offset).ok()?;
                    let mut elem = field.ty;
                    while let Type::Array { elem: inner, .. } = *types.get(elem) {
                        elem = inner;
                    }
                    let is_array = elem != field.ty && Scalar::of(types, elem).is_some();
                    let bytes = |ty| i64::try_from(types.size_of(ty).unwrap_or(0)).ok();
                    found = is_array.then_some(Array {
                        elem,
                        step: bytes(elem)?,
                        first: offset,
                        end: offset + bytes(field.ty)?,
                    });
                }
                // The position in the array does not matter.
                Proj::Index(_) if found.is_some() => {}
                Proj::Index(_) => return None,
            }
        }
        found
    }
}

fn is_shifted(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(x) => is_shifted(x),
        ExprKind::Binary(op, x, y) => *op == BinOp::Shr || is_shifted(x) || is_shifted(y),
        _ => false,
    }
}

fn moves_by_objects(types: &Types, ty: TypeId, bytes: i64) -> bool {
    let size = types.size_of(ty).and_then(|s| i64::try_from(s).ok());
    size.is_some_and(|size| size > 0 && bytes % size == 0)
}

/// The types of objects that an expression points to, through its casts.
fn targets(types: &Types, mut e: &Expr) -> Vec<TypeId> {
    let mut found = Vec::new();
    loop {
        found.extend(types.pointee(e.ty));
        match &e.kind {
            ExprKind::Cast(inner) => e = inner,
            _ => return found,
        }
    }
}

/// Whether a number of bytes is a multiple of the size of the type by its form. No product that wraps in a narrow type is.
fn steps_by(types: &Types, e: &Expr, ty: TypeId) -> bool {
    let width = |e: &Expr| Scalar::of(types, e.ty).map_or(0, |scalar| scalar.width);
    match (&e.kind, types.size_of(ty)) {
        (_, Some(1)) => true,
        (ExprKind::Cast(inner), _) if width(e) >= width(inner) => steps_by(types, inner, ty),
        (ExprKind::Binary(BinOp::Mul, x, y), Some(size)) if size > 0 => {
            let narrow = width(e) < types_width(types) && !size.is_power_of_two();
            let factor = |f: &Expr| {
                f.as_const()
                    .is_some_and(|c| c.is_multiple_of(&Int::from(i128::from(size))))
            };
            !narrow && (factor(x) || factor(y))
        }
        _ => false,
    }
}
