//! Points fixed to the bodies of an ensemble: the spheres of clumps, the atoms of rigid molecules.
//! ```text
//!     x = X + R d        v = V + ω × R d        F = Σ f        T = Σ R d × f
//! ```
//!
//! X and V are the position and the velocity of the centre of mass, R leads from the body frame to
//! the world frame, d is the arm of a point in the body frame, and f is a force on it.

use super::loops::{
    ChunkOfBodies, OfBodies, OptionalArray, Points, SumForces, WritePositions, WriteVelocities,
};
use crate::ensemble::Ensemble;
use crate::ensemble::lanes::CHUNK;
use crate::ensemble::lanes::CHUNK_AT_REST;
use crate::error::{Error, Failure, check, check_room};
use crate::kernel::MOST_LANES;
use crate::memory::{Bodies, States, StatesMut, View, ViewMut, boxed};
use crate::simd;
use crate::threads::{End, locked};
use std::ops::Range;
use std::sync::{Mutex, TryLockError};

/// Where the numbers of some bodies, or of their points, are written.
trait Outputs: Sized + Send {
    /// What belongs to the bodies before `body`, whose first point is `point`, and the rest.
    fn split_at(self, body: usize, point: usize) -> (Self, Self);
}

/// An array with a row for each point.
struct OfPoints<'m>(ViewMut<'m, 3>);

impl Outputs for OfPoints<'_> {
    fn split_at(self, _: usize, point: usize) -> (Self, Self) {
        let (before, rest) = self.0.split_at(point);
        (OfPoints(before), OfPoints(rest))
    }
}

impl Outputs for OfBodies<'_> {
    fn split_at(self, body: usize, _: usize) -> (Self, Self) {
        let (forces_before, forces) = split_if_any(self.forces, body);
        let (torques_before, torques) = split_if_any(self.torques, body);
        let before = OfBodies {
            forces: forces_before,
            torques: torques_before,
        };
        (before, OfBodies { forces, torques })
    }
}

fn split_if_any(array: OptionalArray, body: usize) -> (OptionalArray, OptionalArray) {
    match array {
        Some(array) => {
            let (before, rest) = array.split_at(body);
            (Some(before), Some(rest))
        }
        None => (None, None),
    }
}

/// The bodies that a thread takes at once, and the fewest for which threads are woken.
const PIECE: usize = 4 * CHUNK;

const NO_POINTS: &str = "no points have been set for these bodies: the number or the order of the \
                         bodies has changed, or they have never had any";

impl Ensemble<'_, '_> {
    /// Fixes points to the bodies, in place of those before: `bodies[k]` is the body of point k,
    /// ascending, and `arms` is its position in the body frame, from the centre of mass. See
    /// `qi_set_points`. Errors: [`Error::NotFinite`], with the body; [`Error::Invalid`] if the
    /// bodies are not ascending; [`Error::Order`] within a step; [`Error::Capacity`],
    /// [`Error::Memory`]. Then nothing has changed.
    pub fn set_points(&mut self, bodies: &[usize], arms: View<3>) -> Result<(), Failure> {
        self.check_no_step_begun()?;
        let fits = arms.count() == bodies.len();
        check_room(fits, arms.name(), bodies.len(), arms.count())?;
        self.points = Some(boxed(Points::new(self.count(), bodies, &arms)?)?);
        Ok(())
    }

    /// The number of points. Errors: [`Error::Order`] if none have been set since the number or the
    /// order of the bodies has changed.
    pub fn point_count(&self) -> Result<usize, Error> {
        Ok(self.points()?.total())
    }

    /// Writes the position of each point, world frame. `centres`: the position of each body's
    /// centre of mass; `None`: relative to it. Errors: [`Error::Order`] without points;
    /// [`Error::Capacity`]; the array overlaps a bound one or `centres`.
    pub fn point_positions(&self, centres: Option<View<3>>, to: ViewMut<3>) -> Result<(), Failure> {
        let points = self.points_for(&to, &centres)?;
        self.visit_points(points, OfPoints(to), |chunk, to| {
            let to = to.0.reborrow();
            let count = chunk.count;
            let mut place = WritePositions { chunk, centres, to };
            simd::run_on(count, &mut place);
        });
        Ok(())
    }

    /// Writes the velocity of each point, world frame. `centre_velocities`: of each body's centre
    /// of mass; `None`: relative to it. `are_predicted`: by the angular velocities in the array of
    /// [`Ensemble::bind_predicted_velocities`]. Errors: as [`Ensemble::point_positions`];
    /// [`Error::Invalid`] if no predicted angular velocities are bound.
    pub fn point_velocities(
        &self,
        are_predicted: bool,
        centre_velocities: Option<View<3>>,
        to: ViewMut<3>,
    ) -> Result<(), Failure> {
        let points = self.points_for(&to, &centre_velocities)?;
        let predicted = match &self.motion.states.predicted {
            Some(predicted) if are_predicted => Some(predicted.array.as_view()),
            _ => None,
        };
        check(
            predicted.is_some() || !are_predicted,
            "predicted",
            "must be 0 unless predicted angular velocities are bound",
        )?;
        self.visit_points(points, OfPoints(to), |chunk, to| {
            let count = chunk.count;
            let mut velocities = WriteVelocities {
                chunk,
                predicted,
                of_centres: centre_velocities,
                to: to.0.reborrow(),
            };
            simd::run_on(count, &mut velocities);
        });
        Ok(())
    }

    /// Sums the forces on the points of each body, world frame, and their torques about its centre
    /// of mass, in the order of the points. Bodies without points get zeros. Arrays that are `None`
    /// are not written. Errors: [`Error::Order`] without points; [`Error::Capacity`]; an array
    /// overlaps a bound one or `forces`, or the two overlap each other.
    pub fn sum_point_forces(
        &self,
        forces: View<3>,
        body_forces: Option<ViewMut<3>>,
        body_torques: Option<ViewMut<3>>,
    ) -> Result<(), Failure> {
        let points = self.points()?;
        let count = points.total();
        check_room(
            forces.count() == count,
            forces.name(),
            count,
            forces.count(),
        )?;
        for array in body_forces.iter().chain(&body_torques) {
            let array = array.as_view();
            self.check_count(&array)?;
            check(
                !self.overlaps_bound(&array) && !array.overlaps(&forces),
                array.name(),
                MUST_BE_APART,
            )?;
        }
        if let (Some(body_forces), Some(body_torques)) = (&body_forces, &body_torques) {
            let body_torques = body_torques.as_view();
            check(
                !body_torques.overlaps(&body_forces.as_view()),
                body_torques.name(),
                MUST_BE_APART,
            )?;
        }
        let outputs = OfBodies {
            forces: body_forces,
            torques: body_torques,
        };
        self.visit_points(points, outputs, |chunk, to| {
            let count = chunk.count;
            let mut sum = SumForces {
                chunk,
                forces,
                to: to.reborrow(),
            };
            simd::run_on(count, &mut sum);
        });
        Ok(())
    }

    fn points(&self) -> Result<&Points, Error> {
        self.points.as_deref().ok_or(Error::Order(NO_POINTS))
    }

    /// The points, if an array has room for a row of each of them, and is apart from what is read.
    fn points_for(&self, to: &ViewMut<3>, of_bodies: &Option<View<3>>) -> Result<&Points, Error> {
        let points = self.points()?;
        let array = to.as_view();
        let count = points.total();
        check_room(array.count() == count, array.name(), count, array.count())?;
        let mut is_apart = !self.overlaps_bound(&array);
        if let Some(of_bodies) = of_bodies {
            self.check_count(of_bodies)?;
            is_apart &= !array.overlaps(of_bodies);
        }
        check(is_apart, array.name(), MUST_BE_APART)?;
        Ok(points)
    }

    /// Calls `visit` with each chunk of bodies, and with where their numbers go; on several threads
    /// if there are many. If another call uses the threads, it does without.
    fn visit_points<O: Outputs>(
        &self,
        points: &Points,
        outputs: O,
        visit: impl Fn(ChunkOfBodies, &mut O) + Sync,
    ) {
        let rest = Mutex::new((0, Some(outputs)));
        let work = |_: End| {
            let [mut raw, mut tile] = [CHUNK_AT_REST; 2];
            while let Some((bodies, mut outputs)) = self.next_piece(points, &rest) {
                for first in bodies.clone().step_by(CHUNK) {
                    let count = CHUNK.min(bodies.end - first);
                    let states = self.states_of(first, count, &mut raw, &mut tile);
                    let chunk = ChunkOfBodies {
                        points,
                        first,
                        count,
                        states,
                    };
                    visit(chunk, &mut outputs);
                }
            }
        };
        let pieces = self.count().div_ceil(PIECE);
        if pieces > 1
            && let Some(threads) = &self.motion.workers.threads
        {
            let threads = match threads.try_lock() {
                Ok(threads) => Some(threads),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            };
            if let Some(mut threads) = threads
                && threads.are_here()
            {
                return threads.run(pieces, &work);
            }
        }
        work(End::Front);
    }

    /// The next bodies, with what belongs to them of the outputs.
    fn next_piece<O: Outputs>(
        &self,
        points: &Points,
        rest: &Mutex<(usize, Option<O>)>,
    ) -> Option<(Range<usize>, O)> {
        let (first, outputs) = &mut *locked(rest);
        if *first == self.count() {
            return None;
        }
        let end = self.count().min(*first + PIECE);
        let (these, others) = outputs.take()?.split_at(end, points.first[end]);
        *outputs = Some(others);
        let bodies = *first..end;
        *first = end;
        Some((bodies, these))
    }

    fn states_of<'s>(
        &'s self,
        first: usize,
        count: usize,
        raw: StatesMut,
        tile: StatesMut<'s>,
    ) -> States<'s> {
        let states = &self.motion.states;
        if states.bound.is_empty() {
            return &states.current[first / MOST_LANES..];
        }
        let bodies = &Bodies::From { first, count };
        // It fails if the caller has written what is no state: a step says so, this does not.
        let _ = states
            .bound
            .at_start(&states.current, &self.inertias, bodies, raw, tile);
        tile
    }
}

const MUST_BE_APART: &str = "must not overlap a bound array, or another array of this call";
