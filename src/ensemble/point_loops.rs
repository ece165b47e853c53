//! The loops over the points of a chunk of bodies: one body in each lane, its points one after the
//! other.

use super::lanes::lanes;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, Vec3};
use crate::memory::{Block, States, View, ViewMut, load, load_vector, make_room, store_vector};
use crate::simd::Job;

/// The points of all bodies, in ascending order of the bodies.
pub(super) struct Points {
    /// The first point of each body, and behind them the number of points.
    pub(super) first: Vec<usize>,
    /// The first arms of each block of bodies, and behind them the number of arms.
    first_arms: Vec<usize>,
    /// In the body frame, from the centre of mass: for each block of bodies the first point of each
    /// body, then the second of each, and so on, 0 where a body has no more.
    arms: Vec<Block<3>>,
}

impl Points {
    pub(super) fn new(count: usize, bodies: &[usize], arms: &View<3>) -> Result<Self, Failure> {
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

    pub(super) fn total(&self) -> usize {
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
        blocks
            .iter()
            .map(move |block| load_vector(block, 0, lane))
            .enumerate()
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
        first
            .windows(2)
            .map(move |pair| Some(pair[0] + j).filter(|point| *point < pair[1]))
            .enumerate()
    }
}

/// What the loops read of the bodies of a chunk.
pub(super) struct ChunkOfBodies<'a> {
    pub(super) points: &'a Points,
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) states: States<'a>,
}

/// Writes the positions of the points of a chunk.
pub(super) struct Place<'a, 'm> {
    pub(super) chunk: ChunkOfBodies<'a>,
    pub(super) centres: Option<View<'a, 3>>,
    pub(super) to: ViewMut<'m, 3>,
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
pub(super) struct Move<'a, 'm> {
    pub(super) chunk: ChunkOfBodies<'a>,
    pub(super) predicted: Option<View<'a, 3>>,
    pub(super) of_centres: Option<View<'a, 3>>,
    pub(super) to: ViewMut<'m, 3>,
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
pub(super) struct Sum<'a, 'm> {
    pub(super) chunk: ChunkOfBodies<'a>,
    pub(super) forces: View<'a, 3>,
    pub(super) to: OfBodies<'m>,
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

/// Arrays with a row for each body, of those that are wanted.
pub(super) struct OfBodies<'m> {
    pub(super) forces: Option<ViewMut<'m, 3>>,
    pub(super) torques: Option<ViewMut<'m, 3>>,
}

impl OfBodies<'_> {
    pub(super) fn reborrow(&mut self) -> OfBodies<'_> {
        OfBodies {
            forces: self.forces.as_mut().map(ViewMut::reborrow),
            torques: self.torques.as_mut().map(ViewMut::reborrow),
        }
    }
}

pub(super) type OptionalArray<'m> = Option<ViewMut<'m, 3>>;
