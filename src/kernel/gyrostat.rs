//! The free rotation of a gyrostat: a body with rotors of angular momentum `h` in body axes.
//!
//! With the whole momentum `Π = I ω + h` the motion is a Lie-Poisson system with the energy
//! `½ Π · I⁻¹Π − Π · I⁻¹h`, without constants. Both terms alone have exact motions, which keep the
//! momentum `R Π` in space:
//! ```text
//!     ½ Π · I⁻¹Π    the free rotation of the body with the momentum Π, at the angular velocity ω + v, v = I⁻¹h
//!     −Π · I⁻¹h     a constant turn: q ← q ⊗ e, Π ← e* Π e, e = exp(−t v)
//! ```
//!
//! A symmetric composition of turns and free rotations keeps the energy bounded too; see
//! `method::composition`.
//!
//! About locked axes, of zero moment, the body does not turn, whatever the rotors do: the equation
//! `I ω̇ = h × ω + u` has no components about them. A linear body with the moment b then moves as a
//! sphere of that moment whose rotors have their momentum about the line alone, and the others not
//! at all.

use super::free_rotor::{each_if_at_most, in_principal_axes};
use super::{FreeRotation, Number, PrincipalInertia, Quat, Range, RareWork, Vec3};
use super::{exp_of_half, free_rotation, half_angle};

/// Rotors in a body, such as reaction wheels: body frame, at the start of a step.
#[derive(Clone, Copy, Debug)]
pub struct Rotor<N> {
    /// Their angular momentum.
    pub momentum: Vec3<N>,
    /// The torque of their motors on the body; the torque on the rotors is the opposite. It is 0
    /// without motors, not a `None`: see [`PrincipalInertia`]'s `turn`.
    pub motor: Vec3<N>,
    /// Whether there are motors.
    pub is_driven: bool,
}

impl<N: Number> Rotor<N> {
    /// Rotors with motors or, if `motor` is `None`, without.
    #[inline(always)]
    pub fn new(momentum: Vec3<N>, motor: Option<Vec3<N>>) -> Self {
        Rotor {
            momentum,
            motor: motor.unwrap_or(Vec3::splat(0.0)),
            is_driven: motor.is_some(),
        }
    }

    /// The angular momentum some time later.
    #[inline(always)]
    pub fn after(&self, time: f64) -> Vec3<N> {
        if self.is_driven {
            self.momentum - self.motor * N::splat(time)
        } else {
            self.momentum
        }
    }
}

/// A part of a step: a free rotation between two turns.
#[derive(Clone, Copy, Debug)]
pub struct GyrostatPart<'a, N> {
    /// The rotors at the start of the step.
    pub rotor: &'a Rotor<N>,
    /// The start and the end of the part, since the start of the step.
    pub times: [f64; 2],
    /// How long the turns before and after take.
    pub turns: [f64; 2],
}

/// The rotation of a body during a part of a step; `part` is `None` for a body without rotors.
/// Rotors are rare, so the code for them is compiled once.
#[inline(always)]
pub fn free_gyrostat<N: Number>(
    inertia: &PrincipalInertia<N>,
    part: Option<&GyrostatPart<N>>,
    omega_body: Vec3<N>,
    duration: f64,
) -> FreeRotation<N> {
    let Some(part) = part else {
        return free_rotation(inertia, omega_body, duration);
    };
    let copy;
    let inertia = if N::LANES == 1 {
        inertia // it is in memory already
    } else {
        copy = *inertia;
        &copy
    };
    let [q0, q1, q2, q3, g1, g2, g3, motion] = if inertia.has_zero_moment() {
        N::rarely::<N, Gyrostat<true>>((inertia, part, omega_body, duration))
    } else {
        N::rarely::<N, Gyrostat<false>>((inertia, part, omega_body, duration))
    };
    FreeRotation {
        rotation: Quat([q0, q1, q2, q3]),
        gained: Vec3([g1, g2, g3]),
        motion,
    }
}

type Given<'a, N> = (
    &'a PrincipalInertia<N>,
    &'a GyrostatPart<'a, N>,
    Vec3<N>,
    f64,
);

struct Gyrostat<const SOME_ARE_LOCKED: bool>;

impl<const SOME_ARE_LOCKED: bool> RareWork for Gyrostat<SOME_ARE_LOCKED> {
    type Given<'a, N: Number> = Given<'a, N>;
    /// A [`FreeRotation`] as numbers: as a whole, that of bodies without rotors would be in memory
    /// too.
    type Outcome<N: Number> = [N; 8];

    #[inline(always)]
    fn of_lanes<N: Number>(given: Given<N>) -> [N; 8] {
        if SOME_ARE_LOCKED {
            locked(given)
        } else {
            between_turns(given)
        }
    }
}

/// A free rotation between two turns.
#[inline(always)]
fn between_turns<N: Number>((inertia, part, omega_body, duration): Given<N>) -> [N; 8] {
    let GyrostatPart {
        rotor,
        times: [start, end],
        turns: [before, after],
    } = *part;
    let first = ConstantTurn::new(inertia, rotor.after(start), before);
    let whole = inertia.to_principal(omega_body) + first.v; // I⁻¹Π
    let gained_first = first.gained(inertia, whole);
    let omega = whole + gained_first;
    let free = in_principal_axes(&inertia.rotor, omega, N::splat(0.5 * duration));
    let mut last = first;
    let mut rotation = first.around(free.rotation);
    let mut gained = gained_first + free.gained;
    if before != after || rotor.is_driven {
        last = ConstantTurn::new(inertia, rotor.after(end), after);
        rotation = first.rotation * (free.rotation * last.rotation);
        gained = gained + (first.v - last.v);
    }
    let gained = last.gained(inertia, omega + free.gained) + gained;
    in_body_axes(
        inertia,
        rotation,
        gained,
        free.motion + (first.v2 + last.v2),
    )
}

#[inline(always)]
fn in_body_axes<N: Number>(
    inertia: &PrincipalInertia<N>,
    rotation: Quat<N>,
    gained: Vec3<N>,
    motion: N,
) -> [N; 8] {
    let [q1, q2, q3] = inertia.from_principal(rotation.vector()).0;
    let [g1, g2, g3] = inertia.from_principal(gained).0;
    [rotation.0[0], q1, q2, q3, g1, g2, g3, motion]
}

/// [`between_turns`] where some lanes have bodies with locked axes, which these lanes need. There
/// the motors turn a body about its other axes by two kicks, one at each end, which is of order 2.
#[inline(always)]
fn locked<N: Number>((inertia, part, omega_body, duration): Given<N>) -> [N; 8] {
    let reciprocals = inertia.reciprocals;
    let GyrostatPart {
        rotor,
        times: [start, end],
        turns,
    } = *part;
    let [before, after] = [
        inertia.to_principal(rotor.after(start)),
        inertia.to_principal(rotor.after(end)),
    ];
    let [i1, i2, i3] = inertia.moments.0;
    let [x1, x2, x3] = reciprocals.0;
    // the number of axes that are not locked; the moment of the sphere, and its reciprocal
    let count = i1 * x1 + i2 * x2 + i3 * x3 + N::splat(1e-17);
    let i = (i1 + i2 + i3) / count;
    let x = (x1 + x2 + x3) / count;
    // 1 for the axis of a line, otherwise 0
    let along_line = Vec3([i2 * x3, i3 * x1, i1 * x2]);
    let line = along_line.times(before);
    let lost = before - after;
    let line_lost = along_line.times(lost);
    // without the reaction about the line
    let kick = (reciprocals.times(lost) - line_lost * x) * N::splat(0.5);
    let moments = if_locked(reciprocals, Vec3([i; 3]), inertia.moments);
    let sphere = PrincipalInertia::of(
        moments,
        if_locked(reciprocals, Vec3([x; 3]), reciprocals),
        None,
    );
    let motor = if_locked(reciprocals, line_lost, lost);
    let rotor = Rotor {
        momentum: if_locked(reciprocals, line, before),
        motor,
        ..*rotor
    };
    let part = GyrostatPart {
        rotor: &rotor,
        times: [0.0, 1.0],
        turns,
    };
    let omega = inertia.to_principal(omega_body);
    let start = if_locked(reciprocals, omega + kick, omega);
    let [q0, q1, q2, q3, g1, g2, g3, motion] =
        N::rarely::<N, Gyrostat<false>>((&sphere, &part, start, duration));
    let mut gained = Vec3([g1, g2, g3]) + if_locked(reciprocals, kick + kick, Vec3::splat(0.0));
    for k in 0..3 {
        gained.0[k] = reciprocals.0[k].if_at_most(0.0, N::splat(0.0), gained.0[k]);
    }
    in_body_axes(inertia, Quat([q0, q1, q2, q3]), gained, motion)
}

/// `then` in lanes with a locked axis.
#[inline(always)]
fn if_locked<N: Number>(reciprocals: Vec3<N>, then: Vec3<N>, otherwise: Vec3<N>) -> Vec3<N> {
    let mut chosen = otherwise.0;
    for k in 0..3 {
        chosen = each_if_at_most(reciprocals.0[k], 0.0, then.0, chosen);
    }
    Vec3(chosen)
}

/// The constant turn by rotors during some time.
#[derive(Clone, Copy, Debug)]
struct ConstantTurn<N> {
    /// `v = I⁻¹h`
    v: Vec3<N>,
    v2: N,
    /// `e`
    rotation: Quat<N>,
    /// `|e|²`, 1 to rounding
    norm2: N,
    /// `2u/|e|²`
    twice_u: Vec3<N>,
}

impl<N: Number> ConstantTurn<N> {
    #[inline(always)]
    fn new(inertia: &PrincipalInertia<N>, rotor: Vec3<N>, duration: f64) -> Self {
        let v = inertia.reciprocals.times(inertia.to_principal(rotor));
        let (half, y) = half_angle(v, -duration);
        let rotation = exp_of_half(half, y, Range::Whole);
        let norm2 = rotation.norm_squared();
        let twice_u = rotation.vector() * (N::splat(4.0) - (norm2 + norm2));
        ConstantTurn {
            v,
            v2: v.dot(v),
            rotation,
            norm2,
            twice_u,
        }
    }

    /// `e f e`, as `2 (w s − u · v) e − |e|² f*` with `e = (w, u)` and `f = (s, v)`.
    #[inline(always)]
    fn around(&self, f: Quat<N>) -> Quat<N> {
        let [w, ..] = self.rotation.0;
        let u = self.rotation.vector();
        let [s, ..] = f.0;
        let v = f.vector();
        let twice = (w * s - u.dot(v)) * N::splat(2.0);
        Quat::from_parts(w * twice - s * self.norm2, u * twice + v * self.norm2)
    }

    /// The gain of `I⁻¹Π`. It computes the change alone, so that no rounding error is the same in
    /// each step: with `e = (w, u)`, `e* Π e − Π = 2 (u × (u × Π) − w u × Π) / |e|²`. All in
    /// principal axes.
    #[inline(always)]
    fn gained(&self, inertia: &PrincipalInertia<N>, whole: Vec3<N>) -> Vec3<N> {
        let w = self.rotation.0[0];
        let u = self.rotation.vector();
        let cross = self.twice_u.cross(inertia.moments.times(whole));
        inertia.reciprocals.times(u.cross(cross) - cross * w)
    }
}
