//! Proofs of thin programs: the proof of a slice, found again at the locations of the whole program.
//!
//! The [thin program](crate::cfa::slice::thin()) has the operations of the slice and the graph of the whole program, so an exploration of it is about as much work for the solver as that of the slice, and its invariant speaks of
//! all locations. It is made of the program with [constants](crate::cfa::slice::constants) in place of variables that have one value, as the slice is; the invariant says what these variables of static storage are. It
//! counts if the obligations of the whole program hold for it, which are made at once. A slice without memory is tried before the one with memory, and summaries of functions before every call is followed.

use super::proof::ScriptSolvers;
use super::stage::{Found, ProgressOnly, Stage, targets};
use crate::certify::{Certificate, Origin};
use crate::cfa::program::visit::visit_op;
use crate::cfa::slice::constants::{constants, with_constants};
use crate::cfa::slice::{Thin, View, thin};
use crate::cfa::{ExprKind, Program, VarId};
use crate::cpa::memo::blocks::Bam;
use crate::cpa::tracking::PropertyId;
use crate::encode::{Encoder, Partition};
use crate::engine::budget::cpu_seconds;
use crate::engine::{BlockMode, Counter, Observer, Options, Verdict};
use crate::evidence::obligations::{Failure, Obligations, obligations};
use crate::refine::Scope;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermPool};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

/// The share of the remaining time for each exploration.
const SHARE: f64 = 0.3;
/// Solver ticks for an exploration, beside twice those that the slices took.
const TICKS: u64 = 15_000_000;
/// The same where explicit values proved the slice, which predicates may prove or not.
const TICKS_AFTER_EXPLICIT: u64 = 3_000_000;
/// Solver ticks for obligations where there may be more of them, each about less.
const OBLIGATION_TICKS: u64 = 8_000_000;
/// A program is thin if at least one of so many operations is left out.
const PART: usize = 8;

/// An invariant of the whole program that excludes all violations.
pub(super) struct Shown {
    /// The invariant.
    pub certificate: Certificate,
    /// Its obligations.
    pub made: Obligations,
}

/// The end of a search for such an invariant.
pub(super) struct Thinned {
    /// The invariant, if one was found.
    pub shown: Option<Shown>,
    /// Solver ticks of all explorations.
    pub ticks: u64,
}

/// Looks for an invariant that shows the properties of a program that hold. Slices of the program proved them, and the others have no targets.
pub(super) fn prove(
    whole: &Stage,
    (found, held): (&Found, Vec<PropertyId>),
    options: &Options,
    observer: &mut dyn Observer,
) -> Thinned {
    let program = Program::clone(&whole.program);
    let mut constants = constants(&program);
    // The invariant can say of these what they are, wherever control is.
    constants.retain(|&var, _| program.var(var).func.is_none());
    let folded = with_constants(program, &constants);
    let targets = targets(&whole.properties);
    let memory = Partition::new(&folded);
    let mut search = Search {
        whole,
        began: Instant::now(),
        held,
        constants: read_of(&whole.program, &constants),
        most: most_ticks(found),
        options: of_thin(options),
        observer,
        ticks: 0,
    };
    // Where a slice that hides something did not do, a thin program that hides it does not either.
    let views: &[View] = match (targets.is_empty(), found.hidden > 0) {
        // Nothing is to be excluded, so the whole program is no more work.
        (true, _) => &[],
        (false, true) => &[View::NoCounters, View::Full],
        (false, false) => &[View::Full],
    };
    let mut shown = None;
    for &view in views {
        let thin = thin(&folded, &targets, &memory, view);
        shown = thin.filter(is_thin).and_then(|thin| search.prove(thin));
        if shown.is_some() {
            break;
        }
    }
    Thinned {
        shown,
        ticks: search.ticks,
    }
}

fn is_thin(thin: &Thin) -> bool {
    thin.removed * PART >= thin.removed + thin.kept || thin.hidden > 0
}

/// The options for the exploration of thin programs.
fn of_thin(options: &Options) -> Options {
    let mut options = options.clone();
    options.ideal_ticks = 0;
    options.explicit.enabled = false;
    options.refine.scope = Scope::Global;
    options
}

/// Solver ticks for each exploration.
fn most_ticks(found: &Found) -> u64 {
    match found.outcome.statistics.get(Counter::ExplicitProofs) {
        0 => TICKS.saturating_add(found.spent.saturating_mul(2)),
        _ => TICKS_AFTER_EXPLICIT,
    }
}

/// Those of some constants that the program reads.
fn read_of(program: &Program, constants: &FxHashMap<VarId, Int>) -> BTreeMap<VarId, Int> {
    let mut read = BTreeMap::new();
    for edge in &program.edges {
        visit_op(&edge.op, &mut |part| {
            if let ExprKind::Load(place) = &part.kind
                && let Some(var) = place.as_whole_var()
                && let Some(value) = constants.get(&var)
            {
                read.insert(var, value.clone());
            }
        });
    }
    read
}

/// The search for an invariant.
struct Search<'s> {
    whole: &'s Stage,
    held: Vec<PropertyId>,
    began: Instant,
    constants: BTreeMap<VarId, Int>,
    /// Solver ticks for each exploration, and for all so far.
    most: u64,
    ticks: u64,
    /// With the limits for all that is done from the beginning on.
    options: Options,
    observer: &'s mut dyn Observer,
}

impl Search<'_> {
    /// Explores a thin program: with summaries of functions, and again without if they prove what no contract says; and with more places for claims if the obligations between few places are too much.
    fn prove(&mut self, thin: Thin) -> Option<Shown> {
        let kept = thin.kept;
        let stage = Stage {
            program: Rc::new(thin.program),
            hidden: thin.hidden,
            ..self.whole.clone()
        };
        let (block, bam) = (self.options.block, self.options.bam);
        let few = Some(OBLIGATION_TICKS);
        let mut is_claimed = false;
        for (bam, block, limit) in [
            (bam, block, few),
            (Bam::Off, block, few),
            (bam, BlockMode::LoopsAndCalls, None),
        ] {
            if is_claimed && limit.is_some() {
                continue;
            }
            let mut options = self.options.clone();
            (options.bam, options.block) = (bam, block);
            let limits = &mut options.limits;
            let now = cpu_seconds();
            limits.ticks = Some(
                limits
                    .ticks
                    .map_or(self.most, |limit| self.most.min(limit.saturating_sub(self.ticks))),
            );
            limits.cpu = limits.cpu.map(|limit| now + (limit - now).max(0.0) * SHARE);
            let passed = self.began.elapsed().as_secs_f64();
            limits.wall = limits.wall.map(|limit| (limit - passed).max(0.0) * SHARE);
            let Found { outcome, evidence, .. } = stage.clone().prove(&options, &mut ProgressOnly(self.observer));
            let ticks = outcome.statistics.get(Counter::SolverTicks);
            self.ticks += ticks;
            let reached = outcome.limit.as_ref().map_or("", |limit| limit.text.as_str());
            let claims = evidence.certificate.as_ref().map_or(0, |found| found.claims.len());
            tracing::debug!(
                kept,
                hidden = stage.hidden,
                ticks,
                limit = reached,
                claims,
                "a thin program was explored"
            );
            match evidence.certificate {
                Some(certificate) => {
                    is_claimed = true;
                    if let Some(shown) = self.shown(certificate, limit) {
                        return Some(shown);
                    }
                }
                None if outcome
                    .verdicts
                    .iter()
                    .all(|(_, verdict)| matches!(verdict, Verdict::True)) => {}
                None => return None,
            }
        }
        None
    }

    /// The invariant of a thin program with its obligations for the whole one, if so many ticks show that they hold.
    fn shown(&self, mut certificate: Certificate, limit: Option<u64>) -> Option<Shown> {
        let properties = &self.whole.properties;
        let shows = |property: &PropertyId| certificate.properties.contains(property);
        if certificate.origin != Origin::Predicates || !self.held.iter().all(shows) {
            return None;
        }
        certificate.origin = Origin::Thin;
        certificate.properties.clone_from(&self.held);
        self.say_constants(&mut certificate);
        let mut solvers = ScriptSolvers::new(&self.options, limit);
        let made = obligations(&self.whole.program, properties, &certificate, &mut solvers);
        tracing::debug!(ticks = solvers.spent, "obligations of the thin program were made");
        match made {
            Ok(made) => Some(Shown { certificate, made }),
            Err(failure) => {
                let (Failure::Satisfiable(why) | Failure::Unknown(why)) = failure;
                tracing::debug!(why, "the invariant of the thin program is none of the whole program");
                None
            }
        }
    }

    /// Adds to each claim what the constants are, but where nothing has been assigned yet.
    fn say_constants(&self, certificate: &mut Certificate) {
        let program = &self.whole.program;
        let start = program.function(program.start).entry;
        let mut pool = TermPool::new();
        let encoder = Encoder::new(program, certificate.arith);
        let mut formulas = pool.import(&certificate.formulas);
        let mut facts = Vec::new();
        for (&var, value) in &self.constants {
            let name = pool.symbol(&encoder.variable_names(var, 0)[0]);
            let (variable, value) = (pool.int_var(name, NO_INDEX), pool.int(value.clone()));
            facts.push(pool.eq(variable, value));
        }
        for claim in certificate.claims.iter().filter(|claim| claim.node != start) {
            let formula = &mut formulas[claim.formula];
            let all: Vec<_> = facts.iter().copied().chain([*formula]).collect();
            *formula = pool.and(&all);
        }
        certificate.formulas = pool.export(&formulas);
    }
}
