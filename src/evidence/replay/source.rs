//! Sources of inputs for an execution: a solver's model, the record of another execution, or a script.

use super::{Allocation, Asked, InputSource, Request};
use crate::cfa::program::expr;
use crate::cfa::program::outside::{AREA, BEFORE, Bank};
use crate::engine::{CandidateInput, CandidateKind};
use provident_smt::num::Int;
use std::collections::{BTreeMap, VecDeque};

/// A scalar in memory as the model has it.
#[derive(Clone, Debug)]
struct Cell {
    step: usize,
    /// The position among the inputs.
    number: usize,
    address: u64,
    size: u64,
    value: Int,
}

/// Cells by address, and those of one address by step.
#[derive(Clone, Debug, Default)]
struct Cells {
    by_address: BTreeMap<u64, Vec<Cell>>,
    /// The size of the greatest cell.
    widest: u64,
}

impl Cells {
    fn add(&mut self, cell: Cell) {
        self.widest = self.widest.max(cell.size);
        let cells = self.by_address.entry(cell.address).or_default();
        let at = cells.partition_point(|c| c.step <= cell.step);
        cells.insert(at, cell);
    }

    /// The cells that begin at an address, by step.
    fn at(&self, address: u64) -> &[Cell] {
        self.by_address.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The lists of cells that may contain an address.
    fn near(&self, address: u64) -> impl Iterator<Item = &[Cell]> {
        let first = address.saturating_sub(self.widest);
        self.by_address
            .range(first..=address)
            .map(|(_, cells)| cells.as_slice())
    }

    /// The first cell at a step or later that covers some bytes.
    fn from(&self, step: usize, address: u64, size: u64) -> Option<&Cell> {
        let candidates = self.near(address).filter_map(|cells| {
            let later = &cells[cells.partition_point(|c| c.step < step)..];
            later.iter().find(|cell| covers(cell, address, size))
        });
        candidates.min_by_key(|c| (c.step, c.number))
    }

    /// The last cell at a step or before that covers some bytes.
    fn until(&self, step: usize, address: u64, size: u64) -> Option<&Cell> {
        let candidates = self.near(address).filter_map(|cells| {
            let before = &cells[..cells.partition_point(|c| c.step <= step)];
            before.iter().rev().find(|cell| covers(cell, address, size))
        });
        candidates.max_by_key(|c| (c.step, c.number))
    }
}

/// Another address for a pointer from outside: the replay puts the object there, the model has it elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The address that the program gets.
    pub address: u64,
    /// The address that the model gave.
    pub instead_of: u64,
}

impl Repair {
    /// The `nth` fresh object of a bank.
    pub fn nth(bank: Bank, nth: usize, instead_of: u64) -> Repair {
        let nth = u64::try_from(nth).expect("few repairs");
        Repair {
            address: bank.pointer(nth),
            instead_of,
        }
    }

    /// Where the model has what the replay has at an address of the object's area.
    fn in_model(self, address: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.address).wrapping_add(BEFORE);
        (offset < AREA).then(|| self.instead_of.wrapping_add(address.wrapping_sub(self.address)))
    }
}

/// The inputs of a solver's model, with repairs that take precedence.
pub struct ModelInputs<'r> {
    /// Values for plain variables, per step, in the order in which they are asked for.
    variables: BTreeMap<usize, VecDeque<Int>>,
    /// Values for scalars wherever they are, with their steps, in the order in which they are asked for.
    scalars: VecDeque<(usize, Int)>,
    /// Those of them that are the contents of a place to which an earlier step gave any value: by that step, and bytes from the place's start.
    contents: BTreeMap<(usize, u64), Int>,
    /// Values that steps write to memory.
    written: Cells,
    /// Values that steps read from memory.
    read: Cells,
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
            scalars: VecDeque::new(),
            contents: BTreeMap::new(),
            written: Cells::default(),
            read: Cells::default(),
            allocations: BTreeMap::new(),
            last: if pointer_bytes == 4 {
                u64::from(u32::MAX)
            } else {
                u64::MAX
            },
            repairs,
        };
        let space = Int::pow2(if pointer_bytes == 4 { 32 } else { 64 });
        for (number, input) in inputs.iter().enumerate() {
            let (step, value) = (input.step, input.value.clone());
            // The model may have addresses around the end of the address space, where a member of what lies before a null pointer is.
            let cell = |address: &Int, size: u64, value: Int| {
                let address = address.mod_floor(&space);
                let address = u64::try_from(address.to_i128()?).ok()?;
                Some(Cell {
                    step,
                    number,
                    address,
                    size,
                    value,
                })
            };
            match &input.kind {
                CandidateKind::Variable { .. } => source.variables.entry(step).or_default().push_back(value),
                CandidateKind::Scalar { since } => {
                    if let Some(since) = since {
                        source.contents.insert(*since, value.clone());
                    }
                    source.scalars.push_back((step, value));
                }
                CandidateKind::Allocation => {
                    source.allocations.insert(step, value);
                }
                CandidateKind::Memory { address, size, .. } => {
                    cell(address, *size, value)
                        .into_iter()
                        .for_each(|cell| source.written.add(cell));
                }
                CandidateKind::Read { address, size, .. } => {
                    cell(address, *size, value)
                        .into_iter()
                        .for_each(|cell| source.read.add(cell));
                }
            }
        }
        source
    }

    /// The next value for a scalar, wherever it is, of a step.
    fn scalar(&mut self, step: usize) -> Option<Int> {
        while self.scalars.front().is_some_and(|(at, _)| *at < step) {
            self.scalars.pop_front();
        }
        let is_now = self.scalars.front().is_some_and(|(at, _)| *at == step);
        is_now
            .then(|| self.scalars.pop_front())
            .flatten()
            .map(|(_, value)| value)
    }

    /// The value of unknown memory that is read at a step: what the model reads there at this step, else later, else what it
    /// wrote or read there before.
    fn content(&self, step: usize, address: u64, size: u64) -> Option<Int> {
        let address = self.in_model(address);
        let now_or_later = self.read.from(step, address, size);
        let before = || {
            let (written, read) = (
                self.written.until(step, address, size),
                self.read.until(step, address, size),
            );
            // Of one step, what it reads is later.
            written.into_iter().chain(read).max_by_key(|c| c.step)
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

/// The inputs that an execution had, for one that takes the same steps.
pub struct RecordedInputs {
    answers: BTreeMap<Request, Int>,
    /// Sizes of the scalars that were read, by step and address.
    sizes: BTreeMap<(usize, u64), u64>,
}

impl RecordedInputs {
    /// The inputs and allocations of an execution.
    pub fn new(asked: &[Asked], allocations: &[Allocation]) -> RecordedInputs {
        let mut answers: BTreeMap<Request, Int> = asked
            .iter()
            .map(|asked| (asked.request.clone(), asked.number()))
            .collect();
        for block in allocations {
            let request = Request::Allocated { step: block.step };
            answers.insert(request, Int::from(i128::from(block.address)));
        }
        let size = |asked: &Asked| match asked.request {
            Request::Memory { step, address, size } => Some(((step, address), size)),
            _ => None,
        };
        RecordedInputs {
            answers,
            sizes: asked.iter().filter_map(size).collect(),
        }
    }
}

impl InputSource for RecordedInputs {
    fn supply(&mut self, request: &Request) -> Option<Int> {
        self.answers.get(request).cloned()
    }

    fn size_at(&self, step: usize, address: u64) -> Option<u64> {
        self.sizes.get(&(step, address)).copied()
    }
}

impl Asked {
    /// The value as a number: of a floating-point value its bit pattern.
    pub fn number(&self) -> Int {
        match (self.format, self.size) {
            (_, ..=8) => Int::from(i128::from(self.bits)),
            (Some(_), _) => expr::unsigned(self.pattern),
            (None, _) => self.value.parse().unwrap_or_else(|_| Int::from(0)),
        }
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
        let scalar = match request {
            Request::Written { step, offset, .. } => {
                let content = self.contents.get(&(*step, *offset)).cloned();
                content.or_else(|| self.scalar(*step))
            }
            Request::Memory { step, .. } | Request::Variable { step, .. } => self.scalar(*step),
            Request::Allocated { .. } => None,
        };
        let answer = match request {
            _ if scalar.is_some() => scalar,
            // Of a record the variables are asked for one by one.
            Request::Written {
                step, address: None, ..
            }
            | Request::Variable { step, .. } => self.variables.get_mut(step).and_then(VecDeque::pop_front),
            Request::Written {
                step,
                address: Some(address),
                ..
            } => {
                let address = self.in_model(*address);
                let cells = self.written.at(address);
                let cell = cells.get(cells.partition_point(|c| c.step < *step));
                cell.filter(|c| c.step == *step).map(|c| c.value.clone())
            }
            Request::Memory { step, address, size } => self.content(*step, *address, *size),
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
        let cells = self.read.at(address);
        let later = cells.get(cells.partition_point(|c| c.step < step));
        let any = || {
            let cells = [self.written.at(address), self.read.at(address)];
            cells
                .into_iter()
                .find_map(|cells| cells.iter().min_by_key(|c| c.number))
        };
        later.or_else(any).map(|cell| cell.size)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn input(step: usize, address: u64, size: u64, value: i64, reads: bool) -> CandidateInput {
        let (region, address) = (String::new(), Int::from(i128::from(address)));
        let kind = if reads {
            CandidateKind::Read { region, address, size }
        } else {
            CandidateKind::Memory { region, address, size }
        };
        CandidateInput {
            step,
            kind,
            value: Int::from(value),
        }
    }

    #[test]
    fn memory_has_what_is_read_next_else_what_was_there_last() {
        let inputs = [
            input(2, 100, 4, 0x0403_0201, false),
            input(9, 100, 4, 90, true),
            input(5, 100, 4, 50, true),
            input(5, 108, 8, 80, true),
        ];
        let repairs = BTreeMap::new();
        let mut source = ModelInputs::new(&inputs, 8, &repairs);
        let mut at = |step, address, size| source.supply(&Request::Memory { step, address, size });
        assert_eq!(at(3, 100, 4), Some(Int::from(50i64)));
        assert_eq!(at(6, 100, 4), Some(Int::from(90i64)));
        assert_eq!(at(10, 100, 4), Some(Int::from(90i64)));
        assert_eq!(at(10, 112, 4), Some(Int::from(0i64)));
        assert_eq!(at(10, 112, 8), None);
        let mut first = ModelInputs::new(&inputs[..1], 8, &repairs);
        let (step, address, size) = (4, 102, 1);
        assert_eq!(
            first.supply(&Request::Memory { step, address, size }),
            Some(Int::from(3i64))
        );
        assert_eq!(first.size_at(7, 100), Some(4));
        assert_eq!(first.size_at(7, 101), None);
    }

    /// A lookup that went through all inputs would take minutes here.
    #[test]
    fn many_inputs_are_found_quickly() {
        let count = 200_000;
        let address = |i: usize| 0x1000 + 4 * u64::try_from(i).unwrap();
        let value = |i: usize| i64::try_from(i).unwrap();
        let inputs: Vec<CandidateInput> = (0..count)
            .map(|i| input(i, address(i), 4, value(i), i % 2 == 0))
            .collect();
        let repairs = BTreeMap::new();
        let mut source = ModelInputs::new(&inputs, 8, &repairs);
        for i in 0..count {
            let (step, address) = (count, address(i));
            let request = Request::Memory { step, address, size: 4 };
            assert_eq!(source.supply(&request), Some(Int::from(value(i))));
        }
    }
}
