//! Stores of the machine, and changes of variables in them.

use super::value::{Shape, Value};
use crate::cfa::VarId;
use crate::frontend::types::TypeId;

/// The store that a location lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Store {
    Memory,
    Registers,
}

/// One assignment for the trace: the place and its new value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// The variable, if the place is the whole of one.
    pub var: Option<VarId>,
    /// The value.
    pub value: Value,
    /// Its shape.
    pub shape: Shape,
    /// The type of the place.
    pub ty: TypeId,
}
