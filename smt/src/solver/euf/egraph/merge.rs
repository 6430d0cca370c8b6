//! Classes: nodes that the literals of the trail make equal are merged, and separated again in reverse order.
//!
//! A node that is made during the search is *placed* where the trail stands: it gets its signature over the classes of now, and may be congruent to another node at
//! once. The least number of literals with which it would be congruent is not known. So a placement is on the log, like a merge, and when it is taken back, the node is placed
//! again, where the trail stands then. In the same way an atom that becomes known for a node is *announced*.

use super::{Because, Egraph, FALSE, Node, Operator, Shape, TRUE, Undo};
use crate::proof::Lit;
use crate::solver::events::Event;
use crate::solver::sat::search::{Reason, Search, Value};
use crate::solver::theory::{Follower, Theory, Ticket};

/// The cost of a user in a merge, where a member of the class costs one.
const USER: usize = 4;

impl Egraph {
    /// Separates what literals at or behind this position of the trail have merged.
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
                Undo::Placed(node) => {
                    for argument in self.arguments(node) {
                        let root = self.representative(argument);
                        let last = self.nodes[root.index()].users.pop();
                        assert_eq!(last, Some(node), "what came later is taken back");
                    }
                    self.unplaced.push(node);
                }
                Undo::Announced(node) => self.unannounced.push(node),
            }
        }
    }

    /// Takes the literals of the trail over and assigns the atoms that they imply, up to a contradiction.
    fn take_over_literals(&mut self, search: &mut Search) -> Option<Reason> {
        while self.head < search.trail.len() {
            let literal = search.trail[self.head];
            if let Some(&Some(node)) = self.atoms.get(literal.var().index()) {
                self.assert_literal(literal, node);
                let conflict = self.merge_pending(search);
                if conflict.is_some() {
                    return conflict;
                }
            }
            self.head += 1;
        }
        None
    }

    /// Places the nodes that have no place, and announces atoms.
    fn take_in(&mut self, search: &mut Search) -> Option<Reason> {
        if self.unplaced.is_empty() && self.unannounced.is_empty() {
            return None;
        }
        // Consequences rest on the literals that are known: they fall with the last one of them.
        let known = self.head;
        self.head = known.saturating_sub(1);
        let mut conflict = self.place_nodes(search);
        if conflict.is_none() {
            conflict = self.announce_atoms(search, known);
        }
        if conflict.is_none() {
            self.head = known;
            // Without any literal nothing has to be taken back, as a rule.
            let rests = |(_, undo): &(usize, Undo)| matches!(undo, Undo::Merge { .. } | Undo::Removed(..));
            if known == 0 && !self.undo.iter().any(rests) {
                self.undo.clear();
            }
        }
        conflict
    }

    fn place_nodes(&mut self, search: &mut Search) -> Option<Reason> {
        let mut unplaced = std::mem::take(&mut self.unplaced);
        // Arguments come before what they are arguments of.
        unplaced.sort_unstable();
        search.ticks += unplaced.len() as u64;
        for node in unplaced {
            for argument in self.arguments(node) {
                let root = self.representative(argument);
                self.nodes[root.index()].users.push(node);
            }
            self.undo.push((self.head, Undo::Placed(node)));
            self.enter(node);
        }
        self.merge_pending(search)
    }

    fn announce_atoms(&mut self, search: &mut Search, known: usize) -> Option<Reason> {
        let mut unannounced = std::mem::take(&mut self.unannounced);
        unannounced.sort_unstable();
        unannounced.retain(|node| self.nodes[node.index()].atom.is_some());
        search.ticks += unannounced.len() as u64;
        self.undo
            .extend(unannounced.iter().map(|&node| (self.head, Undo::Announced(node))));
        for node in unannounced {
            let var = self.nodes[node.index()].atom.expect("others were left out");
            let positive = var.positive();
            if search.value(positive) != Value::Open && (search.positions[var.index()] as usize) < known {
                let literal = if search.is_true(positive) { positive } else { !positive };
                self.assert_literal(literal, node);
            } else if let Some(value) = self.nodes[self.representative(node).index()].value
                && let Some(conflict) = self.imply(search, node, value)
            {
                return Some(conflict);
            }
        }
        self.merge_pending(search)
    }

    /// The nodes among whose users a node is.
    fn arguments(&self, node: Node) -> impl Iterator<Item = Node> + use<> {
        let shape = self.nodes[node.index()].shape.expect("placed nodes have arguments");
        let both = shape.operator != Operator::Below && shape.left != shape.right;
        [Some(shape.left), both.then_some(shape.right)].into_iter().flatten()
    }

    /// Merges the atom of a node with its truth value, and the sides of a true equation.
    fn assert_literal(&mut self, literal: Lit, node: Node) {
        let because = Because::Literal(literal);
        let truth = if literal.is_negative() { FALSE } else { TRUE };
        self.pending.push((node, truth, because));
        let shape = self.nodes[node.index()].shape.expect("an atom has a shape");
        if shape.operator == Operator::Equation && !literal.is_negative() {
            self.pending.push((shape.left, shape.right, because));
        }
    }

    fn merge_pending(&mut self, search: &mut Search) -> Option<Reason> {
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
        if self.weight(from) > self.weight(into) {
            (from, into, edge, to) = (into, from, to, edge);
        }
        self.reroot(edge);
        self.nodes[edge.index()].edge = Some((to, because));
        let values = (self.nodes[from.index()].value, self.nodes[into.index()].value);
        if let (Some(one), Some(other)) = values {
            // Two different constants: the edge is there for the explanation only.
            let literals = self.explain_equality(&mut search.ticks, one, other);
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
            self.enter(user);
        }
        self.nodes[from.index()].users = users;
        for (atom, value) in decided {
            if let Some(conflict) = self.imply(search, atom, value) {
                return Some(conflict);
            }
        }
        None
    }

    /// The cost of joining a class to another one: each user has two signatures, the old and the new one.
    fn weight(&self, root: Node) -> usize {
        let data = &self.nodes[root.index()];
        data.size as usize + USER * data.users.len()
    }

    /// Enters a node's signature into the table, or finds it congruent to another node.
    fn enter(&mut self, user: Node) {
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
        let is_open = search.value(implied) == Value::Open;
        let reason = if is_open && !search.events.is_traced() {
            search.add_unexplained(implied, Ticket(node.0, value.0))
        } else {
            let mut literals = self.explain_equality(&mut search.ticks, node, value);
            literals.push(implied);
            search.add_equality_lemma(literals)
        };
        if is_open {
            search.events.emit(Event::TheoryPropagation);
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
}

impl Theory for Egraph {
    fn take_over(&mut self, search: &mut Search) -> Result<(), Reason> {
        self.take_back(search.kept[Follower::Equality as usize]);
        let conflict = self.take_in(search).or_else(|| self.take_over_literals(search));
        search.kept[Follower::Equality as usize] = self.head;
        if let Some(conflict) = conflict {
            self.pending.clear();
            return Err(conflict);
        }
        Ok(())
    }

    fn explain(&mut self, ticks: &mut u64, Ticket(a, b): Ticket) -> Vec<Lit> {
        self.explain_equality(ticks, Node(a), Node(b))
    }
}
