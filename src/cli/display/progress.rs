//! The progress line: one line on standard error that is updated in place, and only on a terminal.

use super::finish::{Finisher, eprintln_quietly};
use crate::engine::log::{
    Applied, InterpolantRecord, InterpolantsRecord, Iteration, PredicateRecord, QueryScript, Strength,
};
use crate::engine::{self, Progress};
use crate::report::Report;
use crate::report::refinement_log::{
    CandidateLine, InterpolantLine, InterpolantsLine, Line, PlaceLine, PredicateLine, RefinementLog, StrengthLine,
};
use crate::verify;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Shows progress to people, and tells the finisher, which may have to report without the engine.
pub(in crate::cli) struct Display {
    finisher: Finisher,
    line: Option<ProgressBar>,
    log: Option<RefinementLog>,
    dumps_queries: bool,
}

impl Display {
    /// A progress line if standard error is a terminal.
    pub fn new(finisher: &Finisher) -> Display {
        let line = std::io::stderr().is_terminal().then(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            line
        });
        Display {
            finisher: finisher.clone(),
            line,
            log: None,
            dumps_queries: false,
        }
    }

    /// The same, with a log of the refinements.
    pub fn with_log(self, log: Option<RefinementLog>, dumps_queries: bool) -> Display {
        Display {
            log,
            dumps_queries,
            ..self
        }
    }
}

impl engine::Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        self.finisher.note(*progress);
        if let Some(line) = &self.line {
            let Progress {
                activity,
                iteration,
                states,
                targets,
                refinements,
            } = progress;
            line.set_message(format!(
                "{activity}: iteration {iteration}, {states} states, {targets} targets, {refinements} refinements"
            ));
            line.tick();
        }
    }

    fn wants_log(&self) -> bool {
        self.log.is_some()
    }

    fn candidates(&mut self, iteration: &Iteration) {
        let candidates = iteration
            .candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| CandidateLine {
                rank: at + 1,
                state: candidate.state,
                properties: candidate.properties.clone(),
                domain: candidate.domain,
                level: candidate.level,
                blocks: candidate.blocks,
                result: candidate.result,
                reason: candidate.reason.clone(),
                recognised: candidate.recognised,
                prefixes: Some(candidate.prefixes).filter(|number| *number > 0),
                pivot: candidate.pivot.clone(),
                increment: candidate
                    .increment
                    .iter()
                    .map(|(place, predicates)| PlaceLine {
                        place: place.clone(),
                        predicates: predicates.clone(),
                    })
                    .collect(),
                interpolants: candidate.interpolants.as_ref().map(interpolants),
                ticks: candidate.ticks,
            });
        let line = Line::Candidates {
            iteration: iteration.iteration,
            targets: iteration.targets,
            candidates: candidates.collect(),
        };
        if let Some(log) = &mut self.log {
            log.line(&line);
        }
    }

    fn applied(&mut self, applied: &Applied) {
        if let Some(log) = &mut self.log {
            log.line(&Line::Applied {
                iteration: applied.iteration,
                selected: applied.selected.clone(),
                new_predicates: applied.new_predicates,
                action: applied.action,
                states: applied.states,
            });
        }
    }

    fn predicates(&mut self, records: &[PredicateRecord]) {
        let predicates = records.iter().map(|record| PredicateLine {
            place: record.place.clone(),
            predicate: record.predicate.clone(),
            abstractions: record.abstractions,
            in_invariant: record.in_invariant,
        });
        let line = Line::Predicates {
            predicates: predicates.collect(),
        };
        if let Some(log) = &mut self.log {
            log.line(&line);
        }
    }

    fn wants_queries(&self) -> bool {
        self.dumps_queries
    }

    fn query(&mut self, query: &QueryScript) {
        if let Some(log) = &mut self.log {
            log.query(query.iteration, query.state, &query.text);
        }
    }
}

/// The interpolants of a candidate as the log has them.
fn interpolants(record: &InterpolantsRecord) -> InterpolantsLine {
    let line = |interpolant: &InterpolantRecord| InterpolantLine {
        place: interpolant.place.clone(),
        cut: interpolant.cut,
        dag_size: interpolant.dag_size,
        tree_size: interpolant.tree_size,
        atoms: interpolant.atoms,
        variables: interpolant.variables,
        shared_variables: interpolant.shared_variables,
        largest_coefficient: interpolant.largest_coefficient,
        divisions: interpolant.divisions,
        boolean_depth: interpolant.boolean_depth,
        disjuncts: interpolant.disjuncts,
        class: interpolant.class,
        new_predicates: interpolant.new_predicates,
        strength: interpolant.strength.map(strength),
        inductive: interpolant.inductive,
    };
    InterpolantsLine {
        truths: record.truths,
        falsities: record.falsities,
        others: record.others.iter().map(line).collect(),
    }
}

fn strength(strength: Strength) -> StrengthLine {
    let Strength {
        equivalent,
        stronger,
        weaker,
        incomparable,
        undecided,
    } = strength;
    StrengthLine {
        equivalent,
        stronger,
        weaker,
        incomparable,
        undecided,
    }
}

impl verify::Observer for Display {
    fn known(&mut self, report: &Report) {
        self.finisher.expect(report);
    }

    fn warning(&mut self, text: &str) {
        eprintln_quietly(&format!("warning: {text}"));
    }

    fn decided(&mut self) {
        if let Some(failure) = self.log.as_ref().and_then(RefinementLog::failure) {
            eprintln_quietly(&format!("warning: the refinement log is not complete: {failure}"));
        }
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
