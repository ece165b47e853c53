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

    /// From its numbers.
    fn of_numbers(number: impl Fn(usize) -> N) -> Self;

    /// Number `k`.
    fn number(&self, k: usize) -> N;

    /// Reads [`Number::LANES`] lanes, starting at `lane`, a multiple of [`Number::LANES`].
    #[inline(always)]
    fn load(columns: &[Column], lane: usize) -> Self {
        Self::of_numbers(|k| N::load(&columns[k][lane..]))
    }

    /// Writes these lanes.
    #[inline(always)]
    fn store(&self, columns: &mut [Column], lane: usize) {
        for k in 0..Self::COUNT {
            self.number(k).store(&mut columns[k][lane..]);
        }
    }
}

impl<N: Number, const K: usize> SavedNumbers<N> for [Vec3<N>; K] {
    const COUNT: usize = 3 * K;

    #[inline(always)]
    fn empty() -> Self {
        [Vec3::splat(0.0); K]
    }

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> N) -> Self {
        let mut vectors = [Vec3::splat(0.0); K];
        for k in 0..3 * K {
            vectors[k / 3].0[k % 3] = number(k);
        }
        vectors
    }

    #[inline(always)]
    fn number(&self, k: usize) -> N {
        self[k / 3].0[k % 3]
    }
}
