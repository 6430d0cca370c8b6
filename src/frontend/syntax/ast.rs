//! The typed syntax tree: a C program after all of C's implicit rules are applied.
//!
//! A reader of this tree needs no knowledge of C's conversions: every conversion is a [`ExprKind::Cast`] node, names are
//! resolved to declarations, `a->b` is `Member(Deref(a))`, `p[i]` is `Deref(PointerAdd(p, i))` (only the subscript of an array
//! lvalue stays an [`ExprKind::Index`]), constants such as `sizeof` and enumerators are [`ExprKind::Int`], initialisers are flat
//! lists of (path, value), and `_Generic`, `__builtin_choose_expr`, `typeof` and their kin are gone.
//!
//! Expressions and statements live in two arenas of the [`TranslationUnit`] and refer to each other by id, so that they are
//! cheap to copy and a deep tree needs no recursion to be freed. Trees may be as deep as memory lets them: readers that recurse do it
//! within [`grow`].
//!
//! # Values and lvalues
//!
//! [`ExprKind::is_lvalue`] kinds denote objects; reading one is an explicit [`CastKind::LvalueToRvalue`]. Operands of [`ExprKind::AddressOf`],
//! [`ExprKind::Member`], the left sides of assignments and `++` are lvalues without that cast (a `Member` may also have a base that is
//! a record *value*, such as a call). Assignments, `++` and `--` are values, not lvalues. Record and union objects are read by `LvalueToRvalue`, too.

use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{DataModel, Quals, TypeId, Types, VlaId};

/// Runs one level of a recursion over a tree: on the current stack, or if that ends soon, on a new piece of stack.
pub fn grow<T>(level: impl FnOnce() -> T) -> T {
    /// The most stack that one level may need, with a wide margin.
    const LEVEL: usize = 128 << 10;
    const PIECE: usize = 4 << 20;
    stacker::maybe_grow(LEVEL, PIECE, level)
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                usize::try_from(self.0).expect("a u32 fits in usize on every supported host")
            }

            /// The id of an index.
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 items"))
            }
        }
    };
}

id!(
    /// An expression of the unit.
    ExprId
);
id!(
    /// A statement of the unit.
    StmtId
);
id!(
    /// A variable with static storage: file-scope variables, static locals, file-scope compound literals.
    GlobalId
);
id!(
    /// A function, declared or defined.
    FuncId
);
id!(
    /// A parameter or automatic variable of one function. Unique per declaration, also where names shadow each other.
    LocalId
);
id!(
    /// A label of one function.
    LabelId
);
id!(
    /// A string literal of the unit.
    StringId
);

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

/// A run of expression ids in the unit, such as the arguments of a call; see [`TranslationUnit::list`].
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

id!(
    /// An initialiser of the unit.
    InitId
);

/// One step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitStep {
    /// The field with this index.
    Field(u32),
    /// The element with this index.
    Index(u64),
    /// GNU `[lo ... hi]`: all these elements get the value, which is evaluated once.
    Range(u64, u64),
}

/// The value of one part of an initialised object.
#[derive(Clone, Debug)]
pub struct InitEntry {
    /// The way from the object to the part; empty for the whole object.
    pub path: Box<[InitStep]>,
    /// A value of the part's type; a [`ExprKind::String`] lvalue where a string literal initialises a character array.
    pub value: ExprId,
}

/// A normalised initialiser: the parts in the order in which they are written; later ones override.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// The parts.
    pub entries: Vec<InitEntry>,
    /// Whether parts that are not mentioned are zero (true for every braced initialiser).
    pub zero_fill: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its first token.
    pub loc: Loc,
    /// Its form.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum StmtKind {
    /// `{ ... }`
    Compound(Box<[StmtId]>),
    /// An expression for its effects.
    Expr(ExprId),
    /// A scalar condition, tested against zero (in all statements).
    If {
        cond: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    /// `init` is an expression, a declaration or a compound of declarations.
    For {
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// The value is promoted; the case bounds are converted to its type.
    Switch {
        value: ExprId,
        body: StmtId,
    },
    /// `case low ... high: body`, in most cases with `low == high`; never empty (an empty range is a `Case` with `low > high`).
    Case {
        low: i128,
        high: i128,
        body: StmtId,
    },
    Default(StmtId),
    Label {
        label: LabelId,
        body: StmtId,
    },
    Goto(LabelId),
    /// GNU `goto *address`.
    GotoComputed(ExprId),
    Break,
    Continue,
    /// The value has the function's return type.
    Return(Option<ExprId>),
    /// A local variable comes into being: first the lengths are evaluated, then the initialiser.
    Declare {
        local: LocalId,
        lengths: Box<[VlaId]>,
        init: Option<InitId>,
    },
    /// A typedef or pointer type with variable lengths: they are evaluated.
    EvaluateLengths(Box<[VlaId]>),
    /// The call of the `cleanup` attribute of the variable that is declared just before: it is made where the block is left, by whatever way.
    Cleanup(ExprId),
    Asm(Box<Asm>),
    Empty,
}

/// An operand of an `asm` statement.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Box<str>>,
    /// The constraint.
    pub constraint: Box<str>,
    /// An lvalue for outputs; a value for inputs (an lvalue if the constraint allows only memory).
    pub expr: ExprId,
}

/// An `asm` statement.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Asm {
    pub template: Box<str>,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<Box<str>>,
    /// Labels that it may jump to (`asm goto`); it may fall through, too.
    pub labels: Vec<LabelId>,
    pub volatile: bool,
}

/// A string literal.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The code units without the terminating zero.
    pub units: Box<[u32]>,
    /// Bytes per unit: 1, 2 or 4.
    pub unit_bytes: u32,
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// The name; of a static local, the name in the program.
    pub name: Box<str>,
    /// The plain type.
    pub ty: TypeId,
    /// The qualifiers of the declaration.
    pub quals: Quals,
    /// The declaration (the definition, if there is one).
    pub loc: Loc,
    /// Whether the unit defines it (a tentative definition counts). Otherwise it is `extern` and its value is unknown.
    pub defined: bool,
    /// Whether other units cannot see it.
    pub is_static: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// The initialiser; a variable that is `defined` without one is zero.
    pub init: Option<InitId>,
    /// The function whose static local or compound literal it is. With the name and [`GlobalId`] it makes it unique.
    pub owner: Option<FuncId>,
    /// Whether it is `weak`.
    pub weak: bool,
    /// The target of `__attribute__((alias("...")))`.
    pub alias: Option<Box<str>>,
}

/// Attributes of a function that matter to a verifier.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct FunctionAttributes {
    pub noreturn: bool,
    pub weak: bool,
    /// The priority of a function that runs before `main`; the lowest first.
    pub constructor: Option<u64>,
    /// The priority of a function that runs when the program ends; the lowest last.
    pub destructor: Option<u64>,
    /// `const` or `pure`: no side effects.
    pub pure: bool,
    pub malloc: bool,
    pub alias: Option<Box<str>>,
}

/// The function of a library that stands for one without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// There is none.
    #[default]
    None,
    /// This one.
    Function(FuncId),
    /// There is one of the name, but its type is another.
    Misfit,
}

/// A function, declared or defined.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Box<str>,
    /// A function type.
    pub ty: TypeId,
    /// The name in its declaration (in the definition, if there is one). `Loc::NONE` for builtins.
    pub loc: Loc,
    /// Whether other units cannot see it.
    pub is_static: bool,
    /// Whether it was declared by being called only.
    pub implicit: bool,
    /// The enclosing function of a nested function.
    pub owner: Option<FuncId>,
    /// The attributes.
    pub attributes: FunctionAttributes,
    /// The definition.
    pub body: Option<Body>,
    /// The function of a library that stands for it.
    pub model: Model,
    /// The parameters, one bit each from the lowest, through which a call may not write: those that are no pointers, or pointers to constants. None
    /// is known without a prototype.
    pub read_only: u64,
}

/// A function's definition.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters in order.
    pub params: Vec<LocalId>,
    /// The lengths in the parameters' types, evaluated at entry.
    pub lengths: Box<[VlaId]>,
    /// All parameters and local variables.
    pub locals: Vec<Local>,
    /// Whether it reads the variable arguments: `va_start` occurs.
    pub starts_varargs: bool,
    /// All labels.
    pub labels: Vec<Label>,
    /// The compound statement.
    pub root: StmtId,
    /// The closing brace.
    pub end: Loc,
}

/// A parameter or automatic variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name; `None` for unnamed parameters and compound literals.
    pub name: Option<Box<str>>,
    /// The plain type.
    pub ty: TypeId,
    /// The qualifiers of the declaration.
    pub quals: Quals,
    /// The declaration.
    pub loc: Loc,
    /// Whether it is a parameter.
    pub is_param: bool,
}

/// A label of a function.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name.
    pub name: Box<str>,
    /// Where it stands.
    pub loc: Loc,
    /// Whether `&&label` occurs, so that a computed goto may reach it.
    pub address_taken: bool,
    /// For a `__label__` of an enclosing function that a nested function jumps to.
    pub outer: Option<(FuncId, LabelId)>,
}

/// A program: everything that one preprocessed text declares and defines.
#[derive(Clone, Debug)]
pub struct TranslationUnit {
    /// The types.
    pub types: Types,
    /// The text.
    pub source: SourceMap,
    /// The variables with static storage in order of first declaration.
    pub globals: Vec<Global>,
    /// The functions in order of first declaration.
    pub functions: Vec<Function>,
    /// The string literals.
    pub strings: Vec<StringLiteral>,
    /// Whether top-level `asm` was dropped, and where.
    pub toplevel_asm: Vec<Loc>,
    /// The names of types at file scope, sorted by name.
    pub typedefs: Vec<(Box<str>, TypeId)>,
    /// Where the library's text does not fit the program's types: functions that have no body for that reason.
    pub library_problems: Vec<String>,
    pub(in crate::frontend) exprs: Vec<Expr>,
    pub(in crate::frontend) lists: Vec<ExprId>,
    pub(in crate::frontend) stmts: Vec<Stmt>,
    pub(in crate::frontend) inits: Vec<Init>,
    pub(in crate::frontend) vlas: Vec<Option<ExprId>>,
}

impl TranslationUnit {
    /// The data model.
    pub fn data_model(&self) -> DataModel {
        self.types.data_model()
    }

    /// The expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// All expressions, of discarded code too.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter()
    }

    /// The statement.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// The expressions of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        let start = list.start as usize;
        &self.lists[start..start + list.len as usize]
    }

    /// The initialiser.
    pub fn init(&self, id: InitId) -> &Init {
        &self.inits[id.index()]
    }

    /// The number of elements of a variable-length array; `None` for `[*]`.
    pub fn vla_length(&self, id: VlaId) -> Option<ExprId> {
        self.vlas[id.0 as usize]
    }

    /// The function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The variable.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The string literal.
    pub fn string(&self, id: StringId) -> &StringLiteral {
        &self.strings[id.index()]
    }

    /// The file-scope function of this name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            .position(|f| &*f.name == name && f.owner.is_none())
            .map(FuncId::from_index)
    }

    /// The file-scope variable of this name in the library that stands behind the program.
    pub fn library_global(&self, name: &str) -> Option<GlobalId> {
        let found = |g: &Global| &*g.name == name && g.owner.is_none() && self.source.in_library(g.loc);
        self.globals.iter().rposition(found).map(GlobalId::from_index)
    }

    /// The file-scope variable of this name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals
            .iter()
            .position(|g| &*g.name == name && g.owner.is_none())
            .map(GlobalId::from_index)
    }
}
