//! Operations and expressions as C text, for traces, predicates and graphs.

use crate::cfa::program::*;
use crate::frontend::types::TypeId;
use crate::frontend::types::float;
use std::fmt::Write;

/// Writes the parts of a program as C text.
#[derive(Clone, Copy)]
pub struct Printer<'p> {
    program: &'p Program,
    qualified: bool,
}

impl<'p> Printer<'p> {
    /// With names as they stand in the source.
    pub fn new(program: &'p Program) -> Self {
        Printer {
            program,
            qualified: false,
        }
    }

    /// With names that are unique in the program: `f::x`, `f::x$2`.
    pub fn qualified(program: &'p Program) -> Self {
        Printer {
            program,
            qualified: true,
        }
    }

    /// The name of a variable.
    pub fn var(&self, id: VarId) -> &'p str {
        let variable = self.program.var(id);
        if self.qualified && variable.kind != VarKind::StringLiteral {
            &variable.name
        } else {
            &variable.display
        }
    }

    fn ty(&self, id: TypeId) -> String {
        self.program.types.display(id)
    }

    /// A place as a C lvalue.
    pub fn place(&self, place: &Place) -> String {
        let mut text = String::new();
        let mut proj = &place.proj[..];
        match &place.base {
            PlaceBase::Var(v) => text.push_str(self.var(*v)),
            PlaceBase::Deref(ptr) => {
                if let [Proj::Field { record, field }, rest @ ..] = proj {
                    self.expr_into(ptr, 15, &mut text);
                    text.push_str("->");
                    text.push_str(&self.field(*record, *field));
                    proj = rest;
                } else {
                    if !proj.is_empty() {
                        text.push('(');
                    }
                    text.push('*');
                    self.expr_into(ptr, 14, &mut text);
                    if !proj.is_empty() {
                        text.push(')');
                    }
                }
            }
        }
        for step in proj {
            match step {
                Proj::Field { record, field } => {
                    text.push('.');
                    text.push_str(&self.field(*record, *field));
                }
                Proj::Index(index) => {
                    text.push('[');
                    self.expr_into(index, 0, &mut text);
                    text.push(']');
                }
            }
        }
        text
    }

    fn field(&self, record: crate::frontend::types::RecordId, field: u32) -> String {
        match &self.program.types.record(record).fields[field as usize].name {
            Some(name) => name.to_string(),
            None => format!("<{field}>"),
        }
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        let mut text = String::new();
        self.expr_into(expr, 0, &mut text);
        text
    }

    /// Appends an expression, in parentheses if it binds less than `strength`.
    fn expr_into(&self, expr: &Expr, strength: u32, text: &mut String) {
        match &expr.kind {
            ExprKind::Const(value) => self.constant(value, expr.ty, text),
            ExprKind::Float(bits) => match self.program.types.format(expr.ty) {
                Some(format) => text.push_str(&float::show(format, *bits)),
                None => write!(text, "{bits:#x}").expect("writing to a string"),
            },
            ExprKind::Math(op, operands) => {
                write!(text, "{}(", op.name()).expect("writing to a string");
                for (i, operand) in operands.iter().enumerate() {
                    text.push_str(if i > 0 { ", " } else { "" });
                    self.expr_into(operand, 0, text);
                }
                text.push(')');
            }
            ExprKind::Load(place) => text.push_str(&self.place(place)),
            // The address of the first element is how an array reads as a value.
            ExprKind::AddrOf(place) => match place.proj.split_last() {
                Some((Proj::Index(index), front)) if index.as_const().is_some_and(|i| i.is_zero()) => {
                    let array = Place {
                        base: place.base.clone(),
                        proj: front.to_vec(),
                        ty: place.ty,
                        bits: None,
                    };
                    text.push_str(&self.place(&array));
                }
                _ => {
                    text.push('&');
                    text.push_str(&self.place(place));
                }
            },
            ExprKind::FuncAddr(f) => {
                text.push('&');
                text.push_str(&self.program.function(*f).name);
            }
            ExprKind::Unary(op, inner) => {
                text.push_str(match op {
                    UnOp::Neg => "-",
                    UnOp::BitNot => "~",
                    UnOp::LogNot => "!",
                });
                self.expr_into(inner, 14, text);
            }
            ExprKind::Cast(inner) => {
                let open = strength > 14;
                if open {
                    text.push('(');
                }
                write!(text, "({})", self.ty(expr.ty)).expect("writing to a string");
                self.expr_into(inner, 14, text);
                if open {
                    text.push(')');
                }
            }
            ExprKind::Binary(op, left, right) => {
                let own = binding(*op);
                let open = strength > own;
                if open {
                    text.push('(');
                }
                if self.program.types.is_pointer(expr.ty) {
                    // Offsets are in bytes.
                    text.push_str("(char *)");
                    self.expr_into(left, 14, text);
                } else {
                    self.expr_into(left, own, text);
                }
                write!(text, " {} ", symbol(*op)).expect("writing to a string");
                self.expr_into(right, own + 1, text);
                if open {
                    text.push(')');
                }
            }
        }
    }

    fn constant(&self, value: &provident_smt::num::Int, ty: TypeId, text: &mut String) {
        write!(text, "{value}").expect("writing to a string");
        if let Some(info) = self.program.types.integer(ty) {
            let unsigned = !info.signed && info.width >= 32 && !self.program.types.is_pointer(ty);
            let long = info.width == 64;
            text.push_str(match (unsigned, long && !self.program.types.is_pointer(ty)) {
                (true, true) => "UL",
                (true, false) => "U",
                (false, true) => "L",
                (false, false) => "",
            });
        }
    }

    fn args(&self, args: &[Expr]) -> String {
        args.iter().map(|a| self.expr(a)).collect::<Vec<_>>().join(", ")
    }

    fn call(&self, func: FuncId, args: &[Expr], ret: &Option<Place>) -> String {
        let call = format!("{}({});", self.program.function(func).name, self.args(args));
        match ret {
            Some(place) => format!("{} = {call}", self.place(place)),
            None => call,
        }
    }

    /// An assumption, as a condition.
    pub fn condition(&self, cond: &Expr, truth: bool) -> String {
        let is_test = match &cond.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            _ => false,
        };
        match (is_test, truth) {
            (true, true) => self.expr(cond),
            (true, false) => format!("!({})", self.expr(cond)),
            (false, _) => {
                let mut text = String::new();
                self.expr_into(cond, binding(BinOp::Eq) + 1, &mut text);
                text + if truth { " != 0" } else { " == 0" }
            }
        }
    }

    /// An operation as a C statement, or `[condition]`.
    pub fn op(&self, op: &Op) -> String {
        match op {
            Op::Nop => String::new(),
            Op::Label(name) => format!("{name}:"),
            Op::Bypass(watcher) => format!("bypass {}", watcher.index()),
            Op::Assume { cond, truth } => format!("[{}]", self.condition(cond, *truth)),
            Op::Assign { lhs, rhs } => format!("{} = {};", self.place(lhs), self.expr(rhs)),
            Op::Zero { place } => format!("{} = {{0}};", self.place(place)),
            Op::Havoc { place, source } => {
                let place = self.place(place);
                match source {
                    Input::Nondet { function } => format!("{place} = {function}();"),
                    Input::Uninitialised => format!("{place} = <uninitialised>;"),
                    Input::External { function } => format!("{place} = <written by {function}>;"),
                    Input::EntryParam => format!("{place} = <entry parameter>;"),
                    Input::ExternVariable { name } => format!("{place} = <extern variable {name}>;"),
                    Input::Choice(what) | Input::Invented { what, .. } => format!("{place} = <{what}>;"),
                    Input::LeftOut => format!("{place} = <left out>;"),
                }
            }
            Op::Call { func, args, ret } => self.call(*func, args, ret),
            Op::External { func, args, ret } => format!("extern {}", self.call(*func, args, ret)),
            Op::Allocate {
                lhs,
                size,
                zero,
                kind,
                may_fail,
            } => format!(
                "{} = <{}{} {} bytes{}>;",
                self.place(lhs),
                if kind.is_on_stack() { "stack" } else { "heap" },
                if *zero { " zeroed" } else { "" },
                self.expr(size),
                if *may_fail { " or null" } else { "" }
            ),
            Op::Inspect { lhs, question } => format!("{} = <{}>;", self.place(lhs), self.question(question)),
            Op::Free { ptr, kind } => match kind {
                AllocKind::Stack | AllocKind::Block => format!("<end of {}>;", self.expr(ptr)),
                _ => format!("free({});", self.expr(ptr)),
            },
            Op::MemSet { dst, byte, len } => {
                format!("memset({}, {}, {});", self.expr(dst), self.expr(byte), self.expr(len))
            }
            Op::MemCopy { dst, src, len } => {
                format!("memmove({}, {}, {});", self.expr(dst), self.expr(src), self.expr(len))
            }
            Op::Mark { ptr, len, written } => {
                let bytes = len.as_ref().map_or("all".to_owned(), |len| self.expr(len));
                let written = self.expr(written);
                format!("{bytes} bytes at {} count as written: {written}", self.expr(ptr))
            }
            Op::Asm { outputs, text, .. } => {
                let outputs: Vec<String> = outputs.iter().map(|p| self.place(p)).collect();
                format!("asm({:?} : {});", text, outputs.join(", "))
            }
        }
    }

    fn question(&self, question: &Inspection) -> String {
        match question {
            Inspection::Size(ptr) => format!("bytes of {}", self.expr(ptr)),
            Inspection::Accessible { ptr, len, write } => format!(
                "whether {} bytes at {} are in an object{}",
                self.expr(len),
                self.expr(ptr),
                if *write { " that may be written" } else { "" }
            ),
            Inspection::Written { ptr, len } => {
                format!("whether {} bytes at {} were written", self.expr(len), self.expr(ptr))
            }
            Inspection::Releasable(ptr) => format!("whether {} can be freed", self.expr(ptr)),
            Inspection::Tracked => "whether all heap objects are pointed to".to_owned(),
            Inspection::Released => "whether no heap object is left".to_owned(),
        }
    }

    /// One function, one line per edge: `3* -> 4: x = x + 1;`, a star at loop heads. Nodes are numbered by [`Node::rpo`].
    pub fn function(&self, func: FuncId) -> String {
        let program = self.program;
        let function = program.function(func);
        let params: Vec<&str> = function.params.iter().map(|&p| self.var(p)).collect();
        let mut text = format!("{}({})", function.name, params.join(", "));
        if function.recursive {
            text.push_str(" recursive");
        }
        text.push('\n');
        let mut nodes: Vec<&Node> = program.nodes.iter().filter(|n| n.func == func).collect();
        nodes.sort_by_key(|n| n.rpo);
        let exit = program.node(function.exit).rpo;
        let name = |n: &Node| {
            if n.rpo == exit {
                "exit".to_owned()
            } else {
                n.rpo.to_string()
            }
        };
        for node in nodes {
            for &e in &node.outgoing {
                let edge = program.edge(e);
                let star = if node.loop_head { "*" } else { "" };
                let op = self.op(&edge.op);
                let space = if op.is_empty() { "" } else { " " };
                writeln!(
                    text,
                    "  {}{star} -> {}:{space}{op}",
                    name(node),
                    name(program.node(edge.to))
                )
                .expect("writing to a string");
            }
        }
        text
    }
}

/// How strongly an operator binds, in C's order.
fn binding(op: BinOp) -> u32 {
    use BinOp::*;
    match op {
        Mul | Div | Rem => 13,
        Add | Sub => 12,
        Shl | Shr => 11,
        Lt | Le | Gt | Ge => 10,
        Eq | Ne => 9,
        And => 8,
        Xor => 7,
        Or => 6,
    }
}

/// The C spelling of an operator.
pub fn symbol(op: BinOp) -> &'static str {
    use BinOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        And => "&",
        Or => "|",
        Xor => "^",
        Shl => "<<",
        Shr => ">>",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        Eq => "==",
        Ne => "!=",
    }
}
