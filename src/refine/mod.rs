//! Refinement: from target states to precision increments.
//!
//! The operators have the names of Lukasczyk's thesis (*Provident abstraction refinement*, 2018, chapter 3): [`extract_targets`],
//! [`rank`](rank::Rank), [`provident_refine`](provident::provident_refine), [`select`](select::Select). Beside them stands [`prefer`](prefer::Preference), after Beyer, Löwe, Wendler (*Refinement selection*, 2015). This room knows nothing of properties' budgets
//! or verdicts, and changes neither the abstract reachability graph nor the precision: it only computes.
//!
//! | module | does |
//! |---|---|
//! | [`path`] | the error path of a target state: a chain of blocks |
//! | [`interpolation`] | feasibility of a chain, or the predicates that refute it |
//! | [`increment`] | the new predicates that refute a chain, and where they belong |
//! | [`procedure`] | the interpolation procedure: which proof, and which interpolants of it |
//! | [`measure`] | the quality of interpolants |
//! | [`compare`] | their strength against other variants, and whether loops preserve them |
//! | [`concrete`] | from a feasible chain to one path with inputs |
//! | [`guess`], [`samples`] | predicates that interpolants would not bring soon |
//! | [`provident`] | all ranked targets at once, in parallel |
//! | [`refuted`] | segments that are known to be infeasible |
//! | [`nested`] | nested interpolants for paths through calls that return |
//! | [`query`] | the question about an error path as a script |
//! | [`prefix`] | infeasible sliced prefixes, each with a refinement |
//! | [`prefer`] | which of these refinements |
//! | [`builtin`] | the preferences that are built in |
//! | [`counters`] | the loop counters of a program |
//! | [`templates`] | the templates of interpolation abstraction |
//! | [`rank`], [`select`] | the operators of these names |
//! | [`value`] | refinement of the value analysis: value interpolation |

pub mod builtin;
pub mod compare;
pub mod concrete;
pub mod counters;
pub mod guess;
pub mod increment;
pub mod interpolation;
pub mod measure;
pub mod nested;
pub mod path;
pub mod prefer;
pub mod prefix;
pub mod procedure;
pub mod provident;
pub mod query;
pub mod rank;
pub mod refuted;
pub mod samples;
pub mod select;
pub mod templates;
pub mod value;

use crate::cfa::{EdgeId, NodeId, Program};
use crate::cpa::Cpa;
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::composite::{Composite, State};
use crate::cpa::predicate::precision::PredicateScope;
use crate::cpa::predicate::region::{RegionId, Regions};
use crate::cpa::predicate::{AbsId, Phase, PredState, Predicates};
use crate::cpa::product::Product;
use crate::cpa::tracking::PropertyId;
use crate::cpa::value::{Values, ValuesId};
use provident_smt::term::TermId;

/// The data domain of the analysis that is refined: explicit values, which keep nothing unless somebody refines them, and predicates.
pub type Data<'p> = Product<Values<'p>, Predicates<'p>>;

/// The data part of an abstract state.
pub type DataState = (ValuesId, PredState);

/// The analysis that is refined.
pub type Analysis<'p> = Composite<'p, Data<'p>>;

/// The formula of the abstract states at an abstraction point that have this region and these values, over symbols without version.
pub fn state_formula(domain: &mut Data<'_>, region: RegionId, values: ValuesId) -> TermId {
    let formula = domain.region_formula(region);
    if values == ValuesId::TOP {
        return formula;
    }
    let Product { first, second } = domain;
    let values = first.assignment(values).formula(first.encoder(), &mut second.pool);
    second.pool.and2(values, formula)
}

/// A reached target state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its node in the abstract reachability graph.
    pub id: ArgId,
    /// Its distance from the root.
    pub level: u32,
    /// The blocks on its error path.
    pub blocks: u32,
    /// The blocks behind the last abstraction on its error path that is not `true`.
    pub unknown_blocks: u32,
    /// The edge that violates the properties.
    pub edge: EdgeId,
    /// Its data.
    pub state: PredState,
    /// The violated properties that are still of interest.
    pub properties: Vec<PropertyId>,
}

/// Whether a state is a target that the abstraction reaches, on a way that was not set aside: the operators of refinement look at these only.
pub fn is_reached_target(cpa: &Analysis<'_>, state: &State<DataState>) -> bool {
    state.data.1.phase == Phase::ReachedTarget && cpa.is_target(state) && !open_violations(cpa, state).is_empty()
}

/// The properties that a target state violates and for which its way was not set aside.
fn open_violations(cpa: &Analysis<'_>, state: &State<DataState>) -> Vec<PropertyId> {
    let PredState { abs, block, .. } = state.data.1;
    let mut violated = cpa.violated_by(state.control);
    violated.retain(|&property| !cpa.domain.set_aside.contains(&(abs, block, property)));
    violated
}

/// The operator `extract_targets`: the reached target states in order of computation.
pub fn extract_targets<'p>(cpa: &Analysis<'p>, reached: &Reached<Analysis<'p>>) -> Vec<Target> {
    let targets = reached
        .arg
        .iter()
        .filter(|(_, node)| is_reached_target(cpa, &node.state));
    targets
        .filter_map(|(id, node)| {
            let edge = node.state.control.target?.edge();
            let properties = open_violations(cpa, &node.state);
            let domain = &cpa.domain;
            let ancestors = domain.ancestors(node.state.data.1.abs);
            let says_nothing = |abs: &&AbsId| domain.record(**abs).region == domain.regions.top();
            let unknown = ancestors.iter().rev().take_while(says_nothing).count();
            Some(Target {
                id,
                level: node.level,
                blocks: number(ancestors.len()),
                unknown_blocks: number(unknown),
                edge,
                state: node.state.data.1,
                properties,
            })
        })
        .collect()
}

/// A length as the small number that it is in practice.
fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// From where the state space is explored again after a refinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restart {
    /// From the root (the thesis): the graph is forgotten.
    Root,
    /// From the pivots of the error paths that were ruled out: everything that is not below them stays.
    #[default]
    Pivots,
}

/// Where a new predicate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// At every abstraction point.
    Global,
    /// At every abstraction point of the function in which it was found.
    Function,
    /// At the location at which it was found.
    #[default]
    Location,
}

impl Scope {
    /// The scope of a predicate that was found at a location.
    pub fn of(self, program: &Program, node: NodeId) -> PredicateScope {
        match self {
            Scope::Global => PredicateScope::Global,
            Scope::Function => PredicateScope::Function(program.node(node).func),
            Scope::Location => PredicateScope::Location(node),
        }
    }
}
