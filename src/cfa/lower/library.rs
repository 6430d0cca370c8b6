//! Functions that the program declares but does not define, and that have a meaning: the conventions of verification tasks, memory
//! management, block operations, compiler builtins.
//!
//! A function that the program defines itself is never modelled: its body is its meaning.

use super::reallocate::is_reallocator;
use super::{LibraryUse, Lowerer};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntKind, TypeId, Types};
use provident_smt::num::Int;

/// How the size of a new object is given.
#[derive(Clone, Copy)]
enum Size {
    /// By this argument.
    Arg(usize),
    /// By the product of these two arguments.
    Product(usize, usize),
}

struct Allocator {
    name: &'static str,
    size: Size,
    zero: bool,
    /// Kernel allocators fail now and then; those of user space by option.
    kernel: bool,
    stack: bool,
    /// Models of verification tasks that are known never to fail.
    never_fails: bool,
}

const fn user(name: &'static str, size: Size, zero: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: false,
        stack: false,
        never_fails: false,
    }
}

const fn kernel(name: &'static str, size: Size, zero: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: true,
        stack: false,
        never_fails: false,
    }
}

const fn sure(name: &'static str, size: Size, zero: bool, stack: bool) -> Allocator {
    Allocator {
        name,
        size,
        zero,
        kernel: false,
        stack,
        never_fails: true,
    }
}

/// The alignment that every allocated object has, in bytes.
const ALIGNMENT: i128 = 16;

const ALLOCATORS: [Allocator; 28] = [
    user("malloc", Size::Arg(0), false),
    user("valloc", Size::Arg(0), false),
    user("calloc", Size::Product(0, 1), true),
    user("aligned_alloc", Size::Arg(1), false),
    user("memalign", Size::Arg(1), false),
    sure("alloca", Size::Arg(0), false, true),
    sure("xmalloc", Size::Arg(0), false, false),
    sure("xzalloc", Size::Arg(0), true, false),
    sure("xcalloc", Size::Product(0, 1), true, false),
    kernel("kmalloc", Size::Arg(0), false),
    kernel("__kmalloc", Size::Arg(0), false),
    kernel("kzalloc", Size::Arg(0), true),
    kernel("kcalloc", Size::Product(0, 1), true),
    kernel("kmalloc_array", Size::Product(0, 1), false),
    kernel("kmalloc_node", Size::Arg(0), false),
    kernel("kzalloc_node", Size::Arg(0), true),
    kernel("vmalloc", Size::Arg(0), false),
    kernel("vzalloc", Size::Arg(0), true),
    kernel("kvmalloc", Size::Arg(0), false),
    kernel("kvzalloc", Size::Arg(0), true),
    kernel("ldv_malloc", Size::Arg(0), false),
    kernel("ldv_zalloc", Size::Arg(0), true),
    kernel("ldv_calloc", Size::Product(0, 1), true),
    sure("ldv_xmalloc", Size::Arg(0), false, false),
    sure("ldv_xzalloc", Size::Arg(0), true, false),
    sure("ldv_successful_malloc", Size::Arg(0), false, false),
    sure("external_alloc_sized", Size::Arg(0), false, false),
    sure("ldv_successful_zalloc", Size::Arg(0), true, false),
];

const RELEASERS: [&str; 9] = [
    "free",
    "cfree",
    "kfree",
    "kzfree",
    "vfree",
    "kvfree",
    "ldv_free",
    "kfree_sensitive",
    "kfree_const",
];

/// Functions without body that write through some of their arguments, from this position on (to the end, or only there).
const WRITERS: [(&str, usize, bool); 26] = [
    ("scanf", 1, true),
    ("fscanf", 2, true),
    ("sscanf", 2, true),
    ("__isoc99_scanf", 1, true),
    ("__isoc99_fscanf", 2, true),
    ("__isoc99_sscanf", 2, true),
    ("strcpy", 0, false),
    ("strncpy", 0, false),
    ("strlcpy", 0, false),
    ("stpcpy", 0, false),
    ("strcat", 0, false),
    ("strncat", 0, false),
    ("strlcat", 0, false),
    ("sprintf", 0, false),
    ("snprintf", 0, false),
    ("vsprintf", 0, false),
    ("vsnprintf", 0, false),
    ("scnprintf", 0, false),
    ("fgets", 0, false),
    ("gets", 0, false),
    ("fread", 0, false),
    ("read", 1, false),
    ("recv", 1, false),
    ("getline", 0, false),
    ("gettimeofday", 0, true),
    ("copy_from_user", 0, false),
];

/// Functions that print. They write to memory only where a format has `%n`.
const PRINTERS: [&str; 8] = [
    "dprintf", "fprintf", "fwprintf", "printf", "syslog", "vfprintf", "vprintf", "wprintf",
];

/// Functions of the library that write more than what their arguments point to, or later: variables, vectors of buffers, buffers of streams.
const BEYOND_ARGUMENTS: [&str; 25] = [
    "aio_read",
    "getopt",
    "getopt_long",
    "getopt_long_only",
    "lio_listio",
    "longjmp",
    "mmap",
    "munmap",
    "preadv",
    "process_vm_readv",
    "putenv",
    "readv",
    "recvmmsg",
    "recvmsg",
    "setbuf",
    "setbuffer",
    "setvbuf",
    "sigaction",
    "swapcontext",
    "setcontext",
    "tzset",
    "vfork",
    "vfscanf",
    "vscanf",
    "vsscanf",
];

/// Functions that write nothing that a program can see, streams apart.
const HARMLESS: [&str; 93] = [
    "abort",
    "access",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bcmp",
    "ceil",
    "chdir",
    "clearerr",
    "clock",
    "closedir",
    "cos",
    "exp",
    "fabs",
    "fclose",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fileno",
    "floor",
    "fopen",
    "fputc",
    "fputs",
    "fputwc",
    "fseek",
    "fseeko",
    "ftell",
    "ftello",
    "fwrite",
    "getc",
    "getenv",
    "gettext",
    "index",
    "isdigit",
    "log",
    "memchr",
    "memcmp",
    "memmem",
    "memrchr",
    "mkdir",
    "nan",
    "nanf",
    "nanl",
    "open",
    "opendir",
    "openlog",
    "pclose",
    "perror",
    "popen",
    "pow",
    "printk",
    "putc",
    "putchar",
    "puts",
    "rawmemchr",
    "remove",
    "rename",
    "rewind",
    "rindex",
    "rmdir",
    "send",
    "setlocale",
    "sin",
    "sqrt",
    "strcasecmp",
    "strcasestr",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcoll",
    "strcspn",
    "strlen",
    "strncasecmp",
    "strncmp",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strverscmp",
    "system",
    "truncate",
    "ungetc",
    "unlink",
    "wcschr",
    "wcscmp",
    "wcslen",
    "wcsncmp",
    "wcsstr",
    "wmemcmp",
    "write",
];

/// The name without the decoration that compilers put around a library function.
fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    match name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        Some(inner) => inner,
        None => name,
    }
}

/// Whether a function is one of the compiler's atomic operations.
fn is_atomic(name: &str) -> bool {
    name.starts_with("__sync_") || name.starts_with("__atomic_")
}

/// Whether a call of a function without body may change something that its caller can read.
pub(super) fn has_effects(name: &str) -> bool {
    let plain = plain_name(name);
    let unmodelled = || Invention::of_function(name).is_some() && !HARMLESS.contains(&plain) && !is_computation(plain);
    matches!(
        plain,
        "memset" | "memcpy" | "memmove" | "bzero" | "mempcpy" | "__memcpy" | "__memset" | "realloc"
    ) || plain.ends_with("_overflow")
        || matches!(plain, "addc" | "addcl" | "addcll" | "subc" | "subcl" | "subcll")
        || is_atomic(plain)
        || super::jump::is_jump(name)
        || WRITERS.iter().any(|w| w.0 == plain)
        || unmodelled()
}

/// Whether a builtin only computes from the values of its arguments.
fn is_computation(plain: &str) -> bool {
    const NAMES: [&str; 12] = [
        "expect",
        "constant_p",
        "object_size",
        "bswap",
        "clz",
        "ctz",
        "ffs",
        "popcount",
        "parity",
        "clrsb",
        "is",
        "huge_val",
    ];
    NAMES.iter().any(|name| plain.starts_with(name))
}

/// The ledger's text where a function without a body that a pointer may point to does more than return a value; by name, such calls have models.
pub(in crate::cfa) fn effects_of_undefined(name: &str) -> Option<String> {
    let plain = plain_name(name);
    let modelled = ALLOCATORS.iter().any(|a| a.name == plain) || RELEASERS.contains(&plain) || has_effects(name);
    (modelled || RUNNERS.contains(&plain)).then(|| {
        format!("`{name}` is called through a pointer and does more than return a value, and there is no model of such a call")
    })
}

/// Library functions that run a function of the program, at once or later.
const RUNNERS: [&str; 8] = [
    "at_quick_exit",
    "on_exit",
    "pthread_create",
    "thrd_create",
    "pthread_once",
    "call_once",
    "qsort",
    "bsearch",
];

/// The result of a modelled call: a value if one is wanted.
pub(super) type Modelled = Option<Expr>;

impl Lowerer<'_> {
    /// Lowers a call of an undefined function that has a model; `None` if it has none.
    pub(super) fn library_call(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        let unit = self.unit;
        let full = &*unit.function(f).name;
        if let Some(result) = self.jump_call(full, args, ty, loc) {
            return Some(result);
        }
        if unit.source.in_library(loc)
            && let Some(modelled) = self.library_input(full, ty, into, loc)
        {
            return Some(modelled);
        }
        if let Some(modelled) = self.task_convention(full, args, ty, into, wanted, loc) {
            return Some(modelled);
        }
        if let Some(modelled) = self.math_call(full, args, ty, loc) {
            return Some(modelled);
        }
        let name = plain_name(full);
        if (RUNNERS.contains(&name) || self.runs_functions(f, args)) && !self.is_library(self.resolve(f)) {
            self.unsupported(name, loc);
        }
        if let Some(allocator) = ALLOCATORS.iter().find(|a| a.name == name) {
            let needed = match allocator.size {
                Size::Arg(a) => a,
                Size::Product(a, b) => a.max(b),
            };
            if args.len() > needed && self.types.is_pointer(ty) {
                return Some(self.allocate(allocator, args, ty, into, wanted, loc));
            }
        }
        if RELEASERS.contains(&name) && args.len() == 1 {
            let ptr = self.rvalue(args[0]);
            if self.types.is_pointer(ptr.ty) {
                self.emit(Op::Free { ptr }, loc);
            }
            return Some(None);
        }
        if is_reallocator(name, args.len()) && self.types.is_pointer(ty) {
            return Some(self.reallocate(name, args, ty, loc));
        }
        match (name, args.len()) {
            ("atexit", 1) => self.register_at_exit(args[0], ty, wanted, loc),
            ("memset" | "__memset", 3..) => Some(self.set_memory(args[0], Some(args[1]), args[2], ty, wanted, loc)),
            ("bzero" | "__memzero", 2) => Some(self.set_memory(args[0], None, args[1], ty, false, loc)),
            ("memcpy" | "memmove" | "__memcpy" | "__memmove", 3..) => {
                Some(self.copy_memory(args[0], args[1], args[2], ty, wanted, loc))
            }
            _ if full.starts_with("__builtin_") => self.builtin(name, args, ty, wanted, loc),
            _ if is_atomic(name) => match self.atomic_builtin(name, args, ty, wanted, loc) {
                None => {
                    self.unsupported(name, loc);
                    None
                }
                modelled => modelled,
            },
            _ => None,
        }
    }

    /// Special calls in the library's sources: `__provident_input_f()` is the result of the function `f` of the environment, a real
    /// input; `__provident_any_f()` is a value that is not modelled.
    fn library_input(&mut self, name: &str, ty: TypeId, into: &Option<Place>, loc: Loc) -> Option<Modelled> {
        if let Some(text) = name.strip_prefix("__provident_trust_") {
            let text = text.replace('_', " ");
            self.assume(AssumptionKind::Library, text, loc, false);
            return Some(None);
        }
        if name == "__provident_rounding_mode" {
            let mode = self.rounding_mode().unwrap_or_else(|| Expr::int(0, Types::INT));
            return Some(Some(mode));
        }
        let source = if let Some(function) = name.strip_prefix("__provident_input_") {
            Input::Nondet {
                function: function.to_owned(),
            }
        } else {
            let what = name.strip_prefix("__provident_any_")?;
            let what = format!("the result of `{what}()`");
            return Some(Some(self.invent(ty, Invention::Library, &what, loc)));
        };
        let place = match into {
            Some(place) if place.ty == ty => place.clone(),
            _ => Place::var(self.temp(ty, loc), ty),
        };
        let havoc = Op::Havoc {
            place: place.clone(),
            source,
        };
        self.emit(havoc, loc);
        Some(Some(Expr::load(place)))
    }

    /// Whether a function of the library without a model gets a function of the program.
    fn runs_functions(&self, f: ast::FuncId, args: &[ExprId]) -> bool {
        let function = self.unit.function(f);
        let is_function = |&arg: &ExprId| {
            let arg = self.unit.expr(arg);
            let to_function = self.types.pointee(arg.ty).is_some_and(|to| self.types.is_function(to));
            to_function && !matches!(arg.kind, ast::ExprKind::Int(_))
        };
        Invention::of_function(&function.name) == Some(Invention::Library)
            && &*function.name != "atexit"
            && args.iter().any(is_function)
    }

    fn unsupported(&mut self, name: &str, loc: Loc) {
        let text = format!("`{name}` does more than return a value, and there is no model of it");
        self.assume(AssumptionKind::Unsupported, text, loc, false);
    }

    fn task_convention(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        if name.starts_with("__VERIFIER_nondet_") && !self.types.is_void(ty) && !self.is_opaque(ty) {
            args.iter().for_each(|&a| self.effect(a));
            // An unused result is an input as well: a harness has to count it.
            let place = match into {
                Some(place) if place.ty == ty => place.clone(),
                _ => Place::var(self.temp(ty, loc), ty),
            };
            let source = Input::Nondet {
                function: name.to_owned(),
            };
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return Some(wanted.then(|| Expr::load(place)));
        }
        if matches!(name, "__VERIFIER_assume" | "__builtin_assume") && args.len() == 1 {
            let (holds, fails) = (self.new_node(loc), self.new_node(loc));
            self.branch(args[0], holds, fails);
            self.cur = holds;
            return Some(None);
        }
        if matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end") {
            self.assume(
                AssumptionKind::Concurrency,
                "there is one thread".to_owned(),
                loc,
                false,
            );
            return Some(None);
        }
        None
    }

    // ---- memory management ---------------------------------------------------------------------------------------------

    fn allocate(
        &mut self,
        allocator: &Allocator,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        _wanted: bool,
        loc: Loc,
    ) -> Modelled {
        let values = self.arguments(args, loc);
        let wide = |i: usize| expr::cast(&self.types, values[i].clone(), self.size_t);
        let size = match allocator.size {
            Size::Arg(a) => wide(a),
            Size::Product(a, b) => expr::binary(&self.types, BinOp::Mul, wide(a), wide(b), self.size_t),
        };
        let may_fail = !allocator.never_fails && (allocator.kernel || self.options.malloc_may_fail);
        if !may_fail {
            let text = format!("`{}` always succeeds", allocator.name);
            self.assume(AssumptionKind::Allocation, text, loc, false);
        }
        let aligned = match allocator.name {
            "valloc" => true,
            "aligned_alloc" | "memalign" => {
                let alignment = values[0].as_const().and_then(Int::to_i128);
                alignment.is_none_or(|alignment| alignment > ALIGNMENT)
            }
            _ => false,
        };
        let kind = match (allocator.stack, aligned) {
            (true, _) => AllocKind::Stack,
            (false, true) => AllocKind::Aligned,
            (false, false) => AllocKind::Heap,
        };
        let lhs = self.pointer_result(ty, into, loc);
        let joins = match allocator.kernel || allocator.stack {
            true => None,
            false => self.fail_beyond_objects(allocator, &values, &size, &lhs, loc),
        };
        self.emit(
            Op::Allocate {
                lhs: lhs.clone(),
                size,
                zero: allocator.zero,
                kind,
                may_fail,
            },
            loc,
        );
        if may_fail && !allocator.kernel && self.unit.library_global("library_errno").is_some() {
            let (failed, join) = (self.new_node(loc), self.new_node(loc));
            let is_given = Expr::load(lhs.clone());
            for (to, truth) in [(join, true), (failed, false)] {
                let cond = is_given.clone();
                self.edge(self.cur, to, Op::Assume { cond, truth }, loc);
            }
            self.cur = failed;
            self.set_errno_for_memory(loc);
            self.connect(self.cur, join, loc);
            self.cur = join;
        }
        if let Some(join) = joins {
            self.connect(self.cur, join, loc);
            self.cur = join;
        }
        Some(Expr::load(lhs))
    }

    /// No object has more bytes than differences of pointers can say: where the size may be larger, one way leads to a null pointer. Goes on where it is not,
    /// and returns where both ways meet; `None` if there is only one.
    fn fail_beyond_objects(
        &mut self,
        allocator: &Allocator,
        values: &[Expr],
        size: &Expr,
        lhs: &Place,
        loc: Loc,
    ) -> Option<NodeId> {
        let most = match self.int_info(self.intptr)?.width {
            64 => Int::from(i64::MAX),
            _ => Int::from(i32::MAX),
        };
        let beyond = match allocator.size {
            Size::Arg(_) => match size.as_const() {
                Some(size) if *size <= most => return None,
                _ => expr::binary(
                    &self.types,
                    BinOp::Gt,
                    size.clone(),
                    Expr::int(most, self.size_t),
                    Types::INT,
                ),
            },
            Size::Product(a, b) => {
                let wide = Types::int(IntKind::UInt128);
                let factor = |i: usize| {
                    let value = expr::cast(&self.types, values[i].clone(), self.size_t);
                    expr::cast(&self.types, value, wide)
                };
                let exact = expr::binary(&self.types, BinOp::Mul, factor(a), factor(b), wide);
                match exact.as_const() {
                    Some(size) if *size <= most => return None,
                    _ => expr::binary(&self.types, BinOp::Gt, exact, Expr::int(most, wide), Types::INT),
                }
            }
        };
        let (fails, fits, join) = (self.new_node(loc), self.new_node(loc), self.new_node(loc));
        for (to, truth) in [(fails, true), (fits, false)] {
            let cond = beyond.clone();
            self.edge(self.cur, to, Op::Assume { cond, truth }, loc);
        }
        self.cur = fails;
        let null = Expr::int(0, lhs.ty);
        self.emit(
            Op::Assign {
                lhs: lhs.clone(),
                rhs: null,
            },
            loc,
        );
        self.set_errno_for_memory(loc);
        self.connect(self.cur, join, loc);
        self.cur = fits;
        Some(join)
    }

    /// Where an allocation of the library has failed: the number of the last error says so.
    pub(super) fn set_errno_for_memory(&mut self, loc: Loc) {
        /// `ENOMEM` of Linux.
        const NO_MEMORY: i64 = 12;
        let Some(errno) = self.unit.library_global("library_errno") else {
            return;
        };
        let ty = self.unit.global(errno).ty;
        let lhs = Place::var(self.global(errno), ty);
        let rhs = Expr::int(NO_MEMORY, ty);
        self.emit(Op::Assign { lhs, rhs }, loc);
    }

    /// Where the address of a new object goes: any pointer will do.
    fn pointer_result(&mut self, ty: TypeId, into: &Option<Place>, loc: Loc) -> Place {
        match into {
            Some(place) if self.types.is_pointer(place.ty) => place.clone(),
            _ => Place::var(self.temp(ty, loc), ty),
        }
    }

    /// The place of exactly `len` bytes that a pointer argument plainly points to, with its type.
    fn visible_object(&mut self, pointer: &Expr, len: &Expr) -> Option<Place> {
        let len = len.as_const()?.to_i64().and_then(|l| u64::try_from(l).ok())?;
        let mut pointer = pointer;
        loop {
            if let Some(to) = self.types.pointee(pointer.ty)
                && self.types.size_of(to) == Some(len)
                && len > 0
            {
                return Some(self.pointed(pointer.clone(), to));
            }
            match &pointer.kind {
                // `memset(a, 0, sizeof a)`: the pointer to the first element, the size of the whole array.
                ExprKind::AddrOf(place) => {
                    let Some(Proj::Index(index)) = place.proj.last() else {
                        return None;
                    };
                    let at_start = index.as_const().is_some_and(Int::is_zero);
                    let mut whole = place.clone();
                    whole.proj.pop();
                    whole.ty = self.place_type(&whole)?;
                    return (at_start && self.types.size_of(whole.ty) == Some(len)).then_some(whole);
                }
                ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => pointer = inner,
                _ => return None,
            }
        }
    }

    /// The type that a place has by its base and projections.
    fn place_type(&self, place: &Place) -> Option<TypeId> {
        let mut ty = match &place.base {
            PlaceBase::Var(v) => self.vars[v.index()].ty,
            PlaceBase::Deref(ptr) => self.types.pointee(ptr.ty)?,
        };
        for proj in &place.proj {
            ty = match proj {
                Proj::Field { record, field } => self.types.record(*record).fields[*field as usize].ty,
                Proj::Index(_) => self.types.element(ty)?,
            };
        }
        Some(ty)
    }

    fn block_result(&mut self, dst: &Expr, ty: TypeId, wanted: bool) -> Modelled {
        (wanted && self.types.is_pointer(ty)).then(|| expr::cast(&self.types, dst.clone(), ty))
    }

    fn set_memory(
        &mut self,
        dst: ExprId,
        byte: Option<ExprId>,
        len: ExprId,
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Modelled {
        let list: Vec<ExprId> = [Some(dst), byte, Some(len)].into_iter().flatten().collect();
        let mut values = self.arguments(&list, loc);
        let len = expr::cast(&self.types, values.pop()?, self.size_t);
        let byte = match byte {
            Some(_) => expr::cast(&self.types, values.pop()?, Types::INT),
            None => Expr::int(0, Types::INT),
        };
        let mut dst = values.pop()?;
        if wanted && !self.is_stable(&dst) {
            dst = self.save(dst, loc);
        }
        let zero = byte.as_const().is_some_and(Int::is_zero);
        match self.visible_object(&dst, &len) {
            Some(place) if zero && !self.is_opaque(place.ty) => self.zero(place, loc),
            _ if len.as_const().is_some_and(Int::is_zero) => {}
            _ => {
                let dst = expr::cast(&self.types, dst.clone(), Types::VOID_PTR);
                self.emit(Op::MemSet { dst, byte, len }, loc);
            }
        }
        self.block_result(&dst, ty, wanted)
    }

    fn copy_memory(&mut self, dst: ExprId, src: ExprId, len: ExprId, ty: TypeId, wanted: bool, loc: Loc) -> Modelled {
        let mut values = self.arguments(&[dst, src, len], loc);
        let len = expr::cast(&self.types, values.pop()?, self.size_t);
        let (src, mut dst) = (values.pop()?, values.pop()?);
        if wanted && !self.is_stable(&dst) {
            dst = self.save(dst, loc);
        }
        let objects = (self.visible_object(&dst, &len), self.visible_object(&src, &len));
        match objects {
            (Some(to), Some(from)) if to.ty == from.ty && self.is_assignable(to.ty) => {
                self.emit(
                    Op::Assign {
                        lhs: to,
                        rhs: Expr::load(from),
                    },
                    loc,
                );
            }
            _ if len.as_const().is_some_and(Int::is_zero) => {}
            _ => {
                let to = expr::cast(&self.types, dst.clone(), Types::VOID_PTR);
                let src = expr::cast(&self.types, src, Types::VOID_PTR);
                self.emit(Op::MemCopy { dst: to, src, len }, loc);
            }
        }
        self.block_result(&dst, ty, wanted)
    }

    fn is_assignable(&self, ty: TypeId) -> bool {
        !self.is_opaque(ty) && (self.types.is_scalar(ty) || self.types.as_record(ty).is_some())
    }

    // ---- functions without model ---------------------------------------------------------------------------------------

    /// The memory that a function of the library may write, which has no model: any value where the object is in sight, the ledger otherwise. Returns whether
    /// that is all that it writes.
    pub(super) fn write_through(&mut self, f: ast::FuncId, values: &[Expr], loc: Loc) -> bool {
        let function = self.unit.function(f);
        let name = function.name.to_string();
        if self.options.library == LibraryUse::None {
            return !has_effects(&name);
        }
        if Invention::of_function(&name).is_some() && !function.attributes.pure {
            self.lose_errno(&name, loc);
        }
        let mut in_sight = !BEYOND_ARGUMENTS.contains(&plain_name(&name));
        for i in self.written_arguments(f, values) {
            let mut pointer = &values[i];
            while let ExprKind::Cast(inner) = &pointer.kind {
                pointer = inner;
            }
            match &pointer.kind {
                ExprKind::AddrOf(place) => {
                    let mut place = place.clone();
                    // A pointer into an array may be used to write all of it.
                    if let Some(Proj::Index(_)) = place.proj.last() {
                        place.proj.pop();
                        match self.place_type(&place) {
                            Some(ty) if self.types.size_of(ty).is_some() => place.ty = ty,
                            _ => {
                                in_sight = false;
                                continue;
                            }
                        }
                    }
                    let source = Input::written(&name);
                    self.emit(Op::Havoc { place, source }, loc);
                }
                ExprKind::Const(_) => {}
                _ => {
                    in_sight = false;
                    let text = format!("`{name}` does not write through its pointer argument");
                    self.assume(AssumptionKind::Library, text, loc, false);
                }
            }
        }
        in_sight
    }

    /// The arguments of a function without a model through which it may write.
    fn written_arguments(&self, f: ast::FuncId, values: &[Expr]) -> Vec<usize> {
        let function = self.unit.function(f);
        let plain = plain_name(&function.name);
        if let Some(&(_, first, all)) = WRITERS.iter().find(|w| w.0 == plain) {
            let last = if all { values.len() } else { first + 1 };
            return (first..last.min(values.len())).collect();
        }
        if PRINTERS.contains(&plain) {
            // `%n` is written through a pointer to an integer other than a character, or to a `signed char`.
            let to_number = |i: &usize| {
                let to = self.types.pointee(values[*i].ty);
                to.is_some_and(|to| self.int_info(to).is_some() && to != Types::CHAR)
            };
            return (0..values.len()).filter(to_number).collect();
        }
        if HARMLESS.contains(&plain) || Invention::of_function(&function.name).is_none() || function.attributes.pure {
            return Vec::new();
        }
        let writes = |i: &usize| {
            let read_only = *i < 64 && function.read_only >> i & 1 == 1;
            !read_only && self.types.pointee(values[*i].ty).is_some_and(|to| !self.is_stream(to))
        };
        (0..values.len()).filter(writes).collect()
    }

    /// Whether objects of a type are the library's own, which a program does not look into: streams and functions.
    fn is_stream(&self, ty: TypeId) -> bool {
        const OPAQUE: [&str; 3] = ["_IO_FILE", "__sFILE", "__dirstream"];
        self.types.is_function(ty)
            || self.types.as_record(ty).is_some_and(|record| {
                self.types
                    .record(record)
                    .name
                    .as_deref()
                    .is_some_and(|tag| OPAQUE.contains(&tag))
            })
    }

    /// After a call of a function of the library that has no model, the number of the last error may be another one.
    fn lose_errno(&mut self, name: &str, loc: Loc) {
        let Some(errno) = self.unit.library_global("library_errno") else {
            return;
        };
        let ty = self.unit.global(errno).ty;
        let place = Place::var(self.global(errno), ty);
        let source = Input::written(name);
        self.emit(Op::Havoc { place, source }, loc);
    }

    pub(super) fn note_external(&mut self, name: &str, pure: bool, in_sight: bool, loc: Loc) {
        let plain = plain_name(name);
        let invented = Invention::of_function(name);
        let of_library = invented.is_some() || WRITERS.iter().any(|w| w.0 == plain);
        let harmless = pure
            || HARMLESS.contains(&plain)
            || of_library && in_sight
            || matches!(name, "__VERIFIER_error" | "reach_error");
        let text = match harmless || !of_library {
            true => format!("`{name}` returns any value and touches nothing"),
            false => format!("`{name}` returns any value, and more of what it does is not modelled"),
        };
        let kind = invented.map_or(AssumptionKind::ExternFunction, AssumptionKind::Invented);
        self.assume(kind, text, loc, harmless);
        if name.starts_with("pthread_create") {
            let text = "the threads that `pthread_create` starts do nothing".to_owned();
            self.assume(AssumptionKind::Concurrency, text, loc, false);
        }
    }
}
