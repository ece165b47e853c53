//! Tensors and what is known of them: simulations have many bodies of few kinds.

use crate::{error::Error, inertia::Inertia, kernel::Quat};
use nalgebra::Matrix3;

/// The moments of a tensor that is diagonal and valid beyond doubt, with their reciprocals.
#[inline(always)]
fn moments_of_diagonal(&[xx, xy, xz, yx, yy, yz, zx, zy, zz]: &[f64; 9]) -> Option<[f64; 6]> {
    let is_diagonal = [xy, xz, yx, yz, zx, zy] == [0.0; 6];
    if is_diagonal { Inertia::checked_moments("inertia", [xx, yy, zz]).ok() } else { None }
}

/// Tensors that have been diagonalised.
pub(super) struct Known(Vec<([f64; 9], Inertia)>);

impl Known {
    /// A power of two.
    const SIZE: usize = 256;

    pub(super) fn new() -> Result<Self, Error> {
        let unit = Inertia::from_moments([1.0; 3].into())?;
        let mut all = Vec::new();
        all.try_reserve_exact(Self::SIZE)?;
        all.resize(Self::SIZE, ([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], unit));
        Ok(Known(all))
    }

    /// The principal moments with their reciprocals, and the rotation from the principal axes to the body frame.
    #[inline(always)]
    pub(super) fn principal(&mut self, tensor: [f64; 9]) -> Result<([f64; 6], [f64; 4]), Error> {
        if let Some(moments) = moments_of_diagonal(&tensor) {
            return Ok((moments, Quat::identity().0));
        }
        let mixed = tensor.iter().fold(0, |mixed: u64, x| (mixed ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (key, known) = &mut self.0[(mixed >> 56) as usize % Self::SIZE];
        if *key != tensor {
            (*key, *known) = (tensor, Inertia::new(&Matrix3::from_row_slice(&tensor))?);
        }
        Ok((known.with_reciprocals(), known.principal_to_body_if_turned().unwrap_or(Quat::identity()).0))
    }
}
