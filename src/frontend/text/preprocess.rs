//! Reading program files.
//!
//! A `.i` file is taken as it is. A `.c` file that has preprocessor directives other than line marks and pragmas, or names a predefined macro, goes through the system's `cpp` with the
//! macros of the data model and the options of the user; one without is taken as it is, which needs no `cpp` and keeps every column. Standard input is a `.c` file.

use super::diagnostics::Diagnostics;
use super::lexer::BYTE_ORDER_MARK;
use super::source::Source;
use super::written::Written;
use crate::frontend::types::DataModel;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

/// What the preprocessor is told about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessing {
    /// Arguments for `cpp`, in order: `-I`, `-D` and their kin.
    pub arguments: Vec<String>,
    /// The folder in which `cpp` runs, so that folders of headers are found from there.
    pub folder: Option<PathBuf>,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFile {
    /// Its path, as the user gave it; for standard input, [`STANDARD_INPUT`].
    pub path: PathBuf,
    /// How it is preprocessed.
    pub preprocessing: Preprocessing,
    /// What it holds, if that is known already: standard input can be read only once.
    pub text: Option<Arc<[u8]>>,
}

/// The name of standard input in positions; `cpp` calls it so.
pub const STANDARD_INPUT: &str = "<stdin>";

impl From<PathBuf> for UnitFile {
    fn from(path: PathBuf) -> UnitFile {
        UnitFile {
            path,
            preprocessing: Preprocessing::default(),
            text: None,
        }
    }
}

impl UnitFile {
    /// What is read from standard input until its end.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn standard_input() -> std::io::Result<UnitFile> {
        let mut text = Vec::new();
        std::io::stdin().lock().read_to_end(&mut text)?;
        Ok(UnitFile {
            text: Some(text.into()),
            ..UnitFile::from(PathBuf::from(STANDARD_INPUT))
        })
    }

    /// The name that positions show.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// What it holds, before it is preprocessed.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn content(&self) -> std::io::Result<Vec<u8>> {
        match &self.text {
            Some(text) => Ok(text.to_vec()),
            None => std::fs::read(&self.path),
        }
    }

    /// Whether a compiler that is given the file alone sees what is verified.
    pub fn stands_alone(&self) -> bool {
        self.text.is_none() && self.preprocessing == Preprocessing::default()
    }
}

/// Reads a file of a program.
///
/// # Errors
///
/// The file cannot be read, `cpp` is missing where it is needed, or it finds fault with the file.
pub fn read(file: &UnitFile, model: DataModel) -> Result<Source, Diagnostics> {
    let name = file.name();
    if file.text.is_none() && file.path.is_dir() {
        return Err(Diagnostics::of_file(
            &name,
            "is a folder; give the files of the program",
        ));
    }
    let text = file
        .content()
        .map_err(|e| Diagnostics::of_file(&name, format!("cannot read the file: {e}")))?;
    let is_c = file.text.is_some() || file.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("c"));
    let told = !file.preprocessing.arguments.is_empty();
    if is_c && (told || needs_preprocessing(&text)) {
        match run_cpp(file, &name, model) {
            Ok(output) => {
                let mut source = Source::preprocessed(name, output);
                source.pieces[0].written = Some(Written {
                    text: text.into(),
                    folder: file.preprocessing.folder.clone(),
                });
                return Ok(source);
            }
            Err(problem) if told || has_directives(&text) => return Err(problem),
            // The name that looks like a macro may be the program's own.
            Err(_) => {}
        }
    }
    Ok(Source::new(name, text))
}

/// Whether the text has directives or predefined macros that only a preprocessor understands.
pub fn needs_preprocessing(text: &[u8]) -> bool {
    has_directives(text) || has_predefined_macros(text)
}

/// Whether a name occurs that gcc defines as a macro: `__SIZE_TYPE__` and its kin have capitals between two pairs of underscores; the
/// names of systems and processors are listed.
fn has_predefined_macros(text: &[u8]) -> bool {
    const NAMES: [&[u8]; 18] = [
        b"unix",
        b"linux",
        b"i386",
        b"__unix",
        b"__linux",
        b"__i386",
        b"__unix__",
        b"__linux__",
        b"__gnu_linux__",
        b"__i386__",
        b"__i686__",
        b"__x86_64",
        b"__x86_64__",
        b"__amd64",
        b"__amd64__",
        b"__k8",
        b"__k8__",
        b"__code_model_small__",
    ];
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let own = |word: &[u8]| matches!(word, b"__FUNCTION__" | b"__PRETTY_FUNCTION__");
    let has_macro = |word: &[u8]| {
        let inner = word.strip_prefix(b"__").and_then(|w| w.strip_suffix(b"__"));
        let capitals = inner.is_some_and(|w| {
            !w.is_empty()
                && w.iter()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
        });
        (capitals && !own(word)) || NAMES.contains(&word)
    };
    text.split(|b| !is_word(b)).any(has_macro)
}

fn has_directives(text: &[u8]) -> bool {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.split(|&b| b == b'\n').any(|line| {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            return false;
        };
        let rest = rest.trim_ascii_start();
        let word: &[u8] = &rest[..rest.iter().take_while(|b| b.is_ascii_alphabetic()).count()];
        matches!(
            word,
            b"include"
                | b"include_next"
                | b"import"
                | b"define"
                | b"undef"
                | b"if"
                | b"ifdef"
                | b"ifndef"
                | b"elif"
                | b"else"
                | b"endif"
                | b"error"
                | b"warning"
        )
    })
}

fn run_cpp(file: &UnitFile, name: &str, model: DataModel) -> Result<Vec<u8>, Diagnostics> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    // A name that begins with a dash must not look like an option, and `cpp` knows no `--`.
    let path = match &file.text {
        Some(_) => PathBuf::from("-"),
        None if name.starts_with('-') => Path::new(".").join(&file.path),
        None => file.path.clone(),
    };
    let run = |extra: &[String]| {
        let mut command = Command::new("cpp");
        command
            .arg(width)
            .arg("-w")
            .args(&file.preprocessing.arguments)
            .args(extra)
            .arg(&path);
        if let Some(folder) = &file.preprocessing.folder {
            command.current_dir(folder);
        }
        match &file.text {
            Some(text) => fed(&mut command, text),
            None => command.stdin(Stdio::null()).output(),
        }
    };
    let mut output = run(&[]);
    if model == DataModel::Ilp32
        && output.as_ref().is_ok_and(|o| !o.status.success())
        && let Some(headers) = BorrowedHeaders::new()
    {
        // The first run's message is the one to show if this does not help either.
        output = run(&headers.options)
            .ok()
            .filter(|o| o.status.success())
            .map_or(output, Ok);
    }
    match output {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(Diagnostics::of_file(
            name,
            "the file has preprocessor directives, and there is no 'cpp' to run: install one or give a preprocessed .i file",
        )),
        Err(e) => Err(Diagnostics::of_file(name, format!("cannot run 'cpp': {e}"))),
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(Diagnostics::of_file(name, format!("'cpp' failed:\n{message}")))
        }
    }
}

/// Runs a command with a text as its standard input.
fn fed(command: &mut Command, text: &Arc<[u8]>) -> std::io::Result<Output> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipe = child.stdin.take();
    let text = Arc::clone(text);
    // Both pipes may be full at once, so another thread writes. That `cpp` does not want all of it is no error here: it says what is wrong.
    let writer = std::thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(&text)));
    let output = child.wait_with_output();
    drop(writer.join());
    output
}

/// A way to preprocess 32-bit programs where only the 64-bit C library's headers are installed, which is the usual case on
/// compute nodes. Those headers serve both word sizes, but for one file that lists what the 32-bit library leaves
/// unimplemented; an empty one stands in for it.
struct BorrowedHeaders {
    stand_in: PathBuf,
    options: Vec<String>,
}

impl BorrowedHeaders {
    fn new() -> Option<BorrowedHeaders> {
        let output = Command::new("cpp")
            .arg("-print-multiarch")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let triplet = String::from_utf8(output.stdout).ok()?;
        let headers = Path::new("/usr/include").join(triplet.trim());
        let stand_in = std::env::temp_dir().join(format!("provident-headers-{}", std::process::id()));
        std::fs::create_dir_all(stand_in.join("gnu")).ok()?;
        std::fs::write(stand_in.join("gnu").join("stubs-32.h"), "").ok()?;
        let option = |dir: &Path| ["-idirafter".to_owned(), dir.display().to_string()];
        let options = option(&headers).into_iter().chain(option(&stand_in)).collect();
        Some(BorrowedHeaders { stand_in, options })
    }
}

impl Drop for BorrowedHeaders {
    fn drop(&mut self) {
        // A file that stays in the directory for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.stand_in);
    }
}
