//! Kinds of heap objects, for statements about all objects of one kind.
//!
//! A list of lists has objects of two types, and nothing in memory says which address is one of which. So formulas may say it: a function gives the address at which an object begins the kind of the object, and 0 to
//! all other addresses; an allocation changes it as an assignment changes memory. It is an auxiliary variable (Owicki and Gries, *An axiomatic proof technique for parallel programs I*, 1976): no operation depends on it, so
//! formulas with it have the executions that those without it have.
//!
//! The kind is the record that an allocation is for, by the type of the pointer that gets the address. A function that allocates for others has a pointer to anything: such objects are of one kind if they have one size.

use super::context::Context;
use super::encoder::Encoder;
use super::slots;
use crate::cfa::{AllocKind, Op, Place};
use crate::frontend::types::RecordId;
use provident_smt::num::Int;
use provident_smt::term::{TermId, UpdateSource};
use std::collections::{BTreeMap, BTreeSet};

/// Addresses have no more bits.
const ADDRESS_BITS: u32 = 64;

/// The number of the kind of objects that are allocated for a record.
fn number_of(record: RecordId) -> Int {
    Int::from(-1 - i64::from(record.0))
}

impl<'p> Encoder<'p> {
    /// Says in the formula of each allocation of what kind the object is.
    #[must_use]
    pub fn say_kinds(mut self) -> Encoder<'p> {
        self.manner.says_kinds = true;
        self
    }

    /// The name of the function of the kinds.
    pub fn kinds_name(&self) -> String {
        self.slots.name(slots::KINDS)
    }

    /// The records for which heap objects are allocated, each with the numbers of the kinds that such an object may be of.
    pub fn object_kinds(&self) -> BTreeMap<RecordId, BTreeSet<Int>> {
        let types = &self.program.types;
        let mut found: BTreeMap<RecordId, BTreeSet<Int>> = BTreeMap::new();
        // The sizes of what is allocated for no record; nothing if they depend on variables.
        let mut sizes: BTreeSet<Option<Int>> = BTreeSet::new();
        for edge in &self.program.edges {
            let Op::Allocate { lhs, size, kind, .. } = &edge.op else {
                continue;
            };
            match self.record_for(lhs) {
                _ if matches!(kind, AllocKind::Stack | AllocKind::Block) => {}
                Some(record) => drop(found.entry(record).or_default().insert(number_of(record))),
                None => drop(sizes.insert(size.as_const().cloned())),
            }
        }
        let pointed = self
            .program
            .vars
            .iter()
            .filter_map(|variable| types.pointee(variable.ty));
        for (pointee, record) in pointed.filter_map(|to| Some((to, types.as_record(to)?))) {
            if let Some(size) = types.size_of(pointee)
                && let size = Int::from(i128::from(size))
                && (sizes.contains(&None) || sizes.contains(&Some(size.clone())))
            {
                found.entry(record).or_default().insert(size);
            }
        }
        found
    }

    /// The records that variables point to, by the names of their symbols.
    pub fn pointed_records(&self) -> BTreeMap<String, RecordId> {
        let types = &self.program.types;
        let mut found = BTreeMap::new();
        for var in self.program.var_ids().filter(|&var| !self.program.var(var).in_memory) {
            if let Some(record) = types
                .pointee(self.program.var(var).ty)
                .and_then(|to| types.as_record(to))
            {
                found.extend(self.variable_names(var, 0).into_iter().map(|name| (name, record)));
            }
        }
        found
    }

    /// The record that an allocation is for; `None` if that is not known.
    fn record_for(&self, lhs: &Place) -> Option<RecordId> {
        let types = &self.program.types;
        let declared = types.pointee(lhs.ty).and_then(|to| types.as_record(to));
        declared.or_else(|| types.as_record(self.regions.converted_type(lhs.as_whole_var()?)?))
    }
}

impl Context<'_, '_> {
    /// No object was made before.
    pub(super) fn begin_kinds(&mut self) {
        let zero = self.zero_term();
        let end = self.pool.int(Int::pow2(ADDRESS_BITS));
        self.set_kinds(zero, end, zero);
    }

    /// An object begins at an address, of the kind that the allocation says.
    pub(super) fn say_kind(&mut self, lhs: &Place, base: TermId, size: TermId) {
        let kind = match self.encoder.record_for(lhs) {
            Some(record) => self.pool.int(number_of(record)),
            None => size,
        };
        let one = self.pool.int(1i64);
        let end = self.pool.add(base, one);
        self.set_kinds(base, end, kind);
    }

    fn set_kinds(&mut self, from: TermId, to: TermId, kind: TermId) {
        let old = self.ssa.index(slots::KINDS);
        let new = self.ssa.bump(slots::KINDS);
        let (old, new) = (self.symbol(slots::KINDS, old), self.symbol(slots::KINDS, new));
        let update = self.pool.update(new, old, from, to, UpdateSource::Const(kind));
        self.require(update);
    }
}
