//! Domain types: classes of variables and regions, loop counters, exit conditions, and scores of sets.

use expect_test::{Expect, expect};
use provident::cfa::analysis::domain_types::{DomainTypes, Score};
use provident::cfa::{LowerOptions, lower};
use provident::encode::{Arith, Encoder};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

fn types(text: &str) -> DomainTypes {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("types.c", text), &options).unwrap_or_else(|e| panic!("{e}"));
    let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    Encoder::new(&program, Arith::Machine).domain_types()
}

fn check(text: &str, expected: Expect) {
    let types = types(text);
    let lines: String = types.iter().map(|(name, ty)| format!("{name}: {ty}\n")).collect();
    expected.assert_eq(&lines);
}

#[test]
fn truth_values_and_equations() {
    check(
        "int __VERIFIER_nondet_int(void);
         int is_third(int mode) { return mode == 3; }
         int main(void) {
             int flag = __VERIFIER_nondet_int(), copy = flag, state = 0, code = 0, sum = 0, low = 0;
             _Bool truth = sum;
             if (!copy && truth) state = 1;
             if (code == 4 || is_third(code)) sum = sum + state;
             low = ~low;
             return 0;
         }",
        expect![[r#"
            main::__return: boolean
            main::flag: boolean
            main::copy: boolean
            main::state: arithmetic
            main::code: equality
            main::sum: arithmetic
            main::low: bits
            main::truth: boolean
            is_third::__return: boolean
            is_third::mode: equality
            main::$1: boolean
        "#]],
    );
}

#[test]
fn loops() {
    check(
        "int __VERIFIER_nondet_int(void);
         int main(void) {
             int up = 0, down = 9, doubled = 1, once = 0, more = 1, bound = 7;
             once = once + 1;
             while (more) {
                 up++; down = down - 2; doubled = doubled * 2;
                 if (up == bound) break;
                 more = __VERIFIER_nondet_int();
             }
             return 0;
         }",
        expect![[r#"
            main::__return: boolean
            main::up: arithmetic, loop counter, exit condition
            main::down: arithmetic, loop counter
            main::doubled: arithmetic
            main::once: arithmetic
            main::more: boolean, exit condition
            main::bound: arithmetic, exit condition
        "#]],
    );
}

#[test]
fn memory_by_its_regions() {
    check(
        "struct device { int open; int users; unsigned flags; };
         int table[8];
         void use(struct device *d) { d->open = 1; d->flags |= 4u; for (int i = 0; i < 8; i++) { d->users++; table[i] = 5; } }
         int main(void) { struct device d = { 0 }, plain; plain.users = 1; plain.open = 3; use(&d); return d.open == 0; }",
        expect![[r#"
            mem:device.open: boolean
            mem:device.users: arithmetic, loop counter
            mem:device.flags: bits
            mem:table: equality
            main::__return: boolean
            main::plain.open: equality
            main::plain.users: boolean
            main::plain.flags: boolean
            use::d: equality
            use::i: arithmetic, loop counter, exit condition
        "#]],
    );
}

#[test]
fn scores() {
    let types = types(
        "int main(void) {
             int truth = 0, state = 0, sum = 0, count = 0;
             while (count < 9) { count++; if (truth) state = 5; if (state == 3) sum = sum * 2; }
             return 0;
         }",
    );
    assert_eq!(types.score([]), Score(1));
    assert_eq!(types.score(["main::truth"]), Score(2));
    assert_eq!(
        types.score(["main::truth", "main::state", "main::sum"]),
        Score(2 * 4 * 16)
    );
    assert_eq!(types.score(["main::truth", "main::count"]), Score::MAX);
    assert_eq!(types.score(["__heap"]), Score(16));
    assert_eq!(types.score(["main::state#2"]), Score(4), "all frames have the type");
    assert_eq!(
        types.score(["main::state", "main::state#1"]),
        Score(4),
        "a variable counts once"
    );
    assert_eq!(types.score(vec!["unknown"; 40]), Score::MAX, "products saturate");
}
