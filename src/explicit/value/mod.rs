//! Values: machine integers, symbols and facts about them, bytes and objects.
//!
//! | module | does |
//! |---|---|
//! | [`arith`] | concrete machine integers |
//! | [`words`] | values of more than 64 bits as two words |
//! | [`symbol`], [`relation`], [`memo`], [`word`], [`sum`] | symbols and what is known about them |
//! | [`object`], [`bits`] | objects in memory, and bytes that are known in part |

pub mod arith;
pub mod bits;
pub mod memo;
pub mod object;
pub mod relation;
pub mod sum;
pub mod symbol;
pub mod word;
pub mod words;
