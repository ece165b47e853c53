//! Numbers of bodies that the host gives: one set for all, or one for each, and their copy on the
//! device.

use crate::driver::{Buffer, Device, Plain, Problem};
use crate::error::{Error, Failure};
use crate::layout::Array;
use std::sync::Arc;

/// `K` numbers that all bodies share, or of each body.
#[derive(Clone, Debug)]
pub(crate) enum Numbers<const K: usize> {
    Shared([f64; K]),
    Each(Vec<[f64; K]>),
}

impl<const K: usize> Numbers<K> {
    pub(crate) fn at(&self, body: usize) -> &[f64; K] {
        match self {
            Numbers::Shared(numbers) => numbers,
            Numbers::Each(all) => &all[body],
        }
    }

    /// Those of the bodies that have to be looked at: one, if all are alike.
    pub(crate) fn each(&self) -> &[[f64; K]] {
        match self {
            Numbers::Shared(numbers) => std::slice::from_ref(numbers),
            Numbers::Each(all) => all,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Numbers::Shared(_))
    }

    /// Other numbers of each body. Errors: those of `of`, with the first such body.
    pub(crate) fn map<const L: usize>(
        &self,
        of: impl Fn([f64; K]) -> Result<[f64; L], Error>,
    ) -> Result<Numbers<L>, Failure> {
        Ok(match self {
            Numbers::Shared(numbers) => Numbers::Shared(of(*numbers)?),
            Numbers::Each(all) => {
                let mut to = Vec::new();
                to.try_reserve_exact(all.len()).map_err(Error::from)?;
                for (body, numbers) in all.iter().enumerate() {
                    to.push(of(*numbers).map_err(|error| Failure::of_body(body, error))?);
                }
                Numbers::Each(to)
            }
        })
    }
}

/// Columns of numbers on the device: one number of all bodies after the other.
pub(crate) struct Columns {
    buffer: Buffer,
    array: Array,
}

impl Columns {
    /// A copy of the numbers.
    pub(crate) fn of<const K: usize>(
        device: &Arc<Device>,
        numbers: &Numbers<K>,
    ) -> Result<Self, Problem> {
        match numbers {
            Numbers::Shared(shared) => {
                let buffer = Buffer::of(device, shared)?;
                let array = Array {
                    address: buffer.address(),
                    body: 0,
                    component: 1,
                    ..Array::default()
                };
                Ok(Columns { buffer, array })
            }
            Numbers::Each(all) => {
                let mut columns = Columns::new::<f64>(device, all.len(), K)?;
                let mut packed = Vec::new();
                packed
                    .try_reserve_exact(K * all.len())
                    .map_err(|_| Problem::Memory)?;
                for k in 0..K {
                    packed.extend(all.iter().map(|numbers| numbers[k]));
                }
                columns.buffer.write(&packed)?;
                Ok(columns)
            }
        }
    }

    /// Room for `numbers` columns of numbers of 64 bits, which are not set.
    pub(crate) fn new<T: Plain>(
        device: &Arc<Device>,
        count: usize,
        numbers: usize,
    ) -> Result<Self, Problem> {
        let total = count.checked_mul(numbers).ok_or(Problem::Memory)?;
        let buffer = Buffer::new::<T>(device, total)?;
        let array = Array {
            address: buffer.address(),
            body: 1,
            component: count as i64,
            ..Array::default()
        };
        Ok(Columns { buffer, array })
    }

    /// One column, of these numbers.
    pub(crate) fn of_bits(device: &Arc<Device>, bits: &[u64]) -> Result<Self, Problem> {
        let mut columns = Columns::new::<u64>(device, bits.len(), 1)?;
        columns.buffer.write(bits)?;
        Ok(columns)
    }

    pub(crate) fn array(&self) -> Array {
        self.array
    }

    /// A copy of the numbers on the host.
    pub(crate) fn read(&self, count: usize) -> Result<Vec<f64>, Problem> {
        let mut numbers = Vec::new();
        numbers
            .try_reserve_exact(count)
            .map_err(|_| Problem::Memory)?;
        numbers.resize(count, 0.0);
        self.buffer.read(&mut numbers)?;
        Ok(numbers)
    }
}

/// The array, if there is one.
pub(crate) fn array_of(columns: Option<&Columns>) -> Array {
    columns.map(Columns::array).unwrap_or_default()
}
