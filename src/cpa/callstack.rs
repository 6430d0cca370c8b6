//! Call stacks, interned: two states are in the same calling context iff their stack ids are equal.
//!
//! A stack is a linked list of frames. Each frame knows how many older frames of the same function lie below it (its *depth*):
//! in recursion the encoder keeps the instances of a variable apart by that number. Recursion is followed as deep as it goes.
//!
//! Blocks of [memoization](super::memo) are explored on stacks of their own, with one frame and nothing below.

use crate::cfa::{EdgeId, FuncId, NodeId, Program, is_call};
use provident_smt::hash::FxHashMap;
use std::sync::Arc;

/// An interned call stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackId(u32);

impl StackId {
    /// The position among [`Stacks::ids`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of a program that is explored for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// The body of a function.
    Function(FuncId),
    /// The loop with this head.
    Loop(NodeId),
}

#[derive(Debug)]
struct Frame {
    /// The stack below and the call edge; `None` for the bottom frame.
    below: Option<(StackId, EdgeId)>,
    /// The block that is explored in this frame, which is the bottom one then.
    block: Option<Block>,
    func: FuncId,
    depth: u32,
    /// The largest depth of this frame and those below.
    recursion: u32,
    /// The reverse post-order numbers of the open call sites, outermost first.
    position: Arc<[u32]>,
}

/// All call stacks seen.
#[derive(Debug)]
pub struct Stacks {
    frames: Vec<Frame>,
    pushed: FxHashMap<(StackId, EdgeId), StackId>,
    /// The stacks on which blocks are explored for themselves.
    bases: FxHashMap<Block, StackId>,
}

impl Stacks {
    /// The arena with the one-frame stack of the start function, see [`Stacks::bottom`].
    pub fn new(program: &Program) -> Self {
        let bottom = Frame {
            below: None,
            block: None,
            func: program.start,
            depth: 0,
            recursion: 0,
            position: Arc::from([]),
        };
        Stacks {
            frames: vec![bottom],
            pushed: FxHashMap::default(),
            bases: FxHashMap::default(),
        }
    }

    /// All stacks, each after the one below it.
    pub fn ids(&self) -> impl Iterator<Item = StackId> + use<> {
        let count = u32::try_from(self.frames.len()).expect("fewer than 2^32 call stacks");
        (0..count).map(StackId)
    }

    /// The stack that holds the start function only.
    pub fn bottom(&self) -> StackId {
        StackId(0)
    }

    /// Makes the stack that holds one frame of a function and nothing below: there a block is explored for itself, whoever comes to it. The block is that function or a loop in it.
    pub fn add_base(&mut self, block: Block, func: FuncId) {
        if self.bases.contains_key(&block) {
            return;
        }
        let id = StackId(u32::try_from(self.frames.len()).expect("fewer than 2^32 call stacks"));
        self.frames.push(Frame {
            below: None,
            block: Some(block),
            func,
            depth: 0,
            recursion: 0,
            position: Arc::from([]),
        });
        self.bases.insert(block, id);
    }

    /// The stack of a block that is explored for itself, see [`Stacks::add_base`].
    pub fn base(&self, block: Block) -> Option<StackId> {
        self.bases.get(&block).copied()
    }

    /// The block that is explored in the top frame, see [`Stacks::add_base`].
    pub fn explored(&self, stack: StackId) -> Option<Block> {
        self.frames[stack.index()].block
    }

    /// The block that is explored in the bottom frame.
    pub fn explored_below(&self, stack: StackId) -> Option<Block> {
        let mut at = stack;
        while let Some((below, _)) = self.pop(at) {
            at = below;
        }
        self.explored(at)
    }

    /// The number of frames of a function.
    pub fn count(&self, stack: StackId, func: FuncId) -> u32 {
        let count = self.iter(stack).filter(|&f| f == func).count();
        u32::try_from(count).expect("a stack has fewer than 2^32 frames")
    }

    /// The stack after the open calls of another one.
    pub fn onto(&mut self, program: &Program, stack: StackId, other: StackId) -> StackId {
        let mut at = stack;
        for call in self.calls(other) {
            let callee = is_call(program, call).expect("open calls are calls");
            at = self.push(program, at, call, callee);
        }
        at
    }

    /// The stack after entering the callee of a call edge.
    pub fn push(&mut self, program: &Program, stack: StackId, call: EdgeId, callee: FuncId) -> StackId {
        if let Some(&known) = self.pushed.get(&(stack, call)) {
            return known;
        }
        let depth = self.iter(stack).filter(|&f| f == callee).count();
        let depth = u32::try_from(depth).expect("a stack has fewer than 2^32 frames");
        let mut position = self.frames[stack.index()].position.to_vec();
        position.push(program.node(program.edge(call).from).rpo);
        let frame = Frame {
            below: Some((stack, call)),
            block: None,
            func: callee,
            depth,
            recursion: depth.max(self.recursion(stack)),
            position: position.into(),
        };
        let id = StackId(u32::try_from(self.frames.len()).expect("fewer than 2^32 call stacks"));
        self.frames.push(frame);
        self.pushed.insert((stack, call), id);
        id
    }

    /// The stack and the call edge below the top frame; `None` for the bottom stack.
    pub fn pop(&self, stack: StackId) -> Option<(StackId, EdgeId)> {
        self.frames[stack.index()].below
    }

    /// The call edges that are open, outermost first.
    pub fn calls(&self, stack: StackId) -> Vec<EdgeId> {
        let mut calls: Vec<EdgeId> = Vec::new();
        let mut at = stack;
        while let Some((below, call)) = self.pop(at) {
            calls.push(call);
            at = below;
        }
        calls.reverse();
        calls
    }

    /// The function of the top frame.
    pub fn function(&self, stack: StackId) -> FuncId {
        self.frames[stack.index()].func
    }

    /// The number of older frames of the top frame's function.
    pub fn depth(&self, stack: StackId) -> u32 {
        self.frames[stack.index()].depth
    }

    /// How deep the recursion on the stack is: the largest depth of its frames.
    pub fn recursion(&self, stack: StackId) -> u32 {
        self.frames[stack.index()].recursion
    }

    /// The reverse post-order numbers of the open call sites, outermost first.
    pub fn position(&self, stack: StackId) -> &Arc<[u32]> {
        &self.frames[stack.index()].position
    }

    /// Whether the function has a frame on the stack.
    pub fn contains(&self, stack: StackId, func: FuncId) -> bool {
        self.iter(stack).any(|f| f == func)
    }

    /// The functions of the frames, top first.
    pub fn iter(&self, stack: StackId) -> impl Iterator<Item = FuncId> + '_ {
        let mut next = Some(stack);
        std::iter::from_fn(move || {
            let frame = &self.frames[next?.index()];
            next = frame.below.map(|(below, _)| below);
            Some(frame.func)
        })
    }
}
