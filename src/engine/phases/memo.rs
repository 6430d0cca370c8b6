//! Summaries of functions first.
//!
//! With block-abstraction memoization (see [`memo`](crate::cpa::memo)) a function is explored once for all calls that are alike, and a recursion without bound comes to an end. The loop runs
//! for a limited effort. Its proofs hold, and its violations were replayed; for the rest the loop that follows every call begins anew.

use crate::cpa::memo::blocks::{Bam, ProgramBlocks};
use crate::engine::loops::session::Session;

/// Runs the phase.
pub(in crate::engine) fn memo(session: &mut Session<'_, '_>) {
    let options = session.options;
    if options.bam == Bam::Off || !options.has_summaries() || options.bam_ticks == 0 || session.is_decided() {
        return;
    }
    if let Ok(blocks) = ProgramBlocks::new(session.program, options.bam) {
        session.decide_with_summaries(&blocks, options.bam_ticks);
    }
}
