//! The plain properties and methods of `Body` and of `Ensemble`: they get, set or do something.

use crate::arrays::{Input, vector, vector_or_none, whole};
use crate::body::{Body, copied};
use crate::ensemble::Ensemble;
use crate::errors::Outcome;
use crate::new_arrays::{NewArray, filled};
use pyo3::prelude::*;
use quatint::ViewMut;

// ---- `make bindings` writes these lines from the rows of tools/bindings/interface.toml: do not edit
#[pymethods]
impl Body {
    /// The clock: the sum of the steps since it was set.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.lock(py)?.body.time().raise(py)
    }

    #[setter]
    fn set_time(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        let inner = &mut *self.lock(py)?;
        let outcome = inner.body.set_time(time);
        outcome.map_err(|error| inner.explained(py, error))
    }

    /// The whole clock: the time, and what rounding has left of the sum of the steps. Set again, it
    /// gives a run the same times bit for bit.
    #[getter]
    fn clock(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        let value = self.lock(py)?.body.clock().raise(py)?;
        Ok(value.into())
    }

    #[setter]
    fn set_clock(&self, py: Python<'_>, clock: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = vector::<2>(py, clock, "clock")?;
        let inner = &mut *self.lock(py)?;
        let outcome = inner.body.set_clock(value);
        outcome.map_err(|error| inner.explained(py, error))
    }

    /// The angular momentum, world frame, with that of rotors. An array (3,). When it is set: the
    /// angular velocity follows from it. Orientation and clock stay.
    #[getter]
    fn angular_momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock(py)?.body.angular_momentum().raise(py)?;
        copied(py, value.into())
    }

    #[setter]
    fn set_angular_momentum(&self, py: Python<'_>, angular_momentum: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = vector::<3>(py, angular_momentum, "angular_momentum")?;
        self.lock(py)?.body.set_angular_momentum(value.into()).raise(py)
    }

    /// The rotational kinetic energy, without that of rotors.
    #[getter]
    fn kinetic_energy(&self, py: Python<'_>) -> PyResult<f64> {
        self.lock(py)?.body.kinetic_energy().raise(py)
    }

    /// Let drag and noise alone act for a duration, exactly, at constant orientation. The clock
    /// stays. It is one draw. Programs that kick and drift call it between two drifts of half a
    /// step.
    fn thermalize(&self, py: Python<'_>, duration: f64) -> PyResult<()> {
        self.lock(py)?.body.thermalize(duration).raise(py)
    }

    /// How many times noise has been drawn. Each step with random torques draws, and so does
    /// thermalize. A restart needs the number besides the state and the clock.
    #[getter]
    fn noise_draws(&self, py: Python<'_>) -> PyResult<u64> {
        self.lock(py)?.body.noise().raise(py)
    }

    #[setter]
    fn set_noise_draws(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] noise_draws: u64) -> PyResult<()> {
        self.lock(py)?.body.set_noise(noise_draws).raise(py)
    }

    /// The angular momentum of rotors within the body, such as reaction wheels, body frame. An
    /// array (3,). When it is set: only the torque of rotor_torque changes it. Orientation and
    /// angular velocity stay. angular_momentum includes it, kinetic_energy does not. The inertia of
    /// the body is that with the rotors locked or, where the torque of a motor is known, less J a
    /// a^T for each (docs/torques.md). None: removes the rotors.
    #[getter]
    fn rotor_momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock(py)?.body.rotor_momentum().raise(py)?;
        copied(py, value.unwrap_or_default().into())
    }

    #[setter]
    fn set_rotor_momentum(&self, py: Python<'_>, rotor_momentum: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let value = vector_or_none::<3>(py, rotor_momentum, "rotor_momentum")?;
        self.lock(py)?.body.set_rotor_momentum(value.map(Into::into)).raise(py)
    }

    /// The torque of the motors that drive the rotors, body frame. An array (3,). When it is set:
    /// while time passes it acts on the body, and its opposite on the rotors. It stays until it is
    /// set again: a controller sets it once per sample. None: removes the motors.
    #[getter]
    fn rotor_torque<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock(py)?.body.rotor_torque().raise(py)?;
        copied(py, value.unwrap_or_default().into())
    }

    #[setter]
    fn set_rotor_torque(&self, py: Python<'_>, rotor_torque: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let value = vector_or_none::<3>(py, rotor_torque, "rotor_torque")?;
        self.lock(py)?.body.set_rotor_torque(value.map(Into::into)).raise(py)
    }

    /// Rotate freely for a duration of any length: exactly, or with rotors by the method. The clock
    /// moves on. The torque is not called.
    fn drift(&self, py: Python<'_>, duration: f64) -> PyResult<()> {
        let inner = &mut *self.lock(py)?;
        let outcome = inner.body.drift(duration);
        outcome.map_err(|error| inner.explained(py, error))
    }

    /// Say that something has changed that the torque reads, such as a sampled command: the
    /// splitting methods then ask for the torque again.
    fn forget_torque(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py)?.body.forget_torque().raise(py)
    }
}

#[pymethods]
impl Ensemble {
    /// The clock: the sum of the steps since it was set.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.lock(py)?.ensemble.time().raise(py)
    }

    #[setter]
    fn set_time(&self, py: Python<'_>, time: f64) -> PyResult<()> {
        self.lock(py)?.ensemble.set_time(time).raise(py)
    }

    /// The whole clock: the time, and what rounding has left of the sum of the steps. Set again, it
    /// gives a run the same times bit for bit.
    #[getter]
    fn clock(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        let value = self.lock(py)?.ensemble.clock().raise(py)?;
        Ok(value.into())
    }

    #[setter]
    fn set_clock(&self, py: Python<'_>, clock: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = vector::<2>(py, clock, "clock")?;
        self.lock(py)?.ensemble.set_clock(value).raise(py)
    }

    /// The angular velocities, rad/s, world frame. An array (n, 3). Set it to (n, 3) or (3,).
    #[getter]
    fn angular_velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let e = &self.lock(py)?.ensemble;
        let mut fill = |to: &mut ViewMut<3>| e.angular_velocities(to).raise(py);
        filled(py, &[e.count(), 3], &mut fill).map(NewArray::read_only)
    }

    #[setter]
    fn set_angular_velocities(&self, py: Python<'_>, angular_velocities: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Input::<3>::new(py, angular_velocities, "angular_velocities")?;
        let e = &mut self.lock(py)?.ensemble;
        let value = value.view(py, e.count())?;
        e.set_angular_velocities(value).raise(py)
    }

    /// The angular momenta, world frame. An array (n, 3). Set it to (n, 3) or (3,). When it is set:
    /// the angular velocities follow from orientations and inertias.
    #[getter]
    fn angular_momenta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let e = &self.lock(py)?.ensemble;
        let mut fill = |to: &mut ViewMut<3>| e.angular_momenta(to).raise(py);
        filled(py, &[e.count(), 3], &mut fill).map(NewArray::read_only)
    }

    #[setter]
    fn set_angular_momenta(&self, py: Python<'_>, angular_momenta: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Input::<3>::new(py, angular_momenta, "angular_momenta")?;
        let e = &mut self.lock(py)?.ensemble;
        let value = value.view(py, e.count())?;
        e.set_angular_momenta(value).raise(py)
    }

    /// The rotational kinetic energy of each body. An array (n,).
    #[getter]
    fn kinetic_energies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let e = &self.lock(py)?.ensemble;
        let mut fill = |to: &mut ViewMut<1>| e.kinetic_energies(to).raise(py);
        filled(py, &[e.count()], &mut fill).map(NewArray::writeable)
    }

    /// The rotational kinetic energy of the active bodies. It has the same bits for any number of
    /// threads.
    #[getter]
    fn total_kinetic_energy(&self, py: Python<'_>) -> PyResult<f64> {
        self.lock(py)?.ensemble.total_kinetic_energy().raise(py)
    }

    /// The angular momentum of rotation of the active bodies, world frame. It has the same bits for
    /// any number of threads. An array (3,).
    #[getter]
    fn total_angular_momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock(py)?.ensemble.total_angular_momentum().raise(py)?;
        NewArray::of(py, value.as_slice(), &[3]).map(NewArray::writeable)
    }

    /// Multiply the angular momenta of the active bodies by a factor, for a thermostat of your own.
    fn scale_angular_momenta(&self, py: Python<'_>, factor: f64) -> PyResult<()> {
        self.lock(py)?.released(py, 1, |e| e.scale_angular_momenta(factor)).raise(py)
    }

    /// The number of rotational degrees of freedom of the active bodies: 3 each, less the axes of
    /// zero moment. At thermal equilibrium the mean of the kinetic energy is kT/2 for each.
    #[getter]
    fn degrees_of_freedom(&self, py: Python<'_>) -> PyResult<u64> {
        self.lock(py)?.ensemble.degrees_of_freedom().raise(py)
    }

    /// Let drag and noise alone act for a duration, exactly, at constant orientation. The clock
    /// stays. It is one draw. Programs that kick and drift call it between two drifts of half a
    /// step.
    fn thermalize(&self, py: Python<'_>, duration: f64) -> PyResult<()> {
        self.lock(py)?.released(py, 1, |e| e.thermalize(duration)).raise(py)
    }

    /// How many times noise has been drawn. Each step with random torques draws, and so does
    /// thermalize. A restart needs the number besides the state and the clock.
    #[getter]
    fn noise_draws(&self, py: Python<'_>) -> PyResult<u64> {
        self.lock(py)?.ensemble.noise().raise(py)
    }

    #[setter]
    fn set_noise_draws(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] noise_draws: u64) -> PyResult<()> {
        self.lock(py)?.ensemble.set_noise(noise_draws).raise(py)
    }

    /// Rotate freely for a duration of any length: exactly, or with rotors by the method. The clock
    /// moves on. The torque is not called.
    fn drift(&self, py: Python<'_>, duration: f64) -> PyResult<()> {
        self.lock(py)?.released(py, 1, |e| e.drift(duration)).raise(py)
    }

    /// Say that something has changed that the torque reads, or that states in bound arrays have
    /// been written: the splitting methods then ask for the torque again.
    fn forget_torques(&self, py: Python<'_>) -> PyResult<()> {
        self.lock(py)?.released(py, 1, |e| e.forget_torques()).raise(py)
    }

    /// The number of points of all bodies. It is an error if none have been set for these bodies.
    #[getter]
    fn point_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.lock(py)?.ensemble.point_count().raise(py)
    }
}
// ---- end of what `make bindings` writes
