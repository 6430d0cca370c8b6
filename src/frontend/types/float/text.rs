//! Floating-point values as text: constants of C, values in traces, exact literals for other tools.

use super::{Format, Rounding, convert, is_infinite, is_nan, is_negative, is_zero, native, with_format};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};

/// The value of a number without sign and suffix: decimal (`1.5e3`) or hexadecimal (`0x1.8p3`). `None` if the text is none.
pub fn parse(format: Format, text: &str, rounding: Rounding) -> Option<u128> {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    if !hex && rounding == Rounding::Nearest {
        match format {
            Format::Double => return text.parse::<f64>().ok().map(|x| x.to_bits().into()),
            Format::Single => return text.parse::<f32>().ok().map(|x| x.to_bits().into()),
            _ => {}
        }
    }
    // The crate insists on an exponent behind hexadecimal digits.
    let text = match hex && !text.contains(['p', 'P']) {
        true => format!("{text}p0"),
        false => text.to_owned(),
    };
    with_format!(format, F => F::from_str_r(&text, rounding.round()).ok().map(|x| x.value.to_bits()))
}

/// The value for people: the shortest decimal number that is read back as the same value (of formats wider than `double`, many digits).
pub fn show(format: Format, bits: u128) -> String {
    if is_nan(format, bits) {
        return "NaN".to_owned();
    }
    if is_infinite(format, bits) {
        return if is_negative(format, bits) { "-inf" } else { "inf" }.to_owned();
    }
    match format {
        Format::Half => format!(
            "{:?}",
            native::single(convert(format, Format::Single, bits, Rounding::Nearest))
        ),
        Format::Single => format!("{:?}", native::single(bits)),
        Format::Double => format!("{:?}", native::double(bits)),
        Format::Extended | Format::Quad => with_format!(format, F => F::from_bits(bits).to_string()),
    }
}

/// The value as an expression of GNU C that has exactly this value: a hexadecimal constant, or a builtin for what has none. Of NaN the payload
/// is not kept.
pub fn literal(format: Format, bits: u128) -> String {
    let suffix = match format {
        Format::Half => "f16",
        Format::Single => "f",
        Format::Double => "",
        Format::Extended => "l",
        Format::Quad => "f128",
    };
    let sign = if is_negative(format, bits) { "-" } else { "" };
    if is_nan(format, bits) {
        return format!("{sign}__builtin_nan{suffix}(\"\")");
    }
    if is_infinite(format, bits) {
        return format!("{sign}__builtin_inf{suffix}()");
    }
    if is_zero(format, bits) {
        return format!("{sign}0x0p+0{suffix}");
    }
    let exponent = super::exponent(format, bits).expect("a finite number other than zero");
    let below = i32::try_from(format.precision() - 1).expect("it is small");
    // The leading bit and as many whole hexadecimal digits as hold the rest.
    let digits = (below + 3) / 4;
    let magnitude = bits & format.magnitude();
    let one = super::scale(format, magnitude, i128::from(below - exponent), Rounding::Nearest);
    let whole = super::to_int(format, one, 127, false, Rounding::Nearest).expect("it has the bits of the format");
    let fraction = (whole & ((1u128 << below) - 1)) << (4 * digits - below);
    let width = usize::try_from(digits).expect("it is small");
    let text = format!("{fraction:0width$x}");
    let text = text.trim_end_matches('0');
    let point = if text.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{text}p{exponent:+}{suffix}")
}
