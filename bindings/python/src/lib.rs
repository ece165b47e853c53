//! Python binding of quatint, on its safe Rust interface.
//!
//! Each file imports only from files above it in this table, which `tests/house/layers.rs` checks,
//! and calls only methods that stand there.
//!
//! | file | contents |
//! |---|---|
//! | errors | failures of the library as Python exceptions |
//! | names | methods, frames, layouts and parts by name |
//! | portions | how many steps are taken before signals are handled again |
//! | interrupt | calls in portions of steps, between which Python handles signals |
//! | arrays | arrays of numpy as arguments that are read |
//! | new_arrays | new arrays of numpy, for results |
//! | bound_arrays | arrays of the caller in which an ensemble works |
//! | returned | what Python functions return |
//! | passed | arrays that Python functions are called with again and again |
//! | sums | `ExactSum` |
//! | rotation | conversions of orientations, for one or many |
//! | inertia | moments and tensors |
//! | torques | the ready-made torques of `quatint._torques` as torques of the library |
//! | functions | what a user gives as a function: one of Python, or a compiled one |
//! | attitude | orientations from given angular velocities |
//! | mass | `Mass`: mass, centre of mass and inertia of assemblies; principal axes |
//! | compiled | torques that are function pointers |
//! | callables | Python functions as torques of one body, and as event functions |
//! | acting | the torque that acts on a body, of whichever kind |
//! | changing_inertia | functions of Python that give a body its inertia |
//! | body | `Body`: its state and its properties |
//! | new_inertia | another inertia for a body, and its locked axes |
//! | evaluate | the numbers of a ready-made torque at a state |
//! | steps | steps, records, kicks and drifts of a body |
//! | body_rows | a body as a row of numbers |
//! | ensemble | `Ensemble`: its torque, and how it is used |
//! | rows | the bodies of an ensemble as rows of numbers |
//! | states | the states of an ensemble |
//! | new_ensemble | a new ensemble, from what the user gives |
//! | locked_axes | locked axes of the bodies of an ensemble |
//! | bind | arrays of the caller for an ensemble |
//! | points | points fixed to the bodies of an ensemble |
//! | staged | Python functions as torques of an ensemble, by the stage protocol |
//! | ensemble_steps | steps, records, kicks and drifts of an ensemble |
//! | stages | the iterator over the stages of steps |
//! | rotors | rotors of bodies and of ensembles |
//! | random | random torques of both, and what thermostats need |
//! | accessors | the plain properties and methods of both: get, set, do |
//! | solve | error control of a body |
//! | sampled | solutions with dense output and events |
//! | saved | what a pickle has saved, by name |
//! | copying | copies, pickles and the text of a body |
//! | pickling | copies, pickles and the text of an ensemble |
//!
//! `unsafe` is in arrays, new_arrays, bound_arrays, returned, passed and compiled alone.

#![deny(unsafe_code, clippy::undocumented_unsafe_blocks)]
#![warn(unreachable_pub)]

#[rustfmt::skip] // `make bindings` writes it,
#[allow(clippy::unit_arg)] // and the header does not say which functions of the library cannot fail
mod accessors;
mod acting;
mod arrays;
mod attitude;
mod bind;
mod body;
mod body_rows;
mod bound_arrays;
mod callables;
mod changing_inertia;
mod compiled;
mod copying;
mod ensemble;
mod ensemble_steps;
mod errors;
mod evaluate;
mod functions;
mod inertia;
mod interrupt;
mod locked_axes;
mod mass;
mod names;
mod new_arrays;
mod new_ensemble;
mod new_inertia;
mod passed;
mod pickling;
mod points;
mod portions;
mod random;
mod returned;
mod rotation;
mod rotors;
mod rows;
mod sampled;
mod saved;
mod solve;
mod staged;
mod stages;
mod states;
mod steps;
mod sums;
mod torques;

use pyo3::prelude::*;

// Each object has a lock of its own, so that free-threaded interpreters need none for this module.
#[pymodule(gil_used = false)]
fn _quatint(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.py().import("numpy")?; // where it is missing, this error says so
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<body::Body>()?;
    module.add_class::<ensemble::Ensemble>()?;
    module.add_class::<stages::Stages>()?;
    module.add_class::<compiled::Pointer>()?;
    module.add_class::<sums::ExactSum>()?;
    module.add_class::<mass::Mass>()?;
    module.add_function(wrap_pyfunction!(arrays::real_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(mass::principal_axes, module)?)?;
    module.add_function(wrap_pyfunction!(evaluate::torque_at, module)?)?;
    attitude::add_to(module)?;
    rotation::add_to(module)
}
