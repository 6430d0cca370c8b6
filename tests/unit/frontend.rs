//! The front end from outside: what it accepts, how it types and lays out, what it says about faults.
//!
//! Each test is a table of small programs through one check. The programs were written for these tests.

use expect_test::{Expect, expect};
use provident::frontend::syntax::ast::{ExprKind, InitStep, StmtKind, TranslationUnit};
use provident::frontend::text::source::Source;
use provident::frontend::types::{DataModel, Type};
use provident::frontend::{FrontendOptions, parse};

fn unit(text: &str, data_model: DataModel) -> TranslationUnit {
    match parse(Source::new("test.c", text), &FrontendOptions { data_model }) {
        Ok(unit) => unit,
        Err(problems) => panic!("rejected:\n{text}\n{}", problems.brief()),
    }
}

fn problems(text: &str) -> String {
    match parse(
        Source::new("test.c", text),
        &FrontendOptions {
            data_model: DataModel::Lp64,
        },
    ) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(problems) => problems.brief(),
    }
}

/// The value of the global `name`, whose initialiser must be one folded constant.
fn constant(unit: &TranslationUnit, name: &str) -> i128 {
    let global = unit.global(unit.global_named(name).expect("the global exists"));
    let init = unit.init(global.init.expect("the global has an initialiser"));
    match unit.expr(init.entries[0].value).kind {
        ExprKind::Int(value) => value,
        other => panic!("{name} is not folded: {other:?}"),
    }
}

#[test]
fn constants_have_the_values_of_the_data_model() {
    let text = "
        struct s { char a; long b; int c : 3; };
        unsigned long size = sizeof(struct s), pointer = sizeof(void *);
        int all_ones = -1 > 0u, widened = -1L > 0u;
        unsigned long max = ~0UL;
        int chars = 'ab', negative = '\\377';
        int shifted = (unsigned char)0x180 >> 1;
        int offset = __builtin_offsetof(struct s, b) == sizeof(long);
        int chosen = _Generic(1L, int: 1, long: 2, default: 3);
        enum e { A = 5, B, C = B * 2 };
        int c = C, compatible = __builtin_types_compatible_p(unsigned, unsigned int);
        int constant = __builtin_constant_p(1 + 2);";
    let lp64 = unit(text, DataModel::Lp64);
    let ilp32 = unit(text, DataModel::Ilp32);
    let show = |unit: &TranslationUnit| {
        unit.globals
            .iter()
            .map(|g| format!("{} = {}\n", g.name, constant(unit, &g.name)))
            .collect::<String>()
    };
    expect![[r#"
        size = 24
        pointer = 8
        all_ones = 1
        widened = 0
        max = 18446744073709551615
        chars = 24930
        negative = -1
        shifted = 64
        offset = 1
        chosen = 2
        c = 12
        compatible = 1
        constant = 1
    "#]]
    .assert_eq(&show(&lp64));
    assert_eq!(constant(&ilp32, "size"), 12);
    assert_eq!(constant(&ilp32, "pointer"), 4);
    // In ILP32 `long` cannot hold all of `unsigned`, so that both are compared as unsigned.
    assert_eq!(constant(&ilp32, "widened"), 1);
    assert_eq!(constant(&ilp32, "max"), 0xffff_ffff);
}

/// Each field as `name offset` or `name bit:width`, then size and alignment.
fn layout(text: &str, model: DataModel) -> String {
    let unit = unit(text, model);
    let (_, record) = unit
        .types
        .records()
        .find(|(_, record)| record.loc.is_some())
        .expect("the program has a record");
    let mut out = String::new();
    for field in &record.fields {
        let name = field.name.as_deref().unwrap_or("<anonymous>");
        match field.bits {
            Some(bits) => out += &format!("{name} {}:{} ", bits.bit_offset, bits.width),
            None => out += &format!("{name} {} ", field.offset),
        }
    }
    out + &format!("size {} align {}", record.size, record.align)
}

#[test]
fn records_are_laid_out_as_by_gcc() {
    let check = |text: &str, lp64: Expect, ilp32: Expect| {
        lp64.assert_eq(&layout(text, DataModel::Lp64));
        ilp32.assert_eq(&layout(text, DataModel::Ilp32));
    };
    check(
        "struct s { char a; double b; short c; };",
        expect!["a 0 b 8 c 16 size 24 align 8"],
        expect!["a 0 b 4 c 12 size 16 align 4"],
    );
    check(
        "struct s { int a : 20; int b : 20; char c : 4; unsigned long long d : 40; };",
        expect!["a 0:20 b 32:20 c 52:4 d 64:40 size 16 align 8"],
        expect!["a 0:20 b 32:20 c 52:4 d 56:40 size 12 align 4"],
    );
    check(
        "struct s { char a; int b; short c : 9; } __attribute__((packed));",
        expect!["a 0 b 1 c 40:9 size 7 align 1"],
        expect!["a 0 b 1 c 40:9 size 7 align 1"],
    );
    check(
        "struct s { char a; int : 0; char b; int c __attribute__((aligned(16))); };",
        expect!["a 0 b 4 c 16 size 32 align 16"],
        expect!["a 0 b 4 c 16 size 32 align 16"],
    );
    check(
        "union u { char a[5]; short b; long c; };",
        expect!["a 0 b 0 c 0 size 8 align 8"],
        expect!["a 0 b 0 c 0 size 8 align 4"],
    );
    check(
        "#pragma pack(push, 2)\nstruct s { char a; long b; };\n#pragma pack(pop)\n",
        expect!["a 0 b 2 size 10 align 2"],
        expect!["a 0 b 2 size 6 align 2"],
    );
}

/// The value of a bit-field has a type of its width until it is promoted.
#[test]
fn values_of_bit_fields_have_the_sizes_of_gcc() {
    let text = "
        struct s { unsigned long a : 3; unsigned b : 12; int c : 20; unsigned long d : 33; _Bool e : 1; } s;
        int assigned = sizeof(s.a = 1), added = sizeof(s.a += 1), stepped = sizeof(s.b++), last = sizeof((0, s.a));
        int twenty = sizeof(s.c = 1), long_one = sizeof(s.d = 1), truth = sizeof(s.e = 1);
        int promoted = sizeof(+s.a), sum = sizeof(s.a + s.b), cast = sizeof((unsigned long)s.a);";
    let unit = unit(text, DataModel::Lp64);
    let sizes = |names: &[&str]| names.iter().map(|name| constant(&unit, name)).collect::<Vec<_>>();
    assert_eq!(sizes(&["assigned", "added", "stepped", "last"]), [1, 1, 2, 1]);
    assert_eq!(sizes(&["twenty", "long_one", "truth"]), [4, 8, 1]);
    assert_eq!(sizes(&["promoted", "sum", "cast"]), [4, 4, 8]);
}

#[test]
fn initialisers_are_flat_lists_of_paths() {
    let text = "
        struct p { int x, y; };
        struct q { struct p p[2]; char name[4]; union { int i; long l; }; } q = { 1, 2, { .y = 3 }, \"ab\", { .l = 5 } };
        int a[] = { [2] = 7, 8, [0 ... 1] = 9 };
        struct p r = { y: 1, x: 2 };";
    let unit = unit(text, DataModel::Lp64);
    let show = |name: &str| {
        let global = unit.global(unit.global_named(name).expect("the global exists"));
        let init = unit.init(global.init.expect("the global has an initialiser"));
        let mut out = unit.types.display(global.ty) + ":";
        for entry in &init.entries {
            out.push(' ');
            for step in &entry.path {
                match step {
                    InitStep::Field(n) => out += &format!(".{n}"),
                    InitStep::Index(n) => out += &format!("[{n}]"),
                    InitStep::Range(low, high) => out += &format!("[{low}..{high}]"),
                }
            }
            match unit.expr(entry.value).kind {
                ExprKind::Int(value) => out += &format!("={value}"),
                ExprKind::String(_) => out += "=string",
                other => panic!("unexpected {other:?}"),
            }
        }
        out
    };
    expect!["struct q: .0[0].0=1 .0[0].1=2 .0[1].1=3 .1=string .2.1=5"].assert_eq(&show("q"));
    expect!["int [4]: [2]=7 [3]=8 [0..1]=9"].assert_eq(&show("a"));
    expect!["struct p: .1=1 .0=2"].assert_eq(&show("r"));
}

/// An expression in words, with every conversion visible.
fn words(unit: &TranslationUnit, e: provident::frontend::syntax::ast::ExprId) -> String {
    let expr = unit.expr(e);
    let w = |e| words(unit, e);
    match expr.kind {
        ExprKind::Int(v) => format!("{v}"),
        ExprKind::Local(l) => format!("v{}", l.0),
        ExprKind::Global(g) => unit.global(g).name.to_string(),
        ExprKind::Cast(kind, of) => format!("{kind:?}<{}>({})", unit.types.display(expr.ty), w(of)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", w(a), op.symbol(), w(b)),
        ExprKind::Assign { lhs, rhs } => format!("{} = {}", w(lhs), w(rhs)),
        ExprKind::CompoundAssign {
            op,
            lhs,
            rhs,
            computation,
        } => {
            format!(
                "{} {}= {} in {}",
                w(lhs),
                op.symbol(),
                w(rhs),
                unit.types.display(computation)
            )
        }
        ExprKind::Deref(of) => format!("*({})", w(of)),
        ExprKind::Member { base, field } => format!("{}.{field}", w(base)),
        ExprKind::Index { base, index } => format!("{}[{}]", w(base), w(index)),
        ExprKind::PointerAdd { pointer, index, .. } => format!("({} + {})", w(pointer), w(index)),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_conversion_is_a_node() {
    let check = |statement: &str, expected: Expect| {
        let text = format!(
            "struct s {{ unsigned bits : 3; int a[4]; struct s *next; }} g;
             void f(char c, unsigned u, struct s *p, int *q, _Bool b, long l) {{ {statement}; }}"
        );
        let unit = unit(&text, DataModel::Lp64);
        let body = unit
            .function(unit.function_named("f").expect("f exists"))
            .body
            .as_ref()
            .expect("f has a body");
        let StmtKind::Compound(items) = &unit.stmt(body.root).kind else {
            panic!("the body is a compound")
        };
        let StmtKind::Expr(e) = unit.stmt(items[0]).kind else {
            panic!("the statement is an expression")
        };
        expected.assert_eq(&words(&unit, e));
    };
    check(
        "l = c + u",
        expect![
            "v5 = Integral<long>((Integral<unsigned int>(Integral<int>(LvalueToRvalue<char>(v0))) + LvalueToRvalue<unsigned int>(v1)))"
        ],
    );
    check("b = q", expect!["v4 = ToBool<_Bool>(LvalueToRvalue<int *>(v3))"]);
    check("c += l", expect!["v0 += LvalueToRvalue<long>(v5) in long"]);
    check(
        "l = g.bits - 4",
        expect!["v5 = Integral<long>((Integral<int>(LvalueToRvalue<unsigned int>(g.0)) - 4))"],
    );
    check(
        "g.a[c] = p->next->a[1]",
        expect![
            "g.1[LvalueToRvalue<char>(v0)] = LvalueToRvalue<int>(*(LvalueToRvalue<struct s *>(*(LvalueToRvalue<struct s *>(v2)).2)).1[1])"
        ],
    );
    check(
        "q[c] = 0",
        expect!["*((LvalueToRvalue<int *>(v3) + LvalueToRvalue<char>(v0))) = 0"],
    );
    check("q = g.a", expect!["v3 = ArrayToPointer<int *>(g.1)"]);
}

#[test]
fn faults_are_reported_with_their_place() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&problems(text));
    check(
        "int f(void) { return x; }\n",
        expect![[r#"
        test.c:1:22: undeclared identifier 'x' (not declared in this scope)
    "#]],
    );
    check(
        "int f(int a) { return f(); }",
        expect![[r#"
        test.c:1:24: too few arguments to function (0 given, 1 needed)
    "#]],
    );
    check(
        "void f(int a) { switch (a) { case 1 ... 4: case 3: ; } }",
        expect![[r#"
        test.c:1:44: duplicate case value
    "#]],
    );
    check(
        "struct s { int a; } v;\nint f(void) { return v.b; }",
        expect![[r#"
        test.c:2:24: 'struct s' has no member named 'b'
    "#]],
    );
    check(
        "void f(const int *p) { *p = 1; }",
        expect![[r#"
        test.c:1:24: assignment of read-only object
    "#]],
    );
    check(
        "int f(void) { goto out; }",
        expect![[r#"
        test.c:1:20: label 'out' used but not defined
    "#]],
    );
    check(
        "int f(void);\nchar f(void);",
        expect![[r#"
        test.c:2:6: conflicting types for 'f' ('char (void)' here, 'int (void)' before)
    "#]],
    );
    check(
        "int f(void) { return 1 }\nint g(void) { y = 1; }",
        expect![[r#"
        test.c:1:24: syntax error at '}' (expected ';')
        test.c:2:15: undeclared identifier 'y' (not declared in this scope)
    "#]],
    );
}

#[test]
fn faults_are_shown_in_their_line() {
    let source = Source::new("test.c", "int f(void)\n{\n\treturn missing + 1;\n}\n");
    let problems = parse(
        source,
        &FrontendOptions {
            data_model: DataModel::Lp64,
        },
    )
    .expect_err("it has a fault");
    let text = problems.render(false);
    assert!(text.contains("return missing + 1;"), "{text}");
    assert!(text.contains("^^^^^^^"), "{text}");
    assert!(text.contains("test.c:3:9: undeclared identifier 'missing'"), "{text}");
}

#[test]
fn positions_follow_line_marks() {
    let text = "# 10 \"a.h\"\nint a;\n# 3 \"b.c\"\n\n  int b;\n";
    let unit = unit(text, DataModel::Lp64);
    let b = unit.global(unit.global_named("b").expect("b exists")).loc;
    assert_eq!(unit.source.resolve(b).to_string(), "test.c:5:7");
    assert_eq!(unit.source.presumed(b).to_string(), "b.c:4:7");
}

#[test]
fn gnu_c_is_accepted() {
    let texts = [
        "int f(int a) { return a ?: 5; }",
        "int f(int a) { __auto_type b = a; typeof(b) c = ({ int t = b; t * t; }); return c; }",
        "int f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }",
        "int f(int a) { __label__ x; int g(int b) { if (b) goto x; return a + b; } return g(a); x: return 0; }",
        "int f(a, b) char a; float b; { return a + b; }",
        "f(x) { return x; } main() { return f(1, 2); }",
        "int f(int n, int m[n][n]) { int v[n]; return sizeof v + m[1][1]; }",
        "int f(int i) { asm goto(\"jmp %l0\" : : \"r\"(i) : \"memory\" : out); return 0; out: return 1; }",
        "int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int); }",
        "typedef int v4 __attribute__((vector_size(16))); int f(v4 a, v4 b) { return (a + b)[1]; }",
        "_Complex double z = 2.0i; double f(void) { return __real__ z; }",
        "int x; long y = (long)&x + 4; char *s = \"a\" \"b\" + 1;",
        "struct s; struct s *p; int f(void) { extern int q[]; return q[1] + (p == 0); }",
        "int f(int a) { switch (a) { case 'a' ... 'f': return 1; default: ; } L: ; int y = 1; return y; }",
        "typedef int T; int f(void) { T T = 3; return T * 2; }",
        "int f(void) { return printf(\"%d\", undeclared(1)); }",
    ];
    for text in texts {
        unit(text, DataModel::Lp64);
    }
}

#[test]
fn deep_nesting_is_not_fatal() {
    let deep = |open: &str, close: &str, n: usize| format!("int x = {}1{};", open.repeat(n), close.repeat(n));
    for text in [
        deep("(", ")", 200_000),
        deep("- ", "", 200_000),
        format!("int f(int a) {{ return {}a; }}", "a + ".repeat(200_000)),
    ] {
        unit(&text, DataModel::Lp64);
    }
    for text in [
        format!("void f(void) {{ {} }}", "{".repeat(200_000)),
        format!("int {}x;", "(".repeat(200_000)),
        format!("int a = {};", "{".repeat(200_000)),
        "struct {".repeat(20_000),
        "int f(".repeat(200_000),
        "[".repeat(200_000),
    ] {
        problems(&text);
    }
}

/// A `Type` must never be seen qualified in a finished unit.
#[test]
fn finished_units_have_plain_types() {
    let unit = unit(
        "const volatile int *const p; void f(const char *s) { const int x = *s; }",
        DataModel::Lp64,
    );
    let p = unit.global(unit.global_named("p").expect("p exists"));
    assert_eq!(unit.types.display(p.ty), "int *");
    assert!(matches!(unit.types.get(p.ty), Type::Pointer(_)));
    let f = unit.function(unit.function_named("f").expect("f exists"));
    assert_eq!(unit.types.display(f.ty), "void (char *)");
}
