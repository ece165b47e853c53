//! One rigid body.

mod acting;
mod extras;
mod rows;
mod solving;
mod states;
mod stepping;

use crate::error::{Error, Failure, check, check_steps, finite};
use crate::kernel::{State, Vec3, velocity_kicked};
use crate::method::{self, Method, Pcdm, drifted_with_rotors};
use crate::solve::{Limits, SolveMethod, Statistics, drifted};
use crate::torque::{Frame, Torque};
use crate::{clock::Clock, inertia::Inertia, rotation::orientation_of, simd};
use extras::Extras;
use nalgebra::{UnitQuaternion, Vector3};
use states::{LastTorque, SpacedState};

/// A rigid body: inertia, orientation, angular velocity and clock. PCDM or another [`Method`]
/// advances it.
///
/// ```
/// use quatint::nalgebra::{UnitQuaternion, Vector3};
/// use quatint::{Body, Inertia};
///
/// // A fast top, inclined by 0.3 rad, precesses about the vertical.
/// let inertia = Inertia::from_moments(Vector3::new(1.0, 1.0, 0.5))?;
/// let inclined = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 0.3);
/// let mut top = Body::new(inertia, inclined, inclined * Vector3::new(0.0, 0.0, 20.0))?;
///
/// let mut weight = |_time: f64, orientation: &UnitQuaternion<f64>, _omega: &Vector3<f64>| {
///     (orientation * Vector3::z()).cross(&Vector3::new(0.0, 0.0, -1.0))
/// };
/// top.advance(1e-3, 1000, &mut weight)?;
///
/// assert!((top.time() - 1.0).abs() < 1e-15);
/// let tilt = (top.orientation() * Vector3::z()).angle(&Vector3::z());
/// assert!((tilt - 0.3).abs() < 0.01);
/// # Ok::<(), quatint::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    inertia: Inertia,
    state: SpacedState,
    clock: Clock,
    method: Method,
    solve_method: SolveMethod,
    kept: LastTorque,
    extras: Option<Box<Extras>>,
    draws: u64,
    limits: Limits,
    /// Of the last solution with error control.
    statistics: Statistics,
}

/// One row of a recorded trajectory: `time, w, x, y, z, ω_x, ω_y, ω_z`, with the angular velocity
/// in the world frame.
pub type Record = [f64; 8];

impl Body {
    /// Creates a body at time 0, advanced by PCDM. `orientation`: body to world;
    /// `angular_velocity`: world frame, rad/s. Errors: both must be finite, and the orientation
    /// within 1e-3 of unit length; the orientation is then normalised.
    pub fn new(
        inertia: Inertia,
        orientation: UnitQuaternion<f64>,
        angular_velocity: Vector3<f64>,
    ) -> Result<Self, Error> {
        simd::level(); // looks into the environment, which may allocate: steps do not
        let (state, clock, method, solve_method, kept, extras, draws, statistics) =
            Default::default();
        let limits = Limits {
            longest: f64::INFINITY,
            most: u64::MAX,
        };
        let mut body = Body {
            inertia,
            state,
            clock,
            method,
            solve_method,
            kept,
            extras,
            draws,
            limits,
            statistics,
        };
        body.set_state(orientation, angular_velocity)?;
        Ok(body)
    }

    /// The integration method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Chooses the integration method. The state does not change.
    pub fn set_method(&mut self, method: Method) {
        self.method = method;
        self.forget_computed();
    }

    /// Makes a method that keeps the last torque ([`Method::keeps_torque`]) ask for it again. Call
    /// this before a step under another torque. Setting state, time, method, drag or rotors also
    /// does it.
    pub fn forget_torque(&mut self) {
        self.kept.is_known = false;
    }

    /// The same, but what [`Body::set_memory`] has brought stays: a restart sets all, in any order.
    fn forget_computed(&mut self) {
        self.kept.is_known &= self.kept.is_restored;
    }

    /// The inertia.
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// The orientation, body to world.
    pub fn orientation(&self) -> UnitQuaternion<f64> {
        orientation_of(self.state.get().q)
    }

    /// The angular velocity, world frame, rad/s.
    pub fn angular_velocity(&self) -> Vector3<f64> {
        self.state
            .get()
            .q
            .to_world(self.state.get().omega_body)
            .0
            .into()
    }

    /// The angular velocity, body frame, rad/s: the value that the body stores.
    pub fn angular_velocity_body(&self) -> Vector3<f64> {
        self.state.get().omega_body.0.into()
    }

    /// The angular momentum `I ω`, with that of rotors `I ω + h`, world frame.
    pub fn angular_momentum(&self) -> Vector3<f64> {
        let of_body = self
            .inertia
            .principal
            .angular_momentum(self.state.get().omega_body);
        let momentum_body = self
            .rotor()
            .map_or(of_body, |rotor| of_body + rotor.momentum);
        self.state.get().q.to_world(momentum_body).0.into()
    }

    /// Rotational energy, `½ ω · I ω`, without that of rotors relative to the body.
    pub fn kinetic_energy(&self) -> f64 {
        self.inertia
            .principal
            .kinetic_energy(self.state.get().omega_body)
    }

    /// The body's clock. A compensated sum of the time steps: `n` steps give `n dt` to about one
    /// ulp.
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Sets the clock. Errors: [`Error::NotFinite`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Error> {
        let [time] = finite("time", [time])?;
        self.set_clock([time, 0.0])
    }

    /// The whole clock: the time, and what rounding has left of the sum of steps. Restored by
    /// [`Body::set_clock`], a run has the same times.
    pub fn clock(&self) -> [f64; 2] {
        self.clock.0
    }

    /// Restores the clock. Errors: [`Error::NotFinite`].
    pub fn set_clock(&mut self, clock: [f64; 2]) -> Result<(), Error> {
        self.clock = Clock(finite("clock", clock)?);
        self.forget_computed();
        Ok(())
    }

    /// Takes one step of length `dt`. A negative `dt` integrates backwards in time; zero does
    /// nothing. Errors: `dt`, the torque or the motion is not finite, or the torque returned an
    /// error. The body is then unchanged.
    #[inline]
    pub fn step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        self.step_by(&dt, torque)
    }

    /// `dt` by reference: a number would be stored and loaded once more (2 ns). A free step gains
    /// by AVX-512, many of them do not.
    #[inline(always)]
    pub(crate) fn step_by<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: &f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if T::ACTS {
            return self.advance_by(dt, 1, torque, &mut 0);
        }
        simd::run_single(
            true,
            #[inline(always)]
            || self.take_steps(*dt, 1, torque, &mut 0),
        )
    }

    /// Takes `steps` steps of length `dt`. The result is the same, bit for bit, as that many calls
    /// of [`Body::step`]. Errors: as [`Body::step`], with the number of completed steps; their
    /// result stays.
    #[inline]
    pub fn advance<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        torque: &mut T,
    ) -> Result<(), Failure> {
        let mut completed = 0;
        let outcome = self.advance_by(&dt, steps, torque, &mut completed);
        outcome.map_err(|cause| Failure {
            cause,
            body: None,
            completed,
        })
    }

    /// By AVX-512 where that gains.
    #[inline(always)]
    fn advance_by<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: &f64,
        steps: u64,
        torque: &mut T,
        completed: &mut u64,
    ) -> Result<(), Error> {
        simd::run_single(
            T::ACTS && self.method == Method::Pcdm,
            #[inline(always)]
            || self.take_steps(*dt, steps, torque, completed),
        )
    }

    #[inline(always)]
    fn take_steps<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        torque: &mut T,
        completed: &mut u64,
    ) -> Result<(), Error> {
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        if dt == 0.0 {
            return Ok(());
        }
        let is_alone = self.extras.is_none() && torque.resistance().is_none();
        let has_rotor_alone =
            self.rotor().is_some() && !self.resists(torque) && self.random().is_none();
        let outcome = if is_alone && self.method == Method::Pcdm {
            // in a loop of its own, which keeps the state in registers
            repeat(
                steps,
                completed,
                #[inline(always)]
                || self.take_step::<Pcdm, T, false>(dt, torque),
            )
        } else {
            repeat(steps, completed, || match self.method {
                Method::Splitting if is_alone => self.take_splitting_step::<T, false>(dt, torque),
                Method::Splitting if has_rotor_alone => {
                    self.take_splitting_step::<T, true>(dt, torque)
                }
                _ => self.take_other_step(dt, torque),
            })
        };
        outcome.map_err(|error| self.explained(error, dt, torque))
    }

    /// Adds `duration × torque` to the angular momentum: a kick. See
    /// [`qi_kick`](crate::ffi::qi_kick). Errors: an argument or the result is not finite; then
    /// nothing has changed.
    pub fn kick(&mut self, duration: f64, torque: Vector3<f64>, frame: Frame) -> Result<(), Error> {
        let [duration] = finite("duration", [duration])?;
        let torque = Vec3(finite("torque", torque.into())?);
        if duration == 0.0 {
            return Ok(());
        }
        let State { q, omega_body } = self.state.get();
        let inertia = &self.inertia.principal;
        let torque_body = if frame == Frame::World {
            q.to_body(torque)
        } else {
            torque
        };
        let gained = match &self.drag() {
            None => velocity_kicked(inertia, torque_body, duration),
            Some(drag) => method::kicked_with_drag(
                inertia,
                &State { q, omega_body },
                drag,
                torque_body,
                duration,
            ),
        };
        self.arrive_now(&State {
            q,
            omega_body: omega_body + gained,
        })?;
        self.forget_torque();
        Ok(())
    }

    /// Rotates the body freely for a duration, of any length and sign: a drift. See
    /// [`qi_drift`](crate::ffi::qi_drift). Errors: the duration or the result is not finite;
    /// [`Error::Invalid`]: a turn of more than 1e6 rad with rotors. Nothing has changed.
    pub fn drift(&mut self, duration: f64) -> Result<(), Error> {
        let [duration] = finite("duration", [duration])?;
        if duration == 0.0 {
            Ok(())
        } else {
            self.rotate(duration)
        }
    }

    fn rotate(&mut self, duration: f64) -> Result<(), Error> {
        let inertia = &self.inertia.principal;
        let state = self.state.get();
        if let Some(rotor) = self.rotor() {
            let end =
                drifted_with_rotors(self.method.gyrostat(), inertia, rotor, &state, duration)?;
            self.arrive(&end, self.clock.advanced(duration)?)?;
        } else {
            self.arrive(
                &drifted(inertia, &state, duration),
                self.clock.advanced(duration)?,
            )?; // a common end costs 8 ns
        }
        self.drive_rotors(duration);
        self.forget_torque();
        Ok(())
    }

    /// Takes steps and writes rows. See [`qi_record`](crate::ffi::qi_record). Returns the number of
    /// rows written. Errors: Before the first step: `every` is 0, or `rows` is too short. Later, as
    /// [`Body::step`]; what is complete stays.
    pub fn record<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        every: u64,
        rows: &mut [Record],
        torque: &mut T,
    ) -> (usize, Result<(), Failure>) {
        self.record_into(dt, steps, every, rows.len(), |i, row| rows[i] = row, torque)
    }

    /// [`Body::record`], with a callback `put(i, row)` for each row, `i < capacity`.
    pub(crate) fn record_into<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        every: u64,
        capacity: usize,
        mut put: impl FnMut(usize, Record),
        torque: &mut T,
    ) -> (usize, Result<(), Failure>) {
        let mut written = 0;
        let mut completed = 0;
        let outcome = rows_needed(dt, steps, every, capacity)
            .map_err(Failure::from)
            .and_then(|needed| {
                while written < needed {
                    put(written, record_of(self.time(), &self.state.get()));
                    written += 1;
                    let next = if written < needed {
                        every
                    } else {
                        steps - completed
                    };
                    self.advance(dt, next, torque)
                        .map_err(|failure| failure.after(completed))?;
                    completed += next;
                }
                Ok(())
            });
        (written, outcome)
    }
}

fn record_of(time: f64, state: &State<f64>) -> Record {
    let [w, x, y, z] = state.q.0;
    let [omega_x, omega_y, omega_z] = state.q.to_world(state.omega_body).0;
    [time, w, x, y, z, omega_x, omega_y, omega_z]
}

fn rows_needed(dt: f64, steps: u64, every: u64, capacity: usize) -> Result<usize, Error> {
    finite("dt", [dt])?;
    check_steps(steps)?;
    check(every > 0, "every", "must be at least 1")?;
    // 2⁶⁴ rows saturate to 2⁶⁴ − 1, which exceeds any memory too.
    let needed = (steps / every).saturating_add(1);
    match usize::try_from(needed) {
        Ok(rows) if rows <= capacity && rows <= isize::MAX as usize / size_of::<Record>() => {
            Ok(rows)
        }
        _ => Err(Error::Capacity {
            name: "capacity",
            needed,
            given: capacity as u64,
        }),
    }
}

#[inline(always)]
fn repeat(
    steps: u64,
    completed: &mut u64,
    mut step: impl FnMut() -> Result<(), Error>,
) -> Result<(), Error> {
    // (No `try_for_each`: it might become a call, as might a step without `inline(always)`; each
    // costs 6 ns.)
    for before in 0..steps {
        step().inspect_err(|_| *completed = before)?;
    }
    Ok(())
}
