//! Guesses from the text of a program: its conditions and assignments, for all elements of an array.
//!
//! A loop over an array often checks or makes something of *each* element, `a[i] == b[i]`, and what matters behind it is the same statement about all of them. So each condition and
//! each assignment that mentions an element by a counter is generalised: the counter becomes the number of any element, and the statement is guessed for all numbers between two bounds,
//! which the program's comparisons of counters suggest. Such guesses need no exploration at all, so that a hundred thousand rounds cost as much as ten; most of them are wrong, and only
//! those that are inductive together stay ([`crate::evidence::obligations::inductive`]). The idea is that of Flanagan and Leino (*Houdini, an annotation assistant for ESC/Java*, FME 2001), with their
//! templates extended by quantified ones, as predicates in Flanagan and Qadeer, *Predicate abstraction for software verification*, POPL 2002, are.
//!
//! | module | does |
//! |---|---|
//! | `carried` | invariants of a part of a program, for all of it |
//! | `scan` | conditions, assignments and loop heads of a program |
//! | `counters` | counters, and the bounds with which they are compared |
//! | `facts` | statements about elements by a counter, or by two |
//! | `heap` | the kinds of objects of the heap, and the pointers to them |
//! | `objects` | statements about all objects of the heap |
//!
//! # Matrices
//!
//! Where an element is found by two counters, `a[i][j]`, whose strides divide each other, one number stands for both: its quotient by the length of a row is the row, and its remainder the column.

mod carried;
mod counters;
mod facts;
mod heap;
mod objects;
mod scan;

pub use carried::guess_from_invariants;

use super::super::certificate::{Certificate, INDEX, Origin};
use super::loops::at_loops;
use super::{MAX_GUESSES, guessed_at};
use crate::cfa::analysis::graph::before_targets;
use crate::cfa::analysis::live::Live;
use crate::cfa::{Assumption, EdgeId, FuncId, NodeId, Op, Program, VarId, is_call};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder};
use counters::Counters;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool};
use scan::Scan;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The guesses that a text suggests.
pub struct Suggested {
    /// The guesses, one claim for each loop head; what to try first, and what if that proves nothing.
    pub certificates: Vec<Certificate>,
    /// The assumptions of the encoding of the program.
    pub assumptions: Vec<Assumption>,
    /// Whether they are many, or each takes long.
    pub is_costly: bool,
    /// Whether they say nothing of elements, objects or contracts.
    pub is_about_numbers: bool,
}

/// The guesses for the loop heads of a program, for properties that may hold; `None` if its text suggests nothing about elements of arrays or objects of the heap, or is too long for guesses.
///
/// `targets`: the edges that violate the properties.
pub fn guess_from_text(
    program: &Program,
    (properties, targets): (Vec<PropertyId>, &BTreeSet<EdgeId>),
    arith: Arith,
) -> Option<Suggested> {
    let mut encoder = Encoder::new(program, arith);
    let mut pool = TermPool::new();
    let scan = Scan::of(&mut encoder, &mut pool)?;
    let counters = Counters::of(&mut pool, &scan);
    let each = facts::statements(&mut pool, &scan, &counters, Reach::Near);
    let far = facts::statements(&mut pool, &scan, &counters, Reach::Far);
    let plain = counters.statements(&mut pool, &scan);
    let objects = objects::statements(&mut pool, &scan, &counters, &encoder);
    let is_costly = objects.is_some();
    let at_loops = at_loops(&encoder, &mut pool);
    if each.is_empty() && !is_costly && at_loops.is_empty() {
        return None;
    }
    let is_about_numbers = each.is_empty() && !is_costly;
    // Facts about several kinds are many; those that nothing reads later are left out.
    let only_live = objects.as_ref().is_some_and(|objects| objects.has_kinds);
    // The guesses that reach far are tried where the rest has no proof.
    let is_enough = is_costly || far == each;
    let far = (!is_enough).then(|| (Reach::Far, 1, [plain.clone(), far]));
    let near = match objects {
        Some(objects) => (
            Reach::Near,
            1,
            [[objects.plain, plain].concat(), [objects.each, each].concat()],
        ),
        None => (Reach::Near, 1, [plain, each]),
    };
    // Facts about pairs and phases are tried last.
    let has_more = at_loops.values().any(|[_, more]| !more.is_empty());
    let more = (has_more && !is_costly).then(|| (Reach::Near, 2, near.2.clone()));
    let places = Places::new(program, &encoder, &scan.heads);
    // Behind the last violation nothing has to be known.
    let before = before_targets(program, targets.iter().copied());
    let certificate = |(reach, sorts, guesses): (Reach, usize, [Vec<TermId>; 2])| {
        let (mut claims, mut formulas) = (Vec::new(), Vec::new());
        let start = program.function(program.start).entry;
        let points = std::iter::once((start, Vec::new())).chain(scan.heads.iter().cloned());
        for (node, calls) in points {
            let mut said: Vec<TermId> = Vec::new();
            // Before the first step everything is possible. A guess and its opposite are two guesses, so they are no conjunction.
            if leads_to_violation(program, targets, node) {
                said.push(pool.mk_false());
            } else if before[node.index()] && (node != start || !calls.is_empty()) {
                let numbers = at_loops.get(&(node, calls.clone())).into_iter();
                said.extend(numbers.flat_map(|numbers| &numbers[..sorts]).flatten());
                for guesses in &guesses {
                    said.extend(places.about(&pool, (node, &calls), guesses, only_live || reach == Reach::Far));
                }
            }
            claims.push(guessed_at((node, calls), pool.mk_true(), &said, &mut formulas));
        }
        Certificate {
            properties: properties.clone(),
            arith,
            claims,
            contracts: Vec::new(),
            formulas: pool.export(&formulas),
            points: scan.points.clone(),
            origin: Origin::Guessed,
            paths: Vec::new(),
        }
    };
    Some(Suggested {
        certificates: [near].into_iter().chain(far).chain(more).map(certificate).collect(),
        assumptions: encoder.assumptions().to_vec(),
        is_costly,
        is_about_numbers,
    })
}

/// Whether every way from a place ends in a violation, without calls and before it comes to a loop again: nothing is to be known there but that no execution comes so far.
fn leads_to_violation(program: &Program, targets: &BTreeSet<EdgeId>, from: NodeId) -> bool {
    let (mut seen, mut open, mut found) = (BTreeSet::from([from]), vec![from], false);
    while let Some(node) = open.pop() {
        if program.function(program.node(node).func).exit == node {
            return false;
        }
        for &edge in &program.node(node).outgoing {
            if targets.contains(&edge) {
                found = true;
                continue;
            }
            if is_call(program, edge).is_some() {
                return false;
            }
            let to = program.edge(edge).to;
            if program.node(to).loop_head {
                return false;
            }
            if seen.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

/// How far from each other the bounds of statements about elements are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Between the starts of counters and what they are compared with.
    Near,
    /// Beyond the neighbours of these as well, and from a counter on that finds another element in the statement.
    Far,
}

/// The variables that a place of the program knows.
struct Places<'p> {
    program: &'p Program,
    /// Each variable and the function that it belongs to, by the names of its symbols; none in static storage.
    owners: BTreeMap<String, (VarId, Option<FuncId>)>,
    /// The same of variables in memory, by their addresses.
    stored: Vec<(Range<Int>, (VarId, FuncId))>,
    lives: BTreeMap<FuncId, Live>,
}

impl<'p> Places<'p> {
    fn new(program: &'p Program, encoder: &Encoder<'_>, heads: &[(NodeId, Vec<EdgeId>)]) -> Places<'p> {
        let (mut owners, mut stored) = (BTreeMap::new(), Vec::new());
        for var in program.var_ids() {
            let variable = program.var(var);
            match (variable.func, variable.address.zip(variable.size(&program.types))) {
                (Some(func), Some((address, size))) => {
                    let [start, end] = [address, address + size].map(|at| Int::from(i128::from(at)));
                    stored.push((start..end, (var, func)));
                }
                _ if variable.in_memory => {}
                (func, _) => {
                    let names = encoder.variable_names(var, 0);
                    owners.extend(names.into_iter().map(|name| (name, (var, func))));
                }
            }
        }
        let mut places = Places {
            program,
            owners,
            stored,
            lives: BTreeMap::new(),
        };
        for (node, calls) in heads {
            for func in places.open(*node, calls).into_keys() {
                let live = places.lives.entry(func);
                live.or_insert_with(|| Live::analyse(program, func));
            }
        }
        places
    }

    /// The functions that are open at a place, and where each stands.
    fn open(&self, node: NodeId, calls: &[EdgeId]) -> BTreeMap<FuncId, NodeId> {
        let callers = calls.iter().map(|&call| self.program.edge(call).to);
        let places = callers.chain([node]);
        places.map(|at| (self.program.node(at).func, at)).collect()
    }

    /// The variables that a guess speaks of, with their functions.
    fn owners(&self, pool: &TermPool, guess: TermId) -> Vec<(VarId, FuncId)> {
        let symbols = pool.symbols(guess);
        let named = symbols
            .iter()
            .filter_map(|symbol| self.owners.get(pool.name(symbol.name)));
        let mut owners: Vec<(VarId, FuncId)> = named.filter_map(|&(var, func)| Some((var, func?))).collect();
        for term in pool.sub_terms(&[guess]) {
            if let Term::App(_, arguments) = pool.term(term)
                && let Some(address) = arguments.first().and_then(|&at| pool.as_const(at))
            {
                let stored = self.stored.iter().find(|(range, _)| range.contains(address));
                owners.extend(stored.map(|(_, owner)| owner));
            }
        }
        owners
    }

    /// Whether a variable may be read behind a place under a call stack. The call that is open is still to assign its result.
    fn is_live(&self, (var, func): (VarId, FuncId), open: &BTreeMap<FuncId, NodeId>, calls: &[EdgeId]) -> bool {
        let is_result = |&call: &EdgeId| match &self.program.edge(call).op {
            Op::Call { ret: Some(place), .. } => place.as_whole_var() == Some(var),
            _ => false,
        };
        self.lives[&func].is_live(open[&func], var) && !calls.iter().any(is_result)
    }

    /// The guesses that speak of variables of a place under a call stack. Those come first that may all be read later, or there are no others.
    fn about(
        &self,
        pool: &TermPool,
        (node, calls): (NodeId, &[EdgeId]),
        guesses: &[TermId],
        only_live: bool,
    ) -> Vec<TermId> {
        let open = self.open(node, calls);
        let (mut live, mut dead) = (Vec::new(), Vec::new());
        for &guess in guesses {
            let owners = self.owners(pool, guess);
            if owners.iter().all(|(_, func)| open.contains_key(func)) {
                if owners.iter().all(|&owner| self.is_live(owner, &open, calls)) {
                    live.push(guess);
                } else if !only_live {
                    dead.push(guess);
                }
            }
        }
        live.extend(dead);
        live.truncate(MAX_GUESSES);
        live
    }
}

/// The number of an element.
fn number(pool: &mut TermPool) -> TermId {
    let name = pool.symbol(INDEX);
    pool.int_var(name, NO_INDEX)
}

/// The names of the integer variables in a term.
fn variables(pool: &TermPool, term: TermId) -> BTreeSet<SymbolId> {
    let is_variable = |&term: &TermId| matches!(pool.term(term), Term::IntVar(_));
    let terms = pool.sub_terms(&[term]);
    let symbols = terms
        .iter()
        .filter(|term| is_variable(term))
        .flat_map(|&term| pool.symbols(term));
    symbols.map(|symbol| symbol.name).collect()
}
