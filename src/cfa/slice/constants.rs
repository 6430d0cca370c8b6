//! Constant propagation: variables with only one value, and the branches that they decide.
//!
//! Not sensitive to the order of operations and to contexts, but across calls (the first half of Callahan, Cooper, Kennedy and Torczon, *Interprocedural
//! constant propagation*, 1986): a plain integer variable is a constant if everything that is assigned to it, passed for it, or returned into it has
//! one value. It is optimistic: a variable has no value until one arrives, so that constants may depend on each other in cycles. Drivers are full of
//! flags of a configuration that nothing sets.
//!
//! Reads of constants become constants, and conditions that are decided by that vanish with what they cut off. Assignments stay: traces
//! still show them. Every edge that is left keeps its place in the source, and the result maps the edges of the program to the new ones.
//!
//! A variable that may be read before anything is assigned to it has any value, so it is no constant.

use crate::cfa::analysis::graph;
use crate::cfa::analysis::indeterminate::Indeterminate;
use crate::cfa::analysis::relevance;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::cfa::raw::RawNode;
use crate::cfa::raw::contract::contract;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;

/// A program with constants in place of variables that have one value.
#[derive(Debug)]
pub struct Propagated {
    /// The program.
    pub program: Program,
    /// The new edge for each edge, by position; `None` if no execution takes it, or it does nothing.
    pub edges: Vec<Option<EdgeId>>,
    /// How many variables are constants.
    pub constants: usize,
    /// How many conditions are decided.
    pub decided: usize,
}

/// The knowledge about a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    /// Nothing was assigned yet.
    Nothing,
    Value(Int),
    Anything,
}

/// Propagates constants. Edges that `keep` names stay edges, provided that they are taken at all. Linear but for chains of constants that depend on each other.
pub fn propagate(program: Program, keep: &[EdgeId]) -> Propagated {
    let constants = constants(&program);
    let program = with_constants(program, &constants);
    let mut decided = 0;
    let mut edges: Vec<Edge> = Vec::with_capacity(program.edges.len());
    let mut origin: Vec<EdgeId> = Vec::with_capacity(program.edges.len());
    for id in program.edge_ids() {
        let mut edge = program.edge(id).clone();
        if let Op::Assume { cond, truth } = &edge.op
            && let Some(value) = cond.as_const()
            && !keep.contains(&id)
        {
            decided += 1;
            if value.is_zero() == *truth {
                continue;
            }
            edge.op = Op::Nop;
        }
        edges.push(edge);
        origin.push(id);
    }
    let before = program.edges.len();
    if decided == 0 {
        let mut program = program;
        program.edges = edges;
        return Propagated {
            edges: program.edge_ids().map(Some).collect(),
            program,
            constants: constants.len(),
            decided,
        };
    }
    let mut program = program;
    let raw = program.nodes.iter().map(|node| RawNode {
        func: node.func,
        loc: node.loc,
        label: node.label.clone(),
        is_loop: node.loop_head,
    });
    let nodes = raw.collect();
    program.nodes.clear();
    program.edges.clear();
    let new_ids = contract(&mut program, nodes, edges);
    let mut map = vec![None; before];
    for (origin, new) in origin.into_iter().zip(new_ids) {
        map[origin.index()] = new;
    }
    graph::annotate_nodes(&mut program);
    graph::annotate_recursion(&mut program);
    relevance::annotate(&mut program);
    Propagated {
        program,
        edges: map,
        constants: constants.len(),
        decided,
    }
}

/// The program with constants in place of some variables that have one value. Its graph stays as it is, with conditions that are decided.
pub fn with_constants(mut program: Program, constants: &FxHashMap<VarId, Int>) -> Program {
    if !constants.is_empty() {
        for id in program.edge_ids() {
            let mut op = std::mem::replace(&mut program.edges[id.index()].op, Op::Nop);
            substitute(&program, constants, &mut op);
            program.edges[id.index()].op = op;
        }
    }
    program
}

/// The variables that have one value, with it.
pub fn constants(program: &Program) -> FxHashMap<VarId, Int> {
    let mut lattice = Lattice::new(program);
    lattice.solve();
    let known = program.var_ids().zip(lattice.known);
    known
        .filter_map(|(var, known)| match known {
            Known::Value(value) => Some((var, value)),
            _ => None,
        })
        .collect()
}

/// A value that flows into a variable.
enum Flow<'p> {
    Value(&'p Expr),
    Variable(VarId),
    Zero,
}

struct Lattice<'p> {
    program: &'p Program,
    known: Vec<Known>,
    flows: Vec<(VarId, Flow<'p>)>,
    /// The flows that read a variable.
    readers: Vec<Vec<usize>>,
}

impl<'p> Lattice<'p> {
    fn new(program: &'p Program) -> Lattice<'p> {
        let is_integer =
            |v: &Variable| !v.in_memory && v.kind != VarKind::Woven && program.types.integer(v.ty).is_some();
        let start = |v: &Variable| if is_integer(v) { Known::Nothing } else { Known::Anything };
        let mut lattice = Lattice {
            program,
            known: program.vars.iter().map(start).collect(),
            flows: Vec::new(),
            readers: vec![Vec::new(); program.vars.len()],
        };
        for tracked in &program.tracked {
            lattice.known[tracked.var.index()] = Known::Anything;
        }
        let mut indeterminate = Indeterminate::new(program, &|node| program.node(node).func);
        for (i, edge) in program.edges.iter().enumerate() {
            lattice.operation(i, &edge.op, &mut indeterminate);
        }
        lattice.find_unassigned(&mut indeterminate);
        for (i, (_, flow)) in lattice.flows.iter().enumerate() {
            match flow {
                Flow::Value(e) => expr::walk(e, &mut |part| {
                    if let ExprKind::Load(place) = &part.kind
                        && let Some(var) = place.as_whole_var()
                    {
                        lattice.readers[var.index()].push(i);
                    }
                }),
                Flow::Variable(var) => lattice.readers[var.index()].push(i),
                Flow::Zero => {}
            }
        }
        lattice
    }

    /// Finds variables with a value that no operation assigns: variables that another file defines, locals whose declaration a jump passes.
    fn find_unassigned(&mut self, indeterminate: &mut Indeterminate<'_>) {
        let mut assigned = vec![false; self.known.len()];
        for (var, _) in &self.flows {
            assigned[var.index()] = true;
        }
        for id in self.program.var_ids() {
            let variable = self.program.var(id);
            let unassigned = match (variable.kind, variable.func) {
                _ if self.known[id.index()] == Known::Anything => false,
                (VarKind::Local, Some(func)) => indeterminate.is_read_from(self.program.function(func).entry, id),
                (VarKind::Param | VarKind::Return | VarKind::Temp, Some(_)) => false,
                _ => !assigned[id.index()],
            };
            if unassigned {
                self.known[id.index()] = Known::Anything;
            }
        }
    }

    fn lose(&mut self, place: &Place) {
        if let PlaceBase::Var(v) = place.base {
            self.known[v.index()] = Known::Anything;
        }
    }

    fn flow(&mut self, place: &Place, flow: Flow<'p>) {
        match place.as_whole_var() {
            Some(var) if self.known[var.index()] != Known::Anything => self.flows.push((var, flow)),
            Some(_) => {}
            None => self.lose(place),
        }
    }

    fn operation(&mut self, at: usize, op: &'p Op, indeterminate: &mut Indeterminate<'_>) {
        match op {
            Op::Assign { lhs, rhs } => self.flow(lhs, Flow::Value(rhs)),
            Op::Zero { place } => self.flow(place, Flow::Zero),
            Op::Havoc {
                place,
                source: Input::Uninitialised,
            } if place
                .as_whole_var()
                .is_some_and(|v| self.known[v.index()] != Known::Anything && !indeterminate.is_read(at, v)) => {}
            Op::Havoc { place, .. } | Op::Allocate { lhs: place, .. } | Op::Inspect { lhs: place, .. } => {
                self.lose(place)
            }
            Op::External { ret, .. } => ret.iter().for_each(|place| self.lose(place)),
            Op::Asm { outputs, .. } => outputs.iter().for_each(|place| self.lose(place)),
            Op::Call { func, args, ret } => {
                let function = self.program.function(*func);
                for (&param, arg) in function.params.iter().zip(args) {
                    let place = Place::var(param, self.program.var(param).ty);
                    self.flow(&place, Flow::Value(arg));
                }
                if let Some(place) = ret {
                    match function.ret {
                        Some(result) if self.program.var(result).ty == place.ty => {
                            self.flow(place, Flow::Variable(result));
                        }
                        _ => self.lose(place),
                    }
                }
            }
            Op::Nop | Op::Label(_) | Op::Bypass(_) | Op::Assume { .. } | Op::Free { .. } => {}
            // Plain variables are out of their reach.
            Op::MemSet { .. } | Op::MemCopy { .. } | Op::Mark { .. } => {}
        }
    }

    fn solve(&mut self) {
        let mut work: Vec<usize> = (0..self.flows.len()).rev().collect();
        while let Some(i) = work.pop() {
            let (var, flow) = &self.flows[i];
            let var = *var;
            let new = match flow {
                Flow::Zero => Known::Value(Int::ZERO),
                Flow::Variable(from) => self.known[from.index()].clone(),
                Flow::Value(e) => self.value(e),
            };
            let joined = match (&self.known[var.index()], new) {
                (_, Known::Nothing) | (Known::Anything, _) => continue,
                (Known::Nothing, new) => new,
                (Known::Value(old), Known::Value(new)) if *old == new => continue,
                _ => Known::Anything,
            };
            self.known[var.index()] = joined;
            work.extend(&self.readers[var.index()]);
        }
    }

    fn value(&self, e: &Expr) -> Known {
        let mut nothing = false;
        let folded = fold(self.program, e, &mut |var| match &self.known[var.index()] {
            Known::Value(value) => Some(value.clone()),
            Known::Nothing => {
                nothing = true;
                None
            }
            Known::Anything => None,
        });
        match folded.as_const() {
            Some(value) => Known::Value(value.clone()),
            None if nothing => Known::Nothing,
            None => Known::Anything,
        }
    }
}

/// The expression with the values of variables.
fn fold(program: &Program, e: &Expr, value: &mut dyn FnMut(VarId) -> Option<Int>) -> Expr {
    let types = &program.types;
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => e.clone(),
        ExprKind::Load(place) => match place.as_whole_var().and_then(&mut *value) {
            Some(known) => Expr::int(known, e.ty),
            None => Expr {
                ty: e.ty,
                kind: ExprKind::Load(fold_place(program, place, value)),
            },
        },
        ExprKind::AddrOf(place) => Expr {
            ty: e.ty,
            kind: ExprKind::AddrOf(fold_place(program, place, value)),
        },
        ExprKind::Unary(op, x) => {
            let x = fold(program, x, value);
            expr::unary(types, *op, x)
        }
        ExprKind::Cast(x) => {
            let x = fold(program, x, value);
            expr::cast(types, x, e.ty)
        }
        ExprKind::Binary(op, x, y) => {
            let (x, y) = (fold(program, x, value), fold(program, y, value));
            expr::binary(types, *op, x, y, e.ty)
        }
        ExprKind::Math(op, operands) => {
            let operands = operands.iter().map(|x| fold(program, x, value)).collect();
            expr::math(types, *op, operands, e.ty)
        }
    }
}

fn fold_place(program: &Program, place: &Place, value: &mut dyn FnMut(VarId) -> Option<Int>) -> Place {
    let mut place = place.clone();
    if let PlaceBase::Deref(pointer) = &mut place.base {
        **pointer = fold(program, pointer, value);
    }
    for step in &mut place.proj {
        if let Proj::Index(index) = step {
            **index = fold(program, index, value);
        }
    }
    place
}

fn substitute(program: &Program, constants: &FxHashMap<VarId, Int>, op: &mut Op) {
    let value = &mut |var: VarId| constants.get(&var).cloned();
    let exprs = |e: &mut Expr, value: &mut dyn FnMut(VarId) -> Option<Int>| {
        let mut reads = false;
        expr::walk(e, &mut |part| {
            reads |=
                matches!(&part.kind, ExprKind::Load(p) if p.as_whole_var().is_some_and(|v| constants.contains_key(&v)));
        });
        if reads {
            *e = fold(program, e, value);
        }
    };
    let places =
        |place: &mut Place, value: &mut dyn FnMut(VarId) -> Option<Int>| *place = fold_place(program, place, value);
    match op {
        Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
        Op::Assume { cond, .. } => exprs(cond, value),
        Op::Assign { lhs, rhs } => {
            places(lhs, value);
            exprs(rhs, value);
        }
        Op::Zero { place } | Op::Havoc { place, .. } => places(place, value),
        Op::Call { args, ret, .. } | Op::External { args, ret, .. } => {
            args.iter_mut().for_each(|e| exprs(e, value));
            ret.iter_mut().for_each(|p| places(p, value));
        }
        Op::Allocate { lhs, size, .. } => {
            places(lhs, value);
            exprs(size, value);
        }
        Op::Inspect { lhs, question } => {
            places(lhs, value);
            question.values_mut().for_each(|e| exprs(e, value));
        }
        Op::Free { ptr, .. } => exprs(ptr, value),
        Op::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(|e| exprs(e, value)),
        Op::MemCopy { dst, src, len } => [dst, src, len].into_iter().for_each(|e| exprs(e, value)),
        Op::Mark { ptr, len, written } => [ptr, written].into_iter().chain(len).for_each(|e| exprs(e, value)),
        Op::Asm { outputs, .. } => outputs.iter_mut().for_each(|p| places(p, value)),
    }
}
