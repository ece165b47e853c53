//! The order and the length of the steps of an extrapolation, as ODEX chooses them: HNW93, II.9.

/// The most columns of T, so that the order is at most 20.
pub(super) const COLUMNS: usize = 10;

/// The columns, counted from 0, that a step is planned for. It may end in the one before or after.
const LEAST: usize = 2;
const GREATEST: usize = COLUMNS - 2;

/// `n_j`. The sequence 2, 4, 6, 8, … would take less work for a column, but the differences that
/// extrapolation multiplies grow with it: the greatest factor, `Σ |w_j|` for `T = Σ w_j T_{j,1}`,
/// is 16 here and 550 there, so that the rounding errors of the substeps would show.
pub(super) const SUBSTEPS: [usize; COLUMNS] = [2, 4, 6, 8, 10, 14, 18, 24, 32, 42];

/// `H_k = H FACTOR (SAFETY / err)^(1/(2k+1))`, within these limits.
const FACTOR: f64 = 0.8;
const SAFETY: f64 = 0.65;
const LEAST_LENGTH: f64 = 0.1;
const GREATEST_LENGTH: f64 = 4.0;

/// A column is added or dropped where the work per unit of time falls to these ratios.
const DROP: f64 = 0.8;
const ADD: f64 = 0.9;

/// `A_k`, the torque evaluations of a step with this many columns, one between its nodes, and one at
/// its end.
fn work(column: usize) -> f64 {
    (SUBSTEPS[..=column].iter().sum::<usize>() + 2) as f64
}

/// The column that a step is planned for, and what the last step tells of the next.
pub(super) struct Order {
    /// The column that the next step is planned for.
    planned: usize,
    /// The lengths that the columns of the last step need, in units of the step: `H_k / H`.
    lengths: [f64; COLUMNS],
}

impl Order {
    /// For a first step, by the digits of the tolerance as ODEX does.
    pub(super) fn new(tolerance: f64) -> Self {
        let digits = -libm::log10(tolerance);
        Order {
            planned: ((0.6 * digits + 1.5) as usize).clamp(LEAST, GREATEST),
            lengths: [1.0; COLUMNS],
        }
    }

    /// For a part of a step that had this many columns.
    pub(super) fn of(columns: usize) -> Self {
        Order {
            planned: columns.clamp(LEAST + 1, GREATEST + 1) - 1,
            lengths: [1.0; COLUMNS],
        }
    }

    /// Forgets the last step. The columns of the next one, counted from 0, at most.
    pub(super) fn begin(&mut self) -> std::ops::RangeInclusive<usize> {
        self.lengths = [1.0; COLUMNS];
        0..=self.planned + 1
    }

    /// Whether a step ends with column j, which has made this error, in tolerances.
    pub(super) fn ends(&mut self, j: usize, error: f64) -> bool {
        self.lengths[j] = length_for(error, j);
        j + 1 >= self.planned && (error <= 1.0 || !self.may_converge(error, j))
    }

    /// `W_k`, the work per unit of time.
    fn work_rate(&self, column: usize) -> f64 {
        work(column) / self.lengths[column]
    }

    /// Whether a column takes this part of another's work. Column 0 has no estimate.
    fn is_cheaper(&self, column: usize, than: usize, ratio: f64) -> bool {
        column >= 1 && than >= 1 && self.work_rate(column) < ratio * self.work_rate(than)
    }

    /// Whether the planned column or the next may be exact enough, after this error in column j.
    fn may_converge(&self, error: f64, j: usize) -> bool {
        let [first, planned, next] =
            [0, self.planned, self.planned + 1].map(|k| SUBSTEPS[k] as f64);
        let most = if j < self.planned {
            planned * next / (first * first)
        } else if j == self.planned {
            next / first
        } else {
            return false;
        };
        error <= most * most
    }

    /// Plans the column of the next step, after one that is exact enough in column `last`. Returns
    /// its length in units of this step.
    pub(super) fn plan_after(&mut self, last: usize) -> f64 {
        let mut next = last;
        if last <= self.planned {
            if self.is_cheaper(last - 1, last, DROP) {
                next = last - 1;
            } else if self.is_cheaper(last, last - 1, ADD) {
                next = last + 1;
            }
        } else {
            next = last - 1;
            if last > 2 && self.is_cheaper(last - 2, last - 1, DROP) {
                next = last - 2;
            }
            if self.is_cheaper(last, next, ADD) {
                next = last;
            }
        }
        next = next.clamp(LEAST, GREATEST);
        let factor = if next <= last {
            self.lengths[next]
        } else if last < self.planned && self.is_cheaper(last, last - 1, DROP) {
            self.lengths[last] * work(next + 1) / work(last)
        } else {
            self.lengths[last] * work(next) / work(last)
        };
        self.planned = next;
        factor
    }

    /// Plans the column of the next trial, after one in which no column was exact enough.
    pub(super) fn plan_again(&mut self, last: usize) -> f64 {
        let mut next = self.planned.min(last);
        if next > LEAST && self.is_cheaper(next - 1, next, DROP) {
            next -= 1;
        }
        next = next.max(LEAST);
        let mut factor = 0.5;
        if next <= last && self.lengths[next] <= 0.9 {
            factor = self.lengths[next];
        }
        self.planned = next;
        factor
    }
}

/// `H_k / H` after this error in column k.
fn length_for(error: f64, k: usize) -> f64 {
    let length = FACTOR * libm::pow(SAFETY / error.max(1e-30), 1.0 / (2 * k + 1) as f64);
    length.clamp(LEAST_LENGTH, GREATEST_LENGTH)
}
