//! Programs of several files, and options of the preprocessor: verdicts with all checks and against gcc, messages, evidence.

use crate::command;
use expect_test::{Expect, expect};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder with the files of a program, removed at the end. All commands run in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("provident-units-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        for (file, text) in files {
            folder.write(file, text);
        }
        folder
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command::provident(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Standard output and standard error.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    fn verdict(&self, arguments: &[&str]) -> String {
        let text = self.text(arguments);
        let line = text.lines().find(|line| line.starts_with("VERDICT"));
        line.map_or_else(|| text.clone(), str::to_owned)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The files of a program: each begins with a line `// FILE name`.
fn split(text: &str) -> Vec<(&str, &str)> {
    let parts = text.split("// FILE ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).collect()
}

fn names<'a>(files: &[(&'a str, &str)]) -> Vec<&'a str> {
    files
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| name.ends_with(".c"))
        .collect()
}

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
    ("union_list", true, UNION_LIST),
    ("constructors", true, CONSTRUCTORS),
    ("static_error", false, STATIC_ERROR),
    ("member_false", false, MEMBER_FALSE),
    ("static_locals", true, STATIC_LOCALS),
];

const MEMBER: &str = "
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
    struct foo f;
    struct foo *p = &f;
    p->x = 5;
    set(p);
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
    struct item one;
    struct item two;
    one.key = 1; one.next = &two;
    two.key = 2; two.next = 0;
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

const STATICS: &str = "
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
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
int value = 1;
int main(void) { return value; }
// FILE b.c
int value = 2;
",
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
extern long f(int *p, unsigned n);
int main(void) { return f(0, 1); }
// FILE b.c
long f(int *p, long n) { return n; }
",
        expect![[""]],
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
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
extern int value[4];
int main(void) { return value[0]; }
// FILE b.c
int value[3];
",
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
extern int thing;
int main(void) { return thing; }
// FILE b.c
int thing(void) { return 1; }
",
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
extern _Thread_local int mine;
int main(void) { return mine; }
// FILE b.c
int mine;
",
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
    check_error(
        "
// FILE a.c
union u { int i; float f; };
int main(void) { return 0; }
// FILE b.c
union u { float f; int i; };
",
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
    );
}

#[test]
fn inputs_that_are_none_are_refused() {
    let folder = Folder::new(
        "inputs",
        &[("a.c", "int main(void) { return 0; }\n"), ("d/b.c", ""), ("t.yml", "")],
    );
    let message = |arguments: &[&str]| {
        let output = folder.run(&[&["verify"], arguments].concat());
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).unwrap()
    };
    expect![[""]].assert_eq(&message(&["d"]));
    expect![[""]].assert_eq(&message(&["a.c", "t.yml"]));
    expect![[""]].assert_eq(&message(&["-", "-"]));
    expect![[""]].assert_eq(&message(&["-", "--relaunch", "--results", "r.json"]));
    expect![[""]].assert_eq(&message(&["a.c", "missing.c"]));
    expect![[""]].assert_eq(&message(&["a.c", "--units", "x"]));
}

const INPUT: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
struct job { int size; int left; };
extern int work(struct job *, int);
static int limit = 3;
int main(void) {
    struct job j;
    j.left = limit;
    j.size = __VERIFIER_nondet_int();
    while (j.left > 0)
        work(&j, 1);
    return j.left;
}
// FILE lib/work.c
extern void reach_error(void);
struct job { int size; int left; };
static int limit = 17;
int work(struct job *j, int n) {
    j->left -= n;
    if (j->size == limit)
        reach_error();
    return j->left;
}
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

#[test]
fn evidence_of_a_violation_names_all_files() {
    let folder = Folder::new("evidence", &split(INPUT));
    folder.write("p.prp", PROPERTY);
    folder.write(
        "task.yml",
        "format_version: '2.0'\ninput_files:\n  - main.c\n  - lib/work.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n",
    );
    for inputs in [&["main.c", "lib/work.c", "--property", "p.prp"][..], &["task.yml"]] {
        let text = folder.text(&[&["verify", "--out", "out", "--check"], inputs].concat());
        assert!(text.contains("VERDICT: FALSE"), "{text}");
        assert!(text.contains("HARNESS p: reaches the violation"), "{text}");
        let report: serde_json::Value = serde_json::from_str(&folder.read("out/report.json")).unwrap();
        assert_eq!(report["inputs"], serde_json::json!(["main.c", "lib/work.c"]));
        let trace = folder.read("out/trace-p.txt");
        assert!(
            trace.contains("lib/work.c in work") && trace.contains("7: reach_error();"),
            "{trace}"
        );
        assert!(trace.contains("main.c:8") && trace.contains("= 17"), "{trace}");
        let witness = folder.read("out/witness-p.yml");
        for part in [
            "input_files:",
            "main.c: ",
            "lib/work.c: ",
            "file_name: lib/work.c",
            "line: 7",
        ] {
            assert!(witness.contains(part), "{part}: {witness}");
        }
        let answer = |program: &[&str]| {
            folder.text(&[&["check"], program, &["out/witness-p.yml", "--property", "p.prp"]].concat())
        };
        assert_eq!(answer(&["main.c", "lib/work.c"]), "WITNESS: CONFIRMED\n");
        assert_eq!(answer(&["lib/work.c", "main.c"]), "WITNESS: CONFIRMED\n");
        expect![[""]].assert_eq(&answer(&["main.c"]));
        folder.write("other/main.c", &split(INPUT)[0].1.replace("limit = 3", "limit = 4"));
        expect![[""]].assert_eq(&answer(&["other/main.c", "lib/work.c"]));
    }
}

#[test]
fn a_wrong_witness_of_two_files_is_refuted() {
    let folder = Folder::new("wrong", &split(INPUT));
    folder.write("p.prp", PROPERTY);
    folder.text(&["verify", "--out", "out", "main.c", "lib/work.c", "--property", "p.prp"]);
    let witness = folder.read("out/witness-p.yml").replace("== 17", "== 18");
    folder.write("wrong.yml", &witness);
    let answer = folder.text(&["check", "main.c", "lib/work.c", "wrong.yml", "--property", "p.prp"]);
    assert!(answer.starts_with("WITNESS: REFUTED"), "{answer}\n{witness}");
}

const LOOP: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int total;
extern void add(int);
static int seen;
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    while (seen < n) {
        add(2);
        seen++;
    }
    if (total != 2 * n) reach_error();
    return 0;
}
// FILE total.c
int total;
static int seen = 1;
void add(int by) { total += by; seen = -seen; }
";

#[test]
fn proofs_of_two_files_are_confirmed_and_discharged() {
    let folder = Folder::new("proof", &split(LOOP));
    folder.write("p.prp", PROPERTY);
    let program = ["main.c", "total.c", "--property", "p.prp"];
    let verdict = folder.verdict(&[&["verify", "--out", "out", "--check"], &program[..]].concat());
    assert_eq!(verdict, "VERDICT: TRUE");
    let witness = folder.read("out/witness-p.yml");
    assert!(witness.contains("file_name: main.c"), "{witness}");
    let answer = folder.text(&["check", "main.c", "total.c", "out/witness-p.yml", "--property", "p.prp"]);
    assert_eq!(answer, "WITNESS: CONFIRMED\n", "{witness}");
    let discharged = folder.run(&[
        "discharge",
        "out",
        "--program",
        "main.c",
        "--program",
        "total.c",
        "--property",
        "p.prp",
    ]);
    assert_eq!(discharged.status.code(), Some(0), "{discharged:?}");
    let other = folder.run(&["discharge", "out", "--program", "main.c", "--property", "p.prp"]);
    assert_ne!(other.status.code(), Some(0), "{other:?}");
}

const INVARIANT: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int level;
extern void up(void);
static int seen;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (seen < 100000) { seen++; up(); }
        else if (__VERIFIER_nondet_int()) seen = level = 0;
    }
    if (level > 100000) reach_error();
    return 0;
}
// FILE level.c
int level;
static int seen = 1;
void up(void) { level++; seen = -seen; }
";

/// An invariant names the `static` variable of its own file, and a variable of another file that is declared `extern` there.
#[test]
fn invariants_name_what_their_file_sees() {
    let folder = Folder::new("invariant", &split(INVARIANT));
    folder.write("p.prp", PROPERTY);
    let program = ["main.c", "level.c", "--property", "p.prp"];
    assert_eq!(
        folder.verdict(&[&["verify", "--out", "out", "--check"], &program[..]].concat()),
        "VERDICT: TRUE"
    );
    let witness = folder.read("out/witness-p.yml");
    let value = witness.lines().find(|line| line.contains("value:")).unwrap_or_default();
    assert!(value.contains("seen") && value.contains("level"), "{witness}");
    let answer = folder.text(&["check", "main.c", "level.c", "out/witness-p.yml", "--property", "p.prp"]);
    assert_eq!(answer, "WITNESS: CONFIRMED\n", "{witness}");
}

#[test]
fn other_commands_take_several_files() {
    let folder = Folder::new("views", &split(STATICS));
    let automata = folder.text(&["cfa", "a.c", "b.c", "c.c"]);
    assert!(automata.contains("step@a") && automata.contains("step@b"), "{automata}");
    assert!(
        folder
            .text(&["cfa", "a.c", "b.c", "c.c", "--function", "step@b"])
            .contains("count@b")
    );
    assert!(folder.run(&["features", "a.c", "b.c", "c.c"]).status.success());
}

#[test]
fn model_files_are_one_more_file() {
    let folder = Folder::new("models", &split(MEMBER));
    folder.write("model.c", "struct foo { int x; };\nint get(void *p) { return 0; }\n");
    folder.write("nondet.c", "static int limit = 4;\nint bound(void) { return limit; }\n");
    folder.write("c.c", "int limit(void) { return 1; }\nextern int bound(void);\nextern void reach_error(void);\nvoid check(void) { if (bound() != 4) reach_error(); }\n");
    assert_eq!(
        folder.verdict(&[
            "verify", "a.c", "b.c", "c.c", "--models", "nondet.c", "--entry", "check"
        ]),
        "VERDICT: TRUE"
    );
    assert!(
        folder
            .text(&["verify", "a.c", "b.c", "--models", "model.c"])
            .contains("'get' is defined twice")
    );
}

const MACROS: &str = "
// FILE a.c
#include \"own.h\"
#include <system.h>
extern void reach_error(void);
int main(void) {
#ifdef GONE
    reach_error();
#endif
    if (OWN + SYSTEM + NUMBER + FLAG + BEFORE != 11111) reach_error();
    return 0;
}
// FILE inc/own.h
#define OWN 1
// FILE sys/system.h
#define SYSTEM 10
// FILE before.h
#define BEFORE 10000
";

#[test]
fn the_preprocessor_is_told_what_the_user_says() {
    let folder = Folder::new("macros", &split(MACROS));
    let told = [
        "-I",
        "inc",
        "-isystem",
        "sys",
        "-DNUMBER=100+999",
        "-D",
        "FLAG",
        "-DGONE",
        "-U",
        "GONE",
        "-include",
        "before.h",
    ];
    assert_eq!(
        folder.verdict(&[&["verify", "a.c"], &told[..]].concat()),
        "VERDICT: TRUE"
    );
    assert!(folder.text(&["verify", "a.c"]).contains("own.h"));
    folder.write(
        "plain.c",
        "extern void reach_error(void);\nint main(void) { if (N != 3) reach_error(); return 0; }\n",
    );
    assert_eq!(folder.verdict(&["verify", "plain.c", "-DN=3"]), "VERDICT: TRUE");
    folder.write("p.prp", PROPERTY);
    let checked = folder.text(&[
        "verify",
        "plain.c",
        "-DN=4",
        "--check",
        "--out",
        "out",
        "--property",
        "p.prp",
    ]);
    assert!(
        checked.contains("VERDICT: FALSE") && checked.contains("HARNESS p: reaches the violation"),
        "{checked}"
    );
    folder.write("std.c", "extern void reach_error(void);\nint main(void) { if (__STDC_VERSION__ != 199901L) reach_error(); return 0; }\n");
    assert_eq!(folder.verdict(&["verify", "std.c", "-std=c99"]), "VERDICT: TRUE");
    assert_eq!(folder.verdict(&["verify", "std.c", "--std", "c11"]), "VERDICT: FALSE");
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new(
        "stdin",
        &[("b.c", "int one(void) { return 1; }\n"), ("p.prp", PROPERTY)],
    );
    let program = "#define TWO 2\nextern int one(void);\nextern void reach_error(void);\nint main(void) { if (one() != TWO) reach_error(); return 0; }\n";
    let mut child = command::provident(&["verify", "-", "b.c", "--check", "--out", "out", "--property", "p.prp"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(text.contains("VERDICT: FALSE"), "{text}");
    assert!(text.contains("HARNESS p: reaches the violation"), "{text}");
    let trace = folder.read("out/trace-p.txt");
    assert!(trace.contains("<stdin> in main"), "{trace}");
}

#[test]
fn compilation_databases_name_files_and_their_options() {
    let folder = Folder::new(
        "database",
        &[
            (
                "src/main.c",
                "#include \"n.h\"\nextern int lib(void);\nextern void reach_error(void);\nint main(void) { if (lib() != N) reach_error(); return 0; }\n",
            ),
            ("src/lib.c", "int lib(void) { return N; }\n"),
            ("src/test.c", "int main(void) { return 1; }\n"),
            ("src/inc/n.h", "#define N 8\n"),
        ],
    );
    let path = |name: &str| folder.0.join(name).display().to_string();
    folder.write(
        "compile_commands.json",
        &format!(
            r#"[{{"directory": {0:?}, "file": "main.c", "arguments": ["cc", "-Iinc", "-c", "main.c"]}},
                {{"directory": {0:?}, "file": "lib.c", "command": "cc -O2 '-DN=7+1' -c lib.c"}},
                {{"directory": {0:?}, "file": "test.c", "command": "cc -c test.c"}}]"#,
            path("src")
        ),
    );
    let all = folder.text(&["verify", "--compile-commands", "compile_commands.json"]);
    assert!(all.contains("the function 'main' is defined twice"), "{all}");
    let chosen = [
        "--compile-commands",
        "compile_commands.json",
        "--units",
        "main.c",
        "--units",
        "**/lib.c",
    ];
    assert_eq!(folder.verdict(&[&["verify"], &chosen[..]].concat()), "VERDICT: TRUE");
    let output = folder.run(&[
        "verify",
        "--compile-commands",
        "compile_commands.json",
        "--units",
        "none*",
    ]);
    assert_eq!(output.status.code(), Some(3));
}
