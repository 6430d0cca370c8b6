//! The division of memory by types: kinds of cells, such that accesses to different kinds cannot touch the same byte.
//!
//! The fewer writes a read depends on, the better. At first, three kinds are distinguished:
//!
//! * a variable in memory that no pointer points to has kinds of its own, one per scalar member (elements of an array share it);
//! * a scalar member of a record type, in all other objects, has one kind per (record, member);
//! * scalars that are no members have one kind per class and size (`int` and `unsigned` alike, pointers apart).
//!
//! This is right as long as a byte is reached in one way only. One pass over the program unifies (union-find) the kinds
//! of bytes that it can reach in two ways: the address of a member is taken (it joins the scalars of its type); a union; a pointer cast
//! between types whose scalars lie differently; a byte copy across types. Casts that cancel out (`container_of`, with its offset)
//! unify only what really overlaps. A unified kind whose accesses have one size at whole multiples stays a kind of such *cells*; otherwise it
//! becomes a kind of *bytes*, in which a wider access is a sum of bytes: exact, and expensive only where a program makes such accesses.
//!
//! Pointers that go through `void *` variables and integers are followed by what they may have been before. So are those of types whose pointers somewhere leave objects
//! of the type (`container_of`, a first member as its record, a header before the data): the surroundings of an object depend on the origin of the pointer. These types are found
//! in rounds. Where types meet that do not fit, a few such pairs are unified; for more, the division rests on strict aliasing, and the ledger has an entry.
//! The [points-to analysis](super::pointers) keeps the content of objects by kinds, so that it is field-sensitive without offsets, and
//! path formulas divide each kind further by the objects of its points-to sets.
//!
//! | module | does |
//! |---|---|
//! | `kinds` | kinds of cells, and the keys by which they are found |
//! | `division` | which kind a place has |
//! | `analysis` | the state of the look over the program: a union-find over kinds |
//! | `enumerate` | the kinds that types and variables have at first |
//! | `bytes` | the cells that fills and copies of bytes concern |
//! | `unify` | the look over the program, and bytes that are reached under two types |
//! | `constants` | offsets that are constant, also over variables |
//! | `flow` | which types meet through values without a type |
//! | `meeting` | how the scalars of two types lie to each other |
//! | `members` | members that are accessed by arithmetic |
//! | `values` | what a pointer expression is made from |
//! | `walks` | the types along which pointers move, and members that are reached by a pointer to another one |
//! | `names` | names of kinds |

mod analysis;
mod bytes;
mod constants;
mod division;
mod enumerate;
mod flow;
mod kinds;
mod meeting;
mod members;
mod names;
mod unify;
mod values;
mod walks;

pub use bytes::{Concerned, Cut};
pub use constants::constant_offset;
pub use division::Division;
pub use kinds::{Cells, Kind, KindId, in_memory};
pub use names::member_name;

/// The most pairs of types for which casts through `void *` are unified rather than trusted, for formulas: wide kinds are expensive there.
pub const FEW_PAIRS: usize = 64;

/// The same where only dependences are concerned.
pub const MANY_PAIRS: usize = 128;
