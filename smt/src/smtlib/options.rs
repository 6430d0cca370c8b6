//! The options of a script: their names, values, and when they may be set.

use super::sexpr::{Error, Expr, Kind};
use crate::hash::FxHashMap;

/// The values that an option takes.
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
    when: When,
}

/// When an option can be set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum When {
    /// Before the logic, the first declaration and the first assertion.
    BeforeLogic,
    /// Before the first declaration and the first assertion.
    BeforeDeclarations,
    /// At any time.
    Always,
}

const fn spec(name: &'static str, values: Values, default: &'static str, when: When) -> Spec {
    Spec {
        name,
        values,
        default,
        when,
    }
}

/// All options. The defaults are those of the standard, but what costs nothing is always there: models, assignments and unsatisfiable
/// assumptions; and commands without an answer print nothing.
const OPTIONS: &[Spec] = &[
    spec(":alethe-definitions", Values::Flag, "false", When::Always),
    spec(":diagnostic-output-channel", Values::Text, "\"stderr\"", When::Always),
    spec(":finite-after", Values::Number, "0", When::BeforeLogic),
    spec(":global-declarations", Values::Flag, "false", When::BeforeDeclarations),
    spec(":inprocessing", Values::Number, "0", When::BeforeLogic),
    spec(":interactive-mode", Values::Flag, "false", When::BeforeLogic),
    spec(
        ":interpolation-arithmetic",
        Values::Word(&["default", "decomposed", "farkas", "dual-farkas", "dual-decomposed"]),
        "default",
        When::Always,
    ),
    spec(
        ":interpolation-congruence",
        Values::Word(&["default", "strong", "weak"]),
        "default",
        When::Always,
    ),
    spec(
        ":interpolation-labelling",
        Values::Word(&["default", "mcmillan", "pudlak", "dual", "smallest"]),
        "default",
        When::Always,
    ),
    spec(":interpolation-minimise", Values::Flag, "true", When::Always),
    spec(
        ":interpolation-reduce-proof",
        Values::Word(&["default", "true", "false"]),
        "default",
        When::Always,
    ),
    spec(":interpolation-simplify", Values::Flag, "true", When::Always),
    spec(":print-success", Values::Flag, "false", When::Always),
    spec(":produce-assertions", Values::Flag, "false", When::BeforeLogic),
    spec(":produce-assignments", Values::Flag, "true", When::BeforeLogic),
    spec(":produce-interpolants", Values::Flag, "true", When::BeforeLogic),
    spec(":produce-models", Values::Flag, "true", When::BeforeLogic),
    spec(":produce-proofs", Values::Flag, "false", When::BeforeLogic),
    spec(":produce-unsat-assumptions", Values::Flag, "true", When::BeforeLogic),
    spec(":produce-unsat-cores", Values::Flag, "false", When::BeforeLogic),
    spec(
        ":proof-format",
        Values::Word(&["alethe", "native"]),
        "alethe",
        When::Always,
    ),
    spec(":random-seed", Values::Number, "0", When::BeforeLogic),
    spec(":regular-output-channel", Values::Text, "\"stdout\"", When::Always),
    spec(":reproducible-resource-limit", Values::Number, "0", When::Always),
    spec(":verbosity", Values::Number, "0", When::Always),
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
    /// Sets an option, now. Returns its name, or none if there is no such option.
    pub fn set(&mut self, command: &Expr<'_>, arguments: &[usize], now: When) -> Result<Option<&'static str>, Error> {
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
        if spec.when < now && self.get(spec.name) != Some(text) {
            let before = match spec.when {
                When::BeforeLogic => "the logic and the first declaration",
                _ => "the first declaration",
            };
            return Err(command.error(option, format!("{} has to be set before {before}", spec.name)));
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

    /// After how many ticks the search may turn to small domains; none is the default.
    pub fn finite_after(&self) -> Option<u64> {
        Some(self.number(":finite-after")).filter(|&ticks| ticks > 0)
    }

    /// The content of a text.
    pub fn text(&self, name: &str) -> String {
        let quoted = self.get(name).expect("the option is in the table");
        quoted[1..quoted.len() - 1].replace("\"\"", "\"")
    }
}
