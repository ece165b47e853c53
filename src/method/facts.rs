//! The methods, and every fact of each in one table.

use super::composition::{
    BLANES_MOAN_4, BLANES_MOAN_6, Composition, FORCE_GRADIENT, STRANG, WITH_ROTORS_4,
    WITH_ROTORS_6, check,
};
use super::{
    Baoab, Brownian, Cf4, DampedPcdm, DampedSplitting, Damping, Modes, Pcdm, Scheme, WhatActs,
};
use crate::error::{self, Error};
use crate::kernel::{PrincipalInertia, Vec3};
use crate::step_size::Bounds;

/// The integration methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Order 2, two torque evaluations per step: predictor-corrector direct multiplication (Zhao
    /// and van Wachem).
    #[default]
    Pcdm,
    /// Order 2, one torque evaluation per step: half a kick, exact free rotation, half a kick
    /// (Strang). Time-reversible.
    Splitting,
    /// Order 4, six torque evaluations per step: kicks and exact free rotations (Blanes and Moan).
    /// For torques of orientation and time.
    Splitting4,
    /// Order 4, four torque evaluations per step: commutator-free Runge-Kutta method (Celledoni,
    /// Marthinsen and Owren).
    Cf4,
    /// Order 6, eleven torque evaluations per step, ten with rotors: as [`Method::Splitting4`].
    Splitting6,
    /// Order 4, three torque evaluations per step: kicks, one with the torque's gradient, and free
    /// rotations (Chin; Omelyan). For the same torques.
    ForceGradient,
    /// Weak order 1, one torque evaluation per step: overdamped rotation with noise. See
    /// `QI_METHOD_BROWNIAN`.
    Brownian,
}

impl Method {
    /// Every method, in the order of their numbers in C.
    pub const ALL: &'static [Method] = &[
        Method::Pcdm,
        Method::Splitting,
        Method::Splitting4,
        Method::Cf4,
        Method::Splitting6,
        Method::ForceGradient,
        Method::Brownian,
    ];
}

/// Every fact of a method.
struct Facts {
    method: Method,
    order: u32,
    /// How large a step may be, and the name that the literature uses.
    bounds: Bounds,
    /// Its steps under a torque that is not known to resist the rotation.
    plan: Plan,
    /// Its steps with rotors, a third part of the splitting; `None`: the same as without.
    with_rotors: Option<Plan>,
    /// The drifts and turns of a body with rotors and without torque, of the method's order.
    gyrostat: &'static Composition,
    /// Its steps with random torques; `None`: it takes none.
    under_noise: Option<Plan>,
    resisted: Resisted,
    /// Whether the inertia may be a function of the time.
    takes_changing_inertia: bool,
}

/// How a method takes its steps.
pub(crate) struct Plan {
    pub(crate) scheme: SchemeKind,
    /// As [`Method::torque_at`].
    pub(crate) torque_at: &'static [f64],
    /// As [`Method::keeps_torque`].
    pub(crate) keeps_torque: bool,
    /// How many numbers of each body are saved between stages or, if the method keeps the last
    /// torque, from step to step.
    pub(crate) saved: usize,
}

/// The scheme of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchemeKind {
    Pcdm,
    Cf4,
    Splitting(&'static Composition),
    DampedPcdm,
    DampedSplitting,
    Baoab,
    Brownian,
}

/// How a method deals with a torque, or a drag besides it, that is known to resist the rotation.
enum Resisted {
    /// Takes the resistance implicitly.
    Implicit(Plan),
    /// Treats the resistance as any torque, and refuses steps with a greater `c h / I` than this.
    Explicit(f64),
    /// Refuses it with this message, because the order would be 1.
    Refused(&'static str),
}

const ANY: f64 = f64::INFINITY;

/// The most numbers of each body that a method saves between stages.
pub(crate) const MOST_SAVED: usize = 6;

/// What most methods have in common.
const COMMON: Facts = Facts {
    method: Method::Pcdm,
    order: 2,
    bounds: Bounds {
        method: "",
        turn: ANY,
        drag: ANY,
        spring_number: ANY,
    },
    plan: Plan::of::<Pcdm>(SchemeKind::Pcdm),
    with_rotors: None,
    gyrostat: &STRANG,
    under_noise: None,
    resisted: Resisted::Explicit(ANY),
    takes_changing_inertia: false,
};

impl Facts {
    /// Of a splitting that has other parts with rotors, whether a torque acts or not.
    const fn in_parts(alone: &'static Composition, with_rotors: &'static Composition) -> Facts {
        Facts {
            plan: Plan::splitting(alone),
            with_rotors: Some(Plan::splitting(with_rotors)),
            gyrostat: with_rotors,
            ..COMMON
        }
    }
}

/// In the order of [`Method`].
static METHODS: [Facts; Method::ALL.len()] = [
    Facts {
        method: Method::Pcdm,
        order: 2,
        bounds: Bounds {
            method: "PCDM",
            turn: 0.1,
            drag: 2.0,
            spring_number: 0.0,
        },
        plan: Plan::of::<Pcdm>(SchemeKind::Pcdm),
        resisted: Resisted::Implicit(Plan::of::<DampedPcdm>(SchemeKind::DampedPcdm)),
        ..COMMON
    },
    Facts {
        method: Method::Splitting,
        order: 2,
        bounds: Bounds {
            method: "splitting",
            turn: ANY,
            drag: 1.0,
            spring_number: 4.0,
        },
        plan: Plan::splitting(&STRANG),
        under_noise: Some(Plan::of::<Baoab>(SchemeKind::Baoab)),
        resisted: Resisted::Implicit(Plan::of::<DampedSplitting>(SchemeKind::DampedSplitting)),
        takes_changing_inertia: true,
        ..COMMON
    },
    Facts {
        method: Method::Splitting4,
        order: 4,
        bounds: Bounds {
            method: "splitting of order 4",
            turn: ANY,
            drag: 9.4,
            spring_number: 25.0,
        },
        resisted: Resisted::Refused(REFUSED_BY_SPLITTING_4),
        ..Facts::in_parts(&BLANES_MOAN_4, &WITH_ROTORS_4)
    },
    // the stability function of CF4, 1 − z + z²/2 − z³/6 + z⁴/24, is below 1 up to z = 2.785
    Facts {
        method: Method::Cf4,
        order: 4,
        bounds: Bounds {
            method: "CF4",
            turn: 1.0,
            drag: 2.8,
            spring_number: 8.0,
        },
        plan: Plan::of::<Cf4>(SchemeKind::Cf4),
        gyrostat: &WITH_ROTORS_4,
        resisted: Resisted::Explicit(2.7),
        ..COMMON
    },
    Facts {
        method: Method::Splitting6,
        order: 6,
        bounds: Bounds {
            method: "splitting of order 6",
            turn: ANY,
            drag: 15.0,
            spring_number: 82.0,
        },
        resisted: Resisted::Refused(REFUSED_BY_SPLITTING_6),
        ..Facts::in_parts(&BLANES_MOAN_6, &WITH_ROTORS_6)
    },
    Facts {
        method: Method::ForceGradient,
        order: 4,
        bounds: Bounds {
            method: "force-gradient splitting",
            turn: ANY,
            drag: 4.5,
            spring_number: 12.0,
        },
        resisted: Resisted::Refused(REFUSED_BY_FORCE_GRADIENT),
        ..Facts::in_parts(&FORCE_GRADIENT, &WITH_ROTORS_4)
    },
    Facts {
        method: Method::Brownian,
        order: 1,
        bounds: Bounds {
            method: "Brownian motion",
            ..COMMON.bounds
        },
        plan: Plan::of::<Brownian>(SchemeKind::Brownian),
        under_noise: Some(Plan::of::<Brownian>(SchemeKind::Brownian)),
        ..COMMON
    },
];

/// Why a method refuses drag and shear flow, in whichever order method and torque were set.
const REFUSED_BY_SPLITTING_4: &str = "is refused: the splitting of order 4 needs a torque \
     that does not depend on the angular velocity, as drag and shear flow do (PCDM, the splitting \
     of order 2 and CF4 take any torque)";
const REFUSED_BY_SPLITTING_6: &str = "is refused: the splitting of order 6 needs a torque \
     that does not depend on the angular velocity, as drag and shear flow do (PCDM, the splitting \
     of order 2 and CF4 take any torque)";
const REFUSED_BY_FORCE_GRADIENT: &str = "is refused: the force-gradient splitting needs a torque \
     that does not depend on the angular velocity, as drag and shear flow do (PCDM, the splitting \
     of order 2 and CF4 take any torque)";

const _: () = {
    let mut i = 0;
    while i < METHODS.len() {
        assert!(
            METHODS[i].method as usize == i && Method::ALL[i] as usize == i,
            "the table and the list have the order of the enum"
        );
        assert!(METHODS[i].plan.saved <= MOST_SAVED);
        assert!(!METHODS[i].gyrostat.turns.is_empty(), "it turns the body");
        i += 1;
    }
};

impl Plan {
    const fn of<S: Scheme>(scheme: SchemeKind) -> Plan {
        Plan {
            scheme,
            torque_at: S::TORQUE_AT,
            keeps_torque: S::KEEPS_TORQUE,
            saved: 3 * S::SAVED,
        }
    }

    const fn splitting(composition: &'static Composition) -> Plan {
        check(composition);
        let scheme = SchemeKind::Splitting(composition);
        Plan {
            scheme,
            torque_at: composition.times,
            keeps_torque: true,
            saved: 3,
        }
    }

    /// How many numbers are kept from step to step.
    pub(crate) fn kept(&self) -> usize {
        if self.keeps_torque { self.saved } else { 0 }
    }

    /// The parts of a splitting method. A body without torque drifts.
    pub(crate) fn composition(&self) -> Option<&'static Composition> {
        match self.scheme {
            SchemeKind::Splitting(composition) => Some(composition),
            _ => None,
        }
    }

    /// The parts of a splitting method. Other methods have those of Strang's splitting where they
    /// need some: for the last stage of BAOAB, and for drifts of bodies with rotors.
    pub(crate) fn composition_or_strang(&self) -> &'static Composition {
        self.composition().unwrap_or(&STRANG)
    }

    /// Whether rotors turn the body in its steps. Otherwise they are a part of the torque.
    pub(crate) fn takes_rotors(&self) -> bool {
        matches!(
            self.scheme,
            SchemeKind::Splitting(_) | SchemeKind::DampedSplitting
        )
    }

    /// Whether torques of the caller's are given NaN for the angular velocity. The method does not
    /// predict it, so a torque that depends on it would lower the order to 1 without a message; or,
    /// in Brownian motion, does not know it.
    pub(crate) fn hides_velocity(&self) -> bool {
        let is_brownian = matches!(self.scheme, SchemeKind::Brownian);
        is_brownian || self.composition().is_some_and(|parts| !parts.predicts)
    }

    pub(crate) fn is_random(&self) -> bool {
        matches!(self.scheme, SchemeKind::Baoab | SchemeKind::Brownian)
    }

    pub(crate) fn is_damped(&self) -> bool {
        matches!(
            self.scheme,
            SchemeKind::DampedPcdm | SchemeKind::DampedSplitting
        )
    }
}

impl Method {
    fn facts(self) -> &'static Facts {
        &METHODS[self as usize]
    }

    /// The name used in the literature.
    pub fn name(self) -> &'static str {
        self.facts().bounds.method
    }

    /// The global error is proportional to the time step to this power.
    pub fn order(self) -> u32 {
        self.facts().order
    }

    /// The times of the torque evaluations within a step, in units of the time step. A method that
    /// keeps the last torque asks for the first of these only where it has none, as in the first
    /// step.
    pub fn torque_at(self) -> &'static [f64] {
        self.facts().plan.torque_at
    }

    /// Whether the last torque of a step serves as the first of the next.
    pub fn keeps_torque(self) -> bool {
        self.facts().plan.keeps_torque
    }

    /// Whether the order holds for torques that depend on the angular velocity.
    pub fn allows_resistance(self) -> bool {
        !matches!(self.facts().resisted, Resisted::Refused(_))
    }

    /// How large a step may be.
    pub fn bounds(self) -> &'static Bounds {
        &self.facts().bounds
    }

    /// How the method takes its steps.
    pub(crate) fn plan(self, under: WhatActs) -> &'static Plan {
        let facts = self.facts();
        if under.is_random
            && let Some(plan) = &facts.under_noise
        {
            return plan;
        }
        if under.resists
            && let Resisted::Implicit(plan) = &facts.resisted
        {
            return plan;
        }
        if under.has_rotors
            && let Some(plan) = &facts.with_rotors
        {
            return plan;
        }
        &facts.plan
    }

    /// The drifts and turns of a body with rotors and without torque, of the method's order.
    pub(crate) fn gyrostat(self) -> &'static Composition {
        self.facts().gyrostat
    }

    /// How the method takes its steps under what acts: every setter of that or of the method asks
    /// this. Errors: a resistance under which the method would lose its order, or two drags. `name`
    /// is the argument that is refused.
    pub(crate) fn takes(self, under: WhatActs, name: &'static str) -> Result<&'static Plan, Error> {
        if let Resisted::Refused(must) = self.facts().resisted {
            error::check(!under.resists, name, must)?;
        }
        error::check(!(under.has_drag && under.is_random), name, ONE_DRAG)?;
        Ok(self.plan(under))
    }

    /// As [`Method::takes`], for steps of `h`: what a setter allows, because it may be set before
    /// the method, is refused here.
    pub(crate) fn takes_steps(self, under: WhatActs, h: f64) -> Result<&'static Plan, Error> {
        let plan = self.takes(under, "torque")?;
        let has_method = !under.inertia_changes || self.facts().takes_changing_inertia;
        error::check(has_method, "method", NOT_WHERE_INERTIA_CHANGES)?;
        if self.concerns_noise(under) {
            self.check_random(under, h)?;
        }
        Ok(plan)
    }

    /// Names the cause of a torque that is NaN because it reads the angular velocity, which
    /// [`Plan::hides_velocity`].
    #[cold]
    pub(crate) fn explained(self, error: Error) -> Error {
        match error {
            Error::TorqueNotFinite { time, torque }
                if self.facts().plan.hides_velocity() && torque.iter().any(|x| x.is_nan()) =>
            {
                Error::TorqueReadsVelocity {
                    time,
                    method: self.name(),
                    others: "PCDM, the splitting of order 2 and CF4",
                }
            }
            error => error,
        }
    }

    /// Whether there is noise, or the method needs it: then [`Method::check_random`] has to look.
    #[inline(always)]
    pub(crate) fn concerns_noise(self, under: WhatActs) -> bool {
        under.is_random || self.needs_noise()
    }

    fn needs_noise(self) -> bool {
        self.facts().plan.is_random()
    }

    /// Refuses a step of `h` that cannot be taken with random torques, or not without them.
    #[cold]
    pub(crate) fn check_random(self, under: WhatActs, h: f64) -> Result<(), Error> {
        if !under.is_random {
            return error::check(!self.needs_noise(), "method", NEEDS_NOISE);
        }
        let plan = self.plan(under);
        error::check(plan.is_random(), "method", NO_NOISE)?;
        error::check(h >= 0.0, "dt", FORWARDS)?;
        // Brownian motion takes a torque that resists as any other
        let is_drag_twice = under.resists && matches!(plan.scheme, SchemeKind::Baoab);
        error::check(!is_drag_twice, "torque", DRAG_TWICE)?;
        error::check(!under.has_rotors, "rotor", NO_ROTORS)
    }

    /// The greatest `c h / I` of a resistance that the method takes explicitly; `None`: any.
    pub(crate) fn most_stiffness(self) -> Option<f64> {
        match self.facts().resisted {
            Resisted::Explicit(most) if most < ANY => Some(most),
            _ => None,
        }
    }

    /// Refuses a step of `h` that is not stable under a resistance with these coefficients (body
    /// axes).
    pub(crate) fn check_stable(
        self,
        inertia: &PrincipalInertia<f64>,
        drag: Vec3<f64>,
        h: f64,
    ) -> Result<(), Error> {
        let Some(bound) = self.most_stiffness() else {
            return Ok(());
        };
        // no rate is above the root of the sum of their squares, which costs less
        if Damping::new(inertia, drag).rate_squared() * h * h <= bound * bound {
            return Ok(());
        }
        let rates = Modes::new(inertia, drag).rates;
        let stiffness = rates.0.iter().fold(0.0_f64, |most, rate| rate.max(most)) * h.abs();
        if stiffness <= bound {
            return Ok(());
        }
        Err(Error::TooStiff { stiffness, bound })
    }
}

const NO_NOISE: &str =
    "must be the splitting of order 2 or Brownian motion: no other takes random torques";
const NEEDS_NOISE: &str =
    "is Brownian motion, which needs the drag and the noise of random torques: set them first";
const NOT_WHERE_INERTIA_CHANGES: &str =
    "must be the splitting of order 2 where the inertia changes";
const ONE_DRAG: &str = "must be those of one drag: random torques bring their own; set these to \
     none first, or set the drag to none first";
const NO_ROTORS: &str = "must not be there in a step with random torques";
const DRAG_TWICE: &str =
    "must not resist the rotation besides random torques, which bring their own drag";
pub(crate) const FORWARDS: &str = "must not be negative with random torques: they have no way back";
