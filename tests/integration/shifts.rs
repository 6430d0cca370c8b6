//! Shifts of the exploration with explicit values: random systems whose data are compared with each other alone, and whose reachable labels a search over the differences of the data knows.

use crate::cases::{program as labelled, run_certified};
use crate::discharged::{open, properties};
use proptest::prelude::*;
use provident::cfa::{EdgeId, LowerOptions, Program, lower};
use provident::engine::{Counter, Explicit, Options};
use provident::evidence::obligations::{Effort, obligations};
use provident::explicit::{Compiled, Event, Explorer, Path};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident_smt::solver::{Config, Solver};
use std::collections::{BTreeSet, VecDeque};

const DATA: [&str; 3] = ["first", "second", "third"];
const MODES: u32 = 4;
/// Differences of the data that a system may have, so that the search over them ends soon.
const MANY_STATES: usize = 400;

/// A rule: its mode, a comparison of data (which, with a number, for equality or not), what is done, the next mode, and whether it has a label.
type Rule = (u32, Option<(usize, usize, u32, bool)>, Change, u32, bool);

#[derive(Clone, Copy, Debug)]
enum Change {
    /// A datum becomes another one plus a number.
    Copy(usize, usize, u32),
    /// The number is added to all data.
    All(u32),
}

impl Change {
    fn text(self) -> String {
        match self {
            Change::Copy(to, from, number) => format!("{} = {} + {number}u;", DATA[to], DATA[from]),
            Change::All(number) => DATA.map(|datum| format!("{datum} += {number}u;")).concat(),
        }
    }

    fn apply(self, data: [u32; 3]) -> [u32; 3] {
        let mut data = data;
        match self {
            Change::Copy(to, from, number) => data[to] = data[from].wrapping_add(number),
            Change::All(number) => data = data.map(|datum| datum.wrapping_add(number)),
        }
        data
    }
}

fn text(rules: &[Rule]) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); unsigned first = 4294967290u; unsigned second = 4294967290u; int mode = 0; int seen;
         unsigned next(unsigned datum, unsigned number) { return datum + number; }
         int main(void) { unsigned third = 4294967290u; while (1) { int choice = __VERIFIER_nondet_int();",
    );
    for (at, (mode, test, change, next, has_label)) in rules.iter().enumerate() {
        let test = match test {
            Some((a, b, number, true)) => format!(" && {} == next({}, {number}u)", DATA[*a], DATA[*b]),
            Some((a, b, number, false)) => format!(" && {} - {} != {number}u", DATA[*a], DATA[*b]),
            None => String::new(),
        };
        let label = match has_label {
            true => format!("L{at}: seen = {at};"),
            false => String::new(),
        };
        text += &format!(
            "if (choice == {at} && mode == {mode}{test}) {{ {} mode = {next}; {label} continue; }}\n",
            change.text()
        );
    }
    text + "} }"
}

/// The rules that some run takes. `None` if the data have many differences.
fn taken(rules: &[Rule]) -> Option<BTreeSet<usize>> {
    let start = (0, [0u32; 3]);
    let (mut seen, mut open, mut taken) = (BTreeSet::from([start]), VecDeque::from([start]), BTreeSet::new());
    while let Some((mode, data)) = open.pop_front() {
        for (at, (from, test, change, next, _)) in rules.iter().enumerate() {
            let holds = match *test {
                Some((a, b, number, is)) => (data[a].wrapping_sub(data[b]) == number) == is,
                None => true,
            };
            if *from != mode || !holds {
                continue;
            }
            taken.insert(at);
            let data = change.apply(data);
            let state = (*next, data.map(|datum| datum.wrapping_sub(data[0])));
            if seen.insert(state) {
                open.push_back(state);
            }
        }
        if seen.len() > MANY_STATES {
            return None;
        }
    }
    Some(taken)
}

fn program(text: &str) -> Program {
    let unit = parse(
        Source::new("shifts.c", text),
        &FrontendOptions {
            data_model: DataModel::Lp64,
        },
    );
    let unit = unit.unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The targets that an exploration comes to, each by a path that can be followed, and the number of its states. `None` if it does not come to its end.
fn explored(program: &Program, targets: &BTreeSet<EdgeId>, shortcuts: bool) -> Option<(BTreeSet<EdgeId>, u64)> {
    let code = Compiled::new(program);
    let mut explorer = Explorer::new(&code, targets.iter().copied());
    explorer.merge_shifts();
    if shortcuts {
        explorer.take_shortcuts();
    }
    let mut met = BTreeSet::new();
    loop {
        match explorer.run(3_000_000) {
            Event::Target(edge) => {
                let (choices, length) = explorer.path();
                let path = Path::follow(&code, &choices, length).expect("the path is one of the program");
                let last = path.steps.last().map(|step| step.edge());
                assert_eq!(last, Some(edge), "the path ends at the target");
                met.insert(edge);
                explorer.ignore(edge);
            }
            Event::Complete => return Some((met, explorer.states)),
            Event::Exhausted => return None,
            event => panic!("{event:?}"),
        }
    }
}

fn rule() -> impl Strategy<Value = Rule> {
    let test = prop::option::of((0..3usize, 0..3usize, 0..3u32, any::<bool>()));
    let copy = (0..3usize, 0..3usize, 0..2u32).prop_map(|(to, from, number)| Change::Copy(to, from, number));
    let change = prop_oneof![3 => copy, 2 => (0..4u32).prop_map(Change::All)];
    (0..MODES, test, change, 0..MODES, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// The data grow without end, and wrap around; what can be reached is what can be reached from their differences.
    #[test]
    fn shifted_states_lead_where_all_of_them_do(rules in prop::collection::vec(rule(), 3..9)) {
        let expected = taken(&rules);
        prop_assume!(expected.is_some());
        let text = text(&rules);
        let program = program(&text);
        let label = |at: usize| program.edges_labelled(&format!("L{at}"));
        let targets: BTreeSet<EdgeId> = (0..rules.len()).flat_map(label).collect();
        let expected: BTreeSet<EdgeId> = expected.into_iter().flatten().flat_map(label).collect();
        for shortcuts in [true, false] {
            let (met, _) = explored(&program, &targets, shortcuts).expect("differences have an end");
            prop_assert_eq!(&met, &expected, "shortcuts: {}, of\n{}", shortcuts, text);
        }
    }
}

/// The labels met in a program, and its number of states.
fn labels(text: &str, names: &[&str]) -> Option<(BTreeSet<String>, u64)> {
    let program = program(text);
    let targets: BTreeSet<EdgeId> = names.iter().flat_map(|name| program.edges_labelled(name)).collect();
    let (met, states) = explored(&program, &targets, true)?;
    let is_met = |name: &&&str| program.edges_labelled(name).iter().any(|edge| met.contains(edge));
    Some((
        names.iter().filter(is_met).map(|name| (*name).to_string()).collect(),
        states,
    ))
}

/// A shift may add different numbers to variables, also to those of callers, and several shifts are independent.
#[test]
fn factors_callers_and_several_shifts() {
    let text = "extern int __VERIFIER_nondet_int(void); int once, twice, other, seen;
        void work(int *unused) { int mine = other; while (__VERIFIER_nondet_int()) { other += 3; mine += 3; }
          if (mine != other) { L0: seen = 0; } if (mine + 1 == other) { L1: seen = 1; } }
        int main(void) { int before = twice;
          while (__VERIFIER_nondet_int()) {
            once -= 1; before = twice; twice = twice - 2;
            work(0);
            if (twice != 2 * once) { L2: seen = 2; }
            if (before - twice == 2) { L3: seen = 3; }
            if (before == twice) { L4: seen = 4; }
          } }";
    let (met, states) = labels(text, &["L0", "L1", "L2", "L3", "L4"]).expect("it comes to its end");
    assert_eq!(met, ["L3"].map(String::from).into());
    assert!(states < 2_000, "{states} states");
}

/// Two variables that are the sum of the same two others are equal, also when symbols have taken their places.
#[test]
fn equal_sums_of_shifted_variables_are_equal() {
    let text = "extern int __VERIFIER_nondet_int(void); int once, other, total, copy, seen;
        int main(void) { while (__VERIFIER_nondet_int()) {
          if (__VERIFIER_nondet_int()) once += 1; else other += 3;
          if (total != copy) { L0: seen = 0; }
          if (total == copy) { L1: seen = 1; }
          total = once + other; copy = total; } }";
    let (met, states) = labels(text, &["L0", "L1"]).expect("it comes to its end");
    assert_eq!(met, ["L1"].map(String::from).into());
    assert!(states < 1_000, "{states} states");
}

/// A variable that is compared with a constant, ordered, converted or stored has no shift: all its values are looked at.
#[test]
fn other_uses_of_a_variable_forbid_shifts() {
    for (use_of, is_met) in [
        ("if (count == 3000) { L0: seen = 0; return 0; }", true),
        ("if (count > limit) { L0: seen = 0; return 0; }", true),
        (
            "if ((unsigned char)count == 255 && count > 2900) { L0: seen = 0; return 0; }",
            true,
        ),
        (
            "table[count % 4] = 1; if (count == 3000 && table[3]) { L0: seen = 0; return 0; }",
            true,
        ),
        ("if (count / 3000 == 1) { L0: seen = 0; return 0; }", true),
        ("if (count * 2 == 2 * count + 1) { L0: seen = 0; return 0; }", false),
    ] {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); int table[4]; int seen; int limit = 2999;
             int main(void) {{ int count = 0; while (1) {{ if (__VERIFIER_nondet_int()) count += 1; {use_of} }} }}"
        );
        let (met, states) = labels(&text, &["L0"]).expect("it comes to its end");
        assert_eq!(met.len(), usize::from(is_met), "{use_of}");
        assert_eq!(states > 2_900, is_met, "{states} states, {use_of}");
    }
}

/// Claims about differences that wrap around, and about sums, show a proof by shifts.
#[test]
fn differences_are_claimed_modulo_powers_of_two() {
    let text = "extern int __VERIFIER_nondet_int(void); unsigned sent, received, total; int busy;
        int main(void) { while (1) {
          if (__VERIFIER_nondet_int() && !busy) { sent += 1; total += 3; busy = 1; }
          if (__VERIFIER_nondet_int() && busy) { received += 1; busy = 0; }
          if (busy ? sent != received + 1 : sent != received) { A: return 1; }
          if (total != sent + sent + sent) { B: return 2; } } }";
    let program = labelled("shifts", text);
    let options = |shifts: bool| Options {
        certificate: true,
        ideal_ticks: 0,
        explicit: Explicit {
            shifts,
            steps: 100_000,
            turns: 0,
            ..Explicit::default()
        },
        ..Options::default()
    };
    let (verdicts, certified) = run_certified(&program, &options(true));
    assert_eq!(verdicts, ["TRUE", "TRUE"]);
    assert_eq!(certified.outcome.statistics.get(Counter::ExplicitProofs), 2);
    let evidence = [certified.evidence.certificate, certified.evidence.second];
    let mut solver = |_: Effort| {
        Solver::new(Config {
            proofs: true,
            ..Config::default()
        })
    };
    let certificates = evidence.into_iter().flatten();
    let made: Vec<_> = certificates
        .filter_map(|certificate| obligations(&program, &properties(&program), &certificate, &mut solver).ok())
        .collect();
    assert!(!made.is_empty(), "there are obligations");
    assert!(made.iter().any(|made| open(made).is_empty()), "they are discharged");
    let (_, without) = run_certified(&program, &options(false));
    assert_eq!(
        without.outcome.statistics.get(Counter::ExplicitProofs),
        0,
        "the numbers have no end"
    );
}
