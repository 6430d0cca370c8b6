//! Ranges: the values that are in the ranges of their types, by points.
//!
//! The meaning of a step relies on it that every object holds a value of its type. A block formula states this for the values that the block writes, and not for the values that
//! it reads at its beginning. So a script assumes ranges at the beginning of its block, and other scripts show them at the ends of blocks.
//!
//! Not all values need that: the locals of a function that is not being executed are written before they are read. A value is
//! *established* at a point if it lives in a frame that is open there or in static storage, and every block that leads there
//! either writes it or begins where it is established: a greatest fixed point. At the program's start every object holds some value of its type. Of these values
//! only those matter that are *live*: the block that begins at the point reads them, or does not write them and leads to where they are live, a least fixed point. A value that is
//! overwritten before it is read needs no proof.

use super::walk::{Block, End, Walk};
use crate::cfa::{EdgeId, FuncId, Program, is_call};
use crate::encode::Encoder;
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::term::{SymbolId, TermId, TermPool};
use std::collections::BTreeSet;

/// The names of the established values that are live, point by point. `claims` are the claims at the points.
pub fn established(
    program: &Program,
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
    walk: &Walk<'_>,
    claims: &[Vec<TermId>],
    blocks: &[Block],
) -> Vec<BTreeSet<SymbolId>> {
    let live = live(encoder, pool, claims, blocks);
    let read: BTreeSet<SymbolId> = live.iter().flatten().copied().collect();
    let ranged: Vec<SymbolId> = read
        .into_iter()
        .filter(|&name| encoder.symbol_range(pool.name(name)).is_some())
        .collect();
    let frames = Frames::new(program);
    let alive = |calls: &[EdgeId]| {
        let is_alive = |name: &&SymbolId| frames.is_open(program, pool.name(**name), calls);
        ranged.iter().filter(is_alive).copied().collect::<BTreeSet<SymbolId>>()
    };
    let points = walk.points();
    let mut found: Vec<BTreeSet<SymbolId>> = points.iter().map(|&(_, stack)| alive(&walk.calls(stack))).collect();
    found[0] = ranged.iter().copied().collect();
    let edges = edges(encoder, pool, blocks);
    loop {
        let mut changed = false;
        for (from, to, written) in &edges {
            let before = found[*from].clone();
            let count = found[*to].len();
            found[*to].retain(|name| written.contains(name) || before.contains(name) || planted("established-anyway"));
            changed |= found[*to].len() < count;
        }
        if !changed {
            break;
        }
    }
    for (found, live) in found.iter_mut().zip(&live) {
        found.retain(|name| live.contains(name));
    }
    found
}

/// From which point to which point blocks lead, and what all paths between them write. Where a path writes nothing, the value behind the block is the one at its
/// beginning, so that its formula is about that one.
fn edges(encoder: &Encoder<'_>, pool: &mut TermPool, blocks: &[Block]) -> Vec<(usize, usize, BTreeSet<SymbolId>)> {
    let mut edges = Vec::new();
    for (from, block) in blocks.iter().enumerate() {
        for (&end, paths) in &block.ends {
            let End::Point(to) = end else { continue };
            let symbols = pool.symbols_of(&[paths.formula]).into_iter();
            let read: BTreeSet<SymbolId> = symbols
                .filter(|symbol| symbol.index == 0)
                .map(|symbol| symbol.name)
                .collect();
            let entries = paths.ssa.entries().into_iter().filter(|&(_, index)| index > 0);
            let mut written: BTreeSet<SymbolId> =
                entries.map(|(slot, _)| pool.symbol(&encoder.slot_name(slot))).collect();
            written.retain(|name| !read.contains(name));
            edges.push((from, to, written));
        }
    }
    edges
}

/// The values that matter, point by point.
fn live(
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
    claims: &[Vec<TermId>],
    blocks: &[Block],
) -> Vec<BTreeSet<SymbolId>> {
    let mut live: Vec<BTreeSet<SymbolId>> = Vec::new();
    for (claims, block) in claims.iter().zip(blocks) {
        let paths: Vec<TermId> = block.ends.values().map(|paths| paths.formula).collect();
        let first = pool.symbols_of(&paths).into_iter().filter(|symbol| symbol.index == 0);
        let read = first.chain(pool.symbols_of(claims)).map(|symbol| symbol.name);
        live.push(read.collect());
    }
    let edges = edges(encoder, pool, blocks);
    loop {
        let mut changed = false;
        for (from, to, written) in &edges {
            let passed: Vec<SymbolId> = live[*to].difference(written).copied().collect();
            let count = live[*from].len();
            live[*from].extend(passed);
            changed |= live[*from].len() > count;
        }
        if !changed {
            return live;
        }
    }
}

/// In which frames variables live.
struct Frames<'p> {
    functions: FxHashMap<&'p str, FuncId>,
}

impl<'p> Frames<'p> {
    fn new(program: &'p Program) -> Self {
        let locals = program
            .vars
            .iter()
            .filter_map(|var| Some((var.name.as_str(), var.func?)));
        Frames {
            functions: locals.collect(),
        }
    }

    /// Whether the object of a symbol's name is in static storage or in a frame that is open.
    fn is_open(&self, program: &Program, name: &str, calls: &[EdgeId]) -> bool {
        let (variable, depth) = match name.rsplit_once('#') {
            Some((variable, depth)) => (variable, depth.parse().unwrap_or(0)),
            None => (name, 0),
        };
        let end = variable.find('.').unwrap_or(variable.len());
        let Some(&function) = self.functions.get(&variable[..end]) else {
            return true;
        };
        let callees = calls.iter().filter_map(|&call| is_call(program, call));
        let open = callees.chain([program.start]).filter(|&f| f == function).count();
        open > depth
    }
}
