//! Copies, pickles and the text of a body.

use crate::acting::Acting;
use crate::body::{Body, Inner, quaternion};
use crate::changing_inertia::InertiaFunction;
use crate::errors::Outcome;
use crate::inertia::Given;
use crate::names::{
    frame_of, method_of, name_of_frame, name_of_method, name_of_solve_method, solve_method_of,
};
use crate::new_arrays::NewArray;
use crate::saved::Saved;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quatint::rotation::components;

impl Inner {
    /// With what a splitting method keeps from step to step: the copy goes on with the same bits.
    /// `copied` copies the functions.
    fn copy<'py>(
        &self,
        py: Python<'py>,
        copied: &dyn Fn(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Body> {
        let torque = self.torque.as_ref().map(|torque| copied(torque.bind(py)));
        let torque = torque.transpose()?;
        let torque = torque.as_ref();
        let acting = Acting::new(py, torque, self.frame)?;
        let [drag, langevin] =
            [&self.drag, &self.langevin].map(|object| object.as_ref().map(|o| o.clone_ref(py)));
        let mut body = self.body.clone();
        let mut inertia_function = None;
        if let Some(function) = &self.inertia_function {
            let function = copied(function.given.bind(py))?;
            inertia_function = Some(InertiaFunction::set(&mut body, &function)?);
            body.set_memory(self.body.memory()).raise(py)?;
        }
        Ok(Body::of(Inner {
            body,
            acting,
            torque: torque.map(|torque| torque.clone().unbind()),
            frame: self.frame,
            drag,
            langevin,
            given: self.given,
            locks: self.locks.clone(),
            inertia_function,
            limits: self.limits,
        }))
    }
}

impl Inner {
    /// With the clock, which an inertia that changes follows. The inertia was given to `__new__`.
    fn restore_inertia(&mut self, py: Python<'_>, state: &Saved<'_, '_>) -> PyResult<()> {
        let clock: (f64, f64) = state.get("clock")?;
        self.body.set_clock(clock.into()).raise(py)?;
        if let Some(function) = state.newer_object("inertia_function")? {
            self.set_inertia_function(py, Some(&function))?;
        }
        for axes in state.newer::<Vec<i32>>("locks")?.unwrap_or_default() {
            self.lock_axes(py, axes)?;
        }
        Ok(())
    }
}

fn listed(numbers: &[f64]) -> String {
    let each: Vec<_> = numbers.iter().map(|number| short(*number)).collect();
    format!("[{}]", each.join(", "))
}

/// A number with six digits.
fn short(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e6).contains(&size) {
        let decimals = (5 - size.log10().floor() as i32).max(0) as usize;
        return without_last_zeros(&format!("{number:.decimals$}")).to_owned();
    }
    let text = format!("{number:.5e}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{}e{exponent}", without_last_zeros(digits)),
        None => text, // NaN or infinite
    }
}

fn without_last_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

#[pymethods]
impl Body {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.lock(py)?;
        let q = components(inner.body.orientation());
        let omega = inner.body.angular_velocity();
        let [omega, moments] =
            [omega, inner.body.inertia().principal_moments()].map(|v| listed(v.as_slice()));
        let mut text = format!(
            "Body({moments}, orientation={}, angular_velocity={omega}, time={:?}, method={:?}",
            listed(&q),
            inner.body.time(),
            name_of_method(inner.body.method())
        );
        let function = inner.inertia_function.as_ref();
        for (name, object) in [
            ("inertia_function", function.map(|function| &function.given)),
            ("torque", inner.torque.as_ref()),
            ("drag", inner.drag.as_ref()),
            ("langevin", inner.langevin.as_ref()),
        ] {
            if let Some(object) = object {
                text += &format!(", {name}={}", object.bind(py).repr()?);
            }
        }
        Ok(text + ")")
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.lock(py)?.copy(py, &|function| Ok(function.clone()))
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        let copy = py.import("copy")?;
        self.lock(py)?.copy(py, &|function| {
            copy.call_method1("deepcopy", (function, memo))
        })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>,)> {
        let given = self.lock(py)?.given;
        Ok((match given {
            Given::Moments(moments) => NewArray::of(py, &moments, &[3])?.writeable(),
            Given::Tensor(tensor) => NewArray::of(py, &tensor, &[3, 3])?.writeable(),
        },))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.lock(py)?;
        let state = PyDict::new(py);
        let body = &inner.body;
        let function = inner.inertia_function.as_ref();
        state.set_item("inertia_function", function.map(|function| &function.given))?;
        state.set_item("locks", &inner.locks)?;
        state.set_item("orientation", components(body.orientation()))?;
        state.set_item(
            "angular_velocity_body",
            <[f64; 3]>::from(body.angular_velocity_body()),
        )?;
        state.set_item("clock", <(f64, f64)>::from(body.clock()))?;
        state.set_item("method", name_of_method(body.method()))?;
        state.set_item(
            "rotor_momentum",
            <[f64; 3]>::from(body.rotor_momentum().unwrap_or_default()),
        )?;
        state.set_item(
            "rotor_torque",
            <[f64; 3]>::from(body.rotor_torque().unwrap_or_default()),
        )?;
        state.set_item("torque", &inner.torque)?;
        state.set_item("frame", name_of_frame(inner.frame))?;
        state.set_item("drag", &inner.drag)?;
        state.set_item("langevin", &inner.langevin)?;
        state.set_item("noise_draws", body.noise())?;
        state.set_item("limits", inner.limits)?;
        state.set_item("solve_method", name_of_solve_method(body.solve_method()))?;
        state.set_item("memory", body.memory())?;
        Ok(state)
    }

    fn __setstate__(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        let state = &Saved(state);
        let q: [f64; 4] = state.get("orientation")?;
        let omega: [f64; 3] = state.get("angular_velocity_body")?;
        let rotor: [f64; 3] = state.get("rotor_momentum")?;
        let inner = &mut *self.lock(py)?;
        inner.restore_inertia(py, state)?;
        let method = method_of(py, &state.get::<String>("method")?)?;
        inner.body.set_method(method);
        let body = &mut inner.body;
        body.set_state_body(quaternion(q), omega.into()).raise(py)?;
        body.set_rotor_momentum(Some(rotor.into())).raise(py)?;
        if let Some(motor) = state.newer::<[f64; 3]>("rotor_torque")? {
            body.set_rotor_torque(Some(motor.into())).raise(py)?;
        }
        inner.set_drag(state.object("drag")?.as_ref())?;
        let frame = frame_of(py, &state.get::<String>("frame")?)?;
        inner.set_torque(py, state.object("torque")?.as_ref(), frame)?;
        if let Some(draws) = state.newer("noise_draws")? {
            inner.set_langevin(py, state.object("langevin")?.as_ref())?;
            inner.body.set_noise(draws);
        }
        if let Some((longest, most)) = state.newer("limits")? {
            inner.set_limits(py, longest, most)?;
        }
        if let Some(method) = state.newer::<String>("solve_method")? {
            inner.body.set_solve_method(solve_method_of(py, &method)?);
        }
        let memory = state.newer::<Option<_>>("memory")?.flatten();
        inner.body.set_memory(memory).raise(py) // last
    }
}
