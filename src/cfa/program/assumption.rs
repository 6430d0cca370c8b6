//! Assumptions: the differences between the model and the program.
//!
//! A verdict is about the model, not about the program, wherever the two differ. Each difference that lowering knows of is an
//! [`Assumption`] with its place. The ledger that is printed with a verdict aggregates them; nothing here decides anything.

use super::invention::Invention;
use crate::frontend::text::source::Loc;

/// The kind of thing that is taken on trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionKind {
    /// A function without body and without model returns any value and touches nothing.
    ExternFunction,
    /// Inline assembly writes its outputs and nothing else.
    InlineAssembly,
    /// A call through a pointer reaches only functions whose address is taken and whose signature fits.
    FunctionPointer,
    /// Objects are accessed only through lvalues of their own type.
    StrictAliasing,
    /// Recursion is followed only so deep, or captured variables of a recursive nested function are shared.
    Recursion,
    /// Floating-point values are any values.
    Float,
    /// Signed overflow wraps around.
    SignedWrap,
    /// Objects lie at the fixed addresses that the layout chose.
    FixedAddresses,
    /// A bitwise or non-linear operation is approximated.
    Bitwise,
    /// A volatile object is changed by the program only.
    Volatile,
    /// There is one thread: atomics and locks are ordinary code.
    Concurrency,
    /// A library function behaves as its model says.
    Library,
    /// A non-local jump (`longjmp`) is not followed.
    NonLocalJump,
    /// Integers are unbounded (`--arith ideal`).
    UnboundedIntegers,
    /// Memory is not tracked exactly.
    Memory,
    /// Allocation always succeeds.
    Allocation,
    /// Parts of the program on which a property does not depend were left out, as if they terminated.
    Slicing,
    /// Operands that depend on each other are evaluated in one order of those that C allows.
    EvaluationOrder,
    /// A construct of the language is approximated.
    Language,
    /// A construct has a value that is invented: any value.
    Invented(Invention),
    /// The program does what the model has nothing for, such as starting a thread: no verdict can be given.
    Unsupported,
}

impl AssumptionKind {
    /// The stable name that reports use.
    pub fn name(self) -> &'static str {
        use AssumptionKind::*;
        match self {
            ExternFunction => "extern function",
            InlineAssembly => "inline assembly",
            FunctionPointer => "function pointer",
            StrictAliasing => "strict aliasing",
            Recursion => "recursion",
            Float => "floating point",
            SignedWrap => "signed wrap",
            FixedAddresses => "fixed addresses",
            Bitwise => "bitwise",
            Volatile => "volatile",
            Concurrency => "concurrency",
            Library => "library model",
            NonLocalJump => "non-local jump",
            UnboundedIntegers => "unbounded integers",
            Memory => "memory",
            Allocation => "allocation",
            Slicing => "slicing",
            EvaluationOrder => "evaluation order",
            Language => "language",
            Invented(kind) => kind.title(),
            Unsupported => "not supported",
        }
    }
}

impl From<Invention> for AssumptionKind {
    /// The entry of the ledger: where the ledger has an entry for the construct anyway, it is that one.
    fn from(kind: Invention) -> AssumptionKind {
        match kind {
            Invention::Assembly => AssumptionKind::InlineAssembly,
            Invention::Float => AssumptionKind::Float,
            Invention::Target => AssumptionKind::FunctionPointer,
            Invention::Language => AssumptionKind::Language,
            _ => AssumptionKind::Invented(kind),
        }
    }
}

/// One thing taken on trust, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// Its kind.
    pub kind: AssumptionKind,
    /// One sentence fragment, e.g. ``` `printk` returns any value and touches nothing ```.
    pub detail: String,
    /// The place in the program that needs it.
    pub loc: Loc,
    /// False if a TRUE may be wrong where the assumption does not hold.
    pub sound: bool,
}
