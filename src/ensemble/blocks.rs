//! Storage: blocks of as many bodies as the widest register pair has lanes, each a small structure of arrays. A block is
//! contiguous, so a sweep reads one stream of memory and writes one, whatever the number of columns.

use crate::kernel::{MOST_LANES, Number};
use std::collections::TryReserveError;

/// `K` numbers of each of [`MOST_LANES`] bodies: a column for each number, each on cache lines of its own.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block<const K: usize>(pub(crate) [[f64; MOST_LANES]; K]);

/// `w, x, y, z, ω₁, ω₂, ω₃` of consecutive positions.
pub(super) type States<'a> = &'a [Block<7>];
/// The same, to write.
pub(super) type StatesMut<'a> = &'a mut [Block<7>];

impl<const K: usize> Block<K> {
    pub(crate) const fn filled(values: [f64; K]) -> Self {
        let mut block = Block([[0.0; MOST_LANES]; K]);
        let mut k = 0;
        while k < K {
            block.0[k] = [values[k]; MOST_LANES];
            k += 1;
        }
        block
    }

    /// The numbers of the body in a lane.
    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> [f64; K] {
        std::array::from_fn(|k| self.0[k][lane])
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, values: [f64; K]) {
        for k in 0..K {
            self.0[k][lane] = values[k];
        }
    }

    /// Column `k` of the lanes from `lane` on, which is a multiple of their number.
    #[inline(always)]
    pub(crate) fn load<N: Number>(&self, k: usize, lane: usize) -> N {
        N::load(&self.0[k][aligned::<N>(lane)..])
    }

    #[inline(always)]
    pub(crate) fn store<N: Number>(&mut self, k: usize, lane: usize, number: N) {
        number.store(&mut self.0[k][aligned::<N>(lane)..]);
    }
}

/// `lane` itself, so that the compiler sees that a whole `N` begins there and leaves out the check.
#[inline(always)]
fn aligned<N: Number>(lane: usize) -> usize {
    lane & (MOST_LANES - N::LANES)
}

/// How many blocks hold `count` bodies.
pub(crate) fn blocks_for(count: usize) -> usize {
    count.div_ceil(MOST_LANES)
}

/// Blocks for `count` bodies with the same numbers, the lanes beyond them too.
pub(crate) fn filled<const K: usize>(count: usize, values: [f64; K]) -> Result<Vec<Block<K>>, TryReserveError> {
    let mut blocks = Vec::new();
    blocks.try_reserve_exact(blocks_for(count.max(1)))?;
    blocks.resize(blocks_for(count.max(1)), Block::filled(values));
    Ok(blocks)
}

/// The numbers of body `i`.
pub(crate) fn get<const K: usize>(blocks: &[Block<K>], i: usize) -> [f64; K] {
    blocks[i / MOST_LANES].get(i % MOST_LANES)
}

pub(crate) fn set<const K: usize>(blocks: &mut [Block<K>], i: usize, values: [f64; K]) {
    blocks[i / MOST_LANES].set(i % MOST_LANES, values);
}
