//! Random torques on `Body` and on `Ensemble`, and what thermostats need.

use crate::arrays::{Input, as_tuple, vector, whole_numbers};
use crate::body::{Body, Inner};
use crate::ensemble::{self, Ensemble};
use crate::errors::{Outcome, refused};
use crate::new_arrays::NewArray;
use crate::torques::{as_given, fluid, is_a};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use quatint::torque::Langevin;

/// Refuses what is no `quatint.Langevin`.
fn check_class(given: &Bound<'_, PyAny>) -> PyResult<()> {
    if is_a(given, "Langevin")? {
        return Ok(());
    }
    let class = given.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "`langevin` must be a quatint.Langevin or None, not {class}"
    )))
}

/// A whole number for each of `count` bodies, no two the same: two bodies with one id get one noise.
fn ids_of(py: Python<'_>, given: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u64>> {
    let what = "whole numbers from 0 to 2**64 - 1";
    let ids: Vec<u64> = whole_numbers(py, given, "ids", what)?;
    if ids.len() != count {
        let shape = as_tuple(&[ids.len()]);
        let message = format!("`ids` must have the shape ({count},), not {shape}");
        return Err(refused(py, &message));
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("`ids` must be different: {} is there twice", pair[0]);
        return Err(refused(py, &message));
    }
    Ok(ids)
}

impl Inner {
    pub(crate) fn set_langevin(
        &mut self,
        py: Python<'_>,
        given: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let langevin = match given {
            None => None,
            Some(given) => {
                check_class(given)?;
                let flow = fluid(given)?.map_or(Ok([0.0; 3]), |flow| vector(py, &flow, "flow"))?;
                let coefficients = vector(py, &given.getattr("coefficients")?, "coefficients")?;
                let get = |name: &str| given.getattr(name)?.extract::<u64>();
                let langevin = Langevin::new(
                    coefficients,
                    flow,
                    given.getattr("kt")?.extract()?,
                    get("seed")?,
                    get("id")?,
                );
                Some(langevin.raise(py)?)
            }
        };
        self.body.set_langevin(langevin).raise(py)?;
        self.langevin = given.map(|given| given.clone().unbind());
        Ok(())
    }
}

#[pymethods]
impl Body {
    /// Random torques in addition to the torque: a Langevin; None: none. Steps then need the method
    /// "splitting" or "brownian".
    #[getter]
    fn langevin(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.langevin))
    }

    #[setter]
    fn set_langevin(&self, py: Python<'_>, langevin: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.lock(py)?.set_langevin(py, langevin)
    }
}

impl ensemble::Inner {
    pub(crate) fn set_langevin(
        &mut self,
        py: Python<'_>,
        given: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let outcome = match given {
            None => self.ensemble.clear_langevin(),
            Some(given) => {
                check_class(given)?;
                if given.getattr("id")?.extract::<u64>()? != 0 {
                    return Err(refused(
                        py,
                        "`id` is for a body alone: set `ids` of the ensemble",
                    ));
                }
                let count = self.ensemble.count();
                let coefficients =
                    Input::<3>::new(py, &given.getattr("coefficients")?, "coefficients")?;
                let flow = Input::<3>::or_none(py, fluid(given)?.as_ref(), "flow")?;
                let flow = Input::view_or_none(&flow, py, count)?;
                let kt = given.getattr("kt")?.extract()?;
                let seed = given.getattr("seed")?.extract()?;
                self.ensemble
                    .set_langevin(coefficients.view(py, count)?, flow, kt, seed)
            }
        };
        outcome.raise(py)?;
        self.langevin = given.map(|given| given.clone().unbind());
        Ok(())
    }

    pub(crate) fn ids(&self) -> Vec<u64> {
        (0..self.ensemble.count())
            .map(|body| self.ensemble.id(body))
            .collect()
    }
}

#[pymethods]
impl Ensemble {
    /// Random torques on each body in addition to the torque: a Langevin; None: none. Steps then need the
    /// method "splitting" or "brownian". What select and rows have changed is not in this object.
    #[getter]
    fn langevin(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        Ok(as_given(py, &self.lock(py)?.langevin))
    }

    #[setter]
    fn set_langevin(&self, py: Python<'_>, langevin: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.lock(py)?.set_langevin(py, langevin)
    }

    /// Which noise belongs to which body: a new array of uint64 (n,). Set it to whole numbers, no
    /// two the same, or None: the indices, from now on. Bodies keep their ids in select and resize;
    /// new ones get the numbers after the greatest.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ids = self.lock(py)?.ids();
        NewArray::of(py, &ids, &[ids.len()]).map(NewArray::read_only)
    }

    #[setter]
    fn set_ids(&self, py: Python<'_>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        let ids = ids
            .map(|ids| ids_of(py, ids, inner.ensemble.count()))
            .transpose()?;
        inner.ensemble.set_ids(ids.as_deref()).raise(py)
    }

    /// Temperature of the rotation of the active bodies, as an energy kT: twice the kinetic energy
    /// for each degree of freedom; NaN without any. Of velocities relative to the world, whatever
    /// the flow.
    #[getter]
    fn temperature(&self, py: Python<'_>) -> PyResult<f64> {
        let e = &self.lock(py)?.ensemble;
        Ok(2.0 * e.total_kinetic_energy() / e.degrees_of_freedom() as f64)
    }
}
