//! The answers of gcc and the machine.

use super::program::Generated;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Without optimisation, with sanitizers; and as a release build.
const BUILDS: [&[&str]; 2] = [
    &["-O0", "-w", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"],
    &["-O2", "-w"],
];

/// The values that a program emits, for each of its inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// For each combination of inputs, the emitted values in order.
    pub runs: Vec<Vec<i64>>,
}

/// gcc, with a folder for what it makes.
pub struct Compiler {
    folder: PathBuf,
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const DRIVER: &str = r#"
static long long emitted[4096]; static int emits;
static int given[8], taken;
static void emit(long long v) { if (emits < 4096) emitted[emits++] = v; }
static int __VERIFIER_nondet_int(void) { return given[taken++]; }
static unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)given[taken++]; }
static void __VERIFIER_assume(int c) { if (!c) _exit(9); }
"#;

const MAIN: &str = r#"
int main(void) {
  for (int p = 0; p < (int)(sizeof programs / sizeof *programs); p++) {
    for (int i = 0; i < 8; i++) given[i] = 0;
    for (;;) {
      fflush(stdout);
      pid_t child = fork();
      if (child == 0) {
        alarm(3);
        programs[p].run();
        printf("%d", p);
        for (int i = 0; i < emits; i++) printf(" %lld", emitted[i]);
        printf("\n"); fflush(stdout); _exit(0);
      }
      int status; waitpid(child, &status, 0);
      if (status) { printf("%d !\n", p); break; }
      int at = 0;
      while (at < programs[p].inputs && given[at] == programs[p].most[at]) given[at++] = 0;
      if (at == programs[p].inputs) break;
      given[at]++;
    }
  }
  return 0;
}
"#;

impl Compiler {
    /// The compiler, if there is one with sanitizers.
    pub fn find() -> Option<Compiler> {
        let folder = std::env::temp_dir().join(format!("provident-random-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        let compiler = Compiler { folder };
        let source = compiler.folder.join("probe.c");
        fs::write(&source, "int main(void) { return 0; }").expect("the file can be written");
        let works = BUILDS
            .iter()
            .all(|options| compiler.build(&source, options, "probe").is_ok());
        works.then_some(compiler)
    }

    fn build(&self, source: &Path, options: &[&str], name: &str) -> Result<PathBuf, String> {
        let binary = self.folder.join(name);
        let output = Command::new("gcc")
            .args(options)
            .arg("-o")
            .arg(&binary)
            .arg(source)
            .output();
        let output = output.map_err(|e| e.to_string())?;
        match output.status.success() {
            true => Ok(binary),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// The values that each program emits; `None` where its behaviour is not defined, or depends on the build.
    pub fn run(&self, programs: &[&Generated]) -> Vec<Option<Truth>> {
        let mut text = String::from("#define _GNU_SOURCE\n#include <unistd.h>\n#include <sys/wait.h>\n");
        text += Generated::headers();
        text += DRIVER;
        for (i, program) in programs.iter().enumerate() {
            text += &program.observed(&format!("p{i}_"));
        }
        text += "static const struct { int (*run)(void); int inputs; int most[8]; } programs[] = {\n";
        for (i, program) in programs.iter().enumerate() {
            let most: Vec<String> = program.inputs.iter().map(|input| input.most.to_string()).collect();
            let list = if most.is_empty() {
                "0".to_string()
            } else {
                most.join(", ")
            };
            writeln!(text, "  {{p{i}_main, {}, {{{list}}}}},", most.len()).unwrap();
        }
        text += "};\n";
        text += MAIN;
        let source = self.folder.join("batch.c");
        fs::write(&source, text).expect("the file can be written");
        let [plain, fast] = BUILDS.map(|options| {
            let built = self.build(&source, options, "batch");
            let binary = built.unwrap_or_else(|message| panic!("gcc refuses what was generated: {message}"));
            let output = Command::new(&binary)
                .env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=0")
                .output()
                .expect("the batch runs");
            read(&String::from_utf8_lossy(&output.stdout), programs.len())
        });
        let pairs = plain.into_iter().zip(fast);
        let same = pairs.zip(programs).map(|((plain, fast), program)| {
            let truth = plain.filter(|truth| Some(truth) == fast.as_ref())?;
            truth
                .runs
                .iter()
                .all(|run| run.len() == program.emits())
                .then_some(truth)
        });
        same.collect()
    }
}

fn read(output: &str, count: usize) -> Vec<Option<Truth>> {
    let mut truths = vec![Some(Truth { runs: Vec::new() }); count];
    for line in output.lines() {
        let mut words = line.split(' ');
        let Some(program) = words.next().and_then(|word| word.parse::<usize>().ok()) else {
            continue;
        };
        let values: Result<Vec<i64>, _> = words.map(str::parse).collect();
        match (values, &mut truths[program]) {
            (Ok(values), Some(truth)) => truth.runs.push(values),
            (_, truth) => *truth = None,
        }
    }
    for truth in &mut truths {
        if truth.as_ref().is_some_and(|truth| truth.runs.is_empty()) {
            *truth = None;
        }
    }
    truths
}
