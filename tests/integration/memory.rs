//! Checks of memory: accesses, releases, lost and left objects, against an interpreter of our own and against the compiler's libraries.

use crate::command::provident;
use crate::harness::gcc_is_there;
use crate::parallel;
use provident::cfa::LowerOptions;
use provident::cfa::program::check::CheckKind;
use provident::engine::Silent;
use provident::frontend::types::DataModel;
use provident::report::Answer;
use provident::verify::checks::checked_places;
use provident::verify::{Options, ProgramFile, Task, verify};
use provident_smt::hash::split_mix;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const KINDS: [CheckKind; 4] = [
    CheckKind::Deref,
    CheckKind::Free,
    CheckKind::Memtrack,
    CheckKind::Memcleanup,
];

pub fn written(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-memory-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file
}

/// The violations by kind and line, and the sorts with an open place.
pub type Found = (BTreeSet<(CheckKind, u32)>, BTreeSet<CheckKind>);

pub fn checked(file: &Path, explicit: bool) -> Found {
    checked_with(file, |options| {
        options.limits.ticks = Some(if explicit { 3_000_000 } else { 500_000 });
        options.explicit.enabled = explicit;
    })
}

fn checked_with(file: &Path, set: impl FnOnce(&mut provident::engine::Options)) -> Found {
    let mut program = ProgramFile {
        units: vec![file.to_path_buf().into()],
        data_model: DataModel::Lp64,
        lower: LowerOptions::default(),
        models: Vec::new(),
    };
    let requested = checked_places(&program, KINDS.into_iter().collect()).unwrap();
    program.forbid(&requested);
    let task = Task { program, requested };
    let mut options = Options::default();
    set(&mut options.engine);
    let report = verify(&task, &options, &mut Silent).unwrap().report;
    let (mut violated, mut open) = (BTreeSet::new(), BTreeSet::new());
    for property in &report.properties {
        let (kind, place) = property.name.split_once('/').unwrap_or((&property.name, ""));
        let kind = CheckKind::named(kind).unwrap();
        let line = place.split(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or(0);
        match property.verdict {
            Answer::False => drop(violated.insert((kind, line))),
            Answer::True => {}
            _ => drop(open.insert(kind)),
        }
    }
    (violated, open)
}

// ---- random programs ---------------------------------------------------------------------------------------------------

/// The pointers of a program: the first four are local variables of `main`, the others are static.
const POINTERS: [&str; 6] = ["p", "q", "r", "s", "g", "h"];
const LOCALS: usize = 4;

/// A statement in a line of its own.
#[derive(Clone, Debug)]
enum Statement {
    New(usize),
    Null(usize),
    Copy(usize, usize),
    /// To the variable of an enclosing block that has ended, or has not.
    Scoped(usize, bool),
    Array(usize, u64),
    Write(usize, u64),
    Link(usize, usize),
    Follow(usize, usize),
    Free(usize),
    Index(i64),
    Element,
    /// In a function, through a pointer to the pointer.
    Advance(usize),
    /// By a function with a pointer of its own, which may forget one of static storage.
    Make(usize, u64),
    /// Three times.
    Loop(Box<Statement>),
}

/// A node has a pointer of eight bytes, then two numbers of eight bytes.
const NODE: i64 = 24;

impl Statement {
    fn random(seed: &mut u64, depth: u32) -> Statement {
        let mut below = |n: u64| split_mix(seed) % n;
        let pointer = |n: u64| usize::try_from(n % 6).unwrap();
        let kind = below(if depth == 0 { 20 } else { 19 });
        let (a, b, c) = (pointer(below(6)), pointer(below(6)), below(64));
        match kind {
            0..=3 => Statement::New(a),
            4 => Statement::Null(a),
            5 | 6 => Statement::Copy(a, b),
            7 => Statement::Scoped(a, c % 2 == 0),
            8 => Statement::Array(a, c % 3),
            9 | 10 => Statement::Write(a, c % 2),
            11 | 12 => Statement::Link(a, b),
            13 => Statement::Follow(a, b),
            14 | 15 => Statement::Free(a),
            16 => match c % 2 {
                0 => Statement::Index(i64::try_from(c % 5).unwrap() - 1),
                _ => Statement::Element,
            },
            17 => Statement::Advance(a),
            18 => Statement::Make(a, c % 3),
            _ => Statement::Loop(Box::new(Statement::random(seed, depth + 1))),
        }
    }

    fn text(&self) -> String {
        let name = |p: &usize| POINTERS[*p];
        match self {
            Statement::New(p) => format!("{} = calloc(1, sizeof(struct node));", name(p)),
            Statement::Null(p) => format!("{} = 0;", name(p)),
            Statement::Copy(p, q) => format!("{} = {};", name(p), name(q)),
            Statement::Scoped(p, inside) => match inside {
                true => format!(
                    "{{ struct node n = {{0}}; {0} = &n; {0}->data[0] = 1; {0} = 0; }}",
                    name(p)
                ),
                false => format!("{{ struct node n = {{0}}; {} = &n; }}", name(p)),
            },
            Statement::Array(p, at) => format!("{} = &nodes[{at}];", name(p)),
            Statement::Write(p, at) => format!("{}->data[{at}] = 7;", name(p)),
            Statement::Link(p, q) => format!("{}->next = {};", name(p), name(q)),
            Statement::Follow(p, q) => format!("{} = {}->next;", name(p), name(q)),
            Statement::Free(p) => format!("free({});", name(p)),
            Statement::Index(by) => format!("i += {by};"),
            Statement::Element => "nodes[i].data[1] = 5;".to_string(),
            Statement::Advance(p) => format!("advance(&{});", name(p)),
            Statement::Make(p, k) => format!("{} = make({k});", name(p)),
            Statement::Loop(inner) => format!("for (int k = 0; k < 3; k++) {}", inner.text()),
        }
    }
}

/// A pointer: null, or an object and an offset.
type Pointer = Option<(usize, i64)>;

struct Object {
    size: i64,
    heap: bool,
    live: bool,
    lost: bool,
    next: Vec<Pointer>,
}

/// An interpreter that shares nothing with the verifier.
struct Interpreter {
    pointers: [Pointer; 6],
    objects: Vec<Object>,
    index: i64,
    violated: BTreeSet<(CheckKind, u32)>,
    line: u32,
}

/// The lines of `advance`, `make` and the head of `main`.
const ADVANCE: u32 = 4;
const MAKE: u32 = 6;
const MAIN: u32 = 7;

impl Interpreter {
    fn run(statements: &[Statement], first: u32) -> BTreeSet<(CheckKind, u32)> {
        let array = Object::new(3 * NODE, false);
        let mut interpreter = Interpreter {
            pointers: [None; 6],
            objects: vec![array],
            index: 0,
            violated: BTreeSet::new(),
            line: first,
        };
        for statement in statements {
            if interpreter.statement(statement).is_none() {
                return interpreter.violated;
            }
            interpreter.look_for_lost();
            interpreter.line += 1;
        }
        // The local variables end with `main`.
        interpreter.pointers[..LOCALS].fill(None);
        interpreter.objects[0].live = false;
        interpreter.line = 0;
        interpreter.look_for_lost();
        if interpreter.objects.iter().any(|o| o.heap && o.live) {
            interpreter.violated.insert((CheckKind::Memcleanup, 0));
        }
        interpreter.violated
    }

    /// Carries out a statement; `None` if the execution ends there.
    fn statement(&mut self, statement: &Statement) -> Option<()> {
        match *statement {
            Statement::New(p) => {
                self.objects.push(Object::new(NODE, true));
                self.pointers[p] = Some((self.objects.len() - 1, 0));
            }
            Statement::Null(p) => self.pointers[p] = None,
            Statement::Copy(p, q) => self.pointers[p] = self.pointers[q],
            Statement::Scoped(p, inside) => {
                self.objects.push(Object::new(NODE, false));
                let object = self.objects.len() - 1;
                self.pointers[p] = (!inside).then_some((object, 0));
                self.objects[object].live = false;
            }
            Statement::Array(p, at) => self.pointers[p] = Some((0, i64::try_from(at).unwrap() * NODE)),
            Statement::Write(p, at) => {
                self.access(self.pointers[p], 8 + 8 * i64::try_from(at).unwrap(), self.line)?;
            }
            Statement::Link(p, q) => {
                let (object, offset) = self.access(self.pointers[p], 0, self.line)?;
                let slot = usize::try_from(offset / NODE).unwrap();
                self.objects[object].next[slot] = self.pointers[q];
            }
            Statement::Follow(p, q) => self.pointers[p] = self.next(self.pointers[q], self.line)?,
            Statement::Free(p) => {
                if let Some((object, offset)) = self.pointers[p] {
                    let freed = &mut self.objects[object];
                    if !(freed.heap && freed.live && offset == 0) {
                        self.violated.insert((CheckKind::Free, self.line));
                        return None;
                    }
                    freed.live = false;
                }
            }
            Statement::Index(by) => self.index += by,
            Statement::Element => {
                if !(0..3).contains(&self.index) {
                    self.violated.insert((CheckKind::Deref, self.line));
                    return None;
                }
            }
            Statement::Advance(p) => {
                self.pointers[p] = self.next(self.pointers[p], ADVANCE)?;
                let line = std::mem::replace(&mut self.line, ADVANCE);
                self.look_for_lost();
                self.line = line;
            }
            Statement::Make(p, k) => {
                if k > 0 {
                    self.pointers[LOCALS] = None;
                    let line = std::mem::replace(&mut self.line, MAKE);
                    self.look_for_lost();
                    self.line = line;
                }
                let mut object = Object::new(NODE, true);
                object.next[0] = self.pointers[LOCALS + 1].filter(|_| k > 1);
                self.objects.push(object);
                self.pointers[p] = Some((self.objects.len() - 1, 0));
            }
            Statement::Loop(ref inner) => {
                for _ in 0..3 {
                    self.statement(inner)?;
                    // An object that a call loses is lost where it has returned.
                    self.look_for_lost();
                }
            }
        }
        Some(())
    }

    fn next(&mut self, pointer: Pointer, line: u32) -> Option<Pointer> {
        let (object, offset) = self.access(pointer, 0, line)?;
        Some(self.objects[object].next[usize::try_from(offset / NODE).unwrap()])
    }

    fn access(&mut self, pointer: Pointer, at: i64, line: u32) -> Option<(usize, i64)> {
        let inside = |&(object, offset): &(usize, i64)| {
            let object = &self.objects[object];
            object.live && offset >= 0 && offset + at + 8 <= object.size
        };
        let found = pointer.filter(inside);
        if found.is_none() {
            self.violated.insert((CheckKind::Deref, line));
        }
        found
    }

    fn look_for_lost(&mut self) {
        let mut reached = vec![false; self.objects.len()];
        let mut open: Vec<usize> = vec![0];
        let points_into = |pointer: &Pointer, objects: &[Object]| {
            pointer.filter(|&(object, offset)| (0..=objects[object].size).contains(&offset))
        };
        let roots = self.pointers.iter().filter_map(|p| points_into(p, &self.objects));
        open.extend(roots.map(|(object, _)| object));
        while let Some(object) = open.pop() {
            if !self.objects[object].live || std::mem::replace(&mut reached[object], true) {
                continue;
            }
            let next = self.objects[object].next.iter();
            open.extend(
                next.filter_map(|p| points_into(p, &self.objects))
                    .map(|(object, _)| object),
            );
        }
        for (object, reached) in self.objects.iter_mut().zip(reached) {
            if object.heap && object.live && !reached && !object.lost {
                object.lost = true;
                self.violated.insert((CheckKind::Memtrack, self.line));
            }
        }
    }
}

impl Object {
    fn new(size: i64, heap: bool) -> Object {
        Object {
            size,
            heap,
            live: true,
            lost: false,
            next: vec![None; usize::try_from(size / NODE).unwrap()],
        }
    }
}

/// A program, and its first line that is a statement.
fn program(statements: &[Statement]) -> (String, u32) {
    let mut text = "\
extern void *calloc(unsigned long, unsigned long);
extern void free(void *);
struct node { struct node *next; long data[2]; };
static void advance(struct node **at) { *at = (*at)->next; }
struct node *g, *h;
static struct node *make(int k) { if (k) g = 0; struct node *n = calloc(1, sizeof *n); n->next = k > 1 ? h : 0; return n; }
int main(void) {
struct node nodes[3] = {0}, *p = 0, *q = 0, *r = 0, *s = 0;
int i = 0;
"
    .to_string();
    let first = u32::try_from(text.lines().count()).unwrap() + 1;
    for statement in statements {
        text += &statement.text();
        text.push('\n');
    }
    text += "return 0;\n}\n";
    (text, first)
}

/// A number from the environment, as the other random programs have them.
fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn random_programs_agree_with_an_interpreter() {
    let first = environment("PROVIDENT_RANDOM_SEED", 0);
    let seeds: Vec<u64> = (first..first + environment("PROVIDENT_RANDOM", 120)).collect();
    let problems = parallel::problems(&seeds, |&number| {
        let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51ed;
        let length = 4 + split_mix(&mut seed) % 12;
        let statements: Vec<Statement> = (0..length).map(|_| Statement::random(&mut seed, 0)).collect();
        let (text, first) = program(&statements);
        let mut expected = Interpreter::run(&statements, first);
        let file = written(&format!("random{number}.c"), &text);
        let mut problems = Vec::new();
        for explicit in [true, false] {
            let (found, open) = checked(&file, explicit);
            // What `main` returns with is at its head or its end.
            let last = first + u32::try_from(statements.len()).unwrap();
            let place = |&(kind, line): &(CheckKind, u32)| match line == MAIN || line >= last {
                true => (kind, 0),
                false => (kind, line),
            };
            let found: BTreeSet<(CheckKind, u32)> = found.iter().map(place).collect();
            expected = expected.iter().map(place).collect();
            for &violation in found.difference(&expected) {
                problems.push(format!(
                    "{number}, explicit {explicit}: {violation:?} is no violation\n{text}"
                ));
            }
            for &violation in expected.difference(&found) {
                if !open.contains(&violation.0) {
                    problems.push(format!(
                        "{number}, explicit {explicit}: {violation:?} is missed\n{text}"
                    ));
                }
            }
            if explicit && !open.is_empty() {
                problems.push(format!("{number}: {open:?} are open\n{text}"));
            }
        }
        problems
    });
    let shown: Vec<String> = problems.iter().take(4).cloned().collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), shown.join("\n"));
}

// ---- programs with inputs ----------------------------------------------------------------------------------------------

/// A program behind these declarations, and the sorts that it violates.
const HEAD: &str = "\
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; char name[6]; unsigned low : 3, high : 9; };
";

use CheckKind::{Deref, Free, Memcleanup, Memtrack};

const CASES: [(&str, &str, &[CheckKind]); 35] = [
    (
        "fills_true",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i; free(a); return 0; }",
        &[],
    ),
    (
        "fills_false",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0; int *a = malloc(n * sizeof *a); for (int i = 0; i <= n; i++) a[i] = i; free(a); return 0; }",
        &[Deref],
    ),
    (
        "copies_true",
        "int main(void) { char *c = malloc(6); strcpy(c, \"hello\"); free(c); return 0; }",
        &[],
    ),
    (
        "copies_false",
        "int main(void) { char *c = malloc(5); strcpy(c, \"hello\"); free(c); return 0; }",
        &[Deref],
    ),
    (
        "bits_true",
        "int main(void) { struct node n = {0}, *p = &n; p->high = __VERIFIER_nondet_int(); return p->low; }",
        &[],
    ),
    (
        "bits_false",
        "int main(void) { struct node *p = malloc(sizeof(void *) + 6); p->low = 1; free(p); return 0; }",
        &[Deref],
    ),
    (
        "name_true",
        "int main(void) { struct node *p = malloc(sizeof(void *) + 6); p->name[5] = 1; free(p); return 0; }",
        &[],
    ),
    (
        "literal_false",
        "int main(void) { char *c = \"abc\"; if (__VERIFIER_nondet_int()) c[0] = 1; return 0; }",
        &[Deref],
    ),
    (
        "null_false",
        "int main(void) { struct node *p = 0; if (__VERIFIER_nondet_int() == 5) return p->low; return 0; }",
        &[Deref],
    ),
    (
        "wild_false",
        "int main(void) { int *p; if (__VERIFIER_nondet_int() == 5) return *p; return 0; }",
        &[Deref],
    ),
    (
        "ended_false",
        "static int *f(void) { int x = 1; return &x; } int main(void) { int *p = f(); return *p; }",
        &[Deref],
    ),
    (
        "block_false",
        "int main(void) { int *p = 0; { int x = 3; p = &x; } return *p; }",
        &[Deref],
    ),
    (
        "block_goto_false",
        "int main(void) { int b = 0, *p = &b; { int x = 3; if (__VERIFIER_nondet_int() == 7) { p = &x; goto out; } b = x; } out: return *p; }",
        &[Deref],
    ),
    (
        "block_switch_false",
        "int main(void) { int b = 0, *p = &b; switch (__VERIFIER_nondet_int()) { case 1: { int x = 3; p = &x; break; } case 2: b++; } return *p; }",
        &[Deref],
    ),
    (
        "block_expression_false",
        "int main(void) { int *p = 0; int y = ({ int x = 3; p = &x; *p + 1; }); return *p + y; }",
        &[Deref],
    ),
    (
        "block_entered_true",
        "int main(void) { int r = 0, *p = 0; if (__VERIFIER_nondet_int()) goto in; { int x; if (r) in: p = &x; r = 1; x = 2; if (p) r = *p; } return r; }",
        &[],
    ),
    (
        "used_false",
        "int main(void) { int *p = malloc(4); *p = __VERIFIER_nondet_int(); if (*p == 12345) free(p); *p = 1; free(p); return 0; }",
        &[Deref],
    ),
    (
        "twice_false",
        "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() == 77) free(p); free(p); return 0; }",
        &[Free],
    ),
    (
        "inside_false",
        "int main(void) { int *p = malloc(8); p++; if (__VERIFIER_nondet_int()) free(p); else free(p - 1); return 0; }",
        &[Free],
    ),
    (
        "stack_false",
        "int main(void) { int x, *p = __VERIFIER_nondet_int() ? &x : malloc(4); free(p); return 0; }",
        &[Free],
    ),
    (
        "null_true",
        "int main(void) { int *p = 0; free(p); p = realloc(p, 4); *p = 3; free(p); return 0; }",
        &[],
    ),
    (
        "moved_false",
        "int main(void) { int *p = malloc(4), *q = p; p = realloc(p, 8); p[1] = 3; if (__VERIFIER_nondet_int()) *q = 3; free(p); return 0; }",
        &[Deref],
    ),
    (
        "ignored_false",
        "int main(void) { malloc(4); return 0; }",
        &[Memtrack, Memcleanup],
    ),
    (
        "list_true",
        "int main(void) { struct node *l = 0; for (int i = 0; i < 4; i++) { struct node *n = calloc(1, sizeof *n); n->next = l; l = n; } while (l) { struct node *n = l->next; free(l); l = n; } return 0; }",
        &[],
    ),
    (
        "list_false",
        "int main(void) { struct node *l = 0; for (int i = 0; i < 4; i++) { struct node *n = calloc(1, sizeof *n); n->next = l; l = n; } while (l) { struct node *n = l->next; if (__VERIFIER_nondet_int()) free(l); l = n; } return 0; }",
        &[Memtrack, Memcleanup],
    ),
    (
        "kept_false",
        "static int *keep; int main(void) { keep = malloc(4); *keep = 3; return 0; }",
        &[Memcleanup],
    ),
    (
        "exit_false",
        "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int()) exit(1); free(p); return 0; }",
        &[Memcleanup],
    ),
    (
        "length_true",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5) return 0; int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[n - 1]; }",
        &[],
    ),
    (
        "length_false",
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5) return 0; int a[n]; a[0] = 1; return a[n]; }",
        &[Deref],
    ),
    (
        "literal_index_false",
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; return (int[]){1, 2, 3}[i]; }",
        &[Deref],
    ),
    (
        "recursion_true",
        "static void f(int *p, int n) { if (n == 0) { *p = 3; return; } f(p, n - 1); } int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0; int *p = malloc(4); *p = 1; f(p, n); *p = 2; free(p); return 0; }",
        &[],
    ),
    (
        "stale_false",
        "static int *g; static void f(int k) { if (k) g = 0; int *p = malloc(4); g = p; } int main(void) { f(0); f(__VERIFIER_nondet_int()); free(g); return 0; }",
        &[Memtrack, Memcleanup],
    ),
    (
        "unread_false",
        "static int *g; static int *f(void) { int *p = malloc(4); return p; } int main(void) { g = f(); return 0; }",
        &[Memcleanup],
    ),
    (
        "result_true",
        "static int *f(int n) { if (n > 3) return 0; int *p = malloc(4); return p; } int main(void) { int *p = f(1), *q = f(2); free(p); free(q); return 0; }",
        &[],
    ),
    (
        "index_true",
        "int main(void) { int a[3][4] = {0}, i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); if (i < 0 || i > 2 || j < 0 || j > 3) return 0; a[i][j] = 1; return a[2 - i][3 - j]; }",
        &[],
    ),
];

#[test]
fn programs_with_inputs_have_their_verdicts_and_libraries_see_the_same() {
    let words = KINDS.map(CheckKind::word).join(",");
    let problems = parallel::problems(&CASES, |&(name, text, expected)| {
        let file = written(&format!("{name}.c"), &format!("{HEAD}{text}\n"));
        let mut problems = Vec::new();
        // With `--check` a harness runs under AddressSanitizer or LeakSanitizer, if there is a gcc: a FALSE that it does not see is UNKNOWN.
        for more in [&["--set", "slice=off"][..], &["--set", "explicit=off"], &["--check"]] {
            if more == ["--check"] && !gcc_is_there() {
                continue;
            }
            let fixed = [
                "verify",
                file.to_str().unwrap(),
                "--checks",
                &words,
                "--ticks",
                "3000000",
            ];
            let output = provident(&[&fixed[..], more].concat()).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            for kind in KINDS {
                let of_kind = |line: &&str| line.starts_with(&format!("PROPERTY {}", kind.word()));
                let ends = |word: &str| text.lines().filter(of_kind).any(|line| line.contains(word));
                let is_false = ends(": FALSE");
                // Formulas alone know nothing of lost objects.
                let may_be_open = more.contains(&"explicit=off");
                let is_right = match expected.contains(&kind) {
                    true => is_false || (may_be_open && ends(": UNKNOWN")),
                    false => !is_false && (may_be_open || !ends(": UNKNOWN") || expected.contains(&Deref)),
                };
                if !is_right {
                    problems.push(format!("{name} {more:?} {}:\n{text}", kind.word()));
                }
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_execution_decides_what_does_not_ask_about_all_heap_objects() {
    let text = "extern void *malloc(unsigned long);\n\
                extern void free(void *);\n\
                struct node { struct node *next; int value; };\n\
                static int limit = 300;\n\
                static const char *name = \"list\";\n\
                int main(void) {\n\
                  struct node *list = 0;\n\
                  int sum = name[0];\n\
                  for (int i = 1; i < limit; i++) {\n\
                    int row[i];\n\
                    row[i - 1] = i;\n\
                    struct node *one = malloc(sizeof *one);\n\
                    one->next = list; one->value = row[i - 1] / i;\n\
                    list = one;\n\
                  }\n\
                  while (list->next) { struct node *next = list->next; sum += list->value; free(list); list = next; }\n\
                  list = 0;\n\
                  return sum == 3;\n\
                }\n";
    let file = written("execution.c", text);
    let program = ProgramFile {
        units: vec![file.into()],
        data_model: DataModel::Lp64,
        lower: LowerOptions::default(),
        models: Vec::new(),
    };
    let mut verdicts = Vec::new();
    for kinds in [CheckKind::ALL.to_vec(), KINDS.to_vec()] {
        let mut program = program.clone();
        let requested = checked_places(&program, kinds.iter().copied().collect()).unwrap();
        program.forbid(&requested);
        let task = Task { program, requested };
        let mut options = Options::default();
        options.engine.limits.ticks = Some(3_000_000);
        let report = verify(&task, &options, &mut Silent).unwrap().report;
        let is_of_heap = |name: &str| name.starts_with("valid-mem");
        for property in report.properties.iter().filter(|property| !is_of_heap(&property.name)) {
            assert_eq!(property.verdict, Answer::True, "{}", property.name);
        }
        let of_heap = report.properties.iter().filter(|property| is_of_heap(&property.name));
        let of_heap: Vec<_> = of_heap
            .map(|property| (property.name.clone(), property.verdict))
            .collect();
        verdicts.push(of_heap);
    }
    assert_eq!(verdicts[0], verdicts[1], "other checks change nothing");
    let violated: Vec<&str> = verdicts[0]
        .iter()
        .filter(|(_, verdict)| *verdict == Answer::False)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        violated,
        ["valid-memtrack/execution.c:17:6", "valid-memcleanup/execution.c:6:5"]
    );
}

/// Two machines follow the same executions, and have notions of a lost object of their own.
#[test]
fn the_execution_and_the_exploration_lose_the_same_objects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/concrete");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|file| file.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort_unstable();
    let lost = parallel::problems(&files, |file| {
        let found = |steps: u64| {
            checked_with(file, |options| {
                options.limits.ticks = Some(2_000_000);
                options.explicit.concrete = steps;
                options.explicit.steps = options.explicit.steps.min(1_000_000);
            })
        };
        let (executed, explored) = (found(100_000_000), found(0));
        for (name, (violated, _), (other, open)) in
            [("executed", &executed, &explored), ("explored", &explored, &executed)]
        {
            for &(kind, line) in violated.difference(other) {
                assert!(
                    open.contains(&kind),
                    "{name} only: {kind} in line {line} of {}",
                    file.display()
                );
            }
        }
        executed
            .0
            .into_iter()
            .map(|(kind, line)| format!("{kind} {line}"))
            .collect()
    });
    assert!(!lost.is_empty(), "some programs lose objects");
}

#[test]
fn a_result_that_was_passed_on_keeps_no_object() {
    let text = "extern void *malloc(unsigned long);\n\
                struct node { struct node *next; };\n\
                struct box { struct node *p; char name[3]; };\n\
                static struct box make(int n) {\n\
                  struct box b = {0};\n\
                  if (n == 0) { b.p = malloc(sizeof *b.p); return b; }\n\
                  b = make(n - 1);\n\
                  b.p = 0;\n\
                  return b;\n\
                }\n\
                int main(void) { struct box b = make(1); return b.p != 0; }\n";
    let (violated, open) = checked(&written("passed.c", text), true);
    assert!(open.is_empty(), "{open:?}");
    // The line behind that of the loss is no violation, although the object is lost there, too.
    let lost: Vec<u32> = violated
        .into_iter()
        .filter(|(kind, _)| *kind == Memtrack)
        .map(|(_, line)| line)
        .collect();
    assert_eq!(lost, [8]);
}

/// Copies of a number of bytes that inputs decide, and through pointers of which the points-to analysis knows nothing: each with a bound that suffices and one that does not.
#[test]
fn copies_of_any_number_of_bytes_stay_in_their_objects_or_do_not() {
    let head = "extern unsigned __VERIFIER_nondet_uint(void);\n\
                extern void *malloc(unsigned long), *memcpy(void *, const void *, unsigned long);\n";
    let plain = "int main(void) {\n\
                   unsigned char from[8], to[8] = {0};\n\
                   unsigned skip = __VERIFIER_nondet_uint(), count = __VERIFIER_nondet_uint();\n\
                   if (skip > 3 || BOUND) return 0;\n\
                   memcpy(to + skip, from, count);\n\
                   return to[0];\n\
                 }\n";
    let behind = "static unsigned char store[64], out[16];\n\
                  struct device { unsigned char *bytes; const unsigned *size; };\n\
                  static const unsigned size = 64;\n\
                  static struct device device;\n\
                  static void open(struct device *at, void *given) {\n\
                    at->size = &size;\n\
                    at->bytes = given ? given : malloc(*at->size);\n\
                  }\n\
                  int main(void) {\n\
                    unsigned from = __VERIFIER_nondet_uint(), count = __VERIFIER_nondet_uint();\n\
                    open(&device, store);\n\
                    if (count > sizeof out || BOUND) return 0;\n\
                    memcpy(out, &device.bytes[from], count);\n\
                    return 0;\n\
                  }\n";
    let cases = [
        (plain, "count > 5", None),
        (plain, "count > 6", Some(7)),
        (behind, "from > *device.size - count", None),
        // The sum wraps.
        (behind, "from + count > *device.size", Some(15)),
    ];
    for (number, (text, bound, line)) in cases.into_iter().enumerate() {
        let text = format!("{head}{}", text.replace("BOUND", bound));
        let (violated, open) = checked(&written(&format!("copies{number}.c"), &text), true);
        let lines: BTreeSet<u32> = violated
            .iter()
            .filter(|(kind, _)| *kind == CheckKind::Deref)
            .map(|(_, line)| *line)
            .collect();
        assert_eq!(lines, line.into_iter().collect(), "{bound}");
        assert!(!open.contains(&CheckKind::Deref), "{bound}: {open:?}");
    }
}

#[test]
fn objects_that_the_program_does_not_know_decide_nothing() {
    let programs = [
        "extern int table[]; int main(void) { int *p = table; return p[1]; }",
        "extern int table[]; int main(void) { return table[__VERIFIER_nondet_int() & 1]; }",
        "extern struct node *found(void); int main(void) { return found()->low; }",
        "extern struct node *found(void); int main(void) { free(found()); return 0; }",
        "extern void keep(struct node *); int main(void) { struct node *p = malloc(sizeof *p); keep(p); p = 0; return 0; }",
    ];
    for (i, text) in programs.into_iter().enumerate() {
        let file = written(&format!("unknown{i}.c"), &format!("{HEAD}{text}\n"));
        let words = KINDS.map(CheckKind::word).join(",");
        let fixed = [
            "verify",
            file.to_str().unwrap(),
            "--checks",
            &words,
            "--ticks",
            "3000000",
        ];
        for more in [&[][..], &["--set", "explicit=off"]] {
            let output = provident(&[&fixed[..], more].concat()).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains("\nVERDICT: UNKNOWN (replay-"), "{text}");
        }
    }
}

#[test]
fn property_files_name_the_part_that_is_violated() {
    let file = written(
        "parts.c",
        &format!("{HEAD}int main(void) {{ int *p = malloc(4); p = 0; return *p; }}\n"),
    );
    let property = written(
        "valid-memsafety.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n",
    );
    let arguments = [
        "verify",
        file.to_str().unwrap(),
        "--property",
        property.to_str().unwrap(),
    ];
    let output = provident(&arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).collect();
    let verdicts = &lines[lines.len() - 4..];
    assert_eq!(
        verdicts,
        [
            "PROPERTY valid-memsafety/valid-free: TRUE",
            "PROPERTY valid-memsafety/valid-deref: FALSE",
            "PROPERTY valid-memsafety/valid-memtrack: FALSE",
            "VERDICT: FALSE"
        ]
    );
    let violated = "the access goes outside of every object that exists";
    assert!(text.contains(violated), "{text}");
    assert!(text.contains("a heap object is lost: nothing points to it"), "{text}");
}

/// A driver writes a name into a member that is an array, by functions of the library, and finds the record by the name again. Neither makes bytes of the pointers beside the array.
#[test]
fn a_text_in_a_member_stays_in_the_member() {
    let text = "extern void *malloc(unsigned long);\n\
                extern int snprintf(char *, unsigned long, const char *, ...);\n\
                extern char *strcat(char *, const char *);\n\
                extern int __VERIFIER_nondet_int(void);\n\
                extern void reach_error(void);\n\
                struct urb { int submitted; };\n\
                struct device { struct urb *irq; char name[32]; int *state; };\n\
                static int idle;\n\
                static struct device *of_name(char *name) { return (struct device *)(name - 8); }\n\
                static void connect(struct device *d, const char *bus, int port) {\n\
                  snprintf(d->name, sizeof d->name, \"%s-%d\", bus, port);\n\
                  strcat(d->name, \"/input0\");\n\
                }\n\
                int main(void) {\n\
                  struct device *d = malloc(sizeof *d);\n\
                  struct urb *u = malloc(sizeof *u);\n\
                  const char *bus = __VERIFIER_nondet_int() ? \"usb\" : \"pci0\";\n\
                  if (!d || !u) return 0;\n\
                  d->irq = u;\n\
                  d->state = &idle;\n\
                  connect(d, bus, __VERIFIER_nondet_int() & 3);\n\
                  if (of_name(d->name) != d) return 0;\n\
                  while (__VERIFIER_nondet_int()) {\n\
                    d->irq->submitted = 1;\n\
                    idle = idle + 2;\n\
                    if (idle > 6) idle = 0;\n\
                  }\n\
                  if (d->irq != u || d->state != &idle || *d->state % WRONG != 0) reach_error();\n\
                  return 0;\n\
                }\n";
    for (divisor, verdict) in [("2", "TRUE"), ("4", "FALSE")] {
        let file = written(&format!("name{divisor}.c"), &text.replace("WRONG", divisor));
        let file = file.to_str().unwrap();
        let options = ["--threads", "1", "--ticks", "2000000", "--set", "explicit=off"];
        let output = provident(&[["verify", file].as_slice(), &options].concat())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.ends_with(&format!("VERDICT: {verdict}\n")), "{said}");
    }
}

/// The solver puts the record from outside where the table is, as their cells are of different kinds. On the machine they are the same bytes.
#[test]
fn objects_from_outside_get_places_of_their_own() {
    let text = "extern int __VERIFIER_nondet_int(void);\n\
                extern void reach_error(void);\n\
                struct record { long first; int second; };\n\
                extern struct record *find(void);\n\
                int table[4] = {1, 2, 3, 4};\n\
                int main(void) {\n\
                  struct record *p = find();\n\
                  if (table[__VERIFIER_nondet_int() & 3] > 4 || (unsigned long)p < (unsigned long)table) return 0;\n\
                  if ((unsigned long)p > (unsigned long)table + LIMIT) return 0;\n\
                  if (p->first == 5 && p->second == 7) reach_error();\n\
                  return 0;\n\
                }\n";
    for (limit, verdict) in [("0x100000000UL", "VERDICT: FALSE"), ("4", "VERDICT: UNKNOWN (replay-")] {
        let file = written(&format!("apart{}.c", limit.len()), &text.replace("LIMIT", limit));
        let file = file.to_str().unwrap();
        let options = ["--threads", "1", "--ticks", "2000000", "--set", "explicit=off"];
        let output = provident(&[["verify", file].as_slice(), &options].concat())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&format!("\n{verdict}")), "{said}");
    }
}
