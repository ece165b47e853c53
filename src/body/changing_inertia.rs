//! An inertia that changes with time: panels unfold, propellant burns.
//!
//! Material moves inside the body, without an angular momentum of its own. So the angular momentum
//! `P = I(t) ω` obeys, in the body frame, `P' = P × I(t)⁻¹ P + torque`.
//!
//! Steps are of the splitting of order 2. Its kicks change the angular momentum, whatever the
//! inertia; its free rotation has the inertia at the middle of the step. So it is a step under that
//! inertia, between two changes that keep the angular momentum. The torque at both ends of the step
//! sees angular velocities of the inertia at the middle: their errors, of order 1, have opposite
//! signs.
//!
//! Where a stiff drag holds the angular velocity, it would not do so after the second change. Such
//! steps keep the angular velocity in both changes, and take `-I'(t) ω` as a torque:
//! `method::damped`.

use super::stepping::Steps;
use super::{Body, Keep};
use crate::clock::{Clock, Span};
use crate::error::Error;
use crate::inertia::Inertia;
use crate::kernel::{PrincipalInertia, Rotor, State};
use crate::memory::boxed;
use crate::method::{DampedSplitting, SchemeKind, Step};
use std::cell::Cell;
use std::fmt;

/// The inertia of a body as a function of the time. A copy of the body has a copy of it.
trait InertiaFunction: Send + Sync {
    fn inertia(&self, time: f64) -> Result<Inertia, Error>;
    fn cloned(&self) -> Box<dyn InertiaFunction>;
}

impl<F: Fn(f64) -> Result<Inertia, Error> + Clone + Send + Sync + 'static> InertiaFunction for F {
    fn inertia(&self, time: f64) -> Result<Inertia, Error> {
        self(time)
    }

    fn cloned(&self) -> Box<dyn InertiaFunction> {
        Box::new(self.clone())
    }
}

/// The function that gives a body its inertia.
pub(super) struct InertiaOfTime(Box<dyn InertiaFunction>);

impl Clone for InertiaOfTime {
    fn clone(&self) -> Self {
        InertiaOfTime(self.0.cloned())
    }
}

impl fmt::Debug for InertiaOfTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InertiaOfTime")
    }
}

impl InertiaOfTime {
    /// The inertia at a time. Errors name the time.
    pub(super) fn at(&self, time: f64) -> Result<Inertia, Error> {
        self.0
            .inertia(time)
            .map_err(|cause| of_function(cause, time))
    }

    /// The inertia at a time, which the motion leads to from another.
    pub(super) fn after(&self, before: &Inertia, time: f64) -> Result<Inertia, Error> {
        let inertia = self.at(time)?;
        let are_kept = before.check_lines_stay(&inertia);
        are_kept.map_err(|cause| of_function(cause, time))?;
        Ok(inertia)
    }

    /// The inertias that a solution over a span asks for.
    pub(super) fn along(&self, span: Span, start: Inertia) -> InertiasAlong<'_> {
        let last = Cell::new(start);
        InertiasAlong {
            function: self,
            span,
            last,
        }
    }
}

/// The inertias of a solution, each after the one that it asked for last.
pub(super) struct InertiasAlong<'a> {
    function: &'a InertiaOfTime,
    span: Span,
    last: Cell<Inertia>,
}

impl InertiasAlong<'_> {
    pub(super) fn at(&self, elapsed: f64) -> Result<PrincipalInertia<f64>, Error> {
        let now = (self.function).after(&self.last.get(), self.span.time(elapsed))?;
        self.last.set(now);
        Ok(now.principal)
    }
}

fn of_function(cause: Error, time: f64) -> Error {
    match cause {
        Error::InertiaCallback { .. } => cause, // it has the time
        _ => Error::InertiaFunction {
            time,
            cause: Box::new(cause),
        },
    }
}

/// How an inertia changes during a step.
pub(super) struct ChangeOfInertia {
    before: Inertia,
    middle: Inertia,
    end: Inertia,
}

/// What a step changes, to restore it if the step fails.
struct BeforeStep {
    inertia: Inertia,
    state: State<f64>,
    clock: Clock,
    draws: u64,
    rotor: Option<Rotor<f64>>,
}

/// A body in the middle of a step. Dropped, it is as before the step, also if a torque panics.
struct Moving<'b> {
    body: &'b mut Body,
    /// `None`: the step is complete.
    before: Option<BeforeStep>,
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            self.body.restore(before);
        }
    }
}

impl Body {
    /// Gives the body an inertia that changes with its clock. The inertia is from now on that of
    /// the function at the body's time; when the clock is set, it follows, and the angular velocity
    /// stays. See `qi_set_inertia_function`. Errors: those of the function; [`Error::Memory`]. Then
    /// nothing has changed.
    pub fn set_inertia_function(
        &mut self,
        function: impl Fn(f64) -> Result<Inertia, Error> + Clone + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let changing = InertiaOfTime(boxed(function)?);
        let inertia = changing.at(self.time())?;
        self.put(
            "inertia",
            |acting| &mut acting.changing_inertia,
            Some(changing),
        )?;
        self.exchange_inertia(inertia, Keep::AngularVelocity)
    }

    /// From now on the inertia is constant: that of this moment.
    pub fn end_inertia_function(&mut self) {
        let removed = self.put("inertia", |acting| &mut acting.changing_inertia, None);
        debug_assert!(removed.is_ok()); // nothing is allocated, and any method takes it
    }

    pub(super) fn changing_inertia(&self) -> Option<&InertiaOfTime> {
        self.acting.as_ref()?.changing_inertia.as_ref()
    }

    /// The inertias of a duration from now on; `None`: the inertia is constant.
    pub(super) fn inertias_of(&self, duration: f64) -> Result<Option<ChangeOfInertia>, Error> {
        let Some(changing) = self.changing_inertia() else {
            return Ok(None);
        };
        let before = self.inertia;
        let middle = changing.after(&before, self.clock.advanced(0.5 * duration)?.now())?;
        let end = changing.after(&middle, self.clock.advanced(duration)?.now())?;
        Ok(Some(ChangeOfInertia {
            before,
            middle,
            end,
        }))
    }

    /// Moves the body under the inertia at the middle of a change, between two changes that keep
    /// what `keep` says. If that fails, nothing has changed.
    #[inline(never)]
    pub(super) fn move_in_changing_inertia(
        &mut self,
        change: &ChangeOfInertia,
        keep: Keep,
        motion: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let before = BeforeStep {
            inertia: self.inertia,
            state: self.state.get(),
            clock: self.clock,
            draws: self.draws,
            rotor: self.rotor().copied(),
        };
        let mut moving = Moving {
            body: self,
            before: Some(before),
        };
        let body = &mut *moving.body;
        body.exchange_inertia(change.middle, keep)?;
        motion(body)?;
        body.exchange_inertia(change.end, keep)?;
        moving.before = None;
        Ok(())
    }

    /// Takes a step during a change.
    pub(super) fn step_in_changing_inertia(
        &mut self,
        change: &ChangeOfInertia,
        steps: &Steps,
        step: impl FnOnce(&mut Self, &Steps) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut steps = *steps;
        let mut keep = Keep::AngularMomentum;
        if self.is_held_by_drag(&steps, &change.middle) {
            steps.inertia_at_ends = Some([&change.before.principal, &change.end.principal]);
            keep = Keep::AngularVelocity;
        }
        self.move_in_changing_inertia(change, keep, |body| step(body, &steps))
    }

    /// Whether a step from here takes the drag in balance with all that turns the body.
    fn is_held_by_drag(&self, steps: &Steps, inertia: &Inertia) -> bool {
        if !matches!(steps.plan.scheme, SchemeKind::DampedSplitting) {
            return false;
        }
        let inertia = &inertia.principal;
        DampedSplitting::is_implicit(&Step {
            rotor: self.rotor(),
            damping: steps.damping(inertia),
            ..Step::new(steps.dt, self.state.get().omega_body, inertia)
        })
    }

    fn restore(&mut self, before: BeforeStep) {
        self.inertia = before.inertia;
        self.state.put(&before.state);
        self.clock = before.clock;
        self.draws = before.draws;
        if let Some(acting) = self.acting.as_deref_mut() {
            acting.rotor = before.rotor;
        }
        self.forget_torque();
        self.set_parameters(&[], None); // what depends on the inertia
    }
}
