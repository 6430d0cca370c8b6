//! The division of memory into regions: sets of cells that accesses to other regions cannot touch.
//!
//! The fewer writes a read has to look through, the better. Three kinds of regions are told apart at first:
//!
//! * a variable in memory that no pointer points to has regions of its own, one per scalar member (elements of an array share it);
//! * a scalar member of a record type, in all other objects, has one region per (record, member);
//! * scalars that are no members have one region per class and size (`int` and `unsigned` alike, pointers apart).
//!
//! That is right as long as a byte is reached in one way only. One look over the program unifies (union-find) the regions
//! of bytes that it can reach in two ways: the address of a member is taken (it joins the scalars of its type); a union; a pointer cast
//! between types whose scalars lie differently; a byte copy across types. Casts that cancel out (`container_of`, with its offset)
//! unify only what really overlaps. A unified region whose accesses have one size at whole multiples stays a region of such *cells*; otherwise it
//! becomes a region of *bytes*, in which a wider access is a sum of bytes: exact, and dear only where a program does such things.
//!
//! What goes through `void *` variables and integers is not followed: where the program casts both to and from them with
//! types that do not fit, few such pairs are unified and for more the division rests on strict aliasing, which the ledger
//! says. A points-to analysis that follows such values was put off: without field sensitivity it joins most of a driver's
//! objects, so that types have to tell regions apart anyway.

use super::scalar::{Class, Leaf, Scalar, leaves, record_leaves};
use super::slots::member_name;
use crate::cfa::{BinOp, Edge, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj, VarId};
use crate::frontend::source::Loc;
use crate::frontend::types::{RecordId, RecordKind, Type, TypeId, Types};
use provident_smt::hash::{FxHashMap, FxHashSet};
use provident_smt::num::Int;
use std::collections::{BTreeMap, BTreeSet};

/// A region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

/// How a region's cells represent the bytes.
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

/// What is known of a region.
#[derive(Debug, Clone)]
pub struct Region {
    /// The name of its function symbol.
    pub name: String,
    /// The representation.
    pub cells: Cells,
    /// Whether the program ever reads from it; writes to others have no effect.
    pub read: bool,
    /// Whether only one variable lies in it.
    pub private: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Private(VarId, u32),
    Field(RecordId, u32),
    Class(Class, u64),
}

/// The pairs of types up to which casts through `void *` are unified rather than trusted.
const PAIR_LIMIT: usize = 4;

/// The division of one program's memory.
pub struct RegionMap {
    regions: Vec<Region>,
    of_key: FxHashMap<Key, RegionId>,
    /// For each private variable the path prefixes of its leaves.
    private_paths: FxHashMap<VarId, Vec<Vec<u32>>>,
    trusted: Vec<(String, Loc)>,
    /// For variables of type `void *` that are read: the one type that every read converts them to, if that is so.
    converted: FxHashMap<VarId, Option<TypeId>>,
}

impl RegionMap {
    /// The names in the order of the ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|r| r.name.as_str())
    }

    /// A region.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[usize::try_from(id.0).expect("an id is a position")]
    }

    /// All regions that pointers may reach, in order.
    pub fn shared(&self) -> Vec<RegionId> {
        (0u32..)
            .zip(&self.regions)
            .filter(|(_, r)| !r.private)
            .map(|(i, _)| RegionId(i))
            .collect()
    }

    /// What the division takes on trust.
    pub fn trusted(&self) -> impl Iterator<Item = (&str, &Loc)> {
        self.trusted.iter().map(|(text, loc)| (text.as_str(), loc))
    }

    /// The region of a scalar place in memory (of the elements, if it is an array of scalars).
    pub fn of_place(&self, program: &Program, place: &Place) -> Option<RegionId> {
        let key = key_of_place(program, &self.private_paths, place)?;
        self.of_key.get(&key).copied()
    }

    /// The region of a leaf of an object: of the variable if `owner` is a variable that no pointer points to, with the fields
    /// that lead to the object.
    pub fn of_leaf(&self, program: &Program, place: &Place, leaf: &Leaf) -> Option<RegionId> {
        let key = key_of_leaf(program, &self.private_paths, place, leaf)?;
        self.of_key.get(&key).copied()
    }

    /// The type that all uses of the pointer variables convert them to, for variables of type `void *` whose only uses are
    /// such conversions: of what an allocation is for.
    pub fn converted_type(&self, var: VarId) -> Option<TypeId> {
        self.converted.get(&var).copied().flatten()
    }

    /// The number of regions.
    pub fn count(&self) -> usize {
        self.regions.len()
    }

    /// The regions of the scalars of a type behind a pointer.
    pub fn of_type(&self, types: &Types, ty: TypeId) -> Vec<RegionId> {
        let found: BTreeSet<RegionId> = leaves(types, ty)
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

fn key_of_place(program: &Program, paths: &FxHashMap<VarId, Vec<Vec<u32>>>, place: &Place) -> Option<Key> {
    let fields = fields_of(place);
    if let Some(var) = private_var(paths, place) {
        let path: Vec<u32> = fields.iter().map(|f| f.1).collect();
        return private_key(paths, var, &path);
    }
    if let Some(&(record, field)) = fields.last() {
        return Some(Key::Field(record, field));
    }
    let mut ty = place.ty;
    while let Type::Array { elem, .. } = *program.types.get(ty) {
        ty = elem;
    }
    let scalar = Scalar::of(&program.types, ty)?;
    Some(Key::Class(scalar.class, scalar.size))
}

fn key_of_leaf(program: &Program, paths: &FxHashMap<VarId, Vec<Vec<u32>>>, place: &Place, leaf: &Leaf) -> Option<Key> {
    if let Some(var) = private_var(paths, place) {
        let mut path: Vec<u32> = fields_of(place).iter().map(|f| f.1).collect();
        path.extend(&leaf.path);
        return private_key(paths, var, &path);
    }
    match leaf.field {
        Some(_) => Some(shared_key(leaf)),
        // A scalar or an array of scalars: the place itself says which member it is.
        None => key_of_place(program, paths, place),
    }
}

/// Divides the memory of a program.
pub fn analyse(program: &Program) -> RegionMap {
    analyse_up_to(program, PAIR_LIMIT)
}

/// Divides the memory of a program. Unifies the types of up to `pairs` casts through `void *`; more are trusted.
pub fn analyse_up_to(program: &Program, pairs: usize) -> RegionMap {
    let mut analysis = Analysis {
        program,
        parent: Vec::new(),
        nodes: Vec::new(),
        of_key: FxHashMap::default(),
        private_paths: FxHashMap::default(),
        into_void: BTreeMap::new(),
        out_of_void: BTreeMap::new(),
        trusted: Vec::new(),
        seen_pairs: FxHashSet::default(),
        converted: FxHashMap::default(),
    };
    analysis.enumerate();
    for edge in &program.edges {
        analysis.edge(edge);
    }
    analysis.through_void(pairs);
    analysis.finish()
}

/// The accesses to a node of the union-find.
#[derive(Debug, Clone)]
struct Node {
    key: Key,
    size: u64,
    signed: bool,
    width: u32,
    class: Class,
    bit_field: bool,
    /// Accesses overlap in part.
    mixed: bool,
    read: bool,
    unified: bool,
}

struct Analysis<'p> {
    program: &'p Program,
    parent: Vec<usize>,
    nodes: Vec<Node>,
    of_key: FxHashMap<Key, usize>,
    private_paths: FxHashMap<VarId, Vec<Vec<u32>>>,
    into_void: BTreeMap<TypeId, Loc>,
    out_of_void: BTreeMap<TypeId, Loc>,
    trusted: Vec<(String, Loc)>,
    seen_pairs: FxHashSet<(TypeId, TypeId, i64)>,
    converted: FxHashMap<VarId, Option<TypeId>>,
}

/// What a pointer expression is made from.
enum Origin {
    /// A pointer to this type, plus a number of bytes, if that is known.
    Pointer(TypeId, Option<i64>),
    /// A `void *` or an integer.
    Untyped,
    /// A constant, or the address of a function: no object.
    Nothing,
}

impl<'p> Analysis<'p> {
    fn node(&mut self, key: Key, scalar: Scalar) -> usize {
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
            mixed: false,
            read: false,
            unified: false,
        });
        self.parent.push(node);
        self.of_key.insert(key, node);
        node
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn unify(&mut self, a: usize, b: usize, mixed: bool) {
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
        node.read |= other.read;
        node.unified |= other.unified || differ;
    }

    /// Makes the nodes of all members of records, of all private variables, and of all classes of scalars.
    fn enumerate(&mut self) {
        let types = &self.program.types;
        for class in [Class::Bool, Class::Int, Class::Pointer, Class::Opaque] {
            for size in [1u64, 2, 4, 8, 10, 12, 16, 24, 32, 64] {
                let width = if class == Class::Bool {
                    1
                } else {
                    u32::try_from(size * 8).expect("small")
                };
                // Both signednesses are accessed through the class, so its cells hold unsigned values unless all uses agree; `char`
                // and `int` without `unsigned` in sight are what is usual.
                self.node(
                    Key::Class(class, size),
                    Scalar {
                        class,
                        width,
                        signed: class == Class::Int,
                        size,
                    },
                );
            }
        }
        for (record, declaration) in types.records() {
            for (i, field) in (0u32..).zip(&declaration.fields) {
                let mut ty = field.ty;
                while let Type::Array { elem, .. } = *types.get(ty) {
                    ty = elem;
                }
                let Some(mut scalar) = Scalar::of(types, ty) else {
                    continue;
                };
                if let Some(bits) = field.bits {
                    scalar = scalar.narrowed(bits.width);
                }
                let node = self.node(Key::Field(record, i), scalar);
                self.nodes[node].bit_field = field.bits.is_some();
            }
        }
        for (record, declaration) in types.records() {
            if declaration.kind == RecordKind::Union && declaration.complete {
                self.union_type(record);
            }
        }
        for id in self.program.var_ids() {
            let variable = self.program.var(id);
            if variable.in_memory && !variable.escapes {
                self.private(id, variable.ty);
            }
        }
    }

    fn union_type(&mut self, record: RecordId) {
        let all = record_leaves(&self.program.types, record);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                if a.path.first() != b.path.first() {
                    self.overlay(std::slice::from_ref(a), std::slice::from_ref(b), 0, Loc::NONE);
                }
            }
        }
    }

    fn private(&mut self, var: VarId, ty: TypeId) {
        let mut paths: Vec<Vec<u32>> = Vec::new();
        self.private_paths.insert(var, Vec::new());
        let all = leaves(&self.program.types, ty);
        let mut first: Vec<&Leaf> = Vec::new();
        for leaf in &all {
            let path = leaf.path[..leaf.union_at.unwrap_or(leaf.path.len())].to_vec();
            let at = paths.iter().position(|p| *p == path).unwrap_or_else(|| {
                paths.push(path);
                first.push(leaf);
                paths.len() - 1
            });
            let key = Key::Private(var, u32::try_from(at).expect("a position"));
            let node = self.node(key, leaf.scalar);
            let (head, state) = (first[at], &mut self.nodes[node]);
            let alike = head.scalar.size == leaf.scalar.size && head.offset == leaf.offset && leaf.bits == head.bits;
            state.bit_field |= leaf.bits.is_some();
            state.mixed |= !alike;
            state.unified |= state.class != leaf.scalar.class || state.signed != leaf.scalar.signed;
            state.signed &= leaf.scalar.signed;
        }
        self.private_paths.insert(var, paths);
    }

    fn leaf_node(&mut self, leaf: &Leaf) -> usize {
        self.node(shared_key(leaf), leaf.scalar)
    }

    /// The scalars `a` and the scalars `b`, which begin `shift` bytes further, are the same bytes.
    fn overlay(&mut self, a: &[Leaf], b: &[Leaf], shift: i64, loc: Loc) {
        for x in a {
            let (x_first, x_last) = bit_span(x, 0);
            for y in b {
                let (y_first, y_last) = bit_span(y, shift);
                if x_last <= y_first || y_last <= x_first {
                    continue;
                }
                let (p, q) = (self.leaf_node(x), self.leaf_node(y));
                let bit_fields = x.bits.is_some() || y.bits.is_some();
                let size = i128::from(x.scalar.size.max(1)) * 8;
                let congruent = !bit_fields && x.scalar.size == y.scalar.size && (x_first - y_first) % size == 0;
                let same = p == q && (x_first, x_last) == (y_first, y_last);
                // A member seen at its own place is no second view of it.
                let harmless = same || (p == q && congruent);
                if !harmless {
                    self.unify(p, q, !congruent);
                }
                self.pointers_overlaid(x, y, loc);
            }
        }
    }

    /// A pointer to one type is seen as a pointer to another.
    fn pointers_overlaid(&mut self, x: &Leaf, y: &Leaf, loc: Loc) {
        if let (Some(a), Some(b)) = (self.program.types.pointee(x.ty), self.program.types.pointee(y.ty))
            && a != b
        {
            for ty in [a, b] {
                self.into_void.entry(ty).or_insert(loc);
                self.out_of_void.entry(ty).or_insert(loc);
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let loc = edge.loc;
        match &edge.op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, .. } => self.expr(cond, false, loc),
            Op::Assign { lhs, rhs } => {
                self.place(lhs, loc);
                self.expr(rhs, true, loc);
            }
            Op::Zero { place } | Op::Havoc { place, .. } => self.place(place, loc),
            Op::Call { func, args, ret } => {
                args.iter().for_each(|a| self.expr(a, true, loc));
                ret.iter().for_each(|p| self.place(p, loc));
                // Leaving the callee reads the variable that holds its result, which no expression says.
                if let Some(result) = self
                    .program
                    .function(*func)
                    .ret
                    .filter(|&v| self.program.var(v).in_memory)
                {
                    self.mark_read(&Place::var(result, self.program.var(result).ty));
                }
            }
            Op::External { args, ret, .. } => {
                // The callee touches nothing, so that what it is given does not matter.
                args.iter().for_each(|a| self.expr(a, false, loc));
                ret.iter().for_each(|p| self.place(p, loc));
            }
            Op::Allocate { lhs, size, .. } => {
                self.place(lhs, loc);
                self.expr(size, false, loc);
            }
            Op::Free { ptr } => self.expr(ptr, false, loc),
            Op::MemSet { dst, byte, len } => {
                for e in [dst, byte, len] {
                    self.expr(e, false, loc);
                }
            }
            Op::MemCopy { dst, src, len } => {
                for e in [dst, src, len] {
                    self.expr(e, false, loc);
                }
                self.copy(dst, src, loc);
            }
            Op::Asm { outputs, .. } => outputs.iter().for_each(|p| self.place(p, loc)),
        }
    }

    /// Bytes of one type are copied to another type's object.
    fn copy(&mut self, dst: &Expr, src: &Expr, loc: Loc) {
        match (self.origin(dst), self.origin(src)) {
            (Origin::Pointer(a, _), Origin::Pointer(b, _)) => self.views(a, b, Some(0), loc),
            (Origin::Pointer(a, _), Origin::Untyped) => {
                self.out_of_void.entry(a).or_insert(loc);
            }
            (Origin::Untyped, Origin::Pointer(b, _)) => {
                self.into_void.entry(b).or_insert(loc);
            }
            _ => {}
        }
    }

    /// A place that is written or whose address is taken.
    fn place(&mut self, place: &Place, loc: Loc) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.expr(pointer, true, loc);
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.expr(index, false, loc);
            }
        }
        self.note_sign(place);
    }

    fn mark_read(&mut self, place: &Place) {
        let program = self.program;
        let keys: Vec<(Key, Scalar)> = match Scalar::of(&program.types, place.ty) {
            Some(scalar) => key_of_place(program, &self.private_paths, place)
                .map(|k| (k, scalar))
                .into_iter()
                .collect(),
            None => leaves(&program.types, place.ty)
                .iter()
                .filter_map(|l| Some((key_of_leaf(program, &self.private_paths, place, l)?, l.scalar)))
                .collect(),
        };
        for (key, scalar) in keys {
            let node = self.node(key, scalar);
            let root = self.root(node);
            self.nodes[root].read = true;
        }
    }

    /// Scalars of both signednesses are accessed through one class: then its cells need conversions.
    fn note_sign(&mut self, place: &Place) {
        let Some(scalar) = Scalar::of(&self.program.types, place.ty) else {
            return;
        };
        if scalar.class != Class::Int || scalar.signed || !in_memory(self.program, place) {
            return;
        }
        let Some(key @ Key::Class(..)) = key_of_place(self.program, &self.private_paths, place) else {
            return;
        };
        let node = self.node(key, scalar);
        let root = self.root(node);
        self.nodes[root].signed = false;
        self.nodes[root].unified = true;
    }

    /// An expression; `flows` says that its value is kept or used as an address.
    fn expr(&mut self, e: &Expr, flows: bool, loc: Loc) {
        if flows {
            self.flow(e, loc);
        }
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) => {
                if let Some(var) = place.as_whole_var() {
                    // Not under a conversion (see below): this use says nothing of the type.
                    self.converted.insert(var, None);
                }
                self.place(place, loc);
                if in_memory(self.program, place) {
                    self.mark_read(place);
                }
            }
            ExprKind::AddrOf(place) => {
                self.place(place, loc);
                self.address_of(place);
            }
            ExprKind::Cast(x) => self.cast(e.ty, x, loc),
            ExprKind::Unary(_, x) => self.expr(x, false, loc),
            ExprKind::Binary(op, x, y)
                if op.is_comparison() && (self.is_null_test(x, y) || self.is_null_test(y, x)) => {}
            ExprKind::Binary(_, x, y) => {
                self.expr(x, false, loc);
                self.expr(y, false, loc);
            }
        }
    }

    /// The comparison of a plain variable with a constant, which says nothing of what it points to.
    fn is_null_test(&self, x: &Expr, y: &Expr) -> bool {
        let plain = matches!(&x.kind, ExprKind::Load(p) if p.as_whole_var().is_some() && !in_memory(self.program, p));
        plain && matches!(y.kind, ExprKind::Const(_))
    }

    fn cast(&mut self, to: TypeId, x: &Expr, loc: Loc) {
        let variable = match &x.kind {
            ExprKind::Load(place) if !in_memory(self.program, place) => place.as_whole_var(),
            _ => None,
        };
        let target = self
            .program
            .types
            .pointee(to)
            .filter(|&t| self.program.types.as_record(t).is_some());
        match variable {
            Some(var) => {
                let entry = self.converted.entry(var).or_insert(target);
                if *entry != target {
                    *entry = None;
                }
            }
            None => self.expr(x, false, loc),
        }
    }

    /// A pointer to a scalar member can be used as a pointer to any scalar of its type.
    fn address_of(&mut self, place: &Place) {
        let program = self.program;
        let mut ty = place.ty;
        while let Type::Array { elem, .. } = *program.types.get(ty) {
            ty = elem;
        }
        let Some(scalar) = Scalar::of(&program.types, ty) else {
            return;
        };
        if let Some(key) = key_of_place(program, &self.private_paths, place) {
            let (member, class) = (
                self.node(key, scalar),
                self.node(Key::Class(scalar.class, scalar.size), scalar),
            );
            self.unify(member, class, false);
        }
    }

    /// The value of `e` is kept under the type of `e`: compares that with what it is a pointer to.
    fn flow(&mut self, e: &Expr, loc: Loc) {
        let types = &self.program.types;
        let target = match *types.get(e.ty) {
            Type::Pointer(to) => Some(to),
            Type::Int(_)
                if types
                    .size_of(e.ty)
                    .is_some_and(|s| s >= types.data_model().pointer_bytes()) =>
            {
                None
            }
            _ => return,
        };
        let target = target.filter(|&t| !matches!(types.get(t), Type::Void | Type::Function { .. }));
        match (self.origin(e), target) {
            (Origin::Pointer(from, offset), Some(to)) => self.views(from, to, offset, loc),
            (Origin::Pointer(from, _), None) => {
                self.into_void.entry(from).or_insert(loc);
            }
            (Origin::Untyped, Some(to)) => {
                self.out_of_void.entry(to).or_insert(loc);
            }
            (Origin::Untyped, None) | (Origin::Nothing, _) => {}
        }
    }

    /// A pointer to `from`, moved by `offset`, is used as a pointer to `to`.
    fn views(&mut self, from: TypeId, to: TypeId, offset: Option<i64>, loc: Loc) {
        let along_an_array = from == to && offset.is_none_or(|o| o >= 0);
        if along_an_array || !self.seen_pairs.insert((from, to, offset.unwrap_or(i64::MIN))) {
            return;
        }
        let types = &self.program.types;
        let (mut a, mut b) = (leaves(types, from), leaves(types, to));
        // A pointer to a scalar is a pointer into an array of such.
        for side in [&mut a, &mut b] {
            if let [only] = &mut side[..]
                && only.field.is_none()
            {
                only.extent = 1 << 40;
                only.array = true;
            }
        }
        let shift = offset.unwrap_or(0);
        let both_scalar = a.first().is_some_and(|l| l.field.is_none()) && b.first().is_some_and(|l| l.field.is_none());
        let shift = if both_scalar { 0 } else { shift };
        self.overlay(&a, &b, shift, loc);
        if offset.is_none() && from != to && !both_scalar {
            self.trust(
                "objects are not accessed through pointers of other types at computed offsets",
                loc,
            );
        }
    }

    fn trust(&mut self, detail: &str, loc: Loc) {
        if self.trusted.iter().all(|(text, _)| text != detail) {
            self.trusted.push((detail.to_owned(), loc));
        }
    }

    fn origin(&self, e: &Expr) -> Origin {
        let types = &self.program.types;
        let by_type = |ty: TypeId| match *types.get(ty) {
            Type::Pointer(to) if matches!(types.get(to), Type::Void) => Origin::Untyped,
            Type::Pointer(to) if matches!(types.get(to), Type::Function { .. }) => Origin::Nothing,
            Type::Pointer(to) => Origin::Pointer(to, Some(0)),
            Type::Int(_)
                if types
                    .size_of(ty)
                    .is_some_and(|s| s >= types.data_model().pointer_bytes()) =>
            {
                Origin::Untyped
            }
            _ => Origin::Nothing,
        };
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => Origin::Nothing,
            ExprKind::Load(_) => by_type(e.ty),
            ExprKind::AddrOf(place) => match *types.get(place.ty) {
                Type::Array { .. } => by_type(e.ty),
                _ => Origin::Pointer(place.ty, Some(0)),
            },
            ExprKind::Cast(inner) => self.origin(inner),
            ExprKind::Unary(_, inner) => forget_offset(self.origin(inner)),
            ExprKind::Binary(op, x, y) => {
                let (left, right) = (self.origin(x), self.origin(y));
                let constant = |e: &Expr| constant_offset(types, e);
                match (op, left, right) {
                    (BinOp::Add | BinOp::Sub, Origin::Pointer(ty, offset), _) => {
                        // Whole elements further along an array, it is the same as before.
                        let step = constant(y).map(|c| if *op == BinOp::Sub { c.checked_neg() } else { Some(c) });
                        let moved = match step {
                            Some(step) => offset.zip(step).and_then(|(a, b)| a.checked_add(b)),
                            None if steps_by(types, y, ty) => offset,
                            None => None,
                        };
                        Origin::Pointer(ty, moved)
                    }
                    (BinOp::Add, _, Origin::Pointer(ty, offset)) => {
                        let moved = constant(x).and_then(|c| offset?.checked_add(c));
                        Origin::Pointer(ty, moved)
                    }
                    (op, _, _) if op.is_comparison() => Origin::Nothing,
                    (_, Origin::Pointer(ty, _), _) | (_, _, Origin::Pointer(ty, _)) => Origin::Pointer(ty, None),
                    (_, Origin::Nothing, Origin::Nothing) => Origin::Nothing,
                    _ => Origin::Untyped,
                }
            }
        }
    }

    /// Types that go into and come out of `void *` and integers.
    fn through_void(&mut self, limit: usize) {
        let types = &self.program.types;
        let mut pairs = Vec::new();
        for (&from, &loc) in &self.into_void {
            for &to in self.out_of_void.keys() {
                let scalars = |ty| matches!(types.get(ty), Type::Void | Type::Function { .. });
                if from != to && !scalars(from) && !scalars(to) {
                    pairs.push((from, to, loc));
                }
            }
        }
        if pairs.len() <= limit {
            for (from, to, loc) in pairs {
                self.views(from, to, Some(0), loc);
            }
        } else if let Some(&(_, _, loc)) = pairs.first() {
            self.trust(
                "an object that is passed on as `void *` or integer is accessed by its own type only",
                loc,
            );
        }
    }

    fn finish(mut self) -> RegionMap {
        let mut regions: Vec<Region> = Vec::new();
        let mut of_root: FxHashMap<usize, RegionId> = FxHashMap::default();
        let mut of_key = FxHashMap::default();
        let mut names: FxHashSet<String> = FxHashSet::default();
        for at in 0..self.nodes.len() {
            let root = self.root(at);
            let key = self.nodes[at].key;
            let id = *of_root.entry(root).or_insert_with(|| {
                let node = &self.nodes[root];
                let id = RegionId(u32::try_from(regions.len()).expect("fewer than 2^32 regions"));
                let mut name = format!("mem:{}", key_name(self.program, &self.private_paths, node.key));
                if !names.insert(name.clone()) {
                    name = format!("{name}${}", id.0);
                    names.insert(name.clone());
                }
                let cells = if node.mixed {
                    Cells::Bytes
                } else {
                    Cells::Scalars {
                        size: node.size,
                        signed: node.signed,
                        uniform: !node.unified,
                    }
                };
                let private = matches!(node.key, Key::Private(..));
                regions.push(Region {
                    name,
                    cells,
                    read: node.read,
                    private,
                });
                id
            });
            of_key.insert(key, id);
        }
        RegionMap {
            regions,
            of_key,
            private_paths: self.private_paths,
            trusted: self.trusted,
            converted: self.converted,
        }
    }
}

/// The bits that a leaf occupies in an object that begins `shift` bytes further.
fn bit_span(leaf: &Leaf, shift: i64) -> (i128, i128) {
    let from = i128::from(shift) * 8;
    match leaf.bits {
        Some(bits) if !leaf.array => {
            let first = from + i128::from(bits.offset);
            (first, first + i128::from(bits.width))
        }
        _ => {
            let first = from + i128::from(leaf.offset) * 8;
            (first, first + i128::from(leaf.extent) * 8)
        }
    }
}

fn forget_offset(origin: Origin) -> Origin {
    match origin {
        Origin::Pointer(ty, _) => Origin::Pointer(ty, None),
        other => other,
    }
}

/// Whether a number of bytes is a multiple of the size of the type by its form.
fn steps_by(types: &Types, e: &Expr, ty: TypeId) -> bool {
    match (&e.kind, types.size_of(ty)) {
        (_, Some(1)) => true,
        (ExprKind::Cast(inner), _) => steps_by(types, inner, ty),
        (ExprKind::Binary(BinOp::Mul, x, y), Some(size)) if size > 0 => [x, y].iter().any(|f| {
            f.as_const()
                .is_some_and(|c| c.is_multiple_of(&Int::from(i128::from(size))))
        }),
        _ => false,
    }
}

/// The value of a constant of pointer width, read as a signed number: `p + 0xfffffffffffffff8` steps back.
pub fn constant_offset(types: &Types, e: &Expr) -> Option<i64> {
    let value = match &e.kind {
        ExprKind::Const(c) => c.to_i128()?,
        ExprKind::Cast(inner) => i128::from(constant_offset(types, inner)?),
        _ => return None,
    };
    let scalar = Scalar::of(types, e.ty)?;
    let half = 1i128 << (scalar.width.clamp(1, 64) - 1);
    let full = half * 2;
    let wrapped = value.rem_euclid(full);
    let signed = if !scalar.signed && scalar.width < types_width(types) {
        wrapped
    } else if wrapped >= half {
        wrapped - full
    } else {
        wrapped
    };
    i64::try_from(signed).ok()
}

fn types_width(types: &Types) -> u32 {
    u32::try_from(types.data_model().pointer_bytes() * 8).expect("a width")
}

/// Whether a place lives in memory, rather than in a plain variable.
pub fn in_memory(program: &Program, place: &Place) -> bool {
    match place.base {
        PlaceBase::Var(v) => program.var(v).in_memory,
        PlaceBase::Deref(_) => true,
    }
}

fn key_name(program: &Program, paths: &FxHashMap<VarId, Vec<Vec<u32>>>, key: Key) -> String {
    match key {
        Key::Private(var, at) => {
            let variable = program.var(var);
            let path = &paths[&var][usize::try_from(at).expect("a position")];
            member_name(&program.types, &variable.name, variable.ty, path)
        }
        Key::Field(record, field) => {
            let declaration = program.types.record(record);
            let name = declaration
                .name
                .as_deref()
                .map_or_else(|| format!("record{}", record.0), str::to_owned);
            let member = usize::try_from(field).ok().and_then(|f| declaration.fields.get(f));
            match member.and_then(|m| m.name.as_deref()) {
                Some(member) => format!("{name}.{member}"),
                None => format!("{name}.{field}"),
            }
        }
        Key::Class(class, size) => {
            let letter = match class {
                Class::Bool => "bool",
                Class::Int => "int",
                Class::Pointer => "ptr",
                Class::Opaque => "float",
            };
            format!("{letter}{}", size * 8)
        }
    }
}
