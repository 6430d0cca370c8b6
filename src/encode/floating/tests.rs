//! Everything that formulas claim of floating-point operations, held against exact arithmetic in all formats: axioms, monotonicity from points, comparisons, intervals, operations on bits.

use super::lemmas::lemmas;
use super::*;
use crate::cfa::{LowerOptions, Program, lower};
use crate::encode::{Arith, Encoder};
use crate::frontend::text::source::{Loc, Source};
use crate::frontend::types::DataModel;
use crate::frontend::{FrontendOptions, parse};
use proptest::prelude::*;
use provident_smt::model::Model;
use provident_smt::term::Symbol;
use std::sync::LazyLock;

/// Codes of a format: any, near the borders of classes, and with exponents near to that of one, so that sums do not only absorb.
fn code_of(format: Format) -> impl Strategy<Value = u128> {
    let all = code::sign(format).wrapping_mul(2);
    let below_sign = code::magnitude(format);
    let [first, one, infinity] =
        [format.smallest_normal(), format.one(), format.infinity()].map(|bits| code::of(format, bits));
    let fraction = first;
    let edges = [
        0,
        1,
        2,
        first - 1,
        first,
        first + 1,
        one - 1,
        one,
        one + 1,
        one + first,
        infinity - 1,
        infinity,
        infinity + 1,
        below_sign,
    ];
    let signed = |codes: Vec<u128>| {
        let negative = codes
            .iter()
            .map(|code| code | code::sign(format))
            .collect::<Vec<u128>>();
        [codes, negative].concat()
    };
    prop_oneof![
        any::<u128>().prop_map(move |code| match all {
            0 => code,
            all => code % all,
        }),
        prop::sample::select(signed(edges.to_vec())),
        (any::<u128>(), any::<bool>()).prop_map(move |(at, negative)| {
            let near = one - 3 * fraction + at % (6 * fraction);
            near | if negative { code::sign(format) } else { 0 }
        }),
    ]
}

fn format() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

/// A format, and codes of it.
fn codes<const N: usize>() -> impl Strategy<Value = (Format, [u128; N])> {
    format().prop_flat_map(|format| {
        let codes = prop::collection::vec(code_of(format), N);
        codes.prop_map(move |codes| (format, codes.try_into().expect("there are as many")))
    })
}

const INTS: [(u32, bool); 8] = [
    (8, true),
    (8, false),
    (16, true),
    (32, true),
    (32, false),
    (64, true),
    (64, false),
    (127, true),
];

fn integer((width, signed): (u32, bool)) -> Shape {
    Shape::Int(IntInfo { width, signed })
}

const ROUNDINGS: [Rounding; 5] = [
    Rounding::Nearest,
    Rounding::Down,
    Rounding::Up,
    Rounding::Zero,
    Rounding::Away,
];

/// The functions on values of a format for which formulas have axioms, lemmas or intervals.
fn functions(format: Format) -> Vec<(FunctionOp, usize, Shape)> {
    let own = Shape::Float(format);
    let mut all = Vec::new();
    for op in [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div] {
        all.push((FunctionOp::Arithmetic(op), 2, own));
    }
    for op in [MathOp::Modulus, MathOp::Min, MathOp::Max] {
        all.push((FunctionOp::Math(op), 2, own));
    }
    all.push((FunctionOp::Math(MathOp::Sqrt), 1, own));
    all.extend(ROUNDINGS.map(|rounding| (FunctionOp::Math(MathOp::Integral(rounding)), 1, own)));
    let others = Format::ALL
        .into_iter()
        .filter(|other| *other != format)
        .map(Shape::Float);
    all.extend(others.chain(INTS.map(integer)).map(|to| (FunctionOp::Convert, 1, to)));
    all
}

/// Integer variables with values.
struct Assigned {
    pool: TermPool,
    model: Model,
}

impl Assigned {
    fn new() -> Assigned {
        Assigned {
            pool: TermPool::new(),
            model: Model::new(),
        }
    }

    fn variable(&mut self, name: &str, value: Int) -> TermId {
        let name = self.pool.symbol(name);
        let variable = self.pool.int_var(name, 0);
        self.model.set_int(Symbol { name, index: 0 }, value);
        variable
    }

    fn holds(&self, formula: TermId) -> bool {
        self.model.eval_bool(&self.pool, formula)
    }
}

/// The exact result, or any value where C leaves it undefined.
fn result(op: FunctionOp, shapes: &[Shape], to: Shape, arguments: &[Int], other: i64) -> Int {
    evaluate(op, shapes, to, arguments).unwrap_or_else(|| Int::from(other))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn axioms_hold_of_every_result((format, operands) in codes::<2>(), other in any::<i8>()) {
        for (op, count, to) in functions(format) {
            let arguments: Vec<Int> = operands[..count].iter().map(|&code| number(code)).collect();
            let shapes = vec![Shape::Float(format); count];
            let mut assigned = Assigned::new();
            let terms: Vec<TermId> = arguments.iter().enumerate()
                .map(|(i, value)| assigned.variable(&format!("x{i}"), value.clone()))
                .collect();
            let r = assigned.variable("r", result(op, &shapes, to, &arguments, other.into()));
            for axiom in axioms(&mut assigned.pool, op, format, to, &terms, r) {
                prop_assert!(assigned.holds(axiom), "{op:?} to {to:?} of {format:?} at {operands:x?}");
            }
        }
    }

    #[test]
    fn axioms_hold_of_integers_that_become_numbers(format in format(), kind in prop::sample::select(INTS.to_vec()), bits in any::<u128>()) {
        let shape = integer(kind);
        let Shape::Int(info) = shape else { unreachable!("it is an integer's") };
        let x = expr::wrap(&number(bits), info);
        let to = Shape::Float(format);
        let mut assigned = Assigned::new();
        let r = evaluate(FunctionOp::Convert, &[shape], to, std::slice::from_ref(&x)).expect("every integer has a number");
        let (x, r) = (assigned.variable("x", x), assigned.variable("r", r));
        for axiom in of_integer(&mut assigned.pool, to, x, r) {
            prop_assert!(assigned.holds(axiom), "{shape:?} to {format:?}: {bits:x}");
        }
    }

    /// Monotonicity: the fact that one point gives for an application at another one is true of the exact value there.
    #[test]
    fn monotonicity_holds_between_any_two_points((format, codes) in codes::<4>(), other in any::<i8>(), near in any::<u8>()) {
        // Points that lie next to each other show more than points far apart.
        let mut codes = codes;
        if near < 128 {
            codes[2] = (codes[0] & code::sign(format)) | ((codes[0] & code::magnitude(format)).wrapping_add(u128::from(near)) & code::magnitude(format));
        }
        for (op, count, to) in functions(format) {
            let shapes = vec![Shape::Float(format); count];
            let points = [&codes[..count], &codes[2..2 + count]]
                .map(|point| point.iter().map(|&code| number(code)).collect::<Vec<Int>>());
            let [at, here] = &points;
            let Some(value) = evaluate(op, &shapes, to, at) else { continue };
            let mut assigned = Assigned::new();
            let terms: Vec<TermId> = here.iter().enumerate()
                .map(|(i, value)| assigned.variable(&format!("x{i}"), value.clone()))
                .collect();
            let r = assigned.variable("r", result(op, &shapes, to, here, other.into()));
            for lemma in lemmas(&mut assigned.pool, &name(op, &shapes, to), r, &terms, at, &value) {
                prop_assert!(assigned.holds(lemma), "{op:?} to {to:?} of {format:?} from {at:?} at {here:?}");
            }
        }
    }

    #[test]
    fn monotonicity_holds_for_integers_that_become_numbers(format in format(), kind in prop::sample::select(INTS.to_vec()), bits in any::<[u128; 2]>(), near in any::<u8>()) {
        let shape = integer(kind);
        let Shape::Int(info) = shape else { unreachable!("it is an integer's") };
        let second = if near < 128 { bits[0].wrapping_add(near.into()) } else { bits[1] };
        let [at, here] = [bits[0], second].map(|bits| expr::wrap(&number(bits), info));
        let (op, to) = (FunctionOp::Convert, Shape::Float(format));
        let exact = |x: &Int| evaluate(op, &[shape], to, std::slice::from_ref(x)).expect("every integer has a number");
        let mut assigned = Assigned::new();
        let (x, r) = (assigned.variable("x", here.clone()), assigned.variable("r", exact(&here)));
        let value = exact(&at);
        for lemma in lemmas(&mut assigned.pool, &name(op, &[shape], to), r, &[x], std::slice::from_ref(&at), &value) {
            prop_assert!(assigned.holds(lemma), "{shape:?} to {format:?} from {at} at {here}");
        }
    }

    #[test]
    fn what_conversions_give_back_is_what_others_were_given((format, [code]) in codes::<1>(), bits in any::<u128>(), near in any::<bool>()) {
        let numbers = INTS.map(|(width, signed)| {
            let info = IntInfo { width, signed };
            let bits = if near { bits >> (128 - width.min(20)) } else { bits };
            (Shape::Int(info), expr::wrap(&number(bits), info))
        });
        let all = numbers.into_iter().chain([(Shape::Float(format), number(code))]);
        for ((shape, value), wide) in all.flat_map(|one| Format::ALL.map(|wide| (one.clone(), wide))) {
            let mut assigned = Assigned::new();
            let x = assigned.variable("x", value.clone());
            let there = evaluate(FunctionOp::Convert, &[shape], Shape::Float(wide), std::slice::from_ref(&value));
            let Some(there) = there else { continue };
            let y = assigned.variable("y", there.clone());
            for to in INTS.map(integer).into_iter().chain(Format::ALL.map(Shape::Float)) {
                let back = evaluate(FunctionOp::Convert, &[Shape::Float(wide)], to, std::slice::from_ref(&there));
                let Some(back) = back else { continue };
                let z = assigned.variable("z", back);
                let names = [name(FunctionOp::Convert, &[Shape::Float(wide)], to), name(FunctionOp::Convert, &[shape], Shape::Float(wide))];
                let back = Application { term: z, operator: &names[0], operands: &[y] };
                let there = Application { term: y, operator: &names[1], operands: &[x] };
                let fact = law(&mut assigned.pool, back, there);
                if let Some(fact) = fact {
                    prop_assert!(assigned.holds(fact), "{names:?} of {value}");
                }
            }
        }
    }

    #[test]
    fn operands_of_sums_and_products_may_be_exchanged((format, codes) in codes::<2>()) {
        let own = Shape::Float(format);
        for op in [Arithmetic::Add, Arithmetic::Mul].map(FunctionOp::Arithmetic) {
            let mut assigned = Assigned::new();
            let numbers = codes.map(number);
            let [x, y] = [("x", 0), ("y", 1)].map(|(name, i)| assigned.variable(name, numbers[i].clone()));
            let exchanged = [numbers[1].clone(), numbers[0].clone()];
            let values = [&numbers, &exchanged].map(|operands| evaluate(op, &[own; 2], own, operands).expect("all are codes"));
            let [one, other] = [("one", 0), ("other", 1)].map(|(name, i)| assigned.variable(name, values[i].clone()));
            let operator = &name(op, &[own; 2], own);
            let application = |term, operands| Application { term, operator, operands };
            let fact = law(&mut assigned.pool, application(one, &[x, y]), application(other, &[y, x]));
            // Of equal operands there is but one application.
            let fact = fact.expect("a law");
            prop_assert!(assigned.holds(fact));
        }
    }

    #[test]
    fn comparisons_are_those_of_numbers((format, [x, y]) in codes::<2>()) {
        let exact = float::compare(format, code::decode(format, x), code::decode(format, y));
        for op in [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq, BinOp::Ne] {
            for constants in [[false, false], [true, false], [false, true], [true, true]] {
                let mut assigned = Assigned::new();
                let formula = with_context(&mut assigned, |cx, assigned| {
                    let [a, b] = [("x", x, constants[0]), ("y", y, constants[1])].map(|(name, value, constant)| match constant {
                        true => cx.constant(number(value)),
                        false => assigned.input(cx, name, value, format),
                    });
                    cx.compare_floats(op, &a, &b, format)
                });
                prop_assert_eq!(assigned.holds(formula), math::holds(op, exact), "{:?} {:?} {:x} {:x} {:?}", op, format, x, y, constants);
            }
        }
    }

    /// Operations that only read or change bits are exact, and the formulas that the context adds are true.
    #[test]
    fn operations_on_bits_are_exact((format, [x, y]) in codes::<2>()) {
        let own = Shape::Float(format);
        let int = integer((32, true));
        let operations = [
            (FunctionOp::Negate, own, 1),
            (FunctionOp::Math(MathOp::Abs), own, 1),
            (FunctionOp::Math(MathOp::CopySign), own, 2),
            (FunctionOp::Math(MathOp::Min), own, 2),
            (FunctionOp::Math(MathOp::Max), own, 2),
            (FunctionOp::Math(MathOp::Sign), int, 1),
            (FunctionOp::Math(MathOp::Class), int, 1),
            (FunctionOp::Math(MathOp::Unordered), int, 2),
            (FunctionOp::Math(MathOp::Bits), integer((128, false)), 1),
        ];
        for (op, to, count) in operations {
            let exact = evaluate(op, &vec![own; count], to, &[number(x), number(y)][..count]).expect("it is defined");
            let mut assigned = Assigned::new();
            let mut required = Vec::new();
            let term = with_context(&mut assigned, |cx, assigned| {
                let operands = [("x", x), ("y", y)].map(|(name, code)| (assigned.input(cx, name, code, format), scalar_of(own)));
                let value = cx.function(op, &operands[..count], scalar_of(to));
                required.clone_from(&cx.formulas);
                value.term
            });
            let found = assigned.model.eval_int(&assigned.pool, term);
            let both_nan = matches!(op, FunctionOp::Math(MathOp::Min | MathOp::Max))
                && [x, y].iter().all(|&x| float::is_nan(format, code::decode(format, x)));
            prop_assert!(found == exact || both_nan, "{op:?} of {format:?} at {x:x} {y:x}: {found}, not {exact}");
            // The demands of the formulas on an unknown value are true of NaN.
            let name = assigned.pool.symbol("__any");
            assigned.model.set_int(Symbol { name, index: 1 }, number(code::magnitude(format)));
            for formula in required {
                prop_assert!(assigned.holds(formula), "{op:?} of {format:?}");
            }
        }
    }

    /// A pattern goes through bytes and comes back; one that stands for nothing comes back as anything.
    #[test]
    fn patterns_and_codes_are_inverse((format, [x]) in codes::<1>()) {
        let scalar = scalar_of(Shape::Float(format));
        let mut assigned = Assigned::new();
        let [pattern, back] = with_context(&mut assigned, |cx, assigned| {
            let value = assigned.input(cx, "x", x, format);
            let pattern = cx.bits_of_value(&value, scalar);
            let back = cx.value_of_bits(pattern.clone(), scalar);
            [pattern.term, back.term]
        });
        prop_assert_eq!(assigned.model.eval_int(&assigned.pool, pattern), number(code::decode(format, x)));
        prop_assert_eq!(assigned.model.eval_int(&assigned.pool, back), number(x));
    }

    /// Intervals of operands on one side of zero give intervals that hold every result.
    #[test]
    fn intervals_hold_every_result((format, ends) in codes::<4>(), at in any::<[u128; 2]>()) {
        let infinity = code::of(format, format.infinity());
        // A range of codes on one side, without NaN, and a point of it.
        let side = |a: u128, b: u128, at: u128| {
            let sign = a & code::sign(format);
            let (a, b) = ((a & code::magnitude(format)).min(infinity), (b & code::magnitude(format)).min(infinity));
            let (lo, hi) = (a.min(b), a.max(b));
            (Range::new(number(sign | lo), number(sign | hi)), sign | (lo + at % (hi - lo + 1)))
        };
        let points = [side(ends[0], ends[1], at[0]), side(ends[2], ends[3], at[1])];
        for (op, count, to) in functions(format) {
            let shapes = vec![Shape::Float(format); count];
            let ranges: Option<Vec<interval::Range>> = points[..count].iter().map(|(range, _)| interval_of(range, shapes[0])).collect();
            let ranges = ranges.expect("both lie on one side of zero");
            let Some(range) = enclose(op, &shapes, to, &ranges) else { continue };
            let arguments: Vec<Int> = points[..count].iter().map(|(_, point)| number(*point)).collect();
            let value = evaluate(op, &shapes, to, &arguments);
            let value = value.expect("a result in bounds is defined");
            match (range, to) {
                (interval::Range::Int(lo, hi), _) => {
                    prop_assert!(Int::from(lo) <= value && value <= Int::from(hi), "{op:?} {format:?} {arguments:?}");
                }
                (interval::Range::Float(lo, hi), Shape::Float(to)) => {
                    let bits = code::pattern(to, &value).expect("it is a code");
                    prop_assert!(math::holds(BinOp::Le, float::compare(to, lo, bits)), "{op:?} {format:?} {arguments:?}");
                    prop_assert!(math::holds(BinOp::Le, float::compare(to, bits, hi)), "{op:?} {format:?} {arguments:?}");
                    let (zero, down) = (float::is_zero(to, bits), float::is_negative(to, bits));
                    prop_assert!(!(zero && down) || float::is_negative(to, lo), "{op:?} {format:?} {arguments:?}");
                    prop_assert!(!zero || down || !float::is_negative(to, hi), "{op:?} {format:?} {arguments:?}");
                }
                _ => prop_assert!(false, "the range is of the result's kind"),
            }
        }
    }

    /// A corner is a point of the operation, and monotonicity from it is true as from every point; nothing panics on the way.
    #[test]
    fn corners_are_points((format, codes) in codes::<4>(), wrong in any::<u64>()) {
        let thresholds: BTreeSet<Int> = codes.iter().map(|&code| number(code & code::magnitude(format))).collect();
        for (op, count, to) in functions(format) {
            let shapes = vec![Shape::Float(format); count];
            let at: Vec<Int> = codes[..count].iter().map(|&code| number(code)).collect();
            let Some(exact) = evaluate(op, &shapes, to, &at) else { continue };
            let corner = corner(&name(op, &shapes, to), &at, &exact, &number(wrong.into()), &thresholds);
            if let Some(corner) = corner {
                prop_assert_eq!(corner.len(), count);
                for code in corner {
                    prop_assert!(code::pattern(format, &code).is_some(), "{op:?} {format:?}");
                }
            }
        }
    }
}

impl Assigned {
    /// A value of a format that is a variable in the formulas.
    fn input(&mut self, cx: &mut Context<'_, '_>, name: &str, code: u128, format: Format) -> Value {
        let range = cx.range_of(scalar_of(Shape::Float(format)));
        let name = cx.pool.symbol(name);
        self.model.set_int(Symbol { name, index: 0 }, number(code));
        Value::new(cx.pool.int_var(name, 0), range)
    }
}

fn program() -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", "int main(void) { return 0; }"), &options).expect("it is C");
    lower(unit, &LowerOptions::default()).expect("it can be lowered")
}

/// A program without operations.
static PROGRAM: LazyLock<Program> = LazyLock::new(program);

/// Runs the encoder for one step.
fn with_context<T>(assigned: &mut Assigned, f: impl FnOnce(&mut Context<'_, '_>, &mut Assigned) -> T) -> T {
    let program: &Program = &PROGRAM;
    let mut encoder = Encoder::new(program, Arith::Machine);
    let mut pool = std::mem::replace(&mut assigned.pool, TermPool::new());
    let before = encoder.empty(&pool);
    let mut cx = Context::new(&mut encoder, &mut pool, &before, Loc(0));
    let result = f(&mut cx, assigned);
    assigned.pool = pool;
    result
}

/// The scalar of a shape.
fn scalar_of(shape: Shape) -> Scalar {
    match shape {
        Shape::Int(info) => Scalar {
            class: Class::Int,
            width: info.width,
            signed: info.signed,
            size: u64::from(info.width.div_ceil(8)),
        },
        Shape::Float(format) => Scalar {
            class: Class::Float,
            width: match format {
                Format::Extended => 79,
                format => format.width(),
            },
            signed: false,
            size: match format {
                Format::Extended => 16,
                format => u64::from(format.width() / 8),
            },
        },
    }
}
