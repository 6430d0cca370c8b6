//! Lowering: from the typed syntax tree to control-flow automata.
//!
//! Only what the entry function needs is lowered: a function when it is first called or its address is first taken, a global
//! variable, with its initialiser, when it is first named. A driver of 30 000 lines shrinks to what its entry points use.
//!
//! The control flow is built with a current node: an operation makes a new node and an edge to it. A jump makes an edge to its
//! target and continues at a fresh node that nothing reaches. Such nodes, and the empty edges that join the pieces, are removed by
//! [`finish`](self::finish). Calls through pointers are [expanded](super::calls) before, since their candidates are known only when everything is lowered.
//!
//! Evaluation order is that of gcc where C leaves it open: a value that is read before a side effect is saved in a temporary, but only if the side
//! effect could change it.
//!
//! | module | lowers |
//! |---|---|
//! | `stmt` | statements, jumps, conditions |
//! | `expr` | values, side effects, assignments |
//! | `place` | addresses, pointer arithmetic, places |
//! | `init` | initialisers, string literals, declarations |
//! | `sizes` | sizes that are known at run time only |
//! | `call` | calls of all kinds |
//! | `cleanup` | calls of the `cleanup` attribute |
//! | `format` | calls of the `printf` family with a literal format |
//! | `exit` | functions that run before `main`, and when the program ends |
//! | `names` | what the program names: functions, variables, string literals |
//! | `options` | what lowering has to be told |
//! | `order` | where the order of evaluation matters |
//! | `jump` | `setjmp` and `longjmp` |
//! | `library` | calls of undefined functions that have a model |
//! | `varargs` | variable arguments |
//! | `weak` | functions that may be absent |
//! | [`weave`] | adding operations to a program before it is finished |
//! | `jumps` | the meaning of `setjmp` and `longjmp` in the finished graph |
//! | `arguments` | the parameters of `main` |
//! | `atomic` | atomic builtins |
//! | `builtin` | builtins that compute |
//! | `math` | calls that are operations on values |
//! | `parts` | complex numbers, vectors, decimal numbers |
//! | `reallocate` | `realloc` and its relatives |
//! | `scan` | calls of the `scanf` family |
//! | `finish` | the finished program |

pub(super) mod finish;
pub(super) mod jumps;
pub mod weave;

mod arguments;
mod atomic;
mod builtin;
mod call;
mod cleanup;
mod exit;
mod expr;
mod format;
mod init;
mod jump;
mod library;
mod math;
mod names;
mod options;
mod order;
mod parts;
mod place;
mod reallocate;
mod scan;
mod sizes;
mod stmt;
pub(super) mod varargs;
mod weak;

use super::program::assumption::{Assumption, AssumptionKind};
use super::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::TranslationUnit;
use crate::frontend::text::diagnostics::{Diagnostic, Diagnostics};
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{DataModel, IntInfo, Type, TypeId, Types};
use jumps::Jumps;
use provident_smt::hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::VecDeque;
use weave::{Mark, Weaver};

pub(super) use library::effects_of_undefined;
pub use options::{LibraryUse, LowerOptions};

/// Turns a translation unit into control-flow automata.
///
/// # Errors
///
/// The entry function is not defined, or static data does not fit into the address space.
pub fn lower(unit: TranslationUnit, options: &LowerOptions) -> Result<Program, Diagnostics> {
    lower_woven(unit, options, &mut |_| ())
}

/// As [`lower`], and lets `weave` add operations before the program is finished.
///
/// # Errors
///
/// As [`lower`].
pub fn lower_woven(
    unit: TranslationUnit,
    options: &LowerOptions,
    weave: &mut dyn FnMut(&mut Weaver<'_>),
) -> Result<Program, Diagnostics> {
    let mut unit = unit;
    let Some(entry) = unit
        .function_named(&options.entry)
        .filter(|&f| unit.function(f).body.is_some())
    else {
        let message = format!("the entry function `{}` is not defined", options.entry);
        return Err(diagnostic(message, unit.source));
    };
    let model = unit.data_model();
    let types = std::mem::replace(&mut unit.types, Types::new(model));
    let mut lowerer = Lowerer::new(&unit, types, options);
    lowerer.run(entry);
    lowerer.settle_arguments();
    let parts = lowerer.into_parts();
    let TranslationUnit { source, typedefs, .. } = unit;
    finish::finish(parts, source, options, &mut |parts| {
        weave(&mut Weaver::new(parts, &typedefs))
    })
    .map_err(|failure| diagnostic(failure.0, failure.1))
}

fn diagnostic(message: String, source: SourceMap) -> Diagnostics {
    let list = vec![Diagnostic {
        loc: Loc::NONE,
        len: 0,
        message,
        label: String::new(),
    }];
    Diagnostics::new(list, source)
}

/// A call through a pointer that waits for the candidates to be known.
pub(super) struct IndirectCall {
    pub from: NodeId,
    pub to: NodeId,
    pub pointer: Expr,
    pub args: Vec<Expr>,
    /// Whether arguments were left out because of their types.
    pub incomplete: bool,
    pub ret: Option<Place>,
    /// The function type that the pointer points to.
    pub signature: TypeId,
    pub loc: Loc,
}

/// The unfinished program that lowering hands to [`finish`].
pub(super) struct Parts {
    pub types: Types,
    pub vars: Vec<Variable>,
    pub functions: Vec<Function>,
    pub nodes: Vec<RawNode>,
    pub edges: Vec<Edge>,
    pub assumptions: Vec<Assumption>,
    pub indirect: Vec<IndirectCall>,
    pub marks: Vec<Mark>,
    pub tracked: Vec<ExplicitVar>,
    pub varargs: varargs::VarArgs,
    pub jumps: Option<Jumps>,
}

impl Parts {
    /// A new node of a function.
    pub fn add_node(&mut self, func: FuncId, loc: Loc) -> NodeId {
        self.nodes.push(RawNode {
            func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(self.nodes.len() - 1)
    }
}

/// A node before the edges are attached to it.
pub(super) struct RawNode {
    pub func: FuncId,
    pub loc: Loc,
    pub label: Option<String>,
    /// Whether it is the head of a loop statement, whose position it keeps.
    pub is_loop: bool,
}

/// How an automatic variable is kept.
#[derive(Clone, Copy)]
enum Slot {
    Unseen,
    Var(VarId),
    /// A variable-length array: the variable points to it.
    Pointed(VarId),
}

/// What is known of a function that is being lowered.
struct Frame {
    ast: ast::FuncId,
    func: FuncId,
    exit: NodeId,
    labels: Vec<Option<NodeId>>,
    /// Where `break` leads, and how many cleanups are pending there.
    breaks: Vec<(NodeId, usize)>,
    continues: Vec<(NodeId, usize)>,
    cleanups: cleanup::Cleanups,
    switches: Vec<stmt::Cases>,
    names: FxHashMap<String, u32>,
    temps: u32,
}

pub(super) struct Lowerer<'u> {
    unit: &'u TranslationUnit,
    types: Types,
    options: &'u LowerOptions,
    vars: Vec<Variable>,
    functions: Vec<Function>,
    nodes: Vec<RawNode>,
    edges: Vec<Edge>,
    assumptions: Vec<Assumption>,
    indirect: Vec<IndirectCall>,
    marks: Vec<Mark>,
    expected: Vec<arguments::Expected>,
    func_map: Vec<Option<FuncId>>,
    /// Functions that a call treats as undefined although the library defines them, since it has too few arguments.
    undefined: FxHashMap<ast::FuncId, FuncId>,
    global_map: Vec<Option<VarId>>,
    string_map: Vec<Option<VarId>>,
    slots: Vec<Vec<Slot>>,
    vlas: FxHashMap<u32, VarId>,
    label_addresses: FxHashMap<(ast::FuncId, ast::LabelId), u64>,
    global_names: FxHashMap<String, u32>,
    pending_functions: VecDeque<ast::FuncId>,
    pending_globals: VecDeque<ast::GlobalId>,
    pending_strings: VecDeque<ast::StringId>,
    /// The variables that hold the addresses of weak functions without definition.
    weak: FxHashMap<ast::FuncId, VarId>,
    pending_weak: VecDeque<ast::FuncId>,
    /// Whether an expression has side effects; 0: not computed yet.
    effects: Vec<u8>,
    /// The functions to run at the end, if the program registers any.
    exit_stack: Option<exit::ExitStack>,
    varargs: varargs::VarArgs,
    order: order::Order,
    jumps: Option<Jumps>,
    frame: Frame,
    /// The variable that holds the rounding mode, if the program uses one.
    mode: OnceCell<Option<ast::GlobalId>>,
    /// Temporaries of the start function.
    start_temps: u32,
    cur: NodeId,
    size_t: TypeId,
    intptr: TypeId,
}

/// The first code address; function `n` has the address `CODE_BASE + 16 n`.
const CODE_BASE: u64 = 0x1000;
/// The start function.
const START: FuncId = FuncId(0);
/// Addresses of labels for computed `goto`.
const LABEL_BASE: u64 = 0x80_0000;

impl<'u> Lowerer<'u> {
    fn new(unit: &'u TranslationUnit, mut types: Types, options: &'u LowerOptions) -> Self {
        let varargs = varargs::VarArgs::new(unit, &mut types);
        let model: DataModel = types.data_model();
        let frame = Frame {
            ast: ast::FuncId(u32::MAX),
            func: FuncId(0),
            exit: NodeId(1),
            labels: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: cleanup::Cleanups::default(),
            switches: Vec::new(),
            names: FxHashMap::default(),
            temps: 0,
        };
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
            order: order::Order::default(),
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

    /// Lowers everything that the entry function needs. The start function becomes function 0.
    fn run(&mut self, entry: ast::FuncId) {
        let void_function = Type::Function {
            ret: Types::VOID,
            params: Box::new([]),
            variadic: false,
            prototyped: true,
        };
        let void_function = self.types.intern(void_function);
        let loc = self.unit.function(entry).loc;
        let start = self.new_function("__provident_start", void_function, loc);
        self.functions[start.index()].defined = true;
        let start_frame = Frame {
            ast: ast::FuncId(u32::MAX),
            func: start,
            exit: self.functions[start.index()].exit,
            labels: Vec::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: cleanup::Cleanups::default(),
            switches: Vec::new(),
            names: FxHashMap::default(),
            temps: 0,
        };
        self.frame = start_frame;
        let first = self.functions[start.index()].entry;
        let after_init = self.new_node(loc);
        self.cur = after_init;
        self.prepare_exit(void_function, loc);
        self.clear_exit_stack(loc);
        self.prepare_jumps(loc);
        self.call_constructors();
        self.call_entry(entry);
        if self.unit.function(entry).name.as_ref() == "main" {
            self.run_exit_functions(loc);
        }
        self.jump(self.frame.exit, loc);
        self.start_temps = self.frame.temps;

        // Lowering a function may name globals and strings, and their initialisers may name functions. The order of
        // initialisation does not matter, since initialisers are constants; program order reads best.
        let mut chains = Vec::new();
        loop {
            if let Some(f) = self.pending_functions.pop_front() {
                self.lower_function(f);
            } else if let Some(g) = self.pending_globals.pop_front() {
                chains.push(((1, g.0), self.initialiser_chain(|this| this.initialise_global(g))));
            } else if let Some(s) = self.pending_strings.pop_front() {
                chains.push(((0, s.0), self.initialiser_chain(|this| this.initialise_string(s))));
            } else if let Some(f) = self.pending_weak.pop_front() {
                chains.push(((0, f.0), self.initialiser_chain(|this| this.initialise_weak(f))));
            } else {
                break;
            }
        }
        self.lower_exit(loc);
        self.mark_addresses_in_unused_initialisers();
        chains.sort_by_key(|&(key, _)| key);
        let mut last = first;
        for (_, (from, to)) in chains {
            self.connect(last, from, loc);
            last = to;
        }
        self.connect(last, after_init, loc);
        let text = "signed overflow wraps around, as with gcc -fwrapv".to_owned();
        self.assume(AssumptionKind::SignedWrap, text, Loc::NONE, true);
    }

    /// Globals that the program never names are not lowered, but the addresses in their initialisers exist: a pointer that is an
    /// input may hold them.
    fn mark_addresses_in_unused_initialisers(&mut self) {
        let unit = self.unit;
        let unused = unit
            .globals
            .iter()
            .zip(&self.global_map)
            .filter(|(_, var)| var.is_none());
        let mut named = Vec::new();
        for init in unused.filter_map(|(global, _)| global.init) {
            let mut open: Vec<ast::ExprId> = unit.init(init).entries.iter().map(|entry| entry.value).collect();
            while let Some(id) = open.pop() {
                match unit.expr(id).kind {
                    ast::ExprKind::Global(global) => named.extend(self.global_map[global.index()]),
                    ast::ExprKind::Cast(_, e) | ast::ExprKind::AddressOf(e) | ast::ExprKind::Deref(e) => open.push(e),
                    ast::ExprKind::Member { base, .. } | ast::ExprKind::Index { base, .. } => open.push(base),
                    ast::ExprKind::PointerAdd { pointer, .. } => open.push(pointer),
                    ast::ExprKind::Conditional(_, a, b) | ast::ExprKind::Binary(_, a, b) => open.extend([a, b]),
                    _ => {}
                }
            }
        }
        for var in named {
            self.vars[var.index()].escapes = true;
        }
    }

    fn initialiser_chain(&mut self, lower: impl FnOnce(&mut Self)) -> (NodeId, NodeId) {
        // What it is made of belongs to the start function, whatever was lowered last.
        let outer = (self.frame.func, self.frame.temps);
        (self.frame.func, self.frame.temps) = (START, self.start_temps);
        let from = self.new_node(Loc::NONE);
        self.cur = from;
        lower(self);
        self.start_temps = self.frame.temps;
        (self.frame.func, self.frame.temps) = outer;
        (from, self.cur)
    }

    /// Calls a function that the environment calls: with any arguments.
    fn call_entry(&mut self, entry: ast::FuncId) {
        let func = self.function(entry);
        let unit = self.unit;
        let function = unit.function(entry);
        let body = function.body.as_ref().expect("the caller looked for a body");
        let mut args = Vec::new();
        for &param in &body.params {
            let local = &body.locals[param.index()];
            if self.is_opaque(local.ty) {
                continue;
            }
            let var = self.temp(local.ty, local.loc);
            let place = Place::var(var, local.ty);
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source: Input::EntryParam,
                },
                local.loc,
            );
            args.push(Expr::load(place));
        }
        self.expect_arguments(&function.name, &args, func, function.loc);
        args.extend(self.entry_varargs(func, function.loc));
        self.emit(Op::Call { func, args, ret: None }, function.loc);
    }

    fn into_parts(self) -> Parts {
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

    // ---- building ----------------------------------------------------------------------------------------------------

    fn new_node(&mut self, loc: Loc) -> NodeId {
        self.nodes.push(RawNode {
            func: self.frame.func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(self.nodes.len() - 1)
    }

    fn new_function(&mut self, name: &str, ty: TypeId, loc: Loc) -> FuncId {
        let func = FuncId::new(self.functions.len());
        let outer = std::mem::replace(&mut self.frame.func, func);
        let (entry, exit) = (self.new_node(loc), self.new_node(loc));
        self.frame.func = outer;
        let name = unique(&mut self.global_names, name);
        self.functions.push(Function {
            name,
            ty,
            params: Vec::new(),
            ret: None,
            entry,
            exit,
            defined: false,
            library: false,
            noreturn: false,
            recursive: false,
            address: CODE_BASE + 16 * u64::from(func.0),
            address_taken: false,
            loc,
        });
        func
    }

    /// Adds an edge from the current node to a new one, which becomes the current one.
    fn emit(&mut self, op: Op, loc: Loc) {
        let to = self.new_node(loc);
        self.edges.push(Edge {
            from: self.cur,
            to,
            op,
            loc,
        });
        self.cur = to;
    }

    fn edge(&mut self, from: NodeId, to: NodeId, op: Op, loc: Loc) {
        self.edges.push(Edge { from, to, op, loc });
    }

    fn connect(&mut self, from: NodeId, to: NodeId, loc: Loc) {
        self.edge(from, to, Op::Nop, loc);
    }

    /// Goes to `to`; what follows is unreachable unless something else leads to it.
    fn jump(&mut self, to: NodeId, loc: Loc) {
        self.connect(self.cur, to, loc);
        self.cur = self.new_node(loc);
    }

    fn assume(&mut self, kind: AssumptionKind, detail: String, loc: Loc, sound: bool) {
        self.assumptions.push(Assumption {
            kind,
            detail,
            loc,
            sound,
        });
    }

    /// A new temporary of the current function.
    fn temp(&mut self, ty: TypeId, loc: Loc) -> VarId {
        self.frame.temps += 1;
        let display = format!("${}", self.frame.temps);
        let func = self.frame.func;
        let name = format!("{}::{display}", self.functions[func.index()].name);
        self.new_var(Variable {
            name,
            display,
            ty,
            kind: VarKind::Temp,
            func: Some(func),
            in_memory: false,
            escapes: false,
            address: None,
            relevant: true,
            loc,
        })
    }

    fn new_var(&mut self, variable: Variable) -> VarId {
        self.vars.push(variable);
        VarId::new(self.vars.len() - 1)
    }

    pub(super) fn has_variable_length(&self, ty: TypeId) -> bool {
        use crate::frontend::types::ArrayLen;
        match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Variable(_),
                ..
            } => true,
            Type::Array { elem, .. } => self.has_variable_length(elem),
            Type::Record(record) => self.types.record(record).variable,
            _ => false,
        }
    }

    /// Types whose values no analysis looks into: they are objects that hold anything, and never operands.
    fn is_opaque(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Complex(_) | Type::Vector { .. })
    }

    fn int_info(&self, ty: TypeId) -> Option<IntInfo> {
        self.types.integer(ty)
    }

    fn lower_function(&mut self, id: ast::FuncId) {
        let unit = self.unit;
        let function = unit.function(id);
        let body = function.body.as_ref().expect("only functions with a body are pending");
        let func = self.func_map[id.index()].expect("a pending function is known");
        let (entry, exit) = (self.functions[func.index()].entry, self.functions[func.index()].exit);
        self.frame = Frame {
            ast: id,
            func,
            exit,
            labels: vec![None; body.labels.len()],
            breaks: Vec::new(),
            continues: Vec::new(),
            cleanups: cleanup::Cleanups::default(),
            switches: Vec::new(),
            names: FxHashMap::default(),
            temps: 0,
        };
        self.nodes[exit.index()].loc = body.end;
        self.cur = entry;
        for &param in &body.params {
            let local = &body.locals[param.index()];
            if self.is_opaque(local.ty) {
                let place = self.local_place(id, param);
                let source = self.opaque_value(place.ty);
                self.emit(Op::Havoc { place, source }, local.loc);
            }
        }
        self.evaluate_lengths(&body.lengths);
        self.statement(body.root);
        if let Some(ret) = self.functions[func.index()].ret {
            // Control may reach the end: then `main` returns 0, and any other function has no defined result.
            let place = Place::var(ret, self.vars[ret.index()].ty);
            let op = if &*function.name == "main" && self.int_info(place.ty).is_some() {
                let rhs = Expr::int(0, place.ty);
                Op::Assign { lhs: place, rhs }
            } else {
                Op::Havoc {
                    place,
                    source: Input::Uninitialised,
                }
            };
            self.emit(op, body.end);
        }
        self.connect(self.cur, exit, body.end);
        self.finish_jumps();
    }
}

/// `base` the first time, then `base$2`, `base$3`, ...
fn unique(names: &mut FxHashMap<String, u32>, base: &str) -> String {
    match names.get_mut(base) {
        None => {
            names.insert(base.to_owned(), 1);
            base.to_owned()
        }
        Some(n) => {
            *n += 1;
            format!("{base}${n}")
        }
    }
}
