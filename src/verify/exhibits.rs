//! The files that show a verdict to other programs: witnesses and harnesses.

use super::stage::Violation;
use super::task::{Claim, Task};
use super::verdict::withdraw;
use super::{Options, Verified};
use crate::cfa::program::check::CheckKind;
use crate::cpa::tracking::PropertyId;
use crate::encode::Encoder;
use crate::engine::{ReasonCode, Verdict};
use crate::evidence::harness::{Harness, harness, run};
use crate::evidence::replay::decisive_inputs;
use crate::evidence::validate::{self, Subject, sample};
use crate::evidence::witness::format::{About, Element, Invariant, write};
use crate::evidence::witness::text::Text;
use crate::evidence::witness::{correctness, violation};
use crate::frontend::types::DataModel;
use crate::report::files::file_name;
use crate::report::{Answer, Attachment, Report};
use crate::spec::property::PropertySpec;
use std::path::PathBuf;

/// The most ticks for the validation of a witness of our own.
const VALIDATION_TICKS: u64 = 40_000_000;

/// Adds the evidence for each verdict to the report. A FALSE that the compiled program does not repeat under `--check` becomes UNKNOWN. Automata have no form in which a witness could name them: for them there is none.
pub(super) fn attach(report: &mut Report, task: &Task, options: &Options, verified: &Verified, positions: &[usize]) {
    let mut files = Vec::new();
    for unit in &task.program.units {
        let Ok(content) = unit.content() else { return };
        files.push((unit.name(), content));
    }
    let found = &verified.found;
    let about = About {
        version: crate::report::version::NUMBERS.to_string(),
        files,
        specification: String::new(),
        data_model: match task.program.data_model {
            DataModel::Ilp32 => "ILP32".to_string(),
            DataModel::Lp64 => "LP64".to_string(),
        },
        time: now(),
    };
    for (i, (&position, (_, verdict))) in positions.iter().zip(&found.outcome.verdicts).enumerate() {
        let Claim::Forbidden(spec) = &task.requested[position].claim else {
            continue;
        };
        let mut exhibit = Exhibit {
            task,
            options,
            verified,
            spec,
            name: file_name(&report.properties[position].name),
            about: About {
                specification: format!("CHECK( init({}()), LTL({}) )", task.program.lower.entry, spec.forbidden),
                ..about.clone()
            },
            report: &mut *report,
        };
        match (verdict, exhibit.report.properties[position].verdict) {
            (Verdict::False(_), Answer::False) => {
                let of_this = |(property, _): &&(PropertyId, Violation)| property.index() == i;
                if let Some((_, violation)) = found.confirmed.iter().rev().find(of_this) {
                    exhibit.violation(position, violation);
                }
            }
            (Verdict::True, Answer::True) => exhibit.correctness(),
            _ => {}
        }
    }
}

/// The evidence for the verdict on one property.
struct Exhibit<'a> {
    task: &'a Task,
    options: &'a Options,
    verified: &'a Verified,
    spec: &'a PropertySpec,
    /// The property's name in names of files.
    name: String,
    about: About,
    report: &'a mut Report,
}

impl Exhibit<'_> {
    /// The witness and the harness of a violation of the property at `position` in the report.
    fn violation(&mut self, position: usize, Violation { steps, replay }: &Violation) {
        let (task, spec) = (self.task, self.spec);
        let name = &self.name;
        let program = &self.verified.whole.program;
        let text = Text::new(&program.sources);
        let decisive = (replay.asked.len() > violation::FEW_INPUTS)
            .then(|| decisive_inputs(program, steps, replay))
            .flatten();
        let segments = violation::segments(program, &text, steps, &replay.asked, decisive.as_deref());
        if spec.forbidden.check() == Some(CheckKind::Uninit) {
            if self.options.engine.check {
                let text = "not tried, gcc has no check of what is written";
                self.report.checks.push(format!("HARNESS {name}: {text}"));
            }
            return self.witness("violation_sequence", segments);
        }
        let copied = task.program.units.iter().any(|unit| !unit.stands_alone());
        let harness = harness(
            program,
            &text,
            steps,
            replay,
            &spec.forbidden,
            &task.program.lower.entry,
            (self.options.invented, copied),
        );
        let mut missed = None;
        if self.options.engine.check {
            let (text, contradicts) = tried(&harness, task);
            self.report.checks.push(format!("HARNESS {name}: {text}"));
            missed = contradicts.then_some(text);
        }
        attach_harness(self.report, name, harness, task);
        if let Some(text) = missed {
            let missing = self.report.properties[position].name.clone();
            let reason = ReasonCode::HarnessMissed.because(format!("the compiled program {text}"));
            withdraw(self.report, Answer::False, |property| property.name == missing, &reason);
            return;
        }
        self.witness("violation_sequence", segments);
    }

    /// The witness of a proof: invariants that hold.
    fn correctness(&mut self) {
        let (task, options, spec, name) = (self.task, self.options, self.spec, &self.name);
        let certificate = &self.verified.certificate;
        let program = &certificate.program;
        let text = Text::new(&self.verified.whole.program.sources);
        let cells = Encoder::new(program, options.engine.arith).cells();
        let mut invariants = correctness::invariants(program, &text, cells, &certificate.invariants);
        for invariant in left_out(&mut invariants, task, options, spec) {
            let Invariant { value, location, .. } = invariant;
            self.report.checks.push(format!(
                "WITNESS {name}: the invariant `{value}` in line {} does not hold and is left out",
                location.line
            ));
        }
        self.witness("invariant_set", invariants);
    }

    fn witness(&mut self, kind: &str, content: Vec<Element>) {
        let entry = self.about.entry(kind, content);
        self.report.attachments.push(Attachment {
            name: format!("witness-{}.yml", self.name),
            content: write(&vec![entry]),
        });
    }
}

/// Takes the invariants out of a witness that do not hold: on a state of some execution, and with `--check` by a validation of the whole. Returns them.
fn left_out(content: &mut Vec<Element>, task: &Task, options: &Options, property: &PropertySpec) -> Vec<Invariant> {
    let Ok(source) = task.program.read() else {
        return Vec::new();
    };
    let mut engine = options.engine.clone();
    engine.check = false;
    engine.limits.ticks = Some(engine.limits.ticks.unwrap_or(u64::MAX).min(VALIDATION_TICKS));
    let subject = Subject {
        source,
        data_model: task.program.data_model,
        lower: task.program.lower.clone(),
        forbidden: property.forbidden.clone(),
        options: engine,
    };
    let mut taken = Vec::new();
    let wrong = sample::violated(&subject, content).unwrap_or_default();
    for number in wrong.into_iter().rev() {
        taken.extend(content.remove(number).invariant);
    }
    while options.engine.check
        && !content.is_empty()
        && let Ok(number) = validate::correctness::violated(&subject, content)
    {
        taken.extend(content.remove(number).invariant);
    }
    taken
}

/// The files of a harness, with the command that compiles them.
fn attach_harness(report: &mut Report, name: &str, harness: Harness, task: &Task) {
    let own = format!("harness-{name}.c");
    let several = harness.copies.len() > 1;
    let copy = |i: usize| match several {
        true => format!("program-{name}-{}.i", i + 1),
        false => format!("program-{name}.i"),
    };
    let copies: Vec<String> = (0..harness.copies.len()).map(copy).collect();
    let programs = match copies.is_empty() {
        true => task.program.units.iter().map(|unit| unit.name()).collect(),
        false => copies.clone(),
    };
    let model = task.program.data_model;
    let command = run::command(&harness, &programs, &own, model);
    let doubts: String = harness
        .doubts
        .iter()
        .map(|doubt| format!(" * What a harness cannot provide: {doubt}.\n"))
        .collect();
    let head = format!(
        "/* Drives the program to the violation of {name}; then the process ends with status 66.\n *\n * {command}\n *\n * Where the linker has no library for the data model, \
         add -nostdlib -static -DPROVIDENT_FREESTANDING.\n{doubts} */\n"
    );
    report.attachments.push(Attachment {
        name: own,
        content: head + &harness.code,
    });
    for (name, content) in copies.into_iter().zip(harness.copies) {
        report.attachments.push(Attachment { name, content });
    }
}

/// The result of compiling and running a harness, and whether it contradicts the violation.
fn tried(harness: &Harness, task: &Task) -> (String, bool) {
    let folder = std::env::temp_dir().join(format!("provident-harness-{}", std::process::id()));
    let files: Vec<PathBuf> = task.program.units.iter().map(|unit| unit.path.clone()).collect();
    let outcome = run::run(harness, &files, &folder, task.program.data_model);
    // A folder that stays in the place for temporary files is no error.
    let _ = std::fs::remove_dir_all(&folder);
    let doubts = match harness.doubts.is_empty() {
        true => String::new(),
        false => format!(" ({})", harness.doubts.join("; ")),
    };
    let missed = matches!(outcome, Ok(run::Outcome::Missed(_)));
    let text = match outcome {
        Ok(run::Outcome::Reached) => "reaches the violation".to_string(),
        Ok(run::Outcome::NoCompiler) => "not tried, there is no gcc".to_string(),
        Ok(run::Outcome::NotCompiled(message)) => format!("does not compile: {message}{doubts}"),
        Ok(run::Outcome::Missed(message)) => format!("does not reach the violation: {message}{doubts}"),
        Err(error) => format!("not tried: {error}"),
    };
    (text, missed)
}

/// Seconds since 1970; `SOURCE_DATE_EPOCH` decides where files have to repeat to the last byte.
fn now() -> u64 {
    let given = std::env::var("SOURCE_DATE_EPOCH")
        .ok()
        .and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |duration| duration.as_secs())
    })
}
