//! Which functions are blocks.
//!
//! Every function that lies on a cycle of the call graph is a block: so a block has at most two frames of one function on its call stack, and in every block the frames of the call stack have fixed
//! numbers. Other functions are blocks if they are called from several places. A function that is called once is explored where it is called: a summary that nobody finds again costs two abstractions.

use crate::cfa::{FuncId, Op, Program, is_call};
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;
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
}

/// The functions that are blocks, and what they call.
#[derive(Debug, Clone, Default)]
pub struct BlockFunctions {
    blocks: BTreeSet<FuncId>,
    /// For each block: itself, and then all functions that it may call, directly or not.
    within: FxHashMap<FuncId, Vec<FuncId>>,
}

/// Why a program has no blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoBlocks {
    /// Nothing is called that would be one.
    None,
    /// A function of a recursion has a variable in memory: each frame has it at another address, and a summary would speak of one.
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
            NoBlocks::None => f.write_str("the program has no function that is a block"),
            NoBlocks::Addressed { function, variable } => write!(
                f,
                "the variable `{variable}` of the recursive function `{function}` lies in memory, so no summary of the function holds for all its frames"
            ),
        }
    }
}

impl std::error::Error for NoBlocks {}

impl BlockFunctions {
    /// The blocks of a program.
    ///
    /// # Errors
    /// If there are none.
    pub fn new(program: &Program, bam: Bam) -> Result<BlockFunctions, NoBlocks> {
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
        for variable in &program.vars {
            if let Some(func) = variable.func.filter(|&func| recursive(func) && variable.in_memory) {
                return Err(NoBlocks::Addressed {
                    function: program.function(func).name.clone(),
                    variable: variable.display.clone(),
                });
            }
        }
        let is_block = |&func: &FuncId| {
            let called = sites.get(&func).copied().unwrap_or(0);
            match bam {
                Bam::Off => false,
                Bam::Recursion => recursive(func) && called > 0,
                Bam::Functions => (recursive(func) && called > 0) || (called > 1 && is_worthwhile(program, func)),
            }
        };
        let blocks: BTreeSet<FuncId> = program.function_ids().filter(is_block).collect();
        let at_once = |func: FuncId| program.function(func).entry == program.function(func).exit;
        if blocks.is_empty() || blocks.iter().any(|&func| at_once(func)) {
            return Err(NoBlocks::None);
        }
        let within = blocks
            .iter()
            .map(|&block| (block, reachable(&callees, block)))
            .collect();
        Ok(BlockFunctions { blocks, within })
    }

    /// Whether a function is a block.
    pub fn contains(&self, func: FuncId) -> bool {
        self.blocks.contains(&func)
    }

    /// The blocks.
    pub fn iter(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.blocks.iter().copied()
    }

    /// A block, and then all functions that it may call, directly or not.
    pub fn within(&self, block: FuncId) -> &[FuncId] {
        &self.within[&block]
    }
}

/// Whether a function is more than a few operations in a row: these are cheaper where they are called.
fn is_worthwhile(program: &Program, func: FuncId) -> bool {
    let function = program.function(func);
    let branches = |node: &crate::cfa::NodeId| {
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

/// A function, and then all that it may call, in the order of their numbers.
fn reachable(callees: &FxHashMap<FuncId, BTreeSet<FuncId>>, block: FuncId) -> Vec<FuncId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![block];
    while let Some(func) = open.pop() {
        open.extend(
            callees
                .get(&func)
                .into_iter()
                .flatten()
                .filter(|&&callee| seen.insert(callee)),
        );
    }
    seen.remove(&block);
    [block].into_iter().chain(seen).collect()
}
