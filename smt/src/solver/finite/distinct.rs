//! Integers that are pairwise different.
//!
//! Disequations that are known at the root of the search form a graph; each of its edges gets into a clique, if there are three integers that are pairwise different. For each clique, bounds are propagated along
//! *Hall's intervals*: if as many integers as there are values from `l` to `u` have to be there, all others have to be elsewhere (Leconte, *A bounds-based reduction scheme for
//! constraints of difference*, 1996; Puget, *A fast algorithm for the bound consistency of alldiff constraints*, 1998). If they are more, there is a contradiction.
//!
//! Integers that are bounded relative to a [reference](super::reference) are as different as their differences from it are.
//!
//! The explanations are lemmas by Dirichlet's principle ([`LemmaKind::Pigeonhole`](crate::proof::LemmaKind::Pigeonhole)). Their bounds are as weak as the interval allows.

use super::Solver;
use super::values::Difference;
use crate::fault::planted;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::{Lit, Part, Var};
use crate::solver::arith::tableau::{Bound, Column};
use crate::solver::events::Event;
use crate::solver::sat::search::{Reason, Search, Value};
use crate::term::{TermId, TermPool};

/// Cliques have no more members.
const MAX_MEMBERS: usize = 256;
/// No more cliques are looked for.
const MAX_CLIQUES: usize = 4_096;

/// Integers that are pairwise different.
struct Clique {
    /// Their columns, and whether these are their negations.
    members: Vec<(Column, bool)>,
    /// The equations of each two members, which are false: of the members `i < j` at `j * (j - 1) / 2 + i`.
    equations: Vec<Var>,
    /// A part in which all members may occur.
    part: Part,
    /// Whether a bound has changed since the last look.
    is_dirty: bool,
}

/// The cliques.
#[derive(Default)]
pub(super) struct Cliques {
    all: Vec<Clique>,
    /// For each column its cliques.
    of: FxHashMap<Column, Vec<usize>>,
    dirty: Vec<usize>,
}

/// A member with its bounds.
#[derive(Clone, Copy)]
struct Member {
    at: usize,
    low: i64,
    high: i64,
}

/// Integers of a clique that leave no room between two values.
struct Hall {
    low: i64,
    high: i64,
    /// Their positions in the clique.
    members: Vec<usize>,
}

impl Hall {
    /// The interval as a column has it that is a member or the negation of one.
    fn range(&self, is_negative: bool) -> (i64, i64) {
        if is_negative {
            (-self.high, -self.low)
        } else {
            (self.low, self.high)
        }
    }
}

impl Solver {
    /// Covers the disequations by cliques.
    pub(super) fn find_cliques(&mut self, pool: &mut TermPool) {
        let mut neighbours: FxHashMap<Column, FxHashMap<Column, Var>> = FxHashMap::default();
        let mut edges: Vec<(Column, Column)> = Vec::new();
        let terms = &self.columns.terms;
        let differences = self.differences(pool);
        let negative: FxHashMap<Column, bool> = self
            .finite
            .reference
            .differences()
            .map(|(column, is_positive)| (column, !is_positive))
            .collect();
        let is_edge = |d: &&Difference| d.is_of_leaves(pool, terms, &negative);
        for difference in differences.iter().filter(is_edge) {
            let (a, b) = (difference.left, difference.right);
            neighbours.entry(a).or_default().insert(b, difference.equation);
            neighbours.entry(b).or_default().insert(a, difference.equation);
            edges.push((a.min(b), a.max(b)));
        }
        edges.sort_unstable();
        let mut covered: FxHashSet<(Column, Column)> = FxHashSet::default();
        for (a, b) in edges {
            if covered.contains(&(a, b)) || self.finite.cliques.all.len() == MAX_CLIQUES {
                continue;
            }
            let mut members = vec![a, b];
            let mut candidates: Vec<Column> = neighbours[&a].keys().copied().filter(|c| *c != b).collect();
            candidates.sort_unstable();
            for candidate in candidates {
                self.search.ticks += 1;
                let own = &neighbours[&candidate];
                if members.len() < MAX_MEMBERS && members.iter().all(|member| own.contains_key(member)) {
                    members.push(candidate);
                }
            }
            let mut equations = Vec::new();
            for (j, right) in members.iter().enumerate() {
                for left in &members[..j] {
                    covered.insert((*left.min(right), *left.max(right)));
                    equations.push(neighbours[left][right]);
                }
            }
            let terms: Vec<TermId> = members.iter().map(|c| self.columns.terms[c.index()]).collect();
            let part = self.common_part(pool, &terms);
            if let (true, Some(part)) = (members.len() > 2, part) {
                let is_negative = |column: Column| negative.get(&column) == Some(&true);
                let members = members
                    .into_iter()
                    .map(|column| (column, is_negative(column)))
                    .collect();
                self.finite.cliques.add(members, equations, part);
            }
        }
    }

    /// Propagates along Hall's intervals. Whether literals were assigned; or a conflict.
    pub(in crate::solver) fn propagate_cliques(&mut self) -> Result<bool, Reason> {
        if !self.finite.is_on() {
            return Ok(false);
        }
        let Some(definitions) = &mut self.theories.arith.resting else {
            return Ok(false);
        };
        for column in definitions.changed.drain(..) {
            self.finite.cliques.touch(column);
        }
        while let Some(number) = self.finite.cliques.dirty.pop() {
            self.finite.cliques.all[number].is_dirty = false;
            match self.propagate_clique(number) {
                Ok(false) => {}
                told => {
                    // The consequences are looked at again.
                    self.finite.cliques.mark(number);
                    return told;
                }
            }
        }
        Ok(false)
    }

    fn propagate_clique(&mut self, number: usize) -> Result<bool, Reason> {
        let clique = &self.finite.cliques.all[number];
        let mut members: Vec<Member> = Vec::with_capacity(clique.members.len());
        for (at, &(column, is_negative)) in clique.members.iter().enumerate() {
            let data = self.theories.arith.tableau.column(column);
            let value = |bound: &Option<Bound>| {
                bound
                    .as_ref()?
                    .value
                    .as_int()?
                    .to_i64()
                    .filter(|value| *value > i64::MIN)
            };
            if let (Some(low), Some(high)) = (value(&data.lower), value(&data.upper)) {
                let (low, high) = if is_negative { (-high, -low) } else { (low, high) };
                members.push(Member { at, low, high });
            }
        }
        self.search.ticks += members.len() as u64;
        let halls = match hall_intervals(&mut members, &mut self.search.ticks) {
            Ok(halls) => halls,
            Err(crowd) => return self.explain_crowd(number, &crowd, None).map_or(Ok(false), Err),
        };
        let mut assigned = false;
        for hall in halls {
            for member in &members {
                if hall.members.contains(&member.at) {
                    continue;
                }
                // Each member has a bound inside of the interval, and has to leave it on the other side.
                let inside = |value: i64| hall.low <= value && value <= hall.high;
                let (column, is_negative) = self.finite.cliques.all[number].members[member.at];
                for rises in [true, false] {
                    let applies = if rises {
                        inside(member.low) && member.high > hall.high
                    } else {
                        inside(member.high) && member.low < hall.low
                    };
                    if applies
                        && let Some(literal) = self.leaving(column, hall.range(is_negative), rises != is_negative)
                        && let Some(reason) = self.explain_crowd(number, &hall, Some((member.at, literal)))
                    {
                        self.search.events.emit(Event::TheoryPropagation);
                        self.search.assign(literal, reason);
                        assigned = true;
                    }
                }
            }
            if assigned {
                break;
            }
        }
        Ok(assigned)
    }

    /// The strongest open literal that says that a column leaves the interval.
    fn leaving(&self, column: Column, (low, high): (i64, i64), rises: bool) -> Option<Lit> {
        let atoms = &self.theories.arith.tableau.column(column).atoms;
        let is_open = |var: Var| self.search.value(var.positive()) == Value::Open;
        if rises {
            let end = atoms.partition_point(|(k, _)| *k <= Int::from(high).into());
            let inside = atoms[..end].iter().rev();
            let mut inside = inside.take_while(|(k, _)| *k >= Int::from(low).into());
            inside.find(|(_, var)| is_open(*var)).map(|(_, var)| var.negative())
        } else {
            let start = atoms.partition_point(|(k, _)| *k < Int::from(low - 1).into());
            let inside = atoms[start..].iter();
            let mut inside = inside.take_while(|(k, _)| *k < Int::from(high).into());
            inside.find(|(_, var)| is_open(*var)).map(|(_, var)| var.positive())
        }
    }

    /// The lemma that these members and, if there is one, another one that would not leave the interval, have no room. None if two of them may be equal: the clique is that of
    /// assumptions, some of which do not stand now.
    fn explain_crowd(&mut self, number: usize, hall: &Hall, implied: Option<(usize, Lit)>) -> Option<Reason> {
        let clique = &self.finite.cliques.all[number];
        let mut literals: Vec<Lit> = Vec::new();
        let mut crowd = hall.members.clone();
        if planted("pigeonhole-member") && crowd.len() > 1 {
            crowd.pop();
        }
        let mut sides: Vec<(usize, bool, bool)> = crowd.iter().map(|&at| (at, true, true)).collect();
        if let Some((at, literal)) = implied {
            literals.push(literal);
            // The implied literal stands for one side.
            let rises = literal.is_negative() != clique.members[at].1;
            sides.push((at, !rises, rises));
            crowd.push(at);
        }
        for (at, upper, lower) in sides {
            let (column, is_negative) = clique.members[at];
            let atoms = &self.theories.arith.tableau.column(column).atoms;
            let (low, high) = hall.range(is_negative);
            let (lower, upper) = if is_negative { (upper, lower) } else { (lower, upper) };
            if lower {
                literals.push(!weakest_lower(&self.search, atoms, low));
            }
            if upper {
                literals.push(!weakest_upper(&self.search, atoms, high));
            }
        }
        let is_traced = self.search.events.is_traced();
        for (j, &right) in crowd.iter().enumerate() {
            for &left in &crowd[..j] {
                let (low, high) = (left.min(right), left.max(right));
                let equation = clique.equations[high * (high - 1) / 2 + low].positive();
                if !self.search.is_false(equation) {
                    return None;
                }
                if is_traced || self.search.level_of(equation) > 0 {
                    literals.push(equation);
                }
            }
        }
        self.search.ticks += literals.len() as u64;
        self.search.events.emit(Event::Pigeonhole);
        Some(self.search.add_pigeonhole(literals, clique.part))
    }
}

/// The weakest true literal that says that a column is at least this value.
fn weakest_lower(search: &Search, atoms: &[(crate::num::Number, Var)], value: i64) -> Lit {
    let start = atoms.partition_point(|(k, _)| *k < Int::from(value - 1).into());
    let known = atoms[start..].iter().find(|(_, var)| search.is_false(var.positive()));
    known.expect("the bound has an atom").1.negative()
}

/// The weakest true literal that says that a column is at most this value.
fn weakest_upper(search: &Search, atoms: &[(crate::num::Number, Var)], value: i64) -> Lit {
    let end = atoms.partition_point(|(k, _)| *k <= Int::from(value).into());
    let known = atoms[..end]
        .iter()
        .rev()
        .find(|(_, var)| search.is_true(var.positive()));
    known.expect("the bound has an atom").1.positive()
}

/// The intervals that are full, each with its members; or one that is overfull. Quadratic.
fn hall_intervals(members: &mut [Member], ticks: &mut u64) -> Result<Vec<Hall>, Hall> {
    members.sort_unstable_by_key(|member| (member.high, member.at));
    let mut lows: Vec<i64> = members.iter().map(|member| member.low).collect();
    lows.sort_unstable();
    lows.dedup();
    let mut found = Vec::new();
    for low in lows {
        *ticks += 1 + members.len() as u64 / 4;
        let mut inside: i64 = 0;
        for (i, member) in members.iter().enumerate() {
            if member.low < low {
                continue;
            }
            inside += 1;
            // All members with the same upper bound count.
            let is_last = members[i + 1..]
                .iter()
                .find(|m| m.low >= low)
                .is_none_or(|m| m.high > member.high);
            let room = member.high - low + 1;
            if inside < room || (inside == room && !is_last) {
                continue;
            }
            let crowd = members[..=i].iter().filter(|m| m.low >= low).map(|m| m.at).collect();
            let hall = Hall {
                low,
                high: member.high,
                members: crowd,
            };
            if inside > room {
                return Err(hall);
            }
            found.push(hall);
        }
    }
    Ok(found)
}

impl Cliques {
    fn add(&mut self, members: Vec<(Column, bool)>, equations: Vec<Var>, part: Part) {
        let number = self.all.len();
        for &(member, _) in &members {
            self.of.entry(member).or_default().push(number);
        }
        self.all.push(Clique {
            members,
            equations,
            part,
            is_dirty: false,
        });
        self.mark(number);
    }

    fn mark(&mut self, number: usize) {
        if !std::mem::replace(&mut self.all[number].is_dirty, true) {
            self.dirty.push(number);
        }
    }

    fn touch(&mut self, column: Column) {
        for at in 0..self.of.get(&column).map_or(0, Vec::len) {
            self.mark(self.of[&column][at]);
        }
    }
}
