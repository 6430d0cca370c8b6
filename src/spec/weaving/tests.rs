//! Patterns against programs: how often an automaton's trigger holds.

use super::super::automaton::{Specification, parse_specification};
use super::events::{self, Happening};
use super::{Mode, Watched, weave};
use crate::cfa::{LowerOptions, Op, Watcher, lower_woven};
use crate::frontend::syntax::ast::TranslationUnit;
use crate::frontend::text::source::Source;
use crate::frontend::types::DataModel;
use crate::frontend::{FrontendOptions, parse};
use std::path::Path;

const PROGRAM: &str = "
typedef unsigned long size_t;
enum { ON = 1, OFF = 0 };
struct inner { int level; };
struct outer { struct inner *in; struct { int flag; }; int list[4]; };
extern void *malloc(size_t);
extern int get(int, int), plain(int);
extern void put(int);
static int own(int x) { return x; }
static int own_7(int x) { return own(x); }
int global, other;
struct outer o, *p;
int main(void) {
    int x = get(1, 2), y;
    get(x, x);
    put(get(3, x) + 1);
    int (*f)(int) = own;
    y = f(x);
    own_7(y);
    global = ON;
    global = x + 2;
    other = -1;
    o.in->level = 2;
    p->flag = 3;
    o.list[2] = 4;
    p->list[x] = (char)y;
    plain(sizeof(int));
    void *m = malloc(8);
    done: return global == 5;
}
";

/// A specification, and the program.
fn parsed(specification: &str) -> (Specification, TranslationUnit) {
    let read = |_: &Path| Err("no file".into());
    let specification = parse_specification(Path::new("a.spc"), specification, &read).unwrap_or_else(|e| panic!("{e}"));
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("p.c", PROGRAM), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    (specification, unit)
}

/// The number of things that happen in the program on which the trigger holds.
fn count(trigger: &str) -> usize {
    let text = format!("OBSERVER AUTOMATON a\nINITIAL STATE S;\nSTATE S :\n  {trigger} -> GOTO S;\nEND AUTOMATON\n");
    let (specification, unit) = parsed(&text);
    let automaton = &specification.automata[0];
    let functions = unit.functions.iter().map(|f| f.name.to_string());
    let options = LowerOptions {
        watched: functions.filter(|name| automaton.watches(name)).collect(),
        ..LowerOptions::default()
    };
    let mut found = 0;
    let program = lower_woven(unit, &options, &mut |weaver| {
        let mut happenings = vec![Happening::Entry, Happening::Exit];
        for edge in weaver.edges() {
            let (before, after) = events::happenings(weaver, edge);
            happenings.extend(before.into_iter().chain(after));
        }
        for happening in happenings {
            let trigger = &automaton.states[0].transitions[0].trigger;
            found += events::alternatives(weaver, trigger, &happening).unwrap().len();
        }
    });
    program.unwrap_or_else(|e| panic!("{}", e.render(false))).validate();
    found
}

#[test]
fn calls_are_met_wherever_they_stand() {
    assert_eq!(count("MATCH {get($1, $2)}"), 3);
    assert_eq!(count("MATCH {get($?)}"), 3);
    assert_eq!(count("MATCH {get($1, $1)}"), 1, "one hole, one value");
    assert_eq!(count("MATCH {get($1)}"), 0);
    assert_eq!(count("MATCH {get(3, $?)}"), 1);
    assert_eq!(count("MATCH {get(1 + 2, x)}"), 0, "patterns are not computed");
    assert_eq!(count("MATCH {$1 = get(x, x)}"), 1, "also where the result is dropped");
    assert_eq!(count("MATCH {x = get($?)}"), 1);
    assert_eq!(count("MATCH {$1 = put($?)}"), 0, "there is no result");
    assert_eq!(count("MATCH CALL {$? = put($?)}"), 1);
    assert_eq!(count("MATCH RETURN {put($?)}"), 1);
    assert_eq!(count("MATCH {plain(4)}"), 1);
    assert_eq!(count("MATCH FUNCTIONCALL \"get\""), 3);
}

#[test]
fn calls_through_pointers_and_families_are_met() {
    assert_eq!(
        count("MATCH {own(x)}"),
        2,
        "through the pointer, and in the wrapper, whose parameter is called x as well"
    );
    assert_eq!(
        count("MATCH {[own(_[0-9]+)?]($1)}"),
        2,
        "what the wrapper calls is a part of it"
    );
    assert_eq!(count("MATCH RETURN {$1 = [own.*]($2)}"), 2);
}

#[test]
fn modelled_functions_are_met() {
    assert_eq!(count("MATCH {malloc(8)}"), 1);
    assert_eq!(count("MATCH {$1 = malloc($2)}"), 1);
    assert_eq!(count("MATCH RETURN {malloc(9)}"), 0);
}

#[test]
fn assignments_are_met_by_structure() {
    assert_eq!(count("MATCH {global = $1}"), 2);
    assert_eq!(count("MATCH {global = ON}"), 1);
    assert_eq!(count("MATCH {global = (long)1}"), 1);
    assert_eq!(count("MATCH {global = x + $1}"), 1);
    assert_eq!(count("MATCH {other = -1;}"), 1);
    assert_eq!(count("MATCH {o.in->level = 2}"), 1);
    assert_eq!(count("MATCH {$1.in->level = 2}"), 1);
    assert_eq!(count("MATCH {p->flag = $?}"), 1, "through the anonymous member");
    assert_eq!(count("MATCH {o.list[2] = $1}"), 1);
    assert_eq!(count("MATCH {p->list[x] = y}"), 1, "conversions do not matter");
    assert_eq!(count("MATCH {p->list[y] = $1}"), 0);
}

#[test]
fn other_things_happen_once() {
    assert_eq!(count("MATCH ENTRY"), 1);
    assert_eq!(count("MATCH EXIT"), 1);
    assert_eq!(count("MATCH LABEL [done]"), 1);
    assert_eq!(count("MATCH LABEL [don]"), 0);
    assert_eq!(count("MATCH {get($?)} && !MATCH {get($1, $1)}"), 2);
    assert_eq!(count("MATCH {get($?)} || MATCH {put($?)}"), 4);
    assert_eq!(count("FALSE"), 0);
    assert!(count("TRUE") > count("!MATCH {global = $1}"));
}

/// The number of ways around an automaton that is woven into the program.
fn ways_around(stop: &str) -> usize {
    let text = format!(
        "CONTROL AUTOMATON a\nINITIAL STATE S;\nSTATE S :\n  MATCH {{put($1)}} -> ERROR;\n  {stop} -> STOP;\nEND AUTOMATON\n"
    );
    let (specification, unit) = parsed(&text);
    let automaton = &specification.automata[0];
    let watched = Watched {
        property: "a",
        watcher: Watcher::new(0),
        specification: &specification,
        automaton,
    };
    let program = lower_woven(unit, &LowerOptions::default(), &mut |weaver| {
        let woven = weave(weaver, &[watched], Mode::Auto);
        assert!(woven[0].failure.is_none() && woven[0].places > 0);
    });
    let program = program.unwrap_or_else(|e| panic!("{}", e.render(false)));
    let is_bypass = |edge: &crate::cfa::EdgeId| matches!(program.edge(*edge).op, Op::Bypass(_));
    program.edge_ids().filter(is_bypass).count()
}

#[test]
fn only_an_automaton_that_can_stop_paths_here_has_no_way_around() {
    assert_eq!(
        ways_around("MATCH {put(get(8, 9))}"),
        1,
        "nothing is stopped in this program"
    );
    assert_eq!(ways_around("MATCH {plain($1)}"), 0);
}
