//! Affine forms: a value as a sum of variables, each times a number, and a rest that no turn changes.

use super::turn::Turn;
use crate::cfa::program::expr::{binary, cast};
use crate::cfa::program::*;
use crate::frontend::types::{IntInfo, TypeId, Types};
use std::collections::BTreeMap;

/// The most bits of a value that has a form.
pub(super) const MAX_WIDTH: u32 = 64;

/// The sum of variables times factors, and of a rest, modulo 2^width of the type. Variables stand for their values before a turn, converted to the type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub ty: TypeId,
    /// The factors, between -2^(width - 1) and 2^(width - 1), and not 0.
    pub terms: BTreeMap<VarId, i128>,
    /// An expression of the type that no turn changes.
    pub rest: Expr,
    /// The variables that were converted to more bits than they have, with the number of these: the form has the right bits beyond them only as long as the variable does not wrap around.
    pub widened: BTreeMap<VarId, u32>,
}

/// The type of integers that have a form.
pub(super) fn integer(types: &Types, ty: TypeId) -> Option<IntInfo> {
    types
        .integer(ty)
        .filter(|info| !types.is_pointer(ty) && (2..=MAX_WIDTH).contains(&info.width))
}

fn centred(number: i128, width: u32) -> i128 {
    IntInfo { width, signed: true }.wrap(number)
}

impl Form {
    /// A value that no turn changes.
    pub fn settled(rest: Expr) -> Form {
        Form {
            ty: rest.ty,
            terms: BTreeMap::new(),
            rest,
            widened: BTreeMap::new(),
        }
    }

    /// The value of a variable before the turn.
    pub fn var(var: VarId, ty: TypeId) -> Form {
        Form {
            ty,
            terms: BTreeMap::from([(var, 1)]),
            rest: Expr::int(0, ty),
            widened: BTreeMap::new(),
        }
    }

    /// The value of which no turn changes anything, if it is one.
    pub fn as_settled(&self) -> Option<&Expr> {
        self.terms.is_empty().then_some(&self.rest)
    }

    /// The form times a number.
    pub fn times(&self, types: &Types, factor: i128) -> Option<Form> {
        let width = integer(types, self.ty)?.width;
        let factor = centred(factor, width);
        let terms = self
            .terms
            .iter()
            .map(|(&var, &by)| Some((var, centred(by.checked_mul(factor)?, width))));
        let terms: BTreeMap<VarId, i128> = terms.collect::<Option<_>>()?;
        Some(Form {
            ty: self.ty,
            terms: terms.into_iter().filter(|(_, by)| *by != 0).collect(),
            rest: times(types, self.rest.clone(), factor),
            widened: self.widened.clone(),
        })
    }

    /// The sum of two forms of one type.
    pub fn plus(&self, types: &Types, other: &Form) -> Option<Form> {
        let width = integer(types, self.ty)?.width;
        let mut terms = self.terms.clone();
        for (&var, &by) in &other.terms {
            let sum = terms.entry(var).or_insert(0);
            *sum = centred(*sum + by, width);
        }
        terms.retain(|_, by| *by != 0);
        let widened = self.widened.iter().chain(&other.widened);
        Some(Form {
            widened: widened.map(|(&var, &width)| (var, width)).collect(),
            ty: self.ty,
            terms,
            rest: plus(types, self.rest.clone(), other.rest.clone()),
        })
    }
}

/// The sum of two expressions of one type.
pub(super) fn plus(types: &Types, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    match a.as_const().is_some_and(|a| a.is_zero()) {
        true => b,
        false => binary(types, BinOp::Add, a, b, ty),
    }
}

/// An expression times a number.
pub(super) fn times(types: &Types, a: Expr, factor: i128) -> Expr {
    let ty = a.ty;
    let info = types.integer(ty).expect("it is an integer");
    match factor {
        1 => a,
        _ => binary(types, BinOp::Mul, a, Expr::int(info.wrap(factor), ty), ty),
    }
}

impl Turn<'_> {
    /// The form of an expression behind the operations of the turn so far. `None` if it has none.
    pub fn form(&mut self, expr: &Expr) -> Option<Form> {
        if let Some(settled) = self.unchanged(expr) {
            return Some(Form::settled(settled));
        }
        let types = &self.program.types;
        let info = integer(types, expr.ty)?;
        match &expr.kind {
            ExprKind::Load(place) => {
                let var = place.as_whole_var().filter(|var| self.written.contains(var))?;
                match self.now.get(&var) {
                    Some(form) => form.clone(),
                    None => Some(Form::var(var, expr.ty)),
                }
            }
            ExprKind::Cast(inner) => {
                let form = self.form(inner)?;
                let from = integer(types, inner.ty)?;
                let mut widened = form.widened;
                if info.width > from.width {
                    widened.extend(form.terms.keys().map(|&var| (var, from.width)));
                }
                widened.retain(|_, width| *width < info.width);
                let terms = form.terms.into_iter();
                Some(Form {
                    widened,
                    ty: expr.ty,
                    terms: terms
                        .map(|(var, by)| (var, centred(by, info.width)))
                        .filter(|(_, by)| *by != 0)
                        .collect(),
                    rest: cast(types, form.rest, expr.ty),
                })
            }
            ExprKind::Unary(UnOp::Neg, a) => self.form(a)?.times(types, -1),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let sign = if *op == BinOp::Add { 1 } else { -1 };
                let (a, b) = (self.form(a)?, self.form(b)?.times(types, sign)?);
                a.plus(types, &b)
            }
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                match (number(&a), number(&b)) {
                    (_, Some(factor)) => a.times(types, factor),
                    (Some(factor), _) => b.times(types, factor),
                    _ => None,
                }
            }
            ExprKind::Binary(BinOp::Shl, a, by) => {
                let by = by
                    .as_const()?
                    .to_i128()
                    .filter(|by| (0..i128::from(info.width)).contains(by))?;
                self.form(a)?.times(types, 1 << by)
            }
            _ => None,
        }
    }

    /// The expression in terms of what no turn changes, if it consists of that. Variables that the turn has given such values are replaced by these.
    pub fn unchanged(&self, expr: &Expr) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => expr.kind.clone(),
            ExprKind::Load(place) => match place.as_whole_var().filter(|var| self.written.contains(var)) {
                Some(var) => return self.now.get(&var)?.as_ref()?.as_settled().cloned(),
                None => ExprKind::Load(self.unchanged_place(place)?),
            },
            ExprKind::AddrOf(place) => ExprKind::AddrOf(self.unchanged_place(place)?),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.unchanged(a)?)),
            ExprKind::Cast(a) => ExprKind::Cast(Box::new(self.unchanged(a)?)),
            ExprKind::Binary(op, a, b) => {
                ExprKind::Binary(*op, Box::new(self.unchanged(a)?), Box::new(self.unchanged(b)?))
            }
            ExprKind::Math(op, operands) => {
                let operands: Option<Vec<Expr>> = operands.iter().map(|operand| self.unchanged(operand)).collect();
                ExprKind::Math(*op, operands?)
            }
        };
        Some(Expr { ty: expr.ty, kind })
    }

    fn unchanged_place(&self, place: &Place) -> Option<Place> {
        let base = match &place.base {
            PlaceBase::Var(var) if self.written.contains(var) => return None,
            PlaceBase::Var(var) => PlaceBase::Var(*var),
            PlaceBase::Deref(pointer) => PlaceBase::Deref(Box::new(self.unchanged(pointer)?)),
        };
        let steps = place.proj.iter().map(|step| match step {
            Proj::Field { .. } => Some(step.clone()),
            Proj::Index(index) => Some(Proj::Index(Box::new(self.unchanged(index)?))),
        });
        Some(Place {
            base,
            proj: steps.collect::<Option<_>>()?,
            ..place.clone()
        })
    }
}

/// The number that a form is.
fn number(form: &Form) -> Option<i128> {
    form.as_settled()?.as_const()?.to_i128()
}
