//! Commands that exchange something with other programs: result files of BenchExec, its tool-info module, completions of shells, pages for `man`, the schema of reports.

use crate::campaign::error::Error;
use crate::campaign::{benchexec, output};
use crate::cli::display::finish::print;
use crate::cli::settings::args::parser;
use crate::cli::settings::options::{Command, Settings, options_of};
use crate::cli::settings::table;
use crate::report::schema;
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// The folder that the settings name.
pub(in crate::cli) fn folder(settings: &Settings) -> Result<PathBuf, Error> {
    settings
        .get(&table::OUT)
        .ok_or_else(|| Error::Request("give a folder for the result: `--out DIR`".to_string()))
}

/// `provident benchexec-import`: result files become an experiment with its page.
///
/// # Errors
/// A file cannot be read or written.
pub(in crate::cli) fn import(files: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let out = folder(settings)?;
    benchexec::import(files, &out)?;
    let said = output::write(&out)?;
    print(&(said.lines.join("\n") + "\n"));
    Ok(0)
}

/// `provident benchexec-export`: experiments become result files.
///
/// # Errors
/// A journal cannot be read, or a file cannot be written.
pub(in crate::cli) fn export(folders: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let out = folder(settings)?;
    for folder in folders {
        for file in benchexec::export(folder, &out)? {
            print(&format!("{}\n", file.display()));
        }
    }
    Ok(0)
}

/// `provident benchexec-tool`: the tool-info module.
///
/// # Errors
/// A file cannot be written.
pub(in crate::cli) fn tool(folder: &Path) -> Result<u8, Error> {
    benchexec::package(folder)?;
    let folder = folder.display();
    print(&format!(
        "`pip install {folder}`, or PYTHONPATH={folder}; then tool=\"provident_benchexec.tool\"\n"
    ));
    Ok(0)
}

/// `provident completions`: prints what a shell has to read.
pub(in crate::cli) fn completions(shell: Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut parser(), "provident", &mut text);
    print(&String::from_utf8_lossy(&text));
    0
}

/// `provident schema`: prints the schema of JSON reports.
pub(in crate::cli) fn schema() -> u8 {
    let keys: Vec<&str> = options_of(Command::Verify).map(|option| option.key()).collect();
    print(&schema::schema(&keys));
    0
}

/// `provident man`: a page for the program and for each command.
///
/// # Errors
/// A file cannot be written.
pub(in crate::cli) fn man(folder: &Path) -> Result<u8, Error> {
    std::fs::create_dir_all(folder).map_err(|error| Error::unwritable(folder, error))?;
    clap_mangen::generate_to(parser(), folder).map_err(|error| Error::unwritable(folder, error))?;
    Ok(0)
}
