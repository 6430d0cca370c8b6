//! The operator `rank`: in which order target states are refined (thesis, section 4.2.1).

use super::Target;
use provident_smt::hash::split_mix;

/// The rankers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankKind {
    /// The order in which the exploration found them (`R_ID`).
    #[default]
    Identity,
    /// Only the first of that order (`R_F`).
    First,
    /// Ascending distance from the root of the abstract reachability graph (`R_T`).
    ShallowFirst,
    /// Descending distance from the root (`R_B`).
    DeepFirst,
    /// Ascending number of blocks on the error path: short chains are decided fast.
    FewestBlocks,
    /// Ascending number of blocks behind the last abstraction that is not `true`: the fewer there are, the less a refutation has to explain.
    PivotDistance,
    /// One target of each property in turn, so that no property waits behind the targets of another.
    RoundRobin,
    /// In an order that the seed chooses: the baseline for every other ranker.
    Random(u64),
}

/// A ranking operator.
///
/// Law: for a non-empty input the output is a non-empty arrangement of members of the input, each at most once.
pub trait Rank {
    /// Arranges target states.
    fn rank(&self, targets: Vec<Target>) -> Vec<Target>;
}

impl Rank for RankKind {
    fn rank(&self, mut targets: Vec<Target>) -> Vec<Target> {
        match self {
            RankKind::Identity => {}
            RankKind::First => targets.truncate(1),
            RankKind::ShallowFirst => targets.sort_by_key(|t| (t.level, t.id)),
            RankKind::DeepFirst => targets.sort_by_key(|t| (std::cmp::Reverse(t.level), t.id)),
            RankKind::FewestBlocks => targets.sort_by_key(|t| (t.blocks, t.id)),
            RankKind::PivotDistance => targets.sort_by_key(|t| (t.unknown_blocks, t.id)),
            RankKind::RoundRobin => return round_robin(targets),
            RankKind::Random(seed) => shuffle(*seed, &mut targets),
        }
        targets
    }
}

/// The first target of each property, in order of the properties, then the second of each, and so on. A target of several properties has its place
/// with the first of them.
fn round_robin(targets: Vec<Target>) -> Vec<Target> {
    let mut turns: Vec<(usize, usize, Target)> = Vec::new();
    for target in targets {
        let property = target.properties.first().map_or(usize::MAX, |p| p.index());
        let turn = turns.iter().filter(|(_, p, _)| *p == property).count();
        turns.push((turn, property, target));
    }
    turns.sort_by_key(|(turn, property, _)| (*turn, *property));
    turns.into_iter().map(|(_, _, target)| target).collect()
}

/// Fisher and Yates.
fn shuffle(seed: u64, targets: &mut [Target]) {
    let mut state = seed;
    for last in (1..targets.len()).rev() {
        let below = u64::try_from(last + 1).expect("a length fits");
        let other = usize::try_from(split_mix(&mut state) % below).expect("below a length");
        targets.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::EdgeId;
    use crate::cpa::arg::Arg;
    use crate::cpa::predicate::blocks::Blocks;
    use crate::cpa::predicate::{AbsId, Phase, PredState};
    use crate::cpa::tracking::PropertyId;
    use proptest::prelude::*;

    const ALL: &[RankKind] = &[
        RankKind::Identity,
        RankKind::First,
        RankKind::ShallowFirst,
        RankKind::DeepFirst,
        RankKind::FewestBlocks,
        RankKind::PivotDistance,
        RankKind::RoundRobin,
        RankKind::Random(0),
        RankKind::Random(77),
    ];

    /// Targets with the given levels, blocks, unknown blocks and properties.
    fn targets(shapes: &[(u32, u32, u32, usize)]) -> Vec<Target> {
        let mut arg = Arg::new();
        let target = |&(level, blocks, unknown_blocks, property): &(u32, u32, u32, usize)| Target {
            id: arg.add_root(()),
            level,
            blocks,
            unknown_blocks,
            edge: EdgeId::new(0),
            state: PredState {
                abs: AbsId::ROOT,
                block: Blocks::EMPTY,
                phase: Phase::ReachedTarget,
            },
            properties: vec![PropertyId::new(property)],
        };
        shapes.iter().map(target).collect()
    }

    proptest! {
        #[test]
        fn rankers_arrange_their_input(
            shapes in prop::collection::vec((0u32..9, 1u32..5, 0u32..5, 0usize..4), 1..24),
        ) {
            let input = targets(&shapes);
            for kind in ALL {
                let output = kind.rank(input.clone());
                prop_assert!(!output.is_empty());
                let mut ids: Vec<_> = output.iter().map(|t| t.id).collect();
                ids.sort_unstable();
                ids.dedup();
                prop_assert_eq!(ids.len(), output.len(), "{:?} repeats a target", kind);
                prop_assert!(output.iter().all(|t| input.contains(t)));
                prop_assert!(*kind == RankKind::First || output.len() == input.len(), "{:?} loses a target", kind);
                prop_assert_eq!(&kind.rank(input.clone()), &output, "{:?} does not repeat", kind);
                let ordered = |key: fn(&Target) -> u32| output.windows(2).all(|w| key(&w[0]) <= key(&w[1]));
                let is_ordered = match kind {
                    RankKind::ShallowFirst => ordered(|t| t.level),
                    RankKind::DeepFirst => ordered(|t| u32::MAX - t.level),
                    RankKind::FewestBlocks => ordered(|t| t.blocks),
                    RankKind::PivotDistance => ordered(|t| t.unknown_blocks),
                    _ => true,
                };
                prop_assert!(is_ordered, "{:?}", kind);
            }
        }

        #[test]
        fn no_property_waits_behind_another(shapes in prop::collection::vec((0u32..9, 1u32..5, 0u32..5, 0usize..4), 1..24)) {
            let output = RankKind::RoundRobin.rank(targets(&shapes));
            let properties: std::collections::BTreeSet<usize> = shapes.iter().map(|s| s.3).collect();
            let first: std::collections::BTreeSet<usize> =
                output.iter().take(properties.len()).map(|t| t.properties[0].index()).collect();
            prop_assert_eq!(first, properties);
        }
    }
}
