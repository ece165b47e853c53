//! A step does not allocate, except that the first one of an ensemble makes room. These tests have a file of their own because they replace the allocator of the whole
//! process.

#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)] // a counting allocator; calls of the C functions

use quatint::ffi::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) }; // per thread, so as not to count the test runner's threads
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        BYTES.set(BYTES.get() + layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

unsafe extern "C" fn spring(
    _: f64,
    q: *const f64,
    _: *const f64,
    torque: *mut f64,
    limit: *mut c_void,
) -> i32 {
    let q = unsafe { *q.cast::<[f64; 4]>() };
    unsafe { *torque.cast::<[f64; 3]>() = [-q[1], -q[2], -q[3]] };
    i32::from(limit.is_null())
}

#[test]
fn an_ensemble_of_three_bodies_takes_two_kilobytes() {
    let before = BYTES.get();
    let e = unsafe { qi_create_ensemble(3, null_mut()) };
    assert!(
        !e.is_null() && BYTES.get() - before <= 2048,
        "{} bytes",
        BYTES.get() - before
    );
    unsafe { qi_destroy_ensemble(e) };
}

/// 2000 points on each 1600th body: they are not padded to the fullest of those beside it.
#[test]
fn points_of_uneven_bodies_take_as_much_memory_as_points_and_bodies_need() {
    const BODIES: usize = 8000;
    let points: Vec<usize> = (0..BODIES)
        .step_by(1600)
        .flat_map(|body| [body; 2000])
        .collect();
    let arms = vec![[0.1, 0.2, 0.3]; points.len()];
    unsafe {
        let e = qi_create_ensemble(BODIES, null_mut());
        let before = BYTES.get();
        let arms = arms.as_ptr().cast();
        assert_eq!(
            qi_set_points(e, points.len(), points.as_ptr(), arms, 3, 1),
            QI_OK
        );
        let taken = BYTES.get() - before;
        assert!(taken < 24 * points.len() + 32 * BODIES, "{taken} bytes");
        qi_destroy_ensemble(e);
    }
}

#[test]
fn no_step_and_no_getter_allocates_not_even_when_it_fails() {
    let inertia = [1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 3.0];
    let (mut rows, mut q, mut omega) = ([0.0; 8 * 11], [1.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.3]);
    unsafe {
        let body = qi_create_body(inertia.as_ptr(), null(), omega.as_ptr(), null_mut());
        assert!(!body.is_null());
        let before = ALLOCATIONS.get();

        let some = (&raw mut rows).cast();
        assert_eq!(qi_set_torque(body, Some(spring), some), QI_OK);
        assert_eq!(qi_step(body, 0.1), QI_OK);
        assert_eq!(qi_advance(body, 0.1, 100, null_mut()), QI_OK);
        assert_eq!(
            qi_record(body, 0.1, 100, 10, rows.as_mut_ptr(), 11, null_mut()),
            QI_OK
        );
        assert_eq!(qi_get_orientation(body, q.as_mut_ptr()), QI_OK);
        assert_eq!(qi_get_angular_velocity(body, omega.as_mut_ptr()), QI_OK);
        assert_eq!(qi_set_state(body, q.as_ptr(), omega.as_ptr()), QI_OK);
        assert_eq!(qi_set_torque(body, Some(spring), null_mut()), QI_OK);
        assert_eq!(qi_step(body, 0.1), QI_ERR_CALLBACK);
        assert_eq!(qi_step(body, f64::NAN), QI_ERR_NON_FINITE);
        assert_eq!(
            qi_set_state(body, [1.0, 0.0, f64::NAN, 0.0].as_ptr(), omega.as_ptr()),
            QI_ERR_NON_FINITE
        );
        let (q, omega) = (q.as_mut_ptr(), omega.as_mut_ptr());
        assert_eq!(
            qi_integrate(inertia.as_ptr(), q, omega, 0.0, 0.1, 10, Some(spring), some),
            QI_OK
        );

        assert_eq!(qi_set_torque(body, Some(spring), some), QI_OK);
        assert_eq!(qi_solve(body, 3.0, 1e-9, null_mut()), QI_OK);
        assert_eq!(
            qi_solve_record(
                body,
                [4.0, 5.0].as_ptr(),
                2,
                1e-9,
                rows.as_mut_ptr(),
                null_mut()
            ),
            QI_OK
        );
        assert_eq!(
            qi_solve_until(body, 9.0, 1e-9, Some(noon), QI_ANY_CROSSING, null_mut()),
            QI_EVENT
        );
        assert_eq!(qi_solve(body, 9.0, 0.0, null_mut()), QI_ERR_INVALID);

        assert_eq!(ALLOCATIONS.get() - before, 0);
        qi_destroy_body(body);
    }
}

unsafe extern "C" fn noon(time: f64, _: *const f64, _: *const f64, _: *mut c_void) -> f64 {
    time - 6.0
}

unsafe extern "C" fn springs(
    _: f64,
    _: usize,
    count: usize,
    q: *const f64,
    _: *const f64,
    torque: *mut f64,
    _: *mut c_void,
) -> i32 {
    for i in 0..count {
        (0..3).for_each(|c| unsafe { *torque.add(3 * i + c) = -*q.add(4 * i + 1 + c) });
    }
    0
}

/// The first step asks which instruction set may be used.
#[test]
fn no_step_of_a_body_allocates_where_the_instruction_set_is_limited() {
    let mut tests = std::process::Command::new(std::env::current_exe().unwrap());
    let output = tests
        .arg("no_step_and_no_getter")
        .env("QUATINT_SIMD", "baseline")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
fn no_step_of_an_ensemble_but_its_first_allocates_nor_keeps_anything() {
    const N: usize = 300;
    let (mut q, mut omega, torque) = (vec![0.0; 4 * N], vec![0.0; 3 * N], vec![0.1; 3 * N]);
    let v = [0.1, 0.2, 0.3];
    let mut time = 0.0;
    unsafe {
        let (own, bound) = (
            qi_create_ensemble(N, null_mut()),
            qi_create_ensemble(N, null_mut()),
        );
        (0..N).for_each(|i| q[4 * i] = 1.0);
        assert_eq!(
            qi_bind_orientations(bound, q.as_mut_ptr(), 4, 1, QI_SCALAR_FIRST),
            QI_OK
        );
        assert_eq!(
            qi_bind_angular_velocities(bound, omega.as_mut_ptr(), 3, 1, QI_OMEGA_WORLD),
            QI_OK
        );
        let (mut stage_q, mut stage_omega) = (vec![0.0; 4 * N], vec![0.0; 3 * N]);
        for e in [own, bound] {
            for torqued in 0..3 {
                match torqued {
                    0 => assert_eq!(qi_set_ensemble_torque(e, None, 0, 0, null_mut()), QI_OK),
                    1 => assert_eq!(
                        qi_set_ensemble_uniform_field_torque(e, v.as_ptr(), 0, v.as_ptr()),
                        QI_OK
                    ),
                    _ => assert_eq!(
                        qi_set_ensemble_torque(e, Some(springs), 0, 0, null_mut()),
                        QI_OK
                    ),
                }
                // the first step, and the first one in stages, make room
                assert_eq!(qi_step_ensemble(e, 0.01), QI_OK);
                assert_eq!(qi_begin_ensemble_step(e, 0.01), QI_OK);
                assert_eq!(qi_cancel_ensemble_step(e), QI_OK);
                let before = ALLOCATIONS.get();
                for _ in 0..200 {
                    assert_eq!(qi_step_ensemble(e, 0.01), QI_OK);
                }
                assert_eq!(qi_advance_ensemble(e, 0.01, 600, null_mut()), QI_OK);
                assert_eq!(qi_step_ensemble(e, f64::NAN), QI_ERR_NON_FINITE);
                assert_eq!(qi_begin_ensemble_step(e, 0.01), QI_OK);
                while qi_next_ensemble_stage(
                    e,
                    &mut time,
                    stage_q.as_mut_ptr(),
                    stage_omega.as_mut_ptr(),
                ) == QI_NEED_TORQUE
                {
                    assert_eq!(qi_supply_ensemble_torque(e, torque.as_ptr()), QI_OK);
                }
                assert_eq!(qi_begin_ensemble_steps(e, 0.01, 3), QI_OK);
                let (q, omega) = (stage_q.as_mut_ptr(), stage_omega.as_mut_ptr());
                let mut status = qi_next_ensemble_stage(e, &mut time, q, omega);
                while status == QI_NEED_TORQUE {
                    status = qi_continue_ensemble_step(e, torque.as_ptr(), &mut time, q, omega);
                }
                assert_eq!(status, QI_OK);
                assert_eq!(ALLOCATIONS.get() - before, 0, "torque {torqued}");
            }
        }
        qi_destroy_ensemble(own);
        qi_destroy_ensemble(bound);
    }
}

#[test]
fn steps_with_random_torques_allocate_nothing_also_of_another_length() {
    let (coefficients, inertias) = (
        vec![0.1; 3 * 300],
        [[1.0, 0.1, 0.0, 0.1, 2.0, 0.0, 0.0, 0.0, 2.5]; 300],
    );
    unsafe {
        let e = qi_create_ensemble(300, null_mut());
        assert_eq!(qi_set_inertias(e, inertias[0].as_ptr(), 9), QI_OK);
        assert_eq!(qi_set_ensemble_method(e, QI_METHOD_SPLITTING), QI_OK);
        assert_eq!(
            qi_set_ensemble_langevin(e, coefficients.as_ptr(), 3, null(), 0, 1.0, 7),
            QI_OK
        );
        assert_eq!(qi_step_ensemble(e, 0.01), QI_OK);
        let before = ALLOCATIONS.get();
        for h in [0.01, 0.02, 0.01] {
            assert_eq!(qi_step_ensemble(e, h), QI_OK);
            assert_eq!(qi_thermalize_ensemble(e, 2.0 * h), QI_OK);
        }
        assert_eq!(ALLOCATIONS.get() - before, 0);
        qi_destroy_ensemble(e);
    }
}

/// Nor does its message, which asks for the torque once more.
#[test]
fn a_step_that_overflows_allocates_nothing() {
    let v = [0.1, 0.2, 0.3];
    for has_torque in [false, true] {
        unsafe {
            let e = qi_create_ensemble(300, null_mut());
            assert_eq!(qi_set_angular_velocities(e, v.as_ptr(), 0, 1), QI_OK);
            if has_torque {
                assert_eq!(
                    qi_set_ensemble_uniform_field_torque(e, v.as_ptr(), 0, v.as_ptr()),
                    QI_OK
                );
            }
            assert_eq!(qi_step_ensemble(e, 0.01), QI_OK);
            let before = ALLOCATIONS.get();
            assert_eq!(qi_step_ensemble(e, 1e300), QI_ERR_NON_FINITE);
            assert_eq!(ALLOCATIONS.get() - before, 0, "with torque: {has_torque}");
            qi_destroy_ensemble(e);
        }
    }
}
