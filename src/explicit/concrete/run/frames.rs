//! Frames of the execution: how they are opened, entered and left.

use super::super::Stop;
use super::super::memory::{Kind, Pointer};
use super::{DEEPEST, Execution, Frame, Room};
use crate::cfa::FuncId;

impl<'p> Execution<'p> {
    /// Makes the objects of a function's frame, and takes the values from its flags.
    pub(super) fn open(&mut self, func: FuncId) -> Result<(), Stop> {
        if self.code.units[func.index()].is_none() {
            self.code.unit(func);
            self.extend();
        }
        let unit = self.code.units[func.index()].as_ref().expect("it has a frame");
        self.rooms[func.index()] = Room {
            base: unit.base as usize,
            size: unit.size as usize,
            is_plain: unit.objects.is_empty() && unit.flags.0 == unit.flags.1,
        };
        let present = &mut self.present;
        if self.active[func.index()] > 0 {
            let frame = unit.base as usize..(unit.base + unit.size) as usize;
            present.aside.extend_from_slice(&present.registers[frame]);
        }
        self.active[func.index()] += 1;
        present.registers[unit.flags.0 as usize..unit.flags.1 as usize].fill(0);
        for &(register, size) in &unit.objects {
            let tag = present.memory.create(size, Kind::Variable, false)?;
            present.registers[register as usize] = u64::from(tag);
            present.blocks.push(tag);
        }
        Ok(())
    }

    pub(super) fn enter(&mut self, func: u32, back: u32) -> Result<(), Stop> {
        if self.present.frames.len() >= DEEPEST {
            return Err(Stop("the recursion is deep"));
        }
        if !self.has_begun {
            self.has_begun = true;
            self.present.memory.begun = true;
        }
        let again = self.active[func as usize] > 0;
        let blocks = self.present.blocks.len();
        self.present.frames.push(Frame {
            func,
            back,
            again,
            blocks,
        });
        self.open(FuncId(func))
    }

    /// Opens a frame that is registers only. Returns whether that is all that there is to do.
    #[inline]
    pub(super) fn enter_plain(&mut self, func: u32, back: u32, registers: &[u64]) -> bool {
        let Room { base, size, is_plain } = self.rooms[func as usize];
        let present = &mut self.present;
        if !is_plain || !self.has_begun || present.frames.len() >= DEEPEST {
            return false;
        }
        let active = &mut self.active[func as usize];
        present.frames.push(Frame {
            func,
            back,
            again: *active > 0,
            blocks: present.blocks.len(),
        });
        if *active > 0 {
            present.aside.extend_from_slice(&registers[base..base + size]);
        }
        *active += 1;
        true
    }

    /// Ends an object of the innermost frame.
    pub(super) fn end_block(&mut self, pointer: Pointer) -> Result<(), Stop> {
        let present = &mut self.present;
        let first = present.frames.last().map_or(0, |frame| frame.blocks);
        let own = &present.blocks[first..];
        match own.iter().rposition(|&tag| tag == pointer.tag) {
            Some(at) if pointer.offset == 0 => {
                present.blocks.remove(first + at);
                present.memory.end(pointer.tag);
                Ok(())
            }
            _ => Err(Stop("what ends is no object of the frame")),
        }
    }

    /// Closes the innermost frame. `None` if it was that of the start function.
    pub(super) fn leave(&mut self, registers: &mut [u64]) -> Option<u32> {
        let present = &mut self.present;
        let frame = present.frames.pop()?;
        while present.blocks.len() > frame.blocks {
            if let Some(tag) = present.blocks.pop() {
                present.memory.end(tag);
            }
        }
        self.active[frame.func as usize] -= 1;
        if frame.again {
            let Room { base, size, .. } = self.rooms[frame.func as usize];
            let kept = present.aside.len() - size;
            registers[base..base + size].copy_from_slice(&present.aside[kept..]);
            present.aside.truncate(kept);
        }
        Some(frame.back)
    }
}
