//! Which steps a method can take of a drag that it takes explicitly.

use super::ask::Forces;
use crate::ensemble::Ensemble;
use crate::ensemble::lanes::{CHUNK_AT_REST, CHUNK_BLOCKS};
use crate::error::Failure;
use crate::kernel::Vec3;
use crate::memory::{self, Block};

impl Ensemble<'_, '_> {
    /// Refuses a step of `h` under a resistance that is not stable, with the body for which it is
    /// least. The torque that is set is not used in a step of the stage protocol.
    pub(crate) fn check_stable(&self, h: f64, is_staged: bool) -> Result<(), Failure> {
        if self.method.most_stiffness().is_none() {
            return Ok(());
        }
        let what_acts = if is_staged {
            self.acting.what_acts_in_stages()
        } else {
            self.acting.what_acts()
        };
        let method = self.method;
        let plan = method.plan(what_acts);
        let forces = if is_staged {
            Forces::of_stages(plan, &self.acting, &self.inertias, None)
        } else {
            Forces::new(plan, &self.acting, &self.inertias)
        };
        for (_, bodies) in self.active.chunks() {
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
}
