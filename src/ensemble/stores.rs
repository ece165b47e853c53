//! What an ensemble holds for each body, as numbers that can be read, written, moved and resized.

use super::parameters::{Inertias, Parameter};
use crate::error::Error;
use crate::kernel::{Column, MOST_LANES};
use crate::memory::{self, Block, Bodies, blocks_for};

/// Numbers of each body, as parts of rows.
pub(super) trait Store {
    /// Numbers per body.
    fn width(&self) -> usize;

    /// Writes the numbers of bodies to rows.
    fn read(&self, bodies: &Bodies, to: RowPart<&mut [f64]>);

    /// Replaces them by those of rows. After [`Store::reserve`].
    fn write(&mut self, bodies: &Bodies, from: RowPart<&[f64]>);

    /// Separate numbers for each of `count` bodies, where all share numbers and a row has others.
    fn separate_for(&mut self, _count: usize, _rows: RowPart<&[f64]>) -> Result<(), Error> {
        Ok(())
    }

    /// Makes room for separate numbers of `count` bodies, so that nothing fails later.
    fn reserve(&mut self, count: usize) -> Result<(), Error>;

    /// New bodies get the numbers of a body as created.
    fn resize(&mut self, before: usize, count: usize);
}

/// A part of each row: it starts at `first`, and a row has `width` numbers.
#[derive(Clone, Copy)]
pub(super) struct RowPart<T> {
    pub(super) rows: T,
    pub(super) first: usize,
    pub(super) width: usize,
}

impl<'a> RowPart<&'a [f64]> {
    #[inline(always)]
    pub(super) fn each<const K: usize>(self) -> impl Iterator<Item = &'a [f64; K]> {
        let first = self.first;
        self.rows.chunks_exact(self.width).map(move |row| row[first..].first_chunk().expect("a row has this part"))
    }
}

impl<'a> RowPart<&'a mut [f64]> {
    pub(super) fn at(&mut self, first: usize) -> RowPart<&mut [f64]> {
        RowPart { rows: self.rows, first, width: self.width }
    }

    #[inline(always)]
    pub(super) fn each<const K: usize>(self) -> impl Iterator<Item = &'a mut [f64; K]> {
        let first = self.first;
        let part = move |row: &'a mut [f64]| row[first..].first_chunk_mut().expect("a row has this part");
        self.rows.chunks_exact_mut(self.width).map(part)
    }
}

/// Blocks, and the numbers of a body as created.
pub(super) struct Blocks<T, const K: usize> {
    pub(super) blocks: T,
    pub(super) created: [f64; K],
}

pub(super) fn read<const K: usize>(blocks: &[Block<K>], bodies: &Bodies, to: RowPart<&mut [f64]>) {
    to.each().enumerate().for_each(|(i, row)| *row = memory::get(blocks, bodies.get(i)));
}

fn write<const K: usize>(blocks: &mut [Block<K>], bodies: &Bodies, from: RowPart<&[f64]>) {
    from.each().enumerate().for_each(|(i, row)| memory::set(blocks, bodies.get(i), *row));
}

impl<const K: usize> Store for Blocks<&mut Vec<Block<K>>, K> {
    fn width(&self) -> usize {
        K
    }

    fn read(&self, bodies: &Bodies, to: RowPart<&mut [f64]>) {
        read(self.blocks, bodies, to);
    }

    fn write(&mut self, bodies: &Bodies, from: RowPart<&[f64]>) {
        write(self.blocks, bodies, from);
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

    fn read(&self, bodies: &Bodies, to: RowPart<&mut [f64]>) {
        match self {
            Parameter::Shared(numbers) => to.each().for_each(|row| *row = *numbers),
            Parameter::Each(blocks) => read(blocks, bodies, to),
        }
    }

    fn write(&mut self, bodies: &Bodies, from: RowPart<&[f64]>) {
        if let Parameter::Each(blocks) = self {
            write(blocks, bodies, from);
        }
    }

    fn separate_for(&mut self, count: usize, rows: RowPart<&[f64]>) -> Result<(), Error> {
        if let Parameter::Shared(numbers) = self
            && rows.each().any(|row| row != numbers)
        {
            *self = Parameter::Each(memory::filled(count, *numbers)?);
        }
        Ok(())
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
pub(super) struct Columns<T> {
    pub(super) columns: T,
    pub(super) width: usize,
}

impl Store for Columns<&mut Vec<Column>> {
    fn width(&self) -> usize {
        self.width
    }

    fn read(&self, bodies: &Bodies, to: RowPart<&mut [f64]>) {
        for (i, row) in to.rows.chunks_exact_mut(to.width).enumerate() {
            let body = bodies.get(i);
            let columns = &self.columns[body / MOST_LANES * self.width..];
            (0..self.width).for_each(|k| row[to.first + k] = columns[k][body % MOST_LANES]);
        }
    }

    fn write(&mut self, bodies: &Bodies, from: RowPart<&[f64]>) {
        for (i, row) in from.rows.chunks_exact(from.width).enumerate() {
            let body = bodies.get(i);
            let columns = &mut self.columns[body / MOST_LANES * self.width..];
            (0..self.width).for_each(|k| columns[k][body % MOST_LANES] = row[from.first + k]);
        }
    }

    fn reserve(&mut self, count: usize) -> Result<(), Error> {
        Ok(memory::make_room(self.columns, self.width * blocks_for(count))?)
    }

    /// Nothing is known of new bodies.
    fn resize(&mut self, before: usize, count: usize) {
        self.columns.resize(self.width * blocks_for(count), [0.0; MOST_LANES]);
        if self.width > 0 {
            (before..count).for_each(|body| self.columns[body / MOST_LANES * self.width][body % MOST_LANES] = f64::NAN);
            // the lanes behind the last body, with which steps compute too
            (count..blocks_for(count) * MOST_LANES).for_each(|body| {
                self.columns[body / MOST_LANES * self.width][body % MOST_LANES] = 0.0;
            });
        }
    }
}

impl Inertias {
    /// Shows each store to `visit`.
    pub(super) fn stores(&mut self, visit: &mut dyn FnMut(&mut dyn Store) -> Result<(), Error>) -> Result<(), Error> {
        let Inertias::Each { moments, principal_to_body, .. } = self else { return Ok(()) };
        visit(&mut Blocks { blocks: moments, created: [1.0; 6] })?;
        match principal_to_body {
            None => Ok(()),
            Some(turns) => visit(&mut Blocks { blocks: turns, created: [1.0, 0.0, 0.0, 0.0] }),
        }
    }
}
