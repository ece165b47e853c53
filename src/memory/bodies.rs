use super::block::{self, Block};
use crate::kernel::{MOST_LANES, Number};

/// The bodies of a chunk, by ascending index.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Bodies<'a> {
    /// `first`, `first + 1`, …
    From { first: usize, count: usize },
    /// A list.
    Listed(&'a [usize]),
}

impl Bodies<'_> {
    pub(crate) fn one(body: usize) -> Self {
        Bodies::From { first: body, count: 1 }
    }

    pub(crate) fn first(count: usize) -> Self {
        Bodies::From { first: 0, count }
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        match self {
            Bodies::From { count, .. } => *count,
            Bodies::Listed(list) => list.len(),
        }
    }

    pub(crate) fn get(&self, i: usize) -> usize {
        match self {
            Bodies::From { first, .. } => first + i,
            Bodies::Listed(list) => list[i],
        }
    }

    pub(crate) fn ends(&self) -> Option<(usize, usize)> {
        let last = self.count().checked_sub(1)?;
        Some((self.get(0), self.get(last)))
    }

    /// Loads the numbers of the `i`-th and the following bodies, one per lane, from blocks of all bodies.
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
                let mut these = Block::filled([1.0; K]); // lanes beyond the list: any harmless value
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
