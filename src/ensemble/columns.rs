//! Storage: a structure of arrays.

use crate::kernel::MOST_LANES;
use std::collections::TryReserveError;

/// `K` columns of numbers, each on a cache line and padded to whole blocks of lanes, in one allocation.
#[derive(Debug)]
pub(crate) struct Columns<const K: usize> {
    data: Vec<f64>,
    /// Where the first cache line begins.
    offset: usize,
    /// From column to column.
    stride: usize,
}

/// Doubles in a cache line.
const LINE: usize = 8;

/// Whole blocks of lanes for `count` numbers.
pub(crate) fn padded(count: usize) -> usize {
    count.next_multiple_of(MOST_LANES)
}

impl<const K: usize> Columns<K> {
    /// Filled with one value for each column, the padding too.
    pub(crate) fn filled(count: usize, values: [f64; K]) -> Result<Self, TryReserveError> {
        let mut lines = padded(count.max(1)) / LINE;
        if lines >= 512 {
            // columns a multiple of 4 KiB apart would share the sets of the first-level cache
            lines += (64 + 9 - lines % 64) % 64;
        }
        let stride = lines * LINE;
        let mut data: Vec<f64> = Vec::new();
        data.try_reserve_exact(stride.saturating_mul(K).saturating_add(LINE))?;
        let offset = data.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        data.resize(offset, 0.0);
        for value in values {
            data.resize(data.len() + stride, value);
        }
        Ok(Columns { data, offset, stride })
    }

    #[inline]
    pub(crate) fn all(&self) -> [&[f64]; K] {
        std::array::from_fn(|k| &self.data[self.offset + k * self.stride..][..self.stride])
    }

    #[inline]
    pub(crate) fn all_mut(&mut self) -> [&mut [f64]; K] {
        let mut columns = self.data[self.offset..].chunks_exact_mut(self.stride);
        std::array::from_fn(|_| columns.next().expect("there are K columns"))
    }

    pub(crate) fn set(&mut self, i: usize, values: [f64; K]) {
        for (k, value) in values.into_iter().enumerate() {
            self.data[self.offset + k * self.stride + i] = value;
        }
    }
}
