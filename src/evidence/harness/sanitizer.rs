//! The compiler's own checks, which share nothing with those of lowering: gcc's `-fsanitize` of undefined behaviour.
//!
//! Where such a check fails, the compiled program calls a function, `__ubsan_handle_...`, with the place in the source. The library with these functions is not linked: the harness defines
//! them. At the place of the violation it ends the run; elsewhere it returns, and the program goes on as the machine does.

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
}

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
            CheckKind::Memcleanup => ("-Wl,--wrap=malloc", &[]),
        };
        Sanitizer {
            flag,
            handlers,
            without_wrap: kind == CheckKind::Overflow,
        }
    }

    /// The functions as C text. Without a place, every failure is the violation. The folder of a file does not count: copies of a file may stand elsewhere.
    pub(super) fn handlers(self, place: Option<Position<'_>>) -> String {
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
