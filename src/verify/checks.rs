//! The places of a program that are checked, each a property of its own.
//!
//! One property for all places says little where one of them is violated. So each place is a property, and the decomposition of specifications and the refinement of many error paths at once
//! keep hundreds of them affordable.

use super::task::{Claim, ProgramFile, Requested};
use super::{Error, load};
use crate::cfa::program::check::{Check, CheckKind, Checks};
use crate::cfa::{Op, Program};
use crate::spec::{CheckedPlace, Forbidden, PropertySpec};
use std::collections::{BTreeSet, HashSet};

/// The properties of the places where operations of these sorts stand, by sort and then in the order of the text, named `sort/file:line:column`. A sort without a place is one property, which holds.
///
/// # Errors
/// The program cannot be read.
pub fn checked_places(program: &ProgramFile, kinds: Checks) -> Result<Vec<Requested>, Error> {
    let mut file = program.clone();
    file.lower.checks = kinds;
    let automata = load(&file)?;
    let requested = |name: String, forbidden: Forbidden| Requested {
        claim: Claim::Forbidden(PropertySpec {
            name: name.clone(),
            entry: program.lower.entry.clone(),
            forbidden,
        }),
        name,
        expected: None,
    };
    let mut all = Vec::new();
    let mut names = HashSet::new();
    let mut seen = Checks::NONE;
    for check in places(&automata) {
        seen.insert(check.kind);
        let place = position(&automata, check);
        let mut name = format!("{}/{place}", check.kind);
        // Operations of one macro may stand in one place.
        for number in 2.. {
            if names.insert(name.clone()) {
                break;
            }
            name = format!("{}/{place}#{number}", check.kind);
        }
        all.push(requested(name, Forbidden::At(place)));
    }
    let without_place = kinds.iter().filter(|&kind| !seen.contains(kind));
    all.extend(without_place.map(|kind: CheckKind| requested(kind.word().to_string(), Forbidden::Check(kind))));
    Ok(all)
}

/// The checks of a program, by sort and place.
fn places(program: &Program) -> BTreeSet<Check> {
    let check = |edge| match &program.edge(edge).op {
        Op::Label(label) => Check::of_label(label),
        _ => None,
    };
    program.edge_ids().filter_map(check).collect()
}

/// The place of a check in the files of the user.
fn position(program: &Program, check: Check) -> CheckedPlace {
    let at = program.sources.resolve(check.at);
    CheckedPlace {
        check,
        file: at.file.to_string(),
        line: at.line,
        column: at.column,
    }
}
