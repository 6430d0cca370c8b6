//! The options of the command line.
//!
//! Each is a value of the one table: its key, its type, its section of the reference, its default, its help, and the commands that read it.

use super::choices::{Colour, MallocUse, Preset};
use super::effect;
use super::options::Command::{
    Benchexec, Campaign, Cfa, Check, Discharge, Features, Join, Queries, Slurm, Smt, Study, Train, Verify,
};
use super::options::{
    Entry,
    Fallback::{self, Is, Nothing},
    Opt, Section,
};
use super::value::{Names, Seconds, Shard, Words};
use crate::cfa::EntryPointers;
use crate::cfa::LibraryUse;
use crate::cfa::analysis::distances::Metric;
use crate::cfa::calls::recursion::Recursion;
use crate::cfa::program::check::Checks;
use crate::encode::Arith;
use crate::frontend::types::DataModel;
use provident_smt::interpolate::{ArithmeticLeaf, CongruenceLeaf, Labelling};
use std::num::NonZeroU64;
use std::path::PathBuf;

pub(in crate::cli) static PROPERTY: Opt<PathBuf> = Opt::new("property", Section::Input, Nothing, "Check the properties of this file (.prp). May be repeated. Given with a task definition, it replaces the task's properties. Without any property, none of reach_error, __VERIFIER_error and __assert_fail (so assert) may be called, and no label ERROR reached. Of `cfa`, only --distances reads it")
    .of(&[Verify, Check, Discharge, Cfa]).value("FILE").many();

pub(in crate::cli) static PROGRAM: Opt<PathBuf> = Opt::new("program", Section::Input, Nothing, "The program, or a task definition: the obligations have to be about its control flow and about the places that violate the properties of --property, or of the task. May be repeated for a program of several files")
    .of(&[Discharge]).value("FILE").many();

pub(in crate::cli) static INCLUDE_PATH: Opt<PathBuf> = Opt::new("include-path", Section::Input, Nothing, "Look for headers in this folder first. May be repeated. This option and the next five are those of the preprocessor; a .c file goes through it if one is given")
    .of(&[Verify, Cfa, Check, Discharge, Features]).value("DIR").short('I').many();

pub(in crate::cli) static DEFINE: Opt<String> = Opt::new(
    "define",
    Section::Input,
    Nothing,
    "Define a macro, as 1 or with its value. May be repeated",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("NAME[=VALUE]")
.short('D')
.many();

pub(in crate::cli) static UNDEFINE: Opt<String> = Opt::new(
    "undefine",
    Section::Input,
    Nothing,
    "Take back the definition of a macro, also one of --define. May be repeated",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("NAME")
.short('U')
.many();

pub(in crate::cli) static INCLUDE: Opt<PathBuf> = Opt::new(
    "include",
    Section::Input,
    Nothing,
    "Include this file before each file of the program. May be repeated; -include FILE will do",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("FILE")
.many();

pub(in crate::cli) static ISYSTEM: Opt<PathBuf> = Opt::new(
    "isystem",
    Section::Input,
    Nothing,
    "Look for headers in this folder before those of the system. May be repeated; -isystem DIR will do",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("DIR")
.many();

pub(in crate::cli) static STD: Opt<String> = Opt::new("std", Section::Input, Fallback::Words("that of cpp"), "The standard whose predefined macros there are, such as c99; -std=c99 will do. The language is that of gcc for all of them")
    .of(&[Verify, Cfa, Check, Discharge, Features]).value("STANDARD");

pub(in crate::cli) static COMPILE_COMMANDS: Opt<PathBuf> = Opt::new("compile-commands", Section::Input, Nothing, "Take the files of the program from this compile_commands.json, each with its own options for the preprocessor. Those of the command line come behind them")
    .of(&[Verify, Cfa, Check, Discharge, Features]).value("FILE");

pub(in crate::cli) static UNITS: Opt<String> = Opt::new("units", Section::Input, Fallback::Words("all"), "Of --compile-commands take only the files that match this pattern (as in src/*.c, *.c, or src/**/*.c), by the path that is written there or by the whole path. May be repeated")
    .of(&[Verify, Cfa, Check, Discharge, Features]).unless(effect::no_commands).value("PATTERN").many();

pub(in crate::cli) static SPEC: Opt<PathBuf> = Opt::new("spec", Section::Input, Nothing, "Check the specification automata of this file (.spc). May be repeated. Given with a task definition, it replaces the task's properties")
    .of(&[Verify]).value("FILE").many();

pub(in crate::cli) static RULE: Opt<String> = Opt::new("rule", Section::Input, Nothing, "Check these built-in rules: names with commas in between, such as 32_1a,43_1a, or linux for all. Given with a task definition, they replace the task's properties")
    .of(&[Verify, Study, Slurm]).value("NAME");

pub(in crate::cli) static CHECKS: Opt<Checks> = Opt::new("checks", Section::Input, Nothing, "Check that no operation of the program leaves what C gives a meaning: sorts with commas in between, or all. Each place is a property. Given with a task definition, they replace the task's properties. overflow: results of signed operations; division: / and % by zero; shift: numbers of bits; bounds: indices into arrays in sight; null: accesses through pointers; valid-deref: accesses of bytes outside of every object; valid-free: releases; valid-memtrack: heap objects that nothing points to; valid-memcleanup: heap objects that are left at the end; uninit: reads of variables that nothing has written")
    .of(&[Verify, Discharge]).value("SORTS");

pub(in crate::cli) static ENTRY: Opt<String> = Opt::new(
    "entry",
    Section::Input,
    Fallback::Words("main"),
    "The function in which the program starts. A property file's init(...) decides if this is not given",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("NAME");

pub(in crate::cli) static ENTRY_POINTERS: Opt<EntryPointers> = Opt::new("entry-pointers", Section::Input, Is(EntryPointers::Any), "What the parameters of an entry function other than main point to: any: they have any values; valid: they are null or point to an object of their own, whose type is theirs and whose contents are any; so do pointers in these objects, three levels deep")
    .of(&[Verify, Cfa, Check, Discharge, Features])
    .value("KIND");

pub(in crate::cli) static DATA_MODEL: Opt<DataModel> = Opt::new(
    "data-model",
    Section::Input,
    Fallback::Words("LP64, or what the task definition says"),
    "The sizes of long and of pointers",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("MODEL");

pub(in crate::cli) static ARITH: Opt<Arith> = Opt::new(
    "arith",
    Section::Language,
    Is(Arith::Machine),
    "Integers: exact machine integers, or unbounded ones (unsound, for comparison)",
)
.of(&[Verify, Check])
.value("KIND");

pub(in crate::cli) static REFINE: Opt<Preset> = Opt::new(
    "refine",
    Section::Refinement,
    Is(Preset::Multi),
    "How the abstraction is refined",
)
.of(&[Verify, Check])
.value("PRESET")
.unless(effect::other_engine);

pub(in crate::cli) static MALLOC_MAY_FAIL: Opt<bool> = Opt::new(
    "malloc-may-fail",
    Section::Language,
    Is(false),
    "Let malloc and its kin return null",
)
.of(&[Verify, Cfa, Check, Discharge, Features]);

pub(in crate::cli) static MALLOC: Opt<MallocUse> = Opt::new(
    "malloc",
    Section::Language,
    Is(MallocUse::Succeeds),
    "Whether malloc and its kin return null now and then. Sizes that no object can have always fail",
)
.of(&[Verify, Cfa, Check, Discharge, Features])
.value("HOW");

pub(in crate::cli) static MODELS: Opt<PathBuf> = Opt::new("models", Section::Input, Nothing, "C files with definitions for functions that the program only declares; they replace built-in models. They see the program's declarations; if the program has several files, they are one more file. May be repeated")
    .of(&[Verify, Cfa, Discharge, Check, Features]).value("FILE.c").many();

pub(in crate::cli) static LIBRARY: Opt<LibraryUse> = Opt::new("library", Section::Language, Is(LibraryUse::Model), "What functions of the C library do: model: what the standard says, by sources of our own; any: they return any value and write any bytes to what their arguments point to; none: as functions that nobody knows")
    .of(&[Verify, Cfa, Check, Discharge, Features]).value("HOW");

pub(in crate::cli) static RECURSION: Opt<Recursion> = Opt::new("recursion", Section::Language, Is(Recursion::Exact), "exact; skip: a call of a function inside of itself returns any value and touches nothing; inline:N: only those more than N deep")
    .of(&[Verify, Cfa, Check, Discharge, Features]).value("HOW");

pub(in crate::cli) static CPU_LIMIT: Opt<Seconds> = Opt::new(
    "cpu-limit",
    Section::Limits,
    Fallback::Words("none"),
    "Processor seconds after which open verdicts become UNKNOWN",
)
.of(&[Verify, Smt, Campaign, Study, Slurm, Check, Discharge, Queries])
.value("S");

pub(in crate::cli) static WALL_LIMIT: Opt<Seconds> = Opt::new(
    "wall-limit",
    Section::Limits,
    Fallback::Words("none"),
    "Seconds after which open verdicts become UNKNOWN",
)
.of(&[Verify, Smt, Campaign, Study, Slurm, Check, Discharge, Queries])
.value("S");

pub(in crate::cli) static CHECK_LIMIT: Opt<Seconds> = Opt::new(
    "check-limit",
    Section::Limits,
    Fallback::Words("none"),
    "Seconds after which a check of a script ends with `unknown`; the script goes on",
)
.of(&[Smt])
.value("S");

pub(in crate::cli) static MEMORY_LIMIT: Opt<NonZeroU64> = Opt::new(
    "memory-limit",
    Section::Limits,
    Fallback::Words("none"),
    "Resident memory after which open verdicts become UNKNOWN",
)
.of(&[Verify, Smt, Campaign, Study, Slurm, Check, Discharge, Queries])
.value("MB");

pub(in crate::cli) static TICKS: Opt<NonZeroU64> = Opt::new(
    "ticks",
    Section::Limits,
    Fallback::Words("none"),
    "Solver effort after which there is no answer; repeats exactly on every machine",
)
.of(&[Verify, Smt, Check, Discharge, Queries])
.value("N");

pub(in crate::cli) static ITP_LABELLING: Opt<Labelling> = Opt::new("itp-labelling", Section::Solver, Is(Labelling::McMillan), "Interpolation: the side that literals count for which both could have. From strong to weak interpolants `mcmillan`, `pudlak`, `dual`; `smallest` decides by the number of occurrences")
    .of(&[Smt]).value("SYSTEM");

pub(in crate::cli) static ITP_ARITHMETIC: Opt<ArithmeticLeaf> = Opt::new(
    "itp-arithmetic",
    Section::Solver,
    Is(ArithmeticLeaf::Farkas),
    "Interpolation: what stands for a conflict of inequalities, from strong to weak",
)
.of(&[Smt])
.value("LEAF");

pub(in crate::cli) static ITP_CONGRUENCE: Opt<CongruenceLeaf> = Opt::new(
    "itp-congruence",
    Section::Solver,
    Is(CongruenceLeaf::Strong),
    "Interpolation: the colours of congruences between shared terms",
)
.of(&[Smt])
.value("COLOURS");

pub(in crate::cli) static ITP_REDUCE_PROOF: Opt<bool> = Opt::new(
    "itp-reduce-proof",
    Section::Solver,
    Is(false),
    "Interpolation: make the proof smaller first, by recycling pivots and lowering units",
)
.of(&[Smt]);

pub(in crate::cli) static THREADS: Opt<NonZeroU64> = Opt::new(
    "threads",
    Section::Limits,
    Fallback::Words("SLURM_CPUS_PER_TASK, else the processors this process may use"),
    "Worker threads, at most one for each processor. No result depends on the number",
)
.of(&[Verify, Check])
.value("N");

pub(in crate::cli) static OUT: Opt<PathBuf> = Opt::new("out", Section::Output, Nothing, "Write reports into this folder: report.json, report.txt, statistics.txt, refinement.jsonl, trace-*.txt, and proof/ with the obligations of a TRUE; of an experiment journal.jsonl, runs.csv, options.csv, results.json, summary.txt, index.html. Of `study train` it is the file for the model, of `queries` the folder of the data set: index.csv, variants.csv and the scripts")
    .of(&[Verify, Study, Train, Campaign, Join, Slurm, Benchexec, Queries]).value("DIR");

pub(in crate::cli) static RESULTS: Opt<PathBuf> = Opt::new(
    "results",
    Section::Output,
    Nothing,
    "Keep where each property stands in this file (JSON), up to date at any moment. If it is there, go on from it",
)
.of(&[Verify])
.value("FILE");

pub(in crate::cli) static RELAUNCH: Opt<bool> = Opt::new("relaunch", Section::Limits, Is(false), "Work in a process of its own, and start another one when it dies or reaches a limit, until every property has a verdict. The limits are those of each process. Needs --results")
    .of(&[Verify]);

pub(in crate::cli) static JSON: Opt<bool> = Opt::new(
    "json",
    Section::Output,
    Is(false),
    "Print the report as JSON instead of text",
)
.of(&[Verify, Features]);

pub(in crate::cli) static DUMP_QUERIES: Opt<bool> = Opt::new(
    "dump-queries",
    Section::Output,
    Is(false),
    "Write the interpolation queries of the refinements as SMT-LIB scripts into the folder `queries` of --out",
)
.of(&[Verify]);

pub(in crate::cli) static STRICT: Opt<bool> = Opt::new(
    "strict",
    Section::Output,
    Is(false),
    "A TRUE that rests on an assumption that may be wrong becomes UNKNOWN, also one about a function or label that the program does not mention",
)
.of(&[Verify]);

pub(in crate::cli) static CHECK: Opt<bool> = Opt::new("check", Section::Output, Is(false), "Check every proof, interpolant, model and abstraction independently, and run the harness of a violation; of a script prove every `unsat` again and certify every interpolant. A check that fails is an internal error")
    .of(&[Verify, Check, Smt, Queries]);

pub(in crate::cli) static STATISTICS: Opt<bool> = Opt::new("statistics", Section::Output, Is(false), "Print the statistics: for a program with the precision and the invariants before the verdict, for a script on standard error at its end")
    .of(&[Verify, Smt]);

pub(in crate::cli) static QUIET: Opt<bool> = Opt::new("quiet", Section::Output, Is(false), "Print the lines of the output protocol and nothing else: no traces and tables, and on standard error neither progress nor warnings")
    .of(&[Verify]).short('q').unless(effect::other_form);

pub(in crate::cli) static VERBOSE: Opt<bool> = Opt::new(
    "verbose",
    Section::Output,
    Is(false),
    "Print a line on standard error for each stage that has ended: what it did, and how many properties are open; and a line where an execution or a sample stops before its end, or a formula is decided by bits",
)
.of(&[Verify])
.short('v')
.unless(effect::quiet);

pub(in crate::cli) static DIAGNOSTICS: Opt<bool> = Opt::new("diagnostics", Section::Output, Is(false), "Print violations on standard error as compilers print errors (`FILE:LINE:COLUMN: error: ...`), with their inputs as notes, and checks without answer as warnings: for editors and continuous integration")
    .of(&[Verify]);

pub(in crate::cli) static COLOR: Opt<Colour> = Opt::new(
    "color",
    Section::Output,
    Is(Colour::Auto),
    "Colours in the text on standard output: auto has them on a terminal, unless the variable NO_COLOR is set",
)
.of(&[Verify])
.value("WHEN");

pub(in crate::cli) static SARIF: Opt<PathBuf> = Opt::new(
    "sarif",
    Section::Output,
    Nothing,
    "Write the answers into this file, in SARIF 2.1.0 for code scanning",
)
.of(&[Verify])
.value("FILE");

pub(in crate::cli) static DOT: Opt<bool> = Opt::new(
    "dot",
    Section::Output,
    Is(false),
    "Print the automata in the language of Graphviz",
)
.of(&[Cfa])
.unless(effect::prints_other_view);

pub(in crate::cli) static TYPES: Opt<bool> = Opt::new("types", Section::Output, Is(false), "Print the domain types instead: for each variable, and each region of memory, whether the program uses its values as truth values, compares them for equality only, computes with them or with their bits; which are loop counters, and which decide where loops are left")
    .of(&[Cfa]);

pub(in crate::cli) static DISTANCES: Opt<Metric> = Opt::new("distances", Section::Output, Nothing, "Print for each location how far it is from the targets of the properties instead, by this metric: to the exit of its function (exit-dist, and exit-dist' from which that of the entry is subtracted), and to a target (abs-dist)")
    .of(&[Cfa]).unless(effect::prints_types).value("METRIC");

pub(in crate::cli) static FUNCTION: Opt<String> = Opt::new(
    "function",
    Section::Output,
    Fallback::Words("all"),
    "Show only this function",
)
.of(&[Cfa])
.unless(effect::prints_types)
.value("NAME");

pub(in crate::cli) static DIFFERING: Opt<bool> = Opt::new(
    "differing",
    Section::Experiments,
    Is(false),
    "Keep only queries on which the variants of interpolation differ",
)
.of(&[Queries]);

pub(in crate::cli) static SHARD: Opt<Shard> = Opt::new(
    "shard",
    Section::Experiments,
    Fallback::Words("1/1, or the place in a Slurm array"),
    "Run only every N-th task, beginning with the I-th",
)
.of(&[Campaign, Study])
.value("I/N");

pub(in crate::cli) static JOBS: Opt<NonZeroU64> = Opt::new(
    "jobs",
    Section::Experiments,
    Fallback::Words("1, in Slurm SLURM_CPUS_PER_TASK"),
    "Runs at the same time",
)
.of(&[Campaign, Study, Slurm])
.value("N");

pub(in crate::cli) static TABLE: Opt<PathBuf> = Opt::new(
    "table",
    Section::Experiments,
    Nothing,
    "Write the table of results to this file (CSV) instead of standard output. Without --out, the journal lies beside it",
)
.of(&[Campaign])
.value("FILE");

pub(in crate::cli) static ARGUMENTS: Opt<Words> = Opt::new(
    "arguments",
    Section::Experiments,
    Nothing,
    "More options for each verification, separated by blanks",
)
.of(&[Campaign, Study, Slurm])
.value("TEXT")
.passed_on();

pub(in crate::cli) static CONFIGURATIONS: Opt<Names> = Opt::new(
    "configurations",
    Section::Experiments,
    Fallback::Words("all of the study"),
    "Run only these configurations, or learn only from them: names with commas in between",
)
.of(&[Study, Train, Slurm])
.value("NAMES");

pub(in crate::cli) static FILTER: Opt<u64> = Opt::new(
    "filter",
    Section::Experiments,
    Fallback::Words("40/900 of the most ticks that a run took"),
    "Learn only from tasks whose best and worst metric differ by this many solver ticks; a metric that solves nothing differs by any number",
)
.of(&[Train])
.value("TICKS");

pub(in crate::cli) static PER_PROPERTY: Opt<bool> = Opt::new(
    "per-property",
    Section::Experiments,
    Is(false),
    "Run each task also with each of its properties alone",
)
.of(&[Study, Slurm]);

pub(in crate::cli) static EXCLUDE: Opt<String> = Opt::new(
    "exclude",
    Section::Experiments,
    Nothing,
    "Leave out the tasks that match this pattern (as in *-recursive-*.yml). May be repeated",
)
.of(&[Campaign, Study, Slurm])
.value("PATTERN")
.many();

pub(in crate::cli) static REPORTS: Opt<bool> = Opt::new(
    "reports",
    Section::Experiments,
    Is(false),
    "Keep the reports of every run, to which the page then links. Evidence takes time that counts",
)
.of(&[Campaign, Study, Slurm]);

pub(in crate::cli) static BESIDE: Opt<bool> = Opt::new(
    "beside",
    Section::Experiments,
    Is(false),
    "If the folder holds results of another experiment, use the folder DIR-2, DIR-3 and so on beside it",
)
.of(&[Campaign, Study]);

pub(in crate::cli) static PARTIAL: Opt<bool> = Opt::new(
    "partial",
    Section::Experiments,
    Is(false),
    "Join the shards that are there, and name those that are missing",
)
.of(&[Join]);

pub(in crate::cli) static SHARDS: Opt<NonZeroU64> = Opt::new(
    "shards",
    Section::Experiments,
    Fallback::Words("the number of tasks, at most 100"),
    "Tasks of the job array",
)
.of(&[Slurm])
.value("N");

pub(in crate::cli) static CPUS: Opt<NonZeroU64> = Opt::new(
    "cpus",
    Section::Experiments,
    Is(NonZeroU64::MIN),
    "Processors of each task of the array",
)
.of(&[Slurm])
.value("N");

pub(in crate::cli) static TIME: Opt<String> = Opt::new(
    "time",
    Section::Experiments,
    Fallback::Words("as much as the limits of the runs allow, at most a day"),
    "Time of each task of the array. A task that reaches it is queued again, and goes on",
)
.of(&[Slurm])
.value("[D-]H:M:S");

pub(in crate::cli) static MOST: Opt<NonZeroU64> = Opt::new(
    "most",
    Section::Experiments,
    Fallback::Words("all"),
    "Tasks of the array that run at the same time",
)
.of(&[Slurm])
.value("N");

pub(in crate::cli) static PARTITION: Opt<String> = Opt::new(
    "partition",
    Section::Experiments,
    Fallback::Words("that of the cluster"),
    "The partition",
)
.of(&[Slurm])
.value("NAME");

pub(in crate::cli) static SBATCH: Opt<Words> = Opt::new(
    "sbatch",
    Section::Experiments,
    Nothing,
    "More options of sbatch, separated by blanks, such as --account=NAME",
)
.of(&[Slurm])
.value("TEXT")
.passed_on();

pub(in crate::cli) static SUBMIT: Opt<bool> =
    Opt::new("submit", Section::Experiments, Is(false), "Submit the jobs").of(&[Slurm]);

/// The options of this file, in the order of the help.
pub(super) static COMMAND_LINE: &[&dyn Entry] = &[
    &PROPERTY,
    &PROGRAM,
    &INCLUDE_PATH,
    &DEFINE,
    &UNDEFINE,
    &INCLUDE,
    &ISYSTEM,
    &STD,
    &COMPILE_COMMANDS,
    &UNITS,
    &SPEC,
    &RULE,
    &CHECKS,
    &ENTRY,
    &ENTRY_POINTERS,
    &DATA_MODEL,
    &ARITH,
    &REFINE,
    &MALLOC_MAY_FAIL,
    &MALLOC,
    &MODELS,
    &LIBRARY,
    &RECURSION,
    &CPU_LIMIT,
    &WALL_LIMIT,
    &CHECK_LIMIT,
    &MEMORY_LIMIT,
    &TICKS,
    &ITP_LABELLING,
    &ITP_ARITHMETIC,
    &ITP_CONGRUENCE,
    &ITP_REDUCE_PROOF,
    &THREADS,
    &OUT,
    &RESULTS,
    &RELAUNCH,
    &JSON,
    &DUMP_QUERIES,
    &STRICT,
    &CHECK,
    &STATISTICS,
    &QUIET,
    &VERBOSE,
    &DIAGNOSTICS,
    &COLOR,
    &SARIF,
    &DOT,
    &TYPES,
    &DISTANCES,
    &FUNCTION,
    &DIFFERING,
    &SHARD,
    &JOBS,
    &TABLE,
    &ARGUMENTS,
    &CONFIGURATIONS,
    &FILTER,
    &PER_PROPERTY,
    &EXCLUDE,
    &REPORTS,
    &BESIDE,
    &PARTIAL,
    &SHARDS,
    &CPUS,
    &TIME,
    &MOST,
    &PARTITION,
    &SBATCH,
    &SUBMIT,
];
