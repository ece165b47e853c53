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

use super::{
    FreeRotation, Number, PrincipalInertia, Quat, Range, Vec3, exp_of_half, free_rotation, half_rotation_vector,
};

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

/// The rotation of a body during a part of a step; `None`: it has no rotors. Inlined once, it holds the code of one free rotation.
#[inline(always)]
pub fn free_gyrostat<N: Number>(
    inertia: &PrincipalInertia<N>, part: Option<&GyrostatPart<N>>, omega_body: Vec3<N>, duration: f64,
) -> FreeRotation<N> {
    let free = free_between_turns(inertia, part, omega_body, duration);
    match part {
        Some(part) if inertia.is_locked() => locked_where_it_is(inertia, part, omega_body, duration, free),
        _ => free,
    }
}

/// In the lanes of bodies with locked axes theirs, in others the one that is given. The motors turn it about the others by two kicks, one at each end: of order 2.
#[cold]
#[inline(never)]
fn locked_where_it_is<N: Number>(
    inertia: &PrincipalInertia<N>, part: &GyrostatPart<N>, omega_body: Vec3<N>, duration: f64, other: FreeRotation<N>,
) -> FreeRotation<N> {
    let ([i1, i2, i3], [x1, x2, x3]) = (inertia.moments.0, inertia.reciprocals.0);
    let count = i1 * x1 + i2 * x2 + i3 * x3 + N::splat(1e-17); // of the axes that are not locked
    let (moment, reciprocal) = ((i1 + i2 + i3) / count, (x1 + x2 + x3) / count);
    let sphere = PrincipalInertia::of(Vec3([moment; 3]), Vec3([reciprocal; 3]), None);
    let sphere = PrincipalInertia { principal_to_body: inertia.principal_to_body, ..sphere };
    // takes the part along a line: its reciprocals are 1 for the axis of a line, otherwise 0
    let along_line = PrincipalInertia { reciprocals: Vec3([i2 * x3, i3 * x1, i1 * x2]), ..sphere };
    let mut line = GyrostatPart { rotor: along_line.angular_velocity(part.rotor), ..*part };
    let mut kick = Vec3::splat(0.0);
    if let Some(end) = part.rotor_end {
        let line_end = along_line.angular_velocity(end);
        let taken_away = sphere.angular_velocity(line.rotor - line_end); // the reaction about the line
        kick = (inertia.angular_velocity(part.rotor - end) - taken_away) * N::splat(0.5);
        line.rotor_end = Some(line_end);
    }
    let free = free_between_turns(&sphere, Some(&line), omega_body + kick, duration);
    let gained = free.gained + (kick + kick);
    let (gained, [a, b, c, d], [e, f, g, h]) = (gained - inertia.locked(gained), free.rotation.0, other.rotation.0);
    let either =
        |locked: N, not: N| x1.if_at_most(0.0, locked, x2.if_at_most(0.0, locked, x3.if_at_most(0.0, locked, not)));
    let mut chosen = other.gained;
    for i in 0..3 {
        chosen.0[i] = either(gained.0[i], chosen.0[i]);
    }
    let rotation = Quat([either(a, e), either(b, f), either(c, g), either(d, h)]);
    FreeRotation { rotation, gained: chosen, motion: either(free.motion, other.motion) }
}

#[inline(always)]
fn free_between_turns<N: Number>(
    inertia: &PrincipalInertia<N>, part: Option<&GyrostatPart<N>>, omega_body: Vec3<N>, duration: f64,
) -> FreeRotation<N> {
    let axes = &PrincipalInertia { principal_to_body: None, ..*inertia };
    let (mut omega, mut turns) = (inertia.to_principal(omega_body), None);
    if let Some(part) = part {
        let v = axes.angular_velocity(inertia.to_principal(part.rotor));
        let before = Turn::new(v, part.turns[0]);
        let v_end = match part.rotor_end {
            None => v,
            Some(rotor) => axes.angular_velocity(inertia.to_principal(rotor)),
        };
        let whole = omega + v; // I⁻¹Π
        let gained_before = before.gained(axes, whole);
        omega = whole + gained_before;
        turns = Some((part, before, gained_before, v, v_end));
    }
    let mut free = free_rotation(axes, omega, duration);
    if let Some((part, before, gained_before, v, v_end)) = turns {
        let after = match part.rotor_end {
            None if part.turns[0] == part.turns[1] => before,
            _ => Turn::new(v_end, part.turns[1]),
        };
        let gained_after = after.gained(axes, omega + free.gained);
        free = FreeRotation {
            rotation: before.rotation * (free.rotation * after.rotation),
            gained: ((gained_before + gained_after) + free.gained) + (v - v_end),
            motion: free.motion + (v.dot(v) + v_end.dot(v_end)),
        };
    }
    FreeRotation {
        rotation: Quat::from_parts(free.rotation.0[0], inertia.from_principal(free.rotation.vector())),
        gained: inertia.from_principal(free.gained),
        motion: free.motion,
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
    fn new(v: Vec3<N>, duration: f64) -> Self {
        let half = half_rotation_vector(v, -duration);
        let rotation = exp_of_half(half, half.dot(half), Range::Whole);
        let norm2 = rotation.norm_squared(); // 1 to rounding
        Turn { rotation, twice_u: rotation.vector() * (N::splat(4.0) - (norm2 + norm2)) }
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
