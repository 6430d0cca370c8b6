//! Congruence closure with explanations (Nieuwenhuis and Oliveras, *Fast congruence closure and extensions*, 2007).
//!
//! Nodes are leaves, constants, applications in curried form (`f(x, y)` is `(f . x) . y`, so every application is binary) and atoms. An
//! equation `a = b` is a node, too: a commutative function of its sides whose value is one of the nodes *true* and *false*; so
//! is a bound `a <= k`, a unary function named by `k`. Then congruence alone propagates: two equations between the same classes
//! have the same value, and an equation whose sides are in one class is *true*.
//!
//! Each merge of two classes adds an edge to a proof forest. Why two nodes of a class are equal is read off the path between them:
//! literals, and congruences whose arguments are explained in turn. Explanations are clauses of the search's literals and valid in the theory
//! of equality: [`LemmaKind::Euf`](crate::proof::LemmaKind::Euf).
//!
//! | file | concept |
//! |---|---|
//! | this one | nodes and how they are made |
//! | `merge` | classes, along the trail |
//! | `explain` | why two nodes are equal |

mod explain;
mod merge;

use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::{Lit, Var};
use crate::term::Symbol;
use std::hash::{Hash, Hasher};

/// A node by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::solver) struct Node(u32);

impl Node {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The node of all true atoms, and that of the false ones.
const TRUE: Node = Node(0);
const FALSE: Node = Node(1);

/// The operator and the arguments of a node; with the arguments' classes, the key of congruence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    operator: Operator,
    left: Node,
    right: Node,
}

impl Hash for Shape {
    /// In one word, mixed so that all bits of both arguments reach the low ones, by which tables choose a bucket.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let both = u64::from(self.left.0) << 32 | u64::from(self.right.0);
        let mixed = (both ^ self.operator as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state.write_u64(mixed ^ mixed >> 32);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Operator {
    /// `left . right`: one more argument of a curried application.
    Apply,
    /// `left = right`.
    Equation,
    /// `left <= k` for the constant `right`.
    Below,
}

/// Why two nodes were merged.
#[derive(Clone, Copy, Debug)]
enum Because {
    /// This literal says so.
    Literal(Lit),
    /// Two nodes of one shape; `crossed` if the sides of one equation are those of the other one the other way round.
    Congruence { crossed: bool },
    /// An equation is true because its sides are equal.
    Sides,
}

struct NodeData {
    /// The representative of the class.
    root: Node,
    /// The next node of the class, in a ring.
    next: Node,
    /// Of a representative: how many nodes the class has.
    size: u32,
    /// Of a representative: the constant or truth value in the class.
    value: Option<Node>,
    /// Of a representative: nodes with an argument in the class.
    users: Vec<Node>,
    shape: Option<Shape>,
    /// The atom's variable.
    atom: Option<Var>,
    /// The edge of the proof forest towards its root.
    edge: Option<(Node, Because)>,
}

enum Undo {
    /// The class of this representative became part of another one.
    Merge {
        from: Node,
        into: Node,
        /// The ends of the edge of the proof forest.
        edge: (Node, Node),
        users: usize,
        value: Option<Node>,
    },
    Inserted(Shape),
    Removed(Shape, Node),
    /// The node got its place among the users of its arguments.
    Placed(Node),
    /// The value of the node's atom on the trail was taken over when the node was placed, or got its atom.
    Announced(Node),
}

/// Two nodes that are equal, and why.
type Equality = (Node, Node, Because);

/// The closure under the literals of the trail.
pub(in crate::solver) struct Egraph {
    nodes: Vec<NodeData>,
    constants: FxHashMap<Int, Node>,
    /// The constant of each constant's node.
    values: FxHashMap<Node, Int>,
    functions: FxHashMap<Symbol, Node>,
    /// All nodes with a shape, by the shape.
    made: FxHashMap<Shape, Node>,
    /// Nodes by their signature: the shape over the classes of the arguments.
    table: FxHashMap<Shape, Node>,
    /// For each variable its node.
    atoms: Vec<Option<Node>>,
    /// The literals of the trail before this position are known here.
    head: usize,
    undo: Vec<(usize, Undo)>,
    pending: Vec<Equality>,
    /// Nodes that have no place, or no longer.
    unplaced: Vec<Node>,
    /// Nodes whose atom, or whose class, may have a value on the trail already.
    unannounced: Vec<Node>,
    /// Scratch of explanations.
    explained: Vec<u64>,
    shortcut: Vec<Node>,
    visited: Vec<u64>,
    mark: u64,
}

impl Default for Egraph {
    fn default() -> Self {
        let mut graph = Egraph {
            nodes: Vec::new(),
            constants: FxHashMap::default(),
            values: FxHashMap::default(),
            functions: FxHashMap::default(),
            made: FxHashMap::default(),
            table: FxHashMap::default(),
            atoms: Vec::new(),
            head: 0,
            undo: Vec::new(),
            pending: Vec::new(),
            unplaced: Vec::new(),
            unannounced: Vec::new(),
            explained: Vec::new(),
            shortcut: Vec::new(),
            visited: Vec::new(),
            mark: 0,
        };
        for truth in [TRUE, FALSE] {
            let node = graph.add(None);
            assert_eq!(node, truth, "the truth values come first");
            graph.nodes[node.index()].value = Some(node);
        }
        graph
    }
}

impl Egraph {
    fn add(&mut self, shape: Option<Shape>) -> Node {
        let node = Node(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(NodeData {
            root: node,
            next: node,
            size: 1,
            value: None,
            users: Vec::new(),
            shape,
            atom: None,
            edge: None,
        });
        self.explained.push(0);
        self.shortcut.push(node);
        self.visited.push(0);
        node
    }

    /// A new node without structure.
    pub fn leaf(&mut self) -> Node {
        self.add(None)
    }

    /// The node of a constant.
    pub fn constant(&mut self, value: &Int) -> Node {
        if let Some(&known) = self.constants.get(value) {
            return known;
        }
        let node = self.add(None);
        self.nodes[node.index()].value = Some(node);
        self.constants.insert(value.clone(), node);
        self.values.insert(node, value.clone());
        node
    }

    /// The node of an application.
    pub fn application(&mut self, function: Symbol, arguments: &[Node]) -> Node {
        let known = self.functions.get(&function).copied();
        let mut node = known.unwrap_or_else(|| {
            let node = self.add(None);
            self.functions.insert(function, node);
            node
        });
        for &argument in arguments {
            node = self.shaped(Shape {
                operator: Operator::Apply,
                left: node,
                right: argument,
            });
        }
        node
    }

    /// Whether the variable stands for a node.
    pub fn knows(&self, var: Var) -> bool {
        self.atoms.get(var.index()).is_some_and(Option::is_some)
    }

    /// Makes `var` stand for the equation of two nodes.
    pub fn equation(&mut self, var: Var, a: Node, b: Node) {
        let shape = Shape {
            operator: Operator::Equation,
            left: a.min(b),
            right: a.max(b),
        };
        self.atom(var, shape);
    }

    /// Makes `var` stand for `node <= k`.
    pub fn below(&mut self, var: Var, node: Node, k: &Int) {
        let shape = Shape {
            operator: Operator::Below,
            left: node,
            right: self.constant(k),
        };
        self.atom(var, shape);
    }

    fn atom(&mut self, var: Var, shape: Shape) {
        let node = self.shaped(shape);
        let data = &mut self.nodes[node.index()];
        assert!(data.atom.is_none(), "an atom has one variable");
        data.atom = Some(var);
        self.unannounced.push(node);
        if self.atoms.len() <= var.index() {
            self.atoms.resize(var.index() + 1, None);
        }
        self.atoms[var.index()] = Some(node);
    }

    /// The node of this shape.
    fn shaped(&mut self, shape: Shape) -> Node {
        if let Some(&known) = self.made.get(&shape) {
            return known;
        }
        let node = self.add(Some(shape));
        self.made.insert(shape, node);
        self.unplaced.push(node);
        node
    }

    /// Forgets this variable. Merges that it has caused stay until they are taken back.
    pub fn retire(&mut self, var: Var) {
        if let Some(node) = self.atoms.get_mut(var.index()).and_then(Option::take) {
            self.nodes[node.index()].atom = None;
        }
    }

    /// The representative of a node's class.
    pub fn representative(&self, node: Node) -> Node {
        self.nodes[node.index()].root
    }

    /// The constant in a node's class.
    pub fn constant_of(&self, node: Node) -> Option<&Int> {
        let value = self.nodes[self.representative(node).index()].value?;
        self.values.get(&value)
    }

    /// For a node of whose class a bound is decided: the constant of the bound, and whether it holds.
    pub fn threshold_of(&self, node: Node, k: &Int) -> Option<bool> {
        let shape = Shape {
            operator: Operator::Below,
            left: self.representative(node),
            right: *self.constants.get(k)?,
        };
        let atom = *self.table.get(&shape)?;
        match self.nodes[self.representative(atom).index()].value? {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// All constants.
    pub fn constants(&self) -> impl Iterator<Item = &Int> {
        self.constants.keys()
    }
}
