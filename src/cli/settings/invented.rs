//! The knobs about invented values: which sorts of them count as inputs, so that a violation may rest on them.

use super::choices::InventedUse;
use super::options::Command::Verify;
use super::options::{Fallback::Is, Opt, Section};

pub(in crate::cli) static INVENTED_LIBRARY: Opt<InventedUse> = Opt::new(
    "invented.library",
    Section::Language,
    Is(InventedUse::None),
    "What functions of the C and POSIX library return and write, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_BUILTIN: Opt<InventedUse> = Opt::new(
    "invented.builtin",
    Section::Language,
    Is(InventedUse::None),
    "What compiler builtins return and write, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_VARARGS: Opt<InventedUse> = Opt::new(
    "invented.varargs",
    Section::Language,
    Is(InventedUse::None),
    "Variable arguments, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_MEMORY: Opt<InventedUse> = Opt::new(
    "invented.memory",
    Section::Language,
    Is(InventedUse::None),
    "Bytes after `realloc` or beyond an object, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_SIZE: Opt<InventedUse> = Opt::new(
    "invented.size",
    Section::Language,
    Is(InventedUse::None),
    "Sizes and layouts of objects of variable length, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_FLOAT: Opt<InventedUse> = Opt::new(
    "invented.float",
    Section::Language,
    Is(InventedUse::None),
    "Results of floating-point operations, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_ASSEMBLY: Opt<InventedUse> = Opt::new(
    "invented.assembly",
    Section::Language,
    Is(InventedUse::None),
    "Outputs of inline assembly, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_TARGET: Opt<InventedUse> = Opt::new(
    "invented.target",
    Section::Language,
    Is(InventedUse::None),
    "Results and effects of calls whose target is not known, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_VECTOR: Opt<InventedUse> = Opt::new(
    "invented.vector",
    Section::Language,
    Is(InventedUse::None),
    "Values of vector types, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_COMPLEX: Opt<InventedUse> = Opt::new(
    "invented.complex",
    Section::Language,
    Is(InventedUse::None),
    "Values of complex types, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_LANGUAGE: Opt<InventedUse> = Opt::new(
    "invented.language",
    Section::Language,
    Is(InventedUse::None),
    "Values of other constructs of the language, where there is no model",
)
.of(&[Verify])
.set_only();

pub(in crate::cli) static INVENTED_ALL: Opt<InventedUse> = Opt::new(
    "invented.all",
    Section::Language,
    Is(InventedUse::None),
    "All of these, where there is no model",
)
.of(&[Verify])
.set_only();
