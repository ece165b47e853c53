//! The orientation of a body from its angular velocity, where that is given: by a function of time
//! for drums, paddles and other moving boundaries, or by samples of gyroscopes.
//!
//! The exponential of two terms of Magnus' series for each step. With the mean m of the angular
//! velocity over a step of length h, and its first moment b about the middle in units of h²,
//!
//! ```text
//!     σ = h m ± h² m × b       + in the body frame, − in the world frame
//!     q₁ = q₀ ⊗ exp(σ)         in the body frame; exp(σ) ⊗ q₀ in the world frame
//! ```
//! it has order 4 if m and b do. The cross product is the coning correction: the turn that two
//! oscillations about different axes leave behind, although each comes back. A. Iserles,
//! S. P. Nørsett, Phil. Trans. R. Soc. A 357, 983 (1999). Without it the order is 2, and a coning
//! motion does not drift; `coning_drifts_as_its_closed_form_says` fails.

use crate::error::{Error, check, finite};
use crate::kernel::{Quat, Vec3, exp_of_any_length};
use crate::memory::View;
use crate::rotation::{checked_omega, components, orientation_of};
use crate::torque::Frame;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Half the distance of Gauss' two points in a step of length 1: `√3/6`.
const GAUSS: f64 = 0.288_675_134_594_812_9;

/// So that a count that is negative, or that multiplication has overflowed, is no endless call.
const MOST_STEPS: u64 = 1_000_000_000_000_000;

/// The orientation at the time `end` of a body that has `orientation` at `start` and turns with the
/// angular velocity `rate(time)`, rad/s, in `frame`: order 4, by `steps` equal steps of two calls
/// each. `end` may lie before `start`. Errors: those of `rate`; angular velocities must be finite
/// and below 1e154 rad/s, `steps` from 1 to 1e15.
///
/// ```
/// use quatint::nalgebra::{UnitQuaternion, Vector3};
/// use quatint::{Frame, attitude};
///
/// // a drum that swings about z: by sin t
/// let rate = |t: f64| Ok(Vector3::new(0.0, 0.0, t.cos()));
/// let upright = UnitQuaternion::identity();
/// let drum = attitude::turned(upright, 0.0, 1.0, 100, rate, Frame::World)?;
/// assert!((drum.angle() - 1.0_f64.sin()).abs() < 1e-11);
/// # Ok::<(), quatint::Error>(())
/// ```
pub fn turned(
    orientation: UnitQuaternion<f64>,
    start: f64,
    end: f64,
    steps: usize,
    mut rate: impl FnMut(f64) -> Result<Vector3<f64>, Error>,
    frame: Frame,
) -> Result<UnitQuaternion<f64>, Error> {
    finite("start", [start])?;
    finite("end", [end])?;
    check(
        (1..=MOST_STEPS).contains(&(steps as u64)),
        "steps",
        "must be from 1 to 1e15",
    )?;
    let duration = end - start;
    check(
        duration.is_finite(),
        "end",
        "must be less than 1.8e308 from `start`",
    )?;
    if duration == 0.0 {
        return Ok(orientation);
    }
    let h = duration / steps as f64;
    let mut q = Quat(components(orientation));
    let mut omega = |time| checked_omega("angular_velocity", rate(time)?.into());
    for n in 0..steps {
        let middle = start + (n as f64 + 0.5) * h;
        let early = omega(middle - GAUSS * h)?;
        let late = omega(middle + GAUSS * h)?;
        let mean = (early + late) * 0.5;
        let moment = (late - early) * (0.5 * GAUSS);
        q = step(q, mean * h, moment * h, frame)?;
    }
    Ok(orientation_of(q))
}

/// The orientation at the time of the last sample, of a body that has `orientation` at that of the
/// first, and whose angular velocities, rad/s, in `frame`, are sampled `dt` apart: order 4, by the
/// cubic through the four samples around each interval (through all, if there are fewer). `dt` may
/// be negative: the samples then go back in time. Errors: there must be two samples at least,
/// finite and below 1e154 rad/s.
pub fn turned_by_samples(
    orientation: UnitQuaternion<f64>,
    angular_velocities: View<3>,
    dt: f64,
    frame: Frame,
) -> Result<UnitQuaternion<f64>, Error> {
    finite("dt", [dt])?;
    let count = angular_velocities.count();
    check(
        count >= 2,
        angular_velocities.name(),
        "must have at least 2 samples",
    )?;
    let width = count.min(4);
    let mut q = Quat(components(orientation));
    for n in 0..count - 1 {
        // the interval is in the middle of those that are near, but at both ends
        let first = n.saturating_sub(1).min(count - width);
        let weights = weights(width, n - first);
        let mut mean = Vec3::splat(0.0);
        let mut moment = Vec3::splat(0.0);
        for k in 0..width {
            let omega = checked_sample(&angular_velocities, first + k)?;
            mean = mean + omega * (weights[k][0] / 24.0);
            moment = moment + omega * (weights[k][1] / 720.0);
        }
        q = step(q, mean * dt, moment * dt, frame)?;
    }
    Ok(orientation_of(q))
}

/// The angular velocity of the `n`-th sample.
fn checked_sample(angular_velocities: &View<3>, n: usize) -> Result<Vec3<f64>, Error> {
    let name = angular_velocities.name();
    let omega = angular_velocities.get(n);
    match omega.iter().position(|value| !value.is_finite()) {
        None => checked_omega(name, omega),
        Some(c) => Err(Error::NotFinite {
            name,
            index: Some(3 * n + c),
            value: omega[c],
        }),
    }
}

/// The weights of equally spaced samples in the mean over an interval, in 24ths, and in the first
/// moment about its middle, in 720ths, by the polynomial through all of them. The interval begins
/// at sample `at`.
fn weights(samples: usize, at: usize) -> [[f64; 2]; 4] {
    const NONE: [f64; 2] = [0.0, 0.0];
    match (samples, at) {
        (2, _) => [[12.0, -60.0], [12.0, 60.0], NONE, NONE],
        (3, 0) => [[10.0, -60.0], [16.0, 60.0], [-2.0, 0.0], NONE],
        (3, _) => [[-2.0, 0.0], [16.0, -60.0], [10.0, 60.0], NONE],
        (_, 0) => [[9.0, -59.0], [19.0, 57.0], [-5.0, 3.0], [1.0, -1.0]],
        (_, 1) => [[-1.0, 1.0], [13.0, -63.0], [13.0, 63.0], [-1.0, -1.0]],
        (_, _) => [[1.0, 1.0], [-5.0, -3.0], [19.0, -57.0], [9.0, 59.0]],
    }
}

/// One step: `mean` is h m, `moment` is h b. Errors: the turn must be less than 1e154 rad.
fn step(
    q: Quat<f64>,
    mean: Vec3<f64>,
    moment: Vec3<f64>,
    frame: Frame,
) -> Result<Quat<f64>, Error> {
    let coning = mean.cross(moment);
    let next = match frame {
        Frame::Body => q * exp_of_any_length(mean + coning),
        Frame::World => exp_of_any_length(mean - coning) * q,
    };
    let next = next.renormalised();
    finite("orientation", next.0).map_err(|_| Error::OutOfRange {
        name: "orientation",
    })?;
    Ok(next)
}

/// The derivative of an orientation with respect to time, `½ (0, ω) ⊗ q`, for an angular velocity
/// in the world frame: for a solver of your own. The quaternion need not be of unit length, as it
/// is not within such a solver's step; its length does not change by this derivative. Errors: both
/// must be finite, and the derivative too.
pub fn rate_of(
    q: Quaternion<f64>,
    angular_velocity: Vector3<f64>,
) -> Result<Quaternion<f64>, Error> {
    finite("orientation", [q.w, q.i, q.j, q.k])?;
    finite("angular_velocity", angular_velocity.into())?;
    let rate = Quaternion::from_imag(0.5 * angular_velocity) * q;
    finite("rate", [rate.w, rate.i, rate.j, rate.k])?;
    Ok(rate)
}
