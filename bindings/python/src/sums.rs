//! Exact sums of doubles.

use crate::arrays::{Input, float_array, whole_numbers};
use crate::errors::raised;
use crate::new_arrays::NewArray;
use pyo3::prelude::*;
use quatint::Error;

/// A sum of doubles without rounding: it does not depend on the order of the terms.
///
/// ExactSum(values=()) adds up numbers. ``a + b`` adds sums; ``float(a)`` rounds once. ``limbs``
/// are 68 integers (int64) that may be added element by element, for example by MPI;
/// ``ExactSum.from_limbs`` takes them back.
#[pyclass(frozen, module = "quatint", eq)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct ExactSum(quatint::ExactSum);

impl From<quatint::ExactSum> for ExactSum {
    fn from(sum: quatint::ExactSum) -> Self {
        ExactSum(sum)
    }
}

#[pymethods]
impl ExactSum {
    #[new]
    #[pyo3(signature = (values=None))]
    fn new(py: Python<'_>, values: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut sum = quatint::ExactSum::default();
        if let Some(values) = values {
            let flat = float_array(py, values, "values")?.call_method0("ravel")?;
            let numbers = Input::<1>::new(py, &flat, "values")?;
            let count = numbers.count().unwrap_or(1);
            let view = numbers.view(py, count)?;
            for index in 0..count {
                let [value] = view.get(index);
                if !value.is_finite() {
                    return Err(raised(
                        py,
                        Error::NotFinite {
                            name: "values",
                            index: Some(index),
                            value,
                        },
                    ));
                }
                sum.add(value);
            }
        }
        Ok(ExactSum(sum))
    }

    /// From 68 integers: the limbs of a sum, or sums of limbs of several.
    #[staticmethod]
    fn from_limbs(limbs: &Bound<'_, PyAny>) -> PyResult<Self> {
        let limbs: Vec<i64> = whole_numbers(limbs.py(), limbs, "limbs", "integers of 64 bits")?;
        let limbs = <[i64; quatint::ExactSum::SIZE]>::try_from(limbs)
            .map_err(|_| pyo3::exceptions::PyValueError::new_err("`limbs` must be 68 integers"))?;
        Ok(ExactSum(quatint::ExactSum::from_limbs(limbs)))
    }

    /// 68 integers (int64): element k counts units of 2**(32 k - 1074).
    #[getter]
    fn limbs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let limbs = self.0.limbs();
        NewArray::of(py, &limbs, &[limbs.len()]).map(NewArray::writeable)
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<ExactSum>() else {
            return Ok(py.NotImplemented());
        };
        let mut sum = self.0;
        sum.add_sum(&other.get().0);
        Ok(Bound::new(py, ExactSum(sum))?.into_any().unbind())
    }

    fn __float__(&self) -> f64 {
        self.0.value()
    }

    fn __hash__(&self) -> u64 {
        self.0.value().to_bits()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let from_limbs = py.get_type::<ExactSum>().getattr("from_limbs")?;
        (from_limbs, (self.limbs(py)?,))
            .into_pyobject(py)
            .map(Bound::into_any)
    }

    fn __repr__(&self) -> String {
        format!("ExactSum(near {:?})", self.0.value())
    }
}
