//! The motion that a solution follows: the unknowns, their rates under the torque, and the exact
//! motion of a body on which nothing acts.

use super::control::SquaredError;
use crate::error::Error;
use crate::inertia::least_moment;
use crate::kernel::{
    Number, PrincipalInertia, Quat, RotationMatrix, State, TorqueState, Vec3, drifted,
    velocity_gained,
};
use crate::simd::Two;
use crate::torque::DragAndRotor;

/// The total torque, body frame, of an elapsed time and a state whose quaternion is only about of
/// unit length. It is behind a pointer, so that the methods are compiled once.
pub(crate) type TorqueFunction<'a> =
    dyn FnMut(f64, &State<f64>, &PrincipalInertia<f64>) -> Result<Vec3<f64>, Error> + 'a;

/// The inertia at an elapsed time.
pub(crate) type InertiaAt<'a> = dyn Fn(f64) -> Result<PrincipalInertia<f64>, Error> + 'a;

/// An inertia that changes. The unknown in place of the angular velocity is then the angular
/// momentum `P`: its rate needs no rate of the inertia, and no axis is special at the start. With
/// `T` the torque, body frame:
///
/// ```text
///     ω = I(t)⁻¹ P        P' = P × ω + T
/// ```
///
/// without the parts of `P` and `P'` about axes of zero moment, which something holds.
#[derive(Clone, Copy)]
pub(crate) struct ChangingInertia<'a> {
    pub(crate) at: &'a InertiaAt<'a>,
    /// The unit of `P`, of the size of the moments: error control compares `P` in this unit with
    /// angular velocities. It is a power of two, so that no unit of the mass changes a bit.
    pub(crate) unit: f64,
}

impl<'a> ChangingInertia<'a> {
    /// The unit is of the size of the moments at the start or, if all of them are 0, at the end.
    pub(crate) fn new(
        at: &'a InertiaAt<'a>,
        start: &PrincipalInertia<f64>,
        end: f64,
    ) -> Result<Self, Error> {
        let mut moments = start.moments.0;
        if moments == [0.0; 3] {
            moments = at(end)?.moments.0;
        }
        let (_, exponent) = libm::frexp(moments.into_iter().fold(0.0, f64::max));
        let unit = libm::scalbn(1.0, exponent - 1);
        Ok(ChangingInertia { at, unit })
    }

    /// The inertia at a time, and of the unknown `P` what the body can have then.
    fn inertia_and_momentum(
        &self,
        elapsed: f64,
        unknown: Vec3<f64>,
    ) -> Result<(PrincipalInertia<f64>, Vec3<f64>), Error> {
        let inertia = (self.at)(elapsed)?;
        let momentum = unknown * self.unit;
        Ok((inertia, momentum - inertia.locked(momentum)))
    }
}

/// The equations of motion of a body with its torque.
pub(crate) struct Equations<'a> {
    /// The inertia, or that at the start if it changes.
    pub(crate) inertia: &'a PrincipalInertia<f64>,
    pub(crate) changing_inertia: Option<ChangingInertia<'a>>,
    pub(crate) torque: &'a mut TorqueFunction<'a>,
    /// What the torque function leaves out, because a splitting takes it apart.
    pub(crate) apart: DragAndRotor<'a>,
    /// How often the torque has been asked.
    pub(crate) evaluations: u64,
    /// How often the torque may be asked.
    pub(crate) most_evaluations: u64,
}

/// What the unknowns gain in a second, body frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// The angular velocity, rad/s.
    pub(super) omega_body: Vec3<f64>,
    /// The rate of the second unknown, rad/s²: the angular acceleration, if the inertia is
    /// constant.
    pub(super) acceleration: Vec3<f64>,
    /// The torque, without what a splitting takes apart.
    pub(super) torque_body: Vec3<f64>,
}

impl Equations<'_> {
    /// The torque at a state, body frame, where the inertia is constant. Evaluates it once.
    #[inline(always)]
    pub(super) fn torque_at(
        &mut self,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.count_evaluation(state)?;
        (self.torque)(elapsed, state, self.inertia)
    }

    #[inline(always)]
    fn count_evaluation(&mut self, state: &State<f64>) -> Result<(), Error> {
        if self.evaluations == self.most_evaluations {
            return Err(self.too_many_evaluations());
        }
        let size = state.q.norm_squared() + state.omega_body.dot(state.omega_body);
        if !size.is_finite() {
            return Err(self.overflow());
        }
        self.evaluations += 1;
        Ok(())
    }

    /// The rates of a state. Evaluates the torque once.
    #[inline(always)]
    pub(super) fn rates(&mut self, elapsed: f64, state: &State<f64>) -> Result<Rates, Error> {
        if let Some(changing) = self.changing_inertia {
            return self.rates_in_changing_inertia(&changing, elapsed, state);
        }
        let torque_body = self.torque_at(elapsed, state)?;
        Ok(Rates {
            omega_body: state.omega_body,
            acceleration: self.acceleration_under(torque_body, elapsed, state),
            torque_body,
        })
    }

    fn rates_in_changing_inertia(
        &mut self,
        changing: &ChangingInertia,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<Rates, Error> {
        self.count_evaluation(state)?;
        let (inertia, momentum) = changing.inertia_and_momentum(elapsed, state.omega_body)?;
        let omega_body = inertia.angular_velocity(momentum);
        let here = State {
            q: state.q,
            omega_body,
        };
        let torque_body = (self.torque)(elapsed, &here, &inertia)?;
        let rate = momentum.cross(omega_body) + torque_body;
        Ok(Rates {
            omega_body,
            acceleration: (rate - inertia.locked(rate)) * (1.0 / changing.unit),
            torque_body,
        })
    }

    /// The rate of the second unknown at a state, rad/s², body frame: the angular acceleration, if
    /// the inertia is constant. Evaluates the torque once.
    #[inline(always)]
    pub(super) fn acceleration(
        &mut self,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<Vec3<f64>, Error> {
        Ok(self.rates(elapsed, state)?.acceleration)
    }

    /// The angular acceleration at a state, where the inertia is constant, under a torque and what
    /// acts apart from it.
    #[inline(always)]
    pub(super) fn acceleration_under(
        &self,
        torque_body: Vec3<f64>,
        elapsed: f64,
        state: &State<f64>,
    ) -> Vec3<f64> {
        let mut total = torque_body;
        if self.apart.acts() {
            let here = here_of_unnormalised(state);
            total = self.apart.added_to(torque_body, elapsed, &here);
        }
        velocity_gained(self.inertia, state.omega_body, Some(total), 1.0)
    }

    /// How many ulp the rounding errors of an angular velocity are. Where the inertia changes, it
    /// comes from the momentum, by a tensor whose axes are computed anew at each time.
    pub(super) fn ulps_of_velocity(&self) -> f64 {
        if self.changing_inertia.is_none() {
            return 1.0;
        }
        let moments = self.inertia.moments.0;
        let greatest = moments.into_iter().fold(0.0, f64::max);
        (greatest / least_moment(moments)).max(1.0)
    }

    /// The orientation and the angular velocity of the unknowns at a time.
    pub(crate) fn state_of(
        &self,
        elapsed: f64,
        unknowns: &State<f64>,
    ) -> Result<State<f64>, Error> {
        let Some(changing) = &self.changing_inertia else {
            return Ok(*unknowns);
        };
        let (inertia, momentum) = changing.inertia_and_momentum(elapsed, unknowns.omega_body)?;
        let state = State {
            q: unknowns.q,
            omega_body: inertia.angular_velocity(momentum) + Vec3::splat(0.0), // not −0
        };
        if state.is_finite() {
            Ok(state)
        } else {
            Err(self.overflow())
        }
    }

    /// The state at a time, as it is at another time with the same angular momentum.
    pub(super) fn in_inertia_of(
        &self,
        other: f64,
        elapsed: f64,
        state: &State<f64>,
    ) -> Result<State<f64>, Error> {
        let Some(changing) = &self.changing_inertia else {
            return Ok(*state);
        };
        let momentum = (changing.at)(elapsed)?.angular_momentum(state.omega_body);
        Ok(State {
            q: state.q,
            omega_body: (changing.at)(other)?.angular_velocity(momentum),
        })
    }

    /// The unknowns at the start of a step: without the momentum that a lock has taken away.
    pub(super) fn unknowns_at(
        &self,
        elapsed: f64,
        unknowns: &State<f64>,
    ) -> Result<State<f64>, Error> {
        let Some(changing) = &self.changing_inertia else {
            return Ok(*unknowns);
        };
        let (_, momentum) = changing.inertia_and_momentum(elapsed, unknowns.omega_body)?;
        Ok(State {
            q: unknowns.q,
            omega_body: momentum * (1.0 / changing.unit),
        })
    }

    /// The unknowns of a state at the start of the solution.
    pub(super) fn unknowns_of(&self, state: &State<f64>) -> State<f64> {
        let Some(changing) = &self.changing_inertia else {
            return *state;
        };
        State {
            q: state.q,
            omega_body: self.inertia.angular_momentum(state.omega_body) * (1.0 / changing.unit),
        }
    }

    /// The error of a trial step that went astray. The integrator adds the time.
    #[cold]
    pub(super) fn overflow(&self) -> Error {
        Error::Overflow {
            time: f64::NAN,
            size: None,
        }
    }

    /// The integrator adds the time, and whether the torque looks stiff.
    #[cold]
    fn too_many_evaluations(&self) -> Error {
        Error::TooManyEvaluations {
            most: self.most_evaluations,
            time: f64::NAN,
            looks_stiff: false,
        }
    }
}

/// A body on which nothing acts, at some time: its rotation is exact over any other time.
#[derive(Clone, Copy)]
pub(crate) struct FreeBody<'a> {
    pub(crate) inertia: &'a PrincipalInertia<f64>,
    pub(crate) state: State<f64>,
    /// The time that errors report.
    pub(crate) time: f64,
}

impl FreeBody<'_> {
    pub(super) fn after(&self, duration: f64) -> Result<State<f64>, Error> {
        let end = drifted(self.inertia, &self.state, duration);
        if end.is_finite() {
            return Ok(end);
        }
        Err(Error::Overflow {
            time: self.time,
            size: None,
        })
    }

    /// The time in which the fastest rotation with this energy turns by a radian. |ω|² is at most
    /// twice the energy over the least moment.
    pub(super) fn radian(&self) -> f64 {
        let moments = self.inertia.moments.0;
        let omega = self.state.omega_body.0;
        let least = least_moment(moments);
        let [x, y, z] = [0, 1, 2].map(|axis| (moments[axis] / least).sqrt() * omega[axis]);
        1.0 / libm::hypot(libm::hypot(x, y), z).max(f64::MIN_POSITIVE)
    }
}

/// The quaternion and the angular velocity in the body frame (rad/s; or what stands for it, see
/// [`Equations`]), or their gains or errors:
/// seven numbers and a zero, in pairs, because a stage adds up to twelve such sets.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Unknowns([Two; 4]);

impl Unknowns {
    #[inline(always)]
    pub(super) fn new(q: Quat<f64>, omega_body: Vec3<f64>) -> Self {
        let [w, x, y, z] = q.0;
        let [a, b, c] = omega_body.0;
        Unknowns([
            Two::load(&[w, x]),
            Two::load(&[y, z]),
            Two::load(&[a, b]),
            Two::load(&[c, 0.0]),
        ])
    }

    #[inline(always)]
    pub(super) fn of(state: &State<f64>) -> Self {
        Unknowns::new(state.q, state.omega_body)
    }

    #[inline(always)]
    pub(super) fn q(&self) -> Quat<f64> {
        let [w, x] = self.pair(0);
        let [y, z] = self.pair(1);
        Quat([w, x, y, z])
    }

    #[inline(always)]
    pub(super) fn omega_body(&self) -> Vec3<f64> {
        let [a, b] = self.pair(2);
        let [c, _] = self.pair(3);
        Vec3([a, b, c])
    }

    #[inline(always)]
    fn pair(&self, i: usize) -> [f64; 2] {
        let mut pair = [0.0; 2];
        self.0[i].store(&mut pair);
        pair
    }

    /// The gains of these unknowns in a step of length `h` at these rates.
    #[inline(always)]
    pub(super) fn gain(&self, omega_body: Vec3<f64>, acceleration: Vec3<f64>, h: f64) -> Self {
        let half_turn = omega_body * (0.5 * h);
        Unknowns::new(times_vector(self.q(), half_turn), acceleration * h)
    }

    #[inline(always)]
    pub(super) fn gain_at(&self, rates: &Rates, h: f64) -> Self {
        self.gain(rates.omega_body, rates.acceleration, h)
    }

    /// The square of an error. A change of q by δ turns the body by 2δ.
    #[inline(always)]
    pub(super) fn squared(&self) -> SquaredError {
        SquaredError::new(4.0 * self.q().norm_squared(), self.omega_body())
    }

    /// The state, with a quaternion of about unit length.
    #[inline(always)]
    pub(super) fn state(&self) -> State<f64> {
        State {
            q: self.q(),
            omega_body: self.omega_body(),
        }
    }

    /// The state at the end of a step. A quaternion that is of unit length to rounding keeps its
    /// bits, so that a body at rest keeps its bits too.
    #[inline(always)]
    pub(super) fn end_state(&self) -> State<f64> {
        State {
            q: of_unit_length_to_rounding(self.q()),
            omega_body: self.omega_body(),
        }
    }

    #[inline(always)]
    pub(super) fn plus(&self, other: &Unknowns) -> Unknowns {
        Unknowns(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline(always)]
    pub(super) fn minus(&self, other: &Unknowns) -> Unknowns {
        Unknowns(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }

    #[inline(always)]
    pub(super) fn times(&self, factor: f64) -> Unknowns {
        Unknowns(self.0.map(|pair| pair * Two::splat(factor)))
    }
}

/// `q (0, v)`
#[inline(always)]
fn times_vector(q: Quat<f64>, v: Vec3<f64>) -> Quat<f64> {
    let [w, x, y, z] = q.0;
    let [a, b, c] = v.0;
    Quat([
        -(x * a) - (y * b + z * c),
        w * a + (y * c - z * b),
        w * b + (z * a - x * c),
        w * c + (x * b - y * a),
    ])
}

/// `q/|q|`. A quaternion whose length is 1 to rounding keeps its bits.
#[inline(always)]
pub(super) fn of_unit_length_to_rounding(q: Quat<f64>) -> Quat<f64> {
    if (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON {
        q
    } else {
        of_unit_length(q)
    }
}

/// `q/|q|`
#[inline(always)]
fn of_unit_length(q: Quat<f64>) -> Quat<f64> {
    q.scaled(per_length(q.norm_squared()))
}

/// One over the length of a quaternion, from the square of the length. The binomial series serves
/// for lengths close to 1, as in all stages of a step that is exact enough.
#[inline(always)]
fn per_length(squared: f64) -> f64 {
    let e = squared - 1.0;
    let e2 = e * e;
    if e2 <= 1e-8 {
        1.0 + (e2 * (0.375 - 0.3125 * e) - 0.5 * e)
    } else {
        1.0 / squared.sqrt()
    }
}

/// [`TorqueState::at`] for a state whose quaternion is only about of unit length: the torque sees
/// `q / |q|` and its rotation matrix.
///
/// Every stage waits for them. The series in place of a root, and the matrix from `q` itself,
/// divided by `|q|²`, make an evaluation under a ready-made torque 13 % faster than
/// `TorqueState::at` of a normalised quaternion.
#[inline(always)]
pub(crate) fn here_of_unnormalised(state: &State<f64>) -> TorqueState<f64> {
    let [w, x, y, z] = state.q.0;
    let squared = state.q.norm_squared();
    let [ww, xx, yy, zz] = [w * w, x * x, y * y, z * z];
    let [xy, xz, yz] = [2.0 * (x * y), 2.0 * (x * z), 2.0 * (y * z)];
    let [wx, wy, wz] = [2.0 * (w * x), 2.0 * (w * y), 2.0 * (w * z)];
    let per = 1.0 / squared;
    let to_world = RotationMatrix([
        Vec3([(ww + xx) - (yy + zz), xy - wz, xz + wy]) * per,
        Vec3([xy + wz, (ww + yy) - (xx + zz), yz - wx]) * per,
        Vec3([xz - wy, yz + wx, (ww + zz) - (xx + yy)]) * per,
    ]);
    TorqueState {
        q: state.q.scaled(per_length(squared)),
        to_world,
        omega_body: state.omega_body,
        omega_world: to_world.rotate(state.omega_body),
    }
}

/// The solution of three equations, by Cramer's rule.
pub(super) fn solved([a, b, c]: [Vec3<f64>; 3], right: Vec3<f64>) -> Vec3<f64> {
    let across = b.cross(c);
    let per = 1.0 / a.dot(across);
    Vec3([
        right.dot(across) * per,
        right.dot(c.cross(a)) * per,
        right.dot(a.cross(b)) * per,
    ])
}
