//! Names of kinds of cells, as they stand in predicates and reports.

use super::kinds::Key;
use crate::cfa::program::scalar::Class;
use crate::cfa::program::{Program, VarId};
use crate::frontend::types::{RecordKind, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::fmt::Write;

/// The name of a kind that has cells of this key.
pub(super) fn key_name(program: &Program, paths: &FxHashMap<VarId, Vec<Vec<u32>>>, key: Key) -> String {
    match key {
        Key::Private(var, at) => {
            let variable = program.var(var);
            let path = &paths[&var][usize::try_from(at).expect("a position")];
            member_name(&program.types, &variable.name, variable.ty, path)
        }
        Key::Field(record, field) => {
            let declaration = program.types.record(record);
            let name = declaration
                .name
                .as_deref()
                .map_or_else(|| format!("record{}", record.0), str::to_owned);
            let member = usize::try_from(field).ok().and_then(|f| declaration.fields.get(f));
            match member.and_then(|m| m.name.as_deref()) {
                Some(member) => format!("{name}.{member}"),
                None => format!("{name}.{field}"),
            }
        }
        Key::Class(class, size) => {
            let letter = match class {
                Class::Bool => "bool",
                Class::Int => "int",
                Class::Pointer => "ptr",
                Class::Float => "float",
                Class::Opaque => "opaque",
            };
            format!("{letter}{}", size * 8)
        }
    }
}

/// `x.a.b` for the member of a variable.
pub fn member_name(types: &Types, variable: &str, ty: TypeId, path: &[u32]) -> String {
    let mut name = variable.to_owned();
    let mut at = ty;
    for &field in path {
        while let Some(elem) = types.element(at) {
            at = elem;
        }
        let Some(record) = types.as_record(at) else { break };
        let record = types.record(record);
        let Some(member) = usize::try_from(field).ok().and_then(|f| record.fields.get(f)) else {
            break;
        };
        match &member.name {
            Some(text) => write!(name, ".{text}"),
            // Members of anonymous records are named as C names them, so only the kind keeps siblings apart.
            None => write!(
                name,
                ".{}{field}",
                if record.kind == RecordKind::Union { "u" } else { "s" }
            ),
        }
        .expect("writing to a string");
        at = member.ty;
    }
    name
}
