//! Ten thousand dipoles turn towards a field and lose their energy to a drag, in the records of a particle code.
//!
//! The ensemble works in place: it borrows the orientations and angular velocities inside the records, and the callback that
//! computes the torques is asked for 64 bodies at a time.
//!
//! ```sh
//! cargo run --release --example particles
//! ```

use nalgebra::Vector3;
use quatint::{Ensemble, Failure, Frame, Inertia, Layout, VelocityKind, ViewMut};

const N: usize = 10_000;
/// Doubles in a record: position 0 to 2, orientation 3 to 6, radius 7, angular velocity 8 to 10, mass 11.
const RECORD: usize = 12;

/// A field along z on dipoles along each body's third axis, and a drag. Frame: each body's own axes.
fn compass(
    _: f64,
    _: usize,
    count: usize,
    q: &[f64],
    omega: &[f64],
    torque: &mut [f64],
) -> Result<(), i32> {
    for i in 0..count {
        let &[w, x, y, z] = q[4 * i..].first_chunk().expect("four numbers a body");
        // e₃ × Rᵀ e_z
        let torque = &mut torque[3 * i..3 * i + 3];
        torque[0] = -2.0 * (y * z + w * x);
        torque[1] = 2.0 * (x * z - w * y);
        (0..3).for_each(|c| torque[c] -= 0.5 * omega[3 * i + c]);
    }
    Ok(())
}

/// The mean of the third axes' components along the field: 1 when all are aligned.
fn alignment(records: &[f64]) -> f64 {
    let along = |r: &[f64]| 1.0 - 2.0 * (r[4] * r[4] + r[5] * r[5]);
    records.chunks_exact(RECORD).map(along).sum::<f64>() / N as f64
}

fn main() -> Result<(), Failure> {
    let mut records = vec![0.0; RECORD * N];
    for (i, record) in records.chunks_exact_mut(RECORD).enumerate() {
        // axes spread over the sphere by the golden angle
        let (height, turn) = (1.0 - 2.0 * (i as f64 + 0.5) / N as f64, 2.399963 * i as f64);
        let half = 0.5 * height.acos();
        record[3..7].copy_from_slice(&[
            half.cos(),
            -turn.sin() * half.sin(),
            turn.cos() * half.sin(),
            0.0,
        ]);
    }
    println!("t =  0   mean alignment {:+.4}", alignment(&records));

    let (orientations, velocities) = ViewMut::records(&mut records, RECORD, 3, 8)?;
    let mut dipoles = Ensemble::new(N)?;
    dipoles.set_inertia(Inertia::from_moments(Vector3::new(1.0, 1.2, 0.8))?)?;
    dipoles.set_torque(Box::new(compass), Layout::Aos, Frame::Body)?;
    dipoles.bind_orientations(orientations)?;
    dipoles.bind_angular_velocities(velocities, VelocityKind::OmegaBody)?;
    dipoles.advance(0.02, 2000)?;
    println!(
        "t = {:2.0}   kinetic energy {:.2e}",
        dipoles.time(),
        dipoles.total_kinetic_energy()
    );
    drop(dipoles); // gives the records back

    let end = alignment(&records);
    println!("t = 40   mean alignment {end:+.4}");
    assert!(end > 0.99, "{end}");
    Ok(())
}
