//! Terms of a proof text, as they are written: the script's own formulas and the normal forms of the solver, in one language.
//!
//! Nodes are hash-consed, so that a node is named by a number, arguments have smaller numbers than what they occur in, and "the same text" is "the same
//! number". Nothing is simplified here.

use crate::hash::FxHashMap;
use crate::num::{Int, Rational};
use crate::term::{Symbol, TermPool, quote_symbol};
use std::sync::Arc;

/// The name of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(super) u32);

/// The sorts that matter for a proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AstSort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Reals.
    Real,
    /// A declared sort, by number.
    Declared(usize),
    /// A sort of arrays, by number.
    Array(usize),
}

/// The head of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// `true`
    True,
    /// `false`
    False,
    /// `not`
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `=>`
    Implies,
    /// `xor`
    Xor,
    /// `=`
    Eq,
    /// `distinct`
    Distinct,
    /// `ite`
    Ite,
    /// `<=`
    Le,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `+`
    Add,
    /// `-`, also with one argument
    Sub,
    /// `*`
    Mul,
    /// `/`
    Divide,
    /// A numeral, not negative.
    Number(Int),
    /// A real number as it is written: digits, with a point in between or without.
    Decimal(Arc<str>),
    /// A constant or function of the script.
    Symbol(Symbol),
    /// Any other function of the theory, by its text.
    Other(Arc<str>),
}

/// A term as it is written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The head.
    pub op: Op,
    /// The arguments.
    pub args: Box<[NodeId]>,
    /// The sort.
    pub sort: AstSort,
}

/// The owner of nodes.
#[derive(Default)]
pub struct Ast {
    nodes: Vec<Node>,
    table: FxHashMap<Node, NodeId>,
}

/// A literal: a node that is no negation, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Literal {
    pub node: NodeId,
    pub negative: bool,
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal {
            negative: !self.negative,
            ..self
        }
    }
}

impl Ast {
    /// The node with this head and these arguments.
    pub fn node(&mut self, op: Op, args: &[NodeId], sort: AstSort) -> NodeId {
        let node = Node {
            op,
            args: args.into(),
            sort,
        };
        if let Some(&id) = self.table.get(&node) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(node.clone());
        self.table.insert(node, id);
        id
    }

    /// A formula.
    pub fn formula(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        self.node(op, args, AstSort::Bool)
    }

    /// An integer, with a minus sign where SMT-LIB needs one.
    pub fn number(&mut self, value: &Int) -> NodeId {
        let absolute = self.node(Op::Number(value.abs()), &[], AstSort::Int);
        if value.is_negative() {
            self.node(Op::Sub, &[absolute], AstSort::Int)
        } else {
            absolute
        }
    }

    /// An integer as a real number.
    pub fn real_number(&mut self, value: &Int) -> NodeId {
        let text = format!("{}.0", value.abs());
        let absolute = self.node(Op::Decimal(text.into()), &[], AstSort::Real);
        if value.is_negative() {
            self.node(Op::Sub, &[absolute], AstSort::Real)
        } else {
            absolute
        }
    }

    /// An integer as a number of this sort.
    pub fn number_of(&mut self, value: &Int, sort: AstSort) -> NodeId {
        match sort {
            AstSort::Real => self.real_number(value),
            _ => self.number(value),
        }
    }

    /// The node of an id.
    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The literal that a formula is, without pairs of negations.
    pub(super) fn literal(&self, mut node: NodeId) -> Literal {
        let mut negative = false;
        while let (Op::Not, [inner]) = (&self.get(node).op, &*self.get(node).args) {
            node = *inner;
            negative = !negative;
        }
        Literal { node, negative }
    }

    /// The formula that a literal is.
    pub(super) fn of_literal(&mut self, literal: Literal) -> NodeId {
        if literal.negative {
            self.formula(Op::Not, &[literal.node])
        } else {
            literal.node
        }
    }

    /// All nodes below the roots, arguments first.
    pub(super) fn below(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<NodeId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id.0 as usize], true) {
                stack.extend(&self.get(id).args);
            }
        }
        (0..)
            .zip(seen)
            .filter(|(_, seen)| *seen)
            .map(|(id, _)| NodeId(id))
            .collect()
    }
}

impl AstSort {
    /// Whether its elements are numbers.
    pub fn is_number(self) -> bool {
        matches!(self, AstSort::Int | AstSort::Real)
    }
}

impl Op {
    /// The number that this head is without arguments.
    pub(super) fn number(&self) -> Option<Rational> {
        match self {
            Op::Number(value) => Some(value.into()),
            Op::Decimal(text) => Rational::from_decimal(text).or_else(|| Some(text.parse::<Int>().ok()?.into())),
            _ => None,
        }
    }

    /// The text of the head.
    pub(super) fn text(&self, pool: &TermPool) -> String {
        let text = match self {
            Op::True => "true",
            Op::False => "false",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Implies => "=>",
            Op::Xor => "xor",
            Op::Eq => "=",
            Op::Distinct => "distinct",
            Op::Ite => "ite",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Ge => ">=",
            Op::Gt => ">",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Divide => "/",
            Op::Number(value) => return value.to_string(),
            Op::Decimal(text) => text,
            Op::Symbol(symbol) => return quote_symbol(pool.name(symbol.name)),
            Op::Other(text) => text,
        };
        text.to_owned()
    }
}
