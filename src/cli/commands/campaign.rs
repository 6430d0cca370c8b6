//! `provident campaign`: many tasks and a table.

use crate::campaign::runner::{self, Plan};
use crate::campaign::{runset, table};
use crate::cli::BAD_INPUT;
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::options::Settings;
use crate::report::files;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The meaning of the settings of a campaign.
pub(in crate::cli) struct CampaignPlan {
    shard: (usize, usize),
    table: Option<PathBuf>,
    children: Plan,
}

/// Reads the settings.
pub(in crate::cli) fn plan(settings: &Settings) -> CampaignPlan {
    let mut arguments = Vec::new();
    for key in ["cpu-limit", "wall-limit", "memory-limit"] {
        if let Some(value) = settings.text(key) {
            arguments.extend([format!("--{key}"), value.to_string()]);
        }
    }
    arguments.extend(
        settings
            .text("arguments")
            .into_iter()
            .flat_map(str::split_whitespace)
            .map(str::to_string),
    );
    // A child keeps its limits itself; three times the limit is for one that hangs.
    let limit = settings.seconds("wall-limit").or(settings.seconds("cpu-limit"));
    let children = Plan {
        arguments,
        jobs: settings
            .number("jobs")
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(1),
        patience: limit.map(|limit| 3.0 * limit + 10.0),
    };
    CampaignPlan {
        shard: settings.shard("shard").unwrap_or((1, 1)),
        table: settings.path("table"),
        children,
    }
}

/// Runs a campaign. Returns the exit status: 0, or 1 if a verdict contradicts what its task expects.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(inputs: &[PathBuf], settings: &Settings) -> Result<u8, String> {
    let plan = plan(settings);
    let tasks = runset::shard(runset::tasks(inputs)?, plan.shard);
    let program = std::env::current_exe().map_err(|error| format!("cannot find the program itself: {error}"))?;
    let shows = std::io::stderr().is_terminal();
    let total = tasks.len();
    let done = |count: usize| {
        if shows {
            // Progress that cannot be shown is no loss.
            let _ = write!(std::io::stderr(), "\r{count}/{total}");
        }
    };
    let rows = runner::run(&program, &tasks, &plan.children, &done);
    if shows {
        eprintln_quietly("");
    }
    let text = table::csv(&rows);
    match &plan.table {
        None if print(&text) => {}
        None => return Ok(BAD_INPUT),
        Some(path) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let Some(name) = name else {
                return Err(format!("`{}` is no file name", path.display()));
            };
            let folder = path
                .parent()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            if let Err(error) = files::write(folder, &name, &text) {
                eprintln_quietly(&format!("error: {error}"));
                return Ok(BAD_INPUT);
            }
        }
    }
    eprintln_quietly(&table::summary(&rows));
    let wrong = rows.iter().any(|row| row.judgement() == table::Judgement::Wrong);
    Ok(u8::from(wrong))
}
