//! The numbers that a row has of a torque.

/// The most numbers that a body has of a ready-made torque.
const MOST_NUMBERS: usize = 6;

/// The numbers that a body has of a torque: a part of a row, as an ensemble has it for each body.
#[doc(hidden)]
pub struct OwnNumbers {
    all: [f64; MOST_NUMBERS],
    count: usize,
}

impl OwnNumbers {
    pub(crate) fn none() -> Self {
        OwnNumbers::of([])
    }

    pub(super) fn of<const K: usize>(numbers: [f64; K]) -> Self {
        let mut all = [0.0; MOST_NUMBERS];
        all[..K].copy_from_slice(&numbers);
        OwnNumbers { all, count: K }
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.all[..self.count]
    }
}
