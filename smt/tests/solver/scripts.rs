//! SMT-LIB scripts as data: each file of `tests/scripts` holds its expected output in lines that start with `;> `.

use provident_smt::smtlib::{Options, run};
use std::fs;
use std::path::{Path, PathBuf};

/// What a script prints.
fn output(text: &str, options: &Options) -> String {
    let mut out = Vec::new();
    run(text, &mut out, options).expect("writing to memory succeeds");
    String::from_utf8(out).expect("answers are text")
}

fn scripts_below(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten() {
            let path = entry.expect("a readable directory").path();
            match path.extension() {
                _ if path.is_dir() => open.push(path),
                Some(extension) if extension == "smt2" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn scripts_print_what_they_expect() {
    let scripts = scripts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts"));
    assert!(!scripts.is_empty(), "there are scripts");
    let mut failures = Vec::new();
    for script in scripts {
        let text = fs::read_to_string(&script).expect("a readable script");
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(";> ")).collect();
        let actual = output(&text, &Options::default());
        if actual.lines().collect::<Vec<_>>() != expected {
            failures.push(format!("{}:\n{actual}", script.display()));
        }
    }
    assert!(
        failures.is_empty(),
        "other output than expected:\n{}",
        failures.join("\n")
    );
}

/// Cut and bent scripts must get errors, never a panic. The text is cut at every byte, and each byte replaced by a few others.
#[test]
fn broken_scripts_do_not_panic() {
    let text = "(declare-fun f (Int Bool) Int)(define-fun g ((x Int)) Int (let ((y (- x 1))) (mod y 3)))\
                (assert (! (= (f (g 2) true) (div |a b| 2)) :named n))(check-sat)(get-value ((f 1 true)))(pop 1)";
    for at in 0..text.len() {
        output(&text[..at], &Options::default());
        for replacement in ["(", ")", "\"", "|", ";", " ", "x", "0", "_"] {
            let bent = format!("{}{replacement}{}", &text[..at], &text[at + 1..]);
            output(&bent, &Options::default());
        }
    }
}

#[test]
fn deep_scripts_need_no_stack() {
    const DEPTH: usize = 100_000;
    let nested = format!("{}x{}", "(f ".repeat(DEPTH), ")".repeat(DEPTH));
    let lets = format!("{}y{}", "(let ((y (+ y 1))) ".repeat(DEPTH), ")".repeat(DEPTH));
    let text = format!(
        "(declare-const x Int)(declare-const y Int)(declare-fun f (Int) Int)\
         (push 1)(assert (= x {lets}))(check-sat)(pop 1)(assert (= (f x) x))(check-sat)\
         (assert (! (< {nested} 0) :named deep))(get-assertions)"
    );
    let printed = output(&text, &Options::default());
    assert!(
        printed.starts_with("sat\nsat\n"),
        "{}",
        &printed[..40.min(printed.len())]
    );
}

/// Scripts with known answers, if the collection stands beside the checkout: no answer may be wrong.
#[test]
fn known_scripts_have_no_wrong_answers() {
    let collection = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/smt");
    let Ok(index) = fs::read_to_string(collection.join("index.tsv")) else {
        return;
    };
    let options = Options {
        ticks: Some(20_000),
        ..Options::default()
    };
    let (mut decided, mut wrong) = (0, Vec::new());
    for line in index.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(file), Some(_logic), Some(status)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let Ok(bytes) = fs::read(collection.join(file)) else {
            continue;
        };
        let printed = output(&String::from_utf8_lossy(&bytes), &options);
        let answers = printed
            .lines()
            .filter(|line| matches!(*line, "sat" | "unsat" | "unknown"));
        for (answer, known) in answers.zip(status.split(',')) {
            decided += usize::from(answer == known);
            if matches!((answer, known), ("sat", "unsat") | ("unsat", "sat")) {
                wrong.push(format!("{file}: {answer} instead of {known}"));
            }
        }
    }
    assert!(wrong.is_empty(), "wrong answers:\n{}", wrong.join("\n"));
    assert!(decided > 100, "only {decided} known answers were found");
}
