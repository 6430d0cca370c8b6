//! Defined functions whose body has array terms over the parameters.
//!
//! The body of another defined function is a term over variables for the parameters, in which arguments replace these. The terms of arrays have symbols with definitions of their own (see `arrays`), which a replacement
//! does not reach. So such a body is read again for each application, with the names of the parameters bound to the arguments.

use super::limits::MAX_DEPTH;
use super::scope::{Scope, Typed};
use super::sexpr::{Error, Expr, parse};
use super::sorts::{Name, Ty};
use crate::term::TermPool;
use std::sync::Arc;

/// A defined function that is read again for each application.
#[derive(Clone, Debug)]
pub(super) struct Expansion {
    pub parameters: Arc<[(Name, Ty)]>,
    pub result: Ty,
    /// The command that defines the function.
    pub command: Arc<str>,
}

impl Scope {
    /// The value of an application of this function.
    pub fn expand(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        node: usize,
        expansion: &Expansion,
        values: &[Typed],
    ) -> Result<Typed, Error> {
        if self.expanding == MAX_DEPTH {
            return Err(expr.error(node, "definitions are nested too deeply"));
        }
        let definition = parse(&expansion.command).expect("it was read before");
        let body = *definition.list(0).last().expect("a definition has a body");
        // The variables that are bound around the application mean nothing in the body.
        let outer = std::mem::take(&mut self.locals);
        for ((name, ty), value) in expansion.parameters.iter().zip(values) {
            self.bind_local(name, Typed { ty: *ty, ..*value });
        }
        self.expanding += 1;
        let term = self.term_of(pool, &definition, body, expansion.result);
        self.expanding -= 1;
        self.locals = outer;
        let term = term.map_err(|error| expr.error(node, error.message))?;
        Ok(Typed {
            term,
            ty: expansion.result,
        })
    }
}
