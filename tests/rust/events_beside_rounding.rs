//! Events of functions that hardly differ from zero when a call ends or begins: those that pass it slowly, those of the time and the
//! state together soon before an end, and flags of an angular velocity whose inertia changes.

use crate::common::generic::{Random, Shape, tensor};
use nalgebra::{UnitQuaternion, Vector3};
use quatint::torque::Free;
use quatint::{Body, Crossing, Error, Inertia, SolveMethod, Torque};
use std::sync::{Arc, Mutex};

type Q = UnitQuaternion<f64>;
type V = Vector3<f64>;

/// How many events there are until a time, or `most`.
fn count<T: Torque<Error: Into<Error>>>(
    body: &mut Body,
    end: f64,
    most: usize,
    mut event: impl FnMut(f64, &Q, &V) -> f64,
    crossing: Crossing,
    torque: &mut T,
) -> usize {
    (0..most)
        .take_while(|_| {
            body.solve_until(end, 1e-9, &mut event, crossing, torque)
                .expect("finite")
                .is_some()
        })
        .count()
}

fn no_torque(_: f64, _: &Q, _: &V) -> V {
    V::zeros()
}

/// A body that spins about the axis of its symmetry: at random in space and in its own axes, or about z, where products are exact
/// and hardly any rounding shows.
struct Spinning {
    body: Body,
    rate: f64,
    /// Directions across the spin, of the body and in space. The angle between them grows from 0.
    of_body: V,
    of_world: V,
}

fn spinning(clock: f64, random: &mut Random) -> Spinning {
    let about_z = [Q::identity(); 2];
    let at_random = [random.rotation(), random.rotation()];
    let [axes, q] = random.one_of(&[about_z, at_random]);
    let moments = V::new(1.0, 1.0, random.one_of(&[0.02, 0.4, 1.0, 1.9]));
    let inertia = Inertia::new(&tensor(moments, &axes)).expect("valid");
    let rate = random.between(0.5, 4.0);
    let mut body = Body::new(inertia, q, q * (axes * V::z()) * rate).expect("finite");
    body.set_time(clock).expect("finite");
    let of_body = axes * V::x();
    Spinning {
        body,
        rate,
        of_body,
        of_world: q * of_body,
    }
}

/// A vector in the world frame, by a formula that takes the quaternion to be of unit length.
fn by_formula(q: &Q, v: &V) -> V {
    let (w, u) = (q.w, q.imag());
    v * (w * w - u.dot(&u)) + u * (2.0 * u.dot(v)) + u.cross(v) * (2.0 * w)
}

#[test]
fn a_function_of_the_orientation_that_passes_zero_slowly_has_each_event_once() {
    let mut random = Random(81);
    for case in 0..600 {
        let mut start = spinning(random.one_of(&[0.0, 1.0, 1e5]), &mut random);
        let depth = random.power_of_ten(-11.0, -1.0); // and the slope is the root of twice the depth
        let end = start.body.time() + 6.0 / start.rate;
        let form = case % 3;
        let event = |_: f64, q: &Q, _: &V| {
            let turned = match form {
                0 => q * start.of_body,
                1 => q.to_rotation_matrix() * start.of_body,
                _ => by_formula(q, &start.of_body),
            };
            1.0 + turned.dot(&start.of_world) - depth
        };
        let found = if random.one_of(&[false, true]) {
            count(&mut start.body, end, 9, event, Crossing::Any, &mut Free)
        } else {
            let torque = &mut no_torque;
            count(&mut start.body, end, 9, event, Crossing::Any, torque)
        };
        assert_eq!(found, 2, "{case}: depth {depth:e}, formula {form}");
    }
}

/// A lamp turns with a body that is slower by 5 to 90 %. The angle between them passes zero, and the call ends
/// 1000 to 20 000 ulp of the clock later.
#[test]
fn an_angle_to_something_that_turns_too_is_zero_once_also_soon_before_an_end() {
    let mut random = Random(82);
    for case in 0..1200 {
        let clock = random.one_of(&[1e3, 1e5, 1e7, 1.7e9]);
        let ulp = clock * f64::EPSILON;
        let start = spinning(clock, &mut random);
        let lamp = start.rate / (1.0 - random.between(0.05, 0.9));
        let at = random.between(0.02, 0.03) / lamp;
        let event = |time: f64, q: &Q, _: &V| {
            let turned = q * start.of_body;
            let across = start.body.angular_velocity().cross(&start.of_world) / start.rate;
            let angle = turned.dot(&across).atan2(turned.dot(&start.of_world));
            angle - start.rate * at - lamp * (time - clock - at)
        };
        let end = clock + at + random.between(1000.0, 20_000.0) * ulp;
        let mut body = start.body.clone();
        let falling = Crossing::Falling;
        let found = if random.one_of(&[false, true]) {
            count(&mut body, end, 9, event, falling, &mut Free)
        } else {
            count(&mut body, end, 9, event, falling, &mut no_torque)
        };
        assert_eq!(found, 1, "{case}: {clock:e}, lamp {}", lamp / start.rate);
    }
}

/// The least and the greatest time at which a function has been asked.
type Asked = Arc<Mutex<[f64; 2]>>;

/// A body that draws its mass in: its angular velocity about the axis of symmetry grows.
fn drawing_in(clock: f64, asked: &Asked) -> Body {
    let inertia = move |time: f64| {
        let axial = 1.0 - 0.4 * (3.0 * (time - clock)).sin();
        Inertia::from_moments(V::new(1.2, 1.2, axial))
    };
    let mut body =
        Body::new(inertia(clock).expect("valid"), Q::identity(), V::z() * 2.0).expect("finite");
    body.set_time(clock).expect("finite");
    let asked = Arc::clone(asked);
    body.set_inertia_function(move |time| {
        let mut asked = asked.lock().expect("one thread");
        asked[0] = asked[0].min(time);
        asked[1] = asked[1].max(time);
        inertia(time)
    })
    .expect("valid");
    body
}

#[test]
fn flags_of_a_velocity_whose_inertia_changes_have_their_event_once_wherever_calls_end() {
    let asked = Asked::default();
    for (case, clock) in [0.0, 1.0, 1e3, 1e5, 1e7, 1.7e9].into_iter().enumerate() {
        for kind in 0..4 {
            let level = 2.1 + 0.05 * (case + kind) as f64;
            let event = |_: f64, _: &Q, omega: &V| {
                let below = level - omega.z;
                match kind {
                    0 => below,
                    1 => below.signum(),
                    2 => f64::from(u8::from(below > 0.0)),
                    _ => below.max(0.0),
                }
            };
            let last = clock + 0.4;
            let at = drawing_in(clock, &asked)
                .solve_until(last, 1e-9, event, Crossing::Falling, &mut no_torque)
                .expect("finite")
                .expect("an event");
            for ulps in -4..=4 {
                let near = at + f64::from(ulps) * at * f64::EPSILON;
                let mut body = drawing_in(clock, &asked);
                let mut found = 0;
                for end in [near, last] {
                    *asked.lock().expect("one thread") = [body.time(); 2];
                    let first = body.time();
                    found += count(&mut body, end, 9, event, Crossing::Falling, &mut no_torque);
                    let [earliest, latest] = *asked.lock().expect("one thread");
                    assert!(first <= earliest && latest <= end, "{clock:e}, {ulps} ulp");
                }
                assert_eq!(found, 1, "{clock:e}, kind {kind}, {ulps} ulp");
            }
        }
    }
}

#[test]
fn the_inertia_is_asked_within_calls_of_some_ulps_alone() {
    let asked = Asked::default();
    for clock in [0.0, 1.0, 1.9, 1e5, 1.7e9] {
        for ulps in [-5, -2, -1, 1, 2, 5] {
            let mut body = drawing_in(clock, &asked);
            let end = (0..i32::abs(ulps)).fold(clock, |end: f64, _| {
                if ulps > 0 {
                    end.next_up()
                } else {
                    end.next_down()
                }
            });
            *asked.lock().expect("one thread") = [clock; 2];
            let event = |_: f64, _: &Q, omega: &V| omega.z - 9.0;
            count(&mut body, end, 9, event, Crossing::Any, &mut no_torque);
            assert_eq!(body.time(), end);
            let [earliest, latest] = *asked.lock().expect("one thread");
            let (first, last) = (clock.min(end), clock.max(end));
            assert!(first <= earliest && latest <= last, "{clock:e}, {ulps} ulp");
        }
    }
}

#[test]
fn a_solution_over_a_denormal_time_arrives() {
    let mut random = Random(83);
    for span in [5e-324, -5e-324, 1e-322, 1e-315, 1e-308, 1e-300] {
        for method in [
            SolveMethod::Nonstiff,
            SolveMethod::Stiff,
            SolveMethod::Splitting,
        ] {
            let moments = random.moments(Shape::Compact);
            let inertia = Inertia::new(&tensor(moments, &random.rotation())).expect("valid");
            let mut body =
                Body::new(inertia, random.rotation(), random.direction()).expect("finite");
            body.set_solve_method(method);
            let mut torque = |_: f64, _: &Q, _: &V| V::new(0.1, 0.2, 0.3);
            let mut rows = [[0.0; 8]; 2];
            let (_, outcome) =
                body.clone()
                    .solve_record(&[0.0, span], &mut rows, 1e-9, &mut torque);
            outcome.expect("finite");
            assert_eq!([rows[0][0], rows[1][0]], [0.0, span]);
            assert_eq!(rows[0][1..], rows[1][1..]);
            let event = |_: f64, _: &Q, omega: &V| omega.z - 9.0;
            let found = count(&mut body, span, 9, event, Crossing::Any, &mut torque);
            assert_eq!((found, body.time()), (0, span), "{method:?}");
        }
    }
}

#[test]
fn an_arc_cosine_of_the_quaternion_may_be_an_event_function() {
    let inertia = Inertia::from_moments(V::new(1.0, 1.2, 1.5)).expect("valid");
    let start = Body::new(inertia, Q::identity(), V::z()).expect("finite");
    let forms: [fn(&Q) -> f64; 4] = [
        |q| 2.0 * q.w.acos(),
        |q| (q.w * q.w - q.i * q.i - q.j * q.j + q.k * q.k - 2.0 * q.k * q.k).acos(),
        |q| (1.0 - 2.0 * (1.0 - (q.w * q.w + q.i * q.i))).acos(),
        |q| 2.0 * (1.0 - q.w * q.w).sqrt().atan2(q.w),
    ];
    for angle in forms {
        let event = |_: f64, q: &Q, _: &V| angle(q) - 1.0;
        let free = (start.clone())
            .solve_until(2.0, 1e-12, event, Crossing::Any, &mut Free)
            .expect("finite");
        let under_torque = (start.clone())
            .solve_until(2.0, 1e-12, event, Crossing::Any, &mut no_torque)
            .expect("finite");
        for time in [free, under_torque] {
            assert!((time.expect("an event") - 1.0).abs() < 1e-10);
        }
    }
}
