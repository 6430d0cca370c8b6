//! Guesses of contracts: what recursive functions require and do, from executions.
//!
//! A recursion without bound needs a contract: `mult(n, m)` returns `n * m` if `m` is not negative. Contracts of simple functions have few forms (`facts`), and executions of the program show which of them fit: each call is a sample of what
//! the function is called with and what it does (`runs`). The guesses at a contract's entry are what it requires, those at its exit what it ensures, relative to the values at the entry; and wherever one call leads to
//! another, there are guesses about the caller. All of them together are an induction over calls ([`Contract`]), of which [`crate::evidence::obligations::inductive`] keeps what holds.
//!
//! The rows of a table over a parameter are one guess each, and each follows from the rows before, so `fib(46)` needs no other idea than 46 cases. Rows to which no execution comes, because it would take too long, follow by a recurrence
//! (`tables`); like all of this it is believed only if it is proved. Sums are those of the machine: where a sum wraps around, its guess says so.
//!
//! Related: dynamic inference of pre- and postconditions (Ernst, Cockrell, Griswold, Notkin, *Dynamically discovering likely program invariants*, TSE 2001), with polynomials (Nguyen, Kapur, Weimer, Forrest, *Using
//! dynamic analysis to discover polynomial and array invariants*, ICSE 2012).
//!
//! | module | does |
//! |---|---|
//! | `sites` | the sites of claims, and which functions are left alone |
//! | `runs` | executions with chosen inputs, with a memory of calls |
//! | `tables` | equations between columns of samples, and sequences continued |
//! | `facts` | guesses for a site |

mod facts;
mod runs;
mod sites;
mod tables;

pub use sites::LeftAlone;

use super::super::certificate::{Certificate, Claim, Contract, OLD, Origin};
use super::Suggested;
use crate::cfa::{FuncId, Program};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder, product_name};
use crate::explicit::value::arith::bounds;
use crate::frontend::types::IntInfo;
use crate::query::points::Points;
use facts::{Bound, Fact, Statement, facts};
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Symbol, SymbolId, TermId, TermPool};
use runs::{Column, samples};
use sites::{Site, Sites};
use std::collections::{BTreeMap, BTreeSet};
use tables::{Feature, Table};

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
    };
    Suggested {
        certificate,
        assumptions: encoder.assumptions().to_vec(),
        is_costly: true,
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

/// Says facts as formulas.
struct Speaker<'s, 'p> {
    encoder: &'s Encoder<'p>,
    pool: &'s mut TermPool,
    table: &'s Table,
}

impl Speaker<'_, '_> {
    /// The formulas of facts, and the ranges of values at the contract's entry.
    fn all(&mut self, facts: &[Fact]) -> Vec<TermId> {
        let mut said = Vec::new();
        for column in 0..self.table.columns.len() {
            if matches!(self.table.columns[column], Column::Old(_)) {
                let (least, greatest) = bounds(self.table.infos[column]);
                said.push(self.bound(Bound::AtLeast(column, least)));
                said.push(self.bound(Bound::AtMost(column, greatest)));
            }
        }
        said.extend(facts.iter().map(|fact| self.fact(fact)));
        said
    }

    fn fact(&mut self, fact: &Fact) -> TermId {
        let case: Vec<TermId> = fact.case.iter().map(|&bound| self.bound(bound)).collect();
        let case = self.pool.and(&case);
        let said = match &fact.said {
            Statement::Bound(bound) => self.bound(*bound),
            Statement::Sum(column, summands) => self.sum(*column, summands),
        };
        self.pool.implies(case, said)
    }

    fn bound(&mut self, bound: Bound) -> TermId {
        let (Bound::Is(column, number) | Bound::AtMost(column, number) | Bound::AtLeast(column, number)) = bound;
        let (column, number) = (self.column(column), self.pool.int(Int::from(number)));
        match bound {
            Bound::Is(..) => self.pool.eq(column, number),
            Bound::AtMost(..) => self.pool.le(column, number),
            Bound::AtLeast(..) => self.pool.le(number, column),
        }
    }

    fn column(&mut self, column: usize) -> TermId {
        let name = match self.table.columns[column] {
            Column::Now(depth, var) => self.encoder.variable_names(var, depth).swap_remove(0),
            Column::Old(var) => format!("{OLD}{}", self.encoder.variable_names(var, 0)[0]),
        };
        let name = self.pool.symbol(&name);
        self.pool.int_var(name, NO_INDEX)
    }

    /// The equation of a column with a sum in its type.
    fn sum(&mut self, column: usize, summands: &[(i128, Feature)]) -> TermId {
        let info = self.table.infos[column];
        let (mut monomials, mut constant) = (Vec::new(), 0);
        // The least and the greatest sum.
        let mut range = [0i128; 2];
        for &(factor, feature) in summands {
            let (term, info) = match feature {
                Feature::One => {
                    constant = factor;
                    range = range.map(|end| end + factor);
                    continue;
                }
                Feature::Value(other) => (self.column(other), self.table.infos[other]),
                Feature::Product(a, b) => (self.product(a, b), self.table.infos[a]),
            };
            let (least, greatest) = bounds(info);
            let ends = [factor * least, factor * greatest];
            range = [range[0] + ends[0].min(ends[1]), range[1] + ends[0].max(ends[1])];
            monomials.push((Int::from(factor), term));
        }
        let plus = match planted("guessed-sum") {
            true => constant + 1,
            false => constant,
        };
        let sum = self.pool.linear(&monomials, Int::from(plus));
        let sum = self.fit(sum, range, info);
        let column = self.column(column);
        self.pool.eq(column, sum)
    }

    fn product(&mut self, a: usize, b: usize) -> TermId {
        let info = self.table.infos[a];
        let name = self.pool.symbol(&product_name(info));
        let (mut a, mut b) = (self.column(a), self.column(b));
        if self.pool.compare(a, b).is_gt() {
            std::mem::swap(&mut a, &mut b);
        }
        self.pool.app(name, NO_INDEX, &[a, b])
    }

    /// The value of a type that is congruent to a sum with a least and a greatest value, in the form that the encoding of assignments has.
    fn fit(&mut self, sum: TermId, [from, to]: [i128; 2], info: IntInfo) -> TermId {
        let (least, greatest) = bounds(info);
        let period = greatest - least + 1;
        let [low, high, size] = [least, greatest, period].map(Int::from);
        if from < least - period || to > greatest + period {
            let low = self.pool.int(low);
            let distance = self.pool.sub(sum, low);
            let rest = self.pool.mod_floor(distance, &size);
            return self.pool.add(rest, low);
        }
        let mut fit = sum;
        for (is_outside, end, by) in [(from < least, low, size.clone()), (to > greatest, high, -&size)] {
            if is_outside {
                let end = self.pool.int(end);
                let beyond = match by > Int::ZERO {
                    true => self.pool.lt(sum, end),
                    false => self.pool.gt(sum, end),
                };
                let moved = self.pool.linear(&[(Int::ONE, sum)], by);
                fit = self.pool.ite(beyond, moved, fit);
            }
        }
        fit
    }
}
