//! Translation units are joined as a linker joins them: verdicts with all checks and against gcc, and messages about what does not fit.

use crate::several::{Folder, names, split};
use expect_test::{Expect, expect};
use std::process::Command;

/// Whether the program calls `reach_error` when gcc compiles it; `None` where there is no gcc.
fn reaches(folder: &Folder, units: &[&str]) -> Option<bool> {
    folder.write(
        "environment.inc",
        "extern void _Exit(int); __attribute__((weak)) void reach_error(void) { _Exit(66); }\n",
    );
    let status = Command::new("gcc")
        .args(["-w", "-fcommon", "-fwrapv", "-O0", "-o", "run"])
        .args(units)
        .args(["-x", "c", "environment.inc"])
        .current_dir(&folder.0)
        .status()
        .ok()?;
    assert!(status.success(), "gcc does not take {}", folder.0.display());
    let status = Command::new(folder.0.join("run")).status().unwrap();
    Some(status.code() == Some(66))
}

/// Programs with the verdict that they must have. None has inputs, so that gcc can tell, too.
const PROGRAMS: &[(&str, bool, &str)] = &[
    ("member", true, MEMBER),
    ("untagged", true, UNTAGGED),
    ("untyped", true, UNTYPED),
    ("statics", true, STATICS),
    ("tentative", true, TENTATIVE),
    ("opaque", true, OPAQUE),
    ("private_tags", true, PRIVATE_TAGS),
    ("inline", true, INLINE),
    ("inline_with_definition", true, INLINE_WITH_DEFINITION),
    ("weak", true, WEAK),
    ("alias", true, ALIAS),
    ("pointers", true, POINTERS),
    ("old_style", true, OLD_STYLE),
    ("assembler_names", true, ASSEMBLER_NAMES),
    ("withdrawn_names", true, WITHDRAWN_NAMES),
    ("union_list", true, UNION_LIST),
    ("constructors", true, CONSTRUCTORS),
    ("static_error", false, STATIC_ERROR),
    ("member_false", false, MEMBER_FALSE),
    ("static_locals", true, STATIC_LOCALS),
];

/// glibc declares `pthread_mutexattr_getrobust_np` so, in every file that includes the header.
pub const WITHDRAWN_NAMES: &str = "
// FILE a.c
extern int robust(const long *, int *);
extern int robust_np(long *, int *) __asm__(\"robust\");
extern int get(void);
extern void reach_error(void);
int main(void) {
    if (get() != 5) reach_error();
    return 0;
}
// FILE b.c
extern int robust(const long *, int *);
extern int robust_np(long *, int *) __asm__(\"robust\");
int get(void) { return 5; }
";

pub const MEMBER: &str = "
// FILE a.c
struct foo { int x; struct foo *next; };
extern int get(struct foo *);
extern void reach_error(void);
int main(void) {
    struct foo f, *p = &f;
    p->x = 5; p->next = p;
    if (get(p) != 5 || p->x != 6) reach_error();
    return 0;
}
// FILE b.c
struct foo { int x; struct foo *next; };
int get(struct foo *q) { int old = q->x; q->next->x = old + 1; return old; }
";

const MEMBER_FALSE: &str = "
// FILE a.c
struct foo { int x; };
extern void set(struct foo *);
extern void reach_error(void);
int main(void) {
    struct foo f, *p = &f;
    p->x = 5; set(p);
    if (p->x == 7) reach_error();
    return 0;
}
// FILE b.c
struct foo { int x; };
void set(struct foo *q) { q->x = 7; }
";

const UNTAGGED: &str = "
// FILE a.c
typedef struct { int x; struct { short low; short high; } part; } pair;
extern pair shared;
extern int sum(pair *);
extern void reach_error(void);
int main(void) {
    pair *p = &shared;
    p->x = 1; p->part.low = 2; p->part.high = 3;
    if (sum(p) != 6) reach_error();
    return 0;
}
// FILE b.c
typedef struct { int x; struct { short low; short high; } part; } pair;
pair shared;
int sum(pair *q) { return q->x + q->part.low + q->part.high; }
";

const UNTYPED: &str = "
// FILE a.c
struct item { int key; struct item *next; };
extern void put(void *);
extern void *take(void);
extern void reach_error(void);
int main(void) {
    struct item one, two;
    one.key = 1; one.next = &two; two.key = 2; two.next = 0;
    put(&one);
    struct item *p = take();
    if (p->key != 4 || one.key != 1) reach_error();
    return 0;
}
// FILE b.c
struct item { int key; struct item *next; };
static void *kept;
void put(void *object) { kept = object; }
void *take(void) { struct item *i = kept; i = i->next; i->key += 2; return i; }
";

pub const STATICS: &str = "
// FILE a.c
static int count = 1;
static int step(void) { return count++; }
extern int other(void);
extern int count_of_b(void);
extern void reach_error(void);
int main(void) {
    step(); step();
    other();
    if (count != 3 || count_of_b() != 110) reach_error();
    return 0;
}
// FILE b.c
static int count = 100;
static int step(void) { return count += 10; }
int other(void) { return step(); }
int count_of_b(void) { return count; }
// FILE c.c
int step = 5;
int count(void) { return step; }
";

const TENTATIVE: &str = "
// FILE a.c
int shared;
extern int table[];
int later[];
extern void set(void);
extern void reach_error(void);
int main(void) {
    set();
    if (shared != 4 || table[2] != 9 || later[0] != 0) reach_error();
    return 0;
}
// FILE b.c
int shared;
int table[3] = {7, 8, 9};
void set(void) { extern int shared; shared += 4; }
";

const OPAQUE: &str = "
// FILE a.c
struct box;
extern struct box *open_box(int);
extern int content(const struct box *);
extern void reach_error(void);
int main(void) { if (content(open_box(3)) != 3) reach_error(); return 0; }
// FILE b.c
struct box { int in; };
static struct box only;
struct box *open_box(int in) { only.in = in; return &only; }
int content(const struct box *b) { return b->in; }
";

const PRIVATE_TAGS: &str = "
// FILE a.c
struct state { char small; };
enum mode { OFF, ON };
typedef char word;
struct shared { int value; struct state *in_a; };
extern int run(void);
extern void reach_error(void);
int main(void) {
    struct state s = { 1 };
    word w = 2;
    if (run() != 105 || s.small + w + ON != 4) reach_error();
    return 0;
}
// FILE b.c
struct state { long big[4]; int more; };
enum mode { ON = 100, OFF };
typedef long word;
int run(void) { struct state s = { {1, 2}, 3 }; word w = s.big[1]; return s.more + w + ON; }
";

const INLINE: &str = "
// FILE a.c
inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }
static inline int more(int x) { return x + 1; }
extern int in_b(int);
extern void reach_error(void);
int main(void) { if (more(twice(3)) != 7 || in_b(3) != 10) reach_error(); return 0; }
// FILE b.c
inline __attribute__((always_inline)) int twice(int x) { return 3 * x; }
static inline int more(int x) { return x + 1; }
int in_b(int x) { return more(twice(x)); }
";

const INLINE_WITH_DEFINITION: &str = "
// FILE a.c
inline int twice(int x) { return 2 * x; }
extern int in_b(int);
extern void reach_error(void);
int main(void) { if (twice(3) != 6 || in_b(4) != 8) reach_error(); return 0; }
// FILE b.c
inline int twice(int x) { return 2 * x; }
extern inline int twice(int x);
int in_b(int x) { return twice(x); }
";

const WEAK: &str = "
// FILE a.c
__attribute__((weak)) int choice(void) { return 1; }
__attribute__((weak)) int level = 1;
extern void reach_error(void);
int main(void) { if (choice() != 2 || level != 2) reach_error(); return 0; }
// FILE b.c
int choice(void) { return 2; }
int level = 2;
// FILE c.c
__attribute__((weak)) int choice(void) { return 3; }
";

const ALIAS: &str = "
// FILE a.c
static int real(void) { return 1; }
extern int named(void);
extern void reach_error(void);
int main(void) { if (real() != 1 || named() != 2) reach_error(); return 0; }
// FILE b.c
static int real(void) { return 2; }
int named(void) __attribute__((alias(\"real\")));
";

const POINTERS: &str = "
// FILE a.c
struct ops;
struct device { int value; const struct ops *ops; };
struct ops { int (*read)(struct device *); int (*write)(struct device *, int); };
extern const struct ops driver_ops;
extern void reach_error(void);
int main(void) {
    struct device d;
    d.value = 1; d.ops = &driver_ops;
    d.ops->write(&d, 41);
    if (d.ops->read(&d) != 42) reach_error();
    return 0;
}
// FILE b.c
struct ops;
struct device { int value; const struct ops *ops; };
struct ops { int (*read)(struct device *); int (*write)(struct device *, int); };
static int read(struct device *d) { return d->value; }
static int write(struct device *d, int v) { d->value += v; return 0; }
const struct ops driver_ops = { read, write };
";

const OLD_STYLE: &str = "
// FILE a.c
int sum();
int half(int);
extern void reach_error(void);
int main(void) { if (sum(1, 2) != 3 || half(8) != 4 || undeclared(5) != 6) reach_error(); return 0; }
// FILE b.c
int sum(a, b) int a, b; { return a + b; }
int half(a) int a; { return a / 2; }
int undeclared(int x) { return x + 1; }
";

const ASSEMBLER_NAMES: &str = "
// FILE a.c
extern int number(void) __asm__(\"real_\" \"number\");
extern void reach_error(void);
int main(void) { if (number() != 1) reach_error(); return 0; }
// FILE b.c
int number(void) { return 2; }
int real_number(void) { return 1; }
";

const UNION_LIST: &str = "
// FILE a.c
union word { unsigned all; unsigned char byte[4]; };
struct node { union word w; struct node *next; enum { RED, BLACK = 7 } colour; };
extern int count(struct node *);
extern void paint(struct node *);
extern void reach_error(void);
int main(void) {
    struct node a, b;
    a.w.all = 0x01020304; a.next = &b; b.w.all = 0; b.next = 0;
    paint(&b);
    if (count(&a) != 6 || b.colour != BLACK) reach_error();
    return 0;
}
// FILE b.c
union word { unsigned all; unsigned char byte[4]; };
struct node { union word w; struct node *next; enum { RED, BLACK = 7 } colour; };
int count(struct node *n) { int sum = 0; for (; n; n = n->next) sum += n->w.byte[0] + 1; return sum; }
void paint(struct node *n) { n->colour = BLACK; }
";

const CONSTRUCTORS: &str = "
// FILE a.c
int trace;
__attribute__((constructor)) static void begin(void) { trace = 10 * trace + 1; }
extern void reach_error(void);
int main(void) { if (trace != 312) reach_error(); return 0; }
// FILE b.c
extern int trace;
__attribute__((constructor)) static void begin(void) { trace = 10 * trace + 2; }
__attribute__((constructor(200))) static void early(void) { trace = 10 * trace + 3; }
";

const STATIC_ERROR: &str = "
// FILE a.c
extern void _Exit(int);
static void reach_error(void) { _Exit(66); }
extern void b(int);
int main(void) { int x = 0; if (x) reach_error(); b(1); return 0; }
// FILE b.c
extern void _Exit(int);
static void reach_error(void) { _Exit(66); }
void b(int x) { if (x) reach_error(); }
";

const STATIC_LOCALS: &str = "
// FILE a.c
static int next(void) { static int last = 1; return last++; }
extern int other(void);
extern void reach_error(void);
int main(void) { next(); other(); if (next() != 2 || other() != 52) reach_error(); return 0; }
// FILE b.c
static int next(void) { static int last = 50; return ++last; }
int other(void) { return next(); }
";

#[test]
fn verdicts_are_those_of_the_linked_program() {
    for (name, holds, text) in PROGRAMS {
        let files = split(text);
        let folder = Folder::new(name, &files);
        let units = names(&files);
        if let Some(reached) = reaches(&folder, &units) {
            assert_eq!(reached, !holds, "{name} with gcc");
        }
        let expected = if *holds { "VERDICT: TRUE" } else { "VERDICT: FALSE" };
        // Also by formulas alone, whose division of memory rests on the types.
        for more in [&[][..], &["--set", "explicit=off", "--set", "stages=whole"]] {
            let verdict = folder.verdict(&[&["verify"], &units[..], more].concat());
            assert_eq!(verdict, expected, "{name} {more:?}");
        }
        // The order of the files says nothing but who comes first.
        if *name != "constructors" {
            let turned: Vec<&str> = units.iter().rev().copied().collect();
            assert_eq!(
                folder.verdict(&[&["verify"], &turned[..]].concat()),
                expected,
                "{name} turned"
            );
        }
    }
}

fn check_error(text: &str, expect: Expect) {
    let files = split(text);
    let name = format!(
        "error-{:x}",
        files.iter().map(|(_, text)| text.len()).fold(7, |a, b| a * 31 + b)
    );
    let folder = Folder::new(&name, &files);
    let output = folder.run(&[&["verify"], &names(&files)[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{text}");
    expect.assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn files_that_do_not_fit_are_refused_with_both_places() {
    check_error(
        "
// FILE a.c
int f(void) { return 1; }
int main(void) { return f(); }
// FILE b.c
int x;
int f(void) { return 2; }
",
        expect![[r#"
            error: b.c:2:5: the function 'f' is defined twice
             --> b.c:2:5
              |
            2 | int f(void) { return 2; }
              |     ^ also defined at a.c:1:5
        "#]],
    );
    check_error(
        "
// FILE a.c
int value = 1;
int main(void) { return value; }
// FILE b.c
int value = 2;
",
        expect![[r#"
            error: b.c:1:5: the variable 'value' is defined twice
             --> b.c:1:5
              |
            1 | int value = 2;
              |     ^ also defined at a.c:1:5
        "#]],
    );
    check_error(
        "
// FILE a.c
extern long f(int *p, unsigned n);
int main(void) { return f(0, 1); }
// FILE b.c
long f(int *p, long n) { return n; }
",
        expect![[r#"
            error: b.c:1:6: conflicting types for 'f' in two files
             --> b.c:1:6
              |
            1 | long f(int *p, long n) { return n; }
              |      ^ 'long (int *, long)' here; 'long (int *, unsigned int)' at a.c:1:13
        "#]],
    );
    check_error(
        "
// FILE a.c
struct s { int x; long y; };
extern int f(struct s *p);
int main(void) { return f(0); }
// FILE b.c
struct s { int x; int y; };
int f(struct s *p) { return p->y; }
",
        expect![[r#"
            error: b.c:2:5: conflicting types for 'f' in two files
             --> b.c:2:5
              |
            2 | int f(struct s *p) { return p->y; }
              |     ^ 'int (struct s *)' here; 'int (struct s *)' at a.c:2:12; the member 'y' of 'struct s' is 'int' at b.c:1:23 and 'long' at a.c:1:24
        "#]],
    );
    check_error(
        "
// FILE a.c
extern int value[4];
int main(void) { return value[0]; }
// FILE b.c
int value[3];
",
        expect![[r#"
            error: b.c:1:5: conflicting types for 'value' in two files
             --> b.c:1:5
              |
            1 | int value[3];
              |     ^ 'int [3]' here; 'int [4]' at a.c:1:12
        "#]],
    );
    check_error(
        "
// FILE a.c
extern int thing;
int main(void) { return thing; }
// FILE b.c
int thing(void) { return 1; }
",
        expect![[r#"
            error: b.c:1:5: 'thing' is a function in one file and a variable in another
             --> b.c:1:5
              |
            1 | int thing(void) { return 1; }
              |     ^ the other one at a.c:1:12
        "#]],
    );
    check_error(
        "
// FILE a.c
extern _Thread_local int mine;
int main(void) { return mine; }
// FILE b.c
int mine;
",
        expect![[r#"
            error: b.c:1:5: 'mine' is thread-local in one file only
             --> b.c:1:5
              |
            1 | int mine;
              |     ^ the other declaration at a.c:1:26
        "#]],
    );
    check_error(
        "
// FILE a.c
enum e { A, B };
extern int f(enum e *);
int main(void) { enum e x = B; return f(&x); }
// FILE b.c
enum e { A, B, C };
int f(enum e *p) { return *p; }
",
        expect![[r#"
            error: b.c:2:5: conflicting types for 'f' in two files
             --> b.c:2:5
              |
            2 | int f(enum e *p) { return *p; }
              |     ^ 'int (enum e *)' here; the constants of 'enum e' differ; 'int (enum e *)' at a.c:2:12
        "#]],
    );
}

#[test]
fn types_that_cannot_be_joined_are_refused() {
    check_error(
        "
// FILE a.c
struct s { int (*call)(); };
int main(void) { return 0; }
// FILE b.c
struct s { int (*call)(int); };
int f(struct s *p) { return p->call(1); }
",
        expect![[r#"
            error: b.c:1:8: 'struct s' is declared in two ways
             --> b.c:1:8
              |
            1 | struct s { int (*call)(int); };
              |        ^ the member 'call' of 'struct s' has two compatible types, which is not supported at a.c:1:18 and at b.c:1:18
        "#]],
    );
    check_error(
        "
// FILE a.c
union u { int i; float f; };
int main(void) { return 0; }
// FILE b.c
union u { float f; int i; };
",
        expect![[r#"
            error: b.c:1:7: 'union u' is declared in two ways
             --> b.c:1:7
              |
            1 | union u { float f; int i; };
              |       ^ 'union u' has the member 'i' at a.c:1:15 and 'f' at b.c:1:17
        "#]],
    );
    check_error(
        "
// FILE a.c
struct s;
static int touch(struct s *p) { return p != 0; }
int main(void) { return touch(0); }
// FILE b.c
struct s { int x; };
// FILE c.c
struct s { long y; };
",
        expect![[r#"
            error: a.c:1:8: 'struct s' has no members here, and different ones in other files
             --> a.c:1:8
              |
            1 | struct s;
              |        ^ which of them is meant cannot be told; declared at b.c:1:8 and at c.c:1:8
        "#]],
    );
}

#[test]
fn errors_in_any_file_have_its_name() {
    check_error(
        "
// FILE a.c
int main(void) { return undeclared_variable; }
// FILE b.c
int x = ;
",
        expect![[r#"
            error: a.c:1:25: undeclared identifier 'undeclared_variable'
             --> a.c:1:25
              |
            1 | int main(void) { return undeclared_variable; }
              |                         ^^^^^^^^^^^^^^^^^^^ not declared in this scope
            error: b.c:1:9: syntax error at ';'
             --> b.c:1:9
              |
            1 | int x = ;
              |         ^ expected an expression
        "#]],
    );
}
