//! A fast machine for executions without inputs, and for executions with inputs that are chosen.
//!
//! As long as a program reads no input and does nothing undefined, and the model gives each operation one value, the program has one execution, and running it decides everything. The machine
//! of [`super::step::machine`] can do this, too, but it maintains symbols, shared pages and choices at each step. This machine compiles the program to instructions over registers and bytes,
//! and takes a hundred million steps in a second.
//!
//! # The meaning of a result
//!
//! The run ends where more than one next step is possible: where it would read memory that was never written, where C leaves the behaviour undefined, where a number of an address is
//! needed (objects have none here), and where an operation has no instruction. Then only the steps so far are known. If the run comes to the program's end, or to
//! a state in which it was before, every step of the only execution has been taken: an edge that was not taken is not executable.
//!
//! An edge of interest that is taken is shown by a path of steps without inputs. The machine records none in its first run; a second run, with instructions that do, gives the path.
//!
//! | module | does |
//! |---|---|
//! | `layout` | registers and objects of variables |
//! | `code` | the instructions |
//! | `assigned` | which variables have values where they are read |
//! | `compile` | from the program to instructions: control |
//! | `assign`, `calls` | assignments, calls |
//! | `expression`, `floats`, `place` | values and places |
//! | `general` | integers of more than 64 bits, other floating-point formats, functions of `math.h` |
//! | `memory` | objects and their bytes |
//! | `operations` | what instructions do to the bits of registers |
//! | `run` | the machine |
//! | `repeat` | executions that never end |

mod assign;
mod assigned;
mod calls;
mod code;
mod compile;
mod expression;
mod floats;
mod general;
mod layout;
mod memory;
mod operations;
mod place;
mod repeat;
mod run;

pub use run::{Chosen, Event, Execution, Questions, Taken};

use crate::cfa::EdgeId;

/// Why there is no instruction, or the run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop(pub &'static str);

impl Stop {
    /// The program asks for a value.
    const INPUT: Stop = Stop("an input");
    /// It uses a value that it did not write.
    const UNKNOWN_VALUE: Stop = Stop("a value that is not known");
    /// It uses a pointer that it did not write.
    const UNKNOWN_POINTER: Stop = Stop("a pointer that is not known");
    /// It uses a bit-field that it did not write.
    const UNKNOWN_BITS: Stop = Stop("a bit-field that is not known");
    /// It uses a variable that it did not write.
    const NO_VALUE: Stop = Stop("a variable without a value");
    /// The reasons for which more than one execution goes on.
    const CHOICES: [Stop; 5] = [
        Stop::INPUT,
        Stop::UNKNOWN_VALUE,
        Stop::UNKNOWN_POINTER,
        Stop::UNKNOWN_BITS,
        Stop::NO_VALUE,
    ];

    /// Whether more than one execution goes on from here: a value is asked for that the program does not determine.
    pub fn is_choice(self) -> bool {
        Stop::CHOICES.contains(&self)
    }
}

/// Which edges are of interest.
pub type Wanted<'w> = dyn Fn(EdgeId) -> bool + 'w;
