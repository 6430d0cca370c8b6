//! Fixed concrete addresses of variables and functions in memory.
//!
//! | from | what |
//! |---|---|
//! | `0x1000` | functions, 16 bytes each |
//! | `0x80_0000` | labels of computed `goto` |
//! | [`STATIC_BASE`] | static storage, then one frame of every function |
//! | [`HEAP_BASE`] | the heap, upwards |
//! | [`outside`](super::outside) | objects of the environment |
//! | a base that depends on the data model | further frames of recursive functions, one stride apart; what does not fit below the heap |
//!
//! Objects are 16-aligned (more if their type requires it) and at least 16 bytes apart, so that a pointer just past one object is never the address of
//! another. An object of unknown size (an extern array) gets room for [`UNKNOWN_SIZE`] bytes.

use super::{HEAP_BASE, Program, VarId};
use crate::frontend::types::DataModel;
use std::fmt;
use std::ops::Range;

/// Static storage begins here.
pub const STATIC_BASE: u64 = 0x100_0000;
/// The room for an object whose size is unknown.
pub const UNKNOWN_SIZE: u64 = 4096;

const GAP: u64 = 16;

/// Where frames of recursion and big objects go: base and end of each zone.
struct Zones {
    deep: (u64, u64),
    big: (u64, u64),
}

fn zones(model: DataModel) -> Zones {
    match model {
        DataModel::Ilp32 => Zones {
            deep: (0x8000_0000, 0xA000_0000),
            big: (0xC000_0000, 0xFFFF_0000),
        },
        DataModel::Lp64 => Zones {
            deep: (0x1000_0000_0000, 0x2000_0000_0000),
            big: (0x2000_0000_0000, 0x7000_0000_0000),
        },
    }
}

/// No object is at this address or behind it.
pub fn end_of_objects(model: DataModel) -> u64 {
    zones(model).big.1
}

impl Program {
    /// The address of an `in_memory` variable in the frame with `depth` older frames of the same function below it. `None` if the variable is not in
    /// memory, or if recursion has gone beyond the address space.
    ///
    /// Static storage has one instance; so `depth` only matters for variables of a function's frame.
    pub fn address_at(&self, var: VarId, depth: u32) -> Option<u64> {
        let variable = self.var(var);
        let base = variable.address?;
        if variable.func.is_none() || depth == 0 {
            return Some(base);
        }
        let (deep, end) = zones(self.types.data_model()).deep;
        let frame = u64::from(depth - 1).checked_mul(self.frame_stride)?;
        let address = deep
            .checked_add(frame)?
            .checked_add(base.checked_sub(self.frame_base)?)?;
        (address < end).then_some(address)
    }

    /// How far deeper frames of recursive functions are from the first ones: the least and the greatest distance in bytes.
    pub fn frame_offsets(&self) -> (u64, u64) {
        let (deep, end) = zones(self.types.data_model()).deep;
        (deep.saturating_sub(self.frame_base), end)
    }

    /// The addresses that an `in_memory` variable can have: those of its instance, and, if its function is recursive, those of all deeper frames.
    pub fn ranges_of(&self, var: VarId) -> impl Iterator<Item = Range<u64>> {
        let variable = self.var(var);
        let size = variable.size(&self.types).unwrap_or(UNKNOWN_SIZE);
        let first = variable.address.map(|base| base..base.saturating_add(size));
        let recursive = variable.func.filter(|&func| self.function(func).recursive);
        let (deep, end) = zones(self.types.data_model()).deep;
        first.into_iter().chain(recursive.map(|_| deep..end))
    }
}

/// A variable that does not fit into the address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cfa) struct TooBig {
    name: String,
    size: u64,
}

impl fmt::Display for TooBig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` has {} bytes and does not fit into the address space",
            self.name, self.size
        )
    }
}

/// Gives every variable in memory its address.
///
/// # Errors
/// A variable does not fit into the address space.
pub(in crate::cfa) fn assign_addresses(program: &mut Program) -> Result<(), TooBig> {
    let zones = zones(program.types.data_model());
    let mut cursor = STATIC_BASE;
    let mut big = zones.big.0;
    let place = |program: &mut Program, i: usize, cursor: &mut u64, big: &mut u64| {
        let ty = program.vars[i].ty;
        let size = program.vars[i].size(&program.types).unwrap_or(UNKNOWN_SIZE);
        let natural = program.types.align_of(ty).unwrap_or(1).next_power_of_two();
        let align = natural.max(program.vars[i].align).max(16);
        let fit = |from: u64, end: u64| {
            let start = from.checked_next_multiple_of(align)?;
            let next = start.checked_add(size)?.checked_add(GAP)?;
            (next <= end).then_some((start, next))
        };
        let recursive = program.vars[i].func.is_some_and(|f| program.function(f).recursive);
        let (start, next) = match fit(*cursor, HEAP_BASE) {
            Some(found) => found,
            None => fit(*big, zones.big.1).filter(|_| !recursive).ok_or_else(|| TooBig {
                name: program.vars[i].name.clone(),
                size,
            })?,
        };
        *(if start < HEAP_BASE { cursor } else { big }) = next;
        program.vars[i].address = Some(start);
        Ok::<(), TooBig>(())
    };
    for in_frame in [false, true] {
        if in_frame {
            program.frame_base = cursor;
        }
        for i in 0..program.vars.len() {
            if program.vars[i].in_memory && program.vars[i].func.is_some() == in_frame {
                place(program, i, &mut cursor, &mut big)?;
            }
        }
    }
    program.frame_stride = (cursor - program.frame_base).next_multiple_of(4096).max(4096);
    Ok(())
}
