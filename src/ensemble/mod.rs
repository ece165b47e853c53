//! Many rigid bodies: blocks of states, chunks, threads, stages. Each body is computed with the
//! same operations as a [`Body`](crate::Body), but in lanes. Its bits depend neither on the number
//! of bodies or threads nor on the instruction set. The crate documentation shows how a step runs
//! through these modules.

mod acting;
mod bodies;
mod lanes;
mod lend;
mod points;
mod population;
mod rows;
mod states;
mod stepping;

pub use acting::torque::ChunkTorque;
pub use states::convert::VelocityKind;
pub use stepping::protocol::Progress;

use crate::error::{Error, Failure, check, check_room, finite};
use crate::inertia::{Inertia, axes_of};
use crate::memory::{self, View};
use crate::method::{Change, Method, Plan};
use crate::{clock::Clock, threads::Threads};
use acting::all::Acting;
use bodies::active::Active;
use bodies::parameters::Inertias;
use nalgebra::Vector3;
use points::loops::Points;
use std::fmt;
use std::sync::Mutex;
use stepping::motion::Motion;
use stepping::protocol::Protocol;

pub(crate) const MOST_THREADS: usize = 1024;

/// Rigid bodies that step together, with one clock, one method and one kind of torque. The ensemble
/// owns the memory of the states, or borrows the caller's arrays for `'a`: see
/// [`Ensemble::bind_orientations`]. A torque callback may borrow for `'t`: see
/// [`Ensemble::set_torque`].
///
/// ```
/// use quatint::nalgebra::Vector3;
/// use quatint::{Ensemble, Inertia};
///
/// // A thousand bodies rotate freely, each with its own spin.
/// let mut bodies = Ensemble::new(1000)?;
/// bodies.set_inertia(Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5))?)?;
/// for i in 0..1000 {
///     bodies.set_angular_velocity(i, Vector3::new(0.1, 0.001 * i as f64, 1.0))?;
/// }
/// let before = bodies.total_angular_momentum();
/// bodies.advance(1e-3, 1000)?;
/// let change = bodies.total_angular_momentum() - before;
/// assert!(change.norm() < 1e-6 * before.norm());
/// # Ok::<(), quatint::Failure>(())
/// ```
pub struct Ensemble<'a, 't> {
    active: Active,
    method: Method,
    inertias: Inertias,
    acting: Acting<'a, 't>,
    points: Option<Box<Points>>,
    motion: Motion<'a>,
    protocol: Protocol,
    /// The return value of the callback that last stopped a step.
    callback_result: i32,
}

impl fmt::Debug for Ensemble<'_, '_> {
    /// What the bodies share: their states may be millions of numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ensemble")
            .field("count", &self.count())
            .field("active", &self.active.moving)
            .field("time", &self.time())
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

impl<'a> Ensemble<'a, '_> {
    /// Creates `count` bodies: orientation identity, at rest, unit inertia, no torque, time 0,
    /// method PCDM. Errors: [`Error::Memory`].
    pub fn new(count: usize) -> Result<Self, Failure> {
        Ok(Ensemble {
            active: Active::all(count),
            method: Method::default(),
            inertias: Inertias::Shared(Inertia::from_moments(Vector3::repeat(1.0))?),
            acting: Acting::nothing(),
            points: None,
            motion: Motion::at_rest(count)?,
            protocol: Protocol::idle(),
            callback_result: 0,
        })
    }

    fn plan(&self) -> &'static Plan {
        self.method.plan(self.acting.what_acts())
    }

    /// How the stage protocol takes its steps: the torque that is set is not used there.
    fn staged_plan(&self) -> &'static Plan {
        self.method.plan(self.acting.what_acts_in_stages())
    }

    /// The number of bodies.
    pub fn count(&self) -> usize {
        self.active.total
    }

    /// The integration method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Chooses the integration method. A method that keeps the last torque asks for it anew.
    /// Errors: [`Error::Invalid`] if the method does not allow the torque; [`Error::Order`] in the
    /// middle of a step.
    pub fn set_method(&mut self, method: Method) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        method.takes(self.acting.what_acts(), "method")?;
        if method == self.method {
            return self.forget_torques();
        }
        self.begin(Change::Motion)?;
        self.method = method;
        Ok(())
    }

    /// The clock of all bodies; see [`Body::time`](crate::Body::time).
    pub fn time(&self) -> f64 {
        self.motion.clock.now()
    }

    /// Sets the clock. Errors: [`Error::NotFinite`], [`Error::Order`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let [time] = finite("time", [time])?;
        self.set_clock([time, 0.0])
    }

    /// The whole clock, time and what rounding has left: see [`Body::clock`](crate::Body::clock).
    pub fn clock(&self) -> [f64; 2] {
        self.motion.clock.0
    }

    /// Restores the clock. A method that keeps the last torque asks for it anew, so a restart sets
    /// the clock before the rows. Errors: as [`Ensemble::set_time`].
    pub fn set_clock(&mut self, clock: [f64; 2]) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let clock = finite("clock", clock)?;
        self.motion.last.forget(Change::Forces);
        self.motion.clock = Clock(clock);
        Ok(())
    }

    /// Sets one inertia for all bodies. The angular velocities stay, but about axes of zero moment;
    /// bound angular momenta stay instead. Errors: [`Error::Order`] in the middle of a step.
    pub fn set_inertia(&mut self, inertia: Inertia) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::Shared(inertia), Change::Motion)
    }

    /// Sets an inertia tensor for each body, row-major; see [`Inertia::new`]. Otherwise as
    /// [`Ensemble::set_inertia`]. Errors: as [`Inertia::new`], with the first invalid body;
    /// [`Error::Memory`], [`Error::Order`]. Then nothing has changed.
    pub fn set_inertias(&mut self, tensors: View<9>) -> Result<(), Failure> {
        self.check_count(&tensors)?;
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::new(tensors)?, Change::Motion)
    }

    /// Sets the principal moments of each body; the principal axes are the body axes. Otherwise as
    /// [`Ensemble::set_inertias`].
    pub fn set_principal_inertias(&mut self, moments: View<3>) -> Result<(), Failure> {
        self.check_count(&moments)?;
        self.check_no_step_begun()?;
        self.replace_inertias(Inertias::from_moments(moments)?, Change::Motion)
    }

    /// Locks body axes of each body, besides those that are locked: bit 0 of its number for x, 1
    /// for y, 2 for z. See [`Inertia::with_locked_axes`]. Errors: [`Error::NotPrincipal`], with the
    /// first such body; [`Error::Invalid`] if one axis is locked and the moments about the other
    /// two differ; [`Error::Capacity`], [`Error::Memory`], [`Error::Order`]. Then nothing has
    /// changed.
    pub fn lock_axes(&mut self, axes: &[i32], are_shared: bool) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let needed = if are_shared { 1 } else { self.count() };
        check_room(axes.len() == needed, "axes", needed, axes.len())?;
        for (body, &axes) in axes.iter().enumerate() {
            axes_of(axes).map_err(|error| Failure::of_body(body, error))?;
        }
        let inertias = self
            .inertias
            .with_locked_axes(self.count(), axes, are_shared)?;
        if (0..self.count()).all(|body| inertias.is_same(&self.inertias, body)) {
            return Ok(self.begin(Change::Forces)?); // the motion goes on
        }
        self.replace_inertias(inertias, Change::Forces)
    }

    /// Of bodies that get another inertia the rates of change are forgotten after any change.
    fn replace_inertias(&mut self, inertias: Inertias, change: Change) -> Result<(), Failure> {
        self.check_bound_momenta(
            self.active_bodies()
                .map(|body| (body, inertias.of_body(body).moments.0)),
        )?;
        self.begin(change)?;
        let others = (0..self.count()).filter(|body| !inertias.is_same(&self.inertias, *body));
        self.motion.last.forget_rates(&self.active, others);
        self.inertias = inertias;
        self.acting.random.forget_prepared();
        self.stop_about_locked_axes(0..self.count());
        Ok(())
    }

    /// Makes a method that keeps the last torques ask for them again in the next step: call it when
    /// something that the torque reads has changed. Errors: [`Error::Order`] in the middle of a
    /// step.
    pub fn forget_torques(&mut self) -> Result<(), Failure> {
        Ok(self.begin(Change::Forces)?)
    }

    /// Sets the number of threads, including the caller's: see `qi_set_ensemble_threads`. Errors:
    /// [`Error::Invalid`] for 0 or more than 1024, [`Error::Memory`] if the threads cannot be
    /// started, [`Error::Order`].
    pub fn set_threads(&mut self, threads: usize) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        check(
            (1..=MOST_THREADS).contains(&threads),
            "threads",
            "must be from 1 to 1024",
        )?;
        self.motion.workers.threads = if threads == 1 {
            None
        } else {
            Some(memory::boxed(Mutex::new(Threads::start(threads)?))?)
        };
        self.motion.workers.scratch = Vec::new(); // each thread has its own
        Ok(())
    }

    /// The return value of the torque callback that last stopped a step; 0 if none has.
    pub fn callback_result(&self) -> i32 {
        self.callback_result
    }

    fn check_no_step_begun(&self) -> Result<(), Error> {
        if self.protocol.pending.is_none() {
            return Ok(());
        }
        Err(Error::Order(
            "a step has been begun: take it to its end or cancel it first",
        ))
    }

    /// Refuses a change in the middle of a step. Discards what is known of the steps so far, as far
    /// as the change concerns it.
    fn begin(&mut self, change: Change) -> Result<(), Error> {
        self.check_no_step_begun()?;
        self.forget(change);
        Ok(())
    }

    fn forget(&mut self, change: Change) {
        self.motion.checkpoint = None;
        self.motion.last.forget(change);
        self.motion.states.forget_rest();
    }

    fn check_count<const K: usize>(&self, array: &View<K>) -> Result<(), Error> {
        check_room(
            array.count() == self.count(),
            array.name(),
            self.count(),
            array.count(),
        )
    }

    fn check_indices(&self, name: &'static str, bodies: &[usize]) -> Result<(), Error> {
        check(
            bodies.iter().all(|&body| body < self.count()),
            name,
            "must be below the number of bodies",
        )
    }
}
