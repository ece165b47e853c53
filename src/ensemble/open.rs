//! The first torque, for a method that keeps the last one.

use super::drag::Drag;
use super::lanes::{ByScheme, is_not_finite, lanes};
use super::parameters::{InertiaSource, Inertias};
use super::stages::{StageTorque, resistance_of, with_drag};
use crate::error::{Error, Failure};
use crate::kernel::{Column, Here, MOST_LANES, SavedNumbers, Vec3};
use crate::memory::{Bodies, States, load};
use crate::method::{Scheme, Step, WithScheme};
use crate::simd::{self, Job, Lanes};
use std::hint::black_box;
use std::marker::PhantomData;

/// Saves the torque at the start of a step, for a method that keeps the last torque and has none.
pub(super) struct Open<'a> {
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) start: States<'a>,
    pub(super) saved: &'a mut [Column],
    pub(super) torque: StageTorque<'a>,
    pub(super) drag: Option<&'a Drag>,
    pub(super) inertias: &'a Inertias,
    pub(super) time: f64,
    pub(super) h: f64,
}

impl WithScheme for &mut Open<'_> {
    type Output = Result<(), Failure>;

    fn with<S: Scheme>(self) -> Self::Output {
        if S::KEEPS_TORQUE {
            simd::run_on(self.bodies.count(), &mut ByScheme::<_, S>(self, PhantomData))
        } else {
            unreachable!("{} keeps no torque", S::NAME)
        }
    }
}

impl<S: Scheme> Job for ByScheme<'_, Open<'_>, S> {
    type Output = Result<(), Failure>;

    #[inline(always)]
    fn run<N: Lanes>(&mut self) -> Self::Output {
        let Open { bodies, start, inertias, ref torque, drag, time, h, .. } = *self.0;
        let (saved, columns) = (&mut *self.0.saved, <S::Saved<N> as SavedNumbers<N>>::COUNT);
        let mut finite_checks = N::splat(0.0);
        lanes!(bodies.count(), N, b, lane, {
            let at = b * MOST_LANES + lane;
            let here = Here::at(&load::<N>(&start[b], lane));
            let inertia = inertias.at(bodies, at);
            let torque_body = black_box(torque).at(bodies, at, &here, &inertia);
            if let Some(torque) = torque_body {
                finite_checks = finite_checks + torque.dot(Vec3::splat(0.0));
            }
            let torque_body = with_drag::<S, N>(torque_body, drag, bodies, at, &here);
            let resistance = resistance_of::<S, N>(drag, torque, bodies, at, &inertia);
            let step =
                Step { h, omega_start_body: here.omega_body, inertia: &inertia, acts: true, resistance, rotor: None };
            S::opened(&step, torque_body).store(&mut saved[b * columns..][..columns], lane);
        });
        let is_bad = |i: &usize| (0..columns).any(|k| !saved[i / MOST_LANES * columns + k][i % MOST_LANES].is_finite());
        if is_not_finite(finite_checks)
            && let Some(i) = (0..bodies.count()).find(is_bad)
        {
            let cause = torque.refused(i, time).unwrap_or(Error::Overflow { time, size: None });
            return Err(Failure::of_body(bodies.get(i), cause));
        }
        Ok(())
    }
}
