//! Integrals over a surface of triangles, and the solid inside if the surface is closed.

/// Integrals over the area of a surface, whose elements are vectors along its normal, and its size.
/// Positions are relative to the first corner.
#[derive(Default)]
pub(super) struct Surface {
    /// `∫ dA_i`
    ones: [f64; 3],
    /// `∫ x_i dA_j`
    firsts: [[f64; 3]; 3],
    /// `∫ x_i x_j dA_k`
    seconds: [[[f64; 3]; 3]; 3],
    /// `∫ x_i x_j x_k dA_l`
    thirds: [[[[f64; 3]; 3]; 3]; 3],
    /// The sum of the areas.
    area: f64,
    /// The square of the greatest distance of a corner from the first.
    square: f64,
    /// The greatest coordinate of a corner.
    farthest: f64,
    /// Whether a coordinate has more digits than single precision.
    is_double: bool,
}

/// The volume of a solid and its moments about the first corner of its surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    pub(super) volume: f64,
    /// `∫ x_i dV`
    pub(super) first: [f64; 3],
    /// `∫ x_i x_j dV`
    pub(super) second: [[f64; 3]; 3],
}

type Vector = [f64; 3];

fn each(f: impl FnMut(usize) -> f64) -> Vector {
    std::array::from_fn(f)
}

/// `f(0) + f(1) + f(2)`
fn sum(f: impl Fn(usize) -> f64) -> f64 {
    f(0) + f(1) + f(2)
}

/// `value` times Kronecker's `δ_ij`.
fn if_same(i: usize, j: usize, value: f64) -> f64 {
    if i == j { value } else { 0.0 }
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Surface {
    pub(super) fn of(triangles: &[[f64; 9]]) -> Self {
        let mut surface = Surface::default();
        if let Some(&[x, y, z, ..]) = triangles.first() {
            for corners in triangles {
                for &coordinate in corners {
                    surface.farthest = surface.farthest.max(coordinate.abs());
                    surface.is_double |= f64::from(coordinate as f32) != coordinate;
                }
                surface.add(
                    [0, 3, 6].map(|k| [corners[k] - x, corners[k + 1] - y, corners[k + 2] - z]),
                );
            }
        }
        surface
    }

    /// Over a triangle of the area A with the corners a, b, c, s = a + b + c, P = Σ a aᵀ:
    /// `∫ x = A s/3`, `∫ x xᵀ = A (s sᵀ + P)/12`, and
    /// `∫ x_i x_j x_k = A (s_i s_j s_k + s_i P_jk + s_j P_ik + s_k P_ij + 2 Σ a_i a_j a_k)/60`.
    fn add(&mut self, corners: [Vector; 3]) {
        let [a, b, c] = corners;
        let [u, v] = [b, c].map(|corner| each(|i| corner[i] - a[i]));
        let normal = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| 0.5 * (u[i] * v[j] - u[j] * v[i]));
        let s = each(|i| a[i] + b[i] + c[i]);
        let p = [0, 1, 2].map(|i| each(|j| a[i] * a[j] + b[i] * b[j] + c[i] * c[j]));
        for l in 0..3 {
            self.ones[l] += normal[l];
            for i in 0..3 {
                self.firsts[i][l] += s[i] / 3.0 * normal[l];
                for j in 0..3 {
                    self.seconds[i][j][l] += (s[i] * s[j] + p[i][j]) / 12.0 * normal[l];
                    for k in 0..3 {
                        let corners = a[i] * a[j] * a[k] + b[i] * b[j] * b[k] + c[i] * c[j] * c[k];
                        let mixed = s[i] * p[j][k] + s[j] * p[i][k] + s[k] * p[i][j];
                        let all = s[i] * s[j] * s[k] + mixed + 2.0 * corners;
                        self.thirds[i][j][k][l] += all / 60.0 * normal[l];
                    }
                }
            }
        }
        self.area += dot(normal, normal).sqrt();
        let squares = corners.map(|corner| dot(corner, corner));
        self.square = squares.into_iter().fold(self.square, f64::max);
    }

    /// By the divergence theorem, from the sums over `x_k dA_k`.
    pub(super) fn solid(&self) -> Solid {
        Solid {
            volume: sum(|k| self.firsts[k][k]) / 3.0,
            first: each(|i| sum(|k| self.seconds[i][k][k]) / 4.0),
            second: [0, 1, 2].map(|i| each(|j| sum(|k| self.thirds[i][j][k][k]) / 5.0)),
        }
    }

    /// Whether the surface is closed, turned outwards or inwards all over. Of a closed one,
    /// `∫ dA = 0`, `∫ x_i dA_j = V δ_ij`, `∫ x_i x_j dA_k = δ_ik M_j + δ_jk M_i`, and so on for
    /// three factors, with the volume V, its first moments M and its second moments: volume, centre
    /// and inertia rest on these. They hold to rounding errors also where the corners of one
    /// triangle lie on the edges of others. A gap breaks them by about as much as it changes the
    /// volume.
    ///
    /// Corners on edges leave gaps when they are rounded. Measured with the corners of a third of
    /// the triangles on edges, in single precision: 7e-7 of the volume for compact bodies, 4e-5 for
    /// plates of a hundredth of their width, in proportion to the distance of the origin, and 1.1
    /// times [`Self::rounding_of_corners`] at most.
    pub(super) fn is_closed(&self) -> bool {
        const AREA: f64 = 1e-5;
        const VOLUME: f64 = 1e-4;
        let solid = self.solid();
        let size = self.square.sqrt();
        let mut gap: f64 = 0.0;
        for l in 0..3 {
            for i in 0..3 {
                let expected = if_same(i, l, solid.volume);
                gap = gap.max((self.firsts[i][l] - expected).abs());
                for j in 0..3 {
                    let expected = if_same(i, l, solid.first[j]) + if_same(j, l, solid.first[i]);
                    gap = gap.max((self.seconds[i][j][l] - expected).abs() / size);
                    for k in 0..3 {
                        let expected = if_same(i, l, solid.second[j][k])
                            + if_same(j, l, solid.second[i][k])
                            + if_same(k, l, solid.second[i][j]);
                        gap = gap.max((self.thirds[i][j][k][l] - expected).abs() / self.square);
                    }
                }
            }
        }
        let open = dot(self.ones, self.ones).sqrt() * size;
        let rounding = self.rounding_of_corners();
        open <= AREA * self.area * size + rounding
            && gap.max(open) <= VOLUME * solid.volume.abs() + rounding
    }

    /// How much of the volume the rounding of the corners may leave open.
    fn rounding_of_corners(&self) -> f64 {
        let precision = if self.is_double {
            f64::EPSILON
        } else {
            f64::from(f32::EPSILON)
        };
        2.0 * precision * self.area * self.farthest
    }

    /// What the rounding of the sums may make of the volume.
    pub(super) fn rounding(&self) -> f64 {
        f64::EPSILON * self.area * self.square.sqrt()
    }
}
