//! Says facts as formulas.

use super::facts::{Bound, Fact, Statement};
use super::runs::Column;
use super::tables::{Feature, Table};
use crate::certify::certificate::OLD;
use crate::encode::{Encoder, product_name};
use crate::explicit::value::arith::bounds;
use crate::frontend::types::IntInfo;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// Says facts as formulas.
pub struct Speaker<'s, 'p> {
    /// The names of variables.
    pub encoder: &'s Encoder<'p>,
    /// The formulas.
    pub pool: &'s mut TermPool,
    /// The columns that the facts speak of.
    pub table: &'s Table,
}

impl Speaker<'_, '_> {
    /// The formulas of facts, and the ranges of values at the contract's entry.
    pub fn all(&mut self, facts: &[Fact]) -> Vec<TermId> {
        let mut said = Vec::new();
        for column in 0..self.table.columns.len() {
            if matches!(self.table.columns[column], Column::Old(_)) {
                let (least, greatest) = bounds(self.table.infos[column]);
                said.push(self.bound(Bound::AtLeast(column, least)));
                said.push(self.bound(Bound::AtMost(column, greatest)));
            }
        }
        said.extend(facts.iter().map(|fact| self.fact(fact)));
        said
    }

    fn fact(&mut self, fact: &Fact) -> TermId {
        let case: Vec<TermId> = fact.case.iter().map(|&bound| self.bound(bound)).collect();
        let case = self.pool.and(&case);
        let said = match &fact.said {
            Statement::Bound(bound) => self.bound(*bound),
            Statement::Sum(column, summands) => self.sum(*column, summands),
            Statement::Remainder(column, less, by, rest) => {
                let mut value = self.column(*column);
                if let Some(less) = less {
                    let less = self.column(*less);
                    value = self.pool.sub(value, less);
                }
                let remainder = self.pool.mod_floor(value, &Int::from(*by));
                let rest = self.pool.int(Int::from(*rest));
                self.pool.eq(remainder, rest)
            }
        };
        self.pool.implies(case, said)
    }

    fn bound(&mut self, bound: Bound) -> TermId {
        let number = match bound {
            Bound::Is(_, number) | Bound::AtMost(_, number) | Bound::AtLeast(_, number) | Bound::Pair(_, number) => {
                number
            }
            Bound::Even(_, is_even) => i128::from(!is_even),
        };
        let number = self.pool.int(Int::from(number));
        let value = match bound {
            Bound::Is(column, _) | Bound::AtMost(column, _) | Bound::AtLeast(column, _) => self.column(column),
            Bound::Pair(pair, _) => {
                let monomials = pair.map(|(factor, column)| (Int::from(factor), self.column(column)));
                self.pool.linear(&monomials, Int::ZERO)
            }
            Bound::Even(column, _) => {
                let column = self.column(column);
                self.pool.mod_floor(column, &Int::from(2))
            }
        };
        match bound {
            Bound::Is(..) | Bound::Even(..) => self.pool.eq(value, number),
            Bound::AtMost(..) => self.pool.le(value, number),
            Bound::AtLeast(..) | Bound::Pair(..) => self.pool.le(number, value),
        }
    }

    fn column(&mut self, column: usize) -> TermId {
        let name = match self.table.columns[column] {
            Column::Now(depth, var) => self.encoder.variable_names(var, depth).swap_remove(0),
            Column::Old(var) => format!("{OLD}{}", self.encoder.variable_names(var, 0)[0]),
        };
        let name = self.pool.symbol(&name);
        self.pool.int_var(name, NO_INDEX)
    }

    /// The equation of a column with a sum in its type.
    fn sum(&mut self, column: usize, summands: &[(i128, Feature)]) -> TermId {
        let info = self.table.infos[column];
        let (mut monomials, mut constant) = (Vec::new(), 0);
        // The least and the greatest sum.
        let mut range = [0i128; 2];
        for &(factor, feature) in summands {
            let (term, info) = match feature {
                Feature::One => {
                    constant = factor;
                    range = range.map(|end| end + factor);
                    continue;
                }
                Feature::Value(other) => (self.column(other), self.table.infos[other]),
                Feature::Product(a, b) => (self.product(a, b), self.table.infos[a]),
            };
            let (least, greatest) = bounds(info);
            let ends = [factor * least, factor * greatest];
            range = [range[0] + ends[0].min(ends[1]), range[1] + ends[0].max(ends[1])];
            monomials.push((Int::from(factor), term));
        }
        let plus = match planted("guessed-sum") {
            true => constant + 1,
            false => constant,
        };
        let sum = self.pool.linear(&monomials, Int::from(plus));
        let sum = self.fit(sum, range, info);
        let column = self.column(column);
        self.pool.eq(column, sum)
    }

    fn product(&mut self, a: usize, b: usize) -> TermId {
        let info = self.table.infos[a];
        let name = self.pool.symbol(&product_name(info));
        let (mut a, mut b) = (self.column(a), self.column(b));
        if self.pool.compare(a, b).is_gt() {
            std::mem::swap(&mut a, &mut b);
        }
        self.pool.app(name, NO_INDEX, &[a, b])
    }

    /// The value of a type that is congruent to a sum with a least and a greatest value, in the form that the encoding of assignments has.
    fn fit(&mut self, sum: TermId, [from, to]: [i128; 2], info: IntInfo) -> TermId {
        let (least, greatest) = bounds(info);
        let period = greatest - least + 1;
        let [low, high, size] = [least, greatest, period].map(Int::from);
        if from < least - period || to > greatest + period {
            let low = self.pool.int(low);
            let distance = self.pool.sub(sum, low);
            let rest = self.pool.mod_floor(distance, &size);
            return self.pool.add(rest, low);
        }
        let mut fit = sum;
        for (is_outside, end, by) in [(from < least, low, size.clone()), (to > greatest, high, -&size)] {
            if is_outside {
                let end = self.pool.int(end);
                let beyond = match by > Int::ZERO {
                    true => self.pool.lt(sum, end),
                    false => self.pool.gt(sum, end),
                };
                let moved = self.pool.linear(&[(Int::ONE, sum)], by);
                fit = self.pool.ite(beyond, moved, fit);
            }
        }
        fit
    }
}
