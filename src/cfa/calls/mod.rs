//! Calls through pointers become chains of tests and calls.
//!
//! Which functions a call may reach is a matter of choice ([`PointerCalls`]). What remains behind the last test is a target that is not known, and what
//! becomes of that is another one ([`UnknownTargets`]). Both are in the ledger.
//!
//! | module | does |
//! |---|---|
//! | `candidates` | the functions that a call may reach by signature, and by the member that holds the pointer |
//! | `expand` | the chains |
//! | `prune` | what the points-to analysis leaves of them |
//! | [`recursion`] | recursion that is not followed to the end |

pub mod recursion;

mod candidates;
mod expand;
mod prune;

use super::lower::Parts;

/// Which functions a call through a pointer may reach, of those whose address is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointerCalls {
    /// Those that the pointer may point to and whose signature fits. Where it may point to anything: all whose signature fits.
    #[default]
    PointsTo,
    /// Those whose signature fits.
    Signature,
    /// Those that the program assigns to the member of a record that the pointer is read from, and whose signature fits; where there
    /// is none, all whose signature fits.
    Field,
}

/// What a call of a target that is not known does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownTargets {
    /// It returns any value and touches nothing.
    #[default]
    Ignore,
    /// It returns any value and gives all global variables any values.
    Havoc,
    /// No verdict is given for a program that may call one.
    Error,
}

/// Expands the calls through pointers of a program.
pub(super) fn expand_pointer_calls(parts: &mut Parts, targets: PointerCalls, unknown: UnknownTargets) {
    let calls = std::mem::take(&mut parts.indirect);
    if calls.is_empty() {
        return;
    }
    let sites = expand::expand_all(parts, calls, targets, unknown);
    let complete = match targets {
        PointerCalls::PointsTo => prune::prune(parts, &sites),
        PointerCalls::Signature | PointerCalls::Field => vec![false; sites.len()],
    };
    expand::note(parts, &sites, &complete, targets, unknown);
}
