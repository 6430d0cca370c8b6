//! The options of a script: their names, values, and when they may be set.

use super::sexpr::{Error, Expr, Kind};
use crate::hash::FxHashMap;

/// Which values an option takes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Values {
    Flag,
    Number,
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// An option with its default.
struct Spec {
    name: &'static str,
    values: Values,
    default: &'static str,
    /// Whether it can only be set before the logic, the first declaration and the first assertion.
    early: bool,
}

const fn spec(name: &'static str, values: Values, default: &'static str, early: bool) -> Spec {
    Spec {
        name,
        values,
        default,
        early,
    }
}

/// All options. The defaults are those of the standard, but what costs nothing is always there: models, assignments and unsatisfiable
/// assumptions; and commands without an answer print nothing.
const OPTIONS: &[Spec] = &[
    spec(":diagnostic-output-channel", Values::Text, "\"stderr\"", false),
    spec(":global-declarations", Values::Flag, "false", true),
    spec(":inprocessing", Values::Number, "0", true),
    spec(":interactive-mode", Values::Flag, "false", true),
    spec(
        ":interpolation-arithmetic",
        Values::Word(&["default", "decomposed", "farkas", "dual-farkas", "dual-decomposed"]),
        "default",
        false,
    ),
    spec(
        ":interpolation-congruence",
        Values::Word(&["default", "strong", "weak"]),
        "default",
        false,
    ),
    spec(
        ":interpolation-labelling",
        Values::Word(&["default", "mcmillan", "pudlak", "dual", "smallest"]),
        "default",
        false,
    ),
    spec(":interpolation-minimise", Values::Flag, "true", false),
    spec(
        ":interpolation-reduce-proof",
        Values::Word(&["default", "true", "false"]),
        "default",
        false,
    ),
    spec(":interpolation-simplify", Values::Flag, "true", false),
    spec(":print-success", Values::Flag, "false", false),
    spec(":produce-assertions", Values::Flag, "false", true),
    spec(":produce-assignments", Values::Flag, "true", true),
    spec(":produce-interpolants", Values::Flag, "true", true),
    spec(":produce-models", Values::Flag, "true", true),
    spec(":produce-proofs", Values::Flag, "false", true),
    spec(":produce-unsat-assumptions", Values::Flag, "true", true),
    spec(":produce-unsat-cores", Values::Flag, "false", true),
    spec(":proof-format", Values::Word(&["alethe", "native"]), "alethe", false),
    spec(":random-seed", Values::Number, "0", true),
    spec(":regular-output-channel", Values::Text, "\"stdout\"", false),
    spec(":reproducible-resource-limit", Values::Number, "0", false),
    spec(":verbosity", Values::Number, "0", false),
];

/// The options that a script has set.
#[derive(Default)]
pub(super) struct Settings {
    values: FxHashMap<&'static str, String>,
}

fn find(name: &str) -> Option<&'static Spec> {
    OPTIONS.iter().find(|spec| spec.name == name)
}

impl Settings {
    /// Sets an option. Returns its name, or none if there is no such option.
    pub fn set(
        &mut self,
        command: &Expr<'_>,
        arguments: &[usize],
        started: bool,
    ) -> Result<Option<&'static str>, Error> {
        let &[option, ref rest @ ..] = arguments else {
            return Err(command.error(0, "expected an option and its value"));
        };
        if command.kind(option) != Kind::Keyword {
            return Err(command.error(option, "expected an option, as :print-success"));
        }
        let Some(spec) = find(command.source(option)) else {
            return Ok(None);
        };
        let &[value] = rest else {
            return Err(command.error(0, "expected an option and its value"));
        };
        let text = command.source(value);
        let (fits, wanted) = match spec.values {
            Values::Flag => (matches!(text, "true" | "false"), "true or false".to_owned()),
            Values::Number => (command.kind(value) == Kind::Numeral, "a numeral".to_owned()),
            Values::Text => (command.kind(value) == Kind::Text, "a string".to_owned()),
            Values::Word(words) => (words.contains(&text), format!("one of {}", words.join(", "))),
        };
        if !fits {
            return Err(command.error(value, format!("{} takes {wanted}", spec.name)));
        }
        if spec.early && started && self.get(spec.name) != Some(text) {
            let message = format!("{} has to be set before the logic and the first declaration", spec.name);
            return Err(command.error(option, message));
        }
        self.values.insert(spec.name, text.to_owned());
        Ok(Some(spec.name))
    }

    /// The value of an option, if there is such an option.
    pub fn get(&self, name: &str) -> Option<&str> {
        let spec = find(name)?;
        Some(self.values.get(spec.name).map_or(spec.default, String::as_str))
    }

    /// Whether a flag is set.
    pub fn enabled(&self, name: &str) -> bool {
        self.get(name) == Some("true")
    }

    /// The value of a number; very large ones count as the largest.
    pub fn number(&self, name: &str) -> u64 {
        let text = self.get(name).expect("the option is in the table");
        text.parse().unwrap_or(u64::MAX)
    }

    /// Every how many conflicts learned clauses are simplified; none is never.
    pub fn inprocessing(&self) -> Option<u64> {
        Some(self.number(":inprocessing")).filter(|&conflicts| conflicts > 0)
    }

    /// The content of a text.
    pub fn text(&self, name: &str) -> String {
        let quoted = self.get(name).expect("the option is in the table");
        quoted[1..quoted.len() - 1].replace("\"\"", "\"")
    }
}
