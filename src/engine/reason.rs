//! Reasons: why there is no answer, as a stable code for programs and a sentence for people.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Its sort.
    #[serde(rename = "reason_code")]
    pub code: ReasonCode,
    /// The reason in words, with the place where there is one.
    #[serde(rename = "reason")]
    pub text: String,
}

/// The sorts of reasons. Their names are stable: scripts may rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The limit on processor time was reached.
    CpuLimit,
    /// The limit on wall time was reached.
    WallLimit,
    /// The limit on memory was reached.
    MemoryLimit,
    /// The limit on solver effort was reached.
    TickLimit,
    /// An exploration had more abstract states than are allowed.
    StateLimit,
    /// A signal, or the caller, ended the run.
    Interrupted,
    /// The budget of a part of the properties was spent, or the limit of an aspect.
    BudgetSpent,
    /// The program has a construct that no model covers.
    Unsupported,
    /// The violation depends on a value that stands for something that is not modelled.
    Invented,
    /// The solver could not decide an error path.
    SolverIncomplete,
    /// Refinement brought nothing new for an error path.
    NoProgress,
    /// The concrete execution does not take a path that the solver holds for feasible.
    ReplayLeftPath,
    /// The concrete execution of a feasible path does something undefined, or something that the machine cannot do.
    ReplayUndefined,
    /// The execution of a violation is too long for the replay.
    ReplayLimit,
    /// The whole program does not repeat a violation of its slice.
    SliceContradicted,
    /// The compiled program does not repeat a violation.
    HarnessMissed,
    /// A specification automaton is not tracked to the end.
    NotTracked,
    /// A TRUE would rest on an assumption, and the user does not accept that.
    Assumption,
    /// The program does not mention the function or label of the property, and the user does not accept that.
    Unmentioned,
    /// The process that checked the property died.
    ProcessDied,
    /// A check of Provident's own results failed.
    InternalError,
}

impl ReasonCode {
    /// All sorts.
    pub const ALL: [ReasonCode; 21] = [
        ReasonCode::CpuLimit,
        ReasonCode::WallLimit,
        ReasonCode::MemoryLimit,
        ReasonCode::TickLimit,
        ReasonCode::StateLimit,
        ReasonCode::Interrupted,
        ReasonCode::BudgetSpent,
        ReasonCode::Unsupported,
        ReasonCode::Invented,
        ReasonCode::SolverIncomplete,
        ReasonCode::NoProgress,
        ReasonCode::ReplayLeftPath,
        ReasonCode::ReplayUndefined,
        ReasonCode::ReplayLimit,
        ReasonCode::SliceContradicted,
        ReasonCode::HarnessMissed,
        ReasonCode::NotTracked,
        ReasonCode::Assumption,
        ReasonCode::Unmentioned,
        ReasonCode::ProcessDied,
        ReasonCode::InternalError,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            ReasonCode::CpuLimit => "cpu-limit",
            ReasonCode::WallLimit => "wall-limit",
            ReasonCode::MemoryLimit => "memory-limit",
            ReasonCode::TickLimit => "tick-limit",
            ReasonCode::StateLimit => "state-limit",
            ReasonCode::Interrupted => "interrupted",
            ReasonCode::BudgetSpent => "budget-spent",
            ReasonCode::Unsupported => "unsupported",
            ReasonCode::Invented => "invented",
            ReasonCode::SolverIncomplete => "solver-incomplete",
            ReasonCode::NoProgress => "no-progress",
            ReasonCode::ReplayLeftPath => "replay-left-path",
            ReasonCode::ReplayUndefined => "replay-undefined",
            ReasonCode::ReplayLimit => "replay-limit",
            ReasonCode::SliceContradicted => "slice-contradicted",
            ReasonCode::HarnessMissed => "harness-missed",
            ReasonCode::NotTracked => "not-tracked",
            ReasonCode::Assumption => "assumption",
            ReasonCode::Unmentioned => "unmentioned",
            ReasonCode::ProcessDied => "process-died",
            ReasonCode::InternalError => "internal-error",
        }
    }

    /// The reason of this sort with these words.
    pub fn because(self, text: impl Into<String>) -> Reason {
        Reason {
            code: self,
            text: text.into(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}) {}", self.code.name(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_names_that_are_printed() {
        for code in [
            ReasonCode::CpuLimit,
            ReasonCode::ReplayLeftPath,
            ReasonCode::InternalError,
            ReasonCode::NotTracked,
        ] {
            assert_eq!(serde_json::to_string(&code).unwrap(), format!("\"{}\"", code.name()));
        }
    }
}
