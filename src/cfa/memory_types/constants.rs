//! Numbers of bytes that are constant.
//!
//! Front ends that take expressions apart keep offsets in variables: `t = 8 + 2; u = (unsigned long)p + t`.

use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::{BinOp, Expr, ExprKind, Input, Op, PlaceBase, Program, VarId, VarKind};
use crate::frontend::types::Types;
use provident_smt::hash::FxHashMap;

/// Plain local variables that only ever get one value.
#[derive(Debug, Default)]
pub(super) struct Constants(FxHashMap<VarId, i64>);

impl Constants {
    /// Looks over the program until nothing new is found.
    pub fn new(program: &Program) -> Constants {
        let mut sources: FxHashMap<VarId, Option<Vec<&Expr>>> = FxHashMap::default();
        for edge in &program.edges {
            visit_parts(&edge.op, &mut |part| {
                let Part::Written(place) = part else { return };
                let PlaceBase::Var(var) = place.base else { return };
                let entry = sources.entry(var).or_insert_with(|| Some(Vec::new()));
                match (&edge.op, entry) {
                    (Op::Assign { rhs, .. }, Some(list)) if place.proj.is_empty() => list.push(rhs),
                    // A value that was never given is not used by a program that has a meaning.
                    (
                        Op::Havoc {
                            source: Input::Uninitialised,
                            ..
                        },
                        _,
                    ) => {}
                    (_, entry) => *entry = None,
                }
            });
        }
        let mut candidates: Vec<(VarId, Vec<&Expr>)> = sources
            .into_iter()
            .filter_map(|(var, list)| Some((var, list.filter(|list| !list.is_empty())?)))
            .filter(|(var, _)| {
                let variable = program.var(*var);
                let local = variable.func.is_some() && variable.kind != VarKind::Param;
                local && !variable.in_memory && Scalar::of(&program.types, variable.ty).is_some()
            })
            .collect();
        candidates.sort_unstable_by_key(|(var, _)| *var);
        let mut known = Constants::default();
        loop {
            let before = known.0.len();
            candidates.retain(|(var, list)| {
                let mut values = list.iter().map(|e| known.value(&program.types, e));
                let first = values.next().flatten();
                match first.filter(|_| values.all(|value| value == first)) {
                    Some(value) => {
                        known.0.insert(*var, value);
                        false
                    }
                    None => true,
                }
            });
            if known.0.len() == before {
                return known;
            }
        }
    }

    /// The value of an expression of pointer width, read as a signed number.
    pub fn value(&self, types: &Types, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Load(place) => self.0.get(&place.as_whole_var()?).copied(),
            ExprKind::Binary(op, x, y) => {
                let (x, y) = (self.value(types, x)?, self.value(types, y)?);
                let value = match op {
                    BinOp::Add => x.checked_add(y)?,
                    BinOp::Sub => x.checked_sub(y)?,
                    BinOp::Mul => x.checked_mul(y)?,
                    _ => return None,
                };
                fitted(types, e, i128::from(value))
            }
            ExprKind::Cast(inner) => fitted(types, e, i128::from(self.value(types, inner)?)),
            _ => constant_offset(types, e),
        }
    }
}

/// The value of a constant of pointer width, read as a signed number: `p + 0xfffffffffffffff8` steps back.
pub fn constant_offset(types: &Types, e: &Expr) -> Option<i64> {
    let value = match &e.kind {
        ExprKind::Const(c) => c.to_i128()?,
        ExprKind::Cast(inner) => i128::from(constant_offset(types, inner)?),
        _ => return None,
    };
    fitted(types, e, value)
}

/// A number as the type of an expression has it.
fn fitted(types: &Types, e: &Expr, value: i128) -> Option<i64> {
    let scalar = Scalar::of(types, e.ty).filter(|scalar| matches!(scalar.class, Class::Int | Class::Pointer))?;
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

pub(super) fn types_width(types: &Types) -> u32 {
    u32::try_from(types.data_model().pointer_bytes() * 8).expect("a width")
}
