//! Control-flow automata: the program as all analyses see it.
//!
//! [`lower()`] turns a typed syntax tree into a [`Program`]: functions as graphs whose edges carry simple operations on side-effect-free
//! expressions. Analyses walk it by [`Step`]s. What lowering took on trust is in [`Program::assumptions`].
//!
//! This room knows nothing of SMT, abstract states or properties.
//!
//! | module | does |
//! |---|---|
//! | [`program`] | the data: variables, functions, nodes, edges, operations, expressions |
//! | [`path`] | steps of paths |
//! | [`assumption`] | what is taken on trust |
//! | [`invention`] | values that the model invents |
//! | [`standard`] | the names of the C and POSIX library |
//! | [`library`] | the C library's functions, as C sources of our own |
//! | `lower`, `finish` | from the syntax tree to the finished program |
//! | [`calls`] | calls through pointers |
//! | [`expr`] | building expressions with exact constant folding |
//! | [`interval`] | bounds of results |
//! | [`math`] | functions of scalars: the exact part of `math.h` |
//! | [`graph`] | orders, loop heads, call graph, recursion |
//! | [`classify`] | which variables live in memory |
//! | [`layout`] | fixed addresses |
//! | [`scalar`] | the scalars that objects consist of |
//! | [`division`] | memory by types: which accesses cannot touch the same byte |
//! | [`points_to`] | which objects pointers may point to |
//! | [`recursion`] | recursion that is not followed to the end |
//! | [`constants`] | variables that have one value only |
//! | `indeterminate` | variables that may be read before they are written |
//! | [`relevance`] | which variables can influence control |
//! | [`slice`](mod@slice) | what does not concern the targets is left out |
//! | [`live`] | which variables are read later |
//! | [`display`], [`dot`] | C text and Graphviz |
//! | [`weave`] | adding operations to a program before it is finished |
//! | `addresses` | where a program makes numbers of addresses |
//! | `validate` | the structural invariants |

mod addresses;
pub mod assumption;
pub mod calls;
pub mod classify;
pub mod constants;
pub mod display;
pub mod division;
pub mod dot;
pub mod expr;
mod finish;
pub mod graph;
mod indeterminate;
pub mod interval;
pub mod invention;
mod jumps;
pub mod layout;
pub mod library;
pub mod live;
mod lower;
pub mod math;
pub mod path;
pub mod points_to;
pub mod program;
pub mod recursion;
pub mod relevance;
pub mod scalar;
pub mod slice;
pub mod standard;
mod validate;
pub mod weave;

pub use assumption::{Assumption, AssumptionKind};
pub use display::Printer;
pub use lower::{LibraryUse, LowerOptions, lower, lower_woven};
pub use math::MathOp;
pub use path::{Step, is_call};
pub use program::*;
