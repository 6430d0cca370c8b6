//! The 25 features: Figure 7.5 of the thesis on TOUR (Lee 2022), with the paper's numbers.

use provident::cfa::analysis::features::{Counts, Features, NAMES, Variables};
use provident::cfa::{LowerOptions, lower};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

fn features(text: &str) -> Features {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", text), &options).unwrap_or_else(|e| panic!("{e}"));
    Features::of(&lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{e}")))
}

/// The numbers of section 7.2, in the order of the names.
const PAPER: [f64; 25] = [
    17.0, 12.0, 8.5, 3.5, 21.0, 13.0, 9.5, 3.5, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 5.0, 5.0, 3.0, 2.0, 0.0, 3.0,
    6.0, 3.0, 0.0,
];

/// The function `main` of the figure. The labels stand for the paper's edges without operation.
const MAIN: &str = "void main(int *x, int k) {
    int i;
    if (x[1] > x[2]) {
        f(x[1]);
        if (k == 0) {
            x[2] = x[1];
        } else {
            x[1] = x[2];
        }
        L7: ;
    } else {
        f(x[2]);
        L9: ;
    }
    if (x[1] > x[2]) {
        abort();
    }
}";

fn check(found: &Features, names: &[&str]) {
    for (name, expected) in NAMES.iter().zip(PAPER).filter(|(name, _)| names.contains(name)) {
        assert_eq!(found.get(name), Some(expected), "{name}");
    }
}

/// The numbers of the figure's functions, and what the paper makes of them.
#[test]
fn the_numbers_of_the_paper_follow_from_those_of_its_functions() {
    let main = Counts {
        locations: 12,
        edges: 13,
        loops: 0,
        calls: 2,
    };
    let f = Counts {
        locations: 5,
        edges: 6,
        loops: 2,
        calls: 0,
    };
    let variables = Variables {
        relevant: 5,
        assumed: 5,
        of_loops: 3,
        counters: 2,
        fields: 0,
    };
    assert_eq!(*Features::from_counts(&[main, f], variables).values(), PAPER);
}

/// In the figure a `for` statement is one location with all that it does. In an automaton with one operation on each edge its beginning and its step are edges of their own, so that numbers of the locations and edges of `f`
/// are greater; all others are the paper's.
#[test]
fn the_example_of_the_paper() {
    let text = format!(
        "extern void abort(void);
         void f(int i) {{
             int a, b, c;
             for (a = 0; a < i; a++) {{
                 for (b = 0; b < i; b++) {{
                     c++;
                 }}
             }}
         }}
         {MAIN}"
    );
    let found = features(&text);
    let sizes = NAMES[..8].to_vec();
    let others: Vec<&str> = NAMES.iter().copied().filter(|name| !sizes.contains(name)).collect();
    check(&found, &others);
}

/// The automaton of the figure itself: `f` has an operation for each of its edges and no other.
#[test]
fn the_graph_of_the_example() {
    let text = format!(
        "extern void abort(void);
         int b;
         void f(int i) {{
             int a = 0;
             while (a < i) {{
                 while (b < i) {{
                     a++;
                 }}
             }}
         }}
         {MAIN}"
    );
    check(&features(&text), &NAMES[..16]);
    check(&features(&text), &NAMES[21..]);
}

#[test]
fn fields_and_unrelated_variables() {
    let found = features(
        "struct s { unsigned a : 3; unsigned b : 5; int c; };
         int unrelated;
         int main(void) {
             struct s s = {1, 2, 3};
             int n = s.b;
             unrelated = n + 1;
             if (s.a && n) { return 1; }
             return 0;
         }",
    );
    assert_eq!(found.get("FIELDS"), Some(2.0));
    assert_eq!(found.get("VARSASM"), Some(2.0));
    assert_eq!(found.get("VARSLOOP"), Some(0.0));
    assert_eq!(found.get("NONE"), None);
}
