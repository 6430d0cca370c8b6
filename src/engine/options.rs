//! What a verification run is asked to do: plain data, filled by the command line's option table or by a test.

use super::certificate::DEFAULT_CERTIFY_TICKS;
pub use crate::cpa::predicate::BlockMode;
use crate::encode::Arith;
pub use crate::refine::Scope;
pub use crate::refine::rank::RankKind;
pub use crate::refine::select::SelectKind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which CEGAR loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Lazy abstraction: stop at the first target state, refine from the pivot state on (Algorithm 2.2 of the thesis).
    Lazy,
    /// Provident refinement: explore everything, refine over all target states, restart (Algorithm 3.1).
    #[default]
    Provident,
}

/// How precision is refined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Refinement {
    /// The loop.
    pub mode: Mode,
    /// The operator `rank`, for [`Mode::Provident`].
    pub rank: RankKind,
    /// The operator `select`, for [`Mode::Provident`].
    pub select: SelectKind,
    /// The scope of new predicates.
    pub scope: Scope,
}

/// The analysis of explicit values that runs before the refinement loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explicit {
    /// Whether it runs at all. It never does with ideal integers.
    pub enabled: bool,
    /// Steps that its exploration may take.
    pub steps: u64,
    /// Steps that its longest simulation may take.
    pub simulation: u64,
}

impl Default for Explicit {
    /// On, for a few seconds at most.
    fn default() -> Self {
        Explicit {
            enabled: true,
            steps: 8_000_000,
            simulation: 200_000,
        }
    }
}

/// Ticks for the refinement loop with ideal integers: about a second.
pub const DEFAULT_IDEAL_TICKS: u64 = 15_000_000;

/// Limits of a run. `None` is no limit. All but `ticks` depend on the machine and can only turn an answer into UNKNOWN.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Processor seconds of the process.
    pub cpu: Option<f64>,
    /// Seconds since the start of the run.
    pub wall: Option<f64>,
    /// Resident memory in MiB.
    pub memory_mb: Option<u64>,
    /// Deterministic solver effort.
    pub ticks: Option<u64>,
}

impl Limits {
    /// The limits at which the engine ends a run: a little below those that the user gave (a twentieth, for times at most a second), so that
    /// the report is printed within them.
    #[must_use]
    pub fn with_reserve(self) -> Limits {
        let time = |limit: f64| limit - (limit / 20.0).min(1.0);
        Limits {
            cpu: self.cpu.map(time),
            wall: self.wall.map(time),
            memory_mb: self.memory_mb.map(|limit| limit - limit / 20),
            ticks: self.ticks,
        }
    }
}

/// All options of [`verify`](super::verify).
#[derive(Debug, Clone)]
pub struct Options {
    /// Machine or ideal integers.
    pub arith: Arith,
    /// Where blocks end.
    pub block: BlockMode,
    /// How precision is refined.
    pub refine: Refinement,
    /// Worker threads for provident refinement (0 counts as 1). No result depends on it.
    pub threads: usize,
    /// Resource limits.
    pub limits: Limits,
    /// Check every interpolant with an independent query.
    pub check: bool,
    /// Cartesian instead of Boolean abstraction.
    pub cartesian: bool,
    /// Explicit values first.
    pub explicit: Explicit,
    /// Solver ticks for the refinement loop with ideal integers that runs first; 0 for none.
    pub ideal_ticks: u64,
    /// Whether to give out what proves a TRUE ([`super::Outcome::evidence`]), and the graph of the last exploration.
    pub certificate: bool,
    /// Solver ticks for an invariant of what explicit values proved; 0 for none.
    pub certify_ticks: u64,
    /// When this becomes true the run ends with what it has, for example after a signal.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    /// The preset `multi`.
    fn default() -> Self {
        Options {
            arith: Arith::Machine,
            block: BlockMode::default(),
            refine: Refinement::default(),
            threads: 1,
            limits: Limits::default(),
            check: false,
            cartesian: false,
            explicit: Explicit::default(),
            ideal_ticks: DEFAULT_IDEAL_TICKS,
            certificate: false,
            certify_ticks: DEFAULT_CERTIFY_TICKS,
            cancel: None,
        }
    }
}

/// The presets that `--refine` accepts, with what they mean.
pub const PRESETS: &[(&str, &str)] = &[
    (
        "single",
        "lazy abstraction: refine at the first target state, from the pivot state on",
    ),
    (
        "multi",
        "provident refinement: identity ranking, all refinements joined",
    ),
    (
        "multi-first",
        "provident refinement: identity ranking, the first refinement only",
    ),
    (
        "multi-shallow",
        "provident refinement: targets near the root first, all joined",
    ),
    (
        "multi-deep",
        "provident refinement: targets far from the root first, all joined",
    ),
];

impl Refinement {
    /// The refinement of a preset's name, if there is one of that name.
    pub fn preset(name: &str) -> Option<Refinement> {
        let provident = |rank, select| Refinement {
            mode: Mode::Provident,
            rank,
            select,
            scope: Scope::default(),
        };
        Some(match name {
            "single" => Refinement {
                mode: Mode::Lazy,
                ..Refinement::default()
            },
            "multi" => provident(RankKind::Identity, SelectKind::JoinAll),
            "multi-first" => provident(RankKind::Identity, SelectKind::First),
            "multi-shallow" => provident(RankKind::ShallowFirst, SelectKind::JoinAll),
            "multi-deep" => provident(RankKind::DeepFirst, SelectKind::JoinAll),
            _ => return None,
        })
    }
}
