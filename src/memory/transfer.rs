//! Transfers between the caller's arrays and blocks, as many bodies at a time as there are lanes.
//! One job transfers orientations and angular velocities, because a second one would cost 2 % of a
//! step.

use super::block::{Bodies, States, StatesMut};
use super::strided::{Shape, Strided};
use crate::kernel::{MOST_LANES, Number};
use crate::simd::{self, Job, load_rows, store_rows};

/// A transfer from the arrays to the first lanes of `to`.
pub(super) type Gather<'a> = Transfer<'a, true>;

/// A transfer from the first lanes of `from` to the arrays.
pub(super) type Scatter<'a> = Transfer<'a, false>;

/// A transfer between arrays and blocks. An array that is `None` is skipped.
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

    /// Transfers an array to or from the columns of blocks that start with `column`.
    #[inline(always)]
    fn transfer<N: Number, const K: usize>(&mut self, place: &Strided<K>, column: usize) {
        let count = self.bodies.count();
        let (first, last) = self.bodies.ends();
        assert!(count == 0 || place.first <= first && last < place.end); // they ascend
        let mut i = 0;
        let are_consecutive = matches!(self.bodies, Bodies::From { .. }) && place.rows.is_null();
        if are_consecutive && !matches!(place.shape, Shape::Apart) {
            while i + N::LANES <= count {
                // SAFETY: lanes of consecutive bodies in the array, as `run` has it.
                unsafe { self.transfer_lanes::<N, K>(place, column, first, i) };
                i += N::LANES;
            }
        }
        for i in i..count {
            self.transfer_body(place, column, i);
        }
    }

    /// Transfers the bodies of positions `i`, `i + 1`, …, one in each lane. `first` is the body of
    /// position 0.
    ///
    /// # Safety
    /// The bodies are consecutive and in the array, which is readable or, if it is written,
    /// writable.
    #[inline(always)]
    unsafe fn transfer_lanes<N: Number, const K: usize>(
        &mut self,
        place: &Strided<K>,
        column: usize,
        first: usize,
        i: usize,
    ) {
        let b = i / MOST_LANES;
        let lane = i % MOST_LANES;
        let start = place
            .base
            .wrapping_offset((first + i) as isize * place.body_stride);
        match place.shape {
            Shape::Packed(offset, order) if GATHERS => {
                let row = start.wrapping_offset(offset).cast_const();
                // SAFETY: rows of bodies in the array, which is readable.
                let columns = unsafe { load_rows::<N, K>(row, place.body_stride) };
                for k in 0..K {
                    self.to[b].store(column + usize::from(order[k]), lane, columns[k]);
                }
            }
            Shape::Packed(offset, order) => {
                let mut columns = [N::splat(0.0); K];
                for k in 0..K {
                    columns[k] = self.from[b].load(column + usize::from(order[k]), lane);
                }
                // SAFETY: rows of bodies in the array, which is writable.
                unsafe { store_rows(columns, start.wrapping_offset(offset), place.body_stride) };
            }
            Shape::Columns => {
                for c in 0..K {
                    let first = start.wrapping_offset(place.offsets[c]);
                    if GATHERS {
                        // SAFETY: component `c` of `LANES` bodies in the array, which is readable.
                        let numbers =
                            unsafe { std::slice::from_raw_parts(first.cast_const(), N::LANES) };
                        self.to[b].store(column + c, lane, N::load(numbers));
                    } else {
                        // SAFETY: component `c` of `LANES` bodies in the array, which is writable.
                        let numbers = unsafe { std::slice::from_raw_parts_mut(first, N::LANES) };
                        self.from[b].load::<N>(column + c, lane).store(numbers);
                    }
                }
            }
            Shape::Apart => unreachable!("transferred body by body"),
        }
    }

    /// Transfers the body of position `i`.
    #[inline(always)]
    fn transfer_body<const K: usize>(&mut self, place: &Strided<K>, column: usize, i: usize) {
        let body = self.bodies.get(i);
        let b = i / MOST_LANES;
        let lane = i % MOST_LANES;
        assert!(place.first <= body && body < place.end); // also of a list that does not ascend
        if GATHERS {
            // SAFETY: a body in the array, which is readable.
            let numbers = unsafe { place.read(body) };
            for c in 0..K {
                self.to[b].0[column + c][lane] = numbers[c];
            }
        } else {
            let mut numbers = [0.0; K];
            for c in 0..K {
                numbers[c] = self.from[b].0[column + c][lane];
            }
            // SAFETY: a body in the array, which is writable.
            unsafe { place.write(body, numbers) };
        }
    }
}

/// Run only by [`Transfer::run`].
impl<const GATHERS: bool> Job for Transfer<'_, GATHERS> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        if let Some(place) = self.orientations {
            self.transfer::<N, 4>(place, 0);
        }
        if let Some(place) = self.velocities {
            self.transfer::<N, 3>(place, 4);
        }
    }
}
