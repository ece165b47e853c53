//! The bits of steps, kicks and drifts are those of the library.

use crate::bodies::{
    Bodies, Case, INERTIAS, Kind, OnDevice, Run, TORQUES, VELOCITIES, ok, same_bits,
};
use crate::random::Random;
use crate::stand_in::driver;
use quatint::{Ensemble, Frame, Method, VelocityKind, View};
use quatint_cuda::ffi::*;
use std::ptr::null;

pub const PLAIN: Case = Case {
    seed: 1,
    count: 150,
    method: Method::Pcdm,
    torque: Kind::Free,
    bodies: Bodies::Aligned,
    velocity: VelocityKind::OmegaBody,
    is_scalar_last: false,
    in_columns: true,
    are_shared: false,
    has_drag: false,
    is_random: false,
    has_flow: false,
    fastest: 900.0,
};

/// Calls that take these numbers of steps of `dt`.
pub struct Steps {
    pub dt: f64,
    pub calls: &'static [u64],
}

impl Run for Steps {
    fn on_cpu(&self, bodies: &mut Ensemble) {
        for &steps in self.calls {
            bodies.advance(self.dt, steps).expect("finite motion");
        }
    }

    fn on_device(&self, bodies: &OnDevice) {
        for &steps in self.calls {
            // SAFETY: the arrays are there
            ok(unsafe { qi_cuda_advance(bodies.ensemble, self.dt, steps) });
        }
    }
}

const STEPS: Steps = Steps {
    dt: 0.01,
    calls: &[3, 1, 2],
};

/// The case with anything else at random.
pub fn with_anything(case: Case, random: &mut Random) -> Case {
    let velocity = VELOCITIES[random.below(VELOCITIES.len())];
    let is_explicit = [Method::Pcdm, Method::Cf4].contains(&case.method)
        || case.torque.resists()
        || case.has_drag;
    Case {
        seed: random.bits(),
        // explicit methods would not stay finite; thin bodies turn fast for their momenta
        fastest: if is_explicit { 4.0 } else { case.fastest },
        bodies: INERTIAS[random.below(INERTIAS.len())],
        velocity,
        is_scalar_last: random.coin(),
        in_columns: random.coin(),
        are_shared: random.coin(),
        has_flow: random.coin(),
        ..case
    }
}

/// All methods that need no random torques, with each torque.
#[test]
fn steps_of_every_method_under_every_torque_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(7);
    let mut cases = 0;
    for &method in Method::ALL.iter().filter(|m| **m != Method::Brownian) {
        for torque in TORQUES {
            for _ in 0..8 {
                let case = with_anything(
                    Case {
                        method,
                        torque,
                        has_drag: random.below(4) == 0,
                        ..PLAIN
                    },
                    random,
                );
                if case.is_allowed() {
                    same_bits(&driver, &case, &STEPS);
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 200, "{cases}");
}

/// Of each method, with each inertia and each quantity that is bound.
#[test]
fn bodies_of_every_inertia_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(8);
    for &method in Method::ALL.iter().filter(|m| **m != Method::Brownian) {
        for bodies in INERTIAS {
            for velocity in VELOCITIES {
                let case = Case {
                    method,
                    torque: TORQUES[random.below(5)],
                    ..PLAIN
                };
                let case = Case {
                    bodies,
                    velocity,
                    ..with_anything(case, random)
                };
                if case.is_allowed() {
                    same_bits(&driver, &case, &STEPS);
                }
            }
        }
    }
}

/// One step a call, doubles, an inertia that all share: kernels of their own. See
/// `Arguments::in_common_form`.
#[test]
fn calls_of_the_common_form_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(12);
    let steps = Steps {
        dt: 0.001,
        calls: &[1; 3],
    };
    for torque in TORQUES.into_iter().filter(|torque| !torque.resists()) {
        for velocity in VELOCITIES {
            let case = Case {
                torque,
                are_shared: random.coin(),
                bodies: Bodies::AlikeAligned,
                velocity,
                is_scalar_last: random.coin(),
                in_columns: random.coin(),
                ..PLAIN
            };
            let in_drag = Case {
                has_drag: true,
                ..case
            };
            let at_random = Case {
                is_random: true,
                has_flow: random.coin(),
                ..case
            };
            for (case, method) in [
                (case, Method::Pcdm),
                (case, Method::Splitting),
                (case, Method::Splitting4),
                (case, Method::Splitting6),
                (case, Method::ForceGradient),
                (in_drag, Method::Pcdm),
                (in_drag, Method::Splitting),
                (at_random, Method::Splitting),
                (at_random, Method::Brownian),
            ] {
                same_bits(&driver, &Case { method, ..case }, &steps);
            }
            let torques: Vec<_> = (0..3 * case.count).map(|_| random.signed()).collect();
            for frame in [Frame::World, Frame::Body] {
                let torques = torques.clone();
                same_bits(&driver, &case, &Kicks { frame, torques });
            }
        }
    }
}

/// Rotations of many turns in a step, by the rare ways of the free rotation.
#[test]
fn long_rotations_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(9);
    for fastest in [1e2, 1e3, 1e4, 1e5, 1e6, 1e7] {
        for method in [Method::Splitting, Method::ForceGradient] {
            for bodies in [Bodies::Aligned, Bodies::Turned, Bodies::AlikeAligned] {
                let case = Case {
                    method,
                    torque: if random.coin() {
                        Kind::Free
                    } else {
                        Kind::Field
                    },
                    fastest,
                    ..PLAIN
                };
                let case = Case {
                    bodies,
                    ..with_anything(case, random)
                };
                same_bits(&driver, &case, &STEPS);
            }
        }
    }
}

/// As [`long_rotations_have_the_bits_of_the_library`]. In the steps of a second a drag makes bodies
/// slow, so that the next steps take it in balance with the gyroscopic torque.
#[test]
fn long_rotations_in_a_drag_or_with_noise_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(13);
    let long = Steps {
        dt: 1.0,
        calls: &[3, 1, 2],
    };
    for torque in TORQUES {
        for k in 0..16 {
            let is_random = !torque.resists() && k % 3 == 0;
            let case = Case {
                method: Method::Splitting,
                torque,
                has_drag: !is_random,
                ..PLAIN
            };
            let case = Case {
                is_random,
                fastest: 4.0 * f64::powi(10.0, k / 4),
                ..with_anything(case, random)
            };
            same_bits(&driver, &case, &long);
        }
    }
}

/// Kicks and drifts with torques in an array.
pub struct Kicks {
    pub frame: Frame,
    pub torques: Vec<f64>,
}

impl Run for Kicks {
    fn on_cpu(&self, bodies: &mut Ensemble) {
        let torque = View::rows(&self.torques).expect("rows");
        bodies.kick(0.005, torque, self.frame).expect("finite");
        bodies.drift(0.02).expect("finite");
        bodies
            .kick_drift(0.01, 0.01, Some(torque), self.frame)
            .expect("finite");
        bodies
            .kick_drift(-0.01, 0.0, None, self.frame)
            .expect("finite");
        bodies
            .kick_drift(0.0, -0.03, None, self.frame)
            .expect("finite");
        bodies.advance(0.01, 1).expect("finite");
    }

    fn on_device(&self, bodies: &OnDevice) {
        let torque = bodies.driver.array(&self.torques);
        let frame = self.frame as i32;
        let e = bodies.ensemble;
        // SAFETY: the arrays are there until the check
        unsafe {
            ok(qi_cuda_kick(e, 0.005, torque.at, 3, 1, frame));
            ok(qi_cuda_drift(e, 0.02));
            ok(qi_cuda_kick_drift(e, 0.01, 0.01, torque.at, 3, 1, frame));
            ok(qi_cuda_kick_drift(e, -0.01, 0.0, null(), 3, 1, frame));
            ok(qi_cuda_kick_drift(e, 0.0, -0.03, null(), 3, 1, frame));
            ok(qi_cuda_advance(e, 0.01, 1));
            ok(qi_cuda_check(e));
        }
    }
}

#[test]
fn kicks_and_drifts_have_the_bits_of_the_library() {
    let driver = driver();
    let random = &mut Random::of(10);
    for frame in [Frame::World, Frame::Body] {
        for bodies in INERTIAS {
            for velocity in VELOCITIES {
                let case = Case {
                    has_drag: random.below(3) == 0,
                    ..PLAIN
                };
                let case = Case {
                    bodies,
                    velocity,
                    ..with_anything(case, random)
                };
                let torques = (0..3 * case.count).map(|_| random.signed()).collect();
                if case.is_allowed() {
                    same_bits(&driver, &case, &Kicks { frame, torques });
                }
            }
        }
    }
}
