//! The kinds that the types and variables of a program have at first.

use super::analysis::Analysis;
use super::kinds::Key;
use super::meeting::{Meeting, bit_span};
use crate::cfa::program::VarId;
use crate::cfa::program::scalar::{Class, Leaf, Scalar, leaves, record_leaves};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordId, RecordKind, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Analysis<'p> {
    /// Makes the nodes of all members of records, of all private variables, and of all classes of scalars.
    pub(super) fn enumerate(&mut self) {
        let types = &self.program.types;
        for class in [Class::Bool, Class::Int, Class::Pointer, Class::Float, Class::Opaque] {
            for size in [1u64, 2, 4, 8, 10, 12, 16, 24, 32, 64] {
                let width = if class == Class::Bool {
                    1
                } else {
                    u32::try_from(size * 8).expect("small")
                };
                // Both signednesses are accessed through the class, so its cells hold unsigned values unless all uses agree; `char`
                // and `int` without `unsigned` in sight are what is usual.
                self.node(
                    Key::Class(class, size),
                    Scalar {
                        class,
                        width,
                        signed: class == Class::Int,
                        size,
                    },
                );
            }
        }
        for (record, declaration) in types.records() {
            for (i, field) in (0u32..).zip(&declaration.fields) {
                let mut ty = field.ty;
                while let Type::Array { elem, .. } = *types.get(ty) {
                    ty = elem;
                }
                let Some(mut scalar) = Scalar::of(types, ty) else {
                    continue;
                };
                if let Some(bits) = field.bits {
                    scalar = scalar.narrowed(bits.width);
                }
                let node = self.node(Key::Field(record, i), scalar);
                let state = &mut self.nodes[node];
                state.bit_field = field.bits.is_some();
                state.first_bit = field
                    .bits
                    .map_or(0, |bits| u32::try_from(bits.bit_offset % 8).expect("less than 8"));
                let multiple = |n: u64| scalar.size > 0 && n.is_multiple_of(scalar.size);
                state.natural = multiple(field.offset) && multiple(declaration.align) && field.bits.is_none();
            }
        }
        self.packed_members();
        for (record, declaration) in types.records() {
            if declaration.kind == RecordKind::Union && declaration.complete {
                self.union_type(record);
            }
        }
        for id in self.program.var_ids() {
            let variable = self.program.var(id);
            if variable.in_memory && !variable.escapes {
                self.private(id, variable.ty);
            }
        }
    }

    /// Notes the scalars of records that lie in others without their alignment.
    pub(super) fn packed_members(&mut self) {
        let types = &self.program.types;
        for (_, declaration) in types.records() {
            for field in &declaration.fields {
                let mut ty = field.ty;
                while let Type::Array { elem, .. } = *types.get(ty) {
                    ty = elem;
                }
                let Some(record) = types.as_record(ty) else { continue };
                let align = types.record(record).align.max(1);
                if field.offset.is_multiple_of(align) && declaration.align.is_multiple_of(align) {
                    continue;
                }
                for leaf in record_leaves(types, record) {
                    let node = self.leaf_node(&leaf);
                    self.nodes[node].natural = false;
                }
            }
        }
    }

    pub(super) fn union_type(&mut self, record: RecordId) {
        let all = record_leaves(&self.program.types, record);
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                if a.path.first() != b.path.first()
                    && let Some(meeting) = Meeting::of((a, bit_span(a, 0)), (b, bit_span(b, 0)), 0)
                {
                    self.meet(a, b, meeting, Loc::NONE);
                }
            }
        }
    }

    pub(super) fn private(&mut self, var: VarId, ty: TypeId) {
        let mut paths: Vec<Vec<u32>> = Vec::new();
        self.keys.private_paths.insert(var, Vec::new());
        let all = leaves(&self.program.types, ty);
        let mut first: Vec<&Leaf> = Vec::new();
        let mut kept: BTreeMap<usize, BTreeSet<TypeId>> = BTreeMap::new();
        for leaf in &all {
            let path = leaf.path[..leaf.union_at.unwrap_or(leaf.path.len())].to_vec();
            let at = paths.iter().position(|p| *p == path).unwrap_or_else(|| {
                paths.push(path);
                first.push(leaf);
                paths.len() - 1
            });
            let key = Key::Private(var, u32::try_from(at).expect("a position"));
            let node = self.node(key, leaf.scalar);
            kept.entry(node).or_default().insert(leaf.ty);
            let (head, state) = (first[at], &mut self.nodes[node]);
            let alike = head.scalar.size == leaf.scalar.size && head.offset == leaf.offset && leaf.bits == head.bits;
            state.bit_field |= leaf.bits.is_some();
            state.mixed |= !alike;
            state.unified |= state.class != leaf.scalar.class || state.signed != leaf.scalar.signed;
            state.signed &= leaf.scalar.signed;
        }
        self.keys.private_paths.insert(var, paths);
        for (node, types) in kept {
            let types: Vec<TypeId> = types.into_iter().collect();
            for (i, &a) in types.iter().enumerate() {
                for &b in &types[i + 1..] {
                    self.scalars_overlaid((a, node), (b, node), Loc::NONE);
                }
            }
        }
    }
}
