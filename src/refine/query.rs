//! The question about an error path as an SMT-LIB script, for people who study interpolants.
//!
//! `provident smt` reads it and answers as the refinement did: the script states the answer, and an answer that differs is an error there. Each block is a
//! named assertion, and the interpolants are asked for in the order of the blocks.

use super::interpolation::Feasibility;
use super::path::ErrorPath;
use super::provident::Candidate;
use crate::cpa::predicate::Predicates;
use provident_smt::term::{SmtLibStyle, Symbol, Term, TermId, TermPool};
use std::fmt::Write;

/// The script for a candidate; `None` if its formulas update whole memory regions, which SMT-LIB cannot say without quantifiers.
pub fn script(predicates: &mut Predicates<'_>, candidate: &Candidate) -> Option<String> {
    let ErrorPath { blocks, .. } = &candidate.path;
    let parts = predicates
        .blocks
        .chain(&predicates.encoder, &mut predicates.pool, blocks);
    // Exact values of operators that this very question brought are not among its formulas, so without them it might have a model.
    let status = match &candidate.feasibility {
        _ if candidate.new_points > 0 => None,
        Feasibility::Infeasible(increment) if increment.segment.is_some() => Some("unsat"),
        Feasibility::Feasible => Some("sat"),
        _ => None,
    };
    text(&predicates.pool, &parts, status)
}

/// The names of the default style.
struct Names;
impl SmtLibStyle for Names {}

fn text(pool: &TermPool, parts: &[TermId], status: Option<&str>) -> Option<String> {
    let terms = pool.sub_terms(parts);
    if terms.iter().any(|&term| matches!(pool.term(term), Term::Update { .. })) {
        return None;
    }
    let logic = logic(terms.iter().map(|&term| pool.term(term)));
    let mut script = format!("(set-option :produce-interpolants true)\n(set-logic {logic})\n");
    let mut declarations: Vec<String> = terms.iter().filter_map(|&term| declaration(pool, term)).collect();
    declarations.sort_unstable();
    declarations.dedup();
    script.extend(declarations);
    for (number, part) in parts.iter().enumerate() {
        let _ = writeln!(script, "(assert (! {} :named block{number}))", pool.to_smtlib(*part));
    }
    if let Some(status) = status {
        let _ = writeln!(script, "(set-info :status {status})");
    }
    script.push_str("(check-sat)\n");
    if status == Some("unsat") && parts.len() > 1 {
        let names: Vec<String> = (0..parts.len()).map(|number| format!("block{number}")).collect();
        let _ = writeln!(script, "(get-interpolants {})", names.join(" "));
    }
    Some(script)
}

/// The smallest logic of the standard that has these terms.
fn logic<'t>(terms: impl Iterator<Item = &'t Term>) -> &'static str {
    let (mut integers, mut reals, mut functions) = (false, false, false);
    for term in terms {
        match term {
            Term::IntVar(_) => integers = true,
            Term::RealVar(_) => reals = true,
            Term::App(..) => (integers, functions) = (true, true),
            Term::RealApp(..) => (reals, functions) = (true, true),
            _ => {}
        }
    }
    match (functions, integers, reals) {
        (_, false, false) => "QF_UF",
        (false, true, false) => "QF_LIA",
        (false, false, true) => "QF_LRA",
        (true, true, false) => "QF_UFLIA",
        (true, false, true) => "QF_UFLRA",
        (_, true, true) => "ALL",
    }
}

/// The declaration of the symbol that a term is or applies.
fn declaration(pool: &TermPool, term: TermId) -> Option<String> {
    let declare = |symbol: Symbol, arguments: usize, sort: &str| {
        let name = Names.symbol(pool, symbol);
        Some(format!(
            "(declare-fun {name} ({}) {sort})\n",
            vec!["Int"; arguments].join(" ")
        ))
    };
    match pool.term(term) {
        Term::BoolVar(symbol) => declare(*symbol, 0, "Bool"),
        Term::IntVar(symbol) => declare(*symbol, 0, "Int"),
        Term::RealVar(symbol) => declare(*symbol, 0, "Real"),
        Term::App(symbol, arguments) => declare(*symbol, arguments.len(), "Int"),
        Term::RealApp(symbol, arguments) => declare(*symbol, arguments.len(), "Real"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_declares_what_it_uses() {
        let mut pool = TermPool::new();
        let (x, f) = (pool.symbol("main::x"), pool.symbol("*int"));
        let (x0, x1) = (pool.int_var(x, 0), pool.int_var(x, 1));
        let read = pool.app(f, 2, &[x0]);
        let parts = [pool.le(x0, x1), pool.eq(read, x1)];
        let script = text(&pool, &parts, Some("unsat")).unwrap();
        for line in [
            "(declare-fun |main::x@0| () Int)",
            "(declare-fun |*int@2| (Int) Int)",
            "(set-logic QF_UFLIA)",
            "(set-info :status unsat)",
            "(get-interpolants block0 block1)",
        ] {
            assert!(
                script.lines().any(|other| other == line),
                "{line} is missing in\n{script}"
            );
        }
        assert!(!text(&pool, &parts, None).unwrap().contains("get-interpolants"));
    }
}
