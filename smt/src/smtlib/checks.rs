//! Checks, and what can be asked after them: values, models, cores, proofs.

use super::answer::{ScriptStyle, model_text, value_text};
use super::elaborate::Ty;
use super::interrupt::Cause;
use super::nonlinear;
use super::proof_text::proof_text;
use super::scope::{Declaration, Meaning};
use super::session::{Outcome, Reply, Session, none, one};
use super::sexpr::quoted;
use super::sexpr::{Error, Expr, Kind};
use super::source::{self, SourceReader, signatures};
use super::symbols;
use crate::hash::FxHashMap;
use crate::model::Model;
use crate::proof::alethe::{self, Refutation};
use crate::proof::{self, Part, Proof, Step};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{TermId, quote_symbol};
use std::fmt::Write;

const BROKEN: &str = "an earlier command failed";

impl Session {
    // ---- checks ---------------------------------------------------------------------------------------------

    pub(super) fn check_sat(
        &mut self,
        command: &Expr<'_>,
        arguments: &[usize],
        assuming: bool,
    ) -> Result<Reply, Error> {
        self.logic.get_or_insert_with(|| "ALL".to_owned());
        self.assumptions.clear();
        self.outcome = Outcome::None;
        let expected = self.status.take();
        if assuming {
            let list = one(command, arguments)?;
            if command.kind(list) != Kind::List {
                return Err(command.error(list, "expected a list of assumptions"));
            }
            for node in command.children(list) {
                let formula = self.scope.term_of(&mut self.pool, command, node, Ty::Bool)?;
                let formula = self.scope.arrays.with_definitions(&mut self.pool, formula);
                self.assumptions.push((formula, command.source(node).to_owned()));
            }
        } else {
            none(command, arguments)?;
        }
        if self.broken {
            self.outcome = Outcome::Unknown(quoted(BROKEN));
            return Ok(Reply::Text("unknown".to_owned()));
        }
        let before = self.solver.statistics();
        let mut assumed: Vec<TermId> = self.assertions.iter().filter_map(|a| a.selector).collect();
        assumed.extend(self.assumptions.iter().map(|a| a.0));
        let mut formulas: Vec<TermId> = self.assertions.iter().map(|a| a.formula).collect();
        formulas.extend(self.assumptions.iter().map(|a| a.0));
        let facts = self.identity_facts(&formulas);
        self.assert_axioms(facts.as_deref().unwrap_or_default());
        formulas.extend(self.axioms.iter().copied());
        self.scope.arrays.find_constants(&self.pool, &formulas);
        let found = if facts.is_none() {
            Answer::Unknown(UnknownReason::Incomplete("too many arrays are elements or arguments"))
        } else if symbols::is_used(&self.pool) {
            self.check_nonlinear(&assumed)
        } else {
            self.solver.check(&mut self.pool, &assumed)
        };
        self.outcome = match found {
            Answer::Sat => {
                let mut model = nonlinear::interpreted(&self.pool, self.solver.model(&self.pool));
                self.scope.arrays.complete_constants(&self.pool, &mut model);
                if let Some(what) = self.violated(&model) {
                    self.outcome = Outcome::Unknown(quoted("internal error"));
                    let message = format!("internal error: the model found does not satisfy {what}");
                    return Err(command.error(0, message));
                }
                self.scope.read_contents(&model);
                Outcome::Sat(Box::new(model))
            }
            Answer::Unsat => {
                if let Err(defect) = self.prove_unsat(&assumed) {
                    self.outcome = Outcome::Unknown(quoted("internal error"));
                    return Err(command.error(0, format!("internal error: {defect}")));
                }
                Outcome::Unsat {
                    core: self.solver.core(),
                }
            }
            Answer::Unknown(reason) => Outcome::Unknown(self.reason(reason)),
        };
        // A request that came while this check ended concerns no other check.
        if let Some(interrupt) = &self.options.interrupt {
            interrupt.take();
        }
        let answer = match self.outcome {
            Outcome::Sat(_) => "sat",
            Outcome::Unsat { .. } => "unsat",
            Outcome::Unknown(_) | Outcome::None => "unknown",
        };
        if self.settings.number(":verbosity") > 0 {
            let after = self.solver.statistics();
            let (conflicts, ticks) = (after.conflicts - before.conflicts, after.ticks - before.ticks);
            writeln!(self.diagnosis, "; {answer} after {conflicts} conflicts, {ticks} ticks")
                .expect("strings accept text");
        }
        Ok(match expected {
            Some(status) if status != answer && matches!(answer, "sat" | "unsat") && status != "unknown" => {
                let message = format!("the answer {answer} contradicts the status {status} that set-info gave");
                Reply::Contradiction(answer.to_owned(), message)
            }
            _ => Reply::Text(answer.to_owned()),
        })
    }

    /// The reason of an unknown answer as an S-expression. A request for an end is used up by it.
    pub(super) fn reason(&self, reason: UnknownReason) -> String {
        match reason {
            UnknownReason::Incomplete(what) => format!("(incomplete {})", quoted(what)),
            UnknownReason::Ticks => quoted(reason_text(reason)),
            UnknownReason::Interrupted => match self.options.interrupt.as_ref().map(|interrupt| interrupt.take()) {
                Some(Cause::Memory) => "memout".to_owned(),
                Some(Cause::Time) => quoted("the time limit was reached"),
                Some(Cause::Request) | None => quoted(reason_text(reason)),
            },
        }
    }

    /// The name of an assertion or assumption that the model does not satisfy.
    pub(super) fn violated(&self, model: &Model) -> Option<String> {
        let mut evaluator = model.evaluator(&self.pool);
        let assertion = self.assertions.iter().position(|a| !evaluator.eval_bool(a.formula));
        if let Some(at) = assertion {
            return Some(format!("assertion {}", at + 1));
        }
        let assumption = self
            .assumptions
            .iter()
            .find(|(formula, _)| !evaluator.eval_bool(*formula));
        let source = assumption.map(|(_, source)| source.clone());
        let are_constant = self.scope.arrays.constants_hold(&self.pool, model);
        let are_values = self.scope.arrays_are_values(model);
        let part = (!are_constant).then_some("a constant array");
        let part =
            part.or_else(|| (!are_values).then_some("that arrays are equal if and only if they have equal elements"));
        source.or_else(|| part.map(str::to_owned))
    }

    // ---- after sat ------------------------------------------------------------------------------------------

    fn model(&self, command: &Expr<'_>, option: &str) -> Result<&Model, Error> {
        if !self.settings.enabled(option) {
            return Err(command.error(0, format!("this needs (set-option {option} true)")));
        }
        match &self.outcome {
            Outcome::Sat(model) => Ok(model),
            _ => Err(command.error(0, "there is no model: the last check did not answer sat")),
        }
    }

    pub(super) fn get_model(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        let model = self.model(command, ":produce-models")?;
        Ok(model_text(&self.scope, model))
    }

    pub(super) fn get_value(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        self.model(command, ":produce-models")?;
        let list = one(command, arguments)?;
        let nodes = command.list(list);
        if nodes.is_empty() {
            return Err(command.error(list, "expected a list of terms"));
        }
        let values = self.values(command, &nodes)?;
        let pairs = nodes.iter().zip(values);
        let pairs = pairs.map(|(&node, text)| format!("({} {text})", command.source(node)));
        Ok(format!("({})", pairs.collect::<Vec<_>>().join(" ")))
    }

    /// The value of one term, a command of z3.
    pub(super) fn eval(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        self.model(command, ":produce-models")?;
        let mut values = self.values(command, &[one(command, arguments)?])?;
        Ok(values.remove(0))
    }

    /// A term in the form that it has behind the simplifications of its construction, a command of z3. A term that has no such text stays as it is.
    pub(super) fn simplify(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        let node = one(command, arguments)?;
        let typed = self.scope.term(&mut self.pool, command, node)?;
        let text = match typed.ty {
            Ty::Array(_) => None,
            _ => ScriptStyle::new(&self.pool, &self.scope).formula(&self.pool, typed.term),
        };
        Ok(text.unwrap_or_else(|| command.source(node).to_string()))
    }

    /// The values of terms as text, in their order.
    fn values(&mut self, command: &Expr<'_>, nodes: &[usize]) -> Result<Vec<String>, Error> {
        let mut values = Vec::new();
        for &node in nodes {
            values.push(self.scope.term(&mut self.pool, command, node)?);
        }
        let mut completed = None;
        let terms: Vec<TermId> = values.iter().map(|typed| typed.term).collect();
        let has_arrays = self.scope.sorts.have_array_values;
        if has_arrays || terms.iter().any(|&term| self.scope.arrays.is_in(&self.pool, term)) {
            let mut model = self.model(command, ":produce-models")?.clone();
            self.scope.complete_arrays(&self.pool, &terms, &mut model);
            completed = Some(model);
        }
        let model = match &completed {
            Some(model) => model,
            None => self.model(command, ":produce-models")?,
        };
        let mut evaluator = model.evaluator(&self.pool);
        let texts = values.into_iter().map(|typed| match typed.ty {
            Ty::Array(sort) => {
                let function = self.scope.array_function(&self.pool, typed.term);
                let table = model.function(function).unwrap_or_default();
                self.scope.array_text(sort, &table)
            }
            ty => value_text(&self.scope, ty, &evaluator.eval(typed.term)),
        });
        Ok(texts.collect())
    }

    /// The truth values of the named formulas.
    pub(super) fn get_assignment(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        let model = self.model(command, ":produce-assignments")?;
        let mut evaluator = model.evaluator(&self.pool);
        let mut pairs = Vec::new();
        for declaration in &self.scope.trail {
            if let Declaration::Label(name) = declaration
                && let Some(Meaning::Macro { body, .. }) = self.scope.meaning(name)
                && body.ty == Ty::Bool
            {
                pairs.push(format!("({} {})", quote_symbol(name), evaluator.eval_bool(body.term)));
            }
        }
        Ok(format!("({})", pairs.join(" ")))
    }

    // ---- after unsat ----------------------------------------------------------------------------------------

    fn core(&self, command: &Expr<'_>) -> Result<&[TermId], Error> {
        match &self.outcome {
            Outcome::Unsat { core } => Ok(core),
            _ => Err(command.error(0, "there is no core: the last check did not answer unsat")),
        }
    }

    pub(super) fn get_unsat_core(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        if !self.settings.enabled(":produce-unsat-cores") {
            return Err(command.error(
                0,
                "cores need (set-option :produce-unsat-cores true) before the assertions",
            ));
        }
        let core = self.core(command)?;
        let used: Vec<bool> = if !self.settings.enabled(":produce-proofs") {
            let in_core = |selector: Option<TermId>| selector.is_some_and(|s| core.contains(&s));
            self.assertions.iter().map(|a| in_core(a.selector)).collect()
        } else if let Some(proof) = self.solver.proof() {
            self.used_by(&proof)
        } else {
            self.core_of_new_check(command)?
        };
        let names = self.assertions.iter().zip(used).filter(|(_, used)| *used);
        let names = names.filter_map(|(a, _)| a.name.as_deref()).map(quote_symbol);
        Ok(format!("({})", names.collect::<Vec<_>>().join(" ")))
    }

    /// The assertions that a proof rests on.
    fn used_by(&self, proof: &Proof) -> Vec<bool> {
        let mut used = vec![false; self.assertions.len()];
        let definitions = self.scope.arrays.conjuncts(&self.pool);
        let mut of_conjunct = FxHashMap::default();
        for (at, assertion) in self.assertions.iter().enumerate() {
            for conjunct in self.pool.conjuncts(assertion.formula) {
                of_conjunct.entry(conjunct).or_insert(at);
            }
        }
        for step in &proof.steps {
            // Axioms of products and divisions, and definitions of array terms, are no assertions.
            if let Step::Input { formula, .. } = step
                && !definitions.contains(formula)
                && let Some(&at) = of_conjunct.get(formula)
            {
                used[at] = true;
            }
        }
        used
    }

    /// The named assertions that are needed beside the assumptions. The solver with proofs has no names for assertions, so another one is asked.
    fn core_of_new_check(&mut self, command: &Expr<'_>) -> Result<Vec<bool>, Error> {
        let mut solver = Solver::new(Config::default());
        solver.set_tick_limit(self.tick_limit());
        if let Some(interrupt) = &self.options.interrupt {
            solver.set_interrupt(interrupt.flag());
        }
        let (mut selectors, mut assumed) = (Vec::new(), Vec::new());
        for assertion in &self.assertions {
            let selector = assertion.name.as_ref().map(|_| {
                let symbol = self.scope.fresh_symbol(&mut self.pool, "core");
                self.pool.bool_var(symbol.name, symbol.index)
            });
            let formula = match selector {
                Some(selector) => self.pool.implies(selector, assertion.formula),
                None => assertion.formula,
            };
            solver.assert(&mut self.pool, formula, Part(0));
            assumed.extend(selector);
            selectors.push(selector);
        }
        for &axiom in &self.axioms {
            solver.assert(&mut self.pool, axiom, Part(0));
        }
        assumed.extend(self.assumptions.iter().map(|a| a.0));
        match solver.check(&mut self.pool, &assumed) {
            Answer::Unsat => {
                let core = solver.core();
                Ok(selectors
                    .into_iter()
                    .map(|selector| selector.is_some_and(|s| core.contains(&s)))
                    .collect())
            }
            Answer::Unknown(reason) => {
                let reason = self.reason(reason);
                Err(command.error(0, format!("no core was found: {reason}")))
            }
            Answer::Sat => Err(command.error(0, "internal error: two checks disagree")),
        }
    }

    pub(super) fn get_unsat_assumptions(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        if !self.settings.enabled(":produce-unsat-assumptions") {
            return Err(command.error(0, "this needs (set-option :produce-unsat-assumptions true)"));
        }
        let core = self.core(command)?;
        let in_core = self.assumptions.iter().filter(|(formula, _)| core.contains(formula));
        Ok(format!(
            "({})",
            in_core.map(|a| a.1.as_str()).collect::<Vec<_>>().join(" ")
        ))
    }

    pub(super) fn get_proof(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        if !self.settings.enabled(":produce-proofs") {
            return Err(command.error(0, "proofs need (set-option :produce-proofs true)"));
        }
        if !matches!(self.outcome, Outcome::Unsat { .. }) {
            return Err(command.error(0, "there is no proof: the last check did not answer unsat"));
        }
        let proof = self.solver.proof();
        let proof = proof.ok_or_else(|| command.error(0, "there is no proof of a check that rests on assumptions"))?;
        let formulas = self.assertions.iter().map(|a| a.formula);
        let formulas = formulas.chain(self.axioms.iter().copied());
        let asserted: Vec<(Part, TermId)> = formulas.map(|formula| (Part(0), formula)).collect();
        proof::check(&mut self.pool, &proof, &asserted)
            .map_err(|error| command.error(0, format!("internal error: the proof is wrong: {error}")))?;
        if self.settings.get(":proof-format") == Some("native") {
            return Ok(proof_text(
                &self.pool,
                &ScriptStyle::new(&self.pool, &self.scope),
                &proof,
            ));
        }
        self.alethe(&proof).map_err(|message| command.error(0, message))
    }
}

impl Session {
    /// The proof in the Alethe format.
    fn alethe(&mut self, proof: &Proof) -> Result<String, String> {
        let mut reader = SourceReader::new(&self.scope, &self.definitions);
        let used = self.used_by(proof);
        let mut assertions = Vec::new();
        for (assertion, used) in self.assertions.iter().zip(used) {
            let source = assertion.source.as_deref().unwrap_or_default();
            // All are read, because they may name terms; those that are not used need not be expressible.
            match reader.read(source) {
                Ok(node) => assertions.push((node, assertion.formula)),
                Err(what) if used => return Err(format!("the proof has no text in Alethe: {what}")),
                Err(_) => {}
            }
        }
        let refutation = Refutation {
            ast: reader.ast,
            assertions,
            signatures: signatures(&self.scope),
            arrays: source::arrays(&self.pool, &self.scope),
            proof,
            takes_definitions: self.settings.enabled(":alethe-definitions"),
        };
        let written = alethe::export(&mut self.pool, refutation);
        written.map(|proof| proof.text).map_err(|error| error.to_string())
    }
}

/// The reason of an unknown answer in words.
pub(super) fn reason_text(reason: UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Ticks => "the tick limit was reached",
        UnknownReason::Interrupted => "interrupted",
        UnknownReason::Incomplete(what) => what,
    }
}
