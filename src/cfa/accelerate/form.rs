//! Affine forms: a value as a sum of variables and of converted forms of fewer bits, each times a number, and of a rest that no turn changes.

use super::turn::Turn;
use crate::cfa::program::expr::{binary, cast};
use crate::cfa::program::*;
use crate::frontend::types::{IntInfo, IntKind, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// The most bits of a value that has a form.
pub(super) const MAX_WIDTH: u32 = 64;

/// The sum of atoms times factors, and of a rest, modulo 2^width of the type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Form {
    pub ty: TypeId,
    /// The atoms, each once, with their factors, which are between -2^(width - 1) and 2^(width - 1), and not 0.
    terms: Vec<(Atom, i128)>,
    /// An expression of the type that no turn changes.
    rest: Expr,
}

/// A value that turns change, converted to the type of a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// The value of a variable before the turn.
    Var(VarId),
    /// A number of fewer bits. It moves like a number of more bits only as long as it does not wrap around.
    Narrow(Box<Form>),
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
            terms: Vec::new(),
            rest,
        }
    }

    fn atom(atom: Atom, ty: TypeId) -> Form {
        Form {
            ty,
            terms: vec![(atom, 1)],
            rest: Expr::int(0, ty),
        }
    }

    /// The value of a variable before the turn.
    pub fn var(var: VarId, ty: TypeId) -> Form {
        Form::atom(Atom::Var(var), ty)
    }

    /// The value of which no turn changes anything, if it is one.
    pub fn as_settled(&self) -> Option<&Expr> {
        self.terms.is_empty().then_some(&self.rest)
    }

    /// Whether turns may change the value.
    pub fn moves(&self) -> bool {
        !self.terms.is_empty()
    }

    /// Whether two forms differ by what no turn changes.
    pub fn moves_like(&self, other: &Form) -> bool {
        let is_in = |other: &Form, term: &(Atom, i128)| other.terms.contains(term);
        self.terms.len() == other.terms.len() && self.terms.iter().all(|term| is_in(other, term))
    }

    /// The variables whose values before the turn are in it.
    pub fn vars(&self) -> BTreeSet<VarId> {
        let of_atom = |atom: &Atom| match atom {
            Atom::Var(var) => BTreeSet::from([*var]),
            Atom::Narrow(form) => form.vars(),
        };
        self.terms.iter().flat_map(|(atom, _)| of_atom(atom)).collect()
    }

    /// The forms of fewer bits in it, and those in these.
    pub fn narrow(&self) -> Vec<Form> {
        let mut found = Vec::new();
        for (atom, _) in &self.terms {
            if let Atom::Narrow(form) = atom {
                found.push(Form::clone(form));
                found.extend(form.narrow());
            }
        }
        found
    }

    /// The form without a variable, and how often that is in it; `None` if the variable is also in a form of fewer bits.
    pub fn without(&self, var: VarId) -> Option<(Form, i128)> {
        let mut rest = self.clone();
        let own = rest.terms.iter().position(|(atom, _)| *atom == Atom::Var(var));
        let factor = own.map_or(0, |at| rest.terms.remove(at).1);
        (!rest.vars().contains(&var)).then_some((rest, factor))
    }

    /// The form times a number.
    pub fn times(&self, types: &Types, factor: i128) -> Option<Form> {
        let width = integer(types, self.ty)?.width;
        let factor = centred(factor, width);
        let terms = self.terms.iter();
        let terms = terms.map(|(atom, by)| Some((atom.clone(), centred(by.checked_mul(factor)?, width))));
        let mut terms: Vec<(Atom, i128)> = terms.collect::<Option<_>>()?;
        terms.retain(|(_, by)| *by != 0);
        Some(Form {
            ty: self.ty,
            terms,
            rest: times(types, self.rest.clone(), factor),
        })
    }

    /// The sum of two forms of one type.
    pub fn plus(&self, types: &Types, other: &Form) -> Option<Form> {
        let width = integer(types, self.ty)?.width;
        let mut terms = self.terms.clone();
        for (atom, by) in &other.terms {
            match terms.iter_mut().find(|(known, _)| known == atom) {
                Some((_, sum)) => *sum = centred(*sum + by, width),
                None => terms.push((atom.clone(), *by)),
            }
        }
        terms.retain(|(_, by)| *by != 0);
        Some(Form {
            ty: self.ty,
            terms,
            rest: plus(types, self.rest.clone(), other.rest.clone()),
        })
    }

    /// The form converted to another type.
    fn cast(&self, types: &Types, ty: TypeId) -> Option<Form> {
        let [from, to] = [self.ty, ty].map(|ty| integer(types, ty));
        let (from, to) = (from?.width, to?.width);
        if from < to && self.moves() {
            return Some(Form::atom(Atom::Narrow(Box::new(self.clone())), ty));
        }
        let mut sum = Form::settled(cast(types, self.rest.clone(), ty));
        for (atom, factor) in &self.terms {
            let term = match atom {
                Atom::Narrow(form) if integer(types, form.ty)?.width >= to => form.cast(types, ty)?,
                _ => Form::atom(atom.clone(), ty),
            };
            sum = sum.plus(types, &term.times(types, *factor)?)?;
        }
        Some(sum)
    }

    /// The value as an expression of its type, where variables have the values that they have there.
    pub fn value(&self, program: &Program) -> Expr {
        let types = &program.types;
        let terms = self.terms.iter().map(|(atom, factor)| {
            let at = match atom {
                Atom::Var(var) => Expr::load(Place::var(*var, program.var(*var).ty)),
                Atom::Narrow(form) => form.value(program),
            };
            times(types, cast(types, at, self.ty), *factor)
        });
        terms.fold(self.rest.clone(), |sum, term| plus(types, sum, term))
    }

    /// The number that each turn adds to it, in its type, where `uniform` has the numbers for variables. `None` if a variable has none.
    pub fn speed(&self, types: &Types, uniform: &BTreeMap<VarId, Expr>) -> Option<Expr> {
        let mut sum = Expr::int(0, self.ty);
        for (atom, factor) in &self.terms {
            let by = match atom {
                Atom::Var(var) => uniform.get(var)?.clone(),
                Atom::Narrow(form) => form.speed(types, uniform)?,
            };
            let by = signed_number(types, by, self.ty)?;
            sum = plus(types, sum, times(types, by, *factor));
        }
        Some(sum)
    }
}

/// A number that is added to one of fewer bits, as a number of the type. It is negative if it takes something away.
pub(super) fn signed_number(types: &Types, by: Expr, ty: TypeId) -> Option<Expr> {
    let signed = signed(types, by.ty)?;
    Some(cast(types, cast(types, by, signed), ty))
}

/// The signed type as wide as one.
pub(super) fn signed(types: &Types, ty: TypeId) -> Option<TypeId> {
    let kind = match integer(types, ty)?.width {
        8 => IntKind::SChar,
        16 => IntKind::Short,
        32 => IntKind::Int,
        64 => IntKind::LongLong,
        _ => return None,
    };
    Some(Types::int(kind))
}

/// The sum of two expressions of one type.
fn plus(types: &Types, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    match a.as_const().is_some_and(|a| a.is_zero()) {
        true => b,
        false => binary(types, BinOp::Add, a, b, ty),
    }
}

/// An expression times a number.
fn times(types: &Types, a: Expr, factor: i128) -> Expr {
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
            ExprKind::Cast(inner) => self.form(inner)?.cast(types, expr.ty),
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
