//! Which bodies a chunk works on.

use super::block::{self, Block};
use crate::kernel::{MOST_LANES, Number};

/// Bodies by index, ascending.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bodies<'a> {
    /// `first`, `first + 1`, …
    From { first: usize, count: usize },
    /// These.
    Listed(&'a [usize]),
}

impl<'a> Bodies<'a> {
    /// Some of the bodies that move: those of the list at these positions, or with these indices where there is no list.
    pub(crate) fn at_positions(list: Option<&'a [usize]>, first: usize, count: usize) -> Self {
        match list {
            None => Bodies::From { first, count },
            Some(list) => Bodies::Listed(&list[first..first + count]),
        }
    }

    /// One body.
    pub(crate) fn one(body: usize) -> Self {
        Bodies::From { first: body, count: 1 }
    }

    /// How many.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        match self {
            Bodies::From { count, .. } => *count,
            Bodies::Listed(list) => list.len(),
        }
    }

    /// The `i`-th.
    pub(crate) fn get(&self, i: usize) -> usize {
        match self {
            Bodies::From { first, .. } => first + i,
            Bodies::Listed(list) => list[i],
        }
    }

    /// The first and the last index; `None` where there is no body.
    pub(crate) fn ends(&self) -> Option<(usize, usize)> {
        let last = self.count().checked_sub(1)?;
        Some((self.get(0), self.get(last)))
    }

    /// Numbers of the `i`-th body and those after it, from blocks that have them for all bodies of the ensemble.
    #[inline(always)]
    pub(crate) fn load<N: Number, const K: usize>(&self, blocks: &[Block<K>], i: usize) -> [N; K] {
        let mut out = [N::splat(0.0); K];
        match self {
            Bodies::From { first, .. } => {
                let (block, lane) = (&blocks[(first + i) / MOST_LANES], (first + i) % MOST_LANES);
                for k in 0..K {
                    out[k] = block.load(k, lane);
                }
            }
            Bodies::Listed(list) => {
                let mut these = Block::filled([1.0; K]); // beyond the list: any number that does no harm
                for (lane, body) in list[i..].iter().take(N::LANES).enumerate() {
                    these.set(lane, block::get(blocks, *body));
                }
                for k in 0..K {
                    out[k] = these.load(k, 0);
                }
            }
        }
        out
    }
}
