//! Bytes of memory that nothing has written: the places that are asked about, the questions, and what has to be said of bytes besides.
//!
//! Where a variable has no shadow, and for allocated objects, the analyses follow each byte themselves: a new object is not written, an operation writes the place that it writes, and
//! a copy of bytes or of a structure brings what its original is. The program says the rest with [`Op::Mark`]: a declaration that is passed again, a copy of a single
//! character, and what a function without body may have written.

use super::accesses::{bytes_of, size_type};
use super::{Parts, START};
use crate::cfa::program::*;
use crate::frontend::types::{TypeId, Types};
use std::collections::BTreeSet;

/// The memory whose reads are checked.
pub(super) struct Memory {
    /// Variables, by their bytes.
    vars: BTreeSet<VarId>,
    /// Whether there are bytes at all that nothing has written.
    exists: bool,
}

/// A record that is copied as a whole: from a place to a variable.
struct Copy<'p> {
    to: VarId,
    from: &'p Place,
}

impl Memory {
    /// The memory of a program. `declared`: the variables that are declared without a value and have no shadow. Those of `shadowed` that take part in copies of such memory
    /// lose their shadows.
    pub fn new(parts: &Parts, declared: BTreeSet<VarId>, shadowed: &mut BTreeSet<VarId>) -> Memory {
        let allocates = |edge: &Edge| matches!(edge.op, Op::Allocate { zero: false, .. });
        let exists = !declared.is_empty() || parts.edges.iter().any(allocates);
        let mut memory = Memory { vars: declared, exists };
        if !exists {
            return memory;
        }
        let results: Vec<(Place, Place)> = parts.edges.iter().filter_map(|edge| result(parts, &edge.op)).collect();
        let copies: Vec<Copy<'_>> = parts.edges.iter().flat_map(|edge| copies(parts, &edge.op)).collect();
        let returned = results.iter().filter_map(|(to, from)| match to.base {
            PlaceBase::Var(to) => Some(Copy { to, from }),
            PlaceBase::Deref(_) => None,
        });
        let copies: Vec<Copy<'_>> = copies.into_iter().chain(returned).collect();
        loop {
            let before = memory.vars.len();
            for Copy { to, from } in &copies {
                let source = match from.base {
                    PlaceBase::Var(var) => Some(var),
                    PlaceBase::Deref(_) => None,
                };
                if memory.has(from) {
                    memory.vars.insert(*to);
                } else if memory.vars.contains(to)
                    && let Some(source) = source.filter(|source| shadowed.contains(source))
                {
                    memory.vars.insert(source);
                }
            }
            shadowed.retain(|var| !memory.vars.contains(var));
            if memory.vars.len() == before {
                return memory;
            }
        }
    }

    /// Whether a place may lie among bytes that nothing has written.
    pub fn has(&self, place: &Place) -> bool {
        self.exists
            && match &place.base {
                PlaceBase::Var(var) => self.vars.contains(var),
                PlaceBase::Deref(_) => true,
            }
    }

    /// The question whether a place was written, if its bytes may be some that nothing has written.
    pub fn question(&self, types: &mut Types, place: &Place) -> Option<Inspection> {
        let (ptr, len) = bytes_of(types, place).filter(|_| self.has(place))?;
        Some(Inspection::Written { ptr, len })
    }

    /// Says that nothing has written the place yet that a declaration is about.
    pub fn declared(&self, types: &mut Types, place: &Place) -> Option<Op> {
        let (ptr, len) = bytes_of(types, place).filter(|_| self.has(place))?;
        let written = Expr::int(0, Types::INT);
        Some(mark(ptr, Some(len), written))
    }

    /// Says that a place was written if a number is not 0.
    pub fn copied(&self, types: &mut Types, place: &Place, written: Expr) -> Option<Op> {
        let (ptr, len) = bytes_of(types, place).filter(|_| self.has(place))?;
        Some(mark(ptr, Some(len), written))
    }

    /// Says that a function without body may have written the objects that it gets pointers to.
    pub fn given<'a>(&'a self, types: &'a Types, args: &'a [Expr]) -> impl Iterator<Item = Op> + 'a {
        let pointers = args.iter().filter(|arg| self.exists && types.is_pointer(arg.ty));
        pointers.map(|arg| mark(arg.clone(), None, Expr::int(1, Types::INT)))
    }

    /// The operations at the entry of each function that say nothing has written its variables: a jump may pass a declaration, and parameters have their values already.
    pub fn at_entries(&self, parts: &mut Parts) -> Vec<(FuncId, Op)> {
        let at_entry = |&var: &VarId| {
            let Variable { ty, func, kind, .. } = parts.vars[var.index()];
            let (ptr, len) = bytes_of(&mut parts.types, &Place::var(var, ty))?;
            // An address keeps the variable in memory, where copies bring what their originals are.
            let len = match kind {
                VarKind::Param => Expr::int(0, len.ty),
                _ if func.is_none() => Expr::int(0, len.ty),
                _ => len,
            };
            Some((func.unwrap_or(START), mark(ptr, Some(len), Expr::int(0, Types::INT))))
        };
        self.vars.iter().filter_map(at_entry).collect()
    }

    /// Says that all bytes were written that exist before the program starts.
    pub fn at_start(&self, types: &mut Types) -> Option<Op> {
        let size = size_type(types);
        let (_, all) = expr::range(types.integer(size).expect("an integer type"));
        let null = Expr::int(0, types.pointer_to(Types::CHAR));
        self.exists
            .then(|| mark(null, Some(Expr::int(all, size)), Expr::int(1, Types::INT)))
    }
}

fn mark(ptr: Expr, len: Option<Expr>, written: Expr) -> Op {
    Op::Mark { ptr, len, written }
}

/// Copies of records into variables: by an assignment, or into a parameter.
fn copies<'p>(parts: &Parts, op: &'p Op) -> Vec<Copy<'p>> {
    let copy = |to: VarId, ty: TypeId, value: &'p Expr| match &value.kind {
        ExprKind::Load(from) if !parts.types.is_scalar(ty) => Some(Copy { to, from }),
        _ => None,
    };
    match op {
        Op::Assign { lhs, rhs } => match lhs.base {
            PlaceBase::Var(to) => copy(to, lhs.ty, rhs).into_iter().collect(),
            PlaceBase::Deref(_) => Vec::new(),
        },
        Op::Call { func, args, .. } => {
            let params = parts.functions[func.index()].params.iter().zip(args);
            params
                .filter_map(|(&param, arg)| copy(param, parts.vars[param.index()].ty, arg))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The copy of a record that a function returns, into a variable: from the one that has the result.
fn result(parts: &Parts, op: &Op) -> Option<(Place, Place)> {
    let Op::Call {
        func, ret: Some(to), ..
    } = op
    else {
        return None;
    };
    let from = parts.functions[func.index()].ret?;
    let ty = parts.vars[from.index()].ty;
    let is_record = !parts.types.is_scalar(ty);
    is_record.then(|| (to.clone(), Place::var(from, ty)))
}
