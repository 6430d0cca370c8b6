//! The call of the entry function by the environment: with any arguments.
//!
//! A parameter has any value. So has a pointer, by default: it may point to an object of the environment, of which nothing is known. With
//! [`EntryPointers::Valid`] it is null, or points to an object of its own, whose type is that of the pointer and whose contents are any; pointers in these objects, too, up to
//! a depth. That is the contract of many functions of a library, and the one under which an access can be checked.

use super::build::unique;
use super::state::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{RecordKind, Type, TypeId, Types};

/// What the pointers are that the environment gives to the entry function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EntryPointers {
    /// Any values.
    #[default]
    Any,
    /// Null, or pointers to objects of their own.
    Valid,
}

/// How deeply objects behind pointers have objects behind their pointers.
const DEEPEST: u32 = 3;

/// Objects that a parameter brings along at most.
const MOST: usize = 32;

impl Lowerer<'_> {
    /// Calls a function that the environment calls: with any arguments.
    pub(super) fn call_entry(&mut self, entry: ast::FuncId) {
        let func = self.function(entry);
        let unit = self.unit;
        let function = unit.function(entry);
        let body = function.body.as_ref().expect("the caller looked for a body");
        // The arguments of `main` are those of a process.
        let valid = self.options.entry_pointers == EntryPointers::Valid && &*function.name != "main";
        let mut args = Vec::new();
        for &param in &body.params {
            let local = &body.locals[param.index()];
            if self.is_opaque(local.ty) {
                continue;
            }
            let var = self.temp(local.ty, local.loc);
            let place = Place::var(var, local.ty);
            let pointee = self.types.pointee(local.ty);
            let pointee = pointee.filter(|&ty| valid && self.is_object(ty));
            match pointee {
                Some(ty) => {
                    let name = local.name.as_deref().unwrap_or("parameter");
                    let text = format!("`{name}` is null, or points to an object of its own");
                    self.assume(AssumptionKind::Memory, text, local.loc, false);
                    let mut left = MOST;
                    self.pointer_to_own(&place, ty, name, (0, &mut left), local.loc);
                }
                None => self.emit(
                    Op::Havoc {
                        place: place.clone(),
                        source: Input::EntryParam,
                    },
                    local.loc,
                ),
            }
            args.push(Expr::load(place));
        }
        self.expect_arguments(&function.name, &args, func, function.loc);
        args.extend(self.entry_varargs(func, function.loc));
        self.emit(Op::Call { func, args, ret: None }, function.loc);
    }

    /// Whether there can be an object of a type.
    fn is_object(&self, ty: TypeId) -> bool {
        !self.types.is_void(ty)
            && !self.types.is_function(ty)
            && !self.is_opaque(ty)
            && self.types.size_of(ty).is_some_and(|size| size > 0)
    }

    /// Gives a pointer null, or the address of a new object with any contents.
    fn pointer_to_own(&mut self, place: &Place, ty: TypeId, name: &str, (depth, left): (u32, &mut usize), loc: Loc) {
        *left -= 1;
        let object = self.environment_object(ty, name, loc);
        let whole = Place::var(object, ty);
        let source = Input::ExternVariable {
            name: self.vars[object.index()].display.clone(),
        };
        self.emit(
            Op::Havoc {
                place: whole.clone(),
                source,
            },
            loc,
        );
        if depth + 1 < DEEPEST {
            for (member, pointee, path) in self.pointers_in(&whole, loc) {
                if *left > 0 {
                    self.pointer_to_own(&member, pointee, &format!("{name}_{path}"), (depth + 1, left), loc);
                }
            }
        }
        let choice = Place::var(self.temp(Types::INT, loc), Types::INT);
        let source = Input::Choice(format!("whether `{}` is not null", name.replace('_', "->")));
        self.emit(
            Op::Havoc {
                place: choice.clone(),
                source,
            },
            loc,
        );
        let [null, own, end] = [(); 3].map(|()| self.new_node(loc));
        self.test(Expr::load(choice), own, null, loc);
        let pointer = Expr {
            ty: place.ty,
            kind: ExprKind::AddrOf(whole),
        };
        for (node, rhs) in [(null, expr::zero(&self.types, place.ty)), (own, pointer)] {
            self.cur = node;
            self.emit(
                Op::Assign {
                    lhs: place.clone(),
                    rhs,
                },
                loc,
            );
            self.connect(self.cur, end, loc);
        }
        self.cur = end;
    }

    /// An object of the environment.
    fn environment_object(&mut self, ty: TypeId, name: &str, loc: Loc) -> VarId {
        let name = unique(&mut self.global_names, &format!("object_of_{name}"));
        self.new_var(Variable {
            display: name.clone(),
            name,
            ty,
            kind: VarKind::Global,
            func: None,
            in_memory: true,
            escapes: true,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        })
    }

    /// The pointers to objects in an object, in members of structures, with what they point to and their path.
    fn pointers_in(&mut self, place: &Place, loc: Loc) -> Vec<(Place, TypeId, String)> {
        let Type::Record(id) = *self.types.get(place.ty) else {
            return Vec::new();
        };
        let record = self.types.record(id);
        if record.kind != RecordKind::Struct || record.variable {
            return Vec::new();
        }
        let fields: Vec<(u32, TypeId, String)> = (0..)
            .zip(&record.fields)
            .filter(|(_, field)| field.bits.is_none())
            .map(|(number, field)| (number, field.ty, field.name.as_deref().unwrap_or("").to_string()))
            .collect();
        let mut found = Vec::new();
        for (number, ty, name) in fields {
            let pointee = self.types.pointee(ty).filter(|&pointee| self.is_object(pointee));
            let is_record = matches!(self.types.get(ty), Type::Record(_));
            if pointee.is_none() && !is_record {
                continue;
            }
            let member = self.member(place.clone(), id, number, loc);
            match pointee {
                Some(pointee) => found.push((member, pointee, name)),
                None => found.extend(
                    self.pointers_in(&member, loc)
                        .into_iter()
                        .map(|(place, ty, inner)| (place, ty, format!("{name}_{inner}"))),
                ),
            }
        }
        found
    }
}
