//! What several test programs share.
#![allow(dead_code, unreachable_pub)] // each uses a part

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for a test to build in, under target/.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("target/tmp is writable");
    folder
}

/// The C compilers that must accept what we ship. Both must be there: a compiler that is missing is not a pass.
pub fn compilers() -> [&'static str; 2] {
    ["gcc", "clang"]
}

/// Runs a command that must succeed.
pub fn success(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{:?} does not start: {e}", command.get_program()));
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success(), "{command:?}\n{}\n{out}{err}", output.status);
    output
}

/// Runs a command that must succeed without a word of complaint.
pub fn quiet_success(command: &mut Command) {
    let output = success(command);
    assert!(output.stderr.is_empty(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The equations of motion, integrated by Runge and Kutta's fourth-order method in plain nalgebra, in the world frame with
/// the full tensor: an independent reference that shares no line with the library. Gives the orientation and the angular
/// velocity (world).
pub fn rk4(
    tensor: &Matrix3<f64>,
    orientation: UnitQuaternion<f64>,
    angular_velocity: Vector3<f64>,
    time: f64,
    steps: u32,
    torque: impl Fn(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let inverse = tensor.try_inverse().expect("regular");
    // y = (q, L): L̇ = T, q̇ = ½ ω q, ω = R I⁻¹ Rᵀ L
    let omega_of = |q: &UnitQuaternion<f64>, l: &Vector3<f64>| q * (inverse * q.inverse_transform_vector(l));
    let rate = |t: f64, q: Quaternion<f64>, l: Vector3<f64>| {
        let unit = UnitQuaternion::new_normalize(q);
        let omega = omega_of(&unit, &l);
        (Quaternion::from_imag(omega) * q * 0.5, torque(t, &unit, &omega))
    };
    let h = time / f64::from(steps);
    let mut q = *orientation.quaternion();
    let mut l = orientation * (tensor * orientation.inverse_transform_vector(&angular_velocity));
    for n in 0..steps {
        let t = h * f64::from(n);
        let (q1, l1) = rate(t, q, l);
        let (q2, l2) = rate(t + 0.5 * h, q + q1 * (0.5 * h), l + l1 * (0.5 * h));
        let (q3, l3) = rate(t + 0.5 * h, q + q2 * (0.5 * h), l + l2 * (0.5 * h));
        let (q4, l4) = rate(t + h, q + q3 * h, l + l3 * h);
        q = (q + (q1 + q2 * 2.0 + q3 * 2.0 + q4) * (h / 6.0)).normalize();
        l += (l1 + l2 * 2.0 + l3 * 2.0 + l4) * (h / 6.0);
    }
    let q = UnitQuaternion::new_normalize(q);
    (q, omega_of(&q, &l))
}
