//! Random programs with known results.
//!
//! A sequence of choices becomes a C program without undefined behaviour ([`program`]): statements over integers of all types ([`expression`],
//! [`statement`]), functions, and *idioms* ([`idiom`]), which are the ways in which C programs use structures, unions, pointers, the heap, strings, variable
//! arguments, floats and the library. Some of its values are *emitted*, and some come from inputs with few values.
//!
//! gcc says what is right ([`truth`]): a batch of programs is compiled without optimisation and with the undefined-behaviour sanitizer, and once more
//! with optimisation; each runs with all its inputs. A program counts if no run has undefined behaviour and both builds emit the same.
//! From the numbers a claim is made that holds, or one that an input violates, and Provident has to say which ([`verdict`]), in several configurations.
//! UNKNOWN is never wrong.
//!
//! The limits are of effort, not of time: about 10,000 programs an hour are decided on one idle processor, and an answer repeats.
//!
//! `PROVIDENT_RANDOM` says how many programs there are and `PROVIDENT_RANDOM_SEED` where they begin (`tests/dev/random.sh` runs 20,000 of them, in four
//! configurations each; the ordinary test run has two).
//! `PROVIDENT_RANDOM_IDIOM` takes programs with that idiom only.
//! A program with a wrong verdict is shrunk: choices are removed as long as it stays wrong ([`shrink`]).

mod choices;
mod expression;
mod idiom;
mod program;
mod shrink;
mod statement;
mod truth;
mod verdict;

use choices::Choices;
use program::Generated;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use truth::Compiler;
use verdict::{Answer, Asked, Claim, Configuration, Effort};

/// Programs that are compiled together.
const BATCH: usize = 50;

/// Programs of the ordinary test run.
const FEW: usize = 300;

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    }
}

/// The answers of one configuration.
#[derive(Default)]
struct Row {
    right: usize,
    unknown: usize,
    wrong: usize,
    seconds: f64,
    /// Seconds for UNKNOWN.
    undecided: f64,
}

/// How often each answer was given, and where the time went.
#[derive(Default)]
struct Tally {
    programs: usize,
    undefined: usize,
    /// Seconds for building and running the programs.
    truth: f64,
    rows: BTreeMap<&'static str, Row>,
    reasons: BTreeMap<String, usize>,
    idioms: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn count(&mut self, asked: &Asked) {
        let row = self.rows.entry(asked.configuration.name).or_default();
        row.seconds += asked.seconds;
        match &asked.answer {
            Answer::Right => row.right += 1,
            Answer::Wrong(_) => row.wrong += 1,
            Answer::Unknown(reason) => {
                row.unknown += 1;
                row.undecided += asked.seconds;
                *self.reasons.entry(kind_of(reason)).or_default() += 1;
            }
        }
    }

    fn print(&self) {
        println!(
            "{} programs, {} left out since their behaviour is not defined",
            self.programs, self.undefined
        );
        println!("gcc and native runs: {:.1} s", self.truth);
        println!("configuration    right UNKNOWN   WRONG  decided   seconds  (of these for UNKNOWN)");
        for (configuration, row) in &self.rows {
            let all = row.right + row.unknown + row.wrong;
            println!(
                "{configuration:<14} {:>7} {:>7} {:>7} {:>7.1}% {:>9.1} {:>9.1}",
                row.right,
                row.unknown,
                row.wrong,
                100.0 * (all - row.unknown) as f64 / all as f64,
                row.seconds,
                row.undecided,
            );
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in reasons.iter().take(25) {
            println!("{count:>6} {reason}");
        }
        let idioms: Vec<String> = self.idioms.iter().map(|(name, n)| format!("{name} {n}")).collect();
        println!("idioms: {}", idioms.join(", "));
    }
}

/// The kind of an UNKNOWN: its reason without names, numbers and places.
fn kind_of(reason: &str) -> String {
    let words = reason.split_whitespace().map(|word| match word {
        _ if word.contains(['`', '/', ':']) || word.starts_with(|c: char| c.is_ascii_digit()) => "_",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn verdicts_on_random_programs() {
    let Some(compiler) = Compiler::find() else {
        eprintln!("no gcc: nothing is known of random programs");
        return;
    };
    let count = usize::try_from(number("PROVIDENT_RANDOM", FEW as u64)).expect("a count");
    let first = number("PROVIDENT_RANDOM_SEED", 5000);
    let effort = match std::env::var_os("PROVIDENT_RANDOM") {
        Some(_) => Effort::Thorough,
        None => Effort::Brief,
    };
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    let idiom = std::env::var("PROVIDENT_RANDOM_IDIOM").ok();
    let is_chosen = |seed: &u64| match &idiom {
        Some(idiom) => {
            let program = program::generate(Choices::new(&choices::random(*seed)));
            program.idioms.iter().any(|own| own == idiom)
        }
        None => true,
    };
    let seeds: Vec<u64> = (first..).filter(is_chosen).take(count).collect();
    for batch in seeds.chunks(BATCH) {
        let all: Vec<Vec<u16>> = batch.iter().map(|&seed| choices::random(seed)).collect();
        let programs: Vec<Generated> = all.iter().map(|c| program::generate(Choices::new(c))).collect();
        let start = Instant::now();
        let truths = compiler.run(&programs.iter().collect::<Vec<_>>());
        tally.truth += start.elapsed().as_secs_f64();
        let claims = programs.iter().zip(&truths).map(|(program, truth)| {
            let claim = truth.as_ref().map(|truth| Claim::new(program, truth));
            (program, claim)
        });
        let claims: Vec<_> = claims.collect();
        let answers = verdict::ask_all(&claims, effort);
        for (((&seed, choices), (program, claim)), answers) in batch.iter().zip(&all).zip(claims).zip(answers) {
            tally.programs += 1;
            for &idiom in &program.idioms {
                *tally.idioms.entry(idiom).or_default() += 1;
            }
            let Some(claim) = claim else {
                tally.undefined += 1;
                continue;
            };
            for asked in answers {
                tally.count(&asked);
                if let Answer::Wrong(what) = &asked.answer {
                    let name = asked.configuration.name;
                    println!("seed {seed} {name}: {what} [{}]", program.idioms.join(", "));
                    keep(&compiler, seed, choices, &claim, what, asked.configuration);
                    wrong.push(format!("seed {seed}, {name}: {what}\n{}", claim.text));
                }
            }
        }
        if tally.programs % 1000 == 0 {
            println!("{} programs, {} wrong answers", tally.programs, wrong.len());
        }
    }
    tally.print();
    assert!(
        tally.undefined * 4 < tally.programs + 40,
        "too many programs have undefined behaviour"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong answers; the first:\n{}",
        wrong.len(),
        wrong[0]
    );
}

/// Writes a program with a wrong verdict into `PROVIDENT_RANDOM_KEEP`, if that is given, and a smaller one if there is one.
fn keep(compiler: &Compiler, seed: u64, choices: &[u16], claim: &Claim, what: &str, configuration: Configuration) {
    let Some(folder) = std::env::var_os("PROVIDENT_RANDOM_KEEP").map(PathBuf::from) else {
        return;
    };
    let name = format!("{seed}-{}", configuration.name.replace(' ', "-"));
    keep_program(&folder, &name, &claim.text, what, configuration);
    let budget = number("PROVIDENT_RANDOM_SHRINK", 300);
    if let Some((text, what)) = shrink::shrink(compiler, choices, configuration, claim.holds, budget) {
        keep_program(&folder, &format!("{name}-small"), &text, &what, configuration);
    }
}

fn keep_program(folder: &std::path::Path, name: &str, text: &str, what: &str, configuration: Configuration) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let head = format!(
        "// {what}\n// provident verify {}\n",
        configuration.arguments().join(" ")
    );
    std::fs::write(folder.join(format!("{name}.c")), head + text).expect("the program can be written");
}
