//! Names on both sides of calls that rely on contracts, from the tables of a manifest alone: for the audit and the check of coverage.
//!
//! The manifest lists the local variables of each function and what an execution of a function with a contract may write. Everything that an execution may change is lost behind the call; see
//! `contracts` for the reasons. This module shares no code with the writer of manifests.

use super::manifest::{ContractEntry, Manifest, PlaceEntry};
use std::collections::{BTreeMap, BTreeSet};

/// The tables of a manifest that concern names and frames.
pub struct Views<'m> {
    /// The function of each local variable.
    owners: BTreeMap<&'m str, &'m str>,
    /// The function that each call enters.
    callees: BTreeMap<u32, &'m str>,
    contracts: BTreeMap<&'m str, &'m ContractEntry>,
    /// The function in which the program starts.
    start: &'m str,
}

/// A call that relies on a contract: the functions of the open frames, and what the contract's function writes.
pub struct CallView<'v, 'm> {
    views: &'v Views<'m>,
    /// The called function.
    called: &'m str,
    /// The functions of the frames below.
    below: Vec<&'m str>,
    writes: BTreeSet<&'m str>,
    nested: BTreeSet<&'m str>,
}

impl<'m> Views<'m> {
    /// The views of a manifest.
    pub fn new(manifest: &'m Manifest) -> Self {
        let mut owners = BTreeMap::new();
        for (function, names) in &manifest.locals {
            owners.extend(names.iter().map(|name| (name.as_str(), function.as_str())));
        }
        let calls = manifest.edges.iter();
        let entry = manifest.points.first().map(|point| point.place.node);
        let start = manifest.functions.iter().find(|function| Some(function.entry) == entry);
        Views {
            owners,
            callees: calls
                .filter_map(|edge| Some((edge.id, edge.calls.as_deref()?)))
                .collect(),
            contracts: manifest
                .contracts
                .iter()
                .map(|contract| (contract.id.as_str(), contract))
                .collect(),
            start: start.map_or("", |function| function.name.as_str()),
        }
    }

    /// The contract of a name.
    pub fn contract(&self, name: &str) -> Option<&'m ContractEntry> {
        self.contracts.get(name).copied()
    }

    /// The call at a place, the entry of the function of a contract; `None` if it is not one.
    pub fn call<'v>(&'v self, place: &PlaceEntry, contract: &'m ContractEntry) -> Option<CallView<'v, 'm>> {
        let mut below = vec![match &place.contract {
            Some(outer) => self.contract(outer)?.function.as_str(),
            None => self.start,
        }];
        for call in &place.calls {
            below.push(self.callees.get(call)?);
        }
        let called = below.pop()?;
        let is_call = !below.is_empty() && called == contract.function;
        is_call.then(|| CallView {
            views: self,
            called,
            below,
            writes: contract.writes.iter().map(String::as_str).collect(),
            nested: contract.nested.iter().map(String::as_str).collect(),
        })
    }

    /// The function and the number of the frame of a name, and the name in a first frame.
    fn owner<'n>(&self, name: &'n str) -> Option<(&'m str, usize, &'n str)> {
        let (first, number) = match name.find('#') {
            Some(at) => (&name[..at], name[at + 1..].parse().ok()?),
            None => (name, 0),
        };
        // Members of a variable are behind dots, and names of files may have some too.
        let ends = first.match_indices('.').map(|(at, _)| at).chain([first.len()]);
        let longest = ends.filter_map(|end| self.owners.get(&first[..end])).next_back();
        longest.map(|&owner| (owner, number, first))
    }
}

impl CallView<'_, '_> {
    /// How many of the frames below are those of a function.
    fn older(&self, function: &str) -> usize {
        self.below.iter().filter(|&&other| other == function).count()
    }

    /// Whether a name may mean something else behind the call.
    pub fn loses(&self, name: &str) -> bool {
        let Some((owner, number, first)) = self.views.owner(name) else {
            return self.writes.contains(name);
        };
        let older = self.older(owner);
        if number < older {
            return self.nested.contains(first);
        }
        let is_own = owner == self.called && number == older;
        !is_own || self.writes.contains(first) || self.nested.contains(first)
    }

    /// The caller's name for a name under the contract; `None` if the caller has none.
    pub fn outside(&self, name: &str) -> Option<String> {
        match self.views.owner(name) {
            None => Some(name.to_string()),
            Some((owner, 0, first)) if owner == self.called => {
                let older = self.older(owner);
                Some(if older == 0 {
                    first.to_string()
                } else {
                    format!("{first}#{older}")
                })
            }
            Some(_) => None,
        }
    }

    /// The name under the contract for a name of the caller; `None` if there is none.
    pub fn inside(&self, name: &str) -> Option<String> {
        match self.views.owner(name) {
            None => Some(name.to_string()),
            Some((owner, number, first)) if owner == self.called && number == self.older(owner) => {
                Some(first.to_string())
            }
            Some(_) => None,
        }
    }
}
