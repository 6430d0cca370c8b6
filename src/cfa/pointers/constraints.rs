//! From the operations of a program to inclusions.

use super::solve::{Callee, NodeIndex, Solver};
use super::{ConditionalCall, Object, PointsTo};
use crate::cfa::analysis::indeterminate::Indeterminate;
use crate::cfa::memory_types::{Division, KindId, in_memory};
use crate::cfa::program::expr;
use crate::cfa::program::scalar::{Leaf, Scalar, leaves};
use crate::cfa::program::*;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::rc::Rc;

/// A part of the value of an expression.
enum Source {
    Node(NodeIndex),
    Object(u32),
    Unknown,
}

/// Where a scalar is kept.
#[derive(Clone, Copy)]
enum Slot {
    Node(NodeIndex),
    Behind(NodeIndex, KindId),
    Untracked,
}

/// Whether a constant is an address that the program chose itself.
pub(super) fn is_fixed_address(program: &Program, e: &Expr) -> bool {
    program.types.is_pointer(e.ty) && e.as_const().is_some_and(|c| !c.is_zero())
}

/// The operands of a binary operation from which addresses go into the result.
pub(super) fn carriers<'e>(types: &Types, ty: TypeId, op: BinOp, x: &'e Expr, y: &'e Expr) -> Vec<&'e Expr> {
    match op {
        _ if op.is_comparison() => Vec::new(),
        // A pointer and a number of bytes.
        BinOp::Add | BinOp::Sub if types.is_pointer(ty) && types.is_pointer(x.ty) => vec![x],
        _ => vec![x, y],
    }
}

/// The number of scalars of a plain variable before those of a place in it.
pub(super) fn first_leaf(types: &Types, place: &Place) -> u32 {
    let mut first = 0;
    for step in &place.proj {
        if let Proj::Field { record, field } = step {
            let fields = types.record(*record).fields.iter();
            first += (0..*field)
                .zip(fields)
                .map(|(_, f)| leaf_count(types, f.ty))
                .sum::<u32>();
        }
    }
    first
}

fn leaf_count(types: &Types, ty: TypeId) -> u32 {
    match *types.get(ty) {
        Type::Record(r) => types.record(r).fields.iter().map(|f| leaf_count(types, f.ty)).sum(),
        _ => u32::try_from(leaves(types, ty).len()).expect("a count of members"),
    }
}

pub(super) struct Generator<'a> {
    program: &'a Program,
    division: &'a Division,
    conditional: &'a FxHashMap<usize, ConditionalCall>,
    solver: Solver,
    objects: Vec<Object>,
    ids: FxHashMap<Object, u32>,
    vars: FxHashMap<(VarId, u32), NodeIndex>,
    loads: FxHashMap<(NodeIndex, KindId), NodeIndex>,
    leaves: FxHashMap<TypeId, Rc<[Leaf]>>,
    /// Integers that are cast to pointers. A number that no address went into may be any.
    numbers: Vec<NodeIndex>,
    pointer_bytes: u64,
}

impl<'a> Generator<'a> {
    pub fn new(
        program: &'a Program,
        division: &'a Division,
        conditional: &'a FxHashMap<usize, ConditionalCall>,
    ) -> Self {
        Generator {
            program,
            division,
            conditional,
            solver: Solver::default(),
            objects: Vec::new(),
            ids: FxHashMap::default(),
            vars: FxHashMap::default(),
            loads: FxHashMap::default(),
            leaves: FxHashMap::default(),
            numbers: Vec::new(),
            pointer_bytes: program.types.data_model().pointer_bytes(),
        }
    }

    pub fn run(mut self, function_of: &dyn Fn(NodeId) -> FuncId) -> PointsTo {
        let mut indeterminate = Indeterminate::new(self.program, function_of);
        for (i, edge) in self.program.edges.iter().enumerate() {
            match &edge.op {
                Op::Havoc {
                    place,
                    source: Input::Uninitialised,
                } if place
                    .as_whole_var()
                    .is_some_and(|v| !in_memory(self.program, place) && !indeterminate.is_read(i, v)) => {}
                op => self.operation(i, op),
            }
        }
        self.solver.solve();
        let numbers = std::mem::take(&mut self.numbers);
        let unknown: Vec<NodeIndex> = numbers.into_iter().filter(|&n| self.solver.set(n).is_empty()).collect();
        if !unknown.is_empty() {
            unknown.into_iter().for_each(|n| self.solver.add_unknown(n));
            self.solver.solve();
        }
        PointsTo {
            objects: self.objects,
            ids: self.ids,
            solver: self.solver,
            vars: self.vars,
        }
    }

    fn object(&mut self, object: Object) -> u32 {
        if let Some(&id) = self.ids.get(&object) {
            return id;
        }
        let id = u32::try_from(self.objects.len()).expect("fewer than 2^32 objects");
        self.objects.push(object);
        self.ids.insert(object, id);
        if let Object::Function(_) = object {
            self.solver.without_content(id);
        }
        id
    }

    fn var_node(&mut self, var: VarId, leaf: u32) -> NodeIndex {
        let solver = &mut self.solver;
        *self.vars.entry((var, leaf)).or_insert_with(|| solver.node())
    }

    fn leaves_of(&mut self, ty: TypeId) -> Rc<[Leaf]> {
        let types = &self.program.types;
        Rc::clone(self.leaves.entry(ty).or_insert_with(|| leaves(types, ty).into()))
    }

    // ---- values --------------------------------------------------------------------------------------------------------

    fn sources(&mut self, e: &Expr, found: &mut Vec<Source>) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) => {
                if is_fixed_address(self.program, e) {
                    found.push(Source::Unknown);
                }
            }
            ExprKind::FuncAddr(f) => found.push(Source::Object(self.object(Object::Function(*f)))),
            ExprKind::Load(place) => match self.slot(place) {
                Slot::Node(node) => found.push(Source::Node(node)),
                Slot::Behind(pointer, kind) => found.push(Source::Node(self.load(pointer, kind))),
                Slot::Untracked => found.push(Source::Unknown),
            },
            ExprKind::AddrOf(place) => match &place.base {
                PlaceBase::Var(v) => found.push(Source::Object(self.object(Object::Variable(*v)))),
                PlaceBase::Deref(pointer) => self.sources(pointer, found),
            },
            ExprKind::Cast(x) if self.program.types.is_pointer(e.ty) && self.is_made_up(x) => {
                let node = self.value(x);
                self.numbers.push(node);
                found.push(Source::Node(node));
            }
            ExprKind::Cast(x) => self.sources(x, found),
            ExprKind::Unary(UnOp::LogNot, _) => {}
            ExprKind::Unary(_, x) => self.sources(x, found),
            ExprKind::Binary(op, x, y) => {
                for operand in carriers(&self.program.types, e.ty, *op, x, y) {
                    self.sources(operand, found);
                }
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.sources(x, found)),
        }
    }

    /// Whether an integer that is cast to a pointer may be one that no address went into, by its form.
    fn is_made_up(&self, e: &Expr) -> bool {
        let types = &self.program.types;
        if types.is_pointer(e.ty) || e.as_const().is_some() {
            return false;
        }
        let mut has_address = false;
        expr::walk(e, &mut |part| {
            has_address |= types.is_pointer(part.ty) && !matches!(part.kind, ExprKind::Const(_))
        });
        !has_address
    }

    fn load(&mut self, pointer: NodeIndex, kind: KindId) -> NodeIndex {
        if let Some(&node) = self.loads.get(&(pointer, kind)) {
            return node;
        }
        let node = self.solver.node();
        self.solver.load(pointer, kind, node);
        self.loads.insert((pointer, kind), node);
        node
    }

    /// A node that has the value of an expression, at least.
    fn value(&mut self, e: &Expr) -> NodeIndex {
        let mut found = Vec::new();
        self.sources(e, &mut found);
        if let [Source::Node(node)] = found[..] {
            return node;
        }
        let node = self.solver.node();
        self.put_all(found, node);
        node
    }

    fn put_all(&mut self, found: Vec<Source>, node: NodeIndex) {
        for source in found {
            match source {
                Source::Node(from) => self.solver.include(from, node),
                Source::Object(object) => self.solver.add_object(node, object),
                Source::Unknown => self.solver.add_unknown(node),
            }
        }
    }

    // ---- places --------------------------------------------------------------------------------------------------------

    /// Where a scalar place is kept.
    fn slot(&mut self, place: &Place) -> Slot {
        if !in_memory(self.program, place) {
            let PlaceBase::Var(var) = place.base else {
                return Slot::Untracked;
            };
            let leaf = first_leaf(&self.program.types, place);
            return Slot::Node(self.var_node(var, leaf));
        }
        let kind = self.division.of_place(self.program, place);
        self.slot_of_kind(place, kind)
    }

    fn slot_of_kind(&mut self, place: &Place, kind: Option<KindId>) -> Slot {
        match (kind, &place.base) {
            (None, _) => Slot::Untracked,
            (Some(kind), PlaceBase::Var(v)) => {
                let object = self.object(Object::Variable(*v));
                Slot::Node(self.solver.cell(object, kind))
            }
            (Some(kind), PlaceBase::Deref(pointer)) => Slot::Behind(self.value(pointer), kind),
        }
    }

    /// Where the scalars of a place of any object type are kept, with the bytes of each.
    fn slots(&mut self, place: &Place) -> Vec<(Slot, u64)> {
        if let Some(scalar) = Scalar::of(&self.program.types, place.ty) {
            return vec![(self.slot(place), scalar.size)];
        }
        let all = self.leaves_of(place.ty);
        if !in_memory(self.program, place) {
            let PlaceBase::Var(var) = place.base else {
                return Vec::new();
            };
            let first = first_leaf(&self.program.types, place);
            return (first..)
                .zip(all.iter())
                .map(|(i, leaf)| (Slot::Node(self.var_node(var, i)), leaf.extent))
                .collect();
        }
        // The pointer has one node for all members.
        let base = match &place.base {
            PlaceBase::Var(_) => None,
            PlaceBase::Deref(pointer) => Some(self.value(pointer)),
        };
        let mut slots = Vec::with_capacity(all.len());
        for leaf in all.iter() {
            let kind = self.division.of_leaf(self.program, place, leaf);
            let slot = match (kind, base) {
                (Some(kind), Some(node)) => Slot::Behind(node, kind),
                _ => self.slot_of_kind(place, kind),
            };
            slots.push((slot, leaf.extent));
        }
        slots
    }

    fn put(&mut self, slot: Slot, found: Vec<Source>) {
        if found.is_empty() {
            return;
        }
        match slot {
            Slot::Node(node) => self.put_all(found, node),
            Slot::Behind(pointer, kind) => {
                let from = match found[..] {
                    [Source::Node(node)] => node,
                    _ => {
                        let node = self.solver.node();
                        self.put_all(found, node);
                        node
                    }
                };
                self.solver.store(pointer, kind, from);
            }
            Slot::Untracked => {}
        }
    }

    /// The scalars of a place that are wide enough for an address may be anything.
    fn put_unknown(&mut self, place: &Place) {
        for (slot, bytes) in self.slots(place) {
            if bytes >= self.pointer_bytes {
                self.put(slot, vec![Source::Unknown]);
            }
        }
    }

    // ---- operations ----------------------------------------------------------------------------------------------------

    fn operation(&mut self, position: usize, op: &Op) {
        match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) | Op::Assume { .. } | Op::Free { .. } => {}
            // An answer is no address, and a mark is no value.
            Op::Inspect { .. } | Op::Mark { .. } => {}
            // Memory that is filled with one byte contains no address.
            Op::Zero { .. } | Op::MemSet { .. } => {}
            Op::Assign { lhs, rhs } => self.assign(lhs, rhs),
            Op::Havoc { place, .. } => self.put_unknown(place),
            Op::External { ret, .. } => ret.iter().for_each(|place| self.put_unknown(place)),
            Op::Asm { outputs, .. } => outputs.iter().for_each(|place| self.put_unknown(place)),
            Op::Call { func, args, ret } => self.call(position, *func, args, ret.as_ref()),
            Op::Allocate { lhs, zero, .. } => {
                let object = self.object(Object::Allocated(EdgeId::new(position)));
                let slot = self.slot(lhs);
                self.put(slot, vec![Source::Object(object)]);
                if !zero {
                    let filled = self.solver.filled(object);
                    self.solver.add_unknown(filled);
                }
            }
            Op::MemCopy { dst, src, .. } => {
                let (to, from) = (self.value(dst), self.value(src));
                self.solver.copy(to, from);
            }
        }
    }

    fn assign(&mut self, lhs: &Place, rhs: &Expr) {
        if Scalar::of(&self.program.types, lhs.ty).is_some() {
            let mut found = Vec::new();
            self.sources(rhs, &mut found);
            let slot = self.slot(lhs);
            return self.put(slot, found);
        }
        match &rhs.kind {
            ExprKind::Load(from) => {
                let (to, from) = (self.slots(lhs), self.slots(from));
                for ((to, _), (from, _)) in to.into_iter().zip(from) {
                    self.move_scalar(from, to);
                }
            }
            _ => self.put_unknown(lhs),
        }
    }

    fn move_scalar(&mut self, from: Slot, to: Slot) {
        let source = self.read(from);
        self.put(to, vec![source]);
    }

    fn read(&mut self, from: Slot) -> Source {
        match from {
            Slot::Node(node) => Source::Node(node),
            Slot::Behind(pointer, kind) => Source::Node(self.load(pointer, kind)),
            Slot::Untracked => Source::Unknown,
        }
    }

    fn call(&mut self, position: usize, func: FuncId, args: &[Expr], ret: Option<&Place>) {
        let mut inclusions = Vec::new();
        let params = self.program.function(func).params.clone();
        for (param, arg) in params.into_iter().zip(args) {
            let place = Place::var(param, self.program.var(param).ty);
            let to = self.slots(&place);
            let from: Vec<NodeIndex> = match &arg.kind {
                ExprKind::Load(place) if Scalar::of(&self.program.types, place.ty).is_none() => {
                    let slots = self.slots(place);
                    slots.into_iter().map(|(slot, _)| self.node_of(slot)).collect()
                }
                _ => vec![self.value(arg)],
            };
            for ((to, _), from) in to.into_iter().zip(from) {
                if let Slot::Node(to) = to {
                    inclusions.push((from, to));
                }
            }
        }
        if let (Some(place), Some(result)) = (ret, self.program.function(func).ret) {
            let source = Place::var(result, self.program.var(result).ty);
            let (from, to) = (self.slots(&source), self.slots(place));
            for ((from, _), (to, _)) in from.into_iter().zip(to) {
                let from = self.node_of(from);
                match to {
                    Slot::Node(to) => inclusions.push((from, to)),
                    Slot::Behind(pointer, kind) => {
                        let value = self.solver.node();
                        inclusions.push((from, value));
                        self.solver.store(pointer, kind, value);
                    }
                    Slot::Untracked => {}
                }
            }
        }
        match self.conditional.get(&position) {
            None => inclusions
                .into_iter()
                .for_each(|(from, to)| self.solver.include(from, to)),
            Some(condition) => {
                let pointer = self.value(&condition.pointer);
                let function = self.object(Object::Function(condition.function));
                self.solver.call(pointer, Callee { function, inclusions });
            }
        }
    }

    fn node_of(&mut self, slot: Slot) -> NodeIndex {
        match self.read(slot) {
            Source::Node(node) => node,
            other => {
                let node = self.solver.node();
                self.put_all(vec![other], node);
                node
            }
        }
    }
}
