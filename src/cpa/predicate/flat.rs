//! Error paths through blocks that are explored for themselves, as paths of the program.
//!
//! The abstractions of such a block hang on the reduced state at its entry, not on any caller. A path of the program is put together from the outside: where an abstraction stands for a way through a
//! block, the abstractions inside are put in its place, and so on inside of these. The formula blocks were made in the frames of the block's own call stack; here they are made again in those of the
//! whole call stack, step by step in the same order. Without recursion the frames are the same, and so are the formula blocks.
//!
//! The abstractions of the flat path are new ones. Refinement sees them like those of any other path. Their predicates are relative to the block in which they were found
//! ([`Predicates::relative_predicate`]).
//!
//! A path also tells where calls begin and end that return before its end: [`FlatPath::parents`] is the tree of nested interpolants (Heizmann, Hoenicke, Podelski, *Nested interpolants*, POPL 2010),
//! in which the way through a call hangs beside what the caller knew before it. The way through a loop does so only where the loop is explored without frames that are seen around it; else its variables are those around it, and
//! interpolants of the sequence, which carry facts into the loop and out of it, find the same predicates as without blocks.

use super::blocks::{BlockId, Blocks, Origin};
use super::region::Regions;
use super::{AbsId, AbsRecord, Phase, PredState, Predicates};
use crate::cfa::{FuncId, Program, Step, is_call};
use crate::cpa::callstack::{StackId, Stacks};
use crate::cpa::composite::Control;
use crate::encode::Frame;
use provident_smt::hash::FxHashMap;
use provident_smt::term::{Symbol, SymbolId, TermId};
use std::collections::BTreeSet;

/// The most formula blocks of a path.
const MAX_BLOCKS: usize = 512;

/// An error path of the program.
#[derive(Debug, Clone)]
pub struct FlatPath {
    /// The target state as it would be without blocks.
    pub state: PredState,
    /// For each formula block but the last, the one that it hangs on: the next one, or for the last one before a call that returns, the one behind the return.
    pub parents: Vec<usize>,
}

/// The path so far.
struct Course<'c> {
    program: &'c Program,
    stacks: &'c mut Stacks,
    /// The last abstraction.
    abs: AbsId,
    /// How many formula blocks there are.
    length: usize,
    /// The detours, that is calls that returned: the last formula block before, and the last one inside.
    calls: Vec<(usize, usize)>,
}

impl Predicates<'_> {
    /// The error path of a target state as a path of the program; `None` if it is too long.
    pub fn flat_path(&mut self, program: &Program, stacks: &mut Stacks, target: &PredState) -> Option<FlatPath> {
        let bottom = stacks.bottom();
        let mut course = Course {
            program,
            stacks,
            abs: AbsId::ROOT,
            length: 0,
            calls: Vec::new(),
        };
        let last = self.follow(&mut course, bottom, target.abs, target.block)?;
        let mut parents: Vec<usize> = (1..=course.length).collect();
        for (before, end) in course.calls {
            parents[before] = end + 1;
        }
        Some(FlatPath {
            state: PredState {
                abs: course.abs,
                block: last.expect("a target state has a step that is the violation"),
                phase: Phase::ReachedTarget,
            },
            parents,
        })
    }

    /// The formula blocks on the path to a state.
    pub fn blocks_of(&self, state: &PredState) -> Vec<BlockId> {
        let chain = self.ancestors(state.abs).into_iter().skip(1);
        chain.map(|abs| self.record(abs).block).chain([state.block]).collect()
    }

    /// Appends the way from the beginning of a block, in which the stack is `base`, to an abstraction. If `rest` has steps, or the abstraction stands for a target inside of a block, the path ends:
    /// then the result is the last formula block.
    fn follow(&mut self, course: &mut Course<'_>, base: StackId, end: AbsId, rest: BlockId) -> Option<Option<BlockId>> {
        let chain = self.ancestors(end);
        for pair in chain.windows(2) {
            let (before, abs) = (*self.record(pair[0]), *self.record(pair[1]));
            let stack = course.stacks.onto(course.program, base, before.control.stack);
            let crossing = self
                .relative
                .as_ref()
                .and_then(|relative| relative.crossings.get(&pair[1]).copied());
            let Some(crossing) = crossing else {
                let block = self.moved(course, abs.block, stack);
                self.append(course, base, block, &abs)?;
                continue;
            };
            let calls = course.length;
            if let Some(last) = self.follow(course, stack, crossing.inner, crossing.rest)? {
                return Some(Some(last));
            }
            // A loop in the frame at the bottom sees all that is seen around it.
            let is_hiding = course.stacks.pop(before.control.stack).is_some();
            if let Some(before) = calls.checked_sub(1).filter(|_| is_hiding) {
                let end = course.length - 1;
                match course.calls.last_mut() {
                    // One loop begins where another one ends: they are one detour.
                    Some((_, last)) if *last == before => *last = end,
                    _ => course.calls.push((before, end)),
                }
            }
        }
        if rest == Blocks::EMPTY {
            return Some(None);
        }
        let before = self.record(end).control.stack;
        let stack = course.stacks.onto(course.program, base, before);
        Some(Some(self.moved(course, rest, stack)))
    }

    /// Appends a formula block and the abstraction behind it.
    fn append(&mut self, course: &mut Course<'_>, base: StackId, block: BlockId, abs: &AbsRecord) -> Option<()> {
        if course.length >= MAX_BLOCKS {
            return None;
        }
        let stack = course.stacks.onto(course.program, base, abs.control.stack);
        let is_same = course.stacks.recursion(stack) == 0;
        let flat = self.add_record(AbsRecord {
            before: course.abs,
            block,
            region: if is_same { abs.region } else { self.regions.top() },
            control: Control { stack, ..abs.control },
        });
        if let Some(relative) = &mut self.relative {
            relative.flat.insert(flat, abs.control.stack);
        }
        course.abs = flat;
        course.length += 1;
        Some(())
    }

    /// A formula block in the frames of a call stack at its beginning.
    fn moved(&mut self, course: &mut Course<'_>, block: BlockId, stack: StackId) -> BlockId {
        let key = (block, stack);
        if let Some(known) = self.relative.as_ref().and_then(|relative| relative.moved.get(&key)) {
            return *known;
        }
        let mut parts = BTreeSet::from([block]);
        let mut open = vec![block];
        while let Some(at) = open.pop() {
            let before = match self.blocks.origin(at) {
                Origin::Empty => [None, None],
                Origin::Step(before, ..) => [Some(before), None],
                Origin::Merge(a, b) => [Some(a), Some(b)],
            };
            open.extend(before.into_iter().flatten().filter(|&part| parts.insert(part)));
        }
        let mut built: FxHashMap<BlockId, (BlockId, StackId)> = FxHashMap::default();
        for part in parts {
            let new = match self.blocks.origin(part) {
                Origin::Empty => (Blocks::EMPTY, stack),
                Origin::Merge(a, b) => {
                    let ((a, after), (b, other)) = (built[&a], built[&b]);
                    assert!(after == other, "paths meet under one call stack");
                    (self.blocks.merge(&mut self.encoder, &mut self.pool, a, b), after)
                }
                Origin::Step(before, step, _) => {
                    let (before, at) = built[&before];
                    let (frame, after) = frame_of(course, at, step);
                    let new = self.blocks.step(&mut self.encoder, &mut self.pool, before, step, frame);
                    (new, after)
                }
            };
            built.insert(part, new);
        }
        let new = built[&block].0;
        if let Some(relative) = &mut self.relative {
            relative.moved.insert(key, new);
        }
        new
    }

    /// A predicate that was found at an abstraction of a path, relative to the block in which the abstraction was computed; `None` if it has symbols that are not seen there. Predicates at other
    /// abstractions stay as they are.
    pub fn relative_predicate(&mut self, stacks: &Stacks, abs: AbsId, predicate: TermId) -> Option<TermId> {
        let stack = self.record(abs).control.stack;
        let Some(relative) = &self.relative else {
            return Some(predicate);
        };
        let Some(&inner) = relative.flat.get(&abs) else {
            return Some(predicate);
        };
        let mut renamed: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
        for symbol in self.pool.symbols(predicate) {
            let text = self.pool.name(symbol.name).to_string();
            let Some(((func, depth), first)) = relative.frame(&text) else {
                continue;
            };
            let below = stacks.count(stack, func) - stacks.count(inner, func);
            // The frames of the block are the youngest ones.
            let depth = depth
                .checked_sub(below)
                .filter(|&depth| is_on(stacks, inner, func, depth))?;
            let new = match depth {
                0 => first.to_string(),
                _ => format!("{first}#{depth}"),
            };
            renamed.insert(symbol.name, self.pool.symbol(&new));
        }
        Some(self.pool.map_symbols(predicate, &mut |symbol: Symbol| Symbol {
            name: renamed.get(&symbol.name).copied().unwrap_or(symbol.name),
            ..symbol
        }))
    }
}

fn is_on(stacks: &Stacks, stack: StackId, func: FuncId, depth: u32) -> bool {
    depth < stacks.count(stack, func)
}

/// The frames of a step from under a call stack, and the call stack behind it.
fn frame_of(course: &mut Course<'_>, stack: StackId, step: Step) -> (Frame, StackId) {
    let depth = course.stacks.depth(stack);
    match step {
        Step::Edge(_) => {
            let frame = Frame {
                caller: depth,
                callee: 0,
            };
            (frame, stack)
        }
        Step::Enter(call) => {
            let callee = is_call(course.program, call).expect("only calls are entered");
            let after = course.stacks.push(course.program, stack, call, callee);
            let frame = Frame {
                caller: depth,
                callee: course.stacks.depth(after),
            };
            (frame, after)
        }
        Step::Leave(_) => {
            let (after, _) = course.stacks.pop(stack).expect("only calls are left");
            let frame = Frame {
                caller: course.stacks.depth(after),
                callee: depth,
            };
            (frame, after)
        }
    }
}
