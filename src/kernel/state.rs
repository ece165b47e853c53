//! What is known of a body: between steps, at a torque, and between the stages of a step.

use super::{MOST_LANES, Number, Quat, RotationMatrix, Vec3};

/// Orientation, and angular velocity in the body frame. There the spin of a free symmetric body is constant, and no step has to
/// rotate it to the world frame and back, which would add rounding errors (two digits at t = 100).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))] // aligned, so that each load matches one earlier store: a load that spans two stores waits 5 ns per step
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

/// The state passed to a torque, in both frames.
#[derive(Clone, Copy, Debug)]
pub struct Here<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// The same rotation as a matrix.
    pub to_world: RotationMatrix<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
    /// rad/s, world frame.
    pub omega_world: Vec3<N>,
}

impl<N: Number> Here<N> {
    /// Computes the rotation matrix and the world angular velocity of a state.
    #[inline(always)]
    pub fn at(state: &State<N>) -> Self {
        let to_world = state.q.to_matrix();
        Here { q: state.q, to_world, omega_body: state.omega_body, omega_world: to_world.rotate(state.omega_body) }
    }
}

/// A number of [`MOST_LANES`] bodies.
pub type Column = [f64; MOST_LANES];

/// Values that a method saves for each body from one stage of a step to the next, in columns.
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
