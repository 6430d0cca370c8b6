//! Whole paths: one formula per block, and the values that a concrete execution of the path has to be given.

use super::{Encoder, Frame, InputValue, PathFormula};
use crate::cfa::{Program, Step, is_call};
use provident_smt::term::{TermId, TermPool};

/// A path in blocks.
#[derive(Debug, Clone)]
pub struct EncodedPath {
    /// The formula of each block; the path is feasible if and only if their conjunction is satisfiable (up to the
    /// over-approximations in the ledger).
    pub parts: Vec<TermId>,
    /// The path formula at the end of each block, with the versions that interpolants behind it speak about.
    pub ends: Vec<PathFormula>,
    /// The values that the program does not determine.
    pub inputs: Vec<InputValue>,
}

/// The formulas of the blocks of a path from the program's start. `boundaries` are the positions, increasing, of the first steps of all blocks but the first: without boundaries the path is one block.
pub fn encode_path(
    encoder: &mut Encoder<'_>,
    pool: &mut TermPool,
    steps: &[(Step, Frame)],
    boundaries: &[usize],
) -> Vec<TermId> {
    encode_path_with_inputs(encoder, pool, steps, boundaries).parts
}

/// The same with all that is known.
pub fn encode_path_with_inputs(
    encoder: &mut Encoder<'_>,
    pool: &mut TermPool,
    steps: &[(Step, Frame)],
    boundaries: &[usize],
) -> EncodedPath {
    let mut result = EncodedPath {
        parts: Vec::new(),
        ends: Vec::new(),
        inputs: Vec::new(),
    };
    let mut at = encoder.empty(pool);
    let mut boundaries = boundaries.iter().copied().peekable();
    for (position, &(step, frame)) in steps.iter().enumerate() {
        while boundaries.next_if(|&b| b <= position).is_some() {
            if position > 0 {
                result.parts.push(at.formula);
                let next = at.next_block(pool);
                result.ends.push(std::mem::replace(&mut at, next));
            }
        }
        let (next, inputs) = super::step::step(encoder, pool, &at, step, frame);
        at = next;
        result.inputs.extend(inputs.into_iter().map(|(kind, value)| InputValue {
            step: position,
            kind,
            value,
        }));
    }
    result.parts.push(at.formula);
    result.ends.push(at);
    result
}

/// The frames of the steps of a path from the program's start.
pub fn frames(program: &Program, steps: &[Step]) -> Vec<(Step, Frame)> {
    // How many frames of each function are open, and the depth of the current one.
    let mut open = vec![0u32; program.functions.len()];
    open[program.start.index()] = 1;
    let mut stack: Vec<u32> = vec![0];
    let mut found = Vec::with_capacity(steps.len());
    for &step in steps {
        let caller = stack.last().copied().unwrap_or(0);
        let frame = match (step, is_call(program, step.edge())) {
            (Step::Enter(_), Some(callee)) => {
                let depth = open[callee.index()];
                open[callee.index()] += 1;
                stack.push(depth);
                Frame { caller, callee: depth }
            }
            (Step::Leave(_), Some(callee)) => {
                let count = &mut open[callee.index()];
                *count = count.saturating_sub(1);
                let left = stack.pop().unwrap_or(0);
                Frame {
                    caller: stack.last().copied().unwrap_or(0),
                    callee: left,
                }
            }
            _ => Frame { caller, callee: 0 },
        };
        found.push((step, frame));
    }
    found
}
