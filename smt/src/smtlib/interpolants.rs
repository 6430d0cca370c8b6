//! `get-interpolants`.

use super::answer::ScriptStyle;
use super::checks::reason_text;
use super::session::{Outcome, Session, name_of};
use super::sexpr::{Error, Expr, Kind};
use crate::interpolate::{self, InterpolationConfig, SequenceResult};
use crate::term::TermId;

impl Session {
    pub(super) fn get_interpolants(&mut self, command: &Expr<'_>, arguments: &[usize]) -> Result<String, Error> {
        if !matches!(self.outcome, Outcome::Unsat { .. }) {
            return Err(command.error(0, "interpolants need a check that answered unsat"));
        }
        if arguments.len() < 2 {
            return Err(command.error(0, "interpolants need at least two partitions"));
        }
        let style = ScriptStyle::new(&self.scope);
        let mut parts = Vec::new();
        for &argument in arguments {
            let part = self.partition(command, argument)?;
            let ranges = style.predicate_ranges(&mut self.pool, part);
            parts.push(self.pool.and2(part, ranges));
        }
        let config = InterpolationConfig {
            ticks: self.tick_limit(),
            interrupt: self.options.interrupt.as_ref().map(|i| i.flag()),
            equality: true,
            ..InterpolationConfig::default()
        };
        match interpolate::sequence(&mut self.pool, &parts, &config) {
            SequenceResult::Unsat(interpolants) => {
                let texts = interpolants
                    .into_iter()
                    .map(|formula| style.formula(&self.pool, formula));
                match texts.collect::<Option<Vec<_>>>() {
                    Some(texts) => Ok(format!("({})", texts.join(" "))),
                    None => Err(command.error(0, "the interpolant found has no form in the script's sorts")),
                }
            }
            SequenceResult::Sat(_) => Err(command.error(0, "the partitions together are satisfiable")),
            SequenceResult::Unknown(reason) => {
                Err(command.error(0, format!("no interpolants: {}", reason_text(reason))))
            }
        }
    }

    /// The formula of a partition: the name of an assertion or a conjunction of such names.
    fn partition(&mut self, command: &Expr<'_>, node: usize) -> Result<TermId, Error> {
        let names = match command.kind(node) {
            Kind::List => {
                let list = command.list(node);
                match list.first().and_then(|&head| command.symbol(head)) {
                    Some("and") => list[1..].to_vec(),
                    _ => return Err(command.error(node, "expected a name or (and name ...)")),
                }
            }
            _ => vec![node],
        };
        let mut formulas = Vec::new();
        for name in names {
            let text = name_of(command, name)?;
            let assertion = self.assertions.iter().find(|a| a.name.as_deref() == Some(text));
            let assertion = assertion.ok_or_else(|| command.error(name, format!("no assertion is named {text}")))?;
            formulas.push(assertion.formula);
        }
        Ok(self.pool.and(&formulas))
    }
}
