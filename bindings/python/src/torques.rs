//! The ready-made torques of `quatint._torques` as torques of the library.

use crate::arrays::{Input, vector};
use crate::errors::{Outcome, refused};
use crate::names::frame_of;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
use quatint::torque::{
    ConstantBody, ConstantWorld, FluidDrag, GravityGradient, LinearDrag, ReadyMade, ShearFlow,
    UniformField,
};
use quatint::{Ensemble, Frame, Torque};
use std::convert::Infallible;

/// A term of a sum of ready-made torques on one body.
pub(crate) enum Term {
    Torque(ReadyMade),
    /// A linear drag toward the rotation of a fluid.
    Drag(FluidDrag<f64>),
}

/// A result of a class of `quatint._results`, which is a tuple with names.
pub(crate) fn result<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("quatint._results").map(Bound::unbind))?;
    module.bind(py).getattr(class)?.call1(fields)
}

/// A class of `quatint._torques`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    MODULE
        .get_or_try_init(py, || py.import("quatint._torques").map(Bound::unbind))?
        .bind(py)
        .getattr(name)
}

/// An object that was given, for a property.
pub(crate) fn as_given(py: Python<'_>, object: &Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    object.as_ref().map(|object| object.clone_ref(py))
}

pub(crate) fn is_a(object: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    object.is_instance(&class(object.py(), name)?)
}

fn kind_of(torque: &Bound<'_, PyAny>) -> PyResult<String> {
    torque.getattr("_kind")?.extract()
}

/// An attribute that is a vector.
fn numbers<const K: usize>(torque: &Bound<'_, PyAny>, name: &'static str) -> PyResult<[f64; K]> {
    vector(torque.py(), &torque.getattr(name)?, name)
}

fn frame(torque: &Bound<'_, PyAny>) -> PyResult<Frame> {
    frame_of(torque.py(), &torque.getattr("frame")?.extract::<String>()?)
}

fn gradient_matrix(torque: &Bound<'_, PyAny>) -> PyResult<[f64; 9]> {
    let flat = torque
        .getattr("velocity_gradient")?
        .call_method1("reshape", (9,))?;
    vector(torque.py(), &flat, "velocity_gradient")
}

/// The terms of a ready-made torque: one, unless it is a sum.
pub(crate) fn terms<'py>(torque: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if is_a(torque, "Sum")? {
        torque.getattr("terms")?.try_iter()?.collect()
    } else {
        Ok(vec![torque.clone()])
    }
}

impl Term {
    pub(crate) fn new(torque: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = torque.py();
        let made = match kind_of(torque)?.as_str() {
            "constant" => match frame(torque)? {
                Frame::World => ConstantWorld::new(numbers(torque, "torque")?).map(ReadyMade::from),
                Frame::Body => ConstantBody::new(numbers(torque, "torque")?).map(ReadyMade::from),
            },
            "uniform_field" => {
                let vector = numbers(torque, "vectors_body")?;
                let field = numbers(torque, "field")?;
                UniformField::new(vector, field).map(ReadyMade::from)
            }
            "gravity_gradient" => {
                let [gradient] = numbers(torque, "gradient")?;
                GravityGradient::new(numbers(torque, "direction")?, gradient).map(ReadyMade::from)
            }
            "linear_drag" => match fluid(torque)? {
                None => LinearDrag::new(numbers(torque, "coefficients")?).map(ReadyMade::from),
                Some(_) => return drag_of(torque).map(Term::Drag),
            },
            _ => {
                let viscosity: f64 = torque.getattr("viscosity")?.extract()?;
                ShearFlow::new(
                    numbers(torque, "semi_axes")?,
                    viscosity,
                    gradient_matrix(torque)?,
                )
                .map(ReadyMade::from)
            }
        };
        made.map(Term::Torque).raise(py)
    }
}

/// The `flow` of a drag or of random torques, if it has one.
pub(crate) fn fluid<'py>(drag: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(drag.getattr("flow")?).filter(|flow| !flow.is_none()))
}

/// A drag on one body, besides its torque.
pub(crate) fn drag_of(drag: &Bound<'_, PyAny>) -> PyResult<FluidDrag<f64>> {
    let flow = match fluid(drag)? {
        Some(flow) => vector(drag.py(), &flow, "flow")?,
        None => [0.0; 3],
    };
    FluidDrag::new(numbers(drag, "coefficients")?, flow).raise(drag.py())
}

/// A drag given as one, or as its coefficients.
pub(crate) fn as_drag<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if is_a(object, "LinearDrag")? {
        Ok(object.clone())
    } else {
        class(object.py(), "LinearDrag")?.call1((object,))
    }
}

/// The sum of ready-made torques.
pub(crate) struct Sum(pub(crate) Vec<Term>);

impl Torque for Sum {
    type Error = Infallible;
    const IS_READY_MADE: bool = true;

    fn torque_body(
        &mut self,
        time: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Infallible> {
        let mut sum = Vec3([0.0; 3]);
        for term in &mut self.0 {
            sum = sum
                + match term {
                    Term::Torque(torque) => torque.torque_body(time, here, inertia)?,
                    Term::Drag(drag) => {
                        let slip = here.to_world.rotate_back(drag.flow) - here.omega_body;
                        drag.coefficients.times(slip)
                    }
                };
        }
        Ok(sum)
    }

    fn resistance(&self) -> Option<Vec3<f64>> {
        let each = self.0.iter().map(|term| match term {
            Term::Torque(torque) => torque.resistance(),
            Term::Drag(drag) => Some(drag.coefficients),
        });
        each.flatten().reduce(|sum, more| sum + more)
    }

    fn is_of_fluid(&self) -> bool {
        let mut each = self.0.iter();
        each.all(|term| matches!(term, Term::Torque(torque) if torque.is_of_fluid()))
    }
}

/// A ready-made torque and a drag, as an ensemble takes them: one of each. A drag in a sum counts
/// as the drag.
pub(crate) fn torque_and_drag<'py>(
    py: Python<'py>,
    torque: Option<&Bound<'py, PyAny>>,
    drag: Option<&Bound<'py, PyAny>>,
) -> PyResult<[Option<Bound<'py, PyAny>>; 2]> {
    let mut main = None;
    let mut drags = drag.into_iter().cloned().collect::<Vec<_>>();
    let terms = torque.map_or(Ok(Vec::new()), terms)?;
    let is_sum = terms.len() > 1;
    for term in terms {
        if kind_of(&term)? == "linear_drag" && (is_sum || fluid(&term)?.is_some()) {
            drags.push(term);
        } else if main.replace(term).is_some() {
            return Err(refused(
                py,
                "an ensemble takes one ready-made torque and one LinearDrag: write other sums as a function",
            ));
        }
    }
    if drags.len() > 1 {
        return Err(refused(
            py,
            "an ensemble takes one drag: add the coefficients, and remove `drag` or the LinearDrag of the sum",
        ));
    }
    Ok([main, drags.pop()])
}

pub(crate) fn set_one(
    ensemble: &mut Ensemble<'static, 'static>,
    torque: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = torque.py();
    let count = ensemble.count();
    let get = |name: &str| torque.getattr(name);
    let outcome = match kind_of(torque)?.as_str() {
        "constant" => {
            let torques = Input::<3>::new(py, &get("torque")?, "torque")?;
            ensemble.set_constant_torque(torques.view(py, count)?, frame(torque)?)
        }
        "uniform_field" => {
            let vectors = Input::<3>::new(py, &get("vectors_body")?, "vectors_body")?;
            ensemble.set_uniform_field(vectors.view(py, count)?, numbers(torque, "field")?)
        }
        "gravity_gradient" => {
            let gradients = Input::<1>::new(py, &get("gradient")?, "gradient")?;
            ensemble.set_gravity_gradient(numbers(torque, "direction")?, gradients.view(py, count)?)
        }
        "linear_drag" => {
            let coefficients = Input::<3>::new(py, &get("coefficients")?, "coefficients")?;
            ensemble.set_linear_drag(coefficients.view(py, count)?)
        }
        _ => {
            let semi_axes = Input::<3>::new(py, &get("semi_axes")?, "semi_axes")?;
            let viscosity: f64 = get("viscosity")?.extract()?;
            ensemble.set_shear_flow(
                semi_axes.view(py, count)?,
                viscosity,
                gradient_matrix(torque)?,
            )
        }
    };
    outcome.raise(py)
}

pub(crate) fn set_drag(
    ensemble: &mut Ensemble<'static, 'static>,
    drag: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = drag.py();
    let count = ensemble.count();
    let coefficients = Input::<3>::new(py, &drag.getattr("coefficients")?, "coefficients")?;
    let flow = Input::<3>::or_none(py, fluid(drag)?.as_ref(), "flow")?;
    let flow = Input::view_or_none(&flow, py, count)?;
    ensemble
        .set_drag(coefficients.view(py, count)?, flow)
        .raise(py)
}
