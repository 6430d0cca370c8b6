//! The laws of `reduce` and `expand`, for predicate abstraction: what a block does to a store is represented behind it.
//!
//! Random programs have a recursive function with a global variable, called from several places of `main`, which calls `probe` with its variables, also in loops that are left by `break`, `goto`, `return` and
//! into a loop around them. Random predicates, of all frames that may be seen at a place, make the precision. Functions, loops or both are explored for themselves. Checked is that the state space of `main`, with those of its loops, represents every store that an execution of the concrete machine had at a
//! probe, and has a target for every violation that was executed, also inside of the functions. So the law is checked through every summary that a probe was reached by: a region that `reduce`
//! makes too strong loses executions inside, and one that `expand` makes too strong loses them behind.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident::cfa::{EdgeId, LowerOptions, NodeId, Op, Program, lower};
use provident::cpa::algorithm::{Reached, cpa_plus_plus};
use provident::cpa::callstack::Block;
use provident::cpa::composite::{Composite, Domain, State};
use provident::cpa::memo::Memo;
use provident::cpa::memo::blocks::{Bam, NoBlocks, ProgramBlocks};
use provident::cpa::predicate::precision::PredicateScope;
use provident::cpa::predicate::{BlockMode, PredState, Predicates, Settings};
use provident::cpa::tracking::Tracking;
use provident::encode::{Arith, Encoder};
use provident::evidence::replay::{Scripted, run};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::query::effort::Effort;
use provident_smt::num::Int;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The arguments of `probe`, by the names of their symbols.
const VARIABLES: [&str; 3] = ["main::x", "main::y", "g"];
/// The variables that predicates may speak of. `f::n#1` is the parameter of a recursive call, seen where it begins.
const NAMES: [&str; 9] = [
    "main::x", "main::y", "g", "f::n", "f::k", "f::n#1", "f::k#1", "twice::m", "h",
];
const STEPS: usize = 1500;

type Analysis<'p> = Composite<'p, Predicates<'p>>;
/// The values of [`VARIABLES`].
type Store = [i64; 3];

/// `a * first + b * second + c`, compared with 0, at one of the locations or everywhere.
#[derive(Clone, Debug)]
struct Predicate {
    first: (i64, usize),
    second: (i64, usize),
    constant: i64,
    is_equation: bool,
    location: Option<usize>,
}

impl Predicate {
    fn add_to(&self, analysis: &mut Analysis<'_>) {
        let program = analysis.context.program;
        let domain = &mut analysis.domain;
        let scope = match self.location {
            None => PredicateScope::Global,
            Some(n) => {
                PredicateScope::Location(program.node_ids().nth(n % program.nodes.len()).expect("it is smaller"))
            }
        };
        // Where `k` is in memory, the predicates about it are about the place of the frame.
        let is_addressed = domain.encoder.frame_offsets().next().is_some();
        let name = |at: usize| match is_addressed {
            true => NAMES[at].replace("::k", "::__frame"),
            false => NAMES[at].to_string(),
        };
        let pool = &mut domain.pool;
        let (first, second) = (
            variable(pool, &name(self.first.1)),
            variable(pool, &name(self.second.1)),
        );
        let sum = pool.linear(
            &[(Int::from(self.first.0), first), (Int::from(self.second.0), second)],
            Int::from(self.constant),
        );
        let zero = pool.int(0);
        let term = match self.is_equation {
            true => pool.eq(sum, zero),
            false => pool.le(sum, zero),
        };
        domain.precision.add(program, &domain.pool, scope, term);
    }
}

fn variable(pool: &mut TermPool, name: &str) -> TermId {
    let symbol = pool.symbol(name);
    pool.int_var(symbol, NO_INDEX)
}

fn predicate() -> impl Strategy<Value = Predicate> {
    let name = || 0..NAMES.len();
    let coefficient = || select(&[1i64, -1, 1, 2][..]);
    let location = prop::option::weighted(0.3, 0usize..100);
    let second = prop_oneof![Just(0i64), coefficient()];
    // A value of a variable, everywhere: whoever keeps it where it has changed has no state for what follows.
    let value = (name(), -2i64..3).prop_map(|(variable, value)| is(variable, value));
    let any = (
        (coefficient(), name()),
        (second, name()),
        -4i64..5,
        any::<bool>(),
        location,
    )
        .prop_map(|(first, second, constant, is_equation, location)| Predicate {
            first,
            second,
            constant,
            is_equation,
            location,
        });
    prop_oneof![value, any]
}

/// A statement over some variables, with calls of these forms.
fn statement(variables: &'static [&'static str], calls: &'static [&'static str]) -> impl Strategy<Value = String> {
    let var = move || select(variables);
    let op = select(&["<", "<=", ">", ">=", "==", "!="][..]);
    let condition = (var(), op, -3i32..6).prop_map(|(a, op, b)| format!("{a} {op} {b}"));
    let simple = prop_oneof![
        (var(), var(), -3i32..4).prop_map(|(a, b, c)| format!("{a} = {b} + {c};")),
        (var(), var(), var()).prop_map(|(a, b, c)| format!("{a} = {b} - {c};")),
        var().prop_map(|a| format!("{a} = __VERIFIER_nondet_int();")),
        (var(), var()).prop_map(|(a, b)| format!("{a} = twice({b});")),
        (var(), select(calls)).prop_map(|(a, call)| format!("{a} = {call};")),
        condition.clone().prop_map(|c| format!("if ({c}) reach_error();")),
    ];
    (
        prop::option::weighted(0.4, condition),
        prop::collection::vec(simple, 1..3),
    )
        .prop_map(|(condition, list)| match condition {
            Some(condition) => format!("if ({condition}) {{ {} }}", list.concat()),
            None => list.concat(),
        })
}

fn main_statement() -> impl Strategy<Value = String> {
    let calls = &["f(x)", "f(y)", "f(3)", "even(x)", "walk(x)", "walk(2)"];
    let statement = move || statement(&["x", "y", "g"], calls);
    let way_out = || {
        let jump = select(&["break", "continue", "goto done", "return 0"][..]);
        (select(&["x", "y", "g"][..]), -1i32..4, jump).prop_map(|(a, c, jump)| format!("if ({a} == {c}) {jump};"))
    };
    (statement(), statement(), way_out(), way_out(), 0..4).prop_map(|(text, other, leave, out, form)| {
        let text = format!("{text} probe(x, y, g);");
        match form {
            0 => text,
            1 => format!("for (int i = 0; i < 2; i++) {{ {text} }}"),
            2 => format!("for (int i = 0; i < 3; i++) {{ {leave} {text} }} probe(x, y, g);"),
            _ => format!(
                "for (int i = 0; i < 2; i++) {{ {other} for (int j = i; j < 2; j++) {{ {text} {leave} }} probe(x, y, g); {out} }} probe(x, y, g);"
            ),
        }
    })
}

/// The beginning of `f`, and what it does before it returns: its variable in a plain variable.
const PLAIN: (&str, &str) = ("int k = n;", "");
/// In memory, where deeper frames reach it.
const ADDRESSED: (&str, &str) = (
    "int k = n; int *outer = q; if (outer && n > 2) *outer = n; q = &k; set(q, k);",
    "q = outer;",
);

fn program(parts: (&str, &str, &str), body: &str) -> Program {
    program_with(PLAIN, parts, body)
}

fn program_with((begin, end): (&str, &str), (before, after, step): (&str, &str, &str), body: &str) -> Program {
    let text = format!(
        "extern void probe(int, int, int); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int g, h;
int odd(int o);
int twice(int m) {{ if (m > 100) h = m; return m + m; }}
int *q;
void set(int *p, int v) {{ *p = v; }}
int f(int n) {{ {begin} {before} if (n <= 0 || n > 4) {{ {end} return k; }} n = f(n - 1); for (int t = n; t < 2; t++) {{ {after} if (k == 3) break; }} {end} return n + k; }}
int walk(int w) {{ int s = 0; while (w > 0 && w < 6) {{ s = s + 1; w = w - 1; {step} if (g == 2) return s; }} return s; }}
int even(int e) {{ if (e <= 0 || e > 6) {{ g = e; return e == 0; }} return odd(e - 1); }}
int odd(int o) {{ if (o <= 0) return 0; return even(o - 1); }}
int main(void) {{
  int x = __VERIFIER_nondet_int(); int y = 3;
  probe(x, y, g);
  {body}
  done: probe(x, y, g);
  return 0;
}}"
    );
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit =
        parse(Source::new("random.c", text.as_str()), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn external_calls(program: &Program, name: &str) -> Vec<EdgeId> {
    let calls = |edge: &EdgeId| match &program.edge(*edge).op {
        Op::External { func, .. } => program.function(*func).name == name,
        _ => false,
    };
    program.edge_ids().filter(calls).collect()
}

/// Whether a store is among those that a state represents.
fn represents(analysis: &mut Analysis<'_>, state: &State<PredState>, store: &Store) -> bool {
    let domain = &mut analysis.domain;
    let region = domain.record(state.data.abs).region;
    let region = domain.region_formula(region);
    let bounds = domain
        .blocks
        .bounds(&domain.encoder, &mut domain.pool, state.data.block);
    let block = domain.blocks.formula(state.data.block).clone();
    let pool = &mut domain.pool;
    let mut conjuncts = vec![
        domain.encoder.instantiate(pool, region, &Default::default()),
        bounds,
        block.formula,
    ];
    for (name, &value) in VARIABLES.iter().zip(store) {
        let (variable, value) = (variable(pool, name), pool.int(value));
        let is = pool.eq(variable, value);
        conjuncts.push(domain.encoder.instantiate(pool, is, &block.ssa));
    }
    let mut solver = Solver::new(Config::default());
    for formula in conjuncts {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(reason) => panic!("the solver gave up: {reason:?}"),
    }
}

/// The stores that an execution had at probes, and the violations that it ran into.
fn execute(
    program: &Program,
    inputs: &[i64],
    probes: &[EdgeId],
    targets: &[EdgeId],
) -> (Vec<(NodeId, Store)>, Vec<EdgeId>) {
    let executed = run(program, &mut Scripted::new(inputs.iter().copied()), STEPS);
    let stores = executed
        .external_calls
        .iter()
        .filter(|(function, _)| program.function(*function).name == "probe")
        .map(|(_, arguments)| {
            let value = |text: &String| text.parse().expect("an argument of `probe` is an integer");
            let values: Vec<i64> = arguments.iter().map(value).collect();
            Store::try_from(values).expect("`probe` has three parameters")
        });
    let at_probes = executed.edges.iter().filter(|edge| probes.contains(edge));
    let seen = at_probes.map(|&edge| program.edge(edge).from).zip(stores).collect();
    let violations = executed.edges.iter().copied().filter(|edge| targets.contains(edge));
    (seen, violations.collect())
}

/// The things that were checked: stores at probes, violations; summaries that were found again, and recursive calls that used unfinished ones.
#[derive(Clone, Copy, Debug, Default)]
struct Checked {
    stores: u64,
    violations: u64,
    hits: u64,
    recursive: u64,
    loops: u64,
}

impl Checked {
    /// Panics if fewer things were checked than these: stores, violations, hits, recursive calls and loops.
    fn are_at_least(&self, least: [u64; 5]) {
        let found = [self.stores, self.violations, self.hits, self.recursive, self.loops];
        let is_enough = found.iter().zip(least).all(|(&found, least)| found >= least);
        assert!(is_enough, "too little was checked: {self:?}");
    }

    fn plus(self, other: Checked) -> Checked {
        Checked {
            stores: self.stores + other.stores,
            violations: self.violations + other.violations,
            hits: self.hits + other.hits,
            recursive: self.recursive + other.recursive,
            loops: self.loops + other.loops,
        }
    }
}

/// The states of the explorations of the loops that were entered, and of the loops inside of these.
fn add_loops(analysis: &Analysis<'_>, calls: &[(State<PredState>, usize)], states: &mut Vec<State<PredState>>) -> u64 {
    let memo = analysis.memo.as_ref().expect("there are blocks");
    let mut loops = 0;
    for (entry, at) in calls {
        let Some(Block::Loop(_)) = analysis.block_entered(entry.control) else {
            continue;
        };
        let summary = memo.summary(*at);
        states.extend(summary.states.iter().cloned());
        loops += 1 + add_loops(analysis, summary.calls, states);
    }
    loops
}

/// Checks the law.
fn check(program: &Program, predicates: &[Predicate], inputs: &[Vec<i64>], (bam, block): (Bam, BlockMode)) -> Checked {
    let probes = external_calls(program, "probe");
    let targets = external_calls(program, "reach_error");
    let settings = Settings {
        block,
        cartesian: false,
    };
    // Functions that nobody calls are no part of the program.
    let Ok(blocks) = ProgramBlocks::new(program, bam) else {
        return Checked::default();
    };
    let mut domain = Predicates::new(
        program,
        Encoder::new(program, Arith::Machine).move_frames(),
        settings,
        Effort::default(),
    );
    domain.explore_blocks(program, blocks.clone());
    let initial = domain.initial();
    let mut analysis = Composite::new(
        program,
        domain,
        [(targets.as_slice(), &Tracking::default())].into_iter(),
    );
    for (part, func) in blocks.iter() {
        analysis.context.stacks.add_base(part, func);
    }
    let mut memo = Memo::new(blocks);
    memo.keep_explorations();
    memo.begin();
    memo.limit(4000, Arc::new(AtomicBool::new(false)));
    analysis.memo = Some(memo);
    for predicate in predicates {
        predicate.add_to(&mut analysis);
    }
    let start = State {
        control: analysis.start(),
        data: initial,
    };
    let mut reached = Reached::new(&analysis, start);
    let status = cpa_plus_plus(&mut analysis, &mut reached, &mut |_, _| false, &mut |expanded| {
        expanded > 2000
    });
    if !status.complete {
        return Checked::default();
    }
    let mut states: Vec<State<PredState>> = reached.arg.iter().map(|(_, node)| node.state.clone()).collect();
    let mut checked = Checked::default();
    let memo = analysis.memo.as_ref().expect("there are blocks");
    checked.loops = add_loops(&analysis, memo.outer_calls(), &mut states);
    for inputs in inputs {
        let (seen, violations) = execute(program, inputs, &probes, &targets);
        for (node, store) in seen {
            let found = states.iter().any(|state| {
                let control = state.control;
                control.target.is_none() && control.node == node && represents(&mut analysis, state, &store)
            });
            assert!(found, "no reached state has {store:?} at {node:?}");
            checked.stores += 1;
        }
        for edge in violations {
            let has_target = states
                .iter()
                .any(|state| state.control.target.is_some_and(|step| step.edge() == edge));
            assert!(has_target, "the violation {edge:?} has no target state");
            checked.violations += 1;
        }
    }
    let counters = analysis.memo.as_ref().map(|memo| memo.counters).unwrap_or_default();
    checked.hits = counters.hits;
    checked.recursive = counters.recursive;
    checked
}

fn keep_every_execution(cases: u32, bam: Bam, of_f: (&'static str, &'static str)) -> Checked {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let program_parts = (
        statement(&["n", "k", "g"], &["even(n)", "twice(n)"]),
        statement(&["n", "k", "g"], &["even(n)", "f(k - 1)"]),
        statement(&["w", "s", "g"], &["even(w)", "twice(w)"]),
        prop::collection::vec(main_statement(), 1..4),
    );
    let predicates = prop::collection::vec(predicate(), 0..9);
    let inputs = prop::collection::vec(prop::collection::vec(-3i64..7, 6), 6);
    let total = Cell::new(Checked::default());
    let result = runner.run(
        &(program_parts, predicates, inputs, any::<bool>()),
        |((before, after, step, body), predicates, inputs, every_call)| {
            let program = program_with(of_f, (&before, &after, &step), &body.concat());
            let block = match every_call {
                true => BlockMode::LoopsAndCalls,
                false => BlockMode::Loops,
            };
            let checked = check(&program, &predicates, &inputs, (bam, block));
            total.set(total.get().plus(checked));
            Ok(())
        },
    );
    result.unwrap_or_else(|e| panic!("{e}"));
    total.get()
}

#[test]
fn summaries_keep_every_execution() {
    let checked = keep_every_execution(250, Bam::Functions, PLAIN);
    checked.are_at_least([500, 50, 50, 50, 0]);
}

/// Frames have their variables in memory at other addresses, and write those of others.
#[test]
fn summaries_keep_every_execution_with_variables_in_memory() {
    for bam in [Bam::Recursion, Bam::On] {
        let checked = keep_every_execution(150, bam, ADDRESSED);
        checked.are_at_least([300, 30, 20, 20, 0]);
    }
}

#[test]
fn summaries_of_loops_keep_every_execution() {
    for bam in [Bam::Loops, Bam::On] {
        let checked = keep_every_execution(250, bam, PLAIN);
        checked.are_at_least([500, 50, 50, 50, 200]);
    }
}

/// `variable == value`, everywhere.
fn is(name: usize, value: i64) -> Predicate {
    Predicate {
        first: (1, name),
        second: (0, 0),
        constant: -value,
        is_equation: true,
        location: None,
    }
}

/// The global variable has another value behind the call than before it, and the precision knows both.
#[test]
fn expand_forgets_what_the_function_changes() {
    let program = program(
        ("g = 7;", "", ""),
        "g = 0; x = f(0); probe(x, y, g); x = f(2); probe(x, y, g);",
    );
    for predicates in [vec![is(2, 0)], vec![is(2, 0), is(2, 7), is(0, 0)]] {
        let checked = check(&program, &predicates, &[vec![0; 6]], (Bam::Functions, BlockMode::Loops));
        assert!(checked.stores > 0, "{checked:?}");
    }
}

/// The parameter has another value in the frame of the caller than in that of the recursive call.
#[test]
fn reduce_distinguishes_the_frames_of_a_recursion() {
    let program = program(("", "", ""), "x = f(1); probe(x, y, g); x = f(2); probe(x, y, g);");
    for predicates in [vec![is(3, 1)], vec![is(3, 0), is(3, 1), is(4, 1)]] {
        let checked = check(&program, &predicates, &[vec![0; 6]], (Bam::Functions, BlockMode::Loops));
        assert!(checked.stores > 0, "{checked:?}");
    }
}

/// A predicate for everything that counts: then calls in the same state share a summary, and recursive ones use what is there.
#[test]
fn summaries_are_found_again() {
    let program = program(("", "", ""), "x = f(2); probe(x, y, g); y = f(2); probe(x, y, g);");
    let predicate = |name: usize, constant: i64| Predicate {
        first: (1, name),
        second: (0, 0),
        constant,
        is_equation: false,
        location: None,
    };
    let predicates = [predicate(3, 0), predicate(3, -1), predicate(4, 0)];
    let checked = check(&program, &predicates, &[vec![0; 6]], (Bam::Functions, BlockMode::Loops));
    assert!(checked.hits > 0 && checked.recursive > 0, "{checked:?}");
}

/// A variable in memory has another address in each frame of a recursion: summaries do not answer which objects there are.
#[test]
fn recursive_functions_with_variables_in_memory_have_no_summary_where_objects_are_asked_for() {
    let text = "extern void *realloc(void *, unsigned long); void set(int *p) { *p = 1; } int f(int n) { int k = n; set(&k); return n > 0 ? f(n - 1) : k; }
        int main(void) { return f(3); }";
    let asks = text.replace(
        "return f(3);",
        "int *p = realloc(0, 4); p = realloc(p, 8); return f(3);",
    );
    let blocks = |text: &str| {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        let unit = parse(Source::new("memory.c", text), &options).expect("it is a program");
        let program = lower(unit, &LowerOptions::default()).expect("it has a main function");
        let f = program.function_by_name("f").expect("it is there");
        ProgramBlocks::new(&program, Bam::Recursion).map(|blocks| blocks.contains(f))
    };
    assert_eq!(blocks(text), Ok(true));
    let (function, variable) = ("f".to_string(), "k".to_string());
    assert_eq!(blocks(&asks), Err(NoBlocks::Addressed { function, variable }));
}

/// The exploration of a loop computes an abstraction at its exits too, so predicates there count. Those before it do not, nor those about what it leaves alone.
#[test]
fn the_reduced_precision_of_a_loop_is_about_its_places_and_symbols() {
    let program = program(("", "", ""), "x = 0; while (x < 3) x = x + 1; probe(x, y, g);");
    let blocks = ProgramBlocks::new(&program, Bam::Loops).expect("there is a loop");
    let main = program.function_by_name("main").expect("it is there");
    let is_in_main = |block: &&Block| matches!(block, Block::Loop(head) if program.node(*head).func == main);
    let all: Vec<Block> = blocks.iter().map(|(block, _)| block).collect();
    let block = *all.iter().find(is_in_main).expect("`main` has a loop");
    let Block::Loop(head) = block else {
        unreachable!("it is a loop");
    };
    let exit = program.edge(blocks.loop_at(head).expect("it is a block").exits()[0]).to;
    let (encoder, effort) = (Encoder::new(&program, Arith::Machine), Effort::default());
    let mut domain = Predicates::new(&program, encoder, Settings::default(), effort);
    domain.explore_blocks(&program, blocks);
    let mut analysis: Analysis<'_> = Composite::new(&program, domain, [].into_iter());
    let entry = program.function(main).entry;
    let mut number_with = |name: usize, place: NodeId| {
        let location = Some(
            program
                .node_ids()
                .position(|node| node == place)
                .expect("it is a location"),
        );
        let predicate = Predicate {
            location,
            ..is(name, 2)
        };
        predicate.add_to(&mut analysis);
        analysis.domain.precision_in(&analysis.context, block)
    };
    let (x, y) = (0, 1);
    let elsewhere = number_with(x, entry);
    assert_eq!(number_with(y, head), elsewhere);
    let at_exit = number_with(x, exit);
    assert_ne!(at_exit, elsewhere);
    assert_ne!(number_with(x, head), at_exit);
}
