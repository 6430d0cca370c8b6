//! The C library's sources: they parse for every data model, their index is what they define, and programs get from them what the real library gives.

use provident::cfa::library::c_library;
use provident::frontend::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;

/// What a program may include, as far as the library's sources take types from it.
const TYPES: &str = "
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
";

#[test]
fn all_sources_parse_under_both_data_models() {
    let functions = c_library().functions();
    assert!(functions.len() > 5);
    // A program that takes the address of everything needs everything.
    let mut text = TYPES.to_owned();
    for (name, _) in &functions {
        let _ = writeln!(text, "int {name}();");
    }
    let _ = writeln!(text, "void *all[] = {{");
    for (name, _) in &functions {
        let _ = writeln!(text, "    (void *){name},");
    }
    let _ = writeln!(text, "}};\nint main(void) {{ return 0; }}");
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut source = Source::new("all.c", text.clone());
        source.library = Some(c_library());
        let unit = parse(source, &FrontendOptions { data_model }).unwrap_or_else(|e| panic!("{}", e.render(false)));
        assert_eq!(unit.library_problems, Vec::<String>::new(), "{data_model:?}");
        for (name, file) in &functions {
            let defined = |f: &&provident::frontend::ast::Function| &*f.name == *name && f.body.is_some();
            assert!(
                unit.functions.iter().any(|f| defined(&f)),
                "{file} does not define `{name}`, but its lines look so"
            );
        }
    }
}
