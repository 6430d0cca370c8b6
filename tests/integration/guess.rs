//! Guesses from explicit states and from the text of a program: those that are inductive are kept and show what the states were too many to show, others are dropped.

use crate::cases::{program, run_certified};
use crate::discharged::{open, properties};
use provident::certify::guess::{Suggested, guess_from_text};
use provident::certify::{Certificate, Origin};
use provident::cfa::Program;
use provident::cpa::tracking::PropertyId;
use provident::encode::{Arith, Encoder};
use provident::engine::Options;
use provident::evidence::obligations::coverage::covers;
use provident::evidence::obligations::manifest::{Kind, Role};
use provident::evidence::obligations::{Effort, Failure, Manifest, Obligations, excluded, inductive, obligations};
use provident_smt::solver::{Config, Solver};
use provident_smt::term::{NO_INDEX, TermPool};

/// Programs with too many states to claim each, or with values that states do not say.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "an array is filled, with pairs",
        "int main(void) { int i, n = 30000, a[2 * n + 1];
         for (i = 0; i < n; i++) { a[2 * i] = 5; a[2 * i + 1] = 5; }
         for (i = 0; i < 2 * n; i++) { if (a[i] < 0) { A: return 1; } if (a[i] != 5) { B: return 2; } } return 0; }",
    ),
    (
        "an array is copied and changed by an input",
        "extern unsigned __VERIFIER_nondet_uint(void); unsigned a[20000], b[20000];
         int main(void) { unsigned d = __VERIFIER_nondet_uint(); int i;
         for (i = 0; i < 20000; i++) a[i] = 7;
         for (i = 0; i < 20000; i++) b[19999 - i] = a[i];
         for (i = 0; i < 20000; i++) b[i] = b[i] + d;
         for (i = 0; i < 20000; i++) { if (b[i] != 7 + d) { A: return 1; } if (a[i] == 8) { B: return 2; } } return 0; }",
    ),
    (
        "the sum of answers",
        "extern int __VERIFIER_nondet_int(void);
         int odd(int *x) { int n = 0; for (int i = 0; i < 9; i++) { if (x[i] % 2 == 0) n--; else n++; } return n; }
         int main(void) { int x[9]; for (int i = 0; i < 9; i++) x[i] = __VERIFIER_nondet_int();
         int first = odd(x), keep = x[3]; x[3] = x[8]; x[8] = keep; int second = odd(x);
         if (first != second) { A: return 1; } if (second > 9) { B: return 2; } return 0; }",
    ),
];

fn solver(effort: Effort) -> Solver {
    solver_within(1_000_000, effort)
}

/// A solver that may spend so much on many guesses together.
fn solver_within(least: u64, effort: Effort) -> Solver {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    solver.set_tick_limit(match effort {
        Effort::Least => Some(least),
        Effort::Little => Some(5_000_000),
        Effort::Full => None,
    });
    solver
}

fn guessed(name: &str, text: &str) -> (Program, Certificate) {
    let program = program(name, text);
    let options = Options {
        certificate: true,
        certify_ticks: 1,
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &options);
    assert_eq!(verdicts, ["TRUE", "TRUE"], "{name}");
    let certificate = certified.evidence.certificate.expect("there are guesses");
    assert_eq!(certificate.origin, Origin::Guessed, "{name}");
    (program, certificate)
}

/// The guesses that the text of a program suggests for all of its properties.
fn suggested(program: &Program) -> Suggested {
    let all = properties(program);
    let targets = all
        .iter()
        .flat_map(|property| property.targets.iter().copied())
        .collect();
    let every = PropertyId::first(all.len()).collect();
    guess_from_text(program, (every, &targets), Arith::Machine).expect("there are loops")
}

fn settled(program: &Program, certificate: &Certificate) -> Certificate {
    inductive(program, &properties(program), certificate, &mut solver)
}

fn written(program: &Program, certificate: &Certificate) -> Result<Obligations, Failure> {
    obligations(program, &properties(program), certificate, &mut solver)
}

#[test]
fn what_states_have_in_common_shows_what_they_are_too_many_to_show() {
    for (name, text) in PROGRAMS {
        let (program, certificate) = guessed(name, text);
        let settled = settled(&program, &certificate);
        let made = written(&program, &settled).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(open(&made), [], "{name}");
        for (file, script) in &made.scripts {
            assert!(!script.contains("forall"), "{name}: {file}");
        }
        let has_elements = made.manifest.points.iter().any(|point| !point.elements.is_empty());
        assert_eq!(has_elements, name.contains("array"), "{name}");
        for obligation in &made.manifest.obligations {
            let before = made.manifest.points.iter().find(|point| point.id == obligation.from);
            let is_used = !obligation.elements.is_empty();
            assert!(
                !is_used || before.is_some_and(|point| !point.elements.is_empty()),
                "{name}"
            );
        }
    }
}

#[test]
fn guesses_are_inductive_once_and_for_all() {
    let (name, text) = PROGRAMS[1];
    let (program, certificate) = guessed(name, text);
    let once = settled(&program, &certificate);
    let twice = settled(&program, &once);
    let texts = |certificate: &Certificate| {
        let mut pool = TermPool::new();
        let formulas = pool.import(&certificate.formulas);
        formulas.iter().map(|&f| pool.to_smtlib(f)).collect::<Vec<String>>()
    };
    assert_eq!(texts(&once), texts(&twice));
}

#[test]
fn guesses_that_do_not_hold_are_dropped_and_are_no_proof_if_they_are_kept() {
    let (name, text) = PROGRAMS[1];
    let (program, certificate) = guessed(name, text);
    let right = settled(&program, &certificate);
    // All elements are one more than they are: of elements everything that is said is wrong then.
    let mut wrong = right.clone();
    let mut pool = TermPool::new();
    let mut formulas = pool.import(&wrong.formulas);
    for claim in &wrong.claims {
        for &each in &claim.each {
            let (seven, eight) = (pool.int(7i64), pool.int(8i64));
            let replaced = [(seven, eight)].into_iter().collect();
            let shifted = pool.substitute(formulas[each], &replaced);
            let index = pool.symbol("index!");
            let index = pool.int_var(index, NO_INDEX);
            let far = pool.int(1_000_000i64);
            let never = pool.gt(index, far);
            formulas[each] = if shifted == formulas[each] { never } else { shifted };
        }
    }
    wrong.formulas = pool.export(&formulas);
    let failure = written(&program, &wrong).expect_err("it does not hold");
    assert!(matches!(failure, Failure::Unknown(_)), "{failure:?}");
    let dropped = settled(&program, &wrong);
    assert!(dropped.claims.iter().all(|claim| claim.each.is_empty()));
    assert!(written(&program, &dropped).is_err(), "what is left shows nothing");
}

#[test]
fn a_conjunct_of_which_no_script_speaks_is_found_out() {
    let (name, text) = PROGRAMS[2];
    let (program, certificate) = guessed(name, text);
    let settled = settled(&program, &certificate);
    let mut hurried = |effort: Effort| solver_within(10, effort);
    let made = obligations(&program, &properties(&program), &settled, &mut hurried).expect("it holds");
    let pieces = made.manifest.obligations.iter().filter(|o| o.conjuncts.is_some());
    assert!(pieces.count() > 2, "some claims are shown piece by piece");
    for (position, obligation) in made.manifest.obligations.iter().enumerate() {
        let mut manifest = made.manifest.clone();
        manifest.obligations.remove(position);
        let says_something = obligation.kind != Kind::Ranges || !obligation.ranges.is_empty();
        assert!(
            covers(&manifest).is_err() || !says_something,
            "{} is not missed",
            obligation.file
        );
    }
}

#[test]
fn instances_for_other_numbers_and_a_number_of_which_something_is_known_are_found_out() {
    let (name, text) = PROGRAMS[1];
    let (program, certificate) = guessed(name, text);
    let made = written(&program, &settled(&program, &certificate)).expect("it holds");
    assert_eq!(open(&made), []);
    let again = |manifest: Manifest| Obligations {
        manifest,
        scripts: made.scripts.clone(),
    };
    let mut found = 0;
    for (position, entry) in made.manifest.obligations.iter().enumerate() {
        if !entry.parts.contains(&Role::Elements) {
            continue;
        }
        // A number is not listed, or another one is.
        for number in 0..entry.elements.len() {
            let mut manifest = made.manifest.clone();
            manifest.obligations[position].elements.remove(number);
            found += usize::from(!open(&again(manifest)).is_empty());
            let mut manifest = made.manifest.clone();
            manifest.obligations[position].elements[number] = "(+ 1 |index!@0|)".to_string();
            found += usize::from(!open(&again(manifest)).is_empty());
        }
        // A term that stands for any number is one of the block.
        let mut wrong = again(made.manifest.clone());
        let paths = entry
            .parts
            .iter()
            .position(|&role| role == Role::Paths)
            .expect("there are paths");
        let lines = wrong.scripts[position].1.lines();
        let line = lines
            .filter(|line| line.starts_with("(assert "))
            .nth(paths)
            .expect("it is there")
            .to_string();
        let known = format!("(assert (and (= |index!@0| 3) {}", &line["(assert ".len()..]) + ")";
        wrong.scripts[position].1 = wrong.scripts[position].1.replace(&line, &known);
        let open = open(&wrong);
        assert!(open.len() == 1 && open[0].1.contains("stands for any"), "{open:?}");
    }
    assert!(found > 2, "{found} wrong lists of numbers are found out");
}

/// Programs, and the parts of a statement that their text suggests.
const SUGGESTED: [(&str, &str, &[&str]); 9] = [
    (
        "by one counter",
        "extern int __VERIFIER_nondet_int(void); int a[9000], b[9000];
         int main(void) { int i; for (i = 0; i < 9000; i++) a[i] = __VERIFIER_nondet_int();
         for (i = 0; i < 9000; i++) b[i] = a[i];
         for (i = 0; i < 9000; i++) { if (a[i] < b[i]) { A: return 1; } if (a[i] > b[i]) { B: return 2; } } return 0; }",
        &["(main::i > index!)", "mem:a[4 * index! + ", " == ", "mem:b[4 * index! + "],
    ),
    (
        "by two counters",
        "extern int __VERIFIER_nondet_int(void); int a[80][90];
         int main(void) { int i, k; for (i = 0; i < 80; i++) for (k = 0; k < 90; k++) a[i][k] = __VERIFIER_nondet_int() & 7;
         for (i = 0; i < 80; i++) for (k = 0; k < 90; k++) { if (a[i][k] < 0) { A: return 1; } if (a[i][k] > 7) { B: return 2; } }
         return 0; }",
        &["(main::i > floor(index! / 90))", "mem:a[4 * index! + ", " <= 7"],
    ),
    (
        "under a flag",
        "extern int __VERIFIER_nondet_int(void); int a[9000];
         int main(void) { int i, all = 1; for (i = 0; i < 9000; i++) a[i] = __VERIFIER_nondet_int();
         for (i = 0; i < 9000; i++) if (a[i] > 5) all = 0;
         for (i = 0; i < 9000; i++) if (all) { if (a[i] > 5) { A: return 1; } if (a[i] > 70) { B: return 2; } } return 0; }",
        &["(main::i > index!)", "(main::all == 0)", "mem:a[4 * index! + ", " <= 5"],
    ),
    (
        "for two lists of objects of one size",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void abort(void);
         struct job { struct job *next; int rank; };
         int main(void) { struct job *high = 0, *low = 0, *x;
         while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); if (!x) abort(); x->rank = __VERIFIER_nondet_int();
           if (x->rank > 10) { x->next = high; high = x; } else { x->next = low; low = x; } }
         for (x = high; x; x = x->next) if (x->rank <= 10) { A: return 1; }
         for (x = low; x; x = x->next) if (x->rank > 10) { B: return 2; } return 0; }",
        &["(__heap > index!)", "mem:job.rank[mem:job.next[index!] + 4] > 10"],
    ),
    (
        "for all objects but the last one",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void abort(void);
         struct cell { int h; struct cell *n; };
         int main(void) { struct cell *a = malloc(sizeof *a), *p = a; if (!a) abort();
         while (__VERIFIER_nondet_int()) { p->h = 4; p->n = malloc(sizeof *p); p = p->n; if (!p) abort(); }
         p->h = 4; p->n = 0;
         for (p = a; p; p = p->n) { if (p->h < 4) { A: return 1; } if (p->h > 4) { B: return 2; } } return 0; }",
        &["(__heap > index!)", "(main::p != index!)", "mem:cell.h[index!] == 4"],
    ),
    (
        "for an element that is set twice, and a sum of elements",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);
         int main(void) { int n = __VERIFIER_nondet_int(), i, *a; long long s = 0; if (n <= 0 || n > 90000) return 0;
         a = malloc(n * sizeof *a); if (!a) return 0;
         for (i = 0; i < n; i++) a[i] = 2;
         for (i = 0; i < n; i++) s += a[i];
         for (i = 0; i < n; i++) a[i] = a[i] + 1;
         for (i = 0; i < n; i++) { if (a[i] != 3) { A: return 1; } if (s != 2 * (long long)n) { B: return 2; } } return 0; }",
        &["main::i > index!", "mem:int32[4 * index! + main::a] == 3"],
    ),
    (
        "for a list of lists",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void abort(void);
         struct job { struct job *next; int rank; }; struct queue { struct queue *next; struct job *jobs; };
         int main(void) { struct queue *all = 0, *q; struct job *j;
         while (__VERIFIER_nondet_int()) { q = malloc(sizeof *q); if (!q) abort(); q->jobs = 0; q->next = all; all = q;
           while (__VERIFIER_nondet_int()) { j = malloc(sizeof *j); if (!j) abort(); j->rank = 3; j->next = q->jobs; q->jobs = j; } }
         for (q = all; q; q = q->next) for (j = q->jobs; j; j = j->next) {
           if (j->rank < 3) { A: return 1; } if (j->rank > 3) { B: return 2; } } return 0; }",
        &["__kinds[index!] == "],
    ),
    (
        "for a tree with lists, and objects that one function makes",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void abort(void);
         struct leaf { struct leaf *next; int v; }; struct tree { struct tree *left, *right; struct leaf *leaves; int n; };
         static void *make(unsigned long size) { void *p = malloc(size); if (!p) abort(); return p; }
         int main(void) { struct tree *root = 0, *t; struct leaf *l;
         while (__VERIFIER_nondet_int()) { t = make(sizeof(struct tree)); t->leaves = 0; t->left = t->right = 0; t->n = 5;
           if (__VERIFIER_nondet_int()) t->left = root; else t->right = root;
           root = t;
           while (__VERIFIER_nondet_int()) { l = make(sizeof(struct leaf)); l->v = 7; l->next = t->leaves; t->leaves = l; } }
         for (t = root; t; t = __VERIFIER_nondet_int() ? t->left : t->right) { if (t->n != 5) { A: return 1; }
           for (l = t->leaves; l; l = l->next) if (l->v != 7) { B: return 2; } } return 0; }",
        &["__kinds[index!] == "],
    ),
    (
        "for lists of two types of objects beside each other",
        "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void abort(void);
         struct red { struct red *next; int r; }; struct blue { long pad[3]; struct blue *next; int b; };
         int main(void) { struct red *reds = 0, *x; struct blue *blues = 0, *y;
         while (__VERIFIER_nondet_int())
           if (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); if (!x) abort(); x->r = 1; x->next = reds; reds = x; }
           else { y = malloc(sizeof *y); if (!y) abort(); y->b = 2; y->next = blues; blues = y; }
         for (x = reds; x; x = x->next) if (x->r != 1) { A: return 1; }
         for (y = blues; y; y = y->next) if (y->b != 2) { B: return 2; } return 0; }",
        &["__kinds[index!] == "],
    ),
];

#[test]
fn conditions_and_assignments_suggest_what_all_elements_are() {
    for (name, text, wanted) in SUGGESTED {
        let program = program(name, text);
        let all = properties(&program);
        let certificates = suggested(&program).certificates;
        let certificate = &certificates[0];
        let mut pool = TermPool::new();
        let formulas = pool.import(&certificate.formulas);
        let encoder = Encoder::new(&program, Arith::Machine);
        let mut shown = formulas.iter().map(|&formula| encoder.display(&pool, formula));
        let is_wanted = |text: String| wanted.iter().all(|part| text.contains(part));
        assert!(shown.any(is_wanted), "{name}: there is no {wanted:?}");
        let settled = settled(&program, certificate);
        assert_eq!(
            excluded(&program, &all, &settled, &mut solver).len(),
            all.len(),
            "{name}"
        );
        let made = written(&program, &settled).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(open(&made), [], "{name}");
    }
}

#[test]
fn guesses_about_what_is_violated_prove_nothing() {
    let wrong = [
        (0, "b[i] = a[i]", "b[i] = a[i] | 1"),
        (3, "x->rank > 10)", "x->rank > 9)"),
        (4, "p->h = 4; p->n = 0", "p->h = 3; p->n = 0"),
        (6, "j->rank = 3;", "j->rank = all->next ? 2 : 3;"),
        (7, "t->n = 5;", "t->n = root ? 6 : 5;"),
        (8, "x->r = 1;", "x->r = blues ? 2 : 1;"),
    ];
    for (number, right, wrong) in wrong {
        let (name, text, _) = SUGGESTED[number];
        prove_nothing(name, &text.replace(right, wrong));
    }
}

fn prove_nothing(name: &str, text: &str) {
    let program = program(name, text);
    let all = properties(&program);
    let certificates = suggested(&program).certificates;
    for certificate in &certificates {
        let settled = settled(&program, certificate);
        let proved = excluded(&program, &all, &settled, &mut solver);
        assert!(
            !proved.contains(&PropertyId::new(0)),
            "{name}: the first label is reached"
        );
        assert!(matches!(written(&program, &settled), Err(Failure::Unknown(_))));
    }
}

/// Programs whose loops need equations, and whether these are about products.
const LOOPS: &[(&str, &str, bool)] = &[
    (
        "two counters and a third one",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
         if (a < 0 || a > 500000 || b < 0) return 0;
         int up = 0, left = a, other = b;
         while (left != 0) { left--; up++; other -= 3; }
         if (a == b && other + 2 * up != 0) { A: return 1; } if (up != a) { B: return 2; } return 0; }",
        false,
    ),
    (
        "counters that wrap around",
        "int main(void) { int s = 0; unsigned x = 0;
         while (1) { s += 6; x += 3; if ((unsigned)s != 2 * x) { A: return 1; } if (x == 6 && s != 12) { B: return 2; } } }",
        false,
    ),
    (
        "sums of odd numbers and of cubes",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int n = __VERIFIER_nondet_int(), i = 0, odd = 0, all = 0, cubes = 0;
         while (i < n) { odd += 2 * i + 1; i++; all += i; cubes += i * i * i;
           if (cubes != all * all) { A: return 1; } }
         if (odd != i * i) { B: return 2; } return 0; }",
        true,
    ),
    (
        "a geometric series of unsigned numbers",
        "extern unsigned __VERIFIER_nondet_uint(void);
         int main(void) { unsigned z = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint(), x = 1, y = z, c = 1;
         while (1) { if (x * z - x - y + 1 != 0) { A: return 1; } if (c >= k) break; c++; x = x * z + 1; y = y * z; }
         x = x * (z - 1);
         if (x + 1 != y) { B: return 2; } return 0; }",
        true,
    ),
    (
        "quotients by doubling",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), q = 0, r = x, a, b;
         if (y < 1) return 0;
         while (r >= y) { a = 1; b = y;
           while (r >= 2 * b) { if (b != y * a) { A: return 1; } a = 2 * a; b = 2 * b; }
           r -= b; q += a; }
         if (x != q * y + r) { B: return 2; } return 0; }",
        true,
    ),
    (
        "products by halves",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = a, y = b, z = 0;
         if (b < 1) return 0;
         while (y != 0) { if (z + x * y != a * b) { A: return 1; }
           if (y % 2 == 1) { z += x; y--; } x = 2 * x; y = y / 2; }
         if (z != a * b) { B: return 2; } return 0; }",
        true,
    ),
    (
        "the area of a rectangle, in 64 bits",
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { long long n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i, j, c = 0;
         if (n < 0 || m < 0 || n > 30000 || m > 30000) return 0;
         for (i = 0; i < n; i++) { if (c != i * m) { A: return 1; } for (j = 0; j < m; j++) c++; }
         if (c != n * m) { B: return 2; } return 0; }",
        true,
    ),
];

#[test]
fn equations_of_executions_and_identities_of_products_prove_loops() {
    for (name, text, has_products) in LOOPS {
        let program = program(name, text);
        let all = properties(&program);
        let certificates = suggested(&program).certificates;
        let certificate = &certificates[0];
        let settled = settled(&program, certificate);
        let proved = excluded(&program, &all, &settled, &mut solver);
        assert_eq!(proved.len(), all.len(), "{name}");
        let made = written(&program, &settled).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert_eq!(open(&made), [], "{name}");
        let obligations = &made.manifest.obligations;
        let has_identities = obligations.iter().any(|obligation| !obligation.identities.is_empty());
        assert_eq!(has_identities, *has_products, "{name}");
    }
}

#[test]
fn equations_that_fail_in_the_end_prove_nothing() {
    let wrong = [
        (0, "other + 2 * up", "other + 3 * up"),
        (2, "cubes != all * all", "cubes != all * all + (i > 900)"),
        (3, "- y + 1 != 0", "- y + 1 != (c == 77)"),
        (5, "x * y != a", "x * y + (y == 5) != a"),
    ];
    for (number, right, wrong) in wrong {
        let (name, text, _) = LOOPS[number];
        let text = text.replace(right, wrong);
        assert_ne!(text, LOOPS[number].1, "{name}");
        prove_nothing(name, &text);
    }
}

/// Identities whose reasons are none, also if the script uses no more than they say.
#[test]
fn reasons_of_identities_are_looked_at() {
    let (name, text, _) = LOOPS[2];
    let program = program(name, text);
    let certificates = suggested(&program).certificates;
    let settled = settled(&program, &certificates[0]);
    let made = written(&program, &settled).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    type Change<'c> = &'c dyn Fn(&mut Manifest, usize);
    let changes: [Change<'_>; 5] = [
        &|manifest, at| manifest.obligations[at].identities[0].bits = 63,
        &|manifest, at| manifest.obligations[at].identities[0].sum += " ",
        &|manifest, at| {
            let identity = &mut manifest.obligations[at].identities[0];
            identity.sum = format!("(+ 2 {})", identity.sum);
        },
        &|manifest, at| manifest.obligations[at].identities[0].definitions.clear(),
        &|manifest, at| manifest.obligations[at].identities.clear(),
    ];
    let at = made.manifest.obligations.iter().position(|obligation| {
        let first = obligation.identities.first();
        first.is_some_and(|identity| !identity.definitions.is_empty())
    });
    let at = at.expect("an obligation has an identity with definitions");
    for (number, change) in changes.into_iter().enumerate() {
        let mut changed = made.clone();
        change(&mut changed.manifest, at);
        let found = open(&changed);
        // A space changes nothing.
        assert_eq!(found.is_empty(), number == 1, "change {number}: {found:?}");
    }
}
