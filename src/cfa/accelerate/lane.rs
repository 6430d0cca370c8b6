//! A lane: operations that take a loop through many turns along one path.
//!
//! It begins with the first turn and ends with the last one, both as the program has them. In between stands the leap: a number of turns is chosen, and the variables that move get the values that
//! they have after as many turns. The conditions of the turns in between hold because those of the first and the last one do, and because the variables that they test do not wrap around.

use super::form::{Form, times};
use super::turn::{Motion, Turn, signed};
use crate::cfa::program::expr::{binary, cast, range, unary};
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntInfo, IntKind, TypeId, Types};

/// The turns of a leap at most: with them, sums of numbers of 32 bits are numbers of 64 bits.
const MOST_TURNS: u64 = 1 << 31;
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
        for var in &self.steady {
            let Some(Motion::Uniform(by)) = self.motions.get(var) else {
                return None;
            };
            ops.extend(self.stays_in_range(*var, by, &turns)?);
        }
        // What is accelerated depends on where the others are before the leap.
        let is_uniform = |motion: &Motion| matches!(motion, Motion::Uniform(_));
        for pass in [false, true] {
            for (&var, motion) in self.motions.iter().filter(|(_, motion)| is_uniform(motion) == pass) {
                let ty = self.program.var(var).ty;
                let rhs = match motion {
                    Motion::Uniform(by) => self.later(var, by, &turns)?,
                    Motion::Accelerated { now, growth } => {
                        let wide = wide_of(types, ty)?;
                        let count = cast(types, turns.clone(), wide);
                        let before = binary(types, BinOp::Sub, count.clone(), Expr::int(1, wide), wide);
                        let pairs = binary(types, BinOp::Mul, count, before, wide);
                        let pairs = binary(types, BinOp::Div, pairs, Expr::int(2, wide), wide);
                        let mut by = self.sum(now, wide)?;
                        by = product(types, &turns, by, wide);
                        let growth = cast(types, cast(types, growth.clone(), signed(types, ty)?), wide);
                        let grown = binary(types, BinOp::Mul, pairs, growth, wide);
                        by = binary(types, BinOp::Add, by, grown, wide);
                        let at = cast(types, Expr::load(Place::var(var, ty)), wide);
                        cast(types, binary(types, BinOp::Add, at, by, wide), ty)
                    }
                };
                let lhs = Place::var(var, ty);
                ops.push(Op::Assign { lhs, rhs });
            }
        }
        Some(ops)
    }

    /// The value of a variable that moves uniformly after some turns.
    fn later(&self, var: VarId, by: &Expr, turns: &Expr) -> Option<Expr> {
        let types = &self.program.types;
        let ty = self.program.var(var).ty;
        Some(cast(types, self.far(var, by, turns, wide_of(types, ty)?)?, ty))
    }

    /// The same in a wide type, where it is a number of more bits if the variable has at most 32.
    fn far(&self, var: VarId, by: &Expr, turns: &Expr, wide: TypeId) -> Option<Expr> {
        let types = &self.program.types;
        let ty = self.program.var(var).ty;
        let by = cast(types, cast(types, by.clone(), signed(types, ty)?), wide);
        let at = cast(types, Expr::load(Place::var(var, ty)), wide);
        Some(binary(types, BinOp::Add, at, product(types, turns, by, wide), wide))
    }

    /// The conditions that a variable that moves uniformly does not wrap around.
    fn stays_in_range(&self, var: VarId, by: &Expr, turns: &Expr) -> Option<Vec<Op>> {
        let types = &self.program.types;
        let ty = self.program.var(var).ty;
        let info = types.integer(ty)?;
        let (least, greatest) = range(info);
        let by_number = by.as_const().map(|number| {
            let number = number.to_i128().expect("it has at most 64 bits");
            IntInfo { signed: true, ..info }.wrap(number)
        });
        if by_number == Some(0) {
            return Some(Vec::new());
        }
        if info.width <= NARROW {
            let wide = wide_of(types, ty)?;
            let far = self.far(var, by, turns, wide)?;
            let at_most = binary(types, BinOp::Le, far.clone(), Expr::int(greatest, wide), Types::INT);
            let at_least = binary(types, BinOp::Ge, far, Expr::int(least, wide), Types::INT);
            return Some(match by_number {
                Some(1..) => vec![assumed(at_most)],
                Some(_) => vec![assumed(at_least)],
                None => vec![assumed(at_least), assumed(at_most)],
            });
        }
        // The distance to the end of the range, as a number without sign, is enough for so many turns.
        let by = by_number?;
        let unsigned = Types::int(IntKind::ULongLong);
        let number = |value| cast(types, value, unsigned);
        let (end, at) = match by > 0 {
            true => (greatest, Expr::load(Place::var(var, ty))),
            false => (least, Expr::load(Place::var(var, ty))),
        };
        let end = Expr::int(end, ty);
        let (from, to) = if by > 0 { (at, end) } else { (end, at) };
        let distance = binary(types, BinOp::Sub, number(to), number(from), unsigned);
        let size = Expr::int(i128::from(u64::try_from(by.unsigned_abs()).ok()?), unsigned);
        let enough = binary(types, BinOp::Div, distance, size, unsigned);
        Some(vec![assumed(binary(
            types,
            BinOp::Le,
            number(turns.clone()),
            enough,
            Types::INT,
        ))])
    }

    /// A form as an expression of a wide type.
    fn sum(&self, form: &Form, wide: TypeId) -> Option<Expr> {
        let types = &self.program.types;
        let mut sum = cast(types, form.rest.clone(), wide);
        for (&var, &factor) in &form.terms {
            let at = cast(types, Expr::load(Place::var(var, self.program.var(var).ty)), wide);
            let part = times(types, at, factor);
            sum = binary(types, BinOp::Add, sum, part, wide);
        }
        Some(sum)
    }
}

fn assumed(cond: Expr) -> Op {
    Op::Assume { cond, truth: true }
}

/// A number of turns times a number.
fn product(types: &Types, turns: &Expr, by: Expr, wide: TypeId) -> Expr {
    match by.as_const().and_then(|by| by.to_i128()) {
        Some(0) => by,
        Some(1) => cast(types, turns.clone(), wide),
        Some(-1) => unary(types, UnOp::Neg, cast(types, turns.clone(), wide)),
        _ => binary(types, BinOp::Mul, cast(types, turns.clone(), wide), by, wide),
    }
}

/// The type of 64 bits in which the values of a variable are computed: with a sign, so that numbers of fewer bits stay numbers.
fn wide_of(types: &Types, ty: TypeId) -> Option<TypeId> {
    signed(types, ty)?;
    Some(Types::int(IntKind::LongLong))
}
