//! States that are in the caller's arrays, wholly or in part.

use super::at_body;
use super::blocks::{self, Block, States, StatesMut};
use super::chunk::{FromKind, Kind, Setback, ToKind};
use super::parameters::{Bodies, Inertias};
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::simd;

/// An array of the caller's that holds four or three numbers for each body. Chunks that are handled at the same time have no
/// body in common.
pub(crate) trait BoundArray: Send + Sync {
    /// Into the columns from `first` on, of the first `count` lanes.
    fn gather(&self, bodies: &Bodies, count: usize, to: &mut [Block<7>], first: usize);
    /// And back.
    fn scatter(&self, bodies: &Bodies, count: usize, from: &[Block<7>], first: usize);
    /// Where the numbers of the bodies are, where that is farther apart than the processor foresees.
    fn rows(&self) -> Option<Rows>;
}

/// Places in memory, a row for each body; only ever to ask for them ahead of time.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The first number of body 0, and the last one where that can be in another line of memory.
    first: *const u8,
    last: Option<*const u8>,
    /// In bytes.
    stride: isize,
}

impl Rows {
    /// From the first and the last number of body 0, and the bytes from body to body.
    pub(crate) fn new(first: *const u8, last: *const u8, stride: isize) -> Self {
        let share_a_line = stride % simd::LINE as isize == 0 && first.addr() / simd::LINE == last.addr() / simd::LINE;
        Rows { first, last: if share_a_line { None } else { Some(last) }, stride }
    }

    /// Asks for those of some bodies.
    #[inline(always)]
    pub(super) fn prefetch(&self, bodies: std::ops::Range<usize>) {
        for body in bodies {
            simd::prefetch_at(self.first.wrapping_offset(self.stride * body as isize));
            if let Some(last) = self.last {
                simd::prefetch_at(last.wrapping_offset(self.stride * body as isize));
            }
        }
    }
}

/// Where the states are that are not in our own blocks.
#[derive(Default)]
pub(super) struct Binding {
    pub(super) orientations: Option<Box<dyn BoundArray>>,
    pub(super) angular_velocities: Option<(Box<dyn BoundArray>, Kind)>,
}

/// Where the orientation begins in a block of states, and where the angular velocity.
const ORIENTATION: std::ops::Range<usize> = 0..4;
const ANGULAR_VELOCITY: std::ops::Range<usize> = 4..7;

impl Binding {
    pub(super) fn kind(&self) -> Kind {
        self.angular_velocities.as_ref().map_or(Kind::OmegaBody, |(_, kind)| *kind)
    }

    /// Whether all states are in our own blocks.
    pub(super) fn is_empty(&self) -> bool {
        self.orientations.is_none() && self.angular_velocities.is_none()
    }

    /// Whether nothing of a state is in our own blocks.
    pub(super) fn is_whole(&self) -> bool {
        self.orientations.is_some() && self.angular_velocities.is_some()
    }

    /// What the caller's arrays and our blocks hold, as it is.
    pub(super) fn gather(&self, own: States, bodies: &Bodies, count: usize, to: StatesMut) {
        match &self.orientations {
            Some(array) => array.gather(bodies, count, to, ORIENTATION.start),
            None => gather_own(own, bodies, count, to, ORIENTATION),
        }
        match &self.angular_velocities {
            Some((array, _)) => array.gather(bodies, count, to, ANGULAR_VELOCITY.start),
            None => gather_own(own, bodies, count, to, ANGULAR_VELOCITY),
        }
    }

    /// And back.
    pub(super) fn scatter(&self, own: StatesMut, bodies: &Bodies, count: usize, from: States) {
        match &self.orientations {
            Some(array) => array.scatter(bodies, count, from, ORIENTATION.start),
            None => scatter_own(own, bodies, count, from, ORIENTATION),
        }
        match &self.angular_velocities {
            Some((array, _)) => array.scatter(bodies, count, from, ANGULAR_VELOCITY.start),
            None => scatter_own(own, bodies, count, from, ANGULAR_VELOCITY),
        }
    }

    /// Where the rows of the bodies are.
    pub(super) fn rows(&self) -> [Option<Rows>; 2] {
        [
            self.orientations.as_ref().and_then(|array| array.rows()),
            self.angular_velocities.as_ref().and_then(|(array, _)| array.rows()),
        ]
    }

    /// Turns what was gathered into what the integrator takes: the angular velocity in the body frame.
    ///
    /// # Errors
    /// The first body whose orientation is too far from unit length.
    pub(super) fn convert(
        &self,
        inertias: &Inertias,
        bodies: &Bodies,
        count: usize,
        from: States,
        to: StatesMut,
    ) -> Result<(), Setback> {
        match simd::run_on(count, &mut FromKind { count, bodies, from, to, inertias, kind: self.kind() }) {
            None => Ok(()),
            Some(i) => {
                let body = bodies.at(i);
                Err(Setback { step: 0, body, error: at_body(body, Error::NotUnit { name: "data", length: 0.0 }) })
            }
        }
    }

    /// What the integrator takes of these bodies: where it lies, or gathered into `to`.
    pub(super) fn at_start<'a>(
        &self,
        own: States<'a>,
        inertias: &Inertias,
        bodies: &Bodies,
        count: usize,
        raw: StatesMut,
        to: StatesMut<'a>,
    ) -> Result<States<'a>, Setback> {
        match bodies {
            Bodies::From(first) if self.is_empty() => Ok(&own[first / MOST_LANES..]),
            _ => {
                self.gather(own, bodies, count, raw);
                self.convert(inertias, bodies, count, raw, to)?;
                Ok(to)
            }
        }
    }

    /// And back, in place.
    ///
    /// # Errors
    /// The first body whose numbers overflow.
    pub(super) fn convert_back(
        &self,
        inertias: &Inertias,
        bodies: &Bodies,
        count: usize,
        states: StatesMut,
        time: f64,
    ) -> Result<(), Setback> {
        let kind = self.kind();
        if kind == Kind::OmegaBody {
            return Ok(());
        }
        match simd::run_on(count, &mut ToKind { count, bodies, states, inertias, kind }) {
            None => Ok(()),
            Some(i) => {
                let body = bodies.at(i);
                Err(Setback { step: 0, body, error: Error::OverflowAt { body, time } })
            }
        }
    }
}

fn gather_own(own: States, bodies: &Bodies, count: usize, to: StatesMut, columns: std::ops::Range<usize>) {
    for i in 0..count {
        let state = blocks::get(own, bodies.at(i));
        for k in columns.clone() {
            to[i / MOST_LANES].0[k][i % MOST_LANES] = state[k];
        }
    }
}

fn scatter_own(own: StatesMut, bodies: &Bodies, count: usize, from: States, columns: std::ops::Range<usize>) {
    for i in 0..count {
        let (state, body) = (blocks::get(from, i), bodies.at(i));
        for k in columns.clone() {
            own[body / MOST_LANES].0[k][body % MOST_LANES] = state[k];
        }
    }
}

impl<A: BoundArray + ?Sized> BoundArray for std::sync::Arc<A> {
    fn gather(&self, bodies: &Bodies, count: usize, to: &mut [Block<7>], first: usize) {
        (**self).gather(bodies, count, to, first);
    }

    fn scatter(&self, bodies: &Bodies, count: usize, from: &[Block<7>], first: usize) {
        (**self).scatter(bodies, count, from, first);
    }

    fn rows(&self) -> Option<Rows> {
        (**self).rows()
    }
}
