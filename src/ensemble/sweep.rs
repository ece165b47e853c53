//! A step of the whole ensemble: chunk by chunk, on one thread or several.
//!
//! States in our own memory are read from one set of columns and written to another, which take each other's place when all
//! went well: undo costs nothing. States in the caller's arrays, and those of a list of active bodies, are advanced where they
//! are; what they were is kept in the other columns until all went well.

use super::chunk::*;
use super::columns::padded;
use super::parameters::{Bodies, Inertias};
use super::torque::{ChunkTorque, EnsembleTorque, Frame, Layout};
use crate::clock::Clock;
use crate::error::Error;
use crate::method::Method;
use crate::simd;
use std::marker::PhantomData;

/// An array of the caller's that holds four or three numbers for each body. Chunks that are handled at the same time have no
/// body in common.
pub(crate) trait BoundArray: Send + Sync {
    /// Into the first `count` places of each column.
    fn gather(&self, bodies: Bodies, count: usize, columns: &mut [[f64; CHUNK]]);
    /// And back.
    fn scatter(&self, bodies: Bodies, count: usize, columns: &[[f64; CHUNK]]);
}

/// Where the states are that are not in our own columns.
#[derive(Default)]
pub(super) struct Binding {
    pub(super) orientations: Option<Box<dyn BoundArray>>,
    pub(super) angular_velocities: Option<(Box<dyn BoundArray>, Kind)>,
}

impl Binding {
    pub(super) fn kind(&self) -> Kind {
        self.angular_velocities.as_ref().map_or(Kind::OmegaBody, |(_, kind)| *kind)
    }

    /// What the caller's arrays and our columns hold, as it is.
    pub(super) fn gather(&self, own: States, bodies: Bodies, count: usize, tile: &mut Tile) {
        let (q, omega) = tile.split_at_mut(4);
        match &self.orientations {
            Some(array) => array.gather(bodies, count, q),
            None => gather_own(&own[..4], bodies, count, q),
        }
        match &self.angular_velocities {
            Some((array, _)) => {
                array.gather(bodies, count, omega);
                // −0 becomes +0, which a body at rest keeps to the last bit
                omega.iter_mut().for_each(|column| column[..count].iter_mut().for_each(|x| *x += 0.0));
            }
            None => gather_own(&own[4..], bodies, count, omega),
        }
    }

    /// And back.
    pub(super) fn scatter(&self, own: &mut StatesMut, bodies: Bodies, count: usize, tile: &Tile) {
        let (q, omega) = tile.split_at(4);
        let (own_q, own_omega) = own.split_at_mut(4);
        match &self.orientations {
            Some(array) => array.scatter(bodies, count, q),
            None => scatter_own(own_q, bodies, count, q),
        }
        match &self.angular_velocities {
            Some((array, _)) => array.scatter(bodies, count, omega),
            None => scatter_own(own_omega, bodies, count, omega),
        }
    }
}

fn gather_own(own: &[&[f64]], bodies: Bodies, count: usize, columns: &mut [[f64; CHUNK]]) {
    for (column, own) in columns.iter_mut().zip(own) {
        for (i, number) in column[..count].iter_mut().enumerate() {
            *number = own[bodies.at(i)];
        }
    }
}

fn scatter_own(own: &mut [&mut [f64]], bodies: Bodies, count: usize, columns: &[[f64; CHUNK]]) {
    for (column, own) in columns.iter().zip(own) {
        for (i, number) in column[..count].iter().enumerate() {
            own[bodies.at(i)] = *number;
        }
    }
}

impl<A: BoundArray + ?Sized> BoundArray for std::sync::Arc<A> {
    fn gather(&self, bodies: Bodies, count: usize, columns: &mut [[f64; CHUNK]]) {
        (**self).gather(bodies, count, columns);
    }

    fn scatter(&self, bodies: Bodies, count: usize, columns: &[[f64; CHUNK]]) {
        (**self).scatter(bodies, count, columns);
    }
}

/// What is the same for all chunks of a sweep.
pub(super) struct Sweep<'a, M> {
    pub(super) inertias: &'a Inertias,
    pub(super) torque: &'a EnsembleTorque,
    pub(super) binding: &'a Binding,
    pub(super) active: Option<&'a [usize]>,
    /// Whether states are advanced where they are, with the spare columns for undo.
    pub(super) in_place: bool,
    pub(super) clock: Clock,
    pub(super) h: f64,
    pub(super) steps: u64,
    pub(super) method: PhantomData<M>,
}

/// Consecutive positions: of the bodies, or of the list of active ones.
pub(super) struct Part<'a> {
    pub(super) first: usize,
    pub(super) count: usize,
    /// Our columns: of these positions, or in place of all bodies (empty where nothing of a state is in them).
    pub(super) own: StatesMut<'a>,
    /// The other columns, of these positions.
    pub(super) spare: StatesMut<'a>,
    /// Which chunks have been advanced in place.
    pub(super) done: &'a mut [bool],
}

/// `first` positions of some columns, and the rest.
#[inline]
fn split<'a>(columns: StatesMut<'a>, first: usize) -> (StatesMut<'a>, StatesMut<'a>) {
    if columns[0].len() <= first {
        return (columns, std::array::from_fn(|_| &mut [][..]));
    }
    let mut rest: StatesMut<'a> = std::array::from_fn(|_| &mut [][..]);
    let mut rests = rest.iter_mut();
    let front = columns.map(|column| {
        let (front, back) = column.split_at_mut(first.min(column.len()));
        if let Some(place) = rests.next() {
            *place = back;
        }
        front
    });
    (front, rest)
}

/// The setback that taking the steps one by one would have met first.
fn earlier(a: Result<(), Setback>, b: Result<(), Setback>) -> Result<(), Setback> {
    match (a, b) {
        (Err(a), Err(b)) => Err(if (b.step, b.body) < (a.step, a.body) { b } else { a }),
        (a, b) => a.and(b),
    }
}

impl<M: Method> Sweep<'_, M> {
    /// Advances every position of a part, in pieces of about `grain` at the same time where there are threads.
    pub(super) fn run(&self, part: Part, grain: usize) -> Result<(), Setback> {
        if part.count <= grain {
            return self.chunks(part, &mut Scratch::new());
        }
        let chunks = part.count.div_ceil(CHUNK).div_ceil(2);
        let middle = chunks * CHUNK;
        let (own_0, own_1) = split(part.own, middle);
        let (spare_0, spare_1) = split(part.spare, middle);
        let (done_0, done_1) = part.done.split_at_mut(chunks.min(part.done.len()));
        let front = Part { first: part.first, count: middle, own: own_0, spare: spare_0, done: done_0 };
        let (first, count) = (part.first + middle, part.count - middle);
        let back = Part { first, count, own: own_1, spare: spare_1, done: done_1 };
        let (a, b) = rayon::join(|| self.run(front, grain), || self.run(back, grain));
        earlier(a, b)
    }

    pub(super) fn chunks(&self, mut part: Part, scratch: &mut Scratch) -> Result<(), Setback> {
        let mut outcome = Ok(());
        let mut done = part.done.iter_mut();
        // where nothing else is to stay in the cache a chunk may be longer
        let streamed = !self.in_place && self.steps == 1 && matches!(self.torque, EnsembleTorque::Ready(_));
        let size = if streamed { 8 * CHUNK } else { CHUNK };
        while part.count > 0 {
            let count = part.count.min(size);
            let (mut spare, spare_rest) = split(part.spare, size);
            part.spare = spare_rest;
            let this = if self.in_place {
                let this = self.in_place(part.first, count, &mut part.own, &mut spare, scratch);
                done.next().into_iter().for_each(|done| *done = this.is_ok());
                this
            } else {
                let (own, own_rest) = split(part.own, size);
                part.own = own_rest;
                let exchange = &mut scratch.exchange;
                self.advance(Bodies::From(part.first), part.first, count, shared(&own), &mut spare, exchange)
            };
            outcome = earlier(outcome, this);
            // Later chunks can only fail at an earlier step where several are taken at once.
            if outcome.is_err() && self.steps == 1 {
                return outcome;
            }
            part.first += count;
            part.count -= count;
        }
        outcome
    }

    /// Advances a chunk where it is; the spare columns keep what it was.
    fn in_place(
        &self,
        first: usize,
        count: usize,
        own: &mut StatesMut,
        spare: &mut StatesMut,
        scratch: &mut Scratch,
    ) -> Result<(), Setback> {
        let bodies = bodies_at(self.active, first, count);
        let Scratch { start, end, exchange } = scratch;
        self.binding.gather(shared(own), bodies, count, start);
        for (kept, column) in spare.iter_mut().zip(start.iter()) {
            kept[..count].copy_from_slice(&column[..count]);
        }
        let kind = self.binding.kind();
        let mut clock = self.clock;
        // Where the caller's array is converted, it is at every step, as if they were taken one by one.
        let (rounds, steps) = if kind == Kind::OmegaBody { (1, self.steps) } else { (self.steps, 1) };
        for step in 0..rounds {
            if step > 0 {
                *start = *end;
            }
            self.convert(bodies, count, start, kind, false);
            let one = Sweep { clock, steps, ..*self };
            let (from, mut to) = (start.each_ref().map(|column| &column[..]), tile_mut(end));
            let outcome = one.advance(bodies, first, count, from, &mut to, exchange);
            outcome.map_err(|s| Setback { step: s.step + step, ..s })?;
            self.convert(bodies, count, end, kind, true);
            clock.advance(self.h);
        }
        self.binding.scatter(own, bodies, count, end);
        Ok(())
    }

    fn convert(&self, bodies: Bodies, count: usize, tile: &mut Tile, kind: Kind, back: bool) {
        if kind != Kind::OmegaBody {
            let mut states = tile_mut(tile);
            simd::run_on(count, Convert { count, bodies, states: &mut states, inertias: self.inertias, kind, back });
        }
    }

    /// From `start` to `end`, both in columns of this chunk.
    #[inline]
    pub(super) fn advance(
        &self,
        bodies: Bodies,
        first: usize,
        count: usize,
        start: States,
        end: &mut StatesMut,
        exchange: &mut Exchange,
    ) -> Result<(), Setback> {
        match self.torque {
            EnsembleTorque::Ready(torque) => {
                let steps = Steps::<M> {
                    count,
                    bodies,
                    start,
                    end,
                    inertias: self.inertias,
                    torque,
                    clock: self.clock,
                    h: self.h,
                    steps: self.steps,
                    method: PhantomData,
                };
                simd::run_on(count, steps)
            }
            EnsembleTorque::Callback { torque, layout, frame } => {
                for i in 0..M::TORQUE_AT.len() {
                    let states = if i == 0 { start } else { shared(end) };
                    let time = self.clock.now() + M::TORQUE_AT[i] * self.h;
                    exchange.ask(&**torque, (*layout, *frame), time, bodies, (first, count), states)?;
                    simd::run_on(
                        count,
                        Absorb::<M> {
                            i,
                            count,
                            bodies,
                            start,
                            stage: end,
                            torque: &exchange.torque,
                            frame: *frame,
                            inertias: self.inertias,
                            time: self.clock.now(),
                            h: self.h,
                            method: PhantomData,
                        },
                    )?;
                }
                Ok(())
            }
        }
    }

    /// Puts the chunks that were advanced in place back to what they were.
    pub(super) fn undo(&self, part: Part) {
        let mut own = part.own;
        for (chunk, done) in part.done.iter().enumerate() {
            if *done {
                let first = chunk * CHUNK;
                let count = (part.count - first).min(CHUNK);
                let mut tile: Tile = [[0.0; CHUNK]; 7];
                for (column, kept) in tile.iter_mut().zip(&part.spare) {
                    column[..count].copy_from_slice(&kept[first..first + count]);
                }
                self.binding.scatter(&mut own, bodies_at(self.active, first, count), count, &tile);
            }
        }
    }
}

/// The bodies at some positions.
pub(super) fn bodies_at(active: Option<&[usize]>, first: usize, count: usize) -> Bodies<'_> {
    match active {
        None => Bodies::From(first),
        Some(list) => Bodies::Listed(&list[first..first + count]),
    }
}

/// Room to work in.
pub(super) struct Scratch {
    start: Tile,
    end: Tile,
    pub(super) exchange: Exchange,
}

impl Scratch {
    pub(super) fn new() -> Self {
        Scratch { start: [[0.0; CHUNK]; 7], end: [[0.0; CHUNK]; 7], exchange: Exchange::new() }
    }
}

/// The packed arrays of a callback, and its torque in columns.
pub(super) struct Exchange {
    orientation: [f64; 4 * CHUNK],
    angular_velocity: [f64; 3 * CHUNK],
    packed: [f64; 3 * CHUNK],
    torque: [[f64; CHUNK]; 3],
}

impl Exchange {
    fn new() -> Self {
        Exchange {
            orientation: [0.0; 4 * CHUNK],
            angular_velocity: [0.0; 3 * CHUNK],
            packed: [0.0; 3 * CHUNK],
            torque: [[0.0; CHUNK]; 3],
        }
    }

    fn ask(
        &mut self,
        torque: &dyn ChunkTorque,
        (layout, frame): (Layout, Frame),
        time: f64,
        bodies: Bodies,
        (first, count): (usize, usize),
        states: States,
    ) -> Result<(), Setback> {
        let (orientation, angular_velocity) =
            (&mut self.orientation[..4 * count], &mut self.angular_velocity[..3 * count]);
        simd::run_on(count, Present { count, states, layout, frame, orientation, angular_velocity });
        let packed = &mut self.packed[..3 * count];
        packed.fill(0.0);
        torque.torque(time, first, count, orientation, angular_velocity, packed).map_err(|result| {
            let (body, last) = (bodies.at(0), bodies.at(count - 1));
            Setback { step: 0, body, error: Error::CallbackAt { first: body, last, result, time } }
        })?;
        unpack(packed, layout, count, &mut self.torque);
        Ok(())
    }
}

/// Positions in each piece of work where there are threads; all of them where there are not.
pub(super) fn grain(count: usize, threads: usize) -> usize {
    if threads <= 1 { padded(count) } else { (count / (4 * threads)).max(4 * CHUNK) }
}
