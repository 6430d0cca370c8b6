//! Options with a fixed set of values: each value with its name and its meaning.

use super::value::{Value, Word};
use crate::cfa::EntryPointers;
use crate::cfa::LibraryUse;
use crate::cfa::analysis::distances::Metric;
use crate::cfa::calls::recursion::Recursion;
use crate::cfa::calls::{PointerCalls, UnknownTargets};
use crate::encode::Arith;
use crate::engine::options::{Equality, PathOrder, SearchOrder, Templates};
use crate::engine::{
    Algorithm, AnalysisKind, Bam, BlockMode, Cleaning, RankKind, Refinement, Restart, Reuse, Scope, StrategyKind,
};
use crate::frontend::types::DataModel;
use crate::report::paint::Paint;
use crate::spec::weaving::Mode;
use provident_smt::interpolate::{ArithmeticLeaf, CongruenceLeaf, Direction, Labelling, Members, Merit};
use std::io::IsTerminal;

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Switch {
    On,
    Off,
}

/// Whether `malloc` and its kin fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MallocUse {
    /// Never, but for sizes that no object can have.
    Succeeds,
    /// Now and then.
    MayFail,
}

/// How abstractions are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// The strongest combination of predicates.
    Boolean,
    /// The conjunction of the predicates that hold.
    Cartesian,
}

/// The use of invented values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InventedUse {
    /// As nothing: no violation may rest on them.
    None,
    /// As inputs.
    Input,
}

/// Whether the text has colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says it")]
pub enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    /// The colours of standard output.
    pub fn paint(self) -> Paint {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Paint(match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                std::io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
            }
        })
    }
}

/// A preset of refinement; [`Refinement::preset`] knows its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says it")]
pub enum Preset {
    Single,
    Multi,
    MultiFirst,
    MultiShallow,
    MultiDeep,
}

impl Preset {
    /// Its meaning.
    pub fn refinement(self) -> Refinement {
        Refinement::preset(&self.print()).expect("the engine knows every preset of the table")
    }
}

/// The variants that are read off a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says it")]
pub enum PortfolioChoice {
    None,
    Labels,
    Leaves,
    All,
}

impl PortfolioChoice {
    /// The variants, if there is more than the chosen one.
    pub fn members(self) -> Option<Members> {
        match self {
            PortfolioChoice::None => None,
            PortfolioChoice::Labels => Some(Members::Labels),
            PortfolioChoice::Leaves => Some(Members::Leaves),
            PortfolioChoice::All => Some(Members::All),
        }
    }
}

/// A ranking, of which the random one has no seed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says it")]
pub enum Ranking {
    Identity,
    First,
    ShallowFirst,
    DeepFirst,
    FewestBlocks,
    PivotDistance,
    RoundRobin,
    Random,
}

impl Ranking {
    /// The ranking with a seed, which only a random one needs.
    pub fn with_seed(self, seed: u64) -> RankKind {
        match self {
            Ranking::Identity => RankKind::Identity,
            Ranking::First => RankKind::First,
            Ranking::ShallowFirst => RankKind::ShallowFirst,
            Ranking::DeepFirst => RankKind::DeepFirst,
            Ranking::FewestBlocks => RankKind::FewestBlocks,
            Ranking::PivotDistance => RankKind::PivotDistance,
            Ranking::RoundRobin => RankKind::RoundRobin,
            Ranking::Random => RankKind::Random(seed),
        }
    }
}

impl From<RankKind> for Ranking {
    fn from(kind: RankKind) -> Self {
        match kind {
            RankKind::Identity => Ranking::Identity,
            RankKind::First => Ranking::First,
            RankKind::ShallowFirst => Ranking::ShallowFirst,
            RankKind::DeepFirst => Ranking::DeepFirst,
            RankKind::FewestBlocks => Ranking::FewestBlocks,
            RankKind::PivotDistance => Ranking::PivotDistance,
            RankKind::RoundRobin => Ranking::RoundRobin,
            RankKind::Random(_) => Ranking::Random,
        }
    }
}

/// A metric of distances, or that a model selects one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says it")]
pub enum MetricChoice {
    Statements,
    BasicBlocks,
    LoopHeads,
    LoopsAndFunctions,
    Learned,
}

impl MetricChoice {
    /// The metric, if it is one.
    pub fn metric(self) -> Option<Metric> {
        Metric::named(&self.print())
    }
}

macro_rules! choices {
    ($($type:ty { $($name:literal = $value:path: $about:literal,)* })*) => {$(
        impl Value for $type {
            fn parse(text: &str) -> Option<Self> {
                match text {
                    $($name => Some($value),)*
                    _ => None,
                }
            }

            fn print(&self) -> String {
                match self {
                    $($value => $name,)*
                }
                .to_string()
            }

            fn expected() -> String {
                format!("one of {}", [$($name),*].join(", "))
            }

            fn words() -> &'static [Word] {
                &[$(($name, $about)),*]
            }
        }
    )*};
}

choices! {
    Switch {
        "on" = Switch::On: "on",
        "off" = Switch::Off: "off",
    }
    DataModel {
        "ILP32" = DataModel::Ilp32: "`long` and pointers have 4 bytes",
        "LP64" = DataModel::Lp64: "`long` and pointers have 8 bytes",
    }
    Arith {
        "machine" = Arith::Machine: "machine integers: they wrap around at their widths",
        "ideal" = Arith::Ideal: "unbounded integers, which is unsound",
    }
    Preset {
        "single" = Preset::Single: "lazy abstraction: refine at the first target state, from the pivot state on",
        "multi" = Preset::Multi: "provident refinement: identity ranking, all refinements joined",
        "multi-first" = Preset::MultiFirst: "provident refinement: identity ranking, the first refinement only",
        "multi-shallow" = Preset::MultiShallow: "provident refinement: targets near the root first, all joined",
        "multi-deep" = Preset::MultiDeep: "provident refinement: targets far from the root first, all joined",
    }
    Colour {
        "auto" = Colour::Auto: "on a terminal, unless `NO_COLOR` is set",
        "always" = Colour::Always: "always",
        "never" = Colour::Never: "never",
    }
    MallocUse {
        "succeeds" = MallocUse::Succeeds: "they return an object",
        "may-fail" = MallocUse::MayFail: "they return an object or null",
    }
    EntryPointers {
        "any" = EntryPointers::Any: "they have any values, as all parameters",
        "valid" = EntryPointers::Valid: "they are null, or point to objects of their own",
    }
    LibraryUse {
        "model" = LibraryUse::Model: "they do what the standard says, by sources of our own",
        "any" = LibraryUse::Any: "they return any value and write any bytes to what their arguments point to",
        "none" = LibraryUse::None: "they are functions that nobody knows",
    }
    Labelling {
        "mcmillan" = Labelling::McMillan: "shared literals count for B: the strongest interpolants",
        "pudlak" = Labelling::Pudlak: "shared literals count for both",
        "dual" = Labelling::DualMcMillan: "shared literals count for A: the weakest interpolants",
        "smallest" = Labelling::Smallest: "each shared literal counts for the side whose leaves have it more often",
    }
    ArithmeticLeaf {
        "decomposed" = ArithmeticLeaf::Decomposed: "the inequalities of A in as many sums as possible",
        "farkas" = ArithmeticLeaf::Farkas: "the weighted sum of A's inequalities",
        "dual-farkas" = ArithmeticLeaf::DualFarkas: "the negation of the weighted sum of B's inequalities",
        "dual-decomposed" = ArithmeticLeaf::DualDecomposed: "the negation of B's inequalities in as many sums as possible",
    }
    CongruenceLeaf {
        "strong" = CongruenceLeaf::Strong: "for B: the strongest interpolant of the graph",
        "weak" = CongruenceLeaf::Weak: "for A: the weakest one",
    }
    Equality {
        "arithmetic" = Equality::Arithmetic: "decided by arithmetic, with lemmas of congruence",
        "strong" = Equality::Strong: "decided by congruence closure where arithmetic has no part in them; terms that both sides could have count for B, so that interpolants are strong",
        "weak" = Equality::Weak: "the same; these terms count for A, so that interpolants are weak",
    }
    PortfolioChoice {
        "none" = PortfolioChoice::None: "the chosen variant alone",
        "labels" = PortfolioChoice::Labels: "all values of `itp.labelling`",
        "leaves" = PortfolioChoice::Leaves: "all values of `itp.arithmetic`, and the colours of `itp.equality` with congruence closure",
        "all" = PortfolioChoice::All: "all combinations of both",
    }
    Merit {
        "predicates" = Merit::Predicates: "the fewest different predicates on the whole path",
        "size" = Merit::Size: "the fewest different sub-terms",
        "coefficients" = Merit::Coefficients: "the smallest largest coefficient",
        "steady" = Merit::Steady: "the fewest different interpolants: one that comes again after a round of a loop may be inductive",
    }
    Templates {
        "none" = Templates::None: "none, and nothing is hidden",
        "counters" = Templates::Counters: "none, and loop counters are hidden",
        "differences" = Templates::Differences: "differences of two variables that are ordered or computed with, then single variables, loop counters last",
        "sums" = Templates::Sums: "the same with sums",
        "types" = Templates::Types: "single variables in the order of their domain types: booleans, variables that are compared for equality, those that are computed with, operands of bit operators, loop counters",
    }
    Direction {
        "together" = Direction::Together: "all cuts from one proof; cut by cut as `forward` where the interpolants of one proof do not fit together: with decomposed leaves and with congruence closure",
        "forward" = Direction::Forward: "a proof for each cut, from the first to the last: the interpolant before and the block between against all blocks behind",
        "backward" = Direction::Backward: "a proof for each cut, from the last to the first: all blocks before against the block between and the negated interpolant behind",
        "middle" = Direction::Middle: "a proof for each cut: the one in the middle first, then both halves in the same way",
        "alone" = Direction::Alone: "a proof for each cut: all blocks before it against all blocks behind it. Such interpolants need not follow from each other",
    }
    Algorithm {
        "predicate" = Algorithm::Predicate: "predicate abstraction, in a refinement loop",
        "impact" = Algorithm::Impact: "lazy abstraction with interpolants: a tree whose labels are interpolants",
        "imc" = Algorithm::Imc: "interpolation-based model checking: images that are interpolants, of one transition relation",
        "ismc" = Algorithm::Ismc: "the same with sequences of interpolants",
        "dar" = Algorithm::Dar: "dual approximated reachability: a sequence of state sets from the start and one from the violations",
        "kinduction" = Algorithm::KInduction: "k-induction with auxiliary invariants",
    }
    AnalysisKind {
        "predicate" = AnalysisKind::Predicate: "predicate abstraction",
        "value" = AnalysisKind::Value: "explicit values of variables and memory cells; an infeasible error path that constants do not refute is UNKNOWN",
        "value+predicate" = AnalysisKind::Both: "both in product; of their refinements of an error path, the one with the better domain-type score is taken",
    }
    Metric {
        "st" = Metric::Statements: "statements",
        "bb" = Metric::BasicBlocks: "conditions, that is basic blocks",
        "lh" = Metric::LoopHeads: "conditions of loops",
        "lf" = Metric::LoopsAndFunctions: "conditions of loops, function entries and returns",
    }
    MetricChoice {
        "st" = MetricChoice::Statements: "statements",
        "bb" = MetricChoice::BasicBlocks: "conditions, that is basic blocks",
        "lh" = MetricChoice::LoopHeads: "conditions of loops",
        "lf" = MetricChoice::LoopsAndFunctions: "conditions of loops, function entries and returns",
        "learned" = MetricChoice::Learned: "that of these which a model selects by the features of the program",
    }
    Bam {
        "off" = Bam::Off: "every call is followed",
        "recursion" = Bam::Recursion: "functions on cycles of the call graph",
        "functions" = Bam::Functions: "these, and functions that are called from several places",
        "loops" = Bam::Loops: "functions on cycles of the call graph, and loops",
        "on" = Bam::On: "all of these",
    }
    BlockMode {
        "loops" = BlockMode::Loops: "at loop heads",
        "loops-and-calls" = BlockMode::LoopsAndCalls: "at loop heads and where functions begin and end",
        "single" = BlockMode::Single: "after every operation",
    }
    Abstraction {
        "boolean" = Abstraction::Boolean: "the strongest combination of predicates",
        "cartesian" = Abstraction::Cartesian: "the conjunction of those predicates that hold",
    }
    SearchOrder {
        "topological" = SearchOrder::Topological: "inner loops before what follows them",
        "distance" = SearchOrder::Distance: "the state with the shortest way to a target, by `explore.metric`",
        "dfs" = SearchOrder::Depth: "the state that was found last",
        "bfs" = SearchOrder::Breadth: "the state that was found first",
        "random" = SearchOrder::Random: "by lot, with `explore.seed`",
    }
    PathOrder {
        "auto" = PathOrder::Auto: "depth as long as a proof is possible, then novel-shares",
        "depth" = PathOrder::Depth: "the latest, in steps of few choices; in the last eighth of the steps by novelty",
        "novelty" = PathOrder::Novelty: "the one whose state is one of the first of its kind",
        "distance" = PathOrder::Distance: "the one with the shortest way to a target, by `explore.metric`",
        "novel-distance" = PathOrder::NovelDistance: "by novelty, and among equals by distance",
        "bands" = PathOrder::Bands: "few choices and short ways to a target together, in big steps",
        "shares" = PathOrder::Shares: "depth, distance and novelty in turns of equal numbers of steps",
        "novel-shares" = PathOrder::NovelShares: "depth, novelty and novelty with distance in turns",
        "bfs" = PathOrder::Breadth: "the one that waits longest",
        "random" = PathOrder::Random: "by lot, with `explore.seed`",
    }
    Ranking {
        "identity" = Ranking::Identity: "the order in which the exploration found them",
        "first" = Ranking::First: "only the first of that order",
        "shallow-first" = Ranking::ShallowFirst: "those near the root first",
        "deep-first" = Ranking::DeepFirst: "those far from the root first",
        "fewest-blocks" = Ranking::FewestBlocks: "those with few blocks on their error paths first",
        "pivot-distance" = Ranking::PivotDistance: "those with few blocks behind the last place at which the abstraction knows anything first",
        "round-robin" = Ranking::RoundRobin: "one of each property in turn",
        "random" = Ranking::Random: "in an order that `refine.seed` chooses",
    }
    Restart {
        "root" = Restart::Root: "everything is explored again",
        "pivots" = Restart::Pivots: "only what is below the pivots of the error paths",
    }
    Scope {
        "global" = Scope::Global: "everywhere",
        "function" = Scope::Function: "in the function of its location",
        "location" = Scope::Location: "at its location",
    }
    Mode {
        "auto" = Mode::Auto: "by explicit values, with predicates for counters that grow",
        "automaton" = Mode::Automaton: "by explicit values",
        "weaving" = Mode::Weaving: "by predicates",
        "hybrid" = Mode::Hybrid: "by explicit states, and predicates for the rest",
    }
    StrategyKind {
        "S0" = StrategyKind::S0: "all at once",
        "S1" = StrategyKind::S1: "all at once, then each alone",
        "S2" = StrategyKind::S2: "as S1, with a limit on refinements",
        "S3" = StrategyKind::S3: "by relevance",
        "S4" = StrategyKind::S4: "by relevance, with a limit on refinements",
        "bisect" = StrategyKind::Bisect: "in halves of equal cost",
    }
    Reuse {
        "nothing" = Reuse::Nothing: "nothing",
        "caches" = Reuse::Caches: "blocks and abstractions that were computed",
        "precision" = Reuse::Precision: "these and the precision",
    }
    Cleaning {
        "none" = Cleaning::None: "nothing",
        "wl-subtract" = Cleaning::WaitlistSubtract: "what belongs to the property, for states that are still to be explored",
        "wl-clear" = Cleaning::WaitlistClear: "everything, for states that are still to be explored",
        "arg-subtract" = Cleaning::ArgSubtract: "what belongs to the property, for all states",
        "all" = Cleaning::All: "everything, for all states",
    }
    PointerCalls {
        "points-to" = PointerCalls::PointsTo: "those that it may point to",
        "signature" = PointerCalls::Signature: "all whose signature fits",
        "field" = PointerCalls::Field: "those that are assigned to the member that holds the pointer",
    }
    UnknownTargets {
        "ignore" = UnknownTargets::Ignore: "it touches nothing",
        "havoc" = UnknownTargets::Havoc: "it gives global variables any values",
        "error" = UnknownTargets::Error: "it makes the verdict UNKNOWN",
    }
    InventedUse {
        "none" = InventedUse::None: "no violation may rest on them",
        "input" = InventedUse::Input: "they are inputs",
    }
}

impl Value for Recursion {
    fn parse(text: &str) -> Option<Self> {
        Recursion::named(text)
    }

    fn print(&self) -> String {
        match self {
            Recursion::Exact => "exact".to_string(),
            Recursion::Skip => "skip".to_string(),
            Recursion::Inline(depth) => format!("inline:{depth}"),
        }
    }

    fn expected() -> String {
        "`exact`, `skip`, or `inline:N` with a number of calls".to_string()
    }
}
