//! Smaller proofs: recycling of pivots, and lowering of units.
//!
//! * *Recycling pivots with intersection* (Bar-Ilan, Fuhrmann, Hoory, Shacham, Strichman, *Linear-time reductions of resolution proofs*, 2008;
//!   Fontaine, Merz, Woltzenlogel Paleo, *Compression of propositional resolution proofs via partial regularization*, 2011): a resolution is not needed if,
//!   on all ways from its result to the empty clause, one of the two literals that it resolves is resolved away later anyway. Then the premise
//!   with that literal takes the place of the result.
//! * *Lowering units* (same paper): a unit clause that is resolved with several times is resolved with once, at the end.
//!
//! Both mark resolutions to leave out; then the proof is built again from its leaves, with the clauses that result. A clause may lose literals by
//! that, and resolutions on them are left out too.

use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::{ClauseId, Lit, Proof, Step, Var};

/// The effect of the reduction on one resolution of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// The result so far stands for the resolvent.
    KeepsLeft,
    /// The antecedent stands for the resolvent.
    KeepsRight,
}

/// A refutation by a subset of the resolutions, trimmed.
pub(super) fn reduce(proof: &Proof) -> Proof {
    let recycled = rebuild(proof, &redundant(proof), &[]);
    let units = repeated_units(&recycled);
    let none = vec![Vec::new(); recycled.len()];
    rebuild(&recycled, &none, &units)
}

/// The literal of a pivot in the antecedent that a chain resolves with.
fn right_literal(proof: &Proof, antecedent: ClauseId, pivot: Var) -> Lit {
    if proof.clause(antecedent).contains(&pivot.positive()) {
        pivot.positive()
    } else {
        pivot.negative()
    }
}

/// Recycling of pivots: for each chain what becomes of its resolutions.
fn redundant(proof: &Proof) -> Vec<Vec<Fate>> {
    // The literals that are resolved away on all ways from a clause to the empty clause; none if there is no way (yet).
    let mut safe: Vec<Option<FxHashSet<Lit>>> = vec![None; proof.len()];
    safe[proof.empty.index()] = Some(FxHashSet::default());
    let mut fates = vec![Vec::new(); proof.len()];
    for index in (0..=proof.empty.index()).rev() {
        let Step::Chain { antecedents, pivots } = &proof.steps[index] else {
            continue;
        };
        let Some(mut here) = safe[index].take() else { continue };
        let mut fate = vec![Fate::KeepsLeft; pivots.len()];
        let mut all_replaced = false;
        for (position, (&antecedent, &pivot)) in antecedents[1..].iter().zip(pivots.iter()).enumerate().rev() {
            let right = right_literal(proof, antecedent, pivot);
            if here.contains(&!right) {
                continue;
            }
            if here.contains(&right) {
                fate[position] = Fate::KeepsRight;
                meet(&mut safe[antecedent.index()], here.clone());
                all_replaced = true;
                break;
            }
            fate[position] = Fate::Kept;
            let mut on_the_right = here.clone();
            on_the_right.insert(right);
            meet(&mut safe[antecedent.index()], on_the_right);
            here.insert(!right);
        }
        if !all_replaced {
            meet(&mut safe[antecedents[0].index()], here);
        }
        fates[index] = fate;
    }
    fates
}

fn meet(known: &mut Option<FxHashSet<Lit>>, other: FxHashSet<Lit>) {
    match known {
        Some(literals) => literals.retain(|lit| other.contains(lit)),
        None => *known = Some(other),
    }
}

/// The unit clauses that several resolutions use, in order.
fn repeated_units(proof: &Proof) -> Vec<ClauseId> {
    let mut uses: FxHashMap<ClauseId, usize> = FxHashMap::default();
    for step in &proof.steps {
        if let Step::Chain { antecedents, .. } = step {
            for antecedent in antecedents {
                *uses.entry(*antecedent).or_default() += 1;
            }
        }
    }
    let mut units: Vec<ClauseId> = uses
        .into_iter()
        .filter(|&(id, count)| count > 1 && proof.clause(id).len() == 1)
        .map(|(id, _)| id)
        .collect();
    units.sort_unstable();
    // Two units of one variable would contradict each other at once.
    let mut seen: FxHashSet<Var> = FxHashSet::default();
    units.retain(|&id| seen.insert(proof.clause(id)[0].var()));
    units
}

/// The proof without the resolutions that have such a fate, and with these units resolved at the end only.
fn rebuild(proof: &Proof, fates: &[Vec<Fate>], units: &[ClauseId]) -> Proof {
    let lowered: FxHashSet<ClauseId> = units.iter().copied().collect();
    let mut out = Proof::new(proof.atoms.clone());
    let mut renamed: Vec<ClauseId> = Vec::with_capacity(proof.len());
    for (index, fates) in fates.iter().enumerate().take(proof.empty.index() + 1) {
        let id = ClauseId(u32::try_from(index).expect("clause numbers are 32 bits"));
        let Step::Chain { antecedents, pivots } = &proof.steps[index] else {
            renamed.push(out.push(proof.clause(id), proof.steps[index].clone()));
            continue;
        };
        let mut chain = Chain::new(&out, renamed[antecedents[0].index()]);
        let mut standing = !lowered.contains(&antecedents[0]);
        for (position, (&antecedent, &pivot)) in antecedents[1..].iter().zip(pivots.iter()).enumerate() {
            let fate = fates.get(position).copied().unwrap_or(Fate::Kept);
            let next = renamed[antecedent.index()];
            let right = right_literal(proof, antecedent, pivot);
            if !standing || fate == Fate::KeepsRight {
                // The literals before are lowered units, or not needed.
                chain = Chain::new(&out, next);
                standing = true;
            } else if fate == Fate::Kept && !lowered.contains(&antecedent) {
                chain.resolve(&out, next, right);
            }
        }
        renamed.push(chain.finish(&mut out));
    }
    let mut last = Chain::new(&out, renamed[proof.empty.index()]);
    for &unit in units.iter().rev() {
        last.resolve(&out, renamed[unit.index()], proof.clause(unit)[0]);
    }
    out.empty = last.finish(&mut out);
    assert!(
        out.clause(out.empty).is_empty(),
        "leaving out resolutions keeps the refutation"
    );
    out.trimmed()
}

/// A chain under construction.
struct Chain {
    literals: Vec<Lit>,
    antecedents: Vec<ClauseId>,
    pivots: Vec<Var>,
}

impl Chain {
    fn new(out: &Proof, first: ClauseId) -> Self {
        Chain {
            literals: out.clause(first).to_vec(),
            antecedents: vec![first],
            pivots: Vec::new(),
        }
    }

    /// Resolves with a clause that had the literal. If one of the two has no literal of this variable any more, it implies the resolvent.
    fn resolve(&mut self, out: &Proof, next: ClauseId, right: Lit) {
        if !self.literals.contains(&!right) {
            return;
        }
        if !out.clause(next).contains(&right) {
            *self = Chain::new(out, next);
            return;
        }
        self.literals.retain(|&lit| lit != !right);
        for &lit in out.clause(next).iter().filter(|&&lit| lit != right) {
            if !self.literals.contains(&lit) {
                self.literals.push(lit);
            }
        }
        self.antecedents.push(next);
        self.pivots.push(right.var());
    }

    fn finish(self, out: &mut Proof) -> ClauseId {
        if let [only] = self.antecedents[..] {
            return only;
        }
        let step = Step::Chain {
            antecedents: self.antecedents.into(),
            pivots: self.pivots.into(),
        };
        out.push(&self.literals, step)
    }
}
