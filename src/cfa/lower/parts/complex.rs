//! Complex numbers as gcc computes with them (`c-typeck.cc`, `tree-complex.cc`).
//!
//! An operand that is real stays real: `x + z` leaves the imaginary part of `z` alone, and so keeps the sign of a zero. Products are
//! the plain four products; where both parts come out as NaN, gcc calls a function that recovers infinities, whose result is invented
//! here. Quotients of integers are those of Smith's method, which gcc uses for them, quotients of floating-point numbers by complex
//! ones depend on the version of gcc's library and are invented.

use crate::cfa::lower::Lowerer;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::BinaryOp;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Made, Type, TypeId, Types};

/// An operand.
enum Number {
    Real(Expr),
    Complex(Expr, Expr),
}

impl Lowerer<'_> {
    /// The complex number of two parts.
    pub(in crate::cfa::lower) fn complex_of(&mut self, real: Expr, imaginary: Expr, ty: TypeId, loc: Loc) -> Expr {
        self.compose(vec![real, imaginary], ty, loc)
    }

    /// A conversion of which one side at least is complex or decimal.
    pub(super) fn convert_complex(&mut self, value: Expr, ty: TypeId, loc: Loc) -> Expr {
        if value.ty == ty {
            return value;
        }
        if self.decimal(&[value.ty, ty]) {
            return self.invented_decimal(ty, loc);
        }
        let parts = self.parts(value, loc);
        if self.types.made(ty) == Made::Complex {
            let mut parts = parts;
            let (elem, _) = self.shape(ty);
            if parts.len() == 1 {
                parts.push(expr::zero(&self.types, elem));
            }
            return self.compose(parts, ty, loc);
        }
        if matches!(self.types.get(ty), Type::Bool) {
            let is_not_zero = self.count_unequal(&parts, None);
            return expr::cast(&self.types, is_not_zero, ty);
        }
        let real = parts.into_iter().next().expect("a number has parts");
        expr::cast(&self.types, real, ty)
    }

    /// How many of the parts differ from those of another number, or from zero.
    fn count_unequal(&self, parts: &[Expr], others: Option<&[Expr]>) -> Expr {
        let differences = parts.iter().enumerate().map(|(i, part)| {
            let other = others.map_or_else(|| expr::zero(&self.types, part.ty), |o| o[i].clone());
            expr::binary(&self.types, BinOp::Ne, part.clone(), other, Types::INT)
        });
        differences
            .reduce(|a, b| expr::binary(&self.types, BinOp::Add, a, b, Types::INT))
            .expect("a number has parts")
    }

    fn number(&mut self, value: Expr, loc: Loc) -> Number {
        if self.has_parts(value.ty) {
            let mut parts = self.parts(value, loc).into_iter();
            let (real, imaginary) = (parts.next(), parts.next());
            return Number::Complex(
                real.expect("a complex number has two parts"),
                imaginary.expect("a complex number has two parts"),
            );
        }
        let keep = value.as_const().is_some() || matches!(value.kind, ExprKind::Float(_));
        Number::Real(if keep { value } else { self.save(value, loc) })
    }

    pub(super) fn operate_complex(&mut self, op: BinaryOp, left: Expr, right: Expr, ty: TypeId, loc: Loc) -> Expr {
        let (a, b) = (self.number(left, loc), self.number(right, loc));
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let parts = |number| match number {
                Number::Complex(re, im) => vec![re, im],
                Number::Real(re) => {
                    let zero = expr::zero(&self.types, re.ty);
                    vec![re, zero]
                }
            };
            let (a, b) = (parts(a), parts(b));
            let unequal = self.count_unequal(&a, Some(&b));
            let op = if op == BinaryOp::Eq { BinOp::Eq } else { BinOp::Ne };
            return expr::binary(&self.types, op, unequal, Expr::int(0, Types::INT), ty);
        }
        let (elem, _) = self.shape(ty);
        let floating = self.types.is_float(elem);
        let of = |op, x: Expr, y: Expr| expr::binary(&self.types, op, x, y, elem);
        let negated = |x: Expr| expr::unary(&self.types, UnOp::Neg, x);
        use BinOp::{Add, Div, Mul, Sub};
        let (real, imaginary) = match (op, a, b) {
            (BinaryOp::Add, Number::Real(r), Number::Complex(re, im)) => (of(Add, r, re), im),
            (BinaryOp::Add, Number::Complex(re, im), Number::Real(r)) => (of(Add, re, r), im),
            (BinaryOp::Add, Number::Complex(a, b), Number::Complex(c, d)) => (of(Add, a, c), of(Add, b, d)),
            (BinaryOp::Sub, Number::Real(r), Number::Complex(re, im)) => (of(Sub, r, re), negated(im)),
            (BinaryOp::Sub, Number::Complex(re, im), Number::Real(r)) => (of(Sub, re, r), im),
            (BinaryOp::Sub, Number::Complex(a, b), Number::Complex(c, d)) => (of(Sub, a, c), of(Sub, b, d)),
            (BinaryOp::Mul, Number::Real(r), Number::Complex(re, im)) => (of(Mul, r.clone(), re), of(Mul, r, im)),
            (BinaryOp::Mul, Number::Complex(re, im), Number::Real(r)) => (of(Mul, re, r.clone()), of(Mul, im, r)),
            (BinaryOp::Mul, Number::Complex(a, b), Number::Complex(c, d)) => {
                let real = of(Sub, of(Mul, a.clone(), c.clone()), of(Mul, b.clone(), d.clone()));
                let imaginary = of(Add, of(Mul, a, d), of(Mul, b, c));
                if floating {
                    return self.checked_product(real, imaginary, ty, loc);
                }
                (real, imaginary)
            }
            (BinaryOp::Div, Number::Complex(re, im), Number::Real(r)) => (of(Div, re, r.clone()), of(Div, im, r)),
            (BinaryOp::Div, a, Number::Complex(c, d)) if !floating => {
                let (a, b) = match a {
                    Number::Complex(a, b) => (a, b),
                    Number::Real(a) => (a, expr::zero(&self.types, elem)),
                };
                return self.integer_quotient([a, b, c, d], ty, loc);
            }
            _ => return self.invent(ty, Invention::Complex, "a quotient of complex numbers", loc),
        };
        self.complex_of(real, imaginary, ty, loc)
    }

    /// The product, unless both parts are NaN.
    fn checked_product(&mut self, real: Expr, imaginary: Expr, ty: TypeId, loc: Loc) -> Expr {
        let (real, imaginary) = (self.save(real, loc), self.save(imaginary, loc));
        let result = Place::var(self.temp(ty, loc), ty);
        let [maybe, lost, fine, done] = [(); 4].map(|()| self.new_node(loc));
        let is_nan = |x: &Expr| expr::binary(&self.types, BinOp::Ne, x.clone(), x.clone(), Types::INT);
        let (first, second) = (is_nan(&real), is_nan(&imaginary));
        self.test(first, maybe, fine, loc);
        self.cur = maybe;
        self.test(second, lost, fine, loc);
        self.cur = lost;
        let value = self.invent(
            ty,
            Invention::Complex,
            "a product of complex numbers with NaN parts",
            loc,
        );
        self.store_value(result.clone(), value, loc);
        self.connect(self.cur, done, loc);
        self.cur = fine;
        let value = self.complex_of(real, imaginary, ty, loc);
        self.store_value(result.clone(), value, loc);
        self.connect(self.cur, done, loc);
        self.cur = done;
        Expr::load(result)
    }

    /// `(a + b i) / (c + d i)` by Smith's method, with the truncations of integers.
    fn integer_quotient(&mut self, numbers: [Expr; 4], ty: TypeId, loc: Loc) -> Expr {
        let (elem, _) = self.shape(ty);
        let [a, b, c, d] = numbers.map(|x| self.save(x, loc));
        let result = Place::var(self.temp(ty, loc), ty);
        let [below, above, done] = [(); 3].map(|()| self.new_node(loc));
        let (size_c, size_d) = (self.magnitude(&c, loc), self.magnitude(&d, loc));
        let smaller = expr::binary(&self.types, BinOp::Lt, size_c, size_d, Types::INT);
        self.test(smaller, below, above, loc);
        // |c| < |d|: with r = c / d, the quotient is ((a r + b) + (b r - a) i) / (c r + d).
        // Otherwise, with r = d / c, it is ((b r + a) + (b - a r) i) / (d r + c).
        for (node, swapped) in [(below, true), (above, false)] {
            self.cur = node;
            let of = |op, x: &Expr, y: &Expr| expr::binary(&self.types, op, x.clone(), y.clone(), elem);
            let (small, large) = if swapped { (&c, &d) } else { (&d, &c) };
            let ratio = of(BinOp::Div, small, large);
            let ratio = self.save(ratio, loc);
            let of = |op, x: &Expr, y: &Expr| expr::binary(&self.types, op, x.clone(), y.clone(), elem);
            let divisor = of(BinOp::Add, &of(BinOp::Mul, small, &ratio), large);
            let (real, imaginary) = if swapped {
                (
                    of(BinOp::Add, &of(BinOp::Mul, &a, &ratio), &b),
                    of(BinOp::Sub, &of(BinOp::Mul, &b, &ratio), &a),
                )
            } else {
                (
                    of(BinOp::Add, &of(BinOp::Mul, &b, &ratio), &a),
                    of(BinOp::Sub, &b, &of(BinOp::Mul, &a, &ratio)),
                )
            };
            let divisor = self.save(divisor, loc);
            let of = |x: Expr| expr::binary(&self.types, BinOp::Div, x, divisor.clone(), elem);
            let (real, imaginary) = (of(real), of(imaginary));
            let value = self.complex_of(real, imaginary, ty, loc);
            self.store_value(result.clone(), value, loc);
            self.connect(self.cur, done, loc);
        }
        self.cur = done;
        Expr::load(result)
    }

    fn magnitude(&mut self, x: &Expr, loc: Loc) -> Expr {
        if !self.int_info(x.ty).is_some_and(|info| info.signed) {
            return x.clone();
        }
        let place = Place::var(self.temp(x.ty, loc), x.ty);
        let [negative, positive, done] = [(); 3].map(|()| self.new_node(loc));
        let below = expr::binary(
            &self.types,
            BinOp::Lt,
            x.clone(),
            expr::zero(&self.types, x.ty),
            Types::INT,
        );
        self.test(below, negative, positive, loc);
        for (node, value) in [
            (negative, expr::unary(&self.types, UnOp::Neg, x.clone())),
            (positive, x.clone()),
        ] {
            self.cur = node;
            self.store_value(place.clone(), value, loc);
            self.connect(self.cur, done, loc);
        }
        self.cur = done;
        Expr::load(place)
    }
}
