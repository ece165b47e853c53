//! Tells the sources by `Py_GIL_DISABLED` whether the interpreter is free-threaded.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
