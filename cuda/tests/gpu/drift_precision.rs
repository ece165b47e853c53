//! Drifts whose free rotations are in single precision.

use crate::bits::{Kicks, PLAIN, with_anything};
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

/// Free steps of a splitting method, which are drifts.
struct Drifts {
    dt: f64,
    steps: u64,
}

impl Run for Drifts {
    fn on_cpu(&self, bodies: &mut Ensemble) {
        bodies.advance(self.dt, self.steps).expect("finite");
    }

    fn on_device(&self, bodies: &OnDevice) {
        // SAFETY: the ensemble is there
        ok(unsafe { qi_cuda_advance(bodies.ensemble, self.dt, self.steps) });
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
            fastest: 30.0,
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

#[test]
fn drifts_in_single_precision_keep_energy_and_momentum_to_a_hundred_thousandth() {
    let case = Case {
        fastest: 30.0,
        ..free(Bodies::AlikeAligned)
    };
    let inertia = PrincipalInertia::new(Vec3(case.numbers().moments[0]), None);
    let run = In(
        QI_CUDA_SINGLE,
        &Drifts {
            dt: 0.02,
            steps: 5000,
        },
    );
    let numbers = case.numbers();
    let before: Vec<f64> = numbers.q.iter().chain(&numbers.velocity).copied().collect();
    let after = on_device(&case, &run);
    for body in 0..case.count {
        let [first, last] = [&before, &after].map(|numbers| {
            let ([w, x, y, z], omega) = state_of(&case, numbers, body);
            let momentum = inertia.angular_momentum(Vec3(omega));
            let q = Quat([w, x, y, z]);
            (q.to_world(momentum).0, momentum.dot(Vec3(omega)))
        });
        let lost = apart(first.0, last.0) / apart(first.0, [0.0; 3]).max(1e-300);
        assert!(lost < 1e-5, "body {body}: {lost:e} of the momentum");
        assert!(
            (last.1 - first.1).abs() <= 1e-5 * first.1,
            "body {body}: {first:?} {last:?}"
        );
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
        let single = on_device(&case, &In(QI_CUDA_SINGLE, &Drifts { dt, steps }));
        for body in 0..case.count {
            let place = if bodies == Bodies::Aligned { body } else { 0 };
            let inertia = PrincipalInertia::new(Vec3(numbers.moments[place]), None);
            let (q, omega) = state_of(&case, &given, body);
            let mut state = State {
                q: Quat(q),
                omega_body: Vec3(omega),
            };
            let rotations = |state: State<f64>| rotation_in_single(&inertia, state.omega_body, dt);
            let is_short = rotations(state).is_some(); // with one long drift all are in doubles
            for _ in 0..steps {
                let free = match rotations(state).filter(|_| is_short) {
                    Some(free) => free,
                    None => free_rotation(&inertia, state.omega_body, dt),
                };
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
    let run = Drifts { dt: 0.01, steps: 3 };
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
