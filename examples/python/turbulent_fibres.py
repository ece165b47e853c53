"""Rods and discs in a random flow: how much they tumble, by aspect ratio.

    python turbulent_fibres.py [picture.svg [count]]

The flow is a sum of random Fourier modes without divergence, whose energies fall as k^(-5/3) and which change with the rates of their eddies
(J. C. H. Fung, J. C. R. Hunt, N. A. Malik, R. J. Perkins, J. Fluid Mech. 236, 281 (1992)). Fluid points carry ellipsoids, which turn by
Jeffery's torque of the velocity gradient G where they are. Their inertia is small. The tumbling rate is that of the direction n of their
symmetry axis, <n'^2> / <G:G>. If directions and flow were independent, it would be 1/6 + Lambda^2 / 10 with Lambda = (r^2 - 1) / (r^2 + 1):
1/6 for spheres, 4/15 for long rods and thin discs. They are at the start, and those of spheres always.

In isotropic turbulence rods align with the vortices, and tumble much less than discs (S. Parsa, E. Calzavarini, F. Toschi, G. A. Voth, Phys.
Rev. Lett. 109, 134501 (2012)). A random flow has no vortices that last, so rods and discs tumble alike here: these are no numbers of turbulence.
Exit status 0: the rates at the start, and those of spheres to the end, are the exact ones within 4 standard errors.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import quatint

COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 1000  # fluid points; each carries an ellipsoid of each ratio
RATIOS = np.array([0.1, 0.2, 0.4, 0.7, 1, 1.4, 2.5, 5, 10])
LAMBDA = (RATIOS**2 - 1) / (RATIOS**2 + 1)
EXACT = 1 / 6 + LAMBDA**2 / 10
DT, STEPS, EVERY, STEADY = 0.02, 600, 20, 300  # the unit of time is <G:G>^(-1/2)
DENSITY = 0.01
rng = np.random.default_rng(1)


class Flow:
    """u = sum of a cos(k x + w t) + b sin(k x + w t) over modes, with a and b at right angles to k."""

    def __init__(self, shells=12, modes=8):
        size = np.repeat(np.geomspace(1, 16, shells), modes)
        self.k = rng.normal(size=(size.size, 3))
        self.k *= (size / np.linalg.norm(self.k, axis=1))[:, None]
        energy = size ** (-5 / 3) * size  # of a shell: its width grows with k
        a, b = (np.cross(self.k, rng.normal(size=self.k.shape)) for _ in range(2))
        self.a, self.b = (v * np.sqrt(energy / (v**2).sum(axis=1))[:, None] for v in (a, b))
        scale = np.sqrt((size**2 * energy).sum())  # of the gradients
        self.a, self.b, self.w = self.a / scale, self.b / scale, 0.5 * size * np.sqrt(modes * energy) / scale
        self.gradients = [np.einsum("mj,mk->mjk", v, self.k).reshape(-1, 9) for v in (self.b, -self.a)]

    def at(self, x, t):
        """Velocities (n, 3) and velocity gradients (n, 3, 3), [i, j, k]: d u_j / d x_k."""
        phase = x @ self.k.T + self.w * t
        cos, sin = np.cos(phase), np.sin(phase)
        along = cos @ self.gradients[0] + sin @ self.gradients[1]
        return cos @ self.a + sin @ self.b, along.reshape(-1, 3, 3)


def ellipsoids():
    """Of equal volume and random directions, the symmetry axis along body x: COUNT of each ratio."""
    ratios = np.repeat(RATIOS, COUNT)
    long, short = ratios ** (2 / 3), ratios ** (-1 / 3)
    mass = 4 / 3 * np.pi * DENSITY
    across = mass / 5 * (long**2 + short**2)
    q = rng.normal(size=(ratios.size, 4))
    return quatint.Ensemble(
        ratios.size,
        inertia=np.column_stack([mass / 5 * 2 * short**2, across, across]),
        orientations=q / np.linalg.norm(q, axis=1)[:, None],
        torque=quatint.ShearFlow(np.column_stack([long, short, short]), 1.0, np.zeros((3, 3))),
    )


def tumbling(e, gradients):
    """<n'^2> / <G:G> by ratio, and its standard error."""
    n = quatint.rotate(e.orientations, [1, 0, 0])
    squares = (np.cross(e.angular_velocities, n) ** 2).sum(axis=1).reshape(RATIOS.size, COUNT)
    of_flow = (gradients**2).sum(axis=(1, 2))
    rates = squares.mean(axis=1) / of_flow.mean()
    return rates, (squares - rates[:, None] * of_flow).std(axis=1) / of_flow.mean() / np.sqrt(COUNT)


flow, e = Flow(), ellipsoids()
x = rng.uniform(0, 100, (COUNT, 3))
gradients = np.empty((RATIOS.size, COUNT, 3, 3))
e.bind_flow_gradients(gradients.reshape(-1, 9))  # the same memory
flow_at_start = flow.at(x, 0)[1]
gradients[:] = flow_at_start
e.advance(DT / 20, 5)  # from rest to the angular velocity in the flow
start, start_errors = tumbling(e, flow_at_start)
steady = []
for step in range(STEPS):
    middle = x + DT / 2 * flow.at(x, step * DT)[0]
    velocity, at_points = flow.at(middle, (step + 0.5) * DT)
    gradients[:] = at_points  # of the middle of the step, for all ratios
    e.step(DT)
    x += DT * velocity
    if step >= STEADY and step % EVERY == 0:
        steady.append(tumbling(e, at_points))
rates, errors = np.mean(steady, axis=0)  # of points that stay alike for long: the error of one time

print("aspect ratio   independent of the flow: exact, at the start   carried by it")
for i, ratio in enumerate(RATIOS):
    print(f"{ratio:12.1f} {EXACT[i]:39.4f} {start[i]:14.4f} {rates[i]:9.4f} ± {errors[i]:.4f}")

figure, panel = plt.subplots(figsize=(7, 3.6), layout="constrained")
fine = np.geomspace(0.1, 10, 200)
exact = 1 / 6 + ((fine**2 - 1) / (fine**2 + 1)) ** 2 / 10
panel.plot(fine, exact, "k--", linewidth=1, label="directions independent of the flow")
panel.errorbar(RATIOS, start, start_errors, fmt="o", mfc="w", label="at the start")
panel.errorbar(RATIOS, rates, errors, fmt="o-", label=f"carried for a time of {STEADY * DT:.0f} to {STEPS * DT:.0f}")
panel.set(xlabel="aspect ratio: discs, spheres, rods", ylabel="tumbling rate, <n'²> / <G:G>")
panel.set(xscale="log", ylim=(0, None))
panel.set_xticks(RATIOS, [f"{ratio:g}" for ratio in RATIOS])
panel.minorticks_off()
panel.legend()
if len(sys.argv) > 1:
    plt.rcParams["svg.hashsalt"] = "quatint"  # the same picture is the same file
    figure.savefig(sys.argv[1], metadata={"Date": None})
sphere = RATIOS == 1
is_exact = (abs(start - EXACT) < 4 * start_errors).all() and (abs(rates - EXACT) < 4 * errors)[sphere].all()
sys.exit(int(not is_exact))
