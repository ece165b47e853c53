//! Numbers to be written.

use std::mem::MaybeUninit;
use std::ops::Range;

/// An array for results, which may hold nothing yet, because C does not initialise such arrays. It
/// is written and never read.
pub(crate) struct Output<'a> {
    numbers: &'a mut [MaybeUninit<f64>],
}

impl<'a> Output<'a> {
    /// An array of Rust, which holds numbers already.
    pub(crate) fn of(numbers: &'a mut [f64]) -> Self {
        // SAFETY: the layout is the same, and this type writes nothing but numbers.
        unsafe { Self::from_raw(numbers.as_mut_ptr(), numbers.len()) }
    }

    /// # Safety
    /// `first` is aligned and not NULL, and for `'a` valid for writes of `count` numbers, which
    /// nothing else uses.
    pub(crate) unsafe fn from_raw(first: *mut f64, count: usize) -> Self {
        // SAFETY: guaranteed by the caller; places that may hold nothing need not be initialised.
        let numbers = unsafe { std::slice::from_raw_parts_mut(first.cast(), count) };
        Output { numbers }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub(crate) fn addresses(&self) -> Range<*const f64> {
        let Range { start, end } = self.numbers.as_ptr_range();
        start.cast()..end.cast()
    }

    /// The array from number `first` on.
    #[inline(always)]
    pub(crate) fn from(&mut self, first: usize) -> Output<'_> {
        Output {
            numbers: &mut self.numbers[first..],
        }
    }

    /// Splits off the first `count` numbers, or all if there are fewer. They become zeros, so that
    /// the rest of the library can use them as any other numbers.
    pub(crate) fn take_front(&mut self, count: usize) -> &'a mut [f64] {
        let count = count.min(self.len());
        let front = self.numbers.split_off_mut(..count).unwrap_or_default();
        front.fill(MaybeUninit::new(0.0));
        // SAFETY: zeros have just been written to all of it.
        unsafe { &mut *(std::ptr::from_mut(front) as *mut [f64]) }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, i: usize, number: f64) {
        self.numbers[i].write(number);
    }

    /// The places of the numbers. Whoever takes them writes nothing but numbers.
    #[inline(always)]
    pub(super) fn places(&mut self) -> &mut [MaybeUninit<f64>] {
        self.numbers
    }
}
