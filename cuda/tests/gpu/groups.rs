//! Lists of active bodies, a changing number of bodies, sums, conjugate momenta, and parameters that
//! lie on the device.

use crate::bits::{PLAIN, with_anything};
use crate::bodies::{Bodies, Case, Kind, OnDevice, Run, TORQUES, message, ok, same_bits};
use crate::random::Random;
use crate::stand_in::driver;
use quatint::{Ensemble, Frame, Method, VelocityKind, View};
use quatint_cuda::ffi::*;
use std::cell::Cell;
use std::ptr::{null, null_mut};

/// Steps and kicks of some bodies, then of the first ones, then of all.
struct Groups {
    list: Vec<usize>,
    first: usize,
    torques: Vec<f64>,
    has_kicks: bool,
    energy: Cell<f64>,
    momentum: Cell<[f64; 3]>,
}

impl Run for Groups {
    fn on_cpu(&self, e: &mut Ensemble) {
        let first: Vec<_> = (0..self.first).collect();
        for active in [Some(&self.list), Some(&first), None] {
            e.set_active(active.map(Vec::as_slice)).expect("ascending");
            e.advance(0.01, 1).expect("finite");
            e.advance(0.01, 3).expect("finite");
            if self.has_kicks {
                let torque = View::rows(&self.torques).expect("rows");
                e.kick_drift(0.01, 0.02, Some(torque), Frame::World)
                    .expect("finite");
            }
            self.energy.set(e.total_kinetic_energy());
            self.momentum.set(e.total_angular_momentum().into());
        }
    }

    fn on_device(&self, bodies: &OnDevice) {
        let e = bodies.ensemble;
        let list: Vec<_> = self.list.iter().map(|body| *body as u32).collect();
        let list = bodies.driver.array(&list);
        let torque = bodies.driver.array(&self.torques);
        let all = bodies.q.read().len();
        let all = if bodies.velocity.is_some() {
            all / 4
        } else {
            all / crate::bodies::ROW
        };
        let groups = [
            (list.at.cast_const(), self.list.len()),
            (null(), self.first),
            (null(), all),
        ];
        let world = QI_CUDA_FRAME_WORLD;
        let mut energy = 0.0;
        let mut momentum = [0.0; 3];
        // SAFETY: the arrays are there until the check
        unsafe {
            for (list, count) in groups {
                ok(qi_cuda_bind_active(e, list, count));
                ok(qi_cuda_advance(e, 0.01, 1));
                ok(qi_cuda_advance(e, 0.01, 3));
                if self.has_kicks {
                    ok(qi_cuda_kick_drift(e, 0.01, 0.02, torque.at, 3, 1, world));
                }
                ok(qi_cuda_get_total_kinetic_energy(e, &mut energy));
                ok(qi_cuda_get_total_angular_momentum(e, momentum.as_mut_ptr()));
            }
        }
        let right = self.energy.get();
        assert!((energy - right).abs() < 1e-13 * right, "{energy} {right}");
        // every moment of inertia here is below 10
        let size = (20.0 * right * all as f64).sqrt();
        for (sum, right) in momentum.iter().zip(self.momentum.get()) {
            assert!((sum - right).abs() < 1e-13 * size, "{sum} {right}");
        }
    }
}

#[test]
fn bodies_of_a_list_have_the_bits_of_the_library_and_so_have_their_sums_to_rounding() {
    let driver = driver();
    let random = &mut Random::of(21);
    let mut cases = 0;
    for &method in Method::ALL.iter() {
        for torque in TORQUES {
            let is_random =
                method == Method::Brownian || method == Method::Splitting && torque == Kind::Field;
            let case = Case {
                method,
                torque,
                is_random,
                has_drag: !is_random && random.below(3) == 0,
                ..PLAIN
            };
            let case = with_anything(case, random);
            let mut case = Case {
                fastest: case.fastest.min(40.0),
                ..case
            };
            if method == Method::Brownian {
                case.bodies = Bodies::Turned; // axes of zero moment must be body axes
            }
            if !case.is_allowed() || method == Method::Brownian && torque.resists() {
                continue;
            }
            let run = Groups {
                list: (0..case.count).filter(|_| random.coin()).collect(),
                first: random.below(case.count),
                torques: (0..3 * case.count).map(|_| random.signed()).collect(),
                has_kicks: !is_random,
                energy: Cell::new(0.0),
                momentum: Cell::new([0.0; 3]),
            };
            same_bits(&driver, &case, &run);
            cases += 1;
        }
    }
    assert!(cases > 30, "{cases}");
}

/// Beyond the last body, and bodies that are not in the list.
#[test]
fn a_list_that_names_no_body_is_told_and_the_others_move() {
    let driver = driver();
    let bodies = OnDevice::new(&driver, &PLAIN);
    let e = bodies.ensemble;
    let before = bodies.all();
    let list = driver.array(&[7_u32, 4_000_000_000, 2]);
    // SAFETY: the arrays are there
    unsafe {
        ok(qi_cuda_bind_active(e, list.at, 3));
        ok(qi_cuda_drift(e, 0.01));
        assert_eq!(qi_cuda_check(e), QI_CUDA_ERR_INVALID, "{}", message());
        assert_eq!(qi_cuda_last_error_body(), 4_000_000_000);
        assert!(message().contains("the list of active bodies"));
        let after = bodies.all();
        let moved: Vec<_> = (0..150).filter(|k| before[*k] != after[*k]).collect();
        assert_eq!(moved, [2, 7]);
        ok(qi_cuda_bind_active(e, list.at, 0));
        ok(qi_cuda_advance(e, 0.01, 2));
        ok(qi_cuda_check(e));
        assert!(bodies.all() == after, "a body has moved");
        assert_eq!(qi_cuda_bind_active(e, null(), 151), QI_CUDA_ERR_INVALID);
        let odd = list.at.cast::<u8>().wrapping_add(1).cast();
        assert_eq!(qi_cuda_bind_active(e, odd, 1), QI_CUDA_ERR_MISALIGNED);
        let nothing = null_mut();
        assert_eq!(
            qi_cuda_get_total_kinetic_energy(e, nothing),
            QI_CUDA_ERR_NULL
        );
        assert_eq!(
            qi_cuda_get_total_angular_momentum(e, nothing),
            QI_CUDA_ERR_NULL
        );
    }
}

/// `p = 2 q ⊗ (0, L)`, components in the order of the orientations.
fn conjugates(q: &[f64], momenta: &[f64], is_scalar_last: bool) -> Vec<f64> {
    let order = if is_scalar_last {
        [3, 0, 1, 2]
    } else {
        [0, 1, 2, 3]
    };
    let mut all = vec![0.0; q.len()];
    for (body, momentum) in momenta.chunks_exact(3).enumerate() {
        let [w, x, y, z] = order.map(|k| q[4 * body + k]);
        let [a, b, c] = [momentum[0], momentum[1], momentum[2]];
        let p = [
            -x * a - y * b - z * c,
            w * a + y * c - z * b,
            w * b + z * a - x * c,
            w * c + x * b - y * a,
        ];
        for k in 0..4 {
            all[4 * body + order[k]] = 2.0 * p[k];
        }
    }
    all
}

#[test]
fn momenta_conjugate_to_the_orientations_are_those_of_the_body_frame() {
    let driver = driver();
    let mut cases = vec![
        (Method::Splitting, Bodies::Turned, Kind::Field, 40.0),
        (Method::Splitting, Bodies::AlikeAligned, Kind::Field, 400.0),
    ];
    for &method in Method::ALL.iter().filter(|m| **m != Method::Brownian) {
        for torque in [Kind::Free, Kind::Body, Kind::Field] {
            cases.push((method, Bodies::AlikeAligned, torque, 4.0));
        }
    }
    for method in [Method::Pcdm, Method::Splitting] {
        cases.push((method, Bodies::Aligned, Kind::LinearDrag, 4.0));
    }
    for is_scalar_last in [false, true] {
        for &(method, bodies, torque, fastest) in &cases {
            let case = Case {
                method,
                bodies,
                torque,
                velocity: VelocityKind::AngularMomentumBody,
                is_scalar_last,
                fastest,
                ..PLAIN
            };
            let [plain, other] = [(); 2].map(|()| OnDevice::new(&driver, &case));
            let momenta = plain.velocity.as_ref().expect("columns").read();
            let columns = |all: &[f64], k: usize| -> Vec<f64> {
                let count = all.len() / k;
                (0..all.len()).map(|n| all[n % k * count + n / k]).collect()
            };
            let q = columns(&plain.q.read(), 4);
            let p = conjugates(&q, &columns(&momenta, 3), is_scalar_last);
            let (q, p) = (driver.array(&q), driver.array(&p));
            let order = i32::from(is_scalar_last);
            let torques = driver.array(&vec![0.3_f64; 450]);
            // SAFETY: the arrays are there
            unsafe {
                let e = other.ensemble;
                ok(qi_cuda_bind_orientations(e, q.at, 4, 1, order));
                let kind = QI_CUDA_ANGMOM_CONJUGATE;
                ok(qi_cuda_bind_angular_velocities(e, p.at, 4, 1, kind));
                for e in [e, plain.ensemble] {
                    ok(qi_cuda_advance(e, 0.01, 1));
                    ok(qi_cuda_kick_drift(e, 0.01, 0.02, torques.at, 3, 1, 0));
                    ok(qi_cuda_kick(e, 0.01, torques.at, 3, 1, 0));
                    ok(qi_cuda_advance(e, 0.01, 3));
                    ok(qi_cuda_check(e));
                }
            }
            let momenta = columns(&plain.velocity.as_ref().expect("columns").read(), 3);
            let right_q = columns(&plain.q.read(), 4);
            let right = conjugates(&right_q, &momenta, is_scalar_last);
            let most = right.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (a, b) in q.read().iter().zip(&right_q) {
                assert!((a - b).abs() < 1e-11, "{a} {b}");
            }
            for (a, b) in p.read().iter().zip(&right) {
                assert!((a - b).abs() < 1e-11 * most, "{a} {b}");
            }
        }
    }
}

/// Any array of parameters may lie on the device, with any strides.
#[test]
fn parameters_on_the_device_are_those_of_the_host() {
    let driver = driver();
    let random = &mut Random::of(23);
    let count = PLAIN.count as isize;
    let one: Vec<f64> = (0..5 * 150 + 9)
        .map(|_| 0.9 + 0.2 * random.uniform())
        .collect();
    let on_device = driver.array(&one);
    let [host, device] = [one.as_ptr(), on_device.at.cast_const()].map(|from| {
        let bodies = OnDevice::new(&driver, &PLAIN);
        let e = bodies.ensemble;
        let direction = [0.6, 0.0, 0.8];
        let last = from.wrapping_offset(5 * (count - 1));
        // SAFETY: the arrays are there, on either side
        unsafe {
            ok(qi_cuda_set_principal_inertias(e, from, 1, count));
            ok(qi_cuda_set_gravity_gradient_torque(
                e,
                direction.as_ptr(),
                last,
                -5,
            ));
            ok(qi_cuda_set_drag(e, from, 5, last, -5));
            ok(qi_cuda_set_method(e, QI_CUDA_METHOD_SPLITTING));
            ok(qi_cuda_advance(e, 0.01, 2));
            ok(qi_cuda_set_principal_inertias(e, last, -5, 1));
            ok(qi_cuda_set_constant_torque(e, from, 0, QI_CUDA_FRAME_BODY));
            ok(qi_cuda_advance(e, 0.01, 2));
            ok(qi_cuda_check(e));
        }
        bodies.all()
    });
    assert!(host == device, "other bits");
    let wrong = driver.array(&[1.0, 2.0, 3.0, 1.0, f64::NAN, 3.0]);
    let small = Case { count: 2, ..PLAIN };
    let bodies = OnDevice::new(&driver, &small);
    // SAFETY: the arrays are there
    unsafe {
        let status = qi_cuda_set_principal_inertias(bodies.ensemble, wrong.at, 3, 1);
        assert_eq!(
            (status, qi_cuda_last_error_body()),
            (QI_CUDA_ERR_NON_FINITE, 1)
        );
    }
}
