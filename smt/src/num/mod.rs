//! Exact numbers: integers and rationals with a small fast path.
//!
//! Nearly every number that a verifier meets fits 64 bits, and a checked `i64` operation is an order of magnitude faster than
//! any arbitrary-precision one. [`Int`] is therefore an `i64` until a result leaves that range, and a heap-allocated big integer
//! only from there on. Both types are *canonical*: one value has one representation, so that derived equality and hashing are
//! equality of values. There is no floating point anywhere.
//!
//! | module | does |
//! |---|---|
//! | `int` | integers |
//! | `rational` | rational numbers |
//! | `delta` | numbers with an infinitesimal part |

mod delta;
mod int;
mod rational;

pub use delta::{Delta, Number};
pub use int::{Int, ParseIntError};
pub use rational::Rational;
