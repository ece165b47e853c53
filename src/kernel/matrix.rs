//! Rotation matrices, for rotating more than one vector.

use super::{Number, Quat, Vec3};

/// A rotation matrix by rows: `24 + 15` operations for one vector, 15 for each other (quaternion: 30 each, in a longer chain).
#[derive(Clone, Copy, Debug)]
pub struct RotationMatrix<N>([Vec3<N>; 3]);

impl RotationMatrix<f64> {
    /// The same matrix in every lane.
    #[inline(always)]
    pub fn splat_each<N: Number>(&self) -> RotationMatrix<N> {
        let [r1, r2, r3] = self.0;
        RotationMatrix([r1.splat_each(), r2.splat_each(), r3.splat_each()])
    }
}

impl<N: Number> RotationMatrix<N> {
    /// From rows.
    #[inline(always)]
    pub fn from_rows(rows: [Vec3<N>; 3]) -> Self {
        RotationMatrix(rows)
    }

    /// The rows.
    #[inline(always)]
    pub fn rows(&self) -> [Vec3<N>; 3] {
        self.0
    }

    /// The columns: for a body-to-world matrix, the body axes in world components.
    #[inline(always)]
    pub fn axes(&self) -> [Vec3<N>; 3] {
        let [[a, b, c], [d, e, f], [g, h, i]] = [self.0[0].0, self.0[1].0, self.0[2].0];
        [Vec3([a, d, g]), Vec3([b, e, h]), Vec3([c, f, i])]
    }

    /// `R v`
    #[inline(always)]
    pub fn rotate(&self, v: Vec3<N>) -> Vec3<N> {
        let [r1, r2, r3] = self.0;
        Vec3([r1.dot(v), r2.dot(v), r3.dot(v)])
    }

    /// `Rᵀ v`
    #[inline(always)]
    pub fn rotate_back(&self, v: Vec3<N>) -> Vec3<N> {
        let ([r1, r2, r3], [v1, v2, v3]) = (self.0, v.0);
        r1 * v1 + r2 * v2 + r3 * v3
    }
}

impl<N: Number> Quat<N> {
    /// `R(q)`
    #[inline(always)]
    pub fn to_matrix(self) -> RotationMatrix<N> {
        let ([w, x, y, z], one) = (self.0, N::splat(1.0));
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        RotationMatrix([
            Vec3([one - (yy + zz), xy - wz, xz + wy]), //
            Vec3([xy + wz, one - (xx + zz), yz - wx]),
            Vec3([xz - wy, yz + wx, one - (xx + yy)]),
        ])
    }
}
