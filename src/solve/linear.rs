//! Six linear equations.

/// A matrix as the product of triangular ones, and the order of its rows.
pub(super) struct Factored {
    triangles: [[f64; 6]; 6],
    order: [usize; 6],
}

impl Factored {
    /// Exchanges rows so that the greatest element of a column divides the others. `None` if the
    /// matrix is singular or not finite.
    pub(super) fn new(mut matrix: [[f64; 6]; 6]) -> Option<Self> {
        let mut order = [0, 1, 2, 3, 4, 5];
        for column in 0..6 {
            let mut greatest = column;
            for row in column..6 {
                if matrix[row][column].abs() > matrix[greatest][column].abs() {
                    greatest = row;
                }
            }
            let size = matrix[greatest][column].abs();
            if !(size > 0.0 && size.is_finite()) {
                return None;
            }
            matrix.swap(column, greatest);
            order.swap(column, greatest);
            let pivot = matrix[column];
            for row in &mut matrix[column + 1..] {
                let factor = row[column] / pivot[column];
                row[column] = factor;
                for k in column + 1..6 {
                    row[k] -= factor * pivot[k];
                }
            }
        }
        Some(Factored {
            triangles: matrix,
            order,
        })
    }

    /// The solution of the equations with this right side.
    pub(super) fn solved(&self, right: [f64; 6]) -> [f64; 6] {
        let matrix = &self.triangles;
        let mut x = self.order.map(|row| right[row]);
        for row in 0..6 {
            for k in 0..row {
                x[row] -= matrix[row][k] * x[k];
            }
        }
        for row in (0..6).rev() {
            for k in row + 1..6 {
                x[row] -= matrix[row][k] * x[k];
            }
            x[row] /= matrix[row][row];
        }
        x
    }
}
