//! Lowering, tested from the outside: small programs with the printed automata, and structural invariants on everything at hand.

use expect_test::{Expect, expect};
use provident::cfa::{LowerOptions, Printer, Program, lower};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::path::{Path, PathBuf};

fn program(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", text), &options).unwrap_or_else(|e| panic!("{e}"));
    let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    program.validate();
    program
}

/// The automata of all defined functions but the start function.
fn check(text: &str, expected: Expect) {
    let program = program(text);
    let printer = Printer::new(&program);
    let mut printed = String::new();
    for f in program
        .function_ids()
        .filter(|&f| f != program.start && program.function(f).defined)
    {
        printed.push_str(&printer.function(f));
    }
    expected.assert_eq(&printed);
}

/// The automaton of the start function, and what is assumed.
fn check_start(text: &str, expected: Expect) {
    let program = program(text);
    let mut printed = Printer::qualified(&program).function(program.start);
    for a in program.assumptions.iter().filter(|a| a.loc.is_some()) {
        printed.push_str(&format!(
            "{}{}: {}\n",
            a.kind.name(),
            if a.sound { "" } else { "!" },
            a.detail
        ));
    }
    expected.assert_eq(&printed);
}

#[test]
fn loops_and_conditions() {
    check(
        "int main(void) { int i = 0; while (i < 10 && !(i == 5)) { i++; if (i % 2) continue; } do i--; while (i); return i; }",
        expect![[r#"
            main()
              0 -> 1: i = 0;
              1* -> 2: [i < 10]
              1* -> 4: [!(i < 10)]
              2 -> 4: [i == 5]
              2 -> 3: [!(i == 5)]
              3 -> 1: i = i + 1;
              4* -> 5: i = i - 1;
              5 -> 4: [i != 0]
              5 -> 6: [i == 0]
              6 -> exit: __return = i;
        "#]],
    );
}

#[test]
fn short_circuit_and_conditional_values() {
    check(
        "int f(int a, int b) { int c = a && b; int d = a ? b : -1; int e = a ?: b; return (c, d) + e; }
         int main(void) { return f(1, 2); }",
        expect![[r#"
            main()
              0 -> exit: __return = f(1, 2);
            f(a, b)
              0 -> 1: [a != 0]
              0 -> 3: [a == 0]
              1 -> 2: [b != 0]
              1 -> 3: [b == 0]
              2 -> 4: $1 = 1;
              3 -> 4: $1 = 0;
              4 -> 5: c = $1;
              5 -> 6: [a != 0]
              5 -> 7: [a == 0]
              6 -> 8: d = b;
              7 -> 8: d = -1;
              8 -> 9: $2 = a;
              9 -> 10: [$2 != 0]
              9 -> 11: [$2 == 0]
              10 -> 12: $3 = $2;
              11 -> 12: $3 = b;
              12 -> 13: e = $3;
              13 -> exit: __return = d + e;
        "#]],
    );
}

#[test]
fn side_effects_in_order() {
    check(
        "int g; int f(void) { g++; return g; }
         int main(void) { int a[3] = {1}; int i = 0; int x = g + f(); a[i++] = i; x += f(); x = (g = 4) + g; return a[1] + x; }",
        expect![[r#"
            main()
              0 -> 1: a = {0};
              1 -> 2: a[0L] = 1;
              2 -> 3: i = 0;
              3 -> 4: $1 = f();
              4 -> 5: x = g + $1;
              5 -> 6: $2 = i;
              6 -> 7: i = $2 + 1;
              7 -> 8: a[$2] = i;
              8 -> 9: $3 = f();
              9 -> 10: x = x + $3;
              10 -> 11: g = 4;
              11 -> 12: x = g + g;
              12 -> exit: __return = a[1] + x;
            f()
              0 -> 1: g = g + 1;
              1 -> exit: __return = g;
        "#]],
    );
}

#[test]
fn switch_with_ranges_and_fallthrough() {
    check(
        "int main(int n, char **v) { int r; switch (n) { case 1: r = 1; case 2 ... 5: r = 2; break; default: r = 3; case 9: ; } return r; }",
        expect![[r#"
            main(n, v)
              0 -> 1: r = <uninitialised>;
              1 -> 2: [n == 1]
              1 -> 3: [!(n == 1)]
              2 -> 5: r = 1;
              3 -> 4: [n >= 2]
              3 -> 6: [!(n >= 2)]
              4 -> 5: [n <= 5]
              4 -> 6: [!(n <= 5)]
              5 -> 8: r = 2;
              6 -> 8: [n == 9]
              6 -> 7: [!(n == 9)]
              7 -> 8: r = 3;
              8 -> exit: __return = r;
        "#]],
    );
}

#[test]
fn goto_labels_and_computed_goto() {
    check(
        "int main(void) { int i = 0; void *p = &&B; A: i++; if (i < 3) goto A; goto *p; B: return i; ERROR: return 1; }",
        expect![[r#"
            main()
              0 -> 1: i = 0;
              1 -> 2: p = 8388608;
              2* -> 3: A:
              3 -> 4: i = i + 1;
              4 -> 2: [i < 3]
              4 -> 5: [!(i < 3)]
              5 -> 6: [p == 8388608]
              6 -> 7: B:
              7 -> exit: __return = i;
        "#]],
    );
}

#[test]
fn pointers_structs_and_bit_fields() {
    check(
        "struct s { int a; unsigned b : 3; struct s *next; int v[4]; };
         int main(void) {
             struct s x, y, *p = &x;
             p->a = 1; x.b = 9; p->next = p; y = *p; p->next->v[2] = y.v[1];
             int *q = &x.v[1]; q += 2; *(q - 1) = q - x.v; q[3]--; 
             char *c = (char *)p + 4; struct s *back = (struct s *)(c - 4);
             return back->b + *(&y.a);
         }",
        expect![[r#"
            main()
              0 -> 1: x = <uninitialised>;
              1 -> 2: y = <uninitialised>;
              2 -> 3: p = &x;
              3 -> 4: p->a = 1;
              4 -> 5: x.b = 9U;
              5 -> 6: p->next = p;
              6 -> 7: y = *p;
              7 -> 8: p->next->v[2] = y.v[1];
              8 -> 9: q = &x.v[1];
              9 -> 10: q = (char *)q + 8L;
              10 -> 11: *((char *)q + -4L) = (int)(((long)q - (long)x.v) / 4L);
              11 -> 12: *((char *)q + 12L) = *((char *)q + 12L) - 1;
              12 -> 13: c = (char *)(char *)p + 4L;
              13 -> 14: back = (struct s *)((char *)c + -4L);
              14 -> exit: __return = (int)back->b + y.a;
        "#]],
    );
}

#[test]
fn function_pointers() {
    check(
        "int f(int x) { return x; } int g(int x) { return -x; } void other(void) {}
         struct ops { int (*run)(int); } table = { g };
         int main(void) { int (*p)(int) = f; void (*o)(void) = other; int r = p(1) + table.run(2); o(); return (*f)(r); }",
        expect![[r#"
            main()
              0 -> 1: p = &f;
              1 -> 2: o = &other;
              2 -> 3: [p == &f]
              2 -> 4: [!(p == &f)]
              3 -> 6: $1 = f(1);
              4 -> 5: [p != 0]
              5 -> 6: extern $1 = __provident_unknown_target(1);
              6 -> 7: [table.run == &g]
              6 -> 8: [!(table.run == &g)]
              7 -> 10: $2 = g(2);
              8 -> 9: [table.run != 0]
              9 -> 10: extern $2 = __provident_unknown_target(2);
              10 -> 11: r = $1 + $2;
              11 -> 12: [o == &other]
              11 -> 13: [!(o == &other)]
              12 -> 15: other();
              13 -> 14: [o != 0]
              14 -> 15: extern __provident_unknown_target();
              15 -> exit: __return = f(r);
            f(x)
              0 -> exit: __return = x;
            other()
              0 -> exit:
            g(x)
              0 -> exit: __return = -x;
        "#]],
    );
}

#[test]
fn memory_functions() {
    check(
        "typedef unsigned long size_t; void *malloc(size_t); void *kzalloc(size_t, int); void free(void *);
         void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);
         struct s { int a, b; };
         int main(int n, char **v) {
             struct s *p = malloc(sizeof *p), *q = kzalloc(n, 0), t; char b[8];
             memset(p, 0, sizeof *p); memcpy(&t, p, sizeof t); memset(b, 0, sizeof b); memset(b, 1, n); memcpy(q, b, n);
             free(p); return t.a;
         }",
        expect![[r#"
            main(n, v)
              0 -> 1: p = <heap 8UL bytes>;
              1 -> 2: q = <heap zeroed (unsigned long)n bytes or null>;
              2 -> 3: t = <uninitialised>;
              3 -> 4: b = <uninitialised>;
              4 -> 5: *p = {0};
              5 -> 6: t = *p;
              6 -> 7: b = {0};
              7 -> 8: memset((void *)b, 1, (unsigned long)n);
              8 -> 9: memmove((void *)q, (void *)b, (unsigned long)n);
              9 -> 10: free((void *)p);
              10 -> exit: __return = t.a;
        "#]],
    );
}

#[test]
fn verification_conventions() {
    check(
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void abort(void);
         void reach_error(void) {} int ext(int *); extern int scanf(const char *, ...);
         int main(void) {
             int x = __VERIFIER_nondet_int(), y; short z; __VERIFIER_assume(x > 0 && x < 9); z = __VERIFIER_nondet_int();
             scanf(\"%d\", &y);
             if (__builtin_expect(!!(x == y), 0)) reach_error(); else if (ext(&y)) abort();
             return z;
         }",
        expect![[r#"
            main()
              0 -> 1: x = __VERIFIER_nondet_int();
              1 -> 2: y = <uninitialised>;
              2 -> 3: z = <uninitialised>;
              3 -> 4: [x > 0]
              4 -> 5: [x < 9]
              5 -> 6: $1 = __VERIFIER_nondet_int();
              6 -> 7: z = (short)$1;
              7 -> 8: y = <what `scanf()` writes>;
              8 -> 9: extern scanf("%d", &y);
              9 -> 10: [x == y]
              9 -> 11: [!(x == y)]
              10 -> 15: reach_error();
              11 -> 12: extern $2 = ext(&y);
              12 -> 13: [$2 != 0]
              12 -> 15: [$2 == 0]
              13 -> 14: extern abort();
              15 -> exit: __return = (int)z;
            reach_error()
              0 -> exit:
        "#]],
    );
}

#[test]
fn gnu_extensions() {
    check(
        "int main(void) {
             int n = 3; int vla[n]; vla[1] = ({ int t = n; t + 1; });
             int inner(int k) { return k + n; }
             struct p { int x, y; } v = (struct p){ .y = 2 };
             int big[6] = { [1 ... 3] = 7, [5] = 1 };
             asm volatile(\"nop\" : \"=r\"(n) : \"r\"(n)); int r; 
             return inner(v.y) + __builtin_add_overflow(n, 1, &r) + sizeof vla + big[2];
         }",
        expect![[r#"
            main()
              0 -> 1: n = 3;
              1 -> 2: $1 = (unsigned long)n;
              2 -> 3: [$1 <= 4611686018427387903UL]
              3 -> 4: vla = <stack $1 * 4UL bytes>;
              4 -> 5: t = n;
              5 -> 6: *((char *)(int *)vla + 4L) = t + 1;
              6 -> 7: $literal = {0};
              7 -> 8: $literal.y = 2;
              8 -> 9: v = $literal;
              9 -> 10: big = {0};
              10 -> 11: big[1L] = 7;
              11 -> 12: big[2L] = 7;
              12 -> 13: big[3L] = 7;
              13 -> 14: big[5L] = 1;
              14 -> 15: asm("nop" : n);
              15 -> 16: r = <uninitialised>;
              16 -> 17: $2 = main::inner(v.y);
              17 -> 18: $3 = (long long)n + 1L;
              18 -> 19: $4 = ($3 < -2147483648L) + ($3 > 2147483647L);
              19 -> 20: r = (int)$3;
              20 -> exit: __return = (int)((unsigned long)($2 + (int)(_Bool)$4) + $1 * 4UL + (unsigned long)big[2]);
            main::inner(k)
              0 -> exit: __return = k + n;
        "#]],
    );
}

#[test]
fn globals_are_initialised_when_needed() {
    check_start(
        "int unused = 7; int a = 3; int table[4] = { 0, a_first: 0 }; int main(void) { return 0; }"
            .replace("a_first: ", "")
            .as_str(),
        expect![[r#"
            __provident_start()
              0 -> exit: main();
        "#]],
    );
    check_start(
        "int unused = 7; static int a = 3; int *p = &a; struct { const char *name; int n[3]; } t = { \"ab\", { 0, 5 } };
         extern int e; int z; int printf(const char *, ...);
         int main(int argc, char **argv) { printf(\"hello\"); return *p + t.n[1] + e + z; }",
        expect![[r#"
            __provident_start()
              0 -> 1: "ab" = {0};
              1 -> 2: "ab"[0L] = 97;
              2 -> 3: "ab"[1L] = 98;
              3 -> 4: a = 3;
              4 -> 5: p = &a;
              5 -> 6: t = {0};
              6 -> 7: t.name = "ab";
              7 -> 8: t.n[1L] = 5;
              8 -> 9: e = <extern variable e>;
              9 -> 10: z = 0;
              10 -> 11: __provident_start::$1 = <entry parameter>;
              11 -> 12: __provident_start::$2 = <entry parameter>;
              12 -> exit: main(__provident_start::$1, __provident_start::$2);
            library function: `printf` returns any value and touches nothing
            extern function: the extern variable `e` holds any value
        "#]],
    );
}

#[test]
fn classification_and_addresses() {
    let program = program(
        "struct s { int a; int b; } u; int arr[4]; int *p; int f(int n) { int l = n; p = &l; return n ? f(n - 1) : l; }
         int main(void) { u.a = 1; int i = arr[2]; int dead = i; return f(i); }",
    );
    let var = |name: &str| {
        program
            .vars
            .iter()
            .find(|v| v.name == name)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    assert!(!var("u").in_memory);
    assert!(var("arr").in_memory && !var("arr").escapes);
    assert!(var("f::l").in_memory && var("f::l").escapes);
    assert!(!var("main::dead").relevant && var("main::i").relevant && var("f::n").relevant);
    let l = program
        .var_ids()
        .find(|&v| program.var(v).name == "f::l")
        .expect("found above");
    let addresses: Vec<u64> = (0..5)
        .map(|d| program.address_at(l, d).expect("few frames fit"))
        .collect();
    assert!(addresses.windows(2).all(|w| w[0] + 4 <= w[1]), "{addresses:?}");
    let f = program.function_by_name("f").expect("defined");
    assert!(program.function(f).recursive && !program.function(program.start).recursive);
}

#[test]
fn graphs_are_readable() {
    let program = program("int main(void) { int i = 0; while (i < 3) i++; L: return i; }");
    let main = program.function_by_name("main").expect("defined");
    expect![[r#"
        digraph cfa {
          node [shape=circle, fontname="monospace"];
          edge [fontname="monospace"];
          subgraph cluster_1 {
            label="main";
            n2 [label="entry"];
            n3 [label="1", shape=doublecircle];
            n5 [label="3 L"];
            n7 [label="exit"];
            n2 -> n3 [label="1: i = 0;"];
            n3 -> n3 [label="1: [i < 3]\l1: i = i + 1;"];
            n3 -> n5 [label="1: [!(i < 3)]"];
            n5 -> n7 [label="1: L:\l1: __return = i;"];
          }
        }
    "#]]
    .assert_eq(&provident::cfa::view::dot::dot(&program, &[main]));
}

#[test]
fn a_missing_entry_is_an_error() {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", "int f(void) { return 0; }"), &options).expect("valid C");
    let error = lower(unit, &LowerOptions::default()).expect_err("there is no main");
    assert_eq!(error.to_string(), "test.c: the entry function `main` is not defined");
}

/// Every n-th file of the task collection: no panic, and the invariants hold.
#[test]
fn tasks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tasks");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let step = std::env::var("PROVIDENT_CFA_STEP")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(17);
    let (mut bytes, mut parse_time, mut lower_time, mut lowered, mut refused) = (0, 0.0, 0.0, 0, 0);
    for file in files.iter().step_by(step) {
        let text = std::fs::read(file).expect("a listed file is readable");
        let name = file.display().to_string();
        let data_model = if name.contains("ldv-") {
            DataModel::Lp64
        } else {
            DataModel::Ilp32
        };
        let start = std::time::Instant::now();
        let size = text.len();
        let Ok(unit) = parse(Source::new(&name, text), &FrontendOptions { data_model }) else {
            refused += 1;
            continue;
        };
        parse_time += start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        match lower(unit, &LowerOptions::default()) {
            Ok(program) => {
                lower_time += start.elapsed().as_secs_f64();
                bytes += size;
                lowered += 1;
                program.validate();
            }
            Err(e) => println!("{e}"),
        }
    }
    println!("{lowered} lowered, {refused} refused, {bytes} bytes, parse {parse_time:.2} s, lower {lower_time:.2} s");
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
}

#[test]
fn converted_functions_are_candidates() {
    check(
        "struct s { int v; }; int typed(struct s *s) { return s->v; } int plain() { return 1; } int hidden(int x) { return x; }
         int main(void) {
             int (*a)(void *) = (int (*)(void *))typed; int (*b)(void) = plain; void *h = hidden; int (*c)(int) = h; struct s s;
             return a(&s) + b() + c(2);
         }",
        expect![[r#"
            main()
              0 -> 1: a = (int (*)(void *))&typed;
              1 -> 2: b = (int (*)(void))&plain;
              2 -> 3: h = (void *)&hidden;
              3 -> 4: c = (int (*)(int))h;
              4 -> 5: s = <uninitialised>;
              5 -> 6: [a == &typed]
              5 -> 7: [!(a == &typed)]
              6 -> 9: $1 = typed(&s);
              7 -> 8: [a != 0]
              8 -> 9: extern $1 = __provident_unknown_target((void *)&s);
              9 -> 10: [b == &plain]
              9 -> 11: [!(b == &plain)]
              10 -> 13: $2 = plain();
              11 -> 12: [b != 0]
              12 -> 13: extern $2 = __provident_unknown_target();
              13 -> 14: [c == &hidden]
              13 -> 15: [!(c == &hidden)]
              14 -> 17: $3 = hidden(2);
              15 -> 16: [c != 0]
              16 -> 17: extern $3 = __provident_unknown_target(2);
              17 -> exit: __return = $1 + $2 + $3;
            typed(s)
              0 -> exit: __return = s->v;
            plain()
              0 -> exit: __return = 1;
            hidden(x)
              0 -> exit: __return = x;
        "#]],
    );
}

#[test]
fn recursion_in_arguments_and_assignments_through_calls() {
    check(
        "struct p { int x; long y; }; struct p make(int x) { struct p p = { x, 2 }; return p; }
         int sum(struct p p) { return p.x + p.y; } struct p g;
         int main(void) { g = make(1); struct p *q = &g; *q = make(make(3).x); return sum(make(4)) + sum(g) + (g.x ? *q : g).x; }",
        expect![[r#"
            main()
              0 -> 1: g = make(1);
              1 -> 2: q = &g;
              2 -> 3: $1 = make(3);
              3 -> 4: $2 = make($1.x);
              4 -> 5: *q = $2;
              5 -> 6: $3 = make(4);
              6 -> 7: $4 = sum($3);
              7 -> 8: $5 = sum(g);
              8 -> 9: [g.x != 0]
              8 -> 10: [g.x == 0]
              9 -> 11: $6 = *q;
              10 -> 11: $6 = g;
              11 -> exit: __return = $4 + $5 + $6.x;
            make(x)
              0 -> 1: p.x = x;
              1 -> 2: p.y = 2L;
              2 -> exit: __return = p;
            sum(p)
              0 -> exit: __return = (int)((long)p.x + p.y);
        "#]],
    );
}

#[test]
fn liveness() {
    let program = program(
        "int f(int a, int b) { int c = a + 1; while (c < b) c++; return c; } int main(void) { return f(1, 2); }",
    );
    let f = program.function_by_name("f").expect("defined");
    let live = provident::cfa::analysis::live::Live::analyse(&program, f);
    let var = |name: &str| {
        let found = program.var_ids().find(|&v| program.var(v).name == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let entry = program.function(f).entry;
    let head = program
        .node_ids()
        .find(|&n| program.node(n).func == f && program.node(n).loop_head);
    let head = head.expect("f has a loop");
    let at = |node, name| live.is_live(node, var(name));
    assert!(at(entry, "f::a") && at(entry, "f::b") && !at(entry, "f::c"));
    assert!(!at(head, "f::a") && at(head, "f::b") && at(head, "f::c"));
}

#[test]
fn repetitions() {
    let repeats = |text| provident::cfa::analysis::graph::repeats(&program(text));
    assert!(repeats("int main(void) { for (int i = 0; i < 3; i++) ; return 0; }"));
    assert!(repeats(
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(3); }"
    ));
    assert!(!repeats("int main(int n) { if (n) { ERROR: goto ERROR; } return 0; }"));
}
