//! Transfers between the caller's arrays and blocks, as many bodies at a time as there are lanes. One job transfers orientations and
//! angular velocities: a second one would cost 2 % of a step.

use super::block::{States, StatesMut};
use super::bodies::Bodies;
use super::strided::{Shape, Strided};
use crate::kernel::MOST_LANES;
use crate::simd::{self, Job, Lanes};

/// The arrays of some bodies. A missing array is skipped.
pub(super) struct Arrays<'a> {
    pub(super) orientations: Option<&'a Strided<4>>,
    pub(super) velocities: Option<&'a Strided<3>>,
    pub(super) bodies: &'a Bodies<'a>,
}

const ORIENTATION: usize = 0;
const VELOCITY: usize = 4;

impl Arrays<'_> {
    /// Copies the numbers to the first lanes of `to`.
    /// # Safety
    /// The bodies are readable.
    pub(super) unsafe fn gather(self, to: StatesMut) {
        simd::run_on(self.bodies.count(), &mut Gather(self, to));
    }

    /// The reverse of [`Arrays::gather`].
    /// # Safety
    /// The bodies are writable.
    pub(super) unsafe fn scatter(self, from: States) {
        simd::run_on(self.bodies.count(), &mut Scatter(self, from));
    }
}

/// Only for [`Arrays::gather`].
struct Gather<'a>(Arrays<'a>, StatesMut<'a>);

impl Job for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        if let Some(place) = self.0.orientations {
            self.gather::<N, 4>(place, ORIENTATION);
        }
        if let Some(place) = self.0.velocities {
            self.gather::<N, 3>(place, VELOCITY);
        }
    }
}

impl Gather<'_> {
    #[inline(always)]
    fn gather<N: Lanes, const K: usize>(&mut self, place: &Strided<K>, column: usize) {
        let Gather(Arrays { bodies, .. }, ref mut to) = *self;
        let (mut i, count, (body, last)) = (0, bodies.count(), bodies.ends().unwrap_or_default());
        assert!(count == 0 || last < place.count); // the bodies ascend
        while i + N::LANES <= count && matches!(bodies, Bodies::From { .. }) && place.rows.is_null() {
            let (block, lane) = (&mut to[i / MOST_LANES], i % MOST_LANES);
            let start = place.base.wrapping_offset((body + i) as isize * place.body_stride);
            match place.shape {
                Shape::Packed(offset, order) => {
                    let row = start.wrapping_offset(offset).cast_const();
                    // SAFETY: rows of bodies in the array, which is readable.
                    let columns = unsafe { N::load_rows::<K>(row, place.body_stride) };
                    for k in 0..K {
                        block.store(column + usize::from(order[k]), lane, columns[k]);
                    }
                }
                Shape::Columns => {
                    for c in 0..K {
                        let first = start.wrapping_offset(place.offsets[c]).cast_const();
                        // SAFETY: component `c` of `LANES` bodies in the array, which is readable.
                        let numbers = unsafe { std::slice::from_raw_parts(first, N::LANES) };
                        block.store(column + c, lane, N::load(numbers));
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        // SAFETY: bodies in the array, which is readable.
        (i..count).for_each(|i| unsafe { place.take(bodies.get(i), to, i, column) });
    }
}

/// Constructed only by [`Arrays::scatter`].
struct Scatter<'a>(Arrays<'a>, States<'a>);

impl Job for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn in_lanes<N: Lanes>(&mut self) {
        if let Some(place) = self.0.orientations {
            self.scatter::<N, 4>(place, ORIENTATION);
        }
        if let Some(place) = self.0.velocities {
            self.scatter::<N, 3>(place, VELOCITY);
        }
    }
}

impl Scatter<'_> {
    #[inline(always)]
    fn scatter<N: Lanes, const K: usize>(&self, place: &Strided<K>, column: usize) {
        let Scatter(Arrays { bodies, .. }, from) = *self;
        let (mut i, count, (body, last)) = (0, bodies.count(), bodies.ends().unwrap_or_default());
        assert!(count == 0 || last < place.count); // the bodies ascend
        while i + N::LANES <= count && matches!(bodies, Bodies::From { .. }) && place.rows.is_null() {
            let (block, lane) = (&from[i / MOST_LANES], i % MOST_LANES);
            let start = place.base.wrapping_offset((body + i) as isize * place.body_stride);
            match place.shape {
                Shape::Packed(offset, order) => {
                    let mut columns = [N::splat(0.0); K];
                    for k in 0..K {
                        columns[k] = block.load(column + usize::from(order[k]), lane);
                    }
                    // SAFETY: rows of bodies in the array, which is writable.
                    unsafe { N::store_rows(columns, start.wrapping_offset(offset), place.body_stride) };
                }
                Shape::Columns => {
                    for c in 0..K {
                        let first = start.wrapping_offset(place.offsets[c]);
                        // SAFETY: component `c` of `LANES` bodies in the array, which is writable.
                        let numbers = unsafe { std::slice::from_raw_parts_mut(first, N::LANES) };
                        block.load::<N>(column + c, lane).store(numbers);
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        // SAFETY: bodies in the array, which is writable.
        (i..count).for_each(|i| unsafe { place.give(bodies.get(i), from, i, column) });
    }
}
