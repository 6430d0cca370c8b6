//! Bytes that are reached under two types: their common bytes are unified, or the ledger gets an assumption.

use super::{Analysis, BYTES, pointer_to};
use crate::cfa::memory_types::flow::{Found, Pair, View};
use crate::cfa::memory_types::meeting;
use crate::cfa::memory_types::meeting::{Meeting, Spans, bit_span};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, Types};
use std::collections::BTreeSet;

impl Analysis<'_> {
    /// Whether the two ways to reach bytes cannot differ: along an array.
    pub(super) fn is_along_an_array(&self, (from, to, offset): Pair) -> bool {
        let size = self.program.types.size_of(from.ty).and_then(|s| i64::try_from(s).ok());
        from.ty == to.ty && offset.is_none_or(|o| size.is_some_and(|size| size > 0 && o % size == 0))
    }

    /// Bytes behind a pointer to a type are reached in another way. At computed offsets that is left for later.
    pub(super) fn views(&mut self, pair: Pair, loc: Loc) {
        if !self.is_of_objects(pair) {
            return;
        }
        self.leaves_objects(pair);
        if self.is_along_an_array(pair) || !self.seen_pairs.insert(pair) {
            return;
        }
        if self.is_computed(pair) {
            self.waiting.entry(pair).or_insert(loc);
        } else {
            self.unify_views(pair, loc);
        }
    }

    pub(super) fn is_of_objects(&self, (from, to, _): Pair) -> bool {
        let is_object = |view: View| !matches!(self.program.types.get(view.ty), Type::Void | Type::Function { .. });
        is_object(from) && is_object(to)
    }

    /// Notes a type whose pointers go outside of it.
    pub(super) fn leaves_objects(&mut self, (from, to, offset): Pair) {
        let size = self.program.types.size_of(to.ty).and_then(|s| i64::try_from(s).ok());
        self.reach(from.ty, offset, Some(size.unwrap_or(0).max(to.reach)));
    }

    pub(super) fn is_scalar(&mut self, view: View) -> bool {
        let leaves = self.leaves_of(view.ty);
        leaves.first().is_some_and(|leaf| leaf.field.is_none())
    }

    /// Whether a pointer into a record goes to an offset that is not known.
    pub(super) fn is_computed(&mut self, (from, to, offset): Pair) -> bool {
        offset.is_none() && !(self.is_scalar(from) && self.is_scalar(to))
    }

    pub(super) fn unify_views(&mut self, pair: Pair, loc: Loc) {
        let (a, b) = (self.leaves_of(pair.0.ty), self.leaves_of(pair.1.ty));
        let computed = self.is_computed(pair);
        for (x, y, meeting) in self.meetings(pair) {
            if !computed {
                self.meet(&a[x], &b[y], meeting, loc);
                continue;
            }
            let (p, q) = (self.leaf_node(&a[x]), self.leaf_node(&b[y]));
            self.unify(p, q, true);
            if [a[x].ty, b[y].ty].iter().any(|&ty| self.program.types.is_pointer(ty)) {
                self.trust(BYTES, loc);
            }
        }
    }

    /// Whether to reach bytes in two ways changes nothing: they are reached as the same scalars.
    pub(super) fn agrees(&mut self, pair: Pair) -> bool {
        let (a, b) = (self.leaves_of(pair.0.ty), self.leaves_of(pair.1.ty));
        let meetings = self.meetings(pair);
        meetings
            .into_iter()
            .all(|(x, y, meeting)| self.agree(&a[x], &b[y], meeting))
    }

    /// The distance of the objects that a pointer may go to: in an array.
    pub(super) fn stride(&self, view: View) -> i128 {
        let size = self.program.types.size_of(view.ty).map_or(0, |s| i128::from(s) * 8);
        if !view.exact && self.stepped.contains(&view.ty) {
            size
        } else {
            0
        }
    }

    /// The scalars that lie in the same bytes if these are reached in two ways, by their positions.
    pub(super) fn meetings(&mut self, (from, to, offset): Pair) -> Vec<(usize, usize, Meeting)> {
        let (a, b) = (self.leaves_of(from.ty), self.leaves_of(to.ty));
        let scalars = self.is_scalar(from) && self.is_scalar(to);
        let Some(shift) = offset.or(scalars.then_some(0)) else {
            // At a computed offset no two scalars are congruent.
            let all = |i| (0..b.len()).map(move |j| (i, j, Meeting::Mixed));
            return (0..a.len()).flat_map(all).collect();
        };
        let mut stride = meeting::common_divisor(self.stride(from), self.stride(to));
        if offset.is_none() {
            let smaller = a.iter().chain(b.iter()).map(|leaf| leaf.scalar.size).min();
            stride = i128::from(smaller.unwrap_or(1)) * 8;
        }
        let spans = Spans::new(b.iter().map(|y| bit_span(y, shift)));
        let mut found = Vec::new();
        for (i, x) in a.iter().enumerate() {
            let span = bit_span(x, 0);
            let near = if stride == 0 {
                spans.overlapping(span)
            } else {
                (0..b.len()).collect()
            };
            for j in near {
                if let Some(meeting) = Meeting::of((x, span), (&b[j], spans.all[j]), stride) {
                    found.push((i, j, meeting));
                }
            }
        }
        found
    }

    /// Unifies what is reached under two types because a pointer went through a `void *` or an integer, or to a computed offset: for up to `limit`
    /// pairs of types that do not agree.
    ///
    /// Fails with a place if there are more, and leaves the division unfit.
    pub(super) fn through_void(&mut self, limit: usize) -> Result<(), Loc> {
        if !self.left.is_empty() {
            return Ok(());
        }
        let (mut known, mut dear): (BTreeSet<Pair>, usize) = (BTreeSet::new(), 0);
        loop {
            let flow = std::mem::take(&mut self.flow);
            let found = flow.pairs(&mut |node| self.root(node));
            self.flow = flow;
            let Found { mut typed, new, filled } = found.ok_or(Loc::NONE)?;
            for (ty, offset, len) in filled {
                self.reach(ty, offset, len);
            }
            for (pair, loc) in &self.waiting {
                typed.entry(*pair).or_insert(*loc);
            }
            for pair in typed
                .keys()
                .filter(|pair| self.is_of_objects(**pair))
                .copied()
                .collect::<Vec<_>>()
            {
                self.leaves_objects(pair);
            }
            if !self.left.is_empty() {
                // More has to be followed first.
                return Ok(());
            }
            let mut found = typed;
            for (pair, loc) in new {
                found.entry(pair).or_insert(loc);
            }
            found
                .retain(|pair, _| self.is_of_objects(*pair) && !self.is_along_an_array(*pair) && !known.contains(pair));
            if found.is_empty() {
                return Ok(());
            }
            for (pair, loc) in found {
                known.insert(pair);
                if self.is_computed(pair) && !self.is_of_bytes(pair) {
                    self.unify_computed(pair, loc);
                    continue;
                }
                if !self.agrees(pair) {
                    dear += 1;
                }
                if dear > limit {
                    return Err(loc);
                }
                self.unify_views(pair, loc);
            }
        }
    }

    /// Unifies what is reached at any offset; for others than bytes that is too much, so that only the beginning is.
    pub(super) fn unify_computed(&mut self, pair: Pair, loc: Loc) {
        if self.is_of_bytes(pair) {
            return self.unify_views(pair, loc);
        }
        self.trust(
            "objects are not accessed through pointers of other types at computed offsets",
            loc,
        );
        // Where it begins nobody knows, so that it may go on from there to any element.
        self.unify_views((pointer_to(pair.0.ty), pointer_to(pair.1.ty), Some(0)), loc);
    }

    /// Whether one of two ways to reach bytes is that of bytes, which no pointers are kept in.
    pub(super) fn is_of_bytes(&mut self, (from, to, _): Pair) -> bool {
        let bytes = |types: &Types, view: View| types.size_of(view.ty) == Some(1);
        bytes(&self.program.types, from) || bytes(&self.program.types, to)
    }
}
