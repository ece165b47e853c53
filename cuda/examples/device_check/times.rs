//! How long a body and a step take, beside a copy in the memory of the device in the same run.

use crate::PLAIN;
use crate::bodies::{Bodies, Case, Kind, OnDevice, ok};
use crate::memory::Driver;
use quatint::Method;
use quatint_cuda::ffi::*;
use std::time::Instant;

/// The shortest of some repetitions of a call, in nanoseconds a body. The check waits for it.
fn nanoseconds(bodies: &OnDevice, count: usize, call: impl Fn()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        // SAFETY: the ensemble is there
        unsafe { ok(qi_cuda_check(bodies.ensemble)) };
        let start = Instant::now();
        call();
        // SAFETY: as above
        unsafe { ok(qi_cuda_check(bodies.ensemble)) };
        least = least.min(1e9 * start.elapsed().as_secs_f64());
    }
    least / count as f64
}

pub fn measure(driver: &Driver, count: usize) {
    let plain = Case {
        count,
        bodies: Bodies::AlikeAligned,
        are_shared: true,
        ..PLAIN
    };
    let bodies = OnDevice::new(driver, &plain);
    let other = driver.array(&vec![0.0; 4 * count]);
    let copies = 20;
    let copy = nanoseconds(&bodies, count, || {
        for _ in 0..copies {
            other.copy_from(&bodies.q);
        }
    }) / f64::from(copies);
    // an orientation is read and written
    println!(
        "copy of the orientations: {copy:.3} ns a body, {:.0} GB/s",
        64.0 / copy
    );

    println!("ns a body and step, one step in a call; and of 20 steps in a call:");
    let methods = Method::ALL.iter().filter(|m| **m != Method::Brownian);
    let mut cases: Vec<_> = methods.map(|&method| Case { method, ..plain }).collect();
    cases.push(Case {
        torque: Kind::Free,
        ..plain
    });
    cases.push(Case {
        method: Method::Splitting,
        torque: Kind::Free,
        ..plain
    });
    cases.push(Case {
        torque: Kind::Shear,
        ..plain
    });
    cases.push(Case {
        bodies: Bodies::Turned,
        count: count.div_ceil(8), // the host takes long to diagonalise tensors
        ..plain
    });
    cases.push(Case {
        method: Method::Splitting,
        is_random: true,
        ..plain
    });
    for case in cases {
        let bodies = OnDevice::new(driver, &case);
        let steps = |steps| {
            // SAFETY: the arrays are there
            nanoseconds(&bodies, case.count, || unsafe {
                ok(qi_cuda_advance(bodies.ensemble, 1e-3, steps));
            }) / steps as f64
        };
        let (one, many) = (steps(1), steps(20));
        let noise = if case.is_random { ", random" } else { "" };
        let kind = format!(
            "{:?}, {:?}, {:?}{noise}",
            case.method, case.torque, case.bodies
        );
        println!("{one:10.3} {many:10.3}  {kind}");
    }
    drop(bodies);
    let torque = driver.array(&vec![0.1; 3 * count]);
    let bodies = OnDevice::new(driver, &plain);
    let kick_drift = nanoseconds(&bodies, count, || {
        // SAFETY: the arrays are there
        unsafe {
            ok(qi_cuda_kick_drift(
                bodies.ensemble,
                1e-3,
                1e-3,
                torque.at,
                3,
                1,
                0,
            ))
        };
    });
    println!("{kick_drift:10.3}             kick and drift");
}
