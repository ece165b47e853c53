//! The state of a body between steps, as a torque sees it, and between the stages of a step.

use super::{MOST_LANES, Number, Quat, RotationMatrix, Vec3};

/// Orientation, and angular velocity in the body frame. There the spin of a free symmetric body is
/// constant, and no step has to rotate it to the world frame and back, which would add rounding
/// errors (two digits at t = 100).
#[derive(Clone, Copy, Debug, PartialEq)]
// aligned, so that each load matches one earlier store: a load that spans two stores waits 5 ns per
// step
#[repr(C, align(32))]
pub struct State<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
}

impl State<f64> {
    /// Whether the result of a step is finite. One component of `q` is enough, because it depends
    /// on all. If `|ω|²` is finite, no rotated ω overflows.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        (self.q.0[0] + self.omega_body.dot(self.omega_body)).is_finite()
    }
}

/// The state passed to a torque, in both frames.
#[derive(Clone, Copy, Debug)]
pub struct TorqueState<N> {
    /// Body to world.
    pub q: Quat<N>,
    /// The same rotation as a matrix.
    pub to_world: RotationMatrix<N>,
    /// rad/s, body frame.
    pub omega_body: Vec3<N>,
    /// rad/s, world frame.
    pub omega_world: Vec3<N>,
}

impl<N: Number> TorqueState<N> {
    /// Computes the rotation matrix and the world angular velocity of a state.
    #[inline(always)]
    pub fn at(state: &State<N>) -> Self {
        let to_world = state.q.to_matrix();
        TorqueState {
            q: state.q,
            to_world,
            omega_body: state.omega_body,
            omega_world: to_world.rotate(state.omega_body),
        }
    }

    /// The same body, if it did not turn.
    #[inline(always)]
    pub(crate) fn at_rest(&self) -> Self {
        self.turning_by(0.0)
    }

    /// The same body with NaN for its angular velocity: for torques that must not depend on it.
    #[inline(always)]
    pub(crate) fn without_velocity(&self) -> Self {
        self.turning_by(f64::NAN)
    }

    #[inline(always)]
    fn turning_by(&self, component: f64) -> Self {
        TorqueState {
            omega_body: Vec3::splat(component),
            omega_world: Vec3::splat(component),
            ..*self
        }
    }
}

/// A number of [`MOST_LANES`] bodies.
pub type Column = [f64; MOST_LANES];

/// The vectors that a method saves for each body from one stage of a step to the next. The first
/// `Scheme::SAVED` of them are used; the others are 0.
pub type Saved<N> = [Vec3<N>; 2];

/// Reads [`Number::LANES`] lanes of columns, one column for each number. `lane` is the first lane,
/// a multiple of [`Number::LANES`].
#[inline(always)]
pub fn load_saved<N: Number>(columns: &[Column], lane: usize) -> Saved<N> {
    let mut saved = [Vec3::splat(0.0); 2];
    for k in 0..columns.len() {
        saved[k / 3].0[k % 3] = N::load(&columns[k][lane..]);
    }
    saved
}

/// Writes the lanes that [`load_saved`] reads.
#[inline(always)]
pub fn store_saved<N: Number>(saved: &Saved<N>, columns: &mut [Column], lane: usize) {
    for k in 0..columns.len() {
        saved[k / 3].0[k % 3].store(&mut columns[k][lane..]);
    }
}
