//! The plain variables of a frame or of static storage, as a persistent array.
//!
//! Most of the states that are stored, or wait, differ from another one in a few variables. So the values lie in chunks that states share until one of them writes (persistent arrays
//! by path copying: Driscoll, Sarnak, Sleator, Tarjan, *Making data structures persistent*, JCSS 1989). A copy costs a pointer for each chunk.

use crate::explicit::Value;
use std::ops::Index;
use std::rc::Rc;

/// Values of a chunk.
const CHUNK: usize = 8;

/// Values that states share.
pub type Chunk = [Value; CHUNK];

/// An array of values whose chunks are shared with its copies.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Slots {
    chunks: Vec<Rc<Chunk>>,
    len: usize,
}

impl Slots {
    /// This number of unknown values.
    pub fn unknown(len: usize) -> Slots {
        // All chunks are one until they are written.
        let chunk = (len > 0).then(|| Rc::new([Value::Unknown; CHUNK]));
        Slots {
            chunks: std::iter::repeat_n(chunk, len.div_ceil(CHUNK)).flatten().collect(),
            len,
        }
    }

    /// An array of this number of values in chunks that are given one after the other.
    pub fn of_chunks(len: usize, next: impl FnMut() -> Rc<Chunk>) -> Slots {
        let chunks = std::iter::repeat_with(next).take(len.div_ceil(CHUNK)).collect();
        Slots { chunks, len }
    }

    /// An array of this number of values that are given one after the other.
    pub fn of_values(len: usize, mut next: impl FnMut() -> Value) -> Slots {
        let mut left = len;
        Slots::of_chunks(len, || {
            let here = left.min(CHUNK);
            left -= here;
            Rc::new(std::array::from_fn(
                |at| if at < here { next() } else { Value::Unknown },
            ))
        })
    }

    /// The chunks of values; those behind the last value are unknown.
    pub fn chunks(&self) -> &[Rc<Chunk>] {
        &self.chunks
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Replaces a value.
    pub fn set(&mut self, at: usize, value: Value) {
        assert!(at < self.len, "a slot of the array");
        let chunk = &mut self.chunks[at / CHUNK];
        if chunk[at % CHUNK] != value {
            Rc::make_mut(chunk)[at % CHUNK] = value;
        }
    }

    /// The values in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Value> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).take(self.len)
    }
}

impl Index<usize> for Slots {
    type Output = Value;

    fn index(&self, at: usize) -> &Value {
        &self.chunks[at / CHUNK][at % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_what_neither_has_written() {
        let mut first = Slots::unknown(20);
        first.set(3, Value::Bits(3));
        let mut second = first.clone();
        second.set(17, Value::Bits(17));
        assert_eq!((first[3], first[17]), (Value::Bits(3), Value::Unknown));
        assert_eq!((second[3], second[17]), (Value::Bits(3), Value::Bits(17)));
        assert!(Rc::ptr_eq(&first.chunks[0], &second.chunks[0]));
        assert!(!Rc::ptr_eq(&first.chunks[2], &second.chunks[2]));
        assert_eq!(second.iter().count(), 20);
        second.set(17, Value::Unknown);
        assert_eq!(first, second);
    }
}
