//! How a program passes variable arguments: blocks of slots; see [lowering](crate::cfa::lower), which makes them.

use crate::cfa::program::expr;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{ExprKind as Ast, TranslationUnit};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, RecordId, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;

/// How a program passes variable arguments.
pub(in crate::cfa) struct VarArgs {
    /// The types of the members of a slot.
    pub members: Vec<TypeId>,
    pub record: RecordId,
    /// The hidden parameter of each function that has one.
    pub hidden: FxHashMap<FuncId, VarId>,
}

impl VarArgs {
    /// Gives slots a member for each type that some `va_arg` reads.
    pub fn new(unit: &TranslationUnit, types: &mut Types) -> VarArgs {
        let mut members: Vec<TypeId> = Vec::new();
        for e in unit.expressions() {
            let passable = types.size_of(e.ty).is_some_and(|size| size > 0)
                && (types.is_scalar(e.ty) || types.as_record(e.ty).is_some())
                && !is_opaque(types, e.ty);
            if matches!(e.kind, Ast::VaArg(_)) && passable && !members.iter().any(|&m| shared(types, m, e.ty)) {
                members.push(if types.is_pointer(e.ty) { Types::VOID_PTR } else { e.ty });
            }
        }
        if !members.is_empty() {
            let named: Vec<(String, TypeId)> = members.iter().map(|&m| (types.display(m), m)).collect();
            types.complete_va_slot(&named);
        }
        VarArgs {
            members,
            record: types.va_list().slot,
            hidden: FxHashMap::default(),
        }
    }

    /// Whether any `va_arg` reads anything.
    pub fn in_use(&self) -> bool {
        !self.members.is_empty()
    }

    /// The member for arguments of a type.
    pub fn member(&self, types: &Types, ty: TypeId) -> Option<u32> {
        let at = self.members.iter().position(|&m| shared(types, m, ty))?;
        Some(u32::try_from(at).expect("a program has few types"))
    }

    /// The number of parameters that callers know.
    pub fn visible(&self, f: FuncId, function: &Function) -> usize {
        function.params.len() - usize::from(self.hidden.contains_key(&f))
    }

    /// Whether callers have to pass a block.
    pub fn takes_block(&self, f: FuncId) -> bool {
        self.hidden.contains_key(&f)
    }

    /// The operations that write extra arguments (`None`: of which something is not known) into a block, a new variable of the function `caller`,
    /// and the block's address.
    pub fn pass(
        &self,
        types: &mut Types,
        vars: &mut Vec<Variable>,
        caller: (FuncId, &str),
        extra: Option<&[Expr]>,
        loc: Loc,
    ) -> (Vec<Op>, Expr) {
        let list = *types.va_list();
        let slot = types.intern(Type::Record(self.record));
        let extra = extra.unwrap_or(&[]);
        let count = extra.len() as u64 + 1;
        let array = types.array_of(slot, ArrayLen::Fixed(count));
        let block = VarId::new(vars.len());
        let display = format!("$args{}", block.0);
        vars.push(Variable {
            name: format!("{}::{display}", caller.1),
            display,
            ty: array,
            kind: VarKind::InitImage,
            func: Some(caller.0),
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        });
        let index = Types::int(types.data_model().ptrdiff_t());
        let slot_at = |i: usize| {
            let i = i64::try_from(i).expect("a call has few arguments");
            let mut place = Place::var(block, array);
            place.proj.push(Proj::Index(Box::new(Expr::int(i, index))));
            place.ty = slot;
            place
        };
        let source = Input::invented(Invention::VarArgs, "a variable argument that was not passed");
        let place = Place::var(block, array);
        let mut ops = vec![Op::Havoc { place, source }];
        for (i, value) in extra.iter().enumerate() {
            let Some(field) = self.member(types, value.ty) else {
                continue;
            };
            let ty = self.members[field as usize];
            let mut lhs = slot_at(i);
            lhs.proj.push(Proj::Field {
                record: self.record,
                field,
            });
            lhs.ty = ty;
            let rhs = if types.is_scalar(ty) {
                expr::cast(types, value.clone(), ty)
            } else {
                value.clone()
            };
            ops.push(Op::Assign { lhs, rhs });
        }
        let address = Expr {
            ty: list.pointer,
            kind: ExprKind::AddrOf(slot_at(0)),
        };
        (ops, address)
    }
}

/// Whether an argument of one type may be taken as one of the other.
fn shared(types: &Types, a: TypeId, b: TypeId) -> bool {
    match (Scalar::of(types, a), Scalar::of(types, b)) {
        _ if a == b => true,
        (Some(x), Some(y)) => x.class == y.class && x.size == y.size && matches!(x.class, Class::Int | Class::Pointer),
        _ => false,
    }
}

fn is_opaque(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Complex(_) | Type::Vector { .. })
}
