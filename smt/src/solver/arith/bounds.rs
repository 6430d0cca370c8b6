//! Arithmetic atoms as bounds on the columns of the tableau, and what bounds imply.
//!
//! An atom `t <= k` is an upper bound. Its negation is the lower bound `k + 1` if `t` is an integer, and the lower bound just above `k`
//! if not; the strict atom of a real `t` is an upper bound just below `k`. Bounds follow the trail: [`Arithmetic::undo`] forgets
//! those of literals that are no longer assigned.
//!
//! Implied atoms: a bound decides all weaker atoms on the same column (explained by two literals); a row, all of whose other
//! columns are bounded, bounds its last column (explained by the row). Both explanations are Farkas lemmas.

use super::definitions::Definitions;
use super::simplex::Outcome;
use super::tableau::{Bound, Column, ColumnData, Entry, NO_ROW, Tableau};
use crate::fault::planted;
use crate::num::{Delta, Int, Number, Rational};
use crate::proof::{Lit, Var};
use crate::solver::Limits;
use crate::solver::events::Event;
use crate::solver::limits::{MAX_ROW, MAX_ROWS};
use crate::solver::sat::search::{Reason, Search, Value};
use crate::solver::theory::{Follower, Stop, Theory, Ticket};

/// An atom `column <= upper`, whose negation is `column >= lower`.
struct Atom {
    column: Column,
    upper: Number,
    lower: Number,
}

struct Undo {
    position: usize,
    column: Column,
    upper: bool,
    old: Option<Bound>,
}

/// The value of a bound on an integer column.
fn int(bound: &Bound) -> &Int {
    bound.value.as_int().expect("integer columns have integer bounds")
}

/// The strongest open atom that this upper bound on a column implies. Open atoms lie between the bounds that the column has already.
fn implied_upper(search: &Search, data: &ColumnData, bound: &Number) -> Option<Lit> {
    if data.upper.as_ref().is_some_and(|upper| upper.value <= *bound) {
        return None;
    }
    let from = data.atoms_below(bound);
    let next = data.atoms[from..]
        .iter()
        .take_while(|(k, _)| data.upper.as_ref().is_none_or(|upper| *k < upper.value))
        .find(|(_, var)| search.value(var.positive()) == Value::Open);
    next.map(|(_, var)| var.positive())
}

/// The strongest open atom whose negation this lower bound on a column implies, negated.
fn implied_lower(search: &Search, data: &ColumnData, bound: &Number) -> Option<Lit> {
    if data.lower.as_ref().is_some_and(|lower| lower.value >= *bound) {
        return None;
    }
    let to = data.atoms_below(bound);
    let next = data.atoms[..to]
        .iter()
        .rev()
        .take_while(|(k, _)| data.lower.as_ref().is_none_or(|lower| *k >= lower.value))
        .find(|(_, var)| search.value(var.positive()) == Value::Open);
    next.map(|(_, var)| var.negative())
}

#[derive(Default)]
pub(in crate::solver) struct Arithmetic {
    pub tableau: Tableau,
    /// For each propositional variable its atom, if it is one.
    atoms: Vec<Option<Atom>>,
    undo: Vec<Undo>,
    /// The literals of the trail before this position are known here.
    pub head: usize,
    /// Columns one of whose bounds changed since the last row propagation, and whether it was the upper one.
    changed: Vec<(Column, bool)>,
    /// For each row, and whether it is the least value or the greatest one of its sum, the last round that looked at it.
    seen: Vec<u64>,
    round: u64,
    /// Scratch: the rows of a round.
    rows: Vec<(u32, bool)>,
    /// While the simplex rests, what propagates in its place.
    pub resting: Option<Definitions>,
    /// Whether bounds have changed without regard to the values.
    pub is_stale: bool,
}

/// The outcome of a look at a row.
pub(super) enum Told {
    Nothing,
    /// Literals were assigned.
    Implied,
    Conflict(Reason),
}

impl Arithmetic {
    /// Makes `var` stand for `column <= k`.
    pub fn add_atom(&mut self, var: Var, column: Column, k: Number) {
        if self.atoms.len() <= var.index() {
            self.atoms.resize_with(var.index() + 1, || None);
        }
        let data = &mut self.tableau.columns[column.index()];
        let at = data.atoms_below(&k);
        data.atoms.insert(at, (k.clone(), var));
        let lower = match k.as_int() {
            Some(k) if !data.is_real => Number::from(k + &Int::ONE),
            _ => k.just_above(),
        };
        self.atoms[var.index()] = Some(Atom {
            column,
            upper: k,
            lower,
        });
    }

    /// The column and constant of an atom `column <= k`.
    pub fn atom(&self, var: Var) -> Option<(Column, &Number)> {
        let atom = self.atoms.get(var.index())?.as_ref()?;
        Some((atom.column, &atom.upper))
    }

    /// Forgets the bounds of literals at or behind this position of the trail.
    pub fn undo(&mut self, position: usize) {
        self.head = self.head.min(position);
        while self.undo.last().is_some_and(|u| u.position >= position) {
            let undo = self.undo.pop().expect("there is a last one");
            let data = &mut self.tableau.columns[undo.column.index()];
            if undo.upper {
                data.upper = undo.old;
            } else {
                data.lower = undo.old;
            }
        }
    }

    /// Takes the literals of the trail over as bounds, up to a contradiction of two of them.
    fn take_over_bounds(&mut self, search: &mut Search) -> Option<Reason> {
        self.undo(search.kept[Follower::Arithmetic as usize]);
        while self.head < search.trail.len() {
            let literal = search.trail[self.head];
            if let Some(Some(atom)) = self.atoms.get(literal.var().index()) {
                let value = if literal.is_negative() {
                    &atom.lower
                } else {
                    &atom.upper
                };
                let (column, value) = (atom.column, value.clone());
                if let Some(conflict) = self.assert_bound(search, literal, column, value) {
                    search.kept[Follower::Arithmetic as usize] = self.head;
                    return Some(conflict);
                }
            }
            self.head += 1;
        }
        search.kept[Follower::Arithmetic as usize] = search.trail.len();
        None
    }

    fn assert_bound(&mut self, search: &mut Search, literal: Lit, column: Column, value: Number) -> Option<Reason> {
        let upper = !literal.is_negative();
        let data = &mut self.tableau.columns[column.index()];
        let (own, other) = if upper {
            (&mut data.upper, &data.lower)
        } else {
            (&mut data.lower, &data.upper)
        };
        if own
            .as_ref()
            .is_some_and(|b| if upper { b.value <= value } else { b.value >= value })
        {
            return None;
        }
        if let Some(b) = other
            && (if upper { b.value > value } else { b.value < value })
        {
            let lemma = vec![!literal, !b.literal];
            let coeffs = if search.events.is_traced() {
                vec![Int::from(1); 2]
            } else {
                Vec::new()
            };
            return Some(search.add_farkas(lemma, coeffs));
        }
        let old = own.replace(Bound {
            value: value.clone(),
            literal,
        });
        // The atoms between the old and the new bound are decided by the new one.
        let (from, to) = if upper {
            let from = data.atoms_below(&value);
            (
                from,
                old.as_ref().map_or(data.atoms.len(), |o| data.atoms_below(&o.value)),
            )
        } else {
            let to = data.atoms_below(&value);
            (old.as_ref().map_or(0, |o| data.atoms_below(&o.value)), to)
        };
        search.ticks += 1 + (to.saturating_sub(from)) as u64;
        for (_, var) in data.atoms.get(from..to).unwrap_or_default() {
            let implied = var.literal(upper);
            if search.value(implied) == Value::Open {
                search.events.emit(Event::TheoryPropagation);
                search.assign(implied, Reason::Bound(literal));
            }
        }
        self.undo.push(Undo {
            position: self.head,
            column,
            upper,
            old,
        });
        if let Some(definitions) = &mut self.resting {
            definitions.change(column, upper);
            self.is_stale = true;
            return None;
        }
        self.changed.push((column, upper));
        match self.tableau.column(column).violation() {
            Some(_) if self.tableau.column(column).row == NO_ROW => {
                self.tableau.shift_to(column, &value);
            }
            Some(_) => self.tableau.suspect(column),
            None => {}
        }
        None
    }

    /// Decides by the simplex whether the bounds are consistent over the rational numbers.
    pub fn settle(&mut self, search: &mut Search, limits: &Limits) -> Result<(), Stop> {
        let before = self.tableau.ticks;
        let base = search.ticks;
        let mut may_go_on = |ticks| limits.allow(base + ticks - before);
        let outcome = if std::mem::take(&mut self.is_stale) {
            self.tableau.recheck(&mut may_go_on)
        } else {
            self.tableau.check(&mut may_go_on)
        };
        search.ticks = base + self.tableau.ticks - before;
        search.events.emit(Event::Pivots {
            total: self.tableau.pivots,
        });
        match outcome {
            Outcome::Feasible => Ok(()),
            Outcome::Exhausted => Err(Stop::Exhausted),
            Outcome::Infeasible(row, too_low) => {
                let (basic, is_traced) = (self.tableau.rows[row as usize].basic, search.events.is_traced());
                let (literals, coeffs) = self.explain_row(row, basic, too_low, is_traced);
                Err(Stop::Conflict(search.add_farkas(literals, coeffs)))
            }
        }
    }

    /// The negated bound literals of a row that (together) keep `of` from rising (or falling) past some value, and the coefficients.
    ///
    /// If `of` is to be above its lower bound, then with the row oriented such that `of` has a positive coefficient, the sum of the
    /// other columns has to be low, so lower bounds of positive and upper bounds of negative ones count.
    fn explain_row(&self, row: u32, of: Column, rise: bool, record: bool) -> (Vec<Lit>, Vec<Int>) {
        let entries = &self.tableau.rows[row as usize].entries;
        let positive = self.tableau.coefficient(row, of).is_positive() == rise;
        let (mut literals, mut coeffs) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in entries {
            let data = self.tableau.column(entry.column);
            let bound = if entry.coeff.is_positive() == positive {
                &data.lower
            } else {
                &data.upper
            };
            literals.push(!bound.as_ref().expect("a column that cannot move is at a bound").literal);
            if record {
                coeffs.push(entry.coeff.abs());
            }
        }
        if planted("explanation-dropped") && literals.len() > 1 {
            literals.pop();
            coeffs.truncate(literals.len());
        }
        if planted("farkas-coefficient")
            && let Some(first) = coeffs.first_mut()
        {
            *first = &*first + &Int::ONE;
        }
        (literals, coeffs)
    }

    /// Assigns open atoms that the rows with changed bounds imply. Cheap, and capped.
    fn propagate_rows(&mut self, search: &mut Search) {
        // The least value of a row's sum depends on the lower bounds of columns with positive coefficients and on the upper bounds of the others.
        let mut rows = std::mem::take(&mut self.rows);
        self.round += 1;
        self.seen.resize(2 * self.tableau.rows.len(), 0);
        'collect: for (column, upper) in self.changed.drain(..) {
            for link in &self.tableau.column(column).links {
                let entries = &self.tableau.rows[link.row as usize].entries;
                let low = entries[link.at as usize].coeff.is_positive() != upper;
                let seen = &mut self.seen[2 * link.row as usize + usize::from(low)];
                if entries.len() > MAX_ROW || std::mem::replace(seen, self.round) == self.round {
                    continue;
                }
                rows.push((link.row, low));
                if rows.len() == 2 * MAX_ROWS {
                    break 'collect;
                }
            }
        }
        for (row, low) in rows.drain(..) {
            let entries = &self.tableau.rows[row as usize].entries;
            if self.tableau.has_reals {
                propagate_real_row(&self.tableau, search, entries, low);
            } else {
                propagate_row(&self.tableau, search, entries, low, false);
            }
        }
        self.rows = rows;
    }
}

/// The bound at which an entry has its least value, or its greatest one.
fn extreme<'t>(tableau: &'t Tableau, entry: &Entry, low: bool) -> Option<&'t Bound> {
    let data = tableau.column(entry.column);
    let bound = if entry.coeff.is_positive() == low {
        &data.lower
    } else {
        &data.upper
    };
    bound.as_ref()
}

/// With `low`, uses the least value of the sum of the entries (which is zero) to bound each column from the side that raises the sum. A contradiction is looked for
/// if `conflicts` is set: the simplex finds it anyway.
pub(super) fn propagate_row(
    tableau: &Tableau,
    search: &mut Search,
    entries: &[Entry],
    low: bool,
    conflicts: bool,
) -> Told {
    search.ticks += entries.len() as u64;
    // Most rows have two columns without a bound there: nothing is summed up for them.
    let (mut sum, mut unbounded) = (Int::ZERO, None);
    for (i, entry) in entries.iter().enumerate() {
        match extreme(tableau, entry, low) {
            Some(bound) => sum.add_mul(&entry.coeff, int(bound)),
            None if unbounded.is_none() => unbounded = Some(i),
            None => return Told::Nothing,
        }
    }
    let mut implied: Vec<(usize, Lit)> = Vec::new();
    match unbounded {
        Some(i) => {
            implied.extend(implied_by(tableau, search, &entries[i], low, &-&sum).map(|literal| (i, literal)));
        }
        None if conflicts && if low { sum.is_positive() } else { sum.is_negative() } => {
            let (literals, coeffs) = explain_sum(tableau, search, entries, low, None);
            return Told::Conflict(search.add_farkas(literals, coeffs));
        }
        None => {
            for (i, entry) in entries.iter().enumerate() {
                let data = tableau.column(entry.column);
                let (Some(own), false) = (extreme(tableau, entry, low), data.atoms.is_empty()) else {
                    continue;
                };
                // The column can leave its bound by as much as the sum lies below zero. Often its other bound does not let it go as far.
                let own = int(own);
                if let Some(other) = extreme(tableau, entry, !low) {
                    let mut slack = sum.clone();
                    slack.add_mul(&entry.coeff, &(int(other) - own));
                    let is_looser = if low {
                        !slack.is_positive()
                    } else {
                        !slack.is_negative()
                    };
                    if is_looser {
                        continue;
                    }
                }
                let mut rest = -&sum;
                rest.add_mul(&entry.coeff, own);
                implied.extend(implied_by(tableau, search, entry, low, &rest).map(|literal| (i, literal)));
            }
        }
    }
    assign_implied(tableau, search, entries, low, implied)
}

/// The strongest open atom that `coeff * x <= rest` implies, or with `low` false `coeff * x >= rest`.
fn implied_by(tableau: &Tableau, search: &Search, entry: &Entry, low: bool, rest: &Int) -> Option<Lit> {
    let data = tableau.column(entry.column);
    if entry.coeff.is_positive() == low {
        // The quotient rounded down, with a positive divisor.
        let bound = match entry.coeff.to_i64() {
            Some(1) => rest.clone(),
            Some(-1) => -rest,
            _ if low => rest.div_floor(&entry.coeff),
            _ => (-rest).div_floor(&-&entry.coeff),
        };
        implied_upper(search, data, &Number::from(bound))
    } else {
        let bound = match entry.coeff.to_i64() {
            Some(1) => rest.clone(),
            Some(-1) => -rest,
            _ if low => (-rest).div_ceil(&-&entry.coeff),
            _ => rest.div_ceil(&entry.coeff),
        };
        implied_lower(search, data, &Number::from(bound))
    }
}

/// As [`propagate_row`], where columns are real or bounds strict.
fn propagate_real_row(tableau: &Tableau, search: &mut Search, entries: &[Entry], low: bool) -> Told {
    search.ticks += entries.len() as u64;
    // Most rows have two such columns: nothing is summed up for them.
    let mut open = (0..entries.len()).filter(|&i| extreme(tableau, &entries[i], low).is_none());
    let unbounded = open.next();
    if open.next().is_some() {
        return Told::Nothing;
    }
    let mut sum = Delta::default();
    for entry in entries {
        if let Some(bound) = extreme(tableau, entry, low) {
            sum.add_mul(&Rational::from(&entry.coeff), &bound.value.to_delta());
        }
    }
    let minus_one = Rational::from(Int::MINUS_ONE);
    let mut implied: Vec<(usize, Lit)> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let data = tableau.column(entry.column);
        if data.atoms.is_empty() || unbounded.is_some_and(|u| u != i) {
            continue;
        }
        let coeff = Rational::from(&entry.coeff);
        let mut rest = sum.times(&minus_one);
        if let Some(own) = extreme(tableau, entry, low) {
            rest.add_mul(&coeff, &own.value.to_delta());
        }
        let bound = rest.times(&coeff.recip());
        let literal = if entry.coeff.is_positive() == low {
            let bound = if data.is_real {
                bound.into()
            } else {
                Number::from(bound.floor())
            };
            implied_upper(search, data, &bound)
        } else {
            let bound = if data.is_real {
                bound.into()
            } else {
                Number::from(bound.ceil())
            };
            implied_lower(search, data, &bound)
        };
        implied.extend(literal.map(|literal| (i, literal)));
    }
    assign_implied(tableau, search, entries, low, implied)
}

/// The lemma that the extremes of all entries contradict each other, or all but one of them, in whose place the implied literal stands. With coefficients if clauses are traced.
fn explain_sum(
    tableau: &Tableau,
    search: &Search,
    entries: &[Entry],
    low: bool,
    implied: Option<(usize, Lit)>,
) -> (Vec<Lit>, Vec<Int>) {
    let (mut literals, mut coeffs) = (Vec::with_capacity(entries.len()), Vec::new());
    for (i, entry) in entries.iter().enumerate() {
        literals.push(match implied {
            Some((at, literal)) if at == i => literal,
            _ => !extreme(tableau, entry, low).expect("the others are bounded").literal,
        });
        if search.events.is_traced() {
            coeffs.push(entry.coeff.abs());
        }
    }
    (literals, coeffs)
}

/// Assigns the literals that a sum implies, each at its position, with the bounds of the others as the reason.
fn assign_implied(
    tableau: &Tableau,
    search: &mut Search,
    entries: &[Entry],
    low: bool,
    implied: Vec<(usize, Lit)>,
) -> Told {
    let mut told = Told::Nothing;
    for (at, literal) in implied {
        let (literals, coeffs) = explain_sum(tableau, search, entries, low, Some((at, literal)));
        if search.value(literal) == Value::Open
            && !literals
                .iter()
                .enumerate()
                .any(|(i, &l)| i != at && !search.is_false(l))
        {
            let reason = search.add_farkas(literals, coeffs);
            search.events.emit(Event::TheoryPropagation);
            search.assign(literal, reason);
            told = Told::Implied;
        }
    }
    told
}

impl Theory for Arithmetic {
    fn take_over(&mut self, search: &mut Search) -> Result<(), Reason> {
        self.take_over_bounds(search).map_or(Ok(()), Err)
    }

    /// Makes the tableau feasible. While the simplex rests, its definitions propagate instead.
    fn check(&mut self, search: &mut Search, limits: &Limits) -> Result<(), Stop> {
        match &mut self.resting {
            Some(definitions) => definitions.propagate(&self.tableau, search).map_err(Stop::Conflict),
            None => self.settle(search, limits),
        }
    }

    fn propagate(&mut self, search: &mut Search) {
        if self.resting.is_none() {
            self.propagate_rows(search);
        }
    }

    fn explain(&mut self, _: &mut u64, _: Ticket) -> Vec<Lit> {
        unreachable!("arithmetic makes no promises")
    }

    fn begin_candidate(&mut self) {
        self.tableau.concretise();
    }

    fn end_candidate(&mut self) {
        self.tableau.restore();
    }
}
