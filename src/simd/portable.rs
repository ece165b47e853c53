//! Any architecture: loops over an array, which the compiler vectorises if it can.

use super::Job;
use crate::kernel::Number;
use std::ops::{Add, Div, Mul, Neg, Sub};

#[inline(never)] // compiled once, not at each call
pub(super) fn baseline<J: Job>(job: &mut J) -> J::Output {
    job.run::<Four>()
}

const WIDTH: usize = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Four([f64; WIDTH]);

macro_rules! lane_by_lane {
    ($($operator:ident $method:ident $symbol:tt),*) => {$(
        impl $operator for Four {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let mut out = self.0;
                for i in 0..WIDTH {
                    out[i] = self.0[i] $symbol other.0[i];
                }
                Four(out)
            }
        }
    )*};
}
lane_by_lane!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b, c, d] = self.0;
        Four([-a, -b, -c, -d])
    }
}

impl super::Lanes for Four {}

impl Number for Four {
    const LANES: usize = WIDTH;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Four([value; WIDTH])
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        Four(*from.first_chunk().expect("as many as there are lanes"))
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        *to.first_chunk_mut().expect("as many as there are lanes") = self.0;
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let [a, b, c, d] = self.0;
        Four([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }

    #[inline(always)]
    fn if_at_most(self, bound: f64, then: Self, otherwise: Self) -> Self {
        let mut out = otherwise.0;
        for i in 0..WIDTH {
            out[i] = if self.0[i] <= bound { then.0[i] } else { otherwise.0[i] };
        }
        Four(out)
    }

    #[inline(always)]
    fn any_above(self, bound: f64) -> bool {
        let [a, b, c, d] = self.0;
        (a > bound) | (b > bound) | (c > bound) | (d > bound)
    }
}
