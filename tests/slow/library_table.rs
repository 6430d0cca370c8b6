//! Small programs about the C library and the compiler's builtins: `tests/library/*.table`.
//!
//! A table begins with declarations that all of its programs share. A program begins with a line `=== name TRUE` or `=== name FALSE`, and
//! states what it needs in lines below that: `inputs: 1 2` are values of `__VERIFIER_nondet_*` with which it fails, `stdin: text` is what it
//! then reads from standard input (`\n` for the end of a line), `formulas` says that formulas alone decide it quickly, `pending` that the verifier is known to get it
//! wrong: it counts as not decided. What stands before a
//! line `main:` is at file scope, the rest is the body of `main`. `check(c)` is an assertion.
//!
//! Nothing of this is taken from what the verifier says. All programs of a table are compiled together by gcc and run against glibc: no
//! execution of a TRUE program with any of a list of inputs may fail, and a FALSE one has to fail with its own.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Of all programs, so many in a hundred are decided.
const DECIDED: usize = 95;

/// The declarations that every program sees.
const PRELUDE: &str = "\
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
static void check(int holds) { if (!holds) reach_error(); }
";

struct Entry {
    name: String,
    holds: bool,
    inputs: Vec<i64>,
    stdin: String,
    formulas: bool,
    /// Not given to the verifier.
    pending: bool,
    /// The text at file scope.
    scope: String,
    body: String,
}

struct Table {
    name: String,
    /// Declarations, preprocessed.
    head: String,
    entries: Vec<Entry>,
}

fn tables() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "table"));
    files.sort();
    // Some tables need the system's headers.
    let usable = |file: &&PathBuf| has_gcc() || !fs::read_to_string(file).unwrap().contains("#include");
    files.iter().filter(usable).map(|file| table(file)).collect()
}

fn table(file: &Path) -> Table {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut text = fs::read_to_string(file).unwrap();
    if text.contains("#include") {
        text = preprocessed(&name, &text);
    }
    let mut parts = text.split("=== ");
    let head = parts.next().unwrap().to_owned();
    let entries = parts.map(|part| entry(&name, part)).collect();
    Table { name, head, entries }
}

fn entry(table: &str, text: &str) -> Entry {
    let (first, mut text) = text.split_once('\n').unwrap();
    let (name, verdict) = first.split_once(' ').unwrap_or_else(|| panic!("{table}: `{first}`"));
    assert!(matches!(verdict, "TRUE" | "FALSE"), "{table}: `{first}`");
    let mut entry = Entry {
        name: format!("{table}/{name}"),
        holds: verdict == "TRUE",
        inputs: Vec::new(),
        stdin: String::new(),
        formulas: false,
        pending: false,
        scope: String::new(),
        body: String::new(),
    };
    while let Some((line, rest)) = text.split_once('\n') {
        match line.split_once(": ") {
            Some(("inputs", values)) => entry.inputs = values.split(' ').map(|v| v.parse().unwrap()).collect(),
            Some(("stdin", given)) => entry.stdin = given.replace("\\n", "\n"),
            _ if line == "formulas" => entry.formulas = true,
            _ if line == "pending" => entry.pending = true,
            _ => break,
        }
        text = rest;
    }
    match text.split_once("main:\n") {
        Some((scope, body)) => (entry.scope, entry.body) = (scope.to_owned(), body.to_owned()),
        None => text.clone_into(&mut entry.body),
    }
    entry
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library-table");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn has_gcc() -> bool {
    let status = Command::new("gcc").arg("--version").stdout(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}

/// A whole table with its macros expanded; its lines stay lines.
fn preprocessed(name: &str, text: &str) -> String {
    // Tests run at the same time.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let file = folder().join(format!("{name}-table-{}.c", NEXT.fetch_add(1, Ordering::Relaxed)));
    fs::write(&file, text).unwrap();
    let output = Command::new("gcc")
        .args(["-E", "-P", "-O0"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::remove_file(file).unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Values of inputs for executions of programs that hold: all of one kind, or in a row.
const SERIES: [&[i64]; 8] = [
    &[0],
    &[1],
    &[-1],
    &[7, 3, 100, -5, 2],
    &[48, 57, 65, 90, 97, 122, 32, 10],
    &[2_147_483_647, -2_147_483_648, 255, 128, -129],
    &[1, 0, 3, 2, 5, 4],
    &[9_223_372_036_854_775_807, 4_294_967_296, -9_223_372_036_854_775_807],
];

/// Texts on standard input for programs that hold.
const TEXTS: [&str; 4] = ["", "12 abc\nsecond line\n", "-7", "\n x=42 %\n0x1F"];

/// The names that a program declares `static` or as a structure: each gets a name of its own among the others.
fn names_at_file_scope(scope: &str) -> Vec<&str> {
    let word = |text: &'_ str| -> usize {
        text.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    let mut names = Vec::new();
    for line in scope.lines() {
        if let Some(rest) = line.strip_prefix("struct ") {
            names.push(&rest[..word(rest)]);
        } else if line.starts_with("static ") {
            let head = line.split(['(', ';', '=', '[']).next().unwrap().trim_end();
            names.push(head.rsplit([' ', '*']).next().unwrap());
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// All programs of a table as one C program that runs each of them, with each series of inputs, in a process of its own.
fn native(table: &Table) -> String {
    let mut text = String::from(
        "extern int fork(void); extern int waitpid(int, int *, int); extern void _exit(int) __attribute__((noreturn));
         extern int native_printf(const char *, ...) __asm__(\"printf\"); extern void native_exit(int) __asm__(\"exit\");
         extern int native_flush(void *) __asm__(\"fflush\");
         extern int native_memfd(const char *, unsigned) __asm__(\"memfd_create\"); extern long native_write(int, const void *, unsigned long) __asm__(\"write\");
         extern long native_lseek(int, long, int) __asm__(\"lseek\"); extern int native_dup2(int, int) __asm__(\"dup2\");
         extern int native_open(const char *, int) __asm__(\"open\"); extern unsigned native_alarm(unsigned) __asm__(\"alarm\");
         static const long *native_inputs; static int native_count, native_next;
         static long native_input(void) { return native_count ? native_inputs[native_next++ % native_count] : 0; }\n",
    );
    text.push_str(PRELUDE);
    text.push_str("void reach_error(void) { _exit(42); }\nvoid __VERIFIER_assume(int c) { if (!c) _exit(0); }\n");
    for (name, ty) in [
        ("bool", "_Bool"),
        ("char", "char"),
        ("uchar", "unsigned char"),
        ("short", "short"),
        ("int", "int"),
        ("uint", "unsigned"),
        ("long", "long"),
        ("ulong", "unsigned long"),
    ] {
        writeln!(
            text,
            "{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})native_input(); }}"
        )
        .unwrap();
    }
    text.push_str(&table.head);
    for (i, entry) in table.entries.iter().enumerate() {
        let names = names_at_file_scope(&entry.scope);
        for name in &names {
            writeln!(text, "#define {name} {name}_{i}").unwrap();
        }
        writeln!(
            text,
            "{}\nstatic int native_program_{i}(void) {{\n{}return 0;\n}}",
            entry.scope, entry.body
        )
        .unwrap();
        for name in &names {
            writeln!(text, "#undef {name}").unwrap();
        }
    }
    text.push_str(
        "static void native_run(int number, int (*program)(void), const long *inputs, int count, const char *text, int length) {
           int child, status = 0; native_flush(0); child = fork();
           if (child == 0) {
             int file = native_memfd(\"input\", 0);
             native_alarm(10);
             native_write(file, text, length); native_lseek(file, 0, 0); native_dup2(file, 0); native_dup2(native_open(\"/dev/null\", 1), 1);
             native_inputs = inputs; native_count = count; program(); native_exit(0);
           }
           waitpid(child, &status, 0); native_printf(\"%d %d\\n\", number, status);
         }
         int main(void) {\n",
    );
    for (i, entry) in table.entries.iter().enumerate() {
        let given = [(&entry.inputs[..], entry.stdin.as_str())];
        let tried: Vec<(&[i64], &str)> = match entry.holds {
            true => SERIES.iter().flat_map(|s| TEXTS.map(|t| (*s, t))).collect(),
            false => given.to_vec(),
        };
        let all = tried.len();
        let needs_text = ["stdin", "get", "scanf", "read"].iter().any(|w| entry.body.contains(w));
        let needs_inputs = entry.body.contains("nondet") || entry.scope.contains("nondet");
        for (number, (inputs, stdin)) in tried.into_iter().enumerate() {
            // Inputs that a program does not read make no difference.
            let repeats = (!needs_text && number % TEXTS.len() != 0) || (!needs_inputs && number / TEXTS.len() != 0);
            if entry.holds && all > 1 && repeats {
                continue;
            }
            let list: Vec<String> = inputs.iter().map(|v| format!("{v}L")).collect();
            let escaped = stdin.replace('\\', "\\\\").replace('\n', "\\n");
            writeln!(
                text,
                "{{ static const long inputs[] = {{ {}{} }}; native_run({i}, native_program_{i}, inputs, {}, \"{escaped}\", {}); }}",
                list.join(", "),
                if list.is_empty() { "0" } else { "" },
                list.len(),
                stdin.len()
            )
            .unwrap();
        }
    }
    text.push_str("return 0;\n}\n");
    text
}

#[test]
fn gcc_and_glibc_say_what_the_tables_say() {
    if !has_gcc() {
        return;
    }
    let mut problems = Vec::new();
    for table in tables() {
        let (file, program) = (
            folder().join(format!("{}-native.c", table.name)),
            folder().join(format!("{}-native", table.name)),
        );
        fs::write(&file, native(&table)).unwrap();
        for level in ["-O0", "-O2"] {
            let mut gcc = Command::new("gcc");
            gcc.args([
                "-w",
                "-std=gnu11",
                level,
                "-fno-builtin-malloc",
                "-fno-builtin-calloc",
                "-fno-builtin-realloc",
                "-x",
                "c",
            ])
            .arg(&file);
            let built = gcc.arg("-o").arg(&program).arg("-lm").output().unwrap();
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
            let output = Command::new(&program).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let mut seen = vec![false; table.entries.len()];
            for line in text.lines() {
                let (number, status) = line.split_once(' ').unwrap();
                let (number, status): (usize, i32) = (number.parse().unwrap(), status.parse().unwrap());
                let entry = &table.entries[number];
                seen[number] = true;
                let expected = if entry.holds { 0 } else { 42 << 8 };
                // A program that ends by `abort` or by its own `exit` violates nothing.
                let ended = entry.holds && (status & 0x7f == 6 || status & 0xff == 0 && status != 42 << 8);
                if status != expected && !ended {
                    problems.push(format!("{} at {level} ends with {status:#x}", entry.name));
                }
            }
            assert!(seen.iter().all(|s| *s), "{}: not all programs ran", table.name);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The verdict of Provident: the last word of its last line, with what follows it.
fn verdict(head: &str, entry: &Entry, arguments: &[&str]) -> String {
    let name = format!("{}{}.i", entry.name.replace('/', "-"), arguments.len());
    let file = folder().join(name);
    let text = format!(
        "{PRELUDE}{head}{}\nint main(void) {{\n{}return 0;\n}}\n",
        entry.scope, entry.body
    );
    fs::write(&file, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .arg("verify")
        .arg(&file)
        .args(["--property", "tests/programs/unreach-call.prp", "--threads", "1"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last().and_then(|line| line.strip_prefix("VERDICT: ")) {
        Some(verdict) => verdict.to_owned(),
        None => format!("nothing: {}", String::from_utf8_lossy(&output.stderr)),
    }
}

/// Verifies the programs that are wanted; what is wrong, and what is not decided.
fn verified(wanted: fn(&Entry) -> bool, arguments: &[&str]) -> (usize, Vec<String>, Vec<String>) {
    let tables = tables();
    let work: Vec<(&Table, &Entry)> = tables
        .iter()
        .flat_map(|t| t.entries.iter().map(move |e| (t, e)))
        .filter(|(_, e)| wanted(e))
        .collect();
    let next = AtomicUsize::new(0);
    let (wrong, open) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((table, entry)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let verdict = verdict(&table.head, entry, arguments);
                    let right = if entry.holds { "TRUE" } else { "FALSE" };
                    if verdict.starts_with("UNKNOWN") || verdict.starts_with("nothing") {
                        open.lock().unwrap().push(format!("{}: {verdict}", entry.name));
                    } else if verdict != right {
                        wrong.lock().unwrap().push(format!("{}: {verdict}", entry.name));
                    }
                }
            });
        }
    });
    let (mut wrong, mut open) = (wrong.into_inner().unwrap(), open.into_inner().unwrap());
    wrong.sort();
    open.sort();
    (work.len(), wrong, open)
}

#[test]
fn no_program_gets_a_wrong_verdict_and_nearly_all_are_decided() {
    let (count, wrong, mut open) = verified(|e| !e.pending, &["--cpu-limit", "5"]);
    let tables = tables();
    let pending = tables.iter().flat_map(|t| &t.entries).filter(|e| e.pending);
    open.extend(pending.map(|e| format!("{}: pending", e.name)));
    let count = count + open.iter().filter(|o| o.ends_with("pending")).count();
    println!("{count} programs, {} open:\n{}", open.len(), open.join("\n"));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert!(
        (count - open.len()) * 100 >= count * DECIDED,
        "{} of {count} open:\n{}",
        open.len(),
        open.join("\n")
    );
}

#[test]
fn formulas_alone_decide_the_programs_that_say_so() {
    let (count, wrong, open) = verified(|e| e.formulas, &["--cpu-limit", "5", "--set", "explicit=off"]);
    println!("{count} programs, {} open:\n{}", open.len(), open.join("\n"));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert!(open.is_empty(), "open:\n{}", open.join("\n"));
}

/// Some of the library's sources; functions of the files in `renamed` have names of their own.
fn renamed_sources(files: &[&str], renamed: &[&str]) -> String {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cfa/library/c");
    let read = |name: &&str| fs::read_to_string(sources.join(name)).unwrap();
    let functions = provident::cfa::library::c_library().functions();
    let is_renamed = |file: &str| renamed.iter().any(|n| file.strip_prefix("library/") == Some(n));
    let names: Vec<&str> = functions
        .iter()
        .filter(|(_, file)| is_renamed(file))
        .map(|f| f.0)
        .collect();
    let mut text = String::new();
    for name in &names {
        writeln!(text, "#define {name} our_{name}").unwrap();
    }
    text.extend(files.iter().map(read));
    for name in &names {
        writeln!(text, "#undef {name}").unwrap();
    }
    text
}

/// Compiles a driver behind sources of the library and runs it: it prints what differs.
fn runs_against_glibc(driver: &str, head: &str, sources: &str) {
    if !has_gcc() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let (file, program) = (folder().join(driver), folder().join(driver).with_extension("native"));
    let text = fs::read_to_string(path.join(driver)).unwrap();
    fs::write(&file, format!("{head}{sources}{text}")).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-std=gnu11", "-O1", "-fno-builtin", "-frounding-math"])
        .arg(&file);
    let built = gcc.arg("-o").arg(&program).arg("-lm").output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&program).env("TZ", "UTC").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The sources of formatted input and output.
const FORMATS: [&str; 10] = [
    "declarations.h",
    "float_digits.c",
    "format_fields.c",
    "format_floats.c",
    "format.c",
    "print.c",
    "scan_fields.c",
    "float_read.c",
    "scan.c",
    "error_texts.c",
];

#[test]
fn formats_mean_to_our_sources_what_they_mean_to_glibc() {
    let sources = renamed_sources(&FORMATS, &["print.c", "scan.c", "float_read.c", "error_texts.c"]);
    runs_against_glibc("against_glibc.c", "", &sources);
}

#[test]
fn numbers_with_a_point_are_read_and_written_as_by_glibc() {
    let sources = renamed_sources(&FORMATS, &["print.c", "scan.c", "float_read.c", "error_texts.c"]);
    runs_against_glibc("floats_against_glibc.c", "", &sources);
}

#[test]
fn the_calendar_is_that_of_glibc() {
    let files = ["declarations.h", "calendar.c", "calendar_text.c"];
    let sources = renamed_sources(&files, &files[1..]);
    runs_against_glibc(
        "calendar_against_glibc.c",
        "#define _GNU_SOURCE\n#include <time.h>\n",
        &sources,
    );
}
