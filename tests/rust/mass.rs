//! Mass, centre of mass and inertia of assemblies, beside closed formulas and beside each other: the
//! same solid as one part, as several, as a mesh, turned and moved.

use crate::common::generic::Random;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use quatint::{Error, Inertia, Mass};

type V = Vector3<f64>;

fn near(a: &Mass, b: &Mass, tolerance: f64) {
    let a = a.properties().unwrap();
    let b = b.properties().unwrap();
    let size = b.inertia.amax();
    assert!((a.mass / b.mass - 1.0).abs() < tolerance, "{a:?} {b:?}");
    let off = (a.centre - b.centre).amax() / (size / b.mass).sqrt();
    assert!(off < tolerance, "{a:?} {b:?}");
    let off = (a.inertia - b.inertia).amax() / size;
    assert!(off < tolerance, "{off:e} {a:?} {b:?}");
}

/// The twelve triangles of a box, counterclockwise as seen from outside.
fn triangles_of_a_box(edges: V, place: V, turn: UnitQuaternion<f64>) -> Vec<[f64; 9]> {
    let corner = |bits: usize| {
        let half = V::from_fn(|i, _| if bits >> i & 1 == 1 { 0.5 } else { -0.5 });
        place + turn * half.component_mul(&edges)
    };
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let mut triangles = Vec::new();
    for [a, b, c, d] in faces {
        for three in [[a, b, c], [a, c, d]] {
            let corners = three.map(corner);
            triangles.push(std::array::from_fn(|n| corners[n / 3][n % 3]));
        }
    }
    triangles
}

#[test]
fn solids_have_the_inertia_of_the_textbooks() {
    let here = V::zeros();
    let turned = UnitQuaternion::identity();
    let inertia = |sum: Mass| sum.properties().unwrap().inertia.diagonal();
    let mut sphere = Mass::default();
    sphere.add_sphere(3.0, 2.0, here).unwrap();
    assert!((inertia(sphere) - V::repeat(0.4 * 12.0)).amax() < 1e-14);
    let mut ellipsoid = Mass::default();
    let semi_axes = V::new(1.0, 2.0, 3.0);
    ellipsoid
        .add_ellipsoid(5.0, semi_axes, here, turned)
        .unwrap();
    assert!((inertia(ellipsoid) - V::new(13.0, 10.0, 5.0)).amax() < 1e-14);
    let mut solid_box = Mass::default();
    let edges = V::new(1.0, 2.0, 3.0);
    solid_box.add_box(12.0, edges, here, turned).unwrap();
    assert!((inertia(solid_box) - V::new(13.0, 10.0, 5.0)).amax() < 1e-14);
    let mut cylinder = Mass::default();
    cylinder.add_cylinder(12.0, 2.0, 3.0, here, turned).unwrap();
    assert!((inertia(cylinder) - V::new(21.0, 21.0, 24.0)).amax() < 1e-14);
}

#[test]
fn a_solid_is_the_same_as_one_part_as_two_as_a_mesh_and_by_its_own_inertia() {
    let mut random = Random(7);
    for _ in 0..200 {
        let edges = V::from_fn(|_, _| random.between(0.1, 2.0));
        let place = V::from_fn(|_, _| random.between(-3.0, 3.0));
        let turn = random.rotation();
        let mass = random.between(0.1, 10.0);
        let mut whole = Mass::default();
        whole.add_box(mass, edges, place, turn).unwrap();

        let part = random.between(0.1, 0.9);
        let mut halves = Mass::default();
        for (share, shift) in [(part, part - 1.0), (1.0 - part, part)] {
            let half = edges.component_mul(&V::new(share, 1.0, 1.0));
            let centre = place + turn * V::new(0.5 * shift * edges.x, 0.0, 0.0);
            halves.add_box(share * mass, half, centre, turn).unwrap();
        }
        near(&halves, &whole, 1e-12);

        let mut mesh = Mass::default();
        let density = mass / edges.product();
        let triangles = triangles_of_a_box(edges, place, turn);
        mesh.add_mesh(density, &triangles).unwrap();
        near(&mesh, &whole, 1e-11);

        let mut alone = Mass::default();
        alone
            .add_box(mass, edges, V::zeros(), UnitQuaternion::identity())
            .unwrap();
        let inertia = alone.properties().unwrap().inertia;
        let mut known = Mass::default();
        known.add_inertia(mass, &inertia, place, turn).unwrap();
        near(&known, &whole, 1e-12);

        let mut with_a_hole = whole;
        with_a_hole.add_sphere(-0.1 * mass, 0.05, place).unwrap();
        with_a_hole.add_sphere(0.1 * mass, 0.05, place).unwrap();
        near(&with_a_hole, &whole, 1e-12);
    }
}

/// In the order of the tensor that `Body` takes: `I_xy = −∫ x y dm`.
#[test]
fn the_inertia_of_points_is_that_of_the_sum_over_them() {
    let mut random = Random(8);
    let mut sum = Mass::default();
    let points: Vec<(f64, V)> = (0..20)
        .map(|_| {
            let place = V::from_fn(|_, _| random.between(-1.0, 1.0));
            (random.between(0.1, 1.0), place)
        })
        .collect();
    let mut parts = [Mass::default(); 2];
    for (n, &(mass, place)) in points.iter().enumerate() {
        sum.add_point(mass, place).unwrap();
        parts[n % 2].add_point(mass, place).unwrap();
    }
    let [mut first, second] = parts;
    first.add(&second).unwrap();
    near(&first, &sum, 1e-13);

    let mass: f64 = points.iter().map(|point| point.0).sum();
    let centre = points.iter().map(|(m, x)| *m * x).sum::<V>() / mass;
    let mut inertia = Matrix3::zeros();
    for (m, x) in &points {
        let d = x - centre;
        inertia += *m * (Matrix3::identity() * d.norm_squared() - d * d.transpose());
    }
    let properties = sum.properties().unwrap();
    assert!((properties.inertia - inertia).amax() < 1e-14 * inertia.amax() * 20.0);
    assert!((properties.centre - centre).amax() < 1e-15 * 20.0);
    Inertia::new(&properties.inertia).unwrap();
}

#[test]
fn what_has_no_mass_properties_is_refused_and_changes_nothing() {
    let mut sum = Mass::default();
    assert!(matches!(
        sum.properties(),
        Err(Error::Invalid { name: "sum", .. })
    ));
    sum.add_point(1.0, V::new(0.1, 0.2, 0.3)).unwrap();
    let before = sum;
    let turned = UnitQuaternion::identity();
    assert!(sum.add_sphere(1.0, -1.0, V::zeros()).is_err());
    assert!(sum.add_point(f64::NAN, V::zeros()).is_err());
    assert!(sum.add_point(1e300, V::repeat(1e300)).is_err());
    let lopsided = Matrix3::new(1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0);
    assert!(sum.add_inertia(1.0, &lopsided, V::zeros(), turned).is_err());
    let closed = triangles_of_a_box(V::repeat(1.0), V::zeros(), turned);
    assert!(
        sum.add_mesh(1.0, &closed[1..]).is_err(),
        "a hole in the surface"
    );
    let inside_out: Vec<[f64; 9]> = closed
        .iter()
        .map(|&[a, b, c, d, e, f, g, h, i]| [a, b, c, g, h, i, d, e, f])
        .collect();
    assert!(sum.add_mesh(1.0, &inside_out).is_err());
    assert_eq!(sum, before);
    sum.add_mesh(1.0, &[]).unwrap();
    assert_eq!(sum, before);
    sum.add_point(-1.0, V::zeros()).unwrap();
    assert!(sum.properties().is_err(), "no mass is left");
}
