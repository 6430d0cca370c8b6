//! The state of the look over a program: a union-find over kinds, and what it has found out.

use super::constants::Constants;
use super::division::{Keys, key_of_leaf, key_of_place};
use super::flow::{Flow, Pair, Spot, Tag};
use super::kinds::{Key, fields_of, in_memory, shared_key};
use crate::cfa::program::scalar::{Class, Leaf, Scalar, leaves};
use crate::cfa::program::{Place, PlaceBase, Program, VarId, VarKind};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordId, Type, TypeId, Types};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The accesses to a node of the union-find.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) key: Key,
    pub(super) size: u64,
    pub(super) signed: bool,
    pub(super) width: u32,
    pub(super) class: Class,
    pub(super) bit_field: bool,
    /// For a bit-field: the bit of the cell's first byte that it begins with.
    pub(super) first_bit: u32,
    /// All cells lie at multiples of their size.
    pub(super) natural: bool,
    /// Accesses overlap in part.
    pub(super) mixed: bool,
    pub(super) unified: bool,
}

pub(super) struct Analysis<'p> {
    pub(super) program: &'p Program,
    pub(super) parent: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) of_key: FxHashMap<Key, usize>,
    pub(super) keys: Keys,
    pub(super) flow: Flow,
    /// Pairs of types of pointers that are kept in the same bytes, and those that meet at computed offsets.
    pub(super) waiting: BTreeMap<Pair, Loc>,
    pub(super) trusted: Vec<(String, Loc)>,
    /// Where in the program the look is.
    pub(super) here: Loc,
    pub(super) seen_pairs: FxHashSet<Pair>,
    pub(super) leaves: FxHashMap<TypeId, Rc<[Leaf]>>,
    pub(super) converted: FxHashMap<VarId, Option<TypeId>>,
    /// Types whose pointers move along arrays.
    pub(super) stepped: Rc<FxHashSet<TypeId>>,
    /// Plain variables that only ever have one value.
    pub(super) constants: Arc<Constants>,
    /// Types whose pointers leave objects of the type, so that it matters what lies around them: such pointers are followed as those without a type.
    pub(super) followed: BTreeSet<TypeId>,
    /// Types of which that was found out.
    pub(super) left: BTreeSet<TypeId>,
    /// Members whose addresses are taken.
    pub(super) taken: Taken,
}

/// The part of an address that a scalar may keep.
pub(super) enum Kept {
    /// A pointer to an object of this type.
    Pointer(TypeId),
    /// An address without a type.
    Untyped,
    /// None of an object.
    Nothing,
}

/// A record whose members are not known.
pub(super) fn is_incomplete(types: &Types, ty: TypeId) -> bool {
    types.as_record(ty).is_some_and(|record| !types.record(record).complete)
}

/// The members whose addresses are taken: in which record, how many bytes from its start, with one place in the source each.
pub(super) type Taken = BTreeMap<(RecordId, u64), Loc>;

impl<'p> Analysis<'p> {
    pub(super) fn node(&mut self, key: Key, scalar: Scalar) -> usize {
        if let Some(&node) = self.of_key.get(&key) {
            return node;
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            key,
            size: scalar.size,
            signed: scalar.signed,
            width: scalar.width,
            class: scalar.class,
            bit_field: false,
            first_bit: 0,
            natural: true,
            mixed: false,
            unified: false,
        });
        self.parent.push(node);
        self.of_key.insert(key, node);
        node
    }

    pub(super) fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    pub(super) fn unify(&mut self, a: usize, b: usize, mixed: bool) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            self.nodes[a].mixed |= mixed;
            return;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
        let other = self.nodes[high].clone();
        let node = &mut self.nodes[low];
        let differ = node.width != other.width || node.class != other.class || node.signed != other.signed;
        node.mixed |= mixed || other.mixed || node.size != other.size || node.bit_field || other.bit_field;
        node.signed &= other.signed;
        node.natural &= other.natural;
        node.unified |= other.unified || differ;
    }

    pub(super) fn leaf_node(&mut self, leaf: &Leaf) -> usize {
        self.node(shared_key(leaf), leaf.scalar)
    }

    /// The tags of spots.
    pub(super) fn tags_of(&mut self, spots: &[Spot]) -> Vec<Vec<Tag>> {
        let flow = std::mem::take(&mut self.flow);
        let tags = flow.tags_of(spots, &mut |node| self.root(node));
        self.flow = flow;
        tags
    }

    pub(super) fn leaves_of(&mut self, ty: TypeId) -> Rc<[Leaf]> {
        let types = &self.program.types;
        Rc::clone(self.leaves.entry(ty).or_insert_with(|| leaves(types, ty).into()))
    }

    /// The part of an address that a scalar of a type may keep. Narrow integers may keep a part of one.
    pub(super) fn kept(&self, ty: TypeId) -> Kept {
        let types = &self.program.types;
        match *types.get(ty) {
            Type::Pointer(to) if self.is_followed(to) => Kept::Untyped,
            Type::Pointer(to) => Kept::Pointer(to),
            Type::Bool => Kept::Nothing,
            _ if Scalar::of(types, ty).is_some() => Kept::Untyped,
            _ => Kept::Nothing,
        }
    }

    /// Whether what pointers to a type point to is not known by the type.
    pub(super) fn is_followed(&self, to: TypeId) -> bool {
        let types = &self.program.types;
        let is_open = || matches!(types.get(to), Type::Void | Type::Function { .. }) || is_incomplete(types, to);
        self.followed.contains(&to) || is_open()
    }

    // ---- values without a type ---------------------------------------------------------------------------------------

    /// The spot of a scalar place.
    pub(super) fn spot(&mut self, place: &Place) -> Option<Spot> {
        let program = self.program;
        if in_memory(program, place) {
            let scalar = Scalar::of(&program.types, place.ty)?;
            let key = key_of_place(program, &self.keys, place)?;
            return Some(Spot::Cell(self.node(key, scalar)));
        }
        let PlaceBase::Var(var) = place.base else { return None };
        Some(self.scalar_spot(var, fields_of(place).iter().map(|f| f.1).collect()))
    }

    /// The spot of a scalar of an object.
    pub(super) fn leaf_spot(&mut self, place: &Place, leaf: &Leaf) -> Option<Spot> {
        let program = self.program;
        if in_memory(program, place) {
            let key = key_of_leaf(program, &self.keys, place, leaf)?;
            return Some(Spot::Cell(self.node(key, leaf.scalar)));
        }
        let PlaceBase::Var(var) = place.base else { return None };
        let mut path: Vec<u32> = fields_of(place).iter().map(|f| f.1).collect();
        path.extend(&leaf.path);
        Some(self.scalar_spot(var, path))
    }

    pub(super) fn scalar_spot(&mut self, var: VarId, path: Vec<u32>) -> Spot {
        let variable = self.program.var(var);
        if variable.func.is_none() || variable.kind == VarKind::Param {
            self.flow.note_lasting(var);
        }
        Spot::Scalar(var, path)
    }

    /// Takes on trust what happens at the place that is looked at.
    pub(super) fn trust_here(&mut self, detail: &str) {
        self.trust(detail, self.here);
    }

    pub(super) fn trust(&mut self, detail: &str, loc: Loc) {
        if self.trusted.iter().all(|(text, _)| text != detail) {
            self.trusted.push((detail.to_owned(), loc));
        }
    }
}
