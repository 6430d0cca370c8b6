//! The refinement log: one line of JSON per iteration's candidates and per applied refinement, and the interpolation queries as scripts.
//!
//! Lines are written as they come, so that the log of a run that was killed says how far it came. Failures of the file system do not end a
//! verification: the first one is kept, and the log ends there.

use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Line {
    /// The candidate refinements of all target states, in rank order.
    Candidates {
        /// The iteration, from 1.
        iteration: u64,
        /// Reached target states.
        targets: u64,
        /// The candidates.
        candidates: Vec<CandidateLine>,
    },
    /// The refinement that was applied.
    Applied {
        /// The iteration, from 1.
        iteration: u64,
        /// The states of the selected candidates.
        selected: Vec<u64>,
        /// New entries of the precision.
        new_predicates: u64,
        /// `cut`, `restart` or `gave up`.
        action: &'static str,
        /// Abstract states that are left.
        states: u64,
    },
    /// What became of the predicates of a refinement loop.
    Predicates {
        /// The predicates, place by place.
        predicates: Vec<PredicateLine>,
    },
}

/// What became of a predicate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PredicateLine {
    /// Where it counts: a place, a function, or `*`.
    pub place: String,
    /// Which.
    pub predicate: String,
    /// How many abstractions there depend on it.
    pub abstractions: u64,
    /// Whether the invariant of a loop head depends on it there; none without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_invariant: Option<bool>,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CandidateLine {
    /// Its place in the ranking, from 1.
    pub rank: usize,
    /// The number of its abstract state.
    pub state: u64,
    /// The properties that it violates.
    pub properties: Vec<String>,
    /// The domain that is refined: `predicates` or `values`.
    pub domain: &'static str,
    /// Its distance from the root.
    pub level: u32,
    /// The blocks on its error path.
    pub blocks: u64,
    /// `infeasible`, `feasible` or `unknown`.
    pub result: &'static str,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether that was known without the solver.
    pub recognised: bool,
    /// How many infeasible sliced prefixes a preference had to choose among.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefixes: Option<u64>,
    /// The place of the pivot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivot: Option<String>,
    /// The predicates, by place.
    pub increment: Vec<PlaceLine>,
    /// The quality of the interpolants between the blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolants: Option<InterpolantsLine>,
    /// The effort that its error path took, in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
}

/// The interpolants of an error path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterpolantsLine {
    /// How many are `true`.
    pub truths: u64,
    /// How many are `false`.
    pub falsities: u64,
    /// Of the others to whose place the path comes again, how many are preserved up to the next visit, from the last one back to the first that is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inductive_suffix: Option<u64>,
    /// The others, in the order of the path.
    pub others: Vec<InterpolantLine>,
}

/// The measures of an interpolant that is not constant. Its formula is taken without the versions of its variables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterpolantLine {
    /// Where.
    pub place: String,
    /// How many blocks stand before it on the path.
    pub cut: u64,
    /// Different sub-terms.
    pub dag_size: u64,
    /// Sub-terms, each counted as often as it occurs.
    pub tree_size: u64,
    /// Different atoms.
    pub atoms: u64,
    /// Different variables and functions.
    pub variables: u64,
    /// Variables and functions that occur on both sides of the cut, of which an interpolant may speak.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_variables: Option<u64>,
    /// The largest absolute value of a coefficient; constants do not count.
    pub largest_coefficient: u128,
    /// Different divisions.
    pub divisions: u64,
    /// The greatest number of connectives inside each other, without negations.
    pub boolean_depth: u64,
    /// The most disjuncts of one disjunction; 1 if there is none.
    pub disjuncts: u64,
    /// `literal`, `interval`, `octagon`, `conjunction` or `other`.
    pub class: &'static str,
    /// How many of its atoms are predicates that the precision does not have at its place.
    pub new_predicates: u64,
    /// How it stands to the interpolants of other variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<StrengthLine>,
    /// Whether the blocks up to the next visit of its place preserve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inductive: Option<bool>,
}

/// How many different interpolants of other variants an interpolant stands to in each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StrengthLine {
    /// Other formulas with the same models.
    pub equivalent: u64,
    /// Those that it implies.
    pub stronger: u64,
    /// Those that imply it.
    pub weaker: u64,
    /// Neither.
    pub incomparable: u64,
    /// Those of which it was not decided.
    pub undecided: u64,
}

/// The predicates of one place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaceLine {
    /// Where.
    pub place: String,
    /// Which.
    pub predicates: Vec<String>,
}

/// The open log.
#[derive(Debug)]
pub struct RefinementLog {
    folder: PathBuf,
    file: BufWriter<File>,
    failure: Option<io::Error>,
}

impl RefinementLog {
    /// Opens `refinement.jsonl` in a folder, which is made if it does not exist.
    ///
    /// # Errors
    /// Passes on failures of the file system.
    pub fn create(folder: &Path) -> io::Result<RefinementLog> {
        fs::create_dir_all(folder)?;
        Ok(RefinementLog {
            folder: folder.to_path_buf(),
            file: BufWriter::new(File::create(folder.join("refinement.jsonl"))?),
            failure: None,
        })
    }

    /// Adds a line.
    pub fn line(&mut self, line: &Line) {
        let mut text = serde_json::to_string(line).expect("a line has only string keys");
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        self.keep(written);
    }

    /// Writes a query as `queries/ITERATION-STATE.smt2`.
    pub fn query(&mut self, iteration: u64, state: u64, text: &str) {
        let folder = self.folder.join("queries");
        let written = fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join(format!("{iteration}-{state}.smt2")), text));
        self.keep(written);
    }

    /// The first failure.
    pub fn failure(&self) -> Option<&io::Error> {
        self.failure.as_ref()
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }
}
