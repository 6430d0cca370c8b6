//! From formulas to a straight-line program: which conjuncts define which variables, and in which order all is evaluated.
//!
//! Of the variables of a conjunct the last one may be defined by it, in terms of those before it; so definitions cannot go round in a circle.

use super::{Evaluator, MAX_ARGUMENTS, Op, Slot, Variable};
use crate::hash::FxHashMap;
use crate::term::{Term, TermId, TermPool};
use std::ops::Range;

/// Larger sets of formulas get no program.
const MAX_TERMS: usize = 4096;
/// Points are looked up one by one: formulas with more applications get no program.
const MAX_APPLICATIONS: usize = 64;

/// The program while it is made.
struct Compiler<'a> {
    pool: &'a TermPool,
    evaluator: Evaluator,
    slots: FxHashMap<TermId, Slot>,
    /// The conjunct that defines each defined variable.
    definitions: FxHashMap<TermId, TermId>,
    /// The last variable in each term.
    last: FxHashMap<TermId, TermId>,
    applications: usize,
}

impl Evaluator {
    /// The program for formulas that have to be true, and formulas (the results) whose values are computed. `None` if they are not supported.
    pub fn new(pool: &TermPool, formulas: &[TermId], results: &[TermId]) -> Option<Evaluator> {
        let all: Vec<TermId> = formulas.iter().chain(results).copied().collect();
        let terms = pool.sub_terms(&all);
        if terms.len() > MAX_TERMS {
            return None;
        }
        let mut compiler = Compiler {
            pool,
            evaluator: Evaluator {
                ops: Vec::new(),
                lists: Vec::new(),
                monomials: Vec::new(),
                variables: Vec::new(),
                atoms: Vec::new(),
                results: Vec::new(),
            },
            slots: FxHashMap::default(),
            definitions: FxHashMap::default(),
            last: FxHashMap::default(),
            applications: 0,
        };
        compiler.find_variables(&terms);
        let conjuncts: Vec<TermId> = formulas.iter().flat_map(|&f| pool.conjuncts(f)).collect();
        let constraints = compiler.find_definitions(&conjuncts);
        let mut defined: Vec<TermId> = compiler.definitions.keys().copied().collect();
        defined.sort_unstable();
        // Constraints come as soon as all that they need is there, so that most runs end early.
        for constraint in constraints {
            let slot = compiler.slot_of(constraint)?;
            compiler.push(Op::Require(slot));
        }
        for term in defined {
            compiler.slot_of(term)?;
        }
        let results: Option<Vec<Slot>> = results.iter().map(|&term| compiler.slot_of(term)).collect();
        compiler.evaluator.results = results?;
        Some(compiler.evaluator)
    }
}

/// Definitions of conditionals inside of conditionals are looked at down to this depth.
const DEPTH: usize = 16;

impl Compiler<'_> {
    /// Notes the last variable of each term. Children come before parents.
    fn find_variables(&mut self, terms: &[TermId]) {
        for &term in terms {
            let mut last = None;
            match self.pool.term(term) {
                Term::IntVar(_) | Term::BoolVar(_) => last = Some(term),
                other => other.for_each_child(|child| last = last.max(self.last.get(&child).copied())),
            }
            self.last.extend(last.map(|last| (term, last)));
        }
    }

    /// Takes conjuncts for definitions where that is possible, and returns the others.
    ///
    /// A definition is in terms of variables that were made before the one that it defines, so that definitions cannot go round in a circle.
    fn find_definitions(&mut self, conjuncts: &[TermId]) -> Vec<TermId> {
        let mut rest = Vec::new();
        for &conjunct in conjuncts {
            let candidate = self
                .last
                .get(&conjunct)
                .filter(|x| !self.definitions.contains_key(x) && self.is_definition(conjunct, **x, DEPTH));
            match candidate {
                Some(&variable) => {
                    self.definitions.insert(variable, conjunct);
                }
                None => rest.push(conjunct),
            }
        }
        rest
    }

    fn is_before(&self, term: TermId, variable: TermId) -> bool {
        self.last.get(&term).is_none_or(|&last| last < variable)
    }

    /// Whether a formula says what the value of a variable is, in terms of variables before it.
    fn is_definition(&self, formula: TermId, variable: TermId, depth: usize) -> bool {
        match self.pool.term(formula) {
            Term::Eq(sum) => {
                let mut found = false;
                let mut others = true;
                self.pool.for_each_monomial(*sum, |coeff, leaf| {
                    if leaf == variable {
                        found = coeff.abs().is_one();
                    } else {
                        others &= self.is_before(leaf, variable);
                    }
                });
                found && others
            }
            Term::IteBool(condition, yes, no) => {
                depth > 0
                    && self.is_before(*condition, variable)
                    && [yes, no].iter().all(|&&f| self.is_definition(f, variable, depth - 1))
            }
            Term::Iff(a, b) => {
                (*a == variable && self.is_before(*b, variable)) || (*b == variable && self.is_before(*a, variable))
            }
            Term::BoolVar(_) => formula == variable,
            Term::Not(inner) => {
                matches!(self.pool.term(*inner), Term::Iff(..) | Term::BoolVar(_))
                    && self.is_definition(*inner, variable, depth)
            }
            _ => false,
        }
    }

    /// The terms that a definition is made of.
    fn parts(&self, definition: TermId, variable: TermId, parts: &mut Vec<TermId>) {
        match self.pool.term(definition) {
            Term::Eq(sum) => {
                self.pool.for_each_monomial(*sum, |_, leaf| parts.push(leaf));
            }
            Term::IteBool(condition, yes, no) => {
                parts.push(*condition);
                self.parts(*yes, variable, parts);
                self.parts(*no, variable, parts);
            }
            Term::Iff(a, b) => parts.extend([*a, *b]),
            Term::Not(inner) => self.parts(*inner, variable, parts),
            _ => {}
        }
        parts.retain(|&part| part != variable);
    }

    /// The slot of a term. None if something in it is not supported.
    fn slot_of(&mut self, root: TermId) -> Option<Slot> {
        let mut stack = vec![root];
        let mut open: Vec<TermId> = Vec::new();
        while let Some(&term) = stack.last() {
            if self.slots.contains_key(&term) {
                stack.pop();
                continue;
            }
            open.clear();
            match self.definitions.get(&term) {
                Some(&definition) => self.parts(definition, term, &mut open),
                None => self.pool.term(term).for_each_child(|child| open.push(child)),
            }
            open.retain(|part| !self.slots.contains_key(part));
            if !open.is_empty() {
                stack.append(&mut open);
                continue;
            }
            stack.pop();
            let slot = match self.definitions.get(&term) {
                Some(&definition) => self.define(definition, term)?,
                None => self.emit(term)?,
            };
            self.slots.insert(term, slot);
            if let Term::IntVar(symbol) | Term::BoolVar(symbol) = self.pool.term(term) {
                self.evaluator.variables.push(Variable {
                    slot,
                    symbol: *symbol,
                    is_bool: matches!(self.pool.term(term), Term::BoolVar(_)),
                    is_input: !self.definitions.contains_key(&term),
                });
            }
        }
        Some(self.slots[&root])
    }

    fn push(&mut self, op: Op) -> Slot {
        self.evaluator.ops.push(op);
        Slot::try_from(self.evaluator.ops.len() - 1).expect("few instructions")
    }

    /// The instructions for a definition whose parts have slots.
    fn define(&mut self, definition: TermId, variable: TermId) -> Option<Slot> {
        match *self.pool.term(definition) {
            Term::Eq(sum) => {
                let (mut sign, mut monomials) = (0, Vec::new());
                let constant = self.pool.for_each_monomial(sum, |coeff, leaf| {
                    if leaf == variable {
                        sign = -i64::from(coeff.signum());
                    } else {
                        monomials.push((coeff.to_i64(), self.slots[&leaf]));
                    }
                });
                let mut scaled = Vec::with_capacity(monomials.len());
                for (coeff, slot) in monomials {
                    scaled.push((coeff?.checked_mul(sign)?, slot));
                }
                let constant = constant.to_i64()?.checked_mul(sign)?;
                Some(self.sum(scaled, constant))
            }
            Term::IteBool(condition, yes, no) => {
                let (yes, no) = (self.define(yes, variable)?, self.define(no, variable)?);
                Some(self.push(Op::Ite(self.slots[&condition], yes, no)))
            }
            Term::Iff(a, b) => Some(self.slots[if a == variable { &b } else { &a }]),
            Term::BoolVar(_) => Some(self.push(Op::Const(1))),
            Term::Not(inner) => {
                let value = self.define(inner, variable)?;
                Some(self.push(Op::Not(value)))
            }
            _ => unreachable!("not a definition"),
        }
    }

    fn sum(&mut self, monomials: Vec<(i64, Slot)>, constant: i64) -> Slot {
        let all = &mut self.evaluator.monomials;
        let start = all.len();
        all.extend(monomials);
        let range = start..all.len();
        self.push(Op::Sum(range, constant))
    }

    fn list(&mut self, terms: &[TermId]) -> Range<usize> {
        let start = self.evaluator.lists.len();
        self.evaluator.lists.extend(terms.iter().map(|term| self.slots[term]));
        start..self.evaluator.lists.len()
    }

    /// The instruction for a term whose children have slots.
    fn emit(&mut self, term: TermId) -> Option<Slot> {
        let of = |term: &TermId| self.slots[term];
        let op = match self.pool.term(term) {
            Term::True => Op::Const(1),
            Term::False => Op::Const(0),
            Term::BoolVar(_) | Term::IntVar(_) => Op::Input,
            Term::Not(a) => Op::Not(of(a)),
            Term::And(list) => Op::And(self.list(list)),
            Term::Or(list) => Op::Or(self.list(list)),
            Term::Iff(a, b) => Op::Iff(of(a), of(b)),
            _ if self.pool.is_real(term) => return None,
            Term::IteBool(c, a, b) | Term::Ite(c, a, b) => Op::Ite(of(c), of(a), of(b)),
            Term::Le(sum) | Term::Eq(sum) if self.pool.is_real(*sum) => return None,
            Term::Le(sum) | Term::Eq(sum) => {
                let number = of(sum);
                let op = match self.pool.term(term) {
                    Term::Le(_) => Op::AtMostZero(number),
                    _ => Op::IsZero(number),
                };
                let slot = self.push(op);
                self.evaluator.atoms.push((slot, number));
                return Some(slot);
            }
            Term::Const(value) => Op::Const(value.to_i64()?),
            Term::Sum(monomials, constant) => {
                let scaled = monomials.iter().map(|(coeff, a)| Some((coeff.to_i64()?, of(a))));
                let scaled: Option<Vec<(i64, Slot)>> = scaled.collect();
                return Some(self.sum(scaled?, constant.to_i64()?));
            }
            Term::Div(a, _) if self.pool.is_real(*a) => return None,
            Term::Div(a, divisor) => Op::Div(of(a), divisor.to_i64()?),
            Term::App(function, arguments) => {
                self.applications += 1;
                if arguments.len() > MAX_ARGUMENTS || self.applications > MAX_APPLICATIONS {
                    return None;
                }
                Op::App(*function, self.list(arguments))
            }
            Term::Lt(_) | Term::Update { .. } | Term::RealVar(_) | Term::RealApp(..) | Term::Ratio(..) => return None,
        };
        Some(self.push(op))
    }
}
