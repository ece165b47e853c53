//! The method and all that acts on the bodies of an ensemble, and how a chunk asks for its torques.

use super::all::Acting;
use super::fluid::{InFluid, read_columns};
use super::torque::{ChunkTorque, EnsembleTorque};
use super::torque_loops::{InitialSaved, PackStates, TorqueTask, Torques, UnpackTorques};
use crate::ensemble::bodies::active::Active;
use crate::ensemble::bodies::parameters::Inertias;
use crate::ensemble::lanes::{CHUNK_AT_REST, CHUNK_BLOCKS};
use crate::error::{Error, Failure, finite};
use crate::kernel::{Column, Vec3};
use crate::memory::{
    self, Block, Bodies, Layout, Output, PackedStates, PackedTorques, States, View, blocks_for,
};
use crate::method::{Method, Plan};
use crate::{simd, torque::Frame};

/// The method, and all that acts on the bodies.
#[derive(Clone, Copy)]
pub(crate) struct Forces<'a> {
    pub(crate) plan: &'static Plan,
    /// The torque that is set; `Free` in the stage protocol.
    pub(crate) torque: &'a EnsembleTorque<'a>,
    /// The torques that the caller of the stage protocol has supplied, world frame.
    pub(crate) supplied: Option<PackedTorques<'a>>,
    pub(crate) acting: &'a Acting<'a, 'a>,
    pub(crate) inertias: &'a Inertias,
}

impl<'a> Forces<'a> {
    pub(crate) fn new(
        plan: &'static Plan,
        acting: &'a Acting<'a, 'a>,
        inertias: &'a Inertias,
    ) -> Self {
        Forces {
            plan,
            torque: &acting.torque,
            supplied: None,
            acting,
            inertias,
        }
    }

    /// In the stage protocol.
    pub(crate) fn of_stages(
        plan: &'static Plan,
        acting: &'a Acting<'a, 'a>,
        inertias: &'a Inertias,
        supplied: Option<PackedTorques<'a>>,
    ) -> Self {
        Forces {
            plan,
            torque: &EnsembleTorque::Free,
            supplied,
            acting,
            inertias,
        }
    }

    /// Whether there is a torque, or something acts besides it. Steps with random torques always
    /// have a torque, which may be zero.
    pub(crate) fn act(&self) -> bool {
        self.supplied.is_some()
            || self.acting.acts_besides_torque()
            || self.torque.acts()
            || self.plan.is_random()
    }

    /// Whether the torque acts as on bodies at rest: it resists the rotation, beside random torques
    /// whose drag is the whole one.
    pub(crate) fn sees_rest(&self) -> bool {
        self.plan.is_random() && self.torque.resists()
    }

    /// Writes the torques at some states to the tile, body frame, with what acts besides. The
    /// positions of the bodies begin at `first`; their flow gradients have been read.
    #[inline(always)]
    pub(crate) fn ask(
        &self,
        bodies_from: (&Bodies, usize),
        states: States,
        time: f64,
        torques: &mut Torques,
    ) -> Result<(), Failure> {
        self.ask_torque(bodies_from, states, time, torques)?;
        let (bodies, _) = bodies_from;
        let at = &mut TorqueTask {
            bodies,
            states,
            inertias: self.inertias,
            to: &mut torques.tile,
            of_resistance: false,
            at_rest: self.sees_rest(),
        };
        self.write_ready_made(at, &torques.packed);
        self.acting.add_to(at, !self.plan.takes_rotors());
        Ok(())
    }

    /// Writes the torques of a callback or of the caller to the tile; where there are none, zeros
    /// for what is added to them.
    #[inline(always)]
    pub(crate) fn ask_torque(
        &self,
        (bodies, first): (&Bodies, usize),
        states: States,
        time: f64,
        torques: &mut Torques,
    ) -> Result<(), Failure> {
        let count = bodies.count();
        if let EnsembleTorque::Callback {
            torque,
            layout,
            frame,
        } = self.torque
        {
            let arrays = &mut CallbackArrays::of(&mut torques.packed, count);
            arrays.pack_states(states, *layout, *frame, self.plan.hides_velocity());
            arrays
                .call(torque, time, first)
                .map_err(|result| callback_failure(bodies, result, time))?;
        }
        if let Some((packed_torques, is_in_world)) =
            self.packed_torques(&torques.packed, first, count)
        {
            simd::run_on(
                count,
                &mut UnpackTorques {
                    count,
                    packed_torques,
                    is_in_world,
                    states,
                    to: &mut torques.tile,
                },
            );
        } else if !self.torque.acts() && self.act() {
            torques.tile[..blocks_for(count)].fill(Block::filled([0.0; 3]));
        }
        Ok(())
    }

    /// The torques that a callback has written, or the caller of the stage protocol has supplied,
    /// for positions from `first` on, and whether they are in the world frame. `None`: there are
    /// neither.
    #[inline(always)]
    pub(crate) fn packed_torques<'t>(
        &'t self,
        packed: &'t [Block<10>],
        first: usize,
        count: usize,
    ) -> Option<(PackedTorques<'t>, bool)> {
        match (&self.supplied, self.torque) {
            (Some(supplied), _) => Some((supplied.from(first), true)),
            (None, EnsembleTorque::Callback { layout, frame, .. }) => {
                let torque = &memory::numbers(packed)[7 * count..10 * count];
                Some((
                    PackedTorques {
                        layout: *layout,
                        torque,
                        stride: count,
                    },
                    *frame == Frame::World,
                ))
            }
            _ => None,
        }
    }

    /// The velocity gradients at the bodies, if the torque reads them there.
    fn gradients(&self) -> Option<&View<'_, 9>> {
        match self.torque {
            EnsembleTorque::ShearFlow(_) => self.acting.fluid.bound(),
            _ => None,
        }
    }

    /// Reads the velocity gradients at bodies, if they have their own. The arrays of a callback are
    /// free for them: a shear flow is none.
    #[inline(always)]
    pub(crate) fn read_flow_gradients(&self, bodies: &Bodies, to: &mut [Block<10>]) {
        if let Some(gradients) = self.gradients() {
            read_columns(gradients, bodies, to);
        }
    }

    /// Writes the ready-made torques at some states, or the coefficients of their resistance, which
    /// do not depend on the flow. `gradients` has been read for these bodies.
    pub(crate) fn write_ready_made(&self, at: &mut TorqueTask, gradients: &[Block<10>]) {
        match (self.torque, self.gradients()) {
            (EnsembleTorque::ShearFlow(flow), Some(_)) if !at.of_resistance => {
                at.write::<false>(InFluid {
                    resistances: &flow.each,
                    gradients,
                });
            }
            _ => self.torque.write_if_ready_made(at),
        }
    }

    /// Refuses the velocity gradient of a body if it is not finite and the torque reads it.
    pub(crate) fn check_flow_gradient(&self, body: usize) -> Result<(), Error> {
        if let Some(gradients) = self.gradients() {
            finite(gradients.name(), gradients.get(body))?;
        }
        Ok(())
    }

    /// Writes the coefficients of all that is known to resist the rotation, body axes.
    pub(crate) fn write_resistances(&self, bodies: &Bodies, states: States, to: &mut [Block<3>]) {
        to[..blocks_for(bodies.count())].fill(Block::filled([0.0; 3]));
        let at = &mut TorqueTask {
            bodies,
            states,
            inertias: self.inertias,
            to,
            of_resistance: true,
            at_rest: false,
        };
        self.write_ready_made(at, &[]);
        self.acting.add_to(at, false);
    }

    /// Refuses a step of `h` by a method that takes the resistance explicitly where it is not
    /// stable, with the body for which it is least.
    pub(crate) fn check_stable(
        &self,
        method: Method,
        active: &Active,
        h: f64,
    ) -> Result<(), Failure> {
        if method.most_stiffness().is_none() {
            return Ok(());
        }
        for (_, bodies) in active.chunks() {
            let coefficients = &mut [Block::filled([0.0; 3]); CHUNK_BLOCKS];
            self.write_resistances(&bodies, &CHUNK_AT_REST, coefficients);
            for (i, body) in (0..bodies.count()).map(|i| (i, bodies.get(i))) {
                let inertia = &self.inertias.of_body(body);
                let stable = method.check_stable(inertia, Vec3(memory::get(coefficients, i)), h);
                stable.map_err(|cause| Failure::of_body(body, cause))?;
            }
        }
        Ok(())
    }

    /// Why the `i`-th of the bodies has failed in the step that starts at `time`: a callback has
    /// given it a bad torque, or its motion overflows. `asked_at`: for which time its torque has
    /// been asked; `None` if the method has kept it.
    pub(crate) fn failure(
        &self,
        bodies: &Bodies,
        i: usize,
        time: f64,
        asked_at: Option<f64>,
        torques: &Torques,
    ) -> Failure {
        let mut cause = Error::Overflow { time, size: None };
        if self.torque.is_callback()
            && let Some(asked_at) = asked_at
            && let Some((answer, _)) = self.packed_torques(&torques.packed, 0, bodies.count())
            && let Some(refused) = answer.refused(i, asked_at)
        {
            cause = refused;
        }
        if let Err(refused) = self.check_flow_gradient(bodies.get(i)) {
            cause = refused;
        }
        Failure::of_body(bodies.get(i), cause)
    }

    /// Saves the torques in the tile, or what else the method keeps of them. `torques` has their
    /// resistances too. `before` is what the method has kept, if its rates are known.
    pub(crate) fn save_first(
        &self,
        bodies: &Bodies,
        states: States,
        torques: &Torques,
        before: Option<&[Column]>,
        saved: &mut [Column],
    ) {
        if !self.plan.is_damped() {
            let blocks = &torques.tile[..blocks_for(bodies.count())];
            for (saved, block) in saved.chunks_exact_mut(3).zip(blocks) {
                saved.copy_from_slice(&block.0);
            }
            return;
        }
        simd::run_on(
            bodies.count(),
            &mut InitialSaved {
                bodies,
                states,
                inertias: self.inertias,
                torques,
                before,
                to: saved,
            },
        );
    }
}

/// The packed arrays that a callback reads and writes, for `count` bodies.
struct CallbackArrays<'t> {
    count: usize,
    orientation: &'t mut [f64],
    angular_velocity: &'t mut [f64],
    torque: &'t mut [f64],
}

impl<'t> CallbackArrays<'t> {
    #[inline(always)]
    fn of(packed: &'t mut [Block<10>], count: usize) -> Self {
        let (orientation, rest) = memory::numbers_mut(packed).split_at_mut(4 * count);
        let (angular_velocity, torque) = rest[..6 * count].split_at_mut(3 * count);
        CallbackArrays {
            count,
            orientation,
            angular_velocity,
            torque,
        }
    }

    /// Writes the states, and torques of 0.
    #[inline(always)]
    fn pack_states(&mut self, states: States, layout: Layout, frame: Frame, hides_velocity: bool) {
        simd::run_on(
            self.count,
            &mut PackStates {
                count: self.count,
                states,
                frame,
                hides_velocity,
                to: PackedStates {
                    layout,
                    orientation: Output::of(self.orientation),
                    angular_velocity: Output::of(self.angular_velocity),
                    stride: self.count,
                },
            },
        );
        self.torque.fill(0.0);
    }

    #[inline(always)]
    fn call(&mut self, torque: &ChunkTorque, time: f64, first: usize) -> Result<(), i32> {
        torque(
            time,
            first,
            self.count,
            self.orientation,
            self.angular_velocity,
            self.torque,
        )
    }
}

#[cold]
fn callback_failure(bodies: &Bodies, result: i32, time: f64) -> Failure {
    let (first, last) = bodies.ends();
    let cause = Error::ChunkCallback {
        first,
        last,
        result,
        time,
    };
    Failure::of_body(first, cause)
}
