//! Questions about the objects that exist.
//!
//! The size of a heap object is a function of its address, since no two objects ever have one address. Whether bytes may be accessed is *any* truth value here, restricted as
//! far as the formula knows objects: it is yes where the bytes certainly lie in an object that exists. So every execution that violates a check is in the formula; one that
//! does not may be in it, too, and the replay decides.

use super::context::{Context, Value};
use super::ranges::Range;
use crate::cfa::{Expr, Inspection, Place};
use provident_smt::num::Int;

impl Context<'_, '_> {
    /// A place gets the answer to a question.
    pub fn inspect(&mut self, lhs: &Place, question: &Inspection) {
        match question {
            Inspection::Size(ptr) => self.object_size(lhs, ptr),
            Inspection::Accessible { .. }
            | Inspection::Releasable(_)
            | Inspection::Tracked
            | Inspection::Released => {
                let answer = self.any(Range {
                    lo: Some(Int::ZERO),
                    hi: Some(Int::ONE),
                });
                self.store(lhs, &answer);
            }
        }
    }

    /// A place gets the size of an object; 0 for none.
    fn object_size(&mut self, lhs: &Place, ptr: &Expr) {
        let address = self.value(ptr);
        let bytes = self.size_at(address.term);
        let range = self.range_of(self.place_scalar(lhs));
        self.bound(bytes, &range);
        let zero = self.zero_term();
        let is_null = self.pool.eq(address.term, zero);
        let term = self.pool.ite(is_null, zero, bytes);
        self.store(lhs, &Value::new(term, range));
    }
}
