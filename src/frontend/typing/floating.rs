//! Floating-point builtins and the functions of `math.h`: their types in every format, and those that are constants.
//!
//! A function has one name for each format: `floor` for `double`, `floorf`, `floorl`, `floorf128` for others. One row of a table stands for all of
//! them; `d` in its type code is the format's type. Classification and comparison builtins (`__builtin_isnan`) take operands of any format without promoting
//! them.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::float;
use crate::frontend::types::*;

/// Functions of `math.h` with a variant for each format.
const FUNCTIONS: &[(&str, &str)] = &[
    ("acos", "dd"),
    ("acosh", "dd"),
    ("asin", "dd"),
    ("asinh", "dd"),
    ("atan", "dd"),
    ("atan2", "ddd"),
    ("atanh", "dd"),
    ("cbrt", "dd"),
    ("ceil", "dd"),
    ("copysign", "ddd"),
    ("cos", "dd"),
    ("cosh", "dd"),
    ("drem", "ddd"),
    ("erf", "dd"),
    ("erfc", "dd"),
    ("exp", "dd"),
    ("exp10", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("fabs", "dd"),
    ("fdim", "ddd"),
    ("finite", "id"),
    ("floor", "dd"),
    ("fma", "dddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fmod", "ddd"),
    ("frexp", "ddp"),
    ("gamma", "dd"),
    ("hypot", "ddd"),
    ("ilogb", "id"),
    ("j0", "dd"),
    ("j1", "dd"),
    ("ldexp", "ddi"),
    ("lgamma", "dd"),
    ("llrint", "qd"),
    ("llround", "qd"),
    ("log", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("log2", "dd"),
    ("logb", "dd"),
    ("lrint", "ld"),
    ("lround", "ld"),
    ("modf", "ddp"),
    ("nearbyint", "dd"),
    ("nextafter", "ddd"),
    ("nexttoward", "ddD"),
    ("pow", "ddd"),
    ("powi", "ddi"),
    ("remainder", "ddd"),
    ("remquo", "dddp"),
    ("rint", "dd"),
    ("round", "dd"),
    ("roundeven", "dd"),
    ("scalb", "ddd"),
    ("scalbln", "ddl"),
    ("scalbn", "ddi"),
    ("significand", "dd"),
    ("sin", "dd"),
    ("sincos", "vdpp"),
    ("sinh", "dd"),
    ("sqrt", "dd"),
    ("tan", "dd"),
    ("tanh", "dd"),
    ("tgamma", "dd"),
    ("trunc", "dd"),
    ("y0", "dd"),
    ("y1", "dd"),
];

/// Functions of `complex.h`, with a variant for each format of the library; `C` is a complex number of it.
const COMPLEX: &[(&str, &str)] = &[
    ("cabs", "dC"),
    ("cacos", "CC"),
    ("cacosh", "CC"),
    ("carg", "dC"),
    ("casin", "CC"),
    ("casinh", "CC"),
    ("catan", "CC"),
    ("catanh", "CC"),
    ("ccos", "CC"),
    ("ccosh", "CC"),
    ("cexp", "CC"),
    ("cimag", "dC"),
    ("clog", "CC"),
    ("conj", "CC"),
    ("cpow", "CCC"),
    ("cproj", "CC"),
    ("creal", "dC"),
    ("csin", "CC"),
    ("csinh", "CC"),
    ("csqrt", "CC"),
    ("ctan", "CC"),
    ("ctanh", "CC"),
];

/// Builtins with a variant for each format that are no functions of the library.
const BUILTINS: &[(&str, &str)] = &[
    ("huge_val", "d"),
    ("inf", "d"),
    ("nan", "dc"),
    ("nans", "dc"),
    ("signbit", "id"),
    ("isinf", "id"),
    ("isnan", "id"),
];

/// Builtins that take operands of any format and give an `int`, with the number of these operands.
const GENERIC: &[(&str, usize)] = &[
    ("isnan", 1),
    ("isinf", 1),
    ("isinf_sign", 1),
    ("isfinite", 1),
    ("isnormal", 1),
    ("issubnormal", 1),
    ("iszero", 1),
    ("issignaling", 1),
    ("signbit", 1),
    ("isgreater", 2),
    ("isgreaterequal", 2),
    ("isless", 2),
    ("islessequal", 2),
    ("islessgreater", 2),
    ("isunordered", 2),
    ("iseqsig", 2),
];

/// The floating type that the end of a name says: `floorf` ends in `f` behind `floor`.
fn variant(name: &str, stem: &str) -> Option<FloatKind> {
    Some(match name.strip_prefix(stem)? {
        "" => FloatKind::Double,
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "f16" => FloatKind::Float16,
        "f32" => FloatKind::Float32,
        "f64" => FloatKind::Float64,
        "f32x" => FloatKind::Float32x,
        "f64x" => FloatKind::Float64x,
        "f128" | "q" => FloatKind::Float128,
        _ => return None,
    })
}

/// The type code of a function without its `__builtin_`, in the letters of `Parser::code_type`.
pub fn code(name: &str, builtin: bool) -> Option<String> {
    let tables: &[&[(&str, &str)]] = match builtin {
        true => &[FUNCTIONS, COMPLEX, BUILTINS],
        false => &[FUNCTIONS, COMPLEX],
    };
    let rows = tables.iter().flat_map(|table| table.iter());
    for (stem, code) in rows {
        let (real, complex) = match variant(name, stem) {
            None => continue,
            Some(FloatKind::Double) => ("d", "C"),
            Some(FloatKind::Float) => ("f", "F"),
            Some(FloatKind::LongDouble) => ("D", "L"),
            Some(FloatKind::Float128) if builtin && !code.contains('C') => ("W", ""),
            // Constants of every format are typed where they are called.
            Some(_) if builtin && matches!(*stem, "huge_val" | "inf" | "nan" | "nans") => return Some("?".to_owned()),
            Some(_) => continue,
        };
        return Some(code.replace('d', real).replace('C', complex));
    }
    (builtin && (name == "fpclassify" || GENERIC.iter().any(|(generic, _)| *generic == name))).then(|| "?".to_owned())
}

impl Parser<'_> {
    /// Calls of builtins that are constants, or that take operands of any format. `None`: an ordinary call.
    pub fn floating_call(&mut self, id: FuncId, short: &str, args: &[ExprId], loc: Loc) -> Parsed<Option<ExprId>> {
        let infinite = variant(short, "huge_val").or_else(|| variant(short, "inf"));
        if let (Some(kind), []) = (infinite, args) {
            let ty = self.types.intern(Type::Float(kind));
            return Ok(Some(self.float_expr(ty, loc, kind.format().infinity())));
        }
        let quiet = variant(short, "nan");
        if let (Some(kind), &[text]) = (quiet.or_else(|| variant(short, "nans")), args) {
            let Some(payload) = self.payload(text) else {
                return Ok(None);
            };
            let ty = self.types.intern(Type::Float(kind));
            return Ok(Some(self.float_expr(
                ty,
                loc,
                nan(kind.format(), quiet.is_some(), payload),
            )));
        }
        let generic = GENERIC.iter().find(|(generic, _)| *generic == short);
        let (first, count) = match generic {
            Some(&(_, count)) => (0, count),
            None if short == "fpclassify" => (5, 6),
            None => return Ok(None),
        };
        if args.len() != count {
            return self.fail(loc, format!("wrong number of arguments to '__builtin_{short}'"));
        }
        let mut values = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let ty = self.ty(value);
            values.push(match i < first {
                true => self.convert_for_assignment(value, Types::INT, loc, "argument passing")?,
                false if self.types.is_float(ty) || count == 2 && self.types.is_integral(ty) => value,
                false => {
                    return self.fail(
                        loc,
                        format!("non-floating-point argument in call to '__builtin_{short}'"),
                    );
                }
            });
        }
        Ok(Some(self.call_node(Callee::Direct(id), Types::INT, &values, loc)))
    }

    /// The payload that the argument of `nan` says: a number in C's notation. Any other text means none.
    fn payload(&self, text: ExprId) -> Option<u128> {
        let ExprKind::Cast(CastKind::ArrayToPointer, literal) = self.kind(text) else {
            let ExprKind::String(id) = self.kind(text) else {
                return None;
            };
            return Some(payload_of(&self.strings[id.index()].units));
        };
        let ExprKind::String(id) = self.kind(literal) else {
            return None;
        };
        Some(payload_of(&self.strings[id.index()].units))
    }
}

fn payload_of(units: &[u32]) -> u128 {
    let text: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
    let text = text.trim_end_matches('\0').to_ascii_lowercase();
    let (radix, digits) = match text.strip_prefix("0x") {
        Some(hex) => (16, hex),
        None if text.starts_with('0') && text.len() > 1 => (8, &text[1..]),
        None => (10, &text[..]),
    };
    u128::from_str_radix(digits, radix).unwrap_or(0)
}

/// The NaN of a payload. One that signals has some other bit than that of quietness.
fn nan(format: float::Format, quiet: bool, payload: u128) -> u128 {
    let quiet_bit = 1u128 << (format.precision() - 2);
    let payload = payload & (quiet_bit - 1);
    match (quiet, payload) {
        (true, _) => format.quiet_nan() | payload,
        (false, 0) => format.infinity() | quiet_bit >> 1,
        (false, _) => format.infinity() | payload,
    }
}
