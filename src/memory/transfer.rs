//! Transfers between the caller's arrays and blocks, as many bodies at a time as there are lanes.
//! One job transfers orientations and angular velocities: a second one would cost 2 % of a step.

use super::block::{Bodies, States, StatesMut};
use super::strided::{Shape, Strided};
use crate::kernel::MOST_LANES;
use crate::simd::{self, Job, Lanes};

/// From the arrays to the first lanes of `to`, or from those of `from` to the arrays. A missing
/// array is skipped.
pub(super) struct Transfer<'a, const GATHERS: bool> {
    pub(super) orientations: Option<&'a Strided<4>>,
    pub(super) velocities: Option<&'a Strided<3>>,
    pub(super) bodies: &'a Bodies<'a>,
    pub(super) from: States<'a>,
    pub(super) to: StatesMut<'a>,
}

impl<const GATHERS: bool> Transfer<'_, GATHERS> {
    /// # Safety
    /// The bodies are readable or, if they are to be written, writable.
    pub(super) unsafe fn run(mut self) {
        simd::run_on(self.bodies.count(), &mut self);
    }

    #[inline(always)]
    fn transfer<N: Lanes, const K: usize>(&mut self, place: &Strided<K>, column: usize) {
        let Transfer {
            bodies,
            from,
            ref mut to,
            ..
        } = *self;
        let mut i = 0;
        let count = bodies.count();
        let (body, last) = bodies.ends();
        assert!(count == 0 || place.first <= body && last < place.end); // they ascend
        while i + N::LANES <= count && matches!(bodies, Bodies::From { .. }) && place.rows.is_null()
        {
            let b = i / MOST_LANES;
            let lane = i % MOST_LANES;
            let start = place
                .base
                .wrapping_offset((body + i) as isize * place.body_stride);
            match place.shape {
                Shape::Packed(offset, order) if GATHERS => {
                    let row = start.wrapping_offset(offset).cast_const();
                    // SAFETY: rows of bodies in the array, which is readable.
                    let columns = unsafe { N::load_rows::<K>(row, place.body_stride) };
                    for k in 0..K {
                        to[b].store(column + usize::from(order[k]), lane, columns[k]);
                    }
                }
                Shape::Packed(offset, order) => {
                    let mut columns = [N::splat(0.0); K];
                    for k in 0..K {
                        columns[k] = from[b].load(column + usize::from(order[k]), lane);
                    }
                    // SAFETY: rows of bodies in the array, which is writable.
                    unsafe {
                        N::store_rows(columns, start.wrapping_offset(offset), place.body_stride)
                    };
                }
                Shape::Columns => {
                    for c in 0..K {
                        let first = start.wrapping_offset(place.offsets[c]);
                        if GATHERS {
                            // SAFETY: component `c` of `LANES` bodies in the array, which is
                            // readable.
                            let numbers =
                                unsafe { std::slice::from_raw_parts(first.cast_const(), N::LANES) };
                            to[b].store(column + c, lane, N::load(numbers));
                        } else {
                            // SAFETY: the same, writable.
                            let numbers =
                                unsafe { std::slice::from_raw_parts_mut(first, N::LANES) };
                            from[b].load::<N>(column + c, lane).store(numbers);
                        }
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        for i in i..count {
            let body = bodies.get(i);
            let b = i / MOST_LANES;
            let lane = i % MOST_LANES;
            assert!(place.first <= body && body < place.end); // also of a list that does not ascend
            if GATHERS {
                // SAFETY: a body in the array, which is readable.
                let numbers = unsafe { place.read(body) };
                for c in 0..K {
                    to[b].0[column + c][lane] = numbers[c];
                }
            } else {
                let mut numbers = [0.0; K];
                for c in 0..K {
                    numbers[c] = from[b].0[column + c][lane];
                }
                // SAFETY: the same, writable.
                unsafe { place.write(body, numbers) };
            }
        }
    }
}

/// Run only by [`Transfer::run`].
impl<const GATHERS: bool> Job for Transfer<'_, GATHERS> {
    const BY_TWO: bool = true;

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        if let Some(place) = self.orientations {
            self.transfer::<N, 4>(place, 0);
        }
        if let Some(place) = self.velocities {
            self.transfer::<N, 3>(place, 4);
        }
    }
}
