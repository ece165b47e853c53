//! Strided arrays of the caller: the checks of bounds and overlap, and the only access to their
//! numbers.

use super::block::{Bodies, States, StatesMut, repeated};
use super::strided::{Shape, Strided, meets};
use super::transfer::{Gather, Scatter};
use crate::error::{Error, Failure, check};
use std::marker::PhantomData;
use std::ops::Range;

/// A read-only array of `K` numbers per body. All bodies may share the same numbers (body stride
/// 0).
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
    place: Strided<K>,
    lifetime: PhantomData<&'a [f64]>,
}

/// A writable array of `K` numbers per body. No two numbers share an address.
#[derive(Debug)]
pub struct ViewMut<'a, const K: usize> {
    place: Strided<K>,
    /// The rows to which `place` points; empty in a part of a view.
    rows: Vec<i32>,
    lifetime: PhantomData<&'a mut [f64]>,
}

impl<'a, const K: usize> View<'a, K> {
    /// `K` contiguous numbers per body. Errors: the length must be a multiple of `K`.
    pub fn rows(data: &'a [f64]) -> Result<Self, Error> {
        let count = whole::<K>(data.len())?;
        Self::strided(data, 0, count, K as isize, 1)
    }

    /// `K` columns, one after the other. Errors: the length must be a multiple of `K`.
    pub fn columns(data: &'a [f64]) -> Result<Self, Error> {
        let count = whole::<K>(data.len())?;
        Self::strided(data, 0, count, 1, count as isize)
    }

    /// `data[first + i * body_stride + c * component_stride]` is component `c` of body `i`; strides
    /// in doubles, any sign. Errors: all these indices must be within the slice.
    pub fn strided(
        data: &'a [f64],
        first: usize,
        count: usize,
        body_stride: isize,
        component_stride: isize,
    ) -> Result<Self, Error> {
        let base = data.as_ptr().cast_mut();
        let length = data.len();
        let place = Strided::in_slice(base, length, first, count, body_stride, component_stride)?;
        Ok(Self::of(place))
    }

    /// From a pointer, which is not checked; NULL if there is no body. `name`: the name of the
    /// array in error messages.
    /// # Errors
    /// The strides must not exceed the address space.
    /// # Safety
    /// `data` is aligned, and for `'a` valid for reads at all places that the strides and `count`
    /// give. If it is not NULL, one body's numbers are valid for reads where the body stride is 0,
    /// even if there is no body.
    pub unsafe fn from_raw(
        data: *const f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Error> {
        let base = data.cast_mut();
        let place = Strided::new(base, count, body_stride, component_stride, name)?;
        Ok(Self::of(place))
    }

    /// The same numbers for each of `count` bodies.
    pub fn shared(numbers: &'a [f64; K], count: usize) -> Self {
        let base = numbers.as_ptr().cast_mut();
        Self::of(Strided::of(base, count, 0, 1, "data"))
    }

    fn of(place: Strided<K>) -> Self {
        View {
            place,
            lifetime: PhantomData,
        }
    }

    /// The number of bodies.
    pub fn count(&self) -> usize {
        self.place.end - self.place.first
    }

    /// The numbers of a body.
    #[inline]
    pub fn get(&self, body: usize) -> [f64; K] {
        assert!(
            (self.place.first..self.place.end).contains(&body),
            "body {body} is not in this view"
        );
        // SAFETY: `body` is in the array, which is readable.
        unsafe { self.place.read(body) }
    }

    /// The numbers that all bodies share, if they do; also where there is no body yet.
    pub(crate) fn shared_numbers(&self) -> Option<[f64; K]> {
        if self.place.body_stride != 0 || self.place.base.is_null() {
            return None;
        }
        // SAFETY: with this stride the numbers of the first body are readable, even if there is no
        // body.
        Some(unsafe { self.place.read(0) })
    }

    /// The name of the array in error messages.
    pub(crate) fn name(&self) -> &'static str {
        self.place.name
    }

    /// Whether the numbers of two arrays may share an address.
    pub(crate) fn overlaps<const L: usize>(&self, other: &View<L>) -> bool {
        self.overlaps_place(&other.place)
    }

    /// Whether each number of the one has the place of the same number of the other.
    pub(crate) fn is_same_array(&self, other: &View<K>) -> bool {
        let this = &self.place;
        let other = &other.place;
        (this.first, this.end) == (other.first, other.end)
            && (this.first..this.end)
                .all(|body| (0..K).all(|c| this.address(body, c) == other.address(body, c)))
    }

    /// As [`View::overlaps`], for numbers at these addresses, one after the other.
    pub(crate) fn overlaps_addresses(&self, numbers: &Range<*const f64>) -> bool {
        let count = (numbers.end.addr() - numbers.start.addr()) / size_of::<f64>();
        let first = numbers.start.cast_mut();
        self.overlaps_place(&Strided::<1>::of(first, count, 1, 1, ""))
    }

    fn overlaps_place<const L: usize>(&self, other: &Strided<L>) -> bool {
        let this = &self.place;
        let a = this.extent();
        let b = other.extent();
        if this.first == this.end || other.first == other.end || a.1 < b.0 || b.1 < a.0 {
            return false;
        }
        if this.body_stride != other.body_stride {
            return true; // may interleave irregularly
        }
        let between = (this.base.addr() as isize).wrapping_sub(other.base.addr() as isize);
        if between % 8 != 0 {
            return true;
        }
        let stride = this.body_stride;
        let count = this.reach.max(other.reach);
        for a in this.offsets {
            for b in other.offsets {
                if meets(between / 8 + a - b, stride, count) {
                    return true;
                }
            }
        }
        false
    }
}

impl<'a> View<'a, 9> {
    /// A 3×3 matrix for each body: `data[first + i * body_stride + j * row_stride + k *
    /// column_stride]` is that of body `i` in row `j` and column `k`. `strides` are these three, in
    /// doubles, any sign: 9, 3, 1 for matrices by rows, 9, 1, 3 for matrices by columns. Errors:
    /// all these indices must be within the slice.
    pub fn matrices(
        data: &'a [f64],
        first: usize,
        count: usize,
        strides: [isize; 3],
    ) -> Result<Self, Error> {
        let base = data.as_ptr().cast_mut().wrapping_add(first);
        let place = Strided::of_matrices(base, count, strides, "data")?;
        Ok(Self::of(place.within(data.len(), first)?))
    }

    /// [`View::matrices`] from a pointer, which is not checked; NULL if there is no body.
    /// # Errors
    /// The strides must not exceed the address space.
    /// # Safety
    /// As of [`View::from_raw`].
    pub unsafe fn matrices_from_raw(
        data: *const f64,
        count: usize,
        strides: [isize; 3],
        name: &'static str,
    ) -> Result<Self, Error> {
        let place = Strided::of_matrices(data.cast_mut(), count, strides, name)?;
        Ok(Self::of(place))
    }
}

impl View<'_, 3> {
    /// Copies the vectors of `bodies` to columns 4 to 6, in the first lanes of `to`.
    pub(crate) fn gather(&self, bodies: &Bodies, to: StatesMut) {
        let transfer = Gather {
            orientations: None,
            velocities: Some(&self.place),
            bodies,
            from: &[],
            to,
        };
        // SAFETY: readable; `Transfer` checks that the bodies are in the view.
        unsafe { transfer.run() };
    }
}

impl<'a, const K: usize> ViewMut<'a, K> {
    /// `K` contiguous numbers per body. Errors: the length must be a multiple of `K`.
    pub fn rows(data: &'a mut [f64]) -> Result<Self, Error> {
        let count = whole::<K>(data.len())?;
        Self::strided(data, 0, count, K as isize, 1)
    }

    /// `K` columns, one after the other. Errors: the length must be a multiple of `K`.
    pub fn columns(data: &'a mut [f64]) -> Result<Self, Error> {
        let count = whole::<K>(data.len())?;
        Self::strided(data, 0, count, 1, count as isize)
    }

    /// `data[first + i * body_stride + c * component_stride]` is component `c` of body `i`; strides
    /// in doubles, any sign. Errors: all these indices must be within the slice, and distinct.
    pub fn strided(
        data: &'a mut [f64],
        first: usize,
        count: usize,
        body_stride: isize,
        component_stride: isize,
    ) -> Result<Self, Error> {
        let base = data.as_mut_ptr();
        let length = data.len();
        Self::of(Strided::in_slice(
            base,
            length,
            first,
            count,
            body_stride,
            component_stride,
        )?)
    }

    /// From a pointer, which is not checked; NULL if there is no body. `name`: the name of the
    /// array in error messages.
    /// # Errors
    /// The strides must not exceed the address space, and all addresses must be distinct.
    /// # Safety
    /// `data` is aligned, and for `'a` valid for reads and writes at all places that the strides
    /// and `count` give. If it is not NULL, one body's numbers are valid for reads where the body
    /// stride is 0, even if there is no body. While a method of this view, or of its owner, runs,
    /// nothing else uses its memory.
    pub unsafe fn from_raw(
        data: *mut f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Error> {
        Self::of(Strided::new(
            data,
            count,
            body_stride,
            component_stride,
            name,
        )?)
    }

    fn of(place: Strided<K>) -> Result<Self, Error> {
        let count = place.end;
        let stride = place.body_stride;
        let mut are_distinct = count <= 1 || stride != 0;
        for offset in &place.offsets[1..] {
            are_distinct &= count == 0 || !meets(*offset, stride, count);
        }
        check(
            are_distinct,
            place.name,
            "must have strides that give every number a place of its own",
        )?;
        Ok(ViewMut::part(place))
    }

    /// The same array, under another name in error messages.
    pub(crate) fn named(mut self, name: &'static str) -> Self {
        self.place.name = name;
        self
    }

    /// The same array in another order: body `i` is in row `rows[i]`, counted from 0. Rows of no
    /// body are never touched. Errors: [`Error::Invalid`], with the body, if its row is not in the
    /// array or is that of another body; [`Error::Memory`].
    pub fn in_rows(self, rows: &[i32]) -> Result<Self, Failure> {
        check_rows(rows, self.place.end)?;
        let mut copy = repeated(rows.len(), 0)?;
        copy.copy_from_slice(rows);
        let least = rows.iter().min().copied().unwrap_or(0) as usize; // none is below 0
        let place = Strided {
            end: rows.len(),
            rows: copy.as_ptr(),
            least,
            reach: self.place.end,
            ..self.place
        };
        Ok(ViewMut {
            place,
            rows: copy,
            lifetime: PhantomData,
        })
    }

    /// A read-only view of the same array.
    pub fn as_view(&self) -> View<'_, K> {
        View {
            place: self.place,
            lifetime: PhantomData,
        }
    }

    /// Writes the numbers of a body.
    #[inline]
    pub fn put(&mut self, body: usize, numbers: [f64; K]) {
        assert!(
            (self.place.first..self.place.end).contains(&body),
            "body {body} is not in this view"
        );
        // SAFETY: `body` is in this view, which is writable.
        unsafe { self.place.write(body, numbers) };
    }

    /// The same array, for a shorter time.
    pub(crate) fn reborrow(&mut self) -> ViewMut<'_, K> {
        ViewMut::part(self.place)
    }

    /// A view without rows of its own.
    fn part(place: Strided<K>) -> Self {
        ViewMut {
            place,
            rows: Vec::new(),
            lifetime: PhantomData,
        }
    }

    /// The bodies before `body`, and the others.
    pub(crate) fn split_at(self, body: usize) -> (Self, Self) {
        assert!(
            self.rows.is_empty(),
            "only one part could own the rows: reborrow first"
        );
        let middle = body.clamp(self.place.first, self.place.end);
        let before = Strided {
            end: middle,
            ..self.place
        };
        let others = Strided {
            first: middle,
            ..self.place
        };
        (ViewMut::part(before), ViewMut::part(others))
    }
}

impl<'a> ViewMut<'a, 4> {
    /// Orientations and angular velocities in one array of records. A body has a record of `stride`
    /// doubles: the orientation starts at index `orientation`, the angular velocity at index
    /// `angular_velocity`. Errors: both must fit into the record without overlap.
    pub fn records(
        data: &'a mut [f64],
        stride: usize,
        orientation: usize,
        angular_velocity: usize,
    ) -> Result<(ViewMut<'a, 4>, ViewMut<'a, 3>), Error> {
        let fits = stride > 0 && orientation + 4 <= stride && angular_velocity + 3 <= stride;
        let apart = orientation + 4 <= angular_velocity || angular_velocity + 3 <= orientation;
        check(
            fits && apart,
            "stride",
            "must have room for both vectors, one beside the other",
        )?;
        let base = data.as_mut_ptr();
        let length = data.len();
        let count = data.len() / stride;
        let q = Strided::in_slice(base, length, orientation, count, stride as isize, 1)?;
        let omega = Strided::in_slice(base, length, angular_velocity, count, stride as isize, 1)?;
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

/// Copies the numbers of `bodies` to the first lanes of `to`. The columns of an array that is
/// `None` do not change.
pub(crate) fn gather(
    q: Option<&ViewMut<4>>,
    omega: Option<&ViewMut<3>>,
    bodies: &Bodies,
    to: StatesMut,
) {
    let transfer = Gather {
        orientations: q.map(|view| &view.place),
        velocities: omega.map(|view| &view.place),
        bodies,
        from: &[],
        to,
    };
    // SAFETY: readable; `Transfer` checks that the bodies are in the views.
    unsafe { transfer.run() };
}

/// The reverse of [`gather`].
pub(crate) fn scatter(
    q: Option<&mut ViewMut<4>>,
    omega: Option<&mut ViewMut<3>>,
    bodies: &Bodies,
    from: States,
) {
    let transfer = Scatter {
        orientations: q.map(|view| &view.place),
        velocities: omega.map(|view| &view.place),
        bodies,
        from,
        to: &mut [],
    };
    // SAFETY: writable; `Transfer` checks that the bodies are in the views.
    unsafe { transfer.run() };
}

/// The number of bodies with `K` numbers each.
fn whole<const K: usize>(length: usize) -> Result<usize, Error> {
    check(
        length.is_multiple_of(K),
        "data",
        "must have the same number of values for each body",
    )?;
    Ok(length / K)
}

/// Refuses rows that are not below `count`, and a row of two bodies.
fn check_rows(rows: &[i32], count: usize) -> Result<(), Failure> {
    // one bit for each row, because there may be far more rows than bodies
    let mut is_taken = repeated(count.div_ceil(64), 0_u64)?;
    for (body, &row) in rows.iter().enumerate() {
        let row = usize::try_from(row).unwrap_or(count);
        let is_in_array = row < count;
        check_row(
            body,
            is_in_array,
            "must be rows of the array, counted from 0",
        )?;
        let word = &mut is_taken[row / 64];
        let bit = 1 << (row % 64);
        check_row(body, *word & bit == 0, "must be different for each body")?;
        *word |= bit;
    }
    Ok(())
}

/// Refuses the row of a body if it is not valid.
fn check_row(body: usize, is_valid: bool, must: &'static str) -> Result<(), Failure> {
    check(is_valid, "rows", must).map_err(|error| Failure::of_body(body, error))
}
