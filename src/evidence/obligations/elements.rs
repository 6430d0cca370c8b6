//! Claims about all elements of an array without quantifiers.
//!
//! Such a claim is a formula that holds for every integer in the place of [`INDEX`]. Behind a block it is proved for a fresh constant, so it holds for every
//! integer. Before a block it is assumed for finitely many integers only: for that constant, and for the numbers of the elements that the block reads. This is weaker
//! than the claim, so a script that is unsatisfiable with these instances is unsatisfiable with all. The choice of numbers matters for success, not for soundness: an address that is read is
//! matched with the address in the claim, which is linear in the number (Bradley, Manna, Sipma, *What's decidable about arrays?*, VMCAI 2006).

use crate::certify::INDEX;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{SmtLibStyle, Symbol, Term, TermId, TermPool};
use std::collections::BTreeSet;

/// More elements of one block are not looked at.
const MAX_NUMBERS: usize = 64;
/// Among more claims nothing leads from one element to its neighbour: the instances would be too many.
const MAX_CLAIMS_OF_NEIGHBOURS: usize = 320;
/// Elements that are farther from each other are no neighbours.
const MAX_STEP: i64 = 2;

/// The constant of which nothing is known: the version in which a variable without versions stands in scripts.
pub fn constant(pool: &mut TermPool) -> TermId {
    let name = pool.symbol(INDEX);
    pool.int_var(name, 0)
}

/// The numbers for which claims with the constant in them are worth assuming beside `formulas`, the constant first.
pub fn numbers(pool: &mut TermPool, claims: &[TermId], formulas: &[TermId]) -> Vec<TermId> {
    let constant = constant(pool);
    let mut found = vec![constant];
    let patterns = reads(pool, claims);
    let mut seen = BTreeSet::from([constant]);
    for (symbol, address) in reads(pool, formulas) {
        for &(_, pattern) in patterns.iter().filter(|(function, _)| function.name == symbol.name) {
            let Some(number) = matched(pool, pattern, address, constant) else {
                continue;
            };
            if found.len() < MAX_NUMBERS && seen.insert(number) {
                found.push(number);
            }
        }
    }
    if claims.len() > MAX_CLAIMS_OF_NEIGHBOURS {
        return found;
    }
    // A claim about neighbours leads from one of them to the next.
    for step in steps(pool, claims, constant) {
        for number in found.clone() {
            for step in [-&step, step.clone()] {
                let step = pool.int(step);
                let number = pool.add(number, step);
                if found.len() < MAX_NUMBERS && seen.insert(number) {
                    found.push(number);
                }
            }
        }
    }
    found
}

/// The distances of the elements of one array that one claim speaks of.
fn steps(pool: &mut TermPool, claims: &[TermId], constant: TermId) -> BTreeSet<Int> {
    let mut found = BTreeSet::new();
    for &claim in claims {
        let patterns = reads(pool, &[claim]);
        for (at, &(symbol, pattern)) in patterns.iter().enumerate() {
            let same = patterns[at + 1..].iter().filter(|(other, _)| *other == symbol);
            for &(_, other) in same {
                let factor = factor(pool, pattern, constant).abs();
                let distance = pool.sub(other, pattern);
                if let Some(distance) = pool.as_const(distance).map(Int::abs)
                    && !factor.is_zero()
                    && distance.mod_floor(&factor).is_zero()
                {
                    found.insert(distance.div_floor(&factor));
                }
            }
        }
    }
    found.retain(|step| *step <= Int::from(MAX_STEP));
    found
}

/// The elements that terms read: the arrays' functions, and the addresses.
fn reads(pool: &TermPool, terms: &[TermId]) -> Vec<(Symbol, TermId)> {
    let read = |term: TermId| match pool.term(term) {
        Term::App(symbol, arguments) if arguments.len() == 1 => Some((*symbol, arguments[0])),
        _ => None,
    };
    pool.sub_terms(terms).into_iter().filter_map(read).collect()
}

/// The factor of the constant in an address.
fn factor(pool: &TermPool, pattern: TermId, constant: TermId) -> Int {
    let mut factor = Int::ZERO;
    pool.for_each_monomial(pattern, |coefficient, term| {
        if term == constant {
            factor = coefficient.clone();
        }
    });
    factor
}

/// The number for which an address pattern that is linear in the constant is an address, rounded down; `None` if it does not depend on the constant.
fn matched(pool: &mut TermPool, pattern: TermId, address: TermId, constant: TermId) -> Option<TermId> {
    let factor = factor(pool, pattern, constant);
    if factor.is_zero() {
        return None;
    }
    let multiple = pool.scale(&factor, constant);
    let begin = pool.sub(pattern, multiple);
    let distance = match factor > Int::ZERO {
        true => pool.sub(address, begin),
        false => pool.sub(begin, address),
    };
    // The goal's own element is matched as the constant.
    Some(pool.div_floor(distance, &factor.abs()))
}

/// A claim with the constant in it, for a number.
pub fn instance(pool: &mut TermPool, claim: TermId, number: TermId) -> TermId {
    let constant = constant(pool);
    let one = pool.int(1);
    let number = if planted("element-next") {
        pool.add(number, one)
    } else {
        number
    };
    let replaced = std::iter::once((constant, number)).collect();
    pool.substitute(claim, &replaced)
}

/// A formula that holds for every integer in the place of a variable, as SMT-LIB with a quantifier.
pub fn quantified(pool: &TermPool, variable: &str, formula: TermId) -> String {
    format!("(forall ((|{variable}| Int)) {})", barred(pool, formula))
}

/// A term as SMT-LIB with all symbols in bars, so that none is taken for an operator.
pub fn barred(pool: &TermPool, term: TermId) -> String {
    struct Barred;
    impl SmtLibStyle for Barred {
        fn symbol(&self, pool: &TermPool, symbol: Symbol) -> String {
            format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_"))
        }
    }
    pool.to_smtlib_styled(term, &Barred)
}
