//! Values that a method saves for each body from one stage of a step to the next.

use super::{MOST_LANES, Number, Vec3};

/// A number of [`MOST_LANES`] bodies.
pub type Column = [f64; MOST_LANES];

/// Values of each body, stored in columns between stages.
pub trait SavedNumbers<N: Number>: Copy {
    /// Numbers per body.
    const COUNT: usize;

    /// The value at the first stage.
    fn empty() -> Self;

    /// From the first of these numbers.
    fn of_numbers(numbers: &[N]) -> Self;

    /// Replaces the first of these numbers.
    fn to_numbers(&self, numbers: &mut [N]);

    /// Reads [`Number::LANES`] lanes, starting at `lane`, a multiple of [`Number::LANES`].
    fn load(columns: &[Column], lane: usize) -> Self;

    /// Writes these lanes.
    fn store(&self, columns: &mut [Column], lane: usize);
}

impl<N: Number, const K: usize> SavedNumbers<N> for [Vec3<N>; K] {
    const COUNT: usize = 3 * K;

    #[inline(always)]
    fn empty() -> Self {
        [Vec3::splat(0.0); K]
    }

    #[inline(always)]
    fn of_numbers(numbers: &[N]) -> Self {
        let mut vectors = [Vec3::splat(0.0); K];
        for k in 0..3 * K {
            vectors[k / 3].0[k % 3] = numbers[k];
        }
        vectors
    }

    #[inline(always)]
    fn to_numbers(&self, numbers: &mut [N]) {
        for k in 0..3 * K {
            numbers[k] = self[k / 3].0[k % 3];
        }
    }

    #[inline(always)]
    fn load(columns: &[Column], lane: usize) -> Self {
        let mut vectors = [Vec3::splat(0.0); K];
        for k in 0..3 * K {
            vectors[k / 3].0[k % 3] = N::load(&columns[k][lane..]);
        }
        vectors
    }

    #[inline(always)]
    fn store(&self, columns: &mut [Column], lane: usize) {
        for k in 0..3 * K {
            self[k / 3].0[k % 3].store(&mut columns[k][lane..]);
        }
    }
}
