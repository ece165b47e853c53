//! The inertias of the bodies, and the parameters of their torques.

use crate::error::{Error, Failure};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Quat, Vec3};
use crate::memory::{self, Block, Bodies, View, load_vector};
use crate::{inertia::Inertia, torque::OnEach};
use nalgebra::Matrix3;
use std::hint::black_box;

/// `K` numbers: shared by all bodies, or one set per body.
#[derive(Debug)]
pub(super) enum Parameter<const K: usize> {
    Shared([f64; K]),
    Each(Vec<Block<K>>),
}

impl<const K: usize> Parameter<K> {
    /// From the caller's array. `checked` validates and converts the numbers of a body.
    pub(super) fn new<const L: usize>(
        given: View<L>, checked: impl Fn([f64; L]) -> Result<[f64; K], Error>,
    ) -> Result<Self, Failure> {
        if let Some(shared) = given.shared_numbers() {
            return Ok(Parameter::Shared(checked(shared)?));
        }
        let mut each = memory::filled(given.count(), [0.0; K])?;
        for body in 0..given.count() {
            let numbers = checked(given.get(body)).map_err(|error| Failure::of_body(body, error))?;
            memory::set(&mut each, body, numbers);
        }
        Ok(Parameter::Each(each))
    }

    /// The parameters of the `i`-th and the following bodies, one per lane.
    #[inline(always)]
    pub(super) fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> [N; K] {
        match self {
            Parameter::Shared(values) => {
                let mut out = [N::splat(0.0); K];
                for k in 0..K {
                    out[k] = N::splat(values[k]);
                }
                out
            }
            Parameter::Each(blocks) => bodies.load(blocks, i),
        }
    }
}

/// The numbers of a ready-made torque: `K` of each body, and those that all share.
#[derive(Debug)]
pub(super) struct Numbers<T: OnEach<K>, const K: usize> {
    pub(super) each: Parameter<K>,
    pub(super) shared: T::Shared,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // there is one in an ensemble
pub(super) enum Inertias {
    Shared(Inertia),
    Each {
        /// The principal moments and their reciprocals: in vector registers a division costs sixteen multiplications.
        moments: Vec<Block<6>>,
        /// Principal axes to body frame; `None` if they coincide for every body.
        principal_to_body: Option<Vec<Block<4>>>,
        /// Whether a body may have a locked axis, one of zero moment.
        is_locked: bool,
    },
}

impl Inertias {
    pub(super) fn new(tensors: View<9>) -> Result<Self, Failure> {
        if let Some(shared) = tensors.shared_numbers() {
            return Ok(Inertias::Shared(Inertia::new(&Matrix3::from_row_slice(&shared))?));
        }
        let count = tensors.count();
        let mut moments = memory::filled(count, [1.0; 6])?;
        let mut principal_to_body: Option<Vec<Block<4>>> = None;
        let (mut known, mut is_locked) = (Known::new()?, false);
        for body in 0..count {
            let tensor = tensors.get(body);
            if let Some(these) = moments_of_diagonal(&tensor) {
                memory::set(&mut moments, body, these);
                is_locked |= these.contains(&0.0);
                continue;
            }
            let inertia = known.inertia(tensor).map_err(|error| Failure::of_body(body, error))?;
            memory::set(&mut moments, body, inertia.with_reciprocals());
            is_locked |= inertia.principal().is_locked();
            if let Some(q) = inertia.principal_to_body_if_turned() {
                let turns = match &mut principal_to_body {
                    Some(turns) => turns,
                    None => principal_to_body.insert(memory::filled(count, [1.0, 0.0, 0.0, 0.0])?),
                };
                memory::set(turns, body, q.0);
            }
        }
        Ok(Inertias::Each { moments, principal_to_body, is_locked })
    }

    pub(super) fn from_moments(given: View<3>) -> Result<Self, Failure> {
        if let Some(shared) = given.shared_numbers() {
            return Ok(Inertias::Shared(Inertia::from_moments(shared.into())?));
        }
        let (mut moments, mut is_locked) = (memory::filled(given.count(), [1.0; 6])?, false);
        for body in 0..given.count() {
            let these = Inertia::checked_moments("moments", given.get(body));
            let these = these.map_err(|error| Failure::of_body(body, error))?;
            memory::set(&mut moments, body, these);
            is_locked |= these.contains(&0.0);
        }
        Ok(Inertias::Each { moments, principal_to_body: None, is_locked })
    }

    /// Whether a body may have a locked axis.
    #[inline(always)]
    pub(super) fn is_locked(&self) -> bool {
        match self {
            Inertias::Shared(inertia) => inertia.principal().is_locked(),
            Inertias::Each { is_locked, .. } => *is_locked,
        }
    }

    /// The principal moments of a body.
    pub(super) fn moments(&self, body: usize) -> [f64; 3] {
        match self {
            Inertias::Shared(inertia) => inertia.principal_moments().into(),
            Inertias::Each { moments, .. } => {
                let [a, b, c, ..] = memory::get(moments, body);
                [a, b, c]
            }
        }
    }

    /// The inertia that all bodies share, if its principal axes are the body axes.
    #[inline(always)]
    pub(super) fn shared_aligned(&self) -> Option<&PrincipalInertia<f64>> {
        match self {
            Inertias::Shared(inertia) if inertia.principal().principal_to_body.is_none() => Some(inertia.principal()),
            _ => None,
        }
    }

    /// Whether the principal axes of some bodies are not their body axes.
    pub(super) fn are_turned(&self) -> bool {
        match self {
            Inertias::Shared(inertia) => inertia.principal().principal_to_body.is_some(),
            Inertias::Each { principal_to_body, .. } => principal_to_body.is_some(),
        }
    }

    pub(super) fn of_body(&self, body: usize) -> PrincipalInertia<f64> {
        self.of(&Bodies::one(body), 0)
    }
}

pub(super) trait InertiaSource: Copy {
    /// The inertias of the `i`-th and the following bodies, one per lane, with the bits of a single body's.
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N>;
}

/// One inertia for all, in principal axes (the most common case), known at compile time. Loops make a copy, which no store can change.
#[derive(Clone, Copy)]
pub(super) struct SharedAligned(pub(super) PrincipalInertia<f64>);

impl InertiaSource for SharedAligned {
    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, _: usize) -> PrincipalInertia<N> {
        PrincipalInertia { principal_to_body: None, ..self.0.splat() }
    }
}

/// What a loop gets an [`InertiaSource`] from.
pub(super) trait InertiaPlace: Copy {
    type Source: InertiaSource;

    fn source(self) -> Self::Source;
}

impl InertiaPlace for &PrincipalInertia<f64> {
    type Source = SharedAligned;

    #[inline(always)]
    fn source(self) -> SharedAligned {
        SharedAligned(*self)
    }
}

impl<'a> InertiaPlace for &'a Inertias {
    type Source = &'a Inertias;

    #[inline(always)]
    fn source(self) -> &'a Inertias {
        self
    }
}

/// The inertias of a chunk, where the loops over its stages read them.
#[derive(Clone, Copy)]
pub(super) struct ChunkInertias<'a> {
    moments: &'a [Block<6>],
    /// Principal axes to body frame, if `is_turned`.
    turns: &'a [Block<4>],
    pub(super) is_turned: bool,
    /// 1, or 0 where all bodies share the first block.
    stride: usize,
}

impl ChunkInertias<'_> {
    /// For loops that do not read them.
    pub(super) const UNUSED: Self = ChunkInertias { moments: &[], turns: &[], is_turned: false, stride: 0 };
}

/// Memory for [`ChunkInertias`] that are not at hand in this order.
#[derive(Default)]
pub(super) struct InertiaTile {
    moments: Vec<Block<6>>,
    turns: Vec<Block<4>>,
    /// The inertia in all lanes of the first block; `None`: others are there.
    shared: Option<([f64; 6], [f64; 4])>,
}

impl InertiaTile {
    pub(super) fn new(count: usize) -> Result<Self, Error> {
        Ok(InertiaTile {
            moments: memory::filled(count, [1.0; 6])?,
            turns: memory::filled(count, [1.0; 4])?,
            shared: None,
        })
    }
}

impl Inertias {
    #[inline(always)]
    pub(super) fn of_chunk<'a>(&'a self, bodies: &Bodies, tile: &'a mut InertiaTile) -> ChunkInertias<'a> {
        match (self, bodies) {
            (Inertias::Each { moments, principal_to_body, .. }, Bodies::From { first, .. }) => ChunkInertias {
                moments: &moments[first / MOST_LANES..],
                turns: principal_to_body.as_ref().map_or(&[], |turns| &turns[first / MOST_LANES..]),
                is_turned: principal_to_body.is_some(),
                stride: 1,
            },
            (Inertias::Each { moments, principal_to_body, .. }, _) => {
                tile.shared = None;
                for i in 0..bodies.count() {
                    memory::set(&mut tile.moments, i, memory::get(moments, bodies.get(i)));
                    if let Some(turns) = principal_to_body {
                        memory::set(&mut tile.turns, i, memory::get(turns, bodies.get(i)));
                    }
                }
                let is_turned = principal_to_body.is_some();
                ChunkInertias { moments: &tile.moments, turns: &tile.turns, is_turned, stride: 1 }
            }
            (Inertias::Shared(inertia), _) => {
                let turn = inertia.principal_to_body_if_turned();
                let shared = (inertia.with_reciprocals(), turn.map_or([1.0; 4], |q| q.0));
                if tile.shared != Some(shared) {
                    (tile.moments[0], tile.turns[0]) = (Block::filled(shared.0), Block::filled(shared.1));
                    tile.shared = Some(shared);
                }
                ChunkInertias { moments: &tile.moments, turns: &tile.turns, is_turned: turn.is_some(), stride: 0 }
            }
        }
    }
}

impl ChunkInertias<'_> {
    /// The inertias of the bodies in block `b`. `AXES`: what is known of the principal axes when the loop is compiled. (`black_box` hides
    /// that a branch is the same for all bodies: otherwise the compiler duplicates the loop.)
    #[inline(always)]
    pub(super) fn at<N: Number, const AXES: u8>(&self, b: usize, lane: usize) -> PrincipalInertia<N> {
        let (moments, mut turned) = (&self.moments[b * self.stride], None);
        if AXES == TURNED || AXES == EITHER && black_box(self.is_turned) {
            let turn = &self.turns[b * self.stride];
            turned = Some(Quat([turn.load(0, lane), turn.load(1, lane), turn.load(2, lane), turn.load(3, lane)]));
        }
        PrincipalInertia::of(load_vector(moments, 0, lane), load_vector(moments, 3, lane), turned)
    }
}

impl ChunkInertias<'_> {
    #[inline(always)]
    pub(super) fn reciprocals<N: Number>(&self, b: usize, lane: usize) -> Vec3<N> {
        load_vector(&self.moments[b * self.stride], 3, lane)
    }
}

/// The principal axes are the body axes.
pub(super) const ALIGNED: u8 = 0;
pub(super) const TURNED: u8 = 1;
pub(super) const EITHER: u8 = 2;

/// Any inertias. `black_box` hides that the branches are the same for all bodies. Otherwise the compiler duplicates the loop
/// for each case (rotated axes or not, listed bodies or not), which is no faster and eight times as long.
impl InertiaSource for &Inertias {
    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        black_box(*self).of(black_box(bodies), i)
    }
}

impl Inertias {
    #[inline(always)]
    fn of<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        match self {
            Inertias::Shared(inertia) => inertia.principal().splat(),
            Inertias::Each { moments, principal_to_body, .. } => {
                let turned = match principal_to_body {
                    None => None,
                    Some(turns) => Some(Quat(bodies.load(turns, i))),
                };
                let [a, b, c, x, y, z] = bodies.load(moments, i);
                PrincipalInertia::of(Vec3([a, b, c]), Vec3([x, y, z]), turned)
            }
        }
    }
}

/// The moments of a tensor that is diagonal and valid beyond doubt, with their reciprocals.
#[inline(always)]
fn moments_of_diagonal(&[xx, xy, xz, yx, yy, yz, zx, zy, zz]: &[f64; 9]) -> Option<[f64; 6]> {
    let is_diagonal = [xy, xz, yx, yz, zx, zy] == [0.0; 6];
    if is_diagonal { Inertia::checked_moments("inertia", [xx, yy, zz]).ok() } else { None }
}

/// Tensors that have been diagonalised: simulations have many bodies of few kinds.
struct Known(Vec<([f64; 9], Inertia)>);

impl Known {
    /// A power of two.
    const SIZE: usize = 256;

    fn new() -> Result<Self, Error> {
        let unit = Inertia::from_moments([1.0; 3].into())?;
        let mut all = Vec::new();
        all.try_reserve_exact(Self::SIZE)?;
        all.resize(Self::SIZE, ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], unit));
        Ok(Known(all))
    }

    #[inline(always)]
    fn inertia(&mut self, tensor: [f64; 9]) -> Result<&Inertia, Error> {
        let mixed = tensor.iter().fold(0, |mixed: u64, x| (mixed ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (key, known) = &mut self.0[(mixed >> 56) as usize % Self::SIZE];
        if *key != tensor {
            (*key, *known) = (tensor, Inertia::new(&Matrix3::from_row_slice(&tensor))?);
        }
        Ok(known)
    }
}
