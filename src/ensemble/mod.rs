//! Many rigid bodies: blocks of states, chunks, threads, stages.
//! Each body is computed with the same operations as a [`Body`](crate::Body), but in lanes. Its bits depend neither on the
//! number of bodies or threads nor on the instruction set. The crate documentation shows how a step runs through these modules.

mod access;
mod active;
mod bind;
mod binding;
mod convert;
mod drag;
mod exchange;
mod explain;
mod kicks;
mod lanes;
mod newcomers;
mod open;
mod parameters;
mod part;
mod population;
mod protocol;
mod rows;
mod stages;
mod steps;
mod stores;
mod sweep;
mod torque;
mod totals;
mod undo;

pub use convert::VelocityKind;
pub use protocol::Progress;
pub use rows::Parts;
pub use torque::ChunkTorque;

use crate::clock::Clock;
use crate::error::{Error, Failure, check_steps, finite};
use crate::inertia::Inertia;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, Layout, View, blocks_for};
use crate::method::{Choice, Method};
use crate::threads::Threads;
use active::Active;
use binding::Bound;
use exchange::Scratch;
use lanes::CHUNK;
use nalgebra::Vector3;
use parameters::Inertias;
use part::Part;
use sweep::Sweep;
use torque::{EnsembleTorque, ReadyMade};
use undo::Retake;

/// The state of a body as created.
const AT_REST: [f64; 7] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// The most steps that a sweep takes under a ready-made torque. Under a callback it takes one.
const MOST_STEPS_PER_SWEEP: u64 = 256;

/// The most threads of an ensemble.
pub(crate) const MOST_THREADS: usize = 1024;

/// Rigid bodies that step together, with one clock, one method and one kind of torque. The ensemble owns the memory of the
/// states, or borrows the caller's arrays for `'a`: see [`Ensemble::bind_orientations`].
///
/// ```
/// use nalgebra::Vector3;
/// use quatint::{Ensemble, Inertia};
///
/// // A thousand bodies rotate freely, each with its own spin.
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
    /// The states; unused where the caller's arrays hold them.
    own: Vec<Block<7>>,
    /// A second set of states: before a step, after it, or of a stage.
    spare: Vec<Block<7>>,
    retake: Option<Retake>,
    bound: Bound<'a>,
    inertias: Inertias,
    torque: EnsembleTorque,
    active: Active,
    /// Whether the spare blocks hold the states of the bodies that do not move, where only the first ones move.
    rest_is_copied: bool,
    clock: Clock,
    threads: Option<Threads>,
    /// For each chunk: whether the current sweep has scattered its new states.
    done: Vec<bool>,
    /// For each chunk of bound arrays: a fingerprint of the numbers at the start of a step of the stage protocol.
    gathered: Vec<u64>,
    /// One per thread.
    scratch: Vec<Scratch>,
    pending: protocol::Pending,
    /// What the method keeps from step to step, for all positions; empty if it keeps nothing.
    saved: Vec<Column>,
    /// A second set: after a step, or between the stages of the stage protocol.
    saved_spare: Vec<Column>,
    /// A third set: before a step that asks anew for torques.
    saved_before: Vec<Column>,
    /// Whether `saved` contains the last torque, if the method keeps it.
    known_torque: Option<undo::TorqueFrom>,
    /// Whether bodies may have come since whose last torque is not known.
    may_have_newcomers: bool,
    stage_layout: Layout,
    callback_result: i32,
    predicted: Option<kicks::Predicted<'a>>,
    drag: Option<drag::Drag>,
    /// The last time step.
    last_h: f64,
}

impl<'a> Ensemble<'a> {
    /// Creates `count` bodies: orientation identity, at rest, unit inertia, no torque, time 0, method PCDM.
    /// Errors: [`Error::Memory`].
    pub fn new(count: usize) -> Result<Self, Failure> {
        Ok(Ensemble {
            count,
            method: Method::default(),
            own: memory::filled(count, AT_REST)?,
            spare: memory::filled(count, AT_REST)?,
            retake: None,
            bound: Bound::nothing(),
            inertias: Inertias::Shared(Inertia::from_moments(Vector3::repeat(1.0))?),
            torque: EnsembleTorque::Ready(ReadyMade::Free),
            active: Active::All,
            rest_is_copied: false,
            clock: Clock::default(),
            threads: None,
            done: Vec::new(),
            gathered: Vec::new(),
            scratch: Scratch::each(1)?,
            pending: protocol::Pending::Nothing,
            saved: Vec::new(),
            saved_spare: Vec::new(),
            saved_before: Vec::new(),
            known_torque: None,
            may_have_newcomers: false,
            stage_layout: Layout::Aos,
            callback_result: 0,
            predicted: None,
            drag: None,
            last_h: 0.0,
        })
    }

    /// The number of bodies.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The integration method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Chooses the integration method. A method that keeps the last torque asks for it anew.
    /// Errors: [`Error::Invalid`] if the method does not allow the torque; [`Error::Memory`]; [`Error::Order`] in the middle of a step.
    pub fn set_method(&mut self, method: Method) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let choice = Choice { method, ..self.choice() };
        choice.check("method")?;
        self.reserve_for(choice)?;
        self.begin_change()?;
        self.method = method;
        Ok(())
    }

    /// The clock of all bodies; see [`Body::time`](crate::Body::time).
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Sets the clock. Errors: [`Error::NotFinite`], [`Error::Order`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [time] = finite("time", [time])?;
        self.known_torque = None;
        self.clock = Clock::at(time);
        Ok(())
    }

    /// The whole clock, time and what rounding has left: see [`Body::clock`](crate::Body::clock).
    pub fn clock(&self) -> [f64; 2] {
        self.clock.whole()
    }

    /// Restores the clock. Errors: as [`Ensemble::set_time`].
    pub fn set_clock(&mut self, clock: [f64; 2]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let clock = finite("clock", clock)?;
        self.known_torque = None;
        self.clock = Clock::of(clock);
        Ok(())
    }

    /// Sets one inertia for all bodies. The angular velocities stay, or the angular momenta where a bound array holds them.
    /// Errors: [`Error::Order`] in the middle of a step.
    pub fn set_inertia(&mut self, inertia: Inertia) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::Shared(inertia))
    }

    /// Sets an inertia tensor for each body, row-major; see [`Inertia::new`]. Otherwise as [`Ensemble::set_inertia`].
    /// Errors: as [`Inertia::new`], with the first invalid body; [`Error::Memory`], [`Error::Order`]. Then nothing has changed.
    pub fn set_inertias(&mut self, tensors: View<9>) -> Result<(), Failure> {
        self.check_count(&tensors)?;
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::new(tensors)?)
    }

    /// Sets the principal moments of each body; the principal axes are the body axes. Otherwise as [`Ensemble::set_inertias`].
    pub fn set_principal_inertias(&mut self, moments: View<3>) -> Result<(), Failure> {
        self.check_count(&moments)?;
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::from_moments(moments)?)
    }

    fn replace_inertias(&mut self, inertias: Inertias) -> Result<(), Failure> {
        self.check_bound_momenta(self.active_bodies().map(|body| (body, inertias.moments(body))))?;
        self.begin_change()?;
        self.inertias = inertias;
        Ok(())
    }

    /// Sets the number of threads, including the caller's. With more than one, several threads call a callback at once.
    /// After a fork, the child has none of the others, and steps on one thread.
    /// Errors: [`Error::Invalid`] for 0 or more than 1024, [`Error::Memory`] if the threads cannot be started, [`Error::Order`].
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(Error::Invalid { name: "threads", must: "must be from 1 to 1024" }.into());
        }
        let scratch = Scratch::each(threads)?;
        self.threads = if threads == 1 { None } else { Some(Threads::start(threads)?) };
        self.scratch = scratch;
        Ok(())
    }

    /// Takes one step of length `dt` of all (active) bodies. Negative: backwards in time; 0: does nothing.
    /// Errors: as [`Body::step`](crate::Body::step), with the first failed body (in a chunk: at the earliest stage). No body has moved.
    pub fn step(&mut self, dt: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        if dt == 0.0 {
            return Ok(());
        }
        self.clock.advanced(dt)?;
        self.sweep(dt, 1).map_err(|failure| self.explained(failure, dt))
    }

    /// Takes many steps. Results and failures are the same, bit for bit, as those of as many calls of [`Ensemble::step`].
    /// Errors: as [`Ensemble::step`], with the number of completed steps; their result stays.
    pub fn advance(&mut self, dt: f64, steps: u64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        if dt == 0.0 {
            return Ok(());
        }
        let clock_stays_finite = (self.time() + dt * steps as f64).is_finite();
        let is_fused = matches!(self.torque, EnsembleTorque::Ready(_)) && clock_stays_finite;
        let fused = if is_fused { MOST_STEPS_PER_SWEEP } else { 1 };
        let mut completed = 0;
        while completed < steps {
            self.clock.advanced(dt).map_err(|error| Failure::from(error).after(completed))?;
            let now = fused.min(steps - completed);
            if let Err(failure) = self.sweep(dt, now) {
                // retakes the steps before the one that failed
                if failure.completed > 0 {
                    self.sweep(dt, failure.completed).map_err(|failure| failure.after(completed))?;
                }
                return Err(self.explained(failure, dt).after(completed));
            }
            completed += now;
        }
        Ok(())
    }

    /// The return value of the torque callback that last stopped a step; 0 if none has.
    pub fn callback_result(&self) -> i32 {
        self.callback_result
    }

    /// Refuses a change in the middle of a step. Discards what is needed to retake the steps so far, and the last torque.
    fn begin_change(&mut self) -> Result<(), Error> {
        self.check_no_step_begun()?;
        self.retake = None;
        self.known_torque = None;
        self.rest_is_copied = false;
        Ok(())
    }

    /// Refuses an array that does not have `count` bodies.
    fn check_count<const K: usize>(&self, array: &View<K>) -> Result<(), Error> {
        if array.count() == self.count {
            return Ok(());
        }
        Err(Error::Capacity { name: array.name(), needed: self.count as u64, given: array.count() as u64 })
    }

    /// Refuses a list with a body that there is not.
    fn check_indices(&self, name: &'static str, bodies: &[usize]) -> Result<(), Error> {
        if bodies.iter().all(|&body| body < self.count) {
            return Ok(());
        }
        Err(Error::Invalid { name, must: "must be below the number of bodies" })
    }

    /// Makes room for what a method saves.
    fn reserve_for(&mut self, choice: Choice) -> Result<(), Error> {
        let columns = choice.saved_numbers() * blocks_for(self.count);
        if choice.keeps_torque() {
            reserve(&mut self.saved, columns)?;
            reserve(&mut self.saved_before, columns)?;
        }
        reserve(&mut self.saved_spare, columns)
    }

    fn reserve_done(&mut self) -> Result<(), Error> {
        let chunks = self.count.div_ceil(CHUNK);
        memory::make_room(&mut self.done, chunks)?;
        memory::make_room(&mut self.gathered, chunks)?;
        self.done.resize(chunks, false);
        self.gathered.resize(chunks, 0);
        Ok(())
    }

    fn gathers(&self) -> bool {
        !self.bound.is_empty() || matches!(self.active, Active::Listed(_))
    }
}

/// Makes room for `columns` columns.
fn reserve(saved: &mut Vec<Column>, columns: usize) -> Result<(), Error> {
    memory::make_room(saved, columns)?;
    saved.resize(columns, [0.0; MOST_LANES]);
    Ok(())
}

/// Runs a sweep; on several threads if there is enough work to share.
fn run(
    sweep: &Sweep,
    part: Part,
    bound: &mut Bound,
    threads: Option<&mut Threads>,
    scratch: &mut [Scratch],
) -> Result<(), Failure> {
    let grain = sweep::grain(part.count, threads.as_ref().map_or(1, |threads| threads.count()));
    match threads {
        Some(threads) if part.count > grain => sweep.run(part, bound, grain, threads, scratch),
        _ => sweep.chunks(part, bound, &mut scratch[0]),
    }
}
