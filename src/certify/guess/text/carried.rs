//! Invariants of a part of a program as guesses about the whole program.
//!
//! A slice of a driver may show in a second that a property holds by three facts about static variables, while an exploration of the whole driver does not come to its end. But the facts hold there too, and
//! also at the loop heads that the slice left out. So each conjunct of an invariant, and each invariant as a whole, is a guess at every loop head at which its variables are known.

use super::super::super::certificate::{Certificate, Origin};
use super::super::guessed_at;
use super::{Places, Suggested};
use crate::cfa::{EdgeId, NodeId, Program, is_call};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder};
use crate::engine::Invariant;
use crate::query::points::Points;
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeSet;

/// A program with more places is too long for guesses.
const MAX_PLACES: usize = 200_000;
/// So is one with more loop heads.
const MAX_HEADS: usize = 2_000;

/// The guesses for the loop heads of a program, for properties that hold; `None` if `known` says nothing, or the program is too long or has recursive functions.
pub fn guess_from_invariants(
    program: &Program,
    properties: Vec<PropertyId>,
    arith: Arith,
    known: &[Invariant],
) -> Option<Suggested> {
    let encoder = Encoder::new(program, arith);
    let mut pool = TermPool::new();
    let facts = facts(&encoder, &mut pool, known);
    if facts.is_empty() {
        return None;
    }
    let heads = heads(program)?;
    let places = Places::new(program, &encoder, &heads);
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    // Before the first step everything is possible.
    let start = program.function(program.start).entry;
    claims.push(guessed_at((start, Vec::new()), pool.mk_true(), &[], &mut formulas));
    for (node, calls) in heads {
        let said = places.about(&pool, (node, &calls), &facts, false);
        claims.push(guessed_at((node, calls), pool.mk_true(), &said, &mut formulas));
    }
    let certificate = Certificate {
        properties,
        arith,
        claims,
        contracts: Vec::new(),
        formulas: pool.export(&formulas),
        points: Points::default(),
        origin: Origin::Guessed,
        paths: Vec::new(),
    };
    Some(Suggested {
        certificates: vec![certificate],
        assumptions: encoder.assumptions().to_vec(),
        is_costly: true,
        is_about_numbers: true,
    })
}

/// The conjuncts of invariants, and the disjunctions that they are, as far as the program has their variables.
fn facts(encoder: &Encoder<'_>, pool: &mut TermPool, known: &[Invariant]) -> Vec<TermId> {
    let mut facts = BTreeSet::new();
    for invariant in known {
        let disjuncts = pool.import(&invariant.formulas);
        let whole = pool.or(&disjuncts);
        for formula in disjuncts.into_iter().chain([whole]) {
            facts.extend(pool.conjuncts(formula));
        }
    }
    let is_about_program = |fact: &TermId| {
        let symbols = pool.symbols(*fact);
        let mut names = symbols.iter().map(|symbol| pool.name(symbol.name));
        !symbols.is_empty() && names.all(|name| encoder.slot_of(name).is_some())
    };
    facts.into_iter().filter(is_about_program).collect()
}

/// The loop heads of a program, each under a call stack, but the start; `None` if there are too many, or functions are recursive.
fn heads(program: &Program) -> Option<Vec<(NodeId, Vec<EdgeId>)>> {
    let start = (program.function(program.start).entry, Vec::new());
    let (mut seen, mut heads) = (BTreeSet::from([start.clone()]), Vec::new());
    let mut open = vec![start.clone()];
    while let Some((node, calls)) = open.pop() {
        let location = program.node(node);
        let function = program.function(location.func);
        if function.recursive || seen.len() > MAX_PLACES || heads.len() > MAX_HEADS {
            return None;
        }
        let mut next = Vec::new();
        if function.exit == node {
            let mut below = calls.clone();
            next.extend(below.pop().map(|call| (program.edge(call).to, below)));
        } else {
            next.extend(location.outgoing.iter().map(|&edge| match is_call(program, edge) {
                Some(callee) => {
                    let inner = calls.iter().copied().chain([edge]).collect();
                    (program.function(callee).entry, inner)
                }
                None => (program.edge(edge).to, calls.clone()),
            }));
        }
        if location.loop_head && (node, &calls) != (start.0, &start.1) {
            heads.push((node, calls));
        }
        open.extend(next.into_iter().filter(|place| seen.insert(place.clone())));
    }
    Some(heads)
}
