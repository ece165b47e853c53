"""The asteroid Toutatis does not spin about one axis: it tumbles. Draws its angular velocity, and where its axes point in space.

    python toutatis.py [picture.svg]

Moments (only their ratios matter without a torque) and spin are from radar images: S. Ostro et al., Science 270, 80 (1995). Published
periods: 5.4 days about the long axis, which goes round the angular momentum in 7.4 days. The exit status says whether these come out.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import quatint

DAYS = 150

asteroid = quatint.Body([1, 3.0836, 3.235], method="splitting")  # exact without a torque, for any step
asteroid.angular_velocity_body = np.radians([98.5, 14.5, 33.7])  # per day; the long axis is x
momentum_world = asteroid.angular_momentum
time, q, omega = asteroid.record(0.05, 20 * DAYS)

# in space: x and y across the angular momentum, z along it
z = momentum_world / np.linalg.norm(momentum_world)
x = np.cross([0, 1, 0], z) / np.linalg.norm(np.cross([0, 1, 0], z))
across = np.array([x, np.cross(z, x), z])
long_axis = quatint.rotate(q, [1, 0, 0]) @ across.T
spin_axis = omega / np.linalg.norm(omega, axis=1)[:, None] @ across.T
omega_body = quatint.rotate_inverse(q, omega)
momentum_body = quatint.rotate_inverse(q, momentum_world)


def period(first, second):
    """The mean time of a turn of the angle between two components."""
    angle = np.unwrap(np.arctan2(second, first))
    return 2 * np.pi * time[-1] / abs(angle[-1] - angle[0])


about_long_axis = period(momentum_body[:, 1], momentum_body[:, 2])
of_long_axis = period(long_axis[:, 0], long_axis[:, 1])
print(
    f"about the long axis: {about_long_axis:.2f} days, the long axis about the angular momentum: {of_long_axis:.2f} days"
)

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.4), layout="constrained", width_ratios=[1.25, 1])
shown = time <= 20
for component, name in enumerate(("long axis", "middle axis", "short axis")):
    left.plot(time[shown], np.degrees(omega_body[shown, component]), label=name)
left.set(title="Angular velocity in the body frame", xlabel="days", ylabel="degrees per day", ylim=(-60, 145))
left.legend(ncols=3, loc="upper center", frameon=False)

# seen against the angular momentum: the distance from the centre is the angle from it
right.set_aspect("equal")
right.spines[:].set_visible(False)
right.set(xticks=[], yticks=[], xlim=(-66, 66), ylim=(-64, 80))
right.set_title("In space, along the angular momentum")
for angle in (20, 40, 60):
    right.add_patch(plt.Circle((0, 0), angle, fill=False, color="0.8", linewidth=0.8))
    right.text(0, -angle, f"{angle}°", color="0.45", ha="center", va="center", fontsize=8, backgroundcolor="white")
right.plot(0, 0, "k+")
right.annotate("angular\nmomentum", (0, 0), (2, 2), fontsize=8)
until = 7.4
shown, days = time <= until, 20 * np.arange(int(until) + 1)
for axis, name, color in ((long_axis, "long axis", "C0"), (spin_axis, "axis of spin", "C3")):
    away = np.degrees(np.arccos(axis[:, 2])) / np.hypot(axis[:, 0], axis[:, 1])
    path = axis[:, :2] * away[:, None]
    right.plot(*path[shown].T, color=color, linewidth=1.2, label=name)
    right.plot(*path[days].T, "o", color=color, markersize=3)
    for day, place in enumerate(path[days]):
        right.text(*(place * (1 + 5 / np.hypot(*place))), day, color=color, ha="center", va="center", fontsize=9)
right.set_xlabel("dots and numbers: days")
right.legend(loc="upper left", bbox_to_anchor=(-0.08, 1.02), frameon=False, fontsize=9)

if len(sys.argv) > 1:
    plt.rcParams["svg.hashsalt"] = "quatint"  # the same picture is the same file
    figure.savefig(sys.argv[1], metadata={"Date": None})
sys.exit(int(abs(about_long_axis - 5.4) > 0.05 or abs(of_long_axis - 7.4) > 0.05))
