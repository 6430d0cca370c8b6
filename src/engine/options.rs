//! The options of a run: plain data, filled by the command line's option table or by a test.
//!
//! | module | has |
//! |---|---|
//! | `explicit` | those of the analysis with explicit values |

mod explicit;

pub use crate::cfa::analysis::distances::Metric;
pub use crate::cpa::memo::blocks::Bam;
pub use crate::cpa::predicate::BlockMode;
pub use crate::cpa::search::SearchOrder;
use crate::encode::Arith;
use crate::query::pulse::Pulse;
pub use crate::refine::builtin::BuiltIn;
pub use crate::refine::prefer::{Heuristic, MAX_HEURISTICS, Preference};
pub use crate::refine::procedure::{DEFAULT_LATTICE, Equality, Procedure};
pub use crate::refine::rank::RankKind;
pub use crate::refine::select::{MAX_SELECTORS, SelectKind, Selection};
pub use crate::refine::templates::Templates;
pub use crate::refine::{Restart, Scope};
pub use explicit::{DEFAULT_SAMPLE, DEFAULT_TURNS, Explicit, Part, PathOrder};
pub(in crate::engine) use explicit::{Explored, Extent, FURTHER};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Solver ticks for evidence of properties that explicit values proved: some seconds.
pub const DEFAULT_CERTIFY_TICKS: u64 = 60_000_000;

/// Which CEGAR loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Lazy abstraction: stop at the first target state, refine from the pivot state on (Algorithm 2.2 of the thesis).
    Lazy,
    /// Provident refinement: explore everything, refine over all target states, restart (Algorithm 3.1).
    #[default]
    Provident,
}

/// Which abstract domains the refinement loop has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnalysisKind {
    /// Predicates only.
    #[default]
    Predicate,
    /// Explicit values only: an infeasible error path that constants do not refute is UNKNOWN.
    Value,
    /// Both in product: for each error path, the domain whose refinement has the better domain-type score is refined.
    Both,
}

/// Which algorithm decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The refinement loop over abstract states.
    #[default]
    Predicate,
    /// Lazy abstraction with interpolants (McMillan 2006).
    Impact,
    /// Interpolation-based model checking (McMillan 2003).
    Imc,
    /// Interpolation-sequence based model checking (Vizel and Grumberg 2009).
    Ismc,
    /// Dual approximated reachability (Vizel, Grumberg, Shoham 2013).
    Dar,
    /// k-induction (Sheeran, Singh, Stålmarck 2000) with auxiliary invariants.
    KInduction,
}

/// The domain-type score of a value refinement from which on the predicate analysis may have a better one: the threshold in use in the tool of the paper.
pub const DEFAULT_VALUE_THRESHOLD: u64 = 1024;

/// How precision is refined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refinement {
    /// The loop.
    pub mode: Mode,
    /// The operator `rank`, for [`Mode::Provident`].
    pub rank: RankKind,
    /// The operator `select`, for [`Mode::Provident`].
    pub select: Selection,
    /// The scope of new predicates.
    pub scope: Scope,
    /// Where the exploration begins again.
    pub restart: Restart,
    /// The operator `prefer`.
    pub prefer: Preference,
    /// The number of infeasible sliced prefixes of an error path that are looked at; 0 counts as 1.
    pub prefixes: u32,
    /// The built-in preferences.
    pub built_in: BuiltIn,
    /// The interpolation procedure.
    pub interpolation: Procedure,
    /// Whether interpolants and predicates are measured for the statistics and, beyond their form, for the log.
    pub measure: bool,
    /// Once there is a target state, refinement begins after this number of states in succession at locations that were visited before, for
    /// [`Mode::Provident`]. The thesis explores to the end.
    pub patience: u64,
    /// The number of targets that one proof refines, if their error paths differ in the last block only; 0 counts as 1.
    pub joint: usize,
}

/// See [`Refinement::patience`]: as long as the exploration comes to new locations it may find new kinds of targets. After that, with a precision that is
/// still too coarse, it mostly unrolls loops into copies of the targets that it has. On drivers 100 was faster than 30, 200, 1000 and no limit.
pub const DEFAULT_PATIENCE: u64 = 100;

/// See [`Refinement::prefixes`].
pub const DEFAULT_PREFIXES: u32 = 64;

impl Default for Refinement {
    fn default() -> Self {
        Refinement {
            mode: Mode::default(),
            rank: RankKind::default(),
            select: Selection::default(),
            scope: Scope::default(),
            restart: Restart::default(),
            prefer: Preference::default(),
            prefixes: DEFAULT_PREFIXES,
            built_in: BuiltIn::default(),
            interpolation: Procedure::default(),
            measure: false,
            patience: DEFAULT_PATIENCE,
            joint: 1,
        }
    }
}

/// The results that the work on some properties leaves to the work on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reuse {
    /// Nothing: as if the process had just begun.
    Nothing,
    /// Blocks and abstractions that were computed: they depend on the program and on predicates only.
    #[default]
    Caches,
    /// These and the precision.
    Precision,
}

/// A strategy of specification decomposition; S0 to S4 are those of Apel et al. (FSE 2016, section 4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StrategyKind {
    /// All properties at once, no budget.
    #[default]
    S0,
    /// All at once, then each remaining one alone.
    S1,
    /// S1, and a property that needs many more refinements than the others is switched off.
    S2,
    /// All at once, then those that did not turn out to be relevant, then each remaining one alone.
    S3,
    /// S3 with the limit on refinements of S2.
    S4,
    /// All at once, then halves of equal cost, by what each property has cost so far, down to single ones.
    Bisect,
}

/// Specification decomposition.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Decomposition {
    /// The strategy.
    pub strategy: StrategyKind,
    /// The results that partitions share.
    pub reuse: Reuse,
    /// The budget of a partition. The default is a share of the remaining limits of the run, and 900 seconds if there are none.
    pub budget: PartitionBudget,
}

/// The most that a partition may spend.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PartitionBudget {
    /// Processor seconds.
    pub cpu: Option<f64>,
    /// Effort.
    pub ticks: Option<u64>,
    /// Refined error paths.
    pub refinements: Option<u64>,
    /// Abstract states that are expanded.
    pub transitions: Option<u64>,
}

/// The part of the precision that is removed when an aspect is disabled; the names are those of Mordan and Mutilin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cleaning {
    /// Nothing.
    None,
    /// The predicates of the aspect, for states that are still to be explored.
    #[default]
    WaitlistSubtract,
    /// Everything, for states that are still to be explored.
    WaitlistClear,
    /// The predicates of the aspect, for all states.
    ArgSubtract,
    /// Everything, for all states.
    All,
}

/// An amount of work, in processor seconds or in ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// Processor seconds.
    Seconds(f64),
    /// Deterministic effort.
    Ticks(u64),
}

impl Amount {
    /// The sum. Both are of the same kind: they are values of one option.
    #[must_use]
    pub fn plus(self, other: Amount) -> Amount {
        match (self, other) {
            (Amount::Seconds(one), Amount::Seconds(two)) => Amount::Seconds(one + two),
            (Amount::Ticks(one), Amount::Ticks(two)) => Amount::Ticks(one.saturating_add(two)),
            (one, _) => one,
        }
    }
}

/// Multi-aspect verification.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Aspects {
    /// ATL: the most that all intervals of an aspect may take together.
    pub aspect: Option<Amount>,
    /// IITL: the most that an interval without latest checked aspect may take, but for the first.
    pub idle: Option<Amount>,
    /// BITL: the most that one interval of an aspect may take.
    pub basic: Option<Amount>,
    /// FITL: the most that the first interval may take.
    pub first: Option<Amount>,
    /// The part of the precision that is removed with an aspect.
    pub cleaning: Cleaning,
}

/// How several properties are checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Multi {
    /// Specification decomposition.
    Decomposition(Decomposition),
    /// Conditional multi-aspect verification.
    Aspects(Aspects),
}

impl Default for Multi {
    fn default() -> Self {
        Multi::Decomposition(Decomposition::default())
    }
}

/// How many states one exploration may have by default: of a big driver they take one to four gigabytes.
pub const DEFAULT_STATES: u64 = 8_000_000;

/// Ticks for the refinement loop with ideal integers: about a second.
pub const DEFAULT_IDEAL_TICKS: u64 = 15_000_000;

/// Ticks for the refinement loop with summaries of functions: some seconds.
pub const DEFAULT_BAM_TICKS: u64 = 100_000_000;

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
    /// The most states that one exploration may have; 0 for any number. A state space that grows and grows ends with a reason, and not when memory is gone.
    pub states: u64,
    /// Check every interpolant with an independent query.
    pub check: bool,
    /// Cartesian instead of Boolean abstraction.
    pub cartesian: bool,
    /// Explicit values first.
    pub explicit: Explicit,
    /// The order of exploration of the refinement loop.
    pub order: SearchOrder,
    /// The metric of the distances that orders ask for.
    pub metric: Metric,
    /// The weights of properties in these distances, by their names; 0 for others.
    pub weights: Vec<(String, u32)>,
    /// The seed of orders by lot.
    pub order_seed: u64,
    /// Solver ticks for the refinement loop with ideal integers that runs first; 0 for none.
    pub ideal_ticks: u64,
    /// Block-abstraction memoization: which functions get summaries. Only predicates have these.
    pub bam: Bam,
    /// Solver ticks for the refinement loop with summaries; 0 for none.
    pub bam_ticks: u64,
    /// The algorithm. All but the refinement loop take predicates alone.
    pub algorithm: Algorithm,
    /// Whether [`Algorithm::Impact`] forces coverings.
    pub forced_covering: bool,
    /// The abstract domains of the refinement loop.
    pub analysis: AnalysisKind,
    /// With both domains: a value refinement with at most this domain-type score is taken without a look at the predicates. 0 always compares both, as the paper does (Beyer, Löwe, Wendler, *Refinement
    /// selection*, SPIN 2015, section 6).
    pub value_threshold: u64,
    /// Whether to give out what proves a TRUE, for the room `certify`. No verdict depends on it.
    pub certificate: bool,
    /// Whether to give out the graph of the last exploration.
    pub graph: bool,
    /// Solver ticks for an invariant of what explicit values proved; 0 for none.
    pub certify_ticks: u64,
    /// How several properties are checked.
    pub multi: Multi,
    /// Where it is shown how far the run is.
    pub pulse: Pulse,
    /// When this becomes true, the run ends with its results so far, for example after a signal.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Whether the process goes on to another run when this one is over. Then it gives its memory back, at a limit too, which takes some time.
    pub followed: bool,
}

/// The weight of a property among these, 0 if it has none.
pub fn weight_of(weights: &[(String, u32)], property: &str) -> u32 {
    let own = weights.iter().find(|(name, _)| name == property);
    own.map_or(0, |(_, weight)| *weight)
}

impl Options {
    /// The weight of a property in distances.
    pub fn weight(&self, property: &str) -> u32 {
        weight_of(&self.weights, property)
    }

    /// Whether an order of exploration asks for distances.
    pub fn asks_for_distances(&self) -> bool {
        self.order == SearchOrder::Distance || self.explicit.order.measures()
    }

    /// Whether the refinement loop can do with summaries of blocks: values are not reduced, and with ideal integers nothing comes before the loop.
    pub fn has_summaries(&self) -> bool {
        let is_loop = self.algorithm == Algorithm::Predicate && self.analysis == AnalysisKind::Predicate;
        is_loop && self.arith == Arith::Machine
    }
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
            states: DEFAULT_STATES,
            check: false,
            cartesian: false,
            explicit: Explicit::default(),
            order: SearchOrder::default(),
            weights: Vec::new(),
            metric: Metric::Statements,
            order_seed: 0,
            ideal_ticks: DEFAULT_IDEAL_TICKS,
            bam: Bam::default(),
            bam_ticks: DEFAULT_BAM_TICKS,
            algorithm: Algorithm::default(),
            forced_covering: true,
            analysis: AnalysisKind::default(),
            value_threshold: DEFAULT_VALUE_THRESHOLD,
            certificate: false,
            graph: false,
            certify_ticks: DEFAULT_CERTIFY_TICKS,
            multi: Multi::default(),
            pulse: Pulse::default(),
            cancel: None,
            followed: false,
        }
    }
}

/// The presets that `--refine` accepts, with their meaning.
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
        let provident = |rank, select: SelectKind| Refinement {
            mode: Mode::Provident,
            rank,
            select: select.into(),
            ..Refinement::default()
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
