"""The orientations of 1e5 fibres in shear flow over time: fibres of one length, and fibres of many.

    python fibres.py [picture.svg [count]]

The fluid moves with the velocity (y, 0, 0). A fibre of aspect ratio r turns over every half of Jeffery's period, 2 pi (r + 1/r), whatever
orbit it is on (G. B. Jeffery, Proc. R. Soc. Lond. A 102, 161 (1922)). So the orientations of equal fibres come back together, and those of
different ones no longer do. Exit status 0: the time after which they come back is right to 1e-3.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import quatint
from matplotlib.colors import PowerNorm

RATIO, DENSITY, DT = 5.0, 0.01, 0.02
PERIOD = 2 * np.pi * (RATIO + 1 / RATIO)
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
EVERY, ROWS, BINS = 10, 400, 90


def fibres(ratios):
    """Fibres of semi-axes r, 1, 1 with random directions, in a fluid of viscosity 1; their inertia is small."""
    rng = np.random.default_rng(1)
    long, short = ratios / RATIO, 1 / RATIO
    mass = 4 / 3 * np.pi * long * short**2 * DENSITY
    axes = np.column_stack([long, np.full((COUNT, 2), short)])
    across = mass / 5 * (long**2 + short**2)
    inertia = np.column_stack([mass / 5 * 2 * short**2, across, across])
    q = rng.normal(size=(COUNT, 4))
    flow = quatint.ShearFlow(axes, 1.0, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    return quatint.Ensemble(
        COUNT, inertia=inertia, orientations=q / np.linalg.norm(q, axis=1)[:, None], torque=flow, threads=2
    )


def distribution(e):
    """By time: the distribution of the angle of the fibres in the plane of the flow, and its mean sin(2 angle)."""
    image, means = np.empty((ROWS, BINS)), np.empty(ROWS)
    for row in range(ROWS):
        axis = quatint.rotate(e.orientations, [1, 0, 0])
        angle = np.arctan2(axis[:, 1], axis[:, 0]) % np.pi  # a fibre has no head
        angle[angle > np.pi / 2] -= np.pi
        image[row] = np.histogram(angle, BINS, (-np.pi / 2, np.pi / 2), density=True)[0]
        means[row] = np.sin(2 * angle).mean()
        e.advance(DT, EVERY)
    return image, means


def recurrence(times, means):
    """The mean time from one rise of the mean through its middle to the next."""
    level = (means.max() + means.min()) / 2
    rises = np.flatnonzero((means[:-1] < level) & (means[1:] >= level))
    at = times[rises] + (level - means[rises]) / (means[rises + 1] - means[rises]) * (times[1] - times[0])
    return np.diff(at).mean()


rng = np.random.default_rng(2)
times = DT * EVERY * np.arange(ROWS)
equal, means = distribution(fibres(np.full(COUNT, RATIO)))
different, _ = distribution(fibres(RATIO * rng.normal(1, 0.15, COUNT).clip(0.5, 1.5)))
found = recurrence(times, means)
print(f"the orientations come back after {found:.3f}; half of Jeffery's period: {PERIOD / 2:.3f}")

figure, panels = plt.subplots(2, 1, figsize=(9, 5.2), sharex=True, layout="constrained")
shade = PowerNorm(0.5, 0, 5)  # shows low densities, too
titles = f"Fibres of aspect ratio {RATIO:.0f}", f"Aspect ratios of {RATIO:.0f} ± {0.15 * RATIO:.2f}"
for panel, image, title in zip(panels, (equal, different), titles, strict=True):
    drawn = panel.imshow(
        image.T,
        aspect="auto",
        origin="lower",
        extent=(0, times[-1], -90, 90),
        interpolation="none",
        cmap="magma",
        norm=shade,
    )
    for k in range(1, int(2 * times[-1] / PERIOD) + 1):
        panel.axvline(k * PERIOD / 2, color="w", linewidth=1, linestyle=":")
    panel.set(title=title, ylabel="angle to the flow, °", yticks=[-90, -45, 0, 45, 90])
panels[1].set_xlabel("time x shear rate; dotted: halves of Jeffery's period")
figure.colorbar(drawn, ax=panels, label="density, 1/rad")
if len(sys.argv) > 1:
    plt.rcParams["svg.hashsalt"] = "quatint"  # the same picture is the same file
    figure.savefig(sys.argv[1], metadata={"Date": None})
sys.exit(int(abs(found / (PERIOD / 2) - 1) > 1e-3))
