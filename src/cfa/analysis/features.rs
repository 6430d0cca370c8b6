//! The 25 features of a program by which a metric of distances is selected (Table 4.1 and section 7.2 of Lee's thesis on TOUR, 2022).
//!
//! Four numbers per function (locations, edges, loops, calls) give a sum, a maximum, a mean and a deviation each; so does the cyclomatic complexity. The functions are those that the program defines: neither the
//! synthetic start nor the C library that Provident brings along.
//!
//! | number of a function | is |
//! |---|---|
//! | locations | its nodes. The end of a call that never comes back is none |
//! | edges | its edges between these locations; a call is one edge |
//! | loops | its loop heads |
//! | calls | its calls of functions that have a body |
//! | complexity | edges − locations + 2 (McCabe) |
//!
//! `EDGES` counts a call twice: into the function and back. `FUNCS` is the number of functions, and the deviation is that of the whole population, as in the paper's example.
//!
//! Variables are those of the source: global ones, locals and parameters. A value that lowering keeps in a temporary on its way into a condition counts as read there.
//!
//! | feature | counts the variables |
//! |---|---|
//! | `VARS` | that can influence where control goes ([`relevance`](super::relevance)) |
//! | `VARSASM` | that a condition reads |
//! | `VARSLOOP` | that a condition reads where a loop may be left, or at its head |
//! | `VARSINC` | of these, that an edge inside a loop changes by a constant |
//! | `FIELDS` | the bit-fields that a condition reads, or a relevant variable is computed from |
//!
//! The paper's `VARSINC` speaks of `for` statements; which statement a loop was written as is not part of an automaton, and a counter that ends its loop is meant.

use super::distances::loop_conditions;
use super::domain_types::loop_counters;
use super::relevance::relevant_variables;
use crate::cfa::program::expr::walk;
use crate::cfa::program::visit::{Part, visit_op, visit_parts};
use crate::cfa::program::*;
use crate::frontend::types::RecordId;
use bitvec::prelude::BitVec;
use std::collections::BTreeSet;
use std::fmt;

/// The names of the features, in the order of the paper's table.
pub const NAMES: [&str; 25] = [
    "LOCS", "MXLOFN", "AVLOFN", "SDLOFN", "EDGES", "MXEGFN", "AVEGFN", "SDEGFN", "LOOPS", "MXLPFN", "AVLPFN", "SDLPFN",
    "FUNCS", "MXCALLS", "AVCALLS", "SDCALLS", "VARS", "VARSASM", "VARSLOOP", "VARSINC", "FIELDS", "MXCC", "SMCC",
    "AVCC", "SDCC",
];

/// The numbers of a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Its locations.
    pub locations: u32,
    /// Its edges.
    pub edges: u32,
    /// Its loop heads.
    pub loops: u32,
    /// Its calls of functions that have a body.
    pub calls: u32,
}

impl Counts {
    /// The cyclomatic complexity. A function that never comes back may have fewer edges than the formula expects; its complexity is 0.
    pub fn complexity(self) -> u32 {
        (self.edges + 2).saturating_sub(self.locations)
    }
}

/// The numbers of variables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Variables {
    /// Those that can influence where control goes.
    pub relevant: u32,
    /// Those that a condition reads.
    pub assumed: u32,
    /// Those that a condition of a loop reads.
    pub of_loops: u32,
    /// Those of them that count.
    pub counters: u32,
    /// Bit-fields.
    pub fields: u32,
}

/// The features of a program: a value for each of [`NAMES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features([f64; 25]);

/// Sum, maximum, mean and deviation.
fn moments(values: impl Iterator<Item = u32> + Clone) -> [f64; 4] {
    let count: f64 = values.clone().map(|_| 1.0).sum();
    let sum: f64 = values.clone().map(f64::from).sum();
    let most = values.clone().max().map_or(0.0, f64::from);
    let mean = if count > 0.0 { sum / count } else { 0.0 };
    let squares: f64 = values.map(|value| (f64::from(value) - mean).powi(2)).sum();
    let deviation = if count > 0.0 { (squares / count).sqrt() } else { 0.0 };
    [sum, most, mean, deviation]
}

impl Features {
    /// The features of a program.
    pub fn of(program: &Program) -> Features {
        Features::from_counts(&counts(program), variables(program))
    }

    /// The features for these numbers of functions and of variables.
    pub fn from_counts(functions: &[Counts], variables: Variables) -> Features {
        let of = |number: fn(&Counts) -> u32| moments(functions.iter().map(number));
        let (locations, edges, loops, calls) = (of(|f| f.locations), of(|f| f.edges), of(|f| f.loops), of(|f| f.calls));
        let complexity = of(|f| f.complexity());
        let count: f64 = functions.iter().map(|_| 1.0).sum();
        let mut all = [0.0; 25];
        all[0..4].copy_from_slice(&locations);
        all[4..8].copy_from_slice(&edges);
        // Every call goes there and comes back.
        all[4] += calls[0];
        all[8..12].copy_from_slice(&loops);
        all[12] = count;
        all[13..16].copy_from_slice(&calls[1..]);
        let numbers = [
            variables.relevant,
            variables.assumed,
            variables.of_loops,
            variables.counters,
            variables.fields,
        ];
        for (at, number) in all[16..21].iter_mut().zip(numbers) {
            *at = f64::from(number);
        }
        [all[21], all[22], all[23], all[24]] = [complexity[1], complexity[0], complexity[2], complexity[3]];
        Features(all)
    }

    /// The features with these values, in the order of [`NAMES`].
    pub fn from_values(values: [f64; 25]) -> Features {
        Features(values)
    }

    /// The values, in the order of [`NAMES`].
    pub fn values(&self) -> &[f64; 25] {
        &self.0
    }

    /// A feature by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        NAMES.iter().position(|known| *known == name).map(|at| self.0[at])
    }

    /// The features with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        NAMES.iter().copied().zip(self.0)
    }
}

impl fmt::Display for Features {
    /// A line for each feature.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(name, value)| match value.fract() == 0.0 {
            true => writeln!(f, "{name:<9}  {value}"),
            false => writeln!(f, "{name:<9}  {value:.4}"),
        })
    }
}

/// The numbers of each function that counts.
fn counts(program: &Program) -> Vec<Counts> {
    let mut all = vec![Counts::default(); program.functions.len()];
    let of = |node: NodeId| program.node(node).func.index();
    // Where a call does not come back, its edge ends nowhere.
    let is_nowhere = |id: NodeId| {
        let node = program.node(id);
        let function = program.function(node.func);
        node.outgoing.is_empty() && id != function.exit && id != function.entry
    };
    for id in program.node_ids().filter(|&id| !is_nowhere(id)) {
        let (node, numbers) = (program.node(id), &mut all[of(id)]);
        let function = program.function(node.func);
        let is_isolated = node.incoming.is_empty() && id != function.entry && id != function.exit;
        numbers.locations += u32::from(!is_isolated);
        numbers.loops += u32::from(node.loop_head && !is_isolated);
    }
    for edge in &program.edges {
        let numbers = &mut all[of(edge.from)];
        numbers.edges += u32::from(!is_nowhere(edge.to));
        numbers.calls += u32::from(matches!(edge.op, Op::Call { .. }));
    }
    let counting = program.function_ids().filter(|&id| counts_as_function(program, id));
    counting.map(|id| all[id.index()]).collect()
}

fn counts_as_function(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    function.defined && !function.library && id != program.start
}

/// Whether a variable stands in the source of the program.
fn is_written(program: &Program, id: VarId) -> bool {
    let variable = program.var(id);
    matches!(variable.kind, VarKind::Global | VarKind::Local | VarKind::Param)
        && variable.func.is_none_or(|func| counts_as_function(program, func))
}

fn variables(program: &Program) -> Variables {
    let relevant = relevant_variables(program, &[]);
    let at_loops = loop_conditions(program);
    let inside = |edge: &&Edge| counts_as_function(program, program.node(edge.from).func);
    let conditions = || {
        let conditions = program.edges.iter().filter(inside);
        conditions.filter_map(|edge| match &edge.op {
            Op::Assume { cond, .. } => Some((edge.from, cond)),
            _ => None,
        })
    };
    let assumed = read(program, conditions().map(|(_, cond)| cond));
    let looping = conditions().filter(|(from, _)| at_loops[from.index()]);
    let of_loops = read(program, looping.map(|(_, cond)| cond));
    let counters = loop_counters(program);
    let counters = counters.iter().filter(|id| of_loops[id.index()]);
    Variables {
        relevant: number(
            program
                .var_ids()
                .filter(|&id| relevant[id.index()] && is_written(program, id)),
        ),
        assumed: number(
            program
                .var_ids()
                .filter(|id| assumed[id.index()] && is_written(program, *id)),
        ),
        of_loops: number(
            program
                .var_ids()
                .filter(|id| of_loops[id.index()] && is_written(program, *id)),
        ),
        counters: number(counters.filter(|&&id| is_written(program, id))),
        fields: number(bit_fields(program, &relevant).iter()),
    }
}

fn number(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).expect("fewer than 2^32 variables")
}

/// The variables that expressions read, through temporaries.
fn read<'p>(program: &'p Program, expressions: impl Iterator<Item = &'p Expr>) -> BitVec {
    let mut found: BitVec = BitVec::repeat(false, program.vars.len());
    let mut work = Vec::new();
    let mut mark = |expr: &Expr, work: &mut Vec<VarId>| {
        walk(expr, &mut |e| {
            if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &e.kind
                && let PlaceBase::Var(var) = place.base
                && !found.replace(var.index(), true)
                && program.var(var).kind == VarKind::Temp
            {
                work.push(var);
            }
        });
    };
    expressions.for_each(|expr| mark(expr, &mut work));
    let mut written: Vec<Vec<&Expr>> = vec![Vec::new(); program.vars.len()];
    for edge in &program.edges {
        if let Op::Assign { lhs, rhs } = &edge.op
            && let Some(var) = lhs.as_whole_var()
        {
            written[var.index()].push(rhs);
        }
    }
    while let Some(temporary) = work.pop() {
        for rhs in &written[temporary.index()] {
            mark(rhs, &mut work);
        }
    }
    found
}

/// The bit-fields, by record type and position, that a condition reads or a relevant variable is computed from.
fn bit_fields(program: &Program, relevant: &BitVec) -> BTreeSet<(RecordId, u32)> {
    let mut found = BTreeSet::new();
    for edge in &program.edges {
        let counts = match &edge.op {
            Op::Assume { .. } => true,
            op => writes(op, |var| relevant[var.index()]),
        };
        if counts && counts_as_function(program, program.node(edge.from).func) {
            visit_op(&edge.op, &mut |e| {
                if let ExprKind::Load(place) = &e.kind {
                    found.extend(bit_field(place));
                }
            });
        }
    }
    found
}

/// Whether an operation writes a variable of a kind.
fn writes(op: &Op, of_kind: impl Fn(VarId) -> bool) -> bool {
    let mut found = false;
    visit_parts(op, &mut |part| {
        if let Part::Written(place) = part {
            found |= matches!(place.base, PlaceBase::Var(var) if of_kind(var));
            // Memory behind a pointer is not told apart here.
            found |= matches!(place.base, PlaceBase::Deref(_));
        }
    });
    found
}

/// The bit-field that a place is.
fn bit_field(place: &Place) -> Option<(RecordId, u32)> {
    place.bits?;
    match place.proj.last()? {
        Proj::Field { record, field } => Some((*record, *field)),
        Proj::Index(_) => None,
    }
}
