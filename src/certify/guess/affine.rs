//! The linear equations that a set of points obeys: its affine hull (Karr, *Affine relationships among variables of a program*, 1976).
//!
//! The points span a space of rows, of which the reduced echelon form is kept, and each column without pivot is a linear combination of columns to its left. Numbers are
//! computed modulo a prime, and coefficients read back as small fractions: an equation that is wrong in spite of that is a guess like any other.

/// A Mersenne prime, far above all coefficients that are read back.
const PRIME: u64 = (1 << 61) - 1;
/// Larger coefficients are not read back.
const LARGEST: i128 = 1 << 40;
/// Nor larger denominators.
const MAX_DENOMINATOR: u64 = 64;

fn times(a: u64, b: u64) -> u64 {
    // 2^61 is 1 modulo the prime, so the high part is added to the low one.
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product & u128::from(PRIME), product >> 61);
    let sum = u64::try_from(low + high).expect("two numbers of 61 bits");
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// The inverse of a number other than 0, by Fermat's little theorem.
fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

fn residue(number: i128) -> u64 {
    u64::try_from(number.rem_euclid(i128::from(PRIME))).expect("a residue of the prime")
}

/// The number of least magnitude with a residue.
fn centred(residue: u64) -> i128 {
    let number = i128::from(residue);
    if residue > PRIME / 2 {
        number - i128::from(PRIME)
    } else {
        number
    }
}

/// The hull of the points added so far, all of which have the same number of columns.
#[derive(Debug, Default)]
pub(super) struct Hull {
    /// Rows in reduced echelon form with their pivots, in no order.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Hull {
    /// Adds a point.
    pub fn add(&mut self, point: &[i128]) {
        let mut row: Vec<u64> = point.iter().map(|&number| residue(number)).collect();
        for (pivot, other) in &self.rows {
            eliminate(&mut row, *pivot, other);
        }
        let Some(pivot) = row.iter().position(|&entry| entry != 0) else {
            return;
        };
        let factor = inverse(row[pivot]);
        row.iter_mut().for_each(|entry| *entry = times(*entry, factor));
        for (_, other) in &mut self.rows {
            eliminate(other, pivot, &row);
        }
        self.rows.push((pivot, row));
    }

    /// Whether no equation is between a column and columns to its left.
    pub fn is_free(&self, column: usize) -> bool {
        self.rows.iter().any(|(pivot, _)| *pivot == column)
    }

    /// For a column the coefficients of an equation between it and columns to its left, whose sum over every point is 0; `None` if
    /// there is none, or its coefficients are large.
    pub fn equation(&self, column: usize, columns: usize) -> Option<Vec<i128>> {
        if self.is_free(column) {
            return None;
        }
        let mut coefficients = vec![0; columns];
        coefficients[column] = 1;
        for (pivot, row) in &self.rows {
            coefficients[*pivot] = minus(0, row[column]);
        }
        (1..=MAX_DENOMINATOR).find_map(|denominator| {
            let scaled = coefficients.iter().map(|&c| centred(times(c, denominator)));
            let scaled: Vec<i128> = scaled.collect();
            scaled.iter().all(|c| c.abs() <= LARGEST).then_some(scaled)
        })
    }
}

/// Subtracts a multiple of a row whose entry in the column is 1, so that the column becomes 0.
fn eliminate(row: &mut [u64], column: usize, other: &[u64]) {
    let factor = row[column];
    if factor != 0 {
        for (entry, &by) in row.iter_mut().zip(other) {
            *entry = minus(*entry, times(factor, by));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Hull;

    #[test]
    fn the_equations_of_points_are_found() {
        // 1, x, y, z with 2 z = x + 4 y - 6, and x and y free.
        let mut hull = Hull::default();
        for (x, y) in [(0, 0), (2, 5), (4, -3), (100, 7), (-6, 1)] {
            hull.add(&[1, x, y, (x + 4 * y - 6) / 2]);
        }
        assert_eq!(hull.equation(3, 4), Some(vec![6, -1, -4, 2]));
        assert_eq!(hull.equation(1, 4), None);
        assert_eq!(hull.equation(0, 4), None);
        // Nothing is left once a point disagrees.
        hull.add(&[1, 1, 1, 1]);
        assert_eq!(hull.equation(3, 4), None);
    }
}
