//! Guesses of contracts: what recursive functions require and do, from executions.
//!
//! A recursion without bound needs a contract: `mult(n, m)` returns `n * m` if `m` is not negative. Contracts of simple functions have few forms (`samples::facts`), and executions of the program show which of them fit: each call is a sample of what
//! the function is called with and what it does (`samples::runs`). The guesses at a contract's entry are what it requires, those at its exit what it ensures, relative to the values at the entry; and wherever one call leads to
//! another, there are guesses about the caller. All of them together are an induction over calls ([`Contract`]), of which [`crate::evidence::obligations::inductive`] keeps what holds.
//!
//! The rows of a table over a parameter are one guess each, and each follows from the rows before, so `fib(46)` needs no other idea than 46 cases. Rows to which no execution comes, because it would take too long, follow by a recurrence
//! (`samples::tables`); like all of this it is believed only if it is proved. Sums are those of the machine: where a sum wraps around, its guess says so.
//!
//! Related: dynamic inference of pre- and postconditions (Ernst, Cockrell, Griswold, Notkin, *Dynamically discovering likely program invariants*, TSE 2001), with polynomials (Nguyen, Kapur, Weimer, Forrest, *Using
//! dynamic analysis to discover polynomial and array invariants*, ICSE 2012).

use super::super::certificate::{Certificate, Claim, Contract, OLD, Origin};
use super::Suggested;
use super::samples::facts::facts;
use super::samples::runs::{Column, samples};
use super::samples::sites::{LeftAlone, Site, Sites};
use super::samples::speaker::Speaker;
use super::samples::tables::Table;
use crate::cfa::{FuncId, Program};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder};
use crate::query::points::Points;
use provident_smt::term::{Symbol, SymbolId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Guesses at a site.
const MAX_FACTS: usize = 500;

/// The guesses of contracts for a program's recursive functions, for properties that may hold; `None` if no function is recursive.
///
/// # Errors
/// A recursive function is left alone.
pub fn guess_contracts(
    program: &Program,
    properties: Vec<PropertyId>,
    arith: Arith,
) -> Option<Result<Suggested, LeftAlone>> {
    if arith != Arith::Machine || !program.functions.iter().any(|function| function.recursive) {
        return None;
    }
    match Sites::of(program) {
        Ok(sites) if sites.contracts.is_empty() => None,
        Ok(sites) => Some(Ok(suggested(program, &sites, properties, arith))),
        Err(why) => Some(Err(why)),
    }
}

fn suggested(program: &Program, sites: &Sites, properties: Vec<PropertyId>, arith: Arith) -> Suggested {
    let samples = samples(program, sites);
    let encoder = Encoder::new(program, arith);
    let mut pool = TermPool::new();
    let mut said: Vec<Vec<TermId>> = Vec::new();
    for (number, site) in sites.all.iter().enumerate() {
        said.push(match samples.rows[number].is_empty() {
            // Before the first step everything is possible.
            true if number == 0 => Vec::new(),
            true => vec![pool.mk_false()],
            false => {
                let frames = sites.frames(program, site);
                let table = Table::new(program, &samples.rows[number], |column| {
                    is_seen(program, site, &frames, column)
                });
                Speaker {
                    encoder: &encoder,
                    pool: &mut pool,
                    table: &table,
                }
                .all(&facts(&table, &samples.constants))
            }
        });
    }
    for (number, site) in sites.all.iter().enumerate() {
        if !samples.rows[number].is_empty() {
            let ensured = ensured(&encoder, &mut pool, (sites, site), &said);
            said[number].extend(ensured);
        }
    }
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    for (site, said) in sites.all.iter().zip(&mut said) {
        let mut seen = BTreeSet::new();
        said.retain(|&formula| formula != pool.mk_true() && seen.insert(formula));
        said.truncate(MAX_FACTS);
        let first = formulas.len();
        formulas.push(pool.mk_true());
        formulas.extend(&*said);
        claims.push(Claim {
            node: site.node,
            calls: site.calls.clone(),
            known: Vec::new(),
            formula: first,
            each: (first + 1..formulas.len()).collect(),
            contract: site.contract,
            relies_on: site.relies_on,
        });
    }
    let contracts = sites.contracts.iter().map(|contract| Contract { func: contract.func });
    let certificate = Certificate {
        properties,
        arith,
        claims,
        contracts: contracts.collect(),
        formulas: pool.export(&formulas),
        points: Points::default(),
        origin: Origin::Guessed,
        paths: Vec::new(),
    };
    Suggested {
        certificates: vec![certificate],
        assumptions: encoder.assumptions().to_vec(),
        is_costly: true,
        is_about_numbers: false,
    }
}

/// Behind a call: what its contract ensures, for a function that leaves its parameters alone. `said` are the guesses by site.
fn ensured(
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
    (sites, site): (&Sites, &Site),
    said: &[Vec<TermId>],
) -> Vec<TermId> {
    let program = encoder.program();
    let function = program.node(site.node).func;
    let is_behind = !site.calls.is_empty() && program.function(function).exit == site.node;
    let exit = sites.contract_of(function).filter(|_| is_behind);
    let Some(exit) = exit.and_then(|contract| sites.number(Some(contract), site.node, &[])) else {
        return Vec::new();
    };
    let older = sites
        .frames(program, site)
        .iter()
        .filter(|&&open| open == function)
        .count()
        - 1;
    let depth = u32::try_from(older).expect("fewer than 2^32 frames");
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let function = program.function(function);
    for &var in function.params.iter().chain(&function.ret) {
        let outside = encoder.variable_names(var, depth).swap_remove(0);
        let inside = encoder.variable_names(var, 0).swap_remove(0);
        names.insert(format!("{OLD}{inside}"), outside.clone());
        names.insert(inside, outside);
    }
    let mut ensured = Vec::new();
    for &formula in &said[exit] {
        let symbols = pool.symbols(formula);
        let renamed = symbols.iter().map(|&symbol| {
            let name = pool.name(symbol.name);
            // The values of static storage at the entry have no name behind the call.
            let seen = names.get(name).map(String::as_str).or(Some(name));
            Some((symbol, seen.filter(|name| !name.starts_with(OLD))?.to_string()))
        });
        let Some(renamed) = renamed.collect::<Option<Vec<(Symbol, String)>>>() else {
            continue;
        };
        let renamed: Vec<(Symbol, SymbolId)> = renamed
            .into_iter()
            .map(|(symbol, name)| (symbol, pool.symbol(&name)))
            .collect();
        ensured.push(pool.map_symbols(formula, &mut |symbol| {
            let found = renamed.iter().find(|(own, _)| *own == symbol);
            Symbol {
                name: found.map_or(symbol.name, |(_, name)| *name),
                ..symbol
            }
        }));
    }
    ensured
}

/// Whether a claim at a site may be about a column. A contract is about what its callers know: parameters, the result, and static storage.
fn is_seen(program: &Program, site: &Site, frames: &[FuncId], column: Column) -> bool {
    let (Column::Now(_, var) | Column::Old(var)) = column;
    let Some(func) = program.var(var).func else { return true };
    let function = program.function(func);
    let is_outside = function.params.contains(&var) || function.ret == Some(var);
    let is_end = site.contract.is_some() && site.calls.is_empty() && {
        let own = program.function(frames[0]);
        site.node == own.entry || site.node == own.exit
    };
    is_outside || !is_end
}
