//! The control-flow automata of a whole program: plain data, no SMT.
//!
//! A [`Program`] is a list of functions, each a graph of [`Node`]s and [`Edge`]s. An edge carries one [`Op`]: an assumption, an
//! assignment, a call, a memory operation. What is left of C inside an operation is an [`Expr`] without side effects and
//! without control flow: `&&`, `||`, `?:`, calls and assignments inside expressions have become edges and temporaries.
//! So an analysis needs one case per operation and one per expression kind, and no more.
//!
//! # Meaning of expressions
//!
//! * Operands of `Add` to `Xor` and of comparisons have equal types; conversions are explicit [`ExprKind::Cast`]s.
//!   Comparisons and `LogNot` give the `int` 0 or 1. `Shl` and `Shr` have the left operand's type, the right is any integer.
//! * Pointer arithmetic is in **bytes**: `Add` with a pointer type has a pointer left and a (signed) integer of pointer width
//!   right (scaling is an explicit `Mul`, subtraction a negative right side) and wraps modulo 2^width. Pointer difference is:
//!   casts to integer, `Sub`, `Div` by the size. Comparisons of pointers are unsigned.
//! * A conversion to `_Bool` asks whether the operand is not zero; any other conversion between integers keeps the low bits.
//! * The value of an index is taken as a mathematical integer; the address of an element wraps modulo 2^width.
//! * Signed overflow wraps. Division by zero, `INT_MIN / -1` and over-wide shifts have an unspecified value.
//! * Functions and pointers share one address space; 0 is the null pointer.
//!
//! # Invariants
//!
//! [`Program::validate`](self::validate) states them as assertions.
//!
//! | module | does |
//! |---|---|
//! | [`path`] | steps of paths |
//! | [`assumption`] | what is taken on trust |
//! | [`invention`] | values that the model invents |
//! | [`expr`] | building expressions with exact constant folding |
//! | [`interval`] | bounds of results |
//! | [`math`] | functions of scalars: the exact part of `math.h` |
//! | [`layout`] | fixed addresses |
//! | [`scalar`] | the scalars that objects consist of |
//! | `addresses` | where a program makes numbers of addresses |
//! | `validate` | the structural invariants |

pub(super) mod addresses;
pub mod assumption;
pub mod expr;
pub mod interval;
pub mod invention;
pub mod layout;
pub mod math;
pub mod path;
pub mod scalar;
pub(super) mod validate;

use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{RecordId, TypeId, Types};
use assumption::Assumption;
pub use invention::Invention;
use math::MathOp;
use provident_smt::num::Int;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The id of the element at a position.
            pub fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("a program has fewer than 2^32 elements of a kind"))
            }
            /// The position of the element.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/// A variable of the program.
    VarId);
id!(/// A function of the program.
    FuncId);
id!(/// A program location.
    NodeId);
id!(/// A control-flow edge.
    EdgeId);
id!(/// Somebody who watches the program by operations that were woven in: a specification automaton.
    Watcher);

/// Objects on the heap have addresses from here on.
pub const HEAP_BASE: u64 = 0x4000_0000;

/// A whole program.
#[derive(Debug, Clone)]
pub struct Program {
    /// All types, with their layout.
    pub types: Types,
    /// The texts that locations refer to.
    pub sources: SourceMap,
    /// All variables; [`VarId`] is the position.
    pub vars: Vec<Variable>,
    /// All functions; [`FuncId`] is the position.
    pub functions: Vec<Function>,
    /// All nodes; [`NodeId`] is the position.
    pub nodes: Vec<Node>,
    /// All edges; [`EdgeId`] is the position.
    pub edges: Vec<Edge>,
    /// The synthetic function `__provident_start`: initialises what is static, calls the entry function, ends.
    pub start: FuncId,
    /// The distance in bytes of two frames of one function in recursion, see [`Program::address_at`].
    pub frame_stride: u64,
    /// Where the variables of frames begin; below it there is only static storage.
    pub frame_base: u64,
    /// What lowering took on trust.
    pub assumptions: Vec<Assumption>,
    /// Woven integer variables whose values the exploration keeps explicitly.
    pub tracked: Vec<ExplicitVar>,
}

/// A variable whose value the exploration keeps explicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitVar {
    /// The variable.
    pub var: VarId,
    /// Values that are farther from zero are forgotten; `None` for a variable that has few values anyway.
    pub most: Option<u32>,
}

/// What a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// Static storage: file scope, or a `static` local.
    Global,
    /// A local variable of a function.
    Local,
    /// A parameter.
    Param,
    /// Holds the value that a function returns.
    Return,
    /// Made by lowering for an intermediate value.
    Temp,
    /// The array of a string literal.
    StringLiteral,
    /// An object without a name: a compound literal.
    InitImage,
    /// Static storage of a specification that is woven into the program.
    Woven,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Unique in the program: `x` for globals, `f::x`, `f::x$2` for a second `x` in `f`.
    pub name: String,
    /// The name as written in the source.
    pub display: String,
    /// Its type.
    pub ty: TypeId,
    /// What it is.
    pub kind: VarKind,
    /// The function whose frame it lives in; `None` for static storage.
    pub func: Option<FuncId>,
    /// Its address is taken, or it is (or contains) an array or a union: it lives in byte-addressed memory. Otherwise it is a plain
    /// variable, a record of that kind is a tuple of plain variables.
    pub in_memory: bool,
    /// Its address is taken other than by direct indexing and member access, so that a pointer may point to it. If false, only places
    /// based on the variable reach it.
    pub escapes: bool,
    /// For an `in_memory` variable: its fixed address, aligned, positive, disjoint from others with gaps. See
    /// [`Program::address_at`] for recursion.
    pub address: Option<u64>,
    /// Whether the variable can influence which assumptions on the way hold at all (see [`super::analysis::relevance`]). True until that analysis has run.
    pub relevant: bool,
    /// Its declaration.
    pub loc: Loc,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name in the program (a nested or renamed function has a unique one).
    pub name: String,
    /// Its function type.
    pub ty: TypeId,
    /// Its parameters in order. Empty if not defined.
    pub params: Vec<VarId>,
    /// The variable that holds the returned value, if it returns one and is defined.
    pub ret: Option<VarId>,
    /// The first node. A function without body has an entry and an exit too, but no edges.
    pub entry: NodeId,
    /// The last node: every return leads here.
    pub exit: NodeId,
    /// Whether it has a body that was lowered.
    pub defined: bool,
    /// Whether its body comes from the C library's sources, not from the program.
    pub library: bool,
    /// Whether a call of it never comes back, as far as declarations say.
    pub noreturn: bool,
    /// Whether it lies on a cycle of the call graph.
    pub recursive: bool,
    /// Its address as a value of function pointers.
    pub address: u64,
    /// Whether some reachable code or initialiser takes its address.
    pub address_taken: bool,
    /// Its declarator.
    pub loc: Loc,
}

/// A program location.
#[derive(Debug, Clone)]
pub struct Node {
    /// The function that it belongs to.
    pub func: FuncId,
    /// Edges that lead here.
    pub incoming: Vec<EdgeId>,
    /// Edges that start here.
    pub outgoing: Vec<EdgeId>,
    /// Whether it is a loop head. Every cycle inside a function has one.
    pub loop_head: bool,
    /// The C label that stands here.
    pub label: Option<String>,
    /// The place in the source. For the head of a loop statement the loop keyword.
    pub loc: Loc,
    /// Number in the reverse post-order of its function, for a deterministic order of exploration.
    pub rpo: u32,
    /// Whether a call edge starts here.
    pub call_site: bool,
    /// Whether a call edge ends here.
    pub return_site: bool,
}

/// A control-flow edge.
#[derive(Debug, Clone)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends, in the same function.
    pub to: NodeId,
    /// What it does.
    pub op: Op,
    /// The place in the source: of the statement, or of the controlling expression.
    pub loc: Loc,
}

/// What an edge does.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Nothing.
    Nop,
    /// The C label is passed: the target of `label(L)` properties.
    Label(String),
    /// Nothing; leads around operations that were woven in to track a specification automaton. An execution of the program never takes it, since
    /// every automaton is tracked. An exploration takes it, and nothing else from there, where it does not track this automaton.
    Bypass(Watcher),
    /// The path goes on only if the scalar `cond` is not zero (`truth`), or is zero (not `truth`).
    Assume {
        /// The condition, of scalar type.
        cond: Expr,
        /// The required truth value.
        truth: bool,
    },
    /// Scalar assignment, or copy of a whole record (then `rhs` is a `Load` of a place with the same record type).
    Assign {
        /// The place written.
        lhs: Place,
        /// The value, of the type of `lhs`.
        rhs: Expr,
    },
    /// Every byte becomes 0: static storage, implied parts of initialisers. May be a big array.
    Zero {
        /// The place written.
        place: Place,
    },
    /// The place (of any object type) gets any value of its type.
    Havoc {
        /// The place written.
        place: Place,
        /// Where the value comes from.
        source: Input,
    },
    /// A call of a defined function; the edge's end is the return site.
    Call {
        /// The function called.
        func: FuncId,
        /// One argument per parameter, converted to the parameter's type.
        args: Vec<Expr>,
        /// Where the result goes.
        ret: Option<Place>,
    },
    /// A call of a function without body and without model: it returns any value and touches nothing. One that does not return leads to a
    /// node without outgoing edges.
    External {
        /// The function called.
        func: FuncId,
        /// The arguments, after the default promotions.
        args: Vec<Expr>,
        /// Where the result goes.
        ret: Option<Place>,
    },
    /// A new object. Addresses are handed out upwards from [`HEAP_BASE`], 16-aligned, in order of allocation, at least 16 bytes apart.
    Allocate {
        /// The pointer variable that gets the address.
        lhs: Place,
        /// The size in bytes, of an unsigned integer type of pointer width.
        size: Expr,
        /// Whether the bytes are 0 (otherwise anything).
        zero: bool,
        /// Where the object lives.
        kind: AllocKind,
        /// Whether the result may be the null pointer instead.
        may_fail: bool,
    },
    /// The place, of an unsigned integer type of pointer width, gets the number of bytes of the heap object that the pointer points to the first byte of; 0 for a null
    /// pointer. Any other pointer is an undefined execution.
    ObjectSize {
        /// The place written.
        lhs: Place,
        /// The pointer.
        ptr: Expr,
    },
    /// The heap object is given back.
    Free {
        /// The pointer passed, possibly null.
        ptr: Expr,
    },
    /// `len` bytes from `dst` become `byte` (taken modulo 256).
    MemSet {
        /// Pointer to the first byte.
        dst: Expr,
        /// The byte, of type `int`.
        byte: Expr,
        /// Number of bytes, unsigned of pointer width.
        len: Expr,
    },
    /// `len` bytes are copied as by `memmove`.
    MemCopy {
        /// Pointer to the first byte written.
        dst: Expr,
        /// Pointer to the first byte read.
        src: Expr,
        /// Number of bytes, unsigned of pointer width.
        len: Expr,
    },
    /// Dropped inline assembly: the outputs get any value.
    Asm {
        /// The output operands.
        outputs: Vec<Place>,
        /// Whether it says to clobber memory.
        memory: bool,
        /// The template, for display.
        text: String,
    },
}

/// Where an allocated object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocKind {
    /// Until it is freed.
    Heap,
    /// The same, for an object of which the program wants a stricter alignment than [`Op::Allocate`] gives: the number of its address is not the one that
    /// the program would see.
    Aligned,
    /// Until the function (or block) is left: `alloca`, variable-length arrays.
    Stack,
}

/// Where a value that the program does not determine comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A `__VERIFIER_nondet_T()` call.
    Nondet {
        /// The function's name.
        function: String,
    },
    /// A local variable without initialiser.
    Uninitialised,
    /// Written by a function without body.
    External {
        /// The function's name.
        function: String,
    },
    /// A parameter of the entry function.
    EntryParam,
    /// A variable that the program declares and does not define.
    ExternVariable {
        /// Its name.
        name: String,
    },
    /// A choice of a specification that is woven in; the text says which.
    Choice(String),
    /// A value that a slice does not follow. An execution of the whole program has no such values.
    LeftOut,
    /// A value that is made up because a construct is not modelled: no input, and no FALSE may depend on it.
    Invented {
        /// The sort of construct.
        kind: Invention,
        /// The construct, e.g. ``the result of `fancy()` ``.
        what: String,
    },
}

impl Input {
    /// What a function without body returns.
    pub fn returned(function: &str) -> Input {
        match Invention::of_function(function) {
            Some(kind @ Invention::Target) => {
                Input::invented(kind, "the result of a call of a function that is not known")
            }
            Some(kind) => Input::invented(kind, format!("the result of `{function}()`")),
            None => Input::External {
                function: function.to_owned(),
            },
        }
    }

    /// What a function without body writes.
    pub fn written(function: &str) -> Input {
        match Invention::of_function(function) {
            Some(kind) => Input::invented(kind, format!("what `{function}()` writes")),
            None => Input::External {
                function: function.to_owned(),
            },
        }
    }

    /// An invented value.
    pub fn invented(kind: Invention, what: impl Into<String>) -> Input {
        Input::Invented {
            kind,
            what: what.into(),
        }
    }
}

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
    /// What it is.
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

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// `-x`
    Neg,
    /// `~x`
    BitNot,
    /// `!x`
    LogNot,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are those of the operators.
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl BinOp {
    /// Whether the result is the `int` 0 or 1 of a comparison.
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }
}

impl Program {
    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }
    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }
    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }
    /// All functions with their ids.
    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }
    /// All edges with their ids.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::new)
    }
    /// All nodes with their ids.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }
    /// All variables with their ids.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len()).map(VarId::new)
    }
    /// The function of a name.
    pub fn function_by_name(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(FuncId::new)
    }

    /// The address of an `in_memory` variable in the frame with `depth` older frames of the same function below it.
    ///
    /// Static storage has one instance; so `depth` only matters for variables of a function's frame.
    pub fn address_at(&self, var: VarId, depth: u32) -> Option<u64> {
        self::layout::address_at(self, var, depth)
    }

    /// The edges that a property `call(name)` is about: every call of the function, with or without body. Which functions of the C library others of
    /// it call is its own affair, unless the program has given their address away.
    pub fn edges_calling(&self, name: &str) -> Vec<EdgeId> {
        let calls = |e: &EdgeId| match &self.edge(*e).op {
            Op::Call { func, .. } | Op::External { func, .. } => {
                let callee = self.function(*func);
                let caller = self.function(self.node(self.edge(*e).from).func);
                let standard = callee.library || !callee.defined && super::library::standard::is_standard(&callee.name);
                super::calls::recursion::original_name(&callee.name) == name
                    && !(caller.library && standard && !callee.address_taken)
            }
            _ => false,
        };
        self.edge_ids().filter(calls).collect()
    }

    /// The edges that a property `label(name)` is about.
    pub fn edges_labelled(&self, name: &str) -> Vec<EdgeId> {
        self.edge_ids()
            .filter(|e| matches!(&self.edge(*e).op, Op::Label(l) if l == name))
            .collect()
    }
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
