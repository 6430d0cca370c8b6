//! The concrete machine: frames, variables, memory, and the execution of one operation.
//!
//! Every variable instance is a range of bytes. Those that live in memory lie at the address that the layout gave them; the
//! others lie in a second store, the *registers*, which no pointer reaches. So records, unions, bit-fields and copies need no
//! special cases: a place is an address in one of the two stores, and an access reads or writes its bytes.
//!
//! A byte that nothing has written is not known. When it is read, the input source is asked for it once, and from then on it
//! is known. The same holds for memory behind a pointer that is itself an input: the program cannot have been given less than
//! the object that it is about to read.
//!
//! | module | does |
//! |---|---|
//! | `ask` | asking for values that the execution did not make |
//! | `operations` | the operations, one by one |
//! | `access` | reads and writes |
//! | `contents` | which bytes were written |

mod access;
mod ask;
mod contents;
mod operations;

use super::decisive::Log;
use super::invented::{Mark, Rule, Taint, low_bytes};
use super::memory::{Bytes, Object, Objects, Origins};
use super::store::{Change, Store};
use super::unwritten::Unwritten;
use super::value::{InputId, Shape, Value, binary, convert, function, signed, unary};
use super::{Allocation, Asked, InputSource, Stop};
use crate::cfa::{
    Assumption, AssumptionKind, BinOp, EdgeId, Expr, ExprKind, FuncId, HEAP_BASE, Input, Invention, Op, Place, Program,
    Step, VarId, VarKind,
};
use crate::frontend::text::source::Loc;
use crate::frontend::types::TypeId;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use std::ops::Range;

/// Objects that the machine zeroes, copies or havocs byte by byte are at most this big.
const BIGGEST_RANGE: u64 = 1 << 26;

const OVERFLOWS: &str = "the violation needs a signed overflow, which C leaves undefined";

/// Where a place is at run time.
#[derive(Clone, Copy, Debug)]
struct Location {
    store: Store,
    address: u64,
    /// The input that the pointer came from, if the place is reached through one.
    origin: Option<InputId>,
    /// Whether the place is reached through a pointer.
    indirect: bool,
    /// The invented value that the address was computed from, if there is one.
    mark: Option<Mark>,
}

impl Location {
    fn plus(self, offset: u64) -> Location {
        Location {
            address: self.address.wrapping_add(offset),
            ..self
        }
    }
}

/// An active function.
struct Frame {
    func: FuncId,
    depth: u32,
    /// Blocks that end with the frame.
    blocks: Vec<u64>,
}

/// The machine.
pub(super) struct Machine<'p, 's> {
    program: &'p Program,
    source: &'s mut dyn InputSource,
    memory: Bytes,
    registers: Bytes,
    objects: Objects,
    /// Where the instance of a plain variable lies among the registers.
    register_of: FxHashMap<(VarId, u32), u64>,
    next_register: u64,
    next_block: u64,
    /// Addresses for allocations that wish them.
    reserved: Range<u64>,
    frames: Vec<Frame>,
    /// How many frames each function has.
    active: Vec<u32>,
    /// The variables in memory of each function.
    framed: FxHashMap<FuncId, Vec<VarId>>,
    /// Number of the step that is carried out, its edge and its place.
    pub step: usize,
    edge: EdgeId,
    pub loc: Loc,
    /// Which of the inputs are parameters of the entry function.
    pub parameters: Vec<usize>,
    /// The requests to the input source, in order.
    pub asked: Vec<Asked>,
    /// Assumptions that the execution needed.
    pub assumptions: Vec<Assumption>,
    /// The change of the last step.
    pub change: Option<Change>,
    /// The values that the last step passed to parameters.
    pub passed: Vec<Change>,
    /// Calls of functions without body: the function and its arguments as text.
    pub external_calls: Vec<(FuncId, Vec<String>)>,
    /// Allocations in order.
    pub allocations: Vec<Allocation>,
    /// The record of the execution, if requested.
    pub log: Option<Log>,
    /// Which bytes were computed from invented values.
    pub taint: Taint<'p>,
    /// Which bytes nothing has written, if that is asked for.
    pub unwritten: Option<Unwritten>,
    /// Whether a pointer from outside has to point to an object of its own.
    pub apart: bool,
}

impl<'p, 's> Machine<'p, 's> {
    /// A machine before its first step: static objects exist with unknown content, the frame of the start function is open.
    /// `rule` says which invented values the execution is examined for.
    pub fn new(program: &'p Program, source: &'s mut dyn InputSource, rule: Rule<'p>) -> Self {
        let mut objects = Objects::default();
        let mut framed: FxHashMap<FuncId, Vec<VarId>> = FxHashMap::default();
        for id in program.var_ids() {
            let var = program.var(id);
            let Some(address) = var.address.filter(|_| var.in_memory) else {
                continue;
            };
            match var.func {
                Some(func) => framed.entry(func).or_default().push(id),
                None => objects.add(address, object_of(program, id)),
            }
        }
        let mut machine = Machine {
            program,
            source,
            memory: Bytes::default(),
            registers: Bytes::default(),
            objects,
            register_of: FxHashMap::default(),
            next_register: 0,
            next_block: HEAP_BASE,
            reserved: HEAP_BASE..HEAP_BASE,
            frames: Vec::new(),
            active: vec![0; program.functions.len()],
            framed,
            step: 0,
            edge: EdgeId(0),
            loc: Loc::NONE,
            parameters: Vec::new(),
            asked: Vec::new(),
            assumptions: Vec::new(),
            change: None,
            passed: Vec::new(),
            external_calls: Vec::new(),
            allocations: Vec::new(),
            log: None,
            taint: Taint::new(rule),
            unwritten: program.asks_for_contents().then(|| Unwritten::new(Loc::NONE)),
            apart: false,
        };
        machine.open_frame(program.start);
        machine
    }

    /// Carries out one step.
    ///
    /// # Errors
    /// Stops where the step is not the one that the program takes, and where the program's behaviour is undefined.
    pub fn execute(&mut self, step: Step) -> Result<(), Stop> {
        let edge = self.program.edge(step.edge());
        self.edge = step.edge();
        self.loc = edge.loc;
        self.change = None;
        self.passed.clear();
        if let Some(log) = &mut self.log {
            log.step();
        }
        self.taint.step(step.edge());
        match step {
            Step::Edge(_) => self.operation(&edge.op),
            Step::Enter(id) => self.enter(id),
            Step::Leave(id) => self.leave(id),
        }
    }

    /// Whether an assumption holds now; used to find the way in a free run.
    pub fn holds(&mut self, cond: &Expr, truth: bool) -> Result<bool, Stop> {
        if let Some(log) = &mut self.log {
            log.decides();
        }
        let shape = Shape::of(&self.program.types, cond.ty)?;
        Ok(self.evaluate(cond)?.is_true(shape) == truth)
    }

    /// The program that it runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The object that an address points into, or just behind, and where that begins.
    pub fn containing(&self, address: u64) -> Option<(u64, &Object)> {
        self.objects.containing(address)
    }

    /// The number of open frames.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The value of a scalar variable of static storage or of the innermost frame, as text.
    pub fn show_variable(&mut self, var: VarId) -> Result<String, Stop> {
        let place = Place::var(var, self.program.var(var).ty);
        let value = self.load(&place)?;
        Ok(value.show(Shape::of(&self.program.types, place.ty)?))
    }

    fn open_frame(&mut self, func: FuncId) {
        let depth = self.active[func.index()];
        self.active[func.index()] += 1;
        for &var in self.framed.get(&func).map(Vec::as_slice).unwrap_or_default() {
            if let Some(address) = self.program.address_at(var, depth) {
                self.objects.add(address, object_of(self.program, var));
            }
        }
        self.frames.push(Frame {
            func,
            depth,
            blocks: Vec::new(),
        });
    }

    fn close_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.active[frame.func.index()] -= 1;
        for &var in self.framed.get(&frame.func).map(Vec::as_slice).unwrap_or_default() {
            if let Some(address) = self.program.address_at(var, frame.depth) {
                self.objects.end(address);
            }
        }
        for block in frame.blocks {
            self.objects.end(block);
        }
    }

    fn enter(&mut self, call: EdgeId) -> Result<(), Stop> {
        let Op::Call { func, args, .. } = &self.program.edge(call).op else {
            return Err(Stop::Refuted("the path enters an edge that is no call".to_string()));
        };
        let callee = self.program.function(*func);
        if args.len() < callee.params.len() {
            return Err(Stop::undefined(format!(
                "`{}` is called with too few arguments",
                callee.name
            )));
        }
        let mut values = Vec::new();
        for (arg, &param) in args.iter().zip(&callee.params) {
            self.taint.begin();
            let value = self.rvalue(arg)?;
            values.push((param, value, self.taint.begin()));
        }
        self.open_frame(*func);
        for (param, value, mark) in values {
            let place = Place::var(param, self.program.var(param).ty);
            self.taint.resume(mark);
            self.assign(&place, value)?;
            self.passed.extend(self.change.take());
        }
        Ok(())
    }

    fn leave(&mut self, call: EdgeId) -> Result<(), Stop> {
        let Op::Call { func, ret, .. } = &self.program.edge(call).op else {
            return Err(Stop::Refuted("the path leaves an edge that is no call".to_string()));
        };
        let result = match (ret, self.program.function(*func).ret) {
            (Some(place), Some(var)) => {
                let ty = self.program.var(var).ty;
                Some((place, self.rvalue(&Expr::load(Place::var(var, ty)))?))
            }
            _ => None,
        };
        self.close_frame();
        match (result, ret) {
            (Some((place, value)), _) => self.assign(place, value),
            // The callee returns nothing, yet its value is used: undefined, and any value by the model.
            (None, Some(place)) => {
                let what = "the result of a function that returns nothing";
                self.ask_for(place, &Input::invented(Invention::Language, what))
            }
            (None, None) => Ok(()),
        }
    }

    // ---- values -------------------------------------------------------------------------------------------------------

    /// The value of an expression of any object type.
    fn rvalue(&mut self, expr: &Expr) -> Result<Payload, Stop> {
        let types = &self.program.types;
        if types.is_scalar(expr.ty) {
            return Ok(Payload::Scalar(self.evaluate(expr)?));
        }
        let ExprKind::Load(place) = &expr.kind else {
            let ty = types.display(expr.ty);
            return Err(Stop::undefined(format!(
                "the replay does not carry out operations of type `{ty}`"
            )));
        };
        let location = self.locate(place)?;
        let size = self.size(place.ty)?;
        self.allow(location, size, false)?;
        match location.store {
            Store::Memory => self.make_known(location, size),
            Store::Registers => self.make_register_known(place, location)?,
        }
        let mut marks = self.taint.cut(location.store, location.address, size);
        if location.mark.is_some() {
            marks = vec![location.mark; usize::try_from(size).unwrap_or(0)];
        }
        let unwritten = self.copied(location, size);
        let (bytes, origins) = self.store(location.store).cut(location.address, size);
        Ok(Payload::Bytes {
            unwritten,
            from: location.address,
            bytes,
            origins,
            marks,
        })
    }

    /// The value of a scalar expression.
    fn evaluate(&mut self, expr: &Expr) -> Result<Value, Stop> {
        let low = low_bytes(&self.program.types, expr, self.taint.low());
        let outer = self.taint.count_low(low);
        let value = self.evaluate_operands(expr);
        self.taint.count_low(outer);
        value
    }

    fn evaluate_operands(&mut self, expr: &Expr) -> Result<Value, Stop> {
        let types = &self.program.types;
        match &expr.kind {
            ExprKind::Const(value) => Ok(match Shape::of(types, expr.ty)? {
                Shape::Int(info) => Value::bits(bits_of(value), info.width),
                Shape::Bool => Value::bits(u128::from(!value.is_zero()), 1),
                Shape::Float(format) => Value::bits(bits_of(value), format.width()),
            }),
            ExprKind::Float(bits) => Ok(Value::bits(*bits, Shape::of(types, expr.ty)?.width())),
            ExprKind::Math(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push((self.evaluate(operand)?, Shape::of(types, operand.ty)?));
                }
                function(*op, &values, Shape::of(types, expr.ty)?)
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => {
                let width = Shape::int(types, expr.ty)?.width;
                let location = self.locate(place)?;
                assert!(
                    location.store == Store::Memory,
                    "only what lives in memory has an address"
                );
                self.taint.join(location.mark);
                Ok(Value::bits(location.address.into(), width).with_origin(location.origin))
            }
            ExprKind::FuncAddr(func) => {
                let width = Shape::int(types, expr.ty)?.width;
                Ok(Value::bits(self.program.function(*func).address.into(), width))
            }
            ExprKind::Unary(op, operand) => {
                let shape = Shape::of(types, operand.ty)?;
                unary(*op, self.evaluate(operand)?, shape)
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (Shape::of(types, a.ty)?, Shape::of(types, b.ty)?);
                let a = self.evaluate(a)?;
                let interrupted = self.taint.begin();
                let b = self.evaluate(b);
                let mark = self.taint.resume(interrupted);
                if matches!(op, BinOp::Div | BinOp::Rem) && !matches!(left, Shape::Float(_)) {
                    self.taint.may_stop(mark);
                }
                self.taint.join(mark);
                let b = b?;
                if overflows(*op, a, b, left) {
                    self.note(AssumptionKind::SignedWrap, OVERFLOWS);
                }
                binary(*op, a, left, b, right)
            }
            ExprKind::Cast(operand) => {
                if types.is_void(expr.ty) {
                    return self.evaluate(operand);
                }
                let (from, to) = (Shape::of(types, operand.ty)?, Shape::of(types, expr.ty)?);
                let value = self.evaluate(operand)?;
                if types.is_pointer(operand.ty) && !types.is_pointer(expr.ty) {
                    self.judge_number(value);
                }
                convert(value, from, to)
            }
        }
    }

    /// The number of a pointer is used. If the program requests an alignment that the address need not have, the number is invented.
    fn judge_number(&mut self, pointer: Value) {
        let object = u64::try_from(pointer.bits)
            .ok()
            .and_then(|address| self.objects.around(address));
        if object.is_some_and(|object| object.aligned) {
            let what = "the address of an object with an alignment of its own";
            let mark = self.taint.invent(Invention::Library, what, self.loc);
            self.taint.join(mark);
        }
    }

    /// Notes, once per place, that the execution rests on what C leaves undefined.
    fn note(&mut self, kind: AssumptionKind, detail: &str) {
        let loc = self.loc;
        let known = |a: &Assumption| a.kind == kind && a.loc == loc && a.detail == detail;
        if !self.assumptions.iter().any(known) {
            self.assumptions.push(Assumption {
                kind,
                detail: detail.to_string(),
                loc,
                sound: false,
            });
        }
    }

    /// A pointer-valued expression as a place in memory.
    fn pointer(&mut self, expr: &Expr) -> Result<Location, Stop> {
        let (value, mark) = self.steering(|machine| machine.evaluate(expr));
        let value = value?;
        let address = u64::try_from(value.bits).ok();
        let address = address.ok_or_else(|| Stop::undefined("a pointer is no address".to_string()))?;
        Ok(Location {
            store: Store::Memory,
            address,
            origin: value.origin,
            indirect: true,
            mark,
        })
    }

    /// A byte count, and the invented value that it was computed from.
    fn count(&mut self, expr: &Expr) -> Result<(u64, Option<Mark>), Stop> {
        let (value, mark) = self.steering(|machine| machine.evaluate(expr));
        let bits = value?.bits;
        let count = u64::try_from(bits).map_err(|_| Stop::undefined("a size does not fit 64 bits".to_string()))?;
        Ok((count, mark))
    }

    /// Evaluates what decides where something is, or how much of it there is. With the invented value that it was computed from.
    fn steering<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> (T, Option<Mark>) {
        let interrupted = self.taint.begin();
        let low = self.taint.count_low(u64::MAX);
        if let Some(log) = &mut self.log {
            log.begin_steering();
        }
        let result = evaluate(self);
        self.taint.count_low(low);
        if let Some(log) = &mut self.log {
            log.end_steering();
        }
        let mark = self.taint.resume(interrupted);
        (result, mark)
    }

    /// Reads bytes for a copy. Returns the offsets of those that nothing has written, if that is asked for.
    fn copied(&mut self, location: Location, size: u64) -> Vec<u64> {
        let interrupted = self.copies(true);
        self.log_read(location, size);
        self.copies(interrupted);
        let list = self.unwritten.as_ref();
        list.map(|list| list.among(location.store, location.address, size))
            .unwrap_or_default()
    }

    /// Says whether what is read is only copied. Returns what was said before.
    fn copies(&mut self, copies: bool) -> bool {
        let list = self.unwritten.as_mut();
        list.is_some_and(|list| std::mem::replace(&mut list.copies, copies))
    }

    /// Notes bytes that nothing has written: at these offsets of a place.
    fn begin_unwritten(&mut self, location: Location, offsets: impl IntoIterator<Item = u64>) {
        if let Some(list) = &mut self.unwritten {
            for offset in offsets {
                list.begin(location.store, location.address.wrapping_add(offset), 1);
            }
        }
    }

    fn log_read(&mut self, location: Location, size: u64) {
        if let Some(list) = &mut self.unwritten {
            list.read(location.store, location.address, size, self.loc);
        }
        if let Some(log) = &mut self.log {
            log.read(location.store, location.address, size);
        }
        self.taint.may_stop(location.mark);
        self.taint.join(location.mark);
        self.taint.read(location.store, location.address, size);
    }

    fn log_written(&mut self, location: Location, size: u64) {
        if let Some(list) = &mut self.unwritten {
            list.written(location.store, location.address, size);
        }
        if let Some(log) = &mut self.log {
            log.written(location.store, location.address, size);
        }
        self.taint.may_stop(location.mark);
        self.taint.written(location.store, location.address, size);
    }

    fn size(&self, ty: TypeId) -> Result<u64, Stop> {
        let types = &self.program.types;
        types
            .size_of(ty)
            .ok_or_else(|| Stop::undefined(format!("`{}` has no known size", types.display(ty))))
    }
}

/// The value that an assignment moves.
enum Payload {
    Scalar(Value),
    /// A whole record: where its bytes were, the bytes, and the origins of scalars in it.
    Bytes {
        /// The offsets of those that nothing has written, if that is asked for.
        unwritten: Vec<u64>,
        from: u64,
        bytes: Vec<Option<u8>>,
        origins: Origins,
        /// The invented values that the bytes were computed from; empty if there are none.
        marks: Vec<Option<Mark>>,
    },
}

/// Whether a sum, difference or product of signed integers is out of range.
fn overflows(op: BinOp, a: Value, b: Value, shape: Shape) -> bool {
    let Shape::Int(info) = shape else { return false };
    if !info.signed || info.width > 64 {
        return false;
    }
    let (a, b) = (signed(a.bits, info.width), signed(b.bits, info.width));
    let exact = match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        _ => return false,
    };
    signed(exact.cast_unsigned(), info.width) != exact
}

fn object_of(program: &Program, id: VarId) -> Object {
    let var = program.var(id);
    let size = var.size(&program.types).unwrap_or(0);
    Object {
        size,
        live: true,
        var: Some(id),
        constant: var.kind == VarKind::StringLiteral,
        aligned: false,
        stack: false,
        lost: false,
        shared: false,
    }
}

fn describe(source: &Input) -> String {
    match source {
        Input::Nondet { function } | Input::External { function } => format!("{function}()"),
        Input::Uninitialised => "a local variable that is not initialised".to_string(),
        Input::EntryParam => "a parameter of the entry function".to_string(),
        Input::ExternVariable { name } => format!("extern variable `{name}`"),
        Input::Choice(what) | Input::Invented { what, .. } => what.clone(),
        Input::LeftOut => "memory or a counter that is left out".to_string(),
    }
}

/// The two's complement bits of an integer.
fn bits_of(value: &Int) -> u128 {
    if let Some(small) = value.to_i128() {
        return small.cast_unsigned();
    }
    // A number that does not fit 128 bits with sign is at most an unsigned 128-bit number.
    let low = value.mod_floor(&Int::pow2(127));
    let high = (value - &low).mod_floor(&Int::pow2(128));
    let top = if high.is_zero() { 0 } else { 1 << 127 };
    low.to_i128().map_or(0, i128::cast_unsigned) | top
}
