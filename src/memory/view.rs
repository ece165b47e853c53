//! Strided arrays of the caller. Only here does an address become a number.

use super::ahead::Rows;
use super::block::Block;
use super::bodies::Bodies;
use super::transfer::{gather, scatter};
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::simd::LINE;
use std::marker::PhantomData;

/// Component `c` of body `i` is `base[i * body_stride + offsets[c]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<const K: usize> {
    pub(super) base: *mut f64,
    pub(super) count: usize,
    pub(super) body_stride: isize,
    pub(super) offsets: [isize; K],
    pub(super) shape: Shape<K>,
    name: &'static str,
}

/// The memory layout of neighbouring bodies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<const K: usize> {
    /// The components of a body are contiguous, from this offset, in this order.
    Rows(isize, [usize; K]),
    /// Each component has a contiguous column.
    Columns,
    /// Anything else.
    Apart,
}

/// A read-only array of `K` numbers per body. All bodies may share the same numbers (body stride 0).
///
/// ```
/// use quatint::memory::View;
///
/// let particles = [0.0; 10 * 16]; // ten records of 16 doubles, with a vector at 3, 4, 5 of each
/// let vectors = View::<3>::strided(&particles, 3, 10, 16, 1)?;
/// assert_eq!(vectors.count(), 10);
/// # Ok::<(), quatint::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a, const K: usize> {
    place: Place<K>,
    lifetime: PhantomData<&'a [f64]>,
}

/// A writable array of `K` numbers per body. No two numbers share an address.
#[derive(Debug)]
pub struct ViewMut<'a, const K: usize> {
    place: Place<K>,
    /// The range of bodies that this view may write.
    first: usize,
    end: usize,
    lifetime: PhantomData<&'a mut [f64]>,
}

// SAFETY: a view acts like a shared slice.
unsafe impl<const K: usize> Send for View<'_, K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for View<'_, K> {}
// SAFETY: a view acts like an exclusive slice: it writes only through `&mut self`, and its parts have no body in common.
unsafe impl<const K: usize> Send for ViewMut<'_, K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for ViewMut<'_, K> {}

macro_rules! constructors {
    ($slice:ty, $pointer:ty, $as_ptr:ident, $access:literal) => {
        /// `K` contiguous numbers per body.
        /// # Errors
        /// The length must be a multiple of `K`.
        pub fn rows(data: $slice) -> Result<Self, Error> {
            let count = whole::<K>(data.len())?;
            Self::strided(data, 0, count, K as isize, 1)
        }

        /// `K` columns, one after the other.
        /// # Errors
        /// The length must be a multiple of `K`.
        pub fn columns(data: $slice) -> Result<Self, Error> {
            let count = whole::<K>(data.len())?;
            Self::strided(data, 0, count, 1, count as isize)
        }

        /// `data[first + i * body_stride + c * component_stride]` is component `c` of body `i`; strides in doubles, any sign.
        /// # Errors
        /// All these indices must be within the slice; if the view is writable, they must be distinct.
        pub fn strided(
            data: $slice,
            first: usize,
            count: usize,
            body_stride: isize,
            component_stride: isize,
        ) -> Result<Self, Error> {
            let (base, length) = (data.$as_ptr() as *mut f64, data.len());
            Self::of(Place::in_slice(base, length, first, count, body_stride, component_stride)?)
        }

        /// From a pointer, which is not checked. `name`: the name of the array in error messages.
        /// # Errors
        /// The strides must not exceed the address space; if the view is writable, all addresses must be distinct.
        /// # Safety
        #[doc = concat!("`data` is aligned, and for `'a` valid for ", $access, " at all places that the strides and `count` give.")]
        /// While a method of a writable view, or of its owner, runs, nothing else uses its memory.
        pub unsafe fn from_raw(
            data: $pointer,
            count: usize,
            body_stride: isize,
            component_stride: isize,
            name: &'static str,
        ) -> Result<Self, Error> {
            Self::of(Place::new(data as *mut f64, count, body_stride, component_stride, name)?)
        }
    };
}

impl<'a, const K: usize> View<'a, K> {
    constructors!(&'a [f64], *const f64, as_ptr, "reads");

    /// The same numbers for each of `count` bodies.
    pub fn shared(numbers: &'a [f64; K], count: usize) -> Self {
        let offsets = std::array::from_fn(|c| c as isize);
        let base = numbers.as_ptr().cast_mut();
        let place = Place { base, count, body_stride: 0, offsets, shape: Shape::of(0, offsets), name: "data" };
        View { place, lifetime: PhantomData }
    }

    fn of(place: Place<K>) -> Result<Self, Error> {
        Ok(View { place, lifetime: PhantomData })
    }

    /// The number of bodies.
    pub fn count(&self) -> usize {
        self.place.count
    }

    /// The numbers of a body.
    pub fn get(&self, body: usize) -> [f64; K] {
        assert!(body < self.place.count, "body {body} of {}", self.place.count);
        // SAFETY: `body` is in the array, which is readable.
        unsafe { self.place.read(body) }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.place.body_stride == 0
    }

    pub(crate) fn name(&self) -> &'static str {
        self.place.name
    }

    pub(crate) fn overlaps<const L: usize>(&self, other: &View<L>) -> bool {
        self.place.overlaps(&other.place)
    }
}

impl<'a, const K: usize> ViewMut<'a, K> {
    constructors!(&'a mut [f64], *mut f64, as_mut_ptr, "reads and writes");

    fn of(place: Place<K>) -> Result<Self, Error> {
        Ok(ViewMut { place: place.distinct()?, first: 0, end: place.count, lifetime: PhantomData })
    }

    /// A read-only view of the same array.
    pub fn as_view(&self) -> View<'_, K> {
        View { place: self.place, lifetime: PhantomData }
    }

    /// Writes the numbers of a body.
    pub fn put(&mut self, body: usize, numbers: [f64; K]) {
        assert!((self.first..self.end).contains(&body), "body {body} of {} to {}", self.first, self.end);
        // SAFETY: `body` is in this view, which is writable.
        unsafe { self.place.write(body, numbers) };
    }

    pub(crate) fn reborrow(&mut self) -> ViewMut<'_, K> {
        ViewMut { place: self.place, first: self.first, end: self.end, lifetime: PhantomData }
    }

    pub(crate) fn split_at(self, body: usize) -> (Self, Self) {
        let (place, end, middle) = (self.place, self.end, body.clamp(self.first, self.end));
        (ViewMut { end: middle, ..self }, ViewMut { place, first: middle, end, lifetime: PhantomData })
    }

    /// Copies the numbers of `bodies` to the columns from `column` on, in the first lanes of `to`.
    pub(crate) fn gather(&self, bodies: &Bodies, to: &mut [Block<7>], column: usize) {
        self.assert_has(bodies);
        match *bodies {
            // SAFETY: the bodies are in this view, which is readable.
            Bodies::From { first, count } => unsafe { gather(&self.place, first, count, to, column) },
            Bodies::Listed(list) => {
                for (i, body) in list.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { self.place.take(*body, to, i, column) };
                }
            }
        }
    }

    pub(crate) fn scatter(&mut self, bodies: &Bodies, from: &[Block<7>], column: usize) {
        self.assert_has(bodies);
        match *bodies {
            // SAFETY: the bodies are in this view, which is writable.
            Bodies::From { first, count } => unsafe { scatter(&self.place, first, count, from, column) },
            Bodies::Listed(list) => {
                for (i, body) in list.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { self.place.give(*body, from, i, column) };
                }
            }
        }
    }

    /// The bodies ascend, so checking the first and the last is enough.
    fn assert_has(&self, bodies: &Bodies) {
        if let Some((first, last)) = bodies.ends() {
            assert!(
                self.first <= first && last < self.end,
                "bodies {first} to {last} of {} to {}",
                self.first,
                self.end
            );
        }
    }

    /// The addresses of the bodies' rows, if their stride is too long for the hardware prefetcher.
    pub(crate) fn row_addresses(&self) -> Option<Rows> {
        const DOUBLES_IN_LINE: usize = LINE / size_of::<f64>();
        let Place { base, body_stride, offsets, .. } = self.place;
        let (first, last) = offsets.iter().fold((0, 0), |(a, b), &offset| (a.min(offset), b.max(offset)));
        let is_row = body_stride.unsigned_abs() >= DOUBLES_IN_LINE && last - first < DOUBLES_IN_LINE as isize;
        let [first, last] = [first, last].map(|offset| base.wrapping_offset(offset).cast_const().cast());
        is_row.then(|| Rows::new(first, last, size_of::<f64>() as isize * body_stride))
    }
}

impl<'a> ViewMut<'a, 4> {
    /// Orientations and angular velocities in one array of records. A body has a record of `stride` doubles: the orientation
    /// starts at index `orientation`, the angular velocity at index `angular_velocity`.
    /// # Errors
    /// Both must fit into the record without overlap.
    pub fn records(
        data: &'a mut [f64],
        stride: usize,
        orientation: usize,
        angular_velocity: usize,
    ) -> Result<(ViewMut<'a, 4>, ViewMut<'a, 3>), Error> {
        let fits = stride > 0 && orientation + 4 <= stride && angular_velocity + 3 <= stride;
        let apart = orientation + 4 <= angular_velocity || angular_velocity + 3 <= orientation;
        if !(fits && apart) {
            return Err(Error::Invalid {
                name: "stride",
                must: "must have room for both vectors, one beside the other",
            });
        }
        let (base, length, count) = (data.as_mut_ptr(), data.len(), data.len() / stride);
        let q = Place::in_slice(base, length, orientation, count, stride as isize, 1)?;
        let omega = Place::in_slice(base, length, angular_velocity, count, stride as isize, 1)?;
        Ok((ViewMut::of(q)?, ViewMut::of(omega)?))
    }

    /// The same array in the order (x, y, z, w), scalar last.
    #[must_use]
    pub fn scalar_last(mut self) -> Self {
        let place = &mut self.place;
        place.offsets.rotate_right(1);
        place.shape = Shape::of(place.body_stride, place.offsets);
        self
    }
}

/// The number of bodies with `K` numbers each.
fn whole<const K: usize>(length: usize) -> Result<usize, Error> {
    if !length.is_multiple_of(K) {
        return Err(Error::Invalid { name: "data", must: "must have the same number of values for each body" });
    }
    Ok(length / K)
}

impl<const K: usize> Place<K> {
    fn new(
        base: *mut f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Error> {
        let must = "must be such that all of the array can be addressed";
        let invalid = |name| Error::Invalid { name, must };
        let last = isize::try_from(count.saturating_sub(1)).map_err(|_| invalid("body_stride"))?;
        let reach = |stride: isize, steps: isize| stride.checked_mul(steps).filter(|n| n.unsigned_abs() < (1 << 59));
        reach(body_stride, last).ok_or(invalid("body_stride"))?;
        reach(component_stride, K as isize).ok_or(invalid("component_stride"))?;
        let offsets = std::array::from_fn(|c| c as isize * component_stride);
        Ok(Place { base, count, body_stride, offsets, shape: Shape::of(body_stride, offsets), name })
    }

    /// From `base[first]` on; all addresses must be among the `length` doubles at `base`.
    fn in_slice(
        base: *mut f64,
        length: usize,
        first: usize,
        count: usize,
        body_stride: isize,
        component_stride: isize,
    ) -> Result<Self, Error> {
        let place = Place::new(base.wrapping_add(first), count, body_stride, component_stride, "data")?;
        let bodies = [0, count.saturating_sub(1) as isize * body_stride];
        let is_inside = |place: isize| (0..length as isize).contains(&place);
        let all_inside = bodies.iter().all(|b| place.offsets.iter().all(|c| is_inside(first as isize + b + c)));
        if count > 0 && !(first < length && all_inside) {
            return Err(Error::Invalid { name: "data", must: "must have all the places that the strides lead to" });
        }
        Ok(place)
    }

    fn distinct(self) -> Result<Self, Error> {
        let (count, stride) = (self.count, self.body_stride);
        if self.offsets[1..].iter().any(|offset| meets(*offset, stride, count)) || count > 1 && stride == 0 {
            let must = "must give every number a place of its own";
            return Err(Error::Invalid { name: "body_stride or component_stride", must });
        }
        Ok(self)
    }

    fn overlaps<const L: usize>(&self, other: &Place<L>) -> bool {
        let (a, b) = (self.extent(), other.extent());
        if self.count == 0 || other.count == 0 || a.1 < b.0 || b.1 < a.0 {
            return false;
        }
        if self.body_stride != other.body_stride {
            return true; // may interleave irregularly
        }
        let between = (self.base.addr() as isize).wrapping_sub(other.base.addr() as isize);
        if between % 8 != 0 {
            return true;
        }
        let (stride, count) = (self.body_stride, self.count.max(other.count));
        let each = |a: &isize| other.offsets.iter().any(|b| meets(between / 8 + a - b, stride, count));
        self.offsets.iter().any(each)
    }

    fn extent(&self) -> (isize, isize) {
        let bodies = [0, self.count.saturating_sub(1) as isize * self.body_stride];
        let places = bodies.map(|b| self.offsets.map(|c| self.base.addr() as isize + 8 * (b + c)));
        let all = places.iter().flatten();
        (all.clone().min().copied().unwrap_or(0), all.max().copied().unwrap_or(0))
    }

    /// # Safety
    /// `body` is in the array, which is readable.
    #[inline(always)]
    unsafe fn read(&self, body: usize) -> [f64; K] {
        let first = self.body_stride * body as isize;
        // SAFETY: guaranteed by the caller.
        self.offsets.map(|offset| unsafe { self.base.offset(first + offset).read() })
    }

    /// # Safety
    /// `body` is in the array, which is writable.
    #[inline(always)]
    unsafe fn write(&self, body: usize, numbers: [f64; K]) {
        let first = self.body_stride * body as isize;
        for (offset, number) in self.offsets.iter().zip(numbers) {
            // SAFETY: guaranteed by the caller.
            unsafe { self.base.offset(first + offset).write(number) };
        }
    }

    /// Copies the numbers of a body to lane `i` of the blocks.
    /// # Safety
    /// As [`Place::read`].
    #[inline(always)]
    pub(super) unsafe fn take(&self, body: usize, to: &mut [Block<7>], i: usize, column: usize) {
        // SAFETY: guaranteed by the caller.
        let numbers = unsafe { self.read(body) };
        for c in 0..K {
            to[i / MOST_LANES].0[column + c][i % MOST_LANES] = numbers[c];
        }
    }

    /// The reverse of [`Place::take`].
    /// # Safety
    /// As [`Place::write`].
    #[inline(always)]
    pub(super) unsafe fn give(&self, body: usize, from: &[Block<7>], i: usize, column: usize) {
        let mut numbers = [0.0; K];
        for c in 0..K {
            numbers[c] = from[i / MOST_LANES].0[column + c][i % MOST_LANES];
        }
        // SAFETY: guaranteed by the caller.
        unsafe { self.write(body, numbers) };
    }
}

/// Whether two addresses at distance `apart` coincide for some pair of bodies: `apart = n stride`, `|n| < count`.
fn meets(apart: isize, stride: isize, count: usize) -> bool {
    apart == 0 || stride != 0 && apart % stride == 0 && (apart / stride).unsigned_abs() < count
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
