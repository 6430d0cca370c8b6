//! From the program to [`code`](super::code), node by node when a path first gets there.
//!
//! Compilation keeps the meaning that [`crate::cfa::program`] gives. An operation without form becomes `Unmodelled`, `Any` or `Opaque`, never
//! an approximation by another value.
//!
//! | module | does |
//! |---|---|
//! | `shape` | the scalars that types consist of |
//! | `function` | functions of scalars, floating-point expressions among them |
//! | `wide` | expressions of more than 64 bits |

mod function;
mod shape;
mod wide;

use super::code::*;
use crate::cfa::analysis::live::Live;
use crate::cfa::{
    BinOp, EdgeId, Expr, ExprKind, FuncId, Input, Inspection, NodeId, Op, Place, PlaceBase, Program, Proj, UnOp, VarId,
    VarKind, Watcher,
};
use crate::explicit::value::arith::{convert, low_bits, mask, pattern};
use crate::frontend::types::{IntInfo, TypeId};
use provident_smt::hash::FxHashSet;
use shape::{element_size, is_composite, leaves, plain_slots, scalar, slot_count, slots_of};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
enum Home {
    /// In slots from here on, of static storage or of a function's frame.
    Slots(usize),
    /// In the object of this number: of all static ones, or of those of a frame.
    Object(u32),
}

/// The program, compiled as far as it was needed.
pub struct Compiled<'p> {
    /// The program.
    pub program: &'p Program,
    homes: Vec<Home>,
    /// Static objects.
    pub statics: FrameShape,
    frames: Vec<FrameShape>,
    nodes: Vec<OnceCell<NodeCode>>,
    live: Vec<OnceCell<Live>>,
    live_slots: Vec<OnceCell<Vec<usize>>>,
    /// The plain variables of each function's frame.
    plain: Vec<Vec<VarId>>,
    /// The type of pointers as integers.
    pub pointer: IntInfo,
    /// The watchers that are not tracked.
    untracked: BTreeSet<Watcher>,
    /// Whether the program asks which heap objects exist: then each variable may be read at any time, and each heap object counts.
    pub counts_objects: bool,
    /// Whether the program asks which bytes were written.
    pub follows_contents: bool,
    /// If it does, the variables that stand for what was left out.
    stand_ins: FxHashSet<VarId>,
}

/// The function of a compiled place, for the check that its variables are in the frame.
type Here = FuncId;

impl<'p> Compiled<'p> {
    /// The program with all that is woven in. Lays out slots and objects. Linear in the number of variables.
    pub fn new(program: &'p Program) -> Self {
        Compiled::without(program, BTreeSet::new())
    }

    /// The program without the operations that track some watchers.
    pub fn without(program: &'p Program, untracked: BTreeSet<Watcher>) -> Self {
        let mut compiled = Compiled {
            program,
            homes: Vec::new(),
            statics: FrameShape::default(),
            frames: vec![FrameShape::default(); program.functions.len()],
            nodes: program.nodes.iter().map(|_| OnceCell::new()).collect(),
            live: program.functions.iter().map(|_| OnceCell::new()).collect(),
            live_slots: program.nodes.iter().map(|_| OnceCell::new()).collect(),
            plain: vec![Vec::new(); program.functions.len()],
            pointer: IntInfo {
                width: if program.types.data_model().pointer_bytes() == 8 {
                    64
                } else {
                    32
                },
                signed: false,
            },
            untracked,
            counts_objects: program.asks_for_heap(),
            follows_contents: program.asks_for_contents(),
            stand_ins: match program.asks_for_contents() {
                true => program.stand_ins(),
                false => FxHashSet::default(),
            },
        };
        for id in program.var_ids() {
            let var = program.var(id);
            let shape = match var.func {
                Some(func) => &mut compiled.frames[func.index()],
                None => &mut compiled.statics,
            };
            let home = if var.in_memory {
                let size = var.size(&program.types).unwrap_or(0);
                shape.objects.push((id, size, element_size(&program.types, var.ty)));
                Home::Object(u32::try_from(shape.objects.len() - 1).expect("fewer than 2^32 variables"))
            } else {
                let first = shape.slots;
                let slots = plain_slots(&program.types, var.ty);
                shape.scalars.extend(slots.iter().map(|(_, scalar)| *scalar));
                shape.slots = shape.scalars.len();
                assert_eq!(slots.len(), slot_count(&program.types, var.ty), "slots are counted");
                if let Some(func) = var.func {
                    compiled.plain[func.index()].push(id);
                }
                Home::Slots(first)
            };
            compiled.homes.push(home);
        }
        compiled
    }

    /// The slots of a frame of a function.
    pub fn frame(&self, func: FuncId) -> &FrameShape {
        &self.frames[func.index()]
    }

    /// A node, compiled when first asked for.
    pub fn node(&self, id: NodeId) -> &NodeCode {
        self.nodes[id.index()].get_or_init(|| self.compile_node(id))
    }

    /// The slots of the function's frame that may still be read behind a node.
    pub fn live_slots(&self, id: NodeId) -> &[usize] {
        self.live_slots[id.index()].get_or_init(|| {
            let func = self.program.node(id).func;
            let live = self.live[func.index()].get_or_init(|| Live::analyse(self.program, func));
            let mut slots = Vec::new();
            for &var in &self.plain[func.index()] {
                let Home::Slots(first) = self.homes[var.index()] else {
                    continue;
                };
                if self.counts_objects || live.is_live(id, var) {
                    slots.extend(first..first + slot_count(&self.program.types, self.program.var(var).ty));
                }
            }
            slots
        })
    }

    /// The slot of a scalar in a plain variable, as the function's frame sees it; `None` for places in memory.
    pub fn plain_slot(&self, func: FuncId, place: &Place) -> Option<Slot> {
        self.slot(func, place).ok().flatten()
    }

    /// For each slot of a function's frame, or of static storage, the variable and the number of the scalar in it.
    pub fn owners(&self, func: Option<FuncId>) -> Vec<(VarId, usize)> {
        let program = self.program;
        let mut owners = Vec::new();
        for var in program.var_ids().filter(|&var| program.var(var).func == func) {
            if let Home::Slots(first) = self.homes[var.index()] {
                assert_eq!(
                    owners.len(),
                    first,
                    "slots follow each other in the order of the variables"
                );
                let slots = plain_slots(&program.types, program.var(var).ty);
                owners.extend(slots.iter().map(|(leaf, _)| (var, *leaf)));
            }
        }
        owners
    }

    fn compile_node(&self, id: NodeId) -> NodeCode {
        let program = self.program;
        let node = program.node(id);
        let function = program.function(node.func);
        let recursive_entry = function.entry == id && function.recursive;
        let next = if function.exit == id {
            Next::Leave
        } else {
            self.next(node.func, &self.ways(&node.outgoing))
        };
        NodeCode {
            next,
            stop: node.loop_head || recursive_entry || node.incoming.len() > 1,
            loop_head: node.loop_head,
            cut: node.loop_head || recursive_entry,
        }
    }

    /// The edges that are taken: around a watcher that is not tracked, and through what tracks the others.
    fn ways(&self, outgoing: &[EdgeId]) -> Vec<EdgeId> {
        let bypass = |edge: EdgeId| match self.program.edge(edge).op {
            Op::Bypass(watcher) => Some(watcher),
            _ => None,
        };
        let around = outgoing
            .iter()
            .find(|&&edge| bypass(edge).is_some_and(|watcher| self.untracked.contains(&watcher)));
        match around {
            Some(&edge) => vec![edge],
            None => outgoing
                .iter()
                .copied()
                .filter(|&edge| bypass(edge).is_none())
                .collect(),
        }
    }

    fn next(&self, here: Here, edges: &[EdgeId]) -> Next {
        let program = self.program;
        if let &[a, b] = edges
            && let (
                Op::Assume { cond, truth },
                Op::Assume {
                    cond: other,
                    truth: otherwise,
                },
            ) = (&program.edge(a).op, &program.edge(b).op)
            && truth != otherwise
            && cond == other
        {
            let (yes, no) = if *truth { (a, b) } else { (b, a) };
            let ends = [(yes, program.edge(yes).to), (no, program.edge(no).to)];
            let (code, scalar) = self.condition(here, cond);
            return Next::Branch(code, scalar, ends);
        }
        let edge = |&id: &EdgeId| {
            let edge = program.edge(id);
            EdgeCode {
                id,
                to: edge.to,
                action: self.action(here, &edge.op).unwrap_or_else(Action::Unmodelled),
            }
        };
        match edges {
            [] => Next::Stuck,
            [one] => Next::Edge(edge(one)),
            many => Next::Edges(many.iter().map(edge).collect()),
        }
    }

    fn scalar(&self, ty: TypeId) -> Scalar {
        scalar(&self.program.types, ty)
    }

    /// The class of a scalar at a place. Long bit-fields are not tracked.
    fn place_scalar(&self, place: &Place) -> Scalar {
        match (self.scalar(place.ty), place.bits) {
            (Scalar::Wide(_), Some(_)) => Scalar::Opaque,
            (scalar, _) => scalar,
        }
    }

    fn info(&self, ty: TypeId) -> Option<IntInfo> {
        match self.scalar(ty) {
            Scalar::Int(info) => Some(info),
            Scalar::Wide(_) | Scalar::Word(_) | Scalar::Opaque => None,
        }
    }

    fn action(&self, here: Here, op: &Op) -> Result<Action, &'static str> {
        Ok(match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => Action::Nop,
            Op::Assume { cond, truth } => {
                let (code, scalar) = self.condition(here, cond);
                Action::Assume(code, scalar, *truth)
            }
            Op::Assign { lhs, rhs } => Action::Assign(self.dest(here, lhs)?, self.source(here, rhs)?),
            Op::Zero { place } => Action::Zero(self.dest(here, place)?),
            Op::Havoc {
                place,
                source: Input::LeftOut,
            } if self.follows_contents => Action::LeftOut(self.dest(here, place)?),
            Op::Havoc { place, .. } => Action::Havoc(vec![self.dest(here, place)?]),
            Op::External { ret, .. } => match ret {
                Some(place) => Action::Havoc(vec![self.dest(here, place)?]),
                None => Action::Nop,
            },
            Op::Asm { outputs, .. } => {
                let dests: Result<Vec<Dest>, _> = outputs.iter().map(|place| self.dest(here, place)).collect();
                Action::Havoc(dests?)
            }
            Op::Call { func, args, ret } => {
                let callee = self.program.function(*func);
                let whole = |var: VarId| Place::var(var, self.program.var(var).ty);
                let mut passed = Vec::new();
                for (arg, &param) in args.iter().zip(&callee.params) {
                    passed.push((self.source(here, arg)?, self.dest(*func, &whole(param))?));
                }
                let ret = match ret {
                    Some(place) => {
                        let result = callee.ret.map(|var| self.source(*func, &Expr::load(whole(var))));
                        Some((result.transpose()?, self.dest(here, place)?))
                    }
                    None => None,
                };
                Action::Call(Box::new(Call {
                    callee: *func,
                    args: passed,
                    ret,
                }))
            }
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => Action::Allocate(Box::new(Allocate {
                dest: self.dest(here, lhs)?,
                size: self.code(here, size),
                zero: *zero,
                kind: *kind,
                may_fail: *may_fail,
            })),
            Op::Inspect { lhs, question } => {
                Action::Inspect(Box::new((self.dest(here, lhs)?, self.query(here, question))))
            }
            Op::Free { ptr, kind } => Action::Free(self.code(here, ptr), *kind),
            Op::Mark { ptr, len, written } => Action::Mark(Box::new((
                self.code(here, ptr),
                len.as_ref().map(|len| self.code(here, len)),
                self.code(here, written),
            ))),
            Op::MemSet { dst, byte, len } => Action::Fill(Box::new((
                self.code(here, dst),
                self.code(here, byte),
                self.code(here, len),
            ))),
            Op::MemCopy { dst, src, len } => Action::Copy(Box::new((
                self.code(here, dst),
                self.code(here, src),
                self.code(here, len),
            ))),
        })
    }

    fn query(&self, here: Here, question: &Inspection) -> Query {
        match question {
            Inspection::Size(ptr) => Query::Size(self.code(here, ptr)),
            Inspection::Accessible { ptr, len, write } => Query::Accessible {
                ptr: self.code(here, ptr),
                len: self.code(here, len),
                write: *write,
            },
            Inspection::Written { ptr, len } => Query::Written {
                ptr: self.code(here, ptr),
                len: self.code(here, len),
            },
            Inspection::Releasable(ptr) => Query::Releasable(self.code(here, ptr)),
            Inspection::Tracked => Query::Tracked,
            Inspection::Released => Query::Released,
        }
    }

    fn dest(&self, here: Here, place: &Place) -> Result<Dest, &'static str> {
        if is_composite(&self.program.types, place.ty) {
            let leaves = leaves(&self.program.types, place.ty);
            return Ok(Dest::Record(Box::new(self.record(here, place)?), leaves));
        }
        let scalar = self.place_scalar(place);
        match self.slot(here, place)? {
            Some(slot) => Ok(Dest::Slot(slot, scalar, place.bits.map(|b| b.width))),
            None => Ok(Dest::Memory(Box::new(self.target(here, place)?), scalar)),
        }
    }

    fn source(&self, here: Here, expr: &Expr) -> Result<Source, &'static str> {
        if !is_composite(&self.program.types, expr.ty) {
            return Ok(match self.scalar(expr.ty) {
                Scalar::Wide(shape) => Source::Wide(self.wide(here, expr, shape)),
                scalar => Source::Scalar(self.code(here, expr), scalar),
            });
        }
        let ExprKind::Load(place) = &expr.kind else {
            return Err("a composite value that is no load");
        };
        if let PlaceBase::Var(var) = place.base
            && self.stand_ins.contains(&var)
        {
            return Err("a structure that is left out is copied");
        }
        let leaves = leaves(&self.program.types, place.ty);
        Ok(Source::Record(self.record(here, place)?, leaves))
    }

    fn record(&self, here: Here, place: &Place) -> Result<Record, &'static str> {
        match self.slot(here, place)? {
            Some(slot) => Ok(Record::Slots(slot)),
            None => Ok(Record::Memory(self.target(here, place)?)),
        }
    }

    /// The first slot of a place in a plain variable.
    fn slot(&self, here: Here, place: &Place) -> Result<Option<Slot>, &'static str> {
        let PlaceBase::Var(var) = place.base else {
            return Ok(None);
        };
        let Home::Slots(first) = self.home(here, var)? else {
            return Ok(None);
        };
        let types = &self.program.types;
        let mut at = first;
        for step in &place.proj {
            let Proj::Field { record, field } = step else {
                return Err("an index into a plain variable");
            };
            let before = types.record(*record).fields.iter().zip(0..*field);
            at += before.map(|(f, _)| slots_of(types, f)).sum::<usize>();
        }
        Ok(Some(match self.program.var(var).func {
            Some(_) => Slot::Local(at),
            None => Slot::Global(at),
        }))
    }

    fn home(&self, here: Here, var: VarId) -> Result<Home, &'static str> {
        match self.program.var(var).func {
            Some(func) if func != here => Err("a variable of an enclosing function"),
            _ => Ok(self.homes[var.index()]),
        }
    }

    fn target(&self, here: Here, place: &Place) -> Result<Target, &'static str> {
        let types = &self.program.types;
        let (base, mut ty) = match &place.base {
            PlaceBase::Var(var) => {
                let Home::Object(number) = self.home(here, *var)? else {
                    return Err("the address of a plain variable");
                };
                let variable = self.program.var(*var);
                let base = match variable.func {
                    Some(_) => Base::Local(number),
                    None => Base::Static(ObjectId(number)),
                };
                (base, variable.ty)
            }
            PlaceBase::Deref(pointer) => {
                let ty = types.pointee(pointer.ty).unwrap_or(place.ty);
                (Base::Pointer(self.code(here, pointer)), ty)
            }
        };
        let mut offset = 0u64;
        let mut indices = Vec::new();
        for (i, proj) in place.proj.iter().enumerate() {
            match proj {
                Proj::Field { record, field } => {
                    let field = usize::try_from(*field).expect("a position fits");
                    let field = &types.record(*record).fields[field];
                    let last = i + 1 == place.proj.len();
                    if !(last && place.bits.is_some()) {
                        offset = offset.wrapping_add(field.offset);
                    }
                    ty = field.ty;
                }
                Proj::Index(index) => {
                    let elem = types.element(ty).ok_or("an index into no array")?;
                    let size = types.size_of(elem).ok_or("an element of unknown size")?;
                    let info = self.info(index.ty).ok_or("an index of an untracked type")?;
                    match self.code(here, index) {
                        Code::Bits(bits) => {
                            let index = low_bits(crate::explicit::value::arith::number(bits, info));
                            offset = offset.wrapping_add(index.wrapping_mul(size));
                        }
                        code => indices.push((code, info, size)),
                    }
                    ty = elem;
                }
            }
        }
        Ok(Target {
            base,
            offset: offset & mask(self.pointer.width),
            indices,
            size: types.size_of(place.ty),
            bits: place.bits,
        })
    }

    /// A scalar expression.
    fn code(&self, here: Here, expr: &Expr) -> Code {
        let unknown = || self.info(expr.ty).map_or(Code::Opaque, Code::Any);
        match self.scalar(expr.ty) {
            Scalar::Int(info) => match (&expr.kind, self.program.types.format(expr.ty)) {
                (ExprKind::Load(place), Some(_)) => self.load(here, place).unwrap_or_else(unknown),
                (_, Some(format)) => self.float_code(here, expr, format).unwrap_or_else(unknown),
                (_, None) => self.int_code(here, expr, info).unwrap_or_else(unknown),
            },
            Scalar::Wide(_) | Scalar::Word(_) | Scalar::Opaque => match &expr.kind {
                // A load may still touch memory that must not be touched.
                ExprKind::Load(place) => self.load(here, place).unwrap_or_else(unknown),
                _ => Code::Opaque,
            },
        }
    }

    fn load(&self, here: Here, place: &Place) -> Option<Code> {
        let scalar = self.place_scalar(place);
        match self.slot(here, place).ok()? {
            Some(slot) => Some(Code::Slot(slot, scalar)),
            None => Some(Code::Read(Box::new(self.target(here, place).ok()?), scalar)),
        }
    }

    /// An expression that is asked whether it is zero.
    fn condition(&self, here: Here, expr: &Expr) -> (Code, Scalar) {
        if let Scalar::Wide(shape) = self.scalar(expr.ty) {
            let zero = Wide {
                shape,
                form: WideForm::Bits(0),
            };
            let operands = (self.wide(here, expr, shape), zero);
            return (Code::CompareWide(BinOp::Ne, Box::new(operands)), TRUTH);
        }
        let code = self.code(here, expr);
        match self.program.types.format(expr.ty) {
            Some(format) => {
                let code = Code::Ordered(BinOp::Ne, Box::new((code, Code::Bits(0))), format);
                (code, TRUTH)
            }
            None => (code, self.scalar(expr.ty)),
        }
    }

    /// An expression of integer type; `None` if it can have any value.
    fn int_code(&self, here: Here, expr: &Expr, info: IntInfo) -> Option<Code> {
        let code = |e: &Expr| Box::new(self.code(here, e));
        let format = |e: &Expr| self.program.types.format(e.ty);
        Some(match &expr.kind {
            ExprKind::Const(value) => Code::Bits(pattern(value.to_i128()?, info)),
            ExprKind::Float(_) => return None,
            ExprKind::Load(place) => self.load(here, place)?,
            ExprKind::AddrOf(place) => Code::Address(Box::new(self.target(here, place).ok()?)),
            ExprKind::FuncAddr(func) => Code::Bits(self.program.function(*func).address & mask(info.width)),
            ExprKind::Unary(UnOp::LogNot, operand) => {
                let (code, scalar) = self.condition(here, operand);
                Code::IsZero(Box::new(code), scalar)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && self.is_wide(a.ty) => {
                let (a, b) = (self.wide_operand(here, a)?, self.wide_operand(here, b)?);
                Code::CompareWide(*op, Box::new((a, b)))
            }
            ExprKind::Binary(op, a, b) if format(a).is_some() => {
                let operands = Box::new((self.code(here, a), self.code(here, b)));
                Code::Ordered(*op, operands, format(a)?)
            }
            ExprKind::Cast(x) if (format(x).is_some() || self.is_wide(x.ty)) && info.width == 1 => {
                let (code, _) = self.condition(here, x);
                Code::Convert(Box::new(code), INT, info)
            }
            ExprKind::Cast(x) if format(x).is_some() => {
                Code::Function(self.function(here, FunctionOp::Convert, &[x], expr.ty)?)
            }
            ExprKind::Cast(x) if self.is_wide(x.ty) => Code::Narrow(Box::new(self.wide_operand(here, x)?), info),
            ExprKind::Math(op, operands) => {
                let operands: Vec<&Expr> = operands.iter().collect();
                Code::Function(self.function(here, FunctionOp::Math(*op), &operands, expr.ty)?)
            }
            ExprKind::Unary(UnOp::Neg, operand) => Code::Neg(code(operand), info),
            ExprKind::Unary(UnOp::BitNot, operand) => Code::Not(code(operand), info),
            ExprKind::Binary(op, a, b) if op.is_comparison() => Code::Compare(
                *op,
                Box::new((self.code(here, a), self.code(here, b))),
                self.scalar(a.ty),
            ),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.info(a.ty)?, self.info(b.ty)?);
                let (a, b) = (self.code(here, a), self.code(here, b));
                match (op, b) {
                    (BinOp::Add, Code::Bits(bits)) => Code::Plus(Box::new(a), bits, info),
                    (BinOp::Sub, Code::Bits(bits)) => {
                        Code::Plus(Box::new(a), bits.wrapping_neg() & mask(info.width), info)
                    }
                    (_, b) => Code::Binary(*op, Box::new((a, b)), left, right),
                }
            }
            ExprKind::Cast(operand) => {
                let from = self.info(operand.ty)?;
                match self.code(here, operand) {
                    Code::Bits(bits) => Code::Bits(convert(bits, from, info)),
                    operand if from == info => operand,
                    operand => Code::Convert(Box::new(operand), from, info),
                }
            }
        })
    }

    /// The kind of a static or frame object's variable.
    pub fn is_literal(&self, var: VarId) -> bool {
        self.program.var(var).kind == VarKind::StringLiteral
    }
}

/// The type of a truth value.
const INT: IntInfo = IntInfo {
    width: 32,
    signed: true,
};
const TRUTH: Scalar = Scalar::Int(INT);
