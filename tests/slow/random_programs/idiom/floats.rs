//! Floating-point numbers, which are observed through comparisons, conversions and bits.

use super::super::expression::INTS;
use super::super::program::Builder;

pub fn floats(b: &mut Builder<'_>) {
    let name = b
        .choices
        .pick(&["double", "float", "long double", "_Float16", "__float128"]);
    let (x, y) = (b.name("x"), b.name("y"));
    let (i, j) = (b.small(1023), b.small(255));
    b.line(&format!("{name} {x} = {i} / ({name})3, {y} = {j} - 100.25f;"));
    let line = match b.choices.below(6) {
        0 => format!("{x} = {x} * {y} + 0.1;"),
        1 => format!("for (int i = 0; i < 5; i++) {x} = ({x} + {y} / {x}) / 2;"),
        2 => format!("{y} = {x} / ({y} - {y}); {x} = -{y};"),
        3 => format!("{x} += 1e300; {x} -= {y}; {y} = {x} * {x};"),
        4 => format!("{x} = (float){x}; {y} = (int){y};"),
        _ => format!("{x} = {x} > {y} ? {x} - {y} : {y};"),
    };
    b.line(&line);
    b.declare(
        INTS[0],
        &format!("({x} < {y}) + 2 * ({x} == {x}) + 4 * ({y} >= 0) + 8 * !{y}"),
    );
    b.declare(INTS[7], &format!("({x} > -1e15 && {x} < 1e15) ? (long)({x} * 8) : -7"));
    if name == "double" && b.choices.chance(50) {
        let bits = b.name("bits");
        b.line(&format!("unsigned long {bits}; memcpy(&{bits}, &{y}, sizeof {bits});"));
        // The bits of a NaN are not fixed by the language.
        b.declare(INTS[8], &format!("{y} == {y} ? {bits} : 0"));
    }
}
