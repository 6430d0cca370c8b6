//! Craig interpolants of a sequence of formulas, all from one proof; and of a tree of formulas.
//!
//! For parts `P_0 .. P_n` whose conjunction is unsatisfiable, a *sequence of interpolants* `I_0 .. I_{n-1}` satisfies
//! `P_0 => I_0`, `I_k & P_{k+1} => I_{k+1}`, `I_{n-1} & P_n => false`, and each `I_k` has only symbols that occur both in
//! `P_0 .. P_k` and in `P_{k+1} .. P_n` (Henzinger, Jhala, Majumdar, McMillan, *Abstractions from proofs*, 2004). The parts are
//! the blocks of an error path, and the atoms of the interpolants are the predicates that refute it.
//!
//! # How
//!
//! The proof is one for all cuts. For the cut after part `k` every leaf clause belongs to A (its part is at most `k`) or to B,
//! and the interpolant is computed from the leaves to the empty clause by one of the labelled systems ([`Labelling`]). Because the
//! proof is the same for all cuts, and labels only change from B to shared to A as `k` grows, the interpolants of
//! neighbouring cuts fit together (Gurfinkel, Rollini, Sharygina, *Interpolation properties and SAT-based model checking*, 2013).
//!
//! *Few literals of the proof are mixed*: the solver prefers atoms and lemmas of which some part can have all symbols
//! ([`span`]). Then every lemma but a Farkas step is simply one more clause of such a part, since a tautology may be
//! conjoined to any part that has its vocabulary. A Farkas step contributes the weighted sum of its A-side inequalities: the
//! terms local to A cancel, as they do not occur in the rest of a sum that is constant. Literals that are mixed all the same are interpolated by
//! virtual purification ([`purify`], [`congruence`]), which the fast path never sees.
//!
//! # Small and general interpolants
//!
//! Each conjunct of a part is an input of its own, and the proof is sought for a small set of them ([`query`]): fewer conjuncts,
//! fewer atoms ([`narrow`]). Then [`simplify`] recombines bounds and absorbs.
//!
//! # Rejected
//!
//! Interpolating each cut of a sequence by its own query by default (n proofs; that is how trees and decomposed leaves do it, and sequences on demand, see [`Direction`]). Purifying the input instead of the proof: the search would pay
//! for it in every query.
//!
//! | module | does |
//! |---|---|
//! | `query` | one interpolation query |
//! | `narrow` | finds a small unsatisfiable set of conjuncts |
//! | `reduce` | makes proofs smaller |
//! | `walk` | computes the interpolants of all cuts from a proof |
//! | `span` | the parts that symbols, atoms and clauses can belong to |
//! | `leaves` | conflicts of theories and mixed lemmas |
//! | `farkas` | the partial interpolants of a Farkas step |
//! | `equality` | those of a conflict of equality and congruence |
//! | `congruence` | those of a congruence lemma between A and B |
//! | `purify` | virtual purification of mixed literals |
//! | `cuts` | interpolants of sequences cut by cut |
//! | `tree` | interpolants of trees |
//! | `simplify` | simplifies interpolants |
//! | `redundancy` | drops what neither of their implications needs |
//! | `templates` | interpolation abstraction: interpolants in the terms of templates |
//! | `measure` | measures the quality of interpolants |
//! | `verify` | checks interpolants |
//! | `certificate` | interpolants with proofs of their implications |
//! | `guide` | certificates from the proof that was interpolated |
//! | `options` | the choices of a procedure |
//! | `portfolio` | several variants of one proof, and the choice among them |
//! | `readings` | all variants of one proof |
//! | `strength` | the strength of interpolants of one cut |
//! | `cost` | what queries took |

use crate::hash::FxHashMap;
use crate::model::Model;
use crate::solver::UnknownReason;
use crate::term::{Term, TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[macro_use]
mod options;

mod certificate;
mod congruence;
mod cost;
mod cuts;
mod equality;
mod farkas;
mod guide;
mod leaves;
mod measure;
mod narrow;
mod portfolio;
mod purify;
mod query;
mod readings;
mod reduce;
mod redundancy;
mod simplify;
mod span;
mod strength;
mod templates;
mod tree;
mod verify;
mod walk;

pub use certificate::{Certificate, Uncertified, certify_cut, certify_sequence, certify_tree};
pub use cost::Cost;
pub use guide::Guide;
pub use measure::{Measures, Shape, shared_at_cuts, shared_symbols};
pub use options::{ArithmeticLeaf, CongruenceLeaf, Direction, Labelling};
pub use portfolio::{Members, Merit, Portfolio, without_versions};
pub use readings::{Reading, Readings, readings};
pub use simplify::simplify;
pub use strength::{Relation, StrengthLimits, implications, implies, relation};
pub use templates::{Abstraction, HiddenVariable, TemplateTerms, abstracted};
pub use tree::{chain, guided_tree, is_below, tree, tree_with_cost};
pub use verify::{check_sequence, check_tree};

use query::Query;

/// The choice of the interpolant that is read off a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Variant {
    /// The labelled system.
    pub labelling: Labelling,
    /// The leaves of arithmetic.
    pub arithmetic: ArithmeticLeaf,
    /// The leaves of equality and congruence.
    pub congruence: CongruenceLeaf,
}

impl Variant {
    /// All combinations, from the strongest to the weakest choice of each kind.
    pub fn all() -> impl Iterator<Item = Variant> {
        Labelling::ALL.iter().flat_map(|&labelling| {
            ArithmeticLeaf::ALL.iter().flat_map(move |&arithmetic| {
                CongruenceLeaf::ALL.iter().map(move |&congruence| Variant {
                    labelling,
                    arithmetic,
                    congruence,
                })
            })
        })
    }

    /// Whether the interpolants of all cuts of one proof fit together. The parts of a decomposition at one cut need not follow from those at
    /// the cut before it.
    fn has_path_property(self) -> bool {
        matches!(self.arithmetic, ArithmeticLeaf::Farkas | ArithmeticLeaf::DualFarkas)
    }
}

/// Options of [`sequence`].
#[derive(Clone, Debug)]
pub struct InterpolationConfig {
    /// The most ticks that the query may spend in all; no limit if `None`.
    pub ticks: Option<u64>,
    /// When this becomes true the query ends with `Unknown(Interrupted)`.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Whether the result is verified by a fresh solver. A wrong interpolant is a defect of this crate, and panics.
    pub check: bool,
    /// Whether the result gets a [`Certificate`], which is checked: a proof of each implication. In the place of that verification, and with the same end for a wrong interpolant.
    pub certify: bool,
    /// Whether a [`Guide`] for certificates is written while interpolants are read off a long proof; always so if they are certified at once.
    pub guide: bool,
    /// The interpolant that is read off the proof.
    pub variant: Variant,
    /// Other variants that are read off the same proof, of which the best is taken.
    pub portfolio: Option<Portfolio>,
    /// The order in which the cuts of a sequence get their interpolants. Trees that are no sequences are interpolated from the leaves to the root.
    pub direction: Direction,
    /// Whether the proof is made smaller first.
    pub reduce_proof: bool,
    /// Whether the interpolants are simplified, as formulas.
    pub simplify: bool,
    /// Whether parts of the interpolants are dropped that neither of their implications needs.
    pub drop_redundant: bool,
    /// Whether to look for a small unsatisfiable subset of the parts' conjuncts first.
    pub minimise: bool,
    /// Whether that subset is looked for in the last parts first, and only then in all.
    pub suffix_first: bool,
    /// Whether conjuncts are deleted from that subset as long as the rest has no model.
    pub delete: bool,
    /// A refutation that took more ticks than these when that subset was sought is interpolated as it is: neither is the subset made smaller nor proved again, unless there are no interpolants otherwise.
    pub dear: u64,
    /// Whether the search avoids terms that have symbols of different parts, where it can. Interpolants of proofs without such terms are simpler.
    pub avoid_mixed: bool,
    /// Whether equations and functions that arithmetic has no part in are decided, and interpolated, by congruence closure: with equations in
    /// the interpolants, never with inequalities. Sequences of more than two parts need a query for each cut then.
    pub equality: bool,
    /// As in [`solver::Config`](crate::solver::Config::inprocessing).
    pub inprocessing: Option<u64>,
    /// As in [`solver::Config`](crate::solver::Config::finite_after).
    pub finite_after: Option<u64>,
    /// Formulas that stand for updates in interpolants, in which no update may be. Each is equivalent to its update in every part that has both.
    pub meanings: FxHashMap<TermId, TermId>,
}

impl Default for InterpolationConfig {
    fn default() -> Self {
        InterpolationConfig {
            ticks: None,
            interrupt: None,
            check: cfg!(debug_assertions),
            certify: false,
            guide: false,
            variant: Variant::default(),
            portfolio: None,
            direction: Direction::default(),
            reduce_proof: false,
            simplify: true,
            drop_redundant: false,
            minimise: true,
            suffix_first: true,
            delete: true,
            dear: 20_000_000,
            avoid_mixed: true,
            equality: false,
            inprocessing: None,
            finite_after: None,
            meanings: FxHashMap::default(),
        }
    }
}

/// The answer of [`sequence`].
#[derive(Clone, Debug)]
pub enum SequenceResult {
    /// The conjunction of the parts has this model.
    Sat(Model),
    /// The interpolants between the parts, one fewer than parts.
    Unsat(Vec<TermId>),
    /// No answer within the limits, or none that can be interpolated.
    Unknown(UnknownReason),
}

/// Interpolates the sequence of `parts` (Bool terms), or finds a model of their conjunction. Of n parts the interpolants are n - 1 Bool terms, one for each cut between
/// neighbours.
pub fn sequence(pool: &mut TermPool, parts: &[TermId], config: &InterpolationConfig) -> SequenceResult {
    sequence_with_cost(pool, parts, config).0
}

/// As [`sequence`], with what it cost. A check of the result is not counted, and certificates are counted apart.
pub fn sequence_with_cost(
    pool: &mut TermPool,
    parts: &[TermId],
    config: &InterpolationConfig,
) -> (SequenceResult, Cost) {
    let Some((&last, prefix)) = parts.split_last() else {
        return (SequenceResult::Sat(Model::new()), Cost::default());
    };
    CommonPrefix::new(pool, prefix, config).sequence_with_cost(pool, last, config)
}

/// Sequences that have all parts but the last in common. As [`sequence`] for each of them, but the common parts are encoded once.
pub struct CommonPrefix {
    parts: Vec<TermId>,
    prefix: narrow::Prefix,
    others: Vec<Vec<TermId>>,
    guide: Option<Guide>,
}

impl CommonPrefix {
    /// The common parts. The configuration has to be the same in all calls, but for `ticks`.
    pub fn new(pool: &TermPool, parts: &[TermId], config: &InterpolationConfig) -> CommonPrefix {
        CommonPrefix {
            parts: parts.to_vec(),
            prefix: narrow::Prefix::new(query::split(pool, 0, parts), config),
            others: Vec::new(),
            guide: None,
        }
    }

    /// The guide for a certificate of the last call's interpolant, if there are two parts and the proof was long.
    pub fn take_guide(&mut self) -> Option<Guide> {
        self.guide.take()
    }

    /// The sequences that the other variants of the portfolio read off the proof of the last call, without duplicates and without the one that was taken. There are none where each cut has a proof of its own.
    pub fn take_others(&mut self) -> Vec<Vec<TermId>> {
        std::mem::take(&mut self.others)
    }

    /// The common parts.
    pub fn parts(&self) -> &[TermId] {
        &self.parts
    }

    /// Adds a fact to the common part with that number, for all calls from now on. The facts encoded before stay.
    pub fn strengthen(&mut self, pool: &mut TermPool, number: usize, fact: TermId) {
        self.parts[number] = pool.and2(self.parts[number], fact);
        let part = u32::try_from(number).expect("parts are numbered with 32 bits");
        // A part that the fact contradicts becomes `false`, and has no words left that an interpolant may use.
        let is_false = *pool.term(self.parts[number]) == Term::False;
        let added = if is_false { self.parts[number] } else { fact };
        for conjunct in query::split(pool, part, &[added]) {
            self.prefix.add(pool, conjunct);
        }
    }

    /// As [`sequence_with_cost`] for the common parts and a last one.
    pub fn sequence_with_cost(
        &mut self,
        pool: &mut TermPool,
        last: TermId,
        config: &InterpolationConfig,
    ) -> (SequenceResult, Cost) {
        let parts: Vec<TermId> = self.parts.iter().copied().chain([last]).collect();
        let fits_together = config.variant.has_path_property() && !config.equality;
        let all_cuts_at_once = config.direction == Direction::Together && fits_together;
        self.others.clear();
        self.guide = None;
        let (mut result, mut cost) = if all_cuts_at_once || parts.len() <= 2 {
            let number = u32::try_from(self.parts.len()).expect("parts are numbered with 32 bits");
            let last = query::split(pool, number, &[last]);
            let mut query = Query::new(config);
            let result = query.run(pool, &mut self.prefix, &last, parts.len());
            let cost = query.cost();
            self.guide = query.take_guide();
            self.others = query.into_others();
            (result, cost)
        } else {
            cuts::cut_by_cut(pool, &parts, config)
        };
        if let SequenceResult::Unsat(interpolants) = &mut result {
            for sequence in std::iter::once(interpolants).chain(&mut self.others) {
                finish_sequence(pool, &parts, sequence, self.guide.as_ref(), config, &mut cost);
            }
        }
        (result, cost)
    }
}

/// Drops what is redundant in the interpolants of a sequence, and checks them, if the configuration says so.
fn finish_sequence(
    pool: &mut TermPool,
    parts: &[TermId],
    interpolants: &mut [TermId],
    guide: Option<&Guide>,
    config: &InterpolationConfig,
    cost: &mut Cost,
) {
    if config.direction != Direction::Alone {
        return finish(pool, parts, &chain(parts.len()), interpolants, guide, config, cost);
    }
    for (cut, interpolant) in interpolants.iter_mut().enumerate() {
        let sides = [pool.and(&parts[..=cut]), pool.and(&parts[cut + 1..])];
        let interpolant = std::slice::from_mut(interpolant);
        finish(pool, &sides, &chain(2), interpolant, guide, config, cost);
    }
}

/// The same for a tree.
fn finish(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &mut [TermId],
    guide: Option<&Guide>,
    config: &InterpolationConfig,
    cost: &mut Cost,
) {
    if config.drop_redundant {
        redundancy::drop_redundant(pool, parts, parents, interpolants, config, cost);
    }
    if config.certify {
        certificate::certify_found(pool, parts, parents, interpolants, guide, config, cost);
    } else if config.check {
        let limits = (config.ticks, config.interrupt.as_ref());
        verify::assert_valid(verify::verify_tree(pool, parts, parents, interpolants, limits));
    }
}
