//! Arrays of a state as runs of equal elements, for guesses about all elements.
//!
//! Runs are maximal. The elements of a run are one number, or the value of one variable plus a number, which is the form of a symbol outside of
//! its path; the elements of some runs are unknown. For an array of many runs there is no simple statement.

use super::State;
use super::assertion::{Cell, Owners};
use super::same::frames;
use crate::cfa::{FuncId, VarId};
use crate::explicit::Value;
use crate::explicit::compiled::code::{ObjectId, Scalar};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::value::arith::{WIDEST, mask, number};
use crate::explicit::value::object::{Found, Kind, Object};
use crate::explicit::value::symbol::SymbolId;
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;

/// An array in more runs is left out.
const MAX_RUNS: usize = 6;

/// Where an array begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Base {
    /// At the address of a variable, in the frame that is this number of frames older.
    Variable(VarId, u32),
    /// At the address that a scalar holds.
    Pointer(Cell),
}

/// The content of the elements of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Content {
    /// This number.
    Number(i128),
    /// The value of the scalar plus a number, modulo the width of the elements' type.
    Sum(Cell, u64),
}

/// Elements that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first.
    pub start: u64,
    /// The one behind the last.
    pub end: u64,
    /// The content that all of them have.
    pub content: Option<Content>,
}

/// An array of integers, from its first element to its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Where it begins.
    pub base: Base,
    /// The type of its elements.
    pub info: IntInfo,
    /// All its elements.
    pub runs: Vec<Run>,
}

/// The arrays of a state that fall into few runs: variables, and what pointers point to the beginning of.
pub fn rows(code: &Compiled<'_>, owners: &mut Owners, state: &State) -> Vec<Row> {
    let mut view = View {
        state,
        holders: FxHashMap::default(),
        pointers: Vec::new(),
    };
    let mut variables: Vec<(VarId, u32, &Object)> = Vec::new();
    for (&(var, ..), object) in code.statics.objects.iter().zip(state.statics()) {
        variables.push((var, 0, object));
    }
    for (place, (&value, &scalar)) in owners
        .statics()
        .iter()
        .zip(state.globals.iter().zip(&code.statics.scalars))
    {
        view.scalar(Cell::new(place.0, place.1, 0), value, scalar);
    }
    let open: Vec<FuncId> = frames(code, state).map(|(frame, _)| frame.func).collect();
    for (position, (frame, node)) in frames(code, state).enumerate() {
        let older = open[position + 1..].iter().filter(|&&func| func == frame.func).count();
        let depth = u32::try_from(older).expect("fewer than 2^32 frames");
        for (id, &(var, ..)) in (frame.first_object..).zip(&code.frame(frame.func).objects) {
            variables.extend(state.object(ObjectId(id)).map(|object| (var, depth, object)));
        }
        let scalars = &code.frame(frame.func).scalars;
        for &slot in code.live_slots(node) {
            let (var, leaf) = owners.of_frame(code, frame.func)[slot];
            view.scalar(Cell::new(var, leaf, depth), frame.slots[slot], scalars[slot]);
        }
    }
    let types = &code.program.types;
    let mut found = Vec::new();
    for (var, depth, object) in variables {
        let element = types.element(code.program.var(var).ty);
        let element = element.and_then(|ty| types.integer(ty).zip(types.size_of(ty)));
        if let Some(element) = element.filter(|_| object.kind == Kind::Variable) {
            found.extend(view.row(Base::Variable(var, depth), object, element));
        }
    }
    for &(cell, id) in &view.pointers {
        let Some(object) = state.object(id).filter(|object| object.kind != Kind::Variable) else {
            continue;
        };
        let mut pointee = types.pointee(code.program.var(cell.var).ty);
        while let Some(inner) = pointee.and_then(|ty| types.element(ty)) {
            pointee = Some(inner);
        }
        let element = pointee.and_then(|ty| types.integer(ty).zip(types.size_of(ty)));
        if let Some(element) = element {
            found.extend(view.row(Base::Pointer(cell), object, element));
        }
    }
    found
}

struct View<'a> {
    state: &'a State,
    /// For each symbol and width the first scalar that holds it plus a number.
    holders: FxHashMap<(SymbolId, u32), (Cell, u64)>,
    /// Scalars that point to the beginning of objects.
    pointers: Vec<(Cell, ObjectId)>,
}

impl View<'_> {
    fn scalar(&mut self, cell: Cell, value: Value, scalar: Scalar) {
        let Scalar::Int(info) = scalar else { return };
        match self.state.settled(value, info.width) {
            Value::Symbol { id, plus } => drop(self.holders.entry((id, info.width)).or_insert((cell, plus))),
            Value::Pointer { object, offset: 0 } => self.pointers.push((cell, object)),
            Value::Pointer { .. } | Value::Bits(_) | Value::Unknown => {}
        }
    }

    /// An array whose elements have a type and a size; `None` if it has no elements or falls into many runs.
    fn row(&self, base: Base, object: &Object, (info, size): (IntInfo, u64)) -> Option<Row> {
        if size != u64::from(info.width / 8) || info.width > WIDEST {
            return None;
        }
        let count = object.size / size;
        let mut runs: Vec<Run> = Vec::new();
        if object.is_blank() && count > 0 {
            runs.push(Run {
                start: 0,
                end: count,
                content: None,
            });
            return Some(Row { base, info, runs });
        }
        for at in 0..count {
            let content = match object.read(at * size, size) {
                Found::Is(value) => self.content(value, info),
                Found::Untouched | Found::Lost => None,
            };
            if let Some(run) = runs.last_mut().filter(|run| run.content == content) {
                run.end = at + 1;
                continue;
            }
            if runs.len() == MAX_RUNS {
                return None;
            }
            runs.push(Run {
                start: at,
                end: at + 1,
                content,
            });
        }
        (!runs.is_empty()).then_some(Row { base, info, runs })
    }

    fn content(&self, value: Value, info: IntInfo) -> Option<Content> {
        match self.state.settled(value, info.width) {
            Value::Bits(bits) => Some(Content::Number(number(bits, info))),
            Value::Symbol { id, plus } => {
                let (cell, other) = self.holders.get(&(id, info.width))?;
                Some(Content::Sum(*cell, plus.wrapping_sub(*other) & mask(info.width)))
            }
            Value::Pointer { .. } | Value::Unknown => None,
        }
    }
}
