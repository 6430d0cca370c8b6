//! The layout of a page: which cells lie where.

use super::super::arith::mask;
use super::{Byte, Piece, bits_of, position};
use crate::explicit::Value;

/// A scalar in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Bytes from the start of the page.
    pub(super) at: u64,
    pub(super) size: u64,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// Cells of one size from the start of the page to its end.
    Uniform { stride: u64, values: Vec<Value> },
    /// Cells that do not overlap, sorted; between them everything is zero, or everything unknown.
    Mixed { zero: bool, cells: Vec<Cell> },
}

/// A summary that comparisons use instead of looking at each cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) hash: u64,
    /// Nothing in it depends on the names of symbols and objects.
    pub(super) closed: bool,
}

impl Layout {
    pub(super) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let (values, cells): (&[Value], &[Cell]) = match self {
            Layout::Uniform { values, .. } => (values, &[]),
            Layout::Mixed { cells, .. } => (&[], cells),
        };
        values.iter().copied().chain(cells.iter().map(|c| c.value))
    }

    /// The values with their sizes in bits.
    pub(super) fn sized(&self) -> impl Iterator<Item = (Value, u32)> + '_ {
        let (stride, values, cells): (u64, &[Value], &[Cell]) = match self {
            Layout::Uniform { stride, values } => (*stride, values, &[]),
            Layout::Mixed { cells, .. } => (1, &[], cells),
        };
        let uniform = values.iter().map(move |v| (*v, bits_of(stride)));
        uniform.chain(cells.iter().map(|c| (c.value, bits_of(c.size))))
    }

    pub(super) fn equals(&self, other: &Layout, same: &mut dyn FnMut(Value, Value) -> bool) -> bool {
        let equal = |a: Value, b: Value, same: &mut dyn FnMut(Value, Value) -> bool| match (a, b) {
            (Value::Bits(x), Value::Bits(y)) => x == y,
            (Value::Unknown, Value::Unknown) => true,
            _ => same(a, b),
        };
        match (self, other) {
            (
                Layout::Uniform { stride, values },
                Layout::Uniform {
                    stride: other_stride,
                    values: other_values,
                },
            ) => stride == other_stride && values.iter().zip(other_values).all(|(a, b)| equal(*a, *b, same)),
            (
                Layout::Mixed { zero, cells },
                Layout::Mixed {
                    zero: other_zero,
                    cells: other_cells,
                },
            ) => {
                let place = |c: &Cell| (c.at, c.size);
                zero == other_zero
                    && cells.len() == other_cells.len()
                    && cells
                        .iter()
                        .zip(other_cells)
                        .all(|(a, b)| place(a) == place(b) && equal(a.value, b.value, same))
            }
            _ => false,
        }
    }

    /// The cell that a byte is in, with its start and size; for a byte between cells, whether that is zero.
    pub(super) fn cell_at(&self, at: u64) -> Result<Cell, bool> {
        match self {
            Layout::Uniform { stride, values } => Ok(Cell {
                at: at - at % stride,
                size: *stride,
                value: values[position(at / stride)],
            }),
            Layout::Mixed { zero, cells } => {
                let behind = cells.partition_point(|c| c.at <= at);
                let before = behind.checked_sub(1).map(|i| cells[i]);
                before.filter(|c| at < c.at + c.size).ok_or(*zero)
            }
        }
    }

    /// The value of a cell of exactly this place, or the low part of a longer one.
    pub(super) fn exact(&self, at: u64, size: u64) -> Option<Value> {
        let cell = self.cell_at(at).ok()?;
        if cell.at != at || cell.size < size {
            return None;
        }
        match cell.value {
            value if cell.size == size => Some(value),
            Value::Bits(bits) => Some(Value::Bits(bits & mask(bits_of(size)))),
            Value::Symbol { id, plus } => Some(Value::Symbol {
                id,
                plus: plus & mask(bits_of(size)),
            }),
            Value::Pointer { .. } | Value::Unknown => None,
        }
    }

    pub(super) fn byte(&self, at: u64) -> Byte {
        match self.cell_at(at) {
            Err(true) => Byte::Known(0),
            Err(false) => Byte::Unknown,
            Ok(cell) => match cell.value {
                Value::Bits(bits) => Byte::Known(bits.to_le_bytes()[position(at - cell.at)]),
                Value::Unknown => Byte::Unknown,
                Value::Pointer { .. } | Value::Symbol { .. } => Byte::Part,
            },
        }
    }

    /// Gives up the uniform layout.
    pub(super) fn mix(&mut self) {
        if let Layout::Uniform { stride, values } = self {
            let stride = *stride;
            let cells = (0..).zip(values.iter()).filter(|(_, v)| **v != Value::Unknown);
            let cells = cells.map(|(i, value)| Cell {
                at: i * stride,
                size: stride,
                value: *value,
            });
            *self = Layout::Mixed {
                zero: false,
                cells: cells.collect(),
            };
        }
    }

    /// Removes all cells from `lo` up to `hi`; of cells that reach out of it the other bytes stay, each for itself.
    pub(super) fn carve(&mut self, lo: u64, hi: u64) {
        let Layout::Mixed { zero, cells } = self else {
            unreachable!("only mixed pages are carved")
        };
        let first = cells.partition_point(|c| c.at + c.size <= lo);
        let last = cells.partition_point(|c| c.at < hi);
        if first >= last {
            return;
        }
        let mut rest = Vec::new();
        for cell in &cells[first..last] {
            for at in (cell.at..cell.at + cell.size).filter(|at| *at < lo || *at >= hi) {
                let value = match cell.value {
                    Value::Bits(bits) => Value::Bits(bits.to_le_bytes()[position(at - cell.at)].into()),
                    _ if *zero => Value::Unknown,
                    _ => continue,
                };
                rest.push(Cell { at, size: 1, value });
            }
        }
        cells.splice(first..last, rest);
    }

    pub(super) fn insert(&mut self, cell: Cell) {
        let Layout::Mixed { cells, .. } = self else {
            unreachable!("only mixed pages take cells anywhere")
        };
        let at = cells.partition_point(|c| c.at < cell.at);
        cells.insert(at, cell);
    }

    /// The content from `lo` up to `hi`; `base` is the page's place in the object.
    pub(super) fn pieces(&self, base: u64, lo: u64, hi: u64, found: &mut Vec<Piece>) {
        let mut at = lo;
        while at < hi {
            match self.cell_at(at) {
                Ok(cell) if cell.at == at && at + cell.size <= hi => {
                    found.push(Piece::Scalar(base + at, cell.size, cell.value));
                    at += cell.size;
                }
                Ok(_) => {
                    let value = match self.byte(at) {
                        Byte::Known(byte) => Value::Bits(byte.into()),
                        Byte::Unknown | Byte::Part => Value::Unknown,
                    };
                    found.push(Piece::Scalar(base + at, 1, value));
                    at += 1;
                }
                Err(zero) => {
                    let start = at;
                    while at < hi && self.cell_at(at).is_err() {
                        at += 1;
                    }
                    found.push(Piece::Run(base + start, at - start, zero));
                }
            }
        }
    }
}
