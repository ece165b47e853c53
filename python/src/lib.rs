//! Python binding of quatint, on its safe Rust interface.
//!
//! | file | contents |
//! |---|---|
//! | errors | failures of the library as Python exceptions |
//! | numpy | headers of numpy's arrays, and new arrays; with `arrays` and `compiled` the only `unsafe` code |
//! | arrays | numpy's arrays as arguments and as views of the library |
//! | names | methods, frames, layouts and parts by name |
//! | interrupt | portions of steps between which Python handles signals |
//! | rotation | conversions of orientations, for one or many |
//! | inertia | moments and tensors |
//! | torques | the ready-made torques of `quatint._torques` as torques of the library |
//! | evaluate | the numbers of a ready-made torque at a state |
//! | compiled | torques that are function pointers |
//! | callables | Python functions as torques of one body, and as event functions |
//! | acting | the torque that acts on a body, of whichever kind |
//! | body, steps, solve, sampled, body_rows, copying | `Body` |
//! | staged | Python functions as torques of an ensemble, by the stage protocol |
//! | ensemble, states, bind, kicks, rows, pickling | `Ensemble` |
//! | rotors | rotors of `Body` and of `Ensemble` |
//! | random | random torques of both, and what thermostats need |
//! | stages | the iterator over the stages of steps |
//! | sums | `ExactSum` |

#![deny(unsafe_code, clippy::undocumented_unsafe_blocks)]
#![warn(unreachable_pub)]

mod acting;
mod arrays;
mod bind;
mod body;
mod body_rows;
mod callables;
mod compiled;
mod copying;
mod ensemble;
mod errors;
mod evaluate;
mod inertia;
mod interrupt;
mod kicks;
mod names;
mod numpy;
mod pickling;
mod random;
mod rotation;
mod rotors;
mod rows;
mod sampled;
mod solve;
mod staged;
mod stages;
mod states;
mod steps;
mod sums;
mod torques;

use pyo3::prelude::*;

// abi3 is for interpreters with a lock; on others this module asks for it.
#[pymodule(gil_used = true)]
fn _quatint(module: &Bound<'_, PyModule>) -> PyResult<()> {
    numpy::load(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<body::Body>()?;
    module.add_class::<ensemble::Ensemble>()?;
    module.add_class::<stages::Stages>()?;
    module.add_class::<compiled::Pointer>()?;
    module.add_class::<sums::ExactSum>()?;
    module.add_function(wrap_pyfunction!(evaluate::torque_at, module)?)?;
    rotation::add_to(module)
}
