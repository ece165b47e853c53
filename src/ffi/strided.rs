//! Arrays of the caller's, with any strides.

use super::check::{Failure, usable};
use crate::Error;
use crate::ensemble::{Block, Bodies, BoundArray, Rows};
use crate::kernel::MOST_LANES;
use crate::simd::{self, Job, Lanes};

/// `K` numbers for each of `count` bodies: number `c` of body `i` is `base[i * body_stride + offsets[c]]`.
pub(super) struct Strided<const K: usize> {
    base: *mut f64,
    count: usize,
    body_stride: isize,
    offsets: [isize; K],
    shape: Shape<K>,
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
        Ok(Strided { base: data.cast_mut(), count, body_stride, offsets, shape: Shape::of(body_stride, offsets) })
    }

    /// For writing: every number must have a place of its own.
    ///
    /// # Safety
    /// A usable pointer is valid for reading and writing at all the places that the strides and `count` give, and no one else
    /// uses them while this is used.
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
        self.shape = Shape::of(self.body_stride, self.offsets);
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
            Bodies::From(body) => simd::run_on(count, &mut Gather { array: self, body: *body, count, to, first }),
            Bodies::Listed(list) => {
                assert!(list.last().is_none_or(|last| *last < self.count)); // they ascend
                (0..count).for_each(|i| self.take(list[i], to, i, first));
            }
        }
    }

    fn scatter(&self, bodies: &Bodies, count: usize, from: &[Block<7>], first: usize) {
        match bodies {
            Bodies::From(body) => simd::run_on(count, &mut Scatter { array: self, body: *body, count, from, first }),
            Bodies::Listed(list) => {
                assert!(list.last().is_none_or(|last| *last < self.count));
                (0..count).for_each(|i| self.give(list[i], from, i, first));
            }
        }
    }

    fn rows(&self) -> Option<Rows> {
        const DOUBLES_IN_LINE: usize = simd::LINE / size_of::<f64>();
        let (first, last) = self.offsets.iter().fold((0, 0), |(a, b), &offset| (a.min(offset), b.max(offset)));
        let is_row = self.body_stride.unsigned_abs() >= DOUBLES_IN_LINE && last - first < DOUBLES_IN_LINE as isize;
        let [first, last] = [first, last].map(|offset| self.base.wrapping_offset(offset).cast_const().cast());
        is_row.then(|| Rows::new(first, last, size_of::<f64>() as isize * self.body_stride))
    }
}

/// How the numbers of neighbouring bodies lie.
#[derive(Clone, Copy, Debug)]
enum Shape<const K: usize> {
    /// Those of a body in a row, from this offset on, in this order of components.
    Rows(isize, [usize; K]),
    /// Each component in a column of its own, without gaps.
    Columns,
    /// Apart from each other.
    Apart,
}

impl<const K: usize> Shape<K> {
    fn of(body_stride: isize, offsets: [isize; K]) -> Self {
        let first = offsets.iter().copied().min().unwrap_or(0);
        let mut order = offsets.map(|offset| (offset - first).unsigned_abs());
        if order.iter().all(|place| *place < K) {
            offsets.iter().enumerate().for_each(|(c, offset)| order[(offset - first).unsigned_abs()] = c);
            Shape::Rows(first, order)
        } else if body_stride == 1 {
            Shape::Columns
        } else {
            Shape::Apart
        }
    }
}

impl<const K: usize> Strided<K> {
    /// The numbers of a body, lane `i % MOST_LANES` of block `i / MOST_LANES`.
    #[inline(always)]
    fn take(&self, body: usize, to: &mut [Block<7>], i: usize, first: usize) {
        let values = self.get(body);
        for c in 0..K {
            to[i / MOST_LANES].0[first + c][i % MOST_LANES] = values[c];
        }
    }

    /// And back.
    #[inline(always)]
    fn give(&self, body: usize, from: &[Block<7>], i: usize, first: usize) {
        let mut values = [0.0; K];
        for c in 0..K {
            values[c] = from[i / MOST_LANES].0[first + c][i % MOST_LANES];
        }
        self.put(body, values);
    }
}

/// Gathers the numbers of neighbouring bodies, as many at a time as there are lanes.
struct Gather<'a, const K: usize> {
    array: &'a Strided<K>,
    body: usize,
    count: usize,
    to: &'a mut [Block<7>],
    first: usize,
}

impl<const K: usize> Job for Gather<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        let Gather { array, body, count, first, .. } = *self;
        assert!(body + count <= array.count);
        let mut i = 0;
        while i + N::LANES <= count {
            let (block, lane) = (&mut self.to[i / MOST_LANES], i % MOST_LANES);
            let start = array.base.wrapping_offset((body + i) as isize * array.body_stride);
            match array.shape {
                Shape::Rows(offset, order) => {
                    let row = start.wrapping_offset(offset).cast_const();
                    // SAFETY: the rows of bodies of the array, valid by the word given to `new`.
                    let columns = unsafe { N::load_rows::<K>(row, array.body_stride) };
                    for k in 0..K {
                        block.store(first + order[k], lane, columns[k]);
                    }
                }
                Shape::Columns => {
                    for c in 0..K {
                        let column = start.wrapping_offset(array.offsets[c]).cast_const();
                        // SAFETY: number `c` of as many bodies of the array, valid by the word given to `new`.
                        block.store(first + c, lane, N::load(unsafe { std::slice::from_raw_parts(column, N::LANES) }));
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        (i..count).for_each(|i| array.take(body + i, self.to, i, first));
    }
}

/// And scatters them.
struct Scatter<'a, const K: usize> {
    array: &'a Strided<K>,
    body: usize,
    count: usize,
    from: &'a [Block<7>],
    first: usize,
}

impl<const K: usize> Job for Scatter<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<N: Lanes>(&mut self) {
        let Scatter { array, body, count, first, .. } = *self;
        assert!(body + count <= array.count);
        let mut i = 0;
        while i + N::LANES <= count {
            let (block, lane) = (&self.from[i / MOST_LANES], i % MOST_LANES);
            let start = array.base.wrapping_offset((body + i) as isize * array.body_stride);
            match array.shape {
                Shape::Rows(offset, order) => {
                    let mut columns = [N::splat(0.0); K];
                    for k in 0..K {
                        columns[k] = block.load(first + order[k], lane);
                    }
                    // SAFETY: the rows of bodies of the array, valid by the word given to `distinct`.
                    unsafe { N::store_rows(columns, start.wrapping_offset(offset), array.body_stride) };
                }
                Shape::Columns => {
                    for c in 0..K {
                        let column = start.wrapping_offset(array.offsets[c]);
                        // SAFETY: number `c` of as many bodies of the array, valid and ours alone by the word given to `distinct`.
                        let column = unsafe { std::slice::from_raw_parts_mut(column, N::LANES) };
                        block.load::<N>(first + c, lane).store(column);
                    }
                }
                Shape::Apart => break,
            }
            i += N::LANES;
        }
        (i..count).for_each(|i| array.give(body + i, self.from, i, first));
    }
}
