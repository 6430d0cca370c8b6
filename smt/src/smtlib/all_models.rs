//! `check-allsat`: all values that a list of formulas can have together, as predicate abstraction asks for them.
//!
//! The command is not in the standard. `(check-allsat (p q ...))` prints disjoint cubes over these formulas, each a list of
//! formulas and negated formulas on a line of its own, and then the answer of the check. A formula that a cube leaves out may have either value in it.

use super::elaborate::Ty;
use super::session::{Outcome, Reply, Session, one};
use super::sexpr::{Error, Expr, Kind};
use super::symbols;
use crate::allsat::{AllSatAnswer, all_sat};
use crate::proof::Part;
use crate::term::TermId;

impl Session {
    /// Answers `check-allsat`. Afterwards there is no model, and no core, to ask for.
    pub(super) fn check_all_sat(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<Reply, Error> {
        self.logic.get_or_insert_with(|| "ALL".to_owned());
        self.outcome = Outcome::None;
        let list = one(command, arguments)?;
        if command.kind(list) != Kind::List {
            return Err(command.error(list, "expected a list of formulas"));
        }
        let mut literals: Vec<TermId> = Vec::new();
        let mut sources: Vec<&str> = Vec::new();
        for node in command.children(list) {
            literals.push(self.scope.term_of(&mut self.pool, command, node, Ty::Bool)?);
            sources.push(command.source(node));
        }
        if symbols::is_used(&self.pool) {
            return Err(command.error(0, "check-allsat supports no products or divisions of unknowns"));
        }
        if self.broken {
            return Ok(Reply::Text("unknown".to_owned()));
        }
        let mut text = String::new();
        let mut print = |cube: &[(usize, bool)]| {
            let printed = cube.iter().map(|&(at, value)| match (sources[at], value) {
                (source, true) => source.to_owned(),
                (source, false) => format!("(not {source})"),
            });
            text.push_str(&format!("({})\n", printed.collect::<Vec<_>>().join(" ")));
        };
        // The scope ends what the search is to know of the formulas.
        self.solver.push();
        for literal in &literals {
            let truth = self.pool.mk_true();
            let definitions = self.scope.arrays.definitions_of(&mut self.pool, *literal);
            if definitions != truth {
                self.solver.assert(&mut self.pool, definitions, Part(0));
            }
        }
        let mut formulas: Vec<TermId> = self.assertions.iter().map(|a| a.formula).collect();
        for literal in &literals {
            formulas.push(*literal);
            formulas.extend(self.scope.arrays.formulas_of(&self.pool, &[*literal]));
        }
        let Some(facts) = self.identity_facts(&formulas) else {
            self.solver.pop();
            return Err(command.error(0, "too many arrays are elements or arguments"));
        };
        for fact in facts {
            self.solver.assert(&mut self.pool, fact, Part(0));
        }
        for selector in self.assertions.iter().filter_map(|a| a.selector) {
            self.solver.assert(&mut self.pool, selector, Part(0));
        }
        let answer = all_sat(&mut self.solver, &mut self.pool, &literals, &mut print);
        self.solver.pop();
        match answer {
            AllSatAnswer::Complete(statistics) if statistics.cubes == 0 => text.push_str("unsat"),
            AllSatAnswer::Complete(_) => text.push_str("sat"),
            AllSatAnswer::Unknown(reason) => {
                self.outcome = Outcome::Unknown(self.reason(reason));
                text.push_str("unknown");
            }
        }
        if let Some(interrupt) = &self.options.interrupt {
            interrupt.take();
        }
        Ok(Reply::Text(text))
    }
}
