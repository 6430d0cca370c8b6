//! The C library: C sources in the binary for the functions of ISO C and POSIX that a program declares and does not define.
//!
//! Problem: a verdict that rests on an invented `strlen` is worth nothing. Idea: most of the library can be written in C, and then needs no special treatment:
//! it is parsed, lowered, sliced, explored and replayed like the program. The [front end](crate::frontend::syntax::library) reads only the files with functions
//! that the program uses. Operations that C cannot express are operations of lowering (`malloc`, `memcpy`), or have a name that only these sources may use:
//!
//! * `T __provident_input_f(void)`: the result of the function `f` of the environment: a real input, which a harness provides,
//! * `T __provident_any_f(void)`: a value that is not modelled; a violation that depends on it is none,
//! * `int __provident_rounding_mode(void)`: the mode of rounding that the program has set,
//! * `__VERIFIER_assume(c)`: the execution goes on only if `c` holds; for the documented ranges of results.
//!
//! Rules for the sources: one function per standard function, with its contract in its head; no directives; a function that is not `static` begins in the first column
//! and has its parameters and `{` on the first line, because the index is made from such lines; names of types that the files do not declare are the program's
//! (`div_t`, `struct tm`); file-scope names of all files are different, since they share one scope; no verdict depends on uninitialised variables.
//!
//! A library function that accesses memory without right has the same effect as code of the program that does so.
//!
//! | module | does |
//! |---|---|
//! | [`standard`] | the names of the C and POSIX library |

pub mod standard;

use crate::frontend::syntax::library::{File, Library};
use std::sync::LazyLock;

const fn file(name: &'static str, text: &'static str) -> File {
    File {
        name,
        text,
        for_pointers: false,
    }
}

const DECLARATIONS: File = file("library/declarations.h", include_str!("c/declarations.h"));

const FILES: [File; 47] = [
    file("library/assert.c", include_str!("c/assert.c")),
    file("library/string_copy.c", include_str!("c/string_copy.c")),
    file("library/string_compare.c", include_str!("c/string_compare.c")),
    file("library/string_search.c", include_str!("c/string_search.c")),
    file("library/string_token.c", include_str!("c/string_token.c")),
    file("library/ctype.c", include_str!("c/ctype.c")),
    file("library/ctype_tables.c", include_str!("c/ctype_tables.c")),
    file("library/errno.c", include_str!("c/errno.c")),
    file("library/numbers.c", include_str!("c/numbers.c")),
    file("library/float_read.c", include_str!("c/float_read.c")),
    file("library/division.c", include_str!("c/division.c")),
    file("library/sorting.c", include_str!("c/sorting.c")),
    file("library/random.c", include_str!("c/random.c")),
    file("library/memory.c", include_str!("c/memory.c")),
    file("library/math.c", include_str!("c/math.c")),
    file("library/complex.c", include_str!("c/complex.c")),
    file("library/math_angles.c", include_str!("c/math_angles.c")),
    file("library/math_hyperbolic.c", include_str!("c/math_hyperbolic.c")),
    file("library/math_logarithms.c", include_str!("c/math_logarithms.c")),
    file("library/math_powers.c", include_str!("c/math_powers.c")),
    file("library/fenv.c", include_str!("c/fenv.c")),
    file("library/time.c", include_str!("c/time.c")),
    file("library/clocks.c", include_str!("c/clocks.c")),
    file("library/calendar.c", include_str!("c/calendar.c")),
    file("library/calendar_text.c", include_str!("c/calendar_text.c")),
    file("library/error_texts.c", include_str!("c/error_texts.c")),
    file("library/environment.c", include_str!("c/environment.c")),
    file("library/signal.c", include_str!("c/signal.c")),
    file("library/threads.c", include_str!("c/threads.c")),
    file("library/system.c", include_str!("c/system.c")),
    file("library/wide.c", include_str!("c/wide.c")),
    file("library/format_fields.c", include_str!("c/format_fields.c")),
    file("library/float_digits.c", include_str!("c/float_digits.c")),
    file("library/format_floats.c", include_str!("c/format_floats.c")),
    file("library/format.c", include_str!("c/format.c")),
    file("library/print.c", include_str!("c/print.c")),
    file("library/put.c", include_str!("c/put.c")),
    file("library/scan_fields.c", include_str!("c/scan_fields.c")),
    file("library/scan.c", include_str!("c/scan.c")),
    file("library/stream.c", include_str!("c/stream.c")),
    file("library/standard_streams.c", include_str!("c/standard_streams.c")),
    file("library/scan_input.c", include_str!("c/scan_input.c")),
    file("library/files.c", include_str!("c/files.c")),
    file("library/descriptors.c", include_str!("c/descriptors.c")),
    file("library/network.c", include_str!("c/network.c")),
    File {
        name: "library/pointers.c",
        text: include_str!("c/pointers.c"),
        for_pointers: true,
    },
    File {
        name: "library/pointers_math.c",
        text: include_str!("c/pointers_math.c"),
        for_pointers: true,
    },
];

/// The C library with its index, which is made once.
pub fn c_library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::new(&DECLARATIONS, &FILES));
    &LIBRARY
}
