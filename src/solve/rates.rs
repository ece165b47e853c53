//! The unknowns of the motion, and the rates of its stages.

use super::tableau::{ERROR_3, ERROR_5, SLOPES, Weights};
use crate::kernel::{Number, Quat, Vec3};
use crate::simd::Two;

/// Four numbers of an orientation, three of the angular momentum in the world frame, an energy, and three of the angular momentum in the
/// body frame, or their rates or errors, in pairs: a stage adds up to eleven of these.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Numbers([Two; 6]);

impl Numbers {
    #[inline(always)]
    pub(super) fn new(q: Quat<f64>, momentum: Vec3<f64>, energy: f64, own: Vec3<f64>) -> Self {
        let ([w, x, y, z], [a, b, c], [k, l, m]) = (q.0, momentum.0, own.0);
        let of = |a, b| Two::load(&[a, b]);
        Numbers([
            of(w, x),
            of(y, z),
            of(a, b),
            of(c, energy),
            of(k, l),
            of(m, 0.0),
        ])
    }

    #[inline(always)]
    pub(super) fn q(&self) -> Quat<f64> {
        let ([w, x], [y, z]) = (self.pair(0), self.pair(1));
        Quat([w, x, y, z])
    }

    #[inline(always)]
    pub(super) fn momentum(&self) -> Vec3<f64> {
        let ([a, b], [c, _]) = (self.pair(2), self.pair(3));
        Vec3([a, b, c])
    }

    #[inline(always)]
    pub(super) fn energy(&self) -> f64 {
        self.pair(3)[1]
    }

    /// The momentum in the body frame.
    #[inline(always)]
    pub(super) fn own(&self) -> Vec3<f64> {
        let ([a, b], [c, _]) = (self.pair(4), self.pair(5));
        Vec3([a, b, c])
    }

    #[inline(always)]
    fn pair(&self, i: usize) -> [f64; 2] {
        let mut pair = [0.0; 2];
        self.0[i].store(&mut pair);
        pair
    }

    #[inline(always)]
    pub(super) fn plus(&self, other: &Numbers) -> Numbers {
        Numbers(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    #[inline(always)]
    pub(super) fn minus(&self, other: &Numbers) -> Numbers {
        Numbers(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }

    #[inline(always)]
    pub(super) fn times(&self, factor: f64) -> Numbers {
        Numbers(self.0.map(|pair| pair * Two::splat(factor)))
    }
}

/// `q (0, v)`: the rate of `q` for `v = ½ ω`, body frame.
#[inline(always)]
pub(super) fn turned(q: Quat<f64>, v: Vec3<f64>) -> Quat<f64> {
    let ([w, x, y, z], [a, b, c]) = (q.0, v.0);
    Quat([
        -(x * a) - (y * b + z * c),
        w * a + (y * c - z * b),
        w * b + (z * a - x * c),
        w * c + (x * b - y * a),
    ])
}

/// The rates of the stages, times the step.
pub(super) struct Rates(pub(super) [Numbers; 16]);

impl Rates {
    #[inline(always)]
    pub(super) fn weighted(&self, weights: &Weights) -> Numbers {
        let (stage, weight) = weights[0];
        self.added(self.0[stage % 16].times(weight), &weights[1..])
    }

    /// The newest rate last, so that a processor can add the others before it is known.
    #[inline(always)]
    fn added(&self, mut sum: Numbers, weights: &Weights) -> Numbers {
        for &(stage, weight) in weights {
            sum = sum.plus(&self.0[stage % 16].times(weight));
        }
        sum
    }

    /// The unknowns at a stage, without what the newest rate contributes, that of the stage before; and the weight of that.
    #[inline(always)]
    pub(super) fn before_newest(&self, stage: usize, start: &Numbers) -> (Numbers, f64) {
        macro_rules! of_each {
            ($($stage:literal)*) => {
                match stage {
                    $($stage => self.older::<$stage>(start),)*
                    _ => (*start, 0.0), // no stage comes after the last
                }
            };
        }
        of_each!(1 2 3 4 5 6 7 8 9 10 11)
    }

    /// For each stage apart: with the weights as constants, whole registers are added.
    #[inline(always)]
    fn older<const STAGE: usize>(&self, start: &Numbers) -> (Numbers, f64) {
        let (newest, older) = const { SLOPES[STAGE - 1].split_last().expect("has weights") };
        const { assert!(SLOPES[STAGE - 1][SLOPES[STAGE - 1].len() - 1].0 == STAGE - 1) };
        (self.added(*start, older), newest.1)
    }

    /// The gain of a step, and the estimates of its error of order 5 and 3.
    #[inline(always)]
    pub(super) fn ends(&self) -> (Numbers, [Numbers; 2]) {
        let gained = self.weighted(SLOPES[11]);
        (
            gained,
            [
                self.weighted(ERROR_5),
                gained.minus(&self.weighted(ERROR_3)),
            ],
        )
    }
}
