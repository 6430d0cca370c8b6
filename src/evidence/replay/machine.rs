//! The concrete machine: frames, variables, memory, and the execution of one operation.
//!
//! Every variable instance is a range of bytes. Those that live in memory lie at the address that the layout gave them; the
//! others lie in a second store, the *registers*, which no pointer reaches. So records, unions, bit-fields and copies need no
//! special cases: a place is an address in one of the two stores, and an access reads or writes its bytes.
//!
//! A byte that nothing has written is not known. When it is read, the input source is asked for it once, and from then on it
//! is known. The same holds for memory behind a pointer that is itself an input: the program cannot have been given less than
//! the object that it is about to read.

use super::memory::{Access, Bytes, Object, Objects};
use super::value::{InputId, Scalar, Shape, Value, binary, convert, mask, number, signed, unary};
use super::{Asked, InputSource, Request, Stop};
use crate::cfa::{
    AllocKind, Assumption, AssumptionKind, BitRange, EdgeId, Expr, ExprKind, FuncId, HEAP_BASE, Input, Op, Place,
    PlaceBase, Program, Proj, Step, VarId, VarKind,
};
use crate::frontend::source::Loc;
use crate::frontend::types::{ArrayLen, IntInfo, RecordKind, Type, TypeId};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;

/// Accesses below this address and this close to the end of the address space count as null pointer accesses.
const NULL_PAGE: u64 = 4096;
/// Objects that the machine zeroes, copies or havocs byte by byte are at most this big.
const BIGGEST_RANGE: u64 = 1 << 26;
/// Havoc of a composite object asks for each scalar in it, up to this many; the rest becomes unknown.
const MOST_LEAVES: u64 = 4096;

/// The store that a location lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Store {
    Memory,
    Registers,
}

/// Where a place is at run time.
#[derive(Clone, Copy, Debug)]
struct Location {
    store: Store,
    address: u64,
    /// The input that the pointer came from, if the place is reached through one.
    origin: Option<InputId>,
    /// Whether the place is reached through a pointer.
    indirect: bool,
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

/// One assignment for the trace: what was assigned and which value it got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The variable, if the place is the whole of one.
    pub var: Option<VarId>,
    /// The value as text.
    pub value: String,
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
    frames: Vec<Frame>,
    /// How many frames each function has.
    active: Vec<u32>,
    /// The variables in memory of each function.
    framed: FxHashMap<FuncId, Vec<VarId>>,
    /// Number of the step that is carried out, and its place.
    pub step: usize,
    pub loc: Loc,
    /// What the input source was asked for, in order.
    pub asked: Vec<Asked>,
    /// What was taken on trust on the way.
    pub assumptions: Vec<Assumption>,
    /// What the last step changed.
    pub change: Option<Change>,
    /// Calls of functions without body: the function and its arguments as text.
    pub external_calls: Vec<(FuncId, Vec<String>)>,
}

impl<'p, 's> Machine<'p, 's> {
    /// A machine before its first step: static objects exist with unknown content, the frame of the start function is open.
    pub fn new(program: &'p Program, source: &'s mut dyn InputSource) -> Self {
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
            frames: Vec::new(),
            active: vec![0; program.functions.len()],
            framed,
            step: 0,
            loc: Loc::NONE,
            asked: Vec::new(),
            assumptions: Vec::new(),
            change: None,
            external_calls: Vec::new(),
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
        self.loc = edge.loc;
        self.change = None;
        match step {
            Step::Edge(_) => self.operation(&edge.op),
            Step::Enter(id) => self.enter(id),
            Step::Leave(id) => self.leave(id),
        }
    }

    /// Whether an assumption holds now; used to find the way in a free run.
    pub fn holds(&mut self, cond: &Expr, truth: bool) -> Result<bool, Stop> {
        Ok(self.evaluate(cond)?.is_true() == truth)
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
            values.push((param, self.rvalue(arg)?));
        }
        self.open_frame(*func);
        for (param, value) in values {
            let place = Place::var(param, self.program.var(param).ty);
            self.assign(&place, value)?;
        }
        self.change = None;
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
            (None, Some(place)) => self.ask_for(place, "return value of a function that returns nothing"),
            (None, None) => Ok(()),
        }
    }

    fn operation(&mut self, op: &'p Op) -> Result<(), Stop> {
        match op {
            Op::Nop | Op::Label(_) => Ok(()),
            Op::Assume { cond, truth } => {
                if self.holds(cond, *truth)? {
                    return Ok(());
                }
                let wanted = if *truth { "true" } else { "false" };
                Err(Stop::Refuted(format!(
                    "the condition is not {wanted} in the concrete execution"
                )))
            }
            Op::Assign { lhs, rhs } => {
                let value = self.rvalue(rhs)?;
                self.assign(lhs, value)
            }
            Op::Zero { place } => {
                let location = self.locate(place)?;
                let size = self.size(place.ty)?;
                self.allow(location, size, true)?;
                let zeros = std::iter::repeat(0u8);
                self.store_mut(location.store).write(location.address, zeros, size);
                Ok(())
            }
            Op::Havoc { place, source } => self.ask_for(place, &describe(source)),
            Op::Call { .. } => Err(Stop::Refuted("the path takes a call as one step".to_string())),
            Op::External { func, args, ret } => {
                let mut shown = Vec::new();
                for arg in args {
                    shown.push(match Shape::of(&self.program.types, arg.ty) {
                        Ok(shape) => self.evaluate(arg)?.show(shape),
                        Err(_) => "...".to_string(),
                    });
                }
                self.external_calls.push((*func, shown));
                match ret {
                    Some(place) => {
                        let name = self.program.function(*func).name.clone();
                        self.ask_for(place, &format!("{name}()"))
                    }
                    None => Ok(()),
                }
            }
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => self.allocate(lhs, size, *zero, *kind, *may_fail),
            Op::Free { ptr } => self.free(ptr),
            Op::MemSet { dst, byte, len } => {
                let (target, byte, count) = (self.pointer(dst)?, self.evaluate(byte)?, self.count(len)?);
                self.allow(target, count, true)?;
                let byte = byte.as_bits().unwrap_or(0).to_le_bytes()[0];
                self.memory.write(target.address, std::iter::repeat(byte), count);
                Ok(())
            }
            Op::MemCopy { dst, src, len } => {
                let (target, source, count) = (self.pointer(dst)?, self.pointer(src)?, self.count(len)?);
                self.allow(source, count, false)?;
                self.allow(target, count, true)?;
                self.make_known(source.address, count);
                self.memory.copy(target.address, source.address, count);
                Ok(())
            }
            Op::Asm { outputs, .. } => outputs
                .iter()
                .try_for_each(|place| self.ask_for(place, "inline assembly")),
        }
    }

    fn allocate(&mut self, lhs: &Place, size: &Expr, zero: bool, kind: AllocKind, fail: bool) -> Result<(), Stop> {
        let size = self.count(size)?;
        let wish = self.source.supply(&Request::Allocated { step: self.step });
        let width = Shape::int(&self.program.types, lhs.ty)?.width;
        if fail && wish.as_ref().is_some_and(Int::is_zero) {
            return self.assign(lhs, Payload::Scalar(Value::bits(0, width)));
        }
        // Any address is as good as the next free one, as long as it is free: follow the model where that is possible.
        let address = wish
            .and_then(|wish| wish.to_i128())
            .and_then(|wish| u64::try_from(wish).ok())
            .filter(|wish| *wish >= self.next_block && wish % 16 == 0)
            .unwrap_or(self.next_block);
        let end = address.saturating_add(size).saturating_add(31) & !15;
        if u128::from(end) > mask(width) / 2 + 1 {
            return Err(Stop::undefined(format!(
                "{size} bytes are allocated, which is more than there are"
            )));
        }
        self.next_block = end;
        self.objects.add(
            address,
            Object {
                size,
                live: true,
                var: None,
                constant: false,
            },
        );
        if zero {
            if size > BIGGEST_RANGE {
                return Err(Stop::undefined(format!("{size} bytes are allocated and cleared")));
            }
            self.memory.write(address, std::iter::repeat(0), size);
        }
        if kind == AllocKind::Stack
            && let Some(frame) = self.frames.last_mut()
        {
            frame.blocks.push(address);
        }
        self.assign(lhs, Payload::Scalar(Value::bits(address.into(), width)))
    }

    fn free(&mut self, ptr: &Expr) -> Result<(), Stop> {
        let target = self.pointer(ptr)?;
        if target.address == 0 {
            return Ok(());
        }
        match self.objects.at(target.address) {
            Some(object) if object.live && object.var.is_none() => self.objects.end(target.address),
            // An object that the program got from outside may be given back.
            _ if target.origin.is_some() => {}
            _ => {
                return Err(Stop::undefined(
                    "a pointer is freed that points to no allocated object".to_string(),
                ));
            }
        }
        Ok(())
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
            Store::Memory => self.make_known(location.address, size),
            Store::Registers => self.make_register_known(place, location)?,
        }
        let (bytes, origins) = self.store(location.store).cut(location.address, size);
        Ok(Payload::Bytes {
            from: location.address,
            bytes,
            origins,
        })
    }

    /// The value of a scalar expression.
    fn evaluate(&mut self, expr: &Expr) -> Result<Value, Stop> {
        let types = &self.program.types;
        match &expr.kind {
            ExprKind::Const(value) => Ok(match Shape::of(types, expr.ty)? {
                Shape::Int(info) => Value::bits(bits_of(value), info.width),
                Shape::Bool => Value::bits(u128::from(!value.is_zero()), 1),
                Shape::Single | Shape::Double => Value::float(bits_of(value).cast_signed() as f64),
            }),
            ExprKind::Float(text) => {
                let value: f64 = text
                    .parse()
                    .map_err(|_| Stop::undefined(format!("the constant `{text}` is no floating-point number")))?;
                convert(Value::float(value), Shape::Double, Shape::of(types, expr.ty)?)
            }
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => {
                let width = Shape::int(types, expr.ty)?.width;
                let location = self.locate(place)?;
                assert!(
                    location.store == Store::Memory,
                    "only what lives in memory has an address"
                );
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
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                binary(*op, a, left, b, right)
            }
            ExprKind::Cast(operand) => {
                if types.is_void(expr.ty) {
                    return self.evaluate(operand);
                }
                let (from, to) = (Shape::of(types, operand.ty)?, Shape::of(types, expr.ty)?);
                convert(self.evaluate(operand)?, from, to)
            }
        }
    }

    /// A pointer-valued expression as a place in memory.
    fn pointer(&mut self, expr: &Expr) -> Result<Location, Stop> {
        let value = self.evaluate(expr)?;
        let address = value.as_bits().and_then(|bits| u64::try_from(bits).ok());
        let address = address.ok_or_else(|| Stop::undefined("a pointer is no address".to_string()))?;
        Ok(Location {
            store: Store::Memory,
            address,
            origin: value.origin,
            indirect: true,
        })
    }

    /// A byte count.
    fn count(&mut self, expr: &Expr) -> Result<u64, Stop> {
        let bits = self.evaluate(expr)?.as_bits().unwrap_or(u128::MAX);
        u64::try_from(bits).map_err(|_| Stop::undefined("a size does not fit 64 bits".to_string()))
    }

    fn size(&self, ty: TypeId) -> Result<u64, Stop> {
        let types = &self.program.types;
        types
            .size_of(ty)
            .ok_or_else(|| Stop::undefined(format!("`{}` has no known size", types.display(ty))))
    }

    // ---- places -------------------------------------------------------------------------------------------------------

    /// Where a place is. For a bit-field: where its record begins.
    fn locate(&mut self, place: &Place) -> Result<Location, Stop> {
        let program = self.program;
        let (mut location, mut ty) = match &place.base {
            PlaceBase::Var(var) => (self.instance(*var), program.var(*var).ty),
            PlaceBase::Deref(pointer) => {
                let ty = program.types.pointee(pointer.ty).unwrap_or(place.ty);
                (self.pointer(pointer)?, ty)
            }
        };
        for (i, proj) in place.proj.iter().enumerate() {
            match proj {
                Proj::Field { record, field } => {
                    let field = usize::try_from(*field).expect("a position fits");
                    let field = &program.types.record(*record).fields[field];
                    let last = i + 1 == place.proj.len();
                    if !(last && place.bits.is_some()) {
                        location = location.plus(field.offset);
                    }
                    ty = field.ty;
                }
                Proj::Index(index) => {
                    let elem = program.types.element(ty).unwrap_or(ty);
                    let size = self.size(elem)?;
                    let info = Shape::int(&program.types, index.ty)?;
                    let value = self.evaluate(index)?.as_bits().unwrap_or(0);
                    let offset = number(value, info).cast_unsigned().wrapping_mul(u128::from(size));
                    let cut = u64::try_from(offset & u128::from(u64::MAX)).expect("cut to 64 bits");
                    location = location.plus(cut);
                    ty = elem;
                }
            }
        }
        if location.store == Store::Memory {
            let width = 8 * program.types.data_model().pointer_bytes();
            let width = u32::try_from(width).expect("a pointer is short");
            location.address = u64::try_from(u128::from(location.address) & mask(width)).expect("cut to 64 bits");
        }
        Ok(location)
    }

    /// The instance of a variable in the innermost frame of its function.
    fn instance(&mut self, var: VarId) -> Location {
        let variable = self.program.var(var);
        let depth = variable
            .func
            .map_or(0, |func| self.active[func.index()].saturating_sub(1));
        if variable.in_memory
            && let Some(address) = self.program.address_at(var, depth)
        {
            return Location {
                store: Store::Memory,
                address,
                origin: None,
                indirect: false,
            };
        }
        let size = self.program.types.size_of(variable.ty).unwrap_or(16);
        let next = &mut self.next_register;
        let address = *self.register_of.entry((var, depth)).or_insert_with(|| {
            let address = *next;
            *next += (size + 31) & !15;
            address
        });
        Location {
            store: Store::Registers,
            address,
            origin: None,
            indirect: false,
        }
    }

    fn store(&self, store: Store) -> &Bytes {
        match store {
            Store::Memory => &self.memory,
            Store::Registers => &self.registers,
        }
    }

    fn store_mut(&mut self, store: Store) -> &mut Bytes {
        match store {
            Store::Memory => &mut self.memory,
            Store::Registers => &mut self.registers,
        }
    }

    /// Decides whether `count` bytes at a place may be accessed.
    fn allow(&mut self, location: Location, count: u64, write: bool) -> Result<(), Stop> {
        if count > BIGGEST_RANGE {
            return Err(Stop::undefined(format!("{count} bytes are accessed at once")));
        }
        if location.store == Store::Registers {
            return Ok(());
        }
        let address = location.address;
        let width = 8 * self.program.types.data_model().pointer_bytes();
        let last = u64::try_from(mask(u32::try_from(width).expect("short"))).expect("64 bits at most");
        match self.objects.access(address, count) {
            Access::Inside { constant } if constant && write && location.indirect => {
                Err(Stop::undefined("a string literal is written".to_string()))
            }
            Access::Inside { .. } => Ok(()),
            Access::Dead => Err(Stop::undefined("an object is accessed after its end".to_string())),
            Access::Outside => match location.origin {
                Some(origin) if address >= NULL_PAGE && address < last - NULL_PAGE => {
                    self.trust_pointer(origin);
                    Ok(())
                }
                origin => {
                    let what = if address < NULL_PAGE {
                        "the null pointer is dereferenced"
                    } else {
                        "an access goes outside of every object"
                    };
                    Err(Stop::Undefined {
                        reason: format!("{what} (address {address:#x})"),
                        origin,
                    })
                }
            },
        }
    }

    fn trust_pointer(&mut self, origin: InputId) {
        let index = usize::try_from(origin.0).expect("a position fits");
        let Some(asked) = self.asked.get_mut(index).filter(|asked| !asked.trusted) else {
            return;
        };
        asked.trusted = true;
        let detail = format!(
            "the pointer from {} points to an object outside of the program",
            asked.what
        );
        let loc = asked.loc;
        self.assumptions.push(Assumption {
            kind: AssumptionKind::Memory,
            detail,
            loc,
            sound: true,
        });
    }

    // ---- scalars in stores --------------------------------------------------------------------------------------------

    /// Reads a scalar place.
    fn load(&mut self, place: &Place) -> Result<Value, Stop> {
        let location = self.locate(place)?;
        let shape = Shape::of(&self.program.types, place.ty)?;
        match place.bits {
            Some(bits) => self.load_bits(place, location, bits, shape),
            None => {
                let size = self.size(place.ty)?;
                self.allow(location, size, false)?;
                self.load_at(place, location, size, shape)
            }
        }
    }

    fn load_at(&mut self, place: &Place, location: Location, size: u64, shape: Shape) -> Result<Value, Stop> {
        let unknown = (0..size).filter(|i| self.byte(location.plus(*i)).is_none()).count();
        if unknown > 0 {
            if u64::try_from(unknown) == Ok(size) {
                self.fill(place, location, size, shape);
            } else {
                // Part of the scalar was written: the rest is asked for byte by byte.
                let byte = Shape::Int(IntInfo {
                    width: 8,
                    signed: false,
                });
                for i in 0..size {
                    if self.byte(location.plus(i)).is_none() {
                        self.fill(place, location.plus(i), 1, byte);
                    }
                }
            }
        }
        let mut pattern = [0u8; 16];
        for (i, slot) in (0..size.min(16)).zip(&mut pattern) {
            *slot = self.byte(location.plus(i)).unwrap_or(0);
        }
        let origin = self.store(location.store).origin(location.address, size);
        Ok(decode(u128::from_le_bytes(pattern), shape).with_origin(origin))
    }

    fn byte(&self, location: Location) -> Option<u8> {
        self.store(location.store).get(location.address)
    }

    /// Asks for the content of an unknown scalar and stores it.
    fn fill(&mut self, place: &Place, location: Location, size: u64, shape: Shape) {
        let request = match (location.store, &place.base) {
            (Store::Registers, PlaceBase::Var(var)) => {
                let base = self.instance(*var).address;
                Request::Variable {
                    step: self.step,
                    var: *var,
                    offset: location.address.wrapping_sub(base),
                    size,
                }
            }
            _ => Request::Memory {
                step: self.step,
                address: location.address,
                size,
            },
        };
        let what = match &place.base {
            PlaceBase::Var(var) => format!("`{}`, which was not initialised", self.program.var(*var).display),
            PlaceBase::Deref(_) => "memory that was not initialised".to_string(),
        };
        let value = self.ask(request, shape, &what);
        self.store_value(location, size, value);
    }

    fn store_value(&mut self, location: Location, size: u64, value: Value) {
        let pattern = encode(value, size);
        let store = self.store_mut(location.store);
        store.write(location.address, pattern, size);
        if let Some(origin) = value.origin {
            store.set_origin(location.address, size, origin);
        }
    }

    fn load_bits(&mut self, place: &Place, location: Location, bits: BitRange, shape: Shape) -> Result<Value, Stop> {
        let (first, count, shift) = bytes_of(bits);
        let location = location.plus(first);
        self.allow(location, count, false)?;
        let byte = Shape::Int(IntInfo {
            width: 8,
            signed: false,
        });
        let unknown = (0..count).any(|i| self.byte(location.plus(i)).is_none());
        if unknown {
            for i in 0..count {
                if self.byte(location.plus(i)).is_none() {
                    self.fill(place, location.plus(i), 1, byte);
                }
            }
        }
        let pattern = self.pattern(location, count);
        let raw = (pattern >> shift) & mask(bits.width);
        Ok(match shape {
            Shape::Int(info) if info.signed => Value::bits(signed(raw, bits.width).cast_unsigned(), info.width),
            Shape::Int(info) => Value::bits(raw, info.width),
            _ => Value::bits(raw & 1, 1),
        })
    }

    fn pattern(&self, location: Location, count: u64) -> u128 {
        (0..count).fold(0, |sum, i| {
            sum | u128::from(self.byte(location.plus(i)).unwrap_or(0)) << (8 * i)
        })
    }

    /// Writes a value into a place.
    fn assign(&mut self, place: &Place, payload: Payload) -> Result<(), Stop> {
        let location = self.locate(place)?;
        match payload {
            Payload::Bytes { from, bytes, origins } => {
                let size = self.size(place.ty)?;
                self.allow(location, size, true)?;
                self.store_mut(location.store)
                    .paste(location.address, from, &bytes, origins);
            }
            Payload::Scalar(value) => {
                let shape = Shape::of(&self.program.types, place.ty)?;
                self.change = Some(Change {
                    var: place.as_whole_var(),
                    value: value.show(shape),
                });
                match place.bits {
                    Some(bits) => self.assign_bits(location, bits, value)?,
                    None => {
                        let size = self.size(place.ty)?;
                        self.allow(location, size, true)?;
                        self.store_value(location, size, value);
                    }
                }
            }
        }
        Ok(())
    }

    fn assign_bits(&mut self, location: Location, bits: BitRange, value: Value) -> Result<(), Stop> {
        let (first, count, shift) = bytes_of(bits);
        let location = location.plus(first);
        self.allow(location, count, true)?;
        for i in 0..count {
            if self.byte(location.plus(i)).is_none() {
                let request = Request::Memory {
                    step: self.step,
                    address: location.address.wrapping_add(i),
                    size: 1,
                };
                let byte = Shape::Int(IntInfo {
                    width: 8,
                    signed: false,
                });
                let value = self.ask(request, byte, "the neighbours of a bit-field");
                self.store_value(location.plus(i), 1, value.with_origin(None));
            }
        }
        let field = mask(bits.width) << shift;
        let new = (value.as_bits().unwrap_or(0) << shift) & field;
        let pattern = (self.pattern(location, count) & !field) | new;
        let store = self.store_mut(location.store);
        store.write(location.address, pattern.to_le_bytes(), count);
        Ok(())
    }

    // ---- inputs -------------------------------------------------------------------------------------------------------

    /// Lets a place have any value: asks for each scalar in it.
    fn ask_for(&mut self, place: &Place, what: &str) -> Result<(), Stop> {
        let location = self.locate(place)?;
        if let Ok(shape) = Shape::of(&self.program.types, place.ty) {
            let address = (location.store == Store::Memory).then_some(location.address);
            let value = self.ask(
                Request::Written {
                    step: self.step,
                    offset: 0,
                    address,
                },
                shape,
                what,
            );
            return self.assign(place, Payload::Scalar(value));
        }
        let size = self.program.types.size_of(place.ty).unwrap_or(0);
        self.allow(location, size, true)?;
        self.store_mut(location.store).forget(location.address, size);
        if location.store == Store::Registers {
            return self.make_register_known(place, location);
        }
        let mut leaves = Vec::new();
        self.leaves(place.ty, 0, &mut leaves);
        for (offset, size, shape) in leaves {
            let address = Some(location.address.wrapping_add(offset));
            let request = Request::Written {
                step: self.step,
                offset,
                address,
            };
            let value = self.ask(request, shape, what);
            self.store_value(location.plus(offset), size, value);
        }
        Ok(())
    }

    /// Makes sure that a composite plain variable has no unknown scalars left, so that a copy keeps them equal.
    fn make_register_known(&mut self, place: &Place, location: Location) -> Result<(), Stop> {
        let mut leaves = Vec::new();
        self.leaves(place.ty, 0, &mut leaves);
        for (offset, size, shape) in leaves {
            self.load_at(place, location.plus(offset), size, shape)?;
        }
        Ok(())
    }

    /// Gives unknown memory values before it is copied: of the size that the input source knows, else single bytes.
    fn make_known(&mut self, address: u64, count: u64) {
        let mut at = 0;
        while at < count {
            let here = address.wrapping_add(at);
            if self.memory.get(here).is_some() {
                at += 1;
                continue;
            }
            let free = (0..(count - at).min(16))
                .take_while(|i| self.memory.get(here.wrapping_add(*i)).is_none())
                .count();
            let free = u64::try_from(free).expect("at most 16");
            let size = self
                .source
                .size_at(self.step, here)
                .filter(|size| *size <= free)
                .unwrap_or(1)
                .max(1);
            let width = u32::try_from(8 * size.min(16)).expect("at most 128");
            let shape = Shape::Int(IntInfo { width, signed: false });
            let request = Request::Memory {
                step: self.step,
                address: here,
                size,
            };
            let value = self.ask(request, shape, "memory that was not initialised");
            let location = Location {
                store: Store::Memory,
                address: here,
                origin: None,
                indirect: false,
            };
            self.store_value(location, size, value);
            at += size;
        }
    }

    /// The scalars in an object: offset, size and shape. Bit-fields are left out: their bytes stay unknown until read.
    fn leaves(&self, ty: TypeId, offset: u64, into: &mut Vec<(u64, u64, Shape)>) {
        let types = &self.program.types;
        if u64::try_from(into.len()).unwrap_or(u64::MAX) >= MOST_LEAVES {
            return;
        }
        match types.get(ty) {
            Type::Record(id) => {
                let record = types.record(*id);
                if record.kind == RecordKind::Union {
                    return;
                }
                for field in record.fields.iter().filter(|field| field.bits.is_none()) {
                    self.leaves(field.ty, offset + field.offset, into);
                }
            }
            Type::Array {
                elem,
                len: ArrayLen::Fixed(count),
            } => {
                let Some(size) = types.size_of(*elem).filter(|size| *size > 0) else {
                    return;
                };
                for i in 0..(*count).min(MOST_LEAVES) {
                    self.leaves(*elem, offset + i * size, into);
                }
            }
            _ => {
                if let (Ok(shape), Some(size)) = (Shape::of(types, ty), types.size_of(ty)) {
                    into.push((offset, size, shape));
                }
            }
        }
    }

    /// Asks the input source for a scalar; what it does not say is 0.
    fn ask(&mut self, request: Request, shape: Shape, what: &str) -> Value {
        let answer = self.source.supply(&request).unwrap_or(Int::from(0));
        let id = InputId(u32::try_from(self.asked.len()).expect("fewer than 2^32 inputs"));
        let value = match shape {
            Shape::Int(info) => Value::bits(bits_of(&answer), info.width).with_origin(Some(id)),
            Shape::Bool => Value::bits(u128::from(!answer.is_zero()), 1),
            Shape::Single => Value::float(f64::from(bits_of(&answer).cast_signed() as f32)),
            Shape::Double => Value::float(bits_of(&answer).cast_signed() as f64),
        };
        let low = value.as_bits().unwrap_or(0) & mask(64);
        self.asked.push(Asked {
            request,
            step: self.step,
            loc: self.loc,
            what: what.to_string(),
            value: value.show(shape),
            bits: u64::try_from(low).expect("cut to 64 bits"),
            trusted: false,
        });
        value
    }
}

/// What an assignment moves.
enum Payload {
    Scalar(Value),
    /// A whole record: where its bytes were, the bytes, and the origins of scalars in it.
    Bytes {
        from: u64,
        bytes: Vec<Option<u8>>,
        origins: Vec<(u64, u64, InputId)>,
    },
}

fn object_of(program: &Program, id: VarId) -> Object {
    let var = program.var(id);
    let size = program.types.size_of(var.ty).unwrap_or(0);
    Object {
        size,
        live: true,
        var: Some(id),
        constant: var.kind == VarKind::StringLiteral,
    }
}

fn describe(source: &Input) -> String {
    match source {
        Input::Nondet { function } | Input::External { function } => format!("{function}()"),
        Input::Uninitialised => "a local variable that is not initialised".to_string(),
        Input::EntryParam => "a parameter of the entry function".to_string(),
        Input::Asm => "inline assembly".to_string(),
        Input::Unmodelled(what) => what.clone(),
    }
}

/// The two's complement bits of an integer.
fn bits_of(value: &Int) -> u128 {
    if let Some(small) = value.to_i128() {
        return small.cast_unsigned();
    }
    // What does not fit 128 bits with sign is at most an unsigned 128-bit number.
    let low = value.mod_floor(&Int::pow2(127));
    let high = (value - &low).mod_floor(&Int::pow2(128));
    let top = if high.is_zero() { 0 } else { 1 << 127 };
    low.to_i128().map_or(0, i128::cast_unsigned) | top
}

/// The bytes that a bit-field touches: the first, how many, and by how much its lowest bit is shifted in them.
fn bytes_of(bits: BitRange) -> (u64, u64, u32) {
    let first = bits.offset / 8;
    let last = (bits.offset + u64::from(bits.width).max(1) - 1) / 8;
    (
        first,
        last - first + 1,
        u32::try_from(bits.offset % 8).expect("below 8"),
    )
}

fn decode(pattern: u128, shape: Shape) -> Value {
    let low32 = u32::try_from(pattern & mask(32)).expect("cut to 32 bits");
    let low64 = u64::try_from(pattern & mask(64)).expect("cut to 64 bits");
    match shape {
        Shape::Int(info) => Value::bits(pattern, info.width),
        Shape::Bool => Value::bits(u128::from(pattern & 0xff != 0), 1),
        Shape::Single => Value::float(f64::from(f32::from_bits(low32))),
        Shape::Double => Value::float(f64::from_bits(low64)),
    }
}

fn encode(value: Value, size: u64) -> impl Iterator<Item = u8> {
    let pattern = match value.data {
        Scalar::Int(bits) => bits,
        Scalar::Float(float) if size == 4 => u128::from((float as f32).to_bits()),
        Scalar::Float(float) => u128::from(float.to_bits()),
    };
    pattern.to_le_bytes().into_iter()
}
