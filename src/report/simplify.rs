//! Simpler texts of invariants.
//!
//! An invariant is a disjunction over abstract states, each a conjunction of all predicates that hold there. Most of these follow from others: `i > 0` says all that `i > -1` says,
//! and a state that is stronger than another one adds nothing to the disjunction. The formulas behind the texts stay as they are, because proofs rest on them; a part is only left
//! out if it follows from the others, and a part that is not understood stays as it is.
//!
//! Variables and terms stand for integers, so a bound is inclusive, and `i > -1` becomes `i >= 0`.

use std::collections::{BTreeMap, BTreeSet};

/// Texts with more disjuncts than this are not compared with each other.
const MAX_COMPARED: usize = 200;

/// A formula as it is read from a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Formula {
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Atom(String),
}

/// The known bounds of the value of a term.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    least: Option<i128>,
    most: Option<i128>,
    /// Values between the bounds that it does not have.
    without: BTreeSet<i128>,
}

/// A conjunction: ranges of terms, atoms that are not understood, and disjunctions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Conjunction {
    ranges: BTreeMap<String, Range>,
    others: BTreeSet<String>,
}

/// The disjuncts of an invariant without redundant parts, and without those that follow from others. One of them holds exactly where one of `disjuncts` holds.
pub fn simplified(disjuncts: &[String]) -> Vec<String> {
    let formulas: Vec<Formula> = disjuncts.iter().map(|text| parse(text)).collect();
    let mut parts = Vec::new();
    formulas.iter().for_each(|formula| flatten(formula, &mut parts));
    disjunction(&parts).iter().map(Conjunction::text).collect()
}

/// The conjunctions of a disjunction, without those that follow from others; none if it cannot hold.
fn disjunction(parts: &[&Formula]) -> BTreeSet<Conjunction> {
    let mut found: BTreeSet<Conjunction> = parts.iter().copied().filter_map(conjunction).collect();
    if found.len() > MAX_COMPARED {
        return found;
    }
    merge(&mut found);
    let all: Vec<Conjunction> = found.into_iter().collect();
    // Different conjunctions that imply each other would both go; they are not different behind the normal form, but the order decides in any case.
    let is_redundant = |at: usize| {
        let implied = |other: usize| other != at && all[at].implies(&all[other]);
        (0..all.len()).any(|other| implied(other) && (!all[other].implies(&all[at]) || other < at))
    };
    (0..all.len())
        .filter(|&at| !is_redundant(at))
        .map(|at| all[at].clone())
        .collect()
}

/// Two conjunctions that differ in one opposite are one without it: `a && p` or `a && !p` is `a`; neighbouring ranges of a term become one.
fn merge(found: &mut BTreeSet<Conjunction>) {
    loop {
        let all: Vec<&Conjunction> = found.iter().collect();
        let pair = all.iter().enumerate().find_map(|(at, a)| {
            let merged = all[at + 1..].iter().find_map(|b| Some(((*b).clone(), a.joined(b)?)));
            merged.map(|(b, joined)| ((*a).clone(), b, joined))
        });
        let Some((a, b, joined)) = pair else { return };
        found.remove(&a);
        found.remove(&b);
        found.insert(joined);
    }
}

/// The disjuncts of a formula, also of disjunctions inside of it that stand alone.
fn flatten<'f>(formula: &'f Formula, parts: &mut Vec<&'f Formula>) {
    match formula {
        Formula::Or(list) => list.iter().for_each(|part| flatten(part, parts)),
        other => parts.push(other),
    }
}

/// The conjunction of a formula; none if it cannot hold.
fn conjunction(formula: &Formula) -> Option<Conjunction> {
    let mut found = Conjunction::default();
    found.add(formula).then_some(())?;
    for range in found.ranges.values_mut() {
        range.close().then_some(())?;
    }
    found.ranges.retain(|_, range| *range != Range::default());
    Some(found)
}

impl Conjunction {
    /// Adds a part. Returns false if it is `false`.
    fn add(&mut self, formula: &Formula) -> bool {
        match formula {
            Formula::And(list) => return list.iter().all(|part| self.add(part)),
            Formula::Or(_) => {
                let mut parts = Vec::new();
                flatten(formula, &mut parts);
                let mut simple = disjunction(&parts);
                if simple.len() > 1 {
                    let texts: Vec<String> = simple.iter().map(Conjunction::text).collect();
                    self.others.insert(format!("({})", texts.join(" || ")));
                    return true;
                }
                let Some(one) = simple.pop_first() else { return false };
                for (term, range) in one.ranges {
                    self.ranges.entry(term).or_default().meet(range);
                }
                self.others.extend(one.others);
            }
            Formula::Atom(atom) if atom == "1" => {}
            Formula::Atom(atom) if atom == "0" => return false,
            Formula::Atom(atom) => match comparison(atom) {
                Some((term, op, value)) => self.ranges.entry(term.to_string()).or_default().add(op, value),
                None => drop(self.others.insert(atom.clone())),
            },
        }
        true
    }

    fn implies(&self, other: &Conjunction) -> bool {
        let is_known = |(term, range): (&String, &Range)| self.ranges.get(term).is_some_and(|own| own.implies(range));
        other.ranges.iter().all(is_known) && other.others.is_subset(&self.others)
    }

    /// The conjunction that holds exactly where one of both holds, if they differ in the range of one term and the ranges together are one.
    fn joined(&self, other: &Conjunction) -> Option<Conjunction> {
        if self.others != other.others || !self.ranges.keys().eq(other.ranges.keys()) {
            return None;
        }
        let mut different = self
            .ranges
            .iter()
            .filter(|(term, range)| other.ranges[*term] != **range);
        let ((term, range), None) = (different.next()?, different.next()) else {
            return None;
        };
        let joined = range.joined(&other.ranges[term])?;
        let mut whole = self.clone();
        match joined == Range::default() {
            true => drop(whole.ranges.remove(term)),
            false => drop(whole.ranges.insert(term.clone(), joined)),
        }
        Some(whole)
    }

    fn text(&self) -> String {
        let ranges = self.ranges.iter().flat_map(|(term, range)| range.texts(term));
        let parts: Vec<String> = ranges.chain(self.others.iter().cloned()).collect();
        if parts.is_empty() {
            "1".to_string()
        } else {
            parts.join(" && ")
        }
    }
}

impl Range {
    fn add(&mut self, op: &str, value: i128) {
        let least = |value: i128| (Some(value), None);
        let (low, high) = match op {
            "==" => (Some(value), Some(value)),
            ">=" => least(value),
            ">" => least(value + 1),
            "<=" => (None, Some(value)),
            "<" => (None, Some(value - 1)),
            _ => {
                self.without.insert(value);
                return;
            }
        };
        self.meet(Range {
            least: low,
            most: high,
            without: BTreeSet::new(),
        });
    }

    /// Leaves the values that are in another range, too.
    fn meet(&mut self, other: Range) {
        self.least = self.least.max(other.least);
        self.most = [self.most, other.most].into_iter().flatten().min();
        self.without.extend(other.without);
    }

    /// Takes excluded values at the bounds into the bounds. Returns whether a value is left.
    fn close(&mut self) -> bool {
        while let Some(least) = self.least.filter(|least| self.without.remove(least)) {
            self.least = Some(least + 1);
        }
        while let Some(most) = self.most.filter(|most| self.without.remove(most)) {
            self.most = Some(most - 1);
        }
        let (least, most) = (self.least, self.most);
        self.without
            .retain(|value| least.is_none_or(|least| *value > least) && most.is_none_or(|most| *value < most));
        least.zip(most).is_none_or(|(least, most)| least <= most)
    }

    fn has(&self, value: i128) -> bool {
        let above = self.least.is_none_or(|least| least <= value);
        above && self.most.is_none_or(|most| value <= most) && !self.without.contains(&value)
    }

    fn implies(&self, other: &Range) -> bool {
        let above = other
            .least
            .is_none_or(|least| self.least.is_some_and(|own| own >= least));
        let below = other.most.is_none_or(|most| self.most.is_some_and(|own| own <= most));
        above && below && other.without.iter().all(|value| !self.has(*value))
    }

    /// The range of the values of both, if it is one.
    fn joined(&self, other: &Range) -> Option<Range> {
        // The values of one may all be missing in the other: `i == 3` or `i != 3`.
        let holes: BTreeSet<i128> = self
            .without
            .iter()
            .filter(|value| !other.has(**value))
            .copied()
            .collect();
        let holes: BTreeSet<i128> = holes
            .into_iter()
            .chain(other.without.iter().filter(|value| !self.has(**value)).copied())
            .collect();
        let (low, high) = match (self.least, other.least) {
            (None, _) => (self, other),
            (_, None) => (other, self),
            (Some(a), Some(b)) => {
                if a <= b {
                    (self, other)
                } else {
                    (other, self)
                }
            }
        };
        let touches = match (low.most, high.least) {
            (Some(most), Some(least)) => least <= most + 1,
            _ => true,
        };
        touches.then(|| Range {
            least: low.least,
            most: match (low.most, high.most) {
                (Some(a), Some(b)) => Some(a.max(b)),
                _ => None,
            },
            without: holes,
        })
    }

    fn texts(&self, term: &str) -> Vec<String> {
        let mut texts = Vec::new();
        match (self.least, self.most) {
            (Some(least), Some(most)) if least == most => texts.push(format!("{term} == {least}")),
            (least, most) => {
                texts.extend(least.map(|least| format!("{term} >= {least}")));
                texts.extend(most.map(|most| format!("{term} <= {most}")));
            }
        }
        texts.extend(self.without.iter().map(|value| format!("{term} != {value}")));
        texts
    }
}

/// An atom that compares a term with a number of moderate size.
fn comparison(atom: &str) -> Option<(&str, &str, i128)> {
    let (left, value) = atom.rsplit_once(' ')?;
    let (term, op) = left.rsplit_once(' ')?;
    let value: i128 = value.parse().ok()?;
    let is_plain = ["==", "!=", "<=", ">=", "<", ">"].contains(&op) && !term.is_empty();
    let is_alone = [" == ", " != ", " <= ", " >= ", " < ", " > ", " ? ", " := "]
        .iter()
        .all(|other| !term.contains(other));
    // A quotient need not be a whole number.
    let is_whole = term.matches(" / ").count() == term.matches("floor(").count();
    (is_plain && is_alone && is_whole && value.unsigned_abs() < 1 << 120).then_some((term, op, value))
}

/// Reads a text. Brackets stand around each part of a conjunction or disjunction; what does not look like that is an atom.
fn parse(text: &str) -> Formula {
    let reader = Reader {
        text,
        closing: closing_brackets(text),
    };
    reader.read(0, text.len())
}

/// A text with the end of each bracket, so that a nested part is looked at once.
struct Reader<'t> {
    text: &'t str,
    /// For each place with an opening bracket the place of the closing one.
    closing: Vec<Option<usize>>,
}

/// For each place of a text with an opening bracket the place of the closing one.
fn closing_brackets(text: &str) -> Vec<Option<usize>> {
    let mut closing = vec![None; text.len()];
    let mut open = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => open.push(at),
            b')' | b']' => {
                if let Some(begin) = open.pop() {
                    closing[begin] = Some(at);
                }
            }
            _ => {}
        }
    }
    closing
}

impl Reader<'_> {
    /// The formula between two places.
    fn read(&self, begin: usize, end: usize) -> Formula {
        let part = &self.text[begin..end];
        let begin = begin + (part.len() - part.trim_start().len());
        let end = begin + part.trim().len();
        for (separator, make) in [
            (" || ", Formula::Or as fn(Vec<Formula>) -> Formula),
            (" && ", Formula::And),
        ] {
            let parts = self.split(begin, end, separator);
            if parts.len() > 1 {
                return make(parts.into_iter().map(|(begin, end)| self.read(begin, end)).collect());
            }
        }
        match self.text[begin..end].starts_with('(') && self.closing[begin] == Some(end - 1) {
            true => self.read(begin + 1, end - 1),
            false => Formula::Atom(self.text[begin..end].to_string()),
        }
    }

    /// The parts between separators that are not inside brackets.
    fn split(&self, begin: usize, end: usize, separator: &str) -> Vec<(usize, usize)> {
        let bytes = self.text.as_bytes();
        let (mut parts, mut from, mut at) = (Vec::new(), begin, begin);
        while at < end {
            if let Some(close) = self.closing[at] {
                at = close + 1;
            } else if bytes[at..end].starts_with(separator.as_bytes()) {
                parts.push((from, at));
                at += separator.len();
                from = at;
            } else {
                at += 1;
            }
        }
        parts.push((from, end));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(disjuncts: &[&str]) -> String {
        simplified(&disjuncts.iter().map(|text| (*text).to_string()).collect::<Vec<_>>()).join(" || ")
    }

    #[test]
    fn what_follows_is_left_out() {
        assert_eq!(simple(&["(i <= 0) && (i <= 5) && (i > -1)"]), "i == 0");
        assert_eq!(simple(&["(n != 0) && (n == 42) && (x == y)"]), "n == 42 && x == y");
        assert_eq!(simple(&["(i <= 0) && (i <= 5)", "i <= 5"]), "i <= 5");
        assert_eq!(simple(&["(f == 0) && (p != 1)", "(f == 0) && (p == 1)"]), "f == 0");
        assert_eq!(
            simple(&["(i == 3) && (q > r)", "(i == 4) && (q > r)", "i == 9"]),
            "i >= 3 && i <= 4 && q > r || i == 9"
        );
        assert_eq!(
            simple(&["((a == 1) || (a == 0)) && (b == 1)", "0"]),
            "a >= 0 && a <= 1 && b == 1"
        );
        assert_eq!(
            simple(&["(((x == y) || (y == z)) || ((x == y) || (y == z))) && (a == 1)"]),
            "a == 1 && (x == y || y == z)"
        );
        assert_eq!(
            simple(&["(((a == 1) && ((x == y) || (y == z))) || ((a == 2) && (a == 3))) && (b > 0)"]),
            "a == 1 && b >= 1 && (x == y || y == z)"
        );
        assert_eq!(simple(&["1", "a == 1"]), "1");
        assert_eq!(simple(&[]), "");
        assert_eq!(
            simple(&["(x == 4 * floor(x / 4) + 3) && (mem:int[8 * (i + 1)] > 2)"]),
            "mem:int[8 * (i + 1)] >= 3 && x == 4 * floor(x / 4) + 3"
        );
    }

    /// The truth of a formula over `a` and `b`.
    fn holds(formula: &Formula, a: i128, b: i128) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| holds(part, a, b)),
            Formula::Or(parts) => parts.iter().any(|part| holds(part, a, b)),
            Formula::Atom(atom) if atom == "1" => true,
            Formula::Atom(atom) if atom == "0" => false,
            Formula::Atom(atom) => {
                let (term, op, value) = comparison(atom).unwrap();
                let own = if term == "a" { a } else { b };
                match op {
                    "==" => own == value,
                    "!=" => own != value,
                    "<=" => own <= value,
                    ">=" => own >= value,
                    "<" => own < value,
                    _ => own > value,
                }
            }
        }
    }

    #[test]
    fn the_meaning_stays() {
        let mut state = 3_u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..3_000 {
            let mut disjuncts = Vec::new();
            for _ in 0..1 + next(4) {
                let mut atoms = Vec::new();
                for _ in 0..1 + next(4) {
                    let term = ["a", "b"][usize::try_from(next(2)).unwrap()];
                    let op = ["==", "!=", "<=", ">=", "<", ">"][usize::try_from(next(6)).unwrap()];
                    atoms.push(format!("({term} {op} {})", i64::try_from(next(7)).unwrap() - 3));
                }
                let (half, rest) = atoms.split_at(atoms.len() / 2);
                disjuncts.push(match half.is_empty() || next(2) == 0 {
                    true => atoms.join(" && "),
                    false => format!("({}) && ({})", half.join(" || "), rest.join(" && ")),
                });
            }
            let before = Formula::Or(disjuncts.iter().map(|text| parse(text)).collect());
            let found = simplified(&disjuncts);
            let after = Formula::Or(found.iter().map(|text| parse(text)).collect());
            for a in -5..=5 {
                for b in -5..=5 {
                    assert_eq!(
                        holds(&before, a, b),
                        holds(&after, a, b),
                        "{round}: {disjuncts:?} {found:?} {a} {b}"
                    );
                }
            }
        }
    }
}
