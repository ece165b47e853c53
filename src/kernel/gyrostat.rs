//! The free rotation of a gyrostat: a body with rotors of angular momentum `h` in body axes.
//!
//! With the whole momentum `Π = I ω + h` the motion is a Lie-Poisson system with the energy `½ Π · I⁻¹Π − Π · I⁻¹h`, without constants.
//! Both terms alone have exact motions, which keep the momentum `R Π` in space:
//! ```text
//!     ½ Π · I⁻¹Π    the free rotation of the body with the momentum Π, at the angular velocity ω + v, v = I⁻¹h
//!     −Π · I⁻¹h     a constant turn: q ← q ⊗ e, Π ← e* Π e, e = exp(−t v)
//! ```
//!
//! A symmetric composition of turns and free rotations keeps the energy bounded too; see `method::composition`.
//!
//! About locked axes, of zero moment, the body does not turn, whatever the rotors do: `I ω̇ = (h × ω + u)` without those parts. A line with
//! the moment b then moves as a sphere of that moment with the rotors' momentum about the line alone, and the others not at all.

use super::free_rotor::{each_if_at_most, in_principal_axes};
use super::{FreeRotation, Number, PrincipalInertia, Quat, Range, RareWork, Vec3, exp_of_half, free_rotation};

/// The turns before and after a free rotation.
#[derive(Clone, Copy, Debug)]
pub struct GyrostatPart<N> {
    /// The momentum of the rotors, body frame.
    pub rotor: Vec3<N>,
    /// That at the end; `None`: the same.
    pub rotor_end: Option<Vec3<N>>,
    /// How long the turns before and after take.
    pub turns: [f64; 2],
}

/// The rotation of a body during a part of a step; `None`: it has no rotors. Rotors are rare: what they do is compiled once.
#[inline(always)]
pub fn free_gyrostat<N: Number>(
    inertia: &PrincipalInertia<N>, part: Option<&GyrostatPart<N>>, omega_body: Vec3<N>, duration: f64,
) -> FreeRotation<N> {
    let Some(part) = part else { return free_rotation(inertia, omega_body, duration) };
    let ([i1, i2, i3], [x1, x2, x3]) = (inertia.moments.0, inertia.reciprocals.0);
    let [w1, w2, w3] = inertia.to_principal(omega_body).0;
    let [h1, h2, h3] = inertia.to_principal(part.rotor).0;
    let [e1, e2, e3] = match part.rotor_end {
        None => [h1, h2, h3],
        Some(end) => inertia.to_principal(end).0,
    };
    let [whole, before, after] = [N::splat(duration), N::splat(part.turns[0]), N::splat(part.turns[1])];
    let given = [i1, i2, i3, x1, x2, x3, w1, w2, w3, h1, h2, h3, e1, e2, e3, whole, before, after];
    let [q0, q1, q2, q3, g1, g2, g3, motion] = if inertia.is_locked() {
        N::rarely::<N, 18, 8, Locked>(&given)
    } else {
        N::rarely::<N, 18, 8, BetweenTurns>(&given)
    };
    FreeRotation {
        rotation: Quat::from_parts(q0, inertia.from_principal(Vec3([q1, q2, q3]))),
        gained: inertia.from_principal(Vec3([g1, g2, g3])),
        motion,
    }
}

/// A free rotation between two turns, in principal axes. From moments and reciprocals (3 + 3), ω (3), the rotors' momentum at both ends
/// (3 + 3), the durations of the rotation and of the turns (1 + 2): the rotation (4), what ω gains (3), and the motion.
struct BetweenTurns;

impl RareWork<18, 8> for BetweenTurns {
    #[inline(always)]
    fn of_lanes<N: Number>(given: &[N; 18]) -> [N; 8] {
        let [i1, i2, i3, x1, x2, x3, w1, w2, w3, h1, h2, h3, e1, e2, e3, duration, before, after] = *given;
        let inertia = &PrincipalInertia::of(Vec3([i1, i2, i3]), Vec3([x1, x2, x3]), None);
        let v = inertia.angular_velocity(Vec3([h1, h2, h3]));
        let v_end = inertia.angular_velocity(Vec3([e1, e2, e3]));
        let first = Turn::new(v, before);
        let whole = Vec3([w1, w2, w3]) + v; // I⁻¹Π
        let gained_first = first.gained(inertia, whole);
        let omega = whole + gained_first;
        let free = in_principal_axes(&inertia.rotor, omega, N::splat(0.5) * duration);
        let (mut last, mut rotation) = (first, first.around(free.rotation));
        if differ([h1, h2, h3, before], [e1, e2, e3, after]) {
            last = Turn::new(v_end, after);
            rotation = first.rotation * (free.rotation * last.rotation);
        }
        let [q0, q1, q2, q3] = rotation.0;
        let [g1, g2, g3] = (((gained_first + last.gained(inertia, omega + free.gained)) + free.gained) + (v - v_end)).0;
        [q0, q1, q2, q3, g1, g2, g3, free.motion + (v.dot(v) + v_end.dot(v_end))]
    }
}

/// Whether numbers differ, in any lane.
#[inline(always)]
fn differ<N: Number, const K: usize>(a: [N; K], b: [N; K]) -> bool {
    let mut sum = N::splat(0.0);
    for k in 0..K {
        sum = sum + (a[k] - b[k]).if_at_most(0.0, b[k] - a[k], a[k] - b[k]);
    }
    sum.any_above(0.0)
}

/// The same where some lanes have bodies with locked axes: their own in these lanes. The motors turn a body about its other axes by two
/// kicks, one at each end: of order 2.
struct Locked;

impl RareWork<18, 8> for Locked {
    #[inline(always)]
    fn of_lanes<N: Number>(given: &[N; 18]) -> [N; 8] {
        let [i1, i2, i3, x1, x2, x3, w1, w2, w3, h1, h2, h3, e1, e2, e3, duration, before, after] = *given;
        let (reciprocals, zero) = (Vec3([x1, x2, x3]), N::splat(0.0));
        let (rotor, rotor_end) = (Vec3([h1, h2, h3]), Vec3([e1, e2, e3]));
        let count = i1 * x1 + i2 * x2 + i3 * x3 + N::splat(1e-17); // of the axes that are not locked
        let (i, x) = ((i1 + i2 + i3) / count, (x1 + x2 + x3) / count); // of a sphere
        // the part of the rotors along a line: 1 for the axis of a line, otherwise 0
        let along_line = Vec3([i2 * x3, i3 * x1, i1 * x2]);
        let (line, line_end) = (along_line.times(rotor), along_line.times(rotor_end));
        let taken_away = (line - line_end) * x; // the reaction about the line
        let kick = (reciprocals.times(rotor - rotor_end) - taken_away) * N::splat(0.5);
        let ([h1, h2, h3], [e1, e2, e3], [w1, w2, w3]) = (line.0, line_end.0, (Vec3([w1, w2, w3]) + kick).0);
        let sphere = [i, i, i, x, x, x, w1, w2, w3, h1, h2, h3, e1, e2, e3, duration, before, after];
        let (mut given, mut kicks) = (*given, [zero; 3]);
        for k in 0..3 {
            given = each_if_at_most(reciprocals.0[k], 0.0, sphere, given);
            kicks = each_if_at_most(reciprocals.0[k], 0.0, (kick + kick).0, kicks);
        }
        let mut turned = N::rarely::<N, 18, 8, BetweenTurns>(&given);
        for k in 0..3 {
            turned[4 + k] = reciprocals.0[k].if_at_most(0.0, zero, turned[4 + k] + kicks[k]);
        }
        turned
    }
}

/// A constant turn.
#[derive(Clone, Copy)]
struct Turn<N> {
    rotation: Quat<N>,
    /// `2u/|e|²`
    twice_u: Vec3<N>,
}

impl<N: Number> Turn<N> {
    #[inline(always)]
    fn new(v: Vec3<N>, duration: N) -> Self {
        let half = v * (N::splat(-0.5) * duration);
        let rotation = exp_of_half(half, half.dot(half), Range::Whole);
        let norm2 = rotation.norm_squared(); // 1 to rounding
        Turn { rotation, twice_u: rotation.vector() * (N::splat(4.0) - (norm2 + norm2)) }
    }

    /// `e f e`, as `2 (w s − u · v) e − |e|² f*` with `e = (w, u)` and `f = (s, v)`.
    #[inline(always)]
    fn around(&self, f: Quat<N>) -> Quat<N> {
        let ([w, ..], u, [s, ..], v) = (self.rotation.0, self.rotation.vector(), f.0, f.vector());
        let (twice, norm2) = ((w * s - u.dot(v)) * N::splat(2.0), self.rotation.norm_squared());
        Quat::from_parts(w * twice - s * norm2, u * twice + v * norm2)
    }

    /// What `I⁻¹Π` gains. The change alone, so that no rounding error is the same in each step: with `e = (w, u)`,
    /// `e* Π e − Π = 2 (u × (u × Π) − w u × Π) / |e|²`.
    #[inline(always)]
    fn gained(&self, inertia: &PrincipalInertia<N>, whole: Vec3<N>) -> Vec3<N> {
        let (w, u) = (self.rotation.0[0], self.rotation.vector());
        let cross = self.twice_u.cross(inertia.angular_momentum(whole));
        inertia.angular_velocity(u.cross(cross) - cross * w)
    }
}
