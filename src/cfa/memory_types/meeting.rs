//! How the scalars of two types lie to each other where they share bytes.

use crate::cfa::program::scalar::Leaf;

/// How two scalars that share bytes go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// They are the same bytes.
    Whole,
    /// They are made of cells of one size at the same places.
    Congruent,
    /// They overlap in part.
    Mixed,
}

impl Meeting {
    /// How two scalars with their bits meet, of which one may lie any number of strides (in bits; 0: none) further or before; `None` if they do not.
    pub fn of((x, a): (&Leaf, (i128, i128)), (y, b): (&Leaf, (i128, i128)), stride: i128) -> Option<Meeting> {
        // The steps by which `a` has to move to overlap `b`: a.0 + k * stride < b.1 and b.0 < a.1 + k * stride.
        let (least, most) = match stride {
            0 => (0, 0),
            _ => ((b.0 - a.1).div_euclid(stride) + 1, (b.1 - a.0 - 1).div_euclid(stride)),
        };
        let overlap = |k: i128| a.0 + k * stride < b.1 && b.0 < a.1 + k * stride;
        if least > most || !overlap(least) {
            return None;
        }
        let bit_fields = x.bits.is_some() || y.bits.is_some();
        let size = i128::from(x.scalar.size.max(1)) * 8;
        let alike = !bit_fields && x.scalar.size == y.scalar.size;
        let congruent = alike && (a.0 - b.0) % size == 0 && stride % size == 0;
        let same = least == most && a.0 + least * stride == b.0 && a.1 + least * stride == b.1;
        Some(match same {
            true if congruent || bit_fields => Meeting::Whole,
            _ if congruent => Meeting::Congruent,
            _ => Meeting::Mixed,
        })
    }
}

/// The greatest common divisor; 0 is divided by all numbers.
pub(super) fn common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// The bits that a leaf occupies in an object that begins `shift` bytes further.
pub(super) fn bit_span(leaf: &Leaf, shift: i64) -> (i128, i128) {
    let from = i128::from(shift) * 8;
    match leaf.bits {
        Some(bits) if !leaf.array => {
            let first = from + i128::from(bits.offset);
            (first, first + i128::from(bits.width))
        }
        _ => {
            let first = from + i128::from(leaf.offset) * 8;
            (first, first + i128::from(leaf.extent) * 8)
        }
    }
}

/// The bits that the leaves of one type occupy, for finding those that share bits with others.
pub(super) struct Spans {
    /// In the order of the leaves.
    pub all: Vec<(i128, i128)>,
    /// The leaves in order of their first bits; with each one the greatest end of those up to it.
    sorted: Vec<(usize, i128)>,
}

impl Spans {
    /// The spans, in the order of the leaves.
    pub fn new(all: impl Iterator<Item = (i128, i128)>) -> Spans {
        let all: Vec<(i128, i128)> = all.collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|&leaf| all[leaf].0);
        let mut end = i128::MIN;
        let reach = |leaf: usize| {
            end = end.max(all[leaf].1);
            (leaf, end)
        };
        let sorted = order.into_iter().map(reach).collect();
        Spans { all, sorted }
    }

    /// The leaves that share bits with a span, in ascending order.
    pub fn overlapping(&self, (from, to): (i128, i128)) -> Vec<usize> {
        let first = self.sorted.partition_point(|&(_, end)| end <= from);
        let last = self.sorted.partition_point(|&(leaf, _)| self.all[leaf].0 < to);
        let near = self.sorted.get(first..last).unwrap_or_default();
        let mut leaves: Vec<usize> = near
            .iter()
            .map(|&(leaf, _)| leaf)
            .filter(|&leaf| self.all[leaf].1 > from)
            .collect();
        leaves.sort_unstable();
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_spans_are_those_that_share_a_bit() {
        let spans = [(0, 32), (32, 64), (0, 64), (40, 41), (200, 200), (64, 96), (-8, 100)];
        let sorted = Spans::new(spans.into_iter());
        for from in -10..100 {
            for to in from + 1..102 {
                let expected: Vec<usize> = (0..spans.len())
                    .filter(|&leaf| spans[leaf].0 < to && from < spans[leaf].1)
                    .collect();
                assert_eq!(sorted.overlapping((from, to)), expected, "{from} {to}");
            }
        }
    }
}
