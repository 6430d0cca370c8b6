//! Functions that need no declaration: `__builtin_x`, the `__sync_x` and `__atomic_x` families, and library functions that
//! gcc knows. Calling any other undeclared function declares it as `int f()`.
//!
//! Their names are in [`signature`](super::signature). Builtins whose type depends on their arguments have the code `?` and are typed in [`Parser::builtin_call`].

use super::signature::{LIBRARY, Shape, atomic_shape, find, known};
use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Meaning, Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

impl Parser<'_> {
    /// The type of a letter of a type code.
    fn code_type(&mut self, code: char) -> TypeId {
        let size_t = self.types.data_model().size_t();
        match code {
            'v' => Types::VOID,
            'b' => Types::BOOL,
            'i' => Types::INT,
            'u' => Types::UINT,
            'H' => Types::int(IntKind::UShort),
            'l' => Types::int(IntKind::Long),
            'm' => Types::int(IntKind::ULong),
            'q' => Types::int(IntKind::LongLong),
            'Q' => Types::int(IntKind::ULongLong),
            'V' => Types::int(IntKind::UInt128),
            'z' => Types::int(size_t),
            'd' => Types::DOUBLE,
            'f' => self.types.intern(Type::Float(FloatKind::Float)),
            'D' => self.types.intern(Type::Float(FloatKind::LongDouble)),
            'W' => self.types.intern(Type::Float(FloatKind::Float128)),
            'C' | 'F' | 'L' => {
                let part = self.code_type(match code {
                    'C' => 'd',
                    'F' => 'f',
                    _ => 'D',
                });
                self.types.intern(Type::Complex(part))
            }
            'p' => Types::VOID_PTR,
            's' => Types::CHAR_PTR,
            'k' | 'c' => {
                let to = if code == 'k' { Types::VOID } else { Types::CHAR };
                let to = self.types.qualified(to, Quals::CONST);
                self.types.pointer_to(to)
            }
            'a' => {
                let ty = self.types.va_list().ty;
                self.adjust_param(ty)
            }
            _ => unreachable!("type codes have these letters"),
        }
    }

    fn code_function(&mut self, code: &str) -> TypeId {
        if code == "?" {
            let params = Box::new([]);
            return self.types.intern(Type::Function {
                ret: Types::INT,
                params,
                variadic: false,
                prototyped: false,
            });
        }
        let variadic = code.ends_with('.');
        let mut letters = code.trim_end_matches('.').chars();
        let ret = letters.next().map_or(Types::VOID, |c| self.code_type(c));
        let params = letters.map(|c| self.code_type(c)).collect();
        self.types.intern(Type::Function {
            ret,
            params,
            variadic,
            prototyped: true,
        })
    }

    /// The function behind a name without a declaration: a builtin, or if it is called here, an implicit declaration.
    pub fn undeclared_function(&mut self, symbol: Symbol, loc: Loc) -> Option<FuncId> {
        let name = self.name(symbol);
        if let Some(&id) = self.builtins.get(&symbol) {
            return Some(id);
        }
        let called = self.tok() == Tok::LParen;
        let known = known(&name);
        if let (None | Some((_, false)), false) = (&known, called) {
            return None;
        }
        if let Some(&meaning) = self.linked.get(&symbol) {
            // Declared in a block that has ended: gcc finds it again, whatever it was.
            let Meaning::Function(id) = meaning else { return None };
            self.bind(symbol, Meaning::Function(id));
            return Some(id);
        }
        let ty = self.code_function(known.as_ref().map_or("?", |(code, _)| code));
        let is_builtin = known.as_ref().is_some_and(|(_, builtin)| *builtin);
        let bare = name.strip_prefix("__builtin_").unwrap_or(&name);
        let attributes = FunctionAttributes {
            noreturn: known.is_some() && matches!(bare, "abort" | "exit" | "_exit" | "_Exit" | "trap" | "unreachable"),
            ..FunctionAttributes::default()
        };
        self.functions.push(Function {
            name: name.into(),
            ty,
            loc: if is_builtin { Loc::NONE } else { loc },
            is_static: false,
            implicit: !is_builtin,
            owner: None,
            attributes,
            body: None,
            inline_only: false,
            linkage: Linkage {
                unit: self.unit(),
                ..Linkage::default()
            },
            model: Model::None,
            read_only: 0,
        });
        let id = FuncId::from_index(self.functions.len() - 1);
        if is_builtin {
            self.builtins.insert(symbol, id);
        } else {
            self.linked.insert(symbol, Meaning::Function(id));
            self.bind(symbol, Meaning::Function(id));
        }
        Some(id)
    }

    /// Whether gcc knows the library function, so that a declaration may replace its implicit one.
    pub fn is_library_function(name: &str) -> bool {
        known(name).is_some_and(|(_, builtin)| !builtin)
    }

    /// Calls that are constants, or whose type depends on the arguments. `None`: an ordinary call. Long, as it has a case for each builtin.
    pub fn builtin_call(&mut self, id: FuncId, args: &[ExprId], loc: Loc) -> Parsed<Option<ExprId>> {
        let function = &self.functions[id.index()];
        if function.loc.is_some() {
            return Ok(None);
        }
        let name = function.name.to_string();
        if matches!(&*name, "__atomic_always_lock_free" | "__atomic_is_lock_free")
            && let &[size, object] = args
            && let (Some(size), Some(0)) = (self.const_int(size), self.const_int(object))
        {
            // Of an object with the alignment of its size.
            let free = matches!(size, 1 | 2 | 4 | 8);
            if free || name.contains("always") {
                return Ok(Some(self.int_expr(Types::BOOL, loc, i128::from(free))));
            }
        }
        if let Some(shape) = atomic_shape(&name) {
            return self.atomic_call(id, shape, args, loc).map(Some);
        }
        let short = name.strip_prefix("__builtin_").unwrap_or(&name);
        if name != short
            && let Some(result) = self.floating_call(id, short, args, loc)?
        {
            return Ok(Some(result));
        }
        if let Some(result) = self.known_call(id, short, args, loc)? {
            return Ok(Some(result));
        }
        let result = match (short, args) {
            ("constant_p", &[e]) => {
                let e = self.rvalue(e)?;
                let known = self.is_known(e);
                self.int_expr(Types::INT, loc, i128::from(known))
            }
            ("object_size" | "dynamic_object_size", &[e, kind]) => {
                let e = self.rvalue(e)?;
                let kind = self.rvalue(kind)?;
                match self.const_int(kind) {
                    Some(kind @ 0..=3) => self.object_size(e, kind, loc),
                    _ => return self.fail(loc, "last argument of '__builtin_object_size' is not 0 to 3"),
                }
            }
            ("expect", &[e, hint]) => {
                let hint = self.rvalue(hint)?;
                if self.const_int(hint).is_none() {
                    return Ok(None);
                }
                let e = self.rvalue(e)?;
                self.convert_for_assignment(e, Types::int(IntKind::Long), loc, "argument passing")?
            }
            ("complex", _) => return self.complex_call(args, loc).map(Some),
            ("shuffle", _) => return self.shuffle_call(args, loc).map(Some),
            ("shufflevector", _) => return self.select_call(args, loc).map(Some),
            ("speculation_safe_value", &[e]) => self.rvalue(e)?,
            ("classify_type", &[e]) => {
                let e = self.rvalue(e)?;
                let class = self.type_class(e);
                self.int_expr(Types::INT, loc, class)
            }
            ("addc" | "addcl" | "addcll" | "subc" | "subcl" | "subcll", &[a, b, carry, out]) => {
                let ty = self.code_type(match &short[4..] {
                    "" => 'u',
                    "l" => 'm',
                    _ => 'Q',
                });
                let mut values = Vec::with_capacity(4);
                for arg in [a, b, carry] {
                    let value = self.rvalue(arg)?;
                    values.push(self.convert_for_assignment(value, ty, loc, "argument passing")?);
                }
                let out = self.rvalue(out)?;
                if !self
                    .types
                    .pointee(self.ty(out))
                    .is_some_and(|to| self.types.is_integral(to))
                {
                    return self.fail(loc, format!("wrong arguments to '{name}'"));
                }
                values.push(out);
                self.call_node(Callee::Direct(id), ty, &values, loc)
            }
            ("va_start" | "va_end" | "va_copy", _) => return self.va_call(id, short, args, loc).map(Some),
            ("tgmath", _) => return self.type_generic_call(args, loc).map(Some),
            (
                "add_overflow" | "sub_overflow" | "mul_overflow" | "add_overflow_p" | "sub_overflow_p"
                | "mul_overflow_p",
                _,
            ) => return self.overflow_call(id, short, args, loc).map(Some),
            (s, _) if s.starts_with("__") && s.ends_with("_chk") => {
                let base = find(LIBRARY, &s[2..s.len() - 4]).unwrap_or("i");
                let ret = base.chars().next().map_or(Types::INT, |c| self.code_type(c));
                let values = self.values(args)?;
                self.call_node(Callee::Direct(id), ret, &values, loc)
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Calls of builtins on bits: constants where the operand is one. The generic ones take an operand of any integer type as it is.
    fn known_call(&mut self, id: FuncId, short: &str, args: &[ExprId], loc: Loc) -> Parsed<Option<ExprId>> {
        let generic = matches!(short, "clzg" | "ctzg" | "ffsg" | "popcountg" | "parityg" | "clrsbg");
        let mut values = Vec::with_capacity(args.len());
        if generic {
            values = self.values(args)?;
            let most = if matches!(short, "clzg" | "ctzg") { 2 } else { 1 };
            let fits = (1..=most).contains(&values.len())
                && values.iter().all(|&v| self.types.is_integral(self.ty(v)))
                && self
                    .types
                    .integer(self.ty(values[0]))
                    .is_some_and(|info| info.signed == matches!(short, "ffsg" | "clrsbg"));
            if !fits {
                return self.fail(loc, format!("wrong arguments to '__builtin_{short}'"));
            }
        } else if let Type::Function {
            params,
            prototyped: true,
            ..
        } = self.types.get(self.functions[id.index()].ty).clone()
            && matches!(params.len(), 1)
            && params.len() == args.len()
            && self.types.is_integral(params[0])
        {
            // Only a constant is converted here; every other argument is left to the call.
            let value = self.rvalue(args[0])?;
            if self.const_int(value).is_none() {
                return Ok(None);
            }
            values.push(self.convert_for_assignment(value, params[0], loc, "argument passing")?);
        } else {
            return Ok(None);
        }
        if let Some(value) = self.known_bits(short, &values) {
            let ty = self.types.get(self.functions[id.index()].ty).clone();
            let ret = match ty {
                Type::Function { ret, .. } if !generic => ret,
                _ => Types::INT,
            };
            return Ok(Some(self.int_expr(ret, loc, value)));
        }
        Ok(generic.then(|| self.call_node(Callee::Direct(id), Types::INT, &values, loc)))
    }

    /// The number that gcc's `typeclass.h` has for the type of a value; vectors and decimal numbers are as gcc takes them.
    fn type_class(&self, e: ExprId) -> i128 {
        match self.types.get(self.ty(e)) {
            Type::Void => 0,
            Type::Pointer(_) => 5,
            Type::Float(_) | Type::Decimal(_) => 8,
            Type::Complex(_) => 9,
            Type::Record(r) if self.types.record(*r).kind == RecordKind::Struct => 12,
            Type::Record(_) => 13,
            Type::Vector { .. } => -1,
            _ => 1,
        }
    }

    pub(super) fn values(&mut self, args: &[ExprId]) -> Parsed<Vec<ExprId>> {
        args.iter().map(|&a| self.rvalue(a)).collect()
    }

    /// `va_start` and its kin take the list itself, not its value.
    fn va_call(&mut self, id: FuncId, short: &str, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let lists = if short == "va_copy" { 2 } else { 1 };
        let most = if short == "va_end" { 1 } else { 2 };
        if args.len() < lists || args.len() > most {
            return self.fail(loc, format!("wrong number of arguments to '__builtin_{short}'"));
        }
        let mut values = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            if i < lists && !self.types.is_va_list(self.ty(arg)) {
                return self.fail(loc, format!("argument of '__builtin_{short}' is not a va_list"));
            }
            values.push(if i < lists {
                self.va_operand(arg)?
            } else {
                self.rvalue(arg)?
            });
        }
        if short == "va_start"
            && let Some(frame) = self.frames.last_mut()
        {
            frame.starts_varargs = true;
        }
        Ok(self.call_node(Callee::Direct(id), Types::VOID, &values, loc))
    }

    /// The operand of `va_arg` and its kin: in LP64 the pointer to the record, in ILP32 the list itself, which has to be an lvalue to be changed.
    pub fn va_operand(&mut self, list: ExprId) -> Parsed<ExprId> {
        match self.types.data_model() {
            DataModel::Lp64 => self.rvalue(list),
            DataModel::Ilp32 => Ok(list),
        }
    }

    fn atomic_call(&mut self, id: FuncId, shape: Shape, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let values = self.values(args)?;
        let object = values.first().and_then(|&v| self.types.pointee(self.ty(v)));
        let ret = match (shape, object) {
            (Shape::Object, Some(ty)) if self.types.is_integral(ty) || self.types.is_pointer(ty) => self.value_type(ty),
            (Shape::Object, _) => {
                return self.fail(
                    loc,
                    "operand of an atomic operation is not a pointer to an integer or pointer",
                );
            }
            (Shape::Bool, _) => Types::BOOL,
            (Shape::Void, _) => Types::VOID,
        };
        Ok(self.call_node(Callee::Direct(id), ret, &values, loc))
    }
}
