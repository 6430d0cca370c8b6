//! Options and information: `set-option`, `get-option`, `set-info`, `get-info`.

use super::options::When;
use super::scope::Declaration;
use super::session::{Channel, Outcome, Reply, Session, one};
use super::sexpr::quoted;
use super::sexpr::{Error, Expr, Kind};
use crate::interpolate::Cost;

impl Session {
    pub(super) fn set_option(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<Reply, Error> {
        let started = self.started();
        let is_empty = self.scope.trail.is_empty() && self.assertions.is_empty() && self.levels() == 0;
        let now = match (started, is_empty) {
            (false, _) => When::BeforeLogic,
            (true, true) => When::BeforeDeclarations,
            (true, false) => When::Always,
        };
        let Some(option) = self.settings.set(command, arguments, now)? else {
            return Ok(Reply::Text("unsupported".to_owned()));
        };
        match option {
            ":regular-output-channel" => return Ok(Reply::Open(Channel::Regular, self.settings.text(option))),
            ":diagnostic-output-channel" => return Ok(Reply::Open(Channel::Diagnostic, self.settings.text(option))),
            ":reproducible-resource-limit" => {
                let limit = self.tick_limit();
                self.solver.set_tick_limit(limit);
            }
            ":produce-proofs" | ":random-seed" | ":inprocessing" | ":finite-after" if !started => self.renew_solver(),
            _ => {}
        }
        Ok(self.done())
    }

    pub(super) fn get_option(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        let node = keyword(command, arguments)?;
        let value = self.settings.get(command.source(node));
        Ok(value.unwrap_or("unsupported").to_owned())
    }

    /// Of all that a script can say about itself, only the status has a meaning here.
    pub(super) fn set_info(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<Reply, Error> {
        let &[key, ref rest @ ..] = arguments else {
            return Err(command.error(0, "expected a keyword, as :source"));
        };
        if command.kind(key) != Kind::Keyword || rest.len() > 1 {
            return Err(command.error(key, "expected a keyword, as :source, and a value"));
        }
        if command.source(key) == ":status" {
            let status = rest.first().and_then(|&value| command.symbol(value));
            let known = status.filter(|status| matches!(*status, "sat" | "unsat" | "unknown"));
            let known = known.ok_or_else(|| command.error(0, "a status is sat, unsat or unknown"))?;
            self.status = Some(known.to_owned());
        }
        Ok(self.done())
    }

    pub(super) fn get_info(&self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        let key = command.source(keyword(command, arguments)?);
        Ok(match key {
            ":name" => "(:name \"Provident\")".to_owned(),
            ":version" => format!("(:version {})", quoted(env!("CARGO_PKG_VERSION"))),
            ":authors" => "(:authors \"the Provident authors\")".to_owned(),
            ":error-behavior" => "(:error-behavior continued-execution)".to_owned(),
            ":assertion-stack-levels" => format!("(:assertion-stack-levels {})", self.levels()),
            ":reason-unknown" => match &self.outcome {
                Outcome::Unknown(reason) => format!("(:reason-unknown {reason})"),
                _ => return Err(command.error(0, "the last check did not answer unknown")),
            },
            ":all-statistics" => self.statistics(),
            _ => "unsupported".to_owned(),
        })
    }

    /// The counters of the solver as an attribute list.
    pub(super) fn statistics(&self) -> String {
        let s = self.solver.statistics();
        let functions = self.scope.trail.iter();
        let declared = functions.filter(|d| matches!(d, Declaration::Function(_))).count();
        let counters = [
            ("checks", s.checks),
            ("decisions", s.decisions),
            ("propagations", s.propagations),
            ("theory-propagations", s.theory_propagations),
            ("conflicts", s.conflicts),
            ("theory-conflicts", s.theory_conflicts),
            ("restarts", s.restarts),
            ("reductions", s.reductions),
            ("strengthened", s.strengthened),
            ("subsumed", s.subsumed),
            ("pivots", s.pivots),
            ("final-checks", s.final_checks),
            ("branches", s.branches),
            ("finite-turns", s.finite_turns),
            ("pigeonholes", s.pigeonholes),
            ("lemmas", s.lemmas),
            ("ticks", s.ticks),
            ("terms", self.pool.len() as u64),
            ("declarations", declared as u64),
        ];
        let checked = &self.checked;
        let read = [
            ("interpolation-proofs", checked.interpolation.proofs),
            ("interpolation-steps", checked.interpolation.steps),
            ("interpolation-ticks", checked.interpolation.ticks),
        ];
        let certified = [
            ("proofs-checked", checked.proofs),
            ("interpolants-certified", checked.interpolants),
            ("certificate-proofs", checked.certificates.proofs),
            ("certificate-steps", checked.certificates.steps),
            ("certificate-ticks", checked.certificates.ticks),
            ("checks-undecided", checked.undecided),
        ];
        let read = read.iter().filter(|_| checked.interpolation != Cost::default());
        let certified = certified.iter().filter(|_| self.options.check);
        let lines: Vec<String> = counters
            .iter()
            .chain(read)
            .chain(certified)
            .map(|(name, value)| format!(":{name} {value}"))
            .collect();
        format!("({})", lines.join("\n "))
    }
}

/// The only argument, which has to be a keyword.
fn keyword(command: &Expr<'_>, arguments: &[usize]) -> Result<usize, Error> {
    let node = one(command, arguments)?;
    match command.kind(node) {
        Kind::Keyword => Ok(node),
        _ => Err(command.error(node, "expected a keyword")),
    }
}
