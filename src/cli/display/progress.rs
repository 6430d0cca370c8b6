//! The observer of a verification: it feeds the line on the terminal and the log of refinements, and prints a line for each stage under `--verbose`, where [`events`] of its parts are printed too.

use super::events;
use super::finish::{Finisher, eprintln_quietly};
use super::live::LiveLine;
use crate::cli::settings::request::VerifyRequest;
use crate::engine::log::{
    Applied, InterpolantRecord, InterpolantsRecord, Iteration, PredicateRecord, QueryScript, Strength,
};
use crate::engine::{self, Progress, Statistics};
use crate::report::refinement_log::{
    CandidateLine, InterpolantLine, InterpolantsLine, Line, PlaceLine, PredicateLine, RefinementLog, StrengthLine,
};
use crate::report::{Report, text};
use crate::verify;
use std::io::IsTerminal;
use std::time::Instant;

/// Shows progress to people, and tells the finisher, which may have to report without the engine.
pub(in crate::cli) struct Display {
    finisher: Finisher,
    line: Option<LiveLine>,
    log: Option<RefinementLog>,
    dumps_queries: bool,
    quiet: bool,
    verbose: bool,
}

impl Display {
    /// The display of a request, which began at `start`: with a line if standard error is a terminal and the user does not want it quiet.
    pub fn new(request: &VerifyRequest, finisher: &Finisher, log: Option<RefinementLog>, start: Instant) -> Display {
        let is_shown = !request.quiet && std::io::stderr().is_terminal();
        let engine = &request.options.engine;
        let line = is_shown.then(|| LiveLine::start(engine.limits, engine.pulse.clone(), start));
        if let Some(line) = &line {
            finisher.attach(line.clone());
        }
        if request.verbose {
            events::print(line.clone());
        }
        Display {
            finisher: finisher.clone(),
            line,
            log,
            dumps_queries: request.dump_queries,
            quiet: request.quiet,
            verbose: request.verbose,
        }
    }

    /// Prints a line on standard error, above the one that is updated.
    fn say(&self, text: &str) {
        match &self.line {
            Some(line) => line.say(text),
            None => eprintln_quietly(text),
        }
    }
}

impl engine::Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        self.finisher.note(*progress);
        if let Some(line) = &self.line {
            line.progress(*progress);
        }
    }

    fn begins(&mut self, part: &'static str) {
        if let Some(line) = &self.line {
            line.begins(part);
        }
    }

    fn ended(&mut self, stage: &'static str, statistics: &Statistics, open: usize) {
        if self.verbose {
            let work = text::course(&statistics.iter().collect()).unwrap_or_default();
            self.say(&text::stage(stage, &work, open));
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
        inductive_suffix: record.inductive_suffix,
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
        if !self.quiet {
            self.say(&format!("warning: {text}"));
        }
    }

    fn decided(&mut self) {
        if let Some(failure) = self.log.as_ref().and_then(RefinementLog::failure) {
            self.say(&format!("warning: the refinement log is not complete: {failure}"));
        }
    }
}
