//! Moments and tensors of inertia.

use crate::arrays::{as_tuple, float_array, vector};
use crate::errors::Outcome;
use nalgebra::Matrix3;
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use quatint::{Error, Inertia};

/// The inertia of one body, as it was given: three moments, or a tensor. A body made of the same
/// numbers has the same bits.
#[derive(Clone, Copy)]
pub(crate) enum Given {
    Moments([f64; 3]),
    Tensor([f64; 9]),
}

impl Given {
    pub(crate) fn of(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let array = float_array(py, object, "inertia")?;
        match array.shape() {
            [3] => Ok(Given::Moments(vector(py, &array, "inertia")?)),
            [3, 3] => {
                let flat = array.call_method1("reshape", (9,))?;
                Ok(Given::Tensor(vector(py, &flat, "inertia")?))
            }
            shape => Err(PyValueError::new_err(format!(
                "`inertia` must be 3 principal moments or a 3x3 tensor, not of shape {}",
                as_tuple(shape)
            ))),
        }
    }

    pub(crate) fn inertia(&self, py: Python<'_>) -> PyResult<Inertia> {
        self.checked().raise(py)
    }

    pub(crate) fn checked(&self) -> Result<Inertia, Error> {
        match self {
            Given::Moments(moments) => Inertia::from_moments((*moments).into()),
            Given::Tensor(tensor) => Inertia::new(&Matrix3::from_row_slice(tensor)),
        }
    }

    /// The tensor of an inertia without locked axes.
    pub(crate) fn tensor_of(inertia: &Inertia) -> Self {
        let axes = inertia
            .principal_to_body()
            .to_rotation_matrix()
            .into_inner();
        let tensor = axes * Matrix3::from_diagonal(&inertia.principal_moments()) * axes.transpose();
        let symmetric = (tensor + tensor.transpose()) * 0.5;
        Given::Tensor(
            symmetric
                .transpose()
                .as_slice()
                .try_into()
                .unwrap_or([0.0; 9]),
        )
    }

    pub(crate) fn tensor(&self) -> [f64; 9] {
        match *self {
            Given::Moments([a, b, c]) => [a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c],
            Given::Tensor(tensor) => tensor,
        }
    }
}
