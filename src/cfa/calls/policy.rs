//! The choices of how calls through pointers are understood.

/// Which functions a call through a pointer may reach, of those whose address is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointerCalls {
    /// Those that the pointer may point to and whose signature fits. Where it may point to anything: those whose signature fits, but for those that the
    /// program puts into members only, none of which is the one that the pointer is read from.
    #[default]
    PointsTo,
    /// Those whose signature fits.
    Signature,
    /// Those that the program assigns to the member of a record that the pointer is read from, and whose signature fits; where there
    /// is none, all whose signature fits.
    Field,
}

/// The effect of a call whose target is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownTargets {
    /// It returns any value and touches nothing.
    #[default]
    Ignore,
    /// It returns any value and gives all global variables any values.
    Havoc,
    /// No verdict is given for a program that may call one.
    Error,
}

/// The ledger's text for a function without a body that does more than return a value, by its name; `None` where it does no more. Lowering knows which functions have models.
pub(super) type Effects<'a> = &'a dyn Fn(&str) -> Option<String>;
