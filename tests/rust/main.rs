//! The library as a Rust program uses it: its numbers beside exact solutions and independent references, random problems, and its interface.
//! One program holds all of these tests, so that the library's generic code is compiled for them once and no processor waits.
//! `cargo test --test rust convergence::` runs one file of them.

#[path = "../common/mod.rs"]
mod common;

// orders and references
mod changing_inertia;
mod convergence;
mod exact_solutions;
mod exact_sums;
mod exponential;
mod free_rotor;
mod reference_trajectories;
mod references;
mod structure;

// kinds of torque and of body
mod drag;
mod flow_gradients;
mod hidden_velocity;
mod kicks;
mod langevin;
mod lent_arrays;
mod locked_axes;
mod noise;
mod pairs;
mod points;
mod rotor;
mod spinning_drag;
mod zero_moments;

// solutions with error control
mod events;
mod events_beside_rounding;
mod events_of_time_and_state;
mod extrapolation;
mod solutions;
mod stages;
mod stiff;

// mass properties and coordinates
mod attitude;
mod coordinates;
mod mass;

// random problems
mod metamorphic;
mod monitors;
mod properties;
mod stress;
mod units;

// the interface
mod cases;
mod every_language;
mod failures;
mod population;
mod restart;
mod rust_api;
