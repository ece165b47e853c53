//! What was too large in a step whose motion overflows.

use super::{Ensemble, torque::EnsembleTorque};
use crate::error::{Error, Failure};
use crate::kernel::{Here, Vec3};
use crate::memory::Block;
use crate::torque::Frame;

impl Ensemble<'_> {
    /// The failure, with the size of the step if the motion overflows. Asks for the torque on this body once more, at the state before
    /// the step.
    #[cold]
    #[inline(never)]
    pub(super) fn explained(&mut self, failure: Failure, h: f64) -> Failure {
        self.with_step_size(failure, h, |ensemble, position, here| ensemble.torque_now(position, here))
    }

    /// The same, with a function for the torque on the body at a position.
    #[cold]
    #[inline(never)]
    pub(super) fn with_step_size(
        &mut self, failure: Failure, h: f64,
        torque_body: impl FnOnce(&mut Self, usize, &Here<f64>) -> Option<Vec3<f64>>,
    ) -> Failure {
        let (&Error::Overflow { time, .. }, Some(body)) = (&failure.cause, failure.body) else { return failure };
        if let Err(cause) = self.states.bound.check_velocity(body) {
            return Failure { cause, ..failure };
        }
        let here = &Here::at(&self.state(body));
        let position = self.active.position_of(body);
        let torque_body = torque_body(self, position, here);
        let (inertia, rotor) = (&self.inertia_of(body), self.besides.rotor_of(body));
        let size = self.method.step_size(self.resists(), h, inertia, rotor, here.omega_body, torque_body);
        Failure { cause: Error::Overflow { time, size: Some(size) }, ..failure }
    }

    /// The torque on the body at a position; `None`: none acts, or the callback fails.
    fn torque_now(&mut self, position: usize, here: &Here<f64>) -> Option<Vec3<f64>> {
        let bodies = &self.active.bodies(position, 1);
        let (torque, layout, frame) = match &self.torque {
            EnsembleTorque::Ready(torque) => return torque.of_body(bodies.get(0), here, &self.inertias).0,
            EnsembleTorque::Callback { torque, layout, frame } => (&**torque, *layout, *frame),
        };
        let exchange = &mut self.crew.scratch.first_mut()?.between.torques;
        let ([w, x, y, z], [a, b, c]) = (here.q.0, here.omega_body.0);
        exchange.show(layout, frame, 1, &[Block::filled([w, x, y, z, a, b, c])]);
        exchange.ask(torque, bodies, position, self.clock.now()).ok()?;
        let given = Vec3(exchange.answer(layout, 1).of(0));
        Some(if frame == Frame::World { here.to_world.rotate_back(given) } else { given })
    }
}
