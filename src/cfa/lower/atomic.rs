//! The builtin families `__sync_` and `__atomic_` (gcc manual, sections 6.59 and 6.60), as ordinary code of one thread.
//!
//! Memory orders do not matter then, and a compare-and-exchange fails only if the values differ, also a weak one. The ledger has that.

use super::Lowerer;
use super::library::Modelled;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntKind, TypeId, Types};

/// The effect of an atomic builtin on the object `*p` to which its first argument points. Numbers are positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Atomic {
    /// Nothing.
    Fence,
    /// Gives its value, or writes it to where an argument points.
    Load { into: Option<usize> },
    /// Replaces it by an operand.
    Store(Operand),
    /// The same, and gives the old value, or writes that to where an argument points.
    Exchange { new: Operand, into: Option<usize> },
    /// Replaces it by `new` if it is `expected`.
    CompareExchange {
        expected: Operand,
        new: Operand,
        gives: Compared,
    },
    /// Combines it with the second argument.
    Fetch { with: Combine, gives_new: bool },
    /// Sets a byte to 1 and gives whether it was not 0.
    TestAndSet,
    /// Sets a byte, or the whole object, to 0.
    Clear { byte: bool },
    /// Whether objects of the size that the first argument says need no lock.
    IsLockFree,
}

/// An operand of an atomic builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// This argument.
    Value(usize),
    /// The object to which this argument points.
    At(usize),
}

/// The result of a compare-and-exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compared {
    /// Whether it was successful.
    Success,
    /// Whether it was successful; if not, the value that was found is written to where `expected` is.
    SuccessOrFound,
    /// The value that was found.
    Found,
}

/// How `fetch` combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Combine {
    Op(BinOp),
    Nand,
}

impl Atomic {
    /// The meaning of a builtin's name, with the size that the name ends with (0 if there is none).
    fn of(name: &str) -> Option<(Atomic, u64)> {
        use Atomic::*;
        use Operand::{At, Value};
        let (name, size) = match name.rsplit_once('_') {
            Some((base, digits)) if matches!(digits, "1" | "2" | "4" | "8" | "16") => (base, digits.parse().ok()?),
            _ => (name, 0),
        };
        if let Some(short) = name.strip_prefix("__sync_") {
            let compare = |gives| CompareExchange {
                expected: Value(1),
                new: Value(2),
                gives,
            };
            let atomic = match short {
                "synchronize" => Fence,
                "lock_release" => Clear { byte: false },
                "lock_test_and_set" => Exchange {
                    new: Value(1),
                    into: None,
                },
                "bool_compare_and_swap" => compare(Compared::Success),
                "val_compare_and_swap" => compare(Compared::Found),
                _ => fetch(short, "fetch_and_", "_and_fetch")?,
            };
            return Some((atomic, size));
        }
        let short = name.strip_prefix("__atomic_")?;
        let compare = |new| CompareExchange {
            expected: At(1),
            new,
            gives: Compared::SuccessOrFound,
        };
        // Without size, `load` and the like take pointers to their operands; `load_n` and `load_4` take values.
        let atomic = match (short, size) {
            ("thread_fence" | "signal_fence", _) => Fence,
            ("load_n", _) | ("load", 1..) => Load { into: None },
            ("load", 0) => Load { into: Some(1) },
            ("store_n", _) | ("store", 1..) => Store(Value(1)),
            ("store", 0) => Store(At(1)),
            ("exchange_n", _) | ("exchange", 1..) => Exchange {
                new: Value(1),
                into: None,
            },
            ("exchange", 0) => Exchange {
                new: At(1),
                into: Some(2),
            },
            ("compare_exchange_n", _) | ("compare_exchange", 1..) => compare(Value(2)),
            ("compare_exchange", 0) => compare(At(2)),
            ("test_and_set", _) => TestAndSet,
            ("clear", _) => Clear { byte: true },
            ("always_lock_free" | "is_lock_free", _) => IsLockFree,
            _ => fetch(short, "fetch_", "_fetch")?,
        };
        Some((atomic, size))
    }

    /// The number of arguments that it needs, memory orders aside.
    fn arguments(self) -> usize {
        let position = |operand| match operand {
            Operand::Value(i) | Operand::At(i) => i,
        };
        1 + match self {
            Atomic::Fence => return 0,
            Atomic::Load { into } => into.unwrap_or(0),
            Atomic::Store(new) => position(new),
            Atomic::Exchange { new, into } => position(new).max(into.unwrap_or(0)),
            Atomic::CompareExchange { new, .. } => position(new),
            Atomic::Fetch { .. } => 1,
            Atomic::TestAndSet | Atomic::Clear { .. } | Atomic::IsLockFree => 0,
        }
    }
}

/// An operation that is named by how it combines, with the prefix of those that give the old value, and the suffix of those that give the new one.
fn fetch(name: &str, old: &str, new: &str) -> Option<Atomic> {
    let (word, gives_new) = match (name.strip_prefix(old), name.strip_suffix(new)) {
        (Some(word), _) => (word, false),
        (None, Some(word)) => (word, true),
        (None, None) => return None,
    };
    let with = match word {
        "add" => Combine::Op(BinOp::Add),
        "sub" => Combine::Op(BinOp::Sub),
        "or" => Combine::Op(BinOp::Or),
        "and" => Combine::Op(BinOp::And),
        "xor" => Combine::Op(BinOp::Xor),
        "nand" => Combine::Nand,
        _ => return None,
    };
    Some(Atomic::Fetch { with, gives_new })
}

/// An atomic builtin on its way.
struct Access {
    /// The argument values.
    values: Vec<Expr>,
    /// The object.
    place: Place,
    loc: Loc,
}

impl Lowerer<'_> {
    /// Lowers a call of an atomic builtin; `None` if the name, the number of arguments or the object's type is not that of one.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        let (atomic, size) = Atomic::of(name)?;
        if args.len() < atomic.arguments() {
            return None;
        }
        if atomic == Atomic::IsLockFree {
            args.iter().for_each(|&a| self.effect(a));
            return Some(
                wanted.then(|| self.invent(ty, Invention::Builtin, &format!("the result of `{name}()`"), loc)),
            );
        }
        let object = match atomic {
            Atomic::Fence => None,
            _ => Some(self.atomic_object(args[0], atomic, size)?),
        };
        let values = self.arguments(args, loc);
        let text = "there is one thread: atomic operations are ordinary code".to_owned();
        self.assume(AssumptionKind::Concurrency, text, loc, false);
        let Some(object) = object else { return Some(None) };
        let place = self.pointed(values[0].clone(), object);
        let result = self.atomic_access(atomic, &Access { values, place, loc });
        let result = result.filter(|_| wanted && !self.types.is_void(ty));
        Some(result.map(|value| expr::cast(&self.types, value, ty)))
    }

    /// The type of the object that an atomic builtin accesses: what its argument points to, if that is a scalar.
    fn atomic_object(&self, pointer: ExprId, atomic: Atomic, size: u64) -> Option<TypeId> {
        let to = self.types.pointee(self.unit.expr(pointer).ty)?;
        let bytes = match atomic {
            Atomic::TestAndSet | Atomic::Clear { byte: true } => 1,
            _ => size,
        };
        let is_record = self.types.as_record(to).is_some();
        if bytes != 0 && (self.types.size_of(to) != Some(bytes) || bytes == 1 && is_record) {
            let kinds = [
                IntKind::UChar,
                IntKind::UShort,
                IntKind::UInt,
                IntKind::ULongLong,
                IntKind::UInt128,
            ];
            let kind = kinds
                .iter()
                .find(|k| u64::from(k.width(self.types.data_model())) == 8 * bytes)?;
            return Some(Types::int(*kind));
        }
        let is_plain = |ty| self.types.is_scalar(ty) && !self.is_opaque(ty);
        match atomic {
            // These only move values.
            Atomic::Load { .. } | Atomic::Store(_) | Atomic::Exchange { .. } => {
                (is_plain(to) || self.types.as_record(to).is_some()).then_some(to)
            }
            Atomic::Fetch { .. } => (self.int_info(to).is_some() || self.types.is_pointer(to)).then_some(to),
            _ => is_plain(to).then_some(to),
        }
    }

    /// Carries out an operation on an object. Long, as it has a case for each operation.
    fn atomic_access(&mut self, atomic: Atomic, access: &Access) -> Option<Expr> {
        let Access { place, loc, .. } = access;
        let (to, loc) = (place.ty, *loc);
        let now = Expr::load(place.clone());
        match atomic {
            Atomic::Fence | Atomic::IsLockFree => unreachable!("they access nothing"),
            Atomic::Load { into: None } => Some(self.save(now, loc)),
            Atomic::Load { into: Some(at) } => {
                let result = self.pointed(access.values[at].clone(), to);
                self.put(result, now, loc);
                None
            }
            Atomic::Store(new) => {
                let new = self.operand(new, access);
                self.put(place.clone(), new, loc);
                None
            }
            Atomic::Exchange { new, into } => {
                let new = self.operand(new, access);
                let new = self.save(new, loc);
                let old = self.save(now, loc);
                self.put(place.clone(), new, loc);
                match into {
                    None => Some(old),
                    Some(at) => {
                        let result = self.pointed(access.values[at].clone(), to);
                        self.put(result, old, loc);
                        None
                    }
                }
            }
            Atomic::CompareExchange { expected, new, gives } => {
                let found = self.save(now, loc);
                let wish = self.operand(expected, access);
                let same = expr::binary(&self.types, BinOp::Eq, found.clone(), wish, Types::INT);
                let same = self.save(same, loc);
                let new = self.operand(new, access);
                let [swap, keep, done] = [(); 3].map(|()| self.new_node(loc));
                self.test(same.clone(), swap, keep, loc);
                self.cur = swap;
                self.put(place.clone(), new, loc);
                self.connect(self.cur, done, loc);
                self.cur = keep;
                if let (Compared::SuccessOrFound, Operand::At(at)) = (gives, expected) {
                    let seen = self.pointed(access.values[at].clone(), to);
                    self.put(seen, found.clone(), loc);
                }
                self.connect(self.cur, done, loc);
                self.cur = done;
                Some(if gives == Compared::Found { found } else { same })
            }
            Atomic::Fetch { with, gives_new } => {
                let old = self.save(now, loc);
                // A pointer counts bytes here, unlike in pointer arithmetic.
                let size_t = Types::int(self.types.data_model().size_t());
                let number = if self.types.is_pointer(to) { size_t } else { to };
                let left = expr::cast(&self.types, old.clone(), number);
                let right = expr::cast(&self.types, access.values[1].clone(), number);
                let new = match with {
                    Combine::Op(op) => expr::binary(&self.types, op, left, right, number),
                    Combine::Nand => {
                        let both = expr::binary(&self.types, BinOp::And, left, right, number);
                        expr::unary(&self.types, UnOp::BitNot, both)
                    }
                };
                let new = expr::cast(&self.types, new, to);
                let new = self.save(new, loc);
                self.put(place.clone(), new.clone(), loc);
                Some(if gives_new { new } else { old })
            }
            Atomic::TestAndSet => {
                let old = self.save(now, loc);
                let one = expr::cast(&self.types, Expr::int(1, Types::INT), to);
                self.put(place.clone(), one, loc);
                let none = expr::zero(&self.types, to);
                Some(expr::binary(&self.types, BinOp::Ne, old, none, Types::INT))
            }
            Atomic::Clear { .. } => {
                let none = expr::zero(&self.types, to);
                self.put(place.clone(), none, loc);
                None
            }
        }
    }

    /// An operand in the type of the object.
    fn operand(&mut self, operand: Operand, access: &Access) -> Expr {
        let to = access.place.ty;
        match operand {
            Operand::Value(at) => expr::cast(&self.types, access.values[at].clone(), to),
            Operand::At(at) => Expr::load(self.pointed(access.values[at].clone(), to)),
        }
    }

    fn put(&mut self, lhs: Place, rhs: Expr, loc: Loc) {
        self.emit(Op::Assign { lhs, rhs }, loc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_done() {
        let of = |name| Atomic::of(name).map(|(atomic, size)| (atomic, size, atomic.arguments()));
        let fetch = |op, gives_new| Atomic::Fetch {
            with: Combine::Op(op),
            gives_new,
        };
        assert_eq!(of("__sync_fetch_and_add_4"), Some((fetch(BinOp::Add, false), 4, 2)));
        assert_eq!(of("__sync_sub_and_fetch"), Some((fetch(BinOp::Sub, true), 0, 2)));
        assert_eq!(of("__atomic_fetch_xor"), Some((fetch(BinOp::Xor, false), 0, 2)));
        assert_eq!(of("__atomic_load"), Some((Atomic::Load { into: Some(1) }, 0, 2)));
        assert_eq!(of("__atomic_load_8"), Some((Atomic::Load { into: None }, 8, 1)));
        assert_eq!(of("__atomic_store_n"), Some((Atomic::Store(Operand::Value(1)), 0, 2)));
        assert_eq!(of("__atomic_thread_fence"), Some((Atomic::Fence, 0, 0)));
        assert_eq!(of("__atomic_fetch_mul"), None);
        assert_eq!(of("atomic_load"), None);
    }
}
