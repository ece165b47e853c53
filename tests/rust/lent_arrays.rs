//! Arrays that are lent for one call, so that a force loop uses them in between.

use crate::common::generic::{Random, Shape, tensor};
use nalgebra::{UnitQuaternion, Vector3};
use quatint::VelocityKind::{AngularMomentumBody, AngularMomentumWorld, OmegaBody, OmegaWorld};
use quatint::torque::{StageState, TorqueModel};
use quatint::{
    Body, Ensemble, Error, Failure, Frame, Inertia, Method, Progress, VelocityKind, View, ViewMut,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

const COUNT: usize = 150; // more than two chunks, and not a multiple of the lanes

/// Bodies with an inertia each, and their states in arrays.
fn bodies(kind: VelocityKind) -> (Ensemble<'static, 'static>, Vec<[f64; 4]>, Vec<[f64; 3]>) {
    let mut random = Random(59);
    let mut e = Ensemble::new(COUNT).unwrap();
    let mut tensors = Vec::new();
    let mut q = Vec::new();
    let mut velocities = Vec::new();
    for _ in 0..COUNT {
        let inertia = tensor(random.moments(Shape::Compact), &random.rotation());
        tensors.extend_from_slice(inertia.transpose().as_slice());
        let orientation = random.rotation();
        let omega = random.vector();
        let to_body = orientation.inverse();
        velocities.push(match kind {
            OmegaWorld => omega.into(),
            OmegaBody => (to_body * omega).into(),
            AngularMomentumWorld => (orientation * (inertia * (to_body * omega))).into(),
            AngularMomentumBody => (inertia * (to_body * omega)).into(),
        });
        q.push([orientation.w, orientation.i, orientation.j, orientation.k]);
    }
    e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    (e, q, velocities)
}

/// The torques of springs that turn each body back, from the orientations as they are now.
fn springs(q: &[[f64; 4]]) -> Vec<f64> {
    q.iter()
        .flat_map(|&[w, x, y, z]| [x, y, z].map(|c| -0.7 * w * c))
        .collect()
}

fn views<'a>(
    q: &'a mut [[f64; 4]],
    velocities: &'a mut [[f64; 3]],
) -> (ViewMut<'a, 4>, ViewMut<'a, 3>) {
    (
        ViewMut::rows(q.as_flattened_mut()).unwrap(),
        ViewMut::rows(velocities.as_flattened_mut()).unwrap(),
    )
}

#[test]
fn a_force_loop_in_lent_arrays_has_the_bits_of_bound_ones() {
    for kind in [
        OmegaWorld,
        OmegaBody,
        AngularMomentumWorld,
        AngularMomentumBody,
    ] {
        let (mut lending, mut q, mut velocities) = bodies(kind);
        let (mut binding, mut bound_q, mut bound_velocities) = bodies(kind);
        let (orientations, rates) = views(&mut bound_q, &mut bound_velocities);
        binding.bind_orientations(orientations).unwrap();
        binding.bind_angular_velocities(rates, kind).unwrap();
        for _ in 0..50 {
            let torques = springs(&q);
            let (orientations, rates) = views(&mut q, &mut velocities);
            lending
                .in_arrays(orientations, rates, kind, |bodies| {
                    bodies.kick(0.01, View::rows(&torques)?, Frame::World)?;
                    bodies.drift(0.01)
                })
                .unwrap();
            binding
                .kick(0.01, View::rows(&torques).unwrap(), Frame::World)
                .unwrap();
            binding.drift(0.01).unwrap();
        }
        assert_eq!(lending.time(), binding.time());
        drop(binding);
        assert!(q == bound_q && velocities == bound_velocities, "{kind:?}");
    }
}

#[test]
fn steps_of_every_kind_may_be_taken_in_lent_arrays() {
    let start = |method| {
        let (mut e, q, omega) = bodies(OmegaBody);
        e.set_method(method).unwrap();
        let arm = [0.3, -0.2, 0.5];
        e.set_uniform_field(View::shared(&arm, COUNT), [0.4, 0.1, -0.9])
            .unwrap();
        e.set_threads(2).unwrap();
        (e, q, omega)
    };
    for method in [Method::Pcdm, Method::Splitting, Method::Cf4] {
        let (mut lending, mut q, mut omega) = start(method);
        let (mut binding, mut bound_q, mut bound_omega) = start(method);
        let (orientations, velocities) = views(&mut bound_q, &mut bound_omega);
        binding.bind_orientations(orientations).unwrap();
        binding
            .bind_angular_velocities(velocities, OmegaBody)
            .unwrap();
        binding.advance(0.01, 20).unwrap();
        drop(binding);
        let (orientations, velocities) = views(&mut q, &mut omega);
        lending
            .in_arrays(orientations, velocities, OmegaBody, |bodies| {
                bodies.advance(0.01, 20)?;
                bodies.begin_steps(0.01, 1)?; // cancelled when the call ends
                let [mut at, mut rates] = [vec![0.0; 4 * COUNT], vec![0.0; 3 * COUNT]];
                let stage = bodies.next_stage(&mut at, &mut rates)?;
                assert!(matches!(stage, Progress::NeedTorque(_)));
                Ok(())
            })
            .unwrap();
        assert!(q == bound_q && omega == bound_omega, "{method:?}");
        // the ensemble's own states are those of bodies as created, and it is as usable as before
        assert_eq!(lending.orientation(7), UnitQuaternion::identity());
        assert_eq!(lending.angular_velocity(7), Vector3::zeros());
        lending.step(0.01).unwrap();
        assert_ne!(lending.angular_velocity(7), Vector3::zeros());
    }
}

#[test]
fn what_is_refused_or_fails_leaves_the_ensemble_as_it_was() {
    let (mut e, mut q, mut omega) = bodies(OmegaWorld);
    let unchanged = (q.clone(), omega.clone());
    let (orientations, velocities) = views(&mut q[1..], &mut omega);
    let short = e.in_arrays(orientations, velocities, OmegaWorld, |e| e.drift(1.0));
    assert!(matches!(short.unwrap_err().cause, Error::Capacity { .. }));

    let (orientations, velocities) = views(&mut q, &mut omega);
    let failed = e.in_arrays(orientations, velocities, OmegaWorld, |e| e.drift(f64::NAN));
    assert!(matches!(failed.unwrap_err().cause, Error::NotFinite { .. }));

    let (orientations, velocities) = views(&mut q, &mut omega);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        e.in_arrays(
            orientations,
            velocities,
            OmegaWorld,
            |_| -> Result<(), Failure> { panic!("in the caller's code") },
        )
    }));
    assert!(panicked.is_err());
    assert_eq!((e.count(), e.time()), (COUNT, 0.0));
    assert!((q.clone(), omega.clone()) == unchanged);

    q[3] = [1.0, 1.0, 0.0, 0.0];
    let (orientations, velocities) = views(&mut q, &mut omega);
    let failure = e
        .in_arrays(orientations, velocities, OmegaWorld, |e| e.drift(0.1))
        .unwrap_err();
    assert_eq!(failure.body, Some(3));
    q[3] = unchanged.0[3];

    let (orientations, velocities) = views(&mut q, &mut omega);
    let twice = e.in_arrays(orientations, velocities, OmegaWorld, |e| {
        let mut other = [[1.0, 0.0, 0.0, 0.0]; COUNT];
        let mut rates = [[0.0; 3]; COUNT];
        let (other, rates) = views(&mut other, &mut rates);
        e.in_arrays(other, rates, OmegaWorld, |e| e.drift(0.1))
    });
    assert!(matches!(twice.unwrap_err().cause, Error::Invalid { .. }));
}

/// A type of one's own as a torque, in either frame, and what it sees of the state.
#[test]
fn a_torque_model_in_the_body_frame_is_the_closure_in_the_world_frame() {
    struct Dipole {
        asked: u32,
    }
    const MOMENT: [f64; 3] = [0.3, -0.5, 0.4];
    const FIELD: [f64; 3] = [0.2, 0.9, -0.6];

    impl TorqueModel for Dipole {
        type Error = Error;
        const FRAME: Frame = Frame::Body;

        fn torque(&mut self, _: f64, at: &StageState) -> Result<Vector3<f64>, Error> {
            self.asked += 1;
            let to_world = at.orientation();
            let omega_body = at.angular_velocity_body();
            let off = to_world * omega_body - at.angular_velocity();
            assert!(
                off.norm() < 1e-15
                    && (at.to_world(&omega_body) - to_world * omega_body).norm() < 1e-15
            );
            let field_body = at.to_body(&Vector3::from(FIELD));
            Ok(Vector3::from(MOMENT).cross(&field_body) - 0.1 * omega_body)
        }
    }

    let mut random = Random(8);
    let inertia =
        Inertia::new(&tensor(random.moments(Shape::Compact), &random.rotation())).unwrap();
    let start = Body::new(inertia, random.rotation(), random.vector()).unwrap();
    let mut by_type = start.clone();
    let mut dipole = Dipole { asked: 0 };
    by_type.advance(0.01, 500, &mut dipole).unwrap();
    assert_eq!(dipole.asked, 1000);
    let mut by_closure = start.clone();
    let mut torque = |_: f64, q: &UnitQuaternion<f64>, omega: &Vector3<f64>| {
        (q * Vector3::from(MOMENT)).cross(&Vector3::from(FIELD)) - 0.1 * omega
    };
    by_closure.advance(0.01, 500, &mut torque).unwrap();
    assert!(by_type.orientation().angle_to(&by_closure.orientation()) < 1e-12);
    by_type.solve(10.0, 1e-10, &mut dipole).unwrap();
    by_closure.solve(10.0, 1e-10, &mut torque).unwrap();
    assert!(by_type.orientation().angle_to(&by_closure.orientation()) < 1e-10);
}
