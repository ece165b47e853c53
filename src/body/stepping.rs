//! A step of one body: the loop over steps, the checks, and the choice of the scheme.
//!
//! ```text
//!     step, advance               take_steps    checks dt, takes steps, and explains one that fails
//!       take_plain_step           PCDM under a torque alone, in registers
//!       follow_plan               all else: checks what acts, and takes the steps of the method's plan
//!         take_planned_step       by the scheme of the plan, under the total torque
//!           take                asks the torque at each stage, moves the body to the end
//! ```

use super::Body;
use crate::clock::{Clock, Span};
use crate::error::{Error, Failure, check_steps, finite};
use crate::kernel::{PrincipalInertia, State, TorqueState, Vec3};
use crate::method::{self, Damping, Kept, Method, Plan, Scheme, SchemeKind, Step};
use crate::method::{
    AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm, Strang,
};
use crate::simd;
use crate::step_size::StepSize;
use crate::torque::{DragAndRotor, Free, Torque};

/// What all steps of a call have in common.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a> {
    pub(super) dt: f64,
    pub(super) plan: &'static Plan,
    /// The coefficients of all that is known to resist the rotation besides random torques.
    resistance: Option<Vec3<f64>>,
    /// [`Step::inertia_at_ends`], of one step.
    pub(super) inertia_at_ends: Option<[&'a PrincipalInertia<f64>; 2]>,
}

impl Steps<'_> {
    #[inline(always)]
    pub(super) fn damping(&self, inertia: &PrincipalInertia<f64>) -> Damping<f64> {
        Damping::new(inertia, self.resistance.unwrap_or(Vec3::splat(0.0)))
    }
}

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
    /// (2 ns). The number of steps is a constant here, because a loop holds more in memory (3 ns). A
    /// single free step is faster with AVX-512, a loop of them is not.
    #[inline(always)]
    pub(crate) fn step_by<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: &f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        simd::run_single(
            !T::ACTS || self.method == Method::Pcdm,
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
        if dt == 0.0 || steps == 0 {
            return Ok(());
        }
        let is_alone = self.acting.is_none() && torque.resistance().is_none();
        let outcome = if is_alone && self.method == Method::Pcdm {
            // a loop of its own keeps the state in registers
            repeat(
                steps,
                completed,
                #[inline(always)]
                || self.take_plain_step(dt, torque),
            )
        } else {
            self.follow_plan(dt, steps, torque, completed)
        };
        outcome.map_err(|error| self.explained(error, dt, torque))
    }

    /// A step of PCDM under a torque alone.
    #[inline(always)]
    fn take_plain_step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        let start = &self.state.get();
        let clock = self.clock.advanced(dt)?; // before a callback gets a time that is not finite
        let step = Step::new(dt, start.omega_body, &self.inertia.principal);
        let torque = &mut TotalTorque::of(torque, Span::from(self.clock.now()));
        let end = method::step::<Pcdm, f64, _>(start, &step, 0.0, torque, &mut Kept::nothing())?;
        self.arrive(&end, clock)
    }

    /// Takes steps by the plan of the method for all that acts. Out of line, because it would slow
    /// down PCDM beside it.
    #[inline(never)]
    fn follow_plan<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        count: u64,
        torque: &mut T,
        completed: &mut u64,
    ) -> Result<(), Error> {
        let resistance = self.resistance(torque);
        let steps = &Steps {
            dt,
            plan: self.takes_steps(dt, resistance)?,
            resistance,
            inertia_at_ends: None,
        };
        repeat(count, completed, || {
            let Some(change) = self.inertias_of(dt)? else {
                return self.take_planned_step(steps, torque);
            };
            self.step_in_changing_inertia(&change, steps, |body, steps| {
                body.take_planned_step(steps, torque)
            })
        })
    }

    /// A step by the scheme of a plan. The splitting of order 2 is compiled for the torque
    /// (PERF-14); for the other schemes the torque is behind a pointer.
    #[inline(never)]
    fn take_planned_step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        steps: &Steps,
        torque: &mut T,
    ) -> Result<(), Error> {
        let plan = steps.plan;
        let span = Span::from(self.clock.now());
        let acts = T::ACTS || self.acting.is_some();
        match plan.scheme {
            SchemeKind::Splitting(_) if !acts => return self.rotate(steps.dt), // without kicks
            SchemeKind::Splitting(parts) if parts.is_strang() => {
                let torque = &mut TotalTorque::of(torque, span);
                self.take::<Strang, _>(steps, acts, torque)?;
            }
            // composes its rotations in the axes of the start (PERF-8)
            SchemeKind::Cf4 if !acts => self.take::<Cf4, _>(steps, acts, &mut Free)?,
            _ => self.take_under_all(steps, torque)?,
        }
        self.drive_rotors(steps.dt);
        if plan.is_random() {
            self.draws = self.draws.wrapping_add(1);
            if !T::ACTS {
                self.forget_torque(); // the next torque may be another one
            }
        }
        Ok(())
    }

    /// A step under the torque, drag, rotors and random torques.
    #[inline(never)]
    fn take_under_all<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        steps: &Steps,
        torque: &mut T,
    ) -> Result<(), Error> {
        let plan = steps.plan;
        let rotor = self.rotor().copied().filter(|_| !plan.takes_rotors());
        let sees = Sees::of(plan, torque);
        let span = Span::from(self.clock.now());
        let total = &mut TotalTorque {
            torque,
            span,
            besides: self.drag_and(rotor.as_ref(), &span),
            sees,
        };
        self.take_behind_pointer(
            steps,
            &mut BehindPointer(&mut |t, here, inertia| total.torque_body(t, here, inertia)),
        )
    }

    #[inline(never)]
    fn take_behind_pointer(
        &mut self,
        steps: &Steps,
        torque: &mut BehindPointer,
    ) -> Result<(), Error> {
        match steps.plan.scheme {
            SchemeKind::Pcdm => self.take::<Pcdm, _>(steps, true, torque),
            SchemeKind::Cf4 => self.take::<Cf4, _>(steps, true, torque),
            SchemeKind::Splitting(_) => self.take::<AnySplitting, _>(steps, true, torque),
            SchemeKind::DampedPcdm => self.take::<DampedPcdm, _>(steps, true, torque),
            SchemeKind::DampedSplitting => self.take::<DampedSplitting, _>(steps, true, torque),
            SchemeKind::Baoab => self.take::<Baoab, _>(steps, true, torque),
            SchemeKind::Brownian => self.take::<Brownian, _>(steps, true, torque),
        }
    }

    /// A step by a scheme. `acts`: whether the torque may change the angular velocity. Rotors that
    /// are not in the torque are in the free rotations of the scheme.
    #[inline(always)]
    fn take<S: Scheme, T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        steps: &Steps,
        acts: bool,
        torque: &mut T,
    ) -> Result<(), Error> {
        let dt = steps.dt;
        let start = &self.state.get();
        let clock = self.clock.advanced(dt)?; // before a callback gets a time that is not finite
        let mut kept = self.kept.get::<S>();
        let inertia = &self.inertia.principal;
        let mut step = Step::new(dt, start.omega_body, inertia);
        step.acts = acts;
        step.composition = steps.plan.composition_or_strang();
        if S::TAKES_ROTORS {
            step.rotor = self.rotor();
        }
        if S::IS_DAMPED {
            step.damping = steps.damping(inertia);
            step.inertia_at_ends = steps.inertia_at_ends;
        }
        if S::TAKES_NOISE
            && let Some(random) = self.random()
        {
            step.bath = Some(self.bath(random, S::HAS_INERTIA, dt)?);
        }
        let end =
            method::step::<S, f64, _>(start, &step, 0.0, torque, &mut kept).map_err(Into::into)?;
        self.arrive(&end, clock)?;
        self.kept.put::<S>(&kept);
        Ok(())
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

/// The total torque: a torque, and the drag and the rotors besides it. Times are elapsed times of
/// `span`, because an ulp of the clock may be long.
///
/// The torque is asked only for finite states, and only finite torques are accepted. Under a
/// ready-made torque the end of the step shows whether all was finite, as in ensembles.
pub(super) struct TotalTorque<'t, T: ?Sized> {
    pub(super) torque: &'t mut T,
    pub(super) span: Span,
    /// Drag, and rotors unless the method takes them into its free rotations.
    pub(super) besides: DragAndRotor<'t>,
    pub(super) sees: Sees,
}

/// What a torque is shown of the rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    Rotation,
    /// A body at rest: the torque resists the rotation, beside random torques whose drag is the
    /// whole one.
    Rest,
    /// NaN: see [`Plan::hides_velocity`].
    NoVelocity,
}

impl Sees {
    #[inline(always)]
    fn of<T: Torque + ?Sized>(plan: &Plan, torque: &T) -> Self {
        if plan.is_random() && torque.resistance().is_some() {
            Sees::Rest
        } else if plan.hides_velocity() {
            Sees::NoVelocity
        } else {
            Sees::Rotation
        }
    }
}

impl<'t, T: Torque<Error: Into<Error>> + ?Sized> TotalTorque<'t, T> {
    /// The torque alone, without drag and rotors.
    #[inline(always)]
    pub(super) fn of(torque: &'t mut T, span: Span) -> Self {
        TotalTorque {
            torque,
            span,
            besides: DragAndRotor::default(),
            sees: Sees::Rotation,
        }
    }

    /// The torque, with its checks.
    #[inline(always)]
    fn checked_torque(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let state = State {
            q: here.q,
            omega_body: here.omega_body,
        };
        if !T::IS_READY_MADE && self.torque.asks_orientation() && !state.is_finite() {
            return Err(Error::Overflow {
                time: self.span.time(0.0),
                size: None,
            });
        }
        let time = self.span.time(t);
        let seen = match self.sees {
            Sees::Rotation => *here,
            Sees::Rest => here.at_rest(),
            Sees::NoVelocity => here.without_velocity(),
        };
        let torque = (self.torque)
            .torque_body(time, &seen, inertia)
            .map_err(Into::into)?;
        let [x, y, z] = torque.0;
        // the sum is finite unless a component is not, or some are close to the largest double
        if T::IS_READY_MADE || (x + y + z).is_finite() || torque.0.iter().all(|x| x.is_finite()) {
            return Ok(torque);
        }
        Err(Error::TorqueNotFinite {
            time,
            torque: torque.0,
        })
    }
}

impl<T: Torque<Error: Into<Error>> + ?Sized> Torque for TotalTorque<'_, T> {
    type Error = Error;

    #[inline(always)]
    fn asks_orientation(&self) -> bool {
        self.torque.asks_orientation()
    }

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        let mut total = Vec3::splat(0.0);
        if T::ACTS {
            total = self.checked_torque(t, here, inertia)?;
        }
        Ok(self.besides.added_to(total, t, here))
    }

    #[inline(always)]
    fn torque_if_any(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Option<Vec3<f64>>, Error> {
        if T::ACTS || self.besides.acts() {
            self.torque_body(t, here, inertia).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// A torque behind a pointer, so that schemes are compiled once and not for each torque.
struct BehindPointer<'t>(&'t mut TorqueAtState<'t>);

type TorqueAtState<'t> =
    dyn FnMut(f64, &TorqueState<f64>, &PrincipalInertia<f64>) -> Result<Vec3<f64>, Error> + 't;

impl Torque for BehindPointer<'_> {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &TorqueState<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.0(t, here, inertia)
    }
}
