//! What a pickle has saved, by name.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The state of an object from a pickle or from a copy.
pub(crate) struct Saved<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Saved<'_, 'py> {
    /// A value that each pickle has.
    pub(crate) fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<T> {
        let value = self.0.as_any().get_item(name)?;
        value.extract().map_err(Into::into)
    }

    /// A value that pickles of earlier versions have not.
    pub(crate) fn newer<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let value = self.0.get_item(name)?;
        let value = value.map(|value| value.extract().map_err(Into::into));
        value.transpose()
    }

    /// An object; `None`: there is none.
    pub(crate) fn object(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.get(name)
    }

    /// The same, where pickles of earlier versions have none.
    pub(crate) fn newer_object(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.newer(name).map(Option::flatten)
    }
}
