//! Weak functions without definition (GNU C): another unit may define them; if none does, their address is null.
//!
//! Each has a variable that holds its address, set at the start of the program. Whether the function exists is invented, since the program decides it no more than
//! its inputs do: no violation may rest on it.

use super::Lowerer;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::types::Types;

impl Lowerer<'_> {
    /// Whether the address of a function may be null.
    pub(super) fn may_be_absent(&self, f: ast::FuncId) -> bool {
        self.unit.function(f).attributes.weak && self.unit.function(self.resolve(f)).body.is_none()
    }

    /// The variable that holds the address of a function that may be absent.
    pub(super) fn weak_pointer(&mut self, f: ast::FuncId) -> Place {
        let unit = self.unit;
        let function = unit.function(f);
        let ty = self.types.pointer_to(function.ty);
        if let Some(&var) = self.weak.get(&f) {
            return Place::var(var, ty);
        }
        let place = self.static_variable(&format!("__provident_weak_{}", function.name), ty, function.loc);
        let var = place.as_whole_var().expect("it is a variable");
        self.weak.insert(f, var);
        self.pending_weak.push_back(f);
        place
    }

    /// The edges that say whether a weak function exists.
    pub(super) fn initialise_weak(&mut self, f: ast::FuncId) {
        let (name, loc) = (&self.unit.function(f).name, self.unit.function(f).loc);
        let place = self.weak_pointer(f);
        let what = format!("whether the weak function `{name}` exists");
        let exists = self.invent(Types::INT, Invention::Language, &what, loc);
        let (yes, no, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        self.test(exists, yes, no, loc);
        let func = self.function(f);
        self.functions[func.index()].address_taken = true;
        let kind = ExprKind::FuncAddr(func);
        let address = Expr { ty: place.ty, kind };
        let null = expr::zero(&self.types, place.ty);
        for (from, rhs) in [(yes, address), (no, null)] {
            let lhs = place.clone();
            self.edge(from, join, Op::Assign { lhs, rhs }, loc);
        }
        self.cur = join;
    }
}
