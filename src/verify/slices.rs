//! Slices of a program: the parts on which the properties depend, with the way back to the program.

use super::stage::{Found, Stage, close, is_open, targets};
use crate::cfa::program::check::Check;
use crate::cfa::program::invention::Inventions;
use crate::cfa::slice::constants::{Propagated, propagate};
use crate::cfa::slice::{Slice, View, relevant, slice};
use crate::cfa::{EdgeId, Program};
use crate::encode::Partition;
use crate::engine::Property;
use std::rc::Rc;

/// The program that a slice was made of.
#[derive(Clone)]
pub(super) struct Whole {
    pub program: Rc<Program>,
    /// For each edge what became of it in the slice.
    pub edges: Vec<Option<EdgeId>>,
    /// For each edge of the slice which edge of the program it was.
    pub origins: Vec<Option<EdgeId>>,
    pub foundation: Rc<Foundation>,
}

/// The common beginning of all slices of a program.
pub(super) struct Foundation {
    /// The program with its constants, and how its memory is divided.
    propagated: Program,
    memory: Partition,
    /// For each edge of the whole program what became of it in the one with constants.
    kept: Vec<Option<EdgeId>>,
}

impl Foundation {
    pub fn new(program: Program, targets: &[EdgeId]) -> Foundation {
        let Propagated { program, edges, .. } = propagate(program, targets);
        Foundation {
            memory: Partition::new(&program),
            propagated: program,
            kept: edges,
        }
    }

    /// For each edge of the whole program whether a violation by the target may depend on it.
    pub fn relevant(&self, target: EdgeId) -> Vec<bool> {
        let Some(target) = self.kept[target.index()] else {
            return vec![true; self.kept.len()];
        };
        let relevant = relevant(&self.propagated, target, &self.memory);
        let is_relevant = |edge: &Option<EdgeId>| edge.is_some_and(|edge| relevant[edge.index()]);
        self.kept.iter().map(is_relevant).collect()
    }
}

/// A program of which slices are made.
pub(super) struct Sliceable {
    whole: Rc<Program>,
    pub properties: Vec<Property>,
    limits: Vec<Vec<(EdgeId, String)>>,
    inputs: Inventions,
    foundation: Rc<Foundation>,
}

impl Sliceable {
    pub fn new(whole: Stage) -> Sliceable {
        let foundation = Foundation::new(Program::clone(&whole.program), &targets(&whole.properties));
        Sliceable {
            whole: whole.program,
            properties: whole.properties,
            limits: whole.limits,
            inputs: whole.inputs,
            foundation: Rc::new(foundation),
        }
    }

    /// The whole program, to be looked at without slices.
    pub fn unsliced(&self) -> Stage {
        let (properties, limits) = (self.properties.clone(), self.limits.clone());
        Stage::new(Rc::clone(&self.whole), properties, limits, self.inputs)
    }

    /// The whole program with the properties of which it contradicted violations, if there are any.
    pub fn contradicted(&self, found: &Found) -> Option<Stage> {
        let mut stage = self.unsliced();
        let open = found.outcome.verdicts.iter().map(is_open);
        stage.asked = open
            .zip(&found.contradicted)
            .map(|(open, &count)| open && count > 0)
            .collect();
        for (property, asked) in stage.properties.iter_mut().zip(&stage.asked) {
            if !asked {
                property.targets.clear();
            }
        }
        stage.asked.contains(&true).then_some(stage)
    }

    /// Ends the search for the properties that are decided.
    pub fn close(&mut self, found: &Found) {
        close(&mut self.properties, found);
    }

    /// Takes the targets of properties that ask about all heap objects, with the positions of these properties.
    pub fn take_heap(&mut self) -> Vec<(usize, Vec<EdgeId>)> {
        let program = Rc::clone(&self.whole);
        let is_about_heap = |property: &Property| {
            let mut targets = property.targets.iter();
            targets.any(|&edge| Check::is_about_heap(&program.edge(edge).op))
        };
        let properties = self.properties.iter_mut().enumerate();
        let asking = properties.filter(|(_, property)| is_about_heap(property));
        asking
            .map(|(at, property)| (at, std::mem::take(&mut property.targets)))
            .collect()
    }

    /// The slice that the properties depend on.
    pub fn slice(&self, view: View) -> Stage {
        let targets = targets(&self.properties).into_iter();
        let Foundation {
            propagated,
            memory,
            kept,
        } = &*self.foundation;
        let targets: Vec<EdgeId> = targets.filter_map(|target| kept[target.index()]).collect();
        let Slice {
            mut program,
            edges,
            removed,
            hidden,
        } = slice(propagated.clone(), &targets, memory, view);
        if removed > 0 {
            program.assumptions.extend(memory.assumptions());
        }
        let new_id = |edge: EdgeId| edges[kept[edge.index()]?.index()];
        let properties = self.properties.iter().map(|property| {
            assert!(property.tracking.watcher.is_none(), "what is woven in is not sliced");
            Property {
                name: property.name.clone(),
                targets: property.targets.iter().copied().filter_map(new_id).collect(),
                tracking: property.tracking.clone(),
            }
        });
        let limits = self.limits.iter().map(|limits| {
            let kept = limits.iter();
            kept.filter_map(|(edge, reason)| Some((new_id(*edge)?, reason.clone())))
                .collect()
        });
        // A graph without its empty edges may have other numbers, and a call may have lost its result, even if no operation was left out.
        let is_kept = |edge: EdgeId| new_id(edge) == Some(edge) && program.edge(edge).op == self.whole.edge(edge).op;
        let is_whole = removed == 0 && self.whole.edge_ids().all(is_kept);
        let whole = (!is_whole).then(|| {
            let edges: Vec<Option<EdgeId>> = self.whole.edge_ids().map(new_id).collect();
            let mut origins = vec![None; program.edges.len()];
            for (edge, image) in self.whole.edge_ids().zip(&edges) {
                if let Some(image) = image {
                    origins[image.index()] = Some(edge);
                }
            }
            Whole {
                program: Rc::clone(&self.whole),
                edges,
                origins,
                foundation: Rc::clone(&self.foundation),
            }
        });
        Stage {
            asked: vec![true; self.properties.len()],
            properties: properties.collect(),
            limits: limits.collect(),
            program: Rc::new(program),
            inputs: self.inputs,
            hidden,
            whole,
        }
    }
}
