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
//! | `scan` | conditions, assignments and loop heads of a program |
//! | `counters` | counters, and the bounds with which they are compared |
//! | `facts` | statements about elements by a counter, or by two |
//! | `objects` | statements about all objects of the heap |
//!
//! # Matrices
//!
//! Where an element is found by two counters, `a[i][j]`, whose strides divide each other, one number stands for both: its quotient by the length of a row is the row, and its remainder the column.

mod counters;
mod facts;
mod objects;
mod scan;

use super::super::certificate::{Certificate, INDEX, Origin};
use super::loops::at_loops;
use super::{MAX_GUESSES, guessed_at};
use crate::cfa::{Assumption, EdgeId, FuncId, NodeId, Program};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder};
use counters::Counters;
use provident_smt::term::{NO_INDEX, SymbolId, TermId, TermPool};
use scan::Scan;
use std::collections::{BTreeMap, BTreeSet};

/// The guesses that a text suggests.
pub struct Suggested {
    /// The guesses, one claim for each loop head.
    pub certificate: Certificate,
    /// The assumptions of the encoding of the program.
    pub assumptions: Vec<Assumption>,
    /// Whether they are many, or each takes long.
    pub is_costly: bool,
    /// Whether they say nothing of elements, objects or contracts.
    pub is_about_numbers: bool,
}

/// The guesses for the loop heads of a program, for properties that may hold; `None` if its text suggests nothing about elements of arrays or objects of the heap, or is too long for guesses.
pub fn guess_from_text(program: &Program, properties: Vec<PropertyId>, arith: Arith) -> Option<Suggested> {
    let mut encoder = Encoder::new(program, arith);
    let mut pool = TermPool::new();
    let scan = Scan::of(&mut encoder, &mut pool)?;
    let counters = Counters::of(&mut pool, &scan);
    let mut each = facts::statements(&mut pool, &scan, &counters);
    let mut plain = counters.statements(&mut pool, &scan);
    let objects = objects::statements(&mut pool, &scan, &counters, &encoder.next_free());
    let is_costly = objects.is_some();
    if let Some(objects) = objects {
        plain = [objects.plain, plain].concat();
        each = [objects.each, each].concat();
    }
    let at_loops = at_loops(&encoder, &mut pool);
    if each.is_empty() && at_loops.is_empty() {
        return None;
    }
    let owners = owners(&encoder, program);
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    let start = program.function(program.start).entry;
    let points = std::iter::once((start, Vec::new())).chain(scan.heads.iter().cloned());
    for (node, calls) in points {
        let open = open(program, node, &calls);
        let speaks = |pool: &TermPool, formula: &&TermId| {
            let symbols = pool.symbols(**formula);
            let mut owners = symbols.iter().filter_map(|symbol| owners.get(pool.name(symbol.name)));
            owners.all(|owner| owner.is_none_or(|func| open.contains(&func)))
        };
        let mut said: Vec<TermId> = Vec::new();
        // Before the first step everything is possible. A guess and its opposite are two guesses, so they are no conjunction.
        if node != start || !calls.is_empty() {
            said.extend(at_loops.get(&(node, calls.clone())).into_iter().flatten());
            for guesses in [&plain, &each] {
                let spoken = guesses.iter().filter(|formula| speaks(&pool, formula));
                said.extend(spoken.take(MAX_GUESSES));
            }
        }
        claims.push(guessed_at((node, calls), pool.mk_true(), &said, &mut formulas));
    }
    let certificate = Certificate {
        properties,
        arith,
        claims,
        contracts: Vec::new(),
        formulas: pool.export(&formulas),
        points: scan.points,
        origin: Origin::Guessed,
    };
    Some(Suggested {
        certificate,
        assumptions: encoder.assumptions().to_vec(),
        is_costly,
        is_about_numbers: each.is_empty(),
    })
}

/// The number of an element.
fn number(pool: &mut TermPool) -> TermId {
    let name = pool.symbol(INDEX);
    pool.int_var(name, NO_INDEX)
}

/// The function that each variable belongs to, by the names of its symbols; none in static storage.
fn owners(encoder: &Encoder<'_>, program: &Program) -> BTreeMap<String, Option<FuncId>> {
    let mut owners = BTreeMap::new();
    for var in program.var_ids().filter(|&var| !program.var(var).in_memory) {
        for name in encoder.variable_names(var, 0) {
            owners.insert(name, program.var(var).func);
        }
    }
    owners
}

/// The functions that are open at a place.
fn open(program: &Program, node: NodeId, calls: &[EdgeId]) -> BTreeSet<FuncId> {
    let callers = calls.iter().map(|&call| program.node(program.edge(call).from).func);
    callers.chain([program.node(node).func]).collect()
}

/// The names of the integer variables in a term.
fn variables(pool: &TermPool, term: TermId) -> BTreeSet<SymbolId> {
    let is_variable = |&term: &TermId| matches!(pool.term(term), provident_smt::term::Term::IntVar(_));
    let terms = pool.sub_terms(&[term]);
    let symbols = terms
        .iter()
        .filter(|term| is_variable(term))
        .flat_map(|&term| pool.symbols(term));
    symbols.map(|symbol| symbol.name).collect()
}
