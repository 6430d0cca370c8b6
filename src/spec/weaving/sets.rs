//! Sets of values in a fixed number of slots.
//!
//! A slot is a pointer and a flag that says whether it is in use. Membership compares the value with every slot that is in use, so two names of one object are one element; emptiness is that no slot is in use.
//! All of it is code on plain variables, which every analysis knows. An element that finds all slots in use is not put in; the place where that happens carries a label that keeps the property from becoming TRUE,
//! so the bound costs verdicts but no soundness. An array indexed by the value, with a counter of its elements, would need no bound; but the arrays that it makes of every pointer comparison are much dearer than a
//! few comparisons, and no rule of practice holds more than a handful of objects at once.

use super::value::Cond;
use crate::cfa::lower::weave::Weaver;
use crate::cfa::program::expr;
use crate::cfa::{BinOp, Expr, NodeId, Op, Place};
use crate::frontend::text::source::Loc;
use crate::frontend::types::Types;

/// Elements that a set can hold.
pub(super) const SLOTS: usize = 8;

/// The variables of a set.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    slots: Vec<Slot>,
}

#[derive(Clone, Debug)]
struct Slot {
    used: Place,
    element: Place,
}

impl Slots {
    /// New variables, named after the set.
    pub fn new(weaver: &mut Weaver<'_>, name: &str) -> Slots {
        let slot = |i: usize| Slot {
            used: weaver.new_var(&format!("{name}.used{i}"), Types::INT),
            element: weaver.new_var(&format!("{name}.element{i}"), Types::VOID_PTR),
        };
        Slots {
            slots: (0..SLOTS).map(slot).collect(),
        }
    }

    /// The flags that say which slots are in use.
    pub fn flags(&self) -> impl Iterator<Item = &Place> {
        self.slots.iter().map(|slot| &slot.used)
    }

    /// The assignments that make the set empty.
    pub fn clear(&self) -> Vec<Op> {
        self.slots.iter().flat_map(|slot| slot.release()).collect()
    }

    /// The condition that the set is empty.
    pub fn empty(&self) -> Cond {
        Cond::all(self.slots.iter().map(|slot| Cond::Not(Box::new(slot.in_use()))))
    }

    /// The condition that the set holds a value.
    pub fn contains(&self, weaver: &mut Weaver<'_>, value: &Expr) -> Cond {
        let found = self.slots.iter().map(|slot| slot.holds(weaver, value));
        let any = found.reduce(|a, b| Cond::Or(Box::new(a), Box::new(b)));
        any.expect("a set has slots")
    }

    /// The ways to add a value that is not in the set: conditions with the operations to do. The first condition that holds counts.
    pub fn put(&self, value: &Expr) -> Vec<(Cond, Vec<Op>)> {
        let offer = |slot: &Slot| {
            let ops = vec![
                Op::Assign {
                    lhs: slot.used.clone(),
                    rhs: Expr::int(1, Types::INT),
                },
                Op::Assign {
                    lhs: slot.element.clone(),
                    rhs: value.clone(),
                },
            ];
            (Cond::Not(Box::new(slot.in_use())), ops)
        };
        self.slots.iter().map(offer).collect()
    }

    /// The same to take a value out.
    pub fn take(&self, weaver: &mut Weaver<'_>, value: &Expr) -> Vec<(Cond, Vec<Op>)> {
        let slots = self.slots.iter();
        slots
            .map(|slot| (slot.holds(weaver, value), slot.release().to_vec()))
            .collect()
    }
}

impl Slot {
    fn in_use(&self) -> Cond {
        Cond::Atom(Expr::load(self.used.clone()))
    }

    fn holds(&self, weaver: &mut Weaver<'_>, value: &Expr) -> Cond {
        let element = Expr::load(self.element.clone());
        let same = expr::binary(weaver.types(), BinOp::Eq, element, value.clone(), Types::INT);
        Cond::And(Box::new(self.in_use()), Box::new(Cond::Atom(same)))
    }

    /// The slot holds nothing; the element is forgotten, so that states with equal sets are equal.
    fn release(&self) -> [Op; 2] {
        let clear = |place: &Place| Op::Assign {
            lhs: place.clone(),
            rhs: Expr::int(0, place.ty),
        };
        [clear(&self.used), clear(&self.element)]
    }
}

/// Adds a chain of operations between two nodes.
pub(super) fn chain(weaver: &mut Weaver<'_>, from: NodeId, to: NodeId, ops: Vec<Op>, loc: Loc) {
    let mut at = from;
    let last = ops.len();
    for (i, op) in ops.into_iter().enumerate() {
        let next = if i + 1 == last { to } else { weaver.node(at) };
        weaver.edge(at, next, op, loc);
        at = next;
    }
    if last == 0 {
        weaver.edge(from, to, Op::Nop, loc);
    }
}
