//! A step of one body: the checks of states and torques, and the way to the method.

use super::acting::{Dragged, Guarded};
use super::{Body, extras::Extras, states::LastTorque, states::SpacedState};
use crate::clock::{Clock, Span};
use crate::error::Error;
use crate::kernel::{Here, PrincipalInertia, State, Vec3};
use crate::method::{self, Damping, Family, Plan, Scheme, Step};
use crate::method::{
    AnySplitting, Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Pcdm, Strang,
};
use crate::torque::{Free, Torque};
use crate::{solve::is_finite, step_size::StepSize};

impl Body {
    /// A step by a method that is compiled for each torque.
    #[inline(always)]
    pub(super) fn take_step<
        S: Scheme,
        T: Torque<Error: Into<Error>> + ?Sized,
        const HAS_ROTOR: bool,
    >(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if let (
            true,
            Some(Extras {
                rotor: Some(rotor), ..
            }),
        ) = (HAS_ROTOR, self.extras.as_deref_mut())
        {
            rotor.know_turn(&self.inertia.principal, 0.5 * dt);
        }
        let start = &self.state.get();
        let clock = self.clock.advanced(dt)?; // before a callback gets a time that is not finite
        let mut guarded = Guarded {
            torque,
            span: Span::from(self.clock.now()),
        };
        let mut kept = self.kept.get::<S>();
        let rotor = if HAS_ROTOR { self.rotor() } else { None };
        let constants = Step::new(dt, start.omega_body, &self.inertia.principal);
        let step = Step {
            acts: T::ACTS || HAS_ROTOR,
            rotor,
            ..constants
        };
        let end = method::step::<S, f64, _>(start, &step, 0.0, &mut guarded, &mut kept)?;
        self.arrive(&end, clock)?;
        if HAS_ROTOR {
            self.drive_rotors(dt); // only then: the compiler could not keep the state in registers
        }
        self.kept.put::<S>(&kept);
        Ok(())
    }

    /// The error of a step, with the size of the step if the motion overflows. Asks for the torque
    /// once more, at the state before the step.
    #[cold]
    #[inline(never)]
    pub(super) fn explained<T: Torque<Error: Into<Error>> + ?Sized>(
        &self,
        error: Error,
        dt: f64,
        torque: &mut T,
    ) -> Error {
        let Error::Overflow { time, .. } = error else {
            return error;
        };
        let here = &Here::at(&self.state.get());
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

    /// Whether the torque, or a drag besides it, is known to resist the rotation.
    #[inline(always)]
    pub(super) fn resists<T: Torque + ?Sized>(&self, torque: &T) -> bool {
        self.drag().is_some() || torque.resistance().is_some()
    }

    /// Out of line: it would slow down PCDM beside it.
    #[inline(never)]
    pub(super) fn take_splitting_step<
        T: Torque<Error: Into<Error>> + ?Sized,
        const HAS_ROTOR: bool,
    >(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        if !(T::ACTS || HAS_ROTOR) {
            return self.rotate(dt);
        }
        self.take_step::<Strang, T, HAS_ROTOR>(dt, torque)
    }

    /// A step by any method, under anything: the torque behind a pointer, so that no method is
    /// compiled for it.
    #[inline(never)]
    pub(super) fn take_other_step<T: Torque<Error: Into<Error>> + ?Sized>(
        &mut self,
        dt: f64,
        torque: &mut T,
    ) -> Result<(), Error> {
        let drag = self.drag();
        let resistance = match (drag, torque.resistance()) {
            (Some(drag), Some(own)) => Some(drag.coefficients + own),
            (drag, own) => drag.map(|drag| drag.coefficients).or(own),
        };
        let plan = self.method.plan(
            resistance.is_some(),
            self.rotor().is_some(),
            self.random().is_some(),
        );
        if !(T::ACTS || self.extras.is_some() || torque.resistance().is_some()) {
            return self.take_dyn_step(dt, plan, resistance, None);
        }
        let guarded = Guarded {
            torque,
            span: Span::from(self.clock.now()),
        };
        let copy = if plan.composition().is_none() {
            self.rotor().copied()
        } else {
            None
        };
        let mut whole = Dragged {
            guarded,
            drag,
            rotor: copy.as_ref(),
        };
        let ask: &mut Ask = &mut |time, here, inertia| whole.torque_body(time, here, inertia);
        self.take_dyn_step(dt, plan, resistance, Some(ask))?;
        if plan.is_random() && !T::ACTS {
            self.forget_torque(); // the next torque may be another one
        }
        Ok(())
    }

    /// The same, with all that acts in `ask`; `None`: nothing. Rotors are in the free rotations of
    /// the method, or in `ask`.
    #[inline(never)]
    fn take_dyn_step(
        &mut self,
        dt: f64,
        plan: &Plan,
        resistance: Option<Vec3<f64>>,
        ask: Option<&mut Ask>,
    ) -> Result<(), Error> {
        let inertia = &self.inertia.principal;
        let method = self.method;
        let random = self.random();
        let start = &self.state.get();
        let mut kept = self.kept; // in case the step fails
        let clock = self.clock.advanced(dt)?;
        method.check(resistance.is_some(), "torque")?;
        if random.is_some() || plan.is_random() {
            method.check_random(
                random.is_some(),
                resistance.is_some(),
                self.rotor().is_some(),
                dt,
            )?;
        }
        if let Some(coefficients) = resistance {
            method.check_stable(inertia, coefficients, dt)?;
            if kept.dt().to_bits() != dt.to_bits() {
                kept.is_known = false; // it contains a difference from step to step
            }
        }
        if plan.composition().is_some() && ask.is_none() {
            return self.rotate(dt);
        }
        let mut step = Step {
            acts: ask.is_some(),
            ..Step::new(dt, start.omega_body, inertia)
        };
        if matches!(plan.family, Family::Cf4) && ask.is_none() {
            let end = method::step::<Cf4, f64, _>(start, &step, 0.0, &mut Free, &mut None)?;
            return self.arrive(&end, clock);
        }
        if let (Some(random), true) = (random, plan.is_random()) {
            step.bath = Some(self.bath(random, matches!(plan.family, Family::Brownian), dt)?);
        }
        if let Some(composition) = plan.composition() {
            (step.composition, step.rotor) = (composition, self.rotor());
        }
        if plan.is_damped() {
            step.damping = Damping::new(inertia, resistance.unwrap_or(Vec3::splat(0.0)));
        }
        let single = match plan.family {
            Family::Pcdm => single::<Pcdm>,
            Family::Cf4 => single::<Cf4>,
            Family::Splitting(_) => single::<AnySplitting>,
            Family::DampedPcdm => single::<DampedPcdm>,
            Family::DampedSplitting => single::<DampedSplitting>,
            Family::Baoab => single::<Baoab>,
            Family::Brownian => single::<Brownian>,
        };
        let end = single(start, &self.state, &step, &mut Asked(ask), &mut kept)?;
        *kept.dt() = if plan.keeps_torque { dt } else { *kept.dt() };
        (kept.is_known, kept.is_restored) = (kept.is_known && plan.keeps_torque, false);
        self.arrive(&end, clock)?;
        self.drive_rotors(dt);
        self.kept = kept;
        self.draws = self.draws.wrapping_add(u64::from(plan.is_random()));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn arrive(&mut self, end: &State<f64>, clock: Clock) -> Result<(), Error> {
        self.arrive_now(end)?;
        self.clock = clock;
        self.kept.is_restored = false;
        Ok(())
    }

    /// The same, at the time of the clock.
    #[inline(always)]
    pub(super) fn arrive_now(&mut self, end: &State<f64>) -> Result<(), Error> {
        if !is_finite(end) {
            return Err(Error::Overflow {
                time: self.clock.now(),
                size: None,
            });
        }
        self.state.put(end);
        Ok(())
    }
}

/// What keeps no torque reads the start where its numbers are spaced, also that in `step`: see
/// [`SpacedState`].
#[inline(never)]
fn single<S: Scheme>(
    start: &State<f64>,
    spaced: &SpacedState,
    step: &Step<f64>,
    torque: &mut Asked,
    last: &mut LastTorque,
) -> Result<State<f64>, Error> {
    let (mut kept, own) = (last.get::<S>(), spaced.get());
    let own_step = Step {
        omega_start_body: own.omega_body,
        ..*step
    };
    let (start, step) = if S::KEEPS_TORQUE {
        (start, step)
    } else {
        (&own, &own_step)
    };
    let end = method::step::<S, f64, _>(start, step, 0.0, torque, &mut kept)?;
    last.put::<S>(&kept);
    Ok(end)
}

type Ask<'a> = dyn FnMut(f64, &Here<f64>, &PrincipalInertia<f64>) -> Result<Vec3<f64>, Error> + 'a;

/// The torque behind a pointer, if there is one.
struct Asked<'a, 'b>(Option<&'a mut Ask<'b>>);

impl Torque<f64> for Asked<'_, '_> {
    type Error = Error;

    #[inline(always)]
    fn torque_body(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Vec3<f64>, Error> {
        self.0
            .as_mut()
            .map_or(Ok(Vec3::splat(0.0)), |ask| ask(t, here, inertia))
    }

    #[inline(always)]
    fn torque_if_any(
        &mut self,
        t: f64,
        here: &Here<f64>,
        inertia: &PrincipalInertia<f64>,
    ) -> Result<Option<Vec3<f64>>, Error> {
        self.0.as_mut().map(|ask| ask(t, here, inertia)).transpose()
    }
}
