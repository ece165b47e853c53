//! Bodies that do not turn about some of their axes, and bodies that get another inertia.

use crate::common::METHODS;
use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::{LOCKS, Random, tensor};
use crate::common::levels::tests_at;
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use quatint::simd::Level;
use quatint::torque::{FluidDrag, Free, GravityGradient, Langevin, LinearDrag, UniformField};
use quatint::{
    Body, Ensemble, Error, Frame, Inertia, Keep, Method, Parts, SolveMethod, VelocityKind, View,
    ViewMut,
};

/// The motion with locks, of which the tensor has zeros beside the locked axes: `I_ff ω_f' = τ_f`
/// about the free axes, by the method of Runge and Kutta in the body frame. Nothing here is from the
/// library.
fn reference(
    tensor: &Matrix3<f64>,
    is_locked: [bool; 3],
    (q, omega): (UnitQuaternion<f64>, Vector3<f64>),
    time: f64,
    steps: u32,
    torque_body: impl Fn(f64, &UnitQuaternion<f64>, &Vector3<f64>) -> Vector3<f64>,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let mut block = *tensor;
    for axis in (0..3).filter(|&axis| is_locked[axis]) {
        block.row_mut(axis).fill(0.0);
        block.column_mut(axis).fill(0.0);
        block[(axis, axis)] = 1.0;
    }
    let mut inverse = block.try_inverse().unwrap();
    for axis in (0..3).filter(|&axis| is_locked[axis]) {
        inverse[(axis, axis)] = 0.0;
    }
    let rate = |t: f64, q: Quaternion<f64>, omega: Vector3<f64>| {
        let torque = torque_body(t, &UnitQuaternion::new_normalize(q), &omega);
        let free = block * omega;
        let gyroscopic = -omega.cross(&free);
        (
            q * Quaternion::from_imag(omega) * 0.5,
            inverse * (torque + gyroscopic),
        )
    };
    let h = time / f64::from(steps);
    let mut q = *q.quaternion();
    let mut omega = omega;
    for n in 0..steps {
        let t = h * f64::from(n);
        let (q1, w1) = rate(t, q, omega);
        let (q2, w2) = rate(t + 0.5 * h, q + q1 * (0.5 * h), omega + w1 * (0.5 * h));
        let (q3, w3) = rate(t + 0.5 * h, q + q2 * (0.5 * h), omega + w2 * (0.5 * h));
        let (q4, w4) = rate(t + h, q + q3 * h, omega + w3 * h);
        q += (q1 + (q2 + q3) * 2.0 + q4) * (h / 6.0);
        q /= q.norm();
        omega += (w1 + (w2 + w3) * 2.0 + w4) * (h / 6.0);
    }
    (UnitQuaternion::new_normalize(q), omega)
}

/// A body with these locks, in any state. Beside a single lock the other moments are equal, about
/// turned axes.
struct Problem {
    tensor: Matrix3<f64>,
    is_locked: [bool; 3],
    q: UnitQuaternion<f64>,
    omega: Vector3<f64>,
    field: UniformField<f64>,
}

impl Problem {
    fn new(random: &mut Random, is_locked: [bool; 3]) -> Self {
        let mut moments = Vector3::from_fn(|_, _| random.between(0.5, 3.0));
        let mut axes = UnitQuaternion::identity();
        if is_locked.iter().filter(|&&locked| locked).count() == 1 {
            let axis = (0..3).find(|&axis| is_locked[axis]).unwrap();
            moments[(axis + 1) % 3] = moments[(axis + 2) % 3];
            let unit = nalgebra::Unit::new_unchecked(Vector3::ith(axis, 1.0));
            axes = UnitQuaternion::from_axis_angle(&unit, random.between(0.1, 0.7));
        }
        let mut tensor = tensor(moments, &axes);
        for axis in (0..3).filter(|&axis| is_locked[axis]) {
            for other in (0..3).filter(|&other| other != axis) {
                tensor[(axis, other)] = 0.0;
                tensor[(other, axis)] = 0.0;
            }
        }
        let mut omega = random.vector();
        for axis in (0..3).filter(|&axis| is_locked[axis]) {
            omega[axis] = 0.0;
        }
        Problem {
            tensor,
            is_locked,
            q: random.rotation(),
            omega,
            field: UniformField {
                vector_body: quatint::kernel::Vec3(random.vector().into()),
                field_world: quatint::kernel::Vec3((random.vector() * 3.0).into()),
            },
        }
    }

    fn inertia(&self) -> Inertia {
        let free = Inertia::new(&self.tensor).unwrap();
        free.with_locked_axes(self.is_locked).unwrap()
    }

    fn body(&self, method: Method) -> Body {
        let omega_world = self.q * self.omega;
        let mut body = Body::new(self.inertia(), self.q, omega_world).unwrap();
        body.set_method(method);
        body
    }

    fn torque_body(&self, q: &UnitQuaternion<f64>) -> Vector3<f64> {
        let vector = Vector3::from(self.field.vector_body.0);
        let field = Vector3::from(self.field.field_world.0);
        vector.cross(&q.inverse_transform_vector(&field))
    }

    fn reference(&self, time: f64) -> (UnitQuaternion<f64>, Vector3<f64>) {
        let start = (self.q, self.omega);
        reference(
            &self.tensor,
            self.is_locked,
            start,
            time,
            4000,
            |_, q, _| self.torque_body(q),
        )
    }
}

fn distance(body: &Body, (q, omega): &(UnitQuaternion<f64>, Vector3<f64>)) -> f64 {
    body.orientation().angle_to(q) + (body.angular_velocity_body() - omega).norm()
}

fn order_of(method: Method) -> i32 {
    match method {
        Method::Pcdm | Method::Splitting => 2,
        Method::Splitting6 => 6,
        _ => 4,
    }
}

#[test]
fn every_method_keeps_its_order_with_any_locks() {
    let random = &mut Random(11);
    for is_locked in LOCKS {
        let problem = Problem::new(random, is_locked);
        let exact = problem.reference(2.0);
        for method in METHODS {
            let errors = [20, 40].map(|steps: u32| {
                let mut body = problem.body(method);
                let dt = 2.0 / f64::from(steps);
                body.advance(dt, steps.into(), &mut problem.field.clone())
                    .unwrap();
                distance(&body, &exact)
            });
            let order = order_of(method);
            let factor = 2.0_f64.powi(order);
            assert!(
                errors[1] < 1e-9 || errors[0] / errors[1] > 0.8 * factor,
                "{method:?} {is_locked:?}: {errors:?}"
            );
            assert!(errors[1] < 2e-2, "{method:?} {is_locked:?}: {errors:?}");
        }
    }
}

#[test]
fn solutions_follow_locks_to_the_tolerance() {
    let random = &mut Random(12);
    for is_locked in LOCKS {
        let problem = Problem::new(random, is_locked);
        let exact = problem.reference(2.0);
        for method in [SolveMethod::Nonstiff, SolveMethod::Stiff] {
            let mut body = problem.body(Method::Pcdm);
            body.set_solve_method(method);
            body.solve(2.0, 1e-9, &mut problem.field.clone()).unwrap();
            let error = distance(&body, &exact);
            assert!(error < 1e-7, "{method:?} {is_locked:?}: {error:e}");
        }
        let mut body = problem.body(Method::Pcdm);
        body.solve(5.0, 1e-9, &mut Free).unwrap();
        let turn = UnitQuaternion::from_scaled_axis(problem.omega * 5.0);
        assert!(body.orientation().angle_to(&(problem.q * turn)) < 1e-13);
    }
}

#[test]
fn free_motion_is_a_rotation_about_an_axis_of_the_body_over_any_time() {
    let random = &mut Random(13);
    for is_locked in LOCKS {
        let problem = Problem::new(random, is_locked);
        for time in [1e-3, 1.0, 300.0, -40.0] {
            let mut body = problem.body(Method::Splitting);
            let energy = body.kinetic_energy();
            let omega = body.angular_velocity_body();
            body.drift(time).unwrap();
            let turn = UnitQuaternion::from_scaled_axis(problem.omega * time);
            let angle = body.orientation().angle_to(&(problem.q * turn));
            let rounding = 1e-15 * (10.0 + time.abs());
            assert!(angle < rounding, "{is_locked:?} {angle:e}");
            let change = (body.angular_velocity_body() - omega).norm();
            assert!(change < rounding, "{is_locked:?} {time} {change:e}");
            assert!((body.kinetic_energy() - energy).abs() <= rounding);
        }
    }
}

/// Free motion under every method, also in a heat bath without drag and noise.
#[test]
fn no_method_turns_a_body_about_a_locked_axis() {
    let random = &mut Random(14);
    for is_locked in LOCKS {
        let problem = Problem::new(random, is_locked);
        for method in METHODS {
            let mut body = problem.body(method);
            body.advance(0.05, 200, &mut problem.field.clone()).unwrap();
            for axis in (0..3).filter(|&axis| is_locked[axis]) {
                let omega = body.angular_velocity_body()[axis];
                assert!(omega.abs() < 1e-14, "{method:?} {is_locked:?} {omega:e}");
            }
        }
        let mut body = problem.body(Method::Splitting);
        body.set_langevin(Some(Langevin::new([0.0; 3], [0.0; 3], 0.0, 1, 2).unwrap()))
            .unwrap();
        body.advance(0.05, 100, &mut Free).unwrap();
        let turn = UnitQuaternion::from_scaled_axis(problem.omega * 5.0);
        assert!(body.orientation().angle_to(&(problem.q * turn)) < 1e-11);
    }
}

/// A torque that grows with the angular velocity about a locked axis is a great number in the matrix
/// of a stiff step. The angular velocity about the axis is 0 all the same, to the last bit.
#[test]
fn no_solution_turns_a_body_about_a_locked_body_axis_by_a_bit() {
    let random = &mut Random(16);
    let methods = [
        SolveMethod::Nonstiff,
        SolveMethod::Stiff,
        SolveMethod::Splitting,
    ];
    for _ in 0..200 {
        let is_locked = random.one_of(&LOCKS);
        let alike = random.between(0.5, 3.0);
        let moments = Vector3::from_fn(|_, _| random.between(0.5, 3.0));
        let is_single = is_locked.iter().filter(|&&locked| locked).count() == 1;
        let moments = if is_single {
            Vector3::repeat(alike)
        } else {
            moments
        };
        let inertia =
            Inertia::from_moments(moments).and_then(|free| free.with_locked_axes(is_locked));
        let mut body = Body::new(inertia.unwrap(), random.rotation(), random.vector()).unwrap();
        let momentum = random.vector() * 300.0;
        body.set_rotor_momentum(Some(momentum)).unwrap();
        let drag = FluidDrag::new([1e3, 2e3, 5e2], [0.0; 3]).unwrap();
        body.set_drag(Some(drag)).unwrap();
        let mut field = UniformField::new([1.0, 2.0, 0.3], [0.3, 1.0, 0.2]).unwrap();
        for method in methods {
            let mut body = body.clone();
            body.set_solve_method(method);
            let end = if method == SolveMethod::Stiff {
                5.0
            } else {
                0.1
            };
            body.solve(end, 1e-6, &mut field).unwrap();
            let omega = body.angular_velocity_body();
            for axis in (0..3).filter(|&axis| is_locked[axis]) {
                assert_eq!(omega[axis], 0.0, "{method:?} {is_locked:?}");
            }
        }
    }
}

#[test]
fn drag_acts_about_the_axes_that_are_free() {
    let random = &mut Random(15);
    for is_locked in LOCKS {
        let problem = Problem::new(random, is_locked);
        let coefficients = Vector3::from_fn(|_, _| random.between(0.1, 2.0));
        let flow = random.vector();
        let drag = |q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
            coefficients.component_mul(&(q.inverse_transform_vector(&flow) - omega))
        };
        let start = (problem.q, problem.omega);
        let exact = reference(
            &problem.tensor,
            is_locked,
            start,
            2.0,
            4000,
            |_, q, omega| problem.torque_body(q) + drag(q, omega),
        );
        let of_body = FluidDrag::new(coefficients.into(), flow.into()).unwrap();
        for method in [Method::Pcdm, Method::Splitting] {
            let errors = [100, 200].map(|steps: u32| {
                let mut body = problem.body(method);
                body.set_drag(Some(of_body)).unwrap();
                let dt = 2.0 / f64::from(steps);
                body.advance(dt, steps.into(), &mut problem.field.clone())
                    .unwrap();
                distance(&body, &exact)
            });
            assert!(
                errors[1] < 1e-11 || errors[0] / errors[1] > 3.5,
                "{method:?} {is_locked:?}: {errors:?}"
            );
        }
        // Langevin without noise is the same motion
        let errors = [100, 200].map(|steps: u32| {
            let mut body = problem.body(Method::Splitting);
            let random = Langevin::new(coefficients.into(), flow.into(), 0.0, 1, 2).unwrap();
            body.set_langevin(Some(random)).unwrap();
            let dt = 2.0 / f64::from(steps);
            body.advance(dt, steps.into(), &mut problem.field.clone())
                .unwrap();
            distance(&body, &exact)
        });
        assert!(
            errors[1] < 1e-11 || errors[0] / errors[1] > 3.5,
            "Langevin {is_locked:?}: {errors:?}"
        );
    }
}

/// In equilibrium each free axis has the energy kT/2.
#[test]
fn random_torques_give_each_free_axis_its_energy() {
    const COUNT: usize = 4000;
    let problem = Problem::new(&mut Random(16), [false, true, false]);
    let mut e = Ensemble::new(COUNT).unwrap();
    e.set_inertia(problem.inertia()).unwrap();
    e.set_method(Method::Splitting).unwrap();
    let coefficients = [0.5, 0.7, 0.9];
    e.set_langevin(View::shared(&coefficients, COUNT), None, 2.0, 9)
        .unwrap();
    e.advance(0.2, 100).unwrap();
    let mean = e.total_kinetic_energy() / COUNT as f64;
    assert!((mean - 2.0).abs() < 0.12, "{mean}");
    assert_eq!(e.degrees_of_freedom(), 2 * COUNT as u64);
}

#[test]
fn bodies_with_locks_of_their_own_have_the_bits_of_bodies_alone() {
    const COUNT: usize = 203;
    let random = &mut Random(17);
    let problems: Vec<Problem> = (0..COUNT)
        .map(|i| {
            let is_locked = if i % 8 == 7 { [false; 3] } else { LOCKS[i % 8] };
            Problem::new(random, is_locked)
        })
        .collect();
    let vector = [0.3, -0.2, 0.5];
    let field = [1.0, 2.0, -0.5];
    for method in METHODS {
        for drags in [false, true] {
            if drags && !method.allows_resistance() {
                continue;
            }
            let mut e = Ensemble::new(COUNT).unwrap();
            let tensors: Vec<f64> = problems
                .iter()
                .flat_map(|problem| problem.tensor.as_slice().to_vec())
                .collect();
            e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
            for (i, problem) in problems.iter().enumerate() {
                let q = problem.q;
                e.set_orientation(i, q).unwrap();
                e.set_angular_velocity(i, q * problem.omega).unwrap();
            }
            let axes: Vec<i32> = problems
                .iter()
                .map(|p| (0..3).map(|k| i32::from(p.is_locked[k]) << k).sum())
                .collect();
            e.lock_axes(&axes, false).unwrap();
            e.set_uniform_field(View::shared(&vector, COUNT), field)
                .unwrap();
            e.set_method(method).unwrap();
            let drag = [0.4, 0.1, 0.2];
            if drags {
                e.set_drag(View::shared(&drag, COUNT), None).unwrap();
            }
            let mut alone: Vec<Body> = problems
                .iter()
                .map(|problem| {
                    let mut body = problem.body(method);
                    if drags {
                        body.set_drag(Some(FluidDrag::new(drag, [0.0; 3]).unwrap()))
                            .unwrap();
                    }
                    body
                })
                .collect();
            e.advance(0.02, 20).unwrap();
            e.drift(0.3).unwrap();
            e.kick(0.1, View::shared(&vector, COUNT), Frame::World)
                .unwrap();
            e.set_threads(2).unwrap();
            e.advance(0.02, 3).unwrap();
            let mut torque = UniformField {
                vector_body: quatint::kernel::Vec3(vector),
                field_world: quatint::kernel::Vec3(field),
            };
            for (i, body) in alone.iter_mut().enumerate() {
                body.advance(0.02, 20, &mut torque).unwrap();
                body.drift(0.3).unwrap();
                body.kick(0.1, vector.into(), Frame::World).unwrap();
                body.advance(0.02, 3, &mut torque).unwrap();
                assert_eq!(
                    state_bits_in(&e, i),
                    state_bits(body),
                    "{method:?} drag {drags} body {i} {:?}",
                    problems[i].is_locked
                );
            }
            // a restart from rows
            let parts = Parts {
                state: true,
                inertia: true,
                torque: true,
                memory: true,
                ..Parts::default()
            };
            let mut rows = vec![0.0; e.row_size(parts) * COUNT];
            e.rows(parts, None, &mut rows).unwrap();
            let mut again = Ensemble::new(COUNT).unwrap();
            again
                .set_uniform_field(View::shared(&vector, COUNT), field)
                .unwrap();
            again.set_method(method).unwrap();
            if drags {
                again.set_drag(View::shared(&drag, COUNT), None).unwrap();
            }
            again.set_clock(e.clock()).unwrap();
            again.set_rows(parts, None, &rows).unwrap();
            again.advance(0.02, 5).unwrap();
            e.advance(0.02, 5).unwrap();
            for i in 0..COUNT {
                assert_eq!(
                    state_bits_in(&again, i),
                    state_bits_in(&e, i),
                    "{method:?} {i}"
                );
            }
        }
    }
}

#[test]
fn locked_bodies_have_these_bits_in_every_instruction_set() {
    for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
        let text = tests_at(level, "locked_axes::bodies_with_locks_of_their_own");
        assert!(text.contains("2 passed"), "{text}");
    }
}

#[test]
fn what_cannot_be_locked_is_refused_and_changes_nothing() {
    let random = &mut Random(18);
    let inertia = Inertia::new(&tensor(Vector3::new(1.0, 2.0, 2.5), &random.rotation())).unwrap();
    for is_locked in &LOCKS[..6] {
        let refused = inertia.with_locked_axes(*is_locked).unwrap_err();
        assert!(matches!(refused, Error::NotPrincipal { .. }), "{refused}");
    }
    let refused = Inertia::from_moments(Vector3::new(0.0, 1.0, 2.0)).unwrap_err();
    assert!(
        refused.to_string().contains("qi_set_locked_axes"),
        "{refused}"
    );

    let moments = Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5)).unwrap();
    for is_locked in [
        [true, false, false],
        [false, true, false],
        [false, false, true],
    ] {
        let refused = moments.with_locked_axes(is_locked).unwrap_err();
        assert!(
            refused.to_string().contains("two different moments"),
            "{refused}"
        );
    }
    let at_rest = (UnitQuaternion::identity(), Vector3::zeros());
    let mut body = Body::new(moments, at_rest.0, at_rest.1).unwrap();
    body.set_state(at_rest.0, Vector3::new(1.0, 2.0, 3.0))
        .unwrap();
    let before = state_bits(&body);
    assert!(body.lock_axes([true, false, false]).is_err());
    assert_eq!(state_bits(&body), before);
    body.lock_axes([true, true, false]).unwrap(); // what is left has one moment

    let mut e = Ensemble::new(2).unwrap();
    e.set_principal_inertias(View::rows(&[2.0, 2.0, 1.0, 1.0, 2.0, 2.5]).unwrap())
        .unwrap();
    assert_eq!(e.lock_axes(&[4], true).unwrap_err().body, Some(1));
    e.lock_axes(&[4, 6], false).unwrap();
    // rows say the same
    let parts = Parts {
        inertia: true,
        ..Parts::default()
    };
    let row = [-1.0, 2.0, 2.5, 1.0, 0.0, 0.0, 0.0];
    assert!(e.set_rows(parts, Some(&[1]), &row).is_err());
    assert_eq!(e.lock_axes(&[1, 8], false).unwrap_err().body, Some(1));
}

/// The tensor of the body would be rounded if it were made and diagonalised again.
/// A wheel that is turned over: what would then turn it about locked axes is gone, in the caller's
/// array too.
#[test]
fn another_orientation_takes_away_what_it_turns_onto_a_locked_axis_in_bound_arrays_too() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let kinds = [VelocityKind::OmegaWorld, VelocityKind::OmegaBody];
    for kind in kinds.map(Some).into_iter().chain([None]) {
        let mut omega = [0.0, 0.3, 1.0];
        let mut e = Ensemble::new(1).expect("memory");
        e.lock_axes(&[0b011], true).expect("unit inertia");
        e.set_angular_velocity(0, Vector3::z()).expect("finite");
        if let Some(kind) = kind {
            omega = [0.0, 0.0, 1.0];
            let array = ViewMut::rows(&mut omega).expect("three numbers");
            e.bind_angular_velocities(array, kind).expect("finite");
        }
        for turned in [[half, half, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]] {
            let turned = View::rows(&turned).expect("four numbers");
            e.set_orientations(turned).expect("unit length");
            assert!(e.angular_velocity(0).norm() < 1e-15, "{kind:?}");
        }
        drop(e);
        if kind.is_some() {
            assert!(Vector3::from(omega).norm() < 1e-15, "{kind:?}: {omega:?}");
        }
    }
}

#[test]
fn a_lock_that_is_there_already_changes_no_bit() {
    let random = &mut Random(20);
    for is_locked in LOCKS.iter().chain([&[false; 3]]) {
        let problem = Problem::new(random, *is_locked);
        let locked = problem.inertia();
        let again = locked.with_locked_axes(*is_locked).unwrap();
        assert_eq!(format!("{again:?}"), format!("{locked:?}"));
    }
    let turned = Inertia::new(&tensor(Vector3::new(1.0, 2.0, 2.5), &random.rotation())).unwrap();
    let alike = turned.with_locked_axes([false; 3]).unwrap();
    assert_eq!(format!("{alike:?}"), format!("{turned:?}"));
}

/// Moments of a tensor that is nearly diagonal, from needles to cubes: a lock may find that the
/// thickness of a needle is a rounding error beside another moment.
#[test]
fn a_row_restores_every_inertia_with_locks() {
    let random = &mut Random(17);
    let parts = Parts {
        inertia: true,
        ..Parts::default()
    };
    let mut locked = 0;
    for _ in 0..20_000 {
        let span = random.one_of(&[1.0, 4.0, 12.0, 16.0]);
        let mut moments = Vector3::from_fn(|_, _| random.power_of_ten(-span, 0.0));
        if random.between(0.0, 1.0) < 0.5 {
            moments[1] = moments[2];
        }
        let mut tensor = Matrix3::from_diagonal(&moments);
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let most = (0.9 * (moments[i] * moments[j]).sqrt()).min(1e-13 * moments.max());
            let off = most * random.one_of(&[0.0, 0.3, -1.0]);
            (tensor[(i, j)], tensor[(j, i)]) = (off, off);
        }
        let inertia =
            Inertia::new(&tensor).and_then(|free| free.with_locked_axes(random.one_of(&LOCKS)));
        let Ok(inertia) = inertia else {
            continue; // one lock beside two different moments, or no needle to rounding
        };
        locked += 1;
        let mut body = Body::new(inertia, random.rotation(), Vector3::zeros()).unwrap();
        let mut other = Body::new(
            Inertia::from_moments(Vector3::new(1.0, 2.0, 2.5)).unwrap(),
            random.rotation(),
            Vector3::zeros(),
        )
        .unwrap();
        let [mut row, mut again] = [[0.0; 7]; 2];
        body.row(parts, &Free, &mut row).unwrap();
        for body in [&mut body, &mut other] {
            body.set_row(parts, &mut Free, &row)
                .unwrap_or_else(|error| panic!("{row:?}: {error}"));
            body.row(parts, &Free, &mut again).unwrap();
            assert_eq!(row.map(f64::to_bits), again.map(f64::to_bits));
        }
    }
    assert!(locked > 5000, "{locked}");
}

/// What rounding leaves about such an axis, in own memory, is not taken away between steps.
#[test]
fn a_listed_line_about_a_tilted_axis_has_the_bits_of_the_body_alone_step_by_step_and_at_once() {
    let random = &mut Random(18);
    for _ in 0..500 {
        let inertia = Inertia::new(&tensor(Vector3::new(0.0, 1.5, 1.5), &random.rotation()));
        let inertia = inertia.unwrap();
        let (q, omega) = (random.rotation(), random.vector());
        let slow = std::array::from_fn(|_| random.power_of_ten(1.0, 3.0));
        let drag = LinearDrag::new(slow).unwrap();
        let rotor = random.vector() * 0.3;

        let mut body = Body::new(inertia, q, omega).unwrap();
        body.set_method(Method::Splitting);
        body.set_rotor_momentum(Some(rotor)).unwrap();
        body.advance(0.05, 20, &mut drag.clone()).unwrap();

        let rotor = rotor.into();
        let [mut at_once, mut singly] = [(); 2].map(|()| {
            let mut e = Ensemble::new(2).unwrap();
            e.set_inertia(inertia).unwrap();
            e.set_orientations(
                View::rows(&[[1.0, 0.0, 0.0, 0.0], [q.w, q.i, q.j, q.k]].concat()).unwrap(),
            )
            .unwrap();
            let velocities = [[0.0; 3], omega.into()].concat();
            e.set_angular_velocities(View::rows(&velocities).unwrap())
                .unwrap();
            e.set_method(Method::Splitting).unwrap();
            e.set_rotor_momentum(Some(View::shared(&rotor, 2))).unwrap();
            e.set_linear_drag(View::shared(&slow, 2)).unwrap();
            e.set_active(Some(&[1])).unwrap();
            e
        });
        at_once.advance(0.05, 20).unwrap();
        for _ in 0..20 {
            singly.step(0.05).unwrap();
        }
        assert_eq!(state_bits(&body), state_bits_in(&at_once, 1));
        assert_eq!(state_bits(&body), state_bits_in(&singly, 1));
    }
}

#[test]
fn another_inertia_keeps_what_it_is_told_to_keep() {
    let random = &mut Random(19);
    for _ in 0..20 {
        let [before, after] = [0, 1].map(|_| {
            let moments = Vector3::from_fn(|_, _| random.between(1.0, 2.0));
            Inertia::new(&tensor(moments, &random.rotation())).unwrap()
        });
        let mut body = Body::new(before, random.rotation(), random.vector()).unwrap();
        body.set_rotor_momentum(Some(random.vector())).unwrap();
        let omega = body.angular_velocity_body();
        let momentum = body.angular_momentum();
        body.set_inertia(after, Keep::AngularMomentum).unwrap();
        assert!((body.angular_momentum() - momentum).norm() < 1e-14);
        assert!((body.angular_velocity_body() - omega).norm() > 1e-3);
        body.set_inertia(before, Keep::AngularMomentum).unwrap();
        assert!((body.angular_velocity_body() - omega).norm() < 1e-14);
        let bits = state_bits(&body);
        body.set_inertia(after, Keep::AngularVelocity).unwrap();
        assert_eq!(state_bits(&body), bits);
    }
}

/// About a locked axis the fluid slips, and where the drag mixes the axes this drives the rotation
/// about the others: a heat bath without noise follows the reference, of any slanted line or hinge.
#[test]
fn a_fluid_that_slips_about_a_slanted_locked_axis_turns_the_body_about_the_others() {
    let random = &mut Random(20);
    for moments in [
        [0.0, 1.3, 1.3],
        [1.1, 0.0, 1.1],
        [0.0, 0.0, 0.7],
        [0.6, 0.0, 0.0],
    ] {
        let moments = Vector3::from(moments);
        let axes = random.rotation();
        let inertia = Inertia::new(&tensor(moments, &axes)).unwrap();
        let coefficients = Vector3::from_fn(|_, _| random.between(0.2, 3.0));
        let flow = random.vector();
        let mut omega = random.vector();
        for axis in (0..3).filter(|&axis| moments[axis] == 0.0) {
            omega[axis] = 0.0; // principal axes
        }
        let q = random.rotation();
        let is_locked = [0, 1, 2].map(|axis: usize| moments[axis] == 0.0);
        let drag = |_: f64, q_principal: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
            let slip = axes * (q_principal.inverse_transform_vector(&flow) - omega);
            axes.inverse_transform_vector(&coefficients.component_mul(&slip))
        };
        let start = (q * axes, omega);
        let diagonal = Matrix3::from_diagonal(&moments);
        let (end_q, end_omega) = reference(&diagonal, is_locked, start, 2.0, 4000, drag);
        let exact = (end_q * axes.inverse(), axes * end_omega);
        let errors = [50, 100].map(|steps: u32| {
            let mut body = Body::new(inertia, q, q * (axes * omega)).unwrap();
            let bath = Langevin::new(coefficients.into(), flow.into(), 0.0, 1, 2).unwrap();
            body.set_langevin(Some(bath)).unwrap();
            body.set_method(Method::Splitting);
            let dt = 2.0 / f64::from(steps);
            body.advance(dt, steps.into(), &mut Free).unwrap();
            distance(&body, &exact)
        });
        assert!(errors[0] / errors[1] > 3.5, "{moments:?}: {errors:?}");
        assert!(errors[1] < 2e-3, "{moments:?}: {errors:?}");
    }
}

/// `3 g n x (I n)` of the whole mass, body frame.
fn gravity_on(
    tensor: &Matrix3<f64>,
    direction: &Vector3<f64>,
    gradient: f64,
    q: &UnitQuaternion<f64>,
) -> Vector3<f64> {
    let n = q.inverse() * direction;
    n.cross(&(tensor * n)) * (3.0 * gradient)
}

#[test]
fn a_lock_does_not_change_the_torque_of_a_gravity_gradient() {
    let random = &mut Random(77);
    let mut cases = vec![[false; 3]];
    cases.extend(LOCKS);
    for (case, is_locked) in cases.into_iter().cycle().take(24).enumerate() {
        let mut problem = Problem::new(random, is_locked);
        if case >= 16 {
            // a line, and a body that turns about one axis only
            let moments = [[0.0, 1.3, 1.3], [0.0, 0.0, 1.3]][case % 2];
            problem.tensor = Matrix3::from_diagonal(&moments.into());
            problem.omega.x = 0.0;
            problem.omega.y *= f64::from(u8::from(case % 2 == 0));
        }
        let (direction, gradient) = (random.direction(), random.between(0.5, 1.5));
        let tensor = problem.tensor;
        let mut ready_made = GravityGradient::new(direction.into(), gradient).unwrap();
        let mut by_hand = |_: f64, q: &UnitQuaternion<f64>, _: &Vector3<f64>| {
            q * gravity_on(&tensor, &direction, gradient, q)
        };
        let inertia = Inertia::new(&tensor).unwrap().with_locked_axes(is_locked);
        let Ok(inertia) = inertia else {
            panic!("{tensor} {is_locked:?}")
        };
        let start = Body::new(inertia, problem.q, problem.q * problem.omega).unwrap();
        for method in METHODS {
            let [mut one, mut other] = [(); 2].map(|()| start.clone());
            one.set_method(method);
            other.set_method(method);
            one.advance(0.02, 40, &mut ready_made).unwrap();
            other.advance(0.02, 40, &mut by_hand).unwrap();
            let off = one.orientation().angle_to(&other.orientation())
                + (one.angular_velocity() - other.angular_velocity()).norm();
            assert!(off < 1e-12, "{method:?} {is_locked:?} {tensor}: {off}");

            // the same bits in ensembles, with the inertia from a tensor or from a row
            let mut e = Ensemble::new(3).unwrap();
            e.set_inertias(View::shared(tensor.as_slice().try_into().unwrap(), 3))
                .unwrap();
            let axes = (0..3).map(|k| i32::from(is_locked[k]) << k).sum();
            e.lock_axes(&[axes], true).unwrap();
            e.set_gravity_gradient(direction.into(), View::shared(&[gradient], 3))
                .unwrap();
            e.set_method(method).unwrap();
            for body in 0..3 {
                e.set_orientation(body, problem.q).unwrap();
                e.set_angular_velocity(body, problem.q * problem.omega)
                    .unwrap();
            }
            let parts = Parts {
                state: true,
                inertia: true,
                ..Parts::default()
            };
            let mut rows = vec![0.0; e.row_size(parts) * 3];
            e.rows(parts, None, &mut rows).unwrap();
            let mut again = Ensemble::new(3).unwrap();
            again
                .set_gravity_gradient(direction.into(), View::shared(&[gradient], 3))
                .unwrap();
            again.set_method(method).unwrap();
            again
                .set_rows(parts, Some(&[1]), &rows[..rows.len() / 3])
                .unwrap();
            e.advance(0.02, 40).unwrap();
            again.advance(0.02, 40).unwrap();
            assert_eq!(
                state_bits_in(&e, 2),
                state_bits(&one),
                "{method:?} {is_locked:?}"
            );
            assert_eq!(
                state_bits_in(&again, 1),
                state_bits(&one),
                "{method:?} {is_locked:?}"
            );
        }
        let mut solved = start.clone();
        solved.solve(0.8, 1e-13, &mut ready_made).unwrap();
        if case < 16 {
            let (q, omega) = reference(
                &tensor,
                is_locked,
                (problem.q, problem.omega),
                0.8,
                4000,
                |_, q, _| gravity_on(&tensor, &direction, gradient, q),
            );
            let off =
                solved.orientation().angle_to(&q) + (solved.angular_velocity_body() - omega).norm();
            assert!(off < 1e-10, "{is_locked:?} {tensor}: {off}");
        }
    }
}

#[test]
fn locks_add_up() {
    let random = &mut Random(78);
    // two of three axes lock the third with them, in either order
    for is_locked in LOCKS.into_iter().filter(|locks| *locks != [true; 3]) {
        let problem = Problem::new(random, is_locked);
        let inertia = Inertia::new(&problem.tensor).unwrap();
        let others = is_locked.map(|locked| !locked);
        let at_once = inertia.with_locked_axes([true; 3]).unwrap();
        let [first, then] = if inertia.with_locked_axes(others).is_ok() {
            [others, is_locked]
        } else {
            [is_locked, others]
        };
        let one_by_one = inertia.with_locked_axes(first).unwrap();
        let one_by_one = one_by_one.with_locked_axes(then).unwrap();
        let [once, twice] = [at_once, one_by_one].map(|inertia| {
            let mut body = Body::new(inertia, problem.q, problem.q * problem.omega).unwrap();
            let mut torque = GravityGradient::new([0.3, 0.5, -0.7], 1.2).unwrap();
            body.advance(0.02, 40, &mut torque).unwrap();
            body
        });
        let off = once.orientation().angle_to(&twice.orientation());
        assert!(off < 1e-14, "{is_locked:?}: {off}");
    }
}
