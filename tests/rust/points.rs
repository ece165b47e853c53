//! Points fixed to bodies: beside the formulas in nalgebra, virtual work, bits, refusals.

use crate::common::generic::{Random, Shape, tensor};
use crate::common::levels::tests_at;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use quatint::rotation::components;
use quatint::simd::Level;
use quatint::{Ensemble, Error, Inertia, VelocityKind, View, ViewMut};

/// Bodies with any number of points each, in any state.
struct Clumps {
    inertias: Vec<f64>,
    orientations: Vec<f64>,
    omegas: Vec<f64>,
    bodies: Vec<usize>,
    arms: Vec<f64>,
    centres: Vec<f64>,
    velocities: Vec<f64>,
    forces: Vec<f64>,
}

impl Clumps {
    fn new(random: &mut Random, count: usize) -> Self {
        let mut clumps = Clumps {
            inertias: Vec::new(),
            orientations: Vec::new(),
            omegas: Vec::new(),
            bodies: Vec::new(),
            arms: Vec::new(),
            centres: Vec::new(),
            velocities: Vec::new(),
            forces: Vec::new(),
        };
        for body in 0..count {
            let moments = random.moments(Shape::Compact);
            let inertia = tensor(moments, &random.rotation());
            clumps.inertias.extend(inertia.as_slice());
            let q = random.rotation();
            clumps.orientations.extend([q.w, q.i, q.j, q.k]);
            clumps.omegas.extend(random.vector().as_slice());
            clumps.centres.extend((random.vector() * 10.0).as_slice());
            clumps.velocities.extend(random.vector().as_slice());
            // some bodies have many more than those beside them
            let most = random.one_of(&[0, 1, 2, 3, 7, if body % 5 == 0 { 50 } else { 4 }]);
            for _ in 0..most {
                clumps.bodies.push(body);
                clumps.arms.extend(random.vector().as_slice());
                clumps.forces.extend(random.vector().as_slice());
            }
        }
        clumps
    }

    fn ensemble<'a>(&self) -> Ensemble<'a, 'static> {
        let mut e = Ensemble::new(self.orientations.len() / 4).unwrap();
        e.set_inertias(View::rows(&self.inertias).unwrap()).unwrap();
        e.set_orientations(View::rows(&self.orientations).unwrap())
            .unwrap();
        e.set_angular_velocities(View::rows(&self.omegas).unwrap())
            .unwrap();
        e.set_points(&self.bodies, View::rows(&self.arms).unwrap())
            .unwrap();
        e
    }

    fn results(&self, e: &Ensemble) -> Results {
        let mut results = Results {
            positions: vec![0.0; self.arms.len()],
            velocities: vec![0.0; self.arms.len()],
            forces: vec![0.0; self.centres.len()],
            torques: vec![0.0; self.centres.len()],
        };
        e.point_positions(
            Some(View::rows(&self.centres).unwrap()),
            ViewMut::rows(&mut results.positions).unwrap(),
        )
        .unwrap();
        e.point_velocities(
            false,
            Some(View::rows(&self.velocities).unwrap()),
            ViewMut::rows(&mut results.velocities).unwrap(),
        )
        .unwrap();
        e.sum_point_forces(
            View::rows(&self.forces).unwrap(),
            Some(ViewMut::rows(&mut results.forces).unwrap()),
            Some(ViewMut::rows(&mut results.torques).unwrap()),
        )
        .unwrap();
        results
    }
}

#[derive(Debug, PartialEq)]
struct Results {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    forces: Vec<f64>,
    torques: Vec<f64>,
}

impl Results {
    fn bits(&self) -> Vec<u64> {
        [
            &self.positions,
            &self.velocities,
            &self.forces,
            &self.torques,
        ]
        .into_iter()
        .flatten()
        .map(|number| number.to_bits())
        .collect()
    }
}

fn three(all: &[f64], i: usize) -> Vector3<f64> {
    Vector3::new(all[3 * i], all[3 * i + 1], all[3 * i + 2])
}

#[test]
fn points_move_with_their_bodies_as_the_formulas_say() {
    let random = &mut Random(1);
    let clumps = Clumps::new(random, 150);
    let e = clumps.ensemble();
    let results = clumps.results(&e);
    let mut force = vec![Vector3::zeros(); 150];
    let mut torque = vec![Vector3::zeros(); 150];
    for (point, &body) in clumps.bodies.iter().enumerate() {
        let [w, x, y, z] = components(e.orientation(body));
        let q = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
        let omega = Vector3::from(e.angular_velocity(body));
        let arm = q * three(&clumps.arms, point);
        let position = three(&clumps.centres, body) + arm;
        let velocity = three(&clumps.velocities, body) + omega.cross(&arm);
        let f = three(&clumps.forces, point);
        force[body] += f;
        torque[body] += arm.cross(&f);
        assert!((three(&results.positions, point) - position).norm() < 1e-14);
        assert!((three(&results.velocities, point) - velocity).norm() < 1e-14);
    }
    for body in 0..150 {
        assert!((three(&results.forces, body) - force[body]).norm() < 1e-14);
        assert!((three(&results.torques, body) - torque[body]).norm() < 1e-14);
    }
}

/// The power of the forces on the points is that of their sums on the bodies.
#[test]
fn sums_of_forces_do_the_work_that_the_forces_do() {
    for seed in 0..50 {
        let clumps = Clumps::new(&mut Random(seed), 5);
        let e = clumps.ensemble();
        let results = clumps.results(&e);
        let mut of_points = 0.0;
        for point in 0..clumps.bodies.len() {
            of_points += three(&clumps.forces, point).dot(&three(&results.velocities, point));
        }
        let mut of_bodies = 0.0;
        for body in 0..5 {
            of_bodies += three(&results.forces, body).dot(&three(&clumps.velocities, body));
            let omega = Vector3::from(e.angular_velocity(body));
            of_bodies += three(&results.torques, body).dot(&omega);
        }
        assert!((of_points - of_bodies).abs() < 1e-13, "seed {seed}");
    }
}

/// A force that pushes all points of a body along does not turn it if the arms sum to zero; and the
/// positions of the points keep the distances of the arms.
#[test]
fn a_step_moves_points_rigidly() {
    let clumps = Clumps::new(&mut Random(2), 40);
    let mut e = clumps.ensemble();
    e.advance(1e-2, 100).unwrap();
    let results = clumps.results(&e);
    for point in 1..clumps.bodies.len() {
        if clumps.bodies[point] == clumps.bodies[point - 1] {
            let before = three(&clumps.arms, point) - three(&clumps.arms, point - 1);
            let after = three(&results.positions, point) - three(&results.positions, point - 1);
            assert!((before.norm() - after.norm()).abs() < 1e-13);
        }
    }
}

#[test]
fn points_have_the_same_bits_on_any_number_of_threads_and_alone() {
    const COUNT: usize = 2100;
    let clumps = Clumps::new(&mut Random(3), COUNT);
    let mut e = clumps.ensemble();
    let expected = clumps.results(&e);
    for threads in [2, 3, 8] {
        e.set_threads(threads).unwrap();
        assert_eq!(clumps.results(&e).bits(), expected.bits());
    }
    // several callers at once, of whom one at most has the threads
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(clumps.results(&e).bits(), expected.bits()));
        }
    });
    for body in (0..COUNT).step_by(97) {
        let mut alone = Ensemble::new(1).unwrap();
        alone
            .set_inertia(
                Inertia::new(&nalgebra::Matrix3::from_row_slice(
                    &clumps.inertias[9 * body..][..9],
                ))
                .unwrap(),
            )
            .unwrap();
        alone.set_orientation(0, e.orientation(body)).unwrap();
        alone
            .set_angular_velocities(View::rows(&clumps.omegas[3 * body..][..3]).unwrap())
            .unwrap();
        let points = (0..clumps.bodies.len())
            .filter(|point| clumps.bodies[*point] == body)
            .collect::<Vec<usize>>();
        let Some(&first) = points.first() else {
            continue;
        };
        let arms = &clumps.arms[3 * first..][..3 * points.len()];
        alone
            .set_points(&vec![0; points.len()], View::rows(arms).unwrap())
            .unwrap();
        let mut positions = vec![0.0; arms.len()];
        let centre = &clumps.centres[3 * body..][..3];
        alone
            .point_positions(
                Some(View::rows(centre).unwrap()),
                ViewMut::rows(&mut positions).unwrap(),
            )
            .unwrap();
        assert_eq!(positions, expected.positions[3 * first..][..arms.len()]);
    }
}

#[test]
fn bits_of_points() {
    let clumps = Clumps::new(&mut Random(4), 333);
    let bits = clumps.results(&clumps.ensemble()).bits();
    let sum = bits
        .iter()
        .fold(0_u64, |sum, bits| sum.rotate_left(5) ^ bits.wrapping_mul(3));
    println!("bits {sum:x}");
}

#[test]
fn points_have_the_same_bits_in_every_instruction_set() {
    let [a, b, c] = [Level::Baseline, Level::Avx2, Level::Avx512].map(|level| {
        let text = tests_at(level, "points::bits_of_points");
        let (_, bits) = text.split_once("bits ").expect("it prints them");
        bits.split_whitespace().next().expect("a number").to_owned()
    });
    assert_eq!(a, b);
    assert_eq!(a, c);
}

/// Whatever is bound, points are where the caller's arrays say, at the present angular velocity or
/// the predicted one.
#[test]
fn points_follow_bound_arrays_and_predicted_velocities() {
    const COUNT: usize = 100;
    let clumps = Clumps::new(&mut Random(5), COUNT);
    let expected = clumps.results(&clumps.ensemble());
    let kinds = [
        VelocityKind::OmegaWorld,
        VelocityKind::OmegaBody,
        VelocityKind::AngularMomentumWorld,
        VelocityKind::AngularMomentumBody,
    ];
    for kind in kinds {
        let mut q = clumps.orientations.clone();
        let mut velocities = vec![0.0; 3 * COUNT];
        let mut predicted = vec![0.0; 3 * COUNT];
        let mut e = clumps.ensemble();
        e.bind_orientations(ViewMut::rows(&mut q).unwrap()).unwrap();
        e.bind_angular_velocities(ViewMut::rows(&mut velocities).unwrap(), kind)
            .unwrap();
        e.set_angular_velocities(View::rows(&clumps.omegas).unwrap())
            .unwrap();
        let results = clumps.results(&e);
        let pairs = results.bits().into_iter().zip(expected.bits());
        for (a, b) in pairs.map(|(a, b)| (f64::from_bits(a), f64::from_bits(b))) {
            assert!((a - b).abs() < 1e-13, "{kind:?}: {a} {b}");
        }
        let mut point_velocities = vec![0.0; clumps.arms.len()];
        let failure = e
            .point_velocities(true, None, ViewMut::rows(&mut point_velocities).unwrap())
            .unwrap_err();
        assert!(matches!(
            failure.cause,
            Error::Invalid {
                name: "predicted",
                ..
            }
        ));
        e.bind_predicted_velocities(Some(ViewMut::rows(&mut predicted).unwrap()), 0.0)
            .unwrap();
        let torques = vec![0.0; 3 * COUNT];
        e.kick_drift(
            0.0,
            1e-2,
            Some(View::rows(&torques).unwrap()),
            quatint::Frame::World,
        )
        .unwrap();
        e.point_velocities(true, None, ViewMut::rows(&mut point_velocities).unwrap())
            .unwrap();
        let mut present = vec![0.0; clumps.arms.len()];
        e.point_velocities(false, None, ViewMut::rows(&mut present).unwrap())
            .unwrap();
        for (a, b) in point_velocities.iter().zip(&present) {
            assert!((a - b).abs() < 1e-13, "no torque acts: {kind:?}");
        }
    }
}

#[test]
fn points_for_other_bodies_are_refused() {
    let clumps = Clumps::new(&mut Random(6), 10);
    let mut array = vec![0.0; clumps.arms.len()];
    let changes: [fn(&mut Ensemble); 2] =
        [|e| e.resize(11).unwrap(), |e| e.select(&[1, 0]).unwrap()];
    for change in changes {
        let mut e = clumps.ensemble();
        change(&mut e);
        let failure = e
            .point_positions(None, ViewMut::rows(&mut array).unwrap())
            .unwrap_err();
        assert!(matches!(failure.cause, Error::Order(_)), "{failure}");
    }
    let never = Ensemble::new(2).unwrap();
    assert!(matches!(never.point_count(), Err(Error::Order(_))));
    let mut none = Ensemble::new(0).unwrap();
    none.set_points(&[], View::rows(&[]).unwrap()).unwrap();
    none.point_positions(None, ViewMut::rows(&mut []).unwrap())
        .unwrap();
}

#[test]
fn what_cannot_be_points_is_refused_and_changes_nothing() {
    let clumps = Clumps::new(&mut Random(7), 10);
    let mut e = clumps.ensemble();
    let before = clumps.results(&e).bits();
    let arms = [0.1; 6];
    for bodies in [[3, 2], [9, 10], [usize::MAX, usize::MAX]] {
        let failure = e
            .set_points(&bodies, View::rows(&arms).unwrap())
            .unwrap_err();
        assert!(matches!(
            failure.cause,
            Error::Invalid { name: "bodies", .. }
        ));
    }
    let failure = e
        .set_points(
            &[4, 7],
            View::rows(&[0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0]).unwrap(),
        )
        .unwrap_err();
    assert_eq!(failure.body, Some(7));
    let failure = e.set_points(&[4], View::rows(&arms).unwrap()).unwrap_err();
    assert!(matches!(failure.cause, Error::Capacity { .. }));
    assert_eq!(clumps.results(&e).bits(), before);
    let mut short = vec![0.0; clumps.arms.len() - 3];
    let failure = e
        .point_positions(None, ViewMut::rows(&mut short).unwrap())
        .unwrap_err();
    assert!(matches!(failure.cause, Error::Capacity { .. }));
}
