//! Counting: more integers than values are not pairwise different.
//!
//! Resolution alone would need exponentially many steps (Haken, *The intractability of resolution*, 1985), and the rules for clauses and linear arithmetic do not: with `b(i, k)` for `(ite (= t(i) k) 1 0)`, the sum over `k` is at least 1, since the
//! integer is at one of the values; the sum over `i` is at most 1, since two integers are not at the same one; and all sums together contradict each other. Both are shown summand by summand (as in Cook, Coullard, Turán, *On the complexity
//! of cutting-plane proofs*, 1987, but without division).

use super::ast::{AstSort, Literal, NodeId, Op};
use super::linear::negation;
use super::steps::StepId;
use super::{Exporter, Unsupported};
use crate::num::Int;

/// No text has more triples of two integers and a value.
const MAX_TRIPLES: usize = 50_000;

/// Some integers, what their bounds are relative to, and the least and the greatest bound.
struct Crowd {
    integers: Vec<NodeId>,
    reference: Option<NodeId>,
    values: [Int; 2],
}

impl Exporter<'_> {
    /// A clause whose negated literals bound some integers, or their differences from another one, to fewer values than they are, and say that each two are different.
    pub(super) fn pigeonhole(&mut self, clause: &[Literal]) -> Result<StepId, Unsupported> {
        let Crowd {
            integers,
            reference,
            values: [low, high],
        } = self
            .crowd(clause)
            .ok_or_else(|| Unsupported::new("internal: nothing to count"))?;
        let mut places = Vec::new();
        let mut value = low;
        while value <= high {
            let number = self.steps.ast.number(&value);
            places.push(match reference {
                Some(reference) => self.steps.ast.node(Op::Add, &[reference, number], AstSort::Int),
                None => number,
            });
            value = &value + &Int::ONE;
        }
        if integers.len() * integers.len() * places.len() > MAX_TRIPLES {
            return Err(Unsupported::new("counting of that many different integers"));
        }
        let mut bits: Vec<Bit> = Vec::new();
        for &integer in &integers {
            for &place in &places {
                bits.push(self.bit(integer, place)?);
            }
        }
        let (mut premises, mut last) = (Vec::new(), Vec::new());
        for (&integer, row) in integers.iter().zip(bits.chunks(places.len())) {
            let (literal, step) = self.is_somewhere(clause, integer, &places, row)?;
            last.push(!literal);
            premises.push(step);
        }
        for at in 0..places.len() {
            let column: Vec<Bit> = bits[at..].iter().step_by(places.len()).copied().collect();
            let (literal, step) = self.is_single(clause, &column)?;
            last.push(!literal);
            premises.push(step);
        }
        premises.push(self.sum_up(&last, Int::ONE));
        self.steps.derive(&premises, clause)
    }

    /// A clause of arithmetic whose inequalities have the factor 1, and its equations this one.
    fn sum_up(&mut self, clause: &[Literal], factor: Int) -> StepId {
        let (mut terms, mut factors) = (Vec::new(), Vec::new());
        for &literal in clause {
            let is_equation = self.steps.ast.get(literal.node).op == Op::Eq;
            terms.push(self.steps.ast.of_literal(literal));
            factors.push(if is_equation { factor.clone() } else { Int::ONE });
        }
        self.steps.axiom("la_generic", terms, factors)
    }

    /// The integers that the clause speaks of.
    fn crowd(&self, clause: &[Literal]) -> Option<Crowd> {
        // Facts `plus - minus <= limit`.
        let mut bounds: Vec<(Option<NodeId>, Option<NodeId>, Int)> = Vec::new();
        for &literal in clause {
            // `form >= 0`
            let Some((form, _, false)) = negation(&self.steps.ast, literal) else {
                continue;
            };
            let (mut plus, mut minus) = (None, None);
            for (&node, factor) in &form.terms {
                *(if factor.is_positive() { &mut minus } else { &mut plus }) = Some((node, factor.abs()));
            }
            let sizes = plus.iter().chain(&minus).map(|side| &side.1);
            let Some(size) = sizes
                .clone()
                .next()
                .filter(|size| sizes.clone().all(|other| other == *size))
            else {
                continue;
            };
            if form.terms.len() <= 2 {
                let limit = (&form.constant / size).floor();
                bounds.push((
                    plus.as_ref().map(|side| side.0),
                    minus.as_ref().map(|side| side.0),
                    limit,
                ));
            }
        }
        let first = bounds.first()?;
        [first.0, first.1].into_iter().find_map(|reference| {
            let mut spans: Vec<(NodeId, [Option<Int>; 2])> = Vec::new();
            for (plus, minus, limit) in &bounds {
                let (integer, side, value) = match (plus, minus) {
                    (Some(plus), minus) if *minus == reference => (*plus, 1, limit.clone()),
                    (plus, Some(minus)) if *plus == reference => (*minus, 0, -limit),
                    _ => continue,
                };
                let at = spans.iter().position(|span| span.0 == integer).unwrap_or_else(|| {
                    spans.push((integer, [None, None]));
                    spans.len() - 1
                });
                spans[at].1[side] = Some(value);
            }
            spans.retain(|(_, span)| span.iter().all(Option::is_some));
            let mut integers: Vec<NodeId> = spans.iter().map(|span| span.0).collect();
            integers.sort_unstable();
            let low = spans.iter().filter_map(|span| span.1[0].clone()).min()?;
            let high = spans.iter().filter_map(|span| span.1[1].clone()).max()?;
            let count = Int::from(i64::try_from(integers.len()).ok()?);
            (count > &(&high - &low) + &Int::ONE).then_some(Crowd {
                integers,
                reference,
                values: [low, high],
            })
        })
    }

    fn bit(&mut self, integer: NodeId, place: NodeId) -> Result<Bit, Unsupported> {
        let ast = &mut self.steps.ast;
        let (one, zero) = (ast.number(&Int::ONE), ast.number(&Int::ZERO));
        let here = ast.formula(Op::Eq, &[integer, place]);
        let number = ast.node(Op::Ite, &[here, one, zero], AstSort::Int);
        let values = [zero, one].map(|value| ast.formula(Op::Eq, &[number, value]));
        let least = ast.formula(Op::Le, &[zero, number]);
        let [is_zero, is_one, least, here] = [values[0], values[1], least, here].map(|node| ast.literal(node));
        let mut premises = self.choices(number)?;
        let cases = [premises[0], premises[1]];
        for value in [is_zero, is_one] {
            premises.extend(self.steps.arithmetic(&[!value, least]));
        }
        let not_negative = self.steps.derive(&premises, &[least])?;
        Ok(Bit {
            number,
            here,
            is_zero,
            is_one,
            least,
            cases,
            not_negative,
        })
    }

    fn sum_of(&mut self, bits: &[Bit]) -> NodeId {
        let numbers: Vec<NodeId> = bits.iter().map(|bit| bit.number).collect();
        match numbers[..] {
            [single] => single,
            _ => self.steps.ast.node(Op::Add, &numbers, AstSort::Int),
        }
    }

    /// The bits of an integer are at least 1 together.
    fn is_somewhere(
        &mut self,
        clause: &[Literal],
        integer: NodeId,
        places: &[NodeId],
        bits: &[Bit],
    ) -> Result<(Literal, StepId), Unsupported> {
        let one = self.steps.ast.number(&Int::ONE);
        let order = |this: &mut Self, left: NodeId, right: NodeId| {
            let node = this.steps.ast.formula(Op::Le, &[left, right]);
            this.steps.ast.literal(node)
        };
        let mut known: Option<(Literal, Literal, StepId)> = None;
        for (at, &place) in places.iter().enumerate() {
            let sum = self.sum_of(&bits[..=at]);
            let (goal, below, above) = (
                order(self, one, sum),
                order(self, integer, place),
                order(self, place, integer),
            );
            let mut premises = bits[at].cases.to_vec();
            premises.push(self.disequality(bits[at].here.node));
            let mut summands = vec![!bits[at].is_one];
            for bit in &bits[..at] {
                summands.push(!bit.least);
                premises.push(bit.not_negative);
            }
            summands.push(goal);
            premises.push(self.sum_up(&summands, Int::ONE));
            match known {
                None => premises.extend(self.implied_by_one(clause, above)),
                Some((before, reached, step)) => {
                    premises.extend([step, bits[at].not_negative]);
                    premises.extend(self.steps.arithmetic(&[before, above]));
                    premises.push(self.sum_up(&[!reached, !bits[at].least, goal], Int::ONE));
                }
            }
            let mut target = clause.to_vec();
            target.extend([!below, goal]);
            known = Some((below, goal, self.steps.derive(&premises, &target)?));
        }
        let (below, goal, step) = known.ok_or_else(|| Unsupported::new("internal: nothing to count"))?;
        let mut premises = vec![step];
        premises.extend(self.implied_by_one(clause, below));
        let mut target = clause.to_vec();
        target.push(goal);
        Ok((goal, self.steps.derive(&premises, &target)?))
    }

    /// The bits of a value are at most 1 together.
    fn is_single(&mut self, clause: &[Literal], bits: &[Bit]) -> Result<(Literal, StepId), Unsupported> {
        let one = self.steps.ast.number(&Int::ONE);
        let mut known: Option<(Literal, StepId)> = None;
        for (at, bit) in bits.iter().enumerate() {
            let sum = self.sum_of(&bits[..=at]);
            let goal = self.steps.ast.formula(Op::Le, &[sum, one]);
            let goal = self.steps.ast.literal(goal);
            let mut premises = bit.cases.to_vec();
            let mut summands = vec![!bit.is_one];
            for other in &bits[..at] {
                premises.extend(&other.cases);
                summands.push(!other.is_zero);
                for &literal in clause.iter().filter(|literal| !literal.negative) {
                    premises.extend(self.equation_by_order(literal, &[!bit.here, !other.here]));
                }
            }
            summands.push(goal);
            premises.push(self.sum_up(&summands, Int::MINUS_ONE));
            let mut unchanged = vec![!bit.is_zero, goal];
            if let Some((before, step)) = known {
                unchanged.push(!before);
                premises.push(step);
            }
            premises.push(self.sum_up(&unchanged, Int::MINUS_ONE));
            let mut target = clause.to_vec();
            target.push(goal);
            known = Some((goal, self.steps.derive(&premises, &target)?));
        }
        known.ok_or_else(|| Unsupported::new("internal: nothing to count"))
    }
}

/// Whether an integer is at a value, as a number.
#[derive(Clone, Copy)]
struct Bit {
    number: NodeId,
    here: Literal,
    is_zero: Literal,
    is_one: Literal,
    least: Literal,
    /// The fact that the number is 0 or 1.
    cases: [StepId; 2],
    not_negative: StepId,
}
