# kicks.py: a chain of coupled rotors, with a loop of its own and one torque evaluation a step.
# `bind_predicted_velocities(array, dt / 2)` is for torques that depend on the angular velocity:
# docs/kicks.md.
import numpy as np
import quatint

n, dt, steps = 20, 0.05, 4000
q = quatint.orientation_from_axis_angle([0, 0, 1], 0.7 * np.arange(1, n + 1))
L = np.sin(3 * np.arange(1, 4) + np.arange(1, n + 1)[:, None])  # angular momenta, world frame


def torques(q):
    """Of the energy -sum(m[i] . m[i + 1]), where m is the body axis x of a rotor; their sum is zero."""
    m = quatint.rotate(q, [1, 0, 0])
    return np.cross(m, np.roll(m, 1, axis=0) + np.roll(m, -1, axis=0))


def energy(e):
    m = quatint.rotate(q, [1, 0, 0])
    return e.total_kinetic_energy - (m * np.roll(m, 1, axis=0)).sum()


e = quatint.Ensemble(n, inertia=[0.5, 1, 1.2])
e.bind_orientations(q)  # in place, no copy
e.bind_angular_velocities(L, "angmom_world")
first, total, worst = energy(e), L.sum(axis=0), 0.0

torque = torques(q)
for _ in range(steps):
    e.kick_drift(dt / 2, dt, torque)  # half a kick, then moves q
    torque = torques(q)  # here a program moves its particles, too
    e.kick(dt / 2, torque)
    worst = max(worst, abs(energy(e) - first))
print(f"t = {e.time:.0f}: energy {first:.3f}, at most {worst:.3f} off")
print("the total angular momentum is kept to 1e-12:", abs(L.sum(axis=0) - total).max() < 1e-12)

# It prints:
# t = 200: energy 3.544, at most 0.006 off
# the total angular momentum is kept to 1e-12: True
