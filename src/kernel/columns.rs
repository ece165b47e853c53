//! Numbers that a method remembers of each body from one stage of a step to the next.

use super::{MOST_LANES, Number, Vec3};

/// A fixed set of numbers for each body, kept in columns between the stages.
pub trait Columns<N: Number>: Copy {
    /// How many numbers for each body.
    const COUNT: usize;

    /// What the first stage finds.
    fn empty() -> Self;

    /// Reads the lanes from `lane` on, which is a multiple of [`Number::LANES`].
    fn load(columns: &[[f64; MOST_LANES]], lane: usize) -> Self;

    /// Writes them.
    fn store(&self, columns: &mut [[f64; MOST_LANES]], lane: usize);
}

impl<N: Number, const K: usize> Columns<N> for [Vec3<N>; K] {
    const COUNT: usize = 3 * K;

    #[inline(always)]
    fn empty() -> Self {
        [Vec3::splat(0.0); K]
    }

    #[inline(always)]
    fn load(columns: &[[f64; MOST_LANES]], lane: usize) -> Self {
        let mut vectors = [Vec3::splat(0.0); K];
        for k in 0..K {
            for c in 0..3 {
                vectors[k].0[c] = N::load(&columns[3 * k + c][lane..]);
            }
        }
        vectors
    }

    #[inline(always)]
    fn store(&self, columns: &mut [[f64; MOST_LANES]], lane: usize) {
        for k in 0..K {
            for c in 0..3 {
                self[k].0[c].store(&mut columns[3 * k + c][lane..]);
            }
        }
    }
}
