//! The commands of a script and the state between them.

use super::Options;
use super::answer::{ScriptStyle, model_text, quoted, value_text};
use super::elaborate::{Declaration, Meaning, Scope, Ty, Typed, annotated_name};
use super::interpolants::InterpolantRow;
use super::nonlinear;
use super::proof_text::proof_text;
use super::sexpr::{Error, Expr, Kind};
use crate::hash::{FxHashMap, FxHashSet};
use crate::model::Model;
use crate::proof::{self, Part};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{NO_INDEX, Symbol, TermId, TermPool, quote_symbol};
use std::sync::Arc;

/// The answer to a command.
pub(super) enum Reply {
    /// Nothing is printed.
    Silent,
    /// A line or more.
    Text(String),
    /// The script ends.
    Exit,
}

/// An asserted formula.
pub(super) struct Assertion<'a> {
    pub(super) formula: TermId,
    pub(super) name: Option<&'a str>,
    source: &'a str,
    /// The assumption under which a named assertion holds, if cores are wanted.
    selector: Option<TermId>,
}

/// A scope opened by `push`: the lengths to return to.
struct Level {
    assertions: usize,
    axioms: usize,
    trail: usize,
}

/// What the last check found, until the next change.
pub(super) enum Outcome {
    None,
    Sat(Box<Model>),
    Unsat { core: Vec<TermId> },
    Unknown(&'static str),
}

/// The state of a script.
pub(super) struct Session<'a> {
    pub(super) options: Options,
    pub(super) pool: TermPool,
    solver: Solver,
    pub(super) scope: Scope<'a>,
    pub(super) assertions: Vec<Assertion<'a>>,
    levels: Vec<Level>,
    /// What is asserted of products and divisions that are not linear.
    axioms: Vec<TermId>,
    /// The assumptions of the last check with their source text.
    assumptions: Vec<(TermId, &'a str)>,
    pub(super) outcome: Outcome,
    pub(super) settings: FxHashMap<&'a str, &'a str>,
    /// The table of all variants' interpolants, if it is wanted instead of answers.
    pub(super) table: Option<Vec<InterpolantRow>>,
    /// A command that should have changed the assertions failed.
    broken: bool,
}

/// How many models that violate products or divisions are excluded before the answer is unknown.
const NONLINEAR_ROUNDS: usize = 40;

const BROKEN: &str = "an earlier command failed";

impl<'a> Session<'a> {
    pub fn new(options: &Options) -> Self {
        Session {
            options: options.clone(),
            pool: TermPool::new(),
            solver: new_solver(options, false),
            scope: Scope::default(),
            assertions: Vec::new(),
            levels: Vec::new(),
            axioms: Vec::new(),
            assumptions: Vec::new(),
            outcome: Outcome::None,
            settings: FxHashMap::default(),
            table: None,
            broken: false,
        }
    }

    /// Carries out one command.
    pub fn execute(&mut self, command: &Expr<'a>) -> Result<Reply, Error> {
        let parts = command.list(0);
        let name = parts.first().and_then(|&head| command.symbol(head));
        let Some(name) = name else {
            return Err(command.error(0, "expected a command, as (check-sat)"));
        };
        let arguments = &parts[1..];
        let answered = match name {
            "check-sat" => self.check_sat(command, arguments, false),
            "check-sat-assuming" => self.check_sat(command, arguments, true),
            "get-value" => self.get_value(command, arguments),
            "get-model" => self.with_model(command).map(|model| model_text(&self.scope, model)),
            "get-unsat-core" => self.get_unsat_core(command),
            "get-unsat-assumptions" => self.get_unsat_assumptions(command),
            "get-interpolants" | "get-interpolant" => self.get_interpolants(command, arguments),
            "get-assertions" => Ok(self.get_assertions()),
            "get-assignment" => self.get_assignment(command),
            "get-info" => self.get_info(command, arguments),
            "get-option" => self.get_option(command, arguments),
            "get-proof" => self.get_proof(command),
            "echo" => one(command, arguments).map(|node| command.source(node).to_owned()),
            "exit" => return Ok(Reply::Exit),
            _ => {
                let done = self.change(name, command, arguments);
                self.broken |= done.is_err();
                return done.map(|()| match self.enabled(":print-success") {
                    true => Reply::Text("success".to_owned()),
                    false => Reply::Silent,
                });
            }
        };
        answered.map(Reply::Text)
    }

    /// The commands that have no answer of their own.
    fn change(&mut self, name: &str, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        match name {
            "assert" => self.assert(command, arguments),
            "declare-fun" | "declare-const" => self.declare_function(command, arguments, name == "declare-fun"),
            "define-fun" => self.define_function(command, arguments, true),
            "define-const" => self.define_function(command, arguments, false),
            "declare-sort" => self.declare_sort(command, arguments),
            "define-sort" => self.define_sort(command, arguments),
            "push" => self.push(command, arguments),
            "pop" => self.pop(command, arguments),
            // Any logic will do: what is not supported is told where it occurs.
            "set-logic" => one(command, arguments)
                .and_then(|node| name_of(command, node))
                .map(drop),
            "set-info" => Ok(()),
            "set-option" => self.set_option(command, arguments),
            "reset" => {
                let table = self.table.take();
                *self = Session::new(&self.options);
                self.table = table;
                Ok(())
            }
            "reset-assertions" => {
                self.reset_assertions();
                Ok(())
            }
            _ => Err(command.error(0, format!("the command {name} is not supported"))),
        }
    }

    fn enabled(&self, option: &str) -> bool {
        self.settings.get(option) == Some(&"true")
    }

    // ---- declarations ---------------------------------------------------------------------------------------

    fn declare_function(&mut self, command: &Expr<'a>, arguments: &[usize], with_list: bool) -> Result<(), Error> {
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
        let text = name_of(command, name)?;
        let symbol = Symbol {
            name: self.pool.symbol(text),
            index: NO_INDEX,
        };
        let meaning = Meaning::Declared {
            symbol,
            parameters,
            result,
        };
        self.scope
            .declare(text, meaning)
            .map_err(|message| command.error(name, message))
    }

    fn define_function(&mut self, command: &Expr<'a>, arguments: &[usize], with_list: bool) -> Result<(), Error> {
        let (name, formals, sort, body) = match *arguments {
            [name, list, sort, body] if with_list && command.kind(list) == Kind::List => {
                (name, command.list(list), sort, body)
            }
            [name, sort, body] if !with_list => (name, Vec::new(), sort, body),
            _ => return Err(command.error(0, "expected a name, the parameters, a sort and a term")),
        };
        let result = self.scope.sort(command, sort)?;
        let mut bound: Vec<(&'a str, Typed)> = Vec::new();
        for formal in formals {
            let [variable, sort] = command.list(formal)[..] else {
                return Err(command.error(formal, "expected a parameter, as (x Int)"));
            };
            let (text, ty) = (name_of(command, variable)?, self.scope.sort(command, sort)?);
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
        let parameters = bound.into_iter().map(|(_, variable)| variable).collect();
        let meaning = Meaning::Macro { parameters, body };
        self.scope
            .declare(name_of(command, name)?, meaning)
            .map_err(|message| command.error(name, message))
    }

    fn declare_sort(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        let name = match *arguments {
            [name] => name,
            [name, arity] if command.source(arity) == "0" => name,
            _ => return Err(command.error(0, "sorts with parameters are not supported")),
        };
        let text = name_of(command, name)?;
        self.scope
            .declare_sort(text, None)
            .map_err(|message| command.error(name, message))
    }

    fn define_sort(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        match *arguments {
            [name, list, sort] if command.kind(list) == Kind::List && command.list(list).is_empty() => {
                let (text, ty) = (name_of(command, name)?, self.scope.sort(command, sort)?);
                self.scope
                    .declare_sort(text, Some(ty))
                    .map_err(|message| command.error(name, message))
            }
            _ => Err(command.error(0, "sorts with parameters are not supported")),
        }
    }

    // ---- assertions -----------------------------------------------------------------------------------------

    fn assert(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        let node = one(command, arguments)?;
        self.outcome = Outcome::None;
        let formula = self.scope.term_of(&mut self.pool, command, node, Ty::Bool)?;
        let annotated = command
            .children(node)
            .next()
            .is_some_and(|head| command.symbol(head) == Some("!"));
        let name = if annotated {
            annotated_name(command, node)?.map(|named| named.0)
        } else {
            None
        };
        let selector = (name.is_some() && self.enabled(":produce-unsat-cores")).then(|| {
            let symbol = self.scope.fresh_symbol(&mut self.pool, "core");
            self.pool.bool_var(symbol.name, symbol.index)
        });
        let asserted = match selector {
            Some(selector) => self.pool.implies(selector, formula),
            None => formula,
        };
        self.solver.assert(&mut self.pool, asserted, Part(0));
        self.assertions.push(Assertion {
            formula,
            name,
            source: command.source(node),
            selector,
        });
        Ok(())
    }

    fn push(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        self.outcome = Outcome::None;
        for _ in 0..level_count(command, arguments)? {
            self.solver.push();
            self.levels.push(Level {
                assertions: self.assertions.len(),
                axioms: self.axioms.len(),
                trail: self.scope.trail.len(),
            });
        }
        Ok(())
    }

    fn pop(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        let count = level_count(command, arguments)?;
        if count > self.levels.len() {
            return Err(command.error(0, format!("there are only {} levels to pop", self.levels.len())));
        }
        self.outcome = Outcome::None;
        for _ in 0..count {
            self.solver.pop();
            let level = self.levels.pop().expect("the number of levels was checked");
            self.assertions.truncate(level.assertions);
            self.axioms.truncate(level.axioms);
            if !self.enabled(":global-declarations") {
                self.scope.undo_to(level.trail);
            }
        }
        Ok(())
    }

    fn reset_assertions(&mut self) {
        self.solver = new_solver(&self.options, self.enabled(":produce-proofs"));
        self.assertions.clear();
        self.axioms.clear();
        self.levels.clear();
        self.outcome = Outcome::None;
        self.broken = false;
        if !self.enabled(":global-declarations") {
            self.scope.undo_to(0);
        }
    }

    // ---- checks ---------------------------------------------------------------------------------------------

    fn check_sat(&mut self, command: &Expr<'a>, arguments: &[usize], assuming: bool) -> Result<String, Error> {
        self.assumptions.clear();
        if assuming {
            for node in command.list(one(command, arguments)?) {
                let formula = self.scope.term_of(&mut self.pool, command, node, Ty::Bool)?;
                self.assumptions.push((formula, command.source(node)));
            }
        }
        if self.broken {
            self.outcome = Outcome::Unknown(BROKEN);
            return Ok("unknown".to_owned());
        }
        let mut assumed: Vec<TermId> = self.assertions.iter().filter_map(|a| a.selector).collect();
        assumed.extend(self.assumptions.iter().map(|a| a.0));
        let answer = if nonlinear::is_used(&self.pool) {
            self.check_nonlinear(&assumed)
        } else {
            self.solver.check(&mut self.pool, &assumed)
        };
        self.outcome = match answer {
            Answer::Sat => {
                let model = nonlinear::interpreted(&self.pool, self.solver.model(&self.pool));
                if let Some(source) = self.violated(&model) {
                    let message = format!("internal error: the model found does not satisfy {source}");
                    self.outcome = Outcome::Unknown("internal error");
                    return Err(command.error(0, message));
                }
                Outcome::Sat(Box::new(model))
            }
            Answer::Unsat => Outcome::Unsat {
                core: self.solver.core(),
            },
            Answer::Unknown(reason) => Outcome::Unknown(reason_text(reason)),
        };
        Ok(match self.outcome {
            Outcome::Sat(_) => "sat",
            Outcome::Unsat { .. } => "unsat",
            Outcome::Unknown(_) | Outcome::None => "unknown",
        }
        .to_owned())
    }

    /// A check in the presence of products or divisions that are not linear. After `Sat`, the model satisfies the
    /// script with the true operations.
    fn check_nonlinear(&mut self, assumed: &[TermId]) -> Answer {
        let mut formulas: Vec<TermId> = self.assertions.iter().map(|a| a.formula).collect();
        formulas.extend(self.assumptions.iter().map(|a| a.0));
        let mut known = FxHashSet::default();
        let axioms = nonlinear::axioms(&mut self.pool, &formulas, &mut known);
        self.assert_axioms(&axioms);
        formulas.extend(axioms);
        for _ in 0..NONLINEAR_ROUNDS {
            let answer = self.solver.check(&mut self.pool, assumed);
            if answer != Answer::Sat {
                return answer;
            }
            let model = self.solver.model(&self.pool);
            if self.is_true_model(&model) {
                return answer;
            }
            let refinement = nonlinear::refine(&mut self.pool, &formulas, &model);
            self.assert_axioms(&refinement.lemmas);
            // The neighbourhood of the model may have a true one.
            let near = [assumed, &refinement.fixed].concat();
            if self.solver.check(&mut self.pool, &near) == Answer::Sat {
                let model = self.solver.model(&self.pool);
                if self.is_true_model(&model) {
                    return Answer::Sat;
                }
                let refinement = nonlinear::refine(&mut self.pool, &formulas, &model);
                self.assert_axioms(&refinement.lemmas);
            }
        }
        Answer::Unknown(UnknownReason::Incomplete("products or divisions that are not linear"))
    }

    fn is_true_model(&self, model: &Model) -> bool {
        let model = nonlinear::interpreted(&self.pool, model.clone());
        self.violated(&model).is_none()
    }

    /// Asserts tautologies of arithmetic until the innermost level is closed.
    fn assert_axioms(&mut self, axioms: &[TermId]) {
        for &axiom in axioms {
            if !self.axioms.contains(&axiom) {
                self.axioms.push(axiom);
                self.solver.assert(&mut self.pool, axiom, Part(0));
            }
        }
    }

    /// The source of an assertion or assumption that the model does not satisfy.
    fn violated(&self, model: &Model) -> Option<&'a str> {
        let mut evaluator = model.evaluator(&self.pool);
        let asserted = self.assertions.iter().map(|a| (a.formula, a.source));
        let all = asserted.chain(self.assumptions.iter().copied());
        all.into_iter()
            .find(|&(formula, _)| !evaluator.eval_bool(formula))
            .map(|(_, source)| source)
    }

    fn with_model(&self, command: &Expr<'a>) -> Result<&Model, Error> {
        match &self.outcome {
            Outcome::Sat(model) => Ok(model),
            _ => Err(command.error(0, "there is no model: the last check did not answer sat")),
        }
    }

    fn get_value(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<String, Error> {
        self.with_model(command)?;
        let mut pairs = Vec::new();
        for node in command.list(one(command, arguments)?) {
            let value = self.scope.term(&mut self.pool, command, node)?;
            let text = value_text(
                &self.scope,
                value.ty,
                &self.with_model(command)?.eval(&self.pool, value.term),
            );
            pairs.push(format!("({} {text})", command.source(node)));
        }
        Ok(format!("({})", pairs.join(" ")))
    }

    fn get_assignment(&self, command: &Expr<'a>) -> Result<String, Error> {
        let model = self.with_model(command)?;
        let named = self.assertions.iter().filter_map(|a| Some((a.name?, a.formula)));
        let pairs = named
            .map(|(name, formula)| format!("({} {})", quote_symbol(name), model.eval_bool(&self.pool, formula)))
            .collect::<Vec<_>>();
        Ok(format!("({})", pairs.join(" ")))
    }

    fn core(&self, command: &Expr<'a>) -> Result<&[TermId], Error> {
        match &self.outcome {
            Outcome::Unsat { core } => Ok(core),
            _ => Err(command.error(0, "there is no core: the last check did not answer unsat")),
        }
    }

    fn get_unsat_core(&self, command: &Expr<'a>) -> Result<String, Error> {
        if !self.enabled(":produce-unsat-cores") {
            return Err(command.error(
                0,
                "cores need (set-option :produce-unsat-cores true) before the assertions",
            ));
        }
        let core = self.core(command)?;
        let in_core = |a: &Assertion<'a>| a.selector.is_some_and(|selector| core.contains(&selector));
        let names = self.assertions.iter().filter(|a| in_core(a)).filter_map(|a| a.name);
        Ok(format!("({})", names.map(quote_symbol).collect::<Vec<_>>().join(" ")))
    }

    fn get_unsat_assumptions(&self, command: &Expr<'a>) -> Result<String, Error> {
        let core = self.core(command)?;
        let in_core = self.assumptions.iter().filter(|(formula, _)| core.contains(formula));
        Ok(format!("({})", in_core.map(|a| a.1).collect::<Vec<_>>().join(" ")))
    }

    fn get_proof(&mut self, command: &Expr<'a>) -> Result<String, Error> {
        if !self.enabled(":produce-proofs") {
            return Err(command.error(0, "proofs need (set-option :produce-proofs true)"));
        }
        self.core(command)?;
        let proof = self.solver.proof();
        let proof =
            proof.ok_or_else(|| command.error(0, "there is no proof of a check with assumptions or named cores"))?;
        let formulas = self
            .assertions
            .iter()
            .map(|a| a.formula)
            .chain(self.axioms.iter().copied());
        let asserted: Vec<(Part, TermId)> = formulas.map(|formula| (Part(0), formula)).collect();
        proof::check(&mut self.pool, &proof, &asserted)
            .map_err(|error| command.error(0, format!("internal error: the proof is wrong: {error}")))?;
        Ok(proof_text(&self.pool, &ScriptStyle::new(&self.scope), &proof))
    }

    // ---- information ----------------------------------------------------------------------------------------

    fn get_assertions(&self) -> String {
        format!(
            "({})",
            self.assertions.iter().map(|a| a.source).collect::<Vec<_>>().join("\n ")
        )
    }

    fn set_option(&mut self, command: &Expr<'a>, arguments: &[usize]) -> Result<(), Error> {
        match *arguments {
            [option, value] if command.kind(option) == Kind::Keyword => {
                if command.source(option) == ":produce-proofs" {
                    if !self.assertions.is_empty() || !self.levels.is_empty() {
                        return Err(command.error(option, "this option has to be set before the first assertion"));
                    }
                    self.solver = new_solver(&self.options, command.source(value) == "true");
                }
                self.settings.insert(command.source(option), command.source(value));
                Ok(())
            }
            _ => Err(command.error(0, "expected an option and its value")),
        }
    }

    fn get_option(&self, command: &Expr<'a>, arguments: &[usize]) -> Result<String, Error> {
        let option = command.source(one(command, arguments)?);
        Ok((*self.settings.get(option).unwrap_or(&"unsupported")).to_owned())
    }

    fn get_info(&self, command: &Expr<'a>, arguments: &[usize]) -> Result<String, Error> {
        let key = command.source(one(command, arguments)?);
        Ok(match key {
            ":name" => "(:name \"Provident\")".to_owned(),
            ":version" => format!("(:version {})", quoted(env!("CARGO_PKG_VERSION"))),
            ":authors" => "(:authors \"the Provident authors\")".to_owned(),
            ":error-behavior" => "(:error-behavior continued-execution)".to_owned(),
            ":assertion-stack-levels" => format!("(:assertion-stack-levels {})", self.levels.len()),
            ":reason-unknown" => match self.outcome {
                Outcome::Unknown(reason) => format!("(:reason-unknown {})", quoted(reason)),
                _ => return Err(command.error(0, "the last check did not answer unknown")),
            },
            ":all-statistics" => self.statistics(),
            _ => "unsupported".to_owned(),
        })
    }

    fn statistics(&self) -> String {
        let s = self.solver.statistics();
        let declared = self
            .scope
            .trail
            .iter()
            .filter(|d| matches!(d, Declaration::Function(_)))
            .count();
        format!(
            "(:checks {}\n :decisions {}\n :propagations {}\n :conflicts {}\n :restarts {}\n :pivots {}\n :lemmas {}\n \
             :ticks {}\n :terms {}\n :declarations {declared})",
            s.checks,
            s.decisions,
            s.propagations,
            s.conflicts,
            s.restarts,
            s.pivots,
            s.lemmas,
            s.ticks,
            self.pool.len()
        )
    }
}

fn new_solver(options: &Options, proofs: bool) -> Solver {
    let mut solver = Solver::new(Config {
        proofs,
        seed: options.seed,
        ..Config::default()
    });
    solver.set_tick_limit(options.ticks);
    if let Some(flag) = &options.interrupt {
        solver.set_interrupt(Arc::clone(flag));
    }
    solver
}

pub(super) fn reason_text(reason: UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Ticks => "the tick limit was reached",
        UnknownReason::Interrupted => "interrupted",
        UnknownReason::Incomplete(what) => what,
    }
}

/// The only argument of a command.
fn one(command: &Expr<'_>, arguments: &[usize]) -> Result<usize, Error> {
    match *arguments {
        [argument] => Ok(argument),
        _ => Err(command.error(0, format!("expected one argument, found {}", arguments.len()))),
    }
}

pub(super) fn name_of<'a>(command: &Expr<'a>, node: usize) -> Result<&'a str, Error> {
    command
        .symbol(node)
        .ok_or_else(|| command.error(node, "expected a name"))
}

/// The number of levels to push or pop.
fn level_count(command: &Expr<'_>, arguments: &[usize]) -> Result<usize, Error> {
    /// More levels than this are a mistake, not a need.
    const MOST: usize = 1_000_000;
    match *arguments {
        [] => Ok(1),
        _ => {
            let node = one(command, arguments)?;
            let count = command.source(node).parse().ok().filter(|&count| count <= MOST);
            count.ok_or_else(|| command.error(node, "expected a number of levels"))
        }
    }
}
