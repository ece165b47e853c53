//! Generic problems: nothing in them lies along an axis.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// Random numbers, the same in every run (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// 10 to a power that is uniform between two.
    pub fn power_of_ten(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    /// One of a list.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.bits() % list.len() as u64) as usize] // the same on 32 bits
    }

    /// Uniform in the cube from -1 to 1.
    pub fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    /// Uniform on the sphere.
    pub fn direction(&mut self) -> Vector3<f64> {
        loop {
            let vector = self.vector();
            if (0.1..=1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }

    /// Uniform over all rotations.
    pub fn rotation(&mut self) -> UnitQuaternion<f64> {
        loop {
            let w = self.between(-1.0, 1.0);
            let x = self.between(-1.0, 1.0);
            let y = self.between(-1.0, 1.0);
            let z = self.between(-1.0, 1.0);
            let q = Quaternion::new(w, x, y, z);
            if (0.1..=1.0).contains(&q.norm()) {
                return UnitQuaternion::new_normalize(q);
            }
        }
    }

    /// Three moments of some shape, in any order.
    pub fn moments(&mut self, shape: Shape) -> Vector3<f64> {
        let a = self.between(0.5, 2.0);
        let b = self.between(0.5, 2.0);
        let [i1, i2, i3] = match shape {
            Shape::Compact => [a, b, self.between(a.max(b) - a.min(b), a + b).max(0.1)],
            Shape::Rod(thin) => [thin * a, a, a],
            Shape::Disc => [a, a, 2.0 * a],
            Shape::NearSphere(delta) => [a, a * (1.0 + 0.3 * delta), a * (1.0 + delta)],
        };
        self.one_of(&[[i1, i2, i3], [i2, i3, i1], [i3, i1, i2]])
            .into()
    }
}

/// The ways to lock axes; those before the last leave an axis free.
pub const LOCKS: [[bool; 3]; 7] = [
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, true, false],
    [false, true, true],
    [true, false, true],
    [true, true, true],
];

/// What a body looks like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Three different moments that obey the triangle inequality.
    Compact,
    /// Moments (thin, 1, 1).
    Rod(f64),
    /// Moments (1, 1, 2).
    Disc,
    /// Moments that differ by this part.
    NearSphere(f64),
}

/// The orientation in a row of a record.
pub fn orientation(row: &[f64; 8]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(row[1], row[2], row[3], row[4]))
}

/// The tensor with these principal moments. `axes` turns the body axes to the principal axes.
pub fn tensor(moments: Vector3<f64>, axes: &UnitQuaternion<f64>) -> Matrix3<f64> {
    let rotation = axes.to_rotation_matrix();
    let tensor = rotation * Matrix3::from_diagonal(&moments) * rotation.inverse();
    (tensor + tensor.transpose()) * 0.5
}
