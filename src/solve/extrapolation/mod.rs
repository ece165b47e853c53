//! Extrapolation of Strang's splitting with the exact free rotation: order and length of each step
//! are chosen as in ODEX, HNW93, II.9.
//!
//! A step of length `H` is taken in `n_j = 2, 4, 6, …` substeps `h = H/n_j` of the splitting
//!
//! ```text
//!     K(h/2) D(h) K(h/2)        K: ω += t I⁻¹τ, the kick        D: the free rotation, exact
//! ```
//!
//! which is symmetric: its error has even powers of h only. So the states at the end (and in the
//! middle, where each number of substeps has one) are extrapolated to h = 0 by the scheme of Aitken
//! and Neville, two orders a column:
//!
//! ```text
//!     T_{j,k+1} = T_{j,k} + (T_{j,k} − T_{j−1,k}) / ((n_j/n_{j−k})² − 1)
//! ```
//!
//! As D is exact, the error is proportional to the torque. Each substep takes one torque
//! evaluation; the one at the start serves for all, and one more shows what the nodes hide
//! (`aliasing`). `T` holds what the unknowns gain, not the unknowns: gains are small where steps are
//! short, so the differences of T, which extrapolation multiplies by up to 16, have small rounding
//! errors.
//!
//! The torque must not depend on the angular velocity, which the two kicks at one torque would take
//! at different times: the error would have odd powers of h, and its estimate would not show it. So
//! torques are shown NaN for it. A drag set besides is part of the kicks: with `C` its coefficients
//! and `u` the angular velocity of the fluid,
//!
//! ```text
//!     Δω = t I⁻¹ (τ + C (u − ω − ½Δω))
//! ```
//!
//! the implicit midpoint rule, which is symmetric too. Rotors are part of the drift, which is then
//! the symmetric one of `kernel::gyrostat`.

mod aliasing;
mod order;

use self::aliasing::Node;
use self::order::{COLUMNS, Order, SUBSTEPS};
use super::control::{Control, ErrorEstimate, SquaredError, StepPlan, time_to_turn};
use super::curve::{BESIDE, Curve, Knot, differences, second_derivative};
use super::motion::{Equations, Rates, Unknowns, here_of_unnormalised, solved};
use crate::error::Error;
use crate::kernel::{
    FreeRotation, GyrostatPart, Quat, State, Vec3, free_gyrostat, velocity_kicked,
};
use crate::memory;
use crate::torque::FluidDrag;

/// The longest step, times the rates in the motion: `|ω|`, `√|I⁻¹τ|` and `|I⁻¹C|` of a drag. In
/// longer steps the torques at the ends of substeps say little about those between; and a kick with
/// a drag that is stiff for it reflects the angular velocity, on which all columns then agree.
const FARTHEST: f64 = 3.0;

/// The estimate, the difference of two columns, is multiplied by this: then errors of solutions
/// have the size that they have by DOP853, which takes more and shorter steps.
const ESTIMATE: f64 = 3.0;

/// What the unknowns gain in the substeps of a column, to the middle and to the end of a step.
#[derive(Clone, Copy)]
struct Gains {
    middle: Unknowns,
    end: Unknowns,
}

/// The method, and the last step that was tried.
pub(super) struct Extrapolation {
    order: Order,
    /// How many steps have been looked at between nodes.
    looks: u32,
    /// The last row of T. It and the nodes are not on the stack, which may be small.
    row: Vec<Gains>,
    /// The columns of the last step that was tried.
    count: usize,
    /// The nodes around the middle, of each column.
    nodes: Vec<[Node; 2 * BESIDE + 1]>,
    pub(super) end: State<f64>,
}

impl Extrapolation {
    pub(super) fn new(start: &State<f64>, tolerance: f64) -> Result<Self, Error> {
        let none = Unknowns::of(start).times(0.0);
        let node = Node {
            elapsed: 0.0,
            state: *start,
            torque_body: Vec3::splat(0.0),
        };
        Ok(Extrapolation {
            order: Order::new(tolerance),
            looks: 0,
            row: memory::repeated(
                COLUMNS,
                Gains {
                    middle: none,
                    end: none,
                },
            )?,
            count: 0,
            nodes: memory::repeated(COLUMNS, [node; 2 * BESIDE + 1])?,
            end: *start,
        })
    }

    /// The same method for a part of the last step, from another state.
    pub(super) fn from(&self, start: &State<f64>) -> Result<Self, Error> {
        let mut method = Extrapolation::new(start, 1.0)?;
        method.order = Order::of(self.count);
        Ok(method)
    }

    /// Computes a step, column by column until one is exact enough or it is clear that none will
    /// be. `rates` are those of the start. An [`Error::Overflow`] or [`Error::TorqueNotFinite`] may
    /// only mean that the step is too long.
    pub(super) fn try_step(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
        control: &Control,
    ) -> Result<ErrorEstimate, Error> {
        let squared = self.extrapolate(motion, plan, start, rates, control)?;
        let is_exact_enough = squared <= 1.0; // not NaN
        if !is_exact_enough {
            let factor = self.order.plan_again(self.count - 1);
            return Ok(ErrorEstimate::Extrapolated { squared, factor });
        }
        let hidden = self.squared_hidden(motion, plan, control)?;
        let nodes_show_it = hidden <= 1.0; // not NaN
        let (squared, factor) = if nodes_show_it {
            (squared, self.order.plan_after(self.count - 1))
        } else {
            (hidden, aliasing::AFTER)
        };
        Ok(ErrorEstimate::Extrapolated { squared, factor })
    }

    /// Computes the columns of a step, as [`Extrapolation::try_step`], but does not look between the
    /// nodes. Returns the square of the error of the last column, in tolerances.
    pub(super) fn extrapolate(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
        control: &Control,
    ) -> Result<f64, Error> {
        let mut squared = f64::INFINITY;
        for j in self.order.begin() {
            self.add_row(j, motion, plan, start, rates)?;
            self.count = j + 1;
            if j == 0 {
                continue;
            }
            let apart = self.row[j].end.minus(&self.row[j - 1].end).squared();
            let apart = control.in_tolerances(plan, &apart, self.end.omega_body);
            squared = apart * (ESTIMATE * ESTIMATE);
            if self.order.ends(j, squared.sqrt()) {
                break;
            }
        }
        Ok(squared)
    }

    /// The square of the error, in tolerances, of a step whose nodes do not show the torque.
    fn squared_hidden(
        &mut self,
        motion: &mut Equations,
        plan: &StepPlan,
        control: &Control,
    ) -> Result<f64, Error> {
        let j = self.count - 1;
        let beside = BESIDE.min(SUBSTEPS[j] / 2);
        let nodes = &self.nodes[j][BESIDE - beside..=BESIDE + beside];
        self.looks = self.looks.wrapping_add(1);
        let between = aliasing::place_of(self.looks);
        let gained = aliasing::hidden_acceleration(motion, nodes, between)? * plan.h;
        let turn = gained * (0.5 * plan.h);
        let error = SquaredError::new(turn.dot(turn), gained);
        Ok(control.in_tolerances(plan, &error, self.end.omega_body))
    }

    /// Computes row j of T.
    fn add_row(
        &mut self,
        j: usize,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
    ) -> Result<(), Error> {
        let mut gains = self.take_substeps(j, motion, plan, start, rates)?;
        for k in 1..=j {
            let coarser = std::mem::replace(&mut self.row[k - 1], gains);
            gains = Gains {
                middle: beyond(&gains.middle, &coarser.middle, j, k),
                end: beyond(&gains.end, &coarser.end, j, k),
            };
        }
        self.row[j] = gains;
        self.end = Unknowns::of(start).plus(&self.row[j].end).end_state();
        if self.end.is_finite() {
            Ok(())
        } else {
            Err(motion.overflow())
        }
    }

    /// `T_{j,1}`: what the unknowns gain in `n_j` substeps.
    fn take_substeps(
        &mut self,
        j: usize,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        rates: &Rates,
    ) -> Result<Gains, Error> {
        let n = SUBSTEPS[j];
        let h = plan.h / n as f64;
        let y0 = Unknowns::of(start);
        let mut turned = Quat([0.0; 4]);
        let mut gained = Vec3::splat(0.0);
        let mut middle = y0;
        let mut node = Node {
            elapsed: plan.start,
            state: *start,
            torque_body: rates.torque_body,
        };
        self.keep(&node, 0, j);
        let kicks = Kicks::new(motion, 0.5 * h);
        let mut kicked = kicks.gain(motion, &node);
        for m in 1..=n {
            gained = gained + kicked;
            node.state.omega_body = start.omega_body + gained;
            let elapsed = plan.elapsed(m as f64 / n as f64);
            let free = drift(motion, &node, elapsed, h);
            turned = sum(turned, quaternion_gained(node.state.q, &free));
            gained = gained + free.gained;
            node.elapsed = elapsed;
            node.state.q = sum(start.q, turned);
            node.state.omega_body = start.omega_body + gained;
            node.torque_body = motion.torque_at(elapsed, &node.state)?;
            kicked = kicks.gain(motion, &node);
            gained = gained + kicked;
            node.state.omega_body = start.omega_body + gained;
            self.keep(&node, m, j);
            if 2 * m == n {
                middle = Unknowns::new(turned, gained);
            }
            if kicks.drag.is_some() && m < n {
                kicked = kicks.gain(motion, &node); // by the drag at the new angular velocity
            }
        }
        Ok(Gains {
            middle,
            end: Unknowns::new(turned, gained),
        })
    }

    /// Keeps the node after m substeps of column j, if it is close to the middle.
    #[inline(always)]
    fn keep(&mut self, node: &Node, m: usize, j: usize) {
        if let Some(place) = (m + BESIDE).checked_sub(SUBSTEPS[j] / 2)
            && place <= 2 * BESIDE
        {
            self.nodes[j][place] = *node;
        }
    }

    /// The states within the last step that was tried, with the rates at its start and its end.
    /// This takes one more torque evaluation, in the middle.
    pub(super) fn dense(
        &self,
        motion: &mut Equations,
        plan: &StepPlan,
        start: &State<f64>,
        [at_start, at_end]: [&Rates; 2],
    ) -> Result<Curve, Error> {
        let gains = &self.row[self.count - 1];
        let middle = Unknowns::of(start).plus(&gains.middle).end_state();
        let at_middle = motion.rates(plan.elapsed(0.5), &middle)?;
        let no_gain = gains.end.times(0.0);
        let knots = [
            Knot::new(start, no_gain, at_start, plan.h),
            Knot::new(&middle, gains.middle, &at_middle, plan.h),
            Knot::new(&self.end, gains.end, at_end, plan.h),
        ];
        let later = self.derivatives_in_middle(motion, plan.h)?;
        let known = 2 * self.count.min(BESIDE);
        Curve::new(motion, plan.h, knots, &later[..known])
    }

    /// The derivatives of the quaternion by the part of the step, in its middle, that follow the
    /// second: central differences of the second in each column, extrapolated.
    fn derivatives_in_middle(
        &self,
        motion: &Equations,
        h: f64,
    ) -> Result<[Unknowns; 2 * BESIDE], Error> {
        let none = self.row[0].end;
        let mut table = memory::repeated(COLUMNS, [none; 2 * BESIDE])?;
        for j in 0..self.count {
            let mut second = [none; 2 * BESIDE + 1];
            for (second, node) in second.iter_mut().zip(&self.nodes[j]) {
                let acceleration =
                    motion.acceleration_under(node.torque_body, node.elapsed, &node.state);
                *second = second_derivative(&node.state, acceleration, h);
            }
            table[j] = differences(second, SUBSTEPS[j] as f64);
        }
        for order in 0..2 * BESIDE {
            let first = order / 2; // the columns before have too few nodes
            for k in 1..self.count.saturating_sub(first) {
                for j in (first + k..self.count).rev() {
                    table[j][order] = beyond(&table[j][order], &table[j - 1][order], j, k);
                }
            }
        }
        Ok(table[self.count - 1])
    }
}

/// `T_{j,k+1}` from `T_{j,k}` and `T_{j−1,k}`, with k counted from 1.
fn beyond(finer: &Unknowns, coarser: &Unknowns, j: usize, k: usize) -> Unknowns {
    let ratio = SUBSTEPS[j] as f64 / SUBSTEPS[j - k] as f64;
    let divisor = ratio * ratio - 1.0;
    finer.plus(&finer.minus(coarser).times(1.0 / divisor))
}

/// The kicks of a column, all of one duration t.
struct Kicks {
    duration: f64,
    /// A drag, and the columns of `1 + ½ t I⁻¹ C`.
    drag: Option<(FluidDrag<f64>, [Vec3<f64>; 3])>,
}

impl Kicks {
    fn new(motion: &Equations, duration: f64) -> Self {
        let drag = motion.apart.drag.map(|drag| {
            let mut columns = columns_of_drag(motion, &drag, 0.5 * duration);
            for k in 0..3 {
                columns[k].0[k] += 1.0;
            }
            (drag, columns)
        });
        Kicks { duration, drag }
    }

    /// What the angular velocity gains in a kick at a node: `t I⁻¹ τ` or, with a drag, the `Δω` of
    /// `(1 + ½ t I⁻¹ C) Δω = t I⁻¹ (τ + C (u − ω))`.
    #[inline(always)]
    fn gain(&self, motion: &Equations, node: &Node) -> Vec3<f64> {
        let Some((drag, columns)) = &self.drag else {
            return velocity_kicked(motion.inertia, node.torque_body, self.duration);
        };
        let torque_body = node.torque_body + drag.at(&here_of_unnormalised(&node.state));
        solved(
            *columns,
            velocity_kicked(motion.inertia, torque_body, self.duration),
        )
    }
}

/// The longest step from a state with these rates.
pub(super) fn longest(motion: &Equations, rates: &Rates) -> f64 {
    let [x, y, z] = velocity_kicked(motion.inertia, rates.torque_body, 1.0).0;
    let kick = libm::hypot(libm::hypot(x, y), z);
    let by_kick = if kick > 0.0 {
        FARTHEST / kick.sqrt()
    } else {
        f64::INFINITY
    };
    time_to_turn(FARTHEST, rates.omega_body)
        .min(by_kick)
        .min(longest_in_drag(motion))
}

/// The longest step in the drag that acts, whatever else does.
pub(super) fn longest_in_drag(motion: &Equations) -> f64 {
    let Some(drag) = &motion.apart.drag else {
        return f64::INFINITY;
    };
    let squares = columns_of_drag(motion, drag, 1.0).map(|column| column.dot(column));
    FARTHEST / squares.iter().sum::<f64>().sqrt().max(1e-300)
}

/// The columns of `t I⁻¹ C`, body axes.
fn columns_of_drag(motion: &Equations, drag: &FluidDrag<f64>, duration: f64) -> [Vec3<f64>; 3] {
    [0, 1, 2].map(|k| {
        let mut column = Vec3::splat(0.0);
        column.0[k] = drag.coefficients.0[k];
        velocity_kicked(motion.inertia, column, duration)
    })
}

/// The free rotation for a duration `h`, from a node to an elapsed time.
#[inline(always)]
fn drift(motion: &Equations, node: &Node, elapsed: f64, h: f64) -> FreeRotation<f64> {
    let since = motion.apart.start;
    let part = motion.apart.rotor.map(|rotor| GyrostatPart {
        rotor,
        times: [node.elapsed - since, elapsed - since],
        turns: [0.5 * h; 2],
    });
    free_gyrostat(motion.inertia, part.as_ref(), node.state.omega_body, h)
}

/// What a quaternion gains in a free rotation: `q (r/|r| − 1)`, with `r = (s, v)` and
/// `s/|r| − 1 = −|v|²/(|r| (|r| + s))`, which does not cancel where the rotation is small.
#[inline(always)]
fn quaternion_gained(q: Quat<f64>, free: &FreeRotation<f64>) -> Quat<f64> {
    let scalar = free.rotation.0[0];
    let vector = free.rotation.vector();
    let squares = vector.dot(vector);
    let square = squares + scalar * scalar;
    let length = square.sqrt();
    let per = 1.0 / (square + length * scalar);
    let gained = -(squares * per);
    q * Quat::from_parts(gained, vector * ((length + scalar) * per))
}

#[inline(always)]
fn sum(a: Quat<f64>, b: Quat<f64>) -> Quat<f64> {
    Quat(std::array::from_fn(|k| a.0[k] + b.0[k]))
}
