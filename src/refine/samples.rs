//! Samples: the values of variables at the visits of a location along an error path, in several models. [Guesses](super::guess) are made from them.

use super::path::ErrorPath;
use crate::cfa::NodeId;
use crate::cpa::predicate::Predicates;
use crate::encode::Encoder;
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeMap;

/// More variables are not looked at together.
const MAX_VARIABLES: usize = 8;

/// The positions among a path's boundaries at which it visits each location, in order of the locations.
pub fn visits(predicates: &Predicates<'_>, path: &ErrorPath) -> BTreeMap<NodeId, Vec<usize>> {
    let mut visits: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (position, node) in path.locations(predicates).into_iter().enumerate() {
        visits.entry(node).or_default().push(position);
    }
    visits
}

/// The integer variables, without versions, that the block behind the first visit reads at its beginning.
pub fn variables(predicates: &mut Predicates<'_>, path: &ErrorPath, visits: &[usize]) -> Vec<TermId> {
    let Predicates {
        blocks, encoder, pool, ..
    } = predicates;
    let mut names = BTreeMap::new();
    for &position in &visits[..visits.len() - 1] {
        for term in pool.sub_terms(&[blocks.formula(path.blocks[position + 1]).formula]) {
            if let Term::IntVar(symbol) = *pool.term(term)
                && symbol.index == 0
                && encoder.slot_of(pool.name(symbol.name)).is_some()
            {
                names.insert(pool.name(symbol.name).to_string(), symbol.name);
            }
        }
    }
    let names: Vec<_> = names.into_values().take(MAX_VARIABLES).collect();
    names
        .into_iter()
        .map(|name| pool.int_var(name, provident_smt::term::NO_INDEX))
        .collect()
}

/// The comparisons in the blocks between the visits, without versions; in which a symbol would have had two versions, left out.
pub fn comparisons(predicates: &mut Predicates<'_>, path: &ErrorPath, visits: &[usize]) -> Vec<TermId> {
    let Predicates {
        blocks, encoder, pool, ..
    } = predicates;
    let mut found = Vec::new();
    for pair in visits.windows(2) {
        for &block in &path.blocks[pair[0] + 1..=pair[1]] {
            for atom in pool.atoms(blocks.formula(block).formula) {
                let symbols = pool.symbols(atom);
                let mut names: Vec<_> = symbols.iter().map(|s| s.name).collect();
                names.sort_unstable();
                names.dedup();
                let is_comparison = matches!(pool.term(atom), Term::Le(_)) && !is_range(encoder, pool, atom);
                let is_variable = |name| encoder.slot_of(pool.name(name)).is_some();
                if is_comparison && names.len() == symbols.len() && names.into_iter().all(is_variable) {
                    let atom = encoder.uninstantiate(pool, atom);
                    if !found.contains(&atom) {
                        found.push(atom);
                    }
                }
            }
        }
    }
    found
}

/// Whether an atom only says that a variable is in the range of its type.
fn is_range(encoder: &Encoder<'_>, pool: &mut TermPool, atom: TermId) -> bool {
    let [symbol] = pool.symbols(atom)[..] else { return false };
    let Some((low, high)) = encoder.symbol_range(pool.name(symbol.name)) else {
        return false;
    };
    let variable = pool.int_var(symbol.name, symbol.index);
    let (low, high) = (pool.int(low), pool.int(high));
    let bounds = [
        pool.le(low, variable),
        pool.lt(variable, low),
        pool.le(variable, high),
        pool.lt(high, variable),
    ];
    bounds.into_iter().any(|bound| bound == atom || pool.not(bound) == atom)
}

/// The values of variables at the visits, one row for each visit in each model of the path up to the last of them.
///
/// The models are made to differ in the variables at the first visit, one after the other.
pub fn rows(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    visits: &[usize],
    variables: &[TermId],
) -> Vec<Vec<Int>> {
    let Predicates {
        blocks,
        encoder,
        pool,
        effort,
        ..
    } = predicates;
    let last = visits[visits.len() - 1];
    let (parts, ends) = blocks.chain_with_ends(encoder, pool, &path.blocks[..=last]);
    let mut versioned = Vec::new();
    for &visit in visits {
        let row: Vec<TermId> = variables.iter().map(|&v| ends[visit].instantiate(pool, v)).collect();
        versioned.push(row);
    }
    let mut solver = effort.solver();
    solver.set_tick_budget(Some(effort.for_one_question()));
    for part in parts {
        solver.assert(pool, part, Part(0));
    }
    let mut rows: Vec<Vec<Int>> = Vec::new();
    let mut different = pool.mk_true();
    for next in 0..=variables.len() {
        solver.push();
        solver.assert(pool, different, Part(0));
        if solver.check(pool, &[]) == Answer::Sat {
            let model = solver.model(pool);
            let mut values = model.evaluator(pool);
            for row in &versioned {
                rows.push(row.iter().map(|&v| values.eval_int(v)).collect());
            }
        }
        solver.pop();
        if next == variables.len() || rows.is_empty() {
            break;
        }
        let start = versioned[0][next];
        let seen: Vec<Int> = rows.iter().step_by(visits.len()).map(|row| row[next].clone()).collect();
        let mut distinct = Vec::new();
        for value in seen {
            let value = pool.int(value);
            distinct.push(pool.ne(start, value));
        }
        different = pool.and(&distinct);
    }
    effort.charge(&solver);
    rows
}
