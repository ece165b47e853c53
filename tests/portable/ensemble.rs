//! Ensembles through the C functions. In own memory or bound as QI_OMEGA_BODY, every body has bitwise the state of the
//! same body stepped alone, for every way of stepping and every kind of torque. A failure leaves everything unchanged.

#![allow(unsafe_code, clippy::undocumented_unsafe_blocks)] // calls the C functions, with pointers to its own arrays

use crate::common::bits::{row, state_bits};
use crate::common::if_shown;
use quatint::ffi::*;
use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

/// Every test of bits is done with each.
const METHODS: [i32; 6] = [
    QI_METHOD_PCDM,
    QI_METHOD_SPLITTING,
    QI_METHOD_SPLITTING_4,
    QI_METHOD_CF4,
    QI_METHOD_SPLITTING_6,
    QI_METHOD_FORCE_GRADIENT,
];

/// Each method with each torque that it allows.
fn methods_and_kinds() -> impl Iterator<Item = (i32, Kind)> {
    let allows = |(method, kind): &(i32, Kind)| {
        let resists = matches!(kind, Kind::Drag | Kind::Shear);
        !(resists
            && [
                QI_METHOD_SPLITTING_4,
                QI_METHOD_SPLITTING_6,
                QI_METHOD_FORCE_GRADIENT,
            ]
            .contains(method))
    };
    METHODS
        .into_iter()
        .flat_map(|method| KINDS.map(|kind| (method, kind)))
        .filter(allows)
}

thread_local! {
    /// The method of the bodies that are made next. A test that sets it sets PCDM at its end: in WebAssembly all tests have one thread.
    static METHOD: Cell<i32> = const { Cell::new(QI_METHOD_PCDM) };
}

/// Other processors are mostly emulated, where a thousand bodies take minutes.
const SIZES: &[usize] = if cfg!(target_arch = "x86_64") {
    &[1, 2, 3, 7, 16, 17, 64, 67, 1000]
} else {
    &[1, 2, 3, 7, 16, 17, 64, 67]
};
const MANY: usize = if cfg!(target_arch = "x86_64") {
    5000
} else {
    1000
};
const FEW: usize = if cfg!(target_arch = "x86_64") {
    700
} else {
    300
}; // still shared by threads
const DT: f64 = 0.01;

/// Reproducible pseudo-random numbers between 0 and 1.
fn noise(i: usize, k: usize) -> f64 {
    let mut x = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (k as u64 + 7).wrapping_mul(0xD1B5_4A32_D192_ED03);
    x ^= x >> 29;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 32;
    (x >> 11) as f64 / (1_u64 << 53) as f64
}

/// Data of a body. Every fifth body is a sphere that spins so fast that its angles exceed the range of the polynomials.
/// Of the others, every third has an inertia tensor that is not diagonal.
#[derive(Clone, Copy)]
struct Datum {
    inertia: [f64; 9],
    q: [f64; 4],
    omega: [f64; 3],
    vector: [f64; 3],
}

fn datum(i: usize) -> Datum {
    let n = |k| noise(i, k);
    let spin = if i % 5 == 4 { 900.0 } else { 3.0 };
    let omega = [0, 1, 2].map(|k| spin * (n(k) - 0.5));
    let mut q = [3, 4, 5, 6].map(|k| n(k) - 0.4);
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q = q.map(|c| c / length);
    let (a, b, c) = (1.0 + n(7), 1.2 + n(8), 1.4 + n(9));
    let (a, b, c) = if i % 5 == 4 { (a, a, a) } else { (a, b, c) };
    let off = if i % 3 == 2 && i % 5 != 4 { 0.2 } else { 0.0 };
    let inertia = [a, off, 0.5 * off, off, b, -off, 0.5 * off, -off, c];
    Datum {
        inertia,
        q,
        omega,
        vector: [10, 11, 12].map(|k| n(k) - 0.5),
    }
}

/// The same, but every other body has axes of zero moment, along the body axes or not.
fn datum_with_zeros(i: usize) -> Datum {
    let (b, d) = (1.0 + noise(i, 13), datum(i));
    let e = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];
    let diagonal = |x, y, z| [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z];
    let line = std::array::from_fn(|k| b * (f64::from(k % 4 == 0) - e[k / 3] * e[k % 3]));
    let kinds = [
        diagonal(0.0, b, b),
        diagonal(b, 0.0, b),
        diagonal(b, b, 0.0),
        diagonal(0.0, 0.0, b),
        diagonal(0.0, b, 0.0),
        diagonal(b, 0.0, 0.0),
        diagonal(0.0, 0.0, 0.0),
        line,
        std::array::from_fn(|k| b * (e[k / 3] * e[k % 3])),
    ];
    if i.is_multiple_of(2) {
        Datum {
            inertia: kinds[i / 2 % kinds.len()],
            ..d
        }
    } else {
        d
    }
}

/// The torque and the way it is supplied.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Free,
    Constant(i32),
    Field,
    VerticalField,
    TopWeight,
    GravityGradient,
    Drag,
    Shear,
    Callback(i32, i32),
    /// The stage protocol with separate calls.
    Protocol,
    /// The stage protocol with one call that begins all steps, and one that supplies the torque and gets the next
    /// stage.
    Continued(i32),
}

const KINDS: [Kind; 16] = [
    Kind::Free,
    Kind::Constant(QI_FRAME_WORLD),
    Kind::Constant(QI_FRAME_BODY),
    Kind::Field,
    Kind::VerticalField,
    Kind::TopWeight,
    Kind::GravityGradient,
    Kind::Drag,
    Kind::Shear,
    Kind::Callback(QI_LAYOUT_AOS, QI_FRAME_WORLD),
    Kind::Callback(QI_LAYOUT_SOA, QI_FRAME_WORLD),
    Kind::Callback(QI_LAYOUT_AOS, QI_FRAME_BODY),
    Kind::Callback(QI_LAYOUT_SOA, QI_FRAME_BODY),
    Kind::Protocol,
    Kind::Continued(QI_LAYOUT_AOS),
    Kind::Continued(QI_LAYOUT_SOA),
];

const FIELD: [f64; 3] = [0.3, -0.2, -1.0];
const DOWN: [f64; 3] = [0.0, 0.0, -0.9];
const LEVER: [f64; 3] = [0.0, 0.0, 0.7];
const SEMI_AXES: [f64; 3] = [2.0, 1.0, 0.7];
const SHEAR: [f64; 9] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.2, 0.1, 0.0, 0.0];

/// A world torque that depends on time, orientation and, where that is shown, angular velocity. Not by the sines of the platform, which differ in the last bit.
fn torque_world(t: f64, q: &[f64], omega: &[f64]) -> [f64; 3] {
    [
        libm::sin(t) + q[1] * q[2] - 0.1 * if_shown(omega[0]),
        q[0] * q[3] - 0.1 * if_shown(omega[1]),
        libm::cos(2.0 * t) * q[1] - 0.1 * if_shown(omega[2]),
    ]
}

unsafe extern "C" fn one(
    t: f64,
    q: *const f64,
    omega: *const f64,
    torque: *mut f64,
    _: *mut c_void,
) -> i32 {
    unsafe {
        let (q, omega) = (
            std::slice::from_raw_parts(q, 4),
            std::slice::from_raw_parts(omega, 3),
        );
        *torque.cast::<[f64; 3]>() = torque_world(t, q, omega);
    }
    0
}

/// The same for a chunk, in the layout that `user_data` points to.
unsafe extern "C" fn many(
    t: f64,
    _: usize,
    count: usize,
    q: *const f64,
    omega: *const f64,
    torque: *mut f64,
    layout: *mut c_void,
) -> i32 {
    let soa = unsafe { *layout.cast::<i32>() } == QI_LAYOUT_SOA;
    let at = |i: usize, c: usize, k: usize| if soa { c * count + i } else { k * i + c };
    for i in 0..count {
        unsafe {
            let q = [0, 1, 2, 3].map(|c| *q.add(at(i, c, 4)));
            let omega = [0, 1, 2].map(|c| *omega.add(at(i, c, 3)));
            for (c, value) in torque_world(t, &q, &omega).into_iter().enumerate() {
                *torque.add(at(i, c, 3)) = value;
            }
        }
    }
    0
}

fn ok(status: qi_status) {
    let message = unsafe { CStr::from_ptr(qi_last_error()) };
    assert_eq!(status, QI_OK, "{message:?}");
}

/// The threads of an ensemble; in WebAssembly there is only the caller's.
unsafe fn set_threads(ensemble: *mut qi_ensemble, count: usize) -> qi_status {
    unsafe {
        qi_set_ensemble_threads(
            ensemble,
            if cfg!(target_family = "wasm") {
                1
            } else {
                count
            },
        )
    }
}

fn last_error() -> String {
    unsafe { CStr::from_ptr(qi_last_error()) }
        .to_string_lossy()
        .into_owned()
}

/// State of the body stepped alone, after `steps` steps: orientation and angular velocity in the body frame, as bits.
fn alone(d: &Datum, kind: Kind, steps: u64) -> [u64; 7] {
    let (mut q, mut omega) = ([0.0; 4], [0.0; 3]);
    unsafe {
        let body = qi_create_body(
            d.inertia.as_ptr(),
            d.q.as_ptr(),
            d.omega.as_ptr(),
            null_mut(),
        );
        assert!(!body.is_null(), "{}", last_error());
        ok(qi_set_method(body, METHOD.get()));
        ok(match kind {
            Kind::Free => QI_OK,
            Kind::Constant(frame) => qi_set_constant_torque(body, d.vector.as_ptr(), frame),
            Kind::Field => qi_set_uniform_field_torque(body, d.vector.as_ptr(), FIELD.as_ptr()),
            Kind::VerticalField => {
                qi_set_uniform_field_torque(body, d.vector.as_ptr(), DOWN.as_ptr())
            }
            Kind::TopWeight => qi_set_uniform_field_torque(body, LEVER.as_ptr(), DOWN.as_ptr()),
            Kind::GravityGradient => {
                qi_set_gravity_gradient_torque(body, FIELD.as_ptr(), d.vector[0])
            }
            Kind::Drag => qi_set_linear_drag_torque(body, d.vector.as_ptr()),
            Kind::Shear => qi_set_shear_flow_torque(body, SEMI_AXES.as_ptr(), 0.01, SHEAR.as_ptr()),
            Kind::Callback(_, QI_FRAME_WORLD) | Kind::Protocol | Kind::Continued(_) => {
                qi_set_torque(body, Some(one), null_mut())
            }
            Kind::Callback(..) => QI_OK,
        });
        ok(qi_advance(body, DT, steps, null_mut()));
        ok(qi_get_orientation(body, q.as_mut_ptr()));
        ok(qi_get_angular_velocity_body(body, omega.as_mut_ptr()));
        qi_destroy_body(body);
    }
    row(q, omega)
}

/// The same for a body-frame torque, through the Rust interface: the C interface has no body-frame callback for one
/// body.
fn alone_body_frame(d: &Datum, steps: u64) -> [u64; 7] {
    use nalgebra::{Matrix3, Quaternion, UnitQuaternion};
    use quatint::kernel::{PrincipalInertia, TorqueState, Vec3};
    use quatint::{Body, Inertia, Method, Torque};

    struct InBody;
    impl Torque for InBody {
        type Error = std::convert::Infallible;
        fn torque_body(
            &mut self,
            t: f64,
            here: &TorqueState<f64>,
            _: &PrincipalInertia<f64>,
        ) -> Result<Vec3<f64>, Self::Error> {
            Ok(Vec3(torque_world(t, &here.q.0, &here.omega_body.0)))
        }
    }
    let inertia = Inertia::new(&Matrix3::from_row_slice(&d.inertia)).unwrap();
    let q = UnitQuaternion::new_unchecked(Quaternion::new(d.q[0], d.q[1], d.q[2], d.q[3]));
    let mut body = Body::new(inertia, q, d.omega.into()).unwrap();
    body.set_method(match METHOD.get() {
        QI_METHOD_SPLITTING => Method::Splitting,
        QI_METHOD_SPLITTING_4 => Method::Splitting4,
        QI_METHOD_CF4 => Method::Cf4,
        QI_METHOD_SPLITTING_6 => Method::Splitting6,
        QI_METHOD_FORCE_GRADIENT => Method::ForceGradient,
        _ => Method::Pcdm,
    });
    body.advance(DT, steps, &mut InBody).unwrap();
    state_bits(&body)
}

fn expected(d: &Datum, kind: Kind, steps: u64) -> [u64; 7] {
    match kind {
        Kind::Callback(_, QI_FRAME_BODY) => alone_body_frame(d, steps),
        _ => alone(d, kind, steps),
    }
}

/// A particle of a DEM code, which has other fields between orientation and angular velocity.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Particle {
    position: [f64; 3],
    q: [f64; 4],
    radius: f64,
    omega: [f64; 3],
    tag: u64,
}
const STRIDE: isize = (size_of::<Particle>() / 8) as isize;

struct Setup {
    ensemble: *mut qi_ensemble,
    layout: Box<i32>,
    kind: Kind,
}

impl Drop for Setup {
    fn drop(&mut self) {
        unsafe { qi_destroy_ensemble(self.ensemble) };
    }
}

impl Setup {
    fn new(data: &[Datum], kind: Kind) -> Setup {
        let inertias: Vec<f64> = data.iter().flat_map(|d| d.inertia).collect();
        let qs: Vec<f64> = data.iter().flat_map(|d| d.q).collect();
        let omegas: Vec<f64> = data.iter().flat_map(|d| d.omega).collect();
        let vectors: Vec<f64> = data.iter().flat_map(|d| d.vector).collect();
        let layout = Box::new(if let Kind::Callback(layout, _) = kind {
            layout
        } else {
            0
        });
        unsafe {
            let e = qi_create_ensemble(data.len(), null_mut());
            assert!(!e.is_null());
            ok(qi_set_ensemble_method(e, METHOD.get()));
            ok(qi_set_inertias(e, inertias.as_ptr(), 9));
            ok(qi_set_angular_velocities(e, omegas.as_ptr(), 3, 1)); // deliberately before the orientations
            ok(qi_set_orientations(e, qs.as_ptr(), 4, 1));
            ok(qi_set_angular_velocities(e, omegas.as_ptr(), 3, 1)); // without what a body with zero moments had not in the other orientation
            let user_data: *mut c_void = (&raw const *layout).cast_mut().cast();
            ok(match kind {
                Kind::Free | Kind::Protocol => QI_OK,
                Kind::Continued(layout) => qi_set_ensemble_stage_layout(e, layout),
                Kind::Constant(frame) => {
                    qi_set_ensemble_constant_torque(e, vectors.as_ptr(), 3, frame)
                }
                Kind::Field => {
                    qi_set_ensemble_uniform_field_torque(e, vectors.as_ptr(), 3, FIELD.as_ptr())
                }
                Kind::VerticalField => {
                    qi_set_ensemble_uniform_field_torque(e, vectors.as_ptr(), 3, DOWN.as_ptr())
                }
                Kind::TopWeight => {
                    qi_set_ensemble_uniform_field_torque(e, LEVER.as_ptr(), 0, DOWN.as_ptr())
                }
                Kind::GravityGradient => {
                    qi_set_ensemble_gravity_gradient_torque(e, FIELD.as_ptr(), vectors.as_ptr(), 3)
                }
                Kind::Drag => qi_set_ensemble_linear_drag_torque(e, vectors.as_ptr(), 3),
                Kind::Shear => qi_set_ensemble_shear_flow_torque(
                    e,
                    SEMI_AXES.as_ptr(),
                    0,
                    0.01,
                    SHEAR.as_ptr(),
                ),
                Kind::Callback(layout, frame) => {
                    qi_set_ensemble_torque(e, Some(many), layout, frame, user_data)
                }
            });
            Setup {
                ensemble: e,
                layout,
                kind,
            }
        }
    }

    fn advance(&self, steps: u64, positions: usize) {
        let e = self.ensemble;
        let _ = &self.layout;
        unsafe {
            if !matches!(self.kind, Kind::Protocol | Kind::Continued(_)) {
                ok(qi_advance_ensemble(e, DT, steps, null_mut()));
                return;
            }
            let (mut q, mut omega, mut torque) = (
                vec![0.0; 4 * positions],
                vec![0.0; 3 * positions],
                vec![0.0; 3 * positions],
            );
            let mut time = 0.0;
            let layout = if let Kind::Continued(layout) = self.kind {
                layout
            } else {
                QI_LAYOUT_AOS
            };
            let data = (&raw const layout).cast_mut().cast();
            if self.kind != Kind::Protocol {
                ok(qi_begin_ensemble_steps(e, DT, steps));
                let mut status =
                    qi_next_ensemble_stage(e, &mut time, q.as_mut_ptr(), omega.as_mut_ptr());
                while status == QI_NEED_TORQUE {
                    let (q, omega, given) =
                        (q.as_mut_ptr(), omega.as_mut_ptr(), torque.as_mut_ptr());
                    many(time, 0, positions, q, omega, given, data);
                    status = qi_continue_ensemble_step(e, given, &mut time, q, omega);
                }
                return ok(status);
            }
            for _ in 0..steps {
                ok(qi_begin_ensemble_step(e, DT));
                loop {
                    match qi_next_ensemble_stage(e, &mut time, q.as_mut_ptr(), omega.as_mut_ptr()) {
                        QI_NEED_TORQUE => {}
                        status => break ok(status),
                    }
                    many(
                        time,
                        0,
                        positions,
                        q.as_ptr(),
                        omega.as_ptr(),
                        torque.as_mut_ptr(),
                        data,
                    );
                    ok(qi_supply_ensemble_torque(e, torque.as_ptr()));
                }
            }
        }
    }

    /// Orientation as bits, and the angular velocity in the world frame.
    fn states(&self, count: usize) -> Vec<[u64; 7]> {
        let (mut q, mut omega) = (vec![0.0; 4 * count], vec![0.0; 3 * count]);
        unsafe {
            ok(qi_get_orientations(self.ensemble, q.as_mut_ptr(), 4, 1));
            ok(qi_get_angular_velocities(
                self.ensemble,
                omega.as_mut_ptr(),
                3,
                1,
            ));
        }
        let state = |i: usize| {
            row(
                q[4 * i..4 * i + 4].try_into().unwrap(),
                omega[3 * i..3 * i + 3].try_into().unwrap(),
            )
        };
        (0..count).map(state).collect()
    }
}

fn particles(data: &[Datum]) -> Vec<Particle> {
    let omega_body = |d: &Datum| {
        alone(d, Kind::Free, 0)[4..]
            .iter()
            .map(|b| f64::from_bits(*b))
            .collect::<Vec<_>>()
    };
    let particle = |(i, d): (usize, &Datum)| Particle {
        position: [i as f64; 3],
        q: d.q,
        radius: -1.5,
        omega: omega_body(d).try_into().unwrap(),
        tag: 0xDEAD_BEEF_0000 + i as u64,
    };
    data.iter().enumerate().map(particle).collect()
}

unsafe fn bind(e: *mut qi_ensemble, particles: &mut [Particle]) {
    let first = particles.as_mut_ptr();
    unsafe {
        ok(qi_bind_orientations(
            e,
            (&raw mut (*first).q).cast(),
            STRIDE,
            1,
            QI_SCALAR_FIRST,
        ));
        ok(qi_bind_angular_velocities(
            e,
            (&raw mut (*first).omega).cast(),
            STRIDE,
            1,
            QI_OMEGA_BODY,
        ));
    }
}

fn bits(p: &Particle) -> [u64; 7] {
    row(p.q, p.omega)
}

/// Records bound as QI_OMEGA_BODY hold the angular velocity in the body frame, so all seven numbers can be compared.
#[test]
fn bound_records_have_the_bits_of_bodies_alone() {
    let steps = 12;
    for (method, kind) in methods_and_kinds() {
        METHOD.set(method);
        for &n in SIZES {
            let data: Vec<Datum> = (0..n).map(datum).collect();
            let setup = Setup::new(&data, kind);
            let mut records = particles(&data);
            unsafe { bind(setup.ensemble, &mut records) };
            setup.advance(steps, n);
            for (i, (record, d)) in records.iter().zip(&data).enumerate() {
                assert_eq!(
                    bits(record),
                    expected(d, kind, steps),
                    "method {method}, {kind:?}, body {i} of {n}"
                );
                assert_eq!(
                    (record.position, record.radius, record.tag),
                    ([i as f64; 3], -1.5, 0xDEAD_BEEF_0000 + i as u64)
                );
            }
        }
    }
    METHOD.set(QI_METHOD_PCDM);
}

#[test]
fn bodies_with_zero_moments_and_others_beside_them_have_the_bits_of_bodies_alone() {
    let steps = 6;
    for (method, kind) in methods_and_kinds() {
        METHOD.set(method);
        for n in [1, 9, 67] {
            let data: Vec<Datum> = (0..n).map(datum_with_zeros).collect();
            let (own, bound) = (Setup::new(&data, kind), Setup::new(&data, kind));
            let mut records = particles(&data);
            unsafe { bind(bound.ensemble, &mut records) };
            bound.advance(steps, n);
            own.advance(steps, n);
            for (i, (record, d)) in records.iter().zip(&data).enumerate() {
                assert_eq!(
                    bits(record),
                    expected(d, kind, steps),
                    "method {method}, {kind:?}, body {i} of {n}"
                );
            }
            assert_eq!(
                own.states(n),
                bound.states(n),
                "method {method}, {kind:?}, {n} bodies"
            );
        }
        for i in (0..18).step_by(2) {
            // all of one kind: they share an inertia
            let data = vec![datum_with_zeros(i); 3];
            let shared = Setup::new(&data, kind);
            ok(unsafe { qi_set_inertias(shared.ensemble, data[0].inertia.as_ptr(), 0) });
            let mut records = particles(&data);
            unsafe { bind(shared.ensemble, &mut records) };
            shared.advance(steps, 3);
            assert_eq!(
                bits(&records[2]),
                expected(&data[2], kind, steps),
                "method {method}, {kind:?}, body {i}"
            );
        }
    }
    METHOD.set(QI_METHOD_PCDM);
}

/// Own memory, with any number of threads and with steps taken one by one or in one call, gives the same bits as bound
/// records.
#[test]
fn own_memory_and_threads_have_the_bits_of_bound_records() {
    let steps = 7;
    for (method, kind) in methods_and_kinds() {
        METHOD.set(method);
        for n in [1, 17, if method == QI_METHOD_PCDM { MANY } else { FEW }] {
            let data: Vec<Datum> = (0..n).map(datum).collect();
            let mut records = particles(&data);
            let bound = Setup::new(&data, kind);
            unsafe { bind(bound.ensemble, &mut records) };
            bound.advance(steps, n);
            let reference = bound.states(n);
            for threads in [1, 2, 5] {
                for by_one in [false, true] {
                    let own = Setup::new(&data, kind);
                    ok(unsafe { set_threads(own.ensemble, threads) });
                    if by_one {
                        (0..steps).for_each(|_| own.advance(1, n))
                    } else {
                        own.advance(steps, n)
                    };
                    assert_eq!(
                        own.states(n),
                        reference,
                        "method {method}, {kind:?}, {n} bodies, {threads} threads, one by one: {by_one}"
                    );
                }
            }
            let mut records_too = particles(&data);
            let threaded = Setup::new(&data, kind);
            unsafe { bind(threaded.ensemble, &mut records_too) };
            ok(unsafe { set_threads(threaded.ensemble, 3) });
            threaded.advance(steps, n);
            assert_eq!(
                records_too, records,
                "{kind:?}, {n} bound bodies, 3 threads"
            );
        }
    }
    METHOD.set(QI_METHOD_PCDM);
}

/// Runs the tests of this program with `bits_of` in their names again with each instruction set of this machine. Other processors have one.
#[cfg(target_arch = "x86_64")]
#[test]
fn every_instruction_set_gives_the_same_bits() {
    use crate::common::levels::{LEVELS, tests_at};
    for level in LEVELS {
        let text = tests_at(level, "bits_of");
        assert!(text.contains("10 passed"), "{level:?}: {text}");
    }
}

/// FNV-1a, of 64-bit words.
fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0xCBF2_9CE4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Results are promised bit for bit, from one version to the next. A change of a line here is a change of *Numbers* in
/// CHANGELOG.md. `QUATINT_REFRESH=1 cargo test --test portable on_record` writes the record anew.
#[test]
fn the_bits_of_every_torque_and_every_bound_velocity_are_those_on_record() {
    let data: Vec<Datum> = (0..200).map(datum).collect();
    let mut lines = String::new();
    for (method, kind) in methods_and_kinds() {
        METHOD.set(method);
        let bits = hash(data.iter().flat_map(|d| expected(d, kind, 12)));
        lines += &format!("method {method}, {kind:?}: {bits:016x}\n");
    }
    METHOD.set(QI_METHOD_PCDM);
    for (name, kind) in [
        ("omega world", QI_OMEGA_WORLD),
        ("L world", QI_ANGMOM_WORLD),
        ("L body", QI_ANGMOM_BODY),
    ] {
        let setup = Setup::new(&data, Kind::Field);
        let mut array: Vec<f64> = data.iter().flat_map(|d| d.omega).collect();
        ok(unsafe { qi_bind_angular_velocities(setup.ensemble, array.as_mut_ptr(), 3, 1, kind) });
        setup.advance(12, data.len());
        let bits = hash(
            setup
                .states(data.len())
                .into_iter()
                .flatten()
                .chain(array.iter().map(|x| x.to_bits())),
        );
        lines += &format!("{name}, bound: {bits:016x}\n");
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bits.txt");
    if std::env::var_os("QUATINT_REFRESH").is_some() {
        std::fs::write(&file, &lines).expect("tests/data is writable");
    }
    assert_eq!(
        lines,
        std::fs::read_to_string(&file).expect("the record is committed")
    );
}

#[test]
fn columns_packed_rows_scalar_last_and_shared_inertia_have_the_bits_of_own_memory() {
    let n = 150;
    let data: Vec<Datum> = (0..n)
        .map(|i| Datum {
            inertia: datum(0).inertia,
            ..datum(i)
        })
        .collect();
    let own = Setup::new(&data, Kind::Field);
    own.advance(9, n);

    // strides from body to body and from component to component; q as x, y, z, w
    for (q_strides, omega_strides) in [((1, n), (1, n)), ((4, 1), (3, 1))] {
        let other = Setup::new(&data, Kind::Field);
        let (mut q, mut omega) = (vec![0.0; 4 * n], vec![0.0; 3 * n]);
        for (i, p) in particles(&data).iter().enumerate() {
            (0..4).for_each(|c| q[i * q_strides.0 + (c + 3) % 4 * q_strides.1] = p.q[c]);
            (0..3).for_each(|c| omega[i * omega_strides.0 + c * omega_strides.1] = p.omega[c]);
        }
        let (q_strides, omega_strides) = (
            (q_strides.0, q_strides.1 as isize),
            (omega_strides.0, omega_strides.1 as isize),
        );
        unsafe {
            ok(qi_set_inertias(other.ensemble, data[0].inertia.as_ptr(), 0));
            let (q, omega) = (q.as_mut_ptr(), omega.as_mut_ptr());
            ok(qi_bind_orientations(
                other.ensemble,
                q,
                q_strides.0 as isize,
                q_strides.1,
                QI_SCALAR_LAST,
            ));
            let kind = QI_OMEGA_BODY;
            ok(qi_bind_angular_velocities(
                other.ensemble,
                omega,
                omega_strides.0 as isize,
                omega_strides.1,
                kind,
            ));
        }
        other.advance(9, n);
        assert!(other.states(n) == own.states(n), "{q_strides:?}");
    }
}

#[test]
fn records_that_do_not_fit_the_cache_forwards_and_backwards_have_the_bits_of_own_memory() {
    let n = 10_000;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    for kind in [Kind::Field, Kind::Callback(QI_LAYOUT_SOA, QI_FRAME_WORLD)] {
        let own = Setup::new(&data, kind);
        own.advance(2, n);
        for stride in [16, -16] {
            let first = |i: usize| 16 * if stride > 0 { i } else { n - 1 - i };
            let mut records = vec![-7.0; 16 * n];
            for (i, particle) in particles(&data).iter().enumerate() {
                records[first(i) + 3..][..4].copy_from_slice(&particle.q);
                (0..3).for_each(|c| records[first(i) + 12 - c] = particle.omega[c]); // the components in reverse order too
            }
            let setup = Setup::new(&data, kind);
            unsafe {
                let (q, omega) = (
                    records.as_mut_ptr().add(first(0) + 3),
                    records.as_mut_ptr().add(first(0) + 12),
                );
                ok(qi_bind_orientations(
                    setup.ensemble,
                    q,
                    stride,
                    1,
                    QI_SCALAR_FIRST,
                ));
                ok(qi_bind_angular_velocities(
                    setup.ensemble,
                    omega,
                    stride,
                    -1,
                    QI_OMEGA_BODY,
                ));
            }
            setup.advance(2, n);
            assert!(
                setup.states(n) == own.states(n),
                "{kind:?}, stride {stride}"
            );
            assert_eq!(records.iter().filter(|x| **x == -7.0).count(), 9 * n);
        }
    }
}

#[test]
fn other_kinds_of_velocity_give_the_same_motion_but_for_rounding() {
    let n = 40;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let reference = Setup::new(&data, Kind::Field);
    reference.advance(20, n);
    for kind in [QI_OMEGA_WORLD, QI_ANGMOM_WORLD, QI_ANGMOM_BODY] {
        let setup = Setup::new(&data, Kind::Field);
        let mut array = vec![0.0; 3 * n];
        unsafe {
            if kind == QI_OMEGA_WORLD {
                ok(qi_get_angular_velocities(
                    setup.ensemble,
                    array.as_mut_ptr(),
                    3,
                    1,
                ));
            } else {
                ok(qi_get_angular_momenta(
                    setup.ensemble,
                    array.as_mut_ptr(),
                    3,
                    1,
                ));
            }
            if kind == QI_ANGMOM_BODY {
                for (l, d) in array.chunks_exact_mut(3).zip(&data) {
                    let world = [l[0], l[1], l[2]];
                    ok(qi_rotate_inverse(
                        d.q.as_ptr(),
                        world.as_ptr(),
                        l.as_mut_ptr(),
                    ));
                }
            }
            ok(qi_bind_angular_velocities(
                setup.ensemble,
                array.as_mut_ptr(),
                3,
                1,
                kind,
            ));
        }
        setup.advance(20, n);
        for (i, (a, b)) in setup.states(n).iter().zip(reference.states(n)).enumerate() {
            for (a, b) in a.iter().zip(b) {
                let (a, b) = (f64::from_bits(*a), f64::from_bits(b));
                assert!(
                    (a - b).abs() < 1e-12 || i % 5 == 4,
                    "kind {kind}, body {i}: {a} {b}"
                ); // fast bodies amplify rounding
            }
        }
    }
}

#[test]
fn only_active_bodies_move() {
    let n = 300;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let active: Vec<usize> = (0..n).filter(|i| i % 7 != 3).collect();
    for kind in KINDS {
        let (own, bound) = (Setup::new(&data, kind), Setup::new(&data, kind));
        let mut records = particles(&data);
        let before = records.clone();
        unsafe {
            bind(bound.ensemble, &mut records);
            for e in [own.ensemble, bound.ensemble] {
                ok(qi_set_ensemble_active(e, active.as_ptr(), active.len()));
                ok(set_threads(e, 2));
            }
        }
        own.advance(5, active.len());
        bound.advance(5, active.len());
        for i in 0..n {
            let wanted = if i % 7 == 3 {
                bits(&before[i])
            } else {
                expected(&data[i], kind, 5)
            };
            assert_eq!(bits(&records[i]), wanted, "{kind:?}, body {i}");
        }
        assert_eq!(own.states(n), bound.states(n), "{kind:?}");
        ok(unsafe { qi_set_ensemble_active(own.ensemble, null(), 0) }); // all bodies again
        own.advance(1, n);
    }
    let setup = Setup::new(&data, Kind::Free);
    for bad in [[3_usize, 3], [5, 4], [1, 300]] {
        assert_eq!(
            unsafe { qi_set_ensemble_active(setup.ensemble, bad.as_ptr(), 2) },
            QI_ERR_INVALID,
            "{bad:?}"
        );
    }
}

/// A torque that fails in one way, at one stage, for the chunk that contains `body`.
struct Trouble {
    body: usize,
    time: Cell<f64>,
    value: f64,
    result: i32,
}

unsafe extern "C" fn troublesome(
    time: f64,
    first: usize,
    count: usize,
    _: *const f64,
    _: *const f64,
    torque: *mut f64,
    trouble: *mut c_void,
) -> i32 {
    let trouble = unsafe { &*trouble.cast::<Trouble>() };
    if time == trouble.time.get() && (first..first + count).contains(&trouble.body) {
        unsafe { *torque.add(3 * (trouble.body - first) + 1) = trouble.value };
        return trouble.result;
    }
    0
}

#[test]
fn a_failure_names_the_body_and_leaves_every_body_as_it_was() {
    // many bodies, and few: the few are gathered and scattered at once
    for (n, body, chunk) in [(1000, 613, "576 to 639"), (40, 13, "0 to 39")] {
        a_failure_at_body_leaves_all_as_they_were(n, body, chunk);
    }
}

fn a_failure_at_body_leaves_all_as_they_were(n: usize, body: usize, chunk: &str) {
    let data: Vec<Datum> = (0..n).map(datum).collect();
    for threads in [1, 2] {
        for stage in [0.0, 0.5 * DT] {
            for (value, result) in [(f64::NAN, 0), (f64::INFINITY, 0), (0.0, 77)] {
                let mut trouble = Trouble {
                    body,
                    time: Cell::new(stage),
                    value,
                    result,
                };
                let (own, bound) = (Setup::new(&data, Kind::Free), Setup::new(&data, Kind::Free));
                let mut records = particles(&data);
                unsafe { bind(bound.ensemble, &mut records) };
                let before = (own.states(n), records.clone());
                for e in [own.ensemble, bound.ensemble] {
                    let (frame, user_data) = (QI_FRAME_WORLD, (&raw mut trouble).cast());
                    unsafe {
                        ok(set_threads(e, threads));
                        ok(qi_set_ensemble_torque(
                            e,
                            Some(troublesome),
                            QI_LAYOUT_AOS,
                            frame,
                            user_data,
                        ));
                        let status = qi_step_ensemble(e, DT);
                        let message = last_error();
                        if result == 0 {
                            assert_eq!(status, QI_ERR_NON_FINITE);
                            assert!(
                                message.contains(&format!("body {body}: the torque is not finite")),
                                "{message}"
                            );
                        } else {
                            assert_eq!(
                                (status, qi_get_ensemble_callback_result(e)),
                                (QI_ERR_CALLBACK, 77)
                            );
                            assert!(
                                message.contains(&format!("for bodies {chunk} returned 77")),
                                "{message}"
                            );
                        }
                    }
                }
                assert!(
                    own.states(n) == before.0 && records == before.1,
                    "{threads} threads, stage at {stage}"
                );
                trouble.time.set(-1.0); // never fails again
                own.advance(1, n);
            }
        }
    }
}

/// Negative drag makes the spins grow until body 400 overflows in step 5 and body 20 in step 9 (counted from 0).
#[test]
fn fused_steps_fail_as_if_taken_one_by_one() {
    let n = 600;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    for bound in [false, true] {
        let setup = Setup::new(&data, Kind::Free);
        let mut records = particles(&data);
        let mut torques = vec![0.0; 3 * n];
        torques[3 * 400] = 1e60;
        torques[3 * 20] = 1e20;
        unsafe {
            if bound {
                bind(setup.ensemble, &mut records);
            }
            ok(qi_set_ensemble_constant_torque(
                setup.ensemble,
                torques.as_ptr(),
                3,
                QI_FRAME_BODY,
            ));
            let reference = Setup::new(&data, Kind::Free);
            ok(qi_set_ensemble_constant_torque(
                reference.ensemble,
                torques.as_ptr(),
                3,
                QI_FRAME_BODY,
            ));
            let mut stand = 0;
            while qi_step_ensemble(reference.ensemble, DT) == QI_OK {
                stand += 1;
            }
            let reason = last_error();
            let mut completed = 99;
            for threads in [1, 2] {
                let again = Setup::new(&data, Kind::Free);
                let e = if threads == 1 {
                    setup.ensemble
                } else {
                    again.ensemble
                };
                ok(set_threads(e, threads));
                ok(qi_set_ensemble_constant_torque(
                    e,
                    torques.as_ptr(),
                    3,
                    QI_FRAME_BODY,
                ));
                assert_eq!(
                    qi_advance_ensemble(e, DT, 100, &mut completed),
                    QI_ERR_NON_FINITE
                );
                assert_eq!(completed, stand);
                let tail = |m: &str| m[m.find("body").unwrap()..].to_owned();
                assert_eq!(tail(&last_error()), tail(&reason));
            }
            assert!(
                stand > 0 && reason.contains("body 400:"),
                "{stand} {reason}"
            );
            assert_eq!(setup.states(n), reference.states(n), "bound: {bound}");
            let mut time = 0.0;
            ok(qi_get_ensemble_time(setup.ensemble, &mut time));
            assert!((time - stand as f64 * DT).abs() < 1e-15);
        }
    }
}

/// Mixes successful and failing steps of several lengths with changes of every setting. After a failure, an ensemble
/// with own memory repeats steps to restore its states; bound records are restored directly. Both must always have the
/// same states.
#[test]
fn steps_that_are_taken_again_after_a_failure_come_to_the_same_bits() {
    let n = 600;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let mut torques = vec![0.01; 3 * n];
    torques[3 * 400] = 1e12; // overflows after some steps of length DT, never with 1e-20
    let (own, bound, mut records) = (
        Setup::new(&data, Kind::Free),
        Setup::new(&data, Kind::Free),
        particles(&data),
    );
    let pair = [own.ensemble, bound.ensemble];
    let (mut random, mut failures, mut standing) = (12345_u64, 0, 0);
    unsafe {
        bind(bound.ensemble, &mut records);
        pair.iter().for_each(|&e| {
            ok(qi_set_ensemble_constant_torque(
                e,
                torques.as_ptr(),
                3,
                QI_FRAME_BODY,
            ))
        });
        for (round, datum) in data.iter().enumerate() {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let dt = [1e-20, 1e-20, 1e-20, DT, -DT][(random >> 34) as usize % 5];
            match (random >> 40) % 20 {
                0 => ok(set_threads(own.ensemble, 1 + round % 3)),
                1 => pair
                    .iter()
                    .for_each(|&e| ok(qi_set_orientations(e, [0.6, 0.8, 0.0, 0.0].as_ptr(), 0, 1))),
                2 | 6 | 7 => pair.iter().for_each(|&e| {
                    ok(qi_set_angular_velocities(e, [0.1, 0.2, 0.3].as_ptr(), 0, 1))
                }),
                3 => pair
                    .iter()
                    .for_each(|&e| ok(qi_set_inertias(e, datum.inertia.as_ptr(), 0))),
                8 => {
                    torques[0] += 0.01;
                    pair.iter().for_each(|&e| {
                        ok(qi_set_ensemble_constant_torque(
                            e,
                            torques.as_ptr(),
                            3,
                            QI_FRAME_BODY,
                        ))
                    });
                }
                4 => pair.iter().for_each(|&e| {
                    ok(qi_set_ensemble_active(e, [1, 3, 400].as_ptr(), 3));
                    qi_step_ensemble(e, DT);
                    ok(qi_set_ensemble_active(e, null(), 0));
                }),
                5 => pair.iter().for_each(|&e| {
                    ok(qi_begin_ensemble_step(e, DT));
                    let (mut time, mut q, mut omega) = (0.0, vec![0.0; 4 * n], vec![0.0; 3 * n]);
                    assert_eq!(
                        qi_next_ensemble_stage(e, &mut time, q.as_mut_ptr(), omega.as_mut_ptr()),
                        QI_NEED_TORQUE
                    );
                    qi_supply_ensemble_torque(e, vec![0.1; 3 * n].as_ptr()); // body 400 may overflow here too
                    ok(qi_cancel_ensemble_step(e));
                }),
                _ => {}
            }
            let status = pair.map(|e| match round % 5 {
                0 => qi_advance_ensemble(e, dt, 7, null_mut()),
                _ => qi_step_ensemble(e, dt),
            });
            assert!(
                status[0] == status[1] && [QI_OK, QI_ERR_NON_FINITE].contains(&status[0]),
                "round {round}: {status:?}"
            );
            if status[0] == QI_OK {
                standing += 1
            } else {
                failures += 1
            }
            assert!(own.states(n) == bound.states(n), "round {round}");
        }
    }
    assert!(failures > 50 && standing > 200, "{failures} {standing}");
}

#[test]
fn the_stage_protocol_refuses_the_wrong_order_and_can_be_cancelled() {
    let n = 200;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let setup = Setup::new(&data, Kind::Free);
    let (e, before) = (setup.ensemble, setup.states(n));
    let (mut time, mut q, mut omega, mut torque) =
        (0.0, vec![0.0; 4 * n], vec![0.0; 3 * n], vec![0.1; 3 * n]);
    unsafe {
        let mut next = || qi_next_ensemble_stage(e, &mut time, q.as_mut_ptr(), omega.as_mut_ptr());
        assert_eq!(next(), QI_ERR_ORDER);
        assert_eq!(qi_supply_ensemble_torque(e, torque.as_ptr()), QI_ERR_ORDER);
        ok(qi_begin_ensemble_step(e, DT));
        assert_eq!(qi_begin_ensemble_step(e, DT), QI_ERR_ORDER);
        assert_eq!(qi_step_ensemble(e, DT), QI_ERR_ORDER);
        assert_eq!(qi_set_ensemble_threads(e, 2), QI_ERR_ORDER);
        assert_eq!(qi_supply_ensemble_torque(e, torque.as_ptr()), QI_ERR_ORDER);
        assert_eq!(next(), QI_NEED_TORQUE);
        assert_eq!(next(), QI_ERR_ORDER);
        for _stage in 0..2 {
            // body 40's torque would overflow too, but the error names the torque that is not finite and lets it be
            // supplied again
            (torque[3 * 40], torque[3 * 123 + 2]) = (f64::MAX, f64::NAN);
            assert_eq!(
                qi_supply_ensemble_torque(e, torque.as_ptr()),
                QI_ERR_NON_FINITE
            );
            assert!(
                last_error().contains("body 123: the torque is not finite"),
                "{}",
                last_error()
            );
            (torque[3 * 40], torque[3 * 123 + 2]) = (0.0, 0.0);
            ok(qi_supply_ensemble_torque(e, torque.as_ptr()));
            assert_ne!(next(), QI_ERR_ORDER);
        }
        let stepped = setup.states(n);
        assert!(stepped != before);
        ok(qi_begin_ensemble_step(e, DT));
        assert_eq!(next(), QI_NEED_TORQUE);
        torque[3 * 40] = f64::MAX;
        assert_eq!(
            qi_supply_ensemble_torque(e, torque.as_ptr()),
            QI_ERR_NON_FINITE
        );
        assert!(last_error().contains("body 40"), "{}", last_error());
        assert_eq!(next(), QI_ERR_ORDER, "an overflow cancels the step");
        assert!(setup.states(n) == stepped);
        ok(qi_begin_ensemble_step(e, DT));
        assert_eq!(next(), QI_NEED_TORQUE);
        ok(qi_cancel_ensemble_step(e));
        assert!(setup.states(n) == stepped);
        ok(qi_step_ensemble(e, DT));
    }
}

unsafe extern "C" fn no_torque(
    _: f64,
    _: usize,
    _: usize,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut c_void,
) -> i32 {
    0
}

#[test]
fn steps_that_are_continued_refuse_the_wrong_order_and_keep_those_that_are_taken() {
    let n = 200;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    for bound in [false, true] {
        let (setup, reference) = (Setup::new(&data, Kind::Free), Setup::new(&data, Kind::Free));
        let mut records = [particles(&data), particles(&data)];
        let e = setup.ensemble;
        let (mut time, mut q, mut omega, mut torque) =
            (0.0, vec![0.0; 4 * n], vec![0.0; 3 * n], vec![0.0; 3 * n]);
        unsafe {
            if bound {
                bind(e, &mut records[0]);
                bind(reference.ensemble, &mut records[1]);
            }
            let go_on = |torque: &[f64], time: &mut f64, q: &mut [f64], omega: &mut [f64]| {
                qi_continue_ensemble_step(
                    e,
                    torque.as_ptr(),
                    time,
                    q.as_mut_ptr(),
                    omega.as_mut_ptr(),
                )
            };
            assert_eq!(go_on(&torque, &mut time, &mut q, &mut omega), QI_ERR_ORDER);
            for (dt, steps) in [(DT, 0), (0.0, 5)] {
                ok(qi_begin_ensemble_steps(e, dt, steps));
                assert_eq!(go_on(&torque, &mut time, &mut q, &mut omega), QI_ERR_ORDER);
                ok(qi_next_ensemble_stage(
                    e,
                    &mut time,
                    q.as_mut_ptr(),
                    omega.as_mut_ptr(),
                ));
            }
            assert_eq!(
                qi_begin_ensemble_steps(e, f64::INFINITY, 5),
                QI_ERR_NON_FINITE
            );
            ok(qi_begin_ensemble_steps(e, DT, 5));
            assert_eq!(qi_begin_ensemble_step(e, DT), QI_ERR_ORDER);
            assert_eq!(
                qi_next_ensemble_stage(e, &mut time, q.as_mut_ptr(), omega.as_mut_ptr()),
                QI_NEED_TORQUE
            );
            for torque in [q.as_ptr(), omega.as_ptr()] {
                let status = qi_continue_ensemble_step(
                    e,
                    torque,
                    &mut time,
                    q.as_mut_ptr(),
                    omega.as_mut_ptr(),
                );
                assert_eq!(status, QI_ERR_INVALID);
                assert!(
                    last_error().contains("`torque` must not have memory in common"),
                    "{}",
                    last_error()
                );
            }
            assert_eq!(
                qi_continue_ensemble_step(e, null(), &mut time, q.as_mut_ptr(), omega.as_mut_ptr()),
                QI_ERR_NULL
            );
            for stage in 0..6 {
                assert_eq!(time, 0.5 * DT * stage as f64);
                let shown = (q.clone(), omega.clone());
                torque[3 * 123 + 2] = f64::NAN;
                assert_eq!(
                    go_on(&torque, &mut time, &mut q, &mut omega),
                    QI_ERR_NON_FINITE
                );
                assert!(
                    last_error().contains("body 123: the torque is not finite"),
                    "{}",
                    last_error()
                );
                assert!((&q, &omega) == (&shown.0, &shown.1), "nothing is written");
                torque[3 * 123 + 2] = 0.0; // the torque can be supplied again
                assert_eq!(
                    go_on(&torque, &mut time, &mut q, &mut omega),
                    QI_NEED_TORQUE,
                    "{}",
                    last_error()
                );
            }
            torque[3 * 40] = f64::MAX;
            assert_eq!(
                go_on(&torque, &mut time, &mut q, &mut omega),
                QI_ERR_NON_FINITE
            );
            assert!(last_error().contains("body 40"), "{}", last_error());
            torque[3 * 40] = 0.0;
            assert_eq!(
                go_on(&torque, &mut time, &mut q, &mut omega),
                QI_ERR_ORDER,
                "an overflow cancels the steps"
            );
            ok(qi_set_ensemble_torque(
                reference.ensemble,
                Some(no_torque),
                0,
                0,
                null_mut(),
            ));
            ok(qi_advance_ensemble(reference.ensemble, DT, 3, null_mut()));
            assert!(
                setup.states(n) == reference.states(n),
                "three of five stand, bound: {bound}"
            );
            ok(qi_get_ensemble_time(e, &mut time));
            assert!((time - 3.0 * DT).abs() < 1e-15);
        }
    }
}

#[test]
fn what_cannot_be_an_array_is_refused() {
    let n = 10;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let setup = Setup::new(&data, Kind::Free);
    let e = setup.ensemble;
    let mut array = vec![0.0; 200];
    let a = array.as_mut_ptr();
    let refused = |status: qi_status, wanted: qi_status, detail: &str| {
        assert!(
            status == wanted && last_error().contains(detail),
            "{status}: {}",
            last_error()
        );
    };
    unsafe {
        refused(
            qi_bind_orientations(e, null_mut(), 4, 1, 0),
            QI_ERR_NULL,
            "`data` is NULL",
        );
        refused(
            qi_bind_orientations(e, a.byte_add(2), 4, 1, 0),
            QI_ERR_MISALIGNED,
            "not aligned",
        );
        refused(
            qi_bind_orientations(e, a, 3, 1, 0),
            QI_ERR_INVALID,
            "a place of its own",
        );
        refused(
            qi_bind_orientations(e, a, 0, 1, 0),
            QI_ERR_INVALID,
            "a place of its own",
        );
        refused(
            qi_bind_orientations(e, a, 1, 9, 0),
            QI_ERR_INVALID,
            "a place of its own",
        );
        refused(
            qi_bind_orientations(e, a, isize::MAX / 2, 1, 0),
            QI_ERR_INVALID,
            "can be addressed",
        );
        refused(
            qi_bind_orientations(e, a, 4, 1, 2),
            QI_ERR_INVALID,
            "`order` must be",
        );
        refused(
            qi_bind_orientations(e, a, 4, 1, 0),
            QI_ERR_ORIENTATION,
            "body 0: `data` is not a rotation quaternion: its length is 0.0",
        );
        refused(
            qi_bind_angular_velocities(e, a, 3, 1, 9),
            QI_ERR_INVALID,
            "`kind` must be",
        );
        (0..n).for_each(|i| array[8 * i] = 1.0);
        ok(qi_bind_orientations(
            e,
            array.as_mut_ptr(),
            8,
            1,
            QI_SCALAR_FIRST,
        ));
        let inside = array.as_mut_ptr().add(3);
        refused(
            qi_bind_angular_velocities(e, inside, 8, 1, 0),
            QI_ERR_INVALID,
            "must not overlap",
        );
        ok(qi_bind_angular_velocities(
            e,
            array.as_mut_ptr().add(4),
            8,
            1,
            QI_OMEGA_WORLD,
        ));
        refused(
            qi_get_orientations(e, array.as_mut_ptr(), 0, 1),
            QI_ERR_INVALID,
            "a place of its own",
        );

        let bad = [1.0, f64::NAN, 0.0];
        refused(
            qi_set_angular_velocities(e, bad.as_ptr(), 0, 1),
            QI_ERR_NON_FINITE,
            "`data[1]` is NaN",
        );
        refused(
            qi_set_ensemble_uniform_field_torque(e, bad.as_ptr(), 0, bad.as_ptr()),
            QI_ERR_NON_FINITE,
            "vectors_body[1]",
        );
        refused(
            qi_set_ensemble_threads(e, 0),
            QI_ERR_INVALID,
            "`threads` must be from 1 to 1024",
        );
        let mut status = 0;
        assert!(qi_create_ensemble(usize::MAX / 64, &mut status).is_null());
        assert_eq!(status, QI_ERR_MEMORY);
    }
}

#[test]
fn totals_are_the_sums_of_what_each_body_has() {
    let n = 500;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let setup = Setup::new(&data, Kind::Free);
    let (mut energies, mut momenta, mut energy, mut momentum) =
        (vec![0.0; n], vec![0.0; 3 * n], 0.0, [0.0; 3]);
    unsafe {
        ok(qi_get_kinetic_energies(
            setup.ensemble,
            energies.as_mut_ptr(),
            1,
        ));
        ok(qi_get_angular_momenta(
            setup.ensemble,
            momenta.as_mut_ptr(),
            3,
            1,
        ));
        ok(qi_get_total_kinetic_energy(setup.ensemble, &mut energy));
        ok(qi_get_total_angular_momentum(
            setup.ensemble,
            momentum.as_mut_ptr(),
        ));
        for (i, d) in data.iter().enumerate() {
            let body = qi_create_body(
                d.inertia.as_ptr(),
                d.q.as_ptr(),
                d.omega.as_ptr(),
                null_mut(),
            );
            let (mut e, mut l) = (0.0, [0.0; 3]);
            ok(qi_get_kinetic_energy(body, &mut e));
            ok(qi_get_angular_momentum(body, l.as_mut_ptr()));
            assert_eq!(
                (e, l),
                (
                    energies[i],
                    [momenta[3 * i], momenta[3 * i + 1], momenta[3 * i + 2]]
                )
            );
            qi_destroy_body(body);
        }
    }
    let sum: f64 = energies.iter().sum();
    assert!((energy / sum - 1.0).abs() < 1e-14);
    let sum: f64 = momenta.iter().step_by(3).sum();
    assert!((momentum[0] - sum).abs() < 1e-12 * momenta.iter().map(|l| l.abs()).sum::<f64>());
}

/// A caller may write anything into a bound array between the steps.
#[test]
fn an_orientation_that_is_none_is_refused_before_a_callback_sees_it() {
    unsafe extern "C" fn never(
        _: f64,
        _: usize,
        _: usize,
        _: *const f64,
        _: *const f64,
        _: *mut f64,
        called: *mut c_void,
    ) -> i32 {
        unsafe { *called.cast::<bool>() = true };
        0
    }
    let n = 200;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    for (bad, status) in [
        (f64::NAN, QI_ERR_NON_FINITE),
        (f64::INFINITY, QI_ERR_NON_FINITE),
        (7.0, QI_ERR_ORIENTATION),
    ] {
        for body in [5, 131] {
            let (setup, mut called) = (Setup::new(&data, Kind::Free), false);
            let mut q: Vec<f64> = data.iter().flat_map(|d| d.q).collect();
            unsafe {
                ok(qi_bind_orientations(
                    setup.ensemble,
                    q.as_mut_ptr(),
                    4,
                    1,
                    QI_SCALAR_FIRST,
                ));
                let user_data = (&raw mut called).cast();
                ok(qi_set_ensemble_torque(
                    setup.ensemble,
                    Some(never),
                    QI_LAYOUT_SOA,
                    QI_FRAME_BODY,
                    user_data,
                ));
                *q.as_mut_ptr().add(4 * body + 2) = bad;
                assert_eq!(
                    qi_step_ensemble(setup.ensemble, DT),
                    status,
                    "{}",
                    last_error()
                );
                assert_eq!(qi_last_error_body(), body, "{}", last_error());
                assert!(
                    last_error().contains("`bound orientations"),
                    "{}",
                    last_error()
                );
            }
            assert_eq!(
                called,
                body >= 64,
                "only chunks before that of body {body} are asked"
            );
        }
    }
}

#[test]
fn an_orientation_that_the_caller_has_written_has_the_bits_of_one_that_is_divided_by_its_length() {
    for (n, written) in [(1, 0), (2, 1), (70, 0), (70, 13), (70, 69), (600, 300)] {
        let data: Vec<Datum> = (0..n).map(datum).collect();
        let active: Vec<usize> = (0..n).filter(|i| *i != 5).collect();
        let [setup, divided] = [(), ()].map(|()| Setup::new(&data, Kind::Field));
        let [mut records, mut by_hand] = [(), ()].map(|()| particles(&data));
        unsafe {
            bind(setup.ensemble, &mut records);
            bind(divided.ensemble, &mut by_hand);
            if n == 600 {
                ok(set_threads(setup.ensemble, 2));
                ok(qi_set_ensemble_active(
                    setup.ensemble,
                    active.as_ptr(),
                    active.len(),
                ));
                ok(qi_set_ensemble_active(
                    divided.ensemble,
                    active.as_ptr(),
                    active.len(),
                ));
            }
        }
        for length in [1.0001, 1.0 + 1e-9, 1.0 - 1e-12] {
            let q = records[written].q.map(|component| component * length);
            let [w, x, y, z] = q.map(|component| component * component);
            (records[written].q, by_hand[written].q) =
                (q, q.map(|component| component / ((w + x) + (y + z)).sqrt()));
            setup.advance(1, n);
            divided.advance(1, n);
            assert!(
                records.iter().map(bits).eq(by_hand.iter().map(bits)),
                "body {written} of {n}, length {length}"
            );
        }
    }
}

/// What is written must not reach bound states, not even those of bodies that do not move.
#[test]
fn stage_arrays_that_overlap_the_states_of_inactive_bodies_are_refused() {
    let n = 8;
    let data: Vec<Datum> = (0..n).map(datum).collect();
    let setup = Setup::new(&data, Kind::Protocol);
    let mut q: Vec<f64> = data.iter().flat_map(|d| d.q).collect();
    let (mut omega, mut time, active) = ([0.0; 24], 0.0, [0_usize, 1]);
    unsafe {
        let array = q.as_mut_ptr();
        ok(qi_bind_orientations(
            setup.ensemble,
            array,
            4,
            1,
            QI_SCALAR_FIRST,
        ));
        ok(qi_set_ensemble_active(setup.ensemble, active.as_ptr(), 2));
        ok(qi_begin_ensemble_step(setup.ensemble, DT));
        let before = q.clone();
        let status =
            qi_next_ensemble_stage(setup.ensemble, &mut time, array.add(16), omega.as_mut_ptr());
        assert_eq!(status, QI_ERR_INVALID, "{}", last_error());
        assert_eq!(qi_last_error_body(), usize::MAX);
        assert_eq!(q, before);
    }
}
