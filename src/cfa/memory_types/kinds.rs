//! Kinds of cells, and the keys by which they are found.

use crate::cfa::program::scalar::{Class, Leaf, Scalar};
use crate::cfa::program::{Place, PlaceBase, Program, Proj, VarId};
use crate::frontend::types::RecordId;

/// A kind of cells; the position among the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u32);

impl KindId {
    /// The position among the kinds.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How cells represent the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// One cell per scalar, at the address of its first byte.
    Scalars {
        /// Bytes of a cell.
        size: u64,
        /// Whether all accesses are signed; if not, cells hold the unsigned value.
        signed: bool,
        /// Whether all accesses have one width and class, so that cells need no conversion.
        uniform: bool,
    },
    /// One cell per byte, 0 to 255.
    Bytes,
}

/// The properties of a kind.
#[derive(Debug, Clone)]
pub struct Kind {
    /// `record.member`, `variable.member`, or class and size.
    pub name: String,
    /// The representation.
    pub cells: Cells,
    /// Whether only one variable that no pointer reaches has such cells.
    pub private: bool,
    /// The type of a cell, if all accesses agree.
    pub scalar: Scalar,
    /// For cells of a bit-field: the bit of the first byte that it begins with.
    pub first_bit: Option<u32>,
    /// Whether all cells lie at multiples of their size.
    pub(super) natural: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    Private(VarId, u32),
    Field(RecordId, u32),
    Class(Class, u64),
}

pub(super) fn shared_key(leaf: &Leaf) -> Key {
    match leaf.field {
        Some((record, field)) => Key::Field(record, field),
        None => Key::Class(leaf.scalar.class, leaf.scalar.size),
    }
}

pub(super) fn fields_of(place: &Place) -> Vec<(RecordId, u32)> {
    let field = |p: &Proj| match p {
        Proj::Field { record, field } => Some((*record, *field)),
        Proj::Index(_) => None,
    };
    place.proj.iter().filter_map(field).collect()
}

/// Whether a place lives in memory, rather than in a plain variable.
pub fn in_memory(program: &Program, place: &Place) -> bool {
    match place.base {
        PlaceBase::Var(v) => program.var(v).in_memory,
        PlaceBase::Deref(_) => true,
    }
}
