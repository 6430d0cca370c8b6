//! Updates of memory without quantifiers: what they say at the addresses that matter.
//!
//! An update says of *every* address what the new version holds there. A script has a Boolean in its place, and for some addresses `t` the instance: if
//! the Boolean holds, then the new version holds at `t` the value written or, outside of the range, what the old version held.
//! Every model of the update is one of its instances, so a script with any set of instances that is unsatisfiable refutes the original too.
//!
//! Enough instances are those that a refutation uses: they are the update lemmas in the proof of our solver, which is only asked for them.

use provident_smt::hash::FxHashMap;
use provident_smt::proof::{LemmaKind, Part, Step};
use provident_smt::solver::{Answer, Solver};
use provident_smt::term::{NO_INDEX, Term, TermId, TermPool, UpdateSource};
use std::collections::BTreeSet;

/// The formulas with instances instead of updates, the instances last; unchanged if there are no updates.
///
/// # Errors
/// The formulas are not unsatisfiable, or the solver does not find out.
pub fn without_updates(
    pool: &mut TermPool,
    formulas: &[TermId],
    solver: &mut dyn FnMut() -> Solver,
) -> Result<(Vec<TermId>, Vec<TermId>), String> {
    let updates: Vec<TermId> = pool
        .sub_terms(formulas)
        .into_iter()
        .filter(|&term| matches!(pool.term(term), Term::Update { .. }))
        .collect();
    if updates.is_empty() {
        return Ok((formulas.to_vec(), Vec::new()));
    }
    let mut solver = solver();
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Unsat => {}
        Answer::Sat => return Err("it is satisfiable".to_string()),
        Answer::Unknown(reason) => return Err(format!("the solver does not know: {reason:?}")),
    }
    let proof = solver.proof().ok_or("the solver has no proof")?.trimmed();
    let mut needed: BTreeSet<(TermId, TermId)> = BTreeSet::new();
    for step in &proof.steps {
        if let Step::Lemma {
            kind: LemmaKind::Update { atom, at },
            ..
        } = step
        {
            needed.insert((*atom, *at));
        }
    }
    let mut names = FxHashMap::default();
    for (number, &update) in updates.iter().enumerate() {
        let name = pool.symbol(&format!("update!{}", number + 1));
        names.insert(update, pool.bool_var(name, NO_INDEX));
    }
    let replaced = formulas.iter().map(|&f| pool.substitute(f, &names)).collect();
    let mut instances = Vec::new();
    for (atom, at) in needed {
        // An update that a lemma speaks of and no formula contains would be the solver's own; there is no such.
        let Some(&name) = names.get(&atom) else {
            return Err("a proof speaks of an update that is in no formula".to_string());
        };
        let instance = instance(pool, atom, at);
        instances.push(pool.implies(name, instance));
    }
    Ok((replaced, instances))
}

/// What an update says at an address.
fn instance(pool: &mut TermPool, atom: TermId, at: TermId) -> TermId {
    let Term::Update {
        new,
        old,
        lo,
        hi,
        source,
    } = pool.term(atom).clone()
    else {
        unreachable!("only updates have instances")
    };
    let bounds = [pool.le(lo, at), pool.lt(at, hi)];
    let inside = pool.and(&bounds);
    let outside = pool.not(inside);
    let after = pool.app(new.name, new.index, &[at]);
    let before = pool.app(old.name, old.index, &[at]);
    let same = pool.eq(after, before);
    let kept = pool.implies(outside, same);
    let written = match source {
        UpdateSource::Havoc => return kept,
        UpdateSource::Const(value) => value,
        UpdateSource::Copy { from, shift } => {
            let there = pool.add(at, shift);
            pool.app(from.name, from.index, &[there])
        }
    };
    let equal = pool.eq(after, written);
    let set = pool.implies(inside, equal);
    pool.and2(set, kept)
}
