//! The loops that write the torques of a chunk: of each ready-made torque, of a callback's answer, and of a drag besides them.

use super::parameters::{InertiaSource, Inertias, Numbers, SharedAligned};
use super::{drag::Drag, lanes::lanes};
use crate::kernel::{Here, MOST_LANES, PrincipalInertia, RotationMatrix, Vec3};
use crate::memory::{Block, Bodies, PackedTorques, States, load, load_vector, store_vector};
use crate::simd::{Job, Lanes};
use crate::torque::{Frame, OnEach, Torque};

/// The states of a chunk, and where the torques on them go.
pub(super) struct AtStates<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) states: States<'a>,
    pub(super) inertias: &'a Inertias,
    /// Output: the torques in the body frame, or the coefficients of the resistance.
    pub(super) to: &'a mut [Block<3>],
    pub(super) wants: Wanted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Torque,
    Resistance,
}

/// Writes a ready-made torque.
pub(super) struct Evaluate<'b, 'a, T: OnEach<K>, const K: usize> {
    pub(super) at: &'b mut AtStates<'a>,
    pub(super) numbers: &'b Numbers<T, K>,
}

impl<T: OnEach<K>, const K: usize> Job for Evaluate<'_, '_, T, K> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let AtStates { bodies, inertias, wants, .. } = *self.at;
        let (to, shared) = (&mut *self.at.to, self.numbers.shared);
        if wants == Wanted::Resistance {
            lanes!(bodies.count(), N, b, lane, {
                let torque = T::on::<N>(self.numbers.each.at(bodies, b * MOST_LANES + lane), &shared);
                store_vector(torque.resistance().unwrap_or(Vec3::splat(0.0)), &mut to[b], 0, lane);
            });
            return;
        }
        match inertias.shared_aligned() {
            _ if !T::ASKS_INERTIA => self.write::<N, _>(SharedAligned(PrincipalInertia::new(Vec3::splat(1.0), None))),
            Some(shared) => self.write::<N, _>(SharedAligned(*shared)),
            None => self.write::<N, _>(inertias),
        }
    }
}

impl<T: OnEach<K>, const K: usize> Evaluate<'_, '_, T, K> {
    #[inline(always)]
    fn write<N: Lanes, I: InertiaSource>(&mut self, inertias: I) {
        let AtStates { bodies, states, .. } = *self.at;
        let (to, shared) = (&mut *self.at.to, self.numbers.shared);
        lanes!(bodies.count(), N, b, lane, {
            let at = b * MOST_LANES + lane;
            let here = Here::at(&load::<N>(&states[b], lane));
            let mut torque = T::on::<N>(self.numbers.each.at(bodies, at), &shared);
            let Ok(torque_body) = torque.torque_body(0.0, &here, &inertias.at(bodies, at));
            store_vector(torque_body, &mut to[b], 0, lane);
        });
    }
}

/// Adds a drag besides the torque.
pub(super) struct AddDrag<'b, 'a> {
    pub(super) at: &'b mut AtStates<'a>,
    pub(super) drag: &'b Drag,
}

impl Job for AddDrag<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let AtStates { bodies, states, wants, .. } = *self.at;
        let to = &mut *self.at.to;
        lanes!(bodies.count(), N, b, lane, {
            let drag = self.drag.at::<N>(bodies, b * MOST_LANES + lane);
            let more = match wants {
                Wanted::Torque => drag.at(&Here::at(&load::<N>(&states[b], lane))),
                Wanted::Resistance => drag.coefficients,
            };
            store_vector(load_vector::<N, 3>(&to[b], 0, lane) + more, &mut to[b], 0, lane);
        });
    }
}

/// Takes the caller's torques to the body frame.
pub(super) struct Absorb<'a> {
    pub(super) count: usize,
    pub(super) torques: PackedTorques<'a>,
    pub(super) frame: Frame,
    pub(super) states: States<'a>,
    /// The rotation matrices of these states, if they are kept.
    pub(super) matrices: Option<&'a [Block<12>]>,
    pub(super) to: &'a mut [Block<3>],
}

impl Job for Absorb<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        let Absorb { count, torques, states, .. } = *self;
        let to = &mut *self.to;
        match (self.frame, self.matrices) {
            (Frame::Body, _) => lanes!(count, N, b, lane, {
                store_vector(torques.get::<N>(b * MOST_LANES + lane, count), &mut to[b], 0, lane);
            }),
            (Frame::World, Some(matrices)) => lanes!(count, N, b, lane, {
                let torque = torques.get::<N>(b * MOST_LANES + lane, count);
                let matrix = &matrices[b];
                let rows = [load_vector(matrix, 0, lane), load_vector(matrix, 3, lane), load_vector(matrix, 6, lane)];
                store_vector(RotationMatrix::from_rows(rows).rotate_back(torque), &mut to[b], 0, lane);
            }),
            (Frame::World, None) => lanes!(count, N, b, lane, {
                let torque = torques.get::<N>(b * MOST_LANES + lane, count);
                let to_world = load::<N>(&states[b], lane).q.to_matrix();
                store_vector(to_world.rotate_back(torque), &mut to[b], 0, lane);
            }),
        }
    }
}
