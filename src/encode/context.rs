//! The state of encoding one step: versions, facts and the conjuncts of the step's formula so far.

use super::formula::{Fact, Facts};
use super::ranges::Range;
use super::{Arith, Encoder, InputKind, PathFormula, SlotId, SsaMap, slots};
use crate::cfa::program::scalar::Scalar;
use crate::cfa::{AssumptionKind, FuncId};
use crate::frontend::text::source::Loc;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{Symbol, Term, TermId, TermPool};
use std::sync::Arc;

/// The value of an expression.
#[derive(Clone, Debug)]
pub struct Value {
    /// An integer term.
    pub term: TermId,
    /// Its values, by the formula of the block.
    pub range: Range,
    /// A formula equivalent to "not 0", for values that are 0 or 1.
    pub truth: Option<TermId>,
}

impl Value {
    /// A value without known truth formula.
    pub fn new(term: TermId, range: Range) -> Value {
        Value {
            term,
            range,
            truth: None,
        }
    }
}

/// One step's work; see the module's description.
pub struct Context<'a, 'p> {
    pub encoder: &'a mut Encoder<'p>,
    pub pool: &'a mut TermPool,
    pub ssa: SsaMap,
    pub facts: Facts,
    /// The step's formula as a list of conjuncts.
    pub formulas: Vec<TermId>,
    /// The inputs that the step asks for.
    pub inputs: Vec<(InputKind, TermId)>,
    /// Variables read in this step whose facts an assumption may sharpen.
    pub reads: Vec<(TermId, SlotId)>,
    /// The frame that variables of functions belong to.
    pub depth: u32,
    /// The function that the step belongs to.
    pub func: FuncId,
    pub loc: Loc,
}

impl<'a, 'p> Context<'a, 'p> {
    pub fn new(encoder: &'a mut Encoder<'p>, pool: &'a mut TermPool, before: &PathFormula, loc: Loc) -> Self {
        let start = encoder.program.start;
        Context {
            encoder,
            pool,
            ssa: before.ssa.clone(),
            facts: before.facts.clone(),
            formulas: Vec::new(),
            inputs: Vec::new(),
            reads: Vec::new(),
            depth: 0,
            func: start,
            loc,
        }
    }

    /// The path formula behind the step.
    pub fn finish(self, before: &PathFormula) -> (PathFormula, Vec<(InputKind, TermId)>) {
        let mut after = PathFormula {
            formula: before.formula,
            ssa: self.ssa,
            length: before.length + 1,
            facts: self.facts,
            frames: before.frames.clone(),
            conjuncts: before.conjuncts.clone(),
        };
        for formula in self.formulas {
            after.conjoin(self.pool, formula);
        }
        (after, self.inputs)
    }

    /// Adds a conjunct.
    pub fn require(&mut self, formula: TermId) {
        if formula != self.pool.mk_true() {
            self.formulas.push(formula);
        }
    }

    pub fn ideal(&self) -> bool {
        self.encoder.arith == Arith::Ideal
    }

    pub fn range_of(&self, scalar: Scalar) -> Range {
        super::ranges::of_scalar(scalar, self.encoder.arith)
    }

    pub fn trust(&mut self, kind: AssumptionKind, detail: &str, sound: bool) {
        self.encoder.assume(kind, detail, self.loc, sound);
    }

    /// A constant.
    pub fn constant(&mut self, value: impl Into<Int>) -> Value {
        let value = value.into();
        let term = self.pool.int(value.clone());
        Value::new(term, Range::point(value))
    }

    /// The value of a truth: 1 or 0.
    pub fn of_truth(&mut self, truth: TermId) -> Value {
        if truth == self.pool.mk_true() {
            return self.constant(1i64);
        }
        if truth == self.pool.mk_false() {
            return self.constant(0i64);
        }
        let (one, zero) = (self.pool.int(1i64), self.pool.int(0i64));
        let term = self.pool.ite(truth, one, zero);
        Value {
            term,
            range: Range::bit(),
            truth: Some(truth),
        }
    }

    /// A slot's symbol in a version.
    pub fn symbol(&mut self, slot: SlotId, index: u32) -> Symbol {
        let name = self.encoder.slots.name(slot);
        Symbol {
            name: self.pool.symbol(&name),
            index,
        }
    }

    /// A slot's variable in a version.
    pub fn variable(&mut self, slot: SlotId, index: u32) -> TermId {
        let symbol = self.symbol(slot, index);
        self.pool.int_var(symbol.name, symbol.index)
    }

    /// Demands that a term is within a range.
    pub fn bound(&mut self, term: TermId, range: &Range) {
        if let Some(lo) = &range.lo {
            let lo = self.pool.int(lo.clone());
            let formula = self.pool.le(lo, term);
            self.require(formula);
        }
        if let Some(hi) = &range.hi {
            let hi = match planted("range-off-by-one") {
                true => hi - &Int::ONE,
                false => hi.clone(),
            };
            let hi = self.pool.int(hi);
            let formula = self.pool.le(term, hi);
            self.require(formula);
        }
    }

    /// Any value of a range, not related to anything.
    pub fn any(&mut self, range: Range) -> Value {
        let index = self.ssa.bump(slots::ANY);
        let term = self.variable(slots::ANY, index);
        self.bound(term, &range);
        Value::new(term, range)
    }

    /// Any value of a scalar.
    pub fn any_scalar(&mut self, scalar: Scalar) -> Value {
        let range = self.range_of(scalar);
        self.any(range)
    }

    /// The current value of a plain variable.
    pub fn read_slot(&mut self, slot: SlotId, scalar: Scalar) -> Value {
        let index = self.ssa.index(slot);
        let term = self.variable(slot, index);
        if let Some(fact) = self.facts.get(slot.0)
            && fact.index == index
        {
            let (range, truth) = (fact.range.clone(), fact.truth);
            let term = match range.as_point() {
                Some(value) => self.pool.int(value.clone()),
                None => term,
            };
            self.reads.push((term, slot));
            return Value { term, range, truth };
        }
        // The first use in this block: that the value is one of the type is not in the formula yet.
        let range = self.range_of(scalar);
        self.know_range(slot, index, &range);
        self.reads.push((term, slot));
        Value::new(term, range)
    }

    /// Says and notes that the value of a symbol's version is in a range.
    pub fn know_range(&mut self, slot: SlotId, index: u32, range: &Range) {
        let term = self.variable(slot, index);
        self.bound(term, range);
        let fact = Fact {
            index,
            range: range.clone(),
            zeros: 0,
            truth: None,
        };
        self.know(slot, fact);
    }

    /// Writes a value, which is one of the type, to a plain variable.
    pub fn write_slot(&mut self, slot: SlotId, value: &Value) {
        let index = match planted("old-version") {
            true => self.ssa.index(slot),
            false => self.ssa.bump(slot),
        };
        let variable = self.variable(slot, index);
        let definition = match value.truth {
            // "v is 1 if and only if" instead of an equation with a case split, which the solver would have to take apart again.
            Some(truth) if !matches!(self.pool.term(value.term), Term::IntVar(_)) => {
                let (zero, one) = (self.pool.int(0i64), self.pool.int(1i64));
                let (is_one, is_zero) = (self.pool.eq(variable, one), self.pool.eq(variable, zero));
                let otherwise = self.pool.not(truth);
                let (yes, no) = (self.pool.and2(truth, is_one), self.pool.and2(otherwise, is_zero));
                self.pool.or2(yes, no)
            }
            _ => self.pool.eq(variable, value.term),
        };
        self.require(definition);
        let fact = Fact {
            index,
            range: value.range.clone(),
            zeros: self.low_zeros(value.term),
            truth: value.truth,
        };
        self.know(slot, fact);
    }

    /// Notes what is known of a slot from now on.
    pub fn know(&mut self, slot: SlotId, fact: Fact) {
        self.facts.insert(slot.0, Arc::new(fact));
    }

    /// Gives a plain variable any value of its type; returns the variable's new version.
    pub fn havoc_slot(&mut self, slot: SlotId, scalar: Scalar) -> TermId {
        let index = self.ssa.bump(slot);
        let variable = self.variable(slot, index);
        let range = self.range_of(scalar);
        self.bound(variable, &range);
        if planted("stale-fact")
            && let Some(fact) = self.facts.get(slot.0)
        {
            let fact = Fact::clone(fact);
            self.know(slot, Fact { index, ..fact });
            return variable;
        }
        let fact = Fact {
            index,
            range,
            zeros: 0,
            truth: None,
        };
        self.know(slot, fact);
        variable
    }

    /// Sharpens what is known of variables by an assumption that was just made: atoms over one variable.
    pub fn learn(&mut self, assumption: TermId) {
        for conjunct in self.pool.conjuncts(assumption) {
            let Some((variable, known)) = single_variable_range(self.pool, conjunct) else {
                continue;
            };
            let Some(&(_, slot)) = self.reads.iter().find(|(term, _)| *term == variable) else {
                continue;
            };
            let Some(fact) = self.facts.get(slot.0) else { continue };
            let range = fact.range.meet(&known);
            // An empty range means that the path is infeasible, which the formula says anyway.
            if !range.is_empty() && range != fact.range {
                let fact = Fact {
                    range,
                    ..Fact::clone(fact)
                };
                self.know(slot, fact);
            }
        }
    }
}

/// The values of a variable for which an atom over just that variable holds.
fn single_variable_range(pool: &TermPool, atom: TermId) -> Option<(TermId, Range)> {
    let (atom, positive) = match *pool.term(atom) {
        Term::Not(inner) => (inner, false),
        _ => (atom, true),
    };
    let (sum, equation) = match *pool.term(atom) {
        Term::Le(sum) => (sum, false),
        Term::Eq(sum) => (sum, true),
        _ => return None,
    };
    let mut found = None;
    let mut count = 0;
    let constant = pool.for_each_monomial(sum, |coefficient, term| {
        count += 1;
        found = Some((coefficient.clone(), term));
    });
    let (coefficient, variable) = found.filter(|_| count == 1)?;
    if !matches!(pool.term(variable), Term::IntVar(_)) || !(coefficient.is_one() || coefficient == Int::MINUS_ONE) {
        return None;
    }
    // coefficient * v + constant (<= or =) 0
    let edge = if coefficient.is_one() { -&constant } else { constant };
    let range = match (equation, positive, coefficient.is_one()) {
        (true, true, _) => Range::point(edge),
        (true, false, _) => return None,
        (false, true, true) => Range {
            lo: None,
            hi: Some(edge),
        },
        (false, true, false) => Range {
            lo: Some(edge),
            hi: None,
        },
        (false, false, true) => Range {
            lo: Some(edge + Int::ONE),
            hi: None,
        },
        (false, false, false) => Range {
            lo: None,
            hi: Some(edge - Int::ONE),
        },
    };
    Some((variable, range))
}
