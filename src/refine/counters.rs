//! The loop counters of a program: variables that an edge inside a loop changes by a constant.
//!
//! Predicates about them tend to unroll their loops, one value after the other (Beyer, Loewe, Wendler, *Refinement selection*, SPIN 2015, count them as
//! the least desirable). An edge is inside a loop if it lies on a cycle of its function's automaton.

use crate::cfa::{BinOp, Edge, Expr, ExprKind, NodeId, Op, Place, PlaceBase, Program, VarId, VarKind};
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
        let steps = program.edges.iter().filter_map(|edge| Some((edge, counted(edge)?)));
        let looping = steps.filter(|(edge, _)| reaches(program, edge.to, edge.from));
        let mut counters = LoopCounters::default();
        for (_, var) in looping {
            let var = &program.vars[var.index()];
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

/// The variable that the edge changes by a constant.
fn counted(edge: &Edge) -> Option<VarId> {
    let Op::Assign { lhs, rhs } = &edge.op else { return None };
    let var = whole_variable(lhs)?;
    let ExprKind::Binary(op, left, right) = &without_casts(rhs).kind else {
        return None;
    };
    let reads =
        |e: &Expr| matches!(&without_casts(e).kind, ExprKind::Load(place) if whole_variable(place) == Some(var));
    let constant = |e: &Expr| matches!(&without_casts(e).kind, ExprKind::Const(_));
    let counts = match op {
        BinOp::Add => reads(left) && constant(right) || constant(left) && reads(right),
        BinOp::Sub => reads(left) && constant(right),
        _ => false,
    };
    counts.then_some(var)
}

fn whole_variable(place: &Place) -> Option<VarId> {
    match place.base {
        PlaceBase::Var(var) if place.proj.is_empty() => Some(var),
        _ => None,
    }
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => expr,
    }
}

/// Whether a path inside the function leads from one node to another.
fn reaches(program: &Program, from: NodeId, to: NodeId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if node == to {
            return true;
        }
        for &edge in &program.node(node).outgoing {
            let next = program.edge(edge).to;
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
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
