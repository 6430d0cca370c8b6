//! Where the inputs of an execution come from: a solver's model, or a script.

use super::{InputSource, Request};
use crate::engine::{CandidateInput, CandidateKind};
use provident_smt::num::Int;
use std::collections::{BTreeMap, VecDeque};

/// A scalar in memory as the model has it.
#[derive(Clone, Debug)]
struct Cell {
    step: usize,
    address: u64,
    size: u64,
    value: Int,
}

/// Another address for a pointer from outside: the replay puts the object there, the model has it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The address that the program gets.
    pub address: u64,
    /// The address that the model gave.
    pub instead_of: u64,
}

/// Fresh objects for pointers from outside lie in areas of this size.
const AREA: u64 = 0x1_0000;
/// The first area.
const FIRST_AREA: u64 = 0xa000_0000;

impl Repair {
    /// The `nth` fresh object. Pointers point to the middle of its area, because programs also go to smaller addresses from there
    /// (`container_of`).
    pub fn nth(nth: usize, instead_of: u64) -> Repair {
        let nth = u64::try_from(nth).expect("few repairs");
        Repair {
            address: FIRST_AREA + nth * AREA + AREA / 2,
            instead_of,
        }
    }

    /// Where the model has what the replay has at an address of the object's area.
    fn in_model(self, address: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.address).wrapping_add(AREA / 2);
        (offset < AREA).then(|| self.instead_of.wrapping_add(address.wrapping_sub(self.address)))
    }
}

/// The inputs of a solver's model, with repairs that take precedence.
pub struct ModelInputs<'r> {
    /// Values for plain variables, per step, in the order in which they are asked for.
    variables: BTreeMap<usize, VecDeque<Int>>,
    /// Values that steps write to memory.
    written: Vec<Cell>,
    /// Values that steps read from memory.
    read: Vec<Cell>,
    allocations: BTreeMap<usize, Int>,
    /// The greatest address.
    last: u64,
    repairs: &'r BTreeMap<Request, Repair>,
}

impl<'r> ModelInputs<'r> {
    /// The inputs of a counterexample candidate, for a program with pointers of `pointer_bytes`.
    pub fn new(inputs: &[CandidateInput], pointer_bytes: u64, repairs: &'r BTreeMap<Request, Repair>) -> Self {
        let mut source = ModelInputs {
            variables: BTreeMap::new(),
            written: Vec::new(),
            read: Vec::new(),
            allocations: BTreeMap::new(),
            last: if pointer_bytes == 4 {
                u64::from(u32::MAX)
            } else {
                u64::MAX
            },
            repairs,
        };
        for input in inputs {
            let (step, value) = (input.step, input.value.clone());
            // A cell at an address outside of the address space can never be accessed.
            let cell = |address: &Int, size: u64, value: Int| {
                let address = u64::try_from(address.to_i128()?).ok()?;
                Some(Cell {
                    step,
                    address,
                    size,
                    value,
                })
            };
            match &input.kind {
                CandidateKind::Variable { .. } => source.variables.entry(step).or_default().push_back(value),
                CandidateKind::Allocation => {
                    source.allocations.insert(step, value);
                }
                CandidateKind::Memory { address, size, .. } => source.written.extend(cell(address, *size, value)),
                CandidateKind::Read { address, size, .. } => source.read.extend(cell(address, *size, value)),
            }
        }
        source
    }

    /// The value of unknown memory that is read at a step: what the model reads there at this step, else later, else what it
    /// wrote or read there before.
    fn content(&self, step: usize, address: u64, size: u64) -> Option<Int> {
        let address = self.in_model(address);
        let covers = |cell: &&Cell| covers(cell, address, size);
        let now_or_later = self
            .read
            .iter()
            .filter(covers)
            .filter(|c| c.step >= step)
            .min_by_key(|c| c.step);
        let before = || {
            let cells = self.written.iter().chain(&self.read).filter(covers);
            cells.filter(|c| c.step <= step).max_by_key(|c| c.step)
        };
        let cell = now_or_later.or_else(before)?;
        Some(part(cell, address, size))
    }

    /// Where the model has what the replay has at an address.
    fn in_model(&self, address: u64) -> u64 {
        self.repairs
            .values()
            .find_map(|repair| repair.in_model(address))
            .map_or(address, |a| a & self.last)
    }
}

fn covers(cell: &Cell, address: u64, size: u64) -> bool {
    address >= cell.address && address - cell.address < cell.size && size <= cell.size - (address - cell.address)
}

/// The bytes of a cell that a request asks for.
fn part(cell: &Cell, address: u64, size: u64) -> Int {
    if cell.address == address && cell.size == size {
        return cell.value.clone();
    }
    let bits = |bytes: u64| Int::pow2(u32::try_from(8 * bytes).unwrap_or(128));
    cell.value
        .div_floor(&bits(address - cell.address))
        .mod_floor(&bits(size))
}

impl InputSource for ModelInputs<'_> {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        let answer = match request {
            Request::Written {
                step, address: None, ..
            } => self.variables.get_mut(step).and_then(VecDeque::pop_front),
            Request::Written {
                step,
                address: Some(address),
                ..
            } => {
                let address = self.in_model(*address);
                let here = |cell: &&Cell| cell.step == *step && cell.address == address;
                self.written.iter().find(here).map(|cell| cell.value.clone())
            }
            Request::Memory { step, address, size } => self.content(*step, *address, *size),
            Request::Variable { .. } => None,
            Request::Allocated { step } => self.allocations.get(step).cloned(),
        };
        let repaired = self
            .repairs
            .get(request)
            .map(|repair| Int::from(i128::from(repair.address)));
        repaired.or(answer)
    }

    fn size_at(&self, step: usize, address: u64) -> Option<u64> {
        let address = self.in_model(address);
        let here = |cell: &&Cell| cell.address == address;
        let later = self
            .read
            .iter()
            .filter(here)
            .filter(|c| c.step >= step)
            .min_by_key(|c| c.step);
        later
            .or_else(|| self.written.iter().chain(&self.read).find(here))
            .map(|cell| cell.size)
    }
}

/// Inputs from a list: the scalars that steps write get its values in order, then 0; everything else is 0.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    /// The values still to come.
    pub values: VecDeque<Int>,
}

impl Scripted {
    /// The inputs of a list.
    pub fn new(values: impl IntoIterator<Item = i64>) -> Scripted {
        Scripted {
            values: values.into_iter().map(Int::from).collect(),
        }
    }
}

impl InputSource for Scripted {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        match request {
            Request::Written { .. } => self.values.pop_front(),
            _ => None,
        }
    }

    fn size_at(&self, _: usize, _: u64) -> Option<u64> {
        None
    }
}
