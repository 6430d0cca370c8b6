//! The objects that expressions touch, as data of [`order`](super::order).

use crate::cfa::program::scalar::Class;
use crate::frontend::syntax::ast;
use crate::frontend::types::{RecordId, TypeId};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A variable of the program: a global one, or a local one of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Name {
    Global(ast::GlobalId),
    Local(ast::FuncId, ast::LocalId),
}

/// An object that is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Spot {
    /// A variable, or this member of it.
    Variable(Name, Option<u32>),
    /// A member of a record behind a pointer.
    Member(RecordId, u32),
    /// A scalar behind a pointer.
    Scalar(Class, u64),
    /// Any bytes behind a pointer.
    Bytes,
}

/// The objects that an expression or function touches.
#[derive(Default, Debug)]
pub(super) struct Touched {
    pub(super) reads: BTreeSet<Spot>,
    pub(super) writes: BTreeSet<Spot>,
    /// Functions that are called.
    pub(super) calls: BTreeSet<ast::FuncId>,
    /// The types of functions that are called through pointers.
    pub(super) types: BTreeSet<TypeId>,
    /// Variables whose address is taken.
    pub(super) taken: BTreeSet<Name>,
}

impl Touched {
    pub(super) fn add(&mut self, other: &Touched) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
        self.types.extend(&other.types);
    }
}

/// The knowledge of the program's expressions.
#[derive(Default)]
pub(super) struct Order {
    /// The objects and functions that pointers may reach; computed when first needed.
    pub(super) taken: Option<Rc<Taken>>,
    /// The objects that a function touches itself.
    pub(super) own: FxHashMap<ast::FuncId, Rc<Touched>>,
}

#[derive(Default)]
pub(super) struct Taken {
    pub(super) globals: FxHashSet<ast::GlobalId>,
    /// Local variables are not told apart by functions here.
    pub(super) locals: FxHashSet<ast::LocalId>,
    /// Those whose address a nested function takes.
    pub(super) captured: FxHashSet<(ast::FuncId, ast::LocalId)>,
    pub(super) members: FxHashSet<(TypeId, u32)>,
    pub(super) functions: FxHashMap<TypeId, Vec<ast::FuncId>>,
}
