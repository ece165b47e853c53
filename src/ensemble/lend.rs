//! States in arrays that the caller lends for one call.

use super::{Ensemble, VelocityKind};
use crate::ensemble::acting::all::Acting;
use crate::ensemble::acting::fluid::FlowGradients;
use crate::ensemble::states::own::{Bound, StateStore};
use crate::ensemble::stepping::motion::Motion;
use crate::error::{Failure, check};
use crate::memory::ViewMut;
use crate::method::Change;

impl<'t> Ensemble<'_, 't> {
    /// Lets `f` move the bodies in these arrays, which are borrowed for this call alone. Between
    /// two calls the caller may use them, as a force loop has to:
    ///
    /// ```
    /// use quatint::{Ensemble, Failure, Frame, VelocityKind, View, ViewMut};
    ///
    /// let mut q = [1.0, 0.0, 0.0, 0.0];
    /// let mut omega = [0.0, 0.0, 0.1];
    /// let mut bodies = Ensemble::new(1)?;
    /// for _ in 0..100 {
    ///     let torque = [-q[1], -q[2], -q[3]]; // of all forces, at the present orientations
    ///     let orientations = ViewMut::rows(&mut q)?;
    ///     let velocities = ViewMut::rows(&mut omega)?;
    ///     bodies.in_arrays(orientations, velocities, VelocityKind::OmegaWorld, |bodies| {
    ///         bodies.kick_drift(0.01, 0.01, Some(View::rows(&torque)?), Frame::World)
    ///     })?;
    /// }
    /// assert!((bodies.time() - 1.0).abs() < 1e-12 && omega[2] < 0.1);
    /// # Ok::<(), Failure>(())
    /// ```
    ///
    /// The results have the bits that they have in bound arrays. Within `f` other arrays may be
    /// bound, until it ends; a step that is in progress then is cancelled. The states in the
    /// ensemble's own memory stay as they were: ask for energies within `f`. Orientations must be
    /// of unit length to 1e-3, which the steps check. A torque that a method keeps is forgotten
    /// before and after the call: where steps ask for the torque, let `f` take several.
    ///
    /// Errors: those of `f`; an array is bound already; an array has another number of bodies; as
    /// [`Ensemble::bind_angular_velocities`] for momenta; [`Error::Order`](crate::Error::Order) in
    /// the middle of a step.
    pub fn in_arrays<'s, R>(
        &mut self,
        orientations: ViewMut<'s, 4>,
        velocities: ViewMut<'s, 3>,
        kind: VelocityKind,
        f: impl FnOnce(&mut Ensemble<'s, 't>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let orientations = orientations.named("orientations");
        let velocities = velocities.named("velocities");
        self.check_count(&orientations.as_view())?;
        self.check_count(&velocities.as_view())?;
        self.check_nothing_is_bound()?;
        self.check_kind(kind)?;
        self.begin(Change::Motion)?;
        let bound = Bound {
            orientations: Some(orientations),
            velocities: Some(velocities),
            kind,
        };
        let own = std::mem::replace(self, Ensemble::new(0)?);
        let mut lent = Lent {
            inner: Some(own.with(bound)),
            lender: self,
        };
        f(lent.inner.as_mut().expect("it is there until the end"))
    }

    fn check_nothing_is_bound(&self) -> Result<(), Failure> {
        let states = &self.motion.states;
        let is_free = states.bound.is_empty()
            && states.predicted.is_none()
            && self.acting.fluid.bound().is_none();
        check(
            is_free,
            "orientations",
            "must not be lent beside a bound array: bind it within the call",
        )?;
        Ok(())
    }

    /// The same ensemble with its states in other arrays, and no other array bound.
    fn with<'s>(self, bound: Bound<'s>) -> Ensemble<'s, 't> {
        let Motion {
            states,
            last,
            clock,
            checkpoint,
            workers,
            scattered,
        } = self.motion;
        let Acting {
            torque,
            fluid,
            drag,
            rotors,
            random,
        } = self.acting;
        let acting = Acting {
            torque,
            fluid: match fluid {
                FlowGradients::WithTorque => FlowGradients::WithTorque,
                FlowGradients::Bound(_) | FlowGradients::Released => FlowGradients::Released,
            },
            drag,
            rotors,
            random,
        };
        Ensemble {
            active: self.active,
            method: self.method,
            inertias: self.inertias,
            acting,
            points: self.points,
            motion: Motion {
                states: StateStore {
                    current: states.current,
                    other: states.other,
                    bound,
                    predicted: None,
                    rest_is_copied: states.rest_is_copied,
                    set_aside: states.set_aside,
                    idle_steps: states.idle_steps,
                },
                last,
                clock,
                checkpoint,
                workers,
                scattered,
            },
            protocol: self.protocol,
            callback_result: self.callback_result,
        }
    }
}

/// An ensemble whose states are in lent arrays, and the one that becomes it again at the end, also
/// if the caller's function panics.
struct Lent<'e, 'a, 's, 't> {
    inner: Option<Ensemble<'s, 't>>,
    lender: &'e mut Ensemble<'a, 't>,
}

impl Drop for Lent<'_, '_, '_, '_> {
    fn drop(&mut self) {
        let mut inner = self.inner.take().expect("it is there until now");
        inner.cancel_step();
        inner.forget(Change::Motion);
        *self.lender = inner.with(Bound::nothing());
    }
}
