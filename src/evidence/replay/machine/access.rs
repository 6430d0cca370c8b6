//! Places and accesses: the location of a place, whether it may be accessed, and its content.
//!
//! Every read and write of the machine goes through here: a place becomes a location, the object table is asked whether the
//! access is allowed, unknown bytes are asked for, and bit-fields are cut out of their bytes and put back.

use super::super::invented::Mark;
use super::super::memory::{Access, Bytes};
use super::super::value::{InputId, Shape, Value, mask, number, signed};
use super::super::{Request, Stop};
use super::{BIGGEST_RANGE, Change, Location, Machine, Payload, Store};
use crate::cfa::program::layout::STATIC_BASE;
use crate::cfa::program::outside::area_at;
use crate::cfa::{Assumption, AssumptionKind, BitRange, Invention, Place, PlaceBase, Proj, VarId};
use crate::frontend::types::IntInfo;

/// Accesses below this address and this close to the end of the address space count as null pointer accesses.
const NULL_PAGE: u64 = 4096;
/// Accesses this far from the value of a pointer from outside do not belong to the object there. An input that is an index into an object of the program
/// is farther from where it leads, since nothing but code lies below this address.
const REACH: u64 = STATIC_BASE;
const READS_BEYOND: &str =
    "the violation needs bytes behind an object, which is read through a wider type; C leaves that undefined";
/// Havoc of a composite object asks for each scalar in it, up to this many; the rest becomes unknown.
pub(super) const MAX_LEAVES: u64 = 4096;

impl Machine<'_, '_> {
    // ---- places -------------------------------------------------------------------------------------------------------

    /// Where a place is. For a bit-field: where its record begins.
    pub(super) fn locate(&mut self, place: &Place) -> Result<Location, Stop> {
        let program = self.program;
        let (mut location, mut ty) = match &place.base {
            PlaceBase::Var(var) => (self.instance(*var)?, program.var(*var).ty),
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
                    let (value, mark) = self.steering(|machine| machine.evaluate(index));
                    let value = value?.bits;
                    location.mark = location.mark.or(mark);
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
    ///
    /// # Errors
    /// Recursion went so deep that the layout has no address for it.
    fn instance(&mut self, var: VarId) -> Result<Location, Stop> {
        let variable = self.program.var(var);
        let depth = variable
            .func
            .map_or(0, |func| self.active[func.index()].saturating_sub(1));
        if variable.in_memory {
            let address = self.program.address_at(var, depth);
            let address = address.ok_or_else(|| Stop::undefined("the recursion is too deep".to_string()))?;
            return Ok(Location {
                store: Store::Memory,
                address,
                origin: None,
                indirect: false,
                mark: None,
            });
        }
        let size = variable.size(&self.program.types).unwrap_or(16);
        let next = &mut self.next_register;
        let address = *self.register_of.entry((var, depth)).or_insert_with(|| {
            let address = *next;
            *next += (size + 31) & !15;
            address
        });
        Ok(Location {
            store: Store::Registers,
            address,
            origin: None,
            indirect: false,
            mark: None,
        })
    }

    /// The bits of a scalar variable of the innermost frame of its function, or of a static one; `None` if they are not known, and for other types.
    pub fn known_scalar(&mut self, var: VarId) -> Option<u128> {
        let ty = self.program.var(var).ty;
        Shape::of(&self.program.types, ty).ok()?;
        let size = self.program.types.size_of(ty)?;
        let location = self.instance(var).ok()?;
        let bytes = self.store(location.store).scalar(location.address, size)?;
        Some(u128::from_le_bytes(bytes))
    }

    /// The pointer in memory at an address, if it is known.
    pub fn known_pointer(&self, address: u64) -> Option<u64> {
        let bytes = self
            .memory
            .scalar(address, self.program.types.data_model().pointer_bytes())?;
        u64::try_from(u128::from_le_bytes(bytes)).ok()
    }

    /// The byte of memory at an address, if it is known.
    pub fn byte_at(&self, address: u64) -> Option<u8> {
        self.memory.get(address)
    }

    pub(super) fn store(&self, store: Store) -> &Bytes {
        match store {
            Store::Memory => &self.memory,
            Store::Registers => &self.registers,
        }
    }

    pub(super) fn store_mut(&mut self, store: Store) -> &mut Bytes {
        match store {
            Store::Memory => &mut self.memory,
            Store::Registers => &mut self.registers,
        }
    }

    /// Decides whether `count` bytes at a place may be accessed.
    pub(super) fn allow(&mut self, location: Location, count: u64, write: bool) -> Result<(), Stop> {
        if count > BIGGEST_RANGE {
            return Err(Stop::undefined(format!("{count} bytes are accessed at once")));
        }
        if location.store == Store::Registers {
            return Ok(());
        }
        let address = location.address;
        if self.apart
            && let Some(origin) = location.origin
            && self.may_belong(address, origin)
            && area_at(self.asked[position(origin)].bits).is_none()
        {
            return Err(Stop::Undefined {
                reason: format!("an object from outside has no place of its own (address {address:#x})"),
                origin: Some(origin),
            });
        }
        match self.objects.access(address, count) {
            Access::Inside { constant } if constant && write && location.indirect => {
                Err(Stop::undefined("a string literal is written".to_string()))
            }
            Access::Inside { .. } => Ok(()),
            Access::Dead => Err(Stop::undefined("an object is accessed after its end".to_string())),
            // The value is wider than the object, whose neighbours are any bytes.
            Access::Beyond if !write && count <= 16 && location.origin.is_none() => {
                self.note(AssumptionKind::Memory, READS_BEYOND);
                Ok(())
            }
            Access::Beyond | Access::Outside => match location.origin {
                Some(origin) if self.may_belong(address, origin) => {
                    self.trust_pointer(origin);
                    Ok(())
                }
                origin => {
                    let pointer = origin.map_or(address, |origin| self.asked[position(origin)].bits);
                    let what = if address < NULL_PAGE || pointer < NULL_PAGE {
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

    /// Whether an address can lie in an object outside of the program that an input points to: neither is null or near it, and they are
    /// not too far from each other. So an offset from a null pointer is no object, and an index is no pointer.
    fn may_belong(&self, address: u64, origin: InputId) -> bool {
        let width = 8 * self.program.types.data_model().pointer_bytes();
        let last = u64::try_from(mask(u32::try_from(width).expect("short"))).expect("64 bits at most");
        let pointer = self.asked[position(origin)].bits;
        let is_real = |address: u64| address >= NULL_PAGE && address < last - NULL_PAGE;
        is_real(address) && is_real(pointer) && address.abs_diff(pointer) < REACH
    }

    fn trust_pointer(&mut self, origin: InputId) {
        let Some(asked) = self.asked.get_mut(position(origin)).filter(|asked| !asked.trusted) else {
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
    pub(super) fn load(&mut self, place: &Place) -> Result<Value, Stop> {
        let location = self.locate(place)?;
        let shape = Shape::of(&self.program.types, place.ty)?;
        match place.bits {
            Some(bits) => {
                let low = self.taint.count_low(u64::MAX);
                let value = self.load_bits(place, location, bits, shape);
                self.taint.count_low(low);
                value
            }
            None => {
                let size = self.size(place.ty)?;
                self.allow(location, size, false)?;
                self.load_at(place, location, size, shape)
            }
        }
    }

    pub(super) fn load_at(
        &mut self,
        place: &Place,
        location: Location,
        size: u64,
        shape: Shape,
    ) -> Result<Value, Stop> {
        let known = self.store(location.store).scalar(location.address, size);
        if known.is_none() {
            let unknown = (0..size).filter(|i| self.byte(location.plus(*i)).is_none()).count();
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
        self.log_read(location, size);
        let pattern = known.or_else(|| self.store(location.store).scalar(location.address, size));
        let pattern = pattern.expect("what was unknown has been asked for");
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
                let base = self.instance(*var).map_or(location.address, |place| place.address);
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
        let mark = self.mark_of_contents(location, size);
        self.apart(mark, |machine| {
            // Contents of an object from outside come from there too.
            let outside = location.origin.is_some_and(|id| machine.asked[position(id)].outside);
            let value = machine.ask(request, shape, &what);
            if let Some(asked) = machine.asked.last_mut() {
                asked.outside |= outside;
            }
            machine.store_value(location, size, value);
            if location.origin.is_none() {
                machine.begin_unwritten(location, 0..size);
            }
        });
    }

    /// Whether contents that are not known yet are invented: what is there was, or it lies beyond the objects of the program. Objects that
    /// the program got from outside are inputs.
    pub(super) fn mark_of_contents(&mut self, location: Location, size: u64) -> Option<Mark> {
        let marks = self.taint.cut(location.store, location.address, size);
        if let Some(mark) = marks.into_iter().flatten().next() {
            return Some(mark);
        }
        let inside = location.store == Store::Registers
            || location.origin.is_some()
            || matches!(self.objects.access(location.address, size), Access::Inside { .. });
        match inside {
            true => None,
            false => self.taint.invent(Invention::Memory, "bytes beyond an object", self.loc),
        }
    }

    pub(super) fn store_value(&mut self, location: Location, size: u64, value: Value) {
        let pattern = encode(value);
        self.log_written(location, size);
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
        self.log_read(location, count);
        let pattern = self.pattern(location, count);
        let raw = (pattern >> shift) & mask(bits.width);
        Ok(match shape {
            Shape::Int(info) if info.signed => Value::bits(signed(raw, bits.width).cast_unsigned(), info.width),
            Shape::Int(info) => Value::bits(raw, info.width),
            _ => Value::bits(raw & 1, 1),
        })
    }

    pub(super) fn pattern(&self, location: Location, count: u64) -> u128 {
        (0..count).fold(0, |sum, i| {
            sum | u128::from(self.byte(location.plus(i)).unwrap_or(0)) << (8 * i)
        })
    }

    /// Writes a value into a place.
    pub(super) fn assign(&mut self, place: &Place, payload: Payload) -> Result<(), Stop> {
        let location = self.locate(place)?;
        match payload {
            Payload::Bytes {
                unwritten,
                from,
                bytes,
                origins,
                marks,
            } => {
                let size = self.size(place.ty)?;
                self.allow(location, size, true)?;
                self.log_written(location, size);
                self.begin_unwritten(location, unwritten);
                self.taint.paste(location.store, location.address, marks);
                self.store_mut(location.store)
                    .paste(location.address, from, &bytes, origins);
            }
            Payload::Scalar(value) => {
                let shape = Shape::of(&self.program.types, place.ty)?;
                self.change = Some(Change {
                    var: place.as_whole_var(),
                    value,
                    shape,
                    ty: place.ty,
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
                let mark = self.mark_of_contents(location.plus(i), 1);
                self.apart(mark, |machine| {
                    let value = machine.ask(request, byte, "the neighbours of a bit-field");
                    machine.store_value(location.plus(i), 1, value.with_origin(None));
                });
            }
        }
        // The neighbours stay what they were.
        self.log_read(location, count);
        self.log_written(location, count);
        let field = mask(bits.width) << shift;
        let new = (value.bits << shift) & field;
        let pattern = (self.pattern(location, count) & !field) | new;
        let store = self.store_mut(location.store);
        store.write(location.address, pattern.to_le_bytes(), count);
        Ok(())
    }
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
    match shape {
        Shape::Int(info) => Value::bits(pattern, info.width),
        Shape::Bool => Value::bits(u128::from(pattern & 0xff != 0), 1),
        Shape::Float(format) => Value::bits(pattern, format.width()),
    }
}

fn encode(value: Value) -> impl Iterator<Item = u8> {
    value.bits.to_le_bytes().into_iter()
}

fn position(input: InputId) -> usize {
    usize::try_from(input.0).expect("a position fits")
}
