//! How the scalars of two types lie to each other where they share bytes.

use crate::cfa::scalar::Leaf;

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
