//! The names of a script and their meanings.

use super::array_definitions::Arrays;
use super::expansions::Expansion;
use super::sexpr::{Error, Expr, Kind};
use super::sorts::{Name, SortMeaning, Sorts, Ty};
use crate::hash::FxHashMap;
use crate::term::{NO_INDEX, Symbol, TermId, TermPool};

/// A term and its sort in the script.
#[derive(Copy, Clone, Debug)]
pub(super) struct Typed {
    pub term: TermId,
    pub ty: Ty,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A declared function or, without parameters, constant.
    Declared {
        symbol: Symbol,
        parameters: Vec<Ty>,
        result: Ty,
    },
    /// A defined function: its body over the parameter variables.
    Macro { parameters: Vec<Typed>, body: Typed },
    /// A defined function whose body is read again for each application.
    Expanded(Expansion),
}

/// Everything declared in the script, by scope.
#[derive(Default)]
pub(super) struct Scope {
    /// The sorts of the script.
    pub sorts: Sorts,
    pub arrays: Arrays,
    pub(super) meanings: FxHashMap<Name, Meaning>,
    /// Declared names in order, functions and sorts, for undoing and for models.
    pub trail: Vec<Declaration>,
    /// Local names: variables bound by `let` and parameters.
    pub(super) locals: FxHashMap<Name, Vec<Typed>>,
    /// The number of terms that carry a fresh internal name.
    pub(super) fresh: u32,
    /// The number of definitions that are being expanded, each inside of the one before it.
    pub(super) expanding: usize,
}

/// An entry of the declaration trail.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Function(Name),
    /// A term that has a name by `:named`.
    Label(Name),
    Sort(Name),
}

impl Scope {
    /// The meaning of a global name.
    pub fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name)
    }

    /// Declares a name.
    pub fn declare(&mut self, name: &str, meaning: Meaning) -> Result<(), String> {
        let name = self.insert(name, meaning)?;
        self.trail.push(Declaration::Function(name));
        Ok(())
    }

    /// Gives a term a name.
    pub(super) fn label(&mut self, name: &str, body: Typed) -> Result<(), String> {
        let parameters = Vec::new();
        let name = self.insert(name, Meaning::Macro { parameters, body })?;
        self.trail.push(Declaration::Label(name));
        Ok(())
    }

    pub(super) fn insert(&mut self, name: &str, meaning: Meaning) -> Result<Name, String> {
        if self.meanings.contains_key(name) || is_reserved(name) {
            return Err(format!("the name {name} is taken"));
        }
        let name = Name::from(name);
        self.meanings.insert(Name::clone(&name), meaning);
        Ok(name)
    }

    /// Declares a sort symbol.
    pub fn declare_sort(&mut self, name: &str, meaning: SortMeaning) -> Result<(), String> {
        let name = self.sorts.declare(name, meaning)?;
        self.trail.push(Declaration::Sort(name));
        Ok(())
    }

    /// Undoes all declarations but the first `length`.
    pub fn undo_to(&mut self, length: usize) {
        for declaration in self.trail.drain(length..) {
            match declaration {
                Declaration::Function(name) | Declaration::Label(name) => drop(self.meanings.remove(&name)),
                Declaration::Sort(name) => self.sorts.remove(&name),
            }
        }
    }

    /// The text of a sort.
    pub fn sort_text(&self, ty: Ty) -> String {
        self.sorts.text(ty)
    }

    /// Reads a sort.
    pub fn sort(&mut self, expr: &Expr<'_>, node: usize) -> Result<Ty, Error> {
        self.sorts.read(expr, node)
    }

    /// A symbol that no script can write.
    pub fn fresh_symbol(&mut self, pool: &mut TermPool, purpose: &str) -> Symbol {
        self.fresh += 1;
        Symbol {
            name: pool.symbol(&format!(".{purpose}|{}", self.fresh)),
            index: NO_INDEX,
        }
    }
}

/// The name that the annotations of `(! term :named name)` give, and its node.
pub(super) fn annotated_name<'a>(expr: &Expr<'a>, node: usize) -> Result<Option<(&'a str, usize)>, Error> {
    let mut found = None;
    let mut parts = expr.children(node).skip(2).peekable();
    while let Some(part) = parts.next() {
        if expr.kind(part) != Kind::Keyword {
            return Err(expr.error(part, "expected an attribute, as :named"));
        }
        let value = parts.next_if(|&value| expr.kind(value) != Kind::Keyword);
        if expr.source(part) == ":named" {
            let name = value.and_then(|value| Some((expr.symbol(value)?, value)));
            found = Some(name.ok_or_else(|| expr.error(part, ":named needs a symbol"))?);
        }
    }
    Ok(found)
}

/// Whether the name is reserved or an operator of the Core theory, which no script may redeclare. The names of the Ints theory are
/// free in logics without integers; a script's own declaration hides the operator.
pub(super) fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 16] = [
        "true", "false", "not", "=>", "and", "or", "xor", "=", "distinct", "ite", "let", "!", "_", "as", "forall",
        "exists",
    ];
    RESERVED.contains(&name)
}
