//! Proofs as text.
//!
//! The proof is a list of `(define aN term)`, the terms that the literals stand for, and of `(step sN (clause literal ...) rule)`, in the
//! order of their use; the last clause is empty. The rules are those of [`crate::proof::Step`]. Terms are written in the integer encoding
//! in which the solver works: predicates as `(ite (p x) 1 0)`, elements of declared sorts as integers.

use super::answer::ScriptStyle;
use crate::proof::{ClauseId, LemmaKind, Lit, Proof, Step};
use crate::term::TermPool;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a proof, reduced to what its empty clause needs.
pub(super) fn proof_text(pool: &TermPool, style: &ScriptStyle, proof: &Proof) -> String {
    let proof = proof.trimmed();
    let clauses = || (0..).map(ClauseId).take(proof.len());
    let used: BTreeSet<_> = clauses()
        .flat_map(|id| proof.clause(id))
        .map(|literal| literal.var())
        .collect();
    let mut text = String::from("(\n");
    for variable in used {
        let term = pool.to_smtlib_styled(proof.atoms[variable.index()], style);
        writeln!(text, "(define a{} {term})", variable.0).expect("strings accept text");
    }
    for (id, step) in clauses().zip(&proof.steps) {
        let literals: String = proof
            .clause(id)
            .iter()
            .map(|&literal| format!(" {}", literal_text(literal)))
            .collect();
        writeln!(text, "(step s{} (clause{literals}) {})", id.0, rule_text(step)).expect("strings accept text");
    }
    text.push(')');
    text
}

fn literal_text(literal: Lit) -> String {
    if literal.is_negative() {
        format!("(not a{})", literal.var().0)
    } else {
        format!("a{}", literal.var().0)
    }
}

fn rule_text(step: &Step) -> String {
    match step {
        Step::Input { .. } => "input".to_owned(),
        Step::Define { of, .. } => format!("(definition a{})", of.0),
        Step::Lemma { kind, .. } => match kind {
            LemmaKind::Trichotomy { .. } => "trichotomy".to_owned(),
            LemmaKind::Congruence { .. } => "congruence".to_owned(),
            LemmaKind::Update { .. } => "update".to_owned(),
            LemmaKind::Ite { .. } => "ite".to_owned(),
            LemmaKind::Div { .. } => "div".to_owned(),
            LemmaKind::Branch => "branch".to_owned(),
            LemmaKind::Pigeonhole => "pigeonhole".to_owned(),
            LemmaKind::Euf => "euf".to_owned(),
        },
        Step::Farkas { coeffs } => {
            format!("(farkas{})", coeffs.iter().map(|c| format!(" {c}")).collect::<String>())
        }
        Step::Chain { antecedents, pivots } => {
            let premises = antecedents[1..].iter().zip(pivots);
            let resolved: String = premises
                .map(|(premise, pivot)| format!(" a{} s{}", pivot.0, premise.0))
                .collect();
            format!("(resolution s{}{resolved})", antecedents[0].0)
        }
    }
}
