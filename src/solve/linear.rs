//! Six linear equations.

pub(super) type Six = [f64; 6];
pub(super) type Matrix = [Six; 6];

/// `start + Σ weightₖ vectorₖ`
pub(super) fn combined(start: Six, weights: &[f64], vectors: &[Six]) -> Six {
    weights
        .iter()
        .zip(vectors)
        .fold(start, |sum, (weight, vector)| std::array::from_fn(|i| sum[i] + weight * vector[i]))
}

/// A matrix as the product of triangular ones, rows exchanged so that the greatest element of a column divides the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factored {
    matrix: Matrix,
    order: [usize; 6],
}

impl Factored {
    /// `None` if it is singular, or not finite.
    pub(super) fn new(mut matrix: Matrix) -> Option<Self> {
        let mut order = [0, 1, 2, 3, 4, 5];
        for column in 0..6 {
            let size = |row: usize| matrix[row][column].abs();
            let greatest = (column..6).fold(column, |best, row| if size(row) > size(best) { row } else { best });
            if !(size(greatest) > 0.0 && size(greatest).is_finite()) {
                return None;
            }
            matrix.swap(column, greatest);
            order.swap(column, greatest);
            let pivot = matrix[column];
            for row in &mut matrix[column + 1..] {
                let factor = row[column] / pivot[column];
                row[column] = factor;
                (column + 1..6).for_each(|k| row[k] -= factor * pivot[k]);
            }
        }
        Some(Factored { matrix, order })
    }

    pub(super) fn solve(&self, right: Six) -> Six {
        let mut x = self.order.map(|row| right[row]);
        for row in 0..6 {
            (0..row).for_each(|k| x[row] -= self.matrix[row][k] * x[k]);
        }
        for row in (0..6).rev() {
            (row + 1..6).for_each(|k| x[row] -= self.matrix[row][k] * x[k]);
            x[row] /= self.matrix[row][row];
        }
        x
    }
}
