//! The explicit-value analysis with symbolic identifiers.
//!
//! The domain is that of Beyer and Löwe, "Explicit-state software model checking based on CEGAR and interpolation", FASE 2013, at full
//! precision: each variable and each byte of memory has a concrete value, is a pointer into an object, is a *symbol* plus a constant, or is unknown.
//! Values of more than 64 bits are two such [words](value::words).
//! Symbols stand for inputs; the constraints of branches on them are kept as an interval and a few excluded values. The analysis is path
//! sensitive: paths are not joined, and a path ends at a state that was there before.
//!
//! # The meaning of a result
//!
//! States over-approximate: a value without exact form becomes any value, and a construct that is not modelled ends the path with
//! [`Event::Unmodelled`]. So if an exploration is *complete* and has no such ends, the edges that it has not taken are not executable. An edge that it has
//! taken may still be spurious; [`Path`] gives steps and inputs for the replay.
//!
//! Memory is a set of objects. Their addresses are never numbers here: a condition on the number of an address is open. Accesses outside of every object, through
//! unknown pointers, or to objects that have ended are not modelled.
//!
//! On request ([`Explorer::imagine_objects`]), an unknown pointer that is dereferenced points to a new object with unknown content, from the first dereference on (lazy
//! initialisation: Khurshid, Pasareanu, Visser, *Generalized symbolic execution for model checking and testing*, TACAS 2003). It gets the object's address as a
//! number, so that every value that depends on the pointer has it. All other targets of the pointer are one more path, which ends there as not modelled. So an exploration that did
//! this is never complete.
//!
//! | module | does |
//! |---|---|
//! | [`concrete`] | executions without inputs, and executions with chosen ones, by a machine of their own |
//! | [`pattern`] | chosen inputs |
//! | [`state`](mod@state) | states, when two are the same, and states as conjunctions |
//! | [`value`] | values, symbols, bytes and objects |
//! | [`step`] | the program as actions, and one step of it |
//! | [`search`] | all paths or single ones, and the way back to steps and inputs |
//! | [`shift`] | symmetries that add numbers to variables |
//! | [`shortcut`] | ways that are taken at once where they were taken before |
//! | `compiled` | the program as slots, offsets and actions |

pub mod compiled;
pub mod concrete;
pub mod pattern;
pub mod search;
pub mod shift;
pub mod shortcut;
pub mod state;
pub mod step;
pub mod value;

pub use compiled::compile::Compiled;
pub use search::explore::{Event, Explorer};
pub use search::trace::Path;
pub use search::waiting::Order;
pub use step::record::InputKind;

use compiled::code::ObjectId;
use value::symbol::SymbolId;

/// The value of a scalar of at most 64 bits, or of a word of a longer one, as a bit pattern of the width that its type has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
