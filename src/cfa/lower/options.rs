//! The options of lowering.

use super::entry::EntryPointers;
use crate::cfa::calls::recursion::Recursion;
use crate::cfa::calls::{PointerCalls, UnknownTargets};
use crate::cfa::program::check::Checks;

/// The meaning of functions of the C library.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LibraryUse {
    /// The one that the library's sources give; functions without source return any value and write any bytes to what their arguments point to.
    #[default]
    Model,
    /// All return any value and write any bytes to what their arguments point to.
    Any,
    /// They are unknown functions.
    None,
}

/// The options of lowering.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// The function where the program starts.
    pub entry: String,
    /// What its parameters point to.
    pub entry_pointers: EntryPointers,
    /// Whether `malloc` and its kin of user space may return the null pointer. Kernel allocators always may.
    pub malloc_may_fail: bool,
    /// Functions whose calls a specification matches: where one has no body and a model, its calls are marked.
    pub watched: Vec<String>,
    /// Functions that a property forbids to call: each call has an edge, also where the function has a model.
    pub forbidden: Vec<String>,
    /// The sorts of checks before operations of the program; those of the library are taken on trust.
    pub checks: Checks,
    /// Which functions calls through pointers may reach.
    pub pointer_calls: PointerCalls,
    /// The meaning of a call through a pointer whose target is not known.
    pub unknown_targets: UnknownTargets,
    /// The treatment of calls of a function inside of itself.
    pub recursion: Recursion,
    /// Files behind the program whose functions stand for those that it does not define; for the ledger.
    pub models: Vec<String>,
    /// The meaning of functions of the C library. The front end has read its sources or not.
    pub library: LibraryUse,
}

impl Default for LowerOptions {
    fn default() -> Self {
        LowerOptions {
            entry: "main".to_owned(),
            entry_pointers: EntryPointers::default(),
            malloc_may_fail: false,
            watched: Vec::new(),
            forbidden: Vec::new(),
            checks: Checks::NONE,
            pointer_calls: PointerCalls::default(),
            unknown_targets: UnknownTargets::default(),
            recursion: Recursion::default(),
            models: Vec::new(),
            library: LibraryUse::default(),
        }
    }
}
