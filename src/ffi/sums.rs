//! Exact sums: totals that do not depend on how the bodies are spread over ensembles.

use super::prelude::*;
use crate::ExactSum;

/// Number of int64_t in an exact sum.
///
/// An exact sum holds a sum of doubles without rounding, as a number with fixed point: element k
/// counts units of 2^(32 k - 1074). Exact sums are added element by element, up to 2^31 of them,
/// for example by MPI_Allreduce() with MPI_INT64_T and MPI_SUM. The result is exact, hence the same
/// for any order of the terms, any number of ensembles and any number of ranks. An array of zeros
/// is the sum 0.
pub const QI_SUM_SIZE: usize = 68;
const _: () = assert!(QI_SUM_SIZE == ExactSum::SIZE);

/// Get the exact sum of the rotational kinetic energies of the active bodies.
/// @param sums  receives QI_SUM_SIZE integers
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_kinetic_energy_sums(
    ensemble: *const qi_ensemble,
    sums: *mut i64,
) -> qi_status {
    compute("qi_get_kinetic_energy_sums", sums, "sums", || {
        Ok(shared(ensemble)?.kinetic_energy_sum()?.limbs())
    })
}

/// Get the exact sums of the angular momenta of the active bodies in the world frame: the sums of
/// their spins, without orbital angular momentum.
/// @param sums  receives 3 times QI_SUM_SIZE integers: the sum of the x components, then y, then z
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_angular_momentum_sums(
    ensemble: *const qi_ensemble,
    sums: *mut i64,
) -> qi_status {
    compute("qi_get_angular_momentum_sums", sums, "sums", || {
        let sums = shared(ensemble)?.angular_momentum_sums()?;
        Ok(sums.map(ExactSum::limbs))
    })
}

/// Add numbers to an exact sum: for example potential energies, or quantities of bodies outside the
/// library.
/// @param sum     QI_SUM_SIZE integers, in and out
/// @param values  the numbers, finite
/// @param count   number of values; 0: `values` may be NULL
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_add_to_sum(
    sum: *mut i64,
    values: *const f64,
    count: usize,
) -> qi_status {
    compute("qi_add_to_sum", sum, "sum", || {
        let mut total = ExactSum::from_limbs(arg!(input(sum)));
        for (index, &value) in arg!(input_array(values, count)).iter().enumerate() {
            if !value.is_finite() {
                return Err(Error::NotFinite {
                    name: "values",
                    index: Some(index),
                    value,
                }
                .into());
            }
            total.add(value);
        }
        Ok(total.limbs())
    })
}

/// Get the double nearest to an exact sum.
/// @param sum    QI_SUM_SIZE integers: an exact sum, or exact sums added element by element
/// @param value  receives 1 double
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qi_get_sum(sum: *const i64, value: *mut f64) -> qi_status {
    compute("qi_get_sum", value, "value", || {
        let sum = ExactSum::from_limbs(arg!(input(sum)));
        Ok(finite("sum", [sum.value()])?)
    })
}
