//! Questions and statements about which bytes were written.
//!
//! A byte was not written if it is on the [list](super::super::unwritten), or if it lies in an object that the program made without a value, and the machine never had one for it.
//! A function without body may have written what it got a pointer to, and what lies behind pointers in there.

use super::super::Stop;
use super::super::store::Store;
use super::{Location, Machine};
use crate::cfa::Expr;
use std::collections::BTreeSet;

impl Machine<'_, '_> {
    /// Whether all of some bytes were written since their object began to exist.
    pub(super) fn is_written(&mut self, ptr: &Expr, len: &Expr) -> Result<bool, Stop> {
        let target = self.pointer(ptr)?;
        let (count, mark) = self.count(len)?;
        for mark in [target.mark, mark] {
            self.taint.may_stop(mark);
            self.taint.join(mark);
        }
        let Some((base, object)) = self.objects.live_around(target.address) else {
            return Ok(true);
        };
        if object.shared {
            return Ok(true);
        }
        // A variable of static storage has a value from its beginning on; a copy may bring bytes that nothing has written.
        let is_static = object.var.is_some_and(|var| self.program.var(var).func.is_none());
        let room = object.size - (target.address - base);
        let on_list = |list: &super::Unwritten| !list.among(Store::Memory, target.address, count).is_empty();
        let is_blank = |at: u64| self.memory.get(target.address + at).is_none();
        let may_be_blank = !is_static && (0..count.min(room)).any(is_blank);
        Ok(!self.unwritten.as_ref().is_some_and(on_list) && !may_be_blank)
    }

    /// Bytes count as written, or as not written. What a function without body may have written is [shared](super::super::memory::Object::shared) with it.
    pub(super) fn mark(&mut self, ptr: &Expr, len: Option<&Expr>, written: &Expr) -> Result<(), Stop> {
        let target = self.pointer(ptr)?;
        let written = self.evaluate(written)?.bits != 0;
        let Some(len) = len else { return Ok(()) };
        let (count, _) = self.count(len)?;
        let location = Location {
            store: Store::Memory,
            ..target
        };
        match written {
            true => {
                if let Some(list) = &mut self.unwritten {
                    list.written(location.store, location.address, count);
                }
            }
            false => self.begin_unwritten(location, 0..count),
        }
        Ok(())
    }

    /// Notes that the environment got a pointer, and with it all pointers that lie in memory behind it.
    pub(super) fn share(&mut self, address: u64) {
        let around = self.objects.live_around(address);
        let mut open: Vec<(u64, u64)> = around.map(|(base, object)| (base, object.size)).into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some((base, size)) = open.pop() {
            if !seen.insert(base) {
                continue;
            }
            self.objects.share(base);
            if self.unwritten.is_some() {
                open.extend(self.pointed_to(&self.memory, base, size));
            }
        }
    }
}
