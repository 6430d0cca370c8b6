//! The operator `rank`: in which order target states are refined (thesis, section 4.2.1).

use super::Target;

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
        }
        targets
    }
}
