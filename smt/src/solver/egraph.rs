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
//! Merges follow the trail and are undone in reverse. A new node forgets all of them first, so that the table has no entry that
//! depends on merges older than the node; the trail is then read again.

use super::search::{Reason, Search, Value};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::{Lit, Var};
use crate::term::Symbol;

/// A node by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Node(u32);

impl Node {
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The node of all true atoms, and that of the false ones.
const TRUE: Node = Node(0);
const FALSE: Node = Node(1);

/// What a node is of its arguments; with their classes, the key of congruence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Shape {
    operator: Operator,
    left: Node,
    right: Node,
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
}

/// Two nodes that are equal, and why.
type Equality = (Node, Node, Because);

/// The closure under the literals of the trail.
pub(super) struct Egraph {
    nodes: Vec<NodeData>,
    constants: FxHashMap<Int, Node>,
    /// The constant of each constant's node.
    values: FxHashMap<Node, Int>,
    functions: FxHashMap<Symbol, Node>,
    /// All nodes with a shape, by what they are of their arguments themselves.
    made: FxHashMap<Shape, Node>,
    /// Nodes by what they are of their arguments' classes.
    table: FxHashMap<Shape, Node>,
    /// For each variable its node.
    atoms: Vec<Option<Node>>,
    /// The literals of the trail before this position are known here.
    head: usize,
    undo: Vec<(usize, Undo)>,
    pending: Vec<Equality>,
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
        self.take_back(0);
        let node = self.add(Some(shape));
        self.made.insert(shape, node);
        self.nodes[shape.left.index()].users.push(node);
        if shape.operator != Operator::Below && shape.left != shape.right {
            self.nodes[shape.right.index()].users.push(node);
        }
        self.table.insert(shape, node);
        node
    }

    /// Stops listening to this variable. What it has said already stays until it is taken back.
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

    /// Forgets what literals at or behind this position of the trail said.
    fn take_back(&mut self, position: usize) {
        self.head = self.head.min(position);
        while self.undo.last().is_some_and(|(at, _)| *at >= position) {
            let (_, undo) = self.undo.pop().expect("there is a last one");
            match undo {
                Undo::Merge {
                    from,
                    into,
                    edge,
                    users,
                    value,
                } => {
                    // The edge may have been turned round since.
                    let (one, other) = edge;
                    let is_straight = self.nodes[one.index()].edge.is_some_and(|(to, _)| to == other);
                    let holder = if is_straight { one } else { other };
                    self.nodes[holder.index()].edge = None;
                    let (a, b) = (self.nodes[from.index()].next, self.nodes[into.index()].next);
                    (self.nodes[from.index()].next, self.nodes[into.index()].next) = (b, a);
                    let size = self.nodes[from.index()].size;
                    let data = &mut self.nodes[into.index()];
                    data.size -= size;
                    data.users.truncate(users);
                    data.value = value;
                    let mut at = from;
                    loop {
                        self.nodes[at.index()].root = from;
                        at = self.nodes[at.index()].next;
                        if at == from {
                            break;
                        }
                    }
                }
                Undo::Inserted(shape) => {
                    self.table.remove(&shape);
                }
                Undo::Removed(shape, node) => {
                    self.table.insert(shape, node);
                }
            }
        }
    }

    /// Takes the literals of the trail over and assigns the atoms that they imply, up to a contradiction.
    pub fn take_over(&mut self, search: &mut Search) -> Option<Reason> {
        self.take_back(search.equalities_kept);
        while self.head < search.trail.len() {
            let literal = search.trail[self.head];
            if let Some(&Some(node)) = self.atoms.get(literal.var().index())
                && let Some(conflict) = self.say(search, literal, node)
            {
                self.pending.clear();
                search.equalities_kept = self.head;
                return Some(conflict);
            }
            self.head += 1;
        }
        search.equalities_kept = search.trail.len();
        None
    }

    /// Takes over that the atom of a node is true or false.
    fn say(&mut self, search: &mut Search, literal: Lit, node: Node) -> Option<Reason> {
        let because = Because::Literal(literal);
        let truth = if literal.is_negative() { FALSE } else { TRUE };
        self.pending.push((node, truth, because));
        let shape = self.nodes[node.index()].shape.expect("an atom has a shape");
        if shape.operator == Operator::Equation && !literal.is_negative() {
            self.pending.push((shape.left, shape.right, because));
        }
        while let Some((a, b, because)) = self.pending.pop() {
            if let Some(conflict) = self.merge(search, a, b, because) {
                return Some(conflict);
            }
        }
        None
    }

    /// Joins two classes.
    fn merge(&mut self, search: &mut Search, a: Node, b: Node, because: Because) -> Option<Reason> {
        let (mut from, mut into) = (self.representative(a), self.representative(b));
        if from == into {
            return None;
        }
        let (mut edge, mut to) = (a, b);
        if self.nodes[from.index()].size > self.nodes[into.index()].size {
            (from, into, edge, to) = (into, from, to, edge);
        }
        self.reroot(edge);
        self.nodes[edge.index()].edge = Some((to, because));
        let values = (self.nodes[from.index()].value, self.nodes[into.index()].value);
        if let (Some(one), Some(other)) = values {
            // Two different constants: the edge is there for the explanation only.
            let literals = self.explain(search, one, other);
            self.nodes[edge.index()].edge = None;
            return Some(search.add_equality_lemma(literals));
        }
        search.ticks += u64::from(self.nodes[from.index()].size);
        let users = std::mem::take(&mut self.nodes[from.index()].users);
        for &user in &users {
            let shape = self.signature(user);
            if self.table.get(&shape) == Some(&user) {
                self.table.remove(&shape);
                self.undo.push((self.head, Undo::Removed(shape, user)));
            }
        }
        let decided = self.decided_by_merge(from, into);
        let mut at = from;
        loop {
            self.nodes[at.index()].root = into;
            at = self.nodes[at.index()].next;
            if at == from {
                break;
            }
        }
        let (x, y) = (self.nodes[from.index()].next, self.nodes[into.index()].next);
        (self.nodes[from.index()].next, self.nodes[into.index()].next) = (y, x);
        let size = self.nodes[from.index()].size;
        let data = &mut self.nodes[into.index()];
        self.undo.push((
            self.head,
            Undo::Merge {
                from,
                into,
                edge: (edge, to),
                users: data.users.len(),
                value: data.value,
            },
        ));
        data.size += size;
        data.value = data.value.or(values.0);
        data.users.extend_from_slice(&users);
        for &user in &users {
            search.ticks += 1;
            let shape = self.signature(user);
            if shape.operator == Operator::Equation && shape.left == shape.right {
                self.pending.push((user, TRUE, Because::Sides));
            }
            match self.table.get(&shape) {
                None => {
                    self.table.insert(shape, user);
                    self.undo.push((self.head, Undo::Inserted(shape)));
                }
                Some(&other) => {
                    if self.representative(other) != self.representative(user) {
                        let crossed = self.are_crossed(user, other);
                        self.pending.push((user, other, Because::Congruence { crossed }));
                    }
                }
            }
        }
        self.nodes[from.index()].users = users;
        for (atom, value) in decided {
            if let Some(conflict) = self.imply(search, atom, value) {
                return Some(conflict);
            }
        }
        None
    }

    /// The atoms that get a truth value when two classes are joined, and that value.
    fn decided_by_merge(&self, a: Node, b: Node) -> Vec<(Node, Node)> {
        let truth = |n: Node| self.nodes[n.index()].value.filter(|v| *v == TRUE || *v == FALSE);
        let (open, value) = match (truth(a), truth(b)) {
            (None, Some(value)) => (a, value),
            (Some(value), None) => (b, value),
            _ => return Vec::new(),
        };
        let mut decided = Vec::new();
        let mut at = open;
        loop {
            if self.nodes[at.index()].atom.is_some() {
                decided.push((at, value));
            }
            at = self.nodes[at.index()].next;
            if at == open {
                return decided;
            }
        }
    }

    /// Assigns the atom of a node.
    fn imply(&mut self, search: &mut Search, node: Node, value: Node) -> Option<Reason> {
        let var = self.nodes[node.index()].atom.expect("only called for atoms");
        let implied = var.literal(value == TRUE);
        if search.is_true(implied) {
            return None;
        }
        let mut literals = self.explain(search, node, value);
        literals.push(implied);
        let open = search.value(implied) == Value::Open;
        let reason = search.add_equality_lemma(literals);
        if open {
            search.stats.theory_propagations += 1;
            search.assign(implied, reason);
            return None;
        }
        Some(reason)
    }

    /// The shape of a node over the classes of its arguments.
    fn signature(&self, node: Node) -> Shape {
        let shape = self.nodes[node.index()].shape.expect("users have a shape");
        let (left, right) = (self.representative(shape.left), self.representative(shape.right));
        match shape.operator {
            Operator::Equation => Shape {
                operator: shape.operator,
                left: left.min(right),
                right: left.max(right),
            },
            Operator::Apply => Shape { left, right, ..shape },
            Operator::Below => Shape { left, ..shape },
        }
    }

    /// Whether two nodes of one signature are equations whose sides are equal only crosswise. This has to be found out when the nodes are merged: a later
    /// merge may make the sides equal straight, but because of this one.
    fn are_crossed(&self, a: Node, b: Node) -> bool {
        let shape = |n: Node| self.nodes[n.index()].shape.expect("congruent nodes have arguments");
        let (a, b) = (shape(a), shape(b));
        a.operator == Operator::Equation && self.representative(a.left) != self.representative(b.left)
    }

    /// Makes a node the root of its tree in the proof forest.
    fn reroot(&mut self, node: Node) {
        let mut edge = self.nodes[node.index()].edge.take();
        let mut at = node;
        while let Some((to, because)) = edge {
            edge = self.nodes[to.index()].edge.replace((at, because));
            at = to;
        }
    }

    /// The negations of the literals that make two nodes equal.
    fn explain(&mut self, search: &mut Search, a: Node, b: Node) -> Vec<Lit> {
        let mut literals = Vec::new();
        let mut open = vec![(a, b)];
        // Nodes whose edge is explained already have this mark, and a shortcut.
        self.mark += 1;
        let done = self.mark;
        while let Some((a, b)) = open.pop() {
            let meet = self.nearest_common(search, a, b, done);
            for start in [a, b] {
                let mut at = self.beyond_explained(start, done);
                while at != meet {
                    let (to, because) = self.nodes[at.index()].edge.expect("equal nodes are in one tree");
                    (self.explained[at.index()], self.shortcut[at.index()]) = (done, to);
                    self.explain_edge(at, to, because, &mut literals, &mut open);
                    at = self.beyond_explained(to, done);
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    fn explain_edge(&self, a: Node, b: Node, because: Because, literals: &mut Vec<Lit>, open: &mut Vec<(Node, Node)>) {
        match because {
            Because::Literal(literal) => literals.push(!literal),
            Because::Sides => {
                let equation = if a == TRUE { b } else { a };
                let shape = self.nodes[equation.index()].shape.expect("an equation has sides");
                open.push((shape.left, shape.right));
            }
            Because::Congruence { crossed } => {
                let shape = |n: Node| self.nodes[n.index()].shape.expect("congruent nodes have arguments");
                let (a, b) = (shape(a), shape(b));
                if crossed {
                    open.extend([(a.left, b.right), (a.right, b.left)]);
                } else {
                    open.extend([(a.left, b.left), (a.right, b.right)]);
                }
            }
        }
    }

    /// The first node at or above this one whose edge is not explained yet. Shortens the way for the next time.
    fn beyond_explained(&mut self, node: Node, done: u64) -> Node {
        let mut top = node;
        while self.explained[top.index()] == done {
            top = self.shortcut[top.index()];
        }
        let mut at = node;
        while at != top {
            at = std::mem::replace(&mut self.shortcut[at.index()], top);
        }
        top
    }

    /// The first node that the paths of two nodes to the root of their tree have in common, explained edges left out. Walks up from both in turn.
    fn nearest_common(&mut self, search: &mut Search, a: Node, b: Node, done: u64) -> Node {
        self.mark += 2;
        let (from_a, from_b) = (self.mark - 1, self.mark);
        let mut ends = [
            (Some(self.beyond_explained(a, done)), from_a, from_b),
            (Some(self.beyond_explained(b, done)), from_b, from_a),
        ];
        loop {
            for (at, own, other) in &mut ends {
                let Some(node) = *at else { continue };
                search.ticks += 1;
                if self.visited[node.index()] == *other {
                    return node;
                }
                self.visited[node.index()] = *own;
                let next = self.nodes[node.index()].edge;
                *at = next.map(|(to, _)| self.beyond_explained(to, done));
            }
            assert!(ends.iter().any(|(at, ..)| at.is_some()), "equal nodes are in one tree");
        }
    }
}
