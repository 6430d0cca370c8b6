//! Samples of calls: executions of the program with chosen inputs, in which a call of a contract's function is executed once for each state that it depends on.
//!
//! A function with a contract depends on its parameters and on the variables of static storage that it mentions, and on nothing else ([`sites`](super::sites)). So what a call does is remembered (Michie, *"Memo"
//! functions and machine learning*, Nature 1968), and a run of `fib(46)` takes as long as one of 46 calls. Runs are cut short after a while: what they came past is true of the program all the same.
//!
//! Nothing rests on these executions being right; what is wrong here is a wrong guess.

use super::leaps::Pace;
use super::sites::{Sites, integer};
use crate::cfa::program::expr::walk;
use crate::cfa::{BinOp, EdgeId, Expr, ExprKind, FuncId, Input, NodeId, Op, Place, Program, UnOp, VarId, is_call};
use crate::explicit::value::arith;
use crate::frontend::types::IntInfo;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Steps of one run, and of all.
const MAX_RUN: u64 = 6_000;
const MAX_STEPS: u64 = 400_000;
/// Calls inside each other.
const MAX_DEPTH: u32 = 150;
/// Runs whose inputs are picked from all numbers.
const MIXED: u64 = 80;
/// The smallest numbers that all inputs together run through, and that pairs of inputs do.
const SMALL: std::ops::RangeInclusive<i128> = -3..=12;
const PAIRS: std::ops::RangeInclusive<i128> = 0..=6;
/// The same for programs without contracts, whose loops need fewer samples.
const MAX_PLAIN_RUN: u64 = 1_500;
const MAX_PLAIN_STEPS: u64 = 60_000;
const MAX_PLAIN_ROWS: usize = 200;
/// The visits of a site in one run of such a program that are all kept. Of the later ones, every one whose number is a power of two is.
const FIRST_VISITS: u32 = 12;
/// The visits behind a leap that are kept.
const VISITS_BEHIND_LEAP: u32 = 8;
/// States of a site that are kept, and how many of those a deep recursion may have, in all and in one run: many of them are alike, and the calls that end last are worth more.
const MAX_ROWS: usize = 600;
const MAX_DEEP_ROWS: usize = 400;
const MAX_DEEP_ROWS_OF_RUN: u32 = 60;
/// A call inside so many others is deep.
const DEEP: u32 = 10;

/// A number at a site: of a variable where the contract begins, or now, in the frame above so many older ones of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// Where the contract begins.
    Old(VarId),
    /// At the site.
    Now(u32, VarId),
}

/// A state at a site.
pub type Row = BTreeMap<Column, i128>;

/// The values of the variables of a frame that have one.
type Values = BTreeMap<VarId, i128>;

/// The values behind a call: its frame and the variables of static storage.
type Left = Rc<(Values, Values)>;

/// The samples of a program.
#[derive(Debug)]
pub struct Samples {
    /// The states that were met, by site.
    pub rows: Vec<BTreeSet<Row>>,
    /// The numbers that the program mentions.
    pub constants: BTreeSet<i128>,
}

/// The end of a run before that of the program.
struct Stop;

/// Frames since the entry of a contract's function, or since the program's start.
struct Activation {
    contract: Option<usize>,
    /// The values at the entry.
    old: Row,
    frames: Vec<(FuncId, Values)>,
    calls: Vec<EdgeId>,
    depth: u32,
}

struct Runs<'p> {
    program: &'p Program,
    sites: &'p Sites,
    samples: Samples,
    memo: BTreeMap<(usize, Values, Values), Left>,
    statics: Values,
    /// Variables that the environment has set, or nothing, and that were not read since then.
    unwritten: BTreeSet<VarId>,
    /// The next inputs of the run, and how many were read.
    inputs: Vec<i128>,
    read: usize,
    steps: u64,
    limit: u64,
    /// The states that the run has added, by site.
    added: Vec<u32>,
    /// The visits of the run, by site.
    visits: Vec<u32>,
    /// The pace of the run's loops, by head and number of frames.
    paces: BTreeMap<(NodeId, usize), Pace<(usize, VarId)>>,
}

/// Executes a program with chosen inputs.
pub fn samples(program: &Program, sites: &Sites) -> Samples {
    let constants = constants(program);
    let mut runs = Runs {
        program,
        sites,
        samples: Samples {
            rows: vec![BTreeSet::new(); sites.all.len()],
            constants: constants.clone(),
        },
        memo: BTreeMap::new(),
        statics: Values::new(),
        unwritten: BTreeSet::new(),
        inputs: Vec::new(),
        read: 0,
        steps: 0,
        limit: 0,
        added: Vec::new(),
        visits: Vec::new(),
        paces: BTreeMap::new(),
    };
    let near = constants
        .iter()
        .flat_map(|&number| number.saturating_sub(1)..=number.saturating_add(1));
    let numbers: Vec<i128> = SMALL.chain(near).collect::<BTreeSet<i128>>().into_iter().collect();
    // Small numbers first: what they say of sums is seen at once.
    let mut chosen: Vec<Vec<i128>> = numbers.iter().map(|&number| vec![number]).collect();
    chosen.sort_by_key(|inputs| inputs[0].abs());
    chosen.extend(PAIRS.flat_map(|first| PAIRS.map(move |second| vec![first, second])));
    let mut state = 1u64;
    for _ in 0..MIXED {
        let mut pick = || {
            // Knuth's constants (MMIX).
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let at = usize::try_from(state >> 33).expect("it has 31 bits");
            numbers[at % numbers.len()]
        };
        chosen.push((0..8).map(|_| pick()).collect());
    }
    let mut most = 0;
    let max_steps = if sites.contracts.is_empty() {
        // Different inputs say more than large ones.
        chosen.rotate_left(numbers.len());
        MAX_PLAIN_STEPS
    } else {
        MAX_STEPS
    };
    for inputs in chosen {
        // Another choice is another run only if it is read.
        let is_again = runs.steps > 0 && most < inputs.len();
        if runs.steps >= max_steps || is_again && most == 0 {
            break;
        }
        if !is_again || inputs.len() > 2 && most > 1 {
            runs.run(inputs);
            most = most.max(runs.read);
        }
    }
    runs.samples
}

/// The numbers in the functions of a program.
fn constants(program: &Program) -> BTreeSet<i128> {
    let mut found = BTreeSet::from([0, 1]);
    for edge in &program.edges {
        if program.function(program.node(edge.from).func).library {
            continue;
        }
        let values: Vec<&Expr> = match &edge.op {
            Op::Assume { cond, .. } => vec![cond],
            Op::Assign { rhs, .. } => vec![rhs],
            Op::Call { args, .. } => args.iter().collect(),
            _ => continue,
        };
        for value in values {
            walk(value, &mut |expr| {
                let number = expr.as_const().and_then(provident_smt::num::Int::to_i128);
                found.extend(number.filter(|number| i64::try_from(*number).is_ok()));
            });
        }
    }
    found
}

impl Runs<'_> {
    fn run(&mut self, inputs: Vec<i128>) {
        (self.inputs, self.read) = (inputs, 0);
        self.statics.clear();
        self.unwritten.clear();
        self.added = vec![0; self.sites.all.len()];
        self.visits = vec![0; self.sites.all.len()];
        self.paces.clear();
        self.limit = self.steps
            + match self.sites.contracts.is_empty() {
                true => MAX_PLAIN_RUN,
                false => MAX_RUN,
            };
        let mut activation = Activation {
            contract: None,
            old: Row::new(),
            frames: vec![(self.program.start, Values::new())],
            calls: Vec::new(),
            depth: 0,
        };
        // States before the stop count.
        let _: Result<(), Stop> = self.execute(&mut activation, 0);
    }

    /// Executes the function of the last frame to its exit.
    fn execute(&mut self, activation: &mut Activation, depth: u32) -> Result<(), Stop> {
        let func = activation.frames.last().expect("there is a frame").0;
        let mut node = self.program.function(func).entry;
        while node != self.program.function(func).exit {
            let location = self.program.node(node);
            if location.loop_head {
                self.leap(activation, node);
                self.meet(activation, node);
            }
            let mut taken = None;
            for &edge in &location.outgoing {
                self.steps += 1;
                if self.steps > self.limit {
                    return Err(Stop);
                }
                if self.step(activation, edge, depth)? {
                    taken = Some(self.program.edge(edge).to);
                    break;
                }
            }
            node = taken.ok_or(Stop)?;
        }
        Ok(())
    }

    /// Goes on with a later state of a loop, if nothing new happens before. Where calls are remembered, runs are long enough.
    fn leap(&mut self, activation: &mut Activation, head: NodeId) {
        if !self.sites.contracts.is_empty() {
            return;
        }
        let frames = activation.frames.iter().map(|(_, values)| values);
        let mut now: BTreeMap<(usize, VarId), i128> = BTreeMap::new();
        for (at, values) in std::iter::once(&self.statics).chain(frames).enumerate() {
            now.extend(values.iter().map(|(&var, &value)| ((at, var), value)));
        }
        let pace = self.paces.entry((head, activation.frames.len())).or_default();
        let Some(later) = pace.visit(&now, &self.samples.constants) else {
            return;
        };
        for ((at, var), value) in later {
            let info = integer(self.program, var).expect("only integers are executed with");
            let values = match at {
                0 => &mut self.statics,
                _ => &mut activation.frames[at - 1].1,
            };
            values.insert(var, info.wrap(value));
        }
        if let Some(site) = self.sites.number(activation.contract, head, &activation.calls) {
            let visits = &mut self.visits[site];
            *visits = (*visits).min(FIRST_VISITS - VISITS_BEHIND_LEAP);
        }
    }

    /// Takes an edge, if it can be taken.
    fn step(&mut self, activation: &mut Activation, edge: EdgeId, depth: u32) -> Result<bool, Stop> {
        let program = self.program;
        match &program.edge(edge).op {
            Op::Nop | Op::Label(_) => {}
            Op::Bypass(_) => return Ok(false),
            Op::Assume { cond, truth } => {
                self.settle(activation, cond);
                return Ok((self.value(activation, cond).ok_or(Stop)? != 0) == *truth);
            }
            Op::Assign { lhs, rhs } => {
                self.settle(activation, rhs);
                let value = self.value(activation, rhs);
                self.write(activation, lhs, value);
            }
            Op::Zero { place } => self.write(activation, place, Some(0)),
            Op::Havoc { place, source } => {
                let value = match source {
                    Input::Nondet { .. } | Input::External { .. } => Some(self.input()),
                    _ => None,
                };
                self.write(activation, place, value);
                let is_read_first = matches!(
                    source,
                    Input::Uninitialised | Input::EntryParam | Input::ExternVariable { .. }
                );
                let var = place.as_whole_var().filter(|&var| integer(program, var).is_some());
                self.unwritten.extend(var.filter(|_| is_read_first));
            }
            Op::External { ret, .. } => {
                let value = self.input();
                if let Some(place) = ret {
                    self.write(activation, place, Some(value));
                }
            }
            Op::Call { args, ret, .. } => {
                let callee = is_call(program, edge).ok_or(Stop)?;
                args.iter().for_each(|argument| self.settle(activation, argument));
                let mut frame = Values::new();
                for (&parameter, argument) in program.function(callee).params.iter().zip(args) {
                    // Memory is not followed, and a parameter may lie there.
                    let value = integer(program, parameter).and_then(|_| self.value(activation, argument));
                    if let Some(value) = value {
                        frame.insert(parameter, value);
                    }
                }
                activation.frames.push((callee, frame));
                activation.calls.push(edge);
                self.call(activation, callee, depth)?;
                let (_, frame) = activation.frames.pop().ok_or(Stop)?;
                activation.calls.pop();
                if let Some(place) = ret {
                    let returned = program.function(callee).ret.and_then(|var| frame.get(&var).copied());
                    self.write(activation, place, returned);
                }
            }
            _ => return Err(Stop),
        }
        Ok(true)
    }

    /// Executes the call whose frame is the last one, so that the frame is that at the function's exit.
    fn call(&mut self, activation: &mut Activation, callee: FuncId, depth: u32) -> Result<(), Stop> {
        if depth > MAX_DEPTH {
            return Err(Stop);
        }
        let Some(contract) = self.sites.contract_of(callee) else {
            return self.execute(activation, depth + 1);
        };
        let function = self.program.function(callee);
        self.meet(activation, function.entry);
        let frame = activation.frames.last().ok_or(Stop)?.1.clone();
        let left = self.summarised(contract, frame, depth)?;
        activation.frames.last_mut().ok_or(Stop)?.1.clone_from(&left.0);
        self.statics.extend(&left.1);
        self.meet(activation, function.exit);
        Ok(())
    }

    /// The values behind a call of the function of a contract.
    fn summarised(&mut self, contract: usize, frame: Values, depth: u32) -> Result<Left, Stop> {
        let callable = &self.sites.contracts[contract];
        let before: Values = self.statics_of(contract);
        let key = (contract, frame, before);
        if let Some(left) = self.memo.get(&key) {
            return Ok(Rc::clone(left));
        }
        let mut old: Row = key.1.iter().map(|(&var, &value)| (Column::Old(var), value)).collect();
        old.extend(key.2.iter().map(|(&var, &value)| (Column::Old(var), value)));
        let mut inner = Activation {
            contract: Some(contract),
            old,
            frames: vec![(callable.func, key.1.clone())],
            calls: Vec::new(),
            depth: depth + 1,
        };
        let function = self.program.function(callable.func);
        self.meet(&inner, function.entry);
        self.execute(&mut inner, depth + 1)?;
        self.meet(&inner, function.exit);
        // Intermediate values are nothing that a caller needs.
        let (_, mut frame) = inner.frames.pop().ok_or(Stop)?;
        frame.retain(|var, _| function.params.contains(var) || function.ret == Some(*var));
        let left = Rc::new((frame, self.statics_of(contract)));
        self.memo.insert(key, Rc::clone(&left));
        Ok(left)
    }

    fn statics_of(&self, contract: usize) -> Values {
        let statics = self.sites.contracts[contract].statics.iter();
        statics
            .filter_map(|var| Some((*var, *self.statics.get(var)?)))
            .collect()
    }

    /// Notes the state at a site.
    fn meet(&mut self, activation: &Activation, node: NodeId) {
        let Some(site) = self.sites.number(activation.contract, node, &activation.calls) else {
            return;
        };
        self.visits[site] += 1;
        let visit = self.visits[site];
        let rows = &mut self.samples.rows[site];
        let is_late = visit > FIRST_VISITS && !visit.is_power_of_two() || rows.len() >= MAX_PLAIN_ROWS;
        if self.sites.contracts.is_empty() && is_late {
            return;
        }
        let is_deep = activation.depth > DEEP;
        let is_many = rows.len() >= MAX_DEEP_ROWS || self.added[site] >= MAX_DEEP_ROWS_OF_RUN;
        if rows.len() >= MAX_ROWS || is_deep && is_many {
            return;
        }
        let mut row = activation.old.clone();
        let mut frames: BTreeMap<FuncId, u32> = BTreeMap::new();
        for (func, values) in &activation.frames {
            let depth = frames.entry(*func).or_default();
            row.extend(values.iter().map(|(&var, &value)| (Column::Now(*depth, var), value)));
            *depth += 1;
        }
        // A contract is about what its function mentions.
        let contracts = &self.sites.contracts;
        let is_seen = |var: &VarId| match activation.contract {
            Some(own) => contracts[own].statics.contains(var),
            None => contracts.is_empty() || contracts.iter().any(|contract| contract.statics.contains(var)),
        };
        let statics = self.statics.iter().filter(|(var, _)| is_seen(var));
        row.extend(statics.map(|(&var, &value)| (Column::Now(0, var), value)));
        self.added[site] += u32::from(rows.insert(row));
    }

    fn input(&mut self) -> i128 {
        let value = self.inputs[self.read % self.inputs.len()];
        self.read += 1;
        value
    }

    /// Gives the variables of an expression that nothing has written an input each, where they are read first: a value that is never read is no input. The function of a contract has none.
    fn settle(&mut self, activation: &mut Activation, expr: &Expr) {
        if self.unwritten.is_empty() || activation.contract.is_some() {
            return;
        }
        let mut read = Vec::new();
        walk(expr, &mut |part| {
            if let ExprKind::Load(place) = &part.kind {
                read.extend(place.as_whole_var().filter(|var| self.unwritten.contains(var)));
            }
        });
        for var in read {
            let place = Place::var(var, self.program.var(var).ty);
            let input = self.input();
            self.write(activation, &place, Some(input));
        }
    }

    /// Sets a variable to a value, or to none. The other places are not looked at: what they hold has no value here.
    fn write(&mut self, activation: &mut Activation, place: &Place, value: Option<i128>) {
        let Some(var) = place.as_whole_var() else { return };
        let Some(info) = integer(self.program, var) else { return };
        self.unwritten.remove(&var);
        let values = match self.program.var(var).func {
            None => &mut self.statics,
            Some(_) => &mut activation.frames.last_mut().expect("there is a frame").1,
        };
        match value {
            Some(value) => drop(values.insert(var, info.wrap(value))),
            None => drop(values.remove(&var)),
        }
    }

    fn info(&self, expr: &Expr) -> Option<IntInfo> {
        let info = self.program.types.integer(expr.ty);
        info.filter(|info| info.width <= arith::WIDEST)
    }

    /// The value of an expression; `None` if a part of it has none.
    fn value(&self, activation: &Activation, expr: &Expr) -> Option<i128> {
        let info = self.info(expr)?;
        Some(match &expr.kind {
            ExprKind::Const(number) => number.to_i128()?,
            ExprKind::Load(place) => {
                let var = place.as_whole_var()?;
                let values = match self.program.var(var).func {
                    None => &self.statics,
                    Some(_) => &activation.frames.last()?.1,
                };
                *values.get(&var)?
            }
            ExprKind::Unary(op, operand) => {
                let value = self.value(activation, operand)?;
                match op {
                    UnOp::Neg => info.wrap(-value),
                    UnOp::BitNot => info.wrap(!value),
                    UnOp::LogNot => i128::from(value == 0),
                }
            }
            ExprKind::Cast(operand) => {
                let value = self.value(activation, operand)?;
                match info.width {
                    1 => i128::from(value != 0),
                    _ => info.wrap(value),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let (of_left, of_right) = (self.info(left)?, self.info(right)?);
                let x = arith::pattern(self.value(activation, left)?, of_left);
                let y = arith::pattern(self.value(activation, right)?, of_right);
                let bits = arith::binary(*op, x, y, of_left, of_right)?;
                match BinOp::is_comparison(*op) {
                    true => i128::from(bits != 0),
                    false => arith::number(bits, info),
                }
            }
            _ => return None,
        })
    }
}
