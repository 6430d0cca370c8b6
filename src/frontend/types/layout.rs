//! Sizes, alignments and record layout as gcc for x86 has them.
//!
//! The System V rules: a member begins at the next multiple of its alignment; the record's size is rounded up to its own
//! alignment. In ILP32, `long long`, `double` and their kin have alignment 4 as members but the type's own alignment is 8 for
//! `_Alignof` of the type (gcc 12 reports the member alignment for `_Alignof`, the preferred one for `__alignof__`).
//!
//! A bit-field of declared type T and width w goes right behind the previous one, unless it would cross a boundary of
//! sizeof(T) counted from the record's start; then it begins at the next such boundary. `packed` removes that rule. Width 0 moves to the next boundary of T.
//! A named bit-field's type takes part in the record's alignment.

use crate::frontend::types::*;

impl Types {
    /// The size in bytes. `None` for incomplete types, VLAs and functions (`void` and functions have size 1 in GNU pointer
    /// arithmetic and `sizeof`; that is the caller's business).
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        let lp64 = self.data_model() == DataModel::Lp64;
        match *self.get(id) {
            Type::Void | Type::Function { .. } => None,
            Type::Bool => Some(1),
            Type::Int(kind) => Some(u64::from(kind.width(self.data_model()) / 8)),
            Type::BitInt { width, .. } => Some(match width {
                0..=8 => 1,
                9..=16 => 2,
                17..=32 => 4,
                33..=64 => 8,
                // Wider ones are arrays of the machine's words.
                _ => round_up(u64::from(width).div_ceil(8), self.data_model().pointer_bytes()),
            }),
            Type::Decimal(bytes) => Some(bytes),
            Type::Float(kind) => Some(match kind {
                FloatKind::Float16 => 2,
                FloatKind::Float | FloatKind::Float32 => 4,
                FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => 8,
                FloatKind::LongDouble | FloatKind::Float64x => {
                    if lp64 {
                        16
                    } else {
                        12
                    }
                }
                FloatKind::Float128 => 16,
            }),
            Type::Complex(of) => self.size_of(of)?.checked_mul(2),
            Type::Vector { bytes, .. } => Some(bytes),
            Type::Enum(e) => {
                let e = self.enumeration(e);
                Some(u64::from(e.int.width(self.data_model()) / 8))
            }
            Type::Pointer(_) => Some(self.data_model().pointer_bytes()),
            Type::Array {
                elem,
                len: ArrayLen::Fixed(n),
            } => self.size_of(elem)?.checked_mul(n),
            Type::Array { .. } => None,
            Type::Record(r) => {
                let record = self.record(r);
                (record.complete && !record.variable).then_some(record.size)
            }
        }
    }

    /// The last member of a struct, if that is an array of unknown length: its number and the type of its elements.
    pub fn flexible_member(&self, id: TypeId) -> Option<(u32, TypeId)> {
        let record = self.record(self.as_record(id)?);
        let last = record.fields.last().filter(|_| record.kind == RecordKind::Struct)?;
        match *self.get(last.ty) {
            Type::Array {
                elem,
                len: ArrayLen::Incomplete,
            } => Some((u32::try_from(record.fields.len() - 1).ok()?, elem)),
            _ => None,
        }
    }

    /// The bytes of an object behind those of its type, where its flexible array member has so many elements.
    pub fn bytes_beyond(&self, id: TypeId, elements: u64) -> u64 {
        let member = |(last, elem): (u32, TypeId)| {
            let record = self.record(self.as_record(id)?);
            let bytes = self.size_of(elem)?.saturating_mul(elements);
            let end = record.fields[last as usize].offset.saturating_add(bytes);
            Some(end.saturating_sub(record.size))
        };
        self.flexible_member(id).and_then(member).unwrap_or(0)
    }

    /// The alignment in bytes that the type has as a member of a struct. `None` where there is no size, except that arrays
    /// of unknown length have one.
    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        if let Some(align) = self.explicit_align(id) {
            return Some(align);
        }
        let lp64 = self.data_model() == DataModel::Lp64;
        match *self.get(id) {
            Type::Void | Type::Function { .. } => None,
            Type::Array { elem, .. } => self.align_of(elem),
            Type::Record(r) => {
                let record = self.record(r);
                record.complete.then_some(record.align)
            }
            Type::Complex(of) => self.align_of(of),
            Type::BitInt { width, .. } if width > 64 => Some(self.data_model().pointer_bytes()),
            Type::Decimal(bytes) => Some(if lp64 { bytes } else { bytes.min(4) }),
            Type::Float(FloatKind::LongDouble | FloatKind::Float64x) => Some(if lp64 { 16 } else { 4 }),
            Type::Float(FloatKind::Float128) => Some(16),
            Type::Vector { bytes, .. } => Some(bytes.max(1)),
            _ => {
                let size = self.size_of(id)?;
                Some(if lp64 { size } else { size.min(4) })
            }
        }
    }
}

/// A member as it is declared, before layout.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Member {
    pub field: Field,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// An `aligned` attribute on the member itself.
    pub aligned: Option<u64>,
    /// Whether the member or the record is packed.
    pub packed: bool,
}

/// Bits of layout in progress.
struct Layout {
    /// The next free bit. The number of an object's bits may exceed 64 bits.
    bits: u128,
    /// The record's alignment in bytes so far.
    align: u64,
}

fn round_up(value: u64, to: u64) -> u64 {
    value.div_ceil(to).saturating_mul(to)
}

impl Layout {
    /// The bytes of which some bit is taken.
    fn bytes(&self) -> u64 {
        u64::try_from(self.bits.div_ceil(8)).unwrap_or(u64::MAX)
    }

    /// Goes to the next multiple of so many bytes.
    fn round_up(&mut self, bytes: u64) {
        let bits = 8 * u128::from(bytes);
        self.bits = self.bits.div_ceil(bits) * bits;
    }
}

impl Types {
    /// Completes a record: places its members. `pack` is the `#pragma pack` value (0: none), `aligned` the record's attribute.
    pub(in crate::frontend) fn lay_out(&mut self, id: RecordId, members: Vec<Member>, pack: u64, aligned: Option<u64>) {
        let is_union = self.record(id).kind == RecordKind::Union;
        let mut layout = Layout { bits: 0, align: 1 };
        let mut size = 0u64;
        let mut fields = Vec::with_capacity(members.len());
        let mut aligns = Vec::with_capacity(members.len());
        let (mut variable, mut bits_behind) = (false, false);
        for mut member in members {
            if is_union {
                layout.bits = 0;
            }
            match member.width {
                Some(width) => {
                    bits_behind |= variable && !is_union;
                    self.place_bit_field(&mut layout, &mut member, width, pack);
                    aligns.push(1);
                }
                None => aligns.push(self.place_member(&mut layout, &mut member, pack)),
            }
            variable |= self.has_variable_size(member.field.ty);
            size = size.max(layout.bytes());
            if member.width.is_none() || member.field.name.is_some() {
                fields.push(member.field);
            } else {
                aligns.pop();
            }
        }
        let align = layout.align.max(aligned.unwrap_or(1));
        let record = self.record_mut(id);
        record.variable = variable;
        if variable && !bits_behind {
            record.aligns = aligns.into();
        }
        record.fields = fields;
        record.align = align;
        record.size = round_up(size, align);
        record.complete = true;
    }

    /// Whether objects of the type have a size that is known at run time only.
    fn has_variable_size(&self, ty: TypeId) -> bool {
        match *self.get(ty) {
            Type::Array {
                len: ArrayLen::Variable(_),
                ..
            } => true,
            Type::Array { elem, .. } => self.has_variable_size(elem),
            Type::Record(r) => self.record(r).variable,
            _ => false,
        }
    }

    /// Places a member; its alignment.
    fn place_member(&self, layout: &mut Layout, member: &mut Member, pack: u64) -> u64 {
        let natural = if member.packed {
            1
        } else {
            self.align_of(member.field.ty).unwrap_or(1)
        };
        let mut align = natural.max(member.aligned.unwrap_or(1));
        if pack != 0 {
            align = align.min(pack);
        }
        layout.align = layout.align.max(align);
        let offset = round_up(layout.bytes(), align);
        member.field.offset = offset;
        let size = self.size_of(member.field.ty).unwrap_or(0);
        layout.bits = 8 * (u128::from(offset) + u128::from(size));
        align
    }

    fn place_bit_field(&self, layout: &mut Layout, member: &mut Member, width: u32, pack: u64) {
        let ty = member.field.ty;
        let type_bits = self.size_of(ty).unwrap_or(4) * 8;
        let type_align = self.align_of(ty).unwrap_or(1);
        if width == 0 {
            // A separator obeys neither `packed` nor the packing pragma, and does not align the record.
            layout.round_up(type_align.max(member.aligned.unwrap_or(1)));
            return;
        }
        // Under the pragma, `packed` does not lower the alignment that a bit-field gives its record any further.
        let align = match (pack, member.packed) {
            (0, true) => 1,
            (0, false) => type_align,
            _ => type_align.min(pack),
        };
        if member.field.name.is_some() {
            layout.align = layout.align.max(align);
        }
        if let Some(aligned) = member.aligned {
            let aligned = if pack != 0 { aligned.min(pack) } else { aligned };
            layout.align = layout.align.max(aligned);
            layout.round_up(aligned);
        }
        if !member.packed && pack == 0 {
            // The field may not span more units of its type's alignment than the type itself does.
            let unit = 8 * u128::from(type_align);
            let spanned = (layout.bits % unit + u128::from(width)).div_ceil(unit);
            if spanned > u128::from(type_bits) / unit {
                layout.round_up(type_align);
            }
        }
        member.field.offset = u64::try_from(layout.bits / 8).unwrap_or(u64::MAX);
        member.field.bits = Some(BitField {
            bit_offset: u64::try_from(layout.bits).unwrap_or(u64::MAX),
            width,
        });
        layout.bits += u128::from(width);
    }
}
