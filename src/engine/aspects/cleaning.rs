//! Cleaning strategies: they remove the precision that was found for an aspect when the aspect is disabled (section 5.2 of the paper).
//!
//! In the paper every abstract state carries its precision; here the precision belongs to locations, and a state is computed with the precision at that time. So to clean the *waitlist* is to change the
//! precision from now on: states that are still to be explored are computed with the new one, and the states in the graph stay. To clean the *graph* is to begin the exploration anew; unchanged
//! parts come from the caches of blocks and abstractions.
//!
//! A predicate stays if another aspect that is still checked needs it as well: it would be found again at once.

use super::super::options::Cleaning;
use crate::cpa::tracking::PropertyId;
use crate::engine::loops::session::Session;

/// Cleans the precision after an aspect was disabled.
pub(super) fn clean(session: &mut Session<'_, '_>, aspect: PropertyId, cleaning: Cleaning) {
    match cleaning {
        Cleaning::None => {}
        Cleaning::WaitlistSubtract | Cleaning::ArgSubtract => session.subtract_precision(aspect),
        Cleaning::WaitlistClear | Cleaning::All => session.clear_precision(),
    }
    if matches!(cleaning, Cleaning::ArgSubtract | Cleaning::All) {
        session.explore_afresh();
    }
}
