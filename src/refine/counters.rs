//! The [loop counters](loop_counters) of a program in formulas.
//!
//! Predicates about them tend to unroll their loops, one value after the other (Beyer, Löwe, Wendler, *Refinement selection*, SPIN 2015, count them as
//! the least desirable).

use crate::cfa::analysis::domain_types::loop_counters;
use crate::cfa::{Program, VarKind};
use provident_smt::hash::FxHashMap;
use provident_smt::term::{Symbol, TermId, TermPool};
use std::collections::BTreeSet;

/// The loop counters, by the names that formulas use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopCounters {
    names: BTreeSet<String>,
    /// Those that are variables of the program itself, not of a specification that counts something.
    own: BTreeSet<String>,
}

impl LoopCounters {
    /// The loop counters of a program.
    pub fn of(program: &Program) -> LoopCounters {
        let mut counters = LoopCounters::default();
        for var in loop_counters(program) {
            let var = program.var(var);
            counters.names.insert(var.name.clone());
            if var.kind != VarKind::Woven {
                counters.own.insert(var.name.clone());
            }
        }
        counters
    }

    /// Whether a term contains a loop counter.
    pub fn occur_in(&self, pool: &TermPool, term: TermId) -> bool {
        let symbols = pool.symbols(term);
        symbols.iter().any(|symbol| self.names.contains(pool.name(symbol.name)))
    }

    /// Whether a variable is a loop counter.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a variable is a loop counter of the program itself.
    pub fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// The program's loop counters in a formula, by their symbols.
    pub fn own_in(&self, pool: &TermPool, formula: TermId) -> Vec<Symbol> {
        let mut symbols = pool.symbols(formula);
        symbols.retain(|symbol| self.own.contains(pool.name(symbol.name)));
        symbols
    }

    /// The part of a chain that has this number, with the program's loop counters hidden: every part has its own ones, so that nothing is known of them from one
    /// part to the next.
    ///
    /// It says the same with other names, so what refutes the hidden chain refutes the chain, and its interpolants have no loop counter: an abstraction
    /// of interpolants (Rümmer, Subotić, *Exploring interpolants*, FMCAD 2013).
    pub fn hide(&self, pool: &mut TermPool, part: TermId, number: usize) -> TermId {
        let mut renamed: FxHashMap<Symbol, Symbol> = FxHashMap::default();
        for symbol in self.own_in(pool, part) {
            let name = format!("{} in part {number}", pool.name(symbol.name));
            let name = pool.symbol(&name);
            renamed.insert(symbol, Symbol { name, ..symbol });
        }
        pool.map_symbols(part, &mut |symbol| renamed.get(&symbol).copied().unwrap_or(symbol))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};

    #[test]
    fn a_hidden_counter_is_in_no_interpolant() {
        let own = BTreeSet::from(["f::i".to_string()]);
        let counters = LoopCounters {
            names: own.clone(),
            own,
        };
        let mut pool = TermPool::new();
        let (i, state) = (pool.symbol("f::i"), pool.symbol("state"));
        let (i, state) = (pool.int_var(i, 1), pool.int_var(state, 1));
        let (zero, many) = (pool.int(0), pool.int(63));
        // The loop is left in its first round, and the state is a wrong one: two reasons, of which the second lies further apart.
        let begins = pool.eq(i, zero);
        let (stays, goes) = (pool.le(i, many), pool.eq(state, zero));
        let begins = pool.and2(begins, goes);
        let leaves = pool.not(stays);
        let wrong = pool.not(goes);
        let parts = [begins, leaves, wrong];
        let own = parts.map(|part| counters.own_in(&pool, part).len());
        assert_eq!(own, [1, 1, 0], "the state is no counter");
        let hidden: Vec<TermId> = (0..3)
            .map(|number| counters.hide(&mut pool, parts[number], number))
            .collect();
        let config = InterpolationConfig {
            check: true,
            ..InterpolationConfig::default()
        };
        let SequenceResult::Unsat(interpolants) = sequence(&mut pool, &hidden, &config) else {
            panic!("the state alone refutes the chain");
        };
        assert_eq!(interpolants, [goes, goes]);
        assert!(interpolants.iter().all(|&i| !counters.occur_in(&pool, i)));
        // They refute the original chain as well.
        let check = provident_smt::interpolate::check_sequence(&mut pool, &parts, &interpolants);
        assert!(check.is_ok(), "{check:?}");
    }
}
