//! Strongest postconditions of abstract variable assignments, exact on machine integers.
//!
//! Expressions are evaluated by the constructors that fold constants exactly ([`expr`]), so that there is one meaning of the machine's arithmetic: with constants for their operands, they give the
//! constant. Operations that have no value there (division by zero, shifts that are too wide) give any value, as all of floating point does.
//!
//! Memory is that of path formulas: a cell is known by its region and its address. A write to an unknown address forgets the region that it is in, and a write of bytes all
//! regions that they may lie in. The cells of a region that is seen in more than one way are unknown.
//!
//! An assumption that is an equation of a cell with a constant says what the cell is; one that is false under the assignment has no successor.

use super::assignment::{Assignment, Cell};
use crate::cfa::analysis::domain_types::Cells;
use crate::cfa::memory_types::in_memory;
use crate::cfa::program::expr;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{BinOp, Expr, ExprKind, HEAP_BASE, Op, Place, PlaceBase, Program, Proj, Step, VarId};
use crate::encode::{Encoder, Frame, MemoryCell, SlotId};
use crate::frontend::types::IntInfo;
use provident_smt::fault::planted;
use provident_smt::num::Int;

/// Elements of an array that become 0 one by one; of longer ones nothing is known then.
const MAX_ELEMENTS: u64 = 64;

/// The operator of strongest postconditions.
#[derive(Clone, Copy)]
pub struct Post<'a, 'p> {
    encoder: &'a Encoder<'p>,
    program: &'p Program,
}

impl<'a, 'p> Post<'a, 'p> {
    /// The operator for the encoder's program.
    pub fn new(encoder: &'a Encoder<'p>) -> Self {
        Post {
            encoder,
            program: encoder.program(),
        }
    }

    /// The names of cells.
    pub fn encoder(&self) -> &'a Encoder<'p> {
        self.encoder
    }

    /// Applies a step to an assignment. Returns whether there is a successor. Only an assumption may have none; it leaves the assignment as it is then.
    pub fn apply(&self, values: &mut Assignment, step: Step, frame: Frame) -> bool {
        let program = self.program;
        match (&program.edge(step.edge()).op, step) {
            (Op::Call { func, args, .. }, Step::Enter(_)) => {
                self.enter(values, &program.function(*func).params, args, frame);
            }
            (Op::Call { func, ret, .. }, Step::Leave(_)) => {
                if let Some(ret) = ret {
                    self.leave(values, ret, program.function(*func).ret, frame);
                }
            }
            (Op::Call { ret, .. }, Step::Edge(_)) => self.forget_all(values, ret, frame.caller),
            (Op::Assume { cond, truth }, _) => return self.assume(values, cond, *truth, frame.caller),
            (op, _) => self.operation(values, op, frame.caller),
        }
        true
    }

    fn operation(&self, values: &mut Assignment, op: &Op, depth: u32) {
        match op {
            Op::Nop
            | Op::Label(_)
            | Op::Bypass(_)
            | Op::Free { .. }
            | Op::Mark { .. }
            | Op::Call { .. }
            | Op::Assume { .. } => {}
            Op::Assign { lhs, rhs } => self.assign(values, lhs, rhs, (depth, depth)),
            Op::Zero { place } => self.zero(values, place, depth),
            Op::Havoc { place, .. } => self.forget(values, place, depth),
            Op::External { ret, .. } => self.forget_all(values, ret, depth),
            Op::Allocate { lhs, .. } => {
                // The new object may have any content. Heap addresses begin behind the variables but for big ones.
                values.retain(|cell| cell.address.is_none_or(|address| address < HEAP_BASE));
                self.forget(values, lhs, depth);
            }
            Op::Inspect { lhs, .. } => self.forget(values, lhs, depth),
            Op::MemSet { dst, len, .. } => self.forget_bytes(values, &[dst], len),
            Op::MemCopy { dst, src, len } => self.forget_bytes(values, &[dst, src], len),
            Op::Asm { outputs, memory, .. } => {
                if *memory {
                    values.forget_memory();
                }
                self.forget_all(values, outputs, depth);
            }
        }
    }

    fn assume(&self, values: &mut Assignment, cond: &Expr, truth: bool, depth: u32) -> bool {
        match self.value(values, cond, depth) {
            Some(value) => value.is_zero() != truth,
            None => {
                let (cond, truth) = expr::condition(&self.program.types, cond.clone(), truth);
                self.learn(values, &cond, truth, depth);
                true
            }
        }
    }

    /// Notes what an assumption of unknown truth says of a cell.
    fn learn(&self, values: &mut Assignment, cond: &Expr, truth: bool, depth: u32) {
        let (operand, value) = match &cond.kind {
            ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), left, right) if (*op == BinOp::Eq) == truth => {
                match (self.value(values, left, depth), self.value(values, right, depth)) {
                    (None, Some(value)) => (&**left, value),
                    (Some(value), None) => (&**right, value),
                    _ => return,
                }
            }
            ExprKind::Load(_) | ExprKind::Cast(_) if !truth => (cond, Int::ZERO),
            _ => return,
        };
        let Some((place, value)) = self.solve(operand, value) else {
            return;
        };
        if let Some((cell, scalar)) = self.cell(values, place, depth)
            && is_number(scalar)
        {
            values.set(cell, Some(value));
        }
    }

    /// The place that an expression reads, and the value that it must have for the expression to have this value: below conversions that keep different values apart.
    fn solve<'e>(&self, operand: &'e Expr, value: Int) -> Option<(&'e Place, Int)> {
        match &operand.kind {
            ExprKind::Load(place) => Some((place, value)),
            ExprKind::Cast(inner) => {
                let types = &self.program.types;
                let (to, from) = (types.integer(operand.ty)?, types.integer(inner.ty)?);
                if to.width < from.width || to.width == 1 {
                    return None;
                }
                let before = expr::wrap(&value, from);
                // Otherwise no value of the inner expression gives this one, and the assumption is false: that is for others to find.
                let after = expr::cast(types, Expr::int(before.clone(), inner.ty), operand.ty);
                (after.as_const() == Some(&value)).then(|| self.solve(inner, before))?
            }
            _ => None,
        }
    }

    fn enter(&self, values: &mut Assignment, params: &[VarId], args: &[Expr], frame: Frame) {
        // All arguments are evaluated before a parameter changes: in a recursive call they may be the same variables.
        let before = values.clone();
        for (&param, arg) in params.iter().zip(args) {
            let place = Place::var(param, self.program.var(param).ty);
            self.assign_from(values, &before, &place, arg, (frame.callee, frame.caller));
        }
    }

    fn leave(&self, values: &mut Assignment, ret: &Place, result: Option<VarId>, frame: Frame) {
        let Some(result) = result else {
            return self.forget(values, ret, frame.caller);
        };
        let ty = self.program.var(result).ty;
        let result = Expr::load(Place::var(result, ty));
        let converted = if Scalar::of(&self.program.types, ret.ty).is_some() {
            expr::cast(&self.program.types, result, ret.ty)
        } else {
            result
        };
        self.assign(values, ret, &converted, (frame.caller, frame.callee));
    }

    /// An assignment; the depths are those of the frames of both sides.
    fn assign(&self, values: &mut Assignment, lhs: &Place, rhs: &Expr, depths: (u32, u32)) {
        let before = values.clone();
        self.assign_from(values, &before, lhs, rhs, depths);
    }

    fn assign_from(
        &self,
        values: &mut Assignment,
        before: &Assignment,
        lhs: &Place,
        rhs: &Expr,
        (to, from): (u32, u32),
    ) {
        if Scalar::of(&self.program.types, lhs.ty).is_some() {
            let value = self.value(before, rhs, from);
            return self.store(values, lhs, value, to);
        }
        // Of records, only plain variables are followed.
        let source = match &rhs.kind {
            ExprKind::Load(place) => self.encoder.plain_scalars(place, from),
            _ => None,
        };
        match (self.encoder.plain_scalars(lhs, to), source) {
            (Some(to), Some(from)) if to.len() == from.len() => {
                for ((to, _), (from, _)) in to.into_iter().zip(from) {
                    values.set(Cell::plain(to), before.get(Cell::plain(from)).cloned());
                }
            }
            _ => self.forget(values, lhs, to),
        }
    }

    fn zero(&self, values: &mut Assignment, place: &Place, depth: u32) {
        if let Some(scalars) = self.encoder.plain_scalars(place, depth) {
            for (slot, scalar) in scalars {
                values.set(Cell::plain(slot), is_number(scalar).then_some(Int::ZERO));
            }
        } else if Scalar::of(&self.program.types, place.ty).is_some() {
            self.store(values, place, Some(Int::ZERO), depth);
        } else {
            self.forget(values, place, depth);
            self.zero_members(values, place, depth);
        }
    }

    /// The members of an object in memory become 0, if it is known which they are.
    fn zero_members(&self, values: &mut Assignment, place: &Place, depth: u32) {
        let address = self.address(values, place, depth);
        let Some(base) = address.and_then(|address| u64::try_from(address.to_i128()?).ok()) else {
            return;
        };
        for (leaf, cell) in self.encoder.memory_members(place) {
            let MemoryCell::Whole(slot) = cell else { continue };
            let size = leaf.scalar.size;
            let count = match leaf.array {
                false => 1,
                true if leaf.step == size && leaf.extent / size <= MAX_ELEMENTS => leaf.extent / size,
                true => continue,
            };
            if !is_number(leaf.scalar) {
                continue;
            }
            for element in 0..count {
                let address = Some(base + leaf.offset + element * size);
                values.set(Cell { slot, address }, Some(Int::ZERO));
            }
        }
    }

    /// A scalar place gets a value, or any one.
    fn store(&self, values: &mut Assignment, place: &Place, value: Option<Int>, depth: u32) {
        match self.cell(values, place, depth) {
            Some((cell, scalar)) => {
                let narrowed = value.filter(|_| is_number(scalar)).map(|value| narrow(&value, scalar));
                values.set(cell, narrowed);
            }
            None => self.forget(values, place, depth),
        }
    }

    /// A place gets any value.
    fn forget(&self, values: &mut Assignment, place: &Place, depth: u32) {
        if let Some(scalars) = self.encoder.plain_scalars(place, depth) {
            if planted("value-not-forgotten") {
                return;
            }
            scalars
                .into_iter()
                .for_each(|(slot, _)| values.set(Cell::plain(slot), None));
            return;
        }
        if let Some((cell, _)) = self.cell(values, place, depth) {
            return values.set(cell, None);
        }
        let mut regions = Vec::new();
        self.encoder.of_place(place, &mut regions);
        self.forget_regions(values, regions);
    }

    fn forget_all<'e>(&self, values: &mut Assignment, places: impl IntoIterator<Item = &'e Place>, depth: u32) {
        places.into_iter().for_each(|place| self.forget(values, place, depth));
    }

    fn forget_bytes(&self, values: &mut Assignment, pointers: &[&Expr], len: &Expr) {
        let mut regions = Vec::new();
        self.encoder.of_bytes(pointers, len, &mut regions);
        self.forget_regions(values, regions.into_iter().map(Some));
    }

    fn forget_regions(&self, values: &mut Assignment, regions: impl IntoIterator<Item = Option<usize>>) {
        for region in regions {
            match region {
                Some(region) => values.forget_region(SlotId(u32::try_from(region).expect("the number of a slot"))),
                None => values.forget_memory(),
            }
        }
    }

    /// The cell of a scalar place, if the assignment says which one that is.
    fn cell(&self, values: &Assignment, place: &Place, depth: u32) -> Option<(Cell, Scalar)> {
        if !in_memory(self.program, place) {
            let scalars = self.encoder.plain_scalars(place, depth)?;
            let [(slot, scalar)] = scalars[..] else { return None };
            return Some((Cell::plain(slot), scalar));
        }
        let scalar = Scalar::of(&self.program.types, place.ty)?;
        let MemoryCell::Whole(slot) = self.encoder.memory_cell(place) else {
            return None;
        };
        let address = u64::try_from(self.address(values, place, depth)?.to_i128()?).ok()?;
        Some((
            Cell {
                slot,
                address: Some(address),
            },
            scalar,
        ))
    }

    /// The address of a place in memory, without wrap-around, as path formulas have it.
    fn address(&self, values: &Assignment, place: &Place, depth: u32) -> Option<Int> {
        let program = self.program;
        let types = &program.types;
        let (mut address, mut ty) = match &place.base {
            PlaceBase::Var(var) if self.encoder.moves(*var) => return None,
            PlaceBase::Var(var) => (
                Int::from(i128::from(program.address_at(*var, depth)?)),
                program.var(*var).ty,
            ),
            PlaceBase::Deref(pointer) => (
                self.value(values, pointer, depth)?,
                types.pointee(pointer.ty).unwrap_or(place.ty),
            ),
        };
        for step in &place.proj {
            match step {
                Proj::Field { record, field } => {
                    let member = types.record(*record).fields.get(usize::try_from(*field).ok()?)?;
                    address = &address + &Int::from(i128::from(member.offset));
                    ty = member.ty;
                }
                Proj::Index(index) => {
                    ty = types.element(ty)?;
                    let size = Int::from(i128::from(types.size_of(ty)?));
                    address = &address + &(&self.value(values, index, depth)? * &size);
                }
            }
        }
        Some(address)
    }

    /// The value of an expression that is an integer, a pointer or a truth value, if the assignment decides it.
    pub fn value(&self, values: &Assignment, e: &Expr, depth: u32) -> Option<Int> {
        let types = &self.program.types;
        types.integer(e.ty)?;
        let constant = |e: &Expr| Some(Expr::int(self.value(values, e, depth)?, e.ty));
        let folded = match &e.kind {
            ExprKind::Const(value) => return Some(value.clone()),
            ExprKind::Float(_) => return None,
            ExprKind::Load(place) => {
                let (cell, _) = self.cell(values, place, depth)?;
                return values.get(cell).cloned();
            }
            ExprKind::AddrOf(place) => {
                let address = self.address(values, place, depth)?;
                return Some(expr::wrap(&address, types.integer(e.ty)?));
            }
            ExprKind::FuncAddr(function) => {
                return Some(Int::from(i128::from(self.program.function(*function).address)));
            }
            ExprKind::Unary(op, operand) => expr::unary(types, *op, constant(operand)?),
            ExprKind::Binary(op, left, right) => expr::binary(types, *op, constant(left)?, constant(right)?, e.ty),
            ExprKind::Cast(operand) => expr::cast(types, constant(operand)?, e.ty),
            ExprKind::Math(op, operands) => {
                let operands: Option<Vec<Expr>> = operands.iter().map(constant).collect();
                expr::math(types, *op, operands?, e.ty)
            }
        };
        folded.as_const().cloned()
    }
}

/// Whether values are numbers here.
fn is_number(scalar: Scalar) -> bool {
    matches!(scalar.class, Class::Int | Class::Bool | Class::Pointer)
}

/// The value that a scalar holds after an assignment: a bit-field keeps the low bits.
fn narrow(value: &Int, scalar: Scalar) -> Int {
    let info = IntInfo {
        width: scalar.width,
        signed: scalar.signed,
    };
    expr::wrap(value, info)
}
