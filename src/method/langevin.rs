//! Random torques: drag `−C (ω − flow)` and the noise that belongs to it at the energy kT, under
//! the splitting of order 2: BAOAB.
//!
//! `I dω = (τ − ω × Iω − C (ω − flow)) dt + √(2 kT C) dW`, C diagonal in the body axes. Drag and
//! noise alone are an Ornstein-Uhlenbeck process, exact over any duration t: with
//! `A = I^-½ C I^-½`, diagonal in some axes, and ξ normal deviates,
//! ```text
//!     ω ← flow + c (ω − flow) + √(kT/I) √(1 − c²) ξ        c = exp(−A t)
//! ```
//!
//! This process between two halves of the free rotation, and these between two halves of the kick,
//! are the step BAOAB. It takes one torque and has order 2 for averages; for averages of the
//! orientation it is better than that. R. Davidchack, T. Ouldridge, M. Tretyakov, J. Chem. Phys.
//! 142, 144114 (2015); B. Leimkuhler, C. Matthews, *Molecular Dynamics*, Springer (2015), ch. 7.
//! Without friction it is the splitting with twice as many rotations.

use super::{Scheme, Step, Strang, ToNext, Turn};
use crate::kernel::{Number, RareWork, RotationMatrix, Saved, Vec3};
use crate::kernel::{free_rotation_under_noise, inverse_sums, velocity_kicked};

/// BAOAB.
pub type Baoab = BaoabOf<false>;

/// [`Baoab`], as [`ShortSplitting`](super::ShortSplitting).
#[cfg(target_arch = "nvptx64")]
pub type ShortBaoab = BaoabOf<true>;

/// [`Baoab`], with any rotations or with short ones only: see [`Scheme::ROTATES_SHORT_ONLY`].
pub struct BaoabOf<const ROTATES_SHORT_ONLY: bool>;

/// Rows of a matrix.
pub(super) type Matrix<N> = [Vec3<N>; 3];

/// How many numbers [`Modes`] have if their axes are not the body axes.
pub(crate) const MODE_NUMBERS: usize = 33;

/// The axes in which drag and noise are independent of each other.
#[derive(Clone, Copy, Debug)]
pub struct Modes<N> {
    /// The diagonal of A, 1 per unit of time.
    pub(super) rates: Vec3<N>,
    /// The variances of the components of ω in these axes, over kT.
    pub(super) variances: Vec3<N>,
    /// Three matrices: U, which leads from these axes, of any scale, to the body frame; U⁻¹; and
    /// the one of [`Bath::drawn`]. `None` if the axes are the body axes.
    pub(super) axes: Option<[Matrix<N>; 3]>,
}

impl<N: Number> Modes<N> {
    /// The modes of a body whose principal axes are the body axes. An axis that is locked (1/I = 0)
    /// has no drag and no noise.
    #[inline(always)]
    pub fn aligned(reciprocals: Vec3<N>, coefficients: Vec3<N>) -> Self {
        Modes {
            rates: coefficients.times(reciprocals),
            variances: reciprocals,
            axes: None,
        }
    }

    /// From [`Modes::numbers`].
    #[inline(always)]
    pub(crate) fn of_numbers(n: [N; MODE_NUMBERS]) -> Self {
        let mut v = [Vec3::splat(0.0); MODE_NUMBERS / 3];
        for k in 0..MODE_NUMBERS {
            v[k / 3].0[k % 3] = n[k];
        }
        let [rates, variances, a, b, c, d, e, f, g, h, i] = v;
        Modes {
            rates,
            variances,
            axes: Some([[a, b, c], [d, e, f], [g, h, i]]),
        }
    }

    /// The effect of drag and noise over a duration, in a fluid at rest. `c` and the factors of the
    /// deviates are from [`relaxation`].
    #[inline(always)]
    pub fn in_body(&self, [stays, spread]: [Vec3<N>; 2], deviates: Vec3<N>) -> Bath<N> {
        let noise = spread.times(deviates);
        let Some([u, inverse, drawn]) = &self.axes else {
            return Bath {
                response: Response::Diagonal(stays),
                noise,
                drawn: None,
                flow_body: None,
            };
        };
        let mut rows = *u;
        for row in &mut rows {
            *row = RotationMatrix(*inverse).rotate_back(row.times(stays));
        }
        Bath {
            response: Response::Full(rows),
            noise: RotationMatrix(*u).rotate(noise),
            drawn: Some(*drawn),
            flow_body: None,
        }
    }
}

/// A linear map in the body frame.
#[derive(Clone, Copy, Debug)]
pub enum Response<N> {
    /// One factor for each component.
    Diagonal(Vec3<N>),
    /// The rows of a matrix.
    Full(Matrix<N>),
}

impl<N: Number> Response<N> {
    #[inline(always)]
    pub(super) fn of(&self, v: Vec3<N>) -> Vec3<N> {
        match self {
            Response::Diagonal(factors) => factors.times(v),
            Response::Full(rows) => RotationMatrix(*rows).rotate(v),
        }
    }
}

/// The effect of drag and noise in a step.
#[derive(Clone, Copy, Debug)]
pub struct Bath<N> {
    /// The matrix `c` in BAOAB; the turn by a torque of 1 in Brownian motion.
    pub response: Response<N>,
    /// The contribution of the noise.
    pub noise: Vec3<N>,
    /// A matrix that maps the rotation of the fluid about locked axes to the rotation about the
    /// other axes that it drives; `None` if it drives none.
    pub drawn: Option<[Vec3<N>; 3]>,
    /// The angular velocity of the fluid, in the body frame of the start; `None` if it is at rest.
    pub flow_body: Option<Vec3<N>>,
}

impl<N: Number> Bath<N> {
    /// The angular velocity after drag and noise, in a fluid that rotates.
    #[inline(always)]
    pub fn relaxed(&self, omega_body: Vec3<N>, flow_body: Vec3<N>) -> Vec3<N> {
        let flow_body = match self.drawn {
            Some(drawn) => flow_body + RotationMatrix(drawn).rotate(flow_body),
            None => flow_body,
        };
        flow_body + (self.response.of(omega_body - flow_body) + self.noise)
    }
}

/// `c`, and the factors of the deviates, over a duration of at least 0.
#[inline(always)]
pub fn relaxation<N: Number>(modes: &Modes<N>, kt: f64, duration: f64) -> [Vec3<N>; 2] {
    let [a, b, c, x, y, z] = N::rarely::<N, Decay>(modes.rates * N::splat(duration));
    let [x, y, z] = Vec3::splat(kt)
        .times(modes.variances)
        .times(Vec3([x, y, z]))
        .0;
    [Vec3([a, b, c]), Vec3([x.sqrt(), y.sqrt(), z.sqrt()])]
}

/// For a greater x, `exp(−x)` is below the rounding errors of the numbers to which it is added.
const MOST: f64 = 40.0;
const DOUBLINGS: i32 = 10;
const INVERSES: [f64; 8] = [
    1.0 / 9.0,
    1.0 / 8.0,
    1.0 / 7.0,
    1.0 / 6.0,
    0.2,
    0.25,
    1.0 / 3.0,
    0.5,
];

/// `c = exp(−x)` and `1 − c²` for x ≥ 0, the second with full relative accuracy however small x is.
/// It uses the series of `e = exp(−y) − 1` for `y = x/2¹⁰`, below 0.04, and
/// `exp(−2y) − 1 = e (2 + e)`.
struct Decay;

impl RareWork for Decay {
    type Given<'a, N: Number> = Vec3<N>;
    type Outcome<N: Number> = [N; 6];

    #[inline(always)]
    fn of_lanes<N: Number>(Vec3([x, y, z]): Vec3<N>) -> [N; 6] {
        let (a, x) = decay(x);
        let (b, y) = decay(y);
        let (c, z) = decay(z);
        [a, b, c, x, y, z]
    }
}

#[inline(always)]
fn decay<N: Number>(x: N) -> (N, N) {
    let y = x.if_at_most(MOST, x, N::splat(MOST)) * N::splat(1.0 / (1 << DOUBLINGS) as f64);
    let one = N::splat(1.0);
    let two = N::splat(2.0);
    let mut sum = one;
    for inverse in INVERSES {
        sum = one - (y * N::splat(inverse)) * sum;
    }
    let mut e = -(y * sum);
    for _ in 0..DOUBLINGS {
        e = e * (two + e);
    }
    (one + e, -(e * (two + e)))
}

impl<const ROTATES_SHORT_ONLY: bool> Scheme for BaoabOf<ROTATES_SHORT_ONLY> {
    const TORQUE_AT: &'static [f64] = &[0.0, 1.0];
    const KEEPS_TORQUE: bool = true;
    const ROTATES_SHORT_ONLY: bool = ROTATES_SHORT_ONLY;
    const TAKES_NOISE: bool = true;
    /// The last torque, in the body frame.
    const SAVED: usize = 1;

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        saved: &mut Saved<N>,
    ) -> ToNext<N> {
        let bath = match &step.bath {
            Some(bath) if i == 0 => bath,
            _ => return Strang::stage(1, step, omega_body, torque_body, saved),
        };
        let kicked = velocity_kicked(step.inertia, saved[0], 0.5 * step.h);
        let half = 0.5 * step.h;
        let sums = &inverse_sums(step.inertia);
        let omega = omega_body + kicked;
        let first = free_rotation_under_noise(step.inertia, sums, omega, half, ROTATES_SHORT_ONLY);
        let flow = match bath.flow_body {
            None => Vec3::splat(0.0),
            Some(flow) => {
                // in the body frame after that rotation, of any length
                let rotation = first.rotation;
                let u = first.rotation.vector();
                let cross = u.cross(flow);
                flow + (u.cross(cross) - cross * rotation.0[0])
                    * (N::splat(2.0) / rotation.norm_squared())
            }
        };
        let relaxed = bath.relaxed(omega + first.gained, flow);
        let last = free_rotation_under_noise(step.inertia, sums, relaxed, half, ROTATES_SHORT_ONLY);
        // the torque is asked at the angular velocity that a second half of the kick by the same
        // torque would give
        (
            Turn::Twice([first.rotation, last.rotation], first.motion + last.motion),
            relaxed + last.gained + kicked,
        )
    }
}
