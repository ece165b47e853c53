//! Torques, events and inertias that are function pointers, with the signatures of `qi_torque_fn`,
//! `qi_ensemble_torque_fn`, `qi_event_fn` and `qi_inertia_fn` in quatint.h.

#![allow(unsafe_code)] // calls the functions

use crate::errors::refused;
use nalgebra::Matrix3;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use quatint::kernel::Vec3;
use quatint::{ChunkTorque, Error, Inertia};
use std::ffi::c_void;

type BodyFunction = unsafe extern "C" fn(f64, *const f64, *const f64, *mut f64, *mut c_void) -> i32;
type ChunkFunction =
    unsafe extern "C" fn(f64, usize, usize, *const f64, *const f64, *mut f64, *mut c_void) -> i32;
type EventFunction = unsafe extern "C" fn(f64, *const f64, *const f64, *mut c_void) -> f64;
type InertiaFunction = unsafe extern "C" fn(f64, *mut f64, *mut c_void) -> i32;

/// The address of a compiled torque or event and its user data. `quatint.compiled` makes it after
/// its checks; whoever makes it otherwise answers for the address.
#[pyclass(frozen, module = "quatint._quatint")]
pub(crate) struct Pointer {
    pub(crate) address: usize,
    user_data: usize,
}

#[pymethods]
impl Pointer {
    #[new]
    #[pyo3(signature = (address, user_data=0))]
    fn new(py: Python<'_>, address: usize, user_data: usize) -> PyResult<Self> {
        if address == 0 {
            return Err(refused(py, "the address of a function must not be 0"));
        }
        Ok(Pointer { address, user_data })
    }

    /// The value of an event at a state.
    fn event_value(&self, time: f64, orientation: [f64; 4], angular_velocity: [f64; 3]) -> f64 {
        event(self)(time, orientation, angular_velocity)
    }
}

/// The pointer that `quatint.compiled` has made. Refuses a function whose signature is known not to
/// be `wanted`: "body", "ensemble", "inertia" or "event".
pub(crate) fn pointer_of<'py>(
    compiled: &Bound<'py, PyAny>,
    wanted: &str,
) -> PyResult<Bound<'py, Pointer>> {
    let words = |kind: &str| match kind {
        "body" => "a torque on one body",
        "ensemble" => "the torques of an ensemble",
        "inertia" => "an inertia function",
        _ => "an event",
    };
    match compiled.getattr("kind")?.extract::<Option<String>>()? {
        Some(kind) if kind != wanted => Err(PyTypeError::new_err(format!(
            "this compiled function has the signature of {}, not of {}",
            words(&kind),
            words(wanted)
        ))),
        _ => Ok(compiled.getattr("_pointer")?.cast_into()?),
    }
}

/// A compiled torque on one body.
pub(crate) struct CompiledBody {
    function: BodyFunction,
    user_data: usize,
}

impl CompiledBody {
    pub(crate) fn new(pointer: &Pointer) -> Self {
        // SAFETY: not 0. That it is such a function, `quatint.compiled` has checked, or its caller
        // has promised.
        let function = unsafe { std::mem::transmute::<usize, BodyFunction>(pointer.address) };
        CompiledBody {
            function,
            user_data: pointer.user_data,
        }
    }

    /// Refuses a torque that is not finite: a rotation would make all its components NaN.
    #[inline(always)]
    pub(crate) fn ask(
        &mut self,
        time: f64,
        q: [f64; 4],
        omega: [f64; 3],
    ) -> Result<Vec3<f64>, Error> {
        // and copies of q and omega: those of the caller stay in registers
        let mut torque = [0.0; 3];
        // SAFETY: as promised; the arrays live until it returns.
        let result = unsafe {
            (self.function)(
                time,
                q.as_ptr(),
                omega.as_ptr(),
                torque.as_mut_ptr(),
                self.user_data as *mut c_void,
            )
        };
        if result != 0 {
            return Err(Error::Callback { result, time });
        }
        // Read one by one, as the function has just written them: a wider load would stall store
        // forwarding (5 ns a step).
        let first = torque.as_ptr();
        // SAFETY: initialised elements of the array above.
        let [x, y, z] = unsafe {
            [
                first.read_volatile(),
                first.add(1).read_volatile(),
                first.add(2).read_volatile(),
            ]
        };
        if (x + y + z) * 0.0 != 0.0 && !(x.is_finite() && y.is_finite() && z.is_finite()) {
            return Err(Error::TorqueNotFinite {
                time,
                torque: [x, y, z],
            });
        }
        Ok(Vec3([x, y, z]))
    }
}

/// A compiled event function.
pub(crate) fn event(pointer: &Pointer) -> impl Fn(f64, [f64; 4], [f64; 3]) -> f64 + Send + use<> {
    let user_data = pointer.user_data;
    // SAFETY: as for a torque.
    let function = unsafe { std::mem::transmute::<usize, EventFunction>(pointer.address) };
    move |time, q, omega| {
        // SAFETY: as promised; the arrays live until it returns.
        unsafe { function(time, q.as_ptr(), omega.as_ptr(), user_data as *mut c_void) }
    }
}

/// A compiled inertia function.
pub(crate) fn inertia(
    pointer: &Pointer,
) -> impl Fn(f64) -> Result<Inertia, Error> + Clone + Send + Sync + use<> {
    let user_data = pointer.user_data;
    // SAFETY: as for a torque.
    let function = unsafe { std::mem::transmute::<usize, InertiaFunction>(pointer.address) };
    move |time| {
        let mut tensor = [0.0; 9];
        // SAFETY: as promised; the array lives until it returns.
        match unsafe { function(time, tensor.as_mut_ptr(), user_data as *mut c_void) } {
            0 => Inertia::new(&Matrix3::from_row_slice(&tensor)),
            result => Err(Error::InertiaCallback { result, time }),
        }
    }
}

/// A compiled torque for chunks of bodies.
pub(crate) fn chunk_torque(pointer: &Pointer) -> Box<ChunkTorque<'static>> {
    let user_data = pointer.user_data;
    // SAFETY: as for one body.
    let function = unsafe { std::mem::transmute::<usize, ChunkFunction>(pointer.address) };
    Box::new(
        move |time: f64,
              first: usize,
              count: usize,
              q: &[f64],
              omega: &[f64],
              torque: &mut [f64]| {
            let q = q.as_ptr();
            let omega = omega.as_ptr();
            let torque = torque.as_mut_ptr();
            // SAFETY: as promised; the arrays live until it returns.
            match unsafe {
                function(
                    time,
                    first,
                    count,
                    q,
                    omega,
                    torque,
                    user_data as *mut c_void,
                )
            } {
                0 => Ok(()),
                result => Err(result),
            }
        },
    )
}
