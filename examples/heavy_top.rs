//! A heavy symmetric top nods as it goes round: how long a nod takes, beside the exact period.
//!
//! The axis is released at rest, at a tilt of 1 rad, with a spin of 8 rad/s about it. Its tilt then swings between two values with
//! the period 1.670852791361963 s (elliptic integrals; H. Goldstein, Classical Mechanics, §5.7). The same step by both methods.
//!
//! ```sh
//! cargo run --release --example heavy_top
//! ```

use nalgebra::{UnitQuaternion, Vector3};
use quatint::torque::UniformField;
use quatint::{Body, Failure, Inertia, Method};

const PERIOD: f64 = 1.670852791361963;

fn main() -> Result<(), Failure> {
    let inertia = Inertia::from_moments(Vector3::new(1.0, 1.0, 0.5))?; // about the point that is held
    let tilted = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 1.0);
    let mut weight = UniformField::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])?; // m g l = 1, along the third axis

    for method in [Method::Pcdm, Method::Cf4] {
        let mut top = Body::new(inertia, tilted, tilted * Vector3::new(0.0, 0.0, 8.0))?;
        top.set_method(method);
        let steps = 200;
        let tilt = |top: &Body| (top.orientation() * Vector3::z()).angle(&Vector3::z());

        println!(
            "{}: {} torque evaluations a step, order {}",
            method.name(),
            method.torque_at().len(),
            method.order()
        );
        for quarter in 0..=4 {
            println!("   t = {:.4} s   tilt {:.6} rad", top.time(), tilt(&top));
            if quarter < 4 {
                top.advance(PERIOD / f64::from(steps), steps as u64 / 4, &mut weight)?;
            }
        }
        // after a period the tilt is back
        let off = (tilt(&top) - 1.0).abs();
        println!("   off by {off:.0e} rad after a period");
        assert!(
            off < if method == Method::Pcdm { 1e-4 } else { 1e-7 },
            "{off:e}"
        );
    }
    Ok(())
}
