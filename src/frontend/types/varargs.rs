//! The type `va_list`.
//!
//! Its size, alignment and the way it is passed are those of the System V ABI for x86: in LP64 an array of one `struct __va_list_tag` of 24 bytes, so that a
//! parameter of the type is a pointer; in ILP32 a pointer. Either holds the address of the next argument, which lies in a *slot*: a
//! `struct __va_slot`. Which members a slot has is decided where calls are lowered, and no program can name it.

use super::layout::Member;
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

/// The types behind `va_list`.
#[derive(Clone, Copy, Debug)]
pub struct VaList {
    /// `va_list`, plain.
    pub ty: TypeId,
    /// The record that holds one argument; incomplete until calls are lowered.
    pub slot: RecordId,
    /// The pointer to a slot.
    pub pointer: TypeId,
    /// In LP64, the record that `va_list` is an array of.
    pub tag: Option<RecordId>,
}

/// The member of the record that points to the next slot.
pub const NEXT_FIELD: u32 = 2;

impl VaList {
    /// The types before they are made.
    pub(in crate::frontend) const NONE: VaList = VaList {
        ty: Types::VOID,
        slot: RecordId(0),
        pointer: Types::VOID,
        tag: None,
    };

    pub(in crate::frontend) fn new(types: &mut Types) -> VaList {
        let slot = types.new_record(RecordKind::Struct, Some("__va_slot".into()), Loc::NONE);
        let slot_ty = types.intern(Type::Record(slot));
        let pointer = types.pointer_to(slot_ty);
        if types.data_model() == DataModel::Ilp32 {
            let ty = pointer;
            return VaList {
                ty,
                slot,
                pointer,
                tag: None,
            };
        }
        let tag = types.new_record(RecordKind::Struct, Some("__va_list_tag".into()), Loc::NONE);
        let members = [
            ("gp_offset", Types::UINT),
            ("fp_offset", Types::UINT),
            ("overflow_arg_area", pointer),
            ("reg_save_area", Types::VOID_PTR),
        ];
        let members = members.map(|(name, ty)| member(name, ty));
        types.lay_out(tag, members.into(), 0, None);
        let elem = types.intern(Type::Record(tag));
        let ty = types.array_of(elem, ArrayLen::Fixed(1));
        VaList {
            ty,
            slot,
            pointer,
            tag: Some(tag),
        }
    }
}

fn member(name: &str, ty: TypeId) -> Member {
    Member {
        field: Field {
            name: Some(name.into()),
            ty,
            offset: 0,
            bits: None,
            loc: Loc::NONE,
        },
        width: None,
        aligned: None,
        packed: false,
    }
}

impl Types {
    /// Whether an expression of the type, array or not, denotes a `va_list` (in LP64: or the pointer that a parameter is).
    pub fn is_va_list(&self, ty: TypeId) -> bool {
        let VaList { slot, tag, .. } = *self.va_list();
        match (tag, self.get(ty)) {
            (Some(tag), &(Type::Array { elem, .. } | Type::Pointer(elem))) => self.as_record(elem) == Some(tag),
            (None, &Type::Pointer(to)) => self.as_record(to) == Some(slot),
            _ => false,
        }
    }

    /// Gives slots their members: one for each type of argument.
    pub fn complete_va_slot(&mut self, members: &[(String, TypeId)]) {
        let members = members.iter().map(|(name, ty)| member(name, *ty)).collect();
        self.lay_out(self.va_list().slot, members, 0, None);
    }
}
