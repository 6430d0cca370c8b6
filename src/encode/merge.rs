//! Merging the path formulas of paths that meet.
//!
//! The merged formula is `common and ((rest a and padding a) or (rest b and padding b))`. The common beginning, which paths from
//! one branching share, stays outside of the disjunction: otherwise it would double with each branching. A symbol that
//! has different versions gets the newer one; the padding of the other side says that the versions are equal. Versions of regions
//! are padded by an empty update.
//!
//! Variables of a frame that ended are not padded: nothing reads them any more. With a padding the blocks behind would have them in common with those
//! before, and interpolants would speak of values to which no state can refer.

use super::formula::{Conjunct, Fact, Facts, FrameState, Frames};
use super::ranges::Range;
use super::{Encoder, PathFormula, SlotId, SsaMap, slots};
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{Symbol, TermId, TermPool, UpdateSource};
use std::sync::Arc;

/// See [`Encoder::merge`].
pub fn merge(encoder: &Encoder<'_>, pool: &mut TermPool, a: &PathFormula, b: &PathFormula) -> PathFormula {
    let mut changed: Vec<(SlotId, u32, u32)> = Vec::new();
    a.ssa.indices.diff(&b.ssa.indices, &mut |slot, x, y| {
        let (x, y) = (x.copied().unwrap_or(0), y.copied().unwrap_or(0));
        if x != y {
            changed.push((SlotId(slot), x, y));
        }
    });
    let mut ssa = a.ssa.clone();
    let frames = merge_frames(a, b);
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    for &(slot, x, y) in &changed {
        ssa.set(slot, x.max(y));
        if is_dead(encoder, slot, &frames) {
            continue;
        }
        let padding = pad(encoder, pool, slot, x.min(y), x.max(y));
        if (x < y) != planted("merge-padding") {
            of_a.push(padding);
        } else {
            of_b.push(padding);
        }
    }
    let common = common_beginning(a.conjuncts.as_ref(), b.conjuncts.as_ref());
    of_a.extend(rest(a.conjuncts.as_ref(), common.as_ref()));
    of_b.extend(rest(b.conjuncts.as_ref(), common.as_ref()));
    let (side_a, side_b) = (pool.and(&of_a), pool.and(&of_b));
    let either = pool.or2(side_a, side_b);
    let facts = merge_facts(a, b, &ssa, &|slot| is_dead(encoder, slot, &frames));
    let mut merged = PathFormula {
        formula: common.as_ref().map_or(pool.mk_true(), |c| c.all),
        ssa,
        length: a.length.max(b.length),
        facts,
        frames,
        conjuncts: common,
    };
    merged.conjoin(pool, either);
    merged
}

/// See [`Encoder::padded`].
pub fn padded(encoder: &Encoder<'_>, pool: &mut TermPool, side: &PathFormula, merged: &PathFormula) -> TermId {
    let is_read = |slot| !is_dead(encoder, slot, &merged.frames);
    pad_all(encoder, pool, side, &merged.ssa, &is_read)
}

/// See [`Encoder::padded_to`].
pub fn padded_to(encoder: &Encoder<'_>, pool: &mut TermPool, side: &PathFormula, ssa: &SsaMap) -> TermId {
    pad_all(encoder, pool, side, ssa, &|slot| slot != slots::ANY)
}

fn pad_all(
    encoder: &Encoder<'_>,
    pool: &mut TermPool,
    side: &PathFormula,
    ssa: &SsaMap,
    is_read: &dyn Fn(SlotId) -> bool,
) -> TermId {
    let mut conjuncts = vec![side.formula];
    for (slot, new) in ssa.entries() {
        let old = side.ssa.index(slot);
        if old < new && is_read(slot) {
            conjuncts.push(pad(encoder, pool, slot, old, new));
        }
    }
    pool.and(&conjuncts)
}

/// Whether nothing reads a symbol behind a merge. Values without a name are used where they are made and nowhere later.
fn is_dead(encoder: &Encoder<'_>, slot: SlotId, frames: &Frames) -> bool {
    slot == slots::ANY
        || encoder
            .slots
            .frame_of(slot)
            .is_some_and(|frame| frames.get(frame) == Some(&FrameState::Ended))
}

/// The last thing that one of the sides does with each frame. Paths that meet in a block are in the same frames, so a frame that one side leaves is not one that the other is in; where
/// proof obligations join paths that end a program in different frames, a frame counts as open if one side is in it.
fn merge_frames(a: &PathFormula, b: &PathFormula) -> Frames {
    let mut frames = a.frames.clone();
    a.frames.diff(&b.frames, &mut |frame, x, y| {
        let either = match (x, y) {
            (Some(FrameState::Begun), _) | (_, Some(FrameState::Begun)) => FrameState::Begun,
            _ => FrameState::Ended,
        };
        frames.insert(frame, either);
    });
    frames
}

/// The version `new` is the version `old`.
fn pad(encoder: &Encoder<'_>, pool: &mut TermPool, slot: SlotId, old: u32, new: u32) -> TermId {
    let name = pool.symbol(&encoder.slots.name(slot));
    let (old, new) = (Symbol { name, index: old }, Symbol { name, index: new });
    if encoder.slots.is_region(slot) || slot == slots::KINDS {
        let zero = pool.int(Int::ZERO);
        return pool.update(new, old, zero, zero, UpdateSource::Havoc);
    }
    let (old, new) = (pool.int_var(name, old.index), pool.int_var(name, new.index));
    pool.eq(new, old)
}

fn length(list: Option<&Arc<Conjunct>>) -> u32 {
    list.map_or(0, |c| c.length)
}

/// The longest list that both continue.
fn common_beginning(a: Option<&Arc<Conjunct>>, b: Option<&Arc<Conjunct>>) -> Option<Arc<Conjunct>> {
    let (mut a, mut b) = (a, b);
    loop {
        match (a, b) {
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return Some(Arc::clone(x)),
            (Some(x), _) if length(a) > length(b) => a = x.before.as_ref(),
            (_, Some(y)) if length(b) > length(a) => b = y.before.as_ref(),
            (Some(x), Some(y)) => (a, b) = (x.before.as_ref(), y.before.as_ref()),
            _ => return None,
        }
    }
}

/// The conjuncts behind a beginning, in order.
fn rest(list: Option<&Arc<Conjunct>>, beginning: Option<&Arc<Conjunct>>) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut at = list;
    while let Some(conjunct) = at {
        if length(at) == length(beginning) {
            break;
        }
        found.push(conjunct.formula);
        at = conjunct.before.as_ref();
    }
    found.reverse();
    found
}

/// The facts that both sides have, about the versions behind the merge.
fn merge_facts(a: &PathFormula, b: &PathFormula, ssa: &SsaMap, is_dead: &dyn Fn(SlotId) -> bool) -> Facts {
    let mut facts = a.facts.clone();
    a.facts.diff(&b.facts, &mut |slot, x, y| {
        let current = |fact: Option<&Arc<Fact>>, side: &PathFormula| {
            fact.filter(|f| f.index == side.ssa.index(SlotId(slot))).cloned()
        };
        let index = ssa.index(SlotId(slot));
        let fact = match (current(x, a), current(y, b)) {
            (Some(x), Some(y)) if !is_dead(SlotId(slot)) => {
                let truth = if x.truth == y.truth { x.truth } else { None };
                Fact {
                    index,
                    range: x.range.hull(&y.range),
                    zeros: x.zeros.min(y.zeros),
                    truth,
                }
            }
            // A fact about no version stands for none.
            _ => Fact {
                index: u32::MAX,
                range: Range::ALL,
                zeros: 0,
                truth: None,
            },
        };
        let known = [x, y].into_iter().flatten().find(|known| ***known == fact);
        facts.insert(slot, known.cloned().unwrap_or_else(|| Arc::new(fact)));
    });
    facts
}
