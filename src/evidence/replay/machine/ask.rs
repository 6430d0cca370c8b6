//! Asking the script for values that the execution did not make itself.

use super::super::invented::Mark;
use super::super::value::{InputId, Shape, Value, mask, signed};
use super::super::{Asked, Request, Stop};
use super::access::MAX_LEAVES;
use super::{Location, Machine, Payload, Store, bits_of, describe};
use crate::cfa::{Input, Place};
use crate::frontend::types::{ArrayLen, IntInfo, RecordKind, Type, TypeId};
use provident_smt::num::Int;

impl Machine<'_, '_> {
    // ---- inputs -------------------------------------------------------------------------------------------------------

    /// Lets a place have any value: asks for each scalar in it.
    pub(super) fn ask_for(&mut self, place: &Place, source: &Input) -> Result<(), Stop> {
        // Computations for the call, such as unused arguments, are no part of the value.
        self.taint.begin();
        let location = self.locate(place)?;
        let first = self.asked.len();
        let result = self.ask_for_all(place, source, location);
        let outside = matches!(
            source,
            Input::External { .. } | Input::EntryParam | Input::ExternVariable { .. }
        );
        self.asked[first..]
            .iter_mut()
            .for_each(|asked| asked.outside |= outside);
        if *source == Input::Uninitialised {
            let size = self.program.types.size_of(place.ty).unwrap_or(0);
            self.begin_unwritten(location, 0..size);
        }
        result
    }

    fn ask_for_all(&mut self, place: &Place, source: &Input, location: Location) -> Result<(), Stop> {
        let what = &describe(source);
        let mark = match source {
            Input::Invented { kind, what } => self.taint.invent(*kind, what, self.loc),
            _ => None,
        };
        self.taint.join(mark);
        if *source == Input::EntryParam {
            self.parameters.push(self.asked.len());
        }
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
        // Bytes that stay unknown until they are read are marked too.
        self.taint.may_stop(location.mark);
        self.taint.written(location.store, location.address, size);
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

    /// Stops if the program was given a null pointer for an argument, which no environment does (ISO C 5.1.2.2.1).
    pub fn judge_arguments(&self) -> Result<(), Stop> {
        let [count, list, ..] = self.parameters[..] else {
            return Ok(());
        };
        let (Some(count), Some(list)) = (self.asked.get(count), self.asked.get(list)) else {
            return Ok(());
        };
        let pointer = self.program.types.data_model().pointer_bytes();
        let count = u64::try_from(signed(u128::from(count.bits), 32)).unwrap_or(0);
        let arguments = list.bits..list.bits.saturating_add(pointer * count);
        let is_null = |asked: &Asked| match asked.request {
            Request::Memory { address, size, .. } => size == pointer && asked.bits == 0 && arguments.contains(&address),
            _ => false,
        };
        match list.trusted && self.asked.iter().any(is_null) {
            true => Err(Stop::undefined("an argument of the program is null".to_string())),
            false => Ok(()),
        }
    }

    /// Makes sure that a composite plain variable has no unknown scalars left, so that a copy keeps them equal.
    pub(super) fn make_register_known(&mut self, place: &Place, location: Location) -> Result<(), Stop> {
        let mut leaves = Vec::new();
        self.leaves(place.ty, 0, &mut leaves);
        for (offset, size, shape) in leaves {
            self.load_at(place, location.plus(offset), size, shape)?;
        }
        Ok(())
    }

    /// Gives unknown memory values before it is copied: of the size that the input source knows, else single bytes.
    pub(super) fn make_known(&mut self, source: Location, count: u64) {
        let address = source.address;
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
            let location = Location {
                address: here,
                mark: None,
                ..source
            };
            let mark = self.mark_of_contents(location, size);
            self.apart(mark, |machine| {
                let value = machine.ask(request, shape, "memory that was not initialised");
                machine.store_value(location, size, value);
                if location.origin.is_none() {
                    machine.begin_unwritten(location, 0..size);
                }
            });
            at += size;
        }
    }

    /// The scalars in an object: offset, size and shape. Bit-fields are left out: their bytes stay unknown until read.
    fn leaves(&self, ty: TypeId, offset: u64, into: &mut Vec<(u64, u64, Shape)>) {
        let types = &self.program.types;
        if u64::try_from(into.len()).unwrap_or(u64::MAX) >= MAX_LEAVES {
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
                for i in 0..(*count).min(MAX_LEAVES) {
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

    /// Carries out an operation that is no part of the computation around it, with a value of this mark.
    pub(super) fn apart(&mut self, mark: Option<Mark>, action: impl FnOnce(&mut Self)) {
        let interrupted = self.taint.begin();
        self.taint.join(mark);
        action(self);
        self.taint.resume(interrupted);
    }

    /// Requests a scalar from the input source; it is 0 if the source has none.
    pub(super) fn ask(&mut self, request: Request, shape: Shape, what: &str) -> Value {
        let answer = self.source.supply(&request).unwrap_or(Int::from(0));
        let id = InputId(u32::try_from(self.asked.len()).expect("fewer than 2^32 inputs"));
        let value = match shape {
            Shape::Int(info) => Value::bits(bits_of(&answer), info.width).with_origin(Some(id)),
            Shape::Bool => Value::bits(u128::from(!answer.is_zero()), 1),
            Shape::Float(format) => Value::bits(bits_of(&answer), format.width()),
        };
        if let Some(log) = &mut self.log {
            log.asked(self.asked.len());
        }
        self.asked.push(Asked {
            request,
            step: self.step,
            loc: self.loc,
            what: what.to_string(),
            value: value.show(shape),
            bits: u64::try_from(value.bits & mask(64)).expect("cut to 64 bits"),
            pattern: value.bits,
            size: match shape {
                Shape::Int(info) => u64::from(info.width.div_ceil(8)),
                Shape::Bool => 1,
                // Of the formats with padding the bytes of the value only.
                Shape::Float(format) => u64::from(format.width().div_ceil(8)),
            },
            trusted: false,
            outside: false,
            format: match shape {
                Shape::Float(format) => Some(format),
                _ => None,
            },
        });
        value
    }
}
