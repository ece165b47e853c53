//! Many rigid bodies: blocks of states, chunks, threads, stages.
//!
//! The arithmetic of a body in an ensemble is that of a [`Body`](crate::Body), on blocks of lanes; so are its bits, whatever
//! the number of bodies, of threads, and the instruction set.

mod binding;
mod blocks;
mod chunk;
mod parameters;
mod protocol;
mod sweep;
mod threads;
mod torque;

pub(crate) use binding::{BoundArray, Rows};
pub(crate) use blocks::Block;
pub(crate) use chunk::Kind;
pub(crate) use parameters::{Bodies, Parameter};
pub use protocol::Next;
pub use torque::{ChunkTorque, Frame, Layout};
pub(crate) use torque::{EnsembleTorque, ReadyMade};

use crate::body::Interrupted;
use crate::clock::Clock;
use crate::error::{Error, finite};
use crate::inertia::Inertia;
use crate::kernel::{Quat, Vec3};
use crate::method::{Method, Pcdm};
use crate::rotation;
use crate::torque::{LinearFlow, resistances};
use binding::Binding;
use blocks::{StatesMut, blocks_for};
use chunk::{CHUNK, CHUNK_BLOCKS};
use nalgebra::Vector3;
use parameters::Inertias;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use sweep::{Part, Scratch, Sweep, Way};
use threads::Threads;

/// Steps that are taken at once, chunk by chunk, where nothing needs all bodies at the same time.
const FUSED: u64 = 256;

/// Steps that led from earlier states to those that are: `steps` of length `h` under the torque that is. Should the next one
/// fail, they are taken again.
#[derive(Clone, Copy, Debug)]
struct Retake {
    h: f64,
    steps: u64,
}

impl Retake {
    /// The most steps to take again.
    const MOST: u64 = 64;
}

/// Rigid bodies that step together, with one clock and one kind of torque.
///
/// ```
/// use nalgebra::Vector3;
/// use quatint::{Ensemble, Inertia};
///
/// // A thousand bodies in free fall, each with a spin of its own.
/// let mut bodies = <Ensemble>::new(1000)?;
/// bodies.set_inertia(Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5))?)?;
/// for i in 0..1000 {
///     bodies.set_angular_velocity(i, [0.1, 0.001 * i as f64, 1.0])?;
/// }
/// let before = bodies.total_angular_momentum();
/// bodies.advance(1e-3, 1000).map_err(|interrupted| interrupted.error)?;
/// let change = bodies.total_angular_momentum() - before;
/// assert!(change.norm() < 1e-6 * before.norm());
/// # Ok::<(), quatint::Error>(())
/// ```
pub struct Ensemble<M: Method = Pcdm> {
    count: usize,
    /// The states, where they are not in the caller's arrays.
    own: Vec<Block<7>>,
    /// The states after the step, or before it, or of a stage.
    spare: Vec<Block<7>>,
    /// The steps from the states in `spare` to those in `own`, where they can be taken again.
    retake: Option<Retake>,
    binding: Binding,
    inertias: Inertias,
    torque: EnsembleTorque,
    active: Option<Vec<usize>>,
    clock: Clock,
    threads: Option<Threads>,
    done: Vec<bool>,
    /// One for each thread.
    scratch: Vec<Scratch>,
    pending: Option<protocol::Pending>,
    stage_layout: Layout,
    method: PhantomData<fn() -> M>,
}

impl<M: Method> Ensemble<M> {
    /// `count` bodies at the identity, at rest, with unit inertia and no torque, their clock at 0.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn new(count: usize) -> Result<Self, Error> {
        let at_rest = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        Ok(Ensemble {
            count,
            own: blocks::filled(count, at_rest)?,
            spare: blocks::filled(count, at_rest)?,
            retake: None,
            binding: Binding::default(),
            inertias: Inertias::Shared(Inertia::from_moments(Vector3::repeat(1.0))?),
            torque: EnsembleTorque::Ready(ReadyMade::Free),
            active: None,
            clock: Clock::default(),
            threads: None,
            done: Vec::new(),
            scratch: scratches(1)?,
            pending: None,
            stage_layout: Layout::Aos,
            method: PhantomData,
        })
    }

    /// How many bodies.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The clock of all bodies; see [`Body::time`](crate::Body::time).
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Sets the clock.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Error> {
        self.settled()?;
        let [time] = finite("time", [time])?;
        self.clock = Clock::at(time);
        Ok(())
    }

    /// One inertia for all bodies. What is kept are the angular velocities (or, where the caller's array holds angular
    /// momenta, those).
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_inertia(&mut self, inertia: Inertia) -> Result<(), Error> {
        self.may_change()?;
        self.inertias = Inertias::Shared(inertia);
        Ok(())
    }

    /// Each body's own inertia, from a function of its index.
    ///
    /// # Errors
    /// What the function fails with, and [`Error::Memory`]; then nothing has changed.
    pub fn set_inertias(&mut self, inertia: impl Fn(usize) -> Result<Inertia, Error>) -> Result<(), Error> {
        self.may_change()?;
        self.inertias = Inertias::each(self.count, inertia)?;
        Ok(())
    }

    /// Orientation of a body, `w, x, y, z`, body to world.
    pub fn orientation(&self, body: usize) -> [f64; 4] {
        let [w, x, y, z, ..] = self.state(body);
        [w, x, y, z]
    }

    /// Angular velocity of a body, world frame.
    pub fn angular_velocity(&self, body: usize) -> [f64; 3] {
        let [w, x, y, z, a, b, c] = self.state(body);
        Quat([w, x, y, z]).to_world(Vec3([a, b, c])).0
    }

    /// Angular velocity of a body, body frame: the number that an ensemble with its own memory keeps.
    pub fn angular_velocity_body(&self, body: usize) -> [f64; 3] {
        let [.., a, b, c] = self.state(body);
        [a, b, c]
    }

    /// Sets a body's orientation, `w, x, y, z`; its angular velocity in the world frame stays.
    ///
    /// # Errors
    /// Those of [`Body::new`](crate::Body::new).
    pub fn set_orientation(&mut self, body: usize, orientation: [f64; 4]) -> Result<(), Error> {
        self.assert_has(body);
        self.may_change()?;
        let q = rotation::checked("orientation", orientation)?;
        self.write_some(body, 1, |_, state| with_orientation(state, q.0));
        Ok(())
    }

    /// Sets a body's angular velocity, world frame.
    ///
    /// # Errors
    /// It must be finite and below 1e154 rad/s.
    pub fn set_angular_velocity(&mut self, body: usize, omega_world: [f64; 3]) -> Result<(), Error> {
        self.assert_has(body);
        self.may_change()?;
        let omega = crate::body::checked_omega("angular_velocity", omega_world.into())?;
        self.write_some(body, 1, |_, state| with_angular_velocity(state, omega));
        Ok(())
    }

    /// Which bodies move, by index, strictly ascending; `None`: all. The others keep their states.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a list that is not ascending or leaves the ensemble, [`Error::Memory`].
    pub fn set_active(&mut self, bodies: Option<&[usize]>) -> Result<(), Error> {
        self.may_change()?;
        let Some(bodies) = bodies else {
            self.active = None;
            return Ok(());
        };
        if !bodies.is_sorted_by(|a, b| a < b) {
            return Err(Error::Invalid { name: "indices", must: "must be strictly ascending" });
        }
        if bodies.last().is_some_and(|&last| last >= self.count) {
            return Err(Error::Invalid { name: "indices", must: "must be below the number of bodies" });
        }
        let mut list = Vec::new();
        list.try_reserve_exact(bodies.len())?;
        list.extend_from_slice(bodies);
        self.reserve_done()?;
        self.active = Some(list);
        Ok(())
    }

    /// How many threads step the ensemble; 1 is the caller's own. With more, a callback is called from several at once.
    ///
    /// # Errors
    /// [`Error::Invalid`] for 0, [`Error::Memory`] where the threads cannot be started.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.settled()?;
        if threads == 0 {
            return Err(Error::Invalid { name: "threads", must: "must be at least 1" });
        }
        let scratch = scratches(threads)?;
        self.threads = if threads == 1 { None } else { Some(Threads::start(threads)?) };
        self.scratch = scratch;
        Ok(())
    }

    /// A torque that is asked for a chunk of bodies at a time.
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_torque(&mut self, torque: Box<dyn ChunkTorque>, layout: Layout, frame: Frame) -> Result<(), Error> {
        self.put_torque(EnsembleTorque::Callback { torque, layout, frame })
    }

    /// No torque.
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_free(&mut self) -> Result<(), Error> {
        self.put_torque(EnsembleTorque::Ready(ReadyMade::Free))
    }

    /// Jeffery's torque of a linear flow on ellipsoids, all of one shape; see [`ShearFlow`](crate::torque::ShearFlow).
    ///
    /// # Errors
    /// Semi-axes and viscosity must be finite and positive, the velocity gradient (row-major) finite.
    pub fn set_shear_flow(&mut self, semi_axes: [f64; 3], viscosity: f64, gradient: [f64; 9]) -> Result<(), Error> {
        let flow = LinearFlow::new(finite("velocity_gradient", gradient)?);
        let (strain, spin) = resistances(semi_axes, viscosity)?;
        let ([a, b, c], [d, e, f]) = (strain.0, spin.0);
        let resistances = Parameter::Shared([a, b, c, d, e, f]);
        self.put_torque(EnsembleTorque::Ready(ReadyMade::ShearFlow { resistances, flow }))
    }

    /// Refuses a change in the middle of a step. After it the steps so far cannot be taken again.
    pub(crate) fn may_change(&mut self) -> Result<(), Error> {
        self.settled()?;
        self.retake = None;
        Ok(())
    }

    pub(crate) fn put_torque(&mut self, torque: EnsembleTorque) -> Result<(), Error> {
        self.may_change()?;
        self.torque = torque;
        Ok(())
    }

    /// `K` numbers for each body, from a function of its index.
    pub(crate) fn parameter<const K: usize>(
        &self,
        numbers: impl Fn(usize) -> Result<[f64; K], Error>,
    ) -> Result<Parameter<K>, Error> {
        let mut each = blocks::filled(self.count, [0.0; K])?;
        for body in 0..self.count {
            blocks::set(&mut each, body, numbers(body).map_err(|error| at_body(body, error))?);
        }
        Ok(Parameter::Each(each))
    }

    /// One step of all (active) bodies; negative: backwards in time; 0: nothing happens.
    ///
    /// # Errors
    /// Those of [`Body::step`](crate::Body::step), with the first body concerned; then no body has moved.
    pub fn step(&mut self, dt: f64) -> Result<(), Error> {
        self.settled()?;
        let [dt] = finite("dt", [dt])?;
        if dt == 0.0 {
            return Ok(());
        }
        self.sweep(dt, 1).map_err(|(_, error)| error)
    }

    /// Many steps; the bits, and what failures leave, are those of [`Ensemble::step`] that many times.
    ///
    /// # Errors
    /// Those of [`Ensemble::step`], with the number of steps that stand.
    pub fn advance(&mut self, dt: f64, steps: u64) -> Result<(), Interrupted> {
        let refused = |error| Interrupted { completed: 0, error };
        self.settled().map_err(refused)?;
        let [dt] = finite("dt", [dt]).map_err(refused)?;
        if dt == 0.0 {
            return Ok(());
        }
        let fused = if matches!(self.torque, EnsembleTorque::Ready(_)) { FUSED } else { 1 };
        let mut completed = 0;
        while completed < steps {
            let now = fused.min(steps - completed);
            match self.sweep(dt, now) {
                Ok(()) => completed += now,
                Err((before, error)) => {
                    // The steps before the one that failed are taken again, without it.
                    if before > 0 {
                        self.sweep(dt, before).map_err(|(_, error)| Interrupted { completed, error })?;
                    }
                    return Err(Interrupted { completed: completed + before, error });
                }
            }
        }
        Ok(())
    }

    /// Takes some steps, or none; then gives how many could have been taken.
    fn sweep(&mut self, h: f64, steps: u64) -> Result<(), (u64, Error)> {
        let (gathers, positions) = (self.gathers(), self.positions());
        let threads = self.threads.as_ref().filter(|_| !gathers || self.binding.is_whole());
        let grain = sweep::grain(positions, threads.map_or(1, Threads::count));
        let retakes = !gathers && positions > CHUNK && matches!(self.torque, EnsembleTorque::Ready(_));
        let since = self.retake.take().filter(|since| {
            retakes && since.h.to_bits() == h.to_bits() && since.steps.saturating_add(steps) <= Retake::MOST
        });

        self.done.fill(false);
        let sweep = Sweep::<M> {
            inertias: &self.inertias,
            torque: &self.torque,
            binding: &self.binding,
            active: self.active.as_deref(),
            way: match since {
                _ if gathers => Way::Gathered,
                None => Way::Across,
                Some(_) => Way::InPlace,
            },
            clock: self.clock,
            h,
            steps,
            method: PhantomData,
        };
        let (own, spare, scratch) = (&mut self.own, &mut self.spare, &mut self.scratch);
        let done = &mut self.done[..if gathers { positions.div_ceil(CHUNK) } else { 0 }];
        let mut run = |sweep: &Sweep<M>, part: Part| match threads {
            Some(threads) if positions > grain => sweep.run(part, grain, threads, scratch),
            _ if (1..=CHUNK).contains(&positions) && !gathers => sweep.single(part, &mut scratch[0]),
            _ => sweep.chunks(part, &mut scratch[0]),
        };
        let outcome =
            catch_unwind(AssertUnwindSafe(|| run(&sweep, Part { first: 0, count: positions, own, spare, done })));
        match outcome.unwrap_or_else(|panic| {
            // of a callback in Rust: it goes on when the states are as before
            if gathers {
                sweep.undo(Part { first: 0, count: positions, own, spare, done });
            }
            resume_unwind(panic)
        }) {
            Ok(()) => {
                if sweep.way == Way::Across {
                    std::mem::swap(own, spare);
                }
                self.retake = retakes.then_some(Retake { h, steps: since.map_or(0, |since| since.steps) + steps });
                for _ in 0..steps {
                    self.clock.advance(h);
                }
                Ok(())
            }
            Err(setback) => {
                if gathers {
                    sweep.undo(Part { first: 0, count: positions, own, spare, done });
                } else if let Some(since) = since {
                    let again = Sweep { way: Way::Across, steps: since.steps, ..sweep };
                    // it went well before
                    let _ = run(&again, Part { first: 0, count: positions, own: spare, spare: own, done });
                    self.retake = Some(since);
                }
                Err((setback.step, setback.error))
            }
        }
    }

    /// Rotational energy of a body.
    pub fn kinetic_energy(&self, body: usize) -> f64 {
        self.energy_of(body, self.state(body))
    }

    /// Angular momentum of a body, world frame.
    pub fn angular_momentum(&self, body: usize) -> Vector3<f64> {
        self.momentum_of(body, self.state(body)).into()
    }

    /// Rotational energy of all bodies, summed in the order of their indices.
    pub fn total_kinetic_energy(&self) -> f64 {
        let mut sum = Clock::default(); // a compensated sum
        self.read_states(|body, state| sum.advance(self.energy_of(body, state)));
        sum.now()
    }

    /// Angular momentum of all bodies (their spins; not of their motion), world frame, summed in the order of their indices.
    pub fn total_angular_momentum(&self) -> Vector3<f64> {
        let mut sums = [Clock::default(); 3];
        self.read_states(|body, state| {
            let momentum = self.momentum_of(body, state);
            sums.iter_mut().zip(momentum).for_each(|(sum, part)| sum.advance(part));
        });
        sums.map(|sum| sum.now()).into()
    }

    pub(crate) fn energy_of(&self, body: usize, [.., a, b, c]: [f64; 7]) -> f64 {
        self.inertias.of::<f64>(&Bodies::From(body), 0).kinetic_energy(Vec3([a, b, c]))
    }

    pub(crate) fn momentum_of(&self, body: usize, [w, x, y, z, a, b, c]: [f64; 7]) -> [f64; 3] {
        let momentum_body = self.inertias.of::<f64>(&Bodies::From(body), 0).angular_momentum(Vec3([a, b, c]));
        Quat([w, x, y, z]).to_world(momentum_body).0
    }

    /// Puts the orientations into the caller's array, where they are from now on. Its contents become the orientations.
    ///
    /// # Errors
    /// Each must be an orientation; then nothing has changed.
    pub(crate) fn bind_orientations(&mut self, array: Box<dyn BoundArray>) -> Result<(), Error> {
        self.may_change()?;
        self.reserve_done()?;
        let mut one = [Block::filled([0.0; 7])];
        for body in 0..self.count {
            array.gather(&Bodies::From(body), 1, &mut one, 0);
            let [w, x, y, z, ..] = one[0].get(0);
            rotation::checked("data", [w, x, y, z]).map_err(|error| at_body(body, error))?;
        }
        // An array that was bound before is read and not written; it may overlap this one.
        if self.binding.angular_velocities.is_none() {
            for body in 0..self.count {
                array.gather(&Bodies::From(body), 1, &mut one, 0);
                let [w, x, y, z, ..] = one[0].get(0);
                // the angular velocity in the world frame stays, as for set_orientation
                let state = with_orientation(self.state(body), rotation::checked("data", [w, x, y, z])?.0);
                blocks::set(&mut self.own, body, state);
            }
        }
        for body in 0..self.count {
            array.gather(&Bodies::From(body), 1, &mut one, 0);
            let [w, x, y, z, a, b, c] = one[0].get(0);
            let q = rotation::checked("data", [w, x, y, z])?.0;
            one[0].set(0, [q[0], q[1], q[2], q[3], a, b, c]);
            array.scatter(&Bodies::From(body), 1, &one, 0);
        }
        self.binding.orientations = Some(array);
        Ok(())
    }

    /// Puts the angular velocities into the caller's array, where they are from now on. Its contents become the angular
    /// velocities.
    ///
    /// # Errors
    /// Each must be finite; then nothing has changed.
    pub(crate) fn bind_angular_velocities(&mut self, array: Box<dyn BoundArray>, kind: Kind) -> Result<(), Error> {
        self.may_change()?;
        self.reserve_done()?;
        let mut one = [Block::filled([0.0; 7])];
        for body in 0..self.count {
            array.gather(&Bodies::From(body), 1, &mut one, 0);
            let [omega @ .., _, _, _, _] = one[0].get(0);
            let omega = Vec3(omega);
            if !omega.dot(omega).is_finite() {
                return Err(Error::AtBody { body, reason: "`data` is not finite, or too great" });
            }
        }
        self.binding.angular_velocities = Some((array, kind));
        Ok(())
    }

    fn reserve_done(&mut self) -> Result<(), Error> {
        let chunks = self.count.div_ceil(CHUNK);
        self.done.try_reserve_exact(chunks - self.done.len().min(chunks))?;
        self.done.resize(chunks, false);
        Ok(())
    }

    /// Whether states are gathered from where they are, and scattered.
    fn gathers(&self) -> bool {
        !self.binding.is_empty() || self.active.is_some()
    }

    /// How many bodies move.
    pub(crate) fn positions(&self) -> usize {
        self.active.as_ref().map_or(self.count, Vec::len)
    }

    /// The states of some bodies, the angular velocity in the body frame.
    fn gather(&self, bodies: &Bodies, count: usize, to: StatesMut) {
        let mut raw = [Block::filled([0.0; 7]); CHUNK_BLOCKS];
        let raw = &mut raw[..blocks_for(count)];
        self.binding.gather(&self.own, bodies, count, raw);
        // what the caller wrote into an array is judged when a step is taken, not when it is read
        let _ = self.binding.convert(&self.inertias, bodies, count, raw, to);
    }

    /// And back; what was in `states` is lost.
    fn scatter(&mut self, bodies: &Bodies, count: usize, states: StatesMut) {
        // a setter's numbers are below 1e154: only an absurd inertia makes more of them
        let _ = self.binding.convert_back(&self.inertias, bodies, count, states, self.clock.now());
        self.binding.scatter(&mut self.own, bodies, count, states);
    }

    /// `w, x, y, z, ω₁, ω₂, ω₃` (body frame) of a body.
    fn state(&self, body: usize) -> [f64; 7] {
        self.assert_has(body);
        let mut one = [Block::filled([0.0; 7])];
        self.gather(&Bodies::From(body), 1, &mut one);
        one[0].get(0)
    }

    fn assert_has(&self, body: usize) {
        assert!(body < self.count, "body {body} of {}", self.count);
    }

    /// Gives `(body, w, x, y, z, ω₁, ω₂, ω₃)` of all bodies in turn, the angular velocity in the body frame.
    pub(crate) fn read_states(&self, mut read: impl FnMut(usize, [f64; 7])) {
        let mut tile = [Block::filled([0.0; 7]); CHUNK_BLOCKS];
        for first in (0..self.count).step_by(CHUNK) {
            let count = (self.count - first).min(CHUNK);
            self.gather(&Bodies::From(first), count, &mut tile);
            (0..count).for_each(|i| read(first + i, blocks::get(&tile, i)));
        }
    }

    /// Replaces the state of every body by what `write` makes of it.
    pub(crate) fn write_states(&mut self, mut write: impl FnMut(usize, [f64; 7]) -> [f64; 7]) {
        for first in (0..self.count).step_by(CHUNK) {
            self.write_some(first, (self.count - first).min(CHUNK), &mut write);
        }
    }

    fn write_some(&mut self, first: usize, count: usize, mut write: impl FnMut(usize, [f64; 7]) -> [f64; 7]) {
        let (mut tile, bodies) = ([Block::filled([0.0; 7]); CHUNK_BLOCKS], &Bodies::From(first));
        let tile = &mut tile[..blocks_for(count)];
        self.gather(bodies, count, tile);
        for i in 0..count {
            blocks::set(tile, i, write(first + i, blocks::get(tile, i)));
        }
        self.scatter(bodies, count, tile);
    }
}

fn scratches(count: usize) -> Result<Vec<Scratch>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(count)?;
    all.resize_with(count, Scratch::new);
    Ok(all)
}

/// A state turned to another orientation; its angular velocity in the world stays.
pub(crate) fn with_orientation([w, x, y, z, a, b, c]: [f64; 7], q: [f64; 4]) -> [f64; 7] {
    let omega_world = Quat([w, x, y, z]).to_world(Vec3([a, b, c]));
    let ([w, x, y, z], [a, b, c]) = (q, (Quat(q).to_body(omega_world) + Vec3::splat(0.0)).0);
    [w, x, y, z, a, b, c]
}

/// A state with another angular velocity, world frame.
pub(crate) fn with_angular_velocity([w, x, y, z, ..]: [f64; 7], omega_world: Vec3<f64>) -> [f64; 7] {
    let [a, b, c] = (Quat([w, x, y, z]).to_body(omega_world) + Vec3::splat(0.0)).0;
    [w, x, y, z, a, b, c]
}

pub(crate) fn at_body(body: usize, error: Error) -> Error {
    let reason = match error {
        Error::NotUnit { .. } => "the orientation is not within 1e-3 of unit length",
        Error::NotFinite { .. } => "a number is not finite",
        Error::InertiaNotSymmetric { .. } => "the inertia is not symmetric",
        Error::InertiaNotPositive { .. } => "the inertia is not positive definite",
        Error::InertiaOutOfRange { .. } => "the inertia is out of range",
        Error::Invalid { must, .. } => must,
        other => return other,
    };
    Error::AtBody { body, reason }
}
