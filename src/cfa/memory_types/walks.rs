//! The types along which pointers move, and members that are reached by a pointer to another one.
//!
//! `int dot(int *a) { return a[0] + a[1] + a[2]; }` is called with `&v.x`, and a loop runs from `&table[0].key` over all of a table: compilers accept that, though
//! in standard C a pointer to a member that is no array points to one element only. So where pointers to a class of scalars are moved, a member of this class whose address is
//! taken has the same kind as the members of its class next to it, one behind the other without a gap. These keep their cells, so only
//! the division becomes coarser, and the cost is small.
//!
//! To allow walks over members of other classes would make most records of a program into bytes. The ledger has the assumption that there are no such walks, where a member whose address is taken
//! has such neighbours.

use super::analysis::{Analysis, Taken};
use crate::cfa::program::scalar::{Class, Leaf, Scalar, record_leaves};
use crate::cfa::program::visit::visit_op;
use crate::cfa::program::{BinOp, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj};
use crate::frontend::types::{RecordId, Type, TypeId, Types};
use provident_smt::hash::FxHashSet;
use provident_smt::num::Int;

const AMONG_ALIKE: &str = "a pointer to a member that is moved stays among members of its type that lie side by side";

/// A class of scalars.
type Kin = (Class, u64);

/// The record that a member lies in, outermost, and its place there, with indices left out.
pub(super) fn member(program: &Program, place: &Place) -> Option<(RecordId, u64)> {
    let types = &program.types;
    let mut current = match &place.base {
        PlaceBase::Var(var) => program.var(*var).ty,
        PlaceBase::Deref(pointer) => types.pointee(pointer.ty)?,
    };
    let (mut outer, mut offset) = (None, 0);
    for step in &place.proj {
        match step {
            Proj::Index(_) => current = types.element(current)?,
            Proj::Field { record, field } => {
                outer.get_or_insert(*record);
                let field = types.record(*record).fields.get(usize::try_from(*field).ok()?)?;
                offset += field.offset;
                current = field.ty;
            }
        }
    }
    Some((outer?, offset))
}

/// The classes of scalars that pointers are moved along, other than by indexing an array.
pub(super) fn walked(program: &Program) -> FxHashSet<Kin> {
    let types = &program.types;
    let mut found = FxHashSet::default();
    let mut note = |e: &Expr| {
        let ExprKind::Binary(BinOp::Add | BinOp::Sub, x, y) = &e.kind else {
            return;
        };
        if !types.is_pointer(e.ty) || types.is_pointer(y.ty) {
            return;
        }
        let mut base = &**x;
        loop {
            if let Some(kin) = types.pointee(base.ty).and_then(|to| kin(types, to))
                && !is_element(base)
            {
                found.insert(kin);
            }
            match &base.kind {
                ExprKind::Cast(inner) => base = inner,
                _ => break,
            }
        }
    };
    for edge in &program.edges {
        visit_op(&edge.op, &mut note);
    }
    found
}

fn is_element(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(x) => is_element(x),
        ExprKind::AddrOf(place) => matches!(place.proj.last(), Some(Proj::Index(_))),
        _ => false,
    }
}

fn kin(types: &Types, mut ty: TypeId) -> Option<Kin> {
    while let Type::Array { elem, .. } = *types.get(ty) {
        ty = elem;
    }
    let scalar = Scalar::of(types, ty)?;
    Some((scalar.class, scalar.size))
}

fn leaf_kin(leaf: &Leaf) -> Option<Kin> {
    leaf.bits.is_none().then_some((leaf.scalar.class, leaf.scalar.size))
}

/// The types of elements that pointers move along.
pub(super) fn stepped_types(program: &Program) -> FxHashSet<TypeId> {
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
        visit_op(&edge.op, &mut note);
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

impl Analysis<'_> {
    /// Unifies members that are reached by pointers to their neighbours.
    pub(super) fn walks(&mut self, taken: Taken) {
        let mut walked = walked(self.program);
        // Pointers that are followed may be moved as integers, too, and stay in their arrays then (see `flow::Target`).
        walked.extend(self.followed.iter().filter_map(|&ty| kin(&self.program.types, ty)));
        for ((record, offset), loc) in taken {
            let mut all = record_leaves(&self.program.types, record);
            all.sort_by_key(|leaf| leaf.offset);
            let is_walked =
                |leaf: &Leaf| leaf.offset == offset && leaf_kin(leaf).is_some_and(|kin| walked.contains(&kin));
            let Some(at) = all.iter().position(is_walked) else {
                continue;
            };
            let kin = leaf_kin(&all[at]);
            let alike = |leaf: &Leaf| leaf_kin(leaf) == kin;
            // In an array of records, the next member of the same element.
            let in_element = |a: &Leaf, b: &Leaf| a.array && b.array && a.offset + a.scalar.size == b.offset;
            let joined = |a: &Leaf, b: &Leaf| a.offset + a.extent == b.offset || in_element(a, b);
            let (mut first, mut last) = (at, at);
            while first > 0 && alike(&all[first - 1]) && joined(&all[first - 1], &all[first]) {
                first -= 1;
            }
            while last + 1 < all.len() && alike(&all[last + 1]) && joined(&all[last], &all[last + 1]) {
                last += 1;
            }
            let node = self.leaf_node(&all[at]);
            for leaf in &all[first..=last] {
                let other = self.leaf_node(leaf);
                self.unify(node, other, false);
            }
            if (first, last) != (0, all.len() - 1) {
                self.trust(AMONG_ALIKE, loc);
            }
        }
    }
}
