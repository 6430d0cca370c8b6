//! Symbols: numbers that the program does not determine, and the facts of a path about them.
//!
//! A symbol stands for one mathematical integer within the range of the type that it was made for. A value is a symbol plus a constant
//! *modulo 2^w*, where `w` is the width of the type of the value at its place. So addition of constants and truncation are exact
//! without a look at ranges. Operations on the number itself (extension, order) split its range into pieces on which it does not wrap ([`Facts::linear`]).
//!
//! The knowledge about a symbol is a [`Fact`]: an interval, a few excluded values, or that it is another symbol plus a constant. Symbols without
//! a fact have the range of their type, and need no memory. Two symbols may also be in a [relation](super::relation).

use super::arith::{bounds, low_bits, mask};
use super::relation::{Kind, Relation, Relations};
use crate::frontend::types::IntInfo;
use std::rc::Rc;

/// A symbol: a serial number on its path, and its type in the lowest bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub(in crate::explicit) u32);

/// Width less one, and signedness.
const TYPE_BITS: u32 = 7;

impl SymbolId {
    /// The symbol of a number, of an integer type of at most 64 bits. `None` if there are too many.
    pub fn new(serial: u32, info: IntInfo) -> Option<SymbolId> {
        assert!((1..=64).contains(&info.width), "wider integers have no symbols");
        let ty = (info.width - 1) * 2 + u32::from(info.signed);
        (serial < 1 << (32 - TYPE_BITS)).then_some(SymbolId((serial << TYPE_BITS) | ty))
    }

    /// The type that it was made for.
    pub fn info(self) -> IntInfo {
        let ty = self.0 & ((1 << TYPE_BITS) - 1);
        IntInfo {
            width: ty / 2 + 1,
            signed: ty % 2 == 1,
        }
    }
}

/// The knowledge about a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The least value.
    pub lo: i128,
    /// The greatest value.
    pub hi: i128,
    /// Values in between that it does not have, ascending.
    pub except: Vec<i128>,
    /// It is this symbol plus a constant; then nothing else counts.
    pub same: Option<(SymbolId, i128)>,
}

/// Excluded values that are remembered per symbol at most.
const MAX_EXCLUDED: usize = 64;

impl Fact {
    fn of_type(info: IntInfo) -> Fact {
        let (lo, hi) = bounds(info);
        Fact {
            lo,
            hi,
            except: Vec::new(),
            same: None,
        }
    }

    /// Moves the ends of the interval off excluded values. False if nothing is left.
    fn tighten(&mut self) -> bool {
        while self.except.first().is_some_and(|v| *v <= self.lo) {
            if self.except.remove(0) == self.lo {
                self.lo += 1;
            }
        }
        while self.except.last().is_some_and(|v| *v >= self.hi) {
            if self.except.pop() == Some(self.hi) {
                self.hi -= 1;
            }
        }
        self.lo <= self.hi
    }

    /// Whether the symbol has only one value, or is the same as another.
    fn settles(&self) -> bool {
        self.same.is_some() || self.lo == self.hi
    }

    /// The allowed value that is nearest to a wish.
    pub fn nearest(&self, wish: i128) -> i128 {
        let wish = wish.clamp(self.lo, self.hi);
        let free = |v: &i128| *v >= self.lo && *v <= self.hi && self.except.binary_search(v).is_err();
        let around = (0..=i128::from(u32::MAX)).flat_map(|d| [wish + d, wish - d]);
        around.into_iter().find(free).unwrap_or(wish)
    }
}

/// How a symbol plus a constant, as a value of a type, goes with the symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linear {
    /// The number is the symbol plus this constant.
    Exact(i128),
    /// It wraps once: for symbols up to this value the one piece, above it the other.
    Cut(i128),
    /// It wraps more often.
    Many,
}

/// The facts about the symbols of a state, sorted by symbol.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Facts {
    facts: Rc<Vec<(SymbolId, Rc<Fact>)>>,
    /// Relations between symbols that are not the same as others.
    pub relations: Relations,
    /// Number of symbols that have only one value, or are the same as another.
    settled: usize,
}

impl Facts {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Facts in the order of their symbols, and relations between symbols.
    pub fn new(facts: Vec<(SymbolId, Rc<Fact>)>, relations: Relations) -> Facts {
        assert!(facts.is_sorted_by(|(a, _), (b, _)| a < b), "a fact for each symbol");
        let settled = facts.iter().filter(|(_, fact)| fact.settles()).count();
        Facts {
            facts: Rc::new(facts),
            relations,
            settled,
        }
    }

    /// All of them, in the order of their symbols.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(SymbolId, Rc<Fact>)> {
        self.facts.iter()
    }

    /// Number of facts.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether some symbol has only one value, or is the same as another.
    pub fn settles(&self) -> bool {
        self.settled > 0
    }

    fn get(&self, id: SymbolId) -> Option<&Fact> {
        if self.facts.is_empty() {
            return None;
        }
        let at = self.facts.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.facts[at].1)
    }

    /// The fact about a symbol.
    pub fn fact(&self, id: SymbolId) -> Fact {
        self.get(id).cloned().unwrap_or_else(|| Fact::of_type(id.info()))
    }

    /// Whether nothing is known of a symbol, alone or with others.
    pub fn is_free(&self, id: SymbolId) -> bool {
        self.get(id).is_none() && !self.relations.mentions(id)
    }

    /// The interval of a symbol.
    pub fn range(&self, id: SymbolId) -> (i128, i128) {
        self.get(id).map_or_else(|| bounds(id.info()), |f| (f.lo, f.hi))
    }

    fn excludes(&self, id: SymbolId, value: i128) -> bool {
        self.get(id).is_some_and(|f| f.except.binary_search(&value).is_ok())
    }

    fn change(&mut self, id: SymbolId) -> &mut Fact {
        let facts = Rc::make_mut(&mut self.facts);
        let at = match facts.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(at) => at,
            Err(at) => {
                facts.insert(at, (id, Rc::new(Fact::of_type(id.info()))));
                at
            }
        };
        Rc::make_mut(&mut facts[at].1)
    }

    /// Forgets all symbols but some. The facts about these stay.
    pub fn retain(&mut self, keep: impl Fn(SymbolId) -> bool) {
        if self.facts.iter().any(|(id, _)| !keep(*id)) {
            Rc::make_mut(&mut self.facts).retain(|(id, _)| keep(*id));
        }
        self.relations.retain(|r| keep(r.a) && keep(r.b));
        self.settled = self.facts.iter().filter(|(_, fact)| fact.settles()).count();
    }

    /// The symbol that stands for this one, and the constant in between.
    pub fn root(&self, id: SymbolId) -> (SymbolId, i128) {
        let (mut id, mut plus) = (id, 0);
        while let Some((next, distance)) = self.get(id).and_then(|f| f.same) {
            id = next;
            plus += distance;
        }
        (id, plus)
    }

    /// The one value that a symbol can have.
    pub fn pinned(&self, id: SymbolId) -> Option<i128> {
        let fact = self.get(id)?;
        (fact.lo == fact.hi).then_some(fact.lo)
    }

    /// How `id + plus` as a value of a type depends on the symbol.
    pub fn linear(&self, id: SymbolId, plus: u64, info: IntInfo) -> Linear {
        let (lo, hi) = self.range(id);
        let (least, greatest) = bounds(info);
        let period = 1i128 << info.width;
        let plus = i128::from(plus);
        let constant = plus - (lo + plus - least).div_euclid(period) * period;
        if hi + constant <= greatest {
            Linear::Exact(constant)
        } else if hi + constant <= greatest + period {
            Linear::Cut(greatest - constant)
        } else {
            Linear::Many
        }
    }

    /// The values of a symbol that make `id + plus` the bit pattern `bits` of a width: none, one, or maybe several.
    pub fn solve(&self, id: SymbolId, plus: u64, bits: u64, width: u32) -> Solutions {
        let (lo, hi) = self.range(id);
        let period = 1i128 << width;
        let rest = i128::from(bits.wrapping_sub(plus) & mask(width));
        let first = lo + (rest - lo).rem_euclid(period);
        if first > hi {
            Solutions::None
        } else if first + period <= hi {
            Solutions::Several
        } else if self.excludes(id, first) {
            Solutions::None
        } else {
            Solutions::One(first)
        }
    }

    /// Restricts a symbol to an interval. False if nothing is left.
    #[must_use]
    pub fn restrict(&mut self, id: SymbolId, lo: i128, hi: i128) -> bool {
        let (old_lo, old_hi) = self.range(id);
        if lo <= old_lo && hi >= old_hi {
            return true;
        }
        let fact = self.change(id);
        fact.lo = fact.lo.max(lo);
        fact.hi = fact.hi.min(hi);
        let possible = fact.tighten();
        let pinned = fact.lo == fact.hi;
        self.settled += usize::from(pinned);
        possible
    }

    /// Takes a value from a symbol. `None` if nothing is left; false if there is no room to remember it.
    #[must_use]
    pub fn exclude(&mut self, id: SymbolId, value: i128) -> Option<bool> {
        let (lo, hi) = self.range(id);
        if value < lo || value > hi {
            return Some(true);
        }
        let fact = self.change(id);
        let inner = value != lo && value != hi;
        if inner && fact.except.len() >= MAX_EXCLUDED {
            return Some(false);
        }
        if let Err(at) = fact.except.binary_search(&value) {
            fact.except.insert(at, value);
        }
        let possible = fact.tighten();
        let pinned = fact.lo == fact.hi;
        self.settled += usize::from(pinned);
        possible.then_some(true)
    }

    /// Records that the symbol `a` is `b + distance`. Both must be roots. False if that cannot be.
    #[must_use]
    pub fn unify(&mut self, a: SymbolId, b: SymbolId, distance: i128) -> bool {
        if a == b {
            return distance == 0;
        }
        let Fact { lo, hi, except, .. } = self.fact(a);
        if !self.restrict(b, lo - distance, hi - distance) {
            return false;
        }
        for value in except {
            if self.exclude(b, value - distance).is_none() {
                return false;
            }
        }
        self.change(a).same = Some((b, distance));
        self.settled += 1;
        self.relations.replace(a, b, distance)
    }

    /// Lets intervals and relations tell each other what they know. False if that is a contradiction.
    #[must_use]
    pub fn propagate(&mut self) -> bool {
        if self.relations.is_empty() {
            return true;
        }
        // Every round moves a bound along one more relation; to stop early only loses precision.
        for _ in 0..=self.relations.len() {
            let before = Rc::clone(&self.facts);
            for Relation { a, b, kind } in self.relations.iter().copied().collect::<Vec<_>>() {
                let ((a_lo, a_hi), (b_lo, b_hi)) = (self.range(a), self.range(b));
                let possible = match kind {
                    Kind::AtMost(d) => {
                        self.restrict(a, i128::MIN, b_hi.saturating_add(d))
                            && self.restrict(b, a_lo.saturating_sub(d), i128::MAX)
                    }
                    Kind::Not(d) if a_lo == a_hi => self.exclude(b, a_lo - d).is_some(),
                    Kind::Not(d) if b_lo == b_hi => self.exclude(a, b_lo + d).is_some(),
                    Kind::Not(_) => true,
                };
                if !possible {
                    return false;
                }
            }
            if *before == *self.facts {
                break;
            }
        }
        // A relation that follows from the intervals alone need not be kept.
        let ranges = self.clone();
        self.relations.retain(|r| {
            let ((a_lo, a_hi), (b_lo, b_hi)) = (ranges.range(r.a), ranges.range(r.b));
            match r.kind {
                Kind::AtMost(d) => a_hi - b_lo > d,
                Kind::Not(d) => a_lo < a_hi && b_lo < b_hi && a_lo - b_hi <= d && d <= a_hi - b_lo,
            }
        });
        true
    }
}

/// The answer of [`Facts::solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solutions {
    /// No value does it.
    None,
    /// Exactly this value does it.
    One(i128),
    /// More than one value may do it.
    Several,
}

/// The bit pattern of `symbol + plus` when the symbol has a value.
pub fn instance(value: i128, plus: u64, width: u32) -> u64 {
    low_bits(value).wrapping_add(plus) & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::value::arith::number;

    const I8: IntInfo = IntInfo { width: 8, signed: true };
    const U8: IntInfo = IntInfo {
        width: 8,
        signed: false,
    };
    const I32: IntInfo = IntInfo {
        width: 32,
        signed: true,
    };

    /// `linear` against every value of an 8-bit symbol, every constant, and types of equal, smaller and greater width.
    #[test]
    fn the_linear_form_is_exact_on_its_pieces() {
        for own in [I8, U8] {
            let id = SymbolId::new(0, own).unwrap();
            let mut facts = Facts::default();
            let (lo, hi) = bounds(own);
            assert!(facts.restrict(id, lo + 3, hi - 20));
            let (lo, hi) = facts.range(id);
            for ty in [I8, U8, I32] {
                for plus in (0..=255u64).chain([mask(ty.width), mask(ty.width) - 130]) {
                    let values = |s: i128| number(instance(s, plus, ty.width), ty);
                    match facts.linear(id, plus, ty) {
                        Linear::Exact(c) => assert!((lo..=hi).all(|s| values(s) == s + c)),
                        Linear::Cut(cut) => {
                            assert!(lo <= cut && cut < hi);
                            let distance = |s: i128| values(s) - s;
                            assert!((lo..=cut).all(|s| distance(s) == distance(lo)));
                            assert!((cut + 1..=hi).all(|s| distance(s) == distance(hi)));
                        }
                        Linear::Many => panic!("256 values wrap at most once"),
                    }
                }
            }
        }
    }

    #[test]
    fn solutions_are_all_solutions() {
        let id = SymbolId::new(0, I32).unwrap();
        let mut facts = Facts::default();
        assert!(facts.restrict(id, -100, 300));
        assert_eq!(facts.exclude(id, 7), Some(true));
        for bits in 0..=255u64 {
            let hits: Vec<i128> = (-100..=300).filter(|&s| s != 7 && instance(s, 9, 8) == bits).collect();
            match facts.solve(id, 9, bits, 8) {
                Solutions::None => assert!(hits.is_empty()),
                Solutions::One(v) => assert_eq!(hits, [v]),
                Solutions::Several => {}
            }
        }
    }

    #[test]
    fn excluded_ends_move_the_interval() {
        let id = SymbolId::new(3, U8).unwrap();
        let mut facts = Facts::default();
        assert_eq!(facts.exclude(id, 1), Some(true));
        assert_eq!(facts.exclude(id, 0), Some(true));
        assert_eq!(facts.range(id), (2, 255));
        assert!(facts.restrict(id, 0, 3));
        assert_eq!(facts.exclude(id, 3), Some(true));
        assert_eq!(facts.pinned(id), Some(2));
        assert_eq!(facts.exclude(id, 2), None);
        assert_eq!(Fact::of_type(I8).nearest(1000), 127);
    }
}
