//! Sets of states as diagrams.
//!
//! Tens of thousands of states of one place are mostly combinations: what one process does goes with many states of the others. Written as a decision diagram, in which states that go on alike share what follows, they are a formula
//! of hundreds or thousands of parts (multi-valued decision diagrams: Miller, *Multiple-valued logic design tools*, ISMVL 1993). The states are words of literals in one order, and the diagram is the least automaton for them; equal
//! terms are one term here, so that it is made from its ends without a table of its own.

use super::assertion_formula::Writer;
use crate::explicit::state::assertion::{Assertion, Literal};
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
        let words: Vec<&[Literal]> = states.iter().map(|state| &state.literals[..]).collect();
        self.below(&words, 0)
    }

    /// The disjunction of words from a position on. They are sorted, and alike before it.
    fn below(&mut self, words: &[&[Literal]], at: usize) -> TermId {
        if words.iter().any(|word| word.len() == at) {
            return self.writer.pool.mk_true();
        }
        let mut literals: BTreeMap<TermId, Vec<TermId>> = BTreeMap::new();
        for alike in words.chunk_by(|a, b| a[at] == b[at]) {
            let behind = self.below(alike, at + 1);
            let literal = self.writer.fact(&alike[0][at]);
            literals.entry(behind).or_default().push(literal);
        }
        let edges: usize = literals.values().map(Vec::len).sum();
        let pool = &mut self.writer.pool;
        let mut cases = Vec::with_capacity(literals.len());
        for (behind, literals) in literals {
            let any = pool.or(&literals);
            cases.push(pool.and(&[any, behind]));
        }
        let node = pool.or(&cases);
        if self.nodes.insert(node) {
            self.edges += edges;
        }
        node
    }
}
