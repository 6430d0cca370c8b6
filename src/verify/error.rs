//! Why a task cannot be verified at all.

use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why a task cannot be verified at all. The text names the mistake and its place.
#[derive(Debug)]
pub enum Error {
    /// Text of the user is wrong; the message begins with the place.
    Input(String),
    /// A file cannot be read or written.
    File {
        /// The file.
        file: PathBuf,
        /// The access that failed: `read` or `write`.
        purpose: &'static str,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The request makes no sense.
    Request(String),
    /// The results file holds something else than results of this question by this version.
    OtherQuestion(PathBuf),
}

impl Error {
    /// A file that cannot be read.
    pub fn unreadable(file: &Path, error: &std::io::Error) -> Error {
        Error::File {
            file: file.to_path_buf(),
            purpose: "read",
            error: std::io::Error::new(error.kind(), error.to_string()),
        }
    }

    /// A file that cannot be written.
    pub fn unwritable(file: &Path, error: &std::io::Error) -> Error {
        Error::File {
            file: file.to_path_buf(),
            purpose: "write",
            error: std::io::Error::new(error.kind(), error.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(message) | Error::Request(message) => f.write_str(message),
            Error::File { file, purpose, error } => write!(f, "cannot {purpose} `{}`: {error}", file.display()),
            Error::OtherQuestion(file) => write!(
                f,
                "`{}` holds the results of another question or of another version; remove it, or name another file",
                file.display()
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for String {
    fn from(error: Error) -> String {
        error.to_string()
    }
}
