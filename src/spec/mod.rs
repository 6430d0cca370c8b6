//! Specifications: property files, task definitions, automata, and the program edges that a property forbids.
//!
//! A property arrives as text ([`property`]), alone or through a task definition ([`task`]). [`resolve`] turns it into the
//! edges of a program whose execution violates it, which is all that the analyses know of a property. A specification automaton
//! ([`automaton`]) is woven into the program before ([`weaving`]); the built-in ones are in [`rules`].
//! This room knows nothing of abstract domains.
//!
//! | module | does |
//! |---|---|
//! | `property` | property files |
//! | `task` | task definitions |
//! | `compile_commands` | compilation databases |
//! | `automaton` | specification automata as data |
//! | `rules` | the built-in rules |
//! | `weaving` | automata become operations in the program |
//! | `resolve` | from a property to the edges that violate it |

pub mod automaton;
pub mod compile_commands;
pub mod property;
pub mod resolve;
pub mod rules;
pub mod task;
pub mod weaving;

pub use automaton::parse_specification;
pub use property::{CheckedPlace, Forbidden, PropertySpec, SpecError, parse_properties, property_name};
pub use resolve::target_edges;
pub use task::{Task, TaskProperty, parse_task};
