//! Distances to targets: the figures of the thesis on TOUR (Lee 2022), with the paper's numbers.
//!
//! The programs are those of Figures 3.1 and 7.1. The labels L7 and L9 stand for the paper's edges without operation.

use provident::cfa::analysis::distances::{Distance, Distances, Metric};
use provident::cfa::{FuncId, LowerOptions, NodeId, Op, Program, lower};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

fn program(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", text), &options).unwrap_or_else(|e| panic!("{e}"));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Figure 3.1, or 7.1, which calls `g` at L8.
fn example(at_8: &str) -> Program {
    program(&format!(
        "extern void abort(void);
         void f(int i) {{
             int a = i;
         }}
         void g(int i) {{
             f(i);
         }}
         void main(int *x, int k) {{
             int i;
             if (x[1] > x[2]) {{
                 f(x[1]);
                 if (k == 0) {{
                     x[2] = x[1];
                 }} else {{
                     x[1] = x[2];
                 }}
                 L7: ;
             }} else {{
                 {at_8}(x[2]);
                 L9: ;
             }}
             if (x[1] > x[2]) {{
                 abort();
             }}
         }}"
    ))
}

/// The distances to the calls of a function.
fn to_calls(program: &Program, metric: Metric, name: &str) -> Distances {
    let targets = program.edges_calling(name);
    Distances::new(program, metric, targets.into_iter().map(|edge| (edge, 0)))
}

fn named(program: &Program, name: &str) -> FuncId {
    program.function_by_name(name).expect("the program has the function")
}

/// The places of the paper by their operations: L1 to L12 of `main` (but for L5, L6), and their nodes.
fn places(program: &Program) -> Vec<(&'static str, NodeId)> {
    let main = program.function(named(program, "main"));
    let next = |node: NodeId, i: usize| program.edge(program.node(node).outgoing[i]).to;
    let l2 = next(main.entry, 0);
    let (l3, l8) = (next(l2, 0), next(l2, 1));
    let (l4, l9) = (next(l3, 0), next(l8, 0));
    let l10 = next(l9, 0);
    vec![
        ("L1", main.entry),
        ("L2", l2),
        ("L3", l3),
        ("L4", l4),
        ("L7", next(next(l4, 0), 0)),
        ("L8", l8),
        ("L9", l9),
        ("L10", l10),
        ("L11", next(l10, 0)),
        ("L12", main.exit),
    ]
}

fn lengths(places: &[(&'static str, NodeId)], of: impl Fn(NodeId) -> Option<i64>) -> String {
    let show = |&(name, node): &(&str, NodeId)| match of(node) {
        Some(length) => format!("{name}:{length}"),
        None => format!("{name}:inf"),
    };
    places.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn number(distance: Distance) -> Option<i64> {
    distance.length().map(i64::from)
}

#[test]
fn figures_3_5_and_3_6() {
    let program = example("f");
    let places = places(&program);
    let distances = to_calls(&program, Metric::Statements, "abort");
    assert_eq!(
        lengths(&places, |n| number(distances.exit(n))),
        "L1:5 L2:4 L3:5 L4:4 L7:2 L8:3 L9:2 L10:1 L11:inf L12:0"
    );
    assert_eq!(
        lengths(&places, |n| distances.relative_exit(&program, n)),
        "L1:0 L2:-1 L3:0 L4:-1 L7:-3 L8:-2 L9:-3 L10:-4 L11:inf L12:-5"
    );
    assert_eq!(
        lengths(&places, |n| number(distances.absolute(n))),
        "L1:5 L2:4 L3:5 L4:4 L7:2 L8:3 L9:2 L10:1 L11:0 L12:inf"
    );
    let f = program.function(named(&program, "f"));
    assert_eq!(number(distances.exit(f.entry)), Some(1));
    assert_eq!(distances.relative_exit(&program, f.exit), Some(-1));
    assert_eq!(distances.absolute(f.entry), Distance::INFINITE);
}

/// The states of Figures 3.12 and 7.2 in both ways to `f`, each under its own calls.
#[test]
fn figures_3_12_and_7_2() {
    let program = example("g");
    let places = places(&program);
    let distances = to_calls(&program, Metric::Statements, "abort");
    let of = |name: &str| places.iter().find(|(other, _)| *other == name).unwrap().1;
    let (f, g) = (
        program.function(named(&program, "f")),
        program.function(named(&program, "g")),
    );
    let call_of = |node: NodeId| program.node(node).outgoing[0];
    let behind = |node: NodeId, below| distances.behind(&program, call_of(node), below);
    let main = distances.behind(&program, call_of_main(&program), Distance::INFINITE);
    assert_eq!(main, Distance::INFINITE);
    let in_main = |name: &str| number(distances.distance(of(name), main)).unwrap();
    // map2 of Figure 7.2: s1 to s4, s7, s12.
    assert_eq!(["L1", "L2", "L3", "L8", "L4", "L9"].map(in_main), [5, 4, 5, 3, 4, 2]);
    let f_from_3 = behind(of("L3"), main);
    let s5_and_s6 = [f.entry, f.exit].map(|n| number(distances.distance(n, f_from_3)).unwrap());
    assert_eq!(s5_and_s6, [5, 4]);
    let in_g = behind(of("L8"), main);
    let f_from_g = behind(g.entry, in_g);
    let s8_to_s11 = [
        distances.distance(g.entry, in_g),
        distances.distance(f.entry, f_from_g),
        distances.distance(f.exit, f_from_g),
        distances.distance(g.exit, in_g),
    ];
    assert_eq!(s8_to_s11.map(|d| number(d).unwrap()), [3, 3, 2, 2]);
    // Figure 3.12 has `f` at L8.
    let program = example("f");
    let distances = to_calls(&program, Metric::Statements, "abort");
    let l8 = self::places(&program)[5].1;
    let behind = distances.behind(&program, program.node(l8).outgoing[0], Distance::INFINITE);
    let f = program.function(named(&program, "f"));
    assert_eq!(number(distances.distance(f.entry, behind)), Some(3));
    // Equation 3.1, with the distance of the call.
    let call = distances.distance(l8, Distance::INFINITE).length().unwrap();
    let paper = |n| distances.relative_exit(&program, n).unwrap() + i64::from(call);
    for node in [f.entry, f.exit] {
        assert_eq!(number(distances.distance(node, behind)), Some(paper(node)));
    }
}

fn call_of_main(program: &Program) -> provident::cfa::EdgeId {
    let main = named(program, "main");
    let calls = |e: &provident::cfa::EdgeId| matches!(program.edge(*e).op, Op::Call { func, .. } if func == main);
    program.edge_ids().find(calls).expect("the start function calls main")
}

/// Figures 3.8 and 3.10: chains of calls with and without recursion. The functions are `x`, `y` and `main`.
#[test]
fn recursion_needs_no_order_of_functions() {
    let program = program(
        "extern void abort(void);
         int nondet(void);
         int y(int n);
         int x(int n) { if (n) { y(n - 1); n = 1; } n = 2; return n; }
         int y(int n) { n = 3; n = x(n); return n; }
         int never(int n) { return never(n); }
         int main(void) { x(nondet()); if (nondet()) never(1); abort(); return 0; }",
    );
    let distances = to_calls(&program, Metric::Statements, "abort");
    let entry = |name: &str| distances.exit(program.function(named(&program, name)).entry);
    // The base case of `x`: the condition, the assignment, the result. `y` adds an assignment and its result to that.
    assert_eq!((number(entry("x")), number(entry("y"))), (Some(3), Some(5)));
    assert_eq!(entry("never"), Distance::INFINITE);
}

#[test]
fn weights_of_the_metrics() {
    let program = program(
        "extern void abort(void);
         int nondet(void);
         int f(int n) { int a = n; while (a < 10) { a = a + 1; } return a; }
         int main(void) { int k = nondet(); if (k) { k = f(k); } else { k = f(1); } if (k) abort(); return 0; }",
    );
    let main = program.function(named(&program, "main")).entry;
    let f = program.function(named(&program, "f"));
    let both = |metric| {
        let distances = to_calls(&program, metric, "abort");
        (
            number(distances.exit(f.entry)).unwrap(),
            number(distances.absolute(main)).unwrap(),
        )
    };
    // f: assignment, condition, result. main: two assignments, two conditions and f.
    let (st, _) = both(Metric::Statements);
    assert_eq!(st, 3);
    // Conditions: one in f, two in main.
    assert_eq!(both(Metric::BasicBlocks), (1, 3));
    // The condition of the loop in f.
    assert_eq!(both(Metric::LoopHeads), (1, 1));
    // That, the entries of f and of main, and the return from f.
    assert_eq!(both(Metric::LoopsAndFunctions), (2, 4));
}

#[test]
fn a_property_with_a_weight_is_farther() {
    let program = program(
        "extern void one(void); extern void other(void); int nondet(void);
         int main(void) { if (nondet()) one(); else { other(); } return 0; }",
    );
    let main = program.function(named(&program, "main")).entry;
    let with = |weights: [(&str, u32); 2]| {
        let targets = weights.into_iter().flat_map(|(name, weight)| {
            let edges = program.edges_calling(name);
            edges.into_iter().map(move |edge| (edge, weight))
        });
        number(Distances::new(&program, Metric::BasicBlocks, targets).absolute(main))
    };
    assert_eq!(with([("one", 0), ("other", 9)]), Some(1));
    assert_eq!(with([("one", 5), ("other", 2)]), Some(3));
}
