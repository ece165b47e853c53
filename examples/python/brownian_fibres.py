"""Fibres in shear flow with rotational diffusion: their directions beside the solution of the Fokker-Planck equation.

    python brownian_fibres.py [picture.svg [count]]

The fluid moves with the velocity (y, 0, 0). A fibre of aspect ratio 5 follows Jeffery's equation, and the molecules of the fluid turn it
at random, with the diffusivity D about its short axes. The Peclet number is the shear rate over D: thermal motion wins below 1, the flow
far above. The library takes Brownian steps, without inertia. The theory is the steady solution of

    D R.R psi = R.(Omega psi),   Omega = -z/2 + s (p x E p),   s = (r^2 - 1) / (r^2 + 1),   R = p x d/dp,

by spherical harmonics about z, the axis of the vorticity (E. J. Hinch, L. G. Leal, J. Fluid Mech. 52, 683 (1972)). Exit status 0: the
means of x^2, y^2 and x y of the directions are those of theory within 4 standard errors at each Peclet number.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import quatint
import scipy.sparse as sparse
from scipy.special import sph_harm_y

RATIO = 5.0
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
PECLET = 0.1, 1.0, 10.0, 100.0, 1000.0
MOMENTS = "x²", "y²", "x y"

DEGREES = 40  # of the harmonics: beyond, no digit that matters changes
L = np.concatenate([np.full(2 * k + 1, k) for k in range(DEGREES + 1)])
M = np.concatenate([np.arange(-k, k + 1) for k in range(DEGREES + 1)])
EVEN = np.flatnonzero((L % 2 == 0) & (M % 2 == 0))  # a fibre has no head, and z is as good as -z


def coupling(dl, dm, factor):
    """The operator that takes Y(l, m) to factor(l, m) Y(l + dl, m + dm)."""
    to_l, to_m = L + dl, M + dm
    kept = (abs(to_m) <= to_l) & (to_l <= DEGREES)
    entries = factor(L[kept], M[kept]), (to_l * (to_l + 1) + to_m)[kept], np.flatnonzero(kept)
    return sparse.csr_matrix((entries[0], entries[1:]), shape=(L.size, L.size))


def operators():
    """The components of p and of p x d/dp."""
    pz = coupling(1, 0, lambda l, m: np.sqrt(((l + 1) ** 2 - m**2) / ((2 * l + 1) * (2 * l + 3))))
    raised = coupling(1, 1, lambda l, m: -np.sqrt((l + m + 1) * (l + m + 2) / ((2 * l + 1) * (2 * l + 3))))
    lowered = coupling(-1, 1, lambda l, m: np.sqrt((l - m) * (l - m - 1) / ((2 * l - 1) * (2 * l + 1))))
    plus = raised + lowered  # x + i y
    turn = coupling(0, 1, lambda l, m: np.sqrt((l - m) * (l + m + 1)))
    p = (plus + plus.T) / 2, (plus - plus.T) / 2j, pz + pz.T
    return p, (1j * (turn + turn.T) / 2, (turn - turn.T) / 2, sparse.diags(1j * M))


(PX, PY, PZ), (RX, RY, RZ) = operators()
STRETCH = (RATIO**2 - 1) / (RATIO**2 + 1)
FLOW = -RZ / 2 + STRETCH / 2 * (PZ @ PY @ RY - PZ @ PX @ RX + (PX @ PX - PY @ PY) @ RZ)  # Omega . R


def equation(peclet):
    """The rates of change of the means of the harmonics, as a matrix on these means."""
    return (FLOW - sparse.diags(L * (L + 1) / peclet)).T.tocsr()[EVEN][:, EVEN].toarray()


def steady(peclet):
    """The means of the harmonics."""
    rates, constant = equation(peclet), 1 / np.sqrt(4 * np.pi)
    means = np.zeros(L.size, complex)
    means[EVEN] = np.r_[constant, np.linalg.solve(rates[1:, 1:], -rates[1:, 0] * constant)]
    return means


def moments(means):
    one = np.sqrt(4 * np.pi) * (L == 0)
    return [(means @ (a @ (b @ one))).real for a, b in ((PX, PX), (PY, PY), (PX, PY))]


def density(means, angles):
    """Of the angle in the plane of the flow, from -90 to 90 degrees."""
    cosines, weights = np.polynomial.legendre.leggauss(2 * DEGREES)
    harmonics = sph_harm_y(L[EVEN, None], M[EVEN, None], np.arccos(cosines), 0).real @ weights
    return 2 * ((means[EVEN].conj() * harmonics) @ np.exp(1j * np.outer(M[EVEN], angles))).real


AXES = [RATIO, 1, 1]
STILL = quatint.ShearFlow(AXES, 1.0, np.zeros((3, 3)))
DRAG = -np.diag(STILL(0, np.tile([1, 0, 0, 0], (3, 1)), np.eye(3)))  # torque of a still fluid for a turn about each axis


def isotropic_fibres():
    q = np.random.default_rng(1).normal(size=(COUNT, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    flow = quatint.ShearFlow(AXES, 1.0, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    return quatint.Ensemble(COUNT, orientations=q, torque=flow, method="brownian", threads=2)


def steady_directions(fibres, peclet):
    """After five times the longest memory: x, y, z, a row for each fibre."""
    fibres.langevin = quatint.Langevin(DRAG, kt=DRAG[1] / peclet, seed=1)
    slowest = -np.linalg.eigvals(equation(peclet)[1:, 1:]).real.max()
    # A step turns a fibre by the flow, of order 1, and at random: the error of the one grows beside the other as step x Péclet number.
    dt = min(0.02, 0.02 * peclet, 2 / peclet)
    fibres.advance(dt, round(5 / slowest / dt))
    return quatint.rotate(fibres.orientations, [1, 0, 0])


figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
edges = np.linspace(-90, 90, 25)
middle, fine = (edges[1:] + edges[:-1]) / 2, np.linspace(-90, 90, 181)
worst = 0.0
print("Péclet   " + "".join(f"{f'mean of {name}':16}{'theory':9}" for name in MOMENTS).rstrip())
fibres = isotropic_fibres()
for number, peclet in enumerate(PECLET):
    p = steady_directions(fibres, peclet)
    means = steady(peclet)
    samples = np.column_stack([p[:, 0] ** 2, p[:, 1] ** 2, p[:, 0] * p[:, 1]])
    found, errors, exact = samples.mean(0), samples.std(0) / np.sqrt(COUNT), moments(means)
    worst = max(worst, abs((found - exact) / errors).max())
    each = zip(found, errors, exact, strict=True)
    print(f"{peclet:6g}   " + "  ".join(f"{mean:7.4f} ± {error:.4f} {known:7.4f}" for mean, error, known in each))
    for k, marker in enumerate("os^"):
        right.plot(peclet, found[k], marker, color=f"C{k}", markersize=5)
    if peclet >= 1:
        angle = np.degrees(np.arctan(p[:, 1] / p[:, 0]))
        share = np.histogram(angle, edges, density=True)[0]
        left.plot(middle, share, ".", color=f"C{number}", markersize=5)
        left.plot(fine, density(means, np.radians(fine)) * np.pi / 180, color=f"C{number}", label=f"{peclet:g}", linewidth=1.2)
print(f"the worst of them is {worst:.1f} standard errors off")

many = np.geomspace(0.1, 1000, 41)
curves = np.array([moments(steady(peclet)) for peclet in many]).T
for k, (curve, name) in enumerate(zip(curves, MOMENTS, strict=True)):
    right.plot(many, curve, color=f"C{k}", label=f"⟨{name}⟩", linewidth=1.2)
left.set(xlabel="angle to the flow, °", ylabel="density, 1/°", xticks=[-90, -45, 0, 45, 90], ylim=(0, None))
left.legend(title="Péclet number")
right.set(xscale="log", xlabel="Péclet number", ylabel="mean")
right.legend()
figure.suptitle("Fibres of aspect ratio 5 in shear flow: lines theory, points simulation", fontsize="medium")
if len(sys.argv) > 1:
    plt.rcParams.update({"svg.hashsalt": "quatint", "svg.fonttype": "none"})  # the same picture is the same file; letters as text
    figure.savefig(sys.argv[1], metadata={"Date": None})
sys.exit(int(worst > 4))
