//! Splitting methods: kicks by the torque, and exact free rotations (drifts) between them.
//!
//! Time-reversible and volume-preserving; |q| = 1 to rounding. A kick changes the angular momentum by `b h τ` at constant orientation, a
//! drift rotates the body freely for `a h`. The torque of the last kick of a step is that of the first kick of the next: it is kept,
//! in the body frame. Order 2 is Strang's splitting, known from particles as velocity Verlet:
//! ```text
//!     L½ = L₀ + ½h τ₀        free rotation for h        τ₁ at ( q₁, I⁻¹(L½ + ½h τ₀) )        L₁ = L½ + ½h τ₁
//! ```
//!
//! The torque is asked at the predicted angular velocity: without the prediction, torques that depend on it make the order 1.
//! Orders 4 and 6 assume that the torque depends on orientation and time alone; otherwise their order is 1.
//! BM02: S. Blanes, P. C. Moan, J. Comput. Appl. Math. 142, 313–330 (2002), doi 10.1016/S0377-0427(01)00492-7, methods SRKN₆ᵇ and SRKN₁₁ᵇ.
//! The free rotation: `kernel::free_rotation`; of a body with rotors `kernel::free_gyrostat`, to the order of the method or better.

use super::{Move, Scheme, Step, Turn};
use crate::kernel::{Number, Vec3, velocity_kicked};

/// Splitting methods of order 2 (Strang: one torque per step), 4 and 6 (Blanes and Moan 2002: six and eleven torques per step).
#[derive(Clone, Copy, Debug, Default)]
pub struct Splitting<const ORDER: u32>;

/// The parts of a step. They are symmetric, begin and end with a kick, and add up to 1.
trait Parts {
    const KICKS: &'static [f64];
    const DRIFTS: &'static [f64];
    const TORQUE_AT: &'static [f64];
    const NAME: &'static str;
}

impl Parts for Splitting<2> {
    const KICKS: &'static [f64] = &[0.5, 0.5];
    const DRIFTS: &'static [f64] = &[1.0];
    const TORQUE_AT: &'static [f64] = &[0.0, 1.0];
    const NAME: &'static str = "splitting";
}

impl Parts for Splitting<4> {
    const KICKS: &'static [f64] = {
        const B: [f64; 3] = [0.0829844064174052, 0.396309801498368, -0.0390563049223486];
        const MIDDLE: f64 = 1.0 - 2.0 * (B[0] + B[1] + B[2]);
        &[B[0], B[1], B[2], MIDDLE, B[2], B[1], B[0]]
    };
    const DRIFTS: &'static [f64] = {
        const A: [f64; 2] = [0.245298957184271, 0.604872665711080];
        const MIDDLE: f64 = 0.5 - (A[0] + A[1]);
        &[A[0], A[1], MIDDLE, MIDDLE, A[1], A[0]]
    };
    const TORQUE_AT: &'static [f64] = &times::<6, 7>(Self::DRIFTS);
    const NAME: &'static str = "splitting of order 4";
}

impl Parts for Splitting<6> {
    const KICKS: &'static [f64] = {
        const B: [f64; 5] =
            [0.0414649985182624, 0.198128671918067, -0.0400061921041533, 0.0752539843015807, -0.0115113874206879];
        const MIDDLE: f64 = 0.5 - (B[0] + B[1] + B[2] + B[3] + B[4]);
        &[B[0], B[1], B[2], B[3], B[4], MIDDLE, MIDDLE, B[4], B[3], B[2], B[1], B[0]]
    };
    const DRIFTS: &'static [f64] = {
        const A: [f64; 5] =
            [0.123229775946271, 0.290553797799558, -0.127049212625417, -0.246331761062075, 0.357208872795928];
        const MIDDLE: f64 = 1.0 - 2.0 * (A[0] + A[1] + A[2] + A[3] + A[4]);
        &[A[0], A[1], A[2], A[3], A[4], MIDDLE, A[4], A[3], A[2], A[1], A[0]]
    };
    const TORQUE_AT: &'static [f64] = &times::<11, 12>(Self::DRIFTS);
    const NAME: &'static str = "splitting of order 6";
}

/// The times between the drifts, from 0 to exactly 1. The second half mirrors the first.
const fn times<const DRIFTS: usize, const TIMES: usize>(drifts: &[f64]) -> [f64; TIMES] {
    assert!(drifts.len() == DRIFTS && TIMES == DRIFTS + 1);
    let mut times = [0.0; TIMES];
    let (mut sum, mut i) = (0.0, 0);
    while i <= DRIFTS / 2 {
        times[i] = sum;
        times[DRIFTS - i] = 1.0 - sum;
        sum += drifts[i];
        i += 1;
    }
    times
}

impl<const ORDER: u32> Scheme for Splitting<ORDER>
where
    Self: Parts,
{
    const NAME: &'static str = <Self as Parts>::NAME;
    const ORDER: u32 = ORDER;
    const TORQUE_AT: &'static [f64] = <Self as Parts>::TORQUE_AT;
    const IS_SPECIALISED: bool = ORDER == 2;
    const HAS_CALLER_LOOPS: bool = ORDER <= 4;
    const KEEPS_TORQUE: bool = true;
    /// The last torque, in the body frame.
    type Saved<N: Number> = [Vec3<N>; 1];

    #[inline(always)]
    fn opened<N: Number>(_: &Step<N>, torque_body: Option<Vec3<N>>) -> [Vec3<N>; 1] {
        [torque_body.unwrap_or(Vec3::splat(0.0))]
    }

    #[inline(always)]
    fn stage<N: Number>(
        i: usize,
        step: &Step<N>,
        omega_body: Vec3<N>,
        torque_body: Option<Vec3<N>>,
        [last]: &mut [Vec3<N>; 1],
    ) -> Move<N> {
        let (kick, is_predicted) = (step.h * Self::KICKS[i], ORDER == 2);
        let torque = torque_body.unwrap_or(*last);
        // the angular velocity of stage 1 of order 2 already contains a kick by the torque before
        let change = if is_predicted && i == 1 { torque - *last } else { torque };
        let kicked = velocity_kicked(step.inertia, change, kick);
        let omega_body = if step.acts { omega_body + kicked } else { omega_body };
        *last = torque;
        if i == Self::DRIFTS.len() {
            return Move { turn: Turn::Stay, omega_body };
        }
        let free = step.free_rotation(omega_body, step.h * Self::DRIFTS[i], ORDER == 2);
        let after = omega_body + free.gained;
        let omega_body = if is_predicted && step.acts { after + kicked } else { after };
        Move { turn: Turn::Free(free), omega_body }
    }
}
