//! A precision from ideal integers first.
//!
//! With machine integers an interpolant may well explain an error path by the wrap-around that does not happen on it (`i <= j + 2147483646`),
//! and such predicates neither generalise nor end. With ideal integers the same program gives the predicates that its author had in
//! mind. So the refinement loop runs with ideal integers first, for a limited effort, and if it comes to its end its precision is where the loop with
//! machine integers begins. If the program never wraps around, that loop needs one exploration; where it does, it refines.
//!
//! No verdict rests on ideal integers: the state space is explored again, and the replay has to confirm a violation as always.

use crate::encode::Arith;
use crate::engine::AnalysisKind;
use crate::engine::loops::session::Session;

/// Runs the phase, for at most this number of ticks.
pub(in crate::engine) fn ideal(session: &mut Session<'_, '_>, ticks: u64) {
    // With values the domain that is refined is chosen path by path; predicates that are there from the beginning would leave no choice.
    let predicates_alone = session.options.analysis == AnalysisKind::Predicate;
    if ticks > 0 && predicates_alone && session.options.arith == Arith::Machine && !session.is_decided() {
        session.seed_precision(ticks);
    }
}
