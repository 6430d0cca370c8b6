//! Calls of `math.h` and of floating-point builtins that are operations on values.
//!
//! Each function has a name for each format (`floor`, `floorf`, `floorl`), as a builtin (`__builtin_floor`), and often an internal one of glibc, which its
//! macros call (`__isnanf`). The operands' types say the format; a call by other types than the function's is none of these. A function that writes through pointers
//! (`frexp`, `modf`) is a source of the [library](crate::cfa::library).
//!
//! # Rounding modes
//!
//! If the program uses `fesetround`, the mode is a variable of the library's sources, and operators on floating-point values that are not both constants read it. So
//! programs that keep the default mode pay nothing. Constants are folded as rounded to nearest, as gcc does without `-frounding-math`.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::math;
use crate::cfa::program::math::MathOp;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::float::{Format, Rounding};
use crate::frontend::types::{DataModel, IntKind, Type, TypeId, Types};

/// The classifications.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Nan,
    Infinite,
    /// 1 or -1.
    InfiniteSign,
    Finite,
    Normal,
    Subnormal,
    Zero,
    Signalling,
    Sign,
    Class,
}

/// Classifications. Their argument may have any format.
const TESTS: [(&str, Test); 11] = [
    ("isnan", Test::Nan),
    ("isinf", Test::Infinite),
    ("isinf_sign", Test::InfiniteSign),
    ("isfinite", Test::Finite),
    ("finite", Test::Finite),
    ("isnormal", Test::Normal),
    ("issubnormal", Test::Subnormal),
    ("iszero", Test::Zero),
    ("issignaling", Test::Signalling),
    ("signbit", Test::Sign),
    ("fpclassify", Test::Class),
];

/// Comparisons without exceptions.
const COMPARISONS: [(&str, BinOp); 5] = [
    ("isgreater", BinOp::Gt),
    ("isgreaterequal", BinOp::Ge),
    ("isless", BinOp::Lt),
    ("islessequal", BinOp::Le),
    ("iseqsig", BinOp::Eq),
];

/// Functions of operands of one format, with as many of them.
const FUNCTIONS: [(&str, MathOp, usize); 25] = [
    ("fabs", MathOp::Abs, 1),
    ("sqrt", MathOp::Sqrt, 1),
    ("floor", MathOp::Integral(Rounding::Down), 1),
    ("ceil", MathOp::Integral(Rounding::Up), 1),
    ("trunc", MathOp::Integral(Rounding::Zero), 1),
    ("round", MathOp::Integral(Rounding::Away), 1),
    ("roundeven", MathOp::Integral(Rounding::Nearest), 1),
    ("rint", MathOp::Integral(Rounding::Nearest), 1),
    ("nearbyint", MathOp::Integral(Rounding::Nearest), 1),
    ("fma", MathOp::Fused, 3),
    ("copysign", MathOp::CopySign, 2),
    ("fmin", MathOp::Min, 2),
    ("fmax", MathOp::Max, 2),
    ("fmod", MathOp::Modulus, 2),
    ("remainder", MathOp::Remainder, 2),
    ("drem", MathOp::Remainder, 2),
    ("nextafter", MathOp::Next, 2),
    ("ldexp", MathOp::Scale, 2),
    ("scalbn", MathOp::Scale, 2),
    ("scalbln", MathOp::Scale, 2),
    ("ilogb", MathOp::Exponent, 1),
    ("lrint", MathOp::Whole(Rounding::Nearest), 1),
    ("llrint", MathOp::Whole(Rounding::Nearest), 1),
    ("lround", MathOp::Whole(Rounding::Away), 1),
    ("llround", MathOp::Whole(Rounding::Away), 1),
];

/// The variable of the library's sources that holds the rounding mode.
const MODE: &str = "__provident_rounding";

/// The ends of names for the formats.
const SUFFIXES: [&str; 10] = ["", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x", "q"];

/// Whether a name is a function's, for some format.
fn is(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|suffix| SUFFIXES.contains(&suffix))
}

/// The name without what marks it as a builtin or as internal to glibc.
fn bare(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    name.strip_prefix("__").unwrap_or(name)
}

impl Lowerer<'_> {
    /// Lowers a call of a function that is an operation on values; `None` if it is none.
    pub(super) fn math_call(&mut self, name: &str, args: &[ExprId], ty: TypeId, loc: Loc) -> Option<Modelled> {
        let glibc = name.starts_with("__") && !name.starts_with("__builtin_");
        let name = bare(name);
        let types: Vec<TypeId> = args.iter().map(|&arg| self.unit.expr(arg).ty).collect();
        let format = |this: &Self, i: usize| types.get(i).and_then(|&ty| this.types.format(ty));
        if let (Some(&(_, test)), Some(format)) = (
            TESTS.iter().find(|row| is(name, row.0)),
            format(self, types.len().max(1) - 1),
        ) {
            let wanted = if test == Test::Class && !glibc { 6 } else { 1 };
            if types.len() != wanted || !self.types.is_integral(ty) {
                return None;
            }
            let test = if glibc && test == Test::Infinite {
                Test::InfiniteSign
            } else {
                test
            };
            let values = self.arguments(args, loc);
            let value = self.classified(test, values, format, loc);
            return Some(Some(expr::cast(&self.types, value, ty)));
        }
        if let (Some(&(_, op)), [_, _]) = (COMPARISONS.iter().find(|row| row.0 == name), &types[..]) {
            let [x, y] = self.ordered_operands(args, loc)?;
            let truth = expr::binary(&self.types, op, x, y, Types::INT);
            return Some(Some(expr::cast(&self.types, truth, ty)));
        }
        if matches!(name, "islessgreater" | "isunordered") && args.len() == 2 {
            let [x, y] = self.ordered_operands(args, loc)?;
            let truth = if name == "isunordered" {
                expr::math(&self.types, MathOp::Unordered, vec![x, y], Types::INT)
            } else {
                let (x, y) = (self.save(x, loc), self.save(y, loc));
                let less = expr::binary(&self.types, BinOp::Lt, x.clone(), y.clone(), Types::INT);
                let greater = expr::binary(&self.types, BinOp::Gt, x, y, Types::INT);
                expr::binary(&self.types, BinOp::Or, less, greater, Types::INT)
            };
            return Some(Some(expr::cast(&self.types, truth, ty)));
        }
        let &(stem, op, count) = FUNCTIONS.iter().find(|row| is(name, row.0))?;
        if glibc && stem != "ilogb" || types.len() != count {
            return None;
        }
        format(self, 0)?;
        let fits = |(i, &operand): (usize, &TypeId)| match (op, i) {
            (MathOp::Scale, 1) => self.types.is_integral(operand),
            _ => operand == types[0],
        };
        let result = match op {
            MathOp::Exponent | MathOp::Whole(_) => self.types.is_integral(ty),
            _ => ty == types[0],
        };
        if !result || !types.iter().enumerate().all(fits) {
            return None;
        }
        let mut values = self.arguments(args, loc);
        let op = match self.rounding_mode() {
            Some(mode) => {
                let (op, asks) = match (op, stem) {
                    (MathOp::Sqrt, _) => (MathOp::RoundedSqrt, true),
                    (MathOp::Fused, _) => (MathOp::RoundedFused, true),
                    (_, "rint" | "nearbyint") => (MathOp::RoundedIntegral, true),
                    (_, "lrint" | "llrint") => (MathOp::RoundedWhole, true),
                    _ => (op, false),
                };
                values.extend(asks.then_some(mode));
                op
            }
            None => op,
        };
        Some(Some(expr::math(&self.types, op, values, ty)))
    }

    /// The two operands of a comparison in the wider of their formats; an integer takes the other's.
    fn ordered_operands(&mut self, args: &[ExprId], loc: Loc) -> Option<[Expr; 2]> {
        let types: Vec<TypeId> = args.iter().map(|&arg| self.unit.expr(arg).ty).collect();
        let formats = types
            .iter()
            .filter_map(|&ty| self.types.format(ty).map(|format| (format, ty)));
        let (_, common) = formats.max_by_key(|(format, _)| *format)?;
        let values = self.arguments(args, loc);
        let cast = |value: Expr| expr::cast(&self.types, value, common);
        let [x, y] = <[Expr; 2]>::try_from(values).ok()?;
        Some([cast(x), cast(y)])
    }

    /// The `int` of a classification, whose operand comes last.
    fn classified(&mut self, test: Test, mut values: Vec<Expr>, format: Format, loc: Loc) -> Expr {
        let x = values.pop().expect("there is an operand");
        let ty = x.ty;
        let simple = matches!(
            test,
            Test::Sign | Test::Class | Test::Infinite | Test::Finite | Test::Zero
        );
        let x = if simple { x } else { self.save(x, loc) };
        let int = |this: &Self, op, operands| expr::math(&this.types, op, operands, Types::INT);
        let compare =
            |this: &Self, op, x: Expr, bits: u128| expr::binary(&this.types, op, x, Expr::float(bits, ty), Types::INT);
        let size = |this: &Self, x: Expr| expr::math(&this.types, MathOp::Abs, vec![x], ty);
        let both = |this: &Self, a, b| expr::binary(&this.types, BinOp::And, a, b, Types::INT);
        match test {
            Test::Nan => expr::binary(&self.types, BinOp::Ne, x.clone(), x, Types::INT),
            Test::Infinite => compare(self, BinOp::Eq, size(self, x), format.infinity()),
            Test::InfiniteSign => {
                let up = compare(self, BinOp::Eq, x.clone(), format.infinity());
                let down = compare(self, BinOp::Eq, x, format.infinity() | format.sign());
                expr::binary(&self.types, BinOp::Sub, up, down, Types::INT)
            }
            Test::Finite => compare(self, BinOp::Le, size(self, x), format.largest()),
            Test::Normal => {
                let above = compare(self, BinOp::Ge, size(self, x.clone()), format.smallest_normal());
                both(self, above, compare(self, BinOp::Le, size(self, x), format.largest()))
            }
            Test::Subnormal => {
                let below = compare(self, BinOp::Lt, size(self, x.clone()), format.smallest_normal());
                both(self, below, compare(self, BinOp::Ne, x, 0))
            }
            Test::Zero => compare(self, BinOp::Eq, x, 0),
            Test::Signalling => {
                let nan = expr::binary(&self.types, BinOp::Ne, x.clone(), x.clone(), Types::INT);
                let wide = Types::int(if format.width() > 64 {
                    IntKind::UInt128
                } else {
                    IntKind::ULongLong
                });
                let bits = expr::math(&self.types, MathOp::Bits, vec![x], wide);
                let quiet = Expr::int(expr::unsigned(1 << (format.precision() - 2)), wide);
                let kept = expr::binary(&self.types, BinOp::And, bits, quiet, wide);
                let signalling = expr::binary(&self.types, BinOp::Eq, kept, Expr::int(0, wide), Types::INT);
                both(self, nan, signalling)
            }
            Test::Sign => int(self, MathOp::Sign, vec![x]),
            Test::Class if values.is_empty() => int(self, MathOp::Class, vec![x]),
            Test::Class => {
                // The numbers for NaN, infinite, normal, subnormal, zero are given.
                let class = int(self, MathOp::Class, vec![x]);
                let class = self.save(class, loc);
                let mut sum = Expr::int(0, Types::INT);
                for (value, number) in values.into_iter().zip([0, 1, 4, 3, 2]) {
                    let is = expr::binary(
                        &self.types,
                        BinOp::Eq,
                        class.clone(),
                        Expr::int(number, Types::INT),
                        Types::INT,
                    );
                    let part = expr::binary(&self.types, BinOp::Mul, is, value, Types::INT);
                    sum = expr::binary(&self.types, BinOp::Add, sum, part, Types::INT);
                }
                sum
            }
        }
    }

    /// The rounding mode, if the program may change it.
    pub(super) fn rounding_mode(&mut self) -> Option<Expr> {
        let unit = self.unit;
        let global = *self.mode.get_or_init(|| {
            unit.global_named(MODE)
                .filter(|&id| unit.source.in_library(unit.global(id).loc))
        });
        let var = self.global(global?);
        Some(Expr::load(Place::var(var, Types::INT)))
    }

    /// A binary operator on floating-point values in the mode that the program has set.
    pub(super) fn float_operator(&mut self, op: BinOp, left: Expr, right: Expr, ty: TypeId) -> Expr {
        let constant = |e: &Expr| matches!(e.kind, ExprKind::Float(_));
        if let (Some(op), false) = (math::arithmetic(op), constant(&left) && constant(&right))
            && self.types.is_float(ty)
            && let Some(mode) = self.rounding_mode()
        {
            return expr::math(&self.types, MathOp::Rounded(op), vec![left, right, mode], ty);
        }
        expr::binary(&self.types, op, left, right, ty)
    }

    /// A conversion in the mode that the program has set: only those to a floating type may have to round.
    pub(super) fn float_cast(&mut self, value: Expr, ty: TypeId) -> Expr {
        let constant = matches!(value.kind, ExprKind::Float(_) | ExprKind::Const(_));
        if let (Type::Float(_), false) = (self.types.get(ty), constant || value.ty == ty)
            && let Some(mode) = self.rounding_mode()
        {
            return expr::math(&self.types, MathOp::RoundedCast, vec![value, mode], ty);
        }
        expr::cast(&self.types, value, ty)
    }

    /// Notes where gcc may compute in a wider format than the operands' (`FLT_EVAL_METHOD` is 2 for the x87, which it uses by default on ILP32).
    pub(super) fn note_float(&mut self, ty: TypeId, operand: TypeId, loc: Loc) {
        let narrow = matches!(self.types.format(operand), Some(Format::Single | Format::Double));
        if narrow && self.types.data_model() == DataModel::Ilp32 && (ty == operand || ty == Types::INT) {
            let text =
                "operations on `float` and `double` round to their own format, as with `-mfpmath=sse`".to_owned();
            self.assume(AssumptionKind::Float, text, loc, false);
        }
    }
}
