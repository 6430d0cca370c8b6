//! Formulas that leave undefined accesses out.
//!
//! A formula has a value for every access, wherever it leads. So a model may take a path on which a pointer leads nowhere, although the same path, or another one of the same chain, has an execution
//! that means something. Two encoders leave such executions out ([`Supposed`]). Their formulas are too strong: they find violations, and prove nothing. The replay judges what they find.
//!
//! *Between the first and the last object* is two inequalities for each access. Refinement can do with it: an interpolant with it is short.
//!
//! *Inside of an object* is a disjunction over the objects that have cells in the region of the access, the heap up to the next free address, and, for a pointer that
//! comes from outside, addresses that no object of the program has. It is for queries whose models count, not their refutations. Integers from outside that are narrower than a pointer can be
//! kept from being addresses at all: a function returns the number of an error, which the program makes a pointer of.

use super::context::Context;
use super::ranges::Range;
use super::regions::{RegionId, RegionMap};
use super::slots;
use crate::cfa::program::layout::{STATIC_BASE, end_of_objects};
use crate::cfa::program::outside::FREE;
use crate::cfa::program::scalar::{Class, Scalar, leaves};
use crate::cfa::{Expr, HEAP_BASE, Op, Place, Program, VarId};
use provident_smt::num::Int;
use provident_smt::term::TermId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Objects that one access is compared with. Beyond, all addresses of variables are allowed.
const MAX_OBJECTS: usize = 64;

/// The accesses of which the formulas of an encoder speak.
#[derive(Clone, Debug, Default)]
pub(super) enum Supposed {
    /// All.
    #[default]
    Nothing,
    /// Those not below [`STATIC_BASE`], as those through null pointers are, and not behind all objects.
    Between,
    /// Those inside of an object.
    Inside {
        objects: Arc<Objects>,
        /// Whether narrow integers from outside are no addresses.
        numbers: bool,
    },
}

/// The objects of a program.
#[derive(Debug)]
pub(super) struct Objects {
    /// The variables with cells in each region.
    of_region: Vec<Vec<VarId>>,
    has_heap: bool,
}

impl Objects {
    /// Looks at all variables in memory.
    pub(super) fn new(program: &Program, regions: &RegionMap) -> Objects {
        let mut of_region = vec![Vec::new(); regions.count()];
        for id in program.var_ids().filter(|&id| program.var(id).in_memory) {
            let place = Place::var(id, program.var(id).ty);
            let scalar = Scalar::of(&program.types, place.ty).and_then(|_| regions.of_accessed(program, &place, None));
            let members = leaves(&program.types, place.ty);
            let members = members
                .iter()
                .filter_map(|leaf| regions.of_accessed(program, &place, Some(leaf)));
            let found: BTreeSet<RegionId> = scalar.into_iter().chain(members).collect();
            for region in found {
                of_region[region.index()].push(id);
            }
        }
        Objects {
            of_region,
            has_heap: program.edges.iter().any(|edge| matches!(edge.op, Op::Allocate { .. })),
        }
    }
}

impl Context<'_, '_> {
    /// Demands of an access through a pointer that it is one of those that are supposed.
    pub(super) fn suppose_access(&mut self, address: TermId, pointer: &Expr, region: Option<RegionId>, size: u64) {
        let number = |address: u64| Int::from(i128::from(address));
        let objects = match &self.encoder.manner.supposed {
            Supposed::Nothing => return,
            Supposed::Between => {
                let end = end_of_objects(self.encoder.program.types.data_model());
                let between = Range::new(number(STATIC_BASE), number(end.saturating_sub(size)));
                return self.bound(address, &between);
            }
            Supposed::Inside { objects, .. } => Arc::clone(objects),
        };
        let program = self.encoder.program;
        let known = self.encoder.regions.variables_behind(program, pointer);
        let is_unknown = known.is_none();
        let of_region = || region.map(|region| objects.of_region[region.index()].clone());
        let mut ranges = Vec::new();
        match known.or_else(of_region).filter(|all| all.len() <= MAX_OBJECTS) {
            Some(variables) => variables.iter().for_each(|&var| ranges.extend(program.ranges_of(var))),
            None => ranges.push(STATIC_BASE..HEAP_BASE),
        }
        if is_unknown {
            ranges.push(FREE);
        }
        let mut inside = Vec::new();
        for range in ranges {
            let Some(last) = range.end.checked_sub(size).filter(|&last| last >= range.start) else {
                continue;
            };
            let (low, high) = (self.pool.int(number(range.start)), self.pool.int(number(last)));
            let (above, below) = (self.pool.le(low, address), self.pool.le(address, high));
            inside.push(self.pool.and2(above, below));
        }
        if objects.has_heap {
            let low = self.pool.int(number(HEAP_BASE));
            let next = self.variable(slots::HEAP, self.ssa.index(slots::HEAP));
            let end = self.further(address, size);
            let (above, below) = (self.pool.le(low, address), self.pool.le(end, next));
            inside.push(self.pool.and2(above, below));
        }
        let inside = self.pool.or(&inside);
        self.require(inside);
    }

    /// Demands of an integer from outside that it is no address, if it is supposed to be none.
    pub(super) fn suppose_number(&mut self, value: TermId, scalar: Scalar) {
        let pointer_bytes = self.encoder.program.types.data_model().pointer_bytes();
        let is_narrow = scalar.class == Class::Int && scalar.size < pointer_bytes;
        if is_narrow && matches!(self.encoder.manner.supposed, Supposed::Inside { numbers: true, .. }) {
            let base = Int::from(i128::from(STATIC_BASE));
            self.bound(value, &Range::new(-&base, base - Int::ONE));
        }
    }
}
