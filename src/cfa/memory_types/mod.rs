//! The division of memory by types: kinds of cells, such that accesses to different kinds cannot touch the same byte.
//!
//! The fewer writes a read depends on, the better. At first, three kinds are distinguished:
//!
//! * a variable in memory that no pointer points to has kinds of its own, one per scalar member (elements of an array share it);
//! * a scalar member of a record type, in all other objects, has one kind per (record, member);
//! * scalars that are no members have one kind per class and size (`int` and `unsigned` alike, pointers apart).
//!
//! This is right as long as a byte is reached in one way only. One pass over the program unifies (union-find) the kinds
//! of bytes that it can reach in two ways: the address of a member is taken (it joins the scalars of its type); a union; a pointer cast
//! between types whose scalars lie differently; a byte copy across types. Casts that cancel out (`container_of`, with its offset)
//! unify only what really overlaps. A unified kind whose accesses have one size at whole multiples stays a kind of such *cells*; otherwise it
//! becomes a kind of *bytes*, in which a wider access is a sum of bytes: exact, and expensive only where a program makes such accesses.
//!
//! Pointers that go through `void *` variables and integers are followed by what they may have been before. So are those of types whose pointers somewhere leave objects
//! of the type (`container_of`, a first member as its record, a header before the data): the surroundings of an object depend on the origin of the pointer. These types are found
//! in rounds. Where types meet that do not fit, a few such pairs are unified; for more, the division rests on strict aliasing, and the ledger has an entry.
//! The [points-to analysis](super::pointers) keeps the content of objects by kinds, so that it is field-sensitive without offsets, and
//! path formulas divide each kind further by the objects of its points-to sets.
//!
//! | module | does |
//! |---|---|
//! | `bytes` | the cells that fills and copies of bytes concern |
//! | `unify` | the look over the program, and bytes that are reached under two types |
//! | `constants` | offsets that are constant, also over variables |
//! | `flow` | which types meet through values without a type |
//! | `meeting` | how the scalars of two types lie to each other |
//! | `members` | members that are accessed by arithmetic |
//! | `values` | what a pointer expression is made from |
//! | `walks` | members that are reached by a pointer to another one |
//! | `names` | names of kinds |

mod bytes;
mod constants;
mod flow;
mod meeting;
mod members;
mod names;
mod unify;
mod values;
mod walks;

use super::program::scalar::{Class, Leaf, Scalar, leaves};
use super::program::{Expr, Place, PlaceBase, Program, Proj, VarId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordId, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;

pub use bytes::{Concerned, Cut};
pub use constants::constant_offset;
pub use names::member_name;

/// The most pairs of types for which casts through `void *` are unified rather than trusted, for formulas: wide kinds are expensive there.
pub const FEW_PAIRS: usize = 64;

/// The same where only dependences are concerned.
pub const MANY_PAIRS: usize = 128;

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
    natural: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Private(VarId, u32),
    Field(RecordId, u32),
    Class(Class, u64),
}

/// The data from which the key of a place follows.
#[derive(Debug, Default)]
struct Keys {
    /// For each private variable the path prefixes of its leaves.
    private_paths: FxHashMap<VarId, Vec<Vec<u32>>>,
    members: members::Members,
}

/// The division of one program's memory by types.
#[derive(Debug)]
pub struct Division {
    kinds: Vec<Kind>,
    of_key: FxHashMap<Key, KindId>,
    keys: Keys,
    trusted: Vec<(String, Loc)>,
    /// For variables of type `void *` that are read: the one type that every read converts them to, if that is so.
    converted: FxHashMap<VarId, Option<TypeId>>,
    /// The pointers of operations on bytes, with the number of bytes, where that is a constant.
    pointed: FxHashMap<(Expr, Option<i64>), bytes::Behind>,
}

impl Division {
    /// Divides the memory of a program. Unifies the types of up to `pairs` casts through `void *`; more are trusted.
    ///
    /// Linear in the program but for casts between different records.
    pub fn new(program: &Program, pairs: usize) -> Division {
        unify::divide(program, pairs)
    }

    /// A kind.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// The number of kinds.
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    /// All kinds with their ids.
    pub fn kinds(&self) -> impl Iterator<Item = (KindId, &Kind)> {
        (0u32..).map(KindId).zip(&self.kinds)
    }

    /// The assumptions of the division.
    pub fn trusted(&self) -> impl Iterator<Item = (&str, &Loc)> {
        self.trusted.iter().map(|(text, loc)| (text.as_str(), loc))
    }

    /// The kind of a scalar place in memory (of the elements, if it is an array of scalars).
    pub fn of_place(&self, program: &Program, place: &Place) -> Option<KindId> {
        let key = key_of_place(program, &self.keys, place)?;
        self.of_key.get(&key).copied()
    }

    /// The kind of a leaf of a place.
    pub fn of_leaf(&self, program: &Program, place: &Place, leaf: &Leaf) -> Option<KindId> {
        let key = key_of_leaf(program, &self.keys, place, leaf)?;
        self.of_key.get(&key).copied()
    }

    /// The kinds of the scalars of a place in memory of any object type: `None` in the list where there is none for a scalar.
    pub fn kinds_of(&self, program: &Program, place: &Place) -> Vec<Option<KindId>> {
        if Scalar::of(&program.types, place.ty).is_some() {
            return vec![self.of_place(program, place)];
        }
        let all = leaves(&program.types, place.ty);
        all.iter().map(|leaf| self.of_leaf(program, place, leaf)).collect()
    }

    /// The type that all uses of the pointer variables convert them to, for variables of type `void *` whose only uses are
    /// such conversions: of what an allocation is for.
    pub fn converted_type(&self, var: VarId) -> Option<TypeId> {
        self.converted.get(&var).copied().flatten()
    }

    /// The kinds of the scalars of a type behind a pointer.
    pub fn of_type(&self, types: &Types, ty: TypeId) -> Vec<KindId> {
        let found: BTreeSet<KindId> = leaves(types, ty)
            .iter()
            .filter_map(|leaf| self.of_key.get(&shared_key(leaf)).copied())
            .collect();
        found.into_iter().collect()
    }
}

fn shared_key(leaf: &Leaf) -> Key {
    match leaf.field {
        Some((record, field)) => Key::Field(record, field),
        None => Key::Class(leaf.scalar.class, leaf.scalar.size),
    }
}

fn fields_of(place: &Place) -> Vec<(RecordId, u32)> {
    let field = |p: &Proj| match p {
        Proj::Field { record, field } => Some((*record, *field)),
        Proj::Index(_) => None,
    };
    place.proj.iter().filter_map(field).collect()
}

fn private_var(paths: &FxHashMap<VarId, Vec<Vec<u32>>>, place: &Place) -> Option<VarId> {
    match place.base {
        PlaceBase::Var(v) if paths.contains_key(&v) => Some(v),
        _ => None,
    }
}

fn private_key(paths: &FxHashMap<VarId, Vec<Vec<u32>>>, var: VarId, path: &[u32]) -> Option<Key> {
    let at = paths.get(&var)?.iter().position(|prefix| path.starts_with(prefix))?;
    Some(Key::Private(var, u32::try_from(at).expect("a position")))
}

fn key_of_place(program: &Program, keys: &Keys, place: &Place) -> Option<Key> {
    let fields = fields_of(place);
    let paths = &keys.private_paths;
    if let Some(var) = private_var(paths, place) {
        let path: Vec<u32> = fields.iter().map(|f| f.1).collect();
        return private_key(paths, var, &path);
    }
    if let Some(&(record, field)) = fields.last() {
        return Some(Key::Field(record, field));
    }
    if let Some((record, field)) = keys.members.member(program, place) {
        return Some(Key::Field(record, field));
    }
    let mut ty = place.ty;
    while let Type::Array { elem, .. } = *program.types.get(ty) {
        ty = elem;
    }
    let scalar = Scalar::of(&program.types, ty)?;
    Some(Key::Class(scalar.class, scalar.size))
}

fn key_of_leaf(program: &Program, keys: &Keys, place: &Place, leaf: &Leaf) -> Option<Key> {
    let paths = &keys.private_paths;
    if let Some(var) = private_var(paths, place) {
        let mut path: Vec<u32> = fields_of(place).iter().map(|f| f.1).collect();
        path.extend(&leaf.path);
        return private_key(paths, var, &path);
    }
    match leaf.field {
        Some(_) => Some(shared_key(leaf)),
        // A scalar or an array of scalars: the place itself says which member it is.
        None => key_of_place(program, keys, place),
    }
}

/// Whether a place lives in memory, rather than in a plain variable.
pub fn in_memory(program: &Program, place: &Place) -> bool {
    match place.base {
        PlaceBase::Var(v) => program.var(v).in_memory,
        PlaceBase::Deref(_) => true,
    }
}
