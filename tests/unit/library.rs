//! The C library's sources: they parse for every data model, their index is what they define, and programs get from them what the real library gives.

use provident::cfa::library::c_library;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The headers that a program may include, as far as the library's sources take types from it.
const TYPES: &str = "
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
typedef struct { long long quot; long long rem; } imaxdiv_t;
typedef struct _IO_FILE FILE;
struct timespec { long tv_sec; long tv_nsec; };
struct timeval { long tv_sec; long tv_usec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
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
            let defined = |f: &&provident::frontend::syntax::ast::Function| &*f.name == *name && f.body.is_some();
            assert!(
                unit.functions.iter().any(|f| defined(&f)),
                "{file} does not define `{name}`, but its lines look so"
            );
        }
    }
}

/// The functions that the programs leave to others, for a native run. Status 66 says that a program came to its end.
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

/// A program, a property of it, and what the verifier has to say.
struct Case {
    name: &'static str,
    /// The function that must not be called.
    forbidden: &'static str,
    options: &'static [&'static str],
    /// The verdict, or a part of the line of assumptions.
    says: &'static [&'static str],
    program: &'static str,
}

const MAY_FAIL: &[&str] = &["--set", "malloc=may-fail"];

const CASES: &[Case] = &[
    Case {
        name: "computed_goto_elsewhere",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: TRUE", "language! (1)"],
        program: "extern void reach_error(void); int main(void) { void *to = 0; goto *to; here: reach_error(); return to == &&here; }",
    },
    Case {
        name: "first_text_of_the_environment",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: FALSE", "library model! (1)"],
        program: "extern void reach_error(void); extern char *getenv(const char *);
                  int main(void) { if (getenv(\"A\")) reach_error(); return 0; }",
    },
    Case {
        name: "second_text_of_the_environment",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: UNKNOWN"],
        program: "extern void reach_error(void); extern char *getenv(const char *);
                  int main(void) { char *a = getenv(\"A\"), *b = getenv(\"A\"); if (a && !b) reach_error(); return 0; }",
    },
    Case {
        name: "printf_unused",
        forbidden: "printf",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern int printf(const char *, ...); int main(void) { printf(\"%d\", 3); return 0; }",
    },
    Case {
        name: "printf_effects",
        forbidden: "printf",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern int printf(const char *, ...); int main(void) { int i = 0; printf(\"%d\", i++); return 0; }",
    },
    Case {
        name: "printf_behind_the_end",
        forbidden: "printf",
        options: &[],
        says: &["VERDICT: TRUE"],
        program: "extern int printf(const char *, ...); extern void exit(int); static int stop(void) { exit(0); }
                  int main(void) { printf(\"%d\", stop()); return 0; }",
    },
    Case {
        name: "malloc_operation",
        forbidden: "malloc",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void *malloc(unsigned long); int main(void) { malloc(3); return 0; }",
    },
    Case {
        name: "free_on_one_way",
        forbidden: "free",
        options: &[],
        says: &["VERDICT: TRUE"],
        program: "extern void *malloc(unsigned long); extern void free(void *); extern int sensor(void);
                  int main(void) { char *p = malloc(3); *p = 0; if (sensor() > 3 && *p) free(p); return 0; }",
    },
    Case {
        name: "sqrt_operation",
        forbidden: "sqrt",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern double sqrt(double); double y; int main(void) { y = sqrt(4.0); return 0; }",
    },
    Case {
        name: "kmalloc_operation",
        forbidden: "kmalloc",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void *kmalloc(unsigned long, unsigned); int main(void) { kmalloc(3, 0); return 0; }",
    },
    Case {
        name: "library_calls_itself",
        forbidden: "strlen",
        options: &[],
        says: &["VERDICT: TRUE"],
        program: "extern char *strcat(char *, const char *); extern char *strdup(const char *);
                  int main(void) { char b[4] = \"a\"; strcat(b, strdup(\"b\")); return 0; }",
    },
    Case {
        name: "library_calls_back",
        forbidden: "compare",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
                  static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
                  int main(void) { int a[2] = {2, 1}; qsort(a, 2, sizeof *a, compare); return 0; }",
    },
    Case {
        name: "malloc_fails_with_errno",
        forbidden: "reach_error",
        options: MAY_FAIL,
        says: &["VERDICT: TRUE"],
        program: "extern void reach_error(void); extern void *malloc(unsigned long); extern int *__errno_location(void);
                  int main(void) { *__errno_location() = 0; char *p = malloc(10);
                  if (p ? *__errno_location() != 0 : *__errno_location() != 12) reach_error(); return 0; }",
    },
    Case {
        name: "malloc_fails",
        forbidden: "reach_error",
        options: MAY_FAIL,
        says: &["VERDICT: FALSE"],
        program: "extern void reach_error(void); extern void *malloc(unsigned long); extern int *__errno_location(void);
                  int main(void) { *__errno_location() = 0; char *p = malloc(10);
                  if (!p && *__errno_location() == 12) reach_error(); return 0; }",
    },
    Case {
        name: "malloc_succeeds",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: TRUE", "allocation!"],
        program: "extern void reach_error(void); extern void *malloc(unsigned long);
                  int main(void) { if (!malloc(10)) reach_error(); return 0; }",
    },
    Case {
        name: "realloc_fails_with_errno_and_keeps",
        forbidden: "reach_error",
        options: MAY_FAIL,
        says: &["VERDICT: TRUE"],
        program: "extern void reach_error(void); extern void *malloc(unsigned long); extern void *realloc(void *, unsigned long);
                  extern int *__errno_location(void);
                  int main(void) { char *p = malloc(10); if (!p) return 0; p[3] = 7; *__errno_location() = 0;
                  char *q = realloc(p, 20); if (!q && (*__errno_location() != 12 || p[3] != 7)) reach_error();
                  if (q && q[3] != 7) reach_error(); return 0; }",
    },
    Case {
        name: "realloc_succeeds",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: TRUE", "allocation!"],
        program: "extern void reach_error(void); extern void *realloc(void *, unsigned long);
                  int main(void) { if (!realloc(0, 10)) reach_error(); return 0; }",
    },
    Case {
        name: "realloc_of_too_much",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void reach_error(void); extern void *realloc(void *, unsigned long); extern int *__errno_location(void);
                  int main(void) { if (!realloc(0, -1ul) && *__errno_location() == 12) reach_error(); return 0; }",
    },
    Case {
        name: "krealloc_fails",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void reach_error(void); extern void *krealloc(void *, unsigned long, unsigned);
                  int main(void) { if (!krealloc(0, 10, 0)) reach_error(); return 0; }",
    },
    Case {
        name: "memset_in_an_operand",
        forbidden: "reach_error",
        options: &[],
        says: &["evaluation order!"],
        program: "extern void reach_error(void); extern void *memset(void *, int, unsigned long); int x = 5;
                  int main(void) { int y = (memset(&x, 0, sizeof x) != 0) + x; if (y == 6) reach_error(); return 0; }",
    },
    Case {
        name: "memset_through_a_pointer",
        forbidden: "reach_error",
        options: &[],
        says: &["evaluation order!"],
        program: "extern void reach_error(void); extern void *memset(void *, int, unsigned long); int x = 5; int *p = &x;
                  int main(void) { int y = (memset(p, 0, sizeof x) != 0) + x; if (y == 6) reach_error(); return 0; }",
    },
    Case {
        name: "own_strlen_of_another_type",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: FALSE"],
        program: "extern void reach_error(void); int strlen(const char *s, int more) { return more; }
                  int main(void) { if (strlen(\"a\", 9) == 9) reach_error(); return 0; }",
    },
    Case {
        name: "prototype_of_another_type",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: UNKNOWN"],
        program: "extern void reach_error(void); extern double strlen(double);
                  int main(void) { if (strlen(3.0) == 1.0) reach_error(); return 0; }",
    },
    Case {
        name: "call_with_too_few_arguments",
        forbidden: "reach_error",
        options: &[],
        says: &["library model!"],
        program: "extern void reach_error(void); extern int strcmp();
                  int main(void) { if (strcmp(\"a\") == 1) reach_error(); return 0; }",
    },
    Case {
        name: "definition_without_prototype",
        forbidden: "reach_error",
        options: &[],
        says: &["VERDICT: UNKNOWN"],
        program: "extern void reach_error(void); int pick();
                  int main(void) { if (pick(1) == 7) reach_error(); return 0; } int pick(a, b) int a; int b; { return b; }",
    },
];

/// Calls of functions without body: edges of the program, failures, effects on other operands, and calls with another type than the definition's.
#[test]
fn calls_of_library_functions_are_calls() {
    let scratch = tempfolder("calls");
    let mut wrong = Vec::new();
    for case in CASES {
        let property = scratch.join(format!("{}.prp", case.forbidden));
        let text = format!("CHECK( init(main()), LTL(G ! call({}())) )\n", case.forbidden);
        std::fs::write(&property, text).expect("the folder was made");
        let program = scratch.join(format!("{}.c", case.name));
        std::fs::write(&program, case.program).expect("the folder was made");
        for more in [
            &[][..],
            &["--set", "slice=off"],
            &["--set", "explicit=off"],
            &["--check"],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_provident"))
                .arg("verify")
                .arg(&program)
                .args(["--cpu-limit", "60", "--property"])
                .arg(&property)
                .args(case.options)
                .args(more)
                .output()
                .expect("provident runs");
            let text = String::from_utf8_lossy(&output.stdout);
            for says in case.says.iter().filter(|says| !text.contains(**says)) {
                wrong.push(format!("{} {more:?}: not {says}:\n{text}", case.name));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
