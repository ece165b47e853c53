//! The host side: what is wrong with a machine or an argument is said, nothing waits but the check,
//! and no memory is lost.

use crate::bits::PLAIN;
use crate::bodies::{Case, Kind, OnDevice, Run, message, ok, same_bits};
use crate::memory::Driver;
use crate::stand_in::{driver, library, scratch};
use quatint::{Ensemble, Frame, Method, View};
use quatint_cuda::ffi::*;
use std::ffi::{CStr, c_void};
use std::process::Command;
use std::ptr::{null, null_mut};

/// Set in the processes that [`on_a_machine`] starts.
const CHILD: &str = "QUATINT_CHILD";

/// What `qi_cuda_open_device` says in a process whose machine has this wrong with it.
fn on_a_machine(what: &str) -> String {
    let folder = match what {
        "no-driver" => {
            let folder = scratch("no_driver");
            std::fs::write(folder.join("libcuda.so.1"), "").expect("writable");
            folder
        }
        _ => library().parent().expect("a folder").to_owned(),
    };
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["host::child", "--exact", "--nocapture"])
        .env(CHILD, "yes")
        .env("QUATINT_STAND_IN", what)
        .env("LD_LIBRARY_PATH", folder)
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// In a process of its own, because a process loads its driver once. The driver is found as users'
/// programs find it, by its name.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut status = 1;
    // SAFETY: a status is written
    let device = unsafe { qi_cuda_open_device(0, &mut status) };
    if device.is_null() {
        println!("{status}: {}", message());
        return;
    }
    // SAFETY: the device is open
    unsafe {
        let other = qi_cuda_open_device(5, &mut status);
        assert!(other.is_null());
        println!("{status}: {}", message());
        let e = qi_cuda_create_ensemble(device, 1000, &mut status);
        ok(status);
        status = qi_cuda_set_principal_inertias(e, [1.0; 3000].as_ptr(), 3, 1);
        println!("{status}: {}", message());
        let name = CStr::from_ptr(qi_cuda_device_name(device));
        println!("{}", name.to_string_lossy());
        println!("{}", CStr::from_ptr(qi_cuda_version()).to_string_lossy());
        qi_cuda_destroy_ensemble(e);
        qi_cuda_close_device(device);
    }
}

#[test]
fn a_machine_that_cannot_run_the_kernels_says_why() {
    for (what, status, reason) in [
        ("no-driver", QI_CUDA_ERR_DRIVER, "there is no CUDA driver"),
        (
            "old-driver",
            QI_CUDA_ERR_DRIVER,
            "too old: it lacks CUDA 11.0",
        ),
        ("no-device", QI_CUDA_ERR_DEVICE, "CUDA_ERROR_NO_DEVICE"),
        ("old-device", QI_CUDA_ERR_DEVICE, "compute capability 6.1"),
        ("no-module", QI_CUDA_ERR_CUDA, "ptxas fatal"),
        (
            "nothing",
            QI_CUDA_ERR_DEVICE,
            "there is no such CUDA device",
        ),
        ("nothing", QI_CUDA_OK, "a stand-in"),
        ("nothing", QI_CUDA_OK, env!("CARGO_PKG_VERSION")),
        ("little-memory", QI_CUDA_ERR_MEMORY, "is exhausted"),
    ] {
        let said = on_a_machine(what);
        assert!(said.contains(reason), "{what}: {said}");
        if status != QI_CUDA_OK {
            assert!(
                said.contains(&format!("{status}: qi_cuda_")),
                "{what}: {said}"
            );
        }
    }
}

#[test]
fn nothing_waits_but_the_check_and_kernels_go_to_the_stream_of_the_caller() {
    let driver = driver();
    let case = Case {
        method: Method::Splitting,
        torque: Kind::Field,
        ..PLAIN
    };
    let bodies = OnDevice::new(&driver, &case);
    let torque = driver.array(&vec![0.1; 3 * case.count]);
    let e = bodies.ensemble;
    let launched = || driver.number(c"stand_in_launched");
    let waited = || driver.number(c"stand_in_synchronised");
    let mut stream = 0_u8;
    // SAFETY: the stand-in takes any stream
    unsafe {
        ok(qi_cuda_set_stream(e, (&raw mut stream).cast::<c_void>()));
        ok(qi_cuda_advance(e, 0.01, 1)); // it needs memory
        ok(qi_cuda_begin_steps(e, 0.01, 1));
        ok(qi_cuda_cancel_step(e));
        let before = (launched(), waited());
        ok(qi_cuda_advance(e, 0.01, 10));
        ok(qi_cuda_kick_drift(
            e,
            0.01,
            0.01,
            torque.at,
            3,
            1,
            QI_CUDA_FRAME_BODY,
        ));
        ok(qi_cuda_advance(e, 0.01, 1)); // asks for the first torques again
        ok(qi_cuda_begin_steps(e, 0.01, 2));
        while qi_cuda_next_stage(e, null_mut(), null_mut(), null_mut()) == QI_CUDA_NEED_TORQUE {
            ok(qi_cuda_supply_torque(e, torque.at));
        }
        assert!(launched() >= before.0 + 8);
        assert_eq!(waited(), before.1);
        let last = driver.number(c"stand_in_last_stream");
        assert_eq!(last, (&raw mut stream) as i64);
        ok(qi_cuda_check(e));
        assert!(waited() > before.1);
    }
}

/// Sets a torque, and takes steps in a stream that does not wait for the default stream.
struct InAnotherStream;

const TORQUE: [f64; 3] = [0.3, -0.2, 0.1];

impl Run for InAnotherStream {
    fn on_cpu(&self, e: &mut Ensemble) {
        let torques = View::shared(&TORQUE, e.count());
        e.set_constant_torque(torques, Frame::World)
            .expect("finite");
        e.advance(0.01, 2).expect("finite");
    }

    fn on_device(&self, bodies: &OnDevice) {
        let e = bodies.ensemble;
        let mut stream = 0_u8;
        // SAFETY: the stand-in takes any stream
        unsafe {
            ok(qi_cuda_set_stream(e, (&raw mut stream).cast::<c_void>()));
            let torque = TORQUE.as_ptr();
            ok(qi_cuda_set_constant_torque(
                e,
                torque,
                0,
                QI_CUDA_FRAME_WORLD,
            ));
            ok(qi_cuda_advance(e, 0.01, 2));
            ok(qi_cuda_check(e));
        }
    }
}

#[test]
fn parameters_are_there_before_kernels_of_another_stream_read_them() {
    let driver = driver();
    let case = Case {
        fastest: 4.0,
        ..PLAIN
    };
    same_bits(&driver, &case, &InAnotherStream);
}

fn held(driver: &Driver) -> (i64, i64) {
    let memory = driver.number(c"stand_in_memory");
    (memory, driver.number(c"stand_in_contexts"))
}

#[test]
fn all_memory_and_contexts_are_given_back() {
    let driver = driver();
    let before = held(&driver);
    for method in Method::ALL {
        let case = Case {
            method: *method,
            torque: Kind::ShearOfEach,
            is_random: *method == Method::Brownian,
            fastest: 4.0,
            ..PLAIN
        };
        if case.is_allowed() {
            let bodies = OnDevice::new(&driver, &case);
            // SAFETY: the arrays are there
            unsafe {
                ok(qi_cuda_advance(bodies.ensemble, 0.01, 2));
                ok(qi_cuda_check(bodies.ensemble));
            }
        }
    }
    assert_eq!(held(&driver), before);
}

#[test]
fn wrong_arguments_are_refused_and_named() {
    let driver = driver();
    let bodies = OnDevice::new(&driver, &PLAIN);
    let e = bodies.ensemble;
    let q = bodies.q.at;
    let before = bodies.all();
    let refused = |status: qi_cuda_status, expected: qi_cuda_status, text: &str| {
        assert_eq!(status, expected, "{}", message());
        assert!(message().contains(text), "{}", message());
    };
    let [null_, invalid, infinite] = [
        QI_CUDA_ERR_NULL,
        QI_CUDA_ERR_INVALID,
        QI_CUDA_ERR_NON_FINITE,
    ];
    // SAFETY: wrong pointers are refused before they are used
    unsafe {
        refused(
            qi_cuda_advance(null_mut(), 0.1, 1),
            null_,
            "`ensemble` is NULL",
        );
        refused(
            qi_cuda_advance(e, f64::NAN, 1),
            infinite,
            "qi_cuda_advance: `dt`",
        );
        refused(qi_cuda_advance(e, 0.1, u64::MAX), invalid, "`steps`");
        refused(
            qi_cuda_bind_orientations(e, null_mut(), 4, 1, 0),
            null_,
            "`data` is NULL",
        );
        let beside = q.cast::<u8>().wrapping_add(1).cast();
        let misaligned = QI_CUDA_ERR_MISALIGNED;
        refused(
            qi_cuda_bind_orientations(e, beside, 4, 1, 0),
            misaligned,
            "`data`",
        );
        refused(qi_cuda_bind_orientations(e, q, 3, 1, 0), invalid, "strides");
        refused(qi_cuda_bind_orientations(e, q, 4, 0, 0), invalid, "strides");
        refused(
            qi_cuda_bind_orientations(e, q, 4, 1, 7),
            invalid,
            "`layout`",
        );
        refused(
            qi_cuda_bind_angular_velocities(e, q, 3, 1, 5),
            invalid,
            "`kind`",
        );
        refused(qi_cuda_set_method(e, 7), invalid, "`method`");
        let moments = [1.0, -1.0, 1.0];
        let inertia = QI_CUDA_ERR_INERTIA;
        refused(
            qi_cuda_set_principal_inertias(e, moments.as_ptr(), 0, 1),
            inertia,
            "positive",
        );
        refused(qi_cuda_set_inertias(e, null(), 0), null_, "`inertia`");
        refused(qi_cuda_lock_axes(e, &9, 0), invalid, "`axes`");
        let drag = [1.0, 1.0, -1.0];
        let langevin = qi_cuda_set_langevin(e, drag.as_ptr(), 0, null(), 0, 1.0, 0);
        refused(langevin, invalid, "must not be negative");
        ok(qi_cuda_set_method(e, QI_CUDA_METHOD_SPLITTING_4));
        refused(
            qi_cuda_set_drag(e, drag.as_ptr(), 0, null(), 0),
            invalid,
            "is refused",
        );
        ok(qi_cuda_set_method(e, QI_CUDA_METHOD_BROWNIAN));
        refused(
            qi_cuda_advance(e, 0.1, 1),
            invalid,
            "needs the drag and the noise",
        );
        let mut status = 0;
        let unbound = qi_cuda_create_ensemble(null(), 1, &mut status);
        assert!(unbound.is_null());
        refused(status, null_, "`device` is NULL");
        qi_cuda_destroy_ensemble(null_mut());
        qi_cuda_close_device(null_mut());
        assert!(qi_cuda_device_name(null()).is_null());
        assert_eq!(qi_cuda_last_error_body(), QI_CUDA_NO_BODY);
    }
    assert_eq!(bodies.all(), before);
}

#[test]
fn an_ensemble_without_arrays_or_bodies_says_so_or_does_nothing() {
    let driver = driver();
    let mut status = 1;
    // SAFETY: there are no arrays
    unsafe {
        let device = qi_cuda_open_device(0, &mut status);
        ok(status);
        ok(qi_cuda_test_device(device));
        let e = qi_cuda_create_ensemble(device, 3, &mut status);
        assert_eq!(qi_cuda_advance(e, 0.1, 1), QI_CUDA_ERR_ORDER);
        assert!(message().contains("bind orientations"), "{}", message());
        qi_cuda_destroy_ensemble(e);
        let e = qi_cuda_create_ensemble(device, 0, &mut status);
        ok(status);
        ok(qi_cuda_bind_orientations(
            e,
            null_mut(),
            4,
            1,
            QI_CUDA_SCALAR_FIRST,
        ));
        ok(qi_cuda_bind_angular_velocities(
            e,
            null_mut(),
            3,
            1,
            QI_CUDA_OMEGA_BODY,
        ));
        ok(qi_cuda_advance(e, 0.1, 3));
        ok(qi_cuda_check(e));
        qi_cuda_destroy_ensemble(e);
        qi_cuda_close_device(device);
    }
    drop(driver);
}

/// `printf("%d %s\n", call(), qi_cuda_last_error())` may ask for the message first.
#[test]
fn an_address_taken_before_a_call_that_fails_has_its_message() {
    let address = qi_cuda_last_error();
    // SAFETY: NULL is refused
    unsafe { qi_cuda_advance(null_mut(), 0.1, 3) };
    // SAFETY: it is a text as long as this thread lives
    let text = unsafe { CStr::from_ptr(address) };
    assert_eq!(
        text.to_string_lossy(),
        "qi_cuda_advance: `ensemble` is NULL"
    );
}
