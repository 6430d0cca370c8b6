//! Functions that run before `main` and when the program ends.
//!
//! Constructors (GNU C) run in the order of their priorities, those of one priority in the order of their definitions; destructors in the reverse
//! order, after everything that `atexit` registered, as the linker and glibc have it. A destructor that calls `exit` is the last one that runs.
//!
//! `atexit`: functions that a program registers run when it ends normally, in reverse order (ISO C11, 7.22.4.2 and 7.22.4.4).
//!
//! The registered functions are a stack: an array of pointers and a count. `atexit` pushes, and one function of the start code pops and calls
//! until the stack is empty. It is called where `main` returns to, and by `exit` before the program ends there. A function that is registered while
//! the stack is being emptied comes next, as the standard says; a function that calls `exit` goes on with the rest, as with glibc.
//! The calls are calls through a pointer like others: points-to says which functions they may reach.
//!
//! The stack has as many places as the standard guarantees. Beyond that `atexit` fails, which the ledger says.

use super::state::{ExitStack, Lowerer};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{Callee, ExprId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, IntKind, Type, TypeId, Types};

/// The functions that can be registered, by ISO C11, 7.22.4.2.
const PLACES: u64 = 32;

impl Lowerer<'_> {
    /// The functions with a priority, in the order of priorities and definitions.
    fn prioritised(&self, priority: fn(&ast::FunctionAttributes) -> Option<u64>) -> Vec<ast::FuncId> {
        let functions = self.unit.functions.iter().enumerate();
        let mut found: Vec<(u64, Loc, ast::FuncId)> = functions
            .filter(|(_, f)| f.body.is_some() && f.owner.is_none())
            .filter_map(|(i, f)| Some((priority(&f.attributes)?, f.loc, ast::FuncId::from_index(i))))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, f)| f).collect()
    }

    /// Calls the constructors.
    pub(super) fn call_constructors(&mut self) {
        for constructor in self.prioritised(|attributes| attributes.constructor) {
            self.call_entry(constructor);
        }
    }

    /// Whether the program calls `atexit` and does not define it.
    fn registers_functions(&self) -> bool {
        let registrar = self.unit.function_named("atexit");
        let Some(registrar) = registrar.filter(|&f| self.unit.function(f).body.is_none()) else {
            return false;
        };
        let calls =
            |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Call { callee: Callee::Direct(f), .. } if f == registrar);
        self.unit.expressions().any(calls)
    }

    /// Prepares for a program that calls `atexit` and does not define it, or has destructors. Does nothing for others.
    pub(super) fn prepare_exit(&mut self, void_function: TypeId, loc: Loc) {
        let destructors = self.prioritised(|attributes| attributes.destructor);
        if destructors.is_empty() && !self.registers_functions() {
            return;
        }
        let destructors = (!destructors.is_empty()).then(|| {
            let running = self.static_variable("__provident_destructing", Types::INT, loc);
            let functions = destructors.into_iter().rev().map(|f| self.function(f)).collect();
            (running, functions)
        });
        let pointer = self.types.pointer_to(void_function);
        let array = self.types.intern(Type::Array {
            elem: pointer,
            len: ArrayLen::Fixed(PLACES),
        });
        let count = Types::int(IntKind::UInt);
        let places = self.static_variable("__provident_exit_functions", array, loc);
        let count = self.static_variable("__provident_exit_count", count, loc);
        let run = self.new_function("__provident_exit", void_function, loc);
        self.functions[run.index()].defined = true;
        self.exit_stack = Some(ExitStack {
            places,
            pointer,
            signature: void_function,
            count,
            run,
            destructors,
        });
    }

    /// A variable of the program's own frame, for what lowering needs.
    pub(super) fn static_variable(&mut self, name: &str, ty: TypeId, loc: Loc) -> Place {
        let var = self.new_var(Variable {
            name: name.to_owned(),
            display: name.to_owned(),
            ty,
            kind: VarKind::InitImage,
            func: None,
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        });
        Place::var(var, ty)
    }

    /// Lowers the function that empties the stack. It may be called last of all: nothing else is being lowered.
    pub(super) fn lower_exit(&mut self, loc: Loc) {
        let Some(stack) = self.exit_stack.take() else { return };
        let zero = Expr::int(0, stack.count.ty);
        let some = expr::binary(
            &self.types,
            BinOp::Gt,
            Expr::load(stack.count.clone()),
            zero,
            Types::INT,
        );
        self.frame.func = stack.run;
        let Function { entry, exit, .. } = self.functions[stack.run.index()];
        let (head, taken, called) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.connect(entry, head, loc);
        let empty = if stack.destructors.is_some() {
            self.new_node(loc)
        } else {
            exit
        };
        self.assume_edges(head, &some, taken, empty, loc);
        self.cur = taken;
        let less = self.moved_count(&stack, -1);
        let lhs = stack.count.clone();
        self.emit(Op::Assign { lhs, rhs: less }, loc);
        let pointer = Expr::load(self.exit_place(&stack));
        self.indirect.push(crate::cfa::raw::IndirectCall {
            from: self.cur,
            to: called,
            pointer,
            args: Vec::new(),
            incomplete: false,
            ret: None,
            signature: stack.signature,
            loc,
        });
        self.connect(called, head, loc);
        if let Some((running, functions)) = stack.destructors {
            self.cur = empty;
            self.run_destructors(running, &functions, exit, loc);
        }
    }

    /// Calls the destructors, unless they are running, and goes to `exit`.
    fn run_destructors(&mut self, running: Place, functions: &[FuncId], exit: NodeId, loc: Loc) {
        let first = self.new_node(loc);
        let from = self.cur;
        self.assume_edges(from, &Expr::load(running.clone()), exit, first, loc);
        self.cur = first;
        let rhs = Expr::int(1, Types::INT);
        self.emit(Op::Assign { lhs: running, rhs }, loc);
        for &func in functions {
            // Nothing is passed, whatever is declared.
            let params = self.functions[func.index()].params.clone();
            let types: Vec<TypeId> = params.iter().map(|p| self.vars[p.index()].ty).collect();
            let invent = |ty| self.invent(ty, Invention::Language, "an argument of a destructor", loc);
            let args = types.into_iter().map(invent).collect();
            self.emit(Op::Call { func, args, ret: None }, loc);
        }
        self.connect(self.cur, exit, loc);
    }

    /// The edges that empty the stack at the start of the program.
    pub(super) fn clear_exit_stack(&mut self, loc: Loc) {
        if let Some(stack) = &self.exit_stack {
            let (places, count) = (stack.places.clone(), stack.count.clone());
            let running = stack.destructors.as_ref().map(|(running, _)| running.clone());
            self.zero(places, loc);
            self.zero(count, loc);
            if let Some(running) = running {
                self.zero(running, loc);
            }
        }
    }

    /// Calls what is registered, where the program is about to end normally.
    pub(super) fn run_exit_functions(&mut self, loc: Loc) {
        if let Some(stack) = &self.exit_stack {
            let call = Op::Call {
                func: stack.run,
                args: Vec::new(),
                ret: None,
            };
            self.emit(call, loc);
        }
    }

    /// Lowers a call of `atexit`: its result, if it is wanted. `None` if the program has no stack.
    pub(super) fn register_at_exit(
        &mut self,
        arg: ExprId,
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<super::library::Modelled> {
        let stack = self.exit_stack.take()?;
        let text = format!("`atexit` registers up to {PLACES} functions at a time and fails for more");
        self.assume(AssumptionKind::Library, text, loc, false);
        let function = self.rvalue(arg);
        let function = expr::cast(&self.types, function, stack.pointer);
        let places = i64::try_from(PLACES).expect("a few");
        let limit = Expr::int(places, stack.count.ty);
        let room = expr::binary(
            &self.types,
            BinOp::Lt,
            Expr::load(stack.count.clone()),
            limit,
            Types::INT,
        );
        let result = (wanted && !self.types.is_void(ty)).then(|| Place::var(self.temp(ty, loc), ty));
        let (fits, full, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        let from = self.cur;
        self.assume_edges(from, &room, fits, full, loc);
        for (at, fails) in [(fits, false), (full, true)] {
            self.cur = at;
            if !fails {
                let lhs = self.exit_place(&stack);
                self.emit(
                    Op::Assign {
                        lhs,
                        rhs: function.clone(),
                    },
                    loc,
                );
                let rhs = self.moved_count(&stack, 1);
                self.emit(
                    Op::Assign {
                        lhs: stack.count.clone(),
                        rhs,
                    },
                    loc,
                );
            }
            if let Some(place) = &result {
                let rhs = Expr::int(i64::from(fails), ty);
                self.emit(
                    Op::Assign {
                        lhs: place.clone(),
                        rhs,
                    },
                    loc,
                );
            }
            self.connect(self.cur, join, loc);
        }
        self.cur = join;
        self.exit_stack = Some(stack);
        Some(result.map(Expr::load))
    }

    pub(super) fn assume_edges(&mut self, from: NodeId, cond: &Expr, holds: NodeId, fails: NodeId, loc: Loc) {
        for (to, truth) in [(holds, true), (fails, false)] {
            let cond = cond.clone();
            self.edge(from, to, Op::Assume { cond, truth }, loc);
        }
    }

    /// Goes on where a condition holds, and elsewhere if not. A constant needs no test.
    pub(super) fn go_on_if(&mut self, cond: Expr, elsewhere: NodeId, loc: Loc) {
        let known = cond.as_const().map(|c| !c.is_zero());
        match known {
            Some(true) => {}
            Some(false) => self.jump(elsewhere, loc),
            None => {
                let holds = self.new_node(loc);
                self.assume_edges(self.cur, &cond, holds, elsewhere, loc);
                self.cur = holds;
            }
        }
    }

    fn moved_count(&self, stack: &ExitStack, by: i64) -> Expr {
        let ty = stack.count.ty;
        let (op, by) = if by < 0 { (BinOp::Sub, -by) } else { (BinOp::Add, by) };
        expr::binary(&self.types, op, Expr::load(stack.count.clone()), Expr::int(by, ty), ty)
    }

    /// The place that the count says.
    fn exit_place(&self, stack: &ExitStack) -> Place {
        let mut place = stack.places.clone();
        let index = expr::cast(&self.types, Expr::load(stack.count.clone()), self.intptr);
        place.proj.push(Proj::Index(Box::new(index)));
        place.ty = stack.pointer;
        place
    }
}
