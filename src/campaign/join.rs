//! Shards become one result: the journals of several folders are checked to be parts of one experiment and written as one journal.
//!
//! The joined journal has the header of an unsharded experiment, every option line once, and the runs of all shards in the order of the shards. A shard that is missing is named, and so is one that is not complete or
//! stands twice; nothing is written then, unless the user wants what there is.

use super::error::Error;
use super::journal::{self, Header, Keys, Line};
use super::plan::{Identity, hexadecimal};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A journal that takes part.
struct Part {
    path: PathBuf,
    header: Header,
    runs: usize,
}

/// The result of joining.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Shards that took part.
    pub shards: usize,
    /// Runs that ended by themselves.
    pub runs: usize,
    /// In words what is missing; empty if nothing is.
    pub missing: String,
}

/// The folders with a journal: the given ones, or the folders in them.
///
/// # Errors
/// A folder has neither a journal nor folders with one.
pub fn folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for folder in given {
        let has_journal = |folder: &Path| folder.join(journal::FILE).is_file();
        let entries = std::fs::read_dir(folder).map_err(|error| Error::unreadable(folder, error))?;
        let mut inner: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|p| has_journal(p))
            .collect();
        inner.sort_unstable();
        // A folder of shards may hold the result of joining them before.
        if !inner.is_empty() {
            found.extend(inner);
        } else if has_journal(folder) {
            found.push(folder.clone());
        } else {
            return Err(Error::Request(format!(
                "`{}` has no {}, nor has a folder in it",
                folder.display(),
                journal::FILE
            )));
        }
    }
    Ok(found)
}

/// Joins journals into the folder `out`. With `partial`, missing shards are named and not refused.
///
/// # Errors
/// The journals are of different experiments, something is missing or stands twice, or files cannot be read or written.
pub fn join(folders: &[PathBuf], out: &Path, partial: bool) -> Result<Joined, Error> {
    let mut parts = Vec::new();
    for folder in folders {
        let path = folder.join(journal::FILE);
        let header = journal::header(&path)?;
        parts.push(Part { path, header, runs: 0 });
    }
    parts.sort_by_key(|part| part.header.identity.shard);
    let Some(first) = parts.first() else {
        return Err(Error::Request("there is nothing to join".to_string()));
    };
    let count = first.header.identity.shard.1;
    for pair in parts.windows(2) {
        let [one, other] = pair else { continue };
        let (known, new) = (&one.header.identity, &other.header.identity);
        let apart = |what: String| {
            let (one, other) = (one.path.display(), other.path.display());
            Error::Incomplete(format!("`{other}` and `{one}` do not belong together: {what}"))
        };
        if let Some(difference) = new.belongs_to(known) {
            return Err(apart(difference));
        }
        if known.shard.1 != new.shard.1 {
            return Err(apart(format!(
                "one is one of {} shards, the other one of {}",
                known.shard.1, new.shard.1
            )));
        }
        if known.shard == new.shard {
            return Err(apart(format!("both are shard {}/{}", new.shard.0, new.shard.1)));
        }
    }
    let identity = whole(&parts);
    let target = out.join(journal::FILE);
    std::fs::create_dir_all(out).map_err(|error| Error::unwritable(out, error))?;
    let header = Header {
        identity,
        ..parts[0].header.clone()
    };
    // A folder that holds another experiment is left alone. What was joined before is replaced: shards may have gone on since.
    if target.exists() {
        let there = journal::header(&target)?;
        if let Some(difference) = header.identity.belongs_to(&there.identity) {
            return Err(Error::Mismatch(out.to_path_buf(), difference));
        }
        if there.identity.shard.1 > 1 {
            return Err(Error::Request(format!(
                "`{}` is one of the shards; give another folder",
                out.display()
            )));
        }
    }
    let temporary = out.join(format!(".{}.{}", journal::FILE, std::process::id()));
    let written = write(&mut parts, header, &temporary);
    let missing = written.and_then(|()| {
        let missing = missing(&parts, count);
        if missing.is_empty() || partial {
            std::fs::rename(&temporary, &target).map_err(|error| Error::unwritable(&target, error))?;
            Ok(missing)
        } else {
            Err(Error::Incomplete(format!(
                "{missing}. Run what is missing and join again, or join what there is with `--partial`"
            )))
        }
    });
    if missing.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    Ok(Joined {
        shards: parts.len(),
        runs: parts.iter().map(|part| part.runs).sum(),
        missing: missing?,
    })
}

/// The identity of all shards together: that of the experiment without shards, as far as the journals tell. The hash of all files is that of the shards' hashes.
fn whole(parts: &[Part]) -> Identity {
    let first = &parts[0].header.identity;
    if first.shard.1 == 1 {
        return first.clone();
    }
    let contents = parts.iter().fold(Sha256::new(), |hash, part| {
        hash.chain_update(&part.header.identity.contents)
    });
    Identity {
        shard: (1, 1),
        contents: hexadecimal(&contents.finalize()),
        runs: parts.iter().map(|part| part.header.identity.runs).sum(),
        ..first.clone()
    }
}

/// Writes the lines of all parts, and counts their runs.
fn write(parts: &mut [Part], header: Header, target: &Path) -> Result<(), Error> {
    let unwritable = |error| Error::unwritable(target, error);
    let mut out = BufWriter::new(std::fs::File::create(target).map_err(unwritable)?);
    let mut line = |line: &Line| {
        serde_json::to_writer(&mut out, line).map_err(std::io::Error::from)?;
        out.write_all(b"\n")
    };
    line(&Line::Header(Box::new(header))).map_err(unwritable)?;
    let mut options = BTreeSet::new();
    for part in parts {
        let folder = part
            .path
            .parent()
            .and_then(Path::file_name)
            .map(PathBuf::from)
            .unwrap_or_default();
        let nested = part
            .path
            .parent()
            .and_then(Path::parent)
            .is_some_and(|parent| target.parent() == Some(parent));
        let mut keys = Keys::default();
        journal::read(&part.path, |read| {
            match read {
                Line::Header(_) => Ok(()),
                Line::Options(values) if !options.insert(values.hash.clone()) => Ok(()),
                Line::Run(mut run) => {
                    if !run.interrupted {
                        keys.insert(run.key());
                    }
                    // Reports stay where they are; a link leads there from the folder around the shards.
                    if !run.report.is_empty() && nested {
                        run.report = folder.join(&run.report).display().to_string();
                    }
                    line(&Line::Run(run))
                }
                other => line(&other),
            }
            .map_err(unwritable)
        })?;
        part.runs = keys.len();
    }
    let file = out.into_inner().map_err(|error| unwritable(error.into_error()))?;
    file.sync_all().map_err(unwritable)
}

/// In words which shards are missing or not complete.
fn missing(parts: &[Part], count: usize) -> String {
    let there: BTreeMap<usize, &Part> = parts.iter().map(|part| (part.header.identity.shard.0, part)).collect();
    let absent: Vec<String> = (1..=count)
        .filter(|index| !there.contains_key(index))
        .map(|index| format!("{index}/{count}"))
        .collect();
    let mut words = Vec::new();
    match absent.as_slice() {
        [] => {}
        [one] => words.push(format!("shard {one} is missing")),
        many => words.push(format!("shards {} are missing", many.join(", "))),
    }
    for (index, part) in there {
        let all = part.header.identity.runs;
        if part.runs < all {
            words.push(format!("shard {index}/{count} has {} of {all} runs", part.runs));
        }
    }
    words.join("; ")
}
