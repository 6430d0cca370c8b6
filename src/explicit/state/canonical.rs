//! States without names: two of them are the same if and only if they are equal.
//!
//! Names are those of symbols and of objects that are not static. Most states of a program that reads its inputs, asks about them and forgets them have none, once each symbol
//! that has only one value is replaced by it, and variables that are not read any more are forgotten.

use super::same::frames;
use super::slots::Slots;
use super::{Frame, State, settled};
use crate::cfa::NodeId;
use crate::explicit::Value;
use crate::explicit::compiled::code::Scalar;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::value::memo::Memo;
use crate::explicit::value::symbol::Facts;
use std::rc::Rc;

/// Frames of a state at most that is asked whether it has names.
const MANY_FRAMES: usize = 16;

impl State {
    /// Replaces symbols that have only one value, and forgets variables that are not read any more, if the state has no names then; otherwise nothing changes. Returns whether it has none: it is canonical then,
    /// so that it is [the same](super::same) as another canonical one exactly if the two are equal.
    pub fn make_canonical(&mut self, code: &Compiled<'_>) -> bool {
        self.below.len() <= MANY_FRAMES && self.lose_names(code)
    }

    /// The same for a state with any number of frames.
    pub fn lose_names(&mut self, code: &Compiled<'_>) -> bool {
        let has_objects = !self.dynamic.is_empty() || !self.outside.is_empty();
        if has_objects || self.statics.iter().any(|object| object.is_open()) {
            return false;
        }
        let is_named =
            |value: Value, scalar: Scalar| matches!(self.settled(value, scalar.width()), Value::Symbol { .. });
        let globals = self.globals.iter().zip(&code.statics.scalars);
        if globals.into_iter().any(|(&value, scalar)| is_named(value, *scalar)) {
            return false;
        }
        for (frame, node) in frames(code, self) {
            let scalars = &code.frame(frame.func).scalars;
            let mut live = code.live_slots(node).iter();
            if !frame.blocks.is_empty() || live.any(|&slot| is_named(frame.slots[slot], scalars[slot])) {
                return false;
            }
        }
        let first_object = u32::try_from(self.statics.len()).expect("fewer than 2^32 variables");
        let facts = std::mem::take(&mut self.facts);
        for (at, scalar) in code.statics.scalars.iter().enumerate() {
            settle(&facts, &mut self.globals, at, *scalar);
        }
        let mut node = self.node;
        clear(code, &facts, &mut self.top, node, first_object);
        let mut call = self.top.call;
        for frame in self.below.iter_mut().rev() {
            node = code
                .program
                .edge(call.expect("a frame that was called has a caller"))
                .to;
            call = frame.call;
            if !is_clear(code, frame, node, first_object) {
                clear(code, &facts, Rc::make_mut(frame), node, first_object);
            }
        }
        self.memo = Memo::default();
        self.symbols = 0;
        self.objects = first_object;
        true
    }
}

/// Replaces a symbol by its only value.
fn settle(facts: &Facts, slots: &mut Slots, at: usize, scalar: Scalar) {
    let value = slots[at];
    if let Value::Symbol { .. } = value {
        slots.set(at, settled(facts, value, scalar.width()));
    }
}

/// Settles the variables of a frame that goes on at a node, and forgets those that are not read any more.
fn clear(code: &Compiled<'_>, facts: &Facts, frame: &mut Frame, node: NodeId, first_object: u32) {
    let scalars = &code.frame(frame.func).scalars;
    let live = code.live_slots(node);
    for (at, scalar) in scalars.iter().enumerate() {
        match live.binary_search(&at) {
            Ok(_) => settle(facts, &mut frame.slots, at, *scalar),
            Err(_) => frame.slots.set(at, Value::Unknown),
        }
    }
    frame.first_object = first_object;
}

/// Whether [`clear`] would change nothing.
fn is_clear(code: &Compiled<'_>, frame: &Frame, node: NodeId, first_object: u32) -> bool {
    let live = code.live_slots(node);
    let is_clear = |(at, value): (usize, &Value)| match value {
        Value::Unknown => true,
        Value::Symbol { .. } => false,
        _ => live.binary_search(&at).is_ok(),
    };
    frame.first_object == first_object && frame.slots.iter().enumerate().all(is_clear)
}
