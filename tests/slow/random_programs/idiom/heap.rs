//! Objects of the heap: lists, trees, arrays that grow.

use super::super::expression::INTS;
use super::super::program::Builder;
use std::fmt::Write;

pub fn list(b: &mut Builder<'_>) {
    let tag = b.global_name("N");
    let ty = b.plain_type();
    writeln!(b.head, "struct {tag} {{ {} v; struct {tag} *next; }};", ty.name).unwrap();
    let (head, i, p) = (b.name("head"), b.name("i"), b.name("n"));
    let count = 1 + b.choices.below(4);
    let value = b.expr(1);
    b.line(&format!("struct {tag} *{head} = 0;"));
    b.line(&format!("for (int {i} = 0; {i} < {count}; {i}++) {{"));
    b.line(&format!("  struct {tag} *{p} = malloc(sizeof *{p});"));
    b.line(&format!(
        "  {p}->v = {i} ^ ({value}); {p}->next = {head}; {head} = {p};"
    ));
    b.line("}");
    if b.choices.chance(50) {
        let (r, t) = (b.name("rev"), b.name("tmp"));
        b.line(&format!("struct {tag} *{r} = 0;"));
        b.line(&format!(
            "while ({head}) {{ struct {tag} *{t} = {head}->next; {head}->next = {r}; {r} = {head}; {head} = {t}; }}"
        ));
        b.line(&format!("{head} = {r};"));
    }
    let sum = b.declare(INTS[8], "0");
    b.line(&format!(
        "for (struct {tag} *{p} = {head}; {p}; {p} = {p}->next) {sum} = {sum} * 3 + (unsigned long){p}->v;"
    ));
    if b.choices.chance(40) {
        b.line(&format!(
            "while ({head}) {{ struct {tag} *{p} = {head}; {head} = {p}->next; free({p}); }}"
        ));
    } else {
        b.add_place(format!("{head}->v"), ty, true);
    }
}

pub fn circular_list(b: &mut Builder<'_>) {
    let tag = b.global_name("L");
    writeln!(b.head, "struct {tag} {{ struct {tag} *next, *prev; int v; }};").unwrap();
    writeln!(
        b.head,
        "static void {tag}add(struct {tag} *n, struct {tag} *h) {{ n->next = h->next; n->prev = h; h->next->prev = n; h->next = n; }}"
    )
    .unwrap();
    let (h, a) = (b.name("lh"), b.name("ln"));
    let (one, two) = (b.expr(1), b.expr(1));
    b.line(&format!(
        "struct {tag} {h} = {{&{h}, &{h}, 0}}, {a}[2] = {{{{0, 0, {one}}}, {{.v = {two}}}}};"
    ));
    b.line(&format!("{tag}add(&{a}[0], &{h}); {tag}add(&{a}[1], &{h});"));
    let cond = b.expr(1);
    b.line(&format!(
        "if ({cond}) {{ {a}[0].next->prev = {a}[0].prev; {a}[0].prev->next = {a}[0].next; }}"
    ));
    let sum = b.declare(INTS[1], "0");
    let p = b.name("lp");
    b.line(&format!(
        "for (struct {tag} *{p} = {h}.next; {p} != &{h}; {p} = {p}->next) {sum} = {sum} * 5u + (unsigned){p}->v;"
    ));
    b.add_place(format!("{h}.prev->v"), INTS[0], true);
}

pub fn grow(b: &mut Builder<'_>) {
    let ty = b.plain_type();
    let (p, i) = (b.name("gr"), b.name("i"));
    let value = b.expr(1);
    let (first, second) = (1 + b.choices.below(3), 2 + b.choices.below(4));
    b.line(&format!("{0} *{p} = malloc({first} * sizeof({0}));", ty.name));
    b.line(&format!(
        "for (int {i} = 0; {i} < {first}; {i}++) {p}[{i}] = {i} + (int)(({value}) & 0xff);"
    ));
    b.line(&format!("{p} = realloc({p}, {second} * sizeof *{p});"));
    b.line(&format!(
        "for (int {i} = {first}; {i} < {second}; {i}++) {p}[{i}] = {p}[{i} - 1] ^ 3;"
    ));
    b.add_place(format!("{p}[(unsigned)(#) % {second}]"), ty, true);
    if b.choices.chance(30) {
        b.line(&format!("{p} = realloc({p}, 64 * sizeof *{p});"));
        b.line(&format!("{p}[63] = {p}[{second} - 1];"));
        b.add_place(format!("{p}[63]"), ty, true);
    }
}

pub fn tree(b: &mut Builder<'_>) {
    let tag = b.global_name("T");
    writeln!(b.head, "struct {tag} {{ int key; struct {tag} *kid[2]; }};").unwrap();
    writeln!(
        b.head,
        "static struct {tag} *{tag}put(struct {tag} *t, int key) {{\n  if (!t) {{ t = calloc(1, sizeof *t); t->key = key; return t; }}\n  \
         if (key != t->key) t->kid[key > t->key] = {tag}put(t->kid[key > t->key], key);\n  return t;\n}}\n\
         static int {tag}sum(const struct {tag} *t, int d) {{ return t ? t->key % 97 * d + {tag}sum(t->kid[0], d + 1) + {tag}sum(t->kid[1], d + 1) : 0; }}"
    )
    .unwrap();
    let root = b.name("root");
    b.line(&format!("struct {tag} *{root} = 0;"));
    for _ in 0..1 + b.choices.below(4) {
        let key = b.small(15);
        b.line(&format!("{root} = {tag}put({root}, {key});"));
    }
    b.declare(INTS[0], &format!("{tag}sum({root}, 1)"));
    b.add_place(format!("{root}->key"), INTS[0], true);
}

pub fn heap_struct(b: &mut Builder<'_>) {
    let tag = b.global_name("F");
    let ty = b.plain_type();
    writeln!(b.head, "struct {tag} {{ unsigned n; {} tail[]; }};", ty.name).unwrap();
    let (p, i) = (b.name("fl"), b.name("i"));
    let value = b.expr(1);
    b.line(&format!(
        "struct {tag} *{p} = calloc(1, sizeof *{p} + 3 * sizeof {p}->tail[0]);"
    ));
    b.line(&format!("{p}->n = 3;"));
    b.line(&format!(
        "for (unsigned {i} = 0; {i} < {p}->n; {i}++) {p}->tail[{i}] = ({value}) & (7 << {i});"
    ));
    if b.choices.chance(40) {
        let q = b.name("fl");
        b.line(&format!(
            "struct {tag} *{q} = malloc(sizeof *{q} + 3 * sizeof {q}->tail[0]);"
        ));
        b.line(&format!("memcpy({q}, {p}, sizeof *{q} + 3 * sizeof {q}->tail[0]); {q}->tail[1] = {q}->tail[2]; free({p}); {p} = {q};"));
    }
    b.add_place(format!("{p}->tail[(unsigned)(#) % 3]"), ty, true);
    b.add_place(format!("{p}->n"), INTS[1], false);
}

pub fn pointer_array(b: &mut Builder<'_>) {
    let targets: Vec<_> = (0..3).filter_map(|_| b.target()).collect();
    let Some(first) = targets.first() else { return };
    let ty = first.ty;
    let all: Vec<String> = targets
        .iter()
        .filter(|t| t.ty == ty)
        .map(|t| format!("&{}", t.text))
        .collect();
    let (a, n) = (b.name("pa"), all.len());
    b.line(&format!("{} *{a}[{n}] = {{{}}};", ty.name, all.join(", ")));
    let (at, value) = (b.small(3), b.expr(1));
    b.line(&format!("*{a}[{at} % {n}] = {value};"));
    b.add_place(format!("*{a}[(unsigned)(#) % {n}]"), ty, false);
}
