//! Hidden reads: reads of memory that a slice does not follow. Each gets a new variable with any value.
//!
//! The state of a driver's locks is in a few global variables, while its conditions read objects on
//! the heap thousands of times. Most proofs do not need these values. So the reads of memory that pointers reach may be *hidden* (localization reduction,
//! Kurshan 1994, applied to memory): then neither writes to it nor the computations of addresses belong to the
//! slice. The slice has more paths than the program, so only TRUE carries over.

use super::data::Cells;
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;

/// The variables for the hidden reads of a program.
pub(super) struct Hidden {
    /// The variables, which come behind those of the program.
    pub vars: Vec<Variable>,
    /// Assignments whose right sides may be anything.
    pub copies: usize,
    first: usize,
}

/// The hidden reads of one location, with the variables that stand for them.
pub(super) struct Reads {
    func: FuncId,
    loc: Loc,
    /// The place that is read, and the variable.
    pub found: Vec<(Place, Place)>,
}

impl Reads {
    pub fn new(func: FuncId, loc: Loc) -> Reads {
        let found = Vec::new();
        Reads { func, loc, found }
    }
}

impl Hidden {
    pub fn new(program: &Program) -> Hidden {
        Hidden {
            vars: Vec::new(),
            copies: 0,
            first: program.vars.len(),
        }
    }

    /// The operation without hidden reads. The same read at one location gets the same variable.
    pub fn operation(&mut self, cells: &Cells<'_>, op: Op, reads: &mut Reads) -> Op {
        match op {
            Op::Assign { lhs, rhs } if cells.copies_unknown(&rhs) => {
                self.copies += 1;
                let place = self.place(cells, &lhs, reads);
                let source = Input::LeftOut;
                return Op::Havoc { place, source };
            }
            _ => {}
        }
        let mut expr = |e: &Expr| self.expr(cells, e, reads);
        match op {
            Op::Assume { cond, truth } => Op::Assume {
                cond: expr(&cond),
                truth,
            },
            Op::Assign { lhs, rhs } => Op::Assign {
                rhs: expr(&rhs),
                lhs: self.place(cells, &lhs, reads),
            },
            Op::Zero { place } => Op::Zero {
                place: self.place(cells, &place, reads),
            },
            Op::Havoc { place, source } => Op::Havoc {
                place: self.place(cells, &place, reads),
                source,
            },
            Op::Call { func, args, ret } => Op::Call {
                func,
                args: args.iter().map(expr).collect(),
                ret: ret.map(|place| self.place(cells, &place, reads)),
            },
            Op::External { func, args, ret } => Op::External {
                func,
                args: args.iter().map(expr).collect(),
                ret: ret.map(|place| self.place(cells, &place, reads)),
            },
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => Op::Allocate {
                size: expr(&size),
                lhs: self.place(cells, &lhs, reads),
                zero,
                kind,
                may_fail,
            },
            Op::Inspect { lhs, mut question } => {
                question.values_mut().for_each(|e| *e = expr(e));
                let lhs = self.place(cells, &lhs, reads);
                Op::Inspect { lhs, question }
            }
            Op::Free { ptr, kind } => Op::Free { ptr: expr(&ptr), kind },
            Op::MemSet { dst, byte, len } => Op::MemSet {
                dst: expr(&dst),
                byte: expr(&byte),
                len: expr(&len),
            },
            Op::MemCopy { dst, src, len } => Op::MemCopy {
                dst: expr(&dst),
                src: expr(&src),
                len: expr(&len),
            },
            Op::Mark { ptr, len, written } => Op::Mark {
                ptr: expr(&ptr),
                len: len.as_ref().map(&mut expr),
                written: expr(&written),
            },
            Op::Asm { outputs, memory, text } => Op::Asm {
                outputs: outputs.iter().map(|place| self.place(cells, place, reads)).collect(),
                memory,
                text,
            },
            op @ (Op::Nop | Op::Label(_) | Op::Bypass(_)) => op,
        }
    }

    fn expr(&mut self, cells: &Cells<'_>, e: &Expr, reads: &mut Reads) -> Expr {
        let kind = match &e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => e.kind.clone(),
            ExprKind::Load(place) if cells.is_hidden(place) => ExprKind::Load(self.stand_in(place, reads)),
            ExprKind::Load(place) => ExprKind::Load(self.place(cells, place, reads)),
            ExprKind::AddrOf(place) => ExprKind::AddrOf(self.place(cells, place, reads)),
            ExprKind::Unary(op, x) => ExprKind::Unary(*op, Box::new(self.expr(cells, x, reads))),
            ExprKind::Cast(x) => ExprKind::Cast(Box::new(self.expr(cells, x, reads))),
            ExprKind::Binary(op, x, y) => {
                let x = self.expr(cells, x, reads);
                ExprKind::Binary(*op, Box::new(x), Box::new(self.expr(cells, y, reads)))
            }
            ExprKind::Math(op, operands) => {
                let operands = operands.iter().map(|x| self.expr(cells, x, reads));
                ExprKind::Math(*op, operands.collect())
            }
        };
        Expr { ty: e.ty, kind }
    }

    fn place(&mut self, cells: &Cells<'_>, place: &Place, reads: &mut Reads) -> Place {
        let base = match &place.base {
            PlaceBase::Var(v) => PlaceBase::Var(*v),
            PlaceBase::Deref(pointer) => PlaceBase::Deref(Box::new(self.expr(cells, pointer, reads))),
        };
        let step = |step: &Proj| match step {
            Proj::Index(index) => Proj::Index(Box::new(self.expr(cells, index, reads))),
            Proj::Field { record, field } => Proj::Field {
                record: *record,
                field: *field,
            },
        };
        Place {
            base,
            proj: place.proj.iter().map(step).collect(),
            ty: place.ty,
            bits: place.bits,
        }
    }

    /// The variable for a read.
    fn stand_in(&mut self, place: &Place, reads: &mut Reads) -> Place {
        if let Some((_, variable)) = reads.found.iter().find(|(known, _)| known == place) {
            return variable.clone();
        }
        let display = format!("$hidden{}", self.vars.len());
        let id = VarId::new(self.first + self.vars.len());
        self.vars.push(Variable {
            name: display.clone(),
            display,
            ty: place.ty,
            kind: VarKind::Temp,
            func: Some(reads.func),
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc: reads.loc,
        });
        let variable = Place::var(id, place.ty);
        reads.found.push((place.clone(), variable.clone()));
        variable
    }
}
