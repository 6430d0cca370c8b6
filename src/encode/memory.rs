//! Reads and writes of memory: function applications and updates.
//!
//! A read of a scalar is the region's current version at its address, a write makes a new version that differs in one cell.
//! Whole objects go by ranges of cells. Regions from which the program never reads are not written. A value that is read is in the
//! range of the cell; the formula states that at each read, because no other formula does.

use super::InputKind;
use super::context::{Context, Value};
use super::ranges::Range;
use super::regions::RegionId;
use super::supposed::Supposed;
use crate::cfa::memory_types::{Cells, in_memory};
use crate::cfa::program::scalar::{Class, Leaf, Scalar, leaves};
use crate::cfa::{AssumptionKind, BitRange, Place, PlaceBase};
use crate::frontend::types::float::Format;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{Symbol, TermId, UpdateSource};

/// A scalar in memory.
#[derive(Clone, Debug)]
pub struct Cell {
    region: RegionId,
    /// Of the first byte of the scalar or, for a bit-field, of its record member.
    address: Value,
    scalar: Scalar,
    /// For a bit-field: its bits, counted from `address`.
    bits: Option<BitRange>,
}

/// The integer that a cell of `size` bytes holds.
fn cell_scalar(size: u64, signed: bool) -> Scalar {
    let width = u32::try_from(size.min(1 << 20) * 8).expect("limited");
    Scalar {
        class: Class::Int,
        width,
        signed,
        size,
    }
}

impl Context<'_, '_> {
    /// The value of a scalar place.
    pub fn load(&mut self, place: &Place) -> Value {
        let scalar = self.place_scalar(place);
        if !in_memory(self.encoder.program, place) {
            return match self.slots_of(place)[..] {
                [(slot, scalar)] => self.read_slot(slot, scalar),
                _ => self.any_scalar(scalar),
            };
        }
        match self.cell(place) {
            Some(cell) => self.read(&cell),
            None => self.any_scalar(scalar),
        }
    }

    /// The symbols of a place in a plain variable.
    pub fn slots_of(&self, place: &Place) -> Vec<(super::SlotId, Scalar)> {
        let PlaceBase::Var(var) = place.base else {
            return Vec::new();
        };
        self.encoder
            .slots
            .of_place(self.encoder.program, var, place, self.depth)
    }

    /// The scalar in memory that a place is; `None` for things that are not tracked.
    pub fn cell(&mut self, place: &Place) -> Option<Cell> {
        let region = self.encoder.regions.of_place(self.encoder.program, place);
        let supposes = !matches!(self.encoder.manner.supposed, Supposed::Nothing);
        if region.is_none() && !supposes {
            return None;
        }
        let address = self.address(place);
        if supposes && let PlaceBase::Deref(pointer) = &place.base {
            let size = self.encoder.program.types.size_of(place.ty).unwrap_or(1);
            self.suppose_access(address.term, pointer, region, size);
        }
        let region = region?;
        let scalar = self.place_scalar(place);
        // The bits of a bit-field count from its record; its address is that of the byte with its first bit.
        let bits = place.bits.map(|b| BitRange {
            offset: b.offset % 8,
            width: b.width,
        });
        Some(Cell {
            region,
            address,
            scalar,
            bits,
        })
    }

    /// Reads a scalar.
    pub fn read(&mut self, cell: &Cell) -> Value {
        let value = match self.encoder.regions.region(cell.region).cells {
            Cells::Scalars { size, signed, uniform } => {
                let term = self.apply_region(cell.region, cell.address.term);
                if cell.scalar.is_opaque() {
                    return Value::new(term, Range::ALL);
                }
                let held = if uniform {
                    cell.scalar
                } else {
                    cell_scalar(size, signed)
                };
                let range = self.range_of(held);
                self.bound(term, &range);
                let value = Value::new(term, range);
                if uniform {
                    value
                } else {
                    match cell.scalar.class {
                        Class::Bool => self.convert(value, held, cell.scalar),
                        _ => self.reinterpret(value, cell.scalar),
                    }
                }
            }
            Cells::Bytes => {
                if cell.scalar.is_opaque() {
                    return self.any_scalar(cell.scalar);
                }
                self.read_bytes(cell)
            }
        };
        let region = self.encoder.regions.region(cell.region).name.clone();
        let kind = InputKind::Read {
            region,
            address: cell.address.term,
            size: cell.scalar.size,
        };
        let input = self.input_term(value.term, cell.scalar);
        self.inputs.push((kind, input));
        value
    }

    /// Notes that cells of a region are copied from where a version of it has them. Those of floating-point values hold codes, which no copy turns into bits.
    pub(super) fn note_copied(&mut self, region: RegionId, held: Symbol, first: TermId, end: TermId) {
        let known = self.encoder.regions.region(region);
        let size = match known.cells {
            Cells::Bytes => 1,
            Cells::Scalars { size, .. } if !matches!(known.scalar.class, Class::Float | Class::Opaque) => size,
            Cells::Scalars { .. } => return,
        };
        let region = known.name.clone();
        let kind = InputKind::Copied {
            region,
            held,
            size,
            end,
        };
        self.inputs.push((kind, first));
    }

    fn apply_region(&mut self, region: RegionId, address: TermId) -> TermId {
        let slot = self.encoder.slots.region(region);
        let index = self.ssa.index(slot);
        let symbol = self.symbol(slot, index);
        self.pool.app(symbol.name, index, &[address])
    }

    /// The address of the byte that is `by` further.
    pub(super) fn further(&mut self, address: TermId, by: u64) -> TermId {
        self.pool.linear(&[(Int::ONE, address)], Int::from(i128::from(by)))
    }

    /// The number of bytes that a cell touches, and the first bit of the value in them.
    fn span(cell: &Cell) -> (u64, u32) {
        match cell.bits {
            Some(bits) => {
                let first = u32::try_from(bits.offset % 8).expect("less than 8");
                (u64::from(first + bits.width).div_ceil(8), first)
            }
            None => (cell.scalar.size, 0),
        }
    }

    fn read_bytes(&mut self, cell: &Cell) -> Value {
        if cell.scalar.format() == Some(Format::Extended) && !self.ideal() {
            let [significand, top] = self.extended_parts(cell).map(|part| self.read_bytes(&part));
            return self.extended_of_parts(&significand, &top, cell.scalar);
        }
        let (count, first) = Self::span(cell);
        let whole = self.bytes_at(cell.region, cell.address.term, count);
        let bits = u32::try_from(count * 8).expect("a scalar is small");
        let mut value = Value::new(
            whole,
            Range {
                lo: Some(Int::ZERO),
                hi: Some(Int::pow2(bits) - Int::ONE),
            },
        );
        if first > 0 {
            let power = Int::pow2(first);
            value = Value::new(self.pool.div_floor(value.term, &power), value.range.div_floor(&power));
        }
        if cell.scalar.class == Class::Bool && cell.bits.is_none() {
            let truth = self.truth(&value);
            return self.of_truth(truth);
        }
        self.wrap_always(value, cell.scalar)
    }

    /// The representation in bits is that of the machine, also with ideal integers.
    fn wrap_always(&mut self, value: Value, scalar: Scalar) -> Value {
        if self.ideal() {
            self.trust(AssumptionKind::Memory, "bytes of a wider object hold any value", true);
            return self.any_scalar(scalar);
        }
        self.fit(value, scalar)
    }

    /// Writes a value of the cell's type.
    pub fn write(&mut self, cell: &Cell, value: &Value) {
        if !self.encoder.regions.region(cell.region).read {
            return;
        }
        match self.encoder.regions.region(cell.region).cells {
            Cells::Scalars { size, signed, uniform } => {
                let held = if uniform || cell.scalar.is_opaque() {
                    value.clone()
                } else {
                    let pattern = self.padded_pattern(value, cell.scalar);
                    self.fit(Value::new(pattern.term, pattern.range), cell_scalar(size, signed))
                };
                self.update_point(cell.region, cell.address.term, held.term);
            }
            Cells::Bytes if cell.scalar.is_opaque() || self.ideal() => {
                let (count, _) = Self::span(cell);
                let end = self.further(cell.address.term, count);
                self.update(cell.region, cell.address.term, end, UpdateSource::Havoc);
            }
            Cells::Bytes => self.write_bytes(cell, value),
        }
    }

    /// The parts of a value of x87's format in memory, as integers: the significand, and sign and exponent. What follows is padding.
    fn extended_parts(&mut self, cell: &Cell) -> [Cell; 2] {
        [(0, 8), (8, 2)].map(|(offset, size)| Cell {
            address: Value::new(self.further(cell.address.term, offset), Range::ALL),
            scalar: cell_scalar(size, false),
            ..cell.clone()
        })
    }

    fn write_bytes(&mut self, cell: &Cell, value: &Value) {
        if cell.scalar.format() == Some(Format::Extended) {
            let values = self.parts_of_extended(value);
            for (part, value) in self.extended_parts(cell).iter().zip(&values) {
                self.write_bytes(part, value);
            }
            let padding = self.further(cell.address.term, 10);
            let end = self.further(cell.address.term, cell.scalar.size);
            return self.update(cell.region, padding, end, UpdateSource::Havoc);
        }
        let (count, first) = Self::span(cell);
        let mut source = self.fit(value.clone(), cell.scalar.unsigned());
        if let Some(bits) = cell.bits {
            // The bits around the field stay what they are.
            let whole_cell = Cell {
                scalar: cell_scalar(count, false),
                bits: None,
                ..cell.clone()
            };
            let old = self.read_bytes(&whole_cell);
            let (low, high) = (Int::pow2(first), Int::pow2(first + bits.width));
            let below = self.pool.mod_floor(old.term, &low);
            let above = self.pool.div_floor(old.term, &high);
            let term = self
                .pool
                .linear(&[(high, above), (low, source.term), (Int::ONE, below)], Int::ZERO);
            source = Value::new(term, old.range);
        }
        self.write_number(cell, count, source.term);
    }

    /// Bytes get the value of an unsigned number of as many bytes, by one update where that goes: reads of later versions pass by every update. The bytes of a number that is not constant
    /// are the applications at their addresses, so that nothing has to be divided.
    fn write_number(&mut self, cell: &Cell, count: u64, number: TermId) {
        let (region, start) = (cell.region, cell.address.term);
        if count == 1 {
            return self.update_point(region, start, number);
        }
        let Some(mut rest) = self.pool.as_const(number).cloned() else {
            let end = self.further(start, count);
            self.update(region, start, end, UpdateSource::Havoc);
            let bytes = self.bytes_at(region, start, count);
            let is_whole = self.pool.eq(bytes, number);
            return self.require(is_whole);
        };
        let full = Int::pow2(8);
        let bytes: Vec<Int> = (0..count)
            .map(|_| {
                let byte = rest.mod_floor(&full);
                rest = rest.div_floor(&full);
                byte
            })
            .collect();
        let mut at = start;
        for run in bytes.chunk_by(|a, b| a == b) {
            let end = self.further(at, run.len() as u64);
            let byte = self.pool.int(run[0].clone());
            self.update(region, at, end, UpdateSource::Const(byte));
            at = end;
        }
    }

    /// The number that bytes in memory are, the first one the lowest.
    fn bytes_at(&mut self, region: RegionId, start: TermId, count: u64) -> TermId {
        let byte_range = Range::new(0i64, 255i64);
        let mut parts = Vec::new();
        for (i, place) in (0..count).zip(0u32..) {
            let at = self.further(start, i);
            let byte = self.apply_region(region, at);
            self.bound(byte, &byte_range);
            parts.push((Int::pow2(8 * place), byte));
        }
        self.pool.linear(&parts, Int::ZERO)
    }

    fn update_point(&mut self, region: RegionId, at: TermId, value: TermId) {
        let slot = self.encoder.slots.region(region);
        let old = self.ssa.index(slot);
        let new = self.ssa.bump(slot);
        let (old, new) = (self.symbol(slot, old), self.symbol(slot, new));
        let at = match planted("wrong-region") {
            true => self.further(at, 1),
            false => at,
        };
        let update = self.pool.point_update(new, old, at, value);
        self.require(update);
    }

    /// Sets the cells from `lo` up to `hi` of a region.
    pub fn update(&mut self, region: RegionId, lo: TermId, hi: TermId, source: UpdateSource) {
        if !self.encoder.regions.region(region).read || lo == hi {
            return;
        }
        let slot = self.encoder.slots.region(region);
        let old = self.ssa.index(slot);
        let new = self.ssa.bump(slot);
        let (old, new) = (self.symbol(slot, old), self.symbol(slot, new));
        let update = self.pool.update(new, old, lo, hi, source);
        self.require(update);
    }

    /// The members of a place of any object type in memory, with their addresses.
    fn members(&mut self, place: &Place) -> Vec<(Leaf, RegionId, Value)> {
        let program = self.encoder.program;
        let base = self.address(place);
        let all: Vec<Leaf> = leaves(&program.types, place.ty);
        let mut found = Vec::new();
        for leaf in all {
            let Some(region) = self.encoder.regions.of_leaf(program, place, &leaf) else {
                continue;
            };
            let offset = self.constant(i128::from(leaf.offset));
            let address = self.plus(&base, &offset);
            found.push((leaf, region, address));
        }
        found
    }

    fn leaf_cell(leaf: &Leaf, region: RegionId, address: Value) -> Cell {
        let bits = leaf.bits.map(|b| BitRange {
            offset: b.offset % 8,
            width: b.width,
        });
        Cell {
            region,
            address,
            scalar: leaf.scalar,
            bits,
        }
    }

    /// Every byte of a place becomes 0.
    pub fn zero(&mut self, place: &Place) {
        let zero = self.constant(0i64);
        if !in_memory(self.encoder.program, place) {
            for (slot, _) in self.slots_of(place) {
                self.write_slot(slot, &zero);
            }
            return;
        }
        self.fill(place, UpdateSource::Const(zero.term));
    }

    /// The members of an object in memory get a value, bytes and scalars alike.
    fn fill(&mut self, place: &Place, source: UpdateSource) {
        if let Some(scalar) = Scalar::of(&self.encoder.program.types, place.ty) {
            let Some(cell) = self.cell(place) else { return };
            match source {
                UpdateSource::Const(term) => self.write(&cell, &Value::new(term, Range::point(Int::ZERO))),
                _ => self.havoc_cell(&cell, scalar),
            }
            return;
        }
        let Some(size) = self.encoder.program.types.size_of(place.ty) else {
            return;
        };
        let members = self.members(place);
        let mut done: Vec<RegionId> = Vec::new();
        let base = self.address(place);
        for (leaf, region, address) in members {
            // Of cells that are bytes the padding is one as well.
            let bytes = self.encoder.regions.region(region).cells == Cells::Bytes;
            if !bytes && !leaf.array && matches!(source, UpdateSource::Const(_)) {
                // A lone scalar: one cell is simpler than a range.
                let cell = Self::leaf_cell(&leaf, region, address);
                if !done.contains(&region) {
                    let zero = self.constant(0i64);
                    self.write(&cell, &zero);
                }
            } else if !done.contains(&region) {
                done.push(region);
                let end = self.further(base.term, size);
                self.update(region, base.term, end, source);
            }
        }
    }

    pub fn zero_term(&mut self) -> TermId {
        self.pool.int(0i64)
    }

    /// A scalar in memory gets any value of its type.
    pub fn havoc_cell(&mut self, cell: &Cell, scalar: Scalar) {
        let any = self.any_scalar(cell.scalar);
        self.suppose_number(any.term, cell.scalar);
        self.write(cell, &any);
        let region = self.encoder.regions.region(cell.region).name.clone();
        let kind = InputKind::Memory {
            region,
            address: cell.address.term,
            size: scalar.size,
        };
        let input = self.input_term(any.term, cell.scalar);
        self.inputs.push((kind, input));
    }

    /// A place of any object type gets any value.
    pub fn havoc(&mut self, place: &Place) {
        if in_memory(self.encoder.program, place) {
            return self.fill(place, UpdateSource::Havoc);
        }
        for (slot, scalar) in self.slots_of(place) {
            let term = self.havoc_slot(slot, scalar);
            self.suppose_number(term, scalar);
            let name = self.encoder.slots.name(slot);
            let input = self.input_term(term, scalar);
            self.inputs.push((InputKind::Variable { name }, input));
        }
    }

    /// Writes a scalar to a place.
    pub fn store(&mut self, place: &Place, value: &Value) {
        if in_memory(self.encoder.program, place) {
            if let Some(cell) = self.cell(place) {
                self.write(&cell, value);
            }
            return;
        }
        if let [(slot, _)] = self.slots_of(place)[..] {
            self.write_slot(slot, value);
        }
    }

    /// Copies a record.
    pub fn copy_record(&mut self, lhs: &Place, rhs: &Place) {
        self.copy_between(lhs, rhs, self.depth, self.depth);
    }

    /// Copies an object between places of two frames.
    pub fn copy_between(&mut self, lhs: &Place, rhs: &Place, lhs_depth: u32, rhs_depth: u32) {
        let values = {
            self.depth = rhs_depth;
            self.read_members(rhs)
        };
        self.depth = lhs_depth;
        let program = self.encoder.program;
        if !in_memory(program, lhs) {
            for ((slot, scalar), value) in self.slots_of(lhs).into_iter().zip(values) {
                let value = match value {
                    Member::Scalar(value) => value,
                    Member::Cells { .. } => self.any_scalar(scalar),
                };
                self.write_slot(slot, &value);
            }
            return;
        }
        let members = self.members(lhs);
        let size = program.types.size_of(lhs.ty);
        for ((leaf, region, address), value) in members.into_iter().zip(values) {
            match value {
                Member::Scalar(value) => {
                    let cell = Self::leaf_cell(&leaf, region, address);
                    self.write(&cell, &value);
                }
                Member::Cells {
                    from,
                    cells,
                    address: source,
                } => {
                    // A flexible array member is no part of what is copied, but for what lies in the padding.
                    let extent = size.map_or(leaf.extent, |size| leaf.extent.min(size.saturating_sub(leaf.offset)));
                    let end = self.further(address.term, extent);
                    let same_cells = self.encoder.regions.region(region).cells == cells;
                    let update = if same_cells {
                        UpdateSource::Copy {
                            from,
                            shift: self.pool.sub(source, address.term),
                        }
                    } else {
                        UpdateSource::Havoc
                    };
                    self.update(region, address.term, end, update);
                }
            }
        }
    }

    /// The members of an object before anything is written.
    fn read_members(&mut self, place: &Place) -> Vec<Member> {
        if !in_memory(self.encoder.program, place) {
            let slots = self.slots_of(place);
            return slots
                .into_iter()
                .map(|(slot, scalar)| Member::Scalar(self.read_slot(slot, scalar)))
                .collect();
        }
        let mut found = Vec::new();
        for (leaf, region, address) in self.members(place) {
            let cells = self.encoder.regions.region(region).cells;
            // Members of unions overlap, so they are moved as bytes and not read as what they may not be.
            if leaf.array || leaf.union_at.is_some() {
                let slot = self.encoder.slots.region(region);
                let index = self.ssa.index(slot);
                let from = self.symbol(slot, index);
                let end = self.further(address.term, leaf.extent);
                self.note_copied(region, from, address.term, end);
                found.push(Member::Cells {
                    from,
                    cells,
                    address: address.term,
                });
            } else {
                let value = self.read(&Self::leaf_cell(&leaf, region, address));
                found.push(Member::Scalar(value));
            }
        }
        found
    }
}

/// The content of a member of an object.
enum Member {
    /// A scalar's value.
    Scalar(Value),
    /// Cells of a version of a region.
    Cells {
        from: Symbol,
        cells: Cells,
        address: TermId,
    },
}
