//! A lane: operations that take a loop through many turns along one path.
//!
//! It begins with the first turn and ends with the last one, both as the program has them. In between stands the leap: a number of turns is chosen, and the variables that move get the values that
//! they have after as many turns. The conditions of the turns in between hold because those of the first and the last one do, and because the variables that they test do not wrap around.

use super::form::{Form, signed_number};
use super::turn::{Motion, Turn};
use crate::cfa::program::expr::{binary, cast, range, unary};
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntInfo, IntKind, TypeId, Types};
use std::iter::repeat;

/// The turns of a leap at most: with them, sums of numbers of 32 bits are numbers of 64 bits.
const MOST_TURNS: u64 = 1 << 31;
/// The type in which places of variables are computed: with a sign, so that numbers of fewer bits stay numbers.
const WIDE: TypeId = Types::int(IntKind::LongLong);
/// Numbers of at most so many bits times a number of turns are numbers of 64 bits.
const NARROW: u32 = 32;

/// The operations of a lane.
pub(super) struct Lane {
    pub ops: Vec<(Op, Loc)>,
    /// The position of the operation that chooses the number of turns in between.
    pub choice: usize,
}

/// One side of an inequation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

impl Turn<'_> {
    /// The lanes for the turns along a path: one for each way in which its inequations hold. `turns` is a variable for the number of turns, of type `unsigned int`; a lane takes at most
    /// `longest` steps. `None` for motions that cannot be written down.
    pub fn lanes(&self, path: &[EdgeId], turns: VarId, longest: u64) -> Option<Vec<Lane>> {
        let length = u64::try_from(path.len()).expect("a short path");
        let most = (longest / length).min(MOST_TURNS);
        (0..1 << self.sides.len())
            .map(|sides: usize| self.lane(path, (turns, most), sides))
            .collect()
    }

    fn lane(&self, path: &[EdgeId], turns: (VarId, u64), sides: usize) -> Option<Lane> {
        let mut ops = Vec::new();
        for (position, &edge) in path.iter().enumerate() {
            ops.push(self.operation_of(position, edge, sides));
            for (_, place, kept) in self.inputs.iter().filter(|(at, ..)| *at == position) {
                let (lhs, rhs) = (Place::var(*kept, place.ty), Expr::load(place.clone()));
                ops.push((Op::Assign { lhs, rhs }, self.program.edge(edge).loc));
            }
        }
        let loc = self.program.edge(path[0]).loc;
        let choice = ops.len();
        ops.extend(self.leap(turns)?.into_iter().map(|op| (op, loc)));
        ops.extend(
            path.iter()
                .enumerate()
                .map(|(position, &edge)| self.operation_of(position, edge, sides)),
        );
        Some(Lane { ops, choice })
    }

    /// The operation of the path at a position, where the bits of `sides` say how inequations hold.
    fn operation_of(&self, position: usize, edge: EdgeId, sides: usize) -> (Op, Loc) {
        let Edge { op, loc, .. } = self.program.edge(edge);
        let op = match (self.sides.iter().position(|at| *at == position), op) {
            (Some(nth), Op::Assume { cond, .. }) => {
                let side = if sides >> nth & 1 == 0 {
                    Side::Below
                } else {
                    Side::Above
                };
                self.on_side(cond, side)
            }
            _ => op.clone(),
        };
        (op, *loc)
    }

    /// The condition that the first of two numbers that differ is on one side of the second.
    fn on_side(&self, cond: &Expr, side: Side) -> Op {
        let types = &self.program.types;
        let (a, b) = match &cond.kind {
            ExprKind::Unary(UnOp::LogNot, inner) => return self.on_side(inner, side),
            ExprKind::Binary(BinOp::Eq | BinOp::Ne, a, b) => ((**a).clone(), (**b).clone()),
            _ => (cond.clone(), Expr::int(0, cond.ty)),
        };
        let op = if side == Side::Below { BinOp::Lt } else { BinOp::Gt };
        Op::Assume {
            cond: binary(types, op, a, b, Types::INT),
            truth: true,
        }
    }

    /// The operations from behind the first turn to the beginning of the last one.
    fn leap(&self, (turns, most): (VarId, u64)) -> Option<Vec<Op>> {
        let types = &self.program.types;
        let turns = Place::var(turns, Types::UINT);
        let source = Input::Choice("how many turns a loop takes".to_owned());
        let mut ops = vec![Op::Havoc {
            place: turns.clone(),
            source,
        }];
        let turns = Expr::load(turns);
        let bound = |op, number: i128| binary(types, op, turns.clone(), Expr::int(number, Types::UINT), Types::INT);
        ops.push(assumed(bound(BinOp::Ge, 1)));
        ops.push(assumed(bound(BinOp::Le, most.into())));
        let steady = self.steady.iter().zip(repeat(false));
        for (form, is_tested) in steady.chain(self.tested.iter().zip(repeat(true))) {
            for op in self.stays_in_range(form, is_tested, &turns)? {
                if !ops.contains(&op) {
                    ops.push(op);
                }
            }
        }
        // The motion of what is accelerated depends on where the others are before the leap.
        let is_uniform = |motion: &Motion| matches!(motion, Motion::Uniform(_));
        for pass in [false, true] {
            for (&var, motion) in self.motions.iter().filter(|(_, motion)| is_uniform(motion) == pass) {
                let place = Place::var(var, self.program.var(var).ty);
                let at = Expr::load(place.clone());
                let far = match motion {
                    Motion::Uniform(by) => far(types, at, by, &turns)?,
                    Motion::Accelerated { now, growth } => self.grown(at, now, growth, &turns)?,
                };
                let rhs = cast(types, far, place.ty);
                ops.push(Op::Assign { lhs: place, rhs });
            }
        }
        Some(ops)
    }

    /// A number after `k` turns of which the first adds `now`, and each later one `growth` more: it has `k * now + k * (k - 1) / 2 * growth` more, modulo 2^64.
    fn grown(&self, at: Expr, now: &Form, growth: &Expr, turns: &Expr) -> Option<Expr> {
        let types = &self.program.types;
        let wide = |op, a, b| binary(types, op, a, b, WIDE);
        let count = cast(types, turns.clone(), WIDE);
        let before = wide(BinOp::Sub, count.clone(), Expr::int(1, WIDE));
        let pairs = wide(BinOp::Div, wide(BinOp::Mul, count, before), Expr::int(2, WIDE));
        let growth = wide(BinOp::Mul, pairs, signed_number(types, growth.clone(), WIDE)?);
        let now = cast(types, now.value(self.program), WIDE);
        let by = wide(BinOp::Add, product(types, turns, now), growth);
        Some(wide(BinOp::Add, cast(types, at, WIDE), by))
    }

    /// The conditions that a form does not wrap around in some turns, and if it is tested, that it has not wrapped around in the turn before.
    fn stays_in_range(&self, form: &Form, is_tested: bool, turns: &Expr) -> Option<Vec<Op>> {
        let types = &self.program.types;
        let info = types.integer(form.ty)?;
        let by = self.speed(form)?;
        let number = by
            .as_const()
            .map(|number| number.to_i128().expect("it has at most 64 bits"));
        let number = number.map(|number| IntInfo { signed: true, ..info }.wrap(number));
        if number == Some(0) {
            return Some(Vec::new());
        }
        match info.width <= NARROW {
            true => self.narrow_stays(form, &by, is_tested, turns),
            false => self.wide_stays(form, number?, is_tested, turns),
        }
    }

    /// The same for at most 32 bits: 64 bits show where it would be.
    fn narrow_stays(&self, form: &Form, by: &Expr, is_tested: bool, turns: &Expr) -> Option<Vec<Op>> {
        let types = &self.program.types;
        let (least, greatest) = range(types.integer(form.ty)?);
        let at = form.value(self.program);
        let by = signed_number(types, by.clone(), WIDE)?;
        let within = |end: &Expr, ahead: bool| {
            // A number that rises stays below the end of the range.
            let rises = by.as_const().map(|by| by.is_negative() != ahead);
            let bounds = [(BinOp::Ge, &least, Some(true)), (BinOp::Le, &greatest, Some(false))];
            let bounds = bounds
                .into_iter()
                .filter(|(.., is_needless)| rises.is_none() || *is_needless != rises);
            let assumed = bounds.map(|(op, bound, _)| {
                let bound = Expr::int(bound.clone(), WIDE);
                assumed(binary(types, op, end.clone(), bound, Types::INT))
            });
            assumed.collect::<Vec<Op>>()
        };
        let mut ops = within(&far(types, at.clone(), &by, turns)?, true);
        if is_tested {
            let before = binary(types, BinOp::Sub, cast(types, at, WIDE), by.clone(), WIDE);
            ops.extend(within(&before, false));
        }
        Some(ops)
    }

    /// The same for 64 bits: the distance to the end of the range, as a number without sign, is enough for so many turns.
    fn wide_stays(&self, form: &Form, by: i128, is_tested: bool, turns: &Expr) -> Option<Vec<Op>> {
        let types = &self.program.types;
        let unsigned = Types::int(IntKind::ULongLong);
        let (least, greatest) = range(types.integer(form.ty)?);
        let at = form.value(self.program);
        let end = |number| Expr::int(number, form.ty);
        let distance = |from: &Expr, to: &Expr| {
            let [from, to] = [from, to].map(|end| cast(types, end.clone(), unsigned));
            binary(types, BinOp::Sub, to, from, unsigned)
        };
        let below = distance(&end(least), &at);
        let above = distance(&at, &end(greatest));
        let (ahead, behind) = if by > 0 { (above, below) } else { (below, above) };
        let size = Expr::int(i128::from(u64::try_from(by.unsigned_abs()).ok()?), unsigned);
        let enough = binary(types, BinOp::Div, ahead, size.clone(), unsigned);
        let turns = cast(types, turns.clone(), unsigned);
        let mut bounds = vec![assumed(binary(types, BinOp::Le, turns, enough, Types::INT))];
        if is_tested {
            bounds.push(assumed(binary(types, BinOp::Ge, behind, size, Types::INT)));
        }
        Some(bounds)
    }
}

fn assumed(cond: Expr) -> Op {
    Op::Assume { cond, truth: true }
}

/// A number of turns times a number.
fn product(types: &Types, turns: &Expr, by: Expr) -> Expr {
    match by.as_const().and_then(|by| by.to_i128()) {
        Some(0) => by,
        Some(1) => cast(types, turns.clone(), WIDE),
        Some(-1) => unary(types, UnOp::Neg, cast(types, turns.clone(), WIDE)),
        _ => binary(types, BinOp::Mul, cast(types, turns.clone(), WIDE), by, WIDE),
    }
}

/// A number of an integer type after some turns that add the same to it, in 64 bits. Nothing is lost if the type has at most 32 bits and the turns are as few as in lanes.
fn far(types: &Types, at: Expr, by: &Expr, turns: &Expr) -> Option<Expr> {
    let by = signed_number(types, by.clone(), WIDE)?;
    let at = cast(types, at, WIDE);
    Some(binary(types, BinOp::Add, at, product(types, turns, by), WIDE))
}
