//! A step of one body: the loop over steps, the checks, and the choice of the compiled scheme.
//!
//! ```text
//!     step, advance           take_steps    checks dt, takes steps, and explains one that fails
//!       take_step             by a scheme that is compiled for the torque (PCDM, splitting)
//!       take_other_step       by any method, with drag, rotors and random torques
//!         total_torque        the torque with its checks, drag and rotors
//!         method::step        asks for the torque at each stage, and turns the body
//!       arrive                checks the end, and moves the body there
//! ```

use super::Body;
use super::states::{LastTorque, SpacedState};
use super::total_torque::{AnyTotalTorque, Sees, TotalTorque};
use crate::clock::{Clock, Span};
use crate::error::{Error, Failure, check_steps, finite};
use crate::kernel::{State, TorqueState, Vec3};
use crate::method::{self, Damping, Method, Plan, Scheme, SchemeKind, Step, WhatActs};
use crate::method::{
    AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm, Strang,
};
use crate::simd;
use crate::step_size::StepSize;
use crate::torque::{Free, Torque};

impl Body {
    /// Takes one step of length `dt`. A negative `dt` integrates backwards in time; zero does
    /// nothing. Errors: `dt`, the torque or the motion is not finite, or the torque returned an
    /// error. The body is then unchanged.
    #[inline]
    pub fn step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        self.step_by(&dt, torque)
    }

    /// [`Body::step`]. `dt` is a reference, because a number would be stored and loaded once more
    /// (2 ns). A single free step is faster with AVX-512, a loop of them is not.
    #[inline(always)]
    pub(crate) fn step_by<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: &f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if T::ACTS {
            return self.advance_by(dt, 1, torque, &mut 0);
        }
        simd::run_single(
            true,
            #[inline(always)]
            || self.take_steps(*dt, 1, torque, &mut 0),
        )
    }

    /// Takes `steps` steps of length `dt`. The result is the same, bit for bit, as that many calls
    /// of [`Body::step`]. Errors: as [`Body::step`], with the number of completed steps; their
    /// result stays.
    #[inline]
    pub fn advance<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        torque: &mut T,
    ) -> Result<(), Failure> {
        let mut completed = 0;
        let outcome = self.advance_by(&dt, steps, torque, &mut completed);
        outcome.map_err(|cause| Failure {
            cause,
            body: None,
            completed,
        })
    }

    /// [`Body::advance`], with AVX-512 where that is faster.
    #[inline(always)]
    fn advance_by<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: &f64,
        steps: u64,
        torque: &mut T,
        completed: &mut u64,
    ) -> Result<(), Error> {
        simd::run_single(
            T::ACTS && self.method == Method::Pcdm,
            #[inline(always)]
            || self.take_steps(*dt, steps, torque, completed),
        )
    }

    #[inline(always)]
    fn take_steps<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        steps: u64,
        torque: &mut T,
        completed: &mut u64,
    ) -> Result<(), Error> {
        let [dt] = finite("dt", [dt])?;
        check_steps(steps)?;
        if dt == 0.0 {
            return Ok(());
        }
        let is_alone = self.extras.is_none() && torque.resistance().is_none();
        let has_only_a_rotor =
            self.rotor().is_some() && !self.resists(torque) && self.random().is_none();
        let outcome = if is_alone && self.method == Method::Pcdm {
            // a loop of its own keeps the state in registers
            repeat(
                steps,
                completed,
                #[inline(always)]
                || self.take_step::<Pcdm, T, false>(dt, torque),
            )
        } else if self.changing_inertia().is_some() {
            repeat(steps, completed, || {
                self.step_in_changing_inertia(dt, torque)
            })
        } else {
            repeat(steps, completed, || match self.method {
                Method::Splitting if is_alone => self.take_splitting_step::<T, false>(dt, torque),
                Method::Splitting if has_only_a_rotor => {
                    self.take_splitting_step::<T, true>(dt, torque)
                }
                _ => self.take_other_step(dt, torque),
            })
        };
        outcome.map_err(|error| self.explained(error, dt, torque))
    }

    /// A step by a scheme that is compiled for the torque.
    #[inline(always)]
    fn take_step<S: Scheme, T: Torque<Error: Into<Error>> + ?Sized, const HAS_ROTOR: bool>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if HAS_ROTOR
            && let Some(extras) = self.extras.as_deref_mut()
            && let Some(rotor) = &mut extras.rotor
        {
            rotor.know_turn(&self.inertia.principal, 0.5 * dt);
        }
        let start = &self.state.get();
        let clock = self.clock.advanced(dt)?; // before a callback gets a time that is not finite
        let mut torque = TotalTorque::of(torque, Span::from(self.clock.now()));
        let mut kept = self.kept.get::<S>();
        let step = Step {
            acts: T::ACTS || HAS_ROTOR,
            rotor: if HAS_ROTOR { self.rotor() } else { None },
            ..Step::new(dt, start.omega_body, &self.inertia.principal)
        };
        let end = method::step::<S, f64, _>(start, &step, 0.0, &mut torque, &mut kept)?;
        self.arrive(&end, clock)?;
        if HAS_ROTOR {
            self.drive_rotors(dt); // only then: the compiler could not keep the state in registers
        }
        self.kept.put::<S>(&kept);
        Ok(())
    }

    /// Out of line, because it would slow down PCDM beside it.
    #[inline(never)]
    fn take_splitting_step<T: Torque<Error: Into<Error>> + ?Sized, const HAS_ROTOR: bool>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if T::ACTS || HAS_ROTOR {
            self.take_step::<Strang, T, HAS_ROTOR>(dt, torque)
        } else {
            self.rotate(dt)
        }
    }

    /// A step by any method, with drag, rotors and random torques. The total torque is behind a
    /// pointer, so that methods are not compiled for each torque.
    #[inline(never)]
    pub(super) fn take_other_step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        let torque_resists = torque.resistance().is_some();
        let resistance = self.resistance(torque);
        let plan = self.method.plan(self.what_acts(resistance.is_some()));
        if !T::ACTS && self.extras.is_none() && resistance.is_none() {
            return self.take_free_step(dt);
        }
        let rotor = if !plan.takes_rotors() {
            self.rotor().copied()
        } else {
            None
        };
        let mut total_torque = TotalTorque {
            torque,
            span: Span::from(self.clock.now()),
            drag: self.drag(),
            rotor: rotor.as_ref(),
            sees: if plan.is_random() && torque_resists {
                Sees::Rest
            } else if plan.hides_velocity() {
                Sees::NoVelocity
            } else {
                Sees::Rotation
            },
        };
        self.take_dyn_step(dt, plan, resistance, &mut total_torque)?;
        if plan.is_random() && !T::ACTS {
            self.forget_torque(); // the next torque may be another one
        }
        Ok(())
    }

    /// A step of a body on which nothing acts, by any method but PCDM.
    fn take_free_step(&mut self, dt: f64) -> Result<(), Error> {
        self.method.check_random(WhatActs::default(), dt)?;
        if self.method == Method::Cf4 {
            self.take_step::<Cf4, Free, false>(dt, &mut Free)
        } else {
            self.rotate(dt) // a splitting method has no kicks then
        }
    }

    /// A step under the total torque. Rotors that are not in it are in the free rotations of the
    /// method.
    #[inline(never)]
    fn take_dyn_step(
        &mut self,
        dt: f64,
        plan: &Plan,
        resistance: Option<Vec3<f64>>,
        total_torque: &mut (dyn AnyTotalTorque + '_),
    ) -> Result<(), Error> {
        let clock = self.clock.advanced(dt)?;
        self.check_step(dt, resistance)?;
        let mut kept = self.kept; // a copy, because the step may fail
        let start = &self.state.get();
        let step = self.step_constants(dt, plan, resistance, start.omega_body)?;
        let take = match plan.scheme {
            SchemeKind::Pcdm => take_behind_pointer::<Pcdm>,
            SchemeKind::Cf4 => take_behind_pointer::<Cf4>,
            SchemeKind::Splitting(_) => take_behind_pointer::<AnySplitting>,
            SchemeKind::DampedPcdm => take_behind_pointer::<DampedPcdm>,
            SchemeKind::DampedSplitting => take_behind_pointer::<DampedSplitting>,
            SchemeKind::Baoab => take_behind_pointer::<Baoab>,
            SchemeKind::Brownian => take_behind_pointer::<Brownian>,
        };
        let end = take(start, &self.state, &step, total_torque, &mut kept)?;
        if !plan.keeps_torque {
            kept.forget();
        }
        self.arrive(&end, clock)?;
        self.drive_rotors(dt);
        self.kept = kept;
        if plan.is_random() {
            self.draws = self.draws.wrapping_add(1);
        }
        Ok(())
    }

    /// Refuses a step that the method cannot take with this resistance, rotors or random torques.
    #[inline(always)]
    fn check_step(&self, dt: f64, resistance: Option<Vec3<f64>>) -> Result<(), Error> {
        let what_acts = self.what_acts(resistance.is_some());
        self.method.check(what_acts.resists, "torque")?;
        if self.method.concerns_noise(what_acts) {
            self.method.check_random(what_acts, dt)?;
        }
        if let Some(coefficients) = resistance {
            self.method
                .check_stable(&self.inertia.principal, coefficients, dt)?;
        }
        Ok(())
    }

    /// The constants of a step by any method.
    #[inline(always)]
    fn step_constants(
        &self,
        dt: f64,
        plan: &Plan,
        resistance: Option<Vec3<f64>>,
        omega_start_body: Vec3<f64>,
    ) -> Result<Step<'_, f64>, Error> {
        let inertia = &self.inertia.principal;
        let mut step = Step::new(dt, omega_start_body, inertia);
        if let Some(random) = self.random()
            && plan.is_random()
        {
            let is_brownian = matches!(plan.scheme, SchemeKind::Brownian);
            step.bath = Some(self.bath(random, is_brownian, dt)?);
        }
        step.composition = plan.composition_or_strang();
        if plan.takes_rotors() {
            step.rotor = self.rotor();
        }
        if plan.is_damped() {
            step.damping = Damping::new(inertia, resistance.unwrap_or(Vec3::splat(0.0)));
        }
        Ok(step)
    }

    /// The coefficients of all that is known to resist the rotation besides random torques; `None`
    /// if nothing is.
    fn resistance<T: Torque + ?Sized>(&self, torque: &T) -> Option<Vec3<f64>> {
        match (self.drag(), self.resistance_of(torque)) {
            (Some(drag), Some(own)) => Some(drag.coefficients + own),
            (Some(drag), None) => Some(drag.coefficients),
            (None, own) => own,
        }
    }

    /// The resistance of a torque. That of a whole fluid is in the random torques, if there are
    /// some.
    #[inline(always)]
    fn resistance_of<T: Torque + ?Sized>(&self, torque: &T) -> Option<Vec3<f64>> {
        if torque.is_of_fluid() && self.random().is_some() {
            None
        } else {
            torque.resistance()
        }
    }

    /// What acts on the body. `resists`: as [`Body::resists`], of a torque that the caller knows.
    #[inline(always)]
    pub(super) fn what_acts(&self, resists: bool) -> WhatActs {
        WhatActs {
            resists,
            has_rotors: self.rotor().is_some(),
            is_random: self.random().is_some(),
        }
    }

    /// Whether the torque, or a drag besides it, is known to resist the rotation.
    #[inline(always)]
    pub(super) fn resists<T: Torque + ?Sized>(&self, torque: &T) -> bool {
        self.drag().is_some() || self.resistance_of(torque).is_some()
    }

    /// Moves the body to the end of a step.
    #[inline(always)]
    pub(super) fn arrive(&mut self, end: &State<f64>, clock: Clock) -> Result<(), Error> {
        self.arrive_now(end)?;
        self.clock = clock;
        Ok(())
    }

    /// Changes the state at the time of the clock. Errors: the state is not finite.
    #[inline(always)]
    pub(super) fn arrive_now(&mut self, end: &State<f64>) -> Result<(), Error> {
        if !end.is_finite() {
            return Err(Error::Overflow {
                time: self.clock.now(),
                size: None,
            });
        }
        self.state.put(end);
        Ok(())
    }

    /// Adds the size of the step to an error if the motion overflows, and the cause if the torque
    /// reads what the method hides. Asks for the torque once more, at the state before the step.
    #[cold]
    #[inline(never)]
    fn explained<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        error: Error,
        dt: f64,
        torque: &mut T,
    ) -> Error {
        let Error::Overflow { time, .. } = error else {
            return self.method.explained(error);
        };
        let here = &TorqueState::at(&self.state.get());
        let inertia = &self.inertia.principal;
        let torque_body = torque.torque_if_any(time, here, inertia).ok().flatten();
        let rotor = self.rotor().map(|rotor| rotor.momentum);
        let size = StepSize::of(
            self.method.bounds(),
            self.resists(torque),
            dt,
            inertia,
            rotor,
            here.omega_body,
            torque_body,
        );
        Error::Overflow {
            time,
            size: Some(size),
        }
    }
}

/// Takes steps until one fails. Then `completed` counts the steps before it.
#[inline(always)]
fn repeat(
    steps: u64,
    completed: &mut u64,
    mut step: impl FnMut() -> Result<(), Error>,
) -> Result<(), Error> {
    // Not `try_for_each`, which might become a call, as might a step without `inline(always)`. Each
    // call costs 6 ns.
    for before in 0..steps {
        step().inspect_err(|_| *completed = before)?;
    }
    Ok(())
}

/// A step under a torque behind a pointer. A scheme that keeps no torque reads the start, also that
/// in `step`, where its numbers are spaced: see [`SpacedState`].
#[inline(never)]
fn take_behind_pointer<S: Scheme>(
    start: &State<f64>,
    spaced: &SpacedState,
    step: &Step<f64>,
    total_torque: &mut (dyn AnyTotalTorque + '_),
    last: &mut LastTorque,
) -> Result<State<f64>, Error> {
    let mut kept = last.get::<S>();
    let own = spaced.get();
    let own_step = Step {
        omega_start_body: own.omega_body,
        ..*step
    };
    let (start, step) = if S::KEEPS_TORQUE {
        (start, step)
    } else {
        (&own, &own_step)
    };
    let end = method::step::<S, f64, _>(start, step, 0.0, total_torque, &mut kept)?;
    last.put::<S>(&kept);
    Ok(end)
}
