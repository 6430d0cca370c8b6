//! The check of a sequence of interpolants, by the definition: implications by a fresh solver, vocabulary by the parts' symbols.
//!
//! Nothing of the interpolation itself is used here.

use crate::hash::FxHashMap;
use crate::proof::Part;
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{Symbol, TermId, TermPool};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is wrong with a sequence of interpolants.
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
                    "part {part} and the interpolant before it do not imply the one after it"
                )
            }
            Defect::Undecided { part, reason } => write!(f, "the implication at part {part} is undecided: {reason:?}"),
        }
    }
}

/// Checks by a fresh solver that `interpolants` is a sequence of interpolants for `parts`; the error says what is wrong, or that a
/// check was not decided.
pub fn check_sequence(pool: &mut TermPool, parts: &[TermId], interpolants: &[TermId]) -> Result<(), String> {
    verify(pool, parts, interpolants, None, None).map_err(|defect| defect.to_string())
}

/// As [`check_sequence`], with a limit of ticks for each of the implications.
pub(super) fn verify(
    pool: &mut TermPool,
    parts: &[TermId],
    interpolants: &[TermId],
    ticks: Option<u64>,
    interrupt: Option<&Arc<AtomicBool>>,
) -> Result<(), Defect> {
    if interpolants.len() + 1 != parts.len().max(1) {
        return Err(Defect::Length {
            parts: parts.len(),
            interpolants: interpolants.len(),
        });
    }
    vocabulary(pool, parts, interpolants)?;
    for (part, &formula) in parts.iter().enumerate() {
        let before = if part == 0 {
            pool.mk_true()
        } else {
            interpolants[part - 1]
        };
        let after = interpolants.get(part).copied().unwrap_or_else(|| pool.mk_false());
        let not_after = pool.not(after);
        let mut solver = Solver::new(Config::default());
        solver.set_tick_limit(ticks);
        if let Some(flag) = interrupt {
            solver.set_interrupt(Arc::clone(flag));
        }
        for formula in [before, formula, not_after] {
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

fn vocabulary(pool: &TermPool, parts: &[TermId], interpolants: &[TermId]) -> Result<(), Defect> {
    let mut occurrences: FxHashMap<Symbol, (usize, usize)> = FxHashMap::default();
    for (part, &formula) in parts.iter().enumerate() {
        for symbol in pool.symbols(formula) {
            occurrences.entry(symbol).or_insert((part, part)).1 = part;
        }
    }
    for (part, &interpolant) in interpolants.iter().enumerate() {
        for symbol in pool.symbols(interpolant) {
            let shared = occurrences
                .get(&symbol)
                .is_some_and(|&(first, last)| first <= part && part < last);
            if !shared {
                return Err(Defect::Vocabulary {
                    part,
                    symbol: pool.symbol_text(symbol),
                });
            }
        }
    }
    Ok(())
}
