//! Updates of memory without quantifiers: their instances at the addresses that matter.
//!
//! An update defines the content of the new version at *every* address. A script has a Boolean in its place, and for some addresses `t` the instance: if
//! the Boolean holds, then the new version holds at `t` the value written or, outside of the range, what the old version held.
//! Every model of the update is one of its instances, so a script with any set of instances that is unsatisfiable refutes the original too.
//!
//! Enough instances are those that a refutation uses: they are the update lemmas in the proof of our solver, which is only asked for them.

use super::{Effort, Solvers};
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::model::Model;
use provident_smt::proof::{LemmaKind, Part, Step};
use provident_smt::solver::Answer;
use provident_smt::term::{NO_INDEX, Term, TermId, TermPool, UpdateSource};
use std::collections::BTreeSet;

/// Formulas without updates, and the instances of the updates.
#[derive(Debug, Default)]
pub struct Replaced {
    /// The formulas.
    pub formulas: Vec<TermId>,
    /// The Booleans that stand for updates of which there are instances, and these updates.
    pub updates: Vec<(TermId, TermId)>,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// An instance of an update: its formula for one address.
#[derive(Debug, Clone, Copy)]
pub struct Instance {
    /// The Boolean that stands for the update.
    pub update: TermId,
    /// The address.
    pub at: TermId,
    /// The formula.
    pub formula: TermId,
}

/// Why there is no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// An obligation does not hold: which one.
    Satisfiable(String),
    /// The solver does not know whether an obligation holds: which one, and why.
    Unknown(String),
}

impl Failure {
    /// The failure with the claim of the obligation in front.
    #[must_use]
    pub fn about(self, claim: &str) -> Failure {
        let text = |why: String| format!("the obligation that {claim}: {why}");
        match self {
            Failure::Satisfiable(why) => Failure::Satisfiable(text(why)),
            Failure::Unknown(why) => Failure::Unknown(text(why)),
        }
    }
}

/// The formulas with instances instead of updates, and the instances. Formulas without updates stay as they are; one of the `solvers` is asked about
/// them only if they are `doubtful`. If there is a model, `on_model` gets it.
///
/// # Errors
/// The formulas are not unsatisfiable, or the solver does not find out.
pub fn without_updates(
    pool: &mut TermPool,
    formulas: &[TermId],
    doubtful: bool,
    (solvers, effort): (&mut dyn Solvers, Effort),
    on_model: &mut dyn FnMut(&TermPool, &Model),
) -> Result<Replaced, Failure> {
    let unknown = |why: &str| Failure::Unknown(why.to_string());
    let updates: Vec<TermId> = pool
        .sub_terms(formulas)
        .into_iter()
        .filter(|&term| matches!(pool.term(term), Term::Update { .. }))
        .collect();
    if updates.is_empty() && !doubtful {
        return Ok(Replaced {
            formulas: formulas.to_vec(),
            ..Replaced::default()
        });
    }
    let mut solver = solvers.solver(effort);
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    let answer = solver.check(pool, &[]);
    solvers.charge(&solver);
    match answer {
        Answer::Unsat => {}
        Answer::Sat => {
            let model = solver.model(pool);
            on_model(pool, &model);
            return Err(Failure::Satisfiable("it is satisfiable".to_string()));
        }
        Answer::Unknown(reason) => return Err(unknown(&format!("the solver does not know: {reason:?}"))),
    }
    let proof = solver
        .proof()
        .ok_or_else(|| unknown("the solver has no proof"))?
        .trimmed();
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
    let mut replaced = Replaced {
        formulas: formulas.iter().map(|&f| pool.substitute(f, &names)).collect(),
        ..Replaced::default()
    };
    let mut said = BTreeSet::new();
    for (atom, at) in needed {
        // An update that a lemma speaks of and no formula contains would be the solver's own; there is no such.
        let Some(&update) = names.get(&atom) else {
            return Err(unknown("a proof speaks of an update that is in no formula"));
        };
        if said.insert(update) {
            replaced.updates.push((update, atom));
        }
        let one = pool.int(1);
        let address = if planted("instance-elsewhere") {
            pool.add(at, one)
        } else {
            at
        };
        let formula = instance(pool, atom, address);
        let formula = pool.implies(update, formula);
        replaced.instances.push(Instance { update, at, formula });
    }
    Ok(replaced)
}

/// The formula of an update at an address.
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
    let bounds = match planted("update-too-far") {
        true => [pool.le(lo, at), pool.le(at, hi)],
        false => [pool.le(lo, at), pool.lt(at, hi)],
    };
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
