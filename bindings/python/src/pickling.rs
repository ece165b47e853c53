//! Copies, pickles and the text of an ensemble. A copy keeps the states in its own memory, also
//! where the original is bound to arrays; but angular velocities that each step converts, because
//! they are bound in the world frame or as momenta, it has in a bound array of its own: else it
//! would round at other places. Flow gradients it reads in the same array. With a list of active
//! bodies, rows have not what a splitting method keeps: the copy then asks for the last torque
//! again.

use crate::arrays::elements_of;
use crate::ensemble::{Anew, Ensemble, Inner};
use crate::errors::{Outcome, exclusive};
use crate::names::{
    frame_of, kind_of, layout_of, method_of, name_of_frame, name_of_kind, name_of_layout,
    name_of_method, parts_of,
};
use crate::new_arrays::NewArray;
use crate::saved::Saved;
use nalgebra::Vector3;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quatint::{Error, Inertia, Parts, VelocityKind, View};

/// For the parameters of each body: the same kind, with numbers for any count.
fn stand_in<'py>(object: &Option<Bound<'py, PyAny>>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match object {
        Some(object) if crate::torques::is_a(object, "Parameters")? => {
            object.call_method0("_for_any_count").map(Some)
        }
        other => Ok(other.clone()),
    }
}

/// Of moments that are negative about locked axes, as in rows.
fn shared_inertia(moments: [f64; 3]) -> Result<Inertia, Error> {
    let is_locked = moments.map(|moment| moment < 0.0);
    Inertia::from_moments(moments.map(f64::abs).into())?.with_locked_axes(is_locked)
}

const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl Inner {
    /// One inertia for all, if all bodies have the same moments about the body axes: it makes steps
    /// faster.
    fn shared_moments(&self, py: Python<'_>) -> PyResult<Option<Vector3<f64>>> {
        let rows = self.inertia_rows(py)?;
        let Some(first) = rows.first_chunk::<7>() else {
            return Ok(None);
        };
        let is_shared = first[3..] == IDENTITY && rows.chunks_exact(7).all(|row| row == first);
        Ok(is_shared.then(|| [first[0], first[1], first[2]].into()))
    }

    /// All that makes the ensemble go on with the same bits. `copied` copies torque and drag.
    fn state<'py>(
        &self,
        py: Python<'py>,
        copied: &dyn Fn(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        let e = &self.ensemble;
        state.set_item(
            "rows",
            self.rows(py, parts_of(py, None)?, None)?.writeable(),
        )?;
        state.set_item("moments", self.shared_moments(py)?.map(<[f64; 3]>::from))?;
        state.set_item("clock", <(f64, f64)>::from(e.clock()))?;
        state.set_item("method", name_of_method(e.method()))?;
        for (name, object) in [
            ("torque", &self.torque),
            ("drag", &self.drag),
            ("langevin", &self.langevin),
        ] {
            let object = object
                .as_ref()
                .map(|object| copied(object.bind(py)))
                .transpose()?;
            state.set_item(name, object)?;
        }
        let ids = self.ids(); // each its index, unless they have been set
        let are_set = ids.iter().zip(0..).any(|(id, index)| *id != index);
        state.set_item(
            "ids",
            are_set
                .then(|| NewArray::of(py, &ids, &[ids.len()]))
                .transpose()?
                .map(NewArray::writeable),
        )?;
        state.set_item("noise_draws", e.noise())?;
        state.set_item("velocities", self.converted_velocities(py)?)?;
        let gradients = self.bound.flow_gradients.as_ref();
        let gradients = gradients
            .map(|held| copied(held.array.bind(py)))
            .transpose()?;
        state.set_item("flow_gradients", gradients)?;
        state.set_item("has_lost_gradients", self.has_lost_gradients)?;
        state.set_item("rotors", self.has_rotors)?;
        state.set_item("frame", name_of_frame(self.frame))?;
        state.set_item("layout", name_of_layout(self.layout))?;
        state.set_item("active", &self.active)?;
        state.set_item("threads", self.threads)?;
        Ok(state)
    }

    fn restore(&mut self, py: Python<'_>, state: &Saved<'_, '_>) -> PyResult<()> {
        if let Some(moments) = state.get::<Option<[f64; 3]>>("moments")? {
            let inertia = shared_inertia(moments).raise(py)?;
            self.ensemble.set_inertia(inertia).raise(py)?;
        }
        self.ensemble
            .set_method(method_of(py, &state.get::<String>("method")?)?)
            .raise(py)?;
        // The rows have the parameters of each body, which may no longer be those of the objects.
        let torque = state.object("torque")?;
        let drag = state.object("drag")?;
        self.apply(
            py,
            stand_in(&torque)?.as_ref(),
            stand_in(&drag)?.as_ref(),
            Anew::Torque,
        )?;
        self.counts_as_given(py, torque.as_ref(), drag.as_ref())?;
        self.torque = torque.map(Bound::unbind);
        self.drag = drag.map(Bound::unbind);
        if let Some(draws) = state.newer("noise_draws")? {
            let langevin = state.object("langevin")?;
            self.set_langevin(py, stand_in(&langevin)?.as_ref())?;
            self.langevin = langevin.map(Bound::unbind);
            let ids = state.get::<Option<Vec<u64>>>("ids")?;
            self.ensemble.set_ids(ids.as_deref()).raise(py)?;
            self.ensemble.set_noise(draws).raise(py)?;
        }
        self.frame = frame_of(py, &state.get::<String>("frame")?)?;
        self.layout = layout_of(py, &state.get::<String>("layout")?)?;
        if state.newer("rotors")?.unwrap_or(false) {
            self.make_room_for_rotors(py)?;
        }
        self.restore_gradients(py, state)?;
        self.set_active(py, state.get("active")?)?;
        self.set_threads(py, state.get("threads")?)?;
        let clock: (f64, f64) = state.get("clock")?;
        self.ensemble.set_clock(clock.into()).raise(py)?;
        let rows = elements_of(&state.get("rows")?)?;
        self.ensemble
            .set_rows(parts_of(py, None)?, None, &rows)
            .raise(py)?;
        self.restore_velocities(py, state)
    }
}

/// The kind of bound velocities, their numbers, and the memory of the method.
type Converted<'py> = (&'static str, Bound<'py, PyAny>, Bound<'py, PyAny>);
/// The same from a pickle.
type Restored<'py> = (String, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// What a method keeps from step to step.
const MEMORY: Parts = Parts {
    state: false,
    inertia: false,
    torque: false,
    memory: true,
    id: false,
    bound: false,
};

impl Inner {
    /// What each step converts: the kind, the numbers of the bound array with a row for each body,
    /// and the memory of the method, which forgets it when an array is bound. `None`: nothing.
    fn converted_velocities<'py>(&self, py: Python<'py>) -> PyResult<Option<Converted<'py>>> {
        let Some(bound) = &self.bound.velocities else {
            return Ok(None);
        };
        if bound.kind == VelocityKind::OmegaBody {
            return Ok(None);
        }
        let mut numbers = bound.held.array.bind(py).clone();
        if let Some(rows) = &bound.rows {
            numbers = numbers.get_item(NewArray::of(py, rows, &[rows.len()])?.writeable())?;
        }
        let numbers = copy_of(&numbers)?;
        let memory = self.rows(py, MEMORY, None)?.writeable();
        Ok(Some((name_of_kind(bound.kind), numbers, memory)))
    }

    /// After the rows, whose angular velocities this replaces.
    fn restore_velocities(&mut self, py: Python<'_>, state: &Saved<'_, '_>) -> PyResult<()> {
        let Some((kind, numbers, memory)) =
            state.newer::<Option<Restored<'_>>>("velocities")?.flatten()
        else {
            return Ok(());
        };
        self.bind_velocities(py, &copy_of(&numbers)?, kind_of(py, &kind)?, None)?;
        self.ensemble
            .set_rows(MEMORY, None, &elements_of(&memory)?)
            .raise(py)
    }
}

/// A new array with the same numbers, side by side and writeable.
fn copy_of<'py>(numbers: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let numpy = numbers.py().import("numpy")?;
    numpy.call_method1("ascontiguousarray", (numbers.call_method0("copy")?,))
}

const NO_GRADIENT: &[f64; 9] = &[0.0; 9];

impl Inner {
    /// Where the original has lost its gradients, steps of the copy fail, too.
    fn restore_gradients(&mut self, py: Python<'_>, state: &Saved<'_, '_>) -> PyResult<()> {
        self.has_lost_gradients = state.newer("has_lost_gradients")?.unwrap_or(false);
        if self.has_lost_gradients {
            let gradients = View::shared(NO_GRADIENT, self.ensemble.count());
            self.ensemble
                .bind_flow_gradients(Some(gradients))
                .and_then(|()| self.ensemble.release_arrays())
                .raise(py)?;
        }
        if let Some(gradients) = state.newer_object("flow_gradients")? {
            self.bind_flow_gradients(py, Some(&gradients))?;
        }
        Ok(())
    }
}

#[pymethods]
impl Ensemble {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.lock(py)?;
        let e = &inner.ensemble;
        let mut text = format!(
            "Ensemble({}, time={:?}, method={:?}",
            e.count(),
            e.time(),
            name_of_method(e.method())
        );
        for (name, object) in [
            ("torque", &inner.torque),
            ("drag", &inner.drag),
            ("langevin", &inner.langevin),
        ] {
            if let Some(object) = object {
                text += &format!(", {name}={}", object.bind(py).repr()?);
            }
        }
        if inner.has_rotors {
            text += ", rotors";
        }
        if let Some(active) = &inner.active {
            text += &format!(", {} active", active.len());
        }
        if inner.threads > 1 {
            text += &format!(", threads={}", inner.threads);
        }
        let bound = inner.bound.all().into_iter();
        let bound: Vec<_> = bound
            .filter(|(_, held)| held.is_some())
            .map(|(name, _)| name)
            .collect();
        if !bound.is_empty() {
            text += &format!(", bound {}", bound.join(" and "));
        }
        Ok(text + ")")
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copied(py, &|object| Ok(object.clone()))
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        let copy = py.import("copy")?;
        self.copied(py, &|object| copy.call_method1("deepcopy", (object, memo)))
    }

    fn __getnewargs__(&self, py: Python<'_>) -> PyResult<(usize,)> {
        Ok((self.lock(py)?.ensemble.count(),))
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.lock(py)?.state(py, &|object| Ok(object.clone()))
    }

    fn __setstate__(&self, py: Python<'_>, state: &Bound<'_, PyDict>) -> PyResult<()> {
        exclusive(py, &self.0, "ensemble")?.restore(py, &Saved(state))
    }
}

impl Ensemble {
    fn copied<'py>(
        &self,
        py: Python<'py>,
        copied: &dyn Fn(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let original = self.lock(py)?;
        let mut copy = Inner::new(py, original.ensemble.count())?;
        copy.restore(py, &Saved(&original.state(py, copied)?))?;
        Ok(Ensemble::of(copy))
    }
}
