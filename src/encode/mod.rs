//! Path formulas: what executing a path of the program means, as formulas of the solver.
//!
//! An [`Encoder`] turns the steps of a path through a [`Program`](crate::cfa::Program) into one [`PathFormula`] after the other: the strongest
//! postcondition in static single assignment form. An assignment makes a new version of the written variable, an assumption adds a
//! conjunct, two paths that meet are [merged](Encoder::merge) into a disjunction in which the side with the older version of a
//! symbol is padded with an equation.
//!
//! # Blocks
//!
//! A path formula describes one *block*: the path since the last abstraction. The versions (the [`SsaMap`]) run on over the
//! block's end, the formula begins anew ([`PathFormula::next_block`]). Everything that the encoder concludes about values on the way
//! (a constant, a range that makes a wrap-around impossible) holds by the formula of the *same* block and is forgotten at its
//! end, because an abstract state may be entered with other values than those of the path that made it.
//!
//! # Integers
//!
//! With [`Arith::Machine`] every C object of integer or pointer type is an integer term in the range of its type, and operations are
//! exact: a result that may leave the range is brought back by `ite(e > max, e - 2^w, e)` if one period suffices and by a floor
//! division otherwise (see `arith`). Interval evaluation keeps that rare. A non-linear operation is an uninterpreted function with
//! axioms (`nonlinear`): an over-approximation, recorded in the ledger. With [`Arith::Ideal`] integers are unbounded, as in the
//! papers' tools. Floating-point values are their bit patterns (`floating`).
//!
//! # Memory
//!
//! A variable that is not `in_memory` is a plain symbol, a record of that kind one symbol per scalar member. The rest lives in
//! *regions* (`regions`): a region is an uninterpreted function from addresses to scalars, with a version per write. Addresses of
//! variables are constants; the heap grows upwards (`__heap`).
//! Addresses that a place computes (`p->f`, `a[i]`) are not wrapped around: an object does not straddle the end of the address space.
//!
//! # Names
//!
//! `x`, `f::x`, `f::x.a.b` for variables and their members, `f::x#1` in the second frame of a recursive function, `mem:...` for
//! regions, `__heap` for the next free address, `__any` for values without a name, `__mul:i32` and its like for operators.
//!
//! This room knows nothing of abstract states and of where formulas go.
//!
//! | module | does |
//! |---|---|
//! | `integers` | what the integers of the program are |
//! | `cells` | the cells of the program by the names of their symbols |
//! | `slots` | the symbols with versions: variables, members, regions |
//! | `formula` | path formulas and versions as data |
//! | `encoder` | the translator of one program |
//! | `congruence` | equations that hold but for wrap-around |
//! | `context` | the encoding of one step, while it goes on |
//! | `step` | operations |
//! | `path` | whole paths, with their inputs |
//! | `merge` | paths that meet |
//! | `expr` | expressions |
//! | `arith` | arithmetic within ranges |
//! | `bits` | operations on bits as arithmetic |
//! | `ranges` | ranges of terms |
//! | `nonlinear` | operators that are not linear, as functions with axioms |
//! | `floating` | floating-point values as bit patterns |
//! | `allocation` | new objects |
//! | `supposed` | formulas without undefined accesses |
//! | `memory` | reads and writes of regions |
//! | `bytes` | accesses to single bytes, fills and copies |
//! | `contents` | which bytes were written |
//! | `inspect` | questions about objects |
//! | `kinds` | kinds of heap objects |
//! | `regions`, `partition` | the regions of memory |
//! | `trie` | persistent maps |
//! | `display` | formulas in terms of the program |

mod allocation;
mod arith;
mod bits;
mod bytes;
mod cells;
mod congruence;
mod contents;
mod context;
mod display;
mod encoder;
mod expr;
mod floating;
mod formula;
mod inspect;
mod integers;
mod kinds;
mod memory;
mod merge;
mod nonlinear;
mod partition;
mod path;
mod ranges;
mod regions;

mod slots;
mod step;
mod supposed;
mod trie;

pub use cells::MemoryCell;
pub use encoder::Encoder;
pub use floating::{
    Application, corner as float_corner, law as float_law, lemmas as float_lemmas, thresholds as float_thresholds,
};
pub use formula::{Frame, InputKind, InputValue, PathFormula, SsaMap};
pub use integers::Arith;
pub use nonlinear::{
    evaluate_operator, is_in_product_axiom, is_product, operator_meaning, product_name, unsigned_zero,
};
pub use partition::Partition;
pub use path::{EncodedPath, encode_path, encode_path_with_inputs};
pub use slots::SlotId;

use crate::cfa::Step;
use provident_smt::term::{TermId, TermPool};

impl<'p> Encoder<'p> {
    /// The strongest postcondition of a step: conjoins what the step demands and does.
    pub fn step(&mut self, pool: &mut TermPool, before: &PathFormula, step: Step, frame: Frame) -> PathFormula {
        step::step(self, pool, before, step, frame).0
    }

    /// The path formula of "one or the other", for paths of one block that meet. Symbols whose versions differ get the newer one;
    /// the other side is padded with `new = old`.
    pub fn merge(&mut self, pool: &mut TermPool, a: &PathFormula, b: &PathFormula) -> PathFormula {
        merge::merge(self, pool, a, b)
    }

    /// One side of a merge as it holds together with the versions after the merge: its formula with the padding it got there.
    pub fn padded(&self, pool: &mut TermPool, side: &PathFormula, merged: &PathFormula) -> TermId {
        merge::padded(self, pool, side, merged)
    }

    /// A path whose symbols get these versions, where they are newer.
    pub fn padded_to(&self, pool: &mut TermPool, side: &PathFormula, ssa: &SsaMap) -> TermId {
        merge::padded_to(self, pool, side, ssa)
    }

    /// A formula in C-like text, for reports.
    pub fn display(&self, pool: &TermPool, formula: TermId) -> String {
        display::display(pool, formula)
    }

    /// The frames of the steps of a path from the program's start.
    pub fn frames(&self, steps: &[Step]) -> Vec<(Step, Frame)> {
        path::frames(self.program, steps)
    }

    /// The inputs of a path from the program's start, encoded as by [`encode_path`] without boundaries.
    pub fn inputs(&mut self, pool: &mut TermPool, path: &[(Step, Frame)]) -> Vec<InputValue> {
        encode_path_with_inputs(self, pool, path, &[]).inputs
    }
}
