//! `__builtin_tgmath(f1, ..., fn, a1, ..., am)`, which the macros of `tgmath.h` are: the call of the function whose parameters have the common type of the
//! arguments (C11, 7.25; the manual of gcc, "Other Builtins").
//!
//! A parameter is generic if the functions differ in its type. An argument of an integer type counts as a `double` there.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

impl Parser<'_> {
    /// The call that the operands of `__builtin_tgmath` ask for.
    pub(super) fn type_generic_call(&mut self, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let parameters: Vec<Box<[TypeId]>> = args.iter().map_while(|&e| self.parameters_of(e)).collect();
        let count = parameters.first().map_or(0, |first| first.len());
        let fits =
            count > 0 && parameters.len() + count == args.len() && parameters.iter().all(|list| list.len() == count);
        if !fits {
            return self.fail(loc, "wrong arguments to '__builtin_tgmath'");
        }
        let (functions, operands) = args.split_at(parameters.len());
        let generic = |i: &usize| parameters.iter().any(|list| list[*i] != parameters[0][*i]);
        let mut common = None;
        for i in (0..count).filter(generic) {
            let value = self.rvalue(operands[i])?;
            let Some(ty) = self.type_generic_operand(self.ty(value)) else {
                return self.fail(loc, "an operand of '__builtin_tgmath' is no number");
            };
            common = Some(common.map_or(ty, |before| self.common_type(before, ty)));
        }
        let at = (0..count).find(generic);
        let wanted = common.zip(at).and_then(|(common, at)| {
            let types: Vec<TypeId> = parameters.iter().map(|list| list[at]).collect();
            self.function_of_type(&types, common)
        });
        match wanted {
            Some(number) => self.call(functions[number], operands.to_vec(), loc),
            None => self.fail(loc, "no function of '__builtin_tgmath' takes these operands"),
        }
    }

    /// The types of the parameters of a function with a prototype, or of one that a pointer points to.
    fn parameters_of(&self, e: ExprId) -> Option<Box<[TypeId]>> {
        let ty = self.types.pointee(self.ty(e)).unwrap_or(self.ty(e));
        match self.types.get(ty) {
            Type::Function {
                params,
                variadic: false,
                prototyped: true,
                ..
            } => Some(params.iter().map(|&param| self.types.unqualified(param)).collect()),
            _ => None,
        }
    }

    /// The type as which an operand counts: its own if it is a floating or decimal type or complex of one.
    fn type_generic_operand(&mut self, ty: TypeId) -> Option<TypeId> {
        match *self.types.get(ty) {
            Type::Float(_) | Type::Decimal(_) => Some(self.types.unqualified(ty)),
            Type::Complex(of) if self.types.is_integral(of) => Some(self.types.intern(Type::Complex(Types::DOUBLE))),
            Type::Complex(_) => Some(self.types.unqualified(ty)),
            _ => self.types.is_integral(ty).then_some(Types::DOUBLE),
        }
    }

    /// The first function with that type of its generic parameter; else the one with the smallest type to which a value of that type converts without loss.
    fn function_of_type(&mut self, types: &[TypeId], common: TypeId) -> Option<usize> {
        let is_complex = |types: &Types, ty| matches!(types.get(ty), Type::Complex(_));
        if let Some(found) = types.iter().position(|&ty| ty == common) {
            return Some(found);
        }
        let mut best: Option<usize> = None;
        for (number, &ty) in types.iter().enumerate() {
            let keeps = self.common_type(ty, common) == ty && !is_complex(&self.types, ty);
            if keeps && best.is_none_or(|best| self.common_type(ty, types[best]) == types[best]) {
                best = Some(number);
            }
        }
        if best.is_some() || is_complex(&self.types, common) {
            return best;
        }
        // Functions of complex numbers only: the operand becomes one.
        let complex = self.types.intern(Type::Complex(common));
        types.iter().position(|&ty| ty == complex)
    }
}
