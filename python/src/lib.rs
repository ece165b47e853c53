//! Python binding of quatint.

use pyo3::prelude::*;

#[pymodule]
fn _quatint(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
