//! Lemmas of equality and congruence: their explanation by `eq_transitive` and `eq_congruent`.
//!
//! The solver's lemma only says that its hypotheses contradict each other. Here the congruence closure is made once more, over the written
//! terms, with a forest of reasons (Nieuwenhuis, Oliveras, *Proof-producing congruence closure*, RTA 2005): two nodes of one class are joined by
//! one path of equations, each a hypothesis or a congruence, whose arguments were equal by earlier equations.

use super::ast::{AstSort, Literal, NodeId, Op};
use super::steps::StepId;
use super::{Exporter, Unsupported};
use crate::hash::FxHashMap;
use crate::num::{Int, Rational};

/// Why an equation of the forest holds.
#[derive(Clone, Copy)]
enum Why {
    Hypothesis,
    Congruence,
    /// Two formulas are equivalent, because the numbers that stand for their truth values are equal.
    Truth([NodeId; 2]),
}

/// An equation of the forest.
#[derive(Clone, Copy)]
struct Edge {
    equation: NodeId,
    why: Why,
}

/// Classes of equal nodes with reasons.
#[derive(Default)]
struct Forest {
    classes: FxHashMap<NodeId, NodeId>,
    neighbours: FxHashMap<NodeId, Vec<(NodeId, usize)>>,
    edges: Vec<Edge>,
}

impl Forest {
    fn class(&mut self, node: NodeId) -> NodeId {
        let mut at = node;
        while let Some(&parent) = self.classes.get(&at).filter(|&&parent| parent != at) {
            at = parent;
        }
        self.classes.insert(node, at);
        at
    }

    /// Joins two classes, if they are different, by this edge between two of their nodes.
    fn join(&mut self, a: NodeId, b: NodeId, edge: Edge) -> bool {
        let (x, y) = (self.class(a), self.class(b));
        if x == y {
            return false;
        }
        self.classes.insert(x, y);
        let at = self.edges.len();
        self.edges.push(edge);
        self.neighbours.entry(a).or_default().push((b, at));
        self.neighbours.entry(b).or_default().push((a, at));
        true
    }

    /// The edges between two nodes of one class, in order.
    fn path(&self, from: NodeId, to: NodeId) -> Vec<usize> {
        let mut came: FxHashMap<NodeId, (NodeId, usize)> = FxHashMap::default();
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if node == to {
                break;
            }
            for &(next, edge) in self.neighbours.get(&node).into_iter().flatten() {
                if next != from && !came.contains_key(&next) {
                    came.insert(next, (node, edge));
                    stack.push(next);
                }
            }
        }
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let (before, edge) = came[&at];
            path.push(edge);
            at = before;
        }
        path.reverse();
        path
    }
}

impl Exporter<'_> {
    /// A clause whose negated literals contradict each other by equality and congruence.
    pub(super) fn equality(&mut self, clause: &[Literal]) -> Result<StepId, Unsupported> {
        let mut premises = Vec::new();
        let (mut forest, mut sides) = (Forest::default(), Vec::new());
        let mut equations = Vec::new();
        for &literal in clause {
            let node = self.steps.ast.get(literal.node).clone();
            let (op, &[a, b]) = (&node.op, &*node.args) else {
                return Err(Unsupported::new("internal: a lemma of equality with another atom"));
            };
            if *op != Op::Eq {
                sides.extend([a, b]);
                continue;
            }
            let (a, b) = self.plain_sides(a, b)?;
            sides.extend([a, b]);
            let equation = self.steps.ast.formula(Op::Eq, &[a, b]);
            equations.push((literal, equation));
            if literal.negative {
                let why = Why::Hypothesis;
                forest.join(a, b, Edge { equation, why });
            }
            if equation != literal.node {
                let (from, to) = match literal.negative {
                    true => (literal.node, equation),
                    false => (equation, literal.node),
                };
                let from = Literal {
                    node: from,
                    negative: true,
                };
                premises.push(self.equal_by_order(to, &[from], &(Vec::new(), Vec::new()))?);
            }
        }
        let nodes = self.steps.ast.below(&sides);
        self.close(&mut forest, &nodes);
        let mut wanted = Vec::new();
        for (literal, equation) in equations {
            let args = self.steps.ast.get(equation).args.to_vec();
            if !literal.negative && forest.class(args[0]) == forest.class(args[1]) {
                self.explain(&forest, args[0], args[1], Some(equation), &mut wanted, &mut premises)?;
            }
        }
        self.explain_bounds(&mut forest, clause, &sides, &mut wanted, &mut premises)?;
        // The congruences that were used, and those that they use.
        let mut done = vec![false; forest.edges.len()];
        while let Some(at) = wanted.pop() {
            let edge = forest.edges[at];
            if std::mem::replace(&mut done[at], true) {
                continue;
            }
            match edge.why {
                Why::Hypothesis => continue,
                Why::Congruence => {}
                Why::Truth(numbers) => {
                    let equal = self.explain(&forest, numbers[0], numbers[1], None, &mut wanted, &mut premises)?;
                    let equal = self.steps.ast.literal(equal);
                    premises.extend(self.truth_values(&[!equal], &numbers)?);
                    for formula in [Op::True, Op::False] {
                        let constant = self.steps.ast.formula(formula, &[]);
                        premises.extend(self.definitions(constant)?);
                    }
                    premises.extend(self.definitions(edge.equation)?);
                    continue;
                }
            }
            let pair = self.steps.ast.get(edge.equation).args.to_vec();
            let (f, g) = (self.steps.ast.get(pair[0]).clone(), self.steps.ast.get(pair[1]).clone());
            let mut terms = Vec::new();
            for (&x, &y) in f.args.iter().zip(&g.args) {
                let equal = self.explain(&forest, x, y, None, &mut wanted, &mut premises)?;
                terms.push(self.steps.ast.formula(Op::Not, &[equal]));
            }
            terms.push(edge.equation);
            premises.push(self.steps.axiom("eq_congruent", terms, Vec::new()));
        }
        self.steps.derive(&premises, clause)
    }

    /// The two sides of an equation: `x` and `y` for `(= (+ x (* (- 1) y)) 0)`.
    fn plain_sides(&mut self, left: NodeId, right: NodeId) -> Result<(NodeId, NodeId), Unsupported> {
        if self.steps.ast.get(left).sort != AstSort::Int || self.steps.ast.get(left).op != Op::Add {
            return Ok((left, right));
        }
        let form = super::linear::Form::of(&self.steps.ast, left);
        let terms: Vec<(NodeId, Rational)> = form.terms.into_iter().collect();
        let minus_one = Rational::from(Int::MINUS_ONE);
        match &terms[..] {
            [(a, x), (b, y)] if (x.is_one() && *y == minus_one) || (y.is_one() && *x == minus_one) => Ok((*a, *b)),
            _ => Err(Unsupported::new("internal: a lemma of equality over sums")),
        }
    }

    /// Joins applications with equal arguments until nothing changes.
    fn close(&mut self, forest: &mut Forest, nodes: &[NodeId]) {
        loop {
            let mut changed = false;
            let mut table: FxHashMap<(Op, Vec<NodeId>), NodeId> = FxHashMap::default();
            for &id in nodes {
                let node = self.steps.ast.get(id).clone();
                if node.args.is_empty() {
                    continue;
                }
                let key = (node.op, node.args.iter().map(|&a| forest.class(a)).collect());
                let Some(&other) = table.get(&key) else {
                    table.insert(key, id);
                    continue;
                };
                if forest.class(other) != forest.class(id) {
                    let equation = self.steps.ast.formula(Op::Eq, &[other, id]);
                    let why = Why::Congruence;
                    changed |= forest.join(other, id, Edge { equation, why });
                }
            }
            changed |= self.join_truths(forest, nodes);
            if !changed {
                return;
            }
        }
    }

    /// Joins formulas whose truth values, as numbers, are equal: the conditions of `(ite a 1 0)` and `(ite b 1 0)`.
    fn join_truths(&mut self, forest: &mut Forest, nodes: &[NodeId]) -> bool {
        let (zero, one) = (self.steps.ast.number(&Int::ZERO), self.steps.ast.number(&Int::ONE));
        let mut known: FxHashMap<NodeId, (NodeId, NodeId)> = FxHashMap::default();
        for (number, truth) in [(zero, Op::False), (one, Op::True)] {
            let truth = self.steps.ast.formula(truth, &[]);
            known.insert(forest.class(number), (number, truth));
        }
        let mut changed = false;
        for &id in nodes {
            let node = self.steps.ast.get(id).clone();
            let formula = match (&node.op, &*node.args) {
                (Op::Ite, &[condition, yes, no]) if (yes, no) == (one, zero) => condition,
                (Op::Ite, &[condition, yes, no]) if (yes, no) == (zero, one) => {
                    self.steps.ast.formula(Op::Not, &[condition])
                }
                _ => continue,
            };
            let (number, other) = *known.entry(forest.class(id)).or_insert((id, formula));
            if forest.class(other) != forest.class(formula) {
                let equation = self.steps.ast.formula(Op::Eq, &[other, formula]);
                let why = Why::Truth([number, id]);
                changed |= forest.join(other, formula, Edge { equation, why });
            }
        }
        changed
    }

    /// The equation of two nodes of one class, which follows from those on their path. A single one on the path is taken as it is, in
    /// either direction, unless the equation is given.
    fn explain(
        &mut self,
        forest: &Forest,
        a: NodeId,
        b: NodeId,
        given: Option<NodeId>,
        wanted: &mut Vec<usize>,
        premises: &mut Vec<StepId>,
    ) -> Result<NodeId, Unsupported> {
        let equation = given.unwrap_or_else(|| self.steps.ast.formula(Op::Eq, &[a, b]));
        if a == b {
            premises.push(self.steps.axiom("eq_reflexive", vec![equation], Vec::new()));
            return Ok(equation);
        }
        let path = forest.path(a, b);
        wanted.extend(&path);
        if let [only] = path[..] {
            let edge = forest.edges[only].equation;
            if given.is_some() && edge != equation {
                premises.extend(self.exchange(edge, equation)?);
            }
            return Ok(edge);
        }
        let mut terms = Vec::new();
        for at in path {
            let edge = forest.edges[at].equation;
            terms.push(self.steps.ast.formula(Op::Not, &[edge]));
        }
        terms.push(equation);
        premises.push(self.steps.axiom("eq_transitive", terms, Vec::new()));
        Ok(equation)
    }

    /// The steps from an equation to the one with its sides exchanged, and back.
    pub(super) fn exchange(&mut self, equation: NodeId, exchanged: NodeId) -> Result<Vec<StepId>, Unsupported> {
        let both = self.steps.ast.formula(Op::Eq, &[equation, exchanged]);
        let mut steps = vec![self.steps.axiom("eq_symmetric", vec![both], Vec::new())];
        steps.extend(self.definitions(both)?);
        Ok(steps)
    }

    /// Equal terms with different numbers, or with bounds that do not agree.
    fn explain_bounds(
        &mut self,
        forest: &mut Forest,
        clause: &[Literal],
        sides: &[NodeId],
        wanted: &mut Vec<usize>,
        premises: &mut Vec<StepId>,
    ) -> Result<(), Unsupported> {
        let bounds: Vec<Literal> = clause
            .iter()
            .copied()
            .filter(|l| self.steps.ast.get(l.node).op == Op::Le)
            .collect();
        let number = |this: &Self, id: NodeId| super::linear::Form::of(&this.steps.ast, id).terms.is_empty();
        let numbers: Vec<NodeId> = sides.iter().copied().filter(|&id| number(self, id)).collect();
        let mut pairs: Vec<(NodeId, NodeId, Vec<Literal>)> = Vec::new();
        for (i, &a) in numbers.iter().enumerate() {
            pairs.extend(numbers[i + 1..].iter().map(|&b| (a, b, Vec::new())));
        }
        for (i, &one) in bounds.iter().enumerate() {
            let a = self.steps.ast.get(one.node).args[0];
            pairs.extend(numbers.iter().map(|&b| (a, b, vec![one])));
            for &other in &bounds[i + 1..] {
                pairs.push((a, self.steps.ast.get(other.node).args[0], vec![one, other]));
            }
        }
        for (a, b, mut literals) in pairs {
            if a == b || forest.class(a) != forest.class(b) {
                continue;
            }
            let equation = self.steps.ast.formula(Op::Eq, &[a, b]);
            literals.push(Literal {
                node: equation,
                negative: true,
            });
            if let Some(step) = self.steps.arithmetic(&literals) {
                premises.push(step);
                self.explain(forest, a, b, Some(equation), wanted, premises)?;
            }
        }
        Ok(())
    }
}
