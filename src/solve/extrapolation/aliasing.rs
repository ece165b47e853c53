//! Torques that the nodes of a step do not show.
//!
//! The nodes of all columns are evenly spaced. A torque that oscillates once or several times from
//! node to node looks slow there, in every column alike, and the columns agree on a wrong state. So
//! each step that is exact enough asks for the torque once more, between two nodes, and compares it
//! with the polynomial through the torques of the nodes.

use crate::error::Error;
use crate::kernel::{Quat, State, Vec3, velocity_kicked};
use crate::solve::curve::BESIDE;
use crate::solve::motion::{Equations, of_unit_length_to_rounding};

/// The place between the node in the middle and the next, for the n-th step that is tried: an
/// oscillation of which a whole number fits in there is hidden, so the place differs from step to
/// step. The multiples of the reciprocal of the plastic number are spread evenly.
pub(super) fn place_of(step: u32) -> f64 {
    let multiple = 0.754_877_666_246_692_7 * f64::from(step);
    0.2 + 0.6 * multiple.fract()
}

/// The polynomial is trusted up to this multiple of the difference that its last two nodes make.
const TRUST: f64 = 2.0;

/// The length of the next trial after a torque that the nodes do not show, in units of the step.
pub(super) const AFTER: f64 = 0.25;

/// A state between two substeps, and the torque there.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) elapsed: f64,
    pub(super) state: State<f64>,
    pub(super) torque_body: Vec3<f64>,
}

/// The angular acceleration that a torque between nodes has and the polynomial through them has not.
/// `nodes` are those around the middle of a step, `between` is from 0, at the middle, to 1, at the
/// next. Evaluates the torque once.
pub(super) fn hidden_acceleration(
    motion: &mut Equations,
    nodes: &[Node],
    between: f64,
) -> Result<Vec3<f64>, Error> {
    let middle = nodes.len() / 2;
    let place = middle as f64 + between;
    let of_all = weights(nodes.len(), place);
    let state = State {
        q: of_unit_length_to_rounding(Quat(interpolated(nodes, &of_all, |node| node.state.q.0))),
        omega_body: Vec3(interpolated(nodes, &of_all, |node| node.state.omega_body.0)),
    };
    let h = nodes[middle + 1].elapsed - nodes[middle].elapsed;
    let torque = motion.torque_at(nodes[middle].elapsed + between * h, &state)?;
    let through_all = Vec3(interpolated(nodes, &of_all, |node| node.torque_body.0));
    let fewer = &nodes[1..nodes.len() - 1];
    let of_fewer = weights(fewer.len(), place - 1.0);
    let through_fewer = Vec3(interpolated(fewer, &of_fewer, |node| node.torque_body.0));
    let hidden = velocity_kicked(motion.inertia, torque - through_all, 1.0);
    let trusted = velocity_kicked(motion.inertia, through_all - through_fewer, TRUST);
    if hidden.dot(hidden) <= trusted.dot(trusted) {
        return Ok(Vec3::splat(0.0));
    }
    Ok(hidden)
}

/// A number for each node.
type Weights = [f64; 2 * BESIDE + 1];

/// The weights of the nodes in the polynomial through them, at a place between two nodes,
/// counted in nodes from the first: J.-P. Berrut, L. N. Trefethen, SIAM Rev. 46, 501 (2004),
/// eqs. 4.2, 5.1.
fn weights(count: usize, place: f64) -> Weights {
    let mut weights = [0.0; 2 * BESIDE + 1];
    let mut binomial = 1.0;
    for (i, weight) in weights[..count].iter_mut().enumerate() {
        *weight = binomial / (place - i as f64);
        binomial = -binomial * (count - 1 - i) as f64 / (i + 1) as f64;
    }
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The polynomial through N numbers of each node, where the nodes have these weights.
fn interpolated<const N: usize>(
    nodes: &[Node],
    weights: &Weights,
    numbers: impl Fn(&Node) -> [f64; N],
) -> [f64; N] {
    let mut sums = [0.0; N];
    for (node, weight) in nodes.iter().zip(weights) {
        for (sum, number) in sums.iter_mut().zip(numbers(node)) {
            *sum += weight * number;
        }
    }
    sums
}
