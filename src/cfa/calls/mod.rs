//! Calls through pointers become chains of tests and calls.
//!
//! An option selects the functions that a call may reach ([`PointerCalls`]). A call behind the last test has an unknown target, and another option
//! gives it its effect ([`UnknownTargets`]). Both are in the ledger.
//!
//! | module | does |
//! |---|---|
//! | `policy` | the choices |
//! | `candidates` | the functions that a call may reach by signature, and by the member that holds the pointer |
//! | `expand` | the chains |
//! | `prune` | what the points-to analysis leaves of them |
//! | `specialise` | copies of functions that call a function that they get as an argument |
//! | [`recursion`] | recursion that is not followed to the end |

pub mod recursion;

mod candidates;
mod expand;
mod policy;
mod prune;
mod specialise;

use super::raw::Parts;
use policy::Effects;
pub use policy::{PointerCalls, UnknownTargets};
pub(super) use specialise::specialise;

/// Expands the calls through pointers of a program.
///
/// `effects_of_undefined`: see [`Effects`].
pub(super) fn expand_pointer_calls(
    parts: &mut Parts,
    targets: PointerCalls,
    unknown: UnknownTargets,
    effects_of_undefined: Effects<'_>,
) {
    let calls = std::mem::take(&mut parts.indirect);
    if calls.is_empty() {
        return;
    }
    let mut sites = expand::expand_all(parts, calls, targets, unknown);
    let complete = match targets {
        PointerCalls::PointsTo => prune::prune(parts, &mut sites),
        PointerCalls::Signature | PointerCalls::Field => vec![false; sites.len()],
    };
    expand::note(parts, &sites, &complete, (targets, unknown), effects_of_undefined);
}
