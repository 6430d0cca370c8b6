//! The state of lowering.

use super::options::LowerOptions;
use super::touched::Order;
use crate::cfa::program::assumption::Assumption;
use crate::cfa::program::*;
use crate::cfa::raw::varargs::VarArgs;
use crate::cfa::raw::{IndirectCall, Jumps, Mark, Parts, RawNode};
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{ExprId, LabelId, LocalId, TranslationUnit};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{DataModel, TypeId, Types};
use provident_smt::hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::VecDeque;

pub(super) struct Lowerer<'u> {
    pub(super) unit: &'u TranslationUnit,
    pub(super) types: Types,
    pub(super) options: &'u LowerOptions,
    pub(super) vars: Vec<Variable>,
    pub(super) functions: Vec<Function>,
    pub(super) nodes: Vec<RawNode>,
    pub(super) edges: Vec<Edge>,
    pub(super) assumptions: Vec<Assumption>,
    pub(super) indirect: Vec<IndirectCall>,
    pub(super) marks: Vec<Mark>,
    pub(super) expected: Vec<Expected>,
    pub(super) func_map: Vec<Option<FuncId>>,
    /// Functions that a call treats as undefined although the library defines them, since it has too few arguments.
    pub(super) undefined: FxHashMap<ast::FuncId, FuncId>,
    pub(super) global_map: Vec<Option<VarId>>,
    pub(super) string_map: Vec<Option<VarId>>,
    /// The objects of string literals by type and content.
    pub(super) string_of: FxHashMap<(TypeId, &'u [u32], Option<ast::FuncId>), VarId>,
    pub(super) slots: Vec<Vec<Slot>>,
    pub(super) vlas: FxHashMap<u32, VarId>,
    pub(super) label_addresses: FxHashMap<(ast::FuncId, ast::LabelId), u64>,
    pub(super) global_names: FxHashMap<String, u32>,
    pub(super) pending_functions: VecDeque<ast::FuncId>,
    pub(super) pending_globals: VecDeque<ast::GlobalId>,
    pub(super) pending_strings: VecDeque<ast::StringId>,
    /// The variables that hold the addresses of weak functions without definition.
    pub(super) weak: FxHashMap<ast::FuncId, VarId>,
    pub(super) pending_weak: VecDeque<ast::FuncId>,
    /// Whether an expression has side effects; 0: not computed yet.
    pub(super) effects: Vec<u8>,
    /// The functions to run at the end, if the program registers any.
    pub(super) exit_stack: Option<ExitStack>,
    pub(super) varargs: VarArgs,
    pub(super) order: Order,
    pub(super) jumps: Option<Jumps>,
    pub(super) frame: Frame,
    /// The variable that holds the rounding mode, if the program uses one.
    pub(super) mode: OnceCell<Option<ast::GlobalId>>,
    /// Temporaries of the start function.
    pub(super) start_temps: u32,
    pub(super) cur: NodeId,
    pub(super) size_t: TypeId,
    pub(super) intptr: TypeId,
}

/// The first code address; function `n` has the address `CODE_BASE + 16 n`.
pub(super) const CODE_BASE: u64 = 0x1000;

pub(super) use crate::cfa::raw::START;

/// Addresses of labels for computed `goto`.
pub(super) const LABEL_BASE: u64 = 0x80_0000;

/// How an automatic variable is kept.
#[derive(Clone, Copy)]
pub(super) enum Slot {
    Unseen,
    Var(VarId),
    /// A variable-length array, or a variable that ends with its block: the variable points to it.
    Pointed(VarId),
}

/// The state of a function that is being lowered.
pub(super) struct Frame {
    pub(super) ast: ast::FuncId,
    pub(super) func: FuncId,
    pub(super) exit: NodeId,
    pub(super) labels: Vec<Option<NodeId>>,
    /// Where `break` leads, and how many cleanups are pending there.
    pub(super) breaks: Vec<(NodeId, usize)>,
    pub(super) continues: Vec<(NodeId, usize)>,
    pub(super) cleanups: Cleanups,
    pub(super) switches: Vec<Cases>,
    pub(super) names: FxHashMap<String, u32>,
    pub(super) temps: u32,
    /// The blocks that are open, the function's own first. A `for` and a statement expression are blocks, too.
    pub(super) blocks: Vec<ast::StmtId>,
}

impl Frame {
    /// The state at the beginning of a function.
    pub(super) fn new(ast: ast::FuncId, func: FuncId, exit: NodeId, labels: usize) -> Frame {
        Frame {
            ast,
            func,
            exit,
            labels: vec![None; labels],
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: Cleanups::default(),
            blocks: Vec::new(),
            switches: Vec::new(),
            names: FxHashMap::default(),
            temps: 0,
        }
    }
}

/// An empty edge that becomes an assumption if `main` reads a parameter.
pub(super) struct Expected {
    pub(super) edge: usize,
    pub(super) cond: Expr,
    pub(super) func: FuncId,
    /// The position of the parameter.
    pub(super) param: usize,
}

/// Something that is done at the end of a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pending {
    /// This call is evaluated.
    Call(ExprId),
    /// This variable ends.
    End(LocalId),
}

/// A `goto` that starts where calls are pending.
pub(super) struct Jump {
    pub(super) from: NodeId,
    pub(super) label: LabelId,
    pub(super) pending: Vec<Pending>,
    pub(super) loc: Loc,
}

/// The state of one function.
#[derive(Default)]
pub(super) struct Cleanups {
    pub(super) pending: Vec<Pending>,
    pub(super) jumps: Vec<Jump>,
    /// The pending cleanups at labels, if there are any.
    pub(super) labels: FxHashMap<LabelId, Vec<Pending>>,
}

/// The additional parts of a program with registered functions.
pub(super) struct ExitStack {
    /// The array of pointers.
    pub(super) places: Place,
    /// The type of its elements.
    pub(super) pointer: TypeId,
    /// The type to which they point.
    pub(super) signature: TypeId,
    /// How many are registered.
    pub(super) count: Place,
    /// The function that empties the stack.
    pub(super) run: FuncId,
    /// In the order in which they run, with the variable that says that they are running.
    pub(super) destructors: Option<(Place, Vec<FuncId>)>,
}

/// The cases of a `switch` whose body is being lowered.
#[derive(Default)]
pub(super) struct Cases {
    /// Bounds and target, in program order.
    pub(super) cases: Vec<(i128, i128, NodeId, Loc)>,
    pub(super) default: Option<NodeId>,
}

impl<'u> Lowerer<'u> {
    pub(super) fn new(unit: &'u TranslationUnit, mut types: Types, options: &'u LowerOptions) -> Self {
        let varargs = VarArgs::new(unit, &mut types);
        let model: DataModel = types.data_model();
        let frame = Frame::new(ast::FuncId(u32::MAX), FuncId(0), NodeId(1), 0);
        Lowerer {
            unit,
            options,
            vars: Vec::new(),
            functions: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            assumptions: Vec::new(),
            indirect: Vec::new(),
            marks: Vec::new(),
            expected: Vec::new(),
            func_map: vec![None; unit.functions.len()],
            undefined: FxHashMap::default(),
            global_map: vec![None; unit.globals.len()],
            string_map: vec![None; unit.strings.len()],
            string_of: FxHashMap::default(),
            slots: vec![Vec::new(); unit.functions.len()],
            vlas: FxHashMap::default(),
            label_addresses: FxHashMap::default(),
            global_names: FxHashMap::default(),
            pending_functions: VecDeque::new(),
            pending_globals: VecDeque::new(),
            pending_strings: VecDeque::new(),
            weak: FxHashMap::default(),
            pending_weak: VecDeque::new(),
            effects: Vec::new(),
            exit_stack: None,
            varargs,
            order: Order::default(),
            jumps: None,
            frame,
            mode: OnceCell::new(),
            start_temps: 0,
            cur: NodeId(0),
            size_t: Types::int(model.size_t()),
            intptr: Types::int(model.ptrdiff_t()),
            types,
        }
    }

    pub(super) fn into_parts(self) -> Parts {
        Parts {
            types: self.types,
            vars: self.vars,
            functions: self.functions,
            nodes: self.nodes,
            edges: self.edges,
            assumptions: self.assumptions,
            indirect: self.indirect,
            marks: self.marks,
            tracked: Vec::new(),
            varargs: self.varargs,
            jumps: self.jumps,
        }
    }
}
