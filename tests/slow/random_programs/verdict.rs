//! Claims about programs, and the verifier's answers.

use super::program::Generated;
use super::truth::Truth;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// How the verifier is run.
#[derive(Clone, Copy, Debug)]
pub struct Configuration {
    pub name: &'static str,
    options: &'static [&'static str],
    /// Settings, which go before those of [`LIMITS`].
    settings: &'static [(&'static str, &'static str)],
}

/// Limits of effort, so that an answer repeats on every machine; the time limit is for what effort does not count. Most programs are decided within a
/// hundredth of these: what is not would seldom be decided with ten times as much, and takes as long as ten others.
const LIMITS: [(&str, &str); 3] = [
    ("ideal.ticks", "150000"),
    ("explicit.steps", "200000"),
    ("concrete.steps", "5000000"),
];

/// Each program is asked in all of these, if there is time.
const ALL: [Configuration; 3] = [
    Configuration {
        name: "default",
        options: &[],
        settings: &[],
    },
    Configuration {
        name: "explicit=off",
        options: &[],
        settings: &[("explicit", "off")],
    },
    // Programs without inputs are executed by default, whole: here they are explored.
    Configuration {
        name: "slice=off",
        options: &[],
        settings: &[("slice", "off"), ("concrete.steps", "0")],
    },
];

/// Each program is asked in one of these too.
const OTHERS: [Configuration; 7] = [
    Configuration {
        name: "summaries",
        options: &[],
        settings: &[("explicit", "off"), ("bam", "functions")],
    },
    Configuration {
        name: "summaries of loops",
        options: &[],
        settings: &[("explicit", "off"), ("bam", "on")],
    },
    Configuration {
        name: "explored",
        options: &[],
        settings: &[("concrete.steps", "0")],
    },
    Configuration {
        name: "single",
        options: &["--refine", "single"],
        settings: &[("explicit", "off"), ("ideal.ticks", "0")],
    },
    Configuration {
        name: "ideal off",
        options: &[],
        settings: &[
            ("explicit.steps", "200"),
            ("concrete.steps", "0"),
            ("ideal.ticks", "0"),
            ("slice", "off"),
        ],
    },
    Configuration {
        name: "formulas",
        options: &[],
        settings: &[("explicit", "off"), ("slice", "off"), ("ideal.ticks", "0")],
    },
    Configuration {
        name: "check",
        options: &["--check"],
        settings: &[("concrete.steps", "0")],
    },
];

impl Configuration {
    /// The arguments of the verifier behind its input.
    pub fn arguments(&self) -> Vec<String> {
        let limits = ["--threads", "1", "--ticks", "1000000", "--cpu-limit", "60"];
        let plain = limits.iter().chain(self.options).map(ToString::to_string);
        let is_own = |key: &str| self.settings.iter().any(|(own, _)| *own == key);
        let general = LIMITS.iter().filter(|(key, _)| !is_own(key));
        let settings = general.chain(self.settings);
        let set = settings.flat_map(|(key, value)| ["--set".to_string(), format!("{key}={value}")]);
        plain.chain(set).collect()
    }
}

/// In how many configurations a program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// By default, and in one other: for the ordinary test run.
    Brief,
    /// In all of [`ALL`], and in one of [`OTHERS`].
    Thorough,
}

/// A program with its verdict.
pub struct Claim {
    pub text: String,
    pub holds: bool,
    /// Decides among the configurations.
    pick: usize,
}

/// An answer, with the seconds that it took.
#[derive(Clone, Debug)]
pub struct Asked {
    pub configuration: Configuration,
    pub answer: Answer,
    pub seconds: f64,
}

/// The verifier's answer.
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
        Claim::that(program, truth, None)
    }

    /// A claim that holds, or one that does not, or either of them.
    ///
    /// One that does not hold is about one emission in one run. Half of those that hold are about all emissions, so that nothing is sliced
    /// away; the others are about one, which formulas decide more often.
    pub fn that(program: &Generated, truth: &Truth, holds: Option<bool>) -> Claim {
        let mut hasher = DefaultHasher::new();
        truth.runs.hash(&mut hasher);
        let hash = usize::try_from(hasher.finish() >> 8 & 0xffff).expect("16 bits");
        let holds = holds.unwrap_or(hash % 2 == 0);
        let values = |emit: usize| -> BTreeSet<i64> { truth.runs.iter().map(|run| run[emit]).collect() };
        let run = &truth.runs[hash / 2 % truth.runs.len()];
        let chosen = hash / 7 % program.emits();
        let about_all = holds && hash / 5 % 2 == 0;
        let text = program.with(|emit, value| {
            if emit != chosen && !about_all {
                return String::new();
            }
            let value = format!("(long long)({value})");
            if !holds {
                return format!("if ({value} == {}) reach_error();", number(run[emit]));
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

    fn configurations(&self, effort: Effort) -> Vec<Configuration> {
        let other = OTHERS[self.pick % OTHERS.len()];
        match effort {
            Effort::Thorough => [&ALL[..], &[other]].concat(),
            Effort::Brief => {
                let others = [&ALL[1..], &OTHERS].concat();
                vec![ALL[0], others[self.pick % others.len()]]
            }
        }
    }

    /// The verifier's answer.
    pub fn ask(&self, configuration: Configuration) -> Answer {
        self.ask_about(&Preprocessed::new(&self.text), configuration)
    }

    fn ask_about(&self, input: &Preprocessed, configuration: Configuration) -> Answer {
        let binary = std::env::var("PROVIDENT_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_provident").to_string());
        let output = Command::new(binary)
            .arg("verify")
            .arg(&input.file)
            .args([
                "--property",
                concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/unreach-call.prp"),
            ])
            .args(configuration.arguments())
            .stdin(Stdio::null())
            .output()
            .expect("the verifier starts");
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

/// A claim as a file without directives, which is there as long as this value. All configurations read it: `cpp` takes as long as deciding.
struct Preprocessed {
    file: PathBuf,
}

impl Preprocessed {
    fn new(text: &str) -> Preprocessed {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let name = format!("provident-{}-{:x}.c", std::process::id(), hasher.finish());
        let source = std::env::temp_dir().join(name);
        let file = source.with_extension("i");
        std::fs::write(&source, text).expect("the file can be written");
        let done = Command::new("gcc").arg("-E").arg(&source).arg("-o").arg(&file).status();
        assert!(done.is_ok_and(|status| status.success()), "the claim is preprocessed");
        let _ = std::fs::remove_file(&source);
        Preprocessed { file }
    }
}

impl Drop for Preprocessed {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// The answers for each program of which something is known, in all configurations.
pub fn ask_all(claims: &[(&Generated, Option<Claim>)], effort: Effort) -> Vec<Vec<Asked>> {
    let ask = |(_, claim): &(&Generated, Option<Claim>)| {
        let Some(claim) = claim else { return Vec::new() };
        let input = Preprocessed::new(&claim.text);
        let asked = claim.configurations(effort).into_iter().map(|configuration| {
            let start = Instant::now();
            let answer = claim.ask_about(&input, configuration);
            let seconds = start.elapsed().as_secs_f64();
            Asked {
                configuration,
                answer,
                seconds,
            }
        });
        asked.collect()
    };
    claims.par_iter().map(ask).collect()
}
