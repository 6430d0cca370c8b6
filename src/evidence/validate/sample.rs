//! Invariants of a witness, evaluated on the states of executions.
//!
//! The invariants of a witness are C text, written by a translation that may be wrong. So each invariant is put back into the program as a condition, the front end reads the
//! result, and the replay machine runs it with several patterns of inputs: an invariant that is zero on a state that some execution has is wrong. None of this shares
//! code with the translation, or with the analysis that the formulas come from. An execution costs at most a few thousand steps of the replay machine, so that every
//! witness can be sampled; it shows errors and proves nothing. The proof is that of [`super::correctness`], which costs a verification.

use super::correctness::{insert, label};
use super::{NoProgram, Subject, parsed};
use crate::cfa::EdgeId;
use crate::evidence::replay::{InputSource, Request, run};
use crate::evidence::witness::edits::Edits;
use crate::evidence::witness::format::Element;
use crate::evidence::witness::text::Text;
use crate::frontend::text::source::SourceMap;
use provident_smt::num::Int;
use std::collections::{BTreeMap, BTreeSet};

/// Executions that are looked at, and the steps of each.
const RUNS: u64 = 6;
const STEPS: usize = 6_000;

/// The positions of the invariants that are zero on a state of an execution.
///
/// Invariants that find no place in the program are not sampled. Deterministic.
///
/// # Errors
/// The first message of the front end, if the program with its questions cannot be read.
pub fn violated(subject: &Subject, content: &[Element]) -> Result<BTreeSet<usize>, NoProgram> {
    let sources = SourceMap::new(subject.source.clone());
    let text = Text::new(&sources);
    let mut edits = Edits::default();
    for (number, element) in content.iter().enumerate() {
        if let Some(invariant) = &element.invariant {
            let code = format!("if (!({})) {{ {}: ; }}", invariant.value, label(number));
            // An invariant without place has no state either.
            let _ = insert(&text, &mut edits, invariant, &code);
        }
    }
    let program = parsed(subject, edits.apply_to(&subject.source, "").0, &mut |_| ())?;
    let questions: BTreeMap<EdgeId, usize> = (0..content.len())
        .flat_map(|number| {
            program
                .edges_labelled(&label(number))
                .into_iter()
                .map(move |e| (e, number))
        })
        .collect();
    let mut violated = BTreeSet::new();
    for pattern in 0..RUNS {
        let taken = run(&program, &mut Pattern::new(pattern), STEPS).edges;
        violated.extend(taken.iter().filter_map(|edge| questions.get(edge)));
    }
    Ok(violated)
}

/// Inputs that follow a pattern: all zero, all one, or pseudo-random and mostly small.
struct Pattern {
    number: u64,
    state: u64,
}

impl Pattern {
    fn new(number: u64) -> Pattern {
        Pattern { number, state: number }
    }
}

impl InputSource for Pattern {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        if let Request::Allocated { .. } = request {
            return None;
        }
        if self.number < 2 {
            return Some(Int::from(i128::from(self.number)));
        }
        // The generator of Knuth, MMIX; its high bits are the good ones.
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let drawn = self.state >> 33;
        let small = i128::from(drawn >> 4);
        Some(Int::from(match drawn % 16 {
            0 => -1,
            1 => small % 100_000,
            2..=4 => -(small % 10),
            5..=8 => small % 2,
            _ => small % 10,
        }))
    }

    fn size_at(&self, _: usize, _: u64) -> Option<u64> {
        None
    }
}
