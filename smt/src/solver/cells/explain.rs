//! Why a class of cells has two values: a shortest chain of equal cells from one value to the other.
//!
//! The search is breadth first, over the cells themselves: the classes tell that there is a chain, not which.

use super::{Cells, Conflict, Held, Known, Link, NONE, Node, Side, Source, UpdateAtom, number};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::solver::limits::MAX_CELLS;
use std::collections::VecDeque;

/// A function at a point, in the search for an explanation.
type Cell = (Node, Int);

/// The step by which that search came to a cell.
struct Arrival {
    from: Cell,
    update: u32,
    /// The point, as the update's new function has it.
    point: Int,
    enters: Side,
    leaves: Side,
}

/// The cells that the search has come to; the one that it began at came from nowhere.
type Arrivals = FxHashMap<Cell, Option<Arrival>>;

impl Cells {
    /// The first `most` conflicts, each with a shortest chain of equal cells that leads from the value to a different one. A chain that begins at an application takes only updates that are allowed for it, and
    /// a conflict without such a chain is left out.
    pub fn explain(&self, most: usize, allows: &dyn Fn(usize, &UpdateAtom) -> bool) -> Vec<Conflict> {
        let mut edges: Vec<Vec<u32>> = vec![Vec::new(); self.symbols.len()];
        for (i, update) in self.updates.iter().enumerate() {
            let copied = match update.source {
                Source::Copy { from, .. } => from,
                _ => NONE,
            };
            let mut ends = vec![update.new, update.old, copied];
            ends.dedup();
            for end in ends {
                if end != NONE {
                    edges[end as usize].push(number(i));
                }
            }
        }
        self.conflicts
            .iter()
            .filter_map(|start| self.explain_one(start, &edges, allows))
            .take(most)
            .collect()
    }

    fn explain_one(
        &self,
        start: &Known,
        edges: &[Vec<u32>],
        allows: &dyn Fn(usize, &UpdateAtom) -> bool,
    ) -> Option<Conflict> {
        let begin: Cell = (start.node, self.numbers.all[start.point as usize].clone());
        let mut came = Arrivals::default();
        came.insert(begin.clone(), None);
        let mut queue = VecDeque::from([begin]);
        let real = |cell: &Cell| {
            let point = self.numbers.of.get(&cell.1)?;
            self.real.get(&(cell.0, *point))
        };
        while let Some(cell) = queue.pop_front() {
            if let Some(&(app, value)) = real(&cell)
                && value != start.value
            {
                return Some(self.chain(start, &came, cell, None, Some(app)));
            }
            let (node, at) = (cell.0, &cell.1);
            for &i in &edges[node as usize] {
                let update = &self.updates[i as usize];
                if start.app.is_some_and(|app| !allows(app, &update.atom)) {
                    continue;
                }
                let mut next: Vec<(Cell, Int, Side, Side)> = Vec::new();
                if update.new == node {
                    match (&update.source, update.contains(at)) {
                        (_, false) => next.push(((update.old, at.clone()), at.clone(), Side::Same, Side::Same)),
                        (Source::Const(value), true) if *value != start.value => {
                            return Some(self.chain(start, &came, cell.clone(), Some((i, at.clone())), None));
                        }
                        (Source::Copy { from, shift }, true) => {
                            next.push(((*from, at + shift), at.clone(), Side::Same, Side::Shifted));
                        }
                        _ => {}
                    }
                }
                if update.old == node && !update.contains(at) {
                    next.push(((update.new, at.clone()), at.clone(), Side::Same, Side::Same));
                }
                if let Source::Copy { from, shift } = &update.source
                    && *from == node
                {
                    let point = at - shift;
                    if update.contains(&point) {
                        next.push(((update.new, point.clone()), point, Side::Shifted, Side::Same));
                    }
                }
                for (to, point, enters, leaves) in next {
                    if !came.contains_key(&to) && came.len() < MAX_CELLS {
                        let arrival = Arrival {
                            from: cell.clone(),
                            update: i,
                            point,
                            enters,
                            leaves,
                        };
                        came.insert(to.clone(), Some(arrival));
                        queue.push_back(to);
                    }
                }
            }
        }
        None
    }

    /// Puts together the chain that ends at a cell, or with the constant of one more update there.
    fn chain(
        &self,
        start: &Known,
        came: &Arrivals,
        end: Cell,
        constant: Option<(u32, Int)>,
        last: Option<usize>,
    ) -> Conflict {
        let link = |update: u32, point: &Int, enters, leaves| Link {
            update: self.updates[update as usize].atom,
            point: point.clone(),
            enters,
            leaves,
        };
        let mut links = Vec::new();
        links.extend(
            constant
                .iter()
                .map(|(i, point)| link(*i, point, Side::Same, Side::Same)),
        );
        let mut at = &end;
        while let Some(Some(arrival)) = came.get(at) {
            links.push(link(arrival.update, &arrival.point, arrival.enters, arrival.leaves));
            at = &arrival.from;
        }
        if start.app.is_none() {
            // The value is the constant of the update that defines the first cell.
            let point = &self.numbers.all[start.point as usize];
            let defines = |u: &&Held| {
                u.new == start.node && u.contains(point) && matches!(u.source, Source::Const(v) if v == start.value)
            };
            let by = self.updates.iter().position(|u| defines(&u));
            links.extend(by.map(|i| link(number(i), point, Side::Same, Side::Same)));
        }
        links.reverse();
        Conflict {
            first: start.app,
            links,
            last,
        }
    }
}
