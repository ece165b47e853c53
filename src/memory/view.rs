//! Arrays of the caller's, with any strides: the one place where an address becomes numbers.

use super::ahead::Rows;
use super::block::Block;
use super::bodies::Bodies;
use super::transfer::{gather, scatter};
use crate::error::Error;
use crate::kernel::MOST_LANES;
use crate::simd::LINE;
use std::marker::PhantomData;

/// Number `c` of body `i` is `base[i * body_stride + offsets[c]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<const K: usize> {
    pub(super) base: *mut f64,
    pub(super) count: usize,
    pub(super) body_stride: isize,
    pub(super) offsets: [isize; K],
    pub(super) shape: Shape<K>,
    name: &'static str,
}

/// How the numbers of neighbouring bodies lie.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<const K: usize> {
    /// The numbers of a body in a row, from this offset on, in this order of components.
    Rows(isize, [usize; K]),
    /// Each component in a column of its own, without gaps.
    Columns,
    /// Apart from each other.
    Apart,
}

/// `K` numbers for each of some bodies, to read. For reading only, all bodies may share them (body stride 0).
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

/// `K` numbers for each of some bodies, to read and write. Every number has a place of its own.
#[derive(Debug)]
pub struct ViewMut<'a, const K: usize> {
    place: Place<K>,
    /// The bodies that this view may touch.
    first: usize,
    end: usize,
    lifetime: PhantomData<&'a mut [f64]>,
}

// SAFETY: a shared slice, in effect.
unsafe impl<const K: usize> Send for View<'_, K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for View<'_, K> {}
// SAFETY: an exclusive slice, in effect: it writes only through `&mut self`, and its parts have no body in common.
unsafe impl<const K: usize> Send for ViewMut<'_, K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for ViewMut<'_, K> {}

/// Writes the ways to make a view.
macro_rules! constructors {
    ($slice:ty, $pointer:ty, $as_ptr:ident, $access:literal) => {
        /// Rows of `K` numbers, one after the other.
        ///
        /// # Errors
        /// The length must be a multiple of `K`.
        pub fn rows(data: $slice) -> Result<Self, Error> {
            let count = whole::<K>(data.len())?;
            Self::strided(data, 0, count, K as isize, 1)
        }

        /// `K` columns, one after the other.
        ///
        /// # Errors
        /// The length must be a multiple of `K`.
        pub fn columns(data: $slice) -> Result<Self, Error> {
            let count = whole::<K>(data.len())?;
            Self::strided(data, 0, count, 1, count as isize)
        }

        /// Component `c` of body `i` is `data[first + i * body_stride + c * component_stride]`; strides count doubles and may be
        /// negative.
        ///
        /// # Errors
        /// All of these must be in the slice; and no two in the same place, where they are to be written.
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

        /// From a pointer, which is not checked. `name` is what errors call the array.
        ///
        /// # Errors
        /// The strides must be such that all of the array can be addressed; and give every number a place of its own, where they
        /// are to be written.
        ///
        /// # Safety
        #[doc = concat!("`data` is aligned, and for `'a` valid for ", $access, " at all places that the strides and `count` give.")]
        /// What a view writes, nobody else uses while a method of the view, or of what holds it, runs.
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

    /// How many bodies.
    pub fn count(&self) -> usize {
        self.place.count
    }

    /// The numbers of a body.
    pub fn get(&self, body: usize) -> [f64; K] {
        assert!(body < self.place.count, "body {body} of {}", self.place.count);
        // SAFETY: the body is one of the array's, which can be read.
        unsafe { self.place.read(body) }
    }

    /// Whether all bodies have the same numbers.
    pub(crate) fn is_shared(&self) -> bool {
        self.place.body_stride == 0
    }

    /// What errors call it.
    pub(crate) fn name(&self) -> &'static str {
        self.place.name
    }

    /// Whether a number of each is in the same place.
    pub(crate) fn overlaps<const L: usize>(&self, other: &View<L>) -> bool {
        self.place.overlaps(&other.place)
    }
}

impl<'a, const K: usize> ViewMut<'a, K> {
    constructors!(&'a mut [f64], *mut f64, as_mut_ptr, "reads and writes");

    fn of(place: Place<K>) -> Result<Self, Error> {
        Ok(ViewMut { place: place.distinct()?, first: 0, end: place.count, lifetime: PhantomData })
    }

    /// The same array, to read.
    pub fn as_view(&self) -> View<'_, K> {
        View { place: self.place, lifetime: PhantomData }
    }

    /// Writes the numbers of a body.
    pub fn put(&mut self, body: usize, numbers: [f64; K]) {
        assert!((self.first..self.end).contains(&body), "body {body} of {} to {}", self.first, self.end);
        // SAFETY: the body is one of the view's, which can be written.
        unsafe { self.place.write(body, numbers) };
    }

    /// The same view for a while.
    pub(crate) fn reborrow(&mut self) -> ViewMut<'_, K> {
        ViewMut { place: self.place, first: self.first, end: self.end, lifetime: PhantomData }
    }

    /// The bodies below `body`, and the others.
    pub(crate) fn split_at(self, body: usize) -> (Self, Self) {
        let (place, end, middle) = (self.place, self.end, body.clamp(self.first, self.end));
        (ViewMut { end: middle, ..self }, ViewMut { place, first: middle, end, lifetime: PhantomData })
    }

    /// Copies the numbers of some bodies into columns `column`, `column + 1`, … of the first lanes of `to`.
    pub(crate) fn gather(&self, bodies: &Bodies, to: &mut [Block<7>], column: usize) {
        self.assert_has(bodies);
        match *bodies {
            // SAFETY: the bodies are the view's, which can be read.
            Bodies::From { first, count } => unsafe { gather(&self.place, first, count, to, column) },
            Bodies::Listed(list) => {
                for (i, body) in list.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { self.place.take(*body, to, i, column) };
                }
            }
        }
    }

    /// And back.
    pub(crate) fn scatter(&mut self, bodies: &Bodies, from: &[Block<7>], column: usize) {
        self.assert_has(bodies);
        match *bodies {
            // SAFETY: the bodies are the view's, which can be written.
            Bodies::From { first, count } => unsafe { scatter(&self.place, first, count, from, column) },
            Bodies::Listed(list) => {
                for (i, body) in list.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { self.place.give(*body, from, i, column) };
                }
            }
        }
    }

    /// They ascend, so the first and the last tell.
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

    /// The rows of the bodies, where they are farther apart than the processor foresees.
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
    /// Orientations and angular velocities in the same records: a record of `stride` doubles for each body, the orientation's
    /// four numbers from `orientation` on and the angular velocity's three from `angular_velocity` on.
    ///
    /// # Errors
    /// Both must fit the record without an overlap.
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

    /// The same array read as (x, y, z, w), the scalar last.
    #[must_use]
    pub fn scalar_last(mut self) -> Self {
        let place = &mut self.place;
        place.offsets.rotate_right(1);
        place.shape = Shape::of(place.body_stride, place.offsets);
        self
    }
}

/// How many bodies there are, with `K` numbers each.
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

    /// From `base[first]` on, where all places are among the `length` doubles at `base`.
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

    /// Itself, where every number has a place of its own.
    fn distinct(self) -> Result<Self, Error> {
        let (count, stride) = (self.count, self.body_stride);
        if self.offsets[1..].iter().any(|offset| meets(*offset, stride, count)) || count > 1 && stride == 0 {
            let must = "must give every number a place of its own";
            return Err(Error::Invalid { name: "body_stride or component_stride", must });
        }
        Ok(self)
    }

    /// Whether a number of each is in the same place.
    fn overlaps<const L: usize>(&self, other: &Place<L>) -> bool {
        let (a, b) = (self.extent(), other.extent());
        if self.count == 0 || other.count == 0 || a.1 < b.0 || b.1 < a.0 {
            return false;
        }
        if self.body_stride != other.body_stride {
            return true; // interleaved in no regular way
        }
        let between = (self.base.addr() as isize).wrapping_sub(other.base.addr() as isize);
        if between % 8 != 0 {
            return true;
        }
        let (stride, count) = (self.body_stride, self.count.max(other.count));
        let each = |a: &isize| other.offsets.iter().any(|b| meets(between / 8 + a - b, stride, count));
        self.offsets.iter().any(each)
    }

    /// The first and the last address.
    fn extent(&self) -> (isize, isize) {
        let bodies = [0, self.count.saturating_sub(1) as isize * self.body_stride];
        let places = bodies.map(|b| self.offsets.map(|c| self.base.addr() as isize + 8 * (b + c)));
        let all = places.iter().flatten();
        (all.clone().min().copied().unwrap_or(0), all.max().copied().unwrap_or(0))
    }

    /// # Safety
    /// The body is one of the array's, which can be read.
    #[inline(always)]
    unsafe fn read(&self, body: usize) -> [f64; K] {
        let first = self.body_stride * body as isize;
        // SAFETY: the caller's.
        self.offsets.map(|offset| unsafe { self.base.offset(first + offset).read() })
    }

    /// # Safety
    /// The body is one of the array's, which can be written.
    #[inline(always)]
    unsafe fn write(&self, body: usize, numbers: [f64; K]) {
        let first = self.body_stride * body as isize;
        for (offset, number) in self.offsets.iter().zip(numbers) {
            // SAFETY: the caller's.
            unsafe { self.base.offset(first + offset).write(number) };
        }
    }

    /// Copies the numbers of a body into lane `i` of the blocks.
    ///
    /// # Safety
    /// That of [`Place::read`].
    #[inline(always)]
    pub(super) unsafe fn take(&self, body: usize, to: &mut [Block<7>], i: usize, column: usize) {
        // SAFETY: the caller's.
        let numbers = unsafe { self.read(body) };
        for c in 0..K {
            to[i / MOST_LANES].0[column + c][i % MOST_LANES] = numbers[c];
        }
    }

    /// And back.
    ///
    /// # Safety
    /// That of [`Place::write`].
    #[inline(always)]
    pub(super) unsafe fn give(&self, body: usize, from: &[Block<7>], i: usize, column: usize) {
        let mut numbers = [0.0; K];
        for c in 0..K {
            numbers[c] = from[i / MOST_LANES].0[column + c][i % MOST_LANES];
        }
        // SAFETY: the caller's.
        unsafe { self.write(body, numbers) };
    }
}

/// Whether two places `apart` from each other are the same number of bodies apart: `apart = n stride`, `|n| < count`.
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
