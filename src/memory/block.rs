//! An ensemble's own memory: small structs of arrays. Each is contiguous, so that a loop over
//! bodies reads and writes one stream of each. And the list of bodies of a loop.

use crate::kernel::{MOST_LANES, Number, Quat, State, Vec3};
use std::{collections::TryReserveError, hint::black_box};

/// `K` numbers of [`MOST_LANES`] bodies: a column for each number, aligned to cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block<const K: usize>(pub(crate) [[f64; MOST_LANES]; K]);

/// `w, x, y, z, ω₁, ω₂, ω₃` of consecutive positions.
pub(crate) type States<'a> = &'a [Block<7>];
pub(crate) type StatesMut<'a> = &'a mut [Block<7>];

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

    #[inline(always)]
    pub(crate) fn get(&self, lane: usize) -> [f64; K] {
        let mut values = [0.0; K]; // not `from_fn`, which may be a call
        for k in 0..K {
            values[k] = self.0[k][lane];
        }
        values
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, values: [f64; K]) {
        for k in 0..K {
            self.0[k][lane] = values[k];
        }
    }

    /// Column `k` of the lanes from `lane` on, a multiple of [`Number::LANES`].
    #[inline(always)]
    pub(crate) fn load<N: Number>(&self, k: usize, lane: usize) -> N {
        N::load(&self.0[k][aligned::<N>(lane)..])
    }

    #[inline(always)]
    pub(crate) fn store<N: Number>(&mut self, k: usize, lane: usize, number: N) {
        number.store(&mut self.0[k][aligned::<N>(lane)..]);
    }
}

/// Returns `lane`, in a form that lets the compiler omit the bounds check of a load of `N`.
#[inline(always)]
fn aligned<N: Number>(lane: usize) -> usize {
    debug_assert!(
        lane < MOST_LANES && lane.is_multiple_of(N::LANES),
        "another body's lane"
    );
    lane & (MOST_LANES - N::LANES)
}

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
        Bodies::From {
            first: body,
            count: 1,
        }
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

    /// The first and the last body; 0 if there are none.
    pub(crate) fn ends(&self) -> (usize, usize) {
        match self.count() {
            0 => (0, 0),
            count => (self.get(0), self.get(count - 1)),
        }
    }

    /// Loads the numbers of the `i`-th and the following bodies, one per lane, from blocks of all
    /// bodies.
    #[inline(always)]
    pub(crate) fn load<N: Number, const K: usize>(&self, blocks: &[Block<K>], i: usize) -> [N; K] {
        let mut out = [N::splat(0.0); K];
        match self {
            Bodies::From { first, .. } => {
                let block = &blocks[(first + i) / MOST_LANES];
                let lane = (first + i) % MOST_LANES;
                for k in 0..K {
                    out[k] = block.load(k, lane);
                }
            }
            Bodies::Listed(list) => {
                // zeros for idle lanes: no torque, and moments that no torque turns
                let mut these = Block::filled([0.0; K]);
                for (lane, body) in list.iter().skip(i).take(N::LANES).enumerate() {
                    these.set(lane, get(blocks, *body));
                }
                for k in 0..K {
                    out[k] = these.load(k, 0);
                }
            }
        }
        out
    }
}

#[inline]
pub(crate) fn blocks_for(count: usize) -> usize {
    count.div_ceil(MOST_LANES)
}

/// Gives the idle lanes of `count` bodies these numbers, because loops compute them too and what
/// other bodies have left there might overflow. Of one or two bodies loops compute four lanes at
/// most.
#[inline(always)] // most chunks have no such lanes
pub(crate) fn fill_idle_lanes<const K: usize>(
    count: usize,
    blocks: &mut [Block<K>],
    idle: [f64; K],
) {
    if count.is_multiple_of(MOST_LANES) {
        return;
    }
    if count <= 2
        && let [first, ..] = blocks
    {
        for (column, number) in first.0.iter_mut().zip(idle) {
            if count == 1 {
                column[1] = number;
            }
            column[2] = number;
            column[3] = number;
        }
    } else {
        for lane in count..blocks.len().min(blocks_for(count)) * MOST_LANES {
            set(blocks, lane, idle);
        }
    }
}

/// Makes room for `len` elements in all.
pub(crate) fn make_room<T>(elements: &mut Vec<T>, len: usize) -> Result<(), TryReserveError> {
    elements.try_reserve_exact(len.saturating_sub(elements.len()))
}

/// A value `count` times.
pub(crate) fn repeated<T: Clone>(count: usize, value: T) -> Result<Vec<T>, TryReserveError> {
    let mut all = Vec::new();
    all.try_reserve_exact(count)?;
    all.resize(count, value);
    Ok(all)
}

/// Blocks for `count` bodies with equal numbers, which the lanes beyond them have too.
pub(crate) fn filled<const K: usize>(
    count: usize,
    values: [f64; K],
) -> Result<Vec<Block<K>>, TryReserveError> {
    let mut block = Block::filled([0.0; K]);
    for k in 0..K {
        block.0[black_box(k)] = [values[k]; MOST_LANES]; // so that it is not unrolled
    }
    repeated(blocks_for(count.max(1)), block)
}

/// Blocks of the numbers that `of` gives for each body.
pub(crate) fn of_each<const K: usize, E: From<TryReserveError>>(
    count: usize,
    mut of: impl FnMut(usize) -> Result<[f64; K], E>,
) -> Result<Vec<Block<K>>, E> {
    let mut blocks = filled(count, [0.0; K])?;
    for body in 0..count {
        set(&mut blocks, body, of(body)?);
    }
    Ok(blocks)
}

/// A box, or an error where `Box::new` would abort.
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, TryReserveError> {
    let mut one = Vec::new();
    one.try_reserve_exact(1)?;
    one.push(value);
    // SAFETY: a box of a slice of one T has the layout of a box of T.
    Ok(unsafe { Box::from_raw(Box::into_raw(one.into_boxed_slice()).cast()) })
}

/// All numbers of blocks, as memory for packed arrays.
#[inline(always)]
pub(crate) fn numbers<const K: usize>(blocks: &[Block<K>]) -> &[f64] {
    // SAFETY: a block is `K MOST_LANES` numbers and nothing else, as its size says.
    unsafe {
        std::slice::from_raw_parts(
            blocks.as_ptr().cast(),
            size_of_val(blocks) / size_of::<f64>(),
        )
    }
}

#[inline(always)]
pub(crate) fn numbers_mut<const K: usize>(blocks: &mut [Block<K>]) -> &mut [f64] {
    // SAFETY: a block is `K MOST_LANES` numbers and nothing else, as its size says.
    unsafe {
        std::slice::from_raw_parts_mut(
            blocks.as_mut_ptr().cast(),
            size_of_val(blocks) / size_of::<f64>(),
        )
    }
}

#[inline]
pub(crate) fn get<const K: usize>(blocks: &[Block<K>], i: usize) -> [f64; K] {
    blocks[i / MOST_LANES].get(i % MOST_LANES)
}

#[inline]
pub(crate) fn set<const K: usize>(blocks: &mut [Block<K>], i: usize, values: [f64; K]) {
    blocks[i / MOST_LANES].set(i % MOST_LANES, values);
}

/// A number that tells whether the states have changed since.
pub(crate) fn fingerprint(states: States, count: usize) -> u64 {
    let mut sum = 0_u64;
    for i in 0..count {
        for number in get(states, i) {
            sum = (sum.rotate_left(5) ^ number.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    sum
}

#[inline(always)]
pub(crate) fn load<N: Number>(block: &Block<7>, lane: usize) -> State<N> {
    State {
        q: Quat([
            block.load(0, lane),
            block.load(1, lane),
            block.load(2, lane),
            block.load(3, lane),
        ]),
        omega_body: load_vector(block, 4, lane),
    }
}

#[inline(always)]
pub(crate) fn store<N: Number>(state: &State<N>, to: &mut Block<7>, lane: usize) {
    for (k, number) in state.q.0.into_iter().enumerate() {
        to.store(k, lane, number);
    }
    store_vector(state.omega_body, to, 4, lane);
}

/// A vector in columns `k`, `k + 1` and `k + 2`.
#[inline(always)]
pub(crate) fn load_vector<N: Number, const K: usize>(
    block: &Block<K>,
    k: usize,
    lane: usize,
) -> Vec3<N> {
    Vec3([
        block.load(k, lane),
        block.load(k + 1, lane),
        block.load(k + 2, lane),
    ])
}

#[inline(always)]
pub(crate) fn store_vector<N: Number, const K: usize>(
    vector: Vec3<N>,
    to: &mut Block<K>,
    k: usize,
    lane: usize,
) {
    for (c, number) in vector.0.into_iter().enumerate() {
        to.store(k + c, lane, number);
    }
}
