//! Propagation of bounds along the rows as they were defined, while the simplex rests.
//!
//! The rows of the tableau are sums of definitions, longer with each pivot, so that few of them imply anything. A definition `s = 2x - y` has the columns that its author wrote. Where the
//! columns are bounded on both sides, its bounds alone, taken to a fixpoint, lead to most conflicts of a search over small domains, at a fraction of the cost of a
//! vertex (see [`finite`](crate::solver::finite)).
//!
//! Explanations are those of any row: Farkas lemmas over the bounds of the other columns.

use super::bounds::{Told, propagate_row};
use super::tableau::{Column, Entry, Tableau};
use crate::num::Int;
use crate::solver::sat::search::{Reason, Search};
use std::collections::VecDeque;

/// The definitions, and which of them have to be looked at.
#[derive(Default)]
pub(in crate::solver) struct Definitions {
    /// Sums that are zero.
    rows: Vec<Vec<Entry>>,
    /// For each column its rows, and whether its coefficient is positive there.
    uses: Vec<Vec<(u32, bool)>>,
    /// Rows a bound of which has changed, and whether it bears upon the least value of the sum or on the greatest one.
    queue: VecDeque<(u32, bool)>,
    /// For each row, whether the one and the other is in the queue.
    queued: Vec<[bool; 2]>,
    /// Columns that got another bound since they were last taken.
    pub changed: Vec<Column>,
}

impl Definitions {
    /// Adds a row, to be looked at.
    pub fn add(&mut self, form: impl IntoIterator<Item = (Int, Column)>) {
        let row = u32::try_from(self.rows.len()).expect("fewer than 2^32 rows");
        let entries: Vec<Entry> = form
            .into_iter()
            .map(|(coeff, column)| Entry::apart(coeff, column))
            .collect();
        for entry in &entries {
            if self.uses.len() <= entry.column.index() {
                self.uses.resize_with(entry.column.index() + 1, Vec::new);
            }
            self.uses[entry.column.index()].push((row, entry.coeff.is_positive()));
        }
        self.rows.push(entries);
        self.queued.push([false; 2]);
        self.enqueue(row, false);
        self.enqueue(row, true);
    }

    /// The rows that a column occurs in.
    pub fn rows_of(&self, column: Column) -> impl Iterator<Item = &[Entry]> {
        let uses = self.uses.get(column.index()).map_or(&[][..], |uses| &uses[..]);
        uses.iter().map(|(row, _)| &self.rows[*row as usize][..])
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[Entry]> {
        self.rows.iter().map(|row| &row[..])
    }

    fn enqueue(&mut self, row: u32, low: bool) {
        if !std::mem::replace(&mut self.queued[row as usize][usize::from(low)], true) {
            self.queue.push_back((row, low));
        }
    }

    /// All rows have to be looked at, because there are atoms that they may imply.
    pub fn look_again(&mut self) {
        for row in 0..self.rows.len() as u32 {
            self.enqueue(row, false);
            self.enqueue(row, true);
        }
    }

    /// Notes that a column has got another bound.
    pub fn change(&mut self, column: Column, upper: bool) {
        self.changed.push(column);
        for at in 0..self.uses.get(column.index()).map_or(0, Vec::len) {
            // The least value of a sum depends on the lower bounds of columns with positive coefficients and on the upper bounds of the others.
            let (row, positive) = self.uses[column.index()][at];
            self.enqueue(row, positive != upper);
        }
    }

    /// Looks at rows until one of them implies literals, which clauses come first to use, or none is left.
    pub fn propagate(&mut self, tableau: &Tableau, search: &mut Search) -> Result<(), Reason> {
        while let Some((row, low)) = self.queue.pop_front() {
            self.queued[row as usize][usize::from(low)] = false;
            match propagate_row(tableau, search, &self.rows[row as usize], low, true) {
                Told::Nothing => {}
                Told::Implied => break,
                Told::Conflict(reason) => {
                    // After the way back the row may say something else.
                    self.enqueue(row, low);
                    return Err(reason);
                }
            }
        }
        Ok(())
    }
}
