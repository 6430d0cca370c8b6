//! Which parts of a program are blocks.
//!
//! Every function that lies on a cycle of the call graph is a block: so a block has at most two frames of one function on its call stack, and in every block the frames of the call stack have fixed
//! numbers. Other functions are blocks if they are called from several places. A function that is called once is explored where it is called: a summary that nobody finds again costs two abstractions.
//!
//! Loops are blocks wherever they stand (see [`loops`](super::loops)): an inner loop is entered in every round of the outer one, and each refinement explores the loops again that it has not changed.

use super::loops::LoopBlock;
use crate::cfa::{EdgeId, FuncId, NodeId, Op, Program, is_call};
use crate::cpa::callstack::Block;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which parts of a program are blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bam {
    /// None.
    Off,
    /// The functions of a recursion.
    #[default]
    Recursion,
    /// These, and functions that are called from several places.
    Functions,
    /// The functions of a recursion, and loops.
    Loops,
    /// All of these.
    On,
}

impl Bam {
    fn has_functions(self) -> bool {
        matches!(self, Bam::Functions | Bam::On)
    }

    fn has_loops(self) -> bool {
        matches!(self, Bam::Loops | Bam::On)
    }
}

/// The blocks of a program.
#[derive(Debug, Clone, Default)]
pub struct ProgramBlocks {
    functions: BTreeSet<FuncId>,
    loops: BTreeMap<NodeId, LoopBlock>,
    /// The edges that leave loops.
    exits: FxHashSet<EdgeId>,
    /// For each block all functions that it may run. A function is the first one of its own.
    within: FxHashMap<Block, Vec<FuncId>>,
}

/// Why a program has no blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoBlocks {
    /// There is nothing that would be one.
    None,
    /// A function of a recursion has a variable in memory, and the program asks about objects: each frame has it at another address, and a summary would answer for one.
    Addressed {
        /// The function.
        function: String,
        /// The variable as written in the source.
        variable: String,
    },
}

impl fmt::Display for NoBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoBlocks::None => f.write_str("the program has no function and no loop that is a block"),
            NoBlocks::Addressed { function, variable } => write!(
                f,
                "the variable `{variable}` of the recursive function `{function}` lies in memory, where it is asked which objects there are: so no summary of the function holds for all its frames"
            ),
        }
    }
}

impl std::error::Error for NoBlocks {}

impl ProgramBlocks {
    /// The blocks of a program.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(program: &Program, bam: Bam) -> Result<ProgramBlocks, NoBlocks> {
        let mut callees: FxHashMap<FuncId, BTreeSet<FuncId>> = FxHashMap::default();
        let mut sites: FxHashMap<FuncId, usize> = FxHashMap::default();
        for edge in program.edge_ids() {
            if let Some(callee) = is_call(program, edge) {
                let caller = program.node(program.edge(edge).from).func;
                callees.entry(caller).or_default().insert(callee);
                *sites.entry(callee).or_insert(0) += 1;
            }
        }
        let recursive = |func: FuncId| program.function(func).recursive;
        let asks = program.edges.iter().any(|edge| matches!(edge.op, Op::Inspect { .. }));
        for variable in program.vars.iter().filter(|_| asks) {
            if let Some(func) = variable.func.filter(|&func| recursive(func) && variable.in_memory) {
                return Err(NoBlocks::Addressed {
                    function: program.function(func).name.clone(),
                    variable: variable.display.clone(),
                });
            }
        }
        let is_block = |&func: &FuncId| {
            let called = sites.get(&func).copied().unwrap_or(0);
            let is_wanted = recursive(func) && called > 0;
            bam != Bam::Off && (is_wanted || bam.has_functions() && called > 1 && is_worthwhile(program, func))
        };
        let functions: BTreeSet<FuncId> = program.function_ids().filter(is_block).collect();
        let at_once = |func: FuncId| program.function(func).entry == program.function(func).exit;
        if functions.iter().any(|&func| at_once(func)) {
            return Err(NoBlocks::None);
        }
        let heads = program.node_ids().filter(|&node| program.node(node).loop_head);
        let loops: BTreeMap<NodeId, LoopBlock> = match bam.has_loops() {
            true => heads
                .filter_map(|head| Some((head, LoopBlock::new(program, head)?)))
                .collect(),
            false => BTreeMap::new(),
        };
        if functions.is_empty() && loops.is_empty() {
            return Err(NoBlocks::None);
        }
        let of_functions = functions.iter().map(|&func| {
            let others = reachable(&callees, callees.get(&func).into_iter().flatten().copied());
            let others = others.into_iter().filter(|&other| other != func);
            (Block::Function(func), [func].into_iter().chain(others).collect())
        });
        let of_loops = loops.values().map(|block| {
            let called = block.edges().filter_map(|edge| is_call(program, edge));
            (
                Block::Loop(block.head),
                reachable(&callees, called).into_iter().collect(),
            )
        });
        Ok(ProgramBlocks {
            within: of_functions.chain(of_loops).collect(),
            exits: loops.values().flat_map(|block| block.exits().iter().copied()).collect(),
            functions,
            loops,
        })
    }

    /// Whether a function is a block.
    pub fn contains(&self, func: FuncId) -> bool {
        self.functions.contains(&func)
    }

    /// The loop of a head, if it is a block.
    pub fn loop_at(&self, head: NodeId) -> Option<&LoopBlock> {
        self.loops.get(&head)
    }

    /// Whether a location is in the loop of a head.
    pub fn is_in_loop(&self, head: NodeId, node: NodeId) -> bool {
        self.loop_at(head).is_some_and(|block| block.contains(node))
    }

    /// Whether an edge leaves a loop that is a block.
    pub fn leaves_loop(&self, edge: EdgeId) -> bool {
        self.exits.contains(&edge)
    }

    /// The blocks, each with the function in whose frame it is explored.
    pub fn iter(&self) -> impl Iterator<Item = (Block, FuncId)> + '_ {
        let functions = self.functions.iter().map(|&func| (Block::Function(func), func));
        functions.chain(self.loops.values().map(|block| (Block::Loop(block.head), block.func)))
    }

    /// The functions that a block may run from their entries, directly or not. If it is a function, that is the first one.
    pub fn within(&self, block: Block) -> &[FuncId] {
        &self.within[&block]
    }

    /// Whether the exploration of a block may come to a location.
    pub fn reaches(&self, program: &Program, block: Block, node: NodeId) -> bool {
        let is_own = match block {
            Block::Function(_) => false,
            Block::Loop(head) => self.loops[&head].reaches(program, node),
        };
        is_own || self.within(block).contains(&program.node(node).func)
    }

    /// Whether the predicates of a whole function count in a block.
    pub fn is_about(&self, block: Block, func: FuncId) -> bool {
        let is_own = match block {
            Block::Function(_) => false,
            Block::Loop(head) => self.loops[&head].func == func,
        };
        is_own || self.within(block).contains(&func)
    }
}

/// Whether a function is more than a few operations in a row: these are cheaper where they are called.
fn is_worthwhile(program: &Program, func: FuncId) -> bool {
    let function = program.function(func);
    let branches = |node: &NodeId| {
        let node = program.node(*node);
        node.func == func && (node.outgoing.len() > 1 || node.loop_head)
    };
    function.defined
        && function.entry != function.exit
        && (program.node_ids().any(|node| branches(&node))
            || program.edge_ids().any(|edge| {
                program.node(program.edge(edge).from).func == func && matches!(program.edge(edge).op, Op::Call { .. })
            }))
}

/// Some functions, and all that they may call.
fn reachable(callees: &FxHashMap<FuncId, BTreeSet<FuncId>>, from: impl Iterator<Item = FuncId>) -> BTreeSet<FuncId> {
    let mut seen: BTreeSet<FuncId> = from.collect();
    let mut open: Vec<FuncId> = seen.iter().copied().collect();
    while let Some(func) = open.pop() {
        let called = callees.get(&func).into_iter().flatten().copied();
        open.extend(called.filter(|&callee| seen.insert(callee)));
    }
    seen
}
