//! Where a program depends on the addresses that the layout chose.
//!
//! The layout gives every object one fixed address. Most programs cannot tell: equality tells only whether two pointers are the same, an
//! order or a difference is defined only within an object, and an address that goes through an integer back to a pointer, a constant
//! number of bytes further, is still only a pointer. A program depends on the address if it uses a number made of it as a number: compared with another number,
//! masked, kept in a variable, cut to fewer bits; and so can the order of two objects, and whether string literals share bytes, which
//! compilers decide. Each such place is an assumption on which a TRUE rests.
//!
//! Values that are kept as integers are not followed, so the list may be longer than need be, never shorter. One exception is a union or a byte
//! copy that turns the bytes of a pointer into numbers: that is not seen.

use super::assumption::{Assumption, AssumptionKind};
use super::expr::walk;
use super::visit::{Part, visit_op, visit_parts};
use super::*;
use crate::frontend::types::{Type, TypeId, Types};

/// Adds an assumption for each edge whose operation uses an address as a number.
pub fn note(program: &mut Program) {
    let mut found = Vec::new();
    let shared = literals_may_be_shared(program);
    for edge in &program.edges {
        let mut exposed = false;
        visit_parts(&edge.op, &mut |part| match part {
            Part::Value(e) => {
                exposed |= exposes(&program.types, e, false);
                exposed |= shared && compares_characters(&program.types, e);
            }
            Part::Written(place) => exposed |= place_exposes(&program.types, place),
        });
        if exposed {
            found.push(Assumption {
                kind: AssumptionKind::FixedAddresses,
                detail: "the address of an object is used as a number: it is the one that the layout chose".to_owned(),
                loc: edge.loc,
                sound: false,
            });
        }
    }
    program.assumptions.extend(found);
}

/// Whether the value of `e` depends on where objects lie, other than by being an address. `harmless`: what is done with the value
/// makes no use of the number.
fn exposes(types: &Types, e: &Expr, harmless: bool) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => false,
        ExprKind::Load(place) | ExprKind::AddrOf(place) => place_exposes(types, place),
        ExprKind::Cast(x) if types.is_pointer(e.ty) || matches!(types.get(e.ty), Type::Bool) => exposes(types, x, true),
        ExprKind::Cast(x) => {
            let number = is_address(types, x) && !(harmless && keeps(types, e.ty));
            number || exposes(types, x, harmless && keeps(types, e.ty))
        }
        ExprKind::Unary(_, x) => exposes(types, x, false),
        ExprKind::Math(_, operands) => operands.iter().any(|x| exposes(types, x, false)),
        ExprKind::Binary(op, x, y) => {
            let of_pointers = number_of_address(types, x) && number_of_address(types, y);
            let harmless = match op {
                // A difference is defined only within one object.
                BinOp::Sub if of_pointers => true,
                BinOp::Add | BinOp::Sub => harmless,
                BinOp::Eq | BinOp::Ne => of_pointers || is_zero(x) || is_zero(y),
                _ => false,
            };
            let of_address = number_of_address(types, x) || number_of_address(types, y);
            let compared = match op {
                // Some other number than null, or than that of another address.
                BinOp::Eq | BinOp::Ne => of_address && !harmless,
                // An order is defined only within one object.
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                    matches!((root(x), root(y)), (Some(a), Some(b)) if a != b) || (of_address && !of_pointers)
                }
                _ => false,
            };
            compared || exposes(types, x, harmless) || exposes(types, y, harmless)
        }
    }
}

fn place_exposes(types: &Types, place: &Place) -> bool {
    let base = match &place.base {
        PlaceBase::Deref(pointer) => exposes(types, pointer, false),
        PlaceBase::Var(_) => false,
    };
    let index = |step: &Proj| matches!(step, Proj::Index(index) if exposes(types, index, false));
    base || place.proj.iter().any(index)
}

/// The variable that an address plainly lies in.
fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Cast(x) | ExprKind::Binary(BinOp::Add | BinOp::Sub, x, _) => root(x),
        ExprKind::AddrOf(place) => match &place.base {
            PlaceBase::Var(var) => Some(*var),
            PlaceBase::Deref(pointer) => root(pointer),
        },
        _ => None,
    }
}

/// Whether the program has two string literals that are equal, or of which one ends with the other: compilers may give both the same bytes. Equal ones are one
/// variable here, with several uses.
fn literals_may_be_shared(program: &Program) -> bool {
    let mut used = vec![false; program.vars.len()];
    let mut again = false;
    let mut note = |e: &Expr| {
        if let ExprKind::AddrOf(place) = &e.kind
            && let PlaceBase::Var(var) = place.base
            && program.var(var).kind == VarKind::StringLiteral
        {
            again |= std::mem::replace(&mut used[var.index()], true);
        }
    };
    program.edges.iter().for_each(|edge| visit_op(&edge.op, &mut note));
    if again {
        return true;
    }
    let literals = program.vars.iter().filter(|var| var.kind == VarKind::StringLiteral);
    let mut texts: Vec<String> = literals
        .map(|var| var.display.trim_matches('"').chars().rev().collect())
        .collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| pair[1].starts_with(&pair[0]))
}

/// Whether pointers to characters are compared for equality somewhere in an expression.
fn compares_characters(types: &Types, e: &Expr) -> bool {
    let to_character = |e: &Expr| {
        let to = types.pointee(e.ty);
        to.is_some_and(|to| types.size_of(to) == Some(1)) && e.as_const().is_none()
    };
    let mut found = false;
    walk(e, &mut |e| {
        if let ExprKind::Binary(BinOp::Eq | BinOp::Ne, x, y) = &e.kind {
            found |= to_character(x) && to_character(y);
        }
    });
    found
}

/// An address of an object, rather than of a function or a constant.
fn is_address(types: &Types, e: &Expr) -> bool {
    let object = |to: TypeId| !types.is_function(to);
    types.pointee(e.ty).is_some_and(object) && e.as_const().is_none() && !matches!(e.kind, ExprKind::FuncAddr(_))
}

/// An address of an object as an integer that is wide enough.
fn number_of_address(types: &Types, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(x) => keeps(types, e.ty) && (is_address(types, x) || number_of_address(types, x)),
        _ => is_address(types, e),
    }
}

/// Whether an integer type holds every address.
fn keeps(types: &Types, ty: TypeId) -> bool {
    types
        .size_of(ty)
        .is_some_and(|size| size >= types.data_model().pointer_bytes())
}

fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(x) => is_zero(x),
        _ => e.as_const().is_some_and(|c| c.is_zero()),
    }
}
