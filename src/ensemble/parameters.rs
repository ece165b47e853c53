//! What belongs to each body besides its state: its inertia, and the parameters of its torque.

use super::at_body;
use super::blocks::{self, Block};
use crate::error::Error;
use crate::inertia::Inertia;
use crate::kernel::{MOST_LANES, Number, PrincipalInertia, Quat, Vec3};

/// Which bodies a chunk works on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bodies<'a> {
    /// `first`, `first + 1`, …
    From(usize),
    /// These, ascending.
    Listed(&'a [usize]),
}

impl Bodies<'_> {
    /// The body at a position of the chunk.
    pub(crate) fn at(&self, i: usize) -> usize {
        match self {
            Bodies::From(first) => first + i,
            Bodies::Listed(list) => list[i],
        }
    }

    /// The numbers that belong to the block of bodies at position `i`.
    #[inline(always)]
    fn load<N: Number, const K: usize>(&self, blocks: &[Block<K>], i: usize) -> [N; K] {
        let mut out = [N::splat(0.0); K];
        match self {
            Bodies::From(first) => {
                let (block, lane) = (&blocks[(first + i) / MOST_LANES], (first + i) % MOST_LANES);
                for k in 0..K {
                    out[k] = block.load(k, lane);
                }
            }
            Bodies::Listed(list) => {
                let mut these = Block::filled([1.0; K]); // beyond the list: any number that does no harm
                for (lane, body) in list[i..].iter().take(N::LANES).enumerate() {
                    these.set(lane, blocks::get(blocks, *body));
                }
                for k in 0..K {
                    out[k] = these.load(k, 0);
                }
            }
        }
        out
    }
}

/// `K` numbers, the same for all bodies or each body's own.
#[derive(Debug)]
pub(crate) enum Parameter<const K: usize> {
    Shared([f64; K]),
    Each(Vec<Block<K>>),
}

impl<const K: usize> Parameter<K> {
    /// The parameter of the block of bodies at position `i`.
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

/// The inertia of every body.
#[derive(Debug)]
pub(crate) enum Inertias {
    Shared(Inertia),
    Each {
        moments: Vec<Block<3>>,
        /// Principal axes to body; `None` when they coincide for every body.
        principal_to_body: Option<Vec<Block<4>>>,
    },
}

impl Inertias {
    /// Each body's own, from a function that gives the tensor of body `i`.
    pub(crate) fn each(count: usize, inertia: impl Fn(usize) -> Result<Inertia, Error>) -> Result<Self, Error> {
        let mut moments = blocks::filled(count, [1.0; 3])?;
        let mut principal_to_body: Option<Vec<Block<4>>> = None;
        for i in 0..count {
            let inertia = inertia(i).map_err(|error| at_body(i, error))?;
            blocks::set(&mut moments, i, inertia.principal_moments().into());
            if let Some(q) = inertia.principal_to_body_if_turned() {
                let turns = match &mut principal_to_body {
                    Some(turns) => turns,
                    None => principal_to_body.insert(blocks::filled(count, [1.0, 0.0, 0.0, 0.0])?),
                };
                blocks::set(turns, i, q.0);
            }
        }
        Ok(Inertias::Each { moments, principal_to_body })
    }
}

/// Gives the inertia of a block of bodies.
pub(super) trait Inertial {
    /// Of those at position `i`; the same arithmetic that a single body's goes through.
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N>;
}

/// One inertia for all, in principal axes: what most ensembles have, known when their loop is compiled. A copy, which nothing that
/// the loop writes can change.
pub(super) struct SharedAligned(pub(super) PrincipalInertia<f64>);

impl Inertial for SharedAligned {
    #[inline(always)]
    fn at<N: Number>(&self, _: &Bodies, _: usize) -> PrincipalInertia<N> {
        PrincipalInertia { principal_to_body: None, ..self.0.splat() }
    }
}

impl Inertial for &Inertias {
    #[inline(always)]
    fn at<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        (**self).of(bodies, i)
    }
}

impl Inertias {
    /// The inertia of the block of bodies at position `i`.
    #[inline(always)]
    pub(super) fn of<N: Number>(&self, bodies: &Bodies, i: usize) -> PrincipalInertia<N> {
        match self {
            Inertias::Shared(inertia) => inertia.principal().splat(),
            Inertias::Each { moments, principal_to_body } => {
                let turned = match principal_to_body {
                    None => None,
                    Some(turns) => Some(Quat(bodies.load(turns, i))),
                };
                PrincipalInertia::new(Vec3(bodies.load(moments, i)), turned)
            }
        }
    }
}
