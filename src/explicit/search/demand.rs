//! Bits of inputs that a path demands: where a mask, a shift or a conversion has a result that a condition speaks of, the bits of the result have to be those of the input.
//!
//! A path has an interval for each symbol. That of `x & 3` says nothing of `x`, so that a value of `x` that is chosen alone rarely has the bits that the path needs. But the
//! [word](crate::explicit::value::word) of the result says which bit comes from where. Results are looked at from the latest to the earliest: each gets a value that its facts and the demands of later results allow,
//! and hands its bits down to the symbols that they come from.
//!
//! Nothing depends on success: the replay judges the inputs.

use crate::explicit::value::arith::{low_bits, mask, number};
use crate::explicit::value::memo::{Known, Memo};
use crate::explicit::value::symbol::{Facts, SymbolId};
use crate::explicit::value::word::{Bit, Word};
use provident_smt::hash::FxHashMap;

/// Some bits of a symbol: which, and what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    known: u64,
    ones: u64,
}

impl Bits {
    /// The pattern with these bits, otherwise as it is.
    fn applied(self, pattern: u64) -> u64 {
        pattern & !self.known | self.ones
    }
}

/// The demands on the symbols of a path.
#[derive(Debug, Default)]
pub(super) struct Demands(FxHashMap<SymbolId, Bits>);

impl Demands {
    /// Collects them. Linear in the number of results that the path has noted.
    pub(super) fn new(facts: &Facts, memo: &Memo) -> Demands {
        let mut demands = Demands::default();
        let mut words: Vec<(SymbolId, &Word)> = memo
            .iter()
            .filter_map(|(known, id)| match known {
                Known::Bits(word) => Some((*id, word)),
                Known::Result(_) | Known::Function(_) | Known::Element(_) | Known::Sum(_) => None,
            })
            .collect();
        // Symbols are numbered as they come.
        words.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
        for (id, word) in words {
            if let Some(pattern) = demands.choose(facts, id, word) {
                demands.hand_down(facts, word, pattern);
            }
        }
        demands
    }

    /// A pattern for a result that its facts and its demands allow; `None` if anything will do, or nothing is found.
    fn choose(&self, facts: &Facts, id: SymbolId, word: &Word) -> Option<u64> {
        let info = id.info();
        if word.width() != info.width {
            return None;
        }
        let demanded = self.0.get(&id).copied().unwrap_or_default();
        let (root, plus) = facts.root(id);
        let fact = facts.fact(root);
        let is_bounded = (fact.lo + plus, fact.hi + plus) != word.range(info) || !fact.except.is_empty() || root != id;
        if !is_bounded && demanded == Bits::default() {
            return None;
        }
        let mut constant = Bits::default();
        for (at, bit) in (0..).zip(word.bits()) {
            if let Bit::Is(one) = bit {
                constant.known |= 1 << at;
                constant.ones |= u64::from(*one) << at;
            }
        }
        let all = mask(info.width);
        let fits = |pattern: &u64| {
            let value = number(*pattern, info) - plus;
            constant.applied(*pattern) == *pattern
                && demanded.applied(*pattern) == *pattern
                && fact.nearest(value) == value
        };
        let nearest = |wish: i128| low_bits(fact.nearest(wish - plus) + plus) & all;
        let single = (0..info.width).map(|at| 1u64 << at);
        let guesses = [
            nearest(0),
            0,
            all,
            nearest(i128::from(u32::MAX)),
            low_bits(fact.hi + plus),
        ];
        let guesses = guesses.into_iter().chain(single);
        guesses
            .map(|guess| demanded.applied(constant.applied(guess)) & all)
            .find(fits)
    }

    /// Demands the bits of a result from the symbols that they come from.
    fn hand_down(&mut self, facts: &Facts, word: &Word, pattern: u64) {
        for (at, bit) in (0..).zip(word.bits()) {
            if let Bit::Of(from, place, negated) = *bit {
                let one = (pattern >> at & 1 == 1) != negated;
                // A symbol that is the same as another one gets the value of that one.
                let from = match facts.root(from) {
                    (root, 0) if root.info() == from.info() => root,
                    _ => from,
                };
                let bits = self.0.entry(from).or_default();
                if bits.known >> place & 1 == 0 {
                    bits.known |= 1 << place;
                    bits.ones |= u64::from(one) << place;
                }
            }
        }
    }

    /// The value of a symbol that is near to a wish and has the demanded bits, if its facts allow that.
    pub(super) fn value(&self, facts: &Facts, id: SymbolId, wish: i128) -> i128 {
        let fact = facts.fact(id);
        let near = fact.nearest(wish);
        let Some(bits) = self.0.get(&id) else {
            return near;
        };
        let with = |value: i128| number(bits.applied(low_bits(value)) & mask(id.info().width), id.info());
        let candidates = [near, 0, fact.lo, fact.hi].map(with);
        let allowed = |value: &i128| fact.nearest(*value) == *value;
        candidates.into_iter().find(allowed).unwrap_or(near)
    }
}
