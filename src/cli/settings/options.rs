//! The one table of options. It feeds the parser, the help texts, the configuration file, `--set`, and the report of a run.
//!
//! An option is a [`Spec`]: its key, the commands that have it, its values and its effect. The input of the user becomes
//! [`Settings`], a map from keys to texts that were checked against the table. The *meaning* of the settings is another type, made by the
//! command that reads them (`request`). Reading is by key and is recorded, so that a test can hold that every option of
//! the table is read by the commands that offer it.
//!
//! Precedence, from weak to strong: default, configuration file, `--set` and the option itself (the later on the command line
//! cannot overrule: giving both is an error).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The commands with options from the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `provident verify`
    Verify,
    /// `provident cfa`
    Cfa,
    /// `provident smt`
    Smt,
    /// `provident campaign`
    Campaign,
    /// `provident discharge`
    Discharge,
    /// `provident check`
    Check,
    /// `provident study`
    Study,
    /// `provident join`
    Join,
    /// `provident slurm`
    Slurm,
    /// `provident benchexec-import` and `benchexec-export`
    Benchexec,
}

/// Which values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Given or not; in files `true` or `false`.
    Flag,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number, at least this.
    Number(u64),
    /// A number of seconds, above 0.
    Seconds,
    /// Any text.
    Text,
    /// A path.
    Path,
    /// Paths; the option may be repeated.
    Paths,
    /// Shard `i/n` with `1 <= i <= n`.
    Shard,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// The key: `--KEY` on the command line, `KEY` in files and `--set`.
    pub key: &'static str,
    /// The commands that have it.
    pub commands: &'static [Command],
    /// The values.
    pub kind: Kind,
    /// How help names the value.
    pub value: &'static str,
    /// The default in words or as a value; empty if there is none.
    pub default: &'static str,
    /// Whether it is only reachable by `--set` and files: a knob of the analyses, not of daily use.
    pub set_only: bool,
    /// One or two sentences.
    pub help: &'static str,
}

use Command::{Benchexec, Campaign, Cfa, Check, Discharge, Join, Slurm, Smt, Study, Verify};

const fn option(
    key: &'static str,
    commands: &'static [Command],
    kind: Kind,
    value: &'static str,
    default: &'static str,
    help: &'static str,
) -> Spec {
    Spec {
        key,
        commands,
        kind,
        value,
        default,
        set_only: false,
        help,
    }
}

const fn knob(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Spec {
    Spec {
        key,
        commands: &[Verify, Check],
        kind,
        value: "VALUE",
        default,
        set_only: true,
        help,
    }
}

/// A knob of what only whole verifications need.
const fn verifying(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Spec {
    Spec {
        commands: &[Verify],
        ..knob(key, kind, default, help)
    }
}

/// Whether invented values of a sort count as inputs, on which a violation may rest.
const fn invented(key: &'static str, help: &'static str) -> Spec {
    verifying(key, Kind::Choice(&["none", "input"]), "none", help)
}

/// A knob of how programs are read.
const fn lowering(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Spec {
    Spec {
        commands: &[Verify, Cfa, Check, Discharge],
        ..knob(key, kind, default, help)
    }
}

/// The names of the refinement presets; a test holds that the engine knows exactly these.
const REFINE: &[&str] = &["single", "multi", "multi-first", "multi-shallow", "multi-deep"];

/// All options, in the order of the help.
pub const OPTIONS: &[Spec] = &[
    option(
        "property",
        &[Verify, Check, Discharge],
        Kind::Paths,
        "FILE",
        "",
        "Check the properties of this file (.prp). May be repeated. Given with a task definition, it replaces the task's properties",
    ),
    option(
        "program",
        &[Discharge],
        Kind::Path,
        "FILE",
        "",
        "The program, or a task definition: the obligations have to be about its control flow and about the places that violate the properties of --property, or of the task",
    ),
    option(
        "spec",
        &[Verify],
        Kind::Paths,
        "FILE",
        "",
        "Check the specification automata of this file (.spc). May be repeated. Given with a task definition, it replaces the task's properties",
    ),
    option(
        "rule",
        &[Verify, Study, Slurm],
        Kind::Text,
        "NAME",
        "",
        "Check these built-in rules: names with commas in between, such as 32_1a,43_1a, or linux for all. Given with a task definition, they replace the task's properties",
    ),
    option(
        "entry",
        &[Verify, Cfa, Check, Discharge],
        Kind::Text,
        "NAME",
        "main",
        "The function in which the program starts. A property file's init(...) decides if this is not given",
    ),
    option(
        "data-model",
        &[Verify, Cfa, Check, Discharge],
        Kind::Choice(&["ILP32", "LP64"]),
        "MODEL",
        "LP64, or what the task definition says",
        "The sizes of long and of pointers",
    ),
    option(
        "arith",
        &[Verify, Check],
        Kind::Choice(&["machine", "ideal"]),
        "KIND",
        "machine",
        "Integers: exact machine integers, or unbounded ones (unsound, for comparison)",
    ),
    option(
        "refine",
        &[Verify, Check],
        Kind::Choice(REFINE),
        "PRESET",
        "multi",
        "How the abstraction is refined",
    ),
    option(
        "malloc-may-fail",
        &[Verify, Cfa, Check, Discharge],
        Kind::Flag,
        "",
        "false",
        "Let malloc and its kin return null",
    ),
    option(
        "malloc",
        &[Verify, Cfa, Check, Discharge],
        Kind::Choice(&["succeeds", "may-fail"]),
        "HOW",
        "succeeds",
        "Whether malloc and its kin return null now and then. Sizes that no object can have always fail",
    ),
    option(
        "models",
        &[Verify, Cfa, Discharge, Check],
        Kind::Paths,
        "FILE.c",
        "",
        "C files with definitions for functions that the program only declares; they replace built-in models. They see the program's declarations. May be repeated",
    ),
    option(
        "library",
        &[Verify, Cfa, Check, Discharge],
        Kind::Choice(&["model", "any", "none"]),
        "HOW",
        "model",
        "What functions of the C library do: model: what the standard says, by sources of our own; any: they return any value and write any bytes to what their arguments point to; none: as functions that nobody knows",
    ),
    option(
        "recursion",
        &[Verify, Cfa, Check, Discharge],
        Kind::Text,
        "HOW",
        "exact",
        "exact; skip: a call of a function inside of itself returns any value and touches nothing; inline:N: only those more than N deep",
    ),
    option(
        "cpu-limit",
        &[Verify, Smt, Campaign, Study, Slurm, Check],
        Kind::Seconds,
        "S",
        "none",
        "Processor seconds after which open verdicts become UNKNOWN",
    ),
    option(
        "wall-limit",
        &[Verify, Smt, Campaign, Study, Slurm, Check],
        Kind::Seconds,
        "S",
        "none",
        "Seconds after which open verdicts become UNKNOWN",
    ),
    option(
        "memory-limit",
        &[Verify, Smt, Campaign, Study, Slurm, Check],
        Kind::Number(1),
        "MB",
        "none",
        "Resident memory after which open verdicts become UNKNOWN",
    ),
    option(
        "ticks",
        &[Verify, Smt, Check, Discharge],
        Kind::Number(1),
        "N",
        "none",
        "Solver effort after which there is no answer; repeats exactly on every machine",
    ),
    option(
        "itp-labelling",
        &[Smt],
        Kind::Choice(&["mcmillan", "pudlak", "dual", "smallest"]),
        "SYSTEM",
        "mcmillan",
        "Interpolation: the side that literals count for which both could have. From strong to weak interpolants `mcmillan`, `pudlak`, `dual`; `smallest` decides by the number of occurrences",
    ),
    option(
        "itp-arithmetic",
        &[Smt],
        Kind::Choice(&["decomposed", "farkas", "dual-farkas", "dual-decomposed"]),
        "LEAF",
        "farkas",
        "Interpolation: what stands for a conflict of inequalities, from strong to weak",
    ),
    option(
        "itp-congruence",
        &[Smt],
        Kind::Choice(&["strong", "weak"]),
        "COLOURS",
        "strong",
        "Interpolation: the colours of congruences between shared terms",
    ),
    option(
        "itp-reduce-proof",
        &[Smt],
        Kind::Flag,
        "",
        "false",
        "Interpolation: make the proof smaller first, by recycling pivots and lowering units",
    ),
    option(
        "threads",
        &[Verify, Check],
        Kind::Number(1),
        "N",
        "SLURM_CPUS_PER_TASK, else the processors this process may use",
        "Worker threads, at most one for each processor. No result depends on the number",
    ),
    option(
        "out",
        &[Verify, Study, Campaign, Join, Slurm, Benchexec],
        Kind::Path,
        "DIR",
        "",
        "Write reports into this folder: report.json, report.txt, statistics.txt, refinement.jsonl, trace-*.txt, and proof/ with the obligations of a TRUE; of an experiment journal.jsonl, runs.csv, results.json, summary.txt, index.html",
    ),
    option(
        "results",
        &[Verify],
        Kind::Path,
        "FILE",
        "",
        "Keep where each property stands in this file (JSON), up to date at any moment. If it is there, go on from it",
    ),
    option(
        "relaunch",
        &[Verify],
        Kind::Flag,
        "",
        "false",
        "Work in a process of its own, and start another one when it dies or reaches a limit, until every property has a verdict. The limits are those of each process. Needs --results",
    ),
    option(
        "json",
        &[Verify],
        Kind::Flag,
        "",
        "false",
        "Print the report as JSON instead of text",
    ),
    option(
        "dump-queries",
        &[Verify],
        Kind::Flag,
        "",
        "false",
        "Write the interpolation queries of the refinements as SMT-LIB scripts into the folder `queries` of --out",
    ),
    option(
        "strict",
        &[Verify],
        Kind::Flag,
        "",
        "false",
        "A TRUE that rests on an assumption that may be wrong becomes UNKNOWN",
    ),
    option(
        "check",
        &[Verify, Check],
        Kind::Flag,
        "",
        "false",
        "Check every proof, interpolant, model and abstraction independently, and run the harness of a violation. A check that fails is an internal error",
    ),
    option(
        "statistics",
        &[Verify, Smt],
        Kind::Flag,
        "",
        "false",
        "Print the statistics: for a program with the precision and the invariants before the verdict, for a script on standard error at its end",
    ),
    option(
        "dot",
        &[Cfa],
        Kind::Flag,
        "",
        "false",
        "Print the automata in the language of Graphviz",
    ),
    option("function", &[Cfa], Kind::Text, "NAME", "all", "Show only this function"),
    option(
        "shard",
        &[Campaign, Study],
        Kind::Shard,
        "I/N",
        "1/1, or the place in a Slurm array",
        "Run only every N-th task, beginning with the I-th",
    ),
    option(
        "jobs",
        &[Campaign, Study, Slurm],
        Kind::Number(1),
        "N",
        "1, in Slurm SLURM_CPUS_PER_TASK",
        "Runs at the same time",
    ),
    option(
        "table",
        &[Campaign],
        Kind::Path,
        "FILE",
        "",
        "Write the table of results to this file (CSV) instead of standard output. Without --out, the journal lies beside it",
    ),
    option(
        "arguments",
        &[Campaign, Study, Slurm],
        Kind::Text,
        "TEXT",
        "",
        "More options for each verification, separated by blanks",
    ),
    option(
        "configurations",
        &[Study, Slurm],
        Kind::Text,
        "NAMES",
        "all of the study",
        "Run only these configurations: names with commas in between",
    ),
    option(
        "per-property",
        &[Study, Slurm],
        Kind::Flag,
        "",
        "false",
        "Run each task also with each of its properties alone",
    ),
    option(
        "exclude",
        &[Campaign, Study, Slurm],
        Kind::Paths,
        "PATTERN",
        "",
        "Leave out the tasks that match this pattern (as in *-recursive-*.yml). May be repeated",
    ),
    option(
        "reports",
        &[Campaign, Study, Slurm],
        Kind::Flag,
        "",
        "false",
        "Keep the reports of every run, to which the page then links. Evidence takes time that counts",
    ),
    option(
        "beside",
        &[Campaign, Study],
        Kind::Flag,
        "",
        "false",
        "If the folder holds results of another experiment, use the folder DIR-2, DIR-3 and so on beside it",
    ),
    option(
        "partial",
        &[Join],
        Kind::Flag,
        "",
        "false",
        "Join what there is, and say what is missing",
    ),
    option(
        "shards",
        &[Slurm],
        Kind::Number(1),
        "N",
        "the number of tasks, at most 100",
        "Tasks of the job array",
    ),
    option(
        "cpus",
        &[Slurm],
        Kind::Number(1),
        "N",
        "1",
        "Processors of each task of the array",
    ),
    option(
        "time",
        &[Slurm],
        Kind::Text,
        "[D-]H:M:S",
        "what the limits of the runs allow, at most a day",
        "Time of each task of the array. A task that reaches it is queued again, and goes on",
    ),
    option(
        "most",
        &[Slurm],
        Kind::Number(1),
        "N",
        "all",
        "Tasks of the array that run at the same time",
    ),
    option(
        "partition",
        &[Slurm],
        Kind::Text,
        "NAME",
        "that of the cluster",
        "The partition",
    ),
    option(
        "sbatch",
        &[Slurm],
        Kind::Text,
        "TEXT",
        "",
        "More options of sbatch, separated by blanks, such as --account=NAME",
    ),
    option("submit", &[Slurm], Kind::Flag, "", "false", "Submit the jobs"),
    knob(
        "block",
        Kind::Choice(&["loops", "loops-and-calls", "single"]),
        "loops",
        "Where abstractions are computed",
    ),
    knob(
        "abstraction",
        Kind::Choice(&["boolean", "cartesian"]),
        "boolean",
        "Boolean or Cartesian predicate abstraction",
    ),
    knob(
        "refine.rank",
        Kind::Choice(&[
            "identity",
            "first",
            "shallow-first",
            "deep-first",
            "fewest-blocks",
            "pivot-distance",
            "round-robin",
            "random",
        ]),
        "that of the preset",
        "The order in which target states get their refinements",
    ),
    knob(
        "refine.select",
        Kind::Text,
        "that of the preset",
        "Which refinements are applied: first, all, a number of them, smallest, delay-counters (those about loop counters last), cover (the fewest that rule out all error paths); with commas in between each chooses among what is left by the one before",
    ),
    knob(
        "refine.restart",
        Kind::Choice(&["root", "pivots"]),
        "pivots",
        "Where provident refinement explores again: everything from the root, or only what is below the pivots of the error paths",
    ),
    knob(
        "refine.patience",
        Kind::Number(0),
        "100",
        "After so many states in succession at locations that were visited before, with a target state at hand, provident refinement begins; 0: not before all is explored",
    ),
    knob(
        "refine.joint",
        Kind::Number(1),
        "1",
        "How many targets whose error paths differ in their last block only are refined by one proof",
    ),
    knob("refine.seed", Kind::Number(0), "0", "The seed of the random ranking"),
    knob(
        "refine.scope",
        Kind::Choice(&["global", "function", "location"]),
        "that of the preset",
        "Where a new predicate counts",
    ),
    knob(
        "ideal.ticks",
        Kind::Number(0),
        "15000000",
        "Solver ticks for a refinement loop with ideal integers that finds a first precision; 0 for none",
    ),
    Spec {
        commands: &[Verify],
        ..knob(
            "certify.ticks",
            Kind::Number(0),
            "60000000",
            "Solver ticks for the proof obligations (with --out) of what explicit values proved; 0 for none",
        )
    },
    Spec {
        commands: &[Verify],
        ..knob(
            "spec.mode",
            Kind::Choice(&["auto", "automaton", "weaving", "hybrid"]),
            "auto",
            "How the exploration with predicates follows specification automata: by explicit values, by predicates, by explicit states and predicates, or (auto) by explicit values with predicates for counters that grow",
        )
    },
    verifying(
        "decompose.strategy",
        Kind::Choice(&["S0", "S1", "S2", "S3", "S4", "bisect"]),
        "S4",
        "How several properties are checked: all at once (S0); then each alone (S1); with a limit on refinements (S2); by relevance (S3); by relevance, with a limit on refinements (S4); or in halves of equal cost (bisect)",
    ),
    verifying(
        "decompose.reuse",
        Kind::Choice(&["nothing", "caches", "precision"]),
        "caches",
        "What one set of properties leaves to the next: nothing, the blocks and abstractions that were computed, or the precision as well",
    ),
    verifying(
        "decompose.cpu",
        Kind::Seconds,
        "a share of what the limit leaves, else 900",
        "Processor seconds for each set of properties",
    ),
    verifying(
        "decompose.ticks",
        Kind::Number(1),
        "a share of what the limit leaves",
        "Solver effort for each set of properties",
    ),
    verifying(
        "decompose.refinements",
        Kind::Number(1),
        "none",
        "Error paths that are refined for each set of properties",
    ),
    verifying(
        "decompose.transitions",
        Kind::Number(1),
        "none",
        "Abstract states that are expanded for each set of properties",
    ),
    verifying(
        "aspects",
        Kind::Choice(&["off", "on"]),
        "off",
        "Check several properties by conditional multi-aspect verification instead of decomposition",
    ),
    verifying(
        "aspects.property-limit",
        Kind::Text,
        "the limit divided by the number of properties, else 900s",
        "ATL, the most for one property: seconds (20s), ticks (5000000t), or off",
    ),
    verifying(
        "aspects.idle-limit",
        Kind::Text,
        "a sixtieth of the limit, else 20s",
        "IITL, the most between two properties: seconds, ticks, or off",
    ),
    verifying(
        "aspects.interval-limit",
        Kind::Text,
        "a twelfth of the limit, else 100s",
        "BITL, the most for a property at a stretch: seconds, ticks, or off",
    ),
    verifying(
        "aspects.first-limit",
        Kind::Text,
        "off",
        "FITL, the most before the first refinement: seconds, ticks, or off",
    ),
    verifying(
        "aspects.cleaning",
        Kind::Choice(&["none", "wl-subtract", "wl-clear", "arg-subtract", "all"]),
        "wl-subtract",
        "What is removed from the precision with a property",
    ),
    lowering(
        "calls.pointers",
        Kind::Choice(&["points-to", "signature", "field"]),
        "points-to",
        "Which functions a call through a pointer may reach: those that it may point to, all whose signature fits, or those that are assigned to the member that holds the pointer",
    ),
    lowering(
        "calls.unknown",
        Kind::Choice(&["ignore", "havoc", "error"]),
        "ignore",
        "What a call through a pointer does whose target is not known: touch nothing, give global variables any values, or make the verdict UNKNOWN",
    ),
    knob(
        "explicit",
        Kind::Choice(&["on", "off"]),
        "on",
        "Simulate and explore with explicit values before the refinement loop",
    ),
    verifying(
        "slice",
        Kind::Choice(&["on", "off"]),
        "on",
        "Leave out what the reachability of violations does not depend on, provided that it comes to its end; not with automata",
    ),
    verifying(
        "stages",
        Kind::Text,
        "",
        "The stages of a verification, some of execute, no-counters, no-memory, slice, whole, in this order with commas in between; at least one of the last two. By default all, or with `slice=off` the last",
    ),
    knob(
        "explicit.steps",
        Kind::Number(0),
        "8000000",
        "Steps that the exploration with explicit values may take; by default more if the CPU time limit is above 20 seconds, in proportion",
    ),
    knob(
        "concrete.steps",
        Kind::Number(0),
        "1000000000",
        "Explicit values: steps that the execution of a program may take that reads no input; by default fewer if the CPU time limit is below 25 seconds, in proportion",
    ),
    knob(
        "explicit.objects",
        Kind::Choice(&["on", "off"]),
        "on",
        "Explicit values: look for violations behind unknown pointers, each of which is then taken to point to an object of its own",
    ),
    invented(
        "invented.library",
        "What functions of the C and POSIX library return and write, where there is no model",
    ),
    invented(
        "invented.builtin",
        "What compiler builtins return and write, where there is no model",
    ),
    invented("invented.varargs", "Variable arguments, where there is no model"),
    invented(
        "invented.memory",
        "Bytes after `realloc` or beyond an object, where there is no model",
    ),
    invented(
        "invented.size",
        "Sizes and layouts of objects of variable length, where there is no model",
    ),
    invented(
        "invented.float",
        "Results of floating-point operations, where there is no model",
    ),
    invented(
        "invented.assembly",
        "Outputs of inline assembly, where there is no model",
    ),
    invented(
        "invented.target",
        "Results and effects of calls whose target is not known, where there is no model",
    ),
    invented("invented.vector", "Values of vector types, where there is no model"),
    invented("invented.complex", "Values of complex types, where there is no model"),
    invented(
        "invented.language",
        "Values of other constructs of the language, where there is no model",
    ),
    invented("invented.all", "All of these, where there is no model"),
    knob(
        "explore.states",
        Kind::Number(0),
        "8000000",
        "The most abstract states that one exploration may have before open verdicts become UNKNOWN; 0 for any number",
    ),
    knob(
        "simulation.steps",
        Kind::Number(0),
        "200000",
        "Steps that the longest simulation may take",
    ),
];

/// The option of a key.
pub fn find(key: &str) -> Option<&'static Spec> {
    OPTIONS.iter().find(|spec| spec.key == key)
}

impl Spec {
    /// Whether a command has the option.
    pub fn serves(&self, command: Command) -> bool {
        self.commands.contains(&command)
    }

    /// Checks a value as text.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let fail = |expected: String| Err(format!("`{value}` is no value for `{}`; expected {expected}", self.key));
        match self.kind {
            Kind::Flag if matches!(value, "true" | "false") => Ok(()),
            Kind::Flag => fail("`true` or `false`".to_string()),
            Kind::Choice(words) if words.contains(&value) => Ok(()),
            Kind::Choice(words) => fail(format!("one of {}", words.join(", "))),
            Kind::Number(least) => match value.parse::<u64>() {
                Ok(number) if number >= least => Ok(()),
                _ => fail(format!("a whole number, at least {least}")),
            },
            Kind::Seconds => match value.parse::<f64>() {
                Ok(number) if number > 0.0 && number.is_finite() => Ok(()),
                _ => fail("a number of seconds above 0".to_string()),
            },
            Kind::Shard if parse_shard(value).is_some() => Ok(()),
            Kind::Shard => fail("I/N with 1 <= I <= N, as in 2/8".to_string()),
            Kind::Text | Kind::Path | Kind::Paths if value.is_empty() => {
                fail("something that is not empty".to_string())
            }
            Kind::Text | Kind::Path | Kind::Paths => Ok(()),
        }
    }

    /// Help with the default and, for choices, the words.
    pub fn long_help(&self) -> String {
        let mut text = self.help.to_string();
        if let Kind::Choice(words) = self.kind {
            text.push_str(&format!(" [one of: {}]", words.join(", ")));
        }
        if !self.default.is_empty() && self.kind != Kind::Flag {
            text.push_str(&format!(" [default: {}]", self.default));
        }
        text
    }
}

fn parse_shard(value: &str) -> Option<(usize, usize)> {
    let (index, count) = value.split_once('/')?;
    let (index, count) = (index.parse().ok()?, count.parse().ok()?);
    (1 <= index && index <= count).then_some((index, count))
}

/// The settings of the user: values by key, checked against the table.
#[derive(Debug, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, Vec<String>>,
    read: RefCell<BTreeSet<&'static str>>,
}

impl Settings {
    /// Sets an option, replacing what a weaker source said.
    ///
    /// # Errors
    /// Refuses keys that the command does not have and values that the table does not allow.
    pub fn set(&mut self, command: Command, key: &str, values: Vec<String>) -> Result<(), String> {
        let Some(spec) = find(key).filter(|spec| spec.serves(command)) else {
            let keys: Vec<&str> = OPTIONS
                .iter()
                .filter(|spec| spec.serves(command))
                .map(|spec| spec.key)
                .collect();
            return Err(format!(
                "there is no option `{key}` here; there are {}",
                keys.join(", ")
            ));
        };
        for value in &values {
            spec.check(value)?;
        }
        if values.len() != 1 && spec.kind != Kind::Paths {
            return Err(format!("`{key}` takes one value"));
        }
        self.values.insert(spec.key, values);
        Ok(())
    }

    /// Whether the option was given, without reading it.
    pub fn is_set(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    fn get(&self, key: &'static str) -> Option<&Vec<String>> {
        assert!(find(key).is_some(), "the option `{key}` is not in the table");
        self.read.borrow_mut().insert(key);
        self.values.get(key)
    }

    /// The text of an option.
    pub fn text(&self, key: &'static str) -> Option<&str> {
        self.get(key)?.first().map(String::as_str)
    }

    /// Whether a flag is given.
    pub fn flag(&self, key: &'static str) -> bool {
        self.text(key) == Some("true")
    }

    /// A whole number.
    pub fn number(&self, key: &'static str) -> Option<u64> {
        self.text(key)?.parse().ok()
    }

    /// A number of seconds.
    pub fn seconds(&self, key: &'static str) -> Option<f64> {
        self.text(key)?.parse().ok()
    }

    /// A path.
    pub fn path(&self, key: &'static str) -> Option<PathBuf> {
        self.text(key).map(PathBuf::from)
    }

    /// Paths.
    pub fn paths(&self, key: &'static str) -> Vec<PathBuf> {
        self.get(key)
            .map(|values| values.iter().map(PathBuf::from).collect())
            .unwrap_or_default()
    }

    /// A shard: which one, counted from 1, of how many.
    pub fn shard(&self, key: &'static str) -> Option<(usize, usize)> {
        self.text(key).and_then(parse_shard)
    }

    /// The keys that were read so far.
    pub fn keys_read(&self) -> Vec<&'static str> {
        self.read.borrow().iter().copied().collect()
    }

    /// The given settings as `KEY=VALUE`, for reports.
    pub fn describe(&self) -> Vec<String> {
        self.values
            .iter()
            .flat_map(|(key, values)| values.iter().map(move |value| format!("{key}={value}")))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_described() {
        for (i, spec) in OPTIONS.iter().enumerate() {
            assert!(
                OPTIONS[..i].iter().all(|other| other.key != spec.key),
                "`{}` stands twice",
                spec.key
            );
            assert!(
                spec.help.len() > 10 && !spec.help.ends_with('.'),
                "`{}` needs a help text without full stop",
                spec.key
            );
            assert!(!spec.commands.is_empty(), "`{}` belongs to no command", spec.key);
        }
    }

    #[test]
    fn values_are_checked_against_the_table() {
        let check = |key: &str, value: &str| find(key).unwrap().check(value);
        assert!(check("threads", "0").is_err() && check("threads", "x").is_err() && check("threads", "8").is_ok());
        assert!(check("cpu-limit", "-1").is_err() && check("cpu-limit", "0.5").is_ok());
        assert!(check("shard", "3/2").is_err() && check("shard", "0/2").is_err() && check("shard", "2/2").is_ok());
        let error = check("data-model", "LLP64").unwrap_err();
        assert_eq!(
            error,
            "`LLP64` is no value for `data-model`; expected one of ILP32, LP64"
        );
        let mut settings = Settings::default();
        assert!(settings.set(Command::Cfa, "strict", vec!["true".to_string()]).is_err());
    }
}
