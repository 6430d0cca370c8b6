//! The operations that edges carry, and where values come from that the program does not determine.

use super::ids::{FuncId, Watcher};
use super::invention::Invention;
use super::tree::{Expr, Place, PlaceBase};
use crate::frontend::types::Types;

/// The operation of an edge.
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
    /// A new object. Addresses are handed out upwards from [`HEAP_BASE`](super::HEAP_BASE), 16-aligned, in order of allocation, at least 16 bytes apart.
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
    /// The place gets the answer to a question about the objects that exist.
    Inspect {
        /// The place written: of an unsigned integer type of pointer width for a size, else of type `int`, which gets 1 for yes and 0 for no.
        lhs: Place,
        /// The question.
        question: Inspection,
    },
    /// An allocated object ends.
    Free {
        /// The pointer to its first byte, possibly null.
        ptr: Expr,
        /// Whether it is a heap object that is given back, or one whose block is left.
        kind: AllocKind,
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
    /// Bytes count as written from here on, or as not written. Their values stay.
    Mark {
        /// Pointer to the first byte.
        ptr: Expr,
        /// Number of bytes, unsigned of pointer width; without it, all bytes of the object, and of the objects that pointers in it lead to.
        len: Option<Expr>,
        /// A number of type `int` that is 0 if they do not count as written.
        written: Expr,
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

impl AllocKind {
    /// Whether it is an object of the stack.
    pub fn is_on_stack(self) -> bool {
        matches!(self, AllocKind::Stack | AllocKind::Block)
    }
}

/// A question about the objects that exist, which is no question about values.
#[derive(Debug, Clone, PartialEq)]
pub enum Inspection {
    /// The number of bytes of the heap object that the pointer points to the first byte of; 0 for a null pointer. Any other pointer is an undefined execution.
    Size(Expr),
    /// Whether all of some bytes lie in one object that exists. No bytes always do.
    Accessible {
        /// Pointer to the first byte.
        ptr: Expr,
        /// Number of bytes, unsigned of pointer width.
        len: Expr,
        /// Whether they are written, so that they must not be those of a string literal.
        write: bool,
    },
    /// Whether all of some bytes were written since their object began to exist. Bytes that lie in no object were.
    Written {
        /// Pointer to the first byte.
        ptr: Expr,
        /// Number of bytes, unsigned of pointer width.
        len: Expr,
    },
    /// Whether the pointer is null, or points to the first byte of a heap object that exists.
    Releasable(Expr),
    /// Whether a variable, or another object that fulfils this, points into every heap object that exists, apart from those for which the answer was no before.
    Tracked,
    /// Whether no heap object exists. An execution ends where the answer is no.
    Released,
}

impl Inspection {
    /// The values that the answer depends on, besides the objects.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        let (a, b) = match self {
            Inspection::Size(ptr) | Inspection::Releasable(ptr) => (Some(ptr), None),
            Inspection::Accessible { ptr, len, .. } | Inspection::Written { ptr, len } => (Some(ptr), Some(len)),
            Inspection::Tracked | Inspection::Released => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (a, b) = match self {
            Inspection::Size(ptr) | Inspection::Releasable(ptr) => (Some(ptr), None),
            Inspection::Accessible { ptr, len, .. } | Inspection::Written { ptr, len } => (Some(ptr), Some(len)),
            Inspection::Tracked | Inspection::Released => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// The bytes whose history the answer depends on, as a place.
    pub fn contents(&self, types: &Types) -> Option<Place> {
        let Inspection::Written { ptr, .. } = self else {
            return None;
        };
        Some(Place {
            base: PlaceBase::Deref(Box::new(ptr.clone())),
            proj: Vec::new(),
            ty: types.pointee(ptr.ty)?,
            bits: None,
        })
    }

    /// Whether the answer depends on what points to the heap objects, or on how many there are.
    pub fn is_about_heap(&self) -> bool {
        matches!(self, Inspection::Tracked | Inspection::Released)
    }
}

/// Where an allocated object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocKind {
    /// Until it is freed.
    Heap,
    /// The same, for an object of which the program wants a stricter alignment than [`Op::Allocate`] gives: the number of its address is not the one that
    /// the program would see.
    Aligned,
    /// Until the function is left: `alloca`.
    Stack,
    /// Until the block is left: variable-length arrays, and variables of blocks whose end matters. Where a check asks for objects, an [`Op::Free`] ends it; else it
    /// exists until the function is left.
    Block,
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
    /// A value that is invented because a construct is not modelled. It is no input, and no FALSE may depend on it.
    Invented {
        /// The sort of construct.
        kind: Invention,
        /// The construct, e.g. ``the result of `fancy()` ``.
        what: String,
    },
}

impl Input {
    /// The result of a function without body.
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

    /// A value that a function without body writes.
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
