//! Values that the model invents.
//!
//! A program gets values from outside: results of functions that it leaves to others, parameters of its entry, variables that nothing has
//! written. Those are inputs, and a violation may rest on them. The model invents other values because it has no meaning for a construct.
//! The real program has one value there, so that a violation that needs another one is none. Each such value is an
//! [`Input::Invented`](crate::cfa::Input::Invented) of one [`Invention`], so that a verdict can name the construct, and a user may take the
//! values of one sort for inputs after all.

use std::fmt;

/// The name of the function that stands for every function that a pointer may point to and that is not known.
pub const UNKNOWN_TARGET: &str = "__provident_unknown_target";

/// The end of the name of a function that stands for calls of a recursion that are not followed.
pub const SKIPPED: &str = "@skipped";

/// The sort of construct for which a value is invented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invention {
    /// A result of a function of the C or POSIX library, or bytes that it writes.
    Library,
    /// A result of a compiler builtin, or bytes that it writes.
    Builtin,
    /// A variable argument.
    VarArgs,
    /// Bytes of memory: after `realloc`, or beyond an object.
    Memory,
    /// The size or the layout of an object, such as a record with an array of variable length.
    Size,
    /// The result of a floating-point operation.
    Float,
    /// An output of inline assembly, or where it jumps.
    Assembly,
    /// The result and the effects of a call whose target is not known.
    Target,
    /// A value of a vector type.
    Vector,
    /// A value of a complex type.
    Complex,
    /// The value of another construct of the language.
    Language,
}

impl Invention {
    /// All of them, in the order of reports.
    pub const ALL: [Invention; 11] = [
        Invention::Library,
        Invention::Builtin,
        Invention::VarArgs,
        Invention::Memory,
        Invention::Size,
        Invention::Float,
        Invention::Assembly,
        Invention::Target,
        Invention::Vector,
        Invention::Complex,
        Invention::Language,
    ];

    /// The option that makes values of the sort inputs.
    pub fn option(self) -> &'static str {
        match self {
            Invention::Library => "invented.library",
            Invention::Builtin => "invented.builtin",
            Invention::VarArgs => "invented.varargs",
            Invention::Memory => "invented.memory",
            Invention::Size => "invented.size",
            Invention::Float => "invented.float",
            Invention::Assembly => "invented.assembly",
            Invention::Target => "invented.target",
            Invention::Vector => "invented.vector",
            Invention::Complex => "invented.complex",
            Invention::Language => "invented.language",
        }
    }

    /// The stable name that options use.
    pub fn name(self) -> &'static str {
        let option = self.option();
        option.strip_prefix("invented.").unwrap_or(option)
    }

    /// The sort of a name.
    pub fn by_name(name: &str) -> Option<Invention> {
        Invention::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable name that ledgers and reasons use.
    pub fn title(self) -> &'static str {
        match self {
            Invention::Library => "library function",
            Invention::Builtin => "compiler builtin",
            Invention::VarArgs => "variable arguments",
            Invention::Memory => "memory contents",
            Invention::Size => "size",
            Invention::Float => "floating point",
            Invention::Assembly => "inline assembly",
            Invention::Target => "call target",
            Invention::Vector => "vector",
            Invention::Complex => "complex number",
            Invention::Language => "language",
        }
    }

    /// The sort of what a function without body returns or writes; `None` if that is an input, because the function is neither of
    /// the library nor of the compiler.
    pub fn of_function(name: &str) -> Option<Invention> {
        if name == UNKNOWN_TARGET {
            return Some(Invention::Target);
        }
        if name.ends_with(SKIPPED) {
            return Some(Invention::Language);
        }
        const COMPILER: [&str; 4] = ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"];
        if COMPILER.iter().any(|prefix| name.starts_with(prefix)) {
            return Some(Invention::Builtin);
        }
        crate::cfa::library::standard::is_standard(name).then_some(Invention::Library)
    }
}

/// A set of sorts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inventions(u16);

impl Inventions {
    /// The set with one more sort.
    #[must_use]
    pub fn with(self, kind: Invention) -> Inventions {
        Inventions(self.0 | 1 << kind as u16)
    }

    /// Whether a sort is in the set.
    pub fn contains(self, kind: Invention) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

impl fmt::Display for Invention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_again() {
        for kind in Invention::ALL {
            assert_eq!(Invention::by_name(kind.name()), Some(kind));
        }
        let titles: std::collections::BTreeSet<_> = Invention::ALL.iter().map(|kind| kind.title()).collect();
        assert_eq!(titles.len(), Invention::ALL.len());
        assert!(Invention::ALL.is_sorted(), "the order of reports is that of the sorts");
    }

    #[test]
    fn functions_of_the_library_and_the_compiler_are_no_inputs() {
        for (name, kind) in [
            ("strlen", Some(Invention::Library)),
            ("__builtin_strlen", Some(Invention::Builtin)),
            ("__atomic_is_lock_free", Some(Invention::Builtin)),
            ("__VERIFIER_nondet_int", None),
            ("reach_error", None),
            ("read_sensor", None),
            (UNKNOWN_TARGET, Some(Invention::Target)),
            ("ackermann@skipped", Some(Invention::Language)),
        ] {
            assert_eq!(Invention::of_function(name), kind, "{name}");
        }
    }
}
