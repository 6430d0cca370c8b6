//! States as words of facts, in an order in which their diagram is small.
//!
//! A diagram asks about one scalar after the other, and has as many nodes for one as there are different ways to go on behind those before it. So the order decides between a few hundred edges and a hundred thousand: a variable
//! that follows from others should come right behind them. The best order is hard to find (Bollig and Wegener, *Improving the variable ordering of OBDDs is NP-complete*, IEEE Transactions on Computers 45, 1996).
//! Here the next scalar is always the one behind which there are the fewest nodes. All states are known, so that nodes can be counted without a diagram: two states are at one node if the same is possible behind them.

use crate::explicit::state::assertion::{Assertion, Cell, Literal};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Looks at states for one order; then the rest stays as it is. A million take some ten milliseconds.
const MAX_LOOKS: usize = 40_000_000;
/// States times subjects; with more, the order stays as it is.
const MAX_TABLE: usize = 20_000_000;

/// States as words over numbered facts.
pub(super) struct Words<'s> {
    facts: Vec<&'s Literal>,
    /// In lexicographical order, each once.
    words: Vec<Vec<u32>>,
}

/// The facts that belong together: those about the same scalars.
#[derive(PartialEq, Eq, Hash)]
enum Subject<'s> {
    Scalar(Cell),
    Pair(Cell, Cell),
    Sum(&'s [(Cell, i128)]),
}

impl<'s> Subject<'s> {
    fn of(fact: &'s Literal) -> Subject<'s> {
        match fact {
            Literal::Is(a, _) | Literal::Within(a, ..) | Literal::Not(a, _) => Subject::Scalar(*a),
            Literal::Distance(a, b, _)
            | Literal::Turned(a, b, ..)
            | Literal::AtMost(a, b, _)
            | Literal::Differs(a, b, _) => Subject::Pair(*a, *b),
            Literal::Sum(terms, ..) | Literal::Congruent(terms, ..) => Subject::Sum(terms),
        }
    }
}

impl<'s> Words<'s> {
    /// The words of some states.
    pub fn of(states: &'s BTreeSet<Assertion>) -> Words<'s> {
        let all: FxHashSet<&Literal> = states.iter().flat_map(|state| &state.literals).collect();
        let mut facts: Vec<&Literal> = all.into_iter().collect();
        facts.sort_unstable();
        let mut subjects: FxHashMap<Subject<'_>, u32> = FxHashMap::default();
        let mut numbers: FxHashMap<&Literal, (u32, u32)> = FxHashMap::default();
        for (number, fact) in (0..).zip(&facts) {
            let next = u32::try_from(subjects.len()).expect("facts are numbered with 32 bits");
            numbers.insert(fact, (*subjects.entry(Subject::of(fact)).or_insert(next), number));
        }
        let mut pairs: Vec<Vec<(u32, u32)>> = Vec::with_capacity(states.len());
        for state in states {
            pairs.push(state.literals.iter().map(|fact| numbers[fact]).collect());
        }
        let ranks = match states.len().saturating_mul(subjects.len()) > MAX_TABLE {
            true => (0..subjects.len()).collect(),
            false => ranks(&pairs, subjects.len()),
        };
        let mut words: Vec<Vec<u32>> = Vec::with_capacity(pairs.len());
        // The facts are numbered anew, so that words are compared by ranks.
        let mut order: Vec<(usize, u32)> = numbers
            .values()
            .map(|&(subject, number)| (ranks[subject as usize], number))
            .collect();
        order.sort_unstable();
        let mut anew = vec![0; facts.len()];
        for (new, &(_, number)) in (0..).zip(&order) {
            anew[number as usize] = new;
        }
        for pairs in pairs {
            let mut word: Vec<u32> = pairs.into_iter().map(|(_, number)| anew[number as usize]).collect();
            word.sort_unstable();
            words.push(word);
        }
        words.sort_unstable();
        words.dedup();
        let facts = order.iter().map(|&(_, number)| facts[number as usize]).collect();
        Words { facts, words }
    }

    /// The words, in lexicographical order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.words.iter().map(Vec::as_slice)
    }

    /// The fact with a number.
    pub fn fact(&self, number: u32) -> &'s Literal {
        self.facts[number as usize]
    }
}

/// A number for a set of facts is the sum of those of its facts; so that of a set without some is a difference.
fn mixed(number: u64) -> u64 {
    // SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A state that stands for all that are at the same node and go on in the same way.
#[derive(Clone, Copy)]
struct Standing {
    state: usize,
    node: usize,
    /// The facts that are still to come.
    rest: u64,
}

/// The rank of each subject. `states` has pairs of a subject and a fact.
fn ranks(states: &[Vec<(u32, u32)>], subjects: usize) -> Vec<usize> {
    // For each subject, the number of the facts about it in each state.
    let mut said: Vec<Vec<u64>> = vec![vec![0; states.len()]; subjects];
    for (at, state) in states.iter().enumerate() {
        for &(subject, fact) in state {
            let place = &mut said[subject as usize][at];
            *place = place.wrapping_add(mixed(u64::from(fact)));
        }
    }
    let is_alike = |said: &Vec<u64>| said.windows(2).all(|pair| pair[0] == pair[1]);
    let (mut order, mut open): (Vec<usize>, Vec<usize>) = (0..subjects).partition(|&subject| is_alike(&said[subject]));
    let rest = |state: usize| {
        let said = open.iter().map(|&subject| said[subject][state]);
        said.fold(0, u64::wrapping_add)
    };
    let first = |state| Standing {
        state,
        node: 0,
        rest: rest(state),
    };
    let mut standing: Vec<Standing> = (0..states.len()).map(first).collect();
    let mut left = MAX_LOOKS;
    while !open.is_empty() {
        let looks = standing.len().saturating_mul(open.len());
        if looks > left {
            break;
        }
        left -= looks;
        let width = |&subject: &usize| nodes(&standing, &said[subject]).1;
        let best = (0..open.len())
            .min_by_key(|&at| (width(&open[at]), at))
            .expect("one is open");
        let subject = open.remove(best);
        standing = behind(&standing, &said[subject]);
        order.push(subject);
    }
    order.append(&mut open);
    let mut ranks = vec![0; subjects];
    for (rank, subject) in order.into_iter().enumerate() {
        ranks[subject] = rank;
    }
    ranks
}

/// The edges behind a subject, from nodes by what is said, with what is possible behind each; and the number of nodes behind.
fn nodes(standing: &[Standing], said: &[u64]) -> (FxHashMap<(usize, u64), u64>, usize) {
    let mut edges: FxHashMap<(usize, u64), u64> = FxHashMap::default();
    for one in standing {
        let said = said[one.state];
        let possible = edges.entry((one.node, said)).or_insert(0);
        *possible = possible.wrapping_add(mixed(one.rest.wrapping_sub(said)));
    }
    let different: FxHashSet<u64> = edges.values().copied().collect();
    let count = different.len();
    (edges, count)
}

/// The states at the nodes behind a subject: for each node those of one edge to it.
fn behind(standing: &[Standing], said: &[u64]) -> Vec<Standing> {
    let (edges, _) = nodes(standing, said);
    let mut chosen: FxHashMap<u64, ((usize, u64), usize)> = FxHashMap::default();
    let mut next = Vec::new();
    for one in standing {
        let (said, edge) = (said[one.state], (one.node, said[one.state]));
        let count = chosen.len();
        let &mut (kept, node) = chosen.entry(edges[&edge]).or_insert((edge, count));
        if kept == edge {
            next.push(Standing {
                state: one.state,
                node,
                rest: one.rest.wrapping_sub(said),
            });
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::VarId;
    use crate::explicit::state::assertion::Derived;

    fn is(variable: u32, number: i128) -> Literal {
        let cell = Cell {
            var: VarId(variable),
            leaf: 0,
            depth: 0,
            derived: Derived::Itself,
        };
        Literal::Is(cell, number)
    }

    /// The subjects of a word, in its order.
    fn subjects(words: &Words<'_>, word: &[u32]) -> Vec<Literal> {
        word.iter().map(|&fact| words.fact(fact).clone()).collect()
    }

    #[test]
    fn what_follows_from_a_variable_comes_right_behind_it() {
        // The first three are any numbers, and each of the others is the one three before it.
        let mut states = BTreeSet::new();
        for number in 0..8 {
            let bits = [number & 1, number >> 1 & 1, number >> 2];
            let literals = (0..6u32).map(|at| is(at, bits[at as usize % 3])).collect();
            states.insert(Assertion { literals });
        }
        let words = Words::of(&states);
        assert_eq!(words.iter().count(), 8);
        let first = words.iter().next().expect("there are states");
        let order: Vec<Literal> = subjects(&words, first);
        let expected: Vec<Literal> = [0, 3, 1, 4, 2, 5].map(|at| is(at, 0)).into();
        assert_eq!(order, expected);
    }

    #[test]
    fn the_words_have_the_facts_of_the_states() {
        let states = [vec![is(0, 1), is(1, 2)], vec![is(0, 2), is(1, 2)], vec![is(1, 2)]];
        let states: BTreeSet<Assertion> = states.map(|literals| Assertion { literals }).into();
        let words = Words::of(&states);
        let said: BTreeSet<BTreeSet<Literal>> = words
            .iter()
            .map(|word| subjects(&words, word).into_iter().collect())
            .collect();
        let expected: BTreeSet<BTreeSet<Literal>> = states
            .iter()
            .map(|state| state.literals.iter().cloned().collect())
            .collect();
        assert_eq!(said, expected);
    }
}
