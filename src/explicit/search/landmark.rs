//! Landmarks: the constants that a program compares its variables with.
//!
//! They cut the values of a variable into intervals, in each of which all these comparisons have one answer. Two states at one place whose variables are
//! in the same intervals go the same way at least as far as the next assignments, so that of two states that wait, the one of a *kind* that
//! was seen less often promises more that is new. Nothing but the order of an exploration depends on kinds.

use crate::cfa::program::visit::visit_op;
use crate::cfa::{BinOp, Expr, ExprKind, Op, Place};
use crate::explicit::Value;
use crate::explicit::compiled::code::{Scalar, Slot};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::question::mirrored;
use crate::explicit::value::arith::{bounds, number};
use crate::explicit::value::object::mix;

/// The landmarks of the plain variables of a program.
pub struct Landmarks {
    globals: Vec<Slots>,
    /// Of each function's frame.
    frames: Vec<Vec<Slots>>,
}

/// Where the intervals of one slot begin, ascending; the first one begins with the least number of the type.
type Slots = Vec<i128>;

impl Landmarks {
    /// Collects them. Linear in the size of the program.
    pub fn new(code: &Compiled<'_>) -> Landmarks {
        let program = code.program;
        let slots = |count: usize| vec![Slots::new(); count];
        let mut landmarks = Landmarks {
            globals: slots(code.statics.slots),
            frames: program.function_ids().map(|f| slots(code.frame(f).slots)).collect(),
        };
        for edge in &program.edges {
            let func = program.node(edge.from).func;
            let mut note = |(place, begins): (&Place, Slots)| {
                let slots = match code.plain_slot(func, place) {
                    Some(Slot::Global(at)) => &mut landmarks.globals[at],
                    Some(Slot::Local(at)) => &mut landmarks.frames[func.index()][at],
                    None => return,
                };
                slots.extend(begins);
            };
            if let Op::Assume { cond, .. } = &edge.op
                && let Some(place) = loaded(cond)
            {
                note((place, vec![0, 1]));
            }
            visit_op(&edge.op, &mut |expr| comparison(expr).into_iter().for_each(&mut note));
        }
        let Landmarks { globals, frames } = &mut landmarks;
        for slots in globals.iter_mut().chain(frames.iter_mut().flatten()) {
            slots.sort_unstable();
            slots.dedup();
        }
        landmarks
    }

    /// The kind of a state: a hash of its node, the open functions, and the intervals of the static variables and of those of the innermost frame.
    pub fn kind(&self, code: &Compiled<'_>, state: &State) -> u64 {
        let mut kind = u64::from(state.node.0);
        for frame in &state.below {
            kind = mix(kind, u64::from(frame.func.0));
        }
        let mut interval = |begins: &Slots, value: Value, scalar: Scalar| {
            let Scalar::Int(info) = scalar else {
                return;
            };
            if begins.is_empty() {
                return;
            }
            let (lo, hi) = match state.settled(value, info.width) {
                Value::Bits(bits) => (number(bits, info), number(bits, info)),
                Value::Symbol { id, plus: 0 } => state.facts.range(id),
                Value::Symbol { .. } | Value::Unknown => bounds(info),
                // Addresses are no numbers; they are above all constants.
                Value::Pointer { .. } => (i128::MAX, i128::MAX),
            };
            for end in [lo, hi] {
                let place = begins.partition_point(|begin| *begin <= end);
                kind = mix(kind, u64::try_from(place).expect("a position fits"));
            }
        };
        for ((begins, &value), &scalar) in self.globals.iter().zip(state.globals.iter()).zip(&code.statics.scalars) {
            interval(begins, value, scalar);
        }
        let top = &state.top;
        let (begins, scalars) = (&self.frames[top.func.index()], &code.frame(top.func).scalars);
        for &slot in code.live_slots(state.node) {
            interval(&begins[slot], top.slots[slot], scalars[slot]);
        }
        kind
    }
}

/// The place that is compared with a constant, and where the intervals begin that the comparison tells apart.
fn comparison(expr: &Expr) -> Option<(&Place, Slots)> {
    let ExprKind::Binary(op, left, right) = &expr.kind else {
        return None;
    };
    let (place, constant, op) = match (loaded(left), loaded(right)) {
        (Some(place), None) => (place, right, *op),
        (None, Some(place)) => (place, left, mirrored(*op)),
        _ => return None,
    };
    let ExprKind::Const(constant) = &constant.kind else {
        return None;
    };
    let constant = constant.to_i128()?;
    let begins = match op {
        BinOp::Eq | BinOp::Ne => vec![constant, constant.checked_add(1)?],
        BinOp::Lt | BinOp::Ge => vec![constant],
        BinOp::Le | BinOp::Gt => vec![constant.checked_add(1)?],
        _ => return None,
    };
    Some((place, begins))
}

/// The place whose content an expression is, converted or not.
fn loaded(expr: &Expr) -> Option<&Place> {
    match &expr.kind {
        ExprKind::Load(place) => Some(place),
        ExprKind::Cast(inner) => loaded(inner),
        _ => None,
    }
}
