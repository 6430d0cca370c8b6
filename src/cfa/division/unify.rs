//! One look over the program that unifies the kinds of bytes that it can reach in two ways.

use super::names::key_name;
use super::origin::{Origin, origin};
use super::{Cells, Division, Key, Kind, KindId, in_memory, key_of_place, shared_key};
use crate::cfa::program::{Edge, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj, VarId};
use crate::cfa::scalar::{Class, Leaf, Scalar, leaves, record_leaves};
use crate::frontend::source::Loc;
use crate::frontend::types::{RecordId, RecordKind, Type, TypeId};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Divides the memory of a program.
pub(super) fn divide(program: &Program, pairs: usize) -> Division {
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
            Op::Call { args, ret, .. } => {
                args.iter().for_each(|a| self.expr(a, true, loc));
                ret.iter().for_each(|p| self.place(p, loc));
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
        match (origin(&self.program.types, dst), origin(&self.program.types, src)) {
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
        match (origin(&self.program.types, e), target) {
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

    fn finish(mut self) -> Division {
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
                let mut name = key_name(self.program, &self.private_paths, node.key);
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
                kinds.push(Kind { name, cells, private });
                id
            });
            of_key.insert(key, id);
        }
        Division {
            kinds,
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
