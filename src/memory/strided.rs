//! Where the numbers of an array with strides lie.

use crate::error::{Error, check};

/// Component `c` of body `i` is `base[row(i) * body_stride + offsets[c]]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strided<const K: usize> {
    pub(super) base: *mut f64,
    /// The first of the bodies that the view may access.
    pub(super) first: usize,
    /// One more than the last of them.
    pub(super) end: usize,
    /// The row of each body, counted from 0; NULL if body `i` is in row `i`. The view owns them.
    pub(super) rows: *const i32,
    /// The least row of a body.
    pub(super) least: usize,
    /// One more than the greatest row.
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

const ADDRESSED: &str = "must be such that all of the array can be addressed";
const ALL_ADDRESSED: &str = "must have strides by which all of the array can be addressed";

/// Whether some steps of a stride, in doubles, are far from overflow in bytes.
fn can_be_addressed(stride: isize, steps: usize) -> bool {
    let Ok(steps) = isize::try_from(steps) else {
        return false;
    };
    match stride.checked_mul(steps) {
        Some(distance) => distance.unsigned_abs() < 1 << (usize::BITS - 5),
        None => false,
    }
}

/// Refuses a stride, in numbers of at most 8 bytes, that cannot lead over so many bodies.
pub(crate) fn check_stride(stride: isize, steps: usize) -> Result<(), Error> {
    check(can_be_addressed(stride, steps), "stride", ADDRESSED)
}

/// How the numbers of neighbouring bodies lie in memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape<const K: usize> {
    /// The components of a body are contiguous, from this offset, in this order.
    Packed(isize, [u8; K]),
    /// Each component has a contiguous column.
    Columns,
    /// Anything else.
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
        let last = count.saturating_sub(1);
        let can_be = can_be_addressed(body_stride, last) && can_be_addressed(component_stride, K);
        check(can_be, name, ALL_ADDRESSED)?;
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
        Self::with_offsets(base, count, body_stride, offsets, name)
    }

    fn with_offsets(
        base: *mut f64,
        count: usize,
        body_stride: isize,
        offsets: [isize; K],
        name: &'static str,
    ) -> Self {
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
        let start = base.wrapping_add(first);
        let place = Strided::new(start, count, body_stride, component_stride, "data")?;
        place.within(length, first)
    }

    /// Refuses it where it leaves a slice of so many doubles, of which it begins at the `first`.
    pub(super) fn within(mut self, length: usize, first: usize) -> Result<Self, Error> {
        let count = self.end;
        let mut are_inside = first < length;
        for body in [0, count.saturating_sub(1) as isize * self.body_stride] {
            for offset in self.offsets {
                are_inside &= (0..length as isize).contains(&(first as isize + body + offset));
            }
        }
        if !are_inside {
            check(
                count == 0,
                "data",
                "must have all the places that the strides lead to",
            )?;
            self.base = std::ptr::null_mut();
        }
        Ok(self)
    }

    /// The address of component `c` of a body, which is in the array.
    pub(super) fn address(&self, body: usize, c: usize) -> usize {
        let row = if self.rows.is_null() {
            body as isize
        } else {
            // SAFETY: a view has a row for each of its bodies.
            unsafe { *self.rows.add(body) as isize }
        };
        let place = row * self.body_stride + self.offsets[c];
        self.base.wrapping_offset(place).addr()
    }

    /// The least and the greatest address of a number.
    pub(super) fn extent(&self) -> (isize, isize) {
        let mut least = isize::MAX;
        let mut greatest = isize::MIN;
        for row in [self.least, self.reach.saturating_sub(1)] {
            for offset in self.offsets {
                let place = row as isize * self.body_stride + offset;
                let address = self.base.addr() as isize + 8 * place;
                least = least.min(address);
                greatest = greatest.max(address);
            }
        }
        (least, greatest)
    }

    /// The numbers of a body.
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

    /// Writes the numbers of a body.
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

impl Strided<9> {
    /// A 3×3 matrix for each body, whose number `3 j + k` is that of row j and column k. The
    /// strides are those from body to body, from row to row and from column to column.
    pub(super) fn of_matrices(
        base: *mut f64,
        count: usize,
        strides: [isize; 3],
        name: &'static str,
    ) -> Result<Self, Error> {
        let last = count.saturating_sub(1);
        let names = ["body_stride", "row_stride", "column_stride"];
        for ((stride, steps), argument) in strides.into_iter().zip([last, 9, 9]).zip(names) {
            check(can_be_addressed(stride, steps), argument, ADDRESSED)?;
        }
        let [body_stride, row_stride, column_stride] = strides;
        let offsets = std::array::from_fn(|n| {
            let [row, column] = [n / 3, n % 3].map(|index| index as isize);
            row * row_stride + column * column_stride
        });
        Ok(Self::with_offsets(base, count, body_stride, offsets, name))
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
        let are_close = offsets
            .iter()
            .all(|offset| (offset - first).unsigned_abs() < K);
        if are_distinct && are_close {
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
