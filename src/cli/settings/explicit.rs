//! The knobs of the analysis with explicit values.

use super::choices::Switch;
use super::effect;
use super::options::Command::{Check, Verify};
use super::options::{
    Fallback::{Is, Words},
    Opt, Section,
};
use crate::engine::options::{DEFAULT_SAMPLE, DEFAULT_TURNS, PathOrder};

pub(in crate::cli) static EXPLICIT: Opt<Switch> = Opt::new(
    "explicit",
    Section::Explicit,
    Is(Switch::On),
    "Explore with explicit values before the refinement loop",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static EXPLICIT_STEPS: Opt<u64> = Opt::new("explicit.steps", Section::Explicit, Words("16000000"), "Steps that the exploration with explicit values may take; by default more if the CPU time limit is above 20 seconds, in proportion. Up to five times as many, if there is time for that, where most ways were taken before")
    .of(&[Verify, Check]).set_only();

pub(in crate::cli) static EXPLICIT_STATES: Opt<u64> = Opt::new("explicit.states", Section::Explicit, Words("2000000; with a memory limit, 1024 for each MB"), "States that the exploration with explicit values may store before it ends as if its steps were used up, where states without symbols count an eighth; 0 for any number")
    .of(&[Verify, Check]).set_only();

pub(in crate::cli) static CONCRETE_STEPS: Opt<u64> = Opt::new("concrete.steps", Section::Explicit, Words("1000000000"), "Explicit values: steps that the execution of a program may take that reads no input; by default fewer if the CPU time limit is below 10 seconds, in proportion")
    .of(&[Verify, Check]).set_only();

pub(in crate::cli) static CONCRETE_REPLAY: Opt<u64> = Opt::new("concrete.replay", Section::Explicit, Words("100000000"), "Explicit values: steps of the longest execution of a program that is replayed where it violates a property; by default fewer if the CPU time limit is below 25 seconds, in proportion")
    .of(&[Verify, Check]).set_only();

pub(in crate::cli) static EXPLICIT_OBJECTS: Opt<Switch> = Opt::new("explicit.objects", Section::Explicit, Is(Switch::On), "Explicit values: look for violations behind unknown pointers, each of which is then taken to point to an object of its own")
    .of(&[Verify, Check]).set_only().unless(effect::no_objects);

pub(in crate::cli) static EXPLICIT_SHORTCUTS: Opt<Switch> = Opt::new(
    "explicit.shortcuts",
    Section::Explicit,
    Is(Switch::On),
    "Explicit values: take ways at once where they were taken before, and all ways with choices that a state without symbols has",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static EXPLICIT_SHIFTS: Opt<Switch> = Opt::new(
    "explicit.shifts",
    Section::Explicit,
    Is(Switch::On),
    "Explicit values: let states count as one that differ only by numbers added to variables, where what follows compares these variables with each other alone",
)
.of(&[Verify, Check])
.set_only();

pub(in crate::cli) static EXPLICIT_ORDER: Opt<PathOrder> = Opt::new(
    "explicit.order",
    Section::Explicit,
    Is(PathOrder::Auto),
    "Which of the waiting paths of the exploration with explicit values goes on",
)
.of(&[Verify, Check])
.set_only()
.unless(effect::no_objects);

pub(in crate::cli) static EXPLICIT_GRACE: Opt<u64> = Opt::new("explicit.grace", Section::Explicit, Words("8000000; with a CPU limit, 400000 for each second, and at least 1000000"), "Steps that the exploration with explicit values still takes in search of a violation when something was not modelled or an unknown pointer was followed, so that nothing can be proved any more")
    .of(&[Verify, Check]).set_only();

pub(in crate::cli) static EXPLICIT_TURNS: Opt<u64> = Opt::new("explicit.turns", Section::Explicit, Is(DEFAULT_TURNS), "How often the exploration with explicit values begins again with four times its steps if they were not enough: each time when the refinement loop has spent three solver ticks for each of the last steps. The loop goes on behind it. Where nothing can be proved, it searches for violations in three orders before it gets more steps")
    .of(&[Verify, Check]).set_only().unless(effect::turns);

pub(in crate::cli) static SAMPLE_STEPS: Opt<u64> = Opt::new(
    "sample.steps",
    Section::Explicit,
    Is(DEFAULT_SAMPLE),
    "Steps that each execution with chosen inputs may take; 0 for no such executions",
)
.of(&[Verify, Check])
.set_only();
