//! Checks of memory: tests before reads, accesses and releases, after what may lose an object, and where the program ends.
//!
//! Each access through a pointer, and each element of an array whose number is not constant, gets a [check](crate::cfa::program::check). Where the object is in sight, the test
//! compares the offset with the object's size; else it is a question about the objects that exist ([`Inspection`]). Objects are those of C (C11 6.2.4): variables, string literals, and
//! what was allocated; an array in a record is no object of its own.
//!
//! An access outside of every object, or a release of what is no heap object, leaves nothing that an execution could go on with, so it ends there. Other violations behind it are none.
//!
//! A heap object is *tracked* while a variable or a tracked object points into it. A lost object stays lost, so the question is asked after each operation that may overwrite or end a pointer:
//! the place of the violation is that operation. The execution goes on; an object counts as lost once.

use super::accesses::{Test, Tests, is_checked};
use super::contents::Contents;
use super::{Parts, START};
use crate::cfa::program::check::{Check, CheckKind, Checks};
use crate::cfa::program::visit::{Part, visit_op, visit_parts};
use crate::cfa::program::*;
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{Type, TypeId, Types};
use bitvec::prelude::BitVec;
use provident_smt::hash::{FxHashMap, FxHashSet};

/// Puts the checks of memory into the unfinished program.
pub(in crate::cfa) fn weave(parts: &mut Parts, checks: Checks, sources: &SourceMap) {
    let kinds = [
        CheckKind::Deref,
        CheckKind::Free,
        CheckKind::Memtrack,
        CheckKind::Memcleanup,
        CheckKind::Uninit,
    ];
    if !kinds.into_iter().any(|kind| checks.contains(kind)) {
        return;
    }
    let mut weaver = Weaver {
        parts,
        checks,
        sources,
        answers: FxHashMap::default(),
        contents: None,
    };
    if checks.contains(CheckKind::Uninit) {
        weaver.contents = Some(Contents::new(weaver.parts, sources));
    }
    weaver.separate_results();
    // The edges of the program itself, before there are others.
    let count = weaver.parts.edges.len();
    weaver.before_operations(count);
    weaver.follow_contents(count);
    let [tracks, cleans] = [CheckKind::Memtrack, CheckKind::Memcleanup].map(|kind| checks.contains(kind));
    if !(tracks || cleans) || !weaver.allocates() {
        return;
    }
    // The ends come first: they are known by the edges that lead there.
    if cleans {
        weaver.before_ends(count);
    }
    if tracks {
        weaver.after_operations(count);
        weaver.forget_temporaries(count);
        weaver.forget_results();
    }
    weaver.at_start();
}

struct Weaver<'a> {
    parts: &'a mut Parts,
    checks: Checks,
    sources: &'a SourceMap,
    /// Of each function, the variable that gets the answers.
    answers: FxHashMap<FuncId, VarId>,
    /// The variables of which is known what is written, if that is checked.
    contents: Option<Contents>,
}

impl Weaver<'_> {
    fn types(&self) -> &Types {
        &self.parts.types
    }

    fn func(&self, edge: usize) -> FuncId {
        self.parts.nodes[self.parts.edges[edge].from.index()].func
    }

    fn new_var(&mut self, func: FuncId, name: &str, ty: TypeId) -> VarId {
        let display = format!("${name}");
        let loc = self.parts.functions[func.index()].loc;
        self.parts.add_temporary(func, display, ty, loc)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, op: Op, loc: Loc) {
        self.parts.edges.push(Edge { from, to, op, loc });
    }

    // ---- before operations ---------------------------------------------------------------------------------------------

    /// A result that is written through a pointer goes into a variable first: the place is evaluated when the call has returned.
    fn separate_results(&mut self) {
        for at in 0..self.parts.edges.len() {
            let func = self.func(at);
            let place = match &self.parts.edges[at].op {
                Op::Call { ret: Some(place), .. } if is_checked(&self.parts.vars, place) => place.clone(),
                _ => continue,
            };
            let var = self.new_var(func, &format!("result{at}"), place.ty);
            let between = self.parts.add_node(func, self.parts.edges[at].loc);
            let edge = &mut self.parts.edges[at];
            let (to, loc) = (edge.to, edge.loc);
            edge.to = between;
            let kept = Place::var(var, place.ty);
            if let Op::Call { ret, .. } = &mut edge.op {
                *ret = Some(kept.clone());
            }
            let rhs = Expr::load(kept);
            self.edge(between, to, Op::Assign { lhs: place, rhs }, loc);
        }
    }

    /// Puts checks before the operations that need some. Edges that leave one node after the same tests share these.
    fn before_operations(&mut self, count: usize) {
        let mut leaving: FxHashMap<NodeId, Vec<usize>> = FxHashMap::default();
        for at in 0..count {
            leaving.entry(self.parts.edges[at].from).or_default().push(at);
        }
        for at in 0..count {
            let from = self.parts.edges[at].from;
            let Some(edges) = leaving.remove(&from) else { continue };
            let tests: Vec<Vec<(CheckKind, Test)>> = edges.iter().map(|&edge| self.tests_of(edge)).collect();
            if tests.iter().all(Vec::is_empty) {
                continue;
            }
            let shared = tests.iter().all(|list| *list == tests[0]);
            for (&edge, list) in edges.iter().zip(&tests) {
                if list.is_empty() {
                    continue;
                }
                let loc = self.parts.edges[edge].loc;
                let start = match shared {
                    true => from,
                    false => {
                        let start = self.parts.add_node(self.func(edge), loc);
                        self.edge(from, start, Op::Nop, loc);
                        start
                    }
                };
                let end = self.chain(start, list, loc);
                match shared {
                    true => {
                        edges.iter().for_each(|&edge| self.parts.edges[edge].from = end);
                        break;
                    }
                    false => self.parts.edges[edge].from = end,
                }
            }
        }
    }

    /// The tests before an operation.
    fn tests_of(&mut self, edge: usize) -> Vec<(CheckKind, Test)> {
        let parts = &mut *self.parts;
        let op = &parts.edges[edge].op;
        let mut found = Vec::new();
        if let Some(contents) = &self.contents {
            let tests = contents.tests(&mut parts.types, op).into_iter();
            found.extend(tests.map(|test| (CheckKind::Uninit, test)));
        }
        if self.checks.contains(CheckKind::Deref) {
            let mut tests = Tests {
                vars: &parts.vars,
                types: &mut parts.types,
                found: Vec::new(),
            };
            tests.operation(op);
            found.extend(tests.found.into_iter().map(|test| (CheckKind::Deref, test)));
        }
        if self.checks.contains(CheckKind::Free)
            && let Op::Free {
                ptr,
                kind: AllocKind::Heap | AllocKind::Aligned,
            }
            | Op::Inspect {
                question: Inspection::Size(ptr),
                ..
            } = op
        {
            found.push((CheckKind::Free, Test::Ask(Inspection::Releasable(ptr.clone()))));
        }
        found
    }

    // ---- chains of tests -----------------------------------------------------------------------------------------------

    /// Tests one after the other from a node on; returns the node behind all that came out well.
    fn chain(&mut self, mut at: NodeId, tests: &[(CheckKind, Test)], loc: Loc) -> NodeId {
        let func = self.parts.nodes[at.index()].func;
        for (kind, test) in tests {
            let violated = self.parts.add_node(func, loc);
            let next = self.parts.add_node(func, loc);
            let (from, cond, good) = match test {
                Test::Ask(question) => {
                    let lhs = self.answer(func);
                    let cond = Expr::load(lhs.clone());
                    let asked = self.parts.add_node(func, loc);
                    let question = question.clone();
                    self.edge(at, asked, Op::Inspect { lhs, question }, loc);
                    (asked, cond, true)
                }
                Test::Not(cond) => (at, cond.clone(), false),
                Test::Never => {
                    self.edge(at, violated, Op::Nop, loc);
                    self.violate(violated, None, *kind, loc);
                    at = next;
                    continue;
                }
            };
            for (to, truth) in [(next, good), (violated, !good)] {
                let cond = cond.clone();
                self.edge(from, to, Op::Assume { cond, truth }, loc);
            }
            let goes_on = matches!(kind, CheckKind::Memtrack | CheckKind::Uninit);
            self.violate(violated, goes_on.then_some(next), *kind, loc);
            at = next;
        }
        at
    }

    /// An execution that violates a check passes its label, and ends there or goes on.
    fn violate(&mut self, from: NodeId, next: Option<NodeId>, kind: CheckKind, loc: Loc) {
        let func = self.parts.nodes[from.index()].func;
        let end = next.unwrap_or_else(|| self.parts.add_node(func, loc));
        self.edge(from, end, Op::Label(Check { at: loc, kind }.label()), loc);
    }

    fn answer(&mut self, func: FuncId) -> Place {
        let var = match self.answers.get(&func) {
            Some(&var) => var,
            None => {
                let var = self.new_var(func, "answer", Types::INT);
                self.answers.insert(func, var);
                var
            }
        };
        Place::var(var, Types::INT)
    }

    /// Puts the operations on shadows behind those that write.
    fn follow_contents(&mut self, count: usize) {
        let Some(contents) = self.contents.take() else { return };
        for at in 0..count {
            let (func, loc) = (self.func(at), self.parts.edges[at].loc);
            let op = self.parts.edges[at].op.clone();
            let updates = contents.updates(self.parts, func, &op);
            for op in updates.before {
                let next = self.parts.add_node(func, loc);
                let from = std::mem::replace(&mut self.parts.edges[at].from, next);
                self.edge(from, next, op, loc);
            }
            for op in updates.behind {
                let behind = self.parts.add_node(func, loc);
                let to = std::mem::replace(&mut self.parts.edges[at].to, behind);
                self.edge(behind, to, op, loc);
            }
        }
        for (func, op) in contents.at_entries(self.parts) {
            let Function { entry, loc, .. } = self.parts.functions[func.index()];
            let first = self.behind_entry(entry, loc);
            // It stands nowhere in the text.
            self.edge(entry, first, op, Loc::NONE);
        }
    }

    // ---- lost and left objects -----------------------------------------------------------------------------------------

    fn allocates(&self) -> bool {
        let is_heap = |edge: &Edge| matches!(edge.op, Op::Allocate { kind, .. } if !kind.is_on_stack());
        self.parts.edges.iter().any(is_heap)
    }

    /// Asks whether all objects are tracked after each operation that may lose one. Functions of the library are one operation.
    fn after_operations(&mut self, count: usize) {
        let keeps_numbers = self.keeps_addresses_in_numbers();
        let mut holds: FxHashSet<TypeId> = FxHashSet::default();
        for at in 0..count {
            let Edge { to, loc, ref op, .. } = self.parts.edges[at];
            let func = self.func(at);
            if self.parts.functions[func.index()].library || (loc.is_some() && self.sources.in_library(loc)) {
                continue;
            }
            // The start function initialises what is static: there is no heap object before its first call.
            if func == START && !matches!(op, Op::Call { .. }) {
                continue;
            }
            let mut may_lose = matches!(
                op,
                Op::Free { .. } | Op::MemSet { .. } | Op::MemCopy { .. } | Op::Call { .. } | Op::Asm { .. }
            );
            // A new object is in the variable that gets its address.
            let op = op.clone();
            visit_parts(&op, &mut |part| {
                if let Part::Written(place) = part {
                    may_lose |= self.may_hold_pointer(place.ty, keeps_numbers, &mut holds);
                }
            });
            if !may_lose {
                continue;
            }
            let after = self.parts.add_node(func, loc);
            self.parts.edges[at].to = after;
            let test = [(CheckKind::Memtrack, Test::Ask(Inspection::Tracked))];
            let end = self.chain(after, &test, loc);
            self.edge(end, to, Op::Nop, loc);
        }
    }

    /// Variables that lowering made for intermediate values keep no object that the program has lost: each is cleared where nothing reads it any more.
    fn forget_temporaries(&mut self, count: usize) {
        let mut dense: FxHashMap<VarId, usize> = FxHashMap::default();
        let mut holds = FxHashSet::default();
        for at in 0..self.parts.vars.len() {
            let Variable { kind, ty, .. } = self.parts.vars[at];
            if kind == VarKind::Temp && self.may_hold_pointer(ty, false, &mut holds) {
                let number = dense.len();
                dense.insert(VarId::new(at), number);
            }
        }
        let live = self.live(&dense);
        let mut variables = vec![VarId::new(0); dense.len()];
        dense.iter().for_each(|(&var, &i)| variables[i] = var);
        for at in 0..count {
            let Edge { from, to, loc, ref op } = self.parts.edges[at];
            let mut ending = live[from.index()].clone();
            visit_variables(op, &mut |var, _| {
                if let Some(&i) = dense.get(&var) {
                    ending.set(i, true);
                }
            });
            for i in ending.iter_ones().filter(|&i| !live[to.index()][i]) {
                let var = variables[i];
                let place = Place::var(var, self.parts.vars[var.index()].ty);
                let func = self.func(at);
                let behind = self.parts.add_node(func, loc);
                let to = std::mem::replace(&mut self.parts.edges[at].to, behind);
                self.edge(behind, to, Op::Zero { place }, loc);
            }
        }
    }

    /// The variable that holds the result of a function keeps no object for the next call.
    fn forget_results(&mut self) {
        let mut holds = FxHashSet::default();
        for func in (0..self.parts.functions.len()).map(FuncId::new) {
            let Function { entry, loc, ret, .. } = self.parts.functions[func.index()];
            let Some(result) = ret else { continue };
            let place = Place::var(result, self.parts.vars[result.index()].ty);
            if self.may_hold_pointer(place.ty, false, &mut holds) {
                let first = self.behind_entry(entry, loc);
                self.edge(entry, first, Op::Zero { place }, loc);
            }
        }
    }

    /// A new node that all edges from a function's entry leave from then on.
    fn behind_entry(&mut self, entry: NodeId, loc: Loc) -> NodeId {
        let func = self.parts.nodes[entry.index()].func;
        let first = self.parts.add_node(func, loc);
        let leaving = self.parts.edges.iter_mut().filter(|edge| edge.from == entry);
        leaving.for_each(|edge| edge.from = first);
        first
    }

    /// The variables of a table that may be read behind each node.
    fn live(&self, dense: &FxHashMap<VarId, usize>) -> Vec<BitVec> {
        let nodes = self.parts.nodes.len();
        let mut live = vec![BitVec::repeat(false, dense.len()); nodes];
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for (at, edge) in self.parts.edges.iter().enumerate() {
            into[edge.to.index()].push(at);
        }
        let mut work: Vec<usize> = (0..self.parts.edges.len()).collect();
        while let Some(at) = work.pop() {
            let edge = &self.parts.edges[at];
            let mut before = live[edge.to.index()].clone();
            let mut reads = Vec::new();
            visit_variables(&edge.op, &mut |var, is_read| match (dense.get(&var), is_read) {
                (Some(&i), true) => reads.push(i),
                (Some(&i), false) => before.set(i, false),
                (None, _) => {}
            });
            reads.into_iter().for_each(|i| before.set(i, true));
            before |= &live[edge.from.index()];
            if before != live[edge.from.index()] {
                live[edge.from.index()] = before;
                work.extend(&into[edge.from.index()]);
            }
        }
        live
    }

    /// Whether the program may keep an address in an integer.
    fn keeps_addresses_in_numbers(&self) -> bool {
        let types = self.types();
        let bytes = types.data_model().pointer_bytes();
        let mut found = false;
        let is_wide = |ty: TypeId| types.integer(ty).is_some() && types.size_of(ty).is_some_and(|size| size >= bytes);
        for edge in &self.parts.edges {
            visit_op(&edge.op, &mut |e| {
                let is_number = !types.is_pointer(e.ty) && is_wide(e.ty);
                found |= is_number
                    && matches!(&e.kind, ExprKind::Cast(x) if types.is_pointer(x.ty) && x.as_const().is_none());
            });
        }
        found
    }

    /// Whether a value of a type may be, or contain, a pointer.
    fn may_hold_pointer(&self, ty: TypeId, numbers: bool, holds: &mut FxHashSet<TypeId>) -> bool {
        let types = self.types();
        if holds.contains(&ty) {
            return true;
        }
        let bytes = types.data_model().pointer_bytes();
        let found = match types.get(ty) {
            Type::Record(id) => {
                let fields: Vec<TypeId> = types.record(*id).fields.iter().map(|field| field.ty).collect();
                fields
                    .into_iter()
                    .any(|field| self.may_hold_pointer(field, numbers, holds))
            }
            Type::Array { elem, .. } => self.may_hold_pointer(*elem, numbers, holds),
            _ => types.is_pointer(ty) || (numbers && types.size_of(ty).is_some_and(|size| size >= bytes)),
        };
        if found {
            holds.insert(ty);
        }
        found
    }

    /// Says that there is no heap object yet.
    fn at_start(&mut self) {
        let Function { entry, loc, .. } = self.parts.functions[0];
        let (asked, first) = (self.parts.add_node(FuncId(0), loc), self.behind_entry(entry, loc));
        let lhs = self.answer(FuncId(0));
        let cond = Expr::load(lhs.clone());
        let question = Inspection::Released;
        self.edge(entry, asked, Op::Inspect { lhs, question }, loc);
        self.edge(asked, first, Op::Assume { cond, truth: true }, loc);
    }

    /// Asks whether all heap objects are released where the program ends: behind the start function, and before calls of `exit`.
    fn before_ends(&mut self, count: usize) {
        let start = self.parts.functions[0].exit;
        let test = [(CheckKind::Memcleanup, Test::Ask(Inspection::Released))];
        for at in 0..count {
            let Edge { from, to, loc, ref op } = self.parts.edges[at];
            let is_exit = matches!(op, Op::External { func, .. } if self.parts.functions[func.index()].name == "exit");
            if to == start {
                let before = self.parts.add_node(self.func(at), loc);
                self.parts.edges[at].to = before;
                let end = self.chain(before, &test, loc);
                self.edge(end, to, Op::Nop, loc);
            } else if is_exit {
                let end = self.chain(from, &test, loc);
                self.parts.edges[at].from = end;
            }
        }
    }
}

/// Calls `f` for the variables in an operation, with whether they are read: all but those that are written as a whole.
fn visit_variables(op: &Op, f: &mut dyn FnMut(VarId, bool)) {
    visit_op(op, &mut |e| {
        if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &e.kind
            && let PlaceBase::Var(var) = place.base
        {
            f(var, true);
        }
    });
    visit_parts(op, &mut |part| {
        if let Part::Written(place) = part
            && let PlaceBase::Var(var) = place.base
        {
            f(var, place.as_whole_var().is_none());
        }
    });
}
