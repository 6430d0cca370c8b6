//! The obligations of a call that relies on contracts, and the contracts in the manifest.
//!
//! The point is the entry of the called function, where the caller's frame and the new one are open. Each case of its claim relies on a contract. There are two conditions for it:
//!
//! * the case implies the claim at the contract's entry (**precondition**);
//! * with the claim at the contract's exit it implies the claim of the caller behind the execution (**consecution**). Names that the call may change have a new version there.

use super::super::instances::{Failure, without_updates};
use super::super::lazily::Chosen;
use super::super::manifest::{BlockEntry, ContractEntry, Kind, UseEntry};
use super::super::walk::Walk;
use super::super::{Effort, Solvers};
use super::{About, Details, MAX_CASES, Named, PartOf, Writer, contract_name, name_of};
use crate::certify::OLD;
use crate::cfa::FuncId;
use crate::encode::Encoder;
use provident_smt::fault::planted;
use provident_smt::term::{NO_INDEX, Symbol, SymbolId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

impl Writer<'_> {
    /// The obligations of a call: `from` is the entry of the called function, `to` the point behind its execution.
    ///
    /// # Errors
    /// See [`obligations`](super::super::obligations).
    pub fn call(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        (from, to): (usize, usize),
        solvers: &mut dyn Solvers,
    ) -> Result<(), Failure> {
        let frames = walk.frames(walk.points()[from].1);
        let uses = self.uses[from].clone();
        for (contract, cases) in &uses {
            let (entry, exit) = walk.ends_of(*contract);
            let before = self.in_caller(pool, &frames, self.claims[entry])?;
            let before = self.at_call(pool, &frames, before, false);
            let after = self.in_caller(pool, &frames, self.claims[exit])?;
            let after = self.at_call(pool, &frames, after, true);
            let behind = self.at_call(pool, &frames, self.claims[to], true);
            let starts = cases.clone().step_by(MAX_CASES);
            for cases in starts.map(|start| start..cases.end.min(start + MAX_CASES)) {
                let about = |kind, to| About {
                    kind,
                    from,
                    to: Some(to),
                    cases: Some(cases.clone()),
                    conjuncts: None,
                    path: None,
                };
                if !planted("precondition-left-out") {
                    self.about_call(encoder, pool, about(Kind::Precondition, entry), (None, before), solvers)?;
                }
                self.about_call(
                    encoder,
                    pool,
                    about(Kind::Consecution, to),
                    (Some(after), behind),
                    solvers,
                )?;
            }
        }
        let names = self.names_behind(pool, walk, (from, to), &frames)?;
        let lost = names.into_iter().filter(|name| self.calls.is_lost(&frames, name));
        let versions: Named<u32> = lost.map(|name| (name, 1)).collect();
        self.blocks.push(BlockEntry {
            paths: Vec::new(),
            from: name_of(from),
            to: vec![name_of(to)],
            versions: BTreeMap::from([(name_of(to), versions)]),
            unclaimed: Vec::new(),
            edges: Vec::new(),
            enters: Vec::new(),
            leaves: Vec::new(),
            relies_on: uses
                .into_iter()
                .map(|(contract, cases)| UseEntry {
                    contract: contract_name(contract),
                    cases: [cases.start, cases.end],
                })
                .collect(),
        });
        Ok(())
    }

    /// The names that claims and ranges behind a call are about.
    fn names_behind(
        &self,
        pool: &mut TermPool,
        walk: &Walk<'_>,
        (from, to): (usize, usize),
        frames: &[FuncId],
    ) -> Result<BTreeSet<String>, Failure> {
        let mut claims = vec![self.claims[to]];
        for &(contract, _) in &self.uses[from] {
            let after = self.claims[walk.ends_of(contract).1];
            claims.push(self.in_caller(pool, frames, after)?);
        }
        let names = pool.symbols_of(&claims).into_iter().map(|symbol| symbol.name);
        let names: BTreeSet<SymbolId> = names.chain(self.established[to].iter().copied()).collect();
        Ok(names.into_iter().map(|name| pool.name(name).to_string()).collect())
    }

    /// One obligation of a call: what its contract ensures, and the goal.
    fn about_call(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        about: About,
        (ensured, goal): (Option<TermId>, TermId),
        solvers: &mut dyn Solvers,
    ) -> Result<(), Failure> {
        let text = about.text();
        let nothing = encoder.empty(pool);
        let parts = self.parts(encoder, pool, &about, (&nothing, ensured), (goal, &[]), Chosen::All);
        let formulas: Vec<TermId> = parts.all.iter().map(|part| part.1).collect();
        let replaced = without_updates(pool, &formulas, false, (solvers, Effort::Full), &mut |_, _| {});
        let replaced = replaced.map_err(|failure| failure.about(&text))?;
        let formulas = replaced.formulas.iter();
        let replacing: Vec<PartOf> = parts.all.iter().zip(formulas).map(|(part, &f)| (part.0, f)).collect();
        let details = Details {
            numbers: &parts.numbers,
            ranges: &[],
            identities: &parts.identities,
        };
        self.add(pool, about, text, (&replacing, &replaced), &details);
        Ok(())
    }

    /// A claim under the contract of the called function, as the caller has it. Values at the contract's entry are those at the call: they have the first version already.
    pub(in crate::evidence::obligations) fn in_caller(
        &self,
        pool: &mut TermPool,
        frames: &[FuncId],
        claim: TermId,
    ) -> Result<TermId, Failure> {
        let mut renamed: BTreeMap<SymbolId, Symbol> = BTreeMap::new();
        for symbol in pool.symbols(claim) {
            let name = pool.name(symbol.name).to_string();
            let (at_entry, index) = match name.strip_prefix(OLD) {
                Some(name) => (name, u32::from(planted("old-value-behind"))),
                None => (name.as_str(), symbol.index),
            };
            let Some(seen) = self.calls.in_caller(frames, at_entry) else {
                let why = format!("a contract speaks of `{name}`, which its caller does not know");
                return Err(Failure::Unknown(why));
            };
            let name = pool.symbol(&seen);
            renamed.insert(symbol.name, Symbol { name, index });
        }
        Ok(pool.map_symbols(claim, &mut |symbol| renamed[&symbol.name]))
    }

    /// A claim of the caller at a call, or behind it. Symbols that have a version keep it.
    pub(in crate::evidence::obligations) fn at_call(
        &self,
        pool: &mut TermPool,
        frames: &[FuncId],
        claim: TermId,
        is_behind: bool,
    ) -> TermId {
        let mut versions: BTreeMap<SymbolId, u32> = BTreeMap::new();
        for symbol in pool.symbols(claim) {
            let is_new = is_behind && self.calls.is_lost(frames, pool.name(symbol.name));
            versions.insert(symbol.name, u32::from(is_new));
        }
        pool.map_symbols(claim, &mut |symbol| match symbol.index {
            NO_INDEX => Symbol {
                index: versions[&symbol.name],
                ..symbol
            },
            _ => symbol,
        })
    }
}

impl Writer<'_> {
    /// The contracts as the manifest has them.
    pub(super) fn contract_entries(&self) -> Vec<ContractEntry> {
        let entry = |(number, &(func, entry, exit)): (usize, &(FuncId, usize, usize))| {
            let effects = self.calls.effects(func);
            ContractEntry {
                id: contract_name(number),
                function: self.program.function(func).name.clone(),
                entry: name_of(entry),
                exit: name_of(exit),
                writes: effects.writes.iter().cloned().collect(),
                nested: effects.nested.iter().cloned().collect(),
            }
        };
        self.contracts.iter().enumerate().map(entry).collect()
    }

    /// The local variables by function, if there are contracts.
    pub(super) fn locals(&self) -> BTreeMap<String, Vec<String>> {
        let locals = self.calls.locals().into_iter();
        locals
            .map(|(func, names)| (self.program.function(func).name.clone(), names.into_iter().collect()))
            .collect()
    }
}
