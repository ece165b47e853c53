//! What an ensemble holds for each body, as numbers that can be read, written, moved and resized.

use super::parameters::{Inertias, NOT_TURNED, Parameter, Separate};
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, Bodies, blocks_for};

pub(crate) trait Store {
    fn width(&self) -> usize;

    /// Writes the numbers of a body to a slice of this width.
    fn read(&self, body: usize, to: &mut [f64]);

    /// Replaces them. Where all bodies share numbers, these are the same.
    fn write(&mut self, body: usize, numbers: &[f64]);

    /// Changes the number of bodies, and moves some from one place to another, by way of `numbers`.
    fn repopulate(
        &mut self,
        before: usize,
        count: usize,
        [from, to]: [&Bodies; 2],
        numbers: &mut Vec<f64>,
    ) {
        let width = self.width();
        numbers.resize(from.count() * width, 0.0);
        for i in 0..from.count() {
            self.read(from.get(i), &mut numbers[i * width..][..width]);
        }
        self.resize(before, count);
        for i in 0..to.count() {
            self.write(to.get(i), &numbers[i * width..][..width]);
        }
    }

    /// Gives each of `count` bodies numbers of its own, if all share numbers and these differ.
    fn separate_for(&mut self, _count: usize, _numbers: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    /// Makes room for separate numbers of `count` bodies, so that nothing fails later.
    fn reserve(&mut self, count: usize) -> Result<(), Error>;

    /// New bodies get the numbers of a body as created.
    fn resize(&mut self, before: usize, count: usize);
}

/// Blocks, and the numbers of a body as created.
pub(crate) struct Blocks<'e, const K: usize> {
    pub(crate) blocks: &'e mut Vec<Block<K>>,
    pub(crate) created: [f64; K],
}

/// The first numbers of a row.
pub(crate) fn first<const K: usize>(row: &[f64]) -> &[f64; K] {
    row.first_chunk().expect("a row has this part")
}

impl<const K: usize> Store for Blocks<'_, K> {
    fn width(&self) -> usize {
        K
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        to.copy_from_slice(&memory::get(self.blocks, body));
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        memory::set(self.blocks, body, *first(numbers));
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        Ok(memory::make_room(self.blocks, blocks_for(count.max(1)))?)
    }

    fn resize(&mut self, before: usize, count: usize) {
        let left = before.min(count);
        self.blocks.truncate(blocks_for(left));
        for i in left..blocks_for(left) * MOST_LANES {
            memory::set(self.blocks, i, self.created);
        }
        self.blocks
            .resize(blocks_for(count.max(1)), Block::filled(self.created));
    }
}

impl<const K: usize> Parameter<K> {
    /// `None`: all bodies share the numbers.
    fn as_blocks(&mut self) -> Option<Blocks<'_, K>> {
        if let Parameter::Each(blocks) = self {
            Some(Blocks {
                blocks,
                created: [0.0; K],
            })
        } else {
            None
        }
    }
}

impl<const K: usize> Store for Parameter<K> {
    fn width(&self) -> usize {
        K
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        to.copy_from_slice(&self.at::<f64>(&Bodies::one(body), 0));
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        if let Some(mut each) = self.as_blocks() {
            each.write(body, numbers);
        }
    }

    fn separate_for(&mut self, count: usize, numbers: &[f64]) -> Result<(), Error> {
        if let Parameter::Shared(shared) = self
            && shared != numbers
        {
            *self = Parameter::Each(memory::filled(count, *shared)?);
        }
        Ok(())
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        match self.as_blocks() {
            Some(mut each) => each.reserve(count),
            None => Ok(()),
        }
    }

    fn resize(&mut self, before: usize, count: usize) {
        if let Some(mut each) = self.as_blocks() {
            each.resize(before, count);
        }
    }
}

/// What a method keeps: `width` columns per block.
pub(crate) struct Columns<'e> {
    pub(crate) columns: &'e mut Vec<Column>,
    pub(crate) width: usize,
}

impl Columns<'_> {
    fn number(&mut self, body: usize, k: usize) -> &mut f64 {
        &mut self.columns[body / MOST_LANES * self.width + k][body % MOST_LANES]
    }
}

impl Store for Columns<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn read(&self, body: usize, to: &mut [f64]) {
        let columns = &self.columns[body / MOST_LANES * self.width..];
        for (number, column) in to.iter_mut().zip(columns) {
            *number = column[body % MOST_LANES];
        }
    }

    fn write(&mut self, body: usize, numbers: &[f64]) {
        for k in 0..self.width {
            *self.number(body, k) = numbers[k];
        }
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        Ok(memory::make_room(
            self.columns,
            self.width * blocks_for(count),
        )?)
    }

    /// Nothing is known of new bodies, which NaN says. Idle lanes are 0.
    fn resize(&mut self, before: usize, count: usize) {
        self.columns
            .resize(self.width * blocks_for(count), [0.0; MOST_LANES]);
        for body in before.min(count)..blocks_for(count) * MOST_LANES {
            for k in 0..self.width {
                *self.number(body, k) = if k == 0 && body < count {
                    f64::NAN
                } else {
                    0.0
                }
            }
        }
    }
}

impl Inertias {
    pub(crate) fn stores(
        &mut self,
        visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Inertias::Each(Separate { moments, turns, .. }) = self else {
            return Ok(());
        };
        visit(&mut Blocks {
            blocks: moments,
            created: [1.0; 6],
        })?;
        turns.iter_mut().try_for_each(|blocks| {
            visit(&mut Blocks {
                blocks,
                created: NOT_TURNED,
            })
        })
    }

    /// Makes the inertias separate if these numbers of a body differ, with axes of their own if
    /// these are turned.
    pub(crate) fn separate_for(&mut self, count: usize, numbers: &[f64; 7]) -> Result<(), Error> {
        // if only by a turn that is none: the arithmetic stays
        let are_turned = self.are_turned() || numbers[3..] != NOT_TURNED;
        let mut separate = None;
        if let Inertias::Shared(inertia) = *self {
            if *numbers == self.numbers(0) {
                return Ok(());
            }
            let each = Inertias::of_each(count, |_| {
                Ok((inertia.with_reciprocals(), inertia.principal_to_body.0))
            });
            separate = Some(each.map_err(|failure| failure.cause)?);
        }
        if let (true, Inertias::Each(all)) = (are_turned, separate.as_mut().unwrap_or(self)) {
            all.make_turns(count)?;
        }
        if let Some(separate) = separate {
            *self = separate;
        }
        Ok(())
    }
}
