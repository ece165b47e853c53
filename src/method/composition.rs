//! Splitting methods as data: the lengths of the kicks and drifts of a step.

/// A step: a kick, a drift, a kick, …, a drift, a kick; all lengths in units of h. A kick changes
/// the angular momentum by `kick h τ` at constant orientation, a drift rotates the body freely for
/// `drift h`. The step is symmetric, so that it is time-reversible.
#[derive(Clone, Copy, Debug)]
pub struct Composition {
    pub(crate) kicks: &'static [f64],
    pub(crate) drifts: &'static [f64],
    /// The times of the torques of the kicks, in units of h.
    pub(crate) times: &'static [f64],
    /// Whether the torque at the end is asked at the angular velocity there: for order 2 under
    /// torques that depend on it. Without it such torques are to be refused.
    pub(crate) predicts: bool,
    /// The stage `i` whose torque turns the body by `δ = c h² I⁻¹τ` instead of kicking it, and `c`:
    /// the torque of the next kick, asked there, then contains its own gradient. The drift of this
    /// stage is 0.
    pub(crate) gradient: Option<(usize, f64)>,
    /// The turns of a body with rotors before and after each drift, see `kernel::gyrostat`; empty
    /// if the method is not for bodies with rotors.
    pub(crate) turns: &'static [[f64; 2]],
}

// These are constants, not statics, so that loops that are compiled for one of them see its numbers
// in any codegen unit.

/// Order 2: Strang's splitting, known from particles as velocity Verlet.
pub(crate) const STRANG: Composition = Composition {
    predicts: true,
    times: &[0.0, 1.0],
    ..Composition::of(&[0.5, 0.5], &[1.0], &[], &[[0.5, 0.5]])
};

/// Order 4, method SRKN₆ᵇ of BM02.
pub(crate) const BLANES_MOAN_4: Composition = {
    const B: [f64; 3] = [0.0829844064174052, 0.396309801498368, -0.0390563049223486];
    const A: [f64; 2] = [0.245298957184271, 0.604872665711080];
    const KICK: f64 = 1.0 - 2.0 * (B[0] + B[1] + B[2]);
    const DRIFT: f64 = 0.5 - (A[0] + A[1]);
    const DRIFTS: &[f64] = &[A[0], A[1], DRIFT, DRIFT, A[1], A[0]];
    let kicks = &[B[0], B[1], B[2], KICK, B[2], B[1], B[0]];
    Composition::of(kicks, DRIFTS, &times::<7>(DRIFTS), &[])
};

/// Order 6, method SRKN₁₁ᵇ of BM02.
pub(crate) const BLANES_MOAN_6: Composition = {
    const B: [f64; 5] = [
        0.0414649985182624,
        0.198128671918067,
        -0.0400061921041533,
        0.0752539843015807,
        -0.0115113874206879,
    ];
    const A: [f64; 5] = [
        0.123229775946271,
        0.290553797799558,
        -0.127049212625417,
        -0.246331761062075,
        0.357208872795928,
    ];
    const KICK: f64 = 0.5 - (B[0] + B[1] + B[2] + B[3] + B[4]);
    const DRIFT: f64 = 1.0 - 2.0 * (A[0] + A[1] + A[2] + A[3] + A[4]);
    const DRIFTS: &[f64] = &[
        A[0], A[1], A[2], A[3], A[4], DRIFT, A[4], A[3], A[2], A[1], A[0],
    ];
    let kicks = &[
        B[0], B[1], B[2], B[3], B[4], KICK, KICK, B[4], B[3], B[2], B[1], B[0],
    ];
    Composition::of(kicks, DRIFTS, &times::<12>(DRIFTS), &[])
};

/// Order 4 for a motion of three parts, from method S₆ of BM02: a splitting of two parts composes a
/// step of order 1 and its adjoint, and these may have any number of parts.
pub(crate) const WITH_ROTORS_4: Composition = {
    const A: [f64; 3] = [0.0792036964311957, 0.353172906049774, -0.0420650803577195];
    const B: [f64; 2] = [0.209515106613362, -0.143851773179818];
    const DRIFT: f64 = 0.5 - (B[0] + B[1]);
    const DRIFTS: &[f64] = &[B[0], B[1], DRIFT, DRIFT, B[1], B[0]];
    const KICKS: &[f64] = &[
        A[0],
        A[1],
        A[2],
        1.0 - 2.0 * (A[0] + A[1] + A[2]),
        A[2],
        A[1],
        A[0],
    ];
    Composition::of(
        KICKS,
        DRIFTS,
        &times::<7>(DRIFTS),
        &turns::<6>(KICKS, DRIFTS),
    )
};

/// Order 6 for a motion of three parts, from method S₁₀ of BM02.
pub(crate) const WITH_ROTORS_6: Composition = {
    const A: [f64; 5] = [
        0.0502627644003922,
        0.413514300428344,
        0.0450798897943977,
        -0.188054853819569,
        0.541960678450780,
    ];
    const B: [f64; 4] = [
        0.148816447901042,
        -0.132385865767784,
        0.067307604692185,
        0.432666402578175,
    ];
    const MIDDLE: f64 = 1.0 - 2.0 * (A[0] + A[1] + A[2] + A[3] + A[4]);
    const DRIFT: f64 = 0.5 - (B[0] + B[1] + B[2] + B[3]);
    const DRIFTS: &[f64] = &[B[0], B[1], B[2], B[3], DRIFT, DRIFT, B[3], B[2], B[1], B[0]];
    const KICKS: &[f64] = &[
        A[0], A[1], A[2], A[3], A[4], MIDDLE, A[4], A[3], A[2], A[1], A[0],
    ];
    Composition::of(
        KICKS,
        DRIFTS,
        &times::<11>(DRIFTS),
        &turns::<10>(KICKS, DRIFTS),
    )
};

/// Order 4 with positive coefficients: scheme 4A of C97.
pub(crate) const FORCE_GRADIENT: Composition = Composition {
    gradient: Some((1, 1.0 / 24.0)),
    ..Composition::of(
        &[1.0 / 6.0, 0.0, 2.0 / 3.0, 1.0 / 6.0],
        &[0.5, 0.0, 0.5],
        &[0.0, 0.5, 0.5, 1.0],
        &[],
    )
};

impl Composition {
    /// Whether this is [`STRANG`], which has loops of its own: no other symmetric composition has
    /// two kicks.
    pub(crate) fn is_strang(&self) -> bool {
        self.kicks.len() == 2
    }

    const fn of(
        kicks: &'static [f64],
        drifts: &'static [f64],
        times: &'static [f64],
        turns: &'static [[f64; 2]],
    ) -> Self {
        Composition {
            kicks,
            drifts,
            times,
            predicts: false,
            gradient: None,
            turns,
        }
    }
}

/// The turns beside the drifts, so that the kick, the drift and the turn of each step of order 1
/// have the same length.
const fn turns<const DRIFTS: usize>(kicks: &[f64], drifts: &[f64]) -> [[f64; 2]; DRIFTS] {
    let mut turns = [[0.0; 2]; DRIFTS];
    let mut before = kicks[0];
    let mut i = 0;
    while i < DRIFTS {
        turns[i] = [before, drifts[i] - before];
        before = kicks[i + 1] - turns[i][1];
        i += 1;
    }
    turns
}

/// The times between the drifts, from 0 to exactly 1. The second half mirrors the first.
const fn times<const TIMES: usize>(drifts: &[f64]) -> [f64; TIMES] {
    let mut times = [0.0; TIMES];
    let mut sum = 0.0;
    let mut i = 0;
    while i <= drifts.len() / 2 {
        times[i] = sum;
        times[drifts.len() - i] = 1.0 - sum;
        sum += drifts[i];
        i += 1;
    }
    times
}

/// Refuses a table with a typing error when the crate is compiled: there must be a kick before each
/// drift and one more, kicks and drifts must be symmetric and add up to 1, and each torque must be
/// at the time to which the drifts before it lead.
pub(super) const fn check(composition: &Composition) {
    let Composition {
        kicks,
        drifts,
        times,
        gradient,
        turns,
        ..
    } = composition;
    let last = drifts.len();
    assert!(turns.is_empty() || turns.len() == last);
    assert!(kicks.len() == last + 1 && times.len() == last + 1);
    let mut kicked = 0.0;
    let mut drifted = 0.0;
    let mut i = 0;
    while i < last {
        assert!((times[i] - drifted).abs() < 4.0 * f64::EPSILON);
        assert!(drifts[i] == drifts[last - 1 - i]);
        // a turn by the gradient stands in the place of a kick
        assert!(gradient.is_some() || kicks[i] == kicks[last - i]);
        if !turns.is_empty() {
            let [before, after] = turns[i];
            let [_, mirrored] = turns[last - 1 - i];
            assert!((before + after - drifts[i]).abs() < 4.0 * f64::EPSILON);
            assert!((before - mirrored).abs() < 8.0 * f64::EPSILON);
        }
        kicked += kicks[i];
        drifted += drifts[i];
        i += 1;
    }
    // the last torque serves as the first of the next step
    assert!(times[last] == 1.0 && kicks[0] == kicks[last]);
    assert!(
        (kicked + kicks[last] - 1.0).abs() < 4.0 * f64::EPSILON
            && (drifted - 1.0).abs() < 4.0 * f64::EPSILON
    );
    if let Some((stage, _)) = gradient {
        assert!(
            kicks[*stage] == 0.0 && drifts[*stage] == 0.0 && times[*stage] == times[*stage + 1]
        );
    }
}
