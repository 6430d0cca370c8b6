//! The targets of fuzzing: every reader of text that someone else wrote. A target takes any bytes and must not panic.
//!
//! The same targets serve the tests (`tests/slow/fuzzing.rs`, with inputs made of words that the reader knows) and `cargo fuzz`
//! (`tests/fuzz/fuzz_targets`, with inputs that coverage leads to).

use provident::cfa::LowerOptions;
use provident::engine;
use provident::evidence::obligations::{Manifest, coverage, discharge};
use provident::evidence::validate::{Subject, validate};
use provident::evidence::witness::format;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::spec::{parse_properties, parse_specification, parse_task};
use std::path::Path;

/// A target: its name, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("frontend", frontend),
    ("property", property),
    ("specification", specification),
    ("task", task),
    ("script", script),
    ("manifest", manifest),
    ("witness", witness),
];

/// Longer inputs are cut: they cost time and find nothing that short ones do not.
const LONGEST: usize = 4096;

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(&data[..data.len().min(LONGEST)]).into_owned()
}

/// Lexer, parser and lowering.
pub fn frontend(data: &[u8]) {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let data = &data[..data.len().min(LONGEST)];
    if let Ok(unit) = parse(Source::new("fuzz.i", data), &options)
        && let Ok(program) = provident::cfa::lower(unit, &provident::cfa::LowerOptions::default())
    {
        program.validate();
    }
}

/// Property files.
pub fn property(data: &[u8]) {
    let _ = parse_properties(Path::new("fuzz.prp"), &text(data));
}

/// Specification automata.
pub fn specification(data: &[u8]) {
    let _ = parse_specification(Path::new("fuzz.spc"), &text(data), &|_| Err("no file".into()));
}

/// Task definitions.
pub fn task(data: &[u8]) {
    let _ = parse_task(Path::new("fuzz.yml"), &text(data));
}

/// SMT-LIB scripts.
pub fn script(data: &[u8]) {
    let options = provident_smt::smtlib::Options {
        ticks: Some(20_000),
        ..provident_smt::smtlib::Options::default()
    };
    let data = &data[..data.len().min(LONGEST)];
    provident_smt::smtlib::run_stream(data, &mut std::io::sink(), &options).expect("a sink takes everything");
}

/// Manifests of proof obligations. The names of files are what is in them.
pub fn manifest(data: &[u8]) {
    let data = &data[..data.len().min(LONGEST)];
    if let Ok(manifest) = serde_json::from_slice::<Manifest>(data) {
        let _ = coverage::covers(&manifest);
        let _ = discharge::discharge_all(&manifest, &discharge::Allowed::ticks(20_000), &mut |name| {
            Ok::<_, std::convert::Infallible>(name.to_string())
        });
    }
}

/// The program that witnesses are about.
pub const WITNESSED: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int step(int x) { return x + 1; }
int main(void) {
  int i = 0, a[2] = { 0, 0 };
  int n = __VERIFIER_nondet_int();
  while (i < n) {
    if (n > 2) break;
    i = step(i);
    for (; a[0] < 1; a[0]++) ;
  }
  do { n--; } while (n > 0);
  if (i == 2) reach_error();
  return 0;
}
";

/// Witnesses: the reader, the writer, and the validation against a small program with little effort.
pub fn witness(data: &[u8]) {
    let Ok(file) = format::read(&text(data)) else {
        return;
    };
    assert_eq!(
        format::read(&format::write(&file)).as_ref(),
        Ok(&file),
        "what was written is read again"
    );
    let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
    let property = parse_properties(Path::new("fuzz.prp"), property).expect("the property is well-formed");
    let mut options = engine::Options::default();
    options.limits.ticks = Some(20_000);
    options.explicit.steps = 5_000;
    options.ideal_ticks = 0;
    let subject = Subject {
        source: Source::new("fuzz.c", WITNESSED.as_bytes()),
        data_model: DataModel::Ilp32,
        lower: LowerOptions::default(),
        forbidden: property[0].forbidden.clone(),
        options,
    };
    let _ = validate(&subject, &file);
}
