//! Fuzzing under the ordinary tests: no reader panics, whatever it is given.
//!
//! Inputs are made from fixed seeds by `arbtest`: pieces of valid texts, words that the reader knows, and any bytes. Inputs that once found a
//! panic are kept in `tests/fuzz/regressions/TARGET/`. `PROVIDENT_FUZZ_SECONDS=600 cargo test --test slow fuzzing::` goes on for that long with
//! each target.

#[path = "../fuzz/targets.rs"]
mod targets;

use arbitrary::{Result, Unstructured};
use std::path::Path;
use std::time::{Duration, Instant};
use targets::TARGETS;

/// Inputs for each target in an ordinary run.
const INPUTS: u64 = 300;

/// Texts that a target accepts, whose pieces are mixed, and words that it knows.
struct Material {
    texts: &'static [&'static str],
    words: &'static str,
}

fn material(target: &str) -> Material {
    let (texts, words): (&[&str], &str) = match target {
        "frontend" => (
            &[
                "extern int nondet(void); struct s { int a : 3; char b[4]; union { int c; long d; } u; struct s *next; } x, *p;\n\
                 static inline int f(int n) { switch (n) { case 1 ... 3: return 2; default: goto out; } out: return n ? n-- : ~n; }\n\
                 int main(void) { int a[3] = { [1] = 2, 3 }; for (int i = 0; i < 3; i++) { do { a[i] <<= 1; } while (a[i] & 7); }\n\
                 p = &x; p->u.d = sizeof(struct s) + f((char) 300L); return __builtin_expect(!!p, 1) && x.b[0]; }\n",
                "# 12 \"a.c\" 1 3\ntypedef unsigned long size_t; void *malloc(size_t); enum e { A = 'x', B = 1u << 3 };\n\
                 int (*table[2])(int, ...) = { 0 }; const char *s = \"a\\x41\\n\" \"b\"; double d = 0x1.8p3;\n\
                 int g(void) { asm volatile(\"nop\" : \"=r\"(d) : : \"memory\"); return ({ int y = 1; y; }) ? : 2; }\n\
                 int main() { while (1) { if (g()) break; else continue; } return table[1](1, 2.0, *s); }\n",
            ],
            "int char long unsigned short _Bool float double void struct union enum typedef static extern inline const volatile __attribute__ \
             __extension__ typeof sizeof _Alignof if else while for do switch case default break continue return goto asm { } ( ) [ ] ; , * & = \
             == != < <= << >> + - ++ -- ! ~ ? : . -> ... 0 1 2 4294967296 0x7fffffffffffffff 1e9 'a' \"s\" x y f main # // /* */ \\ \n",
        ),
        "property" => (
            &[
                "CHECK( init(main()), LTL(G ! call(reach_error())) )\nCHECK( init(main()), LTL(G ! label(ERROR)) )\n",
                "CHECK( init(f()), LTL(G valid-free) )\n",
            ],
            "CHECK init main LTL G F X U ! ( ) , call label valid-free overflow reach_error() \n \t \u{fc}",
        ),
        "specification" => (
            &[
                "OBSERVER AUTOMATON Lock\nLOCAL int n = 0;\nINITIAL STATE Free;\nSTATE USEALL Free :\n  MATCH {lock($?)} -> DO n = n + 1 GOTO Held;\n\
                 \x20 MATCH RETURN {$1 = f($2)} -> ASSUME {$1 != 0} SPLIT {((int)$1) == 0} GOTO Held NEGATION ERROR(\"twice\");\n\
                 STATE Held :\n  MATCH EXIT -> ERROR;\n  MATCH \"x = .*;\" && !CHECK(IS_TARGET_STATE) -> STOP;\nEND AUTOMATON\n",
                "CONTROL AUTOMATON A\nINITIAL STATE S;\nSTATE S :\n  TRUE -> GOTO S;\n  MATCH LABEL [E.*R] -> BREAK;\nEND AUTOMATON\n",
            ],
            "OBSERVER CONTROL AUTOMATON LOCAL INITIAL STATE USEALL USEFIRST MATCH ENTRY EXIT LABEL ASSERT CHECK EVAL MODIFY -> DO GOTO ERROR STOP BREAK ASSUME \
             SPLIT NEGATION PRINT TRUE FALSE END int n m = + - ( ) { } [ ] ; : , ! && || == \" $? $1 $$ f x \\ \n",
        ),
        "task" => (
            &[
                "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p.prp\n    expected_verdict: true\n    subproperty: valid-free\noptions:\n  language: C\n  data_model: ILP32\n",
            ],
            "format_version input_files properties property_file expected_verdict options language data_model C ILP32 LP64 true false : - ' \" [ ] { } \
             & * ! | > # % @ ~ null 2.0 \n \t",
        ),
        "script" => (
            &[
                "(set-option :produce-proofs true)\n(set-logic QF_UFLIA)\n(declare-fun f (Int Int) Int)\n(declare-const x Int)\n(define-fun g ((y Int)) Int (+ y (* 2 x)))\n\
                 (assert (! (and (> (f x 1) (- 3)) (let ((z (ite (< x 0) (mod x 3) (div x 2)))) (= z (g z)))) :named a))\n(push 1)\n(assert (distinct x 1 2))\n\
                 (check-sat)\n(get-model)\n(get-value (x (f 1 x)))\n(pop 1)\n(check-sat-assuming ((not (= x 0))))\n(get-unsat-core)\n(get-proof)\n",
                "(set-option :produce-interpolants true)\n(declare-const p Bool)\n(declare-sort U 0)\n(declare-fun u () U)\n(declare-const r Real)\n(assert (! (< r 1.5) :named l))\n\
                 (assert (! (=> p (>= (* 2.0 r) (to_real (to_int r)))) :named m))\n(assert (! (xor p (> r 2)) :named n))\n(check-sat)\n(get-interpolants l m n)\n(get-info :all-statistics)\n(exit)\n",
            ],
            "( ) assert check-sat push pop declare-fun declare-const define-fun set-logic set-option get-model get-value get-proof get-interpolants reset and or not => \
             xor = distinct ite let + - * / div mod abs < <= > >= Int Bool Real true false x y f p 0 1 -1 2.5 99999999999999999999999 :named ! |a b| \"s\" ; \n #b1 #xf _ as",
        ),
        "witness" => (
            &[
                "- entry_type: violation_sequence\n  metadata: { format_version: '2.0', uuid: a, task: { input_files: [fuzz.c], specification: 'CHECK( init(main()), LTL(G ! call(reach_error())) )' } }\n\
                 \x20 content:\n  - segment:\n    - waypoint: { type: branching, action: avoid, constraint: { value: true }, location: { file_name: fuzz.c, line: 8, column: 5 } }\n\
                 \x20   - waypoint: { type: assumption, action: follow, constraint: { value: n == 2, format: c_expression }, location: { file_name: fuzz.c, line: 7, column: 3 } }\n\
                 \x20 - segment:\n    - waypoint: { type: function_enter, action: follow, location: { file_name: fuzz.c, line: 9, column: 13 } }\n\
                 \x20 - segment:\n    - waypoint: { type: function_return, action: follow, constraint: { value: \\result > 0, format: acsl_expression }, location: { file_name: fuzz.c, line: 9, column: 15 } }\n\
                 \x20 - segment:\n    - waypoint: { type: target, action: follow, location: { file_name: fuzz.c, line: 13, column: 15 } }\n",
                "- entry_type: invariant_set\n  metadata: { format_version: 2.1 }\n  content:\n\
                 \x20 - invariant: { type: loop_invariant, location: { file_name: fuzz.c, line: 7, column: 3, function: main }, value: 'i >= 0 && a[0] <= 1', format: c_expression }\n\
                 \x20 - invariant: { type: location_invariant, location: { file_name: fuzz.c, line: 13 }, value: n <= 0, format: c_expression }\n\
                 \x20 - invariant: { type: loop_invariant, location: { file_name: fuzz.c, line: 12, column: 3 }, value: 1, format: c_expression }\n",
            ],
            "entry_type violation_sequence invariant_set metadata format_version content segment waypoint type assumption branching function_enter function_return target action \
             follow avoid constraint value format c_expression acsl_expression \\\\result location file_name line column invariant loop_invariant location_invariant i n a[0] x main step \
             sizeof(int) (int) -> && || == >= ! ~ ? ( ) [ ] { } 0 1 2 7 8 9 12 13 4294967295 2.0 true false : - ' \" , \n # ; = ++ */ //",
        ),
        _ => (
            &[
                r##"{"provident":"","program":"a.c","properties":["p"],"claim":"","arith":"machine","violations":[1],
                "points":[{"id":"P0","node":0,"function":"f","file":"a.c","line":1,"column":1,"calls":[],"cases":["true"],"text":""},
                {"id":"P1","node":1,"function":"f","file":"a.c","line":1,"column":1,"calls":[],"cases":["(<= |x| 3)","(= |m| (+ 1 |x|))"],
                "conjuncts":["(let ((.t0 (|m| 1))) (= .t0 .t0))"],"elements":["(forall ((|index!| Int)) (= (|m| (* 4 |index!|)) |x|))"],"ranges":{"x":["-128","127"]},"text":""}],
                "blocks":[{"from":"P0","to":["P1"],"versions":{"P1":{"x":1}},"unclaimed":[],"edges":[0],"enters":[1],"leaves":[1]},
                {"from":"P1","to":["P1"],"unclaimed":[],"edges":[0],"enters":[1],"leaves":[1]}],
                "obligations":[{"file":"(check-sat)","kind":"initiation","from":"P0","claim":"","parts":[],"expected":"unsat"},
                {"file":"(declare-fun |x@0| () Int)(declare-fun |m@0| (Int) Int)(declare-fun |update!1| () Bool)(assert (<= 3 |x@0|))(assert (= (|m@0| 8) |x@0|))(assert (<= |x@0| 127))(assert (= (|__mul:i32@0| |x@0| 3) 6))(assert (not (<= |x@0| 3)))(assert (=> |update!1| (= (|m@0| 1) 2)))(check-sat)",
                "kind":"consecution","from":"P1","to":"P1","cases":[0,1],"conjuncts":[0,2],"claim":"","parts":["claim","elements","ranges","operators","goal","instance"],
                "updates":{"update!1":{"new":"|m@0|","old":"|n|","low":"1","high":"2","source":{"value":"2"}},"update!2":{"new":"|m@0|","old":"|m@0|","low":"1","high":"2","source":{"copy":{"from":"|f|","shift":"0"}}},"u":{"new":"f","old":"f","low":"x","high":"y","source":"any"}},"instances":[{"update":"update!1","at":"1"}],"elements":["2","|index!@0|"],"expected":"unsat"},
                {"file":"(assert false)(check-sat)","kind":"ranges","from":"P0","to":"P1","ranges":["x"],"claim":"","parts":["goal"],"expected":"unsat"}],
                "operators":[{"operator":"__mul:i32","arguments":["2","3"],"value":"6"}],
                "functions":[{"name":"f","entry":0,"exit":2}],
                "edges":[{"id":0,"from":0,"to":1,"line":1,"operation":""},{"id":1,"from":1,"to":2,"calls":"f","line":1,"operation":""}]}"##,
            ],
            "{ } [ ] ( ) | : , \" \"P0\" \"P1\" 0 1 2 3 4294967295 -1 null true \"calls\" \"from\" \"to\" \"f\" \"paths\" \"goal\" let forall assert not |x@0|",
        ),
    };
    Material { texts, words }
}

/// A text from pieces of valid ones, words, and any bytes.
fn input(u: &mut Unstructured<'_>, material: &Material) -> Result<Vec<u8>> {
    let words: Vec<&str> = material.words.split(' ').collect();
    let mut data = Vec::new();
    if u.ratio(2, 3)? {
        data.extend_from_slice(u.choose(material.texts)?.as_bytes());
    }
    let changes = u.int_in_range(1..=12)?;
    for _ in 0..changes {
        let at = u.choose_index(data.len() + 1)?;
        match u.int_in_range(0..=5)? {
            0 => {
                let end = (at + u.int_in_range(0..=40)?).min(data.len());
                drop(data.drain(at..end));
            }
            1 => {
                let text = u.choose(material.texts)?.as_bytes();
                let from = u.choose_index(text.len())?;
                let to = (from + u.int_in_range(1..=60)?).min(text.len());
                drop(data.splice(at..at, text[from..to].iter().copied()));
            }
            2 => {
                let count = u.int_in_range(1..=8)?;
                let bytes = (0..count).map(|_| u.arbitrary()).collect::<Result<Vec<u8>>>()?;
                drop(data.splice(at..at, bytes));
            }
            3 => {
                // Deep nesting.
                let word = u.choose(&words)?.as_bytes().repeat(u.int_in_range(1..=200)?);
                drop(data.splice(at..at, word));
            }
            _ => {
                for _ in 0..u.int_in_range(1..=6)? {
                    let word = u.choose(&words)?;
                    let at = at.min(data.len());
                    drop(data.splice(at..at, word.bytes().chain([b' '])));
                }
            }
        }
    }
    Ok(data)
}

/// Runs a target on inputs of consecutive seeds until `enough` says so. A failure names the seed; `arbtest` prints it.
fn fuzz(target: &str, run: fn(&[u8]), enough: &dyn Fn(u64) -> bool) -> u64 {
    let material = material(target);
    let mut count = 0;
    while !enough(count) {
        // The lower half of a seed is the size of the input's entropy, the upper one where it comes from.
        let (from, size) = (count.wrapping_mul(0x9e37_79b9) & 0xffff_ffff, 128 + 64 * (count % 16));
        let property = |u: &mut Unstructured<'_>| {
            let data = input(u, &material)?;
            let shown = std::panic::catch_unwind(|| run(&data));
            assert!(shown.is_ok(), "{target} panics on {:?}", String::from_utf8_lossy(&data));
            Ok(())
        };
        arbtest::arbtest(property).seed(from << 32 | size).run();
        count += 1;
    }
    count
}

/// A stack as the program has it: texts may be nested deeply.
fn on_big_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 30)
        .spawn(work)
        .expect("there is room for a stack");
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

#[test]
fn no_reader_panics() {
    let seconds: Option<u64> = std::env::var("PROVIDENT_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok());
    let only = std::env::var("PROVIDENT_FUZZ_TARGET").ok();
    for &(target, run) in TARGETS
        .iter()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name))
    {
        on_big_stack(move || {
            let start = Instant::now();
            let count = match seconds {
                Some(seconds) => fuzz(target, run, &|_| start.elapsed() >= Duration::from_secs(seconds)),
                None => fuzz(target, run, &|count| count >= INPUTS),
            };
            println!("{target}: {count} inputs");
        });
    }
}

#[test]
fn inputs_that_once_found_a_panic_do_not_any_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/regressions");
    for &(target, run) in TARGETS {
        let Ok(files) = std::fs::read_dir(folder.join(target)) else {
            continue;
        };
        for file in files {
            let data = std::fs::read(file.expect("the folder can be listed").path()).expect("the file can be read");
            on_big_stack(move || run(&data));
        }
    }
}

#[test]
fn valid_texts_are_accepted() {
    // The pieces are worth something only if the readers know them.
    use provident::frontend::text::source::Source;
    use provident::frontend::types::DataModel;
    use provident::frontend::{FrontendOptions, parse};
    for text in material("frontend").texts {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        assert!(parse(Source::new("a.i", *text), &options).is_ok(), "{text}");
    }
    assert!(provident::spec::parse_properties(Path::new("a.prp"), material("property").texts[0]).is_ok());
    assert!(provident::spec::parse_task(Path::new("a.yml"), material("task").texts[0]).is_ok());
    for text in material("witness").texts {
        let file = provident::evidence::witness::format::read(text);
        assert!(file.is_ok(), "{file:?}");
    }
    let manifest = serde_json::from_str::<provident::evidence::obligations::Manifest>(material("manifest").texts[0]);
    assert!(manifest.is_ok(), "{manifest:?}");
}
