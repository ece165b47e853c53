//! 76 PCDM trajectories of an independent implementation in another language, compared through the Rust and C entry points.
//!
//! The tolerance is 1e-9, relative to max(1, |ω|), because rounding errors grow over a thousand steps.

#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)] // calls the C functions, with pointers to its own arrays

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::ffi::*;
use quatint::torque::{ConstantWorld, Free, GravityGradient, UniformField};
use quatint::{Body, Inertia, Torque};
use std::ffi::c_void;
use std::ptr::null_mut;

#[derive(serde::Deserialize)]
struct Run {
    id: u32,
    torque: String,
    p1: [f64; 3],
    p2: [f64; 3],
    inertia: [f64; 9],
    dt: f64,
    steps: u64,
    q0: [f64; 4],
    omega0: [f64; 3],
    q: [f64; 4],
    omega: [f64; 3],
}

fn runs() -> Vec<Run> {
    let runs: Vec<Run> =
        serde_json::from_str(include_str!("../data/pcdm_trajectories.json")).expect("valid data");
    assert_eq!(runs.len(), 76);
    runs
}

impl Run {
    /// The torque in the world frame, written from its definition with nalgebra, not with our arithmetic.
    fn torque_world(&self, q: [f64; 4]) -> Vector3<f64> {
        let [w, x, y, z] = q;
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        let (p1, p2) = (Vector3::from(self.p1), Vector3::from(self.p2));
        match self.torque.as_str() {
            "none" => Vector3::zeros(),
            "constant" => p1,
            "field" => (rotation * p1).cross(&p2),
            "gravity_gradient" => {
                let n = rotation.inverse_transform_vector(&p1.normalize());
                rotation
                    * n.cross(&(Matrix3::from_row_slice(&self.inertia) * n))
                    * (3.0 * p2[0] * p2[0])
            }
            "quaternion" => Vector3::new(
                p1[0] * w * x + p2[0] * y, //
                p1[1] * w * y + p2[1] * z,
                p1[2] * w * z + p2[2] * x,
            ),
            other => panic!("unknown torque {other}"),
        }
    }

    fn check(&self, entry: &str, q: [f64; 4], omega: [f64; 3]) {
        let scale = Vector3::from(self.omega).norm().max(1.0);
        let error = |a: &[f64], b: &[f64]| {
            a.iter()
                .zip(b)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max)
        };
        let (q_error, omega_error) = (error(&q, &self.q), error(&omega, &self.omega) / scale);
        assert!(
            q_error < 1e-9 && omega_error < 1e-9,
            "run {} through {entry}: {q_error:e} {omega_error:e}",
            self.id
        );
    }

    fn body(&self) -> Body {
        let inertia = Inertia::new(&Matrix3::from_row_slice(&self.inertia)).expect("valid inertia");
        let [w, x, y, z] = self.q0;
        let q = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        Body::new(inertia, q, self.omega0.into()).expect("valid state")
    }

    fn check_rust<T: Torque<Error: Into<quatint::Error>>>(&self, entry: &str, mut torque: T) {
        let mut body = self.body();
        body.advance(self.dt, self.steps, &mut torque)
            .expect("the motion is finite");
        let q = body.orientation();
        self.check(entry, [q.w, q.i, q.j, q.k], body.angular_velocity().into());
    }
}

unsafe extern "C" fn callback(
    _: f64,
    q: *const f64,
    _: *const f64,
    torque: *mut f64,
    run: *mut c_void,
) -> i32 {
    let (run, q) = unsafe { (&*run.cast::<Run>(), *q.cast::<[f64; 4]>()) };
    unsafe { *torque.cast::<[f64; 3]>() = run.torque_world(q).into() };
    0
}

#[test]
fn every_run_agrees_through_rust() {
    for run in runs() {
        run.check_rust(
            "a closure",
            |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
                run.torque_world([q.w, q.i, q.j, q.k])
            },
        );
    }
}

#[test]
fn the_ready_made_torques_agree_where_there_is_one() {
    use quatint::kernel::Vec3;
    for run in runs() {
        let (p1, p2) = (Vec3(run.p1), Vec3(run.p2));
        let toward = Vec3(Vector3::from(run.p1).normalize().into());
        match run.torque.as_str() {
            "none" => run.check_rust("Free", Free),
            "constant" => run.check_rust("ConstantWorld", ConstantWorld { torque: p1 }),
            "field" => run.check_rust(
                "UniformField",
                UniformField {
                    vector_body: p1,
                    field_world: p2,
                },
            ),
            "gravity_gradient" => {
                let torque = GravityGradient {
                    direction_world: toward,
                    gradient: run.p2[0] * run.p2[0],
                };
                run.check_rust("GravityGradient", torque);
            }
            _ => {}
        }
    }
}

#[test]
fn every_run_agrees_through_a_handle_and_through_qi_integrate_with_the_same_bits() {
    for mut run in runs() {
        let user_data: *mut c_void = (&raw mut run).cast();
        let (mut q, mut omega) = ([0.0; 4], [0.0; 3]);
        unsafe {
            let body = qi_create_body(
                run.inertia.as_ptr(),
                run.q0.as_ptr(),
                run.omega0.as_ptr(),
                null_mut(),
            );
            assert!(!body.is_null());
            assert_eq!(qi_set_torque(body, Some(callback), user_data), QI_OK);
            for _ in 0..run.steps {
                assert_eq!(qi_step(body, run.dt), QI_OK);
            }
            assert_eq!(qi_get_orientation(body, q.as_mut_ptr()), QI_OK);
            assert_eq!(qi_get_angular_velocity(body, omega.as_mut_ptr()), QI_OK);
            qi_destroy_body(body);
        }
        run.check("a handle", q, omega);

        let (mut q_kept, mut omega_kept) = (run.q0, run.omega0);
        let status = unsafe {
            let inertia = run.inertia.as_ptr();
            let (q, omega) = (q_kept.as_mut_ptr(), omega_kept.as_mut_ptr());
            qi_integrate(
                inertia,
                q,
                omega,
                0.0,
                run.dt,
                run.steps,
                Some(callback),
                user_data,
            )
        };
        assert_eq!(status, QI_OK);
        assert_eq!(
            (q.map(f64::to_bits), omega.map(f64::to_bits)),
            (q_kept.map(f64::to_bits), omega_kept.map(f64::to_bits))
        );
    }
}
