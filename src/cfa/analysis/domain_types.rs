//! The domain types of variables: how a program uses them, which their C types do not say.
//!
//! After Apel, Beyer, Friedberger, Raimondi and von Rhein, *Domain types: abstract-domain selection based on variable usage*, HVC 2013. A C program declares
//! `int` even for what is only true or false. So the classes, from the fewest values to the most, are: *boolean* (the values 0 and 1, or only compared with 0), *equality* (only copied and
//! compared for equality), *arithmetic* (ordered, computed with), and *bits* (operands of operators on bits, or seen as single bytes). A variable that is copied to another one or compared
//! with it has the greater class of both: classes are those of the sets of variables that copies and equations connect.
//!
//! Two marks stand beside the class. A *loop counter* is a variable with `x = x + c` or `x = x - c` on an edge inside a loop, as in Beyer, Löwe and Wendler, *Refinement selection*, SPIN 2015.
//! An *exit condition* is a variable that an assumption reads where a loop may be left.
//!
//! The analysis does not depend on the flow of control and looks at each operation once. It classifies *cells*: a scalar of a plain variable is one, and all memory of a region is one, since formulas
//! and refinements tell no more apart. How memory is divided is the caller's affair ([`Cells`]).
//!
//! An input of any value does not raise a class: if it is only ever compared with 0, it has two values that matter.

use super::graph::loop_body;
use crate::cfa::program::expr::walk;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;

/// The names of the cells that hold a program's scalars. Cells are numbers below [`count`](Cells::count).
pub trait Cells {
    /// The number of cells.
    fn count(&self) -> usize;
    /// The name of a cell, as formulas have it.
    fn name(&self, cell: usize) -> String;
    /// Whether the cell holds single bytes of scalars.
    fn is_byte(&self, cell: usize) -> bool;
    /// Adds the cells of the scalars of a place, in order of declaration: two places of one type give lists of one length. `None` stands for a scalar that
    /// has no cell.
    fn of_place(&self, place: &Place, found: &mut Vec<Option<usize>>);
    /// Adds the cells that an operation on `len` bytes behind the pointers concerns.
    fn of_bytes(&self, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>);
}

/// How a program uses the values of a cell, from the fewest values that matter to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Usage {
    /// Only 0 and 1, or only whether it is 0.
    Boolean,
    /// Copied, and compared for equality only.
    Equality,
    /// Compared by order, or computed with.
    Arithmetic,
    /// Operand of an operator on bits, or seen as single bytes.
    Bits,
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Usage::Boolean => "boolean",
            Usage::Equality => "equality",
            Usage::Arithmetic => "arithmetic",
            Usage::Bits => "bits",
        })
    }
}

/// The domain type of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DomainType {
    /// How the program uses its values.
    pub usage: Usage,
    /// Whether an edge inside a loop changes it by a constant.
    pub loop_counter: bool,
    /// Whether an assumption reads it where a loop may be left.
    pub exit_condition: bool,
}

impl fmt::Display for DomainType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counter = if self.loop_counter { ", loop counter" } else { "" };
        let exit = if self.exit_condition { ", exit condition" } else { "" };
        write!(f, "{}{counter}{exit}", self.usage)
    }
}

/// The domain-type score of a set of variables: few values that matter give a low score.
///
/// It is the product of 2 for each boolean variable, 4 for each that is only compared for equality, and 16 for each other one. A loop counter makes it the maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub u64);

impl Score {
    /// The score of a set with a loop counter, and of sets whose product is no smaller.
    pub const MAX: Score = Score(u64::MAX);
    /// The score of the empty set.
    pub const LEAST: Score = Score(1);
}

/// The domain types of a program's cells.
#[derive(Debug, Clone, Default)]
pub struct DomainTypes {
    /// The cells that occur in the program, in the order of their numbers.
    types: Vec<(String, DomainType)>,
    by_name: FxHashMap<String, usize>,
}

impl DomainTypes {
    /// The domain types of a program whose memory is divided in this way.
    pub fn new(program: &Program, cells: &dyn Cells) -> DomainTypes {
        let mut uses = Uses::new(program, cells);
        for edge in &program.edges {
            uses.operation(&edge.op);
        }
        let exits = uses.exit_conditions();
        let counters = uses.counters();
        let mut found = DomainTypes::default();
        let occurs = std::mem::take(&mut uses.occurs);
        for cell in occurs.iter_ones() {
            let root = uses.root(cell);
            let usage = if cells.is_byte(cell) {
                Usage::Bits
            } else {
                uses.usage[root]
            };
            let domain_type = DomainType {
                usage,
                loop_counter: counters[cell],
                exit_condition: exits[cell],
            };
            let name = cells.name(cell);
            found.by_name.insert(name.clone(), found.types.len());
            found.types.push((name, domain_type));
        }
        found
    }

    /// The cells that occur in the program with their types, in a stable order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, DomainType)> {
        self.types.iter().map(|(name, ty)| (name.as_str(), *ty))
    }

    /// The position of a cell in the list. All instances of a variable in the frames of a recursive function (`x#1`) are the variable.
    fn position(&self, name: &str) -> Option<usize> {
        let of_frame = || name.rsplit_once('#').and_then(|(name, _)| self.by_name.get(name));
        self.by_name.get(name).or_else(of_frame).copied()
    }

    /// The type of a cell by its name, in any frame.
    pub fn get(&self, name: &str) -> Option<DomainType> {
        Some(self.types[self.position(name)?].1)
    }

    /// The score of a set of variables. The instances of a variable in several frames count as one. A name that no operation of the program mentions counts as arithmetic.
    pub fn score<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Score {
        let mut counted: BTreeSet<usize> = BTreeSet::new();
        names.into_iter().fold(Score::LEAST, |score, name| {
            let position = self.position(name);
            if position.is_some_and(|position| !counted.insert(position)) {
                return score;
            }
            let factor = match position.map(|position| self.types[position].1) {
                Some(ty) if ty.loop_counter => return Score::MAX,
                Some(ty) if ty.usage == Usage::Boolean => 2,
                Some(ty) if ty.usage == Usage::Equality => 4,
                _ => 16,
            };
            Score(score.0.saturating_mul(factor))
        })
    }
}

/// The variables that an edge inside a loop changes by a constant as a whole, in order, without duplicates.
pub fn loop_counters(program: &Program) -> Vec<VarId> {
    let mut found: Vec<VarId> = Vec::new();
    steps_in_loops(program, &mut |place| found.extend(place.as_whole_var()));
    found.sort_unstable();
    found.dedup();
    found
}

/// Calls `f` for every place that an edge inside a loop changes by a constant.
fn steps_in_loops(program: &Program, f: &mut dyn FnMut(&Place)) {
    let mut inside: BitVec = BitVec::repeat(false, program.nodes.len());
    for head in program.node_ids().filter(|&n| program.node(n).loop_head) {
        let body = loop_body(program, head);
        body.iter().for_each(|node| inside.set(node.index(), true));
        for &node in &body {
            for &edge in &program.node(node).outgoing {
                let edge = program.edge(edge);
                if inside[edge.to.index()] {
                    stepped(&edge.op).into_iter().for_each(&mut *f);
                }
            }
        }
        body.iter().for_each(|node| inside.set(node.index(), false));
    }
}

/// The place that an operation changes by a constant.
fn stepped(op: &Op) -> Option<&Place> {
    let Op::Assign { lhs, rhs } = op else { return None };
    let is_itself = |e: &Expr| matches!(&without_casts(e).kind, ExprKind::Load(place) if place == lhs);
    let is_constant = |e: &Expr| without_casts(e).as_const().is_some();
    let ExprKind::Binary(op, left, right) = &without_casts(rhs).kind else {
        return None;
    };
    let steps = match op {
        BinOp::Add => is_itself(left) && is_constant(right) || is_constant(left) && is_itself(right),
        BinOp::Sub => is_itself(left) && is_constant(right),
        _ => false,
    };
    steps.then_some(lhs)
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => expr,
    }
}

/// A value as the analysis sees it: the cells that it may be a copy of, and the least class of what it may be besides.
struct Value {
    cells: Vec<usize>,
    usage: Usage,
}

impl Value {
    fn of_usage(usage: Usage) -> Value {
        Value {
            cells: Vec::new(),
            usage,
        }
    }
}

/// The uses of cells, with union-find over the cells that copies and equations connect.
struct Uses<'a> {
    program: &'a Program,
    cells: &'a dyn Cells,
    parent: Vec<usize>,
    /// The class of a set of cells, at its root.
    usage: Vec<Usage>,
    /// The cells that the program mentions.
    occurs: BitVec,
}

impl<'a> Uses<'a> {
    fn new(program: &'a Program, cells: &'a dyn Cells) -> Uses<'a> {
        Uses {
            program,
            cells,
            parent: (0..cells.count()).collect(),
            usage: vec![Usage::Boolean; cells.count()],
            occurs: BitVec::repeat(false, cells.count()),
        }
    }

    fn root(&mut self, mut cell: usize) -> usize {
        while self.parent[cell] != cell {
            self.parent[cell] = self.parent[self.parent[cell]];
            cell = self.parent[cell];
        }
        cell
    }

    fn raise(&mut self, cells: &[usize], usage: Usage) {
        for &cell in cells {
            let root = self.root(cell);
            self.usage[root] = self.usage[root].max(usage);
        }
    }

    fn connect(&mut self, cells: &[usize]) {
        for pair in cells.windows(2) {
            let (a, b) = (self.root(pair[0]), self.root(pair[1]));
            let usage = self.usage[a].max(self.usage[b]);
            self.parent[a.max(b)] = a.min(b);
            self.usage[a.min(b)] = usage;
        }
    }

    /// The cells of a place. The addresses in it are used.
    fn place(&mut self, place: &Place) -> Vec<Option<usize>> {
        if let PlaceBase::Deref(pointer) = &place.base {
            // To follow a pointer is not to compute with it.
            let pointer = self.value(pointer);
            self.raise(&pointer.cells, Usage::Equality);
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.used(index, Usage::Arithmetic);
            }
        }
        let mut found = Vec::new();
        self.cells.of_place(place, &mut found);
        found.iter().flatten().for_each(|&cell| self.occurs.set(cell, true));
        found
    }

    fn scalars(&mut self, place: &Place) -> Vec<usize> {
        self.place(place).into_iter().flatten().collect()
    }

    /// A value is used as one of this class.
    fn used(&mut self, expr: &Expr, usage: Usage) {
        let value = self.value(expr);
        self.raise(&value.cells, usage);
    }

    fn value(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Const(value) if value.is_zero() || value.is_one() => Value::of_usage(Usage::Boolean),
            ExprKind::Const(_) | ExprKind::FuncAddr(_) => Value::of_usage(Usage::Equality),
            ExprKind::Float(_) => Value::of_usage(Usage::Arithmetic),
            ExprKind::AddrOf(place) => {
                self.place(place);
                Value::of_usage(Usage::Equality)
            }
            ExprKind::Load(place) => Value {
                cells: self.scalars(place),
                usage: Usage::Boolean,
            },
            ExprKind::Cast(inner) => {
                let value = self.value(inner);
                if self.program.types.is_float(expr.ty) || self.program.types.is_float(inner.ty) {
                    self.raise(&value.cells, Usage::Arithmetic);
                    return Value::of_usage(Usage::Arithmetic);
                }
                // A conversion to a truth value only asks whether it is 0.
                if self.is_truth(expr) {
                    return Value::of_usage(Usage::Boolean);
                }
                value
            }
            ExprKind::Unary(UnOp::LogNot, inner) => {
                self.value(inner);
                Value::of_usage(Usage::Boolean)
            }
            ExprKind::Unary(UnOp::Neg, inner) => {
                self.used(inner, Usage::Arithmetic);
                Value::of_usage(Usage::Arithmetic)
            }
            ExprKind::Unary(UnOp::BitNot, inner) => {
                self.used(inner, Usage::Bits);
                Value::of_usage(Usage::Bits)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Math(_, operands) => {
                operands
                    .iter()
                    .for_each(|operand| self.used(operand, Usage::Arithmetic));
                Value::of_usage(Usage::Arithmetic)
            }
        }
    }

    fn is_truth(&self, expr: &Expr) -> bool {
        let info = self.program.types.integer(expr.ty);
        info.is_some_and(|info| info.width == 1 && !info.signed)
    }

    fn binary(&mut self, op: BinOp, left: &Expr, right: &Expr) -> Value {
        use BinOp::*;
        let usage = match op {
            Eq | Ne => {
                let (left, right) = (self.value(left), self.value(right));
                self.same(left, right);
                return Value::of_usage(Usage::Boolean);
            }
            Lt | Le | Gt | Ge | Add | Sub | Mul | Div | Rem => Usage::Arithmetic,
            And | Or | Xor | Shl | Shr => Usage::Bits,
        };
        self.used(left, usage);
        self.used(right, usage);
        Value::of_usage(if op.is_comparison() { Usage::Boolean } else { usage })
    }

    /// Two values are compared for equality, or one is copied to the other.
    fn same(&mut self, left: Value, right: Value) {
        let usage = left.usage.max(right.usage);
        let mut cells = left.cells;
        cells.extend(right.cells);
        self.connect(&cells);
        self.raise(&cells, usage);
    }

    fn copied(&mut self, to: &Place, value: &Expr) {
        if let ExprKind::Load(from) = &value.kind
            && self.program.types.as_record(value.ty).is_some()
        {
            let (to, from) = (self.place(to), self.place(from));
            for (to, from) in to.into_iter().zip(from) {
                let pair: Vec<usize> = to.into_iter().chain(from).collect();
                self.connect(&pair);
            }
            return;
        }
        let value = self.value(value);
        let to = Value {
            cells: self.scalars(to),
            usage: Usage::Boolean,
        };
        self.same(to, value);
    }

    fn bytes(&mut self, pointers: &[&Expr], len: &Expr) -> Vec<usize> {
        pointers.iter().for_each(|pointer| self.used(pointer, Usage::Equality));
        self.used(len, Usage::Arithmetic);
        let mut found = Vec::new();
        self.cells.of_bytes(pointers, len, &mut found);
        found.iter().for_each(|&cell| self.occurs.set(cell, true));
        found
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, .. } => {
                self.value(cond);
            }
            Op::Assign { lhs, rhs } => self.copied(lhs, rhs),
            Op::Zero { place } | Op::Havoc { place, .. } => {
                self.place(place);
            }
            Op::Call { func, args, ret } => {
                let function = self.program.function(*func);
                for (&param, arg) in function.params.iter().zip(args) {
                    self.copied(&Place::var(param, self.program.var(param).ty), arg);
                }
                if let (Some(to), Some(from)) = (ret, function.ret) {
                    self.copied(to, &Expr::load(Place::var(from, self.program.var(from).ty)));
                }
            }
            Op::Allocate { lhs, size, .. } => {
                self.used(size, Usage::Arithmetic);
                let cells = self.scalars(lhs);
                self.raise(&cells, Usage::Equality);
            }
            Op::Inspect { lhs, question } => {
                question.values().for_each(|e| self.used(e, Usage::Equality));
                let usage = match question {
                    Inspection::Size(_) => Usage::Arithmetic,
                    _ => Usage::Boolean,
                };
                let cells = self.scalars(lhs);
                self.raise(&cells, usage);
            }
            Op::Mark { ptr, len, written } => {
                let values = [ptr, written].into_iter().chain(len);
                values.for_each(|e| self.used(e, Usage::Equality));
            }
            Op::MemSet { dst, byte, len } => {
                let cells = self.bytes(&[dst], len);
                if byte.as_const().is_none_or(|byte| !byte.is_zero()) {
                    self.raise(&cells, Usage::Bits);
                    self.used(byte, Usage::Bits);
                }
            }
            Op::MemCopy { dst, src, len } => {
                self.bytes(&[dst, src], len);
            }
            Op::External { .. } | Op::Free { .. } | Op::Asm { .. } => visit_parts(op, &mut |part| match part {
                Part::Value(value) => self.used(value, Usage::Boolean),
                Part::Written(place) => {
                    self.place(place);
                }
            }),
        }
    }

    fn counters(&self) -> BitVec {
        let mut counters = BitVec::repeat(false, self.cells.count());
        steps_in_loops(self.program, &mut |place| {
            let mut found = Vec::new();
            self.cells.of_place(place, &mut found);
            found.into_iter().flatten().for_each(|cell| counters.set(cell, true));
        });
        counters
    }

    /// The cells that an assumption reads at a node inside of a loop that an edge leaves the loop from.
    fn exit_conditions(&self) -> BitVec {
        let program = self.program;
        let mut exits = BitVec::repeat(false, self.cells.count());
        let mut inside: BitVec = BitVec::repeat(false, program.nodes.len());
        for head in program.node_ids().filter(|&n| program.node(n).loop_head) {
            let body = loop_body(program, head);
            body.iter().for_each(|node| inside.set(node.index(), true));
            for &node in &body {
                let outgoing = program.node(node).outgoing.iter().map(|&e| program.edge(e));
                if outgoing.clone().all(|edge| inside[edge.to.index()]) {
                    continue;
                }
                for edge in outgoing {
                    if let Op::Assume { cond, .. } = &edge.op {
                        self.reads(cond, &mut exits);
                    }
                }
            }
            body.iter().for_each(|node| inside.set(node.index(), false));
        }
        exits
    }

    fn reads(&self, expr: &Expr, found: &mut BitVec) {
        walk(expr, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                let mut cells = Vec::new();
                self.cells.of_place(place, &mut cells);
                cells.into_iter().flatten().for_each(|cell| found.set(cell, true));
            }
        });
    }
}
