//! Free rotations in single precision, of states in doubles: for cards that have few units for doubles.
//!
//! What a body turns by, and what its angular velocity gains, are computed in floats; both are added
//! to the state in doubles. So the error of a drift is that of floats times the angle of its turn.

use crate::kernel::short_free_rotation;
use crate::kernel::{FreeRotation, Number, PrincipalInertia, Quat, RareWork, Vec3};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float.
#[derive(Clone, Copy, Debug)]
pub struct Single(f32);

/// The least `(½h |L|/I)²` of a rotation in floats, where I is the greatest moment: above the least
/// float, by which the formulas divide. Other bodies turn about an axis of hardly any moment, or by less
/// than an ulp.
const LEAST: f64 = 1e-32;

/// [`short_free_rotation`] in single precision; `None` also where floats cannot hold its numbers. They
/// see the turn `h ω` of a duration of 1, so the units of time do not matter.
#[inline(always)]
pub fn rotation_in_single(
    inertia: &PrincipalInertia<f64>,
    omega_body: Vec3<f64>,
    duration: f64,
) -> Option<FreeRotation<f64>> {
    let turn = omega_body * duration;
    let [a, b, c] = inertia.moments.0;
    let greatest = if a > b { a } else { b };
    let greatest = if greatest > c { greatest } else { c };
    let momentum = inertia.angular_momentum(turn) * 0.5;
    let is_at_rest = turn.dot(turn) == 0.0;
    let is_in_range = momentum.dot(momentum) >= LEAST * (greatest * greatest); // not NaN
    if !(is_at_rest || is_in_range) {
        return None;
    }
    let inertia = &inertia.splat::<Single>();
    let free = short_free_rotation(inertia, turn.splat_each(), 1.0)?;
    let double = |Single(float)| f64::from(float);
    let rotation = free.rotation.0.map(double);
    let gained = free.gained.0.map(double);
    let mut numbers = rotation.iter().chain(&gained);
    let are_finite = numbers.all(|number| number.is_finite());
    are_finite.then_some(FreeRotation {
        rotation: Quat(rotation),
        gained: Vec3(gained) * (1.0 / duration),
        motion: double(free.motion),
    })
}

macro_rules! operators {
    ($($operator:ident $method:ident $sign:tt;)*) => {$(
        impl $operator for Single {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Single(self.0 $sign other.0)
            }
        }
    )*};
}

operators! {
    Add add +;
    Sub sub -;
    Mul mul *;
    Div div /;
}

impl Neg for Single {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Single(-self.0)
    }
}

impl Number for Single {
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Single(value as f32)
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Single(from[0] as f32)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[0] = f64::from(self.0);
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Single(f64::from(self.0).sqrt() as f32) // correctly rounded: a double has enough digits
    }

    #[inline(always)]
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
        if self.0 <= bound as f32 {
            then
        } else {
            otherwise
        }
    }

    #[inline(always)]
    fn any_above(self, bound: f64) -> bool {
        self.0 > bound as f32
    }

    #[cold]
    #[inline(never)]
    fn rarely<N: Number, W: RareWork>(given: W::Given<'_, N>) -> W::Outcome<N> {
        W::of_lanes(given)
    }
}
