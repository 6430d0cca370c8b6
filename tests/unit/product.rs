//! The product of two domains: each has its own precision, and a state is empty where one of them says so.

use provident::cfa::{LowerOptions, Program, lower};
use provident::cpa::Cpa;
use provident::cpa::algorithm::{Reached, cpa_plus_plus};
use provident::cpa::composite::{Composite, Domain, State};
use provident::cpa::predicate::precision::PredicateScope;
use provident::cpa::predicate::{BlockMode, Predicates, Settings};
use provident::cpa::product::Product;
use provident::cpa::tracking::Tracking;
use provident::encode::{Arith, Encoder};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::query::effort::Effort;
use provident_smt::term::NO_INDEX;

const TEXT: &str = "int __VERIFIER_nondet_int(void);
    int main(void) {
        int x = 0, y = 0;
        while (__VERIFIER_nondet_int()) { x = y; y = x; }
        if (x != 0) { A: return 1; }
        if (y != 0) { B: return 2; }
        return 0;
    }";

fn program() -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("product.c", TEXT), &options).expect("it is a program");
    lower(unit, &LowerOptions::default()).expect("it has a main function")
}

/// Predicate abstraction with the predicates `v == 0` for some variables.
fn zero<'p>(program: &'p Program, variables: &[&str]) -> Predicates<'p> {
    let settings = Settings {
        block: BlockMode::Loops,
        cartesian: false,
    };
    let encoder = Encoder::new(program, Arith::Machine);
    let mut domain = Predicates::new(program, encoder, settings, Effort::default());
    for variable in variables {
        let symbol = domain.pool.symbol(&format!("main::{variable}"));
        let term = domain.pool.int_var(symbol, NO_INDEX);
        let zero = domain.pool.int(0);
        let predicate = domain.pool.eq(term, zero);
        domain
            .precision
            .add(program, &domain.pool, PredicateScope::Global, predicate);
    }
    domain
}

/// Which of the labels have a reachable state.
fn reachable<D: Domain>(program: &Program, domain: D, initial: D::State) -> [bool; 2] {
    let labels = ["A", "B"].map(|label| program.edges_labelled(label));
    let tracking = Tracking::default();
    let mut analysis = Composite::new(
        program,
        domain,
        labels.iter().map(|edges| (edges.as_slice(), &tracking)),
    );
    let initial = State {
        control: analysis.start(),
        data: initial,
    };
    let mut reached = Reached::new(&analysis, initial);
    let status = cpa_plus_plus(&mut analysis, &mut reached, &mut |_, _| false, &mut |_| false);
    assert!(status.complete && reached.is_complete());
    let mut found = [false; 2];
    for (_, node) in reached.arg.iter().filter(|(_, node)| analysis.is_target(&node.state)) {
        for property in analysis.violated_by(node.state.control) {
            found[property.index()] = true;
        }
    }
    found
}

#[test]
fn a_product_knows_what_both_of_its_domains_know() {
    let program = program();
    let alone = |variables: &[&str]| {
        let domain = zero(&program, variables);
        let initial = domain.initial();
        reachable(&program, domain, initial)
    };
    let both = |first: &[&str], second: &[&str]| {
        let (first, second) = (zero(&program, first), zero(&program, second));
        let initial = (first.initial(), second.initial());
        reachable(&program, Product::new(first, second), initial)
    };
    assert_eq!(alone(&[]), [true, true]);
    assert_eq!(alone(&["x", "y"]), [false, false]);
    assert_eq!(both(&[], &[]), [true, true]);
    // The order of the domains does not matter, nor does one that knows nothing.
    assert_eq!(both(&["x", "y"], &[]), [false, false]);
    assert_eq!(both(&[], &["x", "y"]), [false, false]);
    // There is no strengthening: neither domain can show its predicate without the other's, which does not follow from its own.
    assert_eq!(both(&["x"], &["y"]), [alone(&["x"])[0], alone(&["y"])[1]]);
}

#[test]
fn products_nest() {
    let program = program();
    let domains = [zero(&program, &[]), zero(&program, &["x", "y"]), zero(&program, &[])];
    let [first, second, third] = domains;
    let initial = ((first.initial(), second.initial()), third.initial());
    let domain = Product::new(Product::new(first, second), third);
    assert_eq!(reachable(&program, domain, initial), [false, false]);
}
