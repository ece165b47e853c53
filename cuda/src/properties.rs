//! What decides how the bodies of an ensemble move: inertias, torque, drag and noise.

use crate::columns::{Columns, Numbers, array_of};
use crate::driver::Device;
use crate::error::{Error, Failure, finite};
use crate::inertia::{Inertia, axes_of, signed};
use crate::kernel::{PrincipalInertia, Quat, Vec3};
use crate::layout::{self, Arguments};
use crate::method::{MODE_NUMBERS, Modes};
use crate::refusal::Refusal;
use crate::rotation::direction;
use crate::torque::{not_negative, resistances};
use nalgebra::Matrix3;
use std::sync::Arc;

/// The numbers of [`layout::INERTIA_NUMBERS`]: moments, reciprocals, turn.
type InertiaNumbers = [f64; layout::INERTIA_NUMBERS];
const NOT_TURNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// The inertias, on host and device.
pub(crate) struct Inertias {
    numbers: Numbers<{ layout::INERTIA_NUMBERS }>,
    /// Whether the principal axes of some body are not its body axes.
    is_turned: bool,
    /// Whether some body has an axis that does not turn. Known here, because every call asks: to
    /// look at a million bodies takes longer than their kernel.
    has_zero_moment: bool,
    /// Those of an inertia that all bodies share, about body axes that all turn.
    plain: Option<layout::PlainInertia>,
    columns: Columns,
}

impl Inertias {
    fn new(
        device: &Arc<Device>,
        numbers: Numbers<{ layout::INERTIA_NUMBERS }>,
        is_turned: bool,
    ) -> Result<Self, Refusal> {
        let has_zero = |&[_, _, _, x, y, z, ..]: &InertiaNumbers| [x, y, z].contains(&0.0);
        let mut inertias = Inertias {
            has_zero_moment: numbers.each().iter().any(has_zero),
            plain: None,
            columns: Columns::of(device, &numbers)?,
            numbers,
            is_turned,
        };
        if inertias.are_shared() {
            inertias.plain = layout::plain_numbers(&inertias.of_body(0));
        }
        Ok(inertias)
    }

    /// From tensors, row-major.
    pub(crate) fn of_tensors(device: &Arc<Device>, tensors: &Numbers<9>) -> Result<Self, Refusal> {
        let numbers = tensors.map(|tensor| {
            let inertia = Inertia::new(&Matrix3::from_row_slice(&tensor))?;
            Ok(numbers_of(&inertia))
        })?;
        // a shared tensor counts as turned wherever it had to be diagonalised, as on the CPU
        let is_turned = match (tensors, &numbers) {
            (Numbers::Shared(t), _) => [t[1] + t[3], t[2] + t[6], t[5] + t[7]] != [0.0; 3],
            (_, numbers) => are_turned(numbers),
        };
        Inertias::new(device, numbers, is_turned)
    }

    /// From principal moments about the body axes.
    pub(crate) fn of_moments(device: &Arc<Device>, moments: &Numbers<3>) -> Result<Self, Refusal> {
        let numbers =
            moments.map(|moments| Ok(numbers_of(&Inertia::from_moments(moments.into())?)))?;
        Inertias::new(device, numbers, false)
    }

    /// The same inertias with locked axes: one number for all bodies, or one of each.
    pub(crate) fn with_locked_axes(
        &self,
        device: &Arc<Device>,
        count: usize,
        axes: &[i32],
    ) -> Result<Self, Refusal> {
        let locked = |body: usize, axes: i32| -> Result<InertiaNumbers, Error> {
            let [a, b, c, x, y, z, turn @ ..] = *self.numbers.at(body);
            let [a, b, c] = signed([a, b, c, x, y, z]);
            let [w, x, y, z] = turn;
            let inertia = Inertia::of_numbers("inertia", &[a, b, c, w, x, y, z])?;
            Ok(numbers_of(&inertia.with_locked_axes(axes_of(axes)?)?))
        };
        let numbers = match axes {
            [axes] if self.numbers.is_shared() => Numbers::Shared(locked(0, *axes)?),
            _ => {
                let mut each = Vec::new();
                each.try_reserve_exact(count).map_err(Error::from)?;
                for body in 0..count {
                    let axes = axes[if axes.len() == 1 { 0 } else { body }];
                    let numbers = locked(body, axes);
                    each.push(numbers.map_err(|error| Failure::of_body(body, error))?);
                }
                Numbers::Each(each)
            }
        };
        let is_turned = are_turned(&numbers);
        Inertias::new(device, numbers, is_turned)
    }

    /// As the kernels have it.
    pub(crate) fn of_body(&self, body: usize) -> PrincipalInertia<f64> {
        self.of(self.numbers.at(body))
    }

    fn of(&self, numbers: &InertiaNumbers) -> PrincipalInertia<f64> {
        let [a, b, c, x, y, z, turn @ ..] = *numbers;
        let turn = self.is_turned.then_some(Quat(turn));
        PrincipalInertia::of(Vec3([a, b, c]), Vec3([x, y, z]), turn)
    }

    pub(crate) fn are_shared(&self) -> bool {
        self.numbers.is_shared()
    }

    pub(crate) fn write(&self, to: &mut Arguments) {
        to.inertia = self.columns.array();
        to.inertia_is_turned = u32::from(self.is_turned);
        to.has_zero_moment = u32::from(self.has_zero_moment);
        if let Some(numbers) = self.plain {
            to.inertia_is_plain = 1;
            to.plain_inertia = numbers;
        }
    }
}

fn numbers_of(inertia: &Inertia) -> InertiaNumbers {
    let [a, b, c, x, y, z] = inertia.with_reciprocals();
    let [q0, q1, q2, q3] = inertia.principal_to_body.0;
    [a, b, c, x, y, z, q0, q1, q2, q3]
}

fn are_turned(numbers: &Numbers<{ layout::INERTIA_NUMBERS }>) -> bool {
    numbers.each().iter().any(|n| n[6..] != NOT_TURNED)
}

/// A ready-made torque.
pub(crate) struct Torque {
    /// One of [`layout`]'s.
    pub(crate) kind: u32,
    numbers: Option<Columns>,
    shared: [f64; 9],
    /// The coefficients of what is known to resist the rotation.
    resistance: Option<Numbers<3>>,
}

impl Torque {
    pub(crate) fn free() -> Self {
        Torque {
            kind: layout::FREE,
            numbers: None,
            shared: [0.0; 9],
            resistance: None,
        }
    }

    fn of<const K: usize>(
        device: &Arc<Device>,
        kind: u32,
        numbers: &Numbers<K>,
    ) -> Result<Self, Refusal> {
        Ok(Torque {
            kind,
            numbers: Some(Columns::of(device, numbers)?),
            ..Torque::free()
        })
    }

    pub(crate) fn constant(
        device: &Arc<Device>,
        torques: &Numbers<3>,
        is_in_body_frame: bool,
    ) -> Result<Self, Refusal> {
        let torques = torques.map(|torque| finite("torques", torque))?;
        let kind = if is_in_body_frame {
            layout::CONSTANT_BODY
        } else {
            layout::CONSTANT_WORLD
        };
        Torque::of(device, kind, &torques)
    }

    pub(crate) fn uniform_field(
        device: &Arc<Device>,
        vectors_body: &Numbers<3>,
        field_world: [f64; 3],
    ) -> Result<Self, Refusal> {
        let vectors = vectors_body.map(|vector| finite("vectors_body", vector))?;
        let [x, y, z] = finite("field_world", field_world)?;
        Ok(Torque {
            shared: [x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            ..Torque::of(device, layout::UNIFORM_FIELD, &vectors)?
        })
    }

    pub(crate) fn gravity_gradient(
        device: &Arc<Device>,
        direction_world: [f64; 3],
        gradients: &Numbers<1>,
    ) -> Result<Self, Refusal> {
        let [x, y, z] = direction("direction_world", direction_world)?.0;
        let gradients = gradients.map(|gradient| finite("gradients", gradient))?;
        Ok(Torque {
            shared: [x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            ..Torque::of(device, layout::GRAVITY_GRADIENT, &gradients)?
        })
    }

    pub(crate) fn linear_drag(
        device: &Arc<Device>,
        coefficients: &Numbers<3>,
    ) -> Result<Self, Refusal> {
        let coefficients = coefficients.map(|numbers| finite("coefficients", numbers))?;
        Ok(Torque {
            resistance: Some(coefficients.clone()),
            ..Torque::of(device, layout::LINEAR_DRAG, &coefficients)?
        })
    }

    pub(crate) fn shear_flow(
        device: &Arc<Device>,
        semi_axes: &Numbers<3>,
        viscosity: f64,
        velocity_gradient: [f64; 9],
    ) -> Result<Self, Refusal> {
        let shared = finite("velocity_gradient", velocity_gradient)?;
        let numbers = semi_axes.map(|axes| {
            let (strain, spin) = resistances(axes, viscosity)?;
            Ok([strain.x, strain.y, strain.z, spin.x, spin.y, spin.z])
        })?;
        let spin = numbers.map(|[.., d, e, f]| Ok([d, e, f]))?;
        Ok(Torque {
            shared,
            resistance: Some(spin),
            ..Torque::of(device, layout::SHEAR_FLOW, &numbers)?
        })
    }

    pub(crate) fn acts(&self) -> bool {
        self.kind != layout::FREE
    }

    pub(crate) fn resists(&self) -> bool {
        self.resistance.is_some()
    }

    /// Whether the torque resists, and this resistance is not that of the random torques.
    pub(crate) fn resists_besides(&self, is_random: bool) -> bool {
        self.resists() && !(is_random && self.kind == layout::SHEAR_FLOW)
    }

    /// The coefficients of its resistance, body axes.
    pub(crate) fn resistance_of(&self, body: usize) -> Vec3<f64> {
        let known = self.resistance.as_ref();
        Vec3(known.map_or([0.0; 3], |resistance| *resistance.at(body)))
    }

    pub(crate) fn write(&self, to: &mut Arguments) {
        to.torque = self.kind;
        to.torque_numbers = array_of(self.numbers.as_ref());
        to.torque_shared = self.shared;
    }
}

/// A linear drag besides the torque.
pub(crate) struct Drag {
    coefficients: Numbers<3>,
    columns: [Columns; 2],
}

impl Drag {
    pub(crate) fn new(
        device: &Arc<Device>,
        coefficients: &Numbers<3>,
        flow: Option<&Numbers<3>>,
    ) -> Result<Self, Refusal> {
        let coefficients = coefficients.map(|numbers| finite("coefficients", numbers))?;
        let flow = flow_of(flow)?;
        let columns = [
            Columns::of(device, &coefficients)?,
            Columns::of(device, &flow)?,
        ];
        Ok(Drag {
            coefficients,
            columns,
        })
    }

    pub(crate) fn resistance_of(&self, body: usize) -> Vec3<f64> {
        Vec3(*self.coefficients.at(body))
    }

    pub(crate) fn write(&self, to: &mut Arguments) {
        let [coefficients, flow] = &self.columns;
        to.drag = coefficients.array();
        to.drag_flow = flow.array();
    }
}

fn flow_of(flow: Option<&Numbers<3>>) -> Result<Numbers<3>, Failure> {
    flow.map_or(Ok(Numbers::Shared([0.0; 3])), |flow| {
        flow.map(|numbers| finite("flow", numbers))
    })
}

/// Random torques: drag, the noise that belongs to it, and the rotation of the fluid.
pub(crate) struct HeatBath {
    pub(crate) coefficients: Numbers<3>,
    coefficient_columns: Columns,
    /// `None`: the fluid is at rest.
    flow: Option<Columns>,
    pub(crate) kt: f64,
    pub(crate) seed: u64,
    /// The modes of bodies with turned axes, and the factors of the deviates, for steps of this
    /// length; they follow from coefficients and inertias.
    modes: Option<Columns>,
    pub(crate) factors: Option<Columns>,
    pub(crate) of_steps: Option<(u64, bool)>,
}

impl HeatBath {
    pub(crate) fn new(
        device: &Arc<Device>,
        coefficients: &Numbers<3>,
        flow: Option<&Numbers<3>>,
        kt: f64,
        seed: u64,
    ) -> Result<Self, Refusal> {
        let coefficients = coefficients.map(|numbers| not_negative("coefficients", numbers))?;
        let flow = flow_of(flow)?;
        let [kt] = not_negative("kt", [kt])?;
        let is_at_rest = matches!(flow, Numbers::Shared([0.0, 0.0, 0.0]));
        Ok(HeatBath {
            coefficient_columns: Columns::of(device, &coefficients)?,
            coefficients,
            flow: if is_at_rest {
                None
            } else {
                Some(Columns::of(device, &flow)?)
            },
            kt,
            seed,
            modes: None,
            factors: None,
            of_steps: None,
        })
    }

    /// Whether drag and noise do the same with all bodies.
    pub(crate) fn are_all_equal(&self, inertias: &Inertias) -> bool {
        self.coefficients.is_shared() && inertias.are_shared()
    }

    /// Room for the factors, and the modes, of so many bodies.
    pub(crate) fn prepare(
        &mut self,
        device: &Arc<Device>,
        inertias: &Inertias,
        count: usize,
        is_brownian: bool,
    ) -> Result<(), Refusal> {
        let are_all_equal = self.are_all_equal(inertias);
        self.modes = None;
        if inertias.is_turned && !is_brownian {
            let modes_of = |body| {
                let inertia = inertias.of_body(body);
                Modes::new(&inertia, Vec3(*self.coefficients.at(body))).numbers()
            };
            let modes: Numbers<MODE_NUMBERS> = if are_all_equal {
                Numbers::Shared(modes_of(0))
            } else {
                Numbers::Each((0..count).map(modes_of).collect())
            };
            self.modes = Some(Columns::of(device, &modes)?);
        }
        self.factors = Some(if are_all_equal {
            Columns::of(device, &Numbers::Shared([0.0; layout::FACTOR_NUMBERS]))?
        } else {
            Columns::new::<f64>(device, count, layout::FACTOR_NUMBERS)?
        });
        Ok(())
    }

    pub(crate) fn write(&self, to: &mut Arguments) {
        to.seed = self.seed;
        to.kt = self.kt;
        to.noise_coefficients = self.coefficient_columns.array();
        to.noise_flow = array_of(self.flow.as_ref());
        to.modes = array_of(self.modes.as_ref());
        to.factors = array_of(self.factors.as_ref());
    }
}
