//! Compiling and running a harness with gcc.
//!
//! Verification tasks are often not meant to be linked, and some compile only with the flags of their makefiles. So a few sets of flags are tried; the harness succeeds if one of them
//! leads to the violation.

use super::Harness;
use crate::frontend::types::DataModel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the compiled program may run.
const LONGEST_RUN: Duration = Duration::from_secs(20);
/// How long one compilation may take.
const LONGEST_COMPILATION: Duration = Duration::from_secs(120);
/// The status that says that the violation was reached.
const REACHED: i32 = 66;

/// The result of running a harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The violation was reached.
    Reached,
    /// There is no gcc, or none for the data model.
    NoCompiler,
    /// gcc refuses the program or the harness, with its first message.
    NotCompiled(String),
    /// The program ended otherwise, or did not end.
    Missed(String),
}

/// Flags for the compilation of program and harness, in the order in which they are tried.
const ATTEMPTS: [&[&str]; 4] = [
    &["-O0"],
    &["-O0", "-fgnu89-inline"],
    &["-O1", "-fno-inline", "-Dregister="],
    &["-O2", "-fno-strict-aliasing"],
];

/// Flags of every attempt: what the analysis takes for granted, and no diagnostics.
const ALWAYS: [&str; 10] = [
    "-w",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fcommon",
    "-fno-pie",
    "-no-pie",
    "-Wl,--unresolved-symbols=ignore-all,--no-warn-mismatch",
];

/// The flags for the program: those of every attempt, and the checks of the compiler that the harness needs.
fn flags(harness: &Harness) -> Vec<&'static str> {
    let without_wrap = harness.sanitizer.is_some_and(|sanitizer| sanitizer.without_wrap);
    let flags = ALWAYS.into_iter().filter(|flag| !(without_wrap && *flag == "-fwrapv"));
    flags.chain(harness.sanitizer.map(|sanitizer| sanitizer.flag)).collect()
}

/// The options for the linker that the compiler's checks need.
fn link_flags(harness: &Harness) -> impl Iterator<Item = &'static str> {
    let flags = harness.sanitizer.and_then(|sanitizer| sanitizer.link);
    flags.into_iter().flatten().copied()
}

/// The command by which a person compiles a harness. `programs` are the copies of the program's files, or the files themselves.
pub fn command(harness: &Harness, programs: &[String], code: &str, model: DataModel) -> String {
    let machine = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let (of_program, of_harness) = (flags(harness).join(" "), ALWAYS.join(" "));
    // The compiler's checks are for the program alone, whose functions the harness defines.
    if !harness.renames_entry && harness.sanitizer.is_none() {
        return format!("gcc {machine} {of_harness} -x c {} {code}", programs.join(" "));
    }
    let renamed = match harness.renames_entry {
        true => " -Dmain=provident_main",
        false => "",
    };
    let mut commands = Vec::new();
    let mut objects = Vec::new();
    for (i, program) in programs.iter().enumerate() {
        let object = match programs.len() {
            1 => "program.o".to_owned(),
            _ => format!("program-{}.o", i + 1),
        };
        commands.push(format!(
            "gcc {machine} {of_program}{renamed} -x c -c {program} -o {object}"
        ));
        objects.push(object);
    }
    let of_linker: String = link_flags(harness).map(|flag| format!(" {flag}")).collect();
    let objects = objects.join(" ");
    commands.push(format!("gcc {machine} {of_harness}{of_linker} {objects} -x c {code}"));
    commands.join(" && ")
}

/// Compiles and runs a harness in a folder that holds its files.
///
/// # Errors
/// The file system fails.
pub fn run(harness: &Harness, programs: &[PathBuf], folder: &Path, model: DataModel) -> std::io::Result<Outcome> {
    let gcc = Command::new("gcc")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if gcc.is_err() {
        return Ok(Outcome::NoCompiler);
    }
    fs::create_dir_all(folder)?;
    let code = folder.join("harness.c");
    fs::write(&code, &harness.code)?;
    let mut copies = Vec::new();
    for (i, text) in harness.copies.iter().enumerate() {
        let copy = folder.join(format!("program-{}.i", i + 1));
        fs::write(&copy, text)?;
        copies.push(copy);
    }
    let programs = if copies.is_empty() { programs } else { &copies };
    let mut last = Outcome::NoCompiler;
    for attempt in ATTEMPTS {
        // The libraries that watch objects need that of C.
        let is_watched = harness.sanitizer.is_some_and(|sanitizer| sanitizer.link.is_some());
        for &freestanding in if is_watched { &[false][..] } else { &[false, true] } {
            match compile_and_run(harness, programs, &code, folder, model, attempt, freestanding)? {
                Outcome::Reached => return Ok(Outcome::Reached),
                // A run says more than a compilation that failed.
                outcome => {
                    if !matches!((&last, &outcome), (Outcome::Missed(_), Outcome::NotCompiled(_))) {
                        last = outcome;
                    }
                }
            }
        }
    }
    Ok(last)
}

fn compile_and_run(
    harness: &Harness,
    programs: &[PathBuf],
    code: &Path,
    folder: &Path,
    model: DataModel,
    attempt: &[&str],
    freestanding: bool,
) -> std::io::Result<Outcome> {
    let (code_object, target) = (folder.join("harness.o"), folder.join("run"));
    let machine = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let compiling = |flags: &[&str]| -> Vec<String> {
        let flags = flags
            .iter()
            .filter(|flag| !flag.starts_with("-Wl") && **flag != "-no-pie");
        let freestanding = freestanding.then_some("-DPROVIDENT_FREESTANDING");
        std::iter::once(&machine)
            .chain(flags)
            .chain(freestanding.iter())
            .map(|flag| (*flag).to_string())
            .collect()
    };
    let path = |path: &Path| path.display().to_string();
    let mut first = compiling(&flags(harness));
    first.extend(attempt.iter().map(|flag| (*flag).to_string()));
    if harness.renames_entry {
        first.push("-Dmain=provident_main".to_string());
    }
    first.extend(["-x", "c", "-c"].map(str::to_string));
    let (mut steps, mut objects) = (Vec::new(), Vec::new());
    for (i, program) in programs.iter().enumerate() {
        let object = path(&folder.join(format!("program-{}.o", i + 1)));
        let mut one = first.clone();
        one.extend([path(program), "-o".to_string(), object.clone()]);
        steps.push(one);
        objects.push(object);
    }
    let mut second = compiling(&ALWAYS);
    second.extend(["-O1", "-x", "c", "-c"].map(str::to_string));
    second.extend([path(code), "-o".to_string(), path(&code_object)]);
    let mut link: Vec<String> = vec![machine.to_string(), "-no-pie".to_string(), ALWAYS[9].to_string()];
    if freestanding {
        link.extend(["-nostdlib", "-static"].map(str::to_string));
    }
    link.extend(link_flags(harness).map(str::to_string));
    link.extend(objects);
    link.extend([path(&code_object), "-o".to_string(), path(&target)]);
    steps.extend([second, link]);
    for arguments in steps {
        let mut command = Command::new("gcc");
        command.args(&arguments);
        let (status, message) = wait(&mut command, LONGEST_COMPILATION)?;
        if status != Some(0) {
            let line = message
                .lines()
                .find(|line| line.contains("error") || line.contains("cannot"))
                .or(message.lines().next());
            return Ok(Outcome::NotCompiled(line.unwrap_or("gcc gives no message").to_string()));
        }
    }
    let (status, message) = wait(&mut Command::new(&target), LONGEST_RUN)?;
    Ok(match status {
        Some(REACHED) => Outcome::Reached,
        Some(status) => Outcome::Missed(format!(
            "it ends with status {status}: {}",
            message.lines().next().unwrap_or("")
        )),
        None => Outcome::Missed("it is killed by a signal, or does not end".to_string()),
    })
}

/// Runs a command with a limit of time. Returns its status, if it ended by itself, and its standard error.
fn wait(command: &mut Command, limit: Duration) -> std::io::Result<(Option<i32>, String)> {
    use std::io::Read;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut errors = child.stderr.take().expect("the pipe was asked for");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        // The beginning says what is wrong; the rest is read so that the writer does not block.
        let _ = errors.by_ref().take(1 << 16).read_to_end(&mut text);
        let _ = std::io::copy(&mut errors, &mut std::io::sink());
        String::from_utf8_lossy(&text).into_owned()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status.code();
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Ok((status, reader.join().unwrap_or_default()))
}
