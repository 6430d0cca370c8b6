//! Harnesses reach the violation when gcc compiles them. Where there is no gcc, nothing is compared.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub fn gcc_is_there() -> bool {
    let version = Command::new("gcc").arg("--version").stdout(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-harness-test-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The output of `verify --check` for a program, with the folder of its files.
fn verify(name: &str, program: &str, formula: &str, model: &str) -> (String, PathBuf) {
    let folder = folder(name);
    let (file, property) = (folder.join("a.c"), folder.join("p.prp"));
    fs::write(&file, program).unwrap();
    fs::write(&property, format!("CHECK( init(main()), LTL(G ! {formula}) )")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .arg("verify")
        .arg(&file)
        .arg("--property")
        .arg(&property)
        .arg("--out")
        .arg(folder.join("out"))
        .args(["--check", "--data-model", model])
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), folder)
}

const CALL: &str = "call(reach_error())";
const LABEL: &str = "label(ERROR)";
const ASSERT: &str = "call(__assert_fail())";
const ABORT: &str = "call(abort())";

/// A decision of the environment: a name, the property, and a program that is violated only if the harness does what the replay did.
const CASES: &[(&str, &str, &str)] = &[
    (
        "inputs",
        CALL,
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void); extern void reach_error(void);
         int main(void) { __VERIFIER_nondet_int(); int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
         unsigned char c = __VERIFIER_nondet_uchar(); if (a == -3 && b == 4 && c == 200) reach_error(); return 0; }",
    ),
    (
        "local",
        LABEL,
        "int main(void) { int i, x; char a[3]; if (x == 7 && a[1] == 'z') goto ERROR; for (i = 0; i < 2; i++) ;
         return 0; ERROR: return 1; }",
    ),
    (
        "allocation",
        CALL,
        "extern void *kmalloc(unsigned long size, int flags); extern void reach_error(void);
         int main(void) { int *p = kmalloc(8, 0); if (!p) return 0; int *q = kmalloc(4, 0); if (p[1] == 17 && !q) reach_error(); return 0; }",
    ),
    (
        "own allocator",
        CALL,
        "extern void *malloc(unsigned long size); void kfree(void *p) { } extern void reach_error(void);
         int main(void) { int *p = malloc(4); if (!p) return 0; *p = 3; kfree(p); if (*p == 3) reach_error(); return 0; }",
    ),
    (
        "outside",
        CALL,
        "struct node { int value; struct node *next; }; extern struct node *first(void); extern void reach_error(void);
         int main(void) { struct node *p = first(); if (p && p->value == 5 && p->next && p->next != p && p->next->value == 6) reach_error(); return 0; }",
    ),
    (
        "big object",
        CALL,
        "struct inner { int link; }; struct big { int first; char buffer[70000]; int last; struct inner inner; };
         extern struct big *first(void); extern struct inner *second(void); extern void reach_error(void);
         int main(void) { struct big *p = first(), *q; struct inner *i = second(); if (!p || !i) return 0;
         q = (struct big *)((char *)i - __builtin_offsetof(struct inner, link)); p->last = 4; i->link = 3;
         if (p->first == 5 && p->buffer[69999] == 2 && p->inner.link == 7 && q->first == 3) reach_error(); return 0; }",
    ),
    (
        "written",
        CALL,
        "extern unsigned long copy_from_user(void *to, const void *from, unsigned long size); extern void reach_error(void);
         int main(void) { int x; if (copy_from_user(&x, 0, sizeof x) == 1 && x == 42) reach_error(); return 0; }",
    ),
    (
        "renamed",
        CALL,
        "extern int decide(int) __asm__ (\"\" \"decide_it\") __attribute__ ((__nothrow__)); extern void reach_error(void);
         int main(void) { if (decide(3) == 12) reach_error(); return 0; }",
    ),
    (
        "parameters",
        CALL,
        "extern void reach_error(void); int main(int argc, char **argv) { if (argc == 5) reach_error(); return 0; }",
    ),
    (
        "body",
        CALL,
        "extern int __VERIFIER_nondet_int(void); void reach_error(void) { }
         int main(void) { if (__VERIFIER_nondet_int() == 2) reach_error(); return 0; }",
    ),
    (
        "variable",
        LABEL,
        "extern int flag; extern int table[4]; int main(void) { if (flag == 9 && table[2] == 8) { ERROR: return 1; } return 0; }",
    ),
    (
        "division",
        CALL,
        "extern long long __VERIFIER_nondet_longlong(void); extern unsigned long long __VERIFIER_nondet_ulonglong(void); extern void reach_error(void);
         int main(void) { long long a = __VERIFIER_nondet_longlong(); unsigned long long b = __VERIFIER_nondet_ulonglong();
         if (a == -7000000000000LL && a / 3 == -2333333333333LL && a % 3 == -1 && b == 7000000000001ULL && b / 10 == 700000000000ULL && b % 10 == 1) reach_error(); return 0; }",
    ),
    (
        "assertion without header",
        ASSERT,
        "extern int __VERIFIER_nondet_int(void); int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3) assert(x != 7); return 0; }",
    ),
    (
        "function as builtin",
        ABORT,
        "extern int __VERIFIER_nondet_int(void); int main(void) { if (__VERIFIER_nondet_int() == 7) __builtin_abort(); return 0; }",
    ),
    (
        "assumption",
        CALL,
        "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void reach_error(void); extern void unused(void);
         int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); if (x == 2) unused(); if (x == 4) reach_error(); return 0; }",
    ),
    (
        "bytes of a descriptor",
        CALL,
        "extern int open(const char *, int, ...); extern long read(int, void *, unsigned long); extern void reach_error(void);
         int main(void) { char b[8]; if (open(\"x\", 0) >= 0) return 0;
         if (read(3, b, 8) == 3 && b[0] == 'a' && b[2] == 'c' && read(3, b + 1, 1) == 1 && b[1] == 'z') reach_error(); return 0; }",
    ),
    (
        "lines of a stream",
        CALL,
        "typedef struct stream FILE; extern FILE *fopen(const char *, const char *); extern char *fgets(char *, int, FILE *); extern int fclose(FILE *);
         extern int fputs(const char *, FILE *); extern void reach_error(void);
         int main(void) { char b[4]; FILE *f = fopen(\"x\", \"r+\"); if (!f) return 1; fputs(\"text\", f);
         if (fgets(b + 1, 3, f) == b + 1 && b[1] == 'h' && b[2] == 'i' && !fgets(b, 4, f) && fclose(f)) reach_error(); return 0; }",
    ),
    (
        "numbers of a stream",
        CALL,
        "extern int scanf(const char *, ...); extern int getchar(void); extern void reach_error(void);
         int main(void) { int x, y; if (scanf(\"%d %x\", &x, &y) == 2 && x == 42 && y == 255 && getchar() == 'q') reach_error(); return 0; }",
    ),
    (
        "environment",
        CALL,
        "extern char *getenv(const char *); extern int strcmp(const char *, const char *); extern int rand(void); extern void reach_error(void);
         int main(void) { int r = rand(); char *s = getenv(\"HOME\"); if (s && !strcmp(s, \"ab\") && r == 5) reach_error(); return 0; }",
    ),
];

#[test]
fn harnesses_do_what_the_replay_did() {
    if !gcc_is_there() {
        return;
    }
    let mut problems = Vec::new();
    for (name, formula, program) in CASES {
        for model in ["LP64", "ILP32"] {
            let (text, folder) = verify(name, program, formula, model);
            let reached = text.contains("HARNESS p: reaches the violation\n") && text.ends_with("VERDICT: FALSE\n");
            if !reached {
                problems.push(format!("{name} ({model}):\n{text}"));
            }
            fs::remove_dir_all(folder).unwrap();
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The command in the head of a harness is the one that works.
#[test]
fn the_command_in_the_file_compiles_it() {
    if !gcc_is_there() {
        return;
    }
    for (name, formula, program) in CASES
        .iter()
        .filter(|case| matches!(case.0, "parameters" | "local" | "inputs"))
    {
        let (_, folder) = verify(&format!("command-{name}"), program, formula, "LP64");
        let out = folder.join("out");
        let code = fs::read_to_string(out.join("harness-p.c")).unwrap();
        let command = code.lines().find_map(|line| line.strip_prefix(" * gcc ")).unwrap();
        let done = Command::new("sh")
            .current_dir(&out)
            .arg("-c")
            .arg(format!("gcc {command} && ./a.out"))
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(66), "{name}: gcc {command}\n{message}");
        assert!(message.contains("provident: the violation is reached"), "{message}");
        fs::remove_dir_all(folder).unwrap();
    }
}
