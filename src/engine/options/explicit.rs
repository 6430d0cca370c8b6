//! The options of the analysis with explicit values, and how much of it is run.

/// Steps of an execution with chosen inputs by default: less than a tenth of a second.
pub const DEFAULT_SAMPLE: u64 = 8_000_000;

/// A part of the analysis of explicit values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// Everything, and then the refinement loop.
    #[default]
    All,
    /// Only the execution of a program that asks for nothing.
    Execution,
    /// Only executions with chosen inputs.
    Samples,
    /// Only the exploration.
    Exploration,
}

/// The analysis of explicit values that runs before the refinement loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explicit {
    /// Whether it runs at all. It never does with ideal integers.
    pub enabled: bool,
    /// Steps that its exploration may take.
    pub steps: u64,
    /// How many times as many steps its exploration may take where most of its way are shortcuts.
    pub swifter: u64,
    /// States that its exploration may store; 0 for any number. Those without names count an eighth.
    pub states: u64,
    /// Steps that an execution with chosen inputs may take; 0 for none.
    pub sample: u64,
    /// Steps that the execution of a program may take that asks for nothing.
    pub concrete: u64,
    /// Steps of the longest execution of a program that is replayed where it violates a property.
    pub replay: u64,
    /// Which part of the analysis is wanted.
    pub part: Part,
    /// Whether it looks for violations behind unknown pointers that are followed, and takes each to point to an object of its own there.
    pub objects: bool,
    /// Whether it takes ways at once where it took them before.
    pub shortcuts: bool,
    /// Whether states count as one that differ by a shift of their variables.
    pub shifts: bool,
    /// Which of the waiting paths goes on.
    pub order: PathOrder,
    /// Steps that are still taken in search of a violation when something was not modelled or an unknown pointer was followed, so that nothing can be proved any more.
    pub grace: u64,
    /// How many explorations with more and more steps may follow, in turns with the refinement loop.
    pub turns: u64,
}

/// The order of the exploration with explicit values. See [`crate::explicit::Order`] for the meaning of most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PathOrder {
    /// [`PathOrder::Depth`] as long as a proof is possible, then [`PathOrder::NovelShares`]: so proofs cost what they cost without directed search.
    #[default]
    Auto,
    /// Depth first with few choices first, and in the last eighth of the steps by novelty.
    Depth,
    /// New kinds of states first.
    Novelty,
    /// Near states first.
    Distance,
    /// New kinds of states first, and among equals near states.
    NovelDistance,
    /// Few choices and near states first, in big steps.
    Bands,
    /// Depth, distance and novelty in turns of equal numbers of steps.
    Shares,
    /// Depth, novelty and novelty with distance in turns.
    NovelShares,
    /// Those that wait longest first.
    Breadth,
    /// By lot.
    Random,
}

impl PathOrder {
    /// Whether the order asks for distances.
    pub fn measures(self) -> bool {
        use PathOrder::{Auto, Bands, Distance, NovelDistance, NovelShares, Shares};
        matches!(self, Auto | Distance | NovelDistance | Bands | Shares | NovelShares)
    }
}

impl Explicit {
    /// Steps for a few seconds at most.
    const STEPS: u64 = 16_000_000;
    /// Steps of the execution of a program that asks for nothing: some seconds, too.
    const CONCRETE: u64 = 1_000_000_000;
    /// How many times as many may be taken where most of the way are shortcuts, if there is time for that.
    const MOST_SWIFTER: u64 = 5;
    /// The limit in processor seconds of which they are a fitting part.
    const USUAL_LIMIT: f64 = 20.0;

    /// The default number of steps for a limit on processor seconds, in proportion to longer limits. It is a function of the option, not of the clock, so that runs repeat.
    pub fn steps_within(limit: Option<f64>) -> u64 {
        /// More is not within reach of any limit.
        const MOST: f64 = 1e6;
        let part = (limit.unwrap_or(0.0) / Self::USUAL_LIMIT).clamp(1.0, MOST);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a positive number below 2^53"
        )]
        let steps = (Self::STEPS as f64 * part) as u64;
        steps
    }
}

impl Explicit {
    /// The default of [`Explicit::swifter`] for a limit on processor seconds: the steps are half of the limit at most.
    pub fn swifter_within(limit: Option<f64>) -> u64 {
        let seconds = limit.map_or(Self::USUAL_LIMIT, |limit| limit.clamp(0.0, Self::USUAL_LIMIT)) as u64;
        (seconds / 4).clamp(1, Self::MOST_SWIFTER)
    }

    /// The default of [`Explicit::grace`] for a limit on processor seconds: a quarter of the limit at most where steps are slow, and much less where they are fast.
    pub fn grace_within(limit: Option<f64>) -> u64 {
        const PER_SECOND: f64 = 400_000.0;
        const LEAST: u64 = 1_000_000;
        const WITHOUT_LIMIT: u64 = 8_000_000;
        let within = limit.map(|limit| (limit.clamp(0.0, 1e6) * PER_SECOND) as u64);
        within.map_or(WITHOUT_LIMIT, |steps| steps.max(LEAST))
    }

    /// The steps by default of the execution of a program that asks for nothing: at four hundred million in a second a quarter of the limit.
    pub fn concrete_within(limit: Option<f64>) -> u64 {
        const PER_SECOND: f64 = 100e6;
        let within = limit.map(|limit| (limit.clamp(0.0, 1e6) * PER_SECOND) as u64);
        within.map_or(Self::CONCRETE, |steps| steps.min(Self::CONCRETE))
    }

    /// The default of [`Explicit::states`] for a limit on memory in MiB: a state with many symbols has eight hundred bytes.
    pub fn states_within(memory: Option<u64>) -> u64 {
        const WITHOUT_LIMIT: u64 = 2_000_000;
        const BYTES: u64 = 1 << 10;
        memory.map_or(WITHOUT_LIMIT, |mb| mb.saturating_mul((1 << 20) / BYTES).max(1))
    }

    /// The default of [`Explicit::replay`] for a limit on processor seconds: less than half of it, since a replay is not interrupted. The path of the most has eight hundred megabytes.
    pub fn replay_within(limit: Option<f64>) -> u64 {
        const PER_SECOND: f64 = 4e6;
        const MOST: u64 = 100_000_000;
        let within = limit.map(|limit| (limit.clamp(0.0, 1e6) * PER_SECOND) as u64);
        within.map_or(MOST, |steps| steps.min(MOST))
    }
}

impl Default for Explicit {
    /// On, for a few seconds at most.
    fn default() -> Self {
        Explicit {
            enabled: true,
            steps: Self::STEPS,
            states: Self::states_within(None),
            sample: DEFAULT_SAMPLE,
            concrete: Self::CONCRETE,
            replay: Self::replay_within(None),
            part: Part::All,
            objects: true,
            shortcuts: true,
            shifts: true,
            swifter: Self::MOST_SWIFTER,
            order: PathOrder::default(),
            grace: Self::grace_within(None),
            turns: DEFAULT_TURNS,
        }
    }
}

/// How much of a phase is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine) enum Extent {
    /// Everything.
    Full,
    /// More than everything: the turn with this number, each with [`FURTHER`] times the steps of the one before.
    Turn(usize),
}

/// How much longer each exploration of the same state space is: what was explored in vain before costs a third of it.
pub(in crate::engine) const FURTHER: u64 = 4;

/// How far an exploration with explicit values went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::engine) enum Explored {
    /// Its steps, of this number, were not enough.
    UpTo(u64),
    /// Nothing could be proved any more, and the steps that were left for the search of a violation were not enough.
    InSearch,
    /// Too many paths to violations were not confirmed: others may be, or those to other violations.
    Unconfirmed,
    /// To an end that more steps would not change.
    ToItsEnd,
}

/// How often the exploration with explicit values has a further turn by default: more than any limit leaves room for.
pub const DEFAULT_TURNS: u64 = 8;
