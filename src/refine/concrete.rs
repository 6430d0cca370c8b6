//! From a feasible chain of blocks to one path of the program with the values that drive it.
//!
//! A model of the chain chooses one path through the merged blocks. That path is encoded again, alone and from the program's start, and
//! checked again: the second model gives the inputs. Every result has passed the second check.
//!
//! A single path may be infeasible although the chain has a model that takes it: along one path more values are constant, so its encoding
//! is more exact. Then the path is excluded, and the next model chooses another one.

use super::path::ErrorPath;
use crate::cfa::Step;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::{BlockId, Blocks};
use crate::encode::{Arith, Encoder, Frame, InputKind, encode_path_with_inputs};
use crate::explicit::concrete::Taken;
use crate::query::bits::{self, Decision};
use crate::query::checks;
use crate::query::effort::{Effort, describe};
use crate::query::points;
use crate::query::points::Points;
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence_with_cost};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, UnknownReason};
use provident_smt::term::{TermId, TermPool};
use std::fmt;
use std::sync::Arc;

/// A value on a counterexample path that the program does not determine, as the model chose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CandidateInput {
    /// The position in the sequence of steps.
    pub step: usize,
    /// The place that takes the value.
    pub kind: CandidateKind,
    /// The value.
    pub value: Int,
}

/// The place that takes an undetermined value; the counterpart of [`InputKind`] without terms. The values of one step stand in the order in
/// which an execution asks for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CandidateKind {
    /// A scalar that is written to a plain variable.
    Variable {
        /// The name of the variable's symbol.
        name: String,
    },
    /// A scalar that the execution writes, or reads where nothing was written, wherever it is. Such inputs stand in the order of the steps.
    Scalar {
        /// For the content of memory that an earlier step gave any value to: the position of that step, and bytes from the start of its place.
        since: Option<(usize, u64)>,
    },
    /// A scalar that is written to memory.
    Memory {
        /// The region's name.
        region: String,
        /// Where.
        address: Int,
        /// Its size in bytes.
        size: u64,
    },
    /// A scalar that is read from memory. Matters only if the execution has not written there before.
    Read {
        /// The region's name.
        region: String,
        /// Where.
        address: Int,
        /// Its size in bytes.
        size: u64,
    },
    /// The result of an allocation: 0 if it fails.
    Allocation,
}

impl From<Taken> for CandidateInput {
    fn from(taken: Taken) -> CandidateInput {
        CandidateInput {
            step: taken.step,
            kind: CandidateKind::Scalar { since: taken.since },
            value: Int::from(taken.value),
        }
    }
}

/// A feasible path with its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcretePath {
    /// The steps from the program's start to the violation.
    pub steps: Vec<Step>,
    /// The undetermined values, in path order.
    pub inputs: Vec<CandidateInput>,
}

/// Why there is no concrete path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPath {
    /// The formulas of the blocks have no model, although they were found to be satisfiable.
    Infeasible,
    /// None of the paths that were tried is feasible alone.
    NotFound,
    /// The solver gave no answer.
    Undecided(UnknownReason),
}

impl fmt::Display for NoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoPath::Infeasible => f.write_str("the error path is infeasible after all"),
            NoPath::NotFound => f.write_str("no single feasible path was found in the feasible blocks"),
            NoPath::Undecided(reason) => f.write_str(&describe(*reason)),
        }
    }
}

impl std::error::Error for NoPath {}

/// Preferred inputs, where a path leaves a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Nothing.
    None,
    /// Inputs that are not zero, as far as the solver finds them without search.
    NoZeros,
}

/// Paths through one chain that are tried at most.
const MAX_PATHS: usize = 24;

/// Models of one formula whose operators have wrong values that are corrected at most.
const MAX_CORRECTIONS: usize = 48;

/// The effort of one path whose accesses are inside of objects, in solver ticks, and as a divisor of what is left.
const DEFINED_TICKS: u64 = 20_000_000;
const DEFINED_PART: u64 = 4;

/// Behind this number of corrections, the bits of all numbers are looked at.
const BITS_AFTER: usize = 5;

/// The search for a concrete path through a feasible chain of blocks.
///
/// Each call of [`next`](Concretisation::next) gives another path. So who finds that a path cannot be replayed can ask for the next one.
pub struct Concretisation<'p> {
    blocks: Vec<BlockId>,
    /// The choices of the paths that were looked at.
    tried: Vec<TermId>,
    /// The blocks with other formulas, and their encoder: such as leave undefined accesses out, if such paths only are searched for.
    defined: Option<(Encoder<'p>, Blocks)>,
    /// The encoder that is tried if there is no such path: with it, numbers from outside may be addresses.
    with_numbers: Option<Encoder<'p>>,
}

impl<'p> Concretisation<'p> {
    /// The search along an error path.
    pub fn new(path: &ErrorPath) -> Self {
        Concretisation {
            blocks: path.blocks.clone(),
            tried: Vec::new(),
            defined: None,
            with_numbers: None,
        }
    }

    /// The search with integers that do not wrap around. Formulas about these are easier, and the inputs of most executions are among their models; the replay judges them.
    pub fn with_ideal_integers(path: &ErrorPath, predicates: &mut Predicates<'p>) -> Self {
        let mut search = Concretisation::new(path);
        let encoder = predicates.encoder.clone().with_integers(Arith::Ideal);
        search.encode_again(predicates, encoder);
        search
    }

    /// From now on, searches for [paths with accesses inside of objects](Encoder::suppose_objects) only, beginning again: first for those on which no narrow number from outside is an address.
    /// Returns whether that is new.
    pub fn suppose_objects(&mut self, predicates: &mut Predicates<'p>) -> bool {
        let is_new = self.defined.is_none() && predicates.encoder.arith() == Arith::Machine;
        if is_new {
            let encoder = predicates.encoder.clone().suppose_objects(true);
            self.with_numbers = Some(encoder.clone().suppose_objects(false));
            self.encode_again(predicates, encoder);
        }
        is_new
    }

    fn encode_again(&mut self, predicates: &mut Predicates<'p>, mut encoder: Encoder<'p>) {
        let arena = match &self.defined {
            Some((_, blocks)) => blocks,
            None => &predicates.blocks,
        };
        let (blocks, chain) = arena.encoded_again(&mut encoder, &mut predicates.pool, &self.blocks);
        self.blocks = chain;
        self.tried.clear();
        self.defined = Some((encoder, blocks));
    }

    /// The next concrete path; or why there is none (any more).
    pub fn next(&mut self, predicates: &mut Predicates<'p>) -> Result<ConcretePath, NoPath> {
        if self.defined.is_none() {
            return self.search(predicates);
        }
        let limit = predicates.effort.limit;
        let left = predicates.effort.remaining().unwrap_or(u64::MAX);
        let own = predicates.effort.spent + DEFINED_TICKS.min(left / DEFINED_PART);
        predicates.effort.limit = Some(limit.map_or(own, |limit| limit.min(own)));
        let mut found = self.search_defined(predicates);
        if matches!(found, Err(NoPath::Infeasible))
            && let Some(encoder) = self.with_numbers.take()
        {
            self.encode_again(predicates, encoder);
            found = self.search_defined(predicates);
        }
        predicates.effort.limit = limit;
        found
    }

    /// A search with the formulas for defined accesses.
    fn search_defined(&mut self, predicates: &mut Predicates<'p>) -> Result<ConcretePath, NoPath> {
        let exchange = |search: &mut Self, predicates: &mut Predicates<'p>| {
            if let Some((encoder, blocks)) = &mut search.defined {
                std::mem::swap(&mut predicates.encoder, encoder);
                std::mem::swap(&mut predicates.blocks, blocks);
            }
        };
        exchange(self, predicates);
        let found = self.search(predicates);
        exchange(self, predicates);
        found
    }

    fn search(&mut self, predicates: &mut Predicates<'_>) -> Result<ConcretePath, NoPath> {
        while self.tried.len() < MAX_PATHS {
            let (steps, model) = self.choose(predicates)?;
            if let Some(concrete) = inputs(predicates, steps, Wish::None, Some(model))? {
                return Ok(concrete);
            }
        }
        Err(NoPath::NotFound)
    }

    /// The path that the next model of the chain takes, and the model.
    fn choose(&mut self, predicates: &mut Predicates<'_>) -> Result<(Vec<(Step, Frame)>, Model), NoPath> {
        let Predicates {
            blocks,
            encoder,
            pool,
            effort,
            ..
        } = predicates;
        let mut parts = blocks.chain(encoder, pool, &self.blocks);
        parts.extend(self.tried.iter().map(|&choices| pool.not(choices)));
        let infeasible = match self.tried.is_empty() {
            true => NoPath::Infeasible,
            false => NoPath::NotFound,
        };
        let model = solve(pool, effort, parts, Vec::new(), None, encoder.arith())?.ok_or(infeasible)?;
        let chosen = blocks.choose_path(encoder, pool, &self.blocks, &model);
        self.tried.push(pool.and(&chosen.choices));
        Ok((chosen.steps, model))
    }
}

/// A path from the program's start with the inputs of a model of it; `None` if it has none.
///
/// # Errors
/// With the reason if that is not known within the effort that is left.
pub fn concretise(predicates: &mut Predicates<'_>, steps: &[Step], wish: Wish) -> Result<Option<ConcretePath>, NoPath> {
    let steps = predicates.encoder.frames(steps);
    inputs(predicates, steps, wish, None)
}

/// The path with the inputs of a model of it alone; `None` if it has no model. Where inputs have few values, those of `like` are tried first.
fn inputs(
    predicates: &mut Predicates<'_>,
    steps: Vec<(Step, Frame)>,
    wish: Wish,
    like: Option<Model>,
) -> Result<Option<ConcretePath>, NoPath> {
    let Predicates {
        blocks,
        encoder,
        pool,
        effort,
        ..
    } = predicates;
    let encoded = encode_path_with_inputs(encoder, pool, &steps, &[]);
    let mut parts = encoded.parts;
    for part in &mut parts {
        let exact = blocks.exact(pool, *part);
        *part = pool.and2(*part, exact);
    }
    let zero = pool.int(0);
    let wishes = match wish {
        Wish::None => Vec::new(),
        Wish::NoZeros => encoded.inputs.iter().map(|input| pool.ne(input.value, zero)).collect(),
    };
    let Some(model) = solve(pool, effort, parts, wishes, like, encoder.arith())? else {
        return Ok(None);
    };
    let mut values = model.evaluator(pool);
    let inputs = encoded.inputs.iter().flat_map(|input| {
        let mut at = |address: TermId| values.eval_int(address);
        let kind = match &input.kind {
            InputKind::Copied {
                region,
                held,
                size,
                end,
            } => {
                let cells = model.points_between(*held, &at(input.value), &at(*end));
                let cell = |(address, value)| CandidateInput {
                    step: input.step,
                    kind: CandidateKind::Read {
                        region: region.clone(),
                        address,
                        size: *size,
                    },
                    value,
                };
                return cells.into_iter().map(cell).collect();
            }
            InputKind::Variable { name } => CandidateKind::Variable { name: name.clone() },
            InputKind::Memory { region, address, size } => CandidateKind::Memory {
                region: region.clone(),
                address: at(*address),
                size: *size,
            },
            InputKind::Read { region, address, size } => CandidateKind::Read {
                region: region.clone(),
                address: at(*address),
                size: *size,
            },
            InputKind::Allocation => CandidateKind::Allocation,
        };
        vec![CandidateInput {
            step: input.step,
            kind,
            value: at(input.value),
        }]
    });
    let inputs = inputs.collect();
    Ok(Some(ConcretePath {
        steps: steps.into_iter().map(|(step, _)| step).collect(),
        inputs,
    }))
}

/// A model of the formulas, each of them and what is known of its operators as a part of its own, so that the search goes from part to part.
fn part_by_part(pool: &mut TermPool, effort: &mut Effort, parts: &[TermId], known: &Points) -> Option<Model> {
    let mut exact = Vec::with_capacity(parts.len());
    for &part in parts {
        let mut facts = known.lemmas(pool, part);
        facts.push(part);
        exact.push(pool.and(&facts));
    }
    let config = InterpolationConfig {
        ticks: Some(effort.for_one_question()),
        interrupt: Some(Arc::clone(&effort.interrupt)),
        ..InterpolationConfig::default()
    };
    let (result, cost) = sequence_with_cost(pool, &exact, &config);
    effort.charge_interpolation(&cost);
    let SequenceResult::Sat(model) = result else {
        return None;
    };
    if effort.checks.enabled {
        checks::satisfies(pool, effort, &model, &exact);
    }
    Some(model)
}

/// A model of the formulas in which, as far as corrections go, non-linear operators have their true values, and of which most wishes hold.
fn solve(
    pool: &mut TermPool,
    effort: &mut Effort,
    parts: Vec<TermId>,
    mut wishes: Vec<TermId>,
    like: Option<Model>,
    arith: Arith,
) -> Result<Option<Model>, NoPath> {
    let mut known = Points::default();
    let mut lemmas = Vec::new();
    let mut solver = effort.solver();
    if let Some(model) = like {
        solver.prefer(model);
    }
    for &part in &parts {
        solver.assert(pool, part, Part(0));
    }
    let mut round = 0;
    // The reason why the solver gave up, if it did. Its limits come sooner where it sees no parts.
    let mut stuck = None;
    loop {
        let answer = match stuck {
            None => solver.check(pool, &wishes),
            Some(reason) => Answer::Unknown(reason),
        };
        let model = match answer {
            Answer::Sat => {
                let model = solver.model(pool);
                if effort.checks.enabled {
                    checks::satisfies(pool, effort, &model, &parts);
                }
                model
            }
            Answer::Unsat if !wishes.is_empty() => {
                let core = solver.core();
                wishes.retain(|wish| !core.contains(wish));
                if core.is_empty() {
                    wishes.clear();
                }
                continue;
            }
            Answer::Unsat => {
                effort.charge(&solver);
                if effort.checks.enabled {
                    let all = [parts, lemmas].concat();
                    checks::refuted(pool, effort, &all, "refutation of a path");
                }
                return Ok(None);
            }
            Answer::Unknown(reason) => {
                if stuck.is_none() {
                    effort.charge(&solver);
                }
                stuck = Some(reason);
                let is_limit = matches!(reason, UnknownReason::Incomplete(_)) && parts.len() > 1;
                let model = is_limit.then(|| part_by_part(pool, effort, &parts, &known));
                model.flatten().ok_or(NoPath::Undecided(reason))?
            }
        };
        let mut wrong = points::violated(pool, &model, &parts);
        wrong.retain(|point| round < MAX_CORRECTIONS && known.add(point.clone()));
        if wrong.is_empty() {
            if stuck.is_none() {
                effort.charge(&solver);
            }
            return Ok(Some(model));
        }
        if round == BITS_AFTER {
            match bits::decide(pool, effort, &parts, arith) {
                Decision::Refuted => {
                    effort.charge(&solver);
                    return Ok(None);
                }
                Decision::Values(values) => wishes.extend(values),
                Decision::Open => {}
            }
        }
        for &part in &parts {
            for lemma in known.lemmas(pool, part) {
                solver.assert(pool, lemma, Part(0));
                lemmas.push(lemma);
            }
        }
        round += 1;
    }
}
