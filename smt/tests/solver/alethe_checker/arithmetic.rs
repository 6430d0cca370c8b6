//! The rule for contradictions of linear arithmetic, with rational numbers of its own.

use super::{Check, Checker, Id, ensure};
use std::collections::BTreeMap;

type Form = BTreeMap<Id, Fraction>;

/// A rational number with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fraction(pub(super) i128, pub(super) i128);

impl Fraction {
    const ZERO: Fraction = Fraction(0, 1);

    fn new(numerator: i128, denominator: i128) -> Fraction {
        let (mut a, mut b) = (numerator.abs(), denominator.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1) * denominator.signum();
        Fraction(numerator / divisor, denominator / divisor)
    }

    fn plus(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn times(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.0, self.1 * other.1)
    }

    /// None for 0.
    fn inverse(self) -> Option<Fraction> {
        (self.0 != 0).then(|| Fraction::new(self.1, self.0))
    }
}

impl Checker {
    /// The sort of a number: whether it is real; none for other sorts. Numerals among reals are reals.
    pub(super) fn is_real(&self, id: Id) -> Option<bool> {
        let (head, args) = &self.terms[id];
        match head.as_str() {
            "+" | "-" | "*" => {
                let sorts = args
                    .iter()
                    .map(|&arg| self.is_real(arg))
                    .collect::<Option<Vec<bool>>>()?;
                Some(sorts.contains(&true))
            }
            "div" | "mod" | "abs" => Some(false),
            "/" => Some(true),
            "ite" => Some(self.is_real(args[1])? || self.is_real(args[2])?),
            name if name.parse::<i128>().is_ok() => Some(false),
            name if name.parse::<f64>().is_ok() => Some(true),
            _ => match self.sort(id)?.as_str() {
                "Atom(\"Int\")" => Some(false),
                "Atom(\"Real\")" => Some(true),
                _ => None,
            },
        }
    }

    pub(super) fn number(&self, id: Id) -> Option<Fraction> {
        let (head, args) = &self.terms[id];
        match (head.as_str(), &args[..]) {
            (text, []) => match text.split_once('.') {
                None => Some(Fraction(text.parse().ok()?, 1)),
                Some((whole, rest)) => {
                    let digits: i128 = format!("{whole}{rest}").parse().ok()?;
                    Some(Fraction::new(digits, 10_i128.pow(rest.len() as u32)))
                }
            },
            ("-", &[inner]) => Some(self.number(inner)?.times(Fraction(-1, 1))),
            ("/", &[a, b]) => Some(self.number(a)?.times(self.number(b)?.inverse()?)),
            _ => None,
        }
    }

    fn linear(&self, id: Id, factor: Fraction, form: &mut Form, constant: &mut Fraction) -> Check {
        if let Some(value) = self.number(id) {
            *constant = constant.plus(factor.times(value));
            return Ok(());
        }
        let minus = factor.times(Fraction(-1, 1));
        let (head, args) = &self.terms[id];
        match (head.as_str(), &args[..]) {
            ("+", parts) => parts
                .iter()
                .try_for_each(|&part| self.linear(part, factor, form, constant)),
            ("-", &[part]) => self.linear(part, minus, form, constant),
            ("-", [first, rest @ ..]) => {
                self.linear(*first, factor, form, constant)?;
                rest.iter()
                    .try_for_each(|&part| self.linear(part, minus, form, constant))
            }
            ("*", &[a, b]) if self.number(a).is_some() || self.number(b).is_some() => match self.number(a) {
                Some(value) => self.linear(b, factor.times(value), form, constant),
                None => self.linear(a, factor.times(self.number(b).expect("a number")), form, constant),
            },
            ("/", &[a, b]) if self.number(b).is_some() => {
                let divisor = self.number(b).and_then(Fraction::inverse).ok_or("division by zero")?;
                self.linear(a, factor.times(divisor), form, constant)
            }
            _ => {
                ensure(self.is_real(id).is_some(), "a term that is no number")?;
                let sum = form.entry(id).or_insert(Fraction::ZERO);
                *sum = sum.plus(factor);
                Ok(())
            }
        }
    }

    pub(super) fn la_generic(&self, clause: &[Id], args: &[i128]) -> Check {
        ensure(clause.len() == args.len(), "a factor for each literal")?;
        let (mut sum, mut constant, mut any_strict) = (Form::new(), Fraction::ZERO, false);
        for (&literal, &factor) in clause.iter().zip(args) {
            let (head, inner) = &self.terms[literal];
            let (negated, atom) = if head == "not" {
                (true, inner[0])
            } else {
                (false, literal)
            };
            let (relation, sides) = &self.terms[atom];
            ensure(sides.len() == 2, "two sides")?;
            // The negation of the literal as `left - right REL 0`.
            let (sign, strict, equation) = match (relation.as_str(), negated) {
                ("=", true) => (1, false, true),
                ("<=", true) => (-1, false, false),
                ("<=", false) => (1, true, false),
                ("<", true) => (-1, true, false),
                ("<", false) => (1, false, false),
                (">=", true) => (1, false, false),
                (">=", false) => (-1, true, false),
                (">", true) => (1, true, false),
                (">", false) => (-1, false, false),
                _ => return Err("no constraint".to_owned()),
            };
            let is_real = sides.iter().any(|&side| self.is_real(side) == Some(true));
            let factor = if equation { factor } else { factor.abs() };
            let signed = Fraction(factor * sign, 1);
            self.linear(sides[0], signed, &mut sum, &mut constant)?;
            self.linear(sides[1], signed.times(Fraction(-1, 1)), &mut sum, &mut constant)?;
            // Strict bounds of integers are moved by one.
            match is_real {
                true => any_strict |= strict && factor != 0,
                false if strict => constant = constant.plus(Fraction(-factor, 1)),
                false => {}
            }
        }
        sum.retain(|_, factor| *factor != Fraction::ZERO);
        // Equations alone may contradict with either sign.
        let only_equations = clause
            .iter()
            .all(|&l| self.terms[self.terms[l].1.first().copied().unwrap_or(l)].0 == "=");
        let contradicts = constant.0 < 0 || any_strict && constant.0 == 0 || only_equations && constant.0 != 0;
        ensure(sum.is_empty() && contradicts, "no contradiction")
    }
}
