//! Random numbers: the generator against its authors' vectors, the deviates against the normal distribution. All seeds are fixed.

#![allow(clippy::needless_range_loop, clippy::type_complexity)] // k is an axis, in several arrays

use crate::common::levels::{LEVELS, taken_for};
use quatint::kernel::{MOST_LANES, Number, drawn, normals, philox};
use quatint::simd::{self, Job};

fn deviates(seed: u64, id: u64, draw: u64) -> [f64; 3] {
    normals(&drawn(seed, draw, |_| id)).map(|[deviate]| f64::from(deviate))
}

/// Deviates of many bodies, as the compiler vectorises them for each instruction set.
struct Fill<'a> {
    seed: u64,
    draw: u64,
    ids: [u64; MOST_LANES],
    out: &'a mut [[f64; MOST_LANES]; 3],
}

impl Job for Fill<'_> {
    #[inline(always)]
    fn in_lanes<N: Number>(&mut self) {
        let deviates = normals(&drawn(self.seed, self.draw, |i| self.ids[i]));
        *self.out = deviates.map(|column| column.map(f64::from));
    }
}

/// `kat_vectors` of Random123 (SC11), Philox4x32-10.
#[test]
fn philox_gives_the_numbers_of_its_authors() {
    let known = [
        (
            [0; 4],
            [0; 2],
            [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
        ),
        (
            [0xffffffff; 4],
            [0xffffffff; 2],
            [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
        ),
        (
            [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
            [0xa4093822, 0x299f31d0],
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
        ),
    ];
    for (counter, key, words) in known {
        assert_eq!(
            philox(counter, key[0] | key[1] << 32),
            words,
            "{counter:x?}"
        );
    }
}

#[test]
fn deviates_in_lanes_have_the_bits_of_those_alone_on_every_instruction_set() {
    let ids: [u64; MOST_LANES] =
        std::array::from_fn(|i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for draw in [0, 1, 77, 1 << 40, u64::MAX] {
        for level in LEVELS {
            taken_for(level);
            let mut out = [[0.0; MOST_LANES]; 3];
            simd::run_at(
                level,
                &mut Fill {
                    seed: 5 << 33 | 1,
                    draw,
                    ids,
                    out: &mut out,
                },
            );
            for lane in 0..MOST_LANES {
                let alone = deviates(5 << 33 | 1, ids[lane], draw).map(f64::to_bits);
                assert_eq!(
                    [0, 1, 2].map(|k| out[k][lane].to_bits()),
                    alone,
                    "{level:?}, {draw}, lane {lane}"
                );
            }
        }
    }
}

/// The words of a block, each half of which is k of 38 bits and an angle of 26: `u = (k + ½) 2⁻³⁸`.
fn words(k: u64, angle: i64) -> [u32; 4] {
    let half = k << 26 | angle as u64 & 0x3ff_ffff;
    [
        (half >> 32) as u32,
        half as u32,
        (half >> 32) as u32,
        half as u32,
    ]
}

fn normals_of(words: [u32; 4]) -> [f32; 3] {
    normals(&words.map(|word| [word])).map(|[deviate]| deviate)
}

/// At θ = 0 the first deviate is `√(−2 ln u)`, at θ′ = π the third.
#[test]
fn radii_are_exact_from_the_centre_to_the_last_value_and_angles_all_around() {
    let libm_radius = |u: f64| (-2.0 * libm::log(u)).sqrt();
    let most_angle = (1 << 25) - 1;
    let (mut greatest, mut sum, mut weight): (f32, f64, f64) = (0.0, 0.0, 0.0);
    for step in 0..380_000 {
        let k = libm::exp2(38.0 - f64::from(step) / 1e4) as u64 - 1;
        let r = libm_radius((k as f64 + 0.5) * libm::exp2(-38.0));
        let ([x, y, _], [.., z]) = (normals_of(words(k, 0)), normals_of(words(k, most_angle)));
        let [first, third] = [x, z].map(|x| f64::from(x) / r - 1.0);
        let most = 3e-7 + 6e-8 / (r * r); // u is rounded to 24 bits
        assert!(
            first.abs() < most && third.abs() < most && f64::from(y.abs()) < 4e-7,
            "{k}: {first:e}, {third:e}"
        );
        (sum, weight) = (sum + r * r * first, weight + r * r);
        greatest = greatest.max(x);
    }
    let mean = sum / weight;
    println!("mean of the errors, weighted by the square of the radius: {mean:.1e}");
    assert!(greatest > 7.25 && mean.abs() < 1e-8, "{greatest}, {mean:e}");
    assert_eq!(normals_of(words((1 << 38) - 1, 0))[0], 0.0);
    for step in -1000..1000 {
        let angle = i64::from(step) * 33_554;
        let at = (angle as f64 + 0.5) * libm::exp2(-25.0);
        let (sin, cos) = libm::sincos(at * std::f64::consts::PI);
        let half = libm::sin(at * std::f64::consts::FRAC_PI_2);
        let r = libm_radius(0.5);
        let [x, y, z] = normals_of(words(1 << 37, angle)).map(f64::from);
        let error = (x - r * cos)
            .abs()
            .max((y - r * sin).abs())
            .max((z - r * half).abs());
        assert!(error < 8e-7, "{angle}: {error:e}");
    }
}

/// Of three million deviates: five standard errors of each moment, and of the numbers beyond 2, 3, 4, 5.
#[test]
fn moments_and_tails_are_those_of_the_normal_distribution() {
    let n = 1_000_000;
    let (mut sums, mut beyond) = ([0.0; 6], [0_u32; 6]);
    for i in 0..n {
        for x in deviates(1, i % 1000, i / 1000) {
            let mut power = 1.0;
            sums.iter_mut().for_each(|sum| {
                power *= x;
                *sum += power;
            });
            beyond
                .iter_mut()
                .zip(0..)
                .for_each(|(count, k)| *count += u32::from(x.abs() > f64::from(k)));
        }
    }
    let n = 3.0 * n as f64;
    // E x²ᵏ: 1, 3, 15, 105, 945, 10395
    for (k, (mean, square)) in [
        (0.0, 1.0),
        (1.0, 3.0),
        (0.0, 15.0),
        (3.0, 105.0),
        (0.0, 945.0),
        (15.0, 10395.0),
    ]
    .into_iter()
    .enumerate()
    {
        let error = (sums[k] / n - mean) / ((square - mean * mean) / n).sqrt();
        println!(
            "moment {}: {:.5}, {error:.2} standard errors",
            k + 1,
            sums[k] / n
        );
        assert!(error.abs() < 5.0, "moment {}: {error}", k + 1);
    }
    for (k, count) in beyond.into_iter().enumerate() {
        let expected = n * libm::erfc(k as f64 / std::f64::consts::SQRT_2);
        assert!(
            (f64::from(count) - expected).abs() < 5.0 * expected.sqrt() + 1.0,
            "beyond {k}: {count}, {expected}"
        );
    }
}

/// Kolmogorov and Smirnov: √n D is above 1.95 once in a thousand times.
#[test]
fn each_axis_passes_the_test_of_kolmogorov_and_smirnov() {
    let n = 300_000;
    for axis in 0..3 {
        let mut all: Vec<f64> = (0..n).map(|id| deviates(2, id, 9)[axis]).collect();
        all.sort_by(f64::total_cmp);
        let n = n as f64;
        let distance = |(i, x): (usize, &f64)| {
            let expected = 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
            (expected - i as f64 / n)
                .abs()
                .max((expected - (i + 1) as f64 / n).abs())
        };
        let greatest = all.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt();
        println!("axis {axis}: {greatest:.3}");
        assert!(greatest < 1.95, "axis {axis}: {greatest}");
    }
}

/// Of products, and of products of squares less 1, which see the common radius of a pair if its halves were not independent.
#[test]
fn neighbours_in_id_draw_seed_and_axis_are_not_correlated() {
    let n = 200_000_u64;
    let at = |seed: u64, i: u64, draw: u64| deviates(seed, i, draw);
    let pairs: [(&str, &dyn Fn(u64) -> [f64; 2]); 8] = [
        ("axes 0, 1", &|i| [at(3, i, 0)[0], at(3, i, 0)[1]]),
        ("axes 0, 2", &|i| [at(3, i, 0)[0], at(3, i, 0)[2]]),
        ("axes 1, 2", &|i| [at(3, i, 0)[1], at(3, i, 0)[2]]),
        ("ids", &|i| [at(3, i, 1)[0], at(3, i + 1, 1)[0]]),
        ("draws", &|i| [at(3, 7, i)[1], at(3, 7, i + 1)[1]]),
        ("seeds", &|i| [at(i, 7, 5)[2], at(i + 1, 7, 5)[2]]),
        ("id and draw exchanged", &|i| {
            [at(3, i, 2 * n)[0], at(3, 2 * n, i)[0]]
        }),
        ("ids 2³² apart", &|i| {
            [at(3, i, 1)[2], at(3, i + (1 << 32), 1)[2]]
        }),
    ];
    for (name, pair) in pairs {
        let (mut products, mut squares) = (0.0, 0.0);
        for i in 0..n {
            let [x, y] = pair(i);
            products += x * y;
            squares += (x * x - 1.0) * (y * y - 1.0) / 2.0;
        }
        let errors = [products, squares].map(|sum| sum / (n as f64).sqrt());
        println!("{name}: {:.2}, {:.2} standard errors", errors[0], errors[1]);
        assert!(
            errors.iter().all(|error| error.abs() < 4.5),
            "{name}: {errors:?}"
        );
    }
}
