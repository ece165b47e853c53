//! Points fixed to the bodies of an ensemble: the spheres of clumps, the atoms of rigid molecules.
//! ```text
//!     x = X + R d        v = V + ω × R d        F = Σ f        T = Σ R d × f
//! ```
//!
//! X and V are the position and the velocity of the centre of mass, R leads from the body frame to
//! the world frame, d is the arm of a point in the body frame, and f is a force on it.

use super::lanes::{CHUNK, CHUNK_BLOCKS, lanes};
use super::states::CHUNK_AT_REST;
use super::{Ensemble, check_room};
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, RotationMatrix, Vec3};
use crate::memory::{Block, Bodies, States, View, ViewMut, load, make_room, store_vector};
use crate::simd::{self, Job};
use crate::threads::{End, locked};
use std::ops::Range;
use std::sync::{Mutex, TryLockError};

/// The points of all bodies, in ascending order of the bodies.
pub(super) struct Points {
    /// The first point of each body, and behind them the number of points.
    first: Vec<usize>,
    /// In the body frame, from the centre of mass.
    arms: Vec<[f64; 3]>,
}

impl Points {
    fn new(count: usize, bodies: &[usize], arms: &View<3>) -> Result<Self, Failure> {
        let mut points = Points {
            first: Vec::new(),
            arms: Vec::new(),
        };
        make_room(&mut points.first, count + 1)?;
        make_room(&mut points.arms, bodies.len())?;
        for (point, &body) in bodies.iter().enumerate() {
            let is_next = body < count && (point == 0 || bodies[point - 1] <= body);
            check(
                is_next,
                "bodies",
                "must be ascending and below the number of bodies",
            )?;
            let arm = finite(arms.name(), arms.get(point))
                .map_err(|error| Failure::of_body(body, error))?;
            points.first.resize(body + 1, point);
            points.arms.push(arm);
        }
        points.first.resize(count + 1, bodies.len());
        Ok(points)
    }

    fn of_body(&self, body: usize) -> Range<usize> {
        self.first[body]..self.first[body + 1]
    }
}

/// The rotations of the bodies of a chunk.
struct Rotations {
    to_world: [Block<9>; CHUNK_BLOCKS],
    /// World frame.
    omega: [Block<3>; CHUNK_BLOCKS],
}

impl Rotations {
    fn of(states: States, count: usize) -> Self {
        let mut rotations = Rotations {
            to_world: [Block::filled([0.0; 9]); CHUNK_BLOCKS],
            omega: [Block::filled([0.0; 3]); CHUNK_BLOCKS],
        };
        simd::run_on(
            count,
            &mut Rotate {
                states,
                count,
                to: &mut rotations,
            },
        );
        rotations
    }

    fn matrix(&self, i: usize) -> RotationMatrix<f64> {
        let [a, b, c, d, e, f, g, h, k] = self.to_world[i / MOST_LANES].get(i % MOST_LANES);
        RotationMatrix([Vec3([a, b, c]), Vec3([d, e, f]), Vec3([g, h, k])])
    }

    fn omega_world(&self, i: usize) -> Vec3<f64> {
        Vec3(self.omega[i / MOST_LANES].get(i % MOST_LANES))
    }
}

struct Rotate<'a> {
    states: States<'a>,
    count: usize,
    to: &'a mut Rotations,
}

impl Job for Rotate<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let states = self.states;
        let to = &mut *self.to;
        lanes!(self.count, N, b, lane, {
            let state = load::<N>(&states[b], lane);
            let matrix = state.q.to_matrix();
            for row in 0..3 {
                store_vector(matrix.0[row], &mut to.to_world[b], 3 * row, lane);
            }
            store_vector(
                state.q.to_world(state.omega_body),
                &mut to.omega[b],
                0,
                lane,
            );
        });
    }
}

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

/// Arrays with a row for each body, of those that are wanted.
struct OfBodies<'m> {
    forces: Option<ViewMut<'m, 3>>,
    torques: Option<ViewMut<'m, 3>>,
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

type OptionalArray<'m> = Option<ViewMut<'m, 3>>;

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

impl Ensemble<'_> {
    /// Fixes points to the bodies, in place of those before: `bodies[k]` is the body of point k,
    /// ascending, and `arms` is its position in the body frame, from the centre of mass. See
    /// [`qi_set_points`](crate::ffi::qi_set_points). Errors: [`Error::NotFinite`], with the body;
    /// [`Error::Invalid`] if the bodies are not ascending; [`Error::Capacity`], [`Error::Memory`].
    /// Then nothing has changed.
    pub fn set_points(&mut self, bodies: &[usize], arms: View<3>) -> Result<(), Failure> {
        let fits = arms.count() == bodies.len();
        check_room(fits, arms.name(), bodies.len(), arms.count())?;
        self.points = Some(Points::new(self.count(), bodies, &arms)?);
        Ok(())
    }

    /// The number of points. Errors: [`Error::Order`] if none have been set since the number or the
    /// order of the bodies has changed.
    pub fn point_count(&self) -> Result<usize, Error> {
        Ok(self.points()?.arms.len())
    }

    /// Writes the position of each point, world frame. `centres`: the position of each body's centre
    /// of mass; `None`: relative to it. Errors: [`Error::Order`] without points;
    /// [`Error::Capacity`]; the array overlaps a bound one or `centres`.
    pub fn point_positions(&self, centres: Option<View<3>>, to: ViewMut<3>) -> Result<(), Failure> {
        let points = self.points_for(&to, &centres)?;
        self.visit_points(points, OfPoints(to), |body, i, rotations, to| {
            let to_world = rotations.matrix(i);
            let centre = vector_or_zero(&centres, body);
            for point in points.of_body(body) {
                let position = centre + to_world.rotate(Vec3(points.arms[point]));
                to.0.put(point, position.0);
            }
        });
        Ok(())
    }

    /// Writes the velocity of each point, world frame. `centre_velocities`: of each body's centre of
    /// mass; `None`: relative to it. `are_predicted`: by the angular velocities in the array of
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
        self.visit_points(points, OfPoints(to), |body, i, rotations, to| {
            let to_world = rotations.matrix(i);
            let omega = match &predicted {
                Some(predicted) => Vec3(predicted.get(body)),
                None => rotations.omega_world(i),
            };
            let of_centre = vector_or_zero(&centre_velocities, body);
            for point in points.of_body(body) {
                let arm = to_world.rotate(Vec3(points.arms[point]));
                to.0.put(point, (of_centre + omega.cross(arm)).0);
            }
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
        let count = points.arms.len();
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
        self.visit_points(points, outputs, |body, i, rotations, to| {
            let to_world = rotations.matrix(i);
            let mut force = Vec3([0.0; 3]);
            let mut torque = Vec3([0.0; 3]);
            for point in points.of_body(body) {
                let f = Vec3(forces.get(point));
                let arm = to_world.rotate(Vec3(points.arms[point]));
                force = force + f;
                torque = torque + arm.cross(f);
            }
            if let Some(forces) = &mut to.forces {
                forces.put(body, force.0);
            }
            if let Some(torques) = &mut to.torques {
                torques.put(body, torque.0);
            }
        });
        Ok(())
    }

    fn points(&self) -> Result<&Points, Error> {
        self.points.as_ref().ok_or(Error::Order(NO_POINTS))
    }

    /// The points, if an array has room for a row of each of them, and is apart from what is read.
    fn points_for(&self, to: &ViewMut<3>, of_bodies: &Option<View<3>>) -> Result<&Points, Error> {
        let points = self.points()?;
        let array = to.as_view();
        let count = points.arms.len();
        check_room(array.count() == count, array.name(), count, array.count())?;
        let mut is_apart = !self.overlaps_bound(&array);
        if let Some(of_bodies) = of_bodies {
            self.check_count(of_bodies)?;
            is_apart &= !array.overlaps(of_bodies);
        }
        check(is_apart, array.name(), MUST_BE_APART)?;
        Ok(points)
    }

    /// Calls `visit(body, i, rotations, outputs)` for each body, which is the `i`-th of `rotations`;
    /// on several threads if there are many. If another call uses the threads, it does without.
    fn visit_points<O: Outputs>(
        &self,
        points: &Points,
        outputs: O,
        visit: impl Fn(usize, usize, &Rotations, &mut O) + Sync,
    ) {
        let rest = Mutex::new((0, Some(outputs)));
        let work = |_: End| {
            while let Some((bodies, mut outputs)) = self.next_piece(points, &rest) {
                for first in bodies.clone().step_by(CHUNK) {
                    let count = CHUNK.min(bodies.end - first);
                    let rotations = self.rotations(&Bodies::From { first, count });
                    for i in 0..count {
                        visit(first + i, i, &rotations, &mut outputs);
                    }
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

    fn rotations(&self, bodies: &Bodies) -> Rotations {
        let [mut raw, mut tile] = [CHUNK_AT_REST; 2];
        let states = &self.motion.states;
        // what the caller has written to bound arrays is checked by a step, not here
        if let Ok(states) =
            states
                .bound
                .at_start(&states.current, &self.inertias, bodies, &mut raw, &mut tile)
        {
            return Rotations::of(states, bodies.count());
        }
        Rotations::of(&tile, bodies.count())
    }
}

const MUST_BE_APART: &str = "must not overlap a bound array, or another array of this call";

fn vector_or_zero(array: &Option<View<3>>, body: usize) -> Vec3<f64> {
    match array {
        Some(array) => Vec3(array.get(body)),
        None => Vec3([0.0; 3]),
    }
}
