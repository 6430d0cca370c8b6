//! The cells that operations on bytes concern: fills and copies.
//!
//! The length of a fill may say more than the type of its pointer: `memset(h, 0, sizeof(struct message))` with a pointer to the header that a message
//! begins with writes the whole message, and `memset(&p->first, 0, n)` what follows a member. So the objects count, not the type of the pointer: a
//! pointer goes by its own type only as long as the bytes lie inside of one such object. Where they go on, the type is one whose pointers leave their objects, and those
//! are [followed](super::flow) to the objects they come from. Unknown objects may be all objects.
//!
//! A fill or a copy may also begin or end inside of a cell, whose other bytes stay. By how many bytes that may be the case follows from where the operation
//! begins in its object and from the divisors of its length.

use super::analysis::Analysis;
use super::division::{Behind, Division, Start};
use super::flow;
use super::flow::{Spot, Tag, Target};
use super::kinds::{Cells, KindId, shared_key};
use super::values::Value;
use crate::cfa::program::scalar::{Leaf, Scalar, leaves, tail_leaves};
use crate::cfa::program::{BinOp, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj};
use crate::frontend::types::{ArrayLen, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use std::collections::BTreeMap;

/// Where an operation on bytes may begin or end inside of a cell. Bit `r`: behind its first `r` bytes, for `r` above 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cut {
    /// How the first byte may lie in a cell.
    pub front: u64,
    /// How the end may lie in a cell.
    pub back: u64,
    /// Whether that is only for lack of knowledge.
    pub rough: bool,
}

/// The cells that an operation on bytes concerns.
#[derive(Debug, Clone)]
pub struct Concerned {
    /// The kinds, with how the operation may lie to their cells.
    pub kinds: Vec<(KindId, Cut)>,
    /// Whether nothing is known of the objects, so that these are all kinds that pointers reach.
    pub all: bool,
}

/// Bytes to which allocated objects are aligned.
const NEW: u64 = 16;

/// All boundaries of cells of this number of bytes may be cut.
fn everywhere(size: u64) -> u64 {
    let above = 1u64.checked_shl(u32::try_from(size).unwrap_or(64)).unwrap_or(0);
    above.wrapping_sub(1) & !1
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// A number of bytes in front of something, modulo the length of a cycle.
fn within(at: i64, cycle: u64) -> u64 {
    let cycle = i64::try_from(cycle).unwrap_or(i64::MAX).max(1);
    at.rem_euclid(cycle).unsigned_abs()
}

impl Division {
    /// The cells that an operation on `len` bytes concerns: a fill behind one pointer, or a copy behind the first one from behind the second.
    pub fn bytes(&self, program: &Program, pointers: &[&Expr], len: &Expr) -> Concerned {
        let types = &program.types;
        let count = len.as_const().and_then(Int::to_i64);
        let multiple = match count {
            Some(count) => count.unsigned_abs(),
            None => known_divisor(types, len),
        };
        let mut found: BTreeMap<KindId, Cut> = BTreeMap::new();
        let mut unknown: Vec<u64> = Vec::new();
        for pointer in pointers {
            let behind = self.pointed.get(&((*pointer).clone(), count));
            let starts = behind.and_then(|behind| behind.starts.as_ref());
            match starts.filter(|starts| starts.iter().all(|start| start.is_inside(types, count))) {
                Some(starts) => {
                    for start in starts {
                        self.concerned_from(types, *start, count, multiple, &mut found);
                    }
                }
                None => unknown.push(behind.map_or(1, |behind| behind.align)),
            }
        }
        // An object of which nothing is known has the types of the other side of a copy, as these meet.
        let all = unknown.len() == pointers.len();
        let align = unknown.into_iter().fold(0, divisor);
        for (id, kind) in self.kinds() {
            let cut = match kind.cells {
                Cells::Scalars { size, .. } if kind.natural && align.is_multiple_of(size) => match multiple {
                    multiple if multiple.is_multiple_of(size) => Cut::default(),
                    _ => Cut::anywhere(0, everywhere(size)),
                },
                Cells::Scalars { size, .. } => Cut::anywhere(everywhere(size), everywhere(size)),
                Cells::Bytes => Cut::default(),
            };
            if all && !kind.private {
                found.insert(id, cut);
            }
        }
        let kinds = found.into_iter().collect();
        Concerned { kinds, all }
    }

    /// Adds the cells of objects in which the bytes begin in one way.
    fn concerned_from(
        &self,
        types: &Types,
        start: Start,
        count: Option<i64>,
        multiple: u64,
        found: &mut BTreeMap<KindId, Cut>,
    ) {
        let (ty, offset) = start.at;
        let size = types.size_of(ty).unwrap_or(0);
        let end = flow::sum(offset, count);
        let inside = offset.is_some_and(|o| o >= 0) && end.is_some_and(|e| u64::try_from(e).is_ok_and(|e| e <= size));
        let mut all = leaves(types, ty);
        if !inside {
            all.extend(tail_leaves(types, ty));
        }
        for leaf in all {
            let Some(&kind) = self.of_key.get(&shared_key(&leaf)) else {
                continue;
            };
            let span = span(&leaf);
            let (front, back) = if inside {
                let (first, end) = (
                    within(offset.unwrap_or(0), u64::MAX),
                    within(end.unwrap_or(0), u64::MAX),
                );
                if leaf.offset >= end || leaf.offset + leaf.extent <= first {
                    continue;
                }
                (cut_at(&leaf, first), cut_at(&leaf, end))
            } else {
                let front = offset.map_or(everywhere(span), |at| cut_in_cycle(&leaf, at, size, size));
                let back = match (offset, end) {
                    (Some(_), Some(end)) => cut_in_cycle(&leaf, end, size, size),
                    (Some(at), None) => cut_in_cycle(&leaf, at, divisor(multiple, size), size),
                    (None, _) => everywhere(span),
                };
                (front, back)
            };
            let cut = found.entry(kind).or_default();
            if self.kind(kind).cells != Cells::Bytes {
                cut.front |= front;
                cut.back |= back;
            }
        }
    }
}

impl Cut {
    fn anywhere(front: u64, back: u64) -> Cut {
        let rough = true;
        Cut { front, back, rough }
    }

    /// Both together.
    pub fn with(self, other: Cut) -> Cut {
        Cut {
            front: self.front | other.front,
            back: self.back | other.back,
            rough: self.rough || other.rough,
        }
    }
}

impl Start {
    /// Whether bytes from here belong to objects of the type.
    fn is_inside(&self, types: &Types, count: Option<i64>) -> bool {
        let (ty, offset) = self.at;
        let size = types.size_of(ty).and_then(|s| i64::try_from(s).ok());
        let end = flow::sum(offset, count);
        let begins = offset.is_some_and(|offset| offset >= 0);
        let ends = end.zip(size).is_some_and(|(end, size)| end <= size);
        self.along || (begins && ends)
    }
}

/// The bytes that a cell of a leaf takes.
fn span(leaf: &Leaf) -> u64 {
    leaf.bits.map_or(leaf.scalar.size, |bits| {
        (bits.offset % 8 + u64::from(bits.width)).div_ceil(8)
    })
}

/// How a boundary at a place of the object cuts a cell of a leaf.
fn cut_at(leaf: &Leaf, at: u64) -> u64 {
    if at <= leaf.offset || at >= leaf.offset + leaf.extent {
        return 0;
    }
    let size = span(leaf).max(1);
    if !leaf.array {
        return 1 << (at - leaf.offset).min(63);
    }
    match leaf.step.is_multiple_of(size) {
        true => (1 << ((at - leaf.offset) % size).min(63)) & !1,
        false => everywhere(size),
    }
}

/// The same for a boundary that lies at a place of the object or any number of cycles further, in an array of objects of `object` bytes.
fn cut_in_cycle(leaf: &Leaf, at: i64, cycle: u64, object: u64) -> u64 {
    if object > 0 && cycle == object {
        let in_first = cut_at(leaf, within(at, object));
        // A tail of the object lies behind it.
        let tail = leaf.offset + leaf.extent > object;
        return if tail {
            in_first | everywhere(span(leaf))
        } else {
            in_first
        };
    }
    let size = span(leaf).max(1);
    let steady = leaf.bits.is_none() && (!leaf.array || leaf.step.is_multiple_of(size));
    let step = if steady {
        divisor(divisor(cycle, object), size)
    } else {
        1
    };
    let distance = at - i64::try_from(leaf.offset).unwrap_or(0);
    let first = within(distance, step.max(1));
    let hits = (first..size).step_by(usize::try_from(step.max(1)).expect("the size of a scalar"));
    hits.filter(|&r| r > 0).fold(0, |mask, r| mask | 1 << r.min(63))
}

/// A number that divides the value of an expression, by its form: a power of two, as products may wrap around.
fn known_divisor(types: &Types, e: &Expr) -> u64 {
    let power = |c: &Int| c.to_i128().map_or(1, |c| 1u64 << c.trailing_zeros().min(16));
    match &e.kind {
        ExprKind::Const(c) => power(c),
        ExprKind::Cast(x) if Scalar::of(types, x.ty).is_some_and(|s| !s.is_opaque()) => known_divisor(types, x),
        ExprKind::Binary(BinOp::Mul, x, y) => known_divisor(types, x).saturating_mul(known_divisor(types, y)),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, x, y) => divisor(known_divisor(types, x), known_divisor(types, y)),
        ExprKind::Binary(BinOp::Shl, x, y) => {
            let by = y.as_const().and_then(Int::to_i64).map_or(0, |by| by.clamp(0, 16));
            known_divisor(types, x) << by
        }
        _ => 1,
    }
    .min(1 << 16)
}

impl Analysis<'_> {
    /// The type of the bytes behind a pointer: the type of the object to which the address visibly belongs, else the target type of the pointer. `true`: such objects
    /// lie side by side for `len` bytes.
    pub(super) fn beginnings(&mut self, e: &Expr, len: Option<i64>) -> Vec<(Value, bool)> {
        match &e.kind {
            ExprKind::Cast(x) if self.program.types.is_pointer(e.ty) && self.program.types.is_pointer(x.ty) => {
                self.beginnings(x, len)
            }
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), x, y) if self.program.types.is_pointer(x.ty) => {
                let step = self.constant(y).and_then(|step| match op {
                    BinOp::Sub => step.checked_neg(),
                    _ => Some(step),
                });
                let Some(step) = step else { return self.by_values(e) };
                let len = flow::sum(len, if step < 0 { None } else { Some(step) });
                let values = self.beginnings(x, len).into_iter();
                values.map(|(value, along)| (value.moved(Some(step)), along)).collect()
            }
            ExprKind::AddrOf(place) => self.begins_at(e, place, len),
            _ => self.by_values(e),
        }
    }

    fn by_values(&mut self, e: &Expr) -> Vec<(Value, bool)> {
        self.values(e).into_iter().map(|value| (value, false)).collect()
    }

    fn begins_at(&mut self, e: &Expr, place: &Place, len: Option<i64>) -> Vec<(Value, bool)> {
        let program = self.program;
        let types = &program.types;
        let (ty, available) = extent(program, place);
        if len.is_some_and(|len| available.is_some_and(|available| len <= available)) {
            return vec![(Value::Typed(Target::start(ty)), true)];
        }
        let (base, pointer) = match &place.base {
            PlaceBase::Var(var) => (program.var(*var).ty, None),
            PlaceBase::Deref(pointer) => (types.pointee(pointer.ty).unwrap_or(place.ty), Some(pointer)),
        };
        if let (Some(array), None) = (self.member_array(place), len)
            && self.is_followed(array.elem)
        {
            return vec![(Value::Typed(Target::new(array.elem, None)), true)];
        }
        let (mut offset, mut current) = (Some(0), base);
        for step in &place.proj {
            match step {
                Proj::Field { record, field } => {
                    let position = usize::try_from(*field).expect("a number of 32 bits is a position");
                    let field = &types.record(*record).fields[position];
                    offset = flow::sum(offset, i64::try_from(field.offset).ok());
                    current = field.ty;
                }
                Proj::Index(index) => {
                    let Type::Array { elem, .. } = *types.get(current) else {
                        return self.by_values(e);
                    };
                    current = elem;
                    let size = types.size_of(elem).and_then(|s| i64::try_from(s).ok());
                    let index = self.constants.value(types, index);
                    offset = flow::sum(offset, index.zip(size).and_then(|(i, s)| i.checked_mul(s)));
                }
            }
        }
        match pointer {
            // A variable is all of its object: elements of an array are alike.
            None => {
                let mut object = base;
                while let Type::Array { elem, .. } = *types.get(object) {
                    object = elem;
                }
                let size = types.size_of(object).and_then(|s| i64::try_from(s).ok());
                let first = offset.zip(size).filter(|&(_, size)| size > 0);
                let inside = first.map(|(offset, size)| offset.rem_euclid(size));
                vec![(Value::Typed(Target::new(object, inside)), true)]
            }
            Some(pointer) if self.is_followed(base) => {
                let values = self.values(pointer).into_iter();
                values.map(|value| (value.moved(offset), false)).collect()
            }
            Some(_) => vec![(Value::Typed(Target::new(base, offset)), false)],
        }
    }

    /// `len` bytes behind a pointer are filled.
    pub(super) fn fill(&mut self, dst: &Expr, len: Option<i64>) {
        for (value, along) in self.beginnings(dst, len) {
            match value {
                Value::Typed(to) if !along => {
                    let to = to.over(len);
                    self.reach(to.ty, to.at, len);
                }
                Value::Typed(_) => {}
                Value::At(origin) => self.flow.fill(origin, len),
            }
        }
    }

    /// The final knowledge about the bytes behind the pointers of all operations on bytes, by pointer and number of bytes.
    pub(super) fn pointed(&mut self) -> FxHashMap<(Expr, Option<i64>), Behind> {
        let program = self.program;
        let mut questions = Vec::new();
        for edge in &program.edges {
            let (pointers, len) = match &edge.op {
                Op::MemSet { dst, len, .. } => (vec![dst], len),
                Op::MemCopy { dst, src, len } => (vec![dst, src], len),
                _ => continue,
            };
            let len = len.as_const().and_then(Int::to_i64);
            for pointer in pointers {
                questions.push(((pointer.clone(), len), self.beginnings(pointer, len)));
            }
        }
        let spots = questions
            .iter()
            .flat_map(|(_, values)| values)
            .filter_map(|(value, _)| match value {
                Value::At((spot, _)) => Some(spot.clone()),
                Value::Typed(_) => None,
            });
        let mut tags = self.tags_of(&spots.collect::<Vec<Spot>>()).into_iter();
        let answers = questions.into_iter().map(|(key, values)| {
            let tagged = values.into_iter().map(|(value, along)| match value {
                Value::Typed(to) => (vec![Tag::Typed(to.over(key.1))], along),
                Value::At((_, plus)) => {
                    let tags = tags.next().unwrap_or_default().into_iter();
                    (tags.map(|tag| tag.moved(plus).over(key.1)).collect(), along)
                }
            });
            let behind = self.behind(&key.0, tagged.collect());
            (key, behind)
        });
        answers.collect()
    }

    /// The knowledge about the bytes behind a pointer with one of these values.
    fn behind(&self, pointer: &Expr, values: Vec<(Vec<Tag>, bool)>) -> Behind {
        let unknown = values.is_empty() || values.iter().any(|(tags, _)| tags.is_empty());
        let (mut starts, mut align) = (Some(Vec::new()), 0);
        for (tags, along) in values {
            for tag in tags {
                match tag {
                    Tag::Typed(Target { ty, at: offset, .. }) => {
                        let along = along || self.is_followed(ty);
                        align = divisor(align, self.alignment(ty, offset));
                        starts.iter_mut().for_each(|starts| {
                            starts.push(Start {
                                at: (ty, offset),
                                along,
                            })
                        });
                    }
                    Tag::New(_, offset) => {
                        starts = None;
                        align = divisor(align, offset.map_or(1, |o| divisor(NEW, within(o, NEW))));
                    }
                }
            }
        }
        Behind {
            starts: starts.filter(|_| !unknown),
            align: if unknown { self.promised(pointer) } else { align },
        }
    }

    fn alignment(&self, ty: TypeId, offset: Option<i64>) -> u64 {
        let align = self.program.types.align_of(ty).unwrap_or(1).max(1);
        offset.map_or(1, |o| divisor(align, within(o, align)))
    }

    /// The alignment that the type of a pointer promises.
    fn promised(&self, e: &Expr) -> u64 {
        let types = &self.program.types;
        match &e.kind {
            ExprKind::Cast(x) if types.is_pointer(x.ty) => self.promised(x),
            _ => {
                let to = types
                    .pointee(e.ty)
                    .filter(|&to| types.size_of(to).is_some_and(|s| s > 1));
                to.map_or(1, |to| types.align_of(to).unwrap_or(1).max(1))
            }
        }
    }
}

/// The type at a place, and the number of bytes from there to the end of the place; for an element, to the end of the array.
fn extent(program: &Program, place: &Place) -> (TypeId, Option<i64>) {
    let types = &program.types;
    let size = |ty: TypeId| types.size_of(ty).and_then(|s| i64::try_from(s).ok());
    let mut ty = place.ty;
    let own = size(ty);
    while let Type::Array { elem, .. } = *types.get(ty) {
        ty = elem;
    }
    let Some((Proj::Index(index), outer)) = place.proj.split_last() else {
        return (ty, own);
    };
    let mut array = match &place.base {
        PlaceBase::Var(var) => program.var(*var).ty,
        PlaceBase::Deref(pointer) => types.pointee(pointer.ty).unwrap_or(place.ty),
    };
    for step in outer {
        array = match step {
            Proj::Field { record, field } => {
                let position = usize::try_from(*field).expect("a number of 32 bits is a position");
                types.record(*record).fields[position].ty
            }
            Proj::Index(_) => types.element(array).unwrap_or(array),
        };
    }
    let Type::Array { len, .. } = *types.get(array) else {
        return (ty, own);
    };
    let rest = match (len, index.as_const().and_then(Int::to_i64)) {
        (ArrayLen::Fixed(len), Some(index)) if index >= 0 => {
            let left = i64::try_from(len).ok().and_then(|len| len.checked_sub(index));
            left.zip(own).and_then(|(left, own)| left.checked_mul(own))
        }
        _ => own,
    };
    (ty, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_inside_of_cells() {
        assert_eq!(everywhere(1), 0);
        assert_eq!(everywhere(4), 0b1110);
        assert_eq!(everywhere(64), !1);
        assert_eq!((divisor(0, 12), divisor(8, 12)), (12, 4));
        assert_eq!(within(-1, 4), 3);
    }
}
