//! One look over the program that unifies the kinds of bytes that it can reach in two ways.
//!
//! | module | does |
//! |---|---|
//! | `kinds` | from classes of the union-find to kinds |
//! | `views` | bytes that are reached under two types |

mod kinds;
mod views;

use super::analysis::{Analysis, Kept, Taken};
use super::constants::Constants;
use super::division::{Division, Keys, key_of_place};
use super::flow::{self, Flow, Spot, Tag, Target, View};
use super::kinds::{Key, in_memory};
use super::meeting::Meeting;
use super::members::Members;
use super::values::Value;
use super::walks;
use crate::cfa::program::scalar::{Class, Leaf, Scalar, leaves};
use crate::cfa::program::{Edge, Expr, ExprKind, Op, Place, PlaceBase, Program, Proj};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordId, Type, TypeId};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

const OWN_TYPE: &str = "an object that is passed on as `void *` or integer is accessed by its own type only";
const BYTES: &str = "pointers are not copied as single bytes at computed offsets";

/// Rounds in which more types of pointers are followed.
const MAX_ROUNDS: usize = 8;

/// Divides the memory of a program.
fn divide(program: &Program, pairs: usize) -> Division {
    let stepped = Rc::new(walks::stepped_types(program));
    let constants = Arc::new(Constants::new(program));
    let shared = || (Rc::clone(&stepped), Arc::clone(&constants));
    let mut followed = BTreeSet::new();
    let mut failed = Loc::NONE;
    for _ in 0..MAX_ROUNDS {
        let members = Members::new(program, &constants);
        let mut analysis = Analysis::of_program(program, members, shared(), followed);
        if let Err(loc) = analysis.through_void(pairs) {
            failed = loc;
            break;
        }
        if analysis.left.is_empty() {
            return analysis.finish();
        }
        followed = std::mem::take(&mut analysis.followed);
        followed.append(&mut analysis.left);
    }
    // Values that are not followed need an assumption. Then all accesses by arithmetic stay together, members or not.
    let mut analysis = Analysis::of_program(program, Members::default(), shared(), BTreeSet::new());
    analysis.trust(OWN_TYPE, failed);
    for (pair, loc) in analysis.waiting.clone() {
        if analysis.is_computed(pair) {
            analysis.unify_computed(pair, loc);
        }
    }
    analysis.finish()
}

impl<'p> Analysis<'p> {
    /// One look over a program. What goes through values without a type is only collected.
    fn of_program(
        program: &'p Program,
        members: Members,
        (stepped, constants): (Rc<FxHashSet<TypeId>>, Arc<Constants>),
        followed: BTreeSet<TypeId>,
    ) -> Self {
        let mut analysis = Analysis {
            program,
            parent: Vec::new(),
            nodes: Vec::new(),
            of_key: FxHashMap::default(),
            keys: Keys {
                members,
                ..Keys::default()
            },
            flow: Flow::default(),
            waiting: BTreeMap::new(),
            trusted: Vec::new(),
            here: Loc(0),
            seen_pairs: FxHashSet::default(),
            leaves: FxHashMap::default(),
            converted: FxHashMap::default(),
            stepped,
            constants,
            followed,
            left: BTreeSet::new(),
            taken: Taken::new(),
        };
        analysis.enumerate();
        for (at, edge) in program.edges.iter().enumerate() {
            analysis.edge(at, edge);
        }
        let taken = std::mem::take(&mut analysis.taken);
        analysis.walks(taken);
        analysis
    }

    /// Two scalars share bytes.
    pub(super) fn meet(&mut self, x: &Leaf, y: &Leaf, meeting: Meeting, loc: Loc) {
        let (p, q) = (self.leaf_node(x), self.leaf_node(y));
        let alike = meeting != Meeting::Mixed;
        let itself = p == q && meeting == Meeting::Whole;
        if !(itself || (p == q && alike)) {
            self.unify(p, q, !alike);
        }
        self.scalars_overlaid((x.ty, p), (y.ty, q), loc);
    }

    /// Whether a meeting of two scalars is none of two kinds of cells.
    pub(super) fn agree(&mut self, x: &Leaf, y: &Leaf, meeting: Meeting) -> bool {
        let (p, q) = (self.leaf_node(x), self.leaf_node(y));
        let (root, other) = (self.root(p), self.root(q));
        let itself = p == q && meeting == Meeting::Whole;
        itself || (root == other && (meeting != Meeting::Mixed || self.nodes[root].mixed))
    }

    /// Handles a value that is written as one scalar and read as another: pointers of other types, or without type.
    pub(super) fn scalars_overlaid(&mut self, x: (TypeId, usize), y: (TypeId, usize), loc: Loc) {
        match (self.kept(x.0), self.kept(y.0)) {
            (Kept::Pointer(a), Kept::Pointer(b)) if a != b => {
                let (a, b) = (pointer_to(a), pointer_to(b));
                for pair in [(a, b, Some(0)), (b, a, Some(0))] {
                    self.waiting.entry(pair).or_insert(loc);
                }
            }
            (Kept::Pointer(a), Kept::Untyped) | (Kept::Untyped, Kept::Pointer(a)) => {
                for (_, node) in [x, y] {
                    self.flow.tag(Spot::Cell(node), Tag::Typed(Target::start(a)));
                    self.flow.use_as((Spot::Cell(node), Some(0)), pointer_to(a), loc);
                }
            }
            _ => {}
        }
    }

    pub(super) fn edge(&mut self, at: usize, edge: &Edge) {
        let loc = edge.loc;
        self.here = loc;
        match &edge.op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, .. } => self.expr(cond, loc),
            Op::Assign { lhs, rhs } => {
                self.place(lhs, loc);
                self.kept_expr(rhs, lhs, loc);
            }
            Op::Zero { place } => self.place(place, loc),
            Op::Havoc { place, .. } => {
                self.place(place, loc);
                self.made_outside(place);
            }
            Op::Call { func, args, ret } => {
                let function = self.program.function(*func);
                for (arg, &param) in args.iter().zip(&function.params) {
                    let place = Place::var(param, self.program.var(param).ty);
                    self.kept_expr(arg, &place, loc);
                }
                if let Some(place) = ret {
                    self.place(place, loc);
                    if let Some(var) = function.ret {
                        let source = Place::var(var, self.program.var(var).ty);
                        self.scalars_move(&source, place, Some(at), loc);
                    }
                }
            }
            Op::External { args, ret, .. } => {
                // The callee touches nothing, so that what it is given does not matter.
                args.iter().for_each(|a| self.expr(a, loc));
                if let Some(place) = ret {
                    self.place(place, loc);
                    self.made_outside(place);
                }
            }
            Op::Allocate { lhs, size, .. } => {
                self.place(lhs, loc);
                self.expr(size, loc);
                if let (Kept::Untyped, Some(spot)) = (self.kept(lhs.ty), self.spot(lhs)) {
                    self.flow.tag(spot, Tag::New(at, Some(0)));
                }
            }
            Op::Inspect { lhs, question } => {
                self.place(lhs, loc);
                question.values().for_each(|e| self.expr(e, loc));
            }
            Op::Free { ptr, .. } => self.expr(ptr, loc),
            Op::Mark { ptr, len, written } => {
                let values = [ptr, written].into_iter().chain(len);
                values.for_each(|e| self.expr(e, loc));
            }
            Op::MemSet { dst, byte, len } => {
                for e in [dst, byte, len] {
                    self.expr(e, loc);
                }
                self.fill(dst, self.constant(len));
            }
            Op::MemCopy { dst, src, len } => {
                for e in [dst, src, len] {
                    self.expr(e, loc);
                }
                self.copy(dst, src, self.constant(len), loc);
            }
            Op::Asm { outputs, .. } => {
                for place in outputs {
                    self.place(place, loc);
                    self.made_outside(place);
                }
            }
        }
    }

    /// Pointers that the program does not make point to objects of their type.
    pub(super) fn made_outside(&mut self, place: &Place) {
        if Scalar::of(&self.program.types, place.ty).is_some() {
            let spot = self.spot(place);
            return self.typed_made_outside(place.ty, spot);
        }
        for leaf in leaves(&self.program.types, place.ty) {
            let spot = self.leaf_spot(place, &leaf);
            self.typed_made_outside(leaf.ty, spot);
        }
    }

    pub(super) fn typed_made_outside(&mut self, ty: TypeId, spot: Option<Spot>) {
        let to = self.program.types.pointee(ty).filter(|to| self.followed.contains(to));
        if let (Some(to), Some(spot)) = (to, spot) {
            self.flow.tag(spot, Tag::Typed(Target::start(to)));
        }
    }

    /// Bytes of one type are copied to another type's object: `len` of them, if that is a constant.
    pub(super) fn copy(&mut self, dst: &Expr, src: &Expr, len: Option<i64>, loc: Loc) {
        let mut origins = |e: &Expr| match len {
            Some(_) => self
                .beginnings(e, len)
                .into_iter()
                .map(|(value, along)| match value {
                    // Inside of what the address is one of, it leaves nothing.
                    Value::Typed(_) if along => (value, None),
                    _ => (value, Some(len)),
                })
                .collect(),
            None => self
                .values(e)
                .into_iter()
                .map(|value| match value {
                    Value::Typed(to) => (Value::Typed(to.over(None)), Some(None)),
                    other => (other, Some(None)),
                })
                .collect::<Vec<_>>(),
        };
        let (to, from) = (origins(dst), origins(src));
        for a in &to {
            for b in &from {
                for (value, len) in [a, b] {
                    if let (&Value::Typed(to), &Some(len)) = (value, len) {
                        self.reach(to.ty, to.at, len);
                    }
                }
                match (&a.0, &b.0) {
                    (&Value::Typed(a), &Value::Typed(b)) => {
                        self.views((pointer_to(a.ty), pointer_to(b.ty), flow::difference(a.at, b.at)), loc);
                    }
                    (&Value::Typed(to), Value::At((spot, q))) | (Value::At((spot, q)), &Value::Typed(to)) => {
                        let view = View {
                            reach: flow::sum(to.at, len).unwrap_or(0),
                            ..pointer_to(to.ty)
                        };
                        self.flow.use_as((spot.clone(), flow::difference(*q, to.at)), view, loc);
                    }
                    (Value::At(a), Value::At(b)) => self.flow.copy_bytes(a.clone(), b.clone(), len, loc),
                }
            }
        }
    }

    /// A number of bytes is accessed behind a pointer to a type, `from` bytes further (`None`: a computed number).
    pub(super) fn reach(&mut self, ty: TypeId, from: Option<i64>, len: Option<i64>) {
        let Some(size) = self.program.types.size_of(ty).and_then(|s| i64::try_from(s).ok()) else {
            return;
        };
        // Of records it is not known where a computed number ends. Scalars lie in an array then.
        let is_record = self.program.types.as_record(ty).is_some();
        let end = flow::sum(from, len.or((!is_record).then_some(0)));
        let inside = from.is_some_and(|from| from >= 0) && end.is_some_and(|end| end <= size);
        if !inside && !self.is_followed(ty) {
            self.left.insert(ty);
        }
    }

    /// The value of an expression is kept in a place.
    pub(super) fn kept_expr(&mut self, e: &Expr, place: &Place, loc: Loc) {
        self.expr(e, loc);
        if Scalar::of(&self.program.types, place.ty).is_none() {
            if let ExprKind::Load(from) = &e.kind {
                self.scalars_move(from, place, None, loc);
            }
            return;
        }
        self.flow(e, Some(place), loc);
    }

    /// The scalars of one place become those of another of the same type; `call`: the call that returns them.
    pub(super) fn scalars_move(&mut self, from: &Place, to: &Place, call: Option<usize>, loc: Loc) {
        let types = &self.program.types;
        let spots: Vec<(TypeId, Option<Spot>, TypeId, Option<Spot>)> = if Scalar::of(types, to.ty).is_some() {
            vec![(from.ty, self.spot(from), to.ty, self.spot(to))]
        } else {
            let (sources, targets) = (leaves(types, from.ty), leaves(types, to.ty));
            let pairs = sources.iter().zip(&targets);
            pairs
                .map(|(x, y)| (x.ty, self.leaf_spot(from, x), y.ty, self.leaf_spot(to, y)))
                .collect()
        };
        for (x, source, y, target) in spots {
            let (Some(source), Some(target)) = (source, target) else {
                continue;
            };
            match (self.kept(x), self.kept(y)) {
                (Kept::Untyped, Kept::Untyped) => match call {
                    Some(call) => self.flow.return_value(source, target, call),
                    None => self.flow.move_value((source, Some(0)), target),
                },
                (Kept::Pointer(a), Kept::Untyped) => self.flow.tag(target, Tag::Typed(Target::start(a))),
                (Kept::Untyped, Kept::Pointer(b)) => self.flow.use_as((source, Some(0)), pointer_to(b), loc),
                _ => {}
            }
        }
    }

    /// A place that is written or whose address is taken.
    pub(super) fn place(&mut self, place: &Place, loc: Loc) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.expr(pointer, loc);
            match self.keys.members.learn(self.program, place) {
                Some((record, field)) => {
                    self.member(place, record, field, loc);
                    self.inside(pointer, place, loc);
                }
                None => self.flow(pointer, None, loc),
            }
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.expr(index, loc);
            }
        }
        self.note_sign(place);
    }

    /// A member is accessed as a scalar of the type of a place.
    pub(super) fn member(&mut self, place: &Place, record: RecordId, field: u32, loc: Loc) {
        let types = &self.program.types;
        let position = usize::try_from(field).expect("a number of 32 bits is a position");
        let mut ty = types.record(record).fields[position].ty;
        while let Type::Array { elem, .. } = *types.get(ty) {
            ty = elem;
        }
        let (Some(own), Some(seen)) = (Scalar::of(types, ty), Scalar::of(types, place.ty)) else {
            return;
        };
        let node = self.node(Key::Field(record, field), own);
        let root = self.root(node);
        let state = &mut self.nodes[root];
        state.unified |= (state.class, state.signed, state.width) != (seen.class, seen.signed, seen.width);
        state.signed &= seen.signed;
        self.scalars_overlaid((ty, node), (place.ty, node), loc);
    }

    /// Scalars of both signednesses are accessed through one class: then its cells need conversions.
    pub(super) fn note_sign(&mut self, place: &Place) {
        let Some(scalar) = Scalar::of(&self.program.types, place.ty) else {
            return;
        };
        if scalar.class != Class::Int || scalar.signed || !in_memory(self.program, place) {
            return;
        }
        let Some(key @ Key::Class(..)) = key_of_place(self.program, &self.keys, place) else {
            return;
        };
        let node = self.node(key, scalar);
        let root = self.root(node);
        self.nodes[root].signed = false;
        self.nodes[root].unified = true;
    }

    /// Visits the reads of an expression, and the addresses that it takes.
    pub(super) fn expr(&mut self, e: &Expr, loc: Loc) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) => {
                if let Some(var) = place.as_whole_var() {
                    // Not under a conversion (see below): this use says nothing of the type.
                    self.converted.insert(var, None);
                }
                self.place(place, loc);
            }
            ExprKind::AddrOf(place) => {
                self.place(place, loc);
                self.address_of(place);
            }
            ExprKind::Cast(x) => self.cast(e.ty, x, loc),
            ExprKind::Unary(_, x) => self.expr(x, loc),
            ExprKind::Binary(op, x, y)
                if op.is_comparison() && (self.is_null_test(x, y) || self.is_null_test(y, x)) => {}
            ExprKind::Binary(_, x, y) => {
                self.expr(x, loc);
                self.expr(y, loc);
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.expr(x, loc)),
        }
    }

    /// The comparison of a plain variable with a constant, which says nothing of what it points to.
    pub(super) fn is_null_test(&self, x: &Expr, y: &Expr) -> bool {
        let plain = matches!(&x.kind, ExprKind::Load(p) if p.as_whole_var().is_some() && !in_memory(self.program, p));
        plain && matches!(y.kind, ExprKind::Const(_))
    }

    pub(super) fn cast(&mut self, to: TypeId, x: &Expr, loc: Loc) {
        let variable = match &x.kind {
            ExprKind::Load(place) if !in_memory(self.program, place) => place.as_whole_var(),
            _ => None,
        };
        let target = self
            .program
            .types
            .pointee(to)
            .filter(|&t| self.program.types.as_record(t).is_some());
        match variable {
            Some(var) => {
                let entry = self.converted.entry(var).or_insert(target);
                if *entry != target {
                    *entry = None;
                }
            }
            None => self.expr(x, loc),
        }
    }

    /// A pointer to a scalar member can be used as a pointer to any scalar of its type.
    pub(super) fn address_of(&mut self, place: &Place) {
        let program = self.program;
        let mut ty = place.ty;
        while let Type::Array { elem, .. } = *program.types.get(ty) {
            ty = elem;
        }
        let Some(scalar) = Scalar::of(&program.types, ty) else {
            return;
        };
        if let Some(key) = key_of_place(program, &self.keys, place) {
            let (member, class) = (
                self.node(key, scalar),
                self.node(Key::Class(scalar.class, scalar.size), scalar),
            );
            self.unify(member, class, false);
        }
        if let Some(member) = walks::member(program, place) {
            self.taken.entry(member).or_insert(self.here);
        }
    }

    /// The value of `e` is the address of an access (no place), or kept in a scalar place, under the type of `e`: compares that with what it is a pointer to.
    pub(super) fn flow(&mut self, e: &Expr, place: Option<&Place>, loc: Loc) {
        let view = match (place, self.kept(e.ty)) {
            (None, _) => self.program.types.pointee(e.ty).map(|ty| View {
                exact: is_at_a_constant(e),
                ..pointer_to(ty)
            }),
            (Some(_), Kept::Pointer(ty)) => Some(pointer_to(ty)),
            (Some(_), Kept::Untyped) => None,
            (Some(_), Kept::Nothing) => return,
        };
        let values = self.values(e);
        if let Some(view) = view {
            for value in values {
                match value {
                    Value::Typed(from) => self.views((pointer_to(from.ty), view, from.at), loc),
                    Value::At(origin) => self.flow.use_as(origin, view, loc),
                }
            }
        } else if let Some(spot) = place.and_then(|place| self.spot(place)) {
            for value in values {
                match value {
                    Value::Typed(target) => self.flow.tag(spot.clone(), Tag::Typed(target)),
                    Value::At(origin) => self.flow.move_value(origin, spot.clone()),
                }
            }
        }
    }

    /// An access by arithmetic concerns a member: what it starts from is a pointer to the record.
    pub(super) fn inside(&mut self, pointer: &Expr, place: &Place, loc: Loc) {
        let Some((ty, offset)) = self.keys.members.position(self.program, place) else {
            return;
        };
        let view = View {
            exact: true,
            ..pointer_to(ty)
        };
        for value in self.values(pointer) {
            match value {
                Value::Typed(from) => {
                    let apart = flow::difference(from.at, Some(offset));
                    self.views((pointer_to(from.ty), view, apart), loc);
                }
                Value::At((spot, at)) => {
                    let origin = (spot, flow::difference(at, Some(offset)));
                    self.flow.use_as(origin, view, loc);
                }
            }
        }
    }
}

fn pointer_to(ty: TypeId) -> View {
    View {
        ty,
        exact: false,
        reach: 0,
    }
}

/// Whether an address is a value that is kept somewhere, or one of a variable, moved by constants.
fn is_at_a_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(_, x, y) => {
            [x, y].iter().any(|part| part.as_const().is_some()) && [x, y].iter().all(|part| is_at_a_constant(part))
        }
        ExprKind::Cast(x) | ExprKind::Unary(_, x) => is_at_a_constant(x),
        ExprKind::AddrOf(place) => place.proj.iter().all(|step| match step {
            Proj::Field { .. } => true,
            Proj::Index(index) => index.as_const().is_some(),
        }),
        _ => true,
    }
}

impl Division {
    /// Divides the memory of a program. Unifies the types of up to `pairs` casts through `void *`; more are trusted.
    ///
    /// Linear in the program but for casts between different records.
    pub fn new(program: &Program, pairs: usize) -> Division {
        divide(program, pairs)
    }
}
