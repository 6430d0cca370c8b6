//! The messages of the refinement loops to an observer that keeps a log.
//!
//! The messages are plain data, with terms as text. They are made only on request of the observer.

/// One iteration's candidates, in rank order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// Its number, from 1.
    pub iteration: u64,
    /// Reached target states.
    pub targets: u64,
    /// The candidates: a prefix of the ranked targets, or all of them.
    pub candidates: Vec<CandidateRecord>,
}

/// The candidate refinement of one target state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateRecord {
    /// The number of its state in the abstract reachability graph.
    pub state: u64,
    /// The names of the properties that it violates.
    pub properties: Vec<String>,
    /// The domain that is refined: `predicates` or `values`.
    pub domain: &'static str,
    /// Its distance from the root.
    pub level: u32,
    /// The blocks on its error path; for values, its steps.
    pub blocks: u64,
    /// `infeasible`, `feasible` or `unknown`.
    pub result: &'static str,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Whether that was known without asking the solver.
    pub recognised: bool,
    /// How many infeasible sliced prefixes a preference had to choose among; 0 without a preference.
    pub prefixes: u64,
    /// The place of the pivot: the first one that has an increment.
    pub pivot: Option<String>,
    /// The predicates that it would bring, with their places: the increment. For values, the cells with their constants.
    pub increment: Vec<(String, Vec<String>)>,
    /// The quality of the interpolants that brought them; none for values, and where there are none.
    pub interpolants: Option<InterpolantsRecord>,
    /// The effort that its error path took; none for values.
    pub ticks: Option<u64>,
}

/// The interpolants between the blocks of an error path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpolantsRecord {
    /// How many are `true`.
    pub truths: u64,
    /// How many are `false`.
    pub falsities: u64,
    /// The longest inductive suffix: of the others to whose place the path comes again, how many are preserved, from the last one back to the first that is not; none if there are none, there are too many, or nobody asked.
    pub inductive_suffix: Option<u64>,
    /// The others, in the order of the path.
    pub others: Vec<InterpolantRecord>,
}

/// An interpolant that is not constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InterpolantRecord {
    /// Its place.
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
    /// Those that occur on both sides of the cut, of which an interpolant may speak; `None` for nested interpolants.
    pub shared_variables: Option<u64>,
    /// The largest absolute value of a coefficient; the largest number of the type if it is larger.
    pub largest_coefficient: u128,
    /// Different divisions.
    pub divisions: u64,
    /// The greatest number of connectives inside each other.
    pub boolean_depth: u64,
    /// The most disjuncts of one disjunction.
    pub disjuncts: u64,
    /// The form.
    pub class: &'static str,
    /// How many of its atoms are predicates that the precision does not have at its place.
    pub new_predicates: u64,
    /// How it stands to the different interpolants that other variants read off one proof; none if nobody asked.
    pub strength: Option<Strength>,
    /// Whether the blocks up to the next visit of its place preserve it; none if there is no such visit, it was not decided, or nobody asked.
    pub inductive: Option<bool>,
}

/// How many interpolants of other variants an interpolant stands to in each way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
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

/// What became of a predicate by the end of the last refinement loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateRecord {
    /// Where it counts: a place, a function, or `*`.
    pub place: String,
    /// The predicate.
    pub predicate: String,
    /// How many abstractions there depend on it.
    pub abstractions: u64,
    /// Whether the invariant of a loop head depends on it there; none if the loop did not come to a proof.
    pub in_invariant: Option<bool>,
}

/// A refinement that was applied, or could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The iteration, from 1.
    pub iteration: u64,
    /// The states of the selected candidates.
    pub selected: Vec<u64>,
    /// How many entries of the precision are new.
    pub new_predicates: u64,
    /// `cut`, `restart` or `gave up`.
    pub action: &'static str,
    /// Abstract states that are left.
    pub states: u64,
}

/// An interpolation query as a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryScript {
    /// The iteration, from 1.
    pub iteration: u64,
    /// The number of the target's state in the abstract reachability graph.
    pub state: u64,
    /// The script.
    pub text: String,
}
