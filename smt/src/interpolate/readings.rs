//! All variants of the interpolants of one proof, so that they can be compared: what differs between them comes from how the proof is read, and not from what the search has met.
//!
//! At each cut, each reading is an interpolant between the parts before it and the parts behind it. Not every reading is a sequence: decomposed leaves and the colours of congruence closure give interpolants that need not follow from their neighbours.

use super::query::Query;
use super::{ArithmeticLeaf, CongruenceLeaf, Cost, Guide, InterpolationConfig, SequenceResult, Variant};
use crate::solver::UnknownReason;
use crate::term::{TermId, TermPool};
use std::sync::Arc;

/// The interpolants that one variant reads off a proof.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The variant.
    pub variant: Variant,
    /// One interpolant for each cut, or why there are none.
    pub interpolants: Result<Vec<TermId>, &'static str>,
    /// For its certificate, if the configuration wants one; see [`InterpolationConfig::guide`].
    pub guide: Option<Arc<Guide>>,
}

/// The readings of a refutation.
#[derive(Clone, Debug)]
pub enum Readings {
    /// The parts have a model.
    Sat,
    /// Those of all variants, in the order of [`Variant::all`]. Without congruence closure the variants that differ in its colours only are the same, and stand there once.
    Read(Vec<Reading>),
    /// No proof within the limits, or none that any variant can read.
    Unknown(UnknownReason),
}

/// Refutes at least two parts once, as [`sequence`](super::sequence()) does, and reads all variants off that proof. Also with what it cost.
///
/// # Panics
/// If there are fewer parts.
pub fn readings(pool: &mut TermPool, parts: &[TermId], config: &InterpolationConfig) -> (Readings, Cost) {
    assert!(parts.len() > 1, "there is something to interpolate between");
    let is_other = |variant: &Variant| config.equality || variant.congruence == CongruenceLeaf::default();
    // The configuration's own variant decides which proof is kept, so the one that reads most proofs stands for all.
    let config = InterpolationConfig {
        variant: Variant {
            arithmetic: ArithmeticLeaf::default(),
            ..config.variant
        },
        portfolio: None,
        ..config.clone()
    };
    let mut query = Query::new(&config).reading(Variant::all().filter(is_other).collect());
    let result = query.run_alone(pool, parts);
    let (cost, found) = (query.cost(), query.into_readings());
    let readings = match result {
        SequenceResult::Sat(_) => Readings::Sat,
        SequenceResult::Unknown(reason) => Readings::Unknown(reason),
        // A part that is `false` needs no proof: all variants have the same interpolants.
        SequenceResult::Unsat(interpolants) if found.is_empty() => {
            let reading = |variant| Reading {
                variant,
                interpolants: Ok(interpolants.clone()),
                guide: None,
            };
            Readings::Read(Variant::all().filter(is_other).map(reading).collect())
        }
        SequenceResult::Unsat(_) => Readings::Read(found),
    };
    (readings, cost)
}
