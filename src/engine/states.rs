//! The states of an exploration with explicit values, as claims.
//!
//! The exploration is repeated with every state noted at which a block ends: at loop heads and at entries of recursive functions. What is claimed at
//! such a place is the disjunction of its states, each of them a conjunction over the program's variables ([`assertion`]). Paths of the
//! exploration end at states that were there before, so the disjunction is inductive, unless what a conjunction leaves out is needed.
//! Nobody has to believe that: the obligations say it again, without the exploration.
//!
//! A loop of a hundred thousand rounds has as many states at its head, and no solver wants to read them. So there is a limit.

use super::certificate::{Certificate, Claim, Origin};
use super::session::Session;
use super::{Reason, explicit};
use crate::cfa::{EdgeId, NodeId};
use crate::cpa::points::Points;
use crate::cpa::value::assertion::{Assertion, Cell, Literal, Owners, assertion, calls};
use crate::cpa::value::{Compiled, Event, Explorer};
use crate::encode::{Arith, Encoder};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// More states are not claimed.
const MOST_STATES: usize = 5_000;
/// Nor more conjuncts in all of them.
const MOST_LITERALS: usize = 200_000;

/// The states of each place: a location under a call stack.
type Places = BTreeMap<(NodeId, Vec<EdgeId>), BTreeSet<Assertion>>;

/// The claims of the states for the properties that hold.
///
/// # Errors
/// There are too many states, or the exploration does not prove all of these properties.
pub(super) fn claims_of_states(session: &mut Session<'_, '_>, holding: &[bool]) -> Result<Certificate, Reason> {
    if session.options.arith != Arith::Machine {
        return Err(Reason("the run is about other integers than those of the machine".to_string()));
    }
    let reason = |text: String| Reason(text);
    let mut targets: BTreeSet<EdgeId> = BTreeSet::new();
    let mut untracked = BTreeSet::new();
    for (property, &holds) in session.properties.iter().zip(holding) {
        match holds {
            true => targets.extend(&property.targets),
            false => untracked.extend(property.tracking.watcher),
        }
    }
    let code = Compiled::without(session.program, untracked);
    let mut explorer = Explorer::new(&code, targets.into_iter());
    explorer.pause_at_cuts();
    let (mut places, mut lost) = (Places::new(), BTreeSet::new());
    let (mut owners, mut count, mut literals) = (Owners::new(&code), 0, 0);
    let limit = session.options.explicit.steps;
    // Before the first step everything is possible.
    let start = session.program.function(session.program.start).entry;
    places.insert((start, Vec::new()), BTreeSet::from([Assertion::default()]));
    let result = loop {
        let slice = limit.min(explorer.steps + explicit::SLICE);
        match explorer.run(slice) {
            Event::Cut => {
                let state = explorer.state();
                let (assertion, left_out) = assertion(&code, &mut owners, state);
                let place = (state.node, calls(state));
                lost.extend(left_out);
                let size = assertion.literals.len();
                if places.entry(place).or_default().insert(assertion) {
                    (count, literals) = (count + 1, literals + size);
                }
                if count > MOST_STATES || literals > MOST_LITERALS {
                    let position = session.program.sources.resolve(session.program.node(state.node).loc);
                    break Err(reason(format!(
                        "there are more than {MOST_STATES} states or {MOST_LITERALS} conjuncts to claim, the last of them at {position}"
                    )));
                }
            }
            Event::Complete => break Ok(()),
            Event::Target(_) => break Err(reason("a path of the exploration takes a violating edge".to_string())),
            Event::Unmodelled(what) => break Err(reason(format!("the exploration does not model {what}"))),
            Event::Exhausted if explorer.steps >= limit => break Err(reason("the steps were used up".to_string())),
            Event::Exhausted if session.limit_reached().is_some() => break Err(reason("it was interrupted".to_string())),
            Event::Exhausted => {}
        }
    };
    session.statistics.set("claimed states", u64::try_from(count).unwrap_or(u64::MAX));
    result?;
    let properties = (0..holding.len()).filter(|&property| holding[property]).collect();
    Ok(certificate(session, properties, places, lost))
}

fn certificate(
    session: &Session<'_, '_>,
    properties: Vec<usize>,
    places: Places,
    lost: BTreeSet<&'static str>,
) -> Certificate {
    let mut writer = Writer {
        encoder: &session.cpa.domain.encoder,
        pool: TermPool::new(),
        names: FxHashMap::default(),
    };
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    for ((node, calls), assertions) in places {
        for assertion in assertions {
            claims.push(Claim {
                node,
                calls: calls.clone(),
                known: Vec::new(),
                formula: formulas.len(),
            });
            formulas.push(writer.conjunction(&assertion));
        }
    }
    Certificate {
        properties,
        arith: Arith::Machine,
        claims,
        formulas: writer.pool.export(&formulas),
        points: Points::default(),
        origin: Origin::Explicit(lost),
    }
}

struct Writer<'e, 'p> {
    encoder: &'e Encoder<'p>,
    pool: TermPool,
    names: FxHashMap<(crate::cfa::VarId, u32), Vec<String>>,
}

impl Writer<'_, '_> {
    fn cell(&mut self, cell: Cell) -> TermId {
        let names = self.names.entry((cell.var, cell.depth));
        let names = names.or_insert_with(|| self.encoder.variable_names(cell.var, cell.depth));
        let name = self.pool.symbol(&names[cell.leaf]);
        self.pool.int_var(name, NO_INDEX)
    }

    fn number(&mut self, number: i128) -> TermId {
        self.pool.int(Int::from(number))
    }

    fn conjunction(&mut self, assertion: &Assertion) -> TermId {
        let mut parts = Vec::new();
        for &literal in &assertion.literals {
            let part = self.literal(literal);
            parts.push(part);
        }
        self.pool.and(&parts)
    }

    fn literal(&mut self, literal: Literal) -> TermId {
        match literal {
            Literal::Is(cell, number) => {
                let (cell, number) = (self.cell(cell), self.number(number));
                self.pool.eq(cell, number)
            }
            Literal::Not(cell, number) => {
                let (cell, number) = (self.cell(cell), self.number(number));
                self.pool.ne(cell, number)
            }
            Literal::Within(cell, lo, hi) => {
                let (cell, lo, hi) = (self.cell(cell), self.number(lo), self.number(hi));
                let bounds = [self.pool.le(lo, cell), self.pool.le(cell, hi)];
                self.pool.and(&bounds)
            }
            Literal::Distance(a, b, number) => {
                let (a, sum) = self.sides(a, b, number);
                self.pool.eq(a, sum)
            }
            Literal::AtMost(a, b, number) => {
                let (a, sum) = self.sides(a, b, number);
                self.pool.le(a, sum)
            }
            Literal::Differs(a, b, number) => {
                let (a, sum) = self.sides(a, b, number);
                self.pool.ne(a, sum)
            }
        }
    }

    /// The first scalar, and the second plus a number.
    fn sides(&mut self, a: Cell, b: Cell, number: i128) -> (TermId, TermId) {
        let (a, b, number) = (self.cell(a), self.cell(b), self.number(number));
        (a, self.pool.add(b, number))
    }
}
