//! Updates of functions as facts about the places where their results are read.

use crate::hash::{FxHashMap, FxHashSet};
use crate::term::{Symbol, Term, TermId, TermPool, UpdateSource};

/// Instances at most.
const MAX_INSTANCES: usize = 2_000;

/// The instances of the updates in some formulas, and the functions that have to do with updates.
pub(super) struct Instances {
    /// Formulas that follow from the ones that were given, whatever the functions are.
    pub formulas: Vec<TermId>,
    /// The functions that are updated, and those from which values are copied.
    pub cells: FxHashSet<Symbol>,
}

/// The instances of updates at all places where formulas apply the functions that result: an update that holds says what the new function has at this place, which is often what
/// the old one has there. The old one is then applied, too, and may itself be the result of an update.
///
/// Where these are very many, some are left out.
pub(super) fn instances(pool: &mut TermPool, formulas: &[TermId]) -> Instances {
    let mut writers: FxHashMap<Symbol, Vec<TermId>> = FxHashMap::default();
    let mut cells = FxHashSet::default();
    let mut places: Vec<(Symbol, TermId)> = Vec::new();
    for term in pool.sub_terms(formulas) {
        match *pool.term(term) {
            Term::Update { new, old, source, .. } => {
                writers.entry(new).or_default().push(term);
                cells.extend([new, old]);
                if let UpdateSource::Copy { from, .. } = source {
                    cells.insert(from);
                }
            }
            Term::App(symbol, ref arguments) if arguments.len() == 1 => places.push((symbol, arguments[0])),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let mut seen: FxHashSet<(Symbol, TermId)> = places.iter().copied().collect();
    let mut next = 0;
    while let Some(&(symbol, x)) = places.get(next) {
        next += 1;
        for &update in writers.get(&symbol).into_iter().flatten() {
            if found.len() >= MAX_INSTANCES {
                return Instances { formulas: found, cells };
            }
            let (instance, read) = instance(pool, update, x);
            found.push(pool.implies(update, instance));
            places.extend(read.into_iter().filter(|&place| seen.insert(place)));
        }
    }
    Instances { formulas: found, cells }
}

/// The statement of an update about a place, and the places at which other functions are applied for that.
fn instance(pool: &mut TermPool, update: TermId, x: TermId) -> (TermId, Vec<(Symbol, TermId)>) {
    let Term::Update {
        new,
        old,
        lo,
        hi,
        source,
    } = *pool.term(update)
    else {
        unreachable!("the writers are updates");
    };
    let mut read = vec![(old, x)];
    let [after, before] = [new, old].map(|f| pool.app(f.name, f.index, &[x]));
    let kept = pool.eq(after, before);
    if lo == hi {
        return (kept, read);
    }
    let written = match source {
        UpdateSource::Havoc => pool.mk_true(),
        UpdateSource::Const(value) => pool.eq(after, value),
        UpdateSource::Copy { from, shift } => {
            let at = pool.add(x, shift);
            read.push((from, at));
            let copied = pool.app(from.name, from.index, &[at]);
            pool.eq(after, copied)
        }
    };
    let (above, below) = (pool.le(lo, x), pool.lt(x, hi));
    let is_within = pool.and2(above, below);
    (pool.ite(is_within, written, kept), read)
}
