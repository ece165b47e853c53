//! Arrays of the caller's, with any strides.

use super::check::{Failure, usable};
use crate::Error;
use crate::ensemble::{Block, Bodies, BoundArray, Rows};
use crate::kernel::MOST_LANES;

/// Doubles in a line of memory.
const LINE: usize = 8;

/// `K` numbers for each of `count` bodies: number `c` of body `i` is `base[i * body_stride + offsets[c]]`.
pub(super) struct Strided<const K: usize> {
    base: *mut f64,
    count: usize,
    body_stride: isize,
    offsets: [isize; K],
}

// SAFETY: a place in the caller's memory, which by the header's contract is ours to use during calls, from any thread.
unsafe impl<const K: usize> Send for Strided<K> {}
// SAFETY: as above; concurrent calls use different bodies, which are different places.
unsafe impl<const K: usize> Sync for Strided<K> {}

impl<const K: usize> Strided<K> {
    /// For reading only: the numbers may be in the same place for several bodies (stride 0).
    ///
    /// # Safety
    /// A usable pointer is valid at all the places that the strides and `count` give.
    pub(super) unsafe fn new(
        data: *const f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        usable(data, name)?;
        let must = "must be such that all of the array can be addressed";
        let invalid = |name| Failure::from(Error::Invalid { name, must });
        let last = isize::try_from(count.saturating_sub(1)).map_err(|_| invalid("body_stride"))?;
        let reach = |stride: isize, steps: isize| stride.checked_mul(steps).filter(|n| n.unsigned_abs() < (1 << 59));
        reach(body_stride, last).ok_or(invalid("body_stride"))?;
        reach(component_stride, K as isize).ok_or(invalid("component_stride"))?;
        let offsets = std::array::from_fn(|c| c as isize * component_stride);
        Ok(Strided { base: data.cast_mut(), count, body_stride, offsets })
    }

    /// For writing: every number must have a place of its own.
    ///
    /// # Safety
    /// That of [`Strided::new`].
    pub(super) unsafe fn distinct(
        data: *mut f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's.
        let this = unsafe { Self::new(data, count, body_stride, component_stride, name) }?;
        let overlaps =
            (1..K as isize).any(|c| meets(c * component_stride, body_stride, count)) || count > 1 && body_stride == 0;
        if overlaps {
            let must = "must give every number a place of its own";
            return Err(Error::Invalid { name: "body_stride or component_stride", must }.into());
        }
        Ok(this)
    }

    /// The scalar last instead of first.
    pub(super) fn scalar_last(mut self) -> Self {
        self.offsets.rotate_right(1);
        self
    }

    /// Whether a number of each is in the same place.
    pub(super) fn overlaps<const L: usize>(&self, other: &Strided<L>) -> bool {
        let (a, b) = (self.extent(), other.extent());
        if self.count == 0 || a.1 < b.0 || b.1 < a.0 {
            return false;
        }
        if self.body_stride != other.body_stride {
            return true; // interleaved in no regular way
        }
        let between = (self.base.addr() as isize).wrapping_sub(other.base.addr() as isize);
        if between % 8 != 0 {
            return true;
        }
        let each = |a: &isize| other.offsets.iter().any(|b| meets(between / 8 + a - b, self.body_stride, self.count));
        self.offsets.iter().any(each)
    }

    /// The first and the last address.
    fn extent(&self) -> (isize, isize) {
        let bodies = [0, self.count.saturating_sub(1) as isize * self.body_stride];
        let places = bodies.map(|b| self.offsets.map(|c| self.base.addr() as isize + 8 * (b + c)));
        let all = places.iter().flatten();
        (all.clone().min().copied().unwrap_or(0), all.max().copied().unwrap_or(0))
    }

    /// The numbers of a body.
    #[inline(always)]
    pub(super) fn get(&self, body: usize) -> [f64; K] {
        debug_assert!(body < self.count);
        let first = self.body_stride * body as isize;
        // SAFETY: valid at all these places, by the word given to `new`.
        self.offsets.map(|offset| unsafe { self.base.offset(first + offset).read() })
    }

    /// Writes the numbers of a body. Only for what `distinct` made.
    #[inline(always)]
    pub(super) fn put(&self, body: usize, values: [f64; K]) {
        debug_assert!(body < self.count);
        let first = self.body_stride * body as isize;
        for (offset, value) in self.offsets.iter().zip(values) {
            // SAFETY: valid at all these places, by the word given to `distinct`.
            unsafe { self.base.offset(first + offset).write(value) };
        }
    }
}

/// Whether two places `apart` from each other are the same number of bodies apart: `apart = n stride`, `|n| < count`.
fn meets(apart: isize, stride: isize, count: usize) -> bool {
    apart == 0 || stride != 0 && apart % stride == 0 && (apart / stride).unsigned_abs() < count
}

impl<const K: usize> BoundArray for Strided<K> {
    fn gather(&self, bodies: &Bodies, count: usize, to: &mut [Block<7>], first: usize) {
        match bodies {
            Bodies::From(body) => self.take(count, to, first, |i| body + i),
            Bodies::Listed(list) => self.take(count, to, first, |i| list[i]),
        }
    }

    fn scatter(&self, bodies: &Bodies, count: usize, from: &[Block<7>], first: usize) {
        match bodies {
            Bodies::From(body) => self.give(count, from, first, |i| body + i),
            Bodies::Listed(list) => self.give(count, from, first, |i| list[i]),
        }
    }

    fn rows(&self, body: usize) -> Rows {
        let (first, last) = self.offsets.iter().fold((0, 0), |(a, b), &offset| (a.min(offset), b.max(offset)));
        if self.body_stride.unsigned_abs() < LINE || last - first >= LINE as isize {
            return Rows::NONE;
        }
        let start = self.base.wrapping_offset(self.body_stride * body as isize);
        let ends = [first, last].map(|offset| start.wrapping_offset(offset).cast_const().cast());
        Rows { ends, stride: 8 * self.body_stride }
    }
}

impl<const K: usize> Strided<K> {
    #[inline(always)]
    fn take(&self, count: usize, to: &mut [Block<7>], first: usize, body: impl Fn(usize) -> usize) {
        for (block, begin) in to.iter_mut().zip((0..count).step_by(MOST_LANES)) {
            let columns: &mut [[f64; MOST_LANES]; K] = block.0[first..].first_chunk_mut().expect("K columns");
            for lane in 0..MOST_LANES.min(count - begin) {
                let values = self.get(body(begin + lane));
                for c in 0..K {
                    columns[c][lane] = values[c];
                }
            }
        }
    }

    #[inline(always)]
    fn give(&self, count: usize, from: &[Block<7>], first: usize, body: impl Fn(usize) -> usize) {
        for (block, begin) in from.iter().zip((0..count).step_by(MOST_LANES)) {
            let columns: &[[f64; MOST_LANES]; K] = block.0[first..].first_chunk().expect("K columns");
            for lane in 0..MOST_LANES.min(count - begin) {
                self.put(body(begin + lane), std::array::from_fn(|c| columns[c][lane]));
            }
        }
    }
}
