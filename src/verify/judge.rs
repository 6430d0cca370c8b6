//! The judge of violations: what the replay of a slice shows is repeated on the whole program, and a violation that rests on an invented value is none.

use super::slices::Foundation;
use super::stage::{Stage, targets};
use crate::cfa::EdgeId;
use crate::engine::CounterexampleCandidate;
use crate::evidence::Judgement;
use crate::evidence::replay::{Dependence, Replay, Rule, SlicedExecution, replay_under, replay_whole};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What speaks against a violation that was replayed.
pub(super) enum Objection {
    None,
    /// The whole program does not do what the slice does.
    Contradicted(String),
    /// The violation depends on an invented value.
    Invented(String),
}

/// Judges violations that were replayed on the program of a stage. Keeps what it found out on the way.
#[derive(Default)]
pub(super) struct Judge {
    foundation: Option<Rc<Foundation>>,
    /// For each target what violations by it may depend on.
    relevant: BTreeMap<EdgeId, Vec<bool>>,
}

impl Judge {
    pub fn judge(&mut self, stage: &Stage, candidate: &CounterexampleCandidate, replay: &Replay) -> Objection {
        let rule = Rule {
            inputs: stage.inputs,
            matters: None,
        };
        let dependence = match stage.repeat(candidate, replay, rule) {
            Err(reason) => return Objection::Contradicted(reason),
            Ok(dependence) => dependence,
        };
        if dependence.is_none() {
            return Objection::None;
        }
        // Something on the way depends on an invented value. That need not be anything that the violation depends on.
        let matters = self.matters(stage, candidate);
        let rule = Rule {
            matters: Some(matters),
            ..rule
        };
        match stage.repeat(candidate, replay, rule) {
            Err(reason) => Objection::Contradicted(reason),
            Ok(None) => Objection::None,
            Ok(Some(on)) => {
                let program = stage.whole.as_ref().map_or(&stage.program, |whole| &whole.program);
                let Dependence { kind, what, loc } = on;
                let place = program.sources.resolve(loc);
                Objection::Invented(format!(
                    "a violation depends on {what} ({kind}, not modelled) at {place}"
                ))
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
            None => Rc::new(Foundation::new(stage.program.clone(), &targets(&stage.properties))),
        });
        let relevant = self.relevant.entry(target);
        relevant.or_insert_with(|| foundation.relevant(target))
    }
}

impl Stage {
    /// Repeats a violation on the whole program. Returns the invented value that it depends on, if there is one.
    ///
    /// # Errors
    /// The whole program does not do what the slice does.
    fn repeat(
        &self,
        candidate: &CounterexampleCandidate,
        replay: &Replay,
        rule: Rule<'_>,
    ) -> Result<Option<Dependence>, String> {
        let Some(whole) = &self.whole else {
            if rule.matters.is_none() {
                return Ok(replay.dependence.clone());
            }
            return Ok(replay_under(&self.program, &candidate.steps, &candidate.inputs, rule).dependence);
        };
        let sliced = SlicedExecution {
            program: &self.program,
            edges: &whole.edges,
            steps: &candidate.steps,
            replay,
        };
        let repeated = replay_whole(&whole.program, sliced, rule);
        match repeated.judgement {
            Judgement::Confirmed => Ok(repeated.dependence),
            Judgement::Refuted { reason, .. } | Judgement::Undefined { reason, .. } => Err(reason),
        }
    }
}
