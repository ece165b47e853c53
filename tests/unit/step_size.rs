//! The size of a step, from within the crate: only failures show it outside.

use super::*;

const BOUNDS: &Bounds = &Bounds {
    method: "X",
    turn: 0.2,
    drag: 2.0,
    spring_number: 0.0,
};

#[test]
fn a_step_is_measured_even_where_squares_overflow() {
    let inertia = &PrincipalInertia::new(Vec3([2.0, 1.0, 4.0]), None);
    let size = StepSize::of(
        BOUNDS,
        false,
        0.25,
        inertia,
        None,
        Vec3([3.0, 0.0, 4.0]),
        Some(Vec3([16.0, 8.0, 0.0])),
    );
    assert_eq!(
        (size.turn, size.drag, size.spring_number),
        (1.25, 0.0, 0.25 * 0.25 * 128.0_f32.sqrt())
    );
    let (omega, drag) = (Vec3([3e160, 0.0, 4e160]), Vec3([-6e160, 0.0, -16e160]));
    let size = StepSize::of(
        BOUNDS,
        false,
        -0.5,
        inertia,
        Some(Vec3([0.0, 0.5, 0.0])),
        omega,
        Some(drag),
    );
    assert_eq!(
        (size.turn, size.drag, size.spring_number),
        (f32::MAX, 0.5, f32::MAX)
    );
    let said = size.to_string();
    let turns = "3.403e38 rad (X needs less than 0.2), that by the rotors 2.500e-1 rad (X needs less than 0.2)";
    assert!(
        said.contains(&format!("{turns}, c h / I = 5.000e-1 for a drag,")),
        "{said}"
    );
}

#[test]
fn a_body_at_rest_without_torque_has_a_step_of_size_zero() {
    let inertia = &PrincipalInertia::new(Vec3([2.0, 1.0, 4.0]), None);
    let size = StepSize::of(BOUNDS, false, 1.0, inertia, None, Vec3::splat(0.0), None);
    assert_eq!((size.turn, size.drag, size.spring_number), (0.0, 0.0, 0.0));
}
