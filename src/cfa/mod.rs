//! Control-flow automata: the program as all analyses see it.
//!
//! [`lower()`] turns a typed syntax tree into a [`Program`]: functions as graphs whose edges carry simple operations on side-effect-free
//! expressions. Analyses walk it by [`Step`]s. The assumptions of lowering are in [`Program::assumptions`].
//!
//! This room knows nothing of SMT, abstract states or properties.
//!
//! Its sub-rooms stand on each other in this order: `library`, `program`, `analysis`, `raw`, `memory_types`, `pointers`, `calls`, `lower`, `slice`, `view`, `accelerate`; each uses only those before it.
//!
//! | module | does |
//! |---|---|
//! | [`program`](mod@program) | the data: variables, functions, nodes, edges, operations, expressions |
//! | `raw` | the unfinished program |
//! | [`library`] | the C library's functions, as C sources of our own |
//! | [`lower`](mod@lower) | from the syntax tree to the finished program |
//! | [`calls`] | calls through pointers, and recursion |
//! | [`memory_types`] | memory by types: which accesses cannot touch the same byte |
//! | [`pointers`] | which objects pointers may point to |
//! | [`analysis`] | analyses of a finished program |
//! | [`slice`](mod@slice) | slices, which keep only the cause of the targets |
//! | [`accelerate`](mod@accelerate) | programs whose loops take many turns at once |
//! | [`view`] | C text and Graphviz |

pub mod accelerate;
pub mod analysis;
pub mod calls;
pub mod library;
pub mod lower;
pub mod memory_types;
pub mod pointers;
pub mod program;
pub(crate) mod raw;
pub mod slice;
pub mod view;

pub use lower::{EntryPointers, LibraryUse, LowerOptions, lower, lower_woven};
pub use program::assumption::{Assumption, AssumptionKind};
pub use program::math::MathOp;
pub use program::path::{Step, is_call};
pub use program::*;
pub use view::display::Printer;
