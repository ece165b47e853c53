//! The numbers of a body in arrays.

use crate::layout::Array;

/// What a thread reads and writes of its body.
pub(crate) trait Numbers {
    /// Whether there is an array.
    fn is_there(&self) -> bool;

    /// Of an array of doubles.
    ///
    /// # Safety
    /// There must be an array, with as many components of body `i`.
    unsafe fn get<const K: usize>(&self, i: u64) -> [f64; K];

    /// As [`Numbers::get`], from component `first` on.
    ///
    /// # Safety
    /// As [`Numbers::get`].
    unsafe fn get_from<const K: usize>(&self, i: u64, first: usize) -> [f64; K];

    /// As [`Numbers::get_from`].
    ///
    /// # Safety
    /// As [`Numbers::get`]; no other thread may use these components.
    unsafe fn put_from<const K: usize>(&self, i: u64, first: usize, numbers: [f64; K]);

    /// The first component, as bits.
    ///
    /// # Safety
    /// As [`Numbers::get`].
    unsafe fn bits(&self, i: u64) -> u64;

    /// Of an array of the caller, which may be one of floats.
    ///
    /// # Safety
    /// As [`Numbers::get`].
    unsafe fn given<const K: usize>(&self, i: u64) -> [f64; K];

    /// As [`Numbers::given`]. In floats, numbers are rounded to the nearest.
    ///
    /// # Safety
    /// As [`Numbers::put_from`].
    unsafe fn give<const K: usize>(&self, i: u64, numbers: [f64; K]);

    /// An orientation in an array of the caller, scalar first.
    ///
    /// # Safety
    /// As [`Numbers::get`].
    unsafe fn orientation(&self, i: u64) -> [f64; 4];

    /// As [`Numbers::orientation`].
    ///
    /// # Safety
    /// As [`Numbers::put_from`].
    unsafe fn give_orientation(&self, i: u64, q: [f64; 4]);
}

impl Array {
    #[inline(always)]
    fn offset(&self, i: u64, k: usize) -> isize {
        let of_body = (i as i64).wrapping_mul(self.body);
        of_body.wrapping_add((k as i64).wrapping_mul(self.component)) as isize
    }

    #[inline(always)]
    fn double(&self, i: u64, k: usize) -> *mut f64 {
        (self.address as *mut f64).wrapping_offset(self.offset(i, k))
    }

    #[inline(always)]
    fn single(&self, i: u64, k: usize) -> *mut f32 {
        (self.address as *mut f32).wrapping_offset(self.offset(i, k))
    }
}

impl Numbers for Array {
    #[inline(always)]
    fn is_there(&self) -> bool {
        self.address != 0
    }

    #[inline(always)]
    unsafe fn get<const K: usize>(&self, i: u64) -> [f64; K] {
        // SAFETY: as this function
        unsafe { self.get_from(i, 0) }
    }

    #[inline(always)]
    unsafe fn get_from<const K: usize>(&self, i: u64, first: usize) -> [f64; K] {
        let mut numbers = [0.0; K];
        for k in 0..K {
            // SAFETY: as this function
            numbers[k] = unsafe { *self.double(i, first + k) };
        }
        numbers
    }

    #[inline(always)]
    unsafe fn put_from<const K: usize>(&self, i: u64, first: usize, numbers: [f64; K]) {
        for k in 0..K {
            // SAFETY: as this function
            unsafe { *self.double(i, first + k) = numbers[k] };
        }
    }

    #[inline(always)]
    unsafe fn bits(&self, i: u64) -> u64 {
        // SAFETY: as this function
        unsafe { *(self.double(i, 0) as *const u64) }
    }

    #[inline(always)]
    unsafe fn given<const K: usize>(&self, i: u64) -> [f64; K] {
        if self.is_single == 0 {
            // SAFETY: as this function
            return unsafe { self.get_from(i, 0) };
        }
        let mut numbers = [0.0; K];
        for k in 0..K {
            // SAFETY: as this function
            numbers[k] = f64::from(unsafe { *self.single(i, k) });
        }
        numbers
    }

    #[inline(always)]
    unsafe fn give<const K: usize>(&self, i: u64, numbers: [f64; K]) {
        if self.is_single == 0 {
            // SAFETY: as this function
            return unsafe { self.put_from(i, 0, numbers) };
        }
        for k in 0..K {
            // SAFETY: as this function
            unsafe { *self.single(i, k) = numbers[k] as f32 };
        }
    }

    #[inline(always)]
    unsafe fn orientation(&self, i: u64) -> [f64; 4] {
        // SAFETY: as this function
        let [a, b, c, d] = unsafe { self.given(i) };
        if self.is_scalar_last != 0 {
            [d, a, b, c]
        } else {
            [a, b, c, d]
        }
    }

    #[inline(always)]
    unsafe fn give_orientation(&self, i: u64, [w, x, y, z]: [f64; 4]) {
        let numbers = if self.is_scalar_last != 0 {
            [x, y, z, w]
        } else {
            [w, x, y, z]
        };
        // SAFETY: as this function
        unsafe { self.give(i, numbers) }
    }
}
