//! The woven edges.

use super::super::automaton::syntax::{Selection, Target};
use super::plan::{Effect, Plan, Resolved, Spot, Where};
use super::sets::chain;
use super::value::Cond;
use super::{Tracker, Watched, Woven};
use crate::cfa::lower::weave::{Gap, Weaver};
use crate::cfa::program::expr;
use crate::cfa::{BinOp, Expr, ExprKind, Input, NodeId, Op, Place, UnOp, Watcher};
use crate::frontend::text::source::Loc;
use crate::frontend::types::Types;
use provident_smt::num::Int;

/// The state of an automaton that is switched off.
const INACTIVE: i64 = -1;

/// Weaves the plan.
pub(super) fn emit(weaver: &mut Weaver<'_>, watched: &Watched<'_>, tracker: &Tracker, plan: &Plan, woven: &mut Woven) {
    initialise(weaver, watched, tracker);
    let bypasses = Bypasses::of(watched, plan);
    let start = weaver.entry_call();
    for spot in &plan.places {
        let (Where::Before(edge) | Where::After(edge)) = spot.at;
        let loc = weaver.loc(edge);
        if !spot.saved.is_empty() {
            let gap = weaver.gap_before(edge);
            bypasses.around(weaver, gap, loc);
            let assign = |(value, place): &(Expr, Place)| Op::Assign {
                lhs: place.clone(),
                rhs: value.clone(),
            };
            let ops = spot.saved.iter().map(assign).collect();
            chain(weaver, gap.from, gap.to, ops, loc);
        }
        let gap = match spot.at {
            Where::Before(edge) => weaver.gap_before(edge),
            Where::After(edge) => weaver.gap_after(edge),
        };
        bypasses.around(weaver, gap, loc);
        let mut emitter = Emitter {
            weaver,
            watched,
            tracker,
            woven,
            loc,
            to: gap.to,
            at_start: spot.at == Where::Before(start),
        };
        emitter.spot(spot, gap.from);
    }
}

/// The ways around woven operations, for states that do not track the property. An automaton that may stop paths of this program concerns all properties, so there is no way around it.
#[derive(Clone, Copy)]
struct Bypasses {
    watcher: Option<Watcher>,
}

impl Bypasses {
    fn of(watched: &Watched<'_>, plan: &Plan) -> Bypasses {
        let states = plan.places.iter().flat_map(|spot| &spot.states);
        let mut transitions = states.flat_map(|(_, transitions)| transitions);
        let stops = transitions.any(|transition| transition.target == Target::Stop);
        Bypasses {
            watcher: (!stops).then_some(watched.watcher),
        }
    }

    /// The way around a gap.
    fn around(self, weaver: &mut Weaver<'_>, gap: Gap, loc: Loc) {
        if let Some(watcher) = self.watcher {
            weaver.edge(gap.from, gap.to, Op::Bypass(watcher), loc);
        }
    }
}

fn initialise(weaver: &mut Weaver<'_>, watched: &Watched<'_>, tracker: &Tracker) {
    let mut ops = Vec::new();
    let mut assign = |place: &Place, rhs: Expr| {
        ops.push(Op::Assign {
            lhs: place.clone(),
            rhs,
        });
    };
    if let Some(state) = &tracker.state {
        assign(state, state_number(watched.automaton.initial));
    }
    assign(&tracker.choice, Expr::int(0, Types::INT));
    for (_, place, first) in &tracker.variables {
        assign(place, first.clone());
    }
    for (_, slots) in &tracker.sets {
        ops.extend(slots.clear());
    }
    let gap = weaver.gap_at_start();
    chain(weaver, gap.from, gap.to, ops, Loc::NONE);
}

fn state_number(position: usize) -> Expr {
    Expr::int(i64::try_from(position).expect("few states"), Types::INT)
}

struct Emitter<'e, 'a> {
    weaver: &'e mut Weaver<'a>,
    watched: &'e Watched<'e>,
    tracker: &'e Tracker,
    woven: &'e mut Woven,
    loc: Loc,
    /// Where the program goes on.
    to: NodeId,
    /// Whether this is the program's start, which every automaton sees.
    at_start: bool,
}

impl Emitter<'_, '_> {
    fn node(&mut self) -> NodeId {
        self.weaver.node(self.to)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, op: Op) {
        self.weaver.edge(from, to, op, self.loc);
    }

    fn chain(&mut self, from: NodeId, to: NodeId, ops: Vec<Op>) {
        chain(self.weaver, from, to, ops, self.loc);
    }

    /// Emits the reaction at a place: the state decides which transitions are considered.
    fn spot(&mut self, spot: &Spot, from: NodeId) {
        let Some(state) = &self.tracker.state else {
            for (position, transitions) in &spot.states {
                self.state(*position, transitions, from);
            }
            return;
        };
        let mut at = from;
        for (position, transitions) in &spot.states {
            let (here, other) = (self.node(), self.node());
            let value = Expr::load(state.clone());
            let cond = expr::binary(
                self.weaver.types(),
                BinOp::Eq,
                value,
                state_number(*position),
                Types::INT,
            );
            self.branch(&Cond::Atom(cond), at, here, other);
            self.state(*position, transitions, here);
            at = other;
        }
        self.edge(at, self.to, Op::Nop);
    }

    /// Emits the reaction in a state.
    fn state(&mut self, position: usize, transitions: &[Resolved], from: NodeId) {
        match self.watched.automaton.states[position].selection {
            Selection::First => self.first(position, transitions, from),
            Selection::All => self.all(position, transitions, from),
        }
    }

    /// The first transition that is enabled is taken.
    fn first(&mut self, position: usize, transitions: &[Resolved], from: NodeId) {
        let mut at = from;
        for transition in transitions {
            let (considered, asserted, taken, next) = (self.node(), self.node(), self.node(), self.node());
            self.branch(&transition.trigger, at, considered, next);
            self.assert(position, &transition.assertions, considered, asserted);
            self.branch(&transition.assumption, asserted, taken, next);
            self.take(position, transition, taken);
            at = next;
        }
        self.edge(at, self.to, Op::Nop);
    }

    /// Every transition that is enabled is taken: violations first, then one of the others by choice.
    fn all(&mut self, position: usize, transitions: &[Resolved], from: NodeId) {
        let mut at = from;
        for transition in transitions.iter().filter(|t| t.assertions != Cond::Const(true)) {
            let (considered, next) = (self.node(), self.node());
            self.branch(&transition.trigger, at, considered, next);
            self.assert(position, &transition.assertions, considered, next);
            at = next;
        }
        let kind = |wanted: fn(&Target) -> bool| transitions.iter().filter(move |t| wanted(&t.target));
        for transition in kind(|target| matches!(target, Target::Error(_))) {
            let (taken, next) = (self.node(), self.node());
            self.branch(&enabled(transition), at, taken, next);
            self.take(position, transition, taken);
            at = next;
        }
        let ways: Vec<&Resolved> = kind(|target| matches!(target, Target::State(_) | Target::Inactive)).collect();
        at = self.alternatives(position, &ways, at);
        let stops = kind(|target| matches!(target, Target::Stop)).map(enabled);
        let stop = stops.reduce(|a, b| Cond::Or(Box::new(a), Box::new(b)));
        if let Some(stop) = stop {
            // Nothing leads on from the first node.
            let (stopped, next) = (self.node(), self.node());
            self.branch(&stop, at, stopped, next);
            at = next;
        }
        self.edge(at, self.to, Op::Nop);
    }

    /// One of the enabled transitions is taken. Returns where control is if none is enabled.
    fn alternatives(&mut self, position: usize, ways: &[&Resolved], from: NodeId) -> NodeId {
        // Where control is if no transition before this one was enabled, or if one was, but was not chosen. A path that has chosen none of those that are
        // enabled ends; another one has chosen one.
        let (mut none, mut passed) = (from, None);
        for (i, transition) in ways.iter().enumerate() {
            let cond = enabled(transition);
            let open = ways[i + 1..].iter().any(|later| !self.exclude(&cond, &enabled(later)));
            let taken = self.node();
            let passing = if open { Some(self.node()) } else { None };
            let next = self.node();
            self.offer(&cond, none, taken, passing, next);
            none = next;
            passed = match passed {
                None => passing,
                Some(at) => {
                    let next = passing.unwrap_or_else(|| self.node());
                    self.offer(&cond, at, taken, passing, next);
                    Some(next)
                }
            };
            self.take(position, transition, taken);
        }
        none
    }

    /// From `at`, if the condition holds, to `taken`, or by choice to `passing`; else to `next`.
    fn offer(&mut self, cond: &Cond, at: NodeId, taken: NodeId, passing: Option<NodeId>, next: NodeId) {
        let Some(passing) = passing else {
            self.branch(cond, at, taken, next);
            return;
        };
        let (holds, chosen) = (self.node(), self.node());
        self.branch(cond, at, holds, next);
        let place = self.tracker.choice.clone();
        let source = Input::Choice(format!("which transition `{}` takes", self.watched.property));
        let choice = Expr::load(place.clone());
        self.edge(holds, chosen, Op::Havoc { place, source });
        self.branch(&Cond::Atom(choice), chosen, taken, passing);
    }

    /// Whether two conditions exclude each other by their form.
    fn exclude(&mut self, a: &Cond, b: &Cond) -> bool {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        literals(self.weaver, a, true, &mut left);
        literals(self.weaver, b, true, &mut right);
        left.iter().any(|(l, true_here)| {
            right.iter().any(|(r, true_there)| {
                (l == r && true_here != true_there) || (*true_here && *true_there && differ(l, r))
            })
        })
    }

    /// From `from` to `to` where the assertions hold; elsewhere the property is violated.
    fn assert(&mut self, position: usize, assertions: &Cond, from: NodeId, to: NodeId) {
        let violated = self.node();
        self.branch(assertions, from, to, violated);
        if *assertions != Cond::Const(true) {
            self.violate(position, Some("assertion"), violated);
        }
    }

    /// Emits the effects of a transition that is taken.
    fn take(&mut self, position: usize, transition: &Resolved, from: NodeId) {
        let mut at = from;
        if let Target::Error(message) = &transition.target {
            self.violate(position, message.as_deref(), at);
            return;
        }
        if transition.target == Target::Stop {
            return;
        }
        for text in &transition.prints {
            let next = self.node();
            self.edge(at, next, Op::Label(format!("{}: {text}", self.watched.property)));
            at = next;
        }
        for effect in &transition.effects {
            let next = self.node();
            self.effect(effect, at, next);
            at = next;
        }
        let next = match transition.target {
            Target::State(next) => Some(next),
            _ => None,
        };
        let counted = next != Some(position) || !transition.effects.is_empty();
        if counted && !self.at_start {
            let named = next.filter(|_| self.tracker.state.is_some()).unwrap_or(position);
            let label = self.transition(position, Some(named).filter(|_| next.is_some()));
            self.woven.transitions.push(label.clone());
            if next == Some(position) || self.tracker.state.is_none() {
                let seen = self.node();
                self.edge(at, seen, Op::Label(label));
                at = seen;
            }
        }
        self.enter(position, next, at);
    }

    /// How a trace names a change of the state.
    fn transition(&self, old: usize, new: Option<usize>) -> String {
        let states = &self.watched.automaton.states;
        let name = new.map_or("off", |new| &states[new].name);
        format!("{}: {} -> {name}", self.watched.property, states[old].name)
    }

    /// From `at` on with the program, in another state; `None` switches the automaton off.
    fn enter(&mut self, old: usize, new: Option<usize>, at: NodeId) {
        let to = self.to;
        let Some(state) = self.tracker.state.clone().filter(|_| new != Some(old)) else {
            return self.edge(at, to, Op::Nop);
        };
        let label = Op::Label(self.transition(old, new));
        let rhs = new.map_or(Expr::int(INACTIVE, Types::INT), state_number);
        self.chain(at, to, vec![label, Op::Assign { lhs: state, rhs }]);
    }

    /// The violation, behind which the program goes on for other properties.
    fn violate(&mut self, position: usize, message: Option<&str>, at: NodeId) {
        let property = self.watched.property;
        let label = match message {
            Some(message) => format!("{property}: error: {message}"),
            None => format!(
                "{property}: error in state {}",
                self.watched.automaton.states[position].name
            ),
        };
        let next = self.node();
        self.edge(at, next, Op::Label(label.clone()));
        self.woven.errors.push(label);
        self.enter(position, None, next);
    }

    fn effect(&mut self, effect: &Effect, from: NodeId, to: NodeId) {
        match effect {
            Effect::Assign(place, value) => {
                let (lhs, rhs) = (place.clone(), value.clone());
                self.edge(from, to, Op::Assign { lhs, rhs });
            }
            Effect::Member { set, element, put } => {
                let (name, slots) = &self.tracker.sets[*set];
                if !put {
                    let offers = slots.take(self.weaver, element);
                    let rest = self.offers(offers, from, to);
                    return self.edge(rest, to, Op::Nop);
                }
                let absent = self.node();
                let contains = slots.contains(self.weaver, element);
                self.branch(&contains, from, to, absent);
                let full = self.offers(slots.put(element), absent, to);
                let property = self.watched.property;
                let label = format!("{property}: the set {name} is full");
                let reason = format!("the set `{name}` would hold more than {} elements", super::sets::SLOTS);
                if !self.woven.limits.iter().any(|(known, _)| *known == label) {
                    self.woven.limits.push((label.clone(), reason));
                }
                self.edge(full, to, Op::Label(label));
            }
        }
    }

    /// The first condition that holds decides which operations are done on the way to `to`. Returns the node of control if none holds.
    fn offers(&mut self, offers: Vec<(Cond, Vec<Op>)>, from: NodeId, to: NodeId) -> NodeId {
        let mut at = from;
        for (cond, ops) in offers {
            let (yes, no) = (self.node(), self.node());
            self.branch(&cond, at, yes, no);
            self.chain(yes, to, ops);
            at = no;
        }
        at
    }

    /// A condition as branches.
    fn branch(&mut self, cond: &Cond, from: NodeId, yes: NodeId, no: NodeId) {
        match cond {
            Cond::Const(truth) => self.edge(from, if *truth { yes } else { no }, Op::Nop),
            Cond::Atom(atom) => {
                let (cond, truth) = expr::condition(self.weaver.types(), atom.clone(), true);
                for (to, truth) in [(yes, truth), (no, !truth)] {
                    let cond = cond.clone();
                    self.edge(from, to, Op::Assume { cond, truth });
                }
            }
            Cond::In(set, value) => {
                let cond = self.tracker.sets[*set].1.contains(self.weaver, value);
                self.branch(&cond, from, yes, no);
            }
            Cond::Empty(set) => self.branch(&self.tracker.sets[*set].1.empty(), from, yes, no),
            Cond::Not(inner) => self.branch(inner, from, no, yes),
            Cond::And(a, b) => {
                let both = self.node();
                self.branch(a, from, both, no);
                self.branch(b, both, yes, no);
            }
            Cond::Or(a, b) => {
                let neither = self.node();
                self.branch(a, from, yes, neither);
                self.branch(b, neither, yes, no);
            }
        }
    }
}

/// The condition that a transition is enabled.
fn enabled(transition: &Resolved) -> Cond {
    Cond::all([transition.trigger.clone(), transition.assumption.clone()])
}

/// The conjuncts of a condition, with the truth value that each must have.
fn literals(weaver: &mut Weaver<'_>, cond: &Cond, wanted: bool, found: &mut Vec<(Cond, bool)>) {
    match cond {
        Cond::Not(inner) => literals(weaver, inner, !wanted, found),
        Cond::And(a, b) if wanted => {
            literals(weaver, a, wanted, found);
            literals(weaver, b, wanted, found);
        }
        Cond::Or(a, b) if !wanted => {
            literals(weaver, a, wanted, found);
            literals(weaver, b, wanted, found);
        }
        Cond::Atom(atom) => {
            let (mut cond, mut truth) = expr::condition(weaver.types(), atom.clone(), wanted);
            // Of an operator and its opposite, one stands for both.
            if let ExprKind::Binary(BinOp::Ne | BinOp::Gt | BinOp::Ge, ..) = cond.kind {
                let opposite = expr::unary(weaver.types(), UnOp::LogNot, cond.clone());
                if matches!(opposite.kind, ExprKind::Binary(..)) {
                    (cond, truth) = (opposite, !truth);
                }
            }
            found.push((Cond::Atom(cond), truth));
        }
        other => found.push((other.clone(), wanted)),
    }
}

/// Whether two atoms say that one value is two different constants.
fn differ(a: &Cond, b: &Cond) -> bool {
    fn constant(cond: &Cond) -> Option<(&Expr, &Int)> {
        match cond {
            Cond::Atom(Expr {
                kind: ExprKind::Binary(BinOp::Eq, left, right),
                ..
            }) => Some((left, right.as_const()?)),
            _ => None,
        }
    }
    match (constant(a), constant(b)) {
        (Some((x, c)), Some((y, d))) => x == y && c != d,
        _ => false,
    }
}
