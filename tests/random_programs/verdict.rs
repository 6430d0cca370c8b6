//! Claims about programs, and the verifier's answers.

use crate::program::Generated;
use crate::truth::Truth;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::{Command, Stdio};

/// How the verifier is run.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    pub name: &'static str,
    pub options: &'static [&'static str],
}

const DEFAULT: Configuration = Configuration {
    name: "default",
    options: &[],
};

const WHOLE: Configuration = Configuration {
    name: "slice=off",
    options: &["--set", "slice=off"],
};

/// Each program is asked in one of these too.
const OTHERS: [Configuration; 4] = [
    Configuration {
        name: "explicit=off",
        options: &["--set", "explicit=off", "--ticks", "20000000"],
    },
    Configuration {
        name: "single",
        options: &[
            "--refine",
            "single",
            "--set",
            "explicit=off",
            "--set",
            "ideal.ticks=0",
            "--ticks",
            "20000000",
        ],
    },
    Configuration {
        name: "ideal off",
        options: &[
            "--set",
            "explicit.steps=200",
            "--set",
            "ideal.ticks=0",
            "--set",
            "slice=off",
            "--ticks",
            "20000000",
        ],
    },
    Configuration {
        name: "check",
        options: &["--check", "--ticks", "20000000"],
    },
];

/// A program with its verdict.
pub struct Claim {
    pub text: String,
    pub holds: bool,
    /// Decides among the configurations.
    pick: usize,
}

/// What the verifier said.
#[derive(Clone, Debug)]
pub enum Answer {
    Right,
    Unknown(String),
    /// A wrong verdict, a refusal, a crash.
    Wrong(String),
}

impl Claim {
    /// A claim about the emitted values. Half of them hold.
    pub fn new(program: &Generated, truth: &Truth) -> Claim {
        let mut hasher = DefaultHasher::new();
        truth.runs.hash(&mut hasher);
        let hash = usize::try_from(hasher.finish() >> 8 & 0xffff).expect("16 bits");
        let holds = hash % 2 == 0;
        let values = |emit: usize| -> BTreeSet<i64> { truth.runs.iter().map(|run| run[emit]).collect() };
        let run = &truth.runs[hash / 2 % truth.runs.len()];
        let violated = hash / 7 % program.emits();
        let text = program.with(|emit, value| {
            let value = format!("(long long)({value})");
            if !holds {
                return match emit == violated {
                    true => format!("if ({value} == {}) reach_error();", number(run[emit])),
                    false => String::new(),
                };
            }
            let mut text = format!("{{ long long e = {value}; if (");
            for (i, &value) in values(emit).iter().enumerate() {
                let and = if i > 0 { " && " } else { "" };
                write!(text, "{and}e != {}", number(value)).unwrap();
            }
            text + ") reach_error(); }"
        });
        Claim {
            text,
            holds,
            pick: hash / 3,
        }
    }

    fn configurations(&self) -> [Configuration; 3] {
        [DEFAULT, WHOLE, OTHERS[self.pick % OTHERS.len()]]
    }

    /// The verifier's answer.
    pub fn ask(&self, configuration: Configuration) -> Answer {
        let mut hasher = DefaultHasher::new();
        (&self.text, configuration.name).hash(&mut hasher);
        let name = format!("provident-{}-{:x}.c", std::process::id(), hasher.finish());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, &self.text).expect("the file can be written");
        let binary = std::env::var("PROVIDENT_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_provident").to_string());
        let output = Command::new(binary)
            .arg("verify")
            .arg(&file)
            .args([
                "--property",
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/unreach-call.prp"),
            ])
            .args(["--cpu-limit", "3", "--threads", "1"])
            .args(configuration.options)
            .stdin(Stdio::null())
            .output()
            .expect("the verifier starts");
        let _ = std::fs::remove_file(&file);
        let text = String::from_utf8_lossy(&output.stdout);
        let verdict = text.lines().last().unwrap_or_default();
        match (output.status.code(), self.holds) {
            (Some(0), true) | (Some(1), false) => Answer::Right,
            (Some(2), _) => Answer::Unknown(verdict.to_string()),
            (Some(0), false) => Answer::Wrong("TRUE, but an execution reaches the error".to_string()),
            (Some(1), true) => Answer::Wrong("FALSE, but no execution reaches the error".to_string()),
            (code, _) => {
                let error = String::from_utf8_lossy(&output.stderr);
                let first = error.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                Answer::Wrong(format!("exit status {code:?}: {first}"))
            }
        }
    }
}

fn number(value: i64) -> String {
    match value {
        i64::MIN => "(-9223372036854775807ll - 1)".to_string(),
        _ => format!("{value}ll"),
    }
}

/// The answers for each program of which something is known, in three configurations.
pub fn ask_all(claims: &[(&Generated, Option<Claim>)]) -> Vec<Vec<(Configuration, Answer)>> {
    let ask = |(_, claim): &(&Generated, Option<Claim>)| match claim {
        None => Vec::new(),
        Some(claim) => claim.configurations().map(|c| (c, claim.ask(c))).to_vec(),
    };
    claims.par_iter().map(ask).collect()
}
