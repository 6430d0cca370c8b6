//! Fills and copies of bytes: `memset`, `memcpy` and `memmove`.
//!
//! Memory is made of cells, and these operations are about bytes. Cells that lie between the first and the last byte get their new values at once, by a range.
//! A boundary inside of a cell changes some of its bytes only: `memset(&x, 0, 2)` for an `int`, or any fill whose length is computed. The [division](crate::cfa::memory_types) says
//! how a boundary may lie to the cells of a kind. For each such way, the cell that begins the given number of bytes before the boundary gets a value made of old and new
//! bits. Only one of these addresses is that of a cell, because cells do not overlap. The program reads none of the others, so the formulas about them must not be contradictory: no
//! such value is required to be in any range, but is brought into it.
//!
//! If the objects are unknown, cells at a boundary get any value. The alternative is to split all kinds that a boundary may cut into bytes. It makes
//! every access to them expensive, even if no cell is ever cut.

use super::context::{Context, Value};
use super::ranges::Range;
use super::regions::RegionId;
use crate::cfa::memory_types::{Cells, Cut};
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{AssumptionKind, Expr};
use provident_smt::num::Int;
use provident_smt::term::{Symbol, TermId, UpdateSource};

/// How a cell holds its scalar.
#[derive(Clone, Copy)]
struct Layout {
    /// The first bit, of a bit-field.
    first: u32,
    scalar: Scalar,
    /// The bytes that the cell takes.
    span: u64,
}

/// New bytes.
#[derive(Clone)]
enum Bytes {
    /// All the same: from 0 to 255.
    Repeated(TermId),
    /// Those of the cells that lie so far away in a version of the region.
    Moved { from: Symbol, shift: TermId },
}

/// The bytes from one address to another one, and their number.
struct Extent {
    first: Value,
    end: Value,
    len: Value,
}

impl Context<'_, '_> {
    /// `memset`.
    pub fn mem_set(&mut self, dst: &Expr, byte: &Expr, len: &Expr) {
        let regions = self.encoder.regions.bytes(self.encoder.program, &[dst], len);
        let extent = self.extent(dst, len);
        let byte = self.value(byte);
        let byte = self.pool.mod_floor(byte.term, &Int::from(256i64));
        for (region, cut) in regions {
            self.overwrite(region, cut, &extent, &Bytes::Repeated(byte));
        }
    }

    /// `memcpy` and `memmove`: cells move with their bytes, as each object's scalars are in one region.
    pub fn mem_copy(&mut self, dst: &Expr, src: &Expr, len: &Expr) {
        let regions = self.encoder.regions.bytes(self.encoder.program, &[dst, src], len);
        let extent = self.extent(dst, len);
        let src = self.value(src);
        let shift = self.pool.sub(src.term, extent.first.term);
        let end = self.pool.add(src.term, extent.len.term);
        for (region, cut) in regions {
            let slot = self.encoder.slots.region(region);
            let index = self.ssa.index(slot);
            let from = self.symbol(slot, index);
            self.note_copied(region, from, src.term, end);
            self.overwrite(region, cut, &extent, &Bytes::Moved { from, shift });
        }
    }

    fn extent(&mut self, dst: &Expr, len: &Expr) -> Extent {
        let (first, len) = (self.value(dst), self.value(len));
        let end = self.plus(&first, &len);
        Extent { first, end, len }
    }

    /// The cells of a region get new bytes.
    fn overwrite(&mut self, region: RegionId, cut: Cut, extent: &Extent, bytes: &Bytes) {
        let known = self.encoder.regions.region(region);
        if !known.read {
            return;
        }
        let layout = match known.cells {
            Cells::Bytes => Layout {
                first: 0,
                scalar: byte_scalar(1, false),
                span: 1,
            },
            Cells::Scalars { size, signed, uniform } => {
                let scalar = if uniform {
                    known.scalar
                } else {
                    byte_scalar(size, signed)
                };
                let first = known.first_bit.unwrap_or(0);
                let span = match known.first_bit {
                    Some(first) => u64::from(first + scalar.width).div_ceil(8),
                    None => size,
                };
                Layout { first, scalar, span }
            }
        };
        let whole = self.whole_cells(layout, bytes);
        let cut = match layout.span {
            1 => Cut::default(),
            _ => cut,
        };
        let inner_end = match cut.back {
            0 => extent.end.term,
            _ => self.shifted(extent.end.term, -i128::from(layout.span - 1)),
        };
        let exact = !cut.rough && !matches!(whole, UpdateSource::Havoc) && !self.ideal() && layout.is_number();
        let slot = self.encoder.slots.region(region);
        let old = self.ssa.index(slot);
        let old = self.symbol(slot, old);
        let patches = match exact {
            true => self.patches(layout, cut, extent, bytes, old),
            false => Vec::new(),
        };
        self.update(region, extent.first.term, inner_end, whole);
        for (at, value) in patches {
            let end = self.shifted(at, 1);
            self.update(region, at, end, UpdateSource::Const(value));
        }
        if !exact && (cut.front | cut.back) != 0 {
            let text = "cells that a fill or a copy begins or ends in hold any value";
            self.trust(AssumptionKind::Memory, text, true);
            for (mask, boundary) in [(cut.front, &extent.first), (cut.back, &extent.end)] {
                if mask != 0 {
                    let from = self.shifted(boundary.term, -i128::from(layout.span - 1));
                    self.update(region, from, boundary.term, UpdateSource::Havoc);
                }
            }
        }
    }

    /// The new value of cells of which every byte is new.
    fn whole_cells(&mut self, layout: Layout, bytes: &Bytes) -> UpdateSource {
        match *bytes {
            Bytes::Moved { from, shift } => UpdateSource::Copy { from, shift },
            Bytes::Repeated(byte) if self.pool.as_const(byte).is_some_and(Int::is_zero) => UpdateSource::Const(byte),
            Bytes::Repeated(byte) if layout.is_number() && (!self.ideal() || layout.span == 1) => {
                let (from, to) = (layout.first, layout.first + layout.scalar.width);
                let bits = self.repeated_bits(layout, byte, from, to);
                let value = self.held(layout, bits);
                UpdateSource::Const(value)
            }
            Bytes::Repeated(_) => {
                let text = "bytes that memory is filled with are any bytes";
                self.trust(AssumptionKind::Memory, text, true);
                UpdateSource::Havoc
            }
        }
    }

    /// New values of cells that a boundary cuts: addresses with values.
    fn patches(
        &mut self,
        layout: Layout,
        cut: Cut,
        extent: &Extent,
        bytes: &Bytes,
        old: Symbol,
    ) -> Vec<(TermId, TermId)> {
        let mut found = Vec::new();
        let span = layout.span.min(64);
        let is_cut = |mask: u64, r: u64| mask >> r & 1 == 1;
        for r in (1..span).filter(|&r| is_cut(cut.back, r)) {
            // The end lies behind `r` bytes of a cell that begins behind the first byte, or with it.
            let at = self.shifted(extent.end.term, -i128::from(r));
            let kept = self.pool.app(old.name, old.index, &[at]);
            let new = self.mixed(layout, (0, r), at, kept, bytes);
            let value = self.if_longer(&extent.len, r, new, kept);
            found.push((at, value));
        }
        for r in (1..span).filter(|&r| is_cut(cut.front, r)) {
            let at = self.shifted(extent.first.term, -i128::from(r));
            let kept = self.pool.app(old.name, old.index, &[at]);
            // The end may lie in the same cell.
            let mut value = self.mixed(layout, (r, span), at, kept, bytes);
            for count in (0..span - r).rev() {
                let shorter = match count {
                    0 => kept,
                    _ => self.mixed(layout, (r, r + count), at, kept, bytes),
                };
                value = self.if_longer(&extent.len, count + 1, value, shorter);
            }
            found.push((at, value));
        }
        found
    }

    /// One value if the length is at least the given number of bytes, else the other one.
    fn if_longer(&mut self, len: &Value, bytes: u64, longer: TermId, shorter: TermId) -> TermId {
        let bytes = Int::from(i128::from(bytes));
        if len.range.lo.as_ref().is_some_and(|lo| *lo >= bytes) {
            return longer;
        }
        if len.range.hi.as_ref().is_some_and(|hi| *hi < bytes) {
            return shorter;
        }
        let bytes = self.pool.int(bytes);
        let enough = self.pool.le(bytes, len.term);
        self.pool.ite(enough, longer, shorter)
    }

    /// The value of a cell whose bytes from one to another are new.
    fn mixed(&mut self, layout: Layout, (from, to): (u64, u64), at: TermId, kept: TermId, bytes: &Bytes) -> TermId {
        let (first, end) = (layout.first, layout.first + layout.scalar.width);
        let bit = |byte: u64| u32::try_from(byte * 8).expect("a scalar is small").clamp(first, end);
        let (from, to) = (bit(from), bit(to));
        let period = layout.scalar.period();
        let old = self.pool.mod_floor(kept, &period);
        if from == to {
            return kept;
        }
        let (low, high) = (Int::pow2(from - first), Int::pow2(to - first));
        let new = match *bytes {
            Bytes::Repeated(byte) => self.repeated_bits(layout, byte, from, to),
            Bytes::Moved { from: version, shift } => {
                let source = self.pool.add(at, shift);
                let source = self.pool.app(version.name, version.index, &[source]);
                let source = self.pool.mod_floor(source, &period);
                let source = self.pool.div_floor(source, &low);
                self.pool.mod_floor(source, &Int::pow2(to - from))
            }
        };
        let below = self.pool.mod_floor(old, &low);
        let above = self.pool.div_floor(old, &high);
        let mut parts = vec![(low, new), (Int::ONE, below)];
        if to < end {
            parts.push((high, above));
        }
        let bits = self.pool.linear(&parts, Int::ZERO);
        self.held(layout, bits)
    }

    /// The bits of a cell from one to another, if all its bytes are the same.
    fn repeated_bits(&mut self, layout: Layout, byte: TermId, from: u32, to: u32) -> TermId {
        let bits = u32::try_from(layout.span * 8).expect("a scalar is small");
        let ones = (Int::pow2(bits) - Int::ONE).div_floor(&Int::from(255i64));
        let all = self.pool.scale(&ones, byte);
        let above = self.pool.div_floor(all, &Int::pow2(from));
        self.pool.mod_floor(above, &Int::pow2(to - from))
    }

    /// The value of a cell whose bits are an unsigned number.
    fn held(&mut self, layout: Layout, bits: TermId) -> TermId {
        let scalar = layout.scalar;
        let range = Range {
            lo: Some(Int::ZERO),
            hi: Some(scalar.period() - Int::ONE),
        };
        match self.pool.as_const(bits).cloned() {
            Some(value) if scalar.signed && value >= Int::pow2(scalar.width - 1) => {
                self.pool.int(value - scalar.period())
            }
            Some(_) => bits,
            None => self.fit(Value::new(bits, range), scalar).term,
        }
    }

    fn shifted(&mut self, address: TermId, by: i128) -> TermId {
        self.pool.linear(&[(Int::ONE, address)], Int::from(by))
    }
}

impl Layout {
    /// Whether all bits of the cell are those of an integer.
    fn is_number(&self) -> bool {
        matches!(self.scalar.class, Class::Int | Class::Pointer)
    }
}

/// The integer type of a number of bytes.
fn byte_scalar(size: u64, signed: bool) -> Scalar {
    let width = u32::try_from(size.min(1 << 20) * 8).expect("limited");
    Scalar {
        class: Class::Int,
        width,
        signed,
        size,
    }
}
