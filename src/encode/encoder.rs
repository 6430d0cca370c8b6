//! The translator of one program: its state, and what it knows of the program.

use super::formula::*;
use super::integers::Arith;
use super::regions::RegionMap;
use super::slots::{self, SlotId, Slots};
use super::supposed::{Objects, Supposed};
use crate::cfa::memory_types::{Cells, FEW_PAIRS};
use crate::cfa::program::scalar::Scalar;
use crate::cfa::{Assumption, AssumptionKind, Expr, Inspection, Op, Place, Program, VarId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::TypeId;
use provident_smt::hash::FxHashSet;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The translator of one program. Cheap to clone; clones have ledgers of their own.
#[derive(Clone)]
pub struct Encoder<'p> {
    pub(super) program: &'p Program,
    pub(super) arith: Arith,
    pub(super) slots: Arc<Slots>,
    pub(super) regions: Arc<RegionMap>,
    /// Whether the program asks for the sizes of objects.
    pub(super) asks_for_sizes: bool,
    /// Whether it asks which objects exist.
    pub(super) asks_for_objects: bool,
    /// Whether it asks which bytes were written.
    pub(super) follows_contents: bool,
    /// If it does, the variables that stand for what was left out.
    pub(super) stand_ins: Arc<FxHashSet<VarId>>,
    pub(super) manner: Manner,
    pub(super) ledger: BTreeMap<(AssumptionKind, String), (Assumption, u64)>,
    pub(super) assumptions: Vec<Assumption>,
}

/// What formulas suppose or say beside the steps of the program.
#[derive(Clone, Default)]
pub(super) struct Manner {
    /// The accesses of which formulas speak.
    pub supposed: Supposed,
    /// Whether the frames of recursive functions may be anywhere.
    pub moves_frames: bool,
    /// Whether formulas say where the heap begins.
    pub says_where_heap_begins: bool,
    /// Whether formulas say of what kinds objects are.
    pub says_kinds: bool,
}

/// Whether a program asks a question about objects of some sort.
fn asks(program: &Program, of_sort: &dyn Fn(&Inspection) -> bool) -> bool {
    let of_edge = |op: &Op| matches!(op, Op::Inspect { question, .. } if of_sort(question));
    program.edges.iter().any(|edge| of_edge(&edge.op))
}

impl<'p> Encoder<'p> {
    /// An encoder for a program; looks once over the whole program to divide memory into regions.
    pub fn new(program: &'p Program, arith: Arith) -> Encoder<'p> {
        let regions = super::regions::analyse(program, FEW_PAIRS);
        let slots = Slots::new(program, &regions);
        let encoder = Encoder {
            program,
            arith,
            slots: Arc::new(slots),
            regions: Arc::new(regions),
            asks_for_sizes: asks(program, &|_| true),
            asks_for_objects: asks(program, &|question| {
                !matches!(question, Inspection::Size(_) | Inspection::Written { .. })
            }),
            follows_contents: program.asks_for_contents(),
            stand_ins: match program.asks_for_contents() {
                true => Arc::new(program.stand_ins()),
                false => Arc::default(),
            },
            manner: Manner::default(),
            ledger: BTreeMap::new(),
            assumptions: Vec::new(),
        };
        encoder.anew(arith)
    }

    /// The encoder that [`Encoder::new`] makes for the same program, without another look at it.
    #[must_use]
    pub fn anew(&self, arith: Arith) -> Encoder<'p> {
        let mut encoder = self.clone();
        encoder.arith = arith;
        encoder.manner = Manner::default();
        encoder.ledger.clear();
        encoder.assumptions.clear();
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

    /// Leaves executions out that follow a pointer to where no object can be: below [`STATIC_BASE`], as through null pointers, or behind all objects.
    ///
    /// Formulas are too strong then: they find violations, and prove nothing.
    #[must_use]
    pub fn suppose_accesses(mut self) -> Encoder<'p> {
        self.manner.supposed = Supposed::Between;
        self
    }

    /// Leaves executions out that follow a pointer to where none of the objects is that exist then, as far as it is known. The formula of the first step says where the heap begins.
    /// `numbers`: also executions on which an integer from outside that is narrower than a pointer may be an address.
    ///
    /// Formulas are too strong then, as those with [`suppose_accesses`](Encoder::suppose_accesses).
    #[must_use]
    pub fn suppose_objects(mut self, numbers: bool) -> Encoder<'p> {
        let objects = match &self.manner.supposed {
            Supposed::Inside { objects, .. } => Arc::clone(objects),
            _ => Arc::new(Objects::new(self.program, &self.regions)),
        };
        self.manner.supposed = Supposed::Inside { objects, numbers };
        self.say_where_heap_begins()
    }

    /// Lets the frames of recursive functions be anywhere where frames can be, the number of the frame notwithstanding: their variables in memory have addresses relative to a symbol of the frame.
    /// So formulas hold for every depth of a recursion. That frames do not overlap is not said.
    #[must_use]
    pub fn move_frames(mut self) -> Encoder<'p> {
        self.manner.moves_frames = true;
        self
    }

    /// The same with the integers of `arith`.
    #[must_use]
    pub fn with_integers(self, arith: Arith) -> Encoder<'p> {
        Encoder { arith, ..self }
    }

    /// Whether frames may be anywhere.
    pub fn moves_frames(&self) -> bool {
        self.manner.moves_frames
    }

    /// Whether the address of a variable in memory depends on more than the number of its frame.
    pub fn moves(&self, var: VarId) -> bool {
        let offset = |func| self.slots.offset(func, 0);
        self.manner.moves_frames && self.program.var(var).func.and_then(offset).is_some()
    }

    /// The names of the symbols that say where the frames of functions are.
    pub fn frame_offsets(&self) -> impl Iterator<Item = (crate::cfa::FuncId, &str)> {
        self.slots.offsets()
    }

    /// Says in the formula of the first step that the first object of the heap will be at [`HEAP_BASE`](crate::cfa::HEAP_BASE), if there are objects. Refinement does without it: it would find
    /// predicates about that number.
    #[must_use]
    pub fn say_where_heap_begins(mut self) -> Encoder<'p> {
        let is_new = |op: &Op| matches!(op, Op::Allocate { .. });
        self.manner.says_where_heap_begins = self.program.edges.iter().any(|edge| is_new(&edge.op));
        self
    }

    /// The name of the next free address of the heap.
    pub fn next_free(&self) -> String {
        self.slots.name(slots::HEAP)
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

    pub(super) fn assume(&mut self, kind: AssumptionKind, detail: &str, loc: Loc, sound: bool) {
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
        names.sort_unstable();
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

    /// The names of the symbols of a plain variable, one for each scalar in it, in the frame above `depth` older ones of its function.
    pub fn variable_names(&self, var: VarId, depth: u32) -> Vec<String> {
        let place = Place::var(var, self.program.var(var).ty);
        let slots = self.slots.of_place(self.program, var, &place, depth);
        slots.into_iter().map(|(slot, _)| self.slots.name(slot)).collect()
    }

    /// Whether the program reads the memory in which a variable lies, or the variable lies in none.
    pub fn is_read(&self, var: VarId) -> bool {
        let place = Place::var(var, self.program.var(var).ty);
        let region = self.regions.of_place(self.program, &place);
        region.is_none_or(|region| self.regions.region(region).read)
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

    /// The function that holds the scalars of a type that lie at a place as they are. A region that the program never reads holds nothing, because no write has an effect there.
    pub(super) fn elements_name(&self, place: &Place, element: TypeId) -> Option<String> {
        let element = Scalar::of(&self.program.types, element)?;
        let region = self.regions.region(self.regions.of_place(self.program, place)?);
        let (Cells::Scalars { signed, uniform, .. }, true) = (region.cells, region.read) else {
            return None;
        };
        (uniform || signed == element.signed).then(|| region.name.clone())
    }

    /// The range of values that a symbol has by its type; `None` where an end is unbounded.
    pub fn symbol_range(&self, name: &str) -> Option<(Int, Int)> {
        let slot = self.slots.find(name)?;
        let scalar = self.slots.scalar(slot)?;
        let range = super::ranges::of_scalar(scalar, self.arith);
        Some((range.lo?, range.hi?))
    }
}
