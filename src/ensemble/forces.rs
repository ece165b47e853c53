//! The method and all that acts on the bodies of an ensemble, and how a chunk asks for its torques.

use super::torque::{ChunkTorque, EnsembleTorque};
use super::torque_loops::{AtStates, PackStates, UnpackTorques};
use super::{extra_forces::ExtraForces, lanes::CHUNK, parameters::Inertias};
use super::{random::Random, scratch::Torques};
use crate::error::{Error, Failure};
use crate::kernel::{Column, MOST_LANES, store_saved};
use crate::memory::{
    self, Block, Bodies, Layout, Output, PackedStates, PackedTorques, States, blocks_for, load,
    load_vector,
};
use crate::method::{DampedSplitting, Damping, Plan, Scheme, Step};
use crate::{simd, torque::Frame};

/// The method, and all that acts on the bodies.
#[derive(Clone, Copy)]
pub(super) struct Forces<'a> {
    pub(super) plan: &'static Plan,
    pub(super) torque: &'a EnsembleTorque,
    /// By the caller of the stage protocol (world frame); `torque` is then `Free`.
    pub(super) supplied: Option<PackedTorques<'a>>,
    pub(super) extra_forces: &'a ExtraForces,
    pub(super) random: &'a Random,
    pub(super) inertias: &'a Inertias,
}

impl<'a> Forces<'a> {
    /// Whether there is a torque, or anything besides; with random torques there is one, if only
    /// zero.
    pub(super) fn act(&self) -> bool {
        self.supplied.is_some()
            || self.extra_forces.acts()
            || self.torque.acts()
            || self.plan.is_random()
    }

    /// Asks for the torques at some states, in the body frame, with what acts besides.
    #[inline(always)]
    pub(super) fn ask(
        &self,
        (bodies, first): (&Bodies, usize),
        states: States,
        time: f64,
        torques: &mut Torques,
    ) -> Result<(), Failure> {
        let count = bodies.count();
        match self.torque {
            EnsembleTorque::Callback {
                torque,
                layout,
                frame,
            } => {
                let packed = &mut torques.packed;
                let arrays = &mut CallbackArrays::of(packed, count);
                arrays.pack_states(states, *layout, *frame);
                arrays
                    .call(torque, time, first)
                    .map_err(|result| callback_failure(bodies, result, time))?;
            }
            EnsembleTorque::Free if self.supplied.is_none() && self.act() => {
                torques.tile[..blocks_for(count)].fill(Block::filled([0.0; 3]));
            }
            _ => {}
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
        }
        let at = &mut AtStates {
            bodies,
            states,
            inertias: self.inertias,
            to: &mut torques.tile,
            of_resistance: false,
        };
        self.torque.evaluate(at);
        // a splitting has rotors in its rotations
        self.extra_forces.add(at, self.plan.composition().is_none());
        Ok(())
    }

    /// What a callback has answered, or the caller has supplied from position `first` on, and
    /// whether it is in the world frame.
    #[inline(always)]
    pub(super) fn packed_torques<'t>(
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

    pub(super) fn write_resistances(&self, bodies: &Bodies, states: States, to: &mut [Block<3>]) {
        to[..blocks_for(bodies.count())].fill(Block::filled([0.0; 3]));
        let at = &mut AtStates {
            bodies,
            states,
            inertias: self.inertias,
            to,
            of_resistance: true,
        };
        self.torque.evaluate(at);
        self.extra_forces.add(at, false);
    }

    /// Of the `i`-th body in the step that starts at `time`. `ask`: when its torque has been asked.
    pub(super) fn failure(
        &self,
        bodies: &Bodies,
        i: usize,
        time: f64,
        ask: Option<f64>,
        torques: &Torques,
    ) -> Failure {
        let ask = ask.filter(|_| self.torque.is_callback());
        let refused = ask.and_then(|ask| {
            self.packed_torques(&torques.packed, 0, bodies.count())?
                .0
                .refused(i, ask)
        });
        Failure::of_body(
            bodies.get(i),
            refused.unwrap_or(Error::Overflow { time, size: None }),
        )
    }

    /// Saves the torques in the tile, or what else the method keeps of them. `torques` has their
    /// resistances too.
    pub(super) fn save_first(
        &self,
        bodies: &Bodies,
        states: States,
        torques: &Torques,
        saved: &mut [Column],
    ) {
        if !self.plan.is_damped() {
            let blocks = &torques.tile[..blocks_for(bodies.count())];
            return saved
                .chunks_exact_mut(3)
                .zip(blocks)
                .for_each(|(saved, block)| saved.copy_from_slice(&block.0));
        }
        // also lanes behind the last body
        saved[..blocks_for(bodies.count()) * self.plan.saved].fill([0.0; MOST_LANES]);
        for i in 0..bodies.count() {
            let b = i / MOST_LANES;
            let lane = i % MOST_LANES;
            let state = load::<f64>(&states[b], lane);
            let inertia = self.inertias.of_body(bodies.get(i));
            let damping = Damping::new(&inertia, load_vector(&torques.resistances[b], 0, lane));
            let step = Step {
                damping,
                ..Step::new(0.0, state.omega_body, &inertia)
            };
            let kept = DampedSplitting::initial_saved::<f64>(
                &step,
                Some(load_vector(&torques.tile[b], 0, lane)),
            );
            store_saved(
                &kept,
                &mut saved[b * self.plan.saved..][..self.plan.saved],
                lane,
            );
        }
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
    fn pack_states(&mut self, states: States, layout: Layout, frame: Frame) {
        simd::run_on(
            self.count,
            &mut PackStates {
                count: self.count,
                states,
                frame,
                to: PackedStates {
                    layout,
                    orientation: Output::of(self.orientation),
                    angular_velocity: Output::of(self.angular_velocity),
                    stride: self.count,
                },
                ahead: None,
            },
        );
        if let [x, y, z] = &mut *self.torque {
            *x = 0.0;
            *y = 0.0;
            *z = 0.0;
        } else {
            // in short pieces, because `memset` is slow to start with long arrays; and number by
            // number, because `fill` may be a call
            for piece in self.torque.chunks_mut(CHUNK) {
                for number in piece {
                    *number = 0.0;
                }
            }
        }
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
