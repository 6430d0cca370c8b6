//! Comparisons of conditional terms with constants: `ite(c, a, b) <= k` becomes `ite(c, a <= k, b <= k)`, as deep as the conditional terms go.
//!
//! Finite-state systems that were unrolled have a conditional term for each step, `ite(s = 5, 7, ite(s = 41, 43, s))` with that of the step before as `s`, and compare it with constants only. As numbers these are chains of columns and rows, and
//! equations between one step and the next one are found by arithmetic, conflict by conflict. As cases they are formulas over the conditions: each pair of a conditional term and a constant is one, so that their number is
//! that of the states times that of the steps (Kim, Somenzi, Jin, *Efficient term-ITE conversion for satisfiability modulo theories*, SAT 2009, for terms whose leaves are constants).
//!
//! Without proofs only: a proof has to start from what was asserted.

use super::Solver;
use super::justify::conditions_in;
use super::limits::{MAX_CHOICES, MAX_NESTED};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{Sort, Term, TermId, TermPool};

/// The formulas that were rewritten.
#[derive(Default)]
struct Choices {
    known: FxHashMap<TermId, TermId>,
    /// The number of cases so far.
    cases: usize,
}

impl Solver {
    /// An equivalent formula with cases in the place of comparisons of conditional terms with constants.
    pub(super) fn lift_choices(&mut self, pool: &mut TermPool, formula: TermId) -> TermId {
        let is_off = self.config.proofs || !self.config.lifts_choices;
        if is_off || !pool.atoms(formula).iter().any(|&atom| choice(pool, atom).is_some()) {
            return formula;
        }
        let mut choices = Choices::default();
        let lifted = choices.lift(pool, formula, 0);
        self.search.ticks += choices.cases as u64;
        lifted
    }
}

impl Choices {
    /// The formula with cases, unless it is inside of this many others and that is too many.
    fn lift(&mut self, pool: &mut TermPool, formula: TermId, depth: usize) -> TermId {
        if let Some(&known) = self.known.get(&formula) {
            return known;
        }
        if depth > MAX_NESTED {
            return formula;
        }
        let depth = depth + 1;
        let lifted = match pool.term(formula).clone() {
            Term::True | Term::False | Term::BoolVar(_) => formula,
            Term::Not(inner) => {
                let inner = self.lift(pool, inner, depth);
                pool.not(inner)
            }
            Term::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&part| self.lift(pool, part, depth)).collect();
                pool.and(&parts)
            }
            Term::Or(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|&part| self.lift(pool, part, depth)).collect();
                pool.or(&parts)
            }
            Term::Iff(a, b) => {
                let [a, b] = [a, b].map(|side| self.lift(pool, side, depth));
                pool.iff(a, b)
            }
            Term::IteBool(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|part| self.lift(pool, part, depth));
                pool.ite(condition, yes, no)
            }
            atom => match choice(pool, formula).filter(|_| self.cases < MAX_CHOICES) {
                Some((conditional, constant)) => {
                    self.cases += 1;
                    let is_equation = matches!(atom, Term::Eq(_));
                    self.lift_switch(pool, &Switch::new(pool, conditional), (is_equation, constant), depth)
                }
                None => self.lift_conditions(pool, formula, depth),
            },
        };
        self.known.insert(formula, lifted);
        lifted
    }

    /// The fact that a value of the switch plus a constant is 0, or at most 0.
    fn lift_switch(
        &mut self,
        pool: &mut TermPool,
        switch: &Switch,
        (is_equation, constant): (bool, Int),
        depth: usize,
    ) -> TermId {
        let case = |choices: &mut Choices, pool: &mut TermPool, value: TermId| {
            let shift = pool.int(constant.clone());
            let sum = pool.add(value, shift);
            let atom = if is_equation {
                pool.eq_zero(sum)
            } else {
                pool.le_zero(sum)
            };
            choices.lift(pool, atom, depth)
        };
        if let [(condition, yes)] = switch.cases[..] {
            let condition = self.lift(pool, condition, depth);
            let [yes, no] = [yes, switch.default].map(|value| case(self, pool, value));
            return pool.ite(condition, yes, no);
        }
        // At most one condition holds.
        let (mut ways, mut others) = (Vec::new(), Vec::new());
        for &(condition, value) in &switch.cases {
            let case = case(self, pool, value);
            if case != pool.mk_false() {
                let condition = self.lift(pool, condition, depth);
                ways.push(pool.and2(condition, case));
            }
        }
        let default = case(self, pool, switch.default);
        let default_is = pool.int(-constant);
        let value = pool.eq(switch.default, default_is);
        if is_equation && switch.on == Some(switch.default) {
            // The default has this value only where no condition about it holds.
            let is_case = switch.cases.iter().any(|&(condition, _)| condition == value);
            ways.extend((!is_case).then_some(default));
        } else if default != pool.mk_false() {
            for &(condition, _) in &switch.cases {
                let condition = self.lift(pool, condition, depth);
                others.push(pool.not(condition));
            }
            others.push(default);
            ways.push(pool.and(&others));
        }
        pool.or(&ways)
    }

    /// The same inside the numbers of an atom.
    fn lift_conditions(&mut self, pool: &mut TermPool, atom: TermId, depth: usize) -> TermId {
        let mut lifted = FxHashMap::default();
        for &condition in conditions_in(pool, atom)
            .iter()
            .flat_map(|conditions| conditions.iter())
        {
            lifted.insert(condition, self.lift(pool, condition, depth));
        }
        lifted.retain(|condition, lifted| condition != lifted);
        match lifted.is_empty() {
            true => atom,
            false => pool.substitute(atom, &lifted),
        }
    }
}

/// Conditional terms inside each other that compare one integer with different constants, or a single one.
struct Switch {
    /// The integer, if there are several.
    on: Option<TermId>,
    /// The conditions and what the term is if they hold.
    cases: Vec<(TermId, TermId)>,
    /// Its value if none holds.
    default: TermId,
}

impl Switch {
    fn new(pool: &TermPool, conditional: TermId) -> Switch {
        let mut switch = Switch {
            on: None,
            cases: Vec::new(),
            default: conditional,
        };
        while let Term::Ite(condition, yes, no) = *pool.term(switch.default) {
            let on = compared(pool, condition);
            let goes_on = on.is_some() && on == switch.on;
            if !switch.cases.is_empty() && !goes_on {
                break;
            }
            // A condition that is there already does not hold here.
            if switch.cases.iter().all(|(known, _)| *known != condition) {
                switch.cases.push((condition, yes));
            }
            (switch.on, switch.default) = (on, no);
        }
        switch
    }
}

/// The integer that a formula says is a constant.
fn compared(pool: &TermPool, formula: TermId) -> Option<TermId> {
    let Term::Eq(sum) = *pool.term(formula) else {
        return None;
    };
    single(pool, sum).map(|(leaf, _)| leaf)
}

/// The integer and the constant of a sum of both.
fn single(pool: &TermPool, sum: TermId) -> Option<(TermId, Int)> {
    let (mut leaf, mut count) = (None, 0);
    let constant = pool.for_each_monomial(sum, |coeff, term| {
        leaf = Some(term).filter(|_| coeff.is_one());
        count += 1;
    });
    let leaf = leaf.filter(|&leaf| count == 1 && pool.sort(leaf) == Sort::Int)?;
    Some((leaf, constant))
}

/// The conditional integer and the constant that an atom compares the sum of with 0.
fn choice(pool: &TermPool, atom: TermId) -> Option<(TermId, Int)> {
    let (Term::Eq(sum) | Term::Le(sum)) = *pool.term(atom) else {
        return None;
    };
    single(pool, sum).filter(|(leaf, _)| matches!(pool.term(*leaf), Term::Ite(..)))
}
