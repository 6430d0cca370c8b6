//! `provident join`: shards become one result. Of one folder, the files are made anew from its journal.

use crate::campaign::error::Error;
use crate::campaign::{join, output};
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::options::Settings;
use crate::cli::settings::table;
use std::path::PathBuf;

/// The meaning of the settings: the folder of the result, and whether shards may be missing.
pub(in crate::cli) fn plan(settings: &Settings) -> (Option<PathBuf>, bool) {
    (settings.get(&table::OUT), settings.value(&table::PARTIAL))
}

/// Joins. Returns the exit status.
///
/// # Errors
/// The folders do not make one result, or a file cannot be read or written.
pub(in crate::cli) fn run(given: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let (out, partial) = plan(settings);
    let folders = join::folders(given)?;
    let out = match (out, given) {
        (Some(out), _) => out,
        // A folder of shards gets their result.
        (None, [folder]) => folder.clone(),
        (None, _) => {
            return Err(Error::Request(
                "several folders are joined into another one; give `--out DIR`".to_string(),
            ));
        }
    };
    if folders != [out.clone()] {
        let joined = join::join(&folders, &out, partial)?;
        if !joined.missing.is_empty() {
            eprintln_quietly(&format!("warning: {}", joined.missing));
        }
        eprintln_quietly(&format!(
            "{} shards, {} runs in `{}`",
            joined.shards,
            joined.runs,
            out.display()
        ));
    }
    let said = output::write(&out)?;
    print(&(said.lines.join("\n") + "\n"));
    Ok(0)
}
