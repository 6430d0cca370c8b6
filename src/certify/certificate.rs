//! Certificates: the abstract states of a complete exploration, as formulas at control states.
//!
//! A [`Certificate`] is plain data without references to the exploration: for each control state, the disjunction of the formulas of its
//! abstract states. By the laws of the operators, this disjunction is an inductive invariant. [`crate::evidence::obligations`] does
//! not rely on that, but states it as formulas that any solver can refute.

use crate::cfa::{EdgeId, FuncId, NodeId, Program, VarId};
use crate::cpa::tracking::PropertyId;
use crate::encode::{Arith, Encoder};
use crate::engine::Invariant;
use crate::query::points::Points;
use provident_smt::num::Int;
use provident_smt::term::{Portable, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// A formula that holds whenever control is in a control state.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The location.
    pub node: NodeId,
    /// The open call edges, outermost first.
    pub calls: Vec<EdgeId>,
    /// The known values of the variables that track specification automata.
    pub known: Vec<(VarId, Int)>,
    /// The formula over symbols without version, as a position in [`Certificate::formulas`].
    pub formula: usize,
    /// Formulas that hold for every integer in the place of the variable [`INDEX`], as such positions.
    pub each: Vec<usize>,
    /// The contract under which it is made, as a position in [`Certificate::contracts`]: then the calls are those since the entry of the contract's function, and its frame is the first one.
    pub contract: Option<usize>,
    /// At the entry of a call whose function is not followed: the contract that is relied on instead.
    pub relies_on: Option<usize>,
}

/// A contract of a function: an execution of it that begins where the claim at its entry holds ends, if it ends, where the claim at its exit does. Both are claims under this contract, without
/// calls. They speak of the function's frame as of a first one, whoever calls it, and of the values at the entry by names that begin with [`OLD`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contract {
    /// The function.
    pub func: FuncId,
}

/// The beginning of a name that means, under a contract, the value at the contract's entry: `old!f::n` that of the parameter `n`, `old!g` that of the variable `g`. Nothing
/// writes it. At a call it is what the caller has there, so the claim at the entry may say `n = old!n`, and the one at the exit what became of it.
pub const OLD: &str = "old!";

/// The variable that stands for the number of any element in formulas about all of them.
pub const INDEX: &str = "index!";

/// Where claims come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From an exploration with predicates: they are inductive by the laws of its operators.
    Predicates,
    /// From an exploration with explicit values. The facts of a state that a claim cannot express are listed; the proof may need them.
    Explicit(BTreeSet<&'static str>),
    /// Facts that the states of an exploration with explicit values have in common. They are not known to be inductive until that is checked. There is one claim for each place.
    Guessed,
    /// From an exploration with predicates of a [thin program](crate::cfa::slice::thin). They are not known to be inductive for the whole program until that is checked.
    Thin,
    /// There are none: all paths of the program are listed.
    Paths,
}

/// An inductive invariant of the program that excludes the violations of some properties.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The properties that it proves, as positions in the list of properties, ascending.
    pub properties: Vec<PropertyId>,
    /// The integers that it is about.
    pub arith: Arith,
    /// The claims, in order of location, call stack, and values. Control is nowhere else at the points where claims are made.
    pub claims: Vec<Claim>,
    /// The contracts of functions that claims rely on.
    pub contracts: Vec<Contract>,
    /// The formulas of the claims.
    pub formulas: Portable,
    /// Exact values of non-linear operators on which the claims rest.
    pub points: Points,
    /// Where the claims come from.
    pub origin: Origin,
    /// The paths of the program by their edges, without returns from calls, if these are listed instead of claims. Whatever leaves all of them is impossible, or cannot lead to a violation.
    pub paths: Vec<Vec<EdgeId>>,
}

impl Certificate {
    /// The claims at loop heads, for any call stack and under any contract, without claims about all elements of arrays.
    pub fn invariants(&self, program: &Program) -> Vec<Invariant> {
        let mut pool = TermPool::new();
        let formulas = pool.import(&self.formulas);
        let encoder = Encoder::new(program, self.arith);
        let mut known: BTreeMap<NodeId, Vec<TermId>> = BTreeMap::new();
        for claim in self.claims.iter().filter(|claim| program.node(claim.node).loop_head) {
            known.entry(claim.node).or_default().push(formulas[claim.formula]);
        }
        let invariant = |(node, formulas): (NodeId, Vec<TermId>)| {
            let texts: BTreeSet<String> = formulas
                .iter()
                .map(|&formula| encoder.display(&pool, formula))
                .collect();
            Invariant {
                node,
                formulas: pool.export(&formulas),
                disjuncts: texts.into_iter().collect(),
            }
        };
        known.into_iter().map(invariant).collect()
    }
}

/// Why there is nothing to show for a property that holds, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoProof(pub String);

/// The evidence for the properties that hold.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The invariant, if there is one.
    pub certificate: Option<Certificate>,
    /// Another certificate, for the case that the invariant turns out too weak.
    pub second: Option<Certificate>,
    /// For properties that hold and that the certificate does not prove: why not.
    pub without: Vec<(PropertyId, NoProof)>,
}
