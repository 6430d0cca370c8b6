//! The operators of the Core, Ints, Reals and Reals_Ints theories over elaborated arguments.
//!
//! An integer may stand where a real number is needed, as numerals do in the logics of reals: the integers are a subset of
//! the reals in the term language, so that `to_real` is the identity. The result of an operator is real if an argument is.

use super::bitvectors;
use super::elaborate::Ty;
use super::nonlinear;
use super::scope::{Scope, Typed};
use super::sexpr::{Error, Expr};
use crate::model::Operation;
use crate::term::{Symbol, TermId, TermPool};

/// The application of a declared function.
pub(super) fn call(pool: &mut TermPool, symbol: Symbol, parameters: &[Ty], result: Ty, values: &[Typed]) -> TermId {
    let (zero, one) = (pool.int(0), pool.int(1));
    let arguments: Vec<TermId> = values
        .iter()
        .map(|value| {
            if value.ty == Ty::Bool {
                pool.ite(value.term, one, zero)
            } else {
                value.term
            }
        })
        .collect();
    let is_real = result == Ty::Real || parameters.contains(&Ty::Real);
    let application = if is_real {
        pool.real_app(symbol.name, symbol.index, &arguments)
    } else {
        pool.app(symbol.name, symbol.index, &arguments)
    };
    match result {
        Ty::Bool => pool.ge(application, one),
        Ty::Real => application,
        Ty::Int | Ty::Named(_) | Ty::Array(_) => pool.floor(application),
        Ty::Bits(width) => {
            let number = pool.floor(application);
            bitvectors::wrapped(pool, number, width)
        }
    }
}

/// The arguments of an operator with what is needed to complain about them.
pub(super) struct Arguments<'s> {
    pub scope: &'s Scope,
    pub expr: &'s Expr<'s>,
    pub node: usize,
    pub nodes: &'s [usize],
    pub values: &'s [Typed],
}

impl Arguments<'_> {
    pub fn check_sorts(&self, sorts: impl IntoIterator<Item = Ty, IntoIter: ExactSizeIterator>) -> Result<(), Error> {
        let sorts = sorts.into_iter();
        if sorts.len() != self.values.len() {
            let message = format!("expected {} arguments, found {}", sorts.len(), self.values.len());
            return Err(self.expr.error(self.node, message));
        }
        for ((sort, &value), &node) in sorts.zip(self.values).zip(self.nodes) {
            self.scope.expect(self.expr, node, value, sort)?;
        }
        Ok(())
    }

    /// The terms, which must all have the sort, and be at least `least` many.
    pub fn all(&self, ty: Ty, least: usize) -> Result<Vec<TermId>, Error> {
        if self.values.len() < least {
            let message = format!("expected at least {least} arguments, found {}", self.values.len());
            return Err(self.expr.error(self.node, message));
        }
        let terms = self.values.iter().zip(self.nodes);
        terms
            .map(|(&value, &node)| self.scope.expect(self.expr, node, value, ty))
            .collect()
    }

    pub fn operator(&self, pool: &mut TermPool, name: &str) -> Result<Typed, Error> {
        let truth = |term| Ok(Typed { term, ty: Ty::Bool });
        match name {
            "not" => {
                self.check_sorts([Ty::Bool])?;
                truth(pool.not(self.values[0].term))
            }
            "and" => truth(pool.and(&self.all(Ty::Bool, 0)?)),
            "or" => truth(pool.or(&self.all(Ty::Bool, 0)?)),
            "=>" => {
                let mut formulas = self.all(Ty::Bool, 1)?;
                let last = formulas.len() - 1;
                for formula in &mut formulas[..last] {
                    *formula = pool.not(*formula);
                }
                truth(pool.or(&formulas))
            }
            "xor" => {
                let formulas = self.all(Ty::Bool, 1)?;
                let rest = formulas[1..].iter();
                truth(rest.fold(formulas[0], |left, &right| pool.ne(left, right)))
            }
            "=" | "distinct" => truth(self.equality(pool, name == "distinct")?),
            "ite" => self.if_then_else(pool),
            "<=" => truth(self.chain(pool, TermPool::le)?),
            "<" => truth(self.chain(pool, TermPool::lt)?),
            ">=" => truth(self.chain(pool, TermPool::ge)?),
            ">" => truth(self.chain(pool, TermPool::gt)?),
            _ => self.arithmetic(pool, name),
        }
    }

    fn arithmetic(&self, pool: &mut TermPool, name: &str) -> Result<Typed, Error> {
        let number = |term, ty| Ok(Typed { term, ty });
        match name {
            "+" => {
                let (terms, ty) = self.numbers(1)?;
                number(pool.sum(&terms), ty)
            }
            // The tilde is the negation of the first version of the language.
            "-" | "~" => {
                let (terms, ty) = self.numbers(1)?;
                let difference = match terms[..] {
                    [single] => pool.neg(single),
                    _ => {
                        let rest = pool.sum(&terms[1..]);
                        pool.sub(terms[0], rest)
                    }
                };
                number(difference, ty)
            }
            "*" => {
                let (terms, ty) = self.numbers(1)?;
                number(self.product(pool, &terms), ty)
            }
            "/" => number(self.division(pool, Operation::Quotient)?, Ty::Real),
            "div" => number(self.division(pool, Operation::Div)?, Ty::Int),
            "mod" => number(self.division(pool, Operation::Mod)?, Ty::Int),
            "abs" => {
                let (terms, ty) = self.numbers(1)?;
                let [term] = terms[..] else {
                    return Err(self.expr.error(self.node, "expected one argument"));
                };
                let zero = pool.int(0);
                let (negative, negated) = (pool.lt(term, zero), pool.neg(term));
                number(pool.ite(negative, negated, term), ty)
            }
            "to_real" => {
                self.check_sorts([Ty::Real])?;
                number(self.values[0].term, Ty::Real)
            }
            "to_int" => {
                self.check_sorts([Ty::Real])?;
                number(pool.floor(self.values[0].term), Ty::Int)
            }
            "is_int" => {
                self.check_sorts([Ty::Real])?;
                let term = self.values[0].term;
                let floor = pool.floor(term);
                number(pool.eq(term, floor), Ty::Bool)
            }
            _ => self.vector_operator(pool, name).unwrap_or_else(|| {
                let message = format!("the function {name} is not supported or not declared");
                Err(self.expr.error(self.node, message))
            }),
        }
    }

    /// The terms, at least `least` many numbers, and their common sort.
    fn numbers(&self, least: usize) -> Result<(Vec<TermId>, Ty), Error> {
        let ty = self.common_sort(Ty::Int);
        let ty = if ty == Ty::Real { ty } else { Ty::Int };
        Ok((self.all(ty, least)?, ty))
    }

    /// The sort of the first argument, or `Real` if that is a number and another one is real.
    fn common_sort(&self, default: Ty) -> Ty {
        match self.values.first().map_or(default, |value| value.ty) {
            Ty::Int if self.values.iter().any(|value| value.ty == Ty::Real) => Ty::Real,
            ty => ty,
        }
    }

    fn equality(&self, pool: &mut TermPool, distinct: bool) -> Result<TermId, Error> {
        let terms = self.all(self.common_sort(Ty::Bool), 1)?;
        let parts: Vec<TermId> = if distinct {
            let later = |i: usize| terms[i + 1..].iter().copied();
            let pairs: Vec<_> = (0..terms.len())
                .flat_map(|i| later(i).map(move |right| (i, right)))
                .collect();
            pairs
                .into_iter()
                .map(|(left, right)| pool.ne(terms[left], right))
                .collect()
        } else {
            terms.windows(2).map(|pair| pool.eq(pair[0], pair[1])).collect()
        };
        Ok(pool.and(&parts))
    }

    fn chain(
        &self,
        pool: &mut TermPool,
        relation: fn(&mut TermPool, TermId, TermId) -> TermId,
    ) -> Result<TermId, Error> {
        let (terms, _) = self.numbers(1)?;
        let parts: Vec<TermId> = terms.windows(2).map(|pair| relation(pool, pair[0], pair[1])).collect();
        Ok(pool.and(&parts))
    }

    fn if_then_else(&self, pool: &mut TermPool) -> Result<Typed, Error> {
        let ty = match self.values {
            [_, yes, no] if yes.ty == Ty::Int && no.ty == Ty::Real => Ty::Real,
            [_, yes, ..] => yes.ty,
            _ => Ty::Bool,
        };
        self.check_sorts([Ty::Bool, ty, ty])?;
        let [condition, yes, no] = [0, 1, 2].map(|i| self.values[i].term);
        Ok(Typed {
            term: pool.ite(condition, yes, no),
            ty,
        })
    }

    fn product(&self, pool: &mut TermPool, terms: &[TermId]) -> TermId {
        terms[1..]
            .iter()
            .fold(terms[0], |left, &right| nonlinear::product(pool, left, right))
    }

    /// A division of the first argument by the others, one after the other.
    fn division(&self, pool: &mut TermPool, operation: Operation) -> Result<TermId, Error> {
        let ty = if operation == Operation::Quotient {
            Ty::Real
        } else {
            Ty::Int
        };
        if operation == Operation::Mod {
            self.check_sorts([ty, ty])?;
        }
        let terms = self.all(ty, 2)?;
        let divide = |left, &right: &TermId| nonlinear::division(pool, operation, left, right);
        Ok(terms[1..].iter().fold(terms[0], divide))
    }
}
