//! Kinds of heap objects, for statements about all objects of one kind.
//!
//! A list of lists has objects of two types, and nothing in memory says which address is one of which. So formulas may say it: a function gives the address at which an object begins the kind of the object, and 0 to the other
//! multiples of 16 bytes in it, so that no number of a kind is ever found inside of an object. No two objects overlap, and no address is given out twice; therefore each execution has such a function, and it needs no versions, as
//! the function of sizes needs none (see `inspect`). It is an auxiliary variable (Owicki and Gries, *An axiomatic proof technique for parallel programs I*, 1976): no operation depends on it.
//!
//! The kind is the record that an allocation is for, by the type of the pointer that gets the address. A function that allocates for others has a pointer to anything: such objects are of one kind if they have one size.

use super::context::{Context, Value};
use super::encoder::Encoder;
use super::slots;
use crate::cfa::{AllocKind, Op, Place};
use crate::frontend::types::RecordId;
use provident_smt::num::Int;
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The distances of addresses are multiples of this number of bytes.
pub const UNIT: i64 = 16;
/// Units of one object of which formulas say that no object begins there: of an object of constant size, and of another one. Of longer objects too little is said, and nothing wrong.
const MAX_UNITS: (i64, i64) = (64, 8);

/// The number of the kind of objects that are allocated for a record.
fn number_of(record: RecordId) -> Int {
    Int::from(-1 - i64::from(record.0))
}

impl<'p> Encoder<'p> {
    /// Says in the formula of each allocation of what kind the object is.
    #[must_use]
    pub fn say_kinds(mut self) -> Encoder<'p> {
        self.says_kinds = true;
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
        let pointed = self.program.vars.iter().filter_map(|variable| types.pointee(variable.ty));
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
            if let Some(record) = types.pointee(self.program.var(var).ty).and_then(|to| types.as_record(to)) {
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
    /// An object begins at an address: of the kind that the allocation says, and no other one begins inside of it.
    pub(super) fn say_kind(&mut self, lhs: &Place, (base, size): (TermId, TermId), padded: &Value) {
        let kind = match self.encoder.record_for(lhs) {
            Some(record) => self.pool.int(number_of(record)),
            None => size,
        };
        let here = self.kind_at(base);
        let is_of_kind = self.pool.eq(here, kind);
        self.require(is_of_kind);
        let zero = self.zero_term();
        let most = match padded.range.as_point() {
            Some(_) => MAX_UNITS.0,
            None => MAX_UNITS.1,
        };
        for offset in (1..=most).map(|unit| Int::from(UNIT * unit)) {
            if padded.range.hi.as_ref().is_some_and(|end| offset >= *end) {
                break;
            }
            let distance = self.pool.int(offset);
            let address = self.pool.add(base, distance);
            let inner = self.kind_at(address);
            let (is_inside, is_none) = (self.pool.lt(distance, padded.term), self.pool.eq(inner, zero));
            let none = self.pool.implies(is_inside, is_none);
            self.require(none);
        }
    }

    fn kind_at(&mut self, address: TermId) -> TermId {
        let symbol = self.symbol(slots::KINDS, 0);
        self.pool.app(symbol.name, symbol.index, &[address])
    }
}
