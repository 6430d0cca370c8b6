//! Fixed concrete addresses for what lives in memory.

use super::program::{Program, VarId};

/// The distance of two frames of a recursive function: bigger than the whole static layout, so that instances never meet.
pub const FRAME_STRIDE: u64 = 1 << 40;

/// See [`Program::address_at`].
pub fn address_at(program: &Program, var: VarId, depth: u32) -> Option<u64> {
    let variable = program.var(var);
    let base = variable.address?;
    if variable.func.is_none() { Some(base) } else { Some(base + u64::from(depth) * FRAME_STRIDE) }
}
