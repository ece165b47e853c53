//! Rotors in a body.

use super::check::{boundary, optional, output};
use super::failure::qi_status;
use super::objects::{exclusive, qi_body, shared};

/// Set the angular momentum h of rotors in the body, such as reaction wheels. Euler's equation then is
/// `I omega' = (I omega + h) x omega + torque` in every method and in qi_solve(). The angular velocity does not change.
///
/// h is constant in the body frame during steps. A controller sets it between steps, and adds its reaction `-dh/dt` to the torque. The
/// inertia is that with the rotors locked. qi_get_angular_momentum() includes h, qi_get_kinetic_energy() does not. The
/// splittings take h into the free rotation, where it keeps their orders; qi_drift() then is no longer exact, but solved to 1e-14.
/// @param momentum  3 doubles, h, body frame; NULL or zeros: no rotors
/// @return QI_OK, or QI_ERR_NON_FINITE
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_set_rotor_momentum(body: *mut qi_body, momentum: *const f64) -> qi_status {
    boundary("qi_set_rotor_momentum", || {
        // SAFETY: the header requires valid pointers and handles.
        let (momentum, mut body) = unsafe { (optional::<3>(momentum, "momentum")?, exclusive(body, "body")?) };
        Ok(body.body.set_rotor_momentum(momentum.map(Into::into))?)
    })
}

/// Get the angular momentum of rotors in the body.
/// @param momentum  receives 3 doubles, body frame; 0 without rotors
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_rotor_momentum(body: *const qi_body, momentum: *mut f64) -> qi_status {
    boundary("qi_get_rotor_momentum", || {
        // SAFETY: the header requires valid pointers and handles.
        let (body, place) = unsafe { (shared(body, "body")?, output(momentum, "momentum")?) };
        place.put(body.body.rotor_momentum().unwrap_or_default().into());
        Ok(())
    })
}
