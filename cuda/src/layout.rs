//! The arguments of a kernel, in memory as both sides see them: this file is compiled for the host
//! and for the device.

use crate::kernel::{PrincipalInertia, RotationMatrix, RotorRatios, Vec3};

/// An array in the memory of the device. Component c of body i is the number at `address`, that
/// many numbers on: `i * body + c * component`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Array {
    /// 0: there is no array.
    pub address: u64,
    pub body: i64,
    pub component: i64,
    /// Not 0: the numbers are floats.
    pub is_single: u32,
    /// Not 0: of the four components of an orientation, the scalar is the last.
    pub is_scalar_last: u32,
}

/// What a bound array of velocities holds.
pub const OMEGA_WORLD: u32 = 0;
pub const OMEGA_BODY: u32 = 1;
pub const MOMENTUM_WORLD: u32 = 2;
pub const MOMENTUM_BODY: u32 = 3;
/// Quaternions p conjugate to the orientations, `p = 2 q ⊗ (0, L)` with the momentum L in the body
/// frame, as HOOMD-blue keeps them.
pub const MOMENTUM_CONJUGATE: u32 = 4;

/// The torques: first those of [`Arguments::in_common_form`].
pub const FREE: u32 = 0;
pub const CONSTANT_WORLD: u32 = 1;
pub const CONSTANT_BODY: u32 = 2;
pub const UNIFORM_FIELD: u32 = 3;
/// From the array of torques, in the frame of [`Arguments::torque_is_in_body_frame`].
pub const SUPPLIED: u32 = 4;
pub const GRAVITY_GRADIENT: u32 = 5;
pub const LINEAR_DRAG: u32 = 6;
pub const SHEAR_FLOW: u32 = 7;

/// The compositions of the splitting methods.
pub const STRANG: u32 = 0;
pub const BLANES_MOAN_4: u32 = 1;
pub const BLANES_MOAN_6: u32 = 2;
pub const FORCE_GRADIENT: u32 = 3;

/// Why a body has failed: the low byte of [`Failures::first`], above which its number stands.
pub const NOT_UNIT: u64 = 1;
pub const TORQUE_NOT_FINITE: u64 = 2;
pub const FLOW_NOT_FINITE: u64 = 3;
pub const OVERFLOW: u64 = 4;
pub const NO_SUCH_BODY: u64 = 5;

/// What has failed since the last check.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failures {
    /// The first body and its cause; all bits set: none.
    pub first: u64,
    /// How many bodies, counted once in each call.
    pub count: u64,
}

impl Failures {
    pub const NONE: Failures = Failures {
        first: u64::MAX,
        count: 0,
    };
}

/// The numbers of a body that all kernels write to memory of their own, as columns.
pub const STATE_NUMBERS: usize = 7;
/// Three principal moments of the mass, their reciprocals, 0 about locked axes, and the quaternion
/// that leads from the principal axes to the body frame.
pub const INERTIA_NUMBERS: usize = 10;
/// Two vectors: what a method saves at most.
pub const SAVED_NUMBERS: usize = 6;
/// A response and the factors of the deviates.
pub const FACTOR_NUMBERS: usize = 6;

/// The numbers of an inertia about body axes that all turn, and what follows from them: moments,
/// their reciprocals, and the four parts of the ratios. As arguments they need no registers.
pub type PlainInertia = [[f64; 3]; 6];

/// The numbers; `None`: an axis does not turn, or the principal axes are not the body axes.
pub fn plain_numbers(inertia: &PrincipalInertia<f64>) -> Option<PlainInertia> {
    if inertia.is_turned || inertia.has_zero_moment() {
        return None;
    }
    let RotorRatios {
        moments: [j2, j3],
        r,
        rr,
        inverse,
    } = inertia.rotor;
    let moments = inertia.moments.0;
    let reciprocals = inertia.reciprocals.0;
    Some([moments, reciprocals, [1.0, j2, j3], r.0, rr.0, inverse.0])
}

/// The reverse of [`plain_numbers`].
#[inline(always)]
pub fn plain_inertia(numbers: &PlainInertia) -> PrincipalInertia<f64> {
    let [moments, reciprocals, Vec3([_, j2, j3]), r, rr, inverse] = numbers.map(Vec3);
    PrincipalInertia {
        moments,
        of_mass: moments,
        reciprocals,
        rotor: RotorRatios {
            moments: [j2, j3],
            r,
            rr,
            inverse,
        },
        is_turned: false,
        turn: RotationMatrix([Vec3::splat(0.0); 3]),
    }
}

/// The arguments of every kernel. A kernel reads those that it needs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arguments {
    /// Threads that have something to do: the active bodies, for most kernels.
    pub count: u64,
    /// The address of the indices of the active bodies, in 32 bits each; 0: they are the first ones.
    pub active: u64,
    /// All bodies.
    pub bodies: u64,
    /// Steps to be taken.
    pub steps: u64,
    /// The first stage to be taken in each step, and the one after the last.
    pub stages: [u32; 2],
    /// How many stages a step has.
    pub all_stages: u32,
    pub composition: u32,
    /// The length of a step, or of a drift.
    pub h: f64,
    pub kick: f64,

    pub orientation: Array,
    pub velocity: Array,
    pub velocity_kind: u32,

    pub inertia_is_turned: u32,
    pub has_zero_moment: u32,
    pub inertia: Array,
    /// Not 0: all bodies share an inertia about body axes that all turn, which has these numbers.
    pub inertia_is_plain: u32,
    pub plain_inertia: PlainInertia,

    pub torque: u32,
    pub torque_is_in_body_frame: u32,
    /// The numbers of a ready-made torque of each body.
    pub torque_numbers: Array,
    /// The numbers that all bodies share.
    pub torque_shared: [f64; 9],
    /// The torques that the caller supplies.
    pub torque_array: Array,
    /// The velocity gradients of each body, if they have their own.
    pub flow_gradients: Array,
    /// The coefficients of a drag besides, and the rotation of the fluid.
    pub drag: Array,
    pub drag_flow: Array,

    /// The states of the stage that the protocol has come to.
    pub stage: Array,
    /// What a method saves, where it is read and where it is written.
    pub saved_before: Array,
    pub saved_after: Array,
    pub is_damped: u32,
    /// Whether the torque acts as on bodies at rest.
    pub sees_rest: u32,

    /// Where states are shown to the caller: orientations, angular velocities (world frame).
    pub shown_orientation: Array,
    pub shown_velocity: Array,
    /// Whether NaN is shown in place of the angular velocities.
    pub hides_velocity: u32,

    pub seed: u64,
    /// The number of the draw of the first step.
    pub draw: u64,
    pub kt: f64,
    /// The id of each body, 64 bits in the place of a number; address 0: its number.
    pub ids: Array,
    pub noise_coefficients: Array,
    pub noise_flow: Array,
    /// The modes of turned bodies; address 0: the axes are the body axes.
    pub modes: Array,
    pub factors: Array,
    pub is_brownian: u32,
    /// Whether kicks and drifts keep bound momenta, and steps do not.
    pub keeps_momenta: u32,
    /// Whether drifts compute short rotations in single precision.
    pub drifts_in_single: u32,

    /// The number of active bodies, and where each thread writes its sums of energy and momentum.
    pub summed: u64,
    pub sums: Array,

    /// The address of the [`Failures`].
    pub failures: u64,
}

impl Arguments {
    /// These arguments, as they are if they have the common form: one step, arrays of doubles, an
    /// inertia that all bodies share, about body axes that all turn, no drag but that of random
    /// torques, and none of the torques that have many numbers. Kernels of its own need fewer
    /// registers, because what such arguments never say is known when they are compiled.
    #[inline(always)]
    pub fn in_common_form(self) -> Self {
        Arguments {
            drag: Array::default(),
            ..self.in_common_form_beside_drag()
        }
    }

    /// The common form of [`Arguments::in_common_form`], with a drag or without.
    #[inline(always)]
    pub fn in_common_form_beside_drag(mut self) -> Self {
        for array in [
            &mut self.orientation,
            &mut self.velocity,
            &mut self.torque_array,
        ] {
            array.is_single = 0;
        }
        self.inertia_is_plain = 1;
        self.inertia_is_turned = 0;
        self.has_zero_moment = 0;
        self.steps = 1;
        self.torque = self.torque.min(SUPPLIED);
        self.modes = Array::default();
        self
    }
}
