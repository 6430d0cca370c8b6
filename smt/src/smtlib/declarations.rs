//! The commands that declare and define functions and sorts.

use super::elaborate::{SortMeaning, Ty};
use super::expansions::Expansion;
use super::limits::MAX_ARITY;
use super::scope::{Meaning, Typed};
use super::session::{Reply, Session, name_of, one};
use super::sexpr::{Error, Expr, Kind};
use crate::term::{NO_INDEX, Symbol};

impl Session {
    pub(super) fn declare_function(
        &mut self,
        command: &Expr<'_>,
        arguments: &[usize],
        with_list: bool,
    ) -> Result<(), Error> {
        let (name, parameters, sort) = match *arguments {
            [name, list, sort] if with_list && command.kind(list) == Kind::List => (name, command.list(list), sort),
            [name, sort] if !with_list => (name, Vec::new(), sort),
            _ => return Err(command.error(0, "expected a name, the sorts of the arguments, and a sort")),
        };
        let parameters = parameters
            .into_iter()
            .map(|node| self.scope.sort(command, node))
            .collect::<Result<Vec<Ty>, _>>()?;
        let result = self.scope.sort(command, sort)?;
        let is_array = |ty: &Ty| matches!(ty, Ty::Array(_));
        if !parameters.is_empty() {
            for &ty in parameters.iter().chain([&result]) {
                if !self.scope.sorts.is_value(ty) {
                    let sort = self.scope.sort_text(ty);
                    let message = format!("functions with arguments or results of sort {sort} are not supported");
                    return Err(command.error(0, message));
                }
                self.scope.sorts.have_array_values |= is_array(&ty);
            }
        }
        let text = name_of(command, name)?;
        let symbol = Symbol {
            name: self.pool.symbol(text),
            index: NO_INDEX,
        };
        let is_constant = parameters.is_empty();
        let meaning = Meaning::Declared {
            symbol,
            parameters,
            result,
        };
        self.scope
            .declare(text, meaning)
            .map_err(|message| command.error(name, message))?;
        match result {
            Ty::Array(sort) if is_constant => self.scope.note_array(symbol, sort),
            _ => self.scope.arrays.values.forget(symbol),
        }
        Ok(())
    }

    pub(super) fn define_function(
        &mut self,
        command: &Expr<'_>,
        arguments: &[usize],
        with_list: bool,
    ) -> Result<(), Error> {
        let (name, formals, sort, body) = match *arguments {
            [name, list, sort, body] if with_list && command.kind(list) == Kind::List => {
                (name, command.list(list), sort, body)
            }
            [name, sort, body] if !with_list => (name, Vec::new(), sort, body),
            _ => return Err(command.error(0, "expected a name, the parameters, a sort and a term")),
        };
        let result = self.scope.sort(command, sort)?;
        let mut bound: Vec<(&str, Typed)> = Vec::new();
        for formal in formals {
            let [variable, sort] = command.list(formal)[..] else {
                return Err(command.error(formal, "expected a parameter, as (x Int)"));
            };
            let (text, ty) = (name_of(command, variable)?, self.scope.sort(command, sort)?);
            if bound.iter().any(|(other, _)| *other == text) {
                return Err(command.error(variable, format!("there are two parameters {text}")));
            }
            let symbol = self.scope.fresh_symbol(&mut self.pool, "parameter");
            bound.push((text, self.scope.variable(&mut self.pool, symbol, ty)));
        }
        for &(text, variable) in &bound {
            self.scope.bind_local(text, variable);
        }
        let term = self.scope.term_of(&mut self.pool, command, body, result);
        for (text, _) in &bound {
            self.scope.unbind_local(text);
        }
        let body = Typed {
            term: term?,
            ty: result,
        };
        let symbols: Vec<Symbol> = self
            .pool
            .symbols_of(&bound.iter().map(|p| p.1.term).collect::<Vec<_>>());
        let has_arrays = bound.iter().any(|p| matches!(p.1.ty, Ty::Array(_)));
        let meaning = if has_arrays || self.scope.arrays.hides(&self.pool, body.term, &symbols) {
            Meaning::Expanded(Expansion {
                parameters: bound
                    .iter()
                    .map(|&(text, variable)| (text.into(), variable.ty))
                    .collect(),
                result,
                command: command.source(0).into(),
            })
        } else {
            let parameters = bound.iter().map(|&(_, variable)| variable).collect();
            Meaning::Macro { parameters, body }
        };
        let text = name_of(command, name)?;
        self.scope
            .declare(text, meaning)
            .map_err(|message| command.error(name, message))?;
        if self.settings.enabled(":produce-proofs") {
            self.definitions.insert(text.into(), command.source(0).to_owned());
        }
        Ok(())
    }

    pub(super) fn declare_sort(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
        let (name, arity) = match *arguments {
            [name] => (name, 0),
            [name, arity] => {
                let number = command.source(arity).parse().ok().filter(|&number| number <= MAX_ARITY);
                (
                    name,
                    number.ok_or_else(|| command.error(arity, "expected a number of arguments"))?,
                )
            }
            _ => return Err(command.error(0, "expected a name and a number of arguments")),
        };
        let meaning = self.scope.sorts.fresh(arity);
        self.declare_sort_symbol(command, name, meaning)
    }

    pub(super) fn define_sort(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
        let [name, list, sort] = *arguments else {
            return Err(command.error(0, "expected a name, the parameters and a sort"));
        };
        if command.kind(list) != Kind::List {
            return Err(command.error(list, "expected a list of parameters"));
        }
        let mut parameters = Vec::new();
        for node in command.children(list) {
            parameters.push(name_of(command, node)?);
        }
        let meaning = self.scope.sorts.abbreviation(command, sort, &parameters)?;
        self.declare_sort_symbol(command, name, meaning)
    }

    fn declare_sort_symbol(&mut self, command: &Expr<'_>, name: usize, meaning: SortMeaning) -> Result<(), Error> {
        let text = name_of(command, name)?;
        self.scope
            .declare_sort(text, meaning)
            .map_err(|message| command.error(name, message))
    }

    /// Sets the logic. Any will do: what is not supported is told where it occurs.
    pub(super) fn set_logic(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<Reply, Error> {
        let logic = name_of(command, one(command, arguments)?)?;
        if self.started() {
            return Err(command.error(0, "the logic is set already, or the script started without one"));
        }
        self.logic = Some(logic.to_owned());
        Ok(self.done())
    }
}
