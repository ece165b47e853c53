"""PCDM for many heavy tops, as a good numpy user writes it, and the same compiled by JAX.

Arrays have a row for each component, so that operations run over contiguous memory: q (4, n), omega (3, n) in the body frame.
"""


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def to_world(q, v):
    w, u = q[0], q[1:]
    t = [2 * c for c in cross(u, v)]
    s = cross(u, t)
    return [v[c] + w * t[c] + s[c] for c in range(3)]


def to_body(q, v):
    return to_world((q[0], -q[1], -q[2], -q[3]), v)


def product(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def step_with(xp):
    """The step in the functions of a module: numpy or jax.numpy."""

    def exp(v, h):
        """The quaternion of the rotation by v h."""
        angle = xp.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])  # none of these tops is ever at rest
        s = xp.sin(0.5 * h * angle) / angle
        return xp.cos(0.5 * h * angle), s * v[0], s * v[1], s * v[2]

    def acceleration(inertia, q, omega):
        w, x, y, z = q
        weight = -2 * (y * z - w * x), 2 * (x * z + w * y), 0 * w  # world frame
        torque = to_body(q, weight)
        gyration = cross([i * o for i, o in zip(inertia, omega, strict=True)], omega)
        return [(t + g) / i for t, g, i in zip(torque, gyration, inertia, strict=True)]

    def step(inertia, q, omega, h):
        a = acceleration(inertia, q, omega)
        q_half = product(q, exp([o + 0.25 * h * d for o, d in zip(omega, a, strict=True)], 0.5 * h))
        omega_half = [o + 0.5 * h * d for o, d in zip(omega, a, strict=True)]
        a_half = acceleration(inertia, q_half, omega_half)
        q_end = product(exp(to_world(q_half, omega_half), h), q)
        return xp.stack(q_end), xp.stack([o + h * d for o, d in zip(omega, a_half, strict=True)])

    return step
