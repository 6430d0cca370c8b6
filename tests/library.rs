//! The C library's sources: they parse for every data model, their index is what they define, and programs get from them what the real library gives.

use provident::cfa::library::c_library;
use provident::frontend::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a program may include, as far as the library's sources take types from it.
const TYPES: &str = "
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
typedef struct { long long quot; long long rem; } imaxdiv_t;
typedef struct _IO_FILE FILE;
struct timespec { long tv_sec; long tv_nsec; };
struct timeval { long tv_sec; long tv_usec; };
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

/// What the functions are that the programs leave to others, for a native run. Status 66 says that a program came to its end.
const NATIVE: &str = "
extern void abort(void);
extern void _exit(int);
void reach_error(void) { abort(); }
void finished(void) { _exit(66); }
int __VERIFIER_nondet_int(void) { static int n = 7; return n = -n * 3 % 1000; }
";

/// Every program checks what the functions of one header do. It holds with the C library that is installed here, where that is; for us no check fails, and the
/// end is reached.
#[test]
fn programs_get_what_the_c_library_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/library");
    let scratch = tempfolder("library");
    std::fs::write(scratch.join("native.c"), NATIVE).expect("the folder was made");
    for (name, call) in [("error", "reach_error"), ("end", "finished")] {
        let text = format!("CHECK( init(main()), LTL(G ! call({call}())) )\n");
        std::fs::write(scratch.join(format!("{name}.prp")), text).expect("the folder was made");
    }
    let mut programs: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    programs.sort();
    assert!(programs.len() > 5);
    let mut wrong = Vec::new();
    for program in &programs {
        let name = program.file_name().expect("a file").to_string_lossy().into_owned();
        if let Some(status) = natively(program, &scratch)
            && status != Some(66)
        {
            wrong.push(format!("{name}: gcc's program ends with {status:?}"));
        }
        let output = Command::new(env!("CARGO_BIN_EXE_provident"))
            .arg("verify")
            .arg(program)
            .args(["--cpu-limit", "60", "--property"])
            .arg(scratch.join("error.prp"))
            .arg("--property")
            .arg(scratch.join("end.prp"))
            .output()
            .expect("provident runs");
        let text = String::from_utf8_lossy(&output.stdout);
        for expected in ["PROPERTY error: TRUE", "PROPERTY end: FALSE"] {
            if !text.contains(expected) {
                wrong.push(format!("{name}: not {expected}:\n{text}"));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compiles and runs a program; its status, or `None` where there is no compiler.
fn natively(program: &Path, scratch: &Path) -> Option<Option<i32>> {
    let binary = scratch.join("program");
    let compiled = Command::new("gcc")
        .args(["-w", "-fno-builtin", "-o"])
        .arg(&binary)
        .arg(program)
        .arg(scratch.join("native.c"))
        .output()
        .ok()?;
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    Some(Command::new(&binary).status().expect("it was compiled").code())
}

fn tempfolder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    folder
}
