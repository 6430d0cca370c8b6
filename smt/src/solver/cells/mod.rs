//! Cells of functions that are equal under the updates that hold in a candidate model.
//!
//! A *cell* is a function at a point. An update says that each cell of the new function equals one cell of another function (or a constant, or
//! nothing). For one point, the updates that hold are the edges of a graph over functions; cells that are connected must have one
//! value. There are many functions (each write makes one) and many points, but at one point almost all edges lead from a function to the
//! one before it. So the graph is kept as a *forest*, the same for all points, and a point says only where it is cut: at the updates
//! whose range contains it. The class of a cell is named by the cut (or root) above it, found among the few cuts of the point.
//! Copies join classes; so do further definitions of a function that has one in the forest already.
//!
//! Nothing is filled in during the search: classes are made for cells that an application or a constant has a value for. The tables
//! of a model are made when the model is asked for. All cells are zero where nothing else is known, so a point *matters* to the functions that
//! updates connect if an application is there, if a range ends there, or if one of their cells is known to be something else. Where long ranges are filled and copied onto themselves, one
//! point that matters may make any number of others matter; then they are found during the search, and a candidate that has too many is given up.
//!
//! | file | concept |
//! |---|---|
//! | this one | classes of cells |
//! | `forest` | which update defines which function, and where a point cuts that |
//! | `ranges` | which updates contain a point |
//! | `explain` | chains of equal cells between different values |
//! | `updates` | instances of updates |

mod explain;
mod forest;
mod ranges;
pub(in crate::solver) mod updates;

use self::ranges::Ranges;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::Lit;
use crate::solver::limits::{MAX_CLASSES, MAX_UNCOUNTED};
use crate::term::{Symbol, TermId, UpdateSource};
use std::collections::{BTreeMap, BTreeSet};

/// No node, no update.
const NONE: u32 = u32::MAX;

/// A function with a number.
type Node = u32;
/// An integer with a number: a point, or a value.
type Number = u32;

/// Integers by number.
#[derive(Default)]
struct Numbers {
    of: FxHashMap<Int, Number>,
    all: Vec<Int>,
}

impl Numbers {
    fn get(&mut self, value: &Int) -> Number {
        if let Some(&known) = self.of.get(value) {
            return known;
        }
        let number = number(self.all.len());
        self.all.push(value.clone());
        self.of.insert(value.clone(), number);
        number
    }
}

/// The points that an update writes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum Extent {
    /// Nothing: the new function is the old one.
    Nothing,
    /// One point, by a constant.
    Point,
    Range,
}

/// An update atom.
#[derive(Clone, Copy)]
pub(in crate::solver) struct UpdateAtom {
    pub term: TermId,
    pub literal: Lit,
    pub new: Symbol,
    pub old: Symbol,
    pub lo: TermId,
    pub hi: TermId,
    pub source: UpdateSource,
    pub extent: Extent,
}

fn number(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 cells")
}

/// The values that an update that holds puts into its range.
enum Source {
    Const(Number),
    Copy { from: Node, shift: Int },
    Havoc,
}

/// An update that holds, with the values of its terms.
struct Held {
    atom: UpdateAtom,
    new: Node,
    old: Node,
    lo: Int,
    hi: Int,
    source: Source,
}

impl Held {
    fn contains(&self, point: &Int) -> bool {
        self.lo <= *point && *point < self.hi
    }
}

/// Where a value comes from.
#[derive(Clone, Copy)]
struct Known {
    /// The cell that has it.
    node: Node,
    point: Number,
    value: Number,
    /// The application, if it is one (else the constant of an update).
    app: Option<usize>,
}

/// A set of cells that must be equal.
struct Class {
    /// The class that it became part of; itself if none.
    joined: u32,
    /// The set of trees and the point that it was made for.
    place: (u32, Number),
    known: Option<Known>,
}

/// One step of the explanation of a conflict.
pub(in crate::solver) struct Link {
    /// The update that connects two cells.
    pub update: UpdateAtom,
    /// The point, as the new function has it.
    pub point: Int,
    /// The continuation of the cell's index: at the new function's point, or at the point of what was copied.
    pub enters: Side,
    pub leaves: Side,
}

/// The point of an update that a cell is at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::solver) enum Side {
    /// The new or the old function: the point itself.
    Same,
    /// The function that is copied from: the point plus the shift.
    Shifted,
}

/// A chain of equal cells between two different values.
pub(in crate::solver) struct Conflict {
    /// The application that the chain begins at; none if it is the constant of the first update.
    pub first: Option<usize>,
    /// The steps, from there.
    pub links: Vec<Link>,
    /// The application that the chain ends at; none if it is the constant of the last update.
    pub last: Option<usize>,
}

/// Cells and classes of a candidate model.
#[derive(Default)]
pub(in crate::solver) struct Cells {
    nodes: FxHashMap<Symbol, Node>,
    symbols: Vec<Symbol>,
    updates: Vec<Held>,
    /// Updates that define a function that the forest defines already, or would close a cycle.
    extra: Vec<u32>,
    // The forest.
    parent: Vec<Node>,
    by: Vec<u32>,
    root: Vec<Node>,
    depth: Vec<u32>,
    /// Position in preorder, and the end of the subtree there.
    first: Vec<u32>,
    end: Vec<u32>,
    /// The set of trees that extra updates connect.
    component: Vec<u32>,
    // The cuts.
    single: FxHashMap<Number, Vec<Node>>,
    long: Ranges,
    // The cells.
    numbers: Numbers,
    classes: Vec<Class>,
    class_of: FxHashMap<(Node, Number), u32>,
    /// The most classes there may be.
    limit: usize,
    real: FxHashMap<(Node, Number), (usize, Number)>,
    /// The points that matter in each component, in order of appearance.
    relevant: Vec<Vec<Number>>,
    is_relevant: FxHashSet<(u32, Number)>,
    conflicts: Vec<Known>,
}

impl Cells {
    fn node(&mut self, symbol: Symbol) -> Node {
        if let Some(&known) = self.nodes.get(&symbol) {
            return known;
        }
        let node = number(self.symbols.len());
        self.symbols.push(symbol);
        self.nodes.insert(symbol, node);
        self.parent.push(NONE);
        self.by.push(NONE);
        node
    }

    /// Adds an update that holds: its range, and the value of its constant or shift (of a havoc: anything).
    pub fn hold(&mut self, atom: UpdateAtom, lo: Int, hi: Int, value: Int) {
        let (new, old) = (self.node(atom.new), self.node(atom.old));
        let source = match atom.source {
            UpdateSource::Const(_) => Source::Const(self.numbers.get(&value)),
            UpdateSource::Copy { from, .. } => Source::Copy {
                from: self.node(from),
                shift: value,
            },
            UpdateSource::Havoc => Source::Havoc,
        };
        self.updates.push(Held {
            atom,
            new,
            old,
            lo,
            hi,
            source,
        });
    }

    /// A function without update.
    pub fn mention(&mut self, symbol: Symbol) {
        self.node(symbol);
    }

    fn find_class(&mut self, class: u32) -> u32 {
        let mut at = class;
        while self.classes[at as usize].joined != at {
            let next = self.classes[at as usize].joined;
            self.classes[at as usize].joined = self.classes[next as usize].joined;
            at = next;
        }
        at
    }

    /// The class of a cell.
    fn class(&mut self, node: Node, point: Number) -> u32 {
        let (owner, is_cut) = self.owner(node, point);
        self.class_below(owner, is_cut, point)
    }

    /// The class of the cells below a cut (or root) at a point. Cells that were copied there from elsewhere get a class as well, and so on.
    fn class_below(&mut self, owner: Node, is_cut: bool, point: Number) -> u32 {
        let mut copies = Vec::new();
        let (mut owner, mut is_cut, mut point) = (owner, is_cut, point);
        let end = loop {
            if let Some(&class) = self.class_of.get(&(owner, point)) {
                break class;
            }
            let class = number(self.classes.len());
            self.classes.push(Class {
                joined: class,
                place: (self.component[owner as usize], point),
                known: None,
            });
            self.class_of.insert((owner, point), class);
            if !is_cut || self.is_crowded() {
                break class;
            }
            let Some((from, at)) = self.define(class, owner, point, self.by[owner as usize]) else {
                break class;
            };
            copies.push(class);
            (owner, is_cut) = self.owner(from, at);
            point = at;
        };
        for class in copies.into_iter().rev() {
            self.join(class, end);
        }
        self.find_class(end)
    }

    /// Applies an update to the class of a cell in its range. If the update copies, returns the cell that the class is to be joined with.
    fn define(&mut self, class: u32, node: Node, point: Number, by: u32) -> Option<(Node, Number)> {
        match &self.updates[by as usize].source {
            &Source::Const(value) => {
                let known = Known {
                    node,
                    point,
                    value,
                    app: None,
                };
                self.learn(class, known);
                None
            }
            Source::Copy { from, shift } => {
                let (from, at) = (*from, &self.numbers.all[point as usize] + shift);
                Some((from, self.numbers.get(&at)))
            }
            Source::Havoc => None,
        }
    }

    fn learn(&mut self, class: u32, known: Known) {
        let class = self.find_class(class);
        match self.classes[class as usize].known {
            None => self.classes[class as usize].known = Some(known),
            Some(before) if before.value != known.value => self.conflicts.push(known),
            Some(_) => {}
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find_class(a), self.find_class(b));
        if a == b {
            return;
        }
        self.classes[a as usize].joined = b;
        if let Some(known) = self.classes[a as usize].known {
            self.learn(b, known);
        }
    }

    /// Enters an application of a unary function. An earlier one at the same point with another value is returned instead.
    pub fn enter(&mut self, function: Symbol, point: &Int, value: &Int, app: usize) -> Result<(), usize> {
        let node = self.nodes[&function];
        let (point, value) = (self.numbers.get(point), self.numbers.get(value));
        match self.real.get(&(node, point)) {
            Some(&(_, known)) if known == value => return Ok(()),
            Some(&(other, _)) => return Err(other),
            None => {}
        }
        self.real.insert((node, point), (app, value));
        Ok(())
    }

    /// Computes the classes of all applications and, where functions have several definitions, of all cells that matter. Returns the effort.
    pub fn close(&mut self) -> u64 {
        let mut cells: Vec<Known> = self
            .real
            .iter()
            .map(|(&(node, point), &(app, value))| Known {
                node,
                point,
                value,
                app: Some(app),
            })
            .collect();
        cells.sort_unstable_by_key(|known| known.app);
        self.limit = cells.len() + 2 * self.updates.len() + MAX_CLASSES;
        for known in cells {
            self.matters(self.component[known.node as usize], known.point);
            let class = self.class(known.node, known.point);
            self.learn(class, known);
        }
        if !self.extra.is_empty() || self.copies_many() {
            self.spread();
        }
        self.updates.len() as u64 + self.class_of.len() as u64
    }

    /// Whether the cells were too many: then not all of them have their classes.
    pub fn is_crowded(&self) -> bool {
        self.classes.len() > self.limit
    }

    /// Notes that a point matters to the functions of a component.
    fn matters(&mut self, component: u32, point: Number) {
        if self.is_relevant.insert((component, point)) {
            self.relevant[component as usize].push(point);
        }
    }

    /// Notes the points of the classes that are known not to be zero. `unknown` holds the classes that were not noticed, before and after.
    fn notice(&mut self, unknown: &mut Vec<u32>) {
        let zero = self.numbers.get(&Int::ZERO);
        unknown.retain(|&class| {
            let root = self.find_class(class) as usize;
            let is_known = self.classes[root].known.is_some_and(|known| known.value != zero);
            if is_known {
                let (component, point) = self.classes[class as usize].place;
                self.matters(component, point);
            }
            !is_known
        });
    }

    /// Whether a model may have many more cells than the search has made classes for.
    fn copies_many(&self) -> bool {
        let copied = self.updates.iter().filter_map(|update| match update.source {
            Source::Copy { .. } if update.lo < update.hi => Some(&update.hi - &update.lo),
            _ => None,
        });
        copied.fold(Int::ZERO, |sum, cells| &sum + &cells) > Int::from(MAX_UNCOUNTED)
    }

    /// Makes classes for the cells that a model mentions: the ends of ranges, both sides of copies, and both sides of further definitions
    /// of functions, at all points that matter to them.
    fn spread(&mut self) {
        for i in 0..self.updates.len() {
            let update = &self.updates[i];
            if update.lo < update.hi && !matches!(update.source, Source::Havoc) {
                let (new, ends) = (update.new, [update.lo.clone(), &update.hi - Int::ONE]);
                for end in ends {
                    let point = self.numbers.get(&end);
                    self.matters(self.component[new as usize], point);
                    self.class(new, point);
                }
            }
        }
        let is_copy = |u: &u32| matches!(self.updates[*u as usize].source, Source::Copy { .. });
        let copies: Vec<u32> = (0..number(self.updates.len())).filter(is_copy).collect();
        let mut seen_extra = vec![0; self.extra.len()];
        let mut seen_copies = vec![(0, 0); copies.len()];
        let (mut unknown, mut classes) = (Vec::new(), 0);
        loop {
            unknown.extend(classes..number(self.classes.len()));
            classes = number(self.classes.len());
            self.notice(&mut unknown);
            let mut changed = false;
            for (i, seen) in seen_extra.iter_mut().enumerate() {
                changed |= self.spread_extra(self.extra[i], seen);
            }
            for (&i, seen) in copies.iter().zip(&mut seen_copies) {
                changed |= self.spread_copy(i, seen);
            }
            if !changed || self.is_crowded() {
                return;
            }
        }
    }

    /// Applies a further definition at the points that matter from position `seen` on. Whether there were any.
    fn spread_extra(&mut self, by: u32, seen: &mut usize) -> bool {
        let (new, old) = (self.updates[by as usize].new, self.updates[by as usize].old);
        let component = self.component[new as usize] as usize;
        let before = *seen;
        while let Some(&point) = self.relevant[component].get(*seen)
            && !self.is_crowded()
        {
            *seen += 1;
            let class = self.class(new, point);
            let other = if self.updates[by as usize].contains(&self.numbers.all[point as usize]) {
                self.define(class, new, point, by)
            } else {
                Some((old, point))
            };
            if let Some((node, point)) = other {
                let other = self.class(node, point);
                self.join(class, other);
            }
        }
        *seen > before
    }

    /// Lets the points that matter on one side of a copy matter on the other side, from the positions `seen` on. Whether there were any.
    fn spread_copy(&mut self, by: u32, seen: &mut (usize, usize)) -> bool {
        let Source::Copy { from, ref shift } = self.updates[by as usize].source else {
            return false;
        };
        let (new, shift) = (self.updates[by as usize].new, shift.clone());
        let before = *seen;
        while let Some(&point) = self.relevant[self.component[new as usize] as usize].get(seen.0)
            && !self.is_crowded()
        {
            seen.0 += 1;
            if self.updates[by as usize].contains(&self.numbers.all[point as usize]) {
                let at = &self.numbers.all[point as usize] + &shift;
                let at = self.numbers.get(&at);
                self.class(from, at);
            }
        }
        while let Some(&point) = self.relevant[self.component[from as usize] as usize].get(seen.1)
            && !self.is_crowded()
        {
            seen.1 += 1;
            let at = &self.numbers.all[point as usize] - &shift;
            if self.updates[by as usize].contains(&at) {
                let at = self.numbers.get(&at);
                if self.by[new as usize] != by {
                    // Nothing else would tell a further definition of this cell.
                    self.matters(self.component[new as usize], at);
                }
                self.class(new, at);
            }
        }
        *seen > before
    }

    /// Whether all classes have one value.
    pub fn is_consistent(&self) -> bool {
        self.conflicts.is_empty()
    }

    /// Whether one function is defined by two updates of which one has a range of more than two cells. Cells that no application mentions
    /// could then contradict each other.
    pub fn overlaps(&self) -> bool {
        let two = Int::from(2);
        let long = |u: &Held| &u.hi - &u.lo > two && !matches!(u.source, Source::Havoc);
        self.extra.iter().any(|&u| {
            let update = &self.updates[u as usize];
            let by = self.by[update.new as usize];
            long(update) || self.updates.get(by as usize).is_some_and(long)
        })
    }

    /// The value of the cells below a cut (or root) at a point in the model, if it has to have one.
    fn value_below(&self, owner: Node, point: Number) -> Option<Number> {
        let mut class = *self.class_of.get(&(owner, point))?;
        while self.classes[class as usize].joined != class {
            class = self.classes[class as usize].joined;
        }
        Some(self.classes[class as usize].known?.value)
    }

    /// Defines the functions of a model: by `inherit` one has the values of another one, but for the points that `define` gives it. A function with no other one above it is defined at
    /// all points that matter to functions that updates connect it with.
    ///
    /// A table in full for each function would be quadratic: a path writes ten thousands of times, and each write makes a function.
    pub fn tables(&mut self, model: &mut impl Tables) {
        self.limit = usize::MAX;
        self.spread();
        let (mut roots, mut components) = (BTreeMap::new(), BTreeSet::new());
        for node in 0..number(self.symbols.len()) {
            let component = self.component[node as usize];
            components.insert(component);
            match self.parent[node as usize] {
                NONE => roots.entry(component).or_insert_with(Vec::new).push(node),
                parent => model.inherit(self.symbols[node as usize], self.symbols[parent as usize]),
            }
        }
        // Every cell at a point that matters gets a class, so that constants and copies reach it.
        let mut cells: Vec<(Node, Number)> = Vec::new();
        for component in components {
            let mut seen = 0;
            while let Some(&point) = self.relevant[component as usize].get(seen) {
                seen += 1;
                let cuts = self.cuts(component, point);
                for &root in roots.get(&component).into_iter().flatten() {
                    self.class(root, point);
                    if !cuts.contains(&root) {
                        cells.push((root, point));
                    }
                }
                for cut in cuts {
                    self.class_below(cut, true, point);
                    cells.push((cut, point));
                }
            }
        }
        assert!(self.is_consistent(), "the cells of a model are consistent");
        for (node, point) in cells {
            let value = self.value_below(node, point);
            let value = value.map_or(Int::ZERO, |value| self.numbers.all[value as usize].clone());
            model.define(self.symbols[node as usize], &self.numbers.all[point as usize], value);
        }
    }
}

/// Takes the cells of a model.
pub(in crate::solver) trait Tables {
    /// The function has the values of another one, but for the points that it is given.
    fn inherit(&mut self, function: Symbol, from: Symbol);
    /// The function's value at a point.
    fn define(&mut self, function: Symbol, point: &Int, value: Int);
}
