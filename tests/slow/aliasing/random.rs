//! Random ways to reach the same bytes twice.

use std::fmt::Write;

/// The bytes of each object.
const SIZE: usize = 48;

type Member = (&'static str, usize, usize);

/// Types of objects with some of their scalars: what is written behind the object, bytes from its start, size.
const LAYOUTS: &[(&str, &[Member])] = &[
    (
        "struct A",
        &[
            (".x[0]", 0, 4),
            (".x[1]", 4, 4),
            (".s", 8, 2),
            (".t", 10, 2),
            (".k", 12, 4),
            (".l", 16, 8),
            (".c[0]", 24, 1),
            (".c[5]", 29, 1),
            (".e[0].p", 32, 4),
            (".e[1].p", 40, 4),
            (".e[1].q", 44, 2),
            (".e[1].r", 46, 2),
        ],
    ),
    (
        "struct B",
        &[
            (".i.u", 0, 4),
            (".i.w", 6, 2),
            (".j[0].u", 8, 4),
            (".j[1].v", 20, 2),
            (".j[1].w", 22, 2),
            (".m", 24, 8),
            (".n.u", 32, 4),
            (".n.w", 38, 2),
            (".z[0]", 40, 4),
            (".z[1]", 44, 4),
        ],
    ),
    (
        "struct D",
        &[
            (".u[0].whole", 0, 8),
            (".u[1].half[1]", 12, 4),
            (".u[0].quarter.q", 4, 2),
            (".raw[4]", 20, 1),
            (".raw[11]", 27, 1),
            (".f", 40, 4),
            (".g", 44, 4),
        ],
    ),
    ("I", &[("[0]", 0, 4), ("[3]", 12, 4), ("[7]", 28, 4), ("[11]", 44, 4)]),
    ("L", &[("[0]", 0, 8), ("[2]", 16, 8), ("[5]", 40, 8)]),
    (
        "C",
        &[
            ("[0]", 0, 1),
            ("[9]", 9, 1),
            ("[17]", 17, 1),
            ("[33]", 33, 1),
            ("[47]", 47, 1),
        ],
    ),
];

/// How a pointer is stored, and the value that comes back. `{p}` is the pointer, `{n}` a number of its own.
const WAYS: &[(&str, &str)] = &[
    ("keep.any = {p};", "keep.any"),
    ("keep.a = (struct A *){p};", "keep.a"),
    ("keep.num = (long){p};", "(void *)keep.num"),
    ("keep.bytes[1] = (char *){p};", "keep.bytes[1]"),
    ("keep.u.p = {p};", "keep.u.b"),
    ("keep.u.n = (unsigned long){p};", "keep.u.p"),
    ("anys[1] = {p};", "anys[one]"),
    ("longs[2] = (long){p};", "(void *)longs[one + 1]"),
    ("as[1] = (struct A *){p};", "as[one]"),
    ("void *v{n} = {p};", "v{n}"),
    ("long v{n} = (long){p} + 8;", "(void *)(v{n} - 8)"),
    ("struct B *v{n} = (struct B *){p};", "v{n}"),
    ("struct A *v{n} = as_a((struct B *){p});", "v{n}"),
    ("char *v{n} = (char *){p} + 4;", "(v{n} - 4)"),
    ("int *v{n} = (int *){p};", "v{n}"),
    ("put(&keep.any, {p});", "keep.any"),
    ("put((void **)&keep.a, {p});", "keep.a"),
    ("put_b((struct B **)&keep.any, (struct B *){p});", "keep.any"),
    ("struct B *v{n}; put((void **)&v{n}, {p});", "v{n}"),
    ("char *v{n}; put_b((struct B **)&v{n}, (struct B *){p});", "v{n}"),
    (
        "struct A *v{n}; void *w{n} = &v{n}; *(char **)w{n} = (char *){p};",
        "v{n}",
    ),
    (
        "void *v{n}[2]; struct D **w{n} = (struct D **)v{n}; w{n}[one] = (struct D *){p};",
        "v{n}[1]",
    ),
    ("void *v{n} = pack({p}).p;", "v{n}"),
    ("void *v{n} = deep(2, {p});", "v{n}"),
    ("void *v{n} = id({p});", "v{n}"),
    ("keep.any = {p}; other = keep;", "other.any"),
    (
        "keep.a = (struct A *){p}; memcpy(&other, &keep, sizeof keep);",
        "other.a",
    ),
    (
        "void *v{n} = {p}; memcpy(keep.raw, &v{n}, 8); struct D *w{n}; memcpy(&w{n}, keep.raw, 8);",
        "w{n}",
    ),
    (
        "struct A *v{n} = (struct A *){p}; struct B *w{n}; for (int i = 0; i < 8; i++) ((char *)&w{n})[i] = ((char *)&v{n})[i];",
        "w{n}",
    ),
    (
        "keep.halves[0] = (unsigned int)(unsigned long){p}; keep.halves[1] = (unsigned int)((unsigned long){p} >> 32);",
        "(void *)((unsigned long)keep.halves[1] << 32 | keep.halves[0])",
    ),
    (
        "unsigned long v{n} = (unsigned long){p} ^ (unsigned long)&other;",
        "(void *)(v{n} ^ (unsigned long)&other)",
    ),
    ("void *(*v{n})(void *) = one ? id : 0;", "v{n}({p})"),
    (
        "struct D *(*v{n})(struct B *) = (struct D *(*)(struct B *))id;",
        "v{n}((struct B *){p})",
    ),
    ("void *v{n} = one ? {p} : (void *)&other;", "v{n}"),
    ("struct D *v{n} = (struct D *){p}; keep.dd = &v{n};", "*keep.dd"),
    ("void **v{n} = malloc(8); if (!v{n}) abort(); *v{n} = {p};", "*v{n}"),
    (
        "struct keep *v{n} = malloc(sizeof *v{n}); if (!v{n}) abort(); v{n}->a = (struct A *){p};",
        "v{n}->a",
    ),
    (
        "keep.u.p = {p}; other.u.q[0] = keep.u.q[0]; other.u.q[1] = keep.u.q[1]; other.u.q[2] = keep.u.q[2]; other.u.q[3] = keep.u.q[3];",
        "other.u.b",
    ),
];

/// How a pointer is moved by some bytes.
const MOVES: &[&str] = &[
    "(char *)({e}) + {d}",
    "(void *)((unsigned long)({e}) + {d})",
    "(void *)((long)({e}) + {d})",
    "(char *)({e}) + {d} * one",
    "(void *)((char *)({e}) - -({d}))",
];

const SCALARS: &[(usize, [&str; 2])] = &[
    (1, ["char", "unsigned char"]),
    (2, ["short", "unsigned short"]),
    (4, ["int", "unsigned int"]),
    (8, ["long", "unsigned long"]),
];

/// A sequence of choices, so that a failure shrinks to a short one.
struct Choices<'c>(std::slice::Iter<'c, u16>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % limit
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A program that writes some bytes of an object through a pointer that went a long way, and checks a scalar of the object that they are part of.
pub fn generate(choices: &[u16]) -> String {
    let mut choices = Choices(choices.iter());
    let (ty, members) = choices.of(LAYOUTS);
    let (place, object) = choices.of(&[
        ("static {ty} o;", "o"),
        ("{ty} o;", "o"),
        ("{ty} *o = malloc(sizeof *o); if (!o) abort();", "(*o)"),
        ("static {ty} o[3];", "o[1]"),
        ("static struct around { long before; {ty} o; short after; } o;", "o.o"),
    ]);
    let mut text = String::from("int main(void) {\n");
    let one = choices.of(&["1", "__VERIFIER_nondet_int()"]);
    let _ = writeln!(text, "  int one = {one};\n  if (one != 1) one = 1;");
    let _ = writeln!(text, "  {}\n  memset(&{object}, 0, {SIZE});", place.replace("{ty}", ty));
    let (read, offset, size) = choices.of(members);
    let mut pointer = format!("&{object}");
    let mut at = 0;
    if choices.below(2) == 1 {
        let (start, offset, _) = choices.of(members);
        (pointer, at) = (format!("&{object}{start}"), offset);
    }
    for n in 0..=choices.below(3) {
        let (store, fetch) = choices.of(WAYS);
        let fill = |form: &str| {
            form.replace("{p}", &format!("({pointer})"))
                .replace("{n}", &n.to_string())
        };
        let _ = writeln!(text, "  {}", fill(store));
        pointer = fill(fetch);
        if choices.below(5) < 2 {
            let to = choices.of(&[0, 4, 8, 12, 16, 24, 32, 40, offset]);
            let form = choices.of(MOVES).replace("{e}", &pointer);
            pointer = format!("({})", form.replace("{d}", &format!("({})", distance(at, to))));
            at = to;
        }
    }
    let value = 1 + choices.below(100);
    let (from, count) = write(&mut choices, &mut text, (&pointer, at), (offset, size), value);
    let mut bytes = [0u8; SIZE];
    bytes[from..from + count].copy_from_slice(&value.to_le_bytes()[..count]);
    let mut seen = [0u8; 8];
    seen[..size].copy_from_slice(&bytes[offset..offset + size]);
    // The scalars that are read are signed.
    let unused = 64 - 8 * u32::try_from(size).expect("at most eight");
    let expected = (i64::from_le_bytes(seen) << unused) >> unused;
    let _ = writeln!(text, "  check({object}{read} == {expected}L);\n  return 0;\n}}");
    text
}

fn distance(from: usize, to: usize) -> i64 {
    let number = |n: usize| i64::try_from(n).expect("small");
    number(to) - number(from)
}

/// Writes a value to bytes that a scalar shares; says which.
fn write(
    choices: &mut Choices<'_>,
    text: &mut String,
    (pointer, at): (&str, usize),
    (offset, size): (usize, usize),
    value: usize,
) -> (usize, usize) {
    let kind = choices.below(5);
    if kind == 0 {
        let (ty, members) = choices.of(LAYOUTS);
        let shared = members.iter().filter(|m| m.1 < offset + size && offset < m.1 + m.2);
        let shared: Vec<Member> = shared.copied().collect();
        if !shared.is_empty() {
            let (member, from, count) = choices.of(&shared);
            let _ = writeln!(text, "  (*({ty} *)((char *)({pointer}) - {at})){member} = {value};");
            return (from, count);
        }
    }
    let (count, types) = choices.of(SCALARS);
    let from = if count >= size {
        offset / count * count
    } else {
        offset + count * choices.below(size / count)
    };
    let ty = choices.of(&types);
    let target = format!("((char *)({pointer}) + ({}))", distance(at, from));
    let statement = match kind {
        1 => format!("{ty} cell = {value}; memcpy({target}, &cell, {count});"),
        2 if count == 4 => format!("set_int((int *){target}, {value});"),
        _ => format!("*({ty} *){target} = {value};"),
    };
    let _ = writeln!(text, "  {statement}");
    (from, count)
}
