//! Assertion formulas: the conjunctions that describe states of explicit values, as formulas of the encoding.
//!
//! A scalar outside of memory is a variable of its name, an element of an array the value of its region's function at its address; neither has a version.

use crate::cfa::VarId;
use crate::encode::Encoder;
use crate::explicit::state::assertion::{Assertion, Cell, Derived, Literal};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// Makes terms and formulas.
pub(super) struct Writer<'e, 'p> {
    pub encoder: &'e Encoder<'p>,
    pub pool: TermPool,
    names: FxHashMap<(VarId, u32), Vec<String>>,
    /// Whether something has no form in the encoding.
    pub is_lost: bool,
}

impl<'e, 'p> Writer<'e, 'p> {
    /// The writer for an encoder's names.
    pub fn new(encoder: &'e Encoder<'p>) -> Self {
        Writer {
            encoder,
            pool: TermPool::new(),
            names: FxHashMap::default(),
            is_lost: false,
        }
    }

    /// A scalar, or a function of it, as a term; `None` if the encoding has none.
    pub fn cell(&mut self, cell: Cell) -> Option<TermId> {
        let scalar = self.scalar(cell)?;
        Some(match cell.derived {
            Derived::Itself => scalar,
            Derived::Quotient(divisor) => self.quotient(scalar, divisor),
            Derived::Remainder(divisor) => {
                let quotient = self.quotient(scalar, divisor);
                let multiple = self.pool.scale(&Int::from(divisor), quotient);
                self.pool.sub(scalar, multiple)
            }
            Derived::LowBits(count) => self.pool.mod_floor(scalar, &Int::pow2(count)),
        })
    }

    /// The quotient by a number other than 0, rounded towards 0.
    fn quotient(&mut self, scalar: TermId, divisor: i128) -> TermId {
        let size = Int::from(divisor).abs();
        let up = self.pool.div_floor(scalar, &size);
        let opposite = self.pool.neg(scalar);
        let down = self.pool.div_floor(opposite, &size);
        let down = self.pool.neg(down);
        let zero = self.number(0);
        let is_negative = self.pool.lt(scalar, zero);
        let quotient = self.pool.ite(is_negative, down, up);
        match divisor < 0 {
            true => self.pool.neg(quotient),
            false => quotient,
        }
    }

    /// The scalar itself, whatever of it is meant.
    fn scalar(&mut self, cell: Cell) -> Option<TermId> {
        let Cell { var, leaf, depth, .. } = cell;
        let program = self.encoder.program();
        if !program.var(var).in_memory {
            let names = self.names.entry((var, depth));
            let names = names.or_insert_with(|| self.encoder.variable_names(var, depth));
            let name = self.pool.symbol(&names[leaf]);
            return Some(self.pool.int_var(name, NO_INDEX));
        }
        let name = self.encoder.array_name(var)?;
        let size = program.types.size_of(program.types.element(program.var(var).ty)?)?;
        let offset = size.checked_mul(u64::try_from(leaf).ok()?)?;
        let address = program.address_at(var, depth)?.checked_add(offset)?;
        let (name, address) = (self.pool.symbol(&name), self.pool.int(Int::from(i128::from(address))));
        Some(self.pool.app(name, NO_INDEX, &[address]))
    }

    /// A number as a term.
    pub fn number(&mut self, number: i128) -> TermId {
        self.pool.int(Int::from(number))
    }

    /// The formula of an assertion; parts that have no form in the encoding are left out. Nothing is lost by those about memory that the program never reads.
    pub fn conjunction(&mut self, assertion: &Assertion) -> TermId {
        let parts: Vec<TermId> = assertion.literals.iter().map(|literal| self.fact(literal)).collect();
        self.pool.and(&parts)
    }

    /// The formula of one literal; `true` if it has no form in the encoding.
    pub fn fact(&mut self, literal: &Literal) -> TermId {
        self.literal(literal).unwrap_or_else(|| {
            self.is_lost |= literal.vars().into_iter().all(|var| self.encoder.is_read(var));
            self.pool.mk_true()
        })
    }

    fn literal(&mut self, literal: &Literal) -> Option<TermId> {
        Some(match *literal {
            Literal::Is(cell, number) => {
                let (cell, number) = (self.cell(cell)?, self.number(number));
                self.pool.eq(cell, number)
            }
            Literal::Not(cell, number) => {
                let (cell, number) = (self.cell(cell)?, self.number(number));
                self.pool.ne(cell, number)
            }
            Literal::Within(cell, lo, hi) => {
                let (cell, lo, hi) = (self.cell(cell)?, self.number(lo), self.number(hi));
                let bounds = [self.pool.le(lo, cell), self.pool.le(cell, hi)];
                self.pool.and(&bounds)
            }
            Literal::Distance(a, b, number) => {
                let (a, sum) = self.sides(a, b, number)?;
                self.pool.eq(a, sum)
            }
            Literal::Turned(a, b, number, width) => {
                let (a, b) = (self.cell(a)?, self.cell(b)?);
                let distance = self.pool.sub(a, b);
                let other = self.pool.int(&Int::from(number) - &Int::pow2(width));
                let number = self.number(number);
                let ways = [self.pool.eq(distance, number), self.pool.eq(distance, other)];
                self.pool.or(&ways)
            }
            Literal::AtMost(a, b, number) => {
                let (a, sum) = self.sides(a, b, number)?;
                self.pool.le(a, sum)
            }
            Literal::Differs(a, b, number) => {
                let (a, sum) = self.sides(a, b, number)?;
                self.pool.ne(a, sum)
            }
            Literal::Sum(ref terms, lo, hi) => {
                let sum = self.sum(terms, 0)?;
                let (lo, hi) = (self.number(lo), self.number(hi));
                let bounds = [self.pool.le(lo, sum), self.pool.le(sum, hi)];
                self.pool.and(&bounds)
            }
            Literal::Congruent(ref terms, number, width) => {
                let difference = self.sum(terms, -number)?;
                let rest = self.pool.mod_floor(difference, &Int::pow2(width));
                let zero = self.number(0);
                self.pool.eq(rest, zero)
            }
        })
    }

    /// The sum of scalars with factors, and a number.
    fn sum(&mut self, terms: &[(Cell, i128)], number: i128) -> Option<TermId> {
        let mut scaled = Vec::with_capacity(terms.len());
        for &(cell, factor) in terms {
            let cell = self.cell(cell)?;
            scaled.push((Int::from(factor), cell));
        }
        Some(self.pool.linear(&scaled, Int::from(number)))
    }

    /// The first scalar, and the second plus a number.
    fn sides(&mut self, a: Cell, b: Cell, number: i128) -> Option<(TermId, TermId)> {
        let (a, b, number) = (self.cell(a)?, self.cell(b)?, self.number(number));
        Some((a, self.pool.add(b, number)))
    }
}
