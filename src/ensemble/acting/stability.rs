//! Which steps a method can take of a drag that it takes explicitly.

use super::ask::Forces;
use crate::ensemble::bodies::active::Active;
use crate::ensemble::lanes::{CHUNK_AT_REST, CHUNK_BLOCKS};
use crate::error::Failure;
use crate::kernel::Vec3;
use crate::memory::{self, Block};
use crate::method::Method;

/// Refuses a step of `h` under a resistance that is not stable, with the body for which it is least.
pub(crate) fn check_stable(
    method: Method,
    forces: &Forces,
    active: &Active,
    h: f64,
) -> Result<(), Failure> {
    if method.most_stiffness().is_none() {
        return Ok(());
    }
    for (_, bodies) in active.chunks() {
        let coefficients = &mut [Block::filled([0.0; 3]); CHUNK_BLOCKS];
        forces.write_resistances(&bodies, &CHUNK_AT_REST, coefficients);
        for (i, body) in (0..bodies.count()).map(|i| (i, bodies.get(i))) {
            let inertia = &forces.inertias.of_body(body);
            let stable = method.check_stable(inertia, Vec3(memory::get(coefficients, i)), h);
            stable.map_err(|cause| Failure::of_body(body, cause))?;
        }
    }
    Ok(())
}
