//! The compiler's own checks, which share nothing with those of lowering: gcc's `-fsanitize` of undefined behaviour.
//!
//! Where such a check fails, the compiled program calls a function, `__ubsan_handle_...`, with the place in the source. The library with these functions is not linked: the harness defines
//! them. At the place of the violation it ends the run; elsewhere it returns, and the program goes on as the machine does.
//!
//! Objects are watched by gcc's own libraries, which are linked: AddressSanitizer (Serebryany, Bruening, Potapenko, Vyukov, *AddressSanitizer: a fast address sanity checker*, USENIX ATC
//! 2012) for accesses and releases, LeakSanitizer for objects that nothing points to. Then the program has the allocator of that library, and the first error is the violation: an
//! execution of the model ends at its first one, too. Objects that are left at the end of the program are counted by the harness.

use super::render::quoted;
use crate::cfa::program::check::CheckKind;
use crate::frontend::text::source::Position;
use std::fmt::Write;

/// The checks of gcc that stand for a sort of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sanitizer {
    /// The option that turns them on.
    pub flag: &'static str,
    /// The ends of the names of the functions that they call.
    handlers: &'static [&'static str],
    /// Whether gcc has them only where signed overflow has no meaning.
    pub without_wrap: bool,
    /// Options for the linker, if objects are watched: then the program has the library's allocator.
    pub link: Option<&'static [&'static str]>,
    kind: CheckKind,
}

/// The first error that AddressSanitizer finds, apart from those of the other sort.
const ADDRESS: &str = r#"const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=1:halt_on_error=1"; }
extern const char *__asan_get_report_description(void);
static int provident_begins(const char *text, const char *word)
{
    while (*word && *text == *word)
        text++, word++;
    return !*word;
}
void __asan_on_error(void)
{
    const char *error = __asan_get_report_description();
    int frees = provident_begins(error, "bad-free") || provident_begins(error, "double-free") || provident_begins(error, "alloc-dealloc");
    if (frees == PROVIDENT_FREES)
        __provident_reached();
}
"#;

/// LeakSanitizer looks when the program ends.
const LEAK: &str = r#"const char *__lsan_default_options(void) { return "exitcode=66"; }
extern int __lsan_do_recoverable_leak_check(void);
void abort(void)
{
    if (__lsan_do_recoverable_leak_check())
        __provident_reached();
    provident_stop("the program calls abort", 68);
}
"#;

/// Allocations and releases are counted.
const COUNT: &str = r#"static long provident_blocks;
extern void *__real_malloc(unsigned long), *__real_calloc(unsigned long, unsigned long), *__real_realloc(void *, unsigned long);
extern void __real_free(void *);
void *__wrap_malloc(unsigned long size) { provident_blocks++; return __real_malloc(size); }
void *__wrap_calloc(unsigned long count, unsigned long size) { provident_blocks++; return __real_calloc(count, size); }
void *__wrap_realloc(void *at, unsigned long size)
{
    if (!at)
        provident_blocks++;
    else if (!size)
        provident_blocks--;
    return __real_realloc(at, size);
}
void __wrap_free(void *at)
{
    if (at)
        provident_blocks--;
    __real_free(at);
}
__attribute__((destructor)) static void provident_count(void)
{
    if (provident_blocks > 0)
        __provident_reached();
}
"#;

/// Whether the last part of a file's path is a name.
const NAMED: &str = "\
static int provident_named(const char *file, const char *name)
{
    const char *last = file;
    while (*file)
        if (*file++ == '/')
            last = file;
    while (*last && *last == *name)
        last++, name++;
    return *last == *name;
}
";

impl Sanitizer {
    /// Those for a sort.
    pub(super) fn of(kind: CheckKind) -> Sanitizer {
        let link: Option<&[_]> = match kind {
            CheckKind::Deref | CheckKind::Free => Some(&["-fsanitize=address"]),
            CheckKind::Memtrack => Some(&["-fsanitize=leak"]),
            CheckKind::Memcleanup => Some(&["-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free"]),
            _ => None,
        };
        let (flag, handlers): (_, &[_]) = match kind {
            CheckKind::Overflow => (
                "-fsanitize=signed-integer-overflow,shift",
                &[
                    "add_overflow",
                    "sub_overflow",
                    "mul_overflow",
                    "negate_overflow",
                    "divrem_overflow",
                    "shift_out_of_bounds",
                ],
            ),
            CheckKind::Division => ("-fsanitize=integer-divide-by-zero", &["divrem_overflow"]),
            CheckKind::Shift => ("-fsanitize=shift-exponent", &["shift_out_of_bounds"]),
            CheckKind::Bounds => ("-fsanitize=bounds", &["out_of_bounds"]),
            CheckKind::Null => ("-fsanitize=null", &["type_mismatch_v1"]),
            CheckKind::Deref | CheckKind::Free => ("-fsanitize=address", &[]),
            CheckKind::Memtrack => ("-fsanitize=leak", &[]),
            // gcc has no such check: no harness is made.
            CheckKind::Memcleanup | CheckKind::Uninit => ("-fno-builtin", &[]),
        };
        Sanitizer {
            flag,
            handlers,
            without_wrap: kind == CheckKind::Overflow,
            link,
            kind,
        }
    }

    /// The functions as C text. Without a place, every failure is the violation. The folder of a file does not count: copies of a file may stand elsewhere.
    pub(super) fn handlers(self, place: Option<Position<'_>>) -> String {
        match self.kind {
            CheckKind::Deref => return format!("#define PROVIDENT_FREES 0\n{ADDRESS}"),
            CheckKind::Free => return format!("#define PROVIDENT_FREES 1\n{ADDRESS}"),
            CheckKind::Memtrack => return LEAK.to_owned(),
            CheckKind::Memcleanup => return COUNT.to_owned(),
            _ => {}
        }
        let mut text = "/* The beginning of what the compiler tells of a check that fails. */\n\
                        struct provident_place { const char *file; unsigned line, column; };\n"
            .to_string();
        let condition = place.map_or(String::new(), |Position { file, line, .. }| {
            let name = file.rsplit('/').next().unwrap_or_default();
            text += NAMED;
            let name = quoted(name);
            format!("if (at->line == {line} && provident_named(at->file, {name})) ")
        });
        for handler in self.handlers {
            writeln!(
                text,
                "void __ubsan_handle_{handler}(struct provident_place *at) {{ (void)at; {condition}__provident_reached(); }}"
            )
            .expect("writing to a string");
        }
        text
    }
}
