//! Mass, centre of mass and inertia of assemblies, beside closed formulas and beside each other: the
//! same solid as one part, as several, as a mesh, turned and moved.

use crate::common::generic::Random;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use quatint::{Error, Inertia, Mass};
use std::f64::consts::{PI, TAU};

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
fn a_capsule_is_a_cylinder_with_half_a_sphere_on_each_end() {
    let mut random = Random(11);
    for _ in 0..200 {
        let place = V::from_fn(|_, _| random.between(-3.0, 3.0));
        let turn = random.rotation();
        let density = random.between(0.1, 10.0);
        let radius = random.between(0.1, 2.0);
        let length = random.between(0.1, 2.0);
        let of_cylinder = density * PI * radius * radius * length;
        let of_half = density * 2.0 / 3.0 * PI * radius.powi(3);
        let mut parts = Mass::default();
        parts
            .add_cylinder(of_cylinder, radius, length, place, turn)
            .unwrap();
        let end = turn * V::new(0.0, 0.0, length / 2.0);
        parts
            .add_hemisphere(of_half, radius, place + end, turn)
            .unwrap();
        let turned_round = turn * UnitQuaternion::from_axis_angle(&V::x_axis(), PI);
        parts
            .add_hemisphere(of_half, radius, place - end, turned_round)
            .unwrap();
        let mut capsule = Mass::default();
        let mass = of_cylinder + 2.0 * of_half;
        capsule
            .add_capsule(mass, radius, length, place, turn)
            .unwrap();
        near(&capsule, &parts, 3e-14);
    }
    let here = V::new(1.0, 2.0, 3.0);
    let turn = random.rotation();
    let capsule = |radius: f64, length: f64| {
        let mut sum = Mass::default();
        sum.add_capsule(3.0, radius, length, here, turn).unwrap();
        sum
    };
    let mut sphere = Mass::default();
    sphere.add_sphere(3.0, 0.5, here).unwrap();
    near(&capsule(0.5, 0.0), &sphere, 1e-15);
    let mut rod = Mass::default();
    rod.add_cylinder(3.0, 0.0, 0.5, here, turn).unwrap();
    near(&capsule(0.0, 0.5), &rod, 1e-15);
    let point = capsule(0.0, 0.0).properties().unwrap();
    assert_eq!(point.inertia, Matrix3::zeros());
}

#[test]
fn a_cone_has_the_inertia_of_the_textbooks_about_its_tip_and_its_centre() {
    let turned = UnitQuaternion::identity();
    let mut cone = Mass::default();
    cone.add_cone(80.0, 2.0, 3.0, V::zeros(), turned).unwrap();
    let properties = cone.properties().unwrap();
    assert!((properties.centre - V::new(0.0, 0.0, 0.75)).amax() < 1e-15);
    // 3/80 m (4 r² + h²), 3/10 m r²
    let about_centre = properties.inertia.diagonal();
    assert!((about_centre - V::new(75.0, 75.0, 96.0)).amax() < 1e-13);
    // 3/20 m (r² + 4 h²)
    let about_tip = cone.inertia_about(V::new(0.0, 0.0, 3.0)).unwrap();
    assert!((about_tip.diagonal() - V::new(480.0, 480.0, 96.0)).amax() < 1e-12);
}

#[test]
fn half_a_sphere_and_a_cone_far_away_keep_their_digits() {
    let mut random = Random(12);
    for _ in 0..100 {
        let place = V::from_fn(|_, _| random.between(-1e5, 1e5));
        let turn = random.rotation();
        let add = |sum: &mut Mass, at: V| {
            sum.add_hemisphere(2.0, 0.7, at, turn).unwrap();
            sum.add_cone(1.0, 0.4, 1.2, at, turn).unwrap();
            sum.add_capsule(1.5, 0.4, 1.2, at, turn).unwrap();
        };
        let mut here = Mass::default();
        let mut far = Mass::default();
        add(&mut here, V::zeros());
        add(&mut far, place);
        let inertia = here.properties().unwrap().inertia;
        let moved = far.properties().unwrap().inertia;
        assert!((moved - inertia).amax() < 4e-15, "{moved} {inertia}");
        let about = here.inertia_about(V::new(0.5, -0.25, 1.0)).unwrap();
        let moved = far.inertia_about(place + V::new(0.5, -0.25, 1.0)).unwrap();
        let rounding = 1e-11 * 4.5 * 2.0; // of the point
        assert!((moved - about).amax() < rounding, "{moved} {about}");
    }
}

/// The surface of revolution of a profile (radius, z) from z below to z above, in `n` planes.
fn revolved(profile: &[[f64; 2]], n: usize, put: impl Fn(V) -> V) -> Vec<[f64; 9]> {
    let corner = |i: usize, k: usize| {
        let (sin, cos) = (TAU * k as f64 / n as f64).sin_cos();
        let [radius, z] = profile[i];
        put(V::new(radius * cos, radius * sin, z))
    };
    let mut triangles = Vec::new();
    for i in 1..profile.len() {
        for k in 0..n {
            let next = (k + 1) % n;
            let [a, b] = [corner(i - 1, k), corner(i - 1, next)];
            let [c, d] = [corner(i, next), corner(i, k)];
            if profile[i - 1][0] > 0.0 {
                triangles.push([a, b, c]);
            }
            if profile[i][0] > 0.0 {
                triangles.push([a, c, d]);
            }
        }
    }
    corners(&triangles)
}

/// The corners of a mesh lie on the body, so what it lacks falls with 1/n²: three of them, in two
/// steps of Richardson's, have the numbers of the body to 1e-9.
#[test]
fn a_capsule_half_a_sphere_and_a_cone_are_the_same_as_meshes_of_them() {
    let mut random = Random(13);
    let place = V::from_fn(|_, _| random.between(-1.0, 1.0));
    let turn = random.rotation();
    let (radius, length) = (0.6, 1.1);
    let quarter = |n: usize, from: f64, z: f64| -> Vec<[f64; 2]> {
        let angle = |i| from + 0.5 * PI * i as f64 / n as f64;
        let at = |a: f64| [radius * a.cos(), z + radius * a.sin()];
        (0..=n).map(|i| at(angle(i))).collect()
    };
    let ended = |mut profile: Vec<[f64; 2]>| {
        let last = profile.len() - 1;
        for end in [0, last] {
            profile[end][0] = if profile[end][0] < 1e-12 {
                0.0
            } else {
                profile[end][0]
            };
        }
        profile
    };
    let capsule = |n: usize| {
        let below = quarter(n / 4, -0.5 * PI, -0.5 * length);
        ended([below, quarter(n / 4, 0.0, 0.5 * length)].concat())
    };
    let half = |n: usize| ended([vec![[0.0, 0.0]], quarter(n / 4, 0.0, 0.0)].concat());
    let cone = |_| vec![[0.0, 0.0], [radius, 0.0], [0.0, length]];
    let profiles: [&dyn Fn(usize) -> Vec<[f64; 2]>; 3] = [&capsule, &half, &cone];
    let volume_of_half = 2.0 / 3.0 * PI * radius.powi(3);
    let base = PI * radius * radius;
    let volumes = [
        base * length + 2.0 * volume_of_half,
        volume_of_half,
        base * length / 3.0,
    ];
    for (kind, (profile, mass)) in profiles.into_iter().zip(volumes).enumerate() {
        let mesh = |n: usize| {
            let mut sum = Mass::default();
            let triangles = revolved(&profile(n), n, |x| place + turn * x);
            sum.add_mesh(1.0, &triangles).unwrap();
            sum.numbers()
        };
        let [coarse, middle, fine] = [64, 128, 256].map(mesh);
        let extrapolated = std::array::from_fn(|k| {
            let [second, third] =
                [[coarse, middle], [middle, fine]].map(|[a, b]| b[k] + (b[k] - a[k]) / 3.0);
            third + (third - second) / 15.0
        });
        let mut part = Mass::default();
        match kind {
            0 => part.add_capsule(mass, radius, length, place, turn),
            1 => part.add_hemisphere(mass, radius, place, turn),
            _ => part.add_cone(mass, radius, length, place, turn),
        }
        .unwrap();
        near(&Mass::from_numbers(extrapolated).unwrap(), &part, 1e-9);
    }
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
    let hinge = V::new(0.3, -2.0, 0.7);
    let mut about_hinge = Matrix3::zeros();
    for (m, x) in &points {
        let d = x - hinge;
        about_hinge += *m * (Matrix3::identity() * d.norm_squared() - d * d.transpose());
    }
    let about = sum.inertia_about(hinge).unwrap();
    assert!((about - about_hinge).amax() < 1e-14 * about.amax() * 20.0);
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
    assert!(sum.add_capsule(1.0, 1.0, -1.0, V::zeros(), turned).is_err());
    assert!(sum.add_hemisphere(1.0, -1.0, V::zeros(), turned).is_err());
    assert!(
        sum.add_cone(1.0, 1.0, f64::NAN, V::zeros(), turned)
            .is_err()
    );
    assert!(sum.inertia_about(V::repeat(f64::NAN)).is_err());
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

type Triangle = [V; 3];

fn corners(triangles: &[Triangle]) -> Vec<[f64; 9]> {
    let numbers = |three: &Triangle| std::array::from_fn(|n| three[n / 3][n % 3]);
    triangles.iter().map(numbers).collect()
}

fn in_single_precision(triangles: &[Triangle]) -> Vec<Triangle> {
    let rounded = |corner: V| corner.map(|x| f64::from(x as f32));
    triangles.iter().map(|three| three.map(rounded)).collect()
}

/// An octahedron whose faces are cut in four, `level` times, with all corners on the unit sphere.
fn ball(level: usize) -> Vec<Triangle> {
    let (x, y, z) = (V::x(), V::y(), V::z());
    let upper = [[x, y, z], [y, -x, z], [-x, -y, z], [-y, x, z]];
    let lower = upper.map(|[a, b, c]| [b, a, -c]);
    let mut triangles = [upper, lower].concat();
    for _ in 0..level {
        let cut = |[a, b, c]: Triangle| {
            let [ab, bc, ca] = [a + b, b + c, c + a].map(|sum| sum.normalize());
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(cut).collect();
    }
    triangles
}

fn ring(random: &mut Random) -> Vec<Triangle> {
    let (around, across) = (
        random.between(3.0, 30.0) as usize,
        random.between(3.0, 20.0) as usize,
    );
    let thickness = random.between(0.2, 0.8);
    let corner = |i: usize, j: usize| {
        let u = (i % around) as f64 / around as f64 * std::f64::consts::TAU;
        let v = (j % across) as f64 / across as f64 * std::f64::consts::TAU;
        let r = 1.0 + thickness * v.cos();
        V::new(r * u.cos(), r * u.sin(), thickness * v.sin())
    };
    let cells = (0..around * across).map(|n| (n / across, n % across));
    let halves = |(i, j)| {
        let [a, b, c, d] =
            [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| corner(i, j));
        [[a, b, c], [a, c, d]]
    };
    cells.flat_map(halves).collect()
}

/// A ball, a ball with bumps and dents, or a ring, stretched, turned, and moved by up to `far`.
fn closed_surface(random: &mut Random, thickness: f64, far: f64) -> Vec<Triangle> {
    let triangles = match random.one_of(&[0, 1, 2]) {
        0 => ball(random.one_of(&[0, 1, 2, 3])),
        1 => {
            let waves = [
                random.vector() * 3.0,
                random.vector() * 3.0,
                random.vector() * 3.0,
            ];
            let height = random.between(0.0, 0.25);
            let bump =
                |x: V| x * (1.0 + height * waves.iter().map(|k| k.dot(&x).sin()).sum::<f64>());
            let smooth = ball(random.one_of(&[1, 2, 3, 4]));
            smooth.into_iter().map(|three| three.map(bump)).collect()
        }
        _ => ring(random),
    };
    let turn = random.rotation();
    let edges = V::new(1.0, random.between(0.3, 1.0), thickness);
    let place = far * random.vector();
    let put = |x: V| place + turn * x.component_mul(&edges);
    triangles.into_iter().map(|three| three.map(put)).collect()
}

/// A third of the triangles are cut in two, by corners on the edges of their neighbours.
fn with_corners_on_edges(random: &mut Random, triangles: Vec<Triangle>) -> Vec<Triangle> {
    let mut cut = Vec::new();
    for [a, b, c] in triangles {
        if random.between(0.0, 1.0) < 1.0 / 3.0 {
            let between = a + random.between(0.1, 0.9) * (b - a);
            cut.extend([[a, between, c], [between, b, c]]);
        } else {
            cut.push([a, b, c]);
        }
    }
    cut
}

/// What is missing or wrong on both sides of a surface, so that its areas, as vectors, often add up
/// to nothing.
fn opened(random: &mut Random, kind: usize, surface: &[Triangle]) -> Vec<Triangle> {
    let along = random.direction();
    let middle = surface.iter().flatten().sum::<V>() / (3 * surface.len()) as f64;
    let height = |three: &Triangle| along.dot(&(three.iter().sum::<V>() / 3.0 - middle));
    let mut ordered = surface.to_vec();
    ordered.sort_by(|a, b| height(a).total_cmp(&height(b)));
    let count = ordered.len();
    let ends = random.between(1.0, (count / 4).max(2) as f64) as usize;
    match kind {
        // one triangle is missing
        0 => drop(ordered.remove((random.between(0.0, count as f64)) as usize)),
        // one is turned
        1 => ordered[random.between(0.0, count as f64) as usize].swap(0, 1),
        // both ends are missing
        2 => ordered = ordered[ends..count - ends].to_vec(),
        // one half has been moved away
        3 => {
            let distance = random.between(0.05, 0.5) * along;
            let half = &mut ordered[count / 2..];
            half.iter_mut()
                .flatten()
                .for_each(|corner| *corner += distance);
        }
        // both ends are turned
        4 => {
            for three in &mut ordered[..ends] {
                three.swap(0, 1);
            }
            for three in &mut ordered[count - ends..] {
                three.swap(0, 1);
            }
        }
        // a triangle is there twice
        _ => ordered.push(ordered[count / 2]),
    }
    ordered
}

const THICKNESSES: [f64; 4] = [0.6, 1e-2, 1e-4, 1e-5];

#[test]
fn closed_surfaces_are_taken_also_with_corners_on_edges_in_single_precision_and_far_away() {
    let mut random = Random(41);
    for thickness in THICKNESSES {
        for far in [0.0, 1.0, 10.0, 100.0, 1000.0] {
            for _ in 0..60 {
                let surface = closed_surface(&mut random, thickness, far);
                let cut = with_corners_on_edges(&mut random, surface.clone());
                let mut whole = Mass::default();
                whole.add_mesh(2.0, &corners(&surface)).unwrap();
                let mut again = Mass::default();
                again.add_mesh(2.0, &corners(&cut)).unwrap();
                near(&again, &whole, 1e-7);
                if thickness < 1e-7 * far {
                    continue; // rounded corners may turn such a foil inside out
                }
                for rounded in [&surface, &cut].map(|exact| in_single_precision(exact)) {
                    let mut mesh = Mass::default();
                    let added = mesh.add_mesh(2.0, &corners(&rounded));
                    added.unwrap_or_else(|error| panic!("{thickness:e} {far:e} {error}"));
                    if thickness > 0.1 {
                        near(&mesh, &whole, 1e-6 * (1.0 + far));
                    }
                }
            }
        }
    }
}

#[test]
fn surfaces_that_are_not_closed_are_refused_also_if_what_is_missing_is_on_both_sides() {
    let mut random = Random(42);
    for thickness in THICKNESSES {
        for kind in 0..6 {
            for n in 0..100 {
                let surface = closed_surface(&mut random, thickness, 1.0);
                let open = opened(&mut random, kind, &surface);
                // single precision does not tell what a foil lacks from rounding
                let open = match n % 3 {
                    1 => with_corners_on_edges(&mut random, open),
                    2 if thickness > 1e-3 => in_single_precision(&open),
                    _ => open,
                };
                let error = Mass::default().add_mesh(2.0, &corners(&open)).unwrap_err();
                assert!(
                    error.to_string().contains("closed surface"),
                    "{thickness:e} {kind} {error}"
                );
            }
        }
    }
}

/// A cube of edge 1 from `n` cubed points or boxes, whose corner is at `far` (1, 2, 3).
fn cube(n: usize, far: f64, are_boxes: bool) -> Mass {
    let edge = 1.0 / n as f64;
    let mut sum = Mass::default();
    for part in 0..n * n * n {
        let steps = V::new(
            (part % n) as f64,
            (part / n % n) as f64,
            (part / n / n) as f64,
        );
        let position = far * V::new(1.0, 2.0, 3.0) + edge * (steps + V::repeat(0.5));
        let mass = edge * edge * edge;
        if are_boxes {
            let turn = UnitQuaternion::identity();
            sum.add_box(mass, V::repeat(edge), position, turn).unwrap();
        } else {
            sum.add_point(mass, position).unwrap();
        }
    }
    sum
}

#[test]
fn many_parts_and_a_distant_origin_cost_no_digits_beyond_those_of_the_positions() {
    for (n, far, are_boxes) in [
        (60, 0.0, false),
        (60, 1e5, false),
        (60, 1e8, false),
        (40, 0.0, true),
        (40, 1e3, true),
        (1, 1e8, true),
    ] {
        let properties = cube(n, far, are_boxes).properties().unwrap();
        let lacking = if are_boxes { 0.0 } else { 1.0 / (n * n) as f64 };
        let expected = Matrix3::from_diagonal_element((1.0 - lacking) / 6.0);
        let off = 6.0 * (properties.inertia - expected).amax();
        assert!(off < 2e-14 + 2e-16 * far, "{n} {far:e} {off:e}");
        assert!((properties.mass - 1.0).abs() < 2e-15);
        let off = properties.centre - far * V::new(1.0, 2.0, 3.0) - V::repeat(0.5);
        assert!(off.amax() < 2e-15 + 5e-16 * far, "{n} {far:e} {off:e}");
    }
}

#[test]
fn sums_whose_numbers_are_added_element_by_element_lose_no_digits() {
    let mut random = Random(43);
    let place = 1e5 * random.vector();
    let mut whole = Mass::default();
    let mut numbers = [0.0; Mass::SIZE];
    for _ in 0..2000 {
        let mut part = Mass::default();
        for _ in 0..random.one_of(&[1, 2, 30]) {
            let mass = random.between(0.1, 1.0);
            let position = place + random.vector();
            whole.add_point(mass, position).unwrap();
            part.add_point(mass, position).unwrap();
        }
        for (sum, number) in numbers.iter_mut().zip(part.numbers()) {
            *sum += number;
        }
    }
    near(&Mass::from_numbers(numbers).unwrap(), &whole, 1e-13);
    near(&Mass::from_numbers(whole.numbers()).unwrap(), &whole, 1e-13);
}

#[test]
fn parts_that_are_taken_away_leave_what_was_there_before() {
    let mut random = Random(44);
    let far = 1e6 * random.vector();
    let mut sum = Mass::default();
    sum.add_sphere(1.0, 1e-3, far).unwrap();
    let before = sum.properties().unwrap();
    let parts: Vec<(f64, V)> = (0..1000)
        .map(|_| (random.power_of_ten(-3.0, 3.0), far + random.vector()))
        .collect();
    for sign in [1.0, -1.0] {
        for &(mass, position) in &parts {
            sum.add_point(sign * mass, position).unwrap();
        }
    }
    let after = sum.properties().unwrap();
    assert!((after.mass - 1.0).abs() < 1e-15, "{after:?}");
    assert!((after.centre - before.centre).amax() < 1e-9, "{after:?}");
    assert!(
        (after.inertia - before.inertia).amax() < 1e-3 * before.inertia.amax(),
        "{after:?}"
    );
}

#[test]
fn a_distant_point_and_a_distant_rod_have_the_zero_moments_that_a_body_takes() {
    let mut random = Random(45);
    for _ in 0..200 {
        let place = random.power_of_ten(0.0, 8.0) * random.vector();
        let mut point = Mass::default();
        point.add_point(random.between(0.1, 3.0), place).unwrap();
        assert_eq!(point.properties().unwrap().inertia, Matrix3::zeros());
        let mut rod = Mass::default();
        for end in [1.0, 2.0, 5.0] {
            let axis = V::new(1.0, 0.0, 0.0);
            rod.add_point(end, place.map(f64::round) + end * axis)
                .unwrap();
        }
        let moments = Inertia::new(&rod.properties().unwrap().inertia).unwrap();
        assert_eq!(moments.principal_moments().x, 0.0);
    }
}

#[test]
fn what_is_no_inertia_of_a_mass_is_refused() {
    let turned = Random(46).rotation();
    let mut hole_outside = Mass::default();
    hole_outside.add_sphere(2.0, 0.5, V::zeros()).unwrap();
    hole_outside
        .add_sphere(-1.0, 0.5, V::new(1.0, 2.0, 3.0))
        .unwrap();
    let mut wrong_products = Mass::default();
    let tensor = Matrix3::from_fn(|i, j| if i == j { 2.0 / 3.0 } else { 1.0 / 3.0 });
    wrong_products
        .add_inertia(1.0, &tensor, V::new(1.0, 2.0, 3.0), turned)
        .unwrap();
    for sum in [hole_outside, wrong_products] {
        let error = sum.properties().unwrap_err().to_string();
        assert!(
            error.contains("none greater than the sum of the other two"),
            "{error}"
        );
    }
    // a plate of which a handbook gives three digits
    let mut plate = Mass::default();
    let moments = Matrix3::from_diagonal(&V::new(0.333, 0.333, 0.667));
    plate
        .add_inertia(1.0, &moments, V::new(1.0, 2.0, 3.0), turned)
        .unwrap();
    plate.properties().unwrap();
}
