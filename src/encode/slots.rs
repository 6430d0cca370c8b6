//! The table of all symbols with versions.
//!
//! The table is a function of the program alone: two encoders of one program agree on every [`SlotId`], so that path formulas may
//! move between them. Instances of a variable in deeper frames of a recursive function repeat the table at a distance.

use super::regions::{RegionId, RegionMap};
use crate::cfa::memory_types::member_name;
use crate::cfa::program::scalar::{Scalar, leaves};
use crate::cfa::{FuncId, Place, PlaceBase, Program, Proj, VarId};
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

/// The position of a symbol with versions in the encoder's table: a variable, a member, or a region. The same for all encoders of
/// one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotId(pub u32);

/// Values without a name of their own.
pub const ANY: SlotId = SlotId(0);
/// The next free heap address.
pub const HEAP: SlotId = SlotId(1);
/// The function that says how many bytes the object at an address has. It has one version: no address is given out twice.
pub const SIZES: SlotId = SlotId(2);
/// The function that says whether a heap object has an address. It has one version, too.
pub const BLOCKS: SlotId = SlotId(3);
/// The address of the object that is watched: it never changes.
pub const WATCHED: SlotId = SlotId(4);
/// Whether the watched object has ended.
pub const ENDED: SlotId = SlotId(5);
/// The address of the byte that is watched: it never changes.
pub const WATCHED_BYTE: SlotId = SlotId(6);
/// Whether the watched byte was written since its object began to exist.
pub const WRITTEN: SlotId = SlotId(7);
/// The function that says of what kind the object is that begins at an address; 0 where none begins.
pub const KINDS: SlotId = SlotId(8);

pub struct Slots {
    names: Vec<Arc<str>>,
    scalars: Vec<Option<Scalar>>,
    by_name: FxHashMap<Arc<str>, u32>,
    /// The slots of the scalar members of each plain variable.
    vars: Vec<Range<u32>>,
    /// The function in whose frame a symbol is; `None` for those that are in none.
    owners: Vec<Option<FuncId>>,
    /// For each recursive function with variables in memory, how far its frame is from the first one.
    offsets: FxHashMap<FuncId, SlotId>,
    functions: u32,
    first_region: u32,
    region_count: u32,
}

impl Slots {
    pub fn new(program: &Program, regions: &RegionMap) -> Slots {
        let mut slots = Slots {
            names: Vec::new(),
            scalars: Vec::new(),
            by_name: FxHashMap::default(),
            vars: Vec::new(),
            owners: Vec::new(),
            offsets: FxHashMap::default(),
            functions: u32::try_from(program.functions.len()).expect("fewer than 2^32 functions"),
            first_region: 0,
            region_count: 0,
        };
        slots.add("__any".to_owned(), None);
        slots.add("__heap".to_owned(), None);
        slots.add("__bytes".to_owned(), None);
        slots.add("__blocks".to_owned(), None);
        slots.add("__watched".to_owned(), None);
        slots.add("__watched_ended".to_owned(), None);
        slots.add("__watched_byte".to_owned(), None);
        slots.add("__watched_written".to_owned(), None);
        slots.add("__kinds".to_owned(), None);
        slots.first_region = slots.len();
        for name in regions.names() {
            slots.add(name.to_owned(), None);
        }
        slots.region_count = slots.len() - slots.first_region;
        slots.owners.resize(slots.names.len(), None);
        for variable in &program.vars {
            let first = slots.len();
            if !variable.in_memory {
                for leaf in leaves(&program.types, variable.ty) {
                    let name = member_name(&program.types, &variable.name, variable.ty, &leaf.path);
                    slots.add(name, Some(leaf.scalar));
                }
            }
            let last = slots.len();
            slots.vars.push(first..last);
            slots.owners.resize(slots.names.len(), variable.func);
        }
        for func in program.function_ids() {
            let mut in_memory = program.vars.iter().filter(|variable| variable.in_memory);
            if program.function(func).recursive && in_memory.any(|variable| variable.func == Some(func)) {
                slots.offsets.insert(func, SlotId(slots.len()));
                slots.add(format!("{}::__frame", program.function(func).name), None);
                slots.owners.push(Some(func));
            }
        }
        slots
    }

    fn len(&self) -> u32 {
        u32::try_from(self.names.len()).expect("fewer than 2^32 symbols")
    }

    fn add(&mut self, name: String, scalar: Option<Scalar>) {
        let slot = self.len();
        let name: Arc<str> = if self.by_name.contains_key(name.as_str()) {
            format!("{name}${slot}").into()
        } else {
            name.into()
        };
        self.by_name.insert(Arc::clone(&name), slot);
        self.names.push(name);
        self.scalars.push(scalar);
    }

    fn split(&self, slot: SlotId) -> (usize, u32) {
        let count = self.len();
        let base = usize::try_from(slot.0 % count).expect("a position in the table");
        (base, slot.0 / count)
    }

    /// The name, with the depth of the frame.
    pub fn name(&self, slot: SlotId) -> String {
        let (base, depth) = self.split(slot);
        let mut name = self.names[base].to_string();
        if depth > 0 {
            write!(name, "#{depth}").expect("writing to a string");
        }
        name
    }

    /// The slot of a name.
    pub fn find(&self, name: &str) -> Option<SlotId> {
        if let Some(&slot) = self.by_name.get(name) {
            return Some(SlotId(slot));
        }
        let (base, depth) = name.rsplit_once('#')?;
        let slot = *self.by_name.get(base)?;
        Some(self.at_depth(SlotId(slot), depth.parse().ok()?))
    }

    /// The scalar that a variable's slot holds; `None` for regions and the encoder's own.
    pub fn scalar(&self, slot: SlotId) -> Option<Scalar> {
        self.scalars[self.split(slot).0]
    }

    fn at_depth(&self, slot: SlotId, depth: u32) -> SlotId {
        let shifted = self
            .len()
            .checked_mul(depth)
            .and_then(|shift| shift.checked_add(slot.0));
        SlotId(shifted.expect("frames times symbols stay below 2^32"))
    }

    /// How far a recursive function's frame at a depth of recursion is from the first one, if it has variables in memory.
    pub fn offset(&self, func: FuncId, depth: u32) -> Option<SlotId> {
        self.offsets.get(&func).map(|&slot| self.at_depth(slot, depth))
    }

    /// The functions that have such a symbol, with its name.
    pub fn offsets(&self) -> impl Iterator<Item = (FuncId, &str)> {
        let name = |slot: SlotId| &*self.names[self.split(slot).0];
        self.offsets.iter().map(move |(&func, &slot)| (func, name(slot)))
    }

    /// The number of a function's frame at a depth of recursion.
    pub fn frame(&self, func: FuncId, depth: u32) -> u32 {
        let shift = self.functions.checked_mul(depth);
        let number = shift.and_then(|shift| shift.checked_add(func.0));
        number.expect("frames times functions stay below 2^32")
    }

    /// The number of the frame that a symbol is in; `None` for those of the whole program.
    pub fn frame_of(&self, slot: SlotId) -> Option<u32> {
        let (base, depth) = self.split(slot);
        self.owners[base].map(|func| self.frame(func, depth))
    }

    /// Whether the slot is a region's.
    pub fn is_region(&self, slot: SlotId) -> bool {
        let base = slot.0 % self.len();
        (self.first_region..self.first_region + self.region_count).contains(&base)
    }

    /// The number of symbols in one frame.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The region that a slot is the function symbol of.
    pub fn region_of(&self, slot: SlotId) -> Option<RegionId> {
        self.is_region(slot)
            .then(|| RegionId(slot.0 % self.len() - self.first_region))
    }

    /// The function symbol of a region.
    pub fn region(&self, region: RegionId) -> SlotId {
        SlotId(self.first_region + region.0)
    }

    /// The slots of a place in a plain variable, with their scalars, in order of declaration.
    pub fn of_place(&self, program: &Program, var: VarId, place: &Place, depth: u32) -> Vec<(SlotId, Scalar)> {
        debug_assert!(matches!(place.base, PlaceBase::Var(v) if v == var));
        let mut slots = self.vars[var.index()].clone();
        for step in &place.proj {
            let Proj::Field { record, field } = step else { continue };
            let skip = |upto: u32| -> u32 {
                let fields = program.types.record(*record).fields.iter();
                (0..upto)
                    .zip(fields)
                    .map(|(_, f)| leaf_count(&program.types, f.ty))
                    .sum()
            };
            slots = slots.start + skip(*field)..slots.start + skip(*field + 1);
        }
        let depth = if program.var(var).func.is_none() { 0 } else { depth };
        slots
            .filter_map(|slot| Some((self.at_depth(SlotId(slot), depth), self.scalar(SlotId(slot))?)))
            .collect()
    }
}

fn leaf_count(types: &Types, ty: TypeId) -> u32 {
    match *types.get(ty) {
        Type::Record(r) => types.record(r).fields.iter().map(|f| leaf_count(types, f.ty)).sum(),
        // Arrays of no elements have no leaves; others are never part of a plain variable.
        _ => u32::try_from(leaves(types, ty).len()).expect("a count of members"),
    }
}
