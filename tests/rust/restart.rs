//! Runs that go on from rows, however velocities are bound, whatever acts, by every method: drawn at
//! random. The reference is the run that was not interrupted.

use crate::common::METHODS;
use crate::common::generic::{Random, Shape, tensor};
use crate::common::if_shown;
use nalgebra::{UnitQuaternion, Vector3};
use quatint::kernel::Quat;
use quatint::rotation::components;
use quatint::{
    Ensemble, Failure, Frame, Layout, Method, Parts, Progress, VelocityKind, View, ViewMut,
};

const ALL: Parts = Parts {
    state: true,
    inertia: true,
    torque: true,
    memory: true,
    id: true,
    bound: true,
};
const H: f64 = 0.011;

/// How an array lies in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    Own,
    Rows,
    Columns,
    /// In records of 9 numbers, backwards.
    Records,
    /// The bodies in reverse order.
    Reversed,
}
const LIES: [Lie; 5] = [
    Lie::Own,
    Lie::Rows,
    Lie::Columns,
    Lie::Records,
    Lie::Reversed,
];
const KINDS: [VelocityKind; 4] = [
    VelocityKind::OmegaWorld,
    VelocityKind::OmegaBody,
    VelocityKind::AngularMomentumWorld,
    VelocityKind::AngularMomentumBody,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Torque {
    Free,
    Constant(Frame),
    Field,
    Gravity,
    Drag,
    Shear,
    Callback,
}
const TORQUES: [Torque; 8] = [
    Torque::Free,
    Torque::Constant(Frame::World),
    Torque::Constant(Frame::Body),
    Torque::Field,
    Torque::Gravity,
    Torque::Drag,
    Torque::Shear,
    Torque::Callback,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mover {
    Steps,
    Stages,
    KickDrift,
}

/// What a run is, all of it drawn.
#[derive(Clone, Debug)]
struct Run {
    count: usize,
    method: Method,
    torque: Torque,
    has_drag: bool,
    has_rotors: bool,
    is_random: bool,
    has_locks: bool,
    active: Option<Vec<usize>>,
    mover: Mover,
    threads: usize,
    seed: u64,
}

/// Memory that ensembles may borrow until the end of the program.
fn leaked(count: usize) -> &'static mut [f64] {
    Box::leak(vec![0.25; count].into_boxed_slice())
}

/// An array of `K` numbers a body, which lies in this way and holds these numbers.
fn array<const K: usize>(lie: Lie, numbers: &[[f64; K]]) -> ViewMut<'static, K> {
    let count = numbers.len();
    let mut view = match lie {
        Lie::Own | Lie::Rows => ViewMut::rows(leaked(K * count)),
        Lie::Columns => ViewMut::columns(leaked(K * count)),
        Lie::Records => ViewMut::strided(leaked(9 * count), 9 * count - 7, count, -9, 1),
        Lie::Reversed => {
            let rows: Vec<i32> = (0..count as i32).rev().collect();
            let whole = ViewMut::rows(leaked(K * count)).unwrap();
            Ok(whole.in_rows(&rows).unwrap())
        }
    }
    .unwrap();
    for (body, numbers) in numbers.iter().enumerate() {
        view.put(body, *numbers);
    }
    view
}

impl Run {
    fn drawn(case: u64) -> Self {
        let random = &mut Random(case);
        let mut whether = |part: f64| random.between(0.0, 1.0) < part;
        let [has_drag, has_rotors, is_random, has_locks] = [0.3, 0.2, 0.2, 0.3].map(&mut whether);
        let is_listed = whether(0.25);
        let random = &mut Random(case + 1_000_000);
        let count = random.one_of(&[1, 2, 5, 17, 70, 150]);
        let active = is_listed.then(|| (0..count).filter(|i| i % 3 != 1).collect());
        Run {
            count,
            // the others do not take random torques
            method: if is_random {
                Method::Splitting
            } else {
                random.one_of(&METHODS)
            },
            torque: match random.one_of(&TORQUES) {
                Torque::Drag if is_random => Torque::Free, // which brings its own
                torque => torque,
            },
            has_drag,
            has_rotors: has_rotors && !is_random,
            is_random,
            has_locks,
            active,
            mover: random.one_of(&[
                Mover::Steps,
                Mover::Steps,
                Mover::Steps,
                Mover::Stages,
                Mover::KickDrift,
            ]),
            threads: random.one_of(&[1, 1, 3]),
            seed: case,
        }
    }

    /// An ensemble with all that rows do not hold: kinds of what acts, and method. What the library
    /// refuses beside the rest is left out.
    fn empty(
        &self,
        velocities: (Lie, VelocityKind),
        orientations: Lie,
    ) -> Ensemble<'static, 'static> {
        let n = self.count;
        let random = &mut Random(self.seed + 7);
        let mut e = Ensemble::new(n).unwrap();
        let _ = e.set_method(self.method);
        let vectors: Vec<f64> = (0..3 * n).map(|_| random.between(0.1, 0.9)).collect();
        let each = View::<3>::rows(&vectors).unwrap();
        let _: Result<(), Failure> = match self.torque {
            Torque::Free => e.set_free(),
            Torque::Constant(frame) => e.set_constant_torque(each, frame),
            Torque::Field => e.set_uniform_field(each, [0.3, -0.4, 0.5]),
            Torque::Gravity => {
                e.set_gravity_gradient([0.1, 0.6, -0.8], View::rows(&vectors[..n]).unwrap())
            }
            Torque::Drag => e.set_linear_drag(each),
            Torque::Shear => {
                let gradient = [0.1, 1.0, -0.2, 0.0, 0.3, 0.5, 0.2, 0.0, -0.4];
                e.set_shear_flow(each, 0.01, gradient)
            }
            Torque::Callback => e.set_torque(
                Box::new(|_, _, count, q, omega, torque| {
                    torque_of(count, q, omega, torque);
                    Ok(())
                }),
                Layout::Aos,
                Frame::World,
            ),
        };
        if self.has_drag {
            let _ = e.set_drag(each, Some(View::shared(&[0.1, -0.2, 0.3], n)));
        }
        if self.has_rotors {
            let _ = e.set_rotor_momentum(Some(each));
        }
        if self.is_random {
            let _ = e.set_langevin(each, None, 0.3, 5);
        }
        e.set_threads(self.threads).unwrap();
        let q = vec![[1.0, 0.0, 0.0, 0.0]; n];
        if orientations != Lie::Own {
            let view = array(orientations, &q);
            let view = if self.seed.is_multiple_of(2) {
                view
            } else {
                view.scalar_last()
            };
            e.bind_orientations(view).unwrap();
        }
        if velocities.0 != Lie::Own {
            let _ =
                e.bind_angular_velocities(array(velocities.0, &vec![[0.0; 3]; n]), velocities.1);
        }
        if let Some(active) = &self.active {
            e.set_active(Some(active)).unwrap();
        }
        e
    }

    /// States and inertias, some of which have locked axes or zero moments.
    fn fill(&self, e: &mut Ensemble) {
        let random = &mut Random(self.seed + 13);
        let mut tensors = Vec::new();
        for i in 0..self.count {
            let shape = random.one_of(&[Shape::Compact, Shape::Disc, Shape::Rod(0.1)]);
            let turn = if i % 2 == 0 || self.has_locks {
                UnitQuaternion::identity()
            } else {
                random.rotation()
            };
            let mut moments = random.moments(shape);
            if i % 7 == 3 {
                moments = Vector3::new(0.0, 1.5, 1.5);
            }
            tensors.extend_from_slice(tensor(moments, &turn).as_slice());
        }
        e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
        if self.has_locks {
            let axes: Vec<i32> = (0..self.count).map(|i| [0, 3, 5, 6, 7][i % 5]).collect();
            e.lock_axes(&axes, false).unwrap();
        }
        for body in 0..self.count {
            e.set_orientation(body, random.rotation()).unwrap();
            e.set_angular_velocity(body, random.vector() * 3.0).unwrap();
        }
    }

    fn go(&self, e: &mut Ensemble, steps: u64) {
        match self.mover {
            Mover::Steps => e.advance(H, steps).unwrap(),
            Mover::KickDrift => {
                let torque = [0.3, 0.1, -0.2];
                for _ in 0..steps {
                    let torque = View::shared(&torque, self.count);
                    e.kick_drift(H, H, Some(torque), Frame::World).unwrap();
                }
            }
            Mover::Stages => {
                let n = e.active_count();
                let [mut q, mut omega, mut torque] =
                    [4 * n, 3 * n, 3 * n].map(|len| vec![0.0; len]);
                e.begin_steps(H, steps).unwrap();
                while let Progress::NeedTorque(_) = e.next_stage(&mut q, &mut omega).unwrap() {
                    torque_of(n, &q, &omega, &mut torque);
                    e.supply_torque(&torque).unwrap();
                }
            }
        }
    }
}

/// A torque of orientation and, where it is shown, angular velocity.
fn torque_of(count: usize, q: &[f64], omega: &[f64], torque: &mut [f64]) {
    for i in 0..count {
        torque[3 * i] = q[4 * i] * q[4 * i + 2] - 0.1 * if_shown(omega[3 * i]);
        torque[3 * i + 1] = q[4 * i + 1] - 0.3 * q[4 * i + 3];
        torque[3 * i + 2] = 0.2 * if_shown(omega[3 * i + 1]);
    }
}

fn rows_of(e: &Ensemble) -> Vec<f64> {
    let mut rows = vec![0.0; e.row_size(ALL) * e.count()];
    e.rows(ALL, None, &mut rows).unwrap();
    rows
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// An ensemble that goes on from what another has left.
fn restarted(
    run: &Run,
    from: &Ensemble,
    velocities: (Lie, VelocityKind),
    orientations: Lie,
) -> Ensemble<'static, 'static> {
    let mut again = run.empty(velocities, orientations);
    again.set_clock(from.clock()).unwrap();
    again.set_noise(from.noise()).unwrap();
    again.set_rows(ALL, None, &rows_of(from)).unwrap();
    again
}

#[test]
fn a_run_goes_on_from_rows_with_the_same_bits_however_its_arrays_are_bound() {
    let mut converted = 0;
    for case in 0..600 {
        let run = Run::drawn(case);
        let random = &mut Random(case + 99);
        let kind = random.one_of(&KINDS);
        let [velocities, orientations, others] = [0; 3].map(|_| random.one_of(&LIES));
        let mut e = run.empty((velocities, kind), orientations);
        run.fill(&mut e);
        run.go(&mut e, 7);
        // in own memory the arithmetic is another one
        let is_same = (others == Lie::Own) == (velocities == Lie::Own)
            || kind == VelocityKind::OmegaBody && !run.has_locks;
        if !is_same {
            continue;
        }
        let again = &mut restarted(&run, &e, (others, kind), random.one_of(&LIES));
        converted += u32::from(velocities != Lie::Own && kind != VelocityKind::OmegaBody);
        assert_eq!(
            bits(&rows_of(again)),
            bits(&rows_of(&e)),
            "{run:?} {kind:?}, at once"
        );
        run.go(&mut e, 9);
        run.go(again, 9);
        assert_eq!(
            bits(&rows_of(again)),
            bits(&rows_of(&e)),
            "{run:?} {kind:?}"
        );
    }
    assert!(converted > 150, "{converted}");
}

#[test]
fn rows_bring_the_state_to_rounding_where_velocities_are_bound_as_another_kind() {
    for case in 0..300 {
        // beside such locks no momenta can be bound
        let run = Run {
            has_locks: false,
            ..Run::drawn(case)
        };
        let random = &mut Random(case + 199);
        let [kind, other] = [0; 2].map(|_| random.one_of(&KINDS));
        let e = &mut run.empty((random.one_of(&LIES), kind), Lie::Rows);
        run.fill(e);
        run.go(e, 5);
        let again = &restarted(&run, e, (random.one_of(&LIES), other), random.one_of(&LIES));
        for body in 0..run.count {
            let [here, there] = [&*e, again].map(|e| e.angular_velocity(body));
            let off = (here - there).norm();
            assert!(
                off <= 1e-13 * (1.0 + here.norm()),
                "{run:?} {kind:?} {other:?}: {off}"
            );
            let [here, there] = [&*e, again].map(|e| Quat(components(e.orientation(body))));
            assert_eq!(bits(&here.0), bits(&there.0), "{run:?}");
        }
    }
}

/// As that of a body: the torque of the old time must not begin the step at the new one.
#[test]
fn a_clock_that_is_set_makes_an_ensemble_ask_for_the_torque_anew() {
    for method in METHODS {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let mut e = Ensemble::new(3).unwrap();
        e.set_method(method).unwrap();
        let push = |_: f64, _: usize, _: usize, _: &[f64], _: &[f64], torque: &mut [f64]| {
            asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            torque.fill(0.1);
            Ok(())
        };
        e.set_torque(Box::new(push), Layout::Aos, Frame::World)
            .unwrap();
        let calls = |e: &mut Ensemble| {
            let before = asked.load(std::sync::atomic::Ordering::Relaxed);
            e.step(0.1).unwrap();
            asked.load(std::sync::atomic::Ordering::Relaxed) - before
        };
        let first = calls(&mut e);
        let later = calls(&mut e);
        assert_eq!(first - later, usize::from(method.keeps_torque()));
        e.set_time(7.0).unwrap();
        assert_eq!(calls(&mut e), first, "{method:?}");
        let clock = e.clock();
        e.set_clock(clock).unwrap();
        assert_eq!(calls(&mut e), first, "{method:?}");
    }
}

/// An infinity in what a method keeps says as little as NaN.
#[test]
fn infinities_in_the_memory_of_a_row_count_as_nan() {
    let memory = Parts {
        memory: true,
        ..Parts::default()
    };
    let made = |k: usize, number: f64| {
        let mut e = Ensemble::new(2).unwrap();
        e.set_method(Method::Splitting).unwrap();
        e.set_drag(View::shared(&[0.3, 0.2, 0.1], 2), None).unwrap();
        e.set_constant_torque(View::shared(&[0.1, 0.2, 0.3], 2), Frame::Body)
            .unwrap();
        e.advance(H, 3).unwrap();
        let mut rows = vec![0.0; 2 * e.row_size(memory)];
        e.rows(memory, None, &mut rows).unwrap();
        assert_eq!(rows.len(), 12);
        rows[k] = number;
        e.set_rows(memory, None, &rows).unwrap();
        e.advance(H, 3).unwrap();
        bits(&rows_of(&e))
    };
    for k in 0..12 {
        let of_nan = made(k, f64::NAN);
        for infinite in [f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(made(k, infinite), of_nan, "number {k}");
        }
    }
}
