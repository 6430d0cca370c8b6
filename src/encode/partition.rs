//! The division into regions as the memory of a program slice.
//!
//! A slice may rest on the same division as path formulas: what one region's writes cannot change for these they cannot change for the
//! slice. It has a division of its own, though. Unifying regions costs a slice little and path formulas much, so that here many more
//! casts through `void *` are followed before any is trusted.

use super::regions::{RegionId, RegionMap, analyse};
use crate::cfa::memory_types::{FEW_PAIRS, MANY_PAIRS};
use crate::cfa::program::scalar::{Scalar, leaves};
use crate::cfa::slice::Memory;
use crate::cfa::{Assumption, AssumptionKind, Expr, Place, Program};

/// The memory of one program.
pub struct Partition {
    regions: RegionMap,
}

impl Partition {
    /// Divides the memory of a program.
    pub fn new(program: &Program) -> Partition {
        Partition {
            regions: analyse(program, MANY_PAIRS),
        }
    }

    /// Divides the memory of a program as path formulas do.
    pub fn of_formulas(program: &Program) -> Partition {
        Partition {
            regions: analyse(program, FEW_PAIRS),
        }
    }

    /// The assumptions of the division.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let trusted = |(detail, loc): (&str, &crate::frontend::text::source::Loc)| Assumption {
            kind: AssumptionKind::StrictAliasing,
            detail: detail.to_owned(),
            loc: *loc,
            sound: false,
        };
        self.regions.trusted().map(trusted).collect()
    }

    fn add(found: &mut Vec<usize>, region: RegionId) {
        found.push(usize::try_from(region.0).expect("an id is a position"));
    }
}

impl Memory for Partition {
    fn regions(&self) -> usize {
        self.regions.count()
    }

    fn shared(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for region in self.regions.shared() {
            Self::add(&mut found, region);
        }
        found
    }

    fn place(&self, program: &Program, place: &Place, found: &mut Vec<usize>) {
        if Scalar::of(&program.types, place.ty).is_some() {
            match self.regions.of_place(program, place) {
                Some(region) => Self::add(found, region),
                // Nothing is known of it: it is everything.
                None => found.extend(0..self.regions.count()),
            }
            return;
        }
        let mut members = Vec::new();
        for leaf in leaves(&program.types, place.ty) {
            match self.regions.of_leaf(program, place, &leaf) {
                Some(region) => Self::add(&mut members, region),
                None => members.extend(0..self.regions.count()),
            }
        }
        members.sort_unstable();
        members.dedup();
        found.extend(members);
    }

    fn bytes(&self, program: &Program, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>) {
        for (region, _) in self.regions.bytes(program, pointers, len) {
            Self::add(found, region);
        }
    }
}
