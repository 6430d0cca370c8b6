//! Calls, with C's checks of arguments.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

impl Parser<'_> {
    /// `callee(args)`
    pub fn call(&mut self, callee: ExprId, args: Vec<ExprId>, loc: Loc) -> Parsed<ExprId> {
        let callee = match (self.kind(callee), self.types.is_function(self.ty(callee))) {
            (ExprKind::Deref(pointer), true) => pointer,
            _ => callee,
        };
        if let ExprKind::Function(id) = self.kind(callee) {
            let at = self.expr_loc(callee);
            if let Some(result) = self.builtin_call(id, &args, at)? {
                return Ok(result);
            }
            let ty = self.functions[id.index()].ty;
            return self.finish_call(Callee::Direct(id), ty, args, at, loc);
        }
        let pointer = self.rvalue(callee)?;
        let at = self.expr_loc(pointer);
        let function = self
            .types
            .pointee(self.ty(pointer))
            .filter(|&to| self.types.is_function(to));
        match function {
            Some(ty) => self.finish_call(Callee::Pointer(pointer), ty, args, at, loc),
            None => {
                let message = format!(
                    "called object of type '{}' is not a function",
                    self.show(self.ty(pointer))
                );
                self.fail(loc, message)
            }
        }
    }

    fn finish_call(&mut self, callee: Callee, ty: TypeId, args: Vec<ExprId>, at: Loc, loc: Loc) -> Parsed<ExprId> {
        let Type::Function {
            ret,
            params,
            variadic,
            prototyped,
        } = self.types.get(ty).clone()
        else {
            return self.fail(loc, "called object is not a function");
        };
        if prototyped && args.len() < params.len() {
            let label = format!("{} given, {} needed", args.len(), params.len());
            return Err(self.report(loc, "too few arguments to function", label));
        }
        if prototyped && args.len() > params.len() && !variadic {
            let label = format!("{} given, {} needed", args.len(), params.len());
            return Err(self.report(loc, "too many arguments to function", label));
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.into_iter().enumerate() {
            let arg_loc = self.expr_loc(arg);
            let value = self.rvalue(arg)?;
            let value = match params.get(i) {
                Some(&param) => {
                    if self.is_incomplete(param) {
                        return self.fail(arg_loc, "type of formal parameter is incomplete");
                    }
                    self.convert_for_assignment(value, param, arg_loc, "argument passing")?
                }
                None => {
                    if self.types.is_void(self.ty(value)) {
                        return self.fail(arg_loc, "invalid use of void expression");
                    }
                    self.promote_argument(value)
                }
            };
            values.push(value);
        }
        if !self.types.is_void(ret) && self.is_incomplete(ret) {
            return self.fail(loc, format!("call returns incomplete type '{}'", self.show(ret)));
        }
        Ok(self.call_node(callee, ret, &values, at))
    }

    /// A call of converted arguments.
    pub fn call_node(&mut self, callee: Callee, ret: TypeId, values: &[ExprId], loc: Loc) -> ExprId {
        let start = u32::try_from(self.lists.len()).expect("fewer than 2^32 arguments");
        let len = u32::try_from(values.len()).expect("fewer than 2^32 arguments");
        self.lists.extend_from_slice(values);
        let ty = self.value_type(ret);
        self.expr(
            ty,
            loc,
            ExprKind::Call {
                callee,
                args: ExprList { start, len },
            },
        )
    }
}
