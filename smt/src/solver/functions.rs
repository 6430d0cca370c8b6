//! Uninterpreted functions and function updates by lemmas on demand.
//!
//! When arithmetic and the clauses have an integer model, the applications' values are put into tables. Two applications of one
//! function at one point with different values need a congruence lemma (Ackermann 1954, on demand as in
//! lemmas-on-demand procedures, de Moura and Ruess 2002). The tables are then closed under the updates that hold: a
//! cell that one side of an update has and the other lacks is filled in. Where a filled or real cell contradicts an update, the
//! update is instantiated at an index term with that point's value, which makes the cells real. So only the cells that matter
//! ever become terms, and closed tables without contradiction *are* the model of the functions.
//!
//! Where index and range differ by a constant, instances are unconditional and are added before the search.
//!
//! When interpolating, an instance is made only if its symbols have a part in common; other index terms with
//! the same value are tried then (forward instances), and if none serves, the answer is unknown.

use super::Solver;
use super::simplex::Column;
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::{LemmaKind, Lit};
use crate::term::{Symbol, Term, TermId, TermPool, UpdateSource};
use std::collections::BTreeMap;

/// A live application.
#[derive(Clone)]
pub(super) struct App {
    pub term: TermId,
    pub symbol: Symbol,
    pub arguments: Box<[TermId]>,
    pub column: Column,
}

/// An update atom.
#[derive(Clone)]
pub(super) struct UpdateAtom {
    pub term: TermId,
    pub literal: Lit,
    pub new: Symbol,
    pub old: Symbol,
    pub lo: TermId,
    pub hi: TermId,
    pub source: UpdateSource,
}

/// A value of a function at a point.
#[derive(Clone)]
struct Cell {
    value: Int,
    /// The application that has this value; none if the cell was filled in.
    app: Option<usize>,
    /// An index term (of unary functions) that has the point's value.
    index: Option<TermId>,
}

/// The functions' tables in a candidate model.
#[derive(Default)]
pub(super) struct Tables {
    cells: FxHashMap<Symbol, BTreeMap<Vec<Int>, Cell>>,
}

impl Tables {
    fn get(&self, function: Symbol, point: &Int) -> Option<&Cell> {
        self.cells.get(&function)?.get(std::slice::from_ref(point))
    }

    fn fill(&mut self, function: Symbol, point: Int, value: Int, index: Option<TermId>) {
        let old = self.cells.entry(function).or_default().insert(
            vec![point],
            Cell {
                value,
                app: None,
                index,
            },
        );
        debug_assert!(old.is_none());
    }

    /// The points at which a unary function is known, with their index terms.
    fn points(&self, function: Symbol) -> impl Iterator<Item = (Int, Option<TermId>)> + '_ {
        self.cells
            .get(&function)
            .into_iter()
            .flatten()
            .filter_map(|(p, c)| Some((p.first()?.clone(), c.index)))
    }

    /// All functions with the values known of them.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, impl Iterator<Item = (&Vec<Int>, &Int)>)> {
        self.cells
            .iter()
            .map(|(f, cells)| (*f, cells.iter().map(|(p, c)| (p, &c.value))))
    }
}

/// What the check of the functions found.
pub(super) enum Verdict {
    /// The tables are a model.
    Consistent(Tables),
    /// Lemmas were added that exclude the candidate.
    Refined,
    /// The candidate is no model, but no allowed lemma excludes it.
    Stuck(&'static str),
}

/// The values of an update's terms in the candidate model.
struct Range {
    lo: Int,
    hi: Int,
    /// The constant, or the shift.
    source: Int,
}

impl Solver {
    /// The value of an integer term whose columns are integers. None if one is fractional.
    pub(super) fn evaluate(&mut self, pool: &TermPool, term: TermId) -> Option<Int> {
        self.form(pool, term);
        let form = &self.forms[&term];
        let mut sum = form.constant.clone();
        for (coeff, column) in &form.monomials {
            let value = &self.arith.tableau.column(*column).value;
            if !value.is_integer() {
                return None;
            }
            sum.add_mul(coeff, value.numer());
        }
        Some(sum)
    }

    /// Checks the candidate model's functions. All live columns have integer values.
    pub(super) fn check_functions(&mut self, pool: &mut TermPool) -> Verdict {
        let (mut tables, mut clashes) = (Tables::default(), Vec::new());
        for i in 0..self.live_apps.len() {
            let app = self.live_apps[i].clone();
            let point: Vec<Int> = app
                .arguments
                .iter()
                .map(|&a| self.evaluate(pool, a).expect("live columns are integers"))
                .collect();
            let value = self.arith.tableau.column(app.column).value.numer().clone();
            let cells = tables.cells.entry(app.symbol).or_default();
            match cells.get(&point) {
                Some(cell) if cell.value != value => clashes.push((cell.app.expect("only real cells yet"), i)),
                Some(_) => {}
                None => {
                    let index = (app.arguments.len() == 1).then(|| app.arguments[0]);
                    cells.insert(
                        point,
                        Cell {
                            value,
                            app: Some(i),
                            index,
                        },
                    );
                }
            }
            self.search.ticks += 1;
        }
        if !clashes.is_empty() {
            let mut refined = false;
            for (a, b) in clashes {
                refined |= self.add_congruence(pool, a, b);
            }
            return if refined {
                Verdict::Refined
            } else {
                Verdict::Stuck("mixed lemma")
            };
        }
        self.check_updates(pool, tables)
    }

    /// The two congruence lemmas of two applications of one function; by way of a bridge if they are not allowed.
    fn add_congruence(&mut self, pool: &mut TermPool, a: usize, b: usize) -> bool {
        let (a, b) = (self.live_apps[a].clone(), self.live_apps[b].clone());
        self.add_congruence_of(pool, (a.term, &a.arguments), (b.term, &b.arguments)) || self.add_bridge(pool, &a, &b)
    }

    /// The two congruence lemmas of two applications, each with its arguments. False if that is not allowed.
    pub(super) fn add_congruence_of(
        &mut self,
        pool: &mut TermPool,
        a: (TermId, &[TermId]),
        b: (TermId, &[TermId]),
    ) -> bool {
        let Some(part) = self.common_part(pool, &[a.0, b.0]) else {
            return false;
        };
        self.part = part;
        let mut disjuncts = Vec::new();
        for (&x, &y) in a.1.iter().zip(b.1) {
            disjuncts.extend([pool.lt(x, y), pool.gt(x, y)]);
        }
        for (left, right) in [(a.0, b.0), (b.0, a.0)] {
            disjuncts.push(pool.le(left, right));
            if self.instances.insert((left, right)) {
                self.add_lemma(pool, &disjuncts, LemmaKind::Congruence { left, right });
            }
            for &formula in &disjuncts {
                self.suggest(pool, formula);
            }
            disjuncts.pop();
        }
        true
    }

    /// Makes a part of an update's instance live, now and in the following checks of this scope.
    pub(super) fn activate_instance(&mut self, pool: &mut TermPool, part: TermId) {
        if self.live_terms.get(part.index()) != Some(&true) {
            self.activate_root(pool, part);
            self.lemma_roots.push(part);
        }
    }

    /// Suggests to decide an inequality of a congruence lemma as the candidate model has it. The lemma is false in that
    /// model, so the last of its literals will be propagated against it. Its atoms are not made live: there are many such
    /// lemmas, and where one does not matter, nobody needs to decide them.
    fn suggest(&mut self, pool: &mut TermPool, formula: TermId) {
        if !matches!(pool.term(formula), Term::True | Term::False) {
            let var = self.literal(pool, formula).var();
            if self.arith.atom(var).is_some() {
                self.suggested.push(var);
            }
        }
    }

    /// Closes the tables under the live updates that hold.
    fn check_updates(&mut self, pool: &mut TermPool, mut tables: Tables) -> Verdict {
        let mut updates: Vec<(UpdateAtom, Range)> = Vec::new();
        for i in 0..self.live_updates.len() {
            let update = self.updates[&self.live_updates[i]].clone();
            if !self.search.is_true(update.literal) {
                continue;
            }
            let source = match update.source {
                UpdateSource::Const(value) => value,
                UpdateSource::Copy { shift, .. } => shift,
                UpdateSource::Havoc => update.lo,
            };
            let mut value = |t| self.evaluate(pool, t).expect("live columns are integers");
            let range = Range {
                lo: value(update.lo),
                hi: value(update.hi),
                source: value(source),
            };
            updates.push((update, range));
        }
        let (mut backwards, mut clashes) = (false, Vec::new());
        loop {
            let mut changed = false;
            for i in 0..updates.len() {
                let (update, range) = &updates[if backwards { updates.len() - 1 - i } else { i }];
                changed |= self.close_under(pool, update, range, &mut tables, &mut clashes);
            }
            if !clashes.is_empty() || !changed {
                break;
            }
            backwards = !backwards;
        }
        if clashes.is_empty() {
            return if overlapping(&updates) {
                Verdict::Stuck("overlapping updates")
            } else {
                Verdict::Consistent(tables)
            };
        }
        let mut refined = false;
        for (update, index, point) in clashes {
            refined |= self.instantiate_somewhere(pool, &update, index, &point);
        }
        if refined {
            Verdict::Refined
        } else {
            Verdict::Stuck("mixed lemma")
        }
    }

    /// Fills cells on the side of an update that lacks them; notes where both sides are known and differ.
    fn close_under(
        &mut self,
        pool: &mut TermPool,
        update: &UpdateAtom,
        range: &Range,
        tables: &mut Tables,
        clashes: &mut Vec<(UpdateAtom, Option<TermId>, Int)>,
    ) -> bool {
        let mut points: BTreeMap<Int, Option<TermId>> =
            tables.points(update.new).chain(tables.points(update.old)).collect();
        if range.lo < range.hi && update.source != UpdateSource::Havoc {
            points.entry(range.lo.clone()).or_insert(Some(update.lo));
            let last = &range.hi - &Int::from(1);
            if last != range.lo {
                let one = pool.int(1);
                let index = pool.sub(update.hi, one);
                points.entry(last).or_insert(Some(index));
            }
        }
        if let UpdateSource::Copy { from, shift } = update.source {
            for (point, index) in tables.points(from) {
                let index = index.map(|x| pool.sub(x, shift));
                points.entry(&point - &range.source).or_insert(index);
            }
        }
        self.search.ticks += points.len() as u64;
        let mut changed = false;
        for (point, index) in points {
            let inside = range.lo <= point && point < range.hi;
            let have = tables.get(update.new, &point).map(|c| c.value.clone());
            // Where the other side's value stands, if it stands in a table.
            let (place, wanted) = if !inside {
                (
                    Some((update.old, point.clone())),
                    tables.get(update.old, &point).map(|c| c.value.clone()),
                )
            } else {
                match update.source {
                    UpdateSource::Havoc => continue,
                    UpdateSource::Const(_) => (None, Some(range.source.clone())),
                    UpdateSource::Copy { from, .. } => {
                        let at = &point + &range.source;
                        let value = tables.get(from, &at).map(|c| c.value.clone());
                        (Some((from, at)), value)
                    }
                }
            };
            match (have, wanted) {
                (Some(have), Some(wanted)) if have != wanted => clashes.push((update.clone(), index, point)),
                (None, Some(wanted)) => {
                    tables.fill(update.new, point, wanted, index);
                    changed = true;
                }
                (Some(have), None) => {
                    let (function, at) = place.expect("a constant is always known");
                    let index = match (inside, update.source, index) {
                        (true, UpdateSource::Copy { shift, .. }, Some(x)) => Some(pool.add(x, shift)),
                        _ => index,
                    };
                    tables.fill(function, at, have, index);
                    changed = true;
                }
                _ => {}
            }
        }
        changed
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
            self.live_apps
                .iter()
                .filter(|a| a.arguments.len() == 1)
                .map(|a| a.arguments[0]),
        );
        candidates.extend(self.live_updates.iter().map(|u| self.updates[u].lo));
        candidates.sort_unstable();
        candidates.dedup();
        let mut done = false;
        for candidate in candidates {
            let fresh = !self.instances.contains(&(update.term, candidate));
            if fresh && self.evaluate(pool, candidate).as_ref() == Some(point) {
                done |= self.instantiate(pool, update, candidate);
            }
        }
        if !done && let Some(value) = self.value_as_index(pool, update.term, point) {
            done = self.instantiate(pool, update, value);
        }
        done
    }

    /// Adds the instances of an update at an index. False if that is not allowed.
    fn instantiate(&mut self, pool: &mut TermPool, update: &UpdateAtom, x: TermId) -> bool {
        let Some(part) = self.common_part(pool, &[update.term, x]) else {
            return false;
        };
        self.part = part;
        let apply = |pool: &mut TermPool, f: Symbol, x: TermId| pool.app(f.name, f.index, &[x]);
        let (below, above) = (pool.lt(x, update.lo), pool.ge(x, update.hi));
        let (not_below, not_above, not_update) = (pool.not(below), pool.not(above), pool.not(update.term));
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
        let mut clauses: Vec<Vec<TermId>> = Vec::new();
        for (guard, value) in [
            (vec![below, above], written),
            (vec![not_below], Some(old)),
            (vec![not_above], Some(old)),
        ] {
            let Some(value) = value else { continue };
            for conclusion in [pool.le(new, value), pool.ge(new, value)] {
                clauses.push([vec![not_update], guard.clone(), vec![conclusion]].concat());
            }
        }
        let fresh = self.instances.insert((update.term, x));
        let kind = LemmaKind::Update {
            atom: update.term,
            at: x,
        };
        let truth = pool.mk_true();
        for clause in clauses {
            if clause.contains(&truth) {
                continue;
            }
            if fresh {
                self.add_lemma(pool, &clause, kind);
            }
            for formula in clause {
                self.activate_instance(pool, formula);
            }
        }
        self.activate_instance(pool, new);
        true
    }

    /// Adds the instances whose index lies at a constant distance from the update's range, for live applications and updates
    /// that were not looked at yet.
    pub(super) fn add_eager_instances(&mut self, pool: &mut TermPool) {
        while self.eager_apps < self.live_apps.len() || self.eager_updates < self.live_updates.len() {
            if self.eager_updates < self.live_updates.len() {
                let update = self.updates[&self.live_updates[self.eager_updates]].clone();
                self.eager_updates += 1;
                for i in 0..self.eager_apps {
                    self.instantiate_eagerly(pool, &update, i);
                }
                let writers = self.writers.entry(update.new).or_default();
                if !writers.contains(&update.term) {
                    writers.push(update.term);
                }
            } else {
                let app = self.eager_apps;
                self.eager_apps += 1;
                let writers = self
                    .writers
                    .get(&self.live_apps[app].symbol)
                    .cloned()
                    .unwrap_or_default();
                for term in writers {
                    let live = self.live_terms.get(term.index()) == Some(&true);
                    if live {
                        let update = self.updates[&term].clone();
                        self.instantiate_eagerly(pool, &update, app);
                    }
                }
            }
        }
    }

    fn instantiate_eagerly(&mut self, pool: &mut TermPool, update: &UpdateAtom, app: usize) {
        let app = &self.live_apps[app];
        if app.symbol != update.new || app.arguments.len() != 1 {
            return;
        }
        let x = app.arguments[0];
        let (below, above) = (pool.lt(x, update.lo), pool.ge(x, update.hi));
        let is_true = |f: TermId| matches!(pool.term(f), Term::True);
        let decided = is_true(below) || is_true(above) || [below, above].iter().all(|&f| *pool.term(f) == Term::False);
        if decided {
            self.instantiate(pool, update, x);
        }
    }
}

/// Whether one function is defined by two updates of which one has a range of more than two cells. Cells that no table mentions
/// could then contradict each other.
fn overlapping(updates: &[(UpdateAtom, Range)]) -> bool {
    let mut seen: FxHashMap<Symbol, bool> = FxHashMap::default();
    let two = Int::from(2);
    updates.iter().any(|(update, range)| {
        let long = &range.hi - &range.lo > two && update.source != UpdateSource::Havoc;
        match seen.insert(update.new, long) {
            Some(other) => long || other,
            None => false,
        }
    })
}
