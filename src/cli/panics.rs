//! A panic is a defect of ours. It ends the process, in whichever thread it happens, with UNKNOWN and an exit status of its own: never with a wrong answer.
//!
//! The report is made where the panic happens. So the smallest binary, which has no tables to unwind the stack, does the same as all others.

use super::INTERNAL_ERROR;
use super::display::finish::{eprintln_quietly, print};
use crate::engine::ReasonCode;
use crate::report::schema::{Failure, failure};
use crate::report::{Answer, text};
use std::any::Any;
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};

/// From now on a panic reports the defect and ends the process. A command that answers with a verdict says UNKNOWN, or as JSON why there is no report.
pub(super) fn end_the_process(answers: bool, json: bool) {
    let says_where = take_hook();
    let is_reported = AtomicBool::new(false);
    set_hook(Box::new(move |panic| {
        if is_reported.swap(true, Ordering::SeqCst) {
            // The thread that reports ends the process.
            loop {
                std::thread::park();
            }
        }
        says_where(panic);
        let what = message(panic.payload());
        eprintln_quietly(&format!(
            "internal error: {what}\nThis is a defect of Provident. Please report it with the input and this version:\n{}",
            crate::report::version::line()
        ));
        if answers && json {
            print(&failure(Failure::Internal, &what, INTERNAL_ERROR));
        } else if answers {
            let verdict = text::verdict(Answer::Unknown, Some(&ReasonCode::InternalError.because(&what)));
            print(&format!("VERDICT: {verdict}\n"));
        }
        std::process::exit(i32::from(INTERNAL_ERROR));
    }));
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()))
        .unwrap_or_else(|| "a panic without message".to_string())
}
