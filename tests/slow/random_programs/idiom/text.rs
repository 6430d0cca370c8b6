//! Strings, and the library functions on them.

use super::super::expression::INTS;
use super::super::program::Builder;
use std::fmt::Write;

const WORDS: [&str; 6] = ["", "a", "abc", "hello", "a b,c", "0x1F"];

pub fn string(b: &mut Builder<'_>) {
    let s = b.name("str");
    let word = WORDS[b.choices.below(WORDS.len())];
    let other = WORDS[b.choices.below(WORDS.len())];
    b.line(&format!("char {s}[32] = \"{word}\";"));
    match b.choices.below(6) {
        0 => b.line(&format!("strcat({s}, \"{other}\");")),
        1 => b.line(&format!("strcpy({s} + strlen({s}), \"{other}\");")),
        2 => b.line(&format!("strncpy({s}, \"{other}\", 3);")),
        3 => b.line(&format!("memcpy({s} + 1, \"{other}\", sizeof \"{other}\");")),
        4 => {
            let c = b.small(31);
            b.line(&format!("{s}[2] = (char)('a' + {c} % 26);"));
        }
        _ => b.line(&format!("strncat({s}, \"{other}\", 2);")),
    }
    let value = match b.choices.below(8) {
        0 => format!("(int)strlen({s})"),
        1 => format!("(strcmp({s}, \"{other}\") > 0) - (strcmp({s}, \"{other}\") < 0)"),
        2 => format!("(strncmp({s}, \"abd\", 3) < 0)"),
        3 => format!("(strchr({s}, 'b') ? (int)(strchr({s}, 'b') - {s}) : -1)"),
        4 => format!("(strstr({s}, \"bc\") != 0)"),
        5 => format!("(int)strspn({s}, \"abc\") * 10 + (int)strcspn({s}, \"lo\")"),
        6 => format!("(memcmp({s}, \"abcdef\", 3) == 0)"),
        _ => format!("(strrchr({s}, 'l') != NULL) + 2 * (memchr({s}, 'c', 4) != NULL)"),
    };
    b.declare(INTS[0], &value);
    b.add_place(format!("{s}[# & 31]"), INTS[2], true);
}

pub fn string_loop(b: &mut Builder<'_>) {
    let f = b.global_name("sh");
    writeln!(
        b.head,
        "static unsigned {f}(const char *s) {{ unsigned h = 5381u; while (*s) h = h * 33u ^ (unsigned char)*s++; return h; }}\n\
         static void {f}r(char *s, int n) {{ for (int i = 0, j = n - 1; i < j; i++, j--) {{ char t = s[i]; s[i] = s[j]; s[j] = t; }} }}"
    )
    .unwrap();
    let (s, n, c) = (b.name("str"), b.small(3), b.small(7));
    b.line(&format!(
        "char {s}[] = \"stressed\"; {s}[{c}] = '!'; {f}r({s}, {n} + 4);"
    ));
    b.declare(INTS[1], &format!("{f}({s})"));
    b.add_place(format!("{s}[# & 7]"), INTS[2], true);
}

pub fn print_to_buffer(b: &mut Builder<'_>) {
    let s = b.name("buf");
    let (x, y) = (b.expr(1), b.expr(1));
    let (format, args) = [
        ("%d|%u", format!("(int)({x}), (unsigned)({y})")),
        ("%5d,%-4x;", format!("(int)(({x}) & 0xfff), (unsigned)({y}) & 0xffu")),
        ("%03o %c%%", format!("(unsigned)({x}) & 0777u, 'a' + (int)(({y}) & 15)")),
        ("%s=%ld", format!("\"key\", (long)({x})")),
        ("%.2s<%+d>", format!("\"word\", (int)(({x}) & 0xffff)")),
        ("%#X %llu", format!("(unsigned)({x}), (unsigned long long)({y})")),
        ("%*d %hhd", format!("6, (int)(({x}) & 0xff), (int)({y})")),
    ][b.choices.below(7)]
    .clone();
    let size = [64, 64, 5][b.choices.below(3)];
    b.line(&format!("char {s}[64] = {{0}};"));
    b.declare(INTS[0], &format!("snprintf({s}, {size}, \"{format}\", {args})"));
    b.add_place(format!("{s}[# & 31]"), INTS[2], true);
    let end = b.name("end");
    if size == 64 && b.choices.chance(30) && format == "%d|%u" {
        b.line(&format!("char *{end}; long {end}v = strtol({s}, &{end}, 10);"));
        b.declare(INTS[7], &format!("{end}v ^ *{end}"));
    }
}

pub fn number_parsing(b: &mut Builder<'_>) {
    let text = [
        "42",
        "  -17x",
        "+0x1fz",
        "077",
        "99999999999999999999",
        "",
        "zz",
        "-2147483648",
    ][b.choices.below(8)];
    let base = [10, 0, 16, 8, 36][b.choices.below(5)];
    let end = b.name("end");
    let s = b.name("num");
    let digit = b.small(7);
    b.line(&format!(
        "char {s}[] = \"{text} \", *{end}; if ({s}[0] == '4') {s}[0] = (char)('0' + {digit});"
    ));
    let value = match b.choices.below(4) {
        0 => format!("strtol({s}, &{end}, {base})"),
        1 => format!("(long)strtoul({s}, &{end}, {base})"),
        2 => format!("(long)strtoll({s}, &{end}, {base})"),
        _ => format!("({end} = {s}, atol({s}[0] == '9' ? \"3\" : {s}))"),
    };
    b.declare(INTS[7], &value);
    b.declare(INTS[0], &format!("(int)({end} - {s})"));
}

pub fn character_classes(b: &mut Builder<'_>) {
    let c = b.small(127);
    let class = b.choices.pick(&[
        "isdigit", "isalpha", "isspace", "isupper", "isxdigit", "ispunct", "isprint", "isalnum", "iscntrl",
    ]);
    b.declare(INTS[0], &format!("!!{class}({c})"));
    let shift = b.choices.pick(&["toupper", "tolower", "toascii"]);
    b.declare(INTS[0], &format!("{shift}({c})"));
}

pub fn sort(b: &mut Builder<'_>) {
    let f = b.global_name("cmp");
    let ty = b.plain_type();
    writeln!(
        b.head,
        "static int {f}(const void *a, const void *b) {{ {0} x = *(const {0} *)a, y = *(const {0} *)b; return x < y ? -1 : x > y; }}",
        ty.name
    )
    .unwrap();
    let (a, x, y) = (b.name("so"), b.expr(1), b.expr(1));
    b.line(&format!("{} {a}[5] = {{3, {x}, 1, {y}, 2}};", ty.name));
    b.line(&format!("qsort({a}, 5, sizeof {a}[0], {f});"));
    if b.choices.chance(40) {
        let key = b.declare(ty, "2");
        b.declare(INTS[0], &format!("bsearch(&{key}, {a}, 5, sizeof {a}[0], {f}) != NULL"));
    }
    b.add_place(format!("{a}[(unsigned)(#) % 5]"), ty, true);
}
