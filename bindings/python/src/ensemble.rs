//! Many rigid bodies.

use crate::acting::TorqueKind;
use crate::arrays::whole;
use crate::bound_arrays::Bindings;
use crate::compiled::{chunk_torque, pointer_of};
use crate::errors::{Outcome, exclusive};
use crate::functions::with_address;
use crate::names::{frame_of, layout_of, method_of, name_of_method};
use crate::passed::StageArrays;
use crate::torques::{as_drag, as_given, set_drag, set_one, torque_and_drag};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use quatint::{Frame, Layout};
use std::sync::{Mutex, MutexGuard};

/// Below so many bodies, releasing the lock of the interpreter for a step costs more than it gives.
pub(crate) const RELEASED_FROM: usize = 256;

/// Rigid bodies that step together, with one clock, one method and one kind of torque.
///
/// Ensemble(count, *, inertia=None, orientations=None, angular_velocities=None, torque=None,
/// method="pcdm", threads=1, frame="world", layout="aos", scalar_first=None)
///
/// inertia: 3 moments or a 3x3 tensor for all bodies, or (n, 3) or (n, 3, 3); unit inertia if None.
/// orientations: (4,) or (n, 4), scalar first, body to world, or a scipy Rotation; or (x, y, z, w)
/// with scalar_first=False. angular_velocities: (3,) or (n, 3), world frame.
///
/// torque: a function ``(t, q, omega) -> torques`` of all bodies, a ready-made torque with
/// parameters for each body or for all, its sum with a LinearDrag, or a numba.cfunc or
/// ``quatint.compiled(f)``, which is called for chunks of bodies. The function gets arrays (n, 4)
/// and (n, 3) and returns anything that broadcasts to (n, 3). The arrays are read-only, and the
/// next call overwrites them: copy what you keep. frame: of its angular velocities and torques.
/// layout: "aos", arrays in C order, or "soa", in Fortran order, so that columns are contiguous.
///
/// The states are in the ensemble's memory, or in your arrays: see bind_orientations. The arrays
/// that its properties return are read-only copies: in place of ``e.orientations[0] = q`` change
/// ``e.orientations.copy()`` and assign that. Indices count from 0. If a step fails, all bodies
/// keep their states. One thread at a time may use an ensemble, and its torque may not: BusyError.
#[pyclass(frozen, module = "quatint", weakref)]
pub(crate) struct Ensemble(pub(crate) Mutex<Inner>);

pub(crate) struct Inner {
    /// Before the arrays it is bound to: it is dropped first.
    pub(crate) ensemble: quatint::Ensemble<'static, 'static>,
    pub(crate) bound: Bindings,
    /// Whether the flow gradients were bound for other bodies: steps in a shear flow then fail.
    pub(crate) has_lost_gradients: bool,
    pub(crate) torque: Option<Py<PyAny>>,
    /// Which objects the library has as torque and drag: their addresses, 0 for none. `torque` and
    /// `drag` keep them alive.
    applied: [usize; 2],
    pub(crate) drag: Option<Py<PyAny>>,
    pub(crate) langevin: Option<Py<PyAny>>,
    /// Whether the torque is a Python function.
    pub(crate) is_python: bool,
    pub(crate) has_rotors: bool,
    pub(crate) frame: Frame,
    pub(crate) layout: Layout,
    pub(crate) arrays: Option<StageArrays>,
    pub(crate) active: Option<Vec<usize>>,
    pub(crate) threads: usize,
    /// Counts the iterators over stages; the last one owns the step that has begun.
    pub(crate) stages: u64,
}

/// What is given to the library even if it is the object that was given before.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Anew {
    Torque,
    Drag,
    Nothing,
}

/// A torque and a drag as the library takes them.
struct Parts<'py> {
    kind: Option<TorqueKind>,
    /// The ready-made torque that is part of the torque or all of it.
    main: Option<Bound<'py, PyAny>>,
    drag: Option<Bound<'py, PyAny>>,
}

impl<'py> Parts<'py> {
    fn of(
        py: Python<'py>,
        torque: Option<&Bound<'py, PyAny>>,
        drag: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let kind = torque.map(TorqueKind::of).transpose()?;
        let ready = torque.filter(|_| matches!(kind, Some(TorqueKind::Ready)));
        let [main, drag] = torque_and_drag(py, ready, drag)?;
        Ok(Parts { kind, main, drag })
    }

    /// Of the objects that the library has as torque and as drag.
    fn addresses(&self, torque: Option<&Bound<'py, PyAny>>) -> [usize; 2] {
        [self.main.as_ref().or(torque), self.drag.as_ref()]
            .map(|object| object.map_or(0, |object| object.as_ptr().addr()))
    }
}

/// A compiled torque as the library takes it.
fn compiled_for_ensembles(
    py: Python<'_>,
    torque: &Bound<'_, PyAny>,
) -> PyResult<(Box<quatint::ChunkTorque<'static>>, Layout, Frame)> {
    let layout: String = torque.getattr("layout")?.extract()?;
    let frame: String = torque.getattr("frame")?.extract()?;
    let function = chunk_torque(pointer_of(torque, "ensemble")?.get());
    Ok((function, layout_of(py, &layout)?, frame_of(py, &frame)?))
}

impl Inner {
    pub(crate) fn new(py: Python<'_>, count: usize) -> PyResult<Self> {
        Ok(Inner {
            ensemble: quatint::Ensemble::new(count).raise(py)?,
            bound: Bindings::default(),
            has_lost_gradients: false,
            torque: None,
            drag: None,
            langevin: None,
            applied: [0; 2],
            is_python: false,
            has_rotors: false,
            frame: Frame::World,
            layout: Layout::Aos,
            arrays: None,
            active: None,
            threads: 1,
            stages: 0,
        })
    }

    pub(crate) fn set_torque(
        &mut self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        (frame, layout): (Frame, Layout),
    ) -> PyResult<()> {
        let torque = torque.map(|torque| with_address(torque, frame, layout));
        let torque = torque.transpose()?;
        let torque = torque.as_ref();
        let before = self.torque.as_ref().map(|torque| torque.bind(py).clone());
        let drag = self.drag.as_ref().map(|drag| drag.bind(py).clone());
        if let Err(error) = self.apply(py, torque, drag.as_ref(), Anew::Torque) {
            // it was accepted before
            let _ = self.apply(py, before.as_ref(), drag.as_ref(), Anew::Nothing);
            return Err(error);
        }
        self.torque = torque.map(|torque| torque.clone().unbind());
        self.frame = frame;
        self.layout = layout;
        Ok(())
    }

    fn set_drag(&mut self, py: Python<'_>, drag: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let drag = drag.map(as_drag).transpose()?;
        let torque = self.torque.as_ref().map(|torque| torque.bind(py).clone());
        if let Err(error) = self.apply(py, torque.as_ref(), drag.as_ref(), Anew::Drag) {
            let before = self.drag.as_ref().map(|drag| drag.bind(py).clone());
            // it was accepted before
            let _ = self.apply(py, torque.as_ref(), before.as_ref(), Anew::Nothing);
            return Err(error);
        }
        self.drag = drag.map(Bound::unbind);
        Ok(())
    }

    /// The library has the numbers of these objects, by way of others.
    pub(crate) fn counts_as_given(
        &mut self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        drag: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.applied = Parts::of(py, torque, drag)?.addresses(torque);
        Ok(())
    }

    /// Gives torque and drag to the library. What is not new is left as it is: rows, select and
    /// resize may have changed its numbers.
    pub(crate) fn apply(
        &mut self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        drag: Option<&Bound<'_, PyAny>>,
        anew: Anew,
    ) -> PyResult<()> {
        let parts = Parts::of(py, torque, drag)?;
        let ids = parts.addresses(torque);
        let Parts { kind, main, drag } = parts;
        let compiled = match (&kind, torque) {
            (Some(TorqueKind::Compiled), Some(torque)) => Some(compiled_for_ensembles(py, torque)?),
            _ => None,
        };
        if anew == Anew::Torque || self.applied[0] != ids[0] {
            match (compiled, &main) {
                (Some((function, layout, frame)), _) => {
                    self.ensemble.set_torque(function, layout, frame)
                }
                (None, None) => self.ensemble.set_free(),
                (None, Some(main)) => {
                    set_one(&mut self.ensemble, main)?;
                    Ok(())
                }
            }
            .raise(py)?;
            self.applied[0] = ids[0];
        }
        if anew == Anew::Drag || self.applied[1] != ids[1] {
            match &drag {
                None => self.ensemble.clear_drag().raise(py)?,
                Some(drag) => set_drag(&mut self.ensemble, drag)?,
            }
            self.applied[1] = ids[1];
        }
        self.is_python = matches!(kind, Some(TorqueKind::Function));
        Ok(())
    }

    pub(crate) fn set_threads(&mut self, py: Python<'_>, threads: usize) -> PyResult<()> {
        self.ensemble.set_threads(threads).raise(py)?;
        self.threads = threads;
        Ok(())
    }

    /// Runs `run` without the lock of the interpreter, where that pays. Not for Python functions.
    pub(crate) fn released<R: Send>(
        &mut self,
        py: Python<'_>,
        steps: u64,
        run: impl FnOnce(&mut quatint::Ensemble<'static, 'static>) -> R + Send,
    ) -> R {
        let ensemble = &mut self.ensemble;
        // a compiled torque may take long, even for few bodies
        if (ensemble.count() as u64).saturating_mul(steps) < RELEASED_FROM as u64
            && self.torque.is_none()
        {
            run(ensemble)
        } else {
            py.detach(|| run(ensemble))
        }
    }

    /// After the library has released its arrays.
    pub(crate) fn let_go_of_arrays(&mut self) {
        self.has_lost_gradients |= self.bound.flow_gradients.is_some();
        self.bound = Bindings::default();
    }
}

impl Ensemble {
    pub(crate) fn of(inner: Inner) -> Self {
        Ensemble(Mutex::new(inner))
    }

    pub(crate) fn lock<'a>(&'a self, py: Python<'_>) -> PyResult<MutexGuard<'a, Inner>> {
        let inner = exclusive(py, &self.0, "ensemble")?;
        inner.bound.expect_in_place(py)?;
        Ok(inner)
    }
}

#[pymethods]
impl Ensemble {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.ensemble.count())
    }

    /// The integration method: "pcdm", "splitting", "splitting_4", "splitting_6", "force_gradient",
    /// "cf4" or "brownian", which needs langevin.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(name_of_method(self.lock(py)?.ensemble.method()))
    }

    #[setter]
    fn set_method(&self, py: Python<'_>, method: &str) -> PyResult<()> {
        let method = method_of(py, method)?;
        self.lock(py)?.ensemble.set_method(method).raise(py)
    }

    /// The torque that was set last; None: none. set_rows, resize and select change the numbers
    /// that the ensemble uses, not this object.
    #[getter]
    fn torque(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.torque))
    }

    #[setter(torque)]
    fn replace_torque(&self, py: Python<'_>, torque: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let arrays = (inner.frame, inner.layout);
        inner.set_torque(py, torque, arrays)
    }

    /// Set the torque: a function, a ready-made torque, its sum with a LinearDrag, a compiled one,
    /// or None. frame and layout are those of a function's arrays; other torques know theirs.
    #[pyo3(signature = (torque, *, frame="world", layout="aos"))]
    fn set_torque(
        &self,
        py: Python<'_>,
        torque: Option<&Bound<'_, PyAny>>,
        frame: &str,
        layout: &str,
    ) -> PyResult<()> {
        let choices = (frame_of(py, frame)?, layout_of(py, layout)?);
        self.lock(py)?.set_torque(py, torque, choices)
    }

    /// A linear drag on each body in addition to the torque, taken implicitly: a LinearDrag, or
    /// coefficients (3,) or (n, 3); None: none.
    #[getter]
    fn drag(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.drag))
    }

    #[setter]
    fn set_drag(&self, py: Python<'_>, drag: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.lock(py)?.set_drag(py, drag)
    }

    /// The number of threads, with the caller's, from 1 to 1024. Several call a compiled torque at
    /// once. A Python function runs on the caller's.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.threads)
    }

    #[setter]
    fn set_threads(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] threads: usize,
    ) -> PyResult<()> {
        self.lock(py)?.set_threads(py, threads)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // in use: the call that uses it also keeps its objects alive
        let Ok(inner) = self.0.try_lock() else {
            return Ok(());
        };
        let arrays = inner
            .bound
            .all()
            .map(|(_, held)| held.map(|held| &held.array));
        let objects = [&inner.torque, &inner.drag, &inner.langevin].map(Option::as_ref);
        objects
            .into_iter()
            .chain(arrays)
            .try_for_each(|object| visit.call(object))
    }

    fn __clear__(&self) {
        // bound arrays stay: the ensemble works in them until it is dropped
        if let Ok(mut inner) = self.0.try_lock() {
            // a finalizer may still step the ensemble, without the compiled function that goes
            inner.ensemble.cancel_step();
            let _ = inner.ensemble.set_free(); // not in the middle of a step
            inner.applied[0] = 0;
            inner.torque = None;
            inner.drag = None;
            inner.langevin = None;
            inner.is_python = false;
        }
    }
}
