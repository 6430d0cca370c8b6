//! The theories.

use super::arith::bounds::Arithmetic;
use super::cells::updates::Updates;
use super::euf::Euf;

/// The theories of a solver.
#[derive(Default)]
pub(super) struct Theories {
    pub arith: Arithmetic,
    pub euf: Euf,
    pub cells: Updates,
}
