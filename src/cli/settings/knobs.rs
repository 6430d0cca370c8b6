//! The knobs of the analyses: options that only `--set` and configuration files reach.

use super::choices::{Abstraction, MetricChoice, PortfolioChoice, Ranking, Switch};
use super::effect;
pub(in crate::cli) use super::explicit::*;
pub(in crate::cli) use super::invented::*;
use super::options::Command::{Cfa, Check, Discharge, Features, Verify};
use super::options::{
    Entry,
    Fallback::{Is, Nothing, Words},
    Opt, Section,
};
use super::value::{AmountLimit, NamedWeights, Seconds};
use crate::cfa::calls::{PointerCalls, UnknownTargets};
use crate::engine::options::{
    DEFAULT_BAM_TICKS, DEFAULT_CERTIFY_TICKS, DEFAULT_IDEAL_TICKS, DEFAULT_LATTICE, DEFAULT_PATIENCE, DEFAULT_PREFIXES,
    DEFAULT_STATES, DEFAULT_VALUE_THRESHOLD, Equality, SearchOrder, Templates,
};
use crate::engine::{
    Algorithm, AnalysisKind, Bam, BlockMode, Cleaning, Preference, Restart, Reuse, Scope, Selection, StrategyKind,
};
use crate::spec::weaving::Mode;
use crate::verify::Strategy;
use provident_smt::interpolate::{ArithmeticLeaf, Direction, Labelling, Merit};
use std::num::NonZeroU64;
use std::path::PathBuf;

/// The default number of sliced prefixes, as a value of the table.
const MOST_PREFIXES: NonZeroU64 = NonZeroU64::new(DEFAULT_PREFIXES as u64).expect("it is not 0");

pub(in crate::cli) static ENGINE: Opt<Algorithm> = Opt::new(
    "engine",
    Section::Abstraction,
    Is(Algorithm::Predicate),
    "The algorithm that decides where explicit values do not",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::values);

pub(in crate::cli) static ENGINE_FORCE: Opt<Switch> = Opt::new(
    "engine.force",
    Section::Abstraction,
    Is(Switch::On),
    "Forced covering: IMPACT tries to cover a vertex with interpolants before it goes on behind it",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_impact);

pub(in crate::cli) static ANALYSIS: Opt<AnalysisKind> = Opt::new(
    "analysis",
    Section::Abstraction,
    Is(AnalysisKind::Predicate),
    "The abstract domains of the refinement loop",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::ideal);

pub(in crate::cli) static ANALYSIS_THRESHOLD: Opt<u64> = Opt::new("analysis.threshold", Section::Abstraction, Is(DEFAULT_VALUE_THRESHOLD), "The domain-type score of a refinement of the values above which the predicates may have a better one; 0: both are always compared")
    .of(&[Verify, Check]).set_only().unless(effect::one_domain);

pub(in crate::cli) static BLOCK: Opt<BlockMode> = Opt::new(
    "block",
    Section::Abstraction,
    Is(BlockMode::Loops),
    "Where abstractions are computed",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static BAM: Opt<Bam> = Opt::new(
    "bam",
    Section::Abstraction,
    Is(Bam::Recursion),
    "Block-abstraction memoization: which functions and loops are explored once for all ways to them that are alike, before the loop that follows every call",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::ideal_or_values);

pub(in crate::cli) static BAM_TICKS: Opt<u64> = Opt::new(
    "bam.ticks",
    Section::Abstraction,
    Is(DEFAULT_BAM_TICKS),
    "Solver ticks for the refinement loop with summaries of functions and loops",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_summaries);

pub(in crate::cli) static ABSTRACTION: Opt<Abstraction> = Opt::new(
    "abstraction",
    Section::Abstraction,
    Is(Abstraction::Boolean),
    "Boolean or Cartesian predicate abstraction",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static REFINE_RANK: Opt<Ranking> = Opt::new(
    "refine.rank",
    Section::Refinement,
    Words("that of the preset"),
    "The order in which target states get their refinements",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::single);

pub(in crate::cli) static REFINE_SELECT: Opt<Selection> = Opt::new("refine.select", Section::Refinement, Words("that of the preset"), "Which refinements are applied: first, all, a number of them, smallest, delay-counters (those about loop counters last), cover (the fewest that rule out all error paths), preferred (those that `refine.prefer` prefers among all); with commas in between each chooses among what is left by the one before")
    .of(&[Verify, Check]).set_only().unless(effect::no_selection);

pub(in crate::cli) static REFINE_RESTART: Opt<Restart> = Opt::new("refine.restart", Section::Refinement, Is(Restart::Pivots), "Where the exploration begins again after a refinement: everything from the root, or only what is below the pivots of the error paths")
    .of(&[Verify, Check]).set_only().unless(effect::other_engine);

pub(in crate::cli) static REFINE_PREFER: Opt<Preference> = Opt::new("refine.prefer", Section::Refinement, Is(Preference::NONE), "Which refinement of an error path is taken, of those that its infeasible sliced prefixes bring: the shortest or longest prefix, the precision with a good or bad domain-type score, a narrow or wide one, one with a shallow or deep pivot, one over variables with few values so far (dynamic), one of predicates with which loops converge (forms), or random; with commas in between each chooses among what the one before it finds best; none looks for no prefixes")
    .of(&[Verify, Check]).set_only().unless(effect::other_engine);

pub(in crate::cli) static REFINE_PREFIXES: Opt<NonZeroU64> = Opt::new(
    "refine.prefixes",
    Section::Refinement,
    Is(MOST_PREFIXES),
    "How many infeasible sliced prefixes of an error path are looked at; fewer where refinements would take more ticks than the explorations between them",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_preference);

pub(in crate::cli) static REFINE_PLAIN: Opt<Switch> = Opt::new(
    "refine.plain",
    Section::Refinement,
    Is(Switch::Off),
    "Turn all built-in preferences among refinements off: the baseline for comparisons of preferences",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static REFINE_HIDE_COUNTERS: Opt<Switch> = Opt::new(
    "refine.hide-counters",
    Section::Refinement,
    Is(Switch::On),
    "Built-in preference: refute an error path without what is known of loop counters, if it can be",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_counters);

pub(in crate::cli) static REFINE_GUESSES: Opt<Switch> = Opt::new("refine.guesses", Section::Refinement, Is(Switch::On), "Built-in preference: add guessed predicates where error paths visit a loop again and again, and where predicates make a progression")
    .of(&[Verify, Check]).set_only().unless(effect::plain_or_other_engine);

pub(in crate::cli) static REFINE_MINIMISE: Opt<Switch> = Opt::new(
    "refine.minimise",
    Section::Refinement,
    Is(Switch::On),
    "Built-in preference: leave out of an error path what its refutation can do without, before it is interpolated",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::plain);

pub(in crate::cli) static REFINE_SUFFIX_FIRST: Opt<Switch> = Opt::new(
    "refine.suffix-first",
    Section::Refinement,
    Is(Switch::On),
    "Built-in preference: look for a refutation in the last blocks of an error path first",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::plain);

pub(in crate::cli) static ITP_LABELLING: Opt<Labelling> = Opt::new("itp.labelling", Section::Refinement, Is(Labelling::McMillan), "Interpolants of error paths: the side of a cut that literals count for which both sides could have. A is the side before the cut, B the side behind it")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_ARITHMETIC: Opt<ArithmeticLeaf> = Opt::new("itp.arithmetic", Section::Refinement, Is(ArithmeticLeaf::Farkas), "Interpolants of error paths: what stands for a conflict of inequalities, from strong to weak. The decomposed ones need a proof for each cut")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_EQUALITY: Opt<Equality> = Opt::new("itp.equality", Section::Refinement, Is(Equality::Arithmetic), "Interpolants of error paths: how equations and functions are decided, and the colours of congruences between terms that both sides could have. Congruence closure needs a proof for each cut")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_DIRECTION: Opt<Direction> = Opt::new("itp.direction", Section::Refinement, Is(Direction::Together), "Interpolants of error paths: how the cuts between blocks come to their interpolants. Paths through calls that return, with `bam`, are interpolated from the innermost calls to the whole")
    .of(&[Verify, Check]).set_only().unless(effect::no_sequences);

pub(in crate::cli) static ITP_REDUCE: Opt<Switch> = Opt::new(
    "itp.reduce",
    Section::Refinement,
    Is(Switch::Off),
    "Interpolants of error paths: make each proof smaller first, by recycling pivots and lowering units",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::only_values);

pub(in crate::cli) static ITP_ABSTRACTION: Opt<Templates> = Opt::new("itp.abstraction", Section::Refinement, Is(Templates::Counters), "Interpolants of error paths: the templates in whose terms they are sought first. The variables behind the templates are hidden from the proof; paths that are not refuted so have interpolants over all variables")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_LATTICE: Opt<u64> = Opt::new("itp.lattice", Section::Refinement, Is(DEFAULT_LATTICE as u64), "Interpolants of error paths: how many sets of templates are asked about for one path, to find a small one that still refutes it")
    .of(&[Verify, Check]).set_only().unless(effect::no_lattice);

pub(in crate::cli) static ITP_SIMPLIFY: Opt<Switch> = Opt::new("itp.simplify", Section::Refinement, Is(Switch::Off), "Interpolants of error paths: drop conjuncts and disjuncts that neither of the two implications of an interpolant needs. An equivalent shorter formula is always taken")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_PORTFOLIO: Opt<PortfolioChoice> = Opt::new("itp.portfolio", Section::Refinement, Is(PortfolioChoice::None), "Interpolants of error paths: the variants that are read off each proof. The best of them is taken; of equal ones the one that is read off without a portfolio. Variants that give no sequence from one proof take part where each cut has its own. With `refine.prefer` all variants of all prefixes are candidates")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static ITP_CHOOSE: Opt<Merit> = Opt::new("itp.choose", Section::Refinement, Is(Merit::Predicates), "Interpolants of error paths: the measure by which `itp.portfolio` chooses. Ties are decided by the number of predicates, then by size")
    .of(&[Verify, Check]).set_only().unless(effect::no_portfolio);

pub(in crate::cli) static ITP_MEASURE: Opt<Switch> = Opt::new("itp.measure", Section::Refinement, Is(Switch::Off), "Measure the interpolants that refute error paths, for the statistics, and for the refinement log of --out: their strength against the other variants of one proof, whether a loop preserves them, and what became of the predicates. That takes time, but no ticks of the run")
    .of(&[Verify, Check]).set_only().unless(effect::only_values);

pub(in crate::cli) static REFINE_PATIENCE: Opt<u64> = Opt::new("refine.patience", Section::Refinement, Is(DEFAULT_PATIENCE), "Provident refinement begins after this number of states in succession at locations that were visited before, if a target state was reached; 0: it begins when all is explored")
    .of(&[Verify, Check]).set_only().unless(effect::single);

pub(in crate::cli) static REFINE_JOINT: Opt<NonZeroU64> = Opt::new(
    "refine.joint",
    Section::Refinement,
    Is(NonZeroU64::MIN),
    "How many targets whose error paths differ in their last block only are refined by one proof",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::not_joint);

pub(in crate::cli) static REFINE_SEED: Opt<u64> = Opt::new(
    "refine.seed",
    Section::Refinement,
    Is(0),
    "The seed of the random ranking and of the random preference",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::not_random);

pub(in crate::cli) static REFINE_SCOPE: Opt<Scope> = Opt::new(
    "refine.scope",
    Section::Refinement,
    Words("that of the preset"),
    "Where a new predicate counts",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::other_engine);

pub(in crate::cli) static IDEAL_TICKS: Opt<u64> = Opt::new(
    "ideal.ticks",
    Section::Refinement,
    Is(DEFAULT_IDEAL_TICKS),
    "Solver ticks for a refinement loop with ideal integers that finds a first precision; 0 for none",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::ideal_or_values);

pub(in crate::cli) static CERTIFY_TICKS: Opt<u64> = Opt::new(
    "certify.ticks",
    Section::Output,
    Is(DEFAULT_CERTIFY_TICKS),
    "Solver ticks for the proof obligations (with --out) of what explicit values proved; 0 for none",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static SPEC_MODE: Opt<Mode> = Opt::new("spec.mode", Section::Properties, Is(Mode::Auto), "How the exploration with predicates follows specification automata: by explicit values, by predicates, by explicit states and predicates, or (auto) by explicit values with predicates for counters that grow")
    .of(&[Verify]).set_only();

pub(in crate::cli) static DECOMPOSE_STRATEGY: Opt<StrategyKind> = Opt::new("decompose.strategy", Section::Properties, Is(StrategyKind::S4), "How several properties are checked: all at once (S0); then each alone (S1); with a limit on refinements (S2); by relevance (S3); by relevance, with a limit on refinements (S4); or in halves of equal cost (bisect)")
    .of(&[Verify]).set_only().unless(effect::aspects);

pub(in crate::cli) static DECOMPOSE_REUSE: Opt<Reuse> = Opt::new("decompose.reuse", Section::Properties, Is(Reuse::Caches), "What one set of properties leaves to the next: nothing, the blocks and abstractions that were computed, or the precision as well")
    .of(&[Verify]).set_only().unless(effect::aspects);

pub(in crate::cli) static DECOMPOSE_CPU: Opt<Seconds> = Opt::new(
    "decompose.cpu",
    Section::Properties,
    Words("a share of what the limit leaves, else 900"),
    "Processor seconds for each set of properties",
)
.of(&[Verify])
.set_only()
.unless(effect::aspects);

pub(in crate::cli) static DECOMPOSE_TICKS: Opt<NonZeroU64> = Opt::new(
    "decompose.ticks",
    Section::Properties,
    Words("a share of what the limit leaves"),
    "Solver effort for each set of properties",
)
.of(&[Verify])
.set_only()
.unless(effect::aspects);

pub(in crate::cli) static DECOMPOSE_REFINEMENTS: Opt<NonZeroU64> = Opt::new(
    "decompose.refinements",
    Section::Properties,
    Words("none"),
    "Error paths that are refined for each set of properties",
)
.of(&[Verify])
.set_only()
.unless(effect::aspects);

pub(in crate::cli) static DECOMPOSE_TRANSITIONS: Opt<NonZeroU64> = Opt::new(
    "decompose.transitions",
    Section::Properties,
    Words("none"),
    "Abstract states that are expanded for each set of properties",
)
.of(&[Verify])
.set_only()
.unless(effect::aspects);

pub(in crate::cli) static ASPECTS: Opt<Switch> = Opt::new(
    "aspects",
    Section::Properties,
    Is(Switch::Off),
    "Check several properties by conditional multi-aspect verification instead of decomposition",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static ASPECTS_PROPERTY_LIMIT: Opt<AmountLimit> = Opt::new(
    "aspects.property-limit",
    Section::Properties,
    Words("the limit divided by the number of properties, else 900s"),
    "ATL, the most for one property: seconds (20s), ticks (5000000t), or off",
)
.of(&[Verify])
.set_only()
.unless(effect::decomposition);

pub(in crate::cli) static ASPECTS_IDLE_LIMIT: Opt<AmountLimit> = Opt::new(
    "aspects.idle-limit",
    Section::Properties,
    Words("a sixtieth of the limit, else 20s"),
    "IITL, the most between two properties: seconds, ticks, or off",
)
.of(&[Verify])
.set_only()
.unless(effect::decomposition);

pub(in crate::cli) static ASPECTS_INTERVAL_LIMIT: Opt<AmountLimit> = Opt::new(
    "aspects.interval-limit",
    Section::Properties,
    Words("a twelfth of the limit, else 100s"),
    "BITL, the most for a property at a stretch: seconds, ticks, or off",
)
.of(&[Verify])
.set_only()
.unless(effect::decomposition);

pub(in crate::cli) static ASPECTS_FIRST_LIMIT: Opt<AmountLimit> = Opt::new(
    "aspects.first-limit",
    Section::Properties,
    Is(AmountLimit(None)),
    "FITL, the most before the first refinement: seconds, ticks, or off",
)
.of(&[Verify])
.set_only()
.unless(effect::decomposition);

pub(in crate::cli) static ASPECTS_CLEANING: Opt<Cleaning> = Opt::new(
    "aspects.cleaning",
    Section::Properties,
    Is(Cleaning::WaitlistSubtract),
    "What is removed from the precision with a property",
)
.of(&[Verify])
.set_only()
.unless(effect::decomposition);

pub(in crate::cli) static CALLS_POINTERS: Opt<PointerCalls> = Opt::new("calls.pointers", Section::Language, Is(PointerCalls::PointsTo), "Which functions a call through a pointer may reach: those that it may point to, all whose signature fits, or those that are assigned to the member that holds the pointer")
    .of(&[Verify, Cfa, Check, Discharge, Features]).set_only();

pub(in crate::cli) static CALLS_UNKNOWN: Opt<UnknownTargets> = Opt::new("calls.unknown", Section::Language, Is(UnknownTargets::Ignore), "What a call through a pointer does whose target is not known: touch nothing, give global variables any values, or make the verdict UNKNOWN")
    .of(&[Verify, Cfa, Check, Discharge, Features]).set_only();

pub(in crate::cli) static SLICE: Opt<Switch> = Opt::new("slice", Section::Stages, Is(Switch::On), "Leave out what the reachability of violations does not depend on, provided that it comes to its end; not with automata")
    .of(&[Verify]).set_only().unless(effect::stages);

pub(in crate::cli) static STAGES: Opt<Strategy> = Opt::new("stages", Section::Stages, Nothing, "The stages of a verification, some of execute, explore, guess, sample, no-counters, accelerate, slice, whole, in this order with commas in between; at least one of the last two. By default all, or with `slice=off` the last")
    .of(&[Verify]).set_only();

pub(in crate::cli) static EXPLORE_ORDER: Opt<SearchOrder> = Opt::new(
    "explore.order",
    Section::Abstraction,
    Is(SearchOrder::Topological),
    "Which of the abstract states that wait is expanded first. Within a block the order stays",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static EXPLORE_METRIC: Opt<MetricChoice> = Opt::new(
    "explore.metric",
    Section::Abstraction,
    Is(MetricChoice::Statements),
    "The steps that count on the way to a target, for orders by distance",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_distance);

pub(in crate::cli) static EXPLORE_WEIGHTS: Opt<NamedWeights> = Opt::new(
    "explore.weights",
    Section::Abstraction,
    Words("0 for each"),
    "How much farther away the targets of a property count, for orders by distance: NAME:WEIGHT,... Among several properties, those with small weights are sought first",
)
.of(&[Verify, Check, Cfa])
.set_only();

pub(in crate::cli) static EXPLORE_MODEL: Opt<PathBuf> = Opt::new(
    "explore.model",
    Section::Abstraction,
    Words("the model that Provident brings along"),
    "The model for `explore.metric=learned`, a file of `study train`",
)
.of(&[Verify, Check])
.value("FILE")
.set_only()
.unless(effect::no_model);

pub(in crate::cli) static EXPLORE_SEED: Opt<u64> = Opt::new(
    "explore.seed",
    Section::Abstraction,
    Is(0),
    "Another random order of exploration for each number",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_lot);

pub(in crate::cli) static EXPLORE_STATES: Opt<u64> = Opt::new(
    "explore.states",
    Section::Limits,
    Is(DEFAULT_STATES),
    "The most abstract states that one exploration may have before open verdicts become UNKNOWN; 0 for any number",
)
.of(&[Verify, Check])
.set_only();

/// The options of this file, in the order of the help.
pub(super) static KNOBS: &[&dyn Entry] = &[
    &ENGINE,
    &ENGINE_FORCE,
    &ANALYSIS,
    &ANALYSIS_THRESHOLD,
    &BLOCK,
    &BAM,
    &BAM_TICKS,
    &ABSTRACTION,
    &EXPLORE_ORDER,
    &EXPLORE_METRIC,
    &EXPLORE_WEIGHTS,
    &EXPLORE_MODEL,
    &EXPLORE_SEED,
    &REFINE_RANK,
    &REFINE_SELECT,
    &REFINE_RESTART,
    &REFINE_PATIENCE,
    &REFINE_JOINT,
    &REFINE_SEED,
    &REFINE_SCOPE,
    &REFINE_PREFER,
    &REFINE_PREFIXES,
    &REFINE_PLAIN,
    &REFINE_HIDE_COUNTERS,
    &REFINE_GUESSES,
    &REFINE_MINIMISE,
    &REFINE_SUFFIX_FIRST,
    &ITP_LABELLING,
    &ITP_ARITHMETIC,
    &ITP_EQUALITY,
    &ITP_DIRECTION,
    &ITP_REDUCE,
    &ITP_ABSTRACTION,
    &ITP_LATTICE,
    &ITP_SIMPLIFY,
    &ITP_PORTFOLIO,
    &ITP_CHOOSE,
    &ITP_MEASURE,
    &IDEAL_TICKS,
    &CERTIFY_TICKS,
    &SPEC_MODE,
    &DECOMPOSE_STRATEGY,
    &DECOMPOSE_REUSE,
    &DECOMPOSE_CPU,
    &DECOMPOSE_TICKS,
    &DECOMPOSE_REFINEMENTS,
    &DECOMPOSE_TRANSITIONS,
    &ASPECTS,
    &ASPECTS_PROPERTY_LIMIT,
    &ASPECTS_IDLE_LIMIT,
    &ASPECTS_INTERVAL_LIMIT,
    &ASPECTS_FIRST_LIMIT,
    &ASPECTS_CLEANING,
    &CALLS_POINTERS,
    &CALLS_UNKNOWN,
    &EXPLICIT,
    &SLICE,
    &STAGES,
    &EXPLICIT_STEPS,
    &EXPLICIT_STATES,
    &CONCRETE_STEPS,
    &CONCRETE_REPLAY,
    &EXPLICIT_OBJECTS,
    &EXPLICIT_SHORTCUTS,
    &EXPLICIT_SHIFTS,
    &EXPLICIT_ORDER,
    &EXPLICIT_GRACE,
    &EXPLICIT_TURNS,
    &INVENTED_LIBRARY,
    &INVENTED_BUILTIN,
    &INVENTED_VARARGS,
    &INVENTED_MEMORY,
    &INVENTED_SIZE,
    &INVENTED_FLOAT,
    &INVENTED_ASSEMBLY,
    &INVENTED_TARGET,
    &INVENTED_VECTOR,
    &INVENTED_COMPLEX,
    &INVENTED_LANGUAGE,
    &INVENTED_ALL,
    &EXPLORE_STATES,
    &SAMPLE_STEPS,
];
