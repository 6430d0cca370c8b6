//! `provident campaign`: many tasks, one configuration, and a table.

use super::experiment;
use super::experiment::Request;
use crate::campaign::definition::Definition;
use crate::campaign::error::Error;
use crate::campaign::table::Summary;
use crate::campaign::{journal, output, table};
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::options::Settings;
use crate::cli::settings::table::TABLE;
use crate::cli::{BAD_INPUT, UNKNOWN};
use crate::report::files;
use std::path::{Path, PathBuf};

/// The meaning of the settings of a campaign.
pub(in crate::cli) struct CampaignPlan {
    definition: Definition,
    table: Option<PathBuf>,
    request: Request,
}

/// Reads the settings.
pub(in crate::cli) fn plan(settings: &Settings) -> CampaignPlan {
    let mut definition = Definition::single("campaign", Vec::new());
    experiment::overrule(&mut definition, settings);
    CampaignPlan {
        definition,
        table: settings.get(&TABLE),
        request: experiment::request(settings),
    }
}

/// A folder that goes when it is dropped.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a campaign, or goes on with it. Returns the exit status: 0, 1 if a verdict contradicts what its task expects, or 2 if it was interrupted.
///
/// Without a folder for it the journal lies beside the table, and without a table it goes with the campaign.
///
/// # Errors
/// Bad input, or a file that cannot be read or written.
pub(in crate::cli) fn run(inputs: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let plan = plan(settings);
    let set = experiment::run_set(&plan.definition, inputs, &plan.request)?;
    let (folder, _temporary) = match (&plan.request.out, &plan.table) {
        (Some(out), _) => (out.clone(), None),
        (None, Some(table)) => {
            let name = table.file_name().unwrap_or_default().to_string_lossy();
            (table.with_file_name(format!("{name}.journal")), None)
        }
        (None, None) => {
            let folder = std::env::temp_dir().join(format!("provident-campaign-{}", std::process::id()));
            (folder.clone(), Some(Temporary(folder)))
        }
    };
    let (folder, done) = experiment::run(plan.definition, &set, &plan.request, &folder)?;
    let said = output::write(&folder)?;
    let csv = || -> Result<String, Error> {
        let mut bytes = Vec::new();
        table::csv(&folder.join(journal::FILE), &mut bytes)?;
        Ok(String::from_utf8(bytes).expect("a table is made of texts"))
    };
    match (&plan.table, &plan.request.out) {
        (Some(table), _) => write_table(table, &csv()?)?,
        (None, Some(_)) => {}
        (None, None) if print(&csv()?) => {}
        (None, None) => return Ok(BAD_INPUT),
    }
    said.lines.iter().for_each(|line| eprintln_quietly(line));
    if done.left > 0 {
        return Ok(UNKNOWN);
    }
    Ok(u8::from(said.summaries.iter().any(Summary::is_wrong)))
}

fn write_table(path: &Path, text: &str) -> Result<(), Error> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.ok_or_else(|| Error::Request(format!("`{}` is no file name", path.display())))?;
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    files::write(folder, &name, text)
        .map_err(|error| Error::Program("writing the table".to_string(), error.to_string()))
}
