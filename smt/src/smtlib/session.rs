//! The state of a script between its commands, their dispatch, and the assertion stack.

use super::Options;
use super::certified::Checked;
use super::limits::MAX_LEVELS;
use super::options::Settings;
use super::scope::Scope;
use super::scope::annotated_name;
use super::sexpr::quoted;
use super::sexpr::{Error, Expr, parse};
use super::sorts::Name;
use super::sorts::Ty;
use super::table::InterpolantRow;
use crate::hash::FxHashMap;
use crate::interpolate::Guide;
use crate::model::Model;
use crate::proof::Part;
use crate::solver::{Config, Solver};
use crate::term::{TermId, TermPool};
use std::fmt::Write;

/// The answer to a command.
pub(super) enum Reply {
    /// Nothing is printed.
    Silent,
    /// A line or more.
    Text(String),
    /// The answer of a check contradicts the status that the script gave.
    Contradiction(String, String),
    /// A channel is to be opened under this name.
    Open(Channel, String),
    /// Everything is as it was at the start.
    Reset,
    /// The script ends.
    Exit,
}

/// The two channels of output.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    Regular,
    Diagnostic,
}

/// An asserted formula.
pub(super) struct Assertion {
    pub formula: TermId,
    pub name: Option<Name>,
    /// The text, if it is needed later.
    pub source: Option<String>,
    /// The assumption under which a named assertion holds, if cores are asked for.
    pub selector: Option<TermId>,
}

/// A scope opened by `push`: the lengths to return to.
struct Level {
    assertions: usize,
    axioms: usize,
    trail: usize,
}

/// The result of the last check, until the next change.
pub(super) enum Outcome {
    None,
    Sat(Box<Model>),
    /// With those of the assumptions, selectors included, that the answer rests on.
    Unsat {
        core: Vec<TermId>,
    },
    /// With the reason as an S-expression.
    Unknown(String),
}

/// The state of a script.
pub(super) struct Session {
    pub options: Options,
    pub settings: Settings,
    pub pool: TermPool,
    pub solver: Solver,
    pub scope: Scope,
    pub assertions: Vec<Assertion>,
    levels: Vec<Level>,
    /// The texts of definitions by name, if proofs are asked for.
    pub definitions: FxHashMap<Name, String>,
    /// The assumptions of the last check with their source text.
    pub assumptions: Vec<(TermId, String)>,
    /// The axioms asserted for products and divisions that are not linear.
    pub axioms: Vec<TermId>,
    pub outcome: Outcome,
    /// The logic, once it is set or a command needed one.
    pub logic: Option<String>,
    /// The expected answer of the next check, if the script gives it.
    pub status: Option<String>,
    /// The table of all variants' interpolants, if it is asked for instead of answers.
    pub table: Option<Vec<InterpolantRow>>,
    /// What `check` has checked.
    pub checked: Checked,
    /// From the last query for interpolants, for their certificate.
    pub guide: Option<Guide>,
    /// A command that should have changed the assertions failed.
    pub broken: bool,
    /// Text that is to be written to the diagnostic channel.
    pub diagnosis: String,
}

impl Session {
    pub fn new(options: &Options) -> Self {
        let settings = Settings::default();
        Session {
            options: options.clone(),
            pool: TermPool::new(),
            solver: new_solver(options, &settings),
            settings,
            scope: Scope::default(),
            assertions: Vec::new(),
            levels: Vec::new(),
            axioms: Vec::new(),
            definitions: FxHashMap::default(),
            assumptions: Vec::new(),
            outcome: Outcome::None,
            logic: None,
            status: None,
            table: None,
            checked: Checked::default(),
            guide: None,
            broken: false,
            diagnosis: String::new(),
        }
    }

    /// Carries out the command of this text.
    pub fn read_and_execute(&mut self, text: &str) -> Result<Reply, Error> {
        let command = parse(text).inspect_err(|_| self.broken = true)?;
        self.execute(&command)
    }

    fn execute(&mut self, command: &Expr<'_>) -> Result<Reply, Error> {
        let parts = command.list(0);
        let name = parts.first().and_then(|&head| command.symbol(head));
        let Some(name) = name else {
            self.broken = true;
            return Err(command.error(0, "expected a command, as (check-sat)"));
        };
        let arguments = &parts[1..];
        let answered = match name {
            "check-sat" | "check-sat-assuming" | "check-allsat" => {
                let interrupt = self.options.interrupt.clone();
                interrupt.iter().for_each(|interrupt| interrupt.turn());
                let reply = match name {
                    "check-allsat" => self.check_all_sat(command, arguments),
                    _ => self.check_sat(command, arguments, name == "check-sat-assuming"),
                };
                interrupt.iter().for_each(|interrupt| interrupt.turn());
                return reply;
            }
            "get-value" => self.get_value(command, arguments),
            "eval" => self.eval(command, arguments),
            "simplify" => self.simplify(command, arguments),
            "get-model" => self.get_model(command, arguments),
            "get-unsat-core" => self.get_unsat_core(command, arguments),
            "get-unsat-assumptions" => self.get_unsat_assumptions(command, arguments),
            "get-interpolants" | "get-interpolant" => self.get_interpolants(command, arguments),
            "get-assertions" => self.get_assertions(command, arguments),
            "get-assignment" => self.get_assignment(command, arguments),
            "get-info" => self.get_info(command, arguments),
            "get-option" => self.get_option(command, arguments),
            "get-proof" => self.get_proof(command, arguments),
            "echo" => echo(command, arguments),
            "set-option" => return self.set_option(command, arguments),
            "set-logic" => return self.set_logic(command, arguments),
            "set-info" => return self.set_info(command, arguments),
            "exit" => return none(command, arguments).map(|()| Reply::Exit),
            "reset" => {
                none(command, arguments)?;
                let (diagnosis, table, checked) =
                    (std::mem::take(&mut self.diagnosis), self.table.take(), self.checked);
                *self = Session::new(&self.options);
                (self.diagnosis, self.table, self.checked) = (diagnosis, table, checked);
                return Ok(Reply::Reset);
            }
            "define-fun-rec" | "define-funs-rec" | "declare-datatype" | "declare-datatypes" => {
                self.broken = true;
                return Ok(Reply::Text("unsupported".to_owned()));
            }
            _ => {
                let done = self.change(name, command, arguments);
                self.broken |= done.is_err();
                return done.map(|()| self.done());
            }
        };
        answered.map(Reply::Text)
    }

    /// The commands that have no answer of their own.
    fn change(&mut self, name: &str, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
        if name != "reset-assertions" && self.logic.is_none() {
            self.logic = Some("ALL".to_owned());
        }
        match name {
            "assert" => self.assert(command, arguments),
            "declare-fun" | "declare-const" => self.declare_function(command, arguments, name == "declare-fun"),
            "define-fun" => self.define_function(command, arguments, true),
            "define-const" => self.define_function(command, arguments, false),
            "declare-sort" => self.declare_sort(command, arguments),
            "define-sort" => self.define_sort(command, arguments),
            "push" => self.push(command, arguments),
            "pop" => self.pop(command, arguments),
            "reset-assertions" => none(command, arguments).map(|()| self.reset_assertions()),
            _ => Err(command.error(0, format!("the command {name} is not known"))),
        }
    }

    /// The reply to a command that was carried out and has no answer.
    pub fn done(&self) -> Reply {
        self.success().map_or(Reply::Silent, Reply::Text)
    }

    /// The text that is printed for a command without answer.
    pub fn success(&self) -> Option<String> {
        self.settings.enabled(":print-success").then(|| "success".to_owned())
    }

    /// The diagnostics since the last call, and the statistics if they are asked for.
    pub fn diagnosis(&mut self, statistics: bool) -> String {
        if statistics {
            writeln!(self.diagnosis, "{}", self.statistics()).expect("strings accept text");
        }
        std::mem::take(&mut self.diagnosis)
    }

    /// Whether anything is declared, asserted or decided that options cannot change any more.
    pub fn started(&self) -> bool {
        self.logic.is_some()
    }

    /// The number of open scopes.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    fn assert(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
        let node = one(command, arguments)?;
        self.outcome = Outcome::None;
        let formula = self.scope.term_of(&mut self.pool, command, node, Ty::Bool)?;
        let formula = self.scope.arrays.with_definitions(&mut self.pool, formula);
        let annotated = command
            .children(node)
            .next()
            .is_some_and(|head| command.symbol(head) == Some("!"));
        let name = if annotated {
            annotated_name(command, node)?.map(|named| Name::from(named.0))
        } else {
            None
        };
        let proofs = self.settings.enabled(":produce-proofs");
        let selector = (name.is_some() && self.settings.enabled(":produce-unsat-cores") && !proofs).then(|| {
            let symbol = self.scope.fresh_symbol(&mut self.pool, "core");
            self.pool.bool_var(symbol.name, symbol.index)
        });
        let asserted = match selector {
            Some(selector) => self.pool.implies(selector, formula),
            None => formula,
        };
        self.solver.assert(&mut self.pool, asserted, Part(0));
        let keep = proofs || self.keeps_assertions();
        self.assertions.push(Assertion {
            formula,
            name,
            source: keep.then(|| command.source(node).to_owned()),
            selector,
        });
        Ok(())
    }

    /// Whether `get-assertions` is allowed.
    pub fn keeps_assertions(&self) -> bool {
        self.settings.enabled(":produce-assertions") || self.settings.enabled(":interactive-mode")
    }

    fn push(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
        let count = level_count(command, arguments)?;
        self.outcome = Outcome::None;
        for _ in 0..count {
            self.solver.push();
            self.levels.push(Level {
                assertions: self.assertions.len(),
                axioms: self.axioms.len(),
                trail: self.scope.trail.len(),
            });
        }
        Ok(())
    }

    fn pop(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
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
            if !self.settings.enabled(":global-declarations") {
                self.scope.undo_to(level.trail);
            }
        }
        Ok(())
    }

    fn reset_assertions(&mut self) {
        self.renew_solver();
        self.assertions.clear();
        self.axioms.clear();
        self.levels.clear();
        self.outcome = Outcome::None;
        self.broken = false;
        if !self.settings.enabled(":global-declarations") {
            self.scope.undo_to(0);
        }
    }

    /// A solver without assertions, with the options as they are now.
    pub fn renew_solver(&mut self) {
        self.solver = new_solver(&self.options, &self.settings);
    }

    /// The ticks that a check may spend.
    pub fn tick_limit(&self) -> Option<u64> {
        tick_limit(&self.options, &self.settings)
    }

    fn get_assertions(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        none(command, arguments)?;
        if !self.keeps_assertions() {
            return Err(command.error(0, "this needs (set-option :produce-assertions true) before the logic"));
        }
        let sources = self.assertions.iter().filter_map(|a| a.source.as_deref());
        Ok(format!("({})", sources.collect::<Vec<_>>().join("\n ")))
    }
}

fn tick_limit(options: &Options, settings: &Settings) -> Option<u64> {
    let own = Some(settings.number(":reproducible-resource-limit")).filter(|&limit| limit > 0);
    options.ticks.into_iter().chain(own).min()
}

fn new_solver(options: &Options, settings: &Settings) -> Solver {
    let seed = Some(settings.number(":random-seed")).filter(|&seed| seed > 0);
    let mut solver = Solver::new(Config {
        proofs: settings.enabled(":produce-proofs"),
        seed: seed.or(options.seed),
        inprocessing: settings.inprocessing(),
        finite_after: settings.finite_after(),
        lifts_choices: true,
        ..Config::default()
    });
    solver.set_tick_limit(tick_limit(options, settings));
    if let Some(interrupt) = &options.interrupt {
        solver.set_interrupt(interrupt.flag());
    }
    solver
}

fn echo(command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
    let node = one(command, arguments)?;
    match command.kind(node) {
        super::sexpr::Kind::Text => Ok(command.source(node).to_owned()),
        _ => Err(command.error(node, format!("expected a string, as {}", quoted("done")))),
    }
}

/// The only argument of a command.
pub(super) fn one(command: &Expr<'_>, arguments: &[usize]) -> Result<usize, Error> {
    match *arguments {
        [argument] => Ok(argument),
        _ => Err(command.error(0, format!("expected one argument, found {}", arguments.len()))),
    }
}

/// A command without arguments.
pub(super) fn none(command: &Expr<'_>, arguments: &[usize]) -> Result<(), Error> {
    match *arguments {
        [] => Ok(()),
        [first, ..] => Err(command.error(first, format!("expected no argument, found {}", arguments.len()))),
    }
}

/// The name that a node must be.
pub(super) fn name_of<'a>(command: &Expr<'a>, node: usize) -> Result<&'a str, Error> {
    command
        .symbol(node)
        .ok_or_else(|| command.error(node, "expected a name"))
}

/// The number of levels to push or pop.
fn level_count(command: &Expr<'_>, arguments: &[usize]) -> Result<usize, Error> {
    match *arguments {
        [] => Ok(1),
        _ => {
            let node = one(command, arguments)?;
            let count = command.source(node).parse().ok().filter(|&count| count <= MAX_LEVELS);
            count.ok_or_else(|| command.error(node, "expected a number of levels"))
        }
    }
}
