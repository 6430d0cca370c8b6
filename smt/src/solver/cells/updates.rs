//! Instances of function updates.
//!
//! An update defines each cell of its new function; its instance at an index term defines one cell, as clauses. Where index and range differ
//! by a constant, the instance is *unconditional*, and is added before the search. All others are added on demand, along a chain of cells that
//! explains a conflict.
//!
//! Clauses stay when their scope is closed, and the terms of an instance are live again as soon as its index is: so what an instance consists of is
//! kept ([`Instances`]), and is not computed again for each scope.
//!
//! When interpolating, the update and the index must have a part in common. If they have none, other index terms with the same value are
//! tried (forward instances), and if none serves, the answer is unknown.

use super::{Cells, Conflict, Extent, Side, UpdateAtom};
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::LemmaKind;
use crate::solver::Solver;
use crate::solver::limits::MAX_EAGER;
use crate::term::{Symbol, Term, TermId, TermPool, UpdateSource};
use std::ops::Range;

/// Instances of updates at indices that were computed.
#[derive(Default)]
pub(in crate::solver) struct Instances {
    /// The parts of the instances that were made, as a range of `parts`.
    made: FxHashMap<(TermId, TermId), Range<usize>>,
    parts: Vec<TermId>,
    is_unconditional: FxHashMap<(TermId, TermId), bool>,
}

/// The value of the new function at a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Written,
    Kept,
}

/// The theory of updates.
#[derive(Default)]
pub(in crate::solver) struct Updates {
    /// The update atoms.
    pub updates: FxHashMap<TermId, UpdateAtom>,
    pub instances: Instances,
    /// For each function the updates that were live once and define it.
    pub writers: FxHashMap<Symbol, Vec<TermId>>,
    /// The functions in the last model.
    pub model: Box<Cells>,
}

impl Instances {
    /// Whether the instance of an update at an index was made.
    pub(in crate::solver) fn contains(&self, update: TermId, index: TermId) -> bool {
        self.made.contains_key(&(update, index))
    }
}

impl Solver {
    /// Instantiates the updates of a chain of equal cells that has different values at its ends. False if that is not allowed for any.
    pub(in crate::solver) fn instantiate_chain(&mut self, pool: &mut TermPool, conflict: &Conflict) -> bool {
        let mut refined = false;
        let mut index = conflict.first.map(|app| self.live.apps[app].arguments[0]);
        for link in &conflict.links {
            let update = &link.update;
            let shift = match update.source {
                UpdateSource::Copy { shift, .. } => shift,
                _ => pool.int(0),
            };
            let at = match (index, link.enters) {
                (Some(x), Side::Same) => Some(x),
                (Some(x), Side::Shifted) => Some(pool.sub(x, shift)),
                (None, _) => {
                    // The end of a point is next to it; nobody asks for its value.
                    let ends = if update.extent == Extent::Range { 2 } else { 1 };
                    let mut ends = [update.lo, update.hi].into_iter().take(ends);
                    ends.find(|&t| self.evaluate(pool, t).as_ref() == Some(&link.point))
                }
            };
            refined |= self.instantiate_somewhere(pool, update, at, &link.point);
            index = match (at, link.leaves) {
                (Some(x), Side::Shifted) => Some(pool.add(x, shift)),
                (at, _) => at,
            };
        }
        if let (Some(last), Some(x)) = (conflict.last, index) {
            let last = self.live.apps[last].clone();
            let here = pool.app(last.symbol.name, last.symbol.index, &[x]);
            if here != last.term {
                let (left, right) = ((here, &[x][..]), (last.term, &*last.arguments));
                refined |= self.add_congruence_of(pool, left, right) || self.add_mixed_congruence(pool, left, right);
            }
        }
        refined
    }

    /// Makes a part of an update's instance live, now and in the following checks of this scope.
    pub(in crate::solver) fn activate_instance(&mut self, pool: &mut TermPool, part: TermId) {
        if !self.live.contains(part) {
            self.activate_root(pool, part);
            self.live.lemma_roots.push(part);
        }
    }

    /// Instantiates an update at an index term with this value: the given one if that is allowed, else any other.
    fn instantiate_somewhere(
        &mut self,
        pool: &mut TermPool,
        update: &UpdateAtom,
        index: Option<TermId>,
        point: &Int,
    ) -> bool {
        if let Some(index) = index
            && self.instantiate(pool, update, index)
        {
            return true;
        }
        let mut candidates: Vec<TermId> = vec![update.lo];
        candidates.extend(
            self.live
                .apps
                .iter()
                .filter(|a| a.arguments.len() == 1)
                .map(|a| a.arguments[0]),
        );
        candidates.extend(self.live.updates.iter().map(|u| self.theories.cells.updates[u].lo));
        candidates.sort_unstable();
        candidates.dedup();
        let mut done = false;
        for candidate in candidates {
            let fresh = !self.theories.cells.instances.contains(update.term, candidate);
            if fresh && self.evaluate(pool, candidate).as_ref() == Some(point) {
                done |= self.instantiate(pool, update, candidate);
            }
        }
        if !done && let Some(value) = self.value_as_index(pool, update.term, point) {
            done = self.instantiate(pool, update, value);
        }
        done
    }

    /// Adds the instance of an update at an index, and makes it live. False if that is not allowed.
    fn instantiate(&mut self, pool: &mut TermPool, update: &UpdateAtom, x: TermId) -> bool {
        let Some(part) = self.common_part(pool, &[update.term, x]) else {
            return false;
        };
        self.assertions.part = part;
        let known = self.theories.cells.instances.made.get(&(update.term, x)).cloned();
        let parts = known.unwrap_or_else(|| self.make_instance(pool, update, x));
        for i in parts {
            self.activate_instance(pool, self.theories.cells.instances.parts[i]);
        }
        true
    }

    /// Whether equations are enough to say what the update does: then its indices and elements may be pure. Interpolation looks for points with a value, which pure terms do not have for long.
    pub(in crate::solver) fn is_unordered(&self, update: &UpdateAtom) -> bool {
        update.extent != Extent::Range && !self.config.interpolation
    }

    /// The cases of an instance: what has to be false of the index, and what the new function has there.
    fn cases(&mut self, pool: &mut TermPool, update: &UpdateAtom, x: TermId) -> Vec<(Vec<TermId>, Case)> {
        if update.extent == Extent::Nothing {
            return vec![(Vec::new(), Case::Kept)];
        }
        if self.is_unordered(update) && self.is_pure_equation(pool, x, update.lo) {
            let here = pool.eq(x, update.lo);
            return vec![(vec![pool.not(here)], Case::Written), (vec![here], Case::Kept)];
        }
        let (below, above) = (pool.lt(x, update.lo), pool.ge(x, update.hi));
        vec![
            (vec![below, above], Case::Written),
            (vec![pool.not(below)], Case::Kept),
            (vec![pool.not(above)], Case::Kept),
        ]
    }

    /// Adds the clauses of an instance. Returns where its parts are: the formulas of the clauses, and the new function's application.
    fn make_instance(&mut self, pool: &mut TermPool, update: &UpdateAtom, x: TermId) -> Range<usize> {
        let apply = |pool: &mut TermPool, f: Symbol, x: TermId| pool.app(f.name, f.index, &[x]);
        let not_update = pool.not(update.term);
        let new = apply(pool, update.new, x);
        let old = apply(pool, update.old, x);
        let written = match update.source {
            UpdateSource::Const(value) => Some(value),
            UpdateSource::Havoc => None,
            UpdateSource::Copy { from, shift } => {
                let at = pool.add(x, shift);
                Some(apply(pool, from, at))
            }
        };
        let kind = LemmaKind::Update {
            atom: update.term,
            at: x,
        };
        let truth = pool.mk_true();
        let mut parts: Vec<TermId> = Vec::new();
        for (guard, value) in self.cases(pool, update, x) {
            let value = if value == Case::Written { written } else { Some(old) };
            let Some(value) = value.filter(|_| !guard.contains(&truth)) else {
                continue;
            };
            let conclusions = if self.is_unordered(update) && self.is_pure_equation(pool, new, value) {
                vec![pool.eq(new, value)]
            } else {
                vec![pool.le(new, value), pool.ge(new, value)]
            };
            for conclusion in conclusions {
                if conclusion != truth {
                    let clause = [&[not_update], &guard[..], &[conclusion]].concat();
                    self.add_lemma(pool, &clause, kind);
                    parts.extend(clause);
                }
            }
        }
        parts.push(new);
        let mut seen = FxHashSet::default();
        parts.retain(|&part| seen.insert(part));
        let start = self.theories.cells.instances.parts.len();
        self.theories.cells.instances.parts.extend(parts);
        let range = start..self.theories.cells.instances.parts.len();
        self.theories
            .cells
            .instances
            .made
            .insert((update.term, x), range.clone());
        range
    }

    /// Adds the instances whose index lies at a constant distance from the update's range, for live applications and updates
    /// that were not looked at yet. Functions that are copied onto themselves make ever more applications: those beyond a number are left to the search.
    pub(in crate::solver) fn add_eager_instances(&mut self, pool: &mut TermPool) {
        let most = self.live.apps.len() * 4 + MAX_EAGER;
        while self.live.eager_apps < self.live.apps.len() || self.live.eager_updates < self.live.updates.len() {
            if self.live.eager_updates < self.live.updates.len() {
                let update = self.theories.cells.updates[&self.live.updates[self.live.eager_updates]];
                self.live.eager_updates += 1;
                for i in 0..self.live.eager_apps.min(most) {
                    self.instantiate_eagerly(pool, &update, i);
                }
                let writers = self.theories.cells.writers.entry(update.new).or_default();
                if !writers.contains(&update.term) {
                    writers.push(update.term);
                }
            } else {
                let app = self.live.eager_apps;
                self.live.eager_apps += 1;
                let writers = self
                    .theories
                    .cells
                    .writers
                    .get(&self.live.apps[app].symbol)
                    .cloned()
                    .unwrap_or_default();
                for term in writers {
                    let live = self.live.contains(term);
                    if live && app < most {
                        let update = self.theories.cells.updates[&term];
                        self.instantiate_eagerly(pool, &update, app);
                    }
                }
            }
        }
    }

    fn instantiate_eagerly(&mut self, pool: &mut TermPool, update: &UpdateAtom, app: usize) {
        let app = &self.live.apps[app];
        if app.symbol != update.new || app.arguments.len() != 1 {
            return;
        }
        let x = app.arguments[0];
        let known = self
            .theories
            .cells
            .instances
            .is_unconditional
            .get(&(update.term, x))
            .copied();
        let is_unconditional = known.unwrap_or_else(|| {
            let (below, above) = (pool.lt(x, update.lo), pool.ge(x, update.hi));
            let is_true = |f: TermId| *pool.term(f) == Term::True;
            let is_inside = [below, above].iter().all(|&f| *pool.term(f) == Term::False);
            let found = is_true(below) || is_true(above) || is_inside;
            self.theories
                .cells
                .instances
                .is_unconditional
                .insert((update.term, x), found);
            found
        });
        if is_unconditional {
            self.instantiate(pool, update, x);
        }
    }
}
