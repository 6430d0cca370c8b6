//! Certificates of explorations: the abstract states at each control state as one formula.
//!
//! Where functions are blocks (see [`memo`](crate::cpa::memo)), the states in a block are no invariants of the program's control states: the same exploration stands for the function under every call
//! stack. They are invariants under a *contract* ([`Contract`]): whenever the function is entered where the claim at its entry holds. A call in them relies on a contract itself, of the same function or
//! of another one. All of them together are an induction over calls: that each one keeps its contract is shown with the contracts of the calls inside, which end earlier.
//!
//! A loop that is a block needs no contract. In it holds what its summary says, together with what the state at its entry says and the loop leaves unchanged: the operator `expand` makes both an invariant of the place
//! around the loop, not only behind it. The invariant of a loop head is the disjunction over the entries of the loop.
//!
//! Contracts are those summaries of functions that the last exploration from the program's start made use of, directly or not.

use super::certificate::{Certificate, Claim, Contract, Origin};
use crate::cfa::{EdgeId, FuncId, NodeId, VarId};
use crate::cpa::algorithm::Reached;
use crate::cpa::callstack::{Block, StackId};
use crate::cpa::composite::State;
use crate::cpa::predicate::Phase;
use crate::cpa::predicate::region::{RegionId, Regions};
use crate::cpa::tracking::PropertyId;
use crate::cpa::value::ValuesId;
use crate::refine::{Analysis, DataState, state_formula};
use provident_smt::num::Int;
use provident_smt::term::TermId;
use std::collections::BTreeMap;

/// An abstract state.
type AnalysisState = State<DataState>;

/// Where a claim is made: the contract, the location, the open calls, the contract that is relied on, and the known values of what tracks automata.
type Place = (Option<usize>, NodeId, Vec<EdgeId>, Option<usize>, Vec<(VarId, Int)>);

/// The claims so far.
struct Collector<'c, 'p> {
    analysis: &'c mut Analysis<'p>,
    /// The contracts, and their numbers by the positions of the summaries.
    contracts: Vec<Contract>,
    numbers: BTreeMap<usize, usize>,
    /// The summaries whose claims are to be made.
    open: Vec<usize>,
    /// The regions of each place, by the values of variables.
    regions: BTreeMap<Place, BTreeMap<ValuesId, RegionId>>,
    /// Places at which something has to be claimed, if only that they are not reached.
    needed: Vec<Place>,
}

/// The certificate of a complete exploration for some properties, with the contracts of the summaries that it used.
pub(super) fn certificate(
    analysis: &mut Analysis<'_>,
    reached: &Reached<Analysis<'_>>,
    properties: Vec<PropertyId>,
) -> Certificate {
    assert!(
        reached.is_complete(),
        "an invariant is what holds in the whole state space"
    );
    let mut collector = Collector {
        analysis,
        contracts: Vec::new(),
        numbers: BTreeMap::new(),
        open: Vec::new(),
        regions: BTreeMap::new(),
        needed: Vec::new(),
    };
    let outer = reached.arg.iter().map(|(_, node)| node);
    let outer = outer.filter(|node| node.covered_by.is_none()).map(|node| &node.state);
    let memo = collector.analysis.memo.as_ref();
    let calls = memo.map_or_else(Vec::new, |memo| memo.outer_calls().to_vec());
    let outer = outer.cloned().collect();
    collector.add(None, &[], outer, calls);
    while let Some(at) = collector.open.pop() {
        let (states, calls) = collector.summary(at);
        let contract = collector.numbers[&at];
        let func = collector.contracts[contract].func;
        let exit = collector.analysis.context.program.function(func).exit;
        collector
            .needed
            .push((Some(contract), exit, Vec::new(), None, Vec::new()));
        collector.add(Some(contract), &[], states, calls);
    }
    collector.finish(properties)
}

impl Collector<'_, '_> {
    /// The states of a summary, that at the entry among them, and the states at entries of blocks inside, with the positions of the summaries that were used there.
    fn summary(&self, at: usize) -> (Vec<AnalysisState>, Vec<(AnalysisState, usize)>) {
        let memo = self.analysis.memo.as_ref().expect("summaries have a memory");
        let summary = memo.summary(at);
        let states = summary.states.iter().chain([summary.entry]);
        (states.cloned().collect(), summary.calls.to_vec())
    }

    /// Adds the states of an exploration, and the entries of blocks in it with the summaries that they use. It is the exploration of a loop in a loop and so on, if there are states at the entries of loops
    /// `around` it, the outermost first.
    fn add(
        &mut self,
        contract: Option<usize>,
        around: &[AnalysisState],
        states: Vec<AnalysisState>,
        calls: Vec<(AnalysisState, usize)>,
    ) {
        for state in states {
            // A claim at the entry of a block belongs to the summaries that are used there.
            if self.analysis.block_entered(state.control).is_none() {
                self.claim(contract, None, around, &state);
            }
        }
        for (state, summary) in calls {
            let entered = self.analysis.block_entered(state.control);
            if let Block::Loop(_) = entered.expect("a summary is used at the entry of a block") {
                let (states, calls) = self.summary(summary);
                let around: Vec<AnalysisState> = around.iter().cloned().chain([state]).collect();
                self.add(contract, &around, states, calls);
                continue;
            }
            let func = self.analysis.context.stacks.function(state.control.stack);
            let callee = self.number(summary, func);
            let stack = self.claim(contract, Some(callee), around, &state);
            let exit = self.analysis.context.program.function(func).exit;
            let behind = self.analysis.context.stacks.calls(stack);
            self.needed.push((contract, exit, behind, None, Vec::new()));
        }
    }

    /// The number of the contract of a summary.
    fn number(&mut self, summary: usize, func: FuncId) -> usize {
        if let Some(&known) = self.numbers.get(&summary) {
            return known;
        }
        let number = self.contracts.len();
        self.contracts.push(Contract { func });
        self.numbers.insert(summary, number);
        self.open.push(summary);
        number
    }

    /// Claims a state, if its region is known. Returns its call stack as it is outside of the loops around.
    fn claim(
        &mut self,
        contract: Option<usize>,
        relies_on: Option<usize>,
        around: &[AnalysisState],
        state: &AnalysisState,
    ) -> StackId {
        let (control, data) = (state.control, &state.data);
        let analysis = &mut *self.analysis;
        let mut stack = control.stack;
        for entry in around.iter().rev() {
            stack = analysis
                .context
                .stacks
                .onto(analysis.context.program, entry.control.stack, stack);
        }
        if data.1.phase != Phase::Abstracted {
            return stack;
        }
        let mut region = analysis.domain.record(data.1.abs).region;
        for entry in around.iter().rev() {
            let block = analysis.block_entered(entry.control).expect("there is a loop");
            let before = analysis.domain.record(entry.data.1.abs).region;
            let outer = entry.control.stack;
            let domain = &mut analysis.domain.second;
            region = domain.expanded_region(&analysis.context, block, outer, (before, region));
        }
        let known = analysis
            .context
            .automata
            .known(analysis.context.program, control.values);
        let known: Vec<(VarId, Int)> = known.map(|(var, value)| (var, value.clone())).collect();
        let calls = analysis.context.stacks.calls(stack);
        let of_values = self
            .regions
            .entry((contract, control.node, calls, relies_on, known))
            .or_default();
        let all = match of_values.get(&data.0) {
            Some(&known) => analysis.domain.regions.or(known, region),
            None => region,
        };
        of_values.insert(data.0, all);
        stack
    }

    fn finish(self, properties: Vec<PropertyId>) -> Certificate {
        let domain = &mut self.analysis.domain;
        let mut made: BTreeMap<Place, TermId> = BTreeMap::new();
        for (place, states) in self.regions {
            let states = states.into_iter();
            let states: Vec<_> = states
                .map(|(values, region)| state_formula(domain, region, values))
                .collect();
            let formula = match states[..] {
                [state] => state,
                _ => domain.pool.or(&states),
            };
            made.insert(place, formula);
        }
        for place in self.needed {
            let same = |other: &Place| (other.0, other.1, &other.2) == (place.0, place.1, &place.2);
            if !made.keys().any(same) {
                made.insert(place, domain.pool.mk_false());
            }
        }
        let (mut claims, mut formulas) = (Vec::new(), Vec::new());
        for ((contract, node, calls, relies_on, known), formula) in made {
            claims.push(Claim {
                node,
                calls,
                known,
                formula: formulas.len(),
                each: Vec::new(),
                contract,
                relies_on,
            });
            formulas.push(formula);
        }
        Certificate {
            properties,
            arith: domain.encoder.arith(),
            claims,
            contracts: self.contracts,
            formulas: domain.pool.export(&formulas),
            points: domain.blocks.points().clone(),
            origin: Origin::Predicates,
            paths: Vec::new(),
        }
    }
}
