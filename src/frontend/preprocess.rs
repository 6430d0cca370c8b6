//! Reading program files.
//!
//! A `.i` file is taken as it is. A `.c` file that has preprocessor directives other than line marks and pragmas goes through the system's `cpp` with the
//! macros of the data model; one without is taken as it is, which needs no `cpp` and keeps every column.

use crate::frontend::diagnostics::Diagnostics;
use crate::frontend::source::Source;
use crate::frontend::types::DataModel;
use std::path::Path;
use std::process::{Command, Stdio};

/// Reads a program.
///
/// # Errors
///
/// The file cannot be read, `cpp` is missing where it is needed, or it finds fault with the file.
pub fn read(path: &Path, model: DataModel) -> Result<Source, Diagnostics> {
    let name = path.display().to_string();
    let text = std::fs::read(path).map_err(|e| Diagnostics::of_file(&name, format!("cannot read the file: {e}")))?;
    let is_c = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("c"));
    if is_c && needs_preprocessing(&text) {
        let text = run_cpp(path, &name, model)?;
        return Ok(Source {
            name,
            text,
            preprocessed_here: true,
        });
    }
    Ok(Source::new(name, text))
}

/// Whether the text has directives that only a preprocessor understands.
pub fn needs_preprocessing(text: &[u8]) -> bool {
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

fn run_cpp(path: &Path, name: &str, model: DataModel) -> Result<Vec<u8>, Diagnostics> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    // A name that begins with a dash must not look like an option, and `cpp` knows no `--`.
    let path = if name.starts_with('-') {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    };
    let output = Command::new("cpp")
        .arg(width)
        .arg("-w")
        .arg(path)
        .stdin(Stdio::null())
        .output();
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
