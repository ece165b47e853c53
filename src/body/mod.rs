//! One rigid body.

mod acting;
mod builder;
mod changing_inertia;
mod new_inertia;
mod rows;
mod solving;
mod states;
mod stepping;

use crate::clock::Clock;
use crate::error::{Error, Failure, check, check_steps, finite};
use crate::inertia::Inertia;
use crate::kernel::{Quat, State, Vec3, drifted, velocity_kicked};
use crate::method::{self, Change, Method, drifted_with_rotors};
use crate::rotation::orientation_of;
use crate::simd;
use crate::solve::{Limits, SolveMethod, Statistics};
use crate::torque::{Frame, Torque};
use acting::Acting;
pub use builder::BodyBuilder;
use nalgebra::{UnitQuaternion, Vector3};
pub use new_inertia::Keep;
use states::LastTorque;

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
    kept: LastTorque,
    acting: Option<Box<Acting>>,
    /// How many times noise has been drawn.
    draws: u64,
    solve_method: SolveMethod,
    solve_limits: Limits,
    /// The cost of the last solution with error control.
    statistics: Statistics,
}

/// The state between steps, its numbers 16 bytes apart. If they were adjacent, the compiler could
/// store them singly and load them in pairs, or the reverse. A load that spans two stores cannot be
/// forwarded, which costs 8 ns per step. (The default is no state yet.)
#[derive(Clone, Copy, Debug, Default)]
struct SpacedState([[f64; 2]; 7]);

impl SpacedState {
    #[inline(always)]
    fn put(&mut self, state: &State<f64>) {
        let [w, x, y, z] = state.q.0;
        let [a, b, c] = state.omega_body.0;
        for (place, number) in self.0.iter_mut().zip([w, x, y, z, a, b, c]) {
            place[0] = number;
        }
    }

    #[inline(always)]
    fn get(&self) -> State<f64> {
        let [[w, _], [x, _], [y, _], [z, _], [a, _], [b, _], [c, _]] = self.0;
        State {
            q: Quat([w, x, y, z]),
            omega_body: Vec3([a, b, c]),
        }
    }
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
        let mut body = Body {
            inertia,
            state: SpacedState::default(),
            clock: Clock::default(),
            method: Method::default(),
            kept: LastTorque::default(),
            acting: None,
            draws: 0,
            solve_method: SolveMethod::default(),
            solve_limits: Limits::NONE,
            statistics: Statistics::default(),
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
        if method == self.method {
            self.forget_torque();
            return;
        }
        self.method = method;
        self.forget(Change::Motion);
    }

    /// Makes a method that keeps the last torque ([`Method::keeps_torque`]) ask for it again. Call
    /// this before a step under another torque. All that sets state, clock, inertia, method, drag,
    /// rotors or random torques also does it, even where it sets what is there already. The rate of
    /// change that steps with implicit drag keep besides stays where the motion does, so that a
    /// program that tells a new torque or flow before each step has order 2.
    pub fn forget_torque(&mut self) {
        self.forget(Change::Forces);
    }

    #[inline(always)]
    pub(crate) fn forget(&mut self, change: Change) {
        self.kept.forget(change);
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
        let State { q, omega_body } = self.state.get();
        let mut momentum_body = self.inertia.principal.angular_momentum(omega_body);
        if let Some(rotor) = self.rotor() {
            momentum_body = momentum_body + rotor.momentum;
        }
        q.to_world(momentum_body).0.into()
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

    /// Restores the clock. An inertia that changes follows. A restart sets the clock before
    /// [`Body::set_memory`]. Errors: [`Error::NotFinite`]; those of
    /// an inertia function.
    pub fn set_clock(&mut self, clock: [f64; 2]) -> Result<(), Error> {
        let clock = Clock(finite("clock", clock)?);
        if let Some(changing) = self.changing_inertia() {
            let inertia = changing.at(clock.now())?;
            self.exchange_inertia(inertia, Keep::AngularVelocity)?;
        }
        self.clock = clock;
        self.forget_torque();
        Ok(())
    }

    /// Adds `duration × torque` to the angular momentum: a kick. See `qi_kick`. Errors: an argument
    /// or the result is not finite; then nothing has changed.
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
        self.forget(Change::Motion);
        Ok(())
    }

    /// Rotates the body freely for a duration, of any length and sign: a drift. See `qi_drift`.
    /// Errors: the duration or the result is not finite; [`Error::Invalid`]: a turn of more than
    /// 1e6 rad with rotors. Nothing has changed.
    pub fn drift(&mut self, duration: f64) -> Result<(), Error> {
        let [duration] = finite("duration", [duration])?;
        if duration == 0.0 {
            return Ok(());
        }
        if let Some(change) = self.inertias_of(duration)? {
            let keep = Keep::AngularMomentum;
            return self.move_in_changing_inertia(&change, keep, |body| body.rotate(duration));
        }
        self.rotate(duration)
    }

    /// Rotates the body freely for a duration. Its rotors, if it has some, go on.
    fn rotate(&mut self, duration: f64) -> Result<(), Error> {
        let inertia = &self.inertia.principal;
        let state = self.state.get();
        if let Some(rotor) = self.rotor() {
            let end =
                drifted_with_rotors(self.method.gyrostat(), inertia, rotor, &state, duration)?;
            self.arrive(&end, self.clock.advanced(duration)?)?;
        } else {
            // not after the `if`: an end that both ways share costs 8 ns
            self.arrive(
                &drifted(inertia, &state, duration),
                self.clock.advanced(duration)?,
            )?;
        }
        self.drive_rotors(duration);
        self.forget(Change::Motion);
        Ok(())
    }

    /// Takes steps and writes rows. See `qi_record`. Returns the number of rows written. Errors:
    /// before the first step, `every` is 0 or `rows` is too short; later, as [`Body::step`]. Rows
    /// and steps that are complete stay.
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

    /// [`Body::record`], with a callback `put(i, row)` for each row; `i < capacity`.
    pub(crate) fn record_into<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        every: u64,
        capacity: usize,
        mut put: impl FnMut(usize, Record),
        torque: &mut T,
    ) -> (usize, Result<(), Failure>) {
        let needed = match rows_needed(dt, steps, every, capacity) {
            Ok(needed) => needed,
            Err(error) => return (0, Err(error.into())),
        };
        let mut written = 0;
        let mut completed = 0;
        while written < needed {
            put(written, record_of(self.time(), &self.state.get()));
            written += 1;
            let next = if written < needed {
                every
            } else {
                steps - completed
            };
            if let Err(failure) = self.advance(dt, next, torque) {
                return (written, Err(failure.after(completed)));
            }
            completed += next;
        }
        (written, Ok(()))
    }
}

pub(crate) fn record_of(time: f64, state: &State<f64>) -> Record {
    let [w, x, y, z] = state.q.0;
    let [omega_x, omega_y, omega_z] = state.q.to_world(state.omega_body).0;
    [time, w, x, y, z, omega_x, omega_y, omega_z]
}

/// The number of rows of a record. Errors: an argument is refused, or there is no room.
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
