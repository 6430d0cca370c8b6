//! The symbols that stand for operators that the solver does not know.

use crate::model::Operation;
use crate::term::{Symbol, TermPool};

/// The functions and the operations that they stand for. No script can write these names.
pub(super) const OPERATIONS: [(&str, Operation); 4] = [
    ("*|", Operation::Product),
    ("div|", Operation::Div),
    ("mod|", Operation::Mod),
    ("/|", Operation::Quotient),
];

pub(super) fn symbol_of(pool: &mut TermPool, operation: Operation) -> Symbol {
    let (name, _) = OPERATIONS[operation as usize];
    Symbol {
        name: pool.symbol(name),
        index: 0,
    }
}

/// The operation that a function stands for.
pub(super) fn operation_of(pool: &TermPool, function: Symbol) -> Option<Operation> {
    let name = (function.index == 0).then(|| pool.name(function.name))?;
    OPERATIONS.iter().find(|known| known.0 == name).map(|known| known.1)
}

/// The name in SMT-LIB of the operation that a function stands for.
pub(super) fn operator(pool: &TermPool, function: Symbol) -> Option<&'static str> {
    operation_of(pool, function).map(|operation| OPERATIONS[operation as usize].0.trim_end_matches('|'))
}

/// Whether any term that is not linear was built in the pool.
pub(super) fn is_used(pool: &TermPool) -> bool {
    OPERATIONS.iter().any(|known| pool.find_symbol(known.0).is_some())
}
