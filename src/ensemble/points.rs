//! Points fixed to the bodies of an ensemble: the spheres of clumps, the atoms of rigid molecules.
//! ```text
//!     x = X + R d        v = V + ω × R d        F = Σ f        T = Σ R d × f
//! ```
//!
//! X and V are the position and the velocity of the centre of mass, R leads from the body frame to
//! the world frame, d is the arm of a point in the body frame, and f is a force on it.

use super::lanes::{CHUNK, lanes};
use super::states::CHUNK_AT_REST;
use super::{Ensemble, check_room};
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, Vec3};
use crate::memory::{
    Block, Bodies, States, StatesMut, View, ViewMut, load, load_vector, make_room, store_vector,
};
use crate::simd::{self, Job};
use crate::threads::{End, locked};
use std::ops::Range;
use std::sync::{Mutex, TryLockError};

/// The points of all bodies, in ascending order of the bodies.
pub(super) struct Points {
    /// The first point of each body, and behind them the number of points.
    first: Vec<usize>,
    /// The first arms of each block of bodies, and behind them the number of arms.
    first_arms: Vec<usize>,
    /// In the body frame, from the centre of mass: for each block of bodies the first point of each
    /// body, then the second of each, and so on, 0 where a body has no more.
    arms: Vec<Block<3>>,
}

impl Points {
    fn new(count: usize, bodies: &[usize], arms: &View<3>) -> Result<Self, Failure> {
        let mut points = Points {
            first: Vec::new(),
            first_arms: Vec::new(),
            arms: Vec::new(),
        };
        make_room(&mut points.first, count + 1)?;
        for (point, &body) in bodies.iter().enumerate() {
            let is_next = body < count && (point == 0 || bodies[point - 1] <= body);
            check(
                is_next,
                "bodies",
                "must be ascending and below the number of bodies",
            )?;
            finite(arms.name(), arms.get(point)).map_err(|error| Failure::of_body(body, error))?;
            points.first.resize(body + 1, point);
        }
        points.first.resize(count + 1, bodies.len());
        points.arrange(count, arms)?;
        Ok(points)
    }

    /// Puts the arms where the loops find them.
    fn arrange(&mut self, count: usize, arms: &View<3>) -> Result<(), Error> {
        let blocks = count.div_ceil(MOST_LANES);
        make_room(&mut self.first_arms, blocks + 1)?;
        let mut total = 0;
        for block in 0..blocks {
            self.first_arms.push(total);
            let bodies = MOST_LANES * block..count.min(MOST_LANES * (block + 1));
            total += bodies.map(|body| self.count_of(body)).max().unwrap_or(0);
        }
        self.first_arms.push(total);
        make_room(&mut self.arms, total)?;
        self.arms.resize(total, Block::filled([0.0; 3]));
        for body in 0..count {
            for j in 0..self.count_of(body) {
                let block = self.first_arms[body / MOST_LANES] + j;
                let arm = arms.get(self.first[body] + j);
                self.arms[block].set(body % MOST_LANES, arm);
            }
        }
        Ok(())
    }

    fn total(&self) -> usize {
        self.first[self.first.len() - 1]
    }

    #[inline(always)]
    fn count_of(&self, body: usize) -> usize {
        self.first[body + 1] - self.first[body]
    }

    /// The arms of the `j`-th points of the bodies from `body` on, for each `j`.
    #[inline(always)]
    fn arms_of<N: Number>(&self, body: usize) -> impl Iterator<Item = (usize, Vec3<N>)> {
        let block = body / MOST_LANES;
        let lane = body % MOST_LANES;
        let blocks = &self.arms[self.first_arms[block]..self.first_arms[block + 1]];
        let arm = move |block: &Block<3>| load_vector::<N, 3>(block, 0, lane);
        blocks.iter().map(arm).enumerate()
    }

    /// The `j`-th point of each of the bodies from `body` on, in the order of lanes; `None` where a
    /// body has no more.
    #[inline(always)]
    fn each_of<N: Number>(
        &self,
        body: usize,
        j: usize,
    ) -> impl Iterator<Item = (usize, Option<usize>)> {
        let end = (body + N::LANES).min(self.first.len() - 1);
        let first = &self.first[body.min(end)..=end];
        let point = move |pair: &[usize]| {
            let point = pair[0] + j;
            if point < pair[1] { Some(point) } else { None }
        };
        first.windows(2).map(point).enumerate()
    }
}

/// What the loops read of the bodies of a chunk.
struct ChunkOfBodies<'a> {
    points: &'a Points,
    first: usize,
    count: usize,
    states: States<'a>,
}

/// Writes the positions of the points of a chunk.
struct Place<'a, 'm> {
    chunk: ChunkOfBodies<'a>,
    centres: Option<View<'a, 3>>,
    to: ViewMut<'m, 3>,
}

impl Job for Place<'_, '_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let ChunkOfBodies {
            points,
            first,
            count,
            states,
        } = self.chunk;
        let mut to = self.to.reborrow(); // a copy, as in `Stage`
        lanes!(count, N, b, lane, {
            let body = first + b * MOST_LANES + lane;
            let to_world = load::<N>(&states[b], lane).q.to_matrix();
            let centre = vectors_of::<N>(&self.centres, body, first + count);
            for (j, arm) in points.arms_of::<N>(body) {
                put_each(centre + to_world.rotate(arm), points, (body, j), &mut to);
            }
        });
    }
}

/// Writes the velocities of the points of a chunk.
struct Move<'a, 'm> {
    chunk: ChunkOfBodies<'a>,
    predicted: Option<View<'a, 3>>,
    of_centres: Option<View<'a, 3>>,
    to: ViewMut<'m, 3>,
}

impl Job for Move<'_, '_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let ChunkOfBodies {
            points,
            first,
            count,
            states,
        } = self.chunk;
        let mut to = self.to.reborrow(); // a copy, as in `Stage`
        lanes!(count, N, b, lane, {
            let body = first + b * MOST_LANES + lane;
            let state = load::<N>(&states[b], lane);
            let to_world = state.q.to_matrix();
            let omega = if self.predicted.is_some() {
                vectors_of::<N>(&self.predicted, body, first + count)
            } else {
                state.q.to_world(state.omega_body)
            };
            let of_centre = vectors_of::<N>(&self.of_centres, body, first + count);
            for (j, arm) in points.arms_of::<N>(body) {
                let velocity = of_centre + omega.cross(to_world.rotate(arm));
                put_each(velocity, points, (body, j), &mut to);
            }
        });
    }
}

/// Sums the forces on the points of a chunk, and their torques.
struct Sum<'a, 'm> {
    chunk: ChunkOfBodies<'a>,
    forces: View<'a, 3>,
    to: OfBodies<'m>,
}

impl Job for Sum<'_, '_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let ChunkOfBodies {
            points,
            first,
            count,
            states,
        } = self.chunk;
        let forces = self.forces;
        lanes!(count, N, b, lane, {
            let body = first + b * MOST_LANES + lane;
            let to_world = load::<N>(&states[b], lane).q.to_matrix();
            let mut force = Vec3::<N>::splat(0.0);
            let mut torque = Vec3::<N>::splat(0.0);
            for (j, arm) in points.arms_of::<N>(body) {
                // a body that has no more points adds zeros
                let mut these = Block::filled([0.0; 3]);
                for (k, point) in points.each_of::<N>(body, j) {
                    if let Some(point) = point {
                        these.set(k, forces.get(point));
                    }
                }
                let f = load_vector::<N, 3>(&these, 0, 0);
                force = force + f;
                torque = torque + to_world.rotate(arm).cross(f);
            }
            put_of_bodies(force, body, first + count, &mut self.to.forces);
            put_of_bodies(torque, body, first + count, &mut self.to.torques);
        });
    }
}

/// The vectors of the bodies from `body` on, 0 from `end` on; zeros without an array.
#[inline(always)]
fn vectors_of<N: Number>(array: &Option<View<3>>, body: usize, end: usize) -> Vec3<N> {
    let Some(array) = array else {
        return Vec3::splat(0.0);
    };
    let mut these = Block::filled([0.0; 3]);
    for (lane, body) in (body..end.min(body + N::LANES)).enumerate() {
        these.set(lane, array.get(body));
    }
    load_vector(&these, 0, 0)
}

/// Writes a vector of the `j`-th point of each of the bodies from `body` on.
#[inline(always)]
fn put_each<N: Number>(
    vectors: Vec3<N>,
    points: &Points,
    (body, j): (usize, usize),
    to: &mut ViewMut<3>,
) {
    let mut these = Block::filled([0.0; 3]);
    store_vector(vectors, &mut these, 0, 0);
    for (lane, point) in points.each_of::<N>(body, j) {
        if let Some(point) = point {
            to.put(point, these.get(lane));
        }
    }
}

/// Writes a vector of each of the bodies from `body` on, before `end`, if it is wanted.
#[inline(always)]
fn put_of_bodies<N: Number>(vectors: Vec3<N>, body: usize, end: usize, to: &mut OptionalArray) {
    if let Some(to) = to {
        let mut these = Block::filled([0.0; 3]);
        store_vector(vectors, &mut these, 0, 0);
        for (lane, body) in (body..end.min(body + N::LANES)).enumerate() {
            to.put(body, these.get(lane));
        }
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

impl OfBodies<'_> {
    fn reborrow(&mut self) -> OfBodies<'_> {
        OfBodies {
            forces: self.forces.as_mut().map(ViewMut::reborrow),
            torques: self.torques.as_mut().map(ViewMut::reborrow),
        }
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
        Ok(self.points()?.total())
    }

    /// Writes the position of each point, world frame. `centres`: the position of each body's centre
    /// of mass; `None`: relative to it. Errors: [`Error::Order`] without points;
    /// [`Error::Capacity`]; the array overlaps a bound one or `centres`.
    pub fn point_positions(&self, centres: Option<View<3>>, to: ViewMut<3>) -> Result<(), Failure> {
        let points = self.points_for(&to, &centres)?;
        self.visit_points(points, OfPoints(to), |chunk, to| {
            let to = to.0.reborrow();
            let count = chunk.count;
            let mut place = Place { chunk, centres, to };
            simd::run_on(count, &mut place);
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
        self.visit_points(points, OfPoints(to), |chunk, to| {
            let count = chunk.count;
            let mut velocities = Move {
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
            let mut sum = Sum {
                chunk,
                forces,
                to: to.reborrow(),
            };
            simd::run_on(count, &mut sum);
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
