//! The instructions of the concrete machine.
//!
//! A register is 64 bits at a fixed place in one array: frames are static, and a frame of a function that is called again before it returns is put aside as a whole. So operands need no base.
//! An integer of up to 64 bits is one register, *normal*: extended by sign or by zeros according to its type, so that comparisons and conversions to wider types need to know nothing of widths.
//! Operations whose result may leave the type shift it up and down again by `s`, the number of bits above it. A pointer is two registers, offset and tag. Constants are registers that are never
//! written. Floating-point numbers are one register, with the bits of their format.
//!
//! An instruction does what one or more edges do; `n` is the number of edges since the last count, and is counted where the control flow may fork or join.

/// A register.
pub type Reg = u32;

/// A comparison of two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    Eq,
    Ne,
    LtS,
    LeS,
    LtU,
    LeU,
}

/// How a scalar lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    W64,
    Truth,
    Pointer,
    /// 2 bytes, to a pair of registers: binary16.
    Half,
    /// 16 bytes, to a pair of registers.
    W128,
    /// 10 bytes, and padding up to 12 or 16, to a pair of registers: the extended format.
    Extended12,
    Extended16,
}

/// A place in memory: the object of tag `t`, at the offset `o + i * scale + add`.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The register of the tag.
    pub t: Reg,
    /// The register of an offset.
    pub o: Reg,
    /// The register of an index.
    pub i: Reg,
    /// The size of an element.
    pub scale: u16,
    /// A constant.
    pub add: i32,
}

/// An integer that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    pub width: u8,
    pub signed: bool,
    /// Whether the step that needs it is recorded behind it: a condition is asked before it is known which way is taken.
    pub is_ahead: bool,
}

/// An operation of two floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Lt,
    Le,
    Eq,
}

/// An instruction. `d` is the register of the result, `a` and `b` are those of the operands, `to` is a position in the code.
#[derive(Clone, Copy, Debug)]
pub enum Ins {
    Move {
        d: Reg,
        a: Reg,
    },
    MovePair {
        d: Reg,
        a: Reg,
    },
    NormS {
        d: Reg,
        a: Reg,
        s: u8,
    },
    NormU {
        d: Reg,
        a: Reg,
        s: u8,
    },
    AddS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    AddU {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    SubS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    SubU {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    MulS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    MulU {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    DivS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    DivU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RemS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    RemU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    ShlS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    ShlU {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    ShrS {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    ShrU {
        d: Reg,
        a: Reg,
        b: Reg,
        s: u8,
    },
    /// `d = a + b * k`, of addresses.
    Mad {
        d: Reg,
        a: Reg,
        b: Reg,
        k: u32,
    },
    Set {
        d: Reg,
        a: Reg,
        b: Reg,
        test: Test,
    },
    /// Floating-point operations with results of the same type, or a truth value.
    Float32 {
        d: Reg,
        a: Reg,
        b: Reg,
        op: FloatOp,
    },
    Float64 {
        d: Reg,
        a: Reg,
        b: Reg,
        op: FloatOp,
    },
    /// Conversions of floating-point numbers: to the other format; from a normal integer; to an integer of a type.
    Widen {
        d: Reg,
        a: Reg,
    },
    Narrow {
        d: Reg,
        a: Reg,
    },
    FromInt {
        d: Reg,
        a: Reg,
        signed: bool,
        wide: bool,
    },
    ToInt {
        d: Reg,
        a: Reg,
        signed: bool,
        wide: bool,
        s: u8,
    },
    /// An operation of the table [`super::general`]: to one register, or to two.
    General {
        d: Reg,
        op: u32,
    },
    /// Memory.
    Load {
        d: Reg,
        at: At,
        form: Form,
    },
    Store {
        a: Reg,
        at: At,
        form: Form,
    },
    Lea {
        d: Reg,
        at: At,
    },
    LoadBits {
        d: Reg,
        p: Reg,
        bits: u32,
    },
    StoreBits {
        a: Reg,
        p: Reg,
        bits: u32,
    },
    Fill {
        p: Reg,
        byte: Reg,
        count: Reg,
    },
    Forget {
        p: Reg,
        count: Reg,
    },
    Copy {
        p: Reg,
        q: Reg,
        count: Reg,
    },
    Allocate {
        d: Reg,
        count: Reg,
        zero: bool,
        heap: bool,
    },
    Free {
        p: Reg,
    },
    /// An object of the frame ends before the frame does.
    EndBlock {
        p: Reg,
    },
    /// The size of the block that a pointer points to; of a null pointer 0.
    Size {
        d: Reg,
        p: Reg,
    },
    /// Whether bytes may be accessed.
    Accessible {
        d: Reg,
        p: Reg,
        count: Reg,
        write: bool,
    },
    /// Whether bytes were written.
    Written {
        d: Reg,
        p: Reg,
        count: Reg,
    },
    /// Bytes count as written where a number is not 0, else as not written.
    Mark {
        p: Reg,
        count: Reg,
        written: Reg,
    },
    /// The same for all bytes of an object.
    MarkAll {
        p: Reg,
        written: Reg,
    },
    /// Whether a pointer may be given back.
    Releasable {
        d: Reg,
        p: Reg,
    },
    /// Whether no heap object is lost, or what the machine is told to answer.
    Tracked {
        d: Reg,
    },
    /// Whether no heap object is left.
    Released {
        d: Reg,
    },
    /// Pointers.
    TestPointers {
        d: Reg,
        p: Reg,
        q: Reg,
        test: Test,
    },
    Distance {
        d: Reg,
        p: Reg,
        q: Reg,
        s: u8,
        signed: bool,
    },
    /// The number of a pointer that is an integer.
    Number {
        d: Reg,
        p: Reg,
    },
    /// An input, where executions have chosen inputs.
    Input {
        d: Reg,
        asked: Asked,
    },
    /// The same for the contents of memory, if nothing was written there.
    Settle {
        at: At,
        asked: Asked,
    },
    /// Stops unless the register is not zero: a variable has a value.
    Known {
        a: Reg,
    },
    /// Control.
    Jump {
        to: u32,
        n: u32,
    },
    If {
        test: Test,
        a: Reg,
        b: Reg,
        to: u32,
        n: u32,
    },
    /// Opens a frame; the arguments are moved next, then `Go` continues in the callee.
    Enter {
        func: u32,
        back: u32,
    },
    /// It becomes a jump once the callee is compiled.
    Go {
        func: u32,
        n: u32,
    },
    Leave {
        n: u32,
    },
    /// An edge of interest is being taken.
    Target {
        edge: u32,
        n: u32,
    },
    /// A step, where steps are recorded. The lowest two bits of its kind: taken, entered, left.
    Step {
        edge: u32,
        kind: u8,
    },
    /// The path ends.
    End {
        n: u32,
    },
    /// The concrete machine has nothing for this: the text of that number.
    Stop {
        why: u32,
    },
    /// Where the state is compared with one that was here before.
    Anchor,
}
