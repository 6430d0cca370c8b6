//! Structures, unions, bit-fields, and their bytes.

use super::super::expression::{INTS, Int};
use super::super::program::Builder;
use std::fmt::Write;

const UCHAR: Int = INTS[3];

/// A structure type: its tag, and its integer members with their types.
struct Record {
    tag: String,
    members: Vec<(String, Int)>,
}

impl Builder<'_> {
    /// Declares a structure of integers, perhaps with an array at the end, whose elements are members too.
    fn record(&mut self) -> Record {
        let tag = self.global_name("S");
        let mut text = String::new();
        let mut members = Vec::new();
        for i in 0..2 + self.choices.below(3) {
            let ty = self.int_type();
            write!(text, "{} m{i}; ", ty.name).unwrap();
            members.push((format!("m{i}"), ty));
        }
        if self.choices.chance(40) {
            let ty = self.int_type();
            write!(text, "{} d[4]; ", ty.name).unwrap();
            members.push(("d[# & 3]".to_string(), ty));
        }
        writeln!(self.head, "struct {tag} {{ {text}}};").unwrap();
        Record { tag, members }
    }

    fn expose(&mut self, object: &str, members: &[(String, Int)]) {
        for (member, ty) in members {
            self.add_place(format!("{object}{member}"), *ty, true);
        }
    }

    fn initial(&mut self, count: usize) -> String {
        let values: Vec<String> = (0..count).map(|_| self.expr(1)).collect();
        values.join(", ")
    }
}

pub fn structure(b: &mut Builder<'_>) {
    let record = b.record();
    let (s, t, p) = (b.name("s"), b.name("s"), b.name("p"));
    let first = b.initial(2);
    let value = b.expr(1);
    b.line(&format!("struct {} {s} = {{{first}}};", record.tag));
    b.line(&format!("struct {} {t} = {{.m1 = {value}}};", record.tag));
    b.line(&format!("struct {} *{p} = &{s};", record.tag));
    let cond = b.expr(1);
    match b.choices.below(3) {
        0 => b.line(&format!("if ({cond}) {t} = {s};")),
        1 => b.line(&format!("if ({cond}) {p} = &{t};")),
        _ => b.line(&format!("*{p} = ({cond}) ? {s} : {t};")),
    }
    b.expose(&format!("{s}."), &record.members);
    b.expose(&format!("{t}."), &record.members);
    let member = &record.members[0];
    b.add_place(format!("{p}->{}", member.0), member.1, true);
}

pub fn bit_fields(b: &mut Builder<'_>) {
    let tag = b.global_name("B");
    let mut text = String::new();
    let mut names = Vec::new();
    for i in 0..2 + b.choices.below(4) {
        let (name, most, signed) = [
            ("unsigned int", 31, false),
            ("int", 31, true),
            ("signed char", 7, true),
            ("unsigned short", 15, false),
            ("unsigned long", 40, false),
            ("_Bool", 1, false),
        ][b.choices.below(6)];
        let width = 1 + b.choices.below(most);
        write!(text, "{name} b{i} : {width}; ").unwrap();
        if b.choices.chance(15) {
            text.push_str("int : 0; ");
        }
        // Its type only matters for promotions: what is narrower than `int` becomes `int`.
        let ty = match (width, signed) {
            (32.., _) => continue,
            (_, true) => INTS[0],
            (31, false) => INTS[0],
            _ => INTS[5],
        };
        names.push((format!("b{i}"), Int { width: 16, ..ty }));
    }
    writeln!(b.head, "struct {tag} {{ {text}}};").unwrap();
    let s = b.name("bf");
    if b.choices.chance(40) {
        b.line(&format!("struct {tag} {s}; memset(&{s}, 0, sizeof {s});"));
    } else {
        let value = b.expr(1);
        b.line(&format!("struct {tag} {s} = {{{value}}};"));
    }
    if b.choices.chance(30) {
        let byte = b.small(255);
        // A byte other than 0 or 1 would be no value of `_Bool`.
        if !text.contains("_Bool") {
            b.line(&format!("memset(&{s}, {byte}, sizeof {s});"));
        }
    }
    for (name, ty) in names {
        b.add_place(format!("{s}.{name}"), ty, false);
    }
    if b.choices.chance(40) {
        let (a, p) = (b.name("ba"), b.name("bp"));
        let index = b.small(1);
        b.line(&format!("struct {tag} {a}[2] = {{{s}, {s}}}, *{p} = &{a}[{index}];"));
        let value = b.expr(1);
        b.line(&format!("{p}->b0 = {value}; {p}->b1 ^= {a}[0].b0;"));
        b.declare(INTS[7], &format!("(long){a}[1].b0 * 3 + (long)({a}[0].b1)"));
    }
}

pub fn union(b: &mut Builder<'_>) {
    let tag = b.global_name("U");
    writeln!(
        b.head,
        "union {tag} {{ unsigned long l; int i; short h[4]; unsigned char c[8]; struct {{ signed char x; short y; }} s; }};"
    )
    .unwrap();
    let u = b.name("u");
    let value = b.expr(1);
    b.line(&format!("union {tag} {u} = {{.l = (unsigned long)({value})}};"));
    if b.choices.chance(50) {
        let v = b.name("u");
        b.line(&format!("union {tag} {v} = {u};"));
        let value = b.expr(1);
        b.line(&format!("{v}.s.y = {value}; {u}.h[1] = {v}.h[1];"));
    }
    b.add_place(format!("{u}.l"), INTS[8], true);
    b.add_place(format!("{u}.i"), INTS[0], true);
    b.add_place(format!("{u}.h[# & 3]"), INTS[5], true);
    b.add_place(format!("{u}.c[# & 7]"), UCHAR, true);
}

pub fn nested_union(b: &mut Builder<'_>) {
    let tag = b.global_name("V");
    writeln!(
        b.head,
        "struct {tag} {{ int kind; union {{ long n; struct {{ int a, b; }}; unsigned char raw[8]; }}; short end; }};"
    )
    .unwrap();
    let s = b.name("s");
    let (kind, value) = (b.small(1), b.expr(1));
    b.line(&format!(
        "struct {tag} {s} = {{.kind = {kind}, .n = {value}, .end = 3}};"
    ));
    b.line(&format!("if ({s}.kind) {s}.a = {s}.b; else {s}.raw[3] ^= 0x80;"));
    b.add_place(format!("{s}.n"), INTS[7], true);
    b.add_place(format!("{s}.b"), INTS[0], true);
    b.add_place(format!("{s}.raw[# & 7]"), UCHAR, true);
}

pub fn bytes(b: &mut Builder<'_>) {
    let Some(target) = b.target().filter(|t| t.ty.width >= 16) else {
        return;
    };
    let p = b.name("by");
    let most = target.ty.width / 8 - 1;
    let kind = b.choices.pick(&["unsigned char", "signed char", "char"]);
    b.line(&format!("{kind} *{p} = ({kind} *)&{};", target.text));
    let (at, value) = (b.small(most), b.expr(1));
    match b.choices.below(3) {
        0 => b.line(&format!("{p}[{at}] = {value};")),
        1 => b.line(&format!("{p} += {at}; *{p} ^= ({value}) & 0x7f; {p} -= {at};")),
        _ => b.line(&format!(
            "for (int i = 0; i <= {most}; i++) {p}[i] = ({kind})({p}[{most} - i] + 1);"
        )),
    }
    b.add_place(format!("{p}[# & {most}]"), UCHAR, false);
}

pub fn array_of_structs(b: &mut Builder<'_>) {
    let record = b.record();
    let (a, p) = (b.name("as"), b.name("p"));
    let (value, at) = (b.expr(1), b.choices.below(3));
    b.line(&format!("struct {} {a}[3] = {{[{at}] = {{{value}}}}};", record.tag));
    b.line(&format!(
        "for (struct {} *{p} = {a}; {p} != {a} + 3; ++{p}) {{",
        record.tag
    ));
    let value = b.expr(1);
    b.line(&format!("  {p}->m0 = ({value}); {p}->m1 = {p}->m0;"));
    b.line(&format!("  if ({p} - {a} == 1) {p}[1] = {p}[-1];"));
    b.line("}");
    for (member, ty) in &record.members {
        b.add_place(format!("{a}[(unsigned)(#) % 3].{member}"), *ty, true);
    }
}

/// The kernel's idiom: a pointer to the first member stands for the whole object.
pub fn header_copy(b: &mut Builder<'_>) {
    let (head, whole, f) = (b.global_name("H"), b.global_name("M"), b.global_name("init"));
    let (ty, tail) = (b.int_type(), b.plain_type());
    writeln!(b.head, "struct {head} {{ {} t; }};", ty.name).unwrap();
    writeln!(
        b.head,
        "struct {whole} {{ struct {head} h; {} d[3]; unsigned char e; }};",
        tail.name
    )
    .unwrap();
    let copies = b.choices.chance(50);
    if copies {
        writeln!(
            b.head,
            "static void {f}(struct {head} *to, const struct {head} *from) {{ memcpy(to, from, sizeof(struct {whole})); }}"
        )
    } else {
        writeln!(b.head, "static void {f}(struct {head} *to) {{ memset(to, 0, sizeof(struct {whole})); }}")
    }
    .unwrap();
    let (x, y) = (b.name("x"), b.name("y"));
    let (first, second) = (b.expr(1), b.expr(1));
    let heap = b.choices.chance(40);
    b.line(&format!("struct {whole} {y} = {{{{1}}, {{{first}, {second}}}, 8}};"));
    if heap {
        b.line(&format!(
            "struct {whole} *{x} = malloc(sizeof *{x}); *{x} = {y}; {x}->e = 9;"
        ));
    } else {
        b.line(&format!(
            "struct {whole} {x}s = {{{{2}}, {{2, 3, 4}}, 5}}, *{x} = &{x}s;"
        ));
    }
    let cond = b.expr(1);
    if copies {
        b.line(&format!("if ({cond}) {f}(&{x}->h, (struct {head} *)&{y});"));
    } else {
        b.line(&format!("if ({cond}) {f}((struct {head} *){x});"));
    }
    b.add_place(format!("{x}->h.t"), ty, true);
    b.add_place(format!("{x}->d[(unsigned)(#) % 3]"), tail, true);
    b.add_place(format!("{x}->e"), UCHAR, true);
}

pub fn partial_fill(b: &mut Builder<'_>) {
    let Some(target) = b.target().filter(|t| t.ty.width >= 16) else {
        return;
    };
    let most = target.ty.width / 8;
    let byte = b.small(255);
    let length = match b.choices.chance(40) {
        true => b.small(if most >= 8 { 7 } else { most - 1 }),
        false => (1 + b.choices.below(most as usize)).to_string(),
    };
    b.line(&format!("memset(&{}, {byte}, {length});", target.text));
}

pub fn partial_copy(b: &mut Builder<'_>) {
    let record = b.record();
    let (s, t) = (b.name("s"), b.name("s"));
    let (first, second) = (b.expr(1), b.expr(1));
    // All bytes have values, padding too, and no copy may make a `_Bool` of two halves: its only byte is one or the other.
    b.line(&format!(
        "struct {0} {s}, {t}; memset(&{s}, 0, sizeof {s}); memset(&{t}, 1, sizeof {t});",
        record.tag
    ));
    b.line(&format!("{s}.m0 = ({first}); {t}.m1 = ({second});"));
    let length = match b.choices.below(3) {
        0 => "sizeof({s})".replace("{s}", &s),
        1 => (1 + b.choices.below(3)).to_string(),
        _ => format!("1 + {}", b.small(3)),
    };
    let function = b.choices.pick(&["memcpy", "memmove", "__builtin_memcpy"]);
    b.line(&format!("{function}(&{s}, &{t}, {length});"));
    b.expose(&format!("{s}."), &record.members);
}

pub fn container_of(b: &mut Builder<'_>) {
    let record = b.record();
    let (outer, s, p, q) = (b.global_name("O"), b.name("o"), b.name("ip"), b.name("op"));
    writeln!(
        b.head,
        "struct {outer} {{ long before; struct {} in; int after; }};",
        record.tag
    )
    .unwrap();
    let (first, second) = (b.expr(1), b.expr(1));
    b.line(&format!(
        "struct {outer} {s} = {{.before = {first}, .after = {second}}};"
    ));
    b.line(&format!("struct {} *{p} = &{s}.in;", record.tag));
    b.line(&format!(
        "struct {outer} *{q} = (struct {outer} *)((char *){p} - offsetof(struct {outer}, in));"
    ));
    let value = b.expr(1);
    b.line(&format!("{q}->after = {value}; {p}->m1 = {q}->before;"));
    b.add_place(format!("{q}->before"), INTS[7], true);
    b.add_place(format!("{s}.after"), INTS[0], true);
    b.expose(&format!("{s}.in."), &record.members);
}

/// The members of one type, walked by a pointer to the bytes of the whole.
pub fn member_walk(b: &mut Builder<'_>) {
    let tag = b.global_name("W");
    writeln!(b.head, "struct {tag} {{ int a, b, c; }};").unwrap();
    let (t, q) = (b.name("t"), b.name("q"));
    let value = b.expr(1);
    b.line(&format!("struct {tag} {t}[2] = {{{{1, 2, 3}}, {{4, 5, {value}}}}};"));
    b.line(&format!(
        "for (int *{q} = (int *){t}; {q} < (int *)({t} + 2); {q}++) *{q} ^= 7;"
    ));
    b.add_place(format!("{t}[# & 1].b"), INTS[0], true);
    b.add_place(format!("{t}[# & 1].c"), INTS[0], true);
}

pub fn compound_literal(b: &mut Builder<'_>) {
    let record = b.record();
    let p = b.name("p");
    let (first, second) = (b.expr(1), b.expr(1));
    b.line(&format!(
        "struct {0} *{p} = &(struct {0}){{.m1 = {first}, .m0 = {second}}};",
        record.tag
    ));
    b.expose(&format!("{p}->"), &record.members);
    let value = b.expr(1);
    let at = b.small(3);
    b.declare(INTS[0], &format!("((int[]){{1, 2, (int)({value}), 4}})[{at}]"));
}

pub fn overlapping_move(b: &mut Builder<'_>) {
    let ty = b.plain_type();
    let a = b.name("mv");
    let value = b.expr(1);
    b.line(&format!("{} {a}[6] = {{1, 2, 3, {value}, 5, 6}};", ty.name));
    let (to, from) = (b.choices.below(3), b.choices.below(3));
    let length = b.small(3);
    let size = if b.choices.chance(70) {
        "sizeof({a}[0]) * ".replace("{a}", &a)
    } else {
        String::new()
    };
    b.line(&format!("memmove({a} + {to}, {a} + {from}, {size}({length}));"));
    b.add_place(format!("{a}[(unsigned)(#) % 6]"), ty, true);
}
