//! The program in the form in which the value analysis executes it: slots instead of variables, offsets instead of fields, and per node what
//! happens there. Plain data; [`super::compile`] makes it.

pub use crate::cfa::program::math::FunctionOp;
use crate::cfa::program::math::Shape;
use crate::cfa::{AllocKind, BinOp, BitRange, EdgeId, FuncId, NodeId};
use crate::explicit::value::words::WORD;
use crate::frontend::types::IntInfo;
use crate::frontend::types::float::Format;
use std::rc::Rc;

/// The number of an object: static objects come first, the others are numbered in the order in which they come to life on a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// Where a scalar of a plain variable is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    /// Of static storage.
    Global(usize),
    /// In the innermost frame.
    Local(usize),
}

impl Scalar {
    /// The width of its bit patterns.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(info) => info.width,
            Scalar::Word(word) => word.width(),
            Scalar::Wide(_) | Scalar::Opaque => 64,
        }
    }
}

impl Slot {
    /// The slot some places further.
    pub fn plus(self, n: usize) -> Slot {
        match self {
            Slot::Global(at) => Slot::Global(at + n),
            Slot::Local(at) => Slot::Local(at + n),
        }
    }
}

/// The class of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer or pointer that is tracked, or the bit pattern of a floating-point value.
    Int(IntInfo),
    /// A value of more than 64 bits, in two slots that follow each other.
    Wide(Shape),
    /// One of the two words of such a value.
    Word(Word),
    /// Something that is moved but not tracked: vectors and long bit-fields.
    Opaque,
}

/// A word of a value of more than 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The type of the value.
    pub of: Shape,
    /// Whether it is the upper word.
    pub is_upper: bool,
}

impl Word {
    /// Its number of bits.
    pub fn width(self) -> u32 {
        match self.is_upper {
            true => self.of.width() - WORD,
            false => WORD,
        }
    }
}

/// A scalar member of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Bytes from the start of the record.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Its class.
    pub scalar: Scalar,
    /// For a bit-field, its bits, counted from the start of the record.
    pub bits: Option<BitRange>,
}

/// The object that a place is in.
#[derive(Debug)]
pub enum Base {
    /// A static object.
    Static(ObjectId),
    /// An object of the innermost frame: its position among them.
    Local(u32),
    /// The target of a pointer.
    Pointer(Code),
}

/// A place in memory.
#[derive(Debug)]
pub struct Target {
    /// The object.
    pub base: Base,
    /// Bytes to add. For a bit-field, up to its record.
    pub offset: u64,
    /// Indices with their type and the size of an element.
    pub indices: Vec<(Code, IntInfo, u64)>,
    /// Bytes of the place; `None` if that is not known.
    pub size: Option<u64>,
    /// For a bit-field: which bits.
    pub bits: Option<BitRange>,
}

/// A scalar expression.
#[derive(Debug)]
pub enum Code {
    /// A bit pattern.
    Bits(u64),
    /// The content of a slot.
    Slot(Slot, Scalar),
    /// The content of memory.
    Read(Box<Target>, Scalar),
    /// An address.
    Address(Box<Target>),
    /// `-x`
    Neg(Box<Code>, IntInfo),
    /// `~x`
    Not(Box<Code>, IntInfo),
    /// `!x`; the type is that of the operand.
    IsZero(Box<Code>, Scalar),
    /// A comparison; the type is that of the operands.
    Compare(BinOp, Box<(Code, Code)>, Scalar),
    /// Another binary operation with the types of its operands.
    Binary(BinOp, Box<(Code, Code)>, IntInfo, IntInfo),
    /// An addition or subtraction with an integer constant, the commonest operation: the constant to add.
    Plus(Box<Code>, u64, IntInfo),
    /// A conversion between integer types; to one bit it asks for zero.
    Convert(Box<Code>, IntInfo, IntInfo),
    /// A conversion of an integer of more than 64 bits to another type, not to one bit.
    Narrow(Box<Wide>, IntInfo),
    /// A comparison of floating-point values.
    Ordered(BinOp, Box<(Code, Code)>, Format),
    /// A comparison of values of more than 64 bits.
    CompareWide(BinOp, Box<(Wide, Wide)>),
    /// A function of scalars some of which are floating-point values.
    Function(Box<Function>),
    /// Any value of an integer type.
    Any(IntInfo),
    /// Something that is not tracked.
    Opaque,
}

/// An expression of more than 64 bits.
#[derive(Debug)]
pub struct Wide {
    /// Its type.
    pub shape: Shape,
    /// Its form.
    pub form: WideForm,
}

/// The form of an expression of more than 64 bits.
#[derive(Debug)]
pub enum WideForm {
    /// A bit pattern.
    Bits(u128),
    /// The content of two slots.
    Slots(Slot),
    /// The content of memory.
    Read(Box<Target>),
    /// A conversion of an integer of at most 64 bits.
    Extend(Code, IntInfo),
    /// A conversion of a longer integer.
    Resize(Box<Wide>, IntInfo),
    /// An operation on integers other than a comparison.
    Binary(BinOp, Box<(Wide, Argument)>),
    /// A function of scalars some of which are floating-point values.
    Function(Box<Function>),
    /// Something that is not tracked.
    Opaque,
}

/// An operand of any width.
#[derive(Debug)]
pub enum Argument {
    /// Of at most 64 bits.
    Narrow(Code, Shape),
    /// Of more.
    Wide(Wide),
}

impl Argument {
    /// Its type.
    pub fn shape(&self) -> Shape {
        match self {
            Argument::Narrow(_, shape) => *shape,
            Argument::Wide(wide) => wide.shape,
        }
    }
}

/// A function of scalars.
#[derive(Debug)]
pub struct Function {
    /// The operation.
    pub op: FunctionOp,
    /// The operands.
    pub operands: Vec<Argument>,
    /// The shape of the result.
    pub result: Shape,
}

/// Where a record is.
#[derive(Debug)]
pub enum Record {
    /// In slots, one per leaf, two for those of more than 64 bits.
    Slots(Slot),
    /// In memory.
    Memory(Target),
}

/// Something that is written.
#[derive(Debug)]
pub enum Dest {
    /// A scalar in a slot; for a bit-field, the number of its bits.
    Slot(Slot, Scalar, Option<u32>),
    /// A scalar in memory.
    Memory(Box<Target>, Scalar),
    /// A record or array with its leaves.
    Record(Box<Record>, Rc<[Leaf]>),
}

/// Something that is assigned or passed.
#[derive(Debug)]
pub enum Source {
    /// A scalar.
    Scalar(Code, Scalar),
    /// A scalar of more than 64 bits.
    Wide(Wide),
    /// A record with its leaves.
    Record(Record, Rc<[Leaf]>),
}

/// The action of an edge.
#[derive(Debug)]
pub enum Action {
    /// Nothing.
    Nop,
    /// The path goes on only if the condition has this truth value.
    Assume(Code, Scalar, bool),
    /// An assignment.
    Assign(Dest, Source),
    /// All bytes become zero.
    Zero(Dest),
    /// Each of the places gets any value.
    Havoc(Vec<Dest>),
    /// A place gets any value, in place of a copy: whether it was written is not known.
    LeftOut(Dest),
    /// A call.
    Call(Box<Call>),
    /// A new object.
    Allocate(Box<Allocate>),
    /// A place gets the answer to a question about objects.
    Inspect(Box<(Dest, Query)>),
    /// An allocated object ends.
    Free(Code, AllocKind),
    /// Bytes are set: destination, byte, count.
    Fill(Box<(Code, Code, Code)>),
    /// Bytes are copied: destination, source, count.
    Copy(Box<(Code, Code, Code)>),
    /// Bytes count as written, or as not written: pointer, number of bytes (without it, all that can be reached), which of both.
    Mark(Box<(Code, Option<Code>, Code)>),
    /// Something that the analysis has nothing for.
    Unmodelled(&'static str),
}

/// A question about the objects that exist: see [`Inspection`](crate::cfa::Inspection).
#[derive(Debug)]
pub enum Query {
    /// The size of the heap object that a pointer points to.
    Size(Code),
    /// Whether bytes may be accessed.
    Accessible {
        /// Pointer to the first byte.
        ptr: Code,
        /// Number of bytes.
        len: Code,
        /// Whether they are written.
        write: bool,
    },
    /// Whether bytes were written.
    Written {
        /// Pointer to the first byte.
        ptr: Code,
        /// Number of bytes.
        len: Code,
    },
    /// Whether a pointer may be given back.
    Releasable(Code),
    /// Whether all heap objects are pointed to.
    Tracked,
    /// Whether there is no heap object.
    Released,
}

/// A call of a defined function.
#[derive(Debug)]
pub struct Call {
    /// The function.
    pub callee: FuncId,
    /// The arguments with the parameters that they go to (as places of the callee's frame).
    pub args: Vec<(Source, Dest)>,
    /// The result (of the callee's frame) and where it goes (in the caller's); `None` for the source if the callee returns nothing.
    pub ret: Option<(Option<Source>, Dest)>,
}

/// An allocation.
#[derive(Debug)]
pub struct Allocate {
    /// Where the address goes.
    pub dest: Dest,
    /// Bytes.
    pub size: Code,
    /// Whether they are zero.
    pub zero: bool,
    /// How long the object lives.
    pub kind: AllocKind,
    /// Whether it may be the null pointer instead.
    pub may_fail: bool,
}

/// An edge.
#[derive(Debug)]
pub struct EdgeCode {
    /// Which one.
    pub id: EdgeId,
    /// Where it ends.
    pub to: NodeId,
    /// Its action.
    pub action: Action,
}

/// How a path goes on from a node.
#[derive(Debug)]
pub enum Next {
    /// The function is left.
    Leave,
    /// It does not.
    Stuck,
    /// By the truth of a condition: the edges for true and for false.
    Branch(Code, Scalar, [(EdgeId, NodeId); 2]),
    /// By one edge.
    Edge(EdgeCode),
    /// By any of several edges.
    Edges(Vec<EdgeCode>),
}

/// A node.
#[derive(Debug)]
pub struct NodeCode {
    /// How paths go on.
    pub next: Next,
    /// Whether states are remembered here: every cycle of the program has such a node.
    pub stop: bool,
    /// Whether every cycle inside the function through this node is cut here.
    pub loop_head: bool,
    /// Whether the program is cut into blocks here: at loop heads and at entries of recursive functions.
    pub cut: bool,
}

/// The slots of a frame of a function.
#[derive(Clone, Debug, Default)]
pub struct FrameShape {
    /// Number of slots.
    pub slots: usize,
    /// The class of each slot.
    pub scalars: Vec<Scalar>,
    /// Objects: variable, bytes, size of elements.
    pub objects: Vec<(crate::cfa::VarId, u64, u64)>,
}
