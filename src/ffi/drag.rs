//! Linear drag besides the torque.

use super::check::{boundary, optional, view};
use super::failure::qi_status;
use super::objects::{change, exclusive, qi_body, qi_ensemble};
use crate::torque::FluidDrag;
use libc::ptrdiff_t;

/// Set a linear drag on the body toward the rotation of a fluid, besides the torque: `-c_i (omega_i - flow_i)` about each body axis i.
///
/// It is taken implicitly in every step and in qi_kick(): both are stable for any c h / I. PCDM and QI_METHOD_SPLITTING keep order 2.
/// QI_METHOD_CF4 takes it explicitly; qi_step() then refuses steps with c h / I above 2.7 (QI_ERR_INVALID). The ready-made drag and the
/// resistance of the shear flow are treated in the same way. A drag inside a callback is explicit.
/// @param coefficients  3 doubles, c, torque per rad/s about the body axes; NULL: no drag
/// @param flow          3 doubles, angular velocity of the fluid, world frame, rad/s; NULL: at rest
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (QI_METHOD_SPLITTING_4, _6 and _FORCE_GRADIENT allow no drag)
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_drag(body: *mut qi_body, coefficients: *const f64, flow: *const f64) -> qi_status {
    boundary("qi_set_drag", || {
        // SAFETY: the header requires valid pointers.
        let (coefficients, flow) = unsafe { (optional(coefficients, "coefficients")?, optional(flow, "flow")?) };
        // SAFETY: the header requires valid handles.
        let mut body = unsafe { exclusive(body, "body") }?;
        let drag = match coefficients {
            None => None,
            Some(coefficients) => Some(FluidDrag::new(coefficients, flow.unwrap_or([0.0; 3]))?),
        };
        Ok(body.body.set_drag(drag)?)
    })
}

/// Set a linear drag on each body, besides the torque; see qi_set_drag().
/// @param coefficients        3 doubles a body at `coefficients[i * coefficient_stride]` for body i; copied; NULL: no drag
/// @param coefficient_stride  doubles from body to body; 0: one set for all
/// @param flow                3 doubles a body at `flow[i * flow_stride]`: angular velocity of the fluid, world frame; copied; NULL: at
///                            rest
/// @param flow_stride         doubles from body to body; 0: one for all
/// @return QI_OK, or QI_ERR_NON_FINITE, QI_ERR_INVALID (strides; QI_METHOD_SPLITTING_4, _6 and _FORCE_GRADIENT allow no drag), QI_ERR_MEMORY
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_ensemble_drag(
    ensemble: *mut qi_ensemble, coefficients: *const f64, coefficient_stride: ptrdiff_t, flow: *const f64,
    flow_stride: ptrdiff_t,
) -> qi_status {
    change("qi_set_ensemble_drag", ensemble, |e| {
        if coefficients.is_null() {
            return Ok(e.clear_drag()?);
        }
        // SAFETY: the header requires valid pointers.
        let coefficients = unsafe { view(coefficients, e.count(), coefficient_stride, 1, "coefficients") }?;
        let flow = if flow.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { view(flow, e.count(), flow_stride, 1, "flow") }?)
        };
        Ok(e.set_drag(coefficients, flow)?)
    })
}
