//! Arrays of floats: the arithmetic is in double precision, from the floats and back to them.

use crate::bits::{PLAIN, with_anything};
use crate::bodies::{Bodies, Case, OnDevice, TORQUES, ok};
use crate::random::Random;
use crate::stand_in::driver;
use quatint::{Ensemble, Frame, Method, View, ViewMut, nalgebra::Vector3};
use quatint_cuda::ffi::*;

struct Floats {
    q: Vec<f32>,
    w: Vec<f32>,
    torque: Vec<f32>,
}

const COUNT: usize = 200;

fn floats() -> Floats {
    let random = &mut Random(41);
    let mut q = Vec::new();
    for _ in 0..COUNT {
        let four: [f64; 4] = random.vector(1.0);
        let length = four.iter().map(|c| c * c).sum::<f64>().sqrt();
        q.extend(four.map(|c| (c / length) as f32));
    }
    Floats {
        q,
        w: (0..3 * COUNT)
            .map(|_| 3.0 * random.signed() as f32)
            .collect(),
        torque: (0..3 * COUNT).map(|_| random.signed() as f32).collect(),
    }
}

fn doubles(floats: &[f32]) -> Vec<f64> {
    floats.iter().copied().map(f64::from).collect()
}

/// What a call on the CPU would make of the floats.
fn on_cpu(floats: &mut Floats, run: impl FnOnce(&mut Ensemble, &[f64])) {
    let mut q = doubles(&floats.q);
    let mut w = doubles(&floats.w);
    {
        let mut e = Ensemble::new(COUNT).expect("memory");
        let moments = Vector3::new(1.0, 1.5, 2.0);
        e.set_inertia(quatint::Inertia::from_moments(moments).expect("moments"))
            .expect("no step");
        e.bind_orientations(ViewMut::rows(&mut q).expect("rows"))
            .expect("near unit length");
        let w = ViewMut::rows(&mut w).expect("rows");
        e.bind_angular_velocities(w, quatint::VelocityKind::OmegaWorld)
            .expect("finite");
        e.set_uniform_field(View::shared(&[0.1, 0.0, 1.0], COUNT), [0.5, -1.0, 0.0])
            .expect("finite");
        run(&mut e, &doubles(&floats.torque));
    }
    floats.q = q.iter().map(|c| *c as f32).collect();
    floats.w = w.iter().map(|c| *c as f32).collect();
}

#[test]
fn floats_are_rounded_once_in_a_call() {
    let driver = driver();
    let mut expected = floats();
    let given = floats();
    let case = Case {
        count: COUNT,
        ..PLAIN
    };
    let bodies = OnDevice::new(&driver, &case);
    let e = bodies.ensemble;
    let q = driver.array(&given.q);
    let w = driver.array(&given.w);
    let torque = driver.array(&given.torque);
    let world = QI_CUDA_FRAME_WORLD;
    // SAFETY: the arrays are there
    unsafe {
        let kind = QI_CUDA_OMEGA_WORLD;
        ok(qi_cuda_bind_orientations_f32(
            e,
            q.at,
            4,
            1,
            QI_CUDA_SCALAR_FIRST,
        ));
        ok(qi_cuda_bind_angular_velocities_f32(e, w.at, 3, 1, kind));
        ok(qi_cuda_set_principal_inertias(
            e,
            [1.0, 1.5, 2.0].as_ptr(),
            0,
            1,
        ));
        let (v, f) = ([0.1, 0.0, 1.0], [0.5, -1.0, 0.0]);
        ok(qi_cuda_set_uniform_field_torque(
            e,
            v.as_ptr(),
            0,
            f.as_ptr(),
        ));
        ok(qi_cuda_advance(e, 0.01, 5));
        on_cpu(&mut expected, |e, _| e.advance(0.01, 5).expect("finite"));
        ok(qi_cuda_kick_drift_f32(
            e, 0.01, 0.02, torque.at, 3, 1, world,
        ));
        on_cpu(&mut expected, |e, torque| {
            let torque = View::rows(torque).expect("rows");
            e.kick_drift(0.01, 0.02, Some(torque), Frame::World)
                .expect("finite");
        });
        ok(qi_cuda_check(e));
    }
    assert_eq!(q.read(), expected.q);
    assert_eq!(w.read(), expected.w);
}

#[test]
fn stages_are_shown_and_torques_taken_as_floats() {
    let driver = driver();
    let mut expected = floats();
    let given = floats();
    let case = Case {
        count: COUNT,
        ..PLAIN
    };
    let bodies = OnDevice::new(&driver, &case);
    let e = bodies.ensemble;
    let q = driver.array(&doubles(&given.q));
    let w = driver.array(&doubles(&given.w));
    let torque = driver.array(&given.torque);
    let shown = driver.array(&[0.0_f32; 4 * COUNT]);
    let spins = driver.array(&[0.0_f32; 3 * COUNT]);
    let mut time = 0.0;
    // SAFETY: the arrays are there
    unsafe {
        let kind = QI_CUDA_OMEGA_WORLD;
        ok(qi_cuda_bind_orientations(
            e,
            q.at,
            4,
            1,
            QI_CUDA_SCALAR_FIRST,
        ));
        ok(qi_cuda_bind_angular_velocities(e, w.at, 3, 1, kind));
        ok(qi_cuda_set_principal_inertias(
            e,
            [1.0, 1.5, 2.0].as_ptr(),
            0,
            1,
        ));
        ok(qi_cuda_begin_steps(e, 0.01, 1));
        while qi_cuda_next_stage_f32(e, shown.at, spins.at, &mut time) == QI_CUDA_NEED_TORQUE {
            if time == 0.0 {
                // the floats are those that were given, but for their length
                let nearest = shown.read().into_iter().zip(&given.q);
                assert!(nearest.clone().all(|(a, b)| (a - b).abs() < 1e-6));
                assert!(nearest.filter(|(a, b)| a == *b).count() > COUNT);
            }
            ok(qi_cuda_supply_torque_f32(e, torque.at));
        }
        ok(qi_cuda_check(e));
    }
    on_cpu(&mut expected, |e, torque| {
        e.begin_steps(0.01, 1).expect("no step has begun");
        let mut q = vec![0.0; 4 * COUNT];
        let mut w = vec![0.0; 3 * COUNT];
        while let quatint::Progress::NeedTorque(_) = e.next_stage(&mut q, &mut w).expect("a stage")
        {
            e.supply_torque(torque).expect("finite");
        }
    });
    let of_device: Vec<f32> = q.read().into_iter().map(|c| c as f32).collect();
    assert_eq!(of_device, expected.q);
}

/// Of every method, torque, inertia and quantity: a call with floats gives the floats next to what it
/// gives with doubles of the same values.
#[test]
fn a_call_with_floats_gives_the_floats_next_to_what_it_gives_with_doubles() {
    let driver = driver();
    let random = &mut Random::of(43);
    let mut cases = 0;
    for &method in Method::ALL.iter() {
        for torque in TORQUES {
            for _ in 0..3 {
                let is_random = method == Method::Brownian
                    || method == Method::Splitting && random.below(4) == 0;
                let case = Case {
                    method,
                    torque,
                    is_random,
                    has_drag: !is_random && random.below(4) == 0,
                    ..PLAIN
                };
                let mut case = with_anything(case, random);
                case.in_columns = true;
                case.fastest = case.fastest.min(40.0);
                if method == Method::Brownian {
                    case.bodies = Bodies::Turned;
                }
                if !case.is_allowed() || is_random && torque.resists() {
                    continue;
                }
                let [double, single] = [(); 2].map(|()| OnDevice::new(&driver, &case));
                let array = double.velocity.as_ref().expect("columns");
                let q: Vec<_> = double.q.read().iter().map(|c| *c as f32).collect();
                let w: Vec<_> = array.read().iter().map(|c| *c as f32).collect();
                double.q.write(&doubles(&q));
                array.write(&doubles(&w));
                let (q, w) = (driver.array(&q), driver.array(&w));
                let order = i32::from(case.is_scalar_last);
                let kind = case.velocity as i32;
                let count = case.count as isize;
                let h = 0.01;
                // SAFETY: the arrays are there
                unsafe {
                    let e = single.ensemble;
                    ok(qi_cuda_bind_orientations_f32(e, q.at, 1, count, order));
                    ok(qi_cuda_bind_angular_velocities_f32(e, w.at, 1, count, kind));
                    let steps = if random.coin() { 1 } else { 3 };
                    for e in [double.ensemble, single.ensemble] {
                        ok(qi_cuda_forget_torques(e));
                        ok(qi_cuda_advance(e, h, steps));
                        ok(qi_cuda_check(e));
                    }
                }
                let nearest = |all: Vec<f64>| all.iter().map(|c| (*c as f32).to_bits()).collect();
                let bits = |all: Vec<f32>| all.iter().map(|c| c.to_bits()).collect();
                let right: [Vec<u32>; 2] = [nearest(double.q.read()), nearest(array.read())];
                let got: [Vec<u32>; 2] = [bits(q.read()), bits(w.read())];
                assert!(got == right, "{case:?}");
                cases += 1;
            }
        }
    }
    assert!(cases > 80, "{cases}");
}
