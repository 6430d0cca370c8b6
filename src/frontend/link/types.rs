//! Declarations of types that are one although no name of the program links them: an object may come from one unit to another through `void *`.

use super::Problem;
use super::alike::{Alike, Difference, show};
use super::entity::and;
use crate::frontend::syntax::ast::Expr;
use crate::frontend::syntax::parser::UnitBegin;
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;
use provident_smt::hash::{FxHashMap, FxHashSet};

/// Declarations, each with the number of its unit.
type Declared<T> = Vec<(usize, T)>;

/// The tag and the constants of an enumeration.
type EnumKey = (Option<Box<str>>, Vec<(Box<str>, i128)>);

/// What two declarations of one type agree in at least.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Tag(RecordKind, Box<str>),
    Members(RecordKind, u64, Vec<(Option<Box<str>>, u64)>),
}

fn key(record: &Record) -> Key {
    match &record.name {
        Some(tag) => Key::Tag(record.kind, tag.clone()),
        None => {
            let members = record.fields.iter().map(|f| (f.name.clone(), f.offset));
            Key::Members(record.kind, record.size, members.collect())
        }
    }
}

/// Joins the records and enumerations of all units that are compatible.
pub(super) fn join_all(alike: &mut Alike<'_>, units: &[UnitBegin], exprs: &[Expr], problems: &mut Vec<Problem>) {
    // Names with linkage have joined the declarations that they mean.
    let meant: FxHashSet<RecordId> = alike
        .types
        .records()
        .map(|(id, _)| id)
        .filter(|&id| alike.is_complete(id))
        .collect();
    join_enums(alike, units);
    join_complete(alike, units, problems);
    join_incomplete(alike, units, exprs, &meant, problems);
}

fn unit_of(units: &[UnitBegin], number: u32, begin: fn(&UnitBegin) -> usize) -> usize {
    units.partition_point(|unit| begin(unit) <= number as usize)
}

fn join_enums(alike: &mut Alike<'_>, units: &[UnitBegin]) {
    let mut known: FxHashMap<EnumKey, Declared<EnumId>> = FxHashMap::default();
    for (id, declared) in alike.types.enums() {
        if !declared.complete {
            continue;
        }
        let mut constants = declared.constants.clone();
        constants.sort_unstable();
        let unit = unit_of(units, id.0, |unit| unit.enums);
        let list = known.entry((declared.name.clone(), constants)).or_default();
        let found = list.iter().find(|(other, _)| *other != unit).copied();
        if let Some((_, other)) = found {
            // Another size of the same constants (`packed`) makes another type.
            let _ = alike.compare_enums(other, id);
        }
        list.push((unit, id));
    }
}

fn join_complete(alike: &mut Alike<'_>, units: &[UnitBegin], problems: &mut Vec<Problem>) {
    let mut known: FxHashMap<Key, Declared<RecordId>> = FxHashMap::default();
    for (id, record) in alike.types.records() {
        if !record.complete || record.made != Made::Declared {
            continue;
        }
        let unit = unit_of(units, id.0, |unit| unit.records);
        let list = known.entry(key(record)).or_default();
        let mut tried: FxHashSet<RecordId> = FxHashSet::default();
        for &(other_unit, other) in list.iter() {
            if other_unit == unit || !tried.insert(alike.record(other)) {
                continue;
            }
            match alike.compare_records(other, id) {
                Ok(()) => break,
                Err(Difference {
                    why: Some(why),
                    places: Some((a, b)),
                    unsupported: true,
                    other,
                }) => {
                    problems.push(Problem {
                        loc: record.loc,
                        message: format!("{} is declared in two ways", show(record)),
                        label: String::new(),
                        others: vec![(why, a), (and(&other), b)],
                    });
                    break;
                }
                Err(_) => {}
            }
        }
        list.push((unit, id));
    }
}

/// A tag without members means the record with members of that tag, if there is only one.
fn join_incomplete(
    alike: &mut Alike<'_>,
    units: &[UnitBegin],
    exprs: &[Expr],
    meant: &FxHashSet<RecordId>,
    problems: &mut Vec<Problem>,
) {
    let mut tags: FxHashMap<Key, (Declared<RecordId>, Declared<RecordId>)> = FxHashMap::default();
    for (id, record) in alike.types.records() {
        if record.made == Made::Declared && record.name.is_some() {
            let unit = unit_of(units, id.0, |unit| unit.records);
            let (complete, incomplete) = tags.entry(key(record)).or_default();
            if record.complete { complete } else { incomplete }.push((unit, id));
        }
    }
    let mut open: Vec<(RecordId, Vec<RecordId>)> = Vec::new();
    for (_, (complete, incomplete)) in tags {
        for &(unit, id) in &incomplete {
            if meant.contains(&id) {
                continue;
            }
            let mut ways: Vec<RecordId> = complete
                .iter()
                .filter(|(u, _)| *u != unit)
                .map(|(_, r)| alike.record(*r))
                .collect();
            ways.sort_unstable();
            ways.dedup();
            match ways.as_slice() {
                [] => {
                    if let Some((_, first)) = incomplete.iter().find(|(u, _)| *u != unit) {
                        let _ = alike.compare_records(*first, id);
                    }
                }
                [one] => drop(alike.compare_records(*one, id)),
                _ => open.push((id, ways)),
            }
        }
    }
    if open.is_empty() {
        return;
    }
    open.sort_by_key(|(id, _)| *id);
    let used = used_records(alike.types, exprs);
    for (id, ways) in open {
        if used.contains(&id) {
            let record = alike.types.record(id);
            let place = |(i, r): (usize, &RecordId)| {
                let what = if i == 0 { "declared" } else { "and" };
                (what.to_owned(), alike.types.record(*r).loc)
            };
            problems.push(Problem {
                loc: record.loc,
                message: format!(
                    "{} has no members here, and different ones in other files",
                    show(record)
                ),
                label: "which of them is meant cannot be told".to_owned(),
                others: ways.iter().enumerate().map(place).collect::<Vec<(String, Loc)>>(),
            });
        }
    }
}

/// The records that the types of expressions name, themselves or in members.
fn used_records(types: &Types, exprs: &[Expr]) -> FxHashSet<RecordId> {
    let mut seen: FxHashSet<TypeId> = FxHashSet::default();
    let mut open: Vec<TypeId> = exprs.iter().map(|e| e.ty).collect();
    let mut found = FxHashSet::default();
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match types.get(ty) {
            Type::Pointer(to) | Type::Array { elem: to, .. } => open.push(*to),
            Type::Function { ret, params, .. } => open.extend(params.iter().copied().chain([*ret])),
            Type::Record(record) => {
                found.insert(*record);
                open.extend(types.record(*record).fields.iter().map(|f| f.ty));
            }
            _ => {}
        }
    }
    found
}
