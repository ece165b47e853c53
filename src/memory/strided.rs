//! Where the numbers of an array with strides lie.

use crate::error::{Error, check};

/// Component `c` of body `i` is `base[row(i) * body_stride + offsets[c]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strided<const K: usize> {
    pub(super) base: *mut f64,
    /// The bodies that the view may access: from this one to before that one.
    pub(super) first: usize,
    pub(super) end: usize,
    /// The row of each body, from 0; NULL: body `i` is in row `i`. Owned by the view.
    pub(super) rows: *const i32,
    /// The least row of a body, and one more than the greatest.
    pub(super) least: usize,
    pub(super) reach: usize,
    pub(super) body_stride: isize,
    pub(super) offsets: [isize; K],
    pub(super) shape: Shape<K>,
    pub(super) name: &'static str,
}

// SAFETY: only views access the numbers. A shared one acts like a shared slice; a writable one like
// an exclusive slice: it writes only through `&mut self`, and its parts have no body in common.
unsafe impl<const K: usize> Send for Strided<K> {}
// SAFETY: as above.
unsafe impl<const K: usize> Sync for Strided<K> {}

/// How the numbers of neighbouring bodies lie in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<const K: usize> {
    /// The components of a body are contiguous, from this offset, in this order.
    Packed(isize, [u8; K]),
    /// Each component has a contiguous column.
    Columns,
    Apart,
}

impl<const K: usize> Strided<K> {
    pub(super) fn new(
        base: *mut f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Result<Self, Error> {
        let must = "must be such that all of the array can be addressed";
        let invalid = |name| Error::Invalid { name, must };
        let last = isize::try_from(count.saturating_sub(1)).map_err(|_| invalid("body_stride"))?;
        let reach = |stride: isize, steps: isize| {
            stride
                .checked_mul(steps)
                .filter(|n| n.unsigned_abs() < 1 << (usize::BITS - 5))
        };
        reach(body_stride, last).ok_or(invalid("body_stride"))?;
        reach(component_stride, K as isize).ok_or(invalid("component_stride"))?;
        Ok(Self::of(base, count, body_stride, component_stride, name))
    }

    pub(super) fn of(
        base: *mut f64,
        count: usize,
        body_stride: isize,
        component_stride: isize,
        name: &'static str,
    ) -> Self {
        let offsets = std::array::from_fn(|c| c as isize * component_stride);
        let shape = Shape::of(body_stride, offsets);
        Strided {
            base,
            first: 0,
            end: count,
            rows: std::ptr::null(),
            least: 0,
            reach: count,
            body_stride,
            offsets,
            shape,
            name,
        }
    }

    /// From `base[first]` on; all addresses must be among the `length` doubles at `base`.
    pub(super) fn in_slice(
        base: *mut f64,
        length: usize,
        first: usize,
        count: usize,
        body_stride: isize,
        component_stride: isize,
    ) -> Result<Self, Error> {
        let mut place = Strided::new(
            base.wrapping_add(first),
            count,
            body_stride,
            component_stride,
            "data",
        )?;
        let bodies = [0, count.saturating_sub(1) as isize * body_stride];
        let is_inside = |place: isize| (0..length as isize).contains(&place);
        let all_inside = bodies.iter().all(|b| {
            place
                .offsets
                .iter()
                .all(|c| is_inside(first as isize + b + c))
        });
        if !(first < length && all_inside) {
            check(
                count == 0,
                "data",
                "must have all the places that the strides lead to",
            )?;
            place.base = std::ptr::null_mut();
        }
        Ok(place)
    }

    pub(super) fn extent(&self) -> (isize, isize) {
        let bodies =
            [self.least, self.reach.saturating_sub(1)].map(|row| row as isize * self.body_stride);
        let places = bodies.map(|b| {
            self.offsets
                .map(|c| self.base.addr() as isize + 8 * (b + c))
        });
        let all = places.iter().flatten();
        (
            all.clone().min().copied().unwrap_or(0),
            all.max().copied().unwrap_or(0),
        )
    }

    /// # Safety
    /// `body` is in the array, which is readable.
    #[inline(always)]
    pub(super) unsafe fn read(&self, body: usize) -> [f64; K] {
        let row = if self.rows.is_null() {
            body as isize
        } else {
            // SAFETY: guaranteed by the caller.
            unsafe { *self.rows.add(body) as isize }
        };
        let first = self.body_stride * row;
        let mut numbers = [0.0; K];
        for (number, offset) in numbers.iter_mut().zip(self.offsets) {
            // SAFETY: guaranteed by the caller.
            *number = unsafe { self.base.offset(first + offset).read() };
        }
        numbers
    }

    /// # Safety
    /// `body` is in the array, which is writable.
    #[inline(always)]
    pub(super) unsafe fn write(&self, body: usize, numbers: [f64; K]) {
        let row = if self.rows.is_null() {
            body as isize
        } else {
            // SAFETY: guaranteed by the caller.
            unsafe { *self.rows.add(body) as isize }
        };
        let first = self.body_stride * row;
        for (offset, number) in self.offsets.iter().zip(numbers) {
            // SAFETY: guaranteed by the caller.
            unsafe { self.base.offset(first + offset).write(number) };
        }
    }
}

/// Whether two addresses at distance `apart` coincide for some pair of bodies: `apart = n stride`,
/// `|n| < count`.
pub(super) fn meets(apart: isize, stride: isize, count: usize) -> bool {
    apart == 0 || stride != 0 && apart % stride == 0 && (apart / stride).unsigned_abs() < count
}

impl<const K: usize> Shape<K> {
    pub(super) fn of(body_stride: isize, offsets: [isize; K]) -> Self {
        let first = offsets.iter().copied().min().unwrap_or(0);
        // a stride of 0 repeats one number
        let are_distinct = K == 1 || offsets[0] != offsets[K - 1];
        if are_distinct
            && offsets
                .iter()
                .all(|offset| (offset - first).unsigned_abs() < K)
        {
            let mut order = [0; K];
            for c in 0..K {
                order[(offsets[c] - first).unsigned_abs()] = c as u8;
            }
            Shape::Packed(first, order)
        } else if body_stride == 1 {
            Shape::Columns
        } else {
            Shape::Apart
        }
    }
}
