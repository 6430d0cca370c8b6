//! Which bytes of an object nothing has written.
//!
//! Only programs that [ask](crate::cfa::Inspection::Written) have such ranges. A write takes its bytes out. Where it is not known which bytes a write
//! hit, those that it may have hit become *open*: written or not.

use super::mix;
use crate::explicit::value::object::Piece;

/// A range of bytes, none of which was certainly written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gap {
    start: u64,
    /// The first byte behind it.
    end: u64,
    /// Whether they may have been written.
    open: bool,
}

/// The bytes of an object that nothing has written, or perhaps nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Unwritten {
    /// Disjoint, not empty, and in order; neighbours that touch differ.
    gaps: Vec<Gap>,
}

impl Unwritten {
    /// Whether some bytes were written; `None` if that is not known.
    pub fn is_written(&self, at: u64, count: u64) -> Option<bool> {
        let mut open = false;
        for gap in self.among(at, count) {
            if !gap.open {
                return Some(false);
            }
            open = true;
        }
        (!open).then_some(true)
    }

    fn among(&self, at: u64, count: u64) -> impl Iterator<Item = Gap> + '_ {
        let end = at.saturating_add(count);
        let first = self.gaps.partition_point(|gap| gap.end <= at);
        let here = self.gaps[first..].iter().take_while(move |gap| gap.start.max(at) < end);
        here.map(move |gap| Gap {
            start: gap.start.max(at),
            end: gap.end.min(end),
            open: gap.open,
        })
    }

    /// Bytes are written.
    pub fn write(&mut self, at: u64, count: u64) {
        if !self.gaps.is_empty() {
            self.replace(at, count, &[]);
        }
    }

    /// Some bytes of a range may be written.
    pub fn blur(&mut self, at: u64, count: u64) {
        let blurred: Vec<Gap> = self.among(at, count).map(|gap| Gap { open: true, ..gap }).collect();
        if !blurred.is_empty() {
            self.replace(at, count, &blurred);
        }
    }

    /// Bytes count as not written.
    pub fn clear(&mut self, at: u64, count: u64, open: bool) {
        if count > 0 {
            let gap = Gap {
                start: at,
                end: at.saturating_add(count),
                open,
            };
            self.replace(at, count, &[gap]);
        }
    }

    /// Puts other gaps into a range.
    fn replace(&mut self, at: u64, count: u64, by: &[Gap]) {
        let end = at.saturating_add(count);
        let first = self.gaps.partition_point(|gap| gap.end <= at);
        let last = self.gaps.partition_point(|gap| gap.start < end);
        let mut fresh: Vec<Gap> = Vec::new();
        if let Some(gap) = self.gaps[first..last].first().filter(|gap| gap.start < at) {
            fresh.push(Gap { end: at, ..*gap });
        }
        fresh.extend(by);
        if let Some(gap) = self.gaps[first..last].last().filter(|gap| gap.end > end) {
            fresh.push(Gap { start: end, ..*gap });
        }
        self.gaps.splice(first..last, fresh);
        self.gaps.dedup_by(|next, gap| {
            let touch = gap.end == next.start && gap.open == next.open;
            if touch {
                gap.end = next.end;
            }
            touch
        });
    }

    /// The ranges among some bytes, for a copy.
    pub fn pieces(&self, at: u64, count: u64) -> impl Iterator<Item = Piece> + '_ {
        let piece = |gap: Gap| Piece::Unwritten(gap.start, gap.end - gap.start, gap.open);
        self.among(at, count).map(piece)
    }

    /// One step of a hash.
    pub fn hash(&self, hash: u64) -> u64 {
        let step = |hash, gap: &Gap| mix(mix(mix(hash, gap.start), gap.end), u64::from(gap.open));
        self.gaps.iter().fold(hash, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: u64 = 24;

    #[derive(Clone, Debug)]
    enum Change {
        Write(u64, u64),
        Blur(u64, u64),
        Clear(u64, u64, bool),
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let range = (0..SIZE).prop_flat_map(|at| (Just(at), 0..=SIZE - at));
        let change = (range, 0..4u8).prop_map(|((at, count), sort)| match sort {
            0 => Change::Write(at, count),
            1 => Change::Blur(at, count),
            sort => Change::Clear(at, count, sort == 3),
        });
        proptest::collection::vec(change, 0..12)
    }

    proptest! {
        /// The ranges are what a list of all bytes says.
        #[test]
        fn ranges_are_sets_of_bytes(changes in changes(), (at, count) in (0..SIZE).prop_flat_map(|at| (Just(at), 0..=SIZE - at))) {
            let mut ranges = Unwritten::default();
            let mut bytes = [Some(true); SIZE as usize];
            for change in changes {
                let (Change::Write(at, count) | Change::Blur(at, count) | Change::Clear(at, count, _)) = change;
                for byte in &mut bytes[at as usize..(at + count) as usize] {
                    *byte = match change {
                        Change::Write(..) => Some(true),
                        Change::Blur(..) if *byte == Some(true) => Some(true),
                        Change::Blur(..) | Change::Clear(.., true) => None,
                        Change::Clear(.., false) => Some(false),
                    };
                }
                match change {
                    Change::Write(at, count) => ranges.write(at, count),
                    Change::Blur(at, count) => ranges.blur(at, count),
                    Change::Clear(at, count, open) => ranges.clear(at, count, open),
                }
            }
            let asked = &bytes[at as usize..(at + count) as usize];
            let expected = match () {
                () if asked.contains(&Some(false)) => Some(false),
                () if asked.contains(&None) => None,
                () => Some(true),
            };
            prop_assert_eq!(ranges.is_written(at, count), expected);
            // Equal sets have one form.
            let mut again = Unwritten::default();
            for (at, byte) in (0..).zip(bytes) {
                if byte != Some(true) {
                    again.clear(at, 1, byte.is_none());
                }
            }
            prop_assert_eq!(again, ranges);
        }
    }
}
