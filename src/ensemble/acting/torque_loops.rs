//! The loops that ask for the torques of a chunk: those of a ready-made torque and of what acts
//! besides it are computed; a callback, or the caller of the stage protocol, is shown the states in
//! packed arrays, and the torques that it gives may be taken to the body frame.

use super::random_loops::Noise;
use crate::ensemble::bodies::parameters::{InertiaSource, Inertias, TorqueParameters};
use crate::ensemble::lanes::lanes;
use crate::error::Error;
use crate::kernel::{
    Column, MOST_LANES, Number, PrincipalInertia, TorqueState, Vec3, load_saved, store_saved,
};
use crate::memory::{
    self, Block, Bodies, PackedStates, PackedTorques, States, load, load_vector, store_vector,
};
use crate::method::{DampedSplitting, Damping, Scheme, Step};
use crate::simd::{self, Job};
use crate::torque::{Frame, PerBody, Torque};
use std::convert::Infallible;

/// The torques of a loop over bodies. A loop is compiled for each source.
pub(crate) trait TorqueSource: Copy {
    type At<N: Number>: Torque<N, Error = Infallible>;

    /// Whether the torque depends on the inertia.
    const ASKS_INERTIA: bool = false;

    /// The torque on the `i`-th and the following bodies, one per lane.
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> Self::At<N>;
}

impl<T: PerBody<K>, const K: usize> TorqueSource for &TorqueParameters<T, K> {
    type At<N: Number> = T::At<N>;
    const ASKS_INERTIA: bool = T::ASKS_INERTIA;

    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> T::At<N> {
        T::on(self.each.at(bodies, i), &self.shared)
    }
}

/// The memory in which a chunk asks for its torques.
#[derive(Default)]
pub(crate) struct Torques {
    /// The packed arrays of a callback: 4 numbers per body, then 3 and 3: orientations, angular
    /// velocities, torques.
    pub(crate) packed: Vec<Block<10>>,
    /// In the body frame.
    pub(crate) tile: Vec<Block<3>>,
    pub(crate) noise: Noise,
    pub(crate) resistances: Vec<Block<3>>,
}

impl Torques {
    pub(crate) fn new(blocks: usize) -> Result<Self, Error> {
        let bodies = blocks * MOST_LANES;
        Ok(Torques {
            packed: memory::filled(bodies, [0.0; 10])?,
            tile: memory::filled(bodies, [0.0; 3])?,
            noise: Noise::new(blocks)?,
            resistances: memory::filled(bodies, [0.0; 3])?,
        })
    }
}

/// The states of a chunk, and where the torques on them go.
pub(crate) struct TorqueTask<'a> {
    pub(crate) bodies: &'a Bodies<'a>,
    pub(crate) states: States<'a>,
    pub(crate) inertias: &'a Inertias,
    /// Output: the torques in the body frame, or the coefficients of the resistance.
    pub(crate) to: &'a mut [Block<3>],
    pub(crate) of_resistance: bool,
    /// Whether the torques are those on bodies that do not turn.
    pub(crate) at_rest: bool,
}

impl TorqueTask<'_> {
    /// Writes, or adds to what has been written.
    pub(crate) fn write<const ADDS: bool>(&mut self, source: impl TorqueSource) {
        simd::run_on(
            self.bodies.count(),
            &mut Evaluate::<_, ADDS> { at: self, source },
        );
    }
}

struct Evaluate<'b, 'a, S, const ADDS: bool> {
    at: &'b mut TorqueTask<'a>,
    source: S,
}

impl<S: TorqueSource, const ADDS: bool> Job for Evaluate<'_, '_, S, ADDS> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let inertias = self.at.inertias;
        match inertias.shared_aligned() {
            _ if !S::ASKS_INERTIA => {
                self.each::<N, _>(PrincipalInertia::new(Vec3::splat(1.0), None))
            }
            Some(shared) => self.each::<N, _>(*shared),
            None => self.each::<N, _>(inertias),
        }
    }
}

impl<S: TorqueSource, const ADDS: bool> Evaluate<'_, '_, S, ADDS> {
    #[inline(always)]
    fn each<N: Number, I: InertiaSource>(&mut self, inertias: I) {
        let TorqueTask {
            bodies,
            states,
            of_resistance,
            at_rest,
            ..
        } = *self.at;
        let to = &mut *self.at.to;
        let source = self.source;
        lanes!(bodies.count(), N, b, lane, {
            let i = b * MOST_LANES + lane;
            let mut torque = source.at::<N>(bodies, i);
            let mut vector = if of_resistance {
                torque.resistance().unwrap_or(Vec3::splat(0.0))
            } else {
                let mut here = TorqueState::at(&load::<N>(&states[b], lane));
                if at_rest {
                    here = here.at_rest();
                }
                let Ok(torque_body) = torque.torque_body(0.0, &here, &inertias.at(bodies, i));
                torque_body
            };
            if ADDS {
                vector = load_vector::<N, 3>(&to[b], 0, lane) + vector;
            }
            store_vector(vector, &mut to[b], 0, lane);
        });
    }
}

/// Writes the states of a chunk to packed arrays.
pub(crate) struct PackStates<'a> {
    pub(crate) count: usize,
    pub(crate) states: States<'a>,
    pub(crate) frame: Frame,
    /// Writes NaN for the angular velocities.
    pub(crate) hides_velocity: bool,
    pub(crate) to: PackedStates<'a>,
}

impl Job for PackStates<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let PackStates {
            count,
            states,
            frame,
            hides_velocity,
            ..
        } = *self;
        let mut to = self.to.from(0); // a copy, as in `Stage`
        lanes!(count, N, b, lane, {
            let state = load::<N>(&states[b], lane);
            let omega = if hides_velocity {
                Vec3::splat(f64::NAN)
            } else if frame == Frame::World {
                TorqueState::at(&state).omega_world
            } else {
                state.omega_body
            };
            to.put::<N>(b * MOST_LANES + lane, count, state.q, omega);
        });
    }
}

/// Takes a callback's or the caller's torques to the body frame.
pub(crate) struct UnpackTorques<'a> {
    pub(crate) count: usize,
    pub(crate) packed_torques: PackedTorques<'a>,
    pub(crate) is_in_world: bool,
    pub(crate) states: States<'a>,
    pub(crate) to: &'a mut [Block<3>],
}

impl Job for UnpackTorques<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let UnpackTorques {
            count,
            packed_torques,
            is_in_world,
            states,
            ..
        } = *self;
        let to = &mut *self.to;
        lanes!(count, N, b, lane, {
            let mut torque = packed_torques.get::<N>(b * MOST_LANES + lane, count);
            if is_in_world {
                torque = load(&states[b], lane).q.to_matrix().rotate_back(torque);
            }
            store_vector(torque, &mut to[b], 0, lane);
        });
    }
}

/// What the splitting with implicit drag saves first: from the torques at some states and their
/// resistances.
pub(crate) struct InitialSaved<'a> {
    pub(crate) bodies: &'a Bodies<'a>,
    pub(crate) states: States<'a>,
    pub(crate) inertias: &'a Inertias,
    pub(crate) torques: &'a Torques,
    /// What has been kept; `None`: nothing is known.
    pub(crate) before: Option<&'a [Column]>,
    pub(crate) to: &'a mut [Column],
}

impl Job for InitialSaved<'_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        const COLUMNS: usize = 3 * DampedSplitting::SAVED;
        let InitialSaved {
            bodies,
            states,
            inertias,
            torques,
            before,
            ..
        } = *self;
        let to = &mut *self.to;
        lanes!(bodies.count(), N, b, lane, {
            let mut kept = [Vec3::splat(0.0); 2];
            if let Some(before) = before {
                kept = load_saved(&before[b * COLUMNS..][..COLUMNS], lane);
            }
            let state = load::<N>(&states[b], lane);
            let inertia = inertias.at::<N>(bodies, b * MOST_LANES + lane);
            let damping = Damping::new(&inertia, load_vector(&torques.resistances[b], 0, lane));
            let step = Step {
                damping,
                ..Step::new(0.0, state.omega_body, &inertia)
            };
            let torque_body = load_vector(&torques.tile[b], 0, lane);
            let saved = DampedSplitting::initial_saved::<N>(&step, Some(torque_body), kept);
            store_saved(&saved, &mut to[b * COLUMNS..][..COLUMNS], lane);
        });
    }
}
