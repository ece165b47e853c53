//! Random torques have the noise of the library.

use crate::bits::{PLAIN, with_anything};
use crate::bodies::{Bodies, Case, Kind, OnDevice, Run, TORQUES, ok, same_bits};
use crate::random::Random;
use crate::stand_in::driver;
use quatint::{Ensemble, Method};
use quatint_cuda::ffi::*;

/// Steps of two lengths, and a draw that is set in between.
struct Steps;

impl Run for Steps {
    fn on_cpu(&self, bodies: &mut Ensemble) {
        bodies.advance(0.01, 3).expect("finite");
        bodies.advance(0.01, 1).expect("finite");
        bodies.set_noise(1 << 33).expect("no step has begun");
        bodies.advance(0.02, 2).expect("finite");
        assert_eq!(bodies.noise(), (1 << 33) + 2);
    }

    fn on_device(&self, bodies: &OnDevice) {
        let e = bodies.ensemble;
        let mut draws = 0;
        // SAFETY: the arrays are there
        unsafe {
            ok(qi_cuda_advance(e, 0.01, 3));
            ok(qi_cuda_advance(e, 0.01, 1));
            ok(qi_cuda_get_noise(e, &mut draws));
            assert_eq!(draws, 4);
            ok(qi_cuda_set_noise(e, 1 << 33));
            ok(qi_cuda_advance(e, 0.02, 2));
            ok(qi_cuda_get_noise(e, &mut draws));
            assert_eq!(draws, (1 << 33) + 2);
        }
    }
}

/// Under BAOAB a shear flow gives the part that acts on bodies at rest; a drag besides is refused.
#[test]
fn langevin_steps_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(21);
    for bodies in crate::bodies::INERTIAS {
        for torque in TORQUES.into_iter().filter(|t| *t != Kind::LinearDrag) {
            let case = Case {
                method: Method::Splitting,
                torque,
                is_random: true,
                fastest: 40.0,
                ..PLAIN
            };
            let case = Case {
                bodies,
                fastest: 40.0,
                ..with_anything(case, random)
            };
            if case.is_allowed() {
                same_bits(&driver, &case, &Steps);
            }
        }
    }
}

/// Brownian motion is for bodies whose axes of zero moment are body axes.
#[test]
fn brownian_steps_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(22);
    let fit = [
        Bodies::AlikeAligned,
        Bodies::AlikeTurned,
        Bodies::Aligned,
        Bodies::Turned,
        Bodies::Lines,
        Bodies::WithLockedAxes,
        Bodies::Locked,
    ];
    for bodies in fit {
        for torque in TORQUES {
            let case = Case {
                method: Method::Brownian,
                torque,
                is_random: true,
                ..PLAIN
            };
            let case = Case {
                bodies,
                ..with_anything(case, random)
            };
            if case.is_allowed() {
                same_bits(&driver, &case, &Steps);
            }
        }
    }
}
