//! The typing of expressions while they are parsed, and the constants among them.
//!
//! | module | does |
//! |---|---|
//! | `operator`, `parts`, `convert`, `call`, `builtin`, `floating`, `fold`, `known` | typing |
//! | `signature` | the functions that need no declaration, and their types |
//! | `overflow` | arithmetic that says whether it overflows |
//! | `type_generic` | the function that a macro of `tgmath.h` calls |
//! | `excess` | operations on `_Float16`, which gcc does in `float` |

pub(super) mod builtin;
pub(super) mod call;
pub(super) mod convert;
pub(super) mod excess;
pub(super) mod floating;
pub(super) mod fold;
pub(super) mod known;
pub(super) mod operator;
pub(super) mod overflow;
pub(super) mod parts;
pub(super) mod signature;
mod type_generic;
