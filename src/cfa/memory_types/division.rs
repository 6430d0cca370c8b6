//! The division of memory as data: which kind a place has.

use super::kinds::{Key, Kind, KindId, fields_of, shared_key};
use super::members::Members;
use crate::cfa::program::scalar::{Leaf, Scalar, leaves};
use crate::cfa::program::{Expr, Place, PlaceBase, Program, VarId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;

/// The data from which the key of a place follows.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// For each private variable the path prefixes of its leaves.
    pub(super) private_paths: FxHashMap<VarId, Vec<Vec<u32>>>,
    pub(super) members: Members,
}

/// The division of one program's memory by types.
#[derive(Debug)]
pub struct Division {
    pub(super) kinds: Vec<Kind>,
    pub(super) of_key: FxHashMap<Key, KindId>,
    pub(super) keys: Keys,
    pub(super) trusted: Vec<(String, Loc)>,
    /// For variables of type `void *` that are read: the one type that every read converts them to, if that is so.
    pub(super) converted: FxHashMap<VarId, Option<TypeId>>,
    /// The pointers of operations on bytes, with the number of bytes, where that is a constant.
    pub(super) pointed: FxHashMap<(Expr, Option<i64>), Behind>,
}

impl Division {
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

pub(super) fn private_var(paths: &FxHashMap<VarId, Vec<Vec<u32>>>, place: &Place) -> Option<VarId> {
    match place.base {
        PlaceBase::Var(v) if paths.contains_key(&v) => Some(v),
        _ => None,
    }
}

pub(super) fn private_key(paths: &FxHashMap<VarId, Vec<Vec<u32>>>, var: VarId, path: &[u32]) -> Option<Key> {
    let at = paths.get(&var)?.iter().position(|prefix| path.starts_with(prefix))?;
    Some(Key::Private(var, u32::try_from(at).expect("a position")))
}

pub(super) fn key_of_place(program: &Program, keys: &Keys, place: &Place) -> Option<Key> {
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

pub(super) fn key_of_leaf(program: &Program, keys: &Keys, place: &Place, leaf: &Leaf) -> Option<Key> {
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

/// Where the bytes behind a pointer begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    /// A number of bytes behind the first one of an object of this type; `None`: anywhere.
    pub(super) at: (TypeId, Option<i64>),
    /// Whether objects of the type lie side by side as far as the bytes can go.
    pub(super) along: bool,
}

/// The knowledge about the bytes behind a pointer.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    /// They begin in one of these ways; `None`: anywhere.
    pub(super) starts: Option<Vec<Start>>,
    /// A number that divides the address.
    pub(super) align: u64,
}
