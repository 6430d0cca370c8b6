//! The check of a sequence or a tree of interpolants, by the definition: implications by a fresh solver, vocabulary by the parts' symbols.
//!
//! Nothing of the interpolation itself is used here.

use super::tree::{chain, is_below};
use crate::hash::FxHashMap;
use crate::proof::Part;
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{Symbol, TermId, TermPool};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The defect of a sequence of interpolants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Defect {
    /// There is not exactly one interpolant between two parts.
    Length { parts: usize, interpolants: usize },
    /// The interpolant after this part has a symbol that does not occur on both sides.
    Vocabulary { part: usize, symbol: String },
    /// The interpolant before this part and the part do not imply the interpolant after it.
    Implication { part: usize },
    /// The implication at this part was not decided.
    Undecided { part: usize, reason: UnknownReason },
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::Length { parts, interpolants } => write!(f, "{interpolants} interpolants for {parts} parts"),
            Defect::Vocabulary { part, symbol } => {
                write!(
                    f,
                    "the interpolant after part {part} has {symbol}, which does not occur on both sides"
                )
            }
            Defect::Implication { part } => {
                write!(
                    f,
                    "part {part} and the interpolants before it do not imply the one after it"
                )
            }
            Defect::Undecided { part, reason } => write!(f, "the implication at part {part} is undecided: {reason:?}"),
        }
    }
}

/// Checks by a fresh solver that `interpolants` is a sequence of interpolants for `parts`; the error says what is wrong, or that a
/// check was not decided.
pub fn check_sequence(pool: &mut TermPool, parts: &[TermId], interpolants: &[TermId]) -> Result<(), String> {
    verify(pool, parts, interpolants, (None, None)).map_err(|defect| defect.to_string())
}

/// As [`check_sequence`] for the interpolants of a [`tree`](super::tree()).
pub fn check_tree(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
) -> Result<(), String> {
    verify_tree(pool, parts, parents, interpolants, (None, None)).map_err(|defect| defect.to_string())
}

/// A limit of ticks for each implication, and a flag that interrupts.
type Limits<'a> = (Option<u64>, Option<&'a Arc<AtomicBool>>);

/// Panics with the defect, unless it is that a check was not decided.
pub(super) fn assert_valid(verdict: Result<(), Defect>) {
    match verdict {
        Ok(()) | Err(Defect::Undecided { .. }) => {}
        Err(defect) => panic!("wrong interpolant: {defect}"),
    }
}

pub(super) fn verify(
    pool: &mut TermPool,
    parts: &[TermId],
    interpolants: &[TermId],
    limits: Limits<'_>,
) -> Result<(), Defect> {
    verify_tree(pool, parts, &chain(parts.len()), interpolants, limits)
}

pub(super) fn verify_tree(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
    limits: Limits<'_>,
) -> Result<(), Defect> {
    if interpolants.len() + 1 != parts.len().max(1) || parents.len() != interpolants.len() {
        return Err(Defect::Length {
            parts: parts.len(),
            interpolants: interpolants.len(),
        });
    }
    vocabulary(pool, parts, parents, interpolants)?;
    for part in 0..parts.len() {
        let step = obligation(pool, parts, parents, interpolants, part);
        let mut solver = Solver::new(Config::default());
        solver.set_tick_limit(limits.0);
        if let Some(flag) = limits.1 {
            solver.set_interrupt(Arc::clone(flag));
        }
        for formula in step {
            solver.assert(pool, formula, Part(0));
        }
        match solver.check(pool, &[]) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Defect::Implication { part }),
            Answer::Unknown(reason) => return Err(Defect::Undecided { part, reason }),
        }
    }
    Ok(())
}

/// The formulas that contradict each other if a part and the interpolants before it imply the one after it.
pub(super) fn obligation(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
    part: usize,
) -> Vec<TermId> {
    let after = interpolants.get(part).copied().unwrap_or_else(|| pool.mk_false());
    let before = (0..part).filter(|&child| parents.get(child) == Some(&part));
    let mut formulas: Vec<TermId> = before.map(|child| interpolants[child]).collect();
    formulas.extend([parts[part], pool.not(after)]);
    formulas
}

/// Whether each interpolant has only symbols of both sides.
pub(super) fn vocabulary(
    pool: &TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
) -> Result<(), Defect> {
    let mut occurrences: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    for (part, &formula) in parts.iter().enumerate() {
        for symbol in pool.symbols(formula) {
            occurrences.entry(symbol).or_default().push(part);
        }
    }
    for (part, &interpolant) in interpolants.iter().enumerate() {
        for symbol in pool.symbols(interpolant) {
            let places = occurrences.get(&symbol).map_or(&[][..], Vec::as_slice);
            let inside = places.iter().filter(|&&place| is_below(place, part, parents)).count();
            if inside == 0 || inside == places.len() {
                return Err(Defect::Vocabulary {
                    part,
                    symbol: pool.symbol_text(symbol),
                });
            }
        }
    }
    Ok(())
}
