//! Streams that end before their ensemble, graphs that are captured, and devices that are lost.

use crate::bits::PLAIN;
use crate::bodies::{Case, Kind, OnDevice, message, ok};
use crate::memory::Memory;
use crate::stand_in::driver;
use quatint::Method;
use quatint_cuda::ffi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const LANGEVIN: Case = Case {
    method: Method::Splitting,
    torque: Kind::Field,
    is_random: true,
    fastest: 4.0,
    ..PLAIN
};

/// Also while a graph is captured, when the driver refuses what may wait.
#[test]
fn a_kernel_is_loaded_where_it_is_first_used_and_leaves_with_its_device() {
    let driver = driver();
    let modules = || driver.number(c"stand_in_modules");
    let before = modules();
    for is_captured in [0, 1] {
        let bodies = OnDevice::new(&driver, &PLAIN);
        let torque = driver.array(&vec![0.2_f64; 3 * PLAIN.count]);
        let opened = modules();
        assert_eq!(
            opened,
            before + 1,
            "one says whether the driver takes the text"
        );
        driver.call(c"stand_in_capture", is_captured, 0, 0);
        for _ in 0..3 {
            // SAFETY: the arrays are there
            ok(unsafe { qi_cuda_advance(bodies.ensemble, 0.01, 1) });
        }
        let moving = modules();
        assert!((1..=2).contains(&(moving - opened)), "{opened}, {moving}");
        for _ in 0..3 {
            let world = QI_CUDA_FRAME_WORLD;
            // SAFETY: the arrays are there
            ok(unsafe { qi_cuda_kick_drift(bodies.ensemble, 0.01, 0.02, torque.at, 3, 1, world) });
        }
        assert_eq!(modules(), moving + 1);
        driver.call(c"stand_in_capture", 0, 0, 0);
        drop(bodies);
        assert_eq!(modules(), before);
    }
}

#[test]
fn a_look_does_not_wait_and_tells_a_failure_until_the_check_has_told_it() {
    let driver = driver();
    let bodies = OnDevice::new(&driver, &PLAIN);
    let e = bodies.ensemble;
    let mut q = bodies.q.read();
    q[17] += 0.5; // in columns: w of body 17
    bodies.q.write(&q);
    let waited = || driver.number(c"stand_in_synchronised");
    // SAFETY: the arrays are there
    unsafe {
        ok(qi_cuda_advance(e, 0.01, 3));
        let before = waited();
        ok(qi_cuda_look(e)); // asks
        ok(qi_cuda_look(e)); // the answer has not come
        assert_eq!(waited(), before);
        bodies.q.read(); // waits for the device
        let before = waited();
        for _ in 0..2 {
            assert_eq!(qi_cuda_look(e), QI_CUDA_ERR_ORIENTATION, "{}", message());
            assert_eq!(qi_cuda_last_error_body(), 17);
        }
        assert_eq!(waited(), before);
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_ORIENTATION);
        ok(qi_cuda_check(e));
        ok(qi_cuda_look(e));
        bodies.q.read();
        ok(qi_cuda_look(e));
    }
}

#[test]
fn a_stream_that_is_gone_is_not_used_by_another_nor_by_the_end_of_the_ensemble() {
    let driver = driver();
    let mut stream = 0_u8;
    let place = (&raw mut stream).cast::<c_void>();
    let used = || driver.number(c"stand_in_forbidden");
    let before = used();
    for is_replaced in [true, false] {
        let bodies = OnDevice::new(&driver, &PLAIN);
        // SAFETY: the stand-in takes any stream
        unsafe {
            ok(qi_cuda_set_stream(bodies.ensemble, place));
            ok(qi_cuda_advance(bodies.ensemble, 0.01, 1));
            driver.call(c"stand_in_forbid", place as u64, 0, 0);
            if is_replaced {
                ok(qi_cuda_set_stream(bodies.ensemble, null_mut()));
                ok(qi_cuda_advance(bodies.ensemble, 0.01, 1));
                ok(qi_cuda_check(bodies.ensemble));
            }
        }
        drop(bodies);
        driver.call(c"stand_in_forbid", u64::MAX, 0, 0);
        assert_eq!(used(), before);
    }
}

#[test]
fn random_torques_are_refused_while_a_graph_is_captured() {
    let driver = driver();
    let random = OnDevice::new(&driver, &LANGEVIN);
    let plain = OnDevice::new(&driver, &PLAIN);
    let mut draws = 7;
    // SAFETY: the arrays are there
    unsafe {
        ok(qi_cuda_advance(random.ensemble, 0.01, 2));
        ok(qi_cuda_check(random.ensemble));
        let before = random.all();
        driver.call(c"stand_in_capture", 1, 0, 0);
        let status = qi_cuda_advance(random.ensemble, 0.01, 1);
        let said = message();
        ok(qi_cuda_advance(plain.ensemble, 0.01, 1));
        driver.call(c"stand_in_capture", 0, 0, 0);
        assert_eq!(status, QI_CUDA_ERR_ORDER);
        assert!(said.contains("a graph would repeat"), "{said}");
        ok(qi_cuda_get_noise(random.ensemble, &mut draws));
        assert_eq!((draws, random.all()), (2, before));
        ok(qi_cuda_advance(random.ensemble, 0.01, 1));
    }
}

#[test]
fn another_length_of_step_neither_waits_nor_allocates_under_random_torques() {
    let driver = driver();
    for method in [Method::Splitting, Method::Brownian] {
        let bodies = OnDevice::new(&driver, &Case { method, ..LANGEVIN });
        let told = || {
            let memory = driver.number(c"stand_in_memory");
            (memory, driver.number(c"stand_in_synchronised"))
        };
        // SAFETY: the arrays are there
        unsafe {
            ok(qi_cuda_advance(bodies.ensemble, 0.01, 2));
            let before = told();
            ok(qi_cuda_advance(bodies.ensemble, 0.02, 1));
            ok(qi_cuda_advance(bodies.ensemble, 0.005, 3));
            assert_eq!(told(), before);
            ok(qi_cuda_check(bodies.ensemble));
        }
    }
}

/// A call that is refused because the driver has failed is made again. (A drag is refused beside
/// random torques.)
fn again(call: impl Fn() -> qi_cuda_status) {
    let mut status = call();
    if status == QI_CUDA_ERR_CUDA {
        status = call();
    }
    let is_right = [QI_CUDA_OK, QI_CUDA_ERR_INVALID].contains(&status);
    assert!(is_right, "{}", message());
}

/// What a program does with an ensemble. Returns the time at the end.
fn all_kinds_of_calls(bodies: &OnDevice, torque: &Memory<f64>) -> f64 {
    let e = bodies.ensemble;
    let field = [0.1, 0.2, 0.3];
    let drag = [0.3, 0.2, 0.4];
    let world = QI_CUDA_FRAME_WORLD;
    let mut at = 0.0;
    let time = &raw mut at;
    let next = || {
        // SAFETY: as below
        match unsafe { qi_cuda_next_stage(e, null_mut(), null_mut(), time) } {
            QI_CUDA_NEED_TORQUE => QI_CUDA_OK,
            status => status,
        }
    };
    // SAFETY: the arrays are there
    unsafe {
        again(|| qi_cuda_advance(e, 0.01, 2));
        again(|| qi_cuda_kick_drift(e, 0.01, 0.02, torque.at, 3, 1, world));
        again(|| qi_cuda_set_constant_torque(e, field.as_ptr(), 0, QI_CUDA_FRAME_BODY));
        again(|| qi_cuda_set_drag(e, drag.as_ptr(), 0, null(), 0));
        again(|| qi_cuda_advance(e, 0.01, 1));
        again(|| qi_cuda_begin_steps(e, 0.01, 2));
        for _ in 0..3 {
            again(next);
            again(|| qi_cuda_supply_torque(e, torque.at));
        }
        again(|| qi_cuda_cancel_step(e));
        again(|| qi_cuda_look(e));
        again(|| qi_cuda_set_stream(e, null_mut()));
        again(|| qi_cuda_check(e));
        again(|| qi_cuda_get_time(e, time));
    }
    at
}

/// Launches, copies, allocations and waiting, each in turn.
#[test]
fn a_call_of_the_driver_that_fails_moves_nothing_and_the_call_may_be_made_again() {
    let driver = driver();
    for case in [PLAIN, LANGEVIN] {
        let run = |failing: u64| {
            let bodies = OnDevice::new(&driver, &case);
            let torque = driver.array(&vec![0.2_f64; 3 * case.count]);
            driver.call(c"stand_in_fail", failing, 0, 0);
            let time = all_kinds_of_calls(&bodies, &torque);
            let has_failed = driver.number(c"stand_in_calls_to_failure") == 0;
            driver.call(c"stand_in_fail", 0, 0, 0);
            ((bodies.all(), time), has_failed)
        };
        let (right, _) = run(0);
        let mut failing = 1;
        while let (all, true) = run(failing) {
            assert!(all == right, "call {failing} of the driver");
            failing += 1;
        }
        assert!(failing > 20, "{failing}");
    }
}

/// After a kernel that has failed (700) and after a reset of the device (709).
#[test]
fn a_device_that_is_lost_is_a_status_of_each_call_and_the_end_of_the_ensemble_is_quiet() {
    let driver = driver();
    let numbers = vec![0.5_f64; 4 * 8];
    let (q, omega) = (driver.array(&numbers), driver.array(&numbers[..24]));
    for code in [700, 709] {
        let mut status = 1;
        // SAFETY: the arrays are there
        unsafe {
            let device = qi_cuda_open_device(0, &mut status);
            ok(status);
            let e = qi_cuda_create_ensemble(device, 8, &mut status);
            ok(status);
            ok(qi_cuda_bind_orientations(
                e,
                q.at,
                4,
                1,
                QI_CUDA_SCALAR_FIRST,
            ));
            let kind = QI_CUDA_OMEGA_BODY;
            ok(qi_cuda_bind_angular_velocities(e, omega.at, 3, 1, kind));
            ok(qi_cuda_advance(e, 0.01, 1));
            driver.call(c"stand_in_lose", code, 0, 0);
            let torque = [0.0; 3];
            let statuses = [
                qi_cuda_advance(e, 0.01, 1),
                qi_cuda_kick_drift(e, 0.0, 0.01, null(), 3, 1, 0),
                qi_cuda_look(e),
                qi_cuda_check(e),
                qi_cuda_set_constant_torque(e, torque.as_ptr(), 0, QI_CUDA_FRAME_BODY),
                qi_cuda_set_stream(e, null_mut()),
                qi_cuda_test_device(device),
            ];
            let other = qi_cuda_create_ensemble(device, 8, &mut status);
            qi_cuda_destroy_ensemble(e);
            qi_cuda_close_device(device);
            driver.call(c"stand_in_lose", 0, 0, 0);
            assert!(other.is_null());
            assert_eq!(
                (statuses, status),
                ([QI_CUDA_ERR_CUDA; 7], QI_CUDA_ERR_CUDA)
            );
        }
    }
}
