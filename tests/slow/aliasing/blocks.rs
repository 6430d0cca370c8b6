//! Random fills and copies: of parts of objects, behind headers, of computed lengths, over bit-fields, unions and new objects.
//!
//! The contents of the objects are computed byte by byte next to the program, by a model that knows nothing of C but where the members lie.

use std::fmt::Write;

/// The bytes of every object.
const SIZE: usize = 24;

/// A member: what is written behind the object, its first bit and its bits, whether it is signed.
type Member = (&'static str, usize, usize, bool);

pub const DECLARATIONS: &str = "
struct head { int t; short k; };
struct msg { struct head h; short d[3]; uint x : 5; int y : 11; int z; uchar c[4]; };
struct wide { long l; struct { short p, q; } e[2]; uchar r[8]; };
union mix { int i[6]; struct head h; uchar b[24]; long l; };
struct msg m, n, *o;
struct wide w;
union mix u;
int a[6];
uchar b[24];
static void fill_any(void *p, int c, ulong k) { memset(p, c, k); }
static void fill_head(struct head *p, int c, ulong k) { memset(p, c, k); }
static void fill_int(int *p, int c, ulong k) { memset(p, c, k); }
static void fill_bytes(uchar *p, int c, ulong k) { memset(p, c, k); }
static void copy_any(void *p, const void *q, ulong k) { memmove(p, q, k); }
static void copy_head(struct head *p, struct head *q, ulong k) { memcpy(p, q, k); }
static void copy_bytes(char *p, char *q, ulong k) { memcpy(p, q, k); }
";

const MESSAGE: &[Member] = &[
    (".h.t", 0, 32, true),
    (".h.k", 32, 16, true),
    (".d[0]", 64, 16, true),
    (".d[2]", 96, 16, true),
    (".x", 112, 5, false),
    (".y", 117, 11, true),
    (".z", 128, 32, true),
    (".c[0]", 160, 8, false),
    (".c[3]", 184, 8, false),
];

/// The objects: how they are written, their members.
const OBJECTS: &[(&str, &[Member])] = &[
    ("m", MESSAGE),
    ("n", MESSAGE),
    ("(*o)", MESSAGE),
    (
        "w",
        &[
            (".l", 0, 64, true),
            (".e[0].p", 64, 16, true),
            (".e[1].p", 96, 16, true),
            (".e[1].q", 112, 16, true),
            (".r[0]", 128, 8, false),
            (".r[7]", 184, 8, false),
        ],
    ),
    (
        "u",
        &[
            (".i[0]", 0, 32, true),
            (".h.k", 32, 16, true),
            (".b[9]", 72, 8, false),
            (".i[5]", 160, 32, true),
            (".l", 0, 64, true),
        ],
    ),
    (
        "a",
        &[("[0]", 0, 32, true), ("[2]", 64, 32, true), ("[5]", 160, 32, true)],
    ),
    (
        "b",
        &[("[0]", 0, 8, false), ("[7]", 56, 8, false), ("[23]", 184, 8, false)],
    ),
];

struct Choices<'a>(std::slice::Iter<'a, u16>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A length as it is written.
fn length(choices: &mut Choices<'_>, bytes: usize) -> String {
    match choices.below(3) {
        0 => format!("{bytes} + zero"),
        _ => bytes.to_string(),
    }
}

/// The bits of a member.
fn bits(bytes: &[u8], first: usize, count: usize) -> u64 {
    (0..count).fold(0, |value, i| {
        let at = first + i;
        value | u64::from(bytes[at / 8] >> (at % 8) & 1) << i
    })
}

fn set_bits(bytes: &mut [u8], first: usize, count: usize, value: u64) {
    for i in 0..count {
        let at = first + i;
        bytes[at / 8] &= !(1 << (at % 8));
        bytes[at / 8] |= u8::try_from(value >> i & 1).expect("a bit") << (at % 8);
    }
}

fn constant(value: u64, count: usize, signed: bool) -> String {
    let shift = 64 - count;
    match (signed, count) {
        (true, 64) => format!("(long)0x{value:x}ul"),
        (true, _) => ((value << shift).cast_signed() >> shift).to_string(),
        (false, _) => format!("{value}u"),
    }
}

/// A program that checks what some member holds in the end.
pub fn generate(choices: &[u16]) -> String {
    let mut choices = Choices(choices.iter());
    let mut memory = vec![[0u8; SIZE]; OBJECTS.len()];
    let mut text = DECLARATIONS.to_owned();
    text += "int main(void) {\n  int zero = __VERIFIER_nondet_int(); if (zero != 0) return 0;\n";
    text += "  o = malloc(24); if (!o) abort(); memset(o, 0, 24);\n";
    for _ in 0..2 + choices.below(5) {
        let at = choices.below(OBJECTS.len());
        let (object, members) = OBJECTS[at];
        let from = choices.below(SIZE);
        let first = if choices.one_in(2) { 0 } else { from };
        let count = match choices.below(3) {
            0 => SIZE - first,
            _ => 1 + choices.below(SIZE - first),
        };
        let pointer = |object: &str, first: usize, ty: &str| match first {
            0 => format!("({ty} *)&{object}"),
            _ => format!("({ty} *)((char *)&{object} + {first})"),
        };
        let line = match choices.below(3) {
            0 => {
                let (member, bit, width, signed) = members[choices.below(members.len())];
                let value = u64::from(*choices.0.next().unwrap_or(&0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let value = if width == 64 { value } else { value & ((1 << width) - 1) };
                set_bits(&mut memory[at], bit, width, value);
                format!("{object}{member} = {};", constant(value, width, signed))
            }
            1 => {
                let byte = [0u8, 0x5a, 0xff, 0x81][choices.below(4)];
                memory[at][first..first + count].fill(byte);
                let length = length(&mut choices, count);
                let (function, ty) = match choices.below(5) {
                    0 => ("memset", "void"),
                    1 => ("fill_any", "void"),
                    2 if first.is_multiple_of(4) => ("fill_head", "struct head"),
                    3 if first.is_multiple_of(4) => ("fill_int", "int"),
                    _ => ("fill_bytes", "uchar"),
                };
                format!("{function}({}, {byte}, {length});", pointer(object, first, ty))
            }
            _ => {
                let mut other = choices.below(OBJECTS.len());
                if other == at {
                    other = (other + 1) % OBJECTS.len();
                }
                let begin = if choices.one_in(2) {
                    first
                } else {
                    choices.below(SIZE - count + 1)
                };
                let bytes: Vec<u8> = memory[other][begin..begin + count].to_vec();
                memory[at][first..first + count].copy_from_slice(&bytes);
                let length = length(&mut choices, count);
                let (function, ty) = match choices.below(4) {
                    0 => ("memcpy", "void"),
                    1 => ("copy_any", "void"),
                    2 if first.is_multiple_of(4) && begin.is_multiple_of(4) => ("copy_head", "struct head"),
                    _ => ("copy_bytes", "char"),
                };
                let (to, from) = (pointer(object, first, ty), pointer(OBJECTS[other].0, begin, ty));
                format!("{function}({to}, {from}, {length});")
            }
        };
        writeln!(text, "  {line}").expect("writing to a string");
    }
    let at = choices.below(OBJECTS.len());
    let (object, members) = OBJECTS[at];
    let (member, bit, width, signed) = members[choices.below(members.len())];
    let value = constant(bits(&memory[at], bit, width), width, signed);
    writeln!(text, "  check({object}{member} == {value});\n  return 0;\n}}").expect("writing to a string");
    text
}
