//! From text to automata: the front end, the specification automata woven in, the lowering.

use super::Error;
use super::task::{Claim, ProgramFile, Task};
use crate::cfa::lower::weave::Weaver;
use crate::cfa::{LowerOptions, Program, Watcher, lower_woven};
use crate::frontend::{self, FrontendOptions};
use crate::spec::weaving::{Mode, Watched, Woven, weave};

/// Reads a program and lowers it to automata.
///
/// # Errors
/// The front end's diagnostics.
pub fn load(file: &ProgramFile) -> Result<Program, Error> {
    load_with(file, &|_| false, &mut |_| ())
}

/// Reads the program of a task, and weaves the specification automata in. The results stand at the positions of the automata among the properties.
pub(super) fn load_woven(task: &Task, mode: Mode) -> Result<(Program, Vec<Option<Woven>>), Error> {
    let mut positions = Vec::new();
    let mut watched = Vec::new();
    for (position, requested) in task.requested.iter().enumerate() {
        if let Claim::Automaton(specification, at) = &requested.claim {
            positions.push(position);
            watched.push(Watched {
                property: &requested.name,
                watcher: Watcher::new(position),
                specification,
                automaton: &specification.automata[*at],
            });
        }
    }
    let watches = |function: &str| watched.iter().any(|one| one.automaton.watches(function));
    let mut found = Vec::new();
    let mut file = task.program.clone();
    file.forbid(&task.requested);
    let program = load_with(&file, &watches, &mut |weaver| {
        found = weave(weaver, &watched, mode);
    })?;
    let mut woven = vec![None; task.requested.len()];
    for (position, one) in positions.into_iter().zip(found) {
        woven[position] = Some(one);
    }
    Ok((program, woven))
}

fn load_with(
    file: &ProgramFile,
    watches: &dyn Fn(&str) -> bool,
    weave: &mut dyn FnMut(&mut Weaver<'_>),
) -> Result<Program, Error> {
    let options = FrontendOptions {
        data_model: file.data_model,
    };
    let color = false;
    let unit = frontend::parse(file.read()?, &options).map_err(|problems| Error::Input(problems.render(color)))?;
    let functions = unit.functions.iter().map(|f| f.name.to_string());
    let watched = functions.filter(|name| watches(name)).collect();
    let options = LowerOptions {
        watched,
        ..file.lower.clone()
    };
    lower_woven(unit, &options, weave).map_err(|problems| Error::Input(problems.render(color)))
}
