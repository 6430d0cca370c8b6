//! The names of stages, and strategies as lists of them. The module [`strategy`](super::strategy) runs them.

use std::fmt;

/// A stage of a [`Strategy`]; see the [module of strategies](super::strategy).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageKind {
    /// The one execution of a program that reads no input.
    Execute,
    /// A short exploration with explicit values.
    Explore,
    /// Proofs by guesses.
    Guess,
    /// Executions with chosen inputs.
    Sample,
    /// Proofs on a slice that also hides relevant parts.
    Prove,
    /// Violations on a slice whose loops are accelerated.
    Accelerate,
    /// Proofs and violations on a slice.
    Slice,
    /// Proofs and violations on the whole program.
    Whole,
}

impl StageKind {
    /// All of them, in the order in which they make sense.
    pub const ALL: [StageKind; 8] = [
        StageKind::Execute,
        StageKind::Explore,
        StageKind::Guess,
        StageKind::Sample,
        StageKind::Prove,
        StageKind::Accelerate,
        StageKind::Slice,
        StageKind::Whole,
    ];

    /// The name in configurations and reports.
    pub fn name(self) -> &'static str {
        match self {
            StageKind::Execute => "execute",
            StageKind::Sample => "sample",
            StageKind::Explore => "explore",
            StageKind::Guess => "guess",
            StageKind::Prove => "no-counters",
            StageKind::Accelerate => "accelerate",
            StageKind::Slice => "slice",
            StageKind::Whole => "whole",
        }
    }
}

/// Why names make no strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// There is no stage of a name.
    Unknown(String),
    /// A stage stands behind one that it has to precede, or twice.
    Order {
        /// The stage.
        stage: StageKind,
        /// The one that stands before it.
        before: StageKind,
    },
    /// No stage looks for violations.
    NoSearch,
}

impl fmt::Display for StrategyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StrategyError::Unknown(name) => {
                let known = StageKind::ALL.map(StageKind::name).join(", ");
                write!(f, "there is no stage `{name}`; there are {known}")
            }
            StrategyError::Order { stage, before } => {
                write!(
                    f,
                    "the stage `{}` cannot stand behind `{}`",
                    stage.name(),
                    before.name()
                )
            }
            StrategyError::NoSearch => f.write_str("no stage looks for violations; add `slice` or `whole`"),
        }
    }
}

impl std::error::Error for StrategyError {}

/// The stages of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy(Vec<StageKind>);

impl Strategy {
    /// All stages.
    pub fn sliced() -> Strategy {
        Strategy(StageKind::ALL.to_vec())
    }

    /// Only the whole program.
    pub fn whole() -> Strategy {
        Strategy(vec![StageKind::Whole])
    }

    /// The strategy of names with commas in between.
    ///
    /// # Errors
    /// A name is unknown, or stands behind one that it has to precede; or no stage looks for violations.
    pub fn named(names: &str) -> Result<Strategy, StrategyError> {
        let mut stages: Vec<usize> = Vec::new();
        for name in names.split(',').map(str::trim) {
            let position = StageKind::ALL.iter().position(|kind| kind.name() == name);
            let position = position.ok_or_else(|| StrategyError::Unknown(name.to_string()))?;
            if let Some(&last) = stages.last().filter(|&&last| last >= position) {
                return Err(StrategyError::Order {
                    stage: StageKind::ALL[position],
                    before: StageKind::ALL[last],
                });
            }
            stages.push(position);
        }
        let stages: Vec<StageKind> = stages.into_iter().map(|at| StageKind::ALL[at]).collect();
        match stages
            .iter()
            .any(|stage| matches!(stage, StageKind::Slice | StageKind::Whole))
        {
            true => Ok(Strategy(stages)),
            false => Err(StrategyError::NoSearch),
        }
    }

    /// The stages in their order.
    pub fn stages(&self) -> &[StageKind] {
        &self.0
    }

    /// Whether a stage looks at a slice.
    pub fn has_slices(&self) -> bool {
        self.0.iter().any(|stage| {
            matches!(
                stage,
                StageKind::Explore | StageKind::Guess | StageKind::Prove | StageKind::Accelerate | StageKind::Slice
            )
        })
    }
}
