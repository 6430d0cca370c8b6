//! Whether equations, disequations and bounds contradict each other by equality and congruence alone.
//!
//! Sets of equal terms are joined in passes over all applications in order of their ids, arguments before what is made of them, until
//! a pass finds nothing new. That is slower than a congruence closure with use lists, and shares nothing with the solver's.

use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

/// The claim of a hypothesis.
enum Claim {
    Equal(TermId, TermId),
    Different(TermId, TermId),
    /// `leaf <= k`, and whether.
    Below(TermId, Int, bool),
}

/// Disjoint sets of terms.
#[derive(Default)]
struct Classes {
    parents: FxHashMap<TermId, TermId>,
}

impl Classes {
    fn find(&mut self, term: TermId) -> TermId {
        let mut at = term;
        loop {
            let parent = *self.parents.entry(at).or_insert(at);
            if parent == at {
                break;
            }
            let above = self.parents[&parent];
            self.parents.insert(at, above);
            at = above;
        }
        at
    }

    /// Whether they were different before.
    fn join(&mut self, a: TermId, b: TermId) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parents.insert(a, b);
        a != b
    }
}

/// Whether no interpretation of equality makes all hypotheses (atoms with their values) true. Atoms of other shapes than `a = b`, `a = k` and `a <= k`
/// say nothing here.
pub(super) fn contradictory(pool: &mut TermPool, hypotheses: &[(TermId, bool)]) -> bool {
    let claims: Vec<Claim> = hypotheses
        .iter()
        .filter_map(|&(atom, value)| claim(pool, atom, value))
        .collect();
    let mut sides: Vec<TermId> = Vec::new();
    let mut classes = Classes::default();
    for claim in &claims {
        match claim {
            Claim::Equal(a, b) => {
                classes.join(*a, *b);
                sides.extend([*a, *b]);
            }
            Claim::Different(a, b) => sides.extend([*a, *b]),
            Claim::Below(a, ..) => sides.push(*a),
        }
    }
    let terms = all_parts(pool, sides);
    let mut changed = true;
    while changed {
        changed = false;
        let mut known: FxHashMap<(Symbol, Vec<TermId>), TermId> = FxHashMap::default();
        for &term in &terms {
            if let Term::App(function, arguments) = pool.term(term) {
                let arguments = arguments.iter().map(|&a| classes.find(a)).collect();
                let other = *known.entry((*function, arguments)).or_insert(term);
                changed |= classes.join(term, other);
            }
        }
    }
    let mut constants: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &term in &terms {
        if matches!(pool.term(term), Term::Const(_)) {
            let class = classes.find(term);
            if *constants.entry(class).or_insert(term) != term {
                return true;
            }
        }
    }
    let mut bounds: FxHashMap<(TermId, &Int), bool> = FxHashMap::default();
    claims.iter().any(|claim| match claim {
        Claim::Equal(..) => false,
        Claim::Different(a, b) => classes.find(*a) == classes.find(*b),
        Claim::Below(a, k, value) => *bounds.entry((classes.find(*a), k)).or_insert(*value) != *value,
    })
}

/// The terms and all their parts through applications, parts first.
fn all_parts(pool: &TermPool, roots: Vec<TermId>) -> Vec<TermId> {
    let mut seen: FxHashMap<TermId, ()> = FxHashMap::default();
    let mut open = roots;
    while let Some(term) = open.pop() {
        if seen.insert(term, ()).is_none()
            && let Term::App(_, arguments) = pool.term(term)
        {
            open.extend(arguments.iter().copied());
        }
    }
    let mut all: Vec<TermId> = seen.into_keys().collect();
    all.sort_unstable();
    all
}

fn claim(pool: &mut TermPool, atom: TermId, value: bool) -> Option<Claim> {
    let (sum, is_equation) = match *pool.term(atom) {
        Term::Eq(sum) => (sum, true),
        Term::Le(sum) => (sum, false),
        _ => return None,
    };
    let mut monomials: Vec<(Int, TermId)> = Vec::new();
    let constant = pool.for_each_monomial(sum, |coeff, leaf| monomials.push((coeff.clone(), leaf)));
    let minus_one = -Int::ONE;
    match (&monomials[..], is_equation) {
        ([(one, leaf)], false) if one.is_one() => Some(Claim::Below(*leaf, -constant, value)),
        ([(one, leaf)], true) if one.is_one() => {
            let (leaf, constant) = (*leaf, pool.int(-constant));
            Some(equation(leaf, constant, value))
        }
        ([(k, a), (l, b)], true) if constant.is_zero() && k.is_one() && *l == minus_one => {
            Some(equation(*a, *b, value))
        }
        _ => None,
    }
}

fn equation(a: TermId, b: TermId, value: bool) -> Claim {
    if value {
        Claim::Equal(a, b)
    } else {
        Claim::Different(a, b)
    }
}
