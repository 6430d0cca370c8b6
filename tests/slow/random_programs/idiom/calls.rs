//! Functions: recursion, tables, variable arguments, static locals, variable-length arrays, values of structures.

use super::super::expression::INTS;
use super::super::program::Builder;
use std::fmt::Write;

pub fn recursion(b: &mut Builder<'_>) {
    let f = b.global_name("r");
    let text = match b.choices.below(4) {
        0 => "static unsigned {f}(unsigned a, unsigned b) { return b ? {f}(b, a % b) : a; }".to_string(),
        1 => "static unsigned {f}(unsigned a, unsigned b) { return a < 2 ? b + a : {f}(a - 1, b) + {f}(a - 2, 1); }".to_string(),
        2 => "static unsigned {f}b(unsigned, unsigned);\nstatic unsigned {f}(unsigned a, unsigned b) { return a ? {f}b(a - 1, b ^ a) : b; }\n\
              static unsigned {f}b(unsigned a, unsigned b) { return a ? {f}(a / 2, b + 3) : ~b; }"
            .to_string(),
        _ => "static unsigned {f}(unsigned a, unsigned b) { unsigned here[2] = {a, b}; if (a == 0) return b; \
              unsigned deep = {f}(a - 1, here[1] + 1); return deep * 2 + here[0]; }"
            .to_string(),
    };
    writeln!(b.head, "{}", text.replace("{f}", &f)).unwrap();
    let (x, y) = (b.small(7), b.small(63));
    b.declare(INTS[1], &format!("{f}({x}, {y})"));
}

pub fn function_table(b: &mut Builder<'_>) {
    let f = b.global_name("op");
    writeln!(
        b.head,
        "static int {f}a(int x, int y) {{ return (x & 0xffff) + (y & 0xff); }}\n\
         static int {f}b(int x, int y) {{ return (x ^ y) & 0xfff; }}\n\
         static int {f}c(int x, int y) {{ return x < y; }}\n\
         struct {f}s {{ const char *name; int (*run)(int, int); }};\n\
         static const struct {f}s {f}t[3] = {{{{\"a\", {f}a}}, {{\"b\", {f}b}}, {{.run = {f}c}}}};"
    )
    .unwrap();
    let (at, x, y) = (b.small(3), b.expr(1), b.expr(1));
    b.declare(INTS[0], &format!("{f}t[{at} % 3].run((int)({x}), (int)({y}))"));
    if b.choices.chance(40) {
        let (p, cond, x) = (b.name("fp"), b.expr(1), b.expr(1));
        b.line(&format!("int (*{p})(int, int) = ({cond}) ? {f}a : &{f}c;"));
        b.declare(INTS[0], &format!("(*{p})(3, (int)({x}))"));
    }
}

pub fn hooks(b: &mut Builder<'_>) {
    let f = b.global_name("hk");
    writeln!(
        b.head,
        "struct {f} {{ void *(*get)(size_t); void (*put)(void *); void *(*copy)(void *, const void *, size_t); size_t (*len)(const char *); }};\n\
         static struct {f} {f}s = {{malloc, free, memcpy, strlen}};"
    )
    .unwrap();
    let (p, value) = (b.name("hp"), b.expr(1));
    let local = b.declare(INTS[0], &format!("(int)({value})"));
    b.line(&format!("int *{p} = {f}s.get(sizeof *{p});"));
    b.line(&format!("{f}s.copy({p}, &{local}, sizeof {local});"));
    b.declare(INTS[0], &format!("(*{p} & 0xffff) + (int){f}s.len(\"four\")"));
    b.line(&format!("{f}s.put({p});"));
}

pub fn varargs(b: &mut Builder<'_>) {
    let f = b.global_name("va");
    writeln!(
        b.head,
        "static unsigned long {f}(const char *kinds, ...) {{\n  va_list ap; unsigned long sum = 0;\n  va_start(ap, kinds);\n  \
         for (; *kinds; kinds++)\n    switch (*kinds) {{\n    case 'i': sum = sum * 3 + (unsigned long)va_arg(ap, int); break;\n    \
         case 'l': sum = sum * 5 + (unsigned long)va_arg(ap, long); break;\n    case 'd': sum += (unsigned long)va_arg(ap, double); break;\n    \
         default: {{ int *p = va_arg(ap, int *); sum += (unsigned long)*p; *p = 7; }} }}\n  va_end(ap);\n  return sum;\n}}"
    )
    .unwrap();
    let (i, l, d, e) = (b.expr(1), b.expr(1), b.small(63), b.expr(1));
    let target = b.declare(INTS[0], &e);
    b.declare(
        INTS[8],
        &format!("{f}(\"ilpd\", (int)({i}), (long)({l}), &{target}, {d} + 0.5)"),
    );
}

pub fn varargs_passed_on(b: &mut Builder<'_>) {
    let f = b.global_name("vp");
    writeln!(
        b.head,
        "static int {f}v(int n, va_list ap) {{ int max = -1000; while (n-- > 0) {{ int x = va_arg(ap, int); if (x > max) max = x; }} return max; }}\n\
         static int {f}(int n, ...) {{ va_list ap, copy; va_start(ap, n); va_copy(copy, ap); int first = va_arg(copy, int); va_end(copy);\n  \
         int r = {f}v(n, ap); va_end(ap); return r ^ (first & 1); }}"
    )
    .unwrap();
    let count = 1 + b.choices.below(3);
    let args: Vec<String> = (0..count).map(|_| format!("(int)({})", b.expr(1))).collect();
    b.declare(INTS[0], &format!("{f}({count}, {})", args.join(", ")));
}

pub fn static_local(b: &mut Builder<'_>) {
    let f = b.global_name("sl");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "static {0} {f}(int by) {{ static {0} count = 5; static unsigned char seen[4]; seen[by & 3]++; count = ({0})(count ^ ({0})(by + seen[by & 3])); return count; }}",
        ty.name
    )
    .unwrap();
    let (x, y) = (b.small(15), b.small(3));
    b.declare(ty, &format!("{f}({x})"));
    b.declare(ty, &format!("{f}({y})"));
}

pub fn vla(b: &mut Builder<'_>) {
    let f = b.global_name("vl");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "static unsigned long {f}(int n, int m) {{\n  {0} a[n][m]; unsigned long sum = sizeof a;\n  \
         for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = ({0})(i * 10 + j);\n  \
         {0} (*row)[m] = a; row += n - 1; sum = sum * 100 + (unsigned long)(*row)[m - 1];\n  return sum * 100 + sizeof *row;\n}}",
        ty.name
    )
    .unwrap();
    let (n, m) = (b.small(1), b.small(3));
    b.declare(INTS[8], &format!("{f}({n} + 1, {m} + 1)"));
    let (a, size, value) = (b.name("vla"), b.small(3), b.expr(1));
    let length = b.declare(INTS[0], &format!("{size} + 1"));
    b.line(&format!(
        "char {a}[{length}]; memset({a}, (int)(({value}) & 0x7f), sizeof {a}); {length} = {length} * 2;"
    ));
    b.declare(
        INTS[8],
        &format!("sizeof {a} * 200 + (unsigned long){a}[sizeof {a} - 1]"),
    );
}

pub fn struct_by_value(b: &mut Builder<'_>) {
    let f = b.global_name("sv");
    let (one, two) = (b.int_type(), b.plain_type());
    writeln!(
        b.head,
        "struct {f}s {{ {} a; {} b[2]; }};\nstatic struct {f}s {f}(struct {f}s s, int k) {{ s.b[k & 1] = s.b[~k & 1]; if (k > 2) s.a = 1; return s; }}",
        one.name, two.name
    )
    .unwrap();
    let (s, x, y, k) = (b.name("s"), b.expr(1), b.expr(1), b.small(3));
    b.line(&format!("struct {f}s {s} = {{{x}, {{3, {y}}}}};"));
    b.line(&format!("{s} = {f}({s}, {k});"));
    b.declare(two, &format!("{f}({s}, 1).b[1]"));
    b.add_place(format!("{s}.a"), one, true);
    b.add_place(format!("{s}.b[# & 1]"), two, true);
}

pub fn cleanup(b: &mut Builder<'_>) {
    let f = b.global_name("cl");
    writeln!(
        b.head,
        "static int {f}n = 1;\nstatic void {f}(int *p) {{ {f}n = ({f}n * 3 + *p) & 0xffff; }}"
    )
    .unwrap();
    let (x, cond) = (b.small(255), b.expr(1));
    let (i, c) = (b.name("i"), b.name("c"));
    b.line(&format!("for (int {i} = 0; {i} < 3; {i}++) {{"));
    b.line(&format!("  int {c} __attribute__((cleanup({f}))) = {x} + {i};"));
    let way = b.choices.pick(&["break", "continue"]);
    b.line(&format!("  if ({i} == 1 && ({cond})) {way};"));
    b.line(&format!("  {c} += 10;"));
    b.line("}");
    b.add_place(format!("{f}n"), INTS[0], true);
}

pub fn overflow_builtins(b: &mut Builder<'_>) {
    let ty = b.plain_type();
    let (x, y) = (b.expr(1), b.expr(1));
    let r = b.declare(ty, "0");
    let op = b.choices.pick(&["add", "sub", "mul"]);
    b.declare(INTS[0], &format!("__builtin_{op}_overflow({x}, {y}, &{r})"));
}
