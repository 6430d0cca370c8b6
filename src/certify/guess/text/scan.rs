//! The conditions, assignments and loop heads of a program, as far as control can come.

use crate::cfa::analysis::graph::loop_body;
use crate::cfa::{EdgeId, NodeId, Op, Program, Step, VarKind, is_call};
use crate::encode::{Encoder, Frame, is_product};
use crate::query::points::Points;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool, UpdateSource};
use std::collections::{BTreeMap, BTreeSet};

/// A program with more places is too long for guesses.
const MAX_PLACES: usize = 4_000;
/// So is one with more loop heads.
const MAX_HEADS: usize = 40;
/// The most steps of a loop without choices.
const MAX_ENDLESS: usize = 8;
/// More conditions and assignments are not looked at.
const MAX_TERMS: usize = 400;

/// The exponents of two beside which types end.
const ENDS: [u32; 8] = [7, 8, 15, 16, 31, 32, 63, 64];

/// The exponents of long periods, also where a common factor was taken out of them.
const LONG: [u32; 6] = [30, 31, 32, 62, 63, 64];

/// Intermediate values that are set to intermediate values.
const MAX_NESTING: usize = 4;

/// The assignments of a variable.
#[derive(Default, Debug)]
pub struct Assigned {
    /// The numbers that it is set to.
    pub numbers: BTreeSet<Int>,
    /// The other terms, of variables.
    pub terms: BTreeSet<TermId>,
    /// Whether other values are assigned as well.
    pub is_opaque: bool,
}

/// The text of a program. Terms have no versions.
#[derive(Default, Debug)]
pub struct Scan {
    /// The loop heads, each under a call stack, in order of discovery.
    pub heads: Vec<(NodeId, Vec<EdgeId>)>,
    /// The atoms of conditions and assignments.
    pub atoms: BTreeSet<TermId>,
    /// The assignments of elements: equations between an element and a term.
    pub writes: BTreeSet<TermId>,
    /// The assignments of elements that depend on what the element was: the element, and the term.
    pub updates: BTreeSet<(TermId, TermId)>,
    /// The assignments of variables.
    pub assigned: BTreeMap<SymbolId, Assigned>,
    /// For each loop the conditions on its ways out, of which one holds behind it.
    pub exits: BTreeSet<TermId>,
    /// Products with numbers.
    pub points: Points,
}

impl Scan {
    /// Looks at all edges on the ways from the program's start; `None` if there are too many, or functions are recursive.
    pub fn of(encoder: &mut Encoder<'_>, pool: &mut TermPool) -> Option<Scan> {
        let program = encoder.program();
        let mut scan = Scan::default();
        let mut seen: BTreeSet<(NodeId, Vec<EdgeId>)> = BTreeSet::new();
        let mut passed: BTreeSet<Step> = BTreeSet::new();
        let mut heads = 0;
        let mut open = vec![(program.function(program.start).entry, Vec::new())];
        while let Some((node, calls)) = open.pop() {
            if !seen.insert((node, calls.clone())) {
                continue;
            }
            let location = program.node(node);
            if location.loop_head {
                scan.heads.push((node, calls.clone()));
                heads += usize::from(!is_endless(program, node));
            }
            let is_recursive = program.function(location.func).recursive;
            if is_recursive || seen.len() > MAX_PLACES || heads > MAX_HEADS {
                return None;
            }
            let mut steps = Vec::new();
            if program.function(location.func).exit == node {
                let mut below = calls;
                if let Some(call) = below.pop() {
                    steps.push((Step::Leave(call), (program.edge(call).to, below)));
                }
            } else {
                for &edge in &location.outgoing {
                    steps.push(match is_call(program, edge) {
                        Some(callee) => {
                            let inner = calls.iter().copied().chain([edge]).collect();
                            (Step::Enter(edge), (program.function(callee).entry, inner))
                        }
                        None => (Step::Edge(edge), (program.edge(edge).to, calls.clone())),
                    });
                }
            }
            for (step, to) in steps {
                passed.insert(step);
                open.push(to);
            }
        }
        if scan.heads.is_empty() {
            return None;
        }
        for step in passed {
            scan.look(encoder, pool, step);
        }
        let heads: BTreeSet<NodeId> = scan.heads.iter().map(|head| head.0).collect();
        for head in heads {
            scan.leave(encoder, pool, head);
        }
        if scan.atoms.len() + scan.writes.len() > MAX_TERMS {
            return None;
        }
        scan.resolve(encoder, pool);
        Some(scan)
    }

    /// Replaces intermediate values by what they are set to, and variables that have one value; terms about an intermediate value that is set to several, or to an input, are dropped.
    fn resolve(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool) {
        let program = encoder.program();
        let mut temporaries = BTreeSet::new();
        let mut replaced = FxHashMap::default();
        for var in program.var_ids().filter(|&var| program.var(var).kind == VarKind::Temp) {
            for name in encoder.variable_names(var, 0) {
                let name = pool.symbol(&name);
                temporaries.insert(name);
                if let Some(assigned) = self.assigned.get(&name)
                    && let (1, 0, false) = (assigned.terms.len(), assigned.numbers.len(), assigned.is_opaque)
                {
                    let own = pool.int_var(name, NO_INDEX);
                    replaced.extend(assigned.terms.first().map(|&term| (own, term)));
                }
            }
        }
        for (&name, assigned) in &self.assigned {
            if let (0, 1, false) = (assigned.terms.len(), assigned.numbers.len(), assigned.is_opaque) {
                let own = pool.int_var(name, NO_INDEX);
                let number = assigned.numbers.first().cloned().unwrap_or_default();
                replaced.insert(own, pool.int(number));
            }
        }
        let points = &mut self.points;
        let mut one = |pool: &mut TermPool, term: TermId| {
            let mut term = term;
            for _ in 0..MAX_NESTING {
                term = pool.substitute(term, &replaced);
            }
            let term = multiplied(pool, points, term);
            let term = unwrapped(pool, term);
            let is_temporary = |name: SymbolId| temporaries.contains(&name);
            (!pool.symbols(term).iter().any(|symbol| is_temporary(symbol.name))).then_some(term)
        };
        let updates = std::mem::take(&mut self.updates).into_iter();
        let updates = updates.filter_map(|(element, value)| Some((one(pool, element)?, one(pool, value)?)));
        self.updates = updates.collect();
        let mut resolved = |pool: &mut TermPool, terms: &BTreeSet<TermId>| -> BTreeSet<TermId> {
            terms.iter().filter_map(|&term| one(pool, term)).collect()
        };
        // With a number in the place of a variable, an atom may be the opposite of one, or be decided.
        let atoms = resolved(pool, &self.atoms);
        let mut both = Vec::new();
        for atom in atoms {
            // A signed counter below an unsigned number is compared with it as it stands, unless it is negative.
            both.extend([atom, not_wrapped(pool, atom)]);
        }
        let atoms: BTreeSet<TermId> = both.into_iter().flat_map(|atom| pool.atoms(atom)).collect();
        self.atoms = atoms.into_iter().filter(|&atom| !is_range(pool, atom)).collect();
        self.writes = resolved(pool, &self.writes);
        self.exits = resolved(pool, &self.exits);
        for assigned in self.assigned.values_mut() {
            let terms = resolved(pool, &assigned.terms);
            assigned.is_opaque |= terms.len() < assigned.terms.len();
            let (numbers, terms) = terms.into_iter().partition(|&term| pool.as_const(term).is_some());
            assigned.terms = terms;
            let numbers: BTreeSet<TermId> = numbers;
            assigned
                .numbers
                .extend(numbers.into_iter().filter_map(|number| pool.as_const(number).cloned()));
        }
        // The length of an array is an intermediate value.
        let is_number =
            |assigned: &Assigned| assigned.terms.is_empty() && assigned.numbers.len() == 1 && !assigned.is_opaque;
        self.assigned
            .retain(|name, assigned| !temporaries.contains(name) || is_number(assigned));
    }

    /// Looks at the conditions on the ways out of a loop.
    fn leave(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, head: NodeId) {
        let program = encoder.program();
        let body: BTreeSet<NodeId> = loop_body(program, head).into_iter().collect();
        let edges = body
            .iter()
            .flat_map(|&node| program.node(node).outgoing.iter().copied());
        let out: Vec<EdgeId> = edges.filter(|&edge| !body.contains(&program.edge(edge).to)).collect();
        let mut conditions = Vec::new();
        for edge in out {
            let before = encoder.empty(pool);
            let frame = Frame { caller: 0, callee: 0 };
            let after = encoder.step(pool, &before, Step::Edge(edge), frame);
            if !matches!(program.edge(edge).op, Op::Assume { .. }) || !is_before(pool, after.formula) {
                return;
            }
            conditions.push(encoder.uninstantiate(pool, after.formula));
        }
        self.exits.insert(pool.or(&conditions));
    }

    /// Looks at a step.
    fn look(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, step: Step) {
        let frame = Frame { caller: 0, callee: 0 };
        let before = encoder.empty(pool);
        let after = encoder.step(pool, &before, step, frame);
        let written: BTreeSet<SymbolId> = after
            .ssa
            .entries()
            .into_iter()
            .map(|(slot, _)| pool.symbol(&encoder.slot_name(slot)))
            .collect();
        let mut defined = BTreeSet::new();
        for conjunct in pool.conjuncts(after.formula) {
            if let Some((name, value)) = definition(encoder, pool, conjunct) {
                defined.insert(name);
                let assigned = self.assigned.entry(name).or_default();
                match pool.as_const(value) {
                    Some(number) => drop(assigned.numbers.insert(number.clone())),
                    None => drop(assigned.terms.insert(encoder.uninstantiate(pool, value))),
                }
            }
        }
        for name in written.difference(&defined) {
            self.assigned.entry(*name).or_default().is_opaque = true;
        }
        for term in pool.sub_terms(&[after.formula]) {
            match pool.term(term).clone() {
                Term::Le(_) | Term::Eq(_) if is_before(pool, term) && !is_range(pool, term) => {
                    self.atoms.insert(encoder.uninstantiate(pool, term));
                }
                Term::Update {
                    new,
                    lo,
                    hi,
                    source: UpdateSource::Const(value),
                    ..
                } if is_before(pool, lo) && is_before(pool, value) => {
                    let one = pool.int(1);
                    if pool.add(lo, one) == hi {
                        let element = pool.app(new.name, 0, &[lo]);
                        if pool.sub_terms(&[value]).contains(&element) {
                            let pair = [element, value].map(|term| encoder.uninstantiate(pool, term));
                            self.updates.insert((pair[0], pair[1]));
                            continue;
                        }
                        let equation = pool.eq(element, value);
                        self.writes.insert(encoder.uninstantiate(pool, equation));
                    }
                }
                _ => {}
            }
        }
    }
}

/// A term in which products with a number are multiples; points say that they are.
fn multiplied(pool: &mut TermPool, points: &mut Points, mut term: TermId) -> TermId {
    loop {
        let mut replaced = FxHashMap::default();
        for inner in pool.sub_terms(&[term]) {
            let Term::App(symbol, arguments) = pool.term(inner).clone() else {
                continue;
            };
            let [first, second] = arguments[..] else { continue };
            if symbol.index != NO_INDEX || !is_product(pool.name(symbol.name)) {
                continue;
            }
            let factors = [(first, second), (second, first)];
            let known = factors
                .into_iter()
                .find_map(|(number, other)| Some((pool.as_const(number)?.clone(), other)));
            if let Some((number, other)) = known {
                points.scale(pool.name(symbol.name), &number, pool.as_const(first).is_some());
                replaced.insert(inner, pool.scale(&number, other));
            }
        }
        if replaced.is_empty() {
            return term;
        }
        term = pool.substitute(term, &replaced);
    }
}

/// A term in which the addresses of elements do not wrap around: there are no elements where they would.
fn unwrapped(pool: &mut TermPool, term: TermId) -> TermId {
    let mut replaced = FxHashMap::default();
    for element in pool.sub_terms(&[term]) {
        let Term::App(symbol, arguments) = pool.term(element).clone() else {
            continue;
        };
        let [address] = arguments[..] else { continue };
        let plain = not_wrapped(pool, address);
        if plain != address {
            replaced.insert(element, pool.app(symbol.name, symbol.index, &[plain]));
        }
    }
    pool.substitute(term, &replaced)
}

/// A term in which no number has wrapped around.
pub fn not_wrapped(pool: &mut TermPool, mut term: TermId) -> TermId {
    loop {
        let mut plain = FxHashMap::default();
        for inner in pool.sub_terms(&[term]) {
            match pool.term(inner) {
                &Term::Ite(_, yes, no) => {
                    let distance = pool.sub(yes, no);
                    let periods = [8, 16, 32, 64].map(Int::pow2);
                    if pool
                        .as_const(distance)
                        .is_some_and(|distance| periods.contains(&distance.abs()))
                    {
                        let offset = |branch| pool.for_each_monomial(branch, |_, _| {}).abs();
                        plain.insert(inner, if offset(yes) < offset(no) { yes } else { no });
                    }
                }
                // The number of periods that a product with a number is beyond its type.
                Term::Div(_, period) if LONG.map(Int::pow2).contains(period) => {
                    plain.insert(inner, pool.int(0));
                }
                _ => {}
            }
        }
        if plain.is_empty() {
            return term;
        }
        // Each round leaves fewer conditionals inside each other.
        term = pool.substitute(term, &plain);
    }
}

/// Whether a term is about the state before the step: about variables and elements of memory of the first version.
fn is_before(pool: &TermPool, term: TermId) -> bool {
    pool.symbols(term).iter().all(|symbol| symbol.index == 0)
}

/// The equation of a variable behind the step with a term before it.
fn definition(encoder: &Encoder<'_>, pool: &mut TermPool, formula: TermId) -> Option<(SymbolId, TermId)> {
    let Term::Eq(sum) = *pool.term(formula) else {
        return None;
    };
    let mut written = Vec::new();
    pool.for_each_monomial(sum, |factor, term| {
        if let Term::IntVar(symbol) = *pool.term(term)
            && symbol.index != 0
            && encoder.slot_of(pool.name(symbol.name)).is_some()
        {
            written.push((factor.clone(), term, symbol));
        }
    });
    let [(factor, variable, symbol)] = &written[..] else {
        return None;
    };
    if factor.abs() != Int::ONE {
        return None;
    }
    // factor * variable + rest = 0
    let own = pool.scale(factor, *variable);
    let rest = pool.sub(sum, own);
    let value = pool.scale(&-factor, rest);
    is_before(pool, value).then_some((symbol.name, value))
}

/// Whether an atom compares one term with the end of a type, which is true anyway, or a sum with that of a wide one, where it wraps around.
fn is_range(pool: &TermPool, atom: TermId) -> bool {
    let Term::Le(sum) = *pool.term(atom) else {
        return false;
    };
    let mut terms = 0;
    let constant = pool.for_each_monomial(sum, |_, _| terms += 1);
    let size = constant.abs();
    let is_near = |bits: u32| (&size - &Int::pow2(bits)).abs() <= Int::from(2);
    let ends: &[u32] = if terms == 1 { &ENDS } else { &ENDS[4..] };
    ends.iter().copied().any(is_near)
}

/// Whether a loop has no way out and no choice, as `ERROR: goto ERROR;`.
fn is_endless(program: &Program, head: NodeId) -> bool {
    let mut at = head;
    for _ in 0..MAX_ENDLESS {
        let [edge] = program.node(at).outgoing[..] else {
            return false;
        };
        at = program.edge(edge).to;
        if at == head {
            return true;
        }
    }
    false
}
