//! Energy and angular momentum of all active bodies.

use super::Ensemble;
use crate::error::{Error, Failure};
use crate::{clock::Clock, exact_sum::ExactSum, kernel::State};
use nalgebra::Vector3;

impl Ensemble<'_> {
    /// Rotational energy of the active bodies: a compensated sum in the order of indices.
    pub fn total_kinetic_energy(&self) -> f64 {
        let mut sum = Clock::default(); // a compensated sum
        self.read_active(|body, state| sum.advance(self.energy_of(body, state)));
        sum.now()
    }

    /// Sum of the active bodies' angular momenta about their own centres, world frame: a compensated sum in the order of indices.
    pub fn total_angular_momentum(&self) -> Vector3<f64> {
        let mut sums = [Clock::default(); 3];
        self.read_active(|body, state| {
            let momentum = self.momentum_of(body, state);
            sums.iter_mut().zip(momentum).for_each(|(sum, part)| sum.advance(part));
        });
        sums.map(|sum| sum.now()).into()
    }

    /// The exact sum of the active bodies' rotational energies: it does not depend on how bodies are spread over ensembles.
    /// Errors: [`Error::OutOfRange`] if an energy is not finite, with the first such body.
    pub fn kinetic_energy_sum(&self) -> Result<ExactSum, Failure> {
        let [sum] = self.exact_sums(|body, state| [self.energy_of(body, state)])?;
        Ok(sum)
    }

    /// The exact sums of the components of the active bodies' angular momenta, world frame. Errors: as [`Ensemble::kinetic_energy_sum`].
    pub fn angular_momentum_sums(&self) -> Result<[ExactSum; 3], Failure> {
        self.exact_sums(|body, state| self.momentum_of(body, state))
    }

    fn exact_sums<const K: usize>(
        &self, of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> Result<[ExactSum; K], Failure> {
        let mut sums = [ExactSum::default(); K];
        self.read_finite(of, |terms| sums.iter_mut().zip(terms).for_each(|(sum, term)| sum.add(term)))?;
        Ok(sums)
    }

    /// Refuses numbers of active bodies that are not finite.
    pub(super) fn check_finite<const K: usize>(
        &self, of: impl Fn(usize, &State<f64>) -> [f64; K],
    ) -> Result<(), Failure> {
        self.read_finite(of, |_| {})
    }

    /// Shows the numbers of each active body to `read`, if they are finite.
    fn read_finite<const K: usize>(
        &self, of: impl Fn(usize, &State<f64>) -> [f64; K], mut read: impl FnMut([f64; K]),
    ) -> Result<(), Failure> {
        let mut first = None;
        self.read_active(|body, state| {
            let numbers = of(body, state);
            if numbers.iter().all(|number| number.is_finite()) {
                read(numbers);
            } else {
                first = first.or(Some(body));
            }
        });
        match first {
            None => Ok(()),
            Some(body) => Err(Failure::of_body(body, Error::OutOfRange { name: "energy or angular momentum" })),
        }
    }

    fn read_active(&self, mut read: impl FnMut(usize, &State<f64>)) {
        self.active_bodies().for_each(|body| read(body, &self.state(body)));
    }
}
