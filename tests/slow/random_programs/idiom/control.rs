//! Ways of control: computed jumps, switches into loops, jumps out of calls, machines with states, loops whose bounds are values.

use super::super::expression::INTS;
use super::super::program::Builder;
use std::fmt::Write;

/// An interpreter of few instructions, by labels as values or by `switch`.
pub fn interpreter(b: &mut Builder<'_>) {
    let f = b.global_name("in");
    let body = if b.choices.chance(50) {
        "static void *const go[4] = {&&end, &&add, &&twice, &&skip};\n  goto *go[code[pc]];\n\
         add: x += code[++pc]; goto *go[code[++pc]];\ntwice: x *= 2; goto *go[code[++pc]];\n\
         skip: pc += 1 + (x & 1); goto *go[code[pc]];\nend: return x;"
    } else {
        "for (;;) switch (code[pc]) {\n  case 1: x += code[++pc]; pc++; continue;\n  case 2: x *= 2; pc++; break;\n  \
         case 3: pc += 1 + (x & 1); break;\n  default: return x; }"
    };
    writeln!(
        b.head,
        "static unsigned {f}(const unsigned char *code, unsigned x) {{ int pc = 0;\n  {body}\n}}"
    )
    .unwrap();
    let (code, x, step) = (b.name("code"), b.expr(1), b.small(3));
    let last = [2, 3, 0][b.choices.below(3)];
    b.line(&format!(
        "unsigned char {code}[9] = {{1, {step}, 2, 3, 2, 2, {last}, 0, 0}};"
    ));
    b.declare(INTS[1], &format!("{f}({code}, (unsigned)({x}))"));
}

/// A switch into the middle of a loop (Duff's device).
pub fn switch_into_loop(b: &mut Builder<'_>) {
    let f = b.global_name("du");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "static unsigned {f}({0} *to, const {0} *from, unsigned n) {{\n  unsigned rounds = (n + 3) / 4, done = 0;\n  if (n) switch (n % 4) {{\n  \
         case 0: do {{ *to++ = *from++; done++; case 3: *to++ = *from++; done++; case 2: *to++ = *from++; done++;\n  \
         case 1: *to++ = *from++; done++; }} while (--rounds > 0); }}\n  return done;\n}}",
        ty.name
    )
    .unwrap();
    let (from, to) = (b.name("df"), b.name("dt"));
    let (x, y, n) = (b.expr(1), b.expr(1), b.small(7));
    b.line(&format!(
        "{0} {from}[8] = {{1, {x}, 3, [5] = {y}}}, {to}[8] = {{0}};",
        ty.name
    ));
    b.declare(INTS[1], &format!("{f}({to}, {from}, (unsigned){n})"));
    b.add_place(format!("{to}[# & 7]"), ty, true);
}

/// A jump out of nested calls.
pub fn long_jump(b: &mut Builder<'_>) {
    let f = b.global_name("lj");
    writeln!(
        b.head,
        "static jmp_buf {f}b;\nstatic int {f}n;\nstatic int {f}(int depth, int at) {{ {f}n++; if (depth == at) longjmp({f}b, depth + 1); \
         return depth > 4 ? depth : {f}(depth + 1, at) + 1; }}"
    )
    .unwrap();
    let (at, came, kept) = (b.small(7), b.name("came"), b.expr(1));
    b.line(&format!("volatile int {came} = (int)(({kept}) & 0xff);"));
    b.line(&format!(
        "if (setjmp({f}b)) {{ {came} += 1000; }} else {{ {came} += 1; {came} += {f}(0, {at}); }}"
    ));
    b.declare(INTS[0], &came);
    b.declare(INTS[0], &format!("{f}n"));
}

/// A scanner: an enumeration of states, a loop over text.
pub fn state_machine(b: &mut Builder<'_>) {
    let f = b.global_name("sm");
    writeln!(
        b.head,
        "enum {f}e {{ {f}START, {f}SIGN = 4, {f}DIGIT, {f}BAD = -1 }};\nstatic long {f}(const char *s) {{\n  enum {f}e state = {f}START; long value = 0, sign = 1;\n  \
         for (; *s && state != {f}BAD; s++) {{\n    switch (state) {{\n    case {f}START: if (*s == ' ') continue; state = {f}SIGN; /* fall through */\n    \
         case {f}SIGN: if (*s == '-' || *s == '+') {{ sign = *s == '-' ? -1 : 1; state = {f}DIGIT; break; }}\n    \
         default: state = *s >= '0' && *s <= '9' ? {f}DIGIT : {f}BAD; if (state == {f}DIGIT) value = value * 10 + (*s - '0'); }}\n  }}\n  \
         return state == {f}BAD ? -1000 - value : sign * value;\n}}"
    )
    .unwrap();
    let (s, at, c) = (b.name("text"), b.small(3), b.small(15));
    let text = b.choices.pick(&[" -12", "+7", "123", "- 4"]);
    b.line(&format!("char {s}[8] = \"{text}\"; {s}[{at}] = (char)('-' + {c});"));
    b.declare(INTS[7], &format!("{f}({s})"));
}

/// A loop whose bound is a value, over an array.
pub fn bounded_loop(b: &mut Builder<'_>) {
    let ty = b.plain_type();
    let (a, i, n, x) = (b.name("ba"), b.name("i"), b.small(7), b.expr(1));
    let length = b.declare(INTS[0], &n);
    b.line(&format!("{0} {a}[8] = {{4, {x}, 9, 1, 0, 7}};", ty.name));
    let wide = b.declare(INTS[8], "1");
    let body = match b.choices.below(5) {
        0 => format!("for (int {i} = 0; {i} < {length}; {i}++) {wide} = {wide} * 31 + (unsigned long){a}[{i}];"),
        1 => format!("for (int {i} = {length}; {i}-- > 0; ) {{ if ({a}[{i}] > 3) {wide}++; else {a}[{i}] = 3; }}"),
        2 => format!(
            "for (int {i} = 0; {i} + 1 < {length}; ) if ({a}[{i}] > {a}[{i} + 1]) {{ {0} t = {a}[{i}]; {a}[{i}] = {a}[{i} + 1]; {a}[{i} + 1] = t; \
             {i} = {i} ? {i} - 1 : 1; {wide}++; }} else {i}++;",
            ty.name
        ),
        3 => format!(
            "for ({0} *p = {a}, *end = {a} + {length}; p < end; ++p) {{ {wide} += (unsigned long)(end - p); if (*p == 9) break; }}",
            ty.name
        ),
        _ => format!(
            "{{ int lo = 0, hi = {length}; while (lo < hi) {{ int mid = lo + (hi - lo) / 2; if ({a}[mid] < 5) lo = mid + 1; else hi = mid; {wide} += (unsigned)lo; }} }}"
        ),
    };
    b.line(&body);
    b.add_place(format!("{a}[# & 7]"), ty, true);
}

/// Effects inside of expressions, each sequenced.
pub fn effects(b: &mut Builder<'_>) {
    let (one, two) = (b.plain_type(), b.int_type());
    let (x, y, cond, mask) = (b.expr(1), b.expr(1), b.expr(1), b.small(7));
    let u = b.declare(one, &x);
    let v = b.declare(two, &y);
    let (a, p) = (b.name("ea"), b.name("ep"));
    b.line(&format!("unsigned char {a}[4] = {{1, 2, 3, 4}}, *{p} = {a};"));
    match b.choices.below(6) {
        0 => b.line(&format!("{u} = {v} = ({} )({cond});", two.name)),
        1 => b.line(&format!("if (({cond}) && ({v} = 3, {v} > 1) || ({v} ^= 1)) {u} = {mask};")),
        2 => b.line(&format!("*{p}++ = (unsigned char)({cond}); *++{p} ^= 0x55; {u} = {p}[-1] + ({p} - {a});")),
        3 => b.line(&format!("{u} = (({cond}) ? ({v} = 1) : ({v} = 0)) + {mask}; (({v}) ? {a}[0]++ : --{a}[1]);")),
        4 => b.line(&format!("{a}[{mask} & 3] += {a}[({mask} + 1) & 3]++; {u} = {a}[0] << 3 | {a}[1];")),
        _ => b.line(&format!(
            "{u} = sizeof({v}++) + (unsigned long)_Alignof(long); for ({v} = 0; {v} < 1; {v}++, {a}[3]--) {a}[2] = {a}[3];"
        )),
    }
    b.add_place(format!("{a}[# & 3]"), INTS[3], true);
}
