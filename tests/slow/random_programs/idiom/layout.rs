//! Layouts: packed and aligned structures, members of anonymous ones, offsets, numbers from bytes, tables of constants.

use super::super::expression::INTS;
use super::super::program::Builder;
use std::fmt::Write;

/// A packed structure, or one with aligned members, whose size and bytes count.
pub fn packed(b: &mut Builder<'_>) {
    let tag = b.global_name("PK");
    let (one, two, three) = (b.int_type(), b.plain_type(), b.int_type());
    let attribute = b.choices.pick(&["packed", "packed, aligned(4)", "aligned(16)"]);
    writeln!(
        b.head,
        "struct __attribute__(({attribute})) {tag} {{ {} a; {} b; {} c[2]; }};",
        one.name, two.name, three.name
    )
    .unwrap();
    let (s, x, y, value) = (b.name("pk"), b.expr(1), b.expr(1), b.expr(1));
    b.line(&format!(
        "struct {tag} {s}[2] = {{{{{x}, {y}}}, {{.c = {{1, {value}}}}}}};"
    ));
    b.line(&format!("{s}[0].c[1] = {s}[1].c[0]; {s}[1].b ^= {s}[0].b;"));
    b.declare(
        INTS[8],
        &format!("sizeof {s} * 100 + offsetof(struct {tag}, b) * 10 + offsetof(struct {tag}, c)"),
    );
    if b.choices.chance(50) {
        // The bytes of `a` and `b` have no padding inside.
        let (sum, p) = (b.declare(INTS[1], "0"), b.name("pb"));
        b.line(&format!(
            "for (unsigned char *{p} = (unsigned char *)&{s}[1].b; {p} < (unsigned char *)(&{s}[1].b + 1); {p}++) {sum} = {sum} * 7 + *{p};"
        ));
    }
    for (member, ty) in [("a", one), ("b", two), ("c[# & 1]", three)] {
        b.add_place(format!("{s}[# & 1].{member}"), ty, false);
    }
}

/// Anonymous structures and unions inside of others: the same bytes under several names.
pub fn anonymous(b: &mut Builder<'_>) {
    let tag = b.global_name("AN");
    let wide = b.plain_type();
    writeln!(
        b.head,
        "struct {tag} {{ int kind; union {{ struct {{ unsigned char low, high; short rest; }}; {} whole; unsigned short half[2]; }}; char tail; }};\n\
         static struct {tag} {tag}make(int kind, long v) {{ struct {tag} r = {{.kind = kind}}; r.tail = (char)(kind & 3); \
         if (kind & 1) r.whole = v; else {{ r.whole = 0; r.half[1] = (unsigned short)v; }} return r; }}",
        wide.name
    )
    .unwrap();
    let (s, kind, value, byte) = (b.name("an"), b.small(3), b.expr(1), b.small(255));
    b.line(&format!("struct {tag} {s} = {tag}make({kind}, (long)({value}));"));
    match b.choices.below(3) {
        0 => b.line(&format!("{s}.high = {byte};")),
        1 => b.line(&format!("{s}.half[0] += {byte}; {s}.rest--;")),
        _ => b.line(&format!("{s} = {tag}make({s}.low & 1, {s}.whole);")),
    }
    b.add_place(format!("{s}.low"), INTS[3], true);
    b.add_place(format!("{s}.rest"), INTS[5], true);
    b.add_place(format!("{s}.half[# & 1]"), INTS[6], true);
    b.add_place(format!("{s}.whole"), wide, true);
}

/// Numbers to bytes and back, as drivers and formats do.
pub fn byte_order(b: &mut Builder<'_>) {
    let f = b.global_name("bo");
    writeln!(
        b.head,
        "static void {f}put(unsigned char *p, unsigned v, int big) {{ for (int i = 0; i < 4; i++) p[big ? 3 - i : i] = (unsigned char)(v >> 8 * i); }}\n\
         static unsigned {f}get(const void *at, int big) {{ const unsigned char *p = at; \
         return big ? (unsigned)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3] : p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24; }}"
    )
    .unwrap();
    let (p, x, big, at) = (b.name("by"), b.expr(1), b.small(1), b.small(3));
    let from = [1, 2, 4][b.choices.below(3)];
    b.line(&format!(
        "unsigned char {p}[8] = {{1, 2, 3, 4, 5, 6, 7, 8}}; {f}put({p} + {at}, (unsigned)({x}), {big});"
    ));
    b.declare(INTS[1], &format!("{f}get({p} + {from}, {big})"));
    if b.choices.chance(50) {
        let word = b.declare(INTS[8], "0");
        let count = 1 + b.choices.below(8);
        b.line(&format!("memcpy(&{word}, {p}, {count});"));
    }
    b.add_place(format!("{p}[# & 7]"), INTS[3], true);
}

/// A table of structures with pointers to other objects of file scope.
pub fn linked_table(b: &mut Builder<'_>) {
    let tag = b.global_name("LT");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "static {0} {tag}v[4] = {{3, 1, 4, 1}};\nstruct {tag} {{ const char *name; {0} *at; const struct {tag} *up; }};\n\
         static const struct {tag} {tag}t[3] = {{{{\"zero\", {tag}v, 0}}, {{\"one\", &{tag}v[2], &{tag}t[0]}}, {{.up = {tag}t + 1, .at = {tag}v + 3}}}};\n\
         static const struct {tag} *{tag}find(const char *name) {{ for (unsigned i = 0; i < sizeof {tag}t / sizeof *{tag}t; i++) \
         if ({tag}t[i].name && !strcmp({tag}t[i].name, name)) return &{tag}t[i]; return &{tag}t[2]; }}",
        ty.name
    )
    .unwrap();
    let (p, x, cond) = (b.name("lt"), b.expr(1), b.expr(1));
    b.line(&format!(
        "const struct {tag} *{p} = {tag}find(({cond}) ? \"one\" : \"two\");"
    ));
    b.line(&format!("*{p}->at = {x}; if ({p}->up) *{p}->up->at ^= 5;"));
    b.declare(INTS[0], &format!("(int)({p} - {tag}t) * 10 + (int)({p}->at - {tag}v)"));
    b.add_place(format!("{tag}v[# & 3]"), ty, true);
}

/// A ring of elements: its ends wrap in few bits.
pub fn ring(b: &mut Builder<'_>) {
    let tag = b.global_name("RG");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "struct {tag} {{ unsigned head : 2, tail : 2; unsigned char full; {0} slot[4]; }};\n\
         static int {tag}push(struct {tag} *r, {0} v) {{ if (r->full) return 0; r->slot[r->tail++] = v; r->full = r->tail == r->head; return 1; }}\n\
         static {0} {tag}pop(struct {tag} *r) {{ if (r->head == r->tail && !r->full) return 77; r->full = 0; return r->slot[r->head++]; }}",
        ty.name
    )
    .unwrap();
    let (r, i, n, x) = (b.name("rg"), b.name("i"), b.small(7), b.expr(1));
    let first = b.choices.below(4);
    b.line(&format!("struct {tag} {r} = {{.head = {first}, .tail = {first}}};"));
    let pushed = b.declare(INTS[0], "0");
    b.line(&format!(
        "for (int {i} = 0; {i} < {n}; {i}++) {{ {pushed} += {tag}push(&{r}, {i} ^ ({x})); if ({i} == 2) {pushed} += ({tag}pop(&{r}) == 77) * 100; }}"
    ));
    b.declare(ty, &format!("{tag}pop(&{r})"));
    b.declare(INTS[0], &format!("{r}.head * 10 + {r}.tail"));
    b.add_place(format!("{r}.slot[# & 3]"), ty, true);
}

/// A hash table with chains in an array of nodes.
pub fn hash_table(b: &mut Builder<'_>) {
    let tag = b.global_name("HT");
    writeln!(
        b.head,
        "struct {tag} {{ unsigned key; int value; struct {tag} *next; }};\nstatic struct {tag} {tag}n[6], *{tag}b[4]; static int {tag}c;\n\
         static int *{tag}at(unsigned key) {{ struct {tag} **p = &{tag}b[key % 4]; for (; *p; p = &(*p)->next) if ((*p)->key == key) return &(*p)->value; \
         if ({tag}c == 6) return 0; *p = &{tag}n[{tag}c++]; (*p)->key = key; return &(*p)->value; }}\n\
         static void {tag}del(unsigned key) {{ for (struct {tag} **p = &{tag}b[key % 4]; *p; p = &(*p)->next) if ((*p)->key == key) {{ *p = (*p)->next; return; }} }}"
    )
    .unwrap();
    for _ in 0..2 + b.choices.below(3) {
        let (key, value) = (b.small(7), b.small(255));
        b.line(&format!("*{tag}at((unsigned){key}) += {value};"));
    }
    let key = b.small(7);
    b.line(&format!("{tag}del((unsigned){key});"));
    let key = b.small(3);
    b.declare(INTS[0], &format!("*{tag}at((unsigned){key}) + 1000 * {tag}c"));
}
