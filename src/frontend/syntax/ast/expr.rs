//! Expressions.

use super::ids::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, VlaId};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// The plain type of the value, or of the object that an lvalue denotes.
    pub ty: TypeId,
    /// The place of the expression: of a binary operator, the operator; otherwise the first token.
    pub loc: Loc,
    /// Its form.
    pub kind: ExprKind,
}

/// A run of expression ids in the unit, such as the arguments of a call; see [`TranslationUnit::list`](super::TranslationUnit::list).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExprList {
    pub(in crate::frontend) start: u32,
    pub(in crate::frontend) len: u32,
}

/// The kinds of expressions.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// A constant of integral, enum or pointer type (a pointer constant as its unsigned value), in the range of its type.
    /// An `unsigned __int128` is given by its bit pattern.
    Int(i128),
    /// A floating constant. Of complex type if `imaginary`.
    Float {
        /// The bit pattern in the format of its type, or of the part's type; if that is an integer type, the integer.
        bits: u128,
        /// Whether it is the imaginary part (GNU suffix `i`), the real part being 0.
        imaginary: bool,
    },
    /// A string literal, an lvalue of array type.
    String(StringId),
    /// A parameter or variable of the function, an lvalue.
    Local(LocalId),
    /// A parameter or variable of an enclosing function, as nested functions see it; an lvalue.
    Captured(FuncId, LocalId),
    /// A variable with static storage, an lvalue.
    Global(GlobalId),
    /// A function designator; only below `FunctionToPointer` or `AddressOf`, and in [`Callee::Direct`] not at all.
    Function(FuncId),
    /// The object at an address, an lvalue (or a function designator if the type is a function type).
    Deref(ExprId),
    /// A member: index into the record's fields. An lvalue if its base is one. Members of anonymous members are reached by
    /// several `Member` nodes. The real and imaginary part of a complex number are its fields 0 and 1.
    Member {
        /// A record or complex lvalue or value.
        base: ExprId,
        /// The field's index in the record.
        field: u32,
    },
    /// An element of an array lvalue (not decayed) or of a vector.
    Index {
        /// An array or vector lvalue (or value).
        base: ExprId,
        /// An integer value, not converted.
        index: ExprId,
    },
    /// `&lvalue` or `&function`.
    AddressOf(ExprId),
    /// GNU `&&label`.
    LabelAddress(LabelId),
    /// A unary operator; the operand is promoted and has the result's type, except for `LogicalNot` of a scalar.
    Unary(UnaryOp, ExprId),
    /// A binary operator on operands of one type, which is the result's (comparisons: `int`, or a vector); for shifts, only the left operand
    /// has the result's type.
    Binary(BinaryOp, ExprId, ExprId),
    /// Pointer plus or minus an integer that is not scaled and not converted. Pointers to `void` and functions step by one byte.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// The integer, any integral type.
        index: ExprId,
        /// Whether the index is subtracted.
        subtract: bool,
    },
    /// The difference of two pointers in elements.
    PointerDiff(ExprId, ExprId),
    /// `a && b`; both scalar values, tested against zero.
    LogicalAnd(ExprId, ExprId),
    /// `a || b`
    LogicalOr(ExprId, ExprId),
    /// `c ? a : b`; `a` and `b` have the result's type (which may be `void`).
    Conditional(ExprId, ExprId, ExprId),
    /// GNU `a ?: b`: `a` is evaluated once; if it is not zero the result is `a` converted to the result's type.
    Elvis {
        /// The scalar value tested, in its own type.
        value: ExprId,
        /// The other value, in the result's type.
        otherwise: ExprId,
    },
    /// `lhs = rhs`; `rhs` has the type of `lhs`.
    Assign {
        /// An lvalue.
        lhs: ExprId,
        /// A value.
        rhs: ExprId,
    },
    /// `lhs op= rhs`: `lhs` is evaluated once; its value is converted to `computation`, the operator applied, and the result
    /// converted back. The result is the new value.
    CompoundAssign {
        /// The operator. With a pointer `lhs` it is `Add` or `Sub` and means pointer arithmetic, the `rhs` being any integer.
        op: BinaryOp,
        /// An lvalue.
        lhs: ExprId,
        /// A value of type `computation`; for shifts, of its own promoted type.
        rhs: ExprId,
        /// The type in which the operation is done.
        computation: TypeId,
    },
    /// `++` and `--`: adds or subtracts 1 (one element for pointers) in the type `computation`.
    IncDec {
        /// An lvalue.
        lhs: ExprId,
        /// Whether it is `--`.
        decrement: bool,
        /// Whether the result is the new value.
        prefix: bool,
        /// The type in which the operation is done.
        computation: TypeId,
    },
    /// A conversion to the node's type.
    Cast(CastKind, ExprId),
    /// A complex number of a real and an imaginary part, of the element's type both.
    Complex(ExprId, ExprId),
    /// `__builtin_shuffle`: the elements of one or two vectors of the node's type that the index vector says.
    Shuffle {
        /// The first vector.
        first: ExprId,
        /// The second one, counted after the first.
        second: Option<ExprId>,
        /// The index vector; counted modulo the number of elements.
        mask: ExprId,
    },
    /// `__builtin_shufflevector`: the elements of two vectors with these constant numbers (-1: any value).
    Select {
        /// The first vector.
        first: ExprId,
        /// The second one, counted after the first.
        second: ExprId,
        /// Integer constants.
        which: ExprList,
    },
    /// A call. Arguments have the parameters' types, or are promoted where there are none; there may be more than parameters.
    Call {
        /// The function that is called.
        callee: Callee,
        /// The argument values.
        args: ExprList,
    },
    /// `a, b`
    Comma(ExprId, ExprId),
    /// GNU `({ body; value })`. The body runs, then the value is computed; no value: the type is `void`.
    StmtExpr {
        /// A compound statement without the last expression.
        body: StmtId,
        /// The last expression.
        value: Option<ExprId>,
    },
    /// A compound literal in a function: the local is initialised anew each time; an lvalue denoting it.
    CompoundLiteral {
        /// The unnamed variable.
        local: LocalId,
        /// Its initialiser.
        init: InitId,
    },
    /// `va_arg(list, type)`: the operand is the list: the pointer to its record in LP64, the lvalue in ILP32; the type is the node's.
    VaArg(ExprId),
    /// `sizeof` of a variable-length type, in bytes.
    SizeOfVla(TypeId),
    /// Evaluates a length in a type that an expression names; left operand of a comma before what needs it. Of type `void`.
    Length(VlaId),
}

impl ExprKind {
    /// Whether the kind denotes an object (for `Member` and `Index`: if their base does).
    pub fn is_lvalue(&self) -> bool {
        matches!(
            self,
            ExprKind::String(_)
                | ExprKind::Local(_)
                | ExprKind::Captured(..)
                | ExprKind::Global(_)
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::CompoundLiteral { .. }
        )
    }
}

/// The function of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// The function itself.
    Direct(FuncId),
    /// A value of type pointer to function.
    Pointer(ExprId),
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `~x`; of a complex number the conjugate.
    BitNot,
    /// `!x` of any scalar; the result is `int`.
    LogicalNot,
}

/// Binary operators. Pointers occur only in comparisons (both sides then have pointer types, not necessarily equal ones).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// The C spelling.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
        }
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
        )
    }

    /// Whether it shifts.
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// Reads the object that an lvalue denotes.
    LvalueToRvalue,
    /// An array lvalue to the pointer to its first element.
    ArrayToPointer,
    /// A function designator to a pointer.
    FunctionToPointer,
    /// Between integral types (`_Bool` as a source included): modulo 2^width.
    Integral,
    /// A scalar to `_Bool`: whether it is not zero.
    ToBool,
    /// An integral value to a pointer.
    IntToPointer,
    /// A pointer to an integral value.
    PointerToInt,
    /// Between pointers; the address stays.
    Pointer,
    /// An integral value to floating.
    IntToFloat,
    /// A floating value to integral.
    FloatToInt,
    /// Between floating types.
    Float,
    /// Of the result of an operation on `_Float16`, which is computed in `float`. To `_Float16`: the result is rounded. To `float`: another operation uses it as it is.
    Excess,
    /// From or to a complex or decimal type.
    Complex,
    /// From or to a vector: the bits stay.
    Vector,
    /// From a scalar of the element's type to a vector: the value in every element.
    Splat,
    /// `__builtin_convertvector`: every element is converted.
    Elements,
    /// GNU cast of a value to a union that has a member of its type.
    ToUnion,
    /// The value is dropped.
    ToVoid,
    /// Between types that are the same at run time (compatible records), or of a bit-field's value to its declared type.
    NoOp,
}
