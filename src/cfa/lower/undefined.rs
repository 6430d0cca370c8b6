//! Functions without a body and without a model: what a call of one may change, and what the ledger says of it.

use super::allocate::{ALLOCATORS, RELEASERS};
use super::library::{RUNNERS, is_atomic, plain_name};
use super::{LibraryUse, Lowerer};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::check::CheckKind;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};

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

impl Lowerer<'_> {
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

    /// Notes that nothing checks the accesses of a library function without a model, if the program's are checked.
    pub(super) fn note_unchecked_accesses(&mut self, name: &str, values: &[Expr], loc: Loc) {
        let gets_memory = |value: &Expr| self.types.is_pointer(value.ty) && value.as_const().is_none();
        if self.options.checks.contains(CheckKind::Deref)
            && let Some(kind) = Invention::of_function(name)
            && values.iter().any(gets_memory)
        {
            let text = format!("`{name}` accesses only memory to which it has a right");
            self.assume(AssumptionKind::Invented(kind), text, loc, false);
        }
    }

    /// Notes what is assumed about a call of a function without body. `typed`: the call's result is used as a pointer, and types divide memory.
    pub(super) fn note_external(&mut self, name: &str, pure: bool, in_sight: bool, typed: bool, loc: Loc) {
        let plain = plain_name(name);
        let invented = Invention::of_function(name);
        let of_library = invented.is_some() || WRITERS.iter().any(|w| w.0 == plain);
        let harmless = pure
            || HARMLESS.contains(&plain)
            || of_library && in_sight
            || matches!(name, "__VERIFIER_error" | "reach_error");
        let value = match typed {
            true => "any pointer, to objects of the type as which it is used,",
            false => "any value",
        };
        let text = match harmless || !of_library {
            true => format!("`{name}` returns {value} and touches nothing"),
            false => format!(
                "`{name}` returns {}, and more of what it does is not modelled",
                value.trim_end_matches(',')
            ),
        };
        let kind = invented.map_or(AssumptionKind::ExternFunction, AssumptionKind::Invented);
        self.assume(kind, text, loc, harmless && !typed);
        if name.starts_with("pthread_create") {
            let text = "the threads that `pthread_create` starts do nothing".to_owned();
            self.assume(AssumptionKind::Concurrency, text, loc, false);
        }
    }
}
