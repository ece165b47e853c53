//! Drifts whose free rotations are in single precision.

use crate::bits::{Kicks, PLAIN, Steps, with_anything};
use crate::bodies::{Bodies, Case, INERTIAS, OnDevice, Run, VELOCITIES, on_cpu, same_bits};
use crate::bodies::{message, ok};
use crate::in_single::rotation_in_single;
use crate::random::Random;
use crate::stand_in::driver;
use quatint::kernel::{PrincipalInertia, Quat, State, Vec3, free_rotation};
use quatint::{Ensemble, Frame, Method, VelocityKind};
use quatint_cuda::ffi::*;

/// A run of a device in this precision.
struct In<'r>(i32, &'r dyn Run);

impl Run for In<'_> {
    fn on_cpu(&self, bodies: &mut Ensemble) {
        self.1.on_cpu(bodies);
    }

    fn on_device(&self, bodies: &OnDevice) {
        // SAFETY: the ensemble is there
        ok(unsafe { qi_cuda_set_drift_precision(bodies.ensemble, self.0) });
        self.1.on_device(bodies);
    }
}

/// The numbers of a case after a run on the device.
fn on_device(case: &Case, run: &dyn Run) -> Vec<f64> {
    let driver = driver();
    let device = OnDevice::new(&driver, case);
    run.on_device(&device);
    // SAFETY: the ensemble is there
    ok(unsafe { qi_cuda_check(device.ensemble) });
    device.all().into_iter().map(f64::from_bits).collect()
}

fn state_of(case: &Case, numbers: &[f64], body: usize) -> ([f64; 4], [f64; 3]) {
    let velocities = if case.in_columns { 4 * case.count } else { 0 };
    let q = std::array::from_fn(|k| numbers[case.place(4, body, k)]);
    let v = std::array::from_fn(|k| numbers[velocities + case.place(3, body, k)]);
    (q, v)
}

fn apart<const K: usize>(a: [f64; K], b: [f64; K]) -> f64 {
    (0..K).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

fn free(bodies: Bodies) -> Case {
    Case {
        method: Method::Splitting,
        bodies,
        ..PLAIN
    }
}

#[test]
fn kicks_and_drifts_in_single_precision_are_those_of_the_library_to_a_millionth() {
    let random = &mut Random::of(21);
    let (mut others, mut compared) = (0, 0);
    for (bodies, velocity) in INERTIAS
        .into_iter()
        .flat_map(|b| VELOCITIES.map(|v| (b, v)))
    {
        let case = Case {
            has_drag: random.below(3) == 0,
            ..free(bodies)
        };
        let case = Case {
            bodies,
            velocity,
            fastest: if random.coin() { 30.0 } else { 900.0 },
            ..with_anything(case, random)
        };
        let torques = (0..3 * case.count).map(|_| random.signed()).collect();
        let frame = Frame::World;
        let run = In(QI_CUDA_SINGLE, &Kicks { frame, torques });
        let right: Vec<f64> = on_cpu(&case, &run)
            .into_iter()
            .map(f64::from_bits)
            .collect();
        let single = on_device(&case, &run);
        for body in 0..case.count {
            let [(q, v), (q_right, v_right)] =
                [&single, &right].map(|numbers| state_of(&case, numbers, body));
            let (turn, change) = (2.0 * apart(q, q_right), apart(v, v_right));
            assert!(turn < 3e-6, "{case:?}, body {body}: {turn:e} rad");
            let size = apart(v_right, [0.0; 3]);
            assert!(
                change <= 1e-5 * size,
                "{case:?}, body {body}: {change:e} of {size}"
            );
            others += usize::from(turn > 1e-12);
            compared += 1;
        }
    }
    assert!(others > compared / 2, "{others} of {compared}");
}

/// Two bodies of each kind tumble through 10000 rad.
#[test]
fn drifts_in_single_precision_keep_energy_and_momentum_to_a_ten_thousandth() {
    let driver = driver();
    for moments in [
        [1.0, 2.0, 3.0],
        [0.336, 0.046, 0.291],
        [1.0, 1.0, 1e-6],
        [2.0, 1.2, 1.21],
    ] {
        let inertia = PrincipalInertia::new(Vec3(moments), None);
        let omega = [0.6, 0.7, 0.4, 0.1, -0.9, 0.4];
        let q = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, -0.5, 0.5];
        let (orientations, velocities) = (driver.array(&q), driver.array(&omega));
        let mut status = 1;
        // SAFETY: the arrays live as long as the ensemble
        unsafe {
            let device = qi_cuda_open_device(0, &mut status);
            let e = qi_cuda_create_ensemble(device, 2, &mut status);
            ok(status);
            ok(qi_cuda_bind_orientations(
                e,
                orientations.at,
                4,
                1,
                QI_CUDA_SCALAR_FIRST,
            ));
            ok(qi_cuda_bind_angular_velocities(
                e,
                velocities.at,
                3,
                1,
                QI_CUDA_OMEGA_BODY,
            ));
            ok(qi_cuda_set_principal_inertias(e, moments.as_ptr(), 0, 1));
            ok(qi_cuda_set_method(e, QI_CUDA_METHOD_SPLITTING));
            ok(qi_cuda_set_drift_precision(e, QI_CUDA_SINGLE));
            ok(qi_cuda_advance(e, 0.1, 100_000));
            ok(qi_cuda_check(e));
            qi_cuda_close_device(device);
            qi_cuda_destroy_ensemble(e);
        }
        let (q_end, omega_end) = (orientations.read(), velocities.read());
        for body in 0..2 {
            let [first, last] = [(&q[..], &omega[..]), (&q_end, &omega_end)].map(|(q, omega)| {
                let omega = Vec3([0, 1, 2].map(|k| omega[3 * body + k]));
                let q = Quat([0, 1, 2, 3].map(|k| q[4 * body + k]));
                let momentum = inertia.angular_momentum(omega);
                (q.to_world(momentum).0, momentum.dot(omega))
            });
            let lost = apart(first.0, last.0) / apart(first.0, [0.0; 3]);
            let gained = last.1 / first.1 - 1.0;
            println!("{moments:?}: {lost:.1e} of the momentum, {gained:.1e} of the energy");
            assert!(lost < 1e-4 && gained.abs() < 1e-4, "{moments:?}");
        }
    }
}

/// A body that spins about an axis of hardly any moment turns all the same.
#[test]
fn what_floats_cannot_hold_turns_in_doubles() {
    for moment in [1e-10, 1e-15, 1e-20, 1e-200] {
        let inertia = PrincipalInertia::new(Vec3([1.0, 1.0, moment]), None);
        for turn in [1e-17, 1e-15, 1e-12, 1e-6, 1e-2] {
            let omega = Vec3([0.0, 0.0, turn * 1e80]);
            if let Some(free) = rotation_in_single(&inertia, omega, 1e-80) {
                let [w, _, _, z] = free.rotation.0;
                let angle = 2.0 * (z / w).atan();
                assert!(
                    (angle / turn - 1.0).abs() < 1e-6,
                    "{moment:e}, {turn}: {angle}"
                );
            }
        }
    }
    let inertia = PrincipalInertia::new(Vec3([1.0, 1.0, 2.0]), None);
    for turn in [0.0, 1e-15, 0.1] {
        assert!(rotation_in_single(&inertia, Vec3([turn, 0.2 * turn, 0.0]), 1.0).is_some());
    }
}

/// The floats of any device: those of the processor here.
#[test]
fn drifts_in_single_precision_have_the_bits_of_the_processor() {
    for bodies in [Bodies::AlikeAligned, Bodies::Aligned] {
        let case = Case {
            velocity: VelocityKind::OmegaBody,
            fastest: 900.0,
            ..free(bodies)
        };
        let (dt, steps) = (0.01, 4);
        let numbers = case.numbers();
        let given: Vec<f64> = numbers.q.iter().chain(&numbers.velocity).copied().collect();
        let [single, by_one] = [&[4][..], &[1; 4]]
            .map(|calls| on_device(&case, &In(QI_CUDA_SINGLE, &Steps { dt, calls })));
        assert_eq!(
            single, by_one,
            "in four calls, by the kernel of the common form"
        );
        for body in 0..case.count {
            let place = if bodies == Bodies::Aligned { body } else { 0 };
            let inertia = PrincipalInertia::new(Vec3(numbers.moments[place]), None);
            let (q, omega) = state_of(&case, &given, body);
            let mut state = State {
                q: Quat(q),
                omega_body: Vec3(omega),
            };
            for _ in 0..steps {
                let omega = state.omega_body;
                let free = rotation_in_single(&inertia, omega, dt)
                    .unwrap_or_else(|| free_rotation(&inertia, omega, dt));
                state.omega_body = state.omega_body + free.gained;
                state.q = state.q.turned_freely(free.rotation, free.motion);
            }
            let (q, omega) = state_of(&case, &single, body);
            assert_eq!(
                (q, omega),
                (state.q.0, state.omega_body.0),
                "{bodies:?} {body}"
            );
        }
    }
}

#[test]
fn drifts_in_doubles_again_have_the_bits_of_the_library() {
    let driver = driver();
    let run = Steps {
        dt: 0.01,
        calls: &[3],
    };
    let doubles = In(QI_CUDA_DOUBLE, &run);
    same_bits(&driver, &free(Bodies::AlikeAligned), &doubles);
    let device = OnDevice::new(&driver, &free(Bodies::Aligned));
    // SAFETY: the ensemble is there
    unsafe {
        assert_eq!(
            qi_cuda_set_drift_precision(device.ensemble, 2),
            QI_CUDA_ERR_INVALID
        );
        assert!(message().contains("`precision` must be"), "{}", message());
        ok(qi_cuda_begin_steps(device.ensemble, 0.01, 1));
        let status = qi_cuda_set_drift_precision(device.ensemble, QI_CUDA_SINGLE);
        assert_eq!(status, QI_CUDA_ERR_ORDER);
    }
}
