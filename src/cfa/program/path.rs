//! Paths through a [`Program`]: analyses walk them, and counterexamples consist of them.
//!
//! A call edge leads inside one function from the call site to the return site. A path never takes it as it stands: it either
//! [enters](Step::Enter) the callee, or, later, [leaves](Step::Leave) it. Every other edge is a step of its own.

use super::{EdgeId, FuncId, NodeId, Op, Program};
use std::fmt;

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// An edge that is not a call of a defined function.
    Edge(EdgeId),
    /// The call edge is entered: parameters are assigned, the next node is the callee's entry.
    Enter(EdgeId),
    /// The callee of the call edge is left: its result is assigned, the next node is the edge's end.
    Leave(EdgeId),
}

impl Step {
    /// The edge that is taken, entered or left.
    pub fn edge(self) -> EdgeId {
        match self {
            Step::Edge(e) | Step::Enter(e) | Step::Leave(e) => e,
        }
    }

    /// The node before the step.
    pub fn source(self, program: &Program) -> NodeId {
        let edge = program.edge(self.edge());
        match self {
            Step::Edge(_) | Step::Enter(_) => edge.from,
            Step::Leave(_) => program.function(callee(program, self.edge())).exit,
        }
    }

    /// The node after the step.
    pub fn target(self, program: &Program) -> NodeId {
        let edge = program.edge(self.edge());
        match self {
            Step::Edge(_) | Step::Leave(_) => edge.to,
            Step::Enter(_) => program.function(callee(program, self.edge())).entry,
        }
    }
}

fn callee(program: &Program, edge: EdgeId) -> FuncId {
    is_call(program, edge).expect("Enter and Leave are steps of call edges only")
}

/// The function that a call edge calls; `None` for every other edge.
pub fn is_call(program: &Program, edge: EdgeId) -> Option<FuncId> {
    match program.edge(edge).op {
        Op::Call { func, .. } => Some(func),
        _ => None,
    }
}

/// Why a sequence of steps is no path. Steps are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// A step takes a call edge and does not enter the call.
    NotEntered(usize),
    /// A step enters or leaves, and its edge is no call.
    NoCall(usize),
    /// A step leaves a call that is not the innermost open one.
    NotInside(usize),
    /// A step does not begin where the path has come to.
    Elsewhere {
        /// The step.
        step: usize,
        /// Where it begins.
        begins: NodeId,
        /// Where the path has come to.
        at: NodeId,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::NotEntered(step) => write!(f, "step {step} takes a call edge without entering it"),
            PathError::NoCall(step) => write!(f, "step {step} enters no call"),
            PathError::NotInside(step) => write!(f, "step {step} leaves a call it is not in"),
            PathError::Elsewhere { step, begins, at } => {
                write!(f, "step {step} begins at {begins:?}, the path is at {at:?}")
            }
        }
    }
}

impl std::error::Error for PathError {}

/// Problems of a sequence of steps as a path from the program's start: `Ok(())` if every step begins where the one before it
/// ended, and every `Leave` matches the innermost open `Enter`.
pub fn check_path(program: &Program, steps: &[Step]) -> Result<(), PathError> {
    let mut at = program.function(program.start).entry;
    let mut open: Vec<EdgeId> = Vec::new();
    for (i, &step) in steps.iter().enumerate() {
        let call = is_call(program, step.edge());
        match step {
            Step::Edge(_) if call.is_some() => return Err(PathError::NotEntered(i)),
            Step::Enter(_) | Step::Leave(_) if call.is_none() => return Err(PathError::NoCall(i)),
            Step::Enter(e) => open.push(e),
            Step::Leave(e) if open.pop() != Some(e) => return Err(PathError::NotInside(i)),
            _ => {}
        }
        if step.source(program) != at {
            return Err(PathError::Elsewhere {
                step: i,
                begins: step.source(program),
                at,
            });
        }
        at = step.target(program);
    }
    Ok(())
}
