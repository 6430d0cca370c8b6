//! Check of the encoder: the formulas have to admit concrete executions.
//!
//! A TRUE rests on the meaning that the encoder gives to steps. If a formula excludes behaviour of the machine, then abstraction, interpolants and proof obligations are
//! all wrong in the same way, because they use the same formula. So under `--check` the concrete machine of the [replay](mod@super::replay), which shares no code with the
//! encoder, runs the program with inputs of several kinds, and each execution is compared with the formulas:
//!
//! * the path formula of the execution, with the value that each variable outside of memory got at each step, has a model;
//! * where control comes to a point of the [certificate](Certificate), one of the claims there holds;
//! * no step violates a property whose verdict is TRUE;
//! * bytes that one step writes and another one reads are in a region that [both touch](super::touching), unless the program leaves its objects.
//!
//! This is testing and no proof, but it is the check that an encoder needs: a wrong operator, a missing version, a forgotten wrap-around or a write to the wrong place
//! contradicts the first execution. The opposite mistake, an encoding that admits too much, cannot make a verdict wrong, because the replay judges every path.

use super::replay::{Execution, InputSource, Request, execution};
use super::touching::{self, WrongDivision};
use crate::certify::Certificate;
use crate::certify::Origin;
use crate::cfa::{EdgeId, Inspection, Op, Program, Step};
use crate::encode::{Arith, Encoder, Frame, Partition};
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Steps of one execution.
const MAX_STEPS: usize = 400;
/// Steps of one execution whose reads and writes are compared.
const MAX_MEMORY_STEPS: usize = 5_000;
/// Steps of one block of its formula.
const BLOCK: usize = 24;
/// Ticks that one execution may take.
const MAX_TICKS: u64 = 20_000_000;

/// Ticks for the guesses, which are checked last: guesses about memory that no operation observes can be hard to satisfy.
const GUESS_TICKS: u64 = 1_000_000;

/// Where the inputs of an execution come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inputs {
    /// Always the same value.
    Constant(i64),
    /// Values from -1 to the given number, from a generator with this seed.
    Few(u64, i64),
    /// Ends of the ranges of types, and their neighbours.
    Extreme(u64),
    /// Any 64 bits.
    Any(u64),
}

/// The kinds of inputs that are tried.
const ALL_INPUTS: [Inputs; 9] = [
    Inputs::Constant(0),
    Inputs::Constant(1),
    Inputs::Constant(-1),
    Inputs::Few(1, 2),
    Inputs::Few(2, 3),
    Inputs::Few(3, 9),
    Inputs::Few(4, 300),
    Inputs::Extreme(5),
    Inputs::Any(6),
];

/// The inputs of one execution, one after the other.
struct Supply {
    inputs: Inputs,
    state: u64,
}

impl Supply {
    fn new(inputs: Inputs) -> Supply {
        let state = match inputs {
            Inputs::Constant(_) => 0,
            Inputs::Few(seed, _) | Inputs::Extreme(seed) | Inputs::Any(seed) => seed,
        };
        Supply { inputs, state }
    }

    /// The generator SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014).
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn next(&mut self) -> Int {
        match self.inputs {
            Inputs::Constant(value) => Int::from(value),
            Inputs::Few(_, most) => {
                let count = most.unsigned_abs() + 2;
                Int::from(i128::from(self.random() % count) - 1)
            }
            Inputs::Extreme(_) => {
                let width = [7, 8, 15, 16, 31, 32, 63, 64][usize::try_from(self.random() % 8).unwrap_or(0)];
                let shift = i128::from(self.random() % 3) - 1;
                Int::pow2(width) + Int::from(shift)
            }
            Inputs::Any(_) => Int::from(i128::from(self.random())),
        }
    }
}

impl InputSource for Supply {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        match request {
            Request::Allocated { .. } => None,
            _ => Some(self.next()),
        }
    }

    fn size_at(&self, _: usize, _: u64) -> Option<u64> {
        None
    }
}

/// The executions that were compared with the formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Executions that the formulas admit.
    pub admitted: u64,
    /// Executions that were not decided, or that an assumption of the ledger excludes.
    pub undecided: u64,
    /// Steps of the executions.
    pub steps: u64,
    /// Points at which a claim was looked at.
    pub points: u64,
    /// Bytes of which it was looked who wrote them.
    pub bytes: u64,
    /// A byte that a division of memory takes for another one; that may be the program's fault, which leaves an object and comes to another one.
    pub defect: Option<WrongDivision>,
}

/// The defect of formulas, claims or verdicts that an execution shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongEncoding {
    /// An execution takes, at a place, an edge of which a TRUE says that no execution takes it.
    Violation(String),
    /// The formulas or claims have no model with the values of an execution.
    Excluded {
        /// The steps of the execution.
        steps: usize,
        /// The place at which it ends.
        place: String,
    },
}

impl fmt::Display for WrongEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongEncoding::Violation(place) => write!(f, "an execution violates a claim at {place}"),
            WrongEncoding::Excluded { steps, place } => {
                write!(
                    f,
                    "the formulas or claims exclude an execution of {steps} steps that ends at {place}"
                )
            }
        }
    }
}

impl std::error::Error for WrongEncoding {}

/// Compares executions of a program with its encoding and with the claims about it. `safe` are the edges that no execution takes according to a TRUE.
///
/// # Errors
/// The defect that an execution shows.
pub fn check(
    program: &Program,
    arith: Arith,
    certificate: Option<&Certificate>,
    safe: &BTreeSet<EdgeId>,
) -> Result<Account, WrongEncoding> {
    let mut account = Account::default();
    let mut seen: BTreeSet<Vec<Step>> = BTreeSet::new();
    for inputs in ALL_INPUTS {
        let execution = execution(program, &mut Supply::new(inputs), MAX_STEPS);
        if !seen.insert(execution.steps.clone()) && matches!(inputs, Inputs::Constant(_)) {
            continue;
        }
        let taken = execution.steps.iter().filter(|step| !matches!(step, Step::Leave(_)));
        if let Some(step) = taken.map(|step| step.edge()).find(|edge| safe.contains(edge)) {
            let place = program.sources.resolve(program.edge(step).loc);
            return Err(WrongEncoding::Violation(place.to_string()));
        }
        admit(program, arith, certificate, &execution, &mut account)?;
    }
    match check_memory(program) {
        Ok(bytes) => account.bytes = bytes,
        Err(defect) => account.defect = Some(defect),
    }
    Ok(account)
}

/// Holds executions of a program against the divisions of its memory that slices and formulas have. Gives back the number of bytes that were compared.
///
/// # Errors
/// The accesses that a division takes for accesses to other bytes.
pub fn check_memory(program: &Program) -> Result<u64, WrongDivision> {
    let divisions = [Partition::new(program), Partition::of_formulas(program)];
    let exact: Vec<&Partition> = divisions
        .iter()
        .filter(|memory| memory.assumptions().is_empty())
        .collect();
    let mut bytes = 0;
    for inputs in ALL_INPUTS.into_iter().filter(|_| !exact.is_empty()) {
        let execution = execution(program, &mut Supply::new(inputs), MAX_MEMORY_STEPS);
        for memory in &exact {
            bytes += touching::check(program, &execution, *memory)?;
        }
    }
    Ok(bytes)
}

/// Asks for a model of the path formula of an execution with its values.
fn admit(
    program: &Program,
    arith: Arith,
    certificate: Option<&Certificate>,
    execution: &Execution,
    account: &mut Account,
) -> Result<(), WrongEncoding> {
    let mut trial = Trial::new(program, arith, certificate);
    let path = trial.encoder.frames(&execution.steps);
    let mut observed = execution.observed.iter().peekable();
    let count = one_unwritten(program, execution);
    for (position, &(step, frame)) in path.iter().enumerate().take(count) {
        trial.step(step, frame);
        while let Some(value) = observed.next_if(|value| value.step == position) {
            let depth = match step {
                Step::Enter(_) => frame.callee,
                Step::Edge(_) | Step::Leave(_) => frame.caller,
            };
            trial.observe(value.var, depth, &value.value);
        }
        trial.claim(step, account);
        if (position + 1) % BLOCK == 0 {
            trial.end_block();
        }
    }
    trial.end_block();
    account.steps += u64::try_from(execution.steps.len()).unwrap_or(0);
    let is_trusting = trial.encoder.assumptions().iter().any(|assumption| !assumption.sound);
    let mut answer = trial.solver.check(&mut trial.pool, &[]);
    if matches!(answer, Answer::Sat) && !trial.guessed.is_empty() {
        trial.solver.set_tick_limit(Some(GUESS_TICKS));
        let guessed = std::mem::take(&mut trial.guessed);
        let count = u64::try_from(guessed.len()).unwrap_or(0);
        guessed
            .into_iter()
            .for_each(|claim| trial.solver.assert(&mut trial.pool, claim, Part(0)));
        answer = trial.solver.check(&mut trial.pool, &[]);
        match answer {
            // The formulas admit the execution; whether the claims do is open.
            Answer::Unknown(_) => answer = Answer::Sat,
            Answer::Sat | Answer::Unsat => account.points += count,
        }
    }
    match answer {
        Answer::Sat => account.admitted += 1,
        Answer::Unsat if !is_trusting => {
            let last = execution.steps.last().map(|step| program.edge(step.edge()).loc);
            let place = last
                .map(|loc| program.sources.resolve(loc).to_string())
                .unwrap_or_default();
            return Err(WrongEncoding::Excluded {
                steps: execution.steps.len(),
                place,
            });
        }
        Answer::Unsat | Answer::Unknown(_) => account.undecided += 1,
    }
    Ok(())
}

/// The number of steps of an execution before it reads bytes a second time that nothing has written: a path formula watches one byte.
fn one_unwritten(program: &Program, execution: &Execution) -> usize {
    let is_question = |step: usize| {
        let edge = execution.steps.get(step).map(|step| program.edge(step.edge()));
        edge.is_some_and(|edge| {
            matches!(
                &edge.op,
                Op::Inspect {
                    question: Inspection::Written { .. },
                    ..
                }
            )
        })
    };
    let mut unwritten = execution
        .observed
        .iter()
        .filter(|value| value.value.is_zero() && is_question(value.step));
    unwritten.nth(1).map_or(execution.steps.len(), |value| value.step)
}

/// The claim at a point.
#[derive(Clone, Copy)]
struct Claimed {
    formula: TermId,
    is_guessed: bool,
}

/// One execution on its way into a solver.
struct Trial<'p> {
    program: &'p Program,
    encoder: Encoder<'p>,
    pool: TermPool,
    solver: Solver,
    at: crate::encode::PathFormula,
    /// The call edges that are open.
    calls: Vec<EdgeId>,
    /// The claims, by location and open calls.
    claims: BTreeMap<(crate::cfa::NodeId, Vec<EdgeId>), Claimed>,
    /// The guesses at the points that were visited.
    guessed: Vec<TermId>,
    /// Names that are those of several variables.
    ambiguous: BTreeSet<String>,
}

impl<'p> Trial<'p> {
    fn new(program: &'p Program, arith: Arith, certificate: Option<&Certificate>) -> Self {
        let encoder = Encoder::new(program, arith);
        let mut pool = TermPool::new();
        let mut claims = BTreeMap::new();
        for certificate in certificate.into_iter().filter(|certificate| certificate.arith == arith) {
            let formulas = pool.import(&certificate.formulas);
            // Claims under contracts are about frames that have other numbers here.
            for claim in certificate.claims.iter().filter(|claim| claim.contract.is_none()) {
                let mut parts = vec![formulas[claim.formula]];
                for (var, value) in &claim.known {
                    let name = pool.symbol(&program.var(*var).name);
                    let (var, value) = (pool.int_var(name, NO_INDEX), pool.int(value.clone()));
                    parts.push(pool.eq(var, value));
                }
                let whole = pool.and(&parts);
                let all = claims.entry((claim.node, claim.calls.clone())).or_insert(Claimed {
                    formula: pool.mk_false(),
                    is_guessed: certificate.origin == Origin::Guessed,
                });
                all.formula = pool.or2(all.formula, whole);
            }
        }
        let mut names = BTreeSet::new();
        let mut ambiguous = BTreeSet::new();
        for var in program.var_ids() {
            let name = &program.var(var).name;
            if !names.insert(name) {
                ambiguous.insert(name.clone());
            }
        }
        let mut solver = Solver::new(Config::default());
        solver.set_tick_limit(Some(MAX_TICKS));
        let at = encoder.empty(&pool);
        Trial {
            program,
            encoder,
            pool,
            solver,
            at,
            calls: Vec::new(),
            claims,
            guessed: Vec::new(),
            ambiguous,
        }
    }

    fn step(&mut self, step: Step, frame: Frame) {
        match step {
            Step::Enter(call) => self.calls.push(call),
            Step::Leave(_) => drop(self.calls.pop()),
            Step::Edge(_) => {}
        }
        self.at = self.encoder.step(&mut self.pool, &self.at, step, frame);
    }

    /// The current version of a variable has a value.
    fn observe(&mut self, var: crate::cfa::VarId, depth: u32, value: &Int) {
        let variable = self.program.var(var);
        if self.ambiguous.contains(&variable.name) {
            return;
        }
        let name = match depth {
            0 => variable.name.clone(),
            _ if variable.func.is_none() => variable.name.clone(),
            _ => format!("{}#{depth}", variable.name),
        };
        let is_number = self.encoder.symbol_range(&name).is_some() || self.encoder.arith() == Arith::Ideal;
        if let (Some(slot), true) = (self.encoder.slot_of(&name), is_number) {
            let symbol = self.pool.symbol(&name);
            let (var, value) = (
                self.pool.int_var(symbol, self.at.ssa.index(slot)),
                self.pool.int(value.clone()),
            );
            let is = self.pool.eq(var, value);
            self.solver.assert(&mut self.pool, is, Part(0));
        }
    }

    /// Checks that the claim at the target of a step holds there.
    fn claim(&mut self, step: Step, account: &mut Account) {
        let key = (step.target(self.program), std::mem::take(&mut self.calls));
        let claim = self.claims.get(&key).copied();
        self.calls = key.1;
        let Some(claim) = claim else { return };
        let here = self.encoder.instantiate(&mut self.pool, claim.formula, &self.at.ssa);
        if claim.is_guessed {
            self.guessed.push(here);
            return;
        }
        self.solver.assert(&mut self.pool, here, Part(0));
        account.points += 1;
    }

    fn end_block(&mut self) {
        self.solver.assert(&mut self.pool, self.at.formula, Part(0));
        self.at = self.at.next_block(&self.pool);
    }
}
