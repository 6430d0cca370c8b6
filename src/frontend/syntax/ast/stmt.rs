//! Statements.

use super::ids::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::VlaId;

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
