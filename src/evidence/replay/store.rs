//! Stores of the machine, and changes of variables in them.

use crate::cfa::VarId;
use provident_smt::num::Int;

/// The store that a location lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Store {
    Memory,
    Registers,
}

/// One assignment for the trace: the place and its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The variable, if the place is the whole of one.
    pub var: Option<VarId>,
    /// The value as text.
    pub value: String,
    /// The value, if it is an integer or an address.
    pub number: Option<Int>,
}
