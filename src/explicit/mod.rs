//! The explicit-value analysis with symbolic identifiers.
//!
//! The domain is that of Beyer and Löwe, "Explicit-state software model checking based on CEGAR and interpolation", FASE 2013, at full
//! precision: each variable and each byte of memory has a concrete value, is a pointer into an object, is a *symbol* plus a constant, or is unknown.
//! Symbols stand for inputs; what branches say about them is kept as an interval and a few excluded values. The analysis is path
//! sensitive: paths are not joined, a path ends where it meets a state that was there before.
//!
//! # What a result says
//!
//! States over-approximate: a value that has no exact form becomes any value, and what is not modelled ends the path with
//! [`Event::Unmodelled`]. So an edge that a *complete* exploration without such ends has not taken is not executable. An edge that it has
//! taken may still be spurious; [`Path`] gives steps and inputs for a replay to judge.
//!
//! Memory is a set of objects. Their addresses are never numbers here: what depends on them is open. Accesses outside of every object, through
//! unknown pointers, or to objects that have ended are not modelled.
//!
//! On request ([`Explorer::imagine_objects`]) an unknown pointer that is followed is taken to point to an object of its own, with unknown content, when it is followed first (lazy
//! initialisation: Khurshid, Pasareanu, Visser, *Generalized symbolic execution for model checking and testing*, TACAS 2003). It gets the object's address as a
//! number, so that whatever depends on the pointer knows it. All other places that it may point to are one more path, which ends there as not modelled: so that an exploration which did
//! this is never complete.
//!
//! | module | does |
//! |---|---|
//! | [`concrete`] | executions without inputs, by a machine of their own |
//! | [`state`](mod@state) | states, when two are the same, and states as conjunctions |
//! | [`value`] | values, symbols, bytes and objects |
//! | [`step`] | the program as actions, and one step of it |
//! | [`search`] | all paths or single ones, and the way back to steps and inputs |
//! | `compiled` | the program as slots, offsets and actions |

pub mod compiled;
pub mod concrete;
pub mod search;
pub mod state;
pub mod step;
pub mod value;

pub use compiled::compile::Compiled;
pub use search::explore::{Event, Explorer};
pub use search::trace::Path;
pub use step::record::InputKind;

use compiled::code::ObjectId;
use value::symbol::SymbolId;

/// The value of a scalar, as a bit pattern of the width that its type has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A concrete bit pattern, zero-extended.
    Bits(u64),
    /// The address of an object plus an offset, modulo the size of the address space.
    Pointer {
        /// The object.
        object: ObjectId,
        /// The offset.
        offset: u64,
    },
    /// A symbol plus a constant, modulo 2^width.
    Symbol {
        /// The symbol.
        id: SymbolId,
        /// The constant.
        plus: u64,
    },
    /// Any value; it gets a name when it is read.
    Unknown,
}
