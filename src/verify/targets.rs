//! The targets: the edges of the program that violate the requested properties.

use super::results::Log;
use super::task::{Claim, Task};
use crate::cfa::{EdgeId, Program, Watcher};
use crate::engine::{Property, ReasonCode, Tracking};
use crate::report::Report;
use crate::spec::target_edges;
use crate::spec::weaving::Woven;

/// The questions to the engine.
#[derive(Default)]
pub(super) struct Targets {
    pub properties: Vec<Property>,
    /// The positions of the properties among those requested.
    pub positions: Vec<usize>,
    /// For each property, the edges behind which it is not tracked exactly, with the reason.
    pub limits: Vec<Vec<(EdgeId, String)>>,
}

impl Targets {
    /// The targets of the properties that have no verdict yet, or of the first of them if it is checked alone. A property that cannot be checked gets its reason in the report.
    pub fn of(task: &Task, program: &Program, woven: &[Option<Woven>], report: &mut Report, log: &mut Log) -> Targets {
        let mut all = Targets::default();
        for (position, (requested, woven)) in task.requested.iter().zip(woven).enumerate() {
            if !log.results.properties[position].is_open() {
                continue;
            }
            log.results.properties[position].places = woven.as_ref().map(|woven| woven.places);
            if let Some(failure) = woven.as_ref().and_then(|woven| woven.failure.as_ref()) {
                let reason = ReasonCode::Unsupported.because(failure.brief());
                log.results.give_up(position, &reason);
                report.properties[position].reason = Some(reason);
                continue;
            }
            let (targets, tracking, limits) = match (&requested.claim, woven) {
                (Claim::Forbidden(spec), _) => {
                    (target_edges(program, &spec.forbidden), Tracking::default(), Vec::new())
                }
                (Claim::Automaton(..), Some(woven)) => of_automaton(program, position, woven),
                (Claim::Automaton(..), None) => continue,
                (Claim::Unsupported(why), _) => {
                    let reason = ReasonCode::Unsupported.because(why.clone());
                    log.results.give_up(position, &reason);
                    report.properties[position].reason = Some(reason);
                    continue;
                }
            };
            all.properties.push(Property {
                name: requested.name.clone(),
                targets,
                tracking,
            });
            all.positions.push(position);
            all.limits.push(limits);
            if log.results.alone {
                break;
            }
        }
        all
    }
}

/// The edges that a woven automaton has brought: its targets, what tracks it, and where it is not tracked any more.
fn of_automaton(program: &Program, position: usize, woven: &Woven) -> (Vec<EdgeId>, Tracking, Vec<(EdgeId, String)>) {
    let mut limits = Vec::new();
    for (label, reason) in &woven.limits {
        let edges = program.edges_labelled(label);
        limits.extend(edges.into_iter().map(|edge| (edge, reason.clone())));
    }
    let seen = woven.transitions.iter().chain(&woven.errors);
    let tracking = Tracking {
        watcher: Some(Watcher::new(position)),
        transitions: seen.flat_map(|label| program.edges_labelled(label)).collect(),
    };
    let errors = woven.errors.iter().flat_map(|label| program.edges_labelled(label));
    // An edge behind which an automaton is not tracked has to be unreachable, too.
    let mut targets: Vec<EdgeId> = errors.chain(limits.iter().map(|(edge, _)| *edge)).collect();
    targets.sort_unstable();
    (targets, tracking, limits)
}
