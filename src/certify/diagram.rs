//! Sets of states as diagrams.
//!
//! Tens of thousands of states of one place are mostly combinations: what one process does goes with many states of the others. Written as a decision diagram, in which states that go on alike share what follows, they are a formula
//! of hundreds or thousands of parts (multi-valued decision diagrams: Miller, *Multiple-valued logic design tools*, ISMVL 1993). The states are [words](Words) of literals in one order, and the diagram is the least automaton for them; equal
//! terms are one term here, so that it is made from its ends without a table of its own.
//!
//! The words come in order, so the nodes that may still get edges are those along the last word (Daciuk, Mihov, Watson and Watson, *Incremental construction of minimal acyclic finite-state automata*, Computational Linguistics 2000).
//! They are a list: a state has literals for each variable of each open call, too many for a recursion over them.

use super::assertion_formula::Writer;
use super::words::Words;
use crate::explicit::state::assertion::Assertion;
use provident_smt::hash::FxHashSet;
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// Makes diagrams.
pub(super) struct Diagrams<'w, 'e, 'p> {
    writer: &'w mut Writer<'e, 'p>,
    nodes: FxHashSet<TermId>,
    /// The edges of all nodes so far.
    pub edges: usize,
}

/// The edges of a node: the literals that lead to each node behind it.
type Edges = BTreeMap<TermId, Vec<TermId>>;

/// The last word, and the nodes along it, with their edges but for those of this word. The node at a position stands behind as many literals.
struct Path<'s> {
    words: &'s Words<'s>,
    word: &'s [u32],
    nodes: Vec<Edges>,
}

impl<'w, 'e, 'p> Diagrams<'w, 'e, 'p> {
    pub fn new(writer: &'w mut Writer<'e, 'p>) -> Self {
        Diagrams {
            writer,
            nodes: FxHashSet::default(),
            edges: 0,
        }
    }

    /// The disjunction of the states of a place.
    pub fn disjunction(&mut self, states: &BTreeSet<Assertion>) -> TermId {
        let words = Words::of(states);
        let mut others = words.iter();
        let Some(word) = others.next() else {
            return self.writer.pool.mk_false();
        };
        let nodes = vec![Edges::new(); word.len()];
        let mut path = Path {
            words: &words,
            word,
            nodes,
        };
        for word in others {
            let alike = path.word.iter().zip(word).take_while(|(a, b)| a == b).count();
            // The last state says less than this one, which is one of its states then.
            if alike == path.word.len() {
                continue;
            }
            let behind = self.behind(&mut path, alike + 1);
            self.add_edge(&mut path, behind);
            path.word = word;
            path.nodes.resize(word.len(), Edges::new());
        }
        self.behind(&mut path, 0)
    }

    /// Completes the nodes along the word from a position on. The result is the one at this position.
    fn behind(&mut self, path: &mut Path<'_>, position: usize) -> TermId {
        let mut behind = self.writer.pool.mk_true();
        while path.nodes.len() > position {
            self.add_edge(path, behind);
            let edges = path.nodes.pop().expect("there are more than at this position");
            behind = self.node(edges);
        }
        behind
    }

    /// Gives the last node that is not complete its edge along the word.
    fn add_edge(&mut self, path: &mut Path<'_>, behind: TermId) {
        let literal = path.words.fact(path.word[path.nodes.len() - 1]);
        let literal = self.writer.fact(literal);
        let edges = path.nodes.last_mut().expect("the word goes on behind it");
        edges.entry(behind).or_default().push(literal);
    }

    /// A complete node as a term.
    fn node(&mut self, edges: Edges) -> TermId {
        let count: usize = edges.values().map(Vec::len).sum();
        let pool = &mut self.writer.pool;
        let mut cases = Vec::with_capacity(edges.len());
        for (behind, literals) in edges {
            let any = pool.or(&literals);
            cases.push(pool.and(&[any, behind]));
        }
        let node = pool.or(&cases);
        if self.nodes.insert(node) {
            self.edges += count;
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::lower::{LowerOptions, lower};
    use crate::cfa::{Program, VarId};
    use crate::encode::{Arith, Encoder};
    use crate::explicit::state::assertion::{Cell, Derived, Literal};
    use crate::frontend::text::source::Source;
    use crate::frontend::types::DataModel;
    use crate::frontend::{FrontendOptions, parse};

    fn program() -> Program {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        let text = "int x; int main(void) { return x; }";
        let unit = parse(Source::new("diagrams", text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
        lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
    }

    /// The variable `x`.
    fn cell(program: &Program) -> Cell {
        let is_x = |var: &VarId| program.var(*var).name == "x";
        Cell {
            var: program.var_ids().find(is_x).expect("it is declared"),
            leaf: 0,
            depth: 0,
            derived: Derived::Itself,
        }
    }

    /// The states that exclude these numbers.
    fn states(cell: Cell, states: &[&[i128]]) -> BTreeSet<Assertion> {
        let state = |numbers: &&[i128]| {
            let literals = numbers.iter().map(|&number| Literal::Not(cell, number));
            Assertion {
                literals: literals.collect(),
            }
        };
        states.iter().map(state).collect()
    }

    /// The diagram is the disjunction of the states, with a number of edges.
    fn check(words: &[&[i128]], expected: &str, edges: usize) {
        let program = program();
        let encoder = Encoder::new(&program, Arith::Machine);
        let mut writer = Writer::new(&encoder);
        let mut diagrams = Diagrams::new(&mut writer);
        let diagram = diagrams.disjunction(&states(cell(&program), words));
        assert_eq!(diagrams.edges, edges, "{words:?}");
        assert_eq!(encoder.display(&writer.pool, diagram), expected, "{words:?}");
    }

    #[test]
    fn states_that_go_on_alike_share_what_follows() {
        check(&[], "0", 0);
        check(&[&[]], "1", 0);
        check(&[&[1]], "x != 1", 1);
        check(&[&[1, 3], &[2, 3]], "((x != 1) || (x != 2)) && (x != 3)", 3);
        check(
            &[&[1, 2, 4], &[1, 3, 4]],
            "((x != 2) || (x != 3)) && (x != 1) && (x != 4)",
            4,
        );
        check(&[&[1, 2], &[3]], "((x != 1) && (x != 2)) || (x != 3)", 3);
        // One state includes the other one.
        check(&[&[1], &[1, 2], &[1, 2, 3], &[1, 3]], "x != 1", 1);
        check(&[&[], &[1], &[2]], "1", 0);
    }

    #[test]
    fn states_of_many_literals_need_no_stack() {
        const LENGTH: i128 = 200_000;
        let program = program();
        let encoder = Encoder::new(&program, Arith::Machine);
        let mut writer = Writer::new(&encoder);
        let mut diagrams = Diagrams::new(&mut writer);
        let one: Vec<i128> = (0..LENGTH).filter(|&number| number != 1).collect();
        let other: Vec<i128> = (1..LENGTH).collect();
        let diagram = diagrams.disjunction(&states(cell(&program), &[&one, &other]));
        // Both go on with what is behind 1.
        assert_eq!(diagrams.edges, one.len() + 1);
        assert_eq!(writer.pool.atoms(diagram).len(), one.len() + 1);
        assert!(!encoder.display(&writer.pool, diagram).is_empty());
    }
}
