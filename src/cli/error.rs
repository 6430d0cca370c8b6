//! Why a command cannot do what it is asked for.

use super::settings::error::SettingError;
use crate::evidence::witness::format::FormatError;
use crate::spec::property::SpecError;
use crate::verify;
use std::fmt;
use std::path::PathBuf;

/// Why a command cannot do what it is asked for. The text says what is wrong and what would be right.
#[derive(Debug)]
pub(in crate::cli) enum Error {
    /// An option is refused.
    Setting(SettingError),
    /// The task cannot be verified at all.
    Verify(verify::Error),
    /// A task or property file is wrong; the message begins with the place.
    Input(SpecError),
    /// A file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// A file that has to be a text is a folder.
    Folder(PathBuf),
    /// A folder is given as a file of the program.
    InputFolder(PathBuf),
    /// No file of a program is given.
    NoInput,
    /// A task definition is given beside other files.
    TaskAmongInputs(PathBuf),
    /// Standard input is given twice.
    TwoStandardInputs,
    /// Standard input cannot be read by several processes.
    StandardInputTwice,
    /// A task definition or witness names a data model that is not known.
    DataModel(String),
    /// No property is given, and the witness names none.
    NoPropertyInWitness,
    /// Two properties have the same name.
    SameName(String),
    /// Properties start in different functions.
    Entries(String, String),
    /// An option that writes into the folder of reports is given without one.
    NoFolder(&'static str),
    /// A witness cannot be read.
    Witness(PathBuf, FormatError),
    /// A witness is asked about an automaton.
    WitnessOfAutomaton(String),
    /// A witness is for a property that is none of those given.
    OtherProperty(String),
    /// The manifest of obligations cannot be read.
    Manifest(PathBuf, serde_json::Error),
    /// Obligations are to be compared with an automaton.
    Automaton(String),
    /// There is no function of a name.
    NoFunction(String),
    /// Another command that has its own errors: its message.
    Command(String),
}

impl Error {
    /// Whether the command line is wrong, not what it names.
    pub fn is_usage(&self) -> bool {
        use Error::*;
        matches!(
            self,
            Setting(_)
                | NoInput
                | TaskAmongInputs(_)
                | TwoStandardInputs
                | StandardInputTwice
                | SameName(_)
                | NoFolder(_)
        )
    }

    /// Whether the message begins with the place of the mistake, so that it needs no word in front.
    pub fn has_place(&self) -> bool {
        matches!(
            self,
            Error::Verify(verify::Error::Input(_)) | Error::Input(_) | Error::Manifest(..)
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setting(error) => error.fmt(f),
            Error::Verify(error) => error.fmt(f),
            Error::Input(error) => error.fmt(f),
            Error::Unreadable(file, error) => write!(f, "cannot read `{}`: {error}", file.display()),
            Error::Folder(file) => write!(f, "cannot read `{}`: it is a folder", file.display()),
            Error::InputFolder(folder) => write!(
                f,
                "`{0}` is a folder; give the files of the program, such as {0}/*.c",
                folder.display()
            ),
            Error::NoInput => f.write_str("no file of a program is given"),
            Error::TaskAmongInputs(task) => write!(
                f,
                "`{}` is a task definition, which names all files of a program; give it alone",
                task.display()
            ),
            Error::TwoStandardInputs => f.write_str("`-` is given twice; standard input is one file"),
            Error::StandardInputTwice => f.write_str(
                "`--relaunch` reads the program in several processes, and standard input has it only once; give a file",
            ),
            Error::DataModel(name) => write!(f, "unknown data model `{name}`; supported are ILP32 and LP64"),
            Error::NoPropertyInWitness => {
                f.write_str("no property is given, and the witness names none; use `--property FILE.prp`")
            }
            Error::SameName(name) => write!(f, "two properties are called `{name}`; rename one of the files"),
            Error::Entries(one, other) => write!(
                f,
                "the properties start in different functions, `{one}` and `{other}`; check them one by one, or give `--entry`"
            ),
            Error::NoFolder(key) => write!(f, "`--{key}` writes into the folder of `--out`; give one"),
            Error::Witness(file, error) => write!(f, "{}: {error}", file.display()),
            Error::WitnessOfAutomaton(name) => write!(f, "`{name}`: witnesses speak of formulas, not of automata"),
            Error::OtherProperty(formula) => {
                write!(
                    f,
                    "the witness is for `{formula}`, which is none of the given properties"
                )
            }
            Error::Manifest(file, error) => write!(f, "{}: error: {error}", file.display()),
            Error::Automaton(name) => write!(
                f,
                "`{name}` is an automaton, which is woven into programs: only formulas can be compared"
            ),
            Error::NoFunction(name) => write!(f, "the program has no function `{name}` that can be reached"),
            Error::Command(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

impl From<SettingError> for Error {
    fn from(error: SettingError) -> Self {
        Error::Setting(error)
    }
}

impl From<verify::Error> for Error {
    fn from(error: verify::Error) -> Self {
        Error::Verify(error)
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Error::Input(error)
    }
}
