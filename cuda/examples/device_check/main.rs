//! The checks of a device: `device_check BODIES [THREADS]`. It needs a CUDA driver and nothing else,
//! so it can be built on one machine and run on another: `make device-check`.
//!
//! It loads the kernels, compares the operations of the device with IEEE 754 and the bits of all
//! kernels but those of drifts in single precision with the library on the CPU, and then measures the time of a body and a step, beside the
//! bandwidth of a copy in the memory of the device, in the same run. It fails if a bit differs.

#[path = "../../tests/gpu/bodies.rs"]
#[allow(dead_code)]
mod bodies;
#[path = "../../tests/gpu/memory.rs"]
#[allow(dead_code)]
mod memory;
#[path = "../../tests/gpu/random.rs"]
#[allow(dead_code)]
mod random;

mod times;

use bodies::{Bodies, Case, Kind, OnDevice, Run, message, ok};
use memory::Driver;
use quatint::{Ensemble, Frame, Method, Progress, VelocityKind, View};
use quatint_cuda::ffi::*;
use std::ffi::CStr;
use std::time::Instant;

const PLAIN: Case = Case {
    seed: 1,
    count: 0,
    method: Method::Pcdm,
    torque: Kind::Field,
    bodies: Bodies::Aligned,
    velocity: VelocityKind::OmegaBody,
    is_scalar_last: false,
    in_columns: true,
    are_shared: false,
    has_drag: false,
    is_random: false,
    has_flow: false,
    fastest: 4.0,
};

/// What is done with the bodies, on so many threads.
struct Check {
    what: What,
    threads: usize,
}

#[derive(Clone, Copy)]
enum What {
    Steps,
    /// One step a call, as the common forms have it.
    SingleSteps,
    Kicks,
    Stages,
}

const DT: f64 = 0.01;

fn constant_torques(count: usize) -> Vec<f64> {
    (0..3 * count).map(|k| 0.1 * (k % 7) as f64 - 0.3).collect()
}

impl Run for Check {
    fn on_cpu(&self, e: &mut Ensemble) {
        e.set_threads(self.threads).expect("threads");
        let torques = constant_torques(e.count());
        match self.what {
            What::Steps => {
                e.advance(DT, 3).expect("finite");
                e.advance(DT, 2).expect("finite");
            }
            What::SingleSteps => {
                e.step(DT).expect("finite");
                e.step(DT).expect("finite");
            }
            What::Kicks => {
                let torque = Some(View::rows(&torques).expect("rows"));
                e.kick_drift(DT, DT, torque, Frame::World).expect("finite");
                e.kick_drift(DT, 0.0, torque, Frame::Body).expect("finite");
            }
            What::Stages => {
                e.begin_steps(DT, 2).expect("no step has begun");
                while let Progress::NeedTorque(_) = e.next_stage(&mut [], &mut []).expect("a stage")
                {
                    e.supply_torque(&torques).expect("finite");
                }
            }
        }
    }

    fn on_device(&self, bodies: &OnDevice) {
        let e = bodies.ensemble;
        let count = bodies.q.read().len() / 4;
        let torque = bodies.driver.array(&constant_torques(count));
        let nothing = std::ptr::null_mut();
        // SAFETY: the arrays are there until the check
        unsafe {
            match self.what {
                What::Steps => {
                    ok(qi_cuda_advance(e, DT, 3));
                    ok(qi_cuda_advance(e, DT, 2));
                }
                What::SingleSteps => {
                    ok(qi_cuda_advance(e, DT, 1));
                    ok(qi_cuda_advance(e, DT, 1));
                }
                What::Kicks => {
                    ok(qi_cuda_kick_drift(
                        e,
                        DT,
                        DT,
                        torque.at,
                        3,
                        1,
                        QI_CUDA_FRAME_WORLD,
                    ));
                    ok(qi_cuda_kick_drift(
                        e,
                        DT,
                        0.0,
                        torque.at,
                        3,
                        1,
                        QI_CUDA_FRAME_BODY,
                    ));
                }
                What::Stages => {
                    ok(qi_cuda_begin_steps(e, DT, 2));
                    while qi_cuda_next_stage(e, nothing, nothing, std::ptr::null_mut())
                        == QI_CUDA_NEED_TORQUE
                    {
                        ok(qi_cuda_supply_torque(e, torque.at));
                    }
                }
            }
            ok(qi_cuda_check(e));
        }
    }
}

/// A case of each kernel, and of the inertias and torques that take other ways through it.
fn cases(count: usize) -> Vec<(Case, What)> {
    let plain = Case { count, ..PLAIN };
    let mut cases = Vec::new();
    for &method in Method::ALL.iter().filter(|m| **m != Method::Brownian) {
        cases.push((Case { method, ..plain }, What::Steps));
    }
    let of = |torque, bodies, velocity| Case {
        torque,
        bodies,
        velocity,
        ..plain
    };
    let splitting = Case {
        method: Method::Splitting,
        ..plain
    };
    let world = VelocityKind::OmegaWorld;
    let random = Case {
        is_random: true,
        has_flow: true,
        ..splitting
    };
    cases.extend([
        (of(Kind::Free, Bodies::Turned, world), What::Steps),
        (of(Kind::Body, Bodies::AlikeAligned, world), What::Steps),
        (
            of(
                Kind::Gravity,
                Bodies::Turned,
                VelocityKind::AngularMomentumWorld,
            ),
            What::Steps,
        ),
        (of(Kind::ShearOfEach, Bodies::Aligned, world), What::Steps),
        (
            of(Kind::LinearDrag, Bodies::WithZeroMoments, world),
            What::Steps,
        ),
        (
            Case {
                method: Method::Cf4,
                torque: Kind::Free,
                ..plain
            },
            What::Steps,
        ),
        (
            Case {
                torque: Kind::Shear,
                bodies: Bodies::Turned,
                ..splitting
            },
            What::Steps,
        ),
        (
            Case {
                torque: Kind::Free,
                fastest: 1e5,
                ..splitting
            },
            What::Steps,
        ),
        (
            Case {
                bodies: Bodies::WithLockedAxes,
                ..splitting
            },
            What::Steps,
        ),
        (random, What::Steps),
        (
            Case {
                bodies: Bodies::Turned,
                ..random
            },
            What::Steps,
        ),
        (
            Case {
                method: Method::Brownian,
                ..random
            },
            What::Steps,
        ),
        (plain, What::Kicks),
        (
            Case {
                has_drag: true,
                bodies: Bodies::Turned,
                ..plain
            },
            What::Kicks,
        ),
        (plain, What::Stages),
        (splitting, What::Stages),
    ]);
    let alike = Case {
        bodies: Bodies::AlikeAligned,
        ..plain
    };
    let in_drag = Case {
        has_drag: true,
        ..alike
    };
    let at_random = Case {
        bodies: Bodies::AlikeAligned,
        ..random
    };
    let free = Case {
        torque: Kind::Free,
        ..alike
    };
    cases.push((alike, What::Kicks));
    for (case, method) in [
        (alike, Method::Pcdm),
        (free, Method::Pcdm),
        (alike, Method::Splitting),
        (in_drag, Method::Pcdm),
        (in_drag, Method::Splitting),
        (at_random, Method::Splitting),
        (at_random, Method::Brownian),
    ] {
        cases.push((Case { method, ..case }, What::SingleSteps));
    }
    for (case, _) in &mut cases {
        // the host takes long to diagonalise tensors, one by one
        let is_slow = ![Bodies::Aligned, Bodies::AlikeAligned].contains(&case.bodies);
        case.count = if is_slow { count.div_ceil(8) } else { count };
    }
    cases
}

fn name(case: &Case, what: What) -> String {
    let done = match what {
        What::Steps => "steps",
        What::SingleSteps => "single steps",
        What::Kicks => "kicks",
        What::Stages => "stages",
    };
    let noise = if case.is_random { ", random" } else { "" };
    let drag = if case.has_drag { ", drag" } else { "" };
    format!(
        "{done}: {:?}, {:?}, {:?}{noise}{drag}",
        case.method, case.torque, case.bodies
    )
}

/// Compares the bits of each case. Returns how many cases differ.
fn compare(driver: &Driver, count: usize, threads: usize) -> usize {
    let mut wrong = 0;
    for (case, what) in cases(count) {
        let check = &Check { what, threads };
        let of_cpu = bodies::on_cpu(&case, check);
        let device = OnDevice::new(driver, &case);
        check.on_device(&device);
        let of_device = device.all();
        let differ = of_cpu
            .iter()
            .zip(&of_device)
            .filter(|(a, b)| a != b)
            .count();
        println!(
            "{differ:>9} of {} numbers differ in {}",
            of_cpu.len(),
            name(&case, what)
        );
        wrong += usize::from(differ > 0);
    }
    wrong
}

fn main() {
    let mut given = std::env::args().skip(1);
    let mut number = || given.next().map(|text| text.parse().expect("a number"));
    let count = number().unwrap_or(1 << 22);
    let threads = number().unwrap_or_else(|| {
        std::thread::available_parallelism().map_or(1, |threads| threads.get().min(64))
    });
    let start = Instant::now();
    let mut status = QI_CUDA_OK;
    // SAFETY: a status is written; the device stays open until the end
    unsafe {
        let device = qi_cuda_open_device(0, &mut status);
        if device.is_null() {
            println!("{}", message());
            std::process::exit(2);
        }
        let name = CStr::from_ptr(qi_cuda_device_name(device)).to_string_lossy();
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: opened, with the kernels compiled, in {seconds:.2} s");
        ok(qi_cuda_test_device(device));
        println!("the operations are those of IEEE 754");
    }
    let driver = Driver::load(c"libcuda.so.1", None);
    println!("{count} bodies beside {threads} threads of the CPU:");
    let wrong = compare(&driver, count, threads);
    times::measure(&driver, count);
    println!("{:.0} s in all", start.elapsed().as_secs_f64());
    println!("{}", if wrong == 0 { "passed" } else { "FAILED" });
    std::process::exit(i32::from(wrong > 0));
}
