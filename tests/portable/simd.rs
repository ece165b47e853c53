//! The number types of the instruction sets: each does the same arithmetic, and moves the same numbers.

#![allow(unsafe_code, clippy::needless_range_loop)] // rows are read and written through pointers

use crate::common::levels::{LEVELS, taken_for};
use quatint::kernel::{MOST_LANES, Number, Range, Vec3, exp_of_half};
use quatint::simd::{Job, load_rows, run_at, run_portable, store_rows};

/// Quaternions of slow and fast turns side by side, and their lengths.
struct Turns;

impl Job<[[f64; MOST_LANES]; 6]> for Turns {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) -> [[f64; MOST_LANES]; 6] {
        let spin: [f64; MOST_LANES] = std::array::from_fn(|i| (i * i * i) as f64 * 0.1 - 0.05);
        let mut out = [[0.0; MOST_LANES]; 6];
        for i in (0..MOST_LANES).step_by(N::LANES) {
            let w = N::load(&spin[i..]);
            let half = Vec3([w, -w, w / N::splat(3.0)]);
            let q =
                exp_of_half(half, half.dot(half), Range::Half) * exp_of_half(half, w, Range::Whole);
            let [a, b, c, d] = q.0;
            let clamped = w.if_at_most(1.0, q.norm_squared().sqrt(), N::splat(2.0));
            for (column, x) in out.iter_mut().zip([a, b, c, d, clamped, q.towards_unit()]) {
                x.store(&mut column[i..]);
            }
        }
        out
    }
}

#[test]
fn every_number_does_the_same_arithmetic() {
    let bits = |columns: [[f64; MOST_LANES]; 6]| columns.map(|column| column.map(f64::to_bits));
    let expected = bits(Turns.in_lanes::<f64>());
    assert_eq!(bits(run_portable(&mut Turns)), expected);
    for level in LEVELS {
        taken_for(level);
        assert_eq!(bits(run_at(level, &mut Turns)), expected, "{level:?}");
    }
}

/// Rows that begin five numbers apart, the first `K` of which are turned into columns and written into other rows.
struct Rows<'a, const K: usize> {
    from: &'a [f64],
    to: &'a mut [f64],
    is_backwards: bool,
    columns: [[f64; MOST_LANES]; K],
}

impl<const K: usize> Rows<'_, K> {
    fn start(&self, i: usize) -> usize {
        5 * if self.is_backwards {
            MOST_LANES - 1 - i
        } else {
            i
        }
    }
}

impl<const K: usize> Job for Rows<'_, K> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let stride = if self.is_backwards { -5 } else { 5 };
        for i in (0..MOST_LANES).step_by(N::LANES) {
            let start = self.start(i);
            // SAFETY: a row of `K` for each lane, from here on.
            let columns: [N; K] = unsafe { load_rows(self.from.as_ptr().add(start), stride) };
            for k in 0..K {
                columns[k].store(&mut self.columns[k][i..]);
            }
            // SAFETY: as above.
            unsafe { store_rows(columns, self.to.as_mut_ptr().add(start), stride) };
        }
    }
}

fn rows_become_columns_and_rows_again<const K: usize>(run: impl Fn(&mut Rows<K>)) {
    let from: Vec<f64> = (0..5 * (MOST_LANES - 1) + K).map(|i| i as f64).collect(); // the last row ends it
    for is_backwards in [false, true] {
        let mut to = vec![-1.0; from.len()];
        let mut rows = Rows::<K> {
            from: &from,
            to: &mut to,
            is_backwards,
            columns: [[f64::NAN; MOST_LANES]; K],
        };
        run(&mut rows);
        for k in 0..K {
            assert_eq!(
                rows.columns[k],
                std::array::from_fn(|i| from[rows.start(i) + k])
            );
        }
        let expected: Vec<f64> = (0..from.len())
            .map(|i| if i % 5 < K { from[i] } else { -1.0 })
            .collect();
        assert_eq!(
            to, expected,
            "the first {K} numbers of each row, and no others"
        );
    }
}

#[test]
fn rows_become_columns_and_rows_again_in_every_instruction_set() {
    rows_become_columns_and_rows_again::<3>(|rows| rows.in_lanes::<f64>());
    rows_become_columns_and_rows_again::<4>(|rows| rows.in_lanes::<f64>());
    rows_become_columns_and_rows_again::<3>(|rows| run_portable(rows));
    rows_become_columns_and_rows_again::<4>(|rows| run_portable(rows));
    for level in LEVELS {
        taken_for(level);
        rows_become_columns_and_rows_again::<3>(|rows| run_at(level, rows));
        rows_become_columns_and_rows_again::<4>(|rows| run_at(level, rows));
    }
}
