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

use super::contracts::Calls;
use super::walk::{Block, End, Walk};
use crate::cfa::{FuncId, Program};
use crate::encode::Encoder;
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::term::{SymbolId, TermId, TermPool};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// The source of a value behind a call.
pub enum Source {
    /// Another point.
    Other,
    /// The value of this name at the point before.
    Name(String),
    /// None that is known.
    Nothing,
}

/// A way on which values come to a point that no block passes: into a contract, out of it, or past a call that relies on it.
pub struct Pass<'c> {
    from: usize,
    to: usize,
    source: Box<dyn Fn(&str) -> Source + 'c>,
}

/// The ways of values at the calls that rely on contracts: `uses` are these, point by point.
pub fn passes<'c>(calls: &'c Calls, walk: &Walk<'_>, uses: &[Vec<(usize, Range<usize>)>]) -> Vec<Pass<'c>> {
    let mut passes: Vec<Pass<'c>> = Vec::new();
    for (point, uses) in uses.iter().enumerate() {
        let Some(behind) = walk.behind(point) else { continue };
        let frames = Rc::new(walk.frames(walk.points()[point].1));
        let kept = Rc::clone(&frames);
        passes.push(Pass {
            from: point,
            to: behind,
            source: Box::new(move |name| match calls.is_lost(&kept, name) {
                true => Source::Other,
                false => Source::Name(name.to_string()),
            }),
        });
        for &(contract, _) in uses {
            let (entry, exit) = walk.ends_of(contract);
            let (inside, outside) = (Rc::clone(&frames), Rc::clone(&frames));
            passes.push(Pass {
                from: point,
                to: entry,
                source: Box::new(move |name| calls.in_caller(&inside, name).map_or(Source::Nothing, Source::Name)),
            });
            passes.push(Pass {
                from: exit,
                to: behind,
                source: Box::new(move |name| match calls.is_lost(&outside, name) {
                    true => calls.in_callee(&outside, name).map_or(Source::Nothing, Source::Name),
                    false => Source::Other,
                }),
            });
        }
    }
    passes
}

/// The names of the established values that are live, point by point. `claims` are the claims at the points.
pub fn established(
    program: &Program,
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
    walk: &Walk<'_>,
    claims: &[Vec<TermId>],
    (blocks, passes): (&[Block], &[Pass<'_>]),
) -> Vec<BTreeSet<SymbolId>> {
    let live = live(encoder, pool, claims, (blocks, passes));
    let read: BTreeSet<SymbolId> = live.iter().flatten().copied().collect();
    let ranged: Vec<SymbolId> = read
        .into_iter()
        .filter(|&name| encoder.symbol_range(pool.name(name)).is_some())
        .collect();
    let frames = Frames::new(program);
    let alive = |open: &[FuncId]| {
        let is_alive = |name: &&SymbolId| frames.is_open(pool.name(**name), open);
        ranged.iter().filter(is_alive).copied().collect::<BTreeSet<SymbolId>>()
    };
    let points = walk.points();
    let mut found: Vec<BTreeSet<SymbolId>> = points.iter().map(|&(_, stack)| alive(&walk.frames(stack))).collect();
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
        for Pass { from, to, source } in passes {
            let before = found[*from].clone();
            let count = found[*to].len();
            found[*to].retain(|&name| match source(pool.name(name)) {
                Source::Other => true,
                Source::Name(name) => pool.find_symbol(&name).is_some_and(|name| before.contains(&name)),
                Source::Nothing => false,
            });
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
    (blocks, passes): (&[Block], &[Pass<'_>]),
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
        for Pass { from, to, source } in passes {
            let names = live[*to].iter().map(|&name| source(pool.name(name)));
            let names: Vec<String> = names
                .filter_map(|source| match source {
                    Source::Name(name) => Some(name),
                    Source::Other | Source::Nothing => None,
                })
                .collect();
            let count = live[*from].len();
            live[*from].extend(names.iter().map(|name| pool.symbol(name)));
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
    fn is_open(&self, name: &str, open: &[FuncId]) -> bool {
        let (variable, depth) = match name.rsplit_once('#') {
            Some((variable, depth)) => (variable, depth.parse().unwrap_or(0)),
            None => (name, 0),
        };
        let end = variable.find('.').unwrap_or(variable.len());
        let Some(&function) = self.functions.get(&variable[..end]) else {
            return true;
        };
        open.iter().filter(|&&f| f == function).count() > depth
    }
}
