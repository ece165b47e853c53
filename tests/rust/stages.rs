//! The stage protocol on threads: which thread takes a body decides nothing.

use crate::common::METHODS;
use crate::common::bits::state_bits_in;
use crate::common::generic::{Random, Shape, tensor};
use quatint::{Ensemble, Error, Failure, Layout, Method, Progress, VelocityKind, View, ViewMut};

/// More than one thread takes at a time, and no whole chunks.
const COUNT: usize = 1003;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Own,
    FirstOnes,
    Listed,
    /// Both arrays, by way of other velocities.
    Bound,
    BoundAndListed,
    OrientationsAlone,
}

const PLACES: [Place; 6] = [
    Place::Own,
    Place::FirstOnes,
    Place::Listed,
    Place::Bound,
    Place::BoundAndListed,
    Place::OrientationsAlone,
];

/// The arrays that an ensemble may be bound to, and what acts beside the torque.
struct Setting {
    place: Place,
    method: Method,
    layout: Layout,
    acts_besides: usize,
    threads: usize,
}

/// An ensemble of generic bodies; the same for each number of threads.
fn bodies<'a>(setting: &Setting, q: &'a mut [f64], omega: &'a mut [f64]) -> Ensemble<'a, 'static> {
    let random = &mut Random(7);
    let mut e = Ensemble::new(COUNT).unwrap();
    let tensors: Vec<f64> = (0..COUNT)
        .flat_map(|_| {
            let tensor = tensor(random.moments(Shape::Compact), &random.rotation());
            tensor.as_slice().to_vec()
        })
        .collect();
    e.set_inertias(View::rows(&tensors).unwrap()).unwrap();
    for body in 0..COUNT {
        e.set_orientation(body, random.rotation()).unwrap();
        e.set_angular_velocity(body, random.vector()).unwrap();
    }
    e.set_method(setting.method).unwrap();
    let three = &[0.3, 0.5, 0.2];
    let shared = View::shared(three, COUNT);
    // some methods refuse one of them
    let _ = match setting.acts_besides {
        0 => Ok(()),
        1 => e.set_drag(shared, None),
        2 if setting.method == Method::Splitting => e.set_langevin(shared, None, 0.7, 3),
        2 => Ok(()),
        _ => e.set_rotor_momentum(Some(shared)),
    };
    if matches!(
        setting.place,
        Place::Bound | Place::BoundAndListed | Place::OrientationsAlone
    ) {
        e.orientations(&mut ViewMut::rows(q).unwrap()).unwrap();
        e.angular_velocities(&mut ViewMut::rows(omega).unwrap())
            .unwrap();
        e.bind_orientations(ViewMut::rows(q).unwrap()).unwrap();
    }
    if matches!(setting.place, Place::Bound | Place::BoundAndListed) {
        let omega = ViewMut::rows(omega).unwrap();
        e.bind_angular_velocities(omega, VelocityKind::OmegaWorld)
            .unwrap();
    }
    let listed: Vec<usize> = (0..COUNT).filter(|body| body % 7 != 3).collect();
    let first: Vec<usize> = (0..900).collect();
    match setting.place {
        Place::FirstOnes => e.set_active(Some(&first)).unwrap(),
        Place::Listed | Place::BoundAndListed => e.set_active(Some(&listed)).unwrap(),
        _ => {}
    }
    e.set_threads(setting.threads).unwrap();
    e.set_stage_layout(setting.layout).unwrap();
    e
}

fn states(e: &Ensemble) -> Vec<[u64; 7]> {
    (0..COUNT).map(|body| state_bits_in(e, body)).collect()
}

/// Takes steps, with torques of orientation and time. Shows `see` each stage.
fn take(
    e: &mut Ensemble,
    combines: bool,
    mut torque_at: impl FnMut(f64, &[f64]) -> Vec<f64>,
    mut see: impl FnMut(f64, &[f64], &[f64]),
) -> Result<(), Failure> {
    let moving = e.active_count();
    let (mut q, mut omega) = (vec![0.0; 4 * moving], vec![0.0; 3 * moving]);
    e.begin_steps(0.05, 3)?;
    let mut progress = e.next_stage(&mut q, &mut omega)?;
    while let Progress::NeedTorque(time) = progress {
        see(time, &q, &omega);
        let torque = torque_at(time, &q);
        progress = if combines {
            e.continue_step(&torque, &mut q, &mut omega)?
        } else {
            e.supply_torque(&torque)?;
            e.next_stage(&mut q, &mut omega)?
        };
    }
    Ok(())
}

fn torque_at(time: f64, q: &[f64]) -> Vec<f64> {
    let all = q.chunks_exact(4);
    all.flat_map(|q| [q[1] + time, q[2] * q[0], 0.3 - q[3]])
        .collect()
}

#[test]
fn the_threads_of_an_ensemble_take_its_stages_and_change_no_bit() {
    for (case, method) in METHODS.into_iter().enumerate() {
        for place in PLACES {
            for acts_besides in 0..4 {
                let layout = [Layout::Aos, Layout::Soa][(case + acts_besides) % 2];
                let mut runs = vec![];
                for (threads, combines) in [(1, false), (1, true), (3, true), (4, false)] {
                    let (mut q, mut omega) = (vec![0.0; 4 * COUNT], vec![0.0; 3 * COUNT]);
                    let setting = Setting {
                        place,
                        method,
                        layout,
                        acts_besides,
                        threads,
                    };
                    let mut e = bodies(&setting, &mut q, &mut omega);
                    let mut seen: Vec<u64> = vec![];
                    take(&mut e, combines, torque_at, |time, q, omega| {
                        seen.push(time.to_bits());
                        seen.extend(q.iter().chain(omega).map(|x| x.to_bits()));
                    })
                    .unwrap();
                    runs.push((seen, states(&e), e.clock().map(f64::to_bits)));
                }
                for run in &runs[1..] {
                    assert!(*run == runs[0], "{method:?} {place:?} {acts_besides}");
                }
            }
        }
    }
}

#[test]
fn a_stage_that_fails_on_threads_names_the_first_body_and_changes_nothing() {
    for place in PLACES {
        for method in [Method::Pcdm, Method::Splitting] {
            for (bad_stage, bad) in [(0, f64::NAN), (2, f64::NAN), (2, 1e300), (3, 1e300)] {
                let (mut q, mut omega) = (vec![0.0; 4 * COUNT], vec![0.0; 3 * COUNT]);
                let setting = Setting {
                    place,
                    method,
                    layout: Layout::Aos,
                    acts_besides: 0,
                    threads: 3,
                };
                let mut e = bodies(&setting, &mut q, &mut omega);
                let moving = e.active_count();
                let places = [moving - 30, 400, 71]; // in three parts
                let (mut before, mut stage) = (states(&e), 0);
                let mut clock = e.clock();
                let mut torques = |time: f64, q: &[f64]| {
                    let mut torque = torque_at(time, q);
                    if stage == bad_stage {
                        places.into_iter().for_each(|i| torque[3 * i] = bad);
                    }
                    stage += 1;
                    torque
                };
                // each step by a call of its own, to know the states between them
                let failure = loop {
                    let (mut q, mut omega) = (vec![0.0; 4 * moving], vec![0.0; 3 * moving]);
                    e.begin_steps(0.05, 1).unwrap();
                    let mut progress = e.next_stage(&mut q, &mut omega);
                    while let Ok(Progress::NeedTorque(time)) = progress {
                        progress = e.continue_step(&torques(time, &q), &mut q, &mut omega);
                    }
                    match progress {
                        Ok(_) => (before, clock) = (states(&e), e.clock()),
                        Err(failure) => break failure,
                    }
                };
                let name = format!("{place:?} {method:?} {bad_stage} {bad}: {failure}");
                let listed = (0..COUNT).filter(|body| body % 7 != 3).nth(71);
                let is_listed = matches!(place, Place::Listed | Place::BoundAndListed);
                let first = if is_listed { listed } else { Some(71) };
                assert_eq!(failure.body, first, "{name}");
                let is_bad = matches!(failure.cause, Error::TorqueNotFinite { .. });
                assert_eq!(is_bad, bad.is_nan(), "{name}");
                e.cancel_step();
                assert_eq!((states(&e), e.clock()), (before, clock), "{name}");
                take(&mut e, true, torque_at, |_, _, _| {}).unwrap();
            }
        }
    }
}
