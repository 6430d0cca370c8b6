//! Paths through a [`Program`]: what analyses walk and what counterexamples consist of.
//!
//! A call edge leads inside one function from the call site to the return site. A path never takes it as it stands: it either
//! [enters](Step::Enter) the callee, or, later, [leaves](Step::Leave) it. Every other edge is a step of its own.

use super::{EdgeId, FuncId, NodeId, Op, Program};

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

/// Problems of a sequence of steps as a path from the program's start: `Ok(())` if every step begins where the one before it
/// ended, and every `Leave` matches the innermost open `Enter`.
pub fn check_path(program: &Program, steps: &[Step]) -> Result<(), String> {
    let mut at = program.function(program.start).entry;
    let mut open: Vec<EdgeId> = Vec::new();
    for (i, &step) in steps.iter().enumerate() {
        let call = is_call(program, step.edge());
        match step {
            Step::Edge(_) if call.is_some() => return Err(format!("step {i} takes a call edge without entering it")),
            Step::Enter(_) | Step::Leave(_) if call.is_none() => return Err(format!("step {i} enters no call")),
            Step::Enter(e) => open.push(e),
            Step::Leave(e) if open.pop() != Some(e) => return Err(format!("step {i} leaves a call it is not in")),
            _ => {}
        }
        if step.source(program) != at {
            return Err(format!(
                "step {i} begins at {:?}, the path is at {at:?}",
                step.source(program)
            ));
        }
        at = step.target(program);
    }
    Ok(())
}
