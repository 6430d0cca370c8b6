//! Calls that rely on contracts: which names mean the same on both sides of a call, and what a call may change.
//!
//! A claim under a contract speaks of the function's frame as of a first one. At a call it may be the frame `f::x#2`, and the claim at the contract's entry is seen there under that name. An execution
//! of the function leaves alone
//!
//! * what has static storage, and memory, unless an edge of the function or of one that it may call writes it;
//! * its own frame, unless one of its own edges does;
//! * the frames below it. Only nested functions reach into frames that are not theirs, and these are listed.
//!
//! Everything else is lost: the frames of calls inside of it are other ones each time. Which names an edge writes is asked of the encoder, of which it makes new versions of these.

use crate::certify::Certificate;
use crate::cfa::{FuncId, Program, Step, is_call};
use crate::encode::{Encoder, Frame};
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::term::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// The names that an execution of a function may change.
#[derive(Debug, Default)]
pub struct Effects {
    /// Names of static storage, memory, and its own variables.
    pub writes: BTreeSet<String>,
    /// Variables of frames of other functions, which nested functions write.
    pub nested: BTreeSet<String>,
}

/// The names on both sides of calls.
pub struct Calls {
    /// The functions of local variables outside of memory, by the variables' names.
    owners: FxHashMap<String, FuncId>,
    effects: BTreeMap<FuncId, Effects>,
}

impl Calls {
    /// The calls of the functions of a certificate's contracts.
    pub fn new(program: &Program, certificate: &Certificate) -> Calls {
        let mut calls = Calls {
            owners: FxHashMap::default(),
            effects: BTreeMap::new(),
        };
        if certificate.contracts.is_empty() {
            return calls;
        }
        for variable in program.vars.iter().filter(|variable| !variable.in_memory) {
            calls
                .owners
                .extend(variable.func.map(|func| (variable.name.clone(), func)));
        }
        let mut encoder = Encoder::new(program, certificate.arith).say_kinds();
        let functions: BTreeSet<FuncId> = certificate.contracts.iter().map(|contract| contract.func).collect();
        for func in functions {
            let effects = calls.effects_of(program, &mut encoder, func);
            calls.effects.insert(func, effects);
        }
        calls
    }

    /// The local variables outside of memory, by function.
    pub fn locals(&self) -> BTreeMap<FuncId, BTreeSet<String>> {
        let mut locals: BTreeMap<FuncId, BTreeSet<String>> = BTreeMap::new();
        for (name, &func) in &self.owners {
            locals.entry(func).or_default().insert(name.clone());
        }
        locals
    }

    /// The names that a function with a contract may change.
    pub fn effects(&self, func: FuncId) -> &Effects {
        &self.effects[&func]
    }

    fn effects_of(&self, program: &Program, encoder: &mut Encoder<'_>, func: FuncId) -> Effects {
        let mut effects = Effects::default();
        let (mut seen, mut open) = (BTreeSet::from([func]), vec![func]);
        while let Some(inside) = open.pop() {
            for edge in program.edge_ids() {
                if program.node(program.edge(edge).from).func != inside {
                    continue;
                }
                let callee = is_call(program, edge);
                open.extend(callee.filter(|&callee| seen.insert(callee)));
                let steps = match callee {
                    Some(_) => vec![Step::Enter(edge), Step::Leave(edge)],
                    None => vec![Step::Edge(edge)],
                };
                for step in steps {
                    let mut pool = TermPool::new();
                    let empty = encoder.empty(&pool);
                    let after = encoder.step(&mut pool, &empty, step, Frame { caller: 0, callee: 0 });
                    for (slot, _) in after.ssa.entries() {
                        self.note(&mut effects, func, (inside, step), encoder.slot_name(slot));
                    }
                }
            }
        }
        if planted("contract-forgets-write") {
            effects.writes.clear();
        }
        effects
    }

    /// Notes that a step in a function that `func` may run writes a name of a first frame.
    fn note(&self, effects: &mut Effects, func: FuncId, (inside, step): (FuncId, Step), name: String) {
        match self.frame(&name) {
            None => drop(effects.writes.insert(name)),
            // The arguments of a call are in a frame above.
            Some(_) if matches!(step, Step::Enter(_)) => {}
            Some((owner, ..)) if owner != inside => drop(effects.nested.insert(name)),
            Some((owner, ..)) if owner == func => drop(effects.writes.insert(name)),
            Some(_) => {}
        }
    }

    /// The frame of a name, by function and number, and the name in a first frame. `None` if it is in no frame.
    fn frame<'n>(&self, name: &'n str) -> Option<(FuncId, u32, &'n str)> {
        let (first, depth) = match name.rsplit_once('#') {
            Some((first, depth)) => (first, depth.parse().ok()?),
            None => (name, 0),
        };
        let mut variable = first;
        loop {
            if let Some(&owner) = self.owners.get(variable) {
                return Some((owner, depth, first));
            }
            // It may be a member of a variable.
            variable = variable.rsplit_once('.')?.0;
        }
    }

    /// Whether a call loses what a name meant before. `frames` are the functions of the open frames, that of the call last.
    pub fn is_lost(&self, frames: &[FuncId], name: &str) -> bool {
        let (called, below) = split(frames);
        let effects = &self.effects[&called];
        match self.frame(name) {
            None => effects.writes.contains(name),
            Some((owner, depth, first)) => {
                let older = count(below, owner);
                match depth.cmp(&older) {
                    std::cmp::Ordering::Less => effects.nested.contains(first),
                    std::cmp::Ordering::Equal if owner == called => {
                        effects.writes.contains(first) || effects.nested.contains(first)
                    }
                    _ => true,
                }
            }
        }
    }

    /// The caller's name for what has this name under the contract of the called function; `None` if it has none.
    pub fn in_caller(&self, frames: &[FuncId], name: &str) -> Option<String> {
        let (called, below) = split(frames);
        match self.frame(name) {
            None => Some(name.to_string()),
            Some((owner, 0, first)) if owner == called => Some(match count(below, called) {
                0 => first.to_string(),
                depth => format!("{first}#{depth}"),
            }),
            Some(_) => None,
        }
    }

    /// The opposite of [`Calls::in_caller`].
    pub fn in_callee(&self, frames: &[FuncId], name: &str) -> Option<String> {
        let (called, below) = split(frames);
        match self.frame(name) {
            None => Some(name.to_string()),
            Some((owner, depth, first)) if owner == called && depth == count(below, called) => Some(first.to_string()),
            Some(_) => None,
        }
    }
}

/// The function of the call, and those of the frames below.
fn split(frames: &[FuncId]) -> (FuncId, &[FuncId]) {
    let (&called, below) = frames.split_last().expect("a call has a frame");
    (called, below)
}

fn count(frames: &[FuncId], func: FuncId) -> u32 {
    let same = frames.iter().filter(|&&frame| frame == func).count();
    u32::try_from(same).expect("fewer than 2^32 frames")
}
