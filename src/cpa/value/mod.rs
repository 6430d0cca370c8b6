//! Explicit-value analysis: abstract states that map variables and memory cells to constants.
//!
//! After Beyer and Löwe, *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013. A state is an *abstract variable assignment*: it
//! represents the concrete states in which every cell that it mentions has the constant that it says. The [`precision`] says which cells are kept at which locations; all others are unknown. There are no
//! symbolic values: an input, and whatever is computed from one, is unknown.
//!
//! The operator `transfer` is the [strongest postcondition](post) in the domain, followed by the abstraction to the precision. States are never joined (`merge` separates), and a state is
//! covered by any state that says no more than it does. The exploration at full precision, with symbols, is another engine: [`explicit`](crate::explicit).
//!
//! # Cost
//!
//! Assignments are interned, so a state is a number, and equal states are merged and covered without a look at them. With an empty precision the operators return at once.
//!
//! | module | does |
//! |---|---|
//! | [`assignment`] | abstract variable assignments |
//! | [`post`] | strongest postconditions on machine integers |
//! | [`precision`] | which cells are kept where |

pub mod assignment;
pub mod post;
pub mod precision;

use super::composite::{Context, Control, Domain};
use super::{Adjusted, Status};
use crate::cfa::Step;
use crate::cfa::analysis::domain_types::DomainTypes;
use crate::encode::{Encoder, Frame};
use assignment::{Assignment, Cell};
use post::Post;
use precision::Precision;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// An interned abstract variable assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuesId(u32);

impl ValuesId {
    /// The assignment that says nothing.
    pub const TOP: ValuesId = ValuesId(0);
}

/// The explicit-value analysis.
pub struct Values<'p> {
    /// Names and places of cells.
    encoder: Encoder<'p>,
    /// The precision.
    pub precision: Precision,
    assignments: Vec<Arc<Assignment>>,
    numbers: FxHashMap<Arc<Assignment>, ValuesId>,
    /// The sets of cells that have constants in some assignment.
    shapes: BTreeSet<Vec<Cell>>,
    /// The domain types of the program's cells, as soon as somebody asks for them.
    types: OnceLock<DomainTypes>,
}

impl<'p> Values<'p> {
    /// The analysis of the encoder's program with empty precision.
    pub fn new(encoder: Encoder<'p>) -> Self {
        let top = Arc::new(Assignment::default());
        Values {
            encoder,
            precision: Precision::default(),
            assignments: vec![Arc::clone(&top)],
            numbers: FxHashMap::from_iter([(top, ValuesId::TOP)]),
            shapes: BTreeSet::from([Vec::new()]),
            types: OnceLock::new(),
        }
    }

    /// The assignment of a state.
    pub fn assignment(&self, id: ValuesId) -> &Arc<Assignment> {
        &self.assignments[usize::try_from(id.0).expect("a number of an assignment")]
    }

    /// The operator of strongest postconditions.
    pub fn post(&self) -> Post<'_, 'p> {
        Post::new(&self.encoder)
    }

    /// The names of cells.
    pub fn encoder(&self) -> &Encoder<'p> {
        &self.encoder
    }

    /// The domain types of the program's cells.
    pub fn domain_types(&self) -> &DomainTypes {
        self.types.get_or_init(|| self.encoder.domain_types())
    }

    /// The state that says what an assignment says.
    pub fn intern(&mut self, assignment: Assignment) -> ValuesId {
        if let Some(&known) = self.numbers.get(&assignment) {
            return known;
        }
        let id = ValuesId(u32::try_from(self.assignments.len()).expect("fewer than 2^32 assignments"));
        self.shapes.insert(assignment.cells().collect());
        let assignment = Arc::new(assignment);
        self.assignments.push(Arc::clone(&assignment));
        self.numbers.insert(assignment, id);
        id
    }
}

/// The frames of a step between two controls.
fn frame_of(context: &Context<'_>, from: Control, to: Control, step: Step) -> Frame {
    let depth = |control: Control| context.stacks.depth(control.stack);
    match step {
        Step::Edge(_) => Frame {
            caller: depth(from),
            callee: 0,
        },
        Step::Enter(_) => Frame {
            caller: depth(from),
            callee: depth(to),
        },
        Step::Leave(_) => Frame {
            caller: depth(to),
            callee: depth(from),
        },
    }
}

impl Domain for Values<'_> {
    type State = ValuesId;
    type Key = ValuesId;

    fn key(&self, state: &ValuesId) -> ValuesId {
        *state
    }

    /// Those that say no more: at most one for each set of cells that has constants somewhere. (So programs that count are explored in linear time.)
    fn covering_keys(&self, state: &ValuesId) -> Vec<ValuesId> {
        let assignment = self.assignment(*state);
        let weaker = self.shapes.iter().filter_map(|shape| {
            let weaker = assignment.project(shape)?;
            self.numbers.get(&weaker).copied().filter(|weaker| weaker != state)
        });
        std::iter::once(*state).chain(weaker).collect()
    }

    fn transfer(
        &mut self,
        context: &Context<'_>,
        from: Control,
        to: Control,
        state: &ValuesId,
        step: Step,
    ) -> Option<ValuesId> {
        if self.precision.is_empty() {
            return Some(ValuesId::TOP);
        }
        let mut assignment = Assignment::clone(self.assignment(*state));
        let frame = frame_of(context, from, to, step);
        if !self.post().apply(&mut assignment, step, frame) {
            return None;
        }
        self.precision.restrict(context.program, to.node, &mut assignment);
        Some(self.intern(assignment))
    }

    /// States are not joined. Equal ones are one, so that the other component of a product is not held back.
    fn merge(&mut self, new: &ValuesId, old: &ValuesId) -> Option<ValuesId> {
        (new == old).then_some(*old)
    }

    fn stop(&mut self, state: &ValuesId, reached: &ValuesId) -> bool {
        state == reached || self.assignment(*state).implies(self.assignment(*reached))
    }

    /// `transfer` has adjusted the state already: a merge that comes before `prec` finds more equal states then.
    fn prec(&mut self, _: &Context<'_>, _: Control, _: &ValuesId) -> (Adjusted<ValuesId>, Status) {
        (Adjusted::Same, Status::GOOD)
    }

    fn waits(&self, _: &ValuesId) -> bool {
        false
    }
}
