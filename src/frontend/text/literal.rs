//! Decoding of numbers, character constants and string literals.

use crate::frontend::types::float;
use crate::frontend::types::float::{Format, Rounding};
use crate::frontend::types::{DataModel, FloatKind, IntKind};

/// A decoded number.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer of a type that can hold it.
    Int {
        /// The value; for `unsigned __int128`, the bits.
        value: i128,
        /// The type by the rules of C11 6.4.4.1.
        kind: IntKind,
        /// GNU suffix `i` or `j`.
        imaginary: bool,
    },
    /// An integer of a bit-precise type (suffix `wb`).
    BitPrecise {
        /// The value.
        value: u128,
        /// Whether the suffix says `unsigned`.
        unsigned: bool,
    },
    /// A decimal floating constant of a type of this many bytes. Its value is not kept.
    Decimal(u64),
    /// A floating constant.
    Float {
        /// The bit pattern of the nearest value of the type; of `_Float16` that of `float`, in which gcc has such a constant.
        bits: u128,
        /// The type by the suffix.
        kind: FloatKind,
        /// GNU suffix `i` or `j`.
        imaginary: bool,
    },
}

/// Decodes a preprocessing number; `None` if it is no number of C.
pub fn number(text: &[u8], model: DataModel) -> Option<Number> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase().replace('\'', "");
    let (radix, digits) = if let Some(hex) = text.strip_prefix("0x") {
        (16, hex)
    } else if let Some(binary) = text.strip_prefix("0b") {
        (2, binary)
    } else {
        (10, &text[..])
    };
    let is_float =
        digits.contains('.') || (radix == 16 && digits.contains('p')) || (radix == 10 && digits.contains('e'));
    if radix == 10
        && let Some((size, digits)) = [(4, "df"), (8, "dd"), (16, "dl")]
            .into_iter()
            .find_map(|(size, suffix)| digits.strip_suffix(suffix).map(|rest| (size, rest)))
    {
        return floating(radix, digits).map(|_| Number::Decimal(size));
    }
    if is_float {
        floating(radix, digits)
    } else {
        integer(radix, digits, model)
    }
}

fn integer(radix: u32, digits: &str, model: DataModel) -> Option<Number> {
    let split = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(split);
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let radix = if octal { 8 } else { radix };
    if digits.is_empty() {
        return None;
    }
    let mut value: u128 = 0;
    for c in digits.chars() {
        // A constant that is too large is only a warning in gcc: it is cut.
        value = value
            .wrapping_mul(u128::from(radix))
            .wrapping_add(u128::from(c.to_digit(radix)?));
    }
    if matches!(suffix, "wb" | "uwb" | "wbu") {
        return Some(Number::BitPrecise {
            value,
            unsigned: suffix.contains('u'),
        });
    }
    let imaginary = suffix.contains(['i', 'j']);
    let (unsigned, long) = match suffix.replace(['i', 'j'], "").as_str() {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    let decimal = radix == 10;
    let ladder = [
        (IntKind::Int, 0),
        (IntKind::UInt, 0),
        (IntKind::Long, 1),
        (IntKind::ULong, 1),
        (IntKind::LongLong, 2),
        (IntKind::ULongLong, 2),
    ];
    let fits = |kind: IntKind| {
        let bits = kind.width(model) - u32::from(kind.signed());
        value >> bits == 0
    };
    let allowed = |kind: IntKind| kind.signed() != unsigned || (!kind.signed() && !unsigned && !decimal);
    let last = if model == DataModel::Lp64 && !unsigned {
        IntKind::Int128
    } else {
        IntKind::ULongLong
    };
    let found = ladder
        .iter()
        .find(|&&(kind, rank)| rank >= long && allowed(kind) && fits(kind));
    let kind = found.map_or(last, |&(kind, _)| kind);
    let value = value & u128::from(u64::MAX);
    Some(Number::Int {
        value: i128::try_from(value).ok()?,
        kind,
        imaginary,
    })
}

fn floating(radix: u32, text: &str) -> Option<Number> {
    let exponent_mark = if radix == 16 { 'p' } else { 'e' };
    let mantissa_end = text
        .find(|c: char| !(c.is_digit(radix) || c == '.'))
        .unwrap_or(text.len());
    let (mantissa, rest) = text.split_at(mantissa_end);
    if mantissa.matches('.').count() > 1 || !mantissa.contains(|c: char| c.is_digit(radix)) {
        return None;
    }
    let (mut exponent, mut suffix) = (0i32, rest);
    if let Some(rest) = rest.strip_prefix(exponent_mark) {
        let signed = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let digits = signed.find(|c: char| !c.is_ascii_digit()).unwrap_or(signed.len());
        if digits == 0 {
            return None;
        }
        let magnitude = signed[..digits]
            .parse::<i32>()
            .unwrap_or(i32::MAX / 4)
            .min(i32::MAX / 4);
        exponent = if rest.starts_with('-') { -magnitude } else { magnitude };
        suffix = &signed[digits..];
    } else if radix == 16 {
        return None;
    }
    let kind = match suffix.replace(['i', 'j'], "").as_str() {
        "" | "d" => FloatKind::Double,
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "f16" => FloatKind::Float16,
        "f32" => FloatKind::Float32,
        "f64" => FloatKind::Float64,
        "f32x" => FloatKind::Float32x,
        "f64x" | "w" => FloatKind::Float64x,
        "f128" | "q" => FloatKind::Float128,
        _ => return None,
    };
    let text = match radix {
        16 => format!("0x{mantissa}p{exponent}"),
        _ => format!("{mantissa}e{exponent}"),
    };
    let format = match kind {
        FloatKind::Float16 => Format::Single,
        _ => kind.format(),
    };
    let bits = float::parse(format, &text, Rounding::Nearest)?;
    let imaginary = suffix.contains(['i', 'j']);
    Some(Number::Float { bits, kind, imaginary })
}

/// The unit width that a literal's prefix gives, and the bytes between the quotes.
pub fn unquote(token: &[u8]) -> (u32, &[u8]) {
    let quote = token.iter().position(|&b| b == b'"' || b == b'\'').unwrap_or(0);
    let width = match &token[..quote] {
        b"L" | b"U" => 4,
        b"u" => 2,
        _ => 1,
    };
    let end = token.len().saturating_sub(1).max(quote + 1).min(token.len());
    (width, token.get(quote + 1..end).unwrap_or(&[]))
}

/// Appends the code units of a literal's inside, escapes resolved. An error is a message.
pub fn units(inside: &[u8], width: u32, out: &mut Vec<u32>) -> Result<(), &'static str> {
    let mut i = 0;
    while i < inside.len() {
        let b = inside[i];
        if b != b'\\' {
            if width == 1 || b < 0x80 {
                out.push(u32::from(b));
                i += 1;
            } else {
                let tail = &inside[i..];
                let length = tail.iter().skip(1).take(3).take_while(|&&b| b & 0xc0 == 0x80).count() + 1;
                let c = std::str::from_utf8(&tail[..length]).ok().and_then(|s| s.chars().next());
                push_char(c.map_or(u32::from(b), u32::from), width, out);
                i += length;
            }
            continue;
        }
        let escape = inside.get(i + 1).copied().unwrap_or(b'\\');
        i += 2;
        let simple = match escape {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'\n' => continue,
            b'\r' if inside.get(i) == Some(&b'\n') => {
                i += 1;
                continue;
            }
            b'x' | b'u' | b'U' => {
                let most = match escape {
                    b'u' => 4,
                    b'U' => 8,
                    _ => usize::MAX,
                };
                let digits = inside[i..]
                    .iter()
                    .take(most)
                    .take_while(|b| b.is_ascii_hexdigit())
                    .count();
                if digits == 0 || (most != usize::MAX && digits < most) {
                    return Err("incomplete hexadecimal escape");
                }
                let mut value = 0u32;
                for &d in &inside[i..i + digits] {
                    value = value
                        .wrapping_mul(16)
                        .wrapping_add(char::from(d).to_digit(16).unwrap_or(0));
                }
                i += digits;
                if escape == b'x' {
                    out.push(value & unit_mask(width));
                } else {
                    push_char(value, width, out);
                }
                continue;
            }
            b'0'..=b'7' => {
                let digits = inside[i - 1..]
                    .iter()
                    .take(3)
                    .take_while(|b| matches!(b, b'0'..=b'7'))
                    .count();
                let value = inside[i - 1..i - 1 + digits]
                    .iter()
                    .fold(0, |v, &d| v * 8 + u32::from(d - b'0'));
                i += digits - 1;
                value & unit_mask(width)
            }
            other => u32::from(other),
        };
        out.push(simple);
    }
    Ok(())
}

fn unit_mask(width: u32) -> u32 {
    match width {
        1 => 0xff,
        2 => 0xffff,
        _ => u32::MAX,
    }
}

/// A character in the encoding of the unit width: UTF-8, UTF-16 or UTF-32.
fn push_char(code: u32, width: u32, out: &mut Vec<u32>) {
    let Some(c) = char::from_u32(code) else {
        out.push(code & unit_mask(width));
        return;
    };
    match width {
        1 => out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
        2 => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        _ => out.push(code),
    }
}
