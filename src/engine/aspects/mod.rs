//! Multi-aspect verification: MAV and CMAV of Mordan and Mutilin (*Checking several requirements at once by CEGAR*, PSI 2015, section 4).
//!
//! All properties (the paper's aspects) are checked in one refinement loop. At any time one of them counts as being checked, the *latest checked aspect*: the one whose error path was refined last.
//! The time between two changes is an *interval*, and limits on intervals find the aspect that is too expensive: it is disabled with the verdict UNKNOWN, and the loop goes on for the others.
//!
//! | limit | of | when it is reached |
//! |---|---|---|
//! | ATL | all intervals of an aspect | the aspect is disabled |
//! | BITL | one interval of an aspect | the aspect is disabled |
//! | IITL | an interval without latest checked aspect, but for the first | the loop begins anew (CMAV), with at least one aspect less |
//! | FITL | the first interval | all aspects become UNKNOWN |
//! | `interval` | intervals and their limits |
//! | [`cleaning`] | what a disabled aspect leaves of the precision |
//!
//! When an aspect is disabled, because of a limit or of a violation, its part of the precision is [cleaned](cleaning). Where a process cannot survive, the command line goes on: it begins anew from
//! the results file.

mod cleaning;
mod interval;

use super::loops::session::Session;
use super::options::{Aspects, Extent, Part, Reuse};
use super::phases::explicit::explicit;
use super::phases::ideal::ideal;
use super::phases::memo::memo;
use super::{Counter, ReasonCode};
use crate::cpa::algorithm::Reached;
use crate::refine::Analysis;
use interval::{End, Intervals};
use std::cell::Cell;
use std::rc::Rc;

/// Runs to the verdicts. Returns the last state space if it was explored to the end.
pub(super) fn cmav<'p>(session: &mut Session<'_, 'p>, options: Aspects) -> Option<Reached<Analysis<'p>>> {
    let mut iterations = 0;
    let last = loop {
        iterations += 1;
        let end = Rc::new(Cell::new(None));
        let last = mav(session, options, &end);
        if last.is_none() && end.get() == Some(End::Idle) && session.limit_reached().is_none() {
            let checking = session.checking();
            if !checking.is_empty() {
                // A launch of its own: nothing of the model that was too big is kept.
                session.restart(&checking, Reuse::Nothing);
                continue;
            }
        }
        if end.get() == Some(End::First) {
            for aspect in session.checking() {
                session.resign(
                    aspect,
                    ReasonCode::BudgetSpent.because("the limit of the first interval (FITL) is reached"),
                );
            }
        }
        break last;
    };
    blame(session);
    session.end_allowances();
    session.current.statistics.set(Counter::CmavIterations, iterations);
    last
}

/// One iteration: the MAV algorithm.
fn mav<'p>(
    session: &mut Session<'_, 'p>,
    options: Aspects,
    end: &Rc<Cell<Option<End>>>,
) -> Option<Reached<Analysis<'p>>> {
    let mut intervals = Intervals::new(options, Rc::clone(end));
    intervals.first(session);
    session.govern(Some(Box::new(intervals)));
    explicit(session, Extent::Full);
    if session.options.explicit.part != Part::All {
        session.govern(None);
        return None;
    }
    memo(session);
    ideal(session, session.options.ideal_ticks);
    let reached = session.refinement_loop();
    session.govern(None);
    if let Some(reached) = &reached {
        assert!(reached.is_complete(), "TRUE needs the whole state space");
        let active = session.active(reached);
        let shown = session.checking();
        session.proved_last(shown.intersection(&active).copied().collect());
        for aspect in session.checking() {
            match session.given_up(aspect).cloned() {
                Some(reason) => session.resign(aspect, reason),
                None if active.contains(&aspect) => session.prove(aspect),
                None => session.resign(aspect, ReasonCode::NotTracked.because("not tracked to the end")),
            }
        }
    }
    reached
}

/// After a limit of the run: the latest checked aspect is to blame, if the limit is one that a launch without it may keep.
fn blame(session: &mut Session<'_, '_>) {
    let latest = session.latest().filter(|&aspect| session.is_open(aspect));
    session.charge_pause();
    if let (Some(reason), Some(aspect)) = (session.limit_reached(), latest) {
        let text = format!("{} while this property was checked", reason.text);
        session.resign(aspect, reason.code.because(text));
        session.current.statistics.set(Counter::Blamed, 1);
    }
}
