//! Many rigid bodies: blocks of states, chunks, threads, stages.
//!
//! The arithmetic of a body in an ensemble is that of a [`Body`](crate::Body), on blocks of lanes. So are its bits, whatever the
//! number of bodies, of threads, and the instruction set.
//!
//! A step goes this way:
//!
//! ```text
//!     Ensemble::step     undo       takes steps, or restores the states
//!         sweep                     all chunks, by one thread or several; binding and convert where arrays are bound
//!             steps                 whole steps of a chunk in one loop: common ready-made torques
//!             exchange, stages      show the states, ask the torque, take the stage: callbacks, other methods and torques
//!     Ensemble::next_stage
//!         protocol
//!             stages                the same stages for all bodies, around torques that the caller computes
//! ```

mod access;
mod binding;
mod convert;
mod exchange;
mod lanes;
mod parameters;
mod protocol;
mod stages;
mod steps;
mod sweep;
mod threads;
mod torque;
mod undo;

pub use convert::VelocityKind;
pub use protocol::Progress;
pub use torque::ChunkTorque;

use crate::clock::Clock;
use crate::error::{Error, Failure, finite};
use crate::inertia::Inertia;
use crate::kernel::MOST_LANES;
use crate::memory::{self, Block, Layout, View};
use crate::method::Method;
use binding::Bound;
use exchange::Scratch;
use lanes::CHUNK;
use nalgebra::Vector3;
use parameters::Inertias;
use sweep::{Part, Sweep, Way};
use threads::Threads;
use torque::{EnsembleTorque, ReadyMade};
use undo::Retake;

/// Steps that are taken at once, chunk by chunk, where nothing needs all bodies at the same time.
const FUSED: u64 = 256;

/// Rigid bodies that step together, with one clock, one method and one kind of torque.
///
/// The states lie in memory of the ensemble's own, or in arrays that it borrows for `'a`: see
/// [`Ensemble::bind_orientations`].
///
/// ```
/// use nalgebra::Vector3;
/// use quatint::{Ensemble, Inertia};
///
/// // A thousand bodies in free fall, each with a spin of its own.
/// let mut bodies = Ensemble::new(1000)?;
/// bodies.set_inertia(Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5))?)?;
/// for i in 0..1000 {
///     bodies.set_angular_velocity(i, [0.1, 0.001 * i as f64, 1.0])?;
/// }
/// let before = bodies.total_angular_momentum();
/// bodies.advance(1e-3, 1000)?;
/// let change = bodies.total_angular_momentum() - before;
/// assert!(change.norm() < 1e-6 * before.norm());
/// # Ok::<(), quatint::Failure>(())
/// ```
pub struct Ensemble<'a> {
    count: usize,
    method: Method,
    /// The states, where they are not in the caller's arrays.
    own: Vec<Block<7>>,
    /// The states after the step, or before it, or of a stage.
    spare: Vec<Block<7>>,
    retake: Option<Retake>,
    bound: Bound<'a>,
    inertias: Inertias,
    torque: EnsembleTorque,
    active: Option<Vec<usize>>,
    clock: Clock,
    threads: Option<Threads>,
    /// Chunks that have been advanced where they are, in the sweep that is under way.
    done: Vec<bool>,
    /// One for each thread.
    scratch: Vec<Scratch>,
    pending: protocol::Pending,
    /// What the method remembers of all bodies between the stages of the protocol.
    stage_memory: Vec<[f64; MOST_LANES]>,
    stage_layout: Layout,
    callback_result: i32,
}

impl<'a> Ensemble<'a> {
    /// `count` bodies at the identity, at rest, with unit inertia and no torque, their clock at 0, advanced by PCDM.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub fn new(count: usize) -> Result<Self, Failure> {
        let at_rest = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        Ok(Ensemble {
            count,
            method: Method::default(),
            own: memory::filled(count, at_rest)?,
            spare: memory::filled(count, at_rest)?,
            retake: None,
            bound: Bound::nothing(),
            inertias: Inertias::Shared(Inertia::from_moments(Vector3::repeat(1.0))?),
            torque: EnsembleTorque::Ready(ReadyMade::Free),
            active: None,
            clock: Clock::default(),
            threads: None,
            done: Vec::new(),
            scratch: Scratch::each(1)?,
            pending: protocol::Pending::Nothing,
            stage_memory: Vec::new(),
            stage_layout: Layout::Aos,
            callback_result: 0,
        })
    }

    /// How many bodies.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The method that advances them.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Chooses the method.
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_method(&mut self, method: Method) -> Result<(), Failure> {
        self.may_change()?;
        self.method = method;
        Ok(())
    }

    /// The clock of all bodies; see [`Body::time`](crate::Body::time).
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Sets the clock.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::Order`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Failure> {
        self.settled()?;
        let [time] = finite("time", [time])?;
        self.clock = Clock::at(time);
        Ok(())
    }

    /// One inertia for all bodies. The angular velocities stay; where a bound array holds angular momenta, those stay.
    ///
    /// # Errors
    /// [`Error::Order`] in the middle of a step.
    pub fn set_inertia(&mut self, inertia: Inertia) -> Result<(), Failure> {
        self.may_change()?;
        self.inertias = Inertias::Shared(inertia);
        Ok(())
    }

    /// An inertia tensor for each body, row-major; see [`Inertia::new`]. Otherwise as [`Ensemble::set_inertia`].
    ///
    /// # Errors
    /// Those of [`Inertia::new`], with the first body concerned; [`Error::Memory`], [`Error::Order`]. Then nothing has changed.
    pub fn set_inertias(&mut self, tensors: View<9>) -> Result<(), Failure> {
        self.fits(&tensors)?;
        self.settled()?;
        let inertias = Inertias::new(tensors)?;
        self.may_change()?;
        self.inertias = inertias;
        Ok(())
    }

    /// Which bodies move, by index, strictly ascending; `None`: all. The others keep their states.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a list that is not ascending or leaves the ensemble, [`Error::Memory`], [`Error::Order`].
    pub fn set_active(&mut self, bodies: Option<&[usize]>) -> Result<(), Failure> {
        self.may_change()?;
        let Some(bodies) = bodies else {
            self.active = None;
            return Ok(());
        };
        if !bodies.is_sorted_by(|a, b| a < b) {
            return Err(Error::Invalid { name: "indices", must: "must be strictly ascending" }.into());
        }
        if bodies.last().is_some_and(|&last| last >= self.count) {
            return Err(Error::Invalid { name: "indices", must: "must be below the number of bodies" }.into());
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
    /// [`Error::Invalid`] for 0, [`Error::Memory`] where the threads cannot be started, [`Error::Order`].
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Failure> {
        self.settled()?;
        if threads == 0 {
            return Err(Error::Invalid { name: "threads", must: "must be at least 1" }.into());
        }
        let scratch = Scratch::each(threads)?;
        self.threads = if threads == 1 { None } else { Some(Threads::start(threads)?) };
        self.scratch = scratch;
        Ok(())
    }

    /// One step of all (active) bodies, of length `dt` in units of time; negative: backwards in time; 0: nothing happens.
    ///
    /// # Errors
    /// Those of [`Body::step`](crate::Body::step), with the first body concerned; then no body has moved. (Among the 64 bodies of
    /// a chunk, "first" means at the earliest stage that fails.)
    pub fn step(&mut self, dt: f64) -> Result<(), Failure> {
        self.settled()?;
        let [dt] = finite("dt", [dt])?;
        if dt == 0.0 { Ok(()) } else { self.sweep(dt, 1) }
    }

    /// Many steps; the bits, and what failures leave, are those of [`Ensemble::step`] that many times.
    ///
    /// # Errors
    /// Those of [`Ensemble::step`], with the number of steps that stand.
    pub fn advance(&mut self, dt: f64, steps: u64) -> Result<(), Failure> {
        self.settled()?;
        let [dt] = finite("dt", [dt])?;
        if dt == 0.0 {
            return Ok(());
        }
        let fused = if matches!(self.torque, EnsembleTorque::Ready(_)) { FUSED } else { 1 };
        let mut completed = 0;
        while completed < steps {
            let now = fused.min(steps - completed);
            if let Err(failure) = self.sweep(dt, now) {
                // the steps before the one that failed are taken again, without it
                if failure.completed > 0 {
                    self.sweep(dt, failure.completed).map_err(|failure| failure.after(completed))?;
                }
                return Err(failure.after(completed));
            }
            completed += now;
        }
        Ok(())
    }

    /// What a torque callback returned when it last stopped a step; 0 where none has.
    pub fn callback_result(&self) -> i32 {
        self.callback_result
    }

    /// Refuses a change in the middle of a step. After it, the steps so far cannot be taken again.
    fn may_change(&mut self) -> Result<(), Error> {
        self.settled()?;
        self.retake = None;
        Ok(())
    }

    /// Refuses an array that does not have a row for each body.
    fn fits<const K: usize>(&self, array: &View<K>) -> Result<(), Error> {
        if array.count() == self.count {
            return Ok(());
        }
        Err(Error::Capacity { name: array.name(), needed: self.count as u64, given: array.count() as u64 })
    }

    fn reserve_done(&mut self) -> Result<(), Error> {
        let chunks = self.count.div_ceil(CHUNK);
        self.done.try_reserve_exact(chunks - self.done.len().min(chunks))?;
        self.done.resize(chunks, false);
        Ok(())
    }

    /// Whether states are gathered from where they are, and scattered.
    fn gathers(&self) -> bool {
        !self.bound.is_empty() || self.active.is_some()
    }

    /// How many bodies move: as many as the arrays of the stage protocol have.
    pub fn positions(&self) -> usize {
        self.active.as_ref().map_or(self.count, Vec::len)
    }
}

/// A sweep, by the threads where there is enough to share.
fn run(
    sweep: &Sweep,
    part: Part,
    bound: &mut Bound,
    threads: Option<&Threads>,
    scratch: &mut [Scratch],
) -> Result<(), Failure> {
    let grain = sweep::grain(part.count, threads.map_or(1, Threads::count));
    match threads {
        Some(threads) if part.count > grain => sweep.run(part, bound, grain, threads, scratch),
        _ if (1..=CHUNK).contains(&part.count) && sweep.way != Way::Gathered => sweep.single(part, &mut scratch[0]),
        _ => sweep.chunks(part, bound, &mut scratch[0]),
    }
}
