//! The files of `--out`.
//!
//! Each file is written under a temporary name in the same folder and then renamed, so that a reader never sees half a file, and a
//! run that is killed leaves the files of the run before it.

use super::paint::Paint;
use super::{Attachment, Report, page, sarif, text, views};
use std::fs;
use std::io;
use std::path::Path;

/// Writes all files of a report into a folder, which is made if it does not exist.
///
/// # Errors
/// Passes on the first failure of the file system, with the file in its message.
pub fn write_all(report: &Report, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    write(folder, "report.json", &report.json())?;
    write(
        folder,
        "report.txt",
        &(text::render(report, false, Paint::PLAIN) + &text::assumptions(report)),
    )?;
    write(folder, "statistics.txt", &text::statistics(report))?;
    write(folder, "report.html", &page::page(report))?;
    write(folder, "report.sarif", &sarif::sarif(report))?;
    write(folder, "arg.dot", &views::arg_dot(&report.views.arg))?;
    for property in &report.properties {
        if let Some(trace) = &property.trace {
            let name = format!("trace-{}.txt", file_name(&property.name));
            write(folder, &name, &super::trace::trace(trace))?;
        }
    }
    for Attachment { name, content } in &report.attachments {
        write(folder, name, content)?;
    }
    Ok(())
}

/// Writes one file: completely or not at all.
///
/// # Errors
/// Passes on failures of the file system, with the file in their message.
pub fn write(folder: &Path, name: &str, content: &str) -> io::Result<()> {
    let target = folder.join(name);
    let temporary = folder.join(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, &target));
    written.map_err(|error| {
        // Half a file under another name helps nobody.
        let _ = fs::remove_file(&temporary);
        named(&target, &error)
    })
}

/// Writes a file that the user named: completely or not at all. What is no plain file, such as `/dev/stdout`, is written to as it is.
///
/// # Errors
/// Passes on failures of the file system, with the file in their message.
pub fn write_file(path: &Path, content: &str) -> io::Result<()> {
    let is_special = fs::metadata(path).is_ok_and(|data| !data.is_file());
    match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
        (Some(folder), Some(name)) if !is_special => write(folder, name, content),
        _ => fs::write(path, content).map_err(|error| named(path, &error)),
    }
}

/// Writes a folder of files: all of them, or none. It replaces the folder of that name, if that one has a file of the name `mark`, the last
/// of the files.
///
/// # Errors
/// Passes on failures of the file system, with the file in their message. A folder of that name that has no such file is left alone.
pub fn write_folder<'a>(
    parent: &Path,
    name: &str,
    mark: &str,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> io::Result<()> {
    let target = parent.join(name);
    let is_ours = target.join(mark).exists() || fs::read_dir(&target).is_ok_and(|mut files| files.next().is_none());
    if target.exists() && !is_ours {
        let error = io::Error::new(io::ErrorKind::AlreadyExists, format!("it is there and has no {mark}"));
        return Err(named(&target, &error));
    }
    let temporary = parent.join(format!(".{name}.{}", std::process::id()));
    // A file that an earlier process of that number left behind.
    let _ = fs::remove_dir_all(&temporary);
    fs::create_dir_all(&temporary).map_err(|error| named(&temporary, &error))?;
    let filled = files.into_iter().try_for_each(|(file, content)| {
        let file = temporary.join(file);
        fs::write(&file, content).map_err(|error| named(&file, &error))
    });
    let placed = filled.and_then(|()| {
        if target.exists() {
            fs::remove_dir_all(&target).map_err(|error| named(&target, &error))?;
        }
        fs::rename(&temporary, &target).map_err(|error| named(&target, &error))
    });
    if placed.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    placed
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()))
}

/// A property's name as part of a file's name: `/` and other separators become `-`.
pub fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') {
                c
            } else {
                '-'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_names_become_file_names() {
        assert_eq!(file_name("p/../x y"), "p-..-x-y");
    }

    #[test]
    fn a_file_replaces_the_one_before_it() {
        let folder = std::env::temp_dir().join(format!("provident-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        write(&folder, "a.txt", "one").unwrap();
        write(&folder, "a.txt", "two").unwrap();
        assert_eq!(fs::read_to_string(folder.join("a.txt")).unwrap(), "two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
        assert!(write(&folder, "a.txt", "").unwrap_err().to_string().contains("a.txt"));
    }
}
