//! The whole program: the start function, and all that the entry function needs.

use super::state::{Frame, Lowerer, START};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, Types};

impl<'u> Lowerer<'u> {
    /// Lowers everything that the entry function needs. The start function becomes function 0.
    pub(super) fn run(&mut self, entry: ast::FuncId) {
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
        let exit = self.functions[start.index()].exit;
        self.frame = Frame::new(ast::FuncId(u32::MAX), start, exit, 0);
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
    pub(super) fn mark_addresses_in_unused_initialisers(&mut self) {
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

    pub(super) fn initialiser_chain(&mut self, lower: impl FnOnce(&mut Self)) -> (NodeId, NodeId) {
        // Its parts belong to the start function, whatever was lowered last.
        let outer = (self.frame.func, self.frame.temps);
        (self.frame.func, self.frame.temps) = (START, self.start_temps);
        let from = self.new_node(Loc::NONE);
        self.cur = from;
        lower(self);
        self.start_temps = self.frame.temps;
        (self.frame.func, self.frame.temps) = outer;
        (from, self.cur)
    }

    pub(super) fn lower_function(&mut self, id: ast::FuncId) {
        let unit = self.unit;
        let function = unit.function(id);
        let body = function.body.as_ref().expect("only functions with a body are pending");
        let func = self.func_map[id.index()].expect("a pending function is known");
        let (entry, exit) = (self.functions[func.index()].entry, self.functions[func.index()].exit);
        self.frame = Frame::new(id, func, exit, body.labels.len());
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
