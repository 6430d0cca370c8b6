//! Accesses to members of records that are written as arithmetic: `*(int *)((unsigned long)p + 8)`.
//!
//! Some front ends before this one take member accesses apart, over several variables: `t = (unsigned long)p; u = t + 8; *(int *)u`. Where all that
//! a plain variable ever gets is a pointer to one record type plus one number of bytes, an access through it that lies where a scalar member of
//! that size does is an access to this member, as `p->x` is. So it belongs to the cells of the member rather than to those of all scalars of its size.

use super::constants::Constants;
use super::kinds::in_memory;
use crate::cfa::program::scalar::{Class, Scalar, leaves};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::{BinOp, Expr, ExprKind, Input, Op, Place, PlaceBase, Program, VarId, VarKind};
use crate::frontend::types::{RecordId, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::sync::Arc;

/// A record type and bytes from its start.
pub(super) type Position = (TypeId, i64);

/// A value that a variable gets at one place.
enum Source {
    Known(Position),
    Copy(VarId, i64),
    Other,
}

/// Where plain variables without a pointer type point to in records, and which members lie there.
#[derive(Debug, Default)]
pub(super) struct Members {
    positions: FxHashMap<VarId, Position>,
    /// By record type, offset and size of an access.
    members: FxHashMap<(TypeId, i64, u64), Option<(RecordId, u32)>>,
    constants: Arc<Constants>,
}

impl Members {
    /// Looks once over the program.
    pub fn new(program: &Program, constants: &Arc<Constants>) -> Members {
        let mut sources: FxHashMap<VarId, Vec<Source>> = FxHashMap::default();
        let mut order = Vec::new();
        let mut add = |var: VarId, source: Source| {
            let variable = program.var(var);
            if !is_untyped(&program.types, variable.ty) || variable.in_memory {
                return;
            }
            let local = variable.func.is_some() && variable.kind != VarKind::Param;
            let list = sources.entry(var).or_insert_with(|| {
                order.push(var);
                Vec::new()
            });
            list.push(if local { source } else { Source::Other });
        };
        for edge in &program.edges {
            match &edge.op {
                Op::Assign { lhs, rhs } => {
                    if let Some(var) = lhs.as_whole_var() {
                        add(var, source(program, constants, rhs));
                    }
                }
                // A value that was never given is not used by a program that has a meaning.
                Op::Havoc {
                    source: Input::Uninitialised,
                    ..
                } => {}
                op => visit_parts(op, &mut |part| {
                    if let Part::Written(Place {
                        base: PlaceBase::Var(var),
                        ..
                    }) = part
                    {
                        add(*var, Source::Other);
                    }
                }),
            }
        }
        Members {
            positions: settle(&sources, &order),
            members: FxHashMap::default(),
            constants: Arc::clone(constants),
        }
    }

    /// The member that an access to a scalar place concerns, if the place does not say so itself.
    pub fn member(&self, program: &Program, place: &Place) -> Option<(RecordId, u32)> {
        let key = self.access(program, place)?;
        match self.members.get(&key) {
            Some(known) => *known,
            None => member_at(&program.types, key),
        }
    }

    /// As [`Self::member`]; the answer is remembered.
    pub fn learn(&mut self, program: &Program, place: &Place) -> Option<(RecordId, u32)> {
        let key = self.access(program, place)?;
        *self
            .members
            .entry(key)
            .or_insert_with(|| member_at(&program.types, key))
    }

    /// Where in which record an access lies that starts from a pointer to a record.
    pub fn position(&self, program: &Program, place: &Place) -> Option<Position> {
        let (ty, offset, _) = self.access(program, place)?;
        Some((ty, offset))
    }

    fn access(&self, program: &Program, place: &Place) -> Option<(TypeId, i64, u64)> {
        let PlaceBase::Deref(pointer) = &place.base else {
            return None;
        };
        if !place.proj.is_empty() || place.bits.is_some() {
            return None;
        }
        let size = Scalar::of(&program.types, place.ty)?.size;
        let (ty, offset) = match source(program, &self.constants, pointer) {
            Source::Known(position) => position,
            Source::Copy(var, plus) => {
                let (ty, offset) = *self.positions.get(&var)?;
                (ty, offset.checked_add(plus)?)
            }
            Source::Other => return None,
        };
        Some((ty, offset, size))
    }
}

/// The variables to which everything agrees, in the end.
fn settle(sources: &FxHashMap<VarId, Vec<Source>>, order: &[VarId]) -> FxHashMap<VarId, Position> {
    // `None`: nothing common. Variables without entry have got nothing so far.
    let mut state: FxHashMap<VarId, Option<Position>> = FxHashMap::default();
    loop {
        let mut changed = false;
        for var in order {
            let mut here = state.get(var).copied();
            for source in &sources[var] {
                let given = match source {
                    Source::Known(position) => Some(Some(*position)),
                    Source::Copy(from, plus) if sources.contains_key(from) => state.get(from).map(|known| {
                        let (ty, offset) = (*known)?;
                        Some((ty, offset.checked_add(*plus)?))
                    }),
                    Source::Copy(..) | Source::Other => Some(None),
                };
                here = match (here, given) {
                    (None, given) => given,
                    (here, None) => here,
                    (Some(a), Some(b)) => Some(a.filter(|a| b == Some(*a))),
                };
            }
            if let Some(here) = here
                && state.insert(*var, here) != Some(here)
            {
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    state
        .into_iter()
        .filter_map(|(var, known)| Some((var, known?)))
        .collect()
}

/// Whether a type keeps addresses without saying of what.
fn is_untyped(types: &Types, ty: TypeId) -> bool {
    match *types.get(ty) {
        Type::Pointer(to) => matches!(types.get(to), Type::Void),
        Type::Int(_) => keeps_addresses(types, ty),
        _ => false,
    }
}

fn keeps_addresses(types: &Types, ty: TypeId) -> bool {
    types
        .size_of(ty)
        .is_some_and(|size| size >= types.data_model().pointer_bytes())
}

/// The source of an expression, if it keeps all bits of an address.
fn source(program: &Program, constants: &Constants, e: &Expr) -> Source {
    let types = &program.types;
    match &e.kind {
        ExprKind::Load(place) => match types.pointee(e.ty) {
            Some(to) if types.as_record(to).is_some() => Source::Known((to, 0)),
            _ => match place.as_whole_var() {
                Some(var) if is_untyped(types, e.ty) && !in_memory(program, place) => Source::Copy(var, 0),
                _ => Source::Other,
            },
        },
        ExprKind::AddrOf(place) if types.as_record(place.ty).is_some() => Source::Known((place.ty, 0)),
        ExprKind::Cast(x) if keeps_addresses(types, e.ty) && keeps_addresses(types, x.ty) => {
            source(program, constants, x)
        }
        ExprKind::Binary(BinOp::Add, x, y) => match (constants.value(types, x), constants.value(types, y)) {
            (_, Some(plus)) => moved(source(program, constants, x), Some(plus)),
            (Some(plus), None) => moved(source(program, constants, y), Some(plus)),
            (None, None) => Source::Other,
        },
        ExprKind::Binary(BinOp::Sub, x, y) => {
            let minus = constants.value(types, y).and_then(i64::checked_neg);
            moved(source(program, constants, x), minus)
        }
        _ => Source::Other,
    }
}

fn moved(source: Source, plus: Option<i64>) -> Source {
    let sum = |offset: i64| plus.and_then(|plus| offset.checked_add(plus));
    match source {
        Source::Known((ty, offset)) => sum(offset).map_or(Source::Other, |offset| Source::Known((ty, offset))),
        Source::Copy(var, offset) => sum(offset).map_or(Source::Other, |offset| Source::Copy(var, offset)),
        Source::Other => Source::Other,
    }
}

/// The scalar member of a record type that lies at an offset and has a size.
fn member_at(types: &Types, (ty, offset, size): (TypeId, i64, u64)) -> Option<(RecordId, u32)> {
    let offset = u64::try_from(offset).ok()?;
    let found = leaves(types, ty).into_iter().find(|leaf| {
        let inside = leaf.offset <= offset && offset < leaf.offset + leaf.extent;
        let whole = inside && (offset - leaf.offset) % leaf.scalar.size.max(1) == 0;
        let plain = leaf.bits.is_none() && matches!(leaf.scalar.class, Class::Int | Class::Pointer);
        whole && plain && leaf.scalar.size == size
    });
    found?.field
}
