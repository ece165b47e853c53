//! Packed arrays: the states that callbacks and the stage protocol receive, and the torques they
//! return.

use super::block::{Block, load_vector, store};
use super::output::Output;
use crate::error::Error;
use crate::kernel::{Number, Quat, State, Vec3};
use crate::simd::{load_columns, load_packed, store_columns, store_packed};
use std::hint::black_box;

/// The layout of packed arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Array of structs: `orientation[4 i + c]`, `angular_velocity[3 i + c]`, `torque[3 i + c]`.
    Aos,
    /// Struct of arrays: `orientation[c count + i]` etc. It is the fastest, because nothing is
    /// transposed.
    Soa,
}

/// The index of number `k` of body `i`, with `K` numbers per body and `stride` doubles between
/// columns.
fn place<const K: usize>(layout: Layout, stride: usize, i: usize, k: usize) -> usize {
    match layout {
        Layout::Aos => K * i + k,
        Layout::Soa => k * stride + i,
    }
}

/// Output arrays for orientations and angular velocities.
pub(crate) struct PackedStates<'a> {
    pub(crate) layout: Layout,
    pub(crate) orientation: Output<'a>,
    pub(crate) angular_velocity: Output<'a>,
    /// Doubles between columns ([`Layout::Soa`]).
    pub(crate) stride: usize,
}

impl PackedStates<'_> {
    /// The arrays from position `first` on.
    #[inline(always)] // a copy of what a call has just written would wait for its stores
    pub(crate) fn from(&mut self, first: usize) -> PackedStates<'_> {
        let layout = self.layout;
        let stride = self.stride;
        PackedStates {
            layout,
            orientation: self.orientation.from(place::<4>(layout, stride, first, 0)),
            angular_velocity: self
                .angular_velocity
                .from(place::<3>(layout, stride, first, 0)),
            stride,
        }
    }

    /// Writes the states of positions `i`, `i + 1`, …, below `count`.
    #[inline(always)]
    pub(crate) fn put<N: Number>(&mut self, i: usize, count: usize, q: Quat<N>, omega: Vec3<N>) {
        if i + N::LANES > count {
            let mut block = Block::filled([0.0; 7]);
            store(
                &State {
                    q,
                    omega_body: omega,
                },
                &mut block,
                0,
            );
            // the call gets a copy, so that the original can stay in registers
            self.from(0).put_some(i, count, &block);
        } else {
            let orientation = self.orientation.places();
            let angular_velocity = self.angular_velocity.places();
            match self.layout {
                Layout::Soa => {
                    store_columns(q.0, &mut orientation[i..], self.stride);
                    store_columns(omega.0, &mut angular_velocity[i..], self.stride);
                }
                Layout::Aos => {
                    store_packed(q.0, &mut orientation[4 * i..]);
                    store_packed(omega.0, &mut angular_velocity[3 * i..]);
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn put_some(mut self, first: usize, count: usize, block: &Block<7>) {
        for i in first..count {
            let [w, x, y, z, a, b, c] = block.get(i - first);
            for (k, number) in [w, x, y, z].into_iter().enumerate() {
                let place = place::<4>(self.layout, self.stride, i, k);
                self.orientation.set(place, number);
            }
            for (k, number) in [a, b, c].into_iter().enumerate() {
                let place = place::<3>(self.layout, self.stride, i, k);
                self.angular_velocity.set(place, number);
            }
        }
    }
}

/// Input array of torques.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedTorques<'a> {
    pub(crate) layout: Layout,
    pub(crate) torque: &'a [f64],
    /// Doubles between columns ([`Layout::Soa`]).
    pub(crate) stride: usize,
}

impl PackedTorques<'_> {
    #[inline(always)]
    pub(crate) fn from(self, first: usize) -> Self {
        PackedTorques {
            torque: &self.torque[place::<3>(self.layout, self.stride, first, 0)..],
            ..self
        }
    }

    /// The torques of positions `i`, `i + 1`, …; 0 from `count` on.
    #[inline(always)]
    pub(crate) fn get<N: Number>(&self, i: usize, count: usize) -> Vec3<N> {
        let torque = self.torque;
        let stride = self.stride;
        if i + N::LANES > count {
            return load_vector(&self.get_some(i, count), 0, 0);
        }
        Vec3(match self.layout {
            Layout::Soa => load_columns(&torque[i..], stride),
            Layout::Aos => load_packed(&torque[3 * i..]),
        })
    }

    #[cold]
    #[inline(never)]
    fn get_some(self, first: usize, count: usize) -> Block<3> {
        let mut block = Block::filled([0.0; 3]);
        for i in first..count {
            block.set(i - first, self.of(black_box(i))); // so that it is not unrolled to 5 kB
        }
        block
    }

    /// If the torque of position `i` is not finite, the cause of a failure.
    #[cold]
    pub(crate) fn refused(&self, i: usize, time: f64) -> Option<Error> {
        let torque = self.of(i);
        if torque.iter().all(|t| t.is_finite()) {
            None
        } else {
            Some(Error::TorqueNotFinite { time, torque })
        }
    }

    /// The torque of position `i`.
    pub(crate) fn of(&self, i: usize) -> [f64; 3] {
        [0, 1, 2].map(|k| self.torque[place::<3>(self.layout, self.stride, i, k)])
    }
}
