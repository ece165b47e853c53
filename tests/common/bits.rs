//! States as bits. `==` is weaker: 0 equals -0, and so do the `UnitQuaternion`s q and -q.

use quatint::rotation::components;
use quatint::{Body, Ensemble};

/// Orientation and angular velocity in the body frame, as the library holds them.
pub fn state_bits(body: &Body) -> [u64; 7] {
    row(
        components(body.orientation()),
        body.angular_velocity_body().into(),
    )
}

/// [`state_bits`] of a body in an ensemble.
pub fn state_bits_in(e: &Ensemble, body: usize) -> [u64; 7] {
    row(
        components(e.orientation(body)),
        e.angular_velocity_body(body).into(),
    )
}

/// The bits of a state in arrays.
pub fn row([w, x, y, z]: [f64; 4], [a, b, c]: [f64; 3]) -> [u64; 7] {
    [w, x, y, z, a, b, c].map(f64::to_bits)
}
