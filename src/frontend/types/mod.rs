//! C types, interned: equal types have equal [`TypeId`]s, so that comparing and copying a type is comparing and copying a
//! `u32`.
//!
//! Sizes, alignments and layouts are those of gcc for x86 (ILP32 is `-m32`, LP64 is `-m64`); computing them is in `layout`.
//!
//! Qualifiers are part of a `TypeId` while a program is being analysed (`const` is checked, `_Generic` distinguishes it), but
//! a finished translation unit holds only *plain* types: no qualifier and no `aligned` attribute at any level (layouts, in which
//! alignments matter, are computed by then). [`Types::get`] looks through qualifiers in any case.
//!
//! Of complex numbers, vectors and decimal floating-point numbers the plain type is a record of their parts ([`Made`]): who reads a
//! finished unit needs no knowledge of them to copy, store and address them, and computes with their parts.
//!
//! A VLA's length is part of its type as a [`VlaId`], as C says that it is evaluated once, where the declaration is reached.
//!
//! | module | does |
//! |---|---|
//! | `ty` | types as data |
//! | `scalar` | kinds of integers and floating-point numbers, data models |
//! | `record` | records and enumerations as data |
//! | `table` | the table of all types |
//! | [`float`] | IEEE 754 arithmetic on bit patterns |
//! | `layout` | sizes, alignments, record layout |
//! | [`varargs`] | the type `va_list` |

pub mod float;
pub(super) mod layout;
pub mod varargs;

mod record;
mod scalar;
mod table;
mod ty;

pub use record::*;
pub use scalar::*;
pub use table::*;
pub use ty::*;
