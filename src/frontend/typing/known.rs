//! Builtins whose value gcc knows while it compiles, without optimisation: operations on the bits of constants, sizes of objects
//! that are in sight, and whether something is a constant. They may stand where C wants a constant.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::Parser;
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

/// The result of `clz`, `ctz`, `ffs`, `popcount`, `parity`, `clrsb` or `bswap` of the `width` bits of a value; `None` if the name is
/// that of another builtin or the result is undefined.
fn bit_operation(name: &str, value: i128, width: u32) -> Option<i128> {
    let mask = u128::MAX >> (128 - width);
    let bits = value.cast_unsigned() & mask;
    let unused = 128 - width;
    let base = name.trim_end_matches(|c: char| c == 'l' || c.is_ascii_digit());
    let base = base.strip_suffix("imax").unwrap_or(base);
    Some(match base {
        "clz" | "clzg" if bits != 0 => i128::from(bits.leading_zeros() - unused),
        "ctz" | "ctzg" if bits != 0 => i128::from(bits.trailing_zeros()),
        "ffs" | "ffsg" if bits == 0 => 0,
        "ffs" | "ffsg" => i128::from(bits.trailing_zeros()) + 1,
        "popcount" | "popcountg" => i128::from(bits.count_ones()),
        "parity" | "parityg" => i128::from(bits.count_ones() % 2),
        "clrsb" | "clrsbg" => {
            let value = (bits << unused).cast_signed() >> unused;
            let rest = if value < 0 { !value } else { value };
            i128::from(rest.leading_zeros() - unused) - 1
        }
        "bswap" if width.is_multiple_of(8) => (bits.swap_bytes() >> unused).cast_signed(),
        _ => return None,
    })
}

/// The knowledge about the object into which a pointer points.
#[derive(Clone, Copy)]
struct Known {
    /// Bytes of the whole object.
    whole: i128,
    /// Where the pointer points, in bytes from its start.
    at: i128,
    /// First and last byte (exclusive) of the member or array that the pointer was made from; `None` if there was arithmetic since.
    part: Option<(i128, i128)>,
}

impl Parser<'_> {
    /// The value of a builtin on bits whose operand is a constant.
    pub fn known_bits(&self, name: &str, args: &[ExprId]) -> Option<i128> {
        let (&first, rest) = args.split_first()?;
        let info = self.types.integer(self.ty(first))?;
        let value = self.const_int(first)?;
        match rest {
            [] => bit_operation(name, value, info.width),
            [at_zero] if name == "clzg" || name == "ctzg" => match value {
                0 => self.const_int(*at_zero),
                _ => bit_operation(name, value, info.width),
            },
            _ => None,
        }
    }

    /// Whether `__builtin_constant_p` holds: of numbers and of strings.
    pub fn is_known(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Float { .. } => true,
            ExprKind::Cast(CastKind::ArrayToPointer, of) => matches!(self.kind(of), ExprKind::String(_)),
            ExprKind::Cast(CastKind::Pointer | CastKind::Complex | CastKind::Float | CastKind::Excess, of) => {
                self.is_known(of)
            }
            ExprKind::Unary(UnaryOp::Neg, of) => self.is_known(of),
            ExprKind::Complex(a, b) => self.is_known(a) && self.is_known(b),
            ExprKind::Binary(_, a, b) if !self.types.is_integral(self.ty(a)) => self.is_known(a) && self.is_known(b),
            _ => self.const_int(e).is_some(),
        }
    }

    /// `__builtin_object_size(e, kind)`: the bytes from where a pointer points to the end of the object, or of the closest
    /// surrounding member or array if `kind` is odd; without knowledge the most that there is, or for kinds 2 and 3 the least.
    pub fn object_size(&mut self, e: ExprId, kind: i128, loc: Loc) -> ExprId {
        let size_t = Types::int(self.types.data_model().size_t());
        let unknown = if kind < 2 { -1 } else { 0 };
        let size = match self.pointed_object(e) {
            None => unknown,
            Some(known) if known.at < 0 || known.at > known.whole => match known.at {
                at if at < 0 => unknown,
                _ => 0,
            },
            Some(known) if kind % 2 == 0 => known.whole - known.at,
            Some(Known {
                at,
                part: Some((_, end)),
                ..
            }) => (end - at).max(0),
            Some(_) => unknown,
        };
        self.int_expr(size_t, loc, size)
    }

    fn pointed_object(&self, e: ExprId) -> Option<Known> {
        match self.kind(e) {
            ExprKind::Cast(CastKind::Pointer | CastKind::NoOp, of) => self.pointed_object(of),
            ExprKind::Cast(CastKind::ArrayToPointer, of) | ExprKind::AddressOf(of) => self.object_of(of),
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
            } => {
                let known = self.pointed_object(pointer)?;
                let index = self.const_int(index)?;
                let size = match self.types.pointee(self.ty(e)) {
                    Some(to) => self.types.size_of(to).unwrap_or(1),
                    None => 1,
                };
                let step = index.checked_mul(i128::from(size))?;
                Some(Known {
                    at: if subtract { known.at - step } else { known.at + step },
                    part: None,
                    ..known
                })
            }
            _ => None,
        }
    }

    fn object_of(&self, e: ExprId) -> Option<Known> {
        let size = self.types.size_of(self.ty(e)).map(i128::from);
        match self.kind(e) {
            ExprKind::Global(id) => {
                let init = self.globals[id.index()].init;
                let elements = init.map_or(0, |init| self.inits[init.index()].flexible);
                let whole = size? + i128::from(self.types.bytes_beyond(self.ty(e), elements));
                Some(Known {
                    whole,
                    at: 0,
                    part: Some((0, whole)),
                })
            }
            ExprKind::Local(_) | ExprKind::Captured(..) | ExprKind::String(_) => {
                let whole = size?;
                Some(Known {
                    whole,
                    at: 0,
                    part: Some((0, whole)),
                })
            }
            ExprKind::Member { base, field } => {
                let known = self.object_of(base)?;
                let record = self.types.as_record(self.ty(base))?;
                let field = self.types.record(record).fields.get(field as usize)?;
                let at = known.at + i128::from(field.offset);
                let end = size.map_or(known.whole, |size| at + size);
                Some(Known {
                    at,
                    part: Some((at, end)),
                    ..known
                })
            }
            ExprKind::Index { base, index } => {
                let known = self.object_of(base)?;
                let index = self.const_int(index)?;
                let at = known.at + index.checked_mul(size?)?;
                // An element is no part of its own: the closest surrounding object is its array.
                Some(Known { at, ..known })
            }
            // `*&x` and `p[i]` of a decayed array.
            ExprKind::Deref(pointer) => self.pointed_object(pointer),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bit_operation;

    #[test]
    fn bits_of_constants() {
        let of = bit_operation;
        assert_eq!(of("clz", 1, 32), Some(31));
        assert_eq!(of("clzll", -1, 64), Some(0));
        assert_eq!(of("clzg", 1, 8), Some(7));
        assert_eq!(of("clz", 0, 32), None);
        assert_eq!(of("ctzl", 40, 64), Some(3));
        assert_eq!(of("ffs", 0, 32), Some(0));
        assert_eq!(of("ffsll", i128::from(i64::MIN), 64), Some(64));
        assert_eq!(of("popcount", -1, 32), Some(32));
        assert_eq!(of("parity", 7, 32), Some(1));
        assert_eq!(of("clrsb", 0, 32), Some(31));
        assert_eq!(of("clrsb", -1, 32), Some(31));
        assert_eq!(of("clrsb", -2, 32), Some(30));
        assert_eq!(of("clrsb", 1, 32), Some(30));
        assert_eq!(of("bswap16", 0x1234, 16), Some(0x3412));
        assert_eq!(of("bswap64", 1, 64), Some(1 << 56));
        assert_eq!(of("abs", 1, 32), None);
    }
}
