//! Operations and relations of numbers, compared with their definitions.

use super::*;
use crate::proof::Part;
use crate::solver::{Answer, Config, Solver};

const ALL: [Operation; 8] = [
    Operation::Mul,
    Operation::Div,
    Operation::Rem,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Shl,
    Operation::Shr,
];

/// The value of an operation on numbers of a type of four bits, by the definition; `None` if the machine leaves it open.
fn expected(operation: Operation, signed: bool, a: i64, b: i64) -> Option<i64> {
    let wrapped = |n: i64| if signed && n & 8 != 0 { (n & 15) - 16 } else { n & 15 };
    let is_distance = (0..4).contains(&b);
    let exact = match operation {
        Operation::Mul => a * b,
        Operation::Div | Operation::Rem if b == 0 || (signed && (a, b) == (-8, -1)) && operation == Operation::Div => {
            return None;
        }
        Operation::Div => a / b,
        Operation::Rem => a % b,
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::Shl if is_distance => a << b,
        Operation::Shr if is_distance => a >> b,
        Operation::Shl | Operation::Shr => return None,
    };
    Some(wrapped(exact))
}

/// The answer for `low <= a, b <= high` and some formulas, with the values of the variables.
fn answer(pool: &mut TermPool, formulas: &[TermId], meaning: Meaning) -> Option<Vec<i64>> {
    let blast = blast(pool, formulas, 40, usize::MAX, &|name| (name == "f").then_some(meaning)).expect("only integers");
    assert!(blast.is_bounded);
    let mut solver = Solver::new(Config::default());
    for &constraint in &blast.constraints {
        solver.assert(pool, constraint, Part(0));
    }
    (solver.check(pool, &[]) == Answer::Sat).then(|| {
        let model = solver.model(pool);
        let values = blast.values(pool, &model);
        values.into_iter().map(|(_, value)| value.to_i64().unwrap()).collect()
    })
}

/// Asks for each result of operations on all numbers of the types of four bits. The operands are terms of two variables that have these numbers; `operand` also gets the least number of the type.
fn check_values(operations: &[Operation], operand: impl Fn(&mut TermPool, TermId, i64) -> TermId) {
    let typed = |&operation| [(operation, false), (operation, true)];
    for (operation, signed) in operations.iter().flat_map(typed) {
        let meaning = Meaning {
            operation,
            width: 4,
            signed,
        };
        let (least, most) = if signed { (-8, 7) } else { (0, 15) };
        for (a, b) in (least..=most).flat_map(|a| (least..=most).map(move |b| (a, b))) {
            let mut pool = TermPool::new();
            let [x, y, f] = ["x", "y", "f"].map(|name| pool.symbol(name));
            let (x, y) = (pool.int_var(x, 0), pool.int_var(y, 0));
            let operands = [x, y].map(|variable| operand(&mut pool, variable, least));
            let value = pool.app(f, 0, &operands);
            let (left, right) = (pool.int(a), pool.int(b));
            let (left, right) = (pool.eq(x, left), pool.eq(y, right));
            for candidate in least..=most {
                let number = pool.int(candidate);
                let is = pool.eq(value, number);
                let found = answer(&mut pool, &[left, right, is], meaning);
                let wanted = expected(operation, signed, a, b).is_none_or(|expected| expected == candidate);
                assert_eq!(
                    found,
                    wanted.then(|| vec![a, b]),
                    "{operation:?} {signed} {a} {b} {candidate}"
                );
            }
        }
    }
}

#[test]
fn every_operation_has_its_value() {
    check_values(&ALL, |_, variable, _| variable);
}

#[test]
fn sums_quotients_and_orders_are_those_of_integers() {
    let meaning = Meaning {
        operation: Operation::Xor,
        width: 4,
        signed: true,
    };
    let mut pool = TermPool::new();
    let name = pool.symbol("x");
    let x = pool.int_var(name, 0);
    for value in -9..=9i64 {
        let number = pool.int(value);
        let is = pool.eq(x, number);
        for (factor, constant, divisor) in [(3, -5, 1), (-6, 7, 2), (-1, 0, 8), (5, 2, 3), (-7, 1, 5)] {
            let sum = pool.linear(&[(Int::from(factor), x)], Int::from(constant));
            let quotient = if divisor == 1 {
                sum
            } else {
                pool.div_floor(sum, &Int::from(divisor))
            };
            let wanted = (factor * value + constant).div_euclid(divisor);
            for other in wanted - 1..=wanted + 1 {
                let other_term = pool.int(other);
                let (eq, le) = (pool.eq(quotient, other_term), pool.le(quotient, other_term));
                assert_eq!(answer(&mut pool, &[is, eq], meaning).is_some(), wanted == other);
                assert_eq!(answer(&mut pool, &[is, le], meaning).is_some(), wanted <= other);
            }
        }
    }
}

#[test]
fn swapping_by_xor_is_seen_at_once() {
    let meaning = Meaning {
        operation: Operation::Xor,
        width: 32,
        signed: false,
    };
    let mut pool = TermPool::new();
    let [a, b, f] = ["a", "b", "f"].map(|name| pool.symbol(name));
    let (a, b) = (pool.int_var(a, 0), pool.int_var(b, 0));
    let (zero, most) = (pool.int(0), pool.int(u32::MAX));
    let x = pool.app(f, 0, &[a, b]);
    let y = pool.app(f, 0, &[x, b]);
    let mut formulas = vec![pool.ne(y, a)];
    // Without a meaning, the function's value has no bounds.
    for (known, is_bounded) in [(Some(meaning), true), (None, false)] {
        let blast = blast(&mut pool, &formulas, 40, usize::MAX, &|_| known).unwrap();
        assert_eq!(blast.is_bounded, is_bounded);
    }
    for variable in [a, b] {
        formulas.extend([pool.ge(variable, zero), pool.le(variable, most)]);
    }
    assert_eq!(answer(&mut pool, &formulas, meaning), None);
}

#[test]
fn operands_that_have_more_bits_than_their_values_need_are_divided() {
    check_values(&[Operation::Div, Operation::Rem], |pool, variable, least| {
        let shifted = pool.linear(&[(Int::from(1), variable)], Int::from(-least));
        let zero = pool.div_floor(shifted, &Int::from(16));
        pool.linear(&[(Int::from(1), variable), (Int::from(64), zero)], Int::ZERO)
    });
}

/// Memory of four bytes that holds a number, of which a byte is set to 0 and which is copied to elsewhere: read back, the number is a multiple of 256.
#[test]
fn updates_are_followed_to_where_they_are_read() {
    let mut pool = TermPool::new();
    let name = pool.symbol("m");
    let at = |index| Symbol { name, index };
    let int = |pool: &mut TermPool, value: i64| pool.int(value);
    let q = pool.symbol("q");
    let q = pool.int_var(q, 0);
    let mut formulas = Vec::new();
    let mut read = |pool: &mut TermPool, f: u32, first: i64| {
        let mut bytes = Vec::new();
        for i in 0..4u32 {
            let x = pool.int(first + i64::from(i));
            let byte = pool.app(name, f, &[x]);
            let (zero, most) = (pool.int(0i64), pool.int(255i64));
            formulas.extend([pool.ge(byte, zero), pool.le(byte, most)]);
            bytes.push((Int::pow2(8 * i), byte));
        }
        pool.linear(&bytes, Int::ZERO)
    };
    let (before, after) = (read(&mut pool, 0, 100), read(&mut pool, 2, 200));
    let [lo, hi, zero] = [100, 101, 0].map(|value| int(&mut pool, value));
    let cleared = pool.update(at(1), at(0), lo, hi, crate::term::UpdateSource::Const(zero));
    let [lo, hi, shift] = [200, 204, -100].map(|value| int(&mut pool, value));
    let source = crate::term::UpdateSource::Copy { from: at(1), shift };
    let copied = pool.update(at(2), at(1), lo, hi, source);
    let rest = pool.div_floor(q, &Int::from(256));
    let multiple = pool.scale(&Int::from(256), rest);
    formulas.extend([cleared, copied, pool.eq(before, q)]);
    let (as_computed, other) = (pool.eq(after, multiple), pool.ne(after, multiple));
    for (wanted, is_possible) in [(as_computed, true), (other, false)] {
        let all = [&formulas[..], &[wanted]].concat();
        let blast = blast(&mut pool, &all, 40, usize::MAX, &|_| None).expect("only integers");
        assert!(blast.is_bounded);
        let mut solver = Solver::new(Config::default());
        for &constraint in &blast.constraints {
            solver.assert(&mut pool, constraint, Part(0));
        }
        assert_eq!(solver.check(&mut pool, &[]) == Answer::Sat, is_possible);
    }
}
