//! The loop over the lanes of a chunk, and the detection of states that are not finite.
//!
//! Loops compute whole registers, and with them idle lanes, which have no body. Nobody reads their
//! results, but after one that overflows the loop looks for a body that has failed. So whoever puts
//! bodies into blocks gives the idle lanes numbers that do not grow (`memory::fill_idle_lanes`):
//! states at rest, moments that no torque turns, torques of 0.
//! Where all share a torque or an inertia, idle lanes begin to move, and are put at rest again
//! every [`MOST_IDLE_STEPS`].

use crate::kernel::{MOST_LANES, Number, State};
use crate::memory::{Block, Bodies, States, load};

/// Bodies per chunk. Their states before and after and callback arrays (12 KB) fit the first-level
/// cache.
pub(crate) const CHUNK: usize = 64;
pub(super) const CHUNK_BLOCKS: usize = CHUNK / MOST_LANES;

/// The state of a body as created.
pub(super) const AT_REST: [f64; 7] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
pub(super) const CHUNK_AT_REST: [Block<7>; CHUNK_BLOCKS] = [Block::filled(AT_REST); CHUNK_BLOCKS];

/// After so many steps idle lanes are put at rest again.
pub(super) const MOST_IDLE_STEPS: u64 = 64;

/// Chunks of bodies, the first ones (from 0) or listed, each by ascending index.
pub(super) fn chunks_of(bodies: Bodies<'_>) -> impl Iterator<Item = Bodies<'_>> {
    let (count, list) = match bodies {
        Bodies::From { count, .. } => (count, &[][..]),
        Bodies::Listed(list) => (0, list),
    };
    let runs = list
        .chunk_by(|a, b| a < b)
        .flat_map(|run| run.chunks(CHUNK))
        .map(Bodies::Listed);
    let first_ones = move |first| Bodies::From {
        first,
        count: (count - first).min(CHUNK),
    };
    (0..count).step_by(CHUNK).map(first_ones).chain(runs)
}

/// Runs `$do` for each vector `$n` of `$count` positions. The last vector may have idle lanes.
/// Vectors of 8 lanes take the last block as a whole, because other loops then take 16 lanes at
/// once, and read all of it. There are at most two single numbers, because `simd::run_on` takes
/// more bodies by vectors.
macro_rules! lanes {
    ($count:expr, $n:ident, $block:ident, $lane:ident, $do:expr) => {
        debug_assert!(
            $n::LANES > 1 || $count <= 2,
            "`simd::run_on` takes more than two bodies by vectors"
        );
        let until = if $n::LANES == 8 {
            $count.next_multiple_of(MOST_LANES)
        } else {
            $count
        };
        for $block in 0..if $n::LANES == 1 {
            1
        } else {
            $count.div_ceil(MOST_LANES)
        } {
            let mut $lane = 0;
            while $lane < if $n::LANES == 1 { 2 } else { MOST_LANES }
                && $block * MOST_LANES + $lane < until
            {
                $do;
                $lane += $n::LANES;
            }
        }
    };
}
pub(super) use lanes;

/// Finite if the state is: `w + |ω|²`, the criterion of a single body. A sum over many finite
/// states may overflow.
#[inline(always)]
pub(super) fn finite_check<N: Number>(state: &State<N>) -> N {
    state.q.0[0] + state.omega_body.dot(state.omega_body)
}

/// Whether a sum of finite_checks is not finite in any lane.
#[inline(always)]
pub(super) fn is_not_finite<N: Number>(finite_checks: N) -> bool {
    (finite_checks * N::splat(0.0))
        .if_at_most(0.0, N::splat(-1.0), N::splat(1.0))
        .any_above(0.0)
}

#[cold]
pub(super) fn first_not_finite(states: States, count: usize) -> Option<usize> {
    (0..count)
        .find(|&i| !finite_check(&load::<f64>(&states[i / MOST_LANES], i % MOST_LANES)).is_finite())
}
