//! The stage protocol: torques that are computed between the calls.

use crate::bits::{PLAIN, with_anything};
use crate::bodies::{Case, INERTIAS, OnDevice, Run, message, ok, same_bits};
use crate::random::Random;
use crate::stand_in::driver;
use quatint::{Ensemble, Method, Progress};
use quatint_cuda::ffi::*;
use std::ptr::null_mut;

/// The torque of a body: any function of time, orientation and angular velocity.
fn torque_of(time: f64, q: &[f64], w: &[f64]) -> [f64; 3] {
    [
        q[1] - 0.1 * if_shown(w[0]) + time,
        q[0] * q[2] - 0.1 * if_shown(w[1]),
        0.3 * q[3] - 0.1 * if_shown(w[2]),
    ]
}

fn torques(time: f64, q: &[f64], w: &[f64]) -> Vec<f64> {
    let each = q.chunks_exact(4).zip(w.chunks_exact(3));
    each.flat_map(|(q, w)| torque_of(time, q, w)).collect()
}

/// 0 for the NaN that methods of order 4 and 6 show.
fn if_shown(omega: f64) -> f64 {
    if omega.is_nan() { 0.0 } else { omega }
}

/// Steps whose torques are asked stage by stage; then steps of the library's own, and again.
struct Stages {
    count: usize,
}

impl Stages {
    fn steps_on_cpu(&self, e: &mut Ensemble, dt: f64, steps: u64) {
        let mut q = vec![0.0; 4 * self.count];
        let mut w = vec![0.0; 3 * self.count];
        e.begin_steps(dt, steps).expect("no step has begun");
        while let Progress::NeedTorque(time) = e.next_stage(&mut q, &mut w).expect("a stage") {
            e.supply_torque(&torques(time, &q, &w)).expect("finite");
        }
    }

    fn steps_on_device(&self, bodies: &OnDevice, dt: f64, steps: u64) {
        let e = bodies.ensemble;
        let driver = bodies.driver;
        let q = driver.array(&vec![0.0; 4 * self.count]);
        let w = driver.array(&vec![0.0; 3 * self.count]);
        let given = driver.array(&vec![0.0; 3 * self.count]);
        let mut time = 0.0;
        // SAFETY: the arrays are there until the check
        unsafe {
            ok(qi_cuda_begin_steps(e, dt, steps));
            loop {
                let status = qi_cuda_next_stage(e, q.at, w.at, &mut time);
                if status == QI_CUDA_OK {
                    break;
                }
                assert_eq!(status, QI_CUDA_NEED_TORQUE, "{}", message());
                given.write(&torques(time, &q.read(), &w.read()));
                ok(qi_cuda_supply_torque(e, given.at));
            }
            ok(qi_cuda_check(e));
        }
    }
}

impl Run for Stages {
    fn on_cpu(&self, e: &mut Ensemble) {
        self.steps_on_cpu(e, 0.01, 2);
        self.steps_on_cpu(e, 0.01, 1);
        e.advance(0.02, 2).expect("finite");
        self.steps_on_cpu(e, 0.005, 1);
        assert!((e.time() - 0.075).abs() < 1e-15);
    }

    fn on_device(&self, bodies: &OnDevice) {
        self.steps_on_device(bodies, 0.01, 2);
        self.steps_on_device(bodies, 0.01, 1);
        let mut time = 0.0;
        // SAFETY: the arrays are there
        unsafe { ok(qi_cuda_advance(bodies.ensemble, 0.02, 2)) };
        self.steps_on_device(bodies, 0.005, 1);
        // SAFETY: a number is written
        unsafe { ok(qi_cuda_get_time(bodies.ensemble, &mut time)) };
        assert!((time - 0.075).abs() < 1e-15);
    }
}

#[test]
fn torques_of_the_caller_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(31);
    for &method in Method::ALL {
        for bodies in INERTIAS {
            let is_brownian = method == Method::Brownian;
            let case = Case {
                method,
                count: 70,
                fastest: 4.0,
                has_drag: !is_brownian && random.below(3) == 0,
                is_random: is_brownian,
                ..PLAIN
            };
            let case = Case {
                bodies,
                fastest: 4.0,
                ..with_anything(case, random)
            };
            let is_fit = !is_brownian || bodies != crate::bodies::Bodies::WithZeroMoments;
            if case.is_allowed() && is_fit {
                same_bits(&driver, &case, &Stages { count: case.count });
            }
        }
    }
    let case = Case {
        method: Method::Splitting,
        is_random: true,
        ..PLAIN
    };
    for _ in 0..6 {
        let case = Case {
            fastest: 4.0,
            ..with_anything(case, random)
        };
        if case.is_allowed() {
            same_bits(&driver, &case, &Stages { count: case.count });
        }
    }
}

#[test]
fn calls_out_of_order_are_refused_and_a_cancelled_step_changes_nothing() {
    let driver = driver();
    let bodies = OnDevice::new(&driver, &PLAIN);
    let before = bodies.all();
    let torque = driver.array(&[1.0; 450]);
    let e = bodies.ensemble;
    let mut time = 0.0;
    // SAFETY: the arrays are there
    unsafe {
        let refused = |status, text: &str| {
            assert_eq!(status, QI_CUDA_ERR_ORDER);
            assert!(message().contains(text), "{}", message());
        };
        let next = || qi_cuda_next_stage(e, null_mut(), null_mut(), null_mut());
        refused(next(), "no step has been begun");
        refused(
            qi_cuda_supply_torque(e, torque.at),
            "no step has been begun",
        );
        ok(qi_cuda_begin_steps(e, 0.1, 1));
        refused(qi_cuda_supply_torque(e, torque.at), "no torque is awaited");
        refused(qi_cuda_advance(e, 0.1, 1), "a step has been begun");
        refused(qi_cuda_set_method(e, 1), "a step has been begun");
        assert_eq!(next(), QI_CUDA_NEED_TORQUE);
        refused(next(), "has not been supplied");
        ok(qi_cuda_supply_torque(e, torque.at));
        ok(qi_cuda_cancel_step(e));
        ok(qi_cuda_check(e));
        assert_eq!(bodies.all(), before);
        ok(qi_cuda_get_time(e, &mut time));
        assert_eq!(time, 0.0);
        ok(qi_cuda_advance(e, 0.1, 1));
    }
}
