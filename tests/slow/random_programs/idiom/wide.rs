//! Numbers of more than 64 bits: `long double`, binary128 and integers of 128 bits in records, arrays, unions, functions and memory.

use super::super::expression::{INTS, Int};
use super::super::program::Builder;
use std::fmt::Write;

const SIGNED: Int = INTS[12];
const UNSIGNED: Int = INTS[13];

/// A type with the bytes that its values have.
struct Kind {
    name: &'static str,
    bytes: usize,
    int: Option<Int>,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "long double",
        bytes: 10,
        int: None,
    },
    Kind {
        name: "__float128",
        bytes: 16,
        int: None,
    },
    Kind {
        name: "__int128",
        bytes: 16,
        int: Some(SIGNED),
    },
    Kind {
        name: "unsigned __int128",
        bytes: 16,
        int: Some(UNSIGNED),
    },
];

/// A function on values of a type, without undefined results.
fn step(b: &mut Builder<'_>, kind: &Kind) -> String {
    let texts = match kind.int {
        None => [
            "x / 3 + n",
            "n > 2 ? x * 1.5L : -x",
            "(x + n) * (x - n)",
            "x > 1e20L ? x / 1e20L : x * 1e10L + 0.1L",
        ],
        Some(ty) if ty.signed => [
            "(__int128)((unsigned __int128)x * 0x9e3779b97f4a7c15ul + n)",
            "x / (n * 2 + 3) - n",
            "(x >> 65) ^ ((__int128)n << 70) ^ x",
            "x % 1000000007 * 1000003 + ~(x & 0xff)",
        ],
        Some(_) => [
            "x * x + n",
            "(x << 67 | x >> 61) + n",
            "(unsigned long)x * (unsigned __int128)(unsigned long)(x >> 64) % 0xffffffffffffffc5ul",
            "-x / (n + 1)",
        ],
    };
    b.choices.pick(&texts).to_string()
}

/// Integers that tell what a number is.
fn observe(b: &mut Builder<'_>, kind: &Kind, text: &str) {
    match kind.int {
        Some(ty) => {
            b.declare(
                INTS[8],
                &format!("(unsigned long)({text} >> 64) ^ (unsigned long){text}"),
            );
            b.add_place(text.to_string(), ty, true);
        }
        None => {
            b.declare(
                INTS[0],
                &format!("({text} < 0) + 2 * ({text} == {text}) + 4 * ({text} >= 77) + 8 * !{text}"),
            );
            b.declare(
                SIGNED,
                &format!("({text} > -1e35L && {text} < 1e35L) ? (__int128)({text} * 16) : -7"),
            );
        }
    }
}

/// Two such types in a structure, an array of it and a union; a function of one of them.
pub fn wide(b: &mut Builder<'_>) {
    let tag = b.global_name("WD");
    let (one, two) = (&KINDS[b.choices.below(4)], &KINDS[b.choices.below(4)]);
    let body = step(b, one);
    writeln!(
        b.head,
        "struct {tag} {{ char c; {0} x; {1} y; short tail; }};\nunion {tag}u {{ {0} x; unsigned long w[2]; unsigned char b[16]; }};\n\
         static {0} {tag}step({0} x, unsigned n) {{ return {body}; }}\n\
         static struct {tag} {tag}make({0} x, int n) {{ struct {tag} r = {{.x = {tag}step(x, n), .tail = n}}; r.y = ({1})n / 2; return r; }}\n\
         static void {tag}swap({0} *a, {0} *b) {{ {0} t = *a; *a = *b; *b = t; }}",
        one.name, two.name
    )
    .unwrap();
    let (s, x, n, m) = (b.name("wd"), b.expr(1), b.small(255), b.small(7));
    b.line(&format!(
        "struct {tag} {s}[2] = {{{{.y = {m}}}, {tag}make(({})(long)({x}), {n})}};",
        one.name
    ));
    match b.choices.below(6) {
        0 => b.line(&format!("{s}[0] = {s}[1]; {s}[0].x = {tag}step({s}[0].x, {m});")),
        1 => b.line(&format!(
            "memcpy(&{s}[0].x, &{s}[1].x, sizeof {s}[0].x); {tag}swap(&{s}[0].x, &{s}[1].x);"
        )),
        2 => b.line(&format!(
            "for (int i = 0; i < 4; i++) {s}[1].x = {tag}step({s}[1].x, i + {m});"
        )),
        3 => b.line(&format!("{tag}swap(&{s}[0].x, &{s}[1].x); {s}[{m} & 1].x += {n};")),
        4 => b.line(&format!(
            "{s}[0].y = {s}[0].x < {s}[1].x ? {s}[1].y + 1 : {s}[0].y - 1;"
        )),
        _ => b.line(&format!("if ({s}[1].x > {n}) {s}[0] = {tag}make({s}[1].x, {m});")),
    }
    observe(b, one, &format!("{s}[0].x"));
    observe(b, two, &format!("{s}[1].y"));
    if b.choices.chance(60) {
        let (u, v) = (b.name("wu"), b.name("wv"));
        b.line(&format!("union {tag}u {u} = {{.w = {{0, 0}}}}; {u}.x = {s}[1].x;"));
        b.line(&format!("{} {v} = {u}.x;", one.name));
        // The bytes of a NaN are not fixed by the language.
        let (sum, same) = (b.declare(INTS[8], "0"), format!("{v} == {v}"));
        b.line(&format!(
            "if ({same}) for (int i = 0; i < {}; i++) {sum} = {sum} * 31 + {u}.b[i];",
            one.bytes
        ));
        b.line(&format!("if ({same}) {u}.b[{}] ^= 1;", b_index(one, &m)));
        observe(b, one, &format!("{u}.x"));
    }
}

/// The index of a low byte of a number, which is not that of its exponent.
fn b_index(kind: &Kind, index: &str) -> String {
    match kind.int {
        Some(_) => format!("{index} + 4"),
        None => format!("{index} & 3"),
    }
}
