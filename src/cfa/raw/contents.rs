//! Checks of initialisation: reads of variables that nothing has written.
//!
//! C gives a local variable no value before it is written (C11 6.7.9 §10), and reading it then has no meaning (6.3.2.1 §2). A variable that is declared without a value gets a *shadow*:
//! a flag that the declaration clears and every write sets. A structure or an array has a shadow of its own type, with a flag in each member and element, and one more flag for writes of
//! the whole. Before an operation that reads such a variable, a check asks for the flag. Shadows are variables like others, so all analyses know them, and a proof covers them; a violation counts
//! only if the replay, which knows nothing of shadows, finds the bytes unwritten.
//!
//! As in gcc's warnings and in valgrind, to read a value is to use it, with two exceptions that C makes: values of character type may be copied (6.2.6.1 §5), and so may
//! structures as a whole (§6). A copy has the flags of the original.
//!
//! Variables whose address is used, or whose type has unions, bit-fields or the like, have no shadows, and no more have allocated objects: there, [questions](super::bytes) are about bytes of memory.

use super::accesses::Test;
use super::bytes::Memory;
use super::{Parts, START};
use crate::cfa::library::standard::is_standard;
use crate::cfa::program::assumption::{Assumption, AssumptionKind};
use crate::cfa::program::expr;
use crate::cfa::program::visit::{Part, visit_op, visit_parts};
use crate::cfa::program::*;
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{ArrayLen, IntKind, RecordKind, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The shadow of a variable.
#[derive(Clone, Copy)]
struct Shadow {
    /// A flag, or a value of the variable's type with a flag in each leaf.
    flags: VarId,
    /// Of a structure or an array, whether it was written as a whole.
    whole: Option<VarId>,
}

/// Knowledge of the contents of memory and variables.
pub(super) struct Contents {
    /// The variables that have shadows.
    shadows: BTreeMap<VarId, Shadow>,
    memory: Memory,
}

/// The operations around one that keep up what is known of contents.
#[derive(Default)]
pub(super) struct Updates {
    pub before: Vec<Op>,
    pub behind: Vec<Op>,
}

impl Contents {
    /// Makes the shadows, and says of which variables there is no check at all.
    pub(super) fn new(parts: &mut Parts, sources: &SourceMap) -> Contents {
        let candidates = candidates(parts, sources);
        let untracked = untracked(parts, &candidates);
        let (mut shadowed, mut in_memory) = (BTreeSet::new(), BTreeSet::new());
        for (&var, &loc) in &candidates {
            let Variable { ty, ref display, .. } = parts.vars[var.index()];
            match untracked.get(&var) {
                Some(Why::Enclosed) => {
                    let detail = format!("`{display}` counts as initialised: another function uses it");
                    parts.assumptions.push(unchecked(detail, loc));
                }
                None if is_trackable(&parts.types, ty, true) => {
                    shadowed.insert(var);
                }
                Some(Why::Bytes) | None => {
                    in_memory.insert(var);
                }
            }
        }
        let memory = Memory::new(parts, in_memory, &mut shadowed);
        let mut shadows = BTreeMap::new();
        for var in shadowed {
            let Variable { ty, func, .. } = parts.vars[var.index()];
            let func = func.expect("a local variable has a function");
            let loc = candidates[&var];
            let name = format!("$set {}", parts.vars[var.index()].display);
            let (flag_ty, whole) = match parts.types.is_scalar(ty) {
                true => (Types::INT, None),
                false => (
                    ty,
                    Some(parts.add_temporary(func, format!("{name}/whole{}", var.index()), Types::INT, loc)),
                ),
            };
            let flags = parts.add_temporary(func, format!("{name}/{}", var.index()), flag_ty, loc);
            shadows.insert(var, Shadow { flags, whole });
        }
        Contents { shadows, memory }
    }

    /// The tests that an operation reads nothing which nothing has written, in the order of the reads.
    pub(super) fn tests(&self, types: &mut Types, op: &Op) -> Vec<Test> {
        let mut found = Vec::new();
        let copied = copied_character(types, op);
        visit_parts(op, &mut |part| match part {
            Part::Value(value) => match copied {
                Some(place) => self.indices(types, place, &mut found),
                None => self.reads(types, value, &mut found),
            },
            Part::Written(place) => self.indices(types, place, &mut found),
        });
        found
    }

    fn reads(&self, types: &mut Types, value: &Expr, found: &mut Vec<Test>) {
        match &value.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) => {
                self.indices(types, place, found);
                let test = self.test(types, place).filter(|test| !found.contains(test));
                found.extend(test);
            }
            ExprKind::AddrOf(place) => self.indices(types, place, found),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => self.reads(types, x, found),
            ExprKind::Binary(_, x, y) => {
                self.reads(types, x, found);
                self.reads(types, y, found);
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.reads(types, x, found)),
        }
    }

    /// The test that something has written a scalar.
    fn test(&self, types: &mut Types, place: &Place) -> Option<Test> {
        if !types.is_scalar(place.ty) {
            return None;
        }
        match self.is_set(types, place) {
            Some(is_set) => {
                let zero = Expr::int(0, Types::INT);
                Some(Test::Not(expr::binary(types, BinOp::Eq, is_set, zero, Types::INT)))
            }
            None => self.memory.question(types, place).map(Test::Ask),
        }
    }

    /// The reads that find out which place it is.
    fn indices(&self, types: &mut Types, place: &Place, found: &mut Vec<Test>) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.reads(types, pointer, found);
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.reads(types, index, found);
            }
        }
    }

    /// A number that is 0 if nothing has written a scalar; `None` if it has no shadow.
    fn is_set(&self, types: &Types, place: &Place) -> Option<Expr> {
        let shadow = self.shadow(place)?;
        let Some(whole) = shadow.whole else {
            return Some(Expr::load(Place::var(shadow.flags, Types::INT)));
        };
        let flag = Expr::load(flag_of(shadow, place));
        let zero = expr::zero(types, flag.ty);
        let own = expr::binary(types, BinOp::Ne, flag, zero, Types::INT);
        let whole = Expr::load(Place::var(whole, Types::INT));
        Some(expr::binary(types, BinOp::Add, whole, own, Types::INT))
    }

    fn shadow(&self, place: &Place) -> Option<Shadow> {
        match place.base {
            PlaceBase::Var(var) => self.shadows.get(&var).copied(),
            PlaceBase::Deref(_) => None,
        }
    }

    /// The operations that keep up what is known of contents around an operation of a function.
    pub(super) fn updates(&self, parts: &mut Parts, func: FuncId, op: &Op) -> Updates {
        let mut found = Updates::default();
        match op {
            Op::Havoc {
                place,
                source: Input::Uninitialised,
            } => {
                self.clear(&parts.types, place, &mut found.behind);
                found.behind.extend(self.memory.declared(&mut parts.types, place));
            }
            Op::Assign { lhs, rhs } => match copied_character(&parts.types, op) {
                Some(place) if is_character(&parts.types, lhs.ty) => {
                    self.character_copied(parts, func, (lhs, place), &mut found);
                }
                _ => self.assigned(&parts.types, lhs, rhs, &mut found.behind),
            },
            _ => visit_parts(op, &mut |part| {
                if let Part::Written(place) = part {
                    self.set(&parts.types, place, &mut found.behind);
                }
            }),
        }
        if let Op::External { func, args, .. } = op
            && !is_standard(&parts.functions[func.index()].name)
        {
            found.before.extend(self.memory.given(&parts.types, args));
        }
        found
    }

    /// A character is copied: the copy was written if the original was.
    fn character_copied(&self, parts: &mut Parts, func: FuncId, (lhs, rhs): (&Place, &Place), found: &mut Updates) {
        let (to, from) = (self.shadow(lhs), self.shadow(rhs));
        let may_be_unwritten = from.is_some() || self.memory.has(rhs);
        if !may_be_unwritten || (to.is_none() && !self.memory.has(lhs)) {
            return self.set(&parts.types, lhs, &mut found.behind);
        }
        let loc = parts.functions[func.index()].loc;
        let temporary = |parts: &mut Parts, what: &str, ty: TypeId| {
            let display = format!("$copied {what}{}", parts.vars.len());
            Place::var(parts.add_temporary(func, display, ty, loc), ty)
        };
        let written = temporary(parts, "character", Types::INT);
        match self.is_set(&parts.types, rhs) {
            Some(is_set) => {
                let zero = Expr::int(0, Types::INT);
                let value = expr::binary(&parts.types, BinOp::Ne, is_set, zero, Types::INT);
                found.before.push(assign(written.clone(), value));
            }
            None => {
                let question = self.memory.question(&mut parts.types, rhs).expect("it is memory");
                let lhs = written.clone();
                found.before.push(Op::Inspect { lhs, question });
            }
        }
        let written = Expr::load(written);
        let Some(to) = to else {
            // The address is that from before the assignment.
            let ty = parts.types.pointer_to(lhs.ty);
            let address = temporary(parts, "to", ty);
            let kind = ExprKind::AddrOf(lhs.clone());
            found.before.push(assign(address.clone(), Expr { ty, kind }));
            let copy = Place {
                base: PlaceBase::Deref(Box::new(Expr::load(address))),
                proj: Vec::new(),
                ty: lhs.ty,
                bits: None,
            };
            return found
                .behind
                .extend(self.memory.copied(&mut parts.types, &copy, written));
        };
        let flag = match to.whole {
            None => Place::var(to.flags, Types::INT),
            Some(_) => flag_of(to, lhs),
        };
        let value = expr::cast(&parts.types, written, flag.ty);
        found.behind.push(assign(flag, value));
    }

    /// Nothing is written yet.
    fn clear(&self, types: &Types, place: &Place, found: &mut Vec<Op>) {
        let Some(shadow) = self.shadow(place) else { return };
        match (place.as_whole_var(), shadow.whole) {
            (Some(_), Some(whole)) => {
                found.push(Op::Zero {
                    place: Place::var(shadow.flags, place.ty),
                });
                found.push(assign(Place::var(whole, Types::INT), Expr::int(0, Types::INT)));
            }
            (Some(_), None) => found.push(assign(Place::var(shadow.flags, Types::INT), Expr::int(0, Types::INT))),
            (None, _) => {
                let flag = flag_of(shadow, place);
                let zero = expr::zero(types, flag.ty);
                found.push(assign(flag, zero));
            }
        }
    }

    fn set(&self, types: &Types, place: &Place, found: &mut Vec<Op>) {
        let Some(shadow) = self.shadow(place) else { return };
        let flag = match (place.as_whole_var(), shadow.whole) {
            (Some(_), Some(whole)) => Place::var(whole, Types::INT),
            (Some(_), None) => Place::var(shadow.flags, Types::INT),
            (None, _) => flag_of(shadow, place),
        };
        let one = expr::cast(types, Expr::int(1, Types::INT), flag.ty);
        found.push(assign(flag, one));
    }

    /// An assignment writes, or copies a structure that may not be written.
    fn assigned(&self, types: &Types, lhs: &Place, rhs: &Expr, found: &mut Vec<Op>) {
        let Some(to) = self.shadow(lhs) else { return };
        let original = match &rhs.kind {
            ExprKind::Load(place) => self.shadow(place).map(|shadow| (place, shadow)),
            _ => None,
        };
        match original {
            // Of whole structures, all flags.
            Some((place, from)) if !types.is_scalar(lhs.ty) && place.as_whole_var().is_some() => {
                let (Some(to_whole), Some(from_whole)) = (to.whole, from.whole) else {
                    return;
                };
                let [target, source] = [to.flags, from.flags].map(|flags| Place::var(flags, lhs.ty));
                found.push(assign(target, Expr::load(source)));
                let [target, source] = [to_whole, from_whole].map(|flag| Place::var(flag, Types::INT));
                found.push(assign(target, Expr::load(source)));
            }
            _ => self.set(types, lhs, found),
        }
    }

    /// The operations that say of each function where it is entered that nothing has written its variables: a jump may pass a declaration.
    pub(super) fn at_entries(&self, parts: &mut Parts) -> Vec<(FuncId, Op)> {
        let mut found = Vec::new();
        for &var in self.shadows.keys() {
            let Variable { ty, func, .. } = parts.vars[var.index()];
            let mut ops = Vec::new();
            self.clear(&parts.types, &Place::var(var, ty), &mut ops);
            let func = func.expect("a local variable has a function");
            found.extend(ops.into_iter().map(|op| (func, op)));
        }
        found.extend(self.memory.at_entries(parts));
        found.extend(self.memory.at_start(&mut parts.types).map(|op| (START, op)));
        found
    }
}

fn assign(lhs: Place, rhs: Expr) -> Op {
    Op::Assign { lhs, rhs }
}

fn unchecked(detail: String, loc: Loc) -> Assumption {
    Assumption {
        kind: AssumptionKind::Memory,
        detail,
        loc,
        sound: false,
    }
}

/// The flag of a member or an element.
fn flag_of(shadow: Shadow, place: &Place) -> Place {
    Place {
        base: PlaceBase::Var(shadow.flags),
        proj: place.proj.clone(),
        ty: place.ty,
        bits: None,
    }
}

fn is_character(types: &Types, ty: TypeId) -> bool {
    matches!(
        types.get(ty),
        Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar)
    )
}

/// The place whose character an assignment copies as it is.
fn copied_character<'o>(types: &Types, op: &'o Op) -> Option<&'o Place> {
    match op {
        Op::Assign { rhs, .. } => match &rhs.kind {
            ExprKind::Load(place) if is_character(types, place.ty) => Some(place),
            _ => None,
        },
        _ => None,
    }
}

/// The variables of the program that are declared without a value, with the place of the declaration.
fn candidates(parts: &Parts, sources: &SourceMap) -> BTreeMap<VarId, Loc> {
    let mut found = BTreeMap::new();
    for edge in &parts.edges {
        let Op::Havoc {
            place,
            source: Input::Uninitialised,
        } = &edge.op
        else {
            continue;
        };
        let Some(var) = place.as_whole_var() else { continue };
        let Variable { kind, func, .. } = parts.vars[var.index()];
        let is_own = func.is_some_and(|func| !parts.functions[func.index()].library);
        if kind == VarKind::Local && is_own && edge.loc.is_some() && !sources.in_library(edge.loc) {
            found.entry(var).or_insert(edge.loc);
        }
    }
    found
}

/// Why a shadow cannot follow a variable.
#[derive(Clone, Copy, PartialEq)]
enum Why {
    /// Another function uses it, in which it is defined.
    Enclosed,
    /// Its address is used, or parts of it are moved as bytes.
    Bytes,
}

/// Of the variables those that a shadow cannot follow.
fn untracked(parts: &Parts, candidates: &BTreeMap<VarId, Loc>) -> FxHashMap<VarId, Why> {
    let types = &parts.types;
    let mut found: FxHashMap<VarId, Why> = FxHashMap::default();
    let base = |place: &Place| match place.base {
        PlaceBase::Var(var) if candidates.contains_key(&var) => Some(var),
        _ => None,
    };
    for edge in &parts.edges {
        let func = parts.nodes[edge.from.index()].func;
        let mut note = |place: &Place| {
            let Some(var) = base(place) else { return };
            if parts.vars[var.index()].func != Some(func) {
                found.insert(var, Why::Enclosed);
            }
            if place.as_whole_var().is_none() && !types.is_scalar(place.ty) {
                found.entry(var).or_insert(Why::Bytes);
            }
        };
        visit_op(&edge.op, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                note(place);
            }
        });
        visit_parts(&edge.op, &mut |part| {
            if let Part::Written(place) = part {
                note(place);
            }
        });
        visit_op(&edge.op, &mut |e| {
            if let ExprKind::AddrOf(place) = &e.kind
                && let Some(var) = base(place)
            {
                found.entry(var).or_insert(Why::Bytes);
            }
        });
        // What a copy of a structure holds elsewhere is not followed.
        let mut passed = |value: &Expr| {
            if let ExprKind::Load(place) = &value.kind
                && let Some(var) = base(place)
                && !types.is_scalar(place.ty)
            {
                found.entry(var).or_insert(Why::Bytes);
            }
        };
        match &edge.op {
            Op::Assign { lhs, rhs } if base(lhs).is_none() => passed(rhs),
            Op::Call { args, .. } | Op::External { args, .. } => args.iter().for_each(passed),
            _ => {}
        }
    }
    spread(parts, candidates, &mut found);
    found
}

/// A structure that is copied to one without a shadow is not followed either.
fn spread(parts: &Parts, candidates: &BTreeMap<VarId, Loc>, found: &mut FxHashMap<VarId, Why>) {
    loop {
        let before = found.len();
        for edge in &parts.edges {
            if let Op::Assign { lhs, rhs } = &edge.op
                && let (PlaceBase::Var(to), ExprKind::Load(place)) = (&lhs.base, &rhs.kind)
                && let PlaceBase::Var(from) = place.base
                && candidates.contains_key(&from)
                && found.contains_key(to)
                && !parts.types.is_scalar(lhs.ty)
            {
                found.entry(from).or_insert(Why::Bytes);
            }
        }
        if found.len() == before {
            return;
        }
    }
}

/// Whether a shadow can have the type. Flags in structures and arrays need integers or pointers.
fn is_trackable(types: &Types, ty: TypeId, is_whole: bool) -> bool {
    match types.get(ty) {
        Type::Record(id) => {
            let record = types.record(*id);
            record.kind == RecordKind::Struct
                && !record.variable
                && record
                    .fields
                    .iter()
                    .all(|field| field.bits.is_none() && is_trackable(types, field.ty, false))
        }
        Type::Array {
            elem,
            len: ArrayLen::Fixed(len),
        } => *len > 0 && is_trackable(types, *elem, false),
        Type::Float(_) => is_whole,
        _ => types.integer(ty).is_some(),
    }
}
