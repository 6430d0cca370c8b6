//! The cells of a program by the names that formulas have for them: what its domain types are about.

use super::encoder::Encoder;
use super::slots::SlotId;
use crate::cfa::analysis::domain_types::{Cells, DomainTypes};
use crate::cfa::memory_types;
use crate::cfa::program::scalar::{Leaf, Scalar, leaves};
use crate::cfa::{Expr, Place, PlaceBase};

impl Encoder<'_> {
    /// The domain types of the program's cells, by the names of their symbols.
    pub fn domain_types(&self) -> DomainTypes {
        DomainTypes::new(self.program, self)
    }
}

fn position(slot: SlotId) -> usize {
    usize::try_from(slot.0).expect("a position in the table")
}

fn slot(cell: usize) -> SlotId {
    SlotId(u32::try_from(cell).expect("the number of a slot"))
}

/// A cell is the slot of its symbol in the outermost frame.
impl Cells for Encoder<'_> {
    fn count(&self) -> usize {
        self.slots.count()
    }

    fn name(&self, cell: usize) -> String {
        self.slots.name(slot(cell))
    }

    fn is_byte(&self, cell: usize) -> bool {
        let region = self.slots.region_of(slot(cell));
        region.is_some_and(|region| matches!(self.regions.region(region).cells, memory_types::Cells::Bytes))
    }

    fn of_place(&self, place: &Place, found: &mut Vec<Option<usize>>) {
        let program = self.program;
        if let PlaceBase::Var(var) = place.base
            && !program.var(var).in_memory
        {
            let slots = self.slots.of_place(program, var, place, 0);
            found.extend(slots.into_iter().map(|(slot, _)| Some(position(slot))));
            return;
        }
        let cell = |region| position(self.slots.region(region));
        if Scalar::of(&program.types, place.ty).is_some() {
            found.push(self.regions.of_accessed(program, place, None).map(cell));
            return;
        }
        let leaves = leaves(&program.types, place.ty);
        found.extend(
            leaves
                .iter()
                .map(|leaf| self.regions.of_accessed(program, place, Some(leaf)).map(cell)),
        );
    }

    fn of_bytes(&self, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>) {
        let regions = self.regions.bytes(self.program, pointers, len);
        found.extend(
            regions
                .into_iter()
                .map(|(region, _)| position(self.slots.region(region))),
        );
    }
}

/// The place of a scalar in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryCell {
    /// A cell of this region holds it as it is, at its address.
    Whole(SlotId),
    /// Cells of this region hold its bytes, or something that has to be converted.
    Part(SlotId),
    /// Nobody knows which region it is in.
    Anywhere,
}

impl Encoder<'_> {
    /// The symbols of the scalars of a place in a plain variable, in order of declaration, in the frame above `depth` older ones of its function; `None` for a place in memory.
    pub fn plain_scalars(&self, place: &Place, depth: u32) -> Option<Vec<(SlotId, Scalar)>> {
        match place.base {
            PlaceBase::Var(var) if !self.program.var(var).in_memory => {
                Some(self.slots.of_place(self.program, var, place, depth))
            }
            _ => None,
        }
    }

    /// Where a scalar place in memory is.
    pub fn memory_cell(&self, place: &Place) -> MemoryCell {
        let Some(region) = self.regions.of_accessed(self.program, place, None) else {
            return MemoryCell::Anywhere;
        };
        let slot = self.slots.region(region);
        match self.regions.region(region).cells {
            memory_types::Cells::Scalars { uniform: true, .. } if place.bits.is_none() => MemoryCell::Whole(slot),
            _ => MemoryCell::Part(slot),
        }
    }

    /// The scalar members of a place in memory, with where each is. Elements of an array are one member.
    pub fn memory_members(&self, place: &Place) -> Vec<(Leaf, MemoryCell)> {
        let program = self.program;
        let members = leaves(&program.types, place.ty).into_iter();
        let members = members.map(|leaf| {
            let cell = match self.regions.of_accessed(program, place, Some(&leaf)) {
                None => MemoryCell::Anywhere,
                Some(region) => match self.regions.region(region).cells {
                    memory_types::Cells::Scalars { uniform: true, .. } if leaf.bits.is_none() => {
                        MemoryCell::Whole(self.slots.region(region))
                    }
                    _ => MemoryCell::Part(self.slots.region(region)),
                },
            };
            (leaf, cell)
        });
        members.collect()
    }
}
