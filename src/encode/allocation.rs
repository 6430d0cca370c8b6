//! New objects: their addresses and sizes.

use super::contents::Flag;
use super::context::{Context, Value};
use super::ranges::Range;
use super::regions::RegionId;
use super::{InputKind, slots};
use crate::cfa::{AllocKind, AssumptionKind, Expr, Place};
use provident_smt::num::Int;
use provident_smt::term::{TermId, UpdateSource};

impl Context<'_, '_> {
    /// No object was made before.
    pub(super) fn begin_heap(&mut self) {
        let heap = self.variable(slots::HEAP, 0);
        let base = self.pool.int(i128::from(crate::cfa::HEAP_BASE));
        let begins = self.pool.eq(heap, base);
        self.require(begins);
        if self.encoder.manner.says_kinds {
            self.begin_kinds();
        }
    }

    /// A new object.
    pub fn allocate(&mut self, lhs: &Place, size: &Expr, kind: AllocKind, (zero, may_fail): (bool, bool)) {
        let program = self.encoder.program;
        let size_value = self.value(size);
        let index = self.ssa.index(slots::HEAP);
        let heap = self.variable(slots::HEAP, index);
        self.reads.push((heap, slots::HEAP));
        let word = Int::pow2(u32::try_from(program.types.data_model().pointer_bytes() * 8).expect("a width"));
        // The last page is no memory, so that no object's end wraps around.
        let top = word - Int::pow2(12);
        let heap_range = Range {
            lo: Some(Int::from(i128::from(crate::cfa::HEAP_BASE))),
            hi: Some(top.clone()),
        };
        let known = self
            .facts
            .get(slots::HEAP.0)
            .filter(|f| f.index == index)
            .map(|f| f.range.clone());
        if known.is_none() {
            self.bound(heap, &heap_range);
        }
        let base = Value::new(heap, known.unwrap_or_else(|| heap_range.clone()));
        // 16 bytes of distance at least, and the next multiple of 16.
        let padded = {
            let sixteen = Int::from(16i64);
            let up = self.pool.linear(&[(Int::ONE, size_value.term)], Int::from(31i64));
            let units = self.pool.div_floor(up, &sixteen);
            let range = size_value
                .range
                .add(&Range::point(Int::from(31i64)))
                .div_floor(&sixteen)
                .scale(&sixteen);
            Value::new(self.pool.scale(&sixteen, units), range)
        };
        if self.encoder.asks_for_sizes && kind != AllocKind::Stack {
            self.note_object(base.term, kind, false);
            let bytes = self.size_at(base.term);
            let definition = self.pool.eq(bytes, size_value.term);
            self.require(definition);
        }
        if self.encoder.manner.says_kinds {
            self.say_kind(lhs, base.term, size_value.term);
        }
        if !zero {
            let end = self.plus(&base, &size_value);
            self.note(base.term, end.term, Flag::Cleared);
        }
        let next = self.plus(&base, &padded);
        let next_index = self.ssa.bump(slots::HEAP);
        let variable = self.variable(slots::HEAP, next_index);
        let definition = self.pool.eq(variable, next.term);
        self.require(definition);
        let limit = self.pool.int(top);
        let fits = self.pool.le(variable, limit);
        self.require(fits);
        let range = next.range.meet(&heap_range);
        let fact = super::formula::Fact {
            index: next_index,
            range,
            zeros: 0,
            truth: None,
        };
        self.know(slots::HEAP, fact);
        // An allocation of ordinary size that may fail for no reason may fail for lack of memory as well.
        let ordinary = size_value.range.hi.as_ref().is_some_and(|hi| *hi <= Int::pow2(20));
        self.trust(
            AssumptionKind::Allocation,
            "memory does not run out",
            may_fail && ordinary,
        );
        if zero {
            let end = self.plus(&base, &size_value);
            let source = self.zero_term();
            for region in self.allocated_regions(lhs) {
                self.update(region, base.term, end.term, UpdateSource::Const(source));
            }
        }
        let result = if may_fail { self.or_null(&base) } else { base };
        self.inputs.push((InputKind::Allocation, result.term));
        self.store(lhs, &result);
    }

    /// The number of bytes of the object at an address.
    pub(super) fn size_at(&mut self, address: TermId) -> TermId {
        let symbol = self.symbol(slots::SIZES, 0);
        self.pool.app(symbol.name, symbol.index, &[address])
    }

    fn or_null(&mut self, base: &Value) -> Value {
        let any = self.any(Range {
            lo: Some(Int::ZERO),
            hi: base.range.hi.clone(),
        });
        let zero = self.zero_term();
        let (null, object) = (self.pool.eq(any.term, zero), self.pool.eq(any.term, base.term));
        let either = self.pool.or2(null, object);
        self.require(either);
        any
    }

    /// The regions of a zeroed object: of the type that the pointer variable has, or, for a `void *` variable, that all
    /// its uses convert it to.
    fn allocated_regions(&self, lhs: &Place) -> Vec<RegionId> {
        let types = &self.encoder.program.types;
        let declared = types.pointee(lhs.ty).filter(|&t| types.as_record(t).is_some());
        let converted = || self.encoder.regions.converted_type(lhs.as_whole_var()?);
        let address = Expr::load(lhs.clone());
        self.encoder
            .regions
            .behind(self.encoder.program, &[&address], declared.or_else(converted))
    }
}
