//! Mixed literals: virtual purification.
//!
//! At one cut an inequality `a + b <= 0` may be *mixed*: `a` is the part of its sum over leaves local to A, and `b`, the rest, has
//! leaves local to B. Its interpolation is that of Christ, Hoenicke and Nutz (*Proof tree preserving interpolation*, TACAS 2013): the
//! literal is read as if it were split by an auxiliary integer `u`, without touching the proof.
//!
//! | the clause has | A knows | B knows |
//! |---|---|---|
//! | the negated literal, so that `a + b <= 0` is assumed | `a <= u` | `u <= -b` |
//! | the literal, so that `a + b >= 1` is assumed | `u <= a` | `u >= 1 - b` |
//!
//! # Shape of partial interpolants
//!
//! `u` occurs in *nodes* only. A node is a formula `G` with a linear term `s` in which `u` occurs, and a slack `d >= 0`, such that
//! `G => s <= 0` and `s <= -d => G`: between the two, and only there, `G` says something of its own. An inequality is a node of slack 0
//! with `G = (s <= 0)`. `G` is true for all smaller `u` (if `u` has a positive coefficient in `s`; an upper bound) or all larger ones (a
//! lower bound) as soon as it is true for one. Nodes occur positively, and inside the `G` of other nodes.
//!
//! # Resolution on a mixed literal
//!
//! Let `I1` be the partial interpolant of the clause with the literal, whose nodes `U` bound `u` from above, and `I2` that of the clause with
//! its negation, whose nodes `L` bound it from below. The result is `I1` with each outermost `U` replaced by
//! `I2[L := exists u. U & L]`:
//!
//! * A implies it: `u = a` makes `I1` and `I2` true; each true `U` together with each true `L` shows that `exists u. U & L` is
//!   true, and nodes occur positively.
//! * B contradicts it: let `T` be the `U` whose replacement is true, and `v(U)` the largest number with `U`. If `T` is empty, `I1` is
//!   true for every `u`, among them `1 - b`. Else `I1` and `I2` are both true at `u`, the least `v(U)` for `U` in `T`, as each `L`
//!   with `exists u. U & L` is true at `v(U)`. But B contradicts `I2` for `u <= -b` and `I1` for `u >= 1 - b`.
//!
//! For `U` with `c*u + s` and slack `d`, and `L` with `-c'*u + s'` and slack `d'`, the numbers to look at are those next to one bound:
//!
//! `exists u. U & L  <=>  U(t) & L(t) | U(t - 1) & L(t - 1) | ... | U(t - n) & L(t - n)` with `t = floor(-s / c)`, `n = ceil(d / c)`
//!
//! because `U` is true at `t - n`. The same works upwards from the bound of `L`. It is a node with the sum `c'*s + c*s'` and
//! the slack `c'*d + c*d' + (c - 1)*(c' - 1)`: if the sum is so small, then between the bounds lies an integer (the *dark
//! shadow* of Pugh's Omega test, 1991).
//!
//! # Real numbers
//!
//! Over the reals A's half of an inequality is never strict, and B's is if the inequality is. A node has slack 0 if it is an inequality, else
//! slack 1, which means that `s < 0 => G`. So there is one number to look at: the bound `-s / c` itself. Where `u` is an integer and `s` is not,
//! the distance of the bounds has to be 1 for an integer between them.
//!
//! # Mixed equations
//!
//! Here `u` is simply the value of `a`: of an assumed `a + b = 0`, A knows `a = u` and B knows `u = -b`, and `u` may occur anywhere. If the equation
//! is assumed to be false, `u` occurs in nodes `[u = t]` only, which occur positively and never inside other terms: A implies the partial interpolant
//! when they are read as `a = t`, and B contradicts it when they are read as `t != -b`. In a resolution each `[u = t]` is replaced by `I2(t)`, where `I2` is the
//! partial interpolant of the clause with the negated equation: A with `a = t` implies `I2(t)`, B with `t = -b` contradicts it.
//!
//! # All cuts from one proof
//!
//! For two cuts the same proof gives `I` and `I'`. With `m` for the part of `a'` that is not in `a`, and by induction over the
//! proof, `I(u)`, what lies between the cuts and `u + m <= u'` (or `>=`) imply `I'(u')`: the result above is true iff `I1` is true for all `u`, or `I1 & I2` for one.

use super::span::Spans;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::proof::Var;
use crate::term::{Symbol, SymbolId, Term, TermId, TermPool};

/// The names of what stands for nodes and of auxiliary variables. No name of a script has a zero byte.
const NODE: &str = "\0node";
const AUXILIARY: &str = "\0auxiliary";

/// More disjuncts of one elimination than this are given up: the coefficients are out of all proportion.
const MAX_DISJUNCTS: i64 = 4096;

/// A part of a proof that cannot be interpolated: a term that belongs to both sides, or coefficients that are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mixed;

/// A formula with a linear term and a slack; see the module's description.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    sum: TermId,
    slack: Int,
    body: TermId,
    /// Of a node `[u = t]`, the auxiliary variable `u`. Its sum is `t`, and its body says nothing.
    equated: Option<TermId>,
}

/// The nodes of one cut's partial interpolants. In these, a propositional variable stands for each node.
pub(super) struct Purifier {
    node_name: SymbolId,
    auxiliary_name: SymbolId,
    /// The literals whose auxiliary variable is real.
    reals: FxHashSet<Var>,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
}

impl Purifier {
    pub(super) fn new(pool: &mut TermPool) -> Self {
        Purifier {
            node_name: pool.symbol(NODE),
            auxiliary_name: pool.symbol(AUXILIARY),
            reals: FxHashSet::default(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// The name of all auxiliary variables.
    pub(super) fn auxiliary_name(&self) -> SymbolId {
        self.auxiliary_name
    }

    /// Takes the literals, mixed at the cut that is looked at now, whose auxiliary variable is a real number.
    pub(super) fn set_reals(&mut self, reals: FxHashSet<Var>) {
        self.reals = reals;
    }

    /// The auxiliary variable of a mixed literal.
    pub(super) fn auxiliary(&self, pool: &mut TermPool, var: Var) -> TermId {
        if self.reals.contains(&var) {
            pool.real_var(self.auxiliary_name, var.0)
        } else {
            pool.int_var(self.auxiliary_name, var.0)
        }
    }

    /// `sum <= 0`, or `sum < 0` if strict, where the sum may have auxiliary variables.
    pub(super) fn at_most_zero(&mut self, pool: &mut TermPool, sum: TermId, strict: bool) -> TermId {
        let body = if strict { pool.lt_zero(sum) } else { pool.le_zero(sum) };
        if pool.is_real(sum) {
            return self.node(pool, sum, Int::from(0), body);
        }
        // The builder's form is tightened; it may be the negation of the opposite inequality.
        let sum = match *pool.term(body) {
            Term::True | Term::False => return body,
            Term::Le(sum) => sum,
            Term::Not(atom) => match *pool.term(atom) {
                Term::Le(opposite) => {
                    let one = pool.int(1);
                    pool.sub(one, opposite)
                }
                _ => unreachable!("an inequality or its negation"),
            },
            _ => unreachable!("an inequality or its negation"),
        };
        self.node(pool, sum, Int::from(0), body)
    }

    /// The term that stands for a node: the body itself if the sum has no auxiliary variable.
    pub(super) fn node(&mut self, pool: &mut TermPool, sum: TermId, slack: Int, body: TermId) -> TermId {
        let mut has_auxiliary = false;
        pool.for_each_monomial(sum, |_, leaf| has_auxiliary |= self.is_auxiliary(pool, leaf));
        if !has_auxiliary || matches!(pool.term(body), Term::True | Term::False) {
            return body;
        }
        self.intern(
            pool,
            Node {
                sum,
                slack,
                body,
                equated: None,
            },
        )
    }

    /// The node `[auxiliary = term]`.
    pub(super) fn equation(&mut self, pool: &mut TermPool, auxiliary: TermId, term: TermId) -> TermId {
        let node = Node {
            sum: term,
            slack: Int::from(0),
            body: pool.mk_true(),
            equated: Some(auxiliary),
        };
        self.intern(pool, node)
    }

    fn intern(&mut self, pool: &mut TermPool, node: Node) -> TermId {
        let number = *self.numbers.entry(node).or_insert_with_key(|node| {
            self.nodes.push(node.clone());
            u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes")
        });
        pool.bool_var(self.node_name, number)
    }

    fn is_auxiliary(&self, pool: &TermPool, leaf: TermId) -> bool {
        matches!(pool.term(leaf), Term::IntVar(symbol) | Term::RealVar(symbol) if symbol.name == self.auxiliary_name)
    }

    /// The coefficient of an auxiliary variable in a node's sum; zero if it does not occur there.
    fn coefficient(&self, pool: &TermPool, number: u32, auxiliary: TermId) -> Int {
        let mut found = Int::from(0);
        if self.nodes[number as usize].equated.is_some() {
            return found;
        }
        pool.for_each_monomial(self.nodes[number as usize].sum, |coeff, leaf| {
            if leaf == auxiliary {
                found = coeff.clone();
            }
        });
        found
    }

    /// The numbers of the nodes that the formula has, those in bodies included except in the bodies of nodes that `stops`. Ascending,
    /// so that a node comes after those in its body.
    fn reachable(&self, pool: &TermPool, formula: TermId, stops: &dyn Fn(u32) -> bool) -> Vec<u32> {
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut open = vec![formula];
        while let Some(formula) = open.pop() {
            for Symbol { name, index } in pool.symbols(formula) {
                if name == self.node_name && seen.insert(index) && !stops(index) {
                    open.push(self.nodes[index as usize].body);
                }
            }
        }
        let mut numbers: Vec<u32> = seen.into_iter().collect();
        numbers.sort_unstable();
        numbers
    }

    /// The formula with each node that `replaced` knows replaced, also inside the bodies of others.
    fn rebuild(
        &mut self,
        pool: &mut TermPool,
        formula: TermId,
        reachable: &[u32],
        replaced: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        for &number in reachable {
            let variable = pool.bool_var(self.node_name, number);
            if replaced.contains_key(&variable) {
                continue;
            }
            let Node {
                sum,
                slack,
                body,
                equated,
            } = self.nodes[number as usize].clone();
            let (new_sum, new_body) = (pool.substitute(sum, replaced), pool.substitute(body, replaced));
            if (new_sum, new_body) != (sum, body) {
                let node = match equated {
                    Some(auxiliary) => self.equation(pool, auxiliary, new_sum),
                    None => self.node(pool, new_sum, slack, new_body),
                };
                replaced.insert(variable, node);
            }
        }
        pool.substitute(formula, replaced)
    }

    /// The formula with a term for an auxiliary variable.
    fn instantiate(&mut self, pool: &mut TermPool, formula: TermId, auxiliary: TermId, value: TermId) -> TermId {
        let reachable = self.reachable(pool, formula, &|_| false);
        let mut replaced: FxHashMap<TermId, TermId> = std::iter::once((auxiliary, value)).collect();
        self.rebuild(pool, formula, &reachable, &mut replaced)
    }

    /// The partial interpolant of a resolution on a mixed literal, from that of the clause with the literal and that of the clause with its negation.
    pub(super) fn resolve(
        &mut self,
        pool: &mut TermPool,
        with_literal: TermId,
        with_negation: TermId,
        var: Var,
    ) -> Result<TermId, Mixed> {
        let auxiliary = self.auxiliary(pool, var);
        let (above, uppers) = self.outermost(pool, with_literal, auxiliary);
        let (below, lowers) = self.outermost(pool, with_negation, auxiliary);
        let mut outer: FxHashMap<TermId, TermId> = FxHashMap::default();
        for upper in uppers {
            let mut inner: FxHashMap<TermId, TermId> = FxHashMap::default();
            for &lower in &lowers {
                let both = self.between(pool, upper, lower, auxiliary)?;
                inner.insert(pool.bool_var(self.node_name, lower), both);
            }
            let replacement = self.rebuild(pool, with_negation, &below, &mut inner);
            outer.insert(pool.bool_var(self.node_name, upper), replacement);
        }
        Ok(self.rebuild(pool, with_literal, &above, &mut outer))
    }

    /// As [`Purifier::resolve`], for an equation.
    pub(super) fn resolve_equation(
        &mut self,
        pool: &mut TermPool,
        with_literal: TermId,
        with_negation: TermId,
        var: Var,
    ) -> TermId {
        let auxiliary = self.auxiliary(pool, var);
        let reachable = self.reachable(pool, with_literal, &|_| false);
        let mut replaced: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &number in &reachable {
            // Inner nodes come first, but a term has no nodes in it.
            let Node { sum, equated, .. } = self.nodes[number as usize];
            if equated == Some(auxiliary) {
                let instance = self.instantiate(pool, with_negation, auxiliary, sum);
                replaced.insert(pool.bool_var(self.node_name, number), instance);
            }
        }
        self.rebuild(pool, with_literal, &reachable, &mut replaced)
    }

    /// The nodes of the formula down to the outermost ones that bound an auxiliary variable, and these alone.
    fn outermost(&self, pool: &TermPool, formula: TermId, auxiliary: TermId) -> (Vec<u32>, Vec<u32>) {
        let bounds = |number: &u32| self.bounds(pool, *number, auxiliary);
        let down_to = self.reachable(pool, formula, &|number| bounds(&number));
        let outermost = down_to.iter().copied().filter(bounds).collect();
        (down_to, outermost)
    }

    fn bounds(&self, pool: &TermPool, number: u32, auxiliary: TermId) -> bool {
        !self.coefficient(pool, number, auxiliary).is_zero()
    }

    /// The formula that an integer satisfies an upper and a lower bound.
    fn between(&mut self, pool: &mut TermPool, upper: u32, lower: u32, auxiliary: TermId) -> Result<TermId, Mixed> {
        let c = self.coefficient(pool, upper, auxiliary);
        let e = -self.coefficient(pool, lower, auxiliary);
        assert!(
            c.is_positive() && e.is_positive(),
            "the clause with the literal bounds the auxiliary variable from above, the other one from below"
        );
        let above = self.nodes[upper as usize].clone();
        let below = self.nodes[lower as usize].clone();
        let one = Int::from(1);
        let sum = pool.linear(&[(e.clone(), above.sum), (c.clone(), below.sum)], Int::from(0));
        if pool.is_real(auxiliary) {
            return Ok(self.between_reals(pool, (&above, &c), &below, auxiliary, sum));
        }
        let over_reals = pool.is_real(sum);
        // Between two bounds lies an integer if their distance is large enough: among real bounds it has to be 1.
        let distance = if over_reals { &c * &e } else { (&c - &one) * (&e - &one) };
        let slack = &e * &above.slack + &c * &below.slack + distance;
        if slack.is_zero() {
            return Ok(self.at_most_zero(pool, sum, false));
        }
        let (mut down, mut up) = (above.slack.div_ceil(&c), below.slack.div_ceil(&e));
        if over_reals {
            // A strict bound may lie at an integer.
            (down, up) = (down + &one, up + &one);
        }
        // The bound of `c*u + s <= 0` is `floor(-s / c)`, that of `-e*u + s' <= 0` is `-floor(-s' / e)`.
        let from_above = down <= up;
        let (steps, direction) = if from_above { (down, -1) } else { (up, 1) };
        let limit = if from_above {
            let rest = pool.linear(&[(-&one, above.sum), (c.clone(), auxiliary)], Int::from(0));
            pool.div_floor(rest, &c)
        } else {
            let rest = pool.linear(&[(-&one, below.sum), (-&e, auxiliary)], Int::from(0));
            let floor = pool.div_floor(rest, &e);
            pool.neg(floor)
        };
        let steps = steps.to_i64().filter(|&steps| steps < MAX_DISJUNCTS).ok_or(Mixed)?;
        let mut disjuncts = Vec::new();
        for step in 0..=steps {
            let value = pool.linear(&[(one.clone(), limit)], Int::from(direction * step));
            // An inequality of integers is true at its own bound.
            let is_bound = |node: &Node, direct: bool| step == 0 && direct && node.slack.is_zero() && !over_reals;
            let mut conjuncts = Vec::new();
            if !is_bound(&above, from_above) {
                conjuncts.push(self.instantiate(pool, above.body, auxiliary, value));
            }
            if !is_bound(&below, !from_above) {
                conjuncts.push(self.instantiate(pool, below.body, auxiliary, value));
            }
            disjuncts.push(pool.and(&conjuncts));
        }
        let body = pool.or(&disjuncts);
        Ok(self.node(pool, sum, slack, body))
    }

    /// The formula that a real number satisfies an upper bound, given with its coefficient, and a lower bound.
    fn between_reals(
        &mut self,
        pool: &mut TermPool,
        above: (&Node, &Int),
        below: &Node,
        auxiliary: TermId,
        sum: TermId,
    ) -> TermId {
        let (above, coefficient) = above;
        if above.slack.is_zero() && below.slack.is_zero() {
            let mut is_strict = |node: &Node| node.body == pool.lt_zero(node.sum);
            let strict = is_strict(above) || is_strict(below);
            return self.at_most_zero(pool, sum, strict);
        }
        let rest = pool.linear(
            &[(Int::from(-1), above.sum), (coefficient.clone(), auxiliary)],
            Int::from(0),
        );
        let limit = pool.ratio(rest, coefficient);
        let first = self.instantiate(pool, above.body, auxiliary, limit);
        let second = self.instantiate(pool, below.body, auxiliary, limit);
        let (strictly, ordered) = (pool.lt_zero(sum), pool.le_zero(sum));
        let at_limit = pool.and(&[ordered, first, second]);
        let body = pool.or2(strictly, at_limit);
        self.node(pool, sum, Int::from(1), body)
    }

    /// The formula with the nodes' bodies for the variables that stand for them.
    pub(super) fn expand(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        let mut bodies: FxHashMap<TermId, TermId> = FxHashMap::default();
        for number in self.reachable(pool, formula, &|_| false) {
            assert!(
                self.nodes[number as usize].equated.is_none(),
                "a mixed equation is resolved with before the empty clause"
            );
            let body = pool.substitute(self.nodes[number as usize].body, &bodies);
            bodies.insert(pool.bool_var(self.node_name, number), body);
        }
        pool.substitute(formula, &bodies)
    }
}

/// The monomials of a linear term whose leaves are local to A at a cut, or to B.
pub(super) fn local_part(
    pool: &TermPool,
    spans: &Spans,
    cut: u32,
    term: TermId,
    to_a: bool,
) -> Result<Vec<(Int, TermId)>, Mixed> {
    let mut local = Vec::new();
    let mut unmixed = true;
    pool.for_each_monomial(term, |coeff, leaf| {
        let span = spans.of_symbols(pool, leaf);
        let (in_a, in_b) = (span.last <= cut, span.first > cut);
        unmixed &= !(in_a && in_b);
        if (to_a && in_a) || (!to_a && in_b) {
            local.push((coeff.clone(), leaf));
        }
    });
    if unmixed { Ok(local) } else { Err(Mixed) }
}
