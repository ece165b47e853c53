//! What an ensemble holds for each body, as numbers that can be read, written, moved and resized.

use super::parameters::{Inertias, Parameter};
use super::torque::{EnsembleTorque, ReadyMade};
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, blocks_for};

/// Numbers of each body.
pub(super) trait Store {
    /// Numbers per body.
    fn width(&self) -> usize;

    fn read(&self, body: usize, to: &mut [f64]);

    /// After [`Store::reserve`].
    fn write(&mut self, body: usize, numbers: &[f64]);

    /// Separate numbers for each body, where all share them.
    fn separate(&mut self, _count: usize) -> Result<(), Error> {
        Ok(())
    }

    /// Makes room for separate numbers of `count` bodies, so that nothing fails later.
    fn reserve(&mut self, count: usize) -> Result<(), Error>;

    /// New bodies get the numbers of a body as created.
    fn resize(&mut self, before: usize, count: usize);
}

/// Blocks, and the numbers of a body as created.
pub(super) struct Blocks<'a, const K: usize> {
    pub(super) blocks: &'a mut Vec<Block<K>>,
    pub(super) created: [f64; K],
}

impl<const K: usize> Store for Blocks<'_, K> {
    fn width(&self) -> usize {
        K
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        to.copy_from_slice(&memory::get(self.blocks, body));
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        let mut row = [0.0; K];
        row.copy_from_slice(numbers);
        memory::set(self.blocks, body, row);
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        Ok(memory::make_room(self.blocks, blocks_for(count.max(1)))?)
    }

    fn resize(&mut self, before: usize, count: usize) {
        let left = before.min(count);
        self.blocks.resize(blocks_for(count.max(1)), Block::filled(self.created));
        // the lanes behind the last body that stays
        (left..(blocks_for(left.max(1)) * MOST_LANES)).for_each(|body| memory::set(self.blocks, body, self.created));
    }
}

impl<const K: usize> Store for Parameter<K> {
    fn width(&self) -> usize {
        K
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        match self {
            Parameter::Shared(numbers) => to.copy_from_slice(numbers),
            Parameter::Each(blocks) => to.copy_from_slice(&memory::get(blocks, body)),
        }
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        if let Parameter::Each(blocks) = self {
            Blocks { blocks, created: [0.0; K] }.write(body, numbers);
        }
    }

    fn separate(&mut self, count: usize) -> Result<(), Error> {
        self.make_separate(count)
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        match self {
            Parameter::Shared(_) => Ok(()),
            Parameter::Each(blocks) => Blocks { blocks, created: [0.0; K] }.reserve(count),
        }
    }

    fn resize(&mut self, before: usize, count: usize) {
        if let Parameter::Each(blocks) = self {
            Blocks { blocks, created: [0.0; K] }.resize(before, count);
        }
    }
}

/// What a method keeps: `width` columns per block.
pub(super) struct Kept<'a> {
    pub(super) columns: &'a mut Vec<Column>,
    pub(super) width: usize,
}

impl Kept<'_> {
    pub(super) fn read_from(columns: &[Column], width: usize, body: usize, to: &mut [f64]) {
        (0..width).for_each(|k| to[k] = columns[body / MOST_LANES * width + k][body % MOST_LANES]);
    }
}

impl Store for Kept<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        Self::read_from(self.columns, self.width, body, to);
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        let columns = &mut self.columns[body / MOST_LANES * self.width..];
        (0..self.width).for_each(|k| columns[k][body % MOST_LANES] = numbers[k]);
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        Ok(memory::make_room(self.columns, self.width * blocks_for(count))?)
    }

    fn resize(&mut self, _: usize, count: usize) {
        self.columns.resize(self.width * blocks_for(count), [0.0; MOST_LANES]);
    }
}

impl Inertias {
    /// Shows each store to `visit`.
    pub(super) fn stores(&mut self, visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>) -> Result<(), Error> {
        let Inertias::Each { moments, principal_to_body } = self else { return Ok(()) };
        visit(&mut Blocks { blocks: moments, created: [1.0; 3] })?;
        match principal_to_body {
            None => Ok(()),
            Some(turns) => visit(&mut Blocks { blocks: turns, created: [1.0, 0.0, 0.0, 0.0] }),
        }
    }
}

impl EnsembleTorque {
    /// The parameters of a ready-made torque; `None` if it has none.
    pub(super) fn parameters(&self) -> Option<&dyn Store> {
        let EnsembleTorque::Ready(torque) = self else { return None };
        Some(match torque {
            ReadyMade::Free => return None,
            ReadyMade::ConstantWorld(vectors) | ReadyMade::ConstantBody(vectors) | ReadyMade::LinearDrag(vectors) => {
                vectors
            }
            ReadyMade::UniformField { vectors_body, .. } => vectors_body,
            ReadyMade::GravityGradient { gradients, .. } => gradients,
            ReadyMade::ShearFlow { resistances, .. } => resistances,
        })
    }

    pub(super) fn parameters_mut(&mut self) -> Option<&mut dyn Store> {
        let EnsembleTorque::Ready(torque) = self else { return None };
        Some(match torque {
            ReadyMade::Free => return None,
            ReadyMade::ConstantWorld(vectors) | ReadyMade::ConstantBody(vectors) | ReadyMade::LinearDrag(vectors) => {
                vectors
            }
            ReadyMade::UniformField { vectors_body, .. } => vectors_body,
            ReadyMade::GravityGradient { gradients, .. } => gradients,
            ReadyMade::ShearFlow { resistances, .. } => resistances,
        })
    }
}
