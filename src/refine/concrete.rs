//! From a feasible chain of blocks to one path of the program with the values that drive it.
//!
//! A model of the chain chooses one path through the merged blocks. That path is encoded again, alone and from the program's start, and
//! checked again: the second model gives the inputs. Nothing is handed out that has not passed the second check.

use super::path::ErrorPath;
use crate::cfa::Step;
use crate::cpa::effort::{Effort, describe};
use crate::cpa::predicate::Predicates;
use crate::encode::{InputKind, encode_path_with_inputs};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{TermId, TermPool};

/// A value on a counterexample path that the program does not determine, as the model chose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateInput {
    /// The position in the sequence of steps.
    pub step: usize,
    /// What takes the value.
    pub kind: CandidateKind,
    /// The value.
    pub value: Int,
}

/// What takes an undetermined value; the counterpart of [`InputKind`] without terms. The values of one step stand in the order in
/// which an execution asks for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CandidateKind {
    /// A scalar that is written to a plain variable.
    Variable {
        /// The name of the variable's symbol.
        name: String,
    },
    /// A scalar that is written to memory.
    Memory {
        /// The region's name.
        region: String,
        /// Where.
        address: Int,
        /// Its size in bytes.
        size: u64,
    },
    /// A scalar that is read from memory. Matters only if the execution has not written there before.
    Read {
        /// The region's name.
        region: String,
        /// Where.
        address: Int,
        /// Its size in bytes.
        size: u64,
    },
    /// The result of an allocation: 0 if it fails.
    Allocation,
}

/// A feasible path with its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcretePath {
    /// The steps from the program's start to the violation.
    pub steps: Vec<Step>,
    /// The undetermined values, in path order.
    pub inputs: Vec<CandidateInput>,
}

/// Finds a concrete path through a chain, or says why it cannot.
pub fn concretise(predicates: &mut Predicates<'_>, path: &ErrorPath) -> Result<ConcretePath, String> {
    let Predicates {
        blocks,
        encoder,
        pool,
        effort,
        ..
    } = predicates;
    let parts = blocks.chain(encoder, pool, &path.blocks);
    let model = solve(pool, effort, &parts)?.ok_or("the error path is infeasible after all")?;
    let steps = blocks.choose_path(encoder, pool, &path.blocks, &model);
    let encoded = encode_path_with_inputs(encoder, pool, &steps, &[]);
    let model =
        solve(pool, effort, &encoded.parts)?.ok_or("no single feasible path was found in the feasible blocks")?;
    let mut values = model.evaluator(pool);
    let inputs = encoded.inputs.iter().map(|input| {
        let mut at = |address: TermId| values.eval_int(address);
        let kind = match &input.kind {
            InputKind::Variable { name } => CandidateKind::Variable { name: name.clone() },
            InputKind::Memory { region, address, size } => CandidateKind::Memory {
                region: region.clone(),
                address: at(*address),
                size: *size,
            },
            InputKind::Read { region, address, size } => CandidateKind::Read {
                region: region.clone(),
                address: at(*address),
                size: *size,
            },
            InputKind::Allocation => CandidateKind::Allocation,
        };
        CandidateInput {
            step: input.step,
            kind,
            value: at(input.value),
        }
    });
    let inputs = inputs.collect();
    Ok(ConcretePath {
        steps: steps.into_iter().map(|(step, _)| step).collect(),
        inputs,
    })
}

fn solve(pool: &mut TermPool, effort: &mut Effort, parts: &[TermId]) -> Result<Option<Model>, String> {
    let mut solver = effort.solver();
    for &part in parts {
        solver.assert(pool, part, Part(0));
    }
    let answer = solver.check(pool, &[]);
    effort.book(&solver);
    match answer {
        Answer::Sat => Ok(Some(solver.model(pool))),
        Answer::Unsat => Ok(None),
        Answer::Unknown(reason) => Err(describe(reason)),
    }
}
