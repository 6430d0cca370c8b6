//! The paths of an exploration with explicit values, where all of them come to an end.
//!
//! Paths that the solver refutes one by one are no invariant. But they are few, so they are listed, and [proof obligations](crate::evidence::obligations) show of each that no execution leaves it. The exploration is repeated
//! without a solver: each path is followed alone until it ends, takes a violating edge, or does something that is not modelled. Whether an execution can come that far is left to the obligations.

use super::EXPLORATION_SLICE;
use super::certificate::{Certificate, Claim, NoProof, Origin};
use super::states::watched;
use crate::cfa::{EdgeId, Step};
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::Decided;
use crate::explicit::{Compiled, Event, Explorer, Path};
use crate::query::points::Points;
use provident_smt::term::TermPool;

/// More paths are not listed.
const MAX_PATHS: usize = 1_000;
/// Nor more edges in all of them.
const MAX_EDGES: usize = 400_000;
/// Steps of the exploration.
const MAX_STEPS: u64 = 2_000_000;
/// Steps in which its paths are followed again, each from the start of the program.
const MAX_FOLLOWED: u64 = 2_000_000;

/// The paths of the program, for the properties that hold.
///
/// # Errors
/// There are too many, or one of them does not end.
pub(super) fn paths(decided: &Decided<'_, '_>, holding: &[bool]) -> Result<Certificate, NoProof> {
    let program = decided.program();
    if program.functions.iter().any(|function| function.recursive) || decided.options().arith != Arith::Machine {
        return Err(NoProof("its paths are not listed".to_string()));
    }
    let (targets, untracked) = watched(decided, holding);
    let code = Compiled::without(program, untracked);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    explorer.keep_apart();
    let (mut paths, mut edges): (Vec<Vec<EdgeId>>, usize) = (Vec::new(), 0);
    let mut effort = MAX_FOLLOWED;
    loop {
        match explorer.run(MAX_STEPS.min(explorer.steps + EXPLORATION_SLICE)) {
            Event::Complete => break,
            Event::Target(_) => explorer.give_up(),
            Event::Unmodelled(_) => {}
            Event::Cut if explorer.has_ended() => {}
            Event::Cut => continue,
            Event::Exhausted if explorer.steps < MAX_STEPS && !decided.time_is_up() => continue,
            Event::Exhausted => return Err(NoProof("its paths are too long".to_string())),
        }
        let (choices, length) = explorer.path();
        let path = Path::follow_within(&code, &choices, length, &mut effort);
        let path = path.filter(|_| !decided.time_is_up());
        let path = path.ok_or_else(|| NoProof("its paths are too long".to_string()))?;
        let taken = path.steps.iter().filter(|step| !matches!(step, Step::Leave(_)));
        paths.push(taken.map(|step| step.edge()).collect());
        edges += paths.last().map_or(0, Vec::len);
        if paths.len() > MAX_PATHS || edges > MAX_EDGES {
            return Err(NoProof("its paths are too many".to_string()));
        }
    }
    let pool = TermPool::new();
    let truth = pool.mk_true();
    let start = Claim {
        node: program.function(program.start).entry,
        calls: Vec::new(),
        known: Vec::new(),
        formula: 0,
        each: Vec::new(),
        contract: None,
        relies_on: None,
    };
    let properties = PropertyId::first(holding.len());
    Ok(Certificate {
        properties: properties.filter(|property| holding[property.index()]).collect(),
        arith: Arith::Machine,
        claims: vec![start],
        contracts: Vec::new(),
        formulas: pool.export(&[truth]),
        points: Points::default(),
        origin: Origin::Paths,
        paths,
    })
}
