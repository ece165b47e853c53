//! The loops over the points of a chunk of bodies: one body in each lane, its points one after the
//! other, as long as enough bodies have one more; then one point after the other.

use crate::ensemble::lanes::lanes;
use crate::error::{Error, Failure, check, finite};
use crate::kernel::{MOST_LANES, Number, RotationMatrix, Vec3};
use crate::memory::{Block, States, View, ViewMut, load, load_vector, make_room, store_vector};
use crate::simd::Job;
use std::ops::Range;

/// The points of all bodies, in ascending order of the bodies.
pub(crate) struct Points {
    /// The first point of each body, and behind them the number of points.
    pub(crate) first: Vec<usize>,
    /// The first rows of each block of bodies, and behind them the number of rows.
    first_rows: Vec<usize>,
    /// The arms, in the body frame, from the centre of mass: for each block of bodies the first
    /// point of each body, then the second of each, and so on, as long as [`IN_ROWS`] bodies have
    /// one; 0 where a body has no more.
    rows: Vec<Block<3>>,
    /// The arms of the points beyond the rows, in the order of points.
    others: Vec<[f64; 3]>,
    /// The first of the others of each body, and behind them their number.
    first_others: Vec<usize>,
}

/// The bodies of a block, 16, that must have a point for a row of arms. With fewer, each point
/// alone is faster, and a row takes too much memory.
const IN_ROWS: usize = 4;

impl Points {
    pub(crate) fn new(count: usize, bodies: &[usize], arms: &View<3>) -> Result<Self, Failure> {
        let mut points = Points {
            first: Vec::new(),
            first_rows: Vec::new(),
            rows: Vec::new(),
            others: Vec::new(),
            first_others: Vec::new(),
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
        make_room(&mut self.first_rows, blocks + 1)?;
        make_room(&mut self.first_others, count + 1)?;
        let mut rows = 0;
        let mut others = 0;
        for block in 0..blocks {
            self.first_rows.push(rows);
            let bodies = MOST_LANES * block..count.min(MOST_LANES * (block + 1));
            let mut counts = [0; MOST_LANES];
            for body in bodies.clone() {
                counts[body % MOST_LANES] = self.count_of(body);
            }
            counts.sort_unstable();
            let rows_here = counts[MOST_LANES - IN_ROWS.min(bodies.len())];
            rows += rows_here;
            for body in bodies {
                self.first_others.push(others);
                others += self.count_of(body).saturating_sub(rows_here);
            }
        }
        self.first_rows.push(rows);
        self.first_others.push(others);
        make_room(&mut self.rows, rows)?;
        make_room(&mut self.others, others)?;
        self.rows.resize(rows, Block::filled([0.0; 3]));
        for body in 0..count {
            let rows = self.rows_of(body);
            for j in 0..self.count_of(body) {
                let arm = arms.get(self.first[body] + j);
                if j < rows.len() {
                    self.rows[rows.start + j].set(body % MOST_LANES, arm);
                } else {
                    self.others.push(arm);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn total(&self) -> usize {
        self.first[self.first.len() - 1]
    }

    #[inline(always)]
    fn count_of(&self, body: usize) -> usize {
        self.first[body + 1] - self.first[body]
    }

    /// The rows of the block of a body.
    #[inline(always)]
    fn rows_of(&self, body: usize) -> Range<usize> {
        let block = body / MOST_LANES;
        self.first_rows[block]..self.first_rows[block + 1]
    }

    /// The arms of the `j`-th points of the bodies from `body` on, for each `j` in the rows.
    #[inline(always)]
    fn arms_of<N: Number>(&self, body: usize) -> impl Iterator<Item = (usize, Vec3<N>)> {
        let lane = body % MOST_LANES;
        let rows = &self.rows[self.rows_of(body)];
        rows.iter()
            .map(move |row| load_vector(row, 0, lane))
            .enumerate()
    }

    /// The lanes of the bodies from `body` on that have points beyond the rows.
    #[inline(always)]
    fn lanes_beyond<N: Number>(&self, body: usize) -> impl Iterator<Item = usize> {
        let end = (body + N::LANES).min(self.first.len() - 1);
        let first = &self.first_others[body.min(end)..=end];
        let has_others = first[0] < first[first.len() - 1];
        let lanes = if has_others { first.len() - 1 } else { 0 };
        (0..lanes).filter(move |&lane| first[lane] < first[lane + 1])
    }

    /// The points of a body beyond the rows, with their arms.
    #[inline(always)]
    fn beyond(&self, body: usize) -> impl Iterator<Item = (usize, Vec3<f64>)> {
        let others = &self.others[self.first_others[body]..self.first_others[body + 1]];
        let first = self.first[body + 1] - others.len();
        others
            .iter()
            .enumerate()
            .map(move |(j, &arm)| (first + j, Vec3(arm)))
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
pub(crate) struct ChunkOfBodies<'a> {
    pub(crate) points: &'a Points,
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) states: States<'a>,
}

impl ChunkOfBodies<'_> {
    /// The rotation to the world frame, and the angular velocity there, of the bodies from a lane
    /// of a block on.
    #[inline(always)]
    fn rotation_of<N: Number>(
        &self,
        predicted: &Option<View<3>>,
        block: usize,
        lane: usize,
    ) -> (RotationMatrix<N>, Vec3<N>) {
        let state = load::<N>(&self.states[block], lane);
        let omega = if predicted.is_some() {
            let body = self.first + block * MOST_LANES + lane;
            vectors_of::<N>(predicted, body, self.first + self.count)
        } else {
            state.q.to_world(state.omega_body)
        };
        (state.q.to_matrix(), omega)
    }
}

/// Writes the positions of the points of a chunk.
pub(crate) struct WritePositions<'a, 'm> {
    pub(crate) chunk: ChunkOfBodies<'a>,
    pub(crate) centres: Option<View<'a, 3>>,
    pub(crate) to: ViewMut<'m, 3>,
}

impl Job for WritePositions<'_, '_> {
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
            for k in points.lanes_beyond::<N>(body) {
                let to_world = load::<f64>(&states[b], lane + k).q.to_matrix();
                let centre = vectors_of::<f64>(&self.centres, body + k, first + count);
                for (point, arm) in points.beyond(body + k) {
                    to.put(point, (centre + to_world.rotate(arm)).0);
                }
            }
        });
    }
}

/// Writes the velocities of the points of a chunk.
pub(crate) struct WriteVelocities<'a, 'm> {
    pub(crate) chunk: ChunkOfBodies<'a>,
    pub(crate) predicted: Option<View<'a, 3>>,
    pub(crate) of_centres: Option<View<'a, 3>>,
    pub(crate) to: ViewMut<'m, 3>,
}

impl Job for WriteVelocities<'_, '_> {
    const FEW_IN_A_PAIR: bool = true;

    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let ChunkOfBodies {
            points,
            first,
            count,
            ..
        } = self.chunk;
        let mut to = self.to.reborrow(); // a copy, as in `Stage`
        lanes!(count, N, b, lane, {
            let body = first + b * MOST_LANES + lane;
            let (to_world, omega) = self.chunk.rotation_of::<N>(&self.predicted, b, lane);
            let of_centre = vectors_of::<N>(&self.of_centres, body, first + count);
            for (j, arm) in points.arms_of::<N>(body) {
                let velocity = of_centre + omega.cross(to_world.rotate(arm));
                put_each(velocity, points, (body, j), &mut to);
            }
            for k in points.lanes_beyond::<N>(body) {
                let (to_world, omega) = self.chunk.rotation_of::<f64>(&self.predicted, b, lane + k);
                let of_centre = vectors_of::<f64>(&self.of_centres, body + k, first + count);
                for (point, arm) in points.beyond(body + k) {
                    to.put(point, (of_centre + omega.cross(to_world.rotate(arm))).0);
                }
            }
        });
    }
}

/// Sums the forces on the points of a chunk, and their torques.
pub(crate) struct SumForces<'a, 'm> {
    pub(crate) chunk: ChunkOfBodies<'a>,
    pub(crate) forces: View<'a, 3>,
    pub(crate) to: OfBodies<'m>,
}

impl Job for SumForces<'_, '_> {
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
            let [mut forces_here, mut torques_here] = [Block::filled([0.0; 3]); 2];
            store_vector(force, &mut forces_here, 0, 0);
            store_vector(torque, &mut torques_here, 0, 0);
            for k in points.lanes_beyond::<N>(body) {
                let to_world = load::<f64>(&states[b], lane + k).q.to_matrix();
                let mut force = Vec3(forces_here.get(k));
                let mut torque = Vec3(torques_here.get(k));
                for (point, arm) in points.beyond(body + k) {
                    let f = Vec3(forces.get(point));
                    force = force + f;
                    torque = torque + to_world.rotate(arm).cross(f);
                }
                forces_here.set(k, force.0);
                torques_here.set(k, torque.0);
            }
            let bodies = body..(first + count).min(body + N::LANES);
            put_of_bodies(&forces_here, bodies.clone(), &mut self.to.forces);
            put_of_bodies(&torques_here, bodies, &mut self.to.torques);
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

/// Writes a vector of each of some bodies, if it is wanted.
#[inline(always)]
fn put_of_bodies(vectors: &Block<3>, bodies: Range<usize>, to: &mut OptionalArray) {
    if let Some(to) = to {
        for (lane, body) in bodies.enumerate() {
            to.put(body, vectors.get(lane));
        }
    }
}

/// Arrays with a row for each body, of those that are wanted.
pub(crate) struct OfBodies<'m> {
    pub(crate) forces: Option<ViewMut<'m, 3>>,
    pub(crate) torques: Option<ViewMut<'m, 3>>,
}

impl OfBodies<'_> {
    pub(crate) fn reborrow(&mut self) -> OfBodies<'_> {
        OfBodies {
            forces: self.forces.as_mut().map(ViewMut::reborrow),
            torques: self.torques.as_mut().map(ViewMut::reborrow),
        }
    }
}

pub(crate) type OptionalArray<'m> = Option<ViewMut<'m, 3>>;
