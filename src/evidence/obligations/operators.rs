//! The machine's values of non-linear operators, for the checks of scripts.
//!
//! This shares no code with the encoder, which has its own: here numbers are reduced to bit patterns first, and the operators are those of the machine that
//! this runs on.

/// The value of an operator at numbers: of `__mul:i32` at 3 and 5, 15. `None` if the name is no operator's, if the value is not specified, or if a number is not one of
/// its type where that matters.
pub fn value(operator: &str, arguments: &[i128]) -> Option<i128> {
    let &[a, b] = arguments else { return None };
    let (name, kind) = operator.split_once(':')?;
    let (signed, width) = kind.split_at_checked(1)?;
    let is_signed = match signed {
        "i" => true,
        "u" => false,
        _ => return None,
    };
    let width: u32 = width.parse().ok().filter(|width| (1..=64).contains(width))?;
    let shift = 128 - width;
    // The low bits, and the number of the type that has them.
    let bits = |number: i128| (number << shift).cast_unsigned() >> shift;
    let number = |bits: u128| match is_signed {
        true => (bits.cast_signed() << shift) >> shift,
        false => ((bits << shift) >> shift).cast_signed(),
    };
    let is_own = |value: i128| number(bits(value)) == value;
    let amount = u32::try_from(b).ok().filter(|&amount| amount < width);
    match name {
        "__and" => Some(number(bits(a) & bits(b))),
        "__or" => Some(number(bits(a) | bits(b))),
        "__xor" => Some(number(bits(a) ^ bits(b))),
        "__mul" => Some(number(bits(a).wrapping_mul(bits(b)))),
        "__shl" => Some(number(bits(a) << amount?)),
        "__shr" if is_own(a) => Some(a >> amount?),
        "__div" | "__rem" if is_own(a) && is_own(b) => {
            let quotient = a.checked_div(b).filter(|&quotient| is_own(quotient))?;
            Some(if name == "__div" { quotient } else { a % b })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_those_of_the_machine() {
        for a in i8::MIN..=i8::MAX {
            for b in i8::MIN..=i8::MAX {
                let [x, y] = [a, b].map(i128::from);
                let [p, q] = [a, b].map(|n| i128::from(n.cast_unsigned()));
                let signed = |name: &str| value(&format!("{name}:i8"), &[x, y]);
                let unsigned = |name: &str| value(&format!("{name}:u8"), &[p, q]);
                assert_eq!(signed("__mul"), Some(i128::from(a.wrapping_mul(b))));
                assert_eq!(
                    unsigned("__mul"),
                    Some(i128::from(a.cast_unsigned().wrapping_mul(b.cast_unsigned())))
                );
                assert_eq!(signed("__xor"), Some(i128::from(a ^ b)));
                assert_eq!(signed("__div"), a.checked_div(b).map(i128::from));
                assert_eq!(signed("__rem"), a.checked_rem(b).map(i128::from));
                assert_eq!(
                    unsigned("__rem"),
                    a.cast_unsigned().checked_rem(b.cast_unsigned()).map(i128::from)
                );
                assert_eq!(
                    signed("__shr"),
                    u32::try_from(b).ok().and_then(|n| a.checked_shr(n)).map(i128::from)
                );
                assert_eq!(
                    unsigned("__shl"),
                    a.cast_unsigned()
                        .checked_shl(u32::from(b.cast_unsigned()))
                        .map(i128::from)
                );
            }
        }
        assert_eq!(
            value("__mul:u64", &[i128::from(u64::MAX), i128::from(u64::MAX)]),
            Some(1)
        );
        assert_eq!(
            value("__mul:i64", &[i128::from(i64::MIN), -1]),
            Some(i128::from(i64::MIN))
        );
        for wrong in [
            "mul",
            "__mul",
            "__mul:",
            "__mul:x8",
            "__mul:i0",
            "__mul:i65",
            "__pow:i8",
        ] {
            assert_eq!(value(wrong, &[1, 1]), None, "{wrong}");
        }
    }
}
