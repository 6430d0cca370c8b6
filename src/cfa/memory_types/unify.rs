//! One look over the program that unifies the kinds of bytes that it can reach in two ways.

mod views;

use super::constants::Constants;
use super::flow;
use super::flow::{Flow, Pair, Spot, Tag, View};
use super::meeting::{Meeting, bit_span};
use super::members::Members;
use super::names::key_name;
use super::values::Value;
use super::walks;
use super::{Cells, Division, Key, Keys, Kind, KindId, fields_of, in_memory, key_of_leaf, key_of_place, shared_key};
use crate::cfa::program::scalar::{Class, Leaf, Scalar, leaves, record_leaves};
use crate::cfa::program::{BinOp, Edge, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj, VarId, VarKind};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordId, RecordKind, Type, TypeId, Types};
use provident_smt::hash::{FxHashMap, FxHashSet};
use provident_smt::num::Int;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

const OWN_TYPE: &str = "an object that is passed on as `void *` or integer is accessed by its own type only";

const BYTES: &str = "pointers are not copied as single bytes at computed offsets";

/// Rounds in which more types of pointers are followed.
const MAX_ROUNDS: usize = 8;

/// Divides the memory of a program.
pub(super) fn divide(program: &Program, pairs: usize) -> Division {
    let stepped = Rc::new(stepped_types(program));
    let constants = Arc::new(Constants::new(program));
    let shared = || (Rc::clone(&stepped), Arc::clone(&constants));
    let mut followed = BTreeSet::new();
    let mut failed = Loc::NONE;
    for _ in 0..MAX_ROUNDS {
        let members = Members::new(program, &constants);
        let mut analysis = Analysis::of_program(program, members, shared(), followed);
        if let Err(loc) = analysis.through_void(pairs) {
            failed = loc;
            break;
        }
        if analysis.left.is_empty() {
            return analysis.finish();
        }
        followed = std::mem::take(&mut analysis.followed);
        followed.append(&mut analysis.left);
    }
    // What is not followed has to be taken on trust. Then all accesses by arithmetic stay together, members or not.
    let mut analysis = Analysis::of_program(program, Members::default(), shared(), BTreeSet::new());
    analysis.trust(OWN_TYPE, failed);
    for (pair, loc) in analysis.waiting.clone() {
        if analysis.is_computed(pair) {
            analysis.unify_computed(pair, loc);
        }
    }
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
    /// For a bit-field: the bit of the cell's first byte that it begins with.
    first_bit: u32,
    /// All cells lie at multiples of their size.
    natural: bool,
    /// Accesses overlap in part.
    mixed: bool,
    unified: bool,
}

pub(super) struct Analysis<'p> {
    pub(super) program: &'p Program,
    parent: Vec<usize>,
    nodes: Vec<Node>,
    of_key: FxHashMap<Key, usize>,
    keys: Keys,
    pub(super) flow: Flow,
    /// Pairs of types of pointers that are kept in the same bytes, and those that meet at computed offsets.
    waiting: BTreeMap<Pair, Loc>,
    trusted: Vec<(String, Loc)>,
    /// Where in the program the look is.
    here: Loc,
    seen_pairs: FxHashSet<Pair>,
    leaves: FxHashMap<TypeId, Rc<[Leaf]>>,
    converted: FxHashMap<VarId, Option<TypeId>>,
    /// Types whose pointers move along arrays.
    stepped: Rc<FxHashSet<TypeId>>,
    /// Plain variables that only ever have one value.
    pub(super) constants: Arc<Constants>,
    /// Types whose pointers leave objects of the type, so that it matters what lies around them: such pointers are followed as those without a type.
    followed: BTreeSet<TypeId>,
    /// Types of which that was found out.
    left: BTreeSet<TypeId>,
    /// Members whose addresses are taken.
    taken: walks::Taken,
}

impl<'p> Analysis<'p> {
    /// One look over a program. What goes through values without a type is only collected.
    fn of_program(
        program: &'p Program,
        members: Members,
        (stepped, constants): (Rc<FxHashSet<TypeId>>, Arc<Constants>),
        followed: BTreeSet<TypeId>,
    ) -> Self {
        let mut analysis = Analysis {
            program,
            parent: Vec::new(),
            nodes: Vec::new(),
            of_key: FxHashMap::default(),
            keys: Keys {
                members,
                ..Keys::default()
            },
            flow: Flow::default(),
            waiting: BTreeMap::new(),
            trusted: Vec::new(),
            here: Loc(0),
            seen_pairs: FxHashSet::default(),
            leaves: FxHashMap::default(),
            converted: FxHashMap::default(),
            stepped,
            constants,
            followed,
            left: BTreeSet::new(),
            taken: walks::Taken::new(),
        };
        analysis.enumerate();
        for (at, edge) in program.edges.iter().enumerate() {
            analysis.edge(at, edge);
        }
        let taken = std::mem::take(&mut analysis.taken);
        analysis.walks(taken);
        analysis
    }

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
            first_bit: 0,
            natural: true,
            mixed: false,
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

    /// Makes the nodes of all members of records, of all private variables, and of all classes of scalars.
    fn enumerate(&mut self) {
        let types = &self.program.types;
        for class in [Class::Bool, Class::Int, Class::Pointer, Class::Float, Class::Opaque] {
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
                let state = &mut self.nodes[node];
                state.bit_field = field.bits.is_some();
                state.first_bit = field
                    .bits
                    .map_or(0, |bits| u32::try_from(bits.bit_offset % 8).expect("less than 8"));
                let multiple = |n: u64| scalar.size > 0 && n.is_multiple_of(scalar.size);
                state.natural = multiple(field.offset) && multiple(declaration.align) && field.bits.is_none();
            }
        }
        self.packed_members();
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

    /// Notes the scalars of records that lie in others without their alignment.
    fn packed_members(&mut self) {
        let types = &self.program.types;
        for (_, declaration) in types.records() {
            for field in &declaration.fields {
                let mut ty = field.ty;
                while let Type::Array { elem, .. } = *types.get(ty) {
                    ty = elem;
                }
                let Some(record) = types.as_record(ty) else { continue };
                let align = types.record(record).align.max(1);
                if field.offset.is_multiple_of(align) && declaration.align.is_multiple_of(align) {
                    continue;
                }
                for leaf in record_leaves(types, record) {
                    let node = self.leaf_node(&leaf);
                    self.nodes[node].natural = false;
                }
            }
        }
    }

    fn union_type(&mut self, record: RecordId) {
        let all = record_leaves(&self.program.types, record);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                if a.path.first() != b.path.first()
                    && let Some(meeting) = Meeting::of((a, bit_span(a, 0)), (b, bit_span(b, 0)), 0)
                {
                    self.meet(a, b, meeting, Loc::NONE);
                }
            }
        }
    }

    fn private(&mut self, var: VarId, ty: TypeId) {
        let mut paths: Vec<Vec<u32>> = Vec::new();
        self.keys.private_paths.insert(var, Vec::new());
        let all = leaves(&self.program.types, ty);
        let mut first: Vec<&Leaf> = Vec::new();
        let mut kept: BTreeMap<usize, BTreeSet<TypeId>> = BTreeMap::new();
        for leaf in &all {
            let path = leaf.path[..leaf.union_at.unwrap_or(leaf.path.len())].to_vec();
            let at = paths.iter().position(|p| *p == path).unwrap_or_else(|| {
                paths.push(path);
                first.push(leaf);
                paths.len() - 1
            });
            let key = Key::Private(var, u32::try_from(at).expect("a position"));
            let node = self.node(key, leaf.scalar);
            kept.entry(node).or_default().insert(leaf.ty);
            let (head, state) = (first[at], &mut self.nodes[node]);
            let alike = head.scalar.size == leaf.scalar.size && head.offset == leaf.offset && leaf.bits == head.bits;
            state.bit_field |= leaf.bits.is_some();
            state.mixed |= !alike;
            state.unified |= state.class != leaf.scalar.class || state.signed != leaf.scalar.signed;
            state.signed &= leaf.scalar.signed;
        }
        self.keys.private_paths.insert(var, paths);
        for (node, types) in kept {
            let types: Vec<TypeId> = types.into_iter().collect();
            for (i, &a) in types.iter().enumerate() {
                for &b in &types[i + 1..] {
                    self.scalars_overlaid((a, node), (b, node), Loc::NONE);
                }
            }
        }
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

    fn leaves_of(&mut self, ty: TypeId) -> Rc<[Leaf]> {
        let types = &self.program.types;
        Rc::clone(self.leaves.entry(ty).or_insert_with(|| leaves(types, ty).into()))
    }

    /// Two scalars share bytes.
    fn meet(&mut self, x: &Leaf, y: &Leaf, meeting: Meeting, loc: Loc) {
        let (p, q) = (self.leaf_node(x), self.leaf_node(y));
        let alike = meeting != Meeting::Mixed;
        let itself = p == q && meeting == Meeting::Whole;
        if !(itself || (p == q && alike)) {
            self.unify(p, q, !alike);
        }
        self.scalars_overlaid((x.ty, p), (y.ty, q), loc);
    }

    /// Whether a meeting of two scalars is none of two kinds of cells.
    fn agree(&mut self, x: &Leaf, y: &Leaf, meeting: Meeting) -> bool {
        let (p, q) = (self.leaf_node(x), self.leaf_node(y));
        let (root, other) = (self.root(p), self.root(q));
        let itself = p == q && meeting == Meeting::Whole;
        itself || (root == other && (meeting != Meeting::Mixed || self.nodes[root].mixed))
    }

    /// Handles a value that is written as one scalar and read as another: pointers of other types, or without type.
    fn scalars_overlaid(&mut self, x: (TypeId, usize), y: (TypeId, usize), loc: Loc) {
        match (self.kept(x.0), self.kept(y.0)) {
            (Kept::Pointer(a), Kept::Pointer(b)) if a != b => {
                let (a, b) = (pointer_to(a), pointer_to(b));
                for pair in [(a, b, Some(0)), (b, a, Some(0))] {
                    self.waiting.entry(pair).or_insert(loc);
                }
            }
            (Kept::Pointer(a), Kept::Untyped) | (Kept::Untyped, Kept::Pointer(a)) => {
                for (_, node) in [x, y] {
                    self.flow.tag(Spot::Cell(node), Tag::Typed(a, Some(0)));
                    self.flow.use_as((Spot::Cell(node), Some(0)), pointer_to(a), loc);
                }
            }
            _ => {}
        }
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

    fn edge(&mut self, at: usize, edge: &Edge) {
        let loc = edge.loc;
        self.here = loc;
        match &edge.op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, .. } => self.expr(cond, loc),
            Op::Assign { lhs, rhs } => {
                self.place(lhs, loc);
                self.kept_expr(rhs, lhs, loc);
            }
            Op::Zero { place } => self.place(place, loc),
            Op::Havoc { place, .. } => {
                self.place(place, loc);
                self.made_outside(place);
            }
            Op::Call { func, args, ret } => {
                let function = self.program.function(*func);
                for (arg, &param) in args.iter().zip(&function.params) {
                    let place = Place::var(param, self.program.var(param).ty);
                    self.kept_expr(arg, &place, loc);
                }
                if let Some(place) = ret {
                    self.place(place, loc);
                    if let Some(var) = function.ret {
                        let source = Place::var(var, self.program.var(var).ty);
                        self.scalars_move(&source, place, Some(at), loc);
                    }
                }
            }
            Op::External { args, ret, .. } => {
                // The callee touches nothing, so that what it is given does not matter.
                args.iter().for_each(|a| self.expr(a, loc));
                if let Some(place) = ret {
                    self.place(place, loc);
                    self.made_outside(place);
                }
            }
            Op::Allocate { lhs, size, .. } => {
                self.place(lhs, loc);
                self.expr(size, loc);
                if let (Kept::Untyped, Some(spot)) = (self.kept(lhs.ty), self.spot(lhs)) {
                    self.flow.tag(spot, Tag::New(at, Some(0)));
                }
            }
            Op::ObjectSize { lhs, ptr } => {
                self.place(lhs, loc);
                self.expr(ptr, loc);
            }
            Op::Free { ptr } => self.expr(ptr, loc),
            Op::MemSet { dst, byte, len } => {
                for e in [dst, byte, len] {
                    self.expr(e, loc);
                }
                self.fill(dst, self.constant(len));
            }
            Op::MemCopy { dst, src, len } => {
                for e in [dst, src, len] {
                    self.expr(e, loc);
                }
                self.copy(dst, src, self.constant(len), loc);
            }
            Op::Asm { outputs, .. } => {
                for place in outputs {
                    self.place(place, loc);
                    self.made_outside(place);
                }
            }
        }
    }

    /// Pointers that the program does not make point to objects of their type.
    fn made_outside(&mut self, place: &Place) {
        if Scalar::of(&self.program.types, place.ty).is_some() {
            let spot = self.spot(place);
            return self.typed_made_outside(place.ty, spot);
        }
        for leaf in leaves(&self.program.types, place.ty) {
            let spot = self.leaf_spot(place, &leaf);
            self.typed_made_outside(leaf.ty, spot);
        }
    }

    fn typed_made_outside(&mut self, ty: TypeId, spot: Option<Spot>) {
        let to = self.program.types.pointee(ty).filter(|to| self.followed.contains(to));
        if let (Some(to), Some(spot)) = (to, spot) {
            self.flow.tag(spot, Tag::Typed(to, Some(0)));
        }
    }

    /// Bytes of one type are copied to another type's object: `len` of them, if that is a constant.
    fn copy(&mut self, dst: &Expr, src: &Expr, len: Option<i64>, loc: Loc) {
        let mut origins = |e: &Expr| match len {
            Some(_) => self
                .beginnings(e, len)
                .into_iter()
                .map(|(value, along)| match value {
                    // Inside of what the address is one of, it leaves nothing.
                    Value::Typed(..) if along => (value, None),
                    _ => (value, Some(len)),
                })
                .collect(),
            None => self
                .values(e)
                .into_iter()
                .map(|value| (value, Some(None)))
                .collect::<Vec<_>>(),
        };
        let (to, from) = (origins(dst), origins(src));
        for a in &to {
            for b in &from {
                for (value, len) in [a, b] {
                    if let (&Value::Typed(ty, from), &Some(len)) = (value, len) {
                        self.reach(ty, from, len);
                    }
                }
                match (&a.0, &b.0) {
                    (&Value::Typed(a, p), &Value::Typed(b, q)) => {
                        self.views((pointer_to(a), pointer_to(b), flow::difference(p, q)), loc);
                    }
                    (&Value::Typed(ty, p), Value::At((spot, q))) | (Value::At((spot, q)), &Value::Typed(ty, p)) => {
                        let view = View {
                            reach: flow::sum(p, len).unwrap_or(0),
                            ..pointer_to(ty)
                        };
                        self.flow.use_as((spot.clone(), flow::difference(*q, p)), view, loc);
                    }
                    (Value::At(a), Value::At(b)) => self.flow.copy_bytes(a.clone(), b.clone(), len, loc),
                }
            }
        }
    }

    /// So many bytes are accessed behind a pointer to a type, `from` bytes further (`None`: a computed number).
    pub(super) fn reach(&mut self, ty: TypeId, from: Option<i64>, len: Option<i64>) {
        let Some(size) = self.program.types.size_of(ty).and_then(|s| i64::try_from(s).ok()) else {
            return;
        };
        // Of records it is not known where a computed number ends. Scalars lie in an array then.
        let is_record = self.program.types.as_record(ty).is_some();
        let end = flow::sum(from, len.or((!is_record).then_some(0)));
        let inside = from.is_some_and(|from| from >= 0) && end.is_some_and(|end| end <= size);
        if !inside && !self.is_followed(ty) {
            self.left.insert(ty);
        }
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
    fn leaf_spot(&mut self, place: &Place, leaf: &Leaf) -> Option<Spot> {
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

    fn scalar_spot(&mut self, var: VarId, path: Vec<u32>) -> Spot {
        let variable = self.program.var(var);
        if variable.func.is_none() || variable.kind == VarKind::Param {
            self.flow.note_lasting(var);
        }
        Spot::Scalar(var, path)
    }

    /// The value of an expression is kept in a place.
    fn kept_expr(&mut self, e: &Expr, place: &Place, loc: Loc) {
        self.expr(e, loc);
        if Scalar::of(&self.program.types, place.ty).is_none() {
            if let ExprKind::Load(from) = &e.kind {
                self.scalars_move(from, place, None, loc);
            }
            return;
        }
        self.flow(e, Some(place), loc);
    }

    /// The scalars of one place become those of another of the same type; `call`: the call that returns them.
    fn scalars_move(&mut self, from: &Place, to: &Place, call: Option<usize>, loc: Loc) {
        let types = &self.program.types;
        let spots: Vec<(TypeId, Option<Spot>, TypeId, Option<Spot>)> = if Scalar::of(types, to.ty).is_some() {
            vec![(from.ty, self.spot(from), to.ty, self.spot(to))]
        } else {
            let (sources, targets) = (leaves(types, from.ty), leaves(types, to.ty));
            let pairs = sources.iter().zip(&targets);
            pairs
                .map(|(x, y)| (x.ty, self.leaf_spot(from, x), y.ty, self.leaf_spot(to, y)))
                .collect()
        };
        for (x, source, y, target) in spots {
            let (Some(source), Some(target)) = (source, target) else {
                continue;
            };
            match (self.kept(x), self.kept(y)) {
                (Kept::Untyped, Kept::Untyped) => match call {
                    Some(call) => self.flow.return_value(source, target, call),
                    None => self.flow.move_value((source, Some(0)), target),
                },
                (Kept::Pointer(a), Kept::Untyped) => self.flow.tag(target, Tag::Typed(a, Some(0))),
                (Kept::Untyped, Kept::Pointer(b)) => self.flow.use_as((source, Some(0)), pointer_to(b), loc),
                _ => {}
            }
        }
    }

    /// A place that is written or whose address is taken.
    fn place(&mut self, place: &Place, loc: Loc) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.expr(pointer, loc);
            match self.keys.members.learn(self.program, place) {
                Some((record, field)) => {
                    self.member(place, record, field, loc);
                    self.inside(pointer, place, loc);
                }
                None => self.flow(pointer, None, loc),
            }
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.expr(index, loc);
            }
        }
        self.note_sign(place);
    }

    /// A member is accessed as a scalar of the type of a place.
    fn member(&mut self, place: &Place, record: RecordId, field: u32, loc: Loc) {
        let types = &self.program.types;
        let position = usize::try_from(field).expect("a number of 32 bits is a position");
        let mut ty = types.record(record).fields[position].ty;
        while let Type::Array { elem, .. } = *types.get(ty) {
            ty = elem;
        }
        let (Some(own), Some(seen)) = (Scalar::of(types, ty), Scalar::of(types, place.ty)) else {
            return;
        };
        let node = self.node(Key::Field(record, field), own);
        let root = self.root(node);
        let state = &mut self.nodes[root];
        state.unified |= (state.class, state.signed, state.width) != (seen.class, seen.signed, seen.width);
        state.signed &= seen.signed;
        self.scalars_overlaid((ty, node), (place.ty, node), loc);
    }

    /// Scalars of both signednesses are accessed through one class: then its cells need conversions.
    fn note_sign(&mut self, place: &Place) {
        let Some(scalar) = Scalar::of(&self.program.types, place.ty) else {
            return;
        };
        if scalar.class != Class::Int || scalar.signed || !in_memory(self.program, place) {
            return;
        }
        let Some(key @ Key::Class(..)) = key_of_place(self.program, &self.keys, place) else {
            return;
        };
        let node = self.node(key, scalar);
        let root = self.root(node);
        self.nodes[root].signed = false;
        self.nodes[root].unified = true;
    }

    /// Visits the reads of an expression, and the addresses that it takes.
    fn expr(&mut self, e: &Expr, loc: Loc) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) => {
                if let Some(var) = place.as_whole_var() {
                    // Not under a conversion (see below): this use says nothing of the type.
                    self.converted.insert(var, None);
                }
                self.place(place, loc);
            }
            ExprKind::AddrOf(place) => {
                self.place(place, loc);
                self.address_of(place);
            }
            ExprKind::Cast(x) => self.cast(e.ty, x, loc),
            ExprKind::Unary(_, x) => self.expr(x, loc),
            ExprKind::Binary(op, x, y)
                if op.is_comparison() && (self.is_null_test(x, y) || self.is_null_test(y, x)) => {}
            ExprKind::Binary(_, x, y) => {
                self.expr(x, loc);
                self.expr(y, loc);
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.expr(x, loc)),
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
            None => self.expr(x, loc),
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
        if let Some(key) = key_of_place(program, &self.keys, place) {
            let (member, class) = (
                self.node(key, scalar),
                self.node(Key::Class(scalar.class, scalar.size), scalar),
            );
            self.unify(member, class, false);
        }
        if let Some(member) = walks::member(program, place) {
            self.taken.entry(member).or_insert(self.here);
        }
    }

    /// The value of `e` is the address of an access (no place), or kept in a scalar place, under the type of `e`: compares that with what it is a pointer to.
    fn flow(&mut self, e: &Expr, place: Option<&Place>, loc: Loc) {
        let view = match (place, self.kept(e.ty)) {
            (None, _) => self.program.types.pointee(e.ty).map(|ty| View {
                exact: is_at_a_constant(e),
                ..pointer_to(ty)
            }),
            (Some(_), Kept::Pointer(ty)) => Some(pointer_to(ty)),
            (Some(_), Kept::Untyped) => None,
            (Some(_), Kept::Nothing) => return,
        };
        let values = self.values(e);
        if let Some(view) = view {
            for value in values {
                match value {
                    Value::Typed(from, offset) => self.views((pointer_to(from), view, offset), loc),
                    Value::At(origin) => self.flow.use_as(origin, view, loc),
                }
            }
        } else if let Some(spot) = place.and_then(|place| self.spot(place)) {
            for value in values {
                match value {
                    Value::Typed(from, offset) => self.flow.tag(spot.clone(), Tag::Typed(from, offset)),
                    Value::At(origin) => self.flow.move_value(origin, spot.clone()),
                }
            }
        }
    }

    /// An access by arithmetic concerns a member: what it starts from is a pointer to the record.
    fn inside(&mut self, pointer: &Expr, place: &Place, loc: Loc) {
        let Some((ty, offset)) = self.keys.members.position(self.program, place) else {
            return;
        };
        let view = View {
            exact: true,
            ..pointer_to(ty)
        };
        for value in self.values(pointer) {
            match value {
                Value::Typed(from, at) => self.views((pointer_to(from), view, flow::difference(at, Some(offset))), loc),
                Value::At((spot, at)) => {
                    let origin = (spot, flow::difference(at, Some(offset)));
                    self.flow.use_as(origin, view, loc);
                }
            }
        }
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

    fn finish(mut self) -> Division {
        let pointed = self.pointed();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut of_root: FxHashMap<usize, KindId> = FxHashMap::default();
        let mut of_key = FxHashMap::default();
        let mut names: FxHashSet<String> = FxHashSet::default();
        for at in 0..self.nodes.len() {
            let root = self.root(at);
            let key = self.nodes[at].key;
            let id = *of_root.entry(root).or_insert_with(|| {
                let node = &self.nodes[root];
                let id = KindId(u32::try_from(kinds.len()).expect("fewer than 2^32 kinds"));
                let mut name = key_name(self.program, &self.keys.private_paths, node.key);
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
                let bits = (node.bit_field && !node.mixed).then_some(node.first_bit);
                kinds.push(Kind {
                    name,
                    cells,
                    private: matches!(node.key, Key::Private(..)),
                    scalar: Scalar {
                        class: node.class,
                        width: node.width,
                        signed: node.signed,
                        size: node.size,
                    },
                    first_bit: bits,
                    natural: node.natural,
                });
                id
            });
            of_key.insert(key, id);
        }
        Division {
            kinds,
            of_key,
            keys: self.keys,
            trusted: self.trusted,
            converted: self.converted,
            pointed,
        }
    }
}

fn pointer_to(ty: TypeId) -> View {
    View {
        ty,
        exact: false,
        reach: 0,
    }
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
fn is_incomplete(types: &Types, ty: TypeId) -> bool {
    types.as_record(ty).is_some_and(|record| !types.record(record).complete)
}

/// Whether an address is a value that is kept somewhere, or one of a variable, moved by constants.
fn is_at_a_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(_, x, y) => {
            [x, y].iter().any(|part| part.as_const().is_some()) && [x, y].iter().all(|part| is_at_a_constant(part))
        }
        ExprKind::Cast(x) | ExprKind::Unary(_, x) => is_at_a_constant(x),
        ExprKind::AddrOf(place) => place.proj.iter().all(|step| match step {
            Proj::Field { .. } => true,
            Proj::Index(index) => index.as_const().is_some(),
        }),
        _ => true,
    }
}

/// The types of elements that pointers move along.
fn stepped_types(program: &Program) -> FxHashSet<TypeId> {
    let types = &program.types;
    let mut found = FxHashSet::default();
    let mut note = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinOp::Add | BinOp::Sub, x, y) => {
            for part in [x, y] {
                let mut part = &**part;
                loop {
                    found.extend(types.pointee(part.ty));
                    match &part.kind {
                        ExprKind::Cast(inner) => part = inner,
                        _ => break,
                    }
                }
            }
        }
        ExprKind::AddrOf(place) => {
            let is_element = matches!(place.proj.last(), Some(Proj::Index(_)));
            if is_element {
                found.insert(place.ty);
            }
            let mut ty = place.ty;
            while let Type::Array { elem, .. } = *types.get(ty) {
                ty = elem;
                found.insert(ty);
            }
        }
        _ => {}
    };
    for edge in &program.edges {
        crate::cfa::program::visit::visit_op(&edge.op, &mut note);
    }
    for edge in &program.edges {
        // An operation on more bytes than one object has goes along as well.
        let (pointers, len) = match &edge.op {
            Op::MemSet { dst, len, .. } => (vec![dst], len),
            Op::MemCopy { dst, src, len } => (vec![dst, src], len),
            _ => continue,
        };
        let len = len
            .as_const()
            .and_then(Int::to_i64)
            .and_then(|len| u64::try_from(len).ok());
        for mut pointer in pointers {
            loop {
                let to = types.pointee(pointer.ty);
                found.extend(to.filter(|&to| len.is_none_or(|len| types.size_of(to).is_some_and(|size| len > size))));
                match &pointer.kind {
                    ExprKind::Cast(inner) => pointer = inner,
                    _ => break,
                }
            }
        }
    }
    found
}
