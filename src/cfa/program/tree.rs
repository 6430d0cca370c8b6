//! Expressions and places as data. [`expr`](super::expr) builds them.
//!
//! Their meaning stands in the [module](super).

use super::ids::{FuncId, VarId};
use super::math::MathOp;
use super::operators::{BinOp, UnOp};
use crate::frontend::types::{RecordId, TypeId};
use provident_smt::num::Int;

/// An object or part of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The object that the projections start from.
    pub base: PlaceBase,
    /// Steps into it, outermost first.
    pub proj: Vec<Proj>,
    /// The type of the place as a whole. For a bit-field its declared type.
    pub ty: TypeId,
    /// For a bit-field: which bits. The last projection is then the field.
    pub bits: Option<BitRange>,
}

/// The bits of a bit-field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// First bit, counted from the start of the record (little-endian: bit 0 of byte 0 is 0).
    pub offset: u64,
    /// Number of bits, 1 to 64.
    pub width: u32,
}

/// The object that a place starts from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlaceBase {
    /// A variable.
    Var(VarId),
    /// The object at the address that the expression (of pointer type) has.
    Deref(Box<Expr>),
}

/// One step from an object into a part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Proj {
    /// A member of a struct or union.
    Field {
        /// The record.
        record: RecordId,
        /// The position of the member in the record.
        field: u32,
    },
    /// An element of an array-typed place.
    Index(Box<Expr>),
}

/// A side-effect-free expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Its type: scalar, or a record type for the right side of a copy.
    pub ty: TypeId,
    /// Its form.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// An integer or pointer constant within the range of the type.
    Const(Int),
    /// A floating constant: the bit pattern in the format of its type.
    Float(u128),
    /// The value of a place.
    Load(Place),
    /// The address of a place that lives in memory and is no bit-field.
    AddrOf(Place),
    /// The address of a function.
    FuncAddr(FuncId),
    /// A unary operation; the operand has the expression's type, except for `LogNot` (any scalar, gives `int`).
    Unary(UnOp, Box<Expr>),
    /// A binary operation.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Conversion of a scalar to the expression's type.
    Cast(Box<Expr>),
    /// A function of scalars; the types of operands and result are as the operation says.
    Math(MathOp, Vec<Expr>),
}

impl Place {
    /// The whole of a variable.
    pub fn var(id: VarId, ty: TypeId) -> Place {
        Place {
            base: PlaceBase::Var(id),
            proj: Vec::new(),
            ty,
            bits: None,
        }
    }

    /// The object that a pointer points to.
    pub fn deref(ptr: Expr, ty: TypeId) -> Place {
        Place {
            base: PlaceBase::Deref(Box::new(ptr)),
            proj: Vec::new(),
            ty,
            bits: None,
        }
    }

    /// The variable that the place is the whole of.
    pub fn as_whole_var(&self) -> Option<VarId> {
        match self.base {
            PlaceBase::Var(v) if self.proj.is_empty() => Some(v),
            _ => None,
        }
    }
}

impl Expr {
    /// A floating constant.
    pub fn float(bits: u128, ty: TypeId) -> Expr {
        Expr {
            ty,
            kind: ExprKind::Float(bits),
        }
    }

    /// An integer or pointer constant.
    pub fn int(value: impl Into<Int>, ty: TypeId) -> Expr {
        Expr {
            ty,
            kind: ExprKind::Const(value.into()),
        }
    }

    /// The value of a place.
    pub fn load(place: Place) -> Expr {
        Expr {
            ty: place.ty,
            kind: ExprKind::Load(place),
        }
    }

    /// The value, if it is an integer constant.
    pub fn as_const(&self) -> Option<&Int> {
        match &self.kind {
            ExprKind::Const(i) => Some(i),
            _ => None,
        }
    }
}
