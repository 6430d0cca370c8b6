//! Equality and uninterpreted functions.
//!
//! | file | technique |
//! |---|---|
//! | `egraph` | congruence closure with explanations |
//! | `purity` | which integer terms arithmetic has to see |
//! | `sharing` | equations that congruence closure and arithmetic both know |
//! | `functions` | functions of integers by congruence lemmas on demand |
//! | `real_functions` | functions of reals, likewise |
//! | `bridge` | congruence lemmas that no part of an interpolated sequence can have |

mod bridge;
pub(in crate::solver) mod egraph;
pub(in crate::solver) mod functions;
pub(in crate::solver) mod purity;
pub(in crate::solver) mod real_functions;
mod sharing;

use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::Var;
use crate::term::TermId;
use egraph::Egraph;
use functions::Points;
use purity::Purity;
use real_functions::RealPoints;

/// The theory of equality and functions.
#[derive(Default)]
pub(in crate::solver) struct Euf {
    pub egraph: Egraph,
    pub purity: Purity,
    /// Whether there is a function; see [`sharing`].
    pub shares: bool,
    /// The arguments of two applications that an equation compares, where only congruence closure knows it.
    pub compared: FxHashMap<Var, (TermId, TermId)>,
    /// Congruence lemmas made: pairs of applications.
    pub instances: FxHashSet<(TermId, TermId)>,
    /// Bridges that were guessed; see [`bridge`].
    pub guesses: usize,
    /// In the last model, the functions of several arguments.
    pub points: Points,
    /// In the last model, the functions of reals.
    pub real_points: RealPoints,
}
