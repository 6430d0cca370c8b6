//! Abstract variable assignments: which cells have which constants.

use crate::encode::{Encoder, SlotId};
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::collections::BTreeMap;

/// A scalar of the program: a plain variable or a member of one, or the cell of a region of memory at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The symbol of the variable or of the region.
    pub slot: SlotId,
    /// For a cell of a region: where it begins.
    pub address: Option<u64>,
}

impl Cell {
    /// A plain variable, or a member of one.
    pub fn plain(slot: SlotId) -> Cell {
        Cell { slot, address: None }
    }

    /// The cell in words.
    pub fn display(&self, encoder: &Encoder<'_>) -> String {
        let name = encoder.slot_name(self.slot);
        match self.address {
            None => name,
            Some(address) => format!("{name} at {address:#x}"),
        }
    }
}

/// An abstract variable assignment. Cells that it does not mention have any value.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment {
    values: BTreeMap<Cell, Int>,
}

impl Assignment {
    /// The constant of a cell, if it is known.
    pub fn get(&self, cell: Cell) -> Option<&Int> {
        self.values.get(&cell)
    }

    /// From now on a cell has this constant, or any value.
    pub fn set(&mut self, cell: Cell, value: Option<Int>) {
        match value {
            Some(value) => drop(self.values.insert(cell, value)),
            None => drop(self.values.remove(&cell)),
        }
    }

    /// The cells with their constants, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &Int)> {
        self.values.iter().map(|(&cell, value)| (cell, value))
    }

    /// The cells that have a constant, in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.values.keys().copied()
    }

    /// The number of cells that have a constant.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Keeps only some cells.
    pub fn retain(&mut self, mut kept: impl FnMut(Cell) -> bool) {
        self.values.retain(|&cell, _| kept(cell));
    }

    /// Forgets all cells of memory.
    pub fn forget_memory(&mut self) {
        self.retain(|cell| cell.address.is_none());
    }

    /// Forgets all cells of a region.
    pub fn forget_region(&mut self, region: SlotId) {
        self.retain(|cell| cell.slot != region);
    }

    /// The assignment with these cells only; `None` if one of them has no constant.
    pub fn project(&self, cells: &[Cell]) -> Option<Assignment> {
        if cells.len() > self.len() {
            return None;
        }
        let values = cells.iter().map(|&cell| Some((cell, self.get(cell)?.clone())));
        let values = values.collect::<Option<_>>()?;
        Some(Assignment { values })
    }

    /// Whether all that `weaker` says is said here as well: whether what this one represents is contained in what the other one does.
    pub fn implies(&self, weaker: &Assignment) -> bool {
        weaker.len() <= self.len() && weaker.iter().all(|(cell, value)| self.get(cell) == Some(value))
    }

    /// The conjunction of equations over symbols without version.
    pub fn formula(&self, encoder: &Encoder<'_>, pool: &mut TermPool) -> TermId {
        let equations: Vec<TermId> = self
            .iter()
            .map(|(cell, value)| {
                let name = encoder.slot_name(cell.slot);
                let symbol = pool.symbol(&name);
                let cell = match cell.address {
                    None => pool.int_var(symbol, NO_INDEX),
                    Some(address) => {
                        let address = pool.int(i128::from(address));
                        pool.app(symbol, NO_INDEX, &[address])
                    }
                };
                let value = pool.int(value.clone());
                pool.eq(cell, value)
            })
            .collect();
        pool.and(&equations)
    }

    /// The names of the variables and regions that it speaks about, sorted, without duplicates.
    pub fn names(&self, encoder: &Encoder<'_>) -> Vec<String> {
        names(self.cells(), encoder)
    }
}

/// The names of the variables and regions of cells, sorted, without duplicates.
pub fn names(cells: impl IntoIterator<Item = Cell>, encoder: &Encoder<'_>) -> Vec<String> {
    let mut names: Vec<String> = cells.into_iter().map(|cell| encoder.slot_name(cell.slot)).collect();
    names.sort_unstable();
    names.dedup();
    names
}
