//! Strange input for the SMT-LIB front end: it must answer with errors that have a place, and never panic. And a script must not mean something else
//! when it comes in small pieces.

use proptest::prelude::*;
use provident_smt::smtlib::{Options, run_stream};
use std::io::BufReader;

/// What a script prints when it is read through a buffer of this size.
fn output(text: &[u8], buffer: usize) -> String {
    let options = Options {
        ticks: Some(5_000),
        ..Options::default()
    };
    let mut out = Vec::new();
    run_stream(BufReader::with_capacity(buffer, text), &mut out, &options).expect("memory can be read and written");
    String::from_utf8(out).expect("answers are text")
}

/// Every error says `line:column: `.
fn assert_errors_have_places(printed: &str) {
    for message in printed.lines().filter_map(|line| line.strip_prefix("(error \"")) {
        let mut parts = message.splitn(3, ':');
        let number = |part: Option<&str>| part.and_then(|text| text.parse::<usize>().ok()).is_some_and(|n| n > 0);
        assert!(
            number(parts.next()) && number(parts.next()),
            "an error without place: {message}"
        );
    }
}

const TOKENS: [&str; 62] = [
    "(",
    ")",
    "(",
    ")",
    "(assert",
    "(check-sat)",
    "(push 1)",
    "(pop 1)",
    "(let ((x ",
    "(! ",
    ":named",
    "n",
    "m",
    "x",
    "y",
    "a",
    "u",
    "f",
    "p",
    "(f ",
    "(p ",
    "(= ",
    "(+ ",
    "(- ",
    "(* ",
    "(<= ",
    "(ite ",
    "(and ",
    "(or ",
    "(not ",
    "(div ",
    "(mod ",
    "(distinct ",
    "(xor ",
    "0",
    "1",
    "-3",
    "2.5",
    "#b01",
    "\"s\"\"",
    "|b c|",
    "|",
    "\"",
    ";",
    "\n",
    "Int",
    "Bool",
    "U",
    "(declare-const z",
    "(define-fun g",
    "((i Int))",
    "(declare-sort V 2)",
    "(define-sort W (A) (V A A))",
    "(get-value (x))",
    "(get-model)",
    "(get-proof)",
    "(get-unsat-core)",
    "(check-sat-assuming (a))",
    "(get-assignment)",
    "(reset-assertions)",
    "(set-option :produce-proofs true)",
    "(get-info :all-statistics)",
];

const HEAD: &str = "(set-option :produce-proofs true)(declare-sort U 0)(declare-const x Int)(declare-const y Int)(declare-const a Bool)\
                    (declare-const u U)(declare-fun f (Int) Int)(declare-fun p (U Bool) Bool)\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        assert_errors_have_places(&output(&bytes, 64));
    }

    #[test]
    fn any_tokens_are_answered(
        tokens in prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..60),
        blank in prop::sample::select(vec!["", " "]),
        buffer in 1_usize..20,
    ) {
        let text = format!("{HEAD}{}", tokens.join(blank));
        let whole = output(text.as_bytes(), 1 << 16);
        assert_errors_have_places(&whole);
        prop_assert_eq!(whole, output(text.as_bytes(), buffer), "in pieces of {} bytes", buffer);
    }
}
