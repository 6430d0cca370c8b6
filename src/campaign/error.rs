//! Why an experiment cannot start, go on or be joined: each with a sentence on which a user can act.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The mistake.
#[derive(Debug)]
pub enum Error {
    /// A file or folder cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file or folder cannot be written.
    Unwritable(PathBuf, io::Error),
    /// A file does not say what it should: the place in it (line, counted from 1; 0 if there is none), and what was expected.
    Malformed(PathBuf, usize, String),
    /// The request itself makes no sense.
    Request(String),
    /// The folder holds results of another experiment: the folder, and what differs.
    Mismatch(PathBuf, String),
    /// Another process works in the folder.
    Busy(PathBuf),
    /// Shards that do not make a whole: what is missing or stands twice.
    Incomplete(String),
    /// A program that was needed cannot be started, or failed.
    Program(String, String),
}

impl Error {
    /// A file that cannot be read.
    pub fn unreadable(path: &Path, error: io::Error) -> Error {
        Error::Unreadable(path.to_path_buf(), error)
    }

    /// A file that cannot be written.
    pub fn unwritable(path: &Path, error: io::Error) -> Error {
        Error::Unwritable(path.to_path_buf(), error)
    }

    /// A file that is not what it should be.
    pub fn malformed(path: &Path, line: usize, what: impl fmt::Display) -> Error {
        Error::Malformed(path.to_path_buf(), line, what.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unreadable(path, error) => write!(f, "cannot read `{}`: {error}", path.display()),
            Error::Unwritable(path, error) => write!(f, "cannot write `{}`: {error}", path.display()),
            Error::Malformed(path, 0, what) => write!(f, "{}: error: {what}", path.display()),
            Error::Malformed(path, line, what) => write!(f, "{}:{line}:1: error: {what}", path.display()),
            Error::Request(what) | Error::Incomplete(what) => f.write_str(what),
            Error::Mismatch(folder, what) => write!(
                f,
                "`{}` holds results of another experiment: {what}. Give another folder, remove that one, or start beside it with `--beside`",
                folder.display()
            ),
            Error::Busy(folder) => write!(
                f,
                "another process works in `{}`; wait for its end, or give another folder",
                folder.display()
            ),
            Error::Program(program, what) => write!(f, "`{program}` failed: {what}"),
        }
    }
}

impl std::error::Error for Error {}
