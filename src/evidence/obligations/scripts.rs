//! The scripts of the obligations, and their entries in the manifest.
//!
//! A script is a conjunction in parts, one assertion each: the claim before the block, the ranges of the values that the block reads, values of
//! non-linear operators, the paths of the block, and the negation of the goal behind them. It needs nothing beyond `check-sat`.
//!
//! A claim is a disjunction of cases. Where these are many, as explicit states are, a script is about some of them only, so that none takes long.
//!
//! | module | does |
//! |---|---|
//! | `block` | the obligations of one block |
//! | `call` | the obligations of a call that relies on contracts |

mod block;
mod call;

use super::contracts::Calls;
use super::coverage::covers;
use super::elements;
use super::identities::{Identities, Identity};
use super::instances::Replaced;
use super::manifest::{
    BlockEntry, EdgeEntry, FunctionEntry, InstanceEntry, Kind, Manifest, ObligationEntry, OperatorEntry, PlaceEntry,
    PointEntry, Role, SourceEntry, UpdateEntry,
};
use super::ranges::{established, passes};
use super::walk::{Block, Place, Walk};
use super::weaker::Waiting;
use super::{Effort, Obligations};
use crate::certify::Certificate;
use crate::certify::{INDEX, Origin};
use crate::cfa::{EdgeId, FuncId, Printer, Program, is_call};
use crate::encode::{Arith, Encoder};
use crate::query::points::Points;
use provident_smt::term::{NO_INDEX, Symbol, SymbolId, Term, TermId, TermPool, UpdateSource, quote_symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// Cases of the claim before a block in one script at most.
const MAX_CASES: usize = 128;

/// How often a script is asked about again with more exact values of operators.
pub(super) const MAX_ROUNDS: usize = 12;

/// A part of a script: its role and its formula.
pub(super) type PartOf = (Role, TermId);

/// The bounds of variables by name, or their last versions.
type Named<V> = BTreeMap<String, V>;

/// The subject of a script.
#[derive(Clone)]
pub(super) struct About {
    pub kind: Kind,
    pub from: usize,
    pub to: Option<usize>,
    /// Some cases of the claim at `from`; all if there is none.
    pub cases: Option<Range<usize>>,
    /// Some conjuncts of the claim at `to`; all if there is none.
    pub conjuncts: Option<Range<usize>>,
    /// One of the listed paths; none if paths are not listed.
    pub path: Option<usize>,
}

/// The goal behind a block: a formula, and the variables whose ranges it mentions.
#[derive(Clone)]
struct Goal {
    formula: TermId,
    ranges: Vec<(SymbolId, TermId)>,
}

/// The formulas of a script, and what they rest on.
pub(super) struct Parts {
    /// The parts; they contradict each other if the goal holds.
    pub all: Vec<PartOf>,
    /// The numbers of the elements for which they have instances of claims about all elements.
    pub numbers: Vec<TermId>,
    /// The identities among them.
    pub identities: Vec<Identity>,
}

/// The description of a script beside its formulas.
struct Details<'d> {
    /// The numbers of elements.
    numbers: &'d [TermId],
    /// The variables whose ranges it shows.
    ranges: &'d [(SymbolId, TermId)],
    /// The identities that it uses.
    identities: &'d [Identity],
}

/// Writes the scripts of one certificate.
pub struct Writer<'a> {
    program: &'a Program,
    certificate: &'a Certificate,
    /// The claim at each point, over symbols without version.
    pub(super) claims: Vec<TermId>,
    /// The disjuncts of each claim.
    pub(super) cases: Vec<Vec<TermId>>,
    /// The claims about all elements at each point (see [`elements`]).
    pub(super) each: Vec<Vec<TermId>>,
    /// The guesses that take no part yet.
    pub(super) waiting: Waiting,
    /// The effort for a question about one guess.
    pub(super) patience: Effort,
    /// Exact values of non-linear operators.
    pub(super) operators: Points,
    /// Facts about products.
    pub(super) identities: Identities,
    points: Vec<PointEntry>,
    blocks: Vec<BlockEntry>,
    entries: Vec<ObligationEntry>,
    scripts: Vec<(String, String)>,
    /// For each point the names of the values that are in the ranges of their types there.
    established: Vec<BTreeSet<SymbolId>>,
    /// The functions that blocks pass.
    functions: BTreeSet<FuncId>,
    /// The names on both sides of calls that rely on contracts.
    calls: Calls,
    /// For each point that is the entry of such a call: the contracts, and which cases of its claim rely on them.
    pub(super) uses: Vec<Vec<(usize, Range<usize>)>>,
    /// For each contract its function, and the points at its entry and its exit.
    pub(super) contracts: Vec<(FuncId, usize, usize)>,
}

/// The claims of a certificate by their points.
struct ByPoint {
    /// The cases that are claimed.
    cases: Vec<Vec<TermId>>,
    /// The statements about all elements.
    each: Vec<Vec<TermId>>,
    /// The contracts that the cases rely on, and which cases these are.
    uses: Vec<Vec<(usize, Range<usize>)>>,
}

impl ByPoint {
    fn new(program: &Program, certificate: &Certificate, pool: &mut TermPool, walk: &mut Walk<'_>) -> ByPoint {
        let formulas = pool.import(&certificate.formulas);
        let mut cases: Vec<Vec<TermId>> = vec![Vec::new(); walk.points().len()];
        let mut each: Vec<Vec<TermId>> = vec![Vec::new(); walk.points().len()];
        let mut uses: Vec<Vec<(usize, Range<usize>)>> = vec![Vec::new(); walk.points().len()];
        let mut seen = BTreeSet::new();
        for claim in &certificate.claims {
            let mut parts = vec![formulas[claim.formula]];
            for (var, value) in &claim.known {
                let name = pool.symbol(&program.var(*var).name);
                let (var, value) = (pool.int_var(name, NO_INDEX), pool.int(value.clone()));
                parts.push(pool.eq(var, value));
            }
            let case = pool.and(&parts);
            let number = walk.number(claim);
            if seen.insert((number, claim.relies_on, case)) {
                cases[number].push(case);
                if let Some(contract) = claim.relies_on {
                    let count = cases[number].len();
                    match uses[number].last_mut() {
                        Some((last, cases)) if *last == contract => cases.end = count,
                        _ => uses[number].push((contract, count - 1..count)),
                    }
                }
            }
            each[number].extend(claim.each.iter().map(|&position| formulas[position]));
        }
        let is_one = |number: usize| each[number].is_empty() || cases[number].len() == 1;
        assert!(
            (0..cases.len()).all(is_one),
            "what is claimed of all elements is claimed in every case"
        );
        assert!(
            each[0].is_empty(),
            "nothing is claimed of elements before the first step"
        );
        ByPoint { cases, each, uses }
    }
}

impl<'a> Writer<'a> {
    /// The writer for the points of a walk.
    pub fn new(program: &'a Program, certificate: &'a Certificate, pool: &mut TermPool, walk: &mut Walk<'_>) -> Self {
        let ByPoint { cases, each, uses } = ByPoint::new(program, certificate, pool, walk);
        let claims: Vec<TermId> = cases.iter().map(|cases| pool.or(cases)).collect();
        let contracts = certificate.contracts.iter().enumerate().map(|(number, contract)| {
            let (entry, exit) = walk.ends_of(number);
            (contract.func, entry, exit)
        });
        let mut writer = Writer {
            program,
            certificate,
            points: Vec::new(),
            blocks: Vec::new(),
            entries: Vec::new(),
            scripts: Vec::new(),
            functions: BTreeSet::new(),
            calls: Calls::new(program, certificate),
            uses,
            contracts: contracts.collect(),
            established: Vec::new(),
            claims,
            cases,
            each,
            waiting: Waiting::default(),
            patience: Effort::Little,
            operators: certificate.points.clone(),
            identities: Identities::default(),
        };
        let encoder = Encoder::new(program, certificate.arith);
        for (number, (&place, &claim)) in walk.points().iter().zip(&writer.claims).enumerate() {
            writer.points.push(PointEntry {
                id: name_of(number),
                place: writer.place(walk, place),
                cases: Vec::new(),
                conjuncts: Vec::new(),
                elements: writer.each[number]
                    .iter()
                    .map(|&claim| elements::quantified(pool, INDEX, claim))
                    .collect(),
                ranges: Named::new(),
                text: encoder.display(pool, claim),
            });
            let said = |formulas: &[TermId]| {
                formulas
                    .iter()
                    .map(|&f| elements::barred(pool, f))
                    .collect::<Vec<String>>()
            };
            let entry = &mut writer.points[number];
            (entry.cases, entry.conjuncts) = match certificate.origin {
                Origin::Guessed => (said(&[pool.mk_true()]), said(&pool.conjuncts(claim))),
                Origin::Predicates | Origin::Thin | Origin::Explicit(_) | Origin::Paths => {
                    (said(&writer.cases[number]), Vec::new())
                }
            };
        }
        writer
    }

    /// The blocks that begin at the points.
    pub fn blocks(&self, encoder: &mut Encoder<'_>, pool: &mut TermPool, walk: &mut Walk<'_>) -> Vec<Block> {
        (0..self.claims.len())
            .map(|claim| walk.block(encoder, pool, claim))
            .collect()
    }

    fn place(&self, walk: &Walk<'_>, (node, stack): Place) -> PlaceEntry {
        let location = self.program.node(node);
        let position = self.program.sources.resolve(location.loc);
        PlaceEntry {
            node: node.0,
            function: self.program.function(location.func).name.clone(),
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
            calls: walk.calls(stack).into_iter().map(|call| call.0).collect(),
            contract: walk.contract(stack).map(contract_name),
        }
    }

    /// Finds out which values are in range at which points.
    pub fn establish(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, walk: &Walk<'_>, blocks: &[Block]) {
        let claims = self.claims.iter().zip(&self.each);
        let claims: Vec<Vec<TermId>> = claims
            .map(|(&claim, each)| std::iter::once(claim).chain(each.iter().copied()).collect())
            .collect();
        let passes = passes(&self.calls, walk, &self.uses);
        self.established = established(self.program, encoder, pool, walk, &claims, (blocks, &passes));
        for (point, names) in self.points.iter_mut().zip(&self.established) {
            for &name in names {
                let name = pool.name(name);
                if let Some((low, high)) = encoder.symbol_range(name) {
                    point
                        .ranges
                        .insert(name.to_string(), [low.to_string(), high.to_string()]);
                }
            }
        }
    }

    /// The claim at the start holds of every state.
    pub fn initiation(&mut self, pool: &mut TermPool) {
        let claim = self.claims[0];
        let start = at_versions(pool, claim, &mut |_| 0);
        let not = pool.not(start);
        let parts = [(Role::Goal, not)];
        let text = "at the program's start the claim holds of every state".to_string();
        let about = About {
            kind: Kind::Initiation,
            from: 0,
            to: None,
            cases: None,
            conjuncts: None,
            path: None,
        };
        let details = Details {
            numbers: &[],
            ranges: &[],
            identities: &[],
        };
        self.add(pool, about, text, (&parts, &Replaced::default()), &details);
    }

    fn add(
        &mut self,
        pool: &TermPool,
        about: About,
        claim: String,
        (parts, replaced): (&[PartOf], &Replaced),
        details: &Details<'_>,
    ) {
        let About {
            kind,
            from,
            to,
            cases,
            conjuncts,
            path,
        } = about;
        let number = self.entries.len() + 1;
        let kind_name = match kind {
            Kind::Initiation => "initiation",
            Kind::Consecution => "consecution",
            Kind::Exclusion => "exclusion",
            Kind::Safety => "safety",
            Kind::Ranges => "ranges",
            Kind::Precondition => "precondition",
        };
        let file = format!("{number:04}-{kind_name}.smt2");
        self.scripts.push((file.clone(), script(pool, &claim, parts, replaced)));
        let text = |term: TermId| elements::barred(pool, term);
        let updates = replaced.updates.iter();
        let instances = replaced.instances.iter();
        let instance_roles = instances.clone().map(|_| Role::Instance);
        self.entries.push(ObligationEntry {
            file,
            kind,
            from: name_of(from),
            to: to.map(name_of),
            cases: cases.map(|cases| [cases.start, cases.end]),
            conjuncts: conjuncts.map(|range| [range.start, range.end]),
            path,
            claim,
            parts: parts.iter().map(|part| part.0).chain(instance_roles).collect(),
            ranges: details
                .ranges
                .iter()
                .map(|range| pool.name(range.0).to_string())
                .collect(),
            updates: updates
                .map(|&(update, atom)| (text(update), update_entry(pool, atom)))
                .collect(),
            instances: instances
                .map(|instance| InstanceEntry {
                    update: text(instance.update),
                    at: text(instance.at),
                })
                .collect(),
            elements: details.numbers.iter().map(|&number| text(number)).collect(),
            identities: details
                .identities
                .iter()
                .map(|identity| identity.entry.clone())
                .collect(),
            expected: "unsat".to_string(),
        });
    }

    /// Everything that was written.
    pub fn finish(
        self,
        properties: Vec<String>,
        violations: &BTreeSet<EdgeId>,
        closed: &BTreeSet<EdgeId>,
    ) -> Obligations {
        let program = self.program;
        let printer = Printer::qualified(program);
        let mut edges = Vec::new();
        for (id, edge) in program.edges.iter().enumerate() {
            let id = EdgeId::new(id);
            if !self.functions.contains(&program.node(edge.from).func) || closed.contains(&id) {
                continue;
            }
            edges.push(EdgeEntry {
                id: id.0,
                from: edge.from.0,
                to: edge.to.0,
                calls: is_call(program, id).map(|f| program.function(f).name.clone()),
                line: program.sources.resolve(edge.loc).line,
                operation: printer.op(&edge.op),
            });
        }
        let function = |&id: &FuncId| {
            let function = program.function(id);
            FunctionEntry {
                name: function.name.clone(),
                entry: function.entry.0,
                exit: function.exit.0,
            }
        };
        let operators = self.operators.all().map(|(operator, arguments, value)| OperatorEntry {
            operator: operator.to_string(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            value: value.to_string(),
        });
        let manifest = Manifest {
            provident: String::new(),
            program: program.sources.name().to_string(),
            claim: format!(
                "If every script here is unsatisfiable, then no execution from the program's start takes one of the edges {:?}, \
                 under the assumptions that the report lists",
                violations.iter().map(|edge| edge.0).collect::<Vec<_>>()
            ),
            properties,
            arith: match self.certificate.arith {
                Arith::Machine => "machine",
                Arith::Ideal => "ideal",
            }
            .to_string(),
            violations: violations.iter().map(|edge| edge.0).collect(),
            points: self.points.clone(),
            blocks: self.blocks.clone(),
            obligations: self.entries.clone(),
            operators: operators.collect(),
            functions: self.functions.iter().map(function).collect(),
            edges,
            contracts: self.contract_entries(),
            locals: self.locals(),
        };
        assert_eq!(covers(&manifest), Ok(()), "the blocks cover the program");
        Obligations {
            manifest,
            scripts: self.scripts,
        }
    }
}

/// An update as the manifest has it.
fn update_entry(pool: &TermPool, atom: TermId) -> UpdateEntry {
    let Term::Update {
        new,
        old,
        lo,
        hi,
        source,
    } = *pool.term(atom)
    else {
        unreachable!("only updates are replaced")
    };
    let name = |symbol: Symbol| format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_"));
    UpdateEntry {
        new: name(new),
        old: name(old),
        low: elements::barred(pool, lo),
        high: elements::barred(pool, hi),
        source: match source {
            UpdateSource::Const(value) => SourceEntry::Value(elements::barred(pool, value)),
            UpdateSource::Havoc => SourceEntry::Any,
            UpdateSource::Copy { from, shift } => SourceEntry::Copy {
                from: name(from),
                shift: elements::barred(pool, shift),
            },
        },
    }
}

/// The goal that variables are in their ranges.
fn ranged(pool: &mut TermPool, ranges: &[(SymbolId, TermId)]) -> Goal {
    let formulas: Vec<TermId> = ranges.iter().map(|range| range.1).collect();
    Goal {
        formula: pool.and(&formulas),
        ranges: ranges.to_vec(),
    }
}

fn name_of(point: usize) -> String {
    format!("P{point}")
}

fn contract_name(contract: usize) -> String {
    format!("C{contract}")
}

/// Whether there are applications of non-linear operators.
fn has_operators(pool: &TermPool, formulas: &[TermId]) -> bool {
    let is_operator = |term: &TermId| match pool.term(*term) {
        Term::App(symbol, _) => pool.name(symbol.name).starts_with("__"),
        _ => false,
    };
    pool.sub_terms(formulas).iter().any(is_operator)
}

impl About {
    /// The consequence of an unsatisfiable script.
    fn text(&self) -> String {
        let (from, to) = (name_of(self.from), self.to.map(name_of));
        let mut text = match (self.kind, to) {
            (Kind::Consecution, Some(to)) => {
                format!("every path from {from} to {to} leads from the claim at {from} to the claim at {to}")
            }
            (Kind::Ranges, Some(to)) => {
                format!("every path from {from} to {to} leaves values in the ranges of their types")
            }
            (Kind::Precondition, Some(to)) => {
                format!(
                    "the claim at {from} implies the claim at {to}, where the contract of the called function begins"
                )
            }
            (_, None) if self.path.is_some() => {
                let path = self.path.map_or(0, |path| path + 1);
                format!("no execution leaves path {path} where none of the others goes on")
            }
            (Kind::Exclusion, _) => format!("no path from the claim at {from} leads to a point without claim"),
            _ => format!("no path from the claim at {from} to the next points violates a property"),
        };
        if let Some(cases) = &self.cases {
            write!(text, " (cases {} to {} of it)", cases.start + 1, cases.end).expect("writing to a string");
        }
        if let (Some(conjuncts), Some(to)) = (&self.conjuncts, self.to) {
            let (number, to) = (conjuncts.end, name_of(to));
            write!(text, " (conjunct {number} of what is claimed at {to})").expect("writing to a string");
        }
        text
    }
}

/// A formula over symbols without version at versions.
fn at_versions(pool: &mut TermPool, formula: TermId, version: &mut dyn FnMut(Symbol) -> u32) -> TermId {
    pool.map_symbols(formula, &mut |symbol| Symbol {
        index: version(symbol),
        ..symbol
    })
}

/// The formula that a variable is in the range of its type.
fn in_range(encoder: &Encoder<'_>, pool: &mut TermPool, symbol: Symbol) -> Option<TermId> {
    let (low, high) = encoder.symbol_range(pool.name(symbol.name))?;
    let var = pool.int_var(symbol.name, symbol.index);
    let (low, high) = (pool.int(low), pool.int(high));
    let bounds = [pool.le(low, var), pool.le(var, high)];
    Some(pool.and(&bounds))
}

/// The text of a script.
fn script(pool: &TermPool, claim: &str, parts: &[PartOf], replaced: &Replaced) -> String {
    let instances = replaced.instances.iter().map(|instance| instance.formula);
    let all: Vec<TermId> = parts.iter().map(|part| part.1).chain(instances.clone()).collect();
    let mut functions: BTreeMap<String, usize> = BTreeMap::new();
    let (mut variables, mut booleans) = (BTreeSet::new(), BTreeSet::new());
    for term in pool.sub_terms(&all) {
        let text = |symbol: Symbol| {
            if symbol.index == NO_INDEX {
                quote_symbol(pool.name(symbol.name))
            } else {
                format!("|{}|", pool.symbol_text(symbol).replace(['|', '\\'], "_"))
            }
        };
        match pool.term(term) {
            Term::IntVar(symbol) => drop(variables.insert(text(*symbol))),
            Term::BoolVar(symbol) => drop(booleans.insert(text(*symbol))),
            Term::App(symbol, arguments) => drop(functions.insert(text(*symbol), arguments.len())),
            _ => {}
        }
    }
    let logic = if functions.is_empty() { "QF_LIA" } else { "QF_UFLIA" };
    let mut out = format!("; If this is unsatisfiable, then {claim}.\n(set-logic {logic})\n(set-info :status unsat)\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for name in variables {
        line(format!("(declare-fun {name} () Int)"));
    }
    for name in booleans {
        line(format!("(declare-fun {name} () Bool)"));
    }
    for (name, arity) in functions {
        line(format!(
            "(declare-fun {name} ({}) Int)",
            ["Int"].repeat(arity).join(" ")
        ));
    }
    for &(role, formula) in parts {
        let mut text = format!("; {}\n", role.text());
        write!(text, "(assert {})", pool.to_smtlib(formula)).expect("writing to a string");
        line(text);
    }
    if !replaced.instances.is_empty() {
        line("; what updates of memory say at some addresses".to_string());
    }
    for instance in instances {
        line(format!("(assert {})", pool.to_smtlib(instance)));
    }
    line("(check-sat)".to_string());
    out
}
