//! A velocity gradient of the fluid at each body, in the caller's array: bits, order, refusals.

#![allow(unsafe_code)] // the caller writes the array between the steps, which no reference allows

use crate::common::bits::{state_bits, state_bits_in};
use crate::common::generic::{Random, Shape, tensor};
use crate::common::levels::tests_at;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::simd::Level;
use quatint::torque::{FluidDrag, Langevin, ShearFlow};
use quatint::{Body, Ensemble, Error, Inertia, Method, Parts, View};

/// The flow of a fluid solver, which writes its gradients between the steps.
struct Field(Vec<f64>);

impl Field {
    fn new(random: &mut Random, count: usize) -> Self {
        let mut field = Field(vec![0.0; 9 * count]);
        field.change(random);
        field
    }

    fn change(&mut self, random: &mut Random) {
        for number in &mut self.0 {
            *number = random.between(-2.0, 2.0);
        }
    }

    fn gradient(&self, body: usize) -> [f64; 9] {
        std::array::from_fn(|k| self.0[9 * body + k])
    }

    fn view<'a>(&self) -> View<'a, 9> {
        let count = self.0.len() / 9;
        // SAFETY: the tests keep the field for longer than the ensemble, and do not change it while
        // the ensemble works.
        unsafe { View::from_raw(self.0.as_ptr(), count, 9, 1, "gradients") }.unwrap()
    }
}

/// The bits of all that bodies have, what the method keeps included.
fn rows_of(e: &Ensemble) -> Vec<u64> {
    let parts = Parts {
        state: true,
        memory: true,
        ..Parts::default()
    };
    let mut rows = vec![0.0; e.row_size(parts) * e.count()];
    e.rows(parts, None, &mut rows).unwrap();
    rows.into_iter().map(f64::to_bits).collect()
}

/// An ellipsoid with any axes of inertia.
struct Fibre {
    tensor: Matrix3<f64>,
    semi_axes: [f64; 3],
    orientation: UnitQuaternion<f64>,
    omega: Vector3<f64>,
    drag: [f64; 3],
}

fn fibres(random: &mut Random, count: usize) -> Vec<Fibre> {
    let shapes = [
        Shape::Compact,
        Shape::Rod(0.01),
        Shape::Disc,
        Shape::NearSphere(1e-3),
    ];
    (0..count)
        .map(|_| {
            let shape = random.one_of(&shapes);
            let moments = random.moments(shape);
            Fibre {
                tensor: tensor(moments, &random.rotation()),
                semi_axes: [1, 2, 3].map(|_| random.power_of_ten(-1.0, 0.0)),
                orientation: random.rotation(),
                omega: random.vector(),
                drag: [1, 2, 3].map(|_| random.power_of_ten(-1.0, 2.0)),
            }
        })
        .collect()
}

const VISCOSITY: f64 = 0.3;

fn ensemble<'a>(
    fibres: &[Fibre],
    method: Method,
    drag: bool,
    threads: usize,
) -> Ensemble<'a, 'static> {
    let rows = |of: &dyn Fn(&Fibre) -> Vec<f64>| fibres.iter().flat_map(of).collect::<Vec<f64>>();
    let count = fibres.len();
    let mut e = Ensemble::new(count).unwrap();
    let tensors = rows(&|f| f.tensor.transpose().as_slice().to_vec());
    e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    for (i, fibre) in fibres.iter().enumerate() {
        let q = fibre.orientation;
        e.set_orientation(i, q).unwrap();
        e.set_angular_velocity(i, fibre.omega).unwrap();
    }
    let semi_axes = rows(&|f| f.semi_axes.to_vec());
    e.set_shear_flow(View::rows(&semi_axes).unwrap(), VISCOSITY, [0.0; 9])
        .unwrap();
    if drag {
        let coefficients = rows(&|f| f.drag.to_vec());
        e.set_drag(View::rows(&coefficients).unwrap(), None)
            .unwrap();
    }
    e.set_method(method).unwrap();
    e.set_threads(threads).unwrap();
    e
}

fn body(fibre: &Fibre, method: Method, drag: bool) -> Body {
    let inertia = Inertia::new(&fibre.tensor).unwrap();
    let mut body = Body::new(inertia, fibre.orientation, fibre.omega).unwrap();
    body.set_method(method);
    if drag {
        body.set_drag(Some(FluidDrag::new(fibre.drag, [0.0; 3]).unwrap()))
            .unwrap();
    }
    body
}

#[test]
fn each_body_has_the_bits_of_a_body_alone_in_its_flow() {
    const COUNT: usize = 203;
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        for drag in [false, true] {
            let dt = if method == Method::Cf4 { 1e-4 } else { 1e-2 }; // CF4 is explicit
            let random = &mut Random(5);
            let fibres = fibres(random, COUNT);
            let mut field = Field::new(random, COUNT);
            let mut alone = fibres
                .iter()
                .map(|fibre| body(fibre, method, drag))
                .collect::<Vec<Body>>();
            let mut ensembles = [1, 2].map(|threads| ensemble(&fibres, method, drag, threads));
            let active = (1..COUNT).step_by(3).collect::<Vec<usize>>();
            ensembles[1].set_active(Some(&active)).unwrap();
            for e in &mut ensembles {
                e.bind_flow_gradients(Some(field.view())).unwrap();
            }
            for _ in 0..5 {
                field.change(random);
                for (i, body) in alone.iter_mut().enumerate() {
                    let gradient = field.gradient(i);
                    let mut flow =
                        ShearFlow::new(fibres[i].semi_axes, VISCOSITY, gradient).unwrap();
                    body.forget_torque();
                    body.advance(dt, 3, &mut flow).unwrap();
                }
                for e in &mut ensembles {
                    e.advance(dt, 3).unwrap();
                }
            }
            for (i, body) in alone.iter().enumerate() {
                let expected = state_bits(body);
                assert_eq!(state_bits_in(&ensembles[0], i), expected, "{method:?} {i}");
                if active.contains(&i) {
                    assert_eq!(state_bits_in(&ensembles[1], i), expected, "{method:?} {i}");
                }
            }
        }
    }
}

#[test]
fn each_body_has_these_bits_in_every_instruction_set() {
    for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
        let text = tests_at(
            level,
            "flow_gradients::each_body_has_the_bits_of_a_body_alone",
        );
        assert!(text.contains("2 passed"), "{text}");
    }
}

/// A Brownian body has no torque of its own beside it: the bound gradients are all the shared one.
#[test]
fn in_brownian_motion_bound_gradients_act_as_the_shared_one() {
    const COUNT: usize = 70;
    let random = &mut Random(6);
    let fibres = fibres(random, COUNT);
    let one = Field::new(random, 1);
    let gradients = Field(one.0.repeat(COUNT));
    let semi_axes: Vec<f64> = fibres.iter().flat_map(|f| f.semi_axes).collect();
    let drags: Vec<f64> = fibres.iter().flat_map(|f| f.drag).collect();
    let mut ensembles = [0, 1].map(|_| {
        let mut e = ensemble(&fibres, Method::Splitting, false, 2);
        e.set_shear_flow(View::rows(&semi_axes).unwrap(), VISCOSITY, one.gradient(0))
            .unwrap();
        e.set_langevin(View::rows(&drags).unwrap(), None, 0.1, 3)
            .unwrap();
        e.set_method(Method::Brownian).unwrap();
        e
    });
    let [shared, bound] = &mut ensembles;
    bound.bind_flow_gradients(Some(gradients.view())).unwrap();
    for _ in 0..4 {
        shared.advance(1e-3, 2).unwrap();
        bound.advance(1e-3, 2).unwrap();
    }
    for i in 0..COUNT {
        assert_eq!(state_bits_in(bound, i), state_bits_in(shared, i), "{i}");
    }
}

/// The gradient turns and changes in time. Written for the middle of each step, it makes PCDM and
/// the splitting of order 2.
#[test]
fn gradients_at_the_middle_of_the_steps_give_order_two() {
    let random = &mut Random(7);
    let fibres = fibres(random, 12);
    let count = fibres.len();
    let amplitude: Vec<f64> = (0..9 * count).map(|_| random.between(-2.0, 2.0)).collect();
    let phase: Vec<f64> = (0..9 * count).map(|_| random.between(0.0, 6.0)).collect();
    let end_with = |method, steps: u32| {
        let mut field = Field(vec![0.0; 9 * count]);
        let mut e = ensemble(&fibres, method, false, 1);
        e.bind_flow_gradients(Some(field.view())).unwrap();
        let dt = 1.0 / f64::from(steps);
        for n in 0..steps {
            let middle = (f64::from(n) + 0.5) * dt;
            for (k, number) in field.0.iter_mut().enumerate() {
                *number = amplitude[k] * libm::cos(3.0 * middle + phase[k]);
            }
            e.step(dt).unwrap();
        }
        (0..count)
            .flat_map(|i| {
                [
                    components(e.orientation(i)).to_vec(),
                    e.angular_velocity(i).as_slice().to_vec(),
                ]
                .concat()
            })
            .collect::<Vec<f64>>()
    };
    let distance = |a: &[f64], b: &[f64]| {
        a.iter()
            .zip(b)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f64::max)
    };
    let reference = end_with(Method::Pcdm, 12800);
    for method in [Method::Pcdm, Method::Splitting] {
        let coarse = distance(&end_with(method, 400), &reference);
        let fine = distance(&end_with(method, 800), &reference);
        println!("{method:?}: {coarse:e} {fine:e}");
        assert!((3.5..4.6).contains(&(coarse / fine)), "{method:?}");
        assert!(fine < 1e-4, "{method:?}");
    }
}

#[test]
fn a_gradient_that_is_not_finite_is_named_and_no_body_moves() {
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        let random = &mut Random(8);
        let fibres = fibres(random, 100);
        let mut field = Field::new(random, 100);
        let mut e = ensemble(&fibres, method, false, 1);
        field.0[9 * 33 + 4] = f64::NAN;
        let failure = e.bind_flow_gradients(Some(field.view())).unwrap_err();
        assert_eq!(failure.body, Some(33));
        field.0[9 * 33 + 4] = 1.0;
        e.bind_flow_gradients(Some(field.view())).unwrap();
        e.step(1e-4).unwrap();
        let before = rows_of(&e);
        e.step(1e200).unwrap_err();
        assert_eq!(rows_of(&e), before, "{method:?}");
        for wrong in [f64::NAN, f64::INFINITY] {
            field.0[9 * 71 + 4] = wrong;
            let failure = e.step(1e-4).unwrap_err();
            assert_eq!(failure.body, Some(71), "{method:?}");
            assert!(
                matches!(
                    failure.cause,
                    Error::NotFinite {
                        name: "gradients",
                        index: Some(4),
                        ..
                    }
                ),
                "{failure}"
            );
            assert_eq!(rows_of(&e), before, "{method:?}");
        }
        field.0[9 * 71 + 4] = 0.5;
        e.step(1e-4).unwrap();
    }
}

#[test]
fn an_array_for_other_bodies_is_not_read_and_steps_say_so() {
    let random = &mut Random(9);
    let fibres = fibres(random, 20);
    let field = Field::new(random, 20);
    let changes: [fn(&mut Ensemble); 3] = [
        |e| e.resize(19).unwrap(),
        |e| e.select(&[3, 2, 1]).unwrap(),
        |e| e.release_arrays().unwrap(),
    ];
    for change in changes {
        let mut e = ensemble(&fibres, Method::Pcdm, false, 1);
        e.bind_flow_gradients(Some(field.view())).unwrap();
        e.step(1e-3).unwrap();
        change(&mut e);
        let failure = e.step(1e-3).unwrap_err();
        assert!(matches!(failure.cause, Error::Order(_)), "{failure}");
        e.bind_flow_gradients(None).unwrap();
        e.step(1e-3).unwrap();
    }
    let mut e = ensemble(&fibres, Method::Pcdm, false, 1);
    let short = Field::new(random, 19);
    let failure = e.bind_flow_gradients(Some(short.view())).unwrap_err();
    assert!(matches!(failure.cause, Error::Capacity { .. }), "{failure}");
}

/// Drag is implicit in both methods, so a flow may be as viscous as it likes.
#[test]
fn stiff_resistances_stay_implicit() {
    let random = &mut Random(10);
    let fibres = fibres(random, 40);
    let field = Field::new(random, 40);
    let semi_axes: Vec<f64> = fibres.iter().flat_map(|f| f.semi_axes).collect();
    for method in [Method::Pcdm, Method::Splitting] {
        let mut e = ensemble(&fibres, method, false, 1);
        e.set_shear_flow(View::rows(&semi_axes).unwrap(), 1e6, [0.0; 9])
            .unwrap();
        e.bind_flow_gradients(Some(field.view())).unwrap();
        for _ in 0..200 {
            e.step(5e-3).unwrap();
        }
        for (i, fibre) in fibres.iter().enumerate() {
            // Without inertia the torque vanishes: ω is that of Jeffery's equation.
            let [w, x, y, z] = components(e.orientation(i));
            let q = UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(w, x, y, z));
            let g = Matrix3::from_row_slice(&field.gradient(i));
            let to_world = q.to_rotation_matrix();
            let g = to_world.inverse() * g * to_world;
            let strain = (g + g.transpose()) * 0.5;
            let spin = (g - g.transpose()) * 0.5;
            let square = fibre.semi_axes.map(|a| a * a);
            let ratio = |j: usize, k: usize| (square[j] - square[k]) / (square[j] + square[k]);
            let expected = Vector3::new(
                spin[(2, 1)] + ratio(1, 2) * strain[(1, 2)],
                spin[(0, 2)] + ratio(2, 0) * strain[(2, 0)],
                spin[(1, 0)] + ratio(0, 1) * strain[(0, 1)],
            );
            let omega = Vector3::from(e.angular_velocity_body(i));
            assert!(
                (omega - expected).norm() < 1e-2 * (1.0 + expected.norm()),
                "{method:?} {i}: {omega:?} {expected:?}"
            );
        }
    }
}

/// The random torques bring the drag of the fluid; the torque brings what its strain and its spin
/// do to a body at rest.
#[test]
fn beside_random_torques_each_body_has_the_bits_of_a_body_alone_in_its_flow() {
    const COUNT: usize = 70;
    for method in [Method::Splitting, Method::Brownian] {
        let random = &mut Random(15);
        let fibres = fibres(random, COUNT);
        let drags: Vec<f64> = fibres.iter().flat_map(|f| f.drag).collect();
        let mut field = Field::new(random, COUNT);
        let mut e = ensemble(&fibres, Method::Splitting, false, 2);
        e.set_langevin(View::rows(&drags).unwrap(), None, 0.1, 3)
            .unwrap();
        e.set_method(method).unwrap();
        let mut alone: Vec<Body> = Vec::new();
        for (i, fibre) in fibres.iter().enumerate() {
            let mut body = body(fibre, method, false);
            let bath = Langevin::new(fibre.drag, [0.0; 3], 0.1, 3, i as u64).unwrap();
            body.set_langevin(Some(bath)).unwrap();
            alone.push(body);
        }
        e.bind_flow_gradients(Some(field.view())).unwrap();
        for _ in 0..5 {
            field.change(random);
            for (i, body) in alone.iter_mut().enumerate() {
                let gradient = field.gradient(i);
                let mut flow = ShearFlow::new(fibres[i].semi_axes, VISCOSITY, gradient).unwrap();
                body.forget_torque();
                body.advance(1e-2, 3, &mut flow).unwrap();
            }
            e.advance(1e-2, 3).unwrap();
        }
        for (i, body) in alone.iter().enumerate() {
            assert_eq!(state_bits_in(&e, i), state_bits(body), "{method:?} {i}");
        }
    }
}

/// At temperature 0 the random torques with the resistance of the ellipsoid are its drag in the
/// fluid: both ways lead to the same motion, with errors of order 2.
#[test]
fn without_temperature_the_fluid_of_the_random_torques_is_that_of_the_flow() {
    let random = &mut Random(16);
    for fibre in fibres(random, 8) {
        let gradient = [0; 9].map(|_| random.between(-1.0, 1.0));
        let mut flow = ShearFlow::new(fibre.semi_axes, VISCOSITY, gradient).unwrap();
        let coefficients = flow.spin_resistance.0;
        let errors = [1000_u32, 2000].map(|steps| {
            let mut plain = body(&fibre, Method::Splitting, false);
            let mut bathed = plain.clone();
            let bath = Langevin::new(coefficients, [0.0; 3], 0.0, 1, 0).unwrap();
            bathed.set_langevin(Some(bath)).unwrap();
            for body in [&mut plain, &mut bathed] {
                body.advance(1.0 / f64::from(steps), steps.into(), &mut flow)
                    .unwrap();
            }
            (plain.angular_velocity() - bathed.angular_velocity()).norm()
        });
        assert!(errors[0] < 1e-2, "{errors:?}");
        assert!(errors[1] < 0.3 * errors[0] + 1e-12, "{errors:?}");
    }
}

/// In the shear `u_x = g y`, entry (x, y) is g: Jeffery's orbit of a light fibre. OpenFOAM's grad(U)
/// has it at (y, x), and is transposed first.
#[test]
fn the_rows_of_a_gradient_are_those_of_the_velocity_and_those_of_openfoam_are_transposed() {
    let (rate, time, ratio) = (1.0, 6.0, 5.0);
    let of_openfoam = [0.0, 0.0, 0.0, rate, 0.0, 0.0, 0.0, 0.0, 0.0];
    let rows: [f64; 9] = std::array::from_fn(|n| of_openfoam[3 * (n % 3) + n / 3]);
    let inertia = Inertia::from_moments(Vector3::new(1e-6, 1e-5, 1e-5)).unwrap();
    let turned = rate * time * ratio / (ratio * ratio + 1.0);
    let expected = -f64::atan2(turned.sin(), ratio * turned.cos());
    let angle = |gradient: [f64; 9]| {
        let mut e = Ensemble::new(1).unwrap();
        e.set_inertia(inertia).unwrap();
        e.set_method(Method::Pcdm).unwrap();
        let semi_axes = [ratio, 1.0, 1.0];
        e.set_shear_flow(View::rows(&semi_axes).unwrap(), 1.0, [0.0; 9])
            .unwrap();
        // SAFETY: the array lives longer than the ensemble, and is not changed.
        let view = unsafe { View::from_raw(gradient.as_ptr(), 1, 9, 1, "gradients") }.unwrap();
        e.bind_flow_gradients(Some(view)).unwrap();
        e.advance(1e-3, 6000).unwrap();
        let q = e.orientation(0);
        2.0 * q.k.atan2(q.w)
    };
    assert!((angle(rows) - expected).abs() < 1e-4, "{}", angle(rows));
    assert!((angle(of_openfoam) - expected).abs() > 1.0);
}

/// The same matrices by rows, by columns as OpenFOAM has them, component by component for all bodies, and backwards.
#[test]
fn matrices_are_read_with_any_strides_and_those_that_leave_the_slice_are_refused() {
    let count = 7;
    let entry = |i: usize, j: usize, k: usize| (i * 100 + j * 10 + k) as f64;
    let filled = |place: &dyn Fn(usize, usize, usize) -> usize| {
        let mut data = vec![f64::NAN; 9 * count];
        for i in 0..count {
            for n in 0..9 {
                data[place(i, n / 3, n % 3)] = entry(i, n / 3, n % 3);
            }
        }
        data
    };
    let n = count as isize;
    let last = 9 * count - 1;
    for (first, strides, data) in [
        (0, [9, 3, 1], filled(&|i, j, k| 9 * i + 3 * j + k)),
        (0, [9, 1, 3], filled(&|i, j, k| 9 * i + j + 3 * k)),
        (0, [1, 3 * n, n], filled(&|i, j, k| (3 * j + k) * count + i)),
        (
            last,
            [-9, -3, -1],
            filled(&|i, j, k| last - (9 * i + 3 * j + k)),
        ),
    ] {
        let view = View::matrices(&data, first, count, strides).unwrap();
        for i in 0..count {
            let numbers = view.get(i);
            assert!(
                (0..9).all(|n| numbers[n] == entry(i, n / 3, n % 3)),
                "{strides:?}"
            );
        }
        assert!(View::matrices(&data, first, count + 1, strides).is_err());
        assert!(View::matrices(&data[..last], first, count, strides).is_err());
    }
    let huge = View::matrices(&[0.0; 9], 0, 1, [9, isize::MAX, 1]).unwrap_err();
    assert!(huge.to_string().contains("row_stride"), "{huge}");
}

/// The rows of bodies that are not active may hold anything, also where the array is bound.
#[test]
fn gradients_of_bodies_that_are_not_active_are_not_read() {
    let random = &mut Random(31);
    let fibres = fibres(random, 100);
    let mut field = Field::new(random, 100);
    let active: Vec<_> = (0..100).filter(|body| body % 3 != 0).collect();
    let mut right = ensemble(&fibres, Method::Splitting, false, 1);
    right.set_active(Some(&active)).unwrap();
    right.bind_flow_gradients(Some(field.view())).unwrap();
    right.advance(1e-4, 3).unwrap();
    let expected: Vec<_> = (0..100).map(|i| state_bits_in(&right, i)).collect();
    drop(right);
    for body in (0..100).step_by(3) {
        field.0[9 * body + body % 9] = f64::NAN;
    }
    let mut e = ensemble(&fibres, Method::Splitting, false, 1);
    e.set_active(Some(&active)).unwrap();
    e.bind_flow_gradients(Some(field.view())).unwrap();
    e.advance(1e-4, 3).unwrap();
    let got: Vec<_> = (0..100).map(|i| state_bits_in(&e, i)).collect();
    assert!(got == expected);
    // and one that is active by then is named by the step
    e.set_active(None).unwrap();
    let failure = e.step(1e-4).unwrap_err();
    assert_eq!(failure.body, Some(0));
}
