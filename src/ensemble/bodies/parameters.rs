//! The inertias of the bodies, and the parameters of their torques.

use crate::error::{Error, Failure};
use crate::inertia::{Inertia, axes_of, signed};
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Quat, Rotor, Vec3};
use crate::memory::{self, Block, Bodies, View, load_vector};
use crate::torque::PerBody;
use nalgebra::Matrix3;
use std::hint::black_box;

/// `K` numbers: shared by all bodies, or one set per body.
pub(crate) enum Parameter<const K: usize> {
    Shared([f64; K]),
    Each(Vec<Block<K>>),
}

impl<const K: usize> Parameter<K> {
    /// From the caller's array. `checked` validates and converts the numbers of a body.
    pub(crate) fn new<const L: usize>(
        given: View<L>,
        checked: impl Fn([f64; L]) -> Result<[f64; K], Error>,
    ) -> Result<Self, Failure> {
        if let Some(shared) = given.shared_numbers() {
            return Ok(Parameter::Shared(checked(shared)?));
        }
        let checked =
            |body| checked(given.get(body)).map_err(|error| Failure::of_body(body, error));
        Ok(Parameter::Each(memory::of_each(given.count(), checked)?))
    }

    /// The parameters of the `i`-th and the following bodies, one per lane.
    #[inline(always)]
    pub(crate) fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> [N; K] {
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

/// The parameters of a ready-made torque: `K` numbers of each body, and what all share.
pub(crate) struct TorqueParameters<T: PerBody<K>, const K: usize> {
    pub(crate) each: Parameter<K>,
    pub(crate) shared: T::Shared,
}

#[allow(clippy::large_enum_variant)] // there is one in an ensemble
pub(crate) enum Inertias {
    Shared(Inertia),
    Each(Separate),
}

/// An inertia of each body.
pub(crate) struct Separate {
    /// The principal moments of the mass and their reciprocals, 0 about locked axes: in vector
    /// registers a division costs sixteen multiplications.
    pub(crate) moments: Vec<Block<6>>,
    /// Principal axes to body frame; `None` if they coincide for every body.
    pub(crate) turns: Option<Vec<Block<4>>>,
    /// Whether a body may have a locked axis.
    has_zero_moment: bool,
}

pub(crate) const NOT_TURNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
/// The moments of what no torque turns: of idle lanes, where a torque that all share acts too.
pub(crate) const LOCKED: [f64; 6] = [0.0; 6];

impl Separate {
    /// Makes room for turned axes of each of `count` bodies.
    pub(crate) fn make_turns(&mut self, count: usize) -> Result<(), Error> {
        if self.turns.is_none() {
            self.turns = Some(memory::filled(count, NOT_TURNED)?);
        }
        Ok(())
    }

    /// `moments`: with their reciprocals. `turn`: [`NOT_TURNED`] where there is no room for turned
    /// axes.
    pub(crate) fn set(&mut self, body: usize, (moments, turn): ([f64; 6], [f64; 4])) {
        memory::set(&mut self.moments, body, moments);
        self.has_zero_moment |= moments.contains(&0.0);
        if let Some(turns) = &mut self.turns {
            memory::set(turns, body, turn);
        }
    }

    /// Looks at all of `count` bodies anew: a locked axis of a body that is gone, or has got
    /// another inertia, refuses nothing.
    pub(crate) fn look_at_all(&mut self, count: usize) {
        self.has_zero_moment =
            (0..count).any(|body| memory::get(&self.moments, body).contains(&0.0));
    }
}

impl Inertias {
    pub(crate) fn new(tensors: View<9>) -> Result<Self, Failure> {
        if let Some(shared) = tensors.shared_numbers() {
            return Ok(Inertias::Shared(Inertia::new(&Matrix3::from_row_slice(
                &shared,
            ))?));
        }
        // simulations have many bodies of few kinds: each is diagonalised once
        const KINDS: usize = 256; // a power of two
        let mut known = Vec::new();
        known.try_reserve_exact(KINDS).map_err(Error::from)?;
        // the key belongs to the inertia: no slot is wrong
        let unit = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        known.resize(KINDS, (unit, Inertia::from_moments([1.0; 3].into())?));
        Self::of_each(tensors.count(), |body| {
            let tensor = tensors.get(body);
            let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = tensor;
            if [xy, xz, yx, yz, zx, zy] == [0.0; 6]
                && let Ok(moments) = Inertia::checked_moments("inertia", [xx, yy, zz])
            {
                return Ok((moments, NOT_TURNED));
            }
            let mix =
                |mixed: u64, x: &f64| (mixed ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (key, inertia) = &mut known[(tensor.iter().fold(0, mix) >> 56) as usize % KINDS];
            if *key != tensor {
                (*key, *inertia) = (tensor, Inertia::new(&Matrix3::from_row_slice(&tensor))?);
            }
            Ok((inertia.with_reciprocals(), inertia.principal_to_body.0))
        })
    }

    pub(crate) fn from_moments(given: View<3>) -> Result<Self, Failure> {
        if let Some(shared) = given.shared_numbers() {
            return Ok(Inertias::Shared(Inertia::from_moments(shared.into())?));
        }
        let moments = |body| Inertia::checked_moments("moments", given.get(body));
        Self::of_each(given.count(), |body| Ok((moments(body)?, NOT_TURNED)))
    }

    /// The same inertias with locked axes, by numbers as in [`axes_of`]: one of each body, or one.
    pub(crate) fn with_locked_axes(
        &self,
        count: usize,
        axes: &[i32],
        are_shared: bool,
    ) -> Result<Self, Failure> {
        if are_shared && let Inertias::Shared(inertia) = self {
            return Ok(Inertias::Shared(
                inertia.with_locked_axes(axes_of(axes[0])?)?,
            ));
        }
        Self::of_each(count, |body| {
            let inertia = Inertia::of_numbers("inertia", &self.numbers(body))?;
            let axes = axes[if are_shared { 0 } else { body }];
            let locked = inertia.with_locked_axes(axes_of(axes)?)?;
            Ok((locked.with_reciprocals(), locked.principal_to_body.0))
        })
    }

    /// The inertias that `of` gives for each body: moments with their reciprocals, and axes.
    pub(crate) fn of_each(
        count: usize,
        mut of: impl FnMut(usize) -> Result<([f64; 6], [f64; 4]), Error>,
    ) -> Result<Self, Failure> {
        let mut all = Separate {
            moments: memory::filled(count, LOCKED)?,
            turns: None,
            has_zero_moment: false,
        };
        for body in 0..count {
            let inertia = of(body).map_err(|error| Failure::of_body(body, error))?;
            if inertia.1 != NOT_TURNED {
                all.make_turns(count)?;
            }
            all.set(body, inertia);
        }
        Ok(Inertias::Each(all))
    }

    /// Whether a body has the same inertia in both.
    pub(crate) fn is_same(&self, other: &Inertias, body: usize) -> bool {
        self.numbers(body) == other.numbers(body)
    }

    /// As [`Inertia::numbers`].
    #[inline]
    pub(crate) fn numbers(&self, body: usize) -> [f64; 7] {
        let all = match self {
            Inertias::Shared(inertia) => return inertia.numbers(),
            Inertias::Each(all) => all,
        };
        let [a, b, c] = signed(memory::get(&all.moments, body));
        let [w, x, y, z] = all
            .turns
            .as_ref()
            .map_or(NOT_TURNED, |turns| memory::get(turns, body));
        [a, b, c, w, x, y, z]
    }

    #[inline(always)]
    pub(crate) fn has_zero_moment(&self) -> bool {
        match self {
            Inertias::Shared(inertia) => inertia.principal.has_zero_moment(),
            Inertias::Each(all) => all.has_zero_moment,
        }
    }

    /// The inertia that all bodies share, if its principal axes are the body axes.
    #[inline(always)]
    pub(crate) fn shared_aligned(&self) -> Option<&PrincipalInertia<f64>> {
        let Inertias::Shared(inertia) = self else {
            return None;
        };
        Some(&inertia.principal).filter(|principal| !principal.is_turned)
    }

    /// Whether the principal axes of some bodies are not their body axes.
    pub(crate) fn are_turned(&self) -> bool {
        match self {
            Inertias::Shared(inertia) => inertia.principal.is_turned,
            Inertias::Each(all) => all.turns.is_some(),
        }
    }

    pub(crate) fn of_body(&self, body: usize) -> PrincipalInertia<f64> {
        self.of(&Bodies::one(body), 0)
    }

    #[inline(always)]
    fn of<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        match self {
            Inertias::Shared(inertia) => inertia.principal.splat(),
            Inertias::Each(Separate { moments, turns, .. }) => {
                let turned = if let Some(turns) = turns {
                    Some(Quat(bodies.load(turns, i)))
                } else {
                    None
                };
                let [a, b, c, x, y, z] = bodies.load(moments, i);
                PrincipalInertia::of(Vec3([a, b, c]), Vec3([x, y, z]), turned)
            }
        }
    }

    #[inline(always)]
    pub(crate) fn of_chunk<'a>(
        &'a self,
        bodies: &Bodies,
        tile: &'a mut InertiaTile,
    ) -> ChunkInertias<'a> {
        let is_turned = self.are_turned();
        match (self, bodies) {
            (Inertias::Each(Separate { moments, turns, .. }), Bodies::From { first, .. }) => {
                let first = first / MOST_LANES;
                let turns = turns.as_ref().map_or(&[][..], |turns| &turns[first..]);
                return ChunkInertias {
                    moments: &moments[first..],
                    turns,
                    is_turned,
                    stride: 1,
                };
            }
            (Inertias::Each(Separate { moments, turns, .. }), _) => {
                tile.shared = None;
                memory::fill_idle_lanes(bodies.count(), &mut tile.moments, LOCKED);
                for i in 0..bodies.count() {
                    memory::set(&mut tile.moments, i, memory::get(moments, bodies.get(i)));
                    if let Some(turns) = turns {
                        memory::set(&mut tile.turns, i, memory::get(turns, bodies.get(i)));
                    }
                }
            }
            (Inertias::Shared(inertia), _) => {
                let shared = (inertia.with_reciprocals(), inertia.principal_to_body.0);
                if tile.shared != Some(shared) {
                    (tile.moments[0], tile.turns[0]) =
                        (Block::filled(shared.0), Block::filled(shared.1));
                    tile.shared = Some(shared);
                }
            }
        }
        let stride = usize::from(tile.shared.is_none());
        ChunkInertias {
            moments: &tile.moments,
            turns: &tile.turns,
            is_turned,
            stride,
        }
    }
}

/// Where a loop finds the inertias of bodies: known when it is compiled.
pub(crate) trait InertiaSource: Copy {
    /// Whether all bodies share one in principal axes.
    const IS_SHARED: bool = false;

    /// The inertias of the `i`-th and the following bodies, one per lane, with the bits of a single
    /// body's.
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N>;

    /// What rotors in the bodies hold.
    #[inline(always)]
    fn rotor<N: Number>(&self, _bodies: &Bodies, _i: usize) -> Option<Rotor<N>> {
        None
    }
}

/// One inertia for all, in principal axes (the most common case), known at compile time. Loops make
/// a copy, which no store can change.
impl InertiaSource for PrincipalInertia<f64> {
    const IS_SHARED: bool = true;

    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, _: usize) -> PrincipalInertia<N> {
        PrincipalInertia {
            is_turned: false,
            ..self.splat()
        }
    }
}

/// The inertias of a chunk, where the loops over its stages read them.
#[derive(Clone, Copy)]
pub(crate) struct ChunkInertias<'a> {
    moments: &'a [Block<6>],
    /// Principal axes to body frame, if `is_turned`.
    turns: &'a [Block<4>],
    is_turned: bool,
    /// 1, or 0 where all bodies share the first block.
    stride: usize,
}

/// `black_box` hides that the branch is the same for all bodies: otherwise the compiler duplicates
/// the loop.
impl InertiaSource for ChunkInertias<'_> {
    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, i: usize) -> PrincipalInertia<N> {
        let b = i / MOST_LANES;
        let lane = i % MOST_LANES;
        let moments = &self.moments[b * self.stride];
        let mut turned = None;
        if black_box(self.is_turned) {
            let turn = &self.turns[b * self.stride];
            turned = Some(Quat([
                turn.load(0, lane),
                turn.load(1, lane),
                turn.load(2, lane),
                turn.load(3, lane),
            ]));
        }
        PrincipalInertia::of(
            load_vector(moments, 0, lane),
            load_vector(moments, 3, lane),
            turned,
        )
    }
}

/// Memory for [`ChunkInertias`] that are not at hand in this order.
#[derive(Default)]
pub(crate) struct InertiaTile {
    pub(crate) moments: Vec<Block<6>>,
    pub(crate) turns: Vec<Block<4>>,
    /// The inertia in all lanes of the first block; `None`: others are there.
    pub(crate) shared: Option<([f64; 6], [f64; 4])>,
}

/// Any inertias. `black_box` hides that the branches are the same for all bodies. Otherwise the
/// compiler duplicates the loop for each case (rotated axes or not, listed bodies or not), which is
/// no faster and eight times as long.
impl InertiaSource for &Inertias {
    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        black_box(*self).of(black_box(bodies), i)
    }
}
