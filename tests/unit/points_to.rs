//! The points-to analysis: which objects the pointers of small programs may point to, and what path formulas and calls make of it.

use expect_test::{Expect, expect};
use provident::cfa::calls::recursion::Recursion;
use provident::cfa::calls::{PointerCalls, UnknownTargets};
use provident::cfa::memory_types::{Division, MANY_PAIRS};
use provident::cfa::pointers::{Object, PointsTo};
use provident::cfa::{AssumptionKind, Expr, LowerOptions, Place, Printer, Program, lower};
use provident::engine::{self, CounterexampleCandidate, Property, Silent};
use provident::evidence::replay;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void *outside(void);
    extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long); extern void *memcpy(void *, const void *, unsigned long);
    ";

fn lowered(source: Source, options: &LowerOptions) -> Program {
    let front = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(source, &front).unwrap_or_else(|e| panic!("{e}"));
    let program = lower(unit, options).unwrap_or_else(|e| panic!("{e}"));
    program.validate();
    program
}

fn program(text: &str, options: &LowerOptions) -> Program {
    lowered(Source::new("test.c", format!("{HEAD}{text}")), options)
}

/// The objects to which the named variables may point.
fn check(text: &str, names: &[&str], expected: Expect) {
    let program = program(text, &LowerOptions::default());
    let division = Division::new(&program, MANY_PAIRS);
    let points_to = PointsTo::of_program(&program, &division);
    let mut printed = String::new();
    for name in names {
        let var = program.var_ids().find(|&v| program.var(v).name == *name);
        let var = var.unwrap_or_else(|| panic!("there is no {name}"));
        let value = Expr::load(Place::var(var, program.var(var).ty));
        let targets = points_to.targets(&program, &division, &value);
        let mut list: Vec<String> = targets
            .objects
            .iter()
            .map(|&o| match points_to.object(o) {
                Object::Variable(v) => program.var(v).name.clone(),
                Object::Function(f) => program.function(f).name.clone(),
                Object::Allocated(_) => "new".to_string(),
            })
            .collect();
        if targets.unknown {
            list.push("?".to_string());
        }
        printed.push_str(&format!("{name}: {}\n", list.join(" ")));
    }
    expected.assert_eq(&printed);
}

#[test]
fn assignments_loads_and_stores() {
    check(
        "int a, b, c; int main(void) { int *p = &a, *q = &b, **r = &p; if (c) r = &q; *r = &c; int *s = *r, *t = p; return *s + *t; }",
        &["main::p", "main::q", "main::r", "main::s", "main::t"],
        expect![[r#"
            main::p: a c
            main::q: b c
            main::r: main::p main::q
            main::s: a b c
            main::t: a c
        "#]],
    );
}

#[test]
fn members_of_one_object_are_told_apart() {
    check(
        "int a, b; struct s { int *x, *y; struct s *next; } o, u;
         int main(void) { struct s *p = &o; p->x = &a; p->y = &b; p->next = &u; u = o; int *x = u.x, *y = p->next->y; return *x + *y; }",
        &["main::p", "main::x", "main::y"],
        expect![[r#"
            main::p: o
            main::x: a
            main::y: b
        "#]],
    );
}

#[test]
fn addresses_go_through_integers_bytes_and_copies() {
    check(
        "struct s { long before; int *link; } o, t; int a, b; long number; char bytes[8]; int *array[4];
         int main(void) {
           number = (long)&a; int *p = (int *)number, *q = (int *)((number ^ 5) ^ 5);
           o.link = &b; memcpy(&t, &o, sizeof o); int *r = t.link;
           memcpy(bytes, &p, 8); int *s = 0; memcpy(&s, bytes, 8);
           struct s *whole = (struct s *)((char *)&o.link - 8);
           array[number & 3] = &a; int *u = array[1];
           void *v = &o; struct s *w = v;
           return *p + *q + *r + *s + *u + whole->before + w->before; }",
        &[
            "main::p",
            "main::q",
            "main::r",
            "main::s",
            "main::whole",
            "main::u",
            "main::w",
        ],
        expect![[r#"
            main::p: a
            main::q: a
            main::r: b
            main::s: a
            main::whole: o
            main::u: a
            main::w: o
        "#]],
    );
}

#[test]
fn what_is_not_known_may_be_anything() {
    check(
        "struct s { struct s *next; } o; int n; void f(struct s *p) { o.next = p; }
         int main(void) { struct s *p = outside(), *q = p->next, *r, *t = (struct s *)4096, *u = malloc(8), *v = calloc(1, 8), *w = 0, *x;
           unsigned long h = (unsigned long)n * 16; struct s *y = (struct s *)h;
           f(r); if (n) x = &o; struct s *z = v->next;
           return p == q || t == u->next || v == w || x == y || z == v; }",
        &["main::p", "main::q", "main::r", "main::t", "main::u", "main::v", "main::x", "main::y", "main::z", "f::p"],
        expect![[r#"
            main::p: ?
            main::q: ?
            main::r: ?
            main::t: ?
            main::u: new
            main::v: new
            main::x: ?
            main::y: ?
            main::z: ?
            f::p: ?
        "#]],
    );
}

#[test]
fn functions_are_called_as_soon_as_pointers_have_them() {
    let text = "typedef int (*fn)(int *); int a, b; int *kept;
         int keep(int *p) { kept = p; return 1; } int drop(int *p) { kept = &b; return 0; } int never(int *p) { return *p; }
         struct ops { fn f, g; }; struct ops table = { keep, drop }; fn unused = never;
         int main(void) { struct ops *o = &table; fn f = o->f; return f(&a) + (unused == never); }";
    check(
        text,
        &["main::f", "kept", "keep::p"],
        expect![[r#"
        main::f: keep
        kept: a
        keep::p: a
    "#]],
    );
    let printed = |pointer_calls| {
        let options = LowerOptions {
            pointer_calls,
            ..LowerOptions::default()
        };
        let program = program(text, &options);
        let main = program.function_by_name("main").expect("defined");
        let ledger = program
            .assumptions
            .iter()
            .filter(|a| a.kind == AssumptionKind::FunctionPointer);
        let ledger: Vec<String> = ledger.map(|a| format!("{} {}\n", a.sound, a.detail)).collect();
        Printer::new(&program).function(main) + &ledger.concat()
    };
    expect![[r#"
        main()
          0 -> 1: o = &table;
          1 -> 2: f = o->f;
          2 -> 3: [f == &keep]
          2 -> 4: [!(f == &keep)]
          3 -> 6: $1 = keep(&a);
          4 -> 5: [f != 0]
          5 -> 6: extern $1 = __provident_unknown_target(&a);
          6 -> exit: __return = $1 + (unused == &never);
        true a call through a pointer reaches one of 3 functions, which are all that it may point to
    "#]]
    .assert_eq(&printed(PointerCalls::PointsTo));
    expect![[r#"
        main()
          0 -> 1: o = &table;
          1 -> 2: f = o->f;
          2 -> 3: [f == &never]
          2 -> 4: [!(f == &never)]
          3 -> 10: $1 = never(&a);
          4 -> 5: [f == &keep]
          4 -> 6: [!(f == &keep)]
          5 -> 10: $1 = keep(&a);
          6 -> 7: [f == &drop]
          6 -> 8: [!(f == &drop)]
          7 -> 10: $1 = drop(&a);
          8 -> 9: [f != 0]
          9 -> 10: extern $1 = __provident_unknown_target(&a);
          10 -> exit: __return = $1 + (unused == &never);
        false a call through a pointer reaches one of 3 functions, or touches nothing
    "#]]
    .assert_eq(&printed(PointerCalls::Signature));
    expect![[r#"
        main()
          0 -> 1: o = &table;
          1 -> 2: f = o->f;
          2 -> 3: [f == &keep]
          2 -> 4: [!(f == &keep)]
          3 -> 6: $1 = keep(&a);
          4 -> 5: [f != 0]
          5 -> 6: extern $1 = __provident_unknown_target(&a);
          6 -> exit: __return = $1 + (unused == &never);
        false a call through a pointer reaches one of 1 functions that are assigned to the member, or touches nothing
    "#]]
    .assert_eq(&printed(PointerCalls::Field));
}

/// The verdict about `reach_error`, and what it rests on.
fn verdict(text: &str, options: &LowerOptions) -> String {
    verdict_of(&program(text, options))
}

fn verdict_of(program: &Program) -> String {
    let property = Property {
        name: "p".to_string(),
        targets: program.edges_calling("reach_error"),
        ..Property::default()
    };
    let mut confirm =
        |candidate: &CounterexampleCandidate| replay(program, &candidate.steps, &candidate.inputs).judgement.into();
    let options = engine::Options {
        explicit: engine::Explicit {
            enabled: false,
            ..engine::Explicit::default()
        },
        check: true,
        ..engine::Options::default()
    };
    let outcome = engine::verify(program, &[property], &options, &mut Silent, &mut confirm);
    let mut text = format!("{}\n", outcome.verdicts[0].1.text());
    for a in outcome.assumptions.iter().filter(|a| !a.sound) {
        text.push_str(&format!("{}: {}\n", a.kind.name(), a.detail));
    }
    text
}

#[test]
fn targets_that_are_not_known_follow_the_policy() {
    let text = "int g = 1; int main(void) { int (*f)(void) = (int (*)(void))outside(); f(); if (g != 1) reach_error(); return 0; }";
    let with = |unknown_targets| {
        let options = LowerOptions {
            unknown_targets,
            ..LowerOptions::default()
        };
        verdict(text, &options)
    };
    expect![[r#"
        TRUE
        extern function: `outside` returns any pointer, to objects of the type as which it is used, and touches nothing
        function pointer: a call through a pointer has no candidate: it returns any value and touches nothing
    "#]]
    .assert_eq(&with(UnknownTargets::Ignore));
    expect![[r#"
        FALSE
        extern function: `outside` returns any pointer, to objects of the type as which it is used, and touches nothing
        function pointer: a call through a pointer has no candidate: it returns any value and changes global variables only
    "#]].assert_eq(&with(UnknownTargets::Havoc));
    expect![[r#"
        UNKNOWN (unsupported) a call through a pointer may reach a function that is not known
        extern function: `outside` returns any pointer, to objects of the type as which it is used, and touches nothing
        not supported: a call through a pointer may reach a function that is not known
    "#]]
    .assert_eq(&with(UnknownTargets::Error));
}

/// A structure from outside has a function of the program in a member only if the program puts it there, or nobody knows where it goes.
#[test]
fn functions_stay_in_the_members_into_which_they_are_put() {
    let with = |more: &str| {
        let text = format!(
            "struct ops {{ int (*open)(void); int (*close)(void); }}; int g = 1; int (*kept)(void);
             int opens(void) {{ g = 2; return 0; }} struct ops mine = {{opens, 0}};
             int main(void) {{ struct ops *o = outside(); {more} o->close(); if (g != 1) reach_error(); return 0; }}"
        );
        verdict(&text, &LowerOptions::default())
    };
    expect![[r#"
        TRUE
        extern function: `outside` returns any pointer, to objects of the type as which it is used, and touches nothing
        function pointer: a call through a pointer has no candidate: it returns any value and touches nothing
    "#]]
    .assert_eq(&with(""));
    let others = [
        "o->close = opens;",
        "mine.close = mine.open;",
        "kept = opens;",
        "kept = mine.open; kept();",
        "int (*held)(void) = mine.open; o->close = held;",
        "int (**there)(void) = &mine.open; o->close = *there;",
    ];
    let decided = others.map(|more| with(more).lines().next().unwrap_or_default().to_owned());
    expect![[r#"
        FALSE
        UNKNOWN (replay-undefined) a feasible path could not be replayed: a function pointer from outside is taken for `opens` at test.c:5:85
        UNKNOWN (replay-undefined) a feasible path could not be replayed: a function pointer from outside is taken for `opens` at test.c:5:75
        FALSE
        FALSE
        FALSE"#]]
    .assert_eq(&decided.join("\n"));
}

#[test]
fn recursion_is_followed_as_deep_as_wanted() {
    let text = "int even(int n); int odd(int n) { int m = n; if (m == 0) return 0; return even(m - 1) && m > 0; }
         int even(int n) { int m = n; if (m == 0) return 1; return odd(m - 1) && m > 0; }
         int main(void) { if (!even(4)) reach_error(); return 0; }";
    let with = |recursion| {
        let options = LowerOptions {
            recursion,
            ..LowerOptions::default()
        };
        verdict(text, &options)
    };
    expect![[r#"
        TRUE
    "#]]
    .assert_eq(&with(Recursion::Exact));
    expect![[r#"
        FALSE
        recursion: a call of `even`, `odd` inside of itself returns any value and touches nothing
    "#]]
    .assert_eq(&with(Recursion::Skip));
    expect![[r#"
        FALSE
        recursion: a call of `even`, `odd` inside of itself more than 3 deep returns any value and touches nothing
    "#]]
    .assert_eq(&with(Recursion::Inline(3)));
    expect![[r#"
        TRUE
        recursion: a call of `even`, `odd` inside of itself more than 4 deep returns any value and touches nothing
    "#]]
    .assert_eq(&with(Recursion::Inline(4)));
    assert_eq!(Recursion::named("inline:7"), Some(Recursion::Inline(7)));
    assert_eq!(Recursion::named("inline"), None);
}

/// A target that is a recursive function is called by its copies, too.
#[test]
fn copies_keep_the_name_that_properties_ask_for() {
    let options = LowerOptions {
        recursion: Recursion::Inline(2),
        ..LowerOptions::default()
    };
    let program = program(
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(5); }",
        &options,
    );
    assert_eq!(program.edges_calling("f").len(), 4);
}

#[test]
fn model_files_define_what_the_program_declares() {
    let mut source = Source::new(
        "test.c",
        format!(
            "{HEAD} struct s {{ int a; }}; extern struct s *make(void);\nint main(void) {{ if (make()->a != 7 || malloc(3)) reach_error(); return 0; }}"
        ),
    );
    let model = Source::new(
        "model.c",
        "static struct s one = { 7 };\nstruct s *make(void) { return &one; }\nvoid *malloc(unsigned long n) { return 0; }\n",
    );
    source.append(&model);
    let options = LowerOptions {
        models: vec!["model.c".to_string()],
        ..LowerOptions::default()
    };
    let program = lowered(source, &options);
    expect![[r#"
        TRUE
        library model: `make` is what the model file `model.c` says
        library model: `malloc` is what the model file `model.c` says
    "#]]
    .assert_eq(&verdict_of(&program));
    let make = program.function(program.function_by_name("make").expect("defined")).loc;
    assert_eq!(program.sources.resolve(make).to_string(), "model.c:2:11");
    let main = program.function(program.function_by_name("main").expect("defined")).loc;
    assert_eq!(program.sources.resolve(main).to_string(), "test.c:4:5");
}

#[test]
fn writes_to_objects_that_a_pointer_cannot_reach_leave_it_alone() {
    let text = "struct s { int n; struct s *next; }; struct s a, b, *p, *q;
        int main(void) { p = &a; q = &b; int i = 0; p->n = 5; while (__VERIFIER_nondet_int()) { q->n = i; i++; } if (p->n != 5) reach_error(); return 0; }";
    expect![[r#"
        TRUE
    "#]]
    .assert_eq(&verdict(text, &LowerOptions::default()));
}
