//! The concrete machine against the compiler: programs are run by both, and everything that they emit has to be equal.
//!
//! Where there is no `gcc`, only the machine runs, and only the programs that state their own output are compared.

use provident::cfa::{LowerOptions, Program, lower};
use provident::evidence::replay::{RunEnd, Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STEPS: usize = 1_000_000;

fn program(name: &str, text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new(name, text), &options).unwrap_or_else(|e| panic!("{name}: {}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{name}: {}", e.render(false)))
}

/// The values that the program passes to `emit`, and how it ends.
fn machine(name: &str, text: &str) -> (Vec<String>, RunEnd) {
    let program = program(name, text);
    let result = run(&program, &mut Scripted::default(), STEPS);
    let emitted = result
        .external_calls
        .iter()
        .filter(|(function, _)| program.function(*function).name == "emit")
        .map(|(_, arguments)| arguments[0].clone())
        .collect();
    (emitted, result.end)
}

/// The same by the compiler; `None` if there is none.
fn compiler(name: &str, text: &str) -> Option<Vec<String>> {
    Command::new("gcc").arg("--version").output().ok()?;
    let folder = std::env::temp_dir().join(format!("provident-replay-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let source = folder.join("program.c");
    let binary = folder.join("program");
    let emit = "int printf(const char *, ...);\nvoid emit(long long value) { printf(\"%lld\\n\", value); }\n";
    fs::write(folder.join("emit.c"), emit).unwrap();
    fs::write(&source, text).unwrap();
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-o"])
        .args([&binary, &source, &folder.join("emit.c")])
        .output()
        .unwrap();
    assert!(
        compiled.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let output = Command::new(&binary).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    Some(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(str::to_string)
            .collect(),
    )
}

fn compare(name: &str, text: &str) {
    let (emitted, end) = machine(name, text);
    assert_eq!(
        end,
        RunEnd::Finished,
        "{name} ends differently after emitting {emitted:?}"
    );
    assert!(!emitted.is_empty(), "{name} emits nothing");
    if let Some(expected) = compiler(name, text) {
        let differs = emitted.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!(
            emitted, expected,
            "{name}: the first difference is at {differs:?} in\n{text}"
        );
    }
}

/// The programs of `tests/programs/run`.
#[test]
fn programs_emit_what_the_compiler_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/run");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 5, "the programs are missing");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        compare(&name, &fs::read_to_string(&file).unwrap());
    }
}

/// A small generator of numbers; the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// An expression without undefined behaviour over the variables `v0`.. .
    fn expression(&mut self, depth: usize, variables: usize) -> String {
        if depth == 0 || self.below(8) == 0 {
            return match self.below(3) {
                0 => self
                    .pick(&[
                        "0",
                        "1",
                        "-1",
                        "7",
                        "255",
                        "65536",
                        "2147483647",
                        "4294967295u",
                        "-9223372036854775807l",
                    ])
                    .to_string(),
                _ => format!("v{}", self.below(variables)),
            };
        }
        let a = self.expression(depth - 1, variables);
        let b = self.expression(depth - 1, variables);
        match self.below(8) {
            0 => format!("({}{a})", self.pick(&["- ", "~", "!"])),
            1 => format!("(({}){a})", self.pick(TYPES)),
            2 => format!("({a} {} ({b} & 7))", self.pick(&["<<", ">>"])),
            // The divisor is made positive, so that neither zero nor minus one occurs.
            3 => format!("({a} {} (({b} & 1023) + 1))", self.pick(&["/", "%"])),
            4 => format!("({a} {} {b})", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
            5 => format!("({a} {} {b})", self.pick(&["&&", "||", ", "])),
            6 => format!("({a} ? {b} : {})", self.expression(depth - 1, variables)),
            _ => format!("({a} {} {b})", self.pick(&["+", "-", "*", "&", "|", "^"])),
        }
    }
}

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
    "unsigned long long",
    "_Bool",
];

/// Random assignments over variables of all integer types.
#[test]
fn random_arithmetic_is_that_of_the_compiler() {
    for seed in 1..=6 {
        let mut random = Random(seed);
        let mut text = String::from("void emit(long long);\nint main(void) {\n");
        for (i, ty) in TYPES.iter().enumerate() {
            let value = random.pick(&[
                "0",
                "1",
                "-1",
                "100",
                "-128",
                "40000",
                "2147483647",
                "-2147483648",
                "123456789012345",
            ]);
            text.push_str(&format!("    {ty} v{i} = {value};\n"));
        }
        for _ in 0..60 {
            let target = random.below(TYPES.len());
            let operator = random.pick(&["=", "=", "+=", "-=", "*=", "^=", "|=", "&="]);
            let value = random.expression(4, TYPES.len());
            text.push_str(&format!("    v{target} {operator} {value};\n    emit(v{target});\n"));
        }
        text.push_str("    return 0;\n}\n");
        compare(&format!("random{seed}"), &text);
    }
}

/// Where behaviour is undefined, the machine says so and where.
#[test]
fn undefined_behaviour_ends_a_run() {
    let cases = [
        (
            "int z; int main(void) { return 1 / z; }",
            "division by zero at case.c:1:",
        ),
        (
            "int *p; int main(void) { return *p; }",
            "the null pointer is dereferenced",
        ),
        (
            "int a[3]; int i = 3; int main(void) { return a[i]; }",
            "an access goes outside of every object",
        ),
        (
            "int s = 40; int main(void) { return 1 << s; }",
            "a value of 32 bits is shifted by 40",
        ),
        (
            "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }",
            "after its end",
        ),
        (
            "char *t = \"abc\"; int main(void) { t[0] = 'x'; return 0; }",
            "a string literal is written",
        ),
    ];
    for (text, expected) in cases {
        match machine("case.c", text).1 {
            RunEnd::Undefined(reason) => assert!(reason.contains(expected), "{text}\n{reason}"),
            end => panic!("{text} ends with {end:?}"),
        }
    }
}

/// Inputs reach the program in the order in which it asks for them.
#[test]
fn inputs_are_consumed_in_order() {
    let text = "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
                int main(void) { int a = __VERIFIER_nondet_int(); int b = __VERIFIER_nondet_uchar(); return a - b; }";
    let program = program("inputs.c", text);
    // The two locals are declared with initialisers, so that the calls ask for the only two inputs.
    let result = run(&program, &mut Scripted::new([1000, 513]), STEPS);
    assert_eq!(result.end, RunEnd::Finished);
    assert_eq!(result.returned.as_deref(), Some("999"));
}
