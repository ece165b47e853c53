//! The same bodies in the library and on the device.

use crate::memory::{Driver, Memory};
use crate::random::Random;
use quatint::{Ensemble, Frame, Method, VelocityKind, View, ViewMut};
use quatint_cuda::ffi::*;
use std::ffi::CStr;
use std::ptr::null;

pub const TORQUES: [Kind; 8] = [
    Kind::Free,
    Kind::World,
    Kind::Body,
    Kind::Field,
    Kind::Gravity,
    Kind::LinearDrag,
    Kind::Shear,
    Kind::ShearOfEach,
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Free,
    World,
    Body,
    Field,
    Gravity,
    LinearDrag,
    Shear,
    /// With a velocity gradient of each body.
    ShearOfEach,
}

impl Kind {
    pub fn resists(self) -> bool {
        matches!(self, Kind::LinearDrag | Kind::Shear | Kind::ShearOfEach)
    }
}

pub const INERTIAS: [Bodies; 8] = [
    Bodies::AlikeAligned,
    Bodies::AlikeTurned,
    Bodies::Aligned,
    Bodies::Turned,
    Bodies::WithZeroMoments,
    Bodies::Lines,
    Bodies::WithLockedAxes,
    Bodies::Locked,
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bodies {
    AlikeAligned,
    AlikeTurned,
    /// Each with its own moments about the body axes.
    Aligned,
    /// Each with its own tensor, some of which are diagonal.
    Turned,
    /// Each with its own tensor; some have zero moments.
    WithZeroMoments,
    /// All the same line.
    Lines,
    /// Each with its own locked axes.
    WithLockedAxes,
    /// All alike, with two axes locked.
    Locked,
}

pub const VELOCITIES: [VelocityKind; 4] = [
    VelocityKind::OmegaWorld,
    VelocityKind::OmegaBody,
    VelocityKind::AngularMomentumWorld,
    VelocityKind::AngularMomentumBody,
];

/// A simulation, said once for both.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub seed: u64,
    pub count: usize,
    pub method: Method,
    pub torque: Kind,
    pub bodies: Bodies,
    pub velocity: VelocityKind,
    pub is_scalar_last: bool,
    /// Columns, or rows of eleven numbers.
    pub in_columns: bool,
    /// Whether parameters are shared.
    pub are_shared: bool,
    pub has_drag: bool,
    pub is_random: bool,
    pub has_flow: bool,
    /// How fast the fastest bodies spin.
    pub fastest: f64,
}

pub const ROW: usize = 11;

/// All numbers of the bodies of a case.
pub struct Numbers {
    pub q: Vec<f64>,
    pub velocity: Vec<f64>,
    pub tensors: Vec<[f64; 9]>,
    pub moments: Vec<[f64; 3]>,
    pub locks: Vec<i32>,
    pub vectors: Vec<f64>,
    pub positive: Vec<f64>,
    pub gradients: Vec<f64>,
    pub field: [f64; 3],
    pub shear: [f64; 9],
    pub ids: Vec<u64>,
}

const ORIENTATION: usize = 2;
const VELOCITY: usize = 7;

impl Case {
    pub fn numbers(&self) -> Numbers {
        let random = &mut Random(self.seed);
        let count = self.count;
        let size = if self.in_columns { 4 } else { ROW };
        let mut numbers = Numbers {
            q: vec![0.25; size * count],
            velocity: vec![0.25; if self.in_columns { 3 * count } else { 0 }],
            tensors: Vec::new(),
            moments: Vec::new(),
            locks: Vec::new(),
            vectors: (0..3 * count).map(|_| random.signed()).collect(),
            positive: (0..3 * count).map(|_| 0.2 + random.uniform()).collect(),
            gradients: (0..9 * count).map(|_| random.signed()).collect(),
            field: random.vector(1.0),
            shear: random.vector(1.0),
            ids: (0..count).map(|_| random.bits()).collect(),
        };
        if self.in_columns && random.coin() {
            numbers.field = [0.0, 0.0, -1.5]; // for which the CPU has loops of their own
        }
        for body in 0..count {
            let q = orientation(random);
            let w = self.spin(random, body);
            numbers.put(self, body, q, w);
            let moments = [1.0, 1.3, 1.7].map(|m| m * (0.8 + 0.4 * random.uniform()));
            numbers.moments.push(match body % 9 {
                4 => [moments[0]; 3],
                6 => [moments[0], moments[0], moments[2]],
                8 => [0.05 * moments[0], moments[1], moments[1] * (1.0 + 1e-9)],
                _ => moments,
            });
            numbers.tensors.push(self.tensor(random, body, moments));
            numbers
                .locks
                .push([0, 3, 5, 6, 7][(random.bits() % 5) as usize]); // one alone asks for equal moments
        }
        numbers
    }

    fn spin(&self, random: &mut Random, body: usize) -> [f64; 3] {
        let speed = match body % 7 {
            0 => 1e-3,
            3 => self.fastest,
            5 => self.fastest.min(30.0),
            _ => 2.0,
        };
        match body % 13 {
            1 => [0.0; 3],
            2 => [0.0, speed, 0.0], // about the intermediate axis
            4 => [1e-9 * speed, speed, 1e-9 * speed],
            _ => random.vector(speed),
        }
    }

    fn tensor(&self, random: &mut Random, body: usize, [a, b, c]: [f64; 3]) -> [f64; 9] {
        let diagonal = |x, y, z| [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z];
        let zeros = [
            diagonal(0.0, b, b),
            diagonal(b, 0.0, b),
            diagonal(b, b, 0.0),
            diagonal(0.0, 0.0, c),
            diagonal(a, 0.0, 0.0),
            diagonal(0.0, 0.0, 0.0),
        ];
        match self.bodies {
            Bodies::WithZeroMoments if body.is_multiple_of(2) => zeros[body / 2 % 6],
            Bodies::WithZeroMoments if body % 7 == 3 => {
                let e = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];
                std::array::from_fn(|k| b * (f64::from(k % 4 == 0) - e[k / 3] * e[k % 3]))
            }
            Bodies::Turned if body.is_multiple_of(3) => diagonal(a, b, c),
            _ => {
                let [x, y, z] = random.vector(0.15);
                [a, x, y, x, b, z, y, z, c]
            }
        }
    }

    fn strides(&self, columns: usize) -> ([isize; 2], usize) {
        if self.in_columns {
            ([1, self.count as isize], 0)
        } else if columns == 4 {
            ([ROW as isize, 1], ORIENTATION)
        } else {
            ([ROW as isize, 1], VELOCITY)
        }
    }

    /// Whether the library allows it.
    pub fn is_allowed(&self) -> bool {
        let resists = self.torque.resists() || self.has_drag;
        self.method.allows_resistance() || !resists
    }
}

fn orientation(random: &mut Random) -> [f64; 4] {
    loop {
        let q: [f64; 4] = random.vector(1.0);
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        if length > 0.1 {
            return q.map(|c| c / length);
        }
    }
}

impl Numbers {
    fn put(&mut self, case: &Case, body: usize, [w, x, y, z]: [f64; 4], omega: [f64; 3]) {
        let q = if case.is_scalar_last {
            [x, y, z, w]
        } else {
            [w, x, y, z]
        };
        for (k, c) in q.into_iter().enumerate() {
            self.q[case.place(4, body, k)] = c;
        }
        for (k, c) in omega.into_iter().enumerate() {
            let at = case.place(3, body, k);
            if case.in_columns {
                self.velocity[at] = c;
            } else {
                self.q[at] = c;
            }
        }
    }

    pub fn all(&self) -> Vec<u64> {
        self.q
            .iter()
            .chain(&self.velocity)
            .map(|number| number.to_bits())
            .collect()
    }
}

impl Case {
    /// Where component `k` is.
    pub fn place(&self, columns: usize, body: usize, k: usize) -> usize {
        let ([a, b], first) = self.strides(columns);
        first + body * a as usize + k * b as usize
    }

    pub fn view<'a, const K: usize>(
        &self,
        of_each: &'a [f64],
        shared: &'a [f64; K],
    ) -> View<'a, K> {
        if self.are_shared {
            View::shared(shared, self.count)
        } else {
            View::rows(of_each).expect("whole rows")
        }
    }
}

/// What is done with the bodies.
pub trait Run {
    fn on_cpu(&self, bodies: &mut Ensemble);
    fn on_device(&self, bodies: &OnDevice);
}

fn first<const K: usize>(numbers: &[f64]) -> &[f64; K] {
    numbers[..K].try_into().expect("as many")
}

/// The numbers after a run of the library.
pub fn on_cpu(case: &Case, run: &dyn Run) -> Vec<u64> {
    let given = case.numbers();
    let mut states = case.numbers();
    let count = case.count;
    let Numbers { q, velocity, .. } = &mut states;
    {
        let mut e = Ensemble::new(count).expect("memory");
        set_inertias_on_cpu(case, &given, &mut e);
        let ([a, b], first_q) = case.strides(4);
        let (q, w) = if case.in_columns {
            (
                ViewMut::strided(q, first_q, count, a, b).expect("it fits"),
                ViewMut::columns(velocity).expect("it fits"),
            )
        } else {
            ViewMut::records(q, ROW, ORIENTATION, VELOCITY).expect("it fits")
        };
        let q = if case.is_scalar_last {
            q.scalar_last()
        } else {
            q
        };
        e.bind_orientations(q).expect("unit quaternions");
        e.bind_angular_velocities(w, case.velocity).expect("finite");
        e.set_method(case.method).expect("any method");
        set_torque_on_cpu(case, &given, &mut e);
        run.on_cpu(&mut e);
    }
    states.all()
}

fn set_inertias_on_cpu(case: &Case, given: &Numbers, e: &mut Ensemble) {
    let count = case.count;
    let of_each = given.moments.as_flattened();
    let line = [0.0, 1.3, 1.3];
    let tensors = given.tensors.as_flattened();
    match case.bodies {
        Bodies::AlikeAligned | Bodies::Locked => {
            e.set_principal_inertias(View::shared(&given.moments[0], count))
        }
        Bodies::AlikeTurned => e.set_inertias(View::shared(&given.tensors[0], count)),
        Bodies::Aligned | Bodies::WithLockedAxes => {
            e.set_principal_inertias(View::rows(of_each).expect("rows"))
        }
        Bodies::Turned | Bodies::WithZeroMoments => {
            e.set_inertias(View::rows(tensors).expect("rows"))
        }
        Bodies::Lines => e.set_principal_inertias(View::shared(&line, count)),
    }
    .expect("inertias");
    match case.bodies {
        Bodies::WithLockedAxes => e.lock_axes(&given.locks, false).expect("principal axes"),
        Bodies::Locked => e.lock_axes(&[6], true).expect("principal axes"),
        _ => {}
    }
}

fn set_torque_on_cpu(case: &Case, n: &Numbers, e: &mut Ensemble) {
    let vectors = case.view::<3>(&n.vectors, first(&n.vectors));
    let positive = case.view::<3>(&n.positive, first(&n.positive));
    match case.torque {
        Kind::Free => e.set_free(),
        Kind::World => e.set_constant_torque(vectors, Frame::World),
        Kind::Body => e.set_constant_torque(vectors, Frame::Body),
        Kind::Field => e.set_uniform_field(vectors, n.field),
        Kind::Gravity => {
            let gradients = case.view::<1>(&n.positive[..case.count], first(&n.positive));
            e.set_gravity_gradient(n.field, gradients)
        }
        Kind::LinearDrag => e.set_linear_drag(positive),
        Kind::Shear | Kind::ShearOfEach => e.set_shear_flow(positive, 0.05, n.shear),
    }
    .expect("a torque");
    if case.torque == Kind::ShearOfEach {
        // leaked: it has to live as long as the ensemble
        let gradients: &'static [f64] = n.gradients.clone().leak();
        let view = View::rows(gradients).expect("rows");
        // SAFETY: no lifetime is shortened; the view is of memory that stays
        let view = unsafe { std::mem::transmute::<View<'static, 9>, View<'_, 9>>(view) };
        e.bind_flow_gradients(Some(view)).expect("finite");
    }
    let flow = case.has_flow.then_some(vectors);
    if case.has_drag {
        e.set_drag(positive, flow).expect("a drag");
    }
    if case.is_random {
        e.set_langevin(positive, flow, 0.3, case.seed)
            .expect("coefficients");
        if case.in_columns {
            e.set_ids(Some(&n.ids)).expect("as many");
        }
    }
}

/// An ensemble on the device, with its arrays.
pub struct OnDevice<'d> {
    pub driver: &'d Driver,
    pub ensemble: *mut qi_cuda_ensemble,
    device: *mut qi_cuda_device,
    pub q: Memory<'d, f64>,
    pub velocity: Option<Memory<'d, f64>>,
    gradients: Memory<'d, f64>,
}

/// The message of the last error.
pub fn message() -> String {
    // SAFETY: it is a text
    let text = unsafe { CStr::from_ptr(qi_cuda_last_error()) };
    text.to_string_lossy().into_owned()
}

pub fn ok(status: qi_cuda_status) {
    assert_eq!(status, QI_CUDA_OK, "{}", message());
}

impl<'d> OnDevice<'d> {
    pub fn new(driver: &'d Driver, case: &Case) -> Self {
        let n = case.numbers();
        let mut status = 1;
        // SAFETY: pointers are of arrays here, or of arrays on the device that live as long
        unsafe {
            let device = qi_cuda_open_device(0, &mut status);
            ok(status);
            let e = qi_cuda_create_ensemble(device, case.count, &mut status);
            ok(status);
            let q = driver.array(&n.q);
            let velocity = case.in_columns.then(|| driver.array(&n.velocity));
            let ([a, b], at) = case.strides(4);
            let scalar = i32::from(case.is_scalar_last);
            ok(qi_cuda_bind_orientations(
                e,
                q.at.wrapping_add(at),
                a,
                b,
                scalar,
            ));
            let ([a, b], at) = case.strides(3);
            let velocities = velocity.as_ref().map_or(q.at, |array| array.at);
            let kind = case.velocity as i32;
            let velocities = velocities.wrapping_add(at);
            ok(qi_cuda_bind_angular_velocities(e, velocities, a, b, kind));
            set_inertias_on_device(case, &n, e);
            ok(qi_cuda_set_method(e, case.method as i32));
            let gradients = driver.array(&n.gradients);
            set_torque_on_device(case, &n, e, gradients.at);
            OnDevice {
                driver,
                ensemble: e,
                device,
                q,
                velocity,
                gradients,
            }
        }
    }

    pub fn all(&self) -> Vec<u64> {
        let mut all = self.q.read();
        all.extend(self.velocity.iter().flat_map(Memory::read));
        all.into_iter().map(f64::to_bits).collect()
    }
}

impl Drop for OnDevice<'_> {
    fn drop(&mut self) {
        let _ = &self.gradients;
        // SAFETY: they are given back once
        unsafe {
            qi_cuda_close_device(self.device);
            qi_cuda_destroy_ensemble(self.ensemble);
        }
    }
}

unsafe fn set_inertias_on_device(case: &Case, n: &Numbers, e: *mut qi_cuda_ensemble) {
    let moments = n.moments.as_flattened().as_ptr();
    let tensors = n.tensors.as_flattened().as_ptr();
    let line = [0.0, 1.3, 1.3];
    // SAFETY: as many numbers as bodies
    unsafe {
        ok(match case.bodies {
            Bodies::AlikeAligned | Bodies::Locked => {
                qi_cuda_set_principal_inertias(e, moments, 0, 1)
            }
            Bodies::AlikeTurned => qi_cuda_set_inertias(e, tensors, 0),
            Bodies::Aligned | Bodies::WithLockedAxes => {
                qi_cuda_set_principal_inertias(e, moments, 3, 1)
            }
            Bodies::Turned | Bodies::WithZeroMoments => qi_cuda_set_inertias(e, tensors, 9),
            Bodies::Lines => qi_cuda_set_principal_inertias(e, line.as_ptr(), 0, 1),
        });
        match case.bodies {
            Bodies::WithLockedAxes => ok(qi_cuda_lock_axes(e, n.locks.as_ptr(), 1)),
            Bodies::Locked => ok(qi_cuda_lock_axes(e, &6, 0)),
            _ => {}
        }
    }
}

unsafe fn set_torque_on_device(
    case: &Case,
    n: &Numbers,
    e: *mut qi_cuda_ensemble,
    gradients: *const f64,
) {
    let [vectors, positive, field, shear] = [
        n.vectors.as_ptr(),
        n.positive.as_ptr(),
        n.field.as_ptr(),
        n.shear.as_ptr(),
    ];
    let stride = if case.are_shared { 0 } else { 3 };
    // SAFETY: as many numbers as bodies
    unsafe {
        ok(match case.torque {
            Kind::Free => qi_cuda_clear_torque(e),
            Kind::World => qi_cuda_set_constant_torque(e, vectors, stride, QI_CUDA_FRAME_WORLD),
            Kind::Body => qi_cuda_set_constant_torque(e, vectors, stride, QI_CUDA_FRAME_BODY),
            Kind::Field => qi_cuda_set_uniform_field_torque(e, vectors, stride, field),
            Kind::Gravity => qi_cuda_set_gravity_gradient_torque(e, field, positive, stride.min(1)),
            Kind::LinearDrag => qi_cuda_set_linear_drag_torque(e, positive, stride),
            Kind::Shear | Kind::ShearOfEach => {
                qi_cuda_set_shear_flow_torque(e, positive, stride, 0.05, shear)
            }
        });
        if case.torque == Kind::ShearOfEach {
            ok(qi_cuda_bind_flow_gradients(e, gradients, 9, 1));
        }
        let flow = if case.has_flow { vectors } else { null() };
        if case.has_drag {
            ok(qi_cuda_set_drag(e, positive, stride, flow, stride));
        }
        if case.is_random {
            let seed = case.seed;
            ok(qi_cuda_set_langevin(
                e, positive, stride, flow, stride, 0.3, seed,
            ));
            if case.in_columns {
                ok(qi_cuda_set_ids(e, n.ids.as_ptr()));
            }
        }
    }
}

/// Asserts that the library and the device have the same bits after a run.
pub fn same_bits(driver: &Driver, case: &Case, run: &dyn Run) {
    let of_cpu = on_cpu(case, run);
    let device = OnDevice::new(driver, case);
    run.on_device(&device);
    // SAFETY: the ensemble is there
    ok(unsafe { qi_cuda_check(device.ensemble) });
    let of_device = device.all();
    let same = of_cpu
        .iter()
        .zip(&of_device)
        .filter(|(a, b)| a == b)
        .count();
    let first = of_cpu.iter().zip(&of_device).position(|(a, b)| a != b);
    assert_eq!(
        (same, first),
        (of_cpu.len(), None),
        "{case:?}: {:e} and {:e}",
        f64::from_bits(of_cpu[first.unwrap_or(0)]),
        f64::from_bits(of_device[first.unwrap_or(0)]),
    );
}
