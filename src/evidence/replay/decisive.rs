//! Which inputs an execution depends on: a backward dynamic slice (Korel and Laski, *Dynamic program slicing*, 1988).
//!
//! The machine notes, step by step, which bytes it reads and writes, which inputs it asks for, and which reads *steer*: those that compute
//! an address or a size. Backwards from the end, a step is needed if it decides a branch, or if it writes a byte that a later needed step reads; then its reads
//! and inputs are needed too. Reads that steer are always needed, because another address would make another write.
//!
//! With other values of the inputs that are not needed, the execution takes the same path, as long as its behaviour is defined. So a witness
//! leaves them out: a violation often needs two of the hundred thousand elements of an array that is filled with inputs.

use super::store::Store;
use std::collections::BTreeSet;
use std::ops::Range;

/// The reads, writes and inputs of a step.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A step begins.
    Step,
    /// The step decides which way the path goes.
    Decides,
    /// Bytes are read; whether to find an address.
    Read(Store, u64, u64, bool),
    /// Bytes are written.
    Written(Store, u64, u64),
    /// An input is asked for, by its position; whether to find an address.
    Asked(usize, bool),
}

/// Bytes of memory that a step reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The step, as a position in the path.
    pub step: usize,
    /// The first byte.
    pub address: u64,
    /// How many bytes.
    pub size: u64,
    /// Whether they are written.
    pub written: bool,
}

/// The record of an execution.
#[derive(Debug, Default)]
pub struct Log {
    events: Vec<Event>,
    steering: u32,
}

impl Log {
    pub fn step(&mut self) {
        self.events.push(Event::Step);
    }

    pub fn decides(&mut self) {
        self.events.push(Event::Decides);
    }

    pub fn read(&mut self, store: Store, address: u64, size: u64) {
        self.events.push(Event::Read(store, address, size, self.steering > 0));
    }

    pub fn written(&mut self, store: Store, address: u64, size: u64) {
        self.events.push(Event::Written(store, address, size));
    }

    pub fn asked(&mut self, input: usize) {
        self.events.push(Event::Asked(input, self.steering > 0));
    }

    /// Begins to record reads as steering: until [`Log::end_steering`], they compute an address.
    pub fn begin_steering(&mut self) {
        self.steering += 1;
    }

    pub fn end_steering(&mut self) {
        self.steering -= 1;
    }

    /// The bytes of memory that were written: where, and how many.
    pub fn written_memory(&self) -> impl Iterator<Item = (u64, u64)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Written(Store::Memory, address, size) => Some((address, size)),
            _ => None,
        })
    }

    /// The bytes of memory that the steps read and write, in order; steps are counted from 0. `decides` says whether a step is an assumption. What else is
    /// read to find the way is left out.
    pub fn touched(&self, decides: &dyn Fn(usize) -> bool) -> Vec<Touch> {
        let (mut steps, mut decisions) = (0usize, 0usize);
        let mut found = Vec::new();
        for event in &self.events {
            let (address, size, written) = match *event {
                Event::Step => {
                    steps += 1;
                    decisions = 0;
                    continue;
                }
                Event::Decides => {
                    decisions += 1;
                    continue;
                }
                Event::Read(Store::Memory, address, size, _) => (address, size, false),
                Event::Written(Store::Memory, address, size) => (address, size, true),
                _ => continue,
            };
            let Some(step) = steps.checked_sub(1) else { continue };
            if decisions > usize::from(decides(step)) {
                continue;
            }
            found.push(Touch {
                step,
                address,
                size,
                written,
            });
        }
        found
    }

    /// For each of `count` inputs whether the path depends on it. Linear in the number of events, up to a logarithm.
    pub fn decisive(&self, count: usize) -> Vec<bool> {
        let mut decisive = vec![false; count];
        let mut needed: BTreeSet<(Store, u64)> = BTreeSet::new();
        let mut end = self.events.len();
        while end > 0 {
            let before = self.events[..end]
                .iter()
                .rposition(|event| matches!(event, Event::Step));
            let begin = before.unwrap_or(0);
            let step = &self.events[begin..end];
            let mut is_needed = step.iter().any(|event| matches!(event, Event::Decides));
            for event in step {
                if let Event::Written(store, address, size) = *event {
                    is_needed |= remove(&mut needed, store, bytes(address, size));
                }
            }
            for event in step {
                match *event {
                    Event::Read(store, address, size, steers) if is_needed || steers => {
                        needed.extend(bytes(address, size).map(|at| (store, at)));
                    }
                    Event::Asked(input, steers) if is_needed || steers => decisive[input] = true,
                    _ => {}
                }
            }
            end = begin;
        }
        decisive
    }
}

fn bytes(address: u64, size: u64) -> Range<u64> {
    address..address.saturating_add(size)
}

/// Removes bytes. Whether one of them was there.
fn remove(needed: &mut BTreeSet<(Store, u64)>, store: Store, bytes: Range<u64>) -> bool {
    let hit: Vec<(Store, u64)> = needed
        .range((store, bytes.start)..(store, bytes.end))
        .copied()
        .collect();
    for byte in &hit {
        needed.remove(byte);
    }
    !hit.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_that_no_decision_depends_on_are_left_out() {
        let (memory, registers) = (Store::Memory, Store::Registers);
        let mut log = Log::default();
        // r0 = input 0; m[100] = input 1; m[104] = input 2; r4 = m[100]; r0 = 7; r8 = m[r12 = input 3]; if (r4).
        for (input, store, at) in [(0, registers, 0), (1, memory, 100), (2, memory, 104)] {
            log.step();
            log.asked(input);
            log.written(store, at, 4);
        }
        log.step();
        log.read(memory, 100, 4);
        log.written(registers, 4, 4);
        log.step();
        log.written(registers, 0, 4);
        log.step();
        log.begin_steering();
        log.asked(3);
        log.written(registers, 12, 4);
        log.read(registers, 12, 4);
        log.end_steering();
        log.read(memory, 104, 4);
        log.written(registers, 8, 4);
        log.step();
        log.decides();
        log.read(registers, 4, 4);
        assert_eq!(log.decisive(4), [false, true, false, true]);
    }
}
