//! The judge of violations: it repeats a violation of a slice on the whole program, and rejects a violation that rests on an invented value.

use super::slices::{Foundation, Whole};
use super::stage::{Stage, Violation, targets};
use crate::cfa::program::check::{Check, CheckKind};
use crate::cfa::{EdgeId, Op, Program, Step};
use crate::engine::CounterexampleCandidate;
use crate::evidence::Judgement;
use crate::evidence::replay::{
    Dependence, Replay, Rule, SlicedExecution, WholeReplay, decisive_inputs, reads_unwritten, replay_recorded,
    replay_whole,
};
use crate::frontend::text::source::Loc;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Of longer paths a trace does not say on which inputs they depend: nobody reads it line by line, and the answer takes memory for each step.
const LONGEST_EXPLAINED: usize = 300_000;

/// An objection to a violation that was replayed.
pub(super) enum Objection {
    /// The whole program does not do what the slice does.
    Contradicted(String),
    /// The violation depends on an invented value.
    Invented(String),
}

/// Judges violations that were replayed on the program of a stage. Keeps its findings.
#[derive(Default)]
pub(super) struct Judge {
    foundation: Option<Rc<Foundation>>,
    /// For each target what violations by it may depend on.
    relevant: BTreeMap<EdgeId, Vec<bool>>,
}

impl Judge {
    /// The violation as an execution of the whole program, whose trace says on which inputs it depends.
    ///
    /// # Errors
    /// The objection to it.
    pub fn judge(
        &mut self,
        stage: &Stage,
        candidate: &CounterexampleCandidate,
        replay: Replay,
    ) -> Result<Violation, Objection> {
        let mut violation = self.accept(stage, candidate, replay)?;
        let Violation { steps, replay } = &mut violation;
        let program = stage.whole.as_ref().map_or(&stage.program, |whole| &whole.program);
        if let Some(at) = read_of(program, steps)
            && !reads_unwritten(program, steps, replay, at)
        {
            let place = program.sources.resolve(at);
            let reason = format!("all that is read is written at {place}");
            return Err(Objection::Contradicted(reason));
        }
        if steps.len() <= LONGEST_EXPLAINED
            && let Some(decisive) = decisive_inputs(program, steps, replay)
        {
            replay.trace.decide(&decisive);
        }
        Ok(violation)
    }

    fn accept(
        &mut self,
        stage: &Stage,
        candidate: &CounterexampleCandidate,
        replay: Replay,
    ) -> Result<Violation, Objection> {
        let rule = Rule {
            inputs: stage.inputs,
            matters: None,
        };
        let violation = match &stage.whole {
            None => Violation {
                steps: Arc::clone(&candidate.steps),
                replay,
            },
            Some(whole) => whole.repeat(&stage.program, candidate, &replay, rule)?,
        };
        if violation.replay.dependence.is_none() {
            return Ok(violation);
        }
        // Something on the way depends on an invented value. That need not be anything that the violation depends on.
        let program = stage.whole.as_ref().map_or(&stage.program, |whole| &whole.program);
        let matters = self.matters(stage, candidate);
        let rule = Rule {
            matters: Some(matters),
            ..rule
        };
        let Replay { asked, allocations, .. } = &violation.replay;
        let again = replay_recorded(program, &violation.steps, asked, allocations, rule);
        match again.dependence {
            None => Ok(violation),
            Some(Dependence { kind, what, loc }) => {
                let place = program.sources.resolve(loc);
                Err(Objection::Invented(format!(
                    "a violation depends on {what} ({kind}, not modelled) at {place}"
                )))
            }
        }
    }

    /// For each edge of the whole program whether the candidate may depend on it.
    fn matters(&mut self, stage: &Stage, candidate: &CounterexampleCandidate) -> &[bool] {
        let last = candidate.steps.last().expect("a violation has a last step").edge();
        let target = match &stage.whole {
            Some(whole) => whole.origins[last.index()].expect("a target of the slice is one of the program"),
            None => last,
        };
        let foundation = self.foundation.get_or_insert_with(|| match &stage.whole {
            Some(whole) => Rc::clone(&whole.foundation),
            None => Rc::new(Foundation::new(
                Program::clone(&stage.program),
                &targets(&stage.properties),
            )),
        });
        let relevant = self.relevant.entry(target);
        relevant.or_insert_with(|| foundation.relevant(target))
    }
}

/// The place of the read, if a path ends with the violation of a check that what is read is written.
fn read_of(program: &Program, steps: &[Step]) -> Option<Loc> {
    let Op::Label(label) = &program.edge(steps.last()?.edge()).op else {
        return None;
    };
    let check = Check::of_label(label)?;
    (check.kind == CheckKind::Uninit).then_some(check.at)
}

impl Whole {
    /// Repeats a violation of a slice on the whole program: it runs with the inputs of the slice's execution, and the steps that it takes
    /// are then replayed like those of any other path.
    ///
    /// # Errors
    /// The whole program does not do what the slice does.
    fn repeat(
        &self,
        slice: &Program,
        candidate: &CounterexampleCandidate,
        replay: &Replay,
        rule: Rule<'_>,
    ) -> Result<Violation, Objection> {
        let sliced = SlicedExecution {
            program: slice,
            edges: &self.edges,
            steps: &candidate.steps,
            replay,
        };
        let repeated = replay_whole(&self.program, sliced, rule);
        if let Judgement::Refuted { reason, .. } | Judgement::Undefined { reason, .. } = repeated.judgement {
            return Err(Objection::Contradicted(reason));
        }
        let WholeReplay {
            steps,
            asked,
            allocations,
            ..
        } = repeated;
        let replay = replay_recorded(&self.program, &steps, &asked, &allocations, rule);
        match replay.judgement {
            Judgement::Confirmed => Ok(Violation {
                steps: steps.into(),
                replay,
            }),
            Judgement::Refuted { reason, .. } | Judgement::Undefined { reason, .. } => {
                Err(Objection::Contradicted(reason))
            }
        }
    }
}
