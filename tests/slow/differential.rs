//! Differential test against the compiler: random well-defined programs over integers, structures, bit-fields, unions, arrays and pointers.
//!
//! Each program is compiled and run. The concrete machine has to emit the same numbers. Of programs without loops and branches the verifier has to
//! prove that the numbers are what was observed, by default and with formulas alone. Where there is no `gcc` the numbers are the machine's own, so
//! that the verifier is still compared with that.
//!
//! A program is made from a sequence of choices, so that a failure shrinks to a short one. `PROVIDENT_PROGRAMS` says how many there are
//! (`tests/dev/differential.sh` runs a thousand), `PROVIDENT_CSMITH` names a folder with preprocessed programs of csmith, which are run as well.

use crate::checks;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident::cfa::{LowerOptions, Program, lower};
use provident::engine::{self, CounterexampleCandidate, Explicit, Limits, Property, Silent, Verdict};
use provident::evidence::replay;
use provident::evidence::replay::{RunEnd, Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::cell::Cell;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: usize = 3_000_000;

/// Programs of at most so many choices are also given to formulas alone.
const MAX_CHOICES: usize = 90;

const TYPES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
    "enum colour",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "100",
    "-128",
    "255",
    "256",
    "40000",
    "65535",
    "2147483647",
    "-2147483647-1",
    "4294967295u",
    "123456789012345l",
    "0x8000000000000000ul",
];

/// A sequence of choices; when it is used up, all further ones are the first.
struct Choices<'c> {
    left: std::slice::Iter<'c, u16>,
}

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(*self.left.next().unwrap_or(&0)) % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn is_done(&self) -> bool {
        self.left.len() == 0
    }
}

/// A program, with what it emits as separate pieces.
struct Generated {
    head: String,
    body: Vec<Piece>,
    straight: bool,
}

enum Piece {
    Text(String),
    Emit(String),
}

impl Generated {
    /// The program that emits its values.
    fn emitting(&self) -> String {
        let mut text = format!("{}int main(void) {{\n", self.head);
        for piece in &self.body {
            match piece {
                Piece::Text(line) => writeln!(text, "  {line}").unwrap(),
                Piece::Emit(value) => writeln!(text, "  emit({value});").unwrap(),
            }
        }
        text + "  return 0;\n}\n"
    }

    /// The program that claims that its values are these.
    fn claiming(&self, values: &[String]) -> String {
        let mut text = format!("extern void reach_error(void);\n{}int main(void) {{\n", self.head);
        let mut values = values.iter();
        for piece in &self.body {
            match piece {
                Piece::Text(line) => writeln!(text, "  {line}").unwrap(),
                Piece::Emit(value) => {
                    let observed: i128 = values.next().expect("as many as emitted").parse().expect("a number");
                    let observed = match observed == i128::from(i64::MIN) {
                        true => "(-9223372036854775807ll - 1)".to_string(),
                        false => format!("{observed}ll"),
                    };
                    writeln!(text, "  if ((long long)({value}) != {observed}) reach_error();").unwrap();
                }
            }
        }
        text + "  return 0;\n}\n"
    }
}

struct Builder<'c> {
    choices: Choices<'c>,
    straight: bool,
    /// Scalar lvalues, with whether an `int *` may point to them.
    places: Vec<(String, bool)>,
    loops: usize,
}

fn generate(choices: &[u16]) -> Generated {
    let mut choices = Choices { left: choices.iter() };
    let straight = choices.below(2) == 0;
    let mut builder = Builder {
        choices,
        straight,
        places: Vec::new(),
        loops: 0,
    };
    let head = builder.declarations();
    let mut body = Vec::new();
    for (place, _) in builder.places.clone().into_iter().step_by(2) {
        let value = builder.choices.pick(NUMBERS);
        body.push(Piece::Text(format!("{place} = {value};")));
    }
    for _ in 0..40 {
        if builder.choices.is_done() {
            break;
        }
        let statement = builder.statement(2);
        body.push(Piece::Text(statement));
        if builder.choices.below(3) == 0 {
            let at = builder.choices.below(builder.places.len());
            body.push(Piece::Emit(builder.places[at].0.clone()));
        }
    }
    let all = builder.places.iter().map(|(place, _)| Piece::Emit(place.clone()));
    body.extend(all);
    Generated { head, body, straight }
}

impl Builder<'_> {
    /// Types, objects and functions. Fills the list of places.
    fn declarations(&mut self) -> String {
        let mut text = String::from("void emit(long long);\nenum colour { RED, GREEN = 5, BLUE };\n");
        let mut members: Vec<(String, bool)> = Vec::new();
        text.push_str("struct part {\n");
        for i in 0..2 + self.choices.below(5) {
            let ty = self.choices.pick(TYPES);
            // A bit-field is at most as wide as its type.
            if self.choices.below(3) == 0 && !matches!(ty, "_Bool" | "enum colour") {
                let width = 1 + self.choices.below(if ty.contains("char") { 7 } else { 15 });
                writeln!(text, "  {ty} m{i} : {width};").unwrap();
                members.push((format!("m{i}"), false));
            } else {
                writeln!(text, "  {ty} m{i};").unwrap();
                members.push((format!("m{i}"), ty == "int"));
            }
        }
        text.push_str(
            "};\nstruct whole { struct part one; int list[4]; unsigned char bytes[3]; struct part more[2]; };\n",
        );
        text.push_str("union view { unsigned word; int number; unsigned char bytes[4]; unsigned short halves[2]; struct { unsigned low : 7, high : 25; } bits; };\n");
        text.push_str("struct part p0, p1; struct whole w0, w1; union view u;\nint table[4] = {3, -1, 70000, 8}; int *link = &table[1]; struct part *to = &p0;\n");
        for (i, ty) in TYPES.iter().enumerate() {
            writeln!(text, "{ty} v{i};").unwrap();
            self.places.push((format!("v{i}"), *ty == "int"));
        }
        for base in ["p0", "p1", "w0.one", "w1.more[1]", "w0.more[0]"] {
            self.places
                .extend(members.iter().map(|(m, is_int)| (format!("{base}.{m}"), *is_int)));
        }
        self.places
            .extend(members.iter().map(|(m, _)| (format!("to->{m}"), false)));
        for place in [
            "w0.list[2]",
            "w1.list[v5 & 3]",
            "table[v2 & 3]",
            "table[0]",
            "u.number",
            "(*link)",
        ] {
            self.places.push((place.to_string(), place != "(*link)"));
        }
        for place in [
            "w0.bytes[1]",
            "u.word",
            "u.bytes[2]",
            "u.halves[1]",
            "u.bits.low",
            "u.bits.high",
            "u.bytes[v0 & 3]",
        ] {
            self.places.push((place.to_string(), false));
        }
        let sum: Vec<String> = members.iter().map(|(m, _)| format!("x.{m}")).collect();
        writeln!(
            text,
            "long total(struct part x, int n) {{ x.m0 = n; return {}; }}",
            sum.join(" * 3 + ")
        )
        .unwrap();
        text.push_str("struct part changed(struct part x, long n) { x.m1 = n; to = &p1; return x; }\n");
        text.push_str("void bump(int *at, short by) { *at = *at + by; }\n");
        text
    }

    fn place(&mut self) -> String {
        let at = self.choices.below(self.places.len());
        self.places[at].0.clone()
    }

    /// An expression without undefined behaviour and side effects.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.below(6) == 0 {
            return match self.choices.below(3) {
                0 => format!("({})", self.choices.pick(NUMBERS)),
                _ => self.place(),
            };
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        match self.choices.below(9) {
            0 => format!("({}{a})", self.choices.pick(&["- ", "~", "!"])),
            1 => format!("(({}){a})", self.choices.pick(TYPES)),
            2 => format!("({a} {} ({b} & 7))", self.choices.pick(&["<<", ">>"])),
            // The divisor is made positive, so that neither zero nor minus one occurs.
            3 => format!("({a} {} (({b} & 1023) + 1))", self.choices.pick(&["/", "%"])),
            4 => format!("({a} {} {b})", self.choices.pick(&["<", "<=", ">", ">=", "==", "!="])),
            5 if !self.straight => format!("({a} {} {b})", self.choices.pick(&["&&", "||"])),
            6 if !self.straight => format!("({a} ? {b} : {})", self.expression(depth - 1)),
            _ => format!("({a} {} {b})", self.choices.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let kinds = if self.straight || depth == 0 { 10 } else { 13 };
        match self.choices.below(kinds) {
            0 => self
                .choices
                .pick(&[
                    "p1 = p0;",
                    "w0.more[1] = p1;",
                    "w1 = w0;",
                    "w0.one = *to;",
                    "*to = w1.more[0];",
                ])
                .to_string(),
            1 => format!(
                "to = {};",
                self.choices
                    .pick(&["&p0", "&p1", "&w0.one", "&w1.more[1]", "&w0.more[v3 & 1]"])
            ),
            2 => {
                let ints: Vec<String> = self.places.iter().filter(|p| p.1).map(|p| p.0.clone()).collect();
                let at = self.choices.below(ints.len());
                format!("link = &{};", ints[at])
            }
            3 => format!("p0 = changed(w0.one, {});", self.expression(1)),
            4 => format!(
                "v8 = total({}, {});",
                self.choices.pick(&["p1", "*to", "w1.more[1]"]),
                self.expression(1)
            ),
            5 => format!("bump(link, {});", self.expression(1)),
            6 => format!("{}{};", self.place(), self.choices.pick(&["++", "--"])),
            7 => {
                let op = self.choices.pick(&["+=", "-=", "*=", "^=", "|=", "&="]);
                format!("{} {op} {};", self.place(), self.expression(2))
            }
            10 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.expression(2),
                self.statement(depth - 1),
                self.statement(depth - 1)
            ),
            11 => {
                self.loops += 1;
                let (k, rounds) = (format!("k{}", self.loops), 1 + self.choices.below(5));
                format!(
                    "for (int {k} = 0; {k} < {rounds}; {k}++) {{ {} {} }}",
                    self.statement(depth - 1),
                    self.statement(depth - 1)
                )
            }
            12 => format!(
                "switch ({} & 3) {{ case 0: {} break; case 2: {} default: {} }}",
                self.expression(1),
                self.statement(0),
                self.statement(0),
                self.statement(0)
            ),
            _ => format!("{} = {};", self.place(), self.expression(3)),
        }
    }
}

fn program(name: &str, text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new(name, text), &options).unwrap_or_else(|e| panic!("{}\n{text}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The values that the program passes to a function without body, as its argument at a position, or the reason for which it did not come to its end.
fn machine(text: &str, function: &str, argument: usize) -> Result<Vec<String>, String> {
    let program = program("random.c", text);
    let result = run(&program, &mut Scripted::default(), STEPS);
    if result.end != RunEnd::Finished {
        return Err(format!("{:?}", result.end));
    }
    let calls = result.external_calls.iter();
    Ok(calls
        .filter(|(f, arguments)| program.function(*f).name == function && arguments.len() > argument)
        .map(|(_, arguments)| arguments[argument].clone())
        .collect())
}

/// The output of the compiled program, line by line; `None` if there is no compiler.
fn compiled(folder: &Path, text: &str, with: &str, flags: &[&str]) -> Option<Vec<String>> {
    fs::create_dir_all(folder).expect("a temporary folder");
    let (source, other, binary) = (folder.join("program.c"), folder.join("other.c"), folder.join("program"));
    fs::write(&source, text).expect("a temporary file");
    fs::write(&other, with).expect("a temporary file");
    let output = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-o"])
        .args([&binary, &source, &other])
        .args(flags)
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
    let output = Command::new(&binary).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("numbers");
    Some(text.lines().map(str::to_string).collect())
}

/// Whether the calls of `reach_error` are proved unreachable; a violation is an error.
fn proves(text: &str, explicit: bool) -> Result<bool, String> {
    let program = program("claims.c", text);
    let property = Property {
        name: "p".to_string(),
        targets: program.edges_calling("reach_error"),
        ..Property::default()
    };
    let default = engine::Options::default();
    let options = engine::Options {
        limits: Limits {
            ticks: Some(if explicit { 2_000_000 } else { 200_000 }),
            ..Limits::default()
        },
        explicit: Explicit {
            enabled: explicit,
            ..Explicit::default()
        },
        ideal_ticks: 0,
        check: checks::enabled(),
        ..default
    };
    let mut confirm =
        |candidate: &CounterexampleCandidate| replay(&program, &candidate.steps, &candidate.inputs).judgement.into();
    let outcome = engine::verify(&program, &[property], &options, &mut Silent, &mut confirm);
    match &outcome.verdicts[0].1 {
        Verdict::True => Ok(true),
        Verdict::Unknown(_) => Ok(false),
        Verdict::False(_) => Err("FALSE".to_string()),
    }
}

fn wanted() -> u32 {
    let number = std::env::var("PROVIDENT_PROGRAMS").ok();
    number.map_or(50, |n| n.parse().expect("PROVIDENT_PROGRAMS is a number"))
}

#[test]
fn random_programs_do_what_the_compiler_says() {
    let folder = std::env::temp_dir().join(format!("provident-differential-{}", std::process::id()));
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 100,
        ..ProptestConfig::with_cases(wanted())
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let [straight, short, by_formulas] = [const { Cell::new(0u32) }; 3];
    let emit = "int printf(const char *, ...);\nvoid emit(long long value) { printf(\"%lld\\n\", value); }\n";
    let result = runner.run(&prop::collection::vec(any::<u16>(), 50..500), |choices| {
        let generated = generate(&choices);
        let text = generated.emitting();
        let found = machine(&text, "emit", 0);
        prop_assert!(found.is_ok(), "{found:?}\n{text}");
        let found = found.unwrap_or_default();
        let expected = compiled(&folder, &text, emit, &[]).unwrap_or_else(|| found.clone());
        let at = found.iter().zip(&expected).position(|(a, b)| a != b);
        prop_assert!(
            found == expected,
            "the first difference is at {at:?}: {:?}\n{text}",
            at.map(|i| (&found[i], &expected[i]))
        );
        if generated.straight {
            let claims = generated.claiming(&expected);
            straight.set(straight.get() + 1);
            prop_assert_eq!(proves(&claims, true), Ok(true), "by default:\n{}", claims);
            // Long ones are too much for formulas.
            if choices.len() > MAX_CHOICES {
                return Ok(());
            }
            short.set(short.get() + 1);
            match proves(&claims, false) {
                Ok(proved) => by_formulas.set(by_formulas.get() + u32::from(proved)),
                Err(verdict) => prop_assert!(false, "{verdict} by formulas:\n{claims}"),
            }
        }
        Ok(())
    });
    let _ = fs::remove_dir_all(&folder);
    result.unwrap_or_else(|failure| panic!("{failure}"));
    let [straight, short, by_formulas] = [straight, short, by_formulas].map(Cell::into_inner);
    let all = wanted();
    println!(
        "{all} programs, {straight} of them straight, {short} of these short, {by_formulas} of these proved by formulas"
    );
    assert!(
        by_formulas * 2 >= short,
        "formulas prove {by_formulas} of {short} programs only"
    );
}

/// The programs of csmith in the folder that `PROVIDENT_CSMITH` names: preprocessed files that print their checksum.
#[test]
fn programs_of_csmith_have_their_checksum() {
    let Some(folder) = std::env::var_os("PROVIDENT_CSMITH").map(PathBuf::from) else {
        return;
    };
    let scratch = std::env::temp_dir().join(format!("provident-csmith-{}", std::process::id()));
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of PROVIDENT_CSMITH")
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    files.retain(|file| file.extension().is_some_and(|e| e == "i"));
    let mut compared = 0;
    for file in &files {
        let text = fs::read_to_string(file).expect("a program");
        // The last number that is printed; a program that takes too long has none.
        let Ok(found) = machine(&text, "printf", 1) else {
            continue;
        };
        let Some(printed) = compiled(&scratch, &text, "", &[]).and_then(|lines| lines.last().cloned()) else {
            continue;
        };
        let expected = printed.trim_start_matches("checksum = ");
        let number: i128 = found.last().expect("a checksum").parse().expect("a number");
        assert_eq!(format!("{:X}", number as u32), expected, "{}", file.display());
        compared += 1;
    }
    let _ = fs::remove_dir_all(&scratch);
    println!("{compared} of {} programs compared", files.len());
}
