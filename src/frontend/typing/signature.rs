//! The names of functions that need no declaration, with their types in a small code: one letter per type, the return type first; a dot stands for more
//! arguments, and `?` is a type that depends on the arguments. `Parser::code_type` knows the letters.

use super::floating;
use std::borrow::Cow;

/// Library functions that gcc knows; each exists as `__builtin_name`, too.
pub const LIBRARY: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "qq"),
    ("alloca", "pz"),
    ("aligned_alloc", "pzz"),
    ("assert", "vb"),
    ("bcmp", "ikkz"),
    ("bcopy", "vkpz"),
    ("bzero", "vpz"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("fprintf", "ipc."),
    ("fputc", "iip"),
    ("fputs", "icp"),
    ("fscanf", "ipc."),
    ("free", "vp"),
    ("fwrite", "zkzzp"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("islower", "ii"),
    ("isprint", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iq"),
    ("imaxabs", "ll"),
    ("index", "sci"),
    ("isascii", "ii"),
    ("isblank", "ii"),
    ("iscntrl", "ii"),
    ("isgraph", "ii"),
    ("ispunct", "ii"),
    ("isxdigit", "ii"),
    ("malloc", "pz"),
    ("memchr", "pkiz"),
    ("memcmp", "ikkz"),
    ("memcpy", "ppkz"),
    ("memmove", "ppkz"),
    ("mempcpy", "ppkz"),
    ("memset", "ppiz"),
    ("printf", "ic."),
    ("putchar", "ii"),
    ("puts", "ic"),
    ("realloc", "ppz"),
    ("rindex", "sci"),
    ("scanf", "ic."),
    ("snprintf", "iszc."),
    ("sprintf", "isc."),
    ("sscanf", "icc."),
    ("stpcpy", "ssc"),
    ("stpncpy", "sscz"),
    ("strcasecmp", "icc"),
    ("strcat", "ssc"),
    ("strchr", "sci"),
    ("strcmp", "icc"),
    ("strcpy", "ssc"),
    ("strcspn", "zcc"),
    ("strdup", "sc"),
    ("strlen", "zc"),
    ("strncasecmp", "iccz"),
    ("strncat", "sscz"),
    ("strncmp", "iccz"),
    ("strncpy", "sscz"),
    ("strndup", "scz"),
    ("strnlen", "zcz"),
    ("strpbrk", "scc"),
    ("strrchr", "sci"),
    ("strspn", "zcc"),
    ("strstr", "scc"),
    ("toascii", "ii"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("vfprintf", "ipca"),
    ("vprintf", "ica"),
    ("vsnprintf", "iszca"),
    ("vsprintf", "isca"),
];

/// Builtins without a library name, `__builtin_` left out.
const BUILTINS: &[(&str, &str)] = &[
    ("trap", "v"),
    ("unreachable", "v"),
    ("prefetch", "vk."),
    ("return_address", "pu"),
    ("frame_address", "pu"),
    ("extract_return_addr", "pp"),
    ("alloca_with_align", "pzz"),
    ("bswap16", "HH"),
    ("bswap32", "uu"),
    ("bswap64", "QQ"),
    ("bswap128", "VV"),
    ("clz", "iu"),
    ("clzl", "im"),
    ("clzll", "iQ"),
    ("ctz", "iu"),
    ("ctzl", "im"),
    ("ctzll", "iQ"),
    ("popcount", "iu"),
    ("popcountl", "im"),
    ("popcountll", "iQ"),
    ("parity", "iu"),
    ("parityl", "im"),
    ("parityll", "iQ"),
    ("clrsb", "ii"),
    ("clrsbl", "il"),
    ("clrsbll", "iq"),
    ("clzimax", "iQ"),
    ("ctzimax", "iQ"),
    ("ffsimax", "iq"),
    ("popcountimax", "iQ"),
    ("parityimax", "iQ"),
    ("clrsbimax", "iq"),
    ("clzg", "?"),
    ("ctzg", "?"),
    ("ffsg", "?"),
    ("popcountg", "?"),
    ("parityg", "?"),
    ("clrsbg", "?"),
    ("addc", "?"),
    ("addcl", "?"),
    ("addcll", "?"),
    ("subc", "?"),
    ("subcl", "?"),
    ("subcll", "?"),
    ("stack_save", "p"),
    ("stack_restore", "vp"),
    ("LINE", "i"),
    ("FILE", "c"),
    ("FUNCTION", "c"),
    ("cpu_init", "i"),
    ("cpu_supports", "ic"),
    ("cpu_is", "ic"),
    ("ia32_pause", "v"),
    ("complex", "?"),
    ("shuffle", "?"),
    ("shufflevector", "?"),
    ("speculation_safe_value", "?"),
    ("assume_aligned", "pkz."),
    ("sadd_overflow", "biip"),
    ("saddl_overflow", "bllp"),
    ("saddll_overflow", "bqqp"),
    ("ssub_overflow", "biip"),
    ("ssubl_overflow", "bllp"),
    ("ssubll_overflow", "bqqp"),
    ("smul_overflow", "biip"),
    ("smull_overflow", "bllp"),
    ("smulll_overflow", "bqqp"),
    ("uadd_overflow", "buup"),
    ("uaddl_overflow", "bmmp"),
    ("uaddll_overflow", "bQQp"),
    ("usub_overflow", "buup"),
    ("usubl_overflow", "bmmp"),
    ("usubll_overflow", "bQQp"),
    ("umul_overflow", "buup"),
    ("umull_overflow", "bmmp"),
    ("umulll_overflow", "bQQp"),
    ("expect", "lll"),
    ("expect_with_probability", "llld"),
    ("va_start", "?"),
    ("va_end", "?"),
    ("va_copy", "?"),
    ("constant_p", "?"),
    ("object_size", "?"),
    ("dynamic_object_size", "?"),
    ("add_overflow", "?"),
    ("sub_overflow", "?"),
    ("mul_overflow", "?"),
    ("add_overflow_p", "?"),
    ("sub_overflow_p", "?"),
    ("mul_overflow_p", "?"),
    ("classify_type", "?"),
    ("tgmath", "?"),
];

/// The type code of a name in a table.
pub fn find(table: &'static [(&str, &str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(n, _)| *n == name).map(|&(_, code)| code)
}

/// The type code of a function that is known without a declaration, and whether it is a builtin proper.
pub fn known(name: &str) -> Option<(Cow<'static, str>, bool)> {
    if let Some(short) = name.strip_prefix("__builtin_") {
        if let Some(base) = short.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
            // The checked variants have an object size (and a flag for printf) in addition: take what comes.
            return find(LIBRARY, base).map(|_| ("?".into(), true));
        }
        return find(BUILTINS, short)
            .or_else(|| find(LIBRARY, short))
            .map(Cow::from)
            .or_else(|| floating::code(short, true).map(Cow::from))
            .map(|code| (code, true));
    }
    if name.starts_with("__sync_") || name.starts_with("__atomic_") {
        return atomic_shape(name).map(|_| ("?".into(), true));
    }
    let code = find(LIBRARY, name).map(Cow::from);
    code.or_else(|| floating::code(name, false).map(Cow::from))
        .map(|code| (code, false))
}

/// The result of an atomic builtin.
#[derive(Clone, Copy)]
pub enum Shape {
    /// The object's type.
    Object,
    Bool,
    Void,
}

/// The result of a builtin by its name; `None` if it is no atomic one.
pub fn atomic_shape(name: &str) -> Option<Shape> {
    const OPERATIONS: [&str; 6] = ["add", "sub", "and", "or", "xor", "nand"];
    let sized = |n: &str| {
        n.rsplit_once('_')
            .filter(|(_, s)| matches!(*s, "1" | "2" | "4" | "8" | "16"))
            .map(|(b, _)| b.to_owned())
    };
    let base = sized(name).unwrap_or_else(|| name.to_owned());
    let short = base
        .strip_prefix("__sync_")
        .or_else(|| base.strip_prefix("__atomic_"))?;
    let fetch = OPERATIONS.iter().any(|op| {
        short == format!("fetch_and_{op}")
            || short == format!("{op}_and_fetch")
            || short == format!("fetch_{op}")
            || short == format!("{op}_fetch")
    });
    match short {
        _ if fetch => Some(Shape::Object),
        "val_compare_and_swap" | "lock_test_and_set" | "load_n" | "exchange_n" => Some(Shape::Object),
        // With a size in their names, these give values.
        "load" | "exchange" if base != name => Some(Shape::Object),
        "bool_compare_and_swap"
        | "compare_exchange_n"
        | "compare_exchange"
        | "test_and_set"
        | "always_lock_free"
        | "is_lock_free" => Some(Shape::Bool),
        "synchronize" | "lock_release" | "store_n" | "load" | "store" | "exchange" | "clear" | "thread_fence"
        | "signal_fence" => Some(Shape::Void),
        _ => None,
    }
}
