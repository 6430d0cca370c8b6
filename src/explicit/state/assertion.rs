//! A state as a conjunction over the program's variables, for checks of the results of an exploration.
//!
//! A symbol means nothing outside of its path. So one variable whose value is the symbol plus a constant represents it: facts about the symbol become facts
//! about that variable, and each other variable that holds the symbol has a constant distance to it. That is the projection of the state to its
//! variables, where each symbol that matters is the value of some variable, up to a constant. A fact without such a form is *lost*: the
//! conjunction is weaker than the state, and its user has to find out whether it is strong enough. Quotients of a variable by a number, and its lowest bits,
//! count as variables ([`Derived`]), and sums are sums of variables, modulo a power of two where they may wrap around; results of other operations without an exact form are lost.
//!
//! Only what may be read again is mentioned ([`crate::cfa::analysis::live`]).

use super::State;
use super::same::frames;
use crate::cfa::program::math;
use crate::cfa::program::math::Shape;
use crate::cfa::{BinOp, EdgeId, FuncId, VarId};
use crate::explicit::Value;
use crate::explicit::compiled::code::{ObjectId, Scalar, Word};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::value::arith::{bounds, low_bits, mask, number};
use crate::explicit::value::memo::Known;
use crate::explicit::value::object::{Found, Kind, Object};
use crate::explicit::value::relation;
use crate::explicit::value::sum::Sum;
use crate::explicit::value::symbol::{Facts, Linear, SymbolId};
use crate::explicit::value::words::Words;
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A function of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Derived {
    /// The scalar itself.
    Itself,
    /// The quotient by a number other than 0, rounded towards 0.
    Quotient(i128),
    /// The remainder of that division.
    Remainder(i128),
    /// The given number of lowest bits, as a number that is not negative.
    LowBits(u32),
}

impl Derived {
    /// The result of an operation with a number, if it is one of these.
    fn of(op: BinOp, number: i128) -> Option<Derived> {
        match op {
            BinOp::Div if number != 0 => Some(Derived::Quotient(number)),
            BinOp::Rem if number != 0 => Some(Derived::Remainder(number)),
            BinOp::And if number > 0 && (number + 1).count_ones() == 1 => Some(Derived::LowBits(number.count_ones())),
            _ => None,
        }
    }
}

/// A scalar of a variable: of one outside of memory, or an element of an array of integers in memory; or what is computed from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The variable.
    pub var: VarId,
    /// The number of the scalar in it, in order of declaration; of an array in memory, the index.
    pub leaf: usize,
    /// The number of older frames of its function; 0 in static storage.
    pub depth: u32,
    /// The function of the scalar.
    pub derived: Derived,
}

impl Cell {
    /// A scalar itself.
    pub(in crate::explicit) fn new(var: VarId, leaf: usize, depth: u32) -> Cell {
        Cell {
            var,
            leaf,
            depth,
            derived: Derived::Itself,
        }
    }
}

/// A fact about scalars, as mathematical integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Literal {
    /// It is this number.
    Is(Cell, i128),
    /// It is at least the first number and at most the second.
    Within(Cell, i128, i128),
    /// It is not this number.
    Not(Cell, i128),
    /// The first is the second plus this number.
    Distance(Cell, Cell, i128),
    /// The first minus the second is this number, or 2 to the power of the width less: a sum that may wrap around.
    Turned(Cell, Cell, i128, u32),
    /// The first minus the second is at most this number.
    AtMost(Cell, Cell, i128),
    /// The first minus the second is not this number.
    Differs(Cell, Cell, i128),
    /// The sum of these, with these factors, is at least the first number and at most the second.
    Sum(Rc<[(Cell, i128)]>, i128, i128),
    /// The sum of these, with these factors, is this number modulo 2 to the power of the width.
    Congruent(Rc<[(Cell, i128)]>, i128, u32),
}

impl Literal {
    /// The variables that it is about; one of them may come several times.
    pub fn vars(&self) -> Vec<VarId> {
        match self {
            Literal::Is(a, _) | Literal::Within(a, ..) | Literal::Not(a, _) => vec![a.var],
            Literal::Distance(a, b, _)
            | Literal::Turned(a, b, ..)
            | Literal::AtMost(a, b, _)
            | Literal::Differs(a, b, _) => vec![a.var, b.var],
            Literal::Sum(terms, ..) | Literal::Congruent(terms, ..) => terms.iter().map(|(cell, _)| cell.var).collect(),
        }
    }
}

/// Numbers of this size or more are lost: differences and sums of a few others are still in the range of the type.
const MAX_NUMBER: u128 = 1 << 120;

/// A kind of facts that may be lost.
const WRAPS: &str = "sums that may wrap around";

/// The most elements of an array with facts.
const MAX_ELEMENTS: u64 = 64;

/// The facts of a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Assertion {
    /// The conjuncts, sorted.
    pub literals: Vec<Literal>,
}

/// Which variables the slots belong to, function by function.
pub struct Owners {
    statics: Vec<(VarId, usize)>,
    frames: FxHashMap<FuncId, Vec<(VarId, usize)>>,
}

impl Owners {
    /// The owners of the slots of static storage; those of functions are looked up when they are first asked for.
    pub fn new(code: &Compiled<'_>) -> Owners {
        Owners {
            statics: code.owners(None),
            frames: FxHashMap::default(),
        }
    }

    /// The owners of the slots of static storage.
    pub(in crate::explicit) fn statics(&self) -> &[(VarId, usize)] {
        &self.statics
    }

    /// The owners of the slots of a function's frame.
    pub(in crate::explicit) fn of_frame(&mut self, code: &Compiled<'_>, func: FuncId) -> &[(VarId, usize)] {
        self.frames.entry(func).or_insert_with(|| code.owners(Some(func)))
    }
}

/// The part of a state that is kept where the program is cut into blocks.
///
/// This is the precision of Beyer and Löwe, FASE 2013, applied at cuts only: in between everything is tracked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Precision {
    /// The variables outside of memory that keep numbers and addresses.
    pub variables: BTreeSet<VarId>,
    /// Those that keep symbols, with what is known of these.
    pub symbolic: BTreeSet<VarId>,
}

/// Forgets the facts that a precision does not keep. The result includes the state.
pub fn abstracted(code: &Compiled<'_>, owners: &mut Owners, state: &mut State, precision: &Precision) {
    let forgotten = |state: &State, (var, _): (VarId, usize), value: Value, scalar: Scalar| {
        let settled = state.settled(value, scalar.width());
        let keepers = match settled {
            Value::Symbol { .. } => &precision.symbolic,
            _ => &precision.variables,
        };
        match keepers.contains(&var) {
            true => settled,
            false => Value::Unknown,
        }
    };
    for at in 0..state.globals.len() {
        let value = forgotten(state, owners.statics[at], state.globals[at], code.statics.scalars[at]);
        state.globals.set(at, value);
    }
    for depth in 0..=state.below.len() {
        let frame = state.below.get(depth).map_or(&state.top, |frame| &**frame);
        let func = frame.func;
        let owners = owners.frames.entry(func).or_insert_with(|| code.owners(Some(func)));
        let scalars = &code.frame(func).scalars;
        let mut slots = frame.slots.clone();
        for (at, (&owner, &scalar)) in owners.iter().zip(scalars).enumerate() {
            slots.set(at, forgotten(state, owner, slots[at], scalar));
        }
        match state.below.get_mut(depth) {
            Some(frame) if frame.slots == slots => {}
            Some(frame) => Rc::make_mut(frame).slots = slots,
            None => state.top.slots = slots,
        }
    }
    state.settle_objects();
}

/// The open calls of a state, outermost first.
pub fn calls(state: &State) -> Vec<EdgeId> {
    let below = state.below.iter().map(|frame| &**frame);
    below.chain([&state.top]).filter_map(|frame| frame.call).collect()
}

/// A state as a conjunction, and the kinds of facts that are lost.
pub fn assertion(code: &Compiled<'_>, owners: &mut Owners, state: &State) -> (Assertion, BTreeSet<&'static str>) {
    let mut projection = Projection {
        code,
        state,
        holders: Vec::new(),
        literals: Vec::new(),
        lost: BTreeSet::new(),
        lower: Value::Unknown,
    };
    for (&(var, ..), object) in code.statics.objects.iter().zip(state.statics()) {
        projection.object(var, object, 0);
    }
    for ((&(var, leaf), &value), &scalar) in owners
        .statics
        .iter()
        .zip(state.globals.iter())
        .zip(&code.statics.scalars)
    {
        projection.scalar(Cell::new(var, leaf, 0), value, scalar);
    }
    let open: Vec<FuncId> = frames(code, state).map(|(frame, _)| frame.func).collect();
    for (position, (frame, node)) in frames(code, state).enumerate() {
        let older = open[position + 1..].iter().filter(|&&func| func == frame.func).count();
        let depth = u32::try_from(older).expect("fewer than 2^32 frames");
        for (id, &(var, ..)) in (frame.first_object..).zip(&code.frame(frame.func).objects) {
            if let Some(object) = state.object(ObjectId(id)) {
                projection.object(var, object, depth);
            }
        }
        let owners = owners.frames.entry(frame.func);
        let owners = owners.or_insert_with(|| code.owners(Some(frame.func)));
        let scalars = &code.frame(frame.func).scalars;
        for &slot in code.live_slots(node) {
            let (var, leaf) = owners[slot];
            projection.scalar(Cell::new(var, leaf, depth), frame.slots[slot], scalars[slot]);
        }
    }
    projection.results();
    let speakers = projection.symbols();
    projection.sums(&speakers);
    let Projection {
        mut literals, mut lost, ..
    } = projection;
    if state.has_blocks() {
        lost.insert("the content of allocated memory");
    }
    literals.sort_unstable();
    literals.dedup();
    (Assertion { literals }, lost)
}

struct Projection<'a, 'p> {
    code: &'a Compiled<'p>,
    state: &'a State,
    /// The cells that hold a symbol plus a constant.
    holders: Vec<(Cell, IntInfo, SymbolId, u64)>,
    literals: Vec<Literal>,
    lost: BTreeSet<&'static str>,
    /// The word that came last, if it was a lower one.
    lower: Value,
}

impl Projection<'_, '_> {
    fn scalar(&mut self, cell: Cell, value: Value, scalar: Scalar) {
        let info = match scalar {
            Scalar::Int(info) => info,
            Scalar::Word(word) => return self.word(cell, value, word),
            Scalar::Wide(_) | Scalar::Opaque => return,
        };
        match self.state.settled(value, info.width) {
            Value::Bits(bits) => self.literals.push(Literal::Is(cell, number(bits, info))),
            Value::Pointer { object, offset } => match self.state.address(self.code, object) {
                Some(address) => {
                    let bits = address.wrapping_add(offset) & mask(info.width);
                    self.literals.push(Literal::Is(cell, number(bits, info)));
                }
                None => drop(self.lost.insert("addresses of allocated objects")),
            },
            Value::Symbol { id, plus } => self.holders.push((cell, info, id, plus)),
            Value::Unknown => {}
        }
    }

    /// Says of a value of more than 64 bits which number it is, when its upper word comes; the lower one comes before it.
    fn word(&mut self, cell: Cell, value: Value, word: Word) {
        let value = self.state.settled(value, word.width());
        if !word.is_upper {
            self.lower = value;
            return;
        }
        let words = Words {
            low: self.lower,
            high: value,
        };
        let number = words.bits().and_then(|bits| match word.of {
            Shape::Int(info) if info.signed => Some(math::signed(bits, info.width)),
            Shape::Int(_) => i128::try_from(bits).ok(),
            // In formulas such a value has another number than its pattern.
            Shape::Float(_) => None,
        });
        match number.filter(|number| number.unsigned_abs() < MAX_NUMBER) {
            Some(number) => self.literals.push(Literal::Is(cell, number)),
            None if words == Words::UNKNOWN => {}
            None => drop(self.lost.insert("values of more than 64 bits")),
        }
    }

    /// Says what is known of the elements of an array.
    fn object(&mut self, var: VarId, object: &Object, depth: u32) {
        if object.is_blank() {
            return;
        }
        let types = &self.code.program.types;
        let ty = self.code.program.var(var).ty;
        let element = types
            .element(ty)
            .and_then(|ty| types.integer(ty).zip(types.size_of(ty)));
        let element =
            element.filter(|(info, size)| *size == u64::from(info.width / 8) && object.kind == Kind::Variable);
        let Some((info, size)) = element.filter(|(_, size)| object.size / size <= MAX_ELEMENTS) else {
            self.lost.insert("the content of memory");
            return;
        };
        for (leaf, at) in (0..object.size / size).enumerate() {
            let cell = Cell::new(var, leaf, depth);
            match object.read(at * size, size) {
                Found::Is(value) => self.scalar(cell, value, Scalar::Int(info)),
                Found::Untouched => {}
                Found::Lost => drop(self.lost.insert("the content of memory")),
            }
        }
    }

    /// Says of variables what is known of results of operations without an exact form, where the operands are a variable's value and a number.
    fn results(&mut self) {
        let memo = &self.state.memo;
        let is_result = |id| {
            memo.iter()
                .any(|(known, result)| *result == id && matches!(known, Known::Result(_)))
        };
        for (known, result) in memo.iter() {
            if self.sum_of(known, *result).is_some() {
                continue;
            }
            let Known::Result(operation) = known else {
                if let Known::Function(_) = known {
                    self.lost.insert("results of floating-point operations");
                } else if let Known::Element(_) = known {
                    self.lost.insert("elements of tables");
                } else if !is_result(*result) {
                    self.lost.insert("where the bits of values come from");
                }
                continue;
            };
            let info = operation.info();
            let (op, operands) = operation.parts();
            let [operand, by] = operands.map(|value| self.state.settled(value, info.width));
            let derived = match by {
                Value::Bits(bits) => Derived::of(op, number(bits, info)),
                _ => None,
            };
            let holds = |&&(cell, of, id, plus): &&(Cell, IntInfo, SymbolId, u64)| {
                of == info && Value::Symbol { id, plus } == operand && cell.derived == Derived::Itself
            };
            match (derived, self.holders.iter().find(holds)) {
                (Some(derived), Some(&(cell, ..))) => {
                    let whole = Value::Symbol { id: *result, plus: 0 };
                    self.scalar(Cell { derived, ..cell }, whole, Scalar::Int(info));
                }
                _ => drop(self.lost.insert("results of operations that are not linear")),
            }
        }
    }

    /// The sum that a symbol is known to be, in the way that was remembered last, if it is no symbol plus a constant.
    fn sum_of(&self, known: &Known, result: SymbolId) -> Option<Sum> {
        let whole = Value::Symbol { id: result, plus: 0 };
        let sum = self.state.memo.sum(whole, known.sum()?.info())?;
        sum.simple().is_none().then_some(sum)
    }

    /// Says of variables what is known of sums, where `speakers` are the variables that speak for symbols.
    fn sums(&mut self, speakers: &Speakers) {
        let state = self.state;
        for (known, result) in state.memo.iter() {
            let Some(sum) = self.sum_of(known, *result) else {
                continue;
            };
            let said = self.sum(*result, &sum, &speakers.exact);
            let is_whole = said.is_ok() && speakers.width(*result).is_none();
            if !is_whole && !self.congruence(*result, &sum, speakers) {
                self.lost.insert(said.err().unwrap_or(WRAPS));
            }
        }
    }

    /// Says that the variable that speaks for a result is a sum of such variables, whatever wraps around: modulo two to the power of the least of their widths. False if some symbol has no such variable.
    fn congruence(&mut self, result: SymbolId, sum: &Sum, speakers: &Speakers) -> bool {
        let wrapping = sum.symbols().chain([result]).filter_map(|id| speakers.width(id));
        let width = wrapping.chain([sum.info().width]).min().expect("a sum has a width");
        let (parts, plus) = sum.parts();
        let mut constant = plus;
        let mut terms = Vec::with_capacity(parts.len() + 1);
        for (id, factor) in parts.into_iter().chain([(result, -1)]) {
            let Some((cell, moved)) = speakers.modulo(id, width) else {
                return false;
            };
            terms.push((cell, factor));
            constant = constant.wrapping_sub(factor.wrapping_mul(moved));
        }
        terms.sort_unstable();
        let signed = IntInfo { width, signed: true };
        let number = number(low_bits(constant.wrapping_neg()) & mask(width), signed);
        self.literals.push(Literal::Congruent(terms.into(), number, width));
        true
    }

    /// Says of variables what is known of a sum that is the value of a symbol.
    ///
    /// # Errors
    /// The kind of fact that is lost.
    fn sum(
        &mut self,
        result: SymbolId,
        sum: &Sum,
        speakers: &FxHashMap<SymbolId, (Cell, i128)>,
    ) -> Result<(), &'static str> {
        let (facts, info): (&Facts, IntInfo) = (&self.state.facts, sum.info());
        let (parts, plus) = sum.parts();
        let (mut lo, mut hi) = (plus, plus);
        for &(id, factor) in &parts {
            let (least, greatest) = facts.range(id);
            let ends = [factor.checked_mul(least), factor.checked_mul(greatest)];
            let [Some(a), Some(b)] = ends else { return Err(WRAPS) };
            lo = lo.checked_add(a.min(b)).ok_or(WRAPS)?;
            hi = hi.checked_add(a.max(b)).ok_or(WRAPS)?;
        }
        if lo.unsigned_abs().max(hi.unsigned_abs()) >= MAX_NUMBER {
            return Err(WRAPS);
        }
        let (least, greatest) = bounds(info);
        let turns = (lo - least).div_euclid(1 << info.width) << info.width;
        let (lo, hi, plus) = (lo - turns, hi - turns, plus - turns);
        let fact = facts.fact(result);
        let holder = speakers.get(&result);
        if holder.is_none() && fact.lo <= lo && hi <= fact.hi && fact.except.is_empty() {
            return Ok(());
        }
        if hi > greatest || !matches!(facts.linear(result, 0, info), Linear::Exact(0)) {
            return Err(WRAPS);
        }
        let (mut terms, mut constant) = (Vec::with_capacity(parts.len() + 1), plus);
        for (id, factor) in parts {
            let (least, greatest) = facts.range(id);
            let moved = if least == greatest {
                least
            } else {
                let &(cell, moved) = speakers.get(&id).ok_or("relations to values that no variable holds")?;
                terms.push((cell, factor));
                -moved
            };
            constant = factor
                .checked_mul(moved)
                .and_then(|moved| constant.checked_add(moved))
                .filter(|constant| constant.unsigned_abs() < MAX_NUMBER)
                .ok_or(WRAPS)?;
        }
        let (lo, hi) = match holder {
            Some(&(cell, moved)) => {
                terms.push((cell, -1));
                (-moved, -moved)
            }
            None => (fact.lo, fact.hi),
        };
        terms.sort_unstable();
        self.literals
            .push(Literal::Sum(terms.into(), lo - constant, hi - constant));
        match holder.is_some() || fact.except.is_empty() {
            true => Ok(()),
            false => Err("which values a sum does not have"),
        }
    }

    /// Says of variables what is known of symbols. Returns the variables that speak for symbols.
    fn symbols(&mut self) -> Speakers {
        let facts: &Facts = &self.state.facts;
        let mut speakers = Speakers::default();
        let mut wrapping = Vec::new();
        for &(cell, info, id, plus) in &self.holders {
            let Linear::Exact(constant) = facts.linear(id, plus, info) else {
                wrapping.push((cell, info, id, plus));
                continue;
            };
            if let Some(&(speaker, other)) = speakers.exact.get(&id) {
                self.literals.push(Literal::Distance(cell, speaker, constant - other));
                continue;
            }
            speakers.exact.insert(id, (cell, constant));
            let fact = facts.fact(id);
            let (least, greatest) = bounds(info);
            let (lo, hi) = (fact.lo + constant, fact.hi + constant);
            if lo > least || hi < greatest {
                self.literals.push(Literal::Within(cell, lo, hi));
            }
            let excluded = fact.except.iter().map(|&value| Literal::Not(cell, value + constant));
            self.literals.extend(excluded);
        }
        // The widest speaks for the others.
        wrapping.sort_by_key(|&(_, info, ..): &(Cell, IntInfo, SymbolId, u64)| std::cmp::Reverse(info.width));
        for (cell, info, id, plus) in wrapping {
            let Some((speaker, moved)) = speakers.modulo(id, info.width) else {
                if !facts.is_free(id) {
                    self.lost.insert("facts about sums that may wrap around");
                }
                speakers.wrapping.insert(id, (cell, plus, info));
                continue;
            };
            let distance = i128::from(low_bits(i128::from(plus) - moved) & mask(info.width));
            // Both numbers have to lie in one range.
            let alike = match (speakers.exact.get(&id), speakers.wrapping.get(&id)) {
                (Some(&(_, moved)), _) => (id.info() == info).then(|| i128::from(plus) - moved),
                (None, Some(&(.., other))) => (other == info).then_some(distance),
                (None, None) => None,
            };
            self.literals.push(match alike {
                Some(distance) => Literal::Turned(cell, speaker, distance, info.width),
                None => {
                    let terms = BTreeSet::from([(cell, 1), (speaker, -1)]);
                    let terms: Vec<(Cell, i128)> = terms.into_iter().collect();
                    Literal::Congruent(terms.into(), distance, info.width)
                }
            });
        }
        for relation in facts.relations.iter() {
            let (Some(&(a, x)), Some(&(b, y))) = (speakers.exact.get(&relation.a), speakers.exact.get(&relation.b))
            else {
                self.lost.insert("relations to values that no variable holds");
                continue;
            };
            self.literals.push(match relation.kind {
                relation::Kind::AtMost(d) => Literal::AtMost(a, b, d + x - y),
                relation::Kind::Not(d) => Literal::Differs(a, b, d + x - y),
            });
        }
        speakers
    }
}

/// The variables that speak for symbols.
#[derive(Default)]
struct Speakers {
    /// The variable is the symbol plus the number.
    exact: FxHashMap<SymbolId, (Cell, i128)>,
    /// Of other symbols: it is the symbol plus the number, modulo 2 to the power of the width of its type.
    wrapping: FxHashMap<SymbolId, (Cell, u64, IntInfo)>,
}

impl Speakers {
    /// The width up to which a variable speaks for a symbol, if none is the symbol plus a number.
    fn width(&self, id: SymbolId) -> Option<u32> {
        let wrapping = self.wrapping.get(&id).filter(|_| !self.exact.contains_key(&id));
        wrapping.map(|(.., info)| info.width)
    }

    /// The variable that is the symbol plus the number, modulo 2 to the power of the width.
    fn modulo(&self, id: SymbolId, width: u32) -> Option<(Cell, i128)> {
        match (self.exact.get(&id), self.wrapping.get(&id)) {
            (Some(speaker), _) => Some(*speaker),
            (None, Some(&(cell, plus, info))) if info.width >= width => Some((cell, i128::from(plus))),
            _ => None,
        }
    }
}
