//! Path formulas: what executing a path of the program means, as formulas of the solver.
//!
//! An [`Encoder`] turns the steps of a path through a [`Program`] into one [`PathFormula`] after the other: the strongest
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
//! | `bits` | operations on bits as arithmetic |

mod arith;
mod bits;
mod bytes;
mod context;
mod display;
mod expr;
mod floating;
mod memory;
mod merge;
mod nonlinear;
mod partition;
mod path;
mod ranges;
mod regions;

mod slots;
mod step;
mod trie;

pub use floating::{corner as float_corner, lemmas as float_lemmas, thresholds as float_thresholds};
pub use nonlinear::evaluate_operator;
pub use partition::Partition;
pub use path::{EncodedPath, encode_path, encode_path_with_inputs};

use crate::cfa::memory_types::{Cells, FEW_PAIRS};
use crate::cfa::program::scalar::Scalar;
use crate::cfa::{Assumption, AssumptionKind, Expr, Place, Program, Step, VarId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::TypeId;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};
use ranges::Range;
use regions::RegionMap;
use slots::Slots;
use std::collections::BTreeMap;
use std::sync::Arc;
use trie::Trie;

/// The meaning of the integers of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arith {
    /// Exactly what the machine has: fixed widths, wrap-around.
    #[default]
    Machine,
    /// Unbounded integers. Unsound; for comparison with the papers' tools.
    Ideal,
}

/// The position of a symbol with versions in the encoder's table: a variable, a member, or a region. The same for all encoders of
/// one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(pub u32);

/// The current version of each symbol. A symbol that is absent has version 0. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SsaMap {
    indices: Trie<u32>,
}

impl SsaMap {
    /// The current version.
    pub fn index(&self, slot: SlotId) -> u32 {
        self.indices.get(slot.0).copied().unwrap_or(0)
    }

    fn set(&mut self, slot: SlotId, index: u32) {
        self.indices.insert(slot.0, index);
    }

    /// Makes a new version and returns it.
    fn bump(&mut self, slot: SlotId) -> u32 {
        let next = self.index(slot) + 1;
        assert!(next < NO_INDEX, "a path has fewer than 2^32 - 1 assignments");
        self.set(slot, next);
        next
    }

    /// All versions other than 0, in the order of the slots.
    pub fn entries(&self) -> Vec<(SlotId, u32)> {
        let mut all = Vec::new();
        self.indices
            .for_each(&mut |slot, &index| all.push((SlotId(slot), index)));
        all.retain(|&(_, index)| index != 0);
        all
    }
}

impl PartialEq for SsaMap {
    fn eq(&self, other: &Self) -> bool {
        let mut equal = true;
        self.indices.diff(&other.indices, &mut |_, a, b| {
            equal &= a.copied().unwrap_or(0) == b.copied().unwrap_or(0);
        });
        equal
    }
}

impl Eq for SsaMap {}

/// A fact that the formula of a block implies about the current version of a variable.
#[derive(Clone, Debug, PartialEq)]
struct Fact {
    index: u32,
    range: Range,
    /// A formula that is equivalent to "the variable is not 0"; then the range is within 0 and 1.
    truth: Option<TermId>,
}

/// The facts by slot. They are shared, because there are millions of maps with the same facts, and each copy of a leaf holds up to sixteen of them.
type Facts = Trie<Arc<Fact>>;

/// The conjuncts of a block in reverse, shared with the other paths that begin alike, so that a merge can leave the common
/// beginning outside of the disjunction.
#[derive(Debug)]
struct Conjunct {
    formula: TermId,
    /// This conjunct and all before it.
    all: TermId,
    before: Option<Arc<Conjunct>>,
    length: u32,
}

impl Drop for Conjunct {
    /// Takes the list apart in a loop: the compiler's own way recurses, and a block may be long.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(node) = next {
            match Arc::try_unwrap(node) {
                Ok(mut inner) => next = inner.before.take(),
                Err(_) => break,
            }
        }
    }
}

/// The meaning of a path, or of several merged ones, since the beginning of its block.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The formula of the block.
    pub formula: TermId,
    /// The versions after the path.
    pub ssa: SsaMap,
    /// Steps in the block, of the longest path if merged.
    pub length: u32,
    facts: Facts,
    conjuncts: Option<Arc<Conjunct>>,
}

impl PathFormula {
    /// The beginning of a new block behind this path: the formula is true, the versions run on.
    pub fn next_block(&self, pool: &TermPool) -> PathFormula {
        PathFormula::starting_at(pool, self.ssa.clone())
    }

    /// The beginning of a block at given versions.
    pub fn starting_at(pool: &TermPool, ssa: SsaMap) -> PathFormula {
        PathFormula {
            formula: pool.mk_true(),
            ssa,
            length: 0,
            facts: Trie::default(),
            conjuncts: None,
        }
    }

    fn conjoin(&mut self, pool: &mut TermPool, formula: TermId) {
        if formula == pool.mk_true() {
            return;
        }
        self.formula = pool.and2(self.formula, formula);
        let before = self.conjuncts.take();
        let length = before.as_ref().map_or(0, |c| c.length) + 1;
        self.conjuncts = Some(Arc::new(Conjunct {
            formula,
            all: self.formula,
            before,
            length,
        }));
    }
}

/// In which frames a step is taken: the number of older frames of the same function, 0 unless it is recursive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Frame {
    /// Of the function to which the edge belongs.
    pub caller: u32,
    /// Of the function that is entered or left; not used by steps along an edge.
    pub callee: u32,
}

/// A value on a path that the program does not determine, so that a concrete execution has to be told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// The position in the sequence of steps.
    pub step: usize,
    /// The place that takes the value.
    pub kind: InputKind,
    /// Its value.
    pub value: TermId,
}

/// The place whose value an [`InputValue`] is. The values of one step stand in the order in which an execution requests them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// A scalar that a `Havoc`, an external call or assembly writes to a plain variable; the name is the symbol's.
    Variable {
        /// The symbol's name.
        name: String,
    },
    /// A scalar that is written to memory.
    Memory {
        /// The region's name.
        region: String,
        /// The address of the scalar.
        address: TermId,
        /// Its size in bytes.
        size: u64,
    },
    /// A scalar that is read from memory. Matters only if the execution has not written there before.
    Read {
        /// The region's name.
        region: String,
        /// The address of the scalar.
        address: TermId,
        /// Its size in bytes.
        size: u64,
    },
    /// The result of an allocation: 0 if it fails.
    Allocation,
}

/// The translator of one program. Cheap to clone; clones have ledgers of their own.
#[derive(Clone)]
pub struct Encoder<'p> {
    program: &'p Program,
    arith: Arith,
    slots: Arc<Slots>,
    regions: Arc<RegionMap>,
    /// Whether the program asks for the sizes of objects.
    asks_for_sizes: bool,
    ledger: BTreeMap<(AssumptionKind, String), (Assumption, u64)>,
    assumptions: Vec<Assumption>,
}

impl<'p> Encoder<'p> {
    /// An encoder for a program; looks once over the whole program to divide memory into regions.
    pub fn new(program: &'p Program, arith: Arith) -> Encoder<'p> {
        let regions = regions::analyse(program, FEW_PAIRS);
        let slots = Slots::new(program, &regions);
        let mut encoder = Encoder {
            program,
            arith,
            slots: Arc::new(slots),
            regions: Arc::new(regions),
            asks_for_sizes: program
                .edges
                .iter()
                .any(|edge| matches!(edge.op, crate::cfa::Op::ObjectSize { .. })),
            ledger: BTreeMap::new(),
            assumptions: Vec::new(),
        };
        if arith == Arith::Ideal {
            encoder.assume(
                AssumptionKind::UnboundedIntegers,
                "integers do not wrap around",
                Loc::NONE,
                false,
            );
        }
        for (detail, loc) in encoder.regions.clone().trusted() {
            encoder.assume(AssumptionKind::StrictAliasing, detail, *loc, false);
        }
        encoder
    }

    /// The program that is encoded.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The arithmetic in use.
    pub fn arith(&self) -> Arith {
        self.arith
    }

    /// The path formula of the empty path at the program's start.
    pub fn empty(&self, pool: &TermPool) -> PathFormula {
        PathFormula::starting_at(pool, SsaMap::default())
    }

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
    pub fn padded(&self, pool: &mut TermPool, side: &PathFormula, merged: &SsaMap) -> TermId {
        merge::padded(self, pool, side, merged)
    }

    /// The predicate over the versions of a point: symbols without version get the one of the map, 0 if the map has none (then the
    /// symbol was never written). Symbols that have a version keep it.
    pub fn instantiate(&self, pool: &mut TermPool, predicate: TermId, ssa: &SsaMap) -> TermId {
        let names: Vec<(Symbol, u32)> = pool
            .symbols(predicate)
            .into_iter()
            .filter(|s| s.index == NO_INDEX)
            .map(|s| (s, self.slots.find(pool.name(s.name)).map_or(0, |slot| ssa.index(slot))))
            .collect();
        pool.map_symbols(predicate, &mut |s| match names.iter().find(|(old, _)| *old == s) {
            Some(&(_, index)) => Symbol { name: s.name, index },
            None => s,
        })
    }

    /// The formula without versions: the opposite of [`Encoder::instantiate`] if the formula speaks about one version of each
    /// symbol, as interpolants do.
    pub fn uninstantiate(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        pool.map_symbols(formula, &mut |s| Symbol {
            name: s.name,
            index: NO_INDEX,
        })
    }

    /// The assumptions of the encoding so far, each once, at the first place, in a stable order.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// The same, with the number of times.
    pub fn assumption_counts(&self) -> Vec<(Assumption, u64)> {
        self.ledger.values().cloned().collect()
    }

    /// Takes over what another encoder of the same program took on trust (of a worker thread).
    pub fn absorb_assumptions(&mut self, other: &Encoder<'_>) {
        for (key, (assumption, count)) in &other.ledger {
            let entry = self
                .ledger
                .entry(key.clone())
                .or_insert_with(|| (assumption.clone(), 0));
            entry.0.loc = entry.0.loc.min(assumption.loc);
            entry.1 += count;
        }
        self.assumptions = self.ledger.values().map(|(a, _)| a.clone()).collect();
    }

    fn assume(&mut self, kind: AssumptionKind, detail: &str, loc: Loc, sound: bool) {
        let key = (kind, detail.to_owned());
        if let Some((_, count)) = self.ledger.get_mut(&key) {
            *count += 1;
            return;
        }
        let assumption = Assumption {
            kind,
            detail: detail.to_owned(),
            loc,
            sound,
        };
        self.ledger.insert(key, (assumption, 1));
        self.assumptions = self.ledger.values().map(|(a, _)| a.clone()).collect();
    }

    /// The names of the variables and regions that a predicate speaks about, sorted.
    pub fn predicate_variables(&self, pool: &TermPool, predicate: TermId) -> Vec<String> {
        let mut names: Vec<String> = pool
            .symbols(predicate)
            .iter()
            .map(|s| pool.name(s.name).to_owned())
            .collect();
        names.retain(|n| self.slots.find(n).is_some());
        names.sort();
        names.dedup();
        names
    }

    /// How the cells of each region of memory represent the bytes, by the name that formulas have for the region.
    pub fn cells(&self) -> std::collections::BTreeMap<String, crate::cfa::memory_types::Cells> {
        let cells = self.regions.cells();
        cells.map(|(name, cells)| (name.to_owned(), cells)).collect()
    }

    /// The name of a slot, as symbols have it.
    pub fn slot_name(&self, slot: SlotId) -> String {
        self.slots.name(slot)
    }

    /// The slot of a symbol's name; `None` for operators, which have no versions.
    pub fn slot_of(&self, name: &str) -> Option<SlotId> {
        self.slots.find(name)
    }

    /// A formula in C-like text, for reports.
    pub fn display(&self, pool: &TermPool, formula: TermId) -> String {
        display::display(pool, formula)
    }

    /// The inputs of a path from the program's start, encoded as by [`encode_path`] without boundaries.
    pub fn inputs(&mut self, pool: &mut TermPool, path: &[(Step, Frame)]) -> Vec<InputValue> {
        encode_path_with_inputs(self, pool, path, &[]).inputs
    }

    /// The frames of the steps of a path from the program's start.
    pub fn frames(&self, steps: &[Step]) -> Vec<(Step, Frame)> {
        path::frames(self.program, steps)
    }

    /// The names of the symbols of a plain variable, one for each scalar in it, in the frame above `depth` older ones of its function.
    pub fn variable_names(&self, var: VarId, depth: u32) -> Vec<String> {
        let place = Place::var(var, self.program.var(var).ty);
        let slots = self.slots.of_place(self.program, var, &place, depth);
        slots.into_iter().map(|(slot, _)| self.slots.name(slot)).collect()
    }

    /// The function that holds the elements of an array variable in memory as they are, by their addresses; `None` if none does.
    pub fn array_name(&self, var: VarId) -> Option<String> {
        let ty = self.program.var(var).ty;
        self.elements_name(&Place::var(var, ty), self.program.types.element(ty)?)
    }

    /// The function that holds the scalars of the array that a pointer variable outside of memory points to, as [`array_name`](Self::array_name) does.
    pub fn pointed_array_name(&self, var: VarId) -> Option<String> {
        let types = &self.program.types;
        let ty = self.program.var(var).ty;
        let mut element = types.pointee(ty)?;
        while let Some(inner) = types.element(element) {
            element = inner;
        }
        let pointer = Expr::load(Place::var(var, ty));
        self.elements_name(&Place::deref(pointer, element), element)
    }

    /// The function that holds the scalars of a type that lie at a place as they are.
    fn elements_name(&self, place: &Place, element: TypeId) -> Option<String> {
        let element = Scalar::of(&self.program.types, element)?;
        let region = self.regions.region(self.regions.of_place(self.program, place)?);
        let Cells::Scalars { signed, uniform, .. } = region.cells else {
            return None;
        };
        (uniform || signed == element.signed).then(|| region.name.clone())
    }

    /// The range of values that a symbol has by its type; `None` where an end is unbounded.
    pub fn symbol_range(&self, name: &str) -> Option<(Int, Int)> {
        let slot = self.slots.find(name)?;
        let scalar = self.slots.scalar(slot)?;
        let range = ranges::of_scalar(scalar, self.arith);
        Some((range.lo?, range.hi?))
    }
}
